# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass on random modules: valid IR, or an error with a place.

    python bench/fuzz_passes.py --build build --programs 400 --seed 1
    python bench/fuzz_passes.py --build build --seconds 3600 --findings found
    python bench/fuzz_passes.py --build build --corpus test --seconds 600

Modules (fuzz_modules.py) go through `tensoraccess-opt` many at a time. What a
pass makes is read by a second process, as text, in generic form or as bytecode,
and is what the next pass is given, up to --depth of them. Passes are those that
`tensoraccess-opt --help-all` lists. What counts as a finding:

    crash     the process ends by a signal, with LLVM's fatal error, or with a
              sanitizer's report (of a build with sanitizers, leaks included)
    hang      it takes longer than --timeout for one module
    silent    a pass fails and says nothing
    invalid   what it made cannot be read or is not valid
    changed   what it made reads as something else in another form

With --corpus, the modules are the parts of all .mlir files in a folder. A
finding is shown with the seed and the passes, is made smaller line by line, and
is written to --findings. The exit code is 1 if there is one.
"""
import argparse
import collections
import itertools
import pathlib
import random
import re
import subprocess
import sys
import time

from fuzz_modules import make_module

MARK = "// -----"
# Options beside the defaults, and those without which a pass does nothing.
OPTIONS = {
    "tensoraccess-annotate-indexing": ("fused", "direction=input-to-output"),
    "tensoraccess-saturate": ("rules=access", "rules=arith", "rules=math", "rules=linalg",
                              "rules=access,compute,linalg,arith"),
    "tensoraccess-lower-asserts": ("handler=give_up", "handler="),
    "tensoraccess-stablehlo-to-linalg": ("strict",),
    "tensoraccess-assign-layouts": ("target=systolic-16x16",),
    "tensoraccess-form-projections": ("items-as-axes",),
    "tensoraccess-tile": ("sizes=2,2",),
}
FATAL = ("LLVM ERROR", "PLEASE submit a bug report", "terminate called", "Sanitizer")


class Tool:
    def __init__(self, build, timeout):
        self.opt, self.timeout = build / "bin" / "tensoraccess-opt", timeout

    def run(self, text, *flags, limit=None):
        """Exit status (None after a timeout), what it made and what it said."""
        command = [self.opt, "-", "--split-input-file", "--allow-unregistered-dialect", *flags]
        try:
            done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=limit or self.timeout)
        except subprocess.TimeoutExpired:
            return None, b"", ""
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    def passes(self):
        help_text = subprocess.run([self.opt, "--help-all"], capture_output=True, text=True, check=True).stdout
        names = sorted(set(re.findall(r"^ +--(tensoraccess-[a-z0-9-]+) ", help_text, re.M)))
        flags = [[f"--{name}"] for name in names]
        flags += [[f"--{name}={option}"] for name in names for option in OPTIONS.get(name, ())]
        return flags + [["--canonicalize", "--cse"]]


def split(text):
    return [part.strip("\n") for part in text.split(MARK)]


def join(modules):
    return f"\n{MARK}\n".join(modules) + "\n"


def is_crash(status, said):
    return status is not None and (status < 0 or status >= 128 or any(text in said for text in FATAL))


class Fuzzer:
    def __init__(self, tool, arguments):
        self.tool, self.arguments = tool, arguments
        self.flags = [flags for flags in tool.passes() if re.search(arguments.only, flags[0])]
        self.rng = random.Random(arguments.seed)
        self.counts = collections.Counter()
        self.findings = {}

    # Questions to the tool. Each module is answered for by itself.

    def failing_parts(self, modules, said):
        """Modules that an error names: by the line where their part begins."""
        lines = list(itertools.accumulate([module.count("\n") + 2 for module in modules], initial=1))
        failed = set()
        for line in re.findall(r"^(?:within split at )?<stdin>:(\d+)(?: offset.*|:\d+): error", said, re.M):
            failed.add(sum(begin <= int(line) for begin in lines) - 1)
        return failed

    def valid(self, modules):
        """Those that are valid, after reports of those that cannot be refused."""
        status, _, said = self.tool.run(join(modules), "-o", "/dev/null")
        failed = self.failing_parts(modules, said)
        crashed = is_crash(status, said)
        if crashed or (status != 0 and not failed):
            if len(modules) > 1:
                return [m for m in modules if self.valid([m])]
            if crashed or status is None:
                self.report("crash" if crashed else "hang", modules[0], [], self.summary(said))
            return []
        return [module for i, module in enumerate(modules) if i not in failed]

    def apply(self, modules, flags):
        """The result of the passes for each: a text, or None where they fail."""
        single = len(modules) == 1
        limit = self.tool.timeout if single else 2 * self.tool.timeout
        status, made, said = self.tool.run(join(modules), *flags, limit=limit)
        if status is None or is_crash(status, said):
            if not single:
                return [result for module in modules for result in self.apply([module], flags)]
            kind = "hang" if status is None else "crash"
            self.report(kind, modules[0], flags, self.summary(said))
            return [None]
        parts = split(made.decode(errors="replace"))
        if len(parts) != len(modules):
            parts = [""] * len(modules) if not single else [parts[0]]
        failed = self.failing_parts(modules, said)
        results = []
        for i, (module, part) in enumerate(zip(modules, parts)):
            if part:
                results.append(part)
                continue
            results.append(None)
            if i in failed or not module.strip():
                continue
            if single:
                # An error of the passes' options has no place in a module.
                if "error:" not in said:
                    self.report("silent", module, flags, "fails without an error")
            else:
                results[-1] = self.apply([module], flags)[0]
        return results

    def check(self, before, made, flags):
        """Reports what cannot be read, and what reads as something else."""
        form = self.rng.choice(("text", "text", "generic", "bytecode"))
        extra = {"text": (), "generic": ("--mlir-print-op-generic",), "bytecode": ()}[form]
        status, again, said = self.tool.run(join(made), *extra, limit=2 * self.tool.timeout)
        failed = self.failing_parts(made, said)
        if (status != 0 and not failed) or is_crash(status, said):
            if len(made) > 1:
                return [ok for b, m in zip(before, made) for ok in self.check([b], [m], flags)]
            failed = {0}
        texts = split(again.decode(errors="replace"))
        for i in failed:
            one = self.tool.run(made[i], "-o", "/dev/null")
            self.report("invalid", before[i], flags, self.summary(one[2]))
        if len(texts) != len(made):
            return [i not in failed for i in range(len(made))]
        if form == "generic":
            _, back, _ = self.tool.run(join([text or "module {}" for text in texts]), limit=2 * self.tool.timeout)
            texts = split(back.decode(errors="replace"))
        if form == "bytecode":
            i = self.rng.randrange(len(made))
            if i not in failed:
                texts[i] = self.through_bytecode(made[i])
        for i, (text, first) in enumerate(zip(texts, made)):
            if i not in failed and text != first:
                self.report("changed", before[i], flags, f"reads as something else ({form})")
        return [i not in failed for i in range(len(made))]

    def through_bytecode(self, module):
        command = [self.tool.opt, "--allow-unregistered-dialect", "-"]
        first = subprocess.run(command + ["--emit-bytecode"], input=module.encode(), capture_output=True)
        second = subprocess.run(command, input=first.stdout, capture_output=True)
        return second.stdout.decode(errors="replace").strip("\n")

    # What is found.

    @staticmethod
    def summary(said):
        errors = re.findall(r"LLVM ERROR.*|SUMMARY: .*Sanitizer: .*", said) or re.findall(r"error: (.*)", said)
        if errors:
            return errors[0][:160]
        frames = re.findall(r"#\d+ 0x[0-9a-f]+ (\S+)", said)
        return " < ".join(frame for frame in frames if "Signal" not in frame)[:160] or "no message"

    def report(self, kind, module, flags, message):
        signature = (kind, " ".join(flags), re.sub(r"\d+|%\w+|@\w+|<[^>]*>", "#", message))
        self.counts[kind] += 1
        if signature in self.findings:
            return
        self.findings[signature] = module
        print(f"{kind}: {' '.join(flags)}: {message}", flush=True)
        if self.arguments.reduce:
            module = self.reduce(kind, module, flags)
        text = f"// {kind}: tensoraccess-opt {' '.join(flags)}\n// {message}\n{module}\n"
        if self.arguments.findings:
            self.arguments.findings.mkdir(parents=True, exist_ok=True)
            name = f"{len(self.findings):03}-{kind}-{(flags or ['read'])[0].strip('-').split('=')[0]}.mlir"
            (self.arguments.findings / name).write_text(text)
        else:
            print(text, flush=True)

    def shows(self, kind, module, flags):
        if flags and not self.valid([module]):
            return False
        status, made, said = self.tool.run(module, *flags)
        if kind == "hang":
            return status is None
        if kind == "crash":
            return is_crash(status, said)
        if status is None or is_crash(status, said):
            return False
        if kind == "silent":
            return status != 0 and "error:" not in said
        made = made.decode(errors="replace").strip("\n")
        if status != 0 or kind == "changed":
            return False
        return self.tool.run(made, "-o", "/dev/null")[0] != 0

    def reduce(self, kind, module, flags):
        """Leaves out lines as long as it still happens."""
        if kind in ("hang", "changed"):
            return module
        lines, end = module.split("\n"), time.monotonic() + 60
        size = max(len(lines) // 2, 1)
        while size:
            at = 0
            while at < len(lines) and time.monotonic() < end:
                rest = lines[:at] + lines[at + size:]
                if rest and self.shows(kind, "\n".join(rest), flags):
                    lines = rest
                else:
                    at += size
            size //= 2
        return "\n".join(lines)

    # Rounds.

    def chain(self, modules):
        """Passes one after the other, each on what the one before made."""
        path = []
        for _ in range(self.rng.randint(1, self.arguments.depth)):
            flags = self.rng.choice(self.flags)
            path.append(" ".join(flags))
            made = self.apply(modules, flags)
            pairs = [(b, m) for b, m in zip(modules, made) if m is not None]
            self.counts["runs"] += len(modules)
            self.counts["made"] += len(pairs)
            if not pairs:
                return
            before, after = map(list, zip(*pairs))
            good = self.check(before, after, flags)
            modules = [m for m, ok in zip(after, good) if ok]
            if not modules:
                return

    def run(self):
        arguments, begin = self.arguments, time.monotonic()
        corpus = read_corpus(arguments.corpus) if arguments.corpus else None
        for number in itertools.count():
            seeds = range(number * arguments.batch, (number + 1) * arguments.batch)
            if (arguments.programs and seeds[0] >= arguments.programs) or \
                    (arguments.seconds and time.monotonic() - begin > arguments.seconds):
                break
            if corpus is not None:
                modules = [self.rng.choice(corpus) for _ in seeds]
            else:
                modules = [make_module(arguments.seed * 10**9 + seed) for seed in seeds]
            good = self.valid(modules)
            self.counts["modules"] += len(good)
            self.counts["refused"] += len(modules) - len(good)
            if good:
                self.chain(good)
        return self.counts


def read_corpus(folder):
    """The modules of a folder's files, but for those that hold what upstream's folds,
    which run in every pass, are known to do wrongly."""
    modules = []
    for path in sorted(folder.rglob("*.mlir")):
        if path.stat().st_size < 40000 and not path.name.startswith(("canonicalize", "guard-folds")):
            modules += split(path.read_text(errors="replace"))
    return [module for module in modules if module.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=int, help="how many modules")
    parser.add_argument("--seconds", type=float, help="how long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=40, help="modules of a process")
    parser.add_argument("--depth", type=int, default=3, help="most passes one after the other")
    parser.add_argument("--timeout", type=float, default=30, help="seconds of one module")
    parser.add_argument("--only", default="", help="a pattern of the passes")
    parser.add_argument("--corpus", type=pathlib.Path, help="modules of .mlir files in a folder instead")
    parser.add_argument("--findings", type=pathlib.Path, help="a folder for what is found")
    parser.add_argument("--no-reduce", dest="reduce", action="store_false")
    arguments = parser.parse_args()
    if not arguments.programs and not arguments.seconds:
        parser.error("--programs or --seconds, one of them is needed")
    counts = Fuzzer(Tool(arguments.build, arguments.timeout), arguments).run()
    kinds = ("crash", "hang", "silent", "invalid", "changed")
    print(f"{counts['modules']} modules ({counts['refused']} not valid), {counts['runs']} runs, "
          f"{counts['made']} made something; " + ", ".join(f"{counts[kind]} {kind}" for kind in kinds))
    sys.exit(any(counts[kind] for kind in kinds))


if __name__ == "__main__":
    main()
