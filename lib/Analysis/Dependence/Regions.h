//===- Regions.h - Sets of indices, cut and joined --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *region* is the domain of an indexing map: the indices (its dims) that its
// ranges and constraints allow. Its runtime variables are *parameters*, named as
// size parameters are (n0, n1, ...): numbers that are the same in all maps. It
// has no range symbols, unless it says "for some". The range of a parameter in a
// map is where the map has points; its name has what the parameter may be.
//
//   (d0, d1) -> (), domain: d0 in [0, 5], d1 in [0, 5], d0 - d1 in [-5, -1]
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_ANALYSIS_REGIONS_H
#define TENSORACCESS_LIB_ANALYSIS_REGIONS_H

#include "TensorAccess/Core/Counting.h"

#include <map>

namespace mlir::tensoraccess::regions {

/// Steps to find out whether a region is empty.
inline constexpr uint64_t kBudget = 1u << 12;

/// Parameters that are not sizes: places of a contract, trips of a loop.
enum class Parameter : unsigned { FirstPlace = 0, SecondPlace = 32, Trip = 48 };

/// The name of parameter `number` of a kind, which is below `extent`.
std::string getParameterName(Parameter kind, unsigned number, int64_t extent);
/// The numbers that the parameter of that name may be.
Interval getParameterRange(StringRef name);
/// Such a parameter in a builder.
Form addParameter(IndexingMapBuilder &builder, Parameter kind, unsigned number,
                  int64_t extent);

/// Whether it is known to have no point.
bool hasNoPoint(const IndexingMap &map);

/// The map over the same dims with the results of both, where both have a
/// point: symbols of `a`, then those of `b`; parameters of one name are one.
IndexingMap join(const IndexingMap &a, const IndexingMap &b);

/// The same, where `b` is over the results of `a`: the results of `a`, then
/// those of `b` at them.
IndexingMap joinAt(const IndexingMap &a, const IndexingMap &b);

/// `map` where its results are in `region`, without the results of `region`.
IndexingMap keep(const IndexingMap &map, const IndexingMap &region);

/// What of a map is held against a region.
enum class Side : uint8_t { Results, Dims };

/// `map` where its results (or dims) are not in `region`, as disjoint maps. The
/// map itself, which is more, if the region has symbols or there are too many
/// pieces: `isMore`, if given, is then set, and else left as it is.
SmallVector<IndexingMap, 2> cut(const IndexingMap &map,
                                const IndexingMap &region,
                                bool *isMore = nullptr,
                                Side side = Side::Results);
/// The same with several regions.
SmallVector<IndexingMap, 2> cutAll(const IndexingMap &map,
                                   ArrayRef<IndexingMap> regions,
                                   bool *isMore = nullptr,
                                   Side side = Side::Results);

/// A parameter of a map in a builder, where those of one name are one.
Form addParameter(IndexingMapBuilder &builder,
                  std::map<std::string, Form> &known, const IndexingMap &map,
                  unsigned variable);

/// Adds parameter `variable` of `other` to a map; false if it has it.
bool addParameter(IndexingMap &map, const IndexingMap &other,
                  unsigned variable);

/// The pairs of an index of `a` and one of `b`, one after the other.
IndexingMap getProduct(const IndexingMap &a, const IndexingMap &b);

/// The map from a region's indices to themselves.
IndexingMap asIdentity(const IndexingMap &region);
/// The domain alone.
IndexingMap withoutResults(const IndexingMap &map);
/// All indices of a shape.
IndexingMap getAll(ArrayRef<int64_t> shape);
/// Whether nothing but the ranges of `shape` restricts the dims.
bool isAll(const IndexingMap &map, ArrayRef<int64_t> shape);

/// The dims from which some symbols lead to a point. std::nullopt where that is
/// not a region without symbols.
std::optional<IndexingMap> project(const IndexingMap &map);

/// The same as a union, of one region for each number of a symbol that has few.
std::optional<SmallVector<IndexingMap, 2>>
projectParts(const IndexingMap &map);

/// The values that a form over the map's arena takes in its domain; perhaps more.
Interval getRange(const IndexingMap &map, const FormArena &arena,
                  const Form &form);

/// A map that contains all of them, which have equal numbers of dims and results:
/// results in intervals, and within distances of dims and of parameters. Bands
/// and triangles stay what they are.
IndexingMap getHull(ArrayRef<IndexingMap> maps);

/// Runtime variables that are not parameters become range symbols: any number
/// of their range.
IndexingMap forgetValues(const IndexingMap &map);
/// Whether some runtime variable is not a parameter.
bool hasValues(const IndexingMap &map);

} // namespace mlir::tensoraccess::regions

#endif // TENSORACCESS_LIB_ANALYSIS_REGIONS_H
