# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO's complex numbers, against numpy in more digits."""

import subprocess

import numpy as np
import pytest

import tensoraccess as ta

TYPES = {np.complex64: "complex<f32>", np.complex128: "complex<f64>"}


def draw(shape, dtype, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    parts = [rng.standard_normal(shape) * scale for _ in range(2)]
    return np.asarray(parts[0] + 1j * parts[1]).astype(dtype)


def tensor(shape, element):
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def module(op, operands, result, attributes="", dialect="stablehlo"):
    """A function of one op."""
    names = [f"%a{i}" for i in range(len(operands))]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, operands))
    return ta.Module(f"""
func.func @main({arguments}) -> {result} {{
  %0 = "{dialect}.{op}"({", ".join(names)}) {attributes}
    : ({", ".join(operands)}) -> {result}
  return %0 : {result}
}}""")


def check(program, inputs, exact, epsilons, of_largest=False):
    """Both engines: epsilons of the size of each element, or of the largest."""
    results = []
    for run in (program.interpret(), program.compile()):
        result = run(*inputs)
        size = np.abs(exact)
        if of_largest and size.size:
            size = size.max()
        allowed = epsilons * np.finfo(result.dtype).eps * size
        assert result.shape == exact.shape
        assert (np.abs(result - exact) <= allowed).all()
        results.append(result)
    assert results[0].dtype == results[1].dtype
    assert np.array_equal(results[0], results[1], equal_nan=True)
    return results[0]


#: Ops of one operand, with numpy's function and epsilons for complex128; of
#: complex64 it is 1: they are computed in f64.
UNARY = {
    "abs": (np.abs, 2), "exponential": (np.exp, 2),
    "exponential_minus_one": (np.expm1, 3), "log": (np.log, 3),
    "negate": (np.negative, 0), "rsqrt": (lambda z: 1 / np.sqrt(z), 3),
    "sqrt": (np.sqrt, 2), "sine": (np.sin, 2), "cosine": (np.cos, 2),
    "tanh": (np.tanh, 4), "tan": (np.tan, 4), "sign": (lambda z: z / np.abs(z), 2),
    "logistic": (lambda z: 1 / (1 + np.exp(-z)), 4),
}
CHLO = {"acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin,
        "asinh": np.arcsinh, "atan": np.arctan, "atanh": np.arctanh,
        "sinh": np.sinh, "cosh": np.cosh, "conj": np.conj, "square": np.square}


@pytest.mark.parametrize("dtype", TYPES, ids=lambda t: t.__name__)
@pytest.mark.parametrize("op", [*UNARY, *CHLO])
def test_functions(op, dtype):
    function, epsilons = UNARY.get(op) or (CHLO[op], 4)
    dialect = "stablehlo" if op in UNARY else "chlo"
    for shape, scale in [((7, 9), 1), ((33,), 3), ((), 1), ((0, 3), 1)]:
        type_ = tensor(shape, TYPES[dtype])
        result = type_ if op != "abs" else tensor(shape, TYPES[dtype][8:-1])
        z = draw(shape, dtype, scale=scale)
        exact = function(z.astype(np.clongdouble))
        narrow = max(1, epsilons) if op in ("square", "negate", "conj") else 1
        check(module(op, [type_], result, dialect=dialect), [z], np.asarray(exact),
              narrow if dtype is np.complex64 else epsilons)


@pytest.mark.parametrize("op, function", [
    ("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply),
    ("divide", np.divide), ("power", np.power)])
@pytest.mark.parametrize("dtype", TYPES, ids=lambda t: t.__name__)
def test_of_two(op, function, dtype):
    type_ = tensor((5, 7), TYPES[dtype])
    a, b = draw((5, 7), dtype, 1), draw((5, 7), dtype, 2)
    exact = function(a.astype(np.clongdouble), b.astype(np.clongdouble))
    check(module(op, [type_, type_], type_), [a, b], exact,
          8 if op == "power" else 2)


def test_order():
    """maximum and minimum go by real parts, then by imaginary ones."""
    a = np.array([1 + 2j, 1 + 2j, 3, np.nan, 1, complex(0, np.nan)], np.complex64)
    b = np.array([1 + 3j, 0 + 9j, 4 - 1j, 1, np.nan, 5], np.complex64)
    type_ = tensor(a.shape, "complex<f32>")
    for op, want in [("maximum", [b[0], a[1], b[2]]), ("minimum", [a[0], b[1], a[2]])]:
        for run in (module(op, [type_] * 2, type_).interpret(),
                    module(op, [type_] * 2, type_).compile()):
            result = run(a, b)
            assert list(result[:3]) == want and np.isnan(result[3:]).all()


def test_extremes():
    big, tiny = 3e38, 1e-45
    z = np.array([big + big * 1j, tiny + 0j, 0j, complex(np.inf, 1),
                  complex(-np.inf, 2), complex(1, np.inf)], np.complex64)
    type_ = tensor(z.shape, "complex<f32>")
    size = module("abs", [type_], tensor(z.shape, "f32")).interpret()(z)
    with np.errstate(over="ignore"):
        want = np.abs(z.astype(np.complex128)).astype(np.float32)
    assert np.array_equal(size, want)
    power = module("exponential", [type_], type_).interpret()(z)
    assert power[2] == 1 and power[4] == 0
    root = module("sqrt", [type_], type_).interpret()(z)
    assert root[2] == 0 and root[5] == complex(np.inf, np.inf)
    # Signs of zeros choose the side of a branch cut.
    cut = np.array([complex(-4, 0.0), complex(-4, -0.0)], np.complex64)
    type_ = tensor(cut.shape, "complex<f32>")
    assert list(module("sqrt", [type_], type_).interpret()(cut)) == [2j, -2j]
    angle = module("log", [type_], type_).interpret()(cut).imag
    assert list(angle) == [np.float32(np.pi), -np.float32(np.pi)]


BIG = 1.7e308 * (1 + 1j)
ROOT = 1.4325088230154573e154 + 5.933645827121221e153j
HALF, QUARTER = np.pi / 2, np.pi / 4


@pytest.mark.parametrize("op, operands, want", [
    ("acos", [BIG], complex(QUARTER, -710.7665576640682)),
    ("acos", [complex(np.inf, np.inf)], complex(QUARTER, -np.inf)),
    ("acosh", [BIG], complex(710.7665576640682, QUARTER)),
    ("asin", [np.inf], complex(HALF, np.inf)),
    ("asinh", [BIG], complex(710.7665576640682, QUARTER)),
    ("atan", [1.7e308], HALF), ("atan", [np.inf], HALF),
    ("atanh", [1 + 1e-200j], complex(230.60508288968455, QUARTER)),
    ("atanh", [complex(np.inf, np.inf)], complex(0, HALF)),
    ("divide", [1, 1e308 * (1 + 1j)], 5e-309 - 5e-309j),
    ("divide", [BIG, BIG], 1),
    ("exponential", [709.9 + 1.5707j], complex(1.9471518096234e304, np.inf)),
    ("log", [BIG], complex(710.0734104835083, QUARTER)),
    ("power", [0, 2], 0), ("power", [0, 0], 1),
    ("sign", [1.5e-323 + 5e-324j], 0.9486832980505138 + 0.31622776601683794j),
    ("sqrt", [BIG], ROOT), ("sqrt", [5e-324], 2.2227587494850775e-162),
    ("tanh", [complex(np.inf, np.inf)], 1)])
def test_ends_of_f64(op, operands, want):
    type_ = tensor((1,), "complex<f64>")
    dialect = "stablehlo" if op in UNARY or len(operands) == 2 else "chlo"
    program = module(op, [type_] * len(operands), type_, dialect=dialect)
    for run in (program.interpret(), program.compile()):
        result = run(*[np.array([x], np.complex128) for x in operands])[0]
        want = complex(want)
        for got, part in [(result.real, want.real), (result.imag, want.imag)]:
            assert got == part or abs(got / part - 1) < 1e-12


def test_nothing_to_the_power_of_less():
    type_ = tensor((1,), "complex<f64>")
    zero, one = np.zeros(1, np.complex128), np.ones(1, np.complex128)
    assert np.isnan(module("power", [type_] * 2, type_).interpret()(zero, -one)).all()


@pytest.mark.parametrize("n", [1, 2, 3, 8, 12, 17, 30, 60, 97, 128, 360, 1001, 1024,
                               4099, 4034, 10000, 8192])
@pytest.mark.parametrize("dtype", TYPES, ids=lambda t: t.__name__)
def test_transforms(n, dtype):
    element = TYPES[dtype]
    real = element[8:-1]
    z = draw((3, n), dtype)
    wide = z.astype(np.clongdouble)
    half = n // 2 + 1
    for kind, given, shape, gives, exact in [
        ("FFT", z, (3, n), element, np.fft.fft(wide)),
        ("IFFT", z, (3, n), element, np.fft.ifft(wide)),
        ("RFFT", z.real.copy(), (3, half), element, np.fft.rfft(wide.real)),
        ("IRFFT", z[:, :half], (3, n), real, np.fft.irfft(wide[:, :half], n)),
    ]:
        program = module(
            "fft", [tensor(given.shape, real if kind == "RFFT" else element)],
            tensor(shape, gives), f"{{fft_type = #stablehlo<fft_type {kind}>, "
            f"fft_length = array<i64: {n}>}}")
        check(program, [given], exact, 4 + np.log2(n), of_largest=True)


@pytest.mark.parametrize("shape", [(2, 4, 5, 6), (1, 3, 1, 1), (3, 16, 9, 67), (0, 4, 5, 6)])
@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("dtype", TYPES, ids=lambda t: t.__name__)
def test_transforms_of_dimensions(shape, rank, dtype):
    z, axes, element = draw(shape, dtype), tuple(range(4 - rank, 4)), TYPES[dtype]
    lengths, real = shape[4 - rank:], element[8:-1]
    half = (*shape[:-1], shape[-1] // 2 + 1)
    part = np.ascontiguousarray(z[..., :half[-1]])
    for kind, given, result, gives, exact in [
        ("FFT", z, shape, element, np.fft.fftn(z.astype(np.clongdouble), axes=axes)),
        ("IFFT", z, shape, element, np.fft.ifftn(z.astype(np.clongdouble), axes=axes)),
        ("RFFT", z.real.copy(), half, element,
         np.fft.rfftn(z.real.astype(np.longdouble), axes=axes)),
        ("IRFFT", part, shape, real,
         np.fft.irfftn(part.astype(np.clongdouble), lengths, axes)),
    ]:
        program = module(
            "fft", [tensor(given.shape, real if kind == "RFFT" else element)],
            tensor(result, gives), f"{{fft_type = #stablehlo<fft_type {kind}>, fft_length = "
            f"array<i64: {', '.join(map(str, lengths))}>}}")
        check(program, [given], exact, 6, of_largest=True)


@pytest.mark.parametrize("routine, options, why", [
    ("srfft", "F4", "must be one of 123, not 4"), ("srfft", "X1", "must be one of FI, not X"),
    ("srfft", "F3", "do not fit"), ("sirfft", "I1", "does not have its element type"),
    ("drfft", "F1", "does not have its element type"), ("cfft", "F1", "element type"),
    ("crfft", "F1", "no routine 'crfft'")])  # fmt: skip
def test_calls_of_transforms_that_do_not_fit(routine, options, why):
    for last in (4, 3) if why == "do not fit" else (3,):
        program = module(
            "custom_call", ["tensor<3x4xf32>"], f"tensor<3x{last}x2xf32>",
            f'{{call_target_name = "tensoraccess.lapack", routine = "{routine}", '
            f'options = "{"F1" if last == 4 else options}"}}')
        with pytest.raises(ta.Error, match=why):
            program.compile()


def test_each_line_is_its_own():
    """One that is not a number leaves the others as they are, whatever the threads."""
    z = draw((37, 1000), np.complex64)
    program = module("fft", [tensor(z.shape, "complex<f32>")], tensor(z.shape, "complex<f32>"),
                     "{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1000>}")
    whole = program.compile()(z)
    z[5, 7] = np.nan
    part = program.compile(threads=1)(z)
    assert np.isnan(part[5]).all()
    assert np.array_equal(np.delete(part, 5, 0), np.delete(whole, 5, 0))


def test_products():
    a, b = draw((4, 33), np.complex64, 1), draw((33, 5), np.complex64, 2)
    program = module(
        "dot_general", [tensor(a.shape, "complex<f32>"), tensor(b.shape, "complex<f32>")],
        tensor((4, 5), "complex<f32>"), "{dot_dimension_numbers = #stablehlo.dot<"
        "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}")
    exact = a.astype(np.complex128) @ b.astype(np.complex128)
    check(program, [a, b], exact, 16, of_largest=True)
    # Of real and complex numbers: as many sums as there are parts.
    text = str(program.run("tensoraccess-expand-stablehlo"))
    assert text.count("stablehlo.dot_general") == 4


LOOP = """
func.func @twice(%z: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %0 = "stablehlo.add"(%z, %z) : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>)
    -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
func.func @main(%z: tensor<3xcomplex<f32>>, %n: tensor<i32>)
    -> (tensor<3xcomplex<f32>>, tensor<i32>) {
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %w = "stablehlo.constant"() {value = dense<[(1.0, 2.0), (0.0, -1.0), (3.0, 0.5)]>
    : tensor<3xcomplex<f32>>} : () -> tensor<3xcomplex<f32>>
  %r:2 = "stablehlo.while"(%z, %zero) ({
  ^bb0(%a: tensor<3xcomplex<f32>>, %i: tensor<i32>):
    %c = "stablehlo.compare"(%i, %n)
      {comparison_direction = #stablehlo<comparison_direction LT>}
      : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<3xcomplex<f32>>, %i: tensor<i32>):
    %b = func.call @twice(%a) : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
    %c = "stablehlo.subtract"(%b, %w) : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>)
      -> tensor<3xcomplex<f32>>
    %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c, %j) : (tensor<3xcomplex<f32>>, tensor<i32>) -> ()
  }) : (tensor<3xcomplex<f32>>, tensor<i32>) -> (tensor<3xcomplex<f32>>, tensor<i32>)
  return %r#0, %r#1 : tensor<3xcomplex<f32>>, tensor<i32>
}
"""


def test_loops_and_calls():
    z, w = draw((3,), np.complex64), np.array([1 + 2j, -1j, 3 + 0.5j], np.complex64)
    want = z
    for _ in range(5):
        want = want + want - w
    program = ta.Module(LOOP)
    for run in (program.interpret(), program.compile()):
        result, count = run(z, 5)
        assert np.array_equal(result, want) and count == 5


def test_arrays():
    """Any order in memory, an identity, numbers, and what is refused."""
    program = ta.Module("""
func.func @main(%z: tensor<2x3xcomplex<f64>>, %s: tensor<complex<f64>>)
    -> (tensor<2x3xcomplex<f64>>, tensor<complex<f64>>) {
  return %z, %s : tensor<2x3xcomplex<f64>>, tensor<complex<f64>>
}""")
    z = draw((3, 4), np.complex128)[:, ::2].T
    for run in (program.interpret(), program.compile(), program.compile(weights=[0])):
        assert run.inputs[0] == ("tensor", "complex128", (2, 3))
        for _ in range(2):
            result, number = run(z, 1 + 2j)
            assert result.dtype == np.complex128 and np.array_equal(result, z)
            assert number.shape == () and number == 1 + 2j
        with pytest.raises(ta.Error, match="input 0 has element type complex64, "
                           "expected complex<f64>"):
            run(z.astype(np.complex64), 0j)
        with pytest.raises(ta.Error, match="has element type float64"):
            run(np.zeros((2, 3, 2)), 0j)
        with pytest.raises(ta.Error, match="input 0 has shape 3x2, expected 2x3"):
            run(z.T, 0j)


def test_marks_are_checked():
    with pytest.raises(ta.Error, match="has 'tensoraccess.element_type = complex<f32>', but type 'tensor<f32"):
        ta.Module("""func.func @main(%x: tensor<f32> {tensoraccess.element_type = complex<f32>})
            -> tensor<f32> { return %x : tensor<f32> }""").compile()
    with pytest.raises(ta.Error, match="of an element type that cannot be passed"):
        ta.Module("""func.func @main(%x: tensor<3xcomplex<f16>>)
            -> tensor<3xcomplex<f16>> { return %x : tensor<3xcomplex<f16>> }""").compile()
    with pytest.raises(ta.Error, match="a complex number is not of type bfloat16"):
        ta.Module("""func.func @main(%x: tensor<bf16>) -> tensor<bf16> {
            return %x : tensor<bf16> }""").interpret()(1j)


def test_runner(tmp_path, root):
    """Complex .npy files go in and come out."""
    z = draw((3, 5), np.complex64)
    np.save(tmp_path / "z.npy", z)
    source = tmp_path / "square.mlir"
    type_ = tensor(z.shape, "complex<f32>")
    source.write_text(str(module("multiply", [type_, type_], type_)))
    for engine in ("interpret", "jit"):
        subprocess.run(
            [root / "build/bin/tensoraccess-run", source, f"--engine={engine}", "--inputs="
             f"{tmp_path / 'z.npy'},{tmp_path / 'z.npy'}",
             f"--outputs={tmp_path / 'out.npy'}"], check=True, capture_output=True)
        result = np.load(tmp_path / "out.npy")
        assert result.dtype == np.complex64
        assert np.abs(result - z * z).max() < 1e-6
