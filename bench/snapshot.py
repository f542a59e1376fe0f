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

--compare exits with 1 where anything differs, and shows the first lines of it. Maps
may differ in text where each is equivalent to one of the others, and not larger.
"""
import argparse
import difflib
import functools
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
    """Bits, kernels and plans of a model. Times are not kept: they are not text."""
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


def read_maps(line):
    """The maps that a line of `indexing/` is annotated with, as nested lists of texts,
    and the line without them."""
    at, begin = 0, "#tensoraccess.indexing_map<"
    stack, rest = [[]], []
    while at < len(line):
        if line.startswith(begin, at):
            end, depth = at + len(begin), 1
            while depth:
                depth += (line[end] == "<") - (line[end] == ">" and line[end - 1] != "-")
                end += 1
            stack[-1].append(line[at + len(begin):end - 1])
            at = end
            continue
        if line[at] == "[":
            stack.append([])
        elif line[at] == "]" and len(stack) > 1:
            inner = stack.pop()
            stack[-1].append(inner)
        elif line[at] not in ", ":
            rest.append(line[at])
        at += 1
    return stack[0], "".join(rest)


def flatten(tree):
    return [tree] if isinstance(tree, str) else [text for part in tree for text in flatten(part)]


def weigh_map(text):
    """Divisions and constraints."""
    return len(re.findall(r"floordiv|ceildiv|mod", text)), text.count(" in [")


def are_equal_sets(old, new):
    """Whether each map of `old` is equivalent to one of `new` that is not larger. Known
    empty maps say nothing."""
    left = [text for text in new if text not in old and not text.startswith("empty")]
    for text in (text for text in old if text not in new and not text.startswith("empty")):
        for other in left:
            if weigh_map(other) <= weigh_map(text) and equivalent(text, other):
                left.remove(other)
                break
        else:
            return False
    return not left


@functools.cache
def equivalent(a, b):
    if "unknown" in (a, b):
        return a == b
    import tensoraccess as ta

    return bool(ta.IndexingMap(a).equivalent(ta.IndexingMap(b)))


def are_equal_lines(old, new):
    """Whether two annotated ops read the same."""
    (before, text), (after, other) = read_maps(old), read_maps(new)

    def agree(a, b, depth):
        # direction, then results or operands, then the other, then maps
        if depth == 3 or isinstance(a, str) or isinstance(b, str):
            return are_equal_sets(flatten(a), flatten(b))
        return len(a) == len(b) and all(agree(x, y, depth + 1) for x, y in zip(a, b))

    # Known empty maps have no sources.
    return text.replace("{}", "") == other.replace("{}", "") and agree(before, after, 0)


def differ(name, old, new):
    """Whether two files of a snapshot say different things."""
    if old == new:
        return False
    if not name.startswith("indexing/") or old is None or new is None:
        return True
    before, after = old.splitlines(), new.splitlines()
    return len(before) != len(after) or not all(
        a == b or are_equal_lines(a, b) for a, b in zip(before, after))


def compare(before, after, most):
    old, new = read_snapshot(before), read_snapshot(after)
    counts = {}
    for name in sorted(old.keys() | new.keys()):
        part = name.split("/")[0]
        row = counts.setdefault(part, [0, 0, 0])
        row[0] += 1
        row[1] += old.get(name) != new.get(name)
        if not differ(name, old.get(name), new.get(name)):
            continue
        row[2] += 1
        if row[2] <= most:
            print(f"--- {name}")
            lines = difflib.unified_diff(old.get(name, "").splitlines(), new.get(name, "").splitlines(), lineterm="", n=0)
            for line in list(lines)[2:8]:
                print(line[:300])
    judging.print_table(["part", "files", "other text", "different"], [[part, *row] for part, row in counts.items()])
    return 1 if any(row[2] for row in counts.values()) else 0


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
