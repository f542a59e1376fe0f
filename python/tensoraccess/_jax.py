# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX's functions, compiled here. JAX traces them and knows what is an error."""

from __future__ import annotations

import functools
import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from . import _native
from ._executable import ArrayType, Executable
from ._module import Module
from ._weights import as_list, find_owner

if TYPE_CHECKING:
    import jax
    import numpy as np

# What tracing depends on, beside the arguments.
_SETTINGS = (
    "jax_numpy_rank_promotion",
    "jax_enable_x64",
    "jax_default_matmul_precision",
    "jax_numpy_dtype_promotion",
    "jax_default_prng_impl",
    "jax_threefry_partitionable",
)


_SMALL_BYTES = 1 << 17
# So many small results are not worth a compiled call that copies them.
_COPIED_FROM = 500


def _require_jax() -> Any:
    try:
        import jax
    except ImportError as e:
        raise _native.Error("tensoraccess.jit needs the package 'jax'") from e
    return jax


def _is_key(dtype: Any) -> bool:
    import jax

    return bool(jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key))


def _type_of(leaf: Any) -> Any:
    """What a program made for one leaf accepts."""
    shape = getattr(leaf, "shape", None)
    if shape is None:
        return type(leaf)
    return shape, leaf.dtype, getattr(leaf, "weak_type", False)


def _ints(x: Union[None, int, Iterable[int]]) -> set[int]:
    return set() if x is None else {x} if isinstance(x, int) else set(x)


def _strings(x: Union[None, str, Iterable[str]]) -> set[str]:
    return set() if x is None else {x} if isinstance(x, str) else set(x)


def _parameters(fun: Callable[..., Any]) -> Optional[list[inspect.Parameter]]:
    """None where a function has no signature."""
    try:
        return list(inspect.signature(fun).parameters.values())
    except (TypeError, ValueError):
        return None


class _StaticArguments:
    """Which arguments are part of the program: by number, by name, or by both where
    the function's signature says so."""

    def __init__(self, fun: Callable[..., Any], numbers: Any, names: Any) -> None:
        self.numbers, self.names = _ints(numbers), _strings(names)
        parameters = _parameters(fun)
        if parameters is None:
            return
        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        count = sum(p.kind in (either, p.POSITIONAL_ONLY) for p in parameters)
        self.numbers = {n + count if n < 0 else n for n in self.numbers}
        for number, parameter in enumerate(parameters):
            if parameter.kind != either:
                continue
            if numbers is None and parameter.name in self.names:
                self.numbers.add(number)
            if names is None and number in self.numbers:
                self.names.add(parameter.name)

    def split(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[tuple[Any, ...], dict[str, Any]], Any]:
        """The other arguments, and the static ones as a key."""
        if not self.numbers and not self.names:
            return (args, kwargs), None
        rest = tuple(a for i, a in enumerate(args) if i not in self.numbers)
        others = {k: v for k, v in kwargs.items() if k not in self.names}
        # 1, 1.0 and True are equal and make other programs.
        key = tuple(
            (i, type(a), a) for i, a in enumerate(args) if i in self.numbers
        ), tuple(
            (k, type(v), v) for k, v in sorted(kwargs.items()) if k in self.names
        )
        return (rest, others), key


class _Weights:
    """Which arguments are promised to be the same in every call."""

    def __init__(
        self, fun: Callable[..., Any], given: Any, settings: dict[str, Any]
    ) -> None:
        listed = as_list("weights", given)
        by_number = _StaticArguments(
            fun, [each for each in listed if isinstance(each, int)], None
        )
        by_name = _StaticArguments(
            fun, None, [each for each in listed if isinstance(each, str)]
        )
        self.numbers = by_number.numbers | by_name.numbers
        self.names = by_number.names | by_name.names
        parameters = _parameters(fun)
        if parameters is not None:
            kinds = {p.kind for p in parameters}
            known = [p.name for p in parameters]
            if inspect.Parameter.VAR_KEYWORD not in kinds:
                for name in sorted(self.names - set(known)):
                    raise _native.Error(
                        f"weights names '{name}'; the arguments are " + ", ".join(known)
                    )
            if inspect.Parameter.VAR_POSITIONAL not in kinds:
                for number in sorted(self.numbers - set(range(len(known)))):
                    raise _native.Error(
                        f"weights has argument {number}, there are {len(known)}"
                    )
        for kind in ("static", "donate"):
            other = _StaticArguments(
                fun, settings[f"{kind}_argnums"], settings[f"{kind}_argnames"]
            )
            both = [*sorted(self.numbers & other.numbers), *sorted(self.names & other.names)]
            if both:
                word = "static" if kind == "static" else "donated"
                raise _native.Error(f"parameter {both[0]} is {word}, not a weight")

    def leaves(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], static: _StaticArguments
    ) -> set[int]:
        """Their places among the leaves of all that are not static."""
        if not self.numbers and not self.names:
            return set()
        import jax

        parts = [
            (i in self.numbers, a) for i, a in enumerate(args) if i not in static.numbers
        ]
        parts += [
            (k in self.names, v) for k, v in sorted(kwargs.items()) if k not in static.names
        ]
        found: set[int] = set()
        count = 0
        for is_weight, tree in parts:
            size = jax.tree.structure(tree).num_leaves
            if is_weight:
                found |= set(range(count, count + size))
            count += size
        return found


def _is_promised(leaf: np.ndarray) -> bool:
    """Whether an array is numpy's own and read-only: it is taken as a weight."""
    if leaf.flags.writeable or leaf.nbytes < _SMALL_BYTES:
        return False
    chain = find_owner(leaf)
    return (
        chain is not None
        and chain[-1].flags.owndata
        and not any(each.flags.writeable for each in chain)
    )


def _as_argument(leaf: Any, wanted: ArrayType) -> Any:
    """A leaf as the executable takes it."""
    import jax
    import numpy as np

    dtype = getattr(leaf, "dtype", None)
    if dtype is None or isinstance(leaf, np.generic):
        return np.asarray(leaf, wanted.dtype)
    if _is_key(dtype):
        return jax.random.key_data(leaf)
    if isinstance(leaf, np.ndarray) and dtype.name != wanted.dtype:
        # As jax.jit, which has no f64 unless it is told to.
        return leaf.astype(wanted.dtype)
    return leaf


def _as_weak(array: Any, weak: bool) -> Any:
    """The same with JAX's weak type, of what Python's numbers become."""
    if not weak:
        return array
    from jax.extend.core import primitives

    return primitives.convert_element_type_p.bind(
        array, new_dtype=array.dtype, weak_type=True, sharding=None
    )


class Compiled:
    """A JAX function for arguments of some shapes and types, as code.

    Called with the arguments that it was made for without the static ones; what
    was donated cannot be used afterwards.
    """

    __slots__ = (
        "_copy", "_donated", "_empty", "_executable", "_in_tree", "_keys", "_large",
        "_lowered", "_small", "_uncopied",
    )  # fmt: skip

    def __init__(self, lowered: Lowered, executable: Executable) -> None:
        import jax
        import numpy as np

        self._lowered = lowered
        self._executable = executable
        executable._convert = _as_argument
        self._in_tree = lowered._jax.in_tree
        infos = jax.tree.leaves(lowered._jax.args_info)
        self._donated = [i for i, info in enumerate(infos) if info.donated]
        results = jax.tree.leaves(lowered.out_info)
        # The types of results that numpy's arrays can't have.
        weak = [aval.weak_type for aval in lowered._out_avals]
        self._empty = [
            (i, np.zeros(r.shape, r.dtype))
            for i, r in enumerate(results)
            if r.dtype == jax.dtypes.float0
        ]
        places = set(range(len(results))) - {i for i, _ in self._empty}
        # The arrays become JAX's: large ones in place, small ones through a call that
        # copies, which takes a fifth of the time for each; it is compiled in the time
        # of five hundred of them.
        self._small = [
            i
            for i in sorted(places)
            if weak[i] or results[i].size * results[i].dtype.itemsize < _SMALL_BYTES
        ]
        self._large = sorted(places - set(self._small))
        self._uncopied = 0 if any(weak) else _COPIED_FROM
        is_weak = [weak[i] for i in self._small]
        self._copy = jax.jit(lambda arrays: list(map(_as_weak, arrays, is_weak)))
        self._keys = [
            (i, jax.random.key_impl(jax.numpy.empty((), r.dtype)))
            for i, r in enumerate(results)
            if _is_key(r.dtype)
        ]

    @property
    def executable(self) -> Executable:
        """What is called, on arrays instead of trees."""
        return self._executable

    @property
    def packed_bytes(self) -> int:
        """`Executable.packed_bytes`."""
        return self._executable.packed_bytes

    @property
    def in_tree(self) -> jax.tree_util.PyTreeDef:
        return self._in_tree

    @property
    def out_tree(self) -> jax.tree_util.PyTreeDef:
        return self._lowered.out_tree

    def as_text(self) -> str:
        """The StableHLO that it was made of, as text."""
        return str(self._lowered.module)

    def __repr__(self) -> str:
        return f"<Compiled {repr(self._executable).removeprefix('<Executable ')}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import jax

        leaves, tree = jax.tree.flatten((args, kwargs))
        if tree != self._in_tree:
            raise TypeError(
                f"function compiled for arguments of structure {self._in_tree}, "
                f"called with {tree}"
            )
        for i, (leaf, wanted) in enumerate(zip(leaves, self._executable.inputs)):
            given = jax.typeof(leaf)
            if not _is_key(given.dtype) and (
                given.dtype.name != wanted.dtype or given.shape != wanted.shape
            ):
                raise TypeError(
                    f"function compiled for {wanted.dtype}{list(wanted.shape)} as "
                    f"argument {i}, called with {given.dtype.name}{list(given.shape)}"
                )
        return self._call(leaves)

    def _call(self, leaves: list[Any]) -> Any:
        import jax

        if self._donated:
            # Equal numbers may be one object; only arrays are given away.
            uses = Counter(id(leaf) for leaf in leaves if isinstance(leaf, jax.Array))
            for i in self._donated:
                if uses[id(leaves[i])] > 1:
                    raise ValueError(f"argument {i} is donated and is another one, too")
        executable = self._executable
        # Weights are known by what the caller passes.
        results = executable(
            *(
                leaf if i in executable._weights else _as_argument(leaf, wanted)
                for i, (leaf, wanted) in enumerate(zip(leaves, executable._inputs))
            )
        )
        if not isinstance(results, tuple):
            results = () if results is None else (results,)
        out: list[Any] = list(results)
        copy = self._copy
        if self._uncopied > 0:
            self._uncopied -= len(self._small)
            copy = jax.device_put
        for places, move in ((self._small, copy), (self._large, jax.device_put)):
            if places:
                moved = move([out[i] for i in places])
                for i, array in zip(places, moved):
                    out[i] = array
        for i, array in self._empty:
            out[i] = array
        for i, impl in self._keys:
            out[i] = jax.random.wrap_key_data(out[i], impl=impl)
        for i in self._donated:
            if isinstance(leaves[i], jax.Array) and not leaves[i].is_deleted():
                leaves[i].delete()
        return jax.tree.unflatten(self._lowered.out_tree, out)


class Lowered:
    """A JAX function for arguments of some shapes and types, as a module."""

    __slots__ = ("_jax", "_jit", "_module", "_out_avals", "_weights")

    def __init__(
        self, jitted: JitFunction, traced: jax.stages.Traced, weights: Iterable[int]
    ) -> None:
        self._weights = sorted(weights)
        lowered = traced.lower(lowering_platforms=("cpu",))
        self._jit = jitted
        self._jax = lowered
        self._out_avals = traced.jaxpr.out_avals
        self._module = Module(lowered, scatter=jitted._scatter)

    def __repr__(self) -> str:
        import jax

        texts = [
            ", ".join(f"{x.dtype}[{','.join(map(str, x.shape))}]" for x in jax.tree.leaves(tree))
            for tree in (self.args_info, self.out_info)
        ]
        name = getattr(self._jit, "__name__", "function")
        return f"<Lowered {name}({texts[0]}) -> ({texts[1]})>"

    @property
    def module(self) -> Module:
        """The StableHLO that JAX produced for the function: a Module."""
        return self._module

    @property
    def in_tree(self) -> jax.tree_util.PyTreeDef:
        return self._jax.in_tree

    @property
    def out_tree(self) -> jax.tree_util.PyTreeDef:
        return self._jax.out_tree

    @property
    def args_info(self) -> Any:
        return self._jax.args_info

    @property
    def out_info(self) -> Any:
        return self._jax.out_info

    def as_text(self) -> str:
        """The StableHLO that it was made of, as text."""
        return str(self._module)

    def indexing(self) -> dict[str, list[_native.OpIndexing]]:
        """What each op reads of its operands: `Module.indexing`."""
        return self._module.indexing()

    def compile(self) -> Compiled:
        """The function as code for this machine."""
        options = self._jit._options
        return Compiled(self, self._module.compile(weights=self._weights, **options))


class JitFunction:
    """What `jit` returns for a function."""

    def __init__(
        self,
        fun: Callable[..., Any],
        options: dict[str, Any],
        settings: dict[str, Any],
        scatter: str,
        weights: Any,
    ) -> None:
        jax = _require_jax()
        functools.update_wrapper(self, fun)
        # Results and what is traced stay JAX's; only what runs differs.
        self._jax = jax.jit(fun, keep_unused=True, **settings)
        self._static = _StaticArguments(
            fun, settings["static_argnums"], settings["static_argnames"]
        )
        self._weights = _Weights(fun, weights, settings)
        self._options = options
        self._scatter = scatter
        self._compiled: dict[Any, Compiled] = {}
        # Read-only arrays that were others in a later call.
        self._varying: set[Any] = set()

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<tensoraccess.jit of {getattr(self, '__name__', 'a function')}>"

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Traces the function for such arguments, which may be
        jax.ShapeDtypeStruct; errors are JAX's."""
        weights = self._weights.leaves(args, kwargs, self._static)
        return Lowered(self, self._jax.trace(*args, **kwargs), weights)

    def module(self, *args: Any, **kwargs: Any) -> Module:
        """`lower(...).module`."""
        return self.lower(*args, **kwargs).module

    def indexing(self, *args: Any, **kwargs: Any) -> dict[str, list[Any]]:
        """`lower(...).indexing()`."""
        return self.lower(*args, **kwargs).indexing()

    def eval_shape(self, *args: Any, **kwargs: Any) -> Any:
        """The shapes and types of the results, as jax.eval_shape."""
        return self._jax.eval_shape(*args, **kwargs)

    def clear_cache(self) -> None:
        """Forgets what was compiled."""
        self._jax.clear_cache()
        self._compiled.clear()
        self._varying.clear()

    @property
    def packed_bytes(self) -> int:
        """The bytes kept of weights, for all that was compiled:
        `Executable.packed_bytes`."""
        return sum(compiled.packed_bytes for compiled in self._compiled.values())

    def _cache_size(self) -> int:
        return len(self._compiled)

    def _find(
        self, key: Any, leaves: list[Any]
    ) -> tuple[Optional[Compiled], tuple[int, ...]]:
        """What was compiled for these arguments, and which of them are read-only arrays
        that were the same in every call so far."""
        import numpy as np

        while True:
            promised = () if self._options["plain"] else tuple(
                i
                for i, leaf in enumerate(leaves)
                if type(leaf) is np.ndarray
                and _is_promised(leaf)
                and (key, i) not in self._varying
            )
            compiled = self._compiled.get((key, promised))
            kept = compiled._executable._kept if compiled and promised else {}
            varying = {
                (key, i)
                for i in promised
                if i in kept and not kept[i].is_current(leaves[i])
            }
            if not varying:
                return compiled, promised
            self._varying |= varying
            del self._compiled[key, promised]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        import jax

        dynamic, static = self._static.split(args, kwargs)
        leaves, tree = jax.tree.flatten(dynamic)
        if jax.config.jax_disable_jit or any(
            isinstance(leaf, jax.core.Tracer) for leaf in leaves
        ):
            # Inside of another transformation the function is a part of that.
            return self._jax(*args, **kwargs)
        settings = tuple(getattr(jax.config, name, None) for name in _SETTINGS)
        key = tree, static, settings, tuple(map(_type_of, leaves))
        try:
            compiled, promised = self._find(key, leaves)
        except TypeError:  # A static argument that has no hash: JAX says which.
            compiled, promised = None, ()
        if compiled is None:
            lowered = self.lower(*args, **kwargs)
            lowered._weights = sorted({*lowered._weights, *promised})
            compiled = lowered.compile()
            self._compiled[key, promised] = compiled
        return compiled._call(leaves)


@overload
def jit(
    fun: Callable[..., Any],
    /,
    *,
    static_argnums: Union[None, int, Sequence[int]] = ...,
    static_argnames: Union[None, str, Iterable[str]] = ...,
    donate_argnums: Union[None, int, Sequence[int]] = ...,
    donate_argnames: Union[None, str, Iterable[str]] = ...,
    threads: int = ...,
    reassociate: bool = ...,
    cache: bool = ...,
    cpu: str = ...,
    checks: bool = ...,
    plain: bool = ...,
    scatter: str = ...,
    weights: Union[int, str, Iterable[Union[int, str]]] = ...,
) -> JitFunction: ...


@overload
def jit(
    fun: None = None,
    /,
    *,
    static_argnums: Union[None, int, Sequence[int]] = ...,
    static_argnames: Union[None, str, Iterable[str]] = ...,
    donate_argnums: Union[None, int, Sequence[int]] = ...,
    donate_argnames: Union[None, str, Iterable[str]] = ...,
    threads: int = ...,
    reassociate: bool = ...,
    cache: bool = ...,
    cpu: str = ...,
    checks: bool = ...,
    plain: bool = ...,
    scatter: str = ...,
    weights: Union[int, str, Iterable[Union[int, str]]] = ...,
) -> Callable[[Callable[..., Any]], JitFunction]: ...


def jit(
    fun: Optional[Callable[..., Any]] = None,
    /,
    *,
    static_argnums: Union[None, int, Sequence[int]] = None,
    static_argnames: Union[None, str, Iterable[str]] = None,
    donate_argnums: Union[None, int, Sequence[int]] = None,
    donate_argnames: Union[None, str, Iterable[str]] = None,
    threads: int = 0,
    reassociate: bool = False,
    cache: bool = True,
    cpu: str = "host",
    checks: bool = True,
    plain: bool = False,
    scatter: str = "xla",
    weights: Union[int, str, Iterable[Union[int, str]]] = (),
) -> Union[JitFunction, Callable[[Callable[..., Any]], JitFunction]]:
    """Compiles a JAX function as `jax.jit` does, by TensorAccess, on this CPU.

    Arguments and results are trees of arrays, results jax.Arrays. Compiled for
    each structure, shape and type of arguments, and for each value of static ones,
    when it is first called with them. Called inside of another transformation of
    JAX (a trace), the function becomes a part of that.

    The first five parameters are those of `jax.jit`, the others those of
    `Module.compile`, but for `scatter`, which is that of `Module`: what is computed
    is what XLA computes, also of windows that are partly outside.
    `donate_argnums` says what the caller gives away: such arrays
    are deleted after the call. `weights` are the parameters, by number or name, whose
    arrays are promised to be the same in every call, as in `Module.compile`; arrays of
    numpy that are read-only, and those that the function closes over, need not be named.
    `packed_bytes` of what is returned are kept of them. Errors of tracing are JAX's,
    others `Error`.
    """
    settings = {
        "static_argnums": static_argnums,
        "static_argnames": static_argnames,
        "donate_argnums": donate_argnums,
        "donate_argnames": donate_argnames,
    }
    options = {
        "threads": threads,
        "reassociate": reassociate,
        "cache": cache,
        "cpu": cpu,
        "checks": checks,
        "plain": plain,
    }
    if fun is None:
        return lambda f: JitFunction(f, options, settings, scatter, weights)
    return JitFunction(fun, options, settings, scatter, weights)
