#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of streamed functions beside steps that people write for jax.jit.

    taskset -c 0 python3 bench/streams.py [--only REGEX] [--rounds N] [--time N] [--width N]

A row is a program, bytes of our state and of that written by hand, our best time of a
step and that of jax.jit in microseconds, each with the state kept and with the state
donated, in turns and from one state to the next; the ratio of the better ones (less than
1: we are faster), and the largest difference of a result.
"""

import argparse
import re
import time

import jax
import jax.numpy as jnp
import numpy as np
import tensoraccess as ta
from jax import lax


def attention(x, wq, wk, wv):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = jnp.where(jnp.tri(len(x), dtype=bool), q @ k.T, -jnp.inf)
    return jax.nn.softmax(scores) @ v


def attention_init(wq, wk, wv):
    return jnp.zeros((), jnp.int32), jnp.zeros((TIME, WIDTH)), jnp.zeros((TIME, WIDTH))


def attention_step(state, x, wq, wk, wv):
    t, keys, values = state
    keys = lax.dynamic_update_slice(keys, x @ wk, (t, 0))
    values = lax.dynamic_update_slice(values, x @ wv, (t, 0))
    scores = jnp.where(jnp.arange(TIME) <= t, (x @ wq) @ keys.T, -jnp.inf)
    return (t + 1, keys, values), jax.nn.softmax(scores) @ values


def grouped(x, wq, wk, wv):
    q = (x @ wq).reshape(len(x), 4, -1).swapaxes(0, 1)
    k, v = (jnp.repeat((x @ w)[None], 4, 0) for w in (wk, wv))
    scores = jnp.where(jnp.tri(len(x), dtype=bool), q @ k.swapaxes(1, 2), -jnp.inf)
    return (jax.nn.softmax(scores) @ v).swapaxes(0, 1).reshape(len(x), -1)


def grouped_init(wq, wk, wv):
    keys, values = (jnp.zeros((TIME, WIDTH // 4)) for _ in range(2))
    return jnp.zeros((), jnp.int32), keys, values


def grouped_step(state, x, wq, wk, wv):
    t, keys, values = state
    keys = lax.dynamic_update_slice(keys, x @ wk, (t, 0))
    values = lax.dynamic_update_slice(values, x @ wv, (t, 0))
    q = (x @ wq).reshape(4, -1)
    scores = jnp.where(jnp.arange(TIME) <= t, q @ keys.T, -jnp.inf)
    return (t + 1, keys, values), (jax.nn.softmax(scores) @ values).reshape(1, -1)


def causal_conv(x, w, dilation=1):
    return lax.conv_general_dilated(
        x[None], w, (1,), (((len(w) - 1) * dilation, 0),), rhs_dilation=(dilation,),
        dimension_numbers=("NWC", "WIO", "NWC"))[0]


def tcn(x, w1, w2):
    return x + causal_conv(jax.nn.relu(causal_conv(x, w1)), w2, 2)


def tcn_init(w1, w2):
    return jnp.zeros((2, WIDTH)), jnp.zeros((4, WIDTH))


def tcn_step(state, x, w1, w2):
    first, second = (jnp.concatenate([s, r]) for s, r in ((state[0], x), (state[1], x)))
    h = jax.nn.relu(jnp.einsum("kc,kcd->d", first, w1))[None]
    second = jnp.concatenate([state[1], h])
    y = x + jnp.einsum("kc,kcd->d", second[::2], w2)[None]
    return (first[1:], second[1:]), y


def pool(x):
    return lax.reduce_window(x, -np.inf, lax.max, (8, 1), (1, 1), ((7, 0), (0, 0)))


def pool_init():
    return jnp.full((7, WIDTH), -np.inf)


def pool_step(state, x):
    columns = jnp.concatenate([state, x])
    return columns[1:], columns.max(0, keepdims=True)


def rnn(x, w, u):
    def cell(h, row):
        h = jnp.tanh(row @ w + h @ u)
        return h, h

    return lax.scan(cell, jnp.zeros(WIDTH), x)[1]


def rnn_init(w, u):
    return jnp.zeros(WIDTH)


def rnn_step(h, x, w, u):
    h = jnp.tanh(x[0] @ w + h @ u)
    return h, h[None]


def selective(x, wa, wb, wc):
    def cell(h, row):
        h = jax.nn.sigmoid(row @ wa)[:, None] * h + row[:, None] * (row @ wb)
        return h, h @ (row @ wc)

    return lax.scan(cell, jnp.zeros((WIDTH, wb.shape[1])), x)[1]


def selective_init(wa, wb, wc):
    return jnp.zeros((WIDTH, wb.shape[1]))


def selective_step(h, x, wa, wb, wc):
    row = x[0]
    h = jax.nn.sigmoid(row @ wa)[:, None] * h + row[:, None] * (row @ wb)
    return h, (h @ (row @ wc))[None]


def causal_mean(x):
    return jnp.cumsum(x, 0) / jnp.arange(1.0, len(x) + 1)[:, None]


def causal_mean_init():
    return jnp.zeros(()), jnp.zeros((1, WIDTH))


def causal_mean_step(state, x):
    n, total = state[0] + 1, state[1] + x
    return (n, total), total / n


def running(x):
    return lax.cummax(x) * lax.cumsum(x)


def running_init():
    return jnp.full((1, WIDTH), -np.inf), jnp.zeros((1, WIDTH))


def running_step(state, x):
    top, total = jnp.maximum(state[0], x), state[1] + x
    return (top, total), top * total


def shift(x):
    return x - jnp.concatenate([jnp.zeros((3, WIDTH)), x[:-3]])


def shift_init():
    return jnp.zeros((3, WIDTH))


def shift_step(state, x):
    return jnp.concatenate([state[1:], x]), x - state[:1]


def norm(h):
    return (h - h.mean(-1, keepdims=True)) / jnp.sqrt(h.var(-1, keepdims=True) + 1e-5)


def block(x, wq, wk, wv, wo, w1, w2):
    x = x + attention(norm(x), wq, wk, wv) @ wo
    return x + jax.nn.gelu(norm(x) @ w1) @ w2


def block_init(wq, wk, wv, wo, w1, w2):
    return attention_init(wq, wk, wv)


def block_step(state, x, wq, wk, wv, wo, w1, w2):
    state, y = attention_step(state, norm(x), wq, wk, wv)
    x = x + y @ wo
    return state, x + jax.nn.gelu(norm(x) @ w1) @ w2


def mixer(x, w, u, c):
    """A convolution, a scan and a mean."""
    return causal_mean(rnn(causal_conv(x, c), w, u))


def mixer_init(w, u, c):
    return jnp.zeros((2, WIDTH)), jnp.zeros(WIDTH), causal_mean_init()


def mixer_step(state, x, w, u, c):
    columns, h, mean = state
    columns = jnp.concatenate([columns, x])
    h, y = rnn_step(h, jnp.einsum("kc,kcd->d", columns, c)[None], w, u)
    mean, y = causal_mean_step(mean, y)
    return (columns[1:], h, mean), y


def get_programs():
    """The shapes of the arguments beside the sequence."""
    square = (WIDTH, WIDTH)
    return {
        attention: [square] * 3,
        grouped: [square, (WIDTH, WIDTH // 4), (WIDTH, WIDTH // 4)],
        block: [square] * 4 + [(WIDTH, 4 * WIDTH), (4 * WIDTH, WIDTH)],
        tcn: [(3, *square)] * 2,
        pool: [],
        shift: [],
        rnn: [square] * 2,
        selective: [square, (WIDTH, 16), (WIDTH, 16)],
        causal_mean: [],
        running: [],
        mixer: [square, square, (3, *square)],
    }


def bytes_of(state):
    return sum(np.asarray(x).nbytes for x in jax.tree.leaves(state))


def run(init, step, rows, fixed):
    """Microseconds of a step, and all results."""
    state, results = init(*fixed), []
    begin = time.perf_counter()
    for row in rows:
        state, y = step(state, row)
        results.append(y)
    jax.block_until_ready(y)
    seconds = time.perf_counter() - begin
    return seconds / len(rows) * 1e6, np.concatenate(results)


def measure(f, shapes, rounds):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((TIME, WIDTH), np.float32)
    fixed = [rng.standard_normal(s, np.float32) / float(s[-2]) ** 0.5 for s in shapes]
    stream, donating = (
        ta.stream(f, x, *fixed, axis={0: 0}, donate=donate) for donate in (False, True))
    init, step = (globals()[f"{f.__name__}_{name}"] for name in ("init", "step"))
    weights = [jnp.asarray(w) for w in fixed]
    rows = [x[i : i + 1] for i in range(TIME)]
    states = bytes_of(stream.init(*fixed)[1]), bytes_of(init(*weights))

    def make(**options):
        jitted = jax.jit(step, **options)
        return init, lambda state, row: jitted(state, row, *weights), rows, weights

    ways = [(own.init, own.step, rows, fixed) for own in (stream, donating)]
    ways += [make(), make(donate_argnums=0)]
    best, results = [np.inf] * len(ways), [None] * len(ways)
    for _ in range(rounds):
        for i, way in enumerate(ways):
            seconds, results[i] = run(*way)
            best[i] = min(best[i], seconds)
    difference = max(abs(r - results[2]).max() for r in results) / abs(results[2]).max()
    print(f"{f.__name__:12}{states[0]:9}{states[1]:9}", *(f"{b:8.1f}" for b in best),
          f"{min(best[:2]) / min(best[2:]):6.2f}{difference:10.1e}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="programs whose name has this")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--time", type=int, default=128)
    parser.add_argument("--width", type=int, default=64)
    options = parser.parse_args()
    global TIME, WIDTH
    TIME, WIDTH = options.time, options.width
    print(f"{'program':12}{'bytes':>9}{'theirs':>9}{'us':>9}{'donated':>9}{'jax.jit':>9}"
          f"{'donated':>9}{'ratio':>7}{'apart':>10}")
    for f, shapes in get_programs().items():
        if re.search(options.only, f.__name__):
            measure(f, shapes, options.rounds)


if __name__ == "__main__":
    main()
