//===- IndexSpaceInterfaces.td - Types with elements -------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_INDEXSPACEINTERFACES_TD
#define TENSORACCESS_INTERFACES_INDEXSPACEINTERFACES_TD

include "mlir/IR/OpBase.td"

def IndexSpaceTypeInterface : TypeInterface<"IndexSpaceTypeInterface"> {
  let cppNamespace = "::mlir::tensoraccess";
  let description = [{
    A type whose values have elements at indices, and which is no `ShapedType`:
    an access pattern, or your own type.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/"The sizes of all dimensions, ShapedType::kDynamic for `?`.",
      /*retTy=*/"::llvm::SmallVector<int64_t>",
      /*methodName=*/"getShape", /*args=*/(ins)>,
    InterfaceMethod<
      /*desc=*/"The type of an element.",
      /*retTy=*/"::mlir::Type",
      /*methodName=*/"getElementType", /*args=*/(ins)>
  ];
}

def NumberedLayoutAttrInterface
    : AttrInterface<"NumberedLayoutAttrInterface"> {
  let cppNamespace = "::mlir::tensoraccess";
  let description = [{
    A memref's layout that numbers elements otherwise than by strides.
  }];
  let methods = [
    InterfaceMethod<
      /*desc=*/[{
        The map from the indices of a memref of a static shape to the numbers of
        its elements in memory; std::nullopt where the layout is not one of that
        shape.
      }],
      /*retTy=*/"std::optional<::mlir::tensoraccess::IndexingMap>",
      /*methodName=*/"getNumberMap",
      /*args=*/(ins "::llvm::ArrayRef<int64_t>":$shape)>
  ];
}

#endif // TENSORACCESS_INTERFACES_INDEXSPACEINTERFACES_TD
