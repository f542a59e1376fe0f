# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arenas: what is live at some time together lies apart, counted by brute force; and
what sums in any order are allowed to."""

import random
import re

import ml_dtypes
import numpy as np
import pytest

import tensoraccess as ta


def make_function(seed):
    """Buffers of random sizes, allocated, used and freed at random times."""
    rng = random.Random(seed)
    lines, live, number = [], [], 0
    for _ in range(rng.randrange(4, 60)):
        if live and rng.random() < 0.45:
            name, size = live.pop(rng.randrange(len(live)))
            lines.append(f"memref.dealloc {name} : memref<{size}xf32>")
        else:
            name, size = f"%b{number}", rng.choice([1, 16, 17, 100, 1000, rng.randrange(1, 5000)])
            number += 1
            lines.append(f"{name} = memref.alloc() : memref<{size}xf32>")
            live.append((name, size))
        for name, size in rng.sample(live, min(len(live), 2)):
            lines.append(f"func.call @use{size}({name}) : (memref<{size}xf32>) -> ()")
    for name, size in live:
        lines.append(f"func.call @use{size}({name}) : (memref<{size}xf32>) -> ()")
        lines.append(f"memref.dealloc {name} : memref<{size}xf32>")
    sizes = {int(n) for n in re.findall(r"memref<(\d+)x", "\n".join(lines))}
    declared = "\n".join(f"func.func private @use{n}(memref<{n}xf32>)" for n in sizes)
    return f"{declared}\nfunc.func @main() {{\n" + "\n".join(lines) + "\nreturn\n}", lines


@pytest.mark.parametrize("seed", range(60))
def test_what_is_live_together_lies_apart(seed):
    text, lines = make_function(seed)
    planned = str(ta.Module(text).run("builtin.module(func.func(tensoraccess-plan-arena))"))
    offsets = {}
    constants = dict(re.findall(r"(%\S+) = arith.constant (\d+) : index", planned))
    views = re.findall(r"memref.view %\S+\[(%\S+)\]\[\] : memref<(\d+)xi8> to memref<(\d+)xf32>",
                       planned)
    names = [line.split()[0] for line in lines if "alloc()" in line]
    if len(names) < 2:
        assert not views
        return
    assert len(views) == len(names)
    total = int(views[0][1])
    # Views stand where their buffers were allocated.
    for name, (offset, _, size) in zip(names, views):
        offsets[name] = (int(constants[offset]), 4 * int(size))
    spans = {}
    for i, line in enumerate(lines):
        for name in re.findall(r"%b\d+", line):
            if "alloc()" not in line:
                spans.setdefault(name, [i, i])[1] = i
    most = 0
    for i in range(len(lines)):
        now = [offsets[n] for n, (first, last) in spans.items() if first <= i <= last]
        most = max(most, sum(-(-size // 64) * 64 for _, size in now))
        for a, (begin, size) in enumerate(now):
            assert begin % 64 == 0 and begin + size <= total
            for other, length in now[a + 1:]:
                assert begin + size <= other or other + length <= begin
    assert most <= total <= 1.35 * most


def test_arenas_beyond_memory():
    """An error that names the bytes, in compiled code, and nothing lost."""
    x, y = "tensor<100000x100000x1000xf32>", "tensor<1000xf32>"
    v, w = "tensor<100000xf32>", "tensor<1000xf32>"
    maps = ", ".join(f"affine_map<(i, j, k) -> ({r})>" for r in ("i", "j", "k", "i, j, k"))
    text = f"""
func.func @main(%v: {v}, %w: {w}) -> {y} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {x}
  %p = linalg.generic {{indexing_maps = [{maps}],
      iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%v, %v, %w : {v}, {v}, {w}) outs(%e : {x}) {{
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    %r = arith.mulf %q, %c : f32
    linalg.yield %r : f32
  }} -> {x}
  %t = tensor.empty() : {y}
  %f = linalg.fill ins(%z : f32) outs(%t : {y}) -> {y}
  %s = linalg.reduce ins(%p : {x}) outs(%f : {y}) dimensions = [0, 1]
      (%a: f32, %b: f32) {{
        %m = arith.addf %b, %a : f32
        linalg.yield %m : f32
      }}
  return %s : {y}
}}"""
    program = ta.Module(text).compile(cache=False)
    arrays = np.ones(100000, np.float32), np.ones(1000, np.float32)
    with pytest.raises(ta.Error, match=r"no memory for a buffer of \d{14,} bytes"):
        program(*arrays)


def bf16_product(m, k, n):
    a, b, c = f"tensor<{m}x{k}xbf16>", f"tensor<{k}x{n}xbf16>", f"tensor<{m}x{n}xf32>"
    return ta.Module(f"""
func.func @main(%a: {a}, %b: {b}) -> {c} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {c}
  %f = linalg.fill ins(%z : f32) outs(%e : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%f : {c}) -> {c}
  return %r : {c}
}}""")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("m, k, n", [(16, 1, 3), (17, 33, 65), (60, 255, 100), (1, 300, 40),
                                     (40, 1000, 77)])
def test_sums_in_any_order(m, k, n, threads):
    """Whatever instruction it is, each sum is within the roundings of any order, and
    the default's bits stay the interpreter's."""
    rng = np.random.default_rng(k)
    a = rng.uniform(-1, 1, (m, k)).astype(ml_dtypes.bfloat16)
    b = rng.uniform(-1, 1, (k, n)).astype(ml_dtypes.bfloat16)
    module = bf16_product(m, k, n)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    bound = (k + 2) * 2.0**-24 * (abs(a.astype(np.float64)) @ abs(b.astype(np.float64)))
    for weights in ((), (1,)):
        free = module.compile(cache=False, reassociate=True, threads=threads, weights=weights)
        assert (abs(free(a, b) - exact) <= bound).all()
        kept = module.compile(cache=False, threads=threads, weights=weights)
        assert kept(a, b).tobytes() == module.interpret()(a, b).tobytes()
