# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The progress of a call that takes longer than a second: a bar of tqdm's."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, Optional

from . import _native

_wanted: Optional[bool] = None


def show_progress(wanted: Optional[bool] = None) -> None:
    """Says whether calls that take longer than a second show a bar.

    None, the default, shows one in a terminal and in a notebook, if the package tqdm is
    there and TQDM_DISABLE is not set. True always shows one; an Error without tqdm.
    """
    global _wanted
    if wanted:
        try:
            import tqdm  # noqa: F401
        except ImportError as e:
            raise _native.Error("progress is shown by the package 'tqdm', which "
                                "is not installed") from e  # fmt: skip
    _wanted = wanted
    _native.show_progress(None if wanted is False else _Bars())


def _is_notebook() -> bool:
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in shell.config


def _is_looked_at() -> bool:
    if _wanted is not None:
        return _wanted
    if os.environ.get("TQDM_DISABLE", "") not in ("", "0"):
        return False
    return _is_notebook() or sys.stderr is not None and sys.stderr.isatty()


class _Bars:
    """The bar of the call that the main thread waits for, as the native module
    calls it: with what is done, or with nothing at the end."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._of: Any = None
        self._is_broken = False

    def __call__(self, name: str = "", unit: str = "", done: int = 0,
                 total: int = 0) -> None:  # fmt: skip
        # What can't be shown, as where stderr is closed, does not end the computation.
        if not self._is_broken:
            try:
                self._show(name, unit, done, total)
            except Exception:
                self._is_broken = True

    def _show(self, name: str, unit: str, done: int, total: int) -> None:
        # Another thing is counted, or another time.
        if self._bar is not None and (
            (name, unit, total) != self._of or done < self._bar.n
        ):
            self._bar.close()
            self._bar = None
        if not unit or not _is_looked_at():
            return
        if self._bar is None:
            try:
                with warnings.catch_warnings():
                    # In a notebook without ipywidgets it is a line of text.
                    warnings.simplefilter("ignore")
                    from tqdm.auto import tqdm
            except ImportError:
                return
            self._of = (name, unit, total)
            self._bar = tqdm(desc=name, total=total, initial=done,
                             unit=" " + unit, leave=False)
        self._bar.update(done - self._bar.n)


show_progress()
