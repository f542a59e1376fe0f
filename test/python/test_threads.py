# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs cut for four cores, on any number of threads: the bits of one thread, and
of the interpreter; the failure that the loop would meet first."""

import os
import threading

import ml_dtypes
import numpy as np
import pytest

import tensoraccess as ta

TARGET = "tensoraccess.target = #tensoraccess.target<four, cores = 4>"


def module(text):
    return ta.Module(f"module attributes {{{TARGET}}} {{\n{text}\n}}")


def product(m, k, n, relu=False, type_="f32"):
    a, b, c = f"{m}x{k}x{type_}", f"{k}x{n}x{type_}", f"{m}x{n}x{type_}"
    tail = "" if not relu else f"""
  %t = tensor.empty() : tensor<{c}>
  %g = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%r, %bias : tensor<{c}>, tensor<{n}x{type_}>) outs(%t : tensor<{c}>) {{
  ^bb0(%x: {type_}, %y: {type_}, %o: {type_}):
    %s = arith.addf %x, %y : {type_}
    %p = arith.maximumf %s, %z : {type_}
    linalg.yield %p : {type_}
  }} -> tensor<{c}>"""
    zero = "0" if type_.startswith("i") else "0.0"
    return f"""
func.func @main(%a: tensor<{a}>, %b: tensor<{b}>, %bias: tensor<{n}x{type_}>)
    -> tensor<{c}> {{
  %z = arith.constant {zero} : {type_}
  %e = tensor.empty() : tensor<{c}>
  %f = linalg.fill ins(%z : {type_}) outs(%e : tensor<{c}>) -> tensor<{c}>
  %r = linalg.matmul ins(%a, %b : tensor<{a}>, tensor<{b}>)
       outs(%f : tensor<{c}>) -> tensor<{c}>{tail}
  return %{"g" if relu else "r"} : tensor<{c}>
}}"""


def convolution(h, w, ci, co, stride, kernel):
    oh, ow = (h - kernel) // stride + 1, (w - kernel) // stride + 1
    x, k, y = f"2x{h}x{w}x{ci}xf32", f"{kernel}x{kernel}x{ci}x{co}xf32", \
        f"2x{oh}x{ow}x{co}xf32"
    return f"""
func.func @main(%x: tensor<{x}>, %k: tensor<{k}>) -> tensor<{y}> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{y}>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{y}>) -> tensor<{y}>
  %r = linalg.conv_2d_nhwc_hwcf {{strides = dense<{stride}> : tensor<2xi64>,
      dilations = dense<1> : tensor<2xi64>}} ins(%x, %k : tensor<{x}>, tensor<{k}>)
      outs(%f : tensor<{y}>) -> tensor<{y}>
  return %r : tensor<{y}>
}}"""


MOVE = """
func.func @main(%x: tensor<509x1021xf32>) -> tensor<1021x509xf32> {
  %e = tensor.empty() : tensor<1021x509xf32>
  %r = linalg.transpose ins(%x : tensor<509x1021xf32>)
       outs(%e : tensor<1021x509xf32>) permutation = [1, 0]
  return %r : tensor<1021x509xf32>
}"""

NEXT = """
func.func @main(%x: tensor<2050x512xf64>, %y: tensor<2048x512xf64>)
    -> tensor<2048x512xf64> {
  %e = tensor.empty() : tensor<2048x512xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 2, j)>,
      affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<2050x512xf64>, tensor<2048x512xf64>)
      outs(%e : tensor<2048x512xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %0 = arith.addf %a, %b : f64
    linalg.yield %0 : f64
  } -> tensor<2048x512xf64>
  return %r : tensor<2048x512xf64>
}"""

EXP = """
func.func @main(%x: tensor<127x1021xf64>) -> tensor<127x1021xf64> {
  %0 = math.sqrt %x : tensor<127x1021xf64>
  %1 = arith.mulf %0, %x : tensor<127x1021xf64>
  return %1 : tensor<127x1021xf64>
}"""

ROWS = """
func.func @main(%x: tensor<1021x509xf32>) -> tensor<1021xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1021xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1021xf32>) -> tensor<1021xf32>
  %r = linalg.reduce ins(%x : tensor<1021x509xf32>) outs(%f : tensor<1021xf32>)
       dimensions = [1] (%a: f32, %b: f32) {
         %s = arith.addf %a, %b : f32
         linalg.yield %s : f32
       }
  return %r : tensor<1021xf32>
}"""

def rows(count, size, head=""):
    """exp(x - max) / sum by rows, and a mean and a variance of them."""
    t, r = f"tensor<{head}{count}x{size}xf32>", f"tensor<{head}{count}xf32>"
    dims = "h, i, j" if head else "i, j"
    outer = "h, i" if head else "i"
    full, part = f"affine_map<({dims}) -> ({dims})>", f"affine_map<({dims}) -> ({outer})>"
    parallel = ", ".join(['"parallel"'] * (2 + bool(head)))
    summed = parallel[:-len('"parallel"')] + '"reduction"'

    def reduce(name, start, op, of):
        return f"""
  %{name}e = tensor.empty() : {r}
  %{name}f = linalg.fill ins(%{start} : f32) outs(%{name}e : {r}) -> {r}
  %{name} = linalg.generic {{indexing_maps = [{full}, {part}],
      iterator_types = [{summed}]}} ins(%{of} : {t}) outs(%{name}f : {r}) {{
  ^bb0(%a: f32, %o: f32):
    %v = {op} %o, %a : f32
    linalg.yield %v : f32
  }} -> {r}"""

    def each(name, first, second, *steps):
        return f"""
  %{name} = linalg.generic {{indexing_maps = [{full}, {part}, {full}],
      iterator_types = [{parallel}]}} ins(%{first}, %{second} : {t}, {r})
      outs(%e : {t}) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    {"; ".join(steps).replace("; ", chr(10) + "    ")}
    linalg.yield %v : f32
  }} -> {t}"""

    return f"""
func.func @main(%x: {t}) -> ({t}, {r}) {{
  %z = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : {t}
""" + reduce("m", "least", "arith.maximumf", "x") \
        + each("p", "x", "m", "%d = arith.subf %a, %b : f32", "%v = math.sqrt %d : f32") \
        + reduce("s", "z", "arith.addf", "p") \
        + each("q", "p", "s", "%v = arith.divf %a, %b : f32") + f"""
  return %q, %s : {t}, {r}
}}"""


def extended(m, k, n, type_):
    """Factors of a small type, sums of f32."""
    return f"""
func.func @main(%a: tensor<{m}x{k}x{type_}>, %b: tensor<{k}x{n}x{type_}>)
    -> tensor<{m}x{n}xf32> {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
      affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : tensor<{m}x{k}x{type_}>, tensor<{k}x{n}x{type_}>)
      outs(%f : tensor<{m}x{n}xf32>) {{
  ^bb0(%x: {type_}, %y: {type_}, %o: f32):
    %0 = arith.extf %x : {type_} to f32
    %1 = arith.extf %y : {type_} to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  }} -> tensor<{m}x{n}xf32>
  return %r : tensor<{m}x{n}xf32>
}}"""


PROGRAMS = {
    "bf16": extended(200, 70, 190, "bf16"),
    "f16": extended(131, 70, 257, "f16"),
    "by rows": rows(1024, 300),
    "odd rows": rows(1021, 333),
    "by heads": rows(96, 100, head="12x"),
    "product": product(256, 256, 256),
    "odd product": product(127, 509, 251, relu=True),
    "tall product": product(4099, 37, 5),
    "row": product(1, 1024, 1021),
    "column": product(1021, 1024, 1),
    "f64": product(130, 200, 190, type_="f64"),
    "i32": product(130, 200, 190, type_="i32"),
    "convolution": convolution(30, 30, 16, 32, 1, 3),
    "strides": convolution(57, 57, 7, 13, 2, 5),
    "move": MOVE,
    "two rows on": NEXT,
    "elementwise": EXP,
    "rows": ROWS,
}


def draw(executable, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(-9, 9, t.shape).astype(t.dtype) if t.dtype.startswith("int")
            else np.abs(rng.standard_normal(t.shape)).astype(
                ml_dtypes.bfloat16 if t.dtype == "bfloat16" else t.dtype)
            for t in executable.inputs]


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_bits(name):
    program = module(PROGRAMS[name])
    plain = program.compile(plain=True)
    arrays = draw(plain)
    def same(found, expected):
        if not isinstance(found, tuple):
            found, expected = (found,), (expected,)
        return all(np.array_equal(a, b, equal_nan=True)
                   for a, b in zip(found, expected, strict=True))

    want = plain(*arrays)
    assert same(want, program.interpret()(*arrays))
    for threads in (0, 1, 2, 3, 8):
        run = program.compile(threads=threads)
        for _ in range(3):
            assert same(run(*arrays), want), threads


def test_is_cut():
    """Otherwise the tests above show nothing."""
    for name, text in PROGRAMS.items():
        program = module(text)
        lowered = program.run("builtin.module(tensoraccess-cpu)")
        assert "tensoraccess_parallel" in str(lowered), name


GATHER = """
func.func @main(%t: tensor<100xf32>, %i: tensor<512x256xindex>)
    -> tensor<512x256xf32> {
  %e = tensor.empty() : tensor<512x256xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%i : tensor<512x256xindex>) outs(%e : tensor<512x256xf32>) {
  ^bb0(%at: index, %o: f32):
    %v = tensor.extract %t[%at] : tensor<100xf32>
    linalg.yield %v : f32
  } -> tensor<512x256xf32>
  return %r : tensor<512x256xf32>
}"""


def test_first_failure():
    program = module(GATHER)
    run, plain = program.compile(threads=4), program.compile(plain=True)
    table = np.arange(100, dtype=np.float32)
    indices = np.zeros((512, 256), np.int64)
    assert np.array_equal(run(table, indices), table[indices])
    rng = np.random.default_rng(0)
    for _ in range(20):
        wrong = indices.copy()
        wrong.flat[rng.integers(0, wrong.size, 5)] = rng.integers(100, 1000, 5)
        with pytest.raises(ta.Error) as serial:
            plain(table, wrong)
        with pytest.raises(ta.Error) as parallel:
            run(table, wrong)
        assert str(parallel.value) == str(serial.value)
    assert np.array_equal(run(table, indices), table[indices])


FORALL = """
func.func @main(%x: tensor<6x64xf32>) -> tensor<6x64xf32> {
  %one = arith.constant 1.0 : f32
  %r = scf.forall (%i) in (6) shared_outs(%o = %x) -> tensor<6x64xf32> {
    %row = tensor.extract_slice %x[%i, 0] [1, 64] [1, 1]
        : tensor<6x64xf32> to tensor<1x64xf32>
    %e = tensor.empty() : tensor<1x64xf32>
    %s = scf.forall (%j) in (4) shared_outs(%p = %e) -> tensor<1x64xf32> {
      %at = affine.apply affine_map<(j) -> (16 * j)>(%j)
      %part = tensor.extract_slice %row[0, %at] [1, 16] [1, 1]
          : tensor<1x64xf32> to tensor<1x16xf32>
      %d = arith.addf %part, %part : tensor<1x16xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %d into %p[0, %at] [1, 16] [1, 1]
            : tensor<1x16xf32> into tensor<1x64xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 64] [1, 1]
          : tensor<1x64xf32> into tensor<6x64xf32>
    }
  }
  return %r : tensor<6x64xf32>
}"""


def test_loops_of_users():
    x = np.arange(384, dtype=np.float32).reshape(6, 64)
    for threads in (1, 2, 5):
        assert np.array_equal(ta.Module(FORALL).compile(threads=threads)(x), x + x)


OVERLAP = """
func.func @main(%x: memref<1000000xf64>, %y: memref<1000000xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x : memref<1000000xf64>)
      outs(%y : memref<1000000xf64>) {
  ^bb0(%a: f64, %b: f64):
    %0 = arith.addf %a, %b : f64
    linalg.yield %0 : f64
  }
  return
}"""


def test_buffers_of_the_caller():
    """Buffers that overlap are walked in the order of the loop."""
    run = module(OVERLAP).compile(threads=4)
    for distance in (1, 7):
        data = np.arange(1000000 + distance, dtype=np.float64) % 3
        want = data.copy()
        module(OVERLAP).compile(plain=True)(want[:1000000], want[distance:])
        run(data[:1000000], data[distance:])
        assert np.array_equal(data, want)


def test_calls_from_threads():
    run = module(PROGRAMS["product"]).compile()
    inputs = [draw(run, seed) for seed in range(4)]
    wanted = [run(*x) for x in inputs]
    wrong = []

    def call(k):
        for _ in range(20):
            if not np.array_equal(run(*inputs[k]), wanted[k]):
                wrong.append(k)

    threads = [threading.Thread(target=call, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_after_fork():
    run = module(PROGRAMS["product"]).compile(threads=4)
    x = draw(run)
    want = run(*x)
    child = os.fork()
    if child == 0:
        # pylint: disable=protected-access
        os._exit(0 if np.array_equal(run(*x), want) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert np.array_equal(run(*x), want)


def test_bad_numbers():
    with pytest.raises(ta.Error, match="threads must be at least 0, got -1"):
        module(EXP).compile(threads=-1)
