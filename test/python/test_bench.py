# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of bench/ can be measured, all but the builds."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import tensoraccess

BUILD = pathlib.Path(tensoraccess.__file__).parents[2]
TOOLS = ("tensoraccess-opt", "tensoraccess-run")


@pytest.mark.skipif(
    not all((BUILD / "bin" / tool).exists() for tool in TOOLS) or not shutil.which("taskset"),
    reason="needs the tools of a build tree, and taskset",
)
def test_quick_figures(root, tmp_path):
    table = tmp_path / "table.txt"
    result = subprocess.run(
        [sys.executable, root / "bench" / "figures.py", "--quick"]
        + ["--source", root, "--build", BUILD, "--output", table],
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert result.returncode == 0, result.stdout
    assert table.read_text(encoding="utf-8") == result.stdout
    rows = [line.split("  ")[0] for line in result.stdout.splitlines()[3:10]]
    assert rows == [
        "start-up of tensoraccess-opt",
        "annotate-indexing of ResNet-18",
        "raise of ResNet-18",
        "raise, canonicalise, lower ResNet-18",
        "the same, a block of 8",
        "run of raised ResNet-18, one core",
        "peak of its buffers",
    ]
    # Every row has a ratio, which is a positive number.
    for line in result.stdout.splitlines()[3:10]:
        assert float(line.split()[-1]) > 0, line
