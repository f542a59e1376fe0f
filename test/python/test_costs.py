# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Costs of this machine, and your own costs. Times are not looked at."""
import math

import pytest
import tensoraccess as ta

ADD = """
func.func @f(%a: tensor<30x70xf32>, %o: tensor<30x70xf32>) -> tensor<30x70xf32> {
  %0 = linalg.add ins(%a, %a : tensor<30x70xf32>, tensor<30x70xf32>)
         outs(%o : tensor<30x70xf32>) -> tensor<30x70xf32>
  return %0 : tensor<30x70xf32>
}
"""
PLAN = "builtin.module(tensoraccess-plan-shards{ranks=2})"


@pytest.fixture
def cost():
    """Registers costs of linalg.add, and takes them away."""
    registered = []

    def register(function, summary=""):
        ta.register_op_cost("linalg.add", function, summary)
        registered.append(function)

    yield register
    if registered:
        ta.unregister_op_cost("linalg.add")


def test_calibration_is_kept(tmp_path):
    path = str(tmp_path / "a" / "costs.txt")
    with pytest.raises(ta.Error) as error:
        ta.CostModel.calibrated(path)
    assert str(error.value) == (
        f"this machine is not calibrated: there is no '{path}'; "
        "tensoraccess-calibrate makes it"
    )
    made = ta.CostModel.calibrate(path, quick=True, only=["linalg.matmul"])
    assert ta.CostModel.calibrated(path) == made == ta.CostModel(str(made))
    assert made.block("linalg.matmul.sum", [8, 8, 8]).seconds > 0
    more = ta.CostModel.calibrate(path, quick=True, only=["math.exp"])
    assert "op linalg.matmul.sum" in str(more) and "op math.exp" in str(more)
    text = open(path, encoding="utf-8").read()
    assert text.startswith("# tensoraccess calibration 1\n# cpu ")
    # A network that is written there stays.
    with open(path, "a", encoding="utf-8") as file:
        file.write("network mesh 2: bandwidth = 1.0e+10\n")
    again = ta.CostModel.calibrate(path, quick=True, only=["math.log"])
    assert again.message(0, 1, 10**10).seconds == 1


def test_calibration_of_others(tmp_path, monkeypatch):
    path = tmp_path / "costs.txt"
    path.write_text("# nothing\n")
    monkeypatch.setenv("TENSORACCESS_CALIBRATION", str(path))
    for ask in (ta.CostModel.calibrated, ta.CostModel.calibrate):
        with pytest.raises(ta.Error) as error:
            ask()
        assert str(error.value) == (
            f"{path}:1:1: expected '# tensoraccess calibration 1', got '# nothing'"
        )
    path.write_text(
        "# tensoraccess calibration 1\n# cpu Abacus\n# cores 3\n# caches\n"
        "# build wood\nmachine abacus\n"
    )
    for ask in (ta.CostModel.calibrated, ta.CostModel.calibrate):
        with pytest.raises(ta.Error) as error:
            ask()
        assert str(error.value).startswith(
            f"the calibration '{path}' is of another machine: cpu 'Abacus', here '"
        )
    with pytest.raises(ta.Error, match="unknown op 'x'; known are"):
        ta.CostModel.calibrate(str(tmp_path / "b.txt"), only=["x"])


def test_functions(cost):
    seen = []

    def one(work):
        seen.append(work)
        return 64.0 * work.extents[0]

    cost(one, "of mine")
    assert ta.op_costs() == {"linalg.add": "of mine"}
    with pytest.raises(ta.Error, match="'linalg.add' has a cost of its own already"):
        ta.register_op_cost("linalg.add", one)
    assert ta.Module(ADD).run(PLAN)
    work = seen[0]
    assert (work.op, work.family, work.innermost) == ("linalg.add", "map", 1)
    assert work.column_bytes == work.pitch == 0 and work.modelled.seconds > 0
    assert repr(work) == "<BlockWork of linalg.add>"
    whole = [w for w in seen if w.extents == [30, 70]][0]
    assert (whole.bytes_in, whole.bytes_out) == (2 * 8400, 8400)
    # Fifteen rows are cheaper than thirty, columns don't count: rows are cut.
    assert 'tensoraccess.cut = "{d0: x}"' in str(ta.Module(ADD).run(PLAN))


def test_function_gives_a_cost_or_none(cost):
    answers = [ta.BlockCost(2.0, scratch_bytes=3.0, joules=4.0), None]
    cost(lambda work: answers[work.extents[0] % 2])
    assert answers[0].scratch_bytes == 3 and answers[0].joules == 4
    assert ta.Module(ADD).run(PLAN)


@pytest.mark.parametrize(
    "answer, message",
    [
        (math.nan, "seconds must be finite and not negative, got nan"),
        (-1.0, "seconds must be finite and not negative, got -1.0"),
        (math.inf, "seconds must be finite and not negative, got inf"),
        ("much", "seconds, a BlockCost or None were expected, got 'much'"),
        (ZeroDivisionError("oh"), "ZeroDivisionError: oh"),
    ],
)
def test_functions_that_are_wrong(cost, answer, message):
    def function(work):
        if isinstance(answer, Exception):
            # One of its own: the parameter outlives the package, with a trace.
            raise type(answer)(*answer.args)
        return answer

    cost(function)
    with pytest.raises(ta.Error) as error:
        ta.Module(ADD).run(PLAN)
    assert f"the cost of 'linalg.add': {message}" in str(error.value)


def test_errors():
    for wrong, message in [
        (lambda: ta.register_op_cost("a.b", 3), "a cost is a function, got 3"),
        (lambda: ta.register_op_cost("", abs), "a cost needs the name of an op"),
        (lambda: ta.unregister_op_cost("a.b"), "'a.b' has no cost of its own"),
        (
            lambda: ta.BlockCost(1.0, joules=-2.0),
            "joules must be finite and not negative, got -2.0",
        ),
    ]:
        with pytest.raises(ta.Error) as error:
            wrong()
        assert str(error.value) == message
    assert ta.op_costs() == {}
