#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions for fuzz_folds.py that move the elements of tensors and vectors:
slices, pads, reshapes, transposes, casts, insertions and masks, with sizes that are
known, or are `?` and constants beside them.
"""

import math
import random

from generic_ir import Array, Block, Op
from oracle_arrays import DYNAMIC

ELEMENT = "i8"


def array_type(kind, shape):
    return f"{kind}<{''.join(f'{s}x' for s in shape)}{ELEMENT}>"


def integers(name, values, bits=64):
    text = ", ".join(map(str, values))
    return f"{name} = array<i{bits}{': ' if values else ''}{text}>"


class ArrayFunction:
    """A random function of arrays; made of the same parts as a scalar Function."""

    def __init__(self, seed, most_ops):
        self.rng = random.Random(seed)
        self.kind = self.rng.choice(["tensor", "tensor", "vector"])
        self.count = 0
        self.shapes = {}
        self.block = Block([], [])
        self.ops = self.block.ops
        self.values = []
        self.arguments = []
        for _ in range(self.rng.randint(1, 2)):
            self.add_argument(self.random_shape())
        self.scalar = (self.name(), ELEMENT)
        self.arguments.append(self.scalar)
        for _ in range(self.rng.randint(1, most_ops)):
            self.add_op()
        self.block.arguments = self.arguments
        results = self.values[-self.rng.randint(1, 2):]
        self.result_types = [t for _, t in results]
        self.ops.append(Op("func.return", [], [n for n, _ in results], "", [],
                           self.result_types, []))

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def random_shape(self):
        least = 0 if self.kind == "tensor" else 1
        return [self.rng.choice([1, 1, 2, 2, 3, 4, 5]) for _ in range(self.rng.randint(least, 3))]

    def add_argument(self, shape):
        value = (self.name(), array_type(self.kind, shape))
        self.arguments.append(value)
        self.values.append(value)
        self.shapes[value[0]] = list(shape)

    def emit(self, name, operands, result_types, properties="", regions=(), shapes=()):
        results = [self.name() for _ in result_types]
        self.ops.append(Op(name, results, [n for n, _ in operands],
                           f"<{{{properties}}}>" if properties else "", list(regions),
                           [t for _, t in operands], list(result_types)))
        made = list(zip(results, result_types))
        for value, shape in zip(made, shapes):
            self.shapes[value[0]] = list(shape)
            self.values.append(value)
        return made[0]

    def pick(self, static=False):
        values = [v for v in self.values if not static or "?" not in v[1]]
        if not values:
            self.add_argument(self.random_shape())
            return self.values[-1]
        return self.rng.choice(values[-2:] if self.rng.random() < 0.75 else values)

    def shape(self, value):
        return self.shapes[value[0]]

    def index(self, number):
        return self.emit("arith.constant", [], ["index"], f"value = {number} : index")

    def element(self):
        if self.rng.random() < 0.5:
            return self.scalar
        return self.emit("arith.constant", [], [ELEMENT],
                         f"value = {self.rng.choice([0, 0, 1, -1, 7])} : {ELEMENT}")

    def mixed(self, name, values, share=0.25):
        """Numbers of which some are operands: the attribute and those."""
        static, dynamic = [], []
        for value in values:
            if self.rng.random() < share:
                static.append(DYNAMIC)
                dynamic.append(self.index(value))
            else:
                static.append(value)
        return integers(name, static), dynamic, static

    def type_of(self, shape, statics=None):
        if statics is not None:
            return array_type(self.kind, ["?" if s == DYNAMIC else n
                                          for s, n in zip(statics, shape)])
        return array_type(self.kind, shape)

    def add_op(self):
        names = {"tensor": ["slice", "slice", "insert_slice", "insert_slice", "pad", "pad",
                            "reshape", "reshape", "cast", "transpose", "concat", "insert",
                            "extract", "splat", "fill", "fill", "dim"],
                 "vector": ["reshape", "vtranspose", "broadcast", "vextract", "vinsert",
                            "shuffle", "strided", "strided_insert", "mask", "elements",
                            "interleave", "select"]}[self.kind]
        getattr(self, "add_" + self.rng.choice(names))()

    #===------------------------------------------------------------------===#
    # Tensors
    #===------------------------------------------------------------------===#

    def slice_of(self, shape):
        """Offsets, sizes and strides of a random slice, and their operands."""
        offsets, sizes, strides = [], [], []
        for size in shape:
            stride = self.rng.choice([1, 1, 1, 2])
            offset = self.rng.randrange(size)
            most = (size - 1 - offset) // stride + 1
            offsets.append(offset)
            sizes.append(self.rng.choice([1, most, self.rng.randint(1, most)]))
            strides.append(stride)
        if self.rng.random() < 0.3:
            offsets, strides = [0] * len(shape), [1] * len(shape)
            sizes = list(shape)
        return offsets, sizes, strides

    def reduced(self, sizes, static):
        """Whether to drop each size from a slice's type: units that are known."""
        drop = self.rng.random() < 0.4
        return [drop and n == 1 and s == 1 and self.rng.random() < 0.6
                for n, s in zip(sizes, static)]

    def add_slice(self):
        source = self.pick()
        offsets, sizes, strides = self.slice_of(self.shape(source))
        texts, operands, sizes_static = self.slice_operands(offsets, sizes, strides)
        dropped = self.reduced(sizes, sizes_static)
        shape = [n for n, d in zip(sizes, dropped) if not d]
        static = [s for s, d in zip(sizes_static, dropped) if not d]
        segments = integers("operandSegmentSizes", [1, *map(len, operands)], 32)
        self.emit("tensor.extract_slice", [source, *sum(operands, [])],
                  [self.type_of(shape, static)], f"{segments}, {texts}", shapes=[shape])

    def slice_operands(self, offsets, sizes, strides):
        parts = [self.mixed("static_offsets", offsets), self.mixed("static_sizes", sizes),
                 self.mixed("static_strides", strides, 0.1)]
        return ", ".join(p[0] for p in parts), [p[1] for p in parts], parts[1][2]

    def add_insert_slice(self):
        dest = self.pick()
        if self.rng.random() < 0.4:
            dest = self.make_fill(self.shape(dest), dest[1])
        offsets, sizes, strides = self.slice_of(self.shape(dest))
        source = next((v for v in reversed(self.values)
                       if self.shape(v) == sizes and v != dest), None)
        if source is None:
            # The sizes of a value that fits, if there is one.
            for value in reversed(self.values):
                shape, room = self.shape(value), self.shape(dest)
                step = self.rng.choice([1, 2])
                if len(shape) == len(room) and value != dest and all(
                        (n - 1) * step < r for n, r in zip(shape, room)):
                    source, sizes, strides = value, list(shape), [step] * len(shape)
                    offsets = [self.rng.randint(0, r - 1 - (n - 1) * step)
                               for n, r in zip(shape, room)]
                    break
        if source is None:
            self.add_argument(sizes)
            source = self.values.pop()
        texts, operands, static = self.slice_operands(offsets, sizes, strides)
        if self.type_of(sizes, static) != source[1]:
            source = self.emit("tensor.cast", [source], [self.type_of(sizes, static)]) \
                if len(sizes) else source
            self.shapes[source[0]] = sizes
        dropped = self.reduced(sizes, static)
        if any(dropped):
            kept = [s for s, d in zip(static, dropped) if not d]
            shape = [s for s, d in zip(sizes, dropped) if not d]
            value = (self.name(), self.type_of(shape, kept))
            zeros, ones = [0] * len(sizes), [1] * len(sizes)
            properties = ", ".join([
                integers("operandSegmentSizes", [1, 0, static.count(DYNAMIC), 0], 32),
                integers("static_offsets", zeros), integers("static_sizes", static),
                integers("static_strides", ones)])
            dynamic = operands[1]
            self.ops.append(Op("tensor.extract_slice", [value[0]],
                               [source[0], *(n for n, _ in dynamic)], f"<{{{properties}}}>",
                               [], [source[1], *(t for _, t in dynamic)], [value[1]]))
            self.shapes[value[0]] = shape
            source = value
        segments = integers("operandSegmentSizes", [1, 1, *map(len, operands)], 32)
        self.emit("tensor.insert_slice", [source, dest, *sum(operands, [])], [dest[1]],
                  f"{segments}, {texts}", shapes=[self.shape(dest)])

    def add_pad(self):
        source = self.pick()
        shape = self.shape(source)
        low = [self.rng.choice([0, 0, 1, 2]) for _ in shape]
        high = [self.rng.choice([0, 0, 1, 3]) for _ in shape]
        low_text, low_operands, low_static = self.mixed("static_low", low, 0.15)
        high_text, high_operands, high_static = self.mixed("static_high", high, 0.15)
        value = self.element()
        places = [(self.name(), "index") for _ in shape]
        body = Block(places, [Op("tensor.yield", [], [value[0]], "", [], [ELEMENT], [])])
        result = [before + n + after for before, n, after in zip(low, shape, high)]
        known = source[1][len("tensor<"):].split("x")
        statics = [DYNAMIC if k == "?" or DYNAMIC in (before, after) else n
                   for k, n, before, after in zip(known, result, low_static, high_static)]
        segments = integers("operandSegmentSizes",
                            [1, len(low_operands), len(high_operands)], 32)
        self.emit("tensor.pad", [source, *low_operands, *high_operands],
                  [self.type_of(result, statics)], f"{segments}, {low_text}, {high_text}",
                  [body], [result])

    def add_reshape(self):
        source = self.pick(static=True)
        shape = self.shape(source)
        if self.kind == "vector":
            return self.emit("vector.shape_cast", [source],
                             [self.type_of(self.other_shape(shape))],
                             shapes=[self.last_shape])
        if len(shape) > 1 and self.rng.random() < 0.5:
            cut = self.rng.randrange(1, len(shape))
            joined = [list(range(cut)), list(range(cut, len(shape)))] \
                if self.rng.random() < 0.6 else [list(range(len(shape)))]
            result = [math.prod(shape[d] for d in group) for group in joined]
            return self.emit("tensor.collapse_shape", [source], [self.type_of(result)],
                             f"reassociation = {self.groups(joined)}", shapes=[result])
        groups, result = [], []
        for size in shape:
            split = self.rng.choice([d for d in range(1, size + 1) if size % d == 0])
            parts = self.rng.choice([[size], [split, size // split], [1, size], [size, 1]])
            groups.append(list(range(len(result), len(result) + len(parts))))
            result += parts
        if not shape:
            result = [1] * self.rng.randint(0, 2)
        properties = (f"reassociation = {self.groups(groups)}, "
                      + integers("static_output_shape", result))
        return self.emit("tensor.expand_shape", [source], [self.type_of(result)], properties,
                         shapes=[result])

    @staticmethod
    def groups(groups):
        return "[" + ", ".join("[" + ", ".join(f"{d} : i64" for d in g) + "]"
                               for g in groups) + "]"

    def other_shape(self, shape):
        count, result = math.prod(shape), []
        while count > 1 and len(result) < 3:
            size = self.rng.choice([d for d in range(1, count + 1) if count % d == 0])
            result.append(size)
            count //= size
        self.last_shape = result + ([count] if count > 1 or not result else [])
        return self.last_shape

    def add_cast(self):
        source = self.pick()
        shape = self.shape(source)
        statics = [DYNAMIC if self.rng.random() < 0.5 else n for n in shape]
        self.emit("tensor.cast", [source], [self.type_of(shape, statics)], shapes=[shape])

    def make_empty(self, shape, type_):
        sizes = type_[len("tensor<"):].split("x")[:-1]
        operands = [self.index(n) for n, t in zip(shape, sizes) if t == "?"]
        made = self.emit("tensor.empty", operands, [type_])
        self.shapes[made[0]] = list(shape)
        return made

    def make_fill(self, shape, type_):
        value = self.element()
        dest = self.make_empty(shape, type_)
        return self.emit("linalg.fill", [value, dest], [type_],
                         integers("operandSegmentSizes", [1, 1], 32), [self.copy_body()],
                         [shape])

    def add_fill(self):
        shape = self.random_shape()
        self.make_fill(shape, self.type_of(shape))

    def copy_body(self):
        arguments = [(self.name(), ELEMENT), (self.name(), ELEMENT)]
        return Block(arguments, [Op("linalg.yield", [], [arguments[0][0]], "", [],
                                    [ELEMENT], [])])

    def add_transpose(self):
        source = self.pick(static=True)
        shape = self.shape(source)
        # Upstream's verifier reads out of bounds of a scalar's permutation.
        if not shape:
            return
        order = self.rng.sample(range(len(shape)), len(shape))
        result = [shape[d] for d in order]
        dest = self.make_empty(result, self.type_of(result))
        self.emit("linalg.transpose", [source, dest], [dest[1]],
                  integers("permutation", order), [self.copy_body()], [result])

    def add_concat(self):
        source = self.pick(static=True)
        shape = self.shape(source)
        if not shape:
            return
        axis = self.rng.randrange(len(shape))
        result = list(shape)
        result[axis] *= 2
        self.emit("tensor.concat", [source, source], [self.type_of(result)],
                  f"dim = {axis} : i64", shapes=[result])

    def add_insert(self):
        dest = self.pick()
        place = [self.index(self.rng.randrange(n)) for n in self.shape(dest)]
        self.emit("tensor.insert", [self.element(), dest, *place], [dest[1]],
                  shapes=[self.shape(dest)])

    def add_extract(self):
        source = self.pick()
        place = [self.index(self.rng.randrange(n)) for n in self.shape(source)]
        self.scalar = self.emit("tensor.extract", [source, *place], [ELEMENT])
        self.emit("tensor.from_elements", [self.scalar] * 2, [self.type_of([2])], shapes=[[2]])

    def add_dim(self):
        source = self.pick()
        if not self.shape(source):
            return
        number = self.index(self.rng.randrange(len(self.shape(source))))
        size = self.emit("tensor.dim", [source, number], ["index"])
        self.scalar = self.emit("arith.index_cast", [size], [ELEMENT])
        self.emit("tensor.from_elements", [self.scalar], [self.type_of([1])], shapes=[[1]])

    def add_splat(self):
        shape = self.random_shape()
        self.emit("tensor.splat", [self.element()], [self.type_of(shape)], shapes=[shape])

    #===------------------------------------------------------------------===#
    # Vectors
    #===------------------------------------------------------------------===#

    def add_vtranspose(self):
        source = self.pick()
        shape = self.shape(source)
        order = self.rng.sample(range(len(shape)), len(shape))
        result = [shape[d] for d in order]
        self.emit("vector.transpose", [source], [self.type_of(result)],
                  integers("permutation", order), shapes=[result])

    def add_broadcast(self):
        if self.rng.random() < 0.3:
            shape = self.random_shape()
            self.emit("vector.broadcast", [self.element()], [self.type_of(shape)], shapes=[shape])
            return
        source = self.pick()
        shape = [self.rng.choice([1, 2, 3]) if n == 1 else n for n in self.shape(source)]
        shape = [self.rng.choice([1, 2]) for _ in range(self.rng.randint(0, 1))] + shape
        self.emit("vector.broadcast", [source], [self.type_of(shape)], shapes=[shape])

    def add_vextract(self):
        source = self.pick()
        shape = self.shape(source)
        depth = self.rng.randint(1, len(shape))
        text, operands, _ = self.mixed("static_position",
                                       [self.rng.randrange(n) for n in shape[:depth]], 0.2)
        rest = shape[depth:]
        if rest:
            self.emit("vector.extract", [source, *operands], [self.type_of(rest)], text,
                      shapes=[rest])
        else:
            self.scalar = self.emit("vector.extract", [source, *operands], [ELEMENT], text)
            self.emit("vector.broadcast", [self.scalar], [self.type_of([2])], shapes=[[2]])

    def add_vinsert(self):
        dest = self.pick()
        shape = self.shape(dest)
        depth = self.rng.randint(1, len(shape))
        text, operands, _ = self.mixed("static_position",
                                       [self.rng.randrange(n) for n in shape[:depth]], 0.2)
        rest = shape[depth:]
        value = self.element()
        if rest:
            value = next((v for v in reversed(self.values) if self.shape(v) == rest), None) \
                or self.emit("vector.broadcast", [value], [self.type_of(rest)])
        self.emit("vector.insert", [value, dest, *operands], [dest[1]], text, shapes=[shape])

    def add_shuffle(self):
        first = self.pick()
        shape = self.shape(first)
        second = next((v for v in self.values if self.shape(v) == shape), first)
        lanes = [self.rng.randrange(-1 if self.rng.random() < .1 else 0, 2 * shape[0])
                 for _ in range(self.rng.randint(1, 4))]
        if self.rng.random() < 0.4:
            lanes = list(range(shape[0]))
        if len(shape) != 1:
            return
        result = [len(lanes)]
        self.emit("vector.shuffle", [first, second], [self.type_of(result)],
                  integers("mask", lanes), shapes=[result])

    def add_strided(self):
        source = self.pick()
        shape = self.shape(source)
        depth = self.rng.randint(1, len(shape))
        offsets = [self.rng.randrange(n) for n in shape[:depth]]
        sizes = [self.rng.randint(1, n - o) for n, o in zip(shape, offsets)]
        result = sizes + shape[depth:]
        texts = [f"{k} = [{', '.join(f'{v} : i64' for v in vs)}]" for k, vs in
                 [("offsets", offsets), ("sizes", sizes), ("strides", [1] * depth)]]
        self.emit("vector.extract_strided_slice", [source], [self.type_of(result)],
                  ", ".join(texts), shapes=[result])

    def add_strided_insert(self):
        source, dest = self.pick(), self.pick()
        inner, outer = self.shape(source), self.shape(dest)
        gap = len(outer) - len(inner)
        if gap < 0 or any(i > o for i, o in zip(inner, outer[gap:])):
            return
        offsets = [self.rng.randrange(n) for n in outer[:gap]] + [
            self.rng.randint(0, o - i) for i, o in zip(inner, outer[gap:])]
        texts = [f"{k} = [{', '.join(f'{v} : i64' for v in vs)}]" for k, vs in
                 [("offsets", offsets), ("strides", [1] * len(inner))]]
        self.emit("vector.insert_strided_slice", [source, dest], [dest[1]],
                  ", ".join(texts), shapes=[outer])

    def mask(self, shape):
        type_ = self.type_of(shape).replace(ELEMENT, "i1")
        bounds = [self.rng.randint(0, n) for n in shape]
        if self.rng.random() < 0.5:
            return self.emit("vector.create_mask", [self.index(b) for b in bounds], [type_])
        if 0 in bounds:
            bounds = [0] * len(shape)
        return self.emit("vector.constant_mask", [], [type_], integers("mask_dim_sizes", bounds))

    def add_mask(self):
        self.add_select()

    def add_select(self):
        first = self.pick()
        shape = self.shape(first)
        second = next((v for v in self.values if self.shape(v) == shape), first)
        self.emit("arith.select", [self.mask(shape), first, second], [first[1]], shapes=[shape])

    def add_elements(self):
        source = self.pick()
        shape = self.shape(source)
        count = math.prod(shape)
        if count > 6:
            return
        names = [self.name() for _ in range(count)]
        self.ops.append(Op("vector.to_elements", names, [source[0]], "", [], [source[1]],
                           [ELEMENT] * count))
        if self.rng.random() < 0.5:
            self.rng.shuffle(names)
        values = [(n, ELEMENT) for n in names]
        self.emit("vector.from_elements", values, [source[1]], shapes=[shape])

    def add_interleave(self):
        first = self.pick()
        shape = self.shape(first)
        if self.rng.random() < 0.5 and shape[-1] % 2 == 0:
            result = [*shape[:-1], shape[-1] // 2]
            type_ = self.type_of(result)
            self.emit("vector.deinterleave", [first], [type_, type_], shapes=[result, result])
            return
        second = next((v for v in self.values if self.shape(v) == shape), first)
        result = [*shape[:-1], shape[-1] * 2]
        self.emit("vector.interleave", [first, second], [self.type_of(result)], shapes=[result])

    def samples(self):
        """One array a seed, all elements different if they can be."""
        rng = random.Random(2)
        result = []
        for _ in range(2):
            result.append(tuple(
                rng.randrange(256) if type_ == ELEMENT else
                Array(tuple(self.shapes[name]),
                      [rng.randrange(256) for _ in range(math.prod(self.shapes[name]))])
                for name, type_ in self.arguments))
        return result
