# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sequences step by step, against all at once."""

import inspect
import pathlib
import random
import sys

import numpy as np
import pytest
import tensoraccess as ta

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import fuzz_streams  # noqa: E402
from test_restrict import block, block_arguments, conv, jax, jnp, lax, normal


def attention(x, wq, wk, wv):
    q, k, v = x @ wq, x @ wk, x @ wv
    scores = jnp.where(jnp.tri(len(x), dtype=bool), q @ k.T, -jnp.inf)
    return jax.nn.softmax(scores) @ v


def grouped(x, wq, wk, wv):
    """Four heads of queries to one of keys and values."""
    time = x.shape[0]
    q = (x @ wq).reshape(time, 4, -1).swapaxes(0, 1)
    k, v = (jnp.repeat((x @ w)[None], 4, 0) for w in (wk, wv))
    scores = jnp.where(jnp.tri(time, dtype=bool), q @ k.swapaxes(1, 2), -jnp.inf)
    return (jax.nn.softmax(scores) @ v).swapaxes(0, 1).reshape(time, -1)


def window(x, wq, wk, wv):
    """The last four only, and a bias by distance."""
    q, k, v = x @ wq, x @ wk, x @ wv
    at = jnp.arange(len(x))
    far = at[:, None] - at[None]
    scores = q @ k.T - 0.5 * far
    return jax.nn.softmax(jnp.where((far >= 0) & (far < 4), scores, -jnp.inf)) @ v


def causal_conv(x, w, dilation):
    return lax.conv_general_dilated(
        x, w, (1,), ((2 * dilation, 0),), rhs_dilation=(dilation,),
        dimension_numbers=("NWC", "WIO", "NWC"),
    )  # fmt: skip


def tcn(x, w1, w2):
    return x + causal_conv(jax.nn.relu(causal_conv(x, w1, 1)), w2, 2)


def shift(x):
    return x * jnp.concatenate([jnp.ones((2, 3)), x[:-2]])


def positions(x, table):
    return (x + table) * jnp.arange(12.0)[:, None], jnp.tanh(x)[:, :, None]


def mean(x):
    """Of all so far, by a triangle."""
    ones = jnp.tri(len(x))
    return (ones @ x) / ones.sum(1)[:, None]


def pool(x):
    return lax.reduce_window(
        x, -np.inf, lax.max, (3, 1), (1, 1), ((2, 0), (0, 0))
    )  # fmt: skip


def rnn(x, w, u):
    """Batches of sequences, and a state of each."""

    def cell(h, row):
        h = jnp.tanh(row @ w + h @ u)
        return h, (h, 2 * row)

    first = jnp.full((x.shape[0], u.shape[0]), 0.5)
    return jax.tree.map(
        lambda y: y.swapaxes(0, 1), lax.scan(cell, first, x.swapaxes(0, 1))[1]
    )


def selective(x, wa, wb, wc):
    """As Mamba: how a state decays depends on the token."""

    def cell(h, row):
        h = jax.nn.sigmoid(row @ wa)[:, None] * h + row[:, None] * (row @ wb)
        return h, h @ (row @ wc)

    return lax.scan(cell, jnp.zeros((x.shape[1], wb.shape[1])), x)[1]


def causal_mean(x):
    return jnp.cumsum(x, 1) / jnp.arange(1.0, x.shape[1] + 1)[:, None]


def running(x):
    return lax.cummax(x) + lax.cumsum(x[:, 0])[:, None] * lax.cumprod(x)


def counted(x):
    """The greatest so far, by the number of the element; state of several types."""

    def cell(carry, row):
        top, n = carry
        return (jnp.maximum(top, row), n + 1), jnp.maximum(top, row) / (n + 1)

    return lax.scan(cell, (jnp.full(x.shape[1], -jnp.inf), 0), x)[1]


def convolved_scan(x, w):
    """A scan between convolutions, which keep their own columns."""
    y = causal_conv(x[None], w, 1)[0]
    y = lax.scan(lambda h, row: (0.5 * h + row,) * 2, jnp.zeros(x.shape[1]), y)[1]
    return causal_conv(y[None], w, 2)[0]


def linear(p, q):
    return p[0] * q[0], q[0] * p[1] + q[1]


def mamba(x, wd, wb, wc, a):
    """As `selective`, by a tree."""
    d = jax.nn.softplus(x @ wd)
    pairs = jnp.exp(-d[:, :, None] * a * a), (d * x)[:, :, None] * (x @ wb)[:, None]
    return jnp.einsum("tdn,tn->td", lax.associative_scan(linear, pairs)[1], x @ wc)


def trees(x):
    """Of trees: maxima, sums from each positive element on, logarithms, two at once."""
    top = lax.associative_scan(jnp.maximum, x)
    sums = lax.associative_scan(
        lambda p, q: (p[0] | q[0], jnp.where(q[0], q[1], p[1] + q[1])), (x > 0, top)
    )[1]
    pair = lax.associative_scan(linear, (jax.nn.sigmoid(x), sums))
    return lax.associative_scan(jnp.logaddexp, x) * pair[0], pair[1]


def across(x):
    """Loops over features, backwards, and to a fixed point."""

    def cell(h, column):
        h = jnp.sin(h + column)
        return h, 2 * h

    last, y = lax.scan(cell, jnp.ones(len(x)), x.T, reverse=True)
    z = jax.vmap(lambda row: lax.scan(cell, 0.0, row, reverse=True)[1])(x)
    root = lax.fori_loop(0, 4, lambda i, r: 0.5 * (r + (1 + x * x) / r), jnp.ones(x.shape))
    return y.T + last[:, None], z * root


def written(x):
    """By index, from the first element, and from the third on the ones before."""
    y = lax.fori_loop(
        0, len(x), lambda t, c: (c[0] + x[t], c[1].at[t].set(c[0])), (jnp.zeros(3), 0 * x)
    )[1]
    z = lax.fori_loop(2, len(x), lambda t, z: z.at[t].add(0.5 * z[t - 2]), x)
    return y, z


def bytes_of(types):
    sizes = {"i1": 1, "i32": 4, "f32": 4}
    shapes = (t.removeprefix("tensor<").removesuffix(">").split("x") for t in types)
    return sum(int(np.prod([int(n) for n in s[:-1]])) * sizes[s[-1]] for s in shapes)


# The function, shapes, what is a sequence, steps, and the bytes that one would keep.
def unrolled(x):
    """Scans by several trips at once, and in a function that is called."""

    @jax.jit
    def inner(x, k):
        return lax.scan(lambda h, r: (0.5 * h + r, h * r), jnp.full(3, k), x, unroll=5)[1]

    y = lax.scan(lambda h, r: (h - 0.1 * r, h + r), jnp.ones(3), x, unroll=True)[1]
    z = lax.scan(lambda h, r: (0.9 * h + r, h), jnp.zeros(3), x, unroll=4)[1]
    return inner(x, 0.25) + y + z


PROGRAMS = {
    "attention": (attention, [(12, 4)] + [(4, 4)] * 3, {0: 0}, (1, 3), 4 + 2 * 12 * 16),
    "grouped": (
        grouped, [(12, 8), (8, 8), (8, 2), (8, 2)], {0: 0}, (1, 4), 4 + 2 * 12 * 8,
    ),
    "window": (window, [(12, 4)] + [(4, 4)] * 3, {0: 0}, (1, 2), 4 + 2 * 12 * 16),
    "tcn": (tcn, [(2, 12, 3)] + [(3, 3, 3)] * 2, {0: 1}, (1, 4), 2 * 3 * 4 * (2 + 4)),
    "shift": (shift, [(12, 3)], {0: 0}, (1, 2, 6), 2 * 3 * 4),
    "positions": (positions, [(12, 3), (12, 3)], {0: 0}, (1, 12), 4),
    "mean": (mean, [(12, 3)], {0: 0}, (1,), 4 + 12 * 3 * 4),
    "pool": (pool, [(12, 3)], {0: 0}, (1, 3), 2 * 3 * 4),
    "rnn": (rnn, [(2, 12, 3), (3, 5), (5, 5)], {0: 1}, (1, 3, 12), 2 * 5 * 4),
    "selective": (
        selective, [(12, 3), (3, 3), (3, 4), (3, 4)], {0: 0}, (1, 4), 3 * 4 * 4,
    ),
    "causal mean": (causal_mean, [(2, 12, 3)], {0: 1}, (1, 3), 4 + 2 * 3 * 4),
    "running": (running, [(12, 3)], {0: 0}, (1, 2, 6), (3 + 1 + 3) * 4),
    "square": (lambda x: jnp.cumsum(x, 1), [(12, 12)], {0: 1}, (1, 4), 12 * 4),
    "counted": (counted, [(12, 3)], {0: 0}, (1, 4), 4 + 3 * 4),
    "convolved scan": (
        convolved_scan, [(12, 3), (3, 3, 3)], {0: 0}, (1, 2), (2 + 1 + 4) * 3 * 4,
    ),
    "scan of scans": (
        lambda x, *w: rnn(rnn(x, *w)[0], *w)[0],
        [(2, 12, 5), (5, 5), (5, 5)], {0: 1}, (1, 6), 2 * 2 * 5 * 4,
    ),
    "mamba": (
        mamba, [(12, 3), (3, 3), (3, 4), (3, 4), (4,)], {0: 0}, (1, 4), 3 * 4 * 4,
    ),
    "unrolled": (lambda x: unrolled(x), [(12, 3)], {0: 0}, (1, 3), 3 * 3 * 4),
    "positions": (
        lambda x, t, p: x + t[jnp.arange(12)] + jnp.take(p, jnp.arange(12) + 2, 0),
        [(12, 3), (20, 3), (14, 3)], {0: 0}, (1, 4), 4,
    ),
    "tokens": (
        lambda x, t: jnp.tanh(t[jnp.abs(3 * x[:, 0]).astype(int)]) @ t.T,
        [(12, 3), (20, 3)], {0: 0}, (1, 4), 0,
    ),
    "places": (
        lambda x: x[jnp.arange(12)] - (0 * x + 1).at[jnp.arange(12)].add(jnp.sin(x))
        + jnp.zeros((12, 3)).at[jnp.arange(12)].set(2 * x)[jnp.arange(12)],
        [(12, 3)], {0: 0}, (1, 4), 0,
    ),
    "trees": (trees, [(12, 3)], {0: 0}, (1, 3, 12), 5 * 3 * 4),
    "across": (across, [(12, 5)], {0: 0}, (1, 3), 0),
    "across twice": (
        lambda x: across(across(x)[0] + jnp.flip(across(x)[1], 1)),
        [(12, 5)], {0: 0}, (1, 3), 0,
    ),
    "written": (written, [(12, 3)], {0: 0}, (1, 4), 4 + (1 + 2) * 3 * 4),
    "block": (block, None, {0: 1}, (1, 3), 4 + 2 * 2 * 12 * 8 * 4),
    "blocks": (
        lambda x, *w: block(block(x, *w), *w), None, {0: 1}, (1,), 4 + 4 * 2 * 12 * 8 * 4,
    ),
}  # fmt: skip


def run(stream, step, axis, args, size, length):
    """All results of the steps, put together along their sequences."""
    fixed = [x for i, x in enumerate(args) if i not in axis]
    state, parts = stream.init(*fixed), []
    for p in range(0, length, size):
        slices = [np.take(args[i], range(p, p + size), d) for i, d in axis.items()]
        state, y = step(state, *slices)
        parts.append(jax.tree.leaves(y))
    return [
        np.concatenate(x, next(d for d, n in enumerate(x[0].shape) if n == size))
        for x in zip(*parts)
    ]


def interpreted(stream):
    slow = ta.Stream.__new__(ta.Stream)
    slow.__dict__.update(stream.__dict__)
    slow.__dict__["_runs"] = tuple(stream.module.interpret(e) for e in ("init", "step"))
    return slow


@pytest.mark.parametrize("name", PROGRAMS)
def test_streams(name):
    f, shapes, axis, steps, wanted = PROGRAMS[name]
    rng = np.random.default_rng(len(name))
    args = block_arguments(rng) if shapes is None else [normal(rng, *s) for s in shapes]
    length = 12
    whole = jax.tree.leaves(jax.jit(f)(*args))
    exact = ta.Module(jax.jit(f, keep_unused=True).lower(*args)).interpret()(*args)
    for size in steps:
        stream = ta.stream(f, *args, axis=axis, step=size)
        # Calls need no other thread, which waits for Ctrl-C.
        assert stream._runs[1]._native.is_timed_by_shapes
        assert bytes_of(stream.state) == wanted
        for ours, theirs in zip(run(stream, stream.step, axis, args, size, length), whole):
            assert ours.shape == theirs.shape
            np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5)
        # In the interpreter, which adds in one order: bit by bit.
        slow = interpreted(stream)
        exacts = exact if isinstance(exact, tuple) else (exact,)
        for ours, theirs in zip(run(slow, slow.step, axis, args, size, length), exacts):
            # A tree adds in another order.
            if "associative_scan" in inspect.getsource(f):
                np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-6)
            else:
                np.testing.assert_array_equal(ours, theirs)


def random_loops(rng):
    """Loops of elements that write columns by earlier ones: as MLIR, and in numpy."""
    first, outer = rng.choice([0, 1, 1, 2]), rng.random() < 0.5
    lines, runs = [], []

    def write(where, place):
        """One element by two others: of the argument, or of the result so far."""
        terms, n = [], len(lines)
        for k in range(2):
            name, index = rng.choice("xy"), f"%i{n}_{k}"
            if where == "t":
                at = rng.randint(0, first) if name == "y" else 0
                lines.append(f"{index} = arith.subi %t, %c{at} : index")
            else:
                at = rng.choice([0, 0, 1])
                index = f"%c{at}"
            source = "%x" if name == "x" else place
            lines.append(f"%a{n}_{k} = tensor.extract {source}[{index}, %j] : T")
            terms.append((name, at))
        lines.append(f"%s{n} = arith.subf %a{n}_0, %a{n}_1 : f32")
        target = "%t" if where == "t" else f"%c{where}"
        lines.append(f"%w{n} = tensor.insert %s{n} into {place}[{target}, %j] : T")
        return f"%w{n}", (where, terms)

    def loop(variable, bounds, init, body):
        name = f"{len(lines)}"
        lines.append(
            f"%r{name} = scf.for %{variable} = %c{bounds[0]} to %c{bounds[1]} step %c1 "
            f"iter_args(%b{name} = {init}) -> (T) {{"
        )
        last = body(f"%b{name}")
        lines.extend([f"scf.yield {last} : T", "}"])
        return f"%r{name}"

    def writes(wheres):
        def body(place):
            for where in wheres:
                place, run = write(where, place)
                runs.append(run)
            return place

        return body

    before, within = rng.choice([[], [0], [0, 1]]), ["t"] * rng.randint(1, 2)
    if outer:
        value = loop(
            "j", (0, 2), "%e",
            lambda b: loop("t", (first, 6), writes(before)(b), writes(within)),
        )  # fmt: skip
    else:
        value = loop("j", (0, 2), "%e", writes(before))
        value = loop(
            "t", (first, 6), value, lambda b: loop("j", (0, 2), b, writes(within))
        )
    text = "\n".join(
        ["func.func @main(%x: T) -> T {"]
        + [f"%c{i} = arith.constant {i} : index" for i in (0, 1, 2, 6)]
        + ["%e = arith.constant dense<2.0> : T", *lines, f"return {value} : T", "}"]
    ).replace("T", "tensor<6x2xf32>")

    def run(x):
        y = np.full_like(x, 2)
        of = {"x": x, "y": y}
        for t in [None, *range(first, 6)]:
            for where, terms in runs:
                if (where == "t") == (t is None):
                    continue
                a, b = (of[n][at if t is None else t - at].copy() for n, at in terms)
                y[where if t is None else t] = a - b
        return y

    return text, run


@pytest.mark.parametrize("seed", range(4))
def test_random_loops(seed):
    rng, number = random.Random(seed), 0
    for _ in range(25):
        text, whole = random_loops(rng)
        if "extract %x" not in text:
            continue
        module = ta.Module(text)
        x = np.random.default_rng(seed).standard_normal((6, 2), np.float32)
        np.testing.assert_array_equal(module.interpret()(x), whole(x))
        for size in (1, 2, 3):
            try:
                stream = ta.stream(module, axis={0: 0}, step=size)
            except ta.Error as error:
                assert "the function cannot be streamed" in str(error)
                continue
            slow = interpreted(stream)
            state = slow.init()
            for p in range(0, 6, size):
                state, y = slow.step(state, x[p : p + size])
                np.testing.assert_array_equal(y, whole(x)[p : p + size], strict=True)
            number += 1
    assert number > 15


@pytest.mark.parametrize("seed", range(4))
def test_random_layers(seed):
    answers = [fuzz_streams.check(10 * seed + i) for i in range(10)]
    assert not [a for a in answers if a and not a.startswith("refused")]
    assert sum(a is None for a in answers) > 1


def tree(combine, *parts):
    """The last of the parts."""
    return lax.associative_scan(combine, parts if len(parts) > 1 else parts[0])


@pytest.mark.parametrize(
    "combine, count",
    [
        (jnp.subtract, 1),
        (lambda p, q: 0.5 * (p + q), 1),
        (lambda p, q: p + 2 * q, 1),
        (lambda p, q: p * q + q, 1),
        (lambda p, q: jnp.maximum(p, 2 * q), 1),
        (lambda p, q: (p[0] + q[0], jnp.maximum(p[1] + q[0], q[1])), 2),
        (lambda p, q: (p[0] * q[0], p[0] * p[1] + q[1]), 2),
        (lambda p, q: (p[0] + q[0], jnp.where(p[0] > q[0], p[1], q[1])), 2),
        (lambda p, q: jnp.arctan2(p, q), 1),
    ],
)
def test_what_is_not_associative(combine, count):
    def f(x):
        parts = [x, x + 1][:count]
        y = tree(combine, *parts)
        return y if count == 1 else y[1]

    x = jax.ShapeDtypeStruct((12, 3), np.float32)
    with pytest.raises(ta.Error, match="'tensor.insert_slice' is not understood"):
        ta.stream(f, x, axis={0: 0})
    # Three elements are combined from left to right.
    x = np.arange(9, dtype=np.float32).reshape(3, 3)
    stream = ta.stream(f, x, axis={0: 0})
    (y,) = run(stream, stream.step, {0: 0}, [x], 1, 3)
    np.testing.assert_allclose(y, f(x), rtol=1e-5)


@pytest.mark.parametrize(
    "combine, dtype, state",
    [
        (jnp.add, np.int32, ["tensor<1x3xi32>"]),
        (jnp.maximum, np.int32, ["tensor<i32>", "tensor<1x3xi32>"]),
        (jnp.logical_or, np.bool_, ["tensor<1x3xi1>"]),
        (jnp.logical_xor, np.bool_, ["tensor<1x3xi1>"]),
        (jnp.minimum, np.float32, ["tensor<1x3xf32>"]),
        (jnp.multiply, np.float32, ["tensor<1x3xf32>"]),
        (lambda p, q: q, np.float32, ["tensor<1x3xf32>"]),
        (lambda p, q: p, np.float32, ["tensor<i32>", "tensor<1x3xf32>"]),
    ],
)
def test_trees_of_types(combine, dtype, state):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2 if dtype == np.bool_ else 5, (12, 3)).astype(dtype)
    stream = ta.stream(lambda x: lax.associative_scan(combine, x), x, axis={0: 0})
    assert stream.state == state
    (y,) = run(stream, stream.step, {0: 0}, [x], 1, 12)
    np.testing.assert_array_equal(y, lax.associative_scan(combine, x), strict=True)


def test_two_sequences_of_a_module():
    module = ta.Module("""
        func.func @main(%x: tensor<6x2xf32>, %w: tensor<2xf32>, %y: tensor<2x6xf32>)
            -> tensor<6x2xf32> {
          %0 = stablehlo.transpose %y, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
          %1 = stablehlo.add %x, %0 : tensor<6x2xf32>
          %2 = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<2xf32>) -> tensor<6x2xf32>
          %3 = stablehlo.multiply %1, %2 : tensor<6x2xf32>
          return %3 : tensor<6x2xf32>
        }""")
    stream = ta.stream(module, axis={2: 1, 0: 0}, step=2)
    x, y = np.arange(12, dtype=np.float32).reshape(6, 2), np.ones((2, 6), np.float32)
    state = stream.init(np.array([2, 3], np.float32))
    for p in range(0, 6, 2):
        # In the order of the arguments.
        state, z = stream.step(state, x[p : p + 2], y[:, p : p + 2])
        np.testing.assert_array_equal(z, (x[p : p + 2] + 1) * [2, 3])
    with pytest.raises(ta.Error, match="the sequence has 6 elements"):
        stream.step(state, x[:2], y[:, :2])
    with pytest.raises(ta.Error, match="expected the next elements of 2 sequences"):
        stream.step(stream.init(np.ones(2, np.float32)), x[:2])


def scan(x, **options):
    return lax.scan(lambda h, row: (h + row, h), jnp.zeros(3), x, **options)[1]


@pytest.mark.parametrize(
    "f, message",
    [
        (lambda x: jax.nn.softmax(x @ x.T) @ x, "reads all of the sequence"),
        (lambda x: x - x.mean(0), "reads all of the sequence"),
        (lambda x: x[::-1], "does not go along the sequence step by step"),
        (lambda x: jnp.concatenate([x[1:], x[:1]]), "joins parts of sequences|ahead"),
        (
            lambda x: conv(x[None, None], np.ones((1, 1, 3, 3), np.float32))[0, 0],
            "'linalg.generic' reads what is 1 ahead",
        ),
        (lambda x: x.sum(1), None),
        (lambda x: x.sum(0), "not a sequence of length 12|reads all"),
        (
            lambda x: lax.cumsum(x, reverse=True),
            "'scf.for' does not go along the sequence step by step|is not understood",
        ),
        (
            lambda x: scan(x, reverse=True),
            "'scf.while' goes backwards along the sequence",
        ),
        (
            lambda x: lax.associative_scan(jnp.add, x, reverse=True),
            "'linalg.generic' does not go along the sequence step by step",
        ),
        (
            lambda x: lax.fori_loop(0, 3, lambda i, y: y + y.sum(0), x),
            "'scf.while' is not understood",
        ),
        (
            lambda x: lax.fori_loop(0, 12, lambda t, y: y.at[11 - t].set(x[t]), x),
            "'scf.while' goes backwards along the sequence",
        ),
        (
            lambda x: (0 * x).at[jnp.arange(12)[::-1]].set(x),
            "'scf.for' is not understood",
        ),
        (
            lambda x: lax.fori_loop(0, 12, lambda t, y: y.at[t].set(x[t] + y[t + 1]), x),
            "'scf.while' does not go along the sequence step by step|ahead",
        ),
        (
            lambda x: lax.scan(lambda h, r: (h + r, h), x.sum(0), x)[1],
            "'scf.while' begins with, or reads, all of the sequence",
        ),
        (
            lambda x: lax.scan(lambda h, r: (h + r, h + x.sum(0)), x[0] * 0, x)[1],
            "of the sequence",
        ),
        (
            lambda x: jnp.where(jnp.tri(12, 12, 1, dtype=bool), x @ x.T, 0.0) @ x,
            "'linalg.generic' reads all of the sequence, and it is not proved",
        ),
    ],
)
def test_what_cannot_be_streamed(f, message):
    x = jax.ShapeDtypeStruct((12, 3), np.float32)
    if message is None:
        assert ta.stream(f, x, axis={0: 0}).state == []
        return
    with pytest.raises(ta.Error, match=message) as caught:
        ta.stream(f, x, axis={0: 0})
    assert ".py:" in str(caught.value)


@pytest.mark.parametrize("name", ["attention", "block", "running"])
def test_donated_states(name):
    f, shapes, axis, *_ = PROGRAMS[name]
    rng = np.random.default_rng(0)
    args = block_arguments(rng) if shapes is None else [normal(rng, *s) for s in shapes]
    stream = ta.stream(f, *args, axis=axis, donate=True)
    assert stream._runs[1]._native.is_timed_by_shapes
    for _ in range(2):
        (ours,) = run(stream, stream.step, axis, args, 1, 12)
        np.testing.assert_allclose(ours, jax.jit(f)(*args), rtol=2e-4, atol=2e-5)
    first = stream.init(*args[1:])
    piece = np.take(args[0], [0], axis[0])
    second, _ = stream.step(first, piece)
    # Keys and values of all elements are the same arrays.
    for x, y in zip(first[1], second[1]):
        assert (x is y) == (12 in x.shape)
    stream.step(second, piece)
    with pytest.raises(ta.Error, match="the state of 0 elements was donated to a step"):
        stream.step(first, piece)


def test_errors():
    x = jax.ShapeDtypeStruct((12, 3), np.float32)
    for message, options in [
        ("there is no argument 1", {"axis": {1: 0}}),
        ("no dimension 2", {"axis": {0: 2}}),
        ("a step of 5 does not divide the length 12", {"axis": {0: 0}, "step": 5}),
        ("a step of 0 does not", {"axis": {0: 0}, "step": 0}),
        ("expected arguments and dimensions", {"axis": {}}),
        ("step must be an integer", {"axis": {0: 0}, "step": 1.5}),
    ]:
        with pytest.raises(ta.Error, match=message):
            ta.stream(lambda x: x + 1, x, **options)
