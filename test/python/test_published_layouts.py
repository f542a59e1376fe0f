# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layouts of NVIDIA's tests of CuTe (test/unit/cute/core and test/python/pycute of
CUTLASS, commit 7107b0553; those with numbers for strides), each operation by its
definition, number by number."""

import math
import pathlib
import re

import pytest

import tensoraccess as ta

CASES = [line.split(" ") for line in pathlib.Path(__file__).with_name(
    "published_layouts.txt").read_text().splitlines()]


def read(text):
    """A layout as a function of its own: size, and numbers by colexicographic place."""
    swizzle = re.match(r"Sw<(\d+),(\d+),(-?\d+)>o", text)
    shape, stride = (eval(part.replace(")", ",)")) for part in
                     text[swizzle.end() if swizzle else 0:].split(":"))

    def leaves(tree):
        return [x for t in tree for x in leaves(t)] if isinstance(tree, tuple) else [tree]

    modes = list(zip(leaves(shape), leaves(stride), strict=True))
    size = 1
    for extent, _ in modes:
        size *= extent

    def number(n):
        # Of negative numbers CuTe's coordinates are those of C++'s division.
        if n < 0:
            return -number(-n)
        total = 0
        for i, (extent, step) in enumerate(modes):
            last = i == len(modes) - 1
            total += (n if last else n % extent) * step
            n //= extent
        if swizzle:
            bits, base, shift = map(int, swizzle.groups())
            mask = ((1 << bits) - 1) << base
            total ^= ((total >> shift) & mask if shift >= 0 else (total & mask) << -shift)
        return total

    return size, number


def ours(text):
    return ta.StridedLayout(text.replace(">o", "> o "))


@pytest.mark.parametrize("operation, texts", [
    pytest.param(case[0], case[1:], id=" ".join(case)) for case in CASES])
def test_published(operation, texts):
    a, (size, f) = ours(texts[0]), read(texts[0])
    assert a.numbers() == [f(i) for i in range(size)]
    if operation == "composition":
        g_size, g = read(texts[1])
        r = a.compose(ours(texts[1]))
        assert r.numbers() == [f(g(i)) for i in range(g_size)]
    elif operation == "coalesce":
        assert a.coalesce().numbers() == a.numbers()
    elif operation == "complement":
        end = math.prod(map(int, re.findall(r"\d+", texts[1]))) if len(texts) > 1 else a.cosize
        held = sorted({f(i) for i in range(size)})
        try:
            r = a.complement(end)
        except ta.Error:
            # Its numbers repeat with no layout.
            steps = {y - x for x, y in zip(held, held[1:])}
            assert len(steps) > 1 or min(held) < 0
            return
        sums = [x + y for x in held for y in r.numbers()]
        assert len(set(sums)) == len(sums)
        assert set(range(end)) <= set(sums)
        assert r.numbers() == sorted(r.numbers())
    elif operation == "right_inverse":
        r = a.right_inverse()
        assert [f(i) for i in r.numbers()] == list(range(r.size))
    elif operation == "left_inverse":
        if len({f(i) for i in range(size)}) < size:
            with pytest.raises(ta.Error):
                a.left_inverse()
            return
        r = a.left_inverse()
        assert [r(n) if n >= 0 else -r(-n) for n in map(f, range(size))] == list(range(size))
    elif operation == "logical_divide":
        g_size, g = read(texts[1])
        r = a.logical_divide(ours(texts[1]))
        assert r.rank == 2
        assert [r((i, 0)) for i in range(g_size)] == [f(g(i)) for i in range(g_size)]
    else:
        assert operation == "logical_product"
        r = a.logical_product(ours(texts[1]))
        assert [r((i, 0)) for i in range(size)] == a.numbers()
