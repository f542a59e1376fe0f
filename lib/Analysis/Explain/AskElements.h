//===- AskElements.h - Where one element is -----------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_ANALYSIS_EXPLAIN_ASKELEMENTS_H
#define TENSORACCESS_LIB_ANALYSIS_EXPLAIN_ASKELEMENTS_H

#include "Steps.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LinearLayout.h"

namespace mlir::tensoraccess {

/// The place of an element, in elements and bytes; of a linear layout each that
/// holds it, a row. std::nullopt and `error` for another rank, and outside.
std::optional<ExplainSection> locateElement(const Layout &layout,
                                            ArrayRef<int64_t> element,
                                            std::string &error);
std::optional<ExplainSection> locateElement(const StridedLayout &layout,
                                            ArrayRef<int64_t> element,
                                            std::string &error);
std::optional<ExplainSection> locateElement(const LinearLayout &layout,
                                            ArrayRef<int64_t> element,
                                            std::string &error);

/// What the tile at offset 0 reads by a map: `[0:16, 0:16:2]`, first, past the
/// last and stride of each dimension.
struct ConcreteTile {
  Bounds elements = {0, std::nullopt};
  std::string text;
};
/// std::nullopt and `error` for another rank, and sizes beyond the map's.
std::optional<ConcreteTile>
readTile(const IndexingMap &map, ArrayRef<int64_t> sizes, std::string &error);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_ANALYSIS_EXPLAIN_ASKELEMENTS_H
