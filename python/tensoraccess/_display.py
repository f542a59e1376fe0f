# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What notebooks show of values that have no picture: a table of what they know.

A class has the rows of its properties, whose documentation is the names'
tooltip; a list of values is a table with a row each. Tables are small, whatever
they are of.
"""

from __future__ import annotations

import html
from dataclasses import fields, is_dataclass
from typing import Any, Callable, Iterable, Sequence

from . import _native
from ._page import Shown
from ._plan import PlanTable

# Rows of a table, rows that are shown unfolded, and characters of a text, and of one
# in a table of values.
_ROWS, _OPEN, _TEXT, _CELL = 50, 12, 400, 100

# Colours are those around it, light or dark.
_STYLE = """<style>
.tensoraccess { overflow-x: auto }
.tensoraccess table { border-collapse: collapse; margin: 2px 0; font-size: inherit }
.tensoraccess td, .tensoraccess th { padding: 2px 10px 2px 0; text-align: left;
  vertical-align: top; border: 0; background: none; max-width: 60em }
.tensoraccess tr { border: 0; background: none !important }
.tensoraccess thead th, .tensoraccess tbody th { font-weight: normal; opacity: 0.65 }
.tensoraccess thead th { border-bottom: 1px solid rgba(128, 128, 128, 0.5) }
.tensoraccess td.number { text-align: right; font-variant-numeric: tabular-nums }
.tensoraccess code { background: none; color: inherit; padding: 0;
  white-space: pre-wrap; overflow-wrap: anywhere }
.tensoraccess td td code { white-space: pre }
</style>"""

# What has rows of its own, by class.
_Rows = list[tuple[str, str]]
_special: dict[type, Callable[[Any], _Rows]] = {}
# What a row of a table shows of a value, where that is not all.
_columns: dict[type, list[str]] = {
    _native.FusedValue: ["name", "type", "op", "elements", "reads", "multiplicity",
                         "utilization", "reason"],
    _native.BlockValue: ["role", "number", "name", "type", "projection", "reason"],
}  # fmt: skip
_shown: set[type] = set()


def _cut(text: str, most: int = _TEXT) -> str:
    return text if len(text) <= most else text[:most] + "…"


def _code(text: str, most: int = _TEXT) -> str:
    return f"<code>{html.escape(_cut(text, most))}</code>"


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, (list, tuple)) and type(value) not in _shown:
        items = [_plain(item) for item in value[:_ROWS]]
        more = ["…"] if len(value) > _ROWS else []
        return "[" + ", ".join(items + more) + "]"
    return repr(value) if isinstance(value, Shown) else str(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]], count: int) -> str:
    """Rows of values; folded where they are many."""
    body = []
    for i, row in enumerate(rows):
        if i == _ROWS:
            body.append(f'<tr><td colspan="{len(heads)}">… {count - i} more</td></tr>')
            break
        cells = (
            f'<td class="number">{_plain(value)}</td>' if _is_number(value)
            else f"<td>{_cell(value, nested=False)}</td>" for value in row
        )
        body.append(f"<tr>{''.join(cells)}</tr>")
    head = "".join(f"<th>{html.escape(name)}</th>" for name in heads)
    text = (f"<table><thead><tr>{head}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table>")
    if count <= _OPEN:
        return text
    return f"<details><summary>{count} rows</summary>{text}</details>"


def _fields(kind: type) -> list[str]:
    if issubclass(kind, tuple):
        return list(getattr(kind, "_fields"))
    if is_dataclass(kind):
        return [field.name for field in fields(kind)]
    names = [name for base in reversed(kind.__mro__)
             for name, member in vars(base).items()
             if isinstance(member, property) and not name.startswith("_")]
    return list(dict.fromkeys(names))


def _get(value: Any, name: str) -> Any:
    """A property, or why there is none."""
    try:
        return getattr(value, name)
    except _native.Error as e:
        return str(e)


def _is_empty(value: Any) -> bool:
    return value is None or isinstance(value, (str, list, tuple)) and not value


def _defines(kind: type, *names: str) -> bool:
    return any(name in vars(base) for base in kind.__mro__[:-1]
               if base not in (tuple, list) for name in names)  # fmt: skip


def _cell(value: Any, nested: bool = True) -> str:
    kind = type(value)
    if nested and kind in _shown and not _defines(kind, "__str__", "__repr__"):
        return _values([value], kind)
    if isinstance(value, (list, tuple)) and type(value) not in _shown:
        kinds = {type(item) for item in value[:_ROWS]}
        if nested and len(kinds) == 1 and kinds <= _shown and _native.Box not in kinds:
            return _values(value, kinds.pop())
    return _code(_plain(value), _TEXT if nested else _CELL)


def _values(values: Sequence[Any], kind: type) -> str:
    """A row each, without the empty columns."""
    if kind is _native.IndexingMap:
        return "<br>".join(_code(str(value)) for value in values[:_ROWS])
    names = _columns.get(kind) or _fields(kind)
    rows = [[_get(value, name) for name in names] for value in values[:_ROWS + 1]]
    kept = [i for i in range(len(names)) if not all(_is_empty(row[i]) for row in rows)]
    return _table([names[i].replace("_", " ") for i in kept],
                  ([row[i] for i in kept] for row in rows), len(values))


def _property_rows(value: Any) -> _Rows:
    defaults = getattr(value, "_field_defaults", {})
    rows = []
    for name in _fields(type(value)):
        found = _get(value, name)
        if name not in defaults or found != defaults[name]:
            rows.append((name, _cell(found)))
    return rows


def _map_rows(m: _native.IndexingMap) -> _Rows:
    if m.is_unknown:
        return [("unknown", _code(m.unknown_reason or ""))]
    parts: list[tuple[str, Sequence[object]]] = [
        ("dims", m.dims), ("symbols", m.symbols), ("runtime", m.runtime),
        ("constraints", m.constraints)]  # fmt: skip
    return [("map", _code(str(m).split(", domain: ")[0]))] + [
        (name, "<br>".join(map(_code, [*map(str, part[:_ROWS]), "…"][:len(part)])))
        for name, part in parts if part
    ]  # fmt: skip


def _projection_rows(p: _native.Projection) -> _Rows:
    axes = len(p.matrix[0]) if p.matrix else 0
    heads = ["dimension", *(f"axis {a}" for a in range(axes)), "offset", "shape"]
    columns: list[Sequence[Any]] = [p.offset, p.shape]
    for head, column in [("anchor", p.anchor), ("out of bounds", p.oob)]:
        if column:
            heads.append(head)
            columns.append(column)
    rows = ([i, *row, *(column[i] for column in columns)]
            for i, row in enumerate(p.matrix))
    return [("", _table(heads, rows, len(p.matrix)))]


def _indexing_rows(x: _native.OpIndexing) -> _Rows:
    rows = [("op", _code(x.name)), ("location", _code(x.location))]
    if x.reason:
        rows.append(("unknown", _code(x.reason)))
    for way, table, heads in [
        ("output to input", x.output_to_input, ["result", "operand", "map"]),
        ("input to output", x.input_to_output, ["operand", "result", "map"]),
    ]:
        maps = [(i, j, str(m)) for i, row in enumerate(table)
                for j, found in enumerate(row) for m in found]
        rows.append((way, _table(heads, maps, len(maps))))
    return rows


def _table_rows(table: PlanTable) -> _Rows:
    heads = list(table[0]) if table else []
    rows = (list(row.values()) for row in table)
    return [("", _table([h.replace("_", " ") for h in heads], rows, len(table)))]


_special[_native.IndexingMap] = _map_rows
_special[_native.Projection] = _projection_rows
_special[_native.OpIndexing] = _indexing_rows
_special[PlanTable] = _table_rows


def _says_itself(kind: type) -> bool:
    """Whether `str` says more than the names of what it is made of."""
    return kind not in _special and (_defines(kind, "__str__") or not _fields(kind))


def _repr_html_(self: Any) -> str:
    """For notebooks."""
    kind = type(self)
    while kind not in _shown:
        kind = kind.__mro__[1]
    body = []
    for name, cell in _special.get(kind, _property_rows)(self):
        doc = getattr(getattr(kind, name, None), "__doc__", None) or ""
        # nanobind's is the signature if there is none.
        said = doc and not doc.startswith("(self)")
        tip = f' title="{html.escape(_cut(doc), quote=True)}"' if said else ""
        head = f"<th{tip}>{html.escape(name.replace('_', ' '))}</th>" if name else ""
        body.append(f"<tr>{head}<td>{cell}</td></tr>")
    itself = " " + _code(str(self)) if _says_itself(kind) else ""
    return (f'{_STYLE}<div class="tensoraccess"><strong>{kind.__name__}</strong>'
            f"{itself}<table><tbody>{''.join(body)}</tbody></table></div>")


def show_in_notebooks(kinds: Iterable[object]) -> None:
    """Gives the classes that notebooks show nothing of a table."""
    _shown.update(
        kind for kind in kinds
        if isinstance(kind, type) and not issubclass(kind, Exception)
        and not hasattr(kind, "_repr_html_") and not hasattr(kind, "_repr_svg_")
    )  # fmt: skip
    for kind in _shown:
        setattr(kind, "_repr_html_", _repr_html_)
