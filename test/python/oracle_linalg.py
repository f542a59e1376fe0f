# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program of each structured op of linalg, for test_oracle.py."""

import re

import numpy as np

#: By op: its text and inputs.
CASES = {}
DTYPES = {"i8": np.int8, "i32": np.int32, "f32": np.float32, "f64": np.float64, "i1": np.bool_}
SIZES = {"n": 2, "c": 3, "f": 4, "g": 2, "d": 4, "h": 5, "w": 6, "m": 2}


def tensor(shape, element):
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def make(op, ins, outs, before="", after="", attributes="", yields=True):
    """An op on tensors (shape, element), or on scalars (None, element)."""
    types = [tensor(shape, e) if shape is not None else e for shape, e in [*ins, outs]]
    names = [f"%a{i}" for i in range(len(types))]
    given = f"ins({', '.join(names[:-1])} : {', '.join(types[:-1])}) " if ins else ""
    CASES[op] = (
        f"func.func @main({', '.join(f'{n}: {t}' for n, t in zip(names, types))}) -> {types[-1]} {{\n"
        f"  %r = {op} {before}{given}outs({names[-1]} : {types[-1]}) {after}"
        f"{f'-> {types[-1]}' if yields else ''}\n  return %r : {types[-1]}\n}}\n",
        inputs([*ins, outs]),
    )


def inputs(types):
    """Small integers, or quarters, from 1 on for what is divided or rooted."""
    rng = np.random.default_rng(len(types))
    values = []
    for shape, element in types:
        x = rng.integers(-3, 4, shape or ())
        if element[0] == "f":
            x = (np.abs(x) * 2 + 1) / 4
        values.append(np.asarray(x).astype(DTYPES[element]))
    return values


S = (3, 4)
for name in ("exp", "log", "abs", "ceil", "floor", "negf", "reciprocal", "round", "sqrt", "rsqrt", "square", "tanh", "erf"):
    make(f"linalg.{name}", [(S, "f32")], (S, "f32"))
for name in ("add", "sub", "mul", "max", "min"):
    make(f"linalg.{name}", [(S, "i32"), (S, "i32")], (S, "i32"))
for name in ("div", "powf"):
    make(f"linalg.{name}", [(S, "f32"), (S, "f32")], (S, "f32"))
make("linalg.div_unsigned", [(S, "i32"), (S, "i32")], (S, "i32"))
CASES["linalg.div_unsigned"][1][1][:] = [[1, 2, 3, -1], [5, -7, 1, 9], [2, 2, 4, 8]]
make("linalg.select", [(S, "i1"), (S, "i32"), (S, "i32")], (S, "i32"))
make("linalg.copy", [(S, "i32")], (S, "i32"))
make("linalg.fill", [(None, "i32")], (S, "i32"))
make("linalg.fill_rng_2d", [(None, "f64"), (None, "f64"), (None, "i32")], (S, "f32"))
make("linalg.elementwise", [(S, "i32"), (S, "i32")], (S, "i32"), before="kind=#linalg.elementwise_kind<sub> ")
make("linalg.transpose", [(S, "i32")], ((4, 3), "i32"), after="permutation = [1, 0]", yields=False)
make("linalg.broadcast", [(S, "i32")], ((3, 2, 4), "i32"), after="dimensions = [1]", yields=False)
make("linalg.reduce", [(S, "i32")], ((4,), "i32"), before="{ arith.addi } ", after="dimensions = [0]", yields=False)
CASES["linalg.map"] = (
    """func.func @main(%a: tensor<3x4xi32>, %o: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.map ins(%a : tensor<3x4xi32>) outs(%o : tensor<3x4xi32>)
    (%x: i32, %y: i32) {
      %z = arith.subi %x, %y : i32
      linalg.yield %z : i32
    }
  return %r : tensor<3x4xi32>
}
""",
    inputs([(S, "i32"), (S, "i32")]),
)
CASES["linalg.generic"] = (
    """func.func @main(%a: tensor<3x4xi32>, %o: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]} ins(%a : tensor<3x4xi32>) outs(%o : tensor<4xi32>) {
  ^bb0(%x: i32, %y: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %p = arith.muli %x, %k : i32
    %z = arith.addi %y, %p : i32
    linalg.yield %z : i32
  } -> tensor<4xi32>
  return %r : tensor<4xi32>
}
""",
    inputs([(S, "i32"), ((4,), "i32")]),
)

for name, a, b, out in [
    ("matmul", (3, 4), (4, 5), (3, 5)), ("matvec", (3, 4), (4,), (3,)), ("vecmat", (3,), (3, 4), (4,)),
    ("dot", (4,), (4,), ()), ("batch_matmul", (2, 3, 4), (2, 4, 5), (2, 3, 5)),
    ("batch_matvec", (2, 3, 4), (2, 4), (2, 3)), ("batch_vecmat", (2, 3), (2, 3, 4), (2, 4)),
    ("batch_reduce_matmul", (2, 3, 4), (2, 4, 5), (3, 5)), ("mmt4d", (2, 3, 4, 5), (3, 3, 2, 5), (2, 3, 4, 2)),
    ("batch_mmt4d", (2, 2, 3, 4, 5), (2, 3, 3, 2, 5), (2, 2, 3, 4, 2)),
]:  # fmt: skip
    make(f"linalg.{name}", [(a, "i32"), (b, "i32")], (out, "i32"))
make("linalg.contract", [((3, 4), "i32"), ((5, 4), "i32")], ((5, 3), "i32"),
     before="indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, "
     "affine_map<(i, j, k) -> (j, i)>] ")
for name, a, b, out in [("matmul", (3, 4), (4, 5), (3, 5)), ("batch_matmul", (2, 3, 4), (2, 4, 5), (2, 3, 5))]:
    make(f"linalg.quantized_{name}", [(a, "i8"), (b, "i8"), (None, "i32"), (None, "i32")], (out, "i32"))


def window(letters):
    """Sizes of a filter's dimensions."""
    return tuple(2 if x in "dhw" else SIZES[x] for x in letters)


def outcome(letters):
    return tuple(SIZES[x] - 1 if x in "dhw" else SIZES[x] for x in letters)


def whole(letters):
    return tuple(SIZES[x] for x in letters)


for rank in (1, 2, 3):
    spatial = "dhw"[3 - rank:]
    make(f"linalg.conv_{rank}d", [(whole(spatial), "i32"), (window(spatial), "i32")], (outcome(spatial), "i32"))
for name in """conv_1d_ncw_fcw conv_1d_nwc_wcf conv_2d_nchw_fchw conv_2d_nchw_fchw_q conv_2d_ngchw_fgchw
conv_2d_ngchw_gfchw conv_2d_ngchw_gfchw_q conv_2d_nhwc_fhwc conv_2d_nhwc_fhwc_q conv_2d_nhwc_hwcf conv_2d_nhwc_hwcf_q
conv_2d_nhwgc_gfhwc conv_2d_nhwgc_gfhwc_q conv_3d_ncdhw_fcdhw conv_3d_ndhwc_dhwcf conv_3d_ndhwc_dhwcf_q
depthwise_conv_1d_ncw_cw depthwise_conv_1d_nwc_wc depthwise_conv_1d_nwc_wcm depthwise_conv_2d_nchw_chw
depthwise_conv_2d_nhwc_hwc depthwise_conv_2d_nhwc_hwc_q depthwise_conv_2d_nhwc_hwcm depthwise_conv_2d_nhwc_hwcm_q
depthwise_conv_3d_ncdhw_cdhw depthwise_conv_3d_ndhwc_dhwc depthwise_conv_3d_ndhwc_dhwcm""".split():
    image, kernel = re.search(r"_\dd_([a-z]+)_([a-z]+)", name).groups()
    is_deep, quantized = name.startswith("depthwise"), name.endswith("_q")
    out = image + "m" * ("m" in kernel) if is_deep else image.replace("c", "f")
    element = "i8" if quantized else "i32"
    make(f"linalg.{name}", [(whole(image), element), (window(kernel), element)] + [(None, "i32")] * 2 * quantized,
         (outcome(out), "i32"))
for name in """nchw_max nchw_sum ncw_max ncw_sum ndhwc_max ndhwc_min ndhwc_sum nhwc_max nhwc_max_unsigned nhwc_min
nhwc_min_unsigned nhwc_sum nwc_max nwc_max_unsigned nwc_min nwc_min_unsigned nwc_sum""".split():
    image = name.split("_")[0]
    make(f"linalg.pooling_{name}", [(whole(image), "i32"), (window([x for x in image if x in "dhw"]), "i32")],
         (outcome(image), "i32"))
