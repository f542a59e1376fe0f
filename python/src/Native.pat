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

^_native\.IndexingMap\.evaluate$:
    \from typing import overload
    @overload
    def evaluate(self, *values: int) -> list[int] | None: ...
    @overload
    def evaluate(self, dims: Sequence[int], symbols: Sequence[int] = [], runtime: Sequence[int] = []) -> list[int] | None:
        \doc

^_native\.IndexingMap\.__suffix__$:
    @overload
    def __call__(self, *values: int) -> list[int] | None: ...
    @overload
    def __call__(self, dims: Sequence[int], symbols: Sequence[int] = [], runtime: Sequence[int] = []) -> list[int] | None: ...

^_native\.Projection\.__suffix__$:
    @overload
    def __call__(self, *index: int) -> Box: ...
    @overload
    def __call__(self, index: Sequence[int]) -> Box: ...

^_native\.DigitMap\.__suffix__$:
    @overload
    def __call__(self, *point: int) -> list[int] | None: ...
    @overload
    def __call__(self, point: Sequence[int]) -> list[int] | None: ...

^_native\.Layout\.linearize$:
    @overload
    def linearize(self, *index: int) -> int: ...
    @overload
    def linearize(self, index: Sequence[int], sizes: Sequence[int] | None = None) -> int:
        \doc

^_native\.Layout\.__suffix__$:
    \from numpy.typing import NDArray
    \from typing import Any
    def __getitem__(self, index: int | Sequence[int]) -> int: ...

    def pack(self, array: Any, *, copy: bool | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """
        The buffer of an array of this layout's shape and element type. Padding and tail are zeros. Where the array's memory is what the layout says, the buffer is a view of it, unless `copy` is True; with False everything else is an error. `out` is a buffer to write to.
        """

    def unpack(self, buffer: Any, *, copy: bool | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """
        The array in a buffer of this layout, of its shape and element type. Where it has strides in the buffer, it is a view, unless `copy` is True; with False everything else is an error. `out` is an array in C order to write to.
        """
