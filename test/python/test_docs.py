# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every fence of docs/Python.md and docs/JAX.md runs, in order, as one program."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import tensoraccess

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


@pytest.mark.parametrize(
    "page, kinds",
    [
        ("Python", {"python", "sh"}),
        ("JAX", {"python"}),
        ("XLA", {"python", "sh", "text"}),
    ],
)
def test_python_fences(root, page, kinds):
    if page != "Python":
        pytest.importorskip("jax")
    path = root / "docs" / f"{page}.md"
    text = path.read_text()
    fences = list(FENCE.finditer(text))
    assert {f.group(1) for f in fences} == kinds
    scope = {}
    for fence in fences:
        if fence.group(1) == "python":
            # Blank lines in front make line numbers those of the document.
            line = text[: fence.start(2)].count("\n")
            exec(compile("\n" * line + fence.group(2), str(path), "exec"), scope)


def test_shell_fences(root):
    text = (root / "docs" / "Python.md").read_text()
    package = pathlib.Path(tensoraccess.__file__).parents[1]
    interpreter = pathlib.Path(sys.executable).parent
    for fence in FENCE.finditer(text):
        if fence.group(1) != "sh":
            continue
        # The build directory may have another name than the document's.
        command = fence.group(2).replace("build/python", str(package))
        result = subprocess.run(
            ["sh", "-ec", command],
            env={**os.environ, "PATH": f"{interpreter}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
        )
        assert (result.returncode, result.stdout) == (0, "17\n"), result.stderr
