# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A NaN shows what is read: where one element of an input is made NaN, every
result that changes must be one whose map reads the element. Where every element
that is read goes into arithmetic, the results that are NaN are exactly those."""

import re

import numpy as np
import pytest

import tensoraccess as ta


def tensor(*shape, type_="f32"):
    return f"tensor<{''.join(f'{n}x' for n in shape)}{type_}>"


def hlo(name, operands, result, attributes="", region=""):
    """A function of one op."""
    names = [f"%a{i}" for i in range(len(operands))]
    return f"""func.func @main({', '.join(f'{n}: {t}' for n, t in zip(names, operands))}) -> {result} {{
  %r = "stablehlo.{name}"({', '.join(names)}) <{{{attributes}}}> {region} : ({', '.join(operands)}) -> {result}
  return %r : {result}
}}"""


def conv(image, kernel, result, strides=1, padding="1, 1", base=1, dilation=1, reverse="false", features=1, batches=1):
    return hlo(
        "convolution",
        [tensor(*image), tensor(*kernel)],
        tensor(*result),
        f"""batch_group_count = {batches} : i64, feature_group_count = {features} : i64,
        dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
        window_strides = array<i64: {strides}>, padding = dense<[[{padding}]]> : tensor<1x2xi64>,
        lhs_dilation = array<i64: {base}>, rhs_dilation = array<i64: {dilation}>,
        window_reversal = array<i1: {reverse}>""",
    )


CONVOLUTIONS = {
    "padded": conv((1, 4, 1), (3, 1, 1), (1, 4, 1)),
    "features": conv((2, 5, 2), (3, 2, 3), (2, 5, 3)),
    "far padding": conv((1, 3, 1), (2, 1, 1), (1, 8, 1), padding="4, 2"),
    "negative padding": conv((1, 6, 1), (2, 1, 1), (1, 4, 1), padding="-2, 1"),
    "strided": conv((1, 7, 1), (3, 1, 2), (1, 4, 2), strides=2),
    "dilated": conv((1, 7, 1), (3, 1, 1), (1, 5, 1), dilation=2),
    "holes": conv((1, 4, 1), (3, 1, 1), (1, 7, 1), base=2),
    "holes, strided": conv((1, 5, 1), (4, 1, 1), (1, 6, 1), strides=2, base=3, dilation=1),
    "reversed": conv((1, 5, 1), (3, 1, 2), (1, 5, 2), reverse="true"),
    "groups": conv((1, 4, 4), (3, 2, 6), (1, 4, 6), features=2),
    "groups of batches": conv((4, 4, 1), (3, 1, 6), (2, 4, 6), batches=2),
}

ADD = """({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  })"""
MAX = ADD.replace("stablehlo.add", "stablehlo.maximum")
SCATTER = """({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%s) : (tensor<i1>) -> ()
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  })"""


def window(region, padding="[0, 0], [1, 2]", base=1, dilation=1, strides=1, out=7):
    return hlo(
        "reduce_window",
        [tensor(2, 6), tensor()],
        tensor(2, out),
        f"""padding = dense<[{padding}]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>,
        window_strides = array<i64: 1, {strides}>, base_dilations = array<i64: 1, {base}>,
        window_dilations = array<i64: 1, {dilation}>""",
        region,
    )


HLO = {
    "dot_general": hlo(
        "dot_general",
        [tensor(2, 3, 4), tensor(2, 4, 5)],
        tensor(2, 3, 5),
        """dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
        lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>""",
    ),
    "reduce": hlo("reduce", [tensor(3, 5), tensor()], tensor(3), "dimensions = array<i64: 1>", ADD),
    "reduce_max": hlo("reduce", [tensor(3, 5), tensor()], tensor(5), "dimensions = array<i64: 0>", MAX),
    "reduce_window": window(ADD),
    "reduce_window_max": window(MAX, strides=2, out=4),
    "reduce_window_holes": window(ADD, padding="[0, 0], [0, 0]", base=2, dilation=2, out=7),
    "add": hlo("add", [tensor(3, 5)] * 2, tensor(3, 5)),
    "select": hlo("select", [tensor(3, 5, type_="i1"), tensor(3, 5), tensor(3, 5)], tensor(3, 5)),
    "clamp": hlo("clamp", [tensor(), tensor(3, 5), tensor()], tensor(3, 5)),
    "pad": hlo(
        "pad",
        [tensor(3, 5), tensor()],
        tensor(4, 10),
        "edge_padding_low = array<i64: 1, -1>, edge_padding_high = array<i64: 0, 2>, interior_padding = array<i64: 0, 1>",
    ),
    "concatenate": hlo("concatenate", [tensor(3, 2), tensor(3, 0), tensor(3, 4)], tensor(3, 6), "dimension = 1 : i64"),
    "reverse": hlo("reverse", [tensor(3, 5)], tensor(3, 5), "dimensions = array<i64: 1>"),
    "slice": hlo(
        "slice",
        [tensor(3, 7)],
        tensor(2, 3),
        "start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 7>, strides = array<i64: 1, 3>",
    ),
    "broadcast": hlo("broadcast_in_dim", [tensor(3, 1)], tensor(2, 3, 5), "broadcast_dimensions = array<i64: 1, 2>"),
    "transpose": hlo("transpose", [tensor(3, 5, 2)], tensor(2, 3, 5), "permutation = array<i64: 2, 0, 1>"),
    "reshape": hlo("reshape", [tensor(3, 4)], tensor(2, 6)),
}

ZERO = '%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>'


def tosa(name, operands, result, attributes, points=2):
    names = [f"%a{i}" for i in range(len(operands))]
    zeros = [("%z", "tensor<1xf32>")] * points
    all_names = ", ".join(names + [n for n, _ in zeros])
    types = ", ".join(operands + [t for _, t in zeros])
    return f"""func.func @main({', '.join(f'{n}: {t}' for n, t in zip(names, operands))}) -> {result} {{
  {ZERO}
  %r = tosa.{name} {all_names} {{{attributes}}} : ({types}) -> {result}
  return %r : {result}
}}"""


CONV = "acc_type = f32, dilation = array<i64: 1, 2>, pad = array<i64: 1, 1, 0, 2>, stride = array<i64: 2, 1>"
POOL = "kernel = array<i64: 3, 2>, pad = array<i64: 1, 1, 0, 1>, stride = array<i64: 1, 1>"
TOSA = {
    "conv2d": tosa("conv2d", [tensor(1, 5, 5, 2), tensor(2, 3, 2, 2), tensor(2)], tensor(1, 3, 5, 2), CONV),
    "conv3d": tosa(
        "conv3d",
        [tensor(1, 3, 3, 2, 1), tensor(2, 3, 2, 1, 1), tensor(2)],
        tensor(1, 3, 3, 2, 2),
        "acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 1, 1, 0, 1, 0, 0>, stride = array<i64: 1, 1, 1>",
    ),
    "depthwise_conv2d": tosa(
        "depthwise_conv2d", [tensor(1, 5, 5, 2), tensor(3, 2, 2, 2), tensor(4)], tensor(1, 3, 5, 4), CONV
    ),
    "transpose_conv2d": tosa(
        "transpose_conv2d",
        [tensor(1, 3, 2, 1), tensor(2, 3, 2, 1), tensor(2)],
        tensor(1, 7, 3, 2),
        "acc_type = f32, out_pad = array<i64: 0, 0, -1, 1>, stride = array<i64: 2, 1>",
    ),
    "avg_pool2d": tosa("avg_pool2d", [tensor(1, 5, 4, 2)], tensor(1, 5, 4, 2), "acc_type = f32, " + POOL),
    "max_pool2d": tosa("max_pool2d", [tensor(1, 5, 4, 2)], tensor(1, 5, 4, 2), POOL, points=0),
    "matmul": tosa("matmul", [tensor(2, 3, 4), tensor(2, 4, 2)], tensor(2, 3, 2), ""),
    "reduce_sum": tosa("reduce_sum", [tensor(3, 5)], tensor(3, 1), "axis = 1 : i32", points=0),
    "clamp": tosa("clamp", [tensor(3, 5)], tensor(3, 5), "min_val = -0.5 : f32, max_val = 0.5 : f32", points=0),
}


def linalg(name, operands, result, attributes=""):
    names = [f"%a{i}" for i in range(len(operands))]
    return f"""func.func @main({', '.join(f'{n}: {t}' for n, t in zip(names, operands))}, %o: {result}) -> {result} {{
  %r = linalg.{name} {attributes} ins({', '.join(names)} : {', '.join(operands)}) outs(%o : {result}) -> {result}
  return %r : {result}
}}"""


STEPS = "{strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}"
LINALG = {
    "matmul": linalg("matmul", [tensor(3, 4), tensor(4, 5)], tensor(3, 5)),
    "conv_2d": linalg(
        "conv_2d_nhwc_hwcf", [tensor(1, 7, 5, 2), tensor(3, 2, 2, 3)], tensor(1, 3, 3, 3), STEPS
    ),
    "pooling_sum": linalg("pooling_nhwc_sum", [tensor(1, 7, 5, 2), tensor(3, 2)], tensor(1, 3, 3, 2), STEPS),
    "softmax": f"""func.func @main(%a: {tensor(3, 5)}, %o: {tensor(3, 5)}) -> {tensor(3, 5)} {{
  %r = linalg.softmax dimension(1) ins(%a : {tensor(3, 5)}) outs(%o : {tensor(3, 5)}) -> {tensor(3, 5)}
  return %r : {tensor(3, 5)}
}}""",
    "pad, conv": f"""func.func @main(%a: {tensor(1, 4, 4, 1)}, %w: {tensor(3, 3, 1, 1)}, %o: {tensor(1, 4, 4, 1)}) -> {tensor(1, 4, 4, 1)} {{
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %a low[0, 1, 1, 0] high[0, 1, 1, 0] {{
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %z : f32
  }} : {tensor(1, 4, 4, 1)} to {tensor(1, 6, 6, 1)}
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : {tensor(1, 6, 6, 1)}, {tensor(3, 3, 1, 1)}) outs(%o : {tensor(1, 4, 4, 1)}) -> {tensor(1, 4, 4, 1)}
  return %r : {tensor(1, 4, 4, 1)}
}}""",
    "pack": f"""func.func @main(%a: {tensor(5, 6)}, %o: {tensor(3, 2, 2, 3)}) -> {tensor(3, 2, 2, 3)} {{
  %z = arith.constant 0.0 : f32
  %r = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %o : {tensor(5, 6)} -> {tensor(3, 2, 2, 3)}
  return %r : {tensor(3, 2, 2, 3)}
}}""",
}


def get_pairs(maps, shapes):
    """reads[x, y]: the element y of the input is read for the result's x."""
    out, size = (int(np.prod(s)) for s in shapes)
    reads = np.zeros((out, size), bool)
    for one in maps:
        if one.is_unknown:
            return None
        if one.is_known_empty or not out or not size:
            continue
        values, valid = one.evaluate_all()
        box = np.indices(valid.shape).reshape(valid.ndim, -1)
        lows = [v.lower for v in (*one.dims, *one.symbols)]
        places = [b + lo for b, lo in zip(box[: len(one.dims)], lows)]
        valid = valid.reshape(-1)
        values = values.reshape(len(shapes[1]), valid.size)
        if not valid.any():
            continue

        def number(index, shape):
            if not shape:
                return np.zeros(valid.sum(), int)
            return np.ravel_multi_index([i[valid] for i in index], shape)

        reads[number(places, shapes[0]), number(values, shapes[1])] = True
    return reads


def poison(text, run, exact):
    module = ta.Module(text)
    result, types = re.search(r"-> tensor<([\dx]*)f32> {", text), []
    for found in re.findall(r"%\w+: tensor<([\dx]*)(\w+)>", text.split("->")[0]):
        types.append((tuple(int(n) for n in found[0].split("x") if n), found[1]))
    shape = tuple(int(n) for n in result.group(1).split("x") if n)
    rng = np.random.default_rng(0)
    inputs = [
        rng.uniform(-1, 1, s).astype(np.float32) if t == "f32" else rng.integers(0, 2, s).astype(bool) for s, t in types
    ]
    indexing = module.function_indexing()
    base = run(*inputs)
    assert base.shape == shape and not np.isnan(base).any()
    for operand, (size, type_) in enumerate(types):
        if type_ != "f32":
            continue
        reads = get_pairs(indexing.output_to_input[0][operand], (shape, size))
        backwards = get_pairs(indexing.input_to_output[operand][0], (size, shape))
        if reads is None:
            continue
        assert backwards is None or (backwards.T == reads).all()
        for element in range(int(np.prod(size))):
            poisoned = [a.copy() for a in inputs]
            poisoned[operand].reshape(-1)[element] = np.nan
            got = run(*poisoned)
            changed = (got.view(np.int32) != base.view(np.int32)).reshape(-1)
            assert not (changed & ~reads[:, element]).any(), (operand, element)
            if exact:
                assert (np.isnan(got).reshape(-1) == reads[:, element]).all(), (operand, element)


def engines(text):
    module = ta.Module(text)
    if "tosa" not in text:
        yield module.interpret("main")
    yield module.compile("main")
    raised = module.run("tensoraccess-raise")
    yield raised.interpret("main") if "tosa." not in str(raised) else raised.compile("main")
    yield raised.compile("main")


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(name):
    """Padding and holes are zeros that the kernel is multiplied by: a NaN of the
    kernel reaches every place, one of the image those whose windows hold it."""
    for run in engines(CONVOLUTIONS[name]):
        poison(CONVOLUTIONS[name], run, exact=True)


# select and clamp choose, and what is not chosen does not show.
@pytest.mark.parametrize("name", HLO)
def test_stablehlo(name):
    for run in engines(HLO[name]):
        poison(HLO[name], run, exact=name not in ("select",))


@pytest.mark.parametrize("name", TOSA)
def test_tosa(name):
    for run in engines(TOSA[name]):
        poison(TOSA[name], run, exact=name != "transpose_conv2d")


@pytest.mark.parametrize("name", LINALG)
def test_linalg(name):
    for run in engines(LINALG[name]):
        poison(LINALG[name], run, exact=name not in ("softmax", "pack", "pooling_sum"))
