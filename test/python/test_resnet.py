# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ResNet-50: what its ops read, and a convolution from model to numbers."""

import itertools

import numpy as np
import pytest

import tensoraccess as ta


@pytest.fixture(scope="module")
def model(resnet50):
    return ta.Module(resnet50)


def test_every_op_has_an_answer(model):
    indexing = model.indexing()
    assert set(indexing) == {f.name for f in model.functions}
    ops = [op for answers in indexing.values() for op in answers]
    assert len(ops) > 1000
    assert [op for op in ops if op.reason] == []
    for op in ops:
        for operands in op.output_to_input:
            for maps in operands:
                assert all(isinstance(m, ta.IndexingMap) for m in maps)


def test_the_first_convolution(model):
    conv = next(op for op in model.indexing()["main"] if "conv_2d" in op.name)
    assert conv.name == "linalg.conv_2d_nhwc_hwcf"
    assert "resnet50.linalg.mlir:" in conv.location
    ((image,), (filters,), _) = conv.output_to_input[0]
    assert [v.upper for v in image.dims] == [0, 111, 111, 63]
    # Output (5, 7) of a 7x7 window with stride 2 reads 10…16 by 14…20.
    read = {
        tuple(image.evaluate([0, 5, 7, 3], s))
        for s in itertools.product(range(7), range(7), range(3))
    }
    assert read == set(itertools.product([0], range(10, 17), range(14, 21), range(3)))
    assert filters.evaluate([0, 5, 7, 3], [1, 2, 0]) == [1, 2, 0, 3]
    ((back,),) = conv.input_to_output[0]
    # And input (0, 0) is read only for output (0, 0), of every filter.
    reached = {
        tuple(r)
        for s in itertools.product(*(range(v.lower, v.upper + 1) for v in back.symbols))
        if (r := back.evaluate([0, 0, 0, 0], s))
    }
    assert reached == {(0, 0, 0, f) for f in range(64)}


def test_calls_are_composed_through(model):
    calls = [op for op in model.indexing()["main"] if op.name == "func.call"]
    assert calls and all(op.reason is None for op in calls)
    for op in calls:
        ((maps,),) = op.output_to_input
        assert all(m.is_identity for m in maps)


def test_the_indexing_of_a_function():
    mod = ta.Module(
        """
        func.func @main(%x: tensor<3x5xf32>) -> tensor<5x3xf32> {
          %e = tensor.empty() : tensor<5x3xf32>
          %0 = linalg.transpose ins(%x : tensor<3x5xf32>)
                 outs(%e : tensor<5x3xf32>) permutation = [1, 0]
          %1 = call @twice(%0) : (tensor<5x3xf32>) -> tensor<5x3xf32>
          return %1 : tensor<5x3xf32>
        }
        func.func private @twice(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
          %0 = arith.addf %x, %x : tensor<5x3xf32>
          return %0 : tensor<5x3xf32>
        }"""
    )
    main = mod.function_indexing()
    assert main.name == "main" and main.reason is None
    assert [str(m) for m in main.output_to_input[0][0]] == [
        "(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 2]"
    ]
    with pytest.raises(ta.Error, match="there is no function 'f' with a body; known are"):
        mod.function_indexing("f")


def test_unknown_ops_have_a_reason():
    mod = ta.Module(
        "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n"
        '  %0 = "other.op"(%a) : (tensor<3xf32>) -> tensor<3xf32>\n'
        "  return %0 : tensor<3xf32>\n}"
    )
    (op,) = mod.indexing()["main"]
    assert op.name == "other.op" and op.location == "<text>:2:8"
    assert op.reason == "unregistered operation"
    ((maps,),) = op.output_to_input
    assert [m.is_unknown for m in maps] == [True]
    assert repr(op) == "<OpIndexing of other.op at <text>:2:8, unknown: unregistered operation>"


def test_the_annotation_says_the_same(model):
    text = str(model.run("tensoraccess-annotate-indexing{direction=output-to-input}"))
    conv = next(op for op in model.indexing()["main"] if "conv_2d" in op.name)
    for (m,) in conv.output_to_input[0]:
        assert f"#tensoraccess.indexing_map<{m}>" in text


def reference_conv(image, filters, stride, pad):
    """NHWC by HWCF in double precision, one window position at a time."""
    image = np.pad(image, [(0, 0), (pad, pad), (pad, pad), (0, 0)]).astype(np.float64)
    h, w, _, f = filters.shape
    rows = (image.shape[1] - h) // stride + 1
    cols = (image.shape[2] - w) // stride + 1
    out = np.zeros((image.shape[0], rows, cols, f))
    for i, j in itertools.product(range(h), range(w)):
        window = image[:, i : i + stride * rows : stride, j : j + stride * cols : stride]
        out += window[:, :rows, :cols] @ filters[i, j].astype(np.float64)
    return out


@pytest.mark.parametrize("index, stride, pad", [(0, 2, 3), (2, 1, 1)])
def test_a_layer_from_model_to_numbers(model, index, stride, pad):
    """extract -> raise -> im2col -> compile, against numpy and the plain way."""
    layer = model.run(
        f"tensoraccess-extract-op{{op=linalg.conv_2d_nhwc_hwcf index={index}}}"
    )
    raised = layer.run("tensoraccess-raise")
    assert "tensoraccess.windows" in str(raised)
    assert "linalg.conv_2d" not in str(raised)
    matmul = raised.run("tensoraccess-discover-im2col")
    assert "tensoraccess.flatten" in str(matmul)
    assert any("im2col" in d.message for d in matmul.diagnostics)

    plain, ours = layer.compile(), matmul.compile()
    assert plain.inputs == ours.inputs
    rng = np.random.default_rng(index)
    image, filters = (
        rng.uniform(-1, 1, t.shape).astype(np.float32) for t in ours.inputs
    )
    result = ours(image, filters)
    expected = reference_conv(image, filters, stride, pad)
    assert result.shape == expected.shape and result.dtype == np.float32
    # The bound on the error of a sum of n products, each at most 1.
    n = filters[..., 0].size
    bound = n * np.finfo(np.float32).eps * n
    assert np.abs(result - expected).max() < bound
    assert np.abs(plain(image, filters) - expected).max() < bound
