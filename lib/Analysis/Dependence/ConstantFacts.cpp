//===- ConstantFacts.cpp - Constants read as regions ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A splat is one fact. Of other constants
//   1. integers that are an affine form of the index are one fact, an index;
//   2. the places of a number that masks consist of (0, 1, true, an infinity) are
//      described by one of these, for one or two dimensions that matter, which
//      is then checked at all elements:
//        band      a <= i - j <= b         triangular and banded masks
//        blocks    the same for i floordiv b - j floordiv b
//        period    (i - j) mod p, or i mod p, is r
//      and else by boxes, greedily, up to a limit.
// Dimensions along which nothing changes do not matter.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "ScalarFacts.h"
#include "TensorAccess/Core/Checked.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallSet.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

/// Elements of a constant that are looked at.
static constexpr int64_t kMaxElements = 1 << 22;
/// Different numbers of a constant, for each of which regions are sought.
static constexpr size_t kMaxNumbers = 4;
static constexpr size_t kMaxBoxes = 12;
/// Progressions that a list of integers is cut into.
static constexpr size_t kMaxRuns = 24;

namespace {
struct Grid {
  SmallVector<int64_t> shape;
  SmallVector<double, 0> numbers;
};

/// Where a number is, along one or two dimensions.
struct Plane {
  unsigned first = 0, second = 0;
  int64_t rows = 1, columns = 1;
  std::vector<char> bits;

  bool at(int64_t i, int64_t j) const { return bits[i * columns + j]; }
};
} // namespace

static std::optional<Grid> readGrid(Attribute value, Type type) {
  Grid grid;
  auto toDouble = [](const APFloat &x) {
    bool loses = false;
    APFloat copy = x;
    copy.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    return copy.convertToDouble();
  };
  if (auto number = dyn_cast<FloatAttr>(value)) {
    grid.numbers.push_back(toDouble(number.getValue()));
    return grid;
  }
  auto fromInt = [](const APInt &x, Type element) -> std::optional<double> {
    if (x.getBitWidth() == 1)
      return double(x.getZExtValue());
    auto number = element.isUnsignedInteger()
                      ? (x.isIntN(53) ? std::optional<int64_t>(x.getZExtValue())
                                      : std::nullopt)
                      : x.trySExtValue();
    return number && std::abs(double(*number)) < 9e15
               ? std::optional(double(*number))
               : std::nullopt;
  };
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    auto x = fromInt(number.getValue(), number.getType());
    if (!x)
      return std::nullopt;
    grid.numbers.push_back(*x);
    return grid;
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || !dense.getElementType().isIntOrIndexOrFloat())
    return std::nullopt;
  grid.shape.assign(dense.getType().getShape());
  if (!dense.isSplat() && dense.getNumElements() > kMaxElements)
    return std::nullopt;
  auto add = [&](auto x) -> bool {
    if constexpr (std::is_same_v<decltype(x), APFloat>)
      grid.numbers.push_back(toDouble(x));
    else if (auto number = fromInt(x, dense.getElementType()))
      grid.numbers.push_back(*number);
    else
      return false;
    return true;
  };
  if (dense.getNumElements() == 0)
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType())) {
    if (dense.isSplat())
      add(dense.getSplatValue<APFloat>());
    else
      for (APFloat x : dense.getValues<APFloat>())
        add(x);
    return grid;
  }
  if (dense.isSplat())
    return add(dense.getSplatValue<APInt>()) ? std::optional(grid)
                                             : std::nullopt;
  for (const APInt &x : dense.getValues<APInt>())
    if (!add(x))
      return std::nullopt;
  return grid;
}

/// The affine form that all numbers are, as a fact.
static std::optional<ValueFact> findForm(const Grid &grid) {
  SmallVector<int64_t> strides = rowMajorStrides(grid.shape);
  const double base = grid.numbers[0];
  if (!(std::abs(base) < 1e9) || base != std::floor(base))
    return std::nullopt;
  Form form{int64_t(base)};
  SmallVector<double> steps;
  for (auto [i, size] : llvm::enumerate(grid.shape)) {
    double step = size > 1 ? grid.numbers[strides[i]] - base : 0;
    if (!(std::abs(step) < 1e9) || step != std::floor(step))
      return std::nullopt;
    steps.push_back(step);
    if (step != 0)
      form.terms.push_back({AtomId(i), int64_t(step)});
  }
  for (auto [n, number] : llvm::enumerate(grid.numbers)) {
    double expected = base;
    for (auto [stride, size, step] :
         llvm::zip_equal(strides, grid.shape, steps))
      expected += step * double(int64_t(n) / stride % size);
    if (number != expected)
      return std::nullopt;
  }
  ValueFact fact;
  fact.kind = ValueFact::Kind::Index;
  fact.map = IndexingMap::identity(grid.shape).withResults(form).simplify();
  return fact;
}

/// Integers that change along one dimension, as consecutive progressions.
static FactList findRuns(const Grid &grid, unsigned dim) {
  const int64_t stride = rowMajorStrides(grid.shape)[dim],
                size = grid.shape[dim];
  FactList runs;
  for (int64_t i = 0; i < size;) {
    auto at = [&](int64_t k) { return grid.numbers[k * stride]; };
    const double step = i + 1 < size ? at(i + 1) - at(i) : 0;
    int64_t end = i + 1;
    while (end < size && at(end) - at(end - 1) == step)
      ++end;
    if (runs.size() == kMaxRuns || !(std::abs(at(i)) < 1e9) ||
        !(std::abs(step) < 1e9) || at(i) != std::floor(at(i)) ||
        step != std::floor(step))
      return {};
    IndexingMap all = IndexingMap::identity(grid.shape);
    SmallVector<Interval> ranges(all.getRanges());
    ranges[dim] = {i, end - 1};
    FormArena arena = all.getArena();
    ValueFact fact;
    fact.kind = ValueFact::Kind::Index;
    fact.map = all.withRanges(ranges)
                   .withResults(arena.addScaled(Form(int64_t(at(i) - step * i)),
                                                Form::ofAtom(dim), step))
                   .simplify();
    runs.push_back(std::move(fact));
    i = end;
  }
  return runs;
}

/// The dimensions along which numbers change.
static SmallVector<unsigned> findDims(const Grid &grid) {
  SmallVector<int64_t> strides = rowMajorStrides(grid.shape);
  SmallVector<unsigned> dims;
  for (auto [i, size] : llvm::enumerate(grid.shape)) {
    bool changes = false;
    for (int64_t n = 0, e = grid.numbers.size(); n < e && !changes; ++n) {
      if (n / strides[i] % size == 0)
        continue;
      double a = grid.numbers[n], b = grid.numbers[n - strides[i]];
      changes = a != b && !(std::isnan(a) && std::isnan(b));
    }
    if (changes)
      dims.push_back(i);
  }
  return dims;
}

namespace {
/// Regions of a plane, as maps over the constant's indices.
class PlaneReader {
public:
  PlaneReader(const Plane &plane, ArrayRef<int64_t> shape)
      : plane(plane), all(regions::getAll(shape)) {}

  bool readBand(int64_t block);
  bool readPeriod(int64_t period, bool isDifference);
  bool readBoxes();

  SmallVector<IndexingMap, 4> found;

private:
  const Plane &plane;
  IndexingMap all;
};
} // namespace

bool PlaneReader::readBand(int64_t block) {
  int64_t least = INT64_MAX, most = INT64_MIN;
  auto getKey = [&](int64_t i, int64_t j) { return i / block - j / block; };
  for (int64_t i = 0; i < plane.rows; ++i)
    for (int64_t j = 0; j < plane.columns; ++j)
      if (plane.at(i, j)) {
        least = std::min(least, getKey(i, j));
        most = std::max(most, getKey(i, j));
      }
  const int64_t first = -(plane.columns - 1) / block,
                last = (plane.rows - 1) / block;
  // All but a band, too.
  for (bool isOutside : {false, true}) {
    int64_t lower = least, upper = most;
    if (isOutside) {
      lower = INT64_MAX;
      upper = INT64_MIN;
      for (int64_t i = 0; i < plane.rows; ++i)
        for (int64_t j = 0; j < plane.columns; ++j)
          if (!plane.at(i, j)) {
            lower = std::min(lower, getKey(i, j));
            upper = std::max(upper, getKey(i, j));
          }
    }
    bool fits = true;
    for (int64_t i = 0; i < plane.rows && fits; ++i)
      for (int64_t j = 0; j < plane.columns && fits; ++j) {
        const int64_t key = getKey(i, j);
        fits = plane.at(i, j) == ((lower <= key && key <= upper) != isOutside);
      }
    if (!fits)
      continue;
    FormArena arena = all.getArena();
    Form key = arena.sub(arena.floorDiv(Form::ofAtom(plane.first), block),
                         arena.floorDiv(Form::ofAtom(plane.second), block));
    auto addRegion = [&](Interval interval) {
      IndexingMap region = all.withConstraint(arena, key, interval).simplify();
      if (!region.isKnownEmpty())
        found.push_back(region);
    };
    if (!isOutside)
      addRegion({lower, upper});
    if (isOutside && lower > first)
      addRegion({first, lower - 1});
    if (isOutside && upper < last)
      addRegion({upper + 1, last});
    return true;
  }
  return false;
}

bool PlaneReader::readPeriod(int64_t period, bool isDifference) {
  std::vector<int> seen(period, -1);
  for (int64_t i = 0; i < plane.rows; ++i)
    for (int64_t j = 0; j < plane.columns; ++j) {
      int64_t key = (isDifference ? i - j : i) % period;
      if (key < 0)
        key += period;
      if (seen[key] >= 0 && seen[key] != plane.at(i, j))
        return false;
      seen[key] = plane.at(i, j);
    }
  FormArena arena = all.getArena();
  Form i = Form::ofAtom(plane.first), j = Form::ofAtom(plane.second);
  Form key = arena.mod(isDifference ? arena.sub(i, j) : i, period);
  // Residues that follow each other are one region.
  for (int64_t r = 0; r < period;) {
    int64_t end = r;
    while (end < period && seen[end] == 1)
      ++end;
    if (end > r)
      found.push_back(
          all.withConstraint(arena, key, Interval(r, end - 1)).simplify());
    r = std::max(end, r + 1);
  }
  return true;
}

bool PlaneReader::readBoxes() {
  std::vector<char> left = plane.bits;
  for (int64_t i = 0; i < plane.rows; ++i)
    for (int64_t j = 0; j < plane.columns; ++j) {
      if (!left[i * plane.columns + j])
        continue;
      int64_t right = j, below = i + 1;
      while (right < plane.columns && left[i * plane.columns + right])
        ++right;
      auto isFull = [&](int64_t row) {
        for (int64_t k = j; k < right; ++k)
          if (!plane.at(row, k))
            return false;
        return true;
      };
      while (below < plane.rows && isFull(below))
        ++below;
      for (int64_t row = i; row < below; ++row)
        std::fill_n(left.begin() + row * plane.columns + j, right - j, 0);
      if (found.size() == kMaxBoxes)
        return false;
      SmallVector<Interval> ranges(all.getRanges());
      ranges[plane.first] = {i, below - 1};
      if (plane.second != plane.first)
        ranges[plane.second] = {j, right - 1};
      found.push_back(all.withRanges(ranges).simplify());
    }
  return true;
}

static SmallVector<IndexingMap, 4> describePlane(const Plane &plane,
                                                 ArrayRef<int64_t> shape) {
  const bool isPlane = plane.first != plane.second;
  const int64_t most = std::max(plane.rows, plane.columns);
  PlaneReader boxes(plane, shape);
  if (boxes.readBoxes() && boxes.found.size() <= 2)
    return boxes.found;
  if (isPlane)
    for (int64_t block = 1; block <= std::min<int64_t>(most / 2, 128);
         ++block) {
      PlaneReader reader(plane, shape);
      if (reader.readBand(block))
        return reader.found;
    }
  for (int64_t period = 2; period <= std::min<int64_t>(most / 2, 64); ++period)
    for (bool isDifference : {false, true}) {
      PlaneReader reader(plane, shape);
      if ((isPlane || !isDifference) &&
          reader.readPeriod(period, isDifference) && reader.found.size() <= 4)
        return reader.found;
    }
  return boxes.found;
}

/// Slices along one dimension that are zero.
static FactList findZeroSlices(const Grid &grid) {
  SmallVector<int64_t> strides = rowMajorStrides(grid.shape);
  IndexingMap all = regions::getAll(grid.shape);
  FactList facts;
  for (auto [dim, size] : llvm::enumerate(grid.shape)) {
    std::vector<char> isZero(size, true);
    for (auto [n, number] : llvm::enumerate(grid.numbers))
      if (number != 0)
        isZero[int64_t(n) / strides[dim] % size] = false;
    for (int64_t i = 0; i < size; ++i) {
      const int64_t begin = i;
      while (i < size && isZero[i])
        ++i;
      if (i == begin || facts.size() == kMaxFacts)
        continue;
      SmallVector<Interval> ranges(all.getRanges());
      ranges[dim] = {begin, i - 1};
      facts.push_back(makeNumber(0, all.withRanges(ranges).simplify()));
      facts.back().hasAnySign = true;
    }
  }
  return facts;
}

FactList tensoraccess::getConstantFacts(Attribute value, Type type) {
  FactList facts;
  std::optional<Grid> grid = readGrid(value, type);
  if (!grid)
    return facts;
  IndexingMap all = regions::getAll(grid->shape);
  const bool isSplat = llvm::all_of(
      grid->numbers, [&](double x) { return x == grid->numbers[0]; });
  // -0 has a sign that forms forget.
  const bool hasAnySign = llvm::any_of(
      grid->numbers, [](double x) { return x == 0 && std::signbit(x); });
  if (grid->numbers.size() == 1 || isSplat) {
    facts.push_back(makeNumber(grid->numbers[0], all));
    facts.back().hasAnySign = hasAnySign;
    return facts;
  }
  if (std::optional<ValueFact> form = findForm(*grid)) {
    form->hasAnySign = hasAnySign;
    return {*form};
  }
  std::set<double> numbers;
  bool hasNaN = false;
  for (double x : grid->numbers) {
    hasNaN |= std::isnan(x);
    if (!std::isnan(x) && numbers.size() <= 64)
      numbers.insert(x);
  }
  SmallVector<unsigned> dims = findDims(*grid);
  if (numbers.size() > kMaxNumbers && dims.size() == 1 &&
      !isa<FloatType>(getElementTypeOrSelf(type)))
    if (FactList runs = findRuns(*grid, dims[0]); !runs.empty())
      return runs;
  if (numbers.size() > kMaxNumbers) {
    std::set<double> special;
    for (double x : {0.0, 1.0, double(INFINITY), -double(INFINITY)})
      if (numbers.count(x) ||
          (numbers.size() > 64 && llvm::is_contained(grid->numbers, x)))
        special.insert(x);
    numbers = std::move(special);
  }
  if (hasNaN || dims.empty() || dims.size() > 2)
    return findZeroSlices(*grid);
  SmallVector<int64_t> strides = rowMajorStrides(grid->shape);
  Plane plane;
  plane.first = dims.front();
  plane.second = dims.back();
  plane.rows = grid->shape[plane.first];
  plane.columns = dims.size() == 2 ? grid->shape[plane.second] : 1;
  plane.bits.resize(plane.rows * plane.columns);
  for (double number : numbers) {
    for (int64_t i = 0; i < plane.rows; ++i)
      for (int64_t j = 0; j < plane.columns; ++j)
        plane.bits[i * plane.columns + j] =
            grid->numbers[i * strides[plane.first] +
                          (dims.size() == 2 ? j * strides[plane.second] : 0)] ==
            number;
    for (const IndexingMap &region : describePlane(plane, grid->shape)) {
      facts.push_back(makeNumber(number, region));
      facts.back().hasAnySign = number == 0;
    }
  }
  return facts;
}
