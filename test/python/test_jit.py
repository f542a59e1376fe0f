# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tensoraccess.jit against jax.jit."""

import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

import tensoraccess as ta

jax = pytest.importorskip("jax")
jnp = jax.numpy


def ulps(a, b):
    """The largest distance of two arrays, in units of the last place of the
    largest element."""
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if a.size == 0:
        return 0.0
    scale = max(np.abs(b).max(), 1e-30)
    return np.abs(a - b).max() / (scale * np.finfo(np.float32).eps)


def check(f, *args, limit=4.0, settings=None, **kwargs):
    """Calls of both: the same tree, shapes and types, numbers within some ulps."""
    settings = settings or {}
    want, got = jax.jit(f, **settings)(*args, **kwargs), ta.jit(f, **settings)(*args, **kwargs)
    wanted, tree = jax.tree.flatten(want)
    leaves, got_tree = jax.tree.flatten(got)
    assert tree == got_tree
    for w, g in zip(wanted, leaves):
        assert isinstance(g, jax.Array)
        assert (g.shape, g.dtype) == (w.shape, w.dtype)
        if jnp.issubdtype(w.dtype, jnp.floating):
            assert ulps(g, w) <= limit
        else:
            np.testing.assert_array_equal(np.asarray(g), np.asarray(w))
    return got


def test_trees_of_arguments_and_results():
    def f(p, x, *, scale=2, flag=None):
        return {"y": p["w"] @ x + p["b"], "none": None, "t": (x * scale, [flag])}

    p = {"w": jnp.arange(6.0).reshape(2, 3), "b": np.ones(2, np.float32)}
    check(f, p, np.arange(3.0))  # f64 is f32 in JAX
    check(f, p, jnp.ones(3), scale=3)
    check(f, p, jnp.ones(3), scale=2.5, flag=True)
    check(lambda: jnp.arange(3))
    check(lambda x: None, 1.0)
    check(lambda x: (x, x, ()), 3)
    check(lambda x, *rest: sum(rest, x), 1, 2.0, jnp.ones(2))


@pytest.mark.parametrize("dtype", [
    "bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float16",
    "bfloat16", "float32", "complex64",
])  # fmt: skip
@pytest.mark.parametrize("shape", [(), (0, 3), (1,), (5, 7)])
def test_element_types(dtype, shape):
    x = jnp.asarray(np.random.default_rng(0).integers(0, 100, shape), dtype)
    got = check(lambda x: (x, x == x, x.real.astype(jnp.float32).sum()), x)
    assert got[0].dtype == x.dtype


def test_unsigned_integers_are_not_signed():
    x = jnp.asarray([0, 1, 2**31, 2**32 - 1], jnp.uint32)
    check(lambda x: (x // 3, x >> 1, x.astype(jnp.float32), x < 5, x * x, jnp.sort(x)), x)
    with jax.enable_x64(True):
        x = jnp.asarray([0, 2**63, 2**64 - 1], jnp.uint64)
        check(lambda x: (x // 3, x % 7, x.astype(jnp.float64)), x)
        check(lambda x: x / 3, np.float64(2))


def test_compiled_once_for_each_kind_of_arguments():
    traced = []

    @ta.jit
    def f(x):
        traced.append(x.shape)
        return x + 1

    for x in (jnp.ones(3), np.ones(3, np.float32), jnp.zeros(3), jnp.ones(4), 1, 2, 1.0):
        f(x)
    assert traced == [(3,), (4,), (), ()]
    f.clear_cache()
    f(1)
    assert len(traced) == 5


def test_weak_types_and_results_without_bits():
    def both(f, *args):
        got, want = ta.jit(f)(*args), jax.jit(f)(*args)
        assert jax.tree.structure(got) == jax.tree.structure(want)
        for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(want)):
            assert g.dtype == w.dtype and g.shape == w.shape
            assert getattr(g, "weak_type", False) == getattr(w, "weak_type", False)
            if w.dtype != jax.dtypes.float0:
                np.testing.assert_array_equal(g, w)
        return got

    doubled = both(lambda x: x * 2, 3.0)
    assert (doubled * jnp.ones(2, jnp.bfloat16)).dtype == jnp.bfloat16
    both(lambda x, n: (x + n, jnp.full((3,), n), jnp.where(n > 0, 1, 2)), jnp.ones(2), 3)
    both(lambda n: jnp.broadcast_to(n, (300, 400)), 2.5)
    both(jax.grad(lambda i, x: x * i.sum(), argnums=(0, 1), allow_int=True), np.arange(3), 2.0)


def test_settings_of_jax_are_part_of_a_program():
    f = ta.jit(lambda x: x * 2)
    x = np.ones(3)
    assert f(x).dtype == np.float32
    with jax.enable_x64(True):
        assert f(x).dtype == np.float64
    assert f(x).dtype == np.float32


def test_static_arguments():
    def f(x, n, *, axis=0):
        return jnp.concatenate([x] * n, axis)

    x = jnp.ones((2, 3))
    for settings in (
        {"static_argnums": 1, "static_argnames": "axis"},
        {"static_argnames": ("n", "axis")},
        {"static_argnums": (-1,), "static_argnames": ["axis"]},
    ):
        check(f, x, 2, axis=1, settings=settings)
        check(f, x, 3, settings=settings)
    check(f, x, n=3, axis=1, settings={"static_argnames": ("n", "axis")})
    # Equal and yet of another type.
    g = ta.jit(lambda x, n: x * n, static_argnums=1)
    assert [g(3, n).dtype.name for n in (1, 1.0, True)] == ["int32", "float32", "int32"]
    with pytest.raises(ValueError, match="Non-hashable static arguments"):
        g(3, [1])

    @partial(ta.jit, static_argnames="power")
    def h(x, power):
        return x**power

    assert h(3.0, power=2) == 9


def test_donated_arrays_are_gone():
    def f(state, x):
        return jax.tree.map(lambda s: s + x, state)

    state = {"a": jnp.ones(3), "b": jnp.zeros((2, 2))}
    got = ta.jit(f, donate_argnums=0)(state, 1.0)
    assert all(leaf.is_deleted() for leaf in jax.tree.leaves(state))
    np.testing.assert_array_equal(got["a"], [2, 2, 2])
    with pytest.raises((RuntimeError, ValueError), match="deleted"):
        ta.jit(f)(state, 1.0)
    x = jnp.ones(3)
    with pytest.raises(ValueError, match="argument 1 is donated and is another one, too"):
        ta.jit(lambda x, y: x + y, donate_argnums=1)(x, x)
    assert not x.is_deleted()
    # What is given back unchanged is not lost.
    x = jnp.arange(4.0)
    np.testing.assert_array_equal(ta.jit(lambda x: x, donate_argnames="x")(x), [0, 1, 2, 3])


@pytest.mark.parametrize("f, args", [
    (lambda x: x if x > 0 else -x, (1.0,)),
    (lambda n: jnp.zeros(n), (3,)),
    (lambda x, y: x, (1.0,)),
    (lambda x: x, ("text",)),
    (lambda x: x @ x, (np.ones((2, 3)),)),
    (lambda x: "text", (1.0,)),
])  # fmt: skip
def test_errors_of_tracing_are_those_of_jax(f, args):
    with pytest.raises(Exception) as wanted:
        jax.jit(f)(*args)
    with pytest.raises(wanted.type) as got:
        ta.jit(f)(*args)
    first = str(wanted.value).splitlines()[0]
    assert str(got.value).splitlines()[0] == first


def test_what_cannot_be_compiled_is_named():
    def prints(x):
        jax.debug.print("{}", x)
        return x

    for f in (lambda x: jax.pure_callback(np.sin, x, x), prints):
        with pytest.raises(ta.Error, match="it calls Python .*return from the function"):
            ta.jit(f)(jnp.ones(3))
        with pytest.raises(ta.Error, match="it calls Python .*return from the function"):
            ta.Module(jax.jit(f).lower(jnp.ones(3))).interpret()(np.ones(3, np.float32))


def test_inside_and_outside_of_transformations():
    def loss(w, x):
        return jnp.tanh(x @ w).sum()

    w, x = jnp.ones((3, 2)), jnp.arange(6.0).reshape(2, 3) / 7
    check(jax.grad(loss), w, x)
    check(jax.vmap(loss, (None, 0)), w, x)
    check(jax.hessian(loss), w, x, limit=16)
    inner = ta.jit(loss)
    np.testing.assert_allclose(jax.grad(inner)(w, x), jax.grad(loss)(w, x), rtol=1e-6)
    np.testing.assert_allclose(jax.jit(inner)(w, x), loss(w, x), rtol=1e-6)
    np.testing.assert_allclose(
        jax.vmap(inner, (None, 0))(w, x), jax.vmap(loss, (None, 0))(w, x), rtol=1e-6)


def test_lower_and_compile():
    f = ta.jit(lambda p, x: {"y": p["w"] @ x})
    p = {"w": jnp.ones((2, 3))}
    lowered = f.lower(p, jax.ShapeDtypeStruct((3,), jnp.float32))
    assert lowered.out_info["y"].shape == (2,)
    assert "stablehlo.dot_general" in lowered.as_text()
    assert [op.name for op in lowered.indexing()["main"]][-1] == "stablehlo.dot_general"
    assert f.indexing(p, jnp.ones(3)).keys() == f.module(p, jnp.ones(3)).indexing().keys()
    compiled = lowered.compile()
    np.testing.assert_array_equal(compiled(p, jnp.ones(3))["y"], [3, 3])
    assert compiled.out_tree == jax.tree.structure({"y": 0})
    with pytest.raises(TypeError, match="function compiled for arguments of structure"):
        compiled(p)
    for wrong in (jnp.ones(4), np.ones(3, np.int32), jnp.ones(3, jnp.int32), 1.0):
        with pytest.raises(TypeError, match="function compiled for float32.* as argument 1"):
            compiled(p, wrong)


def test_methods():
    class Model:
        @partial(ta.jit, static_argnums=0)
        def scale(self, x):
            return x * 3

    assert Model().scale(2.0) == 6


def test_threads_give_the_same_bits():
    x = jnp.asarray(np.random.default_rng(0).standard_normal((300, 300)), jnp.float32)
    f = lambda x: jax.nn.softmax(x @ x)  # noqa: E731
    one, two = ta.jit(f, threads=1)(x), ta.jit(f, threads=2)(x)
    assert np.asarray(one).tobytes() == np.asarray(two).tobytes()


def test_all_that_jax_makes_is_a_module():
    f = jax.jit(lambda x: jnp.tanh(x).sum(0))
    x = jnp.ones((3, 4))
    exported = jax.export.export(f)(x)
    sources = [f.lower(x), f.trace(x), exported, exported.mlir_module_serialized,
               bytearray(exported.mlir_module_serialized), f.lower(x).compiler_ir()]
    for source in sources:
        mod = ta.Module(source)
        np.testing.assert_allclose(mod.compile()(np.asarray(x)), f(x), rtol=1e-6)
    with pytest.raises(ta.Error, match="0:0: error: "):
        ta.Module(exported.mlir_module_serialized[:40])


def test_without_jax_the_package_is_named():
    code = """
import sys
sys.modules["jax"] = None
import tensoraccess as ta
try:
    ta.jit(lambda x: x)
except ta.Error as e:
    print(e)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                         env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert out.stdout == "tensoraccess.jit needs the package 'jax'\n"
