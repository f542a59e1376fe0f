# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton's linear layouts as values: every operation against all points of small
layouts in plain Python; and the cases of test/Cases."""

import itertools
import json
import pickle
import random
from pathlib import Path

import numpy as np
import pytest

import tensoraccess as ta

CASES = Path(__file__).parents[1] / "Cases"
Linear = ta.LinearLayout


def points(layout):
    """All points, the first input fastest."""
    return [list(reversed(p)) for p in
            itertools.product(*[range(s) for s in reversed(layout.in_sizes)])]


def value(bases, point, outputs):
    index = [0] * outputs
    for list_, x in zip(bases, point):
        for bit, basis in enumerate(list_):
            if x >> bit & 1:
                index = [a ^ b for a, b in zip(index, basis)]
    return index


def random_layout(rng, outputs=None, out_bits=None, in_bits=None):
    out_bits = out_bits or [rng.randint(0, 3) for _ in range(outputs or rng.randint(1, 3))]
    in_bits = in_bits or [rng.randint(0, 3) for _ in range(rng.randint(1, 3))]
    sizes = [1 << b for b in out_bits]
    bases = [[[rng.randrange(s) if rng.random() < 0.8 else 0 for s in sizes]
              for _ in range(bits)] for bits in in_bits]
    return Linear(bases, sizes), bases


def span(vectors, width):
    """All sums of some of the vectors."""
    sums = {(0,) * width}
    for v in vectors:
        sums |= {tuple(a ^ b for a, b in zip(s, v)) for s in sums}
    return sums


RANDOM = [random.Random(seed) for seed in range(60)]


@pytest.mark.parametrize("rng", RANDOM)
def test_values(rng):
    for _ in range(6):
        layout, bases = random_layout(rng)
        outputs = len(layout.out_sizes)
        table = {}
        for point in points(layout):
            index = value(bases, point, outputs)
            assert layout.apply(point) == index == layout(point)
            assert layout.indexing_map.evaluate(point) == index
            assert layout.apply(dict(zip(layout.in_names, point))) == dict(
                zip(layout.out_names, index))
            table.setdefault(tuple(index), point)
        count = len(points(layout))
        assert layout.bases == bases
        assert Linear(str(layout)) == layout == pickle.loads(pickle.dumps(layout))
        assert layout.is_injective == (len(table) == count)
        total = 1
        for size in layout.out_sizes:
            total *= size
        assert layout.is_surjective == (len(table) == total)
        assert len(table) == 1 << layout.rank
        # The first point, the first input's bits lowest, is the least.
        for index in itertools.product(*[range(s) for s in layout.out_sizes]):
            assert layout.find(list(index)) == table.get(index)
            holders = [p for p in points(layout) if tuple(value(bases, p, outputs)) == index]
            assert sorted(layout.find_all(list(index))) == sorted(map(list, holders))
            assert layout.find_all(list(index))[:1] == ([table[index]] if index in table else [])
        zeros = {tuple(p) for p in points(layout) if not any(layout.apply(p))}
        assert span(layout.kernel, len(bases)) == zeros
        assert span(layout.image, outputs) == set(table)
        # Without the free bits everything is still reached, once.
        masks = layout.free_variable_masks
        kept = [p for p in points(layout) if not any(x & m for x, m in zip(p, masks))]
        assert {tuple(layout.apply(p)) for p in kept} == set(table) and len(kept) == len(table)


def flat(index, sizes):
    number = 0
    for x, size in zip(reversed(index), reversed(sizes)):
        number = number * size + x
    return number


@pytest.mark.parametrize("rng", RANDOM)
def test_consecutive(rng):
    for _ in range(10):
        layout, bases = random_layout(rng)
        if rng.random() < 0.7 and bases[0]:
            # Most layouts of chance have none.
            bits = min(len(bases[0]), sum(s.bit_length() - 1 for s in layout.out_sizes))
            for b in range(bits):
                number, basis = 1 << b, []
                for size in layout.out_sizes:
                    basis.append(number % size)
                    number //= size
                bases[0][b] = basis
            layout = Linear(bases, layout.out_sizes)
        best = 1
        for k in range(len(bases[0]) + 1):
            block = 1 << k
            numbers = [flat(layout.apply(p), layout.out_sizes) for p in points(layout)]
            groups = [numbers[i:i + block] for i in range(0, len(numbers), block)]
            if all(g == [g[0] + i for i in range(block)] and g[0] % block == 0 for g in groups):
                best = block
        assert layout.num_consecutive_in_out == best
        # Every other order, and row-major, on arrays of numpy.
        outputs = len(layout.out_sizes)
        for order in [None, *itertools.permutations(range(outputs))]:
            fastest = list(reversed(range(outputs))) if order is None else order
            numbers = [np.ravel_multi_index([layout.apply(p)[d] for d in reversed(fastest)],
                                            [layout.out_sizes[d] for d in reversed(fastest)])
                       for p in points(layout)]
            best = max(block for block in (1 << k for k in range(len(bases[0]) + 1))
                       if all(n == numbers[i - i % block] + i % block and
                              numbers[i - i % block] % block == 0
                              for i, n in enumerate(numbers)))
            assert layout.count_consecutive(order) == best
        with pytest.raises(ta.Error, match="order must hold each of 0 to"):
            layout.count_consecutive([0] * (outputs + 1))


@pytest.mark.parametrize("rng", RANDOM)
def test_algebra(rng):
    for _ in range(10):
        first, _ = random_layout(rng)
        middle = [s.bit_length() - 1 for s in first.out_sizes]
        second, _ = random_layout(rng, in_bits=middle)
        both = first.compose(second)
        assert all(both(p) == second(first(p)) for p in points(first))
        # What other layouts of the same indices hold.
        a, _ = random_layout(rng, out_bits=middle)
        reached = {tuple(first(p)) for p in points(first)}
        if all(tuple(a(p)) in reached for p in points(a)):
            c = a.invert_and_compose(first)
            assert all(first(c(p)) == a(p) for p in points(a))
            assert all(c(p) == first.find(a(p)) for p in points(a))
        else:
            with pytest.raises(ta.Error, match="does not reach"):
                a.invert_and_compose(first)
        if first.is_surjective:
            back = first.invert()
            assert all(first(back(list(i))) == list(i)
                       for i in itertools.product(*[range(s) for s in first.out_sizes]))
        elif first.out_sizes:
            with pytest.raises(ta.Error, match="does not reach"):
                first.invert()
        c, _ = random_layout(rng, outputs=len(first.out_sizes))
        product = first * c
        shared = min(len(first.in_names), len(c.in_names))
        for p in points(product):
            low, high = [], []
            for i, x in enumerate(p):
                size = first.in_sizes[i] if i < len(first.in_names) else 1
                low.append(x % size)
                high.append(x // size)
            low, high = low[: len(first.in_names)], high[: len(c.in_names)]
            assert product(p) == [x + y * s for x, y, s in zip(
                first(low), c(high), first.out_sizes)]
        assert shared and product.divide_left(first).bases[: len(c.bases)] == c.bases
        if first.rank and not product.divide_left(first) == product:
            with pytest.raises(ta.Error):
                first.divide_left(product * product)


@pytest.mark.parametrize("text", [
    "(4,8):(8,1)", "((2,4),8):((1,16),2)", "(8,8):(8,1)", "Sw<2,0,3> o (8,8):(8,1)",
    "(4,2):(3,16)", "(1,4):(0,2)", "Sw<2,1,-3> o (4,8):(1,4)"])
def test_strides(text):
    strided = ta.StridedLayout(text)
    linear = Linear.from_strided(strided) if "3" not in text.split(":")[1] else None
    if linear is None:
        with pytest.raises(ta.Error, match="carries"):
            Linear.from_strided(strided)
        return
    sizes = linear.in_sizes
    assert [linear(p)[0] for p in points(linear)] == strided.numbers()
    assert len(sizes) == strided.rank
    if strided.swizzle:
        with pytest.raises(ta.Error, match="exclusive or is not a sum"):
            linear.to_strided()
    else:
        assert linear.to_strided().numbers() == strided.numbers()


def test_names_and_texts():
    layout = Linear({"register": [[0, 1]], "lane": [[0, 2], [1, 0]], "block": []},
                    {"row": 2, "column": 4})
    assert str(layout) == ("{register = [[0, 1]], lane = [[0, 2], [1, 0]], block = []} -> "
                           "{row = 2, column = 4}")
    assert layout.apply({"lane": 3, "register": 1, "block": 0}) == {"row": 1, "column": 3}
    assert layout.in_names == ["register", "lane", "block"] and layout.in_sizes == [2, 4, 1]
    # As Triton prints them.
    triton = Linear("{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], "
                    "[4, 0]], warp = [[16, 0]], block = []}")
    assert triton.out_sizes == [32, 8] and triton.is_injective and triton.is_surjective
    assert Linear.identity(8, "lane", "column")(5) == [5]


@pytest.mark.parametrize("bases, sizes, message", [
    ([[[1]]], [3], "size 0 must be a power of two, got 3"),
    ([[[1]]], [0], "must be a power of two, got 0"),
    ([[[4]]], [4], r"basis 0 of in0 must be in \[0, 4\), got 4"),
    ([[[-1]]], [4], r"got -1"),
    ([[[1, 2]]], [4], "must have 1 numbers, got 2"),
    ([[[1.5]]], [4], "basis entry 0 must be an integer"),
    ([[[0]] * 63], [2], "at most 62 bits"),
    ([], [1 << 40, 1 << 40], "more than 62 bits"),
    ({"a b": [[1]]}, [2], "input names must be letters, digits and '_', got 'a b'"),
    ({"": [[1]]}, [2], "input names must be letters"),
    ({"a": [[1]]}, {"1": 2}, "output names must be letters"),
    ("{a = [[1]], a = [[1]]}", None, "input 'a' appears twice"),
    ("{a = [[1]]} -> [3]", None, "power of two, got 3"),
    ("{a = [[1]} -> [2]", None, "expected ',' or ']'"),
    ("a = [[1]]", None, "'{' to begin inputs"),
    ("{a = [[1]]} [2]", None, "expected '->'"),
])
def test_wrong_layouts(bases, sizes, message):
    with pytest.raises(ta.Error, match=message):
        Linear(bases, sizes) if sizes is not None else Linear(bases)


def test_errors():
    layout = Linear([[[1], [2]]], [4])
    with pytest.raises(ta.Error, match=r"input 'in0' must be in \[0, 4\), got 4"):
        layout(4)
    with pytest.raises(ta.Error, match="the layout has 1 inputs, got 2"):
        layout([1, 1])
    # Of an input of size 1 there is one number; any other must be given.
    block = Linear("{lane = [[1]], block = []} -> [2]")
    assert block.apply({"lane": 1}) == block({"lane": 1, "block": 0}) == {"dim0": 1}
    with pytest.raises(ta.Error, match="input 'lane' is missing"):
        block.apply({"block": 0})
    with pytest.raises(ta.Error, match="the layout has 2 inputs, got 2"):
        block.apply({"lane": 1, "blocks": 0})
    with pytest.raises(ta.Error, match=r"'dim0' must be in \[0, 2\), got 2"):
        block.find_all([2])
    # As an attribute, with sizes and without.
    for text in (f"#ttg.linear<{block}>", f"#tensoraccess.linear< {block} >",
                 "#ttg.linear<{lane = [[1]], block = []}>"):
        assert Linear(text) == block
    with pytest.raises(ta.Error, match="'#ttg.blocked' is not read; #ttg.linear<{…}>"):
        Linear("#ttg.blocked<{sizePerThread = [1]}>")
    with pytest.raises(ta.Error, match="expected '>', got end of text"):
        Linear("#ttg.linear<{lane = [[1]]}")
    with pytest.raises(ta.Error, match="expected end of text, got '>'"):
        Linear("{lane = [[1]]} -> [2]>")
    with pytest.raises(ta.Error, match="input 'in0' is missing"):
        layout({"lane": 1})
    with pytest.raises(ta.Error, match="output 'dim0' has size 4, input 'in0' of the next"):
        layout.compose(Linear([[[1]]], [2]))
    with pytest.raises(ta.Error, match="has sizes 4 and 2"):
        layout.invert_and_compose(Linear([[[1]]], [2]))
    with pytest.raises(ta.Error, match="is not a power of two"):
        Linear.from_strided("6:1")
    with pytest.raises(ta.Error, match="is negative"):
        Linear.from_strided("4:-1")
    with pytest.raises(ta.Error, match="has one output, this one 2"):
        Linear([[[1, 1]]], [2, 2]).to_strided()
    with pytest.raises(ta.Error, match="must be a power of two, got 3"):
        Linear.identity(3)


def cases(kind):
    found = []
    for path in sorted(CASES.glob("layout_*.jsonl")):
        for line in path.read_text().splitlines():
            case = json.loads(line)
            if case["kind"] == kind:
                found.append(pytest.param(case, id=case["id"]))
    return found


@pytest.mark.parametrize("case", cases("linear_layout_gf2"))
def test_cases(case):
    layout, expect = Linear(case["bases"], case["out_sizes"]), case["expect"]
    rows = [list(p) for p in itertools.product(*[range(s) for s in layout.in_sizes])]
    table = [layout(p) for p in rows]
    assert table[: len(expect["table"])] == expect["table"]
    assert layout.is_injective == expect["injective"]
    assert layout.is_surjective == expect["surjective"]
    for index, number in expect["pseudo_inverse_smallest"]:
        assert flat(layout.find(index), layout.in_sizes) == number
    if "num_consecutive_in_out" in expect:
        assert layout.num_consecutive_in_out == expect["num_consecutive_in_out"]
    if "free_variable_masks" in expect:
        assert layout.free_variable_masks == expect["free_variable_masks"]


@pytest.mark.parametrize("case", cases("linear_layout_compose"))
def test_cases_of_composition(case):
    first = Linear(case["first"], case["mid_sizes"])
    second = Linear(case["second"], case["out_sizes"])
    assert first.compose(second).bases == case["expect"]["bases"]


@pytest.mark.parametrize("case", cases("linear_layout_invert_and_compose"))
def test_cases_of_inversion(case):
    a, b = (Linear(case[name], case["out_sizes"]) for name in "ab")
    c = a.invert_and_compose(b)
    assert all(b(c(p)) == a(p) for p in points(a))
    assert [[flat(x, b.in_sizes) for x in basis] for basis in c.bases] == case["expect"][
        "stacked_bases"]
