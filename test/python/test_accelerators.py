# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accelerators whose functional models are Python functions."""

import gc
import threading
import weakref

import numpy as np
import pytest

import tensoraccess as ta
from access_programs import fails, matmul, random


@pytest.fixture
def vector_add():
    @ta.accelerator("vector-add")
    def model(a, b):
        return a + b

    yield model
    ta.remove_accelerator("vector-add")


def add(n=8, dtype="f32"):
    x, y = ta.input((n,), dtype).access(0), ta.input((n,), dtype).access(0)
    return ta.accelerator_call("vector-add", x, y, access_shape=(), compute_shape=(n,))


def test_accelerators(vector_add):
    assert "vector-add" in ta.accelerators()
    xs, ys = random(8), random(8)
    np.testing.assert_array_equal(add()(xs, ys), xs + ys)
    assert add().dtype == "float32"
    ints = np.arange(8, dtype=np.int64)
    np.testing.assert_array_equal(add(dtype="i64")(ints, ints), 2 * ints)


def test_accelerators_get_arrays_of_their_own():
    kept = []

    @ta.accelerator("keep")
    def keep(x):
        kept.append(x)
        x[:] = 0
        return np.ones((3, 5), np.float32)[:, ::-1]

    xs = random(3, 5)
    p = ta.input((3, 5)).access(1)
    call = ta.accelerator_call("keep", p, access_shape=[3], compute_shape=[5])
    both = ta.program(call, p)
    ones, same = both.interpret()(xs)
    assert (ones == 1).all() and xs.any()
    np.testing.assert_array_equal(same, xs)
    assert (kept[0] == 0).all()
    ta.remove_accelerator("keep")


def test_accelerators_may_run_programs(vector_add):
    inner = matmul(3, 5, 7)

    @ta.accelerator("matmul")
    def model(a, b):
        return inner(a, b)

    a, b = ta.input((3, 5)), ta.input((5, 7))
    call = ta.accelerator_call(
        "matmul", a.access(1), b.access(0), access_shape=(3, 7), compute_shape=()
    )
    xs, ys = random(3, 5), random(5, 7)
    np.testing.assert_array_equal(call(xs, ys), inner(xs, ys))

    # Even the one that calls it.
    depth = []

    @ta.accelerator("countdown")
    def countdown(x):
        depth.append(1)
        return outer(x) if len(depth) < 5 else x

    outer = ta.accelerator_call(
        "countdown", a.access(1), access_shape=(3,), compute_shape=(5,)
    )
    np.testing.assert_array_equal(outer(xs), xs)
    assert len(depth) == 5
    for name in ("matmul", "countdown"):
        ta.remove_accelerator(name)


def test_accelerators_from_threads(vector_add):
    program = add()
    xs = random(8)
    results = []

    def work():
        for _ in range(20):
            results.append(np.array_equal(program(xs, xs), 2 * xs))
            ta.accelerators()
            ta.accelerator("vector-add")(lambda a, b: a + b)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == [True] * 80


def test_accelerators_are_let_go():
    class Model:
        def __call__(self, x):
            return x

    model = Model()
    gone = weakref.ref(model)
    ta.accelerator("temporary")(model)
    del model
    gc.collect()
    assert gone() is not None
    ta.remove_accelerator("temporary")
    gc.collect()
    assert gone() is None


def test_accelerator_errors(vector_add):
    xs = random(8)
    ta.remove_accelerator("vector-add")
    with pytest.raises(
        ta.Error, match="there is no functional model of accelerator 'vector-add'"
    ):
        add()(xs, xs)
    for model, text in (
        (
            lambda a, b: 1 / 0,
            "the model of accelerator 'vector-add' raised ZeroDivisionError: division by zero",
        ),
        (lambda a: a, "the model of accelerator 'vector-add' raised TypeError: "),
        (lambda a, b: "x", "raised Error: the result has element type"),
        (lambda a, b: a[:4], "8"),
        (lambda a, b: a.astype(np.float64), "f"),
    ):
        ta.accelerator("vector-add")(model)
        with pytest.raises(ta.Error, match=text) as e:
            add()(xs, xs)
        assert "test_accelerators.py" in str(e.value)
    p = ta.input((3, 5)).access(2)
    ta.accelerator("vector-add")(lambda a: a[0])
    call = ta.accelerator_call("vector-add", p, access_shape=(3, 5), compute_shape=())
    with pytest.raises(ta.Error, match="returned 1 dimensions, expected 2"):
        call(random(3, 5))
    with pytest.raises(ta.Error):
        add()(xs, xs, engine="jit")
    fails("an accelerator needs a name", ta.accelerator, "")
    fails(
        "the model of accelerator 'x' must be a function, got int",
        ta.accelerator("x"),
        3,
    )
