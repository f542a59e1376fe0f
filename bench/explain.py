#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes and operations that we and XLA count in compiled programs, side by side.

    bench/explain.py [--only NAME] [--large N]   # PYTHONPATH=build/python

The functions are those of bench/hlo_dumps.py. Bytes are those of `ta.explain` and of
`cost_analysis()`; a bound is written as two numbers. Then a dump of N instructions
(10,000) is explained, as tables and as a page. docs/XLA.md says why the two differ
where they do.
"""
import argparse
import sys
import time

import hlo_dumps
import jax
import numpy as np

import tensoraccess as ta


def show(count):
    if not isinstance(count, dict):
        return f"{count:,}"
    return f"{count.get('at_least', 0):,} to {count.get('at_most', '?'):,}" if "at_most" in count \
        else f"at least {count.get('at_least', 0):,}"


def compare(name):
    function, *shapes = hlo_dumps.FUNCTIONS[name]
    rng = np.random.default_rng(1)
    args = [hlo_dumps.make_argument(shape, rng) for shape in shapes]
    compiled = jax.jit(function, keep_unused=True).lower(*args).compile()
    costs = compiled.cost_analysis() or {}
    totals = ta.explain(compiled).totals
    theirs = costs.get("bytes accessed", -1)
    flops = costs.get("flops", 0) + costs.get("transcendentals", 0)
    isEqual = totals["bytes"] == theirs
    print(f"{name:16} bytes {show(totals['bytes']):>18} {theirs:>10,.0f} {'=' if isEqual else ' '}"
          f"  operations {show(totals['operations']):>18} {flops:>10,.0f}"
          f" {'=' if totals['operations'] == flops else ''}".rstrip())
    return isEqual, totals["operations"] == flops


def time_large(count):
    lines = ["HloModule large, is_scheduled=true", "ENTRY main {", "  x.0 = f32[64,64]{1,0} parameter(0)"]
    for i in range(1, count):
        opcode = ("add", "multiply", "subtract")[i % 3]
        lines.append(f"  x.{i} = f32[64,64]{{1,0}} {opcode}(x.{i - 1}, x.{max(0, i - 7)}), "
                     f'metadata={{op_name="jit(f)/{opcode}{i}" source_file="f.py" source_line={i}}}')
    lines[-1] = "  ROOT " + lines[-1].strip()
    text = "\n".join(lines + ["}"])
    best = {}
    for _ in range(3):
        for what, run in (("read", lambda: ta.Module(text, layouts=True)),
                          ("explained", lambda: ta.explain(text)),
                          ("page", lambda: ta.explain(text).page())):
            start = time.perf_counter()
            result = run()
            best[what] = min(best.get(what, 1e9), time.perf_counter() - start)
    print(f"{count:,} instructions: " + ", ".join(f"{what} in {s:.2f} s" for what, s in best.items())
          + f"; the page has {len(result.html) / 1e6:.1f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=hlo_dumps.FUNCTIONS, help="this function alone")
    parser.add_argument("--large", type=int, default=10000, metavar="N")
    options = parser.parse_args()
    names = [options.only] if options.only else list(hlo_dumps.FUNCTIONS)
    equal = [compare(name) for name in names]
    print(f"bytes equal in {sum(b for b, _ in equal)}, operations in {sum(o for _, o in equal)}, of {len(equal)}")
    time_large(options.large)


if __name__ == "__main__":
    sys.exit(main())
