//===- LayoutOps.td - Layouts of elements ------------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops on tiled layouts and on indices. In formulas
// L(x) is the number in memory of the element at index x in layout L; a tensor
// without an encoding has the row-major layout. Included by TensorAccessOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_LAYOUTOPS_TD
#define TENSORACCESS_IR_LAYOUTOPS_TD

//===----------------------------------------------------------------------===//
// On tensors
//===----------------------------------------------------------------------===//

def TensorAccess_RelayoutOp : TensorAccess_Op<"relayout", [PureIfStatic,
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "the same tensor, its elements in another order in memory";
  let description = [{
    `result = convert(reshape(transpose(source)))`, in this order:

    1. dimension i of the transposed tensor is dimension permutation[i] of the
       source (the identity if there is none);
    2. its elements in row-major order are those of the result's shape;
    3. elements become the result's type: between floats by rounding to nearest
       even, between integers by sign extension or truncation.

    Otherwise it only changes where the bytes are in memory: source and result
    may have any layouts. Padding of the result holds zeros.

    - C1: permutation is a permutation of 0 … rank-1 of the source.
    - C2: source and result have equally many elements.
    - C3: sizes that are not known follow: the transposed shape and the result's
      are equal up to `?`, or the result has at most one `?`.
    - C4: element types are equal, both floats, or both integers (not index).
    - C5: encodings are layouts, strided or linear.

    What `?` leaves open of C2 is checked at run time.

    ```mlir
    %1 = tensoraccess.relayout %0 permutation = [1, 0]
       : tensor<3x5xf32> to tensor<5x3xbf16, #tensoraccess.layout<{1,0:T(2,2)}>>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source,
                       OptionalAttr<DenseI64ArrayAttr>:$permutation);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source (`permutation` `=` $permutation^)? attr-dict `:`
    type($source) `to` type($result)
  }];
  let extraClassDeclaration = [{
    /// The permutation; 0, 1, … where the op has none.
    ::llvm::SmallVector<int64_t> getPermutationOrIdentity();
    /// The shape between steps 1 and 2.
    ::llvm::SmallVector<int64_t> getTransposedShape();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TensorAccess_BitcastOp : TensorAccess_Op<"bitcast", [PureIfStatic,
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "the same memory with another shape, layout or element type";
  let description = [{
    With layouts S of the source and R of the result: `result[x] =
    bits(source[y])` where `S(y) = R(x)`. Nothing moves.

    - C1: encodings are layouts (neither strided nor linear).
    - C2: element types have equally many bits, and so do stored elements (`E`);
      index and complex become only themselves.
    - C3: both are in the same memory space (`S`).
    - C4: both take equally many elements of memory, padding and tail counted.
    - C5: for every x there is a y: no element of the result is on padding.
    - C6: where a size is dynamic, both shapes are equal up to `?` and the
      layouts are equal, or neither layout has tiles, a tail or another order
      than row-major, and C3 of `relayout` holds.

    ```mlir
    %1 = tensoraccess.bitcast %0
       : tensor<16x256xf32, #tensoraccess.layout<{1,0:T(8,128)}>>
      to tensor<2x2x8x128xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// On indices
//===----------------------------------------------------------------------===//

def TensorAccess_LinearizeOp : TensorAccess_Op<"linearize", [Pure,
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "the number in memory of an element";
  let description = [{
    `result = L(indices)` for the layout L of the given sizes. That the index
    is inside the shape is not checked: elsewhere the result is unspecified
    (the interpreter reports it).

    - C1: there is one index per dimension of the layout.
    - C2: there is one size per dimension of the layout.
    - C3: sizes are ≥ 0.
    - C4: where all sizes are static, the tiled shape has at most 2^63 - 1
      elements.
    - C5: of a strided or a linear layout, it is an encoding of a tensor of these
      sizes (see there).

    ```mlir
    // 3x5 in tiles of 2x2: (2, 3) is 17.
    %n = tensoraccess.linearize %i, %j
         in #tensoraccess.layout<{1,0:T(2,2)}> of [3, 5]
    %m = tensoraccess.linearize %i, %j
         in #tensoraccess.strided<Sw<3,3,3> o (8,64):(64,1)> of [8, 64]
    ```
  }];
  let arguments = (ins Variadic<Index>:$indices, Variadic<Index>:$sizes,
                       TensorAccess_AnyLayoutAttr:$layout,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    $indices `in` $layout `of`
    custom<DynamicIndexList>($sizes, $static_sizes) attr-dict
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      return ::mlir::getMixedValues(getStaticSizes(), getSizes(),
                                    getContext());
    }
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TensorAccess_DelinearizeOp : TensorAccess_Op<"delinearize", [Pure,
    InferTypeOpAdaptor, DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "the element that has a number in memory";
  let description = [{
    The index x with `L(x) = linear` for the layout L of the given sizes, and
    valid = true. If there is none (padding, the tail, outside of memory)
    valid is false and every index is 0.

    - C1: there is one size per dimension of the layout.
    - C2: sizes are ≥ 0.
    - C3: where all sizes are static, the tiled shape has at most 2^63 - 1
      elements.
    - C4: of a strided or a linear layout, it is an encoding of a tensor of these
      sizes (see there).

    ```mlir
    // 3x5 in tiles of 2x2: 17 is (2, 3); 18 is padding.
    %i, %j, %valid = tensoraccess.delinearize %n
         in #tensoraccess.layout<{1,0:T(2,2)}> of [3, %m]
    ```
  }];
  let arguments = (ins Index:$linear, Variadic<Index>:$sizes,
                       TensorAccess_AnyLayoutAttr:$layout,
                       DenseI64ArrayAttr:$static_sizes);
  let results = (outs Variadic<Index>:$indices, I1:$valid);
  let assemblyFormat = [{
    $linear `in` $layout `of`
    custom<DynamicIndexList>($sizes, $static_sizes) attr-dict
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes() {
      return ::mlir::getMixedValues(getStaticSizes(), getSizes(),
                                    getContext());
    }
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TensorAccess_ApplyIndexingOp : TensorAccess_Op<"apply_indexing", [Pure,
    AttrSizedOperandSegments, InferTypeOpAdaptor,
    DeclareOpInterfaceMethods<IndexingOpInterface, ["inferNest"]>]> {
  let summary = "the results of an indexing map at a point";
  let description = [{
    `results = map(dims)[symbols]{runtime}`. That the point is in the map's
    domain is not checked: elsewhere the results are unspecified (the
    interpreter reports it).

    - C1: the map is not unknown.
    - C2: there is one operand per dim, symbol and runtime variable of the map.

    ```mlir
    %r:2 = tensoraccess.apply_indexing
      #tensoraccess.indexing_map<(d0)[s0] -> (d0 + s0, d0 floordiv 4),
        domain: d0 in [0, 9], s0 in [0, 2]>(%i)[%j]
    ```
  }];
  let arguments = (ins TensorAccess_IndexingMapAttr:$map,
                       Variadic<Index>:$dims, Variadic<Index>:$symbols,
                       Variadic<Index>:$runtime);
  let results = (outs Variadic<Index>:$results);
  let assemblyFormat = [{
    qualified($map) `` custom<MapOperands>(ref($map), $dims, $symbols, $runtime)
    attr-dict
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

#endif // TENSORACCESS_IR_LAYOUTOPS_TD
