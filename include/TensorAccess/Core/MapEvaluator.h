//===- MapEvaluator.h - All values of an indexing map -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `IndexingMap::evaluate` answers for one point. This evaluates a map at all
// points of a box, in row-major order, at the speed of memory:
//
//   1. The last variables are the *inner* ones, some thousand points of them.
//      Divisions of inner variables alone are computed once, into a table.
//   2. Divisions of the other variables alone are computed once per table row.
//   3. What is left of a result is then `number + table`, which vectorises. For
//      a tiled layout that is everything, as dimensions are tiled each on its
//      own. A division that mixes both (a reshape) is computed per element, in
//      vectors too.
//
// The ranges of all forms over the box are computed first: if some sum could
// leave 64 bits, points are evaluated one by one with checks, and an overflow
// is reported. A value is never silently wrong.
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_MAPEVALUATOR_H
#define TENSORACCESS_CORE_MAPEVALUATOR_H

#include "TensorAccess/Core/Counting.h"

namespace mlir::tensoraccess {

class MapEvaluator {
public:
  /// `runtime` has the values of the runtime variables.
  explicit MapEvaluator(const IndexingMap &map,
                        llvm::ArrayRef<int64_t> runtime = {});
  /// Here runtime variables are variables of a point too, the last ones.
  static MapEvaluator overAllVariables(const IndexingMap &map);
  ~MapEvaluator();
  MapEvaluator(MapEvaluator &&) noexcept;

  /// Variables of a point: dims, then symbols, then runtime variables if it is
  /// over all.
  unsigned getNumVariables() const;
  unsigned getNumResults() const;
  /// The ranges of these; std::nullopt if one has no end.
  std::optional<Box> getBox() const;
  /// Whether no value or sum leaves 64 bits over a box.
  bool fits(const Box &box) const;

  /// Writes each result's values over a half-open box of all variables into a
  /// column, in row-major order. `inside`, if not null, gets 1 for each point
  /// of the domain, else 0, and then values outside are -1; without it they are
  /// unspecified. Unknown: the map is, or the numbers of columns, of the box's
  /// dimensions or of runtime values are not the map's. Overflow: a value at a
  /// point of the domain does not fit the column's type. Other statuses don't
  /// occur. If the status is not Ok, columns may be partly written.
  EnumerateStatus evaluate(const Box &box, llvm::ArrayRef<int64_t *> columns,
                           uint8_t *inside = nullptr) const;
  EnumerateStatus evaluate(const Box &box, llvm::ArrayRef<int32_t *> columns,
                           uint8_t *inside = nullptr) const;

private:
  struct Program;
  std::unique_ptr<Program> program;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_MAPEVALUATOR_H
