#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MobileNet's first layers patch by patch: memory and time against patches.

    bench/patches.py [--build build] [--plain] [SIZE ...]

Memory is as tensoraccess.patch counts it, and as the compiled program allocates it
(buffers, packed weights included; --plain: for one thread, without packing). Patches
are of SIZE x SIZE of the 28 x 28 elements after the eighth convolution.
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

import tensoraccess as ta

ROOT = pathlib.Path(__file__).parents[1]


def run(build, module, *options):
    """Bytes in buffers, and the best time in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.mlir")
        path.write_text(str(module), encoding="utf-8")
        tool = build / "bin" / "tensoraccess-run"
        done = subprocess.run([tool, path, "--time", "--repeat=20", *options],
                              check=True, capture_output=True, text=True)
    return (int(re.search(r"memory +(\d+) bytes", done.stdout)[1]),
            float(re.search(r"run ([\d.]+) ms", done.stdout)[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[28, 14, 7, 4])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--plain", action="store_true")
    options = parser.parse_args()
    network = ta.Module(
        (ROOT / "test/Models/mobilenet.stablehlo-generic.mlir").read_text("utf-8"))
    print("patches    counted  allocated  operations  milliseconds")
    for n in options.sizes:
        part = ta.patch(network, op="stablehlo.convolution#7", sizes=(1, n, n, 128))
        memory, time = run(options.build, part.module, *["--plain"] * options.plain)
        print(f"{part.count:7} {part.peak_bytes[1]:10,} {memory:10,}"
              f" {part.recomputation:11.2f} {time:13.2f}", flush=True)


if __name__ == "__main__":
    main()
