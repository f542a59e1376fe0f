# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compiler made of a program: XLA's own counts, brute force, and numbers by hand."""

import itertools
import json
import pathlib
import re

import numpy as np
import pytest

import tensoraccess as ta

SUM = """%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b)
}
"""


def dump(entry, *others, header="is_scheduled=true"):
    body = "\n".join("  " + line for line in entry.strip().splitlines())
    return f"HloModule m, {header}\n" + "\n".join(others) + "ENTRY %main () -> f32[] {\n" + body + "\n}\n"


def find(explanation, section, name):
    return next(row for row in explanation.sections[section] if row["name"] == name)


@pytest.mark.parametrize("name", ["mlp", "softmax", "attention", "conv", "layernorm", "gradient"])
def test_bytes_are_those_of_xla(name):
    jax = pytest.importorskip("jax")
    jnp = jax.numpy

    def conv(x, w):
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def attention(q, k, v):
        return jax.nn.softmax(jnp.einsum("bhqd,bhkd->bhqk", q, k)) @ v

    def layernorm(x, g):
        return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g

    functions = {
        "mlp": (lambda x, w, b: jax.nn.relu(x @ w + b), (16, 32), (32, 8), (8,)),
        "softmax": (jax.nn.softmax, (7, 33)),
        "attention": (attention, (2, 2, 8, 16), (2, 2, 8, 16), (2, 2, 8, 16)),
        "conv": (conv, (1, 9, 9, 3), (3, 3, 3, 4)),
        "layernorm": (layernorm, (4, 6, 32), (32,)),
        "gradient": (jax.grad(lambda w, x: (jnp.tanh(x @ w) ** 2).mean()), (6, 4), (8, 6)),
    }
    function, *shapes = functions[name]
    compiled = jax.jit(function).lower(*(np.zeros(s, np.float32) for s in shapes)).compile()
    costs = compiled.cost_analysis()
    if "bytes accessed" not in costs:
        pytest.skip("this XLA counts no bytes")
    totals = ta.explain(compiled).totals
    assert totals["bytes"] == costs["bytes accessed"]
    if name == "conv":
        assert totals["operations"] == costs["flops"]


def test_bytes_of_a_dump_are_those_of_xla(root):
    # cost_analysis() said so when the dump was made.
    assert ta.explain(root / "docs/examples/attention.hlo").totals["bytes"] == 1712132


def test_operations_that_a_fusion_repeats():
    # Each element of the result computes the sum of its row.
    text = dump(
        """
%x = f32[4,6]{1,0} parameter(0)
ROOT %fusion.33 = f32[4,6]{1,0} fusion(%x), kind=kLoop, calls=%fused
""",
        SUM,
        """%fused (p: f32[4,6]) -> f32[4,6] {
  %p = f32[4,6]{1,0} parameter(0)
  %z = f32[] constant(0)
  %r = f32[4]{0} reduce(%p, %z), dimensions={1}, to_apply=%sum
  %b = f32[4,6]{1,0} broadcast(%r), dimensions={0}
  ROOT %d = f32[4,6]{1,0} divide(%p, %b)
}
""",
    )
    explanation = ta.explain(text)
    row = find(explanation, "fusions", "fusion.33")
    sums = divisions = 0
    for _ in itertools.product(range(4), range(6)):
        sums += 6
        divisions += 1
    assert row["operations"] == sums + divisions
    assert row["repeated"] == sums - 4 * 6
    # Each element is read by its own place, and by the sum of each place of its row.
    assert row["rereads"] == 4 * (4 * 6 * (1 + 6) - 4 * 6)
    assert explanation.totals["operations"] == sums + divisions
    assert explanation.totals["leastOperations"] == 4 * 6 + divisions
    # An emitter of tiles keeps them.
    tiled = ta.explain(text.replace("kLoop", "kCustom"))
    assert tiled.totals["operations"] == 4 * 6 + divisions


def test_edges():
    text = dump(
        """
%x = f32[4,6]{1,0} parameter(0)
%w = f32[6,5]{1,0} parameter(1)
%e = f32[4,6]{1,0} exponential(%x)
%d = f32[4,5]{1,0} dot(%e, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
%n = f32[4,5]{1,0} tanh(%d)
%s = f32[4,5]{1,0} sort(%n), dimensions={1}, to_apply=%less
ROOT %r = f32[4,5]{1,0} add(%s, %d)
""",
        """%less (a: f32[], b: f32[]) -> pred[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = pred[] compare(%a, %b), direction=LT
}
""",
    )
    edges = {row["name"]: row for row in ta.explain(text).sections["edges"]}
    assert edges["e"]["verdict"] == "repeats"
    assert edges["e"]["saves"] == 2 * 4 * 4 * 6
    # Five columns read each element: four times too often.
    assert edges["e"]["repeats"] == 4 * 4 * 6
    assert "5 times" in edges["e"]["text"] and "(d0, s0)" in edges["e"]["text"]
    # Two steps would compute the product, and read what it reads twice.
    assert edges["d"]["into"] == "n, r"
    assert edges["d"]["repeats"] == 2 * 4 * 5 * 6
    # The first stores nothing then, and the other reads all operands again.
    assert edges["d"]["saves"] == 3 * 80 - 4 * (24 + 30)
    assert edges["n"]["verdict"] == "cannot" and "whole operands" in edges["n"]["text"]
    assert edges["s"]["verdict"] == "cannot"


@pytest.mark.parametrize("combine, others", [("maximum", True), ("add", False)])
def test_what_is_repeated_is_all_that_is_computed(combine, others):
    # XLA counts no operations for maxima, but they are computed for each element again.
    bodies = """%m (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] maximum(%a, %b)
}
""".replace("maximum", combine)
    text = dump("""
%x = f32[8,64]{1,0} parameter(0)
%n = f32[] constant(-inf)
%r = f32[8]{0} fusion(%x, %n), kind=kInput, calls=%f
%w = f32[8,64]{1,0} broadcast(%r), dimensions={0}
ROOT %y = f32[8,64]{1,0} subtract(%x, %w)
""", bodies, """%f (p: f32[8,64], z: f32[]) -> f32[8] {
  %p = f32[8,64]{1,0} parameter(0)
  %z = f32[] parameter(1)
  ROOT %r = f32[8]{0} reduce(%p, %z), dimensions={1}, to_apply=%m
}
""")
    explanation = ta.explain(text)
    edges = {row["name"]: row for row in explanation.sections["edges"]}
    done = sum(64 for _ in range(8 * 64))
    assert edges["r"]["verdict"] == "repeats" and edges["r"]["repeats"] == done - 8 * 64
    assert ("comparisons" in edges["r"]["text"]) == others
    # What only moves is free.
    assert (edges["w"]["verdict"], edges["w"]["repeats"]) == ("free", 0)
    assert "1 of which could be fused" in str(explanation)


def test_saves_are_those_of_the_fused_program():
    # What is in memory between the two steps, or in a fusion of both.
    parameters = """%x = f32[16,8]{1,0} parameter(0)
%u = f32[1,8]{1,0} parameter(1)
%i = s32[] parameter(2)
%z = s32[] parameter(3)
"""
    steps = {
        "copy": ("f32[16,8]", "copy(%x)"),
        "tanh": ("f32[16,8]", "tanh(%x)"),
        "update": ("f32[16,8]", "dynamic-update-slice(%x, %u, %i, %z)"),
    }
    readers = {
        "transpose": ("f32[8,16]", "transpose(%p), dimensions={1,0}"),
        "sum": ("f32[16,8]", "add(%p, %x)"),
        "rows": ("f32[3,8]", "slice(%p), slice={[2:5], [0:8]}"),
    }

    def bounds(count):
        return (count.get("at_least", 0), count["at_most"]) if isinstance(count, dict) else (count, count)

    for (step, (shape, made)), (reader, (result, reads)) in itertools.product(steps.items(), readers.items()):
        for kept in (False, True):
            made_first = f"%p = {shape} {made}\n"
            end = f"\nROOT %t = ({result}, {shape}) tuple(%q, %p)" if kept else ""
            is_root = "" if kept else "ROOT "
            apart = ta.explain(dump(parameters + made_first + f"{is_root}%q = {result} {reads}" + end))
            body = f"%f () -> f32[] {{\n{parameters}{made_first}ROOT %q = {result} {reads}\n}}\n"
            call = f"{is_root}%q = {result} fusion(%x, %u, %i, %z), kind=kLoop, calls=%f"
            together = ta.explain(dump(parameters + (made_first if kept else "") + call + end, body))
            before, after = (bounds(explanation.totals["bytes"]) for explanation in (apart, together))
            # An edge that saves nothing is left out.
            row = {"saves": 0, "text": ""}
            row = next((row for row in apart.sections["edges"] if row["name"] == "p"), row)
            what = (step, reader, kept, row["saves"], before, after)
            saves = bounds(row["saves"])
            assert saves[0] <= before[1] - after[0] and before[0] - after[1] <= saves[1], what
            if before[0] == before[1] and after[0] == after[1]:
                assert saves[0] <= before[0] - after[0] <= saves[1], what
                assert reader != "transpose" or saves[0] == saves[1], what
                assert step == "update" or saves[1] - saves[0] <= 3 * 8 * 4, what
            assert ("overwrites x in place" in row.get("text", "")) == (step == "update" and kept), what


def test_places_in_files():
    frames = """FileNames
1 "model.py"
2 "<string>"

FunctionNames
1 "<module>"
2 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=21 column=1}
2 {file_name_id=2 function_name_id=2 line=62 column=2}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}

"""
    text = dump("""
%x = f32[8]{0} parameter(0)
%e = f32[8]{0} exponential(%x), metadata={op_name="f/exp" stack_frame_id=2}
ROOT %n = f32[8]{0} tanh(%e)
""")
    header, rest = text.split("\n", 1)
    text = header + "\n\n" + frames + rest
    explanation = ta.explain(text)
    # Code without a file was called from one; without metadata, it is the dump's line.
    assert find(explanation, "places", "e")["source"] == "model.py:21"
    line = next(i for i, line in enumerate(text.splitlines(), 1) if "tanh" in line)
    assert find(explanation, "places", "n")["source"].endswith(f":{line} (dump)")


def test_masks_that_the_run_decides():
    def masked(position):
        return ta.ask("masked", dump(f"""
%x = f32[8]{{0}} parameter(0)
%pos = s32[] {position}
%i = s32[8]{{0}} iota(), iota_dimension=0
%p = s32[8]{{0}} broadcast(%pos), dimensions={{}}
%le = pred[8]{{0}} compare(%i, %p), direction=LE
%e = f32[8]{{0}} exponential(%x)
%zero = f32[] constant(0)
%zeros = f32[8]{{0}} broadcast(%zero), dimensions={{}}
ROOT %s = f32[8]{{0}} select(%le, %e, %zeros)
"""))

    unknown = masked("parameter(1)")
    assert not unknown.sections["masked"]
    assert "unknown: 1 mask is known only at run time: that of s depends on pos" in str(unknown)
    known = masked("constant(2)")
    assert find(known, "masked", "e")["operations masked"] == 8 - 3
    assert "run time" not in str(known)


@pytest.mark.parametrize("name", ["gpt2", "conformer", "mamba", "prefix_lm"])
def test_reports_of_masks_are_answers(name):
    """The section 'masked' of the report has the numbers of ask, in the field's names."""
    text = (pathlib.Path(__file__).parents[1] / f"Models/causal/{name}.mlir").read_text()
    module = ta.Module(text)
    items = module.report("masked", function="main")
    keys = {"OperationsMasked": "operations masked", "Operations": "operations",
            "ElementsThatMatter": "elements that matter", "Elements": "elements",
            "ReadsThatMatter": "reads that matter", "Reads": "reads"}  # fmt: skip
    told = [
        {keys[k]: v for k, v in item["metrics"].items() if k in keys}
        for item in items
        if item["name"] == "op" and item["kind"] == "analysis"
    ]
    rows = [
        {key: row[key] for key in keys.values() if key in row}
        for row in ta.ask("masked", module).sections["masked"]
    ]
    order = lambda row: sorted((k, str(v)) for k, v in row.items())
    assert sorted(told, key=order) == sorted(rows, key=order)
    total = next(item for item in items if item["name"] == "function")
    assert total["metrics"]["OperationsMasked"] == sum(row["operations masked"] for row in rows)


def test_masks_in_loops():
    """Trips of a loop are one row: half of a causal mask, in each and over all of them."""
    jax = pytest.importorskip("jax")
    jnp = jax.numpy

    def layers(x):
        def layer(h, _):
            scores = jnp.where(jnp.tri(8, dtype=bool), h @ h.T, -jnp.inf)
            return jax.nn.softmax(scores) @ h, None

        return jax.lax.scan(layer, x, None, length=3)[0]

    def tokens(x):
        def token(c, t):
            scores = jnp.where(jnp.arange(8) <= t, x @ x[t], -jnp.inf)
            return c, jax.nn.softmax(scores) @ x

        return jax.lax.scan(token, 0.0, jnp.arange(8))[1]

    for f, times in (layers, 3), (tokens, 1):
        module = ta.Module(jax.jit(f).lower(jax.ShapeDtypeStruct((8, 4), "float32")))
        rows = ta.ask("masked", module).sections["masked"]
        assert len({row["name"] for row in rows}) == len(rows)
        scores, values = [row for row in rows if row["kind"] == "dot_general"]
        assert scores["elements"] == 64 * times and scores["elements that matter"] == 36 * times
        assert scores["operations masked"] == 28 * 8 * times == values["operations masked"]


def test_loops():
    def loop(config):
        return dump(
            f"""
%x = f32[8]{{0}} parameter(0)
%i = s32[] parameter(1)
%t = (s32[], f32[8]{{0}}) tuple(%i, %x)
%w = (s32[], f32[8]{{0}}) while(%t), condition=%cond, body=%body{config}
ROOT %r = f32[8]{{0}} get-tuple-element(%w), index=1
""",
            """%cond (t: (s32[], f32[8])) -> pred[] {
  %t = (s32[], f32[8]{0}) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %n = s32[] constant(5)
  ROOT %c = pred[] compare(%i, %n), direction=LT
}
%f (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %e = f32[8]{0} exponential(%p)
  ROOT %n = f32[8]{0} multiply(%e, %p)
}
%body (t: (s32[], f32[8])) -> (s32[], f32[8]) {
  %t = (s32[], f32[8]{0}) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %x = f32[8]{0} get-tuple-element(%t), index=1
  %one = s32[] constant(1)
  %j = s32[] add(%i, %one)
  %fusion.2 = f32[8]{0} fusion(%x), kind=kLoop, calls=%f
  ROOT %o = (s32[], f32[8]{0}) tuple(%j, %fusion.2)
}
""",
        )

    known = ta.explain(loop(', backend_config={"known_trip_count":{"n":"7"}}'))
    # What a fusion in a body is made of is one step, seven times; the condition runs
    # eight times and reads two numbers.
    row = find(known, "places", "fusion.2")
    assert (row["bytes"], row["runs"], row["operations"]) == (7 * 64, 7, 7 * 16)
    assert known.totals["bytes"] == 7 * (64 + 12) + 8 * 9
    assert "roundBytes" not in known.totals
    # An edge within the body saves what is stored in each round, and repeats nothing.
    made = ("%fusion.2 = f32[8]{0} fusion(%x)", "%fusion.2 = f32[8]{0} fusion(%y)")
    chain = loop(', backend_config={"known_trip_count":{"n":"7"}}').replace(
        made[0], "%y = f32[8]{0} exponential(%x)\n  " + made[1]
    )
    edge = find(ta.explain(chain), "edges", "y")
    assert (edge["saves"], edge["repeats"], edge["verdict"]) == (7 * 64, 0, "free")
    # Who says nothing of the number is not guessed at.
    unknown = ta.explain(loop(""))
    assert unknown.totals["bytes"] == 0 and unknown.totals["roundBytes"] == 64 + 12 + 9
    assert find(unknown, "places", "fusion.2")["runs"] == {}
    assert "whose trips are unknown: 85 bytes" in str(unknown)


def test_updates_are_in_place():
    text = dump(
        """
%x = f32[64,8]{1,0} parameter(0)
%u = f32[1,8]{1,0} parameter(1)
%i = s32[] parameter(2)
%copy = f32[64,8]{1,0} copy(%x)
ROOT %r = f32[64,8]{1,0} dynamic-update-slice(%copy, %u, %i, %i)
"""
    )
    explanation = ta.explain(text)
    row = find(explanation, "places", "r")
    assert row["written"] == 32 and row["read"] == 32 + 4
    [copy] = explanation.sections["copies"]
    assert copy["bytes"] == 2 * 64 * 8 * 4 and "donated" in copy["text"]


def test_runtime_indices_have_bounds():
    text = dump(
        """
%x = f32[64,8]{1,0} parameter(0)
%i = s32[3,1]{1,0} parameter(1)
ROOT %g = f32[3,8]{1,0} gather(%x, %i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}
"""
    )
    row = find(ta.explain(text), "places", "g")
    assert row["read"] == {"at_least": 12, "at_most": 12 + 3 * 8 * 4}
    assert "12 to 108" in ta.explain(text).text()


def test_padding_is_followed_back():
    text = dump(
        """
%a = f32[1024,128]{1,0:T(8,128)} parameter(0)
%r = f32[1024,128,1]{2,1,0:T(8,128)} reshape(%a), metadata={op_name="jit(f)/expand" source_file="f.py" source_line=9}
ROOT %n = f32[1024,128,1]{2,1,0:T(8,128)} negate(%r)
"""
    )
    rows = ta.explain(text).sections["padding"]
    assert [row["name"] for row in rows] == ["r", "n"]
    assert rows[1]["size"] == 128 * rows[1]["used"] == 1024 * 128 * 128 * 4
    assert rows[1]["padding"] == rows[1]["size"] - rows[1]["used"]
    assert "that of r" in rows[1]["text"]
    # The order that wastes nothing: of all there are.
    best = min(
        ta.Layout(f"f32[1024,128,1]{{{','.join(map(str, order))}:T(8,128)}}").size_bytes
        for order in itertools.permutations(range(3))
    )
    assert f"{best:,} bytes" in rows[1]["text"]
    assert rows[0]["source"] == "f.py:9" and rows[0]["op_name"] == "jit(f)/expand"


def test_work_that_is_never_read():
    text = dump(
        """
%x = f32[64,8]{1,0} parameter(0)
%e = f32[64,8]{1,0} exponential(%x)
%t = f32[64,8]{1,0} tanh(%e)
%s = f32[5,8]{1,0} slice(%t), slice={[2:7], [0:8]}
ROOT %o = f32[5,8]{1,0} negate(%s)
"""
    )
    explanation = ta.explain(text)
    for name in "et":
        row = find(explanation, "slices", name)
        assert (row["elements"], row["of"], row["operations"]) == (59 * 8, 64 * 8, 59 * 8)
    # A value that is returned, too, is needed whole.
    kept = text.replace("ROOT %o = f32[5,8]{1,0} negate(%s)",
                        "ROOT %o = (f32[5,8]{1,0}, f32[64,8]{1,0}) tuple(%s, %t)")
    assert not ta.explain(kept).sections["slices"]


def test_calls_and_regions_are_seen_through():
    # What a loop of scf reads of the arrays around it, trip by trip.
    text = """
func.func @f(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = math.exp %x : tensor<8x6xf32>
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> tensor<8x6xf32> {
    %s = math.exp %e : tensor<8x6xf32>
    scf.yield %s : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}"""
    explanation = ta.explain(text)
    row = next(row for row in explanation.sections["places"] if row.get("runs") == 8)
    assert (row["read"], row["written"]) == (8 * 192, 8 * 192)
    # What a region that is no loop reads.
    branch = text.replace("scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x)", "scf.execute_region").replace(
        "math.exp %e", "math.sqrt %e")
    [row] = [r for r in ta.explain(branch).sections["places"] if r["kind"] == "scf.execute_region"]
    assert row["read"] in (192, {"at_most": 192})
    # A function that is called reads what it is given.
    called = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.exp %x : tensor<8xf32>
  %1 = call @g(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = math.sqrt %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}
func.func private @g(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.tanh %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
    edges = {(row["name"], row["into"]) for row in ta.explain(called).sections["edges"]}
    assert edges == {("%0", "g/%0"), ("g/%0", "%2")}


def test_moves_within_fusions():
    text = dump(
        """
%x = f32[8,6]{1,0} parameter(0)
ROOT %a = f32[3,8]{1,0} fusion(%x), kind=kLoop, calls=%f
""",
        """%f (p: f32[8,6]) -> f32[3,8] {
  %p = f32[8,6]{1,0} parameter(0)
  %s = f32[8,3]{1,0} slice(%p), slice={[0:8], [0:3]}
  ROOT %t = f32[3,8]{1,0} transpose(%s), dimensions={1,0}
}
""",
    )
    [row] = ta.explain(text).sections["copies"]
    assert row["bytes"] == 2 * 8 * 3 * 4


def test_collectives():
    text = dump(
        """
%x = f32[64,8]{1,0} parameter(0)
%ar = f32[64,8]{1,0} all-reduce(%x), replica_groups={{0,1,2,3},{4,5,6,7}}, to_apply=%sum
%s = f32[16,8]{1,0} slice(%ar), slice={[0:16], [0:8]}
ROOT %ag = f32[64,8]{1,0} all-gather(%s), replica_groups=[2,4]<=[8], dimensions={0}
""",
        SUM,
    )
    explanation = ta.explain(text)
    reduced, gathered = (find(explanation, "collectives", name) for name in ("ar", "ag"))
    assert reduced["sent"] == 64 * 8 * 4 * 2 * 3 // 4 and reduced["needed"] == reduced["sent"] // 4
    assert gathered["sent"] == gathered["needed"] == 64 * 8 * 4 * 3 // 4
    assert reduced["devices"] == 4


def test_difference():
    fused = """%f (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %e = f32[8]{0} exponential(%p), metadata={op_name="exp"}
  ROOT %n = f32[8]{0} tanh(%e), metadata={op_name="tanh"}
}
"""
    before = dump("""
%x = f32[8]{0} parameter(0)
ROOT %fusion = f32[8]{0} fusion(%x), kind=kLoop, calls=%f
""", fused)
    after = dump("""
%x = f32[8]{0} parameter(0)
%a.1 = f32[8]{0} exponential(%x), metadata={op_name="exp"}
ROOT %b.2 = f32[8]{0} tanh(%a.1), metadata={op_name="tanh"}
""")
    worse = ta.explain(before, after)
    [row] = worse.sections["fusions"]
    assert row["change"] == "no longer fused" and row["bytes"] == 32
    assert worse.totals["bytesBefore"] == 64 and worse.totals["bytesAfter"] == 128
    better = ta.explain(after, before)
    assert [row["change"] for row in better.sections["fusions"]] == ["fused now"]
    same = ta.explain(before, before.replace("%fusion", "%fusion.77"))
    assert not any(same.sections.values())
    with pytest.raises(ta.Error, match="a difference has two"):
        worse.page()


def test_sources():
    jax = pytest.importorskip("jax")
    x = np.zeros((4, 6), np.float32)
    lowered = jax.jit(lambda x: jax.nn.softmax(x) @ x.T).lower(x)

    class Dump:
        def as_text(self):
            return lowered.compile().as_text()

    for source in (lowered, lowered.as_text(), lowered.as_text("hlo"), lowered.compile(), Dump(),
                   ta.Module(lowered)):
        explanation = ta.explain(source)
        assert explanation.totals["leastBytes"] == 4 * (24 + 16)
        assert json.loads(explanation.json)["program"] == explanation.program
    page = ta.explain(lowered.compile()).page().html
    data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S).group(1))
    assert data["explanation"]["totals"] == ta.explain(lowered.compile()).totals
    assert all("op" in row for row in data["explanation"]["sections"][0]["rows"])
    with pytest.raises(ta.Error, match="no function 'main', and 2 others"):
        ta.explain("func.func @f() { return } func.func @g() { return }")


@pytest.mark.parametrize("source, result, is_copy", [
    ("{1,0}", "{1,0}", True), ("{1,0}", "{0,1}", False), ("{0,1}", "{1,0}", False),
    ("{1,0:T(8,128)}", "{0,1:T(8,128)}", False), ("{1,0:T(8,128)}", "{0,1:T(4,128)}", True),
    ("{1,0}", "{0,1:S(1)}", True)])  # fmt: skip
def test_transposes_that_move_nothing(source, result, is_copy):
    steps = ta.explain(dump(f"""
%x = f32[64,256]{source} parameter(0)
ROOT %t = f32[256,64]{result} transpose(%x), dimensions={{1,0}}
""")).sections["places"]
    assert [row["name"] for row in steps] == ["t"] * is_copy
    if not is_copy:
        a, b = ta.Layout(f"f32[64,256]{source}"), ta.Layout(f"f32[256,64]{result}")
        assert all(a.linearize((i, j)) == b.linearize((j, i)) for i in (0, 9, 63) for j in (0, 130, 255))


def test_questions():
    text = dump("""
%x = f32[4,6]{1,0} parameter(0)
%w = f32[6,5]{1,0} parameter(1)
%e = f32[4,6]{1,0} exponential(%x)
ROOT %d = f32[4,5]{1,0} dot(%e, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
""")
    rows = ta.ask("reads", text).sections["reads"]
    assert {(row["name"], row["of"]): row["elements"] for row in rows} == {
        ("e", "x"): 24, ("d", "e"): 24, ("d", "w"): 30}
    # Through all steps: what the function reads.
    whole = ta.ask("reads", text, op="@main")
    assert [(row["of"], row["elements"]) for row in whole.sections["reads"]] == [("w", 30), ("x", 24)]
    assert len(str(ta.ask("reads", text, rows=1)).splitlines()) < len(str(whole).splitlines())
    for rows, message in [("3", "rows must be an integer, got '3'"), (-1, "rows must not be negative, got -1")]:
        with pytest.raises(ta.Error, match=message):
            ta.ask("reads", text, rows=rows)
    # Arguments have the names that JAX gives them.
    named = """module @jit_f { func.func public @main(%arg0: tensor<4xf32> loc("q"), %arg1: tensor<4xf32> loc(NAME))
      -> tensor<4xf32> { %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32> return %0 : tensor<4xf32> } }"""
    for name, known in [("k", {"%q", "%k"}), ("q", {"%arg0", "%arg1"}), ("p['w']", {"%arg0", "%arg1"})]:
        rows = ta.ask("reads", named.replace("NAME", f'"{name}"')).sections["reads"]
        assert {row["of"] for row in rows} == known
    # Values have the names of the text, which passes and locations know nothing of.
    named = ta.Module("""func.func @f(%image: tensor<4xf32>) -> tensor<4xf32> {
      %scaled = math.exp %image : tensor<4xf32>
      return %scaled : tensor<4xf32>
    }""")
    before = named.asm(locations=True)
    [row] = ta.ask("reads", named, op="%scaled").sections["reads"]
    assert (row["name"], row["of"]) == ("%scaled", "%image")
    [row] = ta.explain(named).sections["places"]
    assert row["name"] == "%scaled"
    assert named.asm(locations=True) == before
    [row] = ta.ask("reads", named.run("cse")).sections["reads"]
    assert (row["name"], row["of"]) == ("%0", "%arg0")
    # The numbers of the page.
    assert ta.ask("fuse", text).sections["edges"] == ta.explain(text).sections["edges"]
    [row] = ta.ask("work", text, op="dot_general").sections["work"]
    assert row["operations"] == 2 * 4 * 5 * 6
    layout = ta.Layout("f32[1000,3]{1,0:T(8,128)}")
    # Each op of a fusion, with its place in the source.
    inside = ta.ask("inside", """HloModule f
%fused {
  %p = f32[4,6]{1,0} parameter(0)
  %n = f32[4,6]{1,0} negate(%p), metadata={op_name="f/neg" source_file="f.py" source_line=3}
  ROOT %m = f32[4,6]{1,0} multiply(%n, %p)
}
ENTRY %main {
  %x = f32[4,6]{1,0} parameter(0)
  ROOT %y = f32[4,6]{1,0} fusion(%x), kind=kLoop, calls=%fused
}""", op="y").sections["inside"]
    assert [(row["name"], row["kind"], row["operations"], row["in"]) for row in inside] == [
        ("m", "multiply", 24, "y"), ("n", "negate", 0, "y")]
    assert (inside[1]["source"], inside[1]["op_name"]) == ("f.py:3", "f/neg")
    [row] = ta.ask("padding", layout).sections["padding"]
    assert row["size"] == layout.size_bytes
    # Counted by walking over all places.
    linear = ta.LinearLayout("{lane = [[0, 1], [0, 2], [0, 0]], warp = [[1, 1]]} -> [4, 4]")
    held = [tuple(linear(lane, warp)) for lane in range(8) for warp in range(2)]
    for about in (linear, str(linear), f"#ttg.linear<{linear}>"):
        [row] = ta.ask("padding", about).sections["padding"]
        assert (row["elements"], row["places"], row["held"]) == (16, len(held), len(set(held)))
        assert row["copies"] == len(held) // len(set(held)) and "bit 2 of lane" in row["text"]
    rows = ta.ask("layouts", "{register = [[0, 1], [0, 2]], lane = [[1, 0]]} -> [2, 8]").sections["layouts"]
    assert rows[0]["consecutive"] == 4  # Registers hold columns 0, 1, 2, 3.
    for strided in ("(4,3):(1,8)", "(4,3):(1,2)", "Sw<1,0,2> o (8,4):(4,1)"):
        places = [ta.StridedLayout(strided)(i) for i in range(ta.StridedLayout(strided).size)]
        [row] = ta.ask("all", strided).sections["padding"]
        assert row["elements"] - row["shared"] == len(set(places))
        assert row["unused"] == row["places"] - len(set(places))
    image = ta.IndexingMap("(d0)[s0] -> (d0 * 3 + s0), domain: d0 in [0, 4], s0 in [0, 1]")
    [row] = ta.ask("reads", image).sections["reads"]
    assert row["elements"] == len({3 * d + s for d in range(5) for s in range(2)})
    # The inverse holds what brute force finds there.
    linear = ta.LinearLayout("{lane = [[0, 1], [1, 1]], warp = [[2, 0], [0, 1]]} -> [4, 2]")
    [row] = ta.ask("reached", linear).sections["reached"]
    assert row["again at"] == "warp + 2"
    inverse = ta.LinearLayout(row["text"])
    for i, j in np.ndindex(4, 2):
        assert tuple(linear(list(inverse([i, j])))) == (i, j)
    # One element: its place, and all that hold it, found by walking over all places.
    tiled = ta.Layout("bf16[12,17,100]{2,1,0:T(8,128)(2,1)}")
    [row] = ta.ask("layouts", tiled, element=(3, 5, 7)).sections["element"]
    assert (row["offset"], row["byte"]) == (tiled[3, 5, 7], 2 * tiled[3, 5, 7])
    rows = ta.ask("layouts", tiled).sections["steps"]
    assert [row["name"] for row in rows] == [
        line.split()[0] for line in str(tiled.recipe()).splitlines()[1:]]
    assert rows[-1]["shape"] == str(list(tiled.physical_shape))
    [row] = ta.ask("layouts", "Sw<1,0,2> o ((2,2),4):((4,8),1)", element=[3, 2]).sections["element"]
    assert row["offset"] == ta.StridedLayout("Sw<1,0,2> o ((2,2),4):((4,8),1)")((3, 2))
    [row] = ta.ask("layouts", "8:-2", element=[3]).sections["element"]
    assert row["offset"] == "-6"
    held = "{register = [[0, 1], [1, 1]], lane = [[1, 0], [0, 2]], warp = [[1, 1]]} -> [2, 4]"
    linear = ta.LinearLayout(held)
    for i, j in np.ndindex(2, 4):
        rows = ta.ask("layouts", held, element=(i, j)).sections["element"]
        assert {(row["register"], row["lane"], row["warp"]) for row in rows} == {
            p for p in np.ndindex(4, 4, 2) if linear(list(p)) == [i, j]}
    for about, element, message in [
            (tiled, (3, 5), "must have 3 numbers, one for each dimension, got 2"),
            (tiled, (3, 17, 0), r"number 1 of element \(3, 17, 0\) must be in \[0, 17\), got 17"),
            (held, (0, -1), r"must be in \[0, 4\), got -1"),
            ("(4,3):(1,8)", (1, 2, 0), "one for each mode, got 3"),
            (text, (0,), "element is for layouts"), (image, (0,), "element is for layouts")]:
        with pytest.raises(ta.Error, match=message):
            ta.ask("layouts", about, element=element)
    with pytest.raises(ta.Error, match="an element is for 'layouts', not for 'padding'"):
        ta.ask("padding", tiled, element=(0, 0, 0))
    # A tile, by walking over its points.
    [row] = ta.ask("tiles", image, tile=[2]).sections["tiles"]
    assert row["elements"] == len({3 * d + s for d in range(2) for s in range(2)})
    for row in ta.ask("tiles", text, op="d", tile=(2, 3)).sections["tiles"]:
        assert (row["elements"], row["text"]) == {
            "e": (12, "[0:2, 0:6]"), "w": (18, "[0:6, 0:3]")}[row["of"]]
    for sizes, message in [((2,), "op 'd': tile 2 must have 2 sizes"),
                           ((2, 6), "size 1 of tile 2,6 must be at most 5, got 6"),
                           ((0, 1), "size 0 of tile 0,1 must be positive, got 0")]:
        with pytest.raises(ta.Error, match=message):
            ta.ask("tiles", text, op="d", tile=sizes)
    with pytest.raises(ta.Error, match="a tile is for 'tiles', not for 'reads'"):
        ta.ask("reads", text, tile=(2, 3))
    with pytest.raises(ta.Error, match="tile is for programs and maps"):
        ta.ask("layouts", tiled, tile=(2, 3))
    with pytest.raises(ta.Error, match="did you mean 'e'"):
        ta.ask("reads", text, op="ee")
    with pytest.raises(ta.Error, match="op is for programs"):
        ta.ask("padding", layout, op="x")
