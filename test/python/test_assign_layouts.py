# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts chosen, and written out: the same numbers as without them."""

import random

import numpy as np
import pytest

import tensoraccess as ta

PIPELINE = "builtin.module(inline,tensoraccess-assign-layouts{%s},tensoraccess-materialize-layouts{%s})"


def shape_text(shape):
    return "".join(f"{n}x" for n in shape) + "f32"


def plain(shape):
    return f"tensor<{shape_text(shape)}>"


def encoded(rng, shape):
    """A tensor type with a random layout, tiles that do not divide included."""
    rank = len(shape)
    order = rng.sample(range(rank), rank)
    text = ",".join(map(str, order))
    k = rng.randint(0, rank)
    if k:
        tile = [rng.choice([1, 2, 3, 4, 8]) for _ in range(k)]
        text += f":T({','.join(map(str, tile))})"
        if rng.random() < 0.3:
            # Again, by what divides the tile.
            second = [rng.choice([d for d in (1, 2, 4) if t % d == 0]) for t in tile]
            text += f"({','.join(map(str, second))})"
    return f"tensor<{shape_text(shape)}, #tensoraccess.layout<{{{text}}}>>"


class Program:
    """A chain of ops whose operands and results have random layouts."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []
        self.count = 0
        rank = self.rng.randint(1, 4)
        self.input = [self.rng.randint(1, 9) for _ in range(rank)]
        value, shape = "%x", self.input
        for _ in range(self.rng.randint(1, 4)):
            value, shape = self.step(value, shape)
        self.text = (
            f"func.func @main(%x: {plain(self.input)}) -> {plain(shape)} {{\n"
            "%one = arith.constant 1.0 : f32\n%zero = arith.constant 0.0 : f32\n"
            "%low = arith.constant 0xFF800000 : f32\n"
            "%high = arith.constant 0x7F800000 : f32\n"
            + "\n".join(self.lines)
            + f"\nreturn {value} : {plain(shape)}\n}}"
        )

    def emit(self, text):
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def lay_out(self, value, shape):
        type_ = encoded(self.rng, shape)
        return self.emit(f"tensoraccess.relayout {value} : {plain(shape)} to {type_}"), type_

    def back(self, value, type_, shape):
        return self.emit(f"tensoraccess.relayout {value} : {type_} to {plain(shape)}"), shape

    def step(self, value, shape):
        kinds = ["map", "reduce", "transpose", "pad", "slice", "unary", "window"]
        if any(n in (4, 6, 8, 9) for n in shape):
            kinds.append("expand")
        if len(shape) > 1:
            kinds.append("collapse")
        return getattr(self, self.rng.choice(kinds))(value, shape)

    def nest(self, value, shape, result, maps, iterators, init, body):
        x, x_type = self.lay_out(value, shape)
        r_type = encoded(self.rng, result)
        e = self.emit(f"tensor.empty() : {r_type}")
        f = self.emit(f"linalg.fill ins({init} : f32) outs({e} : {r_type}) -> {r_type}")
        g = self.emit(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} "
            f"ins({x} : {x_type}) outs({f} : {r_type}) {{\n^bb0(%in: f32, %out: f32):\n"
            f"{body}\nlinalg.yield %y : f32\n}} -> {r_type}"
        )
        return self.back(g, r_type, result)

    def dims(self, n):
        return [f"d{i}" for i in range(n)]

    def map(self, value, shape):
        dims = ", ".join(self.dims(len(shape)))
        same = f"affine_map<({dims}) -> ({dims})>"
        # Padding becomes infinite.
        body = self.rng.choice(
            [
                "%y = arith.divf %one, %in : f32",
                "%y = arith.addf %in, %one : f32",
                "%i = linalg.index 0 : index\n%c = arith.index_cast %i : index to i32\n"
                "%s = arith.sitofp %c : i32 to f32\n%y = arith.addf %in, %s : f32",
            ]
        )
        iterators = ", ".join(['"parallel"'] * len(shape))
        return self.nest(value, shape, shape, f"{same}, {same}", iterators, "%zero", body)

    def reduce(self, value, shape):
        kept = [i for i in range(len(shape)) if self.rng.random() < 0.5]
        dims = self.dims(len(shape))
        maps = (
            f"affine_map<({', '.join(dims)}) -> ({', '.join(dims)})>, "
            f"affine_map<({', '.join(dims)}) -> ({', '.join(dims[i] for i in kept)})>"
        )
        iterators = ", ".join(
            '"parallel"' if i in kept else '"reduction"' for i in range(len(shape))
        )
        init, op = self.rng.choice(
            [
                ("%zero", "arith.addf"),
                ("%low", "arith.maximumf"),
                ("%high", "arith.minimumf"),
                ("%one", "arith.mulf"),
            ]
        )
        body = f"%y = {op} %out, %in : f32"
        return self.nest(value, shape, [shape[i] for i in kept], maps, iterators, init, body)

    def window(self, value, shape):
        # A maximum of two neighbours along the first dimension.
        if not shape or shape[0] < 2:
            return self.map(value, shape) if shape else (value, shape)
        dims = self.dims(len(shape))
        every = ", ".join([*dims, "k"])
        rest = "".join(", " + d for d in dims[1:])
        x, x_type = self.lay_out(value, shape)
        result = [shape[0] - 1, *shape[1:]]
        r_type = encoded(self.rng, result)
        e = self.emit(f"tensor.empty() : {r_type}")
        f = self.emit(f"linalg.fill ins(%low : f32) outs({e} : {r_type}) -> {r_type}")
        w = self.emit("tensor.empty() : tensor<2xf32>")
        iterators = ", ".join(['"parallel"'] * len(shape) + ['"reduction"'])
        g = self.emit(
            f"linalg.generic {{indexing_maps = [affine_map<({every}) -> (d0 + k{rest})>, "
            f"affine_map<({every}) -> (k)>, affine_map<({every}) -> (d0{rest})>], "
            f"iterator_types = [{iterators}]}} ins({x}, {w} : {x_type}, tensor<2xf32>) "
            f"outs({f} : {r_type}) {{\n^bb0(%in: f32, %w: f32, %out: f32):\n"
            f"%y = arith.maximumf %out, %in : f32\nlinalg.yield %y : f32\n}} -> {r_type}"
        )
        return self.back(g, r_type, result)

    def unary(self, value, shape):
        x, type_ = self.lay_out(value, shape)
        return self.back(self.emit(f"arith.negf {x} : {type_}"), type_, shape)

    def transpose(self, value, shape):
        if not shape:
            return value, shape
        p = self.rng.sample(range(len(shape)), len(shape))
        result = [shape[i] for i in p]
        type_ = encoded(self.rng, result)
        t = self.emit(
            f"tensoraccess.relayout {value} permutation = {p} : {plain(shape)} to {type_}"
        )
        return self.back(t, type_, result)

    def pad(self, value, shape):
        x, x_type = self.lay_out(value, shape)
        low = [self.rng.choice([0, 0, 1]) for _ in shape]
        high = [self.rng.choice([0, 0, 2]) for _ in shape]
        result = [n + a + b for n, a, b in zip(shape, low, high)]
        r_type = x_type.replace(shape_text(shape), shape_text(result))
        if self.rng.random() < 0.3:
            r_type = encoded(self.rng, result)
        arguments = ", ".join(f"%p{i}: index" for i in range(len(shape)))
        block = f"^bb0({arguments}):\n" if shape else ""
        p = self.emit(
            f"tensor.pad {x} low{low} high{high} {{\n{block}tensor.yield %one : f32\n}} "
            f": {x_type} to {r_type}"
        )
        return self.back(p, r_type, result)

    def slice(self, value, shape):
        x, x_type = self.lay_out(value, shape)
        sizes = [self.rng.randint(1, n) for n in shape]
        offsets = [self.rng.randint(0, n - s) for n, s in zip(shape, sizes)]
        r_type = x_type.replace(shape_text(shape), shape_text(sizes))
        s = self.emit(
            f"tensor.extract_slice {x}{offsets} {sizes} {[1] * len(shape)} "
            f": {x_type} to {r_type}"
        )
        return self.back(s, r_type, sizes)

    def expand(self, value, shape):
        at = next(i for i, n in enumerate(shape) if n in (4, 6, 8, 9))
        a = 3 if shape[at] % 3 == 0 else 2
        result = [*shape[:at], a, shape[at] // a, *shape[at + 1 :]]
        groups = [
            [i] if i < at else [i, i + 1] if i == at else [i + 1] for i in range(len(shape))
        ]
        x, x_type = self.lay_out(value, shape)
        r_type = encoded(self.rng, result)
        e = self.emit(
            f"tensor.expand_shape {x} {groups} output_shape {result} : {x_type} into {r_type}"
        )
        return self.back(e, r_type, result)

    def collapse(self, value, shape):
        at = self.rng.randrange(len(shape) - 1)
        result = [*shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :]]
        groups = [
            [i] if i < at else [i, i + 1] if i == at else [i + 1] for i in range(len(result))
        ]
        x, x_type = self.lay_out(value, shape)
        r_type = encoded(self.rng, result)
        c = self.emit(f"tensor.collapse_shape {x} {groups} : {x_type} into {r_type}")
        return self.back(c, r_type, result)


@pytest.mark.parametrize("way", ["pack", "steps"])
@pytest.mark.parametrize("seed", range(60))
def test_random_layouts_change_no_number(seed, way):
    program = Program(seed if way == "pack" else seed + 1000)
    module = ta.Module(program.text)
    x = np.random.default_rng(seed).standard_normal(program.input, dtype=np.float32)
    expected = module.interpret()(x)
    lowered = module.run(f"tensoraccess-materialize-layouts{{way={way}}}")
    assert "tensoraccess" not in str(lowered)
    with np.errstate(all="ignore"):
        got = lowered.compile()(x)
    np.testing.assert_array_equal(got, expected)


CONTRACTIONS = {
    "matmul": (
        [(5, 9), (9, 21)],
        (5, 21),
        "linalg.matmul ins(%a, %b : {0}, {1}) outs(%f : {2}) -> {2}",
    ),
    "batch": (
        [(2, 6, 5), (2, 5, 16)],
        (2, 6, 16),
        "linalg.batch_matmul ins(%a, %b : {0}, {1}) outs(%f : {2}) -> {2}",
    ),
    "transposed": (
        [(7, 24), (11, 24)],
        (11, 7),
        "linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>, "
        "affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (j, i)>], "
        'iterator_types = ["parallel", "parallel", "reduction"]}} '
        "ins(%a, %b : {0}, {1}) outs(%f : {2}) {{\n^bb0(%x: f32, %y: f32, %o: f32):\n"
        "%m = arith.mulf %x, %y : f32\n%s = arith.addf %o, %m : f32\n"
        "linalg.yield %s : f32\n}} -> {2}",
    ),
    "nchw": (
        [(1, 6, 8, 7), (10, 6, 3, 3)],
        (1, 10, 6, 5),
        "linalg.conv_2d_nchw_fchw ins(%a, %b : {0}, {1}) outs(%f : {2}) -> {2}",
    ),
    "nhwc": (
        [(2, 9, 9, 8), (3, 2, 8, 12)],
        (2, 4, 8, 12),
        "linalg.conv_2d_nhwc_hwcf {{strides = dense<[2, 1]> : tensor<2xi64>, "
        "dilations = dense<1> : tensor<2xi64>}} ins(%a, %b : {0}, {1}) "
        "outs(%f : {2}) -> {2}",
    ),
    "depthwise": (
        [(1, 7, 7, 12), (3, 3, 12)],
        (1, 5, 5, 12),
        "linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %b : {0}, {1}) outs(%f : {2}) -> {2}",
    ),
    "depthwise_nchw": (
        [(1, 20, 7, 7), (20, 3, 3)],
        (1, 20, 5, 5),
        "linalg.depthwise_conv_2d_nchw_chw ins(%a, %b : {0}, {1}) outs(%f : {2}) -> {2}",
    ),
    "grouped": (
        [(1, 2, 8, 6, 6), (2, 9, 8, 3, 3)],
        (1, 2, 9, 4, 4),
        "linalg.conv_2d_ngchw_gfchw ins(%a, %b : {0}, {1}) outs(%f : {2}) -> {2}",
    ),
}

# Traffic costs as much as memory, so that small contractions take tiles, too.
TARGETS = [
    "host",
    "systolic-8x16",
    "'panels, memory_cost = 1'",
    "'narrow, memory_cost = 1, vector_bytes = 8, cache_line = 8'",
    "'unit, memory_cost = 1, matrix_units = [4x8 in 14]'",
]


def contraction(name):
    """The contraction, an elementwise maximum, and a maximum over the last
    dimension: `-1` everywhere, so that a zero of the padding would win."""
    inputs, result, op = CONTRACTIONS[name]
    types = [plain(s) for s in [*inputs, result]]
    dims = ", ".join(f"d{i}" for i in range(len(result)))
    last = ", ".join(f"d{i}" for i in range(len(result) - 1))
    parallel = ['"parallel"'] * len(result)
    reduced = plain(result[:-1])
    return f"""
func.func @main(%a: {types[0]}, %b: {types[1]}) -> ({types[2]}, {reduced}) {{
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %e = tensor.empty() : {types[2]}
  %f = linalg.fill ins(%zero : f32) outs(%e : {types[2]}) -> {types[2]}
  %r = {op.format(*types)}
  %n = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>,
      affine_map<({dims}) -> ({dims})>], iterator_types = [{", ".join(parallel)}]}}
    ins(%r : {types[2]}) outs(%e : {types[2]}) {{
  ^bb0(%in: f32, %out: f32):
    %p = math.absf %in : f32
    %q = arith.negf %p : f32
    linalg.yield %q : f32
  }} -> {types[2]}
  %re = tensor.empty() : {reduced}
  %rf = linalg.fill ins(%low : f32) outs(%re : {reduced}) -> {reduced}
  %m = linalg.generic {{indexing_maps = [affine_map<({dims}) -> ({dims})>,
      affine_map<({dims}) -> ({last})>],
      iterator_types = [{", ".join(parallel[:-1] + ['"reduction"'])}]}}
    ins(%n : {types[2]}) outs(%rf : {reduced}) {{
  ^bb0(%in: f32, %out: f32):
    %s = arith.maximumf %out, %in : f32
    linalg.yield %s : f32
  }} -> {reduced}
  return %n, %m : {types[2]}, {reduced}
}}"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", CONTRACTIONS)
def test_contractions_keep_their_bits(name, target):
    text = ta.Module(contraction(name))
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(s, dtype=np.float32) for s in CONTRACTIONS[name][0]]
    assigned = text.run(PIPELINE.split(",tensoraccess-mat")[0] % f"target={target}" + ")")
    expected = text.interpret()(*arrays)
    for got, want in zip(assigned.interpret()(*arrays), expected):
        np.testing.assert_array_equal(got, want)
    lowered = assigned.run("tensoraccess-materialize-layouts")
    for got, want in zip(lowered.compile()(*arrays), expected):
        np.testing.assert_array_equal(got, want)


def test_weights_by_the_caller():
    """The argument takes the layout; Layout.physical_shape is what to pass."""
    text = """
func.func @main(%x: tensor<32x64xf32>, %w: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x48xf32>)
         outs(%f : tensor<32x48xf32>) -> tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}"""
    module = ta.Module(text)
    assigned = module.run("tensoraccess-assign-layouts{weights=caller}")
    assert "relayout" not in str(assigned)
    layout = ta.Layout("f32[64,48]{0,1:T(16,1)}")
    rng = np.random.default_rng(1)
    x = rng.standard_normal((32, 64), dtype=np.float32)
    w = rng.standard_normal((64, 48), dtype=np.float32)
    packed = np.zeros(layout.padded_elements, np.float32)
    for index in np.ndindex(w.shape):
        packed[layout.linearize(index)] = w[index]
    compiled = assigned.run("tensoraccess-materialize-layouts").compile()
    got = compiled(x, packed.reshape(layout.physical_shape))
    want = module.interpret()(x, w)
    np.testing.assert_array_equal(got, want)


def test_errors():
    module = ta.Module("module {}")
    with pytest.raises(ta.Error, match="unknown target 'moon'; known are aarch64-neon, "):
        module.run("tensoraccess-assign-layouts{target=moon}")
    refused = ta.Module(
        "func.func @f(%x: tensor<4x4xf32, #tensoraccess.layout<{1,0:E(64)}>>) { return }"
    )
    with pytest.raises(ta.Error, match="element bits E must be those of 'f32'"):
        refused.run("tensoraccess-materialize-layouts")
