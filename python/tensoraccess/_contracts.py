# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a function may depend on, proved or refuted."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _native
from ._executable import _finish
from ._module import Module

if TYPE_CHECKING:
    import numpy


class Proof(NamedTuple):
    """What `prove` found out.

    `verdict` is 'proved', 'refuted' or 'unknown'. Proved: `condition` is '' or 'if
    finite', which means that no number that is computed is infinite or NaN, apart from
    those that the program itself makes so. Otherwise `reason` is a sentence, `op` the op
    through which an element comes that must not matter, and `location` where it is.

    Refuted: `witness` is two lists of arguments, arrays of leaves, that differ only where
    they must not matter. They were run: element `index` of result `result` differs;
    `message` says so.
    """

    verdict: str
    condition: str = ""
    reason: str = ""
    op: str = ""
    location: str = ""
    witness: Optional[tuple[list[numpy.ndarray], list[numpy.ndarray]]] = None
    result: Optional[int] = None
    index: Optional[tuple[int, ...]] = None  # type: ignore[assignment]
    message: str = ""

    def __repr__(self) -> str:
        says = self.message or self.reason or self.condition
        if self.verdict == "proved":
            return f"{self.verdict} {says}".rstrip()
        return f"{self.verdict}: {says}"


class PairDependence(NamedTuple):
    """The elements of an argument that can matter to those of a result: the union of the
    results of `maps` at each output index. The only map is unknown if they may be any.

    `exact`: what each op reads is known exactly, no map was widened by a limit, and no
    number was given up that may make less matter, such as constants of no regular shape
    that are multiplied by, or a finite mask of -1e9 that is added or subtracted from.
    Otherwise fewer elements may matter. Either way x - x, and what else cancels, reads x.
    """

    maps: list[_native.IndexingMap]
    exact: bool

    def __repr__(self) -> str:
        maps = " and ".join(map(str, self.maps)) or "nothing"
        return maps if self.exact else f"at most {maps}"


class FunctionDependence(NamedTuple):
    """`pairs[result][argument]`. `condition` is '' or 'if finite', as in `Proof`."""

    pairs: list[list[PairDependence]]
    condition: str

    def __repr__(self) -> str:
        lines = [
            f"result {r}, arg {a}: {pair!r}"
            for r, row in enumerate(self.pairs)
            for a, pair in enumerate(row)
        ]
        return "\n".join(lines + [self.condition] if self.condition else lines)


def _roll(value: Any) -> Any:
    """A jaxpr, or what holds some, whose scans run one trip at a time; itself where all
    do."""
    if type(value) in (tuple, list):
        rolled = type(value)(map(_roll, value))
        return rolled if any(map(operator.is_not, rolled, value)) else value
    if hasattr(value, "jaxpr") and hasattr(value, "replace"):
        inner = _roll(value.jaxpr)
        return value if inner is value.jaxpr else value.replace(jaxpr=inner)
    if not hasattr(value, "eqns"):
        return value
    eqns = []
    for eqn in value.eqns:
        params = {name: _roll(own) for name, own in eqn.params.items()}
        if eqn.primitive.name == "scan" and params.get("unroll", 1) != 1:
            params["unroll"] = 1
        same = all(params[name] is own for name, own in eqn.params.items())
        eqns.append(eqn if same else eqn.replace(params=params))
    same = all(map(operator.is_, eqns, value.eqns))
    return value if same else value.replace(eqns=eqns)


def _module_of(
    f: Union[Module, Callable[..., Any]], args: tuple[Any, ...], rolled: bool = False
) -> Module:
    """`rolled`: scans that are unrolled are loops again, one trip at a time."""
    if isinstance(f, Module):
        if args:
            raise _native.Error("a module has its arguments' types, and takes none here")
        return f
    if not callable(f):
        raise _native.Error(f"expected a function of JAX or a Module, got {type(f).__name__}")
    try:
        import jax
    except ImportError as e:
        raise _native.Error("functions of JAX need the package 'jax'") from e
    # All leaves are arguments, used or not, so that they have the caller's numbers.
    # Only that of jit is the same function: what jax.grad made has one, too.
    inner = getattr(f, "__wrapped__", f) if hasattr(f, "lower") else f
    traced = jax.jit(inner, keep_unused=True).trace(*args)
    looped = _roll(traced.jaxpr) if rolled else traced.jaxpr
    if looped is not traced.jaxpr:
        from jax.extend.core import jaxpr_as_fun

        flat = jaxpr_as_fun(looped)
        leaves = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in traced.jaxpr.in_avals]
        traced = jax.jit(flat, keep_unused=True).trace(*leaves)
    return Module(traced.lower())


def prove(
    f: Union[Module, Callable[..., Any]],
    contract: str,
    *args: Any,
    entry: str = "main",
    assume: str = "",
    trials: int = 48,
    seed: int = 0,
    max_operations: int = 1 << 32,
) -> Proof:
    """Proves or refutes what a function may depend on.

    `f` is a function of JAX, traced for `args` (arrays, or `jax.ShapeDtypeStruct`), or a
    `Module`, of which it is function `entry`. Arguments and results are numbered as the
    leaves of their trees. `contract` is a text like
    'causal(result 0 dim 1, arg 0 dim 1)'. `assume` bounds elements of arguments, as in
    '|arg 0| <= 1e4, arg 1 in [0, 1]', where a proof needs that. Up to `trials` pairs of inputs are run to find
    a witness, which takes at most `max_operations`.
    """
    module = _module_of(f, args)
    verdict, condition, reason, op, location, found = _native.prove(
        module._native, entry, contract, assume, trials, seed, max_operations
    )
    if found is None:
        return Proof(verdict, condition, reason, op, location)
    before, after, result, index, _, _, message = found
    witness = ([_finish(*a) for a in before], [_finish(*a) for a in after])
    return Proof(
        verdict, condition, reason, op, location, witness, result, tuple(index), message
    )


def dependence(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    entry: str = "main",
    finite: bool = True,
    unroll: Optional[int] = None,
) -> FunctionDependence:
    """Which elements of each argument can matter to which elements of each result.

    As what the function reads, less what masks make impossible; with `finite=False`
    without the assumption that what is computed is finite. Loops are unrolled into at
    most `unroll` ops (None: 4,096); of others it is asked what any trip reads.
    """
    pairs, uses_finite = _native.dependence(_module_of(f, args)._native, entry, finite, unroll)
    return FunctionDependence(
        [
            [PairDependence([_native.IndexingMap(m) for m in maps], exact) for maps, exact in row]
            for row in pairs
        ],
        "if finite" if uses_finite else "",
    )
