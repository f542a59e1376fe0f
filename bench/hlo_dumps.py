#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HLO dumps of JAX's programs, read and run by us, beside what XLA computes.

    bench/hlo_dumps.py [--only NAME] [--keep DIR] [FILE.hlo ...]
                                                 # PYTHONPATH=build/python

Each function is dumped before optimisation (`lowered.as_text("hlo")`) and after it
(`compiled.as_text()`); both are read, answered (annotate-indexing), run, and compared
with what JAX computes. Files are read and answered only. Prints a line for each that
fails, and counts; exits with 1 if one fails.
"""
import argparse
import os
import pathlib
import sys
import zlib

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402

import tensoraccess as ta  # noqa: E402

F32 = jnp.float32


def attention(q, k, v):
    scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 4.0
    mask = jnp.tril(jnp.ones((q.shape[2], k.shape[2]), bool))
    return jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)) @ v


def lstm(x, h, c, w):
    i, f, g, o = jnp.split(jnp.concatenate([x, h], 1) @ w, 4, 1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


def conv(x, w, **options):
    return lax.conv_general_dilated(
        x, w, dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)


def newton(x):
    return lax.while_loop(lambda s: s[1] < 8,
                          lambda s: (0.5 * (s[0] + 2.0 / s[0]), s[1] + 1), (x, 0))[0]


def layernorm(x, g, b):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * g + b


def cache(k, new, at, q):
    k = lax.dynamic_update_slice(k, new, (0, at, 0))
    scores = jnp.einsum("bd,btd->bt", q, k)
    return k, jax.nn.softmax(jnp.where(jnp.arange(k.shape[1]) <= at, scores, -jnp.inf))


def pool(x, kind):
    init, f = (-jnp.inf, lax.max) if kind == "max" else (0.0, lax.add)
    return lax.reduce_window(x, init, f, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


def segments(x, ids):
    return jax.ops.segment_sum(x, ids, 4)


def loss(w, x, y):
    return ((jnp.tanh(x @ w) - y) ** 2).mean()


def scan(x):
    return lax.scan(lambda c, a: (c * 0.5 + a, c + a), jnp.zeros(x.shape[1:], F32), x)


#: Name: function, shapes with their types.
FUNCTIONS = {
    "add": (jnp.add, "4x5", "4x5"),
    "elementwise": (lambda x: jnp.tanh(x) * jnp.exp(-x * x) + jnp.sqrt(jnp.abs(x)), "33x7"),
    "gelu": (jax.nn.gelu, "8x16"),
    "integers": (lambda x, y: (x // (jnp.abs(y) + 1), x % (jnp.abs(y) + 1), x << 2, x ^ y), "i32:9x3", "i32:9x3"),
    "unsigned": (lambda x: (x >> 3) + lax.population_count(x), "u32:17"),
    "predicates": (lambda x, y: (x < y) & (x > 0) | jnp.isnan(y), "11x2", "11x2"),
    "half": (lambda x: (x * 2 + 1).astype(F32), "f16:6x6"),
    "bfloat16": (lambda x: x * x, "bf16:6x6"),
    "complex": (lambda x: jnp.abs(x * (1 + 2j)) + jnp.real(x), "c64:5"),
    "double": (lambda x: x.sum(0), "8x9"),
    "transpose": (lambda x: x.transpose(2, 0, 1).reshape(6, 20), "4x5x6"),
    "reshape": (lambda x: x.reshape(10, 12).T.reshape(5, 24), "4x5x6"),
    "broadcast": (lambda x: x[:, None, :] + jnp.ones((3, 1)), "4x5"),
    "slices": (lambda x: x[1:7:2, ::-1], "8x5"),
    "pads": (lambda x: lax.pad(x, 1.0, ((1, 2, 1), (-1, 0, 0))), "4x5"),
    "concatenate": (lambda x, y: jnp.concatenate([x, y, x], 1), "3x4", "3x2"),
    "matmul": (jnp.matmul, "16x8", "8x12"),
    "batched": (jnp.matmul, "3x16x8", "3x8x12"),
    "einsum": (lambda x, y: jnp.einsum("abc,dc->abd", x, y), "3x4x5", "6x5"),
    "dot_i8": (lambda x, y: lax.dot(x, y, preferred_element_type=jnp.int32), "i8:4x8", "i8:8x3"),
    "mlp": (lambda x, w, b: jax.nn.relu(x @ w + b), "16x32", "32x8", "8"),
    "softmax": (jax.nn.softmax, "7x33"),
    "layernorm": (layernorm, "4x6x32", "32", "32"),
    "attention": (attention, "2x2x8x16", "2x2x8x16", "2x2x8x16"),
    "kv_cache": (cache, "2x9x4", "2x1x4", "i32:", "2x4"),
    "conv": (lambda x, w: conv(x, w, window_strides=(1, 1), padding="SAME"), "1x9x9x3", "3x3x3x4"),
    "conv_strided": (lambda x, w: conv(x, w, window_strides=(2, 3), padding=((1, 2), (0, 1))), "2x9x10x3", "3x2x3x4"),
    "conv_dilated": (lambda x, w: conv(x, w, window_strides=(1, 1), padding="VALID", rhs_dilation=(2, 1)), "1x9x9x2", "3x3x2x4"),
    "conv_transposed": (lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), "1x5x5x3", "3x3x3x2"),
    "conv_groups": (lambda x, w: conv(x, w, window_strides=(1, 1), padding="SAME", feature_group_count=4), "1x6x6x4", "3x3x1x8"),
    "conv_gradient": (jax.grad(lambda w, x: conv(x, w, window_strides=(1, 1), padding="SAME").sum()), "3x3x2x4", "1x6x6x2"),
    "pool_max": (lambda x: pool(x, "max"), "1x7x7x3"),
    "pool_mean": (lambda x: pool(x, "sum") / 4, "1x8x8x3"),
    "pool_gradient": (jax.grad(lambda x: pool(x, "max").sum()), "1x8x8x2"),
    "reductions": (lambda x: (x.sum(1), x.max(0), x.min(), x.prod(1)), "5x6"),
    "argmax": (lambda x: jnp.argmax(x, 1), "5x9"),
    "cumsum": (lambda x: jnp.cumsum(x, 0), "13x3"),
    "cummax": (lambda x: lax.cummax(x, 1), "3x11"),
    "sort": (lambda x: jnp.sort(x, 1), "4x9"),
    "argsort": (lambda x: jnp.argsort(x, 0), "9x4"),
    "top_k": (lambda x: lax.top_k(x, 3), "4x9"),
    "gather": (lambda x, i: x[i], "10x4", "i32:6"),
    "take": (lambda x, i: jnp.take_along_axis(x, i, 1), "5x7", "i32:5x3"),
    "scatter": (lambda x, i, y: x.at[i].add(y), "10x4", "i32:6", "6x4"),
    "segments": (segments, "9x3", "i32:9"),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i, 1), (3, 2)), "9x4", "i32:"),
    "iota": (lambda x: x + jnp.arange(8, dtype=F32)[:, None], "8x3"),
    "cond": (lambda p, x: lax.cond(p > 0, jnp.sin, jnp.cos, x), "i32:", "6"),
    "switch": (lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, jnp.negative], x), "i32:", "6"),
    "while": (newton, "5"),
    "fori": (lambda x: lax.fori_loop(0, 5, lambda i, a: a @ x, x), "4x4"),
    "scan": (scan, "6x3"),
    "lstm": (lstm, "2x3", "2x4", "2x4", "7x16"),
    "gradient": (jax.grad(loss), "6x4", "8x6", "8x4"),
    "vmap": (jax.vmap(lambda x, y: jnp.convolve(x, y)), "3x8", "3x4"),
    "fft": (lambda x: jnp.abs(jnp.fft.rfft(x)), "3x16"),
    "one_hot": (lambda i, w: jax.nn.one_hot(i, 8) @ w, "i32:5", "8x3"),
    "embedding": (lambda w, i: w[i].sum(1), "16x4", "i32:3x5"),
    "constants": (lambda x: x + jnp.array(np.arange(6, dtype=np.float32).reshape(2, 3)), "2x3"),
    "clip": (lambda x: jnp.clip(x, -0.5, 0.5).round(), "4x4"),
    "bits": (lambda x: lax.bitcast_convert_type(x, jnp.int32), "6"),
    "empty": (lambda x: jnp.concatenate([x, x]).sum(0), "0x3"),
    "scalar": (lambda x: x * 2 + 1, ""),
    "many": (lambda x: {"a": x, "b": (x + 1, [x * 2])}, "3"),
}
TYPES = {"": np.float32, "f16": np.float16, "bf16": jnp.bfloat16, "i8": np.int8, "i32": np.int32, "u32": np.uint32, "c64": np.complex64}


def make_argument(text, rng):
    kind, _, shape = text.rpartition(":")
    sizes = tuple(int(size) for size in shape.split("x") if size)
    dtype = np.dtype(TYPES[kind])
    if dtype.kind in "iu":
        return rng.integers(0, 3, sizes).astype(dtype) if text != "i32:" else np.array(2, dtype)
    values = rng.standard_normal(sizes)
    if dtype.kind == "c":
        values = values + 1j * rng.standard_normal(sizes)
    return np.asarray(values).astype(dtype)


def compare(got, want):
    """Why they are not alike, or None."""
    if len(got) != len(want):
        return f"{len(got)} results, not {len(want)}"
    for i, (a, b) in enumerate(zip(got, want)):
        b = np.asarray(b)
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"result {i} is {a.dtype}{a.shape}, not {b.dtype}{b.shape}"
        if b.dtype.kind in "iub":
            if not np.array_equal(a, b):
                return f"result {i} differs"
            continue
        wide = np.complex128 if b.dtype.kind == "c" else np.float64
        a, b = a.astype(wide), b.astype(wide)
        bound = (1e-5 if want[i].dtype.itemsize >= 4 else 2e-2) * max(1, np.abs(b[np.isfinite(b)]).max(initial=0))
        if not np.allclose(a, b, rtol=0, atol=bound, equal_nan=True):
            return f"result {i} differs by {np.nanmax(np.abs(a - b))}"
    return None


def judge(text, args, want):
    """Why a dump is not read, answered or run rightly, or None."""
    try:
        module = ta.Module(text)
        module.run("tensoraccess-annotate-indexing")
        got = module.compile()(*args)
    except ta.Error as error:
        return str(error).splitlines()[0]
    return compare(list(got) if isinstance(got, (tuple, list)) else [got], want)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="this function alone")
    parser.add_argument("--keep", type=pathlib.Path, help="writes the dumps there")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    counts = {"before optimisation": [0, 0], "after optimisation": [0, 0], "files": [0, 0]}

    def count(kind, name, why):
        counts[kind][why is not None] += 1
        if why is not None:
            print(f"{name} ({kind}): {why}")

    for name, (function, *shapes) in FUNCTIONS.items():
        if options.only not in (None, name) or options.files:
            continue
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        args = [make_argument(shape, rng) for shape in shapes]
        lowered = jax.jit(function, keep_unused=True).lower(*args)
        want = [np.asarray(leaf) for leaf in jax.tree.leaves(jax.jit(function)(*args))]
        for kind, text in (("before optimisation", lowered.as_text("hlo")),
                           ("after optimisation", lowered.compile().as_text())):
            if options.keep:
                (options.keep / f"{name}.{kind.split()[0]}.hlo").write_text(text)
            count(kind, name, judge(text, args, want))
    for path in options.files:
        try:
            ta.Module(path.read_text()).run("tensoraccess-annotate-indexing")
            why = None
        except ta.Error as error:
            why = str(error).splitlines()[0]
        count("files", path, why)
    for kind, (right, wrong) in counts.items():
        if right + wrong:
            print(f"{kind}: {right} of {right + wrong} right")
    return any(wrong for _, wrong in counts.values())


if __name__ == "__main__":
    sys.exit(main())
