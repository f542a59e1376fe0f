# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places and sizes that integers of any type say, against Python's: starts are
clamped, what a scatter writes outside is dropped, by elements or by windows."""

import itertools

import numpy as np
import pytest

import tensoraccess as ta

RNG = np.random.default_rng(0)
INTEGERS = {f"{sign}{width}": np.dtype(f"{'u' if sign == 'ui' else ''}int{width}")
            for sign in ("i", "ui") for width in (8, 16, 32, 64)}  # fmt: skip


def extremes(name):
    """What is least, greatest, half of it, and what is near 0 and a small size."""
    info = np.iinfo(INTEGERS[name])
    near = {k for n in (info.min, info.max, 0, info.max // 2, 8) for k in range(n - 2, n + 3)}
    return np.array(sorted(k for k in near if info.min <= k <= info.max), INTEGERS[name])


def runs(module):
    raised = module.run("tensoraccess-raise")
    return [module.interpret(), module.compile(), module.compile(plain=True), raised.interpret(), raised.compile()]


def check(text, inputs, *want, scatter=None):
    for run in runs(ta.Module(text, scatter=scatter)):
        got = run(*inputs)
        got = got if isinstance(got, tuple) else (got,)
        for g, w in zip(got, want, strict=True):
            np.testing.assert_array_equal(g, w)


@pytest.mark.parametrize("name", INTEGERS)
def test_slices_begin_inside(name):
    t = np.arange(18, dtype=np.float32).reshape(9, 2)
    text = f"""func.func @main(%t: tensor<9x2xf32>, %u: tensor<3x1xf32>, %i: tensor<{name}>, %j: tensor<{name}>)
        -> (tensor<3x1xf32>, tensor<9x2xf32>) {{
      %0 = "stablehlo.dynamic_slice"(%t, %i, %j) <{{slice_sizes = array<i64: 3, 1>}}>
        : (tensor<9x2xf32>, tensor<{name}>, tensor<{name}>) -> tensor<3x1xf32>
      %1 = "stablehlo.dynamic_update_slice"(%t, %u, %i, %j)
        : (tensor<9x2xf32>, tensor<3x1xf32>, tensor<{name}>, tensor<{name}>) -> tensor<9x2xf32>
      return %0, %1 : tensor<3x1xf32>, tensor<9x2xf32> }}"""
    u = -np.ones((3, 1), np.float32)
    module = ta.Module(text)
    every = runs(module)
    for i, j in zip(extremes(name), extremes(name)[::-1]):
        a, b = min(max(int(i), 0), 6), min(max(int(j), 0), 1)
        updated = t.copy()
        updated[a : a + 3, b : b + 1] = u
        for run in every:
            sliced, changed = run(t, u, i, j)
            np.testing.assert_array_equal(sliced, t[a : a + 3, b : b + 1])
            np.testing.assert_array_equal(changed, updated)


@pytest.mark.parametrize("name", INTEGERS)
def test_constant_starts(name):
    """What is known when the program is compiled is the same."""
    t = np.arange(9, dtype=np.float32)
    for i in extremes(name):
        a = min(max(int(i), 0), 7)
        check(f"""func.func @main(%t: tensor<9xf32>) -> tensor<2xf32> {{
          %i = "stablehlo.constant"() <{{value = dense<{i}> : tensor<{name}>}}> : () -> tensor<{name}>
          %0 = "stablehlo.dynamic_slice"(%t, %i) <{{slice_sizes = array<i64: 2>}}> : (tensor<9xf32>, tensor<{name}>) -> tensor<2xf32>
          return %0 : tensor<2xf32> }}""", [t], t[a : a + 2])  # fmt: skip


@pytest.mark.parametrize("name", INTEGERS)
def test_gather(name):
    t, i = RNG.integers(0, 99, (9, 4)).astype(np.int32), extremes(name)[:, None]
    n = len(i)
    want = [t[a : a + 3, :2] for a in (min(max(int(k), 0), 6) for k in i[:, 0])]
    check(f"""func.func @main(%t: tensor<9x4xi32>, %i: tensor<{n}x1x{name}>) -> tensor<{n}x3x2xi32> {{
      %0 = "stablehlo.gather"(%t, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0],
        index_vector_dim = 1>, slice_sizes = array<i64: 3, 2>}}> : (tensor<9x4xi32>, tensor<{n}x1x{name}>) -> tensor<{n}x3x2xi32>
      return %0 : tensor<{n}x3x2xi32> }}""", [t, i], want)  # fmt: skip


def scattered(t, starts, updates, whole):
    """t with updates[n] added from starts[n] on; Python's integers have no end."""
    t, shape = t.copy(), updates.shape[1:]
    for start, window in zip(starts, updates):
        inside = all(0 <= int(s) <= size - part for s, size, part in zip(start, t.shape, shape))
        if whole and not inside:
            continue
        for offset in itertools.product(*map(range, shape)):
            at = tuple(int(s) + o for s, o in zip(start, offset))
            if all(0 <= a < size for a, size in zip(at, t.shape)):
                t[at] += window[offset]
    return t


@pytest.mark.parametrize("scatter", ["stablehlo", "xla"])
@pytest.mark.parametrize("name", INTEGERS)
def test_scatter(name, scatter):
    t = RNG.integers(0, 99, (6, 5)).astype(np.int32)
    info = np.iinfo(INTEGERS[name])
    near = range(max(info.min, -4), 8)
    starts = [[a, b] for a in near for b in near] + [[int(k), int(k)] for k in extremes(name)]
    starts = np.array(starts, INTEGERS[name])
    n = len(starts)
    updates = RNG.integers(0, 99, (n, 3, 2)).astype(np.int32)
    # A window that has the start of each dimension, and one that is inserted.
    check(f"""func.func @main(%t: tensor<6x5xi32>, %i: tensor<{n}x2x{name}>, %u: tensor<{n}x3x2xi32>) -> tensor<6x5xi32> {{
      %0 = "stablehlo.scatter"(%t, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
        scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %s = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%s) : (tensor<i32>) -> ()
      }}) : (tensor<6x5xi32>, tensor<{n}x2x{name}>, tensor<{n}x3x2xi32>) -> tensor<6x5xi32>
      return %0 : tensor<6x5xi32> }}""", [t, starts, updates],
          scattered(t, starts, updates, scatter == "xla"), scatter=scatter)  # fmt: skip


def test_scatter_in_batches_and_several():
    """Batching dimensions are inside, whatever the windows are; two operands."""
    t, s = RNG.integers(0, 9, (2, 3, 5)).astype(np.int32), RNG.integers(0, 9, (2, 3, 5)).astype(np.int32)
    i = np.array([[-1, 0], [3, 4]], np.int32)
    u, v = (RNG.integers(0, 99, (2, 2, 3, 2)).astype(np.int32) for _ in range(2))
    text = """func.func @main(%t: tensor<2x3x5xi32>, %s: tensor<2x3x5xi32>, %i: tensor<2x2xi32>, %u: tensor<2x2x3x2xi32>,
        %v: tensor<2x2x3x2xi32>) -> (tensor<2x3x5xi32>, tensor<2x3x5xi32>) {
      %0:2 = "stablehlo.scatter"(%t, %s, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 3],
        input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
        %x = "stablehlo.add"(%a, %c) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %y = "stablehlo.maximum"(%b, %d) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%x, %y) : (tensor<i32>, tensor<i32>) -> ()
      }) : (tensor<2x3x5xi32>, tensor<2x3x5xi32>, tensor<2x2xi32>, tensor<2x2x3x2xi32>, tensor<2x2x3x2xi32>) -> (tensor<2x3x5xi32>, tensor<2x3x5xi32>)
      return %0#0, %0#1 : tensor<2x3x5xi32>, tensor<2x3x5xi32> }"""
    for whole in (False, True):
        a, b = t.copy(), s.copy()
        for batch, n, row, col in itertools.product(range(2), range(2), range(3), range(2)):
            at = i[batch, n] + col
            if 0 <= at < 5 and (not whole or 0 <= i[batch, n] <= 3):
                a[batch, row, at] += u[batch, n, row, col]
                b[batch, row, at] = max(b[batch, row, at], v[batch, n, row, col])
        check(text, [t, s, i, u, v], a, b, scatter="xla" if whole else None)


def test_scatter_into_nothing():
    """No update is inside of an operand without elements."""
    text = """func.func @main(%t: tensor<0x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x4xf32>) -> tensor<0x4xf32> {
      %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        "stablehlo.return"(%b) : (tensor<f32>) -> ()
      }) : (tensor<0x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<0x4xf32>
      return %0 : tensor<0x4xf32> }"""
    inputs = [np.zeros((0, 4), np.float32), np.array([[0], [-1], [7]], np.int32), np.ones((3, 4), np.float32)]
    for scatter in ("stablehlo", "xla"):
        check(text, inputs, np.zeros((0, 4), np.float32), scatter=scatter)


def test_maps_say_which_windows_count():
    text = """func.func @main(%t: tensor<5xi32>, %i: tensor<1x1xi32>, %u: tensor<1x2xi32>) -> tensor<5xi32> {
      %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        "stablehlo.return"(%b) : (tensor<i32>) -> ()
      }) : (tensor<5xi32>, tensor<1x1xi32>, tensor<1x2xi32>) -> tensor<5xi32>
      return %0 : tensor<5xi32> }"""
    elements, windows = ta.Module(text), ta.Module(text, scatter="xla")
    starts = [m.indexing()["main"][0].input_to_output[2][0][0] for m in (elements, windows)]
    assert "rt0 in [-1, 4]" in str(starts[0]) and "rt0 in [0, 3]" in str(starts[1])
    with pytest.raises(ta.Error, match="scatter must be one of stablehlo, xla, got 'mlir'"):
        ta.Module(text, scatter="mlir")


@pytest.mark.parametrize("name", [n for n in INTEGERS if n != "i8"])
def test_sizes_of_any_integer(name):
    """A size of 200 is not below 0 where its type has no sign."""
    x = RNG.integers(0, 99, 3).astype(np.int32)
    check(f"""func.func @main(%x: tensor<3xi32>) -> (tensor<200xi32>, tensor<200x3xi32>, tensor<203xi32>, tensor<2xi32>) {{
      %n = "stablehlo.constant"() <{{value = dense<200> : tensor<1x{name}>}}> : () -> tensor<1x{name}>
      %s = "stablehlo.constant"() <{{value = dense<[200, 3]> : tensor<2x{name}>}}> : () -> tensor<2x{name}>
      %z = "stablehlo.constant"() <{{value = dense<0> : tensor<1x{name}>}}> : () -> tensor<1x{name}>
      %o = "stablehlo.constant"() <{{value = dense<1> : tensor<1x{name}>}}> : () -> tensor<1x{name}>
      %t = "stablehlo.constant"() <{{value = dense<3> : tensor<1x{name}>}}> : () -> tensor<1x{name}>
      %v = "stablehlo.constant"() <{{value = dense<-7> : tensor<i32>}}> : () -> tensor<i32>
      %0 = "stablehlo.dynamic_iota"(%n) <{{iota_dimension = 0 : i64}}> : (tensor<1x{name}>) -> tensor<?xi32>
      %1 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{{broadcast_dimensions = array<i64: 1>}}> : (tensor<3xi32>, tensor<2x{name}>) -> tensor<?x?xi32>
      %2 = "stablehlo.dynamic_pad"(%x, %v, %z, %n, %z) : (tensor<3xi32>, tensor<i32>, tensor<1x{name}>, tensor<1x{name}>, tensor<1x{name}>) -> tensor<?xi32>
      %3 = "stablehlo.real_dynamic_slice"(%x, %o, %t, %o) : (tensor<3xi32>, tensor<1x{name}>, tensor<1x{name}>, tensor<1x{name}>) -> tensor<?xi32>
      %4 = "stablehlo.dynamic_reshape"(%0, %n) : (tensor<?xi32>, tensor<1x{name}>) -> tensor<?xi32>
      %5 = builtin.unrealized_conversion_cast %4 : tensor<?xi32> to tensor<200xi32>
      %6 = builtin.unrealized_conversion_cast %1 : tensor<?x?xi32> to tensor<200x3xi32>
      %7 = builtin.unrealized_conversion_cast %2 : tensor<?xi32> to tensor<203xi32>
      %8 = builtin.unrealized_conversion_cast %3 : tensor<?xi32> to tensor<2xi32>
      return %5, %6, %7, %8 : tensor<200xi32>, tensor<200x3xi32>, tensor<203xi32>, tensor<2xi32> }}""".replace(
        "builtin.unrealized_conversion_cast", "tensor.cast"),
        [x], np.arange(200), np.tile(x, (200, 1)), np.concatenate([x, np.full(200, -7)]), x[1:3])  # fmt: skip


def test_jax_drops_windows():
    """What tensoraccess.jit computes is what jax.jit computes."""
    jax = pytest.importorskip("jax")
    from jax import lax

    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=(1, 2), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,))

    def f(t, i, u):
        return lax.scatter_add(t, i, u, numbers, mode=lax.GatherScatterMode.FILL_OR_DROP)

    t, u = np.zeros((5, 4), np.float32), np.ones((3, 2, 4), np.float32)
    for start in (-3, -1, 0, 3, 4, 9):
        i = np.array([[start], [0], [4]], np.int32)
        want = jax.jit(f)(t, i, u)
        np.testing.assert_array_equal(ta.jit(f)(t, i, u), want)
        lowered = jax.jit(f).lower(t, i, u)
        np.testing.assert_array_equal(ta.Module(lowered).interpret()(t, i, u), want)
        text = ta.Module(lowered, scatter="stablehlo")
        np.testing.assert_array_equal(
            text.compile()(t, i, u), scattered(t, np.pad(i, ((0, 0), (0, 1))), u, False))
