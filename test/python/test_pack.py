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


def check(text, arrays, expected=None, weights=(1,), **options):
    module = ta.Module(text)
    packed = module.compile(cache=False, weights=weights, **options)
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
    check(text, arrays, weights=(0,), threads=threads)
    check(text, arrays, weights=(0, 1), threads=threads)


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
    program = ta.Module(PRODUCT).compile(cache=False, weights=[1])
    plain = ta.Module(PRODUCT).compile(cache=False)
    for seed in range(10):
        # Arrays that are freed leave their places to others.
        x, w = arrays_of_product(seed)
        for _ in range(2):
            assert program(x, w).tobytes() == plain(x, w).tobytes()
        del w
        gc.collect()


def test_weights_are_read_only_while_they_are_kept():
    program = ta.Module(PRODUCT).compile(cache=False, weights=[1])
    plain = ta.Module(PRODUCT).compile(cache=False)
    x, whole = arrays_of_product()
    w = whole[:]
    program(x, w)
    for array in (w, whole, w[3:], w.T):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    # Whoever writes all the same gets what was written.
    whole.flags.writeable = w.flags.writeable = True
    w[0] = 7
    assert program(x, w).tobytes() == plain(x, w).tobytes()
    assert not w.flags.writeable
    # Another array frees it, and so does the end of the program.
    other = whole.copy()
    program(x, other)
    assert w.flags.writeable and whole.flags.writeable
    second = ta.Module(PRODUCT).compile(cache=False, weights=1)
    second(x, other[:])
    del program
    gc.collect()
    assert not other.flags.writeable
    del second
    gc.collect()
    assert other.flags.writeable


def test_locks_end_in_any_order():
    x, w = arrays_of_product()
    view = w[:]
    programs = [ta.Module(PRODUCT).compile(cache=False, weights=[1]) for _ in range(3)]
    for program, array in zip(programs, (view, w, view)):
        program(x, array)
    while programs:
        assert not w.flags.writeable
        del programs[0], program
        program = None
        gc.collect()
    assert w.flags.writeable and view.flags.writeable
    # Those that were read-only stay so.
    w.flags.writeable = False
    program = ta.Module(PRODUCT).compile(cache=False, weights=[1])
    program(x, w)
    del program
    gc.collect()
    assert not w.flags.writeable


class Foreign:
    """An array of another library, whose memory changes unseen."""

    def __init__(self, array):
        self.memory = bytearray(array.tobytes())
        self.dtype, self.shape = array.dtype, array.shape

    def __array__(self, dtype=None, copy=None):
        return np.frombuffer(self.memory, self.dtype).reshape(self.shape)


@pytest.mark.parametrize("kind", ["f32", "bf16", "i8"])
def test_what_others_write_is_noticed(kind):
    text = contraction("mk,kn->mn", dict(m=40, k=50, n=100), kind)
    program = ta.Module(text).compile(cache=False, weights=[1])
    plain = ta.Module(text).compile(cache=False)
    x, w = operands("mk,kn->mn", dict(m=40, k=50, n=100), kind)
    foreign = Foreign(w)
    for at in range(0, len(foreign.memory), 1234):
        assert program(x, foreign).tobytes() == plain(x, np.asarray(foreign)).tobytes()
        foreign.memory[at] ^= 1
    assert program(x, foreign).tobytes() == plain(x, np.asarray(foreign)).tobytes()
    # Another object at that address.
    again = np.asarray(foreign)
    foreign.memory[5] ^= 3
    assert program(x, again).tobytes() == plain(x, np.asarray(foreign)).tobytes()
    assert program.packed_bytes >= w.nbytes


def test_packed_bytes():
    x, w = arrays_of_product()
    program = ta.Module(PRODUCT).compile(cache=False, weights=[1])
    assert program.packed_bytes == 0
    program(x, w)
    assert program.packed_bytes >= w.nbytes
    assert ta.Module(PRODUCT).compile(cache=False).packed_bytes == 0
    assert ta.Module(PRODUCT).interpret().packed_bytes == 0


def test_weights_by_name_and_attribute():
    x, w = arrays_of_product()
    expected = ta.Module(PRODUCT).compile(cache=False)(x, w).tobytes()
    marked = PRODUCT.replace("%w: tensor<50x100xf32>",
                             "%w: tensor<50x100xf32> {tensoraccess.constant}")
    named = PRODUCT.replace("%w: tensor<50x100xf32>",
                            "%w: tensor<50x100xf32> loc(\"params['w']\")")
    for text, weights in ((marked, ()), (named, "params"), (named, ["params['w']", 1])):
        program = ta.Module(text).compile(cache=False, weights=weights)
        for _ in range(2):
            assert program(x, w).tobytes() == expected
        assert program.packed_bytes >= w.nbytes
    assert ta.Module(marked).compile(cache=False, plain=True)(x, w).shape == (40, 100)


@pytest.mark.parametrize("change", [
    np.asfortranarray, lambda w: np.repeat(w, 2, 1)[:, ::2],
    lambda w: np.frombuffer(b"\0" + w.tobytes(), np.uint8)[1:].view(np.float32)
    .reshape(w.shape)])
def test_weights_that_lie_otherwise(change):
    program = ta.Module(PRODUCT).compile(cache=False, weights=[1])
    x, w = arrays_of_product()
    expected = ta.Module(PRODUCT).compile(cache=False)(x, w)
    other = change(w)
    for _ in range(3):
        assert program(x, other).tobytes() == expected.tobytes()


def test_threads_with_weights_of_their_own():
    program = ta.Module(PRODUCT).compile(cache=False, weights=[1])
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


@pytest.mark.parametrize("sizes", [dict(m=40, k=50, n=100), dict(m=40, k=200, n=300)], ids=str)
def test_constants_are_packed(sizes, tmp_path, monkeypatch):
    """Small ones, which are in the code, and large ones, which are beside it."""
    monkeypatch.setenv("TENSORACCESS_CACHE", str(tmp_path))
    x, w = operands("mk,kn->mn", sizes, "f32")
    product = contraction("mk,kn->mn", sizes, "f32")
    type_ = f"tensor<{sizes['k']}x{sizes['n']}xf32>"
    text = product.replace(f", %w: {type_}", "").replace(
        "  %z =", f'  %w = arith.constant dense<"0x{w.tobytes().hex()}"> : {type_}\n  %z =', 1)
    expected = ta.Module(product).compile(cache=False)(x, w)
    for options in ({}, {}, {"plain": True}, {"threads": 1, "cache": False}):
        program = ta.Module(text).compile(**options)
        for _ in range(2):
            assert program(x).tobytes() == expected.tobytes()
        assert (program.packed_bytes >= w.nbytes) == ("plain" not in options)


def test_a_large_constant_that_is_read_twice():
    """In panels, and as it is."""
    sizes = dict(m=40, k=200, n=300)
    x, w = operands("mk,kn->mn", sizes, "f32")
    product = contraction("mk,kn->mn", sizes, "f32")
    type_ = "tensor<200x300xf32>"
    constant = f'  %w = arith.constant dense<"0x{w.tobytes().hex()}"> : {type_}\n'
    text = product.replace(f", %w: {type_}) -> tensor<40x300xf32>",
                           f") -> (tensor<40x300xf32>, {type_})")
    text = text.replace("  %z =", constant + "  %z =", 1)
    text = text.replace("return %r : tensor<40x300xf32>", f"return %r, %w : tensor<40x300xf32>, {type_}")
    expected = ta.Module(product).compile(cache=False)(x, w)
    program = ta.Module(text).compile(cache=False)
    for _ in range(3):
        result, copy = program(x)
        assert result.tobytes() == expected.tobytes() and copy.tobytes() == w.tobytes()


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
    check(text, [x, w, v, q], weights=(1, 2, 3))
    check(text, [x, w, v, q], weights=(2,))
    # Where everything is a weight, so is the result.
    check(text, [x, w, v, q], weights=(0, 1, 2, 3))


def test_profile_and_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TENSORACCESS_CACHE", str(tmp_path))
    x, w = arrays_of_product()
    expected = ta.Module(PRODUCT).compile(cache=False)(x, w)
    for weights in ([1], [1], [], []):
        program = ta.Module(PRODUCT).compile(weights=weights)
        assert program(x, w).tobytes() == expected.tobytes()
    assert len(os.listdir(tmp_path)) >= 2
    program = ta.Module(PRODUCT).compile(weights=[1], profile=True)
    program(x, w)
    assert len(program.profile(x, w)) == 1


@pytest.mark.parametrize("options, message", [
    (dict(weights=[2]), "weights has argument 2, there are 2"),
    (dict(weights=-1), "weights has argument -1, there are 2"),
    (dict(weights=["w"]), "weights names 'w'; the arguments are without names"),
    (dict(weights=[1.5]), "weights must be numbers or names of arguments, got 1.5"),
    (dict(weights=None), "weights must be numbers or names of arguments, got None"),
    (dict(weights=[True]), "weights must be numbers or names of arguments, got True"),
    (dict(weights=[1], plain=True), "plain code packs no weights"),
])
def test_errors(options, message):
    with pytest.raises(ta.Error, match=message):
        ta.Module(PRODUCT).compile(cache=False, **options)


def test_a_symbol_in_the_way():
    text = PRODUCT + "\nfunc.func private @pack_tensoraccess_entry(%x: f32) { return }"
    x, w = arrays_of_product()
    program = ta.Module(text).compile(cache=False, weights=[1])
    assert program(x, w).shape == (40, 100)


# What ta.jit keeps.

jax = pytest.importorskip("jax")
jnp = jax.numpy


def dense(params, x):
    return jnp.tanh(x @ params["w"] + params["b"])


def arrays_of_dense(seed=1):
    x, w = operands("mk,kn->mn", dict(m=40, k=200, n=300), "f32", seed)
    return {"w": w, "b": w[0].copy()}, x


@pytest.mark.parametrize("options", [
    dict(weights=0), dict(weights="params"), dict(weights=[0]), dict(weights=["params"])])
@pytest.mark.parametrize("convert", [np.asarray, jnp.asarray, lambda a: a.astype(np.float64)])
def test_jit_weights(options, convert):
    params, x = arrays_of_dense()
    params = {name: convert(array) for name, array in params.items()}
    plain = ta.jit(dense, cache=False)
    f = ta.jit(dense, cache=False, **options)
    expected = plain(params, x).tobytes()
    assert f.packed_bytes == 0
    for _ in range(2):
        assert f(params, x).tobytes() == expected
        assert f(params=params, x=x).tobytes() == expected
    assert f.packed_bytes >= 200 * 300 * 4 and plain.packed_bytes == 0
    compiled = f.lower(params, x).compile()
    assert compiled(params, x).tobytes() == expected and compiled.packed_bytes
    if isinstance(params["w"], np.ndarray):
        with pytest.raises(ValueError, match="read-only"):
            params["w"][0, 0] = 1
    params["w"] = params["w"] + 1
    assert f(params, x).tobytes() == plain(params, x).tobytes()
    f.clear_cache()
    assert f.packed_bytes == 0


def test_jit_read_only_arrays():
    params, x = arrays_of_dense()
    plain = ta.jit(dense, cache=False)
    f = ta.jit(dense, cache=False)
    expected = plain(params, x).tobytes()
    assert f(params, x).tobytes() == expected and f.packed_bytes == 0
    params["w"].flags.writeable = False
    for _ in range(2):
        assert f(params, x).tobytes() == expected
        assert f.packed_bytes >= params["w"].nbytes
    # Others each time are data, of which nothing is kept.
    for seed in range(3):
        params, x = arrays_of_dense(seed)
        params["w"].flags.writeable = False
        assert f(params, x).tobytes() == plain(params, x).tobytes()
    assert f.packed_bytes == 0 and f._cache_size() <= 2
    # A view of what can be written to promises nothing.
    g = ta.jit(dense, cache=False)
    base = params["w"].copy()
    params["w"] = base[:]
    params["w"].flags.writeable = False
    g(params, x)
    base[:] = 1
    assert g.packed_bytes == 0
    assert g(params, x).tobytes() == plain({**params, "w": base}, x).tobytes()


def test_jit_closed_over():
    params, x = arrays_of_dense()
    params = jax.tree.map(jnp.asarray, params)
    f = ta.jit(lambda x: dense(params, x), cache=False)
    assert f(x).tobytes() == ta.jit(dense, cache=False)(params, x).tobytes()
    assert f.packed_bytes >= params["w"].nbytes


@pytest.mark.parametrize("options, message", [
    (dict(weights=2), "weights has argument 2, there are 2"),
    (dict(weights="w"), "weights names 'w'; the arguments are params, x"),
    (dict(weights=2.5), "weights must be numbers or names of arguments, got 2.5"),
    (dict(weights=0, static_argnums=0), "parameter 0 is static, not a weight"),
    (dict(weights="params", donate_argnums=0), "parameter 0 is donated, not a weight"),
])
def test_jit_errors(options, message):
    with pytest.raises(ta.Error, match=message):
        ta.jit(dense, **options)


def test_torch():
    torch = pytest.importorskip("torch")
    x, w = arrays_of_product()
    x, w = torch.from_numpy(x), torch.from_numpy(w.copy())
    program = ta.Module(PRODUCT).compile(cache=False, weights=[1])
    plain = ta.Module(PRODUCT).compile(cache=False)
    for step in range(3):
        for _ in range(2):
            assert program(x, w).tobytes() == plain(x, w).tobytes()
        w[step, step] += 1
