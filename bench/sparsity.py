#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparsity of derivatives against asdex, on the functions of asdex's own tests.

    bench/sparsity.py TESTS [PYTEST OPTIONS]

TESTS are files or folders of tests of asdex's source archive; asdex, and what it needs,
must be importable. Each call of its `jacobian_sparsity` and `hessian_sparsity` for all
arguments is answered by TensorAccess, too: for the function of JAX, and for its StableHLO
alone. Both are compared with JAX's derivatives at six random points; leave out
test_while.py, whose loops do not end at all of them.
"""

import sys

import asdex
import jax
import numpy as np
import pytest
import tensoraccess as ta

SCALES = [1, 0.3, 3, 1, 2, 0.1]
MAX_ENTRIES = 200_000


def observe(kind, f, args):
    """The entries that are not zero at some point."""
    rng = np.random.default_rng(0)

    def replace(leaf, scale):
        if not jax.numpy.issubdtype(leaf.dtype, jax.numpy.inexact):
            return leaf
        return jax.numpy.asarray(rng.standard_normal(leaf.shape) * scale, leaf.dtype)

    seen = False
    for scale in SCALES:
        point = jax.tree.map(lambda leaf: replace(leaf, scale), args)
        if kind == "jacobian":
            blocks = [jax.tree.leaves(y) for y in zip(jax.tree.leaves(jax.jacobian(f)(*point)))]
            rows = [b[0].reshape(-1, point[0].size) for b in blocks]
            found = np.concatenate([np.asarray(r) for r in rows])
        else:
            found = np.asarray(jax.hessian(lambda x: f(x).sum())(*point))
            found = found.reshape(point[0].size, point[0].size)
        seen = seen | (np.isfinite(found) & (found != 0))
    return seen


class Comparison:
    def __init__(self):
        self.rows, self.test = [], ""

    def wrap(self, kind, original, own):
        def run(f, *args, **options):
            theirs = original(f, *args, **options)
            try:
                self.compare(kind, f, args, options, theirs, own)
            except Exception as e:  # What is not compared is counted.
                self.rows.append((kind, None, f"{self.test}: {type(e).__name__}: {e}"))
            return theirs

        return run

    def compare(self, kind, f, args, options, theirs, own):
        if options or len(args) != 1:
            raise ValueError("several arguments")
        theirs = np.asarray(theirs.todense()).astype(bool)
        if theirs.size > MAX_ENTRIES:
            raise ValueError("too large")

        def narrow(x):
            return x if isinstance(x, jax.ShapeDtypeStruct) else jax.numpy.asarray(x)

        args = jax.tree.map(narrow, args)
        ours = own(f, *args).pattern.toarray()
        ops = own(ta.Module(jax.jit(f, keep_unused=True).lower(*args))).pattern.toarray()
        if not ours.shape == ops.shape == theirs.shape:
            raise ValueError(f"shapes {ours.shape}, {ops.shape} and {theirs.shape}")
        self.rows.append((kind, (ours, ops, theirs, observe(kind, f, args)), self.test))

    def pytest_runtest_setup(self, item):
        self.test = item.nodeid

    def report(self):
        faults = 0
        for kind in ("jacobian", "hessian"):
            rows = [row[1:] for row in self.rows if row[0] == kind and row[1]]
            print(f"{kind}: {len(rows)} functions")
            for name, index in [("JAX's products", 0), ("StableHLO", 1), ("asdex", 2)]:
                misses = [t for p, t in rows if (p[3] & ~p[index]).any()]
                larger = [t for p, t in rows if (p[index] & ~p[2]).any()]
                same = sum((p[index] == p[3]).all() for p, _ in rows)
                print(
                    f"  {name:14} equal to what points show {same:4}, misses entries "
                    f"{len(misses)}, has entries that asdex has not {len(larger)}"
                )
                for test in (*misses, *larger):
                    print(f"    {test}")
                faults += len(misses) if index < 2 else 0
        others = [row[2] for row in self.rows if not row[1]]
        print(f"not compared: {len(others)}")
        for reason in others:
            print(f"    {reason.splitlines()[0][:120]}")
        return faults


def main(arguments):
    if not arguments:
        print(__doc__)
        return 1
    comparison = Comparison()
    for kind, own in [("jacobian", ta.jacobian_sparsity), ("hessian", ta.hessian_sparsity)]:
        name = f"{kind}_sparsity"
        setattr(asdex, name, comparison.wrap(kind, getattr(asdex, name), own))
    pytest.main(["-q", "-p", "no:cacheprovider", *arguments], plugins=[comparison])
    return 1 if comparison.report() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
