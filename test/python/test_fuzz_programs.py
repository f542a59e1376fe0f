# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A few random programs, run in every way, against numpy; and that the judge of
them finds what is wrong."""

import pathlib
import subprocess
import sys

import numpy
import pytest

import tensoraccess

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import random_programs  # noqa: E402


def test_random_programs(root):
    done = subprocess.run(
        [sys.executable, root / "bench" / "fuzz_programs.py", "--programs=25", "--seed=1000"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(pathlib.Path(tensoraccess.__file__).parents[1])},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["interpret", "25", "0", "0", "0", "0"] in rows


@pytest.mark.parametrize("seed", range(5))
def test_what_is_wrong_is_found(seed):
    program = random_programs.Program(seed, 8)
    for value in program.results:
        if value.array.size == 0:
            continue
        dtype = random_programs.TYPES[value.element][0]
        right = value.array.astype(dtype)
        assert random_programs.check(value, right) is None
        off = right.copy()
        at = (0,) * off.ndim
        if value.is_float:
            off[at] = float(value.array[at]) + 4 * float(value.error[at]) + 1
        else:
            off[at] = ~off[at] if value.element == "i1" else off[at] + 1
        assert random_programs.check(value, off)
        assert random_programs.check(value, numpy.zeros((9, 9), dtype))
