#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops of arith, index, math, complex, affine, vector, tensor and scf mean, by
the dialects' documents: the oracle of fuzz_folds.py (values as generic_ir.py has
them). A result is None where it is poison.
"""

import math
import re

from generic_ir import (FORMATS, Array, Undefined, Unknown, bits_of, decode, element_of,
                        encode, round_to, shape_of, signed)
from oracle_arrays import MOVES, pad

#===----------------------------------------------------------------------===#
# Integers
#===----------------------------------------------------------------------===#


def quotient(x, y):
    """x / y towards zero."""
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def divide(bits, x, y, round_quotient):
    """A signed division: undefined by zero and where the result has no bits for it."""
    x, y = signed(bits, x), signed(bits, y)
    if y == 0:
        raise Undefined
    result = round_quotient(x, y)
    if not -(1 << bits - 1) <= result < 1 << bits - 1:
        raise Undefined
    return result


def divide_unsigned(x, y, ceil=False):
    if y == 0:
        raise Undefined
    return -(-x // y) if ceil else x // y


def remainder(bits, x, y):
    x, y = signed(bits, x), signed(bits, y)
    if y == 0:
        raise Undefined
    # LLVM's remainder is undefined where its quotient is.
    if x == -(1 << bits - 1) and y == -1:
        raise Undefined
    return x - quotient(x, y) * y


def shift(bits, x, y, result):
    return None if y >= bits else result()


def flagged(bits, flags, x, y, op):
    """The result of +, - or *, poison where a flag promised that it does not wrap."""
    if "nsw" in flags:
        exact = op(signed(bits, x), signed(bits, y))
        if not -(1 << bits - 1) <= exact < 1 << bits - 1:
            return None
    if "nuw" in flags and not 0 <= op(x, y) < 1 << bits:
        return None
    return op(x, y)


def shift_left(bits, flags, x, y):
    if y >= bits:
        return None
    result = x << y & (1 << bits) - 1
    if "nuw" in flags and x << y >> bits:
        return None
    if "nsw" in flags and signed(bits, result) != signed(bits, x) << y:
        return None
    return result


def power(bits, x, y):
    """math.ipowi: by squaring, of a negative power 1/x^n towards zero."""
    base, exponent = signed(bits, x), signed(bits, y)
    if exponent >= 0:
        return pow(base, exponent, 1 << bits)
    if base == 0:
        raise Undefined
    return {1: 1, -1: 1 if exponent % 2 == 0 else -1}.get(base, 0)


PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]


def compare(bits, predicate, x, y):
    if predicate[0] == "s":
        x, y = signed(bits, x), signed(bits, y)
    return int({"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y,
                "ge": x >= y}[predicate if predicate in ("eq", "ne") else predicate[1:]])


def exact(properties, result, lost):
    return None if "isExact" in properties and lost else result


INTEGER = {
    "addi": lambda b, p, x, y: flagged(b, p, x, y, lambda a, c: a + c),
    "subi": lambda b, p, x, y: flagged(b, p, x, y, lambda a, c: a - c),
    "muli": lambda b, p, x, y: flagged(b, p, x, y, lambda a, c: a * c),
    "divsi": lambda b, p, x, y: exact(p, divide(b, x, y, quotient),
                                      y and signed(b, x) % signed(b, y)),
    "divui": lambda b, p, x, y: exact(p, divide_unsigned(x, y), y and x % y),
    "ceildivsi": lambda b, p, x, y: divide(b, x, y, lambda a, c: -(-a // c)),
    "ceildivui": lambda b, p, x, y: divide_unsigned(x, y, ceil=True),
    "floordivsi": lambda b, p, x, y: divide(b, x, y, lambda a, c: a // c),
    "remsi": lambda b, p, x, y: remainder(b, x, y),
    "remui": lambda b, p, x, y: x - divide_unsigned(x, y) * y,
    "andi": lambda b, p, x, y: x & y,
    "ori": lambda b, p, x, y: x | y,
    "xori": lambda b, p, x, y: x ^ y,
    "shli": lambda b, p, x, y: shift_left(b, p, x, y),
    "shrui": lambda b, p, x, y: shift(
        b, x, y, lambda: exact(p, x >> y, x & (1 << y) - 1)),
    "shrsi": lambda b, p, x, y: shift(
        b, x, y, lambda: exact(p, signed(b, x) >> y, x & (1 << y) - 1)),
    "maxsi": lambda b, p, x, y: max(signed(b, x), signed(b, y)),
    "minsi": lambda b, p, x, y: min(signed(b, x), signed(b, y)),
    "maxui": lambda b, p, x, y: max(x, y),
    "minui": lambda b, p, x, y: min(x, y),
    "ipowi": lambda b, p, x, y: power(b, x, y),
}
DIVISIONS = {"divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui"}
# The dialect index names the same ones otherwise.
INDEX = {"add": "addi", "sub": "subi", "mul": "muli", "divs": "divsi", "divu": "divui",
         "ceildivs": "ceildivsi", "ceildivu": "ceildivui", "floordivs": "floordivsi",
         "rems": "remsi", "remu": "remui", "maxs": "maxsi", "mins": "minsi",
         "maxu": "maxui", "minu": "minui", "shl": "shli", "shrs": "shrsi",
         "shru": "shrui", "and": "andi", "or": "ori", "xor": "xori"}
INTEGER_UNARY = {
    "absi": lambda b, x: abs(signed(b, x)),
    "ctlz": lambda b, x: b - x.bit_length(),
    "cttz": lambda b, x: (x & -x).bit_length() - 1 if x else b,
    "ctpop": lambda b, x: x.bit_count(),
}

#===----------------------------------------------------------------------===#
# Floats
#===----------------------------------------------------------------------===#


def float_divide(x, y):
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x) or math.isnan(y):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1, y)


def float_remainder(x, y):
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return math.nan
    return math.copysign(math.fmod(x, y), x)


def is_below(x, y):
    """x < y, with -0 below 0."""
    return x < y or (x == y == 0 and math.copysign(1, x) < math.copysign(1, y))


def extremum(x, y, is_first, propagate):
    # maxnumf and minnumf of two zeros are either of them.
    if x == y == 0 and not propagate and str(x) != str(y):
        return None
    if math.isnan(x) or math.isnan(y):
        if propagate:
            return math.nan
        return y if math.isnan(x) else x
    return x if is_first(x, y) else y


def round_half_away(x):
    if math.isnan(x) or math.isinf(x):
        return x
    whole = math.floor(abs(x))
    return math.copysign(whole + (abs(x) - whole >= 0.5), x)


def whole(function):
    """A rounding to whole numbers that keeps signs of zero, infinities and NaN."""
    return lambda x: (x if math.isnan(x) or math.isinf(x)
                      else math.copysign(float(function(x)), x))


FLOAT = {
    "addf": lambda x, y: x + y, "subf": lambda x, y: x - y, "mulf": lambda x, y: x * y,
    "divf": float_divide, "remf": float_remainder, "copysign": math.copysign,
    "maximumf": lambda x, y: extremum(x, y, lambda a, c: is_below(c, a), True),
    "minimumf": lambda x, y: extremum(x, y, is_below, True),
    "maxnumf": lambda x, y: extremum(x, y, lambda a, c: is_below(c, a), False),
    "minnumf": lambda x, y: extremum(x, y, is_below, False),
}
FLOAT_UNARY = {
    "negf": lambda x: -x, "absf": abs, "floor": whole(math.floor),
    "ceil": whole(math.ceil), "trunc": whole(math.trunc), "roundeven": whole(round),
    "round": round_half_away,
    "sqrt": lambda x: math.nan if x < 0 else math.sqrt(x),
}
CLASSES = {"isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite}
FLOAT_PREDICATES = ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt",
                    "uge", "ult", "ule", "une", "uno", "true"]


def compare_floats(predicate, x, y):
    if predicate in ("false", "true"):
        return int(predicate == "true")
    unordered = math.isnan(x) or math.isnan(y)
    if predicate in ("ord", "uno"):
        return int(unordered == (predicate == "uno"))
    if unordered:
        return int(predicate[0] == "u")
    return int({"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y,
                "ge": x >= y}[predicate[1:]])


def to_integer(bits, value, is_signed):
    """A float's whole part; poison where the type has none."""
    if math.isnan(value) or math.isinf(value):
        return None
    result = math.trunc(value)
    low, high = (-(1 << bits - 1), 1 << bits - 1) if is_signed else (0, 1 << bits)
    return result & (1 << bits) - 1 if low <= result < high else None


#===----------------------------------------------------------------------===#
# Ops on elements
#===----------------------------------------------------------------------===#


def cast(name, source, target, value, properties):
    """A cast of arith or index."""
    bits = bits_of(target)
    if name in ("extui", "index_castui", "castu"):
        if "nonNeg" in properties and value >> bits_of(source) - 1:
            return None
        return value & (1 << bits) - 1
    if name in ("extsi", "index_cast", "casts"):
        return signed(bits_of(source), value) & (1 << bits) - 1
    if name == "trunci":
        cut = value & (1 << bits) - 1
        if "nuw" in properties and cut != value:
            return None
        if "nsw" in properties and signed(bits, cut) != signed(bits_of(source), value):
            return None
        return cut
    if name in ("extf", "truncf"):
        return round_to(target, value)
    if name == "sitofp":
        return round_to(target, whole_to_float(signed(bits_of(source), value)))
    if name == "uitofp":
        if "nonNeg" in properties and value >> bits_of(source) - 1:
            return None
        return round_to(target, whole_to_float(value))
    if name in ("fptosi", "fptoui"):
        return to_integer(bits, value, name == "fptosi")
    if name == "bitcast":
        bits_in = encode(source, value) if source in FORMATS else value
        return decode(target, bits_in) if target in FORMATS else bits_in
    return NotImplemented


def whole_to_float(value):
    """An integer as a Python float; Unknown where that would round twice."""
    result = float(value)
    if int(result) != value:
        raise Unknown("an integer of more than 53 bits")
    return result


def fast(properties, values):
    """Whether flags make poison of these values."""
    flags = re.search(r"fastmath<([^>]*)>", properties)
    flags = flags.group(1) if flags else ""
    return (("nnan" in flags or "fast" in flags) and any(map(math.isnan, values))
            or ("ninf" in flags or "fast" in flags) and any(map(math.isinf, values)))


def predicate_of(op, names):
    number = re.search(r"predicate = (\d+)", op.properties)
    if number:
        return names[int(number.group(1))]
    return re.search(r"predicate\((\w+)\)>|pred = #index<cmp_predicate (\w+)>",
                     op.properties).group(2)


def compute_element(op, source, target, operands):
    """The result of an elementwise op; NotImplemented where it is not one."""
    dialect, name = op.name.split(".", 1)
    if dialect == "index":
        name = INDEX.get(name, name)
    if name == "select":
        # The value that is not chosen may be poison.
        return None if operands[0] is None else operands[2 - operands[0]]
    if any(value is None for value in operands):
        if name in DIVISIONS and not operands[1]:
            raise Undefined
        return None
    if name in INTEGER:
        bits = bits_of(source)
        result = INTEGER[name](bits, op.properties, *operands)
        return None if result is None else result & (1 << bits) - 1
    if name in INTEGER_UNARY:
        bits = bits_of(source)
        return INTEGER_UNARY[name](bits, *operands) & (1 << bits) - 1
    if name in FLOAT or name in FLOAT_UNARY:
        result = round_to(target, (FLOAT.get(name) or FLOAT_UNARY[name])(*operands))
        if result is None or fast(op.properties, [*operands, result]):
            return None
        return result
    if name in CLASSES:
        return int(CLASSES[name](*operands))
    if name in ("cmpi", "cmp"):
        return compare(bits_of(source), predicate_of(op, PREDICATES), *operands)
    if name == "cmpf":
        if fast(op.properties, operands):
            return None
        return compare_floats(predicate_of(op, FLOAT_PREDICATES), *operands)
    if dialect in ("arith", "index"):
        return cast(name, source, target, operands[0], op.properties)
    return NotImplemented


def compute_extended(op, operands):
    """The two results of an op that keeps the high half."""
    if any(value is None for value in operands):
        return [None, None]
    bits, name = bits_of(element_of(op.operand_types[0])), op.name
    mask = (1 << bits) - 1
    if name == "arith.addui_extended":
        total = sum(operands)
        return [total & mask, total >> bits]
    if name == "arith.mulsi_extended":
        operands = [signed(bits, value) for value in operands]
    product = operands[0] * operands[1]
    return [product & mask, product >> bits & mask]


def read_number(type_, text):
    text = text.strip()
    if text in ("true", "false"):
        return int(text == "true")
    if type_ in FORMATS:
        return decode(type_, int(text, 16)) if text.startswith("0x") else round_to(
            type_, float(text))
    return int(text) & (1 << bits_of(type_)) - 1


def constant(op):
    """The value of a constant."""
    type_ = op.result_types[0]
    if op.name == "ub.poison":
        shape = shape_of(type_)
        return None if shape is None else Array(shape, [None] * math.prod(shape))
    text = re.search(r"value = (.*)\}>$", op.properties, re.S).group(1)
    shape, element = shape_of(type_), element_of(type_)
    if shape is None:
        return read_number(type_, text.split(" : ")[0])
    body = re.match(r"dense<(.*)> : ", text, re.S).group(1)
    if body.startswith('"'):
        raise Unknown("constants in hex")
    numbers = [read_number(element, n) for n in re.sub(r"[\[\]]", " ", body).split(",")
               if n.strip()]
    count = math.prod(shape)
    return Array(shape, numbers * count if len(numbers) == 1 else numbers)


#===----------------------------------------------------------------------===#
# Functions
#===----------------------------------------------------------------------===#

MOST_TRIPS = 64


class Machine:
    """Computes blocks of ops."""

    def __init__(self):
        self.values = {}

    def run(self, block, arguments):
        """What a block's terminator is given."""
        for (name, _), value in zip(block.arguments, arguments):
            self.values[name] = value
        for op in block.ops:
            operands = [self.values[name] for name in op.operands]
            if op.name in ("func.return", "scf.yield", "scf.condition", "tensor.yield"):
                return operands
            results = self.compute(op, operands)
            self.values.update(zip(op.results, results))
        return []

    def compute(self, op, operands):
        if op.name in ("arith.constant", "index.constant", "index.bool.constant",
                       "ub.poison"):
            return [constant(op)]
        if op.name.startswith("scf."):
            return self.control(op, operands)
        if op.name == "tensor.pad":
            return pad(op, operands, lambda places: self.run(op.regions[0], places))
        if op.name in MOVES:
            return MOVES[op.name](op, operands)
        if op.name.endswith("_extended"):
            return compute_extended(op, operands)
        source, target = map(element_of, (op.operand_types[-1], op.result_types[0]))
        shape = shape_of(op.result_types[0])
        if shape is None:
            results = [compute_element(op, source, target, operands)]
        else:
            shape = next((v.shape for v in operands if isinstance(v, Array)), shape)
            spread = [v.elements if isinstance(v, Array) else [v] * math.prod(shape)
                      for v in operands]
            results = [compute_element(op, source, target, list(values))
                       for values in zip(*spread)]
        if any(result is NotImplemented for result in results):
            raise Unknown(op.name)
        return results if shape is None else [Array(shape, results)]

    def control(self, op, operands):
        if op.name == "scf.if":
            if operands[0] is None:
                raise Undefined
            return self.run(op.regions[1 - operands[0]], [])
        if op.name == "scf.execute_region":
            return self.run(op.regions[0], [])
        if op.name == "scf.index_switch":
            if operands[0] is None:
                raise Undefined
            cases = re.search(r"cases = array<i64(?:: ([^>]*))?>", op.properties).group(1)
            numbers = [int(n) for n in (cases or "").split(",") if n.strip()]
            chosen = signed(64, operands[0])
            number = numbers.index(chosen) + 1 if chosen in numbers else 0
            return self.run(op.regions[number], [])
        if op.name == "scf.while":
            for _ in range(MOST_TRIPS):
                condition, *values = self.run(op.regions[0], operands)
                if condition is None:
                    raise Undefined
                if not condition:
                    return values
                operands = self.run(op.regions[1], values)
            raise Undefined
        if op.name == "scf.for":
            if any(value is None for value in operands[:3]):
                raise Undefined
            bits, is_unsigned = bits_of(op.operand_types[0]), "unsignedCmp" in op.properties
            low, high, step = (v if is_unsigned else signed(bits, v) for v in operands[:3])
            if step <= 0 or (high - low) > step * MOST_TRIPS:
                raise Undefined
            values = operands[3:]
            for place in range(low, high, step):
                values = self.run(op.regions[0], [place & (1 << bits) - 1, *values])
            return values
        raise Unknown(op.name)


def refines(before, after):
    """Whether a result may replace another: poison by anything."""
    if before is None:
        return True
    if isinstance(before, Array):
        return before.shape == after.shape and all(
            map(refines, before.elements, after.elements))
    if isinstance(before, float) and isinstance(after, float):
        return (math.isnan(before) and math.isnan(after)) or (
            before == after and math.copysign(1, before) == math.copysign(1, after))
    return before == after
