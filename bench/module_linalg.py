# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random steps: linalg, TOSA and tensor.

Each is a function of a body (module_values.py); what it can't make it leaves."""
from module_values import FLOATS, UNSIGNED, count, is_float, known, scalar, show, tensor


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


def mapped(f):
    """linalg.map of one tensor, of one twice, or of none, which may read its output."""
    name, kind = f.any_tensor(computable)
    out, e = outs(f, kind), kind[2]
    ins = f.rng.choice(([], [name], [name, name], [name, f.some(kind)]))
    given = f"ins({', '.join(ins)} : {', '.join([show(kind)] * len(ins))}) " if ins else ""
    f.define(kind, f"linalg.map {given}outs({out} : {show(kind)})")
    arguments = [f"%x{i}" for i in range(len(ins))] + ["%y"]
    f.line(f"({', '.join(f'{a}: {e}' for a in arguments)}) {{")
    f.line(f"  %z{f.names} = {arithmetic(f, e)} {f.rng.choice(arguments)}, {f.rng.choice(arguments)} : {e}")
    f.line(f"  linalg.yield %z{f.names} : {e}")
    f.line("}")


def reduce_generic(f):
    name, kind = f.any_tensor(lambda kind: computable(kind) and kind[1])
    rank = len(kind[1])
    axes = sorted(f.rng.sample(range(rank), f.rng.choice((1, rank))))
    result = tensor([n for i, n in enumerate(kind[1]) if i not in axes], kind[2])
    out = f.some(result)
    f.define(result, f"linalg.reduce {{ {arithmetic(f, kind[2])} }} ins({name} : {show(kind)}) "
             f"outs({out} : {show(result)}) dimensions = {axes}")


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
    name, kind = f.any_tensor(lambda kind: kind[2] in ("f32", "i32", "f16") and 0 not in kind[1])
    op = f.rng.choice(("add", "sub", "maximum", "abs") + (("reduce_sum", "transpose", "reverse") if kind[1] else ()))
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
        # Sizes that are 1, or may be, are repeated.
        repeated = tensor([f.rng.choice((n, n, 1, None)) for n in kind[1]], kind[2])
        other = f.some(repeated)
        f.define(kind, f"tosa.{op} {name}, {other} : ({show(kind)}, {show(repeated)}) -> {show(kind)}")


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


Linalg = (softmax, pack, pooling, elementwise_generic, elementwise_generic, mapped, reduce_generic, fill, matmul,
          linalg_transpose, linalg_broadcast, convolution, tosa)


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
    name, kind = f.any_tensor(lambda kind: len(kind[1]) > 1 or set(kind[1]) == {1})
    shape = kind[1]
    if set(shape) == {1} and f.rng.random() < 0.5:
        result = tensor((), kind[2])
        f.define(result, f"tensor.collapse_shape {name} [] : {show(kind)} into {show(result)}")
        return
    if len(shape) == 1:
        return
    joined = count(shape[:2]) if known(shape[:2]) else None
    result = tensor((joined,) + shape[2:], kind[2])
    groups = [[0, 1]] + [[i] for i in range(2, len(shape))]
    f.define(result, f"tensor.collapse_shape {name} {groups} : {show(kind)} into {show(result)}")


def expand(f):
    name, kind = f.any_tensor()
    shape = kind[1]
    result = tensor((1,) + shape, kind[2])
    sizes = ", ".join(["1"] + [f.index() if n is None else str(n) for n in shape])
    groups = [[0, 1]] + [[i + 1] for i in range(1, len(shape))] if shape else []
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
