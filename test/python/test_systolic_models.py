# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models on systolic arrays, whose sizes don't divide, and several arrays."""

import os
import re
import subprocess
import sys


def test_models_agree(root):
    """An odd array: nearly every product is filled up with zeros."""
    models = [root / f"test/Models/{name}.linalg.mlir" for name in ("attention", "mobilenet")]
    result = subprocess.run(
        [sys.executable, root / "bench" / "systolic.py", "--array", "13x11", *models],
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert result.returncode == 0, result.stdout
    header, attention, mobilenet = (
        re.split(r"  +", line) for line in result.stdout.splitlines()
    )
    assert header[0] == "model" and len(attention) == len(mobilenet) == len(header)
    assert (attention[1], mobilenet[1]) == ("8", "14")
    for row in (attention, mobilenet):
        assert row[7].startswith("equal") and row[8].startswith("equal"), result.stdout
    assert mobilenet[9] == "proved-over-reals", result.stdout


def count_cycles(root, arrays, output=os.devnull):
    """Of each product of a model, in the order of the program."""
    model = root / "test/Models/mobilenet.linalg.mlir"
    done = subprocess.run(
        [
            root / "build/bin/tensoraccess-opt",
            model,
            "--tensoraccess-raise",
            "--canonicalize",
            f"--tensoraccess-map-to-systolic=arrays={arrays}",
            "--remarks-filter=tensoraccess",
            "--remark-policy=all",
            "-o",
            output,
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    used = re.findall(r"\[Passed\] systolic .*Cols=(\d+), Cycles=(\d+).*Rows=(\d+)", done.stderr)
    return [(int(cycles), f"{rows}x{cols}") for cols, cycles, rows in used]


def test_each_product_takes_the_cheaper_array(root):
    tall, wide = "64x4", "4x64"
    choices = count_cycles(root, f"{tall},{wide}")
    alone = [count_cycles(root, array) for array in (tall, wide)]
    assert len(choices) == len(alone[0]) == len(alone[1]) > 10
    for (cycles, array), *others in zip(choices, *alone):
        assert cycles == min(others)[0] and (cycles, array) in others
    # Both are used.
    assert {array for _, array in choices} == {tall, wide}
