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


def count(a, memory, access, element, banks=32, bank=4):
    """Cycles and instructions: each access of a warp, of every lane the vectors that its
    registers hold, one after the other, as many lanes at once as the memory has room
    for; or of eight rows of 16 bytes, each word of which a lane of its own gets, or,
    transposed, each element."""
    vector = access.vector
    back = {tuple(memory([n])): n for n in range(memory.in_sizes[0])}
    registers, lanes, warps = a.in_sizes
    cycles = instructions = 0

    def serve(begins):
        words = {(begin * element + byte) // bank for begin in begins
                 for byte in range(vector * element)}
        by_bank = [w % banks for w in words]
        return max(by_bank.count(b) for b in set(by_bank))

    def number(register, lane, warp):
        return back[tuple(held(a, register, lane, warp))]

    for warp in range(warps):
        if access.kind == "lanes":
            at_once = max(1, banks * bank // max(vector * element, bank))
            # The vectors of lane 0 say in which order all lanes come to theirs.
            groups = {}
            for register in range(registers):
                groups.setdefault(number(register, 0, warp) // vector, register)
            for register in groups.values():
                instructions += 1
                for first in range(0, lanes, at_once):
                    begins = []
                    for lane in range(first, min(lanes, first + at_once)):
                        begin = number(register, lane, warp) // vector * vector
                        begins.append(begin)
                        # The lane holds the whole vector.
                        assert ({number(r, lane, warp) for r in range(registers)}
                                >= set(range(begin, begin + vector)))
                    cycles += serve(begins)
            continue
        assert lanes == 32 and vector * element == 16
        # Matrices by what lane 0 has of them, which is its first word or element.
        matrices = {}
        for register in range(registers):
            if access.kind == "rows" or not register & 1:
                matrices.setdefault(number(register, 0, warp) // vector, register)
        matrices = list(matrices.values())
        for matrix in matrices:
            begins = []
            for row in range(8):
                if access.kind == "rows":
                    begin = number(matrix, 4 * row, warp) // vector * vector
                    # Lane 4 row + i holds word i of the row.
                    for i in range(4):
                        mine = {number(r, 4 * row + i, warp) for r in range(registers)}
                        each = 4 // element
                        assert mine >= set(range(begin + i * each, begin + (i + 1) * each))
                else:
                    # Row 2 i + j: register j of lanes i, i + 4, … .
                    begin = number(matrix ^ (row & 1), row >> 1, warp) // vector * vector
                    for i in range(8):
                        assert number(matrix ^ (row & 1), (row >> 1) + 4 * i,
                                      warp) == begin + i
                begins.append(begin)
            cycles += serve(begins)
        instructions += -(-len(matrices) // 4)
    return cycles, instructions


CASES = [
    (BY_ROWS, BY_COLUMNS), (BY_COLUMNS, BY_ROWS), (BY_ROWS, MMA_A), (MMA_A, BY_ROWS),
    (MMA_C, MMA_A), (ONE_EACH, BY_COLUMNS), (ONE_EACH, MMA_A), (MMA_C, BY_COLUMNS)]


@pytest.mark.parametrize("has_matrices", [True, False])
@pytest.mark.parametrize("element", [1, 2, 4, 8])
@pytest.mark.parametrize("a, b", CASES)
def test_counts(a, b, element, has_matrices):
    exchange = ta.plan_exchange(a, b, element, loads_matrices=has_matrices,
                                stores_matrices=has_matrices)
    memory = exchange.memory
    assert memory.is_injective and memory.is_surjective and memory.in_names == ["offset"]
    for side, access in ((a, exchange.store), (b, exchange.load)):
        assert has_matrices or access.kind == "lanes"
        assert count(side, memory, access, element) == (access.cycles, access.instructions)
        assert access.cycles - access.least_cycles == access.conflicts >= 0
        again = ta.count_bank_cycles(side, memory, element, access.vector, access.kind)
        assert (again.cycles, again.least_cycles, again.instructions) == (
            access.cycles, access.least_cycles, access.instructions)


def test_matrices():
    """Operands of mma.m16n8k16 come by ldmatrix, transposed from columns, and its
    accumulators go by stmatrix."""
    for element, source, kind in ((2, BY_ROWS, "rows"), (2, BY_COLUMNS, "columns"),
                                  (4, BY_ROWS, "rows")):
        exchange = ta.plan_exchange(source, MMA_A, element)
        assert (exchange.store.kind, exchange.load.kind) == ("lanes", kind)
        assert exchange.conflicts == 0
    assert ta.plan_exchange(BY_ROWS, MMA_A, 2).load.instructions == 4
    assert ta.plan_exchange(BY_ROWS, MMA_A, 2, loads_matrices=False).load.instructions == 16
    exchange = ta.plan_exchange(MMA_C, BY_ROWS, 2)
    assert (exchange.store.kind, exchange.load.kind) == ("rows", "lanes")


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
            total = sum(ta.count_bank_cycles(side, memory, element, access.vector,
                                             access.kind, banks=banks).cycles
                        for side, access in ((a, exchange.store), (b, exchange.load)))
        except ta.Error:
            continue
        best = min(total, best or total)
    assert exchange.store.cycles + exchange.load.cycles == best


def test_ways():
    assert ta.plan_exchange(BY_ROWS, BY_ROWS, 4).way == "registers"
    other = layout(units(1, [2, 1, 4]), *BY_ROWS.bases[1:], [32, 32])
    assert ta.plan_exchange(BY_ROWS, other, 4).way == "registers"
    swapped = layout(units(1, [8, 16, 4]), units(1, [1, 2]) + units(0, [1, 2, 4]),
                     units(0, [8, 16]), [32, 32])
    assert ta.plan_exchange(BY_ROWS, swapped, 4).way == "shuffles"
    assert ta.plan_exchange(BY_ROWS, BY_COLUMNS, 4).way == "memory"


@pytest.mark.parametrize("seed", range(20))
def test_ways_by_enumeration(seed):
    """Each lane, or warp, looks among all that it holds, with copies."""
    rng = random.Random(seed)
    for _ in range(40):
        bits = rng.randint(1, 5)
        a, b = [layout(*([[rng.choice([0, 1 << rng.randrange(bits), rng.randrange(1 << bits)])]
                          for _ in range(n)] for n in (2, 2, 1)), [1 << bits]) for _ in "ab"]
        try:
            way = ta.plan_exchange(a, b, 2).way
        except ta.Error:
            continue

        def own(x, lanes, warp):
            return {held(x, r, lane, warp)[0] for r in range(4) for lane in lanes}

        if all(own(b, [lane], w) <= own(a, [lane], w) for lane in range(4) for w in (0, 1)):
            assert way == "registers"
        elif all(own(b, range(4), w) <= own(a, range(4), w) for w in (0, 1)):
            assert way == "shuffles"
        else:
            assert way == "memory"


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
    with pytest.raises(ta.Error, match="must be a power of two, got"):
        ta.count_bank_cycles(a, memory, **given)


def test_limits():
    bits = 24
    units_ = [[1 << i] for i in range(bits)]
    a = layout(units_[:9], units_[9:14], units_[14:], [1 << bits])
    with pytest.raises(ta.Error, match=r"more than 2\^22 elements are not counted"):
        ta.plan_exchange(a, a, 2)
    with pytest.raises(ta.Error, match="must have the same indices"):
        ta.count_bank_cycles(layout([], [[1, 0]], [], [4, 4]),
                             Linear({"offset": [[1]]}, [16]), 2, 1)
