//===- IndexingOpInterface.td - What an op reads -----------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_TD
#define TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def IndexingOpInterface : OpInterface<"IndexingOpInterface"> {
  let cppNamespace = "::mlir::tensoraccess";
  let description = [{
    Tells which elements of its operands an op reads for an element of a result
    (output to input), and which elements of its results an element of an
    operand reaches (input to output), as sets of indexing maps.

    An op states it by its loops (`inferNest`), of which the maps are a
    projection, or by the maps themselves (`inferIndexing`). Both methods are
    static: they see an `OpSignature` (name, attributes, types) so that a term of
    an e-graph, which is not an operation, can ask as well.
    `OpSignature::operation` is the operation where there is one.
  }];
  let methods = [
    StaticInterfaceMethod<
      /*desc=*/[{
        The op with this signature as loops over what it reads and writes
        (Interfaces/Nest.h); null if it gives its maps instead.
      }],
      /*retTy=*/"::mlir::tensoraccess::NestRef",
      /*methodName=*/"inferNest",
      /*args=*/(ins "const ::mlir::tensoraccess::OpSignature &":$signature),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{ return nullptr; }]
    >,
    StaticInterfaceMethod<
      /*desc=*/[{
        The indexing of an op with this signature, asked for where there is no
        nest. Both directions must describe the same relation, exactly; what
        cannot be expressed is `OpIndexing::unknown` with a reason.
      }],
      /*retTy=*/"::mlir::tensoraccess::OpIndexing",
      /*methodName=*/"inferIndexing",
      /*args=*/(ins "const ::mlir::tensoraccess::OpSignature &":$signature),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return signature.unknown(::mlir::tensoraccess::IndexingReason::NoModel);
      }]
    >
  ];
}

#endif // TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_TD
