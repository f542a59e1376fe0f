# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats of 4, 6 and 8 bits and integers below a byte, against ml_dtypes."""

import numpy as np
import pytest

import tensoraccess as ta

ml_dtypes = pytest.importorskip("ml_dtypes")

FLOATS = {
    "f8E3M4": "float8_e3m4", "f8E4M3": "float8_e4m3", "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E4M3FN": "float8_e4m3fn", "f8E4M3FNUZ": "float8_e4m3fnuz", "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz", "f8E8M0FNU": "float8_e8m0fnu",
    "f4E2M1FN": "float4_e2m1fn", "f6E2M3FN": "float6_e2m3fn", "f6E3M2FN": "float6_e3m2fn",
}  # fmt: skip
INTEGERS = {"i2": "int2", "i4": "int4", "ui2": "uint2", "ui4": "uint4"}


def dtype(name):
    return np.dtype(getattr(ml_dtypes, (FLOATS | INTEGERS)[name]))


def every_number(name):
    return np.arange(1 << int(name[1]), dtype=np.uint8).view(dtype(name))


def runs(text):
    module = ta.Module(text)
    return module.compile(), module.compile(plain=True), module.interpret()


def same(a, b, source=0.0):
    """Equal bits, but for those of NaN, and the sign of what was NaN in `source`."""
    assert a.dtype == b.dtype and a.shape == b.shape
    x, y = a.astype(np.float64), b.astype(np.float64)
    np.testing.assert_array_equal(x, y)
    kept = ~np.isnan(y) & ~np.isnan(source)
    np.testing.assert_array_equal(np.signbit(x)[kept], np.signbit(y)[kept])


@pytest.mark.parametrize("name", FLOATS)
def test_all_bits_pass(name):
    every = every_number(name)
    t = f"tensor<{len(every)}x{name}>"
    for run in runs(f"func.func @main(%x: {t}) -> {t} {{ return %x : {t} }}"):
        assert run.inputs[0].dtype == FLOATS[name] == run.results[0].dtype
        same(run(every), every)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("wide", ["f16", "f32", "f64"])
def test_conversions(name, wide):
    numpy = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[wide]
    every = every_number(name)
    values = every.astype(np.float64)
    finite = np.unique(values[np.isfinite(values)])
    # Numbers of the format, ties, their neighbours, and what lies beyond.
    ties = (finite[1:] + finite[:-1]) / 2
    last = finite[-1] - finite[-2]
    x = np.concatenate([finite, ties, ties * (1 + 2**-9), ties * (1 - 2**-9),
                        finite[-1] + last * np.array([0.25, 0.49, 0.5, 0.51, 1, 4]),
                        -finite[-1] - last * np.array([0.49, 0.5, 0.51]),
                        [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-30, -1e-30, 1e30]])
    near = np.concatenate([np.nextafter(ties, np.inf), np.nextafter(ties, -np.inf)])
    with np.errstate(over="ignore"):
        x, near = x.astype(numpy), near.astype(numpy)
    nearest = finite[np.abs(finite - near[:, None].astype(np.float64)).argmin(1)]
    if name == "f8E8M0FNU":  # ml_dtypes rounds up what is near its least number
        x = x[~((x > 2.0**-127) & (x < 1.5 * 2.0**-127))]
    if wide == "f64":  # ml_dtypes rounds twice, by way of f32
        x = np.concatenate([x, near])
    n = len(x)
    text = f"""func.func @main(%x: tensor<{n}x{wide}>, %y: tensor<{len(every)}x{name}>) -> (tensor<{n}x{name}>, tensor<{len(every)}x{wide}>) {{
      %0 = "stablehlo.convert"(%x) : (tensor<{n}x{wide}>) -> tensor<{n}x{name}>
      %1 = "stablehlo.convert"(%y) : (tensor<{len(every)}x{name}>) -> tensor<{len(every)}x{wide}>
      return %0, %1 : tensor<{n}x{name}>, tensor<{len(every)}x{wide}> }}"""
    for run in runs(text):
        with np.errstate(all="ignore"):
            narrow, widened = run(x, every)
            if wide == "f64":
                narrow, last = narrow[: -len(near)], narrow[-len(near) :]
                np.testing.assert_array_equal(last.astype(np.float64), nearest)
            same(narrow, x[: len(narrow)].astype(dtype(name)))
            same(widened, every.astype(numpy))


@pytest.mark.parametrize("name", FLOATS)
def test_arithmetic_is_rounded_once(name):
    every = every_number(name)
    t = f"tensor<{len(every)}x{len(every)}x{name}>"
    text = f"""func.func @main(%x: {t}, %y: {t}) -> ({t}, {t}, {t}, {t}, {t}, {t}) {{
      %0 = "stablehlo.add"(%x, %y) : ({t}, {t}) -> {t}
      %1 = "stablehlo.multiply"(%x, %y) : ({t}, {t}) -> {t}
      %2 = "stablehlo.divide"(%x, %y) : ({t}, {t}) -> {t}
      %3 = "stablehlo.negate"(%x) : ({t}) -> {t}
      %4 = "stablehlo.subtract"(%x, %y) : ({t}, {t}) -> {t}
      %5 = "stablehlo.sqrt"(%x) : ({t}) -> {t}
      return %0, %1, %2, %3, %4, %5 : {t}, {t}, {t}, {t}, {t}, {t} }}"""
    x, y = np.meshgrid(every, every)
    a, b = x.astype(np.float32), y.astype(np.float32)
    with np.errstate(all="ignore"):
        wide = (a + b, a * b, a / b, -a, a - b, np.sqrt(a))
        for run in runs(text):
            for g, w in zip(run(x, y), wide):
                same(g, w.astype(dtype(name)), w)


@pytest.mark.parametrize("name", ["f8E4M3FN", "f8E5M2"])
def test_programs(name):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((4, 6)).astype(dtype(name))
    y = rng.standard_normal((6, 5)).astype(dtype(name))
    text = f"""
    func.func private @double(%x: tensor<4x6x{name}>) -> tensor<4x6x{name}> {{
      %0 = "stablehlo.add"(%x, %x) : (tensor<4x6x{name}>, tensor<4x6x{name}>) -> tensor<4x6x{name}>
      return %0 : tensor<4x6x{name}> }}
    func.func @main(%x: tensor<4x6x{name}>, %y: tensor<6x5x{name}>) -> (tensor<4x5xf32>, tensor<4x{name}>, tensor<6x4x{name}>, tensor<4x6xui8>, tensor<4x{name}>) {{
      %0 = "stablehlo.dot"(%x, %y) : (tensor<4x6x{name}>, tensor<6x5x{name}>) -> tensor<4x5xf32>
      %z = "stablehlo.constant"() <{{value = dense<0.0> : tensor<{name}>}}> : () -> tensor<{name}>
      %1 = "stablehlo.reduce"(%x, %z) ({{
      ^bb0(%a: tensor<{name}>, %b: tensor<{name}>):
        %s = "stablehlo.add"(%a, %b) : (tensor<{name}>, tensor<{name}>) -> tensor<{name}>
        "stablehlo.return"(%s) : (tensor<{name}>) -> ()
      }}) {{dimensions = array<i64: 1>}} : (tensor<4x6x{name}>, tensor<{name}>) -> tensor<4x{name}>
      %d = call @double(%x) : (tensor<4x6x{name}>) -> tensor<4x6x{name}>
      %2 = "stablehlo.transpose"(%d) <{{permutation = array<i64: 1, 0>}}> : (tensor<4x6x{name}>) -> tensor<6x4x{name}>
      %3 = "stablehlo.bitcast_convert"(%x) : (tensor<4x6x{name}>) -> tensor<4x6xui8>
      %c = "stablehlo.constant"() <{{value = dense<[1.0, -2.0, 0.5, 0.0]> : tensor<4x{name}>}}> : () -> tensor<4x{name}>
      %n = "stablehlo.constant"() <{{value = dense<2> : tensor<i32>}}> : () -> tensor<i32>
      %i = "stablehlo.constant"() <{{value = dense<0> : tensor<i32>}}> : () -> tensor<i32>
      %4:2 = "stablehlo.while"(%i, %c) ({{
      ^bb0(%k: tensor<i32>, %v: tensor<4x{name}>):
        %l = "stablehlo.compare"(%k, %n) <{{comparison_direction = #stablehlo<comparison_direction LT>}}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%l) : (tensor<i1>) -> ()
      }}, {{
      ^bb0(%k: tensor<i32>, %v: tensor<4x{name}>):
        %o = "stablehlo.constant"() <{{value = dense<1> : tensor<i32>}}> : () -> tensor<i32>
        %m = "stablehlo.add"(%k, %o) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %w = "stablehlo.exponential"(%v) : (tensor<4x{name}>) -> tensor<4x{name}>
        "stablehlo.return"(%m, %w) : (tensor<i32>, tensor<4x{name}>) -> ()
      }}) : (tensor<i32>, tensor<4x{name}>) -> (tensor<i32>, tensor<4x{name}>)
      return %0, %1, %2, %3, %4#1 : tensor<4x5xf32>, tensor<4x{name}>, tensor<6x4x{name}>, tensor<4x6xui8>, tensor<4x{name}> }}"""
    a, b = x.astype(np.float32), y.astype(np.float32)
    e = np.array([1, -2, 0.5, 0], np.float32)
    for _ in range(2):
        e = np.exp(e).astype(dtype(name)).astype(np.float32)
    for run in runs(text):
        product, sums, double, bits, powers = run(x, y)
        np.testing.assert_allclose(product, a @ b, rtol=1e-5, atol=1e-6)
        same(sums, a.sum(1).astype(dtype(name)))
        same(double, (a + a).astype(dtype(name)).T)
        np.testing.assert_array_equal(bits, x.view(np.uint8))
        same(powers, e.astype(dtype(name)))


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name):
    t = f"tensor<16x{name}>"
    bits = 2 if "2" in name else 4
    low, high = (0, 2**bits) if "u" in name else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    x = np.resize(np.arange(low, high), 16)
    y = np.resize(np.arange(low, high)[::-1], 16)
    text = f"""func.func @main(%x: {t}, %y: {t}) -> ({t}, {t}, tensor<16xi32>, tensor<16xi1>) {{
      %0 = "stablehlo.add"(%x, %y) : ({t}, {t}) -> {t}
      %1 = "stablehlo.multiply"(%x, %y) : ({t}, {t}) -> {t}
      %2 = "stablehlo.convert"(%x) : ({t}) -> tensor<16xi32>
      %3 = "stablehlo.compare"(%x, %y) <{{comparison_direction = #stablehlo<comparison_direction LT>}}> : ({t}, {t}) -> tensor<16xi1>
      return %0, %1, %2, %3 : {t}, {t}, tensor<16xi32>, tensor<16xi1> }}"""

    def wrap(v):
        return (v - low) % (high - low) + low

    for run in runs(text):
        assert run.inputs[0].dtype == INTEGERS[name]
        s, p, w, less = run(x.astype(dtype(name)), y.astype(dtype(name)))
        assert s.dtype == dtype(name)
        np.testing.assert_array_equal(s.astype(int), wrap(x + y))
        np.testing.assert_array_equal(p.astype(int), wrap(x * y))
        np.testing.assert_array_equal(w, x)
        np.testing.assert_array_equal(less, x < y)


def test_other_types_are_refused():
    run = ta.Module("func.func @main(%x: tensor<3xf8E5M2>) -> tensor<3xf8E5M2> { return %x : tensor<3xf8E5M2> }").compile()
    with pytest.raises(ta.Error, match="float8_e4m3fn"):
        run(np.zeros(3, ml_dtypes.float8_e4m3fn))
    with pytest.raises(ta.Error, match="its elements are smaller than bytes"):
        ta.Module("""func.func @main(%x: tensor<4xf4E2M1FN>) -> tensor<4xi8> {
          %0 = "stablehlo.bitcast_convert"(%x) : (tensor<4xf4E2M1FN>) -> tensor<4xi8>
          return %0 : tensor<4xi8> }""").compile()
    with pytest.raises(ta.Error, match="it is not supported on floats of 8 bits"):
        ta.Module("""func.func @main(%x: tensor<3xf8E5M2>) -> tensor<3xf8E5M2> {
          %0 = "stablehlo.custom_call"(%x) <{call_target_name = "f"}> : (tensor<3xf8E5M2>) -> tensor<3xf8E5M2>
          return %0 : tensor<3xf8E5M2> }""").compile()


def test_jax():
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    x = jnp.asarray(np.random.default_rng(0).standard_normal((8, 16)), jnp.float32)

    def f(x, y):
        q = x.astype(jnp.float8_e4m3fn)
        return q, jax.lax.dot(q, y, preferred_element_type=jnp.float32), q.max(), y * y

    y = x.T.astype(jnp.float8_e5m2)
    got, want = ta.jit(f)(x, y), jax.jit(f)(x, y)
    for g, w in zip(got, want):
        assert g.dtype == w.dtype
        np.testing.assert_allclose(np.asarray(g, np.float32), np.asarray(w, np.float32), rtol=1e-5, atol=1e-5)
    for kind in (jnp.float4_e2m1fn, jnp.float8_e8m0fnu):  # As in blocks with a scale.
        g, w = (j(lambda x: (x.astype(kind), x.astype(kind) + x.astype(kind)))(x) for j in (ta.jit, jax.jit))
        np.testing.assert_array_equal(*(np.asarray(v[0]).view(np.uint8) for v in (g, w)))
        same(np.asarray(g[1]), np.asarray(w[1]))
    i = jnp.arange(-8, 8, dtype=jnp.int4)
    np.testing.assert_array_equal(ta.jit(lambda i: i + i)(i), jax.jit(lambda i: i + i)(i))

    values, places = ta.jit(lambda x: jax.lax.approx_max_k(x, 3))(x)
    np.testing.assert_array_equal(values, np.sort(np.asarray(x), 1)[:, :-4:-1])
    np.testing.assert_array_equal(np.take_along_axis(np.asarray(x), np.asarray(places), 1), values)
    lowest, _ = ta.jit(lambda x: jax.lax.approx_min_k(x, 2, reduction_dimension=0))(x)
    np.testing.assert_array_equal(lowest, np.sort(np.asarray(x), 0)[:2])


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float8_e3m4", "float8_e4m3",
                                  "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"])
def test_moves_keep_bits(name):
    """All 256 of them, each NaN too, as XLA moves bytes (its own moves of NaN do not)."""
    jax = pytest.importorskip("jax")
    jnp, lax = jax.numpy, jax.lax
    codes = np.arange(256, dtype=np.uint8).reshape(16, 16)
    x = codes.view(getattr(ml_dtypes, name))

    def moves(x):
        return (x, x.T, x[::-1, 3:], x.reshape(4, 64), jnp.concatenate([x, x.T]), jnp.roll(x, 3, 1),
                jnp.stack([x, x.T], -1), jnp.broadcast_to(x[:, None], (16, 2, 16)),
                x[jnp.array([3, 1, 1])], x.at[jnp.array([1, 4])].set(x[:2]),
                lax.dynamic_update_slice(x, x[:2, :2], (jnp.int32(5), jnp.int32(3))),
                jnp.where(jnp.arange(256).reshape(16, 16) % 3 == 0, x, x.T),
                lax.sort((jnp.arange(256, 0, -1).reshape(16, 16), x), num_keys=1)[1],
                lax.fori_loop(0, 3, lambda i, s: s.T, x),
                jnp.concatenate([x, jnp.asarray(codes.view(x.dtype)).T]),
                lax.bitcast_convert_type(x, jnp.uint8))

    module = ta.Module(jax.jit(moves).lower(x))
    want = jax.jit(moves)(codes)
    for run in (module.compile(), module.interpret()):
        for g, w in zip(run(x), want, strict=True):
            np.testing.assert_array_equal(np.asarray(g).view(np.uint8), w)
    # What is computed of NaN is one NaN, with its sign.
    sums = np.asarray(ta.jit(lambda x: x + x)(x)).view(np.uint8)
    assert len(np.unique(sums[np.isnan(x.astype("f"))])) <= 2


@pytest.mark.parametrize("op", ["approx_max_k", "approx_min_k"])
@pytest.mark.parametrize("shape, k, axis", [((3, 5000), 10, 1), ((2, 4000, 3), 5, 1), ((130,), 7, 0)])
def test_parts_of_the_largest(op, shape, k, axis):
    """Without `aggregate_to_topk` there are more, as many as JAX says."""
    jax = pytest.importorskip("jax")
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    program = lambda x: getattr(jax.lax, op)(x, k, reduction_dimension=axis, aggregate_to_topk=False)
    want = jax.jit(program)(x)
    assert want[0].shape[axis] > k
    module = ta.Module(jax.jit(program).lower(x))
    for run in (module.compile(), module.interpret()):
        for g, w in zip(run(x), want, strict=True):
            np.testing.assert_array_equal(g, w)


@pytest.mark.parametrize("name", FLOATS)
def test_next(name):
    """Every pair, against the order of all values."""
    codes = every_number(name)
    n = len(codes)
    t = f"tensor<{n * n}x{name}>"
    x, y = np.repeat(codes, n), np.tile(codes, n)
    values = np.unique(codes.astype(np.float64)[~np.isnan(codes.astype(np.float64))])
    a, b = x.astype(np.float64), y.astype(np.float64)
    with np.errstate(invalid="ignore"):
        place = np.searchsorted(values, np.where(np.isnan(a), 0, a)) + np.sign(b - a)
    places = np.clip(np.nan_to_num(place), 0, len(values) - 1).astype(int)
    want = np.where(a == b, b, values[places])
    # Zeros on the way have the sign of where it begins; none, where there is one.
    if "FNUZ" not in name:
        want = np.where((want == 0) & (a != b), np.copysign(0, a), want)
    want = np.where(np.isnan(a) | np.isnan(b), np.nan, want).astype(dtype(name))
    for run in runs(f"""func.func @main(%x: {t}, %y: {t}) -> {t} {{
      %0 = "chlo.next_after"(%x, %y) : ({t}, {t}) -> {t} return %0 : {t} }}"""):
        same(run(x, y), want)


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("of", ["f16", "f32", "f64", "f8E5M2", "bf16"])
def test_floats_become_the_nearest_integer(name, of):
    bits = 2 if "2" in name else 4
    low, high = (0, 2**bits - 1) if "u" in name else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    x = np.array([np.nan, -np.inf, np.inf, -1e4, -300, -9.5, -8.5, -0.5, 0.75, 2.5, 7.5, 8, 15.5, 16, 300, 1e4])
    source = {"f8E5M2": ml_dtypes.float8_e5m2, "bf16": ml_dtypes.bfloat16}.get(of, of.replace("f", "float"))
    x = x.astype(source)
    want = np.trunc(np.clip(np.nan_to_num(x.astype(np.float64), posinf=1e9, neginf=-1e9), low, high))
    for run in runs(f"""func.func @main(%x: tensor<16x{of}>) -> tensor<16x{name}> {{
      %0 = "stablehlo.convert"(%x) : (tensor<16x{of}>) -> tensor<16x{name}>
      return %0 : tensor<16x{name}> }}"""):
        np.testing.assert_array_equal(run(x).astype(int), want)


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("shift", ["left", "right_logical", "right_arithmetic"])
def test_shifts(name, shift):
    jax = pytest.importorskip("jax")
    kind = dtype(name)
    bits = 2 if "2" in name else 4
    x = np.repeat(np.arange(2**bits), 2**bits).astype(np.uint8)
    y = np.tile(np.arange(2**bits), 2**bits).astype(np.uint8)
    if "u" not in name:
        x, y = (((v ^ 2 ** (bits - 1)).astype(np.int8) - 2 ** (bits - 1)) for v in (x, y))
    x, y = x.astype(kind), y.astype(kind)
    f = getattr(jax.lax, f"shift_{shift}")
    np.testing.assert_array_equal(ta.jit(f)(x, y), jax.jit(f)(x, y))


def test_resources():
    for name, data, want in (
        ("f8E4M3FN", "00000038B87F01", [0, 0, 1, -1, np.nan, 2**-9]),
        ("i4", "01070FFF08", [1, 7, -1, -1, -8]),
    ):
        n = len(want)
        data = data if len(data) == 2 * n else data[2:]
        for run in runs(f"""func.func @main() -> tensor<{n}x{name}> {{
          %0 = "stablehlo.constant"() {{value = dense_resource<k> : tensor<{n}x{name}>}} : () -> tensor<{n}x{name}>
          return %0 : tensor<{n}x{name}> }}
          {{-# dialect_resources: {{ builtin: {{ k: "0x01000000{data}" }} }} #-}}"""):
            np.testing.assert_array_equal(run().astype(np.float64), want)


def test_integers_of_any_width_in_linalg():
    """Of ops that are not StableHLO's: wrapped to their width, passed in ml_dtypes'
    types or, where it has none, in the next wider one."""
    text = """
func.func @main(%a: tensor<5xi4>, %b: i4, %c: tensor<3xi2>, %d: tensor<4xi12>)
    -> (tensor<5xi4>, i4, tensor<3xi2>, tensor<4xi12>) {
  %k = tensor.splat %b : tensor<5xi4>
  %r = arith.muli %a, %k : tensor<5xi4>
  %s = arith.addi %c, %c : tensor<3xi2>
  %e = arith.muli %d, %d : tensor<4xi12>
  return %r, %b, %s, %e : tensor<5xi4>, i4, tensor<3xi2>, tensor<4xi12>
}"""
    a = np.array([1, 2, -3, 7, -8])
    c = np.array([1, -2, -1])
    d = np.array([100, 2047, -2048, 3])
    right = [
        ((3 * a + 8) % 16 - 8).astype(dtype("i4")),
        np.asarray(3).astype(dtype("i4")),
        ((2 * c + 2) % 4 - 2).astype(dtype("i2")),
        ((d * d + 2048) % 4096 - 2048).astype(np.int16),
    ]
    for run in runs(text):
        assert [x.dtype for x in run.inputs] == ["int4", "int4", "int2", "int16"]
        given = run(a.astype(dtype("i4")), 3, c.astype(dtype("i2")), d.astype(np.int16))
        for ours, expected in zip(given, right):
            same(np.asarray(ours), expected)
    # Bits beyond the width do not count.
    wide = ta.Module("func.func @main(%d: tensor<4xi12>) -> tensor<4xi12> { return %d : tensor<4xi12> }")
    for run in (wide.interpret(), wide.compile()):
        np.testing.assert_array_equal(run(d.astype(np.int16) + 4096), d)
