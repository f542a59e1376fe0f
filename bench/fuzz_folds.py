#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random scalar functions before and after simplification, computed by brute force.

    bench/fuzz_folds.py [--functions N] [--seed S] [--arrays] [--engine="..."]

Functions of a few ops of arith, index, math and scf on small integers, indices and
floats, or with --arrays of those that move the elements of tensors and vectors, are
simplified by --tensoraccess-canonicalize, and computed by oracle_ops.py before and
after for all arguments where they are few, else for a choice with the ends of the
ranges. What was poison or undefined before may be anything after; all else must be
the same. With --engine they also run in tensoraccess-run (fold_engines.py).

    bench/fuzz_folds.py --command "mlir-opt --canonicalize"

looks for what upstream does wrongly. Exits with 1 if a function differs; it is
printed with its arguments.
"""

import argparse
import collections
import itertools
import pathlib
import random
import re
import subprocess
import sys

from generic_ir import (FORMATS, Block, Op, Undefined, Unknown, bits_of, decode,
                        read_functions, round_to)
from oracle_ops import Machine, refines
from random_arrays import ArrayFunction

INTEGERS = ["i1", "i2", "i3", "i4", "i8", "index", "i64"]
FLOATS = ["f32", "f16", "f64", "bf16", "f8E5M2", "f8E4M3FN", "f4E2M1FN"]
# The floats that compiled programs compute with.
RUNNABLE = FLOATS[:4]
MOST_ARGUMENTS = 64

BINARY = ["addi", "subi", "muli", "divsi", "divui", "ceildivsi", "ceildivui", "floordivsi",
          "remsi", "remui", "andi", "ori", "xori", "shli", "shrui", "shrsi", "maxsi",
          "minsi", "maxui", "minui"]
INDEX_BINARY = ["add", "sub", "mul", "divs", "divu", "ceildivs", "ceildivu", "floordivs",
                "rems", "remu", "maxs", "mins", "maxu", "minu", "shl", "shrs", "shru",
                "and", "or", "xor"]
FLOAT_BINARY = ["addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf",
                "minnumf"]
CMP = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]


def literal(type_, rng):
    """A constant's text, most often one that folds look for."""
    if type_ in FORMATS:
        return rng.choice(["0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "3.0", None, None]) \
            or hex(rng.getrandbits(bits_of(type_)))
    bits = bits_of(type_)
    if bits == 1:
        return rng.choice(["true", "false"])
    half = 1 << bits - 1
    return str(rng.choice([0, 1, -1, half - 1, -half, rng.randrange(-half, half),
                           rng.randrange(-half, half) >> max(0, bits - 4),
                           min(bits - 1, half - 1), 2 % half]))


class Function:
    """A random function: its ops, as they are computed and printed."""

    def __init__(self, seed, most_ops, floats=FLOATS):
        self.rng = random.Random(seed)
        self.count = 0
        types = self.rng.choice([INTEGERS, INTEGERS, floats + ["i8", "i1"],
                                 INTEGERS + floats])
        home = self.rng.choice(types)
        self.home = [home, home, home, *self.rng.sample(types, 2), "i1"]
        # Half of the functions are a chain of few ops, as folds look for.
        self.is_chain = self.rng.random() < 0.6
        if self.is_chain:
            self.home = [home, home, self.rng.choice(types)]
            most_ops = 3
        self.arguments = [(self.name(), self.rng.choice(self.home))
                          for _ in range(self.rng.randint(1, 2 if self.is_chain else 3))]
        self.block = Block(self.arguments, [])
        self.values = list(self.arguments)
        self.ops = self.block.ops
        for _ in range(self.rng.randint(1, most_ops)):
            self.add_op(depth=0)
        # Everything is a result or may be: what is dead tells nothing.
        made = [value for value in self.values if value not in self.arguments]
        results = made[-self.rng.randint(1, 1 if self.is_chain else 2):] or self.values[-1:]
        self.result_types = [t for _, t in results]
        self.ops.append(Op("func.return", [], [n for n, _ in results], "", [],
                           self.result_types, []))

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def emit(self, name, operands, result_types, properties="", regions=()):
        results = [self.name() for _ in result_types]
        self.ops.append(Op(name, results, [n for n, _ in operands], properties,
                           list(regions), [t for _, t in operands], list(result_types)))
        made = list(zip(results, result_types))
        self.values += made
        return made[0] if made else None

    def constant(self, type_, text=None):
        value = text or literal(type_, self.rng)
        suffix = "" if type_ == "i1" else f" : {type_}"
        made = self.emit("arith.constant", [], [type_], f"<{{value = {value}{suffix}}}>")
        return made

    def pick(self, type_):
        """A value of a type, of late ones more often, or a constant."""
        values = [v for v in self.values if v[1] == type_]
        if not values or self.rng.random() < 0.25:
            return self.constant(type_)
        if self.is_chain and values[-1] not in self.arguments and self.rng.random() < 0.6:
            return values[-1]
        return self.rng.choice(values[-3:] if self.rng.random() < 0.7 else values)

    def flags(self):
        names = self.rng.choice(["", "", "", "", "nsw", "nuw", "nsw, nuw"])
        return f"<{{overflowFlags = #arith.overflow<{names or 'none'}>}}>"

    def add_op(self, depth):
        rng = self.rng
        type_ = rng.choice(self.home) if rng.random() < 0.5 else rng.choice(self.values)[1]
        kind = rng.random()
        if kind < 0.08 and depth < 2:
            return self.add_control(type_, depth)
        if kind < 0.16:
            return self.emit("arith.select", [self.pick("i1"), self.pick(type_),
                                              self.pick(type_)], [type_])
        if kind < 0.34:
            return self.add_cast(type_)
        if kind < 0.5:
            return self.add_compare(type_)
        if type_ in FORMATS:
            return self.add_float(type_)
        if rng.random() < 0.08 and type_ not in ("i1", "index"):
            name = rng.choice(["absi", "ctlz", "cttz", "ctpop"])
            return self.emit(f"math.{name}", [self.pick(type_)], [type_])
        if rng.random() < 0.04 and type_ != "index":
            return self.emit("math.ipowi", [self.pick(type_), self.pick(type_)], [type_])
        if rng.random() < 0.06 and type_ != "index":
            name = rng.choice(["mulsi_extended", "mului_extended", "addui_extended"])
            second = "i1" if name == "addui_extended" else type_
            return self.emit(f"arith.{name}", [self.pick(type_), self.pick(type_)],
                             [type_, second])
        pair = [self.pick(type_), self.pick(type_)]
        if type_ == "index" and rng.random() < 0.5:
            return self.emit(f"index.{rng.choice(INDEX_BINARY)}", pair, [type_])
        name = rng.choice(BINARY)
        properties = self.flags() if name in ("addi", "subi", "muli", "shli") else ""
        return self.emit(f"arith.{name}", pair, [type_], properties)

    def add_float(self, type_):
        rng = self.rng
        flags = rng.choice(["none"] * 6 + ["nnan", "ninf"])
        properties = f"<{{fastmath = #arith.fastmath<{flags}>}}>"
        if rng.random() < 0.2 and type_ in ("f32", "f64"):
            name = rng.choice(["math.absf", "math.floor", "math.ceil", "math.trunc",
                               "math.roundeven", "math.round", "math.sqrt", "arith.negf"])
            return self.emit(name, [self.pick(type_)], [type_], properties)
        if rng.random() < 0.1:
            return self.emit("arith.negf", [self.pick(type_)], [type_], properties)
        if rng.random() < 0.07 and type_ in ("f32", "f64"):
            return self.emit("math.copysign", [self.pick(type_), self.pick(type_)],
                             [type_], properties)
        return self.emit(f"arith.{rng.choice(FLOAT_BINARY)}",
                         [self.pick(type_), self.pick(type_)], [type_], properties)

    def add_compare(self, type_):
        pair = [self.pick(type_), self.pick(type_)]
        number = self.rng.randrange(16 if type_ in FORMATS else 10)
        if type_ in FORMATS:
            return self.emit("arith.cmpf", pair, ["i1"],
                             "<{fastmath = #arith.fastmath<none>, "
                             f"predicate = {number} : i64}}>")
        if type_ == "index" and self.rng.random() < 0.5:
            return self.emit("index.cmp", pair, ["i1"],
                             f"<{{pred = #index<cmp_predicate {CMP[number]}>}}>")
        return self.emit("arith.cmpi", pair, ["i1"], f"<{{predicate = {number} : i64}}>")

    def add_cast(self, type_):
        rng = self.rng
        target = rng.choice(self.home)
        source = self.pick(type_)
        names = []
        if type_ in FORMATS and target in FORMATS:
            if bits_of(target) != bits_of(type_):
                names = ["arith.extf" if bits_of(target) > bits_of(type_)
                         else "arith.truncf"]
        elif type_ in FORMATS:
            names = ["arith.fptosi", "arith.fptoui"] if target != "index" else []
        elif target in FORMATS:
            names = ["arith.sitofp", "arith.uitofp"] if type_ != "index" else []
        elif "index" in (type_, target):
            if type_ != target:
                names = ["arith.index_cast", "arith.index_castui", "index.casts", "index.castu"]
        elif bits_of(target) > bits_of(type_):
            names = ["arith.extsi", "arith.extui"]
        elif bits_of(target) < bits_of(type_):
            names = ["arith.trunci"]
        if (bits_of(target) == bits_of(type_) and type_ != target
                and "index" not in (type_, target)):
            names = [*names, "arith.bitcast"]
        if not names:
            return None
        name = rng.choice(names)
        properties = ""
        if name == "arith.trunci":
            properties = self.flags()
        return self.emit(name, [source], [target], properties)

    def inside(self, arguments, depth, results):
        """A block of a few ops that yields values of given types."""
        outer_ops, outer_values = self.ops, self.values
        block = Block(arguments, [])
        self.ops, self.values = block.ops, outer_values + arguments
        for _ in range(self.rng.randint(0, 2)):
            self.add_op(depth + 1)
        yielded = [self.pick(t) for t in results]
        self.ops.append(Op("scf.yield", [], [n for n, _ in yielded], "", [], results, []))
        self.ops, self.values = outer_ops, outer_values
        return block

    def add_control(self, type_, depth):
        rng = self.rng
        types = [type_] + [rng.choice(self.home)] * rng.randint(0, 1)
        kind = rng.choice(["if", "if", "for", "while", "switch"])
        if kind == "if":
            condition = self.pick("i1")
            self.emit("scf.if", [condition], types, "",
                      [self.inside([], depth, types) for _ in range(2)])
        elif kind == "switch":
            value = self.pick("index")
            self.emit("scf.index_switch", [value], types, "<{cases = array<i64: 0, 2>}>",
                      [self.inside([], depth, types) for _ in range(3)])
        elif kind == "for":
            bounds = [self.constant("index", rng.choice("012")),
                      self.constant("index", rng.choice("01235")) if rng.random() < .7
                      else self.pick("index"),
                      self.constant("index", rng.choice("123"))]
            initial = [self.pick(t) for t in types]
            arguments = [(self.name(), t) for t in ["index", *types]]
            self.emit("scf.for", bounds + initial, types, "",
                      [self.inside(arguments, depth, types)])
        else:
            self.add_while(types, depth)
        return None

    def add_while(self, types, depth):
        """A loop of a few trips: its first value counts, the rest is as it comes."""
        rng = self.rng
        carried = ["i8", *types]
        count = self.constant("i8", "0")
        initial = [count, *(self.pick(t) for t in types)]
        arguments = [(self.name(), t) for t in carried]
        outer_ops, outer_values = self.ops, self.values
        before = Block(arguments, [])
        self.ops, self.values = before.ops, outer_values + arguments
        limit = self.constant("i8", rng.choice("0123"))
        go = self.emit("arith.cmpi", [arguments[0], limit], ["i1"], "<{predicate = 2 : i64}>")
        if rng.random() < 0.5:
            self.emit("scf.if", [go], types, "",
                      [self.inside([], depth, types) for _ in range(2)])
        passed = [arguments[0], *(self.pick(rng.choice(types)) for _ in range(rng.randint(1, 3)))]
        self.ops.append(Op("scf.condition", [], [n for n, _ in [go, *passed]], "", [],
                           ["i1", *(t for _, t in passed)], []))
        results = [(self.name(), t) for _, t in passed]
        after = Block(results, [])
        self.ops, self.values = after.ops, outer_values + results
        one = self.constant("i8", "1")
        step = self.emit("arith.addi", [results[0], one], ["i8"],
                         "<{overflowFlags = #arith.overflow<none>}>")
        values = [step, *(self.pick(t) for t in types)]
        self.ops.append(Op("scf.yield", [], [n for n, _ in values], "", [], carried, []))
        self.ops, self.values = outer_ops, outer_values
        self.emit("scf.while", initial, [t for _, t in passed], "", [before, after])

    def samples(self):
        """Arguments: all there are, or a choice."""
        rng = random.Random(1)
        ranges = []
        for _, type_ in self.arguments:
            if type_ in FORMATS:
                bits = bits_of(type_)
                special = [0.0, -0.0, 1.0, -1.5, float("inf"), float("-inf"), float("nan"), 0.1]
                if bits <= 8:
                    ranges.append([decode(type_, n) for n in range(1 << bits)])
                    continue
                ranges.append([round_to(type_, s) for s in special]
                              + [decode(type_, rng.getrandbits(bits)) for _ in range(8)])
                continue
            bits = bits_of(type_)
            if bits <= 8:
                ranges.append(list(range(1 << bits)))
            else:
                half = 1 << bits - 1
                near = [0, 1, 2, 3, 4, 5, 127, 128, 255, 256, half, half - 1, half + 1,
                        2 * half - 1, 2 * half - 2, 1 << 32, (1 << 32) - 1, (1 << 31)]
                ranges.append([n % (2 * half) for n in near]
                              + [rng.getrandbits(bits) for _ in range(3)])
        total = 1
        for values in ranges:
            total *= len(values)
        if total <= MOST_ARGUMENTS:
            return list(itertools.product(*ranges))
        return [tuple(map(rng.choice, ranges)) for _ in range(MOST_ARGUMENTS)]


def print_region(block, indent):
    head = ""
    if block.arguments:
        head = f"{indent}^bb0({', '.join(f'{n}: {t}' for n, t in block.arguments)}):\n"
    ops = "".join(print_op(op, indent + "  ") for op in block.ops)
    return "{\n" + head + ops + indent + "}"


def print_op(op, indent):
    left = ", ".join(op.results) + " = " if op.results else ""
    regions = ", ".join(print_region(r, indent) for r in op.regions)
    regions = f" ({regions})" if regions else ""
    return (f'{indent}{left}"{op.name}"({", ".join(op.operands)}) {op.properties}{regions} '
            f': ({", ".join(op.operand_types)}) -> ({", ".join(op.result_types)})\n')


def text_of(function, name):
    types = ", ".join(t for _, t in function.arguments)
    return (f'"func.func"() <{{function_type = ({types}) -> '
            f'({", ".join(function.result_types)}), sym_name = "{name}"}}> '
            f'({print_region(function.block, "  ")}) : () -> ()\n')


def simplify(texts, command):
    """The module after the command; several calls where it crashes."""
    module = '"builtin.module"() ({\n' + "".join(texts.values()) + "}) : () -> ()\n"
    run = subprocess.run(command, input=module, capture_output=True, text=True)
    if run.returncode == 0:
        return read_functions(run.stdout), {}
    if len(texts) == 1:
        return {}, {next(iter(texts)): run.stderr[:300]}
    names = list(texts)
    half = len(names) // 2
    functions, crashes = {}, {}
    for part in (names[:half], names[half:]):
        more, worse = simplify({n: texts[n] for n in part}, command)
        functions.update(more)
        crashes.update(worse)
    return functions, crashes


def run_block(block, arguments):
    try:
        return Machine().run(block, list(arguments))
    except Undefined:
        return None


def difference(function, after):
    """The first arguments for which two functions differ, or None."""
    for arguments in function.samples():
        before = run_block(function.block, arguments)
        if before is None:
            continue
        result = run_block(after, arguments)
        if result is None or not all(map(refines, before, result)):
            return arguments, before, result
    return None


def fuzz_engine(options, engine):
    """How many functions an engine computes wrongly; each is printed."""
    import fold_engines

    wrong, refused, step = 0, collections.Counter(), 25
    for start in range(options.seed, options.seed + options.functions, step):
        functions = [ArrayFunction(i, options.ops) if options.arrays
                     else Function(i, options.ops, RUNNABLE)
                     for i in range(start, start + step)]
        for function, why, is_refused in fold_engines.run_engine(
                functions, options.build / "bin" / "tensoraccess-run", engine.split()):
            if is_refused:
                refused[re.sub(r"'i\d+'", "'iN'", why)[:60]] += 1
                continue
            wrong += 1
            print(f"f{start + functions.index(function)} by {engine}: {why}\n"
                  + text_of(function, "f"))
    print(f"{options.functions} functions by {engine}: {wrong} wrong; refused: "
          f"{dict(refused)}")
    return wrong


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ops", type=int, default=5)
    parser.add_argument("--arrays", action="store_true",
                        help="move elements of tensors and vectors")
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--command", help="what simplifies, instead of our own pass")
    parser.add_argument("--engine", action="append", default=[],
                        help="run them by tensoraccess-run with this, as "
                             "'--engine=jit --plain', too; may be given several times")
    options = parser.parse_args(arguments)
    make = ArrayFunction if options.arrays else Function
    tools = options.build / "bin"
    command = options.command.split() if options.command else [
        tools / "tensoraccess-opt", "--tensoraccess-canonicalize"]
    command.append("--mlir-print-op-generic")
    wrong, unknown, done = 0, collections.Counter(), 0
    for start in range(options.seed, options.seed + options.functions, options.batch):
        functions = {f"f{i}": make(i, options.ops)
                     for i in range(start, min(start + options.batch,
                                               options.seed + options.functions))}
        after, crashes = simplify({n: text_of(f, n) for n, f in functions.items()}, command)
        for name, why in crashes.items():
            print(f"{name}: the command fails: {why}\n{text_of(functions[name], name)}")
            wrong += 1
        for name, block in after.items():
            try:
                differs = difference(functions[name], block)
            except Unknown as reason:
                unknown[str(reason)[:60]] += 1
                continue
            done += 1
            if differs:
                wrong += 1
                print(f"{name}: {differs[0]} gave {differs[1]}, now {differs[2]}\n"
                      + text_of(functions[name], name)
                      + "after:\n" + print_region(block, "  "))
    for engine in options.engine:
        wrong += fuzz_engine(options, engine)
    print(f"{done} functions the same or more defined but {wrong}; not computed: "
          f"{dict(unknown)}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
