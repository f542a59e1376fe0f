# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random steps: StableHLO in generic form.

Each is a function of a body (module_values.py); what it can't make it leaves."""
from module_values import (
    FLOATS, INTEGERS, UNSIGNED, count, is_float, known, literal, show, tensor,
)


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
    name, kind = f.any_tensor(hlo_kind)
    rank, one = len(kind[1]), tensor((), kind[2])
    axes = sorted(f.rng.sample(range(rank), f.rng.randint(0, rank)))
    init = f.some(one)
    op = f.rng.choice(("add", "maximum", "multiply", "atan2" if is_float(kind[2]) else "xor"))
    t = show(one)
    region = [f"^bb0(%rx: {t}, %ry: {t}):", f'  %rz = "stablehlo.{op}"(%rx, %ry) : ({t}, {t}) -> {t}',
              f'  "stablehlo.return"(%rz) : ({t}) -> ()']
    result = tensor([n for i, n in enumerate(kind[1]) if i not in axes], kind[2])
    hlo(f, "reduce", [(name, kind), (init, one)], result, f"dimensions = {array(axes)}", region)


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
    one = tensor((), f.rng.choice(("i8", "i32", "i64", "ui8", "ui32", "ui64")))
    starts = [(f.some(one), one) for _ in sizes]
    if f.rng.random() < 0.5:
        hlo(f, "dynamic_slice", [(name, kind)] + starts, tensor(sizes, kind[2]), f"slice_sizes = {array(sizes)}")
    else:
        part = tensor(sizes, kind[2])
        hlo(f, "dynamic_update_slice", [(name, kind), (f.some(part), part)] + starts, kind)


def hlo_gather(f):
    name, kind = f.any_tensor(lambda kind: hlo_kind(kind) and len(kind[1]) == 2 and known(kind[1]) and kind[1][0])
    places = tensor((f.rng.choice((0, 1, 3)), 1), f.rng.choice(("i32", "ui32", "ui64")))
    result = tensor((places[1][0], kind[1][1]), kind[2])
    hlo(f, "gather", [(name, kind), (f.some(places), places)], result, "dimension_numbers = #stablehlo.gather<"
        "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
        f"slice_sizes = {array([1, kind[1][1]])}, indices_are_sorted = false")


def hlo_sizes(f, sizes):
    """A list of sizes, `?` among them, as an operand."""
    kind = tensor((len(sizes),), "i32")
    if known(sizes) and sizes:
        return f.define(kind, f"arith.constant dense<{list(sizes)}> : {show(kind)}"), kind
    return f.some(kind), kind


def hlo_dynamic(f):
    """Ops whose sizes are operands."""
    name, kind = f.any_tensor(hlo_kind)
    op = f.rng.choice(("dynamic_broadcast_in_dim", "dynamic_reshape", "dynamic_iota", "real_dynamic_slice"))
    if op == "dynamic_broadcast_in_dim":
        result = f.shape(1) + tuple(f.rng.choice((n, None)) for n in kind[1])
        hlo(f, op, [(name, kind), hlo_sizes(f, result)], tensor(result, kind[2]),
            f"broadcast_dimensions = {array(range(1, len(result)))}")
    elif op == "dynamic_reshape":
        result = tensor([None] * f.rng.randint(1, 3), kind[2])
        hlo(f, op, [(name, kind), hlo_sizes(f, result[1])], result)
    elif op == "dynamic_iota":
        result = tensor(f.shape(f.rng.randint(1, 2)), "i32")
        hlo(f, op, [hlo_sizes(f, result[1])], result, "iota_dimension = 0 : i64")
    elif kind[1]:
        result = tensor([None] * len(kind[1]), kind[2])
        hlo(f, op, [(name, kind)] + [hlo_sizes(f, result[1]) for _ in range(3)], result)


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


StableHlo = (hlo_dynamic_slice, hlo_dynamic, hlo_gather, hlo_sort, hlo_window, hlo_reverse, hlo_binary, hlo_binary, hlo_unary, hlo_convert, hlo_constant, hlo_broadcast, hlo_transpose,
             hlo_reshape, hlo_slice, hlo_pad, hlo_concatenate, hlo_dot, hlo_reduce, hlo_compare, hlo_iota,
             hlo_custom, hlo_if, hlo_while)
