# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of a part of what a function computes."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._contracts import _module_of
from ._module import Module

if TYPE_CHECKING:
    import numpy


def _leaves(f: Any, args: tuple[Any, ...]) -> list[Any]:
    """The arguments of the program of a function, which are the leaves of its own."""
    if isinstance(f, Module):
        return list(args)
    import jax

    return jax.tree.leaves(args)  # type: ignore[no-any-return]


def _text_of(box: Any) -> str:
    if not isinstance(box, _native.Box):
        raise _native.Error(f"expected a Box, got {type(box).__name__}")
    if not box.lo:
        return "()"
    return "x".join(f"[{lo},{hi})" for lo, hi in zip(box.lo, box.hi))


class Restricted:
    """The program of a box of a function's result.

    Called with the function's arguments; compiled when it is first called. `module`
    is the program, in linalg on tensors.
    """

    def __init__(self, f: Any, module: Module, entry: str) -> None:
        self._f = f
        self.module = module
        self._entry = entry

    @functools.cached_property
    def _run(self) -> Any:
        return self.module.compile(self._entry)

    def __call__(self, *args: Any) -> numpy.ndarray:
        return self._run(*_leaves(self._f, args))  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<Restricted {self._run!r}>"


def restrict(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    box: _native.Box,
    result: int = 0,
    entry: str = "main",
) -> Restricted:
    """The program of these elements of a result, and of nothing else.

    `f` is a function of JAX, traced for `args` (arrays, or `jax.ShapeDtypeStruct`),
    or a `Module`, of which it is function `entry`. Results are numbered as the
    leaves of their tree. The program takes the same arguments and returns the
    elements of result `result` in `box`, exactly as the function would.

        g = ta.restrict(f, x, box=ta.Box([0, 10], [2, 12]))
        g(x)    # f(x)[0:2, 10:12]
    """
    try:
        result = operator.index(result)
    except TypeError:
        raise _native.Error(
            f"result must be an integer, got {type(result).__name__}"
        ) from None
    module = _module_of(f, args)
    options = f"function={entry} result={result} box={_text_of(box)}"
    return Restricted(
        f, module.run(f"tensoraccess-restrict-function{{{options}}}"), entry
    )
