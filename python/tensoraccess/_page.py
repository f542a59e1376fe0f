# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages that show a module."""

from __future__ import annotations

import html
import os
import pathlib
import tempfile
import webbrowser
from typing import Optional, Union


Path = Union[str, "os.PathLike[str]"]


def _open(text: str, suffix: str, path: Optional[Path]) -> None:
    if path is None:
        path = os.path.join(tempfile.mkdtemp(prefix="tensoraccess-"), "picture" + suffix)
    target = pathlib.Path(path)
    target.write_text(text, encoding="utf-8")
    if not webbrowser.open(target.resolve().as_uri()):
        print(f"no browser opens here; see {target}")


def show_svg(picture: str, path: Optional[Path] = None) -> None:
    """Opens an SVG document in a browser, from a temporary file or `path`."""
    _open(picture, ".svg", path)


class Shown:
    """What has a picture, `svg()`."""

    __slots__ = ()

    def show(self, path: Optional[Path] = None) -> None:
        """Opens the picture in a browser, from a temporary file or `path`."""
        show_svg(self.svg(), path)  # type: ignore[attr-defined]


class Page:
    """A document of one file, which needs no network.

    Notebooks show it in a frame; `save` writes it, `show` opens a browser.
    """

    def __init__(self, text: str, title: str) -> None:
        self.html: str = text
        self.title: str = title

    def save(self, path: Path) -> pathlib.Path:
        """Writes the document, UTF-8, and gives its path."""
        target = pathlib.Path(path)
        target.write_text(self.html, encoding="utf-8")
        return target

    def show(self, path: Optional[Path] = None) -> None:
        """Opens it in a browser, from a temporary file or `path`."""
        _open(self.html, ".html", path)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html, quote=True)}" '
                f'title="{html.escape(self.title, quote=True)}" '
                'style="width: 100%; height: 620px; border: 1px solid #d1d5db"></iframe>')

    def __repr__(self) -> str:
        return f"<Page {self.title!r}: {len(self.html) // 1024} KiB>"
