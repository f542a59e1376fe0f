# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of linalg, tensor, scf, arith and index that never fail and
whose values are exact: integers wrap, and floats are small integers, so that every
order of a sum and every fused product gives the same bits.

Outputs of structured ops are as often read as not, any operand may come twice, and
may be what the op writes to. Sizes are 1 to 5; those of arguments may be `?`.
"""
import random

import numpy as np

INTS, FLOATS = ("i8", "i32", "i64"), ("f32", "f64")
DTYPES = {"i8": "i1", "i32": "i4", "i64": "i8", "f32": "f4", "f64": "f8", "index": "i8", "i1": "?"}
#: The largest magnitude of a float's value: all integers below are exact.
LIMIT = 1 << 20


class Value:
    """A value's name, element type and shape (None for a scalar). `dims` are the
    sizes as its type has them, None for `?`; `bound` is a float's magnitude."""

    def __init__(self, name, element, shape, bound, dims=None):
        self.name, self.element, self.shape, self.bound = name, element, shape, bound
        self.dims = shape if dims is None else dims

    @property
    def type(self):
        if self.shape is None:
            return self.element
        return f"tensor<{''.join(f'{n if n is not None else chr(63)}x' for n in self.dims)}{self.element}>"


class Unfit(Exception):
    """This op cannot follow here."""


def affine(dims, results):
    names = [f"d{i}" for i in range(dims)]
    return f"affine_map<({', '.join(names)}) -> ({', '.join(map(str, results))})>"


class Program:
    def __init__(self, seed, ops):
        self.rng, self.lines, self.names = random.Random(seed), [], 0
        self.indent, self.arguments, self.values = "  ", [], []
        for _ in range(self.rng.randint(2, 4)):
            self.argument()
        made = tries = 0
        while made < ops and tries < 30 * ops:
            tries += 1
            mark = len(self.lines)
            try:
                self.rng.choice(STEPS)(self)
                made += 1
            except Unfit:
                del self.lines[mark:]
        made = [v for v in self.values if v not in self.arguments]
        self.results = made[-1:] + self.rng.sample(made, min(len(made), 2)) or self.values[:1]

    def argument(self):
        shape = tuple(self.rng.randint(1, 5) for _ in range(self.rng.choice((0, 1, 2, 2, 3))))
        dims = tuple(None if self.rng.random() < 0.15 else n for n in shape)
        v = Value(f"%a{len(self.arguments)}", self.rng.choice(INTS + FLOATS), shape, 3, dims)
        self.arguments.append(v)
        self.values.append(v)

    def inputs(self):
        rng = np.random.default_rng(self.rng.randint(0, 1 << 30))
        return [np.asarray(rng.integers(-3, 4, v.shape)).astype(DTYPES[v.element]) for v in self.arguments]

    def text(self):
        head = ", ".join(f"{a.name}: {a.type}" for a in self.arguments)
        types = ", ".join(v.type for v in self.results)
        body = "\n".join(self.lines)
        return (f"func.func @main({head}) -> ({types}) {{\n{body}\n"
                f"  return {', '.join(v.name for v in self.results)} : {types}\n}}\n")

    # What steps are made of.

    def name(self):
        self.names += 1
        return f"%v{self.names}_"

    def line(self, text):
        self.lines.append(self.indent + text)

    def pick(self, fits=lambda v: True):
        found = [v for v in self.values if fits(v)]
        if not found:
            raise Unfit
        return found[int(len(found) * self.rng.random() ** 0.7)]

    def tensor(self, fits=lambda v: True):
        return self.pick(lambda v: v.shape is not None and fits(v))

    def like(self, element, shape):
        """A tensor that there is, its sizes known, or a new one."""
        fits = lambda v: v.element == element and v.shape == shape and None not in v.dims
        if self.rng.random() < 0.7 and any(fits(v) for v in self.values):
            return self.pick(fits)
        return self.constant(element, shape, self.rng.randint(-2, 3))

    def known(self, v):
        """The tensor with a type of known sizes."""
        if None not in v.dims:
            return v
        result = Value(self.name(), v.element, v.shape, v.bound)
        self.line(f"{result.name} = tensor.cast {v.name} : {v.type} to {result.type}")
        return result

    def number(self, element, value):
        name = self.name()
        self.line(f"{name} = arith.constant {value}{'.0' if element[0] == 'f' else ''} : {element}")
        return name

    def constant(self, element, shape, value):
        result = Value(self.name(), element, shape, abs(value))
        text = f"{value}{'.0' if element[0] == 'f' else ''}"
        self.line(f"{result.name} = arith.constant {'dense<' + text + '>' if shape is not None else text} : {result.type}")
        return result

    def emit(self, text, element, shape, bound, dims=None):
        """A line `result = text : type of result`; text ends where types come."""
        if element in FLOATS and bound > LIMIT:
            raise Unfit
        result = Value(self.name(), element, shape, bound, dims)
        self.line(f"{result.name} = {text.replace('$type', result.type)}")
        self.values.append(result)
        return result

    def combine(self, element, x, y, indent=""):
        """Lines of a scalar op on (name, bound) pairs, and its result."""
        kinds = ("add", "sub", "mul", "max", "min")
        kind = self.rng.choice(kinds if element in FLOATS else kinds + ("and", "or", "xor", "shr", "cmp"))
        bound = x[1] * y[1] if kind == "mul" else x[1] + y[1]
        if element in FLOATS and bound > LIMIT:
            raise Unfit
        op = {"max": "arith.maximumf", "min": "arith.minimumf"}.get(kind, f"arith.{kind}f") if element in FLOATS else {
            "max": "arith.maxsi", "min": self.rng.choice(("arith.minsi", "arith.minui"))}.get(kind, f"arith.{kind}i")
        name = self.name()
        if kind == "shr":
            amount = self.number(element, self.rng.randint(0, 5))
            self.line(f"{indent}{name} = arith.{self.rng.choice(('shrsi', 'shrui', 'shli'))} {x[0]}, {amount} : {element}")
        elif kind == "cmp":
            order = self.rng.choice(("eq", "slt", "uge", "ne", "sle"))
            self.line(f"{indent}{name}c = arith.cmpi {order}, {x[0]}, {y[0]} : {element}")
            self.line(f"{indent}{name} = arith.select {name}c, {x[0]}, {y[0]} : {element}")
        else:
            self.line(f"{indent}{name} = {op} {x[0]}, {y[0]} : {element}")
        return name, bound

    def body(self, element, arguments, length=3):
        """A few ops on arguments, (name, bound) each, and what comes last."""
        values = list(arguments)
        for _ in range(self.rng.randint(1, length)):
            values.append(self.combine(element, self.rng.choice(values), self.rng.choice(values), "  "))
        return values[-1]


# Structured ops.


def generic(p):
    """Random projections of up to three loops, some of them summed over, and one or
    two outputs, which the body reads where there are sums, and else perhaps."""
    a = p.known(p.tensor(lambda v: len(v.shape) >= 1))
    loops = len(a.shape) + p.rng.randint(0, 1)
    order = p.rng.sample(range(loops), len(a.shape))
    sizes = [p.rng.randint(1, 4) for _ in range(loops)]
    for d, n in zip(order, a.shape):
        sizes[d] = n
    element = a.element
    inputs, maps, walked = [a], [affine(loops, [f"d{d}" for d in order])], set(order)
    for _ in range(p.rng.randint(0, 2)):
        dims = p.rng.sample(range(loops), p.rng.randint(0, loops))
        inputs.append(p.like(element, tuple(sizes[d] for d in dims)))
        maps.append(affine(loops, [f"d{d}" for d in dims]))
        walked.update(dims)
    kept = [d for d in range(loops) if p.rng.random() < 0.7 or d not in walked]
    p.rng.shuffle(kept)
    shape = tuple(sizes[d] for d in kept)
    summed = int(np.prod([sizes[d] for d in range(loops) if d not in kept]))
    outs = [p.like(element, shape) for _ in range(p.rng.choice((1, 1, 2)))]
    maps += [affine(loops, [f"d{d}" for d in kept])] * len(outs)
    kinds = ", ".join('"parallel"' if d in kept else '"reduction"' for d in range(loops))
    types = ", ".join(v.type for v in outs)
    result, count = p.name(), len(outs)
    p.line(f"{result}{f':{count}' if count > 1 else ''} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
           f"iterator_types = [{kinds}]}} ins({', '.join(v.name for v in inputs)} : "
           f"{', '.join(v.type for v in inputs)}) outs({', '.join(v.name for v in outs)} : {types}) {{")
    ins = [(f"{result}i{i}", v.bound) for i, v in enumerate(inputs)]
    ends = [(f"{result}o{i}", v.bound) for i, v in enumerate(outs)]
    p.line("^bb0(" + ", ".join(f"{n}: {element}" for n, _ in ins + ends) + "):")
    yielded, made = [], []
    for i, (name, bound) in enumerate(ends):
        if len(kept) < loops:
            x = p.body(element, ins, 2)
            kind = p.rng.choice(("addf", "maximumf") if element in FLOATS else ("addi", "maxsi", "xori"))
            y = p.name()
            p.line(f"  {y} = arith.{kind} {name}, {x[0]} : {element}")
            yielded.append((y, bound + summed * x[1]))
        else:
            yielded.append(p.body(element, ins + ends if p.rng.random() < 0.6 else ins))
    p.line(f"  linalg.yield {', '.join(n for n, _ in yielded)} : {', '.join([element] * count)}")
    p.line(f"}} -> {types if count == 1 else f'({types})'}")
    for i, (v, (_, bound)) in enumerate(zip(outs, yielded)):
        if element in FLOATS and bound > LIMIT:
            raise Unfit
        made.append(Value(result if count == 1 else f"{result}#{i}", element, shape, bound))
    p.values += made


def map_op(p):
    a = p.known(p.tensor())
    inputs = [a] + [p.like(a.element, a.shape) for _ in range(p.rng.randint(0, 1))]
    inputs = inputs[:p.rng.randint(0, len(inputs))]
    out = p.like(a.element, a.shape)
    captured = (p.number(a.element, 2), 2) if p.rng.random() < 0.3 else None
    result = p.name()
    ins = f"ins({', '.join(v.name for v in inputs)} : {', '.join(v.type for v in inputs)}) " if inputs else ""
    p.line(f"{result} = linalg.map {ins}outs({out.name} : {out.type})")
    arguments = [(f"{result}i{i}", v.bound) for i, v in enumerate(inputs)]
    end = (f"{result}o", out.bound)
    p.line("(" + ", ".join(f"{n}: {a.element}" for n, _ in arguments + [end]) + ") {")
    read = [] if inputs and p.rng.random() < 0.3 else [end]
    value = p.body(a.element, arguments + read + ([captured] if captured else []))
    p.line(f"  linalg.yield {value[0]} : {a.element}")
    p.line("}")
    p.values.append(Value(result, a.element, a.shape, value[1]))


def reduce(p):
    a = p.known(p.tensor(lambda v: len(v.shape) >= 1))
    dims = sorted(p.rng.sample(range(len(a.shape)), p.rng.randint(1, len(a.shape))))
    shape = tuple(n for d, n in enumerate(a.shape) if d not in dims)
    out = p.like(a.element, shape)
    kind = p.rng.choice(("addf", "maximumf") if a.element in FLOATS else ("addi", "minsi", "andi"))
    summed = int(np.prod([a.shape[d] for d in dims]))
    p.emit(f"linalg.reduce {{ arith.{kind} }} ins({a.name} : {a.type}) outs({out.name} : {out.type}) dimensions = {dims}",
           a.element, shape, out.bound + summed * a.bound)


def reorder(p):
    a = p.known(p.tensor())
    rank = len(a.shape)
    if p.rng.random() < 0.5:
        perm = p.rng.sample(range(rank), rank)
        shape = tuple(a.shape[d] for d in perm)
        how, word = f"permutation = {perm}", "transpose"
    else:
        at = p.rng.randint(0, rank)
        shape = a.shape[:at] + (p.rng.randint(1, 3),) + a.shape[at:]
        how, word = f"dimensions = [{at}]", "broadcast"
    if rank == 0 and word == "transpose" or len(shape) > 4:
        raise Unfit
    out = p.like(a.element, shape)
    p.emit(f"linalg.{word} ins({a.name} : {a.type}) outs({out.name} : {out.type}) {how}", a.element, shape, a.bound)


def named(p):
    a = p.known(p.tensor())
    kind = p.rng.choice(("add", "sub", "mul", "max", "copy", "fill", "select", "negf", "abs", "elementwise"))
    out = p.like(a.element, a.shape)
    outs = f"outs({out.name} : {out.type}) -> {out.type}"
    if kind in ("negf", "abs") and a.element not in FLOATS:
        raise Unfit
    if kind in ("copy", "negf", "abs"):
        p.emit(f"linalg.{kind} ins({a.name} : {a.type}) {outs}", a.element, a.shape, a.bound)
    elif kind == "fill":
        c = p.number(a.element, 2)
        p.emit(f"linalg.fill ins({c} : {a.element}) {outs}", a.element, a.shape, 2)
    elif kind == "select":
        b = p.like(a.element, a.shape)
        mask = p.name()
        word = "cmpf ogt" if a.element in FLOATS else "cmpi slt"
        p.line(f"{mask} = arith.{word}, {a.name}, {b.name} : {a.type}")
        flags = a.type.replace(a.element + ">", "i1>")
        p.emit(f"linalg.select ins({mask}, {a.name}, {b.name} : {flags}, {a.type}, {a.type}) {outs}",
               a.element, a.shape, max(a.bound, b.bound))
    else:
        b = p.like(a.element, a.shape)
        bound = a.bound * b.bound if kind == "mul" else a.bound + b.bound
        word = "elementwise kind=#linalg.elementwise_kind<add>" if kind == "elementwise" else kind
        p.emit(f"linalg.{word} ins({a.name}, {b.name} : {a.type}, {b.type}) {outs}", a.element, a.shape, bound)


def product(p):
    a = p.known(p.tensor(lambda v: len(v.shape) == 2))
    m, k = a.shape
    kind = p.rng.choice(("matmul", "matvec", "vecmat", "dot"))
    if kind == "matmul":
        n = p.rng.randint(1, 4)
        b, shape = p.like(a.element, (k, n)), (m, n)
    elif kind == "matvec":
        b, shape = p.like(a.element, (k,)), (m,)
    elif kind == "vecmat":
        a, b, shape = p.like(a.element, (m,)), a, (k,)
        k = m
    else:
        a = p.like(a.element, (k,))
        b, shape = p.like(a.element, (k,)), ()
    out = p.like(a.element, shape)
    p.emit(f"linalg.{kind} ins({a.name}, {b.name} : {a.type}, {b.type}) outs({out.name} : {out.type}) -> {out.type}",
           a.element, shape, out.bound + k * a.bound * b.bound)


def window(p):
    a = p.known(p.tensor(lambda v: len(v.shape) == 1))
    (n,) = a.shape
    w = p.rng.randint(1, n)
    b, out = p.like(a.element, (w,)), p.like(a.element, (n - w + 1,))
    p.emit(f"linalg.conv_1d ins({a.name}, {b.name} : {a.type}, {b.type}) outs({out.name} : {out.type}) -> {out.type}",
           a.element, out.shape, out.bound + w * a.bound * b.bound)


# Movement.


def index(p, value):
    return p.number("index", value)


def slice_of(p, v):
    offsets, sizes, strides = [], [], []
    for n in v.shape:
        stride = p.rng.choice((1, 1, 2))
        size = p.rng.randint(1, (n + stride - 1) // stride)
        offsets.append(p.rng.randint(0, n - 1 - (size - 1) * stride))
        sizes.append(size)
        strides.append(stride)
    shown = [index(p, o) if p.rng.random() < 0.4 else o for o in offsets]
    return f"[{', '.join(map(str, shown))}] {sizes} {strides}", tuple(sizes)


def extract_slice(p):
    v = p.known(p.tensor(lambda v: v.shape))
    place, shape = slice_of(p, v)
    p.emit(f"tensor.extract_slice {v.name}{place} : {v.type} to $type", v.element, shape, v.bound)


def insert_slice(p):
    v = p.known(p.tensor(lambda v: v.shape))
    place, shape = slice_of(p, v)
    part = p.like(v.element, shape)
    p.emit(f"tensor.insert_slice {part.name} into {v.name}{place} : {part.type} into {v.type}",
           v.element, v.shape, max(v.bound, part.bound))


def pad(p):
    v = p.known(p.tensor(lambda v: v.shape))
    low, high = ([p.rng.randint(0, 2) for _ in v.shape] for _ in range(2))
    shape = tuple(map(sum, zip(v.shape, low, high)))
    if max(shape) > 6:
        raise Unfit
    c = p.number(v.element, 1)
    result = Value(p.name(), v.element, shape, max(v.bound, 1))
    p.line(f"{result.name} = tensor.pad {v.name} low{low} high{high} {{")
    p.line(f"^bb0({', '.join(f'{result.name}p{d}: index' for d in range(len(shape)))}):")
    p.line(f"  tensor.yield {c} : {v.element}")
    p.line(f"}} : {v.type} to {result.type}")
    p.values.append(result)


def reshape(p):
    v = p.known(p.tensor(lambda v: v.shape))
    rank = len(v.shape)
    if rank > 1 and p.rng.random() < 0.5:
        at = p.rng.randrange(rank - 1)
        groups = [[d] for d in range(at)] + [[at, at + 1]] + [[d] for d in range(at + 2, rank)]
        shape = v.shape[:at] + (v.shape[at] * v.shape[at + 1],) + v.shape[at + 2:]
        if max(shape) > 12:
            raise Unfit
        p.emit(f"tensor.collapse_shape {v.name} {groups} : {v.type} into $type", v.element, shape, v.bound)
        return
    if rank > 3:
        raise Unfit
    at = p.rng.randrange(rank)
    factor = p.rng.choice([n for n in (1, 2, 3) if v.shape[at] % n == 0])
    groups = [[d] for d in range(at)] + [[at, at + 1]] + [[d + 1] for d in range(at + 1, rank)]
    shape = v.shape[:at] + (factor, v.shape[at] // factor) + v.shape[at + 1:]
    p.emit(f"tensor.expand_shape {v.name} {groups} output_shape {list(shape)} : {v.type} into $type",
           v.element, shape, v.bound)


def concat(p):
    v = p.known(p.tensor(lambda v: v.shape))
    at = p.rng.randrange(len(v.shape))
    w = p.like(v.element, v.shape)
    shape = v.shape[:at] + (2 * v.shape[at],) + v.shape[at + 1:]
    if max(shape) > 12:
        raise Unfit
    p.emit(f"tensor.concat dim({at}) {v.name}, {w.name} : ({v.type}, {w.type}) -> $type",
           v.element, shape, max(v.bound, w.bound))


def place_in(p, v):
    return ", ".join(index(p, p.rng.randrange(n)) for n in v.shape)


def element(p):
    v = p.known(p.tensor())
    x = Value(p.name(), v.element, None, v.bound)
    p.line(f"{x.name} = tensor.extract {v.name}[{place_in(p, v)}] : {v.type}")
    p.values.append(x)
    if p.rng.random() < 0.7:
        w = p.known(p.tensor(lambda w: w.element == v.element))
        p.emit(f"tensor.insert {x.name} into {w.name}[{place_in(p, w)}] : {w.type}",
               w.element, w.shape, max(v.bound, w.bound))


def generate(p):
    shape = tuple(p.rng.randint(1, 4) for _ in range(p.rng.randint(1, 2)))
    result = Value(p.name(), "i64", shape, 0)
    p.line(f"{result.name} = tensor.generate {{")
    names = [f"{result.name}g{d}" for d in range(len(shape))]
    p.line(f"^bb0({', '.join(f'{n}: index' for n in names)}):")
    total = index_math(p, names)
    p.line(f"  {result.name}v = arith.index_cast {total} : index to i64")
    p.line(f"  tensor.yield {result.name}v : i64")
    p.line(f"}} : {result.type}")
    p.values.append(result)


# Scalars and loops.


def index_math(p, names):
    """Ops of index and arith on indices, none of which fails."""
    x = p.rng.choice(names)
    for _ in range(p.rng.randint(1, 3)):
        y = p.name()
        c = p.number("index", p.rng.choice((1, 2, 3, 7)))
        kind = p.rng.choice(("add", "sub", "mul", "floordivs", "rems", "remu", "divs", "divu", "ceildivs", "ceildivu",
                             "maxs", "mins", "maxu", "minu", "and", "or", "xor", "shl", "shrs", "shru", "arith"))
        if kind == "arith":
            p.line(f"{y} = arith.{p.rng.choice(('addi', 'muli', 'floordivsi', 'ceildivsi', 'remsi'))} {x}, {c} : index")
        else:
            p.line(f"{y} = index.{kind} {x}, {c}")
        if p.rng.random() < 0.2:
            p.line(f"{y}k = index.cmp {p.rng.choice(('slt', 'eq', 'ugt', 'sge'))}({x}, {y})")
            p.line(f"{y}s = arith.select {y}k, {x}, {y} : index")
            y += "s"
        x = y
    return x


def scalar(p):
    v = p.pick(lambda v: v.shape is None and v.element != "index")
    name, bound = p.combine(v.element, (v.name, v.bound), (p.number(v.element, 3), 3))
    p.values.append(Value(name, v.element, None, bound))


def condition(p):
    v = p.pick(lambda v: v.shape is None and v.element in INTS)
    name = p.name()
    p.line(f"{name} = arith.cmpi {p.rng.choice(('slt', 'ne', 'uge'))}, {v.name}, {p.number(v.element, 1)} : {v.element}")
    return name


def branch(p):
    flag = condition(p)
    v = p.known(p.tensor())
    w = p.like(v.element, v.shape)
    result = Value(p.name(), v.element, v.shape, max(v.bound, w.bound))
    p.line(f"{result.name} = scf.if {flag} -> ({result.type}) {{")
    p.line(f"  scf.yield {v.name} : {v.type}")
    p.line("} else {")
    p.line(f"  scf.yield {w.name} : {w.type}")
    p.line("}")
    p.values.append(result)


def loop(p):
    v = p.known(p.tensor(lambda v: v.shape and v.element in INTS))
    low, high, step = (p.number("index", n) for n in (0, v.shape[0], p.rng.randint(1, 2)))
    result = Value(p.name(), v.element, v.shape, 0)
    i, state = f"{result.name}i", f"{result.name}s"
    rest = "".join(f", {p.number('index', p.rng.randrange(n))}" for n in v.shape[1:])
    p.line(f"{result.name} = scf.for {i} = {low} to {high} step {step} iter_args({state} = {v.name}) -> ({v.type}) {{")
    p.line(f"  {state}e = tensor.extract {state}[{i}{rest}] : {v.type}")
    p.line(f"  {state}f = tensor.extract {v.name}[{low}{rest}] : {v.type}")
    name, _ = p.body(v.element, [(state + "e", 1), (state + "f", 1)])
    p.line(f"  {state}n = tensor.insert {name} into {state}[{i}{rest}] : {v.type}")
    p.line(f"  scf.yield {state}n : {v.type}")
    p.line("}")
    p.values.append(result)


def while_loop(p):
    v = p.known(p.tensor(lambda v: v.element in INTS))
    zero, one, end = (p.number("index", n) for n in (0, 1, p.rng.randint(0, 4)))
    r = p.name()
    p.line(f"{r}:2 = scf.while ({r}i = {zero}, {r}t = {v.name}) : (index, {v.type}) -> (index, {v.type}) {{")
    p.line(f"  {r}k = index.cmp slt({r}i, {end})")
    p.line(f"  scf.condition({r}k) {r}i, {r}t : index, {v.type}")
    p.line("} do {")
    p.line(f"^bb0({r}j: index, {r}u: {v.type}):")
    p.line(f"  {r}n = index.add {r}j, {one}")
    p.line(f"  {r}w = linalg.map {{ arith.addi }} ins({r}u, {v.name} : {v.type}, {v.type}) outs({r}u : {v.type})"
           if p.rng.random() < 0.5 else
           f"  {r}w = linalg.add ins({r}u, {v.name} : {v.type}, {v.type}) outs({r}u : {v.type}) -> {v.type}")
    p.line(f"  scf.yield {r}n, {r}w : index, {v.type}")
    p.line("}")
    p.values.append(Value(f"{r}#1", v.element, v.shape, 0))


def forall(p):
    v = p.known(p.tensor(lambda v: len(v.shape) == 2 and v.element in INTS))
    n, m = v.shape
    out = p.like(v.element, v.shape)
    r = p.name()
    p.line(f"{r} = scf.forall ({r}i) in ({n}) shared_outs({r}o = {out.name}) -> ({v.type}) {{")
    p.line(f"  {r}x = tensor.extract_slice {v.name}[{r}i, 0] [1, {m}] [1, 1] : {v.type} to tensor<1x{m}x{v.element}>")
    p.line(f"  {r}y = tensor.extract_slice {r}o[{r}i, 0] [1, {m}] [1, 1] : {v.type} to tensor<1x{m}x{v.element}>")
    p.line(f"  {r}z = linalg.mul ins({r}x, {r}x : tensor<1x{m}x{v.element}>, tensor<1x{m}x{v.element}>) "
           f"outs({r}y : tensor<1x{m}x{v.element}>) -> tensor<1x{m}x{v.element}>")
    p.line("  scf.forall.in_parallel {")
    p.line(f"    tensor.parallel_insert_slice {r}z into {r}o[{r}i, 0] [1, {m}] [1, 1] : tensor<1x{m}x{v.element}> into {v.type}")
    p.line("  }")
    p.line("}")
    p.values.append(Value(r, v.element, v.shape, 0))


def parallel(p):
    v = p.known(p.tensor(lambda v: len(v.shape) == 2 and v.element in INTS))
    zero, one, two = (p.number("index", n) for n in (0, 1, 2))
    n, m = (p.number("index", n) for n in v.shape)
    start, r = p.number(v.element, 1), p.name()
    p.line(f"{r} = scf.parallel ({r}i, {r}j) = ({zero}, {zero}) to ({n}, {m}) step ({p.rng.choice((one, two))}, {one}) "
           f"init ({start}) -> {v.element} {{")
    p.line(f"  {r}x = tensor.extract {v.name}[{r}i, {r}j] : {v.type}")
    p.line(f"  scf.reduce({r}x : {v.element}) {{")
    p.line(f"  ^bb0({r}a: {v.element}, {r}b: {v.element}):")
    p.line(f"    {r}c = arith.{p.rng.choice(('addi', 'muli', 'maxsi', 'xori'))} {r}a, {r}b : {v.element}")
    p.line(f"    scf.reduce.return {r}c : {v.element}")
    p.line("  }")
    p.line("}")
    p.values.append(Value(r, v.element, None, 0))


def switch(p):
    v = p.known(p.tensor(lambda v: v.shape))
    w = p.like(v.element, v.shape)
    chosen = index_math(p, [p.number("index", p.rng.randint(0, 3))])
    result = Value(p.name(), v.element, v.shape, max(v.bound, w.bound))
    p.line(f"{result.name} = scf.index_switch {chosen} -> {v.type}")
    p.line("case 1 {")
    p.line(f"  scf.yield {v.name} : {v.type}")
    p.line("}")
    p.line("default {")
    p.line(f"  scf.yield {w.name} : {v.type}")
    p.line("}")
    p.values.append(result)


STEPS = (generic, generic, generic, map_op, map_op, reduce, reorder, named, named, product, window, extract_slice,
         insert_slice, insert_slice, pad, reshape, concat, element, element, generate, scalar, branch, loop, while_loop,
         forall, parallel, switch)
