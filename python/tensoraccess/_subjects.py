# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The public names by subject, as `help` and `python -m tensoraccess` show them."""

from __future__ import annotations

import re
import textwrap

_SUBJECTS = {
    "Indexing maps": "IndexingMap Variable Box Footprint Tile SymbolicTile count_union",
    "Modules": (
        "Module Function Diagnostic Error Executable ArrayType KernelRun Page from_onnx"
        " from_torch show_progress"
    ),
    "What ops read": (
        "explain ask Explanation OpIndexing RuntimeSource Fusion FusedValue AccessForm"
        " AccessPiece ZeroRegion"
        " MemoryAccess OperandRead Coalescing BankConflicts Equivalence"
    ),
    "What a function depends on": (
        "prove Proof dependence FunctionDependence PairDependence"
    ),
    "Which derivatives can be nonzero": (
        "jacobian_sparsity hessian_sparsity DerivativeSparsity SparsityBlock Coloring"
    ),
    "Only what is wanted": (
        "restrict Restricted patch Patched update Updated stream Stream"
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


def first_sentence(value: object, name: str) -> str:
    text = value.__doc__ or ""
    # Native functions begin with their signature.
    paragraphs = [
        p for p in text.split("\n\n") if not p.lstrip().startswith(f"{name}(")
    ]
    line = " ".join(paragraphs[0].split()) if paragraphs else ""
    return re.split(r"(?<!\.\.)(?<=\.) ", line, maxsplit=1)[0]


def grouped() -> str:
    """A paragraph for each subject."""
    return "\n\n".join(
        f"{subject}:\n" + textwrap.fill(names, 76, initial_indent="    ",
                                        subsequent_indent="    ")
        for subject, names in _SUBJECTS.items()
    )
