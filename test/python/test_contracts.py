# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contracts of functions of JAX and of modules, and dependence by perturbation."""

import importlib.util
import pathlib

import numpy as np
import pytest
import tensoraccess as ta

CAUSAL = "causal(result 0 dim 0, arg 0 dim 0)"
SUMS = """
func.func @main(%x: tensor<4x3xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_module():
    module = ta.Module(SUMS)
    assert ta.prove(module, CAUSAL) == ta.Proof("proved")
    assert ta.prove(module, "ignores(arg 1)").verdict == "proved"
    leak = ta.prove(module, "ignores(arg 0 dim 1 in [0, 1])")
    assert (leak.verdict, leak.op, leak.result) == ("refuted", "stablehlo.reduce", 0)
    one, other = leak.witness
    changed = np.argwhere(one[0] != other[0])
    assert len(changed) and (changed[:, 1] <= 1).all() and (one[1] == other[1]).all()
    run = module.compile()
    assert run(*one)[leak.index] != run(*other)[leak.index]
    assert leak.message.startswith(f"result 0 at [{leak.index[0]}] is ")
    assert str(leak) == f"refuted: {leak.message}"
    assert repr(ta.dependence(module)).splitlines()[1] == "result 0, arg 1: nothing"


def test_jax():
    jax = pytest.importorskip("jax")
    jnp = jax.numpy

    def attend(x, unused, mask=jnp.tril):
        scores = x @ x.T
        scores = jnp.where(mask(jnp.ones(scores.shape, bool)), scores, -jnp.inf)
        return jax.nn.softmax(scores) @ x

    args = jax.ShapeDtypeStruct((5, 3), np.float32), {"a": 1.0}
    proof = ta.prove(attend, CAUSAL, *args)
    assert (proof.verdict, proof.condition) == ("proved", "if finite")
    assert ta.prove(jax.jit(attend), "ignores(arg 1)", *args) == ta.Proof("proved")
    # The derivative of a function, and not the function.
    derivative = jax.grad(lambda x, y: (x * x * y).sum())
    assert ta.prove(derivative, "ignores(arg 1)", 1.0, 2.0).verdict == "refuted"
    assert ta.prove(derivative, "independent(result 0 dim 0, arg 0 dim 0)", *(
        jax.ShapeDtypeStruct((5,), np.float32),
    ) * 2).verdict == "proved"
    leak = ta.prove(lambda x, u: attend(x, u, jnp.triu), CAUSAL, *args)
    assert leak.verdict == "refuted" and leak.index[0] < 4
    assert ta.prove(attend, CAUSAL, *args, trials=0).verdict == "proved"
    answer = ta.dependence(attend, *args)
    assert answer.condition == "if finite" and answer.pairs[0][1] == ([], True)
    reads = {
        (o, i)
        for m in answer.pairs[0][0].maps
        for o in range(5)
        for i in range(5)
        for s in range(5)
        if (r := m.evaluate([o, 0], [s, 0][: len(m.symbols)][::1])) and r[0] == i
    }
    assert all(i <= o for o, i in reads) and (4, 0) in reads
    assert ta.dependence(attend, *args, finite=False).condition == ""


@pytest.mark.parametrize("mask", [-1e5, -1e8, -1e9, -1e30, -3.4028235e38, "jax"])
def test_finite_masks(mask):
    """Masked scores are idle where their exponentials are 0."""
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    # As jax.nn.dot_product_attention masks.
    low = -0.7 * float(np.finfo(np.float32).max) if mask == "jax" else mask
    here = np.tri(4, dtype=bool)

    def weigh(s, v):
        return jnp.exp(jnp.where(here, s, low)) @ v

    def attend(s, v):
        if mask == "jax":
            q, v = s[None, :, None], v[None, :, None]
            return jax.nn.dot_product_attention(q, q, v, is_causal=True)[0, :, 0]
        return jax.nn.softmax(jnp.where(here, s, low)) @ v

    args = (jax.ShapeDtypeStruct((4, 4), np.float32),) * 2
    causal = "causal(result 0 dim 0, arg 1 dim 0)"
    proof = ta.prove(weigh, causal, *args)
    assert str(proof) == "proved if finite"
    pair = ta.dependence(weigh, *args).pairs[0][1]
    assert pair.exact and ", d0 - s0 in [0, inf]" in repr(pair)
    s, v = np.random.default_rng(0).standard_normal((2, 4, 4)).astype(np.float32)
    jacobian = np.asarray(jax.jacobian(weigh, 1)(s, v))
    reads = np.abs(jacobian).sum((1, 3)) != 0
    assert (reads == here).all()
    # A score of -1e38 would not be masked by -1e9.
    proof = ta.prove(attend, causal, *args)
    assert proof.verdict == "unknown" and f"a mask of {low:g} is finite: bound" in proof.reason
    bounded = ta.prove(attend, causal, *args, assume="|arg 0| <= 10")
    assert str(bounded) == "proved if finite and |arg 0| <= 10"
    again = ta.prove(attend, causal, *args, assume="|arg 0| <= 9 and arg 1 in [0, 1]")
    assert again.condition == "if finite and |arg 0| <= 9 and arg 1 in [0, 1]"
    pair = ta.dependence(attend, *args).pairs[0][1]
    assert not pair.exact and repr(pair).startswith("at most (d0, d1)")
    if low > -1e8:
        loose = ta.prove(attend, causal, *args, assume="|arg 0| <= 1e6")
        assert loose.verdict == "unknown" and "do not make its exponentials 0" in loose.reason


def test_exactness():
    """A superset is not called exact."""
    jax = pytest.importorskip("jax")
    numbers = np.random.default_rng(0)
    ragged = (numbers.random((9, 9)) < 0.5).astype(np.float32)
    dense = numbers.random((9, 9)).astype(np.float32) + 1
    x = jax.ShapeDtypeStruct((9, 9), np.float32)

    def is_exact(f):
        return ta.dependence(f, x).pairs[0][0].exact

    assert not is_exact(lambda x: x * ragged) and not is_exact(lambda x: x @ ragged)
    assert is_exact(lambda x: x * dense) and is_exact(lambda x: x @ dense)
    assert is_exact(lambda x: x * 2 + 1) and is_exact(lambda x: jax.numpy.tril(x).sum(1))
    assert not is_exact(lambda x: x - 1e9 * (1 - np.tri(9, dtype=np.float32)))


def test_errors():
    module = ta.Module(SUMS)
    jax = pytest.importorskip("jax")
    # What has no place in a file is named by none.
    traced = jax.jit(lambda x: x * 2).lower(np.ones(3, np.float32))
    with pytest.raises(ta.Error, match="^error: contract 'x': expected"):
        ta.prove(ta.Module(traced), "x")
    said = repr(ta.Module(traced).function_indexing("main"))
    assert said == "<OpIndexing of main: operand 0: (d0) -> (d0)>"
    for contract, message in [
        ("causal(result 0 dim 0, arg 7 dim 0)", "arg 7: there are 2 arguments"),
        ("cusal(result 0 dim 0, arg 0 dim 0)", "no contract 'cusal'"),
    ]:
        with pytest.raises(ta.Error, match=message):
            ta.prove(module, contract)
    with pytest.raises(ta.Error, match=r"assume: expected 'arg N in \[A, B\]'"):
        ta.prove(module, CAUSAL, assume="|x| < 3")
    with pytest.raises(ta.Error, match="expected ',' or 'and', got"):
        ta.prove(module, CAUSAL, assume="|arg 0| <= 3; |arg 1| <= 3")
    with pytest.raises(ta.Error, match="assume: arg 9: there are 2 arguments"):
        ta.prove(module, CAUSAL, assume="|arg 9| <= 3")
    with pytest.raises(ta.Error, match="takes none here"):
        ta.prove(module, CAUSAL, 3)
    with pytest.raises(ta.Error, match="expected a function of JAX or a Module, got int"):
        ta.prove(3, CAUSAL)


def test_random_programs():
    """No output changes with an input that the maps leave out."""
    path = pathlib.Path(__file__).parents[2] / "bench" / "fuzz_dependence.py"
    spec = importlib.util.spec_from_file_location("fuzz_dependence", path)
    fuzz = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzz)
    faults = [
        fault
        for loops in (False, True)
        for seed in range(200)
        if (fault := fuzz.check(seed, loops)[0])
    ]
    assert not faults, faults[0]


def test_loops():
    """What any trip reads: exact where it is the same in each, and two read what one does."""
    jax = pytest.importorskip("jax")
    jnp, scan, fori_loop = jax.numpy, jax.lax.scan, jax.lax.fori_loop
    x = jax.ShapeDtypeStruct((7,), np.float32)
    mask = np.tri(7, dtype=bool)

    def turn(x):
        return fori_loop(0, 3, lambda i, c: jnp.roll(c, 1), x)

    def mix(x):
        return fori_loop(0, 3, lambda i, c: jnp.where(mask, 1.0, 0.0) @ c, x)

    def keep(x):
        return scan(lambda c, v: (c, jnp.exp(v)), 0.0, x)[1]

    def attend(x):
        def step(c, t):
            scores = jnp.where(jnp.arange(7) <= t, x, -jnp.inf)
            return c, jax.nn.softmax(scores) @ x

        return scan(step, 0.0, jnp.arange(7))[1]

    point = np.random.default_rng(0).standard_normal(7).astype(np.float32)
    for f, exact in [(turn, False), (mix, True), (keep, True), (attend, True)]:
        pair = ta.dependence(f, x, unroll=0).pairs[0][0]
        assert pair.exact == exact, f
        seen = np.asarray(jax.jacrev(f)(point)) != 0
        reads = np.zeros((7, 7), bool)
        for m in pair.maps:
            for o in range(7):
                for s in np.ndindex((7,) * len(m.symbols)):
                    start = [v.lower for v in m.symbols]
                    if r := m.evaluate([o], [a + b for a, b in zip(start, s)]):
                        reads[o, r[0]] = True
        assert not (seen & ~reads).any() and (not exact or (seen == reads).all()), f


def rows_of(pair, n):
    """The indices of dimension 0 that any of the maps has."""
    rows = set()
    for m in pair.maps:
        values, inside = m.evaluate_all()
        rows |= {int(r) for r in np.atleast_1d(values[0])[np.atleast_1d(inside)]}
    return rows & set(range(n))


def test_bounded_indices():
    """Places computed from values are as far apart as these may be; JAX shows which occur."""
    jax = pytest.importorskip("jax")
    jnp, lax = jax.numpy, jax.lax
    x = jax.ShapeDtypeStruct((8, 3), np.float32)
    i, v = (jax.ShapeDtypeStruct(s, np.int32) for s in ((), (5,)))
    u = jax.ShapeDtypeStruct((5,), np.uint8)
    cases = [
        (lambda x, i: lax.dynamic_slice(x, (jnp.clip(i, 1, 3), 0), (2, 3)), i, range(1, 5)),
        (lambda x, i: lax.dynamic_slice(x, (i, 0), (2, 3)), i, range(8)),
        (lambda x, i: x[i % 4], i, range(4)),
        (lambda x, i: x[lax.rem(i, 3) + 2], i, range(5)),
        (lambda x, i: x[jnp.clip(i, -2, 1)], i, {0, 1, 6, 7}),
        (lambda x, i: x[jnp.where(i > 3, jnp.minimum(i, 5), 4)], i, {4, 5}),
        (lambda x, i: x[lax.div(i & 3, 2) + 1], i, {1, 2}),
        (lambda x, i: x[abs(jnp.clip(i, -3, 2))], i, range(4)),
        (lambda x, i: x[(i > 0).astype(jnp.int32) + 4], i, {4, 5}),
        (lambda x, v: x[jnp.argmax(v)], v, range(5)),
        (lambda x, v: x[jnp.argsort(v)], v, range(5)),
        (lambda x, v: x[jnp.clip(v, 1, 3)], v, range(1, 4)),
        (lambda x, v: x[jnp.clip(v, 0, 1) * 2 + jnp.arange(5)], v, range(7)),
        (lambda x, u: jnp.tile(x, (40, 1))[:, 0][u.astype(jnp.int32)], u, range(8)),
        # What may wrap around is anywhere.
        (lambda x, i: x[jnp.maximum(i, 2) + 1], i, range(8)),
    ]  # fmt: skip
    rng = np.random.default_rng(0)
    point = rng.standard_normal((8, 3)).astype(np.float32)
    for number, (f, index, expected) in enumerate(cases):
        found = rows_of(ta.dependence(f, x, index).pairs[0][0], 8)
        # Two parts of an interval are one.
        assert found >= set(expected) and (
            found == set(expected) or number == 4
        ), (number, found)
        for _ in range(12):
            at = rng.integers(-6, 12, index.shape).astype(index.dtype)
            seen = np.asarray(jax.jacrev(f)(point, at)) != 0
            assert {int(r) for r in np.nonzero(seen)[-2]} <= found, number
    # Bounds that are assumed.
    def window(x, i):
        return lax.dynamic_slice(x, (i, 0), (2, 3))

    contract = "ignores(arg 0 dim 0 in [5, 7])"
    assert ta.prove(window, contract, x, i).verdict == "refuted"
    assert ta.prove(window, contract, x, i, assume="arg 1 in [0, 3]").verdict == "proved"


def test_facts_through_places():
    """Masks that are gathered or scattered, by constants or by iota."""
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    n = 6
    x = jax.ShapeDtypeStruct((n, n), np.float32)
    lower, places = np.tri(n, dtype=bool), np.arange(n)

    def permuted(x):
        return jnp.where(jnp.asarray(lower)[jnp.arange(n)[::-1]], x, 0)

    def chosen(x):
        return jnp.where(jnp.asarray(lower)[np.array([0, 2, 5, 1, 1, 3])], x, 0)

    def diagonal(x):
        return jnp.where(jnp.zeros((n, n), bool).at[places, places].set(True), x, 0)

    def rows(x):
        return x * jnp.ones((n, n)).at[jnp.array([1, 4])].set(0)

    def overwritten(x):
        return x.at[jnp.arange(3)].set(0)

    def outside(x):
        return x.at[np.array([4, 5, 6, 9])].get(mode="fill", fill_value=0)

    def added(x):
        return jnp.zeros((n, n)).at[jnp.array([1, 1])].add(0) * x

    point = np.random.default_rng(0).standard_normal((n, n)).astype(np.float32)
    for f in (permuted, chosen, diagonal, rows, overwritten, outside, added):
        pair = ta.dependence(f, x).pairs[0][0]
        seen = np.asarray(jax.jacrev(f)(point)).reshape(-1, n * n) != 0
        reads = np.zeros_like(seen)
        for m in pair.maps:
            values, inside = m.evaluate_all()
            for place in np.argwhere(inside):
                o = place[:2] + np.array([d.lower for d in m.dims])
                r, c = values[(slice(None), *place)] if values.ndim > 2 else values[:, 0]
                reads[o[0] * n + o[1], r * n + c] = True
        assert pair.exact and (reads == seen).all(), f


def test_coupled_states():
    """Two states that feed each other: a cell reads what came before, of its own row."""
    jax = pytest.importorskip("jax")
    jnp = jax.numpy

    def lstm(x, wx, wh, h, c):
        def cell(carry, row):
            h, c = carry
            i, f, o, u = jnp.split(row @ wx + h @ wh, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(u)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        (h, c), y = jax.lax.scan(cell, (h, c), x)
        return y, c

    def types(t):
        shapes = (t, 2, 3), (3, 8), (2, 8), (2, 2), (2, 2)
        return [jax.ShapeDtypeStruct(s, np.float32) for s in shapes]

    for t in (1, 2, 4, 2000):
        for contract in (
            "causal(result 0 dim 0, arg 0 dim 0)", "independent(result 0 dim 1, arg 0 dim 1)",
            "independent(result 1 dim 0, arg 4 dim 0)",
        ):  # fmt: skip
            assert ta.prove(lstm, contract, *types(t)) == ta.Proof("proved"), contract
    rng = np.random.default_rng(0)
    point = [rng.standard_normal(s.shape).astype(np.float32) for s in types(4)]
    answer = ta.dependence(lstm, *types(4), unroll=0)
    jacobian = jax.jacrev(lstm, argnums=tuple(range(5)))(*point)
    for row, parts in zip(answer.pairs, jacobian):
        for pair, part, argument in zip(row, parts, point):
            seen = np.asarray(part) != 0
            reads = np.zeros_like(seen)
            for m in pair.maps:
                for o in np.ndindex(seen.shape[: len(m.dims)]):
                    for s in np.ndindex(*(v.upper - v.lower + 1 for v in m.symbols)):
                        start = [v.lower for v in m.symbols]
                        if r := m.evaluate(list(o), [a + b for a, b in zip(start, s)]):
                            reads[(*o, *r)] = True
            assert not (seen & ~reads).any()
            assert pair.exact and (seen == reads).all(), (pair, argument.shape)


def module_of(body, inputs, output):
    arguments = ", ".join(f"%a{i}: tensor<{t}>" for i, t in enumerate(inputs))
    return ta.Module(
        f"func.func @main({arguments}) -> tensor<{output}> {{\n{body}\n"
        f"return %r : tensor<{output}>\n}}"
    )


@pytest.mark.parametrize("body, inputs, output, matters", [
    # 1 / -0 is -inf, of which the maximum with x is x.
    ("""%z = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
        %o = stablehlo.constant dense<1.0> : tensor<2xf32>
        %d = stablehlo.divide %o, %z : tensor<2xf32>
        %r = stablehlo.maximum %d, %a0 : tensor<2xf32>""", ["2xf32"], "2xf32", True),
    # The maximum of nothing else than x and NaN is not a number that is known.
    ("""%n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
        %o = stablehlo.constant dense<1.0> : tensor<2xf32>
        %m = stablehlo.reduce(%o init: %n) applies stablehlo.maximum across dimensions = [0]
          : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
        %p = stablehlo.compare EQ, %m, %m : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %z = stablehlo.constant dense<0.0> : tensor<f32>
        %r = stablehlo.select %p, %z, %a0 : tensor<i1>, tensor<f32>""", ["f32"], "f32", True),
    # f8E4M3FN has no infinity: 1 / 0 is NaN, and no number that decides.
    ("""%z = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
        %o = stablehlo.constant dense<1.0> : tensor<f8E4M3FN>
        %d = stablehlo.divide %o, %z : tensor<f8E4M3FN>
        %f = stablehlo.is_finite %d : (tensor<f8E4M3FN>) -> tensor<i1>
        %p = stablehlo.compare GT, %d, %o
          : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
        %y = stablehlo.constant dense<0.0> : tensor<f32>
        %r = stablehlo.select %p, %y, %a0 : tensor<i1>, tensor<f32>""", ["f32"], "f32", True),
    # An index beyond the end of 8 bits wraps around.
    ("""%c = stablehlo.constant dense<100> : tensor<i8>
        %m = stablehlo.maximum %a1, %c : tensor<i8>
        %s = stablehlo.add %m, %c : tensor<i8>
        %z = stablehlo.constant dense<0> : tensor<i8>
        %p = stablehlo.compare LT, %s, %z : (tensor<i8>, tensor<i8>) -> tensor<i1>
        %y = stablehlo.constant dense<0.0> : tensor<f32>
        %r = stablehlo.select %p, %a0, %y : tensor<i1>, tensor<f32>""",
     ["f32", "i8"], "f32", True),
    # Unsigned numbers are not negative, and as signed ones they may be.
    ("""%z = stablehlo.constant dense<0> : tensor<ui8>
        %c = stablehlo.constant dense<3> : tensor<ui8>
        %m = stablehlo.maximum %a1, %c : tensor<ui8>
        %p = stablehlo.compare LE, %m, %z : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
        %y = stablehlo.constant dense<0.0> : tensor<f32>
        %r = stablehlo.select %p, %a0, %y : tensor<i1>, tensor<f32>""",
     ["f32", "ui8"], "f32", False),
    ("""%c = stablehlo.constant dense<3> : tensor<ui8>
        %m = stablehlo.maximum %a1, %c : tensor<ui8>
        %s = stablehlo.convert %m : (tensor<ui8>) -> tensor<i8>
        %z = stablehlo.constant dense<0> : tensor<i8>
        %p = stablehlo.compare LT, %s, %z : (tensor<i8>, tensor<i8>) -> tensor<i1>
        %y = stablehlo.constant dense<0.0> : tensor<f32>
        %r = stablehlo.select %p, %a0, %y : tensor<i1>, tensor<f32>""",
     ["f32", "ui8"], "f32", True),
    # TOSA may leave out what is NaN.
    ("""%n = "tosa.const"() <{values = dense<0x7FC00000> : tensor<2xf32>}> : () -> tensor<2xf32>
        %r = tosa.maximum %n, %a0 {nan_mode = IGNORE}
          : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>""", ["2xf32"], "2xf32", True),
    # 0 / x of integers, and remainders by what may be 0.
    ("""%c = stablehlo.constant dense<3> : tensor<i32>
        %z = stablehlo.constant dense<0> : tensor<i32>
        %n = stablehlo.clamp %z, %a1, %c : tensor<i32>
        %m = stablehlo.remainder %a2, %n : tensor<i32>
        %p = stablehlo.compare GT, %m, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %y = stablehlo.constant dense<0.0> : tensor<f32>
        %r = stablehlo.select %p, %a0, %y : tensor<i1>, tensor<f32>""",
     ["f32", "i32", "i32"], "f32", True),
])  # fmt: skip
def test_edges_of_numbers(body, inputs, output, matters):
    """Where numbers are not what they seem to be, nothing is left out."""
    answer = ta.dependence(module_of(body, inputs, output))
    assert bool(answer.pairs[0][0].maps) == matters


def test_complex_zeros():
    """0 times what may be infinite is 0 only if it is finite, of complex numbers, too."""
    body = """
      %z = stablehlo.constant dense<0.0> : tensor<2xf32>
      %c = stablehlo.convert %z : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
      %r = stablehlo.multiply %c, %a0 : tensor<2xcomplex<f32>>"""
    module = module_of(body, ["2xcomplex<f32>"], "2xcomplex<f32>")
    assert ta.prove(module, "ignores(arg 0)").condition == "if finite"
    assert ta.dependence(module, finite=False).pairs[0][0].maps


def test_sizes_of_places():
    """Gathers and scatters of nothing, and of one element."""
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    for n, k in (1, 1), (1, 3), (4, 0), (3, 1):
        x, i = jax.ShapeDtypeStruct((n, 2), "float32"), jax.ShapeDtypeStruct((k,), "int32")
        for f in (
            lambda x, i: x[jnp.clip(i, 0, n - 1)],
            lambda x, i: x.at[jnp.clip(i, 0, n - 1)].set(0.0),
            lambda x, i: x.at[jnp.arange(i.shape[0])].add(1.0),
        ):
            pair = ta.dependence(f, x, i).pairs[0][0]
            point = np.arange(2.0 * n, dtype=np.float32).reshape(n, 2)
            seen = np.asarray(jax.jacrev(f)(point, np.zeros(k, np.int32))) != 0
            assert bool(pair.maps) >= seen.any()
            assert rows_of(pair, n) >= {int(r) for r in np.nonzero(seen)[-2]}
