# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layout, Projection and Box."""

import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensoraccess as ta


def test_the_worked_example():
    l = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    assert l.linearize((2, 3)) == 17
    assert l.delinearize(17) == [2, 3]
    assert l.delinearize(11) is None
    assert l.physical_shape == [2, 3, 2, 2]
    assert (l.elements, l.padded_elements, l.size_bytes) == (15, 24, 96)
    assert l.shape == [3, 5] and l.element_type == "f32"
    assert l.minor_to_major == [1, 0] and l.tiles == [[2, 2]]
    assert str(l) == "f32[3,5]{1,0:T(2,2)}"
    assert l == eval(repr(l), {"Layout": ta.Layout}) == pickle.loads(pickle.dumps(l))
    assert len({l, ta.Layout(str(l))}) == 1 and l != ta.Layout("{1,0}") and l != 3


def test_a_layout_without_a_shape():
    l = ta.Layout("{1,2,0}")
    assert l.shape is None and l.element_type is None
    with pytest.raises(ta.Error, match="layout '{1,2,0}' has no shape"):
        l.physical_shape
    with pytest.raises(ta.Error, match="layout '{1,2,0}' has no shape"):
        l.linearize([0, 0, 0])
    shaped = l.with_shape([3, 5, 7], "bf16")
    assert shaped.size_bytes == 2 * 3 * 5 * 7
    assert shaped.without_shape() == l


def test_a_combining_entry_is_none():
    l = ta.Layout("f32[2,3,5,7,9]{4,3,2,1,0:T(*,*,2,*,3)}")
    assert l.tiles == [[None, None, 2, None, 3]]


@pytest.mark.parametrize(
    "action, message",
    [
        (lambda l: l.linearize([3, 0]), r"index \[3, 0\] lies outside of shape \[3, 5\]"),
        (lambda l: l.linearize([-1, 0]), r"index \[-1, 0\] lies outside"),
        (lambda l: l.linearize([1]), "the layout has rank 2, got an index of 1"),
        (lambda l: l.with_shape([3, 5], "q7"), "unknown element type 'q7'"),
        (lambda l: l.with_shape([3], "f32"), "."),
        (lambda l: ta.Layout("{1,2}"), "."),
        (lambda l: ta.Layout("{1,0:T(0)}"), "tile"),
    ],
)
def test_layout_errors(action, message):
    with pytest.raises(ta.Error, match=message):
        action(ta.Layout("f32[3,5]{1,0:T(2,2)}"))


@given(
    st.permutations([0, 1, 2]),
    st.tuples(*[st.integers(1, 5)] * 3),
    st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=3), max_size=2),
)
def test_layout_laws(order, shape, tiles):
    text = ",".join(map(str, order))
    if tiles:
        text += ":T" + "".join(f"({','.join(map(str, t))})" for t in tiles)
    l = ta.Layout(f"f32[{','.join(map(str, shape))}]{{{text}}}")
    numbers = {}
    for index in itertools.product(*map(range, shape)):
        numbers[l.linearize(index)] = list(index)
    assert len(numbers) == l.elements
    assert max(numbers) < l.padded_elements
    for n in range(l.padded_elements):
        assert l.delinearize(n) == numbers.get(n)


def test_projection_text_and_members():
    p = ta.Projection(
        [[-1, 0], [0, 1]], [7, 0], shape=[3, 3], anchor=[-1, -1], oob=["wrap", "pad(0.0)"]
    )
    assert p == ta.Projection(str(p)) == pickle.loads(pickle.dumps(p))
    assert p.matrix == [[-1, 0], [0, 1]] and p.offset == [7, 0]
    assert p.shape == [3, 3] and p.anchor == [-1, -1] and p.oob == ["wrap", "pad(0.0)"]
    assert p.resolve([-1, 2], [5, 4]) == [4, 2]
    assert p.resolve([1, 4], [5, 4]) is None
    q = ta.Projection([[1]], [0], shape=[1])
    assert q.anchor is None and q.oob == ["forbid"]
    assert q == ta.Projection([[1]], [0], shape=[1], oob=["forbid"])
    with pytest.raises(
        ta.Error, match=r"index 5 of dimension 0 is forbidden outside of \[0, 5\)"
    ):
        q.resolve([5], [5])


@pytest.mark.parametrize(
    "action, message",
    [
        (lambda: ta.Projection([[1], [2, 3]], [0, 0], [1, 1]), "."),
        (lambda: ta.Projection([[1]], [0], [0]), "shape"),
        (lambda: ta.Projection([[1]], [0], [1], oob=["no"]), "oob: expected"),
        (lambda: ta.Projection([[1]], [0], [1]).evaluate([1, 2]), "has 1 columns"),
        (lambda: ta.Projection([[1]], [0], [1]).hull(ta.Box([0, 0], [1, 1])), "has 1 columns"),
        (lambda: ta.Projection([[1]], [0], [1]).resolve([1, 2], [3]), "has 1 rows"),
        (lambda: ta.Projection([[2**62]], [0], [1]).evaluate([4]), "overflows"),
        (lambda: ta.Box([0], [1, 2]), "lo has 1 entries, but hi has 2"),
        (lambda: ta.Box([0, 3], [1, 2]), "lo 1 must be at most hi, got 3 > 2"),
    ],
)
def test_projection_errors(action, message):
    with pytest.raises(ta.Error, match=message):
        action()


def test_hull_of_mixed_signs():
    p = ta.Projection([[1, -1]], [0], shape=[1])
    assert p.hull(ta.Box([0, 0], [3, 3])) == ta.Box([-2], [3])
    assert repr(ta.Box([-2], [3])) == "Box([-2], [3])"
    assert ta.Box([3], [3]).is_empty and hash(ta.Box([3], [3])) == hash(ta.Box([3], [3]))


@given(
    st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=1, max_size=3),
    st.data(),
)
def test_hull_is_the_smallest_box_over_all_points(matrix, data):
    rows = len(matrix)
    numbers = st.lists(st.integers(-4, 4), min_size=rows, max_size=rows)
    sizes = st.lists(st.integers(1, 3), min_size=rows, max_size=rows)
    p = ta.Projection(matrix, data.draw(numbers), shape=data.draw(sizes))
    regions = [p.evaluate(i) for i in itertools.product(range(-1, 2), range(2, 4))]
    hull = p.hull(ta.Box([-1, 2], [2, 4]))
    for d in range(rows):
        assert hull.lo[d] == min(r.lo[d] for r in regions)
        assert hull.hi[d] == max(r.hi[d] for r in regions)
