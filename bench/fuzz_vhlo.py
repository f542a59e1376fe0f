#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged portable artifacts: each is read, or refused; nothing crashes or hangs.

    bench/fuzz_vhlo.py PATH [...] [--artifacts N] [--seed S] [--jobs J]
                                                 # PYTHONPATH=build/python

PATHs are artifacts, or folders of them. An artifact is damaged in a few places: bits and
bytes are changed, left out or written twice, numbers become very large, parts of two
artifacts are exchanged, and ends are cut off. What is read is printed. Each job has a
limit of memory of its own; exits with 1 if one of them dies, or needs more than a second
for an artifact. The last artifact of a job is in the folder that --last names.
"""
import argparse
import os
import pathlib
import random
import resource
import sys
import time

import tensoraccess as ta

#: What numbers become: lengths of nine bytes, of two, and small ones.
NUMBERS = [b"\x00" + b"\xff" * 8, b"\x00" + b"\x00" * 7 + b"\x10", b"\xfe\xff",
           b"\xfc\xff\xff", b"\x01", b"\x03", b"\xff"]


def damage(data, rng, others):
    data = bytearray(data)
    # The producer stays: what follows is read by the same reader.
    begin = data.index(0) + 1
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        if len(data) <= begin + 2:
            break
        at = rng.randrange(begin, len(data))
        kind = rng.randrange(8)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at] = rng.randrange(256)
        elif kind == 2:
            # A number a little other than it was.
            data[at] = (data[at] + rng.choice((-4, -2, 2, 4))) % 256
        elif kind == 3:
            number = rng.choice(NUMBERS)
            data[at:at + rng.choice((1, len(number)))] = number
        elif kind == 4:
            del data[at:at + rng.randint(1, 8)]
        elif kind == 5:
            data[at:at] = data[at:at + rng.randint(1, 8)]
        elif kind == 6:
            other = rng.choice(others)
            start, size = rng.randrange(len(other)), rng.randint(1, 32)
            data[at:at + size] = other[start:start + size]
        else:
            del data[at:]
    return bytes(data)


def run(options, job, artifacts):
    resource.setrlimit(resource.RLIMIT_AS, (options.memory << 30,) * 2)
    rng = random.Random(options.seed * 1000 + job)
    last = open(options.last / f"last-{job}.bc", "wb", buffering=0)
    read = slow = 0
    for _ in range(options.artifacts // options.jobs):
        data = damage(rng.choice(artifacts), rng, artifacts)
        last.seek(0)
        last.truncate()
        last.write(data)
        start = time.process_time()
        try:
            ta.Module(data).asm(generic=True, locations=True)
            read += 1
        except ta.Error:
            pass
        if time.process_time() - start > 1:
            slow += 1
            (options.last / f"slow-{job}-{slow}.bc").write_bytes(data)
    last.close()
    (options.last / f"last-{job}.bc").unlink()
    print(f"job {job}: {options.artifacts // options.jobs} damaged artifacts: {read} read, "
          f"{slow} slow", flush=True)
    return slow != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--artifacts", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--memory", type=int, default=4, help="of a job, in GiB")
    parser.add_argument("--last", type=pathlib.Path, default=pathlib.Path("."))
    options = parser.parse_args()
    files = [inner for file in options.files
             for inner in (sorted(file.glob("*.bc")) if file.is_dir() else [file])]
    artifacts = [file.read_bytes() for file in files]
    children = []
    for job in range(options.jobs):
        child = os.fork()
        if child == 0:
            os._exit(run(options, job, artifacts))
        children.append(child)
    failed = [os.waitpid(child, 0)[1] for child in children]
    print(f"{sum(code != 0 for code in failed)} of {options.jobs} jobs failed {failed}")
    return any(failed)


if __name__ == "__main__":
    sys.exit(main())
