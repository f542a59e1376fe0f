# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of unknown sizes through every rewriting pass, against NumPy.

    python bench/fuzz_sizes.py --programs 300 --seed 1       # PYTHONPATH=build/python

A program is written twice, as IR and as a NumPy function: movement ops of our
dialect and of linalg, elementwise ops, sums and products of matrices, on i32,
which wraps, so that every order of a sum gives the same bits. Sizes are symbols;
each program is run with several numbers for each, 0 and 1 among them, as it is
and after each pipeline, by the interpreter. Shapes and elements must be NumPy's.

Of two programs of one signature, check-equivalence must not say that they agree
where NumPy knows inputs for which they don't.
"""
import argparse
import collections
import random
import sys
import time

import numpy as np

import tensoraccess as ta

PIPELINES = [
    "canonicalize,cse",
    "tensoraccess-raise",
    "tensoraccess-raise,canonicalize,cse",
    "tensoraccess-raise,tensoraccess-discover-im2col",
    "tensoraccess-raise,tensoraccess-block-matmul",
    "tensoraccess-raise,tensoraccess-map-to-systolic{rows=2 cols=2}",
    "tensoraccess-raise,tensoraccess-form-projections",
    "tensoraccess-raise,tensoraccess-form-projections{items-as-axes},tensoraccess-expand-projections",
    "tensoraccess-raise,tensoraccess-lower-to-linalg",
    "tensoraccess-raise,tensoraccess-saturate{rules=access},tensoraccess-lower-to-linalg",
    "tensoraccess-fuse-elementwise",
    "tensoraccess-tile{sizes=2}",
    "tensoraccess-assign-layouts,tensoraccess-materialize-layouts",
    "tensoraccess-open-ops,tensoraccess-separate-inits",
    "tensoraccess-expand-dynamic-shapes,canonicalize",
] + [f"{first}tensoraccess-saturate{{rules={rules}}}"
     for first in ("", "tensoraccess-raise,")
     for rules in ("access", "compute", "access,compute,linalg,arith,math", "linalg,arith")]
SIZES = [{"n": 3, "m": 5}, {"n": 1, "m": 4}, {"n": 0, "m": 3}, {"n": 4, "m": 1}, {"n": 2, "m": 0}]


def dims(shape):
    return "".join(f"{n if isinstance(n, int) else '?'}x" for n in shape)


class Program:
    """Values are (name, kind, shape, function); a kind is 't' for a tensor or the
    number of access dimensions of a pattern; a shape is of numbers and symbols."""

    def __init__(self, rng, steps):
        self.rng, self.lines, self.values, self.names = rng, [], [], 0
        self.arguments = [("%x", ("n", "m")), ("%y", ("m", "n")), ("%v", ("n",)), ("%c", (2, 3)), ("%s", ())]
        for i, (name, shape) in enumerate(self.arguments):
            self.values.append((name, "t", shape, lambda env, i=i: env[i]))
        for line, name in (("%i0 = arith.constant 0 : index", None), ("%i1 = arith.constant 1 : index", None),
                           ("%n = tensor.dim %x, %i0 : tensor<?x?xi32>", None),
                           ("%m = tensor.dim %x, %i1 : tensor<?x?xi32>", None)):
            self.lines.append(line)
        for _ in range(steps):
            rng.choice(OPS)(self)
        self.result = self.tensor(*rng.choice(self.values[-4:]))

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
        sizes = ", ".join(f"%{n}" for n in shape if not isinstance(n, int))
        self.names += 1
        name = f"%e{self.names}"
        self.lines.append(f"{name} = tensor.empty({sizes}) : {self.show('t', shape)}")
        return name

    def pick(self, accept=lambda kind, shape: True):
        there = [value for value in self.values if accept(value[1], value[2]) and len(value[2]) < 5]
        return self.rng.choice(there)

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
        head = ", ".join(f"{arg}: {self.show('t', shape)}" for arg, shape in self.arguments)
        result, _, shape, _ = self.result
        kind = self.show("t", shape)
        body = "\n  ".join(self.lines + [f"return {result} : {kind}"])
        return f"func.func @{name}({head}) -> {kind} {{\n  {body}\n}}\n"

    def inputs(self, sizes, seed):
        draw = np.random.default_rng(seed)
        return [draw.integers(-9, 10, [sizes.get(n, n) for n in shape], dtype=np.int32)
                for _, shape in self.arguments]

    def expected(self, inputs):
        with np.errstate(all="ignore"):
            return np.asarray(self.result[3](inputs), dtype=np.int32)


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
            value = np.expand_dims(f(env), axis)
            count = size if isinstance(size, int) else env[0].shape["nm".index(size)]
            return np.repeat(value, count, axis)
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
        sizes = [n if isinstance(n, int) else env[0].shape["nm".index(n)] for n in shape]
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


OPS = (transpose, transpose, transpose, repeat, repeat, repeat, elementwise, elementwise, loop, filled, total, matmul,
       insert_axis, squeeze, pair, dot, cut, materialize)


class Fuzzer:
    def __init__(self, arguments):
        self.arguments = arguments
        self.counts = collections.Counter()

    def fail(self, what, program, detail):
        self.counts["wrong"] += 1
        print(f"WRONG: {what}: {detail}\n{program}", flush=True)

    def compare(self, what, module, program, text):
        for number, sizes in enumerate(SIZES):
            inputs = program.inputs(sizes, number)
            wanted = program.expected(inputs)
            try:
                got = module.interpret("main")(*inputs)
            except ta.Error as error:
                return self.fail(what, text, f"{sizes}: {error}")
            self.counts["runs"] += 1
            if got.shape != wanted.shape or not np.array_equal(got, wanted):
                return self.fail(what, text, f"{sizes}: got {got.shape} {got.tolist()}, wanted {wanted.shape} "
                                 f"{wanted.tolist()}")
        return None

    def check(self, seed):
        rng = random.Random(seed)
        program = Program(rng, rng.randint(1, 9))
        text = program.text()
        module = ta.Module(text)
        self.counts["programs"] += 1
        self.compare("as it is", module, program, text)
        for pipeline in rng.sample(PIPELINES, self.arguments.pipelines):
            try:
                made = module.run(pipeline)
            except ta.Error as error:
                self.counts["refused"] += 1
                self.refusals[f"{pipeline}: {str(error).splitlines()[0][-100:]}"] += 1
                continue
            self.compare(pipeline, made, program, f"{text}\n// seed {seed}: {pipeline}\n{made}")
        self.check_pair(seed, program, rng)

    def check_pair(self, seed, program, rng):
        """Against itself with another result of the same type."""
        result, _, shape, f = program.result
        others = [value for value in program.values if value[1] == "t" and value[0] != result
                  and dims(value[2]) == dims(shape)]
        if not others:
            return
        other = rng.choice(others)
        first, wanted = program.text("first"), program.result[3]
        program.result = other
        second = program.text("second")
        answer = ta.Module(first + second).check_equivalence("first", "second", method="prove")
        self.counts[answer.verdict] += 1
        if not answer.verdict.startswith("proved"):
            return
        for number, sizes in enumerate(SIZES):
            inputs = program.inputs(sizes, number)
            a, b = np.asarray(wanted(inputs), np.int32), program.expected(inputs)
            if a.shape != b.shape or not np.array_equal(a, b):
                self.fail("check-equivalence", first + second, f"{sizes}: {answer.verdict}, but {a.tolist()} and {b.tolist()}")
                return

    def run(self):
        begin, self.refusals = time.monotonic(), collections.Counter()
        number = 0
        while (not self.arguments.programs or number < self.arguments.programs) and \
                (not self.arguments.seconds or time.monotonic() - begin < self.arguments.seconds):
            self.check(self.arguments.seed * 10**9 + number)
            number += 1


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=int, help="how many programs")
    parser.add_argument("--seconds", type=float, help="how long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pipelines", type=int, default=3, help="of each program")
    arguments = parser.parse_args(argv)
    if not arguments.programs and not arguments.seconds:
        parser.error("--programs or --seconds, one of them is needed")
    fuzzer = Fuzzer(arguments)
    fuzzer.run()
    for refusal, count in fuzzer.refusals.most_common(8):
        print(f"refused {count} times: {refusal}")
    print(", ".join(f"{count} {what}" for what, count in sorted(fuzzer.counts.items())))
    return fuzzer.counts["wrong"]


if __name__ == "__main__":
    sys.exit(main() != 0)
