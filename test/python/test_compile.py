# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions, called on arrays."""

import concurrent.futures
import gc
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import tensoraccess as ta

MATMUL = """
func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)
                     outs(%f : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
"""


def matmul_inputs():
    rng = np.random.default_rng(0)
    return (
        rng.standard_normal((3, 5), dtype=np.float32),
        rng.standard_normal((5, 7), dtype=np.float32),
    )


@pytest.fixture(scope="module")
def matmul():
    return ta.Module(MATMUL).compile()


def elementwise(type_, op):
    """@main(x, x) of one arith op on tensors of 3x5."""
    t = f"tensor<3x5x{type_}>"
    return ta.Module(
        f"func.func @main(%a: {t}, %b: {t}) -> {t} {{\n"
        f"  %0 = {op} %a, %b : {t}\n  return %0 : {t}\n}}"
    ).compile()


def test_signature(matmul):
    assert matmul.name == "main"
    assert repr(matmul) == "<Executable @main(float32[3,5], float32[5,7]) -> (float32[3,7])>"
    assert matmul.inputs == [
        ta.ArrayType("tensor", "float32", (3, 5)),
        ta.ArrayType("tensor", "float32", (5, 7)),
    ]
    assert matmul.results == [ta.ArrayType("tensor", "float32", (3, 7))]


def test_matmul(matmul):
    a, b = matmul_inputs()
    r = matmul(a, b)
    assert r.dtype == np.float32 and r.shape == (3, 7) and r.flags.c_contiguous
    np.testing.assert_allclose(r, a @ b, rtol=1e-5, atol=1e-6)
    assert (matmul(a, b) == r).all()


def test_inputs_are_left_alone(matmul):
    a, b = matmul_inputs()
    a.flags.writeable = False
    before = a.copy(), b.copy()
    matmul(a, b)
    assert (a == before[0]).all() and (b == before[1]).all()


POINTERS = """
func.func @main(%a: memref<3x5xf32>) -> (memref<3x5xf32>, index, index) {
  %m = memref.alloc() : memref<3x5xf32>
  memref.copy %a, %m : memref<3x5xf32> to memref<3x5xf32>
  %in = memref.extract_aligned_pointer_as_index %a : memref<3x5xf32> -> index
  %out = memref.extract_aligned_pointer_as_index %m : memref<3x5xf32> -> index
  return %m, %in, %out : memref<3x5xf32>, index, index
}
"""


def test_no_copies_in_and_out():
    a = np.arange(15, dtype=np.float32).reshape(3, 5)
    m, inside, outside = ta.Module(POINTERS).compile()(a)
    assert int(inside) == a.ctypes.data
    assert int(outside) == m.ctypes.data
    assert (m == a).all() and not m.flags.owndata


def test_a_result_keeps_its_buffer_alive():
    a, b = matmul_inputs()
    executable = ta.Module(MATMUL).compile()
    r = executable(a, b)
    expected = r.copy()
    part = r[1:, ::2]
    del executable, r
    gc.collect()
    assert (part == expected[1:, ::2]).all()
    part[0, 0] = 3.0
    assert part[0, 0] == 3.0


def test_an_input_is_let_go():
    class Array(np.ndarray):
        pass

    executable = elementwise("f32", "arith.addf")
    a = np.ones((3, 5), np.float32).view(Array)
    seen = weakref.ref(a)
    executable(a, a)
    del a
    gc.collect()
    assert seen() is None


def test_a_result_may_be_an_input():
    t = "tensor<3x5xf32>"
    f = ta.Module(f"func.func @main(%a: {t}) -> {t} {{ return %a : {t} }}").compile()
    a = np.ones((3, 5), np.float32)
    r = f(a)
    assert (r == a).all()
    del a
    gc.collect()
    assert (r == 1).all()


def test_other_orders_are_packed(matmul):
    a, b = matmul_inputs()
    expected = matmul(a, b)
    wide = np.zeros((3, 11), np.float32)
    wide[:, 1::2] = a
    shifted = np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(np.float32)
    for x in (np.asfortranarray(a), wide[:, 1::2], a[::-1][::-1], shifted.reshape(3, 5)):
        assert (matmul(x, np.asfortranarray(b)) == expected).all()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda a, b: (a,), "'main' takes 2 inputs, got 1"),
        (lambda a, b: (a, b, b), "'main' takes 2 inputs, got 3"),
        (lambda a, b: (a, a), "input 1 has shape 3x5, expected 5x7"),
        (lambda a, b: (a[0], b), "input 0 has shape 5, expected 3x5"),
        (lambda a, b: (a, b.astype("f8")), "input 1 has element type f64, expected f32"),
        (lambda a, b: (a, b.astype("u1")), "input 1 has element type uint8, expected f32"),
        (lambda a, b: (a.astype(">f4"), b), "input 0 has element type float32 in foreign"),
        (lambda a, b: (a, [1.0]), "input 1 must be an array, got list"),
        (lambda a, b: (a, 1.0), "input 1 must be an array, got float"),
        (lambda a, b: (a.astype(object), b), "input 0 has element type object"),
    ],
)
def test_wrong_inputs(matmul, make, message):
    with pytest.raises(ta.Error, match=message):
        matmul(*make(*matmul_inputs()))


@pytest.mark.parametrize(
    "type_, dtype",
    [
        ("i8", np.int8),
        ("i16", np.int16),
        ("i32", np.int32),
        ("i64", np.int64),
        ("index", np.int64),
        ("f16", np.float16),
        ("f32", np.float32),
        ("f64", np.float64),
        ("i1", np.bool_),
    ],
)
def test_element_types(type_, dtype):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 2 if dtype == np.bool_ else 9, (3, 5)).astype(dtype) for _ in "ab")
    if type_ == "i1":
        r, expected = elementwise("i1", "arith.xori")(a, b), a ^ b
    else:
        op = "arith.addf" if type_.startswith("f") else "arith.addi"
        r, expected = elementwise(type_, op)(a, b), a + b
    assert r.dtype == dtype and (r == expected).all()


def test_bf16_through_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = np.arange(15).reshape(3, 5).astype(ml_dtypes.bfloat16)
    r = elementwise("bf16", "arith.addf")(a, a)
    assert r.dtype == ml_dtypes.bfloat16 and (r == a + a).all()


def test_scalars_and_rank_0():
    f = ta.Module(
        "func.func @main(%x: f32, %y: tensor<i32>, %z: index)"
        " -> (f32, tensor<i32>, index) {\n"
        "  return %x, %y, %z : f32, tensor<i32>, index\n}"
    ).compile()
    assert [t.kind for t in f.inputs] == ["scalar", "tensor", "scalar"]
    x, y, z = f(2.5, 7, np.int64(-3))
    assert (x, y, z) == (2.5, 7, -3) and x.shape == y.shape == ()
    assert f(2, 7, True)[0] == 2.0
    with pytest.raises(ta.Error, match="input 1 has element type f64, expected i32"):
        f(2.5, 7.5, 0)


def test_results_of_any_number():
    t = "tensor<3xf32>"
    none = ta.Module(f"func.func @main(%a: {t}) {{ return }}").compile()
    a = np.ones(3, np.float32)
    assert none(a) is None
    two = ta.Module(
        f"func.func @main(%a: {t}, %b: {t}) -> ({t}, {t}) {{ return %b, %a : {t}, {t} }}"
    ).compile()
    x, y = two(a, a + 1)
    assert (x == 2).all() and (y == 1).all()
    assert ta.Module("func.func @main() { return }").compile()() is None


def test_dynamic_and_empty_shapes():
    f = ta.Module(
        "func.func @main(%a: tensor<?x5xf32>) -> tensor<?x5xf32> {\n"
        "  %0 = arith.addf %a, %a : tensor<?x5xf32>\n  return %0 : tensor<?x5xf32>\n}"
    ).compile()
    assert f.inputs[0].shape == (None, 5)
    for n in (3, 0, 7):
        a = np.full((n, 5), 1.5, np.float32)
        assert (f(a) == 3).all() and f(a).shape == (n, 5)
    with pytest.raises(ta.Error, match=r"input 0 has shape 3x7, expected \?x5"):
        f(np.zeros((3, 7), np.float32))


STORE = """
func.func @main(%m: memref<5xf32>) {
  %c3 = arith.constant 3 : index
  %x = arith.constant 2.5 : f32
  memref.store %x, %m[%c3] : memref<5xf32>
  return
}
"""


def test_memrefs_are_written_in_place():
    f = ta.Module(STORE).compile()
    a = np.zeros(5, np.float32)
    assert f(a) is None
    assert a.tolist() == [0, 0, 0, 2.5, 0]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda a: np.broadcast_to(a, 5), "input 0 is a memref, which may be written to"),
        (lambda a: memoryview(a), "input 0 must be an array, got memoryview"),
        (lambda a: np.zeros(10, np.float32)[::2], "input 0 "),
    ],
)
def test_memrefs_want_the_callers_own_array(make, message):
    f = ta.Module(STORE).compile()
    with pytest.raises(ta.Error, match=message):
        f(make(np.zeros(5, np.float32)))


def test_missing_entry():
    with pytest.raises(ta.Error, match="'main'") as e:
        ta.Module("func.func @other() { return } func.func @g() { return }").compile()
    assert "other" in str(e.value)
    with pytest.raises(ta.Error, match="'main'"):
        ta.Module("func.func @other() { return }").compile("main")
    # The only one is meant where none is named.
    only = ta.Module("func.func @other(%x: i32) -> i32 { return %x : i32 }")
    assert only.compile()(3) == only.interpret()(3) == 3


def test_what_cannot_be_passed():
    mod = ta.Module("func.func @main(%v: vector<4xf32>) { return }")
    with pytest.raises(ta.Error, match="<text>:1:1: error: "):
        mod.compile()


def test_other_entries():
    mod = ta.Module(
        "func.func @f(%x: i32) -> i32 { return %x : i32 }\n"
        "func.func @g(%x: i32) -> i32 {\n"
        "  %0 = arith.addi %x, %x : i32\n  return %0 : i32\n}"
    )
    assert mod.compile("f")(3) == 3 and mod.compile("g", opt_level=0)(3) == 6
    assert "llvm." not in str(mod)


def test_foreign_arrays(matmul):
    class Dlpack:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **kwargs):
            return self.array.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    class Array:
        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return self.array

    a, b = matmul_inputs()
    assert (matmul(Dlpack(a), Array(b)) == matmul(a, b)).all()


def test_later_calls_take_what_the_first_takes(matmul):
    a, b = matmul_inputs()
    expected = matmul(a, b)
    assert matmul._short is not None
    assert (matmul(np.repeat(a, 2, 1)[:, ::2], b) == expected).all()
    for x, message in [
        (a.astype(np.float64), "input 0 has element type f64, expected f32"),
        (a.view(np.int32), "input 0 has element type i32, expected f32"),
        (a[:2], "input 0 has shape 2x5, expected 3x5"),
    ]:
        with pytest.raises(ta.Error, match=message):
            matmul(x, b)
    text = "func.func @main(%x: TYPE) -> (TYPE, TYPE) { return %x, %x : TYPE, TYPE }"
    for type_, x in [("i1", True), ("f64", 0.5), ("i8", -3), ("ui8", 200)]:
        both = ta.Module(text.replace("TYPE", f"tensor<{type_}>")).compile()
        for _ in range(3):
            name = both.inputs[0].dtype
            for y in (*both(x), *both(np.asarray(x, name)), *both(np.dtype(name).type(x))):
                assert y == x and y.dtype == name


def test_calls_in_threads(matmul):
    a, b = matmul_inputs()
    expected = matmul(a, b)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: matmul(a, b), range(200)))
    assert all((result == expected).all() for result in results)


def test_modules_in_threads(matmul):
    """A module of all threads, and modules of their own: rewritten, compiled,
    interpreted, refused and called at the same time."""
    a, b = matmul_inputs()
    expected = matmul(a, b)
    shared = ta.Module(MATMUL)
    raised = str(shared.run("tensoraccess-raise"))
    right = []

    def work(own):
        for _ in range(5):
            module = ta.Module(MATMUL) if own else shared
            right.append(str(module.run("tensoraccess-raise")) == raised)
            for f in (module.compile(), module.interpret(), matmul):
                right.append((f(a, b) == expected).all())
            with pytest.raises(ta.Error, match="nothing"):
                module.compile("nothing")
            right.append(True)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [True, False] * 2))
    assert right == [True] * (4 * 5 * 5)


def test_the_gil_is_free_during_a_call():
    """While a long loop runs, this thread goes on counting."""
    f = ta.Module(
        """
        func.func @main(%m: memref<i64>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = arith.constant 300000000 : index
          scf.for %i = %c0 to %n step %c1 {
            %x = memref.load %m[] : memref<i64>
            %k = arith.constant 6364136223846793005 : i64
            %y = arith.muli %x, %k : i64
            %z = arith.xori %y, %k : i64
            memref.store %z, %m[] : memref<i64>
          }
          return
        }"""
    ).compile(opt_level=1)
    done = threading.Event()

    def work():
        f(np.ones((), np.int64))
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    count = 0
    while not done.is_set():
        count += 1
        done.wait(0.001)
    thread.join()
    assert count > 3


def test_libraries_of_compiled_code_are_its_own():
    # Others have an LLVM of their own, which must not be given ours.
    code = """
import ctypes, numpy as np, tensoraccess as ta
ta.Module('''func.func @main(%x: tensor<4xf16>) -> tensor<4xf32> {
  %0 = arith.extf %x : tensor<4xf16> to tensor<4xf32>
  return %0 : tensor<4xf32> }''').compile(cache=False)(np.ones(4, np.float16))
loaded = open("/proc/self/maps").read()
assert "mlir_float16_utils" in loaded or "libMLIR" not in loaded  # a wheel
assert not hasattr(ctypes.CDLL(None), "LLVMContextCreate")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
