//===- TensorAccessDialect.td - The dialect ----------------*- tablegen -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_DIALECT_TD
#define TENSORACCESS_IR_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/DialectBase.td"

def TensorAccess_Dialect : Dialect {
  let name = "tensoraccess";
  let cppNamespace = "::mlir::tensoraccess";
  let summary = "Data access as a first-class, checkable object";
  let description = [{
    The dialect unites four notations of data access on one core object, the
    access map: indexing maps (`#tensoraccess.indexing_map`), tiled layouts
    (`#tensoraccess.layout`), index projections (`#tensoraccess.projection`)
    and access patterns (`!tensoraccess.access` with its ops).

    An *access pattern* splits the dimensions of a tensor in two: the *access
    dimensions*, which are iterated over, and the *compute dimensions*, which a
    computation consumes at each access point. `!tensoraccess.access<30x30 |
    3x3x3xf32>` has 900 access points of 27 elements each. The ops transform
    access patterns without moving data; only `materialize` makes a copy and
    only `compute` does arithmetic. No op has regions or binds names, so that
    programs can be rewritten as terms.
  }];
  let useDefaultTypePrinterParser = 1;
  // Maps, layouts and projections are mathematics in their own notation: their
  // text is read and written by Core, which Python and the tools share.
  let useDefaultAttributePrinterParser = 0;
  let hasConstantMaterializer = 0;
  // Chains of movement ops (lib/IR/Access/MovementCanonicalization.cpp), and access
  // patterns of constants (lib/IR/Ops/FoldConstants.cpp), and relayouts
  // (lib/IR/Access/LayoutCanonicalization.cpp).
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr,
                        ::mlir::DialectAsmPrinter &printer) const override;
    void registerAttributes();
    void registerTypes();
    void registerFailures();
  }];
}

class TensorAccess_Op<string mnemonic, list<Trait> traits = []>
    : Op<TensorAccess_Dialect, mnemonic, traits>;

#endif // TENSORACCESS_IR_DIALECT_TD
