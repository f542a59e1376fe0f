# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums and products of floats below f32 are taken in f32 and rounded once.

The oracle is numpy in f64, rounded once by ml_dtypes. A sum in f32 in any order
errs by K·2^-24·Σ|a·b| at most (to first order), and its rounding by half a unit
in the last place of the result's type."""

import ml_dtypes
import numpy as np
import pytest

import tensoraccess as ta

TYPES = {
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
NARROW = ["bf16", "f16"]
SIZES = [0, 1, 2, 7, 513, 4099]


def half_ulp(values, dtype):
    """Half the distance of each value, rounded, to the next one away from 0."""
    near = np.abs(np.asarray(values, dtype))
    return (np.nextafter(near, dtype.type(np.inf)).astype(np.float64) - near.astype(np.float64)) / 2


def check(got, exact, magnitude, depth, dtype):
    """`exact` and `magnitude`, Σ|a·b|, are f64; `depth` is K."""
    assert got.dtype == dtype and got.shape == exact.shape
    unit = 2.0**-53 if dtype == np.float64 else 2.0**-24
    allowed = depth * unit * magnitude + half_ulp(exact, dtype) * (dtype.itemsize < 4)
    assert (np.abs(got.astype(np.float64) - exact) <= allowed).all()


def ways(text, *also):
    """The program, interpreted and compiled, as it is, raised, and by `also`."""
    module = ta.Module(text)
    modules = [module, module.run("tensoraccess-raise")]
    modules += [modules[1].run(passes) for passes in also]
    for one in modules:
        yield one.interpret("main")
        yield one.compile("main")


def numbers(rng, dtype, *shape):
    return rng.uniform(-1, 2, shape).astype(dtype)


def dot(type_, m, k, n, out=None):
    out = out or type_
    return f"""func.func @main(%a: tensor<{m}x{k}x{type_}>, %b: tensor<{k}x{n}x{type_}>) -> tensor<{m}x{n}x{out}> {{
  %0 = "stablehlo.dot_general"(%a, %b) <{{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}}>
    : (tensor<{m}x{k}x{type_}>, tensor<{k}x{n}x{type_}>) -> tensor<{m}x{n}x{out}>
  return %0 : tensor<{m}x{n}x{out}>
}}"""


def reducer(type_):
    return f"""({{
  ^bb0(%x: tensor<{type_}>, %y: tensor<{type_}>):
    %s = "stablehlo.add"(%x, %y) : (tensor<{type_}>, tensor<{type_}>) -> tensor<{type_}>
    "stablehlo.return"(%s) : (tensor<{type_}>) -> ()
  }})"""


def reduce(type_, m, k, axis=1):
    shape, kept = ((m, k), m) if axis else ((k, m), m)
    tensor = f"tensor<{shape[0]}x{shape[1]}x{type_}>"
    return f"""func.func @main(%a: {tensor}) -> tensor<{kept}x{type_}> {{
  %z = "stablehlo.constant"() <{{value = dense<0.0> : tensor<{type_}>}}> : () -> tensor<{type_}>
  %0 = "stablehlo.reduce"(%a, %z) <{{dimensions = array<i64: {axis}>}}> {reducer(type_)}
    : ({tensor}, tensor<{type_}>) -> tensor<{kept}x{type_}>
  return %0 : tensor<{kept}x{type_}>
}}"""


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("k", SIZES)
def test_dot_general(type_, k):
    dtype, rng = TYPES[type_], np.random.default_rng(k)
    a, b = numbers(rng, dtype, 3, k), numbers(rng, dtype, k, 5)
    x, y = a.astype(np.float64), b.astype(np.float64)
    also = ["tensoraccess-map-to-systolic{rows=16 cols=16}"] if 1 < k < 1000 else []
    for run in ways(dot(type_, 3, k, 5), *also):
        check(run(a, b), x @ y, np.abs(x) @ np.abs(y), k, dtype)


@pytest.mark.parametrize("type_", NARROW)
def test_dynamic_sizes(type_):
    dtype, rng = TYPES[type_], np.random.default_rng(1)
    a, b = numbers(rng, dtype, 3, 1025), numbers(rng, dtype, 1025, 5)
    x, y = a.astype(np.float64), b.astype(np.float64)
    raised = ta.Module(dot(type_, "?", "?", "?")).run("tensoraccess-raise")
    compiled = ta.Module(dot(type_, "?", "?", "?")).compile("main")
    for run in (compiled, raised.compile("main"), raised.interpret("main")):
        check(run(a, b), x @ y, np.abs(x) @ np.abs(y), 1025, dtype)


@pytest.mark.parametrize("type_", NARROW)
def test_wider_results(type_):
    """A result of f32 is that sum, not rounded."""
    dtype, rng = TYPES[type_], np.random.default_rng(2)
    a, b = numbers(rng, dtype, 3, 257), numbers(rng, dtype, 257, 5)
    x, y = a.astype(np.float64), b.astype(np.float64)
    for run in ways(dot(type_, 3, 257, 5, "f32")):
        check(run(a, b), x @ y, np.abs(x) @ np.abs(y), 257, np.dtype(np.float32))


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("axis", [0, 1])
def test_reduce(type_, k, axis):
    dtype, rng = TYPES[type_], np.random.default_rng(k)
    a = numbers(rng, dtype, *((3, k) if axis else (k, 3)))
    x = a.astype(np.float64)
    for run in ways(reduce(type_, 3, k, axis)):
        check(run(a), x.sum(axis), np.abs(x).sum(axis), k, dtype)


@pytest.mark.parametrize("out", ["f32", "f64", "bf16", "i32", "i8"])
@pytest.mark.parametrize("right", ["i8", "ui8", "i1", "f16", "f32"])
@pytest.mark.parametrize("left", ["i8", "ui8", "i32", "i1"])
def test_mixed_operands(left, right, out):
    """Operands are converted to the result's type, each with its own sign."""
    kinds = {**{t: TYPES.get(t) for t in TYPES}, "i8": "i1", "ui8": "u1", "i32": "i4", "i1": "?"}
    rng = np.random.default_rng(10)
    a, b = (rng.integers(0, 256, shape).astype("u1").astype(kinds[t])
            for t, shape in ((left, (3, 9)), (right, (9, 5))))
    exact = a.astype(np.float64) @ b.astype(np.float64)
    if out[0] == "i":
        exact = exact.astype(np.int64).astype(kinds[out])
    module = ta.Module(dot(left, 3, 9, 5, out).replace(f"9x5x{left}", f"9x5x{right}"))
    arrays = [x.view("i1") if x.dtype.kind == "u" else x for x in (a, b)]
    if out[0] == "i" and right[0] == "f":
        for engine in (module.interpret, module.compile):
            with pytest.raises(ta.Error, match="its products of floats must be floats"):
                engine("main")(*arrays)
        return
    for run in (module.interpret("main"), module.compile("main")):
        assert (run(*arrays) == exact.astype(kinds[out])).all()


def test_all_ones():
    """512 ones times ones are 512: bf16 by itself stops at 256, f16 at 2048."""
    for type_, k in (("bf16", 512), ("bf16", 4096), ("f16", 4096), ("f16", 8191)):
        a, b = np.ones((1, k), TYPES[type_]), np.ones((k, 1), TYPES[type_])
        for run in ways(dot(type_, 1, k, 1)):
            assert float(run(a, b)[0, 0]) == TYPES[type_].type(k)
        for run in ways(reduce(type_, 1, k)):
            assert float(run(a)[0]) == TYPES[type_].type(k)


def test_what_overflows_on_the_way():
    """f16 ends at 65504: f32 in between does not."""
    a = np.array([[60000, 60000, -60000, -49984]], np.float16)
    for run in ways(reduce("f16", 1, 4)):
        assert run(a)[0] == 10016
    b = np.array([[200, 300, -200, -300]], np.float16)
    for run in ways(dot("f16", 1, 4, 1)):
        assert run(b, b.T)[0, 0] == np.inf
        assert run(b, np.array([[300], [200], [300], [200]], np.float16))[0, 0] == 0


@pytest.mark.parametrize("type_", TYPES)
def test_reduce_window(type_):
    """Sums of 300 along a line, with an initial value and padding of 0."""
    text = f"""func.func @main(%a: tensor<2x700x{type_}>) -> tensor<2x401x{type_}> {{
  %z = "stablehlo.constant"() <{{value = dense<0.0> : tensor<{type_}>}}> : () -> tensor<{type_}>
  %0 = "stablehlo.reduce_window"(%a, %z) <{{padding = dense<[[0, 0], [50, 50]]> : tensor<2x2xi64>,
    window_dimensions = array<i64: 1, 400>, window_strides = array<i64: 1, 1>}}> {reducer(type_)}
    : (tensor<2x700x{type_}>, tensor<{type_}>) -> tensor<2x401x{type_}>
  return %0 : tensor<2x401x{type_}>
}}"""
    dtype, rng = TYPES[type_], np.random.default_rng(3)
    a = numbers(rng, dtype, 2, 700)
    x = np.pad(a.astype(np.float64), [(0, 0), (50, 50)])
    windows = np.lib.stride_tricks.sliding_window_view(x, 400, axis=1)
    for run in ways(text):
        check(run(a), windows.sum(-1), np.abs(windows).sum(-1), 400, dtype)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("groups", [1, 2])
def test_convolution(type_, groups):
    text = f"""func.func @main(%a: tensor<2x9x64x{type_}>, %b: tensor<5x{64 // groups}x6x{type_}>) -> tensor<2x7x6x{type_}> {{
  %0 = "stablehlo.convolution"(%a, %b) <{{batch_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    feature_group_count = {groups} : i64, padding = dense<1> : tensor<1x2xi64>}}>
    : (tensor<2x9x64x{type_}>, tensor<5x{64 // groups}x6x{type_}>) -> tensor<2x7x6x{type_}>
  return %0 : tensor<2x7x6x{type_}>
}}"""
    dtype, rng = TYPES[type_], np.random.default_rng(4)
    a, b = numbers(rng, dtype, 2, 9, 64), numbers(rng, dtype, 5, 64 // groups, 6)

    def convolve(x, y):
        x = np.pad(x, [(0, 0), (1, 1), (0, 0)])
        x = np.lib.stride_tricks.sliding_window_view(x, 5, axis=1)  # b, o, f, w
        x = np.split(x, groups, axis=2)
        y = np.split(y, groups, axis=2)
        return np.concatenate([np.einsum("bofw,wfg->bog", p, q) for p, q in zip(x, y)], -1)

    x, y = a.astype(np.float64), b.astype(np.float64)
    for run in ways(text, "tensoraccess-discover-im2col"):
        check(run(a, b), convolve(x, y), convolve(np.abs(x), np.abs(y)), 320 // groups, dtype)


@pytest.mark.parametrize("type_", TYPES)
def test_select_and_scatter(type_):
    """Every window chooses the same element, which is given a sum."""
    text = f"""func.func @main(%a: tensor<3x4x{type_}>, %b: tensor<1000x4x{type_}>) -> tensor<3x4x{type_}> {{
  %z = "stablehlo.constant"() <{{value = dense<0.5> : tensor<{type_}>}}> : () -> tensor<{type_}>
  %0 = "stablehlo.select_and_scatter"(%a, %b, %z) <{{padding = dense<[[999, 999], [0, 0]]> : tensor<2x2xi64>,
    window_dimensions = array<i64: 1002, 1>}}> ({{
  ^bb0(%x: tensor<{type_}>, %y: tensor<{type_}>):
    %s = "stablehlo.compare"(%x, %y) <{{comparison_direction = #stablehlo<comparison_direction GE>}}> : (tensor<{type_}>, tensor<{type_}>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }}, {reducer(type_)[1:]} : (tensor<3x4x{type_}>, tensor<1000x4x{type_}>, tensor<{type_}>) -> tensor<3x4x{type_}>
  return %0 : tensor<3x4x{type_}>
}}"""
    dtype, rng = TYPES[type_], np.random.default_rng(9)
    a = np.array([[1, 0, 0, 2], [0, 3, 1, 2], [0, 3, 2, 1]], dtype)
    b = numbers(rng, dtype, 1000, 4)
    exact, magnitude = np.full((3, 4), 0.5), np.full((3, 4), 0.5)
    at = np.arange(4), [0, 1, 2, 0]  # of equal elements the first one
    exact[at[1], at[0]] += b.astype(np.float64).sum(0)
    magnitude[at[1], at[0]] += np.abs(b.astype(np.float64)).sum(0)
    for run in ways(text):
        check(run(a, b), exact, magnitude, 1001, dtype)


def test_other_bodies_mean_what_they_say():
    """A sum beside another reduction is wide; a body that does more than add, or
    that multiplies, is rounded in every step."""
    text = """func.func @main(%a: tensor<600xbf16>) -> (tensor<bf16>, tensor<bf16>, tensor<bf16>) {
  %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<bf16>}> : () -> tensor<bf16>
  %0:3 = "stablehlo.reduce"(%a, %a, %a, %z, %z, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>, %u: tensor<bf16>, %v: tensor<bf16>, %w: tensor<bf16>, %t: tensor<bf16>):
    %s = "stablehlo.add"(%v, %x) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %m = "stablehlo.maximum"(%y, %w) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %p = "stablehlo.add"(%u, %t) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
    %q = "stablehlo.negate"(%p) : (tensor<bf16>) -> tensor<bf16>
    %r = "stablehlo.negate"(%q) : (tensor<bf16>) -> tensor<bf16>
    "stablehlo.return"(%s, %m, %r) : (tensor<bf16>, tensor<bf16>, tensor<bf16>) -> ()
  }) : (tensor<600xbf16>, tensor<600xbf16>, tensor<600xbf16>, tensor<bf16>, tensor<bf16>, tensor<bf16>)
    -> (tensor<bf16>, tensor<bf16>, tensor<bf16>)
  return %0#0, %0#1, %0#2 : tensor<bf16>, tensor<bf16>, tensor<bf16>
}"""
    for run in ways(text):
        assert [float(r) for r in run(np.ones(600, TYPES["bf16"]))] == [600, 1, 256]


@pytest.mark.parametrize("type_", NARROW)
def test_initial_values(type_):
    """The initial value is one of the summands: rounded once with them."""
    one, k = TYPES[type_].type(1), 1024 if type_ == "bf16" else 8192
    text = reduce(type_, 1, k).replace("dense<0.0>", "dense<1.0>")
    module = ta.Module(text)
    a = np.zeros((1, k), TYPES[type_])
    a[0, :] = one
    for run in (module.interpret("main"), module.compile("main")):
        assert run(a)[0] == TYPES[type_].type(k + 1)


@pytest.mark.parametrize("type_", NARROW)
def test_linalg_bodies_are_steps(type_):
    """linalg.matmul of bf16 rounds in every step. Raised, it sums in f32, and the
    remark says so; with `widen-sums=false` it stays."""
    t = f"tensor<1x9000x{type_}>, tensor<9000x1x{type_}>"
    text = f"""func.func @main(%a: tensor<1x9000x{type_}>, %b: tensor<9000x1x{type_}>) -> tensor<1x1x{type_}> {{
  %z = arith.constant 0.0 : {type_}
  %e = tensor.empty() : tensor<1x1x{type_}>
  %f = linalg.fill ins(%z : {type_}) outs(%e : tensor<1x1x{type_}>) -> tensor<1x1x{type_}>
  %0 = linalg.matmul ins(%a, %b : {t}) outs(%f : tensor<1x1x{type_}>) -> tensor<1x1x{type_}>
  return %0 : tensor<1x1x{type_}>
}}"""
    stops, dtype = {"bf16": 256, "f16": 2048}[type_], TYPES[type_]
    a, b = np.ones((1, 9000), dtype), np.ones((9000, 1), dtype)
    module = ta.Module(text)
    kept = module.run("tensoraccess-raise{widen-sums=false}")
    assert "linalg.matmul" in str(kept) and "compute" not in str(kept)
    assert any(f"rounds to {type_} in every step" in str(d) for d in kept.diagnostics)
    for one in (module, kept):
        assert float(one.interpret("main")(a, b)[0, 0]) == stops
        assert float(one.compile("main")(a, b)[0, 0]) == stops
    raised = module.run("tensoraccess-raise")
    assert any("Sums=f32" in str(d) for d in raised.diagnostics)
    for run in (raised.interpret("main"), raised.compile("main")):
        assert run(a, b)[0, 0] == dtype.type(9000)


@pytest.mark.parametrize("type_", NARROW)
def test_linalg_sums_in_f32_stay_exact(type_):
    """Elements that a linalg body extends to f32 are summed in f32, raised too."""
    t = f"tensor<2x513x{type_}>, tensor<513x3x{type_}>"
    text = f"""func.func @main(%a: tensor<2x513x{type_}>, %b: tensor<513x3x{type_}>) -> tensor<2x3xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = linalg.matmul ins(%a, %b : {t}) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}}"""
    dtype, rng = TYPES[type_], np.random.default_rng(5)
    a, b = numbers(rng, dtype, 2, 513), numbers(rng, dtype, 513, 3)
    module = ta.Module(text)
    raised = module.run("tensoraccess-raise{widen-sums=false}")
    assert "dot_prod" in str(raised) and "accumulator = f32" in str(raised)
    wanted = module.interpret("main")(a, b)
    x, y = a.astype(np.float64), b.astype(np.float64)
    check(wanted, x @ y, np.abs(x) @ np.abs(y), 513, np.dtype(np.float32))
    assert (raised.interpret("main")(a, b) == wanted).all()


@pytest.mark.parametrize("type_", NARROW)
@pytest.mark.parametrize("kind", ["reduce_sum", "reduce_mean", "dot_prod"])
def test_compute(type_, kind):
    """reduce_mean is rounded once, after the division."""
    item = "2x777" if kind == "dot_prod" else "1554"
    text = f"""func.func @main(%a: tensor<3x{item}x{type_}>) -> tensor<3x{type_}> {{
  %0 = tensoraccess.access %a at 1 : tensor<3x{item}x{type_}> -> !tensoraccess.access<3 | {item}x{type_}>
  %1 = tensoraccess.compute {kind} %0 : !tensoraccess.access<3 | {item}x{type_}> -> !tensoraccess.access<3 | {type_}>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | {type_}> -> tensor<3x{type_}>
  return %2 : tensor<3x{type_}>
}}"""
    dtype, rng = TYPES[type_], np.random.default_rng(6)
    a = numbers(rng, dtype, *((3, 2, 777) if kind == "dot_prod" else (3, 1554)))
    x = a.astype(np.float64)
    terms = x[:, 0] * x[:, 1] if kind == "dot_prod" else x
    count = 1554 if kind == "reduce_mean" else 1
    for run in ways(text):
        check(run(a), terms.sum(1) / count, np.abs(terms).sum(1) / count, 1556, dtype)


@pytest.mark.parametrize("type_", NARROW)
@pytest.mark.parametrize("op", ["tensoraccess", "linalg"])
def test_softmax(type_, op):
    """The sum of 4096 equal exponentials is 4096."""
    t = f"tensor<2x4096x{type_}>"
    body = {
        "linalg": f"""%e = tensor.empty() : {t}
  %2 = linalg.softmax dimension(1) ins(%a : {t}) outs(%e : {t}) -> {t}""",
        "tensoraccess": f"""%0 = tensoraccess.access %a at 1 : {t} -> !tensoraccess.access<2 | 4096x{type_}>
  %1 = tensoraccess.compute softmax %0 : !tensoraccess.access<2 | 4096x{type_}> -> !tensoraccess.access<2 | 4096x{type_}>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<2 | 4096x{type_}> -> {t}""",
    }[op]
    text = f"func.func @main(%a: {t}) -> {t} {{\n  {body}\n  return %2 : {t}\n}}"
    a = np.full((2, 4096), 3, TYPES[type_])
    for run in ways(text):
        assert (run(a) == TYPES[type_].type(2**-12)).all()


@pytest.mark.parametrize("type_", NARROW)
def test_arrays(type_):
    """Partial sums of the blocks of an array are f32, too, and written out."""
    dtype, rng = TYPES[type_], np.random.default_rng(7)
    a, b = numbers(rng, dtype, 5, 333), numbers(rng, dtype, 333, 9)
    x, y = a.astype(np.float64), b.astype(np.float64)
    text = str(
        ta.Module(dot(type_, 5, 333, 9)).run(
            "tensoraccess-raise,tensoraccess-map-to-systolic{rows=8 cols=4}"
        )
    )
    assert "systolic_array" in text and "blocked" in text
    for run in ways(text, "tensoraccess-expand-arrays", "tensoraccess-expand-arrays{accumulators=2}"):
        check(run(a, b), x @ y, np.abs(x) @ np.abs(y), 333, dtype)


def test_tosa():
    """f16 with accumulators of f16, and sums of f16 and bf16, are f32 inside."""
    z = '%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>'
    matmul = f"""func.func @main(%a: tensor<1x2x4096xf16>, %b: tensor<1x4096x3xf16>) -> tensor<1x2x3xf16> {{
  {z}
  %0 = tosa.matmul %a, %b, %z, %z : (tensor<1x2x4096xf16>, tensor<1x4096x3xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x2x3xf16>
  return %0 : tensor<1x2x3xf16>
}}"""
    conv = f"""func.func @main(%a: tensor<1x3x3x1024xf16>, %b: tensor<2x2x2x1024xf16>) -> tensor<1x2x2x2xf16> {{
  {z}
  %c = "tosa.const"() <{{values = dense<0.0> : tensor<2xf16>}}> : () -> tensor<2xf16>
  %0 = tosa.conv2d %a, %b, %c, %z, %z {{acc_type = f16, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}}
    : (tensor<1x3x3x1024xf16>, tensor<2x2x2x1024xf16>, tensor<2xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x2x2x2xf16>
  return %0 : tensor<1x2x2x2xf16>
}}"""
    for text, shapes in (
        (matmul, [(1, 2, 4096), (1, 4096, 3)]),
        (conv, [(1, 3, 3, 1024), (2, 2, 2, 1024)]),
    ):
        module = ta.Module(text)
        raised = module.run("tensoraccess-raise")
        assert "dot_prod" in str(raised)
        for run in (module.compile("main"), raised.compile("main"), raised.interpret("main")):
            assert (run(*[np.ones(s, np.float16) for s in shapes]) == 4096).all()
    for type_ in NARROW:
        text = f"""func.func @main(%a: tensor<2x4096x{type_}>) -> tensor<2x1x{type_}> {{
  %0 = tosa.reduce_sum %a {{axis = 1 : i32}} : (tensor<2x4096x{type_}>) -> tensor<2x1x{type_}>
  return %0 : tensor<2x1x{type_}>
}}"""
        module = ta.Module(text)
        raised = module.run("tensoraccess-raise")
        assert "reduce_sum" in str(raised) and "tosa" not in str(raised)
        for run in (module.compile("main"), raised.compile("main"), raised.interpret("main")):
            assert (run(np.ones((2, 4096), TYPES[type_])) == 4096).all()


@pytest.mark.parametrize("rules", ["access", "compute"])
@pytest.mark.parametrize("type_", NARROW)
def test_rules_keep_sums_whole(type_, rules):
    """No rule takes a sum of bf16 apart, or puts two together: the parts would be
    rounded. What saturation makes has the same bits."""
    text = f"""func.func @main(%a: tensor<64x4x{type_}>, %b: tensor<4x64x{type_}>) -> tensor<4x4x{type_}> {{
  %0 = tensoraccess.access %a at 2 : tensor<64x4x{type_}> -> !tensoraccess.access<64x4 | {type_}>
  %1 = tensoraccess.transpose %0 perm = [1, 0] : !tensoraccess.access<64x4 | {type_}> -> !tensoraccess.access<4x64 | {type_}>
  %2 = tensoraccess.access %b at 2 : tensor<4x64x{type_}> -> !tensoraccess.access<4x64 | {type_}>
  %3 = tensoraccess.pair %1, %2 : !tensoraccess.access<4x64 | {type_}>, !tensoraccess.access<4x64 | {type_}> -> !tensoraccess.access<4x64 | 2x{type_}>
  %4 = tensoraccess.compute elementwise_mul %3 : !tensoraccess.access<4x64 | 2x{type_}> -> !tensoraccess.access<4x64 | {type_}>
  %5 = tensoraccess.reshape %4 : !tensoraccess.access<4x64 | {type_}> -> !tensoraccess.access<4x64 | {type_}>
  %6 = tensoraccess.to_tensor %5 : !tensoraccess.access<4x64 | {type_}> -> tensor<4x64x{type_}>
  %7 = tensoraccess.access %6 at 1 : tensor<4x64x{type_}> -> !tensoraccess.access<4 | 64x{type_}>
  %8 = tensoraccess.compute reduce_sum %7 : !tensoraccess.access<4 | 64x{type_}> -> !tensoraccess.access<4 | {type_}>
  %9 = tensoraccess.broadcast %8 : !tensoraccess.access<4 | {type_}> -> !tensoraccess.access<4 | {type_}>
  %10 = tensoraccess.to_tensor %9 : !tensoraccess.access<4 | {type_}> -> tensor<4x{type_}>
  %11 = tensor.expand_shape %10 [[0, 1]] output_shape [4, 1] : tensor<4x{type_}> into tensor<4x1x{type_}>
  %12 = tensor.concat dim(1) %11, %11, %11, %11 : (tensor<4x1x{type_}>, tensor<4x1x{type_}>, tensor<4x1x{type_}>, tensor<4x1x{type_}>) -> tensor<4x4x{type_}>
  return %12 : tensor<4x4x{type_}>
}}"""
    module = ta.Module(text)
    saturated = module.run("tensoraccess-saturate{rules=" + rules + "}")
    dtype, rng = TYPES[type_], np.random.default_rng(8)
    a, b = numbers(rng, dtype, 64, 4), numbers(rng, dtype, 4, 64)
    assert (saturated.interpret("main")(a, b) == module.interpret("main")(a, b)).all()
    for k, part in ((256, "reduce_sum"), (64, "dot_prod")):
        one = ta.Module(dot(type_, 4, k, 4)).run("tensoraccess-raise")
        made = one.run("tensoraccess-saturate{rules=" + rules + "}")
        a, b = numbers(rng, dtype, 4, k), numbers(rng, dtype, k, 4)
        assert (made.interpret("main")(a, b) == one.interpret("main")(a, b)).all()
