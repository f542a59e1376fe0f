//===- ProjectOp.td - Projections as access patterns -------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The op that makes an access pattern of an index projection over a
// block. Included by TensorAccessOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_PROJECTOP_TD
#define TENSORACCESS_IR_PROJECTOP_TD

def TensorAccess_ProjectOp : TensorAccess_PatternOp<"project", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "the regions that the points of a block project to";
  let description = [{
    With i a point of the block, s an index of the region and M the projection's
    matrix: `result[a ++ (i - lower) | s] = pattern[a | M·i + offset + anchor + s]`.
    Rows are the pattern's compute dimensions, columns the block's axes, which
    become access dimensions; the region's shape is the new item. Places outside
    are resolved by the projection's policy for the dimension; where several
    dimensions pad, the first one decides. `windows` of a `slice` is the special
    case in which each row has its own column.

    The block is `[lower, upper)`; lower is all 0 where it is absent. An empty
    block is legal, and so is a matrix of zeros, a fixed view.

    - C1: lower and upper have one entry per column, lower ≤ upper.
    - C2: the projection has one row per compute dimension.
    - C3: compute dimensions are static.
    - C4: all places fit in 64 bits.
    - C5: the policies allow every place: inside [0, n) under `forbid`, inside
      [-n, n) under `negative`; none of an empty dimension under `wrap` and
      `clamp`.
    - C6: the value of `pad` is a float for floats, and an integer of the
      element type's bits for integers.

    ```mlir
    // A 3x3 window around each point; rows go round, columns end in zeros.
    %1 = tensoraccess.project %0
        by #tensoraccess.projection<[[1, 0], [0, 1]] + [0, 0],
             anchor = [-1, -1], shape = [3, 3], oob = [wrap, pad(0.0)]>
        over [5, 7]
       : !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<5x7 | 3x3xf32>
    // The diagonals of a matrix, from one corner on.
    %2 = tensoraccess.project %0
        by #tensoraccess.projection<[[1, 0], [1, 1]] + [0, 0], shape = [1, 1]>
        over [0, 1] to [3, 5]
       : !tensoraccess.access<| 5x7xf32> -> !tensoraccess.access<3x4 | 1x1xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern,
                       TensorAccess_ProjectionAttr:$projection,
                       OptionalAttr<DenseI64ArrayAttr>:$lower,
                       DenseI64ArrayAttr:$upper);
  let assemblyFormat = [{
    $pattern `by` qualified($projection) `over` custom<Block>($lower, $upper)
    attr-dict `:` qualified(type($pattern)) `->` qualified(type($result))
  }];
  let builders = [
    // A lower end of all zeros is left out.
    OpBuilder<(ins "::mlir::Value":$pattern,
                   "const ::mlir::tensoraccess::AnchoredProjection &":$projection,
                   "const ::mlir::tensoraccess::IndexRegion &":$block)>
  ];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The block that the projection is over.
    ::mlir::tensoraccess::IndexRegion getBlockRegion();
    /// The block's sizes.
    ::llvm::SmallVector<int64_t> getExtents();
  }];
}

#endif // TENSORACCESS_IR_PROJECTOP_TD
