# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX networks by from_onnx, against ONNX Runtime's numbers."""

import numpy as np
import pytest

import tensoraccess as ta

onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
pytest.importorskip("torch_mlir", reason="the package torch-mlir is not installed")
runtime = pytest.importorskip(
    "onnxruntime", reason="the package onnxruntime is not installed"
)
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

RNG = np.random.default_rng(20)


def weight(name, *shape):
    scale = 1 / np.sqrt(np.prod(shape[1:]) or 1)
    return numpy_helper.from_array(
        RNG.uniform(-scale, scale, shape).astype(np.float32), name
    )


def ints(name, *values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


def model(nodes, inputs, outputs, weights=(), types=None):
    types = types or {}

    def value(name, shape):
        return helper.make_tensor_value_info(
            name, types.get(name, TensorProto.FLOAT), shape
        )

    graph = helper.make_graph(
        [
            helper.make_node(op, i.split(), o.split(), **attributes)
            for op, i, o, attributes in nodes
        ],
        "a graph",
        [value(n, s) for n, s in inputs.items()],
        [value(n, s) for n, s in outputs.items()],
        list(weights),
    )
    made = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9
    )
    onnx.checker.check_model(made)
    return made


def mlp():
    return model(
        [
            ("Gemm", "x w b", "h", {"transB": 1}),
            ("Relu", "h", "r", {}),
            ("Gemm", "r v", "l", {}),
            ("Softmax", "l", "y", {"axis": -1}),
        ],
        {"x": ["n", 20]},
        {"y": ["n", 5]},
        [weight("w", 33, 20), weight("b", 33), weight("v", 33, 5)],
    )


def convolutions():
    return model(
        [
            ("Conv", "x w b", "c", {"pads": [1, 1, 1, 1], "strides": [2, 2]}),
            ("BatchNormalization", "c s t m v", "n", {}),
            ("Relu", "n", "r", {}),
            ("MaxPool", "r", "p", {"kernel_shape": [3, 3], "strides": [2, 2]}),
            ("GlobalAveragePool", "p", "g", {}),
            ("Flatten", "g", "f", {}),
            ("Gemm", "f u", "y", {}),
        ],
        {"x": [2, 3, 17, 15]},
        {"y": [2, 7]},
        [
            weight("w", 8, 3, 3, 3), weight("b", 8), weight("s", 8), weight("t", 8),
            weight("m", 8), numpy_helper.from_array(np.full(8, 0.7, np.float32), "v"),
            weight("u", 8, 7),
        ],
    )  # fmt: skip


def depthwise():
    return model(
        [
            ("Conv", "x w", "d", {"group": 6, "dilations": [2, 2]}),
            ("Clip", "d lo hi", "c", {}),
            ("Conv", "c v", "y", {}),
        ],
        {"x": [1, 6, 9, 11]},
        {"y": [1, 4, 5, 7]},
        [
            weight("w", 6, 1, 3, 3), weight("v", 4, 6, 1, 1),
            numpy_helper.from_array(np.float32(0), "lo"),
            numpy_helper.from_array(np.float32(0.5), "hi"),
        ],
    )  # fmt: skip


def attention():
    return model(
        [
            ("MatMul", "x wq", "q", {}),
            ("MatMul", "x wk", "k", {}),
            ("MatMul", "x wv", "v", {}),
            ("Transpose", "k", "kt", {"perm": [0, 2, 1]}),
            ("MatMul", "q kt", "s", {}),
            ("Mul", "s scale", "z", {}),
            ("Softmax", "z", "p", {"axis": -1}),
            ("MatMul", "p v", "a", {}),
            ("Add", "a x", "r", {}),
            ("LayerNormalization", "r g b", "y", {"axis": -1, "epsilon": 1e-5}),
        ],
        {"x": [2, 7, 16]},
        {"y": [2, 7, 16]},
        [
            weight("wq", 16, 16), weight("wk", 16, 16), weight("wv", 16, 16),
            numpy_helper.from_array(np.float32(0.25), "scale"),
            weight("g", 16), weight("b", 16),
        ],
    )  # fmt: skip


def upsampling():
    return model(
        [
            ("ConvTranspose", "x w", "t", {"strides": [2, 2], "pads": [1, 1, 1, 1]}),
            ("LeakyRelu", "t", "l", {"alpha": 0.1}),
            ("AveragePool", "l", "y", {"kernel_shape": [2, 2], "strides": [2, 2]}),
        ],
        {"x": [1, 3, 5, 6]},
        {"y": [1, 4, 5, 6]},
        [weight("w", 3, 4, 4, 4)],
    )


def embedding():
    return model(
        [
            ("Gather", "table ids", "e", {"axis": 0}),
            ("ReduceMean", "e", "m", {"axes": [1], "keepdims": 0}),
            ("MatMul", "m w", "y", {}),
        ],
        {"ids": [3, 5]},
        {"y": [3, 4]},
        [weight("table", 11, 8), weight("w", 8, 4)],
        {"ids": TensorProto.INT64},
    )


def pieces():
    return model(
        [
            ("Split", "x sizes", "a b", {"axis": 1}),
            ("Sigmoid", "a", "s", {}),
            ("Tanh", "b", "t", {}),
            ("Concat", "t s x", "c", {"axis": 1}),
            ("Slice", "c from to axes steps", "l", {}),
            ("Reshape", "l shape", "y", {}),
        ],
        {"x": [3, 10]},
        {"y": [5, 6]},
        [
            ints("sizes", 4, 6), ints("from", 0), ints("to", 20), ints("axes", 1),
            ints("steps", 2), ints("shape", 5, -1),
        ],
    )  # fmt: skip


def norms():
    return model(
        [
            ("InstanceNormalization", "x g b", "i", {}),
            ("Elu", "i", "e", {}),
            ("Erf", "e", "f", {}),
            ("ReduceSum", "f axes", "y", {"keepdims": 1}),
        ],
        {"x": [2, 4, 6, 5]},
        {"y": [2, 4, 1, 1]},
        [weight("g", 4), weight("b", 4), ints("axes", 2, 3)],
    )


def choices():
    return model(
        [
            ("Greater", "x z", "m", {}),
            ("Where", "m x z", "w", {}),
            ("Pad", "w pads", "p", {}),
            ("ArgMax", "p", "y", {"axis": 1, "keepdims": 0}),
        ],
        {"x": [4, 6]},
        {"y": [4]},
        [
            numpy_helper.from_array(np.zeros((1, 6), np.float32), "z"),
            ints("pads", 0, 2, 0, 1),
        ],
        {"y": TensorProto.INT64},
    )


def einsum():
    return model(
        [
            ("Einsum", "x w", "h", {"equation": "bij,jk->bik"}),
            ("Exp", "h", "e", {}),
            ("Log", "e", "l", {}),
            ("Pow", "l two", "y", {}),
        ],
        {"x": [2, 3, 4]},
        {"y": [2, 3, 5]},
        [weight("w", 4, 5), numpy_helper.from_array(np.float32(2), "two")],
    )


def sorting():
    return model(
        [("CumSum", "x one", "s", {}), ("TopK", "s k", "y i", {"axis": 1})],
        {"x": [7, 20]},
        {"y": [7, 3]},
        [numpy_helper.from_array(np.int64(1), "one"), ints("k", 3)],
    )


def recurrent():
    return model(
        [("LSTM", "x w r b", "o h y", {"hidden_size": 20})],
        {"x": [5, 2, 10]},
        {"y": [1, 2, 20]},
        [weight("w", 1, 80, 10), weight("r", 1, 80, 20), weight("b", 1, 160)],
    )


NETWORKS = [
    mlp, convolutions, depthwise, attention, upsampling, embedding, pieces, norms,
    choices, einsum, sorting, recurrent,
]  # fmt: skip


def arguments(made, n=3):
    for value in made.graph.input:
        shape = [d.dim_value or n for d in value.type.tensor_type.shape.dim]
        if value.type.tensor_type.elem_type == TensorProto.INT64:
            yield RNG.integers(0, 11, shape)
        else:
            yield RNG.standard_normal(shape).astype(np.float32)


def expected(made, args):
    session = runtime.InferenceSession(
        made.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    names = [i.name for i in session.get_inputs()]
    return session.run(None, dict(zip(names, args)))[0]


def agree(got, want):
    assert got.shape == want.shape and got.dtype == want.dtype
    if want.dtype != np.float32:
        np.testing.assert_array_equal(got, want)
        return
    # Sums run in another order: ulps of the largest element.
    ulp = np.spacing(np.abs(want).max())
    assert np.abs(got.astype(np.float64) - want).max() <= 16 * ulp


@pytest.mark.parametrize("make", NETWORKS, ids=lambda f: f.__name__)
def test_network(make):
    made = make()
    args = list(arguments(made))
    program = ta.from_onnx(made)
    want = expected(made, args)
    agree(program.compile()(*args), want)
    agree(program.interpret()(*args), want)


@pytest.mark.parametrize("n", [1, 2, 7])
def test_open_sizes(n):
    made = mlp()
    args = list(arguments(made, n))
    want = expected(made, args)
    program = ta.from_onnx(made)
    assert "?x20xf32" in program.functions[0].inputs[0]
    agree(program.compile()(*args), want)
    fixed = ta.from_onnx(made, sizes={"n": n})
    assert f"tensor<{n}x20xf32>" in fixed.functions[0].inputs[0]
    agree(fixed.compile()(*args), want)


def test_sources(tmp_path):
    made = mlp()
    path = tmp_path / "mlp.onnx"
    onnx.save(made, path)
    texts = {str(ta.from_onnx(s)) for s in (made, path, str(path), path.read_bytes())}
    assert len(texts) == 1


def test_weights_are_resources():
    made = model(
        [("MatMul", "x w", "m", {}), ("Gather", "m ids", "y", {"axis": 1})],
        {"x": [2, 300]},
        {"y": [2, 1, 200]},
        [weight("w", 300, 300), numpy_helper.from_array(RNG.integers(0, 300, (1, 200)), "ids")],
    )
    program = ta.from_onnx(made)
    text = program.asm(generic=True)
    assert "dense_resource<weight_0> : tensor<300x300xf32>" in text
    assert "dense_resource<weight_1> : tensor<1x200xi64>" in text
    assert program.functions[0].inputs == ["tensor<2x300xf32>"]
    args = list(arguments(made))
    agree(program.compile()(*args), expected(made, args))
    agree(program.interpret()(*args), expected(made, args))
    # Bytecode holds them.
    again = ta.Module(program.bytecode())
    np.testing.assert_array_equal(again.compile()(*args), program.compile()(*args))


def test_weights_of_old_models_and_other_types():
    # Before version 4, initializers are also inputs.
    for kind in (np.float64, np.float16):
        w = numpy_helper.from_array(RNG.uniform(-1, 1, (40, 40)).astype(kind), "w")
        made = model([("Mul", "x w", "y", {})], {"x": [40, 40]}, {"y": [40, 40]}, [w],
                     dict.fromkeys("xy", w.data_type))  # fmt: skip
        made.ir_version = 3
        made.graph.input.insert(
            0, helper.make_tensor_value_info("w", w.data_type, w.dims)
        )
        program = ta.from_onnx(made)
        assert len(program.functions[0].inputs) == 1
        x = RNG.standard_normal((40, 40)).astype(kind)
        got = program.compile()(x)
        np.testing.assert_array_equal(got, x * numpy_helper.to_array(w))


@pytest.mark.parametrize("make", [pieces, norms, embedding], ids=lambda f: f.__name__)
def test_lists_of_integers_are_known(make, monkeypatch):
    # Sizes and axes are not weights, whatever their number.
    monkeypatch.setattr("tensoraccess._import._WEIGHT_BYTES", 1)
    made = make()
    args = list(arguments(made))
    agree(ta.from_onnx(made).compile()(*args), expected(made, args))


@pytest.mark.parametrize(
    "source, message",
    [
        ("no-such.onnx", "cannot open 'no-such.onnx': no such file"),
        (b"\x00nonsense", "this is not an ONNX model"),
    ],
)
def test_refused(source, message):
    with pytest.raises(ta.Error, match=message):
        ta.from_onnx(source)


def test_weight_of_another_size():
    made = mlp()
    made.graph.initializer[0].raw_data = b"1234"
    with pytest.raises(ta.Error, match="not valid: initializer 'w'.*reshape"):
        ta.from_onnx(made)


def test_unknown_size_and_op():
    with pytest.raises(ta.Error, match="no size named 'batch'"):
        ta.from_onnx(mlp(), sizes={"batch": 3})
    graph = helper.make_graph(
        [helper.make_node("Mystery", ["x"], ["y"], domain="some.where")],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])],
    )
    made = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("some.where", 1)],
    )
    with pytest.raises(ta.Error, match="Mystery"):
        ta.from_onnx(made)
