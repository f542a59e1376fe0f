# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts of tensors whose sizes are known at run time: the same numbers."""

import random

import numpy as np
import pytest

import tensoraccess as ta

# Around a tile of 8, and nothing at all.
SIZES = [0, 1, 7, 8, 9, 17]


class Program:
    """A chain of ops on random layouts. A shape is a list of sizes: an int, or
    the name of the value of a dynamic one."""

    def __init__(self, seed, steps=("map", "reduce", "unary", "transpose", "pad", "slice",
                                    "flatten", "loop", "matmul", "unit"), inner=False):
        self.rng = random.Random(seed)
        self.inner = inner
        self.lines, self.count = [], 0
        shape = [self.rng.randint(1, 9) for _ in range(self.rng.randint(1, 3))]
        for i in range(len(shape)):
            if i == 0 or self.rng.random() < 0.4:
                shape[i] = self.emit(f"tensor.dim %x, %c{i} : INPUT")
        self.input = list(shape)
        value = "%x"
        for _ in range(self.rng.randint(1, 3)):
            value, shape = getattr(self, self.rng.choice(steps))(value, shape)
        body = "\n".join(self.lines).replace("INPUT", self.type(self.input))
        self.text = (
            f"func.func @main(%x: {self.type(self.input)}) -> {self.type(shape)} {{\n"
            + "".join(f"%c{i} = arith.constant {i} : index\n" for i in range(4))
            + "%one = arith.constant 1.0 : f32\n%zero = arith.constant 0.0 : f32\n"
            "%low = arith.constant 0xFF800000 : f32\n%high = arith.constant 0x7F800000 : f32\n"
            + body
            + f"\nreturn {value} : {self.type(shape)}\n}}"
        )

    def draw_sizes(self):
        return [self.rng.choice(SIZES) if isinstance(n, str) else n for n in self.input]

    def emit(self, text):
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def type(self, shape, layout=""):
        sizes = "".join("?x" if isinstance(n, str) else f"{n}x" for n in shape)
        return f"tensor<{sizes}f32{layout}>"

    def encoding(self, rank):
        text = ",".join(map(str, self.rng.sample(range(rank), rank)))
        if k := self.rng.randint(0, rank):
            tile = [self.rng.choice([1, 2, 4, 8]) for _ in range(k)]
            marks = list(map(str, tile))
            if self.inner and k > 1 and self.rng.random() < 0.3:
                marks[0] = "*"
            text += f":T({','.join(marks)})"
            if self.rng.random() < 0.3:
                second = [self.rng.choice([d for d in (1, 2, 4) if t % d == 0]) for t in tile]
                text += f"({','.join(map(str, second))})"
        if self.inner and self.rng.random() < 0.2:
            text += ("" if ":" in text else ":") + f"L({self.rng.randint(2, 5)})"
        return f", #tensoraccess.layout<{{{text}}}>"

    def encoded(self, shape):
        return self.type(shape, self.encoding(len(shape)))

    def lay_out(self, value, shape):
        type_ = self.encoded(shape)
        return self.emit(f"tensoraccess.relayout {value} : {self.type(shape)} to {type_}"), type_

    def back(self, value, type_, shape):
        plain = self.type(shape)
        return self.emit(f"tensoraccess.relayout {value} : {type_} to {plain}"), shape

    def filled(self, init, shape, type_):
        names = ", ".join(n for n in shape if isinstance(n, str))
        e = self.emit(f"tensor.empty({names}) : {type_}")
        return self.emit(f"linalg.fill ins({init} : f32) outs({e} : {type_}) -> {type_}")

    def nest(self, value, shape, kept, init, body):
        dims = [f"d{i}" for i in range(len(shape))]
        every = ", ".join(dims)
        x, x_type = self.lay_out(value, shape)
        if self.rng.random() < 0.3 and shape:
            at = self.rng.randrange(len(shape))
            if isinstance(shape[at], str):
                # The size of a tensor in tiles.
                shape = list(shape)
                shape[at] = self.emit(f"tensor.dim {x}, %c{at} : {x_type}")
        result = [shape[i] for i in kept]
        r_type = self.encoded(result) if result else self.type(result)
        f = self.filled(init, result, r_type)
        iterators = ", ".join(
            '"parallel"' if i in kept else '"reduction"' for i in range(len(shape))
        )
        g = self.emit(
            f"linalg.generic {{indexing_maps = [affine_map<({every}) -> ({every})>, "
            f"affine_map<({every}) -> ({', '.join(dims[i] for i in kept)})>], "
            f"iterator_types = [{iterators}]}} ins({x} : {x_type}) outs({f} : {r_type}) {{\n"
            f"^bb0(%in: f32, %out: f32):\n{body}\nlinalg.yield %y : f32\n}} -> {r_type}"
        )
        return self.back(g, r_type, result) if result else (g, result)

    def map(self, value, shape):
        bodies = ["%y = arith.divf %one, %in : f32", "%y = arith.addf %in, %one : f32"]
        if shape:
            bodies.append(
                "%i = linalg.index 0 : index\n%c = arith.index_cast %i : index to i32\n"
                "%s = arith.sitofp %c : i32 to f32\n%y = arith.addf %in, %s : f32"
            )
        return self.nest(
            value, shape, list(range(len(shape))), "%zero", self.rng.choice(bodies)
        )

    def reduce(self, value, shape):
        kept = [i for i in range(len(shape)) if self.rng.random() < 0.5]
        self.rng.shuffle(kept)
        init, op = self.rng.choice(
            [("%zero", "addf"), ("%low", "maximumf"), ("%high", "minimumf"), ("%one", "mulf")]
        )
        return self.nest(value, shape, kept, init, f"%y = arith.{op} %out, %in : f32")

    def matmul(self, value, shape):
        if len(shape) != 2:
            return self.map(value, shape)
        (m, k), n = shape, self.rng.randint(1, 9)
        x, x_type = self.lay_out(value, shape)
        w = self.filled("%one", [k, n], w_type := self.encoded([k, n]))
        f = self.filled("%zero", [m, n], f_type := self.encoded([m, n]))
        r = self.emit(
            f"linalg.matmul ins({x}, {w} : {x_type}, {w_type}) outs({f} : {f_type}) -> {f_type}"
        )
        return self.back(r, f_type, [m, n])

    def unary(self, value, shape):
        if not shape:
            return value, shape
        x, type_ = self.lay_out(value, shape)
        return self.back(self.emit(f"arith.negf {x} : {type_}"), type_, shape)

    def transpose(self, value, shape):
        if not shape:
            return value, shape
        p = self.rng.sample(range(len(shape)), len(shape))
        x, x_type = self.lay_out(value, shape)
        result = [shape[i] for i in p]
        r_type = self.encoded(result)
        t = self.emit(f"tensoraccess.relayout {x} permutation = {p} : {x_type} to {r_type}")
        return self.back(t, r_type, result)

    def flatten(self, value, shape):
        if sum(isinstance(n, str) for n in shape) != 1:
            return self.transpose(value, shape)
        x, x_type = self.lay_out(value, shape)
        r_type = self.encoded(["?"])
        r = self.emit(f"tensoraccess.relayout {x} : {x_type} to {r_type}")
        n = self.emit(f"tensor.dim {r}, %c0 : {r_type}")
        return self.back(r, r_type, [n])

    def pad(self, value, shape):
        if not shape:
            return value, shape
        x, x_type = self.lay_out(value, shape)
        low = [self.rng.choice([0, 0, 1]) if isinstance(n, int) else 0 for n in shape]
        high = [self.rng.choice([0, 0, 2]) if isinstance(n, int) else 0 for n in shape]
        result = [n if isinstance(n, str) else n + a + b for n, a, b in zip(shape, low, high)]
        r_type = self.type(result, x_type[x_type.index(",") : -1])
        arguments = ", ".join(f"%p{i}: index" for i in range(len(shape)))
        p = self.emit(
            f"tensor.pad {x} low{low} high{high} {{\n^bb0({arguments}):\n"
            f"tensor.yield %one : f32\n}} : {x_type} to {r_type}"
        )
        return self.back(p, r_type, result)

    def slice(self, value, shape):
        if not shape:
            return value, shape
        x, x_type = self.lay_out(value, shape)
        result = [n if isinstance(n, str) else self.rng.randint(1, n) for n in shape]
        r_type = self.type(result, x_type[x_type.index(",") : -1])
        s = self.emit(
            f"tensor.extract_slice {x}[{', '.join('0' for _ in shape)}] "
            f"[{', '.join(map(str, result))}] [{', '.join('1' for _ in shape)}] "
            f": {x_type} to {r_type}"
        )
        return self.back(s, r_type, result)

    def unit(self, value, shape):
        # A dimension of size 1 more, and, some ops later, one less.
        if not shape:
            return value, shape
        at, first = self.rng.randrange(len(shape)), self.rng.random() < 0.5
        pair = [1, shape[at]] if first else [shape[at], 1]
        result = [*shape[:at], *pair, *shape[at + 1 :]]
        groups = [
            [i] if i < at else [i, i + 1] if i == at else [i + 1] for i in range(len(shape))
        ]
        x, x_type = self.lay_out(value, shape)
        r_type = self.encoded(result)
        e = self.emit(
            f"tensor.expand_shape {x} {groups} output_shape [{', '.join(map(str, result))}] "
            f": {x_type} into {r_type}"
        )
        value, _ = self.back(e, r_type, result)
        value, _ = self.unary(value, result)
        x, x_type = self.lay_out(value, result)
        r_type = self.encoded(shape)
        c = self.emit(f"tensor.collapse_shape {x} {groups} : {x_type} into {r_type}")
        return self.back(c, r_type, shape)

    def loop(self, value, shape):
        if not shape:
            return value, shape
        x, type_ = self.lay_out(value, shape)
        r = self.emit(
            f"scf.for %i = %c0 to %c3 step %c1 iter_args(%a = {x}) -> ({type_}) {{\n"
            f"%b = arith.addf %a, %a : {type_}\nscf.yield %b : {type_}\n}}"
        )
        return self.back(r, type_, shape)


def check(program, lowered, seed):
    assert "tensoraccess" not in str(lowered)
    interpreter, code = ta.Module(program.text).interpret(), lowered.compile()
    for _ in range(4):
        sizes = program.draw_sizes()
        x = np.random.default_rng(seed).standard_normal(sizes, dtype=np.float32)
        with np.errstate(all="ignore"):
            expected, got = interpreter(x), code(x)
        np.testing.assert_array_equal(got, expected, err_msg=f"{sizes}\n{program.text}")


@pytest.mark.parametrize("way", ["pack", "steps"])
@pytest.mark.parametrize("seed", range(30))
def test_materialized(seed, way):
    program = Program(seed if way == "pack" else seed + 1000)
    lowered = ta.Module(program.text).run(f"tensoraccess-materialize-layouts{{way={way}}}")
    check(program, lowered, seed)


@pytest.mark.parametrize("way", ["pack", "steps"])
@pytest.mark.parametrize("seed", range(15))
def test_lowered(seed, way):
    program = Program(seed, steps=("transpose", "flatten"), inner=True)
    lowered = ta.Module(program.text).run(f"tensoraccess-materialize-layouts{{way={way}}}")
    check(program, lowered, seed)


def test_every_size_around_a_tile():
    module = ta.Module(
        """
        func.func @main(%x: tensor<?x100xf32>) -> tensor<100xf32> {
          %low = arith.constant 0xFF800000 : f32
          %e = tensor.empty() : tensor<100xf32>
          %f = linalg.fill ins(%low : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
          %0 = tensoraccess.relayout %x : tensor<?x100xf32>
            to tensor<?x100xf32, #tensoraccess.layout<{1,0:T(8,128)}>>
          %1 = linalg.reduce { arith.maximumf }
            ins(%0 : tensor<?x100xf32, #tensoraccess.layout<{1,0:T(8,128)}>>)
            outs(%f : tensor<100xf32>) dimensions = [0]
          return %1 : tensor<100xf32>
        }
        """
    )
    code = module.run("tensoraccess-materialize-layouts").compile()
    for n in SIZES:
        # Padding is zero, and greater than all.
        x = -1 - np.random.default_rng(n).random((n, 100), dtype=np.float32)
        np.testing.assert_array_equal(code(x), x.max(0, initial=-np.inf))


CONTRACTIONS = {
    "matmul": (
        "%a: tensor<?x24xf32>, %b: tensor<24x32xf32>",
        "?x32",
        "linalg.matmul ins(%a, %b : tensor<?x24xf32>, tensor<24x32xf32>)",
        lambda n: [(n, 24), (24, 32)],
    ),
    "batch": (
        "%a: tensor<?x6x5xf32>, %b: tensor<?x5x16xf32>",
        "?x6x16",
        "linalg.batch_matmul ins(%a, %b : tensor<?x6x5xf32>, tensor<?x5x16xf32>)",
        lambda n: [(n, 6, 5), (n, 5, 16)],
    ),
    "nchw": (
        "%a: tensor<?x16x9x8xf32>, %b: tensor<20x16x3x3xf32>",
        "?x20x7x6",
        "linalg.conv_2d_nchw_fchw "
        "ins(%a, %b : tensor<?x16x9x8xf32>, tensor<20x16x3x3xf32>)",
        lambda n: [(n, 16, 9, 8), (20, 16, 3, 3)],
    ),
    "nhwc": (
        "%a: tensor<?x9x8x16xf32>, %b: tensor<3x3x16x20xf32>",
        "?x7x6x20",
        "linalg.conv_2d_nhwc_hwcf "
        "ins(%a, %b : tensor<?x9x8x16xf32>, tensor<3x3x16x20xf32>)",
        lambda n: [(n, 9, 8, 16), (3, 3, 16, 20)],
    ),
    "depthwise": (
        "%a: tensor<?x16x9x8xf32>, %b: tensor<16x3x3xf32>",
        "?x16x7x6",
        "linalg.depthwise_conv_2d_nchw_chw "
        "ins(%a, %b : tensor<?x16x9x8xf32>, tensor<16x3x3xf32>)",
        lambda n: [(n, 16, 9, 8), (16, 3, 3)],
    ),
}


@pytest.mark.parametrize("target", ["generic", "systolic-16x16"])
@pytest.mark.parametrize("name", CONTRACTIONS)
def test_assigned(name, target):
    arguments, shape, call, shapes = CONTRACTIONS[name]
    result = f"tensor<{shape}xf32>"
    source = arguments.split(": ")[1].split(">")[0] + ">"
    module = ta.Module(
        f"""
        func.func @main({arguments}) -> {result} {{
          %c0 = arith.constant 0 : index
          %zero = arith.constant 0.0 : f32
          %n = tensor.dim %a, %c0 : {source}
          %e = tensor.empty(%n) : {result}
          %f = linalg.fill ins(%zero : f32) outs(%e : {result}) -> {result}
          %r = {call} outs(%f : {result}) -> {result}
          %o = arith.negf %r : {result}
          return %o : {result}
        }}
        """
    )
    assigned = module.run(
        f"tensoraccess-assign-layouts{{target={target} dynamic-size=1000}}"
    )
    # Of the others, every element is used too few times.
    assert ("#tensoraccess.layout" in str(assigned)) == (
        name in ("matmul", "nchw", "nhwc")
    ), str(assigned)
    physical = assigned.run("tensoraccess-materialize-layouts")
    assert "tensoraccess" not in str(physical)
    interpreter, code = module.interpret(), physical.compile()
    for n in (0, 1, 7, 17):
        rng = np.random.default_rng(n)
        inputs = [rng.standard_normal(s, dtype=np.float32) for s in shapes(n)]
        np.testing.assert_array_equal(code(*inputs), interpreter(*inputs))
