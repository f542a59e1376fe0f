# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of unknown sizes in every engine and through every rewriting pass, against
NumPy; and that what is wrong is found."""

import pathlib
import subprocess
import sys

import numpy
import pytest

import tensoraccess

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import fuzz_sizes  # noqa: E402
import sized_programs  # noqa: E402


def test_programs_of_unknown_sizes(root):
    done = subprocess.run(
        [sys.executable, root / "bench" / "fuzz_sizes.py", "--programs=40", "--seed=12"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(pathlib.Path(tensoraccess.__file__).parents[1])},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "40 right" in done.stdout


@pytest.mark.parametrize("seed", [0, 8, 16, 24])
def test_what_is_wrong_is_found(seed):
    (program,) = fuzz_sizes.make_programs([seed])
    for draw, sizes in enumerate(sized_programs.SIZES):
        inputs = program.inputs(sizes, draw)
        right = program.expected(inputs)
        assert not fuzz_sizes.differ(program, right, inputs)
        assert fuzz_sizes.differ(program, numpy.expand_dims(right, 0), inputs)
        if right.size:
            assert fuzz_sizes.differ(program, right + 1, inputs)


def test_no_program_hides_another(monkeypatch):
    """Of several programs of a function the wrong one is named, and of those that
    cannot run together the refused one."""
    programs = fuzz_sizes.make_programs([0, 1, 2])

    class Wrong:
        def __init__(self, module):
            self.run = module.interpret()

        def __call__(self, *inputs):
            results = self.run(*inputs)
            return [results[0], results[1] + 1, results[2]] if isinstance(results, (list, tuple)) else results

    monkeypatch.setattr(programs[1], "result", programs[1].values[0])
    answers = fuzz_sizes.run_engine(programs, Wrong, tensoraccess.Error)
    assert [answer["verdict"] for answer in answers] == ["right", "wrong", "right"]
    programs[2].lines.append("%bad = arith.no_such_op %s : tensor<i32>")
    answers = fuzz_sizes.run_engine(programs, lambda module: module.interpret(), tensoraccess.Error)
    assert [answer["verdict"] for answer in answers] == ["right", "right", "refused"]
