# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m tensoraccess."""

import collections
import subprocess
import sys

import pytest

import tensoraccess as ta
from tensoraccess.__main__ import _SUBJECTS, main

PROGRAM = """
func.func @main(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %dead = arith.addf %x, %x : tensor<3x5xf32>
  %0 = arith.addf %x, %y : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "sum.mlir"
    path.write_text(PROGRAM)
    return path


def test_subjects():
    """Every public name is listed, under one subject."""
    listed = [name for names in _SUBJECTS.values() for name in names.split()]
    assert collections.Counter(listed) == collections.Counter(ta.__all__)


def test_overview():
    run = subprocess.run([sys.executable, "-m", "tensoraccess"], check=True,
                         stdout=subprocess.PIPE, text=True)  # fmt: skip
    lines = run.stdout.splitlines()
    assert lines[0] == f"tensoraccess {ta.__version__}"
    assert f"  {'Error':22} What went wrong, with the diagnostic's text." in lines
    assert f"  {'Module':22} An MLIR module." in lines
    # A native function's signature is not a description of it.
    (line,) = [line for line in lines if line.split()[:1] == ["count_union"]]
    assert line.split(maxsplit=1)[1].startswith("How many different results")
    # Every name has its sentence.
    named = [line.split(maxsplit=1) for line in lines if line.startswith("  ")]
    assert all(len(words) == 2 for words in named)


def test_tools(tmp_path, monkeypatch, capsys):
    """Those on the path are listed with what they are for."""
    tool = tmp_path / "tensoraccess-opt"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([]) == 0
    assert "/tensoraccess-opt: runs passes on a file\n" in capsys.readouterr().out


def test_explore(model, tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.html"
    assert main(["explore", str(model), "-o", str(page), "--passes=canonicalize"]) == 0
    assert capsys.readouterr().out == f"{page}\n"
    made = ta.Module(model).explore(passes="canonicalize", title="sum")
    assert page.read_text() == made.html
    # Without a place it is here, named as the model is.
    monkeypatch.chdir(tmp_path)
    assert main(["explore", str(model)]) == 0
    assert (tmp_path / "sum.html").read_text() == ta.Module(model).explore(title="sum").html


def test_explore_errors(model, tmp_path, capsys):
    assert main(["explore", str(tmp_path / "none.mlir")]) == 1
    assert capsys.readouterr().err.startswith("error: cannot open '")
    assert main(["explore", str(model), "--passes=no-such-pass"]) == 1
    assert "no-such-pass" in capsys.readouterr().err
    assert main(["explore", str(model), "-o", str(tmp_path / "none" / "page.html")]) == 1
    assert "none/page.html" in capsys.readouterr().err


def test_closed_pipe():
    """As `| head` leaves it: no traceback."""
    run = subprocess.Popen([sys.executable, "-m", "tensoraccess"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)  # fmt: skip
    run.stdout.close()
    assert run.stderr.read() == b""
    run.stderr.close()
    run.wait()
