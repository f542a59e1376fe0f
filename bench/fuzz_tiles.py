# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of programs with random indexing maps, against NumPy.

    python bench/fuzz_tiles.py --programs 1000 --seed 1      # PYTHONPATH=build/python

A program is written twice, as IR and as a NumPy function: a structured op whose
operands are read by random maps (floordiv, ceildiv, mod, negative factors, sums,
constants, dims that are repeated or missing, remainders of quotients), whose body
may read its indices and what the result starts from, and which may sum; its
operands are arguments, or made by such an op, by a pad, a transposition, a packing
or an unpacking. Elements are i32, which wraps, so that nothing is rounded.

Each program is tiled with sizes 1 to 9, with and without fusion of producers, and
interpreted; a share is compiled, too. Elements must be NumPy's, or the program must
stay as it is and a remark say why.
"""
import argparse
import collections
import random
import sys
import time

import numpy as np

import tensoraccess as ta

FUSIONS = ("fuse=none", "max-recompute=4", "fuse=all")
MISSED = "is not tiled"


def shown(shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + "i32>"


class Form:
    """An affine expression, and its values at all points."""

    def __init__(self, text, values):
        self.text, self.values = text, values

    def __add__(self, other):
        return Form(f"({self.text} + {other.text})", self.values + other.values)

    def times(self, factor):
        return Form(f"({self.text} * {factor})", self.values * factor)

    def over(self, word, m):
        x = self.values
        values = {"floordiv": x // m, "ceildiv": -(-x // m), "mod": x % m}[word]
        return Form(f"({self.text} {word} {m})", values)


def random_form(rng, dims, depth=2):
    kind = rng.randrange(8)
    if depth == 0 or kind == 0:
        return rng.choice(dims)
    if kind == 1:
        return rng.choice(dims).times(rng.choice((-2, -1, 1, 2, 3)))
    if kind == 2:
        return random_form(rng, dims, depth - 1) + random_form(rng, dims, depth - 1)
    if kind == 3:
        return random_form(rng, dims, depth - 1).times(rng.choice((-1, 2, -3)))
    if kind == 4:
        m, form = rng.choice((2, 3, 4)), random_form(rng, dims, depth - 1)
        return form.over("floordiv", m).times(rng.choice((1, 2, m))) + form.over("mod", m)
    form = random_form(rng, dims, depth - 1)
    return form.over(("floordiv", "mod", rng.choice(("ceildiv", "floordiv")))[kind - 5], rng.choice((2, 3, 4, 5)))


class Program:
    def __init__(self, rng):
        self.rng, self.lines, self.arguments, self.names = rng, [], [], 0
        shape = tuple(rng.choice((1, 2, 3, 5, 7, 8, 11, 12, 13)) for _ in range(rng.choice((1, 1, 1, 2, 2, 3))))
        self.result = rng.choice((generic,) * 8 + (pad, unpack))(self, shape, rng.choice((0, 1, 1, 2)))

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def define(self, shape, text, function):
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name, shape, function

    def argument(self, shape):
        number = len(self.arguments)
        self.arguments.append(shape)
        return f"%a{number}", shape, lambda env: env[number]

    def value(self, shape, depth):
        """A tensor of a shape, with so many ops above it at most."""
        if depth == 0 or not shape or 0 in shape or max(shape) > 40:
            return self.argument(shape)
        return self.rng.choice((generic, generic, pad, transpose, pack, unpack, start))(self, shape, depth - 1)

    def empty(self, shape):
        return self.define(shape, f"tensor.empty() : {shown(shape)}", lambda env: np.zeros(shape, np.int32))

    def text(self):
        head = ", ".join(f"%a{i}: {shown(shape)}" for i, shape in enumerate(self.arguments))
        name, shape, _ = self.result
        body = "\n  ".join(["%c7 = arith.constant 7 : i32", *self.lines, f"return {name} : {shown(shape)}"])
        return f"func.func @main({head}) -> {shown(shape)} {{\n  {body}\n}}\n"

    def inputs(self, seed):
        draw = np.random.default_rng(seed)
        return [draw.integers(-9, 10, shape, dtype=np.int32) for shape in self.arguments]


def generic(p, shape, depth):
    rng, rank = p.rng, len(shape)
    # Loops: the dimensions of the result in any order, and perhaps one that is summed.
    order = list(range(rank))
    rng.shuffle(order)
    extents = [shape[i] for i in order]
    summed = rng.choice((None, None, rng.randint(0, rank)))
    if summed is not None:
        extents.insert(summed, rng.choice((1, 2, 3, 5)))
    space = ", ".join(f"d{i}" for i in range(len(extents)))
    dims = [Form(f"d{i}", values) for i, values in enumerate(np.indices(extents))]
    written = [dims[i + (summed is not None and i >= summed)] for i in np.argsort(order)]
    operands, maps = [], []
    for number in range(rng.randint(1, 2)):
        forms = [random_form(rng, dims) for _ in range(rng.randint(0 if number else 1, 3))]
        if summed is not None and number == 0:
            forms[rng.randrange(len(forms))] = dims[summed]
        elif rng.random() < 0.1:
            forms = list(written)
        for i, form in enumerate(forms):
            constant = max(-int(form.values.min()), 0) + rng.choice((0,) * 9 + (1,))
            if constant and form is not dims[summed or 0]:
                forms[i] = form + Form(str(constant), constant)
        sizes = tuple(int(form.values.max()) + 1 for form in forms)
        operands.append(p.value(sizes, depth))
        maps.append(forms)
    init = p.value(shape, depth) if summed is not None or rng.random() < 0.4 else p.empty(shape)
    reads_init, index = summed is not None or init[0].startswith("%a"), rng.random() < 0.3
    arguments = ", ".join(f"%x{i}: i32" for i in range(len(operands))) + ", %o: i32"
    body, last = [], "%x0"
    if len(operands) == 2:
        body.append("%m = arith.muli %x0, %c7 : i32")
        body.append("%q = arith.addi %m, %x1 : i32")
        last = "%q"
    which = rng.randrange(len(extents))
    if index:
        body += [f"%i = linalg.index {which} : index", "%j = arith.index_cast %i : index to i32",
                 f"%k = arith.muli {last}, %j : i32", f"%l = arith.addi %k, {last} : i32"]
        last = "%l"
    if reads_init:
        body.append(f"%r = arith.addi {last}, %o : i32")
        last = "%r"
    kinds = ", ".join('"reduction"' if i == summed else '"parallel"' for i in range(len(extents)))
    texts = ", ".join(f"affine_map<({space}) -> ({', '.join(form.text for form in forms)})>"
                      for forms in [*maps, written])
    ins = ", ".join(name for name, _, _ in operands) + " : " + ", ".join(shown(s) for _, s, _ in operands)

    def function(env):
        values = [f(env)[tuple(form.values for form in forms)] for (_, _, f), forms in zip(operands, maps)]
        point = np.broadcast_to(values[0], extents).astype(np.int64)
        if len(values) == 2:
            point = point * 7 + values[1]
        if index:
            point = point * dims[which].values + point
        if summed is not None:
            point = point.sum(summed)
        point = np.transpose(point, np.argsort(order))
        return (point + (init[2](env) if reads_init else 0)).astype(np.int32)
    return p.define(shape, f"linalg.generic {{indexing_maps = [{texts}], iterator_types = [{kinds}]}} ins({ins}) "
                    f"outs({init[0]} : {shown(shape)}) {{ ^bb0({arguments}): {' '.join(body)} "
                    f"linalg.yield {last} : i32 }} -> {shown(shape)}", function)


def pad(p, shape, depth):
    low = [p.rng.randint(0, min(n - 1, 3)) for n in shape]
    high = [p.rng.randint(0, min(n - i, 3)) for n, i in zip(shape, low)]
    name, inner, f = p.value(tuple(n - i - j for n, i, j in zip(shape, low, high)), depth)
    block = ", ".join(f"%i{i}: index" for i in range(len(shape)))
    return p.define(shape, f"tensor.pad {name} low{low} high{high} {{ ^bb0({block}): tensor.yield %c7 : i32 }} : "
                    f"{shown(inner)} to {shown(shape)}",
                    lambda env: np.pad(f(env), list(zip(low, high)), constant_values=7))


def transpose(p, shape, depth):
    perm = list(range(len(shape)))
    p.rng.shuffle(perm)
    name, inner, f = p.value(tuple(shape[i] for i in np.argsort(perm)), depth)
    out, _, _ = p.empty(shape)
    return p.define(shape, f"linalg.transpose ins({name} : {shown(inner)}) outs({out} : {shown(shape)}) "
                    f"permutation = {perm}", lambda env: np.transpose(f(env), perm))


def pack(p, shape, depth):
    """The last dimension is a tile of another one, whose last tile may be padded."""
    if len(shape) < 2:
        return p.argument(shape)
    axis, tile = p.rng.randrange(len(shape) - 1), shape[-1]
    padding = p.rng.choice((0, p.rng.randrange(tile)))
    whole = list(shape[:-1])
    whole[axis] *= tile
    inner = tuple(n - padding * (i == axis) for i, n in enumerate(whole))
    name, _, f = p.value(inner, depth)
    out, _, _ = p.empty(shape)

    def function(env):
        value = np.pad(f(env), [(0, n - m) for n, m in zip(whole, inner)], constant_values=7)
        return np.moveaxis(value.reshape(*shape[:axis + 1], tile, *shape[axis + 1:-1]), axis + 1, -1)
    return p.define(shape, f"linalg.pack {name} {'padding_value(%c7 : i32) ' if padding else ''}"
                    f"inner_dims_pos = [{axis}] inner_tiles = [{tile}] into {out} : {shown(inner)} -> {shown(shape)}",
                    function)


def unpack(p, shape, depth):
    axis, tile = p.rng.randrange(len(shape)), p.rng.choice((1, 2, 3, 4, 16))
    packed = tuple(-(-n // tile) if i == axis else n for i, n in enumerate(shape)) + (tile,)
    name, _, f = p.value(packed, depth)
    out, _, _ = p.empty(shape)

    def function(env):
        value = np.moveaxis(f(env), -1, axis + 1)
        value = value.reshape(*shape[:axis], packed[axis] * tile, *shape[axis + 1:])
        return np.take(value, range(shape[axis]), axis)
    return p.define(shape, f"linalg.unpack {name} inner_dims_pos = [{axis}] inner_tiles = [{tile}] into {out} : "
                    f"{shown(packed)} -> {shown(shape)}", function)


def start(p, shape, depth):
    out, _, _ = p.empty(shape)
    return p.define(shape, f"linalg.fill ins(%c7 : i32) outs({out} : {shown(shape)}) -> {shown(shape)}",
                    lambda env: np.full(shape, 7, np.int32))


class Fuzzer:
    def __init__(self, arguments):
        self.arguments, self.counts, self.refusals = arguments, collections.Counter(), collections.Counter()

    def fail(self, what, text):
        self.counts["wrong"] += 1
        print(f"WRONG: {what}\n{text}", flush=True)

    def run_one(self, made, inputs, wanted, compiled):
        """What is wrong with a program's elements, or None."""
        try:
            got = (made.compile("main") if compiled else made.interpret("main"))(*inputs)
        except ta.Error as error:
            return str(error)
        return None if np.array_equal(got, wanted) else f"got {got.tolist()}, wanted {wanted.tolist()}"

    def check(self, seed):
        rng = random.Random(seed)
        program = Program(rng)
        text = program.text()
        module = ta.Module(text)
        inputs = program.inputs(seed)
        wanted = program.result[2](inputs)
        self.counts["programs"] += 1
        if wrong := self.run_one(module, inputs, wanted, compiled=False):
            return self.fail(f"seed {seed}, as it is: {wrong}", text)
        rank = len(program.result[1])
        for size in range(1, 10):
            sizes = [size] + [rng.choice((0, size, rng.randint(1, 9))) for _ in range(rank - 1)]
            rng.shuffle(sizes)
            for fusion in FUSIONS:
                pipeline = f"tensoraccess-tile{{sizes={','.join(map(str, sizes))} {fusion}}}"
                self.check_tiled(module, text, pipeline, inputs, wanted, f"seed {seed}, {pipeline}",
                                 compiled=rng.random() < self.arguments.compiled)
        return None

    def check_tiled(self, module, text, pipeline, inputs, wanted, what, compiled):
        try:
            made = module.run(pipeline)
        except ta.Error as error:
            return self.fail(f"{what}: {error}", text)
        missed = [str(d) for d in made.diagnostics if MISSED in str(d)]
        tiled = "scf.for" in str(made)
        if tiled == bool(missed):
            return self.fail(f"{what}: tiled: {tiled}, remarks: {missed}", text)
        if wrong := self.run_one(made, inputs, wanted, compiled):
            return self.fail(f"{what}, {'compiled' if compiled else 'interpreted'}: {wrong}", f"{text}\n{made}")
        if tiled:
            self.counts["equal"] += 1
        elif "one tile is the whole result" in missed[0]:
            self.counts["whole"] += 1
        else:
            self.counts["refused"] += 1
            self.refusals[missed[0]] += 1
        self.counts["read in the body"] += tiled and "tensor.extract %" in str(made)
        return None

    def run(self):
        begin, number = time.monotonic(), 0
        while (not self.arguments.programs or number < self.arguments.programs) and \
                (not self.arguments.seconds or time.monotonic() - begin < self.arguments.seconds):
            self.check(self.arguments.seed * 10**9 + number)
            number += 1


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=int, help="how many programs")
    parser.add_argument("--seconds", type=float, help="how long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compiled", type=float, default=0.04, help="the share that is compiled")
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
