#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of JAX in each form that XLA has, read and run by us.

    bench/program_forms.py [--programs N] [--seed S]   # PYTHONPATH=build/python

Each program is a chain of random ops on small arrays. Its forms are StableHLO in
ordinary and in generic text, a portable artifact, and HLO before and after
optimisation. What we compute from each is compared with what JAX computes. Prints a
line for each that fails, and counts by form; exits with 1 if one fails.
"""
import argparse
import collections
import os
import random
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from hlo_dumps import compare  # noqa: E402
from jax import export, lax  # noqa: E402

import tensoraccess as ta  # noqa: E402


def unary(rng):
    return rng.choice([jnp.tanh, jnp.abs, jnp.negative, lambda x: jnp.exp(-x * x), jax.nn.relu, jax.nn.sigmoid])


def reshape(x, rng):
    sizes = [n for n in x.shape if n > 1] or [1]
    rng.shuffle(sizes)
    cut = rng.randint(1, len(sizes))
    return (int(np.prod(sizes[:cut])), *sizes[cut:])


def window(x, rng):
    dim = rng.randrange(x.ndim)
    size = [1] * x.ndim
    size[dim] = min(3, x.shape[dim])
    return tuple(size), rng.choice(["SAME", "VALID"])


def make_step(x, rng):
    """A function of an array like `x`; what it is does not depend on its values."""
    kinds = ["unary", "reduce", "transpose", "reshape", "broadcast", "slice", "pad", "concatenate", "product",
             "softmax", "window", "gather", "update", "sort", "cumulate", "where", "loop", "reverse", "iota", "argmax"]
    kind = rng.choice([k for k in kinds if x.ndim or k in ("unary", "where", "loop", "broadcast")])
    axis = rng.randrange(x.ndim) if x.ndim else 0
    size = x.shape[axis] if x.ndim else 1
    if kind == "unary":
        return unary(rng)
    if kind == "reduce":
        reduce = rng.choice([jnp.sum, jnp.max, jnp.mean, jnp.min])
        keep = rng.random() < 0.5
        return lambda x: reduce(x, axis, keepdims=keep)
    if kind == "transpose":
        order = rng.sample(range(x.ndim), x.ndim)
        return lambda x: x.transpose(order)
    if kind == "reshape":
        shape = reshape(x, rng)
        return lambda x: x.reshape(shape)
    if kind == "broadcast":
        count = rng.randint(1, 3)
        return lambda x: jnp.broadcast_to(x[None], (count, *x.shape)) * jnp.arange(1, count + 1, dtype=x.dtype).reshape(
            count, *[1] * x.ndim)
    if kind == "slice":
        low = rng.randrange(size)
        high, step = rng.randint(low + 1, size), rng.randint(1, 2)
        return lambda x: lax.slice_in_dim(x, low, high, step, axis)
    if kind == "pad":
        config = [(rng.randint(0, 2), rng.randint(0, 2), rng.randint(0, 1)) for _ in x.shape]
        return lambda x: lax.pad(x, jnp.array(0.5, x.dtype), config)
    if kind == "concatenate":
        return lambda x: jnp.concatenate([x, -x], axis)
    if kind == "product":
        weights = np.random.default_rng(rng.randrange(99)).standard_normal((x.shape[-1], rng.randint(1, 5)))
        return lambda x: x @ weights.astype(np.float32)
    if kind == "softmax":
        return lambda x: jax.nn.softmax(x, axis)
    if kind == "window":
        sizes, padding = window(x, rng)
        return lambda x: lax.reduce_window(x, 0.0, lax.add, sizes, (1,) * x.ndim, padding)
    if kind == "gather":
        indices = np.array([rng.randrange(size) for _ in range(rng.randint(1, 4))])
        return lambda x: jnp.take(x, indices, axis)
    if kind == "update":
        at = rng.randrange(size)
        return lambda x: lax.dynamic_update_slice_in_dim(x, lax.slice_in_dim(x, 0, 1, 1, axis) * 2, at, axis)
    if kind == "sort":
        return lambda x: jnp.sort(x, axis)
    if kind == "cumulate":
        return lambda x: jnp.cumsum(x, axis)
    if kind == "where":
        return lambda x: jnp.where(x > 0.1, x, x * 0.25)
    if kind == "loop":
        trips = rng.randint(1, 4)
        return lambda x: lax.fori_loop(0, trips, lambda i, x: x * 0.5 + i, x)
    if kind == "reverse":
        return lambda x: jnp.flip(x, axis)
    if kind == "iota":
        return lambda x: x + jnp.arange(size, dtype=x.dtype).reshape([size if d == axis else 1 for d in range(x.ndim)])
    return lambda x: x * (jnp.argmax(x, axis, keepdims=True) + 1).astype(x.dtype)


def make_program(rng):
    shape = tuple(rng.randint(1, 6) for _ in range(rng.randint(1, 3)))
    steps, x = [], jax.ShapeDtypeStruct(shape, jnp.float32)
    for _ in range(rng.randint(3, 9)):
        step = make_step(x, rng)
        y = jax.eval_shape(step, x)
        if y.size <= 4096 and y.ndim <= 5:
            steps.append(step)
            x = y

    def program(x):
        for step in steps:
            x = step(x)
        return x

    return program, shape


def get_forms(program, x):
    lowered = jax.jit(program).lower(x)
    yield "StableHLO", lowered.as_text()
    yield "StableHLO, generic", lowered.compiler_ir().operation.get_asm(print_generic_op_form=True)
    yield "artifact", export.export(jax.jit(program))(x).mlir_module_serialized
    yield "HLO", lowered.as_text("hlo")
    # As text with all constants.
    yield "HLO, optimised", lowered.compile()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    right, all = collections.Counter(), collections.Counter()
    for number in range(options.programs):
        rng = random.Random(options.seed + number)
        program, shape = make_program(rng)
        x = np.random.default_rng(number).standard_normal(shape).astype(np.float32)
        want = [np.asarray(jax.jit(program)(x))]
        for form, source in get_forms(program, x):
            all[form] += 1
            try:
                got = ta.Module(source).compile()(x)
                ta.explain(source)
                why = compare(list(got) if isinstance(got, (tuple, list)) else [got], want)
            except ta.Error as error:
                why = str(error).splitlines()[0]
            right[form] += why is None
            if why:
                print(f"program {options.seed + number} ({form}): {why}")
    for form in all:
        print(f"{form}: {right[form]} of {all[form]} right")
    return sum(right.values()) != sum(all.values())


if __name__ == "__main__":
    sys.exit(main())
