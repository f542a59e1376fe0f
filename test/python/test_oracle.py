# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every op that the interpreter runs, against something that is not ours.

The interpreter is what everything else is compared with. Its own list of ops
(`ta.interpreted_ops()`) must be covered by the programs here, against NumPy; by
named ops of linalg, lowered by upstream (`bench/upstream.py`); or by the programs
with what XLA computes (`test/Execution/Inputs/stablehlo-programs.mlir`), which
StableHloTest runs.
"""

import math
import re

import numpy as np
import oracle_access
import oracle_linalg
import oracle_memory
import oracle_programs
import pytest
import tensoraccess as ta

#: Programs of one op each: its text, inputs and results.
CASES = {}


def typed(array):
    names = {"b": "i1", "i": "i", "f": "f"}
    kind = array.dtype.kind
    element = "i1" if kind == "b" else f"{names[kind]}{8 * array.itemsize}"
    return f"tensor<{''.join(f'{n}x' for n in array.shape)}{element}>"


def elementwise(op, inputs, result, middle="", to=""):
    """An op on whole tensors; `to` stands between types of casts."""
    inputs, result = [np.asarray(x) for x in inputs], np.asarray(result)
    head = ", ".join(f"%a{i}: {typed(x)}" for i, x in enumerate(inputs))
    names = ", ".join(f"%a{i}" for i in range(len(inputs)))
    types = typed(inputs[-1])
    if to:
        types += f" to {typed(result)}"
    if op == "arith.select":
        types = f"{typed(inputs[0])}, {types}"
    if op == "math.fpowi":
        types = f"{typed(inputs[0])}, {types}"
    CASES[op] = (
        f"func.func @main({head}) -> {typed(result)} {{\n  %r = {op} {middle}{names} : {types}\n"
        f"  return %r : {typed(result)}\n}}",
        inputs,
        [result],
    )


# Integers that wrap, meet signs, and shift by less than the width.
I = np.array([0, 1, -1, 2, -2, 7, -7, 100, -128, 127, 63, -64], np.int8)
J = np.array([1, 1, -1, 3, 5, -2, 3, 100, 127, -128, -9, 64], np.int8)
S = np.array([0, 1, 7, 3, 5, 2, 3, 6, 4, 0, 1, 7], np.int8)
U, V = I.view(np.uint8), J.view(np.uint8)
F = np.array([0.0, -0.0, 1.5, -1.5, 0.25, 3.0, -2.5, 0.5, 1e-3, 7.0], np.float32)
G = np.array([1.0, 2.0, -0.5, 3.0, 0.75, -3.0, 2.5, 0.5, -1e3, 2.0], np.float32)


def signed_quotient(a, b, round_):
    q = a.astype(np.int64) / b.astype(np.int64)
    return round_(q).astype(np.int8)


with np.errstate(all="ignore"):
    for name, result in {
        "addi": I + J, "subi": I - J, "muli": I * J, "andi": I & J, "ori": I | J, "xori": I ^ J,
        "maxsi": np.maximum(I, J), "minsi": np.minimum(I, J),
        "maxui": np.maximum(U, V).view(np.int8), "minui": np.minimum(U, V).view(np.int8),
        "divui": (U // V).view(np.int8), "remui": (U % V).view(np.int8),
        "ceildivui": (-(-U.astype(int) // V)).astype(np.uint8).view(np.int8),
        "divsi": signed_quotient(I, J, np.trunc), "floordivsi": signed_quotient(I, J, np.floor),
        "ceildivsi": signed_quotient(I, J, np.ceil), "remsi": np.fmod(I, J),
    }.items():  # fmt: skip
        elementwise(f"arith.{name}", [I, J], result)
    for name, result in {
        "shli": I << S, "shrsi": I >> S, "shrui": (U >> S.view(np.uint8)).view(np.int8),
    }.items():  # fmt: skip
        elementwise(f"arith.{name}", [I, S], result)
    for name, result in {
        "addf": F + G, "subf": F - G, "mulf": F * G, "divf": F / G, "remf": np.fmod(F, G),
        "maximumf": np.maximum(F, G), "minimumf": np.minimum(F, G),
        "maxnumf": np.fmax(F, G), "minnumf": np.fmin(F, G),
    }.items():  # fmt: skip
        elementwise(f"arith.{name}", [F, G], result)
elementwise("arith.negf", [F], -F)
elementwise("arith.cmpi", [I, J], U < V, middle="ult, ")
elementwise("arith.cmpf", [F, G], F < G, middle="olt, ")
elementwise("arith.select", [I < J, I, J], np.where(I < J, I, J))
elementwise("arith.extsi", [I], I.astype(np.int32), to="to")
elementwise("arith.extui", [I], U.astype(np.int32), to="to")
elementwise("arith.trunci", [np.array([300, -1, 128, 70000], np.int32)], np.array([44, -1, -128, 112], np.int8), to="to")
elementwise("arith.extf", [F], F.astype(np.float64), to="to")
elementwise("arith.truncf", [np.array([0.1, 1e-9, -3.7])], np.array([0.1, 1e-9, -3.7], np.float32), to="to")
elementwise("arith.sitofp", [I], I.astype(np.float32), to="to")
elementwise("arith.uitofp", [I], U.astype(np.float32), to="to")
elementwise("arith.fptosi", [F], F.astype(np.int32), to="to")
elementwise("arith.fptoui", [np.abs(F)], np.abs(F).astype(np.int32), to="to")
elementwise("arith.bitcast", [F], F.view(np.int32), to="to")

INSIDE = np.linspace(-0.9, 0.9, 7).astype(np.float32)
with np.errstate(all="ignore"):
    EDGES = F / F[::-1]
ABOVE = np.array([0.1, 0.5, 1.0, 1.5, 3.0, 20.0], np.float32)
for name, x, function in [
    ("absf", F, np.abs), ("acos", INSIDE, np.arccos), ("acosh", 1 + ABOVE, np.arccosh), ("asin", INSIDE, np.arcsin),
    ("asinh", F, np.arcsinh), ("atan", F, np.arctan), ("atanh", INSIDE, np.arctanh), ("cbrt", F, np.cbrt),
    ("ceil", F, np.ceil), ("cos", F, np.cos), ("cosh", F, np.cosh), ("erf", F, np.vectorize(math.erf)),
    ("erfc", F, np.vectorize(math.erfc)), ("exp", F, np.exp), ("exp2", F, np.exp2), ("expm1", F, np.expm1),
    ("floor", F, np.floor), ("isfinite", EDGES, np.isfinite), ("isinf", EDGES, np.isinf),
    ("isnan", EDGES, np.isnan), ("log", ABOVE, np.log), ("log10", ABOVE, np.log10), ("log1p", ABOVE, np.log1p),
    ("log2", ABOVE, np.log2), ("round", F, lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)),
    ("roundeven", F, np.rint), ("rsqrt", ABOVE, lambda x: 1 / np.sqrt(x)), ("sin", F, np.sin), ("sinh", F, np.sinh),
    ("sqrt", ABOVE, np.sqrt), ("tan", F, np.tan), ("tanh", F, np.tanh), ("trunc", F, np.trunc),
]:  # fmt: skip
    with np.errstate(all="ignore"):
        x = np.asarray(x, np.float32)
        y = np.asarray(function(x.astype(np.float64)))
    elementwise(f"math.{name}", [x], y if y.dtype == bool else y.astype(np.float32))
elementwise("math.atan2", [F, G], np.arctan2(F.astype(float), G).astype(np.float32))
elementwise("math.copysign", [F, G], np.copysign(F, G))
elementwise("math.powf", [ABOVE, ABOVE[::-1].copy()], (ABOVE.astype(float) ** ABOVE[::-1]).astype(np.float32))
elementwise("math.fma", [F, G, F], (F.astype(float) * G + F).astype(np.float32))
elementwise("math.fpowi", [G, np.arange(-5, 5, dtype=np.int32)], (G.astype(float) ** np.arange(-5, 5)).astype(np.float32))
elementwise("math.absi", [I], np.abs(I))
elementwise("math.ctpop", [I], np.array([bin(x).count("1") for x in U], np.int8))
elementwise("math.ctlz", [I], np.array([8 - int(x).bit_length() for x in U], np.int8))
elementwise("math.cttz", [I], np.array([(int(x) & -int(x)).bit_length() - 1 if x else 8 for x in U], np.int8))
elementwise("math.ipowi", [I, S], np.array([pow(int(a), int(b)) for a, b in zip(I, S)]).astype(np.int8))
CASES.update(oracle_programs.CASES)
CASES.update(oracle_access.CASES)
CASES.update(oracle_memory.CASES)


@pytest.mark.parametrize("op", CASES)
def test_against_numpy(op):
    text, inputs, results = CASES[op]
    assert op in text
    given = ta.Module(text).interpret()(*inputs)
    given = given if isinstance(given, tuple) else (given,)
    assert len(given) == len(results)
    for ours, right in zip(given, results):
        ours, right = np.asarray(ours), np.asarray(right)
        assert ours.shape == right.shape
        if right.dtype.kind == "f":
            # Functions are rounded once, NumPy's from a double.
            np.testing.assert_array_max_ulp(ours[~np.isnan(right)], right[~np.isnan(right)], 1)
            np.testing.assert_array_equal(np.isnan(ours), np.isnan(right))
        else:
            np.testing.assert_array_equal(ours, right)


@pytest.mark.parametrize("name", oracle_memory.CASES)
def test_memory_compiled(name):
    """What the interpreter and NumPy agree on is what compiled code does."""
    text, inputs, results = oracle_memory.CASES[name]
    given = ta.Module(text).compile()(*inputs)
    for ours, right in zip(given if isinstance(given, tuple) else (given,), results, strict=True):
        np.testing.assert_array_equal(ours, right)


@pytest.mark.parametrize("op", oracle_linalg.CASES)
def test_against_upstream(op, root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "bench"))
    import upstream

    if not upstream.is_there():
        pytest.skip("no mlir-opt of LLVM 22")
    text, inputs = oracle_linalg.CASES[op]
    assert op in text
    (theirs,) = upstream.run(text, inputs)
    ours = np.asarray(ta.Module(text).interpret()(*inputs))
    if theirs.dtype.kind == "f":
        # Functions of libm on f32.
        np.testing.assert_array_max_ulp(ours, theirs, 4)
    else:
        np.testing.assert_array_equal(ours, theirs)


def ops_in(text):
    """Names of ops; those of CHLO and MHLO are run as StableHLO's."""
    text = re.sub(r"\b(chlo|mhlo)\.", "stablehlo.", text)
    return set(re.findall(r"\b(?:affine|arith|bufferization|cf|index|linalg|math|memref|scf|stablehlo|tensor|tensoraccess|ub|vector)\.[\w.]+", text))


def test_every_op_is_covered(root):
    known = set(ta.interpreted_ops())
    assert {"arith.addi", "linalg.matmul", "scf.for", "stablehlo.gather", "tensoraccess.compute"} < known
    covered = ops_in((root / "test/Execution/Inputs/stablehlo-programs.mlir").read_text())
    for text, *_ in [*CASES.values(), *oracle_linalg.CASES.values()]:
        covered |= ops_in(text)
    assert sorted(known - covered) == []
