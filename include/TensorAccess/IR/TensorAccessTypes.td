//===- TensorAccessTypes.td - The access type --------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_TYPES_TD
#define TENSORACCESS_IR_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "TensorAccess/IR/TensorAccessDialect.td"
include "TensorAccess/Interfaces/IndexSpaceInterfaces.td"

class TensorAccess_Type<string name, string typeMnemonic,
                        list<Trait> traits = []>
    : TypeDef<TensorAccess_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TensorAccess_AccessType : TensorAccess_Type<"Access", "access",
    [DeclareTypeInterfaceMethods<IndexSpaceTypeInterface, ["getShape"]>]> {
  let summary = "an access pattern: access dimensions and compute dimensions";
  let description = [{
    `!tensoraccess.access<S | C x T>` is the pair of shapes (S, C) over the
    element type T. S is iterated over; at each of its points is an item of
    shape C. Either side may be empty: `<| f32>` is a single scalar, `<30x30 |
    f32>` a 30×30 tensor of scalars, `<| 3x5xf32>` one item of shape 3×5. A
    dimension that is unknown at compile time is `?`.

    - C1: every dimension is `?` or ≥ 0.
    - C2: T is an integer, index or floating-point type.
    - C3: the product of all static dimensions but zeros fits in 63 bits, and
      hence the number of elements of either side does.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$accessShape,
                        ArrayRefParameter<"int64_t">:$computeShape,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins
      "::llvm::ArrayRef<int64_t>":$accessShape,
      "::llvm::ArrayRef<int64_t>":$computeShape,
      "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), accessShape, computeShape,
                   elementType);
    }]>
  ];
  let extraClassDeclaration = [{
    /// The number of access dimensions, i.e. the axis that splits the shape.
    int64_t getAccessRank() const { return getAccessShape().size(); }
    int64_t getComputeRank() const { return getComputeShape().size(); }
    int64_t getRank() const { return getAccessRank() + getComputeRank(); }
    bool hasStaticShape() const;
    /// The elements of the shape; std::nullopt if a dimension is dynamic.
    std::optional<int64_t> getNumElements() const;
    /// The tensor type with the same dimensions, access dimensions first.
    ::mlir::RankedTensorType getTensorType() const;
  }];
}

#endif // TENSORACCESS_IR_TYPES_TD
