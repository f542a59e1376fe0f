//===- StridedLoop.h - Walks several views in step ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits the points of a shape in row-major order, keeping the offset of each
// of several views:
//
//   1. drop dimensions of size 1;
//   2. merge neighbouring dimensions that are contiguous in every view;
//   3. count through all dimensions but the last, adding strides as they step;
//      the last is handed to the caller as a row.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_STRIDEDLOOP_H
#define TENSORACCESS_LIB_CORE_STRIDEDLOOP_H

namespace mlir::tensoraccess {

class StridedLoop {
public:
  /// `strides[v]` holds the strides of view v, one a dimension.
  StridedLoop(llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<llvm::ArrayRef<int64_t>> strides)
      : rowStrides(strides.size(), 0), views(strides.size()) {
    for (int64_t d = shape.size() - 1; d >= 0; --d) {
      empty |= shape[d] == 0;
      if (shape[d] == 1)
        continue;
      if (!sizes.empty() && isContiguous(d, strides)) {
        sizes.back() *= shape[d];
        continue;
      }
      sizes.push_back(shape[d]);
      for (llvm::ArrayRef<int64_t> view : strides)
        steps.push_back(view[d]);
    }
    if (!sizes.empty())
      for (size_t v = 0; v < views; ++v)
        rowStrides[v] = steps[v];
  }

  /// Elements of a row.
  int64_t getRowLength() const { return sizes.empty() ? 1 : sizes.front(); }
  /// From one element of a row to the next, in view v.
  int64_t getRowStride(size_t v) const { return rowStrides[v]; }

  /// Calls `row(offsets)` with the offset of each view's first element, for
  /// each row in row-major order.
  template <typename Fn>
  void forEachRow(Fn &&row) const {
    if (empty)
      return;
    llvm::SmallVector<int64_t> offsets(views, 0), index(sizes.size(), 0);
    while (true) {
      row(llvm::ArrayRef<int64_t>(offsets));
      size_t d = 1;
      for (; d < sizes.size(); ++d) {
        const int64_t *step = &steps[d * views];
        if (++index[d] < sizes[d]) {
          for (size_t v = 0; v < views; ++v)
            offsets[v] += step[v];
          break;
        }
        index[d] = 0;
        for (size_t v = 0; v < views; ++v)
          offsets[v] -= (sizes[d] - 1) * step[v];
      }
      if (d >= sizes.size())
        return;
    }
  }

private:
  /// True if dimension d continues the last kept one in every view.
  bool isContiguous(int64_t d,
                    llvm::ArrayRef<llvm::ArrayRef<int64_t>> strides) const {
    size_t last = (sizes.size() - 1) * views;
    for (size_t v = 0; v < views; ++v)
      if (strides[v][d] != steps[last + v] * sizes.back())
        return false;
    return true;
  }

  /// Kept dimensions, innermost first, and the strides of all views for each.
  llvm::SmallVector<int64_t> sizes, steps, rowStrides;
  size_t views;
  bool empty = false;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CORE_STRIDEDLOOP_H
