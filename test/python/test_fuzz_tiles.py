# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of programs with random indexing maps, against NumPy."""

import sys


def test_tiles_of_random_maps(root, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [str(root / "bench"), *sys.path])
    import fuzz_tiles

    assert fuzz_tiles.main(["--programs", "30", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert "30 programs" in text and "equal" in text and "read in the body" in text
