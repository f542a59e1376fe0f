# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of shards: what they say, their tables and pictures, and runs."""
import subprocess
import sys

import numpy as np
import pytest
import tensoraccess as ta


@pytest.fixture(scope="module")
def stack(root):
    return ta.Module(root / "test/Export/shards.mlir")


def inputs(seed=3):
    rng = np.random.default_rng(seed)
    shapes = [(1, 42, 42, 8), (3, 3, 8, 8), (3, 3, 8, 8)]
    # Small integers: sums are exact in any order.
    return [rng.integers(-2, 3, shape).astype(np.float32) for shape in shapes]


MATMUL = """
func.func @main(%a: tensor<6x8xf32>, %b: tensor<8x10xf32>) -> tensor<6x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x10xf32>) -> tensor<6x10xf32>
  %0 = linalg.matmul CUT ins(%a, %b : tensor<6x8xf32>, tensor<8x10xf32>)
         outs(%z : tensor<6x10xf32>) -> tensor<6x10xf32>
  return %0 : tensor<6x10xf32>
}
"""


def test_plan(stack):
    plan = stack.plan_shards(grid="rows=2,cols=2", entry="stack")
    assert str(plan.grid) == "rows=2,cols=2" and plan.method == "dp"
    assert plan.is_optimal and plan.gap == 0.0 and plan.groups == 2
    assert plan.seconds == pytest.approx(plan.compute_seconds + plan.exchange_seconds)
    assert plan.bytes_sent == sum(e.bytes for e in plan.exchanges) == 7680
    assert plan.messages == 6 and plan.candidates > plan.groups and plan.left_out == 0
    assert [op.name for op in plan.ops] == [
        "linalg.conv_2d_nhwc_hwcf", "tensor.pad", "linalg.conv_2d_nhwc_hwcf#1"]
    first, pad, second = plan.ops
    assert (first.kind, pad.kind, pad.cut) == ("cut", "needed", "")
    assert first.results == ["tensor<1x40x40x8xf32>"]
    assert ":" in first.location
    assert max(op.bytes_held for op in plan.ops) <= plan.memory_per_rank
    # The module says the plan, and can be planned again by it.
    assert f'tensoraccess.cut = "{first.cut}"' in str(plan.module)
    again = plan.module.plan_shards(entry="stack")
    assert [op.cut for op in again.ops] == [op.cut for op in plan.ops]
    assert "tensoraccess.cut" not in str(stack)
    assert repr(plan).startswith("<Plan of @stack on rows=2,cols=2: ")


def test_exchanges(stack):
    plan = stack.plan_shards(ranks=2, entry="stack")
    (halo,) = plan.exchanges
    assert (halo.op, halo.operand, halo.shape) == ("tensor.pad", 0, [1, 40, 40, 8])
    assert halo.element_bytes == 4 and halo.messages == 2
    listed = halo.exchange
    assert listed.traffic(4).total == halo.bytes == 2560
    assert [m.box for m in listed.messages] == [
        ta.Box([0, 20, 0, 0], [1, 21, 40, 8]), ta.Box([0, 19, 0, 0], [1, 20, 40, 8])]
    assert "2560 bytes, 2 messages" in repr(halo)


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_ranks_compute_the_same(stack, ranks):
    plan = stack.plan_shards(ranks=ranks, entry="stack")
    run = plan.run(*inputs())
    expected = stack.interpret("stack")(*inputs())
    assert len(run.results) == 1 and (run.results[0] == expected).all()
    # Counted, not modelled.
    assert sum(run.bytes_sent) == plan.bytes_sent
    assert len(run.bytes_sent) == len(run.messages_sent) == ranks


def test_split_sums():
    mod = ta.Module(MATMUL.replace("CUT", '{tensoraccess.cut = "{d2: x}", tensoraccess.reduced = "{d0: x}"}'))
    plan = mod.plan_shards(ranks=2)
    (op,) = plan.ops
    assert (op.cut, op.reduced) == ("{d2: x}", "{d0: x}")
    sums = [e for e in plan.exchanges if e.operand is None]
    assert sums and "partial: x" in sums[0].source
    assert "parts of result 0" in repr(sums[0]) and "parts of result 0" in sums[0].svg()
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-3, 4, s).astype(np.float32) for s in [(6, 8), (8, 10)])
    run = plan.run(a, b)
    assert (run.results[0] == a @ b).all()


def test_shard(stack):
    plan = stack.plan_shards(ranks=2, entry="stack")

    def programs(module):
        return [f.name for f in module.functions if not f.private]

    assert programs(plan.shard()) == ["stack_0", "stack_1"]
    assert programs(plan.shard(1)) == ["stack_1"]
    with pytest.raises(ta.Error, match="^rank must not be negative, got -1$"):
        plan.shard(-1)
    assert programs(plan.module.shard(ranks=2)) == ["stack_0", "stack_1"]
    with pytest.raises(ta.Error, match="ranks"):
        plan.module.shard(ranks=3)


def test_model_and_memory(stack):
    slow = ta.CostModel(
        "machine slow op *: point = 2.5e-09 network mesh 1: bandwidth = 1.0e+10")
    plan = stack.plan_shards(ranks=4, entry="stack")
    dear = stack.plan_shards(ranks=4, entry="stack", model=slow)
    assert dear.seconds > 4 * plan.seconds
    assert stack.plan_shards(ranks=4, entry="stack", model=str(slow)).seconds == dear.seconds
    # A network with as many ranks is the grid.
    ring = str(slow).replace("mesh 1", "torus 2x2")
    assert str(stack.plan_shards(ranks=4, entry="stack", model=ring).grid) == "n0=2,n1=2"
    tight = stack.plan_shards(ranks=4, entry="stack", memory_limit=plan.memory_per_rank)
    assert tight.memory_per_rank <= plan.memory_per_rank
    ilp = stack.plan_shards(ranks=2, entry="stack", method="dp")
    assert ilp.seconds == stack.plan_shards(ranks=2, entry="stack").seconds


def test_calibrated_costs(stack, tmp_path, monkeypatch):
    monkeypatch.setenv("TENSORACCESS_CALIBRATION", str(tmp_path / "none.txt"))
    wrong("none.txt", stack.plan_shards, ranks=2, entry="stack", model="calibrated")


def test_tables(stack):
    plan = stack.plan_shards(ranks=2, entry="stack")
    table = plan.table()
    assert [row["op"] for row in table] == [op.name for op in plan.ops]
    assert table[1]["cut"] == "needed" and table[1]["bytes_sent"] == 2560
    lines = str(table).splitlines()
    assert lines[0].split() == list(table[0]) and len(lines) == 4
    assert "2,560" in lines[2]
    rows = plan.table([2, 8])
    assert [row["ranks"] for row in rows] == [2, 8]
    assert rows[0]["seconds"] == plan.seconds > rows[1]["seconds"]
    assert str(plan.table([])) == "(no rows)"


def test_pictures(stack, root, tmp_path):
    plan = stack.plan_shards(ranks=4, entry="stack")
    pictures = [plan.svg(), plan.shards_svg(), plan.exchange_svg(), plan.exchanges[0].svg(),
                plan.shards_svg("linalg.conv_2d_nhwc_hwcf", operand=0),
                plan.shards_svg("linalg.conv_2d_nhwc_hwcf#1", result=0, ranks=2)]
    for svg in pictures:
        path = tmp_path / "picture.svg"
        path.write_text(svg)
        subprocess.run([sys.executable, root / "test/Export/check_svg.py", path], check=True)
    assert plan._repr_svg_() == plan.svg() and "found by dp among" in plan.svg()
    assert plan.exchange_svg("tensor.pad", operand=0) == plan.exchanges[0].svg()
    assert "… and 2 more ranks" in pictures[-1]


def wrong(match, call, *args, **kwargs):
    with pytest.raises(ta.Error, match=match):
        call(*args, **kwargs)


def test_errors(stack):
    plan = stack.plan_shards
    wrong("give a grid, ranks, or 'tensoraccess.grid' on the function", plan, entry="stack")
    wrong("give a grid or ranks, not both", plan, ranks=2, grid="x=2", entry="stack")
    wrong("there is no function 'main'|no function|'main'", plan, ranks=2)
    wrong("a grid has from 1 to 1048576 ranks, got 0", plan, ranks=0, entry="stack")
    wrong("ranks must be an integer, got 2.5", plan, ranks=2.5, entry="stack")
    with pytest.raises(ta.Error, match=r"unknown method 'atuo'; did you mean 'auto'\?"):
        stack.run("tensoraccess-plan-shards{grid=rows=2 method=atuo}")
    wrong("unknown method 'best'; known are auto, dp, ilp", plan, ranks=2, method="best", entry="stack")
    wrong("candidates must be positive, got 0", plan, ranks=2, candidates=0, entry="stack")
    wrong("max_seconds must be positive, got 0", plan, ranks=2, max_seconds=0, entry="stack")
    wrong("memory_limit must be positive, got 0", plan, ranks=2, memory_limit=0, entry="stack")
    wrong("1 bytes", plan, ranks=2, memory_limit=1, entry="stack")
    wrong("have no network", plan, ranks=2, model="machine slow op *: point = 1.0e-09", entry="stack")
    wrong("model must be a CostModel or its text, got 3", plan, ranks=2, model=3, entry="stack")
    made = plan(ranks=2, entry="stack")
    wrong("the function is planned for the grid x=2, not for x=3", made.module.plan_shards,
          ranks=3, entry="stack")
    wrong("no op 'linalg.matmul' in function 'stack'", made.shards_svg, "linalg.matmul")
    wrong("op 'tensor.pad' has 1 operands, got operand 3", made.shards_svg, "tensor.pad", operand=3)
    wrong("operand must not be negative, got -1", made.shards_svg, "tensor.pad", operand=-1)
    wrong("op must be a string, got 3", made.shards_svg, 3)
    wrong("operand 0 of linalg.conv_2d_nhwc_hwcf is not exchanged", made.exchange_svg,
          "linalg.conv_2d_nhwc_hwcf", operand=0)
    wrong(r"rows must be in \[10, 1000\], got 1", made.svg, rows=1)
    wrong(r"ranks that are drawn must be in \[1, 64\], got 99", made.exchange_svg, ranks=99)
    # Running: what is not cut, and inputs that don't fit.
    wrong("it has no tensoraccess.ranks", stack.run_sharded, entry="stack")
    x, w, v = inputs()
    wrong("takes 3 inputs, got 2", made.run, x, w)
    wrong("input 1 must have the shape 3x3x8x8, got", made.run, x, w[:2], v)
    wrong("input 2 must have elements of 'f32', got", made.run, x, w, v.astype(np.float64))
    wrong("input 0 must be an array, got str", made.run, "x", w, v)
