# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantised sums of tosa, with zero points, against the definition in numpy: raised,
compiled, and on an array that multiplies bytes."""

import numpy as np
import pytest

import tensoraccess as ta


def subtract(operand, point):
    return operand.astype(np.int64) - point


def pad(image, amounts):
    """Padding is nothing: 0, once the zero point is subtracted."""
    top, bottom, left, right = amounts
    return np.pad(image, [(0, 0), (top, bottom), (left, right), (0, 0)])


def windows(image, kernel, strides, dilations):
    """(n, y, x, ky, kx, c) of an image (n, h, w, c)."""
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    view = np.lib.stride_tricks.sliding_window_view(image, spans, (1, 2))
    view = view[:, ::strides[0], ::strides[1], :, ::dilations[0], ::dilations[1]]
    return view.transpose(0, 1, 2, 4, 5, 3)


def conv2d(x, w, pads, strides, dilations):
    return np.einsum("nyxklc,oklc->nyxo",
                     windows(pad(x, pads), w.shape[1:3], strides, dilations), w)


def depthwise_conv2d(x, w, pads, strides, dilations):
    out = np.einsum("nyxklc,klcm->nyxcm",
                    windows(pad(x, pads), w.shape[:2], strides, dilations), w)
    return out.reshape(*out.shape[:3], -1)


def transpose_conv2d(x, w, pads, strides, dilations):
    n, height, width, _ = x.shape
    kernel = w.shape[1:3]
    out = np.zeros((n, (height - 1) * strides[0] + kernel[0],
                    (width - 1) * strides[1] + kernel[1], w.shape[0]), np.int64)
    for y in range(height):
        for z in range(width):
            out[:, y * strides[0]:y * strides[0] + kernel[0],
                z * strides[1]:z * strides[1] + kernel[1]] += np.einsum(
                    "nc,oklc->nklo", x[:, y, z], w)
    return pad(out, pads)


def matmul(x, w, pads, strides, dilations):
    return x @ w


OPS = (conv2d, depthwise_conv2d, transpose_conv2d, matmul)


def text_of(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def constant(name, point):
    return (f'  {name} = "tosa.const"() <{{values = dense<{point}> : tensor<1xi8>}}>'
            " : () -> tensor<1xi8>\n")


def draw(seed):
    rng = np.random.default_rng(seed)
    op = OPS[seed % len(OPS)]
    points = [int(rng.integers(-128, 128)) if rng.integers(3) else 0 for _ in range(2)]
    kernel, strides = rng.integers(1, 4, 2), [int(s) for s in rng.integers(1, 3, 2)]
    dilations = [int(d) for d in rng.integers(1, 3, 2)]
    pads = [int(p) for p in rng.integers(0, 3, 4)]
    n, c, o = (int(size) for size in rng.integers(1, 4, 3))
    if op is matmul:
        shapes = [(n, c, 2 * o), (n, 2 * o, int(kernel[0]))]
    elif op is transpose_conv2d:
        shapes = [(n, 4, 3, c), (o, *kernel, c)]
    else:
        # Sizes that strides divide, as tosa wants them.
        size = [places * stride + (k - 1) * d + 1 - pads[2 * i] - pads[2 * i + 1]
                for i, (places, stride, k, d) in
                enumerate(zip((4, 5), strides, kernel, dilations))]
        pads = [p if min(size) > 0 else 0 for p in pads]
        size = [places * stride + (k - 1) * d + 1 - pads[2 * i] - pads[2 * i + 1]
                for i, (places, stride, k, d) in
                enumerate(zip((4, 5), strides, kernel, dilations))]
        shapes = [(n, *size, c), (o, *kernel, c) if op is conv2d else (*kernel, c, o)]
    x, w = (rng.integers(-128, 128, shape, np.int8) for shape in shapes)
    wanted = op(subtract(x, points[0]), subtract(w, points[1]), pads, strides, dilations)
    inputs = [x, w]
    if op is not matmul:
        inputs.append(rng.integers(-9, 9, wanted.shape[-1], np.int32))
        wanted = wanted + inputs[-1]
    types = [text_of(one.shape, "i32" if one.dtype == np.int32 else "i8") for one in inputs]
    result = text_of(wanted.shape, "i32")
    numbers = {conv2d: "pad", depthwise_conv2d: "pad", transpose_conv2d: "out_pad"}
    attributes = ""
    if op is not matmul:
        attributes = (f" {{acc_type = i32, {numbers[op]} = array<i64: {str(pads)[1:-1]}>, "
                      f"stride = array<i64: {str(strides)[1:-1]}>")
        if op is not transpose_conv2d:
            attributes += f", dilation = array<i64: {str(dilations)[1:-1]}>"
        attributes += "}"
    names = [f"%a{i}" for i in range(len(inputs))]
    arguments = ", ".join(f"{name}: {of}" for name, of in zip(names, types))
    text = (f"func.func @main({arguments}) -> {result} {{\n"
            + constant("%p", points[0]) + constant("%q", points[1])
            + f"  %0 = tosa.{op.__name__} {', '.join(names)}, %p, %q{attributes}"
            + f" : ({', '.join(types)}, tensor<1xi8>, tensor<1xi8>) -> {result}\n"
            + f"  return %0 : {result}\n}}\n")
    return text, inputs, wanted.astype(np.int32)


@pytest.mark.parametrize("seed", range(48))
def test_zero_points(seed):
    text, inputs, wanted = draw(seed)
    raised = ta.Module(text).run("tensoraccess-raise,canonicalize")
    assert not any(f"tosa.{op.__name__}" in str(raised) for op in OPS)
    mapped = raised.run("tensoraccess-map-to-systolic{rows=8 cols=4}")
    for module in (raised, mapped):
        assert np.array_equal(module.interpret("main")(*inputs), wanted)
    if seed < 12:
        assert np.array_equal(raised.compile("main")(*inputs), wanted)
    if OPS[seed % len(OPS)] is conv2d:
        assert "accumulator = i32" in str(mapped) and "systolic_array" in str(mapped)


def test_a_dynamic_shape_stays():
    """Its sums are broadcast to a shape, which must be known."""
    types = "tensor<1x?x5xi8>, tensor<1x5x7xi8>"
    text = ("func.func @main(%a: tensor<1x?x5xi8>, %b: tensor<1x5x7xi8>)"
            " -> tensor<1x?x7xi32> {\n" + constant("%p", 3)
            + f"  %0 = tosa.matmul %a, %b, %p, %p : ({types}, tensor<1xi8>, tensor<1xi8>)"
            " -> tensor<1x?x7xi32>\n  return %0 : tensor<1x?x7xi32>\n}\n")
    raised = ta.Module(text).run("tensoraccess-raise")
    remarks = "\n".join(map(str, raised.diagnostics))
    assert "its zero points are not 0 and its shape is dynamic" in remarks
    assert "tosa.matmul" in str(raised)
