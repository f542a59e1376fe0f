# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Access programs written in Python: what numpy says they compute, and errors."""

import gc
import inspect
import pathlib
import xml.etree.ElementTree as ElementTree

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

import tensoraccess as ta
from access_programs import RNG, fails, matmul, random
from tensoraccess import _native

ENGINES = ["interpret", "jit"]


# Programs that people write.


@pytest.mark.parametrize("engine", ENGINES)
def test_matmul(engine):
    m = matmul()
    assert (m.shape, m.access_shape, m.compute_shape) == ((3, 7), (3, 7), ())
    assert m.dtype == "float32" and m.op == "compute"
    assert repr(m) == "<Access 3x7 | f32>"
    assert [x.name for x in m.inputs] == ["a", "b"]
    assert repr(m.inputs[0]) == "<Tensor 'a' 3x5xf32>"
    a, b = random(3, 5), random(5, 7)
    np.testing.assert_allclose(m(a, b, engine=engine), a @ b, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(m(b=b, a=a, engine=engine), m(a, b=b, engine=engine))


@pytest.mark.parametrize("engine", ENGINES)
def test_conv2d_and_im2col(engine):
    x, w = ta.input((1, 3, 8, 9)), ta.input((5, 3, 3, 3))
    windows = (
        x.access(1)
        .pad([0, 0, 1, 1], [0, 0, 1, 1])
        .windows([3, 3, 3], strides=[1, 2, 2])
    )
    assert windows.access_shape == (1, 1, 4, 5)
    conv = windows.cart_prod(w.access(1)).compute("dot_prod").squeeze(1)
    rows = windows.flatten().materialize()
    assert rows.shape == (20, 27)
    product = rows.cart_prod(w.access(1).flatten()).compute("dot_prod")
    im2col = product.reshape([1, 4, 5, 5], [])
    xs, ws = random(1, 3, 8, 9), random(5, 3, 3, 3)
    padded = np.pad(xs, [(0, 0), (0, 0), (1, 1), (1, 1)])
    expected = np.zeros((1, 4, 5, 5))
    for i in range(4):
        for j in range(5):
            window = padded[:, :, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3]
            expected[:, i, j] = np.einsum("nchw,ochw->no", window, ws)
    for p in (conv, im2col):
        np.testing.assert_allclose(p(xs, ws, engine=engine), expected, atol=1e-4)


@pytest.mark.parametrize("engine", ENGINES)
def test_pooling(engine):
    x = ta.input((7, 9), "f64")
    xs = random(7, 9, dtype=np.float64)
    windows = x.access(0).windows([2, 3], [2, 3])
    blocks = xs[:6].reshape(3, 2, 3, 3).transpose(0, 2, 1, 3)
    for kind, reduce in (("max", np.max), ("sum", np.sum), ("mean", np.mean)):
        got = windows.compute("reduce_" + kind)(xs, engine=engine)
        np.testing.assert_allclose(got, reduce(blocks, (2, 3)), rtol=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_softmax(engine):
    xs = random(4, 6)
    got = ta.input((4, 6)).access(1).compute("softmax")(xs, engine=engine)
    e = np.exp(xs - xs.max(1, keepdims=True))
    np.testing.assert_allclose(got, e / e.sum(1, keepdims=True), rtol=1e-5)


@pytest.mark.parametrize("engine", ENGINES)
def test_elementwise(engine):
    x, y = ta.input((3, 5)), ta.input((1, 5))
    p = x.access(2).pair(y.access(2).broadcast([3, 5], []))
    xs, ys = random(3, 5), random(1, 5)
    assert p.shape == (3, 5, 2)
    for kind, f in (("add", np.add), ("mul", np.multiply), ("div", np.divide)):
        np.testing.assert_array_equal(
            p.compute("elementwise_" + kind)(xs, ys, engine=engine), f(xs, ys)
        )
    one = x.access(1)
    np.testing.assert_array_equal(
        one.compute("relu")(xs, engine=engine), np.maximum(xs, 0)
    )
    np.testing.assert_array_equal(one.compute("negative")(xs, engine=engine), -xs)
    np.testing.assert_array_equal(
        one.compute("sqrt")(abs(xs), engine=engine), np.sqrt(abs(xs))
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_movement(engine):
    x = ta.input((3, 1, 5), "i32")
    xs = RNG.integers(-9, 9, (3, 1, 5), np.int32)
    p = x.access(1)
    moved = [
        (p.to_tensor(), xs),
        (p.transpose([2, 0, 1]), xs.transpose(2, 0, 1)),
        (p.pair(p), np.stack([xs, xs], 1)),
        (p.concat(p, p[:, :, 1:], axis=2), np.concatenate([xs, xs, xs[:, :, 1:]], 2)),
        (p.squeeze(1), xs[:, 0]),
        (p.insert_axis(1), xs[:, None]),
        (p.broadcast([3], [4, 5]), np.broadcast_to(xs, (3, 4, 5))),
        (p.flatten(), xs.reshape(3, 5)),
        (p.reshape([1, 3], [5]), xs.reshape(1, 3, 5)),
        (
            p.pad([1, 0, 0], [0, 0, 2], 7),
            np.pad(xs, [(1, 0), (0, 0), (0, 2)], constant_values=7),
        ),
        (p.pad([0] * 3, [0] * 3, interior=[0, 0, 1])[..., ::2], xs),
        (p.shift_right(), xs),
        (p.materialize(), xs),
        (p.slice([2, 0, 4], [3, 1, 2], [-1, 1, -3]), xs[::-1, :, 4:0:-3]),
        (p.windows([1, 3], dilations=[1, 2]).squeeze(1), xs[:, :, [0, 2, 4]][:, None]),
    ]
    for value, expected in moved:
        got = value(xs, engine=engine)
        assert got.dtype == np.int32 and got.shape == value.shape
        np.testing.assert_array_equal(got, expected, str(value))
    assert p.shift_right().access_shape == ()
    assert p.access(2).compute_shape == (5,)
    assert ta.access(p, 3).compute_shape == ()


@pytest.mark.parametrize("engine", ENGINES)
def test_slices_that_leave_the_pattern(engine):
    xs = random(3, 5)
    p = ta.input((3, 5)).access(1)
    for policy, mode in (("wrap", "wrap"), ("clamp", "edge"), ("pad(0.0)", "constant")):
        halo = p.slice([-1, 0], [5, 7], oob=[policy, "pad(0.0)"])
        expected = np.pad(np.pad(xs, [(0, 0), (0, 2)]), [(1, 1), (0, 0)], mode=mode)
        np.testing.assert_array_equal(halo(xs, engine=engine), expected)
        assert f"outside {policy}" in halo.svg()
    last = p.slice([-1, -2], [1, 2], oob=["negative", "negative"])
    np.testing.assert_array_equal(last(xs, engine=engine), xs[-1:, -2:])


def test_policies_that_are_wrong():
    p = ta.input((3, 5)).access(1)
    fails(
        "oob must be a list of policies as strings", p.slice, [0, 0], [3, 5], oob="wrap"
    )
    for wrong in (["wrap"], ["wrap", "round"], ["wrap", "pad"]):
        with pytest.raises(ta.Error, match="oob|polic|pad"):
            p.slice([0, 0], [3, 5], oob=wrong)


def test_laws_of_contraction():
    """pair over a broadcast batch is cart_prod where nothing is shared."""
    a, b = ta.input((3, 5)), ta.input((7, 5))
    left = a.access(1).insert_axis(1).broadcast([3, 7], [5])
    right = b.access(1).insert_axis(0).broadcast([3, 7], [5])
    xs, ys = random(3, 5), random(7, 5)
    np.testing.assert_array_equal(
        left.pair(right).compute("dot_prod")(xs, ys),
        a.access(1).cart_prod(b.access(1)).compute("dot_prod")(xs, ys),
    )


# Indexing as numpy's.


@st.composite
def indices(draw, shape):
    """An index that numpy takes too, with no integers outside."""
    count = draw(st.integers(0, len(shape)))
    key = []
    for size in shape[:count]:
        bound = st.none() | st.integers(-size - 2, size + 2)
        step = st.none() | st.integers(-3, 3).filter(bool)
        key.append(
            draw(st.integers(-size, size - 1) | st.builds(slice, bound, bound, step))
        )
    for _ in range(draw(st.integers(0, 2))):
        key.insert(draw(st.integers(0, len(key))), None)
    if draw(st.booleans()):
        key.append(Ellipsis)
    return tuple(key)


@hypothesis.given(indices((4, 3, 5)), st.integers(0, 3))
def test_indexing_is_numpys(key, split):
    xs = np.arange(60, dtype=np.int64).reshape(4, 3, 5)
    p = ta.from_numpy(xs).access(split)[key]
    np.testing.assert_array_equal(p(), xs[key])
    assert p.shape == xs[key].shape


def test_indexing_moves_the_split_with_its_dimensions():
    p = ta.input((4, 3, 5)).access(2)
    assert (p[0].access_shape, p[0].compute_shape) == ((3,), (5,))
    assert (p[..., 0].access_shape, p[..., 0].compute_shape) == ((4, 3), ())
    assert p[None].access_shape == (1, 4, 3)
    assert p[:] is p


def test_indexing_errors():
    p = ta.input((4, 3)).access(1)
    for key in (4, -5):
        with pytest.raises(ta.Error, match="dimension 0"):
            p[key]
    fails("an index of 3 entries does not fit 2 dimensions", lambda: p[0, 0, 0])
    fails("an index has at most one '...'", lambda: p[..., ...])
    fails("index 1 must be an integer, got 'x'", lambda: p[0, "x"])
    fails("step of index 0 must not be 0", lambda: p[::0])
    fails("stop of index 0 must be an integer, got 1.5", lambda: p[:1.5])
    d = ta.input((None, 3)).access(1)
    text = "dimension 0 is dynamic and takes slices 'start:' and 'start::step' of numbers from its beginning"
    for key in (slice(None, 2), slice(-1, None), slice(None, None, -1)):
        fails(text, lambda: d[key])
    fails(
        "dimension 0 is dynamic and takes no index from its end, got -1", lambda: d[-1]
    )
    xs = random(5, 3)
    np.testing.assert_array_equal(d[1::2](xs), xs[1::2])
    np.testing.assert_array_equal(d[2](xs), xs[2])


# Element types.


@pytest.mark.parametrize(
    "short,dtype",
    [
        ("f16", "float16"),
        ("f32", "float32"),
        ("f64", "float64"),
        ("i1", "bool"),
        ("i8", "int8"),
        ("i16", "int16"),
        ("i32", "int32"),
        ("i64", "int64"),
    ],
)
def test_element_types_round_trip(short, dtype):
    xs = RNG.integers(0, 2, (3, 5)).astype(dtype)
    for spelling in (
        short,
        dtype,
        np.dtype(dtype),
        getattr(np, dtype if dtype != "bool" else "bool_"),
    ):
        x = ta.input((3, 5), spelling)
        assert x.dtype == dtype
    for engine in ENGINES:
        got = x.access(1).transpose([1, 0])(xs, engine=engine)
        assert got.dtype == xs.dtype
        np.testing.assert_array_equal(got, xs.T)
    constant = ta.from_numpy(xs.T)
    assert constant.dtype == dtype
    np.testing.assert_array_equal(constant(), xs.T)


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    xs = random(3, 5).astype(ml_dtypes.bfloat16)
    x = ta.input((3, 5), ml_dtypes.bfloat16)
    got = x.access(1).compute("negative")(xs)
    assert got.dtype == xs.dtype
    np.testing.assert_array_equal(got, -xs)
    np.testing.assert_array_equal(ta.from_numpy(xs)(), xs)


def test_accumulators():
    xs = RNG.integers(-128, 127, (3, 50)).astype(np.int8)
    p = ta.input((3, 50), "i8").access(1)
    wide = p.pair(p).compute("dot_prod", accumulator="i32")
    assert wide.dtype == "int32"
    np.testing.assert_array_equal(wide(xs), (xs.astype(np.int32) ** 2).sum(1))
    assert p.compute("reduce_sum", accumulator=np.int64).dtype == "int64"
    fails(
        "unknown element type 'uint8', expected one of i1, i8, i16, i32, i64, f16, bf16, f32, f64",
        p.compute,
        "dot_prod",
        accumulator=np.uint8,
    )


def test_pad_values():
    p = ta.input((2,), "i8").access(1)
    xs = np.array([1, 2], np.int8)
    np.testing.assert_array_equal(p.pad([1], [0], -128)(xs), [-128, 1, 2])
    np.testing.assert_array_equal(p.pad([1], [0], np.int8(3))(xs), [3, 1, 2])
    fails("a value of 'i8' must be an integer, got 5.000000e-01", p.pad, [1], [0], 0.5)
    fails("value 300 does not fit in 'i8'", p.pad, [1], [0], 300)
    fails("value must be a number, got 'zero'", p.pad, [1], [0], "zero")
    f = ta.input((2,), "f32").access(1)
    ys = np.array([1, 2], np.float32)
    got = f.pad([1], [1], float("-inf"))(ys)
    np.testing.assert_array_equal(got, [-np.inf, 1, 2, -np.inf])


# Looking at programs, and what they are made of.


def test_text_and_modules():
    m = matmul()
    text = str(m)
    assert 'tensoraccess.name = "a"' in text
    assert "tensoraccess.cart_prod %" in text and "return %" in text
    module = m.module("product")
    assert [(f.name, f.inputs, f.results) for f in module.functions] == [
        ("product", ["tensor<3x5xf32>", "tensor<5x7xf32>"], ["tensor<3x7xf32>"])
    ]
    a, b = random(3, 5), random(5, 7)
    np.testing.assert_array_equal(module.interpret("product")(a, b), m(a, b))
    forms = m.module().access_forms()["main"]
    assert [f.op for f in forms][:2] == ["tensoraccess.access"] * 2


def test_programs_of_several_results():
    a, b = ta.input((3, 5), name="a"), ta.input((3, 5), name="b")
    both = ta.program(
        a.access(1).compute("reduce_sum"),
        a,
        a.access(0).transpose([1, 0]),
        inputs=[b, a],
        name="f",
    )
    xs, ys = random(3, 5), random(3, 5)
    for run in (both.interpret("f"), both.compile("f")):
        total, same, turned = run(ys, xs)
        np.testing.assert_allclose(total, xs.sum(1), rtol=1e-5)
        np.testing.assert_array_equal(same, xs)
        np.testing.assert_array_equal(turned, xs.T)
    fails("a program needs a result", ta.program)
    fails("result 0 must be a value of a program, got int", ta.program, 3)
    fails("input 0 is not an input: make it with ta.input", ta.program, a, inputs=[3])
    fails("input 1 is listed twice", ta.program, a, inputs=[a, a])
    fails(
        "the program reads an input 'a' that is not among its inputs",
        ta.program,
        a,
        inputs=[b],
    )


def test_terms_that_are_shared_are_computed_once():
    x = ta.input((2,))
    value = x.access(0)
    for _ in range(40):
        value = value.pair(value).compute("elementwise_add")
    assert str(value).count("elementwise_add") == 40
    np.testing.assert_array_equal(
        value(np.ones(2, np.float32)), np.full(2, 2.0**40, np.float32)
    )


def test_long_chains():
    value = ta.input((2, 3)).access(1)
    for _ in range(20000):
        value = value.materialize()
    assert value.inputs[0].shape == (2, 3)
    del value  # Not by recursion.
    gc.collect()


def test_locations_are_those_of_the_python_file():
    line = inspect.currentframe().f_lineno + 1
    x = ta.input((None, 2)).access(2).compute("sqrt")
    text = x.module().asm(locations=True)
    assert f'{pathlib.Path(__file__).name}":{line}:0' in text


def test_values_are_terms():
    a = ta.input((3,), name="a")
    assert a.inputs == [a] and len({a, *a.inputs}) == 1
    assert a != ta.input((3,), name="a") and a != 3
    assert ta.from_numpy(np.zeros(3)).op == "constant" and a.op == "input"
    assert ta.from_numpy([1.0, 2.0]).shape == (2,)
    assert ta.from_numpy(2.5).shape == ()
    assert repr(ta.from_numpy(np.float32(2))) == "<Tensor f32>"
    assert repr(a.access(0)) == "<Access | 3xf32>"


def test_constants_are_copied():
    xs = random(3)
    constant = ta.access(xs, 0)
    before = xs.copy()
    xs[:] = 0
    np.testing.assert_array_equal(constant(), before)
    got = constant()
    got[:] = 1
    np.testing.assert_array_equal(constant(), before)


def test_results_of_the_interpreter_are_copies():
    xs = random(3, 5)
    before = xs.copy()
    got = ta.input((3, 5)).access(1).to_tensor()(xs)
    got[:] = 0
    np.testing.assert_array_equal(xs, before)
    strided = random(6, 5)[::2]
    np.testing.assert_array_equal(ta.input((3, 5)).access(0)(strided), strided)


# Errors, at the call that is wrong, with the verifier's text.


def test_verifier_errors():
    x = ta.input((3, 5))
    p = x.access(1)
    other = ta.input((3, 4)).access(1)
    for text, call in {
        "access axis must lie in [0, 2], got 3": lambda: x.access(3),
        "perm must be a permutation of 2 dimensions, got [0, 0]": lambda: p.transpose(
            [0, 0]
        ),
        "compute shapes must be equal, got [5] and [4]": lambda: p.cart_prod(other),
        "access shapes must be equal, got [3] and [3, 5]": lambda: p.pair(p.access(2)),
        "dimension 1 of all concat operands must be equal, got 5 and 4": lambda: p.concat(
            other, axis=0
        ),
        "concat axis must lie in [0, 1], got 2": lambda: p.concat(other, axis=2),
        "concat needs at least one operand, got 0": lambda: ta.concat([], 0),
        "slice of dimension 0 must stay inside [0, 3), got places 0 to 3": lambda: p.slice(
            [0, 0], [4, 5]
        ),
        "stride of dimension 0 must not be 0": lambda: p.slice([0, 0], [3, 5], [0, 1]),
        "window of 6 with dilation 1 does not fit in compute dimension 0 of size 5": (
            lambda: p.windows([6])
        ),
        "strides entry 0 must be positive, got 0": lambda: p.windows([2], [0]),
        "squeezed dimension 0 must have size 1, got 3": lambda: p.squeeze(0),
        "squeeze axis must lie in [0, 1], got -1": lambda: p.squeeze(-1),
        "inserted axis must lie in [0, 2], got 3": lambda: p.insert_axis(3),
        "'tensoraccess.broadcast' op dimension 0 must keep its size or grow from 1 "
        "to a static size, got 3 and 4": lambda: p.broadcast([4], [5]),
        "'tensoraccess.reshape' op access shapes must have equally many elements, "
        "got 3 (3) and 4 (4)": lambda: p.reshape([4], [5]),
        "low entry 0 must be non-negative, got -1": lambda: p.pad([-1, 0], [0, 0]),
        "low must have one entry per dimension, 2, got 1": lambda: p.pad([0], [0]),
        "the shift must lie in [0, 1], got 2": lambda: p.shift_right(2),
        "dot_prod needs a tuple axis, got an empty compute shape": lambda: p.access(
            2
        ).compute("dot_prod"),
        "relu has no accumulator, got 'f64'": lambda: p.compute(
            "relu", accumulator="f64"
        ),
        "sqrt needs elements of a float type, got 'i32'": lambda: ta.input(
            (2, 3), "i32"
        )
        .access(1)
        .compute("sqrt"),
        "activations must have compute shape [4], got [5]": lambda: p.systolic_array(
            ta.input((5, 7)).access(0), 4, 7
        ),
        "'tensoraccess.accelerator_call' op the accelerator's name must not be empty": (
            lambda: ta.accelerator_call("", p, access_shape=[], compute_shape=[])
        ),
    }.items():
        fails(text, call)
    # What was wrong leaves no trace.
    np.testing.assert_array_equal(p(np.ones((3, 5), np.float32)), np.ones((3, 5)))


def test_argument_errors():
    x = ta.input((3, 5))
    p = x.access(1)
    fails("axis must be an integer, got '1'", x.access, "1")
    fails(f"axis must fit in 64 bits, got {2**70}", x.access, 2**70)
    fails("perm must be a list of integers, got int", p.transpose, 1)
    fails("perm 1 must be an integer, got 1.5", p.transpose, [0, 1.5])
    fails(
        "'tensoraccess.pair' takes a value of a program as operand 1, got int",
        p.pair,
        3,
    )
    fails(
        "'tensoraccess.pair' takes an access pattern as operand 1, got a tensor",
        p.pair,
        x,
    )
    fails("unknown kind of compute 'dot'", p.compute, "dot")
    fails("kind must be a string, got 3", p.compute, 3)
    fails("shape must be a list of sizes, got int", ta.input, 3)
    fails("size 1 must not be negative, got -2", ta.input, (3, -2))
    fails(
        "unknown element type 'complex64', expected one of i1, i8, i16, i32, i64, f16, bf16, f32, f64",
        ta.input,
        (3,),
        np.complex64,
    )
    fails("name must be a string, got 3", ta.input, (3,), name=3)
    fails(
        "name must be a string, got 3",
        ta.accelerator_call,
        3,
        p,
        access_shape=[],
        compute_shape=[],
    )
    fails(
        "an accelerator without operands needs a dtype",
        ta.accelerator_call,
        "z",
        access_shape=[],
        compute_shape=[],
    )
    with pytest.raises(
        ta.Error, match="a constant has element type uint8, expected one of i1"
    ):
        ta.from_numpy(np.zeros(3, np.uint8))


def test_ops_that_the_dialect_lacks():
    with pytest.raises(ta.Error, match="'tilt' is not an op whose type follows"):
        _native.make_term("tilt", [], [], None, "", 0)


def test_call_errors():
    m = matmul()
    a, b = random(3, 5), random(5, 7)
    fails("engine must be 'interpret' or 'jit', got 'gpu'", m, a, b, engine="gpu")
    fails("'main' takes 2 inputs, got 1", m, a)
    fails("no input is named 'c', the names are 'a', 'b'", m, a, c=b)
    fails("input 'a' is given twice", m, a, a=b)
    fails("input 'b' is missing", m, a=a)
    for engine in ENGINES:
        fails("input 1 has shape 3x5, expected 5x7", m, a, a, engine=engine)
        with pytest.raises(ta.Error, match="input 0 has element type"):
            m(a.astype(np.float64), b, engine=engine)
    twice = ta.input((2,), name="x").access(1).pair(ta.input((2,), name="x").access(1))
    fails("more than one input is named 'x', the names are 'x', 'x'", twice, x=a)
    fails(
        "input 0 is missing",
        ta.input((2,)).access(1).pair(ta.input((2,), name="x").access(1)),
        x=a,
    )


def test_dynamic_shapes():
    x = ta.input((None, 3))
    m = x.access(1).cart_prod(x.access(1)).compute("dot_prod")
    assert m.shape == (None, None)
    assert repr(m) == "<Access ?x? | f32>"
    for n in (1, 4):
        for engine in ENGINES:
            xs = random(n, 3)
            np.testing.assert_allclose(
                m(xs, engine=engine), xs @ xs.T, rtol=1e-5, atol=1e-6
            )
    # What only the arrays tell is an error where it is run.
    y = ta.input((None, 3))
    pair = x.access(1).pair(y.access(1))
    with pytest.raises(ta.Error, match="test_access.py"):
        pair(random(2, 3), random(4, 3))


def test_systolic_array():
    a, w = ta.input((3, 5)), ta.input((5, 7))
    p = a.access(1).systolic_array(w.access(0), 5, 7)
    assert (p.access_shape, p.compute_shape) == ((3, 7), ())
    xs, ws = random(3, 5), random(5, 7)
    for engine in ENGINES:
        np.testing.assert_allclose(
            p(xs, ws, engine=engine), xs @ ws, rtol=1e-5, atol=1e-6
        )
    blocks = a.access(1).systolic_array(w.access(0), 2, 4, blocked=True)
    assert (blocks.access_shape, blocks.compute_shape) == ((3, 7), ())
    for engine in ENGINES:
        np.testing.assert_allclose(
            blocks(xs, ws, engine=engine), xs @ ws, rtol=1e-5, atol=1e-6
        )


# Pictures and Glenside.


def test_svg():
    m = matmul()
    text = m.svg()
    root = ElementTree.fromstring(text)
    words = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "cart_prod" in words and "compute" in words
    assert "a" in words and "b" in words  # The names of the inputs.
    assert m._repr_svg_() == text == m.module().to_svg()
    x = ta.input((3,))
    with pytest.raises(
        ta.Error, match="no function here has an op of dialect tensoraccess to draw"
    ):
        x.svg()
    assert x._repr_svg_() is None


GLENSIDE = """\
; a: 3x5xf64
; b: 5x7xf64
(compute dot-product
  (access-cartesian-product
    (access (access-tensor a) 1)
    (access-transpose (access (access-tensor b) 1) (list 1 0))))
"""


def test_glenside(tmp_path):
    path = tmp_path / "matmul.glenside"
    path.write_text(GLENSIDE)
    a, b = random(3, 5, dtype=np.float64), random(5, 7, dtype=np.float64)
    for source in (GLENSIDE, GLENSIDE.encode(), path, str(path)):
        module = ta.Module.from_glenside(source)
        np.testing.assert_allclose(module.interpret()(a, b), a @ b)
    back = ta.Module.from_glenside(module.to_glenside())
    assert str(back) == str(module)
    ours = ta.Module.from_glenside(matmul(dtype="f64").module().to_glenside())
    np.testing.assert_array_equal(ours.interpret()(a, b), module.interpret()(a, b))


def test_glenside_errors(tmp_path):
    with pytest.raises(ta.Error, match=r"<text>:2:\d+: error: "):
        ta.Module.from_glenside("; a: 3x5xf64\n(access (access-tensor a) 3)")
    fails(
        f"cannot open '{tmp_path}/none': no such file or directory",
        ta.Module.from_glenside,
        tmp_path / "none",
    )
    fails(
        "a Glenside program is text, bytes or a path, got int",
        ta.Module.from_glenside,
        3,
    )
    with pytest.raises(ta.Error, match="Glenside has no term"):
        p = ta.input((3, 5)).access(1)[:, ::-1]
        p.module().to_glenside()


# Modules are interpreted, too.


def test_interpret():
    module = ta.Module(
        "func.func @f(%x: tensor<?xf32>) -> (tensor<?xf32>, f32) {\n"
        "  %c = arith.constant 2.0 : f32\n"
        "  %y = math.exp %x : tensor<?xf32>\n"
        "  return %y, %c : tensor<?xf32>, f32\n}"
    )
    run = module.interpret("f")
    assert run.name == "f" and repr(run) == (
        "<Executable @f(float32[?]) -> (float32[?], float32[])>")  # fmt: skip
    assert run.inputs == [ta.ArrayType("tensor", "float32", (None,))]
    assert run.results[1] == ta.ArrayType("scalar", "float32", ())
    xs = random(4)
    y, c = run(xs)
    np.testing.assert_allclose(y, np.exp(xs), rtol=1e-6)
    assert c == 2 and c.shape == ()
    with pytest.raises(ta.Error, match="there is no function 'g' with a body; known are f"):
        module.interpret("g")
    fails("input 0 has shape 4x1, expected ?", run, xs[:, None])
