# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a prompt shows of values: the answer that they hold.

A value with a text form shows that. Any other class of the native module shows
its properties, `LayoutWaste(elements=15, …)`, without those that are empty; and
some have a line that reads better, of the figures that are asked for most.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Sequence

from . import _native
from ._display import _defines, _fields, _get, _is_empty

# Characters of a property and of a line, entries of a list.
_PART, _LINE, _ENTRIES = 120, 400, 8


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        texts = [_text(item) for item in value[:_ENTRIES]]
        more = ["…"] if len(value) > _ENTRIES else []
        opening, closing = "()" if isinstance(value, tuple) else "[]"
        return opening + ", ".join(texts + more) + closing
    if isinstance(value, _native.IndexingMap):
        return str(value).split(", domain: ")[0]
    return repr(value)


def _properties(self: Any) -> str:
    kind = type(self)
    found = [(name, _get(self, name)) for name in _fields(kind)]
    parts = [
        f"{name}={_cut(_text(value), _PART)}"
        for name, value in found
        if value is False or not _is_empty(value)
    ]
    return _cut(f"{kind.__name__}({', '.join(parts)})", _LINE)


def _percent(part: float) -> str:
    return f"{100 * part:.3g} %"


def _coalescing(c: Any) -> str:
    return (f"{c.bytes_used} of {c.bytes_moved} bytes used ({_percent(c.utilization)}), "
            f"{c.accesses} accesses")  # fmt: skip


def _conflicts(b: Any) -> str:
    return f"{b.cycles} cycles, at least {b.minimum_cycles}, {b.accesses} accesses"


def _map(m: Any) -> str:
    return _cut(str(m).split(", domain: ")[0], _PART)


def _ways(table: Sequence[Sequence[Sequence[Any]]], ends: Sequence[str]) -> str:
    """`result 0 of operand 1: (d0) -> (d0)`, where there is one result without it."""
    parts = []
    for i, row in enumerate(table):
        for j, maps in enumerate(row):
            where = f"{ends[0]} {i} " if len(table) > 1 else ""
            parts.append(f"{where}{ends[1]} {j}: {' and '.join(map(_map, maps)) or 'nothing'}")
    return "; ".join(parts[:_ENTRIES] + ["…"] * (len(parts) > _ENTRIES))


def _op_indexing(x: Any) -> str:
    name = x.name if x.location == "unknown" else f"{x.name} at {x.location}"
    if x.reason:
        return f"of {name}, unknown: {x.reason}"
    says = _ways(x.output_to_input, ("result", "operand")) or "no operands"
    return f"of {name}: {_cut(says, _LINE)}"


def _operand_read(r: Any) -> str:
    says = r.reason if r.coalescing is None else _coalescing(r.coalescing)
    return f"of operand {r.operand} for result {r.result}, plan {r.plan}: {says}"


def _memory_access(a: Any) -> str:
    parts = [f"{a.name} at {a.location}: {_map(a.map)}"]
    if a.coalescing is not None:
        parts.append(_coalescing(a.coalescing))
    if a.bank_conflicts is not None:
        parts.append(_conflicts(a.bank_conflicts))
    return "; ".join([*parts, a.reason] if a.reason else parts)


def _some(values: Any) -> str:
    """The first of what an iterable has, without a walk over all."""
    texts: list[str] = []
    for value in values:
        if len(texts) == _ENTRIES:
            return ", ".join(texts) + ", …"
        texts.append(repr(value))
    return ", ".join(texts)


def _runs(runs: Any) -> str:
    count = len(runs)
    if count == 0:
        return "none"
    short, long = runs.min_length, runs.max_length
    lengths = f"{short}" if short == long else f"{short} to {long}"
    return f"{count} runs of {lengths} elements, {runs.elements} in all: {_some(runs)}"


def _digit_map(m: Any) -> str:
    return f"{m.source_shape} -> {m.target_shape}: {_map(m.indexing_map)}"


def _fusion(f: Any) -> str:
    def count(number: Any) -> str:
        return "unknown" if number is None else str(number)

    factor = "" if f.recompute_factor is None else f" ({f.recompute_factor:.4g} times)"
    reads = "; ".join(
        f"{v.name} {count(v.reads)} reads of {count(v.elements)} elements"
        for v in f.operands[:_ENTRIES]
    )
    return (f"of {len(f.ops)} ops of @{f.function}: {count(f.computed)} elements computed for "
            f"{count(f.needed)} needed{factor}; {reads}")  # fmt: skip


def _block_footprints(f: Any) -> str:
    def count(number: Any) -> str:
        return "unknown" if number is None else str(number)

    lo_hi = " x ".join(f"[{a}, {b})" for a, b in zip(f.block.lo, f.block.hi))
    return (f"of {f.space.op}, block {lo_hi}: {count(f.operations)} operations, "
            f"{count(f.bytes_in)} bytes in, {count(f.bytes_out)} bytes out")  # fmt: skip


def _block_space(s: Any) -> str:
    axes = ", ".join(
        f"{a.name} {'?' if a.extent is None else a.extent}{' summed' if a.summed else ''}"
        for a in s.axes
    )
    return f"of {s.op}: {axes}"


def _piece(p: Any) -> str:
    return f"{p.base or p.constant} at {_map(p.map)}"


# What a line says after the class's name.
_lines: dict[type, Callable[[Any], str]] = {
    _native.AccessPiece: _piece,
    _native.BlockFootprints: _block_footprints,
    _native.BlockSpace: _block_space,
    _native.DigitMap: _digit_map,
    _native.Fusion: _fusion,
    _native.MemoryAccess: _memory_access,
    _native.MemoryRuns: _runs,
    _native.OpIndexing: _op_indexing,
    _native.OperandRead: _operand_read,
    _native.RunDescriptors: lambda d: _some(d.parts),
}
# These say less than their properties do.
_listed = {_native.BlockGrowth, _native.BlockValue}


def _line(self: Any) -> str:
    kind = next(kind for kind in type(self).__mro__ if kind in _lines)
    return f"<{type(self).__name__} {_cut(_lines[kind](self), 2 * _LINE)}>"


def show_in_terminals(kinds: Iterable[object]) -> None:
    """Gives the native classes that say nothing of themselves a repr."""
    for kind in kinds:
        if not isinstance(kind, type) or kind.__module__ != _native.__name__:
            continue
        if kind in _lines:
            setattr(kind, "__repr__", _line)
        elif kind in _listed or not _defines(kind, "__repr__"):
            setattr(kind, "__repr__", _properties)
