# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Boxes of results, against slices of all of them."""

import json
import re

import numpy as np
import pytest
import tensoraccess as ta

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax


def random_box(rng, shape):
    lo = [int(rng.integers(0, n)) for n in shape]
    hi = [int(rng.integers(a + 1, n + 1)) for a, n in zip(lo, shape)]
    return ta.Box(lo, hi)


def cut(array, box):
    return array[tuple(slice(a, b) for a, b in zip(box.lo, box.hi))]


def check_boxes(f, args, rng, boxes=2):
    """Random boxes of each result: bit by bit those of the whole program."""
    module = ta.Module(jax.jit(f, keep_unused=True).lower(*args))
    leaves = jax.tree.leaves(args)
    whole = module.interpret()(*leaves)
    theirs = jax.tree.leaves(jax.jit(f)(*args))
    for number, (ours, expected) in enumerate(
        zip(whole if isinstance(whole, tuple) else [whole], theirs)
    ):
        for _ in range(boxes):
            box = random_box(rng, ours.shape)
            part = ta.restrict(f, *args, result=number, box=box)
            if "lapack" not in str(part.module):
                got = part.module.interpret()(*leaves)
                np.testing.assert_array_equal(got, cut(ours, box), strict=True)
            run = part(*args)
            assert run.dtype == expected.dtype
            np.testing.assert_allclose(
                run.astype(np.float64) if run.dtype == jnp.bfloat16 else run,
                cut(np.asarray(expected), box).astype(
                    np.float64 if run.dtype == jnp.bfloat16 else run.dtype
                ),
                rtol=2e-2 if run.dtype == jnp.bfloat16 else 2e-4,
                atol=2e-2 if run.dtype == jnp.bfloat16 else 2e-4,
            )


def normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def block(x, wq, wk, wv, wo, w1, w2):
    """A causal transformer block of two heads."""

    def norm(h):
        return (h - h.mean(-1, keepdims=True)) / jnp.sqrt(
            h.var(-1, keepdims=True) + 1e-5
        )

    def split(h):
        return h.reshape(*h.shape[:-1], 2, -1).swapaxes(-2, -3)

    h = norm(x)
    q, k, v = split(h @ wq), split(h @ wk), split(h @ wv)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    scores = jnp.where(mask, scores, -jnp.inf)
    y = (jax.nn.softmax(scores) @ v).swapaxes(-2, -3).reshape(x.shape)
    x = x + y @ wo
    return x + jax.nn.gelu(norm(x) @ w1) @ w2


def block_arguments(rng, time=12, width=8):
    return [
        normal(rng, 2, time, width),
        *(normal(rng, width, width) / 3 for _ in range(4)),
        normal(rng, width, 4 * width) / 3,
        normal(rng, 4 * width, width) / 3,
    ]


def conv(x, w, **options):
    options = {"window_strides": (1, 1), "padding": "SAME"} | options
    return lax.conv_general_dilated(x, w, **options)


def pool(x, operation, init, window, strides, padding):
    return lax.reduce_window(x, init, operation, window, strides, padding)


def scan(x):
    def step(carry, row):
        carry = 0.5 * carry + row
        return carry, (carry * row, row[:2])

    last, ys = lax.scan(step, jnp.zeros(x.shape[1:]), x)
    return last, *ys


def loop(x):
    def step(i, state):
        a, b = state
        return a.at[:, i].set(b[:, 0]), b + a

    return lax.fori_loop(0, 3, step, (x, 2 * x))


PROGRAMS = {
    "conv": (conv, [(2, 3, 9, 10), (4, 3, 3, 3)]),
    "conv_strides": (
        lambda x, w: conv(x, w, window_strides=(2, 3), padding=((2, 1), (0, 3))),
        [(2, 3, 9, 10), (4, 3, 3, 3)],
    ),
    "conv_dilated": (
        lambda x, w: conv(
            x, w, rhs_dilation=(2, 1), lhs_dilation=(1, 2), padding=((1, 1), (2, 0))
        ),
        [(1, 3, 9, 5), (4, 3, 3, 3)],
    ),
    "depthwise": (
        lambda x, w: conv(x, w, feature_group_count=3),
        [(2, 3, 9, 10), (6, 1, 3, 3)],
    ),
    "convs": (
        lambda x, w, v: conv(jax.nn.relu(conv(x, w)), v)[:, :, ::2],
        [(1, 3, 9, 10), (4, 3, 3, 3), (2, 4, 5, 5)],
    ),
    "max_pool": (
        lambda x: pool(x, lax.max, -np.inf, (1, 1, 3, 2), (1, 1, 2, 2), "SAME"),
        [(2, 3, 9, 10)],
    ),
    "sum_pool": (
        lambda x: pool(x, lax.add, 0.0, (1, 1, 3, 2), (1, 1, 1, 2), "VALID"),
        [(2, 3, 9, 10)],
    ),
    "softmax": (jax.nn.softmax, [(4, 3, 8)]),
    "layer_norm": (lambda x: (x - x.mean(1)[:, None]) * x.var(1)[:, None], [(4, 9)]),
    "einsum": (
        lambda a, b, c: jnp.einsum("bij,bjk,kl->lbi", a, b, c),
        [(2, 4, 5), (2, 5, 6), (6, 3)],
    ),
    "reshapes": (
        lambda x: (x.reshape(6, 20).T.reshape(5, 4, 6) + 1).reshape(-1, 3),
        [(2, 3, 4, 5)],
    ),
    "pads": (
        lambda x: lax.pad(2 * x, 1.0, ((2, 1, 0), (-1, 3, 2), (0, -2, 1))),
        [(4, 5, 6)],
    ),
    "edges": (lambda x: jnp.pad(x * x, ((2, 2), (1, 3)), mode="reflect"), [(5, 6)]),
    "rolls": (lambda x: jnp.roll(x * x, (2, -1), (0, 1))[::-1, ::-2], [(5, 6)]),
    "concats": (
        lambda x, y: jnp.concatenate([x * 2, y[:, 1:], x + 1, y], 1)[:, 3:],
        [(5, 6), (5, 4)],
    ),
    "stack": (lambda x, y: jnp.stack([x * 2, y, x @ y.T @ y], 1), [(5, 6), (5, 6)]),
    "broadcasts": (lambda x, y: x[:, None] * y[None] + x.sum(), [(5,), (6,)]),
    "scan": (scan, [(5, 4)]),
    "loop": (loop, [(5, 4)]),
    "cumsum": (lambda x: jnp.cumsum(x * x, 1), [(3, 7)]),
    "sort": (lambda x: jnp.sort(x, 0) * 2, [(7, 3)]),
    "top_k": (lambda x: lax.top_k(x, 3), [(4, 7)]),
    "argmax": (lambda x: (jnp.argmax(x, 1), jnp.tril(x @ x.T)), [(4, 7)]),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x)), [(3, 8)]),
    "complex": (lambda x: lax.complex(x, x + 1) * lax.complex(x.T, x).T, [(4, 4)]),
    "solve": (lambda a, b: jnp.linalg.solve(a @ a.T + jnp.eye(4), b), [(4, 4), (4, 3)]),
    "gradient": (
        jax.grad(lambda x, w: (jnp.tanh(conv(x, w)) ** 2).sum(), (0, 1)),
        [(1, 2, 6, 5), (3, 2, 3, 3)],
    ),
    "vmap": (
        jax.vmap(lambda x, y: jnp.outer(x, y) @ jnp.diag(y)),
        [(3, 4), (3, 5)],
    ),
    "branch": (
        lambda x: lax.cond(x[0, 0] > 0, lambda y: y * 2, lambda y: y.T @ y, x),
        [(4, 4)],
    ),
    "bf16": (lambda x: (x.astype(jnp.bfloat16) * 2)[1:] + 1, [(6, 3)]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    f, shapes = PROGRAMS[name]
    rng = np.random.default_rng(len(name))
    check_boxes(f, [normal(rng, *shape) for shape in shapes], rng)


def test_block():
    rng = np.random.default_rng(5)
    check_boxes(block, block_arguments(rng), rng, boxes=3)


def test_places_of_run_time():
    rng = np.random.default_rng(6)

    def f(x, table, at):
        rows = jnp.tanh(table)[at]
        part = lax.dynamic_slice(x * 2, (at[0], 1), (3, 4))
        put = lax.dynamic_update_slice(x + 1, part, (at[1], at[2]))
        added = (x * 3).at[at].add(1.0)
        return rows, part, put, added, jnp.take_along_axis(x, at[:, None] % 3, 1)

    for _ in range(2):
        at = rng.integers(-9, 9, 4).astype(np.int32)
        check_boxes(f, [normal(rng, 4, 8), normal(rng, 9, 5), at], rng, 1)


def random_program(rng, steps):
    """A function of two matrices that keeps intermediate shapes small."""
    choices = rng.integers(0, 14, steps)
    numbers = rng.integers(0, 1 << 30, steps)

    def f(x, y):
        values = [x, y]
        for choice, n in zip(choices, (int(n) for n in numbers)):
            a = values[-1]
            b = values[n % len(values)]
            rows, columns = a.shape
            if choice == 0:
                a = jnp.tanh(a)
            elif choice == 1:
                a = a.T
            elif choice == 2 and rows > 2:
                a = a[n % 2 : rows - n % 3 % 2, :: 1 + n % 2]
            elif choice == 3:
                a = jnp.pad(a, ((n % 3, 1), (0, n % 2)), constant_values=n % 5)
            elif choice == 4 and rows * columns <= 200:
                a = jnp.concatenate([a, 2 * a[::-1]], n % 2)
            elif choice == 5:
                a = a.reshape(columns, rows)
            elif choice == 6 and a.shape[1] == b.shape[0]:
                a = a @ b
            elif choice == 7 and a.shape == b.shape:
                a = a - b
            elif choice == 8:
                a = a - a.max(n % 2, keepdims=True)
            elif choice == 9 and min(a.shape) > 3:
                a = lax.reduce_window(
                    a, 0.0, lax.add, (2, 3), (1 + n % 2, 1), "SAME" if n % 3 else "VALID"
                )
            elif choice == 10:
                a = jnp.where(jnp.tri(rows, columns, n % 3 - 1, dtype=bool), a, 0.5)
            elif choice == 11:
                a = jnp.repeat(a, 2, 0)[:12] if n % 2 else jnp.roll(a, n % 3, 1)
            elif choice == 12 and min(a.shape) > 1:
                a = lax.dynamic_slice(
                    a,
                    (jnp.int32(b[0, 0]), 0),
                    (rows - 1, columns - n % 2),
                )
            elif choice == 13:
                a = lax.fori_loop(0, 2, lambda i, c: c + 0.5 * c[::-1], a)
            values.append(a)
        return tuple(values[-2:])

    return f


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(seed):
    rng = np.random.default_rng(seed)
    f = random_program(rng, 8)
    shapes = rng.integers(2, 8, (2, 2))
    check_boxes(f, [normal(rng, *shape) for shape in shapes], rng, boxes=2)




def operations(module):
    """Arithmetic of a program, as `tensoraccess-ask work` counts it."""
    text = str(ta.ask("work", module))
    return int(re.search(r"operations[^:]*: (at least )?([\d,]+)", text)[2].replace(",", ""))


def traffic(module):
    """Bytes that the ops of a program read and write, as `tensoraccess-ask work`."""
    (section,) = json.loads(ta.ask("work", module).json)["sections"]
    return sum(row["bytes"] for row in section["rows"])


def lowered(f, *args):
    """A whole program on the same ops as those of parts."""
    part = jax.eval_shape(f, *args)
    return ta.restrict(f, *args, box=ta.Box([0] * len(part.shape), part.shape)).module


def attention(q, k, v):
    scores = jnp.where(jnp.tri(len(q), dtype=bool), q @ k.T, -jnp.inf)
    return jax.nn.softmax(scores) @ v


def attention_rows(q, k, v):
    rows = jnp.where(jnp.tri(2, 64, 40, dtype=bool), q[40:42] @ k.T, -jnp.inf)
    return jax.nn.softmax(rows) @ v[:, :8]


def two_convs(x, w, v):
    return conv(jax.nn.relu(conv(x, w)), v)


def two_convs_patch(x, w, v):
    x = x[:, :, 6:14, 18:26]
    return conv(jax.nn.relu(conv(x, w, padding="VALID")), v, padding="VALID")


# Functions, boxes, and the elements by hand.
PARTS = [
    (
        lambda x, w: conv(x, w, padding="VALID"),
        [(1, 3, 64, 64), (8, 3, 3, 3)],
        ta.Box([0, 0, 8, 8], [1, 8, 12, 12]),
        lambda x, w: conv(x[:, :, 8:14, 8:14], w, padding="VALID"),
    ),
    (
        two_convs,
        [(1, 3, 32, 32), (8, 3, 3, 3), (4, 8, 3, 3)],
        ta.Box([0, 0, 8, 20], [1, 4, 12, 24]),
        two_convs_patch,
    ),
    (attention, [(64, 16)] * 3, ta.Box([40, 0], [42, 8]), attention_rows),
    (
        lambda x, w: (x.reshape(6, 40) @ w).reshape(2, 3, 10, 5),
        [(2, 3, 4, 10), (40, 50)],
        ta.Box([1, 2, 3, 0], [2, 3, 5, 5]),
        lambda x, w: (x[1, 2].reshape(1, 40) @ w[:, 15:25]).reshape(1, 1, 2, 5),
    ),
    (
        lambda x, y, w: jnp.concatenate([x @ w, y @ w, x @ w.T], 0)[::-1],
        [(9, 6), (8, 6), (6, 6)],
        ta.Box([10, 1], [16, 3]),
        lambda x, y, w: (y[1:7] @ w[:, 1:3])[::-1],
    ),
    (
        # What is wanted lies at both ends.
        lambda x, w: jnp.pad(x @ w, ((3, 3), (0, 0)), mode="wrap"),
        [(100, 6), (6, 4)],
        ta.Box([0, 0], [5, 4]),
        lambda x, w: jnp.concatenate([x[97:] @ w, x[:2] @ w]),
    ),
    (
        lambda x: lax.reduce_window(
            x * x, 0.0, lax.add, (3, 3), (2, 2), ((1, 1), (1, 1))
        ),
        [(64, 64)],
        ta.Box([4, 5], [8, 6]),
        lambda x: lax.reduce_window(
            x[7:16, 9:12] * x[7:16, 9:12], 0.0, lax.add, (3, 3), (2, 2), "VALID"
        ),
    ),
]


@pytest.mark.parametrize("number", range(len(PARTS)))
def test_work(number):
    f, shapes, box, by_hand = PARTS[number]
    rng = np.random.default_rng(number)
    args = [normal(rng, *shape) for shape in shapes]
    part = ta.restrict(f, *args, box=box)
    np.testing.assert_allclose(part(*args), by_hand(*args), rtol=1e-4, atol=1e-4)
    ours, theirs = operations(part.module), operations(lowered(by_hand, *args))
    assert 0 < ours <= 1.05 * theirs
    assert ours < operations(lowered(f, *args)) / 3
    moved, least = traffic(part.module), traffic(lowered(by_hand, *args))
    assert 0 < moved <= 1.05 * least
    assert moved < traffic(lowered(f, *args)) / 3


@pytest.mark.parametrize("number", [0, 1, 3, 4, 5, 6])
def test_reads_what_matters(number):
    """Elements whose derivative is zero whatever the others are may be anything."""
    f, shapes, box, _ = PARTS[number]
    rng = np.random.default_rng(number)
    args = [normal(rng, *shape) for shape in shapes]
    part = ta.restrict(f, *args, box=box)
    whole = part(*args)
    back = jax.vjp(lambda *inputs: cut(f(*inputs), box), *args)[1]
    matters = [np.asarray(g) != 0 for g in back(jnp.asarray(normal(rng, *whole.shape)))]
    assert any(not m.all() for m in matters)
    spoilt = [np.where(m, x, np.nan).astype(x.dtype) for m, x in zip(matters, args)]
    np.testing.assert_array_equal(part(*spoilt), whole)


def masked_program(rng):
    """Sums and maxima under random masks of positions: bands, triangles, edges."""
    low, high, edge, kind = (int(n) for n in rng.integers(-6, 7, 4))

    def f(x, y, v):
        i, j = jnp.arange(x.shape[0])[:, None], jnp.arange(y.shape[0])
        mask = [
            i - j >= low,
            (i - j >= low) & (i - j < low + 7),
            (j <= i + high) | (j < edge),
            (i + j < 9) | (i == j),
        ][kind % 4]
        if kind % 3 == 0:
            return jnp.where(mask, x @ y.T, 0.0) @ v
        if kind % 3 == 1:
            return jax.nn.softmax(jnp.where(mask, x @ y.T, -jnp.inf)) @ v
        scores = jnp.where(mask, x @ y.T, -jnp.inf)
        return jnp.concatenate([scores.max(1)[:, None], jnp.exp(scores) @ v], 1)

    return f


@pytest.mark.parametrize("seed", range(40))
def test_masked_programs(seed):
    rng = np.random.default_rng(seed)
    f = masked_program(rng)
    args = [normal(rng, 11, 3), normal(rng, 13, 3), normal(rng, 13, 2)]
    whole = ta.Module(jax.jit(f).lower(*args)).interpret()(*args)
    box = random_box(rng, whole.shape)
    part = ta.restrict(f, *args, box=box, masked=True)
    np.testing.assert_array_equal(part.module.interpret()(*args), cut(whole, box))
    plain = ta.restrict(f, *args, box=box)
    assert plain.condition == ""
    assert operations(part.module) <= operations(plain.module)


def test_masked_reads_what_matters():
    rng = np.random.default_rng(3)
    q, k, v = (normal(rng, 64, 16) for _ in range(3))
    whole = attention(q, k, v)
    for row in (0, 20, 63):
        box = ta.Box([row, 0], [row + 1, 16])
        part = ta.restrict(attention, q, k, v, box=box, masked=True)
        assert part.condition == ("if finite" if row < 63 else "")
        # Two products of 16 for each token, and six operations of softmax.
        assert operations(part.module) <= 70 * (row + 1)
        spoilt = [np.copy(x) for x in (k, v)]
        for x in spoilt:
            x[row + 1 :] = np.nan
        np.testing.assert_allclose(
            part(q, *spoilt)[0], whole[row], rtol=1e-4, atol=1e-5
        )
        plain = ta.restrict(attention, q, k, v, box=box)
        assert np.isnan(plain(q, *spoilt)).all() == (row < 63)


@pytest.mark.parametrize("name", ["alibi", "gpt2", "llama", "conformer", "prefix_lm"])
def test_masked_models(name, root):
    """The first two tokens of whole models."""
    module = ta.Module((root / f"test/Models/causal/{name}.mlir").read_text("utf-8"))
    rng = np.random.default_rng(7)
    (main,) = (x for x in module.functions if x.name == "main")
    args = []
    for text in main.inputs:
        *shape, element = re.fullmatch(r"tensor<(.*)>", text)[1].split("x")
        shape = list(map(int, shape))
        args.append(
            normal(rng, *shape) if element == "f32"
            else rng.integers(0, 3, shape, np.int32)
        )
    whole = module.interpret()(*args)
    box = ta.Box([0, 0, 0], [2, 2, whole.shape[2]])
    part = ta.restrict(module, box=box, masked=True)
    np.testing.assert_array_equal(part.module.interpret()(*args), whole[:, :2])
    plain = ta.restrict(module, box=box)
    assert part.condition == "if finite"
    assert operations(part.module) < 0.7 * operations(plain.module)


def test_loops_keep_to_what_is_wanted():
    x = np.zeros((5, 4), np.float32)
    last = ta.restrict(scan, x, result=0, box=ta.Box([1], [3])).module
    # The rows that are stacked are not carried.
    assert "tensor<5x2xf32>" not in str(last) and "tensor<4xf32>)" not in str(last)
    rows = ta.restrict(scan, x, result=2, box=ta.Box([1, 0], [3, 1])).module
    assert "scf.while" in str(rows) and "arith.mulf" not in str(rows)


def test_errors():
    module = ta.Module("func.func @f(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {\n"
                       "  return %x : tensor<4x3xf32>\n}")
    good = ta.Box([0, 0], [2, 3])
    assert ta.restrict(module, box=good, entry="f").module.functions[0].results == [
        "tensor<2x3xf32>"
    ]
    for message, options in [
        ("there is no function 'main' with a body", {"box": good}),
        ("there is no result 1, the function has 1", {"box": good, "result": 1}),
        ("there is no result -1", {"box": good, "result": -1}),
        ("has rank 1, but result 0 has rank 2", {"box": ta.Box([0], [2])}),
        ("not inside of result 0", {"box": ta.Box([0, 0], [2, 4])}),
        ("not inside of result 0", {"box": ta.Box([-1, 0], [2, 3])}),
        ("is empty", {"box": ta.Box([1, 0], [1, 3])}),
        ("expected a Box, two lists of its ends, or slices, got 3", {"box": 3}),
        ("expected a slice of a start and a stop by 1", {"box": np.s_[0:2, ::2]}),
        ("an end of a box must be an integer, got 'a'", {"box": (["a", 0], [2, 3])}),
        ("result must be an integer, got '0'", {"box": good, "result": "0"}),
    ]:
        entry = "main" if "'main'" in message else "f"
        with pytest.raises(ta.Error, match=message) as caught:
            ta.restrict(module, entry=entry, **options)
        assert "expected" in message or "must" in message or ": error: " in str(caught.value)
    with pytest.raises(ta.Error, match="takes none here"):
        ta.restrict(module, 1.0, box=good)


def test_updates():
    """What was not reached is bit by bit as it was, the rest as computed anew."""
    rng = np.random.default_rng(11)
    for f, shapes in [
        *PROGRAMS.values(),
        (attention, [(9, 4)] * 3),
    ]:
        args = [normal(rng, *shape) for shape in shapes]
        number = int(rng.integers(len(args)))
        box = random_box(rng, args[number].shape)
        before = jax.jit(f)(*args)
        changed = args[number].copy()
        cut(changed, box)[...] = normal(rng, *cut(changed, box).shape)
        now = [*args[:number], changed, *args[number + 1 :]]
        update = ta.update(f, *args, changed={number: box})
        got = update(before, *now)
        assert jax.tree.structure(got) == jax.tree.structure(before)
        for ours, theirs in zip(jax.tree.leaves(got), jax.tree.leaves(jax.jit(f)(*now))):
            tolerance = 2e-2 if theirs.dtype == jnp.bfloat16 else 2e-4
            np.testing.assert_allclose(
                np.asarray(ours).astype(np.complex128),
                np.asarray(theirs).astype(np.complex128),
                rtol=tolerance,
                atol=tolerance,
            )


def test_update_takes_what_is_reached():
    rng = np.random.default_rng(12)
    x, w, v = normal(rng, 1, 3, 64, 64), normal(rng, 8, 3, 3, 3), normal(rng, 4, 8, 3, 3)
    patch = {0: ta.Box([0, 0, 30, 30], [1, 3, 34, 34])}
    ours = operations(ta.update(two_convs, x, w, v, changed=patch).module)
    # 4x4 elements reach 6x6, these 8x8, which read 12x12.
    assert ours <= 1.05 * operations(lowered(
        lambda *args: conv(jax.nn.relu(conv(*args[:2], padding="VALID")), v, padding="VALID"),
        x[..., :12, :12], w,
    ))
    # The last token of 64 with a causal mask, and without.
    q = normal(rng, 64, 16)
    last = {i: ta.Box([63, 0], [64, 16]) for i in range(3)}
    one = ta.update(attention, q, q, q, changed=last)
    everything = operations(lowered(attention, q, q, q))
    assert operations(one.module) < everything / 60
    sees = ta.update(
        lambda q, k, v: jax.nn.softmax(q @ k.T) @ v, q, q, q, changed={1: last[1]}
    )
    assert operations(sees.module) > everything * 0.9
    careful = ta.update(attention, q, q, q, changed=last, finite=False)
    assert operations(careful.module) > everything * 0.4
    # What is not reached is what was given.
    before = normal(rng, 64, 16)
    np.testing.assert_array_equal(one(before, q, q, q)[:63], before[:63])


def test_boxes():
    """Lists and slices say the same box."""
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    for box in [ta.Box([1, 0], [3, 2]), ([1, 0], [3, 2]), [(1, 0), (3, 2)], np.s_[1:3, 0:2]]:
        got = ta.restrict(lambda x: x + 1, x, box=box)(x)
        assert np.array_equal(got, (x + 1)[1:3, 0:2])
    got = ta.restrict(lambda x: x[0] + 1, x, box=np.s_[1:3])(x)
    assert np.array_equal(got, (x[0] + 1)[1:3])


def test_update_errors():
    x = np.zeros((4, 3), np.float32)
    for message, changed in [
        ("there is no argument 1, the function has 1", {1: ta.Box([0, 0], [1, 1])}),
        ("not inside of argument 0", {0: ta.Box([0, 0], [1, 4])}),
        ("expected what is changed", {}),
        ("an argument must be an integer, got 'x'", {"x": ta.Box([0, 0], [1, 1])}),
        ("expected a Box, two lists of its ends, or slices, got 3", {0: 3}),
    ]:
        with pytest.raises(ta.Error, match=message):
            ta.update(lambda x: x + 1, x, changed=changed)
