# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Module.saturate, Module.egraph, costs that are functions, and their errors."""

import json
import math
import shutil

import pytest

import tensoraccess as ta

FACTOR = """
func.func @factor(%a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.muli %a, %b : i32
  %1 = arith.muli %c, %a : i32
  %2 = arith.addi %0, %1 : i32
  return %2 : i32
}
"""

DOUBLE = """
Pattern Double {
  let sum = op<arith.addi>(x: Value, x) -> (t: Type);
  rewrite sum with {
    let two = op<arith.constant>() {value = attr<"2 : i32">} -> (type<"i32">);
    replace sum with op<arith.muli>(x, two.0) -> (t);
  };
}
"""

CONV = """
func.func @conv(%x: tensor<1x3x8x9xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<1x5x6x7xf32> {
  %e = tensor.empty() : tensor<1x5x6x7xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x5x6x7xf32>) -> tensor<1x5x6x7xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x9xf32>, tensor<5x3x3x3xf32>)
    outs(%f : tensor<1x5x6x7xf32>) -> tensor<1x5x6x7xf32>
  return %0 : tensor<1x5x6x7xf32>
}
"""


def ops(module):
    return [line.split("= ")[1].split()[0] for line in str(module).splitlines()
            if " = " in line]


def test_saturate_reports():
    module = ta.Module(FACTOR)
    before = str(module)
    done = module.saturate(["arith"])
    assert str(module) == before
    assert ops(done.module) == ["arith.addi", "arith.muli"]
    assert (done.stop_reason, done.saturated) == ("saturated", True)
    assert (done.cost_before, done.cost_after) == (3, 2)
    assert done.lower_bound == 2 and done.gap == 0 and done.is_optimal
    assert (done.nodes, done.classes, done.iterations) == (13, 7, 4)
    assert (done.replaced, done.made) == (1, 2)
    assert done.matches == sum(r.matches for r in done.rules) > 0
    assert done.refused == 0 and done.faults == []
    assert all(r.name and r.refusal == "" for r in done.rules)
    assert done.seconds >= 0


@pytest.mark.usefixtures("pdll")
@pytest.mark.parametrize("form", ["text", "path", "both", "one"])
def test_rules_are_names_paths_and_texts(form, tmp_path):
    module = ta.Module("""
    func.func @f(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }""")
    path = tmp_path / "double.pdll"
    path.write_text(DOUBLE)
    rules = {"text": [DOUBLE], "path": [path], "both": ["arith", DOUBLE],
             "one": DOUBLE}[form]
    cost = lambda node: 9 if node.op == "arith.addi" else 1
    done = module.saturate(rules, cost=cost)
    assert ops(done.module) == ["arith.constant", "arith.muli"]
    assert done.rules[-1].name == "Double" and done.rules[-1].matches >= 1


def test_rules_of_pdl_as_text():
    from_pdl = """
    pdl.pattern @Same : benefit(1) {
      %t = type
      %x = operand : %t
      %op = operation "arith.addi"(%x, %x : !pdl.value, !pdl.value) -> (%t : !pdl.type)
      rewrite %op {
        %new = operation "arith.muli"(%x, %x : !pdl.value, !pdl.value) -> (%t : !pdl.type)
        replace %op with %new
      }
    }"""
    module = ta.Module("""
    func.func @f(%a: i32) -> i32 {
      %0 = arith.addi %a, %a : i32
      return %0 : i32
    }""")
    done = module.saturate(from_pdl, cost=lambda node: len(node.op) + 4 * (node.op == "arith.addi"))
    assert ops(done.module) == ["arith.muli"]


def test_limits_leave_the_best_so_far():
    done = ta.Module(FACTOR).saturate(["arith"], max_matches=3)
    assert not done.saturated
    assert done.stop_reason == "the limit of matches is reached"
    assert done.cost_after <= done.cost_before
    assert done.module.functions[0].name == "factor"


@pytest.mark.parametrize("limit, what", [
    ("max_iterations", "iterations"), ("max_nodes", "nodes"),
    ("max_matches", "matches"), ("max_bytes", "bytes")])
@pytest.mark.parametrize("value", [0, -1])
def test_limits_of_zero(limit, what, value):
    for method in (ta.Module.saturate, ta.Module.egraph):
        with pytest.raises(ta.Error, match=f"the limit of {what} must be positive, got {value}"):
            method(ta.Module(FACTOR), ["arith"], **{limit: value})


def test_limits_of_time():
    for value, text in ((0, "0$"), (-1, "-1$"), (math.nan, "nan")):
        for method in (ta.Module.saturate, ta.Module.egraph):
            with pytest.raises(ta.Error, match=f"the limit of seconds must be positive, got {text}"):
                method(ta.Module(FACTOR), ["arith"], max_seconds=value)


@pytest.mark.parametrize("options, message", [
    (dict(rules=["no"]), "unknown rules 'no'; known are"),
    (dict(rules=["./no.pdll"]), "the file can't be read"),
    (dict(cost="no"), "unknown cost 'no'; known are"),
    (dict(cost=3), "^cost must be a name or a function, got 3$"),
    (dict(cost=None), "^cost must be a name or a function, got None$"),
    (dict(rules=7), "^rules must be names, paths or texts, got 7$"),
    (dict(max_nodes=1.5), r"^max_nodes must be an integer, got 1\.5$"),
    (dict(max_matches="9"), "^max_matches must be an integer, got '9'$"),
    (dict(max_bytes=1 << 64), "^max_bytes must fit in 64 bits, got 18446744073709551616$"),
    (dict(max_seconds=None), "^max_seconds must be a number, got None$"),
    (dict(scheduler=None), "^scheduler must be a string, got None$"),
    (dict(function=3), "^function must be a string, got 3$"),
    (dict(extraction=3), "^extraction must be a string, got 3$"),
    (dict(extraction_seconds="1"), "^extraction_seconds must be a number, got '1'$"),
    (dict(target="no"), "unknown target 'no'; known are aarch64-neon, aarch64-sve, avx512, generic, host, sapphirerapids, systolic-RxC, x86-64-v3, x86-64-v4, znver3, znver4"),
    (dict(function="no"), "there is no function 'no' with a body"),
    (dict(scheduler="no"), "unknown scheduler 'no'; known are simple, backoff, eager"),
    (dict(scheduler="backof"), r"unknown scheduler 'backof'; did you mean 'backoff'\? known are"),
    (dict(rules=["lnalg"]), r"unknown rules 'lnalg'; did you mean 'linalg'\? known are"),
    (dict(extraction="no"), "unknown extraction 'no'; known are tree, dag, exact"),
    (dict(extraction_seconds=-1), "the seconds of an extraction must not be negative"),
])
def test_what_is_wrong_with_options(options, message):
    module = ta.Module(FACTOR)
    with pytest.raises(ta.Error, match=message):
        module.saturate(**options)
    asked = {k: v for k, v in options.items()
             if k not in ("cost", "extraction", "extraction_seconds")}
    if asked:
        with pytest.raises(ta.Error, match=message):
            module.egraph(**asked)


@pytest.mark.usefixtures("pdll")
@pytest.mark.parametrize("text, messages", [
    ("Pattern Broken { let = op; }", ["<rules>:1:", "expected"]),
    ("""Pattern Erase {
      let sum = op<arith.addi>(a: Value, b: Value);
      erase sum;
    }""", ["rule 'Erase'", "nothing can be erased"]),
    ("""Constraint NobodyKnows(v: Value);
    Pattern Unknown {
      let sum = op<arith.addi>(a: Value, b: Value) -> (t: Type);
      NobodyKnows(a);
      replace sum with op<arith.addi>(b, a) -> (t);
    }""", ["rule 'Unknown'", "NobodyKnows"]),
])
def test_rules_that_are_none_are_named(text, messages):
    with pytest.raises(ta.Error) as caught:
        ta.Module(FACTOR).saturate([text])
    for message in messages:
        assert message in str(caught.value)


@pytest.mark.usefixtures("pdll")
def test_what_rules_must_not_say_is_counted():
    done = ta.Module("""
    func.func @wide(%a: i32) -> i64 {
      %0 = arith.extsi %a : i32 to i64
      return %0 : i64
    }""").saturate("""Pattern Types {
      let wide = op<arith.extsi>(a: Value) -> (t: Type);
      replace wide with a;
    }""")
    (rule,) = done.rules
    assert rule.refused == 1 and done.refused == 1
    assert rule.refusal == "a term of type i32 can't equal one of type i64" or (
        rule.refusal == "a term of type i64 can't equal one of type i32")
    assert ops(done.module) == ["arith.extsi"]


# Costs ----------------------------------------------------------------------


def test_a_cost_sees_the_node():
    seen = []

    def cost(node):
        seen.append((node.op, node.attributes, node.operand_types,
                     node.result_types, node.operand_shapes, node.result_shapes,
                     node.cost("node-count"), repr(node)))
        return node.cost("flops") + 1

    ta.Module("""
    func.func @f(%a: tensor<3x?xf32>, %b: tensor<3x?xf32>) -> (tensor<3x?xf32>, i1) {
      %0 = arith.addf %a, %b : tensor<3x?xf32>
      %t = arith.constant true
      %1 = arith.xori %t, %t : i1
      return %0, %1 : tensor<3x?xf32>, i1
    }""").saturate(cost=cost)
    by_op = {node[0]: node for node in seen}
    add = by_op["arith.addf"]
    assert add[1] == {"fastmath": "#arith.fastmath<none>"}
    assert add[2] == ["tensor<3x?xf32>"] * 2 and add[3] == ["tensor<3x?xf32>"]
    assert add[4] == [[3, None]] * 2 and add[5] == [[3, None]]
    assert add[6] == 1 and add[7] == "<CostTerm arith.addf>"
    constant = by_op["arith.constant"]
    assert constant[2] == [] and constant[5] == [None]
    assert "value" in constant[1]


def test_a_node_is_gone_afterwards():
    kept = []
    ta.Module(FACTOR).saturate(cost=lambda node: kept.append(node) or 1)
    assert repr(kept[0]) == "<CostTerm that is gone>"
    for ask in (lambda n: n.op, lambda n: n.attributes, lambda n: n.operand_types,
                lambda n: n.result_shapes, lambda n: n.cost("flops")):
        with pytest.raises(ta.Error, match="a node is valid only while its cost is asked for"):
            ask(kept[0])


class Odd(Exception):
    pass


def raising(node):
    raise Odd("of my own")


@pytest.mark.parametrize("cost, error, message", [
    (raising, Odd, "^of my own$"),
    (lambda node: math.nan, ta.Error, r"^the cost of 'arith.\w+' must be a number, got nan$"),
    (lambda node: -1, ta.Error, r"^the cost of 'arith.\w+' must not be negative, got -1$"),
    (lambda node: -math.inf, ta.Error, "must not be negative, got -inf"),
    (lambda node: "dear", ta.Error, r"^the cost of 'arith.\w+' must be a number, got 'dear'$"),
    (lambda node: None, ta.Error, "must be a number, got None"),
    (lambda node: node.cost("no"), ta.Error, "unknown cost 'no'"),
    (lambda: 1, TypeError, "takes 0 positional arguments"),
])
def test_costs_that_fail(cost, error, message):
    module = ta.Module(FACTOR)
    graph = module.egraph(["arith"])
    for ask in (lambda: module.saturate(["arith"], cost=cost),
                lambda: graph.extract(cost)):
        with pytest.raises(error, match=message):
            ask()
    # Nothing is left over.
    assert graph.extract().cost == 2
    assert module.saturate(["arith"]).cost_after == 2


def test_infinity_is_never():
    module = ta.Module(FACTOR)
    cost = lambda node: math.inf if node.op == "arith.addi" else 1
    done = module.saturate(["arith"], cost=cost)
    assert ops(done.module) == ["arith.muli", "arith.muli", "arith.addi"]
    (warning,) = [d for d in done.module.diagnostics if d.severity == "warning"]
    assert warning.message == ("'arith.addi' and all that equals it have an "
                               "infinite cost, so that nothing is replaced")
    with pytest.raises(ta.Error, match="'arith.addi' and all that equals it have an infinite cost"):
        module.egraph(["arith"]).extract(cost)


def test_costs_too_large_to_be_added_up():
    cost = lambda node: 1e308 if node.op == "arith.muli" else 1
    done = ta.Module(FACTOR).saturate(["arith"], cost=cost)
    assert len(done.faults) == 1 and "too large to be added up, got 1e+308" in done.faults[0]
    assert ops(done.module) == ["arith.addi", "arith.muli"]


def test_registered_costs():
    ta.register_cost("test-sums", lambda node: node.op == "arith.addi", "sums")
    assert ta.costs()["test-sums"] == "sums" and "cycles" in ta.costs()
    module = ta.Module(FACTOR)
    assert module.saturate(["arith"], cost="test-sums").cost_before == 1
    result = module.run("tensoraccess-saturate{rules=arith cost=test-sums}")
    assert "CostBefore=1" in "".join(d.message for d in result.diagnostics)
    with pytest.raises(ta.Error, match="there is a cost 'test-sums' already"):
        ta.register_cost("test-sums", len)
    with pytest.raises(ta.Error, match="there is a cost 'flops' already"):
        ta.register_cost("flops", len)
    with pytest.raises(ta.Error, match="a cost needs a name"):
        ta.register_cost("", len)
    with pytest.raises(ta.Error, match="a cost is a function, got 3"):
        ta.register_cost("three", 3)
    ta.register_cost("test-raising", raising)
    with pytest.raises(Odd, match="of my own"):
        module.run("tensoraccess-saturate{rules=arith cost=test-raising}")
    with pytest.raises(Odd, match="of my own"):
        module.saturate(cost=lambda node: node.cost("test-raising"))
    assert str(module.run("canonicalize"))


def test_rule_sets():
    sets = ta.rule_sets()
    assert {"access", "arith", "linalg"} <= set(sets) and all(sets.values())


# Graphs ---------------------------------------------------------------------


def test_the_graph_can_be_looked_at():
    graph = ta.Module(FACTOR).egraph(["arith"])
    assert graph.saturated and graph.stop_reason == "saturated"
    assert len(graph.classes) == 7 and len(graph.nodes) == 13
    assert repr(graph) == "<EGraph of 13 nodes in 7 classes: saturated>"
    (root,) = graph.roots
    assert graph.classes[root].is_root and graph.classes[root].type == "i32"
    names = {node.op for node in graph.classes[root].nodes}
    assert names == {"arith.addi", "arith.muli"}
    assert [node.id for node in graph.nodes] == list(range(13))
    for known in graph.classes:
        assert known.nodes
        for node in known.nodes:
            assert node.result_types == [known.type]
            assert all(0 <= operand < 7 for operand in node.operands)
    (product, *_) = [n for n in graph.nodes if n.op == "arith.muli"]
    assert product.attributes["overflowFlags"] == "#arith.overflow<none>"


def test_the_graph_outlives_its_module():
    module = ta.Module(FACTOR)
    graph = module.egraph(["arith"])
    del module
    best = graph.extract()
    del graph
    assert ops(best.module) == ["arith.addi", "arith.muli"]


def test_texts():
    graph = ta.Module(FACTOR).egraph(["arith"])
    dot = graph.to_dot()
    assert dot.startswith("digraph") and "arith.muli" in dot
    best = graph.extract()
    assert dot.count("filled") < graph.to_dot(best).count("filled")
    for chosen in (5, best.choice):
        with pytest.raises(ta.Error, match="^chosen must be an Extraction, got "):
            graph.to_dot(chosen)
    with pytest.raises(ta.Error, match="^cost must be a name or a function, got None$"):
        graph.extract(None)
    with pytest.raises(ta.Error, match="^method must be a string, got 3$"):
        graph.extract(method=3)
    with pytest.raises(ta.Error, match="^seconds must be a number, got None$"):
        graph.extract(seconds=None)
    data = json.loads(graph.to_json())
    assert len(data["nodes"]) == 13 and len(data["root_eclasses"]) == 1


def test_a_picture(monkeypatch):
    graph = ta.Module(FACTOR).egraph()
    if shutil.which("dot"):
        svg = graph.to_svg(graph.extract())
        assert "<svg" in svg and "arith.muli" in svg
        assert "<svg" in graph._repr_svg_()
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ta.Error, match="Graphviz's program 'dot', which is not on the path"):
        graph.to_svg()
    assert graph._repr_svg_() is None


@pytest.mark.parametrize("method", ["tree", "dag", "exact"])
def test_extraction(method, request):
    if method == "exact":
        request.getfixturevalue("cbc")
    module = ta.Module(FACTOR)
    before = str(module)
    graph = module.egraph(["arith"])
    best = graph.extract(method=method)
    assert (best.cost, best.cost_before, best.lower_bound) == (2, 3, 2)
    assert best.gap == 0 and best.is_optimal and best.faults == []
    assert ops(best.module) == ["arith.addi", "arith.muli"]
    nodes = {node.id: (known.id, node) for known in graph.classes for node in known.nodes}
    assert set(graph.roots) <= set(best.choice)
    for cls, node in best.choice.items():
        assert nodes[node][0] == cls
        assert all(operand in best.choice for operand in nodes[node][1].operands)
    dear = graph.extract(lambda node: 9 if node.op == "arith.muli" else 1, method=method)
    assert dear.cost == 10
    assert str(module) == before
    answer = best.module.check_equivalence("factor", against=module)
    assert answer.verdict in ("proved", "proved-over-reals", "tested")


def test_extraction_errors():
    graph = ta.Module(FACTOR).egraph(["arith"])
    with pytest.raises(ta.Error, match="unknown extraction 'greedy'"):
        graph.extract(method="greedy")
    with pytest.raises(ta.Error, match="must not be negative, got -1"):
        graph.extract(seconds=-1)
    with pytest.raises(ta.Error, match="unknown cost 'no'"):
        graph.extract("no")
    with pytest.raises(ta.Error, match="its first block computes no terms"):
        ta.Module("func.func @f(%a: i32) -> i32 { return %a : i32 }").egraph()
    with pytest.raises(ta.Error, match="there is no function with a body"):
        ta.Module("module {}").egraph()


def test_a_convolution_on_a_target():
    module = ta.Module(CONV).run("tensoraccess-raise,canonicalize")
    target = ta.Target("a, bytes_per_cycle = 64, matrix_units = [16x16 in 46]")
    done = module.saturate(["access"], cost="cycles", target=target)
    assert "systolic_array" in str(done.module) and done.saturated
    assert done.cost_after < done.cost_before
    assert "systolic-array" in {rule.name for rule in done.rules}
    host = module.saturate(["access"], cost="cycles")
    assert "systolic_array" not in str(host.module)
    answer = done.module.check_equivalence("conv", against=module)
    assert answer.verdict in ("proved", "proved-over-reals", "tested")
    graph = module.egraph(["access"], target=target, function="conv")
    best = graph.extract("cycles")
    assert best.cost == done.cost_after and "systolic_array" in str(best.module)
    # Views of each other do not bypass the array.
    assert best.gap < 1e-3


def test_a_constant_does_not_become_poison():
    # The product overflows, so that it is poison, and folds to 0.
    module = ta.Module("""
    func.func @f(%a: i8) -> (i8, i8) {
      %least = arith.constant -128 : i8
      %poison = arith.muli %least, %least overflow<nsw> : i8
      %zero = arith.subi %a, %a : i8
      return %zero, %least : i8, i8
    }""")
    cost = lambda term: {"arith.muli": 0, "arith.subi": 5}.get(term.op, 1)
    done = module.saturate(["arith"], cost=cost)
    assert ops(done.module) == ["arith.constant", "arith.constant"]


@pytest.mark.usefixtures("pdll")
def test_rules_are_tested_first():
    program = "func.func @f(%a: i32, %b: i32) -> i32 { %0 = arith.subi %a, %b : i32 return %0 : i32 }"
    pattern = """
Pattern Swap {{
  let p = op<arith.{0}>(x: Value, y: Value) {{overflowFlags = f: Attr}} -> (t: Type);
  replace p with op<arith.{0}>(y, x) {{overflowFlags = f}} -> (t);
}}"""
    module = ta.Module(program)
    with pytest.raises(ta.Error, match="rule 'Swap' is refuted: result 0: expected -1, got 1"):
        module.saturate([pattern.format("subi")], verify_rules="tests")
    assert module.saturate([pattern.format("muli")], verify_rules="tests").saturated
    assert module.saturate([pattern.format("subi")]).saturated
    with pytest.raises(ValueError, match="'verify_rules' must be 'none' or 'tests', got 'proof'"):
        module.saturate(["arith"], verify_rules="proof")
