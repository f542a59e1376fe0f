#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads functions in MLIR's generic form and computes them: what fuzz_folds.py
takes for right. It shares no code with the interpreter or with LLVM.

Integers and indices (64 bits) are unsigned numbers, floats are Python's, which
hold every value of the formats up to f64. A poison value is None. Whatever is
undefined at once, such as a division by zero, raises Undefined. Vectors and
tensors are Array: a shape and its elements in row-major order.
"""

import dataclasses
import math
import re
import struct


class Undefined(Exception):
    """The program has no meaning for these arguments."""


class Unknown(Exception):
    """An op, an attribute or a type that is not read here."""


@dataclasses.dataclass
class Array:
    shape: tuple
    elements: list


@dataclasses.dataclass
class Op:
    name: str
    results: list
    operands: list
    properties: str
    regions: list
    operand_types: list
    result_types: list


@dataclasses.dataclass
class Block:
    arguments: list
    ops: list


# Formats: bits of the exponent, of the mantissa, the bias, and what the largest
# exponent means: "ieee", "fn" (NaN where all bits are set, no infinity) or
# "finite" (numbers only).
FORMATS = {
    "f64": (11, 52, 1023, "ieee"), "f32": (8, 23, 127, "ieee"),
    "f16": (5, 10, 15, "ieee"), "bf16": (8, 7, 127, "ieee"),
    "f8E5M2": (5, 2, 15, "ieee"), "f8E4M3FN": (4, 3, 7, "fn"),
    "f4E2M1FN": (2, 1, 1, "finite"), "f6E3M2FN": (3, 2, 3, "finite"),
    "f6E2M3FN": (2, 3, 1, "finite"),
}


def bits_of(type_):
    """The number of bits of an element type."""
    if type_ == "index":
        return 64
    if re.fullmatch(r"i\d+", type_):
        return int(type_[1:])
    if type_ in FORMATS:
        return 1 + sum(FORMATS[type_][:2])
    raise Unknown(type_)


def decode(type_, bits):
    """The float with these bits."""
    exponent_bits, mantissa_bits, bias, kind = FORMATS[type_]
    sign = -1.0 if bits >> (exponent_bits + mantissa_bits) else 1.0
    exponent = bits >> mantissa_bits & ((1 << exponent_bits) - 1)
    mantissa = bits & ((1 << mantissa_bits) - 1)
    top = (1 << exponent_bits) - 1
    if kind == "ieee" and exponent == top:
        return math.nan if mantissa else sign * math.inf
    if kind == "fn" and exponent == top and mantissa == (1 << mantissa_bits) - 1:
        return math.nan
    if exponent == 0:
        return sign * math.ldexp(mantissa, 1 - bias - mantissa_bits)
    return sign * math.ldexp((1 << mantissa_bits) | mantissa,
                             exponent - bias - mantissa_bits)


def largest(type_):
    exponent_bits, mantissa_bits, bias, kind = FORMATS[type_]
    top = (1 << exponent_bits) - 1 - (kind == "ieee")
    steps = (2 << mantissa_bits) - 1 - (kind == "fn")
    return math.ldexp(steps, top - bias - mantissa_bits)


def round_to(type_, value):
    """The float of a type nearest to a number, ties to even; what a format has no
    value for is poison."""
    if type_ == "f64" or value is None:
        return value
    _, mantissa_bits, bias, kind = FORMATS[type_]
    if math.isnan(value):
        return None if kind == "finite" else value
    most = largest(type_)
    if math.isinf(value):
        return {"ieee": value, "fn": math.nan, "finite": math.copysign(most, value)}[kind]
    if value == 0:
        return value
    exponent = max(math.frexp(value)[1] - 1, 1 - bias)
    step = exponent - mantissa_bits
    rounded = math.copysign(math.ldexp(round(math.ldexp(value, -step)), step), value)
    if abs(rounded) <= most:
        return rounded
    return {"ieee": math.copysign(math.inf, value), "fn": math.nan,
            "finite": math.copysign(most, value)}[kind]


def encode(type_, value):
    """The bits of a float; those of NaN are not determined."""
    if type_ == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    exponent_bits, mantissa_bits, bias, kind = FORMATS[type_]
    sign = (math.copysign(1, value) < 0) << (exponent_bits + mantissa_bits)
    if math.isnan(value):
        raise Unknown("bits of NaN")
    if math.isinf(value):
        return sign | ((1 << exponent_bits) - 1) << mantissa_bits
    if value == 0:
        return sign
    exponent = max(math.frexp(value)[1] - 1, 1 - bias)
    mantissa = int(abs(math.ldexp(value, mantissa_bits - exponent)))
    if mantissa < 1 << mantissa_bits:
        return sign | mantissa
    return sign | (exponent + bias) << mantissa_bits | (mantissa - (1 << mantissa_bits))


def signed(bits, value):
    return value - (1 << bits) if value >> (bits - 1) else value


#===----------------------------------------------------------------------===#
# Reading
#===----------------------------------------------------------------------===#

TOKEN = re.compile(r"""\s*(?:
    (?P<string>"(?:[^"\\]|\\.)*") | (?P<value>%[\w.$-]+(?:\#\d+)?) | (?P<block>\^\w+)
  | (?P<arrow>->) | (?P<hash>\#[\w.]+) | (?P<symbol>@[\w.]+)
  | (?P<word>!?[\w.$][\w.$+-]*) | (?P<mark>.))""", re.X | re.S)


class Reader:
    """A reader of the generic form, as far as the fuzzer's programs have it."""

    def __init__(self, text):
        self.text = text
        self.at = 0
        self.aliases = {}

    def peek(self):
        match = TOKEN.match(self.text, self.at)
        return match.group().strip() if match else ""

    def take(self, expected=None):
        match = TOKEN.match(self.text, self.at)
        token = match.group().strip() if match else ""
        if expected is not None and token != expected:
            raise Unknown(f"{expected} expected at {self.text[self.at:self.at + 60]!r}")
        self.at = match.end() if match else self.at
        return token

    def skip_balanced(self, opening, closing):
        """The text from an opening mark to its closing one, both included."""
        self.take(opening)
        start, depth = self.at - len(opening), 1
        while depth:
            token = self.take()
            if not token:
                raise Unknown("unbalanced text")
            depth += (token == opening) - (token == closing)
        return self.text[start:self.at]

    def type(self):
        token = self.take()
        if self.peek() == "<":
            start = self.at
            self.skip_balanced("<", ">")
            token += self.text[start:self.at].strip()
        return token

    def types(self):
        if self.peek() != "(":
            return [self.type()]
        self.take("(")
        types = []
        while self.peek() != ")":
            types.append(self.type())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return types

    def operands(self):
        self.take("(")
        names = []
        while self.peek() != ")":
            names.append(self.take())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return names

    def op(self):
        results, name = [], self.take()
        if name.startswith("%"):
            count = 1
            if self.peek() == ":":
                self.take()
                count = int(self.take())
            results = [name] if count == 1 else [f"{name}#{i}" for i in range(count)]
            self.take("=")
            name = self.take()
        operands, properties, regions = self.operands(), "", []
        while self.peek() in ("<", "{", "("):
            if self.peek() == "<":
                properties += self.skip_balanced("<", ">")
            elif self.peek() == "{":
                properties += self.skip_balanced("{", "}")
            else:
                self.take("(")
                while self.peek() != ")":
                    regions.append(self.region())
                    if self.peek() == ",":
                        self.take()
                self.take(")")
        self.take(":")
        operand_types = self.types()
        self.take("->")
        for alias, text in self.aliases.items():
            properties = re.sub(re.escape(alias) + r"\b", lambda _, t=text: t, properties)
        return Op(name.strip('"'), results, operands, properties, regions,
                  operand_types, self.types())

    def region(self):
        self.take("{")
        blocks = []
        while self.peek() != "}":
            arguments = []
            if self.peek().startswith("^"):
                self.take()
                if self.peek() == "(":
                    self.take("(")
                    while self.peek() != ")":
                        value = self.take()
                        self.take(":")
                        arguments.append((value, self.type()))
                        if self.peek() == ",":
                            self.take()
                    self.take(")")
                self.take(":")
            block = Block(arguments, [])
            while self.peek() != "}" and not self.peek().startswith("^"):
                block.ops.append(self.op())
            blocks.append(block)
        self.take("}")
        if len(blocks) > 1:
            raise Unknown("several blocks")
        return blocks[0] if blocks else Block([], [])


def read_functions(text):
    """The functions of a module in generic form, by name."""
    reader = Reader(text)
    while reader.peek().startswith("#"):
        line = text[reader.at:].lstrip().split("\n", 1)[0]
        alias, meaning = line.split(" = ", 1)
        reader.aliases[alias] = meaning
        reader.at = text.index(line, reader.at) + len(line)
    module = reader.op()
    return {re.search(r'sym_name = "(\w+)"', op.properties).group(1): op.regions[0]
            for op in module.regions[0].ops if op.name == "func.func"}


def shape_of(type_):
    """The shape of a vector or tensor type, None of a scalar's."""
    match = re.fullmatch(r"(?:vector|tensor)<((?:[\d?]+x)*)([\w]+)>", type_)
    if not match:
        if "<" in type_ and not type_.startswith("complex"):
            raise Unknown(type_)
        return None
    return tuple(-1 if n == "?" else int(n) for n in match.group(1).split("x")[:-1])


def element_of(type_):
    match = re.fullmatch(r"(?:vector|tensor)<(?:[\d?]+x)*([\w]+)>", type_)
    return match.group(1) if match else type_
