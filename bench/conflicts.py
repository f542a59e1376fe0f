# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bank conflicts by case: of the memory that `plan_exchange` computes, of row- or
column-major memory, of the same with rows padded by a word or 16 bytes, and of the best of
all CuTe swizzles of either. A case is where elements are held and where they are needed; the cycles
are those of shared memory of 32 banks of 4 bytes, counted access by access, for each
memory in the widest vectors or, of 16-bit elements, matrices that it has for a side.
`bench/run --conflicts` runs it."""
import itertools

import tensoraccess as ta

Linear = ta.LinearLayout
BANKS, WORD, VECTOR = 32, 4, 16


def steps(dim, *values):
    return [[v if d == dim else 0 for d in (0, 1)] for v in values]


def doubled(*sizes):
    """1, 2, 4, … below each size."""
    return [[1 << i for i in range(size.bit_length() - 1)] for size in sizes]


def held(register, lane, warp, rows, columns):
    return Linear({"register": register, "lane": lane, "warp": warp}, [rows, columns])


def coalesced(rows, columns, element, warps=4, dim=1):
    """As global memory is read: 16 bytes a lane, side by side along a dimension; the
    same order, the other way round, for the other dimension."""
    inner, outer = (columns, rows) if dim else (rows, columns)
    vector, = doubled(min(VECTOR // element, inner))
    bits = steps(dim, *vector) + steps(dim, *(1 << i for i in range(
        len(vector), inner.bit_length() - 1))) + steps(1 - dim, *doubled(outer)[0])
    registers, rest = bits[:len(vector)], bits[len(vector):]
    lanes, rest = rest[:5], rest[5:]
    owned = warps.bit_length() - 1
    return held(registers + rest[owned:], lanes, rest[:owned], rows, columns)


def mma_a(rows, columns, element):
    """Operand A of mma.m16n8kK, whose K is 32 bytes: a lane has words of four
    neighbours' rows."""
    word = doubled(WORD // element)[0]
    lane = steps(1, WORD // element, 2 * WORD // element) + steps(0, 1, 2, 4)
    half = VECTOR // element
    tile = steps(1, *word) + steps(0, 8) + steps(1, half)
    over = steps(1, *(c for c in doubled(columns)[0] if c >= 2 * half))
    warp = steps(0, 16, 32)
    more = steps(0, *(r for r in doubled(rows)[0] if r >= 64))
    return held(tile + over + more, lane, warp, rows, columns)


def mma_c(rows, columns):
    """Accumulators of mma.m16n8: two neighbours a lane, rows 8 apart; and those of
    wgmma.m64nN, which are the same over the warps of a group."""
    tile = steps(1, 1) + steps(0, 8)
    over = steps(1, *(c for c in doubled(columns)[0] if c >= 8))
    more = steps(0, *(r for r in doubled(rows)[0] if r >= 64))
    return held(tile + over + more, steps(1, 2, 4) + steps(0, 1, 2, 4), steps(0, 16, 32),
                rows, columns)


CASES = [
    ("transpose f32", 4, coalesced(64, 64, 4), coalesced(64, 64, 4, dim=0)),
    ("transpose f16", 2, coalesced(64, 64, 2), coalesced(64, 64, 2, dim=0)),
    ("transpose i8", 1, coalesced(64, 64, 1), coalesced(64, 64, 1, dim=0)),
    ("rows to mma A, f16", 2, coalesced(64, 64, 2), mma_a(64, 64, 2)),
    ("columns to mma A, f16", 2, coalesced(64, 64, 2, dim=0), mma_a(64, 64, 2)),
    ("rows to mma A, tf32", 4, coalesced(64, 64, 4), mma_a(64, 64, 4)),
    ("columns to mma A, tf32", 4, coalesced(64, 64, 4, dim=0), mma_a(64, 64, 4)),
    ("rows to mma A, i8", 1, coalesced(64, 64, 1), mma_a(64, 64, 1)),
    ("columns to mma A, i8", 1, coalesced(64, 64, 1, dim=0), mma_a(64, 64, 1)),
    ("wgmma C to rows, f32", 4, mma_c(64, 64), coalesced(64, 64, 4)),
    ("wgmma C to rows, f16", 2, mma_c(64, 64), coalesced(64, 64, 2)),
    ("wgmma C to columns, f16", 2, mma_c(64, 64), coalesced(64, 64, 2, dim=0)),
    ("C to A, f16", 2, mma_c(64, 64), mma_a(64, 64, 2)),
    ("C to A, i8", 1, mma_c(64, 64), mma_a(64, 64, 1)),
    ("A of f16 to A of i8", 1, mma_a(64, 64, 2), mma_a(64, 64, 1)),
]


def best_access(layout, memory, element):
    """Of a linear memory: fewest cycles, then instructions."""
    best = None
    vector = VECTOR // element
    for kind in ("rows", "columns"):
        try:
            found = ta.count_bank_cycles(layout, memory, element, vector, kind)
        except ta.Error:
            continue
        best = min(best or found, found, key=lambda a: (a.cycles, a.instructions))
    while vector:
        try:
            found = ta.count_bank_cycles(layout, memory, element, vector)
        except ta.Error:
            vector //= 2
            continue
        best = min(best or found, found, key=lambda a: (a.cycles, a.instructions))
        break
    return best


def linear_memory(rows, columns, is_row_major, swizzle=None):
    strided = (f"({rows},{columns}):({columns},1)" if is_row_major else
               f"({rows},{columns}):(1,{rows})")
    if swizzle:
        strided = f"Sw<{swizzle[0]},{swizzle[1]},{swizzle[2]}> o {strided}"
    to_number = Linear.from_strided(ta.StridedLayout(strided))
    inverse = to_number.invert()
    return Linear({"offset": [list(basis) for bases in inverse.bases for basis in bases]},
                  [rows, columns])


def padded_cycles(layout, element, rows, columns, is_row_major, pad):
    """Of memory whose rows are `pad` elements longer, which is not linear: in the
    vectors that still lie side by side and aligned."""
    def offset(index):
        a, b = index if is_row_major else reversed(index)
        return a * ((columns if is_row_major else rows) + pad) + b

    registers, lanes, warps = layout.in_sizes
    vector = VECTOR // element
    while vector > 1:
        places = [offset(layout.apply([r, 0, 0])) for r in range(vector)]
        aligned = all(offset(layout.apply([r, lane, w])) % vector == 0
                      for r in range(0, registers, vector)
                      for lane in range(lanes) for w in range(warps))
        if places == list(range(places[0], places[0] + vector)) and aligned:
            break
        vector //= 2
    at_once = max(1, BANKS * WORD // max(vector * element, WORD))
    total = 0
    for warp, register in itertools.product(range(warps), range(0, registers, vector)):
        for first in range(0, lanes, at_once):
            words = set()
            for lane in range(first, first + at_once):
                begin = offset(layout.apply([register, lane, warp])) * element
                words |= {(begin + byte) // WORD for byte in range(vector * element)}
            by_bank = [word % BANKS for word in words]
            total += max(by_bank.count(bank) for bank in set(by_bank))
    return total


def main():
    print("cycles to store and load 64x64 elements, and instructions of all warps")
    print(f"{'case':26}{'computed':>9}{'conflicts':>10}{'instr.':>7}  store, load"
          f"{'':12}{'plain':>7}{'padded':>8}{'best Sw':>8}  its swizzle")
    for name, element, source, target in CASES:
        rows, columns = source.out_sizes
        plan = ta.plan_exchange(source, target, element)
        cycles = plan.store.cycles + plan.load.cycles

        def total(memory):
            return sum(best_access(side, memory, element).cycles
                       for side in (source, target))

        plain = min(total(linear_memory(rows, columns, r)) for r in (True, False))
        padded = min(sum(padded_cycles(side, element, rows, columns, r, pad)
                         for side in (source, target))
                     for r in (True, False)
                     for pad in {max(1, WORD // element), VECTOR // element})
        swizzles = []
        for is_row_major in (True, False):
            for bits, base, shift in itertools.product((1, 2, 3, 4, 5), range(6), range(1, 8)):
                if shift >= bits and base + bits + shift <= 12:
                    memory = linear_memory(rows, columns, is_row_major, (bits, base, shift))
                    swizzles.append((total(memory), (bits, base, shift), is_row_major))
        best, swizzle, is_row_major = min(swizzles)
        kinds = f"{plan.store.kind} {plan.store.vector}, {plan.load.kind} {plan.load.vector}"
        print(f"{name:26}{cycles:9}{plan.conflicts:10}"
              f"{plan.store.instructions + plan.load.instructions:7}  {kinds:23}"
              f"{plain:7}{padded:8}{best:8}  Sw<{','.join(map(str, swizzle))}> o "
              f"{'rows' if is_row_major else 'columns'}", flush=True)


if __name__ == "__main__":
    main()
