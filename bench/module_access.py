# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random steps: our own dialect.

Each is a function of a body (module_values.py); what it can't make it leaves."""
from module_values import LAYOUTS, access, count, is_float, known, literal, show, tensor


def pattern(accept=lambda kind: True):
    def decorate(make):
        def op(f):
            found = f.any_access(accept)
            if found:
                make(f, *found)
        return op
    return decorate


def unary(f, name, kind, result, text):
    f.define(result, f"tensoraccess.{name[0]} {name[1]} {text}: {show(kind)} -> {show(result)}")


@pattern()
def transpose(f, name, kind):
    shape, split = kind[1] + kind[2], len(kind[1])
    perm = list(range(len(shape)))
    f.rng.shuffle(perm)
    moved = [shape[i] for i in perm]
    unary(f, ("transpose", name), kind, access(moved[:split], moved[split:], kind[3]),
          f"perm = {perm} ")


@pattern()
def to_tensor(f, name, kind):
    unary(f, ("to_tensor", name), kind, tensor(kind[1] + kind[2], kind[3]), "")


@pattern(lambda kind: kind[1])
def shift_right(f, name, kind):
    by = f.rng.randint(0, len(kind[1]))
    split = len(kind[1]) - by
    unary(f, ("shift_right", name), kind,
          access(kind[1][:split], kind[1][split:] + kind[2], kind[3]), f"by {by} ")


@pattern()
def flatten(f, name, kind):
    def flat(shape):
        return (count(shape) if known(shape) else None,) if shape else ()
    unary(f, ("flatten", name), kind, access(flat(kind[1]), flat(kind[2]), kind[3]), "")


@pattern(lambda kind: len(kind[1] + kind[2]) < 6)
def insert_axis(f, name, kind):
    shape, split = list(kind[1] + kind[2]), len(kind[1])
    axis = f.rng.randint(0, len(shape))
    shape.insert(axis, 1)
    split += axis <= split
    unary(f, ("insert_axis", name), kind, access(shape[:split], shape[split:], kind[3]),
          f"axis {axis} ")


@pattern(lambda kind: 1 in kind[1] + kind[2])
def squeeze(f, name, kind):
    shape, split = list(kind[1] + kind[2]), len(kind[1])
    axis = f.rng.choice([i for i, n in enumerate(shape) if n == 1])
    del shape[axis]
    split -= axis < split
    unary(f, ("squeeze", name), kind, access(shape[:split], shape[split:], kind[3]),
          f"axis {axis} ")


@pattern(lambda kind: 1 in kind[1] + kind[2])
def broadcast(f, name, kind):
    grown = [f.rng.choice((0, 1, 3)) if n == 1 else n for n in kind[1] + kind[2]]
    split = len(kind[1])
    unary(f, ("broadcast", name), kind, access(grown[:split], grown[split:], kind[3]), "")


@pattern()
def slice_(f, name, kind):
    offsets, sizes, strides, result = [], [], [], []
    for n in kind[1] + kind[2]:
        whole = n is None and f.rng.random() < 0.7
        size = -1 if whole else f.rng.randint(0, n if n is not None else 2)
        offsets.append(0 if whole or n is None else f.rng.randint(0, n - size))
        sizes.append(size)
        strides.append(1)
        result.append(None if whole else size)
        if size > 0 and f.rng.random() < 0.2:
            offsets[-1] += size - 1
            strides[-1] = -1
    split = len(kind[1])
    unary(f, ("slice", name), kind, access(result[:split], result[split:], kind[3]),
          f"offsets = {offsets} sizes = {sizes} strides = {strides} ")


@pattern(lambda kind: kind[2] and known(kind[2]) and 0 not in kind[2] and len(kind[1] + kind[2]) < 5)
def windows(f, name, kind):
    window = [f.rng.randint(1, min(n, 3)) for n in kind[2]]
    strides = [f.rng.randint(1, 2) for _ in kind[2]]
    places = [(n - w) // s + 1 for n, w, s in zip(kind[2], window, strides)]
    unary(f, ("windows", name), kind, access(kind[1] + tuple(places), window, kind[3]),
          f"shape = {window} strides = {strides} ")


@pattern()
def pad(f, name, kind):
    shape, split = kind[1] + kind[2], len(kind[1])
    low = [f.rng.choice((0, 0, 1)) for _ in shape]
    high = [f.rng.choice((0, 0, 2)) for _ in shape]
    grown = [None if n is None else n + a + b for n, a, b in zip(shape, low, high)]
    unary(f, ("pad", name), kind, access(grown[:split], grown[split:], kind[3]),
          f"low = {low} high = {high} value = {literal(kind[3], 0)} : {kind[3]} ")


@pattern(lambda kind: len(kind[1] + kind[2]) < 5)
def pair(f, name, kind):
    other = f.some(kind)
    result = access(kind[1], (2,) + kind[2], kind[3])
    f.define(result, f"tensoraccess.pair {name}, {other} : {show(kind)}, {show(kind)} -> {show(result)}")


@pattern(lambda kind: len(kind[1] + kind[2]) < 4)
def cart_prod(f, name, kind):
    other = access(f.shape(most=2), kind[2], kind[3])
    right = f.some(other)
    result = access(kind[1] + other[1], (2,) + kind[2], kind[3])
    f.define(result, f"tensoraccess.cart_prod {name}, {right} : {show(kind)}, {show(other)} -> {show(result)}")


@pattern(lambda kind: kind[1] + kind[2])
def concat(f, name, kind):
    shape, split = list(kind[1] + kind[2]), len(kind[1])
    axis = f.rng.randrange(len(shape))
    shape[axis] = None if shape[axis] is None else 2 * shape[axis]
    result = access(shape[:split], shape[split:], kind[3])
    other = f.some(kind)
    f.define(result, f"tensoraccess.concat {name}, {other} axis {axis} : {show(kind)}, {show(kind)} -> {show(result)}")


@pattern()
def materialize(f, name, kind):
    unary(f, ("materialize", name), kind, kind, "")


@pattern(lambda kind: kind[3] != "i1")
def compute(f, name, kind):
    left, right, element = kind[1:]
    reductions = ["reduce_sum", "reduce_max"]
    same = ["negative", "relu"] + (["sqrt", "softmax"] if is_float(element) else [])
    if is_float(element):
        reductions.append("reduce_mean")
    choice = f.rng.random()
    if right and right[0] is not None and right[0] > 0 and choice < 0.5:
        op = f.rng.choice(("dot_prod", "elementwise_add", "elementwise_mul", "elementwise_div"))
        result = access(left, () if op == "dot_prod" else right[1:], element)
    elif choice < 0.75:
        op, result = f.rng.choice(reductions), access(left, (), element)
    else:
        op, result = f.rng.choice(same), kind
    f.define(result, f"tensoraccess.compute {op} {name} : {show(kind)} -> {show(result)}")


@pattern(lambda kind: known(kind[1] + kind[2]) and count(kind[1]) > 1)
def reshape(f, name, kind):
    n, left = count(kind[1]), []
    for factor in (2, 3, 5, 7):
        while n % factor == 0 and n > 1 and f.rng.random() < 0.5:
            left.append(factor)
            n //= factor
    left.append(n)
    unary(f, ("reshape", name), kind, access(left, kind[2], kind[3]), "")


def relayout(f):
    found = f.find(lambda kind: kind[0] == "tensor" and len(kind[1]) == 2 and kind[2] != "index")
    name, kind = found or (None, None)
    if not found:
        kind = tensor(f.shape(2), "f32")
        name = f.some(kind)
    encoding = "" if kind[3] and f.rng.random() < 0.5 else f", #tensoraccess.layout<{f.rng.choice(LAYOUTS)}>"
    result = tensor(kind[1], kind[2], encoding)
    if result != kind:
        f.define(result, f"tensoraccess.relayout {name} : {show(kind)} to {show(result)}")


Access = (transpose, to_tensor, shift_right, flatten, insert_axis, squeeze, broadcast, slice_,
          windows, pad, pair, cart_prod, concat, materialize, compute, compute, reshape, relayout)
