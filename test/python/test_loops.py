# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops whose state is kept in one or two buffers, against the interpreter, which has
a value for each, and numpy."""

import random

import numpy as np
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax
SHAPE = (5, 7)


# What a body computes of old states and of new ones: elementwise, from other places, rows,
# with a loop of its own, or a state itself.
MAKES = [
    lambda i, a, b: a * 0.5 + 1,
    lambda i, a, b: a - b * 0.25,
    lambda i, a, b: jnp.roll(a, 1, 0) * 0.5 + b,
    lambda i, a, b: a[::-1, ::-1],
    lambda i, a, b: a.at[i % 5].set(b[(i + 1) % 5] * 0.5),
    lambda i, a, b: lax.dynamic_update_slice(a, b[:2, :3], (i % 3, 1)),
    lambda i, a, b: jnp.where(a > b, a, b) - a.sum() * 0.01,
    lambda i, a, b: lax.fori_loop(0, i % 3, lambda j, x: x * 0.5 + a, b),
    lambda i, a, b: lax.fori_loop(0, 2, lambda j, s: (s[1], s[0] - 1), (a, b))[0],
    lambda i, a, b: lax.cond(i % 2 == 0, lambda: a + b, lambda: b),
    lambda i, a, b: b,
    lambda i, a, b: a,
]


def make_loop(seed):
    rng = random.Random(seed)
    count = rng.randint(1, 4)
    steps = [
        (rng.choice(MAKES), rng.randrange(2 * count), rng.randrange(2 * count))
        for _ in range(count)
    ]
    trips, reads = rng.randint(0, 5), rng.random() < 0.5
    twice = rng.random() < 0.3

    def program(*inits):
        def body(i, old):
            new = []
            for make, a, b in steps:
                known = [*old, *new]
                new.append(make(i, known[a % len(known)], known[b % len(known)]))
            return tuple(new)

        if reads:  # A condition that looks at a state.
            def go(s):
                return (s[0] < trips) & (s[1][0].max() < 1e6)

            _, ends = lax.while_loop(
                go, lambda s: (s[0] + 1, body(s[0], s[1])), (jnp.int32(0), inits)
            )
        else:
            ends = lax.fori_loop(0, trips, body, inits)
        if twice:
            ends = lax.fori_loop(0, trips, body, ends)
        # What the loop began with is as it was.
        return (*ends, *inits)

    return program, count


@pytest.mark.parametrize("seed", range(60))
def test_states(seed):
    program, count = make_loop(seed)
    rng = np.random.default_rng(seed)
    inits = [rng.integers(-8, 8, SHAPE).astype(np.float32) for _ in range(count)]
    kept = [x.copy() for x in inits]
    module = ta.Module(jax.jit(program).lower(*inits))
    got = module.compile()(*inits)
    want = module.interpret()(*inits)
    for x, y in zip(inits, kept):
        np.testing.assert_array_equal(x, y)
    reference = jax.jit(program)(*inits)
    for g, w, r in zip(got, want, reference, strict=True):
        np.testing.assert_allclose(g, w, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(g, r, rtol=1e-4, atol=1e-4)


def test_results_outlive_the_call():
    # Which of two buffers is the result is known at the end only.
    def swap(x, y, n):
        return lax.fori_loop(0, n, lambda i, s: (s[1] + 1, jnp.roll(s[0], 1)), (x, y))

    x = np.arange(6, dtype=np.float32)
    compiled = ta.Module(jax.jit(swap).lower(x, x, np.int32(0))).compile()
    kept = []
    for n in range(8):
        a, b = x, x
        for _ in range(n):
            a, b = b + 1, np.roll(a, 1)
        kept.append((compiled(x, x, np.int32(n)), (a, b)))
    for got, want in kept:
        np.testing.assert_array_equal(got[0], want[0])
        np.testing.assert_array_equal(got[1], want[1])


UNKNOWN = """
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %s = %x)
      : (index, tensor<?x?xf32>) -> (index, tensor<?x?xf32>) {{
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i, %s : index, tensor<?x?xf32>
  }} do {{
  ^bb0(%i: index, %s: tensor<?x?xf32>):
    %j = arith.addi %i, %c1 : index
    %d0 = tensor.dim %s, %c0 : tensor<?x?xf32>
    %d1 = tensor.dim %s, %c1 : tensor<?x?xf32>
    %e0 = arith.addi %{rows}, %c{grows} : index
    %e = tensor.empty(%e0, %{columns}) : tensor<?x?xf32>
    %t = linalg.generic {{indexing_maps = [#id],
        iterator_types = ["parallel", "parallel"]}} outs(%e : tensor<?x?xf32>) {{
    ^bb0(%out: f32):
      %p = linalg.index 0 : index
      %q = linalg.index 1 : index
      %v = tensor.extract %s[{place}] : tensor<?x?xf32>
      %m = arith.subi %p, %q : index
      %k = arith.index_cast %m : index to i32
      %f = arith.sitofp %k : i32 to f32
      %a = arith.addf %v, %f : f32
      linalg.yield %a : f32
    }} -> tensor<?x?xf32>
    scf.yield %j, %t : index, tensor<?x?xf32>
  }}
  return %r#1 : tensor<?x?xf32>
}}
"""


@pytest.mark.parametrize("trips", [0, 1, 2, 5])
@pytest.mark.parametrize("kind", ["same", "turned", "grown", "flipped"])
def test_unknown_sizes(kind, trips):
    rows, columns = ("d1", "d0") if kind == "turned" else ("d0", "d1")
    place = {"same": "%p, %q", "turned": "%q, %p", "grown": "%z, %q",
             "flipped": "%z, %q"}[kind]
    text = UNKNOWN.format(rows=rows, columns=columns, place=place,
                          grows=int(kind == "grown"))
    if "%z" in place:
        last = ("%z = arith.remui %p, %d0 : index" if kind == "grown" else
                "%y = arith.subi %d0, %p : index\n"
                "      %z = arith.subi %y, %c1 : index")
        text = text.replace("      %v =", f"      {last}\n      %v =")
    x = np.arange(15, dtype=np.float32).reshape(3, 5)
    want = x.copy()
    for _ in range(trips):
        want = {"same": want, "turned": want.T, "flipped": want[::-1],
                "grown": np.concatenate([want, want[:1]])}[kind]
        want = want + np.subtract.outer(*map(np.arange, want.shape)).astype("f")
    module = ta.Module(text)
    for run in (module.compile(), module.interpret()):
        np.testing.assert_array_equal(run(x, trips), want)


# A product in each trip, by rows or columns of what no trip changes, and its shapes.
PRODUCTS = {
    "rows": (lambda w, h: w @ h, (100, 100), (100,)),
    "columns": (lambda w, h: h @ w, (100, 100), (100,)),
    "few rows": (lambda w, h: h @ w.T, (100, 100), (3, 100)),
    "many rows": (lambda w, h: h @ w, (100, 100), (40, 100)),
    "turned": (lambda w, h: w.T @ h, (100, 100), (100, 3)),
    "batches": (lambda w, h: (w @ h[..., None])[..., 0], (3, 60, 60), (3, 60)),
    "a piece": (lambda w, h: w[1] @ h, (2, 70, 70), (70,)),
}


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "int32"])
@pytest.mark.parametrize("name", PRODUCTS)
def test_panels_before_the_loop(name, dtype):
    product, shape, state = PRODUCTS[name]
    rng = np.random.default_rng(len(name))
    dtype = jnp.dtype(dtype)
    w = rng.integers(-8, 8, shape).astype(dtype)
    h = rng.integers(-8, 8, state).astype(dtype)
    if dtype != np.int32:
        w = (w.astype(np.float64) / 16 + 0.01).astype(dtype)

    def step(w, h):
        h = product(w, h)
        return h if dtype == np.int32 else h / jnp.max(jnp.abs(h))

    def loop(w, h, n):
        return lax.fori_loop(0, n, lambda _, h: step(w, h), h)

    def nested(w, h, n):
        return lax.fori_loop(0, n, lambda _, h: loop(w, h, 3), h)

    with jax.enable_x64(dtype == np.float64):
        trip = ta.Module(jax.jit(step).lower(w, h)).compile()
        loops = [ta.Module(jax.jit(f).lower(w, h, np.int32(0))).compile()
                 for f in (loop, nested)]
    # As one call after the other, bit by bit: a panel holds what was there.
    for n in (0, 1, 9):
        want = h
        for _ in range(3 * n):
            want = trip(w, want)
        np.testing.assert_array_equal(loops[0](w, h, np.int32(3 * n)), want)
        np.testing.assert_array_equal(loops[1](w, h, np.int32(n)), want)
    # One trip is what numpy computes.
    exact = np.asarray(product(w.astype(np.float64), h.astype(np.float64)))
    got = loops[0](w, h, np.int32(1)).astype(np.float64)
    if dtype != np.int32:
        exact /= np.max(np.abs(exact))
    eps = 0 if dtype == np.int32 else float(jnp.finfo(dtype).eps)
    np.testing.assert_allclose(got, exact, rtol=0, atol=64 * eps)


def test_state_whose_size_turns_out_to_be_known():
    """A cast to an unknown size; the buffer of a known one is freed once."""
    mod = ta.Module("""
    func.func @main(%a0: tensor<6xf32>) -> tensor<?xf32> {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k5 = arith.constant 5 : index
      %z = arith.constant 2.0 : f32
      %c0 = tensor.cast %a0 : tensor<6xf32> to tensor<?xf32>
      %r:2 = scf.while (%s0 = %c0, %i = %k0) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
        %c = arith.cmpi slt, %i, %k5 : index
        scf.condition(%c) %s0, %i : tensor<?xf32>, index
      } do {
      ^bb0(%s0: tensor<?xf32>, %i: index):
        %v1 = tensor.insert %z into %s0[%k0] : tensor<?xf32>
        %v2 = arith.addf %s0, %v1 : tensor<?xf32>
        %j = arith.addi %i, %k1 : index
        scf.yield %v2, %j : tensor<?xf32>, index
      }
      return %r#0 : tensor<?xf32>
    }""")
    x = np.arange(6, dtype=np.float32)
    wanted = x
    for _ in range(5):
        one = wanted.copy()
        one[0] = 2
        wanted = wanted + one
    np.testing.assert_array_equal(mod.compile()(x), wanted)
