# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of shards: how a function is cut over ranks, and what that takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, Union

from . import _native
from ._arguments import _integer, _text
from ._page import Shown

if TYPE_CHECKING:
    import numpy

    from ._module import Module

GridLike = Union[str, int, _native.Grid]


class PlannedOp(NamedTuple):
    """An op of a planned function.

    `kind` is 'cut' (along `cut`, over its loops), 'needed' (each rank runs it on
    what its other ops need) or 'whole' (on every rank). Where a reduction is cut,
    `reduced` is how the sums are distributed. `seconds` are modelled, for the largest
    block; `exchange_seconds` for the messages that the op waits for, of which
    all ranks send `bytes_sent`. A rank holds at most `bytes_held` meanwhile.
    """

    name: str
    kind: str
    cut: str
    reduced: str
    seconds: float
    exchange_seconds: float
    bytes_sent: int
    bytes_held: int
    results: list[str]
    location: str


class PlannedExchange(Shown):
    """What is sent because of an op: of an operand that it needs, or, where
    `operand` is None, of the parts of a result that are summed.

    `source` is how the tensor is distributed before. `bytes` and `messages` are of
    all ranks, `seconds` modelled.
    """

    __slots__ = ("_native", "_number", "op", "operand", "result", "source", "shape",
                 "element_bytes", "bytes", "messages", "seconds")

    op: str
    operand: Optional[int]
    result: int
    source: str
    shape: list[int]
    element_bytes: int
    bytes: int
    messages: int
    seconds: float

    def __init__(
        self,
        native: _native.NativePlan,
        number: int,
        fields: tuple[str, Optional[int], int, str, list[int], int, int, int, float],
    ) -> None:
        self._native, self._number = native, number
        (self.op, self.operand, self.result, self.source, self.shape,
         self.element_bytes, self.bytes, self.messages, self.seconds) = fields

    @property
    def exchange(self) -> _native.Exchange:
        """The messages as boxes; an Error for more than a million."""
        return self._native.exchange_at(self._number)

    def svg(self) -> str:
        """A picture of which rank sends what to which."""
        return self._native.tensor_svg(
            self.op, self.operand, None if self.operand is not None else self.result,
            12, True
        )

    _repr_svg_ = svg

    def __repr__(self) -> str:
        what = (
            f"operand {self.operand}"
            if self.operand is not None
            else f"parts of result {self.result}"
        )
        return (
            f"<PlannedExchange {what} of {self.op}: {self.bytes} bytes, "
            f"{self.messages} messages>"
        )


class PlanTable(list[dict[str, Any]]):
    """Rows as dicts; `str` is a table for a terminal."""

    def __str__(self) -> str:
        if not self:
            return "(no rows)"
        heads = list(self[0])
        rows = [[_cell(row[head]) for head in heads] for row in self]
        widths = [max(map(len, column)) for column in zip(heads, *rows)]
        right = [isinstance(value, (int, float)) for value in self[0].values()]

        def line(cells: Sequence[str]) -> str:
            return "  ".join(
                cell.rjust(width) if r else cell.ljust(width)
                for cell, width, r in zip(cells, widths, right)
            ).rstrip()

        return "\n".join([line(heads), *map(line, rows)])


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3e}"
    return f"{value:,}" if isinstance(value, int) else str(value)


class ShardedRun(NamedTuple):
    """What running all ranks gave: the whole results, put together, and how many
    bytes and messages each rank sent (counted, not modelled)."""

    results: list[numpy.ndarray]
    bytes_sent: list[int]
    messages_sent: list[int]


class Plan(Shown):
    """How a function is cut over a grid of ranks; see `Module.plan_shards`.

    `module` is the module with the plan as attributes. `seconds` is what a run
    is modelled to take, `compute_seconds` of it computing and `exchange_seconds`
    waiting for messages. All ranks send `bytes_sent` in `messages`; none holds
    more than `memory_per_rank` bytes. The plan was found by `method` ('dp',
    'ilp' or 'descent') among `candidates` cuts of `groups` groups of ops
    (`left_out` were not weighed); no choice takes less than `bound` seconds, as
    far as is known, and `is_optimal` if this one is the best.
    """

    __slots__ = ("_native", "_again", "entry", "module", "grid", "method",
                 "is_optimal", "bound", "groups", "candidates", "left_out", "seconds",
                 "compute_seconds", "exchange_seconds", "bytes_sent", "messages",
                 "memory_per_rank")

    entry: str
    module: Module
    grid: _native.Grid
    method: str
    is_optimal: bool
    bound: float
    groups: int
    candidates: int
    left_out: int
    seconds: float
    compute_seconds: float
    exchange_seconds: float
    bytes_sent: int
    messages: int
    memory_per_rank: int

    def __init__(
        self,
        native: _native.NativePlan,
        entry: str,
        wrap: Callable[[_native.NativeModule], Module],
        again: Callable[[int], Plan],
    ) -> None:
        self._native = native
        self._again = again
        self.entry = entry
        self.module = wrap(native.module)
        for name, value in native.figures().items():
            setattr(self, name, value)

    @property
    def gap(self) -> float:
        """How much more time the plan takes than `bound`, as a share of it; 0
        where it is the best. Under a memory limit the bound has a price of
        memory in it, and the gap only counts if it is 0."""
        if self.is_optimal or not self.bound > 0:
            return 0.0
        return max(0.0, self.seconds / self.bound - 1)

    @property
    def ops(self) -> list[PlannedOp]:
        """The ops that do anything, in order. A name is as `linalg.generic#2`,
        the third of that name."""
        return [PlannedOp(*op) for op in self._native.ops()]

    @property
    def exchanges(self) -> list[PlannedExchange]:
        """What is sent, in order; without those that send nothing."""
        return [
            PlannedExchange(self._native, i, fields)
            for i, fields in enumerate(self._native.exchanges())
        ]

    def table(self, ranks: Optional[Sequence[int]] = None) -> PlanTable:
        """A row per op; or, with numbers of ranks, a row per plan for so many,
        made with the same options: 'ranks', 'seconds', 'exchange_seconds',
        'bytes_sent' by all, 'memory_per_rank'."""
        if ranks is None:
            return PlanTable(
                {
                    "op": op.name,
                    "cut": op.cut if op.kind == "cut" else op.kind,
                    "seconds": op.seconds,
                    "exchange_seconds": op.exchange_seconds,
                    "bytes_sent": op.bytes_sent,
                    "bytes_held": op.bytes_held,
                }
                for op in self.ops
            )
        rows = PlanTable()
        for number in ranks:
            plan = self._again(_integer("ranks", number))
            rows.append(
                {
                    "ranks": plan.grid.ranks,
                    "seconds": plan.seconds,
                    "exchange_seconds": plan.exchange_seconds,
                    "bytes_sent": plan.bytes_sent,
                    "memory_per_rank": plan.memory_per_rank,
                }
            )
        return rows

    def svg(self, *, rows: int = 120) -> str:
        """The plan on one page: op after op its cut, time, bytes and memory; of
        more than `rows` those that take longest."""
        return self._native.svg(_integer("rows", rows))

    def _repr_svg_(self) -> str:
        return self.svg()

    def shards_svg(
        self,
        op: str = "",
        *,
        operand: Optional[int] = None,
        result: Optional[int] = None,
        ranks: int = 12,
    ) -> str:
        """A picture of how a tensor is distributed over the ranks: an operand of an op, with
        what it needs of it, or a result. An op is named as in `ops`. Without
        names it is what the most bytes are sent for."""
        return self._tensor_svg(op, operand, result, ranks, False)

    def exchange_svg(
        self,
        op: str = "",
        *,
        operand: Optional[int] = None,
        result: Optional[int] = None,
        ranks: int = 12,
    ) -> str:
        """A picture of which rank sends what of a tensor to which; as `shards_svg`."""
        return self._tensor_svg(op, operand, result, ranks, True)

    def _tensor_svg(
        self,
        op: str,
        operand: Optional[int],
        result: Optional[int],
        ranks: int,
        exchange: bool,
    ) -> str:
        def number(name: str, x: Optional[int]) -> Optional[int]:
            if x is None:
                return None
            x = _integer(name, x)
            if not 0 <= x < 2**31:
                raise _native.Error(f"{name} must not be negative, got {x}")
            return x

        return self._native.tensor_svg(
            _text("op", op),
            number("operand", operand),
            number("result", result),
            _integer("ranks", ranks),
            exchange,
        )

    def shard(self, rank: Optional[int] = None) -> Module:
        """The programs of all ranks, or of one: `@main_0`, `@main_1`, …"""
        return self.module.shard(rank)

    def run(self, *arrays: Any) -> ShardedRun:
        """Runs all ranks on whole inputs, one at a time in the reference
        interpreter, without MPI."""
        return self.shard().run_sharded(*arrays, entry=self.entry)

    def __repr__(self) -> str:
        return (
            f"<Plan of @{self.entry} on {self.grid}: {self.seconds:.3e} s, "
            f"{self.bytes_sent} bytes sent, {self.memory_per_rank} bytes a rank>"
        )
