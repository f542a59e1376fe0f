# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures interiors and borders against one copy, in one run.

Stencils and depthwise convolutions that hang over the edges of their arrays are
lowered with `borders=copy` and `borders=peel`; the two take turns, and the best
times are compared. Both have to have one checksum. The last column is what `auto`
does. The exit code is 1 if checksums differ, or a large stencil is not faster.
"""
import re
import subprocess
import tempfile
import pathlib
import sys

from arguments import finish, make_parser


def stencil(sizes, width, policy):
    """Sums of windows around each point."""
    rank, shape = len(sizes), "x".join(map(str, sizes))
    unit = [[int(r == c) for c in range(rank)] for r in range(rank)]
    item = "x".join([str(width)] * rank)
    return f"""func.func @main(%x: tensor<{shape}xf32>) -> tensor<{shape}xf32> {{
  %0 = tensoraccess.access %x at 0
     : tensor<{shape}xf32> -> !tensoraccess.access<| {shape}xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<{unit} + {[-(width // 2)] * rank},
           shape = {[width] * rank}, oob = [{", ".join([policy] * rank)}]>
      over {list(sizes)}
     : !tensoraccess.access<| {shape}xf32> -> !tensoraccess.access<{shape} | {item}xf32>
  %2 = tensoraccess.compute reduce_sum %1
     : !tensoraccess.access<{shape} | {item}xf32> -> !tensoraccess.access<{shape} | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<{shape} | f32> -> tensor<{shape}xf32>
  return %3 : tensor<{shape}xf32>
}}
"""


def depthwise(size, channels):
    """A filter of 3x3 for each channel, padded with zeros."""
    shape = f"{size}x{size}x{channels}"
    return f"""func.func @main(%x: tensor<{shape}xf32>, %w: tensor<3x3x{channels}xf32>) -> tensor<{shape}xf32> {{
  %0 = tensoraccess.access %x at 0
     : tensor<{shape}xf32> -> !tensoraccess.access<| {shape}xf32>
  %1 = tensoraccess.project %0
      by #tensoraccess.projection<[[1, 0, 0], [0, 1, 0], [0, 0, 1]] + [-1, -1, 0],
           shape = [3, 3, 1], oob = [pad(0.0), pad(0.0), forbid]>
      over [{size}, {size}, {channels}]
     : !tensoraccess.access<| {shape}xf32> -> !tensoraccess.access<{shape} | 3x3x1xf32>
  %2 = tensoraccess.access %w at 0
     : tensor<3x3x{channels}xf32> -> !tensoraccess.access<| 3x3x{channels}xf32>
  %3 = tensoraccess.project %2
      by #tensoraccess.projection<[[0, 0, 0], [0, 0, 0], [0, 0, 1]] + [0, 0, 0],
           shape = [3, 3, 1]>
      over [{size}, {size}, {channels}]
     : !tensoraccess.access<| 3x3x{channels}xf32> -> !tensoraccess.access<{shape} | 3x3x1xf32>
  %4 = tensoraccess.pair %1, %3
     : !tensoraccess.access<{shape} | 3x3x1xf32>, !tensoraccess.access<{shape} | 3x3x1xf32>
    -> !tensoraccess.access<{shape} | 2x3x3x1xf32>
  %5 = tensoraccess.compute dot_prod %4
     : !tensoraccess.access<{shape} | 2x3x3x1xf32> -> !tensoraccess.access<{shape} | f32>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<{shape} | f32> -> tensor<{shape}xf32>
  return %6 : tensor<{shape}xf32>
}}
"""


# Name, program, and whether it has to be faster with its borders peeled.
CASES = [
    ("3x3 on a torus of 2048x2048", stencil([2048, 2048], 3, "wrap"), True),
    ("3x3 of 2048x2048, clamped", stencil([2048, 2048], 3, "clamp"), False),
    ("5x5 on a torus of 1024x1024", stencil([1024, 1024], 5, "wrap"), False),
    ("3x3 on a torus of 256x256", stencil([256, 256], 3, "wrap"), False),
    ("3x3 on a torus of 32x32", stencil([32, 32], 3, "wrap"), False),
    ("3x3 of each of 64 channels, 112x112", depthwise(112, 64), True),
    ("3x3 of each of 256 channels, 28x28", depthwise(28, 256), False),
]


def lower(build, path, borders):
    out = path.with_suffix(f".{borders}.mlir")
    subprocess.run([build / "bin/tensoraccess-opt", path, "-o", out,
                    f"--tensoraccess-lower-to-linalg=borders={borders}"],
                   check=True)
    return out


def run(build, path):
    """Milliseconds and checksum."""
    text = subprocess.run([build / "bin/tensoraccess-run", path, "--inputs=random:1",
                           "--time", "--plain"], check=True, capture_output=True, text=True).stdout
    return (float(re.search(r"run ([0-9.e-]+) ms", text)[1]),
            re.search(r"checksum (\w+)", text)[1])


def main():
    arguments = make_parser("two turns each instead of five").parse_args()
    build, kept = arguments.build.resolve(), True
    lines = ["program                                 copy ms   peel ms   ratio   auto"]
    with tempfile.TemporaryDirectory() as folder:
        for i, (name, text, must) in enumerate(CASES):
            path = pathlib.Path(folder) / f"{i}.mlir"
            path.write_text(text, encoding="utf-8")
            ways = {way: lower(build, path, way) for way in ("copy", "peel", "auto")}
            texts = {way: p.read_text(encoding="utf-8") for way, p in ways.items()}
            auto = next(way for way in ("copy", "peel") if texts[way] == texts["auto"])
            times, sums = {"copy": [], "peel": []}, set()
            for _ in range(2 if arguments.quick else 5):
                for way, found in times.items():
                    ms, checksum = run(build, ways[way])
                    found.append(ms)
                    sums.add(checksum)
            copy, peel = min(times["copy"]), min(times["peel"])
            lines.append(f"{name:38}{copy:9.3g} {peel:9.3g} {copy / peel:7.2f}   {auto}")
            if len(sums) != 1:
                lines.append(f"{name}: checksums differ: {sorted(sums)}")
            kept &= len(sums) == 1 and (not must or peel < copy)
    text = "\n".join(lines) + "\n"
    sys.stdout.write(text)
    finish(arguments, text, kept)


if __name__ == "__main__":
    main()
