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
Exits with 1 where a tool fails, an op is unknown or a comparison does not hold.
"""
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT, BUILD = map(pathlib.Path, sys.argv[1:3])
BIN, OUT = BUILD / "bin", BUILD / "run"
MODEL = ROOT / "test" / "Models" / "resnet50.linalg.mlir"

# The layers that run: which convolution of @main, counted from 0.
LAYERS = [(0, "7x7, stride 2"), (2, "3x3, stride 1")]


def tool(name, *arguments):
    """Runs a tool; returns stdout and stderr, or ends the account."""
    command = [str(BIN / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)} failed\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


class Step:
    """One run of tensoraccess-opt on a whole file: remarks and pass times."""

    def __init__(self, source, target, *flags):
        self.target = target
        _, text = tool("tensoraccess-opt", source, *flags, "-o", target,
                       "--remarks-filter=tensoraccess.*",
                       "--remark-policy=all", "--mlir-timing")
        self.remarks = []
        for kind, name, rest in re.findall(
                r"remark: \[(\w+)\] ([\w-]+) \| (.*)", text):
            pairs = re.findall(r'(\w+)=("(?:[^"]*)"|[^,|]+)', rest)
            self.remarks.append(
                (kind, name, {k: v.strip(' "') for k, v in pairs}))
        self.passes = {name: float(seconds) for seconds, name in re.findall(
            r"(\d+\.\d+) \( *\d+\.\d+%\)  (\w+)$", text, re.M)}

    def of(self, kind):
        return [values for k, _, values in self.remarks if k == kind]

    def total(self):
        return {k: int(v) for k, v in self.of("Analysis")[-1].items()
                if v.isdigit()}


def mib(count):
    return f"{int(count) / 2**20:.1f} MiB"


def section(title, step=None, name=None):
    spent = f"{step.passes[name] * 1000:.0f} ms" if step else ""
    print(f"\n{title:<70}{spent:>9}")


def say(text):
    print(textwrap.fill(text, 79, initial_indent="   ",
                        subsequent_indent="   "))


def show_map(label, text):
    """An indexing map on lines of its own, its domain below."""
    head, _, domain = text.partition(", domain: ")
    print(f"   {label:<8}{head}")
    print(textwrap.fill("for " + domain, 79, initial_indent=" " * 11,
                        subsequent_indent=" " * 15))


def annotate():
    step = Step(MODEL, OUT / "1-indexing.mlir",
                "--tensoraccess-annotate-indexing")
    total = step.total()
    section("1. Which elements does each op read?     annotate-indexing",
            step, "AnnotateIndexing")
    say(f"{total['Ops']} ops answered in both directions with "
        f"{total['Maps']} indexing maps; {total['Unknown']} unknown. "
        "An output element of the first convolution reads of")
    line = next(line for line in step.target.open()
                if "linalg.conv_2d_nhwc_hwcf" in line)
    maps = re.findall(r"indexing_map<(.*?\])>",
                      line.partition("output_to_input")[2])
    show_map("input", maps[0])
    show_map("filter", maps[1])
    if total["Unknown"]:
        for values in step.of("Missed"):
            say(" ".join(f"{k}: {v}" for k, v in values.items()))
        sys.exit("error: the model has ops that indexing does not know")


def raise_and_discover():
    step = Step(MODEL, OUT / "2-access.mlir", "--tensoraccess-raise")
    total = step.total()
    section("2. What do its contractions mean?        raise", step,
            "RaiseToAccess")
    say(f"{total['Convolutions']} convolutions and {total['Contractions']} "
        "matmul became access patterns (windows, cart_prod, dot_prod).")
    for values in step.of("Missed"):
        say(f"Stays as it was: {values['Remark'].split()[0]}, since "
            f"{values['Reason']}.")

    step = Step(step.target, OUT / "3-matmuls.mlir",
                "--tensoraccess-discover-im2col")
    total = step.total()
    section("3. Are they matmuls?                     discover-im2col", step,
            "DiscoverIm2Col")
    found = step.of("Passed")
    copied = [v for v in found if v["CopiedBytes"] != "0"]
    worst = max(copied, key=lambda v: int(v["CopiedBytes"]))
    say(f"{total['Matmuls']} become matmuls of flattened patterns: "
        f"{len(found) - len(copied)} without a copy (the view is a matrix), "
        f"{len(copied)} with an im2col copy, {mib(total['CopiedBytes'])} in "
        f"all. The largest: {worst['M']}x{worst['K']}x{worst['N']}, "
        f"{mib(worst['SourceBytes'])} spread over "
        f"{mib(worst['CopiedBytes'])}.")
    return step.target


def lower(matmuls):
    step = Step(matmuls, OUT / "4-linalg.mlir",
                "--tensoraccess-lower-to-linalg")
    count = step.target.read_text().count("linalg.matmul ")
    section("4. Does it run?                          lower-to-linalg", step,
            "LowerToLinalg")
    llvm = OUT / "5-llvm.mlir"
    tool("tensoraccess-opt", matmuls, "--tensoraccess-to-llvm", "-o", llvm)
    say(f"The whole model lowers to {count} linalg.matmul without copies of "
        f"views but im2col's, and to {sum(1 for _ in llvm.open())} lines of "
        "LLVM dialect. Two of its layers, cut out, run by JIT on random "
        "inputs:")


def run_layer(index, name):
    plain = OUT / f"layer{index}.mlir"
    matmul = OUT / f"layer{index}.matmul.mlir"
    tool("tensoraccess-opt", MODEL, "-o", plain,
         f"--tensoraccess-extract-op=op=linalg.conv_2d_nhwc_hwcf "
         f"index={index}")
    tool("tensoraccess-opt", plain, "--tensoraccess-raise",
         "--tensoraccess-discover-im2col", "-o", matmul)
    shape = re.search(r"linalg\.conv_2d_nhwc_hwcf.*ins\(.*?tensor<([^>]*)xf32>"
                      r".*-> tensor<([^>]*)xf32>", plain.read_text())
    print(f"\n   {name}: tensor<{shape[1]}> to tensor<{shape[2]}>")
    times = []
    for file in (plain, matmul):
        out, _ = tool("tensoraccess-run", file, "--entry=main",
                      "--inputs=random:1", "--time")
        times.append(re.search(r"run (\S+ ms).*?, (\S+ Gop/s)", out))
    for other, label in (("interpret", "the reference interpreter"),
                         (plain, "the untransformed layer")):
        out, _ = tool("tensoraccess-run", matmul, "--entry=main",
                      "--inputs=random:1", f"--compare={other}")
        verdict = re.search(r"compare 0\s+(.*)", out)[1]
        print(f"      against {label + ':':<27}{verdict}")
    for label, match in zip(("as a convolution", "as a matmul"), times):
        print(f"      {label + ':':<35}{match[1]}, {match[2]} on one core")


def main():
    OUT.mkdir(exist_ok=True)
    print(f"   model: {MODEL.relative_to(ROOT)}, weights as arguments")
    annotate()
    lower(raise_and_discover())
    for index, name in LAYERS:
        run_layer(index, name)
    try:
        where = OUT.relative_to(pathlib.Path.cwd())
    except ValueError:
        where = OUT
    print(f"\n   The programs of every step lie in {where}.")


main()
