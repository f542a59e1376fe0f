# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What notebooks show: a picture, or a table that is whole, small and escaped."""
import html.parser
import inspect

import pytest

import tensoraccess as ta

CLASSES = {c for _, c in inspect.getmembers(ta, inspect.isclass) if c is not ta.Error}

PROGRAM = """
func.func @main(%x: tensor<6x5xf32>, %w: tensor<5x4xf32>) -> tensor<4x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<6x4xf32>) -> tensor<6x4xf32>
  %m = linalg.matmul ins(%x, %w : tensor<6x5xf32>, tensor<5x4xf32>)
         outs(%f : tensor<6x4xf32>) -> tensor<6x4xf32>
  %o = tensor.empty() : tensor<4x6xf32>
  %t = linalg.transpose ins(%m : tensor<6x4xf32>) outs(%o : tensor<4x6xf32>)
         permutation = [1, 0]
  return %t : tensor<4x6xf32>
}"""


class Checked(html.parser.HTMLParser):
    """Well-formed, and the text of it."""

    def __init__(self, text):
        super().__init__()
        self.stack, self.text, self.tags = [], "", set()
        self.feed(text)
        self.close()
        assert not self.stack

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag != "br":
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if self.stack[-1:] != ["style"]:
            self.text += data


def roots():
    m = ta.IndexingMap("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 9], s0 in [0, 2]")
    yield from (m, m.image(), m.tile(), m.tile().at(offsets=[8], sizes=[4]))
    yield m.coalescing(element_bytes=4, lane="d0", lanes=10)
    yield m.bank_conflicts(element_bytes=4, lane="d0", lanes=10)
    yield ta.exact_cover(ta.Box([0], [8]), [ta.Box([0], [4])])
    yield ta.reshape_decomposition([12], [3, 4])
    tiled = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    yield from (tiled.waste, tiled.recipe(), tiled.padding, tiled.padding.describe(),
                tiled.to_pack(), tiled.digit_map)
    yield ta.Layout.from_strides([3, 5], [8, 1]).to_strides()
    dynamic = ta.Layout("f32[?,128]{1,0:T(8,128)}")
    yield from (dynamic.size_bytes, dynamic.recipe().steps[0].amounts)
    yield ta.Swizzle(3, 4, 3)
    register = ta.LinearLayout("{register = [[1], [2]], lane = [[4], [8]]} -> [16]")
    swapped = ta.LinearLayout("{register = [[4], [8]], lane = [[1], [2]]} -> [16]")
    yield ta.plan_exchange(register, swapped, element_bytes=4)
    p = ta.Projection([[1], [0]], [-1, 0], shape=[3, 5], oob=["clamp", "forbid"])
    block = ta.Box([0], [4])
    yield from (p, p.footprint(block), p.growth(block, 0), p.split(block, 0, 2),
                p.coherence, p.halo(block, ta.Box([0, 0], [4, 5]), [8, 5]))
    yield ta.AnchoredProjection(p, {"middle": [1, 2]})
    yield ta.Target("gpu, memory_spaces = [shared 3 of 49152 at 16 banks 32x4]")
    yield ta.Target("systolic-16x16")
    model = ta.CostModel("machine m op *: start = 1.0e-06, byte = 1.0e-10")
    yield model
    module = ta.Module(PROGRAM)
    yield from module.functions
    yield module.indexing()["main"]
    yield module.fusion()
    space = module.block_footprints("linalg.matmul")
    yield from (space, space.growth(axis=0), space.cost())
    access = module.run("tensoraccess-raise")
    yield access.access_forms()["main"]
    yield access.saturate("access")
    graph = access.egraph("access")
    yield from (graph.classes, graph.extract())
    yield module.check_equivalence(against=access)
    yield module.check_equivalence(against=ta.Module(PROGRAM.replace("0.0", "1.0")))
    plan = module.plan_shards(ranks=2)
    yield from (plan.ops, plan.table(), plan.grid)
    yield module.read_coalescing()
    yield module.interpret()


def reachable():
    """An example of each class: what the roots, and what they know, are."""
    found, todo = {}, list(roots())
    while todo:
        value = todo.pop(0)
        if isinstance(value, (list, tuple)):
            todo += list(value)[:20]
        kind = type(value)
        if kind not in CLASSES or kind in found:
            continue
        found[kind] = value
        for name, member in inspect.getmembers(kind):
            if isinstance(member, property) and not name.startswith("_"):
                todo.append(getattr(value, name, None))
    return found


@pytest.fixture(scope="module")
def examples():
    return reachable()


def test_every_class():
    for kind in CLASSES:
        assert hasattr(kind, "_repr_html_") or hasattr(kind, "_repr_svg_"), kind


def test_tables(examples):
    shown = {kind: value for kind, value in examples.items()
             if not hasattr(kind, "_repr_svg_") and kind not in (ta.Module, ta.Page)}
    assert len(shown) > 50
    for kind, value in shown.items():
        page = Checked(value._repr_html_())
        assert page.text.startswith(kind.__name__), kind
        assert "table" in page.tags and "script" not in page.tags
        assert " object at 0x" not in page.text, page.text


def test_what_they_say(examples):
    text = Checked(examples[ta.IndexingMap]._repr_html_()).text
    assert text == "IndexingMapmap(d0)[s0] -> (d0 + s0)dimsd0 in [0, 9]symbolss0 in [0, 2]"
    assert "unknown" in Checked(ta.IndexingMap.unknown()._repr_html_()).text
    text = Checked(examples[ta.Projection]._repr_html_()).text
    assert text == "Projectiondimensionaxis 0offsetshapeout of bounds01-13clamp1005forbid"
    module = ta.Module(PROGRAM)
    text = Checked(module.indexing()["main"][3]._repr_html_()).text
    assert "linalg.matmul" in text and "00(d0, d1)[s0] -> (d0, s0)" in text
    other = ta.Module(PROGRAM.replace("0.0", "1.0"))
    text = Checked(module.check_equivalence(against=other)._repr_html_()).text
    assert "verdictrefuted" in text and "counterexample" in text
    text = Checked(module.check_equivalence(against=module)._repr_html_()).text
    assert "counterexample" not in text and "failing" not in text
    # A list of values is a table; what is empty in all of them is left out.
    text = Checked(examples[ta.LayoutRecipe]._repr_html_()).text
    assert "kindamountspermutationgroupsshapepad[1, 1]" in text


def test_escaped():
    page = Checked(ta.Function("<script>&", ["<b>"], [], False, "x")._repr_html_())
    assert "<script>&" in page.text and not {"script", "b"} & page.tags


def test_small():
    rows = ta.PlanTable({"op": f"op {i}", "bytes": i} for i in range(10**5))
    page = rows._repr_html_()
    assert len(page) < 10**4 and f"{10**5 - 50} more" in page and "<details>" in page
    dims = ", ".join(f"d{i}" for i in range(300))
    domain = ", ".join(f"d{i} in [0, {i}]" for i in range(300))
    page = ta.IndexingMap(f"({dims}) -> ({dims}), domain: {domain}")._repr_html_()
    assert len(page) < 10**4 and "…" in page


def test_reprs(examples):
    """A prompt shows what a value holds, too."""
    for kind in CLASSES - {ta.Value}:
        assert kind.__repr__ is not object.__repr__, kind
    for kind, value in examples.items():
        text = repr(value)
        assert " object at 0x" not in text, text
        assert len(text) < 1000 or kind.__module__ != "tensoraccess._native", text
    assert repr(examples[ta.LayoutWaste]) == (
        "LayoutWaste(elements=15, padded_elements=24, padding_elements=9, element_bits=32, "
        "used_bytes=60, size_bytes=96, ratio=0.375)")  # fmt: skip
    assert repr(ta.Layout("f32[3,5]{1,0:T(2,2)}").runs(ta.Box([0, 1], [2, 5]))) == (
        "<MemoryRuns 3 runs of 1 to 6 elements, 8 in all: (1, 1), (3, 6), (10, 1)>")  # fmt: skip
    module = ta.Module(PROGRAM)
    assert "operand 0: (d0, d1)[s0] -> (d0, s0)" in repr(module.indexing()["main"][3])
    assert "bytes used (" in repr(module.read_coalescing()[0])
    assert repr(module.interpret()) == (
        "<Executable @main(float32[6,5], float32[5,4]) -> (float32[4,6])>")  # fmt: skip


def test_reprs_of_jax():
    jax = pytest.importorskip("jax")
    lowered = ta.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((3, 5), "float32"))
    assert repr(lowered) == "<Lowered <lambda>(float32[3,5]) -> (float32[3,5])>"
    assert repr(lowered.compile()) == "<Compiled @main(float32[3,5]) -> (float32[3,5])>"
