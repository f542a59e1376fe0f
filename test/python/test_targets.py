# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets as values, and what their memory spaces say to other questions."""

import pytest

import tensoraccess as ta

GPU = "gpu, last_cache = 0, memory_spaces = [shared 3 of 49152 at 16 banks 8x4]"


def test_text_and_members():
    target = ta.Target(GPU)
    assert ta.Target(str(target)) == target and hash(ta.Target(str(target))) == hash(target)
    assert target != ta.Target("generic") and target != "gpu"
    (space,) = target.memory_spaces
    assert (space.name, space.number, space.bytes, space.speed) == ("shared", 3, 49152, 16)
    assert (space.banks, space.bank_bytes) == (8, 4)
    assert target.last_cache == 0 and target.register_tile == (6, 2)
    assert target.panel_width(32) == 16
    (unit,) = ta.Target("systolic-16x16").matrix_units
    assert (unit.rows, unit.cols, unit.cycles) == (16, 16, 46)
    assert (unit.accumulators, unit.double_buffered) == (0, False)
    unit = ta.Target("a, matrix_units = [8x4 in 18 accumulators 9 double_buffered]").matrix_units[0]
    assert (unit.accumulators, unit.double_buffered) == (9, True)
    assert ta.Target("generic").bytes_per_cycle == 4
    assert ta.Target("a, bytes_per_cycle = 64").bytes_per_cycle == 64
    assert repr(ta.Target("generic")).startswith("Target('generic, vector_bytes = 32")
    target = ta.Target("sapphirerapids")
    assert target.registers == 32 and "amx-bf16" in target.features
    assert target.caches[0] == (48 << 10, 12) and target.cores == 1
    host = ta.Target("host")
    assert host.cores >= 1 and ta.Target(str(host)) == host


def test_errors_point_at_the_place():
    with pytest.raises(ta.Error, match="expected 'of' before the bytes of a memory space, got 'at'"):
        ta.Target("h, memory_spaces = [a 3 at 1]")
    with pytest.raises(ta.Error, match="number of memory space 'a' must be in"):
        ta.Target("h, memory_spaces = [a 0 of 4 at 1]")


def kernel(space, target=""):
    attributes = f"attributes {{tensoraccess.target = #tensoraccess.target<{target}>}}" if target else ""
    memref = f"memref<32x32xf32, {space}>"
    return ta.Module(f"""module {attributes} {{
      gpu.module @kernels {{
        gpu.func @f(%m: {memref}) kernel
            attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
          %t = gpu.thread_id x
          %c0 = arith.constant 0 : index
          %0 = memref.load %m[%t, %c0] : {memref}
          gpu.return
        }}
      }}
    }}""").memory_accesses()["f"][0]


def test_banks_of_loads_are_those_of_the_map():
    # Without a target, what a workgroup shares has 32 banks of 4 bytes.
    load = kernel("#gpu.address_space<workgroup>")
    assert load.space == "workgroup" and load.bank_conflicts.cycles == 32
    # With one, its banks: rows are 32 words, all of them in bank 0 of 8.
    load = kernel("#gpu.address_space<workgroup>", GPU)
    assert load.space == "shared" and load.bank_conflicts.minimum_cycles == 4
    load = kernel("3", GPU)
    assert load.space == "shared" and load.bank_conflicts.cycles == 32
    told = load.numbers.bank_conflicts(
        element_bytes=4, lane=load.lane, banks=8, bank_bytes=4)
    assert told.cycles == load.bank_conflicts.cycles


@pytest.mark.parametrize("space, target", [
    ("#gpu.address_space<private>", GPU), ("3", ""), ("1", GPU),
    ("3", "gpu, memory_spaces = [flat 3 of 64 at 2]")])
def test_other_memories_have_no_banks(space, target):
    load = kernel(space, target)
    assert load.space is None and load.bank_conflicts is None
    assert load.coalescing is not None


def test_a_function_packs_weights_once():
    import numpy as np
    module = ta.Module("""
    func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x512xf32>) -> tensor<64x512xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<64x512xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
      %r = linalg.matmul ins(%x, %w : tensor<64x256xf32>, tensor<256x512xf32>)
             outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
      return %r : tensor<64x512xf32>
    }""")
    split = module.run(
        "tensoraccess-assign-layouts{weights=function},"
        "tensoraccess-materialize-layouts")
    rng = np.random.default_rng(3)
    x = rng.standard_normal((64, 256), np.float32)
    w = rng.standard_normal((256, 512), np.float32)
    ready = split.compile("pack_main")(w)
    assert ready.shape != w.shape
    got = split.compile()(x, ready)
    assert got.tobytes() == module.compile()(x, w).tobytes()
