# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Projections from Python: the cases, every error, and laws against sets."""
import itertools
import json
import os
import pathlib
import pickle
import random

import numpy as np

import pytest

import tensoraccess as ta

CASES = pathlib.Path(
    os.environ.get("TENSORACCESS_CASES", pathlib.Path(__file__).parents[1] / "Cases")
)


def cases(kind, *files):
    found = [
        case
        for file in files
        for case in map(json.loads, (CASES / file).read_text().splitlines())
        if case["kind"] == kind
    ]
    assert found
    return pytest.mark.parametrize("case", found, ids=lambda case: case["id"])


def projection(case):
    return ta.Projection(case["matrix"], case["offset"], shape=case["shape"])


def points(box):
    return itertools.product(*map(range, box.lo, box.hi))


def image(p, block):
    return {x for i in points(block) for x in points(p.evaluate(list(i)))}


def extents(box):
    return [hi - lo for lo, hi in zip(box.lo, box.hi)]


# --- the cases


@cases("projection", "layout_tapestry.jsonl", "layout_rand_projection.jsonl")
def test_footprints(case):
    p, block, expect = projection(case), ta.Box(*case["block"]), case["expect"]
    f = p.footprint(block)
    assert f.hull == ta.Box(*expect["hull"]) and f.count == expect["count"]
    assert f.hull_count == expect["hull_count"] and f.waste == expect["waste"]
    assert (f.kind == "exact") == expect["dense"]
    assert f.density == pytest.approx(expect["count"] / expect["hull_count"])
    for axis, shape in enumerate(expect["marginal_overlap_shape"]):
        assert extents(p.overlap(axis).hull) == shape
        assert p.overlap(axis).count == expect["marginal_overlap_count"][axis]
    for cut in expect["split"]:
        parts = p.split(block, cut["axis"], cut["at"])
        assert parts.lo_footprint.hull == ta.Box(*cut["lo_hull"])
        assert parts.hi_footprint.hull == ta.Box(*cut["hi_hull"])
        assert parts.shared.count == cut["shared_count"]
        if cut["shared_hull"] is None:
            assert parts.shared.hull.is_empty
        else:
            assert parts.shared.hull == ta.Box(*cut["shared_hull"])
    assert p.is_injective(block) == expect["injective_starts"]
    assert p.is_disjoint(block) == expect["disjoint_regions"]
    corners = ta.Box.bounding(
        [p.evaluate(block.lo), p.evaluate([x - 1 for x in block.hi])]
    )
    assert corners == ta.Box(*expect["two_corner"])
    assert (corners == f.hull) == expect["two_corner_is_exact"]


@cases("projection_compose", "layout_rand_projection_compose.jsonl")
def test_composition(case):
    p, q = projection(case["first"]), projection(case["second"])
    r, expect = p.compose(q), case["expect"]
    assert (r.matrix, r.offset, r.shape) == (
        expect["matrix"],
        expect["offset"],
        expect["shape"],
    )
    assert p.composes_exactly(q) == expect["hull_is_exact"]


@cases("projection_preimage", "layout_rand_projection_preimage.jsonl")
def test_preimages(case):
    p, box = projection(case), ta.Box(*case["block"])
    for contained, name in (False, "touching"), (True, "contained"):
        f = p.preimage(box, domain=ta.Box(*case["domain"]), contained=contained)
        hull = case["expect"][name + "_hull"]
        assert f.count == case["expect"][name + "_count"]
        assert f.hull.is_empty if hull is None else f.hull == ta.Box(*hull)


@cases("window", "layout_rand_window_halo_oob.jsonl")
def test_windows(case):
    size, out = case["size"], case["expect"]["out"]

    def windows(policy):
        p = ta.Projection.windows(
            [case["window"]],
            stride=[case["stride"]],
            dilation=[case["dilation"]],
            pad_low=[case["pad"][0]],
            oob=[policy],
        )
        taps = len(p.matrix[0]) == 2
        return p, lambda lo, hi: ta.Box(
            [lo] + [0] * taps, [hi] + [case["window"]] * taps
        )

    for name, expect in case["expect"]["policies"].items():
        p, block = windows("pad(0.0)" if name == "pad" else name)
        if not expect["legal"]:
            with pytest.raises(ta.Error, match="is forbidden outside of"):
                p.elements(block(0, out), [size])
            continue
        region = p.elements(block(0, out), [size])
        assert {x for box in region.boxes for x, in points(box)} == {
            x for x in expect["table"] if x >= 0
        }
        assert region.boxes_exact
    p, block = windows("pad(0.0)")
    for shard in case["expect"]["shards"]:
        halo = p.halo(block(*shard["index"]), ta.Box(*[[x] for x in shard["owned"]]), [size])
        assert p.hull(block(*shard["index"])) == ta.Box(
            *[[x] for x in shard["hull_unclipped"]]
        )
        assert halo.region.elements.hull == ta.Box(*[[x] for x in shard["hull"]])
        assert halo.touched == shard["touched"] and halo.remote == shard["remote"]
        assert halo.region.padded == shard["out_of_bounds"]
        assert (halo.lo, halo.hi) == ([shard["halo_lo"]], [shard["halo_hi"]])


@cases("range_split", "layout_tapestry.jsonl")
def test_split(case):
    pieces = ta.Box([0], [case["size"]]).split(0, case["chunk"])
    assert [extents(piece)[0] for piece in pieces] == case["expect"]["chunks"]
    assert ta.exact_cover(ta.Box([0], [case["size"]]), pieces)


@cases("range_product", "layout_tapestry.jsonl")
def test_product(case):
    a, b = ta.Box(*case["a"]), ta.Box(*case["b"])
    assert a.product(b) == ta.Box(*case["expect"]["range"])


@cases("range_valid", "layout_tapestry.jsonl")
def test_valid(case):
    assert not case["expect"]["valid"]
    with pytest.raises(ta.Error, match="must be at most hi, got"):
        ta.Box(case["start"], case["end"])


@cases("exact_cover", "layout_tapestry.jsonl")
def test_exact_cover(case):
    cover = ta.exact_cover(
        ta.Box(*case["domain"]), [ta.Box(*part) for part in case["parts"]]
    )
    expect = case["expect"]
    assert cover.disjoint == expect["disjoint"]
    assert cover.covers == expect["covers"]
    assert cover.exact == bool(cover) == expect["exact"]
    assert (cover.reason == "") == cover.exact


# --- laws


def test_footprints_are_sets():
    pick = random.Random(3)
    for _ in range(200):
        rows, columns = pick.randint(1, 3), pick.randint(0, 3)
        p = ta.Projection(
            [[pick.randint(-4, 4) for _ in range(columns)] for _ in range(rows)],
            [pick.randint(-5, 5) for _ in range(rows)],
            shape=[pick.randint(1, 3) for _ in range(rows)],
        )
        lo = [pick.randint(-3, 3) for _ in range(columns)]
        block = ta.Box(lo, [x + pick.randint(0, 4) for x in lo])
        if rows and columns == 0 and block.is_empty:
            continue
        places, f = image(p, block), p.footprint(block)
        assert f.count == len(places)
        if places:
            assert f.hull == ta.Box(
                list(map(min, zip(*places))), [max(x) + 1 for x in zip(*places)]
            )
            m = p.to_map(block)
            assert m.image().count == len(places)
            q, again = ta.Projection.from_map(m)
            assert again == block and image(q, block) == places
        else:
            assert f.hull.is_empty and f.lattice == []


def test_lattice():
    p = ta.Projection([[2, 0], [0, 3]], [0, -1], shape=[3, 2])
    f = p.footprint(ta.Box([0, 0], [5, 4]))
    assert [str(row) for row in f.lattice] == ["[0, 11)", "-1 + 3k + [0, 2), k < 4"]
    row = f.lattice[1]
    assert (row.first, row.run, row.stride, row.count) == (-1, 2, 3, 4)
    assert row.is_exact and not row.is_dense and f.lattice[0].is_dense
    assert (f.count, f.waste, f.strided_count, f.strided_waste) == (88, 33, 88, 0)
    assert f.is_product and row == f.lattice[1] and row != f.lattice[0]
    assert repr(f) == "<ProjectionFootprint hull [0, 11) x [-1, 10), 88 elements>"
    assert isinstance(f, ta.Footprint)


def test_steps_and_neighbours():
    p = ta.Projection([[2]], [-1], shape=[3])
    assert p.stride(0) == [2] and p.overlap(0).count == 1
    growth = p.growth(ta.Box([0], [4]), 0)
    assert (growth.count, growth.added, growth.shared) == (9, 2, 1)
    assert str(p.reverse_axis(0, 5)) == "[[-2]] + [7], shape = [3]"
    assert str(p.reverse_dimension(0, 10)) == "[[-2]] + [8], shape = [3]"
    assert str(p.with_anchor([-1])) == "[[2]] + [0], anchor = [-1], shape = [3]"
    assert p.coherence and p.coherence.reason == ""
    kept = ta.Projection([[0, 1], [-1, 0]], [0, 0], shape=[1, 1]).coherence
    assert not kept and not kept.order and not kept.direction and kept.dimensions
    assert kept.reason == "dimension 1 moves against axis 0, by -1"


def test_halo_around_the_ends():
    p = ta.Projection([[1]], [-1], shape=[3], oob=["wrap"])
    halo = p.halo(ta.Box([0], [5]), ta.Box([0], [5]), [10])
    assert (halo.lo, halo.hi) == ([1], [1])
    assert halo.remote_boxes == [ta.Box([5], [6]), ta.Box([9], [10])]
    assert repr(halo) == "<Halo lo [1] hi [1], touched 7, remote 2>"


def test_named_anchors():
    p = ta.AnchoredProjection(
        ta.Projection([[2]], [-1], shape=[3]), {"center": [1], "first": [0]}, ["first"]
    )
    assert p.anchors == {"center": [1], "first": [0]}
    assert p.place("center", [4]) == [8]
    assert str(p.drawn_around("center")) == "[[2]] + [0], anchor = [-1], shape = [3]"
    mirrored = p.reverse_dimension(0, 10)
    assert mirrored.place("center", [4]) == [1] and mirrored.place("first", [4]) == [0]
    assert str(mirrored.projection) == "[[-2]] + [8], shape = [3]"
    text = "[[2]] + [-1], shape = [3], anchors = {center = [1], first = [0] fixed}"
    assert str(p) == text and ta.AnchoredProjection(text) == p and p.fixed == ["first"]
    assert hash(p) == hash(ta.AnchoredProjection(text)) and p != mirrored
    assert pickle.loads(pickle.dumps(p)) == p
    with pytest.raises(ta.Error, match="anchor a must lie in the region"):
        ta.AnchoredProjection("[[2]] + [-1], shape = [3], anchors = {a = [3]}")


def brute(array, p, block):
    """The definition: every place by `resolve`."""
    out = np.empty([h - l for l, h in zip(block.lo, block.hi)] + p.shape, array.dtype)
    for at in np.ndindex(*out.shape):
        point = [l + i for l, i in zip(block.lo, at)]
        region = p.evaluate(point)
        place = [l + s for l, s in zip(region.lo, at[len(point):])]
        element = p.resolve(place, list(array.shape))
        out[at] = 0.5 if element is None else array[tuple(element)]
    return out


def test_projections_in_programs():
    rng = random.Random(7)
    for seed in range(40):
        rows, columns = rng.randint(1, 2), rng.randint(1, 2)
        matrix = [[rng.randint(-2, 2) for _ in range(columns)] for _ in range(rows)]
        p = ta.Projection(
            matrix,
            [rng.randint(-2, 2) for _ in range(rows)],
            shape=[rng.randint(1, 3) for _ in range(rows)],
            oob=[rng.choice(["wrap", "clamp", "pad(0.5)"]) for _ in range(rows)],
        )
        lo = [rng.randint(-2, 2) for _ in range(columns)]
        block = ta.Box(lo, [l + rng.randint(1, 4) for l in lo])
        array = np.arange(5**rows, dtype=np.float32).reshape([5] * rows)
        pattern = ta.input(array.shape).access(0).project(p, block=block)
        assert pattern.compute_shape == tuple(p.shape)
        np.testing.assert_array_equal(pattern(array), brute(array, p, block))


def test_projections_in_programs_are_checked():
    pattern = ta.input((5,)).access(0)
    with pytest.raises(ta.Error, match=r"place 5 of dimension 0 is forbidden outside of \[0, 5\), got it at point \[5\]"):
        pattern.project("[[1]] + [0], shape = [1]", [6])
    with pytest.raises(ta.Error, match="project takes extents or a block"):
        pattern.project("[[1]] + [0], shape = [1]")
    with pytest.raises(ta.Error, match="a projection must have a shape"):
        pattern.project("[[1]] + [0]", [5])


def test_boxes():
    a, b = ta.Box([0, 0], [4, 6]), ta.Box([2, -1], [9, 3])
    assert a.intersect(b) == ta.Box([2, 0], [4, 3]) and a.count == 24
    assert sum(piece.count for piece in a.subtract(b)) == 24 - 6
    assert ta.Box.bounding([a, b, ta.Box([50, 50], [50, 50])]) == ta.Box([0, -1], [9, 6])
    assert [3, 5] in a and [3, 6] not in a and [3] not in a
    assert str(a) == "[0, 4) x [0, 6)" and repr(a) == "Box([0, 0], [4, 6])"
    assert ta.Box([-(2**63)], [2**63 - 1]).product(a).count is None
    gap = ta.exact_cover(a, a.split(1, 2)[:2])
    assert gap.witness == [0, 4] and repr(gap) == "<ExactCover no part has [0, 4]>"
    assert gap.inside and repr(ta.exact_cover(a, [a])) == "<ExactCover exact>"


COSTS = ta.CostModel(
    "machine m cliffs [1000: 2.0] op *: start = 1.0, point = 0.5, byte = 0.25 "
    "network torus 2x3: latency = 2.0, bandwidth = 4.0, overhead = 1.0"
)


def test_costs():
    assert ta.CostModel(str(COSTS)) == COSTS == pickle.loads(pickle.dumps(COSTS))
    cost = COSTS.block("tosa.add", [3, 5], bytes_in=40, bytes_out=20)
    assert (cost.seconds, cost.working_set, cost.cliff) == (1 + 7.5 + 15, 60, 1)
    assert COSTS.block("tosa.add", [1], bytes_in=1001).cliff == 2
    assert cost.scratch_bytes == cost.joules == 0
    message = COSTS.message(0, 5, 8)
    assert (message.hops, message.seconds, message.joules) == (2, 1 + 4 + 2, 0)
    gather = COSTS.collective("all_gather", 4, 16)
    assert (gather.steps, gather.bytes_sent, gather.joules) == (3, 12, 0)
    assert gather.seconds == 3 * (1 + 2) + 3
    fitted = COSTS.fitted("a", [(1, 0, 3.0), (2, 0, 5.0), (4, 8, 17.0)])
    assert fitted.block("a", [10], 2).seconds == pytest.approx(1 + 20 + 2)
    assert fitted.machine == "m" and repr(fitted) == "<CostModel of m>"


# --- errors

P = ta.Projection([[1]], [0], shape=[1])
WRAPS = ta.Projection([[1]], [-1], shape=[1], oob=["wrap"])
LARGE = ta.Projection([[2**63 - 1]], [0], shape=[1])
ONE, TWO = ta.Box([0], [4]), ta.Box([0, 0], [4, 4])
OVERFLOWS = "the region overflows 64-bit arithmetic"
REACHES = OVERFLOWS + ": [0, 27670116110564327422) of dimension 0"


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: P.footprint(TWO), "the projection has 1 columns, got a block of rank 2"),
        (lambda: LARGE.footprint(ONE), REACHES),
        (lambda: LARGE.preimage(ONE, domain=ONE), REACHES),
        (lambda: LARGE.split(ONE, 0, 2), REACHES),
        (lambda: LARGE.elements(ONE, [4]), REACHES),
        (lambda: LARGE.to_map(ONE), REACHES),
        (
            lambda: ta.Projection([[1]], [2**63 - 2], shape=[1]).overlap(0),
            OVERFLOWS,
        ),
        (lambda: LARGE.compose(LARGE), "the projection overflows 64-bit arithmetic"),
        (
            lambda: P.compose(ta.Projection([[1, 0]], [0], shape=[1])),
            "the first projection has 1 rows, but the second has 2 columns",
        ),
        (
            lambda: WRAPS.composes_exactly(P),
            "dimension 0 between the projections has the policy wrap, which no "
            "single projection can follow",
        ),
        (
            lambda: P.preimage(TWO, domain=ONE),
            "the projection has 1 rows, got a box of rank 2",
        ),
        (
            lambda: P.preimage(ONE, domain=TWO),
            "the projection has 1 columns, got a domain of rank 2",
        ),
        (lambda: P.overlap(1), "axis 1 must be in [0, 1)"),
        (lambda: P.stride(-1), "axis -1 must be in [0, 1)"),
        (lambda: P.split(ONE, 0, 9), "a block of [0, 4) cannot be cut at 9"),
        (
            lambda: P.reverse_axis(0, 0),
            "the extent of a reversed axis must be positive, got 0",
        ),
        (lambda: P.reverse_dimension(-1, 1), "dimension -1 must be in [0, 1)"),
        (
            lambda: ta.Projection([[1, 2.5]], [0], shape=[1]),
            "matrix row 0 entry 1 must be an integer, got 2.5",
        ),
        (
            lambda: ta.Projection([[1], 2], [0], shape=[1]),
            "matrix row 1 must be a list of integers, got 2",
        ),
        (lambda: ta.Projection(7, [0], shape=[1]), "matrix must be a list of rows, got 7"),
        (
            lambda: ta.Projection([[1], [2, 3]], [0, 0], shape=[1, 1]),
            "matrix row 1 must have 1 entries as row 0 has, got 2",
        ),
        (
            lambda: ta.Projection([[2**63]], [0], shape=[1]),
            "integer 9223372036854775808 does not fit in 64 bits",
        ),
        (lambda: ta.Box([0.5], [2]), "lo entry 0 must be an integer, got 0.5"),
        (lambda: P.reverse_dimension(3, 1), "dimension 3 must be in [0, 1)"),
        (
            lambda: P.with_anchor([1, 2]),
            "anchor must have one entry per matrix row, 1, got 2",
        ),
        (
            lambda: P.elements(ONE, [3]),
            "place 3 of dimension 0 is forbidden outside of [0, 3)",
        ),
        (lambda: P.elements(ONE, []), "the projection has 1 rows, got 0 sizes"),
        (lambda: P.elements(ONE, [-1]), "size 0 must not be negative, got -1"),
        (
            lambda: P.halo(ONE, ta.Box([0], [9]), [5]),
            "what is owned must lie in the tensor: [0, 9) of dimension 0 leaves [0, 5)",
        ),
        (
            lambda: P.halo(ONE, TWO, [5]),
            "the projection has 1 rows, got an owned box of rank 2",
        ),
        (
            lambda: WRAPS.to_map(ONE),
            "dimension 0 has the policy wrap, which needs the tensor's sizes",
        ),
        (
            lambda: ta.Projection.from_map(
                ta.IndexingMap("(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]")
            ),
            "result 0, d0 floordiv 2, is not a sum of multiples of variables",
        ),
        (lambda: ta.Projection.windows([0]), "window 0 must be positive, got 0"),
        (
            lambda: ta.Projection.windows([3, 3], stride=[1]),
            "stride must have one entry per window, 2, got 1",
        ),
        (lambda: ta.Box([3], [2]), "lo 0 must be at most hi, got 3 > 2"),
        (lambda: ta.Box([3, 1], [2]), "lo has 2 entries, but hi has 1"),
        (lambda: ONE.intersect(TWO), "the box has rank 1, but the other has rank 2"),
        (lambda: ONE.split(0, 0), "chunk must be positive, got 0"),
        (lambda: ONE.split(-1, 2), "axis -1 must be in [0, 1)"),
        (lambda: ta.Box.bounding([]), "bounding needs at least one box"),
        (
            lambda: ta.exact_cover(ONE, [TWO]),
            "part 0 has rank 2, but the domain has 1",
        ),
        (
            lambda: ta.AnchoredProjection(P, {"a": [1]}),
            "anchor a must lie in the region: entry 0 must be in [0, 1), got 1",
        ),
        (lambda: COSTS.message(0, 6, 8), "rank 6 must be in [0, 6)"),
        (
            lambda: COSTS.block("a", [-1]),
            "extent 0 must not be negative, got -1",
        ),
        (lambda: COSTS.collective("all_reduce", 0, 8), "ranks must be positive, got 0"),
        (
            lambda: COSTS.collective("scan", 2, 8),
            "expected all_gather, reduce_scatter, all_reduce or all_to_all, got 'scan'",
        ),
        (lambda: COSTS.fitted("a", []), "rates of 'a' need at least one sample"),
        (
            lambda: ta.CostModel("machine m op a: begin = 1"),
            "expected one of start point byte scratch scratch_point energy_point "
            "energy_byte lanes panel axes scratch_axes, got 'begin'\n"
            "  machine m op a: begin = 1\n"
            "                  ^",
        ),
        (lambda: ta.AnchoredProjection(P, {}, ["a"]), "there is no anchor 'a'"),
        (lambda: ta.AnchoredProjection(P, {}).place("a", [0]), "there is no anchor 'a'"),
        (lambda: ta.AnchoredProjection(P, {}).drawn_around("a"), "there is no anchor 'a'"),
    ],
)
def test_errors(wrong, message):
    with pytest.raises(ta.Error) as error:
        wrong()
    assert str(error.value) == message
