# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts that assign-layouts would choose, beside what they gain.

    taskset -c 0 python3 bench/layout_costs.py [--only REGEX] [--rounds N]

Sixty products and convolutions, in several orders of their dimensions, without layouts and
with panels (`always`): in turns, packing included, by this process's time. A row is a
program, measured time with panels over that without, the same as modelled for `host`, and
whether panels are chosen. The last line: the rank correlation of both ratios (Spearman;
asked: 0.9), and the most that a choice loses.
"""
import argparse
import re
import subprocess
import pathlib
import time

import numpy as np
import scipy.stats

import tensoraccess as ta

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPT = ROOT / "build" / "bin" / "tensoraccess-opt"


def tensor(*sizes):
    return f"tensor<{'x'.join(map(str, sizes))}xf32>"


def make_program(op, x, w, y):
    """`y` = `op`(`x`, `w`), from zeros."""
    x, w, y = tensor(*x), tensor(*w), tensor(*y)
    return f"""func.func @main(%x: {x}, %w: {w}) -> {y} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {y}
  %f = linalg.fill ins(%z : f32) outs(%e : {y}) -> {y}
  %r = {op} ins(%x, %w : {x}, {w}) outs(%f : {y}) -> {y}
  return %r : {y}
}}
"""


def get_programs():
    transposed = ("linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
                  "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]")
    for m, k, n in ((8, 512, 512), (32, 256, 1024), (64, 64, 64), (64, 512, 512),
                    (64, 2048, 64), (128, 768, 768), (128, 768, 3072), (128, 3072, 768),
                    (256, 256, 256), (384, 64, 384), (384, 768, 768), (512, 512, 512),
                    (1024, 64, 1024)):
        yield f"{m}x{k} by {k}x{n}", make_program("linalg.matmul", (m, k), (k, n), (m, n))
        yield (f"{m}x{k} by {n}x{k}, transposed",
               make_program(transposed, (m, k), (n, k), (m, n)))
    for size, k, kernel, stride, f in (
            (58, 64, 3, 1, 64), (56, 64, 1, 1, 256), (56, 256, 1, 1, 64),
            (57, 128, 3, 2, 128), (28, 128, 1, 1, 512), (28, 512, 1, 1, 128),
            (30, 128, 3, 1, 128), (14, 256, 1, 1, 1024), (14, 1024, 1, 1, 256),
            (16, 256, 3, 1, 256), (7, 512, 1, 1, 2048), (9, 512, 3, 1, 512)):
        out = (size - kernel) // stride + 1
        attributes = f"{{strides = dense<{stride}> : tensor<2xi64>}}"
        what = f"{size}x{size}x{k} by {kernel}x{kernel} to {f}"
        yield (f"NHWC {what}", make_program(
            f"linalg.conv_2d_nhwc_hwcf {attributes}", (1, size, size, k),
            (kernel, kernel, k, f), (1, out, out, f)))
        yield (f"NCHW {what}", make_program(
            f"linalg.conv_2d_nchw_fchw {attributes}", (1, k, size, size),
            (f, k, kernel, kernel), (1, f, out, out)))
    for size, k, kernel, stride in ((114, 32, 3, 1), (58, 128, 3, 1), (57, 128, 3, 2),
                                    (30, 256, 3, 1), (16, 512, 3, 1)):
        out = (size - kernel) // stride + 1
        attributes = f"{{strides = dense<{stride}> : tensor<2xi64>}}"
        what = f"{size}x{size}x{k} by {kernel}x{kernel}, depthwise"
        yield (f"NHWC {what}", make_program(
            f"linalg.depthwise_conv_2d_nhwc_hwc {attributes}", (1, size, size, k),
            (kernel, kernel, k), (1, out, out, k)))
        yield (f"NCHW {what}", make_program(
            f"linalg.depthwise_conv_2d_nchw_chw {attributes}", (1, k, size, size),
            (k, kernel, kernel), (1, k, out, out)))


def assign(text, options):
    """The program with layouts written out, and the figures of the report."""
    result = subprocess.run(
        [OPT, "-", f"--tensoraccess-assign-layouts=target=host {options}",
         "--tensoraccess-materialize-layouts", "--remarks-filter=tensoraccess.*"],
        input=text, capture_output=True, encoding="utf-8", check=True)
    report = next(line for line in result.stderr.splitlines() if "PlainCost" in line)
    return result.stdout, {key: int(value)
                           for key, value in re.findall(r"(\w+)=(\d+)", report)}


def place(rng, array):
    """A copy elsewhere in its page, which may make a difference."""
    begin = int(rng.integers(64)) * 16
    copy = np.empty(array.size + 1024, array.dtype)[begin:begin + array.size]
    copy[:] = array.ravel()
    return copy.reshape(array.shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="programs whose names match")
    arguments = parser.parse_args()
    rng = np.random.default_rng(1)
    modelled, measured, losses = [], [], []
    print(f"{'program':44}{'measured':>9}{'modelled':>9}  chosen")
    for name, text in get_programs():
        if not re.search(arguments.only, name):
            continue
        _, choice = assign(text, "")
        forced, figures = assign(text, "always")
        runs = [ta.Module(t).compile("main", cache=False, threads=1)
                for t in (text, forced)]
        arrays = [rng.standard_normal(x.shape, dtype=np.float32)
                  for x in ta.Module(text).interpret("main").inputs]
        assert runs[0](*arrays).tobytes() == runs[1](*arrays).tobytes()
        best = [np.inf, np.inf]
        for _ in range(arguments.rounds):
            arrays = [place(rng, array) for array in arrays]
            for i, run in enumerate(runs):
                for _ in range(5):
                    begin = time.process_time()
                    run(*arrays)
                    best[i] = min(best[i], time.process_time() - begin)
        measured.append(best[1] / best[0])
        modelled.append(figures["Cost"] / figures["PlainCost"])
        chosen = choice["Assigned"] != 0
        if chosen:
            losses.append(measured[-1])
        print(f"{name:44}{measured[-1]:9.2f}{modelled[-1]:9.2f}  {'panels' if chosen else '-'}",
              flush=True)
    print(f"{len(measured)} programs, rank correlation "
          f"{scipy.stats.spearmanr(measured, modelled).statistic:.2f}; "
          f"chosen panels take at most {max(losses, default=1):.2f} of the plain time")


if __name__ == "__main__":
    main()
