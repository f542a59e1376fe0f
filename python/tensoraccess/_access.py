# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Access programs: written in Python, inspected, and run on arrays.

Values are immutable terms. Each call makes the op of that name at once, so its
type is known and what the verifier rejects is an Error there; nothing is
computed before a value, or a program, is called on arrays. The ops and their
rules are those of the dialect, whose reference has the formulas.
"""

from __future__ import annotations

import operator
import sys
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, TypeVar, Union

from . import _native
from ._arguments import _integer, _number, _text
from ._executable import _DTYPES, _NAMES, Executable, _as_argument, _finish
from ._module import Module
from ._page import Shown

if TYPE_CHECKING:
    import numpy

# A size: None is one that only the arrays determine.
Size = Optional[int]
Shape = Sequence[Size]

_V = TypeVar("_V", bound="Value")
_Function = TypeVar("_Function", bound=Callable[..., Any])


# ===------------------------------------------------------------------------===#
# What users write, as the native module takes it
# ===------------------------------------------------------------------------===#


def _here() -> tuple[str, int]:
    """The file and line outside of this package that called it."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def _integers(what: str, xs: Any) -> list[int]:
    if isinstance(xs, str) or not hasattr(xs, "__iter__"):
        raise _native.Error(
            f"{what} must be a list of integers, got {type(xs).__name__}"
        )
    return [_integer(f"{what} {i}", x) for i, x in enumerate(xs)]


def _sizes(what: str, xs: Any) -> list[Size]:
    if isinstance(xs, str) or not hasattr(xs, "__iter__"):
        raise _native.Error(f"{what} must be a list of sizes, got {type(xs).__name__}")
    return [None if x is None else _integer(f"{what} {i}", x) for i, x in enumerate(xs)]


def _element(dtype: Any) -> str:
    """MLIR's name of an element type: of 'f32', 'float32' or numpy's types."""
    if isinstance(dtype, str) and dtype in _NAMES:
        return dtype
    name = dtype
    if not isinstance(dtype, str):
        # A numpy dtype has a name, a scalar type one of Python.
        name = getattr(dtype, "name", getattr(dtype, "__name__", str(dtype)))
    if name not in _DTYPES:
        names = ", ".join(_NAMES)
        raise _native.Error(f"unknown element type '{name}', expected one of {names}")
    return _DTYPES[name]


def _apply(
    op: str,
    operands: Sequence[Value],
    attributes: Sequence[tuple[str, Any]] = (),
    result: Optional[tuple[list[Size], list[Size], str]] = None,
) -> Access:
    return _wrap(Access, _term(op, operands, attributes, result))


def _term(
    op: str,
    operands: Sequence[Value],
    attributes: Sequence[tuple[str, Any]] = (),
    result: Optional[tuple[list[Size], list[Size], str]] = None,
) -> _native.Term:
    terms = []
    for i, operand in enumerate(operands):
        if not isinstance(operand, Value):
            raise _native.Error(
                f"'tensoraccess.{op}' takes a value of a program as operand {i}, "
                f"got {type(operand).__name__}"
            )
        terms.append(operand._term)
    given = [(name, value) for name, value in attributes if value is not None]
    return _native.make_term(op, terms, given, result, *_here())


def _wrap(kind: type[_V], term: _native.Term) -> _V:
    self = object.__new__(kind)
    self._term = term
    self._runners = {}
    return self


# ===------------------------------------------------------------------------===#
# Values
# ===------------------------------------------------------------------------===#


class Value(Shown):
    """A value of an access program: a `Tensor` or an `Access`.

    Calling it runs the program that computes it. Arrays are taken in the order
    of `inputs`, or by the inputs' names, and are of the inputs' dtypes; a
    dynamic size accepts any. `engine` is 'interpret', the reference, or 'jit',
    which compiles for this machine with the first call. An access pattern
    gives the array of its elements, access before compute dimensions.
    """

    __slots__ = ("_runners", "_term")
    _term: _native.Term
    _runners: dict[str, Executable]

    @property
    def shape(self) -> tuple[Size, ...]:
        """All sizes; None where only the arrays determine them."""
        return tuple(self._term.shape)

    @property
    def ndim(self) -> int:
        return len(self._term.shape)

    @property
    def dtype(self) -> str:
        """numpy's name of the element type."""
        return _NAMES[self._term.element]

    @property
    def op(self) -> str:
        """The op that makes the value; 'input', 'constant'."""
        return self._term.op

    @property
    def inputs(self) -> list[Tensor]:
        """The inputs that the value depends on, in the order of their creation."""
        return [_wrap(Tensor, t) for t in _native.inputs_of([self._term])]

    def __eq__(self, other: object) -> bool:
        """Whether both are the same term. Terms made twice are two."""
        return isinstance(other, Value) and self._term.number == other._term.number

    def __hash__(self) -> int:
        return hash(self._term.number)

    def __call__(
        self, *arrays: Any, engine: str = "interpret", **named: Any
    ) -> numpy.ndarray:
        if engine not in ("interpret", "jit"):
            raise _native.Error(f"engine must be 'interpret' or 'jit', got '{engine}'")
        if engine not in self._runners:
            module = self.module()
            self._runners[engine] = (
                module.interpret() if engine == "interpret" else module.compile()
            )
        if named:
            arrays = self._place(arrays, named)
        result = self._runners[engine](*arrays)
        assert result is not None and not isinstance(result, tuple)
        return result

    def _place(self, arrays: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """The arrays in the order of the inputs."""
        names = [x.name for x in self.inputs]
        placed = list(arrays) + [None] * (len(names) - len(arrays))
        for name, array in named.items():
            if names.count(name) != 1:
                known = ", ".join(f"'{n}'" for n in names if n) or "none"
                count = "no" if name not in names else "more than one"
                raise _native.Error(
                    f"{count} input is named '{name}', the names are {known}"
                )
            at = names.index(name)
            if placed[at] is not None:
                raise _native.Error(f"input '{name}' is given twice")
            placed[at] = array
        for i, array in enumerate(placed):
            if array is None:
                what = f"'{names[i]}'" if names[i] else str(i)
                raise _native.Error(f"input {what} is missing")
        return tuple(placed)

    def module(self, name: str = "main") -> Module:
        """The program as a module with one function."""
        return program(self, name=name)

    def __str__(self) -> str:
        return str(self.module())

    def svg(self) -> str:
        """A picture of the program, as SVG text."""
        return self.module().svg()

    def _repr_svg_(self) -> Optional[str]:
        """What notebooks show; None where there is nothing to draw."""
        try:
            return self.svg()
        except _native.Error:
            return None


def _dims(sizes: Sequence[Size]) -> str:
    return "x".join("?" if s is None else str(s) for s in sizes)


class Tensor(Value):
    """A tensor in a program: an input, a constant, or `Access.to_tensor()`."""

    __slots__ = ()

    @property
    def name(self) -> Optional[str]:
        """The name that an input was given, else None."""
        return self._term.name or None

    def access(self, axis: int) -> Access:
        """Views the tensor as an access pattern, split before dimension `axis`."""
        return _apply("access", [self], [("axis", _integer("axis", axis))])

    def __repr__(self) -> str:
        name = f" '{self.name}'" if self.name else ""
        text = "x".join(filter(None, [_dims(self.shape), self._term.element]))
        return f"<Tensor{name} {text}>"


class Access(Value):
    """An access pattern: an item at each access point.

    `access_shape` is iterated over, `compute_shape` is the shape of the items;
    `shape` is both. Axes count through all dimensions, access before compute,
    from 0; only slicing takes negative indices.
    """

    __slots__ = ()

    @property
    def access_shape(self) -> tuple[Size, ...]:
        return tuple(self._term.shape[: self._term.split])

    @property
    def compute_shape(self) -> tuple[Size, ...]:
        return tuple(self._term.shape[self._term.split :])

    def __repr__(self) -> str:
        inner = [*self.compute_shape]
        right = "x".join(filter(None, [_dims(inner), self._term.element]))
        return f"<Access {_dims(self.access_shape)} | {right}>".replace("  |", " |")

    # Movement.

    def to_tensor(self) -> Tensor:
        """The tensor of all elements; the inverse of `access`."""
        return _wrap(Tensor, _term("to_tensor", [self]))

    def access(self, axis: int) -> Access:
        """The same elements, split before dimension `axis`. Moves nothing."""
        return self.to_tensor().access(axis)

    def transpose(self, perm: Sequence[int]) -> Access:
        """Dimension i of the result is dimension perm[i]."""
        return _apply("transpose", [self], [("perm", _integers("perm", perm))])

    def cart_prod(self, other: Access) -> Access:
        """Every item with every item of the other: access shapes are joined,
        items are pairs, with a new leading compute dimension of size 2."""
        return _apply("cart_prod", [self, other])

    def pair(self, other: Access) -> Access:
        """Each item with the other's at the same access point."""
        return _apply("pair", [self, other])

    def windows(
        self,
        shape: Sequence[int],
        strides: Optional[Sequence[int]] = None,
        dilations: Optional[Sequence[int]] = None,
    ) -> Access:
        """Slides a window over the compute dimensions: places become access
        dimensions. Strides and dilations are 1 where they are not given."""
        window = _integers("shape", shape)
        steps = [1] * len(window) if strides is None else _integers("strides", strides)
        apart = None if dilations is None else _integers("dilations", dilations)
        return _apply(
            "windows",
            [self],
            [("shape", window), ("strides", steps), ("dilations", apart)],
        )

    def slice(
        self,
        offsets: Sequence[int],
        sizes: Sequence[int],
        strides: Optional[Sequence[int]] = None,
        *,
        oob: Optional[Sequence[str]] = None,
    ) -> Access:
        """A strided box, one entry a dimension; strides may be negative. A size
        of -1 is what a dynamic dimension has. `oob` gives for each dimension
        what places outside hold: 'forbid', 'wrap', 'negative', 'clamp' or
        'pad(0.0)'. `pattern[…]` is shorter where all places are inside."""
        policies = None
        if oob is not None:
            if isinstance(oob, str) or not all(isinstance(p, str) for p in oob):
                raise _native.Error("oob must be a list of policies as strings")
            policies = "[" + ", ".join(oob) + "]"
        return _apply(
            "slice",
            [self],
            [
                ("offsets", _integers("offsets", offsets)),
                ("sizes", _integers("sizes", sizes)),
                ("strides", None if strides is None else _integers("strides", strides)),
                ("oob", policies),
            ],
        )

    def project(
        self,
        projection: Any,
        extents: Optional[Sequence[int]] = None,
        *,
        block: Optional[_native.Box] = None,
    ) -> Access:
        """The regions that a projection of the compute dimensions has over a
        block, whose axes become access dimensions: from 0 on, of `extents`, or a
        `Box`. `projection` is a Projection, one with anchors, or a text."""
        if (extents is None) == (block is None):
            raise _native.Error("project takes extents or a block")
        lower, upper = None, None
        if block is not None:
            lower, upper = list(block.lo), list(block.hi)
        else:
            upper = _integers("extents", extents)
        return _apply(
            "project",
            [self],
            [("projection", str(projection)), ("lower", lower), ("upper", upper)],
        )

    def __getitem__(self, key: Any) -> Access:
        """numpy's basic indexing over all dimensions, access before compute.

        Slices may have steps of either sign; an integer drops its dimension,
        None inserts one of size 1, `...` stands for the dimensions not named.
        """
        return _index(self, key if isinstance(key, tuple) else (key,))

    def concat(self, *others: Access, axis: int) -> Access:
        """This pattern and the others, one after another along `axis`."""
        return concat([self, *others], axis)

    def squeeze(self, axis: int) -> Access:
        """Removes a dimension of size 1."""
        return _apply("squeeze", [self], [("axis", _integer("axis", axis))])

    def insert_axis(self, axis: int) -> Access:
        """Inserts a dimension of size 1 as number `axis`; an access dimension
        where `axis` is at most their number."""
        return _apply("insert_axis", [self], [("axis", _integer("axis", axis))])

    def broadcast(self, access_shape: Shape, compute_shape: Shape) -> Access:
        """Repeats dimensions of size 1 up to the given shapes."""
        return _apply("broadcast", [self], (), self._typed(access_shape, compute_shape))

    def flatten(self) -> Access:
        """Flattens the access dimensions to one, and the compute dimensions."""
        return _apply("flatten", [self])

    def reshape(self, access_shape: Shape, compute_shape: Shape) -> Access:
        """Reshapes each side separately, in row-major order."""
        return _apply("reshape", [self], (), self._typed(access_shape, compute_shape))

    def pad(
        self,
        low: Sequence[int],
        high: Sequence[int],
        value: Union[int, float] = 0,
        interior: Optional[Sequence[int]] = None,
    ) -> Access:
        """Surrounds the dimensions with `value`, which must be one of the
        dtype: `low` and `high` elements before and after each, and `interior`
        between neighbours."""
        return _apply(
            "pad",
            [self],
            [
                ("low", _integers("low", low)),
                ("high", _integers("high", high)),
                ("value", self._number("value", value)),
                (
                    "interior",
                    None if interior is None else _integers("interior", interior),
                ),
            ],
        )

    def shift_right(self, by: int = 1) -> Access:
        """The last `by` access dimensions become the first compute dimensions."""
        return _apply("shift_right", [self], [("by", _integer("by", by))])

    def materialize(self) -> Access:
        """The same values as a copy in memory, dense in row-major order."""
        return _apply("materialize", [self])

    # Arithmetic.

    def compute(self, kind: str, *, accumulator: Any = None) -> Access:
        """Applies an operator to the item at each access point.

        Over the tuple, the leading compute dimension: 'dot_prod',
        'elementwise_add', 'elementwise_mul', 'elementwise_div'. Over the whole
        item: 'reduce_sum', 'reduce_max', 'reduce_mean', 'softmax'. On every
        element: 'relu', 'sqrt', 'negative'. `accumulator` is a wider dtype for
        the sums of 'dot_prod' and 'reduce_sum', and that of the result.
        """
        wide = None if accumulator is None else _element(accumulator)
        kind = _text("kind", kind)
        return _apply("compute", [self], [("kind", kind), ("accumulator", wide)])

    def systolic_array(
        self,
        weights: Access,
        rows: int,
        cols: int,
        *,
        blocked: bool = False,
        accumulator: Any = None,
    ) -> Access:
        """A weight-stationary array of rows x cols cells: this pattern's items
        of (rows) by the one item of (rows, cols) of the weights. If `blocked`,
        items of (K) by weights of (K, N), cut into blocks for the array.
        `accumulator` is that of `compute`."""
        wide = None if accumulator is None else _element(accumulator)
        return _apply(
            "systolic_array",
            [self, weights],
            [
                ("rows", _integer("rows", rows)),
                ("cols", _integer("cols", cols)),
                ("blocked", "unit" if blocked else None),
                ("accumulator", wide),
            ],
        )

    def _typed(
        self, access_shape: Shape, compute_shape: Shape
    ) -> tuple[list[Size], list[Size], str]:
        return (
            _sizes("access_shape", access_shape),
            _sizes("compute_shape", compute_shape),
            self._term.element,
        )

    def _number(self, what: str, x: Any) -> Union[int, float]:
        """The native module checks that an integer type gets an integer."""
        if self._term.element.startswith("i") and hasattr(x, "__index__"):
            return _integer(what, x)
        return _number(what, x)


def _index(pattern: Access, key: tuple[Any, ...]) -> Access:
    """`pattern[key]`: one slice, then squeezes, then insert_axis."""
    named = sum(k is not None and k is not Ellipsis for k in key)
    if sum(k is Ellipsis for k in key) > 1:
        raise _native.Error("an index has at most one '...'")
    if named > pattern.ndim:
        raise _native.Error(
            f"an index of {named} entries does not fit {pattern.ndim} dimensions"
        )
    if not any(k is Ellipsis for k in key):
        key = (*key, Ellipsis)
    rest = pattern.ndim - named
    offsets: list[int] = []
    sizes: list[int] = []
    strides: list[int] = []
    dropped: list[int] = []
    inserted: list[int] = []
    place = 0  # Of the next dimension in the result.
    for k in key:
        if k is None:
            inserted.append(place)
            place += 1
            continue
        for part in [slice(None)] * rest if k is Ellipsis else [k]:
            axis = len(offsets)
            size = pattern.shape[axis]
            if isinstance(part, slice):
                offset, count, stride = _range(axis, size, part)
                place += 1
            else:
                offset, count, stride = _integer(f"index {axis}", part), 1, 1
                if offset < 0 and size is None:
                    raise _native.Error(
                        f"dimension {axis} is dynamic and takes no index "
                        f"from its end, got {offset}"
                    )
                if offset < 0 and size is not None and -size <= offset:
                    offset += size
                dropped.append(axis)
            offsets.append(offset)
            sizes.append(count)
            strides.append(stride)
    result = pattern
    if strides != [1] * len(strides):
        result = pattern.slice(offsets, sizes, strides)
    elif any(offsets) or [None if n == -1 else n for n in sizes] != list(pattern.shape):
        result = pattern.slice(offsets, sizes)
    for axis in reversed(dropped):
        result = result.squeeze(axis)
    for axis in inserted:
        result = result.insert_axis(axis)
    return result


def _range(axis: int, size: Size, part: slice) -> tuple[int, int, int]:
    """(offset, size, stride) of a slice of a dimension, clipped as Python does."""
    for what in ("start", "stop", "step"):
        if getattr(part, what) is not None:
            _integer(f"{what} of index {axis}", getattr(part, what))
    if part.step is not None and operator.index(part.step) == 0:
        raise _native.Error(f"step of index {axis} must not be 0")
    if size is not None:
        start, stop, step = part.indices(size)
        count = len(range(start, stop, step))
        # An empty slice may be anywhere; a single place needs no step.
        return (start if count else 0), count, (step if count > 1 else 1)
    start = 0 if part.start is None else operator.index(part.start)
    step = 1 if part.step is None else operator.index(part.step)
    if start < 0 or step < 0 or part.stop is not None:
        raise _native.Error(
            f"dimension {axis} is dynamic and takes slices 'start:' and "
            "'start::step' of numbers from its beginning"
        )
    return start, -1, step


# ===------------------------------------------------------------------------===#
# Making values
# ===------------------------------------------------------------------------===#


def input(shape: Shape, dtype: Any = "f32", *, name: Optional[str] = None) -> Tensor:
    """An input of programs: a tensor of a shape and an element type.

    A size of None is dynamic. `dtype` is 'f32', 'float32', numpy.float32, …:
    f16, bf16, f32, f64, i1 (bool), i8, i16, i32, i64. The name is for calls by
    keyword and for readers of the program.
    """
    if name is not None:
        _text("name", name)
    return _wrap(
        Tensor,
        _native.make_input(
            _sizes("shape", shape), _element(dtype), name or "", *_here()
        ),
    )


def from_numpy(array: Any) -> Tensor:
    """A constant: a tensor with the elements of an array, which are copied.

    Takes what `Executable` takes: numpy's arrays, those of anything with
    `__array__` or `__dlpack__`, and numbers and lists as numpy.asarray does.
    """
    import numpy as np

    if not hasattr(array, "__array__") and not hasattr(array, "__dlpack__"):
        array = np.asarray(array)
    _, argument = _as_argument("a constant", array)
    return _wrap(Tensor, _native.make_constant(argument, *_here()))


def access(value: Any, axis: int) -> Access:
    """Views a tensor as an access pattern, split before dimension `axis`; a
    pattern is split anew, an array is a constant."""
    if not isinstance(value, (Tensor, Access)):
        value = from_numpy(value)
    pattern: Access = value.access(axis)
    return pattern


def concat(patterns: Sequence[Access], axis: int) -> Access:
    """Patterns one after another along a dimension, at least one of them."""
    return _apply("concat", list(patterns), [("axis", _integer("axis", axis))])


def accelerator_call(
    name: str,
    *patterns: Access,
    access_shape: Shape,
    compute_shape: Shape,
    dtype: Any = None,
) -> Access:
    """What an accelerator computes of patterns: its model is found by name when the
    program runs (see `accelerator`). The dtype is that of the first pattern
    where none is given."""
    _text("name", name)
    if dtype is None and not patterns:
        raise _native.Error("an accelerator without operands needs a dtype")
    element = _element(patterns[0].dtype if dtype is None else dtype)
    result = (
        _sizes("access_shape", access_shape),
        _sizes("compute_shape", compute_shape),
        element,
    )
    return _apply("accelerator_call", patterns, [("target", name)], result)


def program(
    *results: Value, inputs: Optional[Sequence[Tensor]] = None, name: str = "main"
) -> Module:
    """A module with one function that computes some values.

    Its arguments are `inputs`, or what the values depend on, in the order of their
    creation. Access patterns are returned as the tensors of their elements.
    """
    for i, result in enumerate(results):
        if not isinstance(result, Value):
            raise _native.Error(
                f"result {i} must be a value of a program, "
                f"got {type(result).__name__}"
            )
    if not results:
        raise _native.Error("a program needs a result")
    terms = [r._term for r in results]
    if inputs is None:
        given = _native.inputs_of(terms)
    else:
        for i, x in enumerate(inputs):
            if not isinstance(x, Tensor) or x.op != "input":
                raise _native.Error(f"input {i} is not an input: make it with ta.input")
        given = [x._term for x in inputs]
    return Module._wrap(_native.build(terms, given, name))


# ===------------------------------------------------------------------------===#
# Accelerators
# ===------------------------------------------------------------------------===#


def accelerator(
    name: str,
) -> Callable[[_Function], _Function]:
    """Registers a function as the model of an accelerator, in this process.

        @ta.accelerator("vector-add")
        def vector_add(a, b):
            return a + b

    It is called with a numpy array for each operand, of access before compute
    dimensions, and returns the array of the result, whose shape and dtype must
    be those that the call is written with. A model of the same name is
    replaced.
    """
    if not isinstance(name, str) or not name:
        raise _native.Error("an accelerator needs a name")

    def register(model: _Function) -> _Function:
        if not callable(model):
            raise _native.Error(
                f"the model of accelerator '{name}' must be a function, "
                f"got {type(model).__name__}"
            )

        def call(arrays: list[tuple[str, Any]]) -> tuple[Any, Any]:
            import numpy as np

            result = np.asarray(model(*(_finish(*a) for a in arrays)))
            return _as_argument("the result", result)

        _native.register_accelerator(name, call)
        return model

    return register


def remove_accelerator(name: str) -> None:
    """Removes an accelerator's model; does nothing if none exists."""
    _native.register_accelerator(name, None)


def accelerators() -> list[str]:
    """The names that have a model, sorted."""
    return _native.accelerators()
