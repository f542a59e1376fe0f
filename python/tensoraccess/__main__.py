# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be done, listed: `python -m tensoraccess`; and a model on a page:
`python -m tensoraccess explore MODEL`."""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
from collections.abc import Sequence
from typing import Optional

import tensoraccess

from ._subjects import _SUBJECTS, first_sentence

_TOOLS = {
    "tensoraccess-opt": "runs passes on a file",
    "tensoraccess-run": "runs a function of a file on tensors",
    "tensoraccess-translate": "imports and exports: Glenside, pictures, …",
    "tensoraccess-ask": "answers one question about a program, a layout or a map",
    "tensoraccess-explain": "explains what a compiler made of a program",
    "tensoraccess-explore": "writes a page that shows a model",
    "tensoraccess-calibrate": "measures what ops and messages take on this machine",
    "tensoraccess-reduce": "makes a program smaller that shows a fault",
    "tensoraccess-lsp-server": "answers editors: completion, diagnostics, definitions",
}


def _find_tool(name: str) -> Optional[str]:
    """In the build tree or the prefix that holds this package, or on the path."""
    parents = pathlib.Path(__file__).resolve().parents
    for folder in (parents[2], *parents[4:5]):
        if os.access(folder / "bin" / name, os.X_OK):
            return str(folder / "bin" / name)
    return shutil.which(name)


def _overview() -> str:
    lines = [f"tensoraccess {tensoraccess.__version__}"]
    for subject, names in _SUBJECTS.items():
        lines += ["", f"{subject}:"]
        lines += [f"  {name:22} {first_sentence(getattr(tensoraccess, name), name)}" for name in names.split()]
    tools = {name: _find_tool(name) for name in _TOOLS}
    lines += ["", "Tools:"]
    lines += [f"  {path}: {_TOOLS[name]}" for name, path in tools.items() if path]
    if not any(tools.values()):
        lines.append("  none beside the package or on the path")
    lines += ["", "python -m tensoraccess explore MODEL writes a page that shows a model."]
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        lines = [
            line[: width - 1] + "…" if len(line) > width else line for line in lines
        ]
    return "\n".join(lines)


def _explore(model: str, output: Optional[str], passes: str) -> None:
    source = pathlib.Path(model)
    page = tensoraccess.Module(source).explore(passes=passes, title=source.stem)
    print(page.save(output or source.stem + ".html"))


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tensoraccess",
        description="Without a command: lists what the package and its tools can do.",
    )
    commands = parser.add_subparsers(dest="command")
    explore = commands.add_parser("explore", help="write a page that shows a model")
    explore.add_argument("model", metavar="MODEL", help="MLIR text or bytecode")
    explore.add_argument(
        "-o", dest="output", metavar="PAGE", help="default: MODEL's name, .html, here"
    )
    explore.add_argument(
        "--passes", default="", help="a pipeline; the page shows what each pass makes"
    )
    given = parser.parse_args(arguments)
    if given.command is None:
        try:
            print(_overview(), flush=True)
        except BrokenPipeError:
            # As of `| head`; what is left would be written when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    try:
        _explore(given.model, given.output, given.passes)
    except (tensoraccess.Error, OSError) as e:
        print(f"error: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
