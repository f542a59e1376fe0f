# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of programs of unknown sizes (sized_programs.py) by ops of TOSA, of tensor,
and of StableHLO, whose sizes are operands there.

A TOSA op repeats an operand of size 1, which is known at run time only where that
size is `k` or `j`.
"""
import numpy as np

from sized_programs import number

# Below this many dimensions, so that programs stay small.
MOST = 4


def pick(p, accept=lambda shape: True):
    """A tensor, made of a pattern if need be."""
    value = p.pick(lambda kind, shape: len(shape) <= MOST and accept(shape))
    return p.tensor(*value)


# TOSA.


def broadcast_shape(a, b):
    """What TOSA broadcasts two shapes to; None if they are not known to fit."""
    if len(a) != len(b):
        return None
    result = []
    for sizes in zip(a, b):
        left = set(sizes) - {1}
        if left in ({"n", "k"}, {"m", "j"}):
            left -= {"k", "j"}
        if len(left) > 1:
            return None
        result.append(left.pop() if left else 1)
    return tuple(result)


def tosa_binary(p):
    a = pick(p, len)
    others = [v for v in p.values if len(v[2]) <= MOST and broadcast_shape(a[2], v[2])]
    b = p.tensor(*p.rng.choice(others))
    shape = broadcast_shape(a[2], b[2])
    name, function = p.rng.choice((("add", np.add), ("sub", np.subtract), ("maximum", np.maximum),
                                   ("minimum", np.minimum), ("mul", np.multiply)))
    pair = [a, b]
    p.rng.shuffle(pair)
    (x, _, xs, fx), (y, _, ys, fy) = pair
    more, kinds = "", f"{p.show('t', xs)}, {p.show('t', ys)}"
    if name == "mul":
        p.names += 1
        more = f", %shift{p.names}"
        p.lines.append(f'%shift{p.names} = "tosa.const"() <{{values = dense<0> : tensor<1xi8>}}> : () -> tensor<1xi8>')
        kinds += ", tensor<1xi8>"
    p.define("t", shape, f"tosa.{name} {x}, {y}{more} : ({kinds}) -> {p.show('t', shape)}",
             lambda env: function(fx(env), fy(env)))


def tosa_unary(p):
    name, _, shape, f = pick(p, len)
    t = p.show("t", shape)
    p.define("t", shape, f"tosa.abs {name} : ({t}) -> {t}", lambda env: np.abs(f(env)))


def tosa_reduce(p):
    name, _, shape, f = pick(p, len)
    axis = p.rng.randrange(len(shape))
    left = shape[:axis] + (1,) + shape[axis + 1:]
    p.define("t", left, f"tosa.reduce_sum {name} {{axis = {axis} : i32}} : ({p.show('t', shape)}) -> "
             f"{p.show('t', left)}", lambda env: np.sum(f(env), axis, dtype=np.int32, keepdims=True))


def tosa_transpose(p):
    name, _, shape, f = pick(p, lambda shape: len(shape) > 1)
    perm = list(range(len(shape)))
    p.rng.shuffle(perm)
    moved = tuple(shape[i] for i in perm)
    p.define("t", moved, f"tosa.transpose {name} {{perms = array<i32: {', '.join(map(str, perm))}>}} : "
             f"({p.show('t', shape)}) -> {p.show('t', moved)}", lambda env: np.transpose(f(env), perm))


def tosa_concat(p):
    name, _, shape, f = pick(p, len)
    axis = p.rng.randrange(len(shape))
    grown = shape[:axis] + (p.sum(shape[axis], shape[axis]),) + shape[axis + 1:]
    t = p.show("t", shape)
    p.define("t", grown, f"tosa.concat {name}, {name} {{axis = {axis} : i32}} : ({t}, {t}) -> {p.show('t', grown)}",
             lambda env: np.concatenate([f(env), f(env)], axis))


# tensor.


def brackets(values):
    return "[" + ", ".join(map(str, values)) + "]"


def extract(p):
    """The whole of dimensions of unknown size, and a part of others."""
    name, _, shape, f = pick(p, lambda shape: shape and 0 not in shape)
    offsets = [p.rng.randrange(n) if isinstance(n, int) else 0 for n in shape]
    sizes = [p.rng.randint(0, n - at) if isinstance(n, int) else n for n, at in zip(shape, offsets)]
    texts = [n if isinstance(n, int) else p.index(n) for n in sizes]
    p.define("t", sizes, f"tensor.extract_slice {name}{brackets(offsets)} {brackets(texts)} {brackets([1] * len(sizes))} "
             f": {p.show('t', shape)} to {p.show('t', sizes)}",
             lambda env: f(env)[tuple(slice(at, at + number(n, env)) for at, n in zip(offsets, sizes))])


def insert(p):
    """Rows of sevens before, by way of an insertion; upstream wants a row to begin at."""
    name, _, shape, f = pick(p, lambda shape: shape and 0 not in shape)
    grown = (p.sum(shape[0], 2),) + shape[1:]
    out = p.empty(grown)
    p.lines.append(f"{out}c = arith.constant 7 : i32")
    t, u = p.show("t", grown), p.show("t", shape)
    p.lines.append(f"{out}f = linalg.fill ins({out}c : i32) outs({out} : {t}) -> {t}")
    offsets = [2] + [0] * (len(shape) - 1)
    texts = [n if isinstance(n, int) else p.index(n) for n in shape]
    p.define("t", grown, f"tensor.insert_slice {name} into {out}f{brackets(offsets)} {brackets(texts)} "
             f"{brackets([1] * len(shape))} : {u} into {t}",
             lambda env: np.pad(f(env), [(2, 0)] + [(0, 0)] * (len(shape) - 1), constant_values=7))


def pad(p):
    name, _, shape, f = pick(p, len)
    low, high = ([p.rng.choice((0, 0, 1, 2)) for _ in shape] for _ in range(2))
    grown = tuple(n if a + b == 0 else p.sum(n, a + b) for n, a, b in zip(shape, low, high))
    p.names += 1
    value, indices = f"%z{p.names}", ", ".join(f"%q{i}: index" for i in range(len(shape)))
    p.lines.append(f"{value} = arith.constant -3 : i32")
    p.define("t", grown, f"tensor.pad {name} low{brackets(low)} high{brackets(high)} {{ ^bb0({indices}): "
             f"tensor.yield {value} : i32 }} : {p.show('t', shape)} to {p.show('t', grown)}",
             lambda env: np.pad(f(env), list(zip(low, high)), constant_values=-3))


def concat(p):
    name, _, shape, f = pick(p, len)
    axis = p.rng.randrange(len(shape))
    fits = [v for v in p.values if len(v[2]) == len(shape)
            and all(i == axis or a == b for i, (a, b) in enumerate(zip(shape, v[2])))]
    other, _, second, g = p.tensor(*p.rng.choice(fits))
    grown = shape[:axis] + (p.sum(shape[axis], second[axis]),) + shape[axis + 1:]
    p.define("t", grown, f"tensor.concat dim({axis}) {name}, {other} : ({p.show('t', shape)}, {p.show('t', second)}) -> "
             f"{p.show('t', grown)}", lambda env: np.concatenate([f(env), g(env)], axis))


def collapse(p):
    name, _, shape, f = pick(p, lambda shape: len(shape) > 1)
    joined = (p.product(shape[0], shape[1]),) + shape[2:]
    groups = [[0, 1]] + [[i] for i in range(2, len(shape))]
    p.define("t", joined, f"tensor.collapse_shape {name} {groups} : {p.show('t', shape)} into {p.show('t', joined)}",
             lambda env: np.reshape(f(env), [number(n, env) for n in joined]))


def expand(p):
    """A dimension of size 1 before the others, or a product taken apart."""
    name, _, shape, f = pick(p, lambda shape: 0 < len(shape) < MOST)
    parts = [1, shape[0]]
    if not isinstance(shape[0], int) and shape[0].startswith("("):
        operands, char = p.split(shape[0])
        if char == "*":
            parts = operands
    grown = (*parts, *shape[1:])
    groups = [[0, 1]] + [[i + 1] for i in range(1, len(shape))]
    texts = [n if isinstance(n, int) else p.index(n) for n in grown]
    p.define("t", grown, f"tensor.expand_shape {name} {groups} output_shape {brackets(texts)} : {p.show('t', shape)} into "
             f"{p.show('t', grown)}", lambda env: np.reshape(f(env), [number(n, env) for n in grown]))


# StableHLO.


def size_value(p, size):
    """A size as a tensor of one i32."""
    if size not in p.numbers:
        p.names += 1
        name = f"%h{p.names}"
        if isinstance(size, int):
            text = f'"stablehlo.constant"() <{{value = dense<{size}> : tensor<i32>}}> : () -> tensor<i32>'
        elif size in p.SYMBOLS:
            tensor, dim = p.SYMBOLS[size]
            text = (f'"stablehlo.get_dimension_size"({tensor}) <{{dimension = {dim} : i64}}> : (tensor<?x?xi32>) -> '
                    "tensor<i32>")
        else:
            (a, b), char = p.split(size)
            op = {"+": "add", "*": "multiply"}[char]
            text = (f'"stablehlo.{op}"({size_value(p, a)}, {size_value(p, b)}) : (tensor<i32>, tensor<i32>) -> '
                    "tensor<i32>")
        p.lines.append(f"{name} = {text}")
        p.numbers[size] = name
    return p.numbers[size]


def shape_value(p, sizes):
    """A list of sizes as an operand."""
    scalars = [size_value(p, size) for size in sizes]
    p.names += 1
    name, parts = f"%l{p.names}", []
    if not sizes:
        p.lines.append(f'{name} = "stablehlo.constant"() <{{value = dense<> : tensor<0xi32>}}> : () -> tensor<0xi32>')
        return name, "tensor<0xi32>"
    for i, scalar in enumerate(scalars):
        parts.append(f"{name}_{i}")
        p.lines.append(f'{parts[-1]} = "stablehlo.reshape"({scalar}) : (tensor<i32>) -> tensor<1xi32>')
    kind = f"tensor<{len(sizes)}xi32>"
    p.lines.append(f'{name} = "stablehlo.concatenate"({", ".join(parts)}) <{{dimension = 0 : i64}}> : '
                   f"({', '.join(['tensor<1xi32>'] * len(sizes))}) -> {kind}")
    return name, kind


def hlo(p, name, operands, shape, function, attributes=""):
    """`operands` are pairs of a name and a type."""
    names, kinds = (", ".join(part) for part in zip(*operands)) if operands else ("", "")
    attributes = f" <{{{attributes}}}>" if attributes else ""
    return p.define("t", shape, f'"stablehlo.{name}"({names}){attributes} : ({kinds}) -> {p.show("t", shape)}', function)


def integers(values):
    return f"array<i64: {', '.join(map(str, values))}>" if len(values) else "array<i64>"


def hlo_binary(p):
    a = pick(p)
    b = p.tensor(*p.rng.choice([v for v in p.values if v[2] == a[2]]))
    name, function = p.rng.choice((("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply),
                                   ("maximum", np.maximum)))
    t = p.show("t", a[2])
    hlo(p, name, [(a[0], t), (b[0], t)], a[2], lambda env: function(a[3](env), b[3](env)))


def hlo_broadcast(p):
    name, _, shape, f = pick(p, lambda shape: len(shape) < MOST)
    axis = p.rng.randint(0, len(shape))
    # What is 1 grows, and there is one dimension more.
    grown = tuple(p.rng.choice(("n", "m", 3)) if n == 1 else n for n in shape)
    result = grown[:axis] + (p.rng.choice(("n", "m", 2)),) + grown[axis:]
    places = [i + (i >= axis) for i in range(len(shape))]
    sizes = shape_value(p, result)

    def function(env):
        return np.broadcast_to(np.expand_dims(f(env), axis), [number(n, env) for n in result])
    hlo(p, "dynamic_broadcast_in_dim", [(name, p.show("t", shape)), sizes], result, function,
        f"broadcast_dimensions = {integers(places)}")


def hlo_reshape(p):
    name, _, shape, f = pick(p, lambda shape: len(shape) > 1)
    at = p.rng.randrange(len(shape) - 1)
    joined = shape[:at] + (p.product(shape[at], shape[at + 1]),) + shape[at + 2:]
    hlo(p, "dynamic_reshape", [(name, p.show("t", shape)), shape_value(p, joined)], joined,
        lambda env: np.reshape(f(env), [number(n, env) for n in joined]))


def hlo_iota(p):
    shape = tuple(p.rng.choice(("n", "m", 2)) for _ in range(p.rng.randint(1, 2)))
    dim = p.rng.randrange(len(shape))

    def function(env):
        sizes = [number(n, env) for n in shape]
        column = np.arange(sizes[dim], dtype=np.int32).reshape([-1 if i == dim else 1 for i in range(len(shape))])
        return np.broadcast_to(column, sizes)
    hlo(p, "dynamic_iota", [shape_value(p, shape)], shape, function, f"iota_dimension = {dim} : i64")


def hlo_slice(p):
    """All but the last elements of dimensions of known size."""
    name, _, shape, f = pick(p, len)
    ends = tuple(n if not isinstance(n, int) else p.rng.randint(0, n) for n in shape)
    operands = [(name, p.show("t", shape)), shape_value(p, [0] * len(shape)), shape_value(p, ends),
                shape_value(p, [1] * len(shape))]
    hlo(p, "real_dynamic_slice", operands, ends, lambda env: f(env)[tuple(slice(0, number(n, env)) for n in ends)])


def hlo_pad(p):
    name, _, shape, f = pick(p, len)
    p.names += 1
    value = f"%z{p.names}"
    p.lines.append(f'{value} = "stablehlo.constant"() <{{value = dense<5> : tensor<i32>}}> : () -> tensor<i32>')
    low = [p.rng.choice((0, 1)) for _ in shape]
    grown = tuple(n if not a else p.sum(n, a) for n, a in zip(shape, low))
    zeros = [0] * len(shape)
    operands = [(name, p.show("t", shape)), (value, "tensor<i32>"), *(shape_value(p, part) for part in (low, zeros, zeros))]
    hlo(p, "dynamic_pad", operands, grown, lambda env: np.pad(f(env), [(a, 0) for a in low], constant_values=5))


def hlo_transpose(p):
    name, _, shape, f = pick(p, len)
    perm = list(range(len(shape)))
    p.rng.shuffle(perm)
    hlo(p, "transpose", [(name, p.show("t", shape))], tuple(shape[i] for i in perm),
        lambda env: np.transpose(f(env), perm), f"permutation = {integers(perm)}")


def hlo_concatenate(p):
    name, _, shape, f = pick(p, len)
    axis = p.rng.randrange(len(shape))
    t = p.show("t", shape)
    grown = shape[:axis] + (p.sum(shape[axis], shape[axis]),) + shape[axis + 1:]
    hlo(p, "concatenate", [(name, t), (name, t)], grown, lambda env: np.concatenate([f(env), f(env)], axis),
        f"dimension = {axis} : i64")


def hlo_reduce(p):
    name, _, shape, f = pick(p)
    axes = tuple(sorted(p.rng.sample(range(len(shape)), p.rng.randint(0, len(shape)))))
    left = tuple(n for i, n in enumerate(shape) if i not in axes)
    p.names += 1
    zero = f"%z{p.names}"
    p.lines.append(f'{zero} = "stablehlo.constant"() <{{value = dense<0> : tensor<i32>}}> : () -> tensor<i32>')
    p.define("t", left, f'"stablehlo.reduce"({name}, {zero}) <{{dimensions = {integers(axes)}}}> ({{ '
             "^bb0(%ra: tensor<i32>, %rb: tensor<i32>): "
             '%rc = "stablehlo.add"(%ra, %rb) : (tensor<i32>, tensor<i32>) -> tensor<i32> '
             f'"stablehlo.return"(%rc) : (tensor<i32>) -> () }}) : ({p.show("t", shape)}, tensor<i32>) -> '
             f"{p.show('t', left)}", lambda env: np.sum(f(env), axes, dtype=np.int32))


def hlo_dot(p):
    matrices = [v for v in p.values if len(v[2]) == 2]
    a = p.rng.choice(matrices)
    fits = [v for v in matrices if v[2][0] == a[2][1]]
    if not fits:
        return
    a, b = p.tensor(*a), p.tensor(*p.rng.choice(fits))
    hlo(p, "dot_general", [(a[0], p.show("t", a[2])), (b[0], p.show("t", b[2]))], (a[2][0], b[2][1]),
        lambda env: np.matmul(a[3](env).astype(np.int64), b[3](env).astype(np.int64)).astype(np.int32),
        "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>")


TOSA = (tosa_binary, tosa_binary, tosa_binary, tosa_unary, tosa_reduce, tosa_transpose, tosa_concat)
TENSOR = (extract, insert, pad, concat, collapse, expand)
HLO = (hlo_binary, hlo_binary, hlo_binary, hlo_broadcast, hlo_broadcast, hlo_reshape, hlo_iota, hlo_slice, hlo_pad,
       hlo_transpose, hlo_concatenate, hlo_reduce, hlo_dot)
