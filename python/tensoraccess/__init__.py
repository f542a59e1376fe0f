# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data access as a first-class, checkable object in MLIR.

    import tensoraccess as ta

    m = ta.IndexingMap("(d0) -> (d0 floordiv 4), domain: d0 in [0, 9]")
    mod = ta.Module("model.mlir").run("tensoraccess-raise")

    a, b = ta.input((3, 5)), ta.input((5, 7))
    product = a.access(1).cart_prod(b.access(1).transpose([1, 0]))
    matmul = product.compute("dot_prod")

Errors are `ta.Error`, a ValueError with the diagnostic's text.
"""

from . import _interrupt  # Calls are wrapped before there are any.
from . import _calls, _values
from . import _display, _repr, _subjects
from ._access import (
    Access as Access,
    Tensor as Tensor,
    Value as Value,
    accelerator as accelerator,
    accelerator_call as accelerator_call,
    accelerators as accelerators,
    access as access,
    concat as concat,
    from_numpy as from_numpy,
    input as input,
    program as program,
    remove_accelerator as remove_accelerator,
)
from ._contracts import (
    FunctionDependence as FunctionDependence,
    PairDependence as PairDependence,
    Proof as Proof,
    dependence as dependence,
    prove as prove,
)
from ._derivatives import (
    Coloring as Coloring,
    DerivativeSparsity as DerivativeSparsity,
    SparsityBlock as SparsityBlock,
    hessian_sparsity as hessian_sparsity,
    jacobian_sparsity as jacobian_sparsity,
)
from ._egraph import (
    EClass as EClass,
    EGraph as EGraph,
    ENode as ENode,
    Extraction as Extraction,
    RuleCount as RuleCount,
    Saturation as Saturation,
    costs as costs,
    register_cost as register_cost,
    rule_sets as rule_sets,
)
from ._cost import (
    op_costs as op_costs,
    register_op_cost as register_op_cost,
    unregister_op_cost as unregister_op_cost,
)
from ._equivalence import Equivalence as Equivalence
from ._executable import (
    ArrayType as ArrayType,
    Executable as Executable,
    KernelRun as KernelRun,
)
from ._explain import Explanation as Explanation, ask as ask, explain as explain
from ._import import from_onnx as from_onnx, from_torch as from_torch
from ._jax import (
    Compiled as Compiled,
    JitFunction as JitFunction,
    Lowered as Lowered,
    jit as jit,
)
from ._layout import relayout as relayout
from ._module import Function as Function, Module as Module
from ._page import Page as Page
from ._native import (
    AccessForm as AccessForm,
    AccessPiece as AccessPiece,
    AnchoredProjection as AnchoredProjection,
    BankConflicts as BankConflicts,
    BankedAccess as BankedAccess,
    BankedExchange as BankedExchange,
    BlockAxis as BlockAxis,
    BlockCost as BlockCost,
    BlockFootprints as BlockFootprints,
    BlockGrowth as BlockGrowth,
    BlockSpace as BlockSpace,
    BlockSplit as BlockSplit,
    BlockValue as BlockValue,
    BlockWork as BlockWork,
    Box as Box,
    Coalescing as Coalescing,
    CostTerm as CostTerm,
    Coherence as Coherence,
    CollectiveCost as CollectiveCost,
    CostModel as CostModel,
    Diagnostic as Diagnostic,
    DigitMap as DigitMap,
    Distribution as Distribution,
    Error as Error,
    ExactCover as ExactCover,
    Exchange as Exchange,
    ExchangeMessage as ExchangeMessage,
    ExchangeTraffic as ExchangeTraffic,
    FusedValue as FusedValue,
    Fusion as Fusion,
    Footprint as Footprint,
    Grid as Grid,
    GrowthCost as GrowthCost,
    Halo as Halo,
    IndexingMap as IndexingMap,
    Layout as Layout,
    LayoutRecipe as LayoutRecipe,
    LayoutWaste as LayoutWaste,
    LinearLayout as LinearLayout,
    MatrixUnit as MatrixUnit,
    MemoryAccess as MemoryAccess,
    MemoryRuns as MemoryRuns,
    MemorySpace as MemorySpace,
    MessageCost as MessageCost,
    OperandRead as OperandRead,
    OpIndexing as OpIndexing,
    OutOfBoundsRegion as OutOfBoundsRegion,
    PackParameters as PackParameters,
    Projection as Projection,
    ProjectionFootprint as ProjectionFootprint,
    RecipeStep as RecipeStep,
    ReshapeStep as ReshapeStep,
    RowLattice as RowLattice,
    RunDescriptor as RunDescriptor,
    RunDescriptors as RunDescriptors,
    RuntimeSource as RuntimeSource,
    StridedForm as StridedForm,
    StridedLayout as StridedLayout,
    Swizzle as Swizzle,
    SizeDifference as SizeDifference,
    SizeExpr as SizeExpr,
    SymbolicTile as SymbolicTile,
    Target as Target,
    Tile as Tile,
    Variable as Variable,
    ZeroRegion as ZeroRegion,
    bandwidth_utilization as bandwidth_utilization,
    count_bank_cycles as count_bank_cycles,
    count_union as count_union,
    exact_cover as exact_cover,
    interpreted_ops as interpreted_ops,
    plan_exchange as plan_exchange,
    reshape_decomposition as reshape_decomposition,
)
from ._plan import (
    Plan as Plan,
    PlannedExchange as PlannedExchange,
    PlannedOp as PlannedOp,
    PlanTable as PlanTable,
    ShardedRun as ShardedRun,
)
from ._progress import show_progress as show_progress
from ._restrict import (
    Patched as Patched,
    Restricted as Restricted,
    Stream as Stream,
    Updated as Updated,
    patch as patch,
    restrict as restrict,
    stream as stream,
    update as update,
)
from ._version import __version__ as __version__

__all__ = [name for name in globals() if not name.startswith("_")]
_display.show_in_notebooks(globals()[name] for name in __all__)
_repr.show_in_terminals(globals()[name] for name in __all__)
# For help(tensoraccess); `python -m tensoraccess` has a sentence for each.
__doc__ = f"{__doc__}\n{_subjects.grouped()}\n"
