# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of whole models on 8 to 4,096 ranks: what each would take.

Each row is a plan of its own (tensoraccess-plan-shards with `table=`), on the
costs of a file: modelled time of a run, the part of it that is exchanges, bytes
and messages, memory, scratch memory and energy if the file says what these
cost, and how long the planning took (processor time of the tool, without what
it takes to read and to lower the model).

  bench/shards.py [--build build] [--costs FILE] [--ranks 8,16,...] [--batch N]
                  [--update PAGE] [NAME=MODEL ...]

With `--batch` models of one image (activations 1 x h x w x c, as in
test/Models) are planned for N images as well. With `--update` a page's table
between the lines `<!-- shards -->` and `<!-- end -->` is replaced, else it is
printed.
"""
import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
COSTS = ROOT / "bench" / "Execution" / "accelerators.costs"
LOWER = ("tensoraccess-stablehlo-to-linalg{strict=true},tensoraccess-lower-to-"
         "linalg,tensoraccess-foreign-to-linalg,inline")
COLUMNS = (
    ("ranks", "Ranks", "{:,}"), ("run, ms", "Seconds", "ms"),
    ("exchanges, ms", "ExchangeSeconds", "ms"), ("sent, MB", "BytesSent", "MB"),
    ("a rank, MB", "BytesSentPerRank", "MB"), ("messages", "Messages", "{:,}"),
    ("a rank", "MessagesPerRank", "{:,}"), ("steps", "LongestWay", "{}"),
    ("memory, MB", "MemoryPerRank", "MB"),
    ("scratch, kB", "ScratchPerRank", "kB"), ("energy, J", "Joules", "J"))


def batch(text, images):
    """A model of one image in linalg, for several."""

    def change(match):
        sizes = match[1].split("x")
        is_image = len(sizes) == 4 and sizes[:2] != ["1", "1"]
        if sizes[0] != "1" or not (is_image or len(sizes) == 2):
            return match[0]
        return f"tensor<{images}x{'x'.join(sizes[1:])}x{match[2]}>"

    text = re.sub(r"tensor<((?:\d+x)*\d+)x([a-z]\w*)>", change, text)
    # A row for each channel is one for all images.
    text = text.replace("(d0, d1, d2, d3) -> (d0, 0, 0, d3)",
                        "(d0, d1, d2, d3) -> (0, 0, 0, d3)")
    return re.sub(
        r"(%\w+) = tensor.expand_shape (%\w+) \[\[0, 1\]\] output_shape "
        rf"\[1, \d+\] : (tensor<\d+x\w+>) into (tensor<{images}x\d+x\w+>)",
        r"\1_room = tensor.empty() : \4\n    \1 = linalg.broadcast "
        r"ins(\2 : \3) outs(\1_room : \4) dimensions = [0]", text)


def run(command):
    """What a command prints as remarks, and its processor time."""
    def seconds():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begin = seconds()
    result = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, encoding="utf-8")
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed\n{result.stderr}")
    return result.stderr, seconds() - begin


def show(value, form):
    if value is None:
        return "–"
    scale = {"ms": 1e3, "MB": 1e-6, "kB": 1e-3, "J": 1}.get(form)
    if scale is None:
        return form.format(int(value))
    return f"{float(value) * scale:,.3g}" if float(value) * scale < 1e3 else \
        f"{float(value) * scale:,.0f}"


def plan(opt, model, entry, costs, ranks):
    def command(passes):
        return [opt, model, f"--pass-pipeline=builtin.module({passes})",
                "--remarks-filter=tensoraccess"]

    _, before = run(command(LOWER))
    remarks, after = run(command(
        f"{LOWER},tensoraccess-plan-shards{{model={costs} table={ranks} "
        f"function={entry}}}"))
    line = next(line for line in remarks.splitlines() if "shard-table" in line)
    found = dict(re.findall(r"(\w+)=([\d.e+-]+)", line))
    return [show(found.get(key), form) for _, key, form in COLUMNS] + \
        [f"{max(after - before, 0):.2f}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--costs", type=pathlib.Path, default=COSTS)
    parser.add_argument("--ranks", default=",".join(
        str(2 ** k) for k in range(3, 13)))
    parser.add_argument("--batch", type=int, default=0)
    parser.add_argument("--entry", default="main")
    parser.add_argument("--update", type=pathlib.Path)
    parser.add_argument("models", nargs="*", metavar="NAME=MODEL", default=[
        f"ResNet-50={ROOT / 'test/Models/resnet50.linalg.mlir'}"])
    arguments = parser.parse_args()
    opt = arguments.build / "bin" / "tensoraccess-opt"
    out = []
    with tempfile.TemporaryDirectory() as folder:
        models = []
        for item in arguments.models:
            name, _, path = item.partition("=")
            models.append((name, path))
            text = pathlib.Path(path).read_text(encoding="utf-8")
            if arguments.batch and "linalg." in text:
                many = pathlib.Path(folder) / f"{len(models)}.mlir"
                many.write_text(batch(text, arguments.batch), encoding="utf-8")
                models.append((f"{name}, {arguments.batch} images", many))
        for name, path in models:
            out += ["", f"{name}:", "", "| " + " | ".join(
                [title for title, _, _ in COLUMNS] + ["planned in, s"]) + " |",
                "|" + "---|" * (len(COLUMNS) + 1)]
            for ranks in arguments.ranks.split(","):
                row = plan(opt, path, arguments.entry, arguments.costs, ranks)
                out.append("| " + " | ".join(row) + " |")
                print(out[-1], file=sys.stderr)
    text = "\n".join(out).strip()
    if not arguments.update:
        print(text)
        return
    page = arguments.update.read_text(encoding="utf-8")
    begin, end = "<!-- shards -->\n", "<!-- end -->"
    if begin not in page or end not in page:
        sys.exit(f"{arguments.update} has no lines {begin.strip()} and {end}")
    head, rest = page.split(begin, 1)
    _, tail = rest.split(end, 1)
    arguments.update.write_text(f"{head}{begin}\n{text}\n\n{end}{tail}",
                                encoding="utf-8")


if __name__ == "__main__":
    main()
