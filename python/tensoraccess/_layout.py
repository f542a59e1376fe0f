# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layout.pack, Layout.unpack and relayout: layouts on numpy's arrays.

A *buffer* is the memory of a layout as an array: of the physical shape, or of
one dimension where a tail follows it; of the layout's element type, or of bytes
where elements are narrower or wider in memory than numpy has them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from ._executable import _describe
from ._native import Error, Layout, SizeExpr
from ._native import Relayout as _Relayout
from ._native import view_strides as _view_strides

if TYPE_CHECKING:
    import numpy

# XLA's element types that numpy has by itself, and those of ml_dtypes.
_NUMPY = {
    "pred": "bool",
    "c64": "complex64",
    "c128": "complex128",
    **{f"s{n}": f"int{n}" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
    **{f"f{n}": f"float{n}" for n in (16, 32, 64)},
}
_ML_DTYPES = {
    "bf16": "bfloat16",
    **{f"s{n}": f"int{n}" for n in (1, 2, 4)},
    **{f"u{n}": f"uint{n}" for n in (1, 2, 4)},
    **{
        f"f8{n}": f"float8_{n}"
        for n in (
            "e3m4",
            "e4m3",
            "e4m3b11fnuz",
            "e4m3fn",
            "e4m3fnuz",
            "e5m2",
            "e5m2fnuz",
            "e8m0fnu",
        )
    },
    "f4e2m1fn": "float4_e2m1fn",
}
# Types of which a byte holds several, for which numpy has a byte each.
_BELOW_BYTE = {"s1", "s2", "s4", "u1", "u2", "u4", "f4e2m1fn"}
_LINE = 64


def _dtype(layout: Layout) -> numpy.dtype:
    """The dtype of a layout's logical array."""
    import numpy as np

    name = layout.element_type
    if name is None:
        raise Error(f"layout '{layout}' has no shape")
    if name in _NUMPY:
        return np.dtype(_NUMPY[name])
    try:
        import ml_dtypes
    except ImportError as e:
        raise Error(f"{name} arrays need the package ml_dtypes") from e
    found = getattr(ml_dtypes, _ML_DTYPES.get(name, ""), None)
    if found is None:
        raise Error(f"numpy has no element type {name}")
    dtype: numpy.dtype = np.dtype(found)
    return dtype


def _is_whole(layout: Layout, dtype: numpy.dtype) -> bool:
    """Whether an element in memory is an element of numpy."""
    bits = layout.element_bits
    if bits is None:
        return layout.element_type not in _BELOW_BYTE
    return bits == 8 * dtype.itemsize


def _empty(size: int) -> numpy.ndarray:
    """Bytes that begin at a cache line."""
    import numpy as np

    memory = np.empty(size + _LINE, np.uint8)
    skip = -memory.ctypes.data % _LINE
    return memory[skip : skip + size]


def _strided(
    array: numpy.ndarray, shape: Sequence[int], strides: Sequence[int]
) -> numpy.ndarray:
    """A view from the array's first element on, strides in elements."""
    import numpy as np

    size = array.itemsize
    # as_strided does not know the types of ml_dtypes.
    raw = array.view(f"u{size}") if size <= 8 else array
    steps = [size * s for s in strides]
    return np.lib.stride_tricks.as_strided(raw, shape, steps).view(array.dtype)


def _address(array: numpy.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def _static(sizes: Optional[Sequence[Union[None, int, SizeExpr]]]) -> list[int]:
    """Sizes of a layout that is known to have numbers."""
    assert sizes is not None
    numbers = [size for size in sizes if isinstance(size, int)]
    assert len(numbers) == len(sizes)
    return numbers


def _as_buffer(memory: numpy.ndarray, layout: Layout) -> numpy.ndarray:
    """Bytes as the layout's buffer."""
    dtype = _dtype(layout)
    if not _is_whole(layout, dtype):
        return memory
    buffer = memory.view(dtype)
    shape = _static(layout.physical_shape)
    is_whole = math.prod(shape) == layout.padded_elements
    return buffer.reshape(shape) if is_whole else buffer


def _target(out: Any, size: int, layout: Layout) -> numpy.ndarray:
    """The bytes of the array that is to be written to, or fresh ones."""
    import numpy as np

    if out is None:
        return _empty(size)
    if not isinstance(out, np.ndarray):
        raise Error(f"out must be a numpy array, got {type(out).__name__}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise Error("out must be contiguous in C order and writeable")
    dtype = _dtype(layout)
    if out.dtype not in (dtype, np.uint8):
        raise Error(f"out must be of {dtype.name} or uint8, got {_describe(out.dtype)}")
    if out.nbytes != size:
        raise Error(f"out must have {size} bytes, got {out.nbytes}")
    return out.reshape(-1).view(np.uint8)


def _take_buffer(buffer: Any, layout: Layout) -> tuple[numpy.ndarray, bool]:
    """The bytes of a buffer, and whether they are the caller's own."""
    import numpy as np

    if isinstance(buffer, (bytes, bytearray, memoryview)):
        array = np.frombuffer(buffer, np.uint8)
    else:
        array = np.asarray(buffer)
    dtype = _dtype(layout)
    allowed = [np.dtype(np.uint8)]
    if _is_whole(layout, dtype):
        allowed.append(dtype)
    if array.dtype not in allowed:
        wanted = " or ".join(sorted({d.name for d in allowed}))
        raise Error(
            f"the buffer of '{layout}' must be of {wanted}, got "
            f"{_describe(array.dtype)}"
        )
    if array.nbytes != layout.size_bytes:
        raise Error(
            f"the buffer of '{layout}' must have {layout.size_bytes} bytes, got "
            f"{array.nbytes} of shape {list(array.shape)}"
        )
    own = bool(array.flags.c_contiguous)
    if not own:
        array = np.ascontiguousarray(array)
    return array.reshape(-1).view(np.uint8), own


def _take_copy(copy: Any) -> Optional[bool]:
    import numpy as np

    if copy is None:
        return None
    if not isinstance(copy, (bool, np.bool_)):
        raise Error(f"copy must be None, True or False, got {copy!r}")
    return bool(copy)


def _check_copy(copy: Optional[bool], what: str) -> None:
    if copy is False:
        raise Error(f"{what} needs a copy, which copy=False forbids")


def pack(
    self: Layout,
    array: Any,
    *,
    copy: Optional[bool] = None,
    out: Optional[numpy.ndarray] = None,
) -> numpy.ndarray:
    """The buffer of an array of this layout's shape and element type.

    Strides of the array may be any. Padding and tail are zeros. Where the array's
    memory is as in the layout, the buffer is a view of it, unless `copy` is
    True; with False everything else is an error. `out` is a buffer to write to.
    """
    import numpy as np

    copy = _take_copy(copy)
    dtype = _dtype(self)
    array = np.asarray(array)
    if list(array.shape) != self.shape:
        raise Error(
            f"'{self}' needs an array of shape {self.shape}, got {list(array.shape)}"
        )
    if array.dtype != dtype:
        raise Error(
            f"'{self}' needs an array of {dtype.name}, got {_describe(array.dtype)}"
        )
    if any(s % dtype.itemsize for s in array.strides):
        _check_copy(copy, "an array whose strides are not multiples of its elements")
        array = array.copy()
    strides = [s // dtype.itemsize for s in array.strides]
    plan = _Relayout.from_strides(_static(self.shape), strides, self)
    if copy is not True and out is None and plan.is_identity:
        shape = _static(self.physical_shape)
        steps = [1] * len(shape)
        for i in range(len(shape) - 1, 0, -1):
            steps[i - 1] = steps[i] * shape[i]
        return _strided(array, shape, steps)
    _check_copy(copy, f"packing to '{self}'")
    memory = _target(out, plan.target_bytes, self)
    begin = _address(array) + plan.source_begin * dtype.itemsize
    plan.run(begin, plan.source_bytes, _address(memory), memory.nbytes,
             (array, memory))
    return _as_buffer(memory, self) if out is None else out


def unpack(
    self: Layout,
    buffer: Any,
    *,
    copy: Optional[bool] = None,
    out: Optional[numpy.ndarray] = None,
) -> numpy.ndarray:
    """The array in a buffer of this layout, of its shape and element type.

    A buffer is any contiguous array of the layout's element type or of uint8, or
    a bytes-like object, with `size_bytes` bytes. Where the array has strides in
    the buffer, it is a view, unless `copy` is True; with False everything else is
    an error. `out` is an array in C order to write to.
    """
    copy = _take_copy(copy)
    dtype = _dtype(self)
    memory, own = _take_buffer(buffer, self)
    if copy is not True and out is None and own and _is_whole(self, dtype):
        strides = _view_strides(self)
        if strides is not None and _address(memory) % dtype.alignment == 0:
            return _strided(memory.view(dtype), _static(self.shape), strides)
    _check_copy(copy, f"unpacking from '{self}'")
    plain = _plain(self, dtype)
    plan = _Relayout.between(self, plain, [])
    result = _target(out, plan.target_bytes, self)
    if out is not None and list(out.shape) != self.shape:
        raise Error(f"out must have shape {self.shape}, got {list(out.shape)}")
    plan.run(_address(memory), memory.nbytes, _address(result), result.nbytes,
             (memory, result))
    return result.view(dtype).reshape(_static(self.shape)) if out is None else out


def _plain(layout: Layout, dtype: numpy.dtype) -> Layout:
    """Row-major with elements as numpy has them."""
    sizes = _static(layout.shape)
    order = ",".join(str(d) for d in reversed(range(len(sizes))))
    shape = ",".join(map(str, sizes))
    bits = f":E({8 * dtype.itemsize})"
    return Layout(f"{layout.element_type}[{shape}]{{{order}{bits}}}")


def relayout(
    buffer: Any,
    source: Layout,
    target: Layout,
    permutation: Optional[Sequence[int]] = None,
    *,
    out: Optional[numpy.ndarray] = None,
) -> numpy.ndarray:
    """The buffer of `target` with the elements of a buffer of `source`.

    The logical array is transposed by `permutation` (dimension i of the
    outcome is `permutation[i]` of the source) and reshaped in row-major order;
    its elements are converted among f16, bf16, f32 and f64, and among integers of
    one signedness: the bytes are those of packing the converted array.
    """
    memory, _ = _take_buffer(buffer, source)
    plan = _Relayout.between(source, target, list(permutation or []))
    result = _target(out, plan.target_bytes, target)
    plan.run(_address(memory), memory.nbytes, _address(result), result.nbytes,
             (memory, result))
    return _as_buffer(result, target) if out is None else out


Layout.pack = pack  # type: ignore[method-assign]
Layout.unpack = unpack  # type: ignore[method-assign]
