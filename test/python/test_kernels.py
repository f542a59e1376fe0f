# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products and convolutions in registers: the interpreter's bits, and numpy's
numbers within the roundings of a sum."""

import numpy as np
import pytest

import tensoraccess as ta

TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32}
# Tiles that are whole, cut, masked, one element, none; sums of one and of none.
PRODUCTS = [
    (1, 1, 1), (6, 16, 64), (7, 5, 64), (5, 3, 1), (1, 40, 200), (3, 2, 17), (50, 33, 65),
    (13, 70, 129), (49, 300, 40), (64, 1, 130), (20, 0, 30), (0, 4, 5), (33, 1030, 31),
]


def values(rng, shape, dtype):
    if dtype == np.int32:
        return rng.integers(-(2**31), 2**31, shape, dtype=np.int64).astype(np.int32)
    return rng.standard_normal(shape).astype(dtype)


def tensor(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def program(inputs, result, element, call, after="", given=""):
    """A contraction into zeros, and what follows it; `given` are more arguments."""
    zero = "arith.constant 0 : i32" if element == "i32" else f"arith.constant 0.0 : {element}"
    y = tensor(result, element)
    arguments = ", ".join(f"%{n}: {tensor(s, element)}" for n, s in zip("ab", inputs))
    types = ", ".join(tensor(s, element) for s in inputs)
    return ta.Module(f"""
    func.func @main({arguments}{given}) -> {y} {{
      %zero = {zero}
      %e = tensor.empty() : {y}
      %f = linalg.fill ins(%zero : {element}) outs(%e : {y}) -> {y}
      %r = {call} ins(%a, %b : {types}) outs(%f : {y}) -> {y}
      {after or f"return %r : {y}"}
    }}""")


def check(module, arrays, expected, steps):
    """The interpreter's bits; of floats, a rounding a step from the exact sums."""
    got, own = module.compile()(*arrays), module.interpret()(*arrays)
    np.testing.assert_array_equal(got, own)
    if got.dtype == np.int32:
        np.testing.assert_array_equal(got, expected)
    elif got.size:
        exact, magnitude = expected
        bound = (steps + 2) * np.finfo(got.dtype).eps * magnitude
        assert (np.abs(got - exact) <= bound).all()


def einsum(text, a, b):
    if a.dtype == np.int32:
        return np.einsum(text, a.astype(np.int64), b.astype(np.int64)).astype(np.int32)
    wide = np.longdouble
    a, b = a.astype(wide), b.astype(wide)
    return np.einsum(text, a, b), np.einsum(text, np.abs(a), np.abs(b))


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("m, k, n", PRODUCTS)
def test_products(m, k, n, element):
    rng = np.random.default_rng(m + 7 * k + 31 * n)
    a, b = (values(rng, s, TYPES[element]) for s in ((m, k), (k, n)))
    module = program([a.shape, b.shape], (m, n), element, "linalg.matmul")
    check(module, (a, b), einsum("mk,kn->mn", a, b), k)


# Blocks of 256 and 64, whole and filled up; little of one, which is not cut; batches.
UNKNOWN = [
    ("mk,kn->mn", "m", (300, 70, 80)), ("mk,kn->mn", "n", (70, 33, 300)),
    ("mk,kn->mn", "k", (50, 600, 40)), ("mk,kn->mn", "mnk", (257, 321, 130)),
    ("mk,kn->mn", "mnk", (64, 256, 65)), ("mk,kn->mn", "mnk", (3, 500, 90)),
    ("mk,kn->mn", "mnk", (40, 0, 90)), ("mk,kn->mn", "mnk", (0, 40, 90)),
    ("km,nk->nm", "kn", (70, 100, 65)), ("bmk,bnk->bmn", "mn", (100, 64, 100)),
    ("bmk,bkn->bmn", "bmk", (100, 130, 64)), ("mbk,kn->bnm", "bmnk", (70, 65, 66)),
]


@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize("text, unknown, sizes", UNKNOWN)
def test_unknown_sizes(text, unknown, sizes, element):
    """Those of known sizes, bit for bit: sums in their order, signs of zeros too."""
    rng = np.random.default_rng(sum(sizes))
    sizes = dict(zip("mkn", sizes)) | {"b": 3}
    operands = text.replace("->", ",").split(",")
    arrays = [values(rng, [sizes[d] for d in o], TYPES[element]) for o in operands]
    if element != "i32":
        for array, other in zip(arrays, (np.inf, np.nan, -0.0)):
            array[rng.random(array.shape) < 0.3] = -0.0
            array[rng.random(array.shape) < 0.001] = other
    loops = sorted(sizes.keys() & set(text))
    maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(o)})>" for o in operands)
    kinds = ", ".join('"reduction"' if d == "k" else '"parallel"' for d in loops)
    suffix = "i" if element == "i32" else "f"

    def compile(unknown):
        x, w, y = (tensor(["?" if d in unknown else sizes[d] for d in o], element)
                   for o in operands)
        return ta.Module(f"""
        func.func @main(%x: {x}, %w: {w}, %y: {y}) -> {y} {{
          %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
              ins(%x, %w : {x}, {w}) outs(%y : {y}) {{
          ^bb0(%a: {element}, %b: {element}, %c: {element}):
            %p = arith.mul{suffix} %a, %b : {element}
            %s = arith.add{suffix} %c, %p : {element}
            linalg.yield %s : {element}
          }} -> {y}
          return %r : {y}
        }}""").compile()

    got, known = compile(unknown)(*arrays), compile("")(*arrays)
    np.testing.assert_array_equal(got, known)
    numbers = known == known
    np.testing.assert_array_equal(np.signbit(got)[numbers], np.signbit(known)[numbers])


# Other vectors and registers; caches so small that sums and panels go in blocks.
TARGETS = [
    "generic", "a, vector_bytes = 16, registers = 32, caches = [4096x4, 16384x8]",
    "b, vector_bytes = 64, registers = 32, caches = [1024x2, 4096x4]",
    "c, vector_bytes = 32, caches = [512x1, 1024x1]", "d, vector_bytes = 8, registers = 4",
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("m, k, n", [(5, 3, 1), (50, 33, 65), (49, 300, 40), (33, 1030, 31)])
def test_targets(m, k, n, target):
    rng = np.random.default_rng(m)
    a, b = (values(rng, s, np.float32) for s in ((m, k), (k, n)))
    text = str(program([a.shape, b.shape], (m, n), "f32", "linalg.matmul"))
    attribute = f"module attributes {{tensoraccess.target = #tensoraccess.target<{target}>}} {{"
    assert text.startswith("module {")
    module = ta.Module(text.replace("module {", attribute, 1))
    check(module, (a, b), einsum("mk,kn->mn", a, b), k)
    # Filters of three rows: the outer sum is what is cut.
    x, w = (values(rng, s, np.float32) for s in ((1, 9, 9, k % 7 + 1), (3, 3, k % 7 + 1, n)))
    view = windows(x, (3, 3), 1, 1)
    text = str(program([x.shape, w.shape], (*view.shape[:3], n), "f32",
                       "linalg.conv_2d_nhwc_hwcf"))
    module = ta.Module(text.replace("module {", attribute, 1))
    check(module, (x, w), einsum("nyxhwc,hwcf->nyxf", view, w), 9 * x.shape[3])


TRANSPOSED = {
    "mk,nk->mn": ("(m, k)", "(n, k)"), "km,kn->mn": ("(k, m)", "(k, n)"),
    "km,nk->mn": ("(k, m)", "(n, k)"),
}


@pytest.mark.parametrize("text", TRANSPOSED)
@pytest.mark.parametrize("m, k, n", [(1, 100, 70), (17, 33, 65), (40, 16, 16), (3, 1, 5)])
def test_transposed(text, m, k, n):
    rng = np.random.default_rng(1)
    sizes = dict(m=m, k=k, n=n)
    left, right = text.split("->")[0].split(",")
    a, b = (values(rng, tuple(sizes[d] for d in dims), np.float32) for dims in (left, right))
    maps = ", ".join(f"affine_map<(m, n, k) -> {d}>" for d in (*TRANSPOSED[text], "(m, n)"))
    call = f"linalg.matmul indexing_maps = [{maps}]"
    check(program([a.shape, b.shape], (m, n), "f32", call), (a, b), einsum(text, a, b), k)


def test_batches():
    rng = np.random.default_rng(2)
    a, b = (values(rng, s, np.float32) for s in ((3, 19, 40), (3, 40, 37)))
    module = program([a.shape, b.shape], (3, 19, 37), "f32", "linalg.batch_matmul")
    check(module, (a, b), einsum("bmk,bkn->bmn", a, b), 40)


def windows(image, kernel, stride, dilation):
    """Views of an NHWC image: n, oh, ow, kh, kw, c."""
    n, h, w, c = image.shape
    oh, ow = (((s - (k - 1) * dilation - 1) // stride + 1) for s, k in zip((h, w), kernel))
    strides = image.strides
    return np.lib.stride_tricks.as_strided(
        image, (n, oh, ow, *kernel, c),
        (strides[0], strides[1] * stride, strides[2] * stride, strides[1] * dilation,
         strides[2] * dilation, strides[3]),
    )


@pytest.mark.parametrize("h, c, k, stride, dilation, f", [
    (9, 5, 3, 1, 1, 7), (13, 16, 3, 2, 1, 64), (8, 3, 1, 1, 1, 40), (15, 4, 3, 1, 2, 33),
    (23, 3, 7, 2, 1, 64), (4, 8, 4, 1, 1, 16), (7, 20, 1, 2, 1, 130),
])
def test_convolutions(h, c, k, stride, dilation, f):
    rng = np.random.default_rng(h)
    x, w = (values(rng, s, np.float32) for s in ((2, h, h, c), (k, k, c, f)))
    call = ("linalg.conv_2d_nhwc_hwcf {strides = dense<%d> : tensor<2xi64>, "
            "dilations = dense<%d> : tensor<2xi64>}" % (stride, dilation))
    view = windows(x, (k, k), stride, dilation)
    module = program([x.shape, w.shape], (*view.shape[:3], f), "f32", call)
    check(module, (x, w), einsum("nyxhwc,hwcf->nyxf", view, w), k * k * c)
    # Channels and filters first.
    call = call.replace("nhwc_hwcf", "nchw_fchw")
    first = [np.ascontiguousarray(x.transpose(0, 3, 1, 2)),
             np.ascontiguousarray(w.transpose(3, 2, 0, 1))]
    module = program([a.shape for a in first], (2, f, *view.shape[1:3]), "f32", call)
    exact, magnitude = einsum("nyxhwc,hwcf->nfyx", view, w)
    check(module, first, (exact, magnitude), k * k * c)


@pytest.mark.parametrize("h, c, k, stride", [(9, 5, 3, 1), (14, 32, 3, 2), (6, 100, 5, 1)])
def test_depthwise(h, c, k, stride):
    rng = np.random.default_rng(h)
    x, w = (values(rng, s, np.float32) for s in ((2, h, h, c), (k, k, c)))
    call = "linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<%d> : tensor<2xi64>}" % stride
    view = windows(x, (k, k), stride, 1)
    module = program([x.shape, w.shape], (*view.shape[:3], c), "f32", call)
    check(module, (x, w), einsum("nyxhwc,hwc->nyxc", view, w), k * k)


AFTER = """
      %z = tensor.empty() : {y}
      %o = linalg.generic {{indexing_maps = [{id}, affine_map<(m, n) -> (n)>, {id}, {id}],
                           iterator_types = ["parallel", "parallel"]}}
          ins(%r, %bias, %other : {y}, {bias}, {y}) outs(%z : {y}) {{
      ^bb0(%x: f32, %s: f32, %t: f32, %u: f32):
        %1 = arith.addf %x, %s : f32
        %2 = arith.addf %1, %t : f32
        %3 = arith.maximumf %2, %zero : f32
        linalg.yield %3 : f32
      }} -> {y}
      {more}
      return %o : {y}"""


@pytest.mark.parametrize("more", ["", "use"])
@pytest.mark.parametrize("m, k, n", [(12, 20, 64), (7, 30, 70), (1, 9, 5), (70, 8, 33)])
def test_epilogues(m, k, n, more):
    """A bias, a residual and an activation on the way out of registers; also
    where the product itself is wanted."""
    rng = np.random.default_rng(m)
    y, bias = tensor((m, n), "f32"), tensor((n,), "f32")
    after = AFTER.format(y=y, bias=bias, id="affine_map<(m, n) -> (m, n)>", more="")
    if more:
        after = after.replace(f"return %o : {y}", f"""
      %w = tensor.empty() : {y}
      %v = linalg.sub ins(%o, %r : {y}, {y}) outs(%w : {y}) -> {y}
      return %v : {y}""")
    module = program([(m, k), (k, n)], (m, n), "f32", "linalg.matmul", after,
                     f", %bias: {bias}, %other: {y}")
    arrays = [values(rng, s, np.float32) for s in ((m, k), (k, n), (n,), (m, n))]
    np.testing.assert_array_equal(module.compile()(*arrays), module.interpret()(*arrays))


def test_what_is_written_is_no_input():
    """The product's own input is what its epilogue's result would lie in."""
    module = ta.Module("""
    func.func @main(%x: tensor<40x40xf32>, %w: tensor<40x40xf32>) -> tensor<40x40xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<40x40xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x40xf32>) -> tensor<40x40xf32>
      %0 = linalg.add ins(%x, %w : tensor<40x40xf32>, tensor<40x40xf32>)
                      outs(%e : tensor<40x40xf32>) -> tensor<40x40xf32>
      %1 = linalg.matmul ins(%0, %w : tensor<40x40xf32>, tensor<40x40xf32>)
                         outs(%f : tensor<40x40xf32>) -> tensor<40x40xf32>
      %2 = linalg.sub ins(%1, %0 : tensor<40x40xf32>, tensor<40x40xf32>)
                      outs(%0 : tensor<40x40xf32>) -> tensor<40x40xf32>
      return %2 : tensor<40x40xf32>
    }""")
    rng = np.random.default_rng(0)
    x, w = (values(rng, (40, 40), np.float32) for _ in range(2))
    np.testing.assert_array_equal(module.compile()(x, w), module.interpret()(x, w))


@pytest.mark.parametrize("element", ["f16", "bf16"])
def test_small_floats_extended(element):
    """f16 and bf16 factors whose products are summed in f32."""
    text = f"""
    func.func @main(%a: tensor<30x50x{element}>, %b: tensor<50x70x{element}>,
                    %c: tensor<30x70xf32>) -> tensor<30x70xf32> {{
      %r = linalg.matmul ins(%a, %b : tensor<30x50x{element}>, tensor<50x70x{element}>)
                         outs(%c : tensor<30x70xf32>) -> tensor<30x70xf32>
      return %r : tensor<30x70xf32>
    }}"""
    module = ta.Module(text)
    rng = np.random.default_rng(3)
    if element == "f16":
        a, b = (rng.standard_normal(s).astype(np.float16) for s in ((30, 50), (50, 70)))
    else:
        ml_dtypes = pytest.importorskip("ml_dtypes")
        a, b = (rng.standard_normal(s).astype(ml_dtypes.bfloat16) for s in ((30, 50), (50, 70)))
    c = values(rng, (30, 70), np.float32)
    check(module, (a, b, c), tuple(
        x + y for x, y in zip(einsum("mk,kn->mn", a, b), (c.astype(np.longdouble), np.abs(c)))), 50)


def test_buffers_stay_between_calls():
    """Results are arrays of their own, whatever later calls write."""
    module = program([(64, 64), (64, 64)], (64, 64), "f32", "linalg.matmul")
    compiled = module.compile()
    rng = np.random.default_rng(5)
    a, b, c = (values(rng, (64, 64), np.float32) for _ in range(3))
    first = compiled(a, b)
    kept = first.copy()
    for _ in range(5):
        compiled(a, c)
    np.testing.assert_array_equal(first, kept)
    view = compiled(a, b)[3:5]
    for _ in range(5):
        compiled(c, c)
    np.testing.assert_array_equal(view, kept[3:5])


@pytest.mark.parametrize("m, k, n", [(33, 1024, 40), (64, 1025, 33), (17, 5000, 64),
                                     (130, 70, 128)])
@pytest.mark.parametrize("signs", ["si si", "ui ui", "si ui"])
def test_products_of_bytes(m, k, n, signs):
    """Sums of products of i8 are computed in floats, and exact at the extremes."""
    first, second = signs.split()
    text = f"""
func.func @main(%a: tensor<{m}x{k}xi8>, %b: tensor<{k}x{n}xi8>, %c: tensor<{m}x{n}xi32>)
    -> tensor<{m}x{n}xi32> {{
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
      affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : tensor<{m}x{k}xi8>, tensor<{k}x{n}xi8>)
      outs(%c : tensor<{m}x{n}xi32>) {{
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.ext{first} %x : i8 to i32
    %1 = arith.ext{second} %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  }} -> tensor<{m}x{n}xi32>
  return %r : tensor<{m}x{n}xi32>
}}"""
    run = ta.Module(text).compile()
    rng = np.random.default_rng(0)

    def wide(x, sign):
        return x.astype(np.int64) if sign == "si" else x.view(np.uint8).astype(np.int64)

    for a, b in [(rng.integers(-128, 128, (m, k)), rng.integers(-128, 128, (k, n))),
                 (np.full((m, k), -128), np.full((k, n), -128)),
                 (np.full((m, k), -1), np.full((k, n), -1)),
                 (np.full((m, k), 127), np.full((k, n), -128))]:
        a, b = a.astype(np.int8), b.astype(np.int8)
        c = rng.integers(-2**31, 2**31, (m, n), dtype=np.int32)
        want = (wide(a, first) @ wide(b, second) + c).astype(np.int32)
        assert np.array_equal(run(a, b, c), want)


def test_products_with_a_scalar():
    """A sum of products of bytes of which one is the same for all."""
    text = """
func.func @main(%x: tensor<20x2048xi8>, %s: i8) -> tensor<20xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<20xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<20xi32>) -> tensor<20xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>,
      affine_map<(i, k) -> ()>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x, %s : tensor<20x2048xi8>, i8) outs(%f : tensor<20xi32>) {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<20xi32>
  return %r : tensor<20xi32>
}"""
    x = np.random.default_rng(0).integers(-128, 128, (20, 2048)).astype(np.int8)
    assert np.array_equal(ta.Module(text).compile()(x, np.int8(-128)),
                          x.astype(np.int32).sum(1) * -128)


SUMS_OF_ROWS = {
    "f32": ["addf", "mulf", "maximumf", "minimumf", "maxnumf"],
    "f64": ["addf", "maximumf"], "f16": ["addf", "minimumf"],
    "i32": ["addi", "muli", "maxsi", "minui", "andi", "xori", "subi"],
    "i16": ["addi", "minsi"], "i64": ["addi", "maxui"],
}


@pytest.mark.parametrize("shape", [
    (1, 1), (1, 40), (3, 5), (16, 16), (17, 33), (26, 37), (40, 100), (33, 0), (0, 7), (70, 15),
    (33, 6), (40, 12), (20, 1024), (9, 2051),
], ids=str)
@pytest.mark.parametrize("element", SUMS_OF_ROWS)
def test_rows(element, shape):
    """Rows along sums, in squares: every element in its order, not a number and zeros
    of both signs included."""
    dtype = np.dtype({"f": "float", "i": "int"}[element[0]] + element[1:])
    rng = np.random.default_rng(len(element) + shape[0])
    if element[0] == "i":
        array = rng.integers(-100, 100, shape).astype(dtype)
    else:
        array = rng.standard_normal(shape).astype(dtype)
        array.flat[::7] = -0.0
        array.flat[::11] = 0.0
        array[1::4].flat[3::50] = np.nan
        array[2::4] = -np.abs(array[2::4])
        array[6::8].flat[5::50] = -np.inf
    x, y = tensor(shape, element), tensor(shape[:1], element)
    for op in SUMS_OF_ROWS[element]:
        start = "1.0" if element[0] == "f" else "1"
        module = ta.Module(f"""
        func.func @main(%x: {x}) -> {y} {{
          %one = arith.constant {start} : {element}
          %e = tensor.empty() : {y}
          %f = linalg.fill ins(%one : {element}) outs(%e : {y}) -> {y}
          %r = linalg.reduce ins(%x : {x}) outs(%f : {y}) dimensions = [1]
            (%a: {element}, %b: {element}) {{
              %s = arith.{op} %b, %a : {element}
              linalg.yield %s : {element}
            }}
          return %r : {y}
        }}""")
        got, own = module.compile(cache=False)(array), module.interpret()(array)
        np.testing.assert_array_equal(got, own)
        if element[0] == "f":
            np.testing.assert_array_equal(np.signbit(got), np.signbit(own))
        plain = {"addi": np.add, "addf": np.add, "maximumf": np.maximum, "muli": np.multiply,
                 "maxsi": np.maximum, "xori": np.bitwise_xor}.get(op)
        if plain and element != "f16":
            with np.errstate(all="ignore"):
                expected = plain.reduce(array, 1, initial=dtype.type(1), dtype=dtype)
            np.testing.assert_allclose(got, expected, rtol=1e-4 if element == "f32" else 1e-12,
                                       atol=1e-4 if element == "f32" else 1e-12)


@pytest.mark.parametrize("shape", [
    (1, 1), (3, 5), (1, 40), (16, 16), (17, 33), (26, 37), (70, 15), (9, 2051), (20, 2048),
    (33, 0),
], ids=str)
def test_rows_of_bf16_in_f32(shape):
    """Squares of pairs, one after the other."""
    dtype = pytest.importorskip("ml_dtypes").bfloat16
    x, y = tensor(shape, "bf16"), tensor(shape[:1], "f32")
    module = ta.Module(f"""
    func.func @main(%x: {x}) -> {y} {{
      %zero = arith.constant -0.0 : f32
      %e = tensor.empty() : {y}
      %f = linalg.fill ins(%zero : f32) outs(%e : {y}) -> {y}
      %r = linalg.generic {{indexing_maps = [
          affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
          iterator_types = ["parallel", "reduction"]}} ins(%x : {x}) outs(%f : {y}) {{
      ^bb0(%a: bf16, %o: f32):
        %w = arith.extf %a : bf16 to f32
        %s = arith.addf %o, %w : f32
        linalg.yield %s : f32
      }} -> {y}
      return %r : {y}
    }}""")
    array = np.random.default_rng(shape[0]).standard_normal(shape).astype(dtype)
    array.flat[::7] = -0.0
    array[1::4].flat[3::50] = np.inf
    got = module.compile(cache=False)(array)
    want = np.full(shape[0], -0.0, np.float32)
    for column in array.astype(np.float32).T:
        want += column
    np.testing.assert_array_equal(got.view(np.uint32), want.view(np.uint32))


@pytest.mark.parametrize("shape", [(1, 1), (3, 40), (26, 37), (40, 1024), (9, 0), (0, 7)],
                         ids=str)
@pytest.mark.parametrize("element", ["f32", "f64", "f16", "bf16"])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("step", ["arith.subf %a, %b", "math.absf %a", "arith.mulf %a, %a"])
def test_sums_of_squares(element, shape, dim, step):
    """Of what is left of a mean, say: what the sum computes itself has the same bits."""
    x, y = tensor(shape, element), tensor((shape[1 - dim],), element)
    loops, rows = "affine_map<(i, j) -> (i, j)>", f"affine_map<(i, j) -> ({'ji'[dim]})>"
    kinds = ["parallel", "reduction"][::1 if dim else -1]
    kinds = ", ".join(f'"{kind}"' for kind in kinds)
    module = ta.Module(f"""
    func.func @main(%x: {x}, %m: {y}) -> ({y}, {x}) {{
      %zero = arith.constant 0.0 : {element}
      %e = tensor.empty() : {x}
      %d = linalg.generic {{indexing_maps = [{loops}, {rows}, {loops}],
          iterator_types = ["parallel", "parallel"]}}
          ins(%x, %m : {x}, {y}) outs(%e : {x}) {{
      ^bb0(%a: {element}, %b: {element}, %o: {element}):
        %0 = {step} : {element}
        linalg.yield %0 : {element}
      }} -> {x}
      %q = linalg.mul ins(%d, %d : {x}, {x}) outs(%e : {x}) -> {x}
      %empty = tensor.empty() : {y}
      %f = linalg.fill ins(%zero : {element}) outs(%empty : {y}) -> {y}
      %s = linalg.generic {{indexing_maps = [{loops}, {rows}],
          iterator_types = [{kinds}]}} ins(%q : {x}) outs(%f : {y}) {{
      ^bb0(%a: {element}, %o: {element}):
        %0 = arith.addf %o, %a : {element}
        linalg.yield %0 : {element}
      }} -> {y}
      %n = linalg.generic {{indexing_maps = [{loops}, {rows}, {loops}],
          iterator_types = ["parallel", "parallel"]}}
          ins(%d, %s : {x}, {y}) outs(%e : {x}) {{
      ^bb0(%a: {element}, %b: {element}, %o: {element}):
        %0 = arith.divf %a, %b : {element}
        linalg.yield %0 : {element}
      }} -> {x}
      return %s, %n : {y}, {x}
    }}""")
    rng = np.random.default_rng(shape[0])
    if element == "bf16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    else:
        dtype = np.dtype("float" + element[1:])
    arrays = [rng.standard_normal(s).astype(dtype) for s in (shape, (shape[1 - dim],))]
    found, expected = module.compile(cache=False)(*arrays), module.interpret()(*arrays)
    for got, own in zip(found, expected):
        np.testing.assert_array_equal(got.view(np.uint8), own.view(np.uint8))
    if element == "f64" and "subf" in step:
        left = arrays[0] - np.expand_dims(arrays[1], dim)
        np.testing.assert_allclose(found[0], (left * left).sum(dim), rtol=1e-12)


@pytest.mark.parametrize("m, n, k", [(1, 70, 100), (3, 33, 40), (15, 64, 64), (2, 16, 1000)])
def test_few_rows_by_columns_that_are_rows(m, n, k):
    rng = np.random.default_rng(m)
    a, b = values(rng, (m, k), np.float32), values(rng, (n, k), np.float32)
    module = ta.Module(f"""
    func.func @main(%a: tensor<{m}x{k}xf32>, %b: tensor<{n}x{k}xf32>) -> tensor<{m}x{n}xf32> {{
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<{m}x{n}xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
      %r = linalg.generic {{indexing_maps = [
          affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
          affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}}
          ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{n}x{k}xf32>)
          outs(%f : tensor<{m}x{n}xf32>) {{
      ^bb0(%x: f32, %y: f32, %o: f32):
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %o, %p : f32
        linalg.yield %s : f32
      }} -> tensor<{m}x{n}xf32>
      return %r : tensor<{m}x{n}xf32>
    }}""")
    check(module, [a, b], einsum("mk,nk->mn", a, b), k)


@pytest.mark.parametrize("size", [1, 3, 4, 7, 8, 10, 15, 16, 17])
@pytest.mark.parametrize("element", ["f32", "f64", "i32", "i16"])
def test_short_rows(element, size):
    """Loops of less than a vector: masked where their elements are neighbours; what a
    loop carries stays in its order."""
    x, y = tensor((13, size), element), tensor((13,), element)
    kind = "f" if element[0] == "f" else "i"
    module = ta.Module(f"""
    func.func @main(%x: {x}, %m: {y}, %c: tensor<{size}x13x{element}>) -> ({x}, {x}, {element}) {{
      %e = tensor.empty() : {x}
      %y:2 = linalg.generic {{indexing_maps = [
          affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
          affine_map<(i, j) -> (j, i)>,
          affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}}
          ins(%x, %m, %c : {x}, {y}, tensor<{size}x13x{element}>) outs(%e, %e : {x}, {x}) {{
      ^bb0(%a: {element}, %b: {element}, %t: {element}, %o: {element}, %p: {element}):
        %0 = arith.sub{kind} %a, %b : {element}
        %1 = arith.mul{kind} %0, %a : {element}
        %2 = arith.add{kind} %a, %t : {element}
        linalg.yield %1, %2 : {element}, {element}
      }} -> ({x}, {x})
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %size = arith.constant {size} : index
      %first = tensor.extract %y#0[%zero, %zero] : {x}
      %s = scf.for %j = %zero to %size step %one iter_args(%sum = %first) -> ({element}) {{
        %0 = tensor.extract %y#0[%one, %j] : {x}
        %1 = arith.add{kind} %sum, %0 : {element}
        scf.yield %1 : {element}
      }}
      return %y#0, %y#1, %s : {x}, {x}, {element}
    }}""")
    rng = np.random.default_rng(size)
    dtype = np.dtype({"f": "float", "i": "int"}[element[0]] + element[1:])
    shapes = (13, size), (13,), (size, 13)
    arrays = [rng.standard_normal(s).astype(dtype) if kind == "f" else
              rng.integers(-100, 100, s).astype(dtype) for s in shapes]
    found, expected = module.compile(cache=False)(*arrays), module.interpret()(*arrays)
    for got, own in zip(found, expected):
        np.testing.assert_array_equal(got, own)
    left, mean, columns = arrays
    np.testing.assert_array_equal(found[0], (left - mean[:, None]) * left)
    np.testing.assert_array_equal(found[1], left + columns.T)
