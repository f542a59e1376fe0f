# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models on systolic arrays, against the models as they came.

For each model:

  1. It is raised, and mapped to an array by `tensoraccess-map-to-systolic`; the
     pass's wall time, and what its remarks say: products, loads, cycles.
  2. The mapped model runs on the simulator, and is compared with the model as it
     came, which the JIT runs. The simulator's own count must be the pass's.
  3. The raised model goes through `tensoraccess-block-matmul` and the JIT, and is
     compared, too.
  4. `tensoraccess-check-equivalence` compares the raised model with the mapped one.

Inputs are random with positive variances, so that results are numbers; a result
that is not one fails. The exit code is 1 where anything does not agree.

The function is @main, or the only one that is public, or `--function`.

  bench/systolic.py [--array 16x16] [--function NAME] [--build build] [MODEL ...]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from lowering import make_inputs

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = ("attention.linalg", "mobilenet.linalg", "mobilenet.stablehlo-generic",
          "resnet18.linalg", "resnet50.linalg", "small_onnx.tosa")
HEADER = ("model", "products", "left", "loads", "cycles", "cells", "pass",
          "simulator", "blocks", "equivalence")


def run(command):
    begin = time.perf_counter()
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, encoding="utf-8")
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed\n{result.stdout}"
                 f"{result.stderr}")
    return result.stdout, result.stderr, time.perf_counter() - begin


def read_remarks(text):
    """What the pass says of all functions together."""
    sums = dict.fromkeys(("Arrays", "Invocations", "Cycles"), 0)
    for line in text.splitlines():
        if "[Analysis] systolic" in line:
            for name in sums:
                sums[name] += int(re.search(rf"{name}=(-?\d+)", line)[1])
    return sums, text.count("[Missed] systolic")


def read_compare(report):
    """The verdicts of a run: `equal`, or `equal bits`."""
    lines = re.findall(r"^compare \d+ +(.*)$", report, re.MULTILINE)
    numbers = re.findall(r"^result \d+ .*mean (\S+)", report, re.MULTILINE)
    if not lines or any(not line.startswith("equal") for line in lines):
        return "differs"
    if any("nan" in number or "inf" in number for number in numbers):
        return "no number"
    return ("equal bits" if all("bit for bit" in line for line in lines)
            else "equal")


def find_function(text, wanted):
    """The name of the function to run; an error where it is not clear."""
    functions = re.findall(r"^ *func\.func (?:public )?@([\w.$-]+)\(", text,
                           re.MULTILINE)
    if wanted is None and len(functions) == 1:
        return functions[0]
    wanted = wanted or "main"
    if wanted not in functions:
        sys.exit(f"there is no public function @{wanted}; there are "
                 f"{', '.join(f'@{name}' for name in functions) or 'none'}")
    return wanted


class Models:
    def __init__(self, build, array, function):
        self.function = function
        self.opt = build / "bin" / "tensoraccess-opt"
        self.engine = build / "bin" / "tensoraccess-run"
        self.rows, self.cols = array.split("x")

    def measure(self, model, folder):
        raised, mapped, blocks = (folder / f"{name}.mlir"
                                  for name in ("raised", "mapped", "blocks"))
        size = f"rows={self.rows} cols={self.cols}"
        run([self.opt, model, "--tensoraccess-raise", "--canonicalize", "-o",
             raised])
        _, remarks, _ = run(
            [self.opt, raised, f"--tensoraccess-map-to-systolic={size}", "-o",
             mapped, "--remarks-filter=tensoraccess", "--remark-policy=all",
             "--mlir-timing", "--mlir-timing-display=list",
             "--mlir-disable-threading"])
        seconds = float(re.search(r"([\d.]+) \(.*MapToSystolic", remarks)[1])
        sums, left = read_remarks(remarks)
        function = find_function(raised.read_text(encoding="utf-8"),
                                 self.function)
        inputs = "--inputs=" + ",".join(
            make_inputs(raised, folder, function=function))
        entry = f"--entry={function}"
        simulated, _, _ = run([self.engine, mapped, "--engine=systolic", entry,
                               inputs,
                               f"--compare={model}"])
        array = re.search(r"^array .* (\d+) ops?, (\d+) loads?, (\d+) cycles "
                          r".* ([\d.]+ %) of", simulated, re.MULTILINE)
        agrees = (array and int(array[2]) == sums["Invocations"]
                  and int(array[3]) == sums["Cycles"])
        run([self.opt, raised, f"--tensoraccess-block-matmul={size}", "-o",
             blocks])
        compiled, _, _ = run([self.engine, blocks, entry, inputs,
                              f"--compare={model}"])
        _, verdict, _ = run(
            [self.opt, raised, "-o", "/dev/null",
             f"--tensoraccess-check-equivalence=against={mapped} "
             f"first={function} method=prove",
             "--remarks-filter=tensoraccess"])
        row = (model.name.removesuffix(".mlir"), str(sums["Arrays"]), str(left),
               str(sums["Invocations"]), str(sums["Cycles"]),
               array[4] if array else "", f"{seconds * 1e3:.0f} ms",
               read_compare(simulated) if agrees else "counts differ",
               read_compare(compiled),
               re.search(r"Verdict=([\w-]+)", verdict)[1])
        return row, all("equal" in cell for cell in row[7:9])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--array", default="16x16")
    parser.add_argument("--function")
    parser.add_argument("models", nargs="*", type=pathlib.Path,
                        default=[ROOT / f"test/Models/{name}.mlir"
                                 for name in MODELS])
    arguments = parser.parse_args()
    models = Models(arguments.build, arguments.array, arguments.function)
    table, kept = [HEADER], True
    for model in arguments.models:
        with tempfile.TemporaryDirectory() as folder:
            row, is_equal = models.measure(model, pathlib.Path(folder))
        table.append(row)
        kept = kept and is_equal
    widths = [max(len(row[i]) for row in table) for i in range(len(HEADER))]
    for row in table:
        print("  ".join(cell.ljust(width)
                        for cell, width in zip(row, widths)).rstrip())
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
