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
"""

from __future__ import annotations

import inspect
import operator
from typing import Any

from . import _native
from ._arguments import adapt, explain
from ._signatures import Late, overloads, plain

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
    for overload in overloads(native):
        tried = adapt(overload, own[0] if own else None, name, rest, kwargs)
        if not _is_same(tried[0], rest) or not _is_same(tried[1].values(), kwargs.values()):
            try:
                return native(*own, *tried[0], **tried[1])
            except (TypeError, _native.Error) as e:
                if not _is_refused(e):
                    raise
    raise TypeError(explain(native, name, rest, kwargs))


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
        lines = [plain(text[4:].replace("\\", "")) for text, _, _ in ways]
        call.__doc__ = "\n".join(lines) + f"\n\n{call.__doc__ or ''}"
    call.__signature__ = Late(native)  # type: ignore[attr-defined]
    call.__wrapped_native__ = native  # type: ignore[attr-defined]
    return call if is_method or "." not in name else staticmethod(call)


# Methods of Python's that people call; others have nothing to say.
_SPECIAL = {"__call__", "__getitem__", "__contains__", "__init__"}
# What runs compiled functions, in a few microseconds.
_QUICK = {"NativeExecutable"}
_OURS = {"call_init", "make_interruptible", "show_progress"}


class _ClassSignature:
    """The signature of a class, not of its instances or of classes derived from it.

    Before 3.11.9, inspect does not look at `__init__` where `__new__` is native.
    """

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        if instance is not None or owner is not self._kind:
            raise AttributeError("__signature__")
        own: inspect.Signature = vars(self._kind)["__init__"].__signature__
        return own.replace(parameters=list(own.parameters.values())[1:])


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
        if hasattr(vars(kind)["__init__"], "__signature__"):
            kind.__signature__ = _ClassSignature(kind)  # type: ignore[attr-defined]


def _wrap_all() -> None:
    for name, member in list(vars(_native).items()):
        if isinstance(member, type):
            if member is not _native.Error and name not in _QUICK:
                _wrap_class(member)
        elif hasattr(member, "__nb_signature__") and name not in _OURS:
            setattr(_native, name, _wrap(member, name))


_wrap_all()
