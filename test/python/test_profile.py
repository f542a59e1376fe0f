# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the loop nests of a program took: numbers that add up, in Python, as a table
and as a trace."""

import json
import os
import re
import subprocess

import numpy as np
import pytest

import tensoraccess as ta

PROGRAM = """
func.func @main(%a: tensor<64x96xf32>, %b: tensor<96x128xf32>) 
    -> (tensor<64x128xf32>, tensor<96x64xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x96xf32>, tensor<96x128xf32>)
       outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  %t = tensor.empty() : tensor<96x64xf32>
  %r = linalg.transpose ins(%a : tensor<64x96xf32>) outs(%t : tensor<96x64xf32>)
       permutation = [1, 0]
  return %p, %r : tensor<64x128xf32>, tensor<96x64xf32>
}
"""


def test_python():
    a = np.ones((64, 96), np.float32)
    b = np.ones((96, 128), np.float32)
    run = ta.Module(PROGRAM).compile(profile=True)
    assert np.array_equal(run(a, b)[0], a @ b)
    product, move = run.profile(a, b)
    assert product.name == "product 64x128 by 96 f32"
    assert product.operations == 2 * 64 * 128 * 96
    assert product.bytes == 4 * (64 * 96 + 96 * 128 + 64 * 128)
    assert move.name == "move 96x64 f32" and move.operations == 0
    assert product.begin < product.end <= move.begin < move.end
    assert not ta.Module(PROGRAM).compile().profile(a, b)
    with pytest.raises(ta.Error, match="only compiled code"):
        ta.Module(PROGRAM).interpret().profile(a, b)


def test_runner(tmp_path, root):
    build = os.environ.get("TENSORACCESS_BUILD_DIR", root / "build")
    tool = os.path.join(build, "bin", "tensoraccess-run")
    if not os.path.exists(tool):
        pytest.skip("tensoraccess-run is not built")
    (tmp_path / "p.mlir").write_text(PROGRAM)

    def run(*options):
        return subprocess.run([tool, "p.mlir", *options], cwd=tmp_path, check=False,
                              capture_output=True, text=True)

    found = run("--profile=trace.json", "--threads=1", "--repeat=2")
    assert found.returncode == 0, found.stderr
    head, columns, *rows = found.stdout[found.stdout.index("profile"):].splitlines()
    assert re.match(r"profile   2 kernels, \S+ of \S+ ms .*; 1 thread, at most \S+ Gop/s "
                    r"in f32, \S+ GB/s copied", head)
    assert columns.split() == "ms share calls Gop/s of f32 GB/s of copies kernel".split()
    # A rate beyond what was measured is not a share of it.
    for row in rows[:2]:
        assert all(re.fullmatch(r"(100|\d\d?)%|more", row.split()[i]) for i in (4, 6)), row
    assert ("more" in "".join(rows[:2])) == any(row.startswith("more: ") for row in rows)
    assert any("product 64x128 by 96 f32  p.mlir:7:8" in row for row in rows)
    shares = [float(row.split()[1].rstrip("%")) for row in rows[:2]]
    assert abs(sum(shares) - 100) < 0.2
    trace = json.loads((tmp_path / "trace.json").read_text())
    product, move = trace["traceEvents"]
    assert product["ph"] == "X" and product["name"].startswith("product")
    assert product["args"]["operations"] == 2 * 64 * 128 * 96
    assert product["ts"] + product["dur"] <= move["ts"]

    for options, words in [
        (["--profile=nowhere/trace.json"], "no folder 'nowhere'"),
        (["--profile", "--engine=interpret"], "--profile needs --engine=jit"),
        (["--threads=2", "--plain"], "--plain is for one thread, got --threads=2"),
        (["--threads=2", "--engine=interpret"], "need --engine=jit"),
    ]:
        bad = run(*options)
        assert bad.returncode != 0 and words in bad.stderr, (options, bad.stderr)
