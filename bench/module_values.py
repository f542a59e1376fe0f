# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of random modules (fuzz_modules.py) by their types, and the body of a
function that picks, makes and defines them.

A type is a tuple:

    ("tensor", (3, None), "f32", "")      the last is an encoding
    ("memref", (3,), "f32")
    ("access", (3,), (2, None), "f32")    access and compute dimensions
    ("scalar", "i32")
"""

SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 16, None, None, None)
FLOATS = ("f32", "f32", "f32", "f16", "bf16", "f64")
INTEGERS = ("i1", "i8", "i16", "i32", "i32", "i64")
UNSIGNED = ("ui8", "ui16", "ui32", "ui64")
LAYOUTS = ("{1,0}", "{0,1}", "{1,0:T(2,2)}", "{1,0:T(8,128)}", "{0,1:T(4)}")


def dims(shape):
    return "".join("?x" if n is None else f"{n}x" for n in shape)


def show(kind):
    if kind[0] == "tensor":
        return f"tensor<{dims(kind[1])}{kind[2]}{kind[3]}>"
    if kind[0] == "memref":
        return f"memref<{dims(kind[1])}{kind[2]}>"
    if kind[0] == "access":
        _, access, compute, element = kind
        left = dims(access)[:-1]
        return f"!tensoraccess.access<{left + ' ' if left else ''}| {dims(compute)}{element}>"
    return kind[1]


def tensor(shape, element, encoding=""):
    return ("tensor", tuple(shape), element, encoding)


def access(left, right, element):
    return ("access", tuple(left), tuple(right), element)


def scalar(element):
    return ("scalar", element)


def is_float(element):
    return element.startswith(("f", "bf"))


def literal(element, value=1):
    return f"{value}.0" if is_float(element) else str(value if element != "i1" else "true")


def known(shape):
    return None not in shape


def count(shape):
    product = 1
    for n in shape:
        product *= n
    return product


class Function:
    """The body of one function, with its arguments."""

    def __init__(self, rng, module):
        self.rng, self.module = rng, module
        self.arguments, self.lines, self.values = [], [], []
        self.names = 0
        self.depth = 0

    # What there is.

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def line(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def define(self, kind, text):
        """An op with one result."""
        name = self.name()
        self.line(f"{name} = {text}")
        self.values.append((name, kind))
        return name

    def find(self, accept):
        there = [value for value in self.values if accept(value[1])]
        return self.rng.choice(there) if there else None

    def shape(self, rank=None, most=4):
        rank = self.rng.randint(0, most) if rank is None else rank
        return tuple(self.rng.choice(SIZES) for _ in range(rank))

    def element(self):
        rng = self.rng
        return rng.choice(rng.choice((FLOATS, FLOATS, INTEGERS, UNSIGNED, ("index",))))

    def index(self, value=None):
        if value is None:
            found = self.find(lambda kind: kind == scalar("index"))
            if found and self.rng.random() < 0.6:
                return found[0]
            value = self.rng.choice((0, 1, 2, 3))
        return self.define(scalar("index"), f"arith.constant {value} : index")

    def some(self, kind):
        """A value of that type: one that is there, or a new one."""
        rng = self.rng
        found = self.find(lambda other: other == kind)
        if found and rng.random() < 0.8:
            return found[0]
        if kind[0] == "scalar" and kind[1] not in UNSIGNED and rng.random() < 0.5:
            return self.define(kind, f"arith.constant {literal(kind[1])}"
                               + ("" if kind[1] == "i1" else f" : {kind[1]}"))
        if kind[0] == "tensor" and not kind[3] and rng.random() < 0.5:
            if known(kind[1]) and kind[2] not in UNSIGNED and rng.random() < 0.5:
                value = "" if 0 in kind[1] else literal(kind[2])
                return self.define(kind, f"arith.constant dense<{value}> : {show(kind)}")
            return self.empty(kind)
        if kind[0] == "access":
            whole = tensor(kind[1] + kind[2], kind[3])
            source = self.some(whole)
            return self.define(kind, f"tensoraccess.access {source} at {len(kind[1])}"
                               f" : {show(whole)} -> {show(kind)}")
        if self.depth == 0 and len(self.arguments) < 8 and rng.random() < 0.8:
            name = f"%a{len(self.arguments)}"
            self.arguments.append((name, kind))
            self.values.insert(0, (name, kind))
            return name
        if kind[0] == "memref" and known(kind[1]):
            return self.define(kind, f"memref.alloc() : {show(kind)}")
        return self.define(kind, f'"some.source"() : () -> {show(kind)}')

    def empty(self, kind):
        sizes = ", ".join([self.index() for n in kind[1] if n is None])
        return self.define(kind, f"tensor.empty({sizes}) : {show(kind)}")

    def any_tensor(self, accept=lambda kind: True, rank=None, element=None):
        found = self.find(lambda kind: kind[0] == "tensor" and not kind[3]
                          and (rank is None or len(kind[1]) == rank)
                          and (element is None or kind[2] == element) and accept(kind))
        if found and self.rng.random() < 0.8:
            return found
        for _ in range(50):
            kind = tensor(self.shape(rank), element or self.element())
            if accept(kind):
                return self.some(kind), kind
        return self.fallback(rank, element, accept)

    def fallback(self, rank, element, accept):
        ranks = range(4) if rank is None else (rank,)
        kinds = [tensor((2,) * n, e) for n in ranks for e in ((element,) if element else ("f32", "i32"))]
        kind = next((kind for kind in kinds if accept(kind)), kinds[0])
        return self.some(kind), kind

    def any_access(self, accept=lambda kind: True):
        found = self.find(lambda kind: kind[0] == "access" and accept(kind))
        if found and self.rng.random() < 0.85:
            return found
        for _ in range(50):
            shape, element = self.shape(), self.rng.choice(FLOATS[:4] + ("i8", "i32", "f64"))
            split = self.rng.randint(0, len(shape))
            kind = access(shape[:split], shape[split:], element)
            if accept(kind):
                return self.some(kind), kind
        return None

    def step(self):
        before = len(self.lines), len(self.values), len(self.arguments)
        family = self.rng.choice(self.module.FAMILIES)
        self.rng.choice(family)(self)
        return before
