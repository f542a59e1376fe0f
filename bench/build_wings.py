#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What it takes to build wings (cmake/Wings.cmake) from nothing, without ccache.

    bench/build_wings.py [--jobs N] [--out DIR] [WING[;WING...]...]

Each list of wings is configured in a folder of its own and built with what it links;
prints CPU-seconds, seconds and compiled files. Default: ops, front, rewrite, doors.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def get_cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def build(wings, folder, jobs):
    """CPU-seconds, seconds and the number of objects of a build from nothing."""
    options = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
               "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22",
               "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld-22",
               "-DCMAKE_MODULE_LINKER_FLAGS=-fuse-ld=lld-22",
               f"-DTENSORACCESS_WINGS={wings}"]
    configured = subprocess.run(["cmake", "-S", ROOT, "-B", folder, *options],
                                capture_output=True, text=True)
    if configured.returncode:
        sys.exit(configured.stdout + configured.stderr)
    cpu, start = get_cpu_seconds(), time.monotonic()
    subprocess.run(["ninja", "-C", folder, "-j", str(jobs)], check=True,
                   stdout=subprocess.DEVNULL,
                   env=os.environ | {"CCACHE_DISABLE": "1"})
    objects = sum(1 for _ in pathlib.Path(folder).rglob("*.cpp.o"))
    return get_cpu_seconds() - cpu, time.monotonic() - start, objects


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wings", nargs="*",
                        default=["ops", "front", "rewrite", "doors"])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", help="where to build (default: a temporary folder)")
    args = parser.parse_args()
    print("| wings | CPU-seconds | seconds | compiled files |\n|---|---|---|---|")
    for wings in args.wings:
        folder = tempfile.mkdtemp(dir=args.out)
        try:
            cpu, wall, objects = build(wings, folder, args.jobs)
        finally:
            shutil.rmtree(folder)
        print(f"| {wings} | {cpu:.0f} | {wall:.0f} | {objects} |", flush=True)


if __name__ == "__main__":
    main()
