# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be done, listed: `python -m tensoraccess`; and a model on a page:
`python -m tensoraccess explore MODEL`."""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shutil
import sys
from collections.abc import Sequence
from typing import Optional

import tensoraccess

_SUBJECTS = {
    "Indexing maps": "IndexingMap Variable Box Footprint Tile SymbolicTile count_union",
    "Modules": (
        "Module Function Diagnostic Error Executable ArrayType KernelRun Page from_onnx"
        " from_torch show_progress"
    ),
    "What ops read": (
        "explain ask Explanation OpIndexing RuntimeSource Fusion FusedValue AccessForm AccessPiece ZeroRegion"
        " MemoryAccess OperandRead Coalescing BankConflicts Equivalence"
    ),
    "Layouts": (
        "Layout relayout DigitMap MemoryRuns RunDescriptor RunDescriptors LayoutWaste"
        " SizeExpr SizeDifference LayoutRecipe RecipeStep ReshapeStep PackParameters"
        " StridedForm reshape_decomposition Target MatrixUnit MemorySpace"
        " bandwidth_utilization"
    ),
    "Strided and linear layouts": (
        "StridedLayout Swizzle LinearLayout BankedAccess BankedExchange plan_exchange"
        " count_bank_cycles"
    ),
    "Projections": (
        "Projection AnchoredProjection ProjectionFootprint RowLattice GrowthCost"
        " BlockSplit Coherence OutOfBoundsRegion Halo ExactCover exact_cover"
    ),
    "Blocks of ops and their costs": (
        "BlockSpace BlockAxis BlockValue BlockFootprints BlockGrowth BlockWork BlockCost"
        " CostModel MessageCost CollectiveCost op_costs register_op_cost"
        " unregister_op_cost"
    ),
    "Access programs": (
        "input from_numpy access concat program Value Tensor Access accelerator"
        " accelerator_call accelerators remove_accelerator interpreted_ops"
    ),
    "E-graphs": (
        "Saturation EGraph EClass ENode Extraction RuleCount CostTerm costs"
        " register_cost rule_sets"
    ),
    "Shards": (
        "Grid Distribution Exchange ExchangeMessage ExchangeTraffic Plan PlannedOp"
        " PlannedExchange PlanTable ShardedRun"
    ),
    "JAX": "jit JitFunction Lowered Compiled",
}

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


def _first_sentence(name: str) -> str:
    text = getattr(tensoraccess, name).__doc__ or ""
    # Native functions begin with their signature.
    paragraphs = [
        p for p in text.split("\n\n") if not p.lstrip().startswith(f"{name}(")
    ]
    line = " ".join(paragraphs[0].split()) if paragraphs else ""
    return re.split(r"(?<!\.\.)(?<=\.) ", line, maxsplit=1)[0]


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
        lines += [f"  {name:22} {_first_sentence(name)}" for name in names.split()]
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
        print(_overview())
        return 0
    try:
        _explore(given.model, given.output, given.passes)
    except (tensoraccess.Error, OSError) as e:
        print(f"error: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
