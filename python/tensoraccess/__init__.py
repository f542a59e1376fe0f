# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How data is accessed, as a first-class, checkable object in MLIR.

    import tensoraccess as ta

    m = ta.IndexingMap("(d0) -> (d0 floordiv 4), domain: d0 in [0, 9]")
    mod = ta.Module("model.mlir").run("tensoraccess-raise")

    a, b = ta.input((3, 5)), ta.input((5, 7))
    product = a.access(1).cart_prod(b.access(1).transpose([1, 0]))
    matmul = product.compute("dot_prod")

Errors are `ta.Error`, a ValueError with the diagnostic's text.
"""

from ._access import (
    Access,
    Tensor,
    Value,
    accelerator,
    accelerator_call,
    accelerators,
    access,
    concat,
    from_numpy,
    input,
    program,
    remove_accelerator,
)
from ._equivalence import Equivalence
from ._executable import ArrayType, Executable
from ._layout import relayout
from ._module import Function, Module
from ._native import (
    AccessForm,
    AccessPiece,
    BankConflicts,
    Box,
    Coalescing,
    Diagnostic,
    DigitMap,
    Error,
    FusedValue,
    Fusion,
    Footprint,
    IndexingMap,
    Layout,
    LayoutRecipe,
    LayoutWaste,
    MatrixUnit,
    MemoryAccess,
    MemoryRuns,
    MemorySpace,
    OperandRead,
    OpIndexing,
    PackParameters,
    Projection,
    RecipeStep,
    ReshapeStep,
    RunDescriptor,
    RunDescriptors,
    RuntimeSource,
    StridedForm,
    SizeDifference,
    SizeExpr,
    SymbolicTile,
    Target,
    Tile,
    Variable,
    ZeroRegion,
    bandwidth_utilization,
    count_union,
    reshape_decomposition,
)

__all__ = [
    "Access",
    "AccessForm",
    "AccessPiece",
    "ArrayType",
    "BankConflicts",
    "Box",
    "Coalescing",
    "Diagnostic",
    "DigitMap",
    "Error",
    "Equivalence",
    "Executable",
    "Footprint",
    "Function",
    "FusedValue",
    "Fusion",
    "IndexingMap",
    "Layout",
    "LayoutRecipe",
    "LayoutWaste",
    "MatrixUnit",
    "MemoryAccess",
    "MemoryRuns",
    "MemorySpace",
    "Module",
    "OperandRead",
    "OpIndexing",
    "PackParameters",
    "Projection",
    "RecipeStep",
    "ReshapeStep",
    "RunDescriptor",
    "RunDescriptors",
    "RuntimeSource",
    "StridedForm",
    "SizeDifference",
    "SizeExpr",
    "SymbolicTile",
    "Target",
    "Tensor",
    "Tile",
    "Value",
    "Variable",
    "ZeroRegion",
    "accelerator",
    "accelerator_call",
    "accelerators",
    "access",
    "bandwidth_utilization",
    "concat",
    "count_union",
    "from_numpy",
    "input",
    "program",
    "relayout",
    "remove_accelerator",
    "reshape_decomposition",
]
