//===- SparsityEntries.cpp - Entries and colors of sparse matrices --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two columns must not have one color if a row has both: if they are related by
// the maps read backwards, then forwards. Of a stencil or a band, that depends on
// their distance alone, and few distances occur. The smallest p is taken for
// which some weights w make w * distance mod p nonzero for all of them:
// lattice colorings of grids (Goldfarb and Toint 1984).
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "TensorAccess/Analysis/Derivatives.h"
#include "TensorAccess/Core/MapEvaluator.h"

#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Points of a map that are evaluated at once.
static constexpr int64_t kBlock = 1 << 16;
/// Distances that are looked at, and steps of the search for weights.
static constexpr uint64_t kMaxDistances = 1 << 12, kMaxSteps = 1 << 24;
/// Elements of a matrix for which fewer colors than a period are sought.
static constexpr int64_t kMaxGreedy = 1 << 20;

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// The same relation, in which a symbol that a constraint keeps near the dims
/// is its distance from them: a band is walked along, not searched for.
static IndexingMap shear(const IndexingMap &map) {
  const unsigned dims = map.getNumDims();
  IndexingMapBuilder builder;
  SmallVector<Form> images;
  for (unsigned v = 0; v < dims; ++v)
    images.push_back(builder.addDim(map.getRanges()[v]));
  SmallVector<std::pair<unsigned, Form>> moved;
  for (unsigned v = dims; v < map.getNumVariables(); ++v) {
    Interval range = map.getRanges()[v];
    const Constraint *best = nullptr;
    int64_t sign = 0;
    for (const Constraint &c : map.getConstraints()) {
      // +- symbol + terms with dims only.
      int64_t own = 0;
      bool isNear = c.interval.size() &&
                    (!range.size() || *c.interval.size() < *range.size());
      for (const auto &term : c.form.terms)
        if (term.atom == v)
          own = term.coefficient;
        else
          isNear &= term.atom < dims;
      if (isNear && (own == 1 || own == -1)) {
        range = own == 1 ? c.interval : -c.interval;
        best = &c;
        sign = own;
      }
    }
    Form symbol = builder.addSymbol(range);
    if (best) {
      // form = sign * (symbol + rest): symbol = distance - rest.
      FormArena arena = map.getArena();
      Form rest = arena.scale(
          arena.addScaled(best->form, Form::ofAtom(v), -sign), sign);
      moved.push_back({v, rest});
    }
    images.push_back(symbol);
  }
  if (moved.empty())
    return map;
  for (auto &[v, rest] : moved) {
    Substitution place(builder.arena(), map.getArena(), images);
    images[v] = builder.arena().sub(images[v], place(rest));
  }
  for (auto &[v, rest] : moved)
    builder.addConstraint(images[v], map.getRanges()[v]);
  builder.addMap(map, images);
  return builder.build().simplify();
}

bool tensoraccess::enumerateEntries(const IndexingMap &given,
                                    ArrayRef<int64_t> rows,
                                    ArrayRef<int64_t> columns,
                                    int64_t maxPoints,
                                    std::vector<int64_t> &outRows,
                                    std::vector<int64_t> &outColumns) {
  if (given.isKnownEmpty())
    return true;
  IndexingMap map = shear(given);
  MapEvaluator evaluator(map);
  std::optional<Box> box = evaluator.getBox();
  if (map.isUnknown() || map.getNumRuntime() != 0 || !box ||
      map.getNumDims() != rows.size() || map.getNumResults() != columns.size())
    return false;
  std::optional<uint64_t> volume = getVolume(*box);
  if (!volume || *volume > uint64_t(maxPoints))
    return false;
  const unsigned rank = box->lo.size();
  SmallVector<Box> boxes{*box};
  // Halves of the first dimension that has several indices, in order.
  while (!boxes.empty()) {
    Box part = boxes.pop_back_val();
    const int64_t size = *getVolume(part);
    if (size == 0)
      continue;
    if (size > kBlock) {
      unsigned d = 0;
      while (part.hi[d] - part.lo[d] == 1)
        ++d;
      Box second = part;
      second.lo[d] = part.hi[d] = part.lo[d] + (part.hi[d] - part.lo[d]) / 2;
      boxes.push_back(std::move(second));
      boxes.push_back(std::move(part));
      continue;
    }
    std::vector<std::vector<int64_t>> values(columns.size(),
                                             std::vector<int64_t>(size));
    SmallVector<int64_t *> pointers;
    for (auto &column : values)
      pointers.push_back(column.data());
    std::vector<uint8_t> inside(size);
    if (evaluator.evaluate(part, pointers, inside.data()) !=
        EnumerateStatus::Ok)
      return false;
    SmallVector<int64_t> index(part.lo.begin(), part.lo.end());
    for (int64_t i = 0; i < size; ++i) {
      bool isInside = inside[i];
      int64_t row = 0, column = 0;
      for (unsigned d = 0; d < rows.size() && isInside; ++d) {
        isInside = index[d] >= 0 && index[d] < rows[d];
        row = row * rows[d] + index[d];
      }
      for (unsigned d = 0; d < columns.size() && isInside; ++d) {
        isInside = values[d][i] >= 0 && values[d][i] < columns[d];
        column = column * columns[d] + values[d][i];
      }
      if (isInside) {
        outRows.push_back(row);
        outColumns.push_back(column);
      }
      for (unsigned d = rank; d-- > 0;) {
        if (++index[d] < part.hi[d])
          break;
        index[d] = part.lo[d];
      }
    }
  }
  return true;
}

/// The number of the first row, or column, of each array, and that of all.
static SmallVector<int64_t> getStarts(ArrayRef<SmallVector<int64_t>> shapes) {
  SmallVector<int64_t> starts{0};
  for (const SmallVector<int64_t> &shape : shapes)
    starts.push_back(starts.back() + llvm::product_of(shape));
  return starts;
}

const std::vector<std::pair<int64_t, int64_t>> *
MatrixEntries::get(int64_t maxPoints) {
  if (entries)
    return &*entries;
  SmallVector<int64_t> ofRows = getStarts(matrix.rows),
                       ofColumns = getStarts(matrix.columns);
  std::vector<std::pair<int64_t, int64_t>> all;
  for (const SparsityMatrix::Block &block : matrix.blocks)
    for (const IndexingMap &map : block.maps.maps) {
      std::vector<int64_t> rows, columns;
      if (!enumerateEntries(map, matrix.rows[block.row],
                            matrix.columns[block.column], maxPoints, rows,
                            columns))
        return nullptr;
      for (auto [row, column] : llvm::zip_equal(rows, columns))
        all.push_back(
            {row + ofRows[block.row], column + ofColumns[block.column]});
      maxPoints -= rows.size();
    }
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
  return &entries.emplace(std::move(all));
}

std::optional<uint64_t> SparsityMatrix::countEntries() const {
  uint64_t count = 0;
  for (const Block &block : blocks) {
    SmallVector<IndexingMap> pairs;
    for (IndexingMap map : block.maps.maps) {
      if (map.isUnknown())
        return std::nullopt;
      SmallVector<Form> place;
      for (unsigned d = 0; d < map.getNumDims(); ++d)
        place.push_back(Form::ofAtom(d));
      for (auto [form, size] :
           llvm::zip_equal(map.getResults(), columns[block.column])) {
        place.push_back(form);
        map = map.withConstraint(form, Interval::ofExtent(size));
      }
      pairs.push_back(map.withResults(place).simplify());
    }
    std::optional<uint64_t> own = countUnion(pairs);
    if (!own)
      return std::nullopt;
    count += *own;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Colors
//===----------------------------------------------------------------------===//

/// The distances, none of them zero, of columns that share a row; std::nullopt if
/// there are too many.
static std::optional<std::set<SmallVector<int64_t>>>
getDistances(ArrayRef<IndexingMap> maps) {
  std::set<SmallVector<int64_t>> distances;
  for (const IndexingMap &one : maps) {
    std::optional<IndexingMap> back = inverse(one);
    if (!back)
      return std::nullopt;
    for (const IndexingMap &other : maps) {
      IndexingMap map = back->then(other).simplify().removeUnusedSymbols();
      if (map.isUnknown() || map.getNumRuntime() != 0)
        return std::nullopt;
      map = map.mergeSymbols();
      if (map.isKnownEmpty())
        continue;
      FormArena arena = map.getArena();
      SmallVector<Form> forms;
      SmallVector<Interval> ranges;
      uint64_t volume = 1;
      for (unsigned i = 0; i < map.getNumResults(); ++i) {
        forms.push_back(arena.sub(map.getResult(i), Form::ofAtom(i)));
        ranges.push_back(regions::getRange(map, arena, forms.back()));
        std::optional<int64_t> size = ranges.back().size();
        if (!size ||
            uint64_t(*size) > kMaxDistances / std::max(volume, uint64_t(1)))
          return std::nullopt;
        volume *= *size;
      }
      if (arena.failed())
        return std::nullopt;
      SmallVector<int64_t> distance;
      for (Interval range : ranges)
        distance.push_back(range.lower);
      for (uint64_t n = 0; n < volume; ++n) {
        if (llvm::any_of(distance, [](int64_t d) { return d != 0; }) &&
            !distances.count(distance)) {
          IndexingMap at = map;
          for (auto [form, d] : llvm::zip_equal(forms, distance))
            at = at.withConstraint(arena, form, Interval::point(d));
          if (!regions::hasNoPoint(at.simplify()))
            distances.insert(distance);
        }
        for (unsigned i = distance.size(); i-- > 0;) {
          if (++distance[i] <= ranges[i].upper)
            break;
          distance[i] = ranges[i].lower;
        }
      }
      if (distances.size() > kMaxDistances)
        return std::nullopt;
    }
  }
  return distances;
}

std::optional<PeriodicColoring>
tensoraccess::getPeriodicColoring(ArrayRef<IndexingMap> maps) {
  PeriodicColoring coloring;
  if (maps.empty())
    return coloring;
  auto distances = getDistances(maps);
  if (!distances)
    return std::nullopt;
  const unsigned rank = maps[0].getNumResults();
  uint64_t steps = 0;
  for (coloring.period = 1;; ++coloring.period) {
    coloring.weights.assign(rank, 0);
    while (true) {
      if (llvm::none_of(*distances, [&](const SmallVector<int64_t> &distance) {
            int64_t sum = 0;
            for (unsigned i = 0; i < rank; ++i)
              sum += coloring.weights[i] * distance[i];
            return sum % coloring.period == 0;
          }))
        return coloring;
      if ((steps += distances->size()) > kMaxSteps)
        return std::nullopt;
      unsigned i = 0;
      for (; i < rank; ++i) {
        if (++coloring.weights[i] < coloring.period)
          break;
        coloring.weights[i] = 0;
      }
      if (i == rank)
        break;
    }
  }
}

/// A color for each of `numColumns`, starting with those with most entries.
static std::vector<int32_t>
colorGreedily(ArrayRef<std::pair<int64_t, int64_t>> entries,
              int64_t numColumns) {
  // Rows by number among those that have entries, by column.
  std::vector<std::vector<int64_t>> rows(numColumns);
  int64_t numRows = 0;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    numRows += i == 0 || entries[i - 1].first != entry.first;
    rows[entry.second].push_back(numRows - 1);
  }
  std::vector<std::pair<int64_t, int64_t>> order;
  for (int64_t c = 0; c < numColumns; ++c)
    order.push_back({-int64_t(rows[c].size()), c});
  llvm::sort(order);
  // Of each color the last column that must not have it, and of each row the
  // colors that it has.
  std::vector<int64_t> taken;
  std::vector<int32_t> colors(numColumns, -1);
  std::vector<std::vector<int32_t>> used(numRows);
  for (int64_t column : llvm::make_second_range(order)) {
    for (int64_t row : rows[column])
      for (int32_t color : used[row])
        taken[color] = column;
    auto free =
        llvm::find_if(taken, [&](int64_t last) { return last != column; });
    const int32_t color = free - taken.begin();
    if (free == taken.end())
      taken.push_back(-1);
    colors[column] = color;
    for (int64_t row : rows[column])
      used[row].push_back(color);
  }
  return colors;
}

std::optional<MatrixColoring>
tensoraccess::colorMatrix(MatrixEntries &all, bool ofRows, int64_t maxPoints) {
  const SparsityMatrix &matrix = all.matrix;
  const int64_t numRows = getStarts(matrix.rows).back(),
                numColumns = getStarts(matrix.columns).back();
  std::optional<MatrixColoring> best;
  if (matrix.blocks.size() == 1 && matrix.rows.size() == 1 &&
      matrix.columns.size() == 1) {
    SmallVector<IndexingMap> maps = matrix.blocks[0].maps.maps;
    for (IndexingMap &map : maps)
      if (ofRows)
        map = inverse(map).value_or(IndexingMap());
    if (auto periodic = getPeriodicColoring(maps))
      best = {periodic->period, periodic, {}};
  }
  if (best && (best->count <= 2 ||
               numRows > kMaxGreedy / std::max<int64_t>(numColumns, 1)))
    return best;
  const auto *entries = all.get(maxPoints);
  if (!entries)
    return best;
  std::vector<std::pair<int64_t, int64_t>> transposed;
  if (ofRows) {
    for (auto [row, column] : *entries)
      transposed.push_back({column, row});
    llvm::sort(transposed);
    entries = &transposed;
  }
  std::vector<int32_t> colors =
      colorGreedily(*entries, ofRows ? numRows : numColumns);
  const int64_t count =
      colors.empty() ? 0 : *llvm::max_element(colors) + int64_t(1);
  if (!best || count < best->count)
    best = {count, std::nullopt, std::move(colors)};
  return best;
}
