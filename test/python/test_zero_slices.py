# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices that are said to be zero are, in random programs of StableHLO."""

import numpy as np
import pytest
import tensoraccess as ta


class Program:
    """Random ops, all of whose results are returned."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.lines, self.values = [], [("%x", (3, 4)), ("%y", (3, 4))]
        for _ in range(10):
            getattr(self, self.rng.choice(["pad", "slice", "transpose", "binary", "mask",
                                           "reduce", "concatenate", "unary", "dot"]))()  # fmt: skip

    def type(self, shape, element="f32"):
        return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"

    def add(self, text, shape):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        self.values.append((name, tuple(shape)))
        return name

    def pick(self, shape=None):
        fits = [v for v in self.values if len(v[1]) == 2 and shape in (None, v[1])]
        return fits[self.rng.integers(len(fits))]

    def constant(self, number):
        name = self.add(f"stablehlo.constant dense<{number:.1f}> : tensor<f32>", ())
        self.values.pop()
        self.values.append((name, ()))
        return name

    def pad(self):
        x, shape = self.pick()
        zero = self.constant(self.rng.choice([0.0, 0.0, 1.0]))
        low, high = (self.rng.integers(-1, 3, 2).tolist() for _ in range(2))
        inner = self.rng.integers(0, 2, 2).tolist()
        new = [n + (n - 1) * k + a + b for n, k, a, b in zip(shape, inner, low, high)]
        if min(new) < 1 or max(new) > 12:
            return
        types = f"({self.type(shape)}, tensor<f32>) -> {self.type(new)}"
        self.add(f"stablehlo.pad {x}, {zero}, low = {low}, high = {high}, interior = {inner} : "
                 + types, new)  # fmt: skip

    def slice(self):
        x, shape = self.pick()
        ranges = [sorted(self.rng.integers(0, n + 1, 2).tolist()) for n in shape]
        new = [b - a for a, b in ranges]
        if min(new) < 1:
            return
        text = ", ".join(f"{a}:{b}" for a, b in ranges)
        self.add(f"stablehlo.slice {x} [{text}] : ({self.type(shape)}) -> {self.type(new)}", new)

    def transpose(self):
        x, shape = self.pick()
        new = shape[::-1]
        self.add(f"stablehlo.transpose {x}, dims = [1, 0] : ({self.type(shape)}) -> "
                 + self.type(new), new)  # fmt: skip

    def binary(self):
        x, shape = self.pick()
        y, _ = self.pick(shape)
        op = self.rng.choice(["multiply", "multiply", "add", "maximum", "subtract"])
        self.add(f"stablehlo.{op} {x}, {y} : {self.type(shape)}", shape)

    def unary(self):
        x, shape = self.pick()
        op = self.rng.choice(["negate", "abs", "tanh", "sign"])
        self.add(f"stablehlo.{op} {x} : {self.type(shape)}", shape)

    def mask(self):
        x, shape = self.pick()
        y, _ = self.pick(shape)
        i, j = (self.add(f"stablehlo.iota dim = {d} : {self.type(shape, 'i32')}", ())
                for d in (0, 1))  # fmt: skip
        pred = self.add(f"stablehlo.compare {self.rng.choice(['GE', 'LT', 'EQ'])}, {i}, {j} : "
                        f"({self.type(shape, 'i32')}, {self.type(shape, 'i32')}) -> "
                        + self.type(shape, "i1"), ())  # fmt: skip
        del self.values[-3:]
        self.add(f"stablehlo.select {pred}, {x}, {y} : {self.type(shape, 'i1')}, "
                 + self.type(shape), shape)  # fmt: skip

    def reduce(self):
        x, shape = self.pick()
        op, start = [("add", 0.0), ("maximum", 0.0), ("multiply", 1.0)][self.rng.integers(3)]
        init = self.constant(start)
        dim = int(self.rng.integers(2))
        new = shape[1 - dim : 2 - dim]
        self.add(f"stablehlo.reduce({x} init: {init}) applies stablehlo.{op} across dimensions "
                 f"= [{dim}] : ({self.type(shape)}, tensor<f32>) -> {self.type(new)}", new)  # fmt: skip

    def concatenate(self):
        x, shape = self.pick()
        y, _ = self.pick(shape)
        if shape[0] > 6:
            return
        new = (2 * shape[0], shape[1])
        self.add(f"stablehlo.concatenate {x}, {y}, dim = 0 : ({self.type(shape)}, "
                 f"{self.type(shape)}) -> {self.type(new)}", new)  # fmt: skip

    def dot(self):
        x, shape = self.pick()
        y, _ = self.pick(shape)
        new = (shape[0], shape[0])
        self.add(f"stablehlo.dot_general {x}, {y}, contracting_dims = [1] x [1] : "
                 f"({self.type(shape)}, {self.type(shape)}) -> {self.type(new)}", new)  # fmt: skip

    def text(self):
        results = self.values[2:]
        types = ", ".join(self.type(shape) for _, shape in results)
        body = "\n".join(self.lines)
        return (f"func.func @main(%x: tensor<3x4xf32>, %y: tensor<3x4xf32>) -> ({types}) {{\n{body}\n"
                f"return {', '.join(v for v, _ in results)} : {types}\n}}")  # fmt: skip


def check(program, module, finite, inputs):
    """The number of intervals that are claimed, and hold."""
    results = module.interpret("main")(*inputs)
    results = results if isinstance(results, (list, tuple)) else [results]
    found = {name: np.asarray(r) for (name, _), r in zip(program.values[2:], results)}
    claimed = 0
    for zeros in module.zero_regions(assume_finite=finite)["main"]:
        name = program.lines[int(zeros.location.split(":")[-2]) - 2].split(" = ")[0]
        if name not in found:
            continue
        for axis, intervals in enumerate(zeros.axes):
            for first, last in intervals:
                part = np.take(found[name], range(first, last + 1), axis)
                assert not part.any(), (program.text(), name, axis, first, last)
                claimed += 1
    return claimed


@pytest.mark.parametrize("finite", [True, False])
def test_zero_slices(finite):
    claimed = 0
    for seed in range(60):
        program = Program(seed)
        if len(program.values) == 2:
            continue
        rng = np.random.default_rng(seed)
        inputs = [rng.standard_normal((3, 4)).astype(np.float32) for _ in range(2)]
        if not finite:
            inputs[0][:, ::2] = np.nan
            inputs[1][1] = np.inf
        claimed += check(program, ta.Module(program.text()), finite, inputs)
    assert claimed > (200 if finite else 150)
