#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a build says of many programs, to be compared with what another build says.

    bench/snapshot.py DIR [--testdata PATH] [--models PATH] [--programs N]
    bench/snapshot.py --compare BEFORE AFTER
                                                 # PYTHONPATH=build/python

A change that keeps behaviour keeps a snapshot. It is a folder of text:

    indexing/P     P after tensoraccess-annotate-indexing
    raised/P       P after tensoraccess-raise
    bits/P         a digest of each result in each engine; of P's refusal its text
    kernels/P      of a model, the kernels that its function is made of
    shards/P       of a model, its plan on two and on four ranks, with bytes
    assertions     how many the tests make, by kind

Programs are the models, those of StableHLO's testdata (--testdata), N random ones
of each kind (random_programs.py, sized_programs.py, random_linalg.py,
random_memory.py), and the modules of the lit tests. Bits depend on the machine: both
snapshots are made on one.

--compare exits with 1 where anything differs, and shows the first lines of it.
"""
import argparse
import difflib
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

import judging

ROOT = pathlib.Path(__file__).resolve().parents[1]
#: Those whose bits are kept.
ENGINES = ("interpret", "jit", "plain", "raise")
#: What makes an assertion of a test, and where.
ASSERTIONS = {
    "FileCheck": (("*.mlir", "*.td", "*.txt", "*.test"), r"[A-Z][A-Z0-9_-]*(?:-(?:NEXT|SAME|DAG|NOT|LABEL|COUNT-\d+|EMPTY))?:\s|expected-(?:error|remark|warning|note)"),
    "gtest": (("*.cpp",), r"\b(?:EXPECT|ASSERT)_\w+\("),
    "pytest": (("*.py",), r"^\s+assert |pytest\.raises|np\.testing\.assert"),
}


# ---------------------------------------------------------------------------
# Programs
# ---------------------------------------------------------------------------


class Source:
    """A program's name, how its text and inputs are made, and what is asked of it.
    Inputs are None for a module that comes without any."""

    def __init__(self, name, make, parts):
        self.name, self.make, self.parts = name, make, parts


def read_file(path):
    return lambda: (pathlib.Path(path).read_text(), None)


def read_testdata(path):
    def make():
        import conformance

        text, inputs, _ = conformance.read_program(pathlib.Path(path).read_text())
        return text, inputs

    return make


def make_random(kind, seed):
    def make():
        if kind == "hlo":
            import batches
            import random_programs

            program = random_programs.Program(seed, 8)
            return batches.write([program]), [a.given for a in program.arguments]
        if kind == "sized":
            import fuzz_sizes

            program, = fuzz_sizes.make_programs([seed])
            return fuzz_sizes.write([program]), program.inputs(fuzz_sizes.SIZES[2], 2)
        module = __import__("random_" + kind)
        program = module.Program(seed, 12)
        return program.text(), program.inputs()

    return make


def split_tests(path):
    """The modules of a lit test, as its tools split them."""
    text = path.read_text()
    return [p for p in re.split(r"^// -----.*$", text, flags=re.M) if "func" in p]


def list_sources(options):
    for path in sorted(options.models.glob("*.mlir")):
        yield Source(f"models/{path.name}", read_file(path), ("indexing", "raised", "model"))
    for path in sorted(ROOT.glob("test/**/*.mlir")):
        if path.parent.name not in ("Models", "Cases"):
            for i, text in enumerate(split_tests(path)):
                yield Source(f"tests/{path.relative_to(ROOT / 'test')}.{i}", lambda t=text: (t, None),
                             ("indexing", "raised"))
    if options.testdata:
        for path in sorted(options.testdata.glob("*.mlir")):
            yield Source(f"testdata/{path.name}", read_testdata(path), ("indexing", "raised", "bits"))
    for kind in ("hlo", "sized", "linalg", "memory"):
        for seed in range(options.programs):
            yield Source(f"{kind}/{seed}", make_random(kind, seed), ("indexing", "raised", "bits"))


# ---------------------------------------------------------------------------
# What is said of them
# ---------------------------------------------------------------------------


def digest(array):
    array = np.ascontiguousarray(array)
    sum_ = hashlib.sha256(array.tobytes()).hexdigest()[:16]
    return f"{array.dtype} {'x'.join(map(str, array.shape))} {sum_}"


def attempt(action, *errors):
    """What an action says, or why it refuses."""
    import tensoraccess as ta

    try:
        return action()
    except (ta.Error, *errors) as error:
        return f"refused: {error}"


def run_engine(module, engine, inputs):
    lowered, _ = judging.lower_for(module, engine)
    results = judging.run_module(lowered, engine, inputs, opt_level=1)
    return "; ".join(map(digest, results))


def run_tool(name, *arguments):
    done = subprocess.run([ROOT / "build" / "bin" / name, *arguments], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def describe_model(path):
    """Bits, kernels and plans of a model. Times are not kept: they are no text."""
    said = {}
    for engine in ("interpret", "jit"):
        text = run_tool("tensoraccess-run", path, "--inputs=random:0", *(["--engine=interpret"] if engine == "interpret" else []))
        said.setdefault("bits", []).append(f"{engine}: " + " ".join(re.findall(r"checksum \w+", text)))
    text = run_tool("tensoraccess-opt", path, "--tensoraccess-cpu")
    names = re.findall(r"llvm\.func (?:\w+ )*@([\w.$-]+)\(", text)
    said["kernels"] = [f"{len(names)} functions", *sorted(names)]
    said["shards"] = [run_tool("tensoraccess-opt", path, f"--tensoraccess-plan-shards=ranks={ranks}") for ranks in (2, 4)]
    return {part: "\n".join(lines) for part, lines in said.items()}


def describe(name, text, inputs, parts, path):
    """What is said of a program, by part."""
    import tensoraccess as ta

    try:
        module = ta.Module(text)
    except ta.Error as error:
        return {"indexing": f"refused: {error}"}
    said = {}
    for part, pipeline in (("indexing", "tensoraccess-annotate-indexing"), ("raised", "tensoraccess-raise")):
        if part in parts:
            said[part] = attempt(lambda p=pipeline: str(module.run(p)))
    if "bits" in parts and inputs is not None:
        said["bits"] = "\n".join(f"{engine}: {attempt(lambda e=engine: run_engine(module, e, inputs), ValueError)}"
                                 for engine in ENGINES)
    if "model" in parts:
        said.update(describe_model(path))
    return said


def count_assertions():
    lines = []
    for kind, (globs, pattern) in ASSERTIONS.items():
        count = sum(len(re.findall(pattern, p.read_text(errors="replace"), re.M))
                    for g in globs for p in (ROOT / "test").rglob(g))
        lines.append(f"{kind} {count}")
    return "\n".join(lines)


def serve(sources):
    by_name = {source.name: source for source in sources}

    def answer(name):
        source = by_name[name]
        try:
            text, inputs = source.make()
        except Exception as error:  # what isn't ours to read
            return {"said": {"indexing": f"not read: {type(error).__name__}"}}
        path = None
        if name.startswith("models/"):
            path = str(OPTIONS.models / name.removeprefix("models/"))
        return {"said": describe(name, text, inputs, source.parts, path)}

    return judging.serve(answer)


# ---------------------------------------------------------------------------
# Two of them
# ---------------------------------------------------------------------------


def read_snapshot(folder):
    return {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def compare(before, after, most):
    old, new = read_snapshot(before), read_snapshot(after)
    counts = {}
    for name in sorted(old.keys() | new.keys()):
        part = name.split("/")[0]
        row = counts.setdefault(part, [0, 0])
        row[0] += 1
        if old.get(name) == new.get(name):
            continue
        row[1] += 1
        if row[1] <= most:
            print(f"--- {name}")
            lines = difflib.unified_diff(old.get(name, "").splitlines(), new.get(name, "").splitlines(), lineterm="", n=0)
            for line in list(lines)[2:8]:
                print(line[:300])
    judging.print_table(["part", "files", "different"], [[part, *row] for part, row in counts.items()])
    return 1 if any(row[1] for row in counts.values()) else 0


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, nargs="?")
    parser.add_argument("--compare", type=pathlib.Path, nargs=2, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--testdata", type=pathlib.Path)
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "test" / "Models")
    parser.add_argument("--programs", type=int, default=500, help="of each kind")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--most", type=int, default=5, help="differences shown of each part")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    OPTIONS = parser.parse_args()
    if OPTIONS.compare:
        return compare(*OPTIONS.compare, OPTIONS.most)
    if not OPTIONS.folder:
        parser.error("a folder is needed")
    sources = list(list_sources(OPTIONS))
    if OPTIONS.worker:
        return serve(sources)
    replies = judging.ask_all([sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--worker"],
                              [source.name for source in sources], OPTIONS.jobs, 600)
    died = 0
    for name, reply in replies:
        said = reply.get("said")
        if said is None:
            died += 1
            said = {"bits": json.dumps(reply)}
        for part, text in said.items():
            path = OPTIONS.folder / part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.replace(str(ROOT), "") + "\n")
    OPTIONS.folder.mkdir(parents=True, exist_ok=True)
    (OPTIONS.folder / "assertions").write_text(count_assertions() + "\n")
    print(f"{len(sources)} programs; {died} of them crashed, or took too long")
    return 0


if __name__ == "__main__":
    sys.exit(main())
