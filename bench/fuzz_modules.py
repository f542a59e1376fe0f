# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules that are mostly valid: our dialect, linalg, tensor, TOSA,
StableHLO in generic form, scf, memref, calls, nested modules, encodings and ops
that nobody knows; sizes known and unknown, 0 and 1 among them.

A module is text. Values are kept with their types, which are tuples:

    ("tensor", (3, None), "f32", "")      the last is an encoding
    ("memref", (3,), "f32")
    ("access", (3,), (2, None), "f32")    access and compute dimensions
    ("scalar", "i32")

A step picks an op, takes operands of the types it needs from the values there
are, or makes them, and appends its lines.
"""
import random

SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 16, None, None, None)
FLOATS = ("f32", "f32", "f32", "f16", "bf16", "f64")
INTEGERS = ("i1", "i8", "i16", "i32", "i32", "i64")
UNSIGNED = ("ui8", "ui32")
LAYOUTS = ("{1,0}", "{0,1}", "{1,0:T(2,2)}", "{1,0:T(8,128)}", "{0,1:T(4)}")


def dims(shape):
    return "".join("?x" if n is None else f"{n}x" for n in shape)


def show(kind):
    if kind[0] == "tensor":
        return f"tensor<{dims(kind[1])}{kind[2]}{kind[3]}>"
    if kind[0] == "memref":
        return f"memref<{dims(kind[1])}{kind[2]}>"
    if kind[0] == "access":
        _, access, compute, element = kind
        left = dims(access)[:-1]
        return f"!tensoraccess.access<{left + ' ' if left else ''}| {dims(compute)}{element}>"
    return kind[1]


def tensor(shape, element, encoding=""):
    return ("tensor", tuple(shape), element, encoding)


def access(left, right, element):
    return ("access", tuple(left), tuple(right), element)


def scalar(element):
    return ("scalar", element)


def is_float(element):
    return element.startswith(("f", "bf"))


def literal(element, value=1):
    return f"{value}.0" if is_float(element) else str(value if element != "i1" else "true")


def known(shape):
    return None not in shape


def count(shape):
    product = 1
    for n in shape:
        product *= n
    return product


class Function:
    """The body of one function, with its arguments."""

    def __init__(self, rng, module):
        self.rng, self.module = rng, module
        self.arguments, self.lines, self.values = [], [], []
        self.names = 0
        self.depth = 0

    # What there is.

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def line(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def define(self, kind, text):
        """An op with one result."""
        name = self.name()
        self.line(f"{name} = {text}")
        self.values.append((name, kind))
        return name

    def find(self, accept):
        there = [value for value in self.values if accept(value[1])]
        return self.rng.choice(there) if there else None

    def shape(self, rank=None, most=4):
        rank = self.rng.randint(0, most) if rank is None else rank
        return tuple(self.rng.choice(SIZES) for _ in range(rank))

    def element(self):
        rng = self.rng
        return rng.choice(rng.choice((FLOATS, FLOATS, INTEGERS, UNSIGNED, ("index",))))

    def index(self, value=None):
        if value is None:
            found = self.find(lambda kind: kind == scalar("index"))
            if found and self.rng.random() < 0.6:
                return found[0]
            value = self.rng.choice((0, 1, 2, 3))
        return self.define(scalar("index"), f"arith.constant {value} : index")

    def some(self, kind):
        """A value of that type: one that is there, or a new one."""
        rng = self.rng
        found = self.find(lambda other: other == kind)
        if found and rng.random() < 0.8:
            return found[0]
        if kind[0] == "scalar" and kind[1] not in UNSIGNED and rng.random() < 0.5:
            return self.define(kind, f"arith.constant {literal(kind[1])}"
                               + ("" if kind[1] == "i1" else f" : {kind[1]}"))
        if kind[0] == "tensor" and not kind[3] and rng.random() < 0.5:
            if known(kind[1]) and kind[2] not in UNSIGNED and rng.random() < 0.5:
                value = "" if 0 in kind[1] else literal(kind[2])
                return self.define(kind, f"arith.constant dense<{value}> : {show(kind)}")
            return self.empty(kind)
        if kind[0] == "access":
            whole = tensor(kind[1] + kind[2], kind[3])
            source = self.some(whole)
            return self.define(kind, f"tensoraccess.access {source} at {len(kind[1])}"
                               f" : {show(whole)} -> {show(kind)}")
        if self.depth == 0 and len(self.arguments) < 8 and rng.random() < 0.8:
            name = f"%a{len(self.arguments)}"
            self.arguments.append((name, kind))
            self.values.insert(0, (name, kind))
            return name
        if kind[0] == "memref" and known(kind[1]):
            return self.define(kind, f"memref.alloc() : {show(kind)}")
        return self.define(kind, f'"some.source"() : () -> {show(kind)}')

    def empty(self, kind):
        sizes = ", ".join([self.index() for n in kind[1] if n is None])
        return self.define(kind, f"tensor.empty({sizes}) : {show(kind)}")

    def any_tensor(self, accept=lambda kind: True, rank=None, element=None):
        found = self.find(lambda kind: kind[0] == "tensor" and not kind[3]
                          and (rank is None or len(kind[1]) == rank)
                          and (element is None or kind[2] == element) and accept(kind))
        if found and self.rng.random() < 0.8:
            return found
        for _ in range(50):
            kind = tensor(self.shape(rank), element or self.element())
            if accept(kind):
                return self.some(kind), kind
        return self.fallback(rank, element, accept)

    def fallback(self, rank, element, accept):
        ranks = range(4) if rank is None else (rank,)
        kinds = [tensor((2,) * n, e) for n in ranks for e in ((element,) if element else ("f32", "i32"))]
        kind = next((kind for kind in kinds if accept(kind)), kinds[0])
        return self.some(kind), kind

    def any_access(self, accept=lambda kind: True):
        found = self.find(lambda kind: kind[0] == "access" and accept(kind))
        if found and self.rng.random() < 0.85:
            return found
        for _ in range(50):
            shape, element = self.shape(), self.rng.choice(FLOATS[:4] + ("i8", "i32", "f64"))
            split = self.rng.randint(0, len(shape))
            kind = access(shape[:split], shape[split:], element)
            if accept(kind):
                return self.some(kind), kind
        return None

    def step(self):
        before = len(self.lines), len(self.values), len(self.arguments)
        family = self.rng.choice((Access, Access, Linalg, Tensor, StableHlo, StableHlo, Control, Other))
        self.rng.choice(family)(self)
        return before


# Each op is a function of the body. What it can't make it leaves.


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


def arithmetic(f, element):
    name = ("arith.addf", "arith.mulf", "arith.maximumf", "arith.divf", "arith.subf") if is_float(element) \
        else ("arith.addi", "arith.muli", "arith.maxsi", "arith.subi", "arith.andi")
    return f.rng.choice(name)


def computable(kind):
    return kind[2] not in UNSIGNED


def outs(f, kind):
    return f.empty(kind) if f.rng.random() < 0.7 else f.some(kind)


def elementwise_generic(f):
    name, kind = f.any_tensor(computable)
    out = outs(f, kind)
    rank = len(kind[1])
    order = [f"d{i}" for i in range(rank)]
    space = f"({', '.join(order)})"
    maps = f"[affine_map<{space} -> {space}>, affine_map<{space} -> {space}>]"
    iterators = ", ".join(['"parallel"'] * rank)
    e = kind[2]
    f.define(kind, f"linalg.generic {{indexing_maps = {maps}, iterator_types = [{iterators}]}} "
             f"ins({name} : {show(kind)}) outs({out} : {show(kind)}) {{")
    f.line(f"^bb0(%x: {e}, %y: {e}):")
    f.line(f"  %z{f.names} = {arithmetic(f, e)} %x, {f.rng.choice(('%x', '%y'))} : {e}")
    f.line(f"  linalg.yield %z{f.names} : {e}")
    f.line(f"}} -> {show(kind)}")


def reduce_generic(f):
    name, kind = f.any_tensor(lambda kind: computable(kind) and kind[1])
    axis = f.rng.randrange(len(kind[1]))
    result = tensor(kind[1][:axis] + kind[1][axis + 1:], kind[2])
    out = f.some(result)
    f.define(result, f"linalg.reduce {{ {arithmetic(f, kind[2])} }} ins({name} : {show(kind)}) "
             f"outs({out} : {show(result)}) dimensions = [{axis}]")


def fill(f):
    kind = tensor(f.shape(), f.element())
    if kind[2] in UNSIGNED:
        return
    value, out = f.some(scalar(kind[2])), outs(f, kind)
    f.define(kind, f"linalg.fill ins({value} : {kind[2]}) outs({out} : {show(kind)}) -> {show(kind)}")


def matmul(f):
    element = f.rng.choice(("f32", "f16", "i32", "i8"))
    m, k, n = f.shape(3)
    batch = f.shape(1) if f.rng.random() < 0.3 else ()
    a, b, c = tensor(batch + (m, k), element), tensor(batch + (k, n), element), tensor(batch + (m, n), element)
    left, right, out = f.some(a), f.some(b), outs(f, c)
    f.define(c, f"linalg.{'batch_' if batch else ''}matmul ins({left}, {right} : {show(a)}, {show(b)}) "
             f"outs({out} : {show(c)}) -> {show(c)}")


def linalg_transpose(f):
    name, kind = f.any_tensor(lambda kind: kind[1])
    perm = list(range(len(kind[1])))
    f.rng.shuffle(perm)
    result = tensor([kind[1][i] for i in perm], kind[2])
    out = outs(f, result)
    f.define(result, f"linalg.transpose ins({name} : {show(kind)}) outs({out} : {show(result)}) permutation = {perm}")


def linalg_broadcast(f):
    name, kind = f.any_tensor(lambda kind: len(kind[1]) < 4)
    axis = f.rng.randint(0, len(kind[1]))
    result = tensor(kind[1][:axis] + f.shape(1) + kind[1][axis:], kind[2])
    out = outs(f, result)
    f.define(result, f"linalg.broadcast ins({name} : {show(kind)}) outs({out} : {show(result)}) dimensions = [{axis}]")


def convolution(f):
    element = f.rng.choice(("f32", "f16", "i32"))
    n, h, w, c, o = f.rng.choice((1, 2, None)), f.rng.randint(3, 6), f.rng.randint(3, 6), *f.shape(2)
    kh, kw, s = f.rng.randint(1, 3), f.rng.randint(1, 3), f.rng.randint(1, 2)
    x, k = tensor((n, h, w, c), element), tensor((kh, kw, c, o), element)
    y = tensor((n, (h - kh) // s + 1, (w - kw) // s + 1, o), element)
    image, kernel, out = f.some(x), f.some(k), outs(f, y)
    f.define(y, f"linalg.conv_2d_nhwc_hwcf {{strides = dense<{s}> : tensor<2xi64>, dilations = dense<1> : "
             f"tensor<2xi64>}} ins({image}, {kernel} : {show(x)}, {show(k)}) outs({out} : {show(y)}) -> {show(y)}")


def tosa(f):
    name, kind = f.any_tensor(lambda kind: kind[1] and kind[2] in ("f32", "i32", "f16") and 0 not in kind[1])
    op = f.rng.choice(("add", "sub", "maximum", "abs", "reduce_sum", "transpose", "reverse"))
    if op == "abs":
        f.define(kind, f"tosa.abs {name} : ({show(kind)}) -> {show(kind)}")
    elif op == "reverse":
        f.define(kind, f"tosa.reverse {name} {{axis = 0 : i32}} : ({show(kind)}) -> {show(kind)}")
    elif op == "reduce_sum":
        axis = f.rng.randrange(len(kind[1]))
        result = tensor(kind[1][:axis] + (1,) + kind[1][axis + 1:], kind[2])
        f.define(result, f"tosa.reduce_sum {name} {{axis = {axis} : i32}} : ({show(kind)}) -> {show(result)}")
    elif op == "transpose":
        perm = list(range(len(kind[1])))
        f.rng.shuffle(perm)
        result = tensor([kind[1][i] for i in perm], kind[2])
        f.define(result, f"tosa.transpose {name} {{perms = array<i32: {', '.join(map(str, perm))}>}} : "
                 f"({show(kind)}) -> {show(result)}")
    else:
        other = f.some(kind)
        f.define(kind, f"tosa.{op} {name}, {other} : ({show(kind)}, {show(kind)}) -> {show(kind)}")


def softmax(f):
    name, kind = f.any_tensor(lambda kind: kind[1] and kind[2] in FLOATS)
    out, axis = outs(f, kind), f.rng.randrange(len(kind[1]))
    f.define(kind, f"linalg.softmax dimension({axis}) ins({name} : {show(kind)}) outs({out} : {show(kind)}) "
             f"-> {show(kind)}")


def pack(f):
    name, kind = f.any_tensor(lambda kind: len(kind[1]) == 2 and computable(kind))
    tile = f.rng.choice((1, 2, 4))
    outer = [None if n is None else -(-n // tile) for n in kind[1]]
    result = tensor(outer + [tile], kind[2])
    value, out = f.some(scalar(kind[2])), outs(f, tensor(outer + [tile], kind[2]))
    if kind[1][0] is not None:
        outer[1] = kind[1][1]
        result = tensor(outer + [tile], kind[2])
        out = outs(f, result)
        f.define(result, f"linalg.pack {name} padding_value({value} : {kind[2]}) inner_dims_pos = [0] inner_tiles = "
                 f"[{tile}] into {out} : {show(kind)} -> {show(result)}")


def pooling(f):
    n, h, w, c = f.rng.choice((1, 2, None)), f.rng.randint(3, 6), f.rng.randint(3, 6), f.shape(1)[0]
    k = f.rng.randint(1, 3)
    x, y = tensor((n, h, w, c), "f32"), tensor((n, h - k + 1, w - k + 1, c), "f32")
    image, window, out = f.some(x), f.empty(tensor((k, k), "f32")), outs(f, y)
    f.define(y, f"linalg.pooling_nhwc_{f.rng.choice(('max', 'sum'))} {{strides = dense<1> : tensor<2xi64>, dilations = "
             f"dense<1> : tensor<2xi64>}} ins({image}, {window} : {show(x)}, tensor<{k}x{k}xf32>) outs({out} : {show(y)}) "
             f"-> {show(y)}")


Linalg = (softmax, pack, pooling, elementwise_generic, elementwise_generic, reduce_generic, fill, matmul, linalg_transpose,
          linalg_broadcast, convolution, tosa)


def dim(f):
    name, kind = f.any_tensor(lambda kind: kind[1])
    axis = f.index(f.rng.randrange(len(kind[1])))
    f.define(scalar("index"), f"tensor.dim {name}, {axis} : {show(kind)}")


def box(f, shape):
    offsets, sizes, strides, result = [], [], [], []
    for n in shape:
        if n == 0 or f.rng.random() < 0.3:
            offsets.append(f.index()), sizes.append(f.index()), result.append(None)
        else:
            size = f.rng.randint(0, n if n is not None else 2)
            offsets.append(str(0 if n is None else f.rng.randint(0, min(n - size, n - 1))))
            sizes.append(str(size)), result.append(size)
        strides.append("1")
    return "".join(f"[{', '.join(part)}]" for part in (offsets, sizes, strides)), result


def extract_slice(f):
    name, kind = f.any_tensor()
    text, sizes = box(f, kind[1])
    result = tensor(sizes, kind[2])
    f.define(result, f"tensor.extract_slice {name}{text} : {show(kind)} to {show(result)}")


def insert_slice(f):
    name, kind = f.any_tensor()
    text, sizes = box(f, kind[1])
    part = tensor(sizes, kind[2])
    source = f.some(part)
    f.define(kind, f"tensor.insert_slice {source} into {name}{text} : {show(part)} into {show(kind)}")


def collapse(f):
    name, kind = f.any_tensor(lambda kind: len(kind[1]) > 1)
    shape = kind[1]
    joined = count(shape[:2]) if known(shape[:2]) else None
    result = tensor((joined,) + shape[2:], kind[2])
    groups = [[0, 1]] + [[i] for i in range(2, len(shape))]
    f.define(result, f"tensor.collapse_shape {name} {groups} : {show(kind)} into {show(result)}")


def expand(f):
    name, kind = f.any_tensor(lambda kind: kind[1])
    shape = kind[1]
    result = tensor((1,) + shape, kind[2])
    sizes = ", ".join(["1"] + [f.index() if n is None else str(n) for n in shape])
    groups = [[0, 1]] + [[i + 1] for i in range(1, len(shape))]
    f.define(result, f"tensor.expand_shape {name} {groups} output_shape [{sizes}] : {show(kind)} into {show(result)}")


def tensor_pad(f):
    name, kind = f.any_tensor(lambda kind: kind[2] not in UNSIGNED)
    low = [f.rng.randint(0, 2) for _ in kind[1]]
    result = tensor([None if n is None else n + a for n, a in zip(kind[1], low)], kind[2])
    value = f.some(scalar(kind[2]))
    f.define(result, f"tensor.pad {name} low{low} high{[0] * len(low)} {{")
    f.line("^bb0(" + ", ".join(f"%p{i}: index" for i in range(len(low))) + "):")
    f.line(f"  tensor.yield {value} : {kind[2]}")
    f.line(f"}} : {show(kind)} to {show(result)}")


def tensor_concat(f):
    name, kind = f.any_tensor(lambda kind: kind[1])
    axis = f.rng.randrange(len(kind[1]))
    other = f.some(kind)
    n = kind[1][axis]
    result = tensor(kind[1][:axis] + (None if n is None else 2 * n,) + kind[1][axis + 1:], kind[2])
    f.define(result, f"tensor.concat dim({axis}) {name}, {other} : ({show(kind)}, {show(kind)}) -> {show(result)}")


def cast(f):
    name, kind = f.any_tensor(lambda kind: kind[1])
    result = tensor([None if f.rng.random() < 0.5 else n for n in kind[1]], kind[2])
    if f.rng.random() < 0.3:
        result = tensor([3 if n is None else n for n in kind[1]], kind[2])
    f.define(result, f"tensor.cast {name} : {show(kind)} to {show(result)}")


def extract(f):
    name, kind = f.any_tensor()
    places = ", ".join([f.index() for _ in kind[1]])
    f.define(scalar(kind[2]), f"tensor.extract {name}[{places}] : {show(kind)}")


def from_elements(f):
    element = f.element()
    value = f.some(scalar(element))
    kind = tensor((2,), element)
    f.define(kind, f"tensor.from_elements {value}, {value} : {show(kind)}")


def generate(f):
    kind = tensor(f.shape(), f.element())
    value = f.some(scalar(kind[2]))
    sizes = ", ".join([f.index() for n in kind[1] if n is None])
    f.define(kind, f"tensor.generate {sizes} {{")
    f.line("^bb0(" + ", ".join(f"%g{i}: index" for i in range(len(kind[1]))) + "):")
    f.line(f"  tensor.yield {value} : {kind[2]}")
    f.line(f"}} : {show(kind)}")


Tensor = (dim, extract_slice, insert_slice, collapse, expand, tensor_pad, tensor_concat, cast, extract,
          from_elements, generate)


def hlo(f, name, operands, result, attributes="", region=None):
    """`operands` are pairs of a name and a type."""
    names = ", ".join(operand for operand, _ in operands)
    kinds = ", ".join(show(kind) for _, kind in operands)
    attributes = f" <{{{attributes}}}>" if attributes else ""
    opening = f'"stablehlo.{name}"({names}){attributes}'
    if region is None:
        return f.define(result, f"{opening} : ({kinds}) -> {show(result)}")
    f.define(result, opening + " ({")
    for text in region:
        f.line("  " + text)
    return f.line(f"}}) : ({kinds}) -> {show(result)}")


def array(values):
    return f"array<i64{': ' if values else ''}{', '.join(map(str, values))}>"


def hlo_kind(kind):
    return kind[2] != "index"


def hlo_binary(f):
    name, kind = f.any_tensor(hlo_kind)
    other = f.some(kind)
    op = f.rng.choice(("add", "multiply", "maximum", "subtract", "divide", "power", "and", "remainder"))
    if op == "and" and is_float(kind[2]):
        op = "minimum"
    hlo(f, op, [(name, kind), (other, kind)], kind)


def hlo_unary(f):
    name, kind = f.any_tensor(lambda kind: kind[2] in FLOATS)
    op = f.rng.choice(("exponential", "tanh", "negate", "sqrt", "logistic", "log", "cosine", "abs", "floor", "erf_inv"))
    hlo(f, op, [(name, kind)], kind)


def hlo_convert(f):
    name, kind = f.any_tensor(hlo_kind)
    element = f.rng.choice(FLOATS + INTEGERS + UNSIGNED)
    hlo(f, "convert", [(name, kind)], tensor(kind[1], element))


def hlo_constant(f):
    shape = tuple(f.rng.choice((0, 1, 2, 3)) for _ in range(f.rng.randint(0, 3)))
    kind = tensor(shape, f.rng.choice(FLOATS + INTEGERS + UNSIGNED))
    value = "" if 0 in shape else literal(kind[2])
    hlo(f, "constant", [], kind, f"value = dense<{value}> : {show(kind)}")


def hlo_broadcast(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and known(kind[1]) and len(kind[1]) < 4)
    axis = f.rng.randint(0, len(kind[1]))
    size = f.rng.choice((0, 1, 3))
    result = tensor(kind[1][:axis] + (size,) + kind[1][axis:], kind[2])
    places = [i + (i >= axis) for i in range(len(kind[1]))]
    hlo(f, "broadcast_in_dim", [(name, kind)], result, f"broadcast_dimensions = {array(places)}")


def hlo_transpose(f):
    name, kind = f.any_tensor(hlo_kind)
    perm = list(range(len(kind[1])))
    f.rng.shuffle(perm)
    hlo(f, "transpose", [(name, kind)], tensor([kind[1][i] for i in perm], kind[2]), f"permutation = {array(perm)}")


def hlo_reshape(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and known(kind[1]))
    hlo(f, "reshape", [(name, kind)], tensor((count(kind[1]), 1), kind[2]))


def hlo_slice(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and known(kind[1]))
    begin = [f.rng.randint(0, n) for n in kind[1]]
    end = [f.rng.randint(b, n) for b, n in zip(begin, kind[1])]
    hlo(f, "slice", [(name, kind)], tensor([e - b for b, e in zip(begin, end)], kind[2]),
        f"start_indices = {array(begin)}, limit_indices = {array(end)}, strides = {array([1] * len(begin))}")


def hlo_pad(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and known(kind[1]))
    value = f.some(tensor((), kind[2]))
    low = [f.rng.randint(-1, 2) if n > 1 else f.rng.randint(0, 1) for n in kind[1]]
    result = tensor([n + a for n, a in zip(kind[1], low)], kind[2])
    zeros = array([0] * len(low))
    hlo(f, "pad", [(name, kind), (value, tensor((), kind[2]))], result,
        f"edge_padding_low = {array(low)}, edge_padding_high = {zeros}, interior_padding = {zeros}")


def hlo_concatenate(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and kind[1])
    n = kind[1][0]
    result = tensor((None if n is None else 2 * n,) + kind[1][1:], kind[2])
    hlo(f, "concatenate", [(name, kind), (f.some(kind), kind)], result, "dimension = 0 : i64")


def hlo_dot(f):
    element = f.rng.choice(("f32", "bf16", "i8", "i32", "ui8"))
    m, k, n = f.shape(3)
    a, b, c = tensor((m, k), element), tensor((k, n), element), tensor((m, n), f.rng.choice((element, element, "f32")))
    hlo(f, "dot_general", [(f.some(a), a), (f.some(b), b)], c, "dot_dimension_numbers = "
        "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>")


def hlo_reduce(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and kind[1])
    one = tensor((), kind[2])
    init = f.some(one)
    op = f.rng.choice(("add", "maximum", "multiply", "atan2" if is_float(kind[2]) else "xor"))
    t = show(one)
    region = [f"^bb0(%rx: {t}, %ry: {t}):", f'  %rz = "stablehlo.{op}"(%rx, %ry) : ({t}, {t}) -> {t}',
              f'  "stablehlo.return"(%rz) : ({t}) -> ()']
    hlo(f, "reduce", [(name, kind), (init, one)], tensor(kind[1][1:], kind[2]), f"dimensions = {array([0])}", region)


def hlo_compare(f):
    name, kind = f.any_tensor(hlo_kind)
    hlo(f, "compare", [(name, kind), (f.some(kind), kind)], tensor(kind[1], "i1"),
        f"comparison_direction = #stablehlo<comparison_direction {f.rng.choice(('LT', 'EQ', 'GE'))}>")


def hlo_iota(f):
    kind = tensor([f.rng.choice((0, 1, 3, 5)) for _ in range(f.rng.randint(1, 3))], f.rng.choice(("f32", "i32", "ui32")))
    hlo(f, "iota", [], kind, f"iota_dimension = {f.rng.randrange(len(kind[1]))} : i64")


def hlo_custom(f):
    name, kind = f.any_tensor()
    hlo(f, f.rng.choice(("custom_call", "no_such_op")), [(name, kind)], kind, 'call_target_name = "f"')


def hlo_if(f):
    name, kind = f.any_tensor(hlo_kind)
    condition = f.some(tensor((), "i1"))
    other = f.some(kind)
    t, c = show(kind), show(tensor((), "i1"))
    left = f.rng.choice((f'"stablehlo.negate"({name}) : ({t}) -> {t}', f'"stablehlo.custom_call"({name}) : ({t}) -> {t}'))
    f.define(kind, f'"stablehlo.if"({condition}) ({{')
    f.line(f"  %if{f.names} = {left}")
    f.line(f'  "stablehlo.return"(%if{f.names}) : ({t}) -> ()')
    f.line("}, {")
    f.line(f'  "stablehlo.return"({other}) : ({t}) -> ()')
    f.line(f"}}) : ({c}) -> {t}")


def hlo_while(f):
    name, kind = f.any_tensor(hlo_kind)
    start = f.some(tensor((), "i32"))
    t, i, c = show(kind), "tensor<i32>", "tensor<i1>"
    n = f.names = f.names + 1
    body = f.rng.choice((f'"stablehlo.add"(%wx, %wx) : ({t}, {t}) -> {t}', f'"stablehlo.custom_call"(%wx) : ({t}) -> {t}'))
    f.line(f'%w{n}:2 = "stablehlo.while"({start}, {name}) ({{')
    f.line(f"^bb0(%wi: {i}, %wx: {t}):")
    f.line(f'  %wc = "stablehlo.compare"(%wi, %wi) <{{comparison_direction = #stablehlo<comparison_direction LT>}}> '
           f": ({i}, {i}) -> {c}")
    f.line(f'  "stablehlo.return"(%wc) : ({c}) -> ()')
    f.line("}, {")
    f.line(f"^bb0(%wi: {i}, %wx: {t}):")
    f.line(f"  %wy = {body}")
    f.line(f'  "stablehlo.return"(%wi, %wy) : ({i}, {t}) -> ()')
    f.line(f"}}) : ({i}, {t}) -> ({i}, {t})")
    f.values.append((f"%w{n}#1", kind))


def hlo_dynamic_slice(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and known(kind[1]))
    sizes = [f.rng.randint(0, n) for n in kind[1]]
    one = tensor((), f.rng.choice(("i32", "i64", "ui32")))
    starts = [(f.some(one), one) for _ in sizes]
    if f.rng.random() < 0.5:
        hlo(f, "dynamic_slice", [(name, kind)] + starts, tensor(sizes, kind[2]), f"slice_sizes = {array(sizes)}")
    else:
        part = tensor(sizes, kind[2])
        hlo(f, "dynamic_update_slice", [(name, kind), (f.some(part), part)] + starts, kind)


def hlo_gather(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and len(kind[1]) == 2 and known(kind[1]) and kind[1][0])
    places = tensor((f.rng.choice((0, 1, 3)), 1), "i32")
    result = tensor((places[1][0], kind[1][1]), kind[2])
    hlo(f, "gather", [(name, kind), (f.some(places), places)], result, "dimension_numbers = #stablehlo.gather<"
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
        f"slice_sizes = {array([1, kind[1][1]])}, indices_are_sorted = false")


def hlo_sort(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and kind[1])
    t = show(tensor((), kind[2]))
    region = [f"^bb0(%sx: {t}, %sy: {t}):", f'  %sz = "stablehlo.compare"(%sx, %sy) <{{comparison_direction = '
              f'#stablehlo<comparison_direction LT>}}> : ({t}, {t}) -> tensor<i1>',
              '  "stablehlo.return"(%sz) : (tensor<i1>) -> ()']
    hlo(f, "sort", [(name, kind)], kind, "dimension = 0 : i64, is_stable = true", region)


def hlo_window(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and len(kind[1]) == 2 and known(kind[1]))
    one = tensor((), kind[2])
    init, t = f.some(one), show(one)
    window = [f.rng.randint(1, max(min(n, 3), 1)) for n in kind[1]]
    result = tensor([max(n - w + 1, 0) for n, w in zip(kind[1], window)], kind[2])
    region = [f"^bb0(%qx: {t}, %qy: {t}):", f'  %qz = "stablehlo.{f.rng.choice(("add", "maximum"))}"(%qx, %qy) : '
              f'({t}, {t}) -> {t}', f'  "stablehlo.return"(%qz) : ({t}) -> ()']
    hlo(f, "reduce_window", [(name, kind), (init, one)], result, f"window_dimensions = {array(window)}", region)


def hlo_reverse(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and kind[1])
    hlo(f, "reverse", [(name, kind)], kind, f"dimensions = {array([f.rng.randrange(len(kind[1]))])}")


StableHlo = (hlo_dynamic_slice, hlo_gather, hlo_sort, hlo_window, hlo_reverse, hlo_binary, hlo_binary, hlo_unary, hlo_convert, hlo_constant, hlo_broadcast, hlo_transpose,
             hlo_reshape, hlo_slice, hlo_pad, hlo_concatenate, hlo_dot, hlo_reduce, hlo_compare, hlo_iota,
             hlo_custom, hlo_if, hlo_while)


def nested(f, opening, closing, steps):
    """Steps inside of a region, whose values end with it."""
    f.line(opening)
    values, f.depth = list(f.values), f.depth + 1
    for _ in range(steps):
        f.step()
    inner, f.values, f.depth = f.values, values, f.depth - 1
    for text in closing(inner):
        f.line(text)


def scf_if(f):
    if f.depth > 2:
        return
    condition = f.some(scalar("i1"))
    name, kind = f.any_tensor()
    result, t = f.name(), show(kind)

    def end(inner):
        same = [value for value, other in inner if other == kind]
        return [f"  scf.yield {same[-1]} : {t}", "} else {", f"  scf.yield {name} : {t}", "}"]
    nested(f, f"{result} = scf.if {condition} -> ({t}) {{", end, f.rng.randint(0, 3))
    f.values.append((result, kind))


def scf_for(f):
    if f.depth > 2:
        return
    low, high, step = f.index(0), f.index(), f.index(1)
    name, kind = f.any_tensor()
    result, t = f.name(), show(kind)
    iv, carried = f"%i{f.names}", f"%c{f.names}"
    before = list(f.values)
    f.values += [(iv, scalar("index")), (carried, kind)]

    def end(inner):
        same = [value for value, other in inner if other == kind]
        return [f"  scf.yield {same[-1]} : {t}", "}"]
    nested(f, f"{result} = scf.for {iv} = {low} to {high} step {step} iter_args({carried} = {name}) -> ({t}) {{",
           end, f.rng.randint(0, 3))
    f.values = before + [(result, kind)]


def scf_parallel(f):
    if f.depth > 2:
        return
    low, high, step = f.index(0), f.index(), f.index(1)
    before, iv = list(f.values), f"%j{f.names}"
    f.values.append((iv, scalar("index")))
    nested(f, f"scf.parallel ({iv}) = ({low}) to ({high}) step ({step}) {{", lambda inner: ["  scf.reduce", "}"],
           f.rng.randint(0, 2))
    f.values = before


def buffers(f):
    kind = ("memref", f.shape(), f.rng.choice(("f32", "i32", "i8")))
    name = f.some(kind)
    places = ", ".join([f.index() for _ in kind[1]])
    value = f.define(scalar(kind[2]), f"memref.load {name}[{places}] : {show(kind)}")
    f.line(f"memref.store {value}, {name}[{places}] : {show(kind)}")
    if f.rng.random() < 0.3:
        f.line(f"memref.copy {name}, {f.some(kind)} : {show(kind)} to {show(kind)}")


def check(f):
    condition = f.some(scalar("i1"))
    f.line(f'cf.assert {condition}, "no"' if f.rng.random() < 0.5 else
           f'tensoraccess.assert {condition}, "size {{0}}"({f.index()} : index)')


def call(f):
    callee = f.rng.choice(f.module.callable) if f.module.callable else None
    if not callee:
        return
    name, kinds, results = callee
    operands = ", ".join([f.some(kind) for kind in kinds])
    text = f"func.call @{name}({operands}) : ({', '.join(map(show, kinds))}) -> ({', '.join(map(show, results))})"
    if len(results) == 1:
        f.define(results[0], text)
    elif not results:
        f.line(text)


def scf_while(f):
    name, kind = f.any_tensor()
    condition, t = f.some(scalar("i1")), show(kind)
    result, n = f.name(), f.names
    f.line(f"{result} = scf.while (%l{n} = {name}) : ({t}) -> {t} {{")
    f.line(f"  scf.condition({condition}) %l{n} : {t}")
    f.line("} do {")
    f.line(f"^bb0(%k{n}: {t}):")
    f.line(f"  scf.yield %k{n} : {t}")
    f.line("}")
    f.values.append((result, kind))


def forall(f):
    name, kind = f.any_tensor(lambda kind: kind[1] and computable(kind))
    result, n, t = f.name(), f.names, show(kind)
    zeros, ones = ", ".join(["0"] * len(kind[1])), ", ".join(["1"] * len(kind[1]))
    part = tensor((1,) * len(kind[1]), kind[2])
    source = f.some(part)
    f.line(f"{result} = scf.forall (%q{n}) in (2) shared_outs(%r{n} = {name}) -> ({t}) {{")
    f.line("  scf.forall.in_parallel {")
    f.line(f"    tensor.parallel_insert_slice {source} into %r{n}[{zeros}] [{ones}] [{ones}] : {show(part)} into {t}")
    f.line("  }")
    f.line("}")
    f.values.append((result, kind))


def affine_loop(f):
    kind = ("memref", (f.rng.choice((1, 4, 8, None)),), "f32")
    name, n = f.some(kind), f.name()[2:]
    end = f.rng.choice((0, 1, 4))
    f.line(f"affine.for %b{n} = 0 to {end} {{")
    f.line(f"  %bl{n} = affine.load {name}[%b{n}] : {show(kind)}")
    f.line(f"  affine.store %bl{n}, {name}[%b{n}] : {show(kind)}")
    f.line("}")


def subview(f):
    kind = ("memref", (4, 8), "f32")
    name = f.some(kind)
    view = f.name()
    f.line(f"{view} = memref.subview {name}[{f.index()}, 2] [2, 3] [1, 2] : {show(kind)} to "
           "memref<2x3xf32, strided<[8, 2], offset: ?>>")
    f.line(f"memref.copy {view}, {view} : memref<2x3xf32, strided<[8, 2], offset: ?>> to "
           "memref<2x3xf32, strided<[8, 2], offset: ?>>")


def vectors(f):
    kind = ("memref", (f.rng.choice((4, 8, None)),), "f32")
    name, n = f.some(kind), f.name()[2:]
    place, value = f.index(), f.some(scalar("f32"))
    f.line(f"%vt{n} = vector.transfer_read {name}[{place}], {value} : {show(kind)}, vector<4xf32>")
    f.line(f"%vs{n} = arith.addf %vt{n}, %vt{n} : vector<4xf32>")
    f.line(f"vector.transfer_write %vs{n}, {name}[{place}] : vector<4xf32>, {show(kind)}")


Control = (scf_while, forall, affine_loop, subview, vectors, scf_if, scf_for, scf_parallel, buffers, check, call, call)


def unknown(f):
    name, kind = f.any_tensor()
    if f.rng.random() < 0.3 and f.depth < 2:
        f.define(kind, f'"some.region"({name}) ({{')
        f.line(f"^bb0(%u: {show(kind)}):")
        f.line(f'  "some.end"(%u) : ({show(kind)}) -> ()')
        f.line(f"}}) : ({show(kind)}) -> {show(kind)}")
    else:
        f.define(kind, f'"some.op"({name}) {{note = #tensoraccess.layout<{{1,0}}>}} : ({show(kind)}) -> {show(kind)}')


def arith_op(f):
    name, kind = f.any_tensor(computable)
    other = f.some(kind)
    if kind[2] == "index" or kind[2] == "i1":
        return
    f.define(kind, f"{arithmetic(f, kind[2])} {name}, {other} : {show(kind)}")


def global_load(f):
    if f.module.globals:
        name, kind = f.rng.choice(f.module.globals)
        f.define(kind, f"ml_program.global_load @{name} : {show(kind)}")


def encoded(f):
    kind = tensor(f.shape(2), "f32", f", #tensoraccess.layout<{f.rng.choice(LAYOUTS)}>")
    name = f.some(kind)
    if f.rng.random() < 0.5:
        f.define(kind, f"math.exp {name} : {show(kind)}")


Other = (unknown, arith_op, arith_op, global_load, encoded)


class Module:
    def __init__(self, rng):
        self.rng = rng
        self.callable, self.globals, self.functions = [], [], 0

    def function(self, steps):
        f = Function(self.rng, self)
        for _ in range(steps):
            f.step()
        results = self.rng.sample(f.values, min(len(f.values), self.rng.randint(0, 2)))
        results += f.values[-1:] if not results else []
        if results and self.rng.random() < 0.1:
            # Two ways to the end, which takes one of two values.
            (value, kind), t = results[0], show(results[0][1])
            others = [name for name, other in f.values if other == kind]
            condition = f.some(scalar("i1"))
            f.line(f"cf.cond_br {condition}, ^end({value} : {t}), ^other")
            f.lines.append("^other:")
            f.line(f"cf.br ^end({self.rng.choice(others)} : {t})")
            f.lines.append(f"^end(%end: {t}):")
            results[0] = ("%end", kind)
        name = f"f{self.functions}"
        self.functions += 1
        private = self.rng.random() < 0.3
        head = ", ".join(f"{value}: {show(kind)}" for value, kind in f.arguments)
        kinds = ", ".join(show(kind) for _, kind in results)
        end = "  return" + (" " + ", ".join(value for value, _ in results) + " : " + kinds if results else "")
        self.callable.append((name, [kind for _, kind in f.arguments], [kind for _, kind in results]))
        return [f"func.func {'private ' if private else ''}@{name}({head}) -> ({kinds}) {{", *f.lines, end, "}"]

    def text(self, nested=False):
        rng, lines = self.rng, []
        if rng.random() < 0.15:
            kind = tensor((2, 3), rng.choice(("f32", "i32", "ui32")))
            self.globals.append(("state", kind))
            lines.append(f"ml_program.global private mutable @state(dense<1{'.0' if kind[2] == 'f32' else ''}> : "
                         f"{show(kind)}) : {show(kind)}")
        if rng.random() < 0.15:
            kind = tensor((None, 3), "f32")
            self.callable.append(("outside", [kind], [kind]))
            lines.append(f"func.func private @outside({show(kind)}) -> {show(kind)}")
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            lines += self.function(rng.randint(1, 12))
        if not nested and rng.random() < 0.1:
            lines += ["module @inner {", *("  " + line for line in Module(rng).text(True)), "}"]
        return lines


def make_module(seed):
    """A module's text, the same for the same seed."""
    return "\n".join(Module(random.Random(seed)).text()) + "\n"
