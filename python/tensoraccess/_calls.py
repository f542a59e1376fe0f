# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Native functions as functions of Python: with signatures, arguments as people
write them, and errors that name the argument.

nanobind makes a call whose arguments have the types that it expects, and of any
other lists all types. So a native function is wrapped:

  1. It is called as it is. That is all that happens in most calls.
  2. Where no signature fits, the arguments are adapted: `f(1, 2)` to `f([1, 2])`,
     arrays and iterables to lists, two lists to a Box, text to the value that
     reads it; and the call is made once more.
  3. Where that does not help, the error says which argument must be what.

Signatures are read from nanobind's text when `help` or `inspect` first asks.
"""

from __future__ import annotations

import ast
import collections.abc
import functools
import inspect
import operator
from typing import Any, Callable, Iterator, NamedTuple, Optional, Sequence

from . import _native

# ===------------------------------------------------------------------------===#
# Signatures
# ===------------------------------------------------------------------------===#


class _Text(str):
    """A type as text, which `help` prints without quotes."""

    def __repr__(self) -> str:
        return str(self)


class _Overload(NamedTuple):
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


def _plain(annotation: str) -> str:
    for prefix in _PREFIXES:
        annotation = annotation.replace(prefix, "")
    for alias, meaning in _ALIASES.items():
        annotation = annotation.replace(alias, meaning)
    return annotation


def _read_overload(text: str, doc: Optional[str], defaults: Any) -> _Overload:
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
            return _Text(_plain(ast.unparse(node)))

    made: list[inspect.Parameter] = []

    def add(node: ast.arg, kind: Any, default: Any = empty) -> None:
        noted = node.annotation
        annotation = empty if noted is None else _Text(_plain(ast.unparse(noted)))
        made.append(inspect.Parameter(node.arg, kind, default=default, annotation=annotation))

    plain = [*arguments.posonlyargs, *arguments.args]
    padding = [empty] * (len(plain) - len(arguments.defaults))
    for i, (node, default) in enumerate(
        zip(plain, [*padding, *map(read, arguments.defaults)])
    ):
        only = i < len(arguments.posonlyargs)
        kind = inspect.Parameter
        add(node, kind.POSITIONAL_ONLY if only else kind.POSITIONAL_OR_KEYWORD, default)
    if arguments.vararg:
        add(arguments.vararg, inspect.Parameter.VAR_POSITIONAL)
    for node, value in zip(arguments.kwonlyargs, arguments.kw_defaults):
        add(node, inspect.Parameter.KEYWORD_ONLY, read(value))
    result = definition.returns
    returns = empty if result is None else _Text(_plain(ast.unparse(result)))
    signature = inspect.Signature(made, return_annotation=returns)
    parameters = [p for p in made if p.name != "self"]
    return _Overload(signature, parameters, doc or "")


@functools.cache
def _overloads(native: Any) -> list[_Overload]:
    return [_read_overload(*entry) for entry in native.__nb_signature__]


class _Late(inspect.Signature):
    """A signature that is read when it is looked at."""

    __slots__ = ("_of",)

    def __init__(self, native: Any) -> None:
        self._of = native

    def __getattr__(self, name: str) -> Any:
        # Of several ways to call a function, the one that says most.
        ways = [overload.signature for overload in _overloads(self._of)]
        return getattr(max(ways, key=lambda way: len(way.parameters)), name)

    def replace(self, **changes: Any) -> inspect.Signature:  # type: ignore[override]
        changes.setdefault("parameters", list(self.parameters.values()))
        changes.setdefault("return_annotation", self.return_annotation)
        return inspect.Signature(**changes)


# ===------------------------------------------------------------------------===#
# What an argument must be
# ===------------------------------------------------------------------------===#


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
    if " object at 0x" in text or len(text) > 80:
        return f"{text[:60]}… ({type(value).__name__})" if " object at 0x" not in text else (
            f"a value of type {type(value).__name__}"
        )
    return text


def _form(overload: _Overload) -> str:
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
    name: str, overload: _Overload, args: Sequence[Any], kwargs: dict[str, Any]
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


def _explain(native: Any, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    overloads = _overloads(native)
    found = [_problem(name, overload, args, kwargs) for overload in overloads]
    best = max(range(len(found)), key=lambda i: found[i][0])
    others = [_form(o) for i, o in enumerate(overloads) if i != best]
    text = found[best][1]
    different = [form for form in others if form != _form(overloads[best])]
    return text + (f"; it can also be called as {' or '.join(different)}" if different else "")


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
                ways = _overloads(_unwrap(vars(kind)["__init__"]))
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


def _adapt(
    overload: _Overload, instance: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
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


# ===------------------------------------------------------------------------===#
# Wrappers
# ===------------------------------------------------------------------------===#

_NO_MATCH = "(): incompatible function arguments."
_NO_CAST = "an argument is of another type than expected, or an integer does not fit"


def _is_refused(error: Exception) -> bool:
    """Whether the native function did not even begin."""
    traceback = error.__traceback__
    text = str(error)
    return (
        (_NO_MATCH in text or text.startswith(_NO_CAST))
        and traceback is not None
        and traceback.tb_next is None
    )


def _again(
    native: Any, name: str, is_method: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Steps 2 and 3."""
    own, rest = (args[:1], args[1:]) if is_method else ((), args)
    for overload in _overloads(native):
        tried = _adapt(overload, own[0] if own else None, name, rest, kwargs)
        if not _is_same(tried[0], rest) or not _is_same(tried[1].values(), kwargs.values()):
            try:
                return native(*own, *tried[0], **tried[1])
            except (TypeError, _native.Error) as e:
                if not _is_refused(e):
                    raise
    raise TypeError(_explain(native, name, rest, kwargs))


def _is_same(a: Any, b: Any) -> bool:
    return len(a) == len(b) and all(map(operator.is_, a, b))


def _wrap(native: Any, name: str) -> Any:
    """A function that calls a native one; of a class the static ones as such."""
    ways = native.__nb_signature__
    is_method = "(self" in ways[0][0].split(",")[0]

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return native(*args, **kwargs)
        except (TypeError, _native.Error) as e:
            if not _is_refused(e):
                raise
        return _again(native, name, is_method, args, kwargs)

    call.__name__ = native.__name__
    call.__qualname__ = name if name.endswith(native.__name__) else f"{name}.{native.__name__}"
    call.__module__ = "tensoraccess"
    call.__doc__ = "\n\n".join(dict.fromkeys(doc for _, doc, _ in ways if doc)) or None
    # Each signature in a line, where there are several.
    if len(ways) > 1:
        lines = [_plain(text[4:].replace("\\", "")) for text, _, _ in ways]
        call.__doc__ = "\n".join(lines) + f"\n\n{call.__doc__ or ''}"
    call.__signature__ = _Late(native)  # type: ignore[attr-defined]
    call.__wrapped_native__ = native  # type: ignore[attr-defined]
    return call if is_method or "." not in name else staticmethod(call)


def _unwrap(function: Any) -> Any:
    return getattr(function, "__wrapped_native__", function)


# Methods of Python's that people call; others have nothing to say.
_SPECIAL = {"__call__", "__getitem__", "__contains__", "__init__"}
# What runs compiled functions, in a few microseconds.
_QUICK = {"NativeExecutable"}
_OURS = {"call_init", "make_interruptible", "show_progress"}


def _wrap_class(kind: type) -> None:
    owner = kind.__name__.removeprefix("Native")
    for name, member in list(vars(kind).items()):
        if name.startswith("_") and name not in _SPECIAL:
            continue
        if hasattr(member, "__nb_signature__"):
            called = name in ("__init__", "__call__")
            setattr(kind, name, _wrap(member, owner if called else f"{owner}.{name}"))
    if "__init__" in vars(kind):
        _native.call_init(kind)


def _wrap_all() -> None:
    for name, member in list(vars(_native).items()):
        if isinstance(member, type):
            if member is not _native.Error and name not in _QUICK:
                _wrap_class(member)
        elif hasattr(member, "__nb_signature__") and name not in _OURS:
            setattr(_native, name, _wrap(member, name))


_wrap_all()
