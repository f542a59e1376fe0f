# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of unknown sizes in every engine and through every rewriting pass,
against NumPy.

    python bench/fuzz_sizes.py --programs 300 --seed 1       # PYTHONPATH=build/python

A program (sized_programs.py, sized_foreign.py) is written twice, as IR and as a NumPy
function. It runs with several numbers for each size, 0 and 1 among them, interpreted,
compiled, compiled plainly, and compiled once it is raised, B programs in one function;
then alone, by the interpreter, after some pipelines of passes. Shapes and elements must
be NumPy's. What the interpreter runs must be compiled, raised or not.

Of two programs of one signature, check-equivalence must not say that they agree
where NumPy knows inputs for which they don't.

Exits with 1 if anything was wrong, refused by an engine, crashed or took too long.
"""
import argparse
import collections
import os
import pathlib
import random
import sys

import numpy as np

import batches
import judging
import sized_foreign
import sized_programs
from sized_programs import SIZES, Program, dims, write

PIPELINES = [
    "canonicalize,cse",
    "tensoraccess-raise",
    "tensoraccess-raise,canonicalize,cse",
    "tensoraccess-raise,tensoraccess-discover-im2col",
    "tensoraccess-raise,tensoraccess-block-matmul",
    "tensoraccess-raise,tensoraccess-map-to-systolic{rows=2 cols=2}",
    "tensoraccess-raise,tensoraccess-form-projections",
    "tensoraccess-raise,tensoraccess-form-projections{items-as-axes},tensoraccess-expand-projections",
    "tensoraccess-raise,tensoraccess-lower-to-linalg",
    "tensoraccess-raise,tensoraccess-saturate{rules=access},tensoraccess-lower-to-linalg",
    "tensoraccess-fuse-elementwise",
    "tensoraccess-tile{sizes=2}",
    "tensoraccess-assign-layouts,tensoraccess-materialize-layouts",
    "tensoraccess-open-ops,tensoraccess-separate-inits",
    "tensoraccess-expand-dynamic-shapes,canonicalize",
] + [f"{first}tensoraccess-saturate{{rules={rules}}}"
     for first in ("", "tensoraccess-raise,")
     for rules in ("access", "compute", "access,compute,linalg,arith,math", "linalg,arith")]


#: What a function goes through, and how it runs.
ENGINES = {
    "interpret": lambda module: module.interpret(),
    "cpu": lambda module: module.compile(cache=False, opt_level=0),
    "plain": lambda module: module.compile(cache=False, opt_level=0, plain=True),
    "raised": lambda module: module.run("tensoraccess-raise").compile(cache=False, opt_level=0),
    "raised-interpret": lambda module: module.run("tensoraccess-raise").interpret(),
}
#: Which steps programs of one function are made of.
FAMILIES = (sized_programs.STEPS, sized_programs.STEPS + 3 * sized_foreign.TOSA,
            sized_programs.STEPS + 3 * sized_foreign.TENSOR, sized_foreign.HLO)
#: So many programs of one family come one after the other: those whose sizes are
#: operands are compiled for sizes, each time.
RUN = 8


def make_programs(seeds):
    family = FAMILIES[seeds[0] // RUN % len(FAMILIES)]
    programs = []
    for seed in seeds:
        rng = random.Random(seed)
        programs.append(Program(rng, rng.randint(1, 9), family))
    return programs


def differ(program, got, inputs):
    """What is wrong with a result; empty if nothing is."""
    wanted = program.expected(inputs)
    if got.shape == wanted.shape and np.array_equal(got, wanted):
        return ""
    return f"got {got.shape} {got.tolist()}, wanted {wanted.shape} {wanted.tolist()}"


def run_engine(programs, prepare, fails):
    """For each program what is wrong, or empty."""
    import tensoraccess as ta

    def run(programs):
        problems = [""] * len(programs)
        executable = prepare(ta.Module(write(programs)))
        for draw, sizes in enumerate(SIZES):
            inputs = programs[0].inputs(sizes, draw)
            results = executable(*inputs)
            results = results if len(programs) > 1 else [results]
            for i, (program, got) in enumerate(zip(programs, results)):
                text = differ(program, got, inputs)
                problems[i] = problems[i] or (text and f"{sizes}: {text}")
        return [{"verdict": "wrong" if text else "right", "why": text} for text in problems]

    return batches.judge(programs, run, fails)


def run_pipelines(program, rng, count, fails):
    """What is wrong after a few pipelines, and what is refused."""
    import tensoraccess as ta

    refusals = []
    for pipeline in rng.sample(PIPELINES, count):
        try:
            made = ta.Module(write([program])).run(pipeline)
        except fails as error:
            refusals.append(f"{pipeline}: {str(error).splitlines()[0][-100:]}")
            continue
        answer, = run_engine([program], lambda module, made=made: made.interpret(), fails)
        if answer["verdict"] != "right":
            return f"{pipeline}: {answer['why']}", refusals
    return "", refusals


def check_pair(program, rng):
    """The program against itself with another result of the same type."""
    import tensoraccess as ta

    result, _, shape, function = program.result
    others = [value for value in program.values if value[1] == "t" and value[0] != result
              and dims(value[2]) == dims(shape)]
    if not others:
        return "", None
    first = write([program], "first")
    program.result = rng.choice(others)
    second = write([program], "second")
    verdict = ta.Module(first + second).check_equivalence("first", "second", method="prove").verdict
    if verdict.startswith("proved"):
        for draw, sizes in enumerate(SIZES):
            inputs = program.inputs(sizes, draw)
            with np.errstate(all="ignore"):
                text = differ(program, np.asarray(function(inputs), np.int32), inputs)
            if text:
                return f"check-equivalence: {verdict} of the last two, {sizes}: {text}", verdict
    return "", verdict


def check(seeds, pipelines):
    """An answer for each program: what is wrong in which engine, or right."""
    import tensoraccess as ta

    programs = make_programs(seeds)
    answers = [{"verdict": "right", "why": "", "refusals": []} for _ in programs]
    for engine, prepare in ENGINES.items():
        for answer, got in zip(answers, run_engine(programs, prepare, ta.Error)):
            if got["verdict"] != "right" and answer["verdict"] == "right":
                answer.update(verdict=got["verdict"], why=f"{engine}: {got['why']}")
    for seed, program, answer in zip(seeds, programs, answers):
        if answer["verdict"] != "right":
            continue
        rng = random.Random(seed)
        text, answer["refusals"] = run_pipelines(program, rng, pipelines, ta.Error)
        if not text and program.lines and "stablehlo" not in write([program]):
            text, answer["equivalence"] = check_pair(program, rng)
        if text:
            answer.update(verdict="wrong", why=text)
    return {"answers": answers}


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="the first program's number")
    parser.add_argument("--pipelines", type=int, default=1, help="of each program")
    parser.add_argument("--batch", type=int, default=RUN, help="programs of a function")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=pathlib.Path, help="folder for programs that went wrong")
    parser.add_argument("--show", type=int, help="print a program, and run nothing")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.show is not None:
        print(write(make_programs([options.show])), end="")
        return 0
    if options.worker:
        return judging.serve(lambda job: check(*job))

    end = options.seed + options.programs
    jobs, first = [], options.seed
    while first < end:
        last = min(first + options.batch, end, (first // RUN + 1) * RUN)
        jobs.append((list(range(first, last)), options.pipelines))
        first = last
    worker = [sys.executable, os.path.abspath(__file__), "--worker"]
    replies = batches.ask_in_batches(
        lambda jobs: judging.ask_all(worker, jobs, options.jobs, 60 + 10 * options.batch), jobs)
    counts, refusals, bad = collections.Counter(), collections.Counter(), 0
    for seed, answer in ((seed, answer) for (seeds, _), answers in replies for seed, answer in zip(seeds, answers)):
        counts[answer["verdict"]] += 1
        refusals.update(answer.get("refusals", ()))
        counts[answer.get("equivalence")] += 1
        if answer["verdict"] == "right":
            continue
        bad += 1
        print(f"{answer['verdict']}: program {seed}: {answer['why']}", flush=True)
        if options.out:
            options.out.mkdir(parents=True, exist_ok=True)
            (options.out / f"{seed}.mlir").write_text(
                f"// {answer['verdict']}: {answer['why']}".replace("\n", " ") + "\n" + write(make_programs([seed])))
    for refusal, count in refusals.most_common(8):
        print(f"refused {count} times: {refusal}")
    print(", ".join(f"{count} {what}" for what, count in counts.items() if what))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
