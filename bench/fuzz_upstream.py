#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of linalg, tensor, scf, arith and index (random_linalg.py), run
in our engines and by upstream's own lowering (upstream.py).

    bench/fuzz_upstream.py [--programs N] [--seed S] [--ops K] [--engine E] [--memory]

The values of a program are exact, so results must be equal, to one another where
upstream does not compile a program. What is refused is counted by reason. With
`--memory` programs are on buffers (random_memory.py), and NumPy says what is right.

Exits with 1 if anything was different, crashed, or took longer than a minute; each
such program is written to the folder `--out`.
"""
import argparse
import collections
import os
import pathlib
import sys

import numpy as np

import judging
import random_linalg
import random_memory
import upstream

ENGINES = ("interpret", "jit", "raise", "raise-interpret")


def describe(index, ours, theirs):
    """How a result differs; empty if it does not."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return f"result {index} is {ours.dtype} {ours.shape}, not {theirs.dtype} {theirs.shape}"
    if np.array_equal(ours, theirs):
        return ""
    at = tuple(int(i) for i in np.argwhere(np.asarray(ours != theirs))[0])
    return f"result {index} at {at} is {ours[at]}, not {theirs[at]}"


#: What makes programs: with NumPy's results, or for upstream.
KINDS = {"linalg": random_linalg.Program, "memory": random_memory.Program}


def run_program(kind, seed, ops, engines):
    """The verdict on one program, and why, by engine; upstream's is its own."""
    import tensoraccess as ta

    program = KINDS[kind](seed, ops)
    text, inputs = program.text(), program.inputs()
    theirs, answers = None, {}
    if kind == "memory":
        theirs = program.expected()
    else:
        answers["upstream"] = {"verdict": "right", "why": ""}
        try:
            theirs = upstream.run(text, inputs)
        except upstream.Refused as error:
            answers["upstream"] = {"verdict": "refused", "why": str(error)}
    for engine in engines:
        try:
            module, _ = judging.lower_for(ta.Module(text), engine)
            ours = judging.run_module(module, engine, inputs)
        except ta.Error as error:
            answers[engine] = {"verdict": "refused", "why": str(error)}
            continue
        ours = list(map(np.asarray, ours))
        # Without upstream the others are compared with the first.
        theirs = ours if theirs is None else theirs
        why = "; ".join(filter(None, map(describe, range(len(theirs)), ours, theirs)))
        answers[engine] = {"verdict": "wrong" if why else "right", "why": why}
    return answers


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="the first program's number")
    parser.add_argument("--ops", type=int, default=8)
    parser.add_argument("--engine", action="append", choices=list(judging.ENGINES),
                        help=f"may be given several times (default: {', '.join(ENGINES)})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=pathlib.Path, help="folder for programs that went wrong")
    parser.add_argument("--memory", dest="kind", action="store_const", const="memory", default="linalg",
                        help="programs on buffers, compared with NumPy")
    parser.add_argument("--show", type=int, help="print a program, and run nothing")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.show is not None:
        print(KINDS[options.kind](options.show, options.ops).text(), end="")
        return 0
    if options.worker:
        return judging.serve(lambda job: run_program(*job))
    if options.kind == "linalg" and not upstream.is_there():
        print("mlir-opt, mlir-translate and clang of LLVM 22 are needed")
        return 2

    engines = options.engine or list(ENGINES)
    jobs = [(options.kind, seed, options.ops, engines) for seed in range(options.seed, options.seed + options.programs)]
    replies = judging.ask_all([sys.executable, os.path.abspath(__file__), "--worker"], jobs, options.jobs, 60)
    theirs = ["upstream"] if options.kind == "linalg" else []
    counts = {engine: collections.Counter() for engine in [*theirs, *engines]}
    reasons, bad = collections.defaultdict(list), set()
    for (kind, seed, ops, _), reply in replies:
        if "verdict" in reply:  # a worker that died
            reply = {engines[-1]: reply}
        for engine, answer in reply.items():
            verdict, text = answer["verdict"], answer["why"]
            counts[engine][verdict] += 1
            if verdict == "refused":
                reasons[engine, judging.summarise_refusal(text)].append(seed)
            elif verdict in judging.BAD:
                print(f"{verdict}: program {seed}, {engine}: {text}", flush=True)
                bad.add(seed)
                if options.out:
                    options.out.mkdir(parents=True, exist_ok=True)
                    (options.out / f"{seed}.mlir").write_text(
                        f"// {verdict}, {engine}: {text}\n" + KINDS[kind](seed, ops).text())
    columns = ["right", "refused", "wrong", "crash", "timeout"]
    judging.print_table(["engine", *columns],
                        [[engine, *(row[c] for c in columns)] for engine, row in counts.items()])
    for (engine, reason), seeds in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"refused {len(seeds)} times, first program {seeds[0]} in {engine}: {reason}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
