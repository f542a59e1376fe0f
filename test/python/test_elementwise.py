# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise functions are within the ulps that docs/Elementwise.md promises, and
conversions are exact: every f16 and bf16, edges and samples of f32 and f64."""

import ctypes
import functools
import platform
import sys
from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT

import tensoraccess as ta

sys.path.insert(0, str(ROOT / "bench"))
import ulps  # noqa: E402

BOUNDS = ulps.read_bounds(ROOT / "docs" / "Elementwise.md")
INTEGERS = {
    f"{kind}i{bits}": np.dtype(f"{kind or 'i'}{bits // 8}")
    for kind in ("", "u")
    for bits in (8, 16, 32, 64)
}
SAMPLES = {"f16": 20000, "bf16": 20000, "f32": 50000, "f64": 100}


@functools.cache
def measured(type_, arity, engine):
    return [
        (name, way, errors, args, result)
        for name, way, errors, args, result in ulps.measure(
            type_, arity, SAMPLES[type_], engine, seed=3
        )
    ]


@pytest.mark.parametrize("engine", ["jit", "interpret"])
@pytest.mark.parametrize("arity", [1, 2])
@pytest.mark.parametrize("type_", list(ulps.TYPES))
def test_bounds(type_, arity, engine):
    far = []
    for name, way, errors, args, result in measured(type_, arity, engine):
        i = int(np.argmax(errors))
        if not errors[i] <= BOUNDS[name, type_]:
            where = ", ".join(str(a[i]) for a in args)
            far.append(f"{name} ({way}) is {errors[i]:.3f} ulps off at {where}: {result[i]}")
    assert not far, "\n".join(far)


def test_table_has_every_function():
    wanted = {(name, t) for name in [*ulps.UNARY, *ulps.BINARY] for t in ulps.TYPES}
    assert set(BOUNDS) == wanted
    assert all(BOUNDS[name, t] <= 0.51 for name, t in wanted if t in ("f16", "bf16"))


@pytest.mark.parametrize("arity", [1, 2])
def test_engines_agree(arity):
    """In f64 both call the same functions of libm."""
    interpreted = {(n, w): r for n, w, _, _, r in measured("f64", arity, "interpret")}
    for name, way, _, args, result in measured("f64", arity, "jit"):
        if way != "tosa":
            np.testing.assert_array_equal(
                ulps.quiet(result).view("u8"),
                ulps.quiet(interpreted[name, way]).view("u8"),
                f"{name} ({way})",
            )


@pytest.mark.parametrize("arity", [1, 2])
@pytest.mark.parametrize("type_", list(ulps.TYPES))
def test_processors_agree(type_, arity):
    """With native f16 and fma, and without; but for which NaN it is."""
    functions = ulps.UNARY if arity == 1 else ulps.BINARY
    text, keys = ulps.write_program(functions, type_, arity)
    args = ulps.arguments(type_, arity, 3000, np.random.default_rng(4))
    module = ta.Module(text)
    here = module.compile()(*args)
    tried = 0
    for cpu in ("x86-64-v2", "x86-64-v3", "neoverse-n1"):
        try:
            there = module.compile(cpu=cpu)(*args)
        except ta.Error as error:
            assert "this machine has no" in str(error)
            continue
        tried += 1
        kind = f"u{there[0].dtype.itemsize}"
        for key, a, b in zip(keys, here, there):
            same = ulps.quiet(a).view(kind) == ulps.quiet(b).view(kind)
            assert same.all(), (cpu, key, [x[~same][:3] for x in (*args, a, b)])
    assert tried


#===----------------------------------------------------------------------===#
# Conversions
#===----------------------------------------------------------------------===#


def round_to(type_, x):
    """Numbers of long double, which has every i64, as the nearest of a type."""
    digits, least, most = ulps.FORMATS[type_]
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.where(np.isfinite(x), x, 1))
        unit = np.ldexp(np.longdouble(1), np.maximum(exponent - 1, least) - digits + 1)
        near = np.where(np.isfinite(x), np.rint(x / unit) * unit, x)
        over = np.abs(near) >= np.ldexp(np.longdouble(1), most + 1)
        return np.where(over, np.copysign(np.longdouble(np.inf), x), near)


def widen(x):
    """As long double; numpy does not know the way from bf16."""
    with np.errstate(invalid="ignore"):
        return x.astype(np.float64).astype(np.longdouble) if x.dtype.kind == "V" or (
            x.dtype.itemsize == 2 and x.dtype.kind not in "iu"
        ) else x.astype(np.longdouble)


def near_ties(type_, rng):
    """Numbers of f64 in the middle of two of a type, and their neighbours."""
    digits, least, _ = ulps.FORMATS[type_]
    x = widen(ulps.draw(type_, 3000, rng)).astype(np.float64)
    x = x[np.isfinite(x)]
    _, exponent = np.frexp(x)
    with np.errstate(all="ignore"):
        x = x + np.ldexp(1.0, np.maximum(exponent - 1, least) - digits)
        return np.concatenate([x, np.nextafter(x, np.inf), np.nextafter(x, -np.inf)])


def convertible(source, rng):
    if source in ulps.TYPES:
        dtype = ulps.TYPES[source]
        with np.errstate(all="ignore"):
            ties = [near_ties(t, rng).astype(dtype) for t in ulps.TYPES if t != "f64"]
        more = [ulps.every(source)] if dtype.itemsize == 2 else ties
        return np.concatenate([ulps.edges(source), ulps.draw(source, 4000, rng), *more])
    dtype = INTEGERS[source]
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    values = [least, most, 0, 1]
    for t in ulps.TYPES:
        for x in near_ties(t, rng)[:2000]:
            if np.isfinite(x) and least <= int(x) <= most:
                values += [v for d in (-1, 0, 1) if least <= (v := int(x) + d) <= most]
    whole = rng.integers(least, most, 4000, dtype=dtype, endpoint=True)
    shift = rng.integers(0, 8 * dtype.itemsize, 4000).astype(dtype)
    return np.concatenate([np.array(values, dtype), whole, whole >> shift])


@pytest.mark.parametrize("engine", ["jit", "interpret"])
@pytest.mark.parametrize("source", [*ulps.TYPES, *INTEGERS])
def test_conversions(source, engine):
    """`convert` of StableHLO from a type to each: nearest even, or toward 0 and
    saturated; NaN gives 0."""
    targets = [t for t in [*ulps.TYPES, *INTEGERS] if t != source]
    types = [f"tensor<?x{t}>" for t in targets]
    lines = [
        f'  %{i} = "stablehlo.convert"(%x) : (tensor<?x{source}>) -> {t}'
        for i, t in enumerate(types)
    ]
    names = ", ".join(f"%{i}" for i in range(len(types)))
    module = ta.Module(
        f"func.func @main(%x: tensor<?x{source}>) -> ({', '.join(types)}) {{\n"
        + "\n".join(lines)
        + f"\n  return {names} : {', '.join(types)}\n}}"
    )
    x = convertible(source, np.random.default_rng(7))
    run = module.compile() if engine == "jit" else module.interpret()
    signless = x.view(f"i{x.dtype.itemsize}") if x.dtype.kind == "u" else x
    exact = widen(x)
    for target, result in zip(targets, run(signless)):
        if target in ulps.TYPES:
            result, wanted = widen(result), round_to(target, exact)
            same = (result == wanted) & (np.signbit(result) == np.signbit(wanted))
            same |= np.isnan(result) & np.isnan(wanted)
        elif source in ulps.TYPES:
            info = np.iinfo(INTEGERS[target])
            whole = np.trunc(np.where(np.isnan(exact), 0, exact))
            wanted = np.clip(whole, np.longdouble(info.min), np.longdouble(info.max))
            same = result.view(INTEGERS[target]).astype(np.longdouble) == wanted
        else:
            wanted = x.astype(INTEGERS[target])
            same = result.view(INTEGERS[target]) == wanted
        i = int(np.argmin(same))
        assert same[i], f"{x[i]!r} to {target} is {result[i]!r}, not {wanted[i]!r}"


@pytest.mark.parametrize("source", ["f16", "bf16", "f32"])
def test_tosa_cast(source):
    """To integers: nearest even, saturated."""
    x = convertible(source, np.random.default_rng(8))
    exact = widen(x)
    x, exact = x[~np.isnan(exact)], exact[~np.isnan(exact)]
    for target in ("i8", "i16", "i32"):
        a, b = f"tensor<?x{source}>", f"tensor<?x{target}>"
        module = ta.Module(
            f"func.func @main(%x: {a}) -> {b} {{\n"
            f"  %0 = tosa.cast %x : ({a}) -> {b}\n  return %0 : {b}\n}}"
        )
        info = np.iinfo(INTEGERS[target])
        wanted = np.clip(np.rint(exact), info.min, info.max).astype(INTEGERS[target])
        np.testing.assert_array_equal(module.compile()(x), wanted)


#===----------------------------------------------------------------------===#
# More than two arguments, integers among them, and where they are computed
#===----------------------------------------------------------------------===#


def round_fraction(type_, x):
    """An exact number as the nearest of a type, nearest even."""
    digits, least, _ = ulps.FORMATS[type_]
    if x == 0:
        return 0.0
    exponent = abs(x).numerator.bit_length() - abs(x).denominator.bit_length()
    exponent -= abs(x) < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, least) - digits + 1)
    return float(round(x / unit) * unit)


@pytest.mark.parametrize("engine", ["jit", "interpret"])
@pytest.mark.parametrize("type_", ["f16", "bf16", "f32"])
def test_fma_rounds_once(type_, engine):
    digits, _, _ = ulps.FORMATS[type_]
    rng = np.random.default_rng(9)
    dtype = ulps.TYPES[type_]

    def normal(count):
        return np.exp2(rng.uniform(-6, 6, count)) * rng.choice([-1.0, 1.0], count)

    a, b, c = (normal(3000).astype(dtype) for _ in range(3))
    # (2^k + 1)(2^n + 1) is on a tie where k + n is p; c decides, however small.
    k = rng.integers(1, digits, 2000)
    ties = [np.ldexp(1.0, k) + 1, np.ldexp(1.0, digits - k) + 1]
    ties.append(normal(2000) * np.exp2(-rng.integers(8, 14, 2000).astype(float)))
    a, b, c = (np.concatenate([x, y.astype(dtype)]) for x, y in zip((a, b, c), ties))
    t = f"tensor<?x{type_}>"
    module = ta.Module(
        f"func.func @main(%a: {t}, %b: {t}, %c: {t}) -> {t} {{\n"
        f"  %0 = math.fma %a, %b, %c : {t}\n  return %0 : {t}\n}}"
    )
    result = (module.compile() if engine == "jit" else module.interpret())(a, b, c)
    exact = [
        round_fraction(type_, Fraction(x) * Fraction(y) + Fraction(z))
        for x, y, z in zip(*(v.astype(np.float64).tolist() for v in (a, b, c)))
    ]
    np.testing.assert_array_equal(result.astype(np.float64), exact)


@pytest.mark.parametrize("engine", ["jit", "interpret"])
@pytest.mark.parametrize("exponents", ["i32", "i64"])
@pytest.mark.parametrize("type_", list(ulps.TYPES))
def test_powers_of_integers(type_, exponents, engine):
    rng = np.random.default_rng(10)
    dtype, edges = ulps.TYPES[type_], ulps.edges(type_)
    x = np.concatenate([np.repeat(edges, 4), rng.normal(1, 0.01, 2000).astype(dtype)])
    n = rng.integers(-9, 10, len(x))
    n[-1000:] = rng.integers(-1000, 1000, 1000)
    n = n.astype(INTEGERS[exponents])
    n[:2] = np.iinfo(n.dtype).max, np.iinfo(n.dtype).min
    x[:2] = -1
    t, i = f"tensor<?x{type_}>", f"tensor<?x{exponents}>"
    module = ta.Module(
        f"func.func @main(%x: {t}, %n: {i}) -> {t} {{\n"
        f"  %0 = math.fpowi %x, %n : {t}, {i}\n  return %0 : {t}\n}}"
    )
    result = (module.compile() if engine == "jit" else module.interpret())(x, n)
    with np.errstate(all="ignore"):
        # The sign of an odd power, of which float(n) may lose the last bit.
        sign = np.where(n & 1, np.copysign(1.0, x.astype(np.float64)), 1.0)
        exact = np.power(np.abs(x).astype(np.longdouble), n.astype(np.longdouble)) * sign
        if type_ == "f64":
            wanted = exact.astype(np.float64)
            gap = np.abs(result - exact) / np.spacing(np.abs(wanted))
            same = (result == wanted) | (np.isnan(result) & np.isnan(wanted))
            assert (same | (gap <= 1)).all()
        else:
            assert ulps.ulps(type_, result, exact.astype(np.float64)).max() <= 0.51


@pytest.mark.skipif(platform.machine() != "x86_64", reason="sets a register of x86-64")
@pytest.mark.parametrize("engine", ["jit", "interpret"])
def test_own_environment(engine):
    """A process that flushes subnormal numbers and rounds up gets the same."""
    t = "tensor<?xf32>"
    module = ta.Module(
        f"func.func @main(%x: {t}, %y: {t}) -> ({t}, {t}) {{\n"
        f"  %0 = arith.mulf %x, %y : {t}\n  %1 = arith.addf %x, %y : {t}\n"
        f"  return %0, %1 : {t}, {t}\n}}"
    )
    run = module.compile() if engine == "jit" else module.interpret()
    x = np.array([1e-30, 3e-39, 1.0, 1.0], np.float32)
    y = np.array([1e-10, 1e-39, 1e-10, 1 / 3], np.float32)
    wanted = [r.tobytes() for r in run(x, y)]
    libm = ctypes.CDLL("libm.so.6")
    before, changed = ((ctypes.c_uint32 * 8)() for _ in range(2))
    libm.fegetenv(before)
    libm.fegetenv(changed)
    # MXCSR: subnormal arguments are 0, round up, subnormal results are 0.
    changed[7] |= 0x0040 | 0x4000 | 0x8000
    libm.fesetenv(changed)
    try:
        got = [r.tobytes() for r in run(x, y)]
        libm.fegetenv(changed)
        assert changed[7] & 0xC040 == 0xC040
    finally:
        libm.fesetenv(before)
    assert got == wanted


@pytest.mark.parametrize("way", ["jit", "plain"])
def test_bits_of_nan(way):
    """A NaN has 22 more bits, of which none may matter."""
    rng = np.random.default_rng(0)
    bits = np.concatenate([rng.integers(1, 1 << 23, 5000), [1, 2, 0x7A2, 0x400000]])
    bits = (bits | 0x7F800000).astype(np.uint32)
    x = np.concatenate([bits, bits | np.uint32(0x80000000)]).view(np.float32)
    text, keys = ulps.write_program(
        {name: ulps.UNARY[name] for name in ulps.POLYNOMIALS}, "f32", 1)
    run = ta.Module(text).compile(plain=way == "plain")
    for key, result in zip(keys, run(x), strict=True):
        assert np.isnan(result).all(), key
