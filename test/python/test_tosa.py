# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of TOSA against numpy: compiled, compiled plainly, and interpreted."""

import math
from fractions import Fraction

import numpy as np
import pytest

import tensoraccess as ta

RNG = np.random.default_rng(0)


def runs(text):
    module = ta.Module(text)
    return module.compile(), module.compile(plain=True), module.interpret()


def check(text, arrays, want, rtol=0.0, atol=0.0):
    for run in runs(text):
        got = run(*arrays)
        got = got if isinstance(got, tuple) else (got,)
        for g, w in zip(got, want if isinstance(want, tuple) else (want,), strict=True):
            assert g.dtype == w.dtype and g.shape == w.shape
            np.testing.assert_allclose(g, w, rtol=rtol, atol=atol)


def floats(*shape, low=-3.0, high=3.0):
    return RNG.uniform(low, high, shape).astype(np.float32)


UNARY = {
    "abs": (np.abs, -3, 3), "ceil": (np.ceil, -3, 3), "cos": (np.cos, -3, 3),
    "erf": (np.vectorize(math.erf), -3, 3), "exp": (np.exp, -3, 3), "floor": (np.floor, -3, 3),
    "log": (np.log, 0.1, 3), "reciprocal": (lambda x: 1 / x, 0.1, 3),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0.1, 3), "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), -3, 3),
    "sin": (np.sin, -3, 3), "tanh": (np.tanh, -3, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (64, 33)])
def test_unary(name, shape):
    f, low, high = UNARY[name]
    x = floats(*shape, low=low, high=high)
    t = f"tensor<{'x'.join(map(str, shape))}xf32>"
    want = f(x.astype(np.float64)).astype(np.float32)
    check(f"func.func @main(%x: {t}) -> {t} {{ %0 = tosa.{name} %x : ({t}) -> {t} return %0 : {t} }}",
          [x], want, rtol=3e-7)


BINARY = {
    "add": np.add, "sub": np.subtract, "maximum": np.maximum, "minimum": np.minimum,
    "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
    "logical_left_shift": np.left_shift,
    "logical_right_shift": lambda a, b: (a.view(np.uint32) >> b.view(np.uint32)).view(np.int32),
    "intdiv": lambda a, b: np.trunc(a / b).astype(np.int32),
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
def test_integers_that_broadcast(name):
    a = RNG.integers(-1000, 1000, (3, 1, 5)).astype(np.int32)
    b = RNG.integers(1, 31, (1, 4, 5)).astype(np.int32)
    check(f"""func.func @main(%a: tensor<3x1x5xi32>, %b: tensor<1x4x5xi32>) -> tensor<3x4x5xi32> {{
      %0 = tosa.{name} %a, %b : (tensor<3x1x5xi32>, tensor<1x4x5xi32>) -> tensor<3x4x5xi32>
      return %0 : tensor<3x4x5xi32> }}""", [a, b], BINARY[name](a, b))


@pytest.mark.parametrize("name, f", [
    ("equal", np.equal), ("greater", np.greater), ("greater_equal", np.greater_equal)])
def test_comparisons(name, f):
    a, b = floats(3, 5).round(), floats(3, 5).round()
    check(f"""func.func @main(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> tensor<3x5xf32> {{
      %0 = tosa.{name} %a, %b : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
      %1 = tosa.select %0, %a, %b : (tensor<3x5xi1>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
      return %1 : tensor<3x5xf32> }}""", [a, b], np.where(f(a, b), a, b))


def scale(value, multiplier, shift, double):
    """TOSA's apply_scale_32, with Python's integers."""
    rounding = 1 << (shift - 1)
    if double and shift > 31:
        rounding += (1 << 30) if value >= 0 else -(1 << 30)
    return (value * multiplier + rounding) >> shift


@pytest.mark.parametrize("double", [False, True])
def test_scaling_is_exact(double):
    mode = "DOUBLE_ROUND" if double else "SINGLE_ROUND"
    value = np.concatenate([RNG.integers(-2**31, 2**31, 200), [-2**31, 2**31 - 1, 0, 1, -1]]).astype(np.int32)
    multiplier = RNG.integers(1 << 30, 2**31, len(value)).astype(np.int32)
    shift = RNG.integers(31, 40, len(value)).astype(np.int8)
    want = np.array([scale(int(v), int(m), int(s), double) for v, m, s in zip(value, multiplier, shift)])
    kept = (want >= -2**31) & (want < 2**31)
    n = len(value)
    text = f"""func.func @main(%v: tensor<{n}xi32>, %m: tensor<{n}xi32>, %s: tensor<{n}xi8>) -> tensor<{n}xi32> {{
      %0 = tosa.apply_scale %v, %m, %s {{rounding_mode = {mode}}} : (tensor<{n}xi32>, tensor<{n}xi32>, tensor<{n}xi8>) -> tensor<{n}xi32>
      return %0 : tensor<{n}xi32> }}"""
    for run in runs(text):
        np.testing.assert_array_equal(run(value, multiplier, shift)[kept], want[kept])


@pytest.mark.parametrize("to, low, high", [("i8", -128, 127), ("i16", -32768, 32767)])
@pytest.mark.parametrize("double", [False, True])
def test_rescale_is_exact(to, low, high, double):
    mode = "DOUBLE_ROUND" if double else "SINGLE_ROUND"
    x = RNG.integers(-200000, 200000, (4, 3)).astype(np.int32)
    multiplier, shift, zero = [2026291432, 1079222024, 1693132724], [37, 36, 37], 5 if to == "i8" else 0
    want = np.array([[min(max(scale(int(v), m, s, double) + zero, low), high)
                      for v, m, s in zip(row, multiplier, shift)] for row in x])
    check(f"""func.func @main(%x: tensor<4x3xi32>) -> tensor<4x3x{to}> {{
      %m = "tosa.const"() <{{values = dense<{multiplier}> : tensor<3xi32>}}> : () -> tensor<3xi32>
      %s = "tosa.const"() <{{values = dense<{shift}> : tensor<3xi8>}}> : () -> tensor<3xi8>
      %i = "tosa.const"() <{{values = dense<0> : tensor<1xi32>}}> : () -> tensor<1xi32>
      %o = "tosa.const"() <{{values = dense<{zero}> : tensor<1x{to}>}}> : () -> tensor<1x{to}>
      %0 = tosa.rescale %x, %m, %s, %i, %o {{rounding_mode = {mode}, scale32 = true, per_channel = true,
        input_unsigned = false, output_unsigned = false}}
        : (tensor<4x3xi32>, tensor<3xi32>, tensor<3xi8>, tensor<1xi32>, tensor<1x{to}>) -> tensor<4x3x{to}>
      return %0 : tensor<4x3x{to}> }}""", [x], want.astype({"i8": np.int8, "i16": np.int16}[to]))


@pytest.mark.parametrize("name, f", [
    ("reduce_sum", np.sum), ("reduce_max", np.max), ("reduce_min", np.min), ("reduce_product", np.prod)])
@pytest.mark.parametrize("axis", [0, 1])
def test_reductions(name, f, axis):
    x = floats(4, 5)
    shape = (1, 5) if axis == 0 else (4, 1)
    t = f"tensor<{shape[0]}x{shape[1]}xf32>"
    check(f"""func.func @main(%x: tensor<4x5xf32>) -> {t} {{
      %0 = tosa.{name} %x {{axis = {axis} : i32}} : (tensor<4x5xf32>) -> {t}
      return %0 : {t} }}""", [x], f(x, axis=axis, keepdims=True).astype(np.float32), rtol=1e-6, atol=1e-6)


def test_argmax_takes_the_first():
    x = np.array([[1, 3, 3], [2, 2, 2], [-5, -7, -5]], np.float32)
    check("""func.func @main(%x: tensor<3x3xf32>) -> tensor<3xi32> {
      %0 = tosa.argmax %x {axis = 1 : i32} : (tensor<3x3xf32>) -> tensor<3xi32>
      return %0 : tensor<3xi32> }""", [x], x.argmax(1).astype(np.int32))


def test_moves():
    x = floats(2, 3, 4)
    moved = np.tile(np.concatenate([x.transpose(2, 0, 1), x.transpose(2, 0, 1)[::-1]], 2), (1, 2, 1))
    want = np.pad(moved, ((1, 0), (0, 2), (0, 0)), constant_values=7)[1:4, 1:4, 2:5].reshape(9, 3)
    check("""func.func @main(%x: tensor<2x3x4xf32>) -> tensor<9x3xf32> {
      %0 = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
      %1 = tosa.reverse %0 {axis = 0 : i32} : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
      %2 = tosa.concat %0, %1 {axis = 2 : i32} : (tensor<4x2x3xf32>, tensor<4x2x3xf32>) -> tensor<4x2x6xf32>
      %n = tosa.const_shape {values = dense<[1, 2, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
      %3 = tosa.tile %2, %n : (tensor<4x2x6xf32>, !tosa.shape<3>) -> tensor<4x4x6xf32>
      %p = tosa.const_shape {values = dense<[1, 0, 0, 2, 0, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
      %c = "tosa.const"() <{values = dense<7.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %4 = tosa.pad %3, %p, %c : (tensor<4x4x6xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<5x6x6xf32>
      %b = tosa.const_shape {values = dense<[1, 1, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
      %z = tosa.const_shape {values = dense<[3, 3, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
      %5 = tosa.slice %4, %b, %z : (tensor<5x6x6xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<3x3x3xf32>
      %s = tosa.const_shape {values = dense<[9, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %6 = tosa.reshape %5, %s : (tensor<3x3x3xf32>, !tosa.shape<2>) -> tensor<9x3xf32>
      return %6 : tensor<9x3xf32> }""", [x], want)


def test_gather_scatter_and_tables():
    values, places = floats(2, 5, 3), RNG.integers(0, 5, (2, 4)).astype(np.int32)
    check("""func.func @main(%v: tensor<2x5x3xf32>, %i: tensor<2x4xi32>) -> tensor<2x4x3xf32> {
      %0 = tosa.gather %v, %i : (tensor<2x5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
      return %0 : tensor<2x4x3xf32> }""", [values, places],
          np.take_along_axis(values, places[:, :, None].astype(int), 1))
    places = np.array([[3, 0], [1, 4]], np.int32)
    new = floats(2, 2, 3)
    want = values.copy()
    for b in range(2):
        want[b, places[b]] = new[b]
    check("""func.func @main(%v: tensor<2x5x3xf32>, %i: tensor<2x2xi32>, %x: tensor<2x2x3xf32>) -> tensor<2x5x3xf32> {
      %0 = tosa.scatter %v, %i, %x : (tensor<2x5x3xf32>, tensor<2x2xi32>, tensor<2x2x3xf32>) -> tensor<2x5x3xf32>
      return %0 : tensor<2x5x3xf32> }""", [values, places, new], want)
    table = RNG.integers(-128, 128, 256).astype(np.int8)
    x = np.arange(-128, 128, dtype=np.int8)
    check("""func.func @main(%x: tensor<256xi8>, %t: tensor<256xi8>) -> tensor<256xi8> {
      %0 = tosa.table %x, %t : (tensor<256xi8>, tensor<256xi8>) -> tensor<256xi8>
      return %0 : tensor<256xi8> }""", [x, table], table[x.astype(int) + 128])


def test_an_index_outside_is_an_error():
    text = """func.func @main(%v: tensor<1x2x1xf32>, %i: tensor<1x1xi32>, %x: tensor<1x1x1xf32>) -> tensor<1x2x1xf32> {
      %0 = tosa.scatter %v, %i, %x : (tensor<1x2x1xf32>, tensor<1x1xi32>, tensor<1x1x1xf32>) -> tensor<1x2x1xf32>
      return %0 : tensor<1x2x1xf32> }"""
    for run in runs(text):
        for place in (-1, 2, 2**31 - 1):
            with pytest.raises(ta.Error, match=r"tosa.scatter: index -?\d+ of dimension 1 must lie in \[0, 2\)"):
                run(np.zeros((1, 2, 1), np.float32), np.array([[place]], np.int32), np.ones((1, 1, 1), np.float32))


def test_products_and_windows():
    x, w, b = floats(1, 6, 5, 3), floats(4, 3, 2, 3), floats(4)
    padded = np.pad(x, ((0, 0), (1, 0), (0, 1), (0, 0)))
    want = np.zeros((1, 5, 5, 4))
    for i in range(5):
        for j in range(5):
            want[0, i, j] = np.einsum("hwc,ohwc->o", padded[0, i : i + 3, j : j + 2], w) + b
    zero = '"tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>'
    check(f"""func.func @main(%x: tensor<1x6x5x3xf32>, %w: tensor<4x3x2x3xf32>, %b: tensor<4xf32>) -> tensor<1x5x5x4xf32> {{
      %z = {zero}
      %0 = tosa.conv2d %x, %w, %b, %z, %z {{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 0, 0, 1>,
        stride = array<i64: 1, 1>}} : (tensor<1x6x5x3xf32>, tensor<4x3x2x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x5x5x4xf32>
      return %0 : tensor<1x5x5x4xf32> }}""", [x, w, b], want.astype(np.float32), rtol=1e-5, atol=1e-5)
    p = floats(1, 6, 6, 2)
    blocks = p.reshape(1, 3, 2, 3, 2, 2)
    for name, f in (("max_pool2d %x", np.max), ("avg_pool2d %x, %z, %z", np.mean)):
        more = "" if "max" in name else "acc_type = f32, "
        types = "tensor<1x6x6x2xf32>" + (", tensor<1xf32>, tensor<1xf32>" if more else "")
        check(f"""func.func @main(%x: tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> {{
          %z = {zero}
          %0 = tosa.{name} {{{more}kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}}
            : ({types}) -> tensor<1x3x3x2xf32>
          return %0 : tensor<1x3x3x2xf32> }}""", [p], f(blocks, axis=(2, 4)), rtol=1e-6, atol=1e-6)
    u, v = floats(2, 3, 7), floats(2, 7, 5)
    check(f"""func.func @main(%a: tensor<2x3x7xf32>, %b: tensor<2x7x5xf32>) -> tensor<2x3x5xf32> {{
      %z = {zero}
      %0 = tosa.matmul %a, %b, %z, %z : (tensor<2x3x7xf32>, tensor<2x7x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x5xf32>
      return %0 : tensor<2x3x5xf32> }}""", [u, v], u @ v, rtol=1e-5, atol=1e-5)


def test_fourier_transforms():
    re, im = floats(2, 4, 8), floats(2, 4, 8)
    want = np.fft.fft2(re.astype(np.float64) + 1j * im)
    check("""func.func @main(%a: tensor<2x4x8xf32>, %b: tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>) {
      %0, %1 = tosa.fft2d %a, %b {inverse = false} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>)
      return %0, %1 : tensor<2x4x8xf32>, tensor<2x4x8xf32> }""", [re, im],
          (want.real.astype(np.float32), want.imag.astype(np.float32)), rtol=1e-5, atol=2e-5)
    half = np.fft.rfft2(re)
    check("""func.func @main(%a: tensor<2x4x8xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>) {
      %0, %1 = tosa.rfft2d %a : (tensor<2x4x8xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)
      return %0, %1 : tensor<2x4x5xf32>, tensor<2x4x5xf32> }""", [re],
          (half.real.astype(np.float32), half.imag.astype(np.float32)), rtol=1e-5, atol=2e-5)


@pytest.mark.parametrize("to, want", [
    ("i8", [-128, -2, -2, 0, 2, 2, 127]), ("i32", [-1000, -2, -2, 0, 2, 2, 1000]),
    ("i1", [1, 1, 1, 0, 1, 1, 1])])
def test_casts(to, want):
    x = np.array([-1000, -2.5, -1.5, 0, 1.5, 2.5, 1000], np.float32)
    numpy = {"i8": np.int8, "i32": np.int32, "i1": np.bool_}[to]
    check(f"""func.func @main(%x: tensor<7xf32>) -> tensor<7x{to}> {{
      %0 = tosa.cast %x : (tensor<7xf32>) -> tensor<7x{to}>
      return %0 : tensor<7x{to}> }}""", [x], np.array(want).astype(numpy))


def test_clamps_negations_and_tables_of_integers():
    x = np.arange(-128, 128, dtype=np.int8)
    check("""func.func @main(%x: tensor<256xi8>) -> (tensor<256xi8>, tensor<256xi8>, tensor<256xi8>) {
      %0 = tosa.clamp %x {min_val = -5 : i8, max_val = 17 : i8} : (tensor<256xi8>) -> tensor<256xi8>
      %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %1 = tosa.negate %x, %z, %z : (tensor<256xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<256xi8>
      %2 = tosa.bitwise_not %x : (tensor<256xi8>) -> tensor<256xi8>
      return %0, %1, %2 : tensor<256xi8>, tensor<256xi8>, tensor<256xi8> }""", [x],
          (x.clip(-5, 17), np.minimum(-x.astype(int), 127).astype(np.int8), ~x))


def test_control():
    text = """func.func @main(%c: tensor<i1>, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<i32>) {
      %0 = "tosa.cond_if"(%c, %x) ({
      ^bb0(%a: tensor<3xf32>):
        %1 = tosa.exp %a : (tensor<3xf32>) -> tensor<3xf32>
        tosa.yield %1 : tensor<3xf32>
      }, {
      ^bb0(%a: tensor<3xf32>):
        %2 = tosa.floor %a : (tensor<3xf32>) -> tensor<3xf32>
        tosa.yield %2 : tensor<3xf32>
      }) : (tensor<i1>, tensor<3xf32>) -> tensor<3xf32>
      %i = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %n = "tosa.const"() <{values = dense<100> : tensor<i32>}> : () -> tensor<i32>
      %w = "tosa.while_loop"(%i) ({
      ^bb0(%k: tensor<i32>):
        %g = tosa.greater %n, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
        tosa.yield %g : tensor<i1>
      }, {
      ^bb0(%k: tensor<i32>):
        %s = tosa.add %k, %k : (tensor<i32>, tensor<i32>) -> tensor<i32>
        tosa.yield %s : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      return %0, %w : tensor<3xf32>, tensor<i32> }"""
    x = np.array([0.5, -1.5, 2], np.float32)
    for c in (True, False):
        check(text, [np.array(c), x], ((np.exp(x) if c else np.floor(x)).astype(np.float32), np.array(128, np.int32)), rtol=2e-7)


def test_resize():
    x = floats(1, 3, 4, 2)
    want = np.zeros((1, 5, 7, 2))
    for i in range(5):
        for j in range(7):
            y, z = i / 2, j / 2
            a, b = int(y), int(z)
            c, d = min(a + 1, 2), min(b + 1, 3)
            u, v = y - a, z - b
            want[0, i, j] = (x[0, a, b] * (1 - u) * (1 - v) + x[0, c, b] * u * (1 - v)
                             + x[0, a, d] * (1 - u) * v + x[0, c, d] * u * v)
    check("""func.func @main(%x: tensor<1x3x4x2xf32>) -> tensor<1x5x7x2xf32> {
      %s = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %o = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %b = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
      %0 = tosa.resize %x, %s, %o, %b {mode = BILINEAR} : (tensor<1x3x4x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x5x7x2xf32>
      return %0 : tensor<1x5x7x2xf32> }""", [x], want.astype(np.float32), rtol=1e-5, atol=1e-6)


def gather(k, indices):
    n = len(indices)
    return (
        f"func.func @main(%v: tensor<1x{k}x2xf32>, %i: tensor<1x{n}xi32>) -> tensor<1x{n}x2xf32> {{"
        f" %0 = tosa.gather %v, %i : (tensor<1x{k}x2xf32>, tensor<1x{n}xi32>) -> tensor<1x{n}x2xf32>"
        f" return %0 : tensor<1x{n}x2xf32> }}"
    ), [floats(1, k, 2), np.array([indices], np.int32)]


def test_gather():
    text, arrays = gather(5, [4, 0, 2, 2])
    check(text, arrays, arrays[0][:, arrays[1][0]])


@pytest.mark.parametrize("outside", [-1, 4, 1000000000, -(2**31)])
def test_gather_outside(outside):
    text, arrays = gather(4, [0, 1, outside])
    message = f"tosa.gather: index {outside} of dimension 1 must lie in \\[0, 4\\)"
    for run in runs(text):
        with pytest.raises(ta.Error, match=message):
            run(*arrays)


@pytest.mark.parametrize("mode", ["PROPAGATE", "IGNORE"])
@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("element", ["f32", "f16"])
def test_greatest_of_infinities(name, mode, element):
    dtype = np.float32 if element == "f32" else np.float16
    sign = -1 if name == "max" else 1
    rows = [[sign * np.inf] * 3, [1, -sign * np.inf, 2], [sign * np.finfo(dtype).max] * 3]
    x = np.array(rows, dtype)
    want = (np.max if name == "max" else np.min)(x, axis=1, keepdims=True)
    text = (
        f"func.func @main(%x: tensor<3x3x{element}>) -> tensor<3x1x{element}> {{"
        f" %0 = tosa.reduce_{name} %x {{axis = 1 : i32, nan_mode = {mode}}} :"
        f" (tensor<3x3x{element}>) -> tensor<3x1x{element}> return %0 : tensor<3x1x{element}> }}"
    )
    check(text, [x], want)


def test_pooled_infinities():
    x = np.full((1, 4, 4, 1), -np.inf, np.float32)
    x[0, 3, 3, 0] = -np.finfo(np.float32).max
    text = (
        "func.func @main(%x: tensor<1x4x4x1xf32>) -> tensor<1x3x3x1xf32> {"
        " %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 1>,"
        " stride = array<i64: 2, 2>} : (tensor<1x4x4x1xf32>) -> tensor<1x3x3x1xf32>"
        " return %0 : tensor<1x3x3x1xf32> }"
    )
    want = np.full((1, 3, 3, 1), -np.inf, np.float32)
    want[0, 2, 2, 0] = x[0, 3, 3, 0]
    check(text, [x], want)


@pytest.mark.parametrize("h,w", [(3, 4), (1, 4), (3, 1), (1, 1)])
@pytest.mark.parametrize(
    "scale,offset",
    [((4, 2, 4, 2), (-1, -1)), ((4, 2, 4, 2), (-1, 0)), ((4, 2, 4, 2), (0, -1)),
     ((2, 3, 6, 2), (1, -3)), ((16, 1, 16, 1), (-15, -16))],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["BILINEAR", "NEAREST_NEIGHBOR"])
def test_resized_integers(h, w, scale, offset, mode):
    """TOSA 1.0's pseudocode for resize, in Python's integers."""
    sizes, borders = [], []
    for size, n, d, o in zip((h, w), scale[::2], scale[1::2], offset):
        border = next(b for b in range(d) if ((size - 1) * n - o + b) % d == 0)
        sizes.append(((size - 1) * n - o + border) // d + 1)
        borders.append(border)
    x = RNG.integers(-128, 128, (1, h, w, 2)).astype(np.int8)
    want = np.zeros((1, *sizes, 2), np.int32 if mode == "BILINEAR" else np.int8)
    for oy, ox in np.ndindex(*sizes):
        iy, ry = divmod(oy * scale[1] + offset[0], scale[0])
        ix, rx = divmod(ox * scale[3] + offset[1], scale[2])
        y0, y1 = np.clip([iy, iy + 1], 0, h - 1)
        x0, x1 = np.clip([ix, ix + 1], 0, w - 1)
        if mode == "BILINEAR":
            q = x[0].astype(np.int64)
            want[0, oy, ox] = (scale[0] - ry) * (
                (scale[2] - rx) * q[y0, x0] + rx * q[y0, x1]
            ) + ry * ((scale[2] - rx) * q[y1, x0] + rx * q[y1, x1])
        else:
            far = (y1 if 2 * ry >= scale[0] else y0, x1 if 2 * rx >= scale[2] else x0)
            want[0, oy, ox] = x[0][far]
    of, to = f"tensor<1x{h}x{w}x2xi8>", f"tensor<1x{sizes[0]}x{sizes[1]}x2xi{32 if mode == 'BILINEAR' else 8}>"
    shapes = "".join(
        f" %{name} = tosa.const_shape {{values = dense<{list(values)}> : tensor<{len(values)}xindex>}}"
        f" : () -> !tosa.shape<{len(values)}>"
        for name, values in (("s", scale), ("o", offset), ("b", borders))
    )
    check(
        f"func.func @main(%x: {of}) -> {to} {{{shapes} %0 = tosa.resize %x, %s, %o, %b {{mode = {mode}}}"
        f" : ({of}, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> {to} return %0 : {to} }}",
        [x], want,
    )  # fmt: skip


FLOATS = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
INTEGERS = {"i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64"}


def dtype_of(name):
    return np.dtype({**FLOATS, **INTEGERS, "i1": "bool"}[name]) if name in ("f16", "f32", "f64", "i1", *INTEGERS) \
        else np.dtype(getattr(pytest.importorskip("ml_dtypes"), FLOATS[name]))


def numbers_of(name):
    """Halves, and what is near the ends of integers, of floats, 0 and NaN."""
    ends = [s * (2.0**k + d) for k in (7, 8, 15, 16, 23, 31, 32, 63, 64) for d in (-1, -0.5, 0, 0.5, 1) for s in (1, -1)]
    halves = [s * (k + 0.5) for k in range(5) for s in (1, -1)]
    others = [0.0, -0.0, 1e-30, -1e-30, 65504.0, 65520.0, 3e38, -3e38]
    if name in INTEGERS:
        info = np.iinfo(name.replace("i", "int"))
        near = [e + d for e in (info.min, info.max, 0, 2**24, 2**25, 2**53) for d in range(-3, 4)]
        return np.array([n for n in near if info.min <= n <= info.max], dtype_of(name))
    if name == "i1":
        return np.array([False, True])
    with np.errstate(over="ignore"):
        return np.array([*ends, *halves, *others, np.inf, -np.inf, np.nan], np.float64).astype(dtype_of(name))


def cast(x, to):
    """The specification's: to the nearest number, ties to even; integers saturate,
    anything but 0 is true. What it leaves open, an integer for NaN, is 0."""
    if to == "i1":
        return np.array([bool(v != 0) for v in x])
    if to in INTEGERS and x.dtype != bool and x.dtype.kind not in "iu":
        info = np.iinfo(dtype_of(to))
        wide = [float(v) for v in x]
        return np.array([0 if math.isnan(v) else info.max if v >= info.max else info.min if v <= info.min
                         else round(v) for v in wide], dtype_of(to))  # fmt: skip
    with np.errstate(over="ignore", invalid="ignore"):
        near = x.astype(dtype_of(to))
    if to != "bf16" or of_few_bits(x.dtype):
        return near
    # ml_dtypes rounds to f32 first: one of the neighbours may be nearer.
    for i, v in enumerate(x.tolist()):
        if not math.isfinite(v) or not np.isfinite(near[i]):
            continue
        bits = int(near[i : i + 1].view(np.uint16)[0])
        others = np.array([b for b in (bits - 1, bits, bits + 1) if 0 <= b <= 0xFFFF], np.uint16)
        finite = [(abs(Fraction(float(o)) - Fraction(v)), int(b) & 1, o)
                  for b, o in zip(others, others.view(near.dtype)) if np.isfinite(o)]
        near[i] = min(finite, key=lambda entry: entry[:2])[2]
    return near


def of_few_bits(dtype):
    """Whether f32 has all of its numbers."""
    return dtype.kind not in "iuf" or dtype.itemsize < (3 if dtype.kind in "iu" else 8)


@pytest.mark.parametrize("to", ["i1", *INTEGERS, *FLOATS])
@pytest.mark.parametrize("of", ["i1", *INTEGERS, *FLOATS])
def test_casts(of, to):
    x = numbers_of(of)
    text = f"""func.func @main(%x: tensor<{len(x)}x{of}>) -> tensor<{len(x)}x{to}> {{
      %0 = tosa.cast %x : (tensor<{len(x)}x{of}>) -> tensor<{len(x)}x{to}>
      return %0 : tensor<{len(x)}x{to}> }}"""
    check(text, [x], cast(x, to))
