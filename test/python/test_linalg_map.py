# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the bodies of structured ops read: linalg.map whose body reads its init, and
its neighbours, in both engines, in proofs and over ranks, against NumPy."""

import numpy as np
import pytest

import tensoraccess as ta

T = "tensor<3x5xi32>"
X = np.arange(15, dtype=np.int32).reshape(3, 5)
O = 100 - 3 * X


def generic(body, ins="%x", arguments="%a: i32"):
    count = 1 + ins.count("%")
    types = ", ".join([T] * (count - 1))
    maps = ", ".join(["affine_map<(i, j) -> (i, j)>"] * count)
    given = f"ins({ins} : {types}) " if ins else ""
    names = ", ".join(filter(None, [arguments, "%b: i32"]))
    return (
        f"linalg.generic {{indexing_maps = [{maps}], iterator_types = "
        f'["parallel", "parallel"]}} {given}outs(%o : {T}) {{\n'
        f"  ^bb0({names}):\n{body}\n  }} -> {T}"
    )


def mapped(body, ins="%x", arguments="%a: i32"):
    count = ins.count("%")
    given = f"ins({ins} : {', '.join([T] * count)}) " if ins else ""
    names = ", ".join(filter(None, [arguments, "%b: i32"]))
    return f"linalg.map {given}outs(%o : {T})\n  ({names}) {{\n{body}\n  }}"


ADD = "    %s = arith.addi %a, %b : i32\n    linalg.yield %s : i32"
TWICE = "    %s = arith.addi %b, %b : i32\n    linalg.yield %s : i32"
KEEP = "    linalg.yield %b : i32"
DROP = "    linalg.yield %a : i32"
CAPTURED = "    %s = arith.muli %b, %c : i32\n    linalg.yield %s : i32"
CASES = {
    "map reads": (mapped(ADD), X + O),
    "map of nothing reads": (mapped(TWICE, "", ""), 2 * O),
    "map keeps": (mapped(KEEP), O),
    "map does not read": (mapped(DROP), X),
    "map reads what is captured": (mapped(CAPTURED), 7 * O),
    "map of one twice reads": (
        mapped("    %s = arith.subi %a, %b : i32\n    linalg.yield %s : i32", "%x, %x", "%a: i32, %d: i32"),
        X - O,
    ),
    "generic reads": (generic(ADD), X + O),
    "generic of nothing reads": (generic(TWICE, "", ""), 2 * O),
    "generic does not read": (generic(DROP), X),
    "copy": (f"linalg.copy ins(%x : {T}) outs(%o : {T}) -> {T}", X),
    "fill": (f"linalg.fill ins(%c : i32) outs(%o : {T}) -> {T}", np.full_like(X, 7)),
    "transpose": (
        "linalg.transpose ins(%y : tensor<5x3xi32>) "
        f"outs(%o : {T}) permutation = [1, 0]",
        X + 1,
    ),
    "broadcast": (
        f"linalg.broadcast ins(%v : tensor<3xi32>) outs(%o : {T}) dimensions = [1]",
        np.broadcast_to(X[:, :1], (3, 5)),
    ),
    "reduce": (
        "linalg.reduce { arith.addi } ins(%z : tensor<3x2x5xi32>) "
        f"outs(%o : {T}) dimensions = [1]",
        O + X + 2 * X,
    ),
    "matmul": (
        "linalg.matmul ins(%w, %m : tensor<3x2xi32>, tensor<2x5xi32>) "
        f"outs(%o : {T}) -> {T}",
        O + X[:, :2] @ X[:2],
    ),
}


def program(name):
    return f"""
func.func @main(%x: {T}, %o: {T}, %y: tensor<5x3xi32>, %v: tensor<3xi32>,
                %z: tensor<3x2x5xi32>, %w: tensor<3x2xi32>, %m: tensor<2x5xi32>)
    -> ({T}, {T}) {{
  %c = arith.constant 7 : i32
  %i = arith.constant 0 : index
  %r = {CASES[name][0]}
  // Behind it, so that the op must not write over what it reads.
  %n = tensor.insert %c into %o[%i, %i] : {T}
  return %r, %n : {T}, {T}
}}
"""


def inputs():
    return [X, O, (X + 1).T.copy(), X[:, 0].copy(), np.stack([X, 2 * X], 1), X[:, :2].copy(), X[:2].copy()]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("passes", ["", "tensoraccess-raise", "tensoraccess-fuse-elementwise"])
def test_runs(name, passes):
    module = ta.Module(program(name))
    if passes:
        module = module.run(passes)
    kept = O.copy()
    kept[0, 0] = 7
    for run in (module.interpret(), module.compile(), module.compile(plain=True)):
        result, other = run(*inputs())
        np.testing.assert_array_equal(result, CASES[name][1])
        np.testing.assert_array_equal(other, kept)


def test_is_not_equal_to_zeros():
    text = """
func.func @double(%x: tensor<5xf32>) -> tensor<5xf32> {
  %m = linalg.map outs(%x : tensor<5xf32>)
    (%o: f32) {
      %0 = arith.addf %o, %o : f32
      linalg.yield %0 : f32
    }
  return %m : tensor<5xf32>
}
func.func @twice(%x: tensor<5xf32>) -> tensor<5xf32> {
  %0 = arith.addf %x, %x : tensor<5xf32>
  return %0 : tensor<5xf32>
}
func.func @zeros(%x: tensor<5xf32>) -> tensor<5xf32> {
  %z = arith.constant dense<0.0> : tensor<5xf32>
  return %z : tensor<5xf32>
}"""
    module = ta.Module(text)
    assert module.check_equivalence("double", "zeros").verdict == "refuted"
    assert module.check_equivalence("double", "twice").verdict in ("proved", "tested")


@pytest.mark.parametrize("form", [mapped, generic])
@pytest.mark.parametrize("body, reads", [(ADD, True), (DROP, False)])
def test_over_ranks(form, body, reads):
    """The init is laid out otherwise, so that what is read of it is sent."""
    t = "tensor<8x4xi32>"
    text = (
        f'func.func @main(%x: {t} {{tensoraccess.distribution = "{{d0: x}}"}}, '
        f'%o: {t} {{tensoraccess.distribution = "{{d1: x}}"}}) -> {t} {{\n  %r = '
        + form(body).replace(T, t)
        + f"\n  return %r : {t}\n}}"
    )
    plan = ta.Module(text).plan_shards(grid="x=2", entry="main")
    x = np.arange(32, dtype=np.int32).reshape(8, 4)
    run = plan.run(x, 1000 * x)
    np.testing.assert_array_equal(run.results[0], 1001 * x if reads else x)
    assert (sum(run.bytes_sent) > 0) == reads
    assert sum(run.bytes_sent) == plan.bytes_sent
