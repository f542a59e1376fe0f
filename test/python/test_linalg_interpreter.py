# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pack, unpack and softmax of linalg, interpreted, against numpy."""

import random

import numpy as np
import pytest

import tensoraccess as ta


def tensor(shape, dtype="f32"):
    return "tensor<" + "".join(f"{n}x" for n in shape) + dtype + ">"


def pack(x, positions, tiles, perm, value):
    """By numpy: pad, cut each tiled dimension in two, reorder."""
    rank = x.ndim
    shape, halves = [], {}
    pads = [(0, 0)] * rank
    for dim, tile in zip(positions, tiles):
        pads[dim] = (0, -x.shape[dim] % tile)
    x = np.pad(x, pads, constant_values=value)
    outer = [0] * rank
    for dim in range(rank):
        outer[dim] = len(shape)
        if dim in positions:
            tile = tiles[positions.index(dim)]
            shape += [x.shape[dim] // tile, tile]
            halves[dim] = len(shape) - 1
        else:
            shape.append(x.shape[dim])
    inner = [halves[dim] for dim in positions]
    return x.reshape(shape).transpose([outer[d] for d in perm] + inner)


def draw(rng):
    rank = rng.randint(1, 4)
    shape = [rng.randint(1, 7) for _ in range(rank)]
    positions = rng.sample(range(rank), rng.randint(1, rank))
    tiles = [rng.randint(1, 4) for _ in positions]
    perm = rng.sample(range(rank), rank)
    return shape, positions, tiles, perm


@pytest.mark.parametrize("seed", range(40))
def test_pack_and_unpack(seed):
    rng = random.Random(seed)
    shape, positions, tiles, perm = draw(rng)
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    expected = pack(x, positions, tiles, perm, -1.0)
    options = (
        f"outer_dims_perm = {perm} inner_dims_pos = {positions} "
        f"inner_tiles = {tiles}"
    )
    plain, packed = tensor(shape), tensor(expected.shape)
    module = ta.Module(
        f"""
        func.func @main(%x: {plain}, %d: {packed}, %e: {plain})
            -> ({packed}, {plain}) {{
          %v = arith.constant -1.0 : f32
          %0 = linalg.pack %x padding_value(%v : f32) {options} into %d
             : {plain} -> {packed}
          %1 = linalg.unpack %0 {options} into %e : {packed} -> {plain}
          return %0, %1 : {packed}, {plain}
        }}"""
    )
    there, back = module.interpret()(x, np.zeros_like(expected), np.zeros_like(x))
    np.testing.assert_array_equal(there, expected)
    np.testing.assert_array_equal(back, x)


def test_pack_of_sizes_known_at_run_time():
    module = ta.Module(
        """
        func.func @main(%x: tensor<?x?xi16>, %d: tensor<?x?x?xi16>, %t: index)
            -> tensor<?x?x?xi16> {
          %0 = linalg.pack %x inner_dims_pos = [1] inner_tiles = [%t] into %d
             : tensor<?x?xi16> -> tensor<?x?x?xi16>
          return %0 : tensor<?x?x?xi16>
        }"""
    )
    x = np.arange(24, dtype=np.int16).reshape(3, 8)
    result = module.interpret()(x, np.zeros((3, 2, 4), np.int16), 4)
    np.testing.assert_array_equal(result, x.reshape(3, 2, 4))


@pytest.mark.parametrize("dim", range(3))
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_softmax(dim, dtype):
    rng = np.random.default_rng(dim)
    x = rng.normal(size=(3, 5, 7)).astype({"f32": np.float32, "f64": np.float64}[dtype])
    t = tensor(x.shape, dtype)
    module = ta.Module(
        f"""
        func.func @main(%x: {t}) -> {t} {{
          %e = tensor.empty() : {t}
          %0 = linalg.softmax dimension({dim}) ins(%x : {t}) outs(%e : {t}) -> {t}
          return %0 : {t}
        }}"""
    )
    e = np.exp(x - x.max(axis=dim, keepdims=True))
    expected = e / e.sum(axis=dim, keepdims=True)
    np.testing.assert_allclose(module.interpret()(x), expected, rtol=1e-6)
    np.testing.assert_allclose(module.compile()(x), expected, rtol=1e-5)
