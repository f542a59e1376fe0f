# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coalescing of maps, tiles in layouts, and layouts as maps."""

import itertools
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensoraccess as ta


def test_a_transposed_read():
    m = ta.IndexingMap("(d0, d1) -> (d0, d1), domain: d0 in [0, 63], d1 in [0, 99]")
    c = m.coalescing(element_bytes=4, lane="d0", lanes=32, transaction_bytes=64)
    assert (c.accesses, c.bytes_used) == (200, 200 * 128)
    assert c.bytes_moved == 200 * 32 * 64 and c.utilization == 1 / 16
    assert c.worst == (128, 2048) and not c.is_coalesced()
    turned = m.coalescing(layout=ta.Layout("{0,1}"))
    assert turned.utilization == 1.0 and turned.is_coalesced()
    assert m.coalescing(lane="d1", lanes=4).bytes_moved == 64 * 25 * 64
    assert "6400" in repr(turned) or "25600" in repr(turned)


def brute(points, number, element_bytes, lanes, transaction):
    """points: (lane, key) pairs."""
    accesses = {}
    for lane, key in points:
        accesses.setdefault((lane // lanes, key), set()).add(number(lane, key))
    used = moved = 0
    for numbers in accesses.values():
        touched = {n * element_bytes + b for n in numbers for b in range(element_bytes)}
        used += len(touched)
        moved += transaction * len({b // transaction for b in touched})
    return used, moved


@given(
    st.integers(1, 20), st.integers(1, 20), st.integers(0, 40), st.integers(-9, 70),
    st.integers(1, 9), st.sampled_from([1, 3, 8, 32]), st.sampled_from([1, 2, 4, 8]),
    st.sampled_from([16, 24, 64]),
)
def test_is_brute_force(n, k, a, b, m, lanes, width, transaction):
    map = ta.IndexingMap(
        f"(d0, d1) -> (d0 * {a} + (d0 + d1 * {b}) floordiv {m}), "
        f"domain: d0 in [0, {n - 1}], d1 in [0, {k - 1}], d0 + d1 in [0, {n + 2}]")
    points = [(x, y) for x, y in itertools.product(range(n), range(k)) if x + y <= n + 2]
    c = map.coalescing(width, lanes=lanes, transaction_bytes=transaction)
    expected = brute(points, lambda x, y: x * a + (x + y * b) // m, width, lanes, transaction)
    assert (c.bytes_used, c.bytes_moved) == expected


def test_widths():
    m = ta.IndexingMap("(d0) -> (d0), domain: d0 in [0, 31]")
    assert m.coalescing().bytes_used == 128
    assert m.coalescing(element_bits=4).bytes_used == 16
    assert m.coalescing(layout=ta.Layout("bf16[32]{0}")).bytes_used == 64
    assert m.coalescing(layout=ta.Layout("s4[32]{0:E(4)}")).bytes_used == 16
    assert m.coalescing(8, layout=ta.Layout("bf16[32]{0}")).bytes_used == 256


def test_vector_lanes_and_none():
    m = ta.IndexingMap("(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 31], s0 in [0, 3]")
    assert m.coalescing().utilization == 0.25
    assert m.coalescing(vector=["s0"]).utilization == 1.0
    assert m.coalescing(lane=None, vector=["s0"]).accesses == 32


def test_shape_masks_what_lies_outside():
    m = ta.IndexingMap("(d0, d1) -> (d1, d0), domain: d0 in [0, 31], d1 in [0, 9]")
    assert m.coalescing(shape=[10, 20]).bytes_used == 10 * 20 * 4
    assert m.coalescing(layout=ta.Layout("{1,0}"), shape=[3, 32]).bytes_used == 3 * 128


def test_runtime_variables():
    m = ta.IndexingMap("(d0){rt0} -> (rt0, d0), domain: d0 in [0, 31], rt0 in [0, 9]")
    assert m.coalescing() is None
    assert m.coalescing(uniform=["rt0"], transaction_bytes=128).bytes_moved == 128
    assert ta.IndexingMap("unknown").coalescing() is None


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(lane="d7"), "the map has no variable 'd7'"),
        (dict(lane="rt0"), "rt0 is a runtime variable, not a dim or symbol"),
        (dict(lanes=0), "lanes must be positive, got 0"),
        (dict(element_bytes=0), r"element bytes must be in \[1, 131072\], got 0"),
        (dict(element_bytes=4, element_bits=4), "give element_bytes or element_bits, not both"),
        (dict(vector=["d0"]), "d0 is listed twice"),
        (dict(layout="{0}"), "the map has 2 results, but the layout has rank 1"),
        (dict(shape=[1]), "the map has 2 results, but the shape has rank 1"),
        (dict(shape=[1, -1]), "size 1 must not be negative, got -1"),
    ],
)
def test_errors(options, message):
    m = ta.IndexingMap("(d0){rt0} -> (rt0, d0), domain: d0 in [0, 31], rt0 in [0, 9]")
    if "layout" in options:
        options = {"layout": ta.Layout(options["layout"])}
    with pytest.raises(ta.Error, match=message):
        m.coalescing(**options)


def test_layouts_as_maps():
    l = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    assert str(l.physical_map) == (
        "(d0, d1) -> (d0 floordiv 2, d1 floordiv 2, d0 mod 2, d1 mod 2), "
        "domain: d0 in [0, 2], d1 in [0, 4]")
    for index in itertools.product(range(3), range(5)):
        assert l.indexing_map.evaluate(index) == [l.linearize(index)]
        assert l.logical_map.evaluate(l.physical_map.evaluate(index)) == list(index)
    assert l.logical_map.evaluate([1, 2, 1, 1]) is None
    with pytest.raises(ta.Error, match=re.escape("layout '{1,0}' has no shape")):
        ta.Layout("{1,0}").indexing_map


def test_maps_between_physical_layouts():
    # A transpose that its layouts undo is the identity in memory.
    logical = ta.IndexingMap("(d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 4]")
    out, operand = ta.Layout("f32[3,5]{1,0}"), ta.Layout("f32[5,3]{0,1}")
    physical = out.logical_map.compose(logical).compose(operand.physical_map).simplify()
    assert physical == ta.IndexingMap.identity([3, 5])


def test_bandwidth_utilization_cases(root):
    lines = (root / "test/Cases/indexing_coalescing.jsonl").read_text().splitlines()
    cases = [c for c in map(json.loads, lines) if c["kind"] == "bandwidth_utilization"]
    assert cases
    for c in cases:
        order = ",".join(map(str, c["minor_to_major"]))
        layout = ta.Layout("{" + order + "}").with_shape(c["shape"], c["element_type"])
        assert ta.bandwidth_utilization(
            layout, c["tile_sizes"], c["tile_strides"], c["transaction_bytes"]
        ) == pytest.approx(c["expected"]), c["id"]
    with pytest.raises(ta.Error, match="tile size 0 must not be negative, got -1"):
        ta.bandwidth_utilization(ta.Layout("f32[3]{0}"), [-1], [1], 32)
