# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running reductions and sorts of StableHLO against numpy, which adds in the same
order and sorts stably too; interpreted and compiled."""

import ml_dtypes
import numpy as np
import pytest

import tensoraccess as ta

TYPES = {
    "i1": np.bool_,
    "i8": np.int8,
    "ui8": np.uint8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, [*shape, element]))}>"


def run(text, *arrays):
    """The results of both engines, which must be the same bits."""
    module = ta.Module(text)
    signless = [a.view(f"i{a.itemsize}") if a.dtype.kind == "u" else a for a in arrays]
    both = []
    for program in (module.interpret(), module.compile()):
        results = program(*signless)
        both.append(results if isinstance(results, tuple) else (results,))
    for interpreted, compiled in zip(*both, strict=True):
        np.testing.assert_array_equal(interpreted, compiled)
    return both[0]


def draw(shape, dtype, seed):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return (rng.standard_normal(shape) * 3).astype(dtype)
    return rng.integers(0, 2 if dtype is np.bool_ else 7, shape).astype(dtype)


# ---------------------------------------------------------------------------
# Scans
# ---------------------------------------------------------------------------

SCAN = """
func.func @main({arguments}) -> {type} {{
  {init}
  %r = "stablehlo.reduce_window"(%x, %i) <{{
    window_dimensions = array<i64: {window}>,
    padding = dense<{padding}> : tensor<{rank}x2xi64>}}> ({{
   ^bb0(%a: tensor<{element}>, %b: tensor<{element}>):
     %c = "stablehlo.{op}"(%a, %b) : (tensor<{element}>, tensor<{element}>) -> tensor<{element}>
     "stablehlo.return"(%c) : (tensor<{element}>) -> ()
  }}) : ({type}, tensor<{element}>) -> {type}
  return %r : {type}
}}
"""
CONSTANT = '%i = "stablehlo.constant"() <{{value = dense<{}> : tensor<{}>}}> : () -> tensor<{}>'
ACCUMULATE = {
    "add": (np.add, 0),
    "multiply": (np.multiply, 1),
    "maximum": (np.maximum, None),
    "minimum": (np.minimum, None),
    "and": (np.bitwise_and, -1),
    "or": (np.bitwise_or, 0),
}


def scan(shape, dim, reverse, op, element, init=None):
    """A program; without `init` the initial value is its second argument."""
    window = [1] * len(shape)
    padding = [[0, 0] for _ in shape]
    window[dim] = shape[dim]
    padding[dim][1 if reverse else 0] = shape[dim] - 1
    kind = tensor(shape, element)
    given = f", %i: tensor<{element}>" if init is None else ""
    return SCAN.format(
        arguments=f"%x: {kind}{given}",
        type=kind,
        init="" if init is None else CONSTANT.format(init, element, element),
        window=", ".join(map(str, window)),
        padding=padding,
        rank=len(shape),
        element=element,
        op=op,
    )


def accumulate(function, x, dim, reverse):
    if reverse:
        return np.flip(accumulate(function, np.flip(x, dim), dim, False), dim)
    # Sums of f16 are f32, and each is rounded once.
    wide = np.float32 if function is np.add and x.dtype == np.float16 else x.dtype
    return function.accumulate(x, dim, dtype=wide).astype(x.dtype)


SHAPES = [((1,), 0), ((2,), 0), ((37,), 0), ((3, 5, 7), 0), ((3, 5, 7), 1), ((3, 5, 7), 2),
          ((4, 1, 3), 1), ((3, 0, 2), 0), ((1, 9), 1)]


@pytest.mark.parametrize("shape, dim", SHAPES, ids=str)
@pytest.mark.parametrize("reverse", [False, True])
def test_cumulative_sums(shape, dim, reverse):
    for element in ("i8", "ui8", "i64", "f16", "f32", "f64"):
        if element != "f32" and shape != (3, 5, 7):
            continue
        x = draw(shape, TYPES[element], 1)
        (found,) = run(scan(shape, dim, reverse, "add", element, "0.0" if "f" in element else 0), x)
        np.testing.assert_array_equal(
            found.view(x.dtype), accumulate(np.add, x, dim, reverse))


@pytest.mark.parametrize("op", ACCUMULATE)
def test_other_bodies(op):
    function, neutral = ACCUMULATE[op]
    for element, dtype in TYPES.items():
        is_float = "f" in element
        if (is_float and op in ("and", "or")) or (element == "i1" and op == "add"):
            continue
        if element == "i1" and op == "multiply":
            continue
        x = draw((3, 11), dtype, 2)
        if neutral is None:
            limits = np.array([-np.inf, np.inf] if is_float else [0, 1] if element == "i1" else
                              [np.iinfo(dtype).min, np.iinfo(dtype).max], dtype)
            start = limits[0 if op == "maximum" else 1]
        else:
            start = np.array(neutral).astype(dtype)
        for reverse in (False, True):
            (found,) = run(scan((3, 11), 1, reverse, op, element), x, np.asarray(start))
            ordered = x.astype(np.int8) if element == "i1" and neutral is None else x
            np.testing.assert_array_equal(
                found.view(dtype), accumulate(function, ordered, 1, reverse).astype(dtype))


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
def test_padding_counts_where_it_is_not_neutral(given, reverse):
    """The window of element i holds n - 1 - i initial values, and one is before it."""
    x = np.array([1, 10, 100, 1000], np.int32)
    text = scan((4,), 0, reverse, "add", "i32", None if given else 3)
    (found,) = run(text, x, *([np.array(3, np.int32)] if given else []))
    copies = 1 + (np.arange(4) if reverse else 3 - np.arange(4))
    np.testing.assert_array_equal(found, accumulate(np.add, x, 0, reverse) + 3 * copies)


def test_long_scans_are_linear():
    """As windows, 2^34 sums."""
    x = draw((1 << 17,), np.float32, 3)
    (found,) = run(scan(x.shape, 0, False, "add", "f32", "0.0"), x)
    np.testing.assert_array_equal(found, np.add.accumulate(x))


def test_scans_stay_where_windows_are_raised():
    raised = ta.Module(scan((5,), 0, False, "add", "f32", "0.0")).run("tensoraccess-raise")
    assert '"stablehlo.reduce_window"' in str(raised)


# ---------------------------------------------------------------------------
# Sorts
# ---------------------------------------------------------------------------

SORT = """
func.func @main({arguments}) -> ({types}) {{
  %r:{count} = "stablehlo.sort"({names}) <{{dimension = {dim} : i64, is_stable = true}}> ({{
   ^bb0({scalars}):
     {body}
     "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }}) : ({types}) -> ({types})
  return {results} : {types}
}}
"""


def compare(direction, a, b, element):
    kind = "FLOAT" if "f" in element else "UNSIGNED" if "u" in element else "SIGNED"
    return (
        f'%c = "stablehlo.compare"({a}, {b}) <{{comparison_direction = '
        f"#stablehlo<comparison_direction {direction}>, "
        f"compare_type = #stablehlo<comparison_type {kind}>}}> : "
        f"(tensor<{element}>, tensor<{element}>) -> tensor<i1>"
    )


def sort(shape, dim, elements, body):
    types = [tensor(shape, e) for e in elements]
    return SORT.format(
        arguments=", ".join(f"%x{k}: {t}" for k, t in enumerate(types)),
        types=", ".join(types),
        count=len(types),
        names=", ".join(f"%x{k}" for k in range(len(types))),
        dim=dim,
        scalars=", ".join(f"%a{k}: tensor<{e}>, %b{k}: tensor<{e}>"
                          for k, e in enumerate(elements)),
        body=body,
        results=", ".join(f"%r#{k}" for k in range(len(types))),
    )


@pytest.mark.parametrize("shape, dim", SHAPES, ids=str)
def test_sorts(shape, dim):
    for element in TYPES if (shape, dim) == ((3, 5, 7), 1) else ["f32"]:
        x = draw(shape, TYPES[element], 4)
        if element == "i1":
            body = compare("LT", "%b0", "%a0", "i1").replace("SIGNED", "UNSIGNED")
            expected = np.flip(np.sort(x, dim), dim)
        else:
            body = compare("LT", "%a0", "%b0", element)
            expected = np.sort(x, dim)
        (found,) = run(sort(shape, dim, [element], body), x)
        np.testing.assert_array_equal(found.view(x.dtype), expected)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 17, 1000])
@pytest.mark.parametrize("direction", ["LT", "GT"])
def test_sorts_are_stable(size, direction):
    """Of equal keys, and of pairs with them."""
    keys = draw((size,), np.int8, size)
    rest = np.arange(size, dtype=np.int32)
    third = draw((size,), np.float32, 5)
    body = compare(direction, "%a0", "%b0", "i8")
    found = run(sort((size,), 0, ["i8", "i32", "f32"], body), keys, rest, third)
    order = np.argsort(keys if direction == "LT" else -keys, kind="stable")
    for array, result in zip((keys, rest, third), found):
        np.testing.assert_array_equal(result, array[order])


@pytest.mark.parametrize("direction", ["LE", "NE", "EQ", "GE"])
@pytest.mark.parametrize("size", [2, 7, 64])
def test_comparators_that_are_no_order(direction, size):
    """Some permutation, the same in both engines; NaNs are not an order either."""
    x = draw((size,), np.float32, 6)
    x[::3] = np.nan
    (found,) = run(sort((size,), 0, ["f32"], compare(direction, "%a0", "%b0", "f32")), x)
    np.testing.assert_array_equal(np.sort(found), np.sort(x))


def test_long_sorts_take_n_log_n():
    """Every pair of elements would be 2^34 comparisons."""
    x = draw((1 << 17,), np.float32, 7)
    (found,) = run(sort(x.shape, 0, ["f32"], compare("LT", "%a0", "%b0", "f32")), x)
    np.testing.assert_array_equal(found, np.sort(x))


def order_of(x):
    """Integers in the order of numbers; of floats in that of their bits, NaN last."""
    if x.dtype.kind not in "fV":
        return x.astype(object)
    bits = x.view(f"i{x.dtype.itemsize}").astype(np.int64)
    least = np.iinfo(f"i{x.dtype.itemsize}").min
    return np.where(bits < 0, least - bits - 1, bits)


@pytest.mark.parametrize("element", [*TYPES, "ui32", "bf16"])
@pytest.mark.parametrize("shape, k", [
    ((5,), 1), ((13,), 3), ((16,), 4), ((17,), 5), ((64,), 16), ((3, 2, 100), 7),
    ((2, 0, 9), 2), ((1000,), 1), ((4, 300), 64), ((6,), 6), ((2, 9), 0)], ids=str)
def test_best_elements(element, shape, k):
    """The first of equal ones first: drawn with many equal ones, rising and falling."""
    dtype = {**TYPES, "ui32": np.uint32, "bf16": ml_dtypes.bfloat16}[element]
    result = tensor((*shape[:-1], k), element)
    places = tensor((*shape[:-1], k), "i32")
    text = f"""func.func @main(%x: {tensor(shape, element)}) -> ({result}, {places}) {{
  %0:2 = "chlo.top_k"(%x) {{k = {k} : i64}} : ({tensor(shape, element)}) -> ({result}, {places})
  return %0#0, %0#1 : {result}, {places} }}"""
    module = ta.Module(text)
    program, oracle = module.compile(), module.interpret()
    drawn = (draw(shape, np.float32, 1) * (1 if np.dtype(dtype).kind in "fV" else 40)).astype(dtype)
    arrays = [drawn, np.sort(drawn, -1), np.sort(drawn, -1)[..., ::-1].copy(),
              draw(shape, np.int8, 2).astype(dtype)]
    if element in ("f16", "f32", "f64", "bf16"):
        odd = draw(shape, np.int8, 3)
        arrays.append(np.array([0.0, -0.0, np.nan, np.inf, -np.inf, -np.nan, 1], dtype)[odd])
    for x in arrays:
        signless = x.view(f"i{x.itemsize}") if x.dtype.kind == "u" else x
        order = np.argsort(-order_of(x), axis=-1, kind="stable")[..., :k]
        for found, at in (program(signless), oracle(signless)):
            np.testing.assert_array_equal(at, order)
            assert found.tobytes() == np.take_along_axis(x, order, -1).tobytes()


@pytest.mark.parametrize("shape, dim", [((301, 700), 1), ((301, 700), 0), ((2, 150, 700), 2),
                                        ((1, 90, 999), 1), ((7, 1, 40000), 2)], ids=str)
@pytest.mark.parametrize("op", ["add", "maximum"])
def test_threads_leave_the_bits(shape, dim, op):
    """Lines are shared out to threads, which have all elements of one."""
    window = [shape[d] if d == dim else 1 for d in range(len(shape))]
    padding = [[n - 1, 0] for n in window]
    t = tensor(shape, "f32")
    start = "0.0" if op == "add" else "0xFF800000"
    module = ta.Module(f"""func.func @main(%x: {t}) -> {t} {{
  %i = "stablehlo.constant"() <{{value = dense<{start}> : tensor<f32>}}> : () -> tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: {str(window)[1:-1]}>,
    padding = dense<{padding}> : tensor<{len(shape)}x2xi64>}}> ({{
   ^bb0(%a: tensor<f32>, %b: tensor<f32>):
     %c = "stablehlo.{op}"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
     "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }}) : ({t}, tensor<f32>) -> {t}
  return %r : {t} }}""")
    x = draw(shape, np.float32, 8)
    wanted = (np.cumsum if op == "add" else np.maximum.accumulate)(x, axis=dim)
    for threads in (1, 2, 5):
        np.testing.assert_array_equal(module.compile(threads=threads)(x), wanted)
