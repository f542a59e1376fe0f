# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO's quantised types in both engines, against its specification's pseudocode
in numpy, bit for bit where no sums are reordered."""

import re

import numpy as np
import pytest

import tensoraccess as ta

NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


class Quantized:
    """A type, as text and as what it means."""

    def __init__(self, text):
        self.text = f"!quant.uniform<{text}>"
        storage, low, high, expressed, dim, parameters = re.fullmatch(
            r"(\w+)(?:<(-?\d+):(\d+)>)?:(\w+)(?::(\d+))?, (.*)", text
        ).groups()
        bits = int(re.sub(r"\D", "", storage))
        least = 0 if storage[0] == "u" else -(1 << (bits - 1))
        self.low = int(low) if low else least
        self.high = int(high) if high else least + (1 << bits) - 1
        self.storage = np.dtype(f"{'u' * (storage[0] == 'u')}int{max(bits, 8)}")
        self.expressed = NUMPY[expressed]
        self.dim = dim and int(dim)
        pairs = [p.strip() for p in parameters.strip("{}").split(",")]
        self.scales = np.array([p.split(":")[0] for p in pairs], float)
        self.points = np.array(
            [int(p.split(":")[1]) if ":" in p else 0 for p in pairs], np.int64
        )

    def tensor(self, *shape):
        return f"tensor<{''.join(f'{n}x' for n in shape)}{self.text}>"

    def spread(self, values, rank):
        if self.dim is None:
            return values[0]
        return values.reshape([-1 if i == self.dim else 1 for i in range(rank)])

    def dequantize(self, x):
        difference = x.astype(np.int64) - self.spread(self.points, x.ndim)
        scales = self.spread(self.scales.astype(self.expressed), x.ndim)
        return difference.astype(self.expressed) * scales

    def quantize(self, x):
        assert x.dtype == self.expressed
        scales = self.spread(self.scales.astype(self.expressed), x.ndim)
        points = self.spread(self.points, x.ndim).astype(self.expressed)
        with np.errstate(all="ignore"):
            moved = np.clip(
                x / scales + points, self.expressed(self.low), self.expressed(self.high)
            )
            # f32 has no largest integer of 32 bits, but the one above it.
            return np.minimum(np.rint(moved).astype(np.int64), self.high)

    def numbers(self, *shape, seed=1):
        rng = np.random.default_rng(seed)
        x = rng.integers(self.low, self.high, shape, endpoint=True)
        return x.astype(self.storage)


I8 = Quantized("i8:f32, 0.017:-5")
NARROW = Quantized("i8<-100:90>:f32, 0.3")
U8 = Quantized("u8:f32, 0.0039:128")
I16 = Quantized("i16:f64, 0.001:77")
I32 = Quantized("i32:f32, 0.000123")
HALF = Quantized("i8:f16, 0.05:3")
AXIS = Quantized("i8:f32:0, {0.1:-30, 0.5:20, 0.02}")


def run(text, *arrays, entry="main"):
    """The result of each engine, which must be one."""
    module = ta.Module(text)
    interpreted = module.interpret(entry)(*arrays)
    np.testing.assert_array_equal(module.compile(entry)(*arrays), interpreted)
    return interpreted


def function(body, arguments, result):
    names = ", ".join(f"%{n}: {t}" for n, t in arguments.items())
    return f"func.func @main({names}) -> {result} {{\n{body}\n}}"


def op(name, arguments, result, attributes=""):
    operands = ", ".join(f"%{n}" for n in arguments)
    types = ", ".join(arguments.values())
    return function(
        f'%r = "stablehlo.{name}"({operands}) {{{attributes}}} : ({types}) -> {result}\n'
        f"return %r : {result}",
        arguments,
        result,
    )


def agree(got, want):
    np.testing.assert_array_equal(got.astype(np.int64), want)


@pytest.mark.parametrize("of", [I8, NARROW, U8, I16, I32, HALF], ids=lambda t: t.text)
def test_to_and_from_numbers(of):
    x = of.numbers(200)
    kind = {np.float16: "f16", np.float32: "f32", np.float64: "f64"}[of.expressed]
    floats = f"tensor<200x{kind}>"
    got = run(op("uniform_dequantize", {"x": of.tensor(200)}, floats), x)
    np.testing.assert_array_equal(got, of.dequantize(x))
    rng = np.random.default_rng(3)
    y = (rng.standard_normal(200) * 3).astype(of.expressed)
    y[:4] = [0, -0.0, np.inf, -np.inf]
    agree(run(op("uniform_quantize", {"x": floats}, of.tensor(200)), y), of.quantize(y))


def test_ties_and_the_other_type():
    of = Quantized("i8:f32, 1.0")
    y = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 127.5, -128.5], np.float32)
    got = run(op("uniform_quantize", {"x": "tensor<8xf32>"}, of.tensor(8)), y)
    np.testing.assert_array_equal(got, [0, 2, 2, 0, -2, 126, 127, -128])
    # From one to another: the specification's example.
    a = Quantized("i8:f32:0, {0.1:-30,0.5:-20}")
    b = Quantized("i8:f32:0, {0.1:-20,0.2:-30}")
    x = np.array([10, 10], np.int8)
    got = run(op("uniform_quantize", {"x": a.tensor(2)}, b.tensor(2)), x)
    np.testing.assert_array_equal(got, [20, 45])


def test_below_a_byte():
    of = Quantized("i4:f32, 0.25:-2")
    x = of.numbers(32)
    text = op("add", {"x": of.tensor(32), "y": of.tensor(32)}, of.tensor(32))
    module = ta.Module(text)
    want = of.quantize(of.dequantize(x) + of.dequantize(x[::-1]))
    import ml_dtypes

    args = [x.astype(ml_dtypes.int4), x[::-1].astype(ml_dtypes.int4)]
    for program in (module.interpret(), module.compile()):
        got = program(*args)
        assert got.dtype == ml_dtypes.int4
        agree(got, want)


BINARY = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply,
    "divide": np.divide, "maximum": np.maximum, "minimum": np.minimum,
}  # fmt: skip
UNARY = {
    "abs": np.abs, "negate": np.negative, "ceil": np.ceil, "floor": np.floor,
    "sign": np.sign, "sqrt": np.sqrt, "round_nearest_even": np.rint,
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_all_pairs(name):
    every = np.arange(-128, 128)
    x, y = np.meshgrid(every, every)
    x, y = x.astype(np.int8), (y + 128).astype(np.uint8)
    text = op(name, {"x": I8.tensor(256, 256), "y": U8.tensor(256, 256)},
              NARROW.tensor(256, 256))  # fmt: skip
    with np.errstate(all="ignore"):
        want = BINARY[name](I8.dequantize(x), U8.dequantize(y))
    is_number = ~np.isnan(want)
    agree(run(text, x, y)[is_number], NARROW.quantize(want)[is_number])


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    x = np.arange(-128, 128).astype(np.int8)
    with np.errstate(all="ignore"):
        want = UNARY[name](I8.dequantize(x))
    is_number = ~np.isnan(want)
    got = run(op(name, {"x": I8.tensor(256)}, U8.tensor(256)), x)
    agree(got[is_number], U8.quantize(want)[is_number])


def test_choices():
    x, y = I8.numbers(3, 50), U8.numbers(3, 50, seed=2)
    dx, dy = I8.dequantize(x), U8.dequantize(y)
    arguments = {"x": I8.tensor(3, 50), "y": U8.tensor(3, 50)}
    for direction, compare in {"LT": np.less, "EQ": np.equal}.items():
        # What it says of the operands' type is of integers.
        text = op("compare", arguments, "tensor<3x50xi1>",
                  f"comparison_direction = #stablehlo<comparison_direction {direction}>,"
                  " compare_type = #stablehlo<comparison_type SIGNED>")  # fmt: skip
        np.testing.assert_array_equal(run(text, x, y), compare(dx, dy))
    p = np.random.default_rng(0).random((3, 50)) < 0.5
    text = op("select", {"p": "tensor<3x50xi1>", **arguments}, NARROW.tensor(3, 50))
    agree(run(text, p, x, y), NARROW.quantize(np.where(p, dx, dy)))
    text = op("clamp", {"l": U8.tensor(), "x": I8.tensor(3, 50), "h": U8.tensor()},
              I8.tensor(3, 50))  # fmt: skip
    low, high = np.array(100, np.uint8), np.array(200, np.uint8)
    want = np.clip(dx, U8.dequantize(low), U8.dequantize(high))
    agree(run(text, low, x, high), I8.quantize(want))
    text = op("is_finite", {"x": I8.tensor(3, 50)}, "tensor<3x50xi1>")
    assert run(text, x).all()


def test_moves_keep_integers():
    x, two = I8.numbers(2, 3, 4), I8.numbers(2, 3, 4, seed=2)
    dims = "permutation = array<i64: 2, 0, 1>"
    got = run(op("transpose", {"x": I8.tensor(2, 3, 4)}, I8.tensor(4, 2, 3), dims), x)
    np.testing.assert_array_equal(got, x.transpose(2, 0, 1))
    got = run(op("concatenate", {"x": I8.tensor(2, 3, 4), "y": I8.tensor(2, 3, 4)},
                 I8.tensor(2, 6, 4), "dimension = 1 : i64"), x, two)  # fmt: skip
    np.testing.assert_array_equal(got, np.concatenate([x, two], 1))
    attributes = ("edge_padding_low = array<i64: 1, 0, 2>, edge_padding_high = "
                  "array<i64: 0, 0, 1>, interior_padding = array<i64: 0, 0, 0>")  # fmt: skip
    got = run(op("pad", {"x": I8.tensor(2, 3, 4), "v": I8.tensor()},
                 I8.tensor(3, 3, 7), attributes), x, np.int8(-77))  # fmt: skip
    want = np.pad(x, [(1, 0), (0, 0), (2, 1)], constant_values=-77)
    np.testing.assert_array_equal(got, want)
    # Scales of a dimension move with it.
    x = AXIS.numbers(3, 4)
    to = Quantized("i8:f32:1, {0.1:-30, 0.5:20, 0.02}")
    body = f"""
      %t = "stablehlo.transpose"(%x) {{permutation = array<i64: 1, 0>}}
        : ({AXIS.tensor(3, 4)}) -> {to.tensor(4, 3)}
      %r = "stablehlo.reshape"(%t) : ({to.tensor(4, 3)}) -> {to.tensor(4, 3, 1)}
      %b = "stablehlo.broadcast_in_dim"(%r) {{broadcast_dimensions = array<i64: 0, 1, 2>}}
        : ({to.tensor(4, 3, 1)}) -> {to.tensor(4, 3, 2)}
      %y = "stablehlo.uniform_dequantize"(%b) : ({to.tensor(4, 3, 2)}) -> tensor<4x3x2xf32>
      return %y : tensor<4x3x2xf32>"""
    got = run(function(body, {"x": AXIS.tensor(3, 4)}, "tensor<4x3x2xf32>"), x)
    want = np.broadcast_to(AXIS.dequantize(x).T[..., None], (4, 3, 2))
    np.testing.assert_array_equal(got, want)


def test_constants_and_iota():
    body = f"""
      %c = "stablehlo.constant"() {{value = dense<[1, -2, 127]> : tensor<3xi8>}}
        : () -> {I8.tensor(3)}
      %i = "stablehlo.iota"() {{iota_dimension = 0 : i64}} : () -> {U8.tensor(3)}
      %u = "stablehlo.constant"() {{value = dense<200> : tensor<3xui8>}}
        : () -> {U8.tensor(3)}
      %s = "stablehlo.add"(%c, %i) : ({I8.tensor(3)}, {U8.tensor(3)}) -> {I8.tensor(3)}
      %r = "stablehlo.add"(%s, %u) : ({I8.tensor(3)}, {U8.tensor(3)}) -> {I8.tensor(3)}
      return %r : {I8.tensor(3)}"""
    c, u = np.array([1, -2, 127], np.int8), np.full(3, 200, np.uint8)
    i = U8.quantize(np.arange(3, dtype=np.float32))
    s = I8.quantize(I8.dequantize(c) + U8.dequantize(i))
    want = I8.quantize(I8.dequantize(s) + U8.dequantize(u))
    agree(run(function(body, {}, I8.tensor(3))), want)


def exactly(product, of):
    """The nearest integer of exact sums, and whether f32 may round to another."""
    scaled = product / of.scales.astype(np.float32)[0].astype(float) + of.points[0]
    near = np.abs(scaled - np.floor(scaled) - 0.5) < 1e-3
    return np.rint(np.clip(scaled, of.low, of.high)), near


def agree_but_near_ties(got, product, of):
    want, near = exactly(product, of)
    assert near.mean() < 0.05
    np.testing.assert_array_equal(got[~near], want[~near])
    assert (np.abs(got.astype(int) - want) <= 1).all()


def wide(of, x):
    return of.dequantize(x).astype(float)


def test_dot_general():
    out = Quantized("i8:f32, 0.21:9")
    x, y = I8.numbers(2, 5, 30), U8.numbers(2, 30, 7, seed=2)
    attributes = ("dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0],"
                  " rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], "
                  "rhs_contracting_dimensions = [1]>")  # fmt: skip
    text = op("dot_general", {"x": I8.tensor(2, 5, 30), "y": U8.tensor(2, 30, 7)},
              out.tensor(2, 5, 7), attributes)  # fmt: skip
    got = ta.Module(text).interpret()(x, y)
    agree_but_near_ties(got, wide(I8, x) @ wide(U8, y), out)
    agree_but_near_ties(ta.Module(text).compile()(x, y), wide(I8, x) @ wide(U8, y), out)
    # Weights alone are quantised, with a scale for each of them.
    weights = Quantized("i8:f32:1, {0.1, 0.5, 0.02}")
    y, x = weights.numbers(8, 3), np.random.default_rng(0).standard_normal((4, 8))
    x = x.astype(np.float32)
    attributes = ("dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
                  "[1], rhs_contracting_dimensions = [0]>")  # fmt: skip
    text = op("dot_general", {"x": "tensor<4x8xf32>", "y": weights.tensor(8, 3)},
              "tensor<4x3xf32>", attributes)  # fmt: skip
    for program in (ta.Module(text).interpret(), ta.Module(text).compile()):
        np.testing.assert_allclose(
            program(x, y), x.astype(float) @ wide(weights, y), rtol=1e-5, atol=1e-4
        )


def test_convolution():
    # What is padded is the number zero, not the integer.
    out = Quantized("u8:f32, 0.4:100")
    x, w = U8.numbers(1, 6, 7, 2), AXIS.numbers(3, 3, 2, 3)
    w_type = Quantized("i8:f32:3, {0.1:-30, 0.5:20, 0.02}")
    attributes = (
        "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,"
        "padding = dense<1> : tensor<2x2xi64>, window_strides = array<i64: 2, 1>,"
        "batch_group_count = 1 : i64, feature_group_count = 1 : i64"
    )
    text = op("convolution", {"x": U8.tensor(1, 6, 7, 2), "w": w_type.tensor(3, 3, 2, 3)},
              out.tensor(1, 3, 7, 3), attributes)  # fmt: skip
    padded = np.pad(wide(U8, x), [(0, 0), (1, 1), (1, 1), (0, 0)])
    view = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))[:, ::2]
    product = np.einsum("byxcij,ijco->byxo", view, wide(w_type, w))
    for program in (ta.Module(text).interpret(), ta.Module(text).compile()):
        agree_but_near_ties(program(x, w), product, out)


def region(name, of):
    return f"""({{
      ^bb0(%a: {of.tensor()}, %b: {of.tensor()}):
        %s = "stablehlo.{name}"(%a, %b) : ({of.tensor()}, {of.tensor()}) -> {of.tensor()}
        "stablehlo.return"(%s) : ({of.tensor()}) -> ()
    }})"""


def test_regions():
    x = I8.numbers(4, 9)
    x[0] = [1, -3, 2, 7, -5, 0, -2, 4, 3]  # Sums that stay inside.
    for name, step in (("add", np.add), ("maximum", np.maximum)):
        body = f"""
          %r = "stablehlo.reduce"(%x, %v) {region(name, I8)} {{dimensions = array<i64: 1>}}
            : ({I8.tensor(4, 9)}, {I8.tensor()}) -> {I8.tensor(4)}
          return %r : {I8.tensor(4)}"""
        text = function(body, {"x": I8.tensor(4, 9), "v": I8.tensor()}, I8.tensor(4))
        start = np.int8(-5 if name == "add" else -128)
        total = np.full(4, start, np.int64)
        for column in x.T:
            total = I8.quantize(step(I8.dequantize(total), I8.dequantize(column)))
        agree(run(text, x, start), total)
    body = f"""
      %r = "stablehlo.sort"(%x) ({{
        ^bb0(%a: {I8.tensor()}, %b: {I8.tensor()}):
          %p = "stablehlo.compare"(%a, %b) {{comparison_direction =
            #stablehlo<comparison_direction GT>}} : ({I8.tensor()}, {I8.tensor()})
            -> tensor<i1>
          "stablehlo.return"(%p) : (tensor<i1>) -> ()
      }}) {{dimension = 1 : i64, is_stable = true}} : ({I8.tensor(4, 9)}) -> {I8.tensor(4, 9)}
      return %r : {I8.tensor(4, 9)}"""
    text = function(body, {"x": I8.tensor(4, 9)}, I8.tensor(4, 9))
    np.testing.assert_array_equal(run(text, x), -np.sort(-x.astype(int), 1))


def test_loops_and_calls():
    text = f"""
    func.func private @double(%x: {I8.tensor(5)}) -> {I8.tensor(5)} {{
      %r = "stablehlo.add"(%x, %x) : ({I8.tensor(5)}, {I8.tensor(5)}) -> {I8.tensor(5)}
      return %r : {I8.tensor(5)}
    }}
    func.func @main(%x: {I8.tensor(5)}, %n: tensor<i32>) -> {I8.tensor(5)} {{
      %zero = "stablehlo.constant"() {{value = dense<0> : tensor<i32>}} : () -> tensor<i32>
      %one = "stablehlo.constant"() {{value = dense<1> : tensor<i32>}} : () -> tensor<i32>
      %r:2 = "stablehlo.while"(%zero, %x) ({{
        ^bb0(%i: tensor<i32>, %s: {I8.tensor(5)}):
          %p = "stablehlo.compare"(%i, %n) {{comparison_direction =
            #stablehlo<comparison_direction LT>}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
          "stablehlo.return"(%p) : (tensor<i1>) -> ()
      }}, {{
        ^bb0(%i: tensor<i32>, %s: {I8.tensor(5)}):
          %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          %t = func.call @double(%s) : ({I8.tensor(5)}) -> {I8.tensor(5)}
          "stablehlo.return"(%j, %t) : (tensor<i32>, {I8.tensor(5)}) -> ()
      }}) : (tensor<i32>, {I8.tensor(5)}) -> (tensor<i32>, {I8.tensor(5)})
      return %r#1 : {I8.tensor(5)}
    }}"""
    x = np.array([-6, -5, -4, 0, 30], np.int8)
    want = x
    for _ in range(3):
        want = I8.quantize(I8.dequantize(want) + I8.dequantize(want))
    agree(run(text, x, np.int32(3)), want)


@pytest.mark.parametrize(
    "text, message",
    [
        (op("convert", {"x": I8.tensor(4)}, "tensor<4xf32>"),
         "'stablehlo.convert' are not taken apart: numbers are quantised by "
         "'stablehlo.uniform_quantize'"),
        (op("fft", {"x": I8.tensor(4)}, I8.tensor(4)), "it is not supported on quantised types"),
        (op("reverse", {"x": AXIS.tensor(3)}, AXIS.tensor(3), "dimensions = array<i64>"),
         "its quantised types must be one, per tensor"),
        (op("concatenate", {"x": I8.tensor(4), "y": HALF.tensor(4)}, I8.tensor(8),
            "dimension = 0 : i64"), "its quantised types must be one, per tensor"),
        (op("reshape", {"x": AXIS.tensor(3, 2)}, AXIS.tensor(3, 1, 2)), None),
        (op("reshape", {"x": AXIS.tensor(3, 6)},
            Quantized("i8:f32:1, {0.1:-30, 0.5:20, 0.02}").tensor(6, 3)),
         "its quantised types must be one"),
        (op("abs", {"x": AXIS.tensor(2)}, AXIS.tensor(2)),
         "a scale for each index of the dimension"),
        (op("abs", {"x": "tensor<?x" + I8.text + ">"}, "tensor<?x" + I8.text + ">"),
         "its sizes must be known"),
        (op("uniform_quantize", {"x": "tensor<4xf64>"}, I8.tensor(4)),
         "its result must have its operand's numbers and shape"),
        (op("uniform_dequantize", {"x": I8.tensor(4)}, "tensor<5xf32>"),
         "its result must have its operand's numbers and shape"),
        (op("constant", {}, I8.tensor(2), "value = dense<1> : tensor<2xi16>"),
         "must be of the integers that it stores"),
    ],
)  # fmt: skip
def test_refused(text, message):
    module = ta.Module(text)
    if message is None:
        module.compile()
        return
    with pytest.raises(ta.Error, match=re.escape(message)):
        module.run("builtin.module(tensoraccess-expand-stablehlo)")
