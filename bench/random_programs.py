# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random lists of StableHLO ops on small tensors (rank 0, sizes 0, 1 and odd ones,
every element type, places that are negative or huge), each with what numpy says of
its values.

Integers are exact. Floats are computed in twice the digits, with a bound on the
error that a sequence of correctly rounded operations may make (for transcendental
functions 4 units in the last place), carried along element by element.
"""

import random

import ml_dtypes
import numpy

import batches

BF16 = numpy.dtype(ml_dtypes.bfloat16)
# Element types: numpy's type, and for floats the unit roundoff and the smallest
# positive number.
TYPES = {
    "i8": (numpy.dtype("i1"), None, None),
    "i16": (numpy.dtype("i2"), None, None),
    "i32": (numpy.dtype("i4"), None, None),
    "i64": (numpy.dtype("i8"), None, None),
    "ui8": (numpy.dtype("u1"), None, None),
    "ui16": (numpy.dtype("u2"), None, None),
    "ui32": (numpy.dtype("u4"), None, None),
    "ui64": (numpy.dtype("u8"), None, None),
    "i1": (numpy.dtype("?"), None, None),
    "bf16": (BF16, 2.0**-8, 2.0**-133),
    "f16": (numpy.dtype("f2"), 2.0**-11, 2.0**-24),
    "f32": (numpy.dtype("f4"), 2.0**-24, 2.0**-149),
    "f64": (numpy.dtype("f8"), 2.0**-53, 2.0**-1074),
}
FLOATS = [t for t, row in TYPES.items() if row[1]]
INTS = ["i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64"]


class Value:
    """A tensor of the program: what numpy says it is, and how far off it may be."""

    def __init__(self, name, element, array, error=None):
        self.name, self.element = name, element
        self.array = array
        self.error = numpy.zeros(array.shape, "f8") if error is None else error
        self.shape = array.shape

    @property
    def type(self):
        return f"tensor<{'x'.join([*map(str, self.shape), self.element])}>"

    @property
    def is_float(self):
        return self.element in FLOATS


def wide(element):
    """The type that numpy computes in."""
    return numpy.longdouble if element == "f64" else numpy.float64


def rounded(element, array, error, ulps=0.5):
    """The error after rounding to the element type."""
    _, unit, least = TYPES[element]
    magnitude = numpy.abs(array).astype("f8") + error
    return error + 2 * ulps * unit * magnitude + ulps * least


def limit(element):
    """Past this magnitude a value may overflow: such programs say nothing."""
    return {"bf16": 1e38, "f16": 6e4, "f32": 1e38, "f64": 1e300}[element]


class Unfit(Exception):
    """This op cannot follow here."""


class Program:
    def __init__(self, seed, ops):
        self.random = random.Random(seed)
        self.numpy = numpy.random.default_rng(seed)
        self.lines, self.values, self.arguments = [], [], []
        for _ in range(self.random.randint(1, 3)):
            self.argument()
        made = tries = 0
        while made < ops and tries < 20 * ops:
            tries += 1
            try:
                self.random.choice(STEPS)(self)
                made += 1
            except Unfit:
                pass
        unread = [v for v in self.values if v not in self.arguments]
        self.results = self.random.sample(unread, min(len(unread), 2)) or self.values[:1]
        if unread and unread[-1] not in self.results:
            self.results[0] = unread[-1]

    # What a program is made of.

    def pick(self, fits=lambda v: True):
        # Later values more often, so that chains grow.
        fitting = [v for v in self.values if fits(v)]
        if not fitting:
            raise Unfit
        return fitting[int(len(fitting) * self.random.random() ** 0.5)]

    def shape(self, rank=None):
        rank = self.random.choice([0, 1, 2, 2, 3, 4]) if rank is None else rank
        return tuple(self.random.choice([0, 1, 2, 3, 5, 7] + [3, 4, 5] * 2) for _ in range(rank))

    def argument(self, element=None, shape=None, values=None):
        element = element or self.random.choice([*FLOATS, "f32", *INTS, "i32", "i1"])
        shape = self.shape() if shape is None else shape
        dtype = TYPES[element][0]
        if element == "i1":
            array = self.numpy.integers(0, 2, shape).astype("?")
        elif element in FLOATS:
            array = self.numpy.uniform(-2, 2, shape).astype(dtype)
        elif values is not None:
            drawn = [self.random.choice(values) for _ in range(numpy.prod(shape, dtype=int))]
            array = numpy.array(drawn, dtype).reshape(shape)
        else:
            array = self.numpy.integers(-7, 8, shape).astype(dtype)
        array = numpy.asarray(array, dtype)
        exact = array.astype("f4").astype(wide(element)) if element == "bf16" else array
        exact = exact.astype(wide(element)) if element in FLOATS else exact
        value = Value(f"%a{len(self.arguments)}", element, exact)
        value.given = array
        self.arguments.append(value)
        self.values.append(value)
        return value

    def emit(self, text, element, array, error=None, ulps=0.5, exact=False):
        """Adds an op whose result is `array` before it is rounded."""
        array = numpy.asarray(array)
        if element in FLOATS:
            array = array.astype(wide(element))
            error = numpy.zeros(array.shape) if error is None else numpy.asarray(error, "f8")
            if not exact:
                error = rounded(element, array, error, ulps)
            if not numpy.all(numpy.isfinite(array)) or not numpy.all(numpy.isfinite(error)):
                raise Unfit
            if array.size and numpy.max(numpy.abs(array)) + numpy.max(error) > limit(element):
                raise Unfit
        value = Value(f"%{len(self.lines)}", element, array, error)
        self.lines.append(f"{value.name} = {text} -> {value.type}")
        self.values.append(value)
        return value

    def text(self):
        return batches.write([self])


def op(name, operands, attributes=""):
    names = ", ".join(v.name for v in operands)
    types = ", ".join(v.type for v in operands)
    attributes = f" <{{{attributes}}}>" if attributes else ""
    return f'"stablehlo.{name}"({names}){attributes} : ({types})'


def integers(values):
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def wrapped(element, array):
    return numpy.asarray(array).astype(TYPES[element][0])


# Elementwise ops.


def binary(p):
    a = p.pick(lambda v: v.element != "i1")
    b = p.pick(lambda v: v.element == a.element and v.shape == a.shape)
    name = p.random.choice(["add", "subtract", "multiply", "maximum", "minimum"])
    x, y = a.array, b.array
    with numpy.errstate(all="ignore"):
        result = {
            "add": numpy.add, "subtract": numpy.subtract, "multiply": numpy.multiply,
            "maximum": numpy.maximum, "minimum": numpy.minimum,
        }[name](x, y)
    if not a.is_float:
        return p.emit(op(name, [a, b]), a.element, wrapped(a.element, result))
    if name in ("add", "subtract"):
        return p.emit(op(name, [a, b]), a.element, result, a.error + b.error)
    if name == "multiply":
        error = numpy.abs(x) * b.error + numpy.abs(y) * a.error + a.error * b.error
        return p.emit(op(name, [a, b]), a.element, result, error)
    return p.emit(op(name, [a, b]), a.element, result, numpy.maximum(a.error, b.error), exact=True)


def divide(p):
    a = p.pick(lambda v: v.is_float)
    b = p.pick(lambda v: v.element == a.element and v.shape == a.shape)
    least = numpy.abs(b.array).astype("f8") - b.error
    if least.size and numpy.min(least) < 0.05:
        raise Unfit
    error = (a.error + numpy.abs(a.array / b.array) * b.error) / least
    p.emit(op("divide", [a, b]), a.element, a.array / b.array, error)


# name: function, a bound of its slope on [x - e, x + e], and the domain.
FUNCTIONS = {
    "exponential": (numpy.exp, lambda lo, hi: numpy.exp(hi), (-20, 8)),
    "exponential_minus_one": (numpy.expm1, lambda lo, hi: numpy.exp(hi), (-20, 8)),
    "tanh": (numpy.tanh, lambda lo, hi: 1 + 0 * hi, (-50, 50)),
    "logistic": (lambda x: 1 / (1 + numpy.exp(-x)), lambda lo, hi: 0.25 + 0 * hi, (-50, 50)),
    "sine": (numpy.sin, lambda lo, hi: 1 + 0 * hi, (-50, 50)),
    "cosine": (numpy.cos, lambda lo, hi: 1 + 0 * hi, (-50, 50)),
    "sqrt": (numpy.sqrt, lambda lo, hi: 0.5 / numpy.sqrt(lo), (0.01, 1e4)),
    "rsqrt": (lambda x: 1 / numpy.sqrt(x), lambda lo, hi: 0.5 * lo**-1.5, (0.01, 1e4)),
    "log": (numpy.log, lambda lo, hi: 1 / lo, (0.01, 1e4)),
    "log_plus_one": (numpy.log1p, lambda lo, hi: 1 / (1 + lo), (-0.9, 1e4)),
}


def function(p):
    a = p.pick(lambda v: v.is_float)
    x = a.array
    name = p.random.choice([*FUNCTIONS, "negate", "abs"])
    if name in ("negate", "abs"):
        result = -x if name == "negate" else numpy.abs(x)
        return p.emit(op(name, [a]), a.element, result, a.error, exact=True)
    compute, slope, (lo, hi) = FUNCTIONS[name]
    low, high = x - a.error, x + a.error
    if x.size and (numpy.min(low) < lo or numpy.max(high) > hi):
        raise Unfit
    error = numpy.asarray(slope(low, high), "f8") * a.error
    p.emit(op(name, [a]), a.element, compute(x), error, ulps=4)


def compare_select(p):
    a = p.pick(lambda v: v.element != "i1" and not numpy.any(v.error))
    b = p.pick(lambda v: v.element == a.element and v.shape == a.shape and not numpy.any(v.error))
    name = p.random.choice(["EQ", "NE", "LT", "LE", "GT", "GE"])
    result = getattr(numpy, {
        "EQ": "equal", "NE": "not_equal", "LT": "less", "LE": "less_equal",
        "GT": "greater", "GE": "greater_equal"}[name])(a.array, b.array)
    direction = f"comparison_direction = #stablehlo<comparison_direction {name}>"
    chosen = p.emit(op("compare", [a, b], direction), "i1", result)
    x = p.pick(lambda v: v.shape == a.shape)
    y = p.pick(lambda v: v.shape == a.shape and v.element == x.element)
    p.emit(op("select", [chosen, x, y]), x.element, numpy.where(result, x.array, y.array),
           numpy.where(result, x.error, y.error), exact=True)


def convert(p):
    a = p.pick()
    to = p.random.choice([*FLOATS, *INTS])
    if to == a.element:
        raise Unfit
    if to in FLOATS:
        exact = a.array.astype(wide(to))
        return p.emit(op("convert", [a]), to, exact, a.error)
    if a.is_float:
        # Towards zero; only where the error cannot reach the next integer.
        x = a.array
        if x.size and (numpy.max(numpy.abs(x)) > 100 or numpy.any(a.error)):
            raise Unfit
        if x.size and to.startswith("ui") and numpy.min(x) < 0:
            raise Unfit
        return p.emit(op("convert", [a]), to, numpy.trunc(x).astype(TYPES[to][0]))
    p.emit(op("convert", [a]), to, wrapped(to, a.array))


# Movement.


def moved(p, a, text, move):
    p.emit(text, a.element, move(a.array), move(a.error) if a.is_float else None, exact=True)


def transpose(p):
    a = p.pick(lambda v: len(v.shape) > 1)
    order = p.random.sample(range(len(a.shape)), len(a.shape))
    moved(p, a, op("transpose", [a], f"permutation = {integers(order)}"),
          lambda x: numpy.transpose(x, order))


def reshape(p):
    a = p.pick()
    sizes = []
    rest = a.array.size
    while rest > 1:
        factor = p.random.choice([f for f in range(2, rest + 1) if rest % f == 0])
        sizes.append(factor)
        rest //= factor
    if a.array.size == 0:
        sizes = [0, p.random.randint(0, 3)]
    for _ in range(p.random.randint(0, 2)):
        sizes.insert(p.random.randint(0, len(sizes)), 1)
    if len(sizes) > 6:
        raise Unfit
    moved(p, a, op("reshape", [a]), lambda x: numpy.reshape(x, sizes))


def broadcast(p):
    a = p.pick(lambda v: len(v.shape) < 4 and v.array.size < 500)
    rank = len(a.shape) + p.random.randint(0, 2)
    dims = sorted(p.random.sample(range(rank), len(a.shape)))
    shape = list(p.shape(rank))
    for i, d in enumerate(dims):
        if a.shape[i] != 1 or p.random.random() < 0.3:
            shape[d] = a.shape[i]
    if numpy.prod(shape) > 4000:
        raise Unfit
    expanded = [1] * rank
    for i, d in enumerate(dims):
        expanded[d] = a.shape[i]
    moved(p, a, op("broadcast_in_dim", [a], f"broadcast_dimensions = {integers(dims)}"),
          lambda x: numpy.broadcast_to(numpy.reshape(x, expanded), shape))


def slices(p):
    a = p.pick(lambda v: len(v.shape) > 0)
    start = [p.random.randint(0, n) for n in a.shape]
    end = [p.random.randint(s, n) for s, n in zip(start, a.shape)]
    stride = [p.random.choice([1, 1, 2, 3]) for _ in a.shape]
    text = (f"start_indices = {integers(start)}, limit_indices = {integers(end)}, "
            f"strides = {integers(stride)}")
    moved(p, a, op("slice", [a], text),
          lambda x: x[tuple(slice(*b) for b in zip(start, end, stride))])


def reverse(p):
    a = p.pick(lambda v: len(v.shape) > 0)
    dims = p.random.sample(range(len(a.shape)), p.random.randint(1, len(a.shape)))
    moved(p, a, op("reverse", [a], f"dimensions = {integers(dims)}"),
          lambda x: numpy.flip(x, dims))


def pad(p):
    a = p.pick(lambda v: 0 < len(v.shape) and v.array.size < 500)
    b = p.pick(lambda v: v.shape == () and v.element == a.element)
    low = [p.random.choice([0, 0, 1, 2, -1]) for _ in a.shape]
    high = [p.random.choice([0, 0, 1, 2, -1]) for _ in a.shape]
    inner = [p.random.choice([0, 0, 1]) for _ in a.shape]
    spread = [max(n + max(n - 1, 0) * i, 0) for n, i in zip(a.shape, inner)]
    if any(n + l + h < 0 or n + min(l, 0) + min(h, 0) < 0
           for n, l, h in zip(spread, low, high)):
        raise Unfit

    def move(x, value):
        for d, (n, l, h, i) in enumerate(zip(spread, low, high, inner)):
            shape = list(x.shape)
            shape[d] = n
            full = numpy.full(shape, value, x.dtype)
            full[(slice(None),) * d + (slice(0, None, i + 1),)] = x
            shape[d] = n + l + h
            out = numpy.full(shape, value, x.dtype)
            kept = range(max(0, -l), n - max(0, -h))
            for k in kept:
                out[(slice(None),) * d + (k + l,)] = full[(slice(None),) * d + (k,)]
            x = out
        return x

    text = (f"edge_padding_low = {integers(low)}, edge_padding_high = {integers(high)}, "
            f"interior_padding = {integers(inner)}")
    p.emit(op("pad", [a, b], text), a.element, move(a.array, b.array),
           move(a.error, b.error) if a.is_float else None, exact=True)


def concatenate(p):
    a = p.pick(lambda v: len(v.shape) > 0)
    d = p.random.randrange(len(a.shape))
    fits = lambda v: (v.element == a.element and len(v.shape) == len(a.shape) and all(
        m == n or i == d for i, (m, n) in enumerate(zip(v.shape, a.shape))))
    parts = [a] + [p.pick(fits) for _ in range(p.random.randint(1, 2))]
    if sum(v.array.size for v in parts) > 4000:
        raise Unfit
    p.emit(op("concatenate", parts, f"dimension = {d} : i64"), a.element,
           numpy.concatenate([v.array for v in parts], d),
           numpy.concatenate([v.error for v in parts], d) if a.is_float else None, exact=True)


def iota(p):
    shape = p.shape(p.random.randint(1, 3))
    element = p.random.choice(["i32", "f32", "i8"])
    d = p.random.randrange(len(shape))
    sizes = [1] * len(shape)
    sizes[d] = shape[d]
    array = numpy.broadcast_to(numpy.arange(shape[d]).reshape(sizes), shape)
    p.emit(f'"stablehlo.iota"() <{{iota_dimension = {d} : i64}}> : ()', element,
           array.astype(TYPES[element][0]), exact=True)


# Places that are data.


def places(p, count, sizes):
    """Scalars of an integer type that say where something begins, with what numpy
    counts from: inside, outside, negative, the least and the greatest of the type."""
    element = p.random.choice(INTS)
    ends = numpy.iinfo(TYPES[element][0])
    # As Python's numbers, which have no end.
    near = [n for n in range(-2, max([1, *sizes]) + 2) if ends.min <= n <= ends.max]
    values = near * 2 + [int(ends.min), int(ends.max), int(ends.max) // 2 + 1]
    starts = [p.argument(element, (), values) for _ in range(count)]
    return starts, [int(start.given) for start in starts]


def dynamic_slice(p):
    a = p.pick()
    sizes = [p.random.randint(0, n) for n in a.shape]
    starts, given = places(p, len(sizes), a.shape)
    begin = [min(max(g, 0), n - s) for g, n, s in zip(given, a.shape, sizes)]
    moved(p, a, op("dynamic_slice", [a, *starts], f"slice_sizes = {integers(sizes)}"),
          lambda x: x[tuple(slice(b, b + s) for b, s in zip(begin, sizes))])


def dynamic_update_slice(p):
    a = p.pick()
    b = p.pick(lambda v: v.element == a.element and len(v.shape) == len(a.shape)
               and all(m <= n for m, n in zip(v.shape, a.shape)))
    starts, given = places(p, len(a.shape), a.shape)
    begin = [min(max(g, 0), n - s) for g, n, s in zip(given, a.shape, b.shape)]

    def move(x, part):
        x = numpy.array(x)
        x[tuple(slice(at, at + s) for at, s in zip(begin, b.shape))] = part
        return x

    p.emit(op("dynamic_update_slice", [a, b, *starts]), a.element, move(a.array, b.array),
           move(a.error, b.error) if a.is_float else None, exact=True)


def rows(p, a, count):
    """Numbers of rows, one row of the tensor of places for each."""
    element = p.random.choice(INTS)
    ends = numpy.iinfo(TYPES[element][0])
    near = [n for n in range(-1, a.shape[0] + 1) if ends.min <= n <= ends.max]
    where = p.argument(element, (count, 1), near * 2 + [int(ends.min), int(ends.max)])
    return where, [int(row[0]) for row in where.given]


def gather(p):
    """Some rows; a place outside is the nearest one inside."""
    a = p.pick(lambda v: 0 < len(v.shape) < 4 and v.shape[0] > 0)
    where, given = rows(p, a, p.random.randint(0, 4))
    inner = list(range(1, len(a.shape)))
    text = ("dimension_numbers = #stablehlo.gather<"
            + (f"offset_dims = {inner}, " if inner else "")
            + "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
            f"slice_sizes = {integers([1, *a.shape[1:]])}")
    taken = [min(max(g, 0), a.shape[0] - 1) for g in given]
    moved(p, a, op("gather", [a, where], text), lambda x: x[taken])


def scatter(p):
    """Rows added to some; a place outside is skipped."""
    a = p.pick(lambda v: 0 < len(v.shape) < 4 and v.element in INTS
               and (v.shape[0] > 0 or p.random.random() < 0.05))
    where, given = rows(p, a, p.random.randint(0, 4))
    b = p.argument(a.element, (len(given), *a.shape[1:]))
    scalar = f"tensor<{a.element}>"
    windows = list(range(1, len(a.shape)))
    array = numpy.array(a.array)
    for place, part in zip(given, b.array):
        if 0 <= place < a.shape[0]:
            with numpy.errstate(all="ignore"):
                array[place] += part
    p.emit(f'"stablehlo.scatter"({a.name}, {where.name}, {b.name}) <{{scatter_dimension_numbers = '
           "#stablehlo.scatter<" + (f"update_window_dims = {windows}, " if windows else "")
           + "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n"
           f"  ^bb0(%x: {scalar}, %y: {scalar}):\n"
           f'    %z = "stablehlo.add"(%x, %y) : ({scalar}, {scalar}) -> {scalar}\n'
           f'    "stablehlo.return"(%z) : ({scalar}) -> ()\n'
           f"  }}) : ({a.type}, {where.type}, {b.type})", a.element, array)


# Sums: n terms in any order, in f32 or wider, rounded once at the end.


def sum_error(element, array_sum_of_magnitudes, terms):
    unit = min(TYPES[element][1], 2.0**-24) if element != "f64" else 2.0**-53
    return numpy.asarray(array_sum_of_magnitudes, "f8") * unit * 1.01 * max(terms, 1)


def reduce(p):
    a = p.pick(lambda v: v.element != "i1")
    dims = tuple(sorted(p.random.sample(range(len(a.shape)), p.random.randint(0, len(a.shape)))))
    name = p.random.choice(["add", "maximum", "minimum"])
    terms = int(numpy.prod([a.shape[d] for d in dims]))
    if name != "add" and terms == 0:
        raise Unfit
    scalar = f"tensor<{a.element}>"
    low = {"add": 0, "maximum": -100000, "minimum": 100000}[name]
    if name != "add" and a.element in ("i8", "f16", "i16"):
        low = {"maximum": -100, "minimum": 100}[name]
    if name != "add" and a.element.startswith("ui"):
        low = {"maximum": 0, "minimum": int(numpy.iinfo(TYPES[a.element][0]).max)}[name]
    elif name != "add" and a.array.size and numpy.max(numpy.abs(a.array.astype("f8"))) >= abs(low):
        raise Unfit
    value = f"{float(low)}" if a.is_float else f"{low}"
    if a.element == "bf16" and low:
        value = {"maximum": "-99840.0", "minimum": "99840.0"}[name]
    start = p.emit(f'"stablehlo.constant"() <{{value = dense<{value}> : {scalar}}}> : ()',
                   a.element, numpy.array(float(value) if a.is_float else low).astype(
                       wide(a.element) if a.is_float else TYPES[a.element][0]), exact=True)
    text = (f'"stablehlo.reduce"({a.name}, {start.name}) <{{dimensions = {integers(list(dims))}}}> ({{\n'
            f"  ^bb0(%x: {scalar}, %y: {scalar}):\n"
            f'    %z = "stablehlo.{name}"(%x, %y) : ({scalar}, {scalar}) -> {scalar}\n'
            f'    "stablehlo.return"(%z) : ({scalar}) -> ()\n'
            f"  }}) : ({a.type}, {scalar})")
    if name != "add":
        choose = numpy.max if name == "maximum" else numpy.min
        return p.emit(text, a.element, choose(a.array, dims),
                      numpy.max(a.error, dims) if a.is_float else None, exact=True)
    if not a.is_float:
        return p.emit(text, a.element, wrapped(a.element, numpy.sum(a.array.astype("i8"), dims)))
    magnitudes = numpy.sum(numpy.abs(a.array) + a.error, dims)
    error = numpy.sum(a.error, dims) + sum_error(a.element, magnitudes, terms)
    p.emit(text, a.element, numpy.sum(a.array, dims), error)


def dot(p):
    a = p.pick(lambda v: len(v.shape) > 0 and v.element != "i1")
    b = p.pick(lambda v: v.element == a.element and len(v.shape) > 0)
    pairs = [(i, j) for i, m in enumerate(a.shape) for j, n in enumerate(b.shape) if m == n]
    p.random.shuffle(pairs)
    chosen = []
    for i, j in pairs:
        if all(i != k and j != l for k, l in chosen) and len(chosen) < 2:
            chosen.append((i, j))
    if not chosen:
        raise Unfit
    batch = chosen[:1] if len(chosen) > 1 and p.random.random() < 0.5 else []
    contracted = [c for c in chosen if c not in batch]
    free = [[d for d in range(len(v.shape)) if all(c[side] != d for c in chosen)]
            for side, v in ((0, a), (1, b))]
    letters = iter("abcdefghijklmnop")
    left, right, out = {}, {}, ""
    for i, j in batch:
        left[i] = right[j] = letter = next(letters)
        out += letter
    for i, j in contracted:
        left[i] = right[j] = next(letters)
    for d in free[0]:
        left[d] = letter = next(letters)
        out += letter
    for d in free[1]:
        right[d] = letter = next(letters)
        out += letter
    equation = ("".join(left[d] for d in range(len(a.shape))) + ","
                + "".join(right[d] for d in range(len(b.shape))) + "->" + out)
    product = lambda x, y: numpy.einsum(equation, x, y)
    terms = int(numpy.prod([a.shape[i] for i, _ in contracted]))
    lists = [[c[0] for c in batch], [c[1] for c in batch],
             [c[0] for c in contracted], [c[1] for c in contracted]]
    names = ["lhs_batching_dimensions", "rhs_batching_dimensions",
             "lhs_contracting_dimensions", "rhs_contracting_dimensions"]
    numbers = ", ".join(f"{n} = {l}" for n, l in zip(names, lists) if l)
    text = op("dot_general", [a, b], f"dot_dimension_numbers = #stablehlo.dot<{numbers}>")
    if not a.is_float:
        result = product(a.array.astype("i8"), b.array.astype("i8"))
        if result.size > 4000:
            raise Unfit
        return p.emit(text, a.element, wrapped(a.element, result))
    x, y = a.array, b.array
    exact = product(x, y)
    if exact.size > 4000:
        raise Unfit
    magnitudes = product(numpy.abs(x) + a.error, numpy.abs(y) + b.error)
    error = (product(numpy.abs(x), b.error) + product(a.error, numpy.abs(y))
             + product(a.error, b.error) + sum_error(a.element, magnitudes, terms + 1))
    p.emit(text, a.element, exact, error)


def window(p):
    """A convolution of one spatial dimension or two, channels last."""
    element = p.random.choice([*FLOATS, "i32"])
    rank = p.random.choice([1, 2])
    image = p.argument(element, (p.random.choice([1, 2]), *[p.random.choice([3, 5, 8]) for _ in range(rank)],
                                 p.random.choice([1, 2, 4])))
    groups = p.random.choice([g for g in (1, 2) if image.shape[-1] % g == 0])
    size = [p.random.choice([1, 2, 3]) for _ in range(rank)]
    kernel = p.argument(element, (*size, image.shape[-1] // groups, groups * p.random.choice([1, 3])))
    stride = [p.random.choice([1, 1, 2]) for _ in range(rank)]
    padding = [[p.random.choice([0, 1]), p.random.choice([0, 1, 2])] for _ in range(rank)]
    spread = [p.random.choice([1, 1, 2]) for _ in range(rank)]
    out = [(n + sum(pads) - (s - 1) * d - 1) // t + 1
           for n, pads, s, d, t in zip(image.shape[1:-1], padding, size, spread, stride)]
    if any(n < 1 for n in out):
        raise Unfit

    def convolve(x, w):
        x = numpy.pad(x, [(0, 0), *map(tuple, padding), (0, 0)])
        result = numpy.zeros((x.shape[0], *out, w.shape[-1]), x.dtype)
        for k in numpy.ndindex(*size):
            part = x[(slice(None), *[slice(i * d, i * d + (n - 1) * t + 1, t)
                                     for i, d, n, t in zip(k, spread, out, stride)])]
            for g in range(groups):
                ci, co = w.shape[-2], w.shape[-1] // groups
                result[..., g * co:(g + 1) * co] += numpy.einsum(
                    "...c,cf->...f", part[..., g * ci:(g + 1) * ci], w[k][:, g * co:(g + 1) * co])
        return result

    letters = ", ".join(map(str, range(rank)))
    text = op("convolution", [image, kernel], (
        f"window_strides = {integers(stride)}, padding = dense<{padding}> : tensor<{rank}x2xi64>, "
        f"rhs_dilation = {integers(spread)}, dimension_numbers = #stablehlo.conv<[b, {letters}, f]x"
        f"[{letters}, i, o]->[b, {letters}, f]>, feature_group_count = {groups} : i64, "
        "batch_group_count = 1 : i64"))
    if not image.is_float:
        return p.emit(text, element, wrapped(element, convolve(image.array.astype("i8"), kernel.array.astype("i8"))))
    terms = int(numpy.prod(size)) * kernel.shape[-2]
    magnitudes = convolve(numpy.abs(image.array), numpy.abs(kernel.array))
    p.emit(text, element, convolve(image.array, kernel.array),
           sum_error(element, magnitudes, terms + 1))


STEPS = [binary] * 5 + [function] * 3 + [reduce] * 2 + [dot] * 2 + [
    divide, compare_select, convert, transpose, reshape, broadcast, slices, reverse, pad,
    concatenate, iota, window, dynamic_slice, dynamic_update_slice, gather, scatter]


def check(value, got):
    """None if the result lies within the bound, else what is wrong."""
    got = numpy.asarray(got)
    if got.shape != value.shape:
        return f"shape {got.shape}, expected {value.shape}"
    if not value.is_float:
        wrong = got != value.array
    else:
        seen = got.astype("f4") if value.element == "bf16" else got
        distance = numpy.abs(seen.astype(value.array.dtype) - value.array)
        wrong = ~(distance <= value.error * (1 + 1e-9))
    if not numpy.any(wrong):
        return None
    at = tuple(int(i) for i in numpy.argwhere(wrong)[0])
    return (f"element {at}: {got[at]}, expected {value.array[at]}"
            + (f" within {value.error[at]:.3g}" if value.is_float else ""))
