//===- AttributeText.h - Attributes in an editor ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_EDITOR_ATTRIBUTETEXT_H
#define TENSORACCESS_LIB_EXPORT_EDITOR_ATTRIBUTETEXT_H

#include "TensorAccess/Core/Layout.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// A description of a map, a layout or a projection, in Markdown: its
/// simplest text, sizes, a small table. `holder` is the tensor or memref that a
/// layout is of; without one there are no sizes in bytes. Empty for any other
/// attribute.
std::string describeAttribute(Attribute attr, ShapedType holder);

/// The same of a layout with its shape.
std::string describeLayout(const Layout &layout);

/// An attribute in a text.
struct FoundAttribute {
  Attribute attr;
  /// The type that it is the encoding or the layout of; for an alias that is
  /// elsewhere, the first such type in the text. Or null.
  ShapedType holder;
  /// Bytes of the text: of the attribute, or of the alias that stands for it.
  size_t begin = 0, end = 0;
};

/// The attribute of this dialect that byte `offset` of a text of MLIR belongs
/// to. The rest of the text may be wrong. None where there is none, or where the
/// attribute itself is wrong.
std::optional<FoundAttribute>
findAttribute(MLIRContext *context, llvm::StringRef text, size_t offset);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_EDITOR_ATTRIBUTETEXT_H
