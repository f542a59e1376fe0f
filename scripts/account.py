#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The account that scripts/run prints: one way through the house.

  1. annotate-indexing: which elements does each op of ResNet-50 read?
  2. raise: its convolutions and matmuls as access patterns.
  3. discover-im2col: each of them as a matmul over flattened patterns.
  4. lower the whole model to LLVM; cut out two layers, run them by JIT, compare
     element by element with the interpreter and with the layer as it was.

Every figure is read off what the tools print or write; nothing is assumed.
Exits with 1 where a tool fails or a comparison does not hold.
"""
import pathlib
import re
import subprocess
import sys
import time

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])
BIN, OUT = BUILD / "bin", BUILD / "run"
MODEL = ROOT / "test" / "Models" / "resnet50.linalg.mlir"

# The layers that run: which convolution of @main, and what to call it.
LAYERS = [
    (0, "7x7 stride 2"),
    (2, "3x3 stride 1"),
]


def tool(name, *arguments):
    """Runs a tool; returns stdout, stderr and seconds, or ends the account."""
    command = [str(BIN / name), *map(str, arguments)]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)} failed\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout, done.stderr, seconds


def optimize(source, target, *flags):
    """tensoraccess-opt with statistics: ({name: value}, remarks, seconds)."""
    _, stderr, seconds = tool(
        "tensoraccess-opt", source, *flags, "--mlir-pass-statistics",
        "--mlir-pass-statistics-display=list",
        "--remarks-filter=tensoraccess.*", "--remark-policy=all",
        "-o", target)
    statistics = {name: int(value) for value, name in
                  re.findall(r"\(S\)\s+(\d+)\s+([\w-]+)", stderr)}
    remarks = [line for line in stderr.splitlines() if "remark: " in line]
    return statistics, remarks, seconds


def mib(count):
    return f"{count / 2**20:.1f} MiB"


def section(number, title, seconds=None):
    spent = "" if seconds is None else f"{seconds * 1000:.0f} ms"
    print(f"\n{number}. {title:<66}{spent:>9}")


def main():
    OUT.mkdir(exist_ok=True)
    print(f"model: {MODEL.relative_to(ROOT)}")


main()
