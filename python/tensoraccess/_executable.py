# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions, called on arrays. numpy is imported with the first call."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _native
from ._weights import Weight

if TYPE_CHECKING:
    import numpy

# numpy's name of an element type, and MLIR's.
_DTYPES = {
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
}
# Those whose memory is that of signed integers: only functions tell them apart.
_UNSIGNED = {f"uint{n}": f"ui{n}" for n in (8, 16, 32, 64)}
# Those of ml_dtypes that are bytes: floats by their bits, integers by their values.
_SMALL_FLOATS = {
    "float4_e2m1fn": "f4E2M1FN",
    "float6_e2m3fn": "f6E2M3FN",
    "float6_e3m2fn": "f6E3M2FN",
    "float8_e8m0fnu": "f8E8M0FNU",
    "float8_e3m4": "f8E3M4",
    "float8_e4m3": "f8E4M3",
    "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
}
_SMALL_INTEGERS = {"int2": "i2", "int4": "i4", "uint2": "ui2", "uint4": "ui4"}
_BYTES = {*_SMALL_FLOATS.values(), *_SMALL_INTEGERS.values()}
# Complex ones, and the element type of their parts.
_COMPLEX = {"complex64": "complex<f32>", "complex128": "complex<f64>"}
_PARTS = {"complex64": "float32", "complex128": "float64"}
_NAMES = {short: name for name, short in _DTYPES.items()}
_ELEMENTS = _DTYPES | _UNSIGNED | _SMALL_FLOATS | _SMALL_INTEGERS
_ARRAY_NAMES = {short: name for name, short in (_ELEMENTS | _COMPLEX).items()}

_SHORT_SECONDS = 0.02


class ArrayType(NamedTuple):
    """What a function takes or gives in one place.

    `kind` is 'tensor', 'memref' (the function may write to it) or 'scalar';
    `dtype` is numpy's name of the element type; a size of None is any size.
    """

    kind: str
    dtype: str
    shape: tuple[Optional[int], ...]


class KernelRun(NamedTuple):
    """One run of a loop nest of compiled code.

    `name` gives its loops, those of sums after `by`, and its type; `source` is where
    the op comes from, `file:line:column`. `operations` on numbers, a multiply-add
    being two, and `bytes` of the buffers that it reads and writes, each once, are 0
    where sizes are unknown. `begin` and `end` are seconds of a steady clock.
    """

    name: str
    source: str
    operations: int
    bytes: int
    begin: float
    end: float


def _array_types(types: list[Any]) -> list[ArrayType]:
    return [ArrayType(k, _ARRAY_NAMES[e], tuple(shape)) for k, e, shape in types]


def _number(x: Any, dtype: str) -> numpy.ndarray:
    """A Python number as an array of rank 0."""
    import numpy as np

    if isinstance(x, complex) and dtype not in _PARTS:
        raise _native.Error(f"a complex number is not of type {dtype}")
    if dtype == "bfloat16":
        return np.asarray(x, _bfloat16())
    try:
        # Only where nothing is lost: 2 is a float, 2.5 and -1 are not uint8.
        if isinstance(x, int) and dtype in _UNSIGNED:
            return np.asarray(x, dtype)
        return np.asarray(x).astype(dtype, casting="same_kind")
    except (OverflowError, TypeError):
        return np.asarray(x)


def _as_array(what: str, x: Any) -> numpy.ndarray:
    """A numpy view of an array whose elements can be read in place."""
    import numpy as np

    if isinstance(x, np.ndarray):
        array = x
    elif hasattr(x, "__array__"):
        array = np.asarray(x)
    elif hasattr(x, "__dlpack__"):
        array = np.from_dlpack(x)
    else:
        raise _native.Error(f"{what} must be an array, got {type(x).__name__}")
    # Elements must be at multiples of their size.
    flags = array.flags
    if not flags.aligned or (
        not flags.c_contiguous and any(s % array.itemsize for s in array.strides)
    ):
        array = array.copy()
    return array


# Names are slow to make. A type of the other byte order is another key.
_elements: dict[Any, Optional[str]] = {}


def _element(dtype: numpy.dtype) -> Optional[str]:
    """MLIR's name of an element type, None where it has none."""
    if dtype not in _elements:
        _elements[dtype] = _ELEMENTS.get(dtype.name) if dtype.isnative else None
    return _elements[dtype]


def _cast_to(element: Optional[str]) -> str:
    """How an array is cast to an element type of MLIR's, as the end of an error."""
    name = next((name for name, known in _ELEMENTS.items() if known == element), None)
    if name is None:
        return ""
    owner = "np" if name in _DTYPES | _UNSIGNED and name != "bfloat16" else "ml_dtypes"
    return f"; cast it: x.astype({owner}.{'bool_' if name == 'bool' else name})"


def _with_cast(error: _native.Error) -> _native.Error:
    """What the native module says of an element type, and how to cast to it."""
    found = re.search(r"has element type \S+, expected (\w+)$", str(error))
    return _native.Error(str(error) + _cast_to(found[1])) if found else error


def _as_argument(
    what: str, x: Any, expected: Optional[str] = None
) -> tuple[numpy.ndarray, tuple[str, numpy.ndarray]]:
    """An array as the native module takes it, and what keeps it alive."""
    view = _as_array(what, x)
    element = _element(view.dtype)
    # Signed integers may be taken by their bits, others are what they say.
    if element is None or (element not in _NAMES and element != expected):
        wanted = expected or "one of " + ", ".join(_NAMES)
        raise _native.Error(
            f"{what} has element type {_describe(view.dtype)}, expected {wanted}"
            + _cast_to(expected)
        )
    if element in _BYTES:
        bits = element.startswith("f")
        view, element = view.view("int8") if bits else view.astype("int8"), "i8"
    return view, (element.removeprefix("u"), view)


def _finish(element: str, array: numpy.ndarray, dtype: str = "") -> numpy.ndarray:
    """An array of the native module, which has neither bf16 nor unsigned integers
    nor what is smaller than a byte."""
    if element == "bf16":
        return array.view(_bfloat16())
    if dtype in _UNSIGNED:
        return array.view(dtype)
    if dtype in _SMALL_FLOATS:
        return array.view(_small(dtype))
    return array.astype(_small(dtype)) if dtype in _SMALL_INTEGERS else array


def _small(dtype: str) -> numpy.dtype:
    import ml_dtypes
    import numpy as np

    found: numpy.dtype = np.dtype(getattr(ml_dtypes, dtype))
    return found


def _parts(what: str, x: Any, wanted: ArrayType) -> numpy.ndarray:
    """Complex numbers as pairs of real ones, in a last dimension."""
    import numpy as np

    array, dtype = _as_array(what, x), wanted.dtype
    if array.dtype != dtype:
        raise _native.Error(
            f"{what} has element type {_describe(array.dtype)}, "
            f"expected {_COMPLEX[dtype]}; cast it: x.astype(np.{dtype})"
        )
    if array.shape != wanted.shape:
        got, shape = ("x".join(map(str, s)) for s in (array.shape, wanted.shape))
        raise _native.Error(f"{what} has shape {got}, expected {shape}")
    packed = np.ascontiguousarray(array)
    return packed.view(_PARTS[dtype]).reshape(*array.shape, 2)


def _joined(array: numpy.ndarray, wanted: ArrayType) -> numpy.ndarray:
    """The reverse."""
    return array.view(wanted.dtype).reshape(array.shape[:-1])


def _check_memref(i: int, x: Any, view: numpy.ndarray) -> None:
    """The function may write to a memref, so it is the caller's own array."""
    if view is not x:
        got = "one that is not aligned" if type(x) is type(view) else type(x).__name__
        raise _native.Error(f"input {i} is a memref and needs a numpy array, got {got}")
    if not view.flags.writeable:
        raise _native.Error(
            f"input {i} is a memref, which may be written to, got a read-only array"
        )


def _describe(dtype: numpy.dtype) -> str:
    return dtype.name if dtype.isnative else f"{dtype.name} in foreign byte order"


def _bfloat16() -> Any:
    try:
        import ml_dtypes
    except ImportError as e:
        raise _native.Error("bf16 arrays need the package ml_dtypes") from e
    return ml_dtypes.bfloat16


class Executable:
    """A function of a module, compiled for this machine or interpreted.

    Call it on arrays: numpy's, or of anything with `__array__` or `__dlpack__`
    (JAX, PyTorch). Compiled code reads arrays in C order in place; others
    are packed into a copy. Python numbers stand for scalars and tensors of rank 0.
    It returns None, one numpy array, or a tuple of them; each views the buffer
    that the function made. The GIL is released during the call, and calls of
    compiled code may run in parallel.
    """

    __slots__ = (
        "_convert", "_inputs", "_kept", "_literals", "_name", "_native", "_results",
        "_short", "_weights",
    )

    def __init__(
        self,
        native: Union[_native.NativeExecutable, _native.NativeInterpreted],
        name: str,
        literals: Sequence[str] = (),
    ) -> None:
        self._native = native
        # What a weight becomes before it is read.
        self._convert: Optional[Callable[[Any, ArrayType], Any]] = None
        # Inputs that an HLO dump has as constants without values.
        self._literals = literals
        self._name = name
        self._weights: Sequence[int] = getattr(native, "weights", ())
        self._kept: dict[int, Weight] = {}
        # The shapes whose last call was over sooner than a user can press Ctrl-C.
        self._short: Optional[list[tuple[int, ...]]] = None
        self._inputs = _array_types(native.inputs)
        self._results = _array_types(native.results)

    @property
    def name(self) -> str:
        return self._name

    @property
    def inputs(self) -> list[ArrayType]:
        return list(self._inputs)

    @property
    def results(self) -> list[ArrayType]:
        return list(self._results)

    @property
    def packed_bytes(self) -> int:
        """The bytes that it keeps of constants and weights, besides these: what it
        computed of them alone, first of all in the order in which loops read them, and
        copies of weights that are compared with the next call's. They are freed
        with it."""
        return getattr(self._native, "packed_bytes", 0) + sum(
            weight.copied_bytes for weight in self._kept.values()
        )

    def __repr__(self) -> str:
        inputs, results = (
            ", ".join(f"{t.dtype}[{','.join('?' if n is None else str(n) for n in t.shape)}]"
                      for t in types)
            for types in (self._inputs, self._results)
        )
        return f"<Executable @{self._name}({inputs}) -> ({results})>"

    def profile(self, *arrays: Any) -> list[KernelRun]:
        """Calls the function and returns how long each of its loop nests took, in the
        order in which they ran. Empty where it was not compiled with `profile`."""
        views, arguments = self._arguments(arrays)
        if not isinstance(self._native, _native.NativeExecutable):
            raise _native.Error("only compiled code has a profile")
        rows = self._native.profile(arguments)
        del views
        return [KernelRun(*row[:4], row[4] * 1e-9, row[5] * 1e-9) for row in rows]

    def __call__(
        self, *arrays: Any
    ) -> Union[None, numpy.ndarray, tuple[numpy.ndarray, ...]]:
        native = self._native
        given = arrays if self._short is not None else None
        if given is not None and self._weights:
            given = self._with_kept(arrays)
        if given is not None:
            # Most calls: arrays of the types that are expected.
            begin = time.perf_counter()
            plain: Any = native.call_plain(*given)  # type: ignore[union-attr]
            if plain is not NotImplemented:
                if time.perf_counter() - begin >= _SHORT_SECONDS:
                    self._short = None
                return plain  # type: ignore[no-any-return]
        # `views` keeps the memory alive until the call is over.
        views, arguments = self._arguments(arrays)
        if isinstance(native, _native.NativeExecutable):
            shapes = [view.shape for view in views]
            # Another thread, which waits for Ctrl-C, takes longer than many calls.
            run = native.call_here if shapes == self._short else native.call
            begin = time.perf_counter()
            try:
                called = run(arguments)
            except _native.Error as e:
                raise _with_cast(e) from None
            is_short = time.perf_counter() - begin < _SHORT_SECONDS
            if is_short != (shapes == self._short):
                is_timed = is_short and native.is_timed_by_shapes
                self._short = shapes if is_timed else None
        else:
            try:
                called = native.call(arguments)
            except _native.Error as e:
                raise _with_cast(e) from None
        results = [
            _joined(r[1], wanted)
            if wanted.dtype in _PARTS
            else _finish(*r, wanted.dtype)
            for r, wanted in zip(called, self._results)
        ]
        del views
        if not results:
            return None
        return results[0] if len(results) == 1 else tuple(results)

    def _with_kept(self, arrays: tuple[Any, ...]) -> Optional[tuple[Any, ...]]:
        """The arrays, and what stands for weights; None where one of these is not kept
        or no longer the same."""
        if len(arrays) != len(self._inputs) or len(self._kept) != len(self._weights):
            return None
        given = list(arrays)
        for i, weight in self._kept.items():
            if not weight.is_current(given[i]):
                return None
            given[i] = weight.argument
        return tuple(given)

    def _explain_literals(self) -> str:
        if not self._literals:
            return ""
        return (
            f"; the last {len(self._literals)} are constants that the dump leaves out: "
            + ", ".join(self._literals)
        )

    def _arguments(self, arrays: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
        """The arrays as the native module takes them, and what keeps them alive."""
        if len(arrays) != len(self._inputs):
            raise _native.Error(
                f"'{self._name}' takes {len(self._inputs)} inputs, "
                f"got {len(arrays)}" + self._explain_literals()
            )
        views, arguments = [], []
        for i, (x, expected) in enumerate(zip(arrays, self._inputs)):
            weight = self._kept.get(i)
            if weight is not None and weight.is_current(x):
                views.append(weight.view)
                arguments.append(weight.argument)
                continue
            given = x
            if self._convert and i in self._weights:
                given = self._convert(x, expected)
            if isinstance(given, (bool, int, float, complex)) and expected.shape == ():
                given = _number(given, expected.dtype)
            argument: Any
            if expected.dtype in _PARTS:
                view = _parts(f"input {i}", given, expected)
                argument = (_DTYPES[_PARTS[expected.dtype]], view)
            else:
                view, argument = _as_argument(
                    f"input {i}", given, _ELEMENTS[expected.dtype]
                )
            if expected.kind == "memref":
                _check_memref(i, x, view)
            if i in self._weights:
                if weight is not None and isinstance(
                    self._native, _native.NativeExecutable
                ):
                    # Others may be at the same address.
                    self._native.forget_weights()
                argument = _native.hold(argument, view)
                self._kept[i] = Weight(x, view, argument)
            views.append(view)
            arguments.append(argument)
        return views, arguments


class SizedExecutable(Executable):
    """An Executable of a program that is made for the sizes of its inputs: one is
    compiled for each set of sizes, when it is first called with them, and kept."""

    __slots__ = ("_make", "_made")

    def __init__(
        self,
        native: _native.NativeInterpreted,
        name: str,
        make: Callable[[tuple[int, ...]], Executable],
    ) -> None:
        super().__init__(native, name)
        self._make = make
        self._made: dict[tuple[int, ...], Executable] = {}

    def __call__(
        self, *arrays: Any
    ) -> Union[None, numpy.ndarray, tuple[numpy.ndarray, ...]]:
        return self._of(arrays)(*arrays)

    def profile(self, *arrays: Any) -> list[KernelRun]:
        return self._of(arrays).profile(*arrays)

    @property
    def packed_bytes(self) -> int:
        return sum(made.packed_bytes for made in self._made.values())

    def _of(self, arrays: tuple[Any, ...]) -> Executable:
        import numpy as np

        shapes = [getattr(x, "shape", None) or np.shape(x) for x in arrays]
        if [len(shape) for shape in shapes] != [len(x.shape) for x in self._inputs]:
            self._arguments(arrays)  # Says what is wrong with them.
        sizes = tuple(
            int(size)
            for shape, wanted in zip(shapes, self._inputs)
            for size, known in zip(shape, wanted.shape)
            if known is None
        )
        made = self._made.get(sizes)
        if made is None:
            made = self._made[sizes] = self._make(sizes)
        return made
