#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much of what results depend on is known, over the programs of the tests.

    bench/dependence.py [--reasons] [FILE ...]

For each function of one block with results and arguments, in all .mlir files of test/ or
those that are named: pairs of a result and an argument whose maps are exact, those whose
maps may hold more than what is read, and those of which nothing is known. Files and parts
of files that are no programs on their own are counted apart.
"""

import argparse
import collections
import pathlib
import re
import sys

import tensoraccess as ta

ROOT = pathlib.Path(__file__).parents[1]


def programs(path):
    text = path.read_text()
    for part in re.split(r"^// -----.*$", text, flags=re.M):
        if "func" in part:
            yield part


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--reasons", action="store_true", help="ops of functions not known")
    options = parser.parse_args()
    files = options.files or sorted((ROOT / "test").rglob("*.mlir"))
    count, unread, culprits = collections.Counter(), 0, collections.Counter()
    for path in files:
        for text in programs(path):
            try:
                module = ta.Module(text)
                functions = [f for f in module.functions if f.name]
            except (ta.Error, UnicodeDecodeError):
                unread += 1
                continue
            for function in functions:
                try:
                    answer = ta.dependence(module, entry=function.name)
                except ta.Error:
                    count["no body of one block"] += 1
                    continue
                count["functions"] += 1
                for row in answer.pairs:
                    for pair in row:
                        lost = any(m.is_unknown for m in pair.maps)
                        kind = "unknown" if lost else "exact" if pair.exact else "superset"
                        count[kind] += 1
                        if kind != "exact" and options.reasons:
                            culprits[f"{path.relative_to(ROOT)} @{function.name}"] += 1
    pairs = count["exact"] + count["superset"] + count["unknown"]
    print(f"{count['functions']} functions, {pairs} pairs of a result and an argument")
    for kind in ("exact", "superset", "unknown"):
        print(f"  {kind:9} {count[kind]:6}  {100 * count[kind] / max(pairs, 1):5.1f} %")
    print(f"not read: {unread} programs; not asked: {count['no body of one block']} functions")
    for name, number in culprits.most_common():
        print(f"  {number:4} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
