# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of unknown sizes, each written twice, as IR and as a NumPy function.

Movement ops of our dialect and of linalg, elementwise ops, sums and products of
matrices; those of sized_foreign.py are TOSA's, tensor's and StableHLO's. Elements
are i32, which wraps, so that every order of a sum gives the same bits.

A size is a number or a text: `n` and `m`, any numbers; `k`, which is 1 or n, and
`j`, which is 1 or m, so that TOSA repeats, or does not (0, which TOSA does not know,
is not repeated to); sums and products of others.
"""
import re

import numpy as np

#: Numbers for the symbols, 0 and 1 among them.
SIZES = [{"n": 3, "m": 5, "k": 1, "j": 5}, {"n": 1, "m": 4, "k": 1, "j": 1}, {"n": 0, "m": 3, "k": 0, "j": 3},
         {"n": 4, "m": 1, "k": 4, "j": 1}, {"n": 2, "m": 0, "k": 2, "j": 0}, {"n": 0, "m": 0, "k": 0, "j": 0},
         {"n": 2, "m": 3, "k": 2, "j": 1}]


def dims(shape):
    return "".join(f"{n if isinstance(n, int) else '?'}x" for n in shape)


def number(size, env):
    """A size where the arguments are these arrays."""
    (n, m), k, j = env[0].shape, env[5].shape[0], env[6].shape[1]
    return size if isinstance(size, int) else eval(size, {}, {"n": n, "m": m, "k": k, "j": j})


class Program:
    """Values are (name, kind, shape, function); a kind is 't' for a tensor or the
    number of access dimensions of a pattern; a shape is of numbers and texts.
    `steps` are the functions that the ops come from."""

    ARGUMENTS = [("%x", ("n", "m")), ("%y", ("m", "n")), ("%v", ("n",)), ("%c", (2, 3)), ("%s", ()),
                 ("%kx", ("k", "m")), ("%jx", ("n", "j"))]
    #: Which dimension of which argument a symbol is.
    SYMBOLS = {"n": ("%x", 0), "m": ("%x", 1), "k": ("%kx", 0), "j": ("%jx", 1)}

    def __init__(self, rng, count, steps):
        self.rng, self.lines, self.values, self.names = rng, [], [], 0
        self.arguments, self.sizes, self.numbers = self.ARGUMENTS, {}, {}
        for i, (name, shape) in enumerate(self.arguments):
            self.values.append((name, "t", shape, lambda env, i=i: env[i]))
        for _ in range(count):
            rng.choice(steps)(self)
        self.result = self.tensor(*rng.choice(self.values[-2:]))

    # Sizes.

    def sum(self, a, b):
        return a + b if isinstance(a, int) and isinstance(b, int) else f"({a} + {b})"

    def product(self, a, b):
        return a * b if isinstance(a, int) and isinstance(b, int) else f"({a} * {b})"

    def split(self, size):
        """The operands of a text that is a sum or a product, and which of them."""
        depth = 0
        for at, char in enumerate(size[1:-1], 1):
            depth += {"(": 1, ")": -1}.get(char, 0)
            if depth == 0 and char in "+*":
                return [int(part) if part.isdigit() else part
                        for part in (size[1:at - 1], size[at + 2:-1])], char

    def index(self, size):
        """A size as a value of type index."""
        if size not in self.sizes:
            name = f"%i{len(self.sizes)}"
            if isinstance(size, int):
                text = f"arith.constant {size} : index"
            elif size in self.SYMBOLS:
                tensor, dim = self.SYMBOLS[size]
                text = f"tensor.dim {tensor}, {self.index(dim)} : tensor<?x?xi32>"
                name = f"%{size}"
            else:
                (a, b), char = self.split(size)
                op = {"+": "addi", "*": "muli"}[char]
                text = f"arith.{op} {self.index(a)}, {self.index(b)} : index"
                name = f"%i{len(self.sizes)}"
            self.lines.append(f"{name} = {text}")
            self.sizes[size] = name
        return self.sizes[size]

    # Writing.

    def show(self, kind, shape):
        if kind == "t":
            return f"tensor<{dims(shape)}i32>"
        left = dims(shape[:kind])[:-1]
        return f"!tensoraccess.access<{left + ' ' if left else ''}| {dims(shape[kind:])}i32>"

    def define(self, kind, shape, text, function):
        self.names += 1
        name = f"%v{self.names}"
        self.lines.append(f"{name} = {text}")
        value = (name, kind, tuple(shape), function)
        self.values.append(value)
        return value

    def empty(self, shape):
        sizes = ", ".join(self.index(n) for n in shape if not isinstance(n, int))
        self.names += 1
        name = f"%e{self.names}"
        self.lines.append(f"{name} = tensor.empty({sizes}) : {self.show('t', shape)}")
        return name

    def pick(self, accept=lambda kind, shape: True):
        # Later values more often, so that chains grow.
        there = [value for value in self.values if accept(value[1], value[2]) and len(value[2]) < 5]
        return there[int(len(there) * self.rng.random() ** 0.5)]

    def tensor(self, name, kind, shape, function):
        if kind == "t":
            return name, kind, shape, function
        return self.define("t", shape, f"tensoraccess.to_tensor {name} : {self.show(kind, shape)} -> "
                           f"{self.show('t', shape)}", function)

    def pattern(self, name, kind, shape, function, split=None):
        if kind != "t" and (split is None or split == kind):
            return name, kind, shape, function
        name, _, shape, function = self.tensor(name, kind, shape, function)
        split = self.rng.randint(0, len(shape)) if split is None else split
        return self.define(split, shape, f"tensoraccess.access {name} at {split} : {self.show('t', shape)} -> "
                           f"{self.show(split, shape)}", function)

    def text(self, name="main"):
        return write([self], name)

    def inputs(self, sizes, seed):
        draw = np.random.default_rng(seed)
        return [draw.integers(-9, 10, [sizes.get(n, n) for n in shape], dtype=np.int32)
                for _, shape in self.arguments]

    def expected(self, inputs):
        with np.errstate(all="ignore"):
            return np.asarray(self.result[3](inputs), dtype=np.int32)


def write(programs, name="main"):
    """One function of the arguments that all programs have, and of the result of each."""
    head = ", ".join(f"{arg}: {Program.show(None, 't', shape)}" for arg, shape in Program.ARGUMENTS)
    given, lines = "|".join(arg[1:] for arg, _ in Program.ARGUMENTS), []
    results = []
    for i, program in enumerate(programs):
        def rename(text):
            return re.sub(rf"%(?!(?:{given})\b)(?=\w)", f"%p{i}_", text) if len(programs) > 1 else text
        lines += map(rename, program.lines)
        results.append((rename(program.result[0]), program.show("t", program.result[2])))
    names, kinds = ", ".join(result for result, _ in results), ", ".join(kind for _, kind in results)
    body = "\n  ".join(lines + [f"return {names} : {kinds}"])
    return f"func.func @{name}({head}) -> ({kinds}) {{\n  {body}\n}}\n"


def transpose(p):
    name, kind, shape, f = p.pick(lambda kind, shape: len(shape) > 1)
    perm = list(range(len(shape)))
    p.rng.shuffle(perm)
    moved = [shape[i] for i in perm]
    if kind == "t" and p.rng.random() < 0.5:
        out = p.empty(moved)
        p.define("t", moved, f"linalg.transpose ins({name} : {p.show('t', shape)}) outs({out} : {p.show('t', moved)}) "
                 f"permutation = {perm}", lambda env: np.transpose(f(env), perm))
        return
    name, kind, shape, f = p.pattern(name, kind, shape, f)
    p.define(kind, moved, f"tensoraccess.transpose {name} perm = {perm} : {p.show(kind, shape)} -> "
             f"{p.show(kind, moved)}", lambda env: np.transpose(f(env), perm))


def repeat(p):
    """Along a dimension of its own: linalg.broadcast, or one half of a product."""
    name, kind, shape, f = p.pick(lambda kind, shape: len(shape) < 4)
    name, _, shape, f = p.tensor(name, kind, shape, f)
    size, axis = p.rng.choice(("n", "m", 1, 2)), p.rng.randint(0, len(shape))
    if isinstance(size, int) or p.rng.random() < 0.5:
        grown = shape[:axis] + (size,) + shape[axis:]
        out = p.empty(grown)

        def broadcast(env):
            return np.repeat(np.expand_dims(f(env), axis), number(size, env), axis)
        p.define("t", grown, f"linalg.broadcast ins({name} : {p.show('t', shape)}) outs({out} : {p.show('t', grown)}) "
                 f"dimensions = [{axis}]", broadcast)
        return
    # The rows of an argument say how often, and nothing else of them is used.
    name, split, shape, f = p.pattern(name, "t", shape, f, len(shape))
    rows = p.pattern(*p.values[0], 2)
    both = ("n", "m") + shape
    p.names += 1
    pair = f"%p{p.names}"
    p.lines.append(f"{pair} = tensoraccess.cart_prod {rows[0]}, {name} : {p.show(2, ('n', 'm'))}, "
                   f"{p.show(split, shape)} -> {p.show(len(both), both + (2,))}")
    half = f"%h{p.names}"
    zeros, ends = [0] * len(both) + [1], [n if isinstance(n, int) else -1 for n in both] + [1]
    p.lines.append(f"{half} = tensoraccess.slice {pair} offsets = {zeros} sizes = {ends} : "
                   f"{p.show(len(both), both + (2,))} -> {p.show(len(both), both + (1,))}")

    def product(env):
        value = f(env)
        return np.broadcast_to(value, env[0].shape + value.shape)
    p.define(len(both), both, f"tensoraccess.squeeze {half} axis {len(both)} : "
             f"{p.show(len(both), both + (1,))} -> {p.show(len(both), both)}", product)


def elementwise(p):
    name, kind, shape, f = p.pick()
    others = [value for value in p.values if value[2] == shape]
    other = p.rng.choice(others)
    left, right = p.tensor(name, kind, shape, f), p.tensor(*other)
    op, function = p.rng.choice((("addi", np.add), ("muli", np.multiply), ("subi", np.subtract),
                                 ("maxsi", np.maximum)))
    t = p.show("t", shape)
    p.define("t", shape, f"arith.{op} {left[0]}, {right[0]} : {t}", lambda env: function(left[3](env), right[3](env)))


def loop(p):
    """A scalar in every element, by linalg.generic."""
    name, kind, shape, f = p.tensor(*p.pick())
    out, t = p.empty(shape), p.show("t", shape)
    space = ", ".join(f"d{i}" for i in range(len(shape)))
    iterators = ", ".join(['"parallel"'] * len(shape))
    p.define("t", shape, f"linalg.generic {{indexing_maps = [affine_map<({space}) -> ()>, affine_map<({space}) -> "
             f"({space})>, affine_map<({space}) -> ({space})>], iterator_types = [{iterators}]}} ins(%s, {name} : "
             f"tensor<i32>, {t}) outs({out} : {t}) {{ ^bb0(%a: i32, %b: i32, %o: i32): %q = arith.muli %a, %b : i32 "
             f"linalg.yield %q : i32 }} -> {t}", lambda env: env[4] * f(env))


def filled(p):
    shape = [p.rng.choice(("n", "m", 2)) for _ in range(p.rng.randint(1, 3))]
    out, t, body = p.empty(shape), p.show("t", shape), p.rng.choice(("%a", "%z"))
    space = ", ".join(f"d{i}" for i in range(len(shape)))
    iterators = ", ".join(['"parallel"'] * len(shape))

    def fill(env):
        sizes = [number(n, env) for n in shape]
        return np.full(sizes, env[4] * (1 if body == "%a" else env[4]), dtype=np.int32)
    p.define("t", shape, f"linalg.generic {{indexing_maps = [affine_map<({space}) -> ()>, affine_map<({space}) -> "
             f"({space})>], iterator_types = [{iterators}]}} ins(%s : tensor<i32>) outs({out} : {t}) "
             f"{{ ^bb0(%a: i32, %o: i32): %z = arith.muli %a, %a : i32 linalg.yield {body} : i32 }} -> {t}", fill)


def total(p):
    name, kind, shape, f = p.pick(lambda kind, shape: shape)
    if p.rng.random() < 0.5:
        name, _, shape, f = p.tensor(name, kind, shape, f)
        axis = p.rng.randrange(len(shape))
        rest = shape[:axis] + shape[axis + 1:]
        out, zero = p.empty(rest), f"%z{p.names}"
        p.lines.append(f"{zero}c = arith.constant 0 : i32")
        p.lines.append(f"{zero} = linalg.fill ins({zero}c : i32) outs({out} : {p.show('t', rest)}) -> {p.show('t', rest)}")
        p.define("t", rest, f"linalg.reduce {{ arith.addi }} ins({name} : {p.show('t', shape)}) outs({zero} : "
                 f"{p.show('t', rest)}) dimensions = [{axis}]",
                 lambda env: np.sum(f(env), axis, dtype=np.int32))
        return
    name, split, shape, f = p.pattern(name, kind, shape, f)
    axes = tuple(range(split, len(shape)))
    p.define(split, shape[:split], f"tensoraccess.compute reduce_sum {name} : {p.show(split, shape)} -> "
             f"{p.show(split, shape[:split])}", lambda env: np.sum(f(env), axes, dtype=np.int32))


def matmul(p):
    matrices = [value for value in p.values if len(value[2]) == 2]
    left = p.rng.choice(matrices)
    fits = [value for value in matrices if value[2][0] == left[2][1]]
    if not fits:
        return
    left, right = p.tensor(*left), p.tensor(*p.rng.choice(fits))
    shape = (left[2][0], right[2][1])
    out, zero, t = p.empty(shape), f"%z{p.names}", p.show("t", shape)
    p.lines.append(f"{zero}c = arith.constant 0 : i32")
    p.lines.append(f"{zero} = linalg.fill ins({zero}c : i32) outs({out} : {t}) -> {t}")
    p.define("t", shape, f"linalg.matmul ins({left[0]}, {right[0]} : {p.show('t', left[2])}, {p.show('t', right[2])}) "
             f"outs({zero} : {t}) -> {t}",
             lambda env: np.matmul(left[3](env).astype(np.int64), right[3](env).astype(np.int64)).astype(np.int32))


def insert_axis(p):
    name, kind, shape, f = p.pattern(*p.pick(lambda kind, shape: len(shape) < 4))
    axis = p.rng.randint(0, len(shape))
    grown, split = shape[:axis] + (1,) + shape[axis:], kind + (axis <= kind)
    p.define(split, grown, f"tensoraccess.insert_axis {name} axis {axis} : {p.show(kind, shape)} -> "
             f"{p.show(split, grown)}", lambda env: np.expand_dims(f(env), axis))


def squeeze(p):
    found = [value for value in p.values if 1 in value[2]]
    if found:
        name, kind, shape, f = p.pattern(*p.rng.choice(found))
        axis = shape.index(1)
        rest, split = shape[:axis] + shape[axis + 1:], kind - (axis < kind)
        p.define(split, rest, f"tensoraccess.squeeze {name} axis {axis} : {p.show(kind, shape)} -> "
                 f"{p.show(split, rest)}", lambda env: np.squeeze(f(env), axis))


def pair(p):
    name, kind, shape, f = p.pattern(*p.pick(lambda kind, shape: len(shape) < 4))
    others = [value for value in p.values if value[2] == shape]
    other = p.pattern(*p.rng.choice(others), kind)
    grown = shape[:kind] + (2,) + shape[kind:]
    p.define(kind, grown, f"tensoraccess.pair {name}, {other[0]} : {p.show(kind, shape)}, {p.show(kind, shape)} -> "
             f"{p.show(kind, grown)}", lambda env: np.stack([f(env), other[3](env)], kind))


def dot(p):
    found = [value for value in p.values if value[1] != "t" and value[2][value[1]:value[1] + 1] == (2,)]
    if found:
        name, kind, shape, f = p.rng.choice(found)
        op = p.rng.choice(("dot_prod", "elementwise_mul", "elementwise_add"))
        rest = shape[:kind] + (() if op == "dot_prod" else shape[kind + 1:])

        def function(env):
            value = f(env)
            if op == "elementwise_add":
                return np.sum(value, kind, dtype=np.int32)
            value = np.prod(value, kind, dtype=np.int32)
            return np.sum(value, tuple(range(kind, value.ndim)), dtype=np.int32) if op == "dot_prod" else value
        p.define(kind, rest, f"tensoraccess.compute {op} {name} : {p.show(kind, shape)} -> {p.show(kind, rest)}", function)


def cut(p):
    found = [value for value in p.values if any(isinstance(n, int) and n > 1 for n in value[2])]
    name, kind, shape, f = p.pattern(*p.rng.choice(found))
    axis = p.rng.choice([i for i, n in enumerate(shape) if isinstance(n, int) and n > 1])
    begin = p.rng.randrange(shape[axis])
    size = p.rng.randint(1, shape[axis] - begin)
    result = shape[:axis] + (size,) + shape[axis + 1:]
    offsets = [begin if i == axis else 0 for i in range(len(shape))]
    sizes = [n if isinstance(n, int) else -1 for n in result]
    p.define(kind, result, f"tensoraccess.slice {name} offsets = {offsets} sizes = {sizes} : {p.show(kind, shape)} -> "
             f"{p.show(kind, result)}", lambda env: np.take(f(env), range(begin, begin + size), axis))


def materialize(p):
    name, kind, shape, f = p.pattern(*p.pick())
    p.define(kind, shape, f"tensoraccess.materialize {name} : {p.show(kind, shape)} -> {p.show(kind, shape)}", f)


STEPS = (transpose, transpose, transpose, repeat, repeat, repeat, elementwise, elementwise, loop, filled, total, matmul,
       insert_axis, squeeze, pair, dot, cut, materialize)
