# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts as packs, blocked tags, strides and recipes."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensoraccess as ta


def packed(l: ta.Layout, array: np.ndarray) -> np.ndarray:
    """The memory of an array, element by element; -1 is padding."""
    memory = np.full(l.padded_elements, -1, array.dtype)
    for index in itertools.product(*map(range, l.shape)):
        memory[l.linearize(index)] = array[index]
    return memory


def apply(recipe: ta.LayoutRecipe, array: np.ndarray) -> np.ndarray:
    assert list(array.shape) == recipe.source
    for step in recipe.steps:
        match step.kind:
            case "pad":
                array = np.pad(array, [(0, n) for n in step.amounts], constant_values=-1)
            case "slice":
                array = array[tuple(slice(n) for n in step.shape)]
            case "transpose":
                array = array.transpose(step.permutation)
            case "expand":
                for n, group in zip(array.shape, step.groups):
                    assert n == math.prod(step.shape[d] for d in group)
                array = array.reshape(step.shape)
            case "collapse":
                for n, group in zip(step.shape, step.groups):
                    assert n == math.prod(array.shape[d] for d in group)
                array = array.reshape(step.shape)
        assert list(array.shape) == step.shape
    assert list(array.shape) == recipe.result
    return array


def check_recipe(l: ta.Layout):
    array = np.arange(l.elements).reshape(l.shape)
    there = l.recipe()
    result = apply(there, array)
    assert there.result == l.physical_shape
    flat = np.pad(result.reshape(-1), (0, there.tail), constant_values=-1)
    assert np.array_equal(flat, packed(l, array))
    assert np.array_equal(apply(l.recipe(backward=True), result), array)


def test_pack():
    l = ta.Layout.from_pack([9, 2], [0], [4], [0, 1])
    assert str(l) == "f32[9,2]{1,0:T(4,1)}"
    pack = l.to_pack()
    assert (pack.inner_dims_pos, pack.inner_tiles, pack.outer_dims_perm) == ([0], [4], [0, 1])
    assert pack.packed_shape == [3, 2, 4]
    assert repr(pack) == "PackParameters(inner_dims_pos=[0], inner_tiles=[4], outer_dims_perm=[0, 1])"
    # linalg.pack: outer dimensions in any order, and an element type.
    l = ta.Layout.from_pack([2, 3, 5], [1, 2], [2, 3], [1, 2, 0], element_type="bf16")
    assert str(l) == "bf16[2,3,5]{0,2,1:T(2,3,1)}"
    assert ta.Layout.from_pack([3, 5], [], []) == ta.Layout("f32[3,5]")
    array = np.arange(30).reshape(2, 3, 5)
    padded = np.pad(array, [(0, 0), (0, 1), (0, 1)], constant_values=-1)
    by_hand = padded.reshape(2, 2, 2, 2, 3).transpose(1, 3, 0, 2, 4)
    assert np.array_equal(packed(l, array), by_hand.reshape(-1))


def test_blocked_tag():
    assert str(ta.Layout.from_blocked_tag([7, 2], "AB8b2a")) == "f32[7,2]{1,0:T(2,8)(2,1)}"
    l = ta.Layout.from_blocked_tag([64, 32, 3, 3], "ABcd8b16a2b", "bf16")
    assert l.to_blocked_tag() == "ABcd8b16a2b" and l.element_type == "bf16"
    assert l.linearize([1, 0, 0, 0]) == 2 and l.linearize([0, 1, 0, 0]) == 1
    assert l.linearize([0, 2, 0, 0]) == 32 and l.linearize([0, 0, 0, 1]) == 256
    # nChw16c by its letters, and a TPU's tiles as a tag.
    assert ta.Layout.from_blocked_tag([2, 20, 4, 4], "aBcd16b").physical_shape[:4] == [2, 2, 4, 4]
    assert ta.Layout("bf16[32,300]{1,0:T(8,128)(2,1)}").to_blocked_tag() == "AB4a128b2a"
    assert ta.Layout("f32[3,5]{0,1}").to_blocked_tag() == "ba"


def test_strides():
    l = ta.Layout.from_strides([3, 5], [8, 1])
    assert str(l) == "f32[3,5]{1,0:T(8)}"
    s = l.to_strides()
    assert (s.strides, s.offset, s.elements, s.memory_space) == ([8, 1], 0, 24, 0)
    assert repr(s) == "StridedForm(strides=[8, 1], offset=0, elements=24, memory_space=0)"
    l = ta.Layout.from_strides(
        [3, 5], [8, 1], 0, elements=32, memory_space=1, element_type="s8"
    )
    assert str(l) == "s8[3,5]{1,0:T(8)L(32)S(1)}" and l.to_strides().elements == 32
    # A view of numpy: every second row, every third column.
    array = np.arange(15, dtype=np.int32).reshape(3, 5)
    view = np.zeros((6, 15), np.int32)[::2, ::3]
    strides = [s // 4 for s in view.strides]
    l = ta.Layout.from_strides(view.shape, strides)
    memory = packed(l, array)
    assert np.array_equal(
        np.lib.stride_tricks.as_strided(memory, view.shape, [4 * s for s in strides]), array
    )


@pytest.mark.parametrize(
    "action, message",
    [
        (lambda: ta.Layout.from_pack([3], [0], [0]), "inner_tiles entry 0 must be positive, got 0"),
        (lambda: ta.Layout.from_pack([3], [1], [2]), r"inner_dims_pos entry 0 must lie in \[0, 0\]"),
        (lambda: ta.Layout.from_pack([3], [], [], [0, 1]), "outer_dims_perm entry 1 must lie in"),
        (lambda: ta.Layout.from_pack([3], [], [], element_type="q7"), "unknown element type 'q7'"),
        (lambda: ta.Layout.from_pack([2**70], [], []), "does not fit in 64 bits"),
        (lambda: ta.Layout.from_pack([2**62, 4], [], []), r"more than 2\^63 - 1 elements: \{1,0\} of \[4611686018427387904, 4\]"),
        (
            lambda: ta.Layout.from_blocked_tag([3, 5], "aB"),
            "dimension 1 is written in upper case but has no block\n  aB\n   \\^",
        ),
        (lambda: ta.Layout.from_blocked_tag([3], "abc"), "letter 'b' names dimension 1 of a shape"),
        (lambda: ta.Layout.from_strides([3, 5], [5, 1], 1), "offset must be 0, got 1"),
        (lambda: ta.Layout.from_strides([3, 5], [4, 1]), "share number 4"),
        (lambda: ta.Layout.from_strides([3, 5], [0, 1]), "the stride of dimension 0 must be positive"),
        (lambda: ta.Layout("f32[3]{0:L(2)}").to_pack(), "have no tail: L\\(2\\) adds 1 elements"),
        (lambda: ta.Layout("f32[3]{0:S(2)}").to_blocked_tag(), "have no memory space: S\\(2\\)"),
        (lambda: ta.Layout("f32[3,5]{1,0:T(2,2)}").to_strides(), "dimension 1 has no single stride"),
        (lambda: ta.Layout("{1,0}").to_pack(), "the layout has no shape"),
        (lambda: ta.Layout("{1,0}").recipe(), r"layout '\{1,0\}' has no shape"),
        (
            lambda: ta.Layout("f32[?]{0:T(4)(8)}").to_pack(),
            r"a block of 4 of dimension 0 is padded to 8; recipe\(\) has the steps",
        ),
        (
            lambda: ta.Layout("f32[?]{0:L(4)}").to_blocked_tag(),
            r"have no tail: L\(4\) adds ceildiv\(n0, 4\) \* 4 - n0 elements",
        ),
        (
            lambda: ta.Layout("f32[?]{0:T(8)}").recipe().steps[0].amounts[0].evaluate([-1]),
            r"'ceildiv\(n0, 8\) \* 8 - n0' has no value for sizes \[-1\]",
        ),
        (lambda: ta.Layout(f"f32[{2**62},4]"), r"more than 2\^63 - 1 elements: \{1,0\} of \[4611686018427387904, 4\]"),
    ],
)
def test_refusals(action, message):
    with pytest.raises(ta.Error, match=message):
        action()


def test_recipe():
    recipe = ta.Layout("f32[3,5]{1,0:T(2,2)}").recipe()
    assert [s.kind for s in recipe.steps] == ["pad", "expand", "transpose"]
    pad, expand, transpose = recipe.steps
    assert pad.amounts == [1, 1] and expand.groups == [[0, 1], [2, 3]]
    assert transpose.permutation == [0, 2, 1, 3] and transpose.shape == [2, 3, 2, 2]
    assert str(pad) == "pad high [1, 1] -> [4, 6]" and repr(pad) == f"RecipeStep('{pad}')"
    assert str(recipe).startswith("[3, 5]\npad high") and repr(recipe).endswith("[2, 3, 2, 2]>")
    back = ta.Layout("f32[3,5]{1,0:T(2,2)}").recipe(backward=True)
    assert [s.kind for s in back.steps] == ["transpose", "collapse", "slice"]
    recipe = ta.Layout("s4[3]{0:L(4)E(8)S(2)}").recipe()
    assert (recipe.tail, recipe.element_bits, recipe.memory_space) == (1, 8, 2)


def test_dynamic_sizes():
    l = ta.Layout("f32[?,100]{1,0:T(8,128)}")
    pack = l.to_pack()
    assert (pack.inner_dims_pos, pack.inner_tiles) == ([0, 1], [8, 128])
    assert list(map(str, pack.packed_shape)) == ["ceildiv(n0, 8)", "1", "8", "128"]
    assert l.to_blocked_tag() == "AB8a128b"
    s = ta.Layout("f32[3,?,5]{2,1,0}").to_strides()
    assert list(map(str, s.strides)) == ["n1 * 5", "5", "1"] and s.offset == 0
    assert repr(s).startswith("StridedForm(strides=[n1 * 5, 5, 1], offset=0, elements=n1 * 15")
    pad = l.recipe().steps[0]
    assert repr(pad.amounts[0]) == "SizeDifference('ceildiv(n0, 8) * 8 - n0')"
    assert pad.amounts[1] == 28
    assert [pad.amounts[0].evaluate([n, 100]) for n in (0, 1, 7, 8, 9, 17)] == [0, 7, 1, 0, 7, 7]
    assert l.is_bijective is False
    assert ta.Layout("f32[?,128]{1,0:T(8,128)}").is_bijective is None
    assert ta.Layout("f32[?,128]{1,0:T(1,128)}").is_bijective is True


sizes = st.integers(1, 6)


@st.composite
def layouts(draw):
    rank = draw(st.integers(0, 3))
    order = draw(st.permutations(range(rank)))
    tiles = draw(
        st.lists(
            st.tuples(st.lists(st.one_of(st.integers(1, 4), st.just("*")), max_size=3), sizes),
            max_size=3,
        )
    )
    text = ",".join(map(str, order))
    if tiles:
        text += ":T" + "".join(f"({','.join(map(str, [*head, last]))})" for head, last in tiles)
    shape = draw(st.lists(st.integers(0, 5), min_size=rank, max_size=rank))
    return ta.Layout("{" + text + "}").with_shape(shape, "f32")


@given(layouts())
def test_recipe_is_the_layout(l):
    check_recipe(l)


@given(layouts())
def test_conversions_keep_every_element(l):
    table = [l.linearize(i) for i in itertools.product(*map(range, l.shape))]
    ways = [
        lambda: ta.Layout.from_blocked_tag(l.shape, l.to_blocked_tag()),
        lambda: ta.Layout.from_pack(
            l.shape, (p := l.to_pack()).inner_dims_pos, p.inner_tiles, p.outer_dims_perm
        ),
        lambda: ta.Layout.from_strides(
            l.shape, (s := l.to_strides()).strides, s.offset, elements=s.elements
        ),
    ]
    for way in ways:
        try:
            back = way()
        except ta.Error as e:
            assert str(e)
            continue
        assert back.padded_elements == l.padded_elements
        assert [back.linearize(i) for i in itertools.product(*map(range, l.shape))] == table


@given(st.lists(sizes, min_size=1, max_size=4), st.data())
def test_views_of_numpy(shape, data):
    """Strides of any slice of a larger array, transposed."""
    steps = [data.draw(st.integers(1, 3)) for _ in shape]
    perm = data.draw(st.permutations(range(len(shape))))
    base = np.zeros([n * k for n, k in zip(shape, steps)], np.int8)
    view = base[tuple(slice(None, None, k) for k in steps)].transpose(perm)
    l = ta.Layout.from_strides(view.shape, view.strides)
    for index in itertools.product(*map(range, view.shape)):
        assert l.linearize(index) == sum(i * s for i, s in zip(index, view.strides))
    assert l.indexing_map.is_injective() is not False


def test_tiles_of_more_dimensions_than_the_array():
    """T(1,2,4) is T(2,4) place by place, and converts as that does."""
    for text, same in [
        ("f32[6,8]{1,0:T(1,2,4)}", "f32[6,8]{1,0:T(2,4)}"),
        ("f32[16]{0:T(1,4)}", "f32[16]{0:T(4)}"),
    ]:
        a, b = ta.Layout(text), ta.Layout(same)
        assert a.same_map(b)
        assert str(a.to_pack()) == str(b.to_pack())
        assert a.to_blocked_tag() == b.to_blocked_tag()
