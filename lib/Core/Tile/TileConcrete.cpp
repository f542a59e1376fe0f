//===- TileConcrete.cpp - Tiles of numbers --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Clip the source tile to the ranges of the dims.
//   2. Run the engine on numbers; clip each result to its bounds.
//   3. Where the engine finds no box and few points are left, walk them: the
//      set of results either is a box, or provably none.
//
//===----------------------------------------------------------------------===//

#include "TileEngine.h"

#include "TensorAccess/Core/Counting.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::detail;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::Twine;

/// Steps of the question whether a mask leaves anything.
static constexpr uint64_t kMaskBudget = 1u << 12;

//===----------------------------------------------------------------------===//
// Tile
//===----------------------------------------------------------------------===//

std::optional<int64_t> StridedTile::getNumElements() const {
  SmallVector<int64_t, 4> sizes;
  for (const TileDim &dim : dims)
    sizes.push_back(dim.size);
  return isEmpty ? 0 : checkedProduct(sizes);
}

bool StridedTile::contains(ArrayRef<int64_t> element) const {
  if (isEmpty || element.size() != dims.size())
    return false;
  for (auto [x, dim] : llvm::zip(element, dims)) {
    std::optional<int64_t> distance = checkedSub(x, dim.offset);
    if (!distance || *distance < 0 || *distance % dim.stride != 0 ||
        *distance / dim.stride >= dim.size)
      return false;
  }
  return !mask || mask->containsPoint(element);
}

/// x + 1, which may be 2^63.
static std::string textPast(int64_t x) {
  return x < 0 ? std::to_string(x + 1)
               : std::to_string(static_cast<uint64_t>(x) + 1);
}

std::string StridedTile::str() const {
  std::string s = "[";
  for (const TileDim &dim : dims) {
    s += s.size() > 1 ? ", " : "";
    s += std::to_string(dim.offset) + ":" +
         (dim.size <= 0 ? std::to_string(dim.offset) : textPast(dim.last()));
    if (dim.stride != 1)
      s += ":" + std::to_string(dim.stride);
  }
  s += "]";
  if (isEmpty)
    s += ", empty";
  if (mask)
    s += ", masked";
  if (!isExact)
    s += ", covering";
  return s;
}

static StridedTile getEmptyTile(unsigned rank) {
  StridedTile tile;
  tile.dims.assign(rank, {0, 0, 1});
  tile.isEmpty = true;
  return tile;
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

static bool fail(TileFailure &failure, const Twine &message) {
  failure.message = message.str();
  return false;
}

/// The part of a tile inside of a range; of size 0 where there is none.
static TileDim clip(const TileDim &dim, Interval range) {
  // offset + stride*k in the range.
  Interval counts = {0, dim.size - 1};
  if (range.hasLower() && dim.offset < range.lower) {
    std::optional<int64_t> missing = checkedSub(range.lower, dim.offset);
    counts.lower =
        missing ? ceilDivPositive(*missing, dim.stride) : Interval::kNoUpper;
  }
  if (range.hasUpper()) {
    std::optional<int64_t> room = checkedSub(range.upper, dim.offset);
    counts.upper =
        std::min(counts.upper, room ? floorDivPositive(*room, dim.stride) : -1);
  }
  if (counts.isEmpty())
    return {0, 0, 1};
  return {dim.offset + dim.stride * counts.lower,
          counts.upper - counts.lower + 1, dim.stride};
}

/// Step 1. Sizes may become 0; strides positive. False on wrong input.
static bool clip(const IndexingMap &map, ArrayRef<TileDim> dims,
                 ArrayRef<int64_t> runtime, SmallVectorImpl<TileDim> &out,
                 TileFailure &failure) {
  failure = TileFailure();
  if (map.isUnknown())
    return fail(failure,
                "the map is unknown: " + describe(map.getUnknownReason()));
  if (dims.size() != map.getNumDims())
    return fail(failure, "the map has " + Twine(map.getNumDims()) +
                             " dims, got a tile of " + Twine(dims.size()));
  if (runtime.size() != map.getNumRuntime())
    return fail(failure, "the map has " + Twine(map.getNumRuntime()) +
                             " runtime variables, got values for " +
                             Twine(runtime.size()));
  for (auto [i, value] : llvm::enumerate(runtime))
    if (!map.getRuntimeRanges()[i].contains(value))
      return fail(failure, "runtime variable " +
                               map.getVariableName(map.getNumDims() +
                                                   map.getNumSymbols() + i) +
                               " is out of its range, got " + Twine(value));
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim.size < 1)
      return fail(failure, "size " + Twine(i) + " must be positive, got " +
                               Twine(dim.size));
    TileDim x = dim;
    std::optional<int64_t> span = checkedMul(x.size - 1, x.stride);
    std::optional<int64_t> last =
        span ? checkedAdd(x.offset, *span) : std::nullopt;
    if (!last || x.stride == Interval::kNoLower)
      return fail(failure, "dim " + Twine(i) + " overflows 64-bit arithmetic");
    if (x.stride == 0)
      x.size = 1;
    if (x.size == 1)
      x.stride = 1;
    if (x.stride < 0)
      x = {*last, x.size, -x.stride};
    out.push_back(clip(x, map.getDimRanges()[i]));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Step 2
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getNumber(const ExprForms &expr) {
  for (const ExprForms::Case &c : expr.cases) {
    if (!c.guard.isConstant())
      return std::nullopt;
    if (c.guard.constant > 1)
      return c.value.isConstant() ? std::optional<int64_t>(c.value.constant)
                                  : std::nullopt;
  }
  return expr.otherwise.isConstant()
             ? std::optional<int64_t>(expr.otherwise.constant)
             : std::nullopt;
}

static std::optional<StridedTile> getStructuralTile(const IndexingMap &map,
                                                    ArrayRef<TileDim> dims,
                                                    ArrayRef<int64_t> runtime,
                                                    TileFailure &failure) {
  FormArena arena;
  SmallVector<SourceDim, 4> source;
  for (const TileDim &dim : dims)
    source.push_back({Form(dim.offset), Form(dim.size), dim.stride});
  SmallVector<Form, 2> values(runtime.begin(), runtime.end());
  TileEngine engine(map, arena, /*isSymbolic=*/false);
  if (!engine.run(source, values)) {
    failure = engine.failure;
    return std::nullopt;
  }
  if (engine.isEmpty)
    return getEmptyTile(map.getNumResults());
  StridedTile tile;
  for (const ResultForms &r : engine.results) {
    std::optional<int64_t> size = getNumber(r.size),
                           stride = getNumber(r.stride);
    if (!size || !stride || !r.offset.isConstant()) {
      failure.message = "the tile's forms are not numbers";
      return std::nullopt;
    }
    TileDim dim = clip({r.offset.constant, *size, *stride},
                       {r.lower ? r.lower->constant : Interval::kNoLower,
                        r.upper ? r.upper->constant : Interval::kNoUpper});
    if (dim.size <= 0)
      return getEmptyTile(map.getNumResults());
    if (dim.size == 1)
      dim.stride = 1;
    tile.dims.push_back(dim);
  }
  if (engine.masks.empty())
    return tile;
  IndexingMapBuilder builder;
  SmallVector<Form, 4> elements;
  for (const TileDim &dim : tile.dims)
    elements.push_back(builder.addDim({dim.offset, dim.last()}));
  for (const Form &element : elements)
    builder.addResult(element);
  for (const MaskForms &mask : engine.masks) {
    Form form;
    for (auto [r, coefficient] : mask.terms)
      builder.arena().accumulate(form, elements[r], coefficient);
    builder.addConstraint(form, mask.interval);
  }
  IndexingMap masked = builder.build().simplify();
  if (masked.isUnknown()) {
    failure.message = "the mask is unknown";
    return std::nullopt;
  }
  // A mask may leave nothing without looking like it.
  if (masked.isKnownEmpty() || isEmpty(masked, kMaskBudget) == true)
    return getEmptyTile(map.getNumResults());
  tile.mask = masked;
  return tile;
}

//===----------------------------------------------------------------------===//
// Step 3
//===----------------------------------------------------------------------===//

/// The box that a set of points is. std::nullopt if it is not a box, with the
/// reason.
static std::optional<StridedTile>
getBox(const IndexingMap &map, const std::set<std::vector<int64_t>> &points,
       TileFailure &failure) {
  const unsigned rank = map.getNumResults();
  if (points.empty())
    return getEmptyTile(rank);
  StridedTile tile;
  size_t combinations = 1;
  for (unsigned r = 0; r != rank; ++r) {
    std::set<int64_t> indices;
    for (const std::vector<int64_t> &p : points)
      indices.insert(p[r]);
    TileDim dim{*indices.begin(), int64_t(indices.size()), 1};
    if (indices.size() > 1)
      dim.stride = *std::next(indices.begin()) - dim.offset;
    int64_t expected = dim.offset;
    for (int64_t index : indices) {
      if (index != expected) {
        failure.result = r;
        failure.message = "result " + std::to_string(r) + ", " +
                          map.formText(map.getResult(r)) +
                          ": the indices read have no constant stride: " +
                          std::to_string(index) + " follows " +
                          std::to_string(expected - dim.stride);
        return std::nullopt;
      }
      expected += dim.stride;
    }
    tile.dims.push_back(dim);
    combinations *= indices.size();
  }
  if (combinations == points.size())
    return tile;
  failure.message = "the results are not a box: of " +
                    std::to_string(combinations) + " combinations of indices " +
                    std::to_string(points.size()) + " are read";
  return std::nullopt;
}

std::optional<StridedTile> tensoraccess::getTile(const IndexingMap &map,
                                                 ArrayRef<TileDim> dims,
                                                 ArrayRef<int64_t> runtime,
                                                 TileFailure &failure,
                                                 uint64_t budget) {
  SmallVector<TileDim, 4> clipped;
  if (!clip(map, dims, runtime, clipped, failure))
    return std::nullopt;
  if (map.isKnownEmpty() ||
      llvm::any_of(clipped, [](const TileDim &d) { return d.size == 0; }))
    return getEmptyTile(map.getNumResults());
  if (std::optional<StridedTile> tile =
          getStructuralTile(map, clipped, runtime, failure))
    return tile;

  // Dims, then symbols, as progressions.
  SmallVector<TileDim, 8> walk(clipped.begin(), clipped.end());
  for (Interval range : map.getSymbolRanges()) {
    if (range.isEmpty())
      return getEmptyTile(map.getNumResults());
    std::optional<int64_t> size =
        range.isFinite() ? range.size() : std::nullopt;
    if (!size)
      return std::nullopt;
    walk.push_back({range.lower, *size, 1});
  }
  uint64_t numPoints = 1;
  for (const TileDim &dim : walk)
    if (__builtin_mul_overflow(numPoints, uint64_t(dim.size), &numPoints) ||
        numPoints > budget)
      return std::nullopt;
  const unsigned numDims = map.getNumDims();
  SmallVector<int64_t, 8> count(walk.size(), 0), point(walk.size());
  std::set<std::vector<int64_t>> points;
  for (uint64_t i = 0; i != numPoints; ++i) {
    for (auto [x, k, dim] : llvm::zip(point, count, walk))
      x = dim.offset + dim.stride * k;
    ArrayRef<int64_t> values = point;
    auto result = map.evaluate(values.take_front(numDims),
                               values.drop_front(numDims), runtime);
    if (result)
      points.insert(std::vector<int64_t>(result->begin(), result->end()));
    for (size_t k = walk.size(); k-- > 0 && ++count[k] == walk[k].size;)
      count[k] = 0;
  }
  return getBox(map, points, failure);
}

std::optional<StridedTile>
tensoraccess::getCoveringTile(const IndexingMap &map, ArrayRef<TileDim> dims,
                              ArrayRef<int64_t> runtime, TileFailure &failure) {
  if (std::optional<StridedTile> tile = getTile(map, dims, runtime, failure))
    return tile;
  SmallVector<TileDim, 4> clipped;
  TileFailure ignored;
  if (!clip(map, dims, runtime, clipped, ignored))
    return std::nullopt;
  SmallVector<Interval, 8> ranges;
  for (const TileDim &dim : clipped)
    ranges.push_back({dim.offset, dim.last()});
  ranges.append(map.getSymbolRanges().begin(), map.getSymbolRanges().end());
  for (int64_t value : runtime)
    ranges.push_back(Interval::point(value));
  IndexingMap restricted = map.withRanges(ranges).simplify();
  if (restricted.isUnknown())
    return std::nullopt;
  if (restricted.isKnownEmpty())
    return getEmptyTile(map.getNumResults());
  StridedTile tile;
  tile.isExact = false;
  for (unsigned r = 0; r != map.getNumResults(); ++r) {
    Interval range = restricted.getResultRange(r);
    std::optional<int64_t> size =
        range.isFinite() ? range.size() : std::nullopt;
    if (!size)
      return std::nullopt;
    tile.dims.push_back({range.lower, *size, 1});
  }
  return tile;
}
