# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches and loops: what they may read, against derivatives that JAX computes."""

import itertools

import numpy as np
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax", reason="the package jax is not installed")
jnp, lax = jax.numpy, jax.lax
RNG = np.random.default_rng(5)


def pairs(maps):
    """All (index of the result, index of the operand) of a set of maps."""
    found = set()
    for map in maps:
        if map.is_empty():
            continue
        variables = [*map.dims, *map.symbols, *map.runtime]
        d, s = len(map.dims), len(map.symbols)
        ranges = (range(v.lower, v.upper + 1) for v in variables)
        for point in itertools.product(*ranges):
            at = map.evaluate(point[:d], point[d : d + s], point[d + s :])
            if at is not None:
                found.add((point[:d], tuple(at)))
    return found


def compare(f, *args, exact):
    """What maps say is all that any derivative says; with `exact`, no more."""
    args = [jnp.asarray(RNG.uniform(0.5, 1.5, np.shape(a)), jnp.float32) for a in args]
    indexing = ta.Module(jax.jit(f).lower(*args)).function_indexing()
    results = f(*args)
    single = not isinstance(results, tuple)
    slopes = jax.jacfwd(f, argnums=tuple(range(len(args))))(*args)
    for r, result in enumerate([results] if single else results):
        for o in range(len(args)):
            slope = np.asarray((slopes if single else slopes[r])[o])
            rank = np.ndim(result)
            depends = {
                (tuple(map(int, i[:rank])), tuple(map(int, i[rank:])))
                for i in np.argwhere(slope != 0)
            }
            down = indexing.output_to_input[r][o]
            up = indexing.input_to_output[o][r]
            said = pairs(down)
            assert depends <= said
            if exact:
                assert depends == said
            assert {(i, j) for j, i in pairs(up)} == said


def x(*shape):
    return np.zeros(shape)


CASES = {
    "scan": (
        lambda c, xs: lax.scan(lambda c, x: (c + x, c * 2), c, xs),
        (x(3), x(5, 3)),
        True,
    ),
    "reversed scan": (
        lambda c, xs: lax.scan(lambda c, x: (c + x, c * x), c, xs, reverse=True),
        (x(3), x(5, 3)),
        True,
    ),
    "one trip": (
        lambda c, xs: lax.scan(lambda c, x: (c + x, c * 2), c, xs),
        (x(2), x(1, 2)),
        True,
    ),
    "no trip": (
        lambda c: lax.fori_loop(0, 0, lambda i, c: c * 2 + c[::-1], c),
        (x(4),),
        True,
    ),
    "map": (lambda xs: lax.map(lambda x: x[::-1] * 2, xs), (x(5, 3),), True),
    "cumulative sum": (
        lambda xs: lax.fori_loop(
            1, 6, lambda i, s: s.at[i].set(s[i - 1] + xs[i]), xs * 0
        ),
        (x(6),),
        False,
    ),
    "recurrent": (
        lambda w, h, xs: lax.scan(lambda h, x: (jnp.tanh(w @ h + x),) * 2, h, xs),
        (x(3, 3), x(3), x(4, 3)),
        False,
    ),
    "stencil": (
        lambda v: lax.fori_loop(0, 3, lambda i, v: v + jnp.roll(v, 1), v),
        (x(12),),
        False,
    ),
    "a stencil that reaches all": (
        lambda v: lax.fori_loop(0, 40, lambda i, v: (v + jnp.roll(v, 1)) / 2, v),
        (x(6),),
        True,
    ),
    "two that swap": (
        lambda a, b: lax.fori_loop(0, 5, lambda i, s: (s[1], s[0] + s[1]), (a, b)),
        (x(3), x(3)),
        True,
    ),
    "two that swap once more": (
        lambda a, b: lax.fori_loop(0, 4, lambda i, s: (s[1], s[0]), (a, b)),
        (x(3), x(3)),
        False,
    ),
    "every other row": (
        lambda xs, ys: lax.fori_loop(
            0, 3, lambda i, s: s.at[2 * i].set(xs[2 * i + 1] * 2), ys
        ),
        (x(6, 2), x(6, 2)),
        False,
    ),
    "windows that overlap": (
        lambda xs, ys: lax.fori_loop(
            0, 3, lambda i, s: lax.dynamic_update_slice(s, xs * 2, (i,)), ys
        ),
        (x(3), x(7)),
        False,
    ),
    "one row again and again": (
        lambda xs, ys: lax.fori_loop(0, 3, lambda i, s: s.at[2].set(xs[i]), ys),
        (x(4), x(5)),
        False,
    ),
    "starts that are clamped": (
        lambda xs, ys: lax.fori_loop(
            2,
            6,
            lambda i, s: lax.dynamic_update_slice(
                s, lax.dynamic_slice(xs, (i,), (2,)), (i,)
            ),
            ys,
        ),
        (x(5), x(6)),
        False,
    ),
    "downwards": (
        lambda xs: lax.while_loop(
            lambda s: s[0] > 0, lambda s: (s[0] - 2, s[1] + xs[s[0]]), (7, 0.0)
        )[1],
        (x(8),),
        False,
    ),
    "until the data says": (
        lambda v: lax.while_loop(lambda v: v[0] < 10, lambda v: v * 2, v),
        (x(3),),
        False,
    ),
    "a loop in a loop": (
        lambda xs: lax.map(
            lambda row: lax.fori_loop(0, 3, lambda i, s: s + row[i], 0.0), xs
        ),
        (x(4, 5),),
        False,
    ),
    "if": (
        lambda a, b: lax.cond(a[0] > 0, lambda: a[::-1] * 2, lambda: b),
        (x(3), x(3)),
        False,
    ),
    "case": (
        lambda i, a: lax.switch(
            (i * 2).astype(int), [lambda: a, lambda: a[::-1], lambda: a * 3]
        ),
        (x(), x(3)),
        False,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_where_maps_are(name):
    f, args, exact = CASES[name]
    compare(f, *args, exact=exact)


def texts(source, result=0, operand=0):
    indexing = ta.Module(source).function_indexing()
    return [str(map) for map in indexing.output_to_input[result][operand]]


def test_for_loops_of_scf():
    source = """
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = arith.constant 0 : index
  %8 = arith.constant 8 : index
  %2 = arith.constant 2 : index
  %r = scf.for %i = %0 to %8 step %2 iter_args(%s = %y) -> tensor<8xf32> {
    %e = tensor.extract_slice %x[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %t = tensor.insert_slice %e into %s[%i] [2] [1] : tensor<2xf32> into tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}"""
    indexing = ta.Module(source).function_indexing()
    same = {((i,), (i,)) for i in range(8)}
    assert pairs(indexing.output_to_input[0][0]) == same
    # Every row is written: nothing of what was there is read.
    assert pairs(indexing.output_to_input[0][1]) == set()


def test_a_while_of_tosa_and_a_branch():
    source = """
func.func @main(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %r:2 = "tosa.while_loop"(%0, %x) ({
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>):
    %n = "tosa.const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %c = tosa.greater %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %s: tensor<4xf32>):
    %1 = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %j = tosa.add %i, %1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %t = tosa.reverse %s {axis = 0 : i32} : (tensor<4xf32>) -> tensor<4xf32>
    tosa.yield %j, %t : tensor<i32>, tensor<4xf32>
  }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
  return %r#1 : tensor<4xf32>
}"""
    assert texts(source) == [
        "(d0) -> (-d0 + 3), domain: d0 in [0, 3]",
        "(d0) -> (d0), domain: d0 in [0, 3]",
    ]


def test_counters_that_wrap_are_none():
    """Past 255 a counter of 8 bits begins again: the trips are unknown."""
    source = """
func.func @main(%x: tensor<300xf32>, %y: tensor<300xf32>) -> tensor<300xf32> {
  %0 = "stablehlo.constant"() <{value = dense<250> : tensor<ui8>}> : () -> tensor<ui8>
  %r:2 = "stablehlo.while"(%0, %y) ({
  ^bb0(%i: tensor<ui8>, %s: tensor<300xf32>):
    %n = "stablehlo.constant"() <{value = dense<3> : tensor<ui8>}> : () -> tensor<ui8>
    %c = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<ui8>, %s: tensor<300xf32>):
    %1 = "stablehlo.constant"() <{value = dense<1> : tensor<ui8>}> : () -> tensor<ui8>
    %j = "stablehlo.add"(%i, %1) : (tensor<ui8>, tensor<ui8>) -> tensor<ui8>
    %e = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}> : (tensor<300xf32>, tensor<ui8>) -> tensor<1xf32>
    %t = "stablehlo.dynamic_update_slice"(%s, %e, %i) : (tensor<300xf32>, tensor<1xf32>, tensor<ui8>) -> tensor<300xf32>
    "stablehlo.return"(%j, %t) : (tensor<ui8>, tensor<300xf32>) -> ()
  }) : (tensor<ui8>, tensor<300xf32>) -> (tensor<ui8>, tensor<300xf32>)
  return %r#1 : tensor<300xf32>
}"""
    indexing = ta.Module(source).function_indexing()
    kept = pairs(indexing.output_to_input[0][1])
    # Rows 250 to 255 and 0 to 2 are written; no more is known than that.
    assert {((i,), (i,)) for i in range(3, 250)} <= kept
