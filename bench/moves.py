#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moves of compiled programs: with calls of the runtime library against loops of
vectors alone, in turn, best of 60 runs each, on written buffers.

    bench/moves.py --build BUILD [TYPE …]

A line a move: type, name, KiB, microseconds with calls and without, and how many
times as fast calls are (1.00 where the compiler calls nothing). It decides which
moves vectorize-moves leaves to the runtime (mayCall).
"""
import argparse
import math
import pathlib
import re
import subprocess
import tempfile

BYTES = {"i8": 1, "bf16": 2, "f32": 4, "f64": 8}
UNITS = {"s": 1e6, "ms": 1e3, "us": 1, "µs": 1}


def get_moves():
    """(name, shape, permutation)"""
    for n in (256, 512, 1000, 1024, 2048, 2049):
        yield f"transpose {n}", (n, n), (1, 0)
    yield "NCHW to NHWC 64x56x56", (64, 56, 56), (1, 2, 0)
    yield "NHWC to NCHW 64x56x56", (56, 56, 64), (2, 0, 1)
    yield "NCHW to NHWC 3x224x224", (3, 224, 224), (1, 2, 0)
    yield "heads 128x12x64", (128, 12, 64), (1, 0, 2)
    yield "heads, transposed", (128, 12, 64), (1, 2, 0)
    for n in (512, 2048):
        m = n // 128
        yield f"T(8,128) of {n}", (n // 8, 8, m, 128), (0, 2, 1, 3)
        yield f"T(8,128) of {n}, back", (n // 8, m, 8, 128), (0, 2, 1, 3)
        yield f"T(8,128)(2,1) of {n}", (n // 8, 4, 2, m, 128), (0, 3, 1, 4, 2)
        yield f"T(8,128)(2,1) of {n}, back", (n // 8, m, 4, 128, 2), (0, 2, 4, 1, 3)
        yield f"T(8,128) of {n}, transposed", (m, 128, n // 8, 8), (2, 0, 3, 1)
        yield f"the same back, {n}", (n // 8, m, 8, 128), (1, 3, 0, 2)
        yield f"panels of 16, {n}", (n, n // 16, 16), (1, 0, 2)
        yield f"panels of 16, {n}, back", (n // 16, n, 16), (1, 0, 2)


def write(shape, permutation, element):
    """A program that is one transpose."""
    source = "x".join(map(str, shape))
    result = "x".join(str(shape[p]) for p in permutation)
    return f"""func.func @main(%x: tensor<{source}x{element}>) -> tensor<{result}x{element}> {{
  %e = tensor.empty() : tensor<{result}x{element}>
  %0 = linalg.transpose ins(%x : tensor<{source}x{element}>)
    outs(%e : tensor<{result}x{element}>) permutation = {list(permutation)}
  return %0 : tensor<{result}x{element}>
}}
"""


def measure(run, program, *flags):
    """Microseconds of the best run."""
    command = [run, program, "--entry=main", "--inputs=random:1", "--time", "--plain"]
    output = subprocess.run(
        [*command, "--repeat=60", *flags], check=True, capture_output=True, text=True
    ).stdout
    number, unit = re.search(r"run ([\d.]+) (\S+) \(best", output).groups()
    return float(number) * UNITS[unit]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("types", nargs="*", help=f"default: {', '.join(BYTES)}")
    arguments = parser.parse_args()
    run = arguments.build / "bin" / "tensoraccess-run"
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "move.mlir"
        for element in arguments.types or BYTES:
            for name, shape, permutation in get_moves():
                program.write_text(write(shape, permutation, element))
                times = {(): math.inf, ("--no-runtime",): math.inf}
                for _ in range(2):
                    for flags in times:
                        times[flags] = min(times[flags], measure(run, program, *flags))
                calls, loops = times.values()
                ratios.append(loops / calls)
                size = math.prod(shape) * BYTES[element] / 1024
                print(
                    f"{element:5} {name:30} {size:8.0f} KiB {calls:9.1f} {loops:9.1f}"
                    f"  {loops / calls:.2f}",
                    flush=True,
                )
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"{len(ratios)} moves, geometric mean {mean:.2f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    main()
