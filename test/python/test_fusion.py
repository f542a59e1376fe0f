# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fusion: what groups of ops read and compute again, and the report on it."""

import itertools

import pytest

import tensoraccess as ta

TWICE = """
func.func @main(%p0: tensor<30x30xf32>) -> tensor<30x30xf32> {
  %e = tensor.empty() : tensor<30x30xf32>
  %t = linalg.transpose ins(%p0 : tensor<30x30xf32>)
         outs(%e : tensor<30x30xf32>) permutation = [1, 0]
  %a = arith.addf %p0, %t : tensor<30x30xf32>
  return %a : tensor<30x30xf32>
}
"""

SOFTMAX = """
func.func @main(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %w = tensor.empty() : tensor<2x3x5xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<2x3x5xf32>)
           outs(%m0 : tensor<2x3xf32>) dimensions = [2]
  %maxb = linalg.broadcast ins(%max : tensor<2x3xf32>)
            outs(%w : tensor<2x3x5xf32>) dimensions = [2]
  %d = arith.subf %x, %maxb : tensor<2x3x5xf32>
  %exp = math.exp %d : tensor<2x3x5xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%exp : tensor<2x3x5xf32>)
           outs(%s0 : tensor<2x3xf32>) dimensions = [2]
  %sumb = linalg.broadcast ins(%sum : tensor<2x3xf32>)
            outs(%w : tensor<2x3x5xf32>) dimensions = [2]
  %q = arith.divf %exp, %sumb : tensor<2x3x5xf32>
  return %q : tensor<2x3x5xf32>
}
"""


def test_p0_plus_its_transpose():
    fusion = ta.Module(TWICE).fusion()
    assert repr(fusion).startswith("<Fusion of 3 ops of @main: ")
    assert "%arg0 1800 reads of 900 elements" in repr(fusion)
    (p0,) = fusion.operands
    assert (p0.name, p0.type, p0.op) == ("%arg0", "tensor<30x30xf32>", None)
    assert (p0.reads, p0.unique, p0.rereads, p0.elements) == (1800, 900, 900, 900)
    assert (p0.multiplicity, p0.utilization) == (2.0, 1.0)
    assert p0.paths == ["directly", "through linalg.transpose"]
    assert p0.reason is None and p0.culprit is None
    assert repr(p0) == "<FusedValue %arg0: 1800 reads of 900 elements>"
    assert [p.op for p in fusion.producers] == ["linalg.transpose", "arith.addf"]
    assert (fusion.computed, fusion.needed) == (1800, 1800)
    assert fusion.recompute_factor == 1.0


def test_softmax():
    mod = ta.Module(SOFTMAX)
    (x,) = mod.fusion().operands
    assert [str(m).split(",  domain")[0].split(", domain")[0] for m in x.maps] == [
        "(d0, d1, d2) -> (d0, d1, d2)",
        "(d0, d1, d2)[s0] -> (d0, d1, s0)",
    ]
    assert (x.reads, x.unique) == (180, 30)
    # Counted by hand: 30 points, and 30 points with lines of 5.
    points = sum(
        1
        for _ in itertools.chain(
            itertools.product(range(2), range(3), range(5)),
            itertools.product(range(2), range(3), range(5), range(5)),
        )
    )
    assert x.reads == points


def test_a_group_by_root_and_boundary():
    mod = ta.Module(SOFTMAX)
    fusion = mod.fusion(root="linalg.reduce#1", through=["math.exp", "arith.subf"])
    assert fusion.ops == ["arith.subf", "math.exp", "linalg.reduce"]
    by_name = {v.name: v for v in fusion.operands}
    assert by_name["%arg0"].reads == 30 and by_name["%broadcasted"].reads == 30
    # The broadcast is not inside, so the maximum is not looked at.
    assert mod.fusion(root="arith.divf", through=[]).ops == ["arith.divf"]


def test_what_is_not_known():
    mod = ta.Module(
        "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
        '  %a = "no.such"(%x) : (tensor<3xf32>) -> tensor<3xf32>\n'
        "  return %a : tensor<3xf32>\n}"
    )
    (x,) = mod.fusion().operands
    assert x.maps == [] and x.reads is None and x.unique is None
    assert x.multiplicity is None and x.utilization is None
    assert (x.reason, x.culprit) == ("unregistered operation", "no.such")
    assert repr(x) == "<FusedValue %arg0: unregistered operation>"
    missed = [i for i in mod.report("fusion") if i["kind"] == "missed"]
    assert [i["reason"] for i in missed] == ["no.such: unregistered operation"]


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda m: m.fusion("g"), "there is no function 'g' with a body; known are main"),
        (lambda m: m.fusion(root="a.b"), "no op 'a.b' in function 'main'"),
        (lambda m: m.report("luck"), "no section 'luck'; there are 'fusion', "),
        (lambda m: m.report(function="g"), "no function 'g' with a body"),
        (lambda m: m.function_indexing("g"), "there is no function 'g' with a body"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ta.Error, match=message):
        call(ta.Module(TWICE))


def test_report():
    items = ta.Module(TWICE).report("fusion", "footprint")
    assert {i["section"] for i in items} == {"fusion", "footprint"}
    (operand,) = [i for i in items if (i["section"], i["name"]) == ("fusion", "operand")]
    assert operand["function"] == "main" and operand["kind"] == "analysis"
    assert operand["location"].startswith("<text>:2:")
    assert operand["metrics"]["Reads"] == 1800
    assert operand["metrics"]["Multiplicity"] == 2.0
    assert operand["metrics"]["Operand"] == "%arg0"
    assert operand["text"].startswith("%arg0 is read in two ways: directly; ")
    (edge,) = [i for i in items if i["name"] == "edge"]
    assert edge["metrics"]["Producer"] == "linalg.transpose"
    assert edge["text"] == "fusing linalg.transpose into arith.addf computes nothing twice"


def test_the_report_is_the_remarks():
    mod = ta.Module(SOFTMAX)
    remarks = mod.run("tensoraccess-report{sections=fusion root=arith.divf}")
    items = mod.report("fusion", root="arith.divf")
    assert len(remarks.diagnostics) == len(items) > 5
    assert all("tensoraccess:fusion" in d.message for d in remarks.diagnostics)


def test_budgets():
    text = "func.func @main(%x: tensor<90xf32>) -> tensor<5xf32> {\n"
    for i in range(6):
        text += (
            f"  %s{i} = tensor.extract_slice %x[{i * i}] [5] [1]"
            " : tensor<90xf32> to tensor<5xf32>\n"
        )
    text += "  %v0 = arith.addf %s0, %s1 : tensor<5xf32>\n"
    for i in range(4):
        text += f"  %v{i + 1} = arith.addf %v{i}, %s{i + 2} : tensor<5xf32>\n"
    mod = ta.Module(text + "  return %v4 : tensor<5xf32>\n}")
    assert len(mod.function_indexing().output_to_input[0][0]) == 6
    few = mod.function_indexing(max_maps=5)
    assert few.reason == "budget exhausted"
    (x,) = mod.fusion(max_maps=5).operands
    assert x.reason == "budget exhausted"
    assert mod.fusion().operands[0].reads == 30


def test_report_options():
    module = ta.Module(TWICE)
    with pytest.raises(ta.Error) as caught:
        module.report(sections="zero-regions")
    options = ("'block_extent', 'lanes', 'model', 'plan', 'root', 'sizes', 'through', "
               "'transaction_bytes', 'vector'")  # fmt: skip
    assert str(caught.value) == f"no option 'sections'; there are {options}"
    with pytest.raises(ta.Error) as caught:
        module.report("fusion", rot="arith.addf")
    assert str(caught.value) == f"no option 'rot'; did you mean 'root'? there are {options}"
    assert module.report("coalescing", lanes=16) == module.report("coalescing", lanes="16")
    with pytest.raises(ta.Error, match="section must be"):
        module.report(5)
