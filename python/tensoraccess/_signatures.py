# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The signatures of native functions, read from nanobind's text.

That takes longer than importing the package does, so it is done when `help` or
`inspect` first asks, or a call is refused.
"""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any, NamedTuple, Optional

class _Text(str):
    """A type as text, which `help` prints without quotes."""

    def __repr__(self) -> str:
        return str(self)


class Overload(NamedTuple):
    """One way to call a function; `self` is left out of the parameters."""

    signature: inspect.Signature
    parameters: list[inspect.Parameter]
    doc: str


_PREFIXES = ("collections.abc.", "tensoraccess._native.", "_native.", "numpy.typing.",
             "tensoraccess.")  # fmt: skip
# How stubs name what several functions take.
_ALIASES = {
    "_Strided": "StridedLayout | str | int",
    "_RankBoxes": "Sequence[Box | Sequence[Box]]",
    "_Nested": "int | Sequence[int | tuple]",
    "_Tree": "int | tuple",
}


def plain(annotation: str) -> str:
    for prefix in _PREFIXES:
        annotation = annotation.replace(prefix, "")
    for alias, meaning in _ALIASES.items():
        annotation = annotation.replace(alias, meaning)
    return annotation


def _read_overload(text: str, doc: Optional[str], defaults: Any) -> Overload:
    """Reads nanobind's text, in which defaults are `\\0`, `\\1`, …"""
    definition = ast.parse(text.replace("\\", "_default") + ": ...").body[0]
    assert isinstance(definition, ast.FunctionDef)
    values = {f"_default{i}": value for i, value in enumerate(defaults or ())}
    arguments, empty = definition.args, inspect.Parameter.empty

    def read(node: Optional[ast.expr]) -> Any:
        if node is None:
            return empty
        if isinstance(node, ast.Name) and node.id in values:
            return values[node.id]
        try:
            return ast.literal_eval(node)
        except ValueError:
            return _Text(plain(ast.unparse(node)))

    made: list[inspect.Parameter] = []

    def add(node: ast.arg, kind: Any, default: Any = empty) -> None:
        noted = node.annotation
        annotation = empty if noted is None else _Text(plain(ast.unparse(noted)))
        made.append(inspect.Parameter(node.arg, kind, default=default, annotation=annotation))

    listed = [*arguments.posonlyargs, *arguments.args]
    padding = [empty] * (len(listed) - len(arguments.defaults))
    for i, (node, default) in enumerate(
        zip(listed, [*padding, *map(read, arguments.defaults)])
    ):
        only = i < len(arguments.posonlyargs)
        kind = inspect.Parameter
        add(node, kind.POSITIONAL_ONLY if only else kind.POSITIONAL_OR_KEYWORD, default)
    if arguments.vararg:
        add(arguments.vararg, inspect.Parameter.VAR_POSITIONAL)
    for node, value in zip(arguments.kwonlyargs, arguments.kw_defaults):
        add(node, inspect.Parameter.KEYWORD_ONLY, read(value))
    result = definition.returns
    returns = empty if result is None else _Text(plain(ast.unparse(result)))
    signature = inspect.Signature(made, return_annotation=returns)
    parameters = [p for p in made if p.name != "self"]
    return Overload(signature, parameters, doc or "")


@functools.cache
def overloads(native: Any) -> list[Overload]:
    return [_read_overload(*entry) for entry in native.__nb_signature__]


class Late(inspect.Signature):
    """A signature that is read when it is looked at."""

    __slots__ = ("_of",)

    def __init__(self, native: Any) -> None:
        self._of = native

    def __getattr__(self, name: str) -> Any:
        # Of several ways to call a function, the one that says most.
        ways = [overload.signature for overload in overloads(self._of)]
        return getattr(max(ways, key=lambda way: len(way.parameters)), name)

    def replace(self, **changes: Any) -> inspect.Signature:  # type: ignore[override]
        changes.setdefault("parameters", list(self.parameters.values()))
        changes.setdefault("return_annotation", self.return_annotation)
        return inspect.Signature(**changes)
