#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The contracts of test/Models/causal at full size: verdicts, and how long they take.

    bench/contracts.py [--size small|full] [NAME ...]

Models are lowered by JAX and checked by tensoraccess-opt's pass, through
tensoraccess.prove. The time is that of one proof, or of a search for a witness with its
runs; reading the program is apart.
"""

import argparse
import pathlib
import sys
import time

import jax
import tensoraccess as ta

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "test" / "Models" / "causal"))

import holds  # noqa: E402
import leaks  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="models (default: all)")
    parser.add_argument("--size", choices=["small", "full"], default="full")
    parser.add_argument("--max-operations", type=int, default=1 << 31)
    options = parser.parse_args()
    faults = 0
    for make, wanted in [(m, "proved") for m in holds.MODELS] + [
        (m, "refuted") for m in leaks.MODELS
    ]:
        if options.names and make.__name__ not in options.names:
            continue
        model, args, contract = make(options.size)
        module = ta.Module(jax.jit(model, keep_unused=True).lower(*args))
        start = time.perf_counter()
        proof = ta.prove(module, contract, max_operations=options.max_operations)
        seconds = time.perf_counter() - start
        ok = proof.verdict == wanted
        faults += not ok
        rest = proof.condition or (proof.reason if proof.verdict != "proved" else "")
        print(
            f"{make.__name__:20} {wanted:8} {proof.verdict:8} {seconds * 1000:9.0f} ms  {rest}",
            flush=True,
        )
    print(f"{faults} verdicts are not what they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
