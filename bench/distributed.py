# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs whole models on ranks by scripts/run-distributed, in each way to cut them,
on 2 and 4 ranks, under Open MPI and MPICH, and compares each with one process.

    bench/distributed.py --models FOLDER [--only TEXT] [--mpi NAME] [--repeat N]
                         [--update docs/ShardingResults.md]

A model that FOLDER lacks is left out, with a note. The table goes to standard
output; --update replaces the rows of those runs, and of no others, in the table
of that page. The exit code is 1 where a run fails or a result differs.

`bytes` are those that ranks sent, counted as they were sent, which must be what
their programs say; `least` is the sum over exchanges of what each rank needs and
has not, which an exchange sends by construction (docs/Sharding.md).
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADS = ("tensor<768x12x64xf32>={d1: ranks}; "
         "tensor<768x3072xf32>={d1: ranks}")
IMAGE = "tensor<{}x224x224x3xf32>={{{}: ranks}}"
# (name, model, images or None, cut's name, --cut)
RUNS = [
    ("ResNet-50, linalg", "resnet50.linalg.mlir", None, "planned", ""),
    ("ResNet-50, linalg", "resnet50.linalg.mlir", None, "spatial",
     IMAGE.format(1, "d1")),
    ("ResNet-50, StableHLO", "resnet50.stablehlo-generic.mlir", None, "planned",
     ""),
    ("ResNet-50, StableHLO", "resnet50.stablehlo-generic.mlir", None, "spatial",
     IMAGE.format(1, "d1")),
    ("ResNet-50, 4 images", "resnet50.stablehlo-generic.mlir", 4, "batch",
     IMAGE.format(4, "d0")),
    ("encoder", "encoder2.stablehlo-generic.mlir", None, "planned", ""),
    ("encoder", "encoder2.stablehlo-generic.mlir", None, "tensor", HEADS),
]
HEADER = ["model", "cut", "ranks", "MPI", "bytes sent", "messages", "equal"]


def batched(path, images):
    """The model for several images, in the build folder."""
    target = ROOT / "build" / "distributed" / f"{images}-{path.name}"
    target.parent.mkdir(parents=True, exist_ok=True)
    made = subprocess.run([sys.executable, ROOT / "bench/Execution/batched.py",
                           path, str(images)], stdout=subprocess.PIPE,
                          encoding="utf-8", check=True)
    target.write_text(made.stdout)
    return target


def run(model, cut, ranks, mpi, repeat):
    """The row's figures, and whether all is well."""
    command = [ROOT / "scripts/run-distributed", "--no-build", "-n", str(ranks),
               "--mpi", mpi, "--repeat", str(repeat), "--timeout", "300"]
    if cut:
        command += ["--cut", cut]
    done = subprocess.run([*command, model], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8")
    text = done.stdout
    sent = re.search(r"^sent +(\d+) bytes in all", text, re.M)
    said = re.findall(r"^sent +rank .* in (\d+) messages?, as the program says",
                      text, re.M)
    verdict = re.search(r"^compare 0 +(equal.*?): (.*)", text, re.M)
    if done.returncode or not sent or len(said) != ranks or not verdict:
        print(text, file=sys.stderr)
        return ["-", "-", "FAILED"], False
    if "bit for bit" in verdict.group(1):
        equal = "all bits"
    else:
        numbers = re.search(r"\|a - b\| (\S+) .*allowed (\S+)", verdict.group(2))
        equal = f"within {numbers.group(1)} (allowed {numbers.group(2)})"
    if re.search(r"^result .*(nan|inf)", text, re.M):
        equal += ", but not finite"
    return [f"{int(sent.group(1)):,}", str(sum(map(int, said))), equal], True


def update(path, rows):
    """Puts rows into the page's table, in the order of RUNS."""
    lines = path.read_text().splitlines()
    begin = lines.index("| " + " | ".join(HEADER) + " |") + 2
    end = begin
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    old = [[cell.strip() for cell in line.strip("|").split("|")]
           for line in lines[begin:end]]
    table = {tuple(row[:4]): row for row in [*old, *rows]}
    order = [(name, cut, str(ranks), mpi) for name, _, _, cut, _ in RUNS
             for ranks in (2, 4) for mpi in ("Open MPI", "MPICH")]
    lines[begin:end] = ["| " + " | ".join(table[key]) + " |"
                        for key in order if key in table]
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="in a row's name or cut")
    parser.add_argument("--mpi", choices=["openmpi", "mpich"])
    parser.add_argument("--ranks", type=int, nargs="*", default=[2, 4])
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--update", type=pathlib.Path)
    arguments = parser.parse_args()
    print("| " + " | ".join(HEADER) + " |")
    print("|" + "---|" * len(HEADER))
    rows, is_well = [], True
    for name, file, images, cut, spec in RUNS:
        if arguments.only not in f"{name}, {cut}":
            continue
        model = arguments.models / file
        if not model.is_file():
            print(f"no {model}: left out", file=sys.stderr)
            continue
        if images:
            model = batched(model, images)
        for ranks in arguments.ranks:
            for mpi in ("openmpi", "mpich"):
                if arguments.mpi not in (None, mpi):
                    continue
                figures, is_good = run(model, spec, ranks, mpi,
                                       arguments.repeat)
                is_well &= is_good
                shown = {"openmpi": "Open MPI", "mpich": "MPICH"}[mpi]
                rows.append([name, cut, str(ranks), shown, *figures])
                print("| " + " | ".join(rows[-1]) + " |", flush=True)
    if arguments.update:
        update(arguments.update, rows)
    sys.exit(0 if is_well and rows else 1)


if __name__ == "__main__":
    main()
