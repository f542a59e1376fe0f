# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random convolutions as programs: of stablehlo, of linalg and of tosa.

A convolution is drawn by what it does (its sizes, strides, padding, dilations,
groups), not by how it is written; `write` says it in one of the dialects, whose
layouts are drawn, too.
"""

import dataclasses
import itertools
import random
import re

import numpy as np


def by_x(sizes):
    return "x".join(map(str, sizes))


def tensor(sizes, element):
    return f"tensor<{by_x([*sizes, element])}>"


@dataclasses.dataclass
class Convolution:
    """out[n, g, f, o] = Σ image[n, g, c, (o·stride + k·dilation - low) / base]
    · weights[g, f, c, k], zero where the quotient is not an integer or outside."""

    rank: int
    batch: int
    groups: int
    channels: int
    features: int
    image: list
    kernel: list
    stride: list
    dilation: list
    base: list
    low: list
    high: list
    reversed: list
    element: str
    sum: str

    def out(self):
        sizes = []
        for i in range(self.rank):
            spread = (self.image[i] - 1) * self.base[i] + 1
            padded = spread + self.low[i] + self.high[i]
            window = (self.kernel[i] - 1) * self.dilation[i] + 1
            sizes.append((padded - window) // self.stride[i] + 1)
        return sizes

    def is_legal(self):
        for i in range(self.rank):
            spread = (self.image[i] - 1) * self.base[i] + 1
            if spread + min(self.low[i], 0) + min(self.high[i], 0) < 1:
                return False
        return min(self.out()) >= 1 and max(self.out()) <= 6


def draw(rng, dialect):
    """A convolution that the dialect can say."""
    while True:
        rank = rng.choice([1, 2, 2, 2, 3] if dialect != "tosa" else [2, 2, 2, 3])

        def several(*sizes):
            return [rng.choice(sizes) for _ in range(rank)]

        hlo = dialect == "stablehlo"
        groups = rng.choice([1, 1, 2, 3])
        channels = rng.choice([1, 2, 3])
        if dialect == "tosa" and groups > 1:
            rank, channels = 2, 1
        if dialect == "linalg" and groups > 1:
            rank = 2
        element = rng.choice(["f32", "f32", "i32", "i8"])
        conv = Convolution(
            rank=rank,
            batch=rng.choice([1, 2, 3]),
            groups=groups,
            channels=channels,
            features=rng.choice([1, 2, 3]),
            image=several(1, 1, 2, 3, 4, 5),
            kernel=several(1, 2, 3, 4),
            stride=several(1, 1, 2, 3),
            dilation=several(1, 1, 2, 3),
            base=several(1, 1, 2, 3) if hlo and rng.random() < 0.4 else several(1),
            low=several(*range(-1 if hlo else 0, 4)),
            high=several(*range(-1 if hlo else 0, 4)),
            reversed=several(False, True) if hlo else several(False),
            element=element,
            sum={"i8": "i32"}.get(element, element),
        )
        if dialect == "tosa" and element == "i32":
            continue
        if dialect == "tosa" and groups == 1 and rank == 2 and rng.random() < 0.3:
            # Transposed: the kernel backwards over zeros between the elements.
            conv.base, conv.stride = conv.stride, [1, 1]
            conv.dilation, conv.reversed = [1, 1], [True, True]
            conv.low = [k - 1 + rng.randint(1 - k, 2) for k in conv.kernel]
            conv.high = [k - 1 + rng.randint(1 - k, 2) for k in conv.kernel]
        if conv.is_legal():
            return conv


# --- stablehlo ---------------------------------------------------------------


def write_stablehlo(rng, conv):
    """In any order of dimensions; groups of features, or of the batch."""
    spatial = list(range(conv.rank))
    g, n, c, f = conv.groups, conv.batch, conv.channels, conv.features
    by_batch = g > 1 and rng.random() < 0.3

    def lay(first, second, sizes, names):
        order = [names[0], names[1], *spatial]
        rng.shuffle(order)
        size = {names[0]: first, names[1]: second, **dict(enumerate(sizes))}
        text = "[" + ", ".join(map(str, order)) + "]"
        return [size[dim] for dim in order], text

    image, image_names = lay(
        n * g if by_batch else n, c if by_batch else c * g, conv.image, "bf"
    )
    weights, weight_names = lay(c, f * g, conv.kernel, "io")
    out, out_names = lay(n, f * g, conv.out(), "bf")

    def arrays(sizes):
        return "array<i64: " + ", ".join(map(str, sizes)) + ">"

    padding = ", ".join(f"[{low}, {high}]" for low, high in zip(conv.low, conv.high))
    turned = ", ".join("true" if one else "false" for one in conv.reversed)
    attributes = ", ".join(
        [
            f"batch_group_count = {g if by_batch else 1} : i64",
            f"dimension_numbers = #stablehlo.conv<{image_names}x{weight_names}->{out_names}>",
            f"feature_group_count = {1 if by_batch else g} : i64",
            f"window_strides = {arrays(conv.stride)}",
            f"padding = dense<[{padding}]> : tensor<{conv.rank}x2xi64>",
            f"lhs_dilation = {arrays(conv.base)}",
            f"rhs_dilation = {arrays(conv.dilation)}",
            f"window_reversal = array<i1: {turned}>",
        ]
    )
    types = [tensor(image, conv.element), tensor(weights, conv.element)]
    result = tensor(out, conv.sum)
    return f"""
func.func @main(%x: {types[0]}, %w: {types[1]}) -> {result} {{
  %0 = "stablehlo.convolution"(%x, %w) <{{{attributes}}}> : ({types[0]}, {types[1]}) -> {result}
  return %0 : {result}
}}
"""


# --- linalg ------------------------------------------------------------------


def linalg_kinds(conv):
    """Names, and orders of the image, the weights and the result."""
    if conv.groups == 1:
        return {
            1: [("conv_1d_ncw_fcw", "ncS", "fcS", "nfS"), ("conv_1d_nwc_wcf", "nSc", "Scf", "nSf")],
            2: [
                ("conv_2d_nchw_fchw", "ncS", "fcS", "nfS"),
                ("conv_2d_nhwc_hwcf", "nSc", "Scf", "nSf"),
                ("conv_2d_nhwc_fhwc", "nSc", "fSc", "nSf"),
            ],
            3: [
                ("conv_3d_ncdhw_fcdhw", "ncS", "fcS", "nfS"),
                ("conv_3d_ndhwc_dhwcf", "nSc", "Scf", "nSf"),
            ],
        }[conv.rank]
    kinds = [("conv_2d_ngchw_gfchw", "ngcS", "gfcS", "ngfS"),
             ("conv_2d_nhwgc_gfhwc", "nSgc", "gfSc", "nSgf")]
    if conv.channels == 1:
        kinds.append(("depthwise_conv_2d_nhwc_hwcm", "nSg", "Sgf", "nSgf"))
        if conv.features == 1:
            kinds += [
                ("depthwise_conv_2d_nhwc_hwc", "nSg", "Sg", "nSg"),
                ("depthwise_conv_2d_nchw_chw", "ngS", "gS", "ngS"),
            ]
    return kinds


def write_linalg(rng, conv):
    """A named op of a padded image."""
    name, image, weights, out = rng.choice(linalg_kinds(conv))
    padded = [size + low + high for size, low, high in zip(conv.image, conv.low, conv.high)]

    def lay(letters, sizes):
        size = {"n": conv.batch, "g": conv.groups, "c": conv.channels, "f": conv.features}
        return sum((sizes if at == "S" else [size[at]] for at in letters), [])

    def around(sizes):
        return sum((sizes if at == "S" else [0] for at in image), [])

    source = tensor(lay(image, conv.image), conv.element)
    whole = tensor(lay(image, padded), conv.element)
    kernel = tensor(lay(weights, conv.kernel), conv.element)
    result = tensor(lay(out, conv.out()), conv.sum)
    low, high = around(conv.low), around(conv.high)
    indices = ", ".join(f"%i{i}: index" for i in range(len(low)))
    zero = {"f32": "0.0"}
    return f"""
func.func @main(%x: {source}, %w: {kernel}) -> {result} {{
  %z = arith.constant {zero.get(conv.element, 0)} : {conv.element}
  %s = arith.constant {zero.get(conv.sum, 0)} : {conv.sum}
  %p = tensor.pad %x low{low} high{high} {{
  ^bb0({indices}):
    tensor.yield %z : {conv.element}
  }} : {source} to {whole}
  %e = tensor.empty() : {result}
  %f = linalg.fill ins(%s : {conv.sum}) outs(%e : {result}) -> {result}
  %0 = linalg.{name} {{strides = dense<{conv.stride}> : tensor<{conv.rank}xi64>,
    dilations = dense<{conv.dilation}> : tensor<{conv.rank}xi64>}}
    ins(%p, %w : {whole}, {kernel}) outs(%f : {result}) -> {result}
  return %0 : {result}
}}
"""


# --- tosa --------------------------------------------------------------------


def write_tosa(rng, conv):
    """conv2d, conv3d, or depthwise_conv2d, which is several groups of one."""
    del rng
    # Windows have to fill the padded image.
    high = [
        (out - 1) * stride + (kernel - 1) * dilation + 1 - image - low
        for out, stride, kernel, dilation, image, low in zip(
            conv.out(), conv.stride, conv.kernel, conv.dilation, conv.image, conv.low
        )
    ]
    pads = ", ".join(f"{a}, {b}" for a, b in zip(conv.low, high))
    g, f = conv.groups, conv.features
    image = [conv.batch, *conv.image, conv.channels * g]
    depthwise = g > 1
    weights = [*conv.kernel, g, f] if depthwise else [f, *conv.kernel, conv.channels]
    transposed = conv.reversed[0]
    name = "depthwise_conv2d" if depthwise else f"conv{conv.rank}d"
    image, weights = tensor(image, conv.element), tensor(weights, conv.element)
    result = tensor([conv.batch, *conv.out(), f * g], conv.sum)
    bias = tensor([f * g], conv.sum)
    point = f"tensor<1x{conv.element}>"
    zero = "0.0" if conv.element == "f32" else "0"

    def listed(sizes):
        return ", ".join(map(str, sizes))

    attributes = f"""pad = array<i64: {pads}>,
    stride = array<i64: {listed(conv.stride)}>, dilation = array<i64: {listed(conv.dilation)}>"""
    if transposed:
        name = "transpose_conv2d"
        pads = [pad + 1 - conv.kernel[i] for i in range(2) for pad in (conv.low[i], conv.high[i])]
        attributes = f"""out_pad = array<i64: {listed(pads)}>,
    stride = array<i64: {listed(conv.base)}>"""
    return f"""
func.func @main(%x: {image}, %w: {weights}, %b: {bias}) -> {result} {{
  %z = "tosa.const"() {{values = dense<{zero}> : {point}}} : () -> {point}
  %0 = "tosa.{name}"(%x, %w, %b, %z, %z) {{acc_type = {conv.sum}, {attributes}}}
    : ({image}, {weights}, {bias}, {point}, {point}) -> {result}
  return %0 : {result}
}}
"""


def evaluate_tosa(conv, x, w, bias):
    """The same by the formula, place by place."""
    number = np.int64 if conv.sum == "i32" else np.float64
    x, w, rank = x.astype(number), w.astype(number), conv.rank
    x = np.moveaxis(x, -1, 1).reshape(conv.batch, conv.groups, conv.channels, *conv.image)
    if conv.groups > 1:
        w = np.moveaxis(w, [rank, rank + 1], [0, 1])[:, :, None]
    else:
        w = np.moveaxis(w, -1, 1)[None]
    out = np.zeros([conv.batch, conv.groups, conv.features, *conv.out()], number)
    every = (slice(None),) * 3
    for o in itertools.product(*map(range, conv.out())):
        for k in itertools.product(*map(range, conv.kernel)):
            at = [
                o[i] * conv.stride[i] + k[i] * conv.dilation[i] - conv.low[i] for i in range(rank)
            ]
            if any(place % base for place, base in zip(at, conv.base)):
                continue
            at = tuple(place // base for place, base in zip(at, conv.base))
            if all(0 <= place < size for place, size in zip(at, conv.image)):
                turned = tuple(
                    size - 1 - place if back else place
                    for place, size, back in zip(k, conv.kernel, conv.reversed)
                )
                out[every + o] += np.einsum("ngc,gfc->ngf", x[every + at], w[every + turned])
    out = np.moveaxis(out.reshape(conv.batch, -1, *conv.out()), 1, -1) + bias
    return out.astype(np.int32 if conv.sum == "i32" else np.float32)


WRITERS = {"stablehlo": write_stablehlo, "linalg": write_linalg, "tosa": write_tosa}


def is_tosa(conv):
    """tosa asks that the last window ends where the padding does."""
    return conv.reversed[0] or all(
        (out - 1) * stride + (kernel - 1) * dilation + 1 - image - low >= 0
        for out, stride, kernel, dilation, image, low in zip(
            conv.out(), conv.stride, conv.kernel, conv.dilation, conv.image, conv.low
        )
    )


def make_program(seed):
    """The convolution of a seed, and its text."""
    rng = random.Random(seed)
    dialect = rng.choice(sorted(WRITERS))
    conv = draw(rng, dialect)
    while dialect == "tosa" and not is_tosa(conv):
        conv = draw(rng, dialect)
    return conv, WRITERS[dialect](rng, conv)


def make_inputs(seed, text):
    """Arrays for the arguments of @main; small ones, where they are integers."""
    rng = np.random.default_rng(seed)
    inputs = []
    for argument in re.findall(r"%\w+: tensor<([^>]*)>", text.split("{")[0]):
        *sizes, element = argument.split("x")
        sizes = list(map(int, sizes))
        if element == "f32":
            inputs.append(rng.standard_normal(sizes).astype(np.float32))
        else:
            dtype = {"i8": np.int8, "i32": np.int32}[element]
            inputs.append(rng.integers(-100, 100, sizes).astype(dtype))
    return inputs
