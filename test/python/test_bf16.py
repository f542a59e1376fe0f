# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled code rounds to bf16 once, to nearest even: conversions, against exact
rationals, where roundings through f32 or f64 would go wrong, and each result of a
chain of ops."""

from fractions import Fraction

import ml_dtypes
import numpy
import pytest

import tensoraccess as ta

BF16 = numpy.dtype(ml_dtypes.bfloat16)


def round_to_bf16(value) -> int:
    """The bits of the bf16 nearest to a number (an int or a finite float)."""
    exact = Fraction(value)
    sign = 0x8000 if exact < 0 or str(value).startswith("-") else 0
    exact = abs(exact)
    # The largest bf16 not above it; bits grow with the value.
    lo, hi = 0, 0x7F80
    bits = lambda b: Fraction(
        float(numpy.array([b], "uint16").view(BF16).astype("float64")[0])
    )
    while hi - lo > 1:
        mid = (lo + hi) // 2
        lo, hi = (mid, hi) if bits(mid) <= exact else (lo, mid)
    below = bits(lo)
    step = bits(lo) - bits(lo - 1) if hi == 0x7F80 else bits(hi) - below
    rest = exact - below
    up = rest * 2 > step or (rest * 2 == step and lo % 2)
    return sign | (lo + 1 if up else lo)


def convert(values, dtype, op):
    element = {"float64": "f64", "int64": "i64", "int32": "i32"}[dtype]
    values = numpy.array(values, "uint64" if op == "uitofp" and dtype == "int64" else dtype)
    module = ta.Module(
        f"func.func @main(%a: tensor<{len(values)}x{element}>) -> tensor<{len(values)}xbf16> {{"
        f"%0 = arith.{op} %a : tensor<{len(values)}x{element}> to tensor<{len(values)}xbf16>"
        f"return %0 : tensor<{len(values)}xbf16> }}"
    )
    return numpy.asarray(module.compile("main")(values.view(dtype))).view("uint16")


def doubles():
    random = numpy.random.default_rng(5)
    ties = numpy.array([random.integers(0, 0x7F7F, 400) << 16 | 0x8000], "uint32")
    ties = ties.view("float32").astype("float64").ravel()
    values = [ties, numpy.nextafter(ties, numpy.inf), numpy.nextafter(ties, 0)]
    # What f32 cannot tell from a tie: the case that two roundings get wrong.
    values += [ties * (1 + 2.0**-40), ties * (1 - 2.0**-40)]
    values += [numpy.exp2(random.uniform(-160, 130, 500))]
    values += [[0.0, 2.0**-133, 2.0**-134, 2.0**-134 * (1 + 2.0**-50), 2.0**-1000, 3.3961775e38, 3.39e38]]
    values = numpy.concatenate([numpy.asarray(v, "float64").ravel() for v in values])
    return numpy.concatenate([values, -values])


def test_f64_rounds_once():
    values = doubles()
    numpy.testing.assert_array_equal(
        convert(values, "float64", "truncf"), [round_to_bf16(float(v)) for v in values]
    )


def integers(bits):
    random = numpy.random.default_rng(6)
    values = [0, 1, 255, 256, 257, 2**24 + 1]
    for exponent in range(9, bits - 1):
        tie = (1 << exponent) + (1 << (exponent - 8))
        values += [tie, tie + 1, tie - 1, tie + (1 << (exponent - 7)), (1 << exponent) - 1]
    values += [int(v) for v in random.integers(0, 2 ** (bits - 1) - 1, 300, "int64")]
    return [v for v in values if v < 2 ** (bits - 1)]


@pytest.mark.parametrize("bits", [32, 64])
def test_integers_round_once(bits):
    values = integers(bits)
    values += [-v for v in values] + [-(2 ** (bits - 1))]
    numpy.testing.assert_array_equal(
        convert(values, f"int{bits}", "sitofp"), [round_to_bf16(v) for v in values]
    )


def test_unsigned_integers_round_once():
    values = integers(64) + [2**64 - 1, 2**63, 2**63 + 2**55, 2**63 + 2**55 + 1]
    numpy.testing.assert_array_equal(
        convert(values, "int64", "uitofp"), [round_to_bf16(v) for v in values]
    )


def test_every_bf16_comes_back():
    module = ta.Module(
        "func.func @main(%a: tensor<65536xbf16>) -> (tensor<65536xf64>, tensor<65536xbf16>) {"
        "%0 = arith.extf %a : tensor<65536xbf16> to tensor<65536xf64>"
        "%1 = arith.truncf %0 : tensor<65536xf64> to tensor<65536xbf16>"
        "return %0, %1 : tensor<65536xf64>, tensor<65536xbf16> }"
    )
    values = numpy.arange(65536, dtype="uint16").view(BF16)
    wide, back = (numpy.asarray(r) for r in module.compile("main")(values))
    bits = values.view("uint16").astype("uint32") << 16
    with numpy.errstate(invalid="ignore"):  # signalling NaNs
        expected = bits.view("float32").astype("float64")
    numpy.testing.assert_array_equal(wide, expected)
    number = ~numpy.isnan(wide)
    numpy.testing.assert_array_equal(
        back.view("uint16")[number], values.view("uint16")[number]
    )
    assert numpy.all(back.view("uint16")[~number] & 0x7FFF > 0x7F80)


def test_each_result_is_rounded():
    random = numpy.random.default_rng(7)
    x, y, z = (random.uniform(-4, 4, 4096).astype(BF16) for _ in range(3))
    array = "tensor<4096xbf16>"
    module = ta.Module(
        f"func.func @main(%x: {array}, %y: {array}, %z: {array}) -> {array} {{"
        f"%0 = arith.mulf %x, %y : {array}"
        f"%1 = arith.addf %0, %z : {array}"
        f"%2 = arith.subf %1, %x : {array}"
        f"%3 = arith.mulf %2, %2 : {array}"
        f"return %3 : {array} }}"
    )
    # ml_dtypes computes each in f32 and rounds.
    wanted = ((x * y + z) - x) * ((x * y + z) - x)
    numpy.testing.assert_array_equal(module.compile("main")(x, y, z), wanted)


def test_each_step_of_a_product_is_rounded():
    random = numpy.random.default_rng(8)
    a, b = random.uniform(-2, 2, (7, 9)).astype(BF16), random.uniform(-2, 2, (9, 5)).astype(BF16)
    module = ta.Module(
        "func.func @main(%a: tensor<7x9xbf16>, %b: tensor<9x5xbf16>, %c: tensor<7x5xbf16>)"
        " -> tensor<7x5xbf16> {"
        "%0 = linalg.matmul ins(%a, %b : tensor<7x9xbf16>, tensor<9x5xbf16>)"
        " outs(%c : tensor<7x5xbf16>) -> tensor<7x5xbf16>"
        "return %0 : tensor<7x5xbf16> }"
    )
    wanted = numpy.zeros((7, 5), BF16)
    for k in range(9):
        wanted = wanted + a[:, k : k + 1] * b[k : k + 1]
    zero = numpy.zeros((7, 5), BF16)
    numpy.testing.assert_array_equal(module.compile("main")(a, b, zero), wanted)
