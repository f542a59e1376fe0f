# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Python writes shorter: `m(1, 2)` and `layout[2, 3]`."""

from __future__ import annotations

from typing import Any

from . import _calls  # Methods are wrapped before they get other names.
from ._native import DigitMap, IndexingMap, Layout, Projection

assert _calls

for _kind in (DigitMap, IndexingMap, Projection):
    # The same function, so that its documentation is.
    setattr(_kind, "__call__", vars(_kind)["evaluate"])


def _get_item(self: Layout, index: Any) -> Any:
    """The number in memory of the element at an index, as `linearize`."""
    return self.linearize(index)


setattr(Layout, "__getitem__", _get_item)
# Not a sequence of anything.
setattr(Layout, "__iter__", None)
