//===- TensorAccessAttrs.td - Attributes -------------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three notations, each a Core value in an attribute. They have no mnemonic
// and no assembly format here: Core reads and writes their text, for MLIR,
// Python and the tools alike (lib/IR/Types/TensorAccessAttrs.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_ATTRS_TD
#define TENSORACCESS_IR_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"
include "TensorAccess/IR/TensorAccessDialect.td"
include "TensorAccess/Interfaces/IndexSpaceInterfaces.td"
include "TensorAccess/IR/TensorAccessEnums.td"

/// An attribute around one value of Core.
class TensorAccess_ValueAttr<string name, string cppValue, string keyword,
                             list<Trait> traits = []>
    : AttrDef<TensorAccess_Dialect, name, traits> {
  let attrName = "tensoraccess." # keyword;
  let parameters = (ins
    AttrOrTypeParameter<cppValue, "the value", "const " # cppValue # " &">
      :$value);
  let genVerifyDecl = 1;
}

def TensorAccess_IndexingMapAttr : TensorAccess_ValueAttr<"IndexingMap",
    "::mlir::tensoraccess::IndexingMap", "indexing_map"> {
  let summary = "which elements of a tensor an index touches";
  let description = [{
    A map from the index of one tensor to indices of another, as in XLA: dims
    `d` are given, symbols `s` run over their ranges, runtime variables `rt` are
    unknown numbers. All intervals are inclusive; a constraint keeps the points
    where a form is in an interval.

    ```mlir
    // Row d0 of the result reads the window d0 … d0 + 2 of the operand.
    #conv = #tensoraccess.indexing_map<(d0, d1)[s0] -> (d0 + s0, d1),
                domain: d0 in [0, 9], d1 in [0, 4], s0 in [0, 2]>
    // No element at all, and a map that is not known.
    #none = #tensoraccess.indexing_map<empty (d0) -> (d0), domain: d0 in [0, 9]>
    #unknown = #tensoraccess.indexing_map<unknown>
    ```

    `empty` and `unknown` are distinct values: an empty map means that nothing
    is read, an unknown one that anything may be.
  }];
  let builders = [
    // Text has no room for the reason of an unknown map, so attributes have
    // none: equal texts are equal attributes.
    AttrBuilder<(ins "const ::mlir::tensoraccess::IndexingMap &":$value), [{
      return $_get($_ctxt, value.isUnknown() ? IndexingMap() : value);
    }]>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The attribute of an affine map over ranges, restricted to the points of
    /// `domain` if there is one; symbols become range symbols. `unknown` where
    /// the numbers of ranges are not those of the map.
    static IndexingMapAttr
    fromAffine(::mlir::AffineMapAttr map,
               ::llvm::ArrayRef<Interval> dimRanges,
               ::llvm::ArrayRef<Interval> symbolRanges = {},
               ::mlir::IntegerSetAttr domain = {});
    /// The results as an affine map, symbols before runtime variables; null
    /// for an unknown map and for forms that no affine expression has.
    ::mlir::AffineMapAttr toAffineMap() const;
  }];
}

def TensorAccess_LayoutAttr : TensorAccess_ValueAttr<"Layout",
    "::mlir::tensoraccess::Layout", "layout", [
      DeclareAttrInterfaceMethods<VerifiableTensorEncoding>,
      DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
        ["isIdentity", "verifyLayout", "getStridesAndOffset"]>,
      DeclareAttrInterfaceMethods<NumberedLayoutAttrInterface>]> {
  let summary = "a tiled layout: how elements are laid out in memory";
  let description = [{
    XLA's tiled layouts. `{1,0` orders dimensions from minor to
    major; `T(2,2)` divides the last dimensions of what is there so far into
    tiles, and more tiles divide what the tile before made; `*` merges a
    dimension into the next. `L(n)` rounds the number of elements up, `E(n)`
    stores an element in n bits, `S(n)` is a memory space.

    ```mlir
    // 3x5 in tiles of 2x2: element (2,3) is number 17 of 24.
    tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
    // bfloat16 in pairs of rows.
    tensor<16x256xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
    ```

    As a tensor's encoding:
    - C1: minor_to_major has one entry per dimension.
    - C2: the element type is an integer, index, float or complex type.
    - C3: `E` has at least the bits of the element type.
    - C4: the tiled shape has at most 2^63 - 1 elements.

    As a memref's layout it is the map from indices to tiled coordinates,
    `(d0, d1) -> (d0 floordiv 2, d1 floordiv 2, d0 mod 2, d1 mod 2)`, which the
    pass `normalize-memrefs` understands. There it must not have `*`, `L`, `E`
    or `S`, which such a map cannot express.
  }];
}

def TensorAccess_StridedAttr : TensorAccess_ValueAttr<"Strided",
    "::mlir::tensoraccess::StridedLayout", "strided", [
      DeclareAttrInterfaceMethods<VerifiableTensorEncoding>,
      DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
        ["isIdentity", "verifyLayout", "getStridesAndOffset"]>,
      DeclareAttrInterfaceMethods<NumberedLayoutAttrInterface>]> {
  let summary = "sizes and strides, nested: a layout of elements in memory";
  let description = [{
    CuTe's layouts: a mode is a size and a stride, or a list of modes, of which the
    first moves fastest. `Sw<B,M,S> o` before it exchanges bits of the number.

    ```mlir
    // Columns first, in blocks of two rows.
    tensor<4x3xf32, #tensoraccess.strided<((2,2),3):((1,6),2)>>
    // 8x64 whose rows are spread over the banks of a memory.
    tensor<8x64xf16, #tensoraccess.strided<Sw<3,3,3> o (8,64):(64,1)>>
    ```

    As a tensor's encoding:
    - C1: there is a mode for each dimension, of its size; sizes are static.
    - C2: the element type is an integer, index, float or complex type.
    - C3: strides are positive and nest: each is more than the greatest number of
      the modes of smaller strides. So no number is that of two elements.

    As a memref's layout it is the map from indices to the number, which the pass
    `normalize-memrefs` understands; `memref<8x64xf16, #tensoraccess.strided<Sw<3,3,3>
    o (8,64):(64,1)>, #gpu.address_space<workgroup>>` is a swizzled memory, whose bank
    conflicts `tensoraccess-report` counts.
  }];
}

def TensorAccess_LinearAttr : TensorAccess_ValueAttr<"Linear",
    "::mlir::tensoraccess::LinearLayout", "linear", [
      DeclareAttrInterfaceMethods<VerifiableTensorEncoding>,
      DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
        ["isIdentity", "verifyLayout", "getStridesAndOffset"]>,
      DeclareAttrInterfaceMethods<NumberedLayoutAttrInterface>]> {
  let summary = "bases of bits: which input holds which element";
  let description = [{
    Triton's linear layouts: each bit of the inputs has a basis, an index; the index
    of an input is the exclusive or of the bases of its bits. Sizes are those of
    the outputs; without them, as in Triton's text, the smallest that hold all
    bases.

    ```mlir
    // Lane l of warp w holds row 2w + l / 16 and column l mod 16.
    #tensoraccess.linear<{lane = [[0, 1], [0, 2], [0, 4], [0, 8], [1, 0]],
                          warp = [[2, 0]]} -> [4, 16]>
    ```

    As a tensor's encoding, the bits of all inputs, the first lowest, are the number
    of an element in memory; of several that hold one the least counts.
    - C1: there is an output for each dimension, of its size; sizes are static.
    - C2: the element type is an integer, index, float or complex type.
    - C3: every element is held.

    As a memref's layout it is the map from indices to the number.
  }];
}

/// What says how elements are laid out.
def TensorAccess_AnyLayoutAttr : AnyAttrOf<[TensorAccess_LayoutAttr,
    TensorAccess_StridedAttr, TensorAccess_LinearAttr],
    "a layout, strided or linear">;

def TensorAccess_ProjectionAttr : TensorAccess_ValueAttr<"Projection",
    "::mlir::tensoraccess::AnchoredProjection", "projection"> {
  let summary = "which box of a tensor a point of an index space touches";
  let description = [{
    An index projection: point i touches the box of the given shape
    that begins at `M·i + offset + anchor`. `oob` states for each dimension what
    is outside the tensor: `forbid` (the default), `wrap`, `negative`,
    `clamp` or `pad(value)`.

    ```mlir
    // A 3x3 window around a point, rows counted backwards.
    #window = #tensoraccess.projection<[[-1, 0], [0, 1]] + [7, 0],
                  anchor = [-1, -1], shape = [3, 3], oob = [wrap, pad(0.0)]>
    ```

    Points of the region can have names, relative to where it begins:

    ```mlir
    #named = #tensoraccess.projection<[[2]] + [-1], shape = [3],
                 anchors = {center = [1], first = [0] fixed}>
    ```
  }];
  let extraClassDeclaration = [{
    /// The projection without its anchors.
    const ::mlir::tensoraccess::Projection &getProjection() const {
      return getValue().projection;
    }
  }];
}

def TensorAccess_TargetAttr : TensorAccess_ValueAttr<"Target",
    "::mlir::tensoraccess::Target", "target"> {
  let summary = "a machine, as layouts see it";
  let description = [{
    A name and what choosing layouts reads: vectors, cache lines, the register
    tile, matrix units (docs/AssignLayouts.md). What is left out has the values
    of `generic`; a built-in name alone is that target. A module states it in its attribute `tensoraccess.target`, beside
    DLTI.

    ```mlir
    module attributes {tensoraccess.target = #tensoraccess.target<
        tpu, matrix_units = [128x128 in 382]>} {}
    ```
  }];
}

def TensorAccess_OutOfBoundsAttr : TensorAccess_ValueAttr<"OutOfBounds",
    "::mlir::tensoraccess::OutOfBoundsList", "oob"> {
  let summary = "what is outside a pattern, for each dimension";
  let description = [{
    One policy a dimension, as in a projection: `forbid`, `wrap` (the dimension
    is a circle), `negative` (-1 is the last element, beyond -size is
    forbidden), `clamp` (the nearest element), `pad(value)`.

    ```mlir
    #tensoraccess.oob<[wrap, forbid, pad(0.0)]>
    ```
  }];
}

#endif // TENSORACCESS_IR_ATTRS_TD
