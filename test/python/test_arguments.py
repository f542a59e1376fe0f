# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of the wrong type, and integers beyond 64 bits, inside of lists."""

import pytest

import tensoraccess as ta

MAP = ta.IndexingMap("(d0) -> (d0), domain: d0 in [0, 9]")


@pytest.mark.parametrize(
    "call",
    [
        lambda: MAP.restrict({"d0": (0, 2**70)}),
        lambda: MAP.restrict({"d0": (0, 1, 2)}),
        lambda: MAP.restrict({"d0": 5}),
        lambda: MAP.rename({"d0": 3}),
    ],
)
def test_is_an_error_of_ours(call):
    with pytest.raises((ta.Error, TypeError)):
        call()
