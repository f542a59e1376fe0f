//===- Positions.h - Places of a text in the protocol -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol counts columns in units of UTF-16: two for what takes four bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_EDITOR_POSITIONS_H
#define TENSORACCESS_LIB_EXPORT_EDITOR_POSITIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace mlir::tensoraccess {

inline size_t toOffset(llvm::StringRef text,
                       const llvm::json::Object *position) {
  if (!position)
    return 0;
  int64_t line = position->getInteger("line").value_or(0);
  int64_t character = position->getInteger("character").value_or(0);
  size_t offset = 0;
  for (; line > 0; --line) {
    size_t end = text.find('\n', offset);
    if (end == llvm::StringRef::npos)
      return text.size();
    offset = end + 1;
  }
  while (offset < text.size() && text[offset] != '\n' && character > 0) {
    auto lead = static_cast<unsigned char>(text[offset++]);
    character -= lead >= 0xF0 ? 2 : 1;
    while (offset < text.size() && (text[offset] & 0xC0) == 0x80)
      ++offset;
  }
  return offset;
}

inline llvm::json::Object toPosition(llvm::StringRef text, size_t offset) {
  llvm::StringRef before = text.take_front(offset);
  int64_t character = 0;
  for (char byte : before.drop_front(before.rfind('\n') + 1))
    if ((byte & 0xC0) != 0x80)
      character += static_cast<unsigned char>(byte) >= 0xF0 ? 2 : 1;
  return llvm::json::Object{{"line", static_cast<int64_t>(before.count('\n'))},
                            {"character", character}};
}

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_EDITOR_POSITIONS_H
