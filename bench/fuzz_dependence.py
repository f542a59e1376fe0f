#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs with masks: what they depend on against what perturbation shows.

    fuzz_dependence.py [--loops] [PROGRAMS [SEED]]

prints how many were compared, and faults; with --loops some of the ops are in loops.

Each program is written as StableHLO and run by numpy, apart, on a batch of inputs: the
same but for one element, which has other values. An output that changes with an input
element must be in the maps of ta.dependence. All numbers are finite but for those that
masks make.
"""

import random
import sys
import time
import warnings

import numpy as np
import tensoraccess as ta

TYPES = {"f32": np.float32, "i32": np.int32, "i1": np.bool_}
NEIGHBOURS = 3


def cut(a, x):
    """A scalar with the dimensions of x."""
    return a.reshape(a.shape[0], *[1] * (x.ndim - 1))


def join(*parts):
    n = max(x.shape[0] for x in parts)
    return np.concatenate([np.broadcast_to(x, (n, *x.shape[1:])) for x in parts], 2)


class Program:
    """Values of random ops: text, and arrays with a leading dimension for the batch."""

    def __init__(self, seed, loops=False):
        self.random, self.loops = random.Random(seed), loops
        self.lines, self.args, self.values = [], [], []
        self.count = 0
        # The counter of the loop whose body is written; NaN where one is inside of loops.
        self.counter, self.checks = None, []

    def type_of(self, shape, kind):
        return "tensor<" + "".join(f"{n}x" for n in shape) + kind + ">"

    def add(self, text, shape, kind, run):
        """`text` has {r} for the result's name."""
        name = f"%{self.count}"
        self.count += 1
        self.lines.append(text.replace("{r}", name))
        value = (name, tuple(shape), kind, run)
        self.values.append(value)
        return value

    def argument(self, shape, kind):
        name, number = f"%a{len(self.args)}", len(self.args)
        value = (name, tuple(shape), kind, lambda env: env[number])
        self.args.append(value)
        self.values.append(value)
        return value

    def emit(self, op, operands, attributes, shape, kind, run):
        """An op in its generic form; `run` gets the operands' arrays."""
        types = ", ".join(self.type_of(v[1], v[2]) for v in operands)
        names = ", ".join(v[0] for v in operands)
        attributes = f" <{{{attributes}}}>" if attributes else ""
        text = (
            f'{{r}} = "stablehlo.{op}"({names}){attributes} : ({types}) -> '
            f"{self.type_of(shape, kind)}"
        )
        cache = [None, None]

        def evaluate(env):
            if cache[0] is not env:
                cache[:] = env, run(*(v[3](env) for v in operands))
            return cache[1]

        return self.add(text, shape, kind, evaluate)

    # What numbers are, which no argument leads to.

    def constant(self, array, kind):
        array = np.asarray(array, TYPES[kind])

        def show(x):
            if kind == "i1":
                return "true" if x else "false"
            if kind == "i32":
                return str(int(x))
            if np.isinf(x):
                return "0xFF800000" if x < 0 else "0x7F800000"
            return repr(float(x))

        def text(a):
            return "[" + ", ".join(map(text, a)) + "]" if a.ndim else show(a)

        body = text(array) if array.size else ""
        attribute = f"value = dense<{body}> : {self.type_of(array.shape, kind)}"
        return self.emit("constant", [], attribute, array.shape, kind, lambda: array[None])

    def iota(self, shape, dim, kind="i32"):
        array = np.broadcast_to(
            np.arange(shape[dim]).reshape([-1 if i == dim else 1 for i in range(len(shape))]),
            shape,
        ).astype(TYPES[kind])
        return self.emit(
            "iota", [], f"iota_dimension = {dim} : i64", shape, kind, lambda: array[None]
        )

    def splat(self, number, like_shape, kind):
        return self.broadcast(self.constant(number, kind), like_shape, [])

    # Moves.

    def broadcast(self, v, shape, dims):
        def run(x):
            order = np.argsort(dims) if dims else []
            x = x.transpose([0, *(1 + int(i) for i in order)])
            full = [x.shape[0]] + [1] * len(shape)
            for i in order:
                full[1 + dims[i]] = v[1][i]
            return np.broadcast_to(x.reshape(full), (x.shape[0], *shape))

        text = ", ".join(map(str, dims))
        return self.emit(
            "broadcast_in_dim", [v], f"broadcast_dimensions = array<i64{': ' if dims else ''}{text}>",
            shape, v[2], run,
        )  # fmt: skip

    def transpose(self, v):
        order = list(range(len(v[1])))
        self.random.shuffle(order)
        return self.emit(
            "transpose", [v], f"permutation = array<i64: {', '.join(map(str, order))}>",
            [v[1][i] for i in order], v[2], lambda x: x.transpose([0, *(1 + i for i in order)]),
        )  # fmt: skip

    def reshape(self, v):
        size = int(np.prod(v[1]))
        shapes = [(size,)] + [
            (a, size // a) for a in range(2, size) if size % a == 0
        ] + [v[1] + (1,)]
        shape = self.random.choice(shapes)
        return self.emit(
            "reshape", [v], "", shape, v[2], lambda x: x.reshape(x.shape[0], *shape)
        )

    def slice(self, v):
        starts, limits, steps = [], [], []
        for n in v[1]:
            a = self.random.randrange(n)
            b = self.random.randint(a + 1, n)
            starts.append(a), limits.append(b), steps.append(self.random.choice([1, 1, 2]))
        index = tuple(slice(a, b, c) for a, b, c in zip(starts, limits, steps))
        shape = np.empty(v[1])[index].shape
        lists = zip(("start_indices", "limit_indices", "strides"), (starts, limits, steps))
        text = ", ".join(f"{n} = array<i64: {', '.join(map(str, x))}>" for n, x in lists)
        return self.emit("slice", [v], text, shape, v[2], lambda x: x[(slice(None), *index)])

    def reverse(self, v):
        dim = self.random.randrange(len(v[1]))
        return self.emit(
            "reverse", [v], f"dimensions = array<i64: {dim}>", v[1], v[2],
            lambda x: np.flip(x, 1 + dim),
        )  # fmt: skip

    def pad(self, v):
        low = [self.random.choice([0, 0, 1, 2]) for _ in v[1]]
        high = [self.random.choice([0, 0, 1]) for _ in v[1]]
        number = self.random.choice([0.0, 0.0, 1.0, -np.inf]) if v[2] == "f32" else 0
        value = self.constant(number, v[2])
        shape = [n + a + b for n, a, b in zip(v[1], low, high)]
        zeros = ", ".join("0" for _ in v[1])
        text = (
            f"edge_padding_low = array<i64: {', '.join(map(str, low))}>, "
            f"edge_padding_high = array<i64: {', '.join(map(str, high))}>, "
            f"interior_padding = array<i64: {zeros}>"
        )
        return self.emit(
            "pad", [v, value], text, shape, v[2],
            lambda x, _: np.pad(
                x, [(0, 0), *zip(low, high)], constant_values=np.asarray(number, x.dtype)
            ),
        )  # fmt: skip

    def concatenate(self, a, b):
        dim = self.random.choice(
            [i for i in range(len(a[1])) if a[1][:i] + a[1][i + 1:] == b[1][:i] + b[1][i + 1:]]
        )  # fmt: skip
        shape = list(a[1])
        shape[dim] += b[1][dim]

        def run(x, y):
            n = max(x.shape[0], y.shape[0])
            x, y = (np.broadcast_to(z, (n, *z.shape[1:])) for z in (x, y))
            return np.concatenate([x, y], 1 + dim)

        return self.emit("concatenate", [a, b], f"dimension = {dim} : i64", shape, a[2], run)

    # Integers, of which bounds are known or not.

    def integers(self, shape, size):
        """Indices of a dimension of that size, most of them inside."""
        r = self.random
        kind = r.randrange(4)
        if kind == 0:
            numbers = [r.randint(-1, size) for _ in range(int(np.prod(shape)))]
            v = self.constant(np.array(numbers).reshape(shape), "i32")
        elif kind == 1 and shape:
            v = self.iota(shape, r.randrange(len(shape)))
        elif self.counter:
            v = self.broadcast(self.counter, shape, [])
        else:
            v = self.argument(shape, "i32")
        for _ in range(r.randint(0, 3)):
            v = self.bounded(v, size)
        return v

    def bounded(self, v, size):
        r, shape = self.random, v[1]

        def number(low, high):
            return self.splat(r.randint(low, high), shape, "i32")

        way = r.randrange(10)
        if way == 0:
            low, high = (self.constant(r.randint(-1, n), "i32") for n in (2, size))
            return self.emit(
                "clamp", [low, v, high], "", shape, "i32",
                lambda a, x, b: np.minimum(np.maximum(x, cut(a, x)), cut(b, x)),
            )  # fmt: skip
        if way <= 2:
            name = ["maximum", "minimum"][way - 1]
            return self.emit(name, [v, number(-1, size)], "", shape, "i32", self.BINARY[name])
        if way == 3:
            return self.emit("remainder", [v, number(1, size)], "", shape, "i32", np.fmod)
        if way == 4:
            return self.emit("and", [v, number(0, size)], "", shape, "i32", np.bitwise_and)
        if way == 5:
            return self.binary(v, number(-2, 2), r.choice(["add", "subtract", "multiply"]))
        if way == 6:
            return self.emit("abs", [v], "", shape, "i32", np.abs)
        if way == 7:
            return self.emit(
                "divide", [v, number(1, 3)], "", shape, "i32",
                lambda x, y: np.trunc(x / y).astype(np.int32),
            )  # fmt: skip
        # As an index counts from the end, or as in Python's %.
        p = self.compare(v, number(-1, 1))
        if r.random() < 0.5:
            known = self.compare(number(0, 2), number(0, 2))
            q = self.compare(self.compare(v, number(0, 2)), known)
            name, run = r.choice([("and", np.logical_and), ("or", np.logical_or)])
            p = self.emit(name, [p, q], "", shape, "i1", run)
        return self.select(p, self.binary(v, number(0, size), "add"), v)

    def gather(self, v):
        """Rows, or elements, of v at indices that are clamped."""
        count = self.random.randint(1, 4)
        if len(v[1]) != 2 or self.random.random() < 0.6:
            return self.rows(v, self.integers((count,), v[1][0]))
        parts = [self.integers((count,), n) for n in v[1]]
        columns = [
            self.emit("reshape", [x], "", (count, 1), "i32", lambda x: x[..., None]) for x in parts
        ]
        at = self.emit("concatenate", columns, "dimension = 1 : i64", (count, 2), "i32", join)
        return self.rows(v, at)

    def rows(self, v, at):
        """`at` has indices of the first dimensions, as many as it has columns."""
        k, count = (1 if len(at[1]) == 1 else at[1][1]), at[1][0]

        def run(x, at):
            n = max(x.shape[0], at.shape[0])
            x, at = (np.broadcast_to(z, (n, *z.shape[1:])) for z in (x, at))
            at = at.reshape(n, count, k)
            places = [np.clip(at[..., i], 0, v[1][i] - 1) for i in range(k)]
            return x[(np.arange(n)[:, None], *places)]

        offsets = ", ".join(str(i) for i in range(1, len(v[1]) - k + 1))
        dims = ", ".join(str(i) for i in range(k))
        sizes = ", ".join(str(n) for n in [1] * k + list(v[1][k:]))
        numbers = (
            f"offset_dims = [{offsets}], collapsed_slice_dims = [{dims}], "
            f"start_index_map = [{dims}], index_vector_dim = 1"
        )
        return self.emit(
            "gather", [v, at],
            f"dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64: {sizes}>",
            (count, *v[1][k:]), v[2], run,
        )  # fmt: skip

    def scatter(self, v):
        """Rows written to v, or combined with its own, where indices are inside."""
        r = self.random
        count, rank, name = r.randint(1, 4), len(v[1]), r.choice(["set", "set", "add", "maximum"])
        at, shape = self.integers((count,), v[1][0]), (count, *v[1][1:])
        same = [w for w in self.values if w[2] == "f32" and w[1] == shape]
        combine = self.BINARY.get(name, lambda _, y: y)
        if r.random() < 0.5 or not same:
            updates = self.splat(r.choice([0.0, 0.0, 1.0, -np.inf]), shape, "f32")
        else:
            updates = r.choice(same)

        def run(x, at, y):
            n = max(z.shape[0] for z in (x, at, y))
            out = np.broadcast_to(x, (n, *x.shape[1:])).copy()
            at, y = (np.broadcast_to(z, (n, *z.shape[1:])) for z in (at, y))
            for i in range(n):
                for k, row in enumerate(at[i]):
                    if 0 <= row < v[1][0]:
                        own = out[i, row]
                        out[i, row] = combine(own, y[i, k])
            return out

        windows = ", ".join(str(i) for i in range(1, rank))
        numbers = (
            f"update_window_dims = [{windows}], inserted_window_dims = [0], "
            f"scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
        )
        scalar = "tensor<f32>"
        body = f'%z = "stablehlo.{name}"(%x, %y) : ({scalar}, {scalar}) -> {scalar}\n'
        text = (
            f'{{r}} = "stablehlo.scatter"({v[0]}, {at[0]}, {updates[0]}) '
            f"<{{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}> ({{\n"
            f"^bb0(%x: {scalar}, %y: {scalar}):\n{'' if name == 'set' else body}"
            f'"stablehlo.return"({"%y" if name == "set" else "%z"}) : (tensor<f32>) -> ()\n}}) : '
            f"({self.type_of(v[1], 'f32')}, {self.type_of(at[1], 'i32')}, "
            f"{self.type_of(shape, 'f32')}) -> {self.type_of(v[1], 'f32')}"
        )
        return self.add(text, v[1], "f32", lambda env: run(v[3](env), at[3](env), updates[3](env)))

    def start(self, size, part):
        """A number, an argument, or computed from values."""
        way = self.random.randrange(5)
        if way >= 3:
            return self.integers((), size)
        if way == 0:
            return self.constant(self.random.randint(-1, size), "i32")
        if way == 1:
            return self.counter or self.argument((), "i32")
        v = self.random.choice([v for v in self.values if v[2] == "f32"])
        for _ in v[1]:
            v = self.reduce(v, 0, "add")
        return self.convert(self.compare(v, self.constant(0.0, "f32")), "i32")

    def place(self, v, inserts):
        """A part at a start, read from a value or written into one."""
        part = [self.random.randint(1, n) for n in v[1]]
        starts = [self.start(n, p) for n, p in zip(v[1], part)]

        def read(x, *at):
            n = max(y.shape[0] for y in (x, *at))
            x = np.broadcast_to(x, (n, *x.shape[1:]))
            out = np.empty((n, *part), x.dtype)
            for i in range(n):
                first = [
                    min(max(int(a[i % a.shape[0]]), 0), size - p)
                    for a, size, p in zip(at, v[1], part)
                ]
                out[i] = x[i][tuple(slice(a, a + p) for a, p in zip(first, part))]
            return out

        def write(x, y, *at):
            n = max(z.shape[0] for z in (x, y, *at))
            out = np.broadcast_to(x, (n, *x.shape[1:])).copy()
            for i in range(n):
                first = [
                    min(max(int(a[i % a.shape[0]]), 0), size - p)
                    for a, size, p in zip(at, v[1], part)
                ]
                index = tuple(slice(a, a + p) for a, p in zip(first, part))
                out[i][index] = y[i % y.shape[0]]
            return out

        if not inserts:
            return self.emit(
                "dynamic_slice", [v, *starts], f"slice_sizes = array<i64: {', '.join(map(str, part))}>",
                part, v[2], read,
            )  # fmt: skip
        update = self.emit(
            "slice", [v],
            f"start_indices = array<i64: {', '.join('0' for _ in part)}>, "
            f"limit_indices = array<i64: {', '.join(map(str, part))}>, "
            f"strides = array<i64: {', '.join('1' for _ in part)}>",
            part, v[2], lambda x: x[(slice(None), *(slice(0, p) for p in part))],
        )  # fmt: skip
        if self.random.random() < 0.5:
            update = self.splat(self.random.choice([0.0, 2.0, -np.inf]), part, "f32")
        return self.emit(
            "dynamic_update_slice", [v, update, *starts], "", v[1], v[2], write
        )

    # Scalar functions.

    UNARY = {
        "exponential": lambda x: np.exp(np.minimum(x, 20)),
        "tanh": np.tanh,
        "negate": np.negative,
        "abs": np.abs,
        "logistic": lambda x: 1 / (1 + np.exp(-x)),
    }
    BINARY = {
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "maximum": np.maximum,
        "minimum": np.minimum,
        "divide": np.divide,
    }
    COMPARE = {
        "EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal,
        "GT": np.greater, "GE": np.greater_equal,
    }  # fmt: skip

    def unary(self, v):
        name = self.random.choice(sorted(self.UNARY))
        return self.emit(name, [v], "", v[1], v[2], self.UNARY[name])

    def binary(self, a, b, name=None):
        name = name or self.random.choice(sorted(set(self.BINARY) - {"divide"}))
        return self.emit(name, [a, b], "", a[1], a[2], self.BINARY[name])

    def compare(self, a, b):
        name = self.random.choice(sorted(self.COMPARE))
        return self.emit(
            "compare", [a, b], f"comparison_direction = #stablehlo<comparison_direction {name}>",
            a[1], "i1", self.COMPARE[name],
        )  # fmt: skip

    def select(self, p, a, b):
        return self.emit("select", [p, a, b], "", a[1], a[2], np.where)

    def convert(self, v, kind):
        return self.emit("convert", [v], "", v[1], kind, lambda x: x.astype(TYPES[kind]))

    def reduce(self, v, dim, name):
        neutral = {"add": 0.0, "maximum": -np.inf, "minimum": np.inf}[name]
        start = self.constant(neutral, "f32")
        shape = v[1][:dim] + v[1][dim + 1 :]
        run = {"add": np.sum, "maximum": np.max, "minimum": np.min}[name]
        text = (
            f'{{r}} = "stablehlo.reduce"({v[0]}, {start[0]}) '
            f"<{{dimensions = array<i64: {dim}>}}> ({{\n"
            f"^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
            f'%z = "stablehlo.{name}"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n'
            f'"stablehlo.return"(%z) : (tensor<f32>) -> ()\n}}) : '
            f"({self.type_of(v[1], 'f32')}, tensor<f32>) -> {self.type_of(shape, 'f32')}"
        )
        return self.add(text, shape, "f32", lambda env: run(v[3](env), 1 + dim))

    def dot(self, a, b, i, j):
        shape = a[1][:i] + a[1][i + 1 :] + b[1][:j] + b[1][j + 1 :]
        letters = "abcdefgh"
        left = list(letters[: len(a[1])])
        right = list(letters[4 : 4 + len(b[1])])
        left[i] = right[j] = "z"
        out = [x for x in left + right if x != "z"]
        spec = f"n{''.join(left)},n{''.join(right)}->n{''.join(out)}"

        def run(x, y):
            n = max(x.shape[0], y.shape[0])
            x, y = (np.broadcast_to(z, (n, *z.shape[1:])) for z in (x, y))
            # Products one by one: infinities and NaN as they are.
            return np.einsum(spec, x, y, optimize=False)

        numbers = (
            f"lhs_contracting_dimensions = [{i}], rhs_contracting_dimensions = [{j}]"
        )
        return self.emit(
            "dot_general", [a, b], f"dot_dimension_numbers = #stablehlo.dot<{numbers}>",
            shape, "f32", run,
        )  # fmt: skip

    # What masks are made of.

    def mask(self, shape):
        r = self.random
        kind = r.randrange(6)
        if kind <= 1 and len(shape) >= 2:
            i, j = r.sample(range(len(shape)), 2)
            a, b = self.iota(shape, i), self.iota(shape, j)
            if r.random() < 0.5:
                a = self.binary(a, self.splat(r.randint(-2, 2), shape, "i32"), "add")
            p = self.compare(a, b)
        elif kind == 2:
            a = self.iota(shape, r.randrange(len(shape)))
            p = self.compare(a, self.splat(r.randint(0, 3), shape, "i32"))
        elif kind == 3 and len(shape) == 2:
            i, j = np.indices(shape)
            choice = r.randrange(4)
            array = [
                i - j <= r.randint(-2, 2), np.abs(i - j) <= 1, i // 2 == j // 2, (i + j) % 2 == 0,
            ][choice]  # fmt: skip
            p = self.constant(array, "i1")
        else:
            array = np.array([r.random() < 0.5 for _ in range(int(np.prod(shape)))])
            p = self.constant(array.reshape(shape), "i1")
        if r.random() < 0.15 and shape:
            # Its rows in another order, perhaps some of them twice.
            at = self.integers((shape[0],), shape[0])
            p = self.rows(p, at)
        if r.random() < 0.3:
            q = self.mask(shape) if r.random() < 0.5 else p
            name, run = r.choice([("and", np.logical_and), ("or", np.logical_or)])
            p = self.emit(name, [p, q], "", shape, "i1", run)
        if r.random() < 0.2:
            p = self.emit("not", [p], "", shape, "i1", np.logical_not)
        return p

    def masked(self, v):
        number = self.random.choice([0.0, 0.0, -np.inf, 1.0])
        if self.random.random() < 0.3:
            # Finite, of all magnitudes that f32 has.
            number = -(10 ** self.random.uniform(1, 38.5))
        other = self.splat(number, v[1], "f32")
        way = self.random.randrange(3)
        p = self.mask(v[1])
        if way == 0:
            return self.select(p, v, other)
        if way == 1:
            return self.select(p, other, v)
        factor = self.convert(p, "f32")
        return self.binary(v, factor, "multiply")

    def softmax(self, v):
        dim = self.random.randrange(len(v[1]))
        kept = [i for i in range(len(v[1])) if i != dim]
        most = self.broadcast(self.reduce(v, dim, "maximum"), v[1], kept)
        powers = self.emit(
            "exponential", [self.binary(v, most, "subtract")], "", v[1], "f32", np.exp
        )
        total = self.broadcast(self.reduce(powers, dim, "add"), v[1], kept)
        return self.binary(powers, total, "divide")

    def loop(self):
        """A few trips, or as many as an argument says: 1 to 3 arrays and a counter."""
        r = self.random
        floats = [v for v in self.values if v[2] == "f32" and v[1] and np.prod(v[1]) <= 30]
        first, move, trips = r.randint(-1, 2), r.choice([1, 1, 2, -1]), r.randint(0, 4)
        limit = self.constant(first + move * trips, "i32")
        if r.random() < 0.2:
            move, limit = 1, self.argument((), "i32")
        init = [self.constant(first, "i32")]
        for _ in range(r.randint(1, 3)):
            v = r.choice(floats[-3:])
            init.append(self.splat(0.0, v[1], "f32") if r.random() < 0.4 else v)
        outside, lines = self.values, self.lines

        def block(start):
            """Arguments, and a region's first lines: values by the loop's own environment."""
            self.lines, self.values = [], [
                (name, shape, kind, lambda env, run=run: run(env[-1]))
                for name, shape, kind, run in start
            ]  # fmt: skip
            state = []
            for k, v in enumerate(init):
                name = f"%s{self.count}"
                self.count += 1
                state.append((name, v[1], v[2], lambda env, k=k: env[k]))
            heads = ", ".join(f"{v[0]}: {self.type_of(v[1], v[2])}" for v in state)
            return state, f"^bb0({heads}):"

        def close(values):
            types = ", ".join(self.type_of(v[1], v[2]) for v in values)
            names = ", ".join(v[0] for v in values)
            return "\n".join([*self.lines, f'"stablehlo.return"({names}) : ({types}) -> ()'])

        state, head = block([limit])
        name = "LT" if move > 0 else "GT"
        goes_on = self.emit(
            "compare", [state[0], self.values[0]],
            f"comparison_direction = #stablehlo<comparison_direction {name}>", (), "i1",
            np.less if move > 0 else np.greater,
        )  # fmt: skip
        condition = f"{head}\n{close([goes_on])}"

        state, head = block(outside)
        self.values += state[1:]
        self.counter, before = state[0], len(self.values)
        for _ in range(r.randint(1, 5)):
            self.step()
        moved = self.binary(state[0], self.constant(move, "i32"), "add")
        inner = [v for v in self.values[before:] if v[2] == "f32"]
        out = [moved]
        for v in state[1:]:
            same = [w for w in (*state[1:], *inner) if w[1] == v[1]]
            out.append(r.choice(same[-3:] if r.random() < 0.8 else same))
        body = f"{head}\n{close(out)}"
        self.counter, self.values, self.lines = None, outside, lines
        cache = [None, None]

        def run(env):
            if cache[0] is env:
                return cache[1]
            now, nan = [v[3](env) for v in init], np.zeros(1, bool)
            while True:
                inside = [*now, env]
                active = np.asarray(goes_on[3](inside))
                if not active.any():
                    break
                following = [v[3](inside) for v in out]
                for v in inner:
                    own = np.isnan(v[3](inside))
                    nan = nan | own.reshape(own.shape[0], -1).any(1) & active
                now = [
                    np.where(active.reshape(-1, *[1] * (x.ndim - 1)), x, y)
                    for x, y in zip(following, now)
                ]
            cache[:] = env, (now, np.where(nan, np.nan, 0.0))
            return cache[1]

        result = f"%{self.count}"
        self.count += 1
        types = ", ".join(self.type_of(v[1], v[2]) for v in init)
        self.lines.append(
            f'{result}:{len(init)} = "stablehlo.while"({", ".join(v[0] for v in init)}) '
            f"({{\n{condition}\n}}, {{\n{body}\n}}) : ({types}) -> ({types})"
        )
        self.checks.append(lambda env: run(env)[1])
        for k, v in enumerate(init):
            value = (f"{result}#{k}", v[1], v[2], lambda env, k=k: run(env)[0][k])
            if k:
                self.values.append(value)
        return self.values[-1]

    def step(self):
        r = self.random
        if self.loops and not self.counter and r.random() < 0.3:
            return self.loop()
        floats = [v for v in self.values if v[2] == "f32" and v[1] and np.prod(v[1]) <= 60]
        v = r.choice(floats[-4:] if r.random() < 0.7 else floats)
        same = [w for w in floats if w[1] == v[1]]
        way = r.randrange(20)
        if way >= 17:
            return r.choice([self.gather, self.scatter, lambda v: self.place(v, False)])(v)
        if way <= 3:
            return self.masked(v)
        if way == 4:
            return self.unary(v)
        if way <= 6:
            return self.binary(v, r.choice(same))
        if way == 7:
            return self.softmax(v)
        if way == 8:
            return self.reduce(v, r.randrange(len(v[1])), r.choice(["add", "maximum", "minimum"]))
        if way == 9:
            return r.choice([self.transpose, self.reshape, self.reverse])(v)
        if way == 10:
            return r.choice([self.slice, self.pad])(v)
        if way == 11:
            partners = [
                w for w in floats
                if any(a[:i] + a[i + 1:] == b[:i] + b[i + 1:] for a, b in [(v[1], w[1])]
                       if len(a) == len(b) for i in range(len(a)))
            ]  # fmt: skip
            return self.concatenate(v, r.choice(partners))
        if way == 12:
            extra = r.randint(2, 3)
            rank = len(v[1])
            if rank >= 3:
                return v
            return self.broadcast(v, (*v[1], extra), list(range(rank)))
        if way == 13:
            return self.select(self.compare(v, r.choice(same)), v, r.choice(same))
        if way >= 15:
            return self.place(v, way == 15)
        pairs = [
            (w, i, j) for w in floats for i, n in enumerate(v[1]) for j, m in enumerate(w[1])
            if n == m and len(v[1]) + len(w[1]) <= 4
        ]  # fmt: skip
        if not pairs:
            return v
        w, i, j = r.choice(pairs)
        return self.dot(v, w, i, j)

    def make(self):
        r = self.random
        n = r.randint(2, 4)
        for _ in range(r.randint(1, 2)):
            shape = r.choice([(n,), (n, n), (n, n + 1), (2, n)])
            self.argument(shape, "f32")
        last = self.args[0]
        for _ in range(r.randint(3, 9)):
            last = self.step()
        return last

    def text(self, result):
        arguments = ", ".join(f"{v[0]}: {self.type_of(v[1], v[2])}" for v in self.args)
        kind = self.type_of(result[1], result[2])
        return (
            f"func.func @main({arguments}) -> {kind} {{\n"
            + "\n".join(self.lines)
            + f"\nreturn {result[0]} : {kind}\n}}\n"
        )


def observe(program, result, seed):
    """Pairs (argument, output, input) that perturbation shows, as a set."""
    numbers = np.random.default_rng(seed)
    seen = set()
    base = [
        numbers.standard_normal(v[1]).astype(np.float32)
        if v[2] == "f32"
        else numbers.integers(0, 3, v[1]).astype(np.int32)
        for v in program.args
    ]
    for number, value in enumerate(program.args):
        size = int(np.prod(value[1]))
        batch = [np.broadcast_to(x, (1 + NEIGHBOURS * size, *x.shape)) for x in base]
        own = batch[number].copy().reshape(1 + NEIGHBOURS * size, size)
        for k in range(NEIGHBOURS):
            rows = 1 + k * size + np.arange(size)
            change = numbers.standard_normal(size) * [0.3, 1, 5][k]
            if value[2] == "i32":
                change = np.sign(change).astype(np.int32) * (k + 1)
            own[rows, np.arange(size)] += change
        batch[number] = own.reshape(batch[number].shape)
        out = np.asarray(result[3](batch))
        if out.shape[0] == 1:
            continue
        # What masks make infinite may lead to a NaN always, or never.
        fine = np.ones(out.shape[0], bool)
        runs = [run for _, _, kind, run in program.values if kind == "f32"]
        for run in (*runs, *program.checks):
            inner = run(batch)
            if inner.shape[0] == out.shape[0]:
                nans = np.isnan(inner).reshape(out.shape[0], -1)
                fine &= ~(nans & ~nans.all(0)).any(1)
        if not fine[0]:
            continue
        flat = out.reshape(out.shape[0], -1)
        with np.errstate(all="ignore"):
            changed = (flat != flat[:1]) & np.isfinite(flat) & np.isfinite(flat[:1])
        changed &= fine[:, None]
        for row, place in zip(*np.nonzero(changed)):
            seen.add((number, int(place), int((row - 1) % size)))
    return seen


def flatten(index, shape):
    return int(np.ravel_multi_index(tuple(index), shape)) if shape else 0


def reached(program, result, answer):
    """The pairs that the maps have."""
    pairs = set()
    for number, value in enumerate(program.args):
        for m in answer.pairs[0][number].maps:
            values, inside = m.evaluate_all()
            if inside.size == 0:
                continue
            places = np.argwhere(np.atleast_1d(inside))[:, : inside.ndim]
            starts = np.array([v.lower for v in m.dims], int)
            outs = places[:, : len(starts)] + starts
            values = values.reshape(values.shape[0], *inside.shape)
            ins = np.array([v[tuple(places.T)] for v in values], int)
            ins = ins.reshape(len(values), len(places)).T
            pairs |= {
                (number, flatten(o, result[1]), flatten(i, value[1]))
                for o, i in zip(outs, ins.reshape(len(places), len(values)))
                # A hull may be larger than the array.
                if all(0 <= x < n for x, n in zip(i, value[1]))
            }
    return pairs


def check(seed, loops=False):
    """(fault or None, pairs that can matter, pairs seen); loops are unrolled, and not."""
    program = Program(seed, loops)
    result = program.make()
    text = program.text(result)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seen = observe(program, result, seed)
    fault = None
    for unroll in (0, None) if "stablehlo.while" in text else (None,):
        pairs = reached(program, result, ta.dependence(ta.Module(text), unroll=unroll))
        if missing := seen - pairs:
            fault = f"seed {seed}, unroll {unroll}: {sorted(missing)[:4]}\n{text}"
    return fault, len(pairs), len(seen)


def main(arguments):
    loops = "--loops" in arguments
    numbers = [int(a) for a in arguments if a != "--loops"]
    count, first = (*numbers, *(1000, 0)[len(numbers) :])
    faults, matter, shown, start = 0, 0, 0, time.time()
    for seed in range(first, first + count):
        fault, pairs, seen = check(seed, loops)
        matter += pairs
        shown += seen
        if fault:
            faults += 1
            print(fault, flush=True)
            if faults == 5:
                break
    print(
        f"{count} programs from seed {first}: {faults} faults, {shown} of {matter} pairs "
        f"were seen, {time.time() - start:.0f} s"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
