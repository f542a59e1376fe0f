#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The five numbers of the README, in one run of a few minutes.

    bench/run --landing

Each line is a measurement: the least of several times, on this machine, or a count,
which is the same on any.
"""
import argparse
import contextlib
import io
import math
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

import explain
import hlo_dumps
import jax_speed


class Tools:
    def __init__(self, build, source):
        self.bin = build / "bin"
        self.model = source / "test/Models/resnet50.linalg.mlir"

    def run(self, tool, *options):
        done = subprocess.run([self.bin / f"tensoraccess-{tool}", *options], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout

    def time_pass(self, name, *options):
        """Milliseconds of one pass, by --mlir-timing."""
        text = self.run("opt", self.model, *options, "--mlir-disable-threading", "--mlir-timing",
                        "--mlir-timing-display=list", "-o", os.devnull)
        return float(re.search(rf"([\d.]+) \(.*\)\s+{name}$", text, re.MULTILINE)[1]) * 1e3

    def show_maps(self):
        taken = min(
            self.time_pass("AnnotateIndexing", "--tensoraccess-annotate-indexing") for _ in range(9))
        return f"{taken:.1f} ms"

    def show_products(self):
        passes = ["--tensoraccess-raise", "--tensoraccess-discover-im2col"]
        taken = min(self.time_pass("DiscoverIm2Col", *passes) for _ in range(9))
        with tempfile.NamedTemporaryFile(suffix=".mlir") as file:
            self.run("opt", self.model, *passes, "-o", file.name)
            count = pathlib.Path(file.name).read_text().count("compute dot_prod")
            compared = self.run("run", file.name, "--inputs=random:1:model", f"--compare={self.model}")
        equal = re.search(r"(\d+ of \d+) elements bit-equal", compared)[1]
        return f"{count} in {taken:.0f} ms; {equal} results bit-equal"


def silently(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        return function(*arguments), text.getvalue()


def show_large_dump():
    _, text = silently(explain.time_large, 10000)
    return re.search(r"read in .* s, explained in [\d.]+ s", text)[0]


def show_bytes():
    equal = [silently(explain.compare, name)[0][0] for name in hlo_dumps.FUNCTIONS]
    return f"equal in {sum(equal)} of {len(equal)}"


def show_speed(seconds):
    ratios, _ = silently(jax_speed.compare_all, "", seconds)
    return (f"{math.exp(statistics.fmean(map(math.log, ratios))):.2f} times as fast, geometric mean "
            f"of {len(ratios)}; {sum(ratio >= 1 for ratio in ratios)} faster")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each function of JAX")
    options = parser.parse_args()
    tools = Tools(options.build, options.source)
    cores = len(os.sched_getaffinity(0))
    for name, show in [
            ("ResNet-50, the indexing maps of all ops", tools.show_maps),
            ("ResNet-50, products found as matmuls", tools.show_products),
            ("a dump of 10,000 HLO instructions", show_large_dump),
            ("bytes of compiled JAX functions against XLA's cost_analysis", show_bytes),
            (f"JAX functions by ta.jit against jax.jit, {cores} cores", lambda: show_speed(options.seconds))]:
        print(f"{name}: {show()}", flush=True)


if __name__ == "__main__":
    main()
