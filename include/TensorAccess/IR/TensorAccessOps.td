//===- TensorAccessOps.td - Operations ---------------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops on access patterns (seed 002, Table 2). In the formulas a ∈ S is an
// access point, c ∈ C a compute point, and X[a | c] the element there; `++`
// joins shapes. Constraints carry labels C1…Cn, which the verifiers' comments
// and the tests' names repeat.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_OPS_TD
#define TENSORACCESS_IR_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "TensorAccess/IR/TensorAccessAttrs.td"
include "TensorAccess/IR/TensorAccessTypes.td"
include "TensorAccess/Interfaces/IndexingOpInterface.td"

/// An op from access patterns to one access pattern whose type follows from
/// operands and attributes.
class TensorAccess_PatternOp<string mnemonic, list<Trait> traits = []>
    : TensorAccess_Op<mnemonic, traits # [Pure,
        InferTypeOpAdaptor]> {
  let results = (outs TensorAccess_AccessType:$result);
}

//===----------------------------------------------------------------------===//
// Into and out of access patterns
//===----------------------------------------------------------------------===//

def TensorAccess_AccessOp : TensorAccess_PatternOp<"access", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "views a tensor as an access pattern, split at an axis";
  let description = [{
    `result[i0, …, i(axis-1) | i(axis), …] = tensor[i0, i1, …]`.

    - C1: 0 ≤ axis ≤ rank of the tensor.

    ```mlir
    %0 = tensoraccess.access %activations at 1
       : tensor<1x30x28x3xf32> -> !tensoraccess.access<1 | 30x28x3xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$tensor, I64Attr:$axis);
  let assemblyFormat = [{
    $tensor `at` $axis attr-dict `:` type($tensor) `->` qualified(type($result))
  }];
}

def TensorAccess_ToTensorOp : TensorAccess_Op<"to_tensor", [Pure,
    InferTypeOpAdaptor, DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "the tensor that an access pattern describes";
  let description = [{
    `result[a ++ c] = pattern[a | c]`. The inverse of `access`: the axis is
    forgotten, the dimensions stay.

    ```mlir
    %1 = tensoraccess.to_tensor %0
       : !tensoraccess.access<1x28 | 26x8xf32> -> tensor<1x28x26x8xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $pattern attr-dict `:` qualified(type($pattern)) `->` type($result)
  }];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Movement: views
//===----------------------------------------------------------------------===//

def TensorAccess_TransposeOp : TensorAccess_PatternOp<"transpose", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "permutes the dimensions, access and compute together";
  let description = [{
    With x = a ++ c: `result[x(perm[0]), x(perm[1]), …] = pattern[x]`, that is,
    dimension i of the result is dimension perm[i] of the operand. The number
    of access dimensions stays, so a dimension may cross the split.

    - C1: perm is a permutation of 0 … rank-1.

    ```mlir
    // Columns instead of rows: ((N), (O)) becomes ((O), (N)).
    %1 = tensoraccess.transpose %0 perm = [1, 0]
       : !tensoraccess.access<5 | 7xf32> -> !tensoraccess.access<7 | 5xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern,
                       DenseI64ArrayAttr:$perm);
  let assemblyFormat = [{
    $pattern `perm` `=` $perm attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
  let hasFolder = 1;
}

def TensorAccess_CartProdOp : TensorAccess_PatternOp<"cart_prod", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "every item of one pattern with every item of another";
  let description = [{
    `result[a ++ b | 0, c] = lhs[a | c]`, `result[a ++ b | 1, c] = rhs[b | c]`:
    the new leading compute dimension is the tuple axis of length 2.

    - C1: both element types are equal.
    - C2: both compute shapes are equal.

    ```mlir
    %2 = tensoraccess.cart_prod %0, %1
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<7 | 5xf32>
      -> !tensoraccess.access<3x7 | 2x5xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$lhs,
                       TensorAccess_AccessType:$rhs);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,`
    qualified(type($rhs)) `->` qualified(type($result))
  }];
}

def TensorAccess_WindowsOp : TensorAccess_PatternOp<"windows", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "slides a window over the compute dimensions";
  let description = [{
    `result[a ++ w | k] = pattern[a | w·strides + k·dilations]`: one new access
    dimension for each compute dimension, as many as there are places for the
    window; `shape` becomes the compute shape. Place count of a dimension of
    size n: `(n - (shape - 1)·dilation - 1) floordiv stride + 1`.

    - C1: shape, strides and dilations have one entry per compute dimension.
    - C2: every entry is ≥ 1.
    - C3: the dilated window `(shape - 1)·dilation + 1` is at most the dimension.

    ```mlir
    %1 = tensoraccess.windows %0 shape = [3, 3, 5] strides = [2, 1, 1]
       : !tensoraccess.access<1 | 9x8x5xf32>
      -> !tensoraccess.access<1x4x6x1 | 3x3x5xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern,
                       DenseI64ArrayAttr:$shape,
                       DenseI64ArrayAttr:$strides,
                       OptionalAttr<DenseI64ArrayAttr>:$dilations);
  let assemblyFormat = [{
    $pattern `shape` `=` $shape `strides` `=` $strides
    (`dilations` `=` $dilations^)? attr-dict
    `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    /// The dilations; all ones where the attribute is absent.
    ::llvm::SmallVector<int64_t> getDilationsOrOnes();
  }];
}

def TensorAccess_SqueezeOp : TensorAccess_PatternOp<"squeeze", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "removes a dimension of size 1";
  let description = [{
    With x = a ++ c: `result[x without x(axis)] = pattern[x]`. The axis counts
    through access and compute dimensions.

    - C1: 0 ≤ axis < rank.
    - C2: the dimension is statically 1.

    ```mlir
    %1 = tensoraccess.squeeze %0 axis 1
       : !tensoraccess.access<3x1x5 | 7xf32> -> !tensoraccess.access<3x5 | 7xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern, I64Attr:$axis);
  let assemblyFormat = [{
    $pattern `axis` $axis attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
}

def TensorAccess_InsertAxisOp : TensorAccess_PatternOp<"insert_axis", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "inserts a dimension of size 1";
  let description = [{
    The inverse of `squeeze`: the new dimension is number `axis` of the result.
    It is an access dimension where `axis` is at most the number of access
    dimensions of the operand, else a compute dimension.

    - C1: 0 ≤ axis ≤ rank.

    ```mlir
    %1 = tensoraccess.insert_axis %0 axis 1
       : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<3x1x5 | 7xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern, I64Attr:$axis);
  let assemblyFormat = [{
    $pattern `axis` $axis attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
}

def TensorAccess_FlattenOp : TensorAccess_PatternOp<"flatten", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "flattens access and compute dimensions, each to one";
  let description = [{
    `result[linear(a) | linear(c)] = pattern[a | c]` with row-major `linear`.
    An empty side stays empty.

    ```mlir
    %1 = tensoraccess.flatten %0
       : !tensoraccess.access<4x6 | 3x5xf32> -> !tensoraccess.access<24 | 15xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern);
  let assemblyFormat = [{
    $pattern attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
  let hasFolder = 1;
}

def TensorAccess_ReshapeOp : TensorAccess_Op<"reshape", [Pure,
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "reshapes access and compute dimensions, each side for itself";
  let description = [{
    `result[a' | c'] = pattern[a | c]` where a' and a have the same row-major
    number in their shapes, and so have c' and c. Elements never cross the
    split.

    - C1: both element types are equal.
    - C2: both access shapes have the same number of elements.
    - C3: both compute shapes have the same number of elements.

    A side with `?` must keep its shape, unless exactly one dimension on either
    side of the op is dynamic; then equality is the program's promise.

    ```mlir
    %1 = tensoraccess.reshape %0
       : !tensoraccess.access<24 | 15xf32> -> !tensoraccess.access<4x6 | 3x5xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern);
  let results = (outs TensorAccess_AccessType:$result);
  let assemblyFormat = [{
    $pattern attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TensorAccess_PadOp : TensorAccess_PatternOp<"pad", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "surrounds the dimensions with a constant";
  let description = [{
    With x = a ++ c: `result[x] = pattern[x - low]` where that is inside the
    pattern, else `value`. Dimension i grows by `low[i] + high[i]`.

    - C1: low and high have one entry per dimension.
    - C2: every entry is ≥ 0.
    - C3: the value has the pattern's element type.

    ```mlir
    %1 = tensoraccess.pad %0 low = [0, 1, 1] high = [0, 1, 2] value = 0.0 : f32
       : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       TypedAttrInterface:$value);
  let assemblyFormat = [{
    $pattern `low` `=` $low `high` `=` $high `value` `=` $value attr-dict
    `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
}

def TensorAccess_MaterializeOp : TensorAccess_PatternOp<"materialize", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "realises a view as a copy of its own";
  let description = [{
    The identity on values; in memory, the pattern is written out densely,
    access dimensions first, in row-major order. A view and its copy are
    different things: im2col is `materialize` of a flattened `windows`, and the
    copy can be costed.

    ```mlir
    %1 = tensoraccess.materialize %0
       : !tensoraccess.access<24 | 45xf32> -> !tensoraccess.access<24 | 45xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern);
  let assemblyFormat = [{
    $pattern attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

def TensorAccess_ComputeOp : TensorAccess_PatternOp<"compute", [
    DeclareOpInterfaceMethods<IndexingOpInterface>]> {
  let summary = "applies an operator to the item at each access point";
  let description = [{
    | kind | item → item | meaning |
    |---|---|---|
    | `dot_prod` | t ++ s → () | Σ over s of the product over the tuple t |
    | `reduce_sum` | any → () | sum of all elements, from 0 |
    | `reduce_max` | any → () | greatest element |
    | `elementwise_add` | t ++ s → s | sum over the tuple |
    | `elementwise_mul` | t ++ s → s | product over the tuple |
    | `relu` | s → s | max(x, 0), NaN stays NaN |

    Sums run in row-major order of the item. Element type of the result: that
    of the pattern.

    - C1: the kinds over a tuple need at least one compute dimension, the tuple
      axis.
    - C2: `reduce_max` needs a non-empty item.

    ```mlir
    %3 = tensoraccess.compute dot_prod %2
       : !tensoraccess.access<3x7 | 2x5xf32> -> !tensoraccess.access<3x7 | f32>
    ```
  }];
  let arguments = (ins TensorAccess_ComputeKindAttr:$kind,
                       TensorAccess_AccessType:$pattern);
  let assemblyFormat = [{
    custom<ComputeKind>($kind) $pattern attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
}

#endif // TENSORACCESS_IR_OPS_TD
