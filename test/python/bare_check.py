# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by test_wheel.py where there is Python, numpy and the package, and no more."""

import contextlib
import ctypes
import io
import os
import pathlib
import platform
import subprocess
import sys

import numpy as np

import tensoraccess as ta
from tensoraccess.__main__ import main

for folder, folders, files in os.walk("/"):
    if folder == "/":
        folders[:] = [f for f in folders if f not in ("proc", "sys")]
    found = [f for f in files if f.startswith(("libLLVM", "libMLIR"))]
    assert not found, (folder, found)
native = pathlib.Path(ta.__file__).parent
assert {f.name for f in native.iterdir()} >= {"py.typed", "_native.pyi"}

m = ta.IndexingMap("(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 4], s0 in [0, 2]")
assert m.image(ta.Box([0], [2])).hull == ta.Box([0], [5])
layout = ta.Layout("f32[3,5]{1,0:T(2,2)}")
array = np.arange(15, dtype="f").reshape(3, 5)
assert layout.linearize((2, 3)) == 17
assert np.array_equal(layout.unpack(layout.pack(array)), array)

PROGRAM = """
func.func @main(%a: tensor<37x41xf32>, %b: tensor<41x29xf32>) -> tensor<37x29xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<37x29xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<37x29xf32>) -> tensor<37x29xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<37x41xf32>, tensor<41x29xf32>)
    outs(%init : tensor<37x29xf32>) -> tensor<37x29xf32>
  %1 = math.tanh %0 : tensor<37x29xf32>
  return %1 : tensor<37x29xf32>
}
"""
module = ta.Module(PROGRAM)
random = np.random.default_rng(1)
a, b = random.random((37, 41), "f"), random.random((41, 29), "f") / 16
expected = np.tanh(a @ b)
for program in module, ta.Module(PROGRAM).run("tensoraccess-raise"):
    assert np.allclose(program.compile("main")(a, b), expected, atol=1e-6)
assert np.allclose(module.interpret("main")(a, b), expected, atol=1e-6)
ta.Module(PROGRAM).run("tensoraccess-saturate{rules=linalg}")
assert "linalg.matmul" in module.explore().html

# Small floats where the processor has no instruction for them, by the module's own
# functions: all of f16, and what lies next to the middle of two.
CONVERT = """
func.func @main(%h: tensor<65536xf16>, %d: tensor<?xf64>)
    -> (tensor<65536xf32>, tensor<?xf16>, tensor<?xf16>, tensor<?xf32>) {
  %f = arith.extf %h : tensor<65536xf16> to tensor<65536xf32>
  %0 = arith.truncf %d : tensor<?xf64> to tensor<?xf16>
  %1 = arith.truncf %d : tensor<?xf64> to tensor<?xf32>
  %2 = arith.truncf %1 : tensor<?xf32> to tensor<?xf16>
  %3 = arith.truncf %d : tensor<?xf64> to tensor<?xbf16>
  %4 = arith.extf %3 : tensor<?xbf16> to tensor<?xf32>
  return %f, %0, %2, %4 : tensor<65536xf32>, tensor<?xf16>, tensor<?xf16>, tensor<?xf32>
}
"""
halves = np.arange(65536, dtype=np.uint16).view(np.float16)
finite = halves[np.isfinite(halves)].astype(np.float64)
middles = (np.sort(finite)[:-1] + np.sort(finite)[1:]) / 2
doubles = np.concatenate([finite, middles, middles * (1 + 2e-16), middles * (1 - 2e-16),
                          [65519.999, 65520, 1e9, -1e300, np.inf, 1e-8, -1e-310]])  # fmt: skip
convert = ta.Module(CONVERT).compile(
    "main", cpu="x86-64-v2" if platform.machine() == "x86_64" else "host", plain=True)  # fmt: skip
with np.errstate(over="ignore"):
    widened, once, twice, bf16 = convert(halves, doubles)
    assert np.array_equal(widened, halves.astype("f"), equal_nan=True)
    assert np.array_equal(once, doubles.astype(np.float16))
    assert np.array_equal(twice, doubles.astype("f").astype(np.float16))
    plain = (1e-30 < abs(doubles)) & (abs(doubles) < 1e30)
    bits, doubles = bf16[plain].view(np.int32), doubles[plain]
    assert not (bits & 0xFFFF).any()
    away = [abs((bits + step).view("f") - doubles) for step in (0, -0x10000, 0x10000)]
    assert (away[0] <= np.minimum(away[1], away[2])).all()


class Matrix(ctypes.Structure):
    _fields_ = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                ("numbers", ctypes.c_int64 * 5)]  # fmt: skip


class Unranked(ctypes.Structure):
    _fields_ = [("rank", ctypes.c_int64), ("memref", ctypes.POINTER(Matrix))]


def unranked(array, offset, sizes, strides):
    numbers = (ctypes.c_int64 * 5)(offset, *sizes, *strides)
    return Unranked(2, ctypes.pointer(Matrix(None, array.ctypes.data, numbers)))


# Copies of strided buffers, as programs call them.
copied = np.zeros((3, 4), "f")
ctypes.CDLL(ta._native.__file__).memrefCopy(
    ctypes.c_int64(4),
    ctypes.byref(unranked(array, 1, (3, 2), (5, 2))),
    ctypes.byref(unranked(copied, 1, (3, 2), (4, 1))))  # fmt: skip
assert np.array_equal(copied[:, 1:3], array[:, 1:5:2]) and not copied[:, ::3].any()

said = io.StringIO()
with contextlib.redirect_stdout(said):
    assert main([]) == 0
assert f"tensoraccess {ta.__version__}\n" in said.getvalue()

# As pip's scripts do it.
SCRIPT = "import sys, tensoraccess._tools as t; sys.argv = sys.argv[1:]; sys.exit(t.main())"


def tool(name, *arguments, given=PROGRAM, code=0):
    """What a tool prints that reads a text."""
    run = subprocess.run([sys.executable, "-c", SCRIPT, f"/bin/tensoraccess-{name}", *arguments],
                         input=given, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True)  # fmt: skip
    assert run.returncode == code, run.stdout
    return run.stdout


assert "tensoraccess.compute dot_prod" in tool("opt", "--tensoraccess-raise")
assert "no-such-pass" in tool("opt", "--no-such-pass", code=1)
assert "equal" in tool("run", "-", "--entry=main", "--inputs=random:1", "--compare=interpret")
assert tool("explore", "-", "-o", "/tmp/page.html").startswith("/tmp/page.html: ")
assert "<svg" in tool("translate", "--layout-to-svg", given="f32[3,5]{1,0:T(2,2)}\n")
assert "error: 'tensoraccess-none' is not a tool" in tool("none", code=1)
print("all is well")
