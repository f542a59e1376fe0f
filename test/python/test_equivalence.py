# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Module.check_equivalence: verdicts, counterexamples as arrays, errors."""

import numpy as np
import pytest

import tensoraccess as ta

PROGRAM = """
func.func @main(%a: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %0 = tensoraccess.access %a at 2
     : tensor<3x5xf32> -> !tensoraccess.access<3x5 | f32>
  %1 = tensoraccess.transpose %0 perm = [1, 0]
     : !tensoraccess.access<3x5 | f32> -> !tensoraccess.access<5x3 | f32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<5x3 | f32> -> tensor<5x3xf32>
  return %2 : tensor<5x3xf32>
}
func.func @reshaped(%a: tensor<3x5xf32>) -> tensor<5x3xf32> {
  %0 = tensoraccess.access %a at 2
     : tensor<3x5xf32> -> !tensoraccess.access<3x5 | f32>
  %1 = tensoraccess.reshape %0
     : !tensoraccess.access<3x5 | f32> -> !tensoraccess.access<5x3 | f32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<5x3 | f32> -> tensor<5x3xf32>
  return %2 : tensor<5x3xf32>
}
func.func @fails(%a: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %0 = arith.divsi %a, %a : tensor<3x5xi32>
  %1 = arith.muli %0, %a : tensor<3x5xi32>
  return %1 : tensor<3x5xi32>
}
func.func @same(%a: tensor<3x5xi32>) -> tensor<3x5xi32> {
  return %a : tensor<3x5xi32>
}
"""


def test_proved_against_another_module():
    a, b = ta.Module(PROGRAM), ta.Module(PROGRAM)
    answer = a.check_equivalence(against=b)
    assert (answer.verdict, answer.method) == ("proved", "forms")
    assert answer.counterexample is None


def test_refuted_with_arrays():
    module = ta.Module(PROGRAM)
    answer = module.check_equivalence("main", "reshaped")
    assert answer.verdict == "refuted"
    (image,) = answer.counterexample
    assert image.shape == (3, 5) and image.dtype == np.float32
    assert np.count_nonzero(image) == 1
    right = module.interpret("main")(image)
    wrong = module.interpret("reshaped")(image)
    assert right[answer.index] == float(answer.expected)
    assert wrong[answer.index] == float(answer.got)
    assert answer.result == 0 and answer.failing == 0


def test_only_one_fails():
    answer = ta.Module(PROGRAM).check_equivalence("same", "fails")
    assert answer.verdict == "refuted" and answer.failing == 2
    assert answer.result is None and answer.failure


def test_tests_only():
    answer = ta.Module(PROGRAM).check_equivalence(
        "main", "main", method="test", trials=5
    )
    assert (answer.verdict, answer.method) == ("tested", "tests")
    # Corners come on top.
    assert answer.inputs >= 5
    assert answer.message == "compared bit for bit"


def test_errors():
    module = ta.Module(PROGRAM)
    with pytest.raises(ta.Error, match="name a second function"):
        module.check_equivalence()
    with pytest.raises(ta.Error, match="there is no function 'none'"):
        module.check_equivalence("main", "none")
    with pytest.raises(ta.Error, match="has type"):
        module.check_equivalence("main", "same")
    with pytest.raises(ta.Error, match="unknown method"):
        module.check_equivalence("main", "reshaped", method="guess")
    with pytest.raises(ta.Error, match="trials must be at least 1, got 0"):
        module.check_equivalence("main", "reshaped", trials=0)
    with pytest.raises(ta.Error, match=r"^trials must be an integer, got 1\.5$"):
        module.check_equivalence("main", "reshaped", trials=1.5)
    with pytest.raises(ta.Error, match="^sizes must be an integer, got 'a'$"):
        module.check_equivalence("main", "reshaped", sizes=["a"])
    with pytest.raises(ta.Error, match="^tolerance must be a number, got 'a'$"):
        module.check_equivalence("main", "reshaped", tolerance="a")


@pytest.mark.parametrize("as_path", [str, lambda path: path])
def test_what_the_solver_is_asked(tmp_path, as_path):
    # Also where there is no solver.
    module = ta.Module("""
    func.func @f(%a: i8, %b: i8) -> i8 {
      %0 = arith.andi %a, %b : i8
      %1 = arith.xori %0, %b : i8
      return %1 : i8
    }
    func.func @g(%a: i8, %b: i8) -> i8 {
      %ones = arith.constant -1 : i8
      %0 = arith.xori %a, %ones : i8
      %1 = arith.andi %0, %b : i8
      return %1 : i8
    }""")
    path = tmp_path / "asked.smt2"
    answer = module.check_equivalence(
        "f", "g", method="smt", solver="no-such-solver", solver_dump=as_path(path)
    )
    assert answer.verdict == "unknown" and "no-such-solver" in answer.message
    text = path.read_text()
    assert "(_ BitVec 8)" in text and "(check-sat)" in text and "bvand" in text
    with pytest.raises(TypeError):
        module.check_equivalence("f", "g", solver_dump=5)
