#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""So many random programs, of all fuzzers that compare what programs compute.

    bench/fuzz_all.py --programs 100000 [--seed S] [--out DIR]  # PYTHONPATH=build/python

Six of ten are StableHLO of static sizes and every element type (fuzz_programs.py),
four are of unknown sizes: our dialect, linalg, TOSA, tensor, and StableHLO whose
sizes are operands (fuzz_sizes.py). Each program runs interpreted, compiled, compiled
plainly, and compiled once it is raised, and is compared with NumPy.

Exits with 1 if anything was wrong, crashed, or took too long.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time

#: Fuzzer, its share of ten, and its other arguments.
FUZZERS = [
    ("fuzz_programs.py", 6, ["--opt-level", "0"] + [word for engine in ("interpret", "jit", "plain", "raise")
                                                    for word in ("--engine", engine)]),
    ("fuzz_sizes.py", 4, ["--pipelines", "0"]),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="the first program's number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", type=pathlib.Path, help="folder for programs that went wrong")
    options = parser.parse_args()
    codes = []
    for fuzzer, share, more in FUZZERS:
        begin, count = time.monotonic(), max(options.programs * share // 10, 1)
        command = [sys.executable, pathlib.Path(__file__).parent / fuzzer, "--programs", str(count),
                   "--seed", str(options.seed), "--jobs", str(options.jobs), *more]
        if options.out:
            command += ["--out", options.out / fuzzer.removesuffix(".py")]
        codes.append(subprocess.run(command, check=False).returncode)
        print(f"{fuzzer}: {count} programs in {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
