# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory layouts without bank conflicts: cycles counted here once more, word by word,
and for small layouts compared with those of every linear memory there is."""

import itertools
import random

import pytest

import tensoraccess as ta

Linear = ta.LinearLayout


def layout(register, lane, warp, sizes):
    return Linear({"register": register, "lane": lane, "warp": warp}, sizes)


def units(dim, values, rank=2):
    return [[v if d == dim else 0 for d in range(rank)] for v in values]


# Of 32 lanes: rows by 8 elements each; tiles of the tensor cores' operands.
BY_ROWS = layout(units(1, [1, 2, 4]), units(1, [8, 16]) + units(0, [1, 2, 4]), units(0, [8, 16]),
                 [32, 32])
BY_COLUMNS = layout(units(0, [1, 2, 4]), units(0, [8, 16]) + units(1, [1, 2, 4]),
                    units(1, [8, 16]), [32, 32])
ONE_EACH = layout(units(0, [4, 8, 16]), units(1, [1, 2, 4, 8, 16]), units(0, [1, 2]), [32, 32])
MMA_A = layout([[0, 1], [8, 0], [0, 8]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
               [[16, 0], [0, 16]], [32, 32])
MMA_C = layout([[0, 1], [8, 0], [0, 8]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
               [[0, 16], [16, 0]], [32, 32])


def held(a, register, lane, warp):
    index = [0] * len(a.out_sizes)
    for bases, bits in zip(a.bases, (register, lane, warp)):
        for i, basis in enumerate(bases):
            if bits >> i & 1:
                index = [x ^ y for x, y in zip(index, basis)]
    return index


def count(a, exchange, element, banks=32, bank=4):
    """Each access of a warp: of every lane the vectors that its registers hold, one
    after the other; as many lanes at once as the memory has room for."""
    memory, vector = exchange.memory, exchange.vector
    back = {tuple(memory([n])): n for n in range(memory.in_sizes[0])}
    registers, lanes, warps = a.in_sizes
    at_once = max(1, banks * bank // max(vector * element, bank))
    cycles = 0
    for warp in range(warps):
        # The vectors of lane 0 say in which order all lanes come to theirs.
        groups = {}
        for register in range(registers):
            number = back[tuple(held(a, register, 0, warp))]
            groups.setdefault(number // vector, register)
        for register in groups.values():
            for first in range(0, lanes, at_once):
                words = set()
                for lane in range(first, min(lanes, first + at_once)):
                    number = back[tuple(held(a, register, lane, warp))]
                    begin = number // vector * vector * element
                    words |= {(begin + byte) // bank for byte in range(vector * element)}
                    # The lane holds the whole vector.
                    mine = {back[tuple(held(a, r, lane, warp))] for r in range(registers)}
                    assert mine >= set(range(number // vector * vector,
                                             (number // vector + 1) * vector))
                by_bank = [w % banks for w in words]
                cycles += max(by_bank.count(b) for b in set(by_bank))
    return cycles


CASES = [
    (BY_ROWS, BY_COLUMNS), (BY_COLUMNS, BY_ROWS), (BY_ROWS, MMA_A), (MMA_A, BY_ROWS),
    (MMA_C, MMA_A), (ONE_EACH, BY_COLUMNS), (ONE_EACH, MMA_A), (MMA_C, BY_COLUMNS)]


@pytest.mark.parametrize("element", [1, 2, 4, 8])
@pytest.mark.parametrize("a, b", CASES)
def test_counts(a, b, element):
    exchange = ta.plan_exchange(a, b, element)
    memory = exchange.memory
    assert memory.is_injective and memory.is_surjective and memory.in_names == ["offset"]
    assert count(a, exchange, element) == exchange.store_cycles
    assert count(b, exchange, element) == exchange.load_cycles
    assert exchange.store_cycles >= exchange.least_store_cycles
    assert ta.count_bank_cycles(a, memory, element, exchange.vector) == (
        exchange.store_cycles, exchange.least_store_cycles)


@pytest.mark.parametrize("a, b", CASES)
def test_no_conflicts(a, b):
    """Of halves and words these have none."""
    for element in (2, 4):
        assert ta.plan_exchange(a, b, element).conflicts == 0


def invertible(bits):
    """All bases of that many bits."""
    def grow(bases, span):
        if len(bases) == bits:
            yield bases
            return
        for v in range(1, 1 << bits):
            if v not in span:
                yield from grow(bases + [v], span | {v ^ s for s in span})
    yield from grow([], {0})


@pytest.mark.parametrize("seed", range(24))
def test_best_of_all(seed):
    """No bijective linear memory that these vectors fit has fewer cycles."""
    rng = random.Random(seed)
    bits = rng.choice([3, 4, 4])
    size = 1 << bits

    def some():
        order = rng.choice(list(itertools.islice(invertible(bits), 500)))
        registers = rng.randint(0, 2)
        lanes = rng.randint(1, bits - registers)
        pick = [[v] for v in order]
        return layout(pick[:registers], pick[registers:registers + lanes],
                      pick[registers + lanes:], [size])

    a, b = some(), some()
    banks = rng.choice([2, 4])
    element = rng.choice([2, 4])
    exchange = ta.plan_exchange(a, b, element, banks=banks, vector_bytes=8)
    best = None
    for bases in invertible(bits):
        memory = Linear({"offset": [[v] for v in bases]}, [size])
        try:
            store, _ = ta.count_bank_cycles(a, memory, element, exchange.vector, banks=banks)
            load, _ = ta.count_bank_cycles(b, memory, element, exchange.vector, banks=banks)
        except ta.Error:
            continue
        best = min(store + load, best or store + load)
    assert exchange.store_cycles + exchange.load_cycles == best


def test_ways():
    assert ta.plan_exchange(BY_ROWS, BY_ROWS, 4).way == "registers"
    other = layout(units(1, [2, 1, 4]), *BY_ROWS.bases[1:], [32, 32])
    assert ta.plan_exchange(BY_ROWS, other, 4).way == "registers"
    swapped = layout(units(1, [8, 16, 4]), units(1, [1, 2]) + units(0, [1, 2, 4]),
                     units(0, [8, 16]), [32, 32])
    assert ta.plan_exchange(BY_ROWS, swapped, 4).way == "shuffles"
    assert ta.plan_exchange(BY_ROWS, BY_COLUMNS, 4).way == "memory"


@pytest.mark.parametrize("arguments, message", [
    ((BY_ROWS, layout([], [[1, 0]], [], [2, 1]), 4), "has sizes 32 and 2"),
    ((BY_ROWS, BY_COLUMNS, 3), "the size of an element must be a power of two, got 3"),
    ((BY_ROWS, BY_COLUMNS, 32), "larger than a vector of 16"),
    ((Linear({"block": [[1]]}, [2]),) * 2 + (4,), "inputs must be register, lane and warp"),
    ((layout([], [[0]], [], [2]), layout([], [[1]], [], [2]), 4), "does not reach"),
])
def test_errors(arguments, message):
    with pytest.raises(ta.Error, match=message):
        ta.plan_exchange(*arguments)


@pytest.mark.parametrize("sizes", [
    dict(vector=0), dict(vector=-1), dict(vector=3), dict(vector=1 << 62), dict(banks=0),
    dict(banks=-1), dict(bank_bytes=0), dict(element_bytes=-2), dict(element_bytes=1 << 40)])
def test_sizes_that_are_none(sizes):
    a = layout([[1], [2]], [[4], [8]], [], [16])
    memory = Linear({"offset": [[1], [2], [4], [8]]}, [16])
    given = dict(element_bytes=2, vector=1) | sizes
    with pytest.raises(ta.Error, match="sizes must be powers of two"):
        ta.count_bank_cycles(a, memory, **given)


def test_limits():
    bits = 24
    units_ = [[1 << i] for i in range(bits)]
    a = layout(units_[:9], units_[9:14], units_[14:], [1 << bits])
    with pytest.raises(ta.Error, match=r"more than 2\^22 elements are not counted"):
        ta.plan_exchange(a, a, 2)
    with pytest.raises(ta.Error, match="outputs equal"):
        ta.count_bank_cycles(layout([], [[1, 0]], [], [4, 4]),
                             Linear({"offset": [[1]]}, [16]), 2, 1)
