# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles from Python, and the functions of the collected cases.

The truth is the set of results at the points of the source tile, by plain
loops over `evaluate`.
"""

import itertools
import json
import pathlib
import random
import re

import pytest

import tensoraccess as ta


def dim_range(variable):
    return range(variable.lower, variable.upper + 1)


def read_by(m, offsets, sizes, strides, runtime=()):
    """What a tile of the dims reads."""
    dims = [
        [o + s * i for i in range(n)] for o, n, s in zip(offsets, sizes, strides)
    ]
    symbols = [dim_range(v) for v in m.symbols]
    read = set()
    for d in itertools.product(*dims):
        for s in itertools.product(*symbols):
            value = m.evaluate(list(d), list(s), list(runtime))
            if value is not None:
                read.add(tuple(value))
    return read


def elements(tile):
    return {tuple(e) for e in tile.elements()}


def box(tile):
    """The strided box, less the mask, by its fields alone."""
    dims = [
        range(o, o + n * s, s)
        for o, n, s in zip(tile.offsets, tile.sizes, tile.strides)
    ]
    if tile.empty:
        return set()
    points = set(itertools.product(*dims))
    if tile.mask is not None:
        points = {p for p in points if tile.mask.evaluate(list(p)) is not None}
    return points


def test_symbolic_texts():
    m = ta.IndexingMap(
        "(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 9], d1 in [0, 2], "
        "s0 in [0, 511]"
    )
    t = m.tile()
    assert t.offsets == ["o0", "o1"]
    assert t.sizes == ["t0", "t1 + 511"]
    assert t.strides == ["1", "1"]
    assert t.constraints == []
    assert t.lower_bounds == ["0", "0"] and t.upper_bounds == ["9", "513"]
    assert t.source_strides == [1, 1] and t.map == m
    assert "size t1 + 511" in str(t) and repr(t).startswith("<SymbolicTile of")


def test_constraints():
    m = ta.IndexingMap("(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 2], d1 in [0, 3]")
    t = m.tile()
    assert t.strides == ["1 if t1 > 1 else 4"]
    assert t.constraints == ["t1 = 4 or t1 = 1 or t0 = 1"]
    assert t.valid([0, 0], [3, 4]) and not t.valid([0, 0], [2, 2])
    assert not t.valid([2, 0], [2, 4])  # reaches over the edge
    with pytest.raises(ta.Error, match="no constant stride: 4 follows 1"):
        t.at(offsets=[0, 0], sizes=[2, 2])
    hull = t.cover(offsets=[0, 0], sizes=[2, 2])
    assert not hull.exact and hull.offsets == [0] and hull.sizes == [6]


def test_concrete():
    m = ta.IndexingMap("(d0) -> (d0 - 2), domain: d0 in [2, 9]")
    tile = m.tile().at(offsets=[0], sizes=[4])
    assert (tile.offsets, tile.sizes, tile.strides) == ([0], [2], [1])
    assert tile.mask is None and tile.exact and not tile.empty
    assert [1] in tile and [2] not in tile
    assert m.tile().at([0], [2]).empty
    assert m.tile(strides=[3]).at([2], [3]).elements() == [[0], [3], [6]]
    assert m.tile().at([9], [3], strides=[-3]).elements() == [[1], [4], [7]]


def test_mask():
    m = ta.IndexingMap(
        "(d0, d1) -> (d1, d0), domain: d0 in [0, 5], d1 in [0, 5], d0 + d1 in [0, 5]"
    )
    tile = m.tile().at([2, 0], [3, 3])
    assert tile.mask is not None and "masked" in str(tile)
    assert elements(tile) == box(tile) == read_by(m, [2, 0], [3, 3], [1, 1])
    # A mask that leaves nothing: 3*d0 + 5*d1 is never 7.
    gap = ta.IndexingMap(
        "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9], d0 * 3 + d1 * 5 in [7, 7]"
    )
    tile = gap.tile().at([0, 0], [10, 10])
    assert tile.empty and tile.mask is None and tile.elements() == []


def test_runtime():
    m = ta.IndexingMap("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 4]")
    t = m.tile()
    assert t.offsets == ["o0 + rt0"] and t.upper_bounds == ["rt0 + 9"]
    assert t.at([1], [2], runtime=[3]).offsets == [4]
    with pytest.raises(ta.Error, match="1 runtime variables, got values for 0"):
        t.at([1], [2])


@pytest.mark.parametrize(
    "text, message",
    [
        ("(d0, d1) -> (d0 * d1), domain: d0 in [0, 3], d1 in [0, 3]",
         "result 0, d0 * d1: multiplies two variables"),
        ("unknown", "the map is unknown"),
    ],
)
def test_failures(text, message):
    with pytest.raises(ta.Error, match=re.escape(message)):
        ta.IndexingMap(text).tile()


def test_bad_input():
    t = ta.IndexingMap.identity([4, 5]).tile()
    with pytest.raises(ta.Error, match="size 1 must be positive, got 0"):
        t.at([0, 0], [1, 0])
    with pytest.raises(ta.Error, match="equally many offsets, sizes and strides"):
        t.at([0], [1, 1])
    with pytest.raises(ta.Error, match="stride 0 must not be 0, got 0"):
        ta.IndexingMap.identity([4, 5]).tile(strides=[0, 1])
    with pytest.raises(ta.Error, match="different numbers of elements"):
        ta.reshape_decomposition([2, 3], [7])


def test_collapse_of_ten_dims_prints_in_a_page():
    text = ", ".join(f"d{i}" for i in range(10))
    form = " + ".join(f"d{i} * {3 ** (9 - i)}" for i in range(10))
    domain = ", ".join(f"d{i} in [0, 2]" for i in range(10))
    t = ta.IndexingMap(f"({text}) -> ({form}), domain: {domain}").tile()
    assert len(str(t)) < 700
    tile = t.at([0] * 5 + [1] + [0] * 4, [1] * 5 + [2] + [3] * 4)
    assert (tile.offsets, tile.sizes) == ([81], [162])


def test_random_maps_agree_with_enumeration():
    rng = random.Random(20240521)
    maps = [
        "(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 6], s0 in [0, 2]",
        "(d0) -> (d0 floordiv 4, d0 mod 4), domain: d0 in [0, 23]",
        "(d0) -> ((d0 - 1) floordiv 3), domain: d0 in [1, 19], (d0 - 1) mod 3 in [0, 0]",
        "(d0)[s0] -> (s0), domain: d0 in [0, 14], s0 in [0, 6], d0 - s0 * 2 in [0, 2]",
        "(d0, d1) -> (5 - d0, d1 * 3 - 4), domain: d0 in [0, 5], d1 in [2, 7]",
    ]
    for m in map(ta.IndexingMap, maps):
        for _ in range(40):
            n = len(m.dims)
            strides = [rng.choice([1, 1, 2, 3, -1]) for _ in range(n)]
            offsets = [rng.randint(v.lower - 1, v.upper) for v in m.dims]
            sizes = [rng.randint(1, v.upper - v.lower + 2) for v in m.dims]
            truth = read_by(m, offsets, sizes, strides)
            try:
                tile = m.tile().at(offsets, sizes, strides)
            except ta.Error:
                hull = m.tile().cover(offsets, sizes, strides)
                assert truth <= box(hull)
                continue
            assert box(tile) == truth == elements(tile)


# --- the collected cases ----------------------------------------------------


def cases(kind):
    """Those that have a function; maps are read by TileCasesTest.cpp."""
    path = pathlib.Path(__file__).parents[1] / "Cases" / "indexing_tiles.jsonl"
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [
        pytest.param(case, id=case["id"])
        for case in found
        if case["kind"] == kind and (case.get("mlir") or "input_start" in str(case))
    ]


def maps_of(case, to_input, index):
    """[(the other side's number, map)] of a case's function."""
    indexing = ta.Module(case["mlir"]).function_indexing("main")
    if to_input:
        rows = indexing.output_to_input[0]
    else:
        rows = indexing.input_to_output[index]
    return [(n, m) for n, maps in enumerate(rows) for m in maps]


@pytest.mark.parametrize("case", cases("symbolic_tile_output_to_input"))
def test_symbolic_case(case):
    rng = random.Random(1)
    for _, m in maps_of(case, True, 0):
        assert not m.is_unknown, case["mlir"]
        if not m.dims or m.runtime:
            m.tile()
            continue
        for _ in range(5):
            offsets = [rng.randint(v.lower, v.upper) for v in m.dims]
            sizes = [rng.randint(1, min(3, v.upper - v.lower + 1)) for v in m.dims]
            count = 1
            for v in m.symbols:
                count *= v.upper - v.lower + 1
            if count > 2000:
                sizes = [1] * len(sizes)
            try:
                tile = m.tile().at(offsets, sizes)
            except ta.Error:
                continue
            assert box(tile) == read_by(m, offsets, sizes, [1] * len(sizes))


def check_propagation(case, to_input):
    index = case["index"]
    found = maps_of(case, to_input, index)
    for number, m in found:
        n = len(m.dims)
        expected = [e for e in case["expected"] or [] if e["index"] == number]
        assert not m.is_unknown
        if m.runtime:
            m.tile([i + 1 for i in range(n)])
            continue
        rng = random.Random(7)
        for _ in range(6):
            ts = case.get("tile_sizes") or [
                rng.randint(1, min(4, v.upper + 1)) for v in m.dims
            ]
            tid = [rng.randint(0, max(0, v.upper // t)) for v, t in zip(m.dims, ts)]
            strides = [i + 1 for i in range(n)]
            offsets = [a * b for a, b in zip(tid, ts)]
            try:
                tile = m.tile(strides).at(offsets, ts)
            except ta.Error as e:
                assert not expected, str(e)
                continue
            count = 1
            for v in m.symbols:
                count *= v.upper - v.lower + 1
            if count <= 4096:
                assert box(tile) == read_by(m, offsets, ts, strides)
            for e in expected:
                names = {f"tid_{i}": x for i, x in enumerate(tid)}
                names |= {f"ts_{i}": x for i, x in enumerate(ts)}
                value = lambda key: [eval(x, names) for x in e[key]]
                theirs = {
                    p
                    for p in itertools.product(
                        *(
                            range(o, o + k * s, s)
                            for o, k, s in zip(
                                value("offsets"), value("sizes"), value("strides")
                            )
                        )
                    )
                    if all(x < u for x, u in zip(p, value("upper_bounds")))
                }
                assert box(tile) == theirs


@pytest.mark.parametrize("case", cases("tile_propagation_output_to_input"))
def test_output_to_input_case(case):
    check_propagation(case, True)


@pytest.mark.parametrize("case", cases("tile_propagation_input_to_output"))
def test_input_to_output_case(case):
    check_propagation(case, False)


@pytest.mark.parametrize("case", cases("minimal_reshape_decomposition"))
def test_minimal_reshape_case(case):
    steps = ta.reshape_decomposition(case["shape"], case["to_shape"])
    assert [
        {
            "input_start": s.input_start,
            "input_count": s.input_count,
            "output_start": s.output_start,
            "output_count": s.output_count,
            "category": s.category,
        }
        for s in steps
    ] == case["expected"]
