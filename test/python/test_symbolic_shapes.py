# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that JAX exported with symbolic sizes, against JAX at several sizes."""

import numpy as np
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax")
jnp = jax.numpy
from jax import export  # noqa: E402

RNG = np.random.default_rng(0)
W, KERNEL = RNG.standard_normal((3, 5), np.float32), RNG.standard_normal((3, 3, 3, 4), np.float32)
NHWC = ("NHWC", "HWIO", "NHWC")


def floats(*shape):
    return RNG.standard_normal(shape, np.float32)


def attention(q, k, v):
    scores = jnp.einsum("bqd,bkd->bqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.arange(q.shape[1])[:, None] >= jnp.arange(k.shape[1])[None]
    return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)


def layer_norm(x):
    m = x.mean(-1, keepdims=True)
    return (x - m) / jnp.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5)


def conv(x, padding="SAME"):
    return jax.lax.conv_general_dilated(x, KERNEL, (1, 1), padding, dimension_numbers=NHWC)


def pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


# The function, its arguments' shapes, and several lists of arguments.
PROGRAMS = {
    "mlp": (lambda x: jax.nn.relu(x @ W).sum(-1), ["b, 3"], [[floats(n, 3)] for n in (1, 4, 130)]),
    "softmax": (jax.nn.softmax, ["a, b"], [[floats(3, 7)], [floats(1, 1)], [floats(65, 129)]]),
    "layer_norm": (layer_norm, ["a, b"], [[floats(3, 7)], [floats(1, 1)]]),
    "attention": (attention, ["b, s, 8"] * 3, [[floats(b, s, 8)] * 3 for b, s in ((2, 5), (1, 1))]),
    "concatenate": (lambda x, y: jnp.concatenate([x, y]), ["a, 3", "b, 3"], [[floats(2, 3), floats(4, 3)]]),
    "reshape": (lambda x: x.reshape(-1), ["a, b"], [[floats(3, 7)], [floats(1, 1)]]),
    "split": (lambda x: x.reshape(x.shape[0], 2, x.shape[1] // 2), ["a, 2*b"], [[floats(3, 8)], [floats(1, 2)]]),
    "convolution": (conv, ["b, h, w, 3"], [[floats(2, 6, 7, 3)], [floats(1, 1, 1, 3)]]),
    "pool": (pool, ["b, 2*h, 2*w, 3"], [[floats(2, 6, 8, 3)]]),
    "slice": (lambda x: x[1:, :-1], ["a+1, b+1"], [[floats(3, 7)], [floats(2, 2)]]),
    "take": (lambda x, i: jnp.take(x, i, axis=0), ["a, 3", "n"], [[floats(5, 3), np.array([0, 4, 2, 2], np.int32)]]),
    "scan": (lambda x: jax.lax.scan(lambda c, r: (c + r, c * r), jnp.zeros(x.shape[1]), x), ["a, b"],
             [[floats(5, 3)], [floats(1, 1)]]),
    "cumsum": (lambda x: jnp.cumsum(x, 0), ["a, b"], [[floats(5, 3)]]),
    "argmax": (lambda x: jnp.argmax(x, -1), ["a, b"], [[floats(5, 3)]]),
    "pad": (lambda x: jnp.pad(x, ((1, 2), (0, 3))), ["a, b"], [[floats(5, 3)]]),
    "iota": (lambda x: x + jnp.arange(x.shape[0])[:, None] * x.shape[1], ["a, b"], [[floats(5, 3)]]),
    "sort": (lambda x: jnp.sort(x, -1), ["a, b"], [[floats(5, 3)]]),
    "top_k": (lambda x: jax.lax.top_k(x, 2), ["a, b+2"], [[floats(5, 3)]]),
    "update": (lambda x, y: jax.lax.dynamic_update_slice(x, y, (1, 0)), ["a+2, b", "2, b"], [[floats(5, 3), floats(2, 3)]]),
    "gradient": (jax.grad(lambda x: (jax.nn.gelu(x @ W) ** 2).sum()), ["b, 3"], [[floats(4, 3)]]),
    "convolution's gradient": (jax.grad(lambda x: (conv(x, "VALID") ** 2).sum()), ["b, 6, 7, 3"], [[floats(2, 6, 7, 3)]]),
    "roll": (lambda x: jnp.roll(x, 1, 0), ["a, b"], [[floats(5, 3)]]),
    "tile": (lambda x: jnp.tile(x, (2, 3)), ["a, b"], [[floats(5, 3)]]),
    "flip": (lambda x: x[::-1], ["a, b"], [[floats(5, 3)]]),
    "one_hot": (lambda i: jax.nn.one_hot(i, 6), ["n"], [[np.array([1, 3, 5], np.int32)]]),
    "scatter": (lambda x, i: jnp.zeros_like(x).at[i].add(1.0), ["a, 3", "n"],
                [[floats(5, 3), np.array([0, 4, 2, 2], np.int32)]]),
    "eye": (lambda x: x @ jnp.eye(x.shape[0]), ["a, a"], [[floats(4, 4)]]),
    "while": (lambda x: jax.lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * 2), (0, x))[1],
              ["a, b"], [[floats(5, 3)]]),
    "for": (lambda x: jax.lax.fori_loop(0, x.shape[0], lambda i, c: jnp.tanh(c + x[i]), jnp.zeros(x.shape[1])),
            ["a, b"], [[floats(5, 3)]]),
    "cond": (lambda x, n: jax.lax.cond(n > 0, lambda x: x * 2, lambda x: x - 1, x), ["a, b", ""],
             [[floats(5, 3), np.array(1, np.int32)], [floats(5, 3), np.array(0, np.int32)]]),
    "fft": (lambda x: jnp.fft.fft(x).real, ["a, 8"], [[floats(3, 8)]]),
    "cholesky": (lambda x: jnp.linalg.cholesky(x @ x.swapaxes(1, 2) + jnp.eye(3)), ["a, 3, 3"], [[floats(4, 3, 3)]]),
    "random": (lambda x, k: x + jax.random.normal(k, x.shape), ["a, b", "2"],
               [[floats(4, 3), np.array([1, 2], np.uint32)]]),
    "quantile": (lambda x: jnp.quantile(x, 0.5, axis=0), ["a, 3"], [[floats(5, 3)], [floats(6, 3)]]),
}  # fmt: skip


def exported(f, shapes, arguments):
    scope = export.SymbolicScope()
    return export.export(jax.jit(f))(*(
        jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), x.dtype)
        for shape, x in zip(shapes, arguments)))


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    f, shapes, runs = PROGRAMS[name]
    module = ta.Module(exported(f, shapes, runs[0]))
    compiled, interpreted = module.compile(), module.interpret()
    for arguments in runs:
        want = jax.tree.leaves(jax.jit(f)(*arguments))
        for run in (compiled, interpreted):
            got = run(*arguments)
            got = got if isinstance(got, tuple) else (got,)
            for g, w in zip(got, map(np.asarray, want), strict=True):
                assert g.dtype == w.dtype and g.shape == w.shape
                np.testing.assert_allclose(g, w, rtol=2e-5, atol=2e-6 * max(1, np.abs(w).max(initial=0)))


def test_indexing_at_sizes():
    module = ta.Module(exported(lambda x: x[1:].sum(1), ["a+1, b"], [floats(5, 3)]))
    static = module.refine_shapes((5, 3))
    assert static.functions[0].inputs == ["tensor<5x3xf32>"]
    answer = static.function_indexing("main")
    [indexing] = answer.output_to_input[0][0]
    assert [list(indexing.evaluate([2], [s], [])) for s in range(3)] == [[3, 0], [3, 1], [3, 2]]


def test_what_is_refused():
    run = ta.Module(exported(lambda x: x.reshape(2, -1), ["2*a"], [floats(4)])).compile()
    with pytest.raises(ta.Error, match="Division had remainder 1 when computing the value of 'a'"):
        run(floats(5))
    with pytest.raises(ta.Error, match="Expected value >= 1 for dimension variable 'a'"):
        run(floats(0))
    with pytest.raises(ta.Error, match="rank|dimensions|shape"):
        run(floats(2, 2))
    with pytest.raises(ta.Error, match="takes 1 inputs, got 2"):
        run(floats(2), floats(2))
    np.testing.assert_array_equal(run(np.arange(4, dtype=np.float32)), [[0, 1], [2, 3]])
    module = ta.Module(exported(lambda x: x + x.shape[0], ["a, b"], [floats(4, 1)]))
    with pytest.raises(ta.Error, match="more dynamic sizes than the 1 that are given"):
        module.refine_shapes((3,))
    with pytest.raises(ta.Error, match="has 2 dynamic sizes, 3 are given"):
        module.refine_shapes((3, 4, 5))
    with pytest.raises(ta.Error, match="sizes must be at least 0, got -1"):
        module.refine_shapes((3, -1))
    with pytest.raises(ta.Error, match="there is no function 'other'"):
        module.refine_shapes((3, 1), "other")


def test_size_of_a_dimension():
    def text(size, result):
        return f"""func.func @main(%x: tensor<2x5xf32>) -> {result} {{
          %n = "stablehlo.constant"() {{value = dense<{size}> : tensor<i32>}} : () -> tensor<i32>
          %0 = "stablehlo.set_dimension_size"(%x, %n) {{dimension = 1 : i64}}
            : (tensor<2x5xf32>, tensor<i32>) -> {result}
          return %0 : {result} }}"""

    x = np.arange(10, dtype=np.float32).reshape(2, 5)
    for size in (0, 3, 5):
        for result in (f"tensor<2x{size}xf32>", "tensor<2x?xf32>"):
            module = ta.Module(text(size, result))
            for program in (module.compile(), module.interpret()):
                np.testing.assert_array_equal(program(x), x[:, :size])
    for size in (6, -1):
        module = ta.Module(text(size, "tensor<2x?xf32>"))
        for make in (module.compile, module.interpret):
            with pytest.raises(ta.Error, match=rf"set_dimension_size.* size {size} of dimension 1 must be in \[0, 5\]"):
                make()(x)
