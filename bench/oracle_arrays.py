#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops of vector, tensor and linalg that move elements mean, for fuzz_folds.py:
arrays as generic_ir.py has them, elements of tensor.empty are None.
"""

import itertools
import math
import re

from generic_ir import Array, Undefined, Unknown, signed

DYNAMIC = -9223372036854775808


def numbers(op, name, default=None):
    """An attribute that is a list of integers."""
    match = re.search(rf"\b{name} = (?:array<i(?:64|32|1)(?:: ([^>]*))?>|\[([^\]]*)\])",
                      op.properties)
    if not match:
        return default
    text = match.group(1) or match.group(2) or ""
    return [int(n.split(":")[0]) for n in text.split(",") if n.strip()]


def groups(op):
    """The dimensions that a reshape joins."""
    text = re.search(r"reassociation = (\[.*?\]\]|\[\])", op.properties, re.S).group(1)
    return [[int(n.split(":")[0]) for n in group.split(",") if n.strip()]
            for group in re.findall(r"\[([^\[\]]*)\]", text[1:-1])]


def places(shape):
    return itertools.product(*map(range, shape))


def place_number(shape, place):
    number = 0
    for size, index in zip(shape, place):
        number = number * size + index
    return number


def at(array, place):
    return array.elements[place_number(array.shape, place)]


def build(shape, element):
    """An array from what each place of it has."""
    shape = tuple(shape)
    return Array(shape, [element(place) for place in places(shape)])


def with_at(array, place, value):
    elements = list(array.elements)
    elements[place_number(array.shape, place)] = value
    return Array(array.shape, elements)


def segments(op, operands):
    """An op's operands by the groups they belong to."""
    sizes = numbers(op, "operandSegmentSizes")
    result, first = [], 0
    for size in sizes:
        result.append(operands[first:first + size])
        first += size
    return result


def mixed(static, dynamic):
    """Numbers, where the static ones have gaps."""
    values = iter(dynamic)
    result = []
    for number in static:
        number = next(values) if number == DYNAMIC else number
        if number is None:
            raise Undefined
        result.append(signed(64, number % (1 << 64)))
    return result


def inside(place, shape):
    if any(p is None for p in place):
        raise Undefined
    place = [signed(64, p % (1 << 64)) for p in place]
    if any(not 0 <= p < s for p, s in zip(place, shape)):
        raise Undefined
    return place


def static_sizes(type_):
    text = re.match(r"(?:vector|tensor)<((?:[\d?]+x)*)", type_).group(1)
    return [None if n == "?" else int(n) for n in text.split("x")[:-1]]


def drop_units(shape, type_):
    """A slice's shape without the units that its type does not have."""
    wanted = static_sizes(type_)
    shape = list(shape)
    while len(shape) > len(wanted):
        # The first unit whose absence fits: what is dropped is not said elsewhere.
        for i, size in enumerate(shape):
            rest = shape[:i] + shape[i + 1:]
            if size == 1 and fits(rest, wanted):
                shape = rest
                break
        else:
            raise Unknown("a rank-reducing slice")
    return tuple(shape)


def fits(shape, wanted):
    """Whether dropping further units of a shape gives the wanted sizes."""
    if len(shape) == len(wanted):
        return all(w in (None, s) for s, w in zip(shape, wanted))
    return any(size == 1 and fits(shape[:i] + shape[i + 1:], wanted)
               for i, size in enumerate(shape))


def extract_slice(op, operands):
    (source,), offsets, sizes, strides = segments(op, operands)
    offsets = mixed(numbers(op, "static_offsets"), offsets)
    sizes = mixed(numbers(op, "static_sizes"), sizes)
    strides = mixed(numbers(op, "static_strides"), strides)
    check_slice(source.shape, offsets, sizes, strides)
    full = build(sizes, lambda place: at(
        source, [o + p * s for o, p, s in zip(offsets, place, strides)]))
    return [Array(drop_units(full.shape, op.result_types[0]), full.elements)]


def check_slice(shape, offsets, sizes, strides):
    for size, offset, count, stride in zip(shape, offsets, sizes, strides):
        if count < 0 or offset < 0 or stride < 0 or (
                count and offset + (count - 1) * stride >= size) or offset > size:
            raise Undefined


def insert_slice(op, operands):
    (source,), (dest,), offsets, sizes, strides = segments(op, operands)
    offsets = mixed(numbers(op, "static_offsets"), offsets)
    sizes = mixed(numbers(op, "static_sizes"), sizes)
    strides = mixed(numbers(op, "static_strides"), strides)
    check_slice(dest.shape, offsets, sizes, strides)
    if math.prod(sizes) != len(source.elements):
        raise Undefined
    elements = list(dest.elements)
    for value, place in zip(source.elements, places(sizes)):
        elements[place_number(dest.shape, [o + p * s for o, p, s in zip(
            offsets, place, strides)])] = value
    return [Array(dest.shape, elements)]


def pad(op, operands, compute):
    """tensor.pad, of whose region `compute` gives the value at a place."""
    (source,), low, high = segments(op, operands)
    low = mixed(numbers(op, "static_low"), low)
    high = mixed(numbers(op, "static_high"), high)
    shape = [below + size + above for below, size, above in zip(low, source.shape, high)]
    if any(size < 0 for size in shape):
        raise Undefined

    def element(place):
        inner = [p - below for p, below in zip(place, low)]
        if all(0 <= p < size for p, size in zip(inner, source.shape)):
            return at(source, inner)
        return compute(place)[0]
    return [build(shape, element)]


def collapse(op, operands):
    shape = operands[0].shape
    return [Array(tuple(math.prod(shape[d] for d in group) for group in groups(op)),
                  operands[0].elements)]


def expand(op, operands):
    sizes = mixed(numbers(op, "static_output_shape"), operands[1:])
    if math.prod(sizes) != len(operands[0].elements):
        raise Undefined
    return [Array(tuple(sizes), operands[0].elements)]


def check_type(array, type_):
    if any(w not in (None, s) for s, w in zip(array.shape, static_sizes(type_))):
        raise Undefined
    return array


def dim(op, operands):
    array, index = operands
    if index is None or not 0 <= index < len(array.shape):
        raise Undefined
    return [array.shape[index]]


def concat(op, operands):
    axis = int(re.search(r"dim = (\d+)", op.properties).group(1))
    parts = [(array, i) for array in operands for i in range(array.shape[axis])]
    shape = list(operands[0].shape)
    shape[axis] = len(parts)

    def element(place):
        array, i = parts[place[axis]]
        return at(array, [*place[:axis], i, *place[axis + 1:]])
    return [build(shape, element)]


def empty(op, operands):
    sizes = iter(operands)
    shape = [next(sizes) if s is None else s for s in static_sizes(op.result_types[0])]
    if any(s is None or s > 1 << 20 for s in shape):
        raise Undefined
    return [Array(tuple(shape), [None] * math.prod(shape))]


def linalg_transpose(op, operands):
    order = numbers(op, "permutation")
    source = operands[0]
    shape = [source.shape[d] for d in order]

    def element(place):
        back = [0] * len(order)
        for p, d in zip(place, order):
            back[d] = p
        return at(source, back)
    return [build(shape, element)]


def fill(op, operands):
    return [Array(operands[1].shape, [operands[0]] * len(operands[1].elements))]


def static_shape(op):
    return tuple(static_sizes(op.result_types[0]))


def position(op, operands):
    """Where vector.extract and vector.insert look."""
    static = numbers(op, "static_position")
    return mixed(static, operands)


def vector_extract(op, operands):
    source = operands[0]
    place = position(op, operands[1:])
    inside(place, source.shape)
    rest = source.shape[len(place):]
    if not rest:
        return [at(source, place)]
    return [build(rest, lambda p: at(source, [*place, *p]))]


def vector_insert(op, operands):
    value, dest = operands[:2]
    place = position(op, operands[2:])
    inside(place, dest.shape)
    rest = dest.shape[len(place):]
    result = dest
    for p in places(rest):
        result = with_at(result, [*place, *p], at(value, p) if isinstance(value, Array)
                         else value)
    return [result]


def broadcast(op, operands):
    shape, value = static_shape(op), operands[0]
    if not isinstance(value, Array):
        return [Array(shape, [value] * math.prod(shape))]
    return [build(shape, lambda place: at(value, [
        0 if size == 1 else p for p, size in zip(place[len(shape) - len(value.shape):],
                                                 value.shape)]))]


def shuffle(op, operands):
    both = [build(a.shape[1:], lambda p, a=a, i=i: at(a, [i, *p])) for a in operands
            for i in range(a.shape[0])]
    rows = []
    for number in numbers(op, "mask"):
        rows += (both[number].elements if number >= 0 else [None] * len(both[0].elements))
    return [Array(static_shape(op), rows)]


def strided_extract(op, operands):
    source, offsets = operands[0], numbers(op, "offsets")
    strides = numbers(op, "strides")
    return [build(static_shape(op), lambda place: at(source, [
        offsets[d] + p * strides[d] if d < len(offsets) else p
        for d, p in enumerate(place)]))]


def strided_insert(op, operands):
    source, dest = operands
    offsets = numbers(op, "offsets")
    gap = len(dest.shape) - len(source.shape)
    result = dest
    for place in places(source.shape):
        full = [0] * gap + list(place)
        result = with_at(result, [o + p for o, p in zip(offsets, full)], at(source, place))
    return [result]


def mask(op, bounds):
    return [build(static_shape(op), lambda place: int(all(
        p < signed(64, b % (1 << 64)) for p, b in zip(place, bounds))))]


def reduction(op, operands):
    values, kind = operands[0].elements, re.search(r"kind<(\w+)>", op.properties).group(1)
    values = values + operands[1:]
    if any(v is None for v in values):
        return [None]
    bits = int(op.result_types[0][1:])
    wrap = (1 << bits) - 1
    result = values[0]
    for value in values[1:]:
        result = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b,
                  "and": lambda a, b: a & b, "or": lambda a, b: a | b,
                  "xor": lambda a, b: a ^ b, "maxui": max, "minui": min,
                  "maxsi": lambda a, b: max(signed(bits, a), signed(bits, b)),
                  "minsi": lambda a, b: min(signed(bits, a), signed(bits, b)),
                  }[kind](result, value) & wrap
    return [result]


def interleave(op, operands):
    low, high = operands
    return [build(static_shape(op), lambda place: at(
        [low, high][place[-1] % 2], [*place[:-1], place[-1] // 2]))]


def deinterleave(op, operands):
    shape = static_shape(op)
    return [build(shape, lambda place, i=i: at(operands[0], [*place[:-1],
                                                             place[-1] * 2 + i]))
            for i in range(2)]


MOVES = {
    "tensor.extract_slice": extract_slice, "tensor.insert_slice": insert_slice,
    "tensor.collapse_shape": collapse, "tensor.expand_shape": expand,
    "tensor.cast": lambda op, o: [check_type(o[0], op.result_types[0])],
    "tensor.dim": dim, "tensor.concat": concat, "tensor.empty": empty,
    "tensor.extract": lambda op, o: [at(o[0], inside(o[1:], o[0].shape))],
    "tensor.insert": lambda op, o: [with_at(o[1], inside(o[2:], o[1].shape), o[0])],
    "tensor.from_elements": lambda op, o: [Array(static_shape(op), o)],
    "tensor.splat": lambda op, o: [Array(static_shape(op),
                                         [o[0]] * math.prod(static_shape(op)))],
    "tensor.rank": lambda op, o: [len(o[0].shape)],
    "linalg.transpose": linalg_transpose, "linalg.fill": fill,
    "linalg.copy": lambda op, o: [Array(o[1].shape, o[0].elements)],
    "vector.extract": vector_extract, "vector.insert": vector_insert,
    "vector.broadcast": broadcast, "vector.shuffle": shuffle,
    "vector.shape_cast": lambda op, o: [Array(static_shape(op), o[0].elements)],
    "vector.transpose": linalg_transpose,
    "vector.extract_strided_slice": strided_extract,
    "vector.insert_strided_slice": strided_insert,
    "vector.constant_mask": lambda op, o: mask(op, numbers(op, "mask_dim_sizes")),
    "vector.create_mask": mask,
    "vector.from_elements": lambda op, o: [Array(static_shape(op), o)],
    "vector.to_elements": lambda op, o: list(o[0].elements),
    "vector.reduction": reduction, "vector.interleave": interleave,
    "vector.deinterleave": deinterleave,
    "vector.step": lambda op, o: [Array(static_shape(op), list(range(static_shape(op)[0])))],
}
