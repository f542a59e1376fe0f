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
    # Strides without a direction, or without a step; a tile of nothing.
    layout = ta.Layout("f32[8,8]{1,0}")
    assert ta.bandwidth_utilization(layout, [2, 4], [1, -1], 32) == 0.5
    assert ta.bandwidth_utilization(layout, [2, 4], [1, 0], 32) == 4 / 32
    assert ta.bandwidth_utilization(layout, [0, 4], [1, 1], 32) == 1.0


def test_nothing_is_coalesced():
    nothing = ta.IndexingMap("(d0) -> (d0 * 9), domain: d0 in [0, 63], d0 in [70, 80]")
    c = nothing.coalescing()
    assert c.accesses == 0 and c.is_coalesced() and c.utilization == 1.0


LAUNCH = """
func.func @columns(%m: memref<32x100xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c100, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %f, %m[%tx, %bx] : memref<32x100xf32>
    gpu.terminator
  }
  return
}
func.func @unknown(%m: memref<32xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %v = memref.load %m[%c0] : memref<32xf32>
  }
  return
}"""


def test_memory_accesses():
    found = ta.Module(LAUNCH).memory_accesses(transaction_bytes=32)
    (store,) = found["columns"]
    assert (store.name, store.is_store, store.lane) == ("memref.store", True, "thread_x")
    assert store.element_bits == 32 and store.reason is None
    assert str(store.map) == (
        "(block_x, thread_x) -> (thread_x, block_x), domain: block_x in [0, 99], "
        "thread_x in [0, 31]")
    assert store.numbers.evaluate([7, 3]) == [307]
    assert store.coalescing.utilization == 1 / 8
    (load,) = found["unknown"]
    assert load.map.is_unknown and load.coalescing is None and load.reason == "control flow"
    with pytest.raises(ta.Error, match="lanes must be positive, got 0"):
        ta.Module(LAUNCH).memory_accesses(lanes=0)


ADD = """
func.func @main(%a: tensor<100x200xf32>, %b: tensor<100x200xf32>) -> tensor<100x200xf32> {
  %r = arith.addf %a, %b : tensor<100x200xf32>
  return %r : tensor<100x200xf32>
}"""


def test_read_coalescing():
    mod = ta.Module(ADD)
    reads = mod.read_coalescing()
    assert [(r.result, r.operand, r.plan) for r in reads] == [(0, 0, "output"), (0, 1, "output")]
    assert all(r.coalescing.is_coalesced() for r in reads)
    turned = mod.read_coalescing(result_layouts={0: ta.Layout("{0,1}")})
    assert not any(r.coalescing.is_coalesced() for r in turned)
    one = mod.read_coalescing(argument_layouts={1: ta.Layout("{0,1}")})
    assert [r.coalescing.is_coalesced() for r in one] == [True, False]
    given = mod.read_coalescing(thread_map=ta.IndexingMap(
        "(t, b) -> (t, b), domain: t in [0, 99], b in [0, 199]"))
    assert [r.plan for r in given] == ["given", "given"]
    assert not given[0].coalescing.is_coalesced()
    wide = mod.read_coalescing(vector=4)
    assert wide[0].coalescing.accesses == 157 and wide[0].coalescing.utilization == 1.0


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(name="f"), "there is no function 'f' with a body; known are main"),
        (dict(plan="best"), "unknown plan 'best'; known are auto, output, input, columns"),
        (dict(vector=0), r"vector must be in \[1, 1048576\], got 0"),
        (dict(result_layouts={1: "{1,0}"}), "no result 1, there are 1"),
        (dict(argument_layouts={0: "{0}"}), "the layout of argument 0 has rank 1, expected 2"),
        (dict(thread_map="() -> (0, 0)"), "a thread map has the lane as its first dim"),
    ],
)
def test_read_coalescing_errors(options, message):
    options = dict(options)
    for key in ("result_layouts", "argument_layouts"):
        if key in options:
            options[key] = {i: ta.Layout(text) for i, text in options[key].items()}
    if "thread_map" in options:
        options["thread_map"] = ta.IndexingMap(options["thread_map"])
    with pytest.raises(ta.Error, match=message):
        ta.Module(ADD).read_coalescing(**options)


def test_read_coalescing_cases(root):
    lines = (root / "test/Cases/indexing_coalescing.jsonl").read_text().splitlines()
    cases = [c for c in map(json.loads, lines) if c["kind"] == "read_coalesced_per_operand"]
    assert cases
    for c in cases:
        # The text has no layouts; the names of the cases say what they were.
        layouts = {0: ta.Layout("{0,1}")} if "OutputTransposedLayout" in c["id"] else {}
        reads = ta.Module(c["mlir"]).read_coalescing(result_layouts=layouts)
        assert [r.coalescing.is_coalesced() for r in reads] == c["expected"], c["id"]


def test_the_default_shape_is_the_smallest_that_holds_the_indices():
    m = ta.IndexingMap("(d0) -> (d0, (d0 * 5) mod 9), domain: d0 in [0, 2]")
    default = m.coalescing(element_bytes=4, transaction_bytes=32)
    assert default.transactions == 2  # at bytes 0, 44 and 52
    given = m.coalescing(element_bytes=4, transaction_bytes=32, shape=[3, 6])
    assert default.bytes_moved == given.bytes_moved


def test_strided_rows_may_meet():
    layout = ta.Layout("f32[2,3]{1,0}")  # elements 0, 2, 3 and 5: three runs
    assert ta.bandwidth_utilization(layout, [2, 2], [1, 2], 32) == 1 / 6


def test_the_innermost_parallel_loop_is_the_lane():
    (access,) = ta.Module("""
func.func @main(%m: memref<32xf16>) {
  affine.parallel (%j) = (0) to (32) {
    %v = affine.load %m[%j] : memref<32xf16>
    "test.use"(%v) : (f16) -> ()
  }
  return
}""").memory_accesses(transaction_bytes=32)["main"]
    assert (access.coalescing.bytes_used, access.coalescing.bytes_moved) == (64, 64)
