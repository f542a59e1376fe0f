# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What signatures of the stub _native.pyi name, and what Python adds to classes.

^_native\.__prefix__$:
    \from collections.abc import Sequence
    \from typing import TypeAlias
    _Tree: TypeAlias = int | tuple["_Tree", ...]
    _Nested: TypeAlias = int | Sequence["_Nested"]
    _Strided: TypeAlias = "StridedLayout | str | int"
    _RankBoxes: TypeAlias = "Sequence[Box | Sequence[Box]]"

^_native\.Layout\.__suffix__$:
    \from numpy.typing import NDArray
    \from typing import Any
    def pack(self, array: Any, *, copy: bool | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """
        The buffer of an array of this layout's shape and element type. Padding and tail are zeros. Where the array's memory is what the layout says, the buffer is a view of it, unless `copy` is True; with False everything else is an error. `out` is a buffer to write to.
        """

    def unpack(self, buffer: Any, *, copy: bool | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """
        The array in a buffer of this layout, of its shape and element type. Where it has strides in the buffer, it is a view, unless `copy` is True; with False everything else is an error. `out` is an array in C order to write to.
        """
