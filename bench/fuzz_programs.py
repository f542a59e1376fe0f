#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs (random_programs.py), run in every engine, against numpy.

    bench/fuzz_programs.py [--programs N] [--seed S] [--each K] [--ops K] [--batch B]

Program i is made from the number S + i and runs in every engine of judging.py, or
in K of them that the number of its batch chooses, B programs in one function
(batches.py). Results must lie within the bounds that are
computed beside them; what is refused is counted by reason. Neither of our engines
is asked what is right.

Exits with 1 if anything was wrong, crashed, or took longer than a minute; each
such program is written to the folder `--out`.
"""

import argparse
import collections
import os
import pathlib
import random
import sys

import batches
import judging
import random_programs


def choose_engines(seed, engines, each):
    return random.Random(seed).sample(engines, each) if each < len(engines) else engines


def run_programs(seeds, ops, opt_level, engine):
    """The verdict on each program in one engine, and why."""
    import tensoraccess as ta

    def run(programs):
        module, _ = judging.lower_for(ta.Module(batches.write(programs)), engine)
        inputs = [a.given for program in programs for a in program.arguments]
        results = iter(judging.run_module(module, engine, inputs, opt_level=opt_level))
        answers = []
        for program in programs:
            problems = [random_programs.check(value, next(results)) for value in program.results]
            text = "; ".join(f"result {i}: {t}" for i, t in enumerate(problems) if t)
            if text and len(programs) > 1:
                text += f" (one of {len(programs)} from {seeds[0]} on in a function)"
            answers.append({"verdict": "wrong" if text else "right", "why": text})
        return answers

    programs = [random_programs.Program(seed, ops) for seed in seeds]
    return {"answers": batches.judge(programs, run, ta.Error)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="the first program's number")
    parser.add_argument("--ops", type=int, default=8)
    parser.add_argument("--each", type=int, help="run each program in so many engines")
    parser.add_argument("--batch", type=int, default=8, help="programs of a function")
    parser.add_argument("--opt-level", type=int, default=3, help="LLVM's, of what is compiled")
    parser.add_argument("--engine", action="append", choices=list(judging.ENGINES),
                        help="may be given several times (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=pathlib.Path, help="folder for programs that went wrong")
    parser.add_argument("--show", type=int, help="print a program, and run nothing")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.show is not None:
        print(random_programs.Program(options.show, options.ops).text(), end="")
        return 0
    if options.worker:
        return judging.serve(lambda job: run_programs(*job))

    engines = options.engine or list(judging.ENGINES)
    end = options.seed + options.programs
    jobs = [(list(range(first, min(first + options.batch, end))), options.ops, options.opt_level, engine)
            for first in range(options.seed, end, options.batch)
            for engine in choose_engines(first, engines, options.each or len(engines))]
    worker = [sys.executable, os.path.abspath(__file__), "--worker"]
    replies = batches.ask_in_batches(
        lambda jobs: judging.ask_all(worker, jobs, options.jobs, 60 + options.batch), jobs)
    counts = {engine: collections.Counter() for engine in engines}
    reasons, bad = collections.defaultdict(list), set()
    for seed, ops, engine, reply in ((seed, ops, engine, reply)
                                     for (seeds, ops, _, engine), answers in replies
                                     for seed, reply in zip(seeds, answers)):
        verdict, text = reply["verdict"], reply["why"]
        counts[engine][verdict] += 1
        if verdict == "refused":
            reasons[judging.summarise_refusal(text)].append((seed, engine))
        elif verdict in judging.BAD:
            print(f"{verdict}: program {seed}, {engine}: {text}", flush=True)
            if options.out and seed not in bad:
                options.out.mkdir(parents=True, exist_ok=True)
                (options.out / f"{seed}.mlir").write_text(
                    f"// {verdict}, {engine}: {text}".replace("\n", " ") + "\n"
                    + random_programs.Program(seed, ops).text())
            bad.add(seed)
    columns = ["right", "refused", "wrong", "crash", "timeout"]
    judging.print_table(["engine", *columns],
                        [[engine, *(row[c] for c in columns)] for engine, row in counts.items()])
    for reason, where in sorted(reasons.items(), key=lambda item: -len(item[1])):
        seed, engine = where[0]
        print(f"refused {len(where)} times, first program {seed} in {engine}: {reason}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
