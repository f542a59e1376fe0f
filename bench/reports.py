# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs small programs of the kinds that others reported as wrong in their compilers.

    bench/reports.py [--filter REGEX] [--engine ENGINE] [PATH]

PATH is a file or a folder (default: reports beside this script) of programs of ours,
one a report, divided by `// -----`. The comment above a program says which report it
goes by, what went wrong there, and what is right:

    // llvm/llvm-project#1234: one sentence on what went wrong there
    // engines: interpret jit         those of judging.py (default: all)
    // after: canonicalize,cse        passes, after which it runs, too; any number
    // f(x := np.arange(3)) == x * 2  any number; a line that is indented continues
    //                                the one above

A check calls a function of the program. Its arguments and results are Python, so that
the right value comes from numpy, exact arithmetic or what the report says, and never
from us. They must be exact in the types of the function; results must have the same
bits, except that any NaN is as good as another. The right side may also be

    near(x, ulps)      where a function may be rounded
    refused("text")    where an error that says so is right

`equivalence("f", "g")` is the verdict on two functions of the program, and
`sharded("grid", "f", …)` what f returns when it is cut over a grid of ranks.

Prints a line a report with a sign an engine. Exits with 1 if anything is wrong, refused
without leave, crashes its worker, or takes too long.
"""
import ast
import os
import pathlib
import re
import sys

import numpy as np

import judging

#: What is asked of a module itself, rather than run by an engine.
ASKED = ("equivalence", "sharded")
#: The columns after those of the engines.
AFTER, ASK = "after passes", "asked"
SIGNS = {"right": ".", "wrong": "X", "refused": "R", "crash": "C", "timeout": "T",
         "broken": "B", None: "-"}


class Near:
    """A result that may be rounded."""

    def __init__(self, value, ulps):
        self.value, self.ulps = value, ulps


class Refused:
    """An error that is right."""

    def __init__(self, text):
        self.text = text


# ---------------------------------------------------------------------------
# Reports
# ---------------------------------------------------------------------------


class Report:
    """A program and what is said above it."""

    def __init__(self, part, name):
        comment = re.match(r"\s*((?://.*\n)*)", part)[1]
        lines = []
        for line in (l[2:].rstrip() for l in comment.splitlines()):
            if line.startswith("   ") and lines:
                lines[-1] += " " + line.strip()
            else:
                lines.append(line.strip())
        head = re.fullmatch(r"(\S+#\d+): (.*)", lines[0]) if lines else None
        if not head:
            raise ValueError(f"{name}: no report of the form owner/name#number: …")
        self.number, self.sentence = head.groups()
        self.text, self.engines, self.after, self.checks = part, None, [], []
        for line in lines[1:]:
            if line.startswith("engines:"):
                self.engines = line.removeprefix("engines:").split()
            elif line.startswith("after:"):
                self.after.append(line.removeprefix("after:").strip())
            else:
                self.checks.append(Check(line, f"{name}: {self.number}"))
        if not self.checks:
            raise ValueError(f"{name}: {self.number} checks nothing")
        unknown = set(self.engines or []) - set(judging.ENGINES)
        if unknown:
            raise ValueError(f"{name}: no engine {min(unknown)}")

    def list_jobs(self, engines):
        """(column, engine, passes before it) of every run that was asked for."""
        runs = [e for e in engines if self.engines is None or e in self.engines]
        if any(not check.is_asked for check in self.checks):
            yield from ((engine, engine, "") for engine in runs)
            yield from ((AFTER, engine, passes) for passes in self.after
                        for engine in ("interpret", "jit") if engine in runs)
        if any(check.is_asked for check in self.checks):
            yield ASK, ASK, ""


class Check:
    """One line `call == value`."""

    def __init__(self, line, name):
        try:
            body = ast.parse(line, mode="eval").body
            if not (isinstance(body, ast.Compare) and isinstance(body.left, ast.Call)
                    and [type(o) for o in body.ops] == [ast.Eq]):
                raise SyntaxError("not of the form call == value")
        except SyntaxError as error:
            raise ValueError(f"{name}: {line}: {error.msg}") from error
        self.line, self.function = line, body.left.func.id
        self.call, self.value = (compile(ast.Expression(e), "<check>", "eval")
                                 for e in (body.left, body.comparators[0]))

    @property
    def is_asked(self):
        return self.function in ASKED


def list_reports(path):
    """Every report, by file and by place in it."""
    for file in sorted(path.rglob("*.mlir")) if path.is_dir() else [path]:
        parts = re.split(r"^// -----\n", file.read_text(encoding="utf-8"), flags=re.M)
        for i, part in enumerate(parts):
            yield (str(file), i), Report(part, file.name)


# ---------------------------------------------------------------------------
# Verdicts
# ---------------------------------------------------------------------------


def as_exact(value, dtype):
    """An array of an element type, in which no number became another."""
    array = np.asarray(value)
    result = array.astype(dtype)
    back = result.astype(array.dtype)
    if not ((back == array) | (array != array)).all():
        raise ValueError(f"{value} is not exact in {np.dtype(dtype).name}")
    return result


def get_dtype(name):
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))


def have_same_bits(actual, wanted):
    """For each element; NaNs have no bits."""
    raw = (np.ascontiguousarray(x).reshape(-1).view(np.uint8).reshape(x.size, x.itemsize)
           for x in (actual, wanted))
    same = np.equal(*raw).all(axis=1).reshape(wanted.shape)
    return same | ((actual != actual) & (wanted != wanted))


def compare(actual, wanted, what):
    """What is wrong with a result, None if it is right."""
    ulps = wanted.ulps if isinstance(wanted, Near) else None
    actual = np.asarray(actual)
    if ulps is None:
        wanted = as_exact(wanted, actual.dtype)
    else:
        wanted = np.asarray(wanted.value).astype(actual.dtype)
    if actual.shape != wanted.shape:
        return f"{what}: shape {actual.shape}, not {wanted.shape}"
    if ulps is None:
        faults = ~have_same_bits(actual, wanted)
    else:
        faults = judging.count_ulps(actual, wanted) > ulps
    if not faults.any():
        return None
    at = tuple(map(int, np.argwhere(faults)[0]))
    return (f"{what}: {faults.sum()} of {wanted.size} elements, first at "
            f"{list(at)}: {actual[at]}, not {wanted[at]}")


def compare_all(results, wanted):
    if isinstance(results, str):
        return None if results == wanted else f"{results}, not {wanted}"
    wanted = list(wanted) if isinstance(wanted, tuple) else [wanted]
    if len(results) != len(wanted):
        return f"{len(results)} results, not {len(wanted)}"
    problems = (compare(a, w, f"result {i}")
                for i, (a, w) in enumerate(zip(results, wanted)))
    return next(filter(None, problems), None)


def make_functions(module, engine):
    """What a check may call, by name."""
    def equivalence(first, second):
        return module.check_equivalence(first, second).verdict

    def sharded(grid, entry, *arguments):
        plan = module.plan_shards(grid=grid, entry=entry)
        inputs = module.interpret(entry).inputs
        return list(plan.run(*convert(arguments, inputs)).results)

    def convert(arguments, types):
        return [as_exact(x, get_dtype(t.dtype))
                for x, t in zip(arguments, types, strict=True)]

    def run(entry, *arguments):
        arrays = convert(arguments, module.interpret(entry).inputs)
        return judging.run_module(module, engine, arrays, entry)

    def bind(entry):
        return lambda *arguments: run(entry, *arguments)

    functions = {f.name: bind(f.name) for f in module.functions}
    return functions | {"equivalence": equivalence, "sharded": sharded}


def judge(check, functions, error_type):
    """(whether a check holds, why not, or what was refused)."""
    names = {"np": np, "inf": np.inf, "nan": np.nan, "near": Near, "refused": Refused,
             **functions}
    # Names that the arguments bind are there for the right side.
    try:
        results, error = eval(check.call, names), None  # pylint: disable=eval-used
    except error_type as e:
        results, error = None, str(e)
    wanted = eval(check.value, names)  # pylint: disable=eval-used
    if isinstance(wanted, Refused):
        if error is None:
            return "wrong", f"{check.line}: no error"
        right = wanted.text in error
        return ("right" if right else "refused"), f"{check.line}: {error}"
    if error is not None:
        return "refused", f"{check.line}: {error}"
    problem = compare_all(results, wanted)
    return ("wrong" if problem else "right"), f"{check.line}: {problem}"


def answer(job):
    import tensoraccess as ta

    (path, part), engine, passes = job
    try:
        report = dict(list_reports(pathlib.Path(path)))[path, part]
        module = ta.Module(report.text)
        if passes:
            module = module.run(passes)
        if engine != ASK:
            module, _ = judging.lower_for(module, engine)
        functions = make_functions(module, engine)
        for check in report.checks:
            if check.is_asked == (engine == ASK):
                verdict, why = judge(check, functions, ta.Error)
                if verdict != "right":
                    return {"verdict": verdict, "why": why}
    except ta.Error as error:
        return {"verdict": "refused", "why": str(error)}
    except Exception as error:  # pylint: disable=broad-except
        return {"verdict": "broken", "why": f"{type(error).__name__}: {error}"}
    return {"verdict": "right", "why": ""}


def show(reports, answers, columns):
    """Prints a line a report and what is wrong; True if nothing is."""
    print("signs, in this order: " + ", ".join(columns))
    print("  " + "  ".join(f"{sign} {verdict or 'not asked'}"
                           for verdict, sign in SIGNS.items()) + "\n")
    width = max(len(r.number) for r in reports.values())
    bad = []
    for key, report in reports.items():
        worst = dict.fromkeys(columns)
        for (column, engine, passes), reply in answers[key]:
            if worst[column] in (None, "right"):
                worst[column] = reply["verdict"]
            if reply["verdict"] != "right":
                place = f"{engine} after {passes}" if passes else engine
                bad.append(f"\n{reply['verdict']}: {report.number} in {place}: "
                           f"{reply['why'][:600]}")
        signs = "".join(SIGNS[worst[column]] for column in columns)
        print(f"{report.number:{width}}  {signs}  {report.sentence}")
    for line in bad:
        print(line)
    return not bad


def main():
    parser = judging.make_parser(__doc__)
    parser.add_argument("path", type=pathlib.Path, nargs="?",
                        default=pathlib.Path(__file__).with_name("reports"))
    arguments = parser.parse_args()
    if arguments.worker:
        return judging.serve(answer)
    if not arguments.path.exists():
        parser.error(f"PATH must exist, got {arguments.path}")
    engines = arguments.engine or list(judging.ENGINES)
    try:
        reports = dict(list_reports(arguments.path))
    except ValueError as error:
        parser.error(str(error))
    names = {key: f"{r.number}: {r.sentence}" for key, r in reports.items()}
    kept = set(judging.choose(list(names.values()), arguments))
    reports = {key: r for key, r in reports.items() if names[key] in kept}
    if not reports:
        parser.error("no report is left")
    keys = [(job, key) for key, report in reports.items()
            for job in report.list_jobs(engines)]
    command = [sys.executable, os.path.abspath(__file__), "--worker"]
    replies = judging.ask_all(command, [(key, job[1], job[2]) for job, key in keys],
                              arguments.jobs, arguments.timeout)
    answers, finished = judging.collect(keys, replies)
    if arguments.json:
        judging.write_json(arguments.json, [
            (" after ".join(filter(None, job[1:])), reports[key].number, reply)
            for job, key, reply in answers])
    by_report = {key: [] for key in reports}
    for job, key, reply in answers:
        by_report[key].append((job, reply))
    return 0 if show(reports, by_report, [*engines, AFTER, ASK]) and finished else 1


if __name__ == "__main__":
    sys.exit(main())
