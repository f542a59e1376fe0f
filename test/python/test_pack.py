# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that are packed once: the bits of the interpreter and of code that packs
nothing, numpy's numbers, in every call and for every array."""

import gc
import os
import threading

import ml_dtypes
import numpy as np
import pytest

import tensoraccess as ta

DTYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16,
          "bf16": ml_dtypes.bfloat16, "i32": np.int32, "i8": np.int8}
#: What products are summed in.
SUMS = {"f16": "f32", "bf16": "f32", "i8": "i32"}


def contraction(spec, sizes, kind, extra=""):
    """`linalg.generic` for einsum's text."""
    inputs, result = spec.split("->")
    x, w = inputs.split(",")
    loops = result + "".join(sorted((set(x) | set(w)) - set(result), key=inputs.index))
    wide = SUMS.get(kind, kind)

    def type_of(names, element):
        return "tensor<" + "".join(f"{sizes[n]}x" for n in names) + element + ">"

    def map_of(names):
        return f"affine_map<({', '.join(loops)}) -> ({', '.join(names)})>"

    letter = "i" if kind.startswith("i") else "f"
    extend = {"f": "arith.extf", "i": "arith.extsi"}[letter]
    factors = ("%a", "%b")
    body = ""
    if wide != kind:
        body = "".join(f"    {v}w = {extend} {v} : {kind} to {wide}\n" for v in factors)
        factors = ("%aw", "%bw")
    iterators = ", ".join(f'"{"parallel" if n in result else "reduction"}"' for n in loops)
    y = type_of(result, wide)
    return f"""
func.func @main(%x: {type_of(x, kind)}, %w: {type_of(w, kind)}) -> {y} {{
  %z = arith.constant {"0" if letter == "i" else "0.0"} : {wide}
  %e = tensor.empty() : {y}
  %f = linalg.fill ins(%z : {wide}) outs(%e : {y}) -> {y}
  %r = linalg.generic {{indexing_maps = [{map_of(x)}, {map_of(w)}, {map_of(result)}],
      iterator_types = [{iterators}]}}
      ins(%x, %w : {type_of(x, kind)}, {type_of(w, kind)}) outs(%f : {y}) {{
  ^bb0(%a: {kind}, %b: {kind}, %o: {wide}):
{body}    %p = arith.mul{letter} {factors[0]}, {factors[1]} : {wide}
    %s = arith.add{letter} %o, %p : {wide}
    linalg.yield %s : {wide}
  }} -> {y}
  return %r : {y}
}}"""


def numbers(seed, shape, kind):
    rng = np.random.default_rng(seed)
    if kind.startswith("i"):
        return rng.integers(-100, 100, shape).astype(DTYPES[kind])
    return rng.uniform(-1, 1, shape).astype(DTYPES[kind])


def operands(spec, sizes, kind, seed=1):
    x, w = spec.split("->")[0].split(",")
    return [numbers(seed + i, [sizes[n] for n in names], kind)
            for i, names in enumerate((x, w))]


def check(text, arrays, expected=None, pack=(1,), **options):
    module = ta.Module(text)
    packed = module.compile(cache=False, pack=pack, **options)
    plain = module.compile(cache=False, plain=True)
    for _ in range(2):
        result = packed(*arrays)
        assert result.tobytes() == plain(*arrays).tobytes()
    assert result.tobytes() == module.interpret()(*arrays).tobytes()
    if expected is not None:
        largest = np.abs(expected).max(initial=1)
        np.testing.assert_allclose(result.astype(np.float64), expected, rtol=0,
                                   atol=0 if result.dtype == np.int32 else largest * 2e-5)


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("sizes", [
    dict(m=60, n=256, k=100), dict(m=16, n=1, k=3), dict(m=17, n=33, k=1),
    dict(m=64, n=64, k=300), dict(m=1, n=100, k=64), dict(m=49, n=515, k=77),
], ids=str)
@pytest.mark.parametrize("spec", ["mk,kn->mn", "mk,nk->mn", "km,nk->mn"])
def test_products(spec, sizes, kind):
    arrays = operands(spec, sizes, kind)
    expected = np.einsum(spec, *(a.astype(np.float64) for a in arrays))
    check(contraction(spec, sizes, kind), arrays,
          None if kind == "i32" else expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec, sizes", [
    ("gmk,gkn->gmn", dict(g=5, m=20, k=33, n=70)),
    ("gmk,gnk->gmn", dict(g=3, m=64, k=64, n=64)),
    ("mgk,gkn->mgn", dict(m=40, g=4, k=16, n=24)),
    ("mkj,kjn->mn", dict(m=32, k=7, j=11, n=130)),
    ("mk,kab->mab", dict(m=50, k=40, a=6, b=20)),
    ("mk,akb->mab", dict(m=50, k=40, a=6, b=20)),
    ("mk,kn->nm", dict(m=50, k=60, n=70)),
    ("bhqd,hkd->bhqk", dict(b=2, h=3, q=20, d=16, k=48)),
], ids=str)
def test_contractions(spec, sizes, threads):
    arrays = operands(spec, sizes, "f32")
    text = contraction(spec, sizes, "f32")
    check(text, arrays, np.einsum(spec, *(a.astype(np.float64) for a in arrays)),
          threads=threads)
    check(text, arrays, pack=(0,), threads=threads)
    check(text, arrays, pack=(0, 1), threads=threads)


CONVOLUTIONS = {
    "nhwc": ("linalg.conv_2d_nhwc_hwcf", (2, 9, 11, 20), (3, 3, 20, 70), (2, 7, 9, 70)),
    "nchw": ("linalg.conv_2d_nchw_fchw", (2, 20, 9, 11), (70, 20, 3, 3), (2, 70, 7, 9)),
    "grouped": ("linalg.conv_2d_nhwgc_gfhwc", (1, 9, 9, 4, 8), (4, 20, 3, 3, 8),
                (1, 7, 7, 4, 20)),
    "depthwise": ("linalg.depthwise_conv_2d_nhwc_hwc", (1, 9, 9, 33), (3, 3, 33),
                  (1, 7, 7, 33)),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(name):
    op, *shapes = CONVOLUTIONS[name]
    x, w, y = ("tensor<" + "x".join(map(str, s)) + "xf32>" for s in shapes)
    check(f"""
func.func @main(%x: {x}, %w: {w}) -> {y} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : {y}
  %f = linalg.fill ins(%z : f32) outs(%e : {y}) -> {y}
  %r = {op} ins(%x, %w : {x}, {w}) outs(%f : {y}) -> {y}
  return %r : {y}
}}""", [numbers(i, s, "f32") for i, s in enumerate(shapes[:2])])


@pytest.mark.parametrize("signs", ["s s", "s u", "u s", "u u"])
@pytest.mark.parametrize("sizes", [(9, 11, 20, 3, 70), (12, 12, 3, 3, 16), (8, 8, 64, 1, 130),
                                   (7, 7, 5, 5, 33)], ids=str)
def test_convolutions_of_bytes(sizes, signs):
    """Channels that four divides and others; every sign; beside numpy's integers."""
    h, w, c, k, f = sizes
    oh, ow = h - k + 1, w - k + 1
    first, second = signs.split()
    x = np.random.default_rng(1).integers(0, 256, (1, h, w, c)).astype(np.uint8).view(np.int8)
    filters = np.random.default_rng(2).integers(0, 256, (k, k, c, f)).astype(np.uint8).view(np.int8)
    y = f"tensor<1x{oh}x{ow}x{f}xi32>"
    text = (f"""
func.func @main(%x: tensor<1x{h}x{w}x{c}xi8>, %w: tensor<{k}x{k}x{c}x{f}xi8>) -> {y} {{
  %z = arith.constant 5 : i32
  %e = tensor.empty() : {y}
  %f = linalg.fill ins(%z : i32) outs(%e : {y}) -> {y}
  %r = linalg.generic {{indexing_maps = [
      affine_map<(b, h, w, f, i, j, c) -> (b, h + i, w + j, c)>,
      affine_map<(b, h, w, f, i, j, c) -> (i, j, c, f)>,
      affine_map<(b, h, w, f, i, j, c) -> (b, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction",
                        "reduction", "reduction"]}}
      ins(%x, %w : tensor<1x{h}x{w}x{c}xi8>, tensor<{k}x{k}x{c}x{f}xi8>) outs(%f : {y}) {{
  ^bb0(%a: i8, %b: i8, %o: i32):
    %c = arith.ext{first}i %a : i8 to i32
    %d = arith.ext{second}i %b : i8 to i32
    %p = arith.muli %c, %d : i32
    %s = arith.addi %o, %p : i32
    linalg.yield %s : i32
  }} -> {y}
  return %r : {y}
}}""")
    a = (x if first == "s" else x.view(np.uint8)).astype(np.int64)
    b = (filters if second == "s" else filters.view(np.uint8)).astype(np.int64)
    windows = np.lib.stride_tricks.sliding_window_view(a, (k, k), (1, 2))
    check(text, [x, filters], 5 + np.einsum("bhwcij,ijcf->bhwf", windows, b))


PRODUCT = contraction("mk,kn->mn", dict(m=40, k=50, n=100), "f32")


def arrays_of_product(seed=1):
    return operands("mk,kn->mn", dict(m=40, k=50, n=100), "f32", seed)


def test_another_array_is_packed_again():
    program = ta.Module(PRODUCT).compile(cache=False, pack=[1])
    plain = ta.Module(PRODUCT).compile(cache=False)
    x, w = arrays_of_product()
    first = program(x, w)
    # What is written to a weight is not seen, as the documentation says.
    was = w.copy()
    w[:] = 7
    assert program(x, w).tobytes() == first.tobytes()
    assert program(x, was).tobytes() == first.tobytes()
    assert program(x, w).tobytes() == plain(x, w).tobytes()
    for seed in range(10):
        # Arrays that are freed leave their places to others.
        x, w = arrays_of_product(seed)
        assert program(x, w).tobytes() == plain(x, w).tobytes()
        del w
        gc.collect()


@pytest.mark.parametrize("change", [
    np.asfortranarray, lambda w: np.repeat(w, 2, 1)[:, ::2],
    lambda w: np.frombuffer(b"\0" + w.tobytes(), np.uint8)[1:].view(np.float32)
    .reshape(w.shape)])
def test_weights_that_lie_otherwise(change):
    program = ta.Module(PRODUCT).compile(cache=False, pack=[1])
    x, w = arrays_of_product()
    expected = ta.Module(PRODUCT).compile(cache=False)(x, w)
    other = change(w)
    for _ in range(3):
        assert program(x, other).tobytes() == expected.tobytes()


def test_threads_with_weights_of_their_own():
    program = ta.Module(PRODUCT).compile(cache=False, pack=[1])
    plain = ta.Module(PRODUCT).compile(cache=False)
    cases = [arrays_of_product(seed) for seed in range(4)]
    expected = [plain(*case).tobytes() for case in cases]
    wrong = []

    def work(i):
        for turn in range(200):
            case = (i + turn) % 4
            if program(*cases[case]).tobytes() != expected[case]:
                wrong.append((i, turn))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_constants_are_packed():
    x, w = arrays_of_product()
    type_ = "tensor<50x100xf32>"
    text = PRODUCT.replace(f", %w: {type_}", "").replace(
        "  %z =", f'  %w = arith.constant dense<"0x{w.tobytes().hex()}"> : {type_}\n  %z =', 1)
    expected = ta.Module(PRODUCT).compile(cache=False)(x, w)
    for options in ({}, {"plain": True}, {"threads": 1}):
        program = ta.Module(text).compile(cache=False, **options)
        for _ in range(2):
            assert program(x).tobytes() == expected.tobytes()


def test_what_is_computed_of_weights_is_kept():
    """A scale of weights, and a residual that is one."""
    type_ = "tensor<100xf32>"
    text = PRODUCT.replace("%w: tensor<50x100xf32>)", f"""%w: tensor<50x100xf32>,
    %v: {type_}, %q: tensor<40x100xf32>)""").replace("  return %r : tensor<40x100xf32>", f"""
  %empty = tensor.empty() : {type_}
  %scale = linalg.generic {{indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>],
      iterator_types = ["parallel"]}} ins(%v : {type_}) outs(%empty : {type_}) {{
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }} -> {type_}
  %out = tensor.empty() : tensor<40x100xf32>
  %y = linalg.generic {{indexing_maps = [affine_map<(m, n) -> (m, n)>,
      affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%r, %scale, %q : tensor<40x100xf32>, {type_}, tensor<40x100xf32>)
      outs(%out : tensor<40x100xf32>) {{
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  }} -> tensor<40x100xf32>
  return %y : tensor<40x100xf32>""")
    x, w = arrays_of_product()
    v, q = abs(numbers(3, 100, "f32")) + 1, numbers(4, (40, 100), "f32")
    check(text, [x, w, v, q], pack=(1, 2, 3))
    check(text, [x, w, v, q], pack=(2,))
    # Where everything is a weight, so is the result.
    check(text, [x, w, v, q], pack=(0, 1, 2, 3))


def test_profile_and_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TENSORACCESS_CACHE", str(tmp_path))
    x, w = arrays_of_product()
    expected = ta.Module(PRODUCT).compile(cache=False)(x, w)
    for pack in ([1], [1], [], []):
        program = ta.Module(PRODUCT).compile(pack=pack)
        assert program(x, w).tobytes() == expected.tobytes()
    assert len(os.listdir(tmp_path)) >= 2
    program = ta.Module(PRODUCT).compile(pack=[1], profile=True)
    program(x, w)
    assert len(program.profile(x, w)) == 1


@pytest.mark.parametrize("options, message", [
    (dict(pack=[2]), "input 2 of 'main' is not a tensor that could be kept packed"),
    (dict(pack=[-1]), "pack must be numbers of inputs, got -1"),
    (dict(pack=[1], plain=True), "plain code packs no weights"),
])
def test_errors(options, message):
    with pytest.raises(ta.Error, match=message):
        ta.Module(PRODUCT).compile(cache=False, **options)


def test_a_symbol_in_the_way():
    text = PRODUCT + "\nfunc.func private @pack_tensoraccess_entry(%x: f32) { return }"
    x, w = arrays_of_product()
    program = ta.Module(text).compile(cache=False, pack=[1])
    assert program(x, w).shape == (40, 100)
