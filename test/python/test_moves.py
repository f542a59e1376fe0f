# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposes, packs and copies, compiled: as numpy and the interpreter do them."""

import random

import numpy as np
import pytest

import tensoraccess as ta

TYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16}


def tensor(shape, element):
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def fill(rng, shape, dtype):
    values = np.random.default_rng(rng.randrange(1 << 30)).integers(-100, 100, shape)
    return values.astype(dtype)


@pytest.mark.parametrize("seed", range(40))
def test_transposes_of_slices(seed):
    """Any order of any strided block, with sides about lines and vectors."""
    rng = random.Random(seed)
    element = rng.choice(list(TYPES))
    rank = rng.randint(1, 4)
    sizes = [rng.choice([1, 2, 3, 7, 8, 9, 16, 17, 33]) for _ in range(rank)]
    if rng.random() < 0.5:
        sizes[-1] = rng.choice([16, 64, 130])
    while np.prod(sizes) > 60000:
        sizes[sizes.index(max(sizes))] //= 2
    steps = [rng.choice([1, 1, 1, 2]) for _ in sizes]
    offsets = [rng.choice([0, 0, 1, 5]) for _ in sizes]
    whole = [o + (n - 1) * s + 1 + rng.choice([0, 0, 3]) for o, n, s in zip(offsets, sizes, steps)]
    order = rng.sample(range(rank), rank)
    result = [sizes[i] for i in order]
    module = ta.Module(f"""
    func.func @main(%x: {tensor(whole, element)}) -> {tensor(result, element)} {{
      %s = tensor.extract_slice %x{offsets} {sizes} {steps}
         : {tensor(whole, element)} to {tensor(sizes, element)}
      %e = tensor.empty() : {tensor(result, element)}
      %t = linalg.transpose ins(%s : {tensor(sizes, element)})
             outs(%e : {tensor(result, element)}) permutation = {order}
      return %t : {tensor(result, element)}
    }}""")
    x = fill(rng, whole, TYPES[element])
    block = x[tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(offsets, sizes, steps))]
    got = module.compile()(x)
    assert (got == block.transpose(order)).all()


@pytest.mark.parametrize("seed", range(20))
def test_packs_and_back(seed):
    """Tiles that do not divide, blocks in any order: packed, and unpacked."""
    rng = random.Random(1000 + seed)
    element = rng.choice(list(TYPES))
    rank = rng.randint(1, 3)
    shape = [rng.choice([3, 8, 17, 40]) for _ in range(rank)]
    inner = rng.sample(range(rank), rng.randint(1, rank))
    tiles = [rng.choice([2, 4, 8, 16]) for _ in inner]
    order = rng.sample(range(rank), rank)
    outer = [-(-n // dict(zip(inner, tiles)).get(i, 1)) for i, n in enumerate(shape)]
    packed = tensor([outer[i] for i in order] + tiles, element)
    plain = tensor(shape, element)
    zero = "0.0" if element[0] == "f" else "0"
    how = f"outer_dims_perm = {order} inner_dims_pos = {inner} inner_tiles = {tiles}"
    module = ta.Module(f"""
    func.func @main(%x: {plain}) -> ({packed}, {plain}) {{
      %z = arith.constant {zero} : {element}
      %e = tensor.empty() : {packed}
      %p = linalg.pack %x padding_value(%z : {element}) {how} into %e : {plain} -> {packed}
      %f = tensor.empty() : {plain}
      %u = linalg.unpack %p {how} into %f : {packed} -> {plain}
      return %p, %u : {packed}, {plain}
    }}""")
    x = fill(rng, shape, TYPES[element])
    got, back = module.compile()(x)
    wanted, _ = module.interpret()(x)
    assert (back == x).all()
    assert (got == wanted).all()


def test_large_results_go_past_the_caches():
    """64 MiB, more than the target's last cache: the same bits."""
    module = ta.Module("""
    module attributes {tensoraccess.target = #tensoraccess.target<generic>} {
    func.func @main(%x: tensor<4096x4096xf32>) -> tensor<256x4096x16xf32> {
      %e = tensor.empty() : tensor<256x4096x16xf32>
      %p = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16]
             into %e : tensor<4096x4096xf32> -> tensor<256x4096x16xf32>
      return %p : tensor<256x4096x16xf32>
    }}""")
    lowered = str(module.run("tensoraccess-to-llvm"))
    assert "nontemporal" in lowered and "llvm.fence" in lowered
    x = np.arange(4096 * 4096, dtype=np.float32).reshape(4096, 4096)
    assert (module.compile()(x) == x.reshape(4096, 256, 16).transpose(1, 0, 2)).all()
