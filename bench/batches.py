# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several small programs as one: compiling one function of eight programs takes less
than half of the time that eight functions take, and of many programs more again.

A program has `arguments` and `results` (each with a `name` and a `type`) and
`lines`, the ops between them. Its values get a prefix, its arguments and results
stand beside those of the others. Where the whole fails, its halves are asked,
down to one program, so that each gets a verdict of its own.
"""
import re


def rename(text, prefix):
    return re.sub(r"%(?=\w)", f"%{prefix}", text)


def write(programs):
    """One function for all of the programs."""
    arguments, results, lines = [], [], []
    for i, program in enumerate(programs):
        prefix = f"p{i}_" if len(programs) > 1 else ""
        arguments += [(rename(a.name, prefix), a.type) for a in program.arguments]
        results += [(rename(r.name, prefix), r.type) for r in program.results]
        lines += [rename(line, prefix) for line in program.lines]
    head = ", ".join(f"{name}: {kind}" for name, kind in arguments)
    kinds = ", ".join(kind for _, kind in results)
    names = ", ".join(name for name, _ in results)
    body = "\n".join("  " + line for line in lines)
    return (f"func.func @main({head}) -> ({kinds}) {{\n{body}\n"
            f"  return {names} : {kinds}\n}}\n")


def judge(programs, run, fails):
    """A verdict for each program. `run` gives the verdicts of all, or raises one of
    `fails`, which is the verdict of a program that is alone: refused."""
    try:
        return run(programs)
    except fails as error:
        if len(programs) == 1:
            return [{"verdict": "refused", "why": str(error)}]
        half = len(programs) // 2
        return judge(programs[:half], run, fails) + judge(programs[half:], run, fails)


def ask_in_batches(ask, jobs):
    """(job, answers) of jobs whose first part is a list of programs' numbers, asked
    by `ask` as judging.ask_all does. A worker that dies or takes too long is asked
    for the halves, until it is known by which program; if by none of them alone, it
    is by the first of those that it was asked for together."""
    left, died, bad = list(jobs), [], set()

    def name(job, number):
        return number, str(job[1:])

    while left:
        halves = []
        for job, reply in ask(left):
            if "answers" in reply:
                yield job, reply["answers"]
            elif len(job[0]) == 1:
                bad.add(name(job, job[0][0]))
                yield job, [reply]
            else:
                died.append((job, reply))
                half = len(job[0]) // 2
                halves += [[job[0][:half], *job[1:]], [job[0][half:], *job[1:]]]
        left = halves
    # The smallest first.
    for job, reply in sorted(died, key=lambda item: len(item[0][0])):
        if not any(name(job, number) in bad for number in job[0]):
            bad.add(name(job, job[0][0]))
            why = f"{reply['why']} (of {job[0][0]} to {job[0][-1]} in one function)"
            yield [job[0][:1], *job[1:]], [dict(reply, why=why)]
