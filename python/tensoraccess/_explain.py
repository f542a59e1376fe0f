# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compiler made of a program."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Optional, Sequence, Union

from . import _native
from ._arguments import _integer
from ._module import Module, Source
from ._page import Page


class Explanation:
    """What the steps of a compiled program read, write and repeat.

    `totals` are counts of the whole program, `sections` the rows of each section by its
    key, costliest first: 'places', 'fusions', 'edges', 'copies', 'padding', 'slices' and
    'collectives'; of a difference 'fusions', 'steps' and 'layouts'. A row has the 'name'
    and 'kind' of its step, 'source' and 'op_name' where the dump has them, and counts:
    a number if exact, else a dict of what is known, 'at_least' and 'at_most'.
    `summaries` are sentences by section. `str` gives tables.
    """

    __slots__ = ("_module", "_native", "_rows", "program", "totals", "sections", "summaries", "json")

    def __init__(self, native: _native.NativeExplanation, module: Optional[Module],
                 rows: int = 10) -> None:
        self._native = native
        self._module = module
        self._rows = rows
        self.json: str = native.json()
        data = json.loads(self.json)
        self.program: str = data["program"]
        self.totals: dict[str, Any] = data["totals"]
        self.sections: dict[str, list[dict[str, Any]]] = {
            section["key"]: section["rows"] for section in data["sections"]
        }
        self.summaries: dict[str, str] = {
            section["key"]: section.get("summary", "") for section in data["sections"]
        }

    def text(self, rows: int = 10) -> str:
        """Tables of at most `rows` rows each."""
        return self._native.text(rows)

    def page(self) -> Page:
        """The explorer's page of the dump, which opens with this. An Error for a
        difference."""
        if self._module is None:
            raise _native.Error("a page shows one dump, and a difference has two")
        return self._module.explore(title=self.program)

    def __str__(self) -> str:
        return self.text(self._rows)

    def __repr__(self) -> str:
        return f"<Explanation of {self.program}>"

    def _repr_html_(self) -> Optional[str]:
        return self.page()._repr_html_() if self._module else None


def _load(source: Any) -> Module:
    if isinstance(source, Module):
        return source
    # A program that is not compiled yet says how it is made.
    if hasattr(source, "as_text") and not hasattr(source, "get_asm"):
        if not type(source).__module__.startswith("jax."):
            source = source.as_text()
    return Module(source, layouts=True)


def ask(question: str, about: Union[Source, _native.Layout, _native.StridedLayout,
                                    _native.LinearLayout, _native.IndexingMap], *,
        op: str = "", element: Optional[Sequence[int]] = None,
        tile: Optional[Sequence[int]] = None, rows: int = 10) -> Explanation:
    """One question, answered by a table, costliest first.

    `question` is 'reads', 'reached', 'fuse', 'inside', 'padding', 'coalesced', 'tiles',
    'layouts', 'work', 'masked', 'shards' or 'all'; of a layout 'padding', 'layouts' or
    'all', of a linear one 'reached', too; of a map 'reads', 'reached', 'tiles' or 'all'.
    `about` is a layout of any kind, an IndexingMap, the text of one, or what `explain`
    takes; `op` names the ops of a program that it is about, an instruction or value, or
    a kind of op; of 'reads' also a whole function, "@main". An Error for another question,
    and where there is no such op. `str` of the answer has at most `rows` rows.
    With `element`, 'layouts' says where that one is, or all that hold it; with `tile`,
    sizes, 'tiles' says in numbers what the tile at offset 0 reads.
    """
    rows = _integer("rows", rows)
    if rows < 0:
        raise _native.Error(f"rows must not be negative, got {rows}")
    if isinstance(about, str) and "\n" not in about and not os.path.exists(about):
        # As on the command line.
        text = about.strip()
        if text.startswith("#") or text.startswith("{") and "=" in text:
            about = _native.LinearLayout(text)
        elif re.match(r"Sw<|\d+:|\((?!.*->)", text):
            about = _native.StridedLayout(text)
        elif text.startswith("("):
            about = _native.IndexingMap(about)
        elif re.fullmatch(r"\s*\w*\[[0-9,]*\]\{.*\}\s*", about):
            about = _native.Layout(about)
    if isinstance(about, (_native.Layout, _native.StridedLayout, _native.LinearLayout,
                          _native.IndexingMap)):
        if op:
            raise _native.Error("op is for programs")
        of_map = isinstance(about, _native.IndexingMap)
        if of_map and element is not None:
            raise _native.Error("element is for layouts")
        if not of_map and tile is not None:
            raise _native.Error("tile is for programs and maps")
        return Explanation(_native.ask(about, question, tile if of_map else element), None,
                           rows)
    if element is not None:
        raise _native.Error("element is for layouts")
    module = _load(about)
    return Explanation(_native.ask(module._native, question, op, tile), module, rows)


def explain(dump: Source, other: Optional[Source] = None) -> Explanation:
    """What a compiler made of a program: bytes and operations of its steps, fusions and
    what is not fused, copies, padding, work that is never read, collectives.

    `dump` is what `Module` takes, in particular HLO text before or after optimisation,
    a path, what JAX lowered or compiled, or anything with `as_text()`. With `other`, a
    later dump of the same program, to show the differences. An Error where the program
    has no entry.
    """
    module = _load(dump)
    if other is None:
        return Explanation(_native.explain(module._native, None), module)
    return Explanation(_native.explain(module._native, _load(other)._native), None)
