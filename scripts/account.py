#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The account that scripts/run prints: one way through the house.

  1. annotate-indexing: which elements does each op of a model read?
  2. raise: its convolutions and contractions as access patterns.
  3. discover-im2col: each of them as a matmul over flattened patterns.
  4. lower the whole model to LLVM; cut out two layers, run them by JIT, compare
     element by element with the interpreter and with the layer as it was.

    account.py ROOT BUILD [MODEL [OUT]]    (default ResNet-50, BUILD/run)

A tool is built when the account comes to it, so that a bare machine says something
after the first of them.

Every figure is read off what the tools print or write, over all functions of the
model; nothing is assumed, and test/python/test_account.py counts again. Exits
with 1 where a tool fails, an op is unknown or a comparison does not hold.
"""
import collections
import functools
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
BIN = BUILD / "bin"
defaults = [ROOT / "test" / "Models" / "resnet50.linalg.mlir", BUILD / "run"]
MODEL, OUT = map(pathlib.Path, sys.argv[3:] + defaults[len(sys.argv) - 3:])

# How many layers run, and the runs of each of which the best one counts: the
# first meets cold memory.
LAYERS, RUNS = 2, 10


@functools.cache
def make(name):
    """Builds a tool where that isn't done; ends the account where it fails."""
    ninja = ["ninja", "-C", BUILD, "-n", name]
    dry = subprocess.run(ninja, capture_output=True, text=True)
    if "no work to do" in dry.stdout:
        return
    sys.stdout.flush()
    script = ROOT / "scripts" / "build"
    if subprocess.run([script], env=os.environ | {
            "TENSORACCESS_BUILD_DIR": str(BUILD), "TENSORACCESS_ONLY": name}).returncode:
        sys.exit(1)


def tool(name, *arguments):
    """Runs a tool; returns stdout and stderr, or ends the account."""
    make(name)
    command = [str(BIN / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)} failed\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def opt(source, target, *flags, name="tensoraccess-opt"):
    return tool(name, source, "--allow-unregistered-dialect", *flags,
                "-o", target)[1]


class Step:
    """One run of a tool on a whole file: remarks and pass times."""

    def __init__(self, source, target, *flags, name="tensoraccess-opt"):
        self.source, self.target = source, target
        text = opt(source, target, *flags, "--remarks-filter=tensoraccess.*",
                   "--remark-policy=all", "--mlir-timing", name=name)
        self.remarks = []
        for line, kind, rest in re.findall(
                r":(\d+):\d+: remark: \[(\w+)\] [\w-]+ \| (.*)", text):
            pairs = re.findall(r'(\w+)=("(?:[^"]*)"|[^,|]+)', rest)
            values = {k: v.strip(' "') for k, v in pairs}
            self.remarks.append((kind, int(line), values))
        self.passes = {name: float(seconds) for seconds, name in re.findall(
            r"(\d+\.\d+) \( *\d+\.\d+%\)  (\w+)$", text, re.M)}

    def of(self, kind):
        return [values for k, _, values in self.remarks if k == kind]

    def total(self):
        """The sums over all remarks: a pass may make one for each function."""
        sums = collections.Counter()
        for values in self.of("Analysis"):
            sums.update({k: int(v) for k, v in values.items() if v.isdigit()})
        return sums

    def say_missed(self):
        """What stays as it was, a line for each op name and reason."""
        reasons = collections.Counter((v["Remark"].split()[0], v["Reason"])
                                      for v in self.of("Missed"))
        for (name, reason), count in reasons.most_common():
            say(f"Left: {count} {name} ({reason}).")


def size(count):
    scale, unit = (20, "MiB") if int(count) >= 2**20 else (10, "KiB")
    return f"{int(count) / 2**scale:.1f} {unit}"


def section(title, step, name):
    print(f"\n{title:<70}{step.passes[name] * 1000:>6.0f} ms")


def say(text, indent="   "):
    further = " " * (len(indent) if len(indent) < 4 else len(indent) + 4)
    print(textwrap.fill(text, 79, initial_indent=indent,
                        subsequent_indent=further))


def show_maps(maps):
    """Indexing maps on lines of their own, below them a domain that they share."""
    heads, domains = zip(*(text.split(", domain: ") for text in maps))
    for i, label in enumerate(("input", "weights")):
        say(heads[i], f"   {label:<8}")
        if i == 1 or domains[0] != domains[1]:
            say("for " + domains[i], " " * 11)


def row(label, text):
    print(f"      {label + ':':<52}{text}")


def find_products(raised):
    """(function, op, which of that name in it), in program order: convolutions,
    or contractions where there are none."""
    lines = raised.source.read_text().splitlines()
    for kind in ("convolution", "contraction"):
        found = []
        for _, line, values in sorted(
                (r for r in raised.remarks if r[2].get("Kind") == kind),
                key=lambda remark: remark[1]):
            name, end = values["Remark"].split()[0], line - 1
            begin = max(i for i in range(end) if "func.func" in lines[i])
            found.append((values["Function"], name,
                          sum(name in line for line in lines[begin:end])))
        if found:
            return found
    sys.exit(f"error: {MODEL} has neither convolutions nor contractions")


def find_sum(text):
    """The name and the maps of the first of the ops whose elements depend on the
    most of their operands: those with the most range symbols."""
    best, name, maps = -1, None, None
    for line in text.splitlines():
        op = re.match(r' *%\S+ = "?([\w.]+)', line)
        found = re.findall(r"indexing_map<(.*?)>(?=[,\]])",
                           line.partition("output_to_input")[2])
        if not op or len(found) < 2:
            continue
        symbols = re.match(r"\(.*?\)(?:\[(.*?)\])?", found[0])[1]
        count = symbols.count(",") + 1 if symbols else 0
        if count > best:
            best, name, maps = count, op[1], found
    return name, maps


def annotate():
    step = Step(MODEL, OUT / "1-indexing.mlir",
                "--tensoraccess-annotate-indexing", name="tensoraccess-index")
    total = step.total()
    section("1. Which elements does each op read?     annotate-indexing",
            step, "AnnotateIndexing")
    if total["Unknown"]:
        step.say_missed()
        sys.exit("error: the model has ops that indexing does not know")
    name, maps = find_sum(step.target.read_text())
    say(f"{total['Ops']} ops answered in both directions with "
        f"{total['Maps']} indexing maps; {total['Unknown']} unknown. "
        f"An output element of the first {name} reads of")
    show_maps(maps[:2])


def show_raised(step):
    total = step.total()
    section("2. What do they mean?                    raise", step,
            "RaiseToAccess")
    kinds = [f"{kind.lower()} {count}" for kind, count in total.most_common()
             if count and kind != "Missed"]
    say(f"Access patterns now: "
        f"{', '.join(kinds)}.")
    step.say_missed()


def discover(raised):
    products = raised.target.read_text().count("compute dot_prod ")
    step = Step(raised.target, OUT / "3-matmuls.mlir",
                "--tensoraccess-discover-im2col")
    total = step.total()
    section("3. Are they matmuls?                     discover-im2col", step,
            "DiscoverIm2Col")
    found = step.of("Passed")
    copied = [v for v in found if v["CopiedBytes"] != "0"]
    refused = sum("not raised" not in v["Reason"] for v in step.of("Missed"))
    are = products - total["Matmuls"] - refused
    as_written = f", {are} {'is one' if are == 1 else 'are'}" if are else ""
    text = (f"{total['Matmuls']} of {products} dot products become matmuls of "
            f"flattened patterns{as_written}: "
            f"{len(found) - len(copied)} without a copy "
            f"(the view is a matrix), {len(copied)} with an im2col copy")
    if copied:
        worst = max(copied, key=lambda v: int(v["CopiedBytes"]))
        batch = worst["Batch"] + " of " if "Batch" in worst else ""
        text += (f", {size(total['CopiedBytes'])} in all. The largest: "
                 f"{batch}{worst['M']}x{worst['K']}x{worst['N']}, "
                 f"{size(worst['SourceBytes'])} spread over "
                 f"{size(worst['CopiedBytes'])}")
    say(text + ".")
    step.say_missed()
    return step.target


def lower(matmuls, layers):
    step = Step(matmuls, OUT / "4-linalg.mlir",
                "--tensoraccess-lower-to-linalg")
    counts = collections.Counter(re.findall(r"linalg\.(?:batch_)?matmul\b",
                                            step.target.read_text()))
    section("4. Does it run?                          lower-to-linalg", step,
            "LowerToLinalg")
    llvm = OUT / "5-llvm.mlir"
    opt(matmuls, llvm, "--tensoraccess-to-llvm")
    named = " and ".join(f"{count} {name}" for name, count in counts.items())
    count = len(os.sched_getaffinity(0))
    cores = "one core" if count == 1 else f"{count} cores"
    say(f"The model lowers to {named or 'no linalg.matmul'} and, in the end, to "
        f"{sum(1 for _ in llvm.open())} lines of LLVM dialect. " +
        (f"Layers of it, by JIT on {cores}, best of {RUNS} runs:" if layers else
         "None of its layers can be cut out alone."))
    return [run_layer(*layer) for layer in layers]


def cut_layers(products):
    """(name, files of a layer as it was, raised and as a matmul): layers that
    need an im2col copy where there are any, no two of the same types."""
    layers, seen = [], set()
    for function, name, index in products:
        plain, raised, matmul = (
            OUT / f"layer{len(seen)}{part}.mlir"
            for part in ("", ".raised", ".matmul"))
        opt(MODEL, plain, f"--tensoraccess-extract-op=op={name} index={index} "
            f"function={function}")
        text = plain.read_text()
        if text in seen:
            continue
        seen.add(text)
        opt(plain, raised, "--tensoraccess-raise")
        step = Step(raised, matmul, "--tensoraccess-discover-im2col")
        if not step.of("Passed"):  # what it reads is part of what it means
            continue
        copies = step.total()["CopiedBytes"]
        layers.append((copies == 0, len(seen), name, plain, raised, matmul,
                       step.of("Passed")))
        if sum(not layer[0] for layer in layers) == LAYERS:
            break
    return [layer[2:] for layer in sorted(layers, key=lambda l: l[:2])[:LAYERS]]


def measure(file):
    out, _ = tool("tensoraccess-run", file, "--entry=main", "--inputs=random:1",
                  "--time", f"--repeat={RUNS}")
    return re.search(r"run (\S+) ms .*?(?:, (\S+ Gop/s)|$)", out, re.M).groups()


def time_copy(matmul):
    """The im2col copy of a layer by itself: everything up to it, returned."""
    head, line = re.match(r"(.*\n)( *%\w+ = tensoraccess\.materialize .*?\n)",
                          matmul.read_text(), re.S).groups()
    value, access = re.match(r" *(%\w+) = .* -> (.*)", line).groups()
    inner = re.search(r"<(.*)>", access)[1]
    tensor = f"tensor<{'x'.join(re.split(r'[x| ]+', inner.lstrip('| ')))}>"
    file = matmul.with_suffix(".copy.mlir")
    file.write_text(
        re.sub(r"(func\.func @main\(.*\)) -> .* \{", rf"\1 -> {tensor} {{", head)
        + line + f"    %copy = tensoraccess.to_tensor {value} : {access} -> "
        f"{tensor}\n    return %copy : {tensor}\n  }}\n}}\n")
    return measure(file)[0]


def run_layer(name, plain, raised, matmul, found):
    types = re.search(r"@main\((.*)\) -> ", plain.read_text())[1]
    inputs = re.findall(r": tensor<(.*?)>(?=[, ]|$)", types)
    print(f"   {name}, {' by '.join(inputs)}")
    verdicts = {}
    for other, label in (("interpret", "interpreter"),
                         (plain, "layer as it was")):
        out, _ = tool("tensoraccess-run", matmul, "--entry=main",
                      "--inputs=random:1", f"--compare={other}")
        verdicts.setdefault(re.search(r"compare 0\s+([^:\n]*)", out)[1],
                            []).append(label)
    for verdict, labels in verdicts.items():
        row(f"matmul, {' and '.join(labels)}", verdict)
    times = {}
    for file, label in ((plain, "as it was"),
                        (raised, "as access patterns, read in place"),
                        (matmul, "as a matmul of flattened patterns")):
        times[file], rate = measure(file)
        row(label, f"{times[file]} ms, {rate}")
    copied = [v for v in found if v["CopiedBytes"] != "0"]
    for values in copied:
        row(f"   of which the im2col copy, {size(values['SourceBytes'])} to "
            f"{size(values['CopiedBytes'])}", f"   {time_copy(matmul)} ms")
    return bool(copied) and float(times[matmul]) > float(times[raised])


def main():
    OUT.mkdir(exist_ok=True)
    try:
        where = OUT.relative_to(pathlib.Path.cwd())
    except ValueError:
        where = OUT
    say(f"{MODEL.name}, weights as arguments; its programs: {where}")
    annotate()
    raised = Step(MODEL, OUT / "2-access.mlir", "--tensoraccess-raise")
    products = find_products(raised)
    show_raised(raised)
    if any(lower(discover(raised), cut_layers(products))):
        print("   What is read in place needs no copy; units that take only "
              "matrices do.")


main()
