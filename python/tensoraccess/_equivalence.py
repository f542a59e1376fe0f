# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether two functions agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional

from ._executable import _finish

if TYPE_CHECKING:
    import numpy


class Equivalence(NamedTuple):
    """What `Module.check_equivalence` found out.

    `verdict` is 'proved', 'proved-over-reals', 'tested', 'refuted' or 'unknown';
    `method` is 'forms', 'rules', 'elements', 'solver' or 'tests' (empty if unknown); `message` names the bound
    of tests, or why there is no proof. `inputs` counts inputs on which both ran
    and agreed, `failures` those on which both failed.

    Refuted: `counterexample` holds the inputs, one array each. Result number
    `result` differs at `index`, where the first function gives `expected` and
    the second `got`, as text; where its sizes differ `index` is None. Or only
    one function fails: `failing` is 1 or 2, and `failure` its message.
    """

    verdict: str
    method: str
    message: str
    inputs: int
    failures: int
    counterexample: Optional[list[numpy.ndarray]] = None
    result: Optional[int] = None
    index: Optional[tuple[int, ...]] = None  # type: ignore[assignment]
    expected: str = ""
    got: str = ""
    failing: int = 0
    failure: str = ""


if TYPE_CHECKING:
    # (arrays, result, index, expected, got, failing, failure).
    _Counterexample = tuple[
        list[tuple[str, numpy.ndarray]], Optional[int], Optional[list[int]],
        str, str, int, str,
    ]  # fmt: skip


def _equivalence(
    native: tuple[str, str, str, int, int, Optional[_Counterexample]],
) -> Equivalence:
    """The native module's answer as arrays and names."""
    verdict, method, message, inputs, failures, found = native
    if found is None:
        return Equivalence(verdict, method, message, inputs, failures)
    arrays, result, index, expected, got, failing, failure = found
    return Equivalence(
        verdict,
        method,
        message,
        inputs,
        failures,
        [_finish(*array) for array in arrays],
        result,
        None if index is None else tuple(index),
        expected,
        got,
        failing,
        failure,
    )
