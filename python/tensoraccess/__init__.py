# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How data is accessed, as a first-class, checkable object in MLIR.

    import tensoraccess as ta

    m = ta.IndexingMap("(d0) -> (d0 floordiv 4), domain: d0 in [0, 9]")
    mod = ta.Module("model.mlir").run("tensoraccess-raise")

Errors are `ta.Error`, a ValueError with the diagnostic's text.
"""

from ._executable import ArrayType, Executable
from ._module import Function, Module
from ._native import (
    AccessForm,
    AccessPiece,
    Box,
    Coalescing,
    Diagnostic,
    Error,
    FusedValue,
    Fusion,
    Footprint,
    IndexingMap,
    Layout,
    MemoryAccess,
    OperandRead,
    OpIndexing,
    Projection,
    ReshapeStep,
    RuntimeSource,
    SymbolicTile,
    Tile,
    Variable,
    ZeroRegion,
    bandwidth_utilization,
    count_union,
    reshape_decomposition,
)

__all__ = [
    "AccessForm",
    "AccessPiece",
    "ArrayType",
    "Box",
    "Coalescing",
    "Diagnostic",
    "Error",
    "Executable",
    "Footprint",
    "Function",
    "FusedValue",
    "Fusion",
    "IndexingMap",
    "Layout",
    "MemoryAccess",
    "Module",
    "OperandRead",
    "OpIndexing",
    "Projection",
    "ReshapeStep",
    "RuntimeSource",
    "SymbolicTile",
    "Tile",
    "Variable",
    "ZeroRegion",
    "bandwidth_utilization",
    "count_union",
    "reshape_decomposition",
]
