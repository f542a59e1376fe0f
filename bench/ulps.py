# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far elementwise functions are from the value rounded correctly, in ulps.

    PYTHONPATH=build/python build/venv/bin/python bench/ulps.py

prints the table of docs/Elementwise.md: of compiled code, by function and type,
the largest error found, or known of libm, rounded up. Needs numpy,
ml_dtypes and, for f64, mpmath.

An error is |result - exact| / ulp(exact), where an ulp is the distance of the
type's numbers around the exact value, denormals included; infinity counts as
the number after the largest. NaN for a number, a number for NaN, a finite
number for a pole and a zero of the wrong sign are errors of infinitely many
ulps. Exact values come from numpy in f64 for the smaller types, from mpmath for
f64.

Arguments: every f16 and every bf16 for functions of one argument; else edges
(zeros, denormals, the largest, infinities, NaN, thresholds of overflow and
underflow, neighbours of 1 and of multiples of pi/2), and bits drawn at random,
which cover all exponents. Functions of two arguments take all pairs of edges.

  --every=N     only what is computed by polynomials in f32, with every N-th f32
  --samples=N   how many arguments are drawn for each of f32 and f64
  --engine=E    jit or interpret
  --exact       the errors as they were found, and where
  --check       compares with the table of the docs; a larger error is a failure
"""
import argparse
import functools
import itertools
import math
import pathlib
import sys

import ml_dtypes
import numpy as np

TYPES = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
# Bits of the significand, exponents of the least and of the largest number.
FORMATS = {"f16": (11, -14, 15), "bf16": (8, -126, 127),
           "f32": (24, -126, 127), "f64": (53, -1022, 1023)}


# The largest errors of glibc 2.36 that are known, where samples may miss them:
# of f32 for every argument, of f64 after long search (Innocente, Zimmermann,
# "Accuracy of Mathematical Functions"), less those that are not taken from
# there. Of logistic, which is ours, what was found in f32.
LIBM = {
    "f32": {"acos": 0.90, "asin": 0.90, "atan": 0.86, "atan2": 1.52, "cbrt": 1.00,
            "cos": 0.57, "power": 0.82, "sin": 0.57, "tan": 1.48},
    "f64": {"acos": 0.53, "acosh": 2.25, "asin": 0.52, "asinh": 1.92, "atan": 0.53,
            "atan2": 0.53, "atanh": 1.81, "cosh": 1.93, "erf": 1.43, "erfc": 5.19,
            "exp": 0.52, "exp2": 0.52, "expm1": 0.93, "log": 0.52, "log10": 1.62,
            "log1p": 0.91, "log2": 0.56, "logistic": 1.92, "power": 0.53,
            "sin": 0.52, "sinh": 1.93, "tan": 0.62, "tanh": 2.22},
}
# One operation of IEEE 754, which is never more than half an ulp off.
ROUNDED = {"add", "divide", "multiply", "reciprocal", "sqrt", "square", "subtract"}


def elementwise(fn):
    return lambda *xs: np.array([fn(*x) for x in zip(*(x.tolist() for x in xs))])


def logistic(x):
    """Both halves without cancellation, and without overflow."""
    power = np.exp(-np.abs(x))
    return np.where(x < 0, power, 1.0) / (1 + power)


def half_away(x):
    """To the nearest integer, halves away from 0."""
    whole = np.trunc(x)
    return np.copysign(whole + np.copysign(np.abs(x - whole) >= 0.5, x), x)


def extreme(pick):
    """Of two zeros, + is the larger."""
    def run(x, y):
        zero = np.where(pick(1, 2) == 2, np.signbit(x) & np.signbit(y),
                        np.signbit(x) | np.signbit(y))
        both = (x == 0) & (y == 0)
        return np.where(both, np.where(zero, -0.0, 0.0), pick(x, y))
    return run


def sign(x):
    return np.where((x == 0) | np.isnan(x), x, np.copysign(1.0, x))


def mp_logistic(mp, x):
    return 1 / (1 + mp.exp(-x))


def mp_pow(mp, x, y):
    # Real where the base is negative: the exponent is an integer then.
    value = abs(x) ** y
    return -value if x < 0 and y == mp.floor(y) and y % 2 else value


class Function:
    """A function: how it is written, and what it is."""

    def __init__(self, exact, high=None, **ways):
        self.exact = exact  # of arrays of f64
        self.high = high    # of numbers of mpmath; none where f64 is exact
        self.ways = ways    # its op in each dialect


def of_mpmath(name):
    return lambda mp, *x: getattr(mp, name)(*x)


F = Function
UNARY = {
    "abs": F(np.abs, hlo="stablehlo.abs", math="math.absf", tosa="tosa.abs",
             linalg="linalg.abs"),
    "acos": F(np.arccos, of_mpmath("acos"), hlo="chlo.acos", math="math.acos"),
    "acosh": F(np.arccosh, of_mpmath("acosh"), hlo="chlo.acosh", math="math.acosh"),
    "asin": F(np.arcsin, of_mpmath("asin"), hlo="chlo.asin", math="math.asin"),
    "asinh": F(np.arcsinh, of_mpmath("asinh"), hlo="chlo.asinh", math="math.asinh"),
    "atan": F(np.arctan, of_mpmath("atan"), hlo="chlo.atan", math="math.atan"),
    "atanh": F(np.arctanh, of_mpmath("atanh"), hlo="chlo.atanh", math="math.atanh"),
    "cbrt": F(np.cbrt, lambda mp, x: mp.sign(x) * mp.cbrt(abs(x)),
              hlo="stablehlo.cbrt", math="math.cbrt"),
    "ceil": F(np.ceil, hlo="stablehlo.ceil", math="math.ceil", tosa="tosa.ceil",
              linalg="linalg.ceil"),
    "cos": F(np.cos, of_mpmath("cos"), hlo="stablehlo.cosine", math="math.cos",
             tosa="tosa.cos"),
    "cosh": F(np.cosh, of_mpmath("cosh"), hlo="chlo.cosh", math="math.cosh"),
    "erf": F(elementwise(math.erf), of_mpmath("erf"), hlo="chlo.erf", math="math.erf",
             tosa="tosa.erf", linalg="linalg.erf"),
    # Past 100 erfc is below any number of f64; mpmath overflows on the largest.
    "erfc": F(elementwise(math.erfc), lambda mp, x: mp.erfc(min(x, 100)), hlo="chlo.erfc",
              math="math.erfc"),
    "exp": F(np.exp, of_mpmath("exp"), hlo="stablehlo.exponential", math="math.exp",
             tosa="tosa.exp", linalg="linalg.exp"),
    "exp2": F(np.exp2, lambda mp, x: mp.mpf(2) ** x, math="math.exp2"),
    "expm1": F(np.expm1, of_mpmath("expm1"), hlo="stablehlo.exponential_minus_one",
               math="math.expm1"),
    "floor": F(np.floor, hlo="stablehlo.floor", math="math.floor", tosa="tosa.floor",
               linalg="linalg.floor"),
    "log": F(np.log, of_mpmath("log"), hlo="stablehlo.log", math="math.log",
             tosa="tosa.log", linalg="linalg.log"),
    "log10": F(np.log10, of_mpmath("log10"), math="math.log10"),
    "log1p": F(np.log1p, of_mpmath("log1p"), hlo="stablehlo.log_plus_one",
               math="math.log1p"),
    "log2": F(np.log2, lambda mp, x: mp.log(x, 2), math="math.log2"),
    "logistic": F(logistic, mp_logistic, hlo="stablehlo.logistic", tosa="tosa.sigmoid"),
    "negate": F(np.negative, hlo="stablehlo.negate", math="arith.negf",
                linalg="linalg.negf", access="negative"),
    "reciprocal": F(lambda x: 1 / x, lambda mp, x: 1 / x, tosa="tosa.reciprocal",
                    linalg="linalg.reciprocal"),
    "round": F(half_away, hlo="stablehlo.round_nearest_afz", math="math.round",
               linalg="linalg.round"),
    "roundeven": F(np.rint, hlo="stablehlo.round_nearest_even", math="math.roundeven"),
    "rsqrt": F(lambda x: np.where(x == 0, 1 / x, 1 / np.sqrt(x)),
               lambda mp, x: 1 / mp.sqrt(x),
               hlo="stablehlo.rsqrt", math="math.rsqrt", tosa="tosa.rsqrt",
               linalg="linalg.rsqrt"),
    "sign": F(sign, hlo="stablehlo.sign"),
    "sin": F(np.sin, of_mpmath("sin"), hlo="stablehlo.sine", math="math.sin",
             tosa="tosa.sin"),
    "sinh": F(np.sinh, of_mpmath("sinh"), hlo="chlo.sinh", math="math.sinh"),
    "sqrt": F(np.sqrt, of_mpmath("sqrt"), hlo="stablehlo.sqrt", math="math.sqrt",
              linalg="linalg.sqrt", access="sqrt"),
    "square": F(np.square, lambda mp, x: x * x, hlo="chlo.square",
                linalg="linalg.square"),
    "tan": F(np.tan, of_mpmath("tan"), hlo="stablehlo.tan", math="math.tan"),
    "tanh": F(np.tanh, of_mpmath("tanh"), hlo="stablehlo.tanh", math="math.tanh",
              tosa="tosa.tanh", linalg="linalg.tanh"),
    "trunc": F(np.trunc, math="math.trunc"),
}
BINARY = {
    "add": F(np.add, lambda mp, x, y: x + y, hlo="stablehlo.add", math="arith.addf",
             linalg="linalg.add"),
    "atan2": F(np.arctan2, of_mpmath("atan2"), hlo="stablehlo.atan2", math="math.atan2"),
    "copysign": F(np.copysign, math="math.copysign"),
    "divide": F(np.divide, lambda mp, x, y: x / y, hlo="stablehlo.divide",
                math="arith.divf", linalg="linalg.div"),
    "maximum": F(extreme(np.maximum), hlo="stablehlo.maximum", math="arith.maximumf",
                 linalg="linalg.max"),
    "minimum": F(extreme(np.minimum), hlo="stablehlo.minimum", math="arith.minimumf",
                 linalg="linalg.min"),
    "multiply": F(np.multiply, lambda mp, x, y: x * y, hlo="stablehlo.multiply",
                  math="arith.mulf", linalg="linalg.mul"),
    "power": F(np.power, mp_pow, hlo="stablehlo.power", math="math.powf",
               linalg="linalg.powf"),
    "remainder": F(np.fmod, hlo="stablehlo.remainder", math="arith.remf"),
    "subtract": F(np.subtract, lambda mp, x, y: x - y, hlo="stablehlo.subtract",
                  math="arith.subf", linalg="linalg.sub"),
}

def write_op(result, way, op, type_, t, arity):
    """One op on %x, or on %x and %y, as lines of MLIR."""
    args = ", ".join(["%x", "%y"][:arity])
    types = ", ".join([t] * arity)
    if way == "hlo":
        return f'  {result} = "{op}"({args}) : ({types}) -> {t}'
    if way == "tosa":
        return f"  {result} = {op} {args} : ({types}) -> {t}"
    if way == "linalg":
        return f"  {result} = {op} ins({args} : {types}) outs(%e : {t}) -> {t}"
    if way == "access":
        a = t.replace("tensor<", "!tensoraccess.access<").replace("x" + type_,
                                                                  " | " + type_)
        return (f"  {result}a = tensoraccess.access %x at 1 : {t} -> {a}\n"
                f"  {result}b = tensoraccess.compute {op} {result}a : {a} -> {a}\n"
                f"  {result} = tensoraccess.to_tensor {result}b : {a} -> {t}")
    return f"  {result} = {op} {args} : {t}"


def write_program(functions, type_, arity, left_out=(), size="?"):
    """@main: every function in every way; and the list of (function, way)."""
    t = f"tensor<{size}x{type_}>"
    args = ", ".join(f"%{a}: {t}" for a in "xy"[:arity])
    lines, names, keys = [], [], []
    for name, function in functions.items():
        for way, op in function.ways.items():
            if way in left_out or (way == "tosa" and type_ == "f64"):
                continue  # tosa has no f64
            names.append(f"%r{len(names)}")
            lines.append(write_op(names[-1], way, op, type_, t, arity))
            keys.append((name, way))
    types = ", ".join([t] * len(names))
    text = "\n".join(
        [f"func.func @main({args}) -> ({types}) {{",
         "  %zero = arith.constant 0 : index",
         f"  %n = tensor.dim %x, %zero : {t}",
         f"  %e = tensor.empty({'%n' if size == '?' else ''}) : {t}"]
        + lines + [f"  return {', '.join(names)} : {types}", "}"])
    return text, keys


def ulps(type_, result, exact):
    """The errors; exact values in f64."""
    digits, least, most = FORMATS[type_]
    result = result.astype(np.float64)
    top = math.ldexp(1.0, most + 1)
    pole = np.isinf(exact)
    clipped = np.clip(exact, -top, top)
    _, exponent = np.frexp(clipped)
    exponent = np.where(clipped == 0, least, exponent - 1)
    unit = np.ldexp(1.0, np.clip(exponent, least, most) - digits + 1)
    error = np.abs(np.clip(result, -top, top) - clipped) / unit
    error[pole & (result != exact)] = np.inf
    error[pole & (result == exact)] = 0
    wrong_sign = (result == 0) & (np.signbit(result) != np.signbit(exact))
    error[wrong_sign & (np.abs(exact) < unit)] = np.inf
    error[np.isnan(exact) != np.isnan(result)] = np.inf
    error[np.isnan(exact) & np.isnan(result)] = 0
    return error


def ulps_f64(function, result, exact, args):
    """The same for f64: what f64 cannot say exactly is computed by mpmath."""
    if function.high is None:
        return ulps_same(result, exact)
    import mpmath as mp

    mp.mp.prec = 140
    errors = np.zeros(len(result))
    # The special values are those of f64; a wrong sign of zero, too.
    plain = np.isfinite(np.stack(args)).all(axis=0) & ~np.isnan(exact)
    plain &= ~(np.isinf(exact) & is_pole(function, args))
    errors[~plain] = ulps_same(result, exact)[~plain]
    top = mp.ldexp(1, 1024)
    for i in np.flatnonzero(plain):
        with mp.workprec(140 + extra_bits(args, i)):
            value = function.high(mp, *(mp.mpf(float(a[i])) for a in args))
        got = float(result[i])
        if math.isnan(got):
            errors[i] = math.inf
            continue
        value = max(min(value, top), -top)
        _, exponent = mp.frexp(value)
        unit = mp.ldexp(1, max(int(exponent) - 1 if value else -1022, -1022) - 52)
        unit = min(unit, mp.ldexp(1, 1023 - 52))
        number = mp.mpf(got) if math.isfinite(got) else math.copysign(1, got) * top
        errors[i] = float(abs(number - value) / unit)
        if got == 0 and math.copysign(1, got) != math.copysign(1, exact[i]):
            errors[i] = math.inf
    return errors


def is_pole(function, args):
    """Where a function that gives infinity does so exactly."""
    with np.errstate(all="ignore"):
        near = [np.nextafter(a, np.where(np.abs(a) > 1, 0, 2)) for a in args]
        poles = (args[0] == 0) | (np.abs(args[0]) == 1)
        if len(args) == 2:
            poles |= args[1] == 0
        return poles & np.isfinite(near[0])


def extra_bits(args, i):
    """Bits that cancel: of huge arguments of sin, and of those near 0 or 1."""
    return int(min(1100, max((abs(math.frexp(float(a[i]))[1]) for a in args))))


def ulps_same(result, exact):
    """0 where the numbers are the same, with their signs, else infinity."""
    same = (result == exact) & (np.signbit(result) == np.signbit(exact))
    return np.where(same | (np.isnan(result) & np.isnan(exact)), 0, np.inf)


def quiet(values):
    """One NaN for all: IEEE leaves open what becomes of signalling ones."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isnan(values), values.dtype.type(np.nan), values)


def edges(type_):
    """Values where functions change: special ones, thresholds, multiples."""
    digits, least, most = FORMATS[type_]
    dtype = TYPES[type_]
    top = np.ldexp(2.0 - np.ldexp(1.0, 1 - digits), most)
    values = [0.0, np.ldexp(1.0, least - digits + 1), np.ldexp(1.0, least), top,
              np.inf, 1.0, 0.5, 2.0, 3.0, 10.0, 1 / 3, np.ldexp(1.0, digits - 1),
              np.ldexp(1.0, digits), np.log(top), np.log2(top), np.log(top) + 0.7,
              -np.log(2.0) * (least - digits + 1), -np.log(2.0) * least, 27.2, 26.5,
              10.05, 9.2, 5.9, 4.0, 6.0, np.e, 1e-3, 1e-5, 1e-9, 0.3, 0.7,
              0.34657, 0.84375, 1.25, 0.46875, 22.0, 1.5, 2.5]
    values += [k * np.pi / 2 for k in (1, 2, 3, 4, 10, 22, 355, 710, 11.0, 1e4)]
    values += [top / 3, top / 1e3]
    with np.errstate(all="ignore"):
        values = np.array(values).astype(dtype)
    bits = values.view(f"u{dtype.itemsize}").astype(np.uint64)
    bits = np.concatenate([bits + d for d in (0, 1, 2)] + [bits[1:] - 1])
    bits = bits.astype(f"u{dtype.itemsize}").view(dtype)
    bits = quiet(bits)
    both = np.unique(np.concatenate([bits, -bits]).view(f"u{dtype.itemsize}"))
    return both.view(dtype)


def draw(type_, count, rng):
    """Half of them with any bits, half with magnitudes from 2^-12 to 2^7."""
    dtype = TYPES[type_]
    kind = f"u{dtype.itemsize}"
    wide = rng.integers(0, 1 << (8 * dtype.itemsize), count // 2, dtype=kind,
                        endpoint=False) if dtype.itemsize < 8 else rng.integers(
                            0, 2**64 - 1, count // 2, dtype=np.uint64, endpoint=True)
    wide = quiet(wide.view(dtype))
    usual = np.exp2(rng.uniform(-12, 7, count - count // 2))
    usual *= rng.choice([-1.0, 1.0], len(usual))
    return np.concatenate([wide, usual.astype(dtype)])


def every(type_):
    return np.arange(1 << 16, dtype=np.uint16).view(TYPES[type_])


def arguments(type_, arity, count, rng):
    if arity == 1:
        if type_ in ("f16", "bf16"):
            return [every(type_)]
        return [np.concatenate([edges(type_), draw(type_, count, rng)])]
    ends = edges(type_)
    if type_ == "f64":
        # All pairs would take mpmath minutes.
        ends = rng.choice(ends, 40, replace=False)
    x, y = (a.ravel() for a in np.meshgrid(ends, ends))
    return [np.concatenate([x, draw(type_, count, rng)]),
            np.concatenate([y, draw(type_, count, rng)])]


@functools.lru_cache(maxsize=8)
def known(type_, arity, count, seed):
    """Of the same arguments: exact values, and the last results with their errors."""
    return {}


def measure(type_, arity, count=4000, engine="jit", seed=0):
    """Yields (function, way, errors, arguments, results)."""
    import tensoraccess as ta

    functions = UNARY if arity == 1 else BINARY
    left_out = ("tosa",) if engine == "interpret" else ()
    text, keys = write_program(functions, type_, arity, left_out)
    module = ta.Module(text)
    run = module.compile() if engine == "jit" else module.interpret()
    args = arguments(type_, arity, count, np.random.default_rng(seed))
    results = run(*args)
    results = results if isinstance(results, tuple) else (results,)
    with np.errstate(invalid="ignore"):
        wide = [a.astype(np.float64) for a in args]
    cache = known(type_, arity, count, seed)
    for (name, way), result in zip(keys, results):
        function = functions[name]
        if name not in cache:
            with np.errstate(all="ignore"):
                exact = function.exact(*wide)
            cache[name] = exact, None, None
        exact, before, errors = cache[name]
        # The same bits from another way, or engine, have the same errors.
        if before is None or before.tobytes() != result.tobytes():
            with np.errstate(all="ignore"):
                errors = (ulps_f64(function, result, exact, wide) if type_ == "f64"
                          else ulps(type_, result, exact))
            cache[name] = exact, result, errors
        yield name, way, errors, args, result


#: What compiled code computes of f32 by polynomials.
POLYNOMIALS = ("exp", "exp2", "expm1", "log", "log2", "log1p", "tanh", "erf", "erfc",
               "logistic", "sinh", "cosh", "asinh", "acosh", "atanh")


def measure_every(step):
    """The largest error of each of them, and where."""
    from scipy import special
    import tensoraccess as ta

    exact = {"erf": special.erf, "erfc": special.erfc}
    chunk = step << 22
    for name in POLYNOMIALS:
        function = UNARY[name]
        way = "math" if "math" in function.ways else "hlo"
        text, _ = write_program({name: Function(None, **{way: function.ways[way]})},
                                "f32", 1)
        run = ta.Module(text).compile()
        worst = -1.0, 0.0, 0.0
        for first in range(0, 1 << 32, chunk):
            bits = np.arange(first, min(first + chunk, 1 << 32), step, dtype=np.uint64)
            x = quiet(bits.astype(np.uint32).view(np.float32))
            result = run(x)
            with np.errstate(all="ignore"):
                errors = ulps("f32", result,
                              exact.get(name, function.exact)(x.astype(np.float64)))
            i = int(np.argmax(errors))
            worst = max(worst, (float(errors[i]), float(x[i]), float(result[i])))
        yield (name, *worst)


def bound(name, type_, error):
    """What is promised where this was found: 0.5 only of IEEE's operations."""
    error = max(error, LIBM.get(type_, {}).get(name, 0))
    for limit in (0, 0.5) * (error == 0 or name in ROUNDED) + (0.51, 0.6):
        if error <= limit:
            return limit
    return math.ceil(error * 2) / 2 if math.isfinite(error) else error


def read_bounds(path):
    """The table of docs/Elementwise.md: {(function, type): ulps}."""
    lines = path.read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("| function"))
    rows = [line.strip("| ").split(" | ")
            for line in itertools.takewhile(lambda line: line.startswith("|"),
                                            lines[first:])
            if not line.startswith("|-")]
    types = rows[0][1:]
    return {(row[0], type_): float(cell) for row in rows[1:]
            for type_, cell in zip(types, row[1:])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--samples", type=int, default=4000)
    parser.add_argument("--engine", choices=("jit", "interpret"), default="jit")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--types", default=",".join(TYPES))
    options = parser.parse_args()
    if options.every > 0:
        for name, error, x, result in measure_every(options.every):
            print(f"{name:9} {error:.4f} at {x!r}: {result!r}", flush=True)
        return
    worst = {}
    for type_ in options.types.split(","):
        for arity in (1, 2):
            count = options.samples * (1 if type_ == "f64" else 50)
            for name, way, errors, args, result in measure(type_, arity, count,
                                                           options.engine):
                i = int(np.argmax(errors))
                found = (float(errors[i]), way, [a[i] for a in args], result[i])
                if options.exact:
                    print(f"{type_:5} {name:11} {way:7} {found[0]:.6g} at "
                          f"{', '.join(map(str, found[2]))}: {found[3]}"
                          f"  ({int(np.isinf(errors).sum())} infinite)", flush=True)
                if found[0] >= worst.get((name, type_), (-1,))[0]:
                    worst[name, type_] = found
    if options.check:
        page = pathlib.Path(__file__).parents[1] / "docs" / "Elementwise.md"
        bounds = read_bounds(page)
        far = [f"{name} of {type_} ({found[1]}) is {found[0]:.3f} ulps off at "
               f"{', '.join(map(str, found[2]))}: {found[3]}; at most {bounds[name, type_]}"
               for (name, type_), found in worst.items()
               if not found[0] <= bounds[name, type_]]
        sys.exit("\n".join(far) or None)
    if options.exact:
        return
    types = options.types.split(",")
    print("| function | " + " | ".join(types) + " |")
    print("|---|" + "---|" * len(types))
    for name in list(UNARY) + list(BINARY):
        cells = [f"{bound(name, t, worst[name, t][0]):g}" for t in types]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
