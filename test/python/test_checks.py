# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the interpreter refuses, compiled code refuses: programs of each kind
on random sizes and indices, most of which do not fit, give the same results or
the same words."""

import random
import re

import pytest

np = pytest.importorskip("numpy")

import tensoraccess as ta

# By name: the function, and what each argument is: a shape of letters and
# numbers for a tensor, "index" for a number. Sizes of one letter agree in half
# of the runs.
PROGRAMS = {
    "matmul": (
        ["mk", "kn", "mn"],
        """(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>""",
    ),
    "half_static": (
        ["mk", "5n"],
        """(%a: tensor<?x?xf32>, %b: tensor<5x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<5x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<5x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>""",
    ),
    "conv": (
        ["1hwc", "33cf", "1pqf"],
        """(%a: tensor<1x?x?x?xf32>, %k: tensor<3x3x?x?xf32>, %o: tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%a, %k : tensor<1x?x?x?xf32>, tensor<3x3x?x?xf32>) outs(%o : tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32>
  return %0 : tensor<1x?x?x?xf32>""",
    ),
    "backwards": (
        ["n", "n"],
        """(%a: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (4 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>""",
    ),
    "elementwise": (
        ["mn", "mn", "mn"],
        """(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = arith.addf %a, %b : tensor<?x?xf32>
  %1 = arith.mulf %0, %b : tensor<?x?xf32>
  %2 = math.fma %0, %1, %c : tensor<?x?xf32>
  %3 = arith.subf %2, %a : tensor<?x?xf32>
  return %3 : tensor<?x?xf32>""",
    ),
    "stablehlo": (
        ["m4", "m4", "m4"],
        """(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %p = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xi1>
  %0 = "stablehlo.select"(%p, %b, %c) : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>""",
    ),
    "stablehlo_slice": (
        ["m4"],
        """(%a: tensor<?x4xf32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 4, 4>, strides = array<i64: 1, 2>}> : (tensor<?x4xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>""",
    ),
    "reduce": (
        ["mn", "m"],
        """(%a: tensor<?x?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<?x?xf32>) outs(%o : tensor<?xf32>) dimensions = [1]
  return %0 : tensor<?xf32>""",
    ),
    "transpose": (
        ["mn", "nm"],
        """(%a: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) permutation = [1, 0]
  return %0 : tensor<?x?xf32>""",
    ),
    "cast": (
        ["mn"],
        """(%a: tensor<?x?xf32>) -> tensor<3x4xf32> {
  %0 = tensor.cast %a : tensor<?x?xf32> to tensor<3x4xf32>
  return %0 : tensor<3x4xf32>""",
    ),
    "extract": (
        ["mn", "index", "index"],
        """(%a: tensor<?x?xf32>, %i: index, %j: index) -> f32 {
  %0 = tensor.extract %a[%i, %j] : tensor<?x?xf32>
  return %0 : f32""",
    ),
    "insert": (
        ["mn", "index", "index"],
        """(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<?x?xf32> {
  %x = arith.constant 7.0 : f32
  %0 = tensor.insert %x into %a[%i, %j] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>""",
    ),
    "extract_slice": (
        ["mn", "index", "index", "index", "index"],
        """(%a: tensor<?x?xf32>, %i: index, %n: index, %s: index, %j: index) -> tensor<?x2xf32> {
  %0 = tensor.extract_slice %a[%i, %j] [%n, 2] [%s, 1] : tensor<?x?xf32> to tensor<?x2xf32>
  return %0 : tensor<?x2xf32>""",
    ),
    "extract_row": (
        ["mn", "index", "index"],
        """(%a: tensor<?x?xf32>, %i: index, %n: index) -> tensor<?xf32> {
  %0 = tensor.extract_slice %a[%i, 1] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>""",
    ),
    "insert_slice": (
        ["n4", "m4", "index", "index"],
        """(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %i: index, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %k = tensor.dim %a, %c0 : tensor<?x4xf32>
  %p = arith.cmpi slt, %n, %c0 : index
  %s = arith.select %p, %n, %k : index
  %0 = tensor.insert_slice %a into %b[%i, 0] [%s, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>""",
    ),
    "pad": (
        ["mn", "index", "index"],
        """(%a: tensor<?x?xf32>, %l: index, %h: index) -> tensor<?x6xf32> {
  %z = arith.constant 0.5 : f32
  %0 = tensor.pad %a low[%l, 1] high[%h, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x?xf32> to tensor<?x6xf32>
  return %0 : tensor<?x6xf32>""",
    ),
    "concat": (
        ["mn", "kn", "3n"],
        """(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(0) %a, %b, %c : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>""",
    ),
    "expand": (
        ["mn", "index", "index"],
        """(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<?x2x?xf32> {
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [%i, 2, %j] : tensor<?x?xf32> into tensor<?x2x?xf32>
  return %0 : tensor<?x2x?xf32>""",
    ),
    "reshape": (
        ["mn", "index", "index"],
        """(%a: tensor<?x?xf32>, %i: index, %j: index) -> tensor<?x?x2xf32> {
  %c2 = arith.constant 2 : index
  %s = tensor.from_elements %i, %j, %c2 : tensor<3xindex>
  %0 = tensor.reshape %a(%s) : (tensor<?x?xf32>, tensor<3xindex>) -> tensor<?x?x2xf32>
  return %0 : tensor<?x?x2xf32>""",
    ),
    "splat": (
        ["index", "index"],
        """(%i: index, %j: index) -> tensor<?x?xf32> {
  %x = arith.constant 7.0 : f32
  %0 = tensor.splat %x[%i, %j] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>""",
    ),
    "generate": (
        ["mn", "index", "index"],
        """(%a: tensor<?x?xf32>, %n: index, %k: index) -> tensor<?x2xf32> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %p = arith.addi %i, %k : index
    %x = tensor.extract %a[%p, %j] : tensor<?x?xf32>
    tensor.yield %x : f32
  } : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>""",
    ),
    "gather": (
        ["n", "index", "m"],
        """(%a: tensor<?xf32>, %k: index, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%o : tensor<?xf32>) {
  ^bb0(%y: f32):
    %i = linalg.index 0 : index
    %p = arith.addi %i, %k : index
    %x = tensor.extract %a[%p] : tensor<?xf32>
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>""",
    ),
    "pack": (
        ["mn", "pq24"],
        """(%a: tensor<?x?xf32>, %o: tensor<?x?x2x4xf32>) -> tensor<?x?x2x4xf32> {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %o : tensor<?x?xf32> -> tensor<?x?x2x4xf32>
  return %0 : tensor<?x?x2x4xf32>""",
    ),
    "pack_padded": (
        ["mn", "qp24"],
        """(%a: tensor<?x?xf32>, %o: tensor<?x?x2x4xf32>) -> tensor<?x?x2x4xf32> {
  %z = arith.constant 0.25 : f32
  %0 = linalg.pack %a padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %o : tensor<?x?xf32> -> tensor<?x?x2x4xf32>
  return %0 : tensor<?x?x2x4xf32>""",
    ),
    "unpack": (
        ["pq24", "mn"],
        """(%a: tensor<?x?x2x4xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %o : tensor<?x?x2x4xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>""",
    ),
    "softmax": (
        ["mn", "mn"],
        """(%a: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>""",
    ),
    "divide": (
        ["index", "index"],
        """(%i: index, %j: index) -> (index, index) {
  %0 = arith.divsi %i, %j : index
  %1 = arith.remui %i, %0 : index
  return %0, %1 : index, index""",
    ),
    "divide_tensors": (
        ["m", "m"],
        """(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xi32> {
  %0 = arith.fptosi %a : tensor<?xf32> to tensor<?xi32>
  %1 = arith.fptosi %b : tensor<?xf32> to tensor<?xi32>
  %2 = arith.divsi %0, %1 : tensor<?xi32>
  return %2 : tensor<?xi32>""",
    ),
    "loop": (
        ["mn", "index", "index", "index"],
        """(%a: tensor<?x?xf32>, %n: index, %k: index, %s: index) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %n step %s iter_args(%acc = %z) -> f32 {
    %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  }
  return %0 : f32""",
    ),
    "hoisted": (
        ["mn", "index", "index", "index"],
        """(%a: tensor<?x?xf32>, %n: index, %k: index, %l: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty(%l) : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %f) -> tensor<?xf32> {
    %r = tensor.extract_slice %a[%k, 0] [1, %l] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    %s = arith.addf %acc, %r : tensor<?xf32>
    %t = tensor.extract_slice %a[%i, 0] [1, %l] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
    %u = arith.addf %s, %t : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  return %0 : tensor<?xf32>""",
    ),
    "branch": (
        ["mn", "kn", "index", "index"],
        """(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %i: index, %j: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c = arith.cmpi slt, %i, %j : index
  %0 = scf.if %c -> f32 {
    %s = arith.addf %a, %b : tensor<?x?xf32>
    %x = tensor.extract %s[%i, %c0] : tensor<?x?xf32>
    scf.yield %x : f32
  } else {
    %x = tensor.extract %b[%j, %c0] : tensor<?x?xf32>
    scf.yield %x : f32
  }
  return %0 : f32""",
    ),
    "assertions": (
        ["mn", "mn", "index"],
        """(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %i: index) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %c = arith.cmpi slt, %i, %c2 : index
  cf.assert %c, "two or more"
  %0 = arith.addf %a, %b : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>""",
    ),
    "recursion": (
        ["index", "index", "index"],
        """(%n: index, %k: index, %m: index) -> index {
  %c7 = arith.constant 70 : index
  %x = arith.muli %n, %c7 : index
  %0 = func.call @recursive(%x) : (index) -> index
  return %0 : index
}
func.func private @recursive(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.cmpi sle, %n, %c0 : index
  %0 = scf.if %c -> index {
    scf.yield %c0 : index
  } else {
    %m = arith.subi %n, %c1 : index
    %r = func.call @recursive(%m) : (index) -> index
    %s = arith.addi %r, %n : index
    scf.yield %s : index
  }
  return %0 : index""",
    ),
}
RUNS = 400


def words(error):
    """The message alone: the engines frame it in two ways."""
    text = str(error).split("\n")[0]
    text = re.sub(r"^.*?:\d+:\d+: (error: )?", "", text)
    text = re.sub(r"^the interpreter cannot run '([\w.]+)': ", r"\1: ", text)
    text = re.sub(r"^'([\w.]+)' op ", r"\1: ", text)
    return text.removeprefix("cf.assert: failed: ")


def run(function, arguments):
    try:
        return None, function(*arguments)
    except ta.Error as error:
        return words(error), None


def arguments_for(kinds, rng):
    """Sizes of 0 to 6; each place of a letter has its own size in half of the
    runs."""
    sizes, given = {}, []
    agree = rng.random() < 0.5
    for kind in kinds:
        if kind == "index":
            given.append(rng.choice([-2, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5]))
            continue
        shape = []
        for letter in kind:
            if letter.isdigit():
                shape.append(int(letter))
                continue
            size = rng.choice([0, 1, 2, 3, 4, 4, 5, 6])
            if agree or rng.random() < 0.7:
                size = sizes.setdefault(letter, size)
            shape.append(size)
        values = np.random.default_rng(rng.randrange(1 << 30))
        given.append(values.uniform(-3, 3, shape).astype(np.float32))
    return given


@pytest.mark.parametrize("name", PROGRAMS)
def test_engines_refuse_the_same(name):
    kinds, text = PROGRAMS[name]
    module = ta.Module(f"func.func @main{text}\n}}\n")
    interpreted, compiled = module.interpret(), module.compile()
    rng = random.Random(name)
    outcomes = {True: 0, False: 0}
    for _ in range(RUNS):
        arguments = arguments_for(kinds, rng)
        shapes = [getattr(a, "shape", a) for a in arguments]
        refused, expected = run(interpreted, arguments)
        refused_too, got = run(compiled, arguments)
        assert refused_too == refused, shapes
        if refused is None:
            for a, b in zip(np.atleast_1d(expected), np.atleast_1d(got)):
                np.testing.assert_allclose(a, b, rtol=1e-6, err_msg=str(shapes))
        outcomes[refused is None] += 1
    # The table must have both.
    assert min(outcomes.values()) > 0, outcomes


def test_no_checks():
    """Without checks, what fits gives the same."""
    kinds, text = PROGRAMS["conv"]
    module = ta.Module(f"func.func @main{text}\n}}\n")
    arguments = [np.ones(s, np.float32) for s in ((1, 7, 9, 2), (3, 3, 2, 4), (1, 3, 4, 4))]
    np.testing.assert_array_equal(
        module.compile(checks=False)(*arguments), module.compile()(*arguments)
    )


def test_memory():
    """A buffer that is too large is an error, not the end of the process."""
    module = ta.Module(
        """func.func @main(%n: index) -> tensor<?xf32> {
  %x = arith.constant 7.0 : f32
  %0 = tensor.splat %x[%n] : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    )
    with pytest.raises(ta.Error, match="no memory for a buffer of"):
        module.compile()(1 << 58)
