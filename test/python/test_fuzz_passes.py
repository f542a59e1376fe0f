# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/fuzz_passes.py takes for a finding, by tools that do nothing else."""

import os
import subprocess
import sys

import pytest

TOOL = """#!{python}
import os, sys
if "--help-all" in sys.argv:
    print("      --tensoraccess-some-pass    -   does something")
    sys.exit()
sys.stdout.write(sys.stdin.read())
if {where!r} == "read" or "--tensoraccess-some-pass" in sys.argv:
    sys.stdout.flush()
    sys.stderr.write({said!r})
    sys.stderr.flush()
    {end}
"""
LEAK = "SUMMARY: AddressSanitizer: 10 byte(s) leaked in 1 allocation(s)."
OVERFLOW = "a.cpp:3:5: runtime error: overflow\nSUMMARY: UndefinedBehaviorSanitizer: a.cpp:3:5"
ERROR = "<stdin>:1:1: error: no\n"
ENDS = [
    ("", "", "0 crash, 0 hang, 0 silent"),
    (ERROR, "sys.exit(1)", "0 crash, 0 hang, 0 silent"),
    (LEAK, "sys.exit(23)", "crash"),
    (ERROR + LEAK, "sys.exit(23)", "crash"),
    (OVERFLOW, "os._exit(1)", "crash"),
    ("LLVM ERROR: no", "os.abort()", "crash"),
    ("", "os.kill(os.getpid(), 11)", "crash"),
]


@pytest.mark.parametrize("where", ["read", "pass"])
@pytest.mark.parametrize("said, end, found", ENDS)
def test_findings(root, tmp_path, where, said, end, found):
    tool = tmp_path / "bin" / "tensoraccess-opt"
    tool.parent.mkdir()
    tool.write_text(TOOL.format(python=sys.executable, where=where, said=said, end=end))
    tool.chmod(0o755)
    (tmp_path / "one.mlir").write_text("module {}\n")
    done = subprocess.run(
        [sys.executable, root / "bench" / "fuzz_passes.py", "--build", tmp_path]
        + ["--corpus", tmp_path, "--programs=2", "--batch=1", "--depth=1", "--no-reduce"]
        + ["--only=some-pass"],
        env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
    )
    assert done.returncode == (found == "crash"), done.stdout + done.stderr
    flags = "--tensoraccess-some-pass" if where == "pass" else ""
    if found == "crash":
        summary = (said or "no message").splitlines()[-1]
        assert f"crash: {flags}: {summary}\n" in done.stdout
    else:
        assert found in done.stdout
