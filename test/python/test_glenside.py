# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Glenside programs: the types they get, the numbers they give, the way back."""

import json
import pathlib
import re
import subprocess

import numpy as np
import pytest

CASES = pathlib.Path(__file__).resolve().parents[1] / "Cases"


def tool(root, name):
    return str(root / "build" / "bin" / name)


@pytest.fixture(scope="session")
def translate(root):
    """`translate(flag, text)`: the finished process."""

    def run(flag, text):
        return subprocess.run(
            [tool(root, "tensoraccess-translate"), flag],
            input=text,
            capture_output=True,
            text=True,
        )

    return run


@pytest.fixture
def interpret(root, translate, tmp_path):
    """`interpret(program, results, name=array, …)`: the results' arrays, by the
    interpreter, read as text and once more after the way out and in."""

    def run_module(module, inputs, results):
        (tmp_path / "p.mlir").write_text(module)
        for i, array in enumerate(inputs):
            np.save(tmp_path / f"in{i}.npy", array)
        outputs = [tmp_path / f"out{i}.npy" for i in range(results)]
        command = [tool(root, "tensoraccess-run"), str(tmp_path / "p.mlir")]
        command += ["--entry=main", "--engine=interpret"]
        command += ["--outputs=" + ",".join(map(str, outputs))]
        if inputs:
            names = [str(tmp_path / f"in{i}.npy") for i in range(len(inputs))]
            command += ["--inputs=" + ",".join(names)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [np.load(o) for o in outputs]

    def run(program, results=1, back=True, **tensors):
        text = "".join(
            f"; {name.replace('_', '-')}: {tensor_type(array)}\n"
            for name, array in tensors.items()
        )
        read = translate("--import-glenside", text + program + "\n")
        assert read.returncode == 0, read.stderr
        values = run_module(read.stdout, list(tensors.values()), results)
        if back:
            written = translate("--export-glenside", read.stdout)
            assert written.returncode == 0, written.stderr
            again = translate("--import-glenside", written.stdout)
            assert again.returncode == 0, again.stderr
            for x, y in zip(
                values, run_module(again.stdout, list(tensors.values()), results)
            ):
                np.testing.assert_array_equal(x, y)
        return values if results > 1 else values[0]

    return run


def tensor_type(array):
    kinds = {"float64": "f64", "float32": "f32", "int32": "i32", "int64": "i64"}
    return "x".join([*map(str, array.shape), kinds[str(array.dtype)]])


def cases(name):
    lines = (CASES / f"{name}.jsonl").read_text().splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def program_of(case):
    shapes = case.get("shapes") or {
        name: tensor["shape"] for name, tensor in case.get("env", {}).items()
    }
    lines = [
        f"; {name}: {'x'.join([*map(str, shape), 'f64'])}"
        for name, shape in shapes.items()
    ]
    return "\n".join([*lines, case["program"], ""])


def access_type(expect):
    sizes = "x".join(map(str, expect["shape"]))
    items = "x".join([*map(str, expect["item_shape"]), "f64"])
    return f"!tensoraccess.access<{sizes}{' ' if sizes else ''}| {items}>"


def assert_refused(done, text):
    """An error at a place within the program, and nothing written."""
    assert done.returncode != 0
    place = re.match(r"<stdin>:(\d+):(\d+): error: ", done.stderr)
    assert place, done.stderr
    line = text.splitlines()[int(place[1]) - 1]
    assert 1 <= int(place[2]) <= len(line)
    assert done.stdout == ""


@pytest.mark.parametrize("case", cases("access_shape_inference"))
def test_types(translate, case):
    text, expect = program_of(case), case["expect"]
    done = translate("--import-glenside", text)
    # What Glenside fails to check is refused, too.
    if "error" in expect or case["lax"]:
        assert_refused(done, text)
        return
    assert done.returncode == 0, done.stderr
    found = re.findall(r"to_tensor %\w+ : (.*) -> ", done.stdout)
    if expect["kind"] == "access":
        assert found[-1] == access_type(expect)
    elif expect["kind"] == "tuple":
        assert found == [access_type(e) for e in expect["elems"]]
    elif expect["kind"] == "shape":
        sizes = expect["shape"]
        assert f"-> tensor<{len(sizes)}xi64>" in done.stdout
    else:
        assert expect["kind"] == "literal"
        assert "-> tensor<f64>" in done.stdout


@pytest.mark.parametrize("case", cases("access_interpreter_numeric"))
def test_numbers(translate, interpret, case):
    text, expect = program_of(case), case["expect"]
    if "error" in expect:
        assert_refused(translate("--import-glenside", text), text)
        return
    tensors = {
        name: np.array(tensor["data"], np.float64).reshape(tensor["shape"])
        for name, tensor in case["env"].items()
    }
    if expect["kind"] == "access":
        result = interpret(case["program"], **tensors)
        assert list(result.shape) == expect["shape"]
        np.testing.assert_allclose(result.ravel(), expect["data"], rtol=1e-12)
    elif expect["kind"] == "shape":
        shape = interpret(case["program"], back=False, **tensors)
        assert list(shape) == expect["shape"]
    else:
        sizes, items = interpret(case["program"], 2, back=False, **tensors)
        assert [*sizes, *items] == expect["shape"]
        assert len(sizes) == expect["access_axis"]


@pytest.mark.parametrize(
    "case",
    [*cases("access_rewrite_reachability"), *cases("access_rewrite_unsound_probes")],
)
def test_programs_to_rewrite(translate, case):
    done = translate("--import-glenside", program_of(case))
    assert done.returncode == 0, done.stderr
    if "root" in case["expect"]:
        found = re.findall(r"to_tensor %\w+ : (.*) -> ", done.stdout)
        assert found[-1] == access_type(case["expect"]["root"])


# ===----------------------------------------------------------------------===#
# Published programs and constructs, against numpy
# ===----------------------------------------------------------------------===#


@pytest.fixture
def random():
    generator = np.random.default_rng(7)

    def make(*shape):
        return generator.integers(-4, 5, shape).astype(np.float64)

    return make


def conv2d(image, filters, strides=(1, 1), groups=1):
    """NCHW times OIHW, without padding."""
    n, c, h, w = image.shape
    o, share, kh, kw = filters.shape
    rows, cols = (h - kh) // strides[0] + 1, (w - kw) // strides[1] + 1
    out = np.zeros((n, o, rows, cols))
    for f in range(o):
        first = f // (o // groups) * share
        for y in range(rows):
            for x in range(cols):
                window = image[
                    :,
                    first : first + share,
                    y * strides[0] : y * strides[0] + kh,
                    x * strides[1] : x * strides[1] + kw,
                ]
                out[:, f, y, x] = (window * filters[f]).sum(axis=(1, 2, 3))
    return out


def test_three_layers(interpret, random):
    program = """
      (compute dot-product (access-cartesian-product (access
        (compute dot-product (access-cartesian-product (access
          (compute dot-product (access-cartesian-product
            (access (access-tensor input) 0)
            (access-transpose (access (access-tensor w0) 1) (list 1 0)))) 0)
          (access-transpose (access (access-tensor w1) 1) (list 1 0)))) 0)
        (access-transpose (access (access-tensor w2) 1) (list 1 0))))"""
    x, w = random(6), [random(6, 5), random(5, 4), random(4, 3)]
    result = interpret(program, input=x, w0=w[0], w1=w[1], w2=w[2])
    np.testing.assert_array_equal(result, x @ w[0] @ w[1] @ w[2])


def test_conv2d_nhwc(interpret, random):
    program = """
      (access-transpose (compute dot-product (access-cartesian-product
        (access (access-transpose (access (access-tensor weights) 0)
                                  (list 3 0 1 2)) 1)
        (access (access-squeeze (access-windows
          (access-pad (access-pad (access (access-tensor image) 1)
                                  zero-padding 1 1 1) zero-padding 2 1 1)
          (shape-remove-axis (shape-of weights) 3) (shape 1 1 1)) 3) 3)))
        (list 1 2 3 0))"""
    image, weights = random(1, 6, 5, 3), random(3, 3, 3, 4)
    expected = conv2d(
        np.pad(image, ((0, 0), (1, 1), (1, 1), (0, 0))).transpose(0, 3, 1, 2),
        weights.transpose(3, 2, 0, 1),
    ).transpose(0, 2, 3, 1)
    result = interpret(program, image=image, weights=weights)
    np.testing.assert_array_equal(result, expected)


def test_max_pooling(interpret, random):
    program = """
      (compute reduce-max (access-windows (access (access-tensor a) 2)
        (shape 2 3) (shape 2 1)))"""
    a = random(2, 3, 6, 5)
    expected = np.lib.stride_tricks.sliding_window_view(a, (2, 3), (2, 3))
    np.testing.assert_array_equal(
        interpret(program, a=a), expected[:, :, ::2].max(axis=(4, 5))
    )


def test_systolic_blocking(interpret, random):
    program = """
      (systolic-array-with-blocking 2 3
        (access (access-tensor a) 1) (access (access-tensor b) 0))"""
    a, b = random(4, 6), random(6, 9)
    np.testing.assert_array_equal(interpret(program, a=a, b=b), a @ b)


@pytest.mark.parametrize("layout", ["nchw-oihw", "nhwc-hwio"])
def test_systolic_convolution(interpret, random, layout):
    data, weights = random(1, 4, 7, 6), random(6, 4, 3, 2)
    expected = conv2d(data, weights, (2, 1))
    if layout == "nhwc-hwio":
        data, weights = data.transpose(0, 2, 3, 1), weights.transpose(2, 3, 1, 0)
        expected = expected.transpose(0, 2, 3, 1)
    program = f"""
      (systolic-array-conv2d-{layout}-with-blocking 2 3
        (access-tensor weights) (access-tensor data) 3 2 2 1)"""
    result = interpret(
        program, weights=weights.copy(), data=data.copy()
    )
    np.testing.assert_array_equal(result, expected)


def test_shift_right_and_pair(interpret, random):
    a, b = random(2, 3), random(2, 3)
    program = """
      (compute dot-product (access-pair
        (access-shift-right (access-tensor a))
        (access-shift-right (access-tensor b))))"""
    np.testing.assert_array_equal(interpret(program, a=a, b=b), (a * b).sum(axis=1))


def test_equal_terms_are_one_op(translate):
    done = translate(
        "--import-glenside",
        "; a: 4xf32\n(compute elementwise-add (access-pair "
        "(compute relu (access-tensor a)) (compute relu (access-tensor a))))\n",
    )
    assert done.stdout.count("compute relu") == 1


def test_large_integers_keep_their_bits(interpret):
    value = 4768251991492332785
    result = interpret(
        f"(access-tensor (constant-tensor {value} (shape 2)))",
        x=np.zeros((), np.int64),
    )
    assert result.tolist() == [value, value]


def test_depth_costs_no_stack(translate):
    depth = 50000
    text = (
        "; a: 4xf32\n"
        + "(compute relu " * depth
        + "(access-tensor a)"
        + ")" * depth
        + "\n"
    )
    done = translate("--import-glenside", text)
    assert done.returncode == 0, done.stderr[:1000]
    assert done.stdout.count("compute relu") == depth


# ===----------------------------------------------------------------------===#
# Relay operators
# ===----------------------------------------------------------------------===#


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


UNARY = {
    "relay-relu": lambda x: np.maximum(x, 0),
    "relay-negative": np.negative,
    "relay-tanh": np.tanh,
    "relay-sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relay-copy": lambda x: x,
}


@pytest.mark.parametrize("name", UNARY)
def test_relay_unary(interpret, random, name):
    x = random(3, 4)
    result = interpret(
        f"(relay-operator-call {name} (access-tensor x))",
        back=name not in ("relay-tanh", "relay-sigmoid"),
        x=x,
    )
    # Sums, quotients and powers of libm and numpy: some ulps.
    np.testing.assert_array_max_ulp(result, UNARY[name](x), 6)


BINARY = {
    "relay-add": np.add,
    "relay-multiply": np.multiply,
    "relay-divide": np.divide,
    "relay-maximum": np.maximum,
    "relay-minimum": np.minimum,
}


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((4, 1, 3), (2, 1)), ((3,), ())])
def test_relay_binary(interpret, random, name, shapes):
    a, b = random(*shapes[0]), np.asarray(random(*shapes[1]))
    b[b == 0] = 2
    result = interpret(
        f"(relay-operator-call {name} (access-tensor a) (access-tensor b))", a=a, b=b
    )
    np.testing.assert_array_equal(result, BINARY[name](a, b))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_relay_softmax(interpret, random, axis):
    x = random(3, 4)
    for name, expected in [
        ("relay-softmax", softmax(x, axis)),
        ("relay-log-softmax", np.log(softmax(x, axis))),
    ]:
        result = interpret(
            f"(relay-operator-call {name} (access-tensor x) {axis})", back=False, x=x
        )
        np.testing.assert_allclose(result, expected, rtol=1e-10)


def test_relay_norms(interpret, random):
    x, vectors = random(2, 3, 4), [random(3), random(3), random(3), abs(random(3))]
    result = interpret(
        "(relay-operator-call relay-batch-norm-inference (access-tensor x) "
        "(access-tensor g) (access-tensor b) (access-tensor m) (access-tensor v) 1 "
        "(literal 0.001))",
        x=x,
        g=vectors[0],
        b=vectors[1],
        m=vectors[2],
        v=vectors[3],
    )
    g, b, m, v = (vector[:, None] for vector in vectors)
    expected = (x - m) / np.sqrt(v + 0.001) * g + b
    np.testing.assert_allclose(result, expected, rtol=1e-12)
    gamma, beta = random(4), random(4)
    result = interpret(
        "(relay-operator-call relay-layer-norm (access-tensor x) "
        "(access-tensor g) (access-tensor b))",
        x=x,
        g=gamma,
        b=beta,
    )
    mean, var = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    expected = (x - mean) / np.sqrt(var + 1e-5) * gamma + beta
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize("pad", [(0, 0, 0, 0), (1, 0, 2, 1)])
def test_relay_pools(interpret, random, layout, pad):
    x = random(1, 2, 6, 7)
    sides = ((0, 0), (0, 0), (pad[0], pad[2]), (pad[1], pad[3]))
    view = np.lib.stride_tricks.sliding_window_view
    low = np.pad(x, sides, constant_values=-100)
    greatest = view(low, (3, 2), (2, 3))[:, :, ::2, ::1].max(axis=(4, 5))
    total = view(np.pad(x, sides), (3, 2), (2, 3))[:, :, ::2].sum(axis=(4, 5))
    number = view(np.pad(x * 0 + 1, sides), (3, 2), (2, 3))[:, :, ::2].sum(axis=(4, 5))
    tensor = x if layout == "nchw" else x.transpose(0, 2, 3, 1).copy()
    for name, expected in [
        ("relay-max-pool2d", greatest),
        ("relay-avg-pool2d", total / number),
    ]:
        if layout == "nhwc":
            expected = expected.transpose(0, 2, 3, 1)
        result = interpret(
            f"(relay-operator-call {name} (access-tensor x) (shape 3 2) (shape 2 1) "
            f"(shape {' '.join(map(str, pad))}) relay-activation-layout-{layout})",
            x=tensor,
        )
        np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_relay_conv2d(interpret, random, groups):
    x, w = random(1, 4, 6, 5), random(8, 4 // groups, 3, 2)
    result = interpret(
        "(relay-operator-call relay-conv2d (access-tensor x) (access-tensor w) "
        f"(shape 2 1) (shape 1 0 1 1) {groups} 8 (shape 3 2) "
        "relay-activation-layout-nchw relay-kernel-layout-oihw)",
        x=x,
        w=w,
    )
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (0, 1)))
    np.testing.assert_array_equal(result, conv2d(padded, w, (2, 1), groups))


def test_relay_conv2d_channels_last(interpret, random):
    x, w = random(2, 6, 5, 3), random(3, 2, 3, 4)
    result = interpret(
        "(relay-operator-call relay-conv2d (access-tensor x) (access-tensor w) "
        "(shape 1 2) (shape 0 0 0 0) 1 4 (shape 3 2) "
        "relay-activation-layout-nhwc relay-kernel-layout-hwio)",
        x=x,
        w=w,
    )
    expected = conv2d(x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), (1, 2))
    np.testing.assert_array_equal(result, expected.transpose(0, 2, 3, 1))


def test_relay_conv1d(interpret, random):
    x, w = random(2, 3, 8), random(4, 3, 3)
    result = interpret(
        "(relay-operator-call relay-conv1d (access-tensor x) (access-tensor w) "
        "(shape 2) (shape 1 0))",
        x=x,
        w=w,
    )
    padded = np.pad(x, ((0, 0), (0, 0), (1, 0)))
    expected = conv2d(padded[:, :, None], w[:, :, None], (1, 2))[:, :, 0]
    np.testing.assert_array_equal(result, expected)


def test_relay_contractions(interpret, random):
    x, w = random(3, 5), random(4, 5)
    result = interpret(
        "(relay-operator-call relay-dense (access-tensor x) (access-tensor w))",
        x=x,
        w=w,
    )
    np.testing.assert_array_equal(result, x @ w.T)
    a, b = random(2, 3, 5), random(2, 4, 5)
    result = interpret(
        "(relay-operator-call relay-batch-matmul (access-tensor a) (access-tensor b))",
        a=a,
        b=b,
    )
    np.testing.assert_array_equal(result, a @ b.transpose(0, 2, 1))


MOVEMENT = [
    ("relay-batch-flatten (access-tensor x)", lambda x: x.reshape(2, 12)),
    ("relay-reshape (access-tensor x) (shape 4 6)", lambda x: x.reshape(4, 6)),
    ("relay-transpose (access-tensor x) (list 2 0 1)", lambda x: x.transpose(2, 0, 1)),
    ("relay-expand-dims (access-tensor x) -1 2", lambda x: x[..., None, None]),
    ("relay-expand-dims (access-tensor x) 1 1", lambda x: x[:, None]),
    (
        "relay-pad (access-tensor x) (shape 1 0 0 2 0 0)",
        lambda x: np.pad(x, ((1, 0), (0, 2), (0, 0))),
    ),
    (
        "relay-strided-slice (access-tensor x) (shape 0 1 0) (shape 2 3 4) "
        "(shape 1 1 3)",
        lambda x: x[:, 1:3, ::3],
    ),
    (
        "relay-concatenate 1 (construct-tuple (access-tensor x) (access-tensor x))",
        lambda x: np.concatenate([x, x], axis=1),
    ),
    (
        "relay-stack (access-tensor x) (access-tensor x) -1",
        lambda x: np.stack([x, x], axis=-1),
    ),
    ("relay-mean (access-tensor x) 1", lambda x: x.mean(axis=1)),
    (
        "relay-clip (access-tensor x) (literal -1.5) (literal 2)",
        lambda x: x.clip(-1.5, 2),
    ),
    (
        "relay-leaky-relu (access-tensor x) (literal 0.25)",
        lambda x: np.where(x > 0, x, 0.25 * x),
    ),
    (
        "relay-squeeze (relay-operator-call relay-expand-dims (access-tensor x) 0 2) "
        "(list 0 1)",
        lambda x: x,
    ),
    ("relay-cast (access-tensor x) float32", lambda x: x.astype(np.float32)),
    ("relay-cast (access-tensor x) int32", lambda x: x.astype(np.int32)),
    ("relay-zeros (shape 2 2)", lambda x: np.zeros((2, 2))),
]


@pytest.mark.parametrize("call,expected", MOVEMENT, ids=[m[0] for m in MOVEMENT])
def test_relay_movement(interpret, random, call, expected):
    x = random(2, 3, 4)
    back = "strided" not in call and "cast" not in call
    result = interpret(f"(relay-operator-call {call})", back=back, x=x)
    np.testing.assert_allclose(result, expected(x), rtol=1e-12)
    assert result.dtype == expected(x).dtype


def test_relay_upsampling_and_split(interpret, random):
    x = random(1, 2, 3, 4)
    result = interpret(
        "(relay-operator-call relay-upsampling (access-tensor x) (literal 2.0) "
        "(literal 3.0) relay-activation-layout-nchw)",
        x=x,
    )
    np.testing.assert_array_equal(result, x.repeat(2, axis=2).repeat(3, axis=3))
    parts = interpret(
        "(relay-operator-call relay-split (access-tensor x) (list 1 3) 3)", 3, x=x
    )
    for part, expected in zip(parts, np.split(x, [1, 3], axis=3)):
        np.testing.assert_array_equal(part, expected)


def test_relay_take_clips(interpret, random):
    data = random(3, 4, 5)
    indices = np.array([[0, 3, -2], [9, 1, 2]], np.float64)
    result = interpret(
        "(relay-operator-call relay-take (access-tensor data) "
        "(access-tensor indices) 1)",
        back=False,
        data=data,
        indices=indices,
    )
    expected = np.take(data, indices.astype(int), axis=1, mode="clip")
    np.testing.assert_array_equal(result, expected)


def test_accelerator_call_keeps_its_configuration(translate):
    text = (
        "; x: 2x8xf32\n; w: 4x8xf32\n"
        "(accelerator-call flex-linear (access-tensor x) (access-tensor w))\n"
    )
    done = translate("--import-glenside", text)
    assert 'accelerator_call "flex-linear"' in done.stdout
    assert "!tensoraccess.access<2x4 | f32>" in done.stdout
    assert translate("--export-glenside", done.stdout).stdout == text
