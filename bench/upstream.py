# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An engine that is not ours: upstream's own lowering, without canonicalization.

A module goes through `mlir-opt` (one-shot-bufferize, linalg to loops, then all
conversions to LLVM), `mlir-translate` and clang, and its function is called with
NumPy arrays. Programs are of linalg, tensor, scf, affine, arith, math, index,
vector, func and cf, on elements of whole bytes and i1.

What upstream is known to do wrongly is in FAULTS, each with a pass of upstream's
that goes around it; a test runs each fault's program without, to tell when it is
mended.
"""
import collections
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import numpy as np

PIPELINE = ("builtin.module(%s"
            "func.func(convert-elementwise-to-linalg),"
            "empty-tensor-to-alloc-tensor,"
            "one-shot-bufferize{bufferize-function-boundaries "
            "function-boundary-type-conversion=identity-layout-map "
            "allow-return-allocs-from-loops},"
            "func.func(convert-linalg-to-loops,scf-forall-to-for,"
            "scf-parallel-for-to-nested-fors,lower-vector-multi-reduction),"
            "expand-strided-metadata,lower-affine,"
            "func.func(convert-vector-to-scf),"
            "convert-scf-to-cf,lower-affine,convert-vector-to-llvm,"
            "convert-math-to-llvm,convert-math-to-libm,arith-expand,"
            "convert-arith-to-llvm,convert-index-to-llvm,"
            "finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,"
            "convert-ub-to-llvm,reconcile-unrealized-casts)")

TYPES = {"i1": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8",
         "index": "i8", "f32": "f4", "f64": "f8"}

#: What is known to be wrong: a pattern of such programs, what happens, the passes
#: that go around it (None where there are none: such programs are refused), and a
#: program with what NumPy computes of its inputs.
Fault = collections.namedtuple("Fault", "name pattern what around program inputs right")
FAULTS = [
    Fault(
        "linalg.map that reads its outs", r"linalg\.map\b",
        "payloadUsesValueFromOperand of linalg.map is false for its init, so that "
        "one-shot-bufferize gives it a buffer without what the body reads",
        "func.func(linalg-generalize-named-ops),",
        """func.func @main(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i32
  %t = linalg.add ins(%x, %x : tensor<4xi32>, tensor<4xi32>) outs(%x : tensor<4xi32>) -> tensor<4xi32>
  %m = linalg.map ins(%x : tensor<4xi32>) outs(%t : tensor<4xi32>)
    (%in: i32, %out: i32) {
      %s = arith.addi %in, %out : i32
      linalg.yield %s : i32
    }
  %a = tensor.insert %seven into %t[%c0] : tensor<4xi32>
  return %a, %m : tensor<4xi32>, tensor<4xi32>
}
""",
        [np.array([1, 2, 3, 4], "i4")],
        [np.array([7, 4, 6, 8], "i4"), np.array([3, 6, 9, 12], "i4")]),
    Fault(
        "vector.transfer_write at zeros", r"vector\.transfer_write\b",
        "one-shot-bufferize takes a write at constant zeros for one of all elements, "
        "though its vector has fewer dimensions or a mask, and keeps nothing of its tensor",
        None,
        """func.func @main(%x: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<7> : vector<4xi32>
  %t = linalg.add ins(%x, %x : tensor<2x4xi32>, tensor<2x4xi32>) outs(%x : tensor<2x4xi32>) -> tensor<2x4xi32>
  %w = vector.transfer_write %v, %t[%c0, %c0] {in_bounds = [true]} : vector<4xi32>, tensor<2x4xi32>
  %s = linalg.sub ins(%w, %t : tensor<2x4xi32>, tensor<2x4xi32>) outs(%x : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %s : tensor<2x4xi32>
}
""",
        [np.arange(8, dtype="i4").reshape(2, 4)],
        [np.array([[7, 5, 3, 1], [0, 0, 0, 0]], "i4")]),
    Fault(
        "scf.index_switch of tensors", r"scf\.index_switch [^\n]*-> \(?tensor",
        "one-shot-bufferize does not know that its results are what it yields, and "
        "writes to constants and to what is read later",
        None,
        """func.func @main(%i: index, %x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %c0 = arith.constant 0 : index
  %k = arith.constant 77 : i32
  %y = linalg.add ins(%x, %x : tensor<3xi32>, tensor<3xi32>) outs(%x : tensor<3xi32>) -> tensor<3xi32>
  %z = linalg.add ins(%x, %y : tensor<3xi32>, tensor<3xi32>) outs(%x : tensor<3xi32>) -> tensor<3xi32>
  %s = scf.index_switch %i -> tensor<3xi32>
  case 1 {
    scf.yield %y : tensor<3xi32>
  }
  default {
    scf.yield %z : tensor<3xi32>
  }
  %r = tensor.insert %k into %s[%c0] : tensor<3xi32>
  return %r, %y : tensor<3xi32>, tensor<3xi32>
}
""",
        [np.int64(1), np.array([1, 2, 3], "i4")],
        [np.array([77, 4, 6], "i4"), np.array([2, 4, 6], "i4")]),
]


class Refused(Exception):
    """Upstream does not compile the program."""


def find_tool(name):
    """A tool of LLVM 22; None where there is none."""
    return shutil.which(f"{name}-22") or shutil.which(name, path="/usr/lib/llvm-22/bin")


def is_there():
    return all(map(find_tool, ("mlir-opt", "mlir-translate", "clang")))


def go_around(text):
    """The passes that keep a program from what is known to be wrong."""
    faults = [f for f in FAULTS if re.search(f.pattern, text)]
    for f in faults:
        if f.around is None:
            raise Refused(f"known to be wrong: {f.name}")
    return "".join(f.around for f in faults)


def split_types(text):
    """The types of a list, at its commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "<([") - (c in ">)]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def read_type(text):
    """(rank, or None for a scalar, NumPy's type)."""
    tensor = re.fullmatch(r"tensor<((?:[\d?]+x)*)(\w+)>", text)
    rank, element = (tensor[1].count("x"), tensor[2]) if tensor else (None, text)
    if element not in TYPES:
        raise Refused(f"elements of type {element}")
    return rank, np.dtype(TYPES[element])


def descriptor_of(rank):
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
              ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type(f"MemRef{rank}", (ctypes.Structure,), {"_fields_": fields})


def scalar_of(dtype):
    return np.ctypeslib.as_ctypes_type(dtype)


def pass_array(array, rank):
    memref = descriptor_of(rank)()
    memref.allocated = memref.aligned = array.ctypes.data
    for d in range(rank):
        memref.sizes[d] = array.shape[d]
        memref.strides[d] = array.strides[d] // array.itemsize
    return memref


def take_array(memref, rank, dtype):
    shape = tuple(memref.sizes) if rank else ()
    if 0 in shape:
        return np.zeros(shape, dtype)
    steps = tuple(s * dtype.itemsize for s in memref.strides) if rank else ()
    reach = 1 + sum((n - 1) * s for n, s in zip(shape, memref.strides)) if rank else 1
    begin = memref.aligned + memref.offset * dtype.itemsize
    flat = np.frombuffer((ctypes.c_char * (reach * dtype.itemsize)).from_address(begin), dtype)
    return np.lib.stride_tricks.as_strided(flat, shape, steps).copy()


def compile_module(text, folder, first):
    """The path of a library with the module's @main."""
    marked = re.sub(r"(func\.func @main\(.*?\)[^{]*?) \{\n", r"\1 attributes {llvm.emit_c_interface} {\n",
                    text, count=1, flags=re.S)
    library = str(pathlib.Path(folder, "main.so"))
    libraries = pathlib.Path(find_tool("mlir-opt")).resolve().parent.parent / "lib"
    for command, given in (
            ([find_tool("mlir-opt"), "-", f"--pass-pipeline={PIPELINE % first}"], marked),
            ([find_tool("mlir-translate"), "--mlir-to-llvmir"], None),
            ([find_tool("clang"), "-O0", "-shared", "-fPIC", "-w", "-x", "ir", "-", "-o", library, "-lm",
              f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lmlir_c_runner_utils"], None)):
        given = done.stdout if given is None else given.encode()
        done = subprocess.run(command, input=given, capture_output=True, timeout=60)
        if done.returncode:
            error = re.search(r"error: (.*)", done.stderr.decode(errors="replace"))
            raise Refused(error[1][:200] if error else f"{os.path.basename(command[0])} fails")
    return library


def run(text, inputs, first=None):
    """The results of @main as a list of arrays; Refused, with the reason. `first`
    are passes, with commas after them, by default those that go around faults."""
    first = go_around(text) if first is None else first
    head = re.search(r"func\.func @main\((.*?)\)(?: -> (.*?))? \{\n", text, re.S)
    arguments = [read_type(a.split(":", 1)[1].strip()) for a in split_types(head[1])]
    given = (head[2] or "").strip()
    results = [read_type(t) for t in split_types(given[1:-1] if given.startswith("(") else given)]
    with tempfile.TemporaryDirectory() as folder:
        function = ctypes.CDLL(compile_module(text, folder, first))._mlir_ciface_main
        # Its arguments are its own: it may write over them.
        arrays = [np.array(x, dtype, order="C", copy=True) for x, (_, dtype) in zip(inputs, arguments)]
        passed = [ctypes.byref(pass_array(a, rank)) if rank is not None
                  else scalar_of(dtype)(a.item())
                  for a, (rank, dtype) in zip(arrays, arguments)]
        kinds = [descriptor_of(rank) if rank is not None else scalar_of(dtype) for rank, dtype in results]
        function.restype = None
        if len(results) == 1 and results[0][0] is None:
            function.restype = kinds[0]
            return [np.asarray(function(*passed), results[0][1])]
        fields = [(f"r{i}", kind) for i, kind in enumerate(kinds)]
        made = type("Results", (ctypes.Structure,), {"_fields_": fields})()
        function(ctypes.byref(made), *passed)
        return [take_array(value, rank, dtype) if rank is not None else np.asarray(value, dtype)
                for value, (rank, dtype) in zip((getattr(made, f"r{i}") for i in range(len(results))), results)]
