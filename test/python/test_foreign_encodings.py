# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encodings of IREE's, against the same tiles cut and permuted by numpy; and the memories
of strided, tiled and linear layouts that are the same."""

import itertools
import json
import random
import re

import numpy as np
import pytest

import tensoraccess as ta


def iree_memory(shape, pos, tiles, perm, factors=None, order=None):
    """Element numbers in memory, -1 for padding: pack, then cut and permute tiles."""
    array = np.arange(np.prod(shape)).reshape(shape)
    inner = {d: t for d, t in zip(pos, tiles)}
    pad = [(0, -s % inner.get(d, 1)) for d, s in enumerate(shape)]
    array = np.pad(array, pad, constant_values=-1)
    cut = [n for d, s in enumerate(array.shape)
           for n in ((s // inner[d], inner[d]) if d in inner else (s,))]
    array = array.reshape(cut)
    outer_axis, inner_axis, axis = {}, {}, 0
    for d in range(len(shape)):
        outer_axis[d] = axis
        axis += 1
        if d in inner:
            inner_axis[d] = axis
            axis += 1
    array = array.transpose([outer_axis[d] for d in perm] + [inner_axis[d] for d in pos])
    if factors:
        outer = array.shape[:len(shape)]
        array = array.reshape(outer + tuple(itertools.chain(*factors)))
        array = array.transpose(list(range(len(shape))) + [len(shape) + i for i in order])
    return array.reshape(-1)


def random_encoding(rng):
    rank = rng.randint(1, 3)
    shape = [rng.choice([1, 3, 4, 8, 12, 16]) for _ in range(rank)]
    pos = rng.sample(range(rank), rng.randint(1, rank))
    factors = [[rng.choice([1, 2, 3, 4]) for _ in range(rng.randint(1, 3))] for _ in pos]
    tiles = [int(np.prod(f)) for f in factors]
    perm = rng.sample(range(rank), rank)
    count = sum(map(len, factors))
    order = rng.sample(range(count), count)
    info = f"innerDimsPos = {pos}, innerTileSizes = {tiles}, outerDimsPerm = {perm}"
    if rng.random() < 0.7:
        kinds = [[[rng.choice(["Internal", "CrossThread"]), size] for size in f]
                 for f in factors]
        text = json.dumps(kinds)
        if rng.random() < 0.5:
            text = text.replace("]]", " : i16]]").replace("], [\"", " : i16], [\"")
            text = text.replace(" : i16 : i16", " : i16").replace("] : i16", "]")
        info += f", swizzle = {{expandShape = {text}, permutation = {order}}}"
    else:
        factors = order = None
    return shape, pos, tiles, perm, factors, order, "encoding_info = {" + info + "}"


@pytest.mark.parametrize("seed", range(40))
def test_iree(seed):
    rng = random.Random(seed)
    read = [0, 0]
    for _ in range(25):
        shape, pos, tiles, perm, factors, order, text = random_encoding(rng)
        memory = iree_memory(shape, pos, tiles, perm, factors, order)
        for i, kind in enumerate((ta.Layout, ta.StridedLayout)):
            try:
                layout = kind.from_iree_encoding(shape, text)
            except ta.Error as error:
                # Factors in an order that no tiles have; padding that no strides have.
                assert factors or kind is ta.StridedLayout, str(error)
                continue
            read[i] += 1
            number = (layout.linearize if kind is ta.Layout else
                      lambda x, f=layout: f(x if f.rank > 1 else x[0]))
            for n, index in enumerate(np.ndindex(*shape)):
                assert memory[number([int(x) for x in index] if kind is ta.Layout else
                                     tuple(map(int, index)))] == n
            if kind is ta.Layout:
                assert layout.padded_elements == len(memory)
    assert min(read) >= 3


@pytest.mark.parametrize("text, message", [
    ("operand_index = 0", "only a resolved encoding"),
    ("encoding_info = {innerDimsPos = [0]}", "inner_tiles"),
    ("encoding_info = {innerDimsPos = [0, 5], innerTileSizes = [4, 4]}", "inner_dims_pos"),
    ("encoding_info = {innerDimsPos = [0], innerTileSizes = [4], swizzle = "
     "{expandShape = [[[\"Internal\", 3]]], permutation = [0]}}", "must multiply to its size, 4"),
    ("encoding_info = {innerDimsPos = [0], innerTileSizes = [4], swizzle = "
     "{expandShape = [[[\"Internal\", 4]]], permutation = [1]}}", "each of 1 factors once, got 1"),
    ("encoding_info = {a = 1}", "got 'a'"),
    ("encoding_info = {} encoding_info = {}", "several encodings"),
])
def test_iree_errors(text, message):
    with pytest.raises(ta.Error, match=message):
        ta.Layout.from_iree_encoding([8, 8], text)


@pytest.mark.parametrize("seed", range(30))
def test_same_memory(seed):
    """Strided to tiled and back, linear to strided: each element has its number."""
    rng = random.Random(seed)
    for _ in range(20):
        # Digits of a few dimensions, in a random order, perhaps with gaps.
        rank = rng.randint(1, 3)
        digits = [(d, rng.choice([2, 3, 4])) for d in range(rank) for _ in range(rng.randint(1, 2))]
        strides, following = {}, 1
        for i in rng.sample(range(len(digits)), len(digits)):
            strides[i] = following
            following *= digits[i][1] * rng.choice([1, 1, 1, 2])
        modes = []
        for d in range(rank):
            own = [i for i, digit in enumerate(digits) if digit[0] == d]
            modes.append(ta.StridedLayout(tuple(digits[i][1] for i in own),
                                          tuple(strides[i] for i in own)))
        layout = ta.StridedLayout(tuple(m.shape for m in modes), tuple(m.stride for m in modes))
        shape = [m.size for m in modes]
        try:
            tiled = layout.to_layout()
        except ta.Error as error:
            assert re.search("inside of|padding of|no multiple|must be a multiple|share number",
                             str(error)), str(error)
            tiled = None
        for index in np.ndindex(*shape):
            index = tuple(map(int, index))
            number = layout(index)
            if tiled:
                assert tiled.linearize(list(index)) == number
        if all(size in (2, 4) for _, size in digits):
            numbers = sorted(layout.numbers())
            if numbers != list(range(len(numbers))):
                continue
            linear = ta.LinearLayout.from_strided(layout)
            memory = ta.LinearLayout(
                {"offset": [[n] for bases in linear.invert().bases for n in
                            [b[0] for b in bases]]} if rank == 1 else
                {"offset": [b for bases in linear.invert().bases for b in bases]}, shape)
            places = memory.to_strided_places()
            assert [places(tuple(map(int, i)) if rank > 1 else int(i[0]))
                    for i in np.ndindex(*shape)] == [
                layout(tuple(map(int, i)) if rank > 1 else (int(i[0]),))
                for i in np.ndindex(*shape)]


def test_swizzles_are_no_tiles():
    with pytest.raises(ta.Error, match="the swizzle Sw<1,0,2> is not a sum of digits"):
        ta.StridedLayout("Sw<1,0,2> o (4,8):(8,1)").to_layout()
    with pytest.raises(ta.Error):
        ta.LinearLayout("{offset = [[0, 1], [1, 1]]} -> [2, 2]").to_strided_places()


@pytest.mark.parametrize("encoding", [
    "#ttg.linear<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]]}>",
    "#tensoraccess.layout<{0,1}>", "#tensoraccess.layout<{1,0:T(2,4)}>",
    "#tensoraccess.strided<Sw<1,0,2> o (4,8):(8,1)>"])
def test_constants(encoding):
    """Dense, splat, sparse and resource values, whatever their type's encoding."""
    blob = "".join(int(i).to_bytes(4, "little").hex() for i in range(32))
    kinds = {"dense": "dense<[" + ", ".join(str(list(range(8 * i, 8 * i + 8)))
                                            for i in range(4)) + "]>",
             "splat": "dense<7>", "sparse": "sparse<[[0, 0], [1, 2]], [1, 3]>",
             "resource": "dense_resource<blob>"}
    sparse = np.zeros((4, 8), np.int32)
    sparse[0, 0], sparse[1, 2] = 1, 3
    wanted = {"dense": np.arange(32).reshape(4, 8), "splat": np.full((4, 8), 7),
              "sparse": sparse, "resource": np.arange(32).reshape(4, 8)}
    placed = f"tensor<4x8xi32, {encoding}>"
    text = "".join(f"""
    func.func @{name}() -> {placed} {{
      %0 = arith.constant {value} : {placed}
      return %0 : {placed}
    }}""" for name, value in kinds.items())
    module = ta.Module(text + f"""
    {{-# dialect_resources: {{ builtin: {{ blob: "0x04000000{blob}" }} }} #-}}""")
    module = module.run("tensoraccess-convert-encodings")
    for name, value in wanted.items():
        np.testing.assert_array_equal(module.compile(entry=name)(), value)
