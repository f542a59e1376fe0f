# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Costs of ops that are functions of Python."""

from __future__ import annotations

from typing import Callable, Optional, Union

from . import _native

OpCost = Callable[[_native.BlockWork], Union[float, _native.BlockCost, None]]

# Where the native module finds the functions of `register_op_cost`.
_functions: dict[str, OpCost] = {}


def register_op_cost(op: str, cost: OpCost, summary: str = "") -> None:
    """Says what blocks of an op cost, until `unregister_op_cost`.

    `cost` gets a `ta.BlockWork` and gives seconds, a `ta.BlockCost`, or None to leave
    it to the model. Planners ask it instead of their model. An Error where the op has
    such a function.
    """
    if not callable(cost):
        raise _native.Error(f"a cost is a function, got {cost!r}")
    _native.register_op_cost(op, summary)
    _functions[op] = cost


def unregister_op_cost(op: str) -> None:
    """Removes an op's function again."""
    _native.unregister_op_cost(op)
    _functions.pop(op, None)


def op_costs() -> dict[str, str]:
    """The ops that have costs of their own, and what each is."""
    return dict(_native.op_costs())
