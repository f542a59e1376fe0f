# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of a part of what a function computes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._arguments import _integer
from ._contracts import _module_of
from ._module import Module

if TYPE_CHECKING:
    import numpy

BoxLike = Union[
    _native.Box,
    tuple[Sequence[int], Sequence[int]],
    list[Sequence[int]],
    slice,
    tuple[slice, ...],
]


def _leaves(f: Any, args: tuple[Any, ...]) -> list[Any]:
    """The arguments of the program of a function, which are the leaves of its own."""
    if isinstance(f, Module):
        return list(args)
    import numpy as np

    if all(type(x) is np.ndarray for x in args):
        return list(args)
    import jax

    return jax.tree.leaves(args)  # type: ignore[no-any-return]


def _slice_ends(x: Any) -> tuple[Any, Any]:
    if x.start is None or x.stop is None or x.step not in (None, 1):
        raise _native.Error(f"expected a slice of a start and a stop by 1, got {x}")
    return x.start, x.stop


def _text_of(box: Any) -> str:
    """The text of a Box, of two lists of its ends, or of slices."""
    if isinstance(box, slice):
        box = (box,)
    if isinstance(box, _native.Box):
        ends = box.lo, box.hi
    elif isinstance(box, tuple) and box and all(isinstance(x, slice) for x in box):
        ends = tuple(zip(*map(_slice_ends, box)))  # type: ignore[assignment]
    elif (
        isinstance(box, (list, tuple))
        and len(box) == 2
        and all(hasattr(x, "__len__") for x in box)
        and len(box[0]) == len(box[1])
    ):
        ends = tuple(box)
    else:
        raise _native.Error(
            f"expected a Box, two lists of its ends, or slices, got {box!r}"
        )
    lows, highs = ([_integer("an end of a box", x) for x in end] for end in ends)
    if not lows:
        return "()"
    return "x".join(f"[{lo},{hi})" for lo, hi in zip(lows, highs))


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
    is the program, in linalg on tensors. `condition` is "if finite" if the elements
    are those of the function only where all that is computed is finite, except for
    masks.
    """

    @property
    def condition(self) -> str:
        return self.module._native.attribute(self._entry, "tensoraccess.condition").strip('"')

    def __call__(self, *args: Any) -> numpy.ndarray:
        return self._run(*_leaves(self._f, args))  # type: ignore[no-any-return]


class Patched(_Part):
    """A function of which one value is computed patch by patch.

    Called with the function's arguments; compiled when it is first called. `module`
    is the program, in linalg on tensors. `count` patches have `sizes` (empty if the
    whole function is best). `operations` and `peak_bytes` are those of the whole
    function and of this one: the most bytes of tensors that are live at once,
    without arguments and constants.
    """

    count: int
    sizes: tuple[int, ...]
    operations: tuple[int, int]
    peak_bytes: tuple[int, int]

    def __init__(self, f: Any, module: Module, entry: str) -> None:
        super().__init__(f, module, entry)
        told = module._native.attribute(entry, "tensoraccess.patches")
        for name, text in re.findall(r"(\w+) = (array<i64.*?>|\d+ : i64)", told):
            numbers = tuple(map(int, re.findall(r"-?\d+", text.replace("i64", ""))))
            setattr(self, name, numbers[0] if name == "count" else numbers)

    def __call__(self, *args: Any) -> Any:
        results = self._run(*_leaves(self._f, args))
        if isinstance(self._f, Module):
            return results
        import jax

        tree = jax.tree.structure(jax.eval_shape(self._f, *args))
        if tree.num_leaves == 1:
            results = [results]
        return jax.tree.unflatten(tree, results)

    @property
    def recomputation(self) -> float:
        """How many times the operations of the whole function are done."""
        before, after = self.operations
        return after / before if before else 1.0

    def __repr__(self) -> str:
        return (
            f"<Patched: {self.count} of {'x'.join(map(str, self.sizes))}, "
            f"{self.peak_bytes[1]} bytes (whole: {self.peak_bytes[0]}), "
            f"{self.recomputation:.2f} times the operations>"
        )


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


class Stream:
    """A function of a sequence, step by step.

    `init` takes the arguments that are no sequences, in their order, and gives the
    state; `step` takes it and the next elements of each sequence, and gives the
    next state and the next elements of the results. `module` is the program, with
    functions @init and @step, in linalg on tensors; `state` has the types of what it
    keeps.
    """

    def __init__(self, f: Any, args: tuple[Any, ...], module: Module,
                 axis: Mapping[int, int], length: int, step: int, donate: bool) -> None:
        self._f = f
        self._axis = axis
        self._length = length
        self._size = step
        self._donate = donate
        self.module = module
        # Where the sequences are among the arguments.
        self._numbers = sorted(axis)
        names = {function.name: function for function in module.functions}
        self.state = names["init"].results
        # What of the state a step writes to, and does not return.
        self._written = [
            t.startswith("memref") for t in names["step"].inputs[: len(self.state)]
        ]
        self._tree = None
        self._is_single = len(names["step"].results) + sum(self._written) == len(self.state) + 1
        if not isinstance(f, Module):
            import jax

            self._tree = jax.tree.structure(jax.eval_shape(f, *args))
            self._is_single = self._tree == jax.tree.structure(0)

    @functools.cached_property
    def _runs(self) -> tuple[Any, Any]:
        return self.module.compile("init"), self.module.compile("step")

    def init(self, *fixed: Any) -> Any:
        """The state before the first element."""
        leaves = _leaves(self._f, fixed)
        state = self._runs[0](*leaves)
        for i in self._numbers:
            leaves.insert(i, None)
        if not isinstance(state, tuple):
            state = () if state is None else (state,)
        # The list has the number of elements of the newest state.
        return 0, state, leaves, [0]

    def step(self, state: Any, *slices: Any) -> tuple[Any, Any]:
        """The next state, and the next elements of the results."""
        made, kept, fixed, newest = state
        if made + self._size > self._length:
            raise _native.Error(f"the sequence has {self._length} elements")
        parts = _leaves(self._f, slices)
        if len(parts) != len(self._numbers):
            raise _native.Error(
                f"expected the next elements of {len(self._numbers)} sequences, "
                f"got {len(parts)}"
            )
        args = [*fixed]
        for i, part in zip(self._numbers, parts):
            args[i] = part
        if self._donate:
            if newest[0] != made:
                raise _native.Error(
                    f"the state of {made} elements was donated to a step, which wrote to it"
                )
            newest[0] = made + self._size
        out = self._runs[1](*kept, *args)
        if not isinstance(out, tuple):
            out = (out,)
        if self._donate:
            rest = iter(out)
            kept = [x if own else next(rest) for x, own in zip(kept, self._written)]
            out = (*kept, *rest)
        n = len(kept)
        state = made + self._size, out[:n], fixed, newest
        if self._is_single:
            return state, out[n]
        results = list(out[n:])
        if self._tree is not None:
            import jax

            results = jax.tree.unflatten(self._tree, results)
        return state, results

    def __repr__(self) -> str:
        return f"<Stream of {self._length}, {self._size} a step: {', '.join(self.state)}>"


def restrict(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    box: BoxLike,
    result: int = 0,
    masked: bool = False,
    entry: str = "main",
) -> Restricted:
    """The program of these elements of a result, and of nothing else.

    `f` is a function of JAX, traced for `args` (arrays, or `jax.ShapeDtypeStruct`),
    or a `Module`, of which it is function `entry`. Results are numbered as the
    leaves of their tree. The program takes the same arguments and returns the
    elements of result `result` in `box`, exactly as the function would. A box may
    also be given as two lists, `([0, 10], [2, 12])`, or slices, `np.s_[0:2, 10:12]`.

    With `masked`, the first and last terms of sums that a mask makes zero are left
    out, with what only they read: of causal attention, keys and values of tokens to
    come. Zero times infinity would be NaN: see `condition`.

        g = ta.restrict(f, x, box=ta.Box([0, 10], [2, 12]))
        g(x)    # f(x)[0:2, 10:12]
    """
    result = _integer("result", result)
    module = _module_of(f, args)
    options = f"function={entry} result={result} box={_text_of(box)}"
    options += f" masked={str(bool(masked)).lower()}"
    return Restricted(
        f, module.run(f"tensoraccess-restrict-function{{{options}}}"), entry
    )


def patch(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    sizes: Sequence[int] = (),
    op: str = "",
    result: int = 0,
    memory: int = 0,
    recompute: float = 1.25,
    entry: str = "main",
) -> Patched:
    """The function with one value computed patch by patch, in less memory.

    `f` and `args` as for `restrict`. Patches have `sizes` along the dimensions of
    result `result`, or of the result of `op`: "stablehlo.convolution#3" is the
    fourth convolution of the program. What follows it stays whole. What several
    patches read is computed again in each of them.

    Without `sizes`, the patches of least memory are found that need at most
    `recompute` times the operations; or, given `memory`, those of the fewest
    operations that need at most so many bytes. Without `op`, the value is found,
    too.

        g = ta.patch(network, image, memory=500_000)
        g(image), g.sizes, g.peak_bytes, g.recomputation
    """
    options = f"function={entry} result={_integer('result', result)}"
    options += f" memory={_integer('memory', memory)} recompute={float(recompute)}"
    if op:
        options += f" op={op}"
    if sizes:
        options += f" sizes={','.join(str(_integer('a size', x)) for x in sizes)}"
    module = _module_of(f, args)
    return Patched(f, module.run(f"tensoraccess-patch-function{{{options}}}"), entry)


def update(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    changed: Mapping[int, BoxLike],
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
        f"{_integer('an argument', i)}:{_text_of(box)}" for i, box in changed.items()
    )
    options = f"function={entry} changed={boxes} finite={str(bool(finite)).lower()}"
    return Updated(f, module.run(f"tensoraccess-update-function{{{options}}}"), entry)


def stream(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    axis: Mapping[int, int],
    step: int = 1,
    donate: bool = False,
    entry: str = "main",
) -> Stream:
    """The program of the next elements of a sequence, from that of all of it.

    `f` and `args` as for `restrict`. `axis` says which arguments, numbered as the
    leaves of the function's, are sequences, and along which dimension; results are
    sequences of the same length. `step` is the number of elements of a step, which
    divides it. With `donate`, a step writes to the caches of the state that it is given,
    which cannot be given to another one; else it copies them. An Error that names the
    op where the function cannot be streamed.

        s = ta.stream(attention, x, w, axis={0: 0})
        state = s.init(w)
        for row in x:
            state, y = s.step(state, row[None])
    """
    step = _integer("step", step)
    dims = {_integer("an argument", i): _integer("a dimension", d) for i, d in axis.items()}
    module = _module_of(f, args, rolled=True)
    axes = ";".join(f"{i}:{d}" for i, d in dims.items())
    in_place = str(bool(donate)).lower()
    options = f"function={entry} axes={axes} step={step} in-place={in_place}"
    streamed = module.run(f"tensoraccess-stream-function{{{options}}}")
    number, dim = next(iter(dims.items()))
    whole = next(x for x in streamed.functions if x.name == entry)
    length = int(re.findall(r"\d+", whole.inputs[number])[dim])
    return Stream(f, args, streamed, dims, length, step, bool(donate))
