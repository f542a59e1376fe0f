#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions of sequences, step by step, against JAX's results of all at once.

    fuzz_streams.py [PROGRAMS [SEED]]      # PYTHONPATH=build/python

Each is a few layers of scans along the sequence and across it, in both directions,
associative scans by random combinations (most of which are not associative), prefix sums,
loops that write by index, rows of tables, shifts, convolutions and attention. What is
streamed must have the elements of the whole, run by the interpreter; what is refused is
counted by reason.
Exits with 1 if an element is wrong.
"""

import collections
import random
import re
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import tensoraccess as ta
from jax import lax

WIDTH = 3


def combination(rng, parts):
    """A tuple of two tuples, by random products, sums and maxima."""

    def term(depth):
        if depth == 0 or rng.random() < 0.25:
            side, part = rng.randrange(2), rng.randrange(parts)
            return lambda p, q: (p, q)[side][part]
        a, b = term(depth - 1), term(depth - 1)
        op = rng.choice([jnp.add, jnp.multiply, jnp.maximum, jnp.subtract, jnp.minimum])
        return lambda p, q: op(a(p, q), b(p, q))

    terms = [term(rng.choice([1, 1, 2])) for _ in range(parts)]
    return lambda p, q: tuple(t(p, q) for t in terms)


KNOWN = [
    lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]),
    lambda p, q: (p[0] + q[0], jnp.logaddexp(p[1], q[1])),
    lambda p, q: (jnp.maximum(p[0], q[0]), p[1] * q[1]),
    lambda p, q: (p[0] * q[0] - p[1] * q[1], p[0] * q[1] + p[1] * q[0]),
    lambda p, q: (p[0] + q[0], p[1] + q[1] + p[0] * q[0]),
    lambda p, q: (q[0], p[1] + q[1]),
    lambda p, q: (p[0], jnp.minimum(p[1], q[1])),
    lambda p, q: (p[0] + q[0], jnp.where(q[0] > 0, q[1], p[1])),
]


def associative(rng):
    known = rng.random() < 0.5
    combine = rng.choice(KNOWN) if known else combination(rng, 2)
    reverse, axis, part = rng.random() < 0.15, int(rng.random() < 0.15), rng.randrange(2)

    def layer(x):
        pair = jax.nn.sigmoid(x), 0.5 * jnp.tanh(x)
        return lax.associative_scan(combine, pair, reverse=reverse, axis=axis)[part]

    return layer


def reset(rng):
    combine = rng.choice([jnp.add, jnp.maximum, jnp.multiply, jnp.subtract])
    at_right = rng.random() < 0.8

    def both(p, q):
        return p[0] | q[0], jnp.where((q if at_right else p)[0], q[1], combine(p[1], q[1]))

    return lambda x: lax.associative_scan(both, (x > 0.5, x))[1]


def prefix(rng):
    op = rng.choice([lax.cumsum, lax.cummax, lax.cummin, lax.cumlogsumexp])
    axis, reverse = int(rng.random() < 0.3), rng.random() < 0.2
    return lambda x: op(jnp.tanh(x), axis=axis, reverse=reverse)


def cell_of(rng):
    a, b = rng.choice([0.5, 0.9]), rng.choice([jnp.tanh, lambda h: h, jnp.sin])
    kind = rng.randrange(3)

    def cell(h, row):
        new = b(a * h + row)
        return new, (new, h, new * row)[kind]

    return cell


def along(rng):
    cell, reverse, unroll = cell_of(rng), rng.random() < 0.2, rng.choice([1, 1, 2, 3, True])
    return lambda x: lax.scan(cell, jnp.zeros(WIDTH), x, reverse=reverse, unroll=unroll)[1]


def across(rng):
    cell, reverse = cell_of(rng), rng.random() < 0.5
    if rng.random() < 0.5:
        return jax.vmap(lambda row: lax.scan(cell, 0.0, row, reverse=reverse)[1])
    return lambda x: lax.scan(cell, jnp.zeros(len(x)), x.T, reverse=reverse)[1].T


def fixed_point(rng):
    trips, f = rng.randint(1, 4), rng.choice([jnp.sin, lambda y: 0.5 * y])
    leak = rng.random() < 0.2

    def layer(x):
        def trip(i, y):
            return f(y + x * i) + (y.mean(0) if leak else 0)

        return lax.fori_loop(0, trips, trip, x)

    return layer


def writes(rng):
    """Element t by elements before it, at it, or by chance after it."""
    first = rng.choice([0, 0, 1, 2])
    back = rng.randint(0, first + (rng.random() < 0.1))
    ahead = rng.choice([0, 0, 0, 1])
    way = rng.choice(["set", "add", "multiply", "max", "slice"])

    def layer(x):
        def trip(t, y):
            new = 0.5 * y[t - back] + x[t + ahead]
            if way == "slice":
                return lax.dynamic_update_slice(y, new[None], (t, 0))
            return getattr(y.at[t], way)(new)

        last = len(x) - (rng.random() < 0.05)
        return lax.fori_loop(first, last, trip, 0.1 * x)

    return layer


def shifted(rng):
    n = rng.choice([1, 2, -1])

    def layer(x):
        zeros = jnp.ones((abs(n), WIDTH))
        parts = [zeros, x[:-n]] if n > 0 else [x[-n:], zeros]
        return x * jnp.concatenate(parts)

    return layer


def flipped(rng):
    return lambda x: x + jnp.flip(x, int(rng.random() < 0.7))


def convolved(rng):
    low = rng.choice([2, 2, 1])
    w = np.random.default_rng(rng.randrange(99)).uniform(-1, 1, (3, WIDTH, WIDTH))
    return lambda x: lax.conv_general_dilated(
        x[None], w.astype(np.float32), (1,), ((low, 2 - low),),
        dimension_numbers=("NWC", "WIO", "NWC"))[0]  # fmt: skip


def attention(rng):
    k = rng.choice([0, 0, 0, 1])

    def layer(x):
        mask = jnp.tri(len(x), k=k, dtype=bool)
        return jax.nn.softmax(jnp.where(mask, x @ x.T, -jnp.inf)) @ x

    return layer


def looked_up(rng):
    """Rows of a table, by numbers made of elements and by their places."""
    table = np.random.default_rng(rng.randrange(99)).uniform(-1, 1, (16, WIDTH))
    table, column, ahead = table.astype(np.float32), rng.randrange(WIDTH), rng.random() < 0.1

    def layer(x):
        rows = (8 * jnp.abs(x[:, column])).astype(int)
        rows = jnp.roll(rows, -1) if ahead else rows
        return 0.5 * jnp.asarray(table)[rows] + jnp.asarray(table)[jnp.arange(len(x)) + 2] * x

    return layer


def elementwise(rng):
    return rng.choice(
        [
            jnp.tanh,
            lambda x: x * jnp.arange(1.0, len(x) + 1)[:, None] / 8,
            lambda x: x - x.mean(rng.choice([1, 1, 0]), keepdims=True),
            lambda x: jnp.where(x > 0, x, 0.1 * x),
        ]
    )


LAYERS = [
    associative, associative, associative, reset, prefix, along, across, fixed_point,
    writes, writes, shifted, flipped, convolved, attention, elementwise,
    looked_up,
]  # fmt: skip


def program(rng):
    layers = [rng.choice(LAYERS)(rng) for _ in range(rng.choice([1, 1, 2, 3]))]

    def f(x):
        for layer in layers:
            x = layer(x)
        return x

    return f


def check(seed):
    """None where the stream is right, "refused: …", or what is wrong."""
    rng = random.Random(seed)
    length = rng.choice([1, 2, 3, 4, 5, 6, 8, 9, 12])
    step = rng.choice([n for n in (1, 1, 2, 3, length) if length % n == 0])
    state = rng.getstate()
    f = program(rng)
    x = np.random.default_rng(seed).uniform(-1, 1, (length, WIDTH)).astype(np.float32)
    whole = np.asarray(jax.jit(f)(x))
    rng.setstate(state)
    try:
        stream = ta.stream(program(rng), x, axis={0: 0}, step=step)
    except ta.Error as error:
        return "refused: " + str(error).split("streamed: ")[-1]
    init, run = (stream.module.interpret(entry) for entry in ("init", "step"))
    kept = init()
    kept = kept if isinstance(kept, tuple) else () if kept is None else (kept,)
    for p in range(0, length, step):
        out = run(*kept, x[p : p + step])
        *kept, y = out if isinstance(out, tuple) else (out,)
        if not np.allclose(y, whole[p : p + step], 1e-3, 1e-4, equal_nan=True):
            return f"wrong at {p}: {y} for {whole[p : p + step]}"
    return None


def main(programs=100, seed=0):
    begin, right, refused, wrong = time.monotonic(), 0, collections.Counter(), 0
    for number in range(int(seed), int(seed) + int(programs)):
        answer = check(number)
        if answer is None:
            right += 1
        elif answer.startswith("refused"):
            refused[re.sub(r"\d+", "n", answer)] += 1
        else:
            wrong += 1
            print(f"program {number}: {answer}", flush=True)
    for reason, count in refused.most_common():
        print(f"{count:6} {reason}")
    print(f"{right} streamed, {sum(refused.values())} refused, {wrong} wrong "
          f"in {time.monotonic() - begin:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
