# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of test/Models as ONNX with weights as initializers, for ONNX Runtime and OpenVINO.

Each function takes the arguments of the model's MLIR, in their order, of which Flax sorts
weights by name, and returns an onnx.ModelProto of one input, the argument that is not a
weight, NHWC as there, and one output.
"""
import numpy as np
from onnx import TensorProto, helper, numpy_helper


class Graph:
    """Nodes one after the other; a value is its name."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def add(self, kind, *inputs, **attributes):
        """The result of a node; inputs are names, or arrays."""
        names = [x if isinstance(x, str) else self.add_constant(x) for x in inputs]
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [result], **attributes))
        return result

    def add_constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def make(self, shape, result, sizes):
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, "model", [value("x", TensorProto.FLOAT, shape)],
            [value(result, TensorProto.FLOAT, sizes)], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)],
                                 ir_version=10)


def add_convolution(graph, x, kernel, pads, strides=(1, 1), group=1, bias=None):
    """`kernel` is HWIO."""
    inputs = [np.ascontiguousarray(kernel.transpose(3, 2, 0, 1))]
    if bias is not None:
        inputs.append(bias)
    return graph.add("Conv", x, *inputs, pads=pads, strides=strides, group=group)


def resnet50(arrays):
    """Flax sorts Block_10 before Block_2."""
    blocks = sorted(range(16), key=str)
    sizes = {block: 4 if block in (0, 3, 7, 13) else 3 for block in blocks}
    place = iter(arrays)

    def take(count):
        return [next(place) for _ in range(count)]

    statistics = {"stem": take(2)}
    for block in blocks:
        statistics[block] = take(2 * sizes[block])
    norms, kernels = {"stem": take(2)}, {}
    for block in blocks:
        norms[block] = take(2 * sizes[block])
        kernels[block] = take(sizes[block])
    kernels["stem"], (bias, dense) = take(1), take(2)
    graph = Graph()

    def normalize(x, block, i):
        mean, variance = statistics[block][2 * i:2 * i + 2]
        shift, scale = norms[block][2 * i:2 * i + 2]
        return graph.add("BatchNormalization", x, scale, shift, mean, variance,
                         epsilon=1e-5)

    x = graph.add("Transpose", "x", perm=[0, 3, 1, 2])
    x = add_convolution(graph, x, kernels["stem"][0], [3, 3, 3, 3], (2, 2))
    x = graph.add("Relu", normalize(x, "stem", 0))
    x = graph.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[0, 0, 1, 1])
    for block in range(16):
        stride = (2, 2) if block in (3, 7, 13) else (1, 1)
        pads = [1, 1, 1, 1] if stride == (1, 1) else [0, 0, 1, 1]
        first, second, third = kernels[block][:3]
        y = add_convolution(graph, x, first, [0] * 4)
        y = graph.add("Relu", normalize(y, block, 0))
        y = add_convolution(graph, y, second, pads, stride)
        y = graph.add("Relu", normalize(y, block, 1))
        y = normalize(add_convolution(graph, y, third, [0] * 4), block, 2)
        if sizes[block] == 4:
            x = add_convolution(graph, x, kernels[block][3], [0] * 4, stride)
            x = normalize(x, block, 3)
        x = graph.add("Relu", graph.add("Add", x, y))
    x = graph.add("Flatten", graph.add("GlobalAveragePool", x))
    return graph.make([1, 224, 224, 3], graph.add("Gemm", x, dense, bias), [1, 1000])


def mobilenet(arrays):
    """Convolutions as they follow one another; of thirteen, the even ones from the
    second on are depthwise."""
    graph = Graph()
    x = graph.add("Transpose", "x", perm=[0, 3, 1, 2])
    order = [0, 2, 10, 12, 14, 16, 18, 20, 22, 24, 4, 6, 8]
    for i, place in enumerate(order):
        bias, kernel = arrays[place:place + 2]
        isdepthwise = i % 2 == 1
        stride = 2 if i in (0, 3, 7, 11) else 1
        pads = [0] * 4
        if kernel.shape[0] == 3:
            pads = [1, 1, 1, 1] if stride == 1 else [0, 0, 1, 1]
        x = add_convolution(graph, x, kernel, pads, (stride, stride),
                            kernel.shape[3] if isdepthwise else 1, bias)
        x = graph.add("Relu", x)
    x = graph.add("Flatten", graph.add("GlobalAveragePool", x))
    bias, dense = arrays[26:28]
    return graph.make([1, 224, 224, 3], graph.add("Gemm", x, dense, bias), [1, 1000])


def encoder2(arrays):
    """Two layers that normalize first: attention of twelve heads, a gelu by tanh."""
    graph, x = Graph(), "x"
    f = np.float32
    for layer in range(2):
        dense, norm, heads = arrays[4 * layer:], arrays[8 + 4 * layer:], arrays[16 + 8 * layer:]

        def normalize(x, i, norm=norm):
            return graph.add("LayerNormalization", x, norm[2 * i + 1], norm[2 * i],
                             epsilon=1e-6, axis=-1)

        def multiply(x, weight, bias):
            y = graph.add("MatMul", x, weight)
            return graph.add("Add", y, bias)

        y = normalize(x, 0)
        parts = {}
        for name, i in (("k", 0), ("q", 4), ("v", 6)):
            part = multiply(y, heads[i + 1].reshape(768, 768), heads[i].reshape(768))
            part = graph.add("Reshape", part, np.array([1, 128, 12, 64]))
            parts[name] = graph.add("Transpose", part,
                                    perm=[0, 2, 3, 1] if name == "k" else [0, 2, 1, 3])
        scores = graph.add("Mul", graph.add("MatMul", parts["q"], parts["k"]), f(0.125))
        y = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), parts["v"])
        y = graph.add("Reshape", graph.add("Transpose", y, perm=[0, 2, 1, 3]),
                      np.array([1, 128, 768]))
        x = graph.add("Add", x, multiply(y, heads[3].reshape(768, 768), heads[2]))
        y = multiply(normalize(x, 1), dense[1], dense[0])
        y = graph.add("Gelu", y, approximate="tanh")
        x = graph.add("Add", x, multiply(y, dense[3], dense[2]))
    return graph.make([1, 128, 768], x, [1, 128, 768])


MODELS = {"resnet50.linalg": resnet50, "mobilenet.linalg": mobilenet,
          "encoder2.stablehlo-generic": encoder2}
