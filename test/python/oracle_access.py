# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on access patterns and indices, and StableHLO's functions that no program
of JAX's has, with what NumPy, Python's math and mpmath compute, for
test_oracle.py."""

import math

import mpmath
import numpy as np
import tensoraccess as ta

#: By op: its text, inputs and results.
CASES = {}

X = np.arange(15, dtype=np.int32).reshape(3, 5) * 7 - 40
Y = np.arange(20, dtype=np.int32).reshape(4, 5) - 9


def pattern(op, value, inputs, result):
    CASES[f"tensoraccess.{op}"] = (str(value.module()), inputs, [np.asarray(result)])


def text(op, program, inputs, *results):
    CASES[op] = (program, inputs, [np.asarray(x) for x in results])


x, y = ta.input((3, 5), "i32"), ta.input((4, 5), "i32")
p, q = x.access(1), y.access(1)
both = np.stack([np.broadcast_to(X[:, None], (3, 4, 5)), np.broadcast_to(Y[None], (3, 4, 5))], 2)
pattern("access", p, [X], X)
pattern("to_tensor", p.to_tensor().access(2), [X], X)
pattern("transpose", p.transpose([1, 0]), [X], X.T)
pattern("cart_prod", p.cart_prod(q), [X, Y], both)
pattern("pair", p.pair(p), [X], np.stack([X, X], 1))
pattern("windows", x.access(0).windows([2, 3], [1, 2]), [X],
        np.lib.stride_tricks.sliding_window_view(X, (2, 3))[:, ::2])
pattern("slice", p.slice([2, 1], [3, 2], [-1, 2]), [X], X[::-1, 1:5:2])
pattern("project", x.access(0).project(ta.Projection([[1], [0]], [0, 1], shape=[2, 3]), [2]), [X],
        np.stack([X[0:2, 1:4], X[1:3, 1:4]]))
pattern("concat", p.concat(q, axis=0), [X, Y], np.concatenate([X, Y]))
pattern("squeeze", p.insert_axis(1).squeeze(1), [X], X)
pattern("insert_axis", p.insert_axis(0), [X], X[None])
pattern("broadcast", p.insert_axis(1).broadcast([3, 4], [5]), [X], np.broadcast_to(X[:, None], (3, 4, 5)))
pattern("flatten", ta.input((2, 3, 5), "i32").access(2).flatten(), [np.stack([X, -X])], np.stack([X, -X]).reshape(6, 5))
pattern("reshape", x.access(2).reshape([5, 3], []), [X], X.reshape(5, 3))
padded = np.full((7, 6), 4, np.int32)
padded[1:6:2, :5] = X
pattern("pad", p.pad([1, 0], [1, 1], 4, [1, 0]), [X], padded)
pattern("shift_right", p.shift_right(1), [X], X)
pattern("materialize", p.transpose([1, 0]).materialize(), [X], X.T)
pattern("compute", p.cart_prod(q).compute("dot_prod"), [X, Y], X @ Y.T)
pattern("systolic_array", p.systolic_array(ta.input((5, 4), "i32").access(0), 5, 4), [X, Y.reshape(5, 4)],
        X @ Y.reshape(5, 4))

I34 = "tensor<3x4xi32>"
text("tensoraccess.relayout", """func.func @main(%a: tensor<3x5xi32>) -> tensor<5x3xi8> {
  %r = tensoraccess.relayout %a permutation = [1, 0] : tensor<3x5xi32> to tensor<5x3xi8>
  return %r : tensor<5x3xi8>
}
""", [X], X.T.astype(np.int8))
text("tensoraccess.bitcast", """func.func @main(%a: tensor<3x5xi32>) -> tensor<5x3xi32> {
  %r = tensoraccess.bitcast %a : tensor<3x5xi32> to tensor<5x3xi32>
  return %r : tensor<5x3xi32>
}
""", [X], X.reshape(5, 3))
TILED = "#tensoraccess.layout<{1,0:T(2,2)}>"
tiles = [[((i // 2) * 3 + j // 2) * 4 + i % 2 * 2 + j % 2 for j in range(5)] for i in range(3)]
text("tensoraccess.linearize", f"""func.func @main() -> tensor<3x5xi64> {{
  %r = tensor.generate {{
  ^bb0(%i: index, %j: index):
    %n = tensoraccess.linearize %i, %j in {TILED} of [3, 5]
    %v = arith.index_cast %n : index to i64
    tensor.yield %v : i64
  }} : tensor<3x5xi64>
  return %r : tensor<3x5xi64>
}}
""", [], np.array(tiles, np.int64))
places = np.full(24, -1, np.int64)
places[np.array(tiles).reshape(-1)] = np.arange(15)
text("tensoraccess.delinearize", f"""func.func @main() -> tensor<24xi64> {{
  %none = arith.constant -1 : index
  %c5 = arith.constant 5 : index
  %r = tensor.generate {{
  ^bb0(%n: index):
    %i, %j, %inside = tensoraccess.delinearize %n in {TILED} of [3, 5]
    %row = arith.muli %i, %c5 : index
    %sum = arith.addi %row, %j : index
    %w = arith.select %inside, %sum, %none : index
    %v = arith.index_cast %w : index to i64
    tensor.yield %v : i64
  }} : tensor<24xi64>
  return %r : tensor<24xi64>
}}
""", [], places)
text("tensoraccess.apply_indexing", """func.func @main() -> tensor<10xi64> {
  %r = tensor.generate {
  ^bb0(%i: index):
    %m = tensoraccess.apply_indexing
      #tensoraccess.indexing_map<(d0) -> (d0 floordiv 3 * 100 + d0 mod 4), domain: d0 in [0, 9]>(%i)
    %v = arith.index_cast %m : index to i64
    tensor.yield %v : i64
  } : tensor<10xi64>
  return %r : tensor<10xi64>
}
""", [], np.arange(10) // 3 * 100 + np.arange(10) % 4)
text("tensoraccess.assert", """func.func @main(%a: tensor<3x5xi32>, %c: i1) -> tensor<3x5xi32> {
  tensoraccess.assert %c, "stops"
  return %a : tensor<3x5xi32>
}
""", [X, np.True_], X)


@ta.accelerator("oracle_twice")
def oracle_twice(a):
    return 2 * a


text("tensoraccess.accelerator_call", """func.func @main(%a: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %p = tensoraccess.access %a at 1 : tensor<3x5xi32> -> !tensoraccess.access<3 | 5xi32>
  %0 = tensoraccess.accelerator_call "oracle_twice"(%p)
    : (!tensoraccess.access<3 | 5xi32>) -> !tensoraccess.access<3 | 5xi32>
  %r = tensoraccess.to_tensor %0 : !tensoraccess.access<3 | 5xi32> -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}
""", [X], 2 * X)

text("tensoraccess.exchange", """func.func @main(%a: tensor<3x5xi32>, %b: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %r = tensoraccess.exchange %a into %b tag 0 send [] receive [] : tensor<3x5xi32>, tensor<3x5xi32> -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}
""", [X, -X], -X)

# StableHLO and CHLO.

F = np.array([0.3, -0.7, 0.9, -0.05, 0.5], np.float32)
P = np.array([0.3, 1.7, 2.5, 6.0, 11.25], np.float32)


def function(name, inputs, results, attributes="", dialect="chlo"):
    inputs, results = [np.asarray(a) for a in inputs], np.asarray(results)

    def kind(a):
        return f"tensor<{''.join(f'{n}x' for n in a.shape)}{'i1' if a.dtype == bool else a.dtype.kind + str(8 * a.itemsize)}>"

    head = ", ".join(f"%a{i}: {kind(a)}" for i, a in enumerate(inputs))
    names, types = (", ".join(z) for z in zip(*[(f"%a{i}", kind(a)) for i, a in enumerate(inputs)]))
    text(f"{dialect}.{name}", f"""func.func @main({head}) -> {kind(results)} {{
  %r = "{dialect}.{name}"({names}) {attributes} : ({types}) -> {kind(results)}
  return %r : {kind(results)}
}}
""", inputs, results)


def by(f, *arrays):
    return np.array([float(f(*map(float, row))) for row in zip(*arrays)]).astype(np.float32)


for name, f, values in [
    ("acos", math.acos, F), ("acosh", math.acosh, 1 + P), ("asin", math.asin, F), ("atanh", math.atanh, F),
    ("erfc", math.erfc, F), ("erf_inv", mpmath.erfinv, F), ("lgamma", mpmath.loggamma, P), ("digamma", mpmath.digamma, P),
    ("bessel_i1e", lambda v: mpmath.besseli(1, v) * mpmath.exp(-abs(v)), P),
]:  # fmt: skip
    function(name, [values], by(f, values))
N = np.array([1, 2, 3, 0, 4], np.float32)
function("polygamma", [N, P], by(lambda n, v: mpmath.polygamma(int(n), v), N, P))
function("zeta", [N + 2, P], by(lambda s, a: mpmath.zeta(s, a), N + 2, P))
function("next_after", [F, F[::-1].copy()], np.nextafter(F, F[::-1]))
EDGES = np.array([np.inf, -np.inf, np.nan, 0.0, -1.0], np.float32)
function("is_inf", [EDGES], np.isinf(EDGES))
function("is_pos_inf", [EDGES], np.isposinf(EDGES))
function("is_neg_inf", [EDGES], np.isneginf(EDGES))
J = np.array([2**30, -(2**31), 77777, -3, 2**31 - 1], np.int32)
function("mulhi", [J, J[::-1].copy()], (J.astype(np.int64) * J[::-1] >> 32).astype(np.int32))
function("logistic", [F], (1 / (1 + np.exp(-F.astype(np.float64)))).astype(np.float32), dialect="stablehlo")
function("reduce_precision", [P], (np.round(P.astype(np.float64) * 4 / 2.0 ** np.floor(np.log2(P)))
                                   / 4 * 2.0 ** np.floor(np.log2(P))).astype(np.float32),
         "<{exponent_bits = 8 : i32, mantissa_bits = 2 : i32}>", dialect="stablehlo")
function("optimization_barrier", [X], X, dialect="stablehlo")
function("copy", [X], X, dialect="mhlo")
function("get_dimension_size", [X], np.int32(5), "<{dimension = 1 : i64}>", dialect="stablehlo")
text("stablehlo.set_dimension_size", """func.func @main(%a: tensor<3x5xi32>, %n: tensor<i32>) -> tensor<3x?xi32> {
  %r = "stablehlo.set_dimension_size"(%a, %n) <{dimension = 1 : i64}> : (tensor<3x5xi32>, tensor<i32>) -> tensor<3x?xi32>
  return %r : tensor<3x?xi32>
}
""", [X, np.int32(2)], X[:, :2])
# The factor of a matrix is in its lower triangle in Fortran's order, the upper one
# here; the other one is as it was.
LOWER = np.array([[2, 0, 0], [1, 3, 0], [2, -1, 1]], np.float32)
MATRIX = LOWER @ LOWER.T
text("stablehlo.custom_call", """func.func @main(%a: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>) {
  %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "tensoraccess.lapack"}> {routine = "spotrf", options = "L"}
    : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  return %0#0, %0#1 : tensor<3x3xf32>, tensor<i32>
}
""", [MATRIX], np.where(LOWER.T != 0, LOWER.T, MATRIX), np.int32(0))
text("stablehlo.map", """func.func @main(%a: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %r = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = "stablehlo.multiply"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%z) : (tensor<i32>) -> ()
  }) : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}
""", [X], X * X)
text("stablehlo.if", """func.func @main(%c: tensor<i1>, %a: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %r = "stablehlo.if"(%c) ({
    "stablehlo.return"(%a) : (tensor<3x5xi32>) -> ()
  }, {
    %z = "stablehlo.negate"(%a) : (tensor<3x5xi32>) -> tensor<3x5xi32>
    "stablehlo.return"(%z) : (tensor<3x5xi32>) -> ()
  }) : (tensor<i1>) -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}
""", [np.asarray(False), X], -X)
