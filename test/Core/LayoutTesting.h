//===- LayoutTesting.h - What tests of layouts share ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_LAYOUTTESTING_H
#define TENSORACCESS_TEST_CORE_LAYOUTTESTING_H

#include "TensorAccess/Core/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

namespace mlir::tensoraccess::test {

/// The layout of a text that is right.
inline Layout parseLayout(llvm::StringRef text) {
  ParseError error;
  std::optional<Layout> layout = Layout::parse(text, error);
  EXPECT_TRUE(layout.has_value())
      << text.str() << ": " << error.message << " at " << error.offset;
  return layout.value_or(Layout());
}

/// The sum that cases have over the whole table, Σ (i + 1)·(number + 1) for the
/// i-th index in row-major order.
inline int64_t hashOf(const Layout &layout) {
  int64_t sum = 0, count = 0;
  forEachIndex(*layout.shape, [&](llvm::ArrayRef<int64_t> index) {
    sum += ++count * (layout.linearize(index).value_or(0) + 1);
  });
  return sum;
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_LAYOUTTESTING_H
