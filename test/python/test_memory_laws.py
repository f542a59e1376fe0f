# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops and index arithmetic: the map of a load against running them."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

import tensoraccess as ta

BINARY = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.minsi": min,
    "arith.maxsi": max,
}
BY_CONSTANT = {
    "arith.muli": lambda a, k: a * k,
    "arith.floordivsi": lambda a, k: a // k,
    "arith.ceildivsi": lambda a, k: -(-a // k),
    "arith.shrsi": lambda a, k: a >> k,
    "arith.shli": lambda a, k: a << k,
}
PREDICATES = {
    "slt": lambda a, b: a < b, "sle": lambda a, b: a <= b, "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b, "eq": lambda a, b: a == b,
}

# A program over values 0 (i) and 1 (j): each step names earlier values.
steps = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(sorted(BINARY)), st.sampled_from(sorted(BY_CONSTANT)),
                  st.just("mask")),
        st.integers(0, 9), st.integers(0, 9), st.integers(1, 5)),
    min_size=1, max_size=6)


def evaluate(program, i, j):
    values = [i, j]
    for op, a, b, k in program:
        x, y = values[a % len(values)], values[b % len(values)]
        if op == "mask":
            values.append(x & (2**k - 1))
        else:
            values.append(BINARY[op](x, y) if op in BINARY else BY_CONSTANT[op](x, k))
    return values


def text(program):
    lines, names = [], ["%i", "%j"]
    for n, (op, a, b, k) in enumerate(program):
        x, y = names[a % len(names)], names[b % len(names)]
        constant = 2**k - 1 if op == "mask" else k
        lines.append(f"%k{n} = arith.constant {constant} : index")
        other = y if op in BINARY else f"%k{n}"
        name = "arith.andi" if op == "mask" else op
        lines.append(f"%x{n} = {name} {x}, {other} : index")
        names.append(f"%x{n}")
    return lines, names


@settings(max_examples=150)
@given(steps, st.integers(-3, 3), st.integers(1, 9), st.integers(1, 3), st.integers(1, 3),
       st.booleans(), st.sampled_from(sorted(PREDICATES)), st.integers(0, 9),
       st.integers(-4, 9), st.booleans())
def test_loads_below_random_loops(program, low, count, step, inner, triangular, predicate,
                                  tested, limit, negated):
    lines, names = text(program)
    high = low + count
    value = names[tested % len(names)]
    branch = ["scf.if %c {", "} else {", "}"] if negated else ["scf.if %c {", "}"]
    load = f"%v = memref.load %m[{names[-1]}] : memref<9xf32>"
    branch.insert(-1, load)
    source = "\n".join([
        "func.func @f(%m: memref<9xf32>) {",
        f"%l = arith.constant {low} : index", f"%h = arith.constant {high} : index",
        f"%s = arith.constant {step} : index", f"%t = arith.constant {inner} : index",
        f"%limit = arith.constant {limit} : index",
        "scf.for %i = %l to %h step %s {",
        f"scf.for %j = %l to {'%i' if triangular else '%h'} step %t {{",
        *lines, f"%c = arith.cmpi {predicate}, {value}, %limit : index", *branch,
        "}", "}", "return", "}"])
    (access,) = ta.Module(source).memory_accesses()["f"]
    if predicate == "eq" and negated and access.reason == "control flow":
        return  # "not equal" leaves two intervals
    assert access.reason != "control flow", source
    assert not access.map.is_unknown, access.reason

    expected = {}
    for i in range(low, high, step):
        for j in range(low, i if triangular else high, inner):
            values = evaluate(program, i, j)
            if PREDICATES[predicate](values[tested % len(values)], limit) != negated:
                expected[i, j] = [values[-1]]
    found = {}
    for point in itertools.product(range(low - 2, high + 2), repeat=2):
        index = access.map.evaluate(list(point))
        if index is not None:
            found[point] = index
    assert found == expected, source
