//===- PrintNumber.h - Numbers as short as they are exact -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How costs are written, in messages and in files.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EGRAPH_PRINTNUMBER_H
#define TENSORACCESS_LIB_EGRAPH_PRINTNUMBER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlir::tensoraccess::detail {

/// With as few digits of 6, 15 and 17 as are read as the same number.
inline std::string printNumber(double number) {
  std::string text;
  for (int digits : {6, 15, 17}) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, number);
    double again;
    if (!llvm::StringRef(text).getAsDouble(again) && again == number)
      break;
  }
  return text;
}

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_EGRAPH_PRINTNUMBER_H
