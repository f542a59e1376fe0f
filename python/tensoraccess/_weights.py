# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that are the same in every call, and whether one was written to."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native

if TYPE_CHECKING:
    import numpy


class _Lock:
    """A numpy array that is read-only while a function keeps what it computed of it."""

    __slots__ = ("array", "count", "waiting")

    def __init__(self, array: numpy.ndarray) -> None:
        self.array, self.count = array, 0
        # Views, which can be written to only where what they view can.
        self.waiting: list[numpy.ndarray] = []


# By identity; the arrays are alive.
_locks: dict[int, _Lock] = {}
_mutex = threading.RLock()


def _lock(array: numpy.ndarray) -> bool:
    """Makes an array read-only; False if it is, and not by this module."""
    with _mutex:
        held = _locks.get(id(array))
        if held is None:
            if not array.flags.writeable:
                return False
            held = _locks[id(array)] = _Lock(array)
        held.count += 1
        array.flags.writeable = False
        return True


def _unlock(array: numpy.ndarray) -> None:
    with _mutex:
        held = _locks[id(array)]
        held.count -= 1
        if held.count:
            return
        del _locks[id(array)]
        below = _locks.get(id(array.base))
        if below is not None:
            below.waiting.append(array)
            return
        for each in (array, *held.waiting):
            try:
                each.flags.writeable = True
            except ValueError:
                pass  # What it views is read-only by now.


def is_jax(x: Any) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(x, jax.Array)


def find_owner(array: numpy.ndarray) -> Optional[list[numpy.ndarray]]:
    """An array and those that it is a view of, the owner of the memory last; None where
    that is not an array of numpy or bytes."""
    import numpy as np

    chain = [array]
    while type(chain[-1].base) is np.ndarray:
        chain.append(chain[-1].base)
    owner: Any = chain[-1].base
    is_owner = chain[-1].flags.owndata or isinstance(owner, bytes)
    return chain if is_owner else None


def _contents(x: Any) -> memoryview:
    import numpy as np

    array = np.from_dlpack(x) if not hasattr(x, "__array__") else np.asarray(x)
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


class Weight:
    """An array that was promised not to change, how it is read, and what notices that
    it has changed.

    JAX's arrays, bytes and numbers can't. numpy's that own their memory, and views of
    those, are read-only as long as this lives: writing is numpy's ValueError, but for
    views that were made before. Others, such as PyTorch's, are compared with a copy.
    """

    __slots__ = ("argument", "array", "view", "_chain", "_copy", "_locked", "_type")

    def __init__(self, array: Any, view: numpy.ndarray, argument: Any) -> None:
        import numpy as np

        self.array, self.view, self.argument = array, view, argument
        self._chain: list[numpy.ndarray] = []
        self._locked: list[numpy.ndarray] = []
        self._copy: Optional[bytearray] = None
        self._type = self._describe(array)
        if is_jax(array) or isinstance(array, (bool, int, float, complex, np.generic)):
            return
        chain = find_owner(array) if isinstance(array, np.ndarray) else None
        if chain is None:
            self._copy = bytearray(_contents(array))
            return
        self._chain = chain
        # Views first: they can be written to only where what they view can.
        for each in chain:
            if _lock(each):
                self._locked.append(each)

    def __del__(self) -> None:
        # The owner first.
        for each in reversed(getattr(self, "_locked", ())):
            _unlock(each)

    @staticmethod
    def _describe(array: Any) -> Any:
        return getattr(array, "shape", None), getattr(array, "dtype", None)

    def is_current(self, array: Any) -> bool:
        """Whether this is that array, and as it was."""
        if array is not self.array:
            return False
        for each in self._chain:
            if each.flags.writeable:
                return False
        if self._chain:
            return bool(self._type == (array.shape, array.dtype))
        return self._copy is None or self._copy == _contents(array)

    @property
    def copied_bytes(self) -> int:
        return 0 if self._copy is None else len(self._copy)


def as_list(what: str, given: Any) -> list[Union[int, str]]:
    """Numbers or names, of which one need not be in a list."""
    listed = given if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    found: list[Union[int, str]] = []
    for each in listed:
        if isinstance(each, bool) or not (isinstance(each, str) or hasattr(each, "__index__")):
            raise _native.Error(f"{what} must be numbers or names of arguments, got {each!r}")
        found.append(each if isinstance(each, str) else int(each))
    return found


def find_weights(
    what: str, given: Union[int, str, Iterable[Union[int, str]]], names: Sequence[str]
) -> list[int]:
    """The numbers of arguments that are given by number or name, which may be that of
    a tree: `params` is `params['w']`, too."""
    numbers: set[int] = set()
    for each in as_list(what, given):
        if isinstance(each, str):
            found = {
                i
                for i, name in enumerate(names)
                if name == each or name.startswith((each + "[", each + "."))
            }
            if not found:
                known = ", ".join(dict.fromkeys(name for name in names if name))
                raise _native.Error(
                    f"{what} names '{each}'; the arguments are "
                    + (known or "without names")
                )
            numbers |= found
        elif not 0 <= each < len(names):
            raise _native.Error(f"{what} has argument {each}, there are {len(names)}")
        else:
            numbers.add(each)
    return sorted(numbers)
