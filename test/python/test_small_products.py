# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products and convolutions of i8 in i32 and of bf16 in f32, by whatever this
processor multiplies them with: numpy's integers, and its numbers in f64 within the
roundings of a sum."""

import itertools

import ml_dtypes
import numpy as np
import pytest

import tensoraccess as ta

# A sum is x's element at each place times w's, and what extends each of them.
BODIES = {
    "i8": ("i32", "arith.muli", "arith.addi", "0 : i32"),
    "bf16": ("f32", "arith.mulf", "arith.addf", "0.0 : f32"),
}


def tensor(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def values(rng, shape, element):
    if element == "i8":
        return rng.choice(np.array([-128, -127, -1, 0, 1, 3, 127], np.int8), shape)
    return rng.standard_normal(shape).astype(ml_dtypes.bfloat16)


def sums(maps, kinds, x, w, y, element, signs="ss", after=None, begin=None):
    """`y(...) += ext(x(...)) * ext(w(...))`, from zero or from an argument."""
    wide, times, plus, zero = BODIES[element]
    extend = ["arith.extf"] * 2 if element == "bf16" else [
        {"s": "arith.extsi", "u": "arith.extui"}[sign] for sign in signs]
    result = after or (wide, "")
    iterators = ", ".join({"p": '"parallel"', "r": '"reduction"'}[kind] for kind in kinds)
    ty, tr = tensor(y, wide), tensor(y, result[0])
    start = f"""%zero = arith.constant {zero}
      %e = tensor.empty() : {ty}
      %f = linalg.fill ins(%zero : {wide}) outs(%e : {ty}) -> {ty}"""
    given = ""
    if begin is not None:
        start, given = "", f", %f: {ty}"
    return ta.Module(f"""
    #x = affine_map<{maps[0]}>
    #w = affine_map<{maps[1]}>
    #y = affine_map<{maps[2]}>
    func.func @main(%a: {tensor(x, element)}, %b: {tensor(w, element)}{given}) -> {tr} {{
      {start}
      %r = linalg.generic {{indexing_maps = [#x, #w, #y], iterator_types = [{iterators}]}}
          ins(%a, %b : {tensor(x, element)}, {tensor(w, element)}) outs(%f : {ty}) {{
      ^bb0(%p: {element}, %q: {element}, %o: {wide}):
        %0 = {extend[0]} %p : {element} to {wide}
        %1 = {extend[1]} %q : {element} to {wide}
        %2 = {times} %0, %1 : {wide}
        %3 = {plus} %o, %2 : {wide}
        linalg.yield %3 : {wide}
      }} -> {ty}
      {result[1]}
      return %r{"2" if after else ""} : {tr}
    }}""")


def widen(array, sign="s"):
    if array.dtype == np.int8:
        return (array if sign == "s" else array.view(np.uint8)).astype(np.int64)
    return array.astype(np.float64)


def check(module, arrays, text, signs="ss", begin=None, finish=lambda y: y, **options):
    """`text` is the sum in numpy's words, on windows where it is a convolution."""
    x, w = (widen(a, sign) for a, sign in zip(arrays[:2], signs))
    views = options.pop("view", lambda x: x)(x)
    expected = np.einsum(text, views, w)
    given = [] if begin is None else [begin]
    if begin is not None:
        expected = expected + begin
    got = module.compile(reassociate=True, **options)(*arrays, *given)
    if expected.dtype == np.int64:
        np.testing.assert_array_equal(got, finish(expected))
        return got
    magnitude = np.einsum(text, np.abs(views), np.abs(w))
    if begin is not None:
        magnitude = magnitude + np.abs(begin)
    steps = views.size * w.size // max(1, expected.size)
    bound = (min(steps, 10000) + 2) * np.finfo(np.float32).eps * magnitude
    assert (np.abs(got - finish(expected)) <= bound).all()
    return got


MATMUL = ["(m, n, k) -> (m, k)", "(m, n, k) -> (k, n)", "(m, n, k) -> (m, n)"]
# Tiles of 16 rows by 64 bytes that are whole, cut, one row, two of different heights;
# sums of one step, of odd numbers of steps, prime numbers of groups.
PRODUCTS = [
    (16, 64, 16), (32, 128, 32), (60, 255, 100), (49, 512, 96), (17, 100, 33), (9, 68, 5),
    (33, 17, 65), (8, 8, 8), (127, 509, 131), (16, 4, 40), (2, 300, 70), (3, 76, 200),
    (100, 1024, 200), (1, 64, 64), (47, 3, 20),
]


@pytest.mark.parametrize("m, k, n", PRODUCTS)
@pytest.mark.parametrize("element, signs", [
    ("i8", "ss"), ("i8", "su"), ("i8", "us"), ("i8", "uu"), ("bf16", "ss")])
def test_products(m, k, n, element, signs):
    rng = np.random.default_rng(m + 7 * k + 31 * n)
    a, b = values(rng, (m, k), element), values(rng, (k, n), element)
    module = sums(MATMUL, "ppr", a.shape, b.shape, (m, n), element, signs)
    one = check(module, (a, b), "mk,kn->mn", signs)
    # Two threads or three by turns: each of both for every shape.
    threads = 2 + (m + k + signs.count("u")) % 2
    more = check(module, (a, b), "mk,kn->mn", signs, threads=threads)
    np.testing.assert_array_equal(one, more)


@pytest.mark.parametrize("element", BODIES)
@pytest.mark.parametrize("left, right", [("m, k", "n, k"), ("k, m", "k, n"), ("k, m", "n, k")])
@pytest.mark.parametrize("m, k, n", [(40, 130, 50), (7, 64, 64), (33, 31, 16)])
def test_transposed(left, right, m, k, n, element):
    rng = np.random.default_rng(m)
    size = {"m": m, "k": k, "n": n}
    shapes = [tuple(size[i] for i in text.split(", ")) for text in (left, right)]
    a, b = (values(rng, shape, element) for shape in shapes)
    maps = [f"(m, n, k) -> ({left})", f"(m, n, k) -> ({right})", MATMUL[2]]
    module = sums(maps, "ppr", a.shape, b.shape, (m, n), element)
    check(module, (a, b), f"{left},{right}->mn".replace(", ", ""))


@pytest.mark.parametrize("element", BODIES)
def test_batches(element):
    rng = np.random.default_rng(3)
    a, b = values(rng, (5, 20, 96), element), values(rng, (5, 96, 40), element)
    maps = ["(g, m, n, k) -> (g, m, k)", "(g, m, n, k) -> (g, k, n)", "(g, m, n, k) -> (g, m, n)"]
    module = sums(maps, "pppr", a.shape, b.shape, (5, 20, 40), element)
    check(module, (a, b), "gmk,gkn->gmn", threads=2)


@pytest.mark.parametrize("element", BODIES)
@pytest.mark.parametrize("h, w, c, k, stride, dilation, f", [
    (9, 9, 64, 3, 1, 1, 40), (30, 12, 32, 3, 1, 1, 33), (23, 20, 3, 7, 2, 1, 64),
    (16, 37, 17, 3, 2, 1, 16), (14, 14, 68, 1, 1, 1, 96), (15, 19, 5, 3, 1, 2, 20),
    (56, 20, 64, 1, 2, 1, 70), (8, 70, 4, 2, 1, 3, 50), (3, 3, 100, 3, 1, 1, 70)])
def test_convolutions(h, w, c, k, stride, dilation, f, element):
    rng = np.random.default_rng(h + w + c)
    out = [(size - dilation * (k - 1) - 1) // stride + 1 for size in (h, w)]
    image, filters = values(rng, (2, h, w, c), element), values(rng, (k, k, c, f), element)
    place = [f"{i} * {stride} + {j} * {dilation}" for i, j in (("y", "p"), ("x", "q"))]
    loops = "(n, y, x, f, p, q, c)"
    maps = [f"{loops} -> (n, {place[0]}, {place[1]}, c)", f"{loops} -> (p, q, c, f)",
            f"{loops} -> (n, y, x, f)"]
    module = sums(maps, "pppprrr", image.shape, filters.shape, (2, *out, f), element)

    def view(x):
        windows = np.lib.stride_tricks.sliding_window_view(
            x, (dilation * (k - 1) + 1,) * 2, axis=(1, 2))
        return windows[:, ::stride, ::stride, :, ::dilation, ::dilation]

    for threads in (1, 2):
        check(module, (image, filters), "nyxcpq,pqcf->nyxf", view=view, threads=threads)


@pytest.mark.parametrize("m, k, n", [(40, 130, 50), (49, 64, 32), (2, 64, 70), (5, 9, 16)])
@pytest.mark.parametrize("element", BODIES)
def test_sums_begin_with_what_is_there(m, k, n, element):
    rng = np.random.default_rng(n)
    a, b = values(rng, (m, k), element), values(rng, (k, n), element)
    begin = (rng.integers(-2**31, 2**31, (m, n)).astype(np.int32) if element == "i8"
             else rng.standard_normal((m, n)).astype(np.float32))
    module = sums(MATMUL, "ppr", a.shape, b.shape, (m, n), element, begin=begin)
    if element == "i8":
        got = module.compile()(a, b, begin)
        expected = widen(a) @ widen(b) + begin
        np.testing.assert_array_equal(got, expected.astype(np.int32))
    else:
        check(module, (a, b), "mk,kn->mn", begin=begin)


@pytest.mark.parametrize("m, n", list(itertools.product((2, 17, 49, 64), (16, 33, 80, 85))))
def test_quantised_results(m, n):
    """A shift, a bias and a clamp to i8, on the sums of a product."""
    rng = np.random.default_rng(m + n)
    a, b = values(rng, (m, 200), "i8"), values(rng, (200, n), "i8")
    y, z = tensor((m, n), "i32"), tensor((m, n), "i8")
    after = ("i8", f"""%low = arith.constant -128 : i32
      %high = arith.constant 127 : i32
      %eight = arith.constant 8 : i32
      %e2 = tensor.empty() : {z}
      %r2 = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                              affine_map<(d0, d1) -> (d0, d1)>],
                            iterator_types = ["parallel", "parallel"]}}
          ins(%r : {y}) outs(%e2 : {z}) {{
      ^bb0(%s: i32, %o: i8):
        %4 = arith.shrsi %s, %eight : i32
        %5 = arith.maxsi %4, %low : i32
        %6 = arith.minsi %5, %high : i32
        %7 = arith.trunci %6 : i32 to i8
        linalg.yield %7 : i8
      }} -> {z}""")
    module = sums(MATMUL, "ppr", a.shape, b.shape, (m, n), "i8", after=after)
    got = check(module, (a, b), "mk,kn->mn", finish=lambda y: np.clip(y >> 8, -128, 127))
    assert got.dtype == np.int8
