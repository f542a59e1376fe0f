# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What maps reach, how much, and back: against evaluate over every point."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_indexing_map_laws import maps, points, relation

import tensoraccess as ta

WINDOW = ta.IndexingMap(
    "(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 111], s0 in [0, 6]"
)


def hull_of(tuples):
    lo = [min(column) for column in zip(*tuples)]
    hi = [max(column) + 1 for column in zip(*tuples)]
    return ta.Box(lo, hi)


def volume(box):
    size = 1
    for lo, hi in zip(box.lo, box.hi):
        size *= hi - lo
    return size


def check(footprint, tuples):
    assert footprint.count == len(tuples)
    if tuples:
        hull = hull_of(tuples)
        assert footprint.hull == hull
        assert footprint.kind == ("exact" if volume(hull) == len(tuples) else "hull")


@st.composite
def blocks(draw, ranges):
    lo, hi = [], []
    for lower, upper in ranges:
        lo.append(draw(st.integers(lower - 1, upper)))
        hi.append(lo[-1] + draw(st.integers(0, 4)))
    return ta.Box(lo, hi)


def inside(box, index):
    return all(lo <= i < hi for lo, i, hi in zip(box.lo, index, box.hi))


@given(maps(), st.data())
def test_images_and_preimages(m, data):
    table = points(m)
    check(m.image(), {tuple(r) for r in table.values()})
    block = data.draw(blocks([(v.lower, v.upper) for v in m.dims]))
    check(
        m.image(block), {tuple(r) for (d, _), r in table.items() if inside(block, d)}
    )
    target = data.draw(blocks([(-4, 12)] * m.num_results))
    check(m.preimage(target), {d for (d, _), r in table.items() if inside(target, r)})


@given(maps())
def test_counts_and_injectivity(m):
    table = points(m)
    results = {tuple(r) for r in table.values()}
    assert m.count_points() == len(table)
    assert m.count_image() == len(results)
    assert m.is_injective() == (len(table) == len(results))
    assert m.is_empty() == (not table)
    point = m.find_point()
    assert (point is None) == (not table)
    if point is not None:
        assert (tuple(point[: len(m.dims)]), tuple(point[len(m.dims) :])) in table


@given(maps())
def test_inverses(m):
    back = m.inverse()
    wanted = {(tuple(r), d) for (d, _), r in points(m).items()}
    # The bounds of the inverse may be many; ask only where the map arrives.
    for r in {r for r, _ in wanted}:
        reached = set()
        for s in itertools.product(
            *(range(v.lower, v.upper + 1) for v in back.symbols)
        ):
            d = back.evaluate(r, s)
            if d is not None:
                reached.add(tuple(d))
        assert reached == {d for q, d in wanted if q == r}


@given(maps(dims=[3, 4], symbols=[2]), maps(dims=[3, 4], symbols=[2]))
def test_verdicts_have_witnesses(m, n):
    verdict, witness = m.equivalent(n), m.difference_witness(n)
    assert verdict is not None and (witness is None) == verdict
    if m.num_results != n.num_results:
        assert verdict is False and witness == []
        return
    a, b = relation(m), relation(n)
    assert verdict == (a == b)
    if witness is not None:
        assert a.get(tuple(witness)) != b.get(tuple(witness))


def test_footprints():
    f = WINDOW.image()
    assert (f.kind, f.hull, f.count) == ("exact", ta.Box([0], [229]), 229)
    assert f == WINDOW.image(ta.Box([0], [112])) and f != None  # noqa: E711
    assert repr(f) == "<Footprint exact [0, 229), 229 elements>"
    u = ta.IndexingMap.unknown().image()
    assert (u.kind, u.hull, u.count) == ("unknown", None, None)
    assert repr(u) == "<Footprint unknown>"
    gather = ta.IndexingMap(
        "(d0){rt0} -> (rt0), domain: d0 in [0, 3], rt0 in [0, 99]"
    ).image()
    assert (gather.kind, gather.hull, gather.count) == ("hull", ta.Box([0], [100]), None)


def test_boxes_of_another_rank_are_refused():
    with pytest.raises(ta.Error, match="the map has 1 dims, got a box of rank 2"):
        WINDOW.image(ta.Box([0, 0], [1, 1]))
    with pytest.raises(ta.Error, match="the map has 1 results, got a box of rank 0"):
        WINDOW.preimage(ta.Box([], []))


def test_unions():
    a = ta.IndexingMap("(d0) -> (d0 * 2), domain: d0 in [0, 299]")
    b = ta.IndexingMap("(d0) -> (d0 * 3), domain: d0 in [0, 199]")
    assert ta.count_union([a, b]) == 400
    assert ta.count_union([]) == 0
    assert ta.count_union([a, ta.IndexingMap.unknown()]) is None


def test_unknown_maps_have_no_answers():
    u = ta.IndexingMap.unknown()
    assert u.is_injective() is None and u.inverse() is None
    assert u.count_points() is None and u.count_image() is None
    assert u.find_point() is None and u.difference_witness(u) is None


def test_restrictions():
    m = ta.IndexingMap(
        "(d0, d1)[s0] -> (d0 + s0, d1), domain: d0 in [0, 9], d1 in [0, 4], "
        "s0 in [0, 2]"
    )
    assert str(m.with_constraint("d0 + s0 in [0, 10]")) == (
        str(m) + ", d0 + s0 in [0, 10]"
    )
    with pytest.raises(ta.Error, match="variable 'k' is not declared") as e:
        m.with_constraint("d0 + k in [0, 10]")
    assert str(e.value).splitlines()[1:] == ["  d0 + k in [0, 10]", "       ^"]
    assert str(m.restrict({"d1": (2, None), "s0": (None, 1)})) == (
        "(d0, d1)[s0] -> (d0 + s0, d1), domain: d0 in [0, 9], d1 in [2, 4], "
        "s0 in [0, 1]"
    )
    with pytest.raises(ta.Error, match="the map has no variable 'k'"):
        m.restrict({"k": (0, 1)})
    n = ta.IndexingMap("(d0, d1) -> (), domain: d0 in [5, 20], d1 in [0, 9], d0 - d1 in [4, 6]")
    assert str(m.intersect_domains(n)) == (
        "(d0, d1)[s0] -> (d0 + s0, d1), domain: d0 in [5, 9], d1 in [0, 4], "
        "s0 in [0, 2], d0 - d1 in [4, 6]"
    )
    with pytest.raises(ta.Error, match="the map has 2 dims, but the other has 1"):
        m.intersect_domains(WINDOW)


def test_parts_and_names():
    m = ta.IndexingMap(
        "(d0, d1)[s0] -> (d0 + s0, d1), domain: d0 in [0, 9], d1 in [0, 4], "
        "s0 in [0, 2]"
    )
    assert m.sub_map([1]).results == ["d1"]
    with pytest.raises(ta.Error, match=r"result 2 must be in \[0, 2\)"):
        m.sub_map([2])
    named = m.rename({"s0": "k"}, dims=["row", "column"])
    assert str(named) == (
        "(row, column)[k] -> (row + k, column), domain: row in [0, 9], "
        "column in [0, 4], k in [0, 2]"
    )
    with pytest.raises(ta.Error, match="the map has 2 dims, got 1 names"):
        m.rename(dims=["row"])
    with pytest.raises(ta.Error, match="'mod' cannot name a variable"):
        m.rename({"d0": "mod"})
    assert m.dims_to_symbols([1]).symbols[1].name == "s1"
    with pytest.raises(ta.Error, match="dim 1 is listed twice"):
        m.dims_to_symbols([1, 1])
    assert len(m.sub_map([0]).remove_unused_dims().dims) == 1
    r = ta.IndexingMap("(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 3]")
    assert r.remove_unused_runtime().runtime == []


def test_substitution():
    m = ta.IndexingMap(
        "(i, j)[s0] -> (i * 2 + s0, j), domain: i in [0, 9], j in [0, 4], s0 in [0, 2]"
    )
    assert m.substitute({"i": 3, "s0": "j - 1"}).simplify() == ta.IndexingMap(
        "(j) -> (j + 5, j), domain: j in [1, 3]"
    )
    assert m.substitute({"i": 12}).is_empty() is True
    with pytest.raises(ta.Error, match="variable 'k' is not declared"):
        m.substitute({"i": "k"})
    with pytest.raises(ta.Error, match="the map has no variable 'k'"):
        m.substitute({"k": 1})
    with pytest.raises(ta.Error, match="'i' must be replaced by an int or"):
        m.substitute({"i": 1.5})
    with pytest.raises(ta.Error, match="variable 'i' is replaced and can't be"):
        m.substitute({"i": "j", "j": "i"})
