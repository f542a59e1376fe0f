//===- TensorAccessAttrs.cpp - Attributes of the dialect ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/TensorAccess.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::tensoraccess;

#include "TensorAccess/IR/TensorAccessEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TensorAccess/IR/TensorAccessAttrs.cpp.inc"

void TensorAccessDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TensorAccess/IR/TensorAccessAttrs.cpp.inc"
      >();
}

Attribute TensorAccessDialect::parseAttribute(DialectAsmParser &parser,
                                              Type type) const {
  StringRef mnemonic;
  Attribute attr;
  OptionalParseResult result =
      generatedAttributeParser(parser, &mnemonic, type, attr);
  if (result.has_value())
    return succeeded(*result) ? attr : Attribute();
  parser.emitError(parser.getNameLoc())
      << "unknown attribute `" << mnemonic << "` in dialect `tensoraccess`";
  return {};
}

void TensorAccessDialect::printAttribute(Attribute attr,
                                         DialectAsmPrinter &printer) const {
  if (succeeded(generatedAttributePrinter(attr, printer)))
    return;
  llvm_unreachable("an attribute of the dialect that it does not know");
}
