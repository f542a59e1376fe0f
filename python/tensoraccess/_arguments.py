# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What arguments of native functions must be: as sentences, for errors; and the
arguments that people write instead, made into these."""

from __future__ import annotations

import ast
import collections.abc
import inspect
import operator
import reprlib
from typing import Any, Iterator, Optional, Sequence

from . import _native
from ._signatures import Overload, overloads

# ===------------------------------------------------------------------------===#
# What an argument must be
# ===------------------------------------------------------------------------===#


def _integer(name: str, x: Any) -> int:
    try:
        number = operator.index(x)
    except TypeError:
        raise _native.Error(f"{name} must be an integer, got {reprlib.repr(x)}") from None
    if not -(2**63) <= number < 2**63:
        raise _native.Error(f"{name} must fit in 64 bits, got {number}")
    return number


def _number(name: str, x: Any) -> float:
    try:
        if not isinstance(x, (str, bytes)):
            return float(x)
    except (TypeError, ValueError, OverflowError):
        pass
    raise _native.Error(f"{name} must be a number, got {reprlib.repr(x)}")


def _text(name: str, x: Any) -> str:
    if not isinstance(x, str):
        raise _native.Error(f"{name} must be a string, got {reprlib.repr(x)}")
    return x


def _is_integer(value: Any) -> bool:
    return hasattr(value, "__index__") and not hasattr(value, "__len__")


def _is_integers(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_is_integer, value))


def _members(annotation: str) -> list[ast.expr]:
    """Of a union."""

    def split(node: ast.expr) -> Iterator[ast.expr]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            yield from split(node.left)
            yield from split(node.right)
        else:
            yield node

    return list(split(ast.parse(annotation, mode="eval").body))


def _union(node: ast.expr) -> list[ast.expr]:
    return _members(ast.unparse(node))


_WORDS = {
    "int": ("an integer", "integers"),
    "float": ("a number", "numbers"),
    "str": ("text", "texts"),
    "bool": ("True or False", "booleans"),
    "bytes": ("bytes", "bytes"),
    "None": ("None", "None"),
    "tuple": ("a tuple of these", "tuples of these"),
    "object": ("any value", "values"),
}


def _describe(node: ast.expr, many: bool = False) -> str:
    """`a list of integers` for Sequence[int]."""
    kinds = _union(node)
    if len(kinds) > 1:
        texts = list(dict.fromkeys(_describe(kind, many) for kind in kinds))
        return ", ".join(texts[:-1]) + " or " + texts[-1]
    text = ast.unparse(node)
    if text in _WORDS:
        return _WORDS[text][many]
    if isinstance(node, ast.Subscript):
        name = ast.unparse(node.value)
        inner = node.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if name in ("Sequence", "list"):
            return ("lists" if many else "a list") + " of " + _describe(parts[0], True)
        if name in ("Mapping", "dict"):
            key, value = (_describe(part, True) for part in parts)
            return ("dicts" if many else "a dict") + f" from {key} to {value}"
        if name == "tuple":
            return ("tuples" if many else "a tuple") + " of " + ", ".join(
                _describe(part) for part in parts
            )
    name = text.removeprefix("Native")
    if many:
        return name + ("es" if name.endswith("x") else "s")
    return ("an " if name[:1] in "AEIO" else "a ") + name


def _fits(value: Any, node: ast.expr) -> bool:
    """Whether a value may be meant; True where that is not known."""
    kinds = _union(node)
    if len(kinds) > 1:
        return any(_fits(value, kind) for kind in kinds)
    text = ast.unparse(node)
    if text == "int":
        return _is_integer(value)
    if text == "float":
        return hasattr(value, "__float__") or _is_integer(value)
    if text in ("str", "bytes", "bool", "None"):
        return isinstance(value, {"str": str, "bytes": bytes, "bool": bool,
                                  "None": type(None)}[text])  # fmt: skip
    if isinstance(node, ast.Subscript):
        name, inner = ast.unparse(node.value), node.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        if name in ("Sequence", "list"):
            if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
                return False
            return all(_fits(item, parts[0]) for item in value)
        if name in ("Mapping", "dict"):
            return hasattr(value, "keys") and all(
                _fits(k, parts[0]) and _fits(value[k], parts[1]) for k in value.keys()
            )
        if name == "tuple":
            return isinstance(value, (tuple, list)) and len(value) == len(parts) and all(
                map(_fits, value, parts)
            )
    kind = getattr(_native, text, None)
    return not isinstance(kind, type) or isinstance(value, kind)


def _show(value: Any) -> str:
    text = repr(value)
    if " object at 0x" in text:
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:60]}… ({type(value).__name__})"


def _form(overload: Overload) -> str:
    texts = []
    for p in overload.parameters:
        if p.kind is p.VAR_POSITIONAL:
            texts.append(f"*{p.name}")
        elif p.default is p.empty:
            texts.append(p.name)
        else:
            texts.append(f"{p.name}={_show(p.default)}")
    return "(" + ", ".join(texts) + ")"


def _closest(name: str, names: Sequence[str]) -> str:
    import difflib

    found = difflib.get_close_matches(name, names, 1)
    return f"; did you mean '{found[0]}'?" if found else ";"


def _problem(
    name: str, overload: Overload, args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[int, str]:
    """How far the arguments fit, and the first thing that is wrong."""
    parameters = overload.parameters
    form = _form(overload)
    takes = f"its arguments are {form}" if parameters else "it takes no arguments"
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if len(args) > len(positional) and not variadic:
        count = len(positional)
        most = "no arguments" if count == 0 else f"at most {count} positional argument" + (
            "s" if count > 1 else "")  # fmt: skip
        return 0, f"{name} takes {most}, got {len(args)}" + (f"; {takes}" if parameters else "")
    given = dict(zip((p.name for p in positional), args))
    known = {p.name: p for p in parameters if p.kind is not p.POSITIONAL_ONLY}
    for key, value in kwargs.items():
        if key not in known:
            return 1, f"{name} has no argument '{key}'{_closest(key, list(known))} {takes}"
        if key in given:
            return 1, f"argument '{key}' of {name} is given twice"
        given[key] = value
    for p in parameters:
        wanted = None if p.annotation is p.empty else ast.parse(p.annotation, mode="eval").body
        if p.name in given and wanted is not None and not _fits(given[p.name], wanted):
            what = _describe(wanted)
            return 3, f"argument '{p.name}' of {name} must be {what}, got {_show(given[p.name])}"
        if p.name not in given and p.default is p.empty and p.kind is not p.VAR_POSITIONAL:
            what = "" if wanted is None else f", {_describe(wanted)}"
            return 2, f"{name} needs '{p.name}'{what}; {takes}"
    return 4, f"{name} takes {form}, got {', '.join(map(_show, [*args, *kwargs.values()]))}"


def explain(native: Any, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """Why no way to call a function takes these arguments."""
    ways = overloads(native)
    found = [_problem(name, way, args, kwargs) for way in ways]
    best = max(range(len(found)), key=lambda i: found[i][0])
    others = [_form(way) for way in ways if _form(way) != _form(ways[best])]
    return found[best][1] + (
        f"; it can also be called as {' or '.join(others)}" if others else ""
    )


# ===------------------------------------------------------------------------===#
# Arguments as people write them
# ===------------------------------------------------------------------------===#


def _as_list(value: Any) -> Any:
    """Lists for arrays and other iterables."""
    if hasattr(value, "tolist") and hasattr(value, "ndim"):
        return value.tolist()
    if isinstance(value, (str, bytes, list, tuple)) or hasattr(value, "keys"):
        return value
    if isinstance(value, collections.abc.Iterable) and not isinstance(
        value, collections.abc.Set
    ):
        return list(value)
    return value


def _sequence(p: inspect.Parameter) -> Optional[str]:
    """Of what a parameter takes lists, if it does."""
    if p.annotation is not p.empty:
        for node in _members(p.annotation):
            if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Sequence":
                return ast.unparse(node.slice)
    return None


def _takes(p: inspect.Parameter, name: str) -> bool:
    return p.annotation is not p.empty and any(
        ast.unparse(node) == name for node in _members(p.annotation)
    )


def _may_be(value: Any, p: inspect.Parameter) -> bool:
    return p.annotation is p.empty or _fits(value, ast.parse(p.annotation, mode="eval").body)


def _adapt_value(value: Any, p: inspect.Parameter) -> Any:
    if p.annotation is p.empty or value is None:
        return value
    items = _sequence(p)
    if items is not None and not _takes(p, "str"):
        value = _as_list(value)
        if items == "int" and _is_integer(value) and not _takes(p, "int"):
            return [value]
        if items.startswith("Sequence") and isinstance(value, (list, tuple)):
            return [_as_list(item) for item in value]
        if items == "Box" and isinstance(value, (list, tuple)):
            return [_as_box(item) for item in value]
        return value
    if _takes(p, "Box"):
        return _as_box(value)
    if isinstance(value, str) and not _takes(p, "str"):
        for node in _members(p.annotation):
            kind = getattr(_native, ast.unparse(node), None)
            if isinstance(kind, type) and "__init__" in vars(kind):
                ways = overloads(getattr(vars(kind)["__init__"], "__wrapped_native__"))
                if any(way.parameters[0].name == "text" for way in ways if way.parameters):
                    return kind(value)
    return value


def _as_box(value: Any) -> Any:
    pair = _as_list(value)
    if isinstance(pair, (list, tuple)) and len(pair) == 2:
        lo, hi = map(_as_list, pair)
        if _is_integers(lo) and _is_integers(hi):
            return _native.Box(lo, hi)
    return value


def _split_point(m: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Values of all variables of a map, in order, as lists of dims, symbols and
    runtime variables."""
    if m.is_unknown:
        return (list(args),)
    sizes = [len(m.dims), len(m.symbols), len(m.runtime)]
    if len(args) != sum(sizes):
        return (list(args),)
    ends = [0, sizes[0], sizes[0] + sizes[1], len(args)]
    return tuple(list(args[a:b]) for a, b in zip(ends, ends[1:]))


def adapt(
    overload: Overload, instance: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    positional = [
        p for p in overload.parameters
        if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]  # fmt: skip
    if not positional:
        return args, kwargs
    # f(1, 2) for f([1, 2]), where f takes one list.
    needed = [p for p in positional if p.default is p.empty and p.name not in kwargs]
    is_point = name == "IndexingMap.evaluate"
    if len(args) > (not is_point) and all(map(_is_integer, args)) and (
        len(args) != len(needed) and _sequence(positional[0]) == "int"
    ):
        args = _split_point(instance, args) if is_point else (list(args),)
    # f([0, 0], [4, 4]) for f(Box([0, 0], [4, 4])), where there is one more than f takes.
    for i, p in enumerate(positional):
        if _takes(p, "Box") and len(args) > i + 1 and (
            len(args) > len(positional) or not _may_be(args[i + 1], positional[i + 1])
        ):
            lo, hi = _as_list(args[i]), _as_list(args[i + 1])
            if _is_integers(lo) and _is_integers(hi):
                args = (*args[:i], _native.Box(lo, hi), *args[i + 2 :])
    adapted = [_adapt_value(value, p) for value, p in zip(args, positional)]
    named = {p.name: p for p in overload.parameters}
    return (
        (*adapted, *args[len(adapted):]),
        {k: _adapt_value(v, named[k]) if k in named else v for k, v in kwargs.items()},
    )  # fmt: skip
