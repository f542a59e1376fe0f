# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Glenside's patterns, with variables, as patterns in PDLL.

A tensor is a value that `IsArgument` says the number of; `?x` is any value; a shape
`?s` that something is reshaped to is a type that is not given, and one that is given
is asked for by `HasType`, since mlir-pdll does not know this project's types. Slices and pads name
every dimension in this project's ops, so what they are of must have a known rank, and
for slices known sizes: a pattern whose slice is of a variable is not expressible.
"""


class NotExpressible(ValueError):
    pass


def parse(text):
    """Nested lists of words."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    stack = [[]]
    for token in tokens:
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    (term,) = stack[0]
    return term


COMPUTES = {
    "dot-product": "dot_prod",
    "reduce-sum": "reduce_sum",
    "reduce-max": "reduce_max",
    "elementwise-add": "elementwise_add",
    "elementwise-mul": "elementwise_mul",
}


class Converter:
    """One pattern. A term is a name with its shape: (access sizes, compute sizes), or
    None where that is up to a variable."""

    def __init__(self, shapes):
        self.shapes = shapes
        self.lines = []
        self.known = {}
        self.number = 0

    def op(self, name, operands, attributes=(), type_=None):
        key = (name, tuple(operands), tuple(attributes), type_)
        if key not in self.known:
            self.number += 1
            listed = ", ".join(f'{k} = attr<"{v}">' for k, v in attributes)
            self.lines.append(
                f"let e{self.number} = op<tensoraccess.{name}>"
                f"({', '.join(operands)})"
                + (f" {{{listed}}}" if listed else "")
                + (f" -> ({type_})" if type_ else "")
                + ";"
            )
            self.known[key] = f"e{self.number}.0"
        return self.known[key]

    @staticmethod
    def ints(values):
        return f"array<i64: {', '.join(map(str, values))}>"

    def tensor(self, name):
        tensors = sorted(self.shapes)
        number = tensors.index(name)
        value = f"t{number}"
        if ("tensor", name) not in self.known:
            sizes = "x".join(map(str, self.shapes[name]))
            self.lines.insert(
                0,
                f'let {value}: Value<type<"tensor<{sizes}xf64>">>;\n'
                f'  IsArgument({value}, attr<"{number} : i64">);',
            )
            self.known["tensor", name] = value
        return value

    def value(self, term):
        """The tensor or pattern that is meant, and its shape."""
        if isinstance(term, str):
            assert term.startswith("?"), term
            name = "v" + term[1:]
            if ("variable", term) not in self.known:
                self.lines.insert(0, f"let {name}: Value;")
                self.known["variable", term] = name
            return name, None
        head, *rest = term
        return getattr(self, head.replace("-", "_"))(*rest)

    def access_tensor(self, name):
        shape = self.shapes[name]
        tensor = self.tensor(name)
        rank = len(shape)
        return self.op("access", [tensor], [("axis", f"{rank} : i64")]), (
            list(shape),
            [],
        )

    def access(self, of, axis):
        value, shape = self.value(of)
        tensor = self.op("to_tensor", [value])
        if shape:
            sizes = shape[0] + shape[1]
            shape = (sizes[: int(axis)], sizes[int(axis) :])
        return self.op("access", [tensor], [("axis", f"{axis} : i64")]), shape

    def access_windows(self, of, shape, strides):
        value, known = self.value(of)
        window, steps = ([int(n) for n in term[1:]] for term in (shape, strides))
        if known:
            counts = [
                (size - w) // s + 1
                for size, w, s in zip(known[1], window, steps, strict=True)
            ]
            known = (known[0] + counts, window)
        attributes = [("shape", self.ints(window)), ("strides", self.ints(steps))]
        return self.op("windows", [value], attributes), known

    def access_flatten(self, of):
        value, shape = self.value(of)
        if shape:
            product = []
            for sizes in shape:
                count = 1
                for size in sizes:
                    count *= size
                product.append([count] if sizes else [])
            shape = tuple(product)
        return self.op("flatten", [value]), shape

    def access_reshape(self, of, shape):
        value, _ = self.value(of)
        if isinstance(shape, str):
            return self.op("reshape", [value]), None
        if shape[0] == "get-access-shape":
            known = self.value(shape[1])[1]
        else:
            known = tuple([int(n) for n in sizes[1:]] for sizes in shape[1:])
        access = "x".join(map(str, known[0]))
        compute = "x".join([*map(str, known[1]), "f64"])
        # Terms of one op and operands are one: the type tells them apart.
        result = self.op("reshape", [value], type_=f"t_{len(self.known)}: Type")
        name = f"!tensoraccess.access<{access}|{compute}>"
        self.lines.append(f'HasType({result}, type<"{name}">);')
        return result, known

    def access_squeeze(self, of, axis):
        value, shape = self.value(of)
        if shape:
            shape = tuple(list(sizes) for sizes in shape)
            at = int(axis)
            side = 0 if at < len(shape[0]) else 1
            del shape[side][at - side * len(shape[0])]
        return self.op("squeeze", [value], [("axis", f"{axis} : i64")]), shape

    def access_slice(self, of, axis, low, high):
        value, shape = self.value(of)
        if not shape:
            raise NotExpressible("a slice of a variable")
        sizes = shape[0] + shape[1]
        offsets = [0] * len(sizes)
        offsets[int(axis)] = int(low)
        sizes[int(axis)] = int(high) - int(low)
        split = len(shape[0])
        attributes = [("offsets", self.ints(offsets)), ("sizes", self.ints(sizes))]
        return self.op("slice", [value], attributes), (sizes[:split], sizes[split:])

    def access_pad(self, of, kind, axis, low, high):
        value, shape = self.value(of)
        if not shape:
            raise NotExpressible("a pad of a variable")
        assert kind == "zero-padding"
        sizes = shape[0] + shape[1]
        pads = [[0] * len(sizes), [0] * len(sizes)]
        pads[0][int(axis)], pads[1][int(axis)] = int(low), int(high)
        sizes[int(axis)] += int(low) + int(high)
        attributes = [
            ("high", self.ints(pads[1])),
            ("low", self.ints(pads[0])),
            ("value", "0.0 : f64"),
        ]
        split = len(shape[0])
        return self.op("pad", [value], attributes), (sizes[:split], sizes[split:])

    def access_transpose(self, of, order):
        value, shape = self.value(of)
        perm = [int(n) for n in order[1:]]
        if shape:
            sizes = shape[0] + shape[1]
            sizes = [sizes[n] for n in perm]
            shape = (sizes[: len(shape[0])], sizes[len(shape[0]) :])
        return self.op("transpose", [value], [("perm", self.ints(perm))]), shape

    def access_concatenate(self, left, right, axis):
        (a, x), (b, y) = self.value(left), self.value(right)
        shape = None
        if x and y:
            sizes = x[0] + x[1]
            sizes[int(axis)] += (y[0] + y[1])[int(axis)]
            shape = (sizes[: len(x[0])], sizes[len(x[0]) :])
        return self.op("concat", [a, b], [("axis", f"{axis} : i64")]), shape

    def access_pair(self, left, right):
        (a, x), (b, _) = self.value(left), self.value(right)
        return self.op("pair", [a, b]), x and (x[0], [2, *x[1]])

    def access_cartesian_product(self, left, right):
        (a, x), (b, y) = self.value(left), self.value(right)
        shape = (x[0] + y[0], [2, *x[1]]) if x and y else None
        return self.op("cart_prod", [a, b]), shape

    def compute(self, kind, of):
        value, shape = self.value(of)
        name = COMPUTES[kind]
        attribute = ("kind", f"#tensoraccess.compute_kind<{name}>")
        if shape:
            items = shape[1][1:] if name.startswith("elementwise") else []
            shape = (shape[0], items)
        return self.op("compute", [value], [attribute]), shape

    def systolic_array(self, rows, cols, left, right, *, blocked=False):
        (a, x), (b, y) = self.value(left), self.value(right)
        attributes = [("cols", f"{cols} : i64"), ("rows", f"{rows} : i64")]
        if blocked:
            attributes.insert(0, ("blocked", "unit"))
        shape = (x[0] + [y[1][1]], []) if x and y else None
        return self.op("systolic_array", [a, b], attributes), shape

    def systolic_array_with_blocking(self, rows, cols, left, right):
        return self.systolic_array(rows, cols, left, right, blocked=True)


def to_pdll(text, shapes):
    """The pattern as a file of PDLL. Raises NotExpressible."""
    converter = Converter(shapes)
    name, _ = converter.value(parse(text))
    root = name.removesuffix(".0")
    lines = "\n  ".join([*converter.lines, f"erase {root};"])
    return (
        "Constraint IsArgument(value: Value, number: Attr);\n"
        "Constraint HasType(value: Value, t: Type);\n"
        f"Pattern Expected {{\n  {lines}\n}}\n"
    )
