# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Equality saturation: rules on a module, and the e-graph to look at."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, Sequence, Union

from . import _native
from ._arguments import _integer, _number, _text
from ._page import Shown

if TYPE_CHECKING:
    from ._module import Module

Cost = Union[str, Callable[[_native.CostTerm], float]]
Rules = Union[str, Sequence[str]]

_NO_NODE = 2**32 - 1


def rule_names(rules: Rules) -> list[str]:
    """One name, path or text, or several, as a list."""
    if not isinstance(rules, str) and not hasattr(rules, "__iter__"):
        raise _native.Error(f"rules must be names, paths or texts, got {rules!r}")
    return [rules] if isinstance(rules, str) else [str(rule) for rule in rules]


def _cost(x: Any) -> Cost:
    cost: Cost = x
    if not isinstance(x, str) and not callable(x):
        raise _native.Error(f"cost must be a name or a function, got {x!r}")
    return cost


# Where the native module finds the functions of `register_cost`.
_costs: dict[str, Callable[[_native.CostTerm], float]] = {}


def register_cost(
    name: str, cost: Callable[[_native.CostTerm], float], summary: str = ""
) -> None:
    """Gives a cost a name, for the rest of the process.

    Then pipelines know it, too: `mod.run("tensoraccess-saturate{cost=name}")`.
    An Error where the name is taken.
    """
    if not callable(cost):
        raise _native.Error(f"a cost is a function, got {cost!r}")
    _native.register_cost(name, summary)
    _costs[name] = cost


def costs() -> dict[str, str]:
    """The costs that have a name, and what each is."""
    return dict(_native.costs())


def rule_sets() -> dict[str, str]:
    """The sets of rules that come with the project, with a description of each."""
    return dict(_native.rule_sets())

#: Of all pictures.
_FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


class RuleCount(NamedTuple):
    """What became of a rule's matches.

    `applied` counts those that added or merged something, `bans` how often the
    scheduler left the rule out, `refused` the matches that were refused, the first
    one because of `refusal`.
    """

    name: str
    matches: int
    applied: int
    bans: int
    refused: int
    refusal: str


@dataclass(frozen=True)
class Saturation:
    """What `Module.saturate` made, and how.

    Costs are those of all functions, before and after; nothing costs less than
    `lower_bound`, `gap` is what is left to gain at most, of `cost_after`.
    `saturated` is False where a limit was reached, which `stop_reason` names.
    """

    module: Module
    stop_reason: str
    saturated: bool
    nodes: int
    classes: int
    iterations: int
    seconds: float
    replaced: int
    made: int
    cost_before: float
    cost_after: float
    lower_bound: float
    gap: float
    is_optimal: bool
    rules: list[RuleCount]
    faults: list[str] = field(default_factory=list)

    @property
    def matches(self) -> int:
        """Of all rules."""
        return sum(rule.matches for rule in self.rules)

    @property
    def refused(self) -> int:
        """Of all rules."""
        return sum(rule.refused for rule in self.rules)


@dataclass(frozen=True)
class ENode:
    """A node: an op over classes, which are numbers of `EGraph.classes`."""

    id: int
    op: str
    attributes: dict[str, str]
    operands: list[int]
    result_types: list[str]


@dataclass(frozen=True)
class EClass:
    """Nodes that are equal. What the function needs of the graph is a root."""

    id: int
    type: str
    is_root: bool
    nodes: list[ENode]


@dataclass(frozen=True)
class Extraction:
    """What was chosen of an e-graph: a module, and what it costs.

    `choice` has the node of each class that is needed. Nothing costs less than
    `lower_bound`, and `gap` is what is left to gain at most, of `cost`.
    """

    module: Module
    cost: float
    cost_before: float
    lower_bound: float
    gap: float
    is_optimal: bool
    choice: dict[int, int]
    faults: list[str]


def _options(
    rules: Rules,
    target: Any,
    scheduler: str,
    max_iterations: int,
    max_nodes: int,
    max_matches: int,
    max_bytes: int,
    max_seconds: float,
) -> tuple[list[str], str, str, int, int, int, int, float]:
    names = rule_names(rules)
    return (
        names,
        "" if target is None else str(target),
        _text("scheduler", scheduler),
        _integer("max_iterations", max_iterations),
        _integer("max_nodes", max_nodes),
        _integer("max_matches", max_matches),
        _integer("max_bytes", max_bytes),
        _number("max_seconds", max_seconds),
    )


def _saturation(module: Module, report: dict[str, Any]) -> Saturation:
    report["rules"] = [RuleCount(*rule) for rule in report["rules"]]
    return Saturation(module=module, **report)


class EGraph(Shown):
    """The e-graph of a function's first block, saturated; see `Module.egraph`.

    It stays as it is. In a notebook it is a picture, where Graphviz is there.
    """

    __slots__ = ("_native", "_wrap", "_classes", "stop_reason", "saturated",
                 "iterations", "rules")

    def __init__(
        self,
        native: _native.NativeEGraph,
        wrap: Callable[[_native.NativeModule], Module],
    ) -> None:
        self._native = native
        self._wrap = wrap
        self._classes: Optional[list[EClass]] = None
        report = native.report()
        self.stop_reason: str = report["stop_reason"]
        self.saturated: bool = report["saturated"]
        self.iterations: int = report["iterations"]
        self.rules: list[RuleCount] = [RuleCount(*rule) for rule in report["rules"]]

    @property
    def classes(self) -> list[EClass]:
        """All classes; a class is at the place of its number."""
        if self._classes is None:
            classes = [
                EClass(i, type, is_root, [])
                for i, (type, is_root) in enumerate(self._native.classes())
            ]
            for i, node in enumerate(self._native.nodes()):
                owner, op, attributes, operands, types = node
                classes[owner].nodes.append(ENode(i, op, attributes, operands, types))
            self._classes = classes
        return self._classes

    @property
    def nodes(self) -> list[ENode]:
        """All nodes, by their numbers."""
        found = [node for known in self.classes for node in known.nodes]
        return sorted(found, key=lambda node: node.id)

    @property
    def roots(self) -> list[int]:
        """The classes that the function needs."""
        return [known.id for known in self.classes if known.is_root]

    def __repr__(self) -> str:
        classes = self.classes
        nodes = sum(len(known.nodes) for known in classes)
        return f"<EGraph of {nodes} nodes in {len(classes)} classes: {self.stop_reason}>"

    def to_dot(self, chosen: Optional[Extraction] = None) -> str:
        """A picture for Graphviz: a box for each class, thick for roots. The
        nodes of an extraction are filled."""
        if chosen is None:
            return self._native.to_dot([])
        if not isinstance(chosen, Extraction):
            raise _native.Error(f"chosen must be an Extraction, got {chosen!r}")
        choice = [chosen.choice.get(i, _NO_NODE) for i in range(len(self.classes))]
        return self._native.to_dot(choice)

    def to_json(self) -> str:
        """The JSON that tools for e-graphs exchange."""
        return self._native.to_json()

    def svg(self, chosen: Optional[Extraction] = None) -> str:
        """The picture of `to_dot` as SVG, which Graphviz's program `dot` makes."""
        program = shutil.which("dot")
        if program is None:
            raise _native.Error(
                "a picture is made by Graphviz's program 'dot', which is not on "
                "the path; to_dot() has its text"
            )
        done = subprocess.run(
            [program, "-Tsvg"],
            input=self.to_dot(chosen),
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        if done.returncode != 0:
            raise _native.Error(f"dot failed: {done.stderr.strip()}")
        drawn = done.stdout.replace("DejaVu Sans Mono", _FONTS)
        head, begin, rest = drawn.partition("<svg ")
        opened, end, body = rest.partition(">")
        return (f'{head}{begin}class="tensoraccess" {opened}{end}\n<style>\n'
                f"{_native.picture_style(body)}</style>{body}")

    to_svg = svg

    def _repr_svg_(self) -> Optional[str]:
        """For notebooks; None where there is no Graphviz."""
        return None if shutil.which("dot") is None else self.svg()

    def extract(
        self,
        cost: Cost = "node-count",
        *,
        method: str = "dag",
        seconds: float = 10,
    ) -> Extraction:
        """The program that costs least.

        `cost` is a name (`ta.costs()`), or a function of a `ta.CostTerm`, whose
        numbers are added up; infinity is never. `method` is 'tree', 'dag' (local
        search) or 'exact' (an integer program, for `seconds`).
        """
        found = self._native.extract(
            _cost(cost), _text("method", method), _number("seconds", seconds)
        )
        found["module"] = self._wrap(found["module"])
        found["choice"] = {
            cls: node
            for cls, node in enumerate(found["choice"])
            if node != _NO_NODE
        }
        return Extraction(**found)
