# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs that judge answers share: the ways in which a program runs,
distances in ulps, and workers that may die.

A *unit in the last place* (ulp) is one step from a value of an element type to
the next one; two NaNs are equal, as are 0 and -0, and a value that is not finite
is infinitely far from any other.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import queue
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

import numpy as np

#: Upstream's own canonicalization, which `inline` runs too, is wrong in places.
INLINE = "inline{default-pipeline=tensoraccess-canonicalize}"
RAISE = "tensoraccess-raise,tensoraccess-canonicalize"
#: Every engine: what a module goes through before it is compiled, or interpreted.
ENGINES = {
    "interpret": "",
    "jit": "",
    "plain": "",
    "packed": "",
    "raise": "tensoraccess-raise",
    "raise-interpret": "tensoraccess-raise",
    "layouts": f"tensoraccess-stablehlo-to-linalg{{strict}},{INLINE},"
               "tensoraccess-assign-layouts,tensoraccess-materialize-layouts",
    "im2col": f"{RAISE},tensoraccess-discover-im2col",
    "saturate": f"{RAISE},tensoraccess-saturate{{rules=access}}",
    "systolic": f"{RAISE},tensoraccess-map-to-systolic{{rows=16 cols=16}}",
}
INTERPRETED = {"interpret", "raise-interpret"}


def lower_for(module, engine):
    """The module as its engine runs it, and whether ops of ours are in it."""
    if not ENGINES[engine]:
        return module, False
    module = module.run("tensoraccess-expand-stablehlo," + ENGINES[engine])
    return module, bool(re.search(r"\btensoraccess\.|linalg\.(un)?pack", str(module)))


def run_module(module, engine, inputs, entry="main", opt_level=3):
    """The results of a module's function as a list of arrays; `packed` keeps what is
    computed of all inputs but the first, and these are its second results."""
    program = module.interpret(entry)
    if engine == "packed":
        tensors = [i for i, x in enumerate(program.inputs) if x.kind == "tensor"]
        program = module.compile(entry, weights=tensors[1:])
        program(*inputs)
    elif engine not in INTERPRETED:
        program = module.compile(entry, plain=engine == "plain", opt_level=opt_level)
    results = program(*inputs)
    if results is None:
        return []
    return list(results) if isinstance(results, (tuple, list)) else [results]


# ---------------------------------------------------------------------------
# Distances
# ---------------------------------------------------------------------------

#: The upper ends of what tables count; ulps beyond the last are 'far'.
BUCKETS = (0, 1, 2, 4, 16, 256)


def is_float(dtype):
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def count_ulps(actual, expected):
    """How far each element is, as floats; infinite where both are not equal and
    one is not finite, or where the type has no ulps."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    if expected.dtype.kind == "c":
        return np.maximum(count_ulps(actual.real, expected.real),
                          count_ulps(actual.imag, expected.imag))
    if not is_float(expected.dtype):
        return np.where(actual == expected, 0.0, np.inf)
    bits = np.dtype(f"u{expected.dtype.itemsize}")
    sign = 1 << (8 * bits.itemsize - 1)

    def order(array):
        """The number of values between an element and 0, with its sign."""
        raw = np.ascontiguousarray(array).view(bits).reshape(array.shape)
        steps = (raw & bits.type(sign - 1)).astype(np.float64)
        return np.where(raw & bits.type(sign), -steps, steps)

    near, far = actual.astype(np.float64), expected.astype(np.float64)
    if bits.itemsize == 8:  # 53 bits hold no difference of two large orders
        a, b = (np.ascontiguousarray(x).view(np.int64).reshape(x.shape)
                for x in (near, far))
        same = (a < 0) == (b < 0)
        steps = np.where(same, np.abs(np.where(same, a - b, 0)).astype(float),
                         np.abs(order(actual)) + np.abs(order(expected)))
    else:
        steps = np.abs(order(actual) - order(expected))
    both = np.isnan(near) & np.isnan(far)
    finite = np.isfinite(near) & np.isfinite(far)
    return np.where(both | (near == far), 0.0, np.where(finite, steps, np.inf))


def bucket_of(ulps):
    for end in BUCKETS:
        if ulps <= end:
            return f"<={end}" if end else "exact"
    return "far"


# ---------------------------------------------------------------------------
# Reasons
# ---------------------------------------------------------------------------


def summarise_refusal(message):
    """The first error of a message without what differs from program to
    program: positions, shapes and SSA names."""
    line = next((l for l in message.splitlines() if l.strip()), "no message")
    line = re.sub(r"^\S*?:\d+:\d+: ", "", line).replace("error: ", "")
    line = re.sub(r"(tensor|memref)<(?:[\d?]+x)*([^<>]*(?:<[^<>]*>)?)>", r"\1<\2>",
                  line)
    line = re.sub(r"%[\w#]+", "%", line)
    return re.sub(r"\b\d+(x\d+)*\b", "N", line)[:160]


# ---------------------------------------------------------------------------
# Workers
# ---------------------------------------------------------------------------


class Worker:
    """A process that answers one job at a time, a line of JSON each way."""

    def __init__(self, command):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors)
        self.rest = b""

    def read_line(self, seconds):
        """A line without its end; None at the end of all, or of the time."""
        until = time.monotonic() + seconds
        while b"\n" not in self.rest:
            left = until - time.monotonic()
            ready = select.select([self.process.stdout], [], [], max(left, 0))[0]
            if not ready:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                return None
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line

    def ask(self, job, seconds):
        """The answer; a crash and a timeout are answers too."""
        try:
            self.process.stdin.write(json.dumps(job).encode() + b"\n")
            self.process.stdin.flush()
            line = self.read_line(seconds)
        except BrokenPipeError:
            line = None
        if line is not None:
            return json.loads(line)
        try:
            # A process at its end needs a moment until it is gone.
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.close()
            return {"verdict": "timeout", "why": f"no answer in {seconds:g} s"}
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip().splitlines()
        name = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        self.close()
        return {"verdict": "crash", "why": ": ".join([name, *said[-1:]])}

    def is_alive(self):
        return self.process.poll() is None

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.errors.close()


def ask_all(command, jobs, workers, seconds, recycle=400):
    """Yields (job, answer) in the order of the jobs. A worker that dies costs one
    job; each is replaced after `recycle` jobs, so that memory stays bounded, and
    after an answer that says it is 'spent'."""
    idle, alive = queue.SimpleQueue(), set()
    for _ in range(workers):
        idle.put((None, 0))

    def answer(job):
        worker, done = idle.get()
        if worker and (done >= recycle or not worker.is_alive()):
            worker.close()
            alive.discard(worker)
            worker = None
        if not worker:
            worker, done = Worker(command), 0
            alive.add(worker)
            worker.ask(None, 600)  # the time that importing takes is not counted
        try:
            reply = worker.ask(job, seconds)
            if reply.pop("spent", False):
                worker.close()
        finally:
            dead = worker.process.returncode is not None
            if dead:
                alive.discard(worker)
            idle.put((None, 0) if dead else (worker, done + 1))
        return job, reply

    pool = concurrent.futures.ThreadPoolExecutor(workers)
    try:
        yield from pool.map(answer, jobs)
    finally:
        for worker in list(alive):  # at work, if the run was interrupted
            worker.process.kill()
        pool.shutdown(cancel_futures=True)
        for worker in list(alive):
            worker.close()


def collect(keys, replies):
    """(engine, program, answer) for each reply, and whether all came: a run that
    is interrupted or terminated still reports those that it has."""
    def stop(*_):
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    answers = []
    try:
        for (engine, program), (_, reply) in zip(keys, replies):
            answers.append((engine, program, reply))
    except KeyboardInterrupt:
        replies.close()
        print(f"interrupted after {len(answers)} of {len(keys)}")
    return answers, len(answers) == len(keys)


def serve(answer, prepare=lambda: None):
    """The other side: prepares, then answers jobs until there are none. What the
    program under test prints does not mix with answers."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        job = json.loads(line)
        reply = prepare() if job is None else answer(job)
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


# ---------------------------------------------------------------------------
# Arguments and tables
# ---------------------------------------------------------------------------

#: Verdicts that make a run fail.
BAD = ("wrong", "crash", "timeout", "broken")


def make_parser(description):
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="workers at a time (default: one a processor)")
    parser.add_argument("--filter", default="",
                        help="regular expression that a program's name matches")
    parser.add_argument("--engine", action="append", choices=list(ENGINES),
                        help="may be given several times (default: all)")
    parser.add_argument("--limit", type=int,
                        help="take so many programs, chosen by --seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=60,
                        help="seconds for one program in one engine")
    parser.add_argument("--json", help="write every verdict to this file")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser


def choose(names, arguments):
    """The names that --filter, --limit and --seed leave, in order."""
    names = [n for n in names if re.search(arguments.filter, n)]
    if arguments.limit is not None and arguments.limit < len(names):
        picked = np.random.default_rng(arguments.seed).permutation(len(names))
        names = [names[i] for i in sorted(picked[:arguments.limit])]
    return names


def print_table(header, rows):
    """Columns as wide as need be; the first is text, the others numbers."""
    rows = [[str(x) for x in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *rows)]
    for row in [header, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [x.rjust(w) for x, w in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip())


def write_json(path, answers):
    """All verdicts; infinite distances are null."""
    items = [dict(answer, engine=engine, program=program)
             for engine, program, answer in answers]
    for item in items:
        if item.get("ulps") == float("inf"):
            item["ulps"] = None
    with open(path, "w", encoding="utf-8") as file:
        json.dump(items, file, indent=1)


def report(answers, engines):
    """Prints a table with a row an engine, then what was refused and what is
    wrong. `answers` are (engine, program, answer); True if nothing is wrong.
    'ours' counts the programs that have ops of ours when they are compiled, the
    columns of ulps the right ones by their worst element."""
    names = [*map(bucket_of, BUCKETS), "far"]
    rows = []
    refusals, bad = collections.Counter(), []
    for engine in engines:
        mine = [(p, a) for e, p, a in answers if e == engine]
        verdicts = collections.Counter(a["verdict"] for _, a in mine)
        ulps = collections.Counter(
            bucket_of(a["ulps"]) for _, a in mine if a["verdict"] == "right")
        rows.append([engine, len(mine), sum(a.get("engaged", 0) for _, a in mine),
                     verdicts["right"], *[ulps[n] for n in names],
                     verdicts["refused"], sum(verdicts[v] for v in BAD)])
        for program, a in mine:
            if a["verdict"] == "refused":
                refusals[engine, summarise_refusal(a["why"])] += 1
            elif a["verdict"] in BAD:
                bad.append((engine, program, a))
    print_table(["engine", "programs", "ours", "right", *names, "refused",
                 "wrong"], rows)
    if refusals:
        print("\nrefused:")
    for (engine, why), count in refusals.most_common():
        print(f"{count:5} {engine}: {why}")
    for engine, program, a in bad:
        print(f"\n{a['verdict']}: {program} in {engine}: {a['why'][:400]}")
    return not bad
