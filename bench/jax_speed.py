# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of JAX, compiled by us and by XLA, timed in turn.

    taskset -c 0 python3 bench/jax_speed.py [--only REGEX] [--seconds S] [--first]

A row is a function, the best time of each of us, their ratio (1: as fast as XLA;
more: faster), the time that compiling took, and the largest difference, in parts of
the largest result. Arguments and results are numpy's arrays here and JAX's arrays
there; results of XLA's are waited for. Under `taskset` with one processor both use
one thread, else both use all. `--first`: the first call instead, from Python's function to
the result, of `ta.jit` and `jax.jit`, best of three.
"""
import argparse
import math
import re
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import tensoraccess as ta


def layer_norm(x, scale, shift):
    mean = jnp.mean(x, -1, keepdims=True)
    variance = jnp.mean((x - mean) ** 2, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + shift


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)


def block(x, p, heads):
    """A layer of a transformer as GPT-2 has them."""
    length, width = x.shape
    y = layer_norm(x, *p["norm1"])
    qkv = y @ p["qkv"][0] + p["qkv"][1]
    q, k, v = (a.reshape(length, heads, width // heads)
               for a in jnp.split(qkv, 3, -1))
    scores = jnp.einsum("qhd,khd->hqk", q, k) / math.sqrt(width // heads)
    scores = jnp.where(jnp.tri(length, dtype=bool), scores, -1e30)
    y = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), v)
    x = x + y.reshape(length, width) @ p["out"][0] + p["out"][1]
    y = layer_norm(x, *p["norm2"])
    y = jax.nn.gelu(y @ p["up"][0] + p["up"][1])
    return x + y @ p["down"][0] + p["down"][1]


def transformer(layers, width, length, heads):
    rng = np.random.default_rng(0)

    def weights(*shape):
        return (rng.standard_normal(shape) * 0.02).astype(np.float32)

    def norm():
        return np.ones(width, np.float32), np.zeros(width, np.float32)

    params = [{"norm1": norm(), "norm2": norm(),
               "qkv": (weights(width, 3 * width), weights(3 * width)),
               "out": (weights(width, width), weights(width)),
               "up": (weights(width, 4 * width), weights(4 * width)),
               "down": (weights(4 * width, width), weights(width))}
              for _ in range(layers)]

    def run(x, params):
        for p in params:
            x = block(x, p, heads)
        return x

    return run, (weights(length, width) * 50, params)


def gru(wi, wh, h, xs):
    def step(h, x):
        (ir, iz, i_n), (hr, hz, hn) = (
            jnp.split(y, 3, -1) for y in (x @ wi, h @ wh))
        r, z = jax.nn.sigmoid(ir + hr), jax.nn.sigmoid(iz + hz)
        h = (1 - z) * jnp.tanh(i_n + r * hn) + z * h
        return h, h

    return lax.scan(step, h, xs)


def lstm(wi, wh, h, c, xs):
    def step(state, x):
        h, c = state
        i, f, o, n = jnp.split(wi @ x + wh @ h, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(n)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    return lax.scan(step, (h, c), xs)


def decode(wq, wk, wv, wo, x, keys, values):
    """A token after the other, with 8 heads and what they kept."""
    def step(i, state):
        x, keys, values = state
        q, k, v = ((w @ x).reshape(8, -1) for w in (wq, wk, wv))
        keys, values = keys.at[i].set(k), values.at[i].set(v)
        scores = jnp.einsum("hd,thd->ht", q, keys) / math.sqrt(q.shape[-1])
        scores = jnp.where(jnp.arange(len(keys)) <= i, scores, -1e30)
        y = jnp.einsum("ht,thd->hd", jax.nn.softmax(scores), values)
        x = x + wo @ y.reshape(-1)
        return x / jnp.sqrt(jnp.mean(x * x)), keys, values

    return lax.fori_loop(0, len(keys), step, (x, keys, values))


def conv(x, w, stride=1, padding="SAME"):
    return lax.conv_general_dilated(x, w, (stride, stride), padding,
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def mlp_loss(p, x, y):
    h = jnp.tanh(x @ p[0] + p[1])
    return jnp.mean((h @ p[2] + p[3] - y) ** 2)


def get_functions():
    """Each name with a function that makes the function and its arguments."""
    rng = np.random.default_rng(1)

    def f32(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    def typed(dtype, *shape):
        return f32(*shape).astype(jnp.dtype(dtype))

    def i32(limit, *shape):
        return rng.integers(0, limit, shape).astype(np.int32)

    return {
        "matmul 1024": lambda: (jnp.matmul, (f32(1024, 1024), f32(1024, 1024))),
        "matmul 127x509x1021": lambda: (jnp.matmul, (f32(127, 509), f32(509, 1021))),
        "matmul bf16 1024": lambda: (
            jnp.matmul, (typed("bfloat16", 1024, 1024), typed("bfloat16", 1024, 1024))),
        "matmul f16 1024": lambda: (
            jnp.matmul, (typed("float16", 1024, 1024), typed("float16", 1024, 1024))),
        "matmul i8 1024": lambda: (
            lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32),
            (i32(100, 1024, 1024).astype(np.int8), i32(100, 1024, 1024).astype(np.int8))),
        "gemv 4096": lambda: (jnp.matmul, (f32(4096, 4096), f32(4096))),
        "batched matmul": lambda: (jnp.matmul, (f32(64, 128, 64), f32(64, 64, 128))),
        "conv 3x3 56x56x64": lambda: (conv, (f32(1, 56, 56, 64), f32(3, 3, 64, 64))),
        "conv 7x7 stride 2": lambda: (
            lambda x, w: conv(x, w, 2), (f32(1, 224, 224, 3), f32(7, 7, 3, 64))),
        "attention 128x12x64": lambda: (
            attention, (f32(1, 128, 12, 64), f32(1, 128, 12, 64), f32(1, 128, 12, 64))),
        "softmax 1024x1024": lambda: (jax.nn.softmax, (f32(1024, 1024),)),
        "layernorm 1024x768": lambda: (layer_norm, (f32(1024, 768), f32(768), f32(768))),
        "gelu 1024x1024": lambda: (jax.nn.gelu, (f32(1024, 1024),)),
        "gelu by erf": lambda: (
            lambda x: jax.nn.gelu(x, approximate=False), (f32(1024, 1024),)),
        "silu 1024x1024": lambda: (jax.nn.silu, (f32(1024, 1024),)),
        "exp 1024x1024": lambda: (jnp.exp, (f32(1024, 1024),)),
        "log 1024x1024": lambda: (jnp.log, (np.abs(f32(1024, 1024)),)),
        "tanh 1024x1024": lambda: (jnp.tanh, (f32(1024, 1024),)),
        "sin 1024x1024": lambda: (jnp.sin, (f32(1024, 1024),)),
        "add 1024x1024": lambda: (jnp.add, (f32(1024, 1024), f32(1024, 1024))),
        "sum rows 1024": lambda: (lambda x: jnp.sum(x, -1), (f32(1024, 1024),)),
        "sum columns 1024": lambda: (lambda x: jnp.sum(x, 0), (f32(1024, 1024),)),
        "max pool": lambda: (
            lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1),
                                        (1, 2, 2, 1), "VALID"), (f32(8, 56, 56, 64),)),
        "transpose 2048": lambda: (jnp.transpose, (f32(2048, 2048),)),
        "gather 10000x256": lambda: (
            lambda t, i: t[i], (f32(10000, 256), i32(10000, 4096))),
        "resize 64 to 256": lambda: (
            lambda x: jax.image.resize(x, (4, 256, 256, 3), "bilinear"),
            (f32(4, 64, 64, 3),)),
        "einsum abc,cd->bda": lambda: (
            lambda x, y: jnp.einsum("abc,cd->bda", x, y), (f32(32, 64, 96), f32(96, 80))),
        "cumsum 1024x1024": lambda: (lambda x: jnp.cumsum(x, -1), (f32(1024, 1024),)),
        "top_k 64x4096": lambda: (lambda x: lax.top_k(x, 10), (f32(64, 4096),)),
        "fft 64x1024": lambda: (jnp.fft.fft, (f32(64, 1024) + 1j * f32(64, 1024),)),
        "rfft 64x1024": lambda: (jnp.fft.rfft, (f32(64, 1024),)),
        "random normal": lambda: (
            lambda key: jax.random.normal(key, (512, 512)), (np.array([1, 2], np.uint32),)),
        "lgamma 512x512": lambda: (lax.lgamma, (f32(512, 512) * 4,)),
        "digamma 512x512": lambda: (lax.digamma, (f32(512, 512) * 4,)),
        "sinh 512x512": lambda: (jnp.sinh, (f32(512, 512),)),
        "atanh 512x512": lambda: (jnp.arctanh, (np.tanh(f32(512, 512)),)),
        "grad of an mlp": lambda: (
            jax.grad(mlp_loss), ([f32(256, 512), f32(512), f32(512, 64), f32(64)],
                                 f32(128, 256), f32(128, 64))),
        # A thousand steps of a state of 1 MB.
        "loop scale": lambda: (
            lambda x: lax.fori_loop(0, 1000, lambda i, s: s * 0.999 + 0.001, x),
            (f32(512, 512),)),
        "loop momentum": lambda: (
            lambda x, v: lax.fori_loop(
                0, 1000, lambda i, s: (s[0] - 0.1 * s[1], 0.9 * s[1] + 0.01 * s[0]),
                (x, v)), (f32(512, 512), f32(512, 512))),
        "loop stencil": lambda: (
            lambda x: lax.fori_loop(
                0, 1000, lambda i, s: 0.5 * s + 0.25 * (jnp.roll(s, 1) + jnp.roll(s, -1)),
                x), (f32(1 << 18),)),
        "loop row": lambda: (
            lambda x: lax.fori_loop(
                0, 1000, lambda i, s: s.at[i % 512].set(s[i % 512] * 0.5), x),
            (f32(512, 512),)),
        "scan rnn 8x256": lambda: (
            lambda w, x: lax.scan(lambda h, a: (jnp.tanh(h @ w + a), h),
                                  jnp.zeros((8, 256)), x)[0],
            (f32(256, 256) / 16, f32(1000, 8, 256))),
        # What each step reads stays.
        "loop matvec 512": lambda: (
            lambda w, h: lax.fori_loop(0, 1000, lambda _, h: jnp.tanh(w @ h), h),
            (f32(512, 512) / 32, f32(512))),
        "scan gru 1x256": lambda: (
            gru, (f32(256, 768) / 16, f32(256, 768) / 16, f32(1, 256),
                  f32(200, 1, 256))),
        "scan lstm 256": lambda: (
            lstm, (f32(1024, 256) / 16, f32(1024, 256) / 16, f32(256), f32(256),
                   f32(200, 256))),
        "loop decode 8x32": lambda: (
            decode, (*(f32(256, 256) / 16 for _ in range(4)), f32(256),
                     np.zeros((128, 8, 32), np.float32),
                     np.zeros((128, 8, 32), np.float32))),
        "transformer 2x256": lambda: transformer(2, 256, 64, 4),
        "transformer 12x768": lambda: transformer(12, 768, 128, 12),
    }


def measure(calls, seconds):
    """The best time of each call, in turn."""
    best = [math.inf] * len(calls)
    end = time.perf_counter() + seconds
    turns = 0
    while turns < 3 or time.perf_counter() < end:
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            best[i] = min(best[i], time.perf_counter() - start)
        turns += 1
    return best


def wide(x):
    return x.astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def compare_all(only, seconds):
    """Prints a row for each function, and returns the ratios."""
    ratios = []
    print(f"{'function':24}{'ours ms':>10}{'XLA ms':>10}{'ratio':>7}{'compile s':>11}"
          f"{'XLA':>6}  difference")
    for name, make in get_functions().items():
        if not re.search(only, name):
            continue
        function, arguments = make()
        leaves = [np.asarray(a) for a in jax.tree.leaves(arguments)]
        on_device = jax.tree.map(jnp.asarray, arguments)
        lowered = jax.jit(function, keep_unused=True).lower(*on_device)
        start = time.perf_counter()
        theirs = lowered.compile()
        their_compile = time.perf_counter() - start
        start = time.perf_counter()
        text = lowered.compiler_ir("stablehlo").operation.get_asm(
            print_generic_op_form=True)
        ours = ta.Module(text).compile(cache=False)
        our_compile = time.perf_counter() - start
        found = ours(*leaves)
        found = found if isinstance(found, (list, tuple)) else [found]
        want = [np.asarray(r) for r in jax.tree.leaves(theirs(*on_device))]
        difference = max(
            float(np.max(np.abs(wide(f) - wide(w))) / max(np.max(np.abs(wide(w))), 1e-30))
            for f, w in zip(found, want, strict=True))
        our_time, their_time = measure(
            [lambda: ours(*leaves),
             lambda: jax.block_until_ready(theirs(*on_device))], seconds)
        ratios.append(their_time / our_time)
        print(f"{name:24}{our_time * 1e3:10.3f}{their_time * 1e3:10.3f}"
              f"{ratios[-1]:7.2f}{our_compile:11.2f}{their_compile:6.2f}"
              f"  {difference:.1e}", flush=True)
    return ratios


def compare_first(only):
    """The same for first calls, with nothing cached."""
    ratios = []
    print(f"{'function':24}{'ours ms':>10}{'XLA ms':>10}{'ratio':>7}")
    for name, make in get_functions().items():
        if not re.search(only, name):
            continue
        function, arguments = make()
        best = [math.inf, math.inf]
        for _ in range(3):
            for i, jit in enumerate((lambda f: ta.jit(f, cache=False), jax.jit)):
                jax.clear_caches()
                # Another function each time, which nothing knows.
                call = jit(lambda *args: function(*args))
                start = time.perf_counter()
                jax.block_until_ready(call(*arguments))
                best[i] = min(best[i], time.perf_counter() - start)
        ratios.append(best[1] / best[0])
        print(f"{name:24}{best[0] * 1e3:10.1f}{best[1] * 1e3:10.1f}{ratios[-1]:7.2f}",
              flush=True)
    return ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--first", action="store_true")
    args = parser.parse_args()
    ratios = (compare_first(args.only) if args.first
              else compare_all(args.only, args.seconds))
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of {len(ratios)}: {mean:.2f}")


if __name__ == "__main__":
    sys.exit(main())
