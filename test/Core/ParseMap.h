//===- ParseMap.h - Maps written as text in tests ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_PARSEMAP_H
#define TENSORACCESS_TEST_CORE_PARSEMAP_H

#include "TensorAccess/Core/IndexingMap.h"
#include "gtest/gtest.h"

namespace mlir::tensoraccess::test {

/// The map of a text; malformed text is a failure and gives the unknown map.
inline IndexingMap parse(llvm::StringRef text) {
  ParseError error;
  std::optional<IndexingMap> map = IndexingMap::parse(text, error);
  EXPECT_TRUE(map) << text.str() << ": " << error.message << " at "
                   << error.offset;
  return map ? *map : IndexingMap();
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_PARSEMAP_H
