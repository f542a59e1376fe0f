//===- ProjectionPasses.td - Projections and chains of views *- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ways between `project` and the other movement ops.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_PROJECTIONPASSES_TD
#define TENSORACCESS_TRANSFORMS_PROJECTIONPASSES_TD

include "mlir/Pass/PassBase.td"

def FormProjections : Pass<"tensoraccess-form-projections"> {
  let summary = "writes chains of views as index projections";
  let description = [{
    What slices, windows, transposes, paddings, broadcasts and reshapes by
    dimensions of size 1 make of one base is one `project` of it, at every place
    where something else than a view uses the chain.

    ```mlir
    // Before
    %1 = tensoraccess.slice %0 offsets = [-1] sizes = [7] oob = [wrap]
       : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<| 7xf32>
    %2 = tensoraccess.windows %1 shape = [3] strides = [1]
       : !tensoraccess.access<| 7xf32> -> !tensoraccess.access<5 | 3xf32>
    // After
    %2 = tensoraccess.project %0
        by #tensoraccess.projection<[[1]] + [-1], shape = [3], oob = [wrap]>
        over [5]
       : !tensoraccess.access<| 5xf32> -> !tensoraccess.access<5 | 3xf32>
    ```

    Preserves results exactly. Chains that are no projection stay, with a missed
    remark `projections` that says why.
  }];
  let options = [
    Option<"itemsAsAxes", "items-as-axes", "bool", "false",
           "dimensions of items are axes of the block, regions are elements">
  ];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
  let statistics = [Statistic<"numFormed", "formed", "chains that became one">];
}

def ExpandProjections : Pass<"tensoraccess-expand-projections"> {
  let summary = "writes index projections as chains of views";
  let description = [{
    The other way round: a `project` becomes a slice with its policies, windows
    for the axes that move a dimension, a slice backwards for those that move it
    backwards, `insert_axis` and `broadcast` for those that move nothing, and a
    transpose that puts them in order.

    Preserves results exactly. A projection with an axis that moves two
    dimensions stays, with a missed remark `projections`: no windows are
    diagonal.
  }];
  let dependentDialects = ["::mlir::tensoraccess::TensorAccessDialect"];
  let statistics = [Statistic<"numExpanded", "expanded", "projections">];
}

#endif // TENSORACCESS_TRANSFORMS_PROJECTIONPASSES_TD
