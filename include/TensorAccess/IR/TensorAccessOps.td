//===- TensorAccessOps.td - Operations ---------------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops on access patterns (Glenside, Table 2). In the formulas a ∈ S is an
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

/// No effect on memory; and no fault at run time where all shapes are static
/// and no integers are divided (TensorAccess.h).
def SpeculatableIfStatic : NativeOpTrait<"SpeculatableIfStatic"> {
  let cppNamespace = "::mlir::tensoraccess";
}
def PureIfStatic : TraitList<[ConditionallySpeculatable, NoMemoryEffect,
                              SpeculatableIfStatic]>;

/// Type inference is the verifier: its error is the only one (TensorAccess.h).
def VerifiesInferredType : NativeOpTrait<"VerifiesInferredType"> {
  let cppNamespace = "::mlir::tensoraccess";
}

/// An op from access patterns to one access pattern whose type follows from
/// operands and attributes.
class TensorAccess_PatternOp<string mnemonic, list<Trait> traits = []>
    : TensorAccess_Op<mnemonic, traits # [PureIfStatic,
        VerifiesInferredType, InferTypeOpAdaptor]> {
  let results = (outs TensorAccess_AccessType:$result);
}

//===----------------------------------------------------------------------===//
// Into and out of access patterns
//===----------------------------------------------------------------------===//

def TensorAccess_AccessOp : TensorAccess_PatternOp<"access", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
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
  let hasFolder = 1;
}

def TensorAccess_ToTensorOp : TensorAccess_Op<"to_tensor", [PureIfStatic,
    VerifiesInferredType, InferTypeOpAdaptor, DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
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
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
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
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "every item of one pattern with every item of another";
  let description = [{
    `result[a ++ b | 0, c] = lhs[a | c]`, `result[a ++ b | 1, c] = rhs[b | c]`:
    the new leading compute dimension is the tuple axis of length 2.

    - C1: both element types are equal.
    - C2: both compute shapes are compatible: equal up to `?`, which is checked
      at run time.

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

def TensorAccess_PairOp : TensorAccess_PatternOp<"pair", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "each item of one pattern with the item of another there";
  let description = [{
    `result[a | 0, c] = lhs[a | c]`, `result[a | 1, c] = rhs[a | c]`: the access
    points stay, the new leading compute dimension is the tuple axis of length
    2. (`cart_prod` pairs every item with every other one.)

    - C1: both element types are equal.
    - C2: both access shapes are compatible: equal up to `?`.
    - C3: both compute shapes are compatible.

    A `?` beside a number becomes that number in the result; that they are equal
    is checked at run time.

    ```mlir
    %2 = tensoraccess.pair %0, %1
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32>
      -> !tensoraccess.access<3 | 2x5xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$lhs,
                       TensorAccess_AccessType:$rhs);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` qualified(type($lhs)) `,`
    qualified(type($rhs)) `->` qualified(type($result))
  }];
}

def TensorAccess_ConcatOp : TensorAccess_PatternOp<"concat", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "patterns one after another along a dimension";
  let description = [{
    With x = a ++ c, sizes n0, n1, … of the operands along `axis`, and
    `x - k` for x with k subtracted from x(axis): `result[x] = p0[x]` where
    x(axis) < n0, `p1[x - n0]` where n0 ≤ x(axis) < n0 + n1, and so on. The axis
    counts through access and compute dimensions; concatenation along the tuple
    axis makes longer tuples.

    - C1: there is at least one operand.
    - C2: all element types are equal.
    - C3: all operands have the same numbers of access and compute dimensions.
    - C4: 0 ≤ axis < rank.
    - C5: all other dimensions are compatible: equal up to `?`.
    - C6: the sum of the sizes along the axis fits in 63 bits.

    ```mlir
    %2 = tensoraccess.concat %0, %1 axis 1
       : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 2xf32>
      -> !tensoraccess.access<3 | 7xf32>
    ```
  }];
  let arguments = (ins Variadic<TensorAccess_AccessType>:$patterns,
                       I64Attr:$axis);
  let assemblyFormat = [{
    $patterns `axis` $axis attr-dict `:`
    qualified(type($patterns)) `->` qualified(type($result))
  }];
  let hasFolder = 1;
}

def TensorAccess_SliceOp : TensorAccess_PatternOp<"slice", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "a strided box of a pattern, also backwards";
  let description = [{
    With x = a ++ c: `result[x] = pattern[offsets + x·strides]`. Strides are 1
    where the attribute is absent. A negative stride walks backwards: reversing
    a dimension of size n is offset n-1, size n, stride -1.

    Where a place is outside, the dimension's policy in `oob` determines what the
    result holds: `forbid` (the default) rejects the program, `wrap`, `negative`
    and `clamp` name another element, `pad(value)` a constant. Under `pad` in
    several dimensions the first one that pads decides. This is the only op that
    reads outside a pattern: halos, and windows that hang over the edge, are
    windows of such a slice.

    - C1: offsets, sizes, strides and oob have one entry per dimension.
    - C2: no stride is 0.
    - C3: a size is ≥ 0, or -1 for a dynamic dimension: as many places as there
      are, to the dimension's end (its beginning for a negative stride).
    - C4: the places `offset` and `offset + (size-1)·stride` are ones that the
      policy allows: inside [0, n) under `forbid`, inside [-n, n) under
      `negative`; no place of an empty dimension under `wrap` and `clamp`. For a
      dynamic dimension this is checked at run time.
    - C5: a size of -1 has a meaning under `forbid` and `negative` only.
    - C6: the value of `pad` is a float for floats, and an integer of the
      element type's bits for integers.

    ```mlir
    // Every second column, the rows upside down.
    %1 = tensoraccess.slice %0 offsets = [2, 0] sizes = [3, 4] strides = [-1, 2]
       : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 4xf32>
    // A halo of one: rows go round, columns end in zeros.
    %2 = tensoraccess.slice %0 offsets = [-1, -1] sizes = [5, 9]
       oob = [wrap, pad(0.0)]
       : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<5 | 9xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern,
                       DenseI64ArrayAttr:$offsets, DenseI64ArrayAttr:$sizes,
                       OptionalAttr<DenseI64ArrayAttr>:$strides,
                       OptionalAttr<TensorAccess_OutOfBoundsAttr>:$oob);
  let assemblyFormat = [{
    $pattern `offsets` `=` $offsets `sizes` `=` $sizes
    (`strides` `=` $strides^)? (`oob` `=` custom<Policies>($oob)^)? attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
  let builders = [
    // Strides of all ones are left out.
    OpBuilder<(ins "::mlir::Value":$pattern,
                   "::llvm::ArrayRef<int64_t>":$offsets,
                   "::llvm::ArrayRef<int64_t>":$sizes,
                   CArg<"::llvm::ArrayRef<int64_t>", "{}">:$strides)>,
    OpBuilder<(ins "::mlir::Value":$pattern,
                   "::mlir::DenseI64ArrayAttr":$offsets,
                   "::mlir::DenseI64ArrayAttr":$sizes,
                   "::mlir::DenseI64ArrayAttr":$strides), [{
      build($_builder, $_state, pattern, offsets, sizes, strides,
            OutOfBoundsAttr());
    }]>
  ];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The strides; all ones where the attribute is absent.
    ::llvm::SmallVector<int64_t> getStridesOrOnes();
    /// The policies; empty, which means forbid everywhere, where there are none.
    ::llvm::ArrayRef<OutOfBounds> getPolicies();
    /// The policy of a dimension.
    OutOfBounds getPolicy(int64_t dim);
  }];
}

def TensorAccess_BroadcastOp : TensorAccess_Op<"broadcast", [PureIfStatic,
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "repeats dimensions of size 1";
  let description = [{
    With x = a ++ c: `result[x] = pattern[y]` where y(i) = 0 if dimension i of
    the pattern has size 1, else x(i). With `insert_axis` this is any broadcast.

    - C1: both element types are equal.
    - C2: both types have the same numbers of access and compute dimensions.
    - C3: a dimension of size 1 gets any static size, 0 too; every other
      dimension keeps its size, `?` too.

    ```mlir
    %1 = tensoraccess.broadcast %0
       : !tensoraccess.access<1x5 | 7xf32> -> !tensoraccess.access<3x5 | 7xf32>
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

def TensorAccess_ShiftRightOp : TensorAccess_PatternOp<"shift_right", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "shifts dimensions right across the split";
  let description = [{
    `result[a | b ++ c] = pattern[a ++ b | c]`, where b are the last `by` access
    dimensions (1 where not given): they become the first compute dimensions;
    elements and dimensions stay in their order. Any other split is
    `access` of `to_tensor`, which moves nothing either.

    - C1: 0 ≤ by ≤ number of access dimensions.

    ```mlir
    %1 = tensoraccess.shift_right %0
       : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<3 | 5x7xf32>
    %2 = tensoraccess.shift_right %0 by 2
       : !tensoraccess.access<3x5 | 7xf32> -> !tensoraccess.access<| 3x5x7xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern,
                       DefaultValuedAttr<I64Attr, "1">:$by);
  let assemblyFormat = [{
    $pattern (`by` $by^)? attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
  let hasFolder = 1;
}

def TensorAccess_WindowsOp : TensorAccess_PatternOp<"windows", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
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
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
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
  let hasFolder = 1;
}

def TensorAccess_InsertAxisOp : TensorAccess_PatternOp<"insert_axis", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "inserts a dimension of size 1";
  let description = [{
    With x = a ++ c of the result: `result[x] = pattern[x without x(axis)]`.
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
  let hasFolder = 1;
}

def TensorAccess_FlattenOp : TensorAccess_PatternOp<"flatten", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
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

def TensorAccess_ReshapeOp : TensorAccess_Op<"reshape", [PureIfStatic,
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "reshapes access and compute dimensions, each side separately";
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
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "surrounds the dimensions with a constant";
  let description = [{
    With x = a ++ c and steps t = interior + 1: `result[low + y·t] = pattern[y]`
    for every y inside the pattern, and `value` everywhere else. Dimension i of
    size n ≥ 1 becomes `low + n + (n-1)·interior + high`, of size 0 `low + high`.
    `interior` is all zeros where the attribute is absent. Negative padding is
    `slice`.

    - C1: low, high and interior have one entry per dimension.
    - C2: every entry is ≥ 0.
    - C3: the value has the pattern's element type.
    - C4: the sizes fit in 63 bits.

    ```mlir
    %1 = tensoraccess.pad %0 low = [0, 1, 1] high = [0, 1, 2] value = 0.0 : f32
       : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 7x10xf32>
    // One zero between neighbours, as in a transposed convolution.
    %2 = tensoraccess.pad %0 low = [0, 0, 0] high = [0, 0, 0]
       interior = [0, 1, 0] value = 0.0 : f32
       : !tensoraccess.access<3 | 5x7xf32> -> !tensoraccess.access<3 | 9x7xf32>
    ```
  }];
  let arguments = (ins TensorAccess_AccessType:$pattern,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       TypedAttrInterface:$value,
                       OptionalAttr<DenseI64ArrayAttr>:$interior);
  let assemblyFormat = [{
    $pattern `low` `=` $low `high` `=` $high (`interior` `=` $interior^)?
    `value` `=` $value attr-dict `:`
    qualified(type($pattern)) `->` qualified(type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$pattern, "::llvm::ArrayRef<int64_t>":$low,
                   "::llvm::ArrayRef<int64_t>":$high,
                   "::mlir::TypedAttr":$value), [{
      build($_builder, $_state, pattern, $_builder.getDenseI64ArrayAttr(low),
            $_builder.getDenseI64ArrayAttr(high), value,
            ::mlir::DenseI64ArrayAttr());
    }]>
  ];
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The interior padding; all zeros where the attribute is absent.
    ::llvm::SmallVector<int64_t> getInteriorOrZeros();
  }];
}

def TensorAccess_MaterializeOp : TensorAccess_PatternOp<"materialize", [
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "materializes a view as a copy";
  let description = [{
    `result[a | c] = pattern[a | c]`, the identity on values; in memory, it is
    written out densely, access dimensions first, in row-major order. A view and
    its copy are different things: im2col is `materialize` of a flattened
    `windows`, and the copy can be costed.

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
  let hasFolder = 1;
}

// Arithmetic.
include "TensorAccess/IR/ComputeOps.td"
// The ops on layouts and indices.
include "TensorAccess/IR/LayoutOps.td"
include "TensorAccess/IR/ProjectOp.td"

#endif // TENSORACCESS_IR_OPS_TD
