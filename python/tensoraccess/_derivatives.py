# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which entries of Jacobians and Hessians can be nonzero, and those entries."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _native
from ._contracts import _module_of
from ._module import Module
from ._page import Shown

if TYPE_CHECKING:
    import jax.experimental.sparse
    import numpy
    import scipy.sparse  # type: ignore[import-untyped]

# Points of a map that are looked at for one pattern.
_MAX_POINTS = 1 << 28


class SparsityBlock(NamedTuple):
    """The part of a matrix of derivatives between two arrays.

    Entries at rows `i` are the columns that `maps` lead to from `i`; if it is not
    `exact`, perhaps more than ops connect, for a `reason`. `row` and `column` number the
    arrays.
    """

    row: int
    column: int
    maps: list[_native.IndexingMap]
    exact: bool
    reason: str


class Coloring(NamedTuple):
    """`colors[i]` in [0, count) of each column (`direction` 'jvp') or row ('vjp').

    Columns of a color share no row, and rows no column. If `weights` is not None, the
    color of an index is the sum of `weights[d] * index[d]`, modulo `period`.
    """

    direction: str
    colors: numpy.ndarray
    count: int  # type: ignore[assignment]
    weights: Optional[list[int]] = None
    period: Optional[int] = None


class DerivativeSparsity(Shown):
    """The entries of a Jacobian or Hessian that can be nonzero.

    Rows are the elements of all results that have derivatives (of a Hessian: of all such
    arguments), in row-major order one after the other, columns those of the arguments.
    Entries that are left out are zero wherever what is computed is finite.
    """

    blocks: list[SparsityBlock]
    #: '' or 'if finite', as in `Proof`.
    condition: str

    def __init__(
        self,
        blocks: list[SparsityBlock],
        rows: list[tuple[int, ...]],
        columns: list[tuple[int, ...]],
        condition: str,
        products: Optional[dict[str, Callable[..., Any]]] = None,
    ) -> None:
        self.blocks, self.condition = blocks, condition
        self._rows, self._columns = rows, columns
        self._products = products or {}

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and of columns."""
        rows, columns = (sum(map(math.prod, s)) for s in (self._rows, self._columns))
        return rows, columns

    @property
    def exact(self) -> bool:
        """Whether all blocks are."""
        return all(block.exact for block in self.blocks)

    @property
    def reason(self) -> str:
        """Why it is not exact, or ''."""
        return next((block.reason for block in self.blocks if block.reason), "")

    @property
    def map(self) -> list[_native.IndexingMap]:
        """The maps of the only block."""
        if len(self.blocks) != 1:
            raise _native.Error(f"there are {len(self.blocks)} blocks: ask each for its maps")
        return self.blocks[0].maps

    def __repr__(self) -> str:
        rows, columns = self.shape
        maps = "; ".join(str(m) for block in self.blocks for m in block.maps)
        return f"DerivativeSparsity({rows} x {columns}: {maps})"

    @functools.cached_property
    def pattern(self) -> scipy.sparse.csr_array:
        """A sparse matrix of True."""
        import numpy as np
        from scipy import sparse

        rows, columns = [], []
        starts = [
            np.cumsum([0, *map(math.prod, shapes)]) for shapes in (self._rows, self._columns)
        ]
        for block in self.blocks:
            own = _native.sparsity_entries(
                block.maps, self._rows[block.row], self._columns[block.column], _MAX_POINTS
            )
            rows.append(own[0] + starts[0][block.row])
            columns.append(own[1] + starts[1][block.column])
        r, c = (np.concatenate(x) if x else np.empty(0, np.int64) for x in (rows, columns))
        matrix = sparse.coo_array((np.ones(len(r), bool), (r, c)), self.shape).tocsr()
        matrix.sum_duplicates()
        matrix.sort_indices()
        return matrix

    def bcoo(self) -> jax.experimental.sparse.BCOO:
        """The pattern as JAX has sparse matrices, with ones."""
        from jax.experimental import sparse

        return sparse.BCOO.from_scipy_sparse(self.pattern.astype("float32").tocoo())

    @functools.cached_property
    def coloring(self) -> Coloring:
        """Of columns, or of rows if that takes fewer colors."""
        import numpy as np

        directions = list(self._products or ("jvp", "vjp"))
        blocks = [block[:3] for block in self.blocks]
        transposed = [direction == "vjp" for direction in directions]
        colorings = _native.color_matrix(
            blocks, self._rows, self._columns, transposed, _MAX_POINTS
        )
        best = min(range(len(colorings)), key=lambda i: colorings[i][0])
        direction, (count, weights, colors) = directions[best], colorings[best]
        if weights is None:
            return Coloring(direction, colors, count)
        (shape,) = self._rows if transposed[best] else self._columns
        index = np.zeros(shape, np.int64)
        for d, (weight, size) in enumerate(zip(weights, shape)):
            index += weight * np.arange(size).reshape(-1, *[1] * (index.ndim - 1 - d))
        return Coloring(
            direction, (index.reshape(-1) % count).astype(np.int32), count, weights, count
        )

    def evaluate(self, *args: Any) -> scipy.sparse.csr_array:
        """The matrix at these arguments, by one product for each color.

        Products are forward derivatives (jvp) or reverse ones (vjp) by JAX.
        """
        import numpy as np
        from scipy import sparse

        coloring, pattern = self.coloring, self.pattern
        if coloring.direction not in self._products:
            raise _native.Error("a module has no derivatives: give a function of JAX")
        if pattern.nnz == 0:
            return sparse.csr_array(self.shape, dtype=np.float32)
        products = self._products[coloring.direction](coloring.colors, coloring.count, *args)
        rows = np.repeat(np.arange(self.shape[0]), np.diff(pattern.indptr))
        one, other = rows, pattern.indices
        if coloring.direction == "jvp":
            one, other = other, one
        values = np.asarray(products)[coloring.colors[one], other]
        return sparse.csr_array((values, pattern.indices, pattern.indptr), self.shape)

    def svg(self) -> str:
        """A picture: entries, or the shares of entries in squares of a large matrix."""
        import numpy as np

        cells = 64
        pattern = self.pattern.tocoo()
        step = max(1, -(-max(self.shape) // cells))
        rows, columns = (-(-n // step) for n in self.shape)
        counts = np.zeros((rows, columns), np.int64)
        np.add.at(counts, (pattern.row // step, pattern.col // step), 1)
        size = 8
        text = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * size + 2}" '
            f'height="{rows * size + 2}" role="img">'
            f"<title>{self.shape[0]} x {self.shape[1]}, {pattern.nnz} entries</title>"
            f'<rect x="0.5" y="0.5" width="{columns * size + 1}" height="{rows * size + 1}" '
            'fill="white" stroke="#888"/>'
        ]
        for r, c in zip(*counts.nonzero()):
            share = max(counts[r, c] / step**2, 0.2)
            text.append(
                f'<rect x="{c * size + 1}" y="{r * size + 1}" width="{size}" height="{size}" '
                f'fill="#1f4e79" fill-opacity="{share:.3g}"/>'
            )
        return "\n".join([*text, "</svg>\n"])

    _repr_svg_ = svg


class _Leaves:
    """A function of JAX as one of the leaves that have derivatives, with the others."""

    def __init__(
        self,
        f: Callable[..., Any],
        args: tuple[Any, ...],
        argnums: Union[int, tuple[int, ...], None],
    ) -> None:
        if not callable(f):
            raise _native.Error(f"expected a function of JAX or a Module, got {type(f).__name__}")
        try:
            import jax
        except ImportError as e:
            raise _native.Error("functions of JAX need the package 'jax'") from e
        self._f = f
        asked = range(len(args)) if argnums is None else argnums
        asked = (asked,) if isinstance(asked, int) else asked
        for number in asked:
            if not 0 <= number < len(args):
                raise _native.Error(f"argnums {number}: there are {len(args)} arguments")
        shapes = jax.eval_shape(lambda *a: a, *args)
        self.leaves, self._tree = jax.tree.flatten(shapes)
        owners = [n for n, shape in enumerate(shapes) for _ in jax.tree.leaves(shape)]
        leaves = self.leaves
        self.numbers = [
            i for i, leaf in enumerate(leaves) if owners[i] in asked and self.moves(leaf)
        ]
        if not self.numbers:
            raise _native.Error("no argument has floating-point elements")
        self.columns = [tuple(leaves[i].shape) for i in self.numbers]

    @staticmethod
    def moves(leaf: Any) -> bool:
        import jax.numpy as jnp

        return bool(jnp.issubdtype(leaf.dtype, jnp.inexact))

    def split(self, args: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
        """The leaves that have derivatives, and all leaves."""
        import jax
        import jax.numpy as jnp

        leaves, tree = jax.tree.flatten(args)
        if tree != self._tree:
            raise _native.Error(f"expected arguments {self._tree}, got {tree}")
        leaves = [jnp.asarray(x, leaf.dtype) for x, leaf in zip(leaves, self.leaves)]
        for x, leaf in zip(leaves, self.leaves):
            if x.shape != leaf.shape:
                raise _native.Error(f"expected an argument of shape {leaf.shape}, got {x.shape}")
        return [leaves[i] for i in self.numbers], leaves

    def at(self, leaves: list[Any]) -> Callable[..., list[Any]]:
        """The results that have derivatives, of the arguments that have them."""
        import jax

        def call(*own: Any) -> list[Any]:
            all_leaves = list(leaves)
            for i, x in zip(self.numbers, own):
                all_leaves[i] = x
            results = jax.tree.leaves(self._f(*jax.tree.unflatten(self._tree, all_leaves)))
            return [y for y in map(jax.numpy.asarray, results) if self.moves(y)]

        return call


def _flatten(values: list[Any]) -> Any:
    import jax.numpy as jnp

    return jnp.concatenate([v.reshape(-1) for v in values]) if values else jnp.zeros(0)


def _unit_sums(shapes: list[Any], colors: Any, color: Any) -> Iterator[Any]:
    """Arrays that are one at elements of a color."""
    start = 0
    for leaf in shapes:
        size = math.prod(leaf.shape)
        own = colors[start : start + size] == color
        yield own.astype(leaf.dtype).reshape(leaf.shape)
        start += size


def _products(
    leaves: _Leaves, f: Callable[[list[Any]], Callable[..., list[Any]]], *directions: str
) -> dict[str, Callable[..., Any]]:
    """Products of derivatives of `f` at leaves with sums of unit vectors."""
    import jax

    @functools.partial(jax.jit, static_argnums=(0, 2))
    def run(direction: str, colors: Any, count: int, *args: Any) -> Any:
        own, everything = leaves.split(args)
        call = f(everything)
        if direction == "jvp":

            def product(color: Any) -> Any:
                units = tuple(_unit_sums(own, colors, color))
                return _flatten(jax.jvp(call, tuple(own), units)[1])
        else:
            results, back = jax.vjp(call, *own)

            def product(color: Any) -> Any:
                return _flatten(list(back(list(_unit_sums(results, colors, color)))))

        return jax.lax.map(product, jax.numpy.arange(count), batch_size=min(count, 32))

    return {direction: functools.partial(run, direction) for direction in directions}


def _of_module(module: Module, entry: str, hessian: Optional[int]) -> DerivativeSparsity:
    blocks, rows, columns, uses_finite = _native.sparsity(module._native, entry, hessian)
    return DerivativeSparsity(
        [SparsityBlock(*block) for block in blocks],
        [tuple(shape) for shape in rows],
        [tuple(shape) for shape in columns],
        "if finite" if uses_finite else "",
    )


def _inverses(maps: list[_native.IndexingMap]) -> list[_native.IndexingMap]:
    """The same entries, from columns to rows."""
    return [m.inverse() or _native.IndexingMap("unknown") for m in maps]


def _dense(rows: tuple[int, ...], columns: tuple[int, ...]) -> _native.IndexingMap:
    """From each row to all columns."""
    d, s = ([f"{x}{i}" for i in range(len(n))] for x, n in (("d", rows), ("s", columns)))
    ranges = ", ".join(f"{x} in [0, {n - 1}]" for x, n in zip(d + s, rows + columns))
    symbols = f"[{', '.join(s)}]" if s else ""
    text = f"({', '.join(d)}){symbols} -> ({', '.join(s)})"
    return _native.IndexingMap(f"{text}, domain: {ranges}" if ranges else text)


def _of_products(
    leaves: _Leaves, f: Callable[[list[Any]], Callable[..., list[Any]]], *directions: str
) -> DerivativeSparsity:
    """The dependence of products with a derivative on what it is multiplied by.

    They are by the first of the directions.
    """
    import jax

    forward = directions[0] == "jvp"

    def product(everything: list[Any], units: list[Any]) -> list[Any]:
        own = [everything[i] for i in leaves.numbers]
        if forward:
            return list(jax.jvp(f(everything), tuple(own), tuple(units))[1])
        return list(jax.vjp(f(everything), *own)[1](units))

    own = [leaves.leaves[i] for i in leaves.numbers]
    results = jax.eval_shape(lambda all_leaves, x: f(all_leaves)(*x), leaves.leaves, own)
    units = own if forward else results
    lowered = jax.jit(product, keep_unused=True).lower(leaves.leaves, units)
    pairs, uses_finite = _native.dependence(Module(lowered)._native, "main", True, None)
    blocks = []
    for i, row in enumerate(pairs):
        for j, (texts, exact) in enumerate(row[len(leaves.leaves) :]):
            maps = [_native.IndexingMap(text) for text in texts]
            if any(m.is_unknown for m in maps):
                shapes = results if forward else own, own if forward else results
                maps = [_dense(*(each[n].shape for each, n in zip(shapes, (i, j))))]
            if not forward:
                maps = _inverses(maps)
            reason = "" if exact else "an index is computed, or what an op reads is not known"
            blocks.append(SparsityBlock(*((i, j) if forward else (j, i)), maps, exact, reason))
    return DerivativeSparsity(
        sorted(blocks, key=lambda block: block[:2]),
        [tuple(leaf.shape) for leaf in results],
        leaves.columns,
        "if finite" if uses_finite else "",
        _products(leaves, f, *directions),
    )


def jacobian_sparsity(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    entry: str = "main",
    argnums: Union[int, tuple[int, ...], None] = None,
) -> DerivativeSparsity:
    """Which entries of the Jacobian of a function can be nonzero.

    `f` is a function of JAX, traced for `args` (arrays, or `jax.ShapeDtypeStruct`), or a
    `Module`, of which it is function `entry`. Derivatives are by all leaves of floating
    point, or those of the arguments `argnums`. JAX's rules hold for its functions, also
    custom ones; in a module each op has the derivatives of its mathematical function.
    """
    if isinstance(f, Module):
        return _of_module(_module_of(f, args), entry, None)
    leaves = _Leaves(f, args, argnums)
    try:
        return _of_products(leaves, leaves.at, "jvp", "vjp")
    except TypeError as e:
        # A function with a rule for reverse derivatives alone.
        if "custom_vjp" not in str(e):
            raise
        return _of_products(leaves, leaves.at, "vjp")


def hessian_sparsity(
    f: Union[Module, Callable[..., Any]],
    *args: Any,
    entry: str = "main",
    argnums: Union[int, tuple[int, ...], None] = None,
    result: int = 0,
) -> DerivativeSparsity:
    """Which entries of the Hessian of a function can be nonzero.

    As `jacobian_sparsity`; of the sum of all elements of one `result`.
    """
    if isinstance(f, Module):
        return _of_module(_module_of(f, args), entry, result)
    import jax

    leaves = _Leaves(f, args, argnums)
    numbers = tuple(range(len(leaves.numbers)))

    def gradient(everything: list[Any]) -> Callable[..., list[Any]]:
        call = leaves.at(everything)

        def total(*own: Any) -> Any:
            results = call(*own)
            if not 0 <= result < len(results):
                raise _native.Error(f"result {result}: there are {len(results)} with derivatives")
            return results[result].sum()

        return lambda *own: list(jax.grad(total, argnums=numbers)(*own))

    return _of_products(leaves, gradient, "jvp")
