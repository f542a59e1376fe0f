# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparsity of Jacobians and Hessians against those of JAX at random points."""

import re

import numpy as np
import pytest
import tensoraccess as ta

jax = pytest.importorskip("jax")
pytest.importorskip("scipy")
jnp = jax.numpy
lax = jax.lax

MATRIX = np.random.default_rng(0).standard_normal((6, 6)).astype(np.float32)
INDICES = np.array([4, 1, 1, 0, 5])
BAND = np.abs(np.subtract.outer(np.arange(6), np.arange(6))) <= 1
LOWER = np.tril(np.ones((6, 6), bool))


def attention(x):
    scores = jnp.where(LOWER, jnp.outer(x, x), -jnp.inf)
    return jax.nn.softmax(scores) @ x


def convolve2d(x):
    image = x.reshape(1, 1, 6, 6)
    kernel = jnp.asarray(MATRIX[:3, :3]).reshape(1, 1, 3, 3)
    return lax.conv_general_dilated(image, kernel, (1, 1), "SAME")


def ode(x):
    return lax.fori_loop(0, 3, lambda _, y: y + 0.1 * jnp.sin(jnp.roll(y, 1)), x)


def five_points(x):
    u = jnp.pad(x.reshape(6, 6), 1)
    return 4 * u[1:-1, 1:-1] - u[:-2, 1:-1] - u[2:, 1:-1] - u[1:-1, :-2] - u[1:-1, 2:]


# (function, elements of its argument, entries of the Jacobian and of the Hessian of the
# sum that no point shows).
PROGRAMS = {
    "differences": (lambda x: (x[1:] - x[:-1]) ** 2, 6, 0, 0),
    "reversed": (lambda x: x * x[::-1], 6, 0, 0),
    "cumsum": (lambda x: jnp.cumsum(x) ** 2, 6, 0, 0),
    "cumprod": (jnp.cumprod, 6, 0, 6),
    "floor": (lambda x: jnp.floor(x) * x, 6, 0, 0),
    "round": (lambda x: jnp.round(3 * x), 6, 0, 0),
    "sign": (lambda x: jnp.sign(x) + x[0], 6, 0, 0),
    "compare": (lambda x: jnp.where(x > 0, x**2, x[::-1]), 6, 0, 0),
    "through integers": (lambda x: x.astype(jnp.int32).astype(jnp.float32) + x, 6, 0, 0),
    "stopped": (lambda x: lax.stop_gradient(x) * x[::-1], 6, 0, 0),
    "times zero": (lambda x: x * np.eye(6, dtype=np.float32)[2], 6, 0, 0),
    "maximum": (lambda x: jnp.maximum(x, x[::-1]), 6, 0, 0),
    "absolute": (lambda x: jnp.abs(x[1:] - x[:-1]), 6, 0, 0),
    "clip": (lambda x: jnp.clip(x, -1, x[0]), 6, 0, 0),
    "largest": (lambda x: x.reshape(2, 3).max(1) * x[0], 6, 0, 0),
    "argmax": (lambda x: jnp.argmax(x) * 1.0, 6, 0, 0),
    "matrix": (lambda x: MATRIX @ x, 6, 0, 0),
    "squares": (lambda x: (MATRIX @ x) ** 2, 6, 0, 0),
    "band": (lambda x: jnp.where(BAND, MATRIX, 0) @ x, 6, 0, 0),
    "band of squares": (lambda x: (jnp.where(BAND, MATRIX, 0) @ x) ** 2, 6, 0, 0),
    "lower": (lambda x: jnp.where(LOWER, jnp.outer(x, x), 0).sum(1), 6, 0, 0),
    "attention": (attention, 6, 0, 0),
    "softmax": (jax.nn.softmax, 6, 0, 36),
    "normed": (lambda x: (x - x.mean()) / jnp.sqrt(x.var() + 1), 6, 0, 36),
    "blocks": (lambda x: (x.reshape(3, 2) ** 3).sum(1), 6, 0, 0),
    "gather": (lambda x: x[INDICES] ** 2, 6, 0, 0),
    "gather of rows": (lambda x: jnp.sin(x.reshape(3, 2))[np.array([2, 0])], 6, 0, 2),
    "scatter": (lambda x: jnp.zeros(7).at[INDICES[[0, 1, 3]]].set(x[:3]), 6, 0, 0),
    "pad": (lambda x: jnp.pad(x, (2, 1))[1:-1] * 2, 6, 0, 0),
    "roll": (lambda x: jnp.roll(x, 2) * jnp.roll(x, -1), 6, 0, 0),
    "concatenate": (lambda x: jnp.concatenate([x[:2] ** 2, x[4:]]), 6, 0, 0),
    "convolution": (convolve2d, 36, 0, 0),
    "convolution of itself": (lambda x: jnp.convolve(x, x[:3]), 6, 6, 0),
    "five points": (lambda x: five_points(x) ** 2, 36, 0, 0),
    "scan": (lambda x: lax.scan(lambda c, y: (c * y, c + y), x[0], x)[1], 6, 0, 1),
    "ode": (ode, 6, 0, 0),
    "triangle": (lambda x: jnp.stack([x[: i + 1].prod() for i in range(3)]), 6, 0, 0),
    "logistic": (lambda x: jax.nn.sigmoid(x) + x[::-1], 6, 0, 0),
    "Rosenbrock": (lambda x: 100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2, 6, 0, 0),
    "two arrays": (lambda x: (x[:3], x[3:] ** 2), 6, 0, 0),
    "window": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2,), (1,), "VALID"), 6, 0, 0),
    "quotient": (lambda x: x[:3] / (2 + x[3:] ** 2), 6, 0, 0),
}


def dense_jacobian(f, x):
    leaves = jax.tree.leaves(jax.jacobian(f)(x))
    return jnp.concatenate([leaf.reshape(-1, x.size) for leaf in leaves])


def union(of, f, size):
    """The entries that are not zero at some of several points, and the last point."""
    scales = np.array([1, 1, 0.3, 3, 3, 1, 0.1, 2, 1, 1, 1, 1])[:, None]
    points = np.random.default_rng(0).standard_normal((len(scales), size)) * scales
    points = jnp.asarray(points, np.float32)
    values = np.asarray(jax.jit(lambda all_points: lax.map(lambda x: of(f, x), all_points))(points))
    return (values != 0).any(0), points[-1], values[-1]


@pytest.mark.parametrize("name", PROGRAMS)
def test_jacobian(name):
    f, size, unseen, _ = PROGRAMS[name]
    seen, x, values = union(dense_jacobian, f, size)
    sparsity = ta.jacobian_sparsity(f, x)
    pattern = sparsity.pattern.toarray()
    assert not (seen & ~pattern).any()
    assert (pattern & ~seen).sum() <= unseen
    module = ta.Module(jax.jit(f).lower(x))
    of_ops = ta.jacobian_sparsity(module).pattern.toarray()
    assert not (pattern & ~of_ops).any() and (name == "stopped" or not (seen & ~of_ops).any())
    check_colors(sparsity)
    text = str(module.run("tensoraccess-annotate-derivatives"))
    entries, *_ = re.findall(r"jacobian_coloring = {.*?entries = (\d+) : i64", text)
    assert int(entries) == of_ops.sum()
    np.testing.assert_allclose(sparsity.evaluate(x).toarray(), values, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", PROGRAMS)
def test_hessian(name):
    f, size, _, unseen = PROGRAMS[name]

    def total(x):
        return sum(y.sum() for y in jax.tree.leaves(f(x)))

    seen, x, values = union(lambda f, x: jax.hessian(f)(x), total, size)
    if name in ("softmax", "normed"):
        seen[:] = False  # The sum is a constant, but for rounding.
    sparsity = ta.hessian_sparsity(total, x)
    pattern = sparsity.pattern.toarray()
    assert not (seen & ~pattern).any()
    assert (pattern & ~seen).sum() <= unseen
    of_ops = ta.hessian_sparsity(ta.Module(jax.jit(total).lower(x))).pattern.toarray()
    assert not (seen & ~of_ops).any() and (of_ops == of_ops.T).all()
    check_colors(sparsity)
    np.testing.assert_allclose(sparsity.evaluate(x).toarray(), values, rtol=1e-3, atol=1e-4)


def check_colors(sparsity):
    """No two entries of a row (column) have one color."""
    direction, colors, count, *_ = sparsity.coloring
    pattern = sparsity.pattern.T.tocsr() if direction == "vjp" else sparsity.pattern
    assert colors.shape == (pattern.shape[1],) and (colors < count).all()
    for row in range(pattern.shape[0]):
        own = colors[pattern.indices[pattern.indptr[row] : pattern.indptr[row + 1]]]
        assert len(set(own)) == len(own)


def test_closed_form():
    n = 10**6
    x = jax.ShapeDtypeStruct((n,), np.float32)
    sparsity = ta.jacobian_sparsity(lambda x: x[2:] - 2 * x[1:-1] + x[:-2], x)
    assert len(sparsity.map) == 3 and sparsity.exact
    assert {m(7)[0] for m in sparsity.map} == {7, 8, 9}
    coloring = sparsity.coloring
    assert (coloring.count, coloring.period, len(coloring.colors)) == (3, 3, n)
    assert sparsity.pattern.nnz == 3 * (n - 2)
    grid = jax.ShapeDtypeStruct((400, 300), np.float32)
    stencil = ta.jacobian_sparsity(
        lambda u: u[1:-1, 1:-1] + u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:], grid
    )
    assert stencil.coloring.count == 5 and stencil.coloring.weights is not None
    check_colors(ta.jacobian_sparsity(five_points, jnp.zeros(36)))


def test_band():
    """A band of a large matrix is walked along."""
    n = 20000
    rows = np.arange(n)

    def banded(x):
        i, j = lax.iota(np.int32, n)[:, None], lax.iota(np.int32, n)[None]
        return jnp.where((i - j <= 2) & (j - i <= 2), x[None, :], 0).sum(1)

    sparsity = ta.jacobian_sparsity(banded, jax.ShapeDtypeStruct((n,), np.float32))
    assert sparsity.pattern.nnz == 5 * n - 6
    assert (abs(sparsity.pattern.tocoo().row - sparsity.pattern.tocoo().col) <= 2).all()
    assert sparsity.coloring.count == 5
    assert (sparsity.pattern.diagonal() == np.ones_like(rows, bool)).all()


def test_arguments():
    def f(a, n, b):
        return {"sum": a["x"] + b[::-1], "count": n + 1, "product": (a["x"] * b).sum()}

    args = {"x": np.ones(3, np.float32)}, 4, np.ones(3, np.float32)
    sparsity = ta.jacobian_sparsity(f, *args)
    assert sparsity.shape == (4, 6) and len(sparsity.blocks) == 4
    wanted = np.zeros((4, 6))
    wanted[0] = 1  # 'product' comes first.
    wanted[1:, :3] = np.eye(3)
    wanted[1:, 3:] = np.eye(3)[::-1]
    np.testing.assert_array_equal(sparsity.evaluate(*args).toarray(), wanted)
    only = ta.jacobian_sparsity(f, *args, argnums=2)
    np.testing.assert_array_equal(only.evaluate(*args).toarray(), wanted[:, 3:])
    product = ta.hessian_sparsity(lambda a, b: (a * b).sum(), args[2], args[2])
    np.testing.assert_array_equal(
        product.pattern.toarray(), np.kron([[0, 1], [1, 0]], np.eye(3))
    )
    assert "2 x 3" in repr(ta.jacobian_sparsity(lambda x: x[1:], args[2]))
    assert ta.jacobian_sparsity(lambda x: x[1:], args[2]).bcoo().todense().sum() == 2


@pytest.mark.parametrize(
    "f, x, shape, entries",
    [
        (lambda x: x * 2, np.zeros((0, 3), np.float32), (0, 0), 0),
        (lambda x: x * x, np.float32(2), (1, 1), 1),
        (lambda x: x.astype(int), np.ones(3, np.float32), (0, 3), 0),
        (lambda x: jnp.ones(2), np.ones(3, np.float32), (2, 3), 0),
        (lambda x: x * jnp.conj(x), np.ones(3, np.complex64), (3, 3), 3),
    ],
)
def test_edges(f, x, shape, entries):
    sparsity = ta.jacobian_sparsity(f, x)
    assert sparsity.shape == shape and sparsity.pattern.nnz == entries
    assert sparsity.evaluate(x).shape == shape
    assert sparsity.svg().count("<rect") == 1 + entries


def test_buffers():
    """What is in memory is not known: all entries, and why."""
    sparsity = ta.jacobian_sparsity(ta.Module("""
      func.func @main(%x: memref<3xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
        %c = arith.constant 0 : index
        %0 = memref.load %x[%c] : memref<3xf32>
        %1 = tensor.splat %0 : tensor<4xf32>
        return %1 : tensor<4xf32>
      }"""))
    assert sparsity.shape == (4, 7) and sparsity.pattern.nnz == 28
    assert "memref.load" in sparsity.reason


def test_tuples():
    """Derivatives go through what has no indices, too."""
    sparsity = ta.jacobian_sparsity(ta.Module("""
      func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
        %0 = "stablehlo.tuple"(%x) : (tensor<3xf32>) -> tuple<tensor<3xf32>>
        %1 = "stablehlo.get_tuple_element"(%0) <{index = 0 : i32}>
            : (tuple<tensor<3xf32>>) -> tensor<3xf32>
        return %1 : tensor<3xf32>
      }"""))
    assert sparsity.pattern.diagonal().all() and (sparsity.exact or sparsity.reason)


def test_custom_rules():
    @jax.custom_jvp
    def straight(x):
        return jnp.floor(x)

    straight.defjvp(lambda x, t: (straight(*x), t[0]))
    x = jnp.arange(3.0) + 0.5
    np.testing.assert_array_equal(ta.jacobian_sparsity(straight, x).evaluate(x).toarray(), np.eye(3))

    @jax.custom_vjp
    def backwards(x):
        return jnp.floor(x)

    backwards.defvjp(lambda x: (backwards(x), None), lambda _, t: (t[::-1],))
    sparsity = ta.jacobian_sparsity(backwards, x)
    assert sparsity.coloring.direction == "vjp"
    np.testing.assert_array_equal(sparsity.evaluate(x).toarray(), np.eye(3)[::-1])


def test_module():
    module = ta.Module("""
      func.func @main(%x: tensor<5xf32>, %n: tensor<5xi32>) -> tensor<5xf32> {
        %0 = stablehlo.floor %x : tensor<5xf32>
        %1 = stablehlo.multiply %0, %x : tensor<5xf32>
        return %1 : tensor<5xf32>
      }""")
    sparsity = ta.jacobian_sparsity(module)
    assert sparsity.shape == (5, 5) and sparsity.pattern.nnz == 5 and sparsity.exact
    assert sparsity.coloring.count == 1
    # A floor is a constant to derivatives: the product is linear.
    assert ta.hessian_sparsity(module).pattern.nnz == 0
    assert sparsity.svg().count("<rect") == 1 + 5
    with pytest.raises(ta.Error, match="a module has no derivatives"):
        sparsity.evaluate(np.ones(5))
    with pytest.raises(ta.Error, match="result 3: there are 1 results"):
        ta.hessian_sparsity(module, result=3)


def test_unknown():
    module = ta.Module("""
      func.func @main(%x: tensor<2x3xf32>) -> tensor<3xf32> {
        %0 = "foreign.op"(%x) : (tensor<2x3xf32>) -> tensor<3xf32>
        return %0 : tensor<3xf32>
      }""")
    for sparsity, entries in [
        (ta.jacobian_sparsity(module), 18),
        (ta.hessian_sparsity(module), 36),
    ]:
        assert not sparsity.exact and "foreign.op" in sparsity.reason
        assert sparsity.pattern.nnz == entries


def test_errors():
    x = np.ones(3, np.float32)
    for args, options, message in [
        ((3,), {}, "expected a function of JAX or a Module, got int"),
        ((jnp.sin, 3), {}, "no argument has floating-point elements"),
        ((jnp.sin, x), {"argnums": 1}, "argnums 1: there are 1 arguments"),
    ]:
        with pytest.raises(ta.Error, match=message):
            ta.jacobian_sparsity(*args, **options)
    with pytest.raises(ta.Error, match="result 1: there are 1 with derivatives"):
        ta.hessian_sparsity(jnp.sin, x, result=1)
    sparsity = ta.jacobian_sparsity(jnp.sin, x)
    with pytest.raises(ta.Error, match=r"expected an argument of shape \(3,\), got \(4,\)"):
        sparsity.evaluate(np.ones(4, np.float32))
    dynamic = ta.Module("func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> "
                        "{ return %x : tensor<?xf32> }")
    with pytest.raises(ta.Error, match="sizes must be known"):
        ta.jacobian_sparsity(dynamic)
