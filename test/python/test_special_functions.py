# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that libm has not are what mpmath says: f16, bf16 and f32 nearly
rounded correctly, f64 within some units of the larger of the value and 1."""

import math
import sys

import mpmath as mp
import numpy as np
import pytest
from conftest import ROOT

import tensoraccess as ta

sys.path.insert(0, str(ROOT / "bench"))
import ulps  # noqa: E402

INF, NAN = math.inf, math.nan
#: What mpmath calls it, units in f64, and pairs of arguments and values where it
#: is not a number, infinite or a zero.
FUNCTIONS = {
    "erf_inv": (mp.erfinv, 4,
                [(1, INF), (-1, -INF), (1.5, NAN), (-INF, NAN), (0.0, 0.0), (-0.0, -0.0)]),
    "lgamma": (lambda x: mp.re(mp.loggamma(x)), 4,
               [(0.0, INF), (-0.0, INF), (-1, INF), (-7, INF), (INF, INF), (-INF, INF),
                (1, 0.0), (2, 0.0)]),
    "digamma": (mp.digamma, 8,
                [(0.0, NAN), (-0.0, NAN), (-1, NAN), (-7, NAN), (INF, INF), (-INF, NAN)]),
    "bessel_i1e": (lambda x: mp.besseli(1, x) * mp.exp(-abs(x)), 4,
                   [(0.0, 0.0), (-0.0, -0.0), (INF, 0.0), (-INF, -0.0)]),
}


def write(name, type_, arity=1):
    t = f"tensor<?x{type_}>"
    args = ["%x", "%y"][:arity]
    return f"""func.func @main({", ".join(f"{a}: {t}" for a in args)}) -> {t} {{
  %0 = "chlo.{name}"({", ".join(args)}) : ({", ".join([t] * arity)}) -> {t}
  return %0 : {t}
}}"""


def runs(text):
    module = ta.Module(text)
    return module.interpret("main"), module.compile("main")


def draw(name, type_):
    dtype, rng = ulps.TYPES[type_], np.random.default_rng(1)
    if name == "erf_inv":
        near = 1 - np.exp2(-rng.uniform(1, 52, 150))
        x = np.concatenate([rng.uniform(-1, 1, 150), near, -near, np.exp2(-rng.uniform(1, 300, 50))])
    else:
        x = np.concatenate([rng.uniform(-12, 20, 400), np.exp2(rng.uniform(-60, 15, 150)),
                            -np.exp2(rng.uniform(-60, 6, 50)), 1 + rng.uniform(-1, 1, 50) * 1e-3,
                            2 + rng.uniform(-1, 1, 50) * 1e-3, np.arange(0.5, 12, 0.5)])
    x = x.astype(dtype)
    return x[np.abs(x) < 1] if name == "erf_inv" else x[(x > 0) | (x != np.rint(x))]


@pytest.mark.parametrize("type_", list(ulps.TYPES))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values(name, type_):
    exact, units, special = FUNCTIONS[name]
    dtype, x = ulps.TYPES[type_], draw(name, type_)
    with mp.workprec(200):
        wanted = [exact(mp.mpf(float(v))) for v in x]
    at, values = (np.array([*side, NAN]) for side in zip(*special))
    for run in runs(write(name, type_)):
        result = run(x)
        if type_ == "f64":
            sizes = [max(abs(w), 1) for w in wanted]
            errors = [float(abs(mp.mpf(float(r)) - w) / s) * 2**52
                      for r, w, s in zip(result, wanted, sizes)]
        else:
            errors = ulps.ulps(type_, result, np.array(wanted, np.float64))
        far = int(np.argmax(errors))
        assert errors[far] <= (units if type_ == "f64" else 0.51), (x[far], result[far])
        found = ulps.quiet(run(at.astype(dtype))).astype(np.float64)
        assert (ulps.ulps_same(found, values) == 0).all(), (at, found)


PAIRS = {
    # zeta is accurate where it is a sum of numbers above 0.
    "zeta": (lambda x, q: mp.zeta(mp.mpf(x), q), [1.0625, 1.5, 2, 3, 7.25, 30, 60],
             [0.01, 0.5, 1, 2.25, 7, 40, 1000],
             [(1, 2, INF), (0.5, 2, NAN), (2, -1, INF), (3, -1, NAN), (2.5, -0.5, NAN),
              (INF, 2, NAN), (-INF, -1, NAN),
              (0, -INF, INF), (0, 2, NAN)]),
    "polygamma": (lambda n, x: mp.polygamma(int(n), x), [0, 1, 2, 3, 6, 10], [0.01, 0.5, 1, 2.25, 7, 40, 1000],
                  [(0.5, 2, NAN), (-1, 2, NAN), (1, 0, INF), (2, -3, NAN), (0, 0, NAN),
                   (INF, -4, NAN)]),
}


@pytest.mark.parametrize("type_", list(ulps.TYPES))
@pytest.mark.parametrize("name", PAIRS)
def test_pairs(name, type_):
    exact, left, right, special = PAIRS[name]
    dtype = ulps.TYPES[type_]
    x, y = (np.ravel(a).astype(dtype) for a in np.meshgrid(left, right))
    with mp.workprec(1000):  # mpmath's zeta is exact to so many bits after the point
        wanted = [exact(float(a), mp.mpf(float(b))) for a, b in zip(x, y)]
    a, b, values = (np.array(side) for side in zip(*special, (NAN, 2, NAN), (2, NAN, NAN)))
    for run in runs(write(name, type_, 2)):
        result = run(x, y)
        if type_ == "f64":
            errors = [float(abs(mp.mpf(float(r)) / w - 1)) * 2**52 for r, w in zip(result, wanted)]
        else:
            errors = ulps.ulps(type_, result, np.array(wanted, np.float64))
        far = int(np.argmax(errors))
        assert errors[far] <= (64 if type_ == "f64" else 0.51), (x[far], y[far], result[far])
        found = ulps.quiet(run(a.astype(dtype), b.astype(dtype))).astype(np.float64)
        assert (ulps.ulps_same(found, values) == 0).all(), found


@pytest.mark.parametrize("type_", [f"{s}i{n}" for s in ("", "u") for n in (8, 16, 32, 64)])
def test_mulhi(type_):
    bits, dtype = int(type_.lstrip("ui")), np.dtype(type_.replace("i", "int"))
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    ends = sorted({0, 1, 3, 7, least, least + 5, most, most - 1, most // 3, max(least, -2)})
    pairs = [(a, b) for a in ends for b in ends]
    x, y = (np.array(a, dtype).view(f"i{bits // 8}") for a in zip(*pairs))
    for run in runs(write("mulhi", type_, 2)):
        assert run(x, y).view(dtype).tolist() == [a * b >> bits for a, b in pairs]


@pytest.mark.parametrize("type_", list(ulps.TYPES))
def test_next_after(type_):
    """Every pair of edges; against numpy and ml_dtypes."""
    dtype, ends = ulps.TYPES[type_], ulps.edges(type_)
    x, y = (np.ascontiguousarray(a.ravel()) for a in np.meshgrid(ends, ends))
    with np.errstate(all="ignore"):
        # Of equal numbers the second, as in C; numpy's f16 takes the first.
        wanted = np.where(x == y, y, np.nextafter(x, y))
    kind = f"u{dtype.itemsize}"
    for run in runs(write("next_after", type_, 2)):
        assert (ulps.quiet(run(x, y)).view(kind) == ulps.quiet(wanted).view(kind)).all()


def test_integers_have_none():
    names = [(n, 1) for n in FUNCTIONS] + [(n, 2) for n in (*PAIRS, "next_after")]
    for name, arity in names:
        module = ta.Module(write(name, "i32", arity))
        x = [np.ones(3, np.int32)] * arity
        with pytest.raises(ta.Error, match=f"the interpreter cannot run 'chlo.{name}'"):
            module.interpret("main")(*x)
        with pytest.raises(ta.Error, match="is not defined for these types and attributes"):
            module.compile("main")
