# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs StableHLO's test programs, which say themselves what is right.

    python3 bench/conformance.py stablehlo/testdata --json verdicts.json

PATH is a file, or a folder of a checkout of StableHLO: every .mlir in it that has
check ops (`check.expect_eq`, `check.expect_close`, … as ops or custom calls). They
are not part of this project. What is done with each:

  1. jaxlib's bindings read the text. What @inputs returns becomes arguments of
     @main, so that no pass can fold them; what is checked becomes its results; what
     is expected stays here, read from the text of the constants.
  2. The program runs in each engine, each time in a worker that may die.
  3. Results are compared in ulps. 'right' is what the check op allows:
     expect_eq    equal (and 0 = -0, NaN = NaN)
     expect_close 3 ulps, or its max_ulp_difference
     expect_almost_eq, check.eq of floats
                  0.001 and 0.0001, or its tolerance, absolutely
     The table counts the right ones by the ulps of their worst element.

A program that an engine refuses is counted by its reason. Exits with 1 if any
program is wrong, crashes its worker, or gives no answer in time.
"""
import functools
import os
import pathlib
import re
import sys

import numpy as np

import judging

#: numpy's names of MLIR's element types that arguments can have.
ARGUMENTS = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32",
             "i64": "int64", "ui8": "uint8", "ui16": "uint16", "ui32": "uint32",
             "ui64": "uint64", "f16": "float16", "bf16": "bfloat16",
             "f32": "float32", "f64": "float64",
             "complex<f32>": "complex64", "complex<f64>": "complex128"}
OTHERS = {"i2": "int2", "i4": "int4", "ui2": "uint2", "ui4": "uint4",
          "f8E3M4": "float8_e3m4", "f8E4M3": "float8_e4m3",
          "f8E4M3FN": "float8_e4m3fn", "f8E4M3FNUZ": "float8_e4m3fnuz",
          "f8E8M0FNU": "float8_e8m0fnu", "f4E2M1FN": "float4_e2m1fn",
          "f6E2M3FN": "float6_e2m3fn", "f6E3M2FN": "float6_e3m2fn",
          "f8E4M3B11FNUZ": "float8_e4m3b11fnuz", "f8E5M2": "float8_e5m2",
          "f8E5M2FNUZ": "float8_e5m2fnuz"}


class Refused(Exception):
    """A program that cannot be judged, and why."""


# ---------------------------------------------------------------------------
# Constants
# ---------------------------------------------------------------------------


def parse_type(text):
    """(element type, shape) of the text of a tensor type."""
    match = re.fullmatch(r"tensor<((?:\d+x)*)(.*)>", text.strip())
    if not match:
        raise Refused(f"a check of type {text}")
    return match[2], tuple(int(n) for n in match[1].split("x")[:-1])


def get_dtype(element):
    import ml_dtypes

    name = (ARGUMENTS | OTHERS).get(element)
    if not name:
        raise Refused(f"a check of element type {element}")
    return np.dtype(getattr(ml_dtypes, name, None) or name)


def parse_number(token, dtype):
    """One element; floats that have no digits are written as their bits."""
    if token in ("true", "false"):
        return token == "true"
    if token.startswith("("):
        return complex(*(parse_number(t.strip(), np.dtype(f"f{dtype.itemsize // 2}"))
                         for t in token[1:-1].split(",")))
    if not judging.is_float(dtype):
        return int(token, 0)
    if token.startswith("0x"):
        bits = int(token, 16).to_bytes(dtype.itemsize, "little")
        return np.frombuffer(bits, dtype)[0]
    return float(token)


def parse_dense(text):
    """An array of the text `dense<…> : tensor<…>`."""
    match = re.fullmatch(r"dense<(.*)>\s*:\s*(tensor<.*>)", text.strip(), re.S)
    if not match:
        raise Refused(f"a constant {text[:40]}")
    body, (element, shape) = match[1].strip(), parse_type(match[2])
    dtype = get_dtype(element)
    if body.startswith('"0x'):
        data = bytes.fromhex(body[3:-1])
        if element == "i1" and len(data) < np.prod(shape):
            bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
            return bits[:int(np.prod(shape))].astype(bool).reshape(shape)
        array = np.frombuffer(data, dtype)
        return (array if array.size > 1 else np.tile(array, int(np.prod(shape)))
                ).reshape(shape)
    tokens = re.findall(r"\([^)]*\)|[^\s,\[\]]+", body)
    array = np.array([parse_number(t, dtype) for t in tokens], object).astype(dtype)
    return (np.full(shape, array[0]) if array.size == 1 and not body.startswith("[")
            else array.reshape(shape))


# ---------------------------------------------------------------------------
# Programs
# ---------------------------------------------------------------------------


class Check:
    """What one check op says: its expected array, and what it allows."""

    def __init__(self, kind, attributes, expected):
        self.kind, self.expected = kind, expected
        self.ulps = self.tolerance = 0
        # What numpy computes in more digits, and how far results may be from it.
        self.exact, self.reach = None, 0
        if kind == "expect_close":
            self.ulps = int(attributes.get("max_ulp_difference", 3))
        elif kind.startswith("expect_almost_eq") or (
                kind == "eq" and expected.dtype.kind != "c"
                and judging.is_float(expected.dtype)):
            default = 1e-4 if kind == "eq" else 1e-3
            self.tolerance = float(attributes.get("tolerance", default))

    def allows(self, actual, ulps):
        """For each element, whether it is right."""
        if self.exact is not None:
            is_near = np.abs(actual - self.exact) <= self.reach
            return is_near | self.is_expected(actual, ulps)
        return self.is_expected(actual, ulps)

    def is_expected(self, actual, ulps):
        if not self.tolerance:
            return ulps <= self.ulps
        wide = complex if actual.dtype.kind == "c" else float
        near = np.abs(actual.astype(wide) - self.expected.astype(wide))
        return (ulps == 0) | (near <= self.tolerance)


def write_generic_checks(text):
    """Check ops of the check dialect, which no bindings know, in generic form."""
    value, type_ = r"%[\w#]+", r"tensor<[^\n]*>"
    text = re.sub(
        rf"^(\s*)check\.(\w+_const)\s+({value}),\s*(dense<.*?>)\s*:\s*({type_})",
        lambda m: f'{m[1]}"check.{m[2]}"({m[3]}) {{value = {m[4]} : {m[5]}}}'
                  f" : ({m[5]}) -> ()", text, flags=re.M | re.S)

    def write_pair(m):
        attributes = re.sub(r"(= \d+)", r"\1 : i64", m[5].strip(" ,\n"))
        types = m[6] if m[2] == "expect_close" else f"{m[6]}, {m[6]}"
        return (f'{m[1]}"check.{m[2]}"({m[3]}, {m[4]}) {{{attributes}}}'
                f" : ({types}) -> ()")

    return re.sub(rf"^(\s*)check\.(expect_(?:close|eq|almost_eq))\s+({value}),"
                  rf"\s*({value})([^:]*):\s*({type_})", write_pair, text, flags=re.M)


def get_check(op):
    """(kind, attributes as text) of a check op; None for any other."""
    attributes = {name: op.attributes[name] for name in op.attributes
                  if name != "value"}
    name = op.name
    if name == "stablehlo.custom_call":
        name = attributes["call_target_name"].value
    if not name.startswith("check."):
        return None
    return name[len("check."):], {
        k: re.sub(r"\s*:.*", "", str(v)) for k, v in attributes.items()}


def get_value(op):
    """The attribute `value` of an op as text. The bindings can't hold all of its
    element types, so it is read from the op's text."""
    text = op.get_asm(print_generic_op_form=True)
    return re.search(r"\bvalue = (dense<.*?> : tensor<.*>)}", text, re.S)[1]


def find_constants(function):
    """The ops of the constants that a function returns; None where it does more."""
    block = function.regions[0].blocks[0]
    values = list(list(block.operations)[-1].operands)
    owners = [value.owner for value in values]
    if any(getattr(o, "name", "") != "stablehlo.constant" for o in owners):
        return None
    return owners


@functools.cache
def make_context():
    """What jax.interpreters.mlir makes, without importing all of JAX."""
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, stablehlo
    from jaxlib.mlir.passmanager import PassManager

    context, registry = ir.Context(), ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    chlo.register_dialect(context)
    stablehlo.register_dialect(context)
    context.allow_unregistered_dialects = True
    # The dialect of quantised types, which no function registers: it comes with this
    # pass.
    stablehlo.register_stablehlo_passes()
    with context:
        passes = PassManager.parse("builtin.module(vhlo-legalize-to-stablehlo)")
        passes.run(ir.Module.parse("").operation)
    return context


def read_program(text):
    """(generic text, inputs, checks) of a program."""
    from jaxlib.mlir import ir

    with make_context(), ir.Location.unknown():
        try:
            module = ir.Module.parse(write_generic_checks(text))
        except ir.MLIRError as error:
            why = str(error).splitlines()
            raise Refused(f"jaxlib cannot read it: {why[min(1, len(why) - 1)]}"
                          ) from error
        functions = {op.attributes["sym_name"].value: op.operation
                     for op in module.body.operations
                     if op.operation.name == "func.func"}
        main = functions.get("main") or next(iter(functions.values()))
        block = main.regions[0].blocks[0]
        inputs, checks, checked, results, expected = [], [], [], [], {}
        if list(block.arguments):
            raise Refused("its entry has arguments of which nothing is said")
        for op in [op.operation for op in block.operations]:
            name = op.name
            if name == "stablehlo.constant":
                expected[op.results[0]] = get_value(op)
            elif name == "func.call":
                callee = op.attributes["callee"].value
                if callee not in ("inputs", "expected"):
                    continue
                constants = find_constants(functions[callee])
                if constants is None:
                    raise Refused(f"@{callee} is more than constants")
                if callee == "expected":
                    expected.update(zip(op.results, map(get_value, constants)))
                    continue
                for result, constant in zip(op.results, constants):
                    element = str(ir.ShapedType(result.type).element_type)
                    if element in ARGUMENTS:
                        inputs.append(parse_dense(get_value(constant)))
                        new = block.add_argument(result.type, op.location)
                    else:  # stays a constant
                        new = constant.clone(
                            ir.InsertionPoint.at_block_begin(block)).results[0]
                    result.replace_all_uses_with(new)
                op.erase()
            elif check := get_check(op):
                kind, attributes = check
                operands = list(op.operands)
                if kind.endswith("_const"):
                    want = get_value(op)
                elif operands[1] in expected:
                    want = expected[operands[1]]
                elif operands[0] in expected:
                    want = expected[operands[0]]
                    operands.reverse()
                else:
                    raise Refused("a check of two values that are computed")
                checks.append(Check(kind, attributes, parse_dense(want)))
                results.append(operands[0])
                checked.append(op)
        if not checks:
            raise Refused("it checks nothing")
        last = list(block.operations)[-1].operation
        ir.Operation.create("func.return", operands=results,
                            ip=ir.InsertionPoint(last))
        last.erase()  # It may return what was checked.
        for op in checked:
            op.erase()
        main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
            [a.type for a in block.arguments], [r.type for r in results]))
        main.attributes["sym_name"] = ir.StringAttr.get("main")
        for name in ("arg_attrs", "res_attrs"):
            if name in main.attributes:
                del main.attributes[name]
        for name in ("inputs", "expected"):
            for op in list(block.operations):
                if (op.operation.name == "func.call"
                        and op.operation.attributes["callee"].value == name):
                    op.operation.erase()
            if name in functions:
                functions[name].erase()
        return module.operation.get_asm(print_generic_op_form=True), inputs, checks


# ---------------------------------------------------------------------------
# Verdicts
# ---------------------------------------------------------------------------


def compare(checks, results):
    """The answer for the results of a run."""
    worst, wrong = 0.0, None
    for i, (check, result) in enumerate(zip(checks, results, strict=True)):
        want = check.expected
        result = np.asarray(result)
        if result.shape != want.shape:
            return {"verdict": "wrong", "ulps": np.inf,
                    "why": f"check {i}: shape {result.shape}, not {want.shape}"}
        if result.dtype != want.dtype:  # signs, of which arrays of ours have none
            result = result.view(want.dtype)
        if want.size == 0:
            continue
        ulps = judging.count_ulps(result, want)
        worst = max(worst, float(ulps.max()))
        faults = np.argwhere(~check.allows(result, ulps))
        if len(faults) and not wrong:
            at = tuple(map(int, faults[0]))
            wrong = (f"check {i} ({check.kind}): {len(faults)} of {want.size} "
                     f"elements, first at {list(at)}: {result[at]}, not {want[at]} "
                     f"({ulps[at]:g} ulps)")
    verdict = {"verdict": "wrong" if wrong else "right", "ulps": worst}
    return verdict | ({"why": wrong} if wrong else {})


#: Programs whose @expected is farther off than their checks allow: 4 and 7 ulps
#: from cosh and sinh, up to 264 from sums that were rounded to bf16 one by one. They
#: are judged by these.
BETTER = {"cosh_float32_20_20_chlo": np.cosh, "sinh_float32_20_20_chlo": np.sinh,
          "cumsum_bfloat16_8_9": lambda x: np.cumsum(x, 0)}


#: Of complex numbers, @expected is what XLA once computed, a few ulps of either part
#: from the exact number, whose parts may be small. Results may be that, or near the
#: exact one: so many epsilons of its size, or of the greatest one's for sums.
COMPLEX = {
    "cumprod_complex": (lambda x: np.cumprod(x, 0), 16, False),
    "dot_general_": (np.matmul, 2, True),
    "expm1_complex": (np.expm1, 2, False),
    "fft_complex64_14_15_16_17": (lambda x: np.fft.irfftn(x, (15, 16, 32)), 2, True),
    "fft_complex128_14_15_16_17": (lambda x: np.fft.irfft(x, 33), 2, True),
    "fft_float": (np.fft.rfft, 2, True),
    "integer_pow_complex64": (lambda x: (x * x) * (x * x), 8, False),
    "pow_complex": (np.power, 2, False),
    "sin_complex": (np.sin, 2, False),
}


def add_exact(check, name, inputs):
    """Sets what `name` is in more digits, where @expected may be too far off."""
    if not check.expected.size or not {"c"} & {x.dtype.kind for x in
                                               [check.expected, *inputs]}:
        return
    for prefix, (function, reach, is_sum) in COMPLEX.items():
        if name.startswith(prefix):
            wide = [x.astype(np.clongdouble if x.dtype.kind == "c" else
                             np.longdouble) for x in inputs]
            check.exact = function(*wide)
            size = np.abs(check.exact)
            check.reach = (reach * np.finfo(check.expected.dtype).eps
                           * (size.max() if is_sum else size))


def answer(job):
    import tensoraccess as ta

    path, part, engine = job
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        program = re.split(r"^// -----.*$", text, flags=re.M)[part]
        generic, inputs, checks = read_program(program)
        if better := BETTER.get(pathlib.Path(path).stem):
            exact = better(inputs[0].astype(np.float64))
            checks[0].expected = exact.astype(checks[0].expected.dtype)
        add_exact(checks[0], pathlib.Path(path).stem, inputs)
        module, ours = judging.lower_for(ta.Module(generic), engine)
        arrays = [x.view(f"i{x.itemsize}") if x.dtype.kind == "u" else x
                  for x in inputs]
        return compare(checks, judging.run_module(module, engine, arrays)) | {
            "engaged": ours}
    except (Refused, ta.Error) as error:
        return {"verdict": "refused", "why": str(error)}
    except Exception as error:  # pylint: disable=broad-except
        return {"verdict": "broken", "why": f"{type(error).__name__}: {error}"}


def list_programs(path):
    """(name, file, part) of every program with a check."""
    root = path if path.is_dir() else path.parent
    for file in sorted(path.rglob("*.mlir")) if path.is_dir() else [path]:
        parts = re.split(r"^// -----.*$", file.read_text(encoding="utf-8"),
                         flags=re.M)
        for i, part in enumerate(parts):
            if re.search(r'"check\.|@check\.|\bcheck\.expect', part):
                name = str(file.relative_to(root).with_suffix(""))
                yield name + (f"#{i}" if len(parts) > 1 else ""), file, i


def main():
    parser = judging.make_parser(__doc__)
    parser.add_argument("path", type=pathlib.Path, nargs="?")
    arguments = parser.parse_args()
    if arguments.worker:
        return judging.serve(answer)
    if not arguments.path or not arguments.path.exists():
        parser.error(f"PATH must exist, got {arguments.path}")
    engines = arguments.engine or list(judging.ENGINES)
    programs = {name: (str(file), part)
                for name, file, part in list_programs(arguments.path)}
    names = judging.choose(programs, arguments)
    if not names:
        parser.error("no program is left")
    keys = [(engine, name) for engine in engines for name in names]
    command = [sys.executable, os.path.abspath(__file__), "--worker"]
    replies = judging.ask_all(
        command, [(*programs[name], engine) for engine, name in keys],
        arguments.jobs, arguments.timeout)
    answers, finished = judging.collect(keys, replies)
    if arguments.json:
        judging.write_json(arguments.json, answers)
    return 0 if judging.report(answers, engines) and finished else 1


if __name__ == "__main__":
    sys.exit(main())
