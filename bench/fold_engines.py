#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the functions of fuzz_folds.py in an engine of tensoraccess-run, many in a
program. One of scalars runs for all rows of arguments at once: it is the body of a
linalg.generic, between 64-bit integers that hold the bits of its arguments and
results. One of tensors is called, with one choice of arguments.
"""

import ast
import math
import pathlib
import re
import subprocess
import tempfile

from fuzz_folds import print_op, run_block, text_of
from generic_ir import FORMATS, Array, Unknown, bits_of, decode, encode
from oracle_ops import refines

ROWS = 64


def to_bits(type_, value):
    if type_ in FORMATS:
        # Any NaN is as good as another one.
        value = encode(type_, value) if value == value else encode(type_, float("inf")) | 1
    return value - (1 << 64) if value >> 63 else value


def from_bits(type_, value):
    value &= (1 << bits_of(type_)) - 1
    return decode(type_, value) if type_ in FORMATS else value


def write_array(path, array, bits):
    """A .npy of integers."""
    header = (f"{{'descr': '<i{bits // 8}', 'fortran_order': False, "
              f"'shape': {array.shape}, }}")
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
                     + header.encode() + b"".join(
                         (v % (1 << bits)).to_bytes(bits // 8, "little")
                         for v in array.elements))


def read_array(path):
    data = path.read_bytes()
    start = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:start].decode())
    size = int(header["descr"][2:])
    return Array(header["shape"], [
        int.from_bytes(data[start + size * i:start + size * (i + 1)], "little")
        for i in range(math.prod(header["shape"]))])


def convert(name, type_, into):
    """Ops that turn an i64 into a value of a type, or back; the value is %name."""
    source, target = f"%{name}.bits", f"%{name}"
    bits = bits_of(type_)
    if not into:
        source, target = target, source
    text = []
    if type_ in FORMATS:
        if bits == 64:
            return f"{target} = arith.bitcast {source} : " + (
                "i64 to f64\n" if into else "f64 to i64\n")
        steps = ([f"%{name}.int = arith.trunci {source} : i64 to i{bits}",
                  f"{target} = arith.bitcast %{name}.int : i{bits} to {type_}"] if into else
                 [f"%{name}.int = arith.bitcast {source} : {type_} to i{bits}",
                  f"{target} = arith.extui %{name}.int : i{bits} to i64"])
        text += steps
    elif type_ == "index":
        text.append(f"{target} = arith.index_cast {source} : "
                    + ("i64 to index" if into else "index to i64"))
    elif bits == 64:
        # A bitcast to the same type is nothing, and a name of its own.
        text.append(f"{target} = arith.bitcast {source} : i64 to i64")
    else:
        text.append(f"{target} = arith.trunci {source} : i64 to i{bits}" if into else
                    f"{target} = arith.extui {source} : i{bits} to i64")
    return "".join(f"    {line}\n" for line in text)


class Rows:
    """A function of scalars, and the rows for which it has a meaning."""

    bits = 64
    definition = staticmethod(lambda number: "")

    def __init__(self, function):
        self.function = function
        self.types = [t for _, t in function.arguments]
        self.result_types = function.result_types
        rows = [(row, run_block(function.block, row)) for row in function.samples()]
        rows = [(row, results) for row, results in rows if results is not None][:ROWS]
        self.rows = rows and (rows * ROWS)[:ROWS]
        self.inputs = [Array((ROWS,), [to_bits(t, row[i]) for row, _ in self.rows])
                       for i, t in enumerate(self.types)]
        self.input_types = [f"tensor<{ROWS}xi64>"] * len(self.types)
        self.output_types = [f"tensor<{ROWS}xi64>"] * len(self.result_types)

    def difference(self, outputs):
        for i, (row, expected) in enumerate(self.rows):
            got = [from_bits(t, a.elements[i]) for t, a in zip(self.result_types, outputs)]
            if not all(map(refines, expected, got)):
                return f"{row} gave {got}, not {expected}"
        return None

    def body(self, number):
        """The loop; its values are those of the function, with a prefix."""
        def rename(text):
            return re.sub(r"%v(\d+)", rf"%f{number}.\1", text)

        ops = self.function.block.ops
        arguments = [rename(n)[1:] for n, _ in self.function.arguments]
        results = [f"f{number}.r{i}" for i in range(len(self.result_types))]
        lines = [f"  %f{number}.e = tensor.empty() : tensor<{ROWS}xi64>\n"]
        map_ = "affine_map<(d0) -> (d0)>"
        count = len(arguments) + len(results)
        types = ", ".join([f"tensor<{ROWS}xi64>"] * len(arguments))
        outs = ", ".join([f"tensor<{ROWS}xi64>"] * len(results))
        lines.append(
            f"  %r{number}:{len(results)} = linalg.generic {{indexing_maps = "
            f"[{', '.join([map_] * count)}], iterator_types = [\"parallel\"]}} "
            f"ins({', '.join(f'%a{number}.{i}' for i in range(len(arguments)))} : {types}) "
            f"outs({', '.join([f'%f{number}.e'] * len(results))} : {outs}) {{\n  ^bb0("
            + ", ".join([f"%{a}.bits: i64" for a in arguments]
                        + [f"%f{number}.o{i}: i64" for i in range(len(results))]) + "):\n")
        for argument, type_ in zip(arguments, self.types):
            lines.append(convert(argument, type_, True))
        lines += [rename(print_op(op, "    ")) for op in ops[:-1]]
        for result, name, type_ in zip(results, ops[-1].operands, self.result_types):
            lines.append(convert(result, type_, False).replace(
                f"%{result} ", rename(name) + " "))
        lines.append(f"    linalg.yield {', '.join(f'%{r}.bits' for r in results)} : "
                     f"{', '.join(['i64'] * len(results))}\n  }} -> ({outs})\n")
        return "".join(lines)


class Call:
    """A function of tensors, and the first choice of arguments."""

    bits = 8

    def __init__(self, function):
        self.function = function
        self.rows = [(row, results) for row, results in
                     ((row, run_block(function.block, row)) for row in function.samples())
                     if results is not None][:1]
        self.inputs = [v if isinstance(v, Array) else Array((), [v])
                       for row, _ in self.rows for v in row]
        self.input_types = [t for _, t in function.arguments]
        self.output_types = function.result_types

    def difference(self, outputs):
        (row, expected), = self.rows
        return None if all(map(refines, expected, outputs)) else (
            f"{row} gave {outputs}, not {expected}")

    def definition(self, number):
        return text_of(self.function, f"f{number}").replace(
            "sym_name", 'sym_visibility = "private", sym_name')

    def body(self, number):
        names = ", ".join(f"%a{number}.{i}" for i in range(len(self.input_types)))
        return (f"  %r{number}:{len(self.output_types)} = func.call @f{number}({names}) : "
                f"({', '.join(self.input_types)}) -> ({', '.join(self.output_types)})\n")


def case_of(function):
    """None where the oracle has no answer, or a vector is an argument."""
    is_scalar = not hasattr(function, "kind")
    if not is_scalar and function.kind == "vector":
        return None
    try:
        return Rows(function) if is_scalar else Call(function)
    except Unknown:
        return None


def module_of(cases):
    """A module whose @main computes all of them."""
    arguments = [f"%a{n}.{i}: {t}" for n, case in enumerate(cases)
                 for i, t in enumerate(case.input_types)]
    results = [f"%r{n}#{i}" for n, case in enumerate(cases)
               for i in range(len(case.output_types))]
    types = ", ".join(t for case in cases for t in case.output_types)
    return ("".join(case.definition(n) for n, case in enumerate(cases))
            + f"func.func @main({', '.join(arguments)}) -> ({types}) {{\n"
            + "".join(case.body(n) for n, case in enumerate(cases))
            + f"  return {', '.join(results)} : {types}\n}}\n")


def run_engine(functions, tool, options):
    """For each function that isn't computed rightly: it, why, and whether the engine
    has refused it."""
    cases = [case for case in map(case_of, functions) if case and case.rows]
    if not cases:
        return []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "m.mlir").write_text(module_of(cases))
        inputs, outputs = [], []
        for number, case in enumerate(cases):
            for i, array in enumerate(case.inputs):
                inputs.append(folder / f"a{number}.{i}.npy")
                write_array(inputs[-1], array, case.bits)
            outputs.append([folder / f"r{number}.{i}.npy"
                            for i in range(len(case.output_types))])
        run = subprocess.run(
            [tool, str(folder / "m.mlir"), "--entry=main", *options,
             "--inputs=" + ",".join(map(str, inputs)),
             "--outputs=" + ",".join(str(p) for paths in outputs for p in paths)],
            capture_output=True, text=True)
        if run.returncode == 0:
            found = [(case.function, case.difference(list(map(read_array, paths))), False)
                     for case, paths in zip(cases, outputs)]
            return [each for each in found if each[1]]
    if len(functions) > 1:
        half = len(functions) // 2
        return (run_engine(functions[:half], tool, options)
                + run_engine(functions[half:], tool, options))
    is_refused = run.returncode == 1 and "error: " in run.stderr
    why = (run.stderr.split("error: ")[-1].split("\n")[0] if is_refused
           else f"fails: {run.stderr[:400]}")
    return [(functions[0], why, is_refused)]
