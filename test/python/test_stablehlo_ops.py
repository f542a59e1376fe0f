# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of StableHLO that JAX writes, against what XLA computes: empty tensors that
are concatenated, functions that are called in bodies, fewer bits."""

import numpy as np
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402


def both(function, *inputs):
    """What XLA says, then what the interpreter and compiled code say."""
    lowered = jax.jit(function).lower(*inputs)
    module = ta.Module(lowered.compiler_ir("stablehlo"))
    wanted = np.asarray(jax.jit(function)(*inputs))
    return wanted, [module.interpret("main")(*inputs), module.compile("main")(*inputs)]


@pytest.mark.parametrize("size", [1, 2, 3, 8, 9])
def test_associative_scan(size):
    """Its last levels concatenate tensors without elements."""
    x = np.arange(1, size + 1, dtype=np.float32)
    wanted, results = both(lambda a: jax.lax.associative_scan(lambda p, q: p * 0.5 + q, a), x)
    for got in results:
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("parts", [(0, 3), (3, 0), (2, 0, 3), (0, 0)])
def test_concatenate_of_nothing(parts):
    inputs = [np.arange(2 * n, dtype=np.float32).reshape(2, n) for n in parts]
    wanted, results = both(lambda *a: jnp.concatenate(a, axis=1) + 1, *inputs)
    for got in results:
        np.testing.assert_array_equal(got, wanted)


def test_calls_in_bodies():
    """cumlogsumexp calls logaddexp where a window is reduced."""
    x = np.linspace(-3, 3, 13, dtype=np.float32)
    wanted, results = both(lambda a: jax.lax.cumlogsumexp(a), x)
    for got in results:
        np.testing.assert_allclose(got, wanted, rtol=4 * 2.0**-23)


CALL = """func.func @main(%a: tensor<6xf32>) -> tensor<f32> {{
  %z = "stablehlo.constant"() <{{value = dense<0.0> : tensor<f32>}}> : () -> tensor<f32>
  %0 = "stablehlo.reduce"(%a, %z) <{{dimensions = array<i64: 0>}}> ({{
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = func.call @{0}(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }}) : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}}
func.func private @add(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {{
  %0 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}}
func.func private @twice(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {{
  %0 = func.call @add(%y, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = func.call @add(%x, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}}
func.func private @turns(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {{
  %0 = func.call @{1}(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}}"""


def test_calls_of_calls():
    x = np.arange(6, dtype=np.float32)
    for name, wanted in (("add", 15), ("twice", 30)):
        module = ta.Module(CALL.format(name, "add"))
        for run in (module.interpret("main"), module.compile("main")):
            assert run(x) == wanted
    assert "compute reduce_sum" in str(ta.Module(CALL.format("add", "add")).run("tensoraccess-raise"))


def test_calls_that_cannot_be_written_out():
    with pytest.raises(ta.Error, match="calls @turns, which calls itself"):
        ta.Module(CALL.format("turns", "turns"))
    with pytest.raises(ta.Error, match="'missing' does not reference a valid function"):
        ta.Module(CALL.format("missing", "add"))


def precision_inputs():
    """Every exponent with mantissas about halves, zeros, infinities and NaN."""
    rng = np.random.default_rng(0)
    bits = [0, 1, 0x7F800000, 0x7F7FFFFF, 0x7FC00000, 0x007FFFFF, 0x00800000]
    for exponent in range(256):
        for mantissa in (0, 1, 0xFFF, 0x1000, 0x1001, 0x3FFFFF, 0x400000, 0x7FFFFF, *rng.integers(0, 1 << 23, 4)):
            bits.append((exponent << 23) | int(mantissa))
    x = np.array(bits + [b | 0x80000000 for b in bits], np.uint32).view(np.float32)
    return x[~np.isnan(x) | (x.view(np.uint32) & 0x7FFFFFFF == 0x7FC00000)]


@pytest.mark.parametrize("exponent, mantissa", [(5, 10), (8, 7), (5, 7), (4, 3), (5, 2), (8, 23), (2, 1), (1, 0), (8, 0), (11, 52), (3, 22)])
def test_reduce_precision(exponent, mantissa):
    """On bits: rounded to nearest even, then infinite or 0."""
    x = precision_inputs()
    wanted, results = both(lambda a: jax.lax.reduce_precision(a, exponent, mantissa), x)
    for got in results:
        isnan = np.isnan(wanted)
        assert (np.isnan(got) == isnan).all()
        np.testing.assert_array_equal(got.view(np.uint32)[~isnan], wanted.view(np.uint32)[~isnan])


@pytest.mark.parametrize("name, f", [
    ("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply), ("divide", np.divide),
    ("maximum", np.maximum), ("minimum", np.minimum), ("next_after", np.nextafter),
])  # fmt: skip
@pytest.mark.parametrize("x, y, dims", [
    ((3, 4), (3, 4), None), ((3, 1), (1, 4), None), ((4,), (3, 4), None), ((), (3, 4), None),
    ((2, 1, 4), (3, 1), None), ((3, 4), (3,), [0]), ((0, 4), (1, 4), None), ((1,), (0, 3), None),
])  # fmt: skip
def test_broadcasting(name, f, x, y, dims):
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal(x, np.float32), rng.standard_normal(y, np.float32)
    aligned = b[:, None] if dims else b
    want = f(a, aligned)

    def t(shape):
        return f"tensor<{''.join(f'{n}x' for n in shape)}f32>"

    attribute = f" {{broadcast_dimensions = array<i64: {dims[0]}>}}" if dims else ""
    module = ta.Module(f"""func.func @main(%x: {t(x)}, %y: {t(y)}) -> {t(want.shape)} {{
      %0 = "chlo.broadcast_{name}"(%x, %y){attribute} : ({t(x)}, {t(y)}) -> {t(want.shape)}
      return %0 : {t(want.shape)} }}""")
    for run in (module.compile(), module.interpret()):
        np.testing.assert_array_equal(run(a, b), want)


def test_broadcasting_of_open_sizes_and_constants():
    module = ta.Module("""func.func @main(%x: tensor<?x3xf32>, %y: tensor<?x1xf32>) -> (tensor<?x3xi1>, tensor<?x3xf32>) {
      %0 = "chlo.broadcast_compare"(%x, %y) <{comparison_direction = #chlo<comparison_direction LT>}> : (tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xi1>
      %1 = "chlo.constant_like"(%x) <{value = 2.5 : f32}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
      %2 = "chlo.broadcast_select"(%0, %1, %y) : (tensor<?x3xi1>, tensor<?x3xf32>, tensor<?x1xf32>) -> tensor<?x3xf32>
      return %0, %2 : tensor<?x3xi1>, tensor<?x3xf32> }""")
    rng = np.random.default_rng(0)
    for n, m in ((4, 4), (4, 1), (1, 1)):
        x, y = rng.standard_normal((n, 3), np.float32), rng.standard_normal((m, 1), np.float32)
        for run in (module.compile(), module.interpret()):
            less, chosen = run(x, y)
            np.testing.assert_array_equal(less, x < y)
            np.testing.assert_array_equal(chosen, np.where(x < y, np.float32(2.5), y))
    wrong = ta.Module("""func.func @main(%x: tensor<2x3xf32>, %y: tensor<4x1xf32>) -> tensor<4x3xf32> {
      %0 = "chlo.broadcast_add"(%x, %y) : (tensor<2x3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
      return %0 : tensor<4x3xf32> }""")
    with pytest.raises(ta.Error, match="its operands' sizes must be 1, or the result's"):
        wrong.compile()


@pytest.mark.parametrize("shape, feature", [((5, 3), 1), ((2, 4, 5, 3), 3), ((2, 3, 4), 1), ((7,), 0), ((1, 1), 1)])
@pytest.mark.parametrize("element, dtype", [("f32", np.float32), ("f64", np.float64)])
def test_batch_norm(shape, feature, element, dtype):
    """The specification's formulas in f64, and JAX's derivative of the training form."""
    rng = np.random.default_rng(0)
    n = shape[feature]
    x, given = rng.standard_normal(shape).astype(dtype), rng.standard_normal(shape).astype(dtype)
    scale, offset, mean = (rng.standard_normal(n).astype(dtype) for _ in range(3))
    variance = rng.uniform(0.5, 2, n).astype(dtype)
    t = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    v = f"tensor<{n}x{element}>"
    others = tuple(d for d in range(len(shape)) if d != feature)
    at = tuple(n if d == feature else 1 for d in range(len(shape)))

    def wide(a):
        return a.astype(np.float64)

    def program(name, types, results):
        args = ", ".join(f"%{i}: {a}" for i, a in enumerate(types))
        names = ", ".join(f"%{i}" for i in range(len(types)))
        values = ", ".join(f"%r#{i}" for i in range(len(results))) if len(results) > 1 else "%r"
        return ta.Module(f"""func.func @main({args}) -> ({', '.join(results)}) {{
          %r{f':{len(results)}' if len(results) > 1 else ''} = "stablehlo.{name}"({names}) <{{epsilon = 1.0e-3 : f32,
            feature_index = {feature} : i64}}> : ({', '.join(types)}) -> ({', '.join(results)})
          return {values} : {', '.join(results)} }}""")

    def same(module, arguments, want):
        for run in (module.compile(), module.interpret()):
            got = run(*arguments)
            for g, w in zip(got if isinstance(got, tuple) else (got,), want, strict=True):
                assert g.dtype == dtype and g.shape == w.shape
                limit = 64 * np.finfo(dtype).eps * max(1, np.abs(w).max())
                assert np.abs(g - w).max() <= limit

    epsilon = float(np.float32(1e-3))

    def normal(x, mean, variance):
        return (x - mean.reshape(at)) / np.sqrt(variance.reshape(at) + epsilon)

    want = normal(wide(x), wide(mean), wide(variance)) * wide(scale).reshape(at) + wide(offset).reshape(at)
    same(program("batch_norm_inference", [t, v, v, v, v], [t]), [x, scale, offset, mean, variance], [want])

    m, s = wide(x).mean(others), wide(x).var(others)
    want = normal(wide(x), m, s) * wide(scale).reshape(at) + wide(offset).reshape(at)
    same(program("batch_norm_training", [t, v, v], [t, v, v]), [x, scale, offset], [want, m, s])

    with jax.enable_x64(True):
        def training(x, scale, offset):
            m, s = x.mean(others, keepdims=True), x.var(others, keepdims=True)
            return (x - m) / jnp.sqrt(s + epsilon) * scale.reshape(at) + offset.reshape(at)

        want = jax.vjp(training, wide(x), wide(scale), wide(offset))[1](jnp.asarray(wide(given)))
        same(program("batch_norm_grad", [t, v, v, v, t], [t, v, v]),
             [x, scale, m.astype(dtype), s.astype(dtype), given], [np.asarray(w) for w in want])


def test_tuples_and_numbers_of_devices():
    module = ta.Module("""func.func @main(%x: tensor<3xf32>, %y: tensor<2xi32>) -> (tensor<3xf32>, tensor<2xi32>, tensor<ui32>) {
      %0 = "stablehlo.tuple"(%x, %y) : (tensor<3xf32>, tensor<2xi32>) -> tuple<tensor<3xf32>, tensor<2xi32>>
      %1 = "stablehlo.tuple"(%0, %x) : (tuple<tensor<3xf32>, tensor<2xi32>>, tensor<3xf32>) -> tuple<tuple<tensor<3xf32>, tensor<2xi32>>, tensor<3xf32>>
      %2 = "stablehlo.get_tuple_element"(%1) <{index = 0 : i32}> : (tuple<tuple<tensor<3xf32>, tensor<2xi32>>, tensor<3xf32>>) -> tuple<tensor<3xf32>, tensor<2xi32>>
      %3 = "stablehlo.get_tuple_element"(%2) <{index = 1 : i32}> : (tuple<tensor<3xf32>, tensor<2xi32>>) -> tensor<2xi32>
      %4 = "stablehlo.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<tuple<tensor<3xf32>, tensor<2xi32>>, tensor<3xf32>>) -> tensor<3xf32>
      %5 = "stablehlo.partition_id"() : () -> tensor<ui32>
      return %4, %3, %5 : tensor<3xf32>, tensor<2xi32>, tensor<ui32> }""")
    x, y = np.arange(3, dtype=np.float32), np.array([4, 5], np.int32)
    for run in (module.compile(), module.interpret()):
        a, b, c = run(x, y)
        np.testing.assert_array_equal(a, x)
        np.testing.assert_array_equal(b, y)
        assert c == 0
    several = ta.Module("""module attributes {mhlo.num_partitions = 2 : i32} { func.func @main() -> tensor<ui32> {
      %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
      return %0 : tensor<ui32> } }""")
    with pytest.raises(ta.Error, match="the program is one for 2 devices"):
        several.compile()
