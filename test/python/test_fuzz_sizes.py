# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of unknown sizes through every rewriting pass, against NumPy."""

import sys


def test_programs_of_unknown_sizes(root, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [str(root / "bench"), *sys.path])
    import fuzz_sizes

    assert fuzz_sizes.main(["--programs", "40", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert "40 programs" in text and "runs" in text
