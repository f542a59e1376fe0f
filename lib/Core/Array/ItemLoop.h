//===- ItemLoop.h - Walks the items of a pattern --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits the access points of a pattern in row-major order, with its components
// there. The rows of an item are at the same distances from the item's first
// element at every access point, so they are listed once.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_ITEMLOOP_H
#define TENSORACCESS_LIB_CORE_ITEMLOOP_H

#include "Support/StridedLoop.h"
#include "TensorAccess/Core/Kernels.h"

#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace mlir::tensoraccess {

/// Runs over the access points of a pattern and the rows of an item there.
template <typename T, typename R = T>
class ItemLoop {
public:
  /// `result` has the access shape, then dimensions that are not looped over.
  ItemLoop(const AccessPattern &pattern, Tensor &result)
      : views(pattern.getComponents().size()),
        points(pattern.getAccessShape(),
               stridesOf(pattern, &result, 0, pattern.getAccessRank())),
        items(pattern.getComponents().front().getShape().drop_front(
                  pattern.getAccessRank()),
              stridesOf(pattern, nullptr, pattern.getAccessRank(),
                        pattern.getComponents().front().getRank())),
        result(result.getDataAs<R>()) {
    for (const Tensor &component : pattern.getComponents())
      bases.push_back(component.getDataAs<T>());
    items.forEachRow([&](llvm::ArrayRef<int64_t> offsets) {
      llvm::append_range(rowOffsets, offsets);
    });
  }

  /// Calls `fn(item, out)` at each access point: item[v] is the first element
  /// of component v there, out the result's.
  template <typename Fn>
  void forEachPoint(Fn &&fn) const {
    llvm::SmallVector<const T *> item(views);
    points.forEachRow([&](llvm::ArrayRef<int64_t> offsets) {
      for (int64_t i = 0, e = points.getRowLength(); i < e; ++i) {
        for (size_t v = 0; v < views; ++v)
          item[v] = bases[v] + offsets[v] + i * points.getRowStride(v);
        fn(llvm::ArrayRef<const T *>(item),
           result + offsets[views] + i * points.getRowStride(views));
      }
    });
  }

  /// Rows of an item, elements of a row, and distances in component v.
  size_t getNumRows() const { return rowOffsets.size() / views; }
  int64_t getRowLength() const { return items.getRowLength(); }
  int64_t getRowOffset(size_t row, size_t v) const {
    return rowOffsets[row * views + v];
  }
  int64_t getRowStride(size_t v) const { return items.getRowStride(v); }

private:
  static llvm::SmallVector<llvm::ArrayRef<int64_t>>
  stridesOf(const AccessPattern &pattern, const Tensor *result, int64_t begin,
            int64_t end) {
    llvm::SmallVector<llvm::ArrayRef<int64_t>> strides;
    for (const Tensor &component : pattern.getComponents())
      strides.push_back(component.getStrides().slice(begin, end - begin));
    if (result)
      strides.push_back(result->getStrides().slice(begin, end - begin));
    return strides;
  }

  size_t views;
  StridedLoop points, items;
  R *result;
  llvm::SmallVector<const T *> bases;
  std::vector<int64_t> rowOffsets;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_ITEMLOOP_H
