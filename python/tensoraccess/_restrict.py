# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of a part of what a function computes."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
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


def _number(what: str, x: Any) -> int:
    try:
        return operator.index(x)
    except TypeError:
        raise _native.Error(
            f"{what} must be an integer, got {type(x).__name__}"
        ) from None


class _Part:
    def __init__(self, f: Any, module: Module, entry: str) -> None:
        self._f = f
        self.module = module
        self._entry = entry

    @functools.cached_property
    def _run(self) -> Any:
        return self.module.compile(self._entry)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._run!r}>"


class Restricted(_Part):
    """The program of a box of a function's result.

    Called with the function's arguments; compiled when it is first called. `module`
    is the program, in linalg on tensors.
    """

    def __call__(self, *args: Any) -> numpy.ndarray:
        return self._run(*_leaves(self._f, args))  # type: ignore[no-any-return]


class Updated(_Part):
    """The program of what a change reaches.

    Called with the function's results of before, and its arguments as they are now;
    returns the results of now. `module` is the program, in linalg on tensors, which
    takes the results of before behind the arguments.
    """

    def __call__(self, before: Any, *args: Any) -> Any:
        if isinstance(self._f, Module):
            inputs = list(before) if isinstance(before, (list, tuple)) else [before]
            return self._run(*args, *inputs)
        import jax

        leaves, tree = jax.tree.flatten(before)
        results = self._run(*_leaves(self._f, args), *leaves)
        if len(leaves) == 1:
            results = [results]
        return jax.tree.unflatten(tree, results)


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
    result = _number("result", result)
    module = _module_of(f, args)
    options = f"function={entry} result={result} box={_text_of(box)}"
    return Restricted(
        f, module.run(f"tensoraccess-restrict-function{{{options}}}"), entry
    )


def update(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    changed: Mapping[int, _native.Box],
    finite: bool = True,
    entry: str = "main",
) -> Updated:
    """The program that computes anew what a change of arguments reaches.

    `f` and `args` as for `restrict`. `changed` says which elements of which arguments
    are other ones than before; these are numbered as the leaves of the function's. What
    is reached is found out by `dependence`, which takes masks into account; `finite`
    as there.

        g = ta.update(f, x, changed={0: ta.Box([5], [6])})
        y = f(x)
        x[5] = 3
        y = g(y, x)    # f(x)
    """
    module = _module_of(f, args)
    boxes = ";".join(
        f"{_number('an argument', i)}:{_text_of(box)}" for i, box in changed.items()
    )
    options = f"function={entry} changed={boxes} finite={str(bool(finite)).lower()}"
    return Updated(f, module.run(f"tensoraccess-update-function{{{options}}}"), entry)
