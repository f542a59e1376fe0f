# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Digits, runs, padding, dynamic sizes and all values of layouts and maps."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensoraccess as ta


@st.composite
def layouts(draw, max_rank=3):
    shape = draw(st.lists(st.integers(1, 9), min_size=1, max_size=max_rank))
    order = draw(st.permutations(range(len(shape))))
    tiles = ""
    for _ in range(draw(st.integers(0, 2))):
        marks = draw(st.lists(st.sampled_from(["*", "2", "3", "4"]), max_size=2))
        tiles += f"({','.join(marks + [str(draw(st.integers(1, 5)))])})"
    return ta.Layout(
        f"bf16[{','.join(map(str, shape))}]{{{','.join(map(str, order))}"
        + (f":T{tiles}" if tiles else "") + "}")


def numbers(layout):
    """The numbers of all elements, one by one."""
    return {index: layout.linearize(index)
            for index in itertools.product(*map(range, layout.shape))}


@given(layouts())
@settings(max_examples=150, deadline=None)
def test_all_numbers_at_once(layout):
    expected = numbers(layout)
    for dtype in ("int64", "int32"):
        array = layout.linearize_all(dtype=dtype)
        assert array.dtype == dtype and list(array.shape) == layout.shape
        assert {index: int(n) for index, n in np.ndenumerate(array)} == expected


@given(layouts())
@settings(max_examples=150, deadline=None)
def test_runs_and_padding_are_everything(layout):
    elements = set(numbers(layout).values())
    runs = {n for at, length in layout.runs() for n in range(at, at + length)}
    padding = {n for at, length in layout.padding for n in range(at, at + length)}
    assert runs == elements and not runs & padding
    assert runs | padding == set(range(layout.padded_elements))
    waste = layout.waste
    assert waste.padding_elements == len(padding) == layout.padding.elements
    assert layout.is_bijective == (not padding)


@given(layouts())
@settings(max_examples=150, deadline=None)
def test_the_inverse_knows_padding(layout):
    back = layout.digit_map.inverse()
    for n in range(layout.padded_elements):
        assert back.evaluate([n]) == layout.delinearize(n)


@given(layouts(2), layouts(2))
@settings(max_examples=150, deadline=None)
def test_relayouts(a, b):
    b = b.without_shape()
    if len(b.minor_to_major) != len(a.shape):
        with pytest.raises(ta.Error):
            b.with_shape(a.shape, "f32")
        return
    b = b.with_shape(a.shape, "f32")
    move = a.relayout_map(b)
    places, target = numbers(a), numbers(b)
    for index, n in places.items():
        assert move.evaluate([n]) == [target[index]]
    assert a.same_map(b) == (places == target)
    if a.dim_digits is not None and b.dim_digits is not None:
        assert (a.dim_digits == b.dim_digits) == (places == target)


def test_digit_maps_are_values():
    m = ta.DigitMap.row_major([3, 5])
    assert m.evaluate([2, 4]) == [14] and m.evaluate([3, 0]) is None
    assert m.source_shape == [3, 5] and m.target_shape == [15]
    assert m.is_total and m == ta.DigitMap.row_major([3, 5]) and m != 3
    assert len({m, ta.DigitMap.row_major([3, 5])}) == 1
    assert m.inverse().compose(m).canonical() == ta.DigitMap.identity([15]).canonical()
    assert m.indexing_map.evaluate([1, 2]) == [7]
    assert m.digits == [(0, 2, 1, 3, 3, 5), (1, 2, 1, 5, 5, 1)]
    assert ta.DigitMap.strided([3, 5], [8, 1]).evaluate([2, 1]) == [17]
    # A stride of 0 loses elements.
    assert ta.DigitMap.strided([3, 5], [0, 1]).inverse() is None


@pytest.mark.parametrize("action, message", [
    (lambda: ta.DigitMap.row_major([3, -5]), "dimension 1 must be non-negative, got -5"),
    (lambda: ta.DigitMap.row_major([2**62, 4]), "the size overflows 64-bit arithmetic"),
    (lambda: ta.DigitMap.strided([3], [1, 2]), "the shape has rank 1, got 2 strides"),
    (lambda: ta.DigitMap.strided([3], [-1]), "stride 0 must be non-negative, got -1"),
    (lambda: ta.DigitMap.identity([3]).evaluate([1, 2]),
     "the map has 1 sources, got a point of 2"),
    (lambda: ta.DigitMap.identity([3, 4]).compose(ta.DigitMap.identity([3])),
     "a map with 2 targets can't be followed by one with 1 sources"),
    (lambda: ta.Layout("{1,0}").runs(), "layout '{1,0}' has no shape"),
    (lambda: ta.Layout("{1,0}").dim_digits, "layout '{1,0}' has no shape"),
    (lambda: ta.Layout("f32[?]{0}").padding,
     "layout 'f32[?]{0}' has dynamic sizes: give them by with_sizes"),
    (lambda: ta.Layout("f32[4294967296,4294967296]{1,0}"),
     "tiled shape has more than 2^63 - 1 elements: "
     "{1,0} of [4294967296, 4294967296]"),
    (lambda: ta.Layout("{1,0:T(3,3)}").with_shape([2**32, 2**32], "f32"),
     "tiled shape has more than 2^63 - 1 elements: "
     "{1,0:T(3,3)} of [4294967296, 4294967296]"),
    (lambda: ta.Layout("f32[?,4294967296]{1,0}").with_sizes([2**32, 2**32]),
     "tiled shape has more than 2^63 - 1 elements: "
     "{1,0} of [4294967296, 4294967296]"),
    (lambda: ta.Layout("f32[4611686018427387904]{0}").waste,
     "the size of 'f32[4611686018427387904]{0}' overflows 64-bit arithmetic"),
    (lambda: ta.Layout("f32[3,5]{1,0}").runs(ta.Box([0], [3])),
     "the box must have rank 2, got 1"),
    (lambda: ta.Layout("f32[3,5]{1,0}").runs(ta.Box([0, 0], [3, 6])),
     "dimension 1 of the box must lie in [0, 5), got [0, 6)"),
    (lambda: ta.Layout("f32[3,5]{1,0}").linearize_all(ta.Box([0, 0], [3, 6])),
     "dimension 1 of the box must lie in [0, 5), got [0, 6)"),
    (lambda: ta.Layout("f32[3,5]{1,0}").linearize_all(dtype="int16"),
     "dtype must be 'int32' or 'int64', got 'int16'"),
    (lambda: ta.Layout("f32[3,5]{0,1}").runs(ta.Box([0, 0], [2, 5])).list(2),
     "there are 5 runs, more than 2"),
    (lambda: ta.Layout("f32[4,11,10]{2,1,0:T(2,*,3)}").runs(
        ta.Box([0, 0, 0], [4, 11, 7]), budget=100),
     "the runs are not known within a budget of 100"),
    (lambda: ta.Layout("f32[3,5]{1,0}").relayout_map(ta.Layout("f32[5,3]{1,0}")),
     "shape [3, 5] is not shape [5, 3]"),
    (lambda: ta.Layout("f32[?,5]{1,0}").linearize([0, 0]),
     "layout 'f32[?,5]{1,0}' has dynamic sizes: give sizes"),
    (lambda: ta.Layout("f32[?,5]{1,0}").linearize([0, 0], [3, 4]),
     "size of dimension 1 must be 5, got 4"),
    (lambda: ta.Layout("f32[?,5]{1,0}").logical_map, "has dynamic sizes"),
    (lambda: ta.Layout("f32[?,5]{1,0}").size_bytes.evaluate([-1, 5]),
     "'n0 * 20' has no value for sizes [-1, 5]"),
    (lambda: ta.Layout("{0}").with_shape([-2**63], "f32"),
     "dimension 0 must be non-negative, got -9223372036854775808"),
    (lambda: ta.IndexingMap("unknown").evaluate_all(), "the map is unknown"),
    (lambda: ta.IndexingMap("(d0) -> (d0)").evaluate_all(),
     "a variable's range has no end: give a box"),
    (lambda: ta.IndexingMap("(d0) -> (d0), domain: d0 in [0, 3]").evaluate_all(
        ta.Box([0, 0], [1, 1])), "the box must have rank 1"),
    (lambda: ta.IndexingMap("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in "
                            "[0, 9]").evaluate_all(),
     "the map has 1 runtime variables, got 0 values"),
    (lambda: ta.IndexingMap("(d0) -> (d0), domain: d0 in [0, 4611686018427387903]")
     .evaluate_all(), "does not fit in memory"),
    (lambda: ta.Layout("f32[4294967296]{0}").linearize_all(
        ta.Box([4294967290], [4294967296]), dtype="int32"),
     "a value does not fit the result's type"),
])
def test_refusals(action, message):
    with pytest.raises(ta.Error) as error:
        action()
    assert message in str(error.value)


def test_descriptors():
    layout = ta.Layout("bf16[32,300]{1,0:T(8,128)(2,1)}")
    all = layout.runs(ta.Box([8, 128], [24, 256])).describe()
    assert all.are_maximal and len(all.parts) == 1
    part = all.parts[0]
    assert (part.offset, part.loops, part.length, part.count) == (
        4096, [(2, 3072)], 1024, 2)
    assert layout.runs(ta.Box([1, 1], [30, 299])).describe(limit=1) is None
    runs = layout.runs(ta.Box([0, 0], [0, 5]))
    assert (len(runs), runs.elements, runs.begin, runs.end) == (0, 0, 0, 0)
    assert list(runs) == [] and runs.describe().parts == []


def test_dynamic_sizes():
    layout = ta.Layout("s4[?,3]{1,0:T(2,2)}")
    assert layout.is_dynamic and layout.shape == [None, 3]
    assert str(layout) == "s4[?,3]{1,0:T(2,2)}"
    physical = layout.physical_shape
    assert [str(size) for size in physical] == ["ceildiv(n0, 2)", "2", "2", "2"]
    assert physical[1] == 2 and physical[0] == ta.Layout("u1[?]{0:T(2)}").physical_shape[0]
    assert str(layout.padded_elements) == "ceildiv(n0, 2) * 8"
    assert str(layout.elements) == "n0 * 3"
    assert layout.size_bytes.evaluate([5, 3]) == 12
    assert layout.with_sizes([5, 3]).size_bytes == 12
    assert not layout.with_sizes([5, 3]).is_dynamic
    assert layout.linearize([4, 2], [5, 3]) == layout.with_sizes([5, 3]).linearize([4, 2])
    assert layout.delinearize(20, sizes=[5, 3]) == [4, 2]
    assert ta.Layout("{1,0:T(2,2)}").with_shape([None, 3], "s4") == layout
    assert layout.same_map is not None
    assert layout.physical_map.evaluate([4, 2], [], [5]) == [2, 1, 0, 0]
    assert layout.indexing_map.evaluate([4, 2], [], [5]) == [20]
    with pytest.raises(ta.Error, match="overflows|dynamic"):
        layout.to_svg()


def test_all_values_of_a_map():
    m = ta.IndexingMap("(d0)[s0] -> (d0 + s0, d0 floordiv 3), domain: d0 in [0, 6], "
                       "s0 in [0, 2], d0 + s0 in [1, 7]")
    values, inside = m.evaluate_all()
    assert values.shape == (2, 7, 3) and inside.shape == (7, 3)
    assert inside.dtype == bool and values.dtype == np.int64
    for d0, s0 in np.ndindex(7, 3):
        result = [int(v) for v in values[:, d0, s0]]
        assert inside[d0, s0] == (1 <= d0 + s0 <= 7)
        assert result == ([d0 + s0, d0 // 3] if inside[d0, s0] else [-1, -1])
    # A box beyond the domain.
    values, inside = m.evaluate_all(ta.Box([-2, 0], [3, 1]))
    assert inside[:, 0].tolist() == [False, False, False, True, True]
    values, _ = ta.IndexingMap(
        "(d0){rt0} -> (d0 * 2 + rt0), domain: d0 in [0, 2], rt0 in [0, 9]"
    ).evaluate_all(runtime=[5])
    assert values.tolist() == [[5, 7, 9]]
