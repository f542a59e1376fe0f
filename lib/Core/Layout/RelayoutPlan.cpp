//===- RelayoutPlan.cpp - Moving elements between layouts -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of RelayoutPlan.h:
//   1. Both sides' digits per dimension, with the room that each has in memory,
//      which is more than its values where a tile pads. f32[5,130] in tiles of
//      8x128 has
//        d0: ⌊d0 / 1⌋ mod 5, stride 128, room for 8
//        d1: ⌊d1 / 1⌋ mod 128, stride 1; ⌊d1 / 128⌋ mod 2, stride 1024
//   2. The sizes of both shapes, from minor to major, cut the array into *axes*
//      on which each side has its own digits: [6,4] and [2,12] have the axes
//      2, 3, 4. Shapes whose products meet only at the ends of a block make
//      that block one table.
//   3. The divisors within an axis make its loops, and its boundaries: with the
//      divisors 1, 8 and 64 on 83 elements the pieces are 1·8·8, 2·8 and 3.
//   4. The product of the axes' pieces, neighbouring loops joined.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/RelayoutPlan.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutNest.h"
#include "TensorAccess/Core/ReshapeSteps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/InterleavedRange.h"

#include <numeric>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// Beyond this many nests, or table entries, something simpler is taken.
static constexpr size_t kMaxBoxes = 4096;
static constexpr int64_t kMaxTable = int64_t(1) << 25;

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

RelayoutSide RelayoutSide::get(Layout layout) {
  RelayoutSide side;
  side.shape.assign(layout.shape->begin(), layout.shape->end());
  std::string reason;
  side.nest = getNest(layout, reason);
  side.layout = std::move(layout);
  return side;
}

RelayoutSide RelayoutSide::strided(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> strides) {
  RelayoutSide side;
  side.shape.assign(shape.begin(), shape.end());
  side.strides.assign(strides.begin(), strides.end());
  return side;
}

RelayoutSide RelayoutSide::ofNest(ArrayRef<int64_t> shape,
                                  ArrayRef<NestDigit> nest) {
  RelayoutSide side;
  side.shape.assign(shape.begin(), shape.end());
  side.nest.emplace(nest);
  return side;
}

std::optional<int64_t> RelayoutSide::getPlaces() const {
  if (layout) {
    auto physical = layout->getPhysicalShape();
    return physical ? checkedProduct(*physical) : std::nullopt;
  }
  if (!nest || llvm::is_contained(shape, 0))
    return checkedProduct(shape);
  return checkedProduct(
      llvm::map_to_vector(*nest, [](const NestDigit &d) { return d.size; }));
}

std::optional<int64_t> RelayoutSide::getPaddedElements() const {
  return layout ? layout->getPaddedElements() : getPlaces();
}

int64_t RelayoutSide::linearize(ArrayRef<int64_t> index) const {
  if (layout)
    return *layout->linearize(index);
  if (!nest)
    return std::inner_product(index.begin(), index.end(), strides.begin(),
                              int64_t(0));
  int64_t number = 0;
  for (const NestDigit &digit : *nest)
    number =
        number * digit.size +
        (digit.dim < 0 ? 0 : index[digit.dim] / digit.divisor % digit.used);
  return number;
}

namespace {
/// ⌊index / divisor⌋ mod count, of which `extent` ≥ count have room.
struct PaddedDigit {
  int64_t divisor, count, extent, stride;
};

struct SideDigits {
  /// Per dimension, minor first; each divisor is the one before times its
  /// count. Digits of one value are left out.
  SmallVector<SmallVector<PaddedDigit, 3>, 4> dims;
  /// Digits that are always 0, but have room for more.
  SmallVector<PaddedDigit, 2> padding;
};
} // namespace

/// The digits of memory, of an array with elements.
static SideDigits getPaddedDigits(ArrayRef<NestDigit> nest, size_t rank) {
  SideDigits digits;
  digits.dims.resize(rank);
  int64_t stride = 1;
  for (const NestDigit &digit : llvm::reverse(nest)) {
    PaddedDigit padded{digit.divisor, digit.used, digit.size, stride};
    if (digit.isPadding())
      digits.padding.push_back(padded);
    else
      digits.dims[digit.dim].push_back(padded);
    stride *= digit.size;
  }
  for (auto &own : digits.dims)
    llvm::sort(own, [](const PaddedDigit &a, const PaddedDigit &b) {
      return a.divisor < b.divisor;
    });
  return digits;
}

/// The digits of a side, dimensions permuted.
static std::optional<SideDigits>
getSideDigits(const RelayoutSide &side,
              const std::optional<SmallVector<NestDigit>> &nest,
              ArrayRef<int64_t> permutation) {
  SideDigits digits;
  if (!side.isStrided()) {
    if (!nest)
      return std::nullopt;
    digits = getPaddedDigits(*nest, side.getShape().size());
  } else {
    SmallVector<int64_t> unit(side.getShape().size(), 0);
    for (auto [d, size] : llvm::enumerate(side.getShape())) {
      unit[d] = 1;
      digits.dims.push_back({{1, size, size, side.linearize(unit)}});
      unit[d] = 0;
    }
  }
  SmallVector<SmallVector<PaddedDigit, 3>, 4> permuted;
  for (int64_t d : permutation)
    permuted.push_back(digits.dims[d]);
  digits.dims = std::move(permuted);
  return digits;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

namespace {
/// A part of the array that is a part of one dimension on either side: of the
/// dimension's index, ⌊index / inner⌋ mod size.
struct Axis {
  int64_t size;
  size_t dim[2];
  int64_t inner[2];
};

/// Dimensions of both sides whose sizes have the same product.
struct DimBlock {
  int64_t size = 1;
  /// First dimension and number of dimensions.
  size_t begin[2], count[2];
};

/// One loop of an axis before it is cut: digit ⌊x / divisor⌋, `count` of which
/// make the next one.
struct Level {
  int64_t divisor, count, extent;
  int64_t stride[2];
  /// Whether steps up to `extent` stay inside of the target's digit.
  bool isPadded = false;
};

/// A part of an axis: loops from major to minor, and where it begins.
struct Piece {
  int64_t offset[2] = {0, 0};
  SmallVector<RelayoutLoop, 4> loops;
};
} // namespace

/// The finest blocks of two shapes of equally many elements, from minor to
/// major.
static SmallVector<DimBlock> getBlocks(ArrayRef<int64_t> a,
                                       ArrayRef<int64_t> b) {
  auto reversed = [](ArrayRef<int64_t> shape) {
    return SmallVector<int64_t>(shape.rbegin(), shape.rend());
  };
  SmallVector<DimBlock> blocks;
  auto steps = getReshapeSteps(reversed(a), reversed(b));
  for (const ReshapeStep &step : *steps) {
    size_t i = a.size() - step.inputStart - step.inputCount;
    size_t j = b.size() - step.outputStart - step.outputCount;
    blocks.push_back({*checkedProduct(a.slice(i, step.inputCount)),
                      {i, j},
                      {step.inputCount, step.outputCount}});
  }
  return blocks;
}

/// Cuts a block into axes, from minor to major; false if the sizes don't nest.
static bool getAxes(const DimBlock &block, ArrayRef<int64_t> a,
                    ArrayRef<int64_t> b, SmallVectorImpl<Axis> &axes) {
  ArrayRef<int64_t> shapes[2] = {a.slice(block.begin[0], block.count[0]),
                                 b.slice(block.begin[1], block.count[1])};
  size_t next[2] = {block.count[0], block.count[1]};
  // What is left of the current dimension, and what has been taken of it.
  int64_t rest[2] = {1, 1}, inner[2] = {1, 1};
  for (int64_t done = 1; done < block.size;) {
    for (int side : {0, 1})
      while (rest[side] == 1) {
        rest[side] = shapes[side][--next[side]];
        inner[side] = 1;
      }
    int64_t size = std::min(rest[0], rest[1]);
    if (rest[0] % size != 0 || rest[1] % size != 0)
      return false;
    Axis axis;
    axis.size = size;
    for (int side : {0, 1}) {
      axis.dim[side] = block.begin[side] + next[side];
      axis.inner[side] = inner[side];
      rest[side] /= size;
      inner[side] *= size;
    }
    done *= size;
    axes.push_back(axis);
  }
  return true;
}

/// The digit of a dimension that the divisor belongs to.
static const PaddedDigit &digitOf(ArrayRef<PaddedDigit> digits,
                                  int64_t divisor) {
  for (const PaddedDigit &digit : llvm::reverse(digits))
    if (digit.divisor <= divisor)
      return digit;
  return digits.front();
}

/// The loops of an axis, from minor to major; std::nullopt if the divisors of
/// both sides don't nest, or if digits reach over the axis's end.
static std::optional<SmallVector<Level>>
getLevels(const Axis &axis, const SideDigits (&sides)[2],
          ArrayRef<int64_t> (&shapes)[2]) {
  SmallVector<int64_t> divisors = {1};
  for (int s : {0, 1}) {
    int64_t inner = axis.inner[s], end = inner * axis.size;
    bool isOutermost = end == shapes[s][axis.dim[s]];
    for (const PaddedDigit &digit : sides[s].dims[axis.dim[s]]) {
      if (digit.divisor <= inner || digit.divisor >= end)
        continue;
      if (digit.divisor % inner != 0 ||
          (end % digit.divisor != 0 && !isOutermost))
        return std::nullopt;
      divisors.push_back(digit.divisor / inner);
    }
  }
  llvm::sort(divisors);
  divisors.erase(llvm::unique(divisors), divisors.end());

  SmallVector<Level> levels;
  for (auto [i, divisor] : llvm::enumerate(divisors)) {
    Level level;
    level.divisor = divisor;
    bool isLast = i + 1 == divisors.size();
    if (!isLast && divisors[i + 1] % divisor != 0)
      return std::nullopt;
    level.count = isLast ? ceilDivPositive(axis.size, divisor)
                         : divisors[i + 1] / divisor;
    level.extent = level.count;
    for (int s : {0, 1}) {
      int64_t whole = divisor * axis.inner[s];
      const PaddedDigit &digit = digitOf(sides[s].dims[axis.dim[s]], whole);
      level.stride[s] = digit.stride * (whole / digit.divisor);
    }
    levels.push_back(level);
  }
  return levels;
}

/// Lets loops run over the padding of the target's digits, where the loops of a
/// digit nest in it: then a step of any of them stays inside of the digit.
static void addPadding(llvm::MutableArrayRef<Level> levels, const Axis &axis,
                       ArrayRef<PaddedDigit> digits, int64_t dimSize) {
  for (const PaddedDigit &digit : digits) {
    int64_t begin = digit.divisor, end = digit.divisor * digit.count;
    SmallVector<Level *> own;
    int64_t unit = 1;
    bool isNested = true;
    for (Level &level : levels) {
      int64_t whole = level.divisor * axis.inner[1];
      if (whole < begin || whole >= end)
        continue;
      isNested &= (whole / begin) % unit == 0;
      unit = whole / begin;
      own.push_back(&level);
    }
    if (own.empty())
      continue;
    int64_t reach = own.back()->divisor * own.back()->count * axis.inner[1];
    bool isTop = reach >= std::min(end, dimSize);
    int64_t next =
        isTop ? digit.extent : axis.inner[1] * axis.size / digit.divisor;
    if (!isNested || next % unit != 0)
      continue;
    for (Level *level : own)
      level->isPadded = true;
    if (isTop)
      own.back()->extent = digit.extent / unit;
  }
}

/// Appends the pieces of the first `size` elements of an axis, of which
/// `levels` are the loops, to `pieces`; each begins with `piece`.
static void cut(ArrayRef<Level> levels, int64_t size, Piece piece,
                SmallVectorImpl<Piece> &pieces) {
  const Level &level = levels.back();
  int64_t whole = size / level.divisor, rest = size % level.divisor;
  int64_t extent = level.isPadded ? level.extent : whole + (rest > 0);
  auto loop = [&](const Level &l, int64_t loopExtent, int64_t valid) {
    return RelayoutLoop{loopExtent, valid, l.stride[0], l.stride[1]};
  };
  if (whole > 0) {
    Piece &full = pieces.emplace_back(piece);
    full.loops.push_back(loop(level, rest == 0 ? extent : whole, whole));
    for (const Level &inner : llvm::reverse(levels.drop_back()))
      full.loops.push_back(loop(inner, inner.extent, inner.count));
  }
  if (rest == 0)
    return;
  for (int s : {0, 1})
    piece.offset[s] += whole * level.stride[s];
  piece.loops.push_back(loop(level, extent - whole, 1));
  cut(levels.drop_back(), rest, std::move(piece), pieces);
}

void RelayoutBox::normalize() {
  llvm::erase_if(loops,
                 [](const RelayoutLoop &loop) { return loop.extent == 1; });
  llvm::sort(loops, [](const RelayoutLoop &a, const RelayoutLoop &b) {
    return std::make_pair(a.targetStride, a.extent) >
           std::make_pair(b.targetStride, b.extent);
  });
  SmallVector<RelayoutLoop, 8> joined;
  for (const RelayoutLoop &inner : loops) {
    if (!joined.empty()) {
      RelayoutLoop &outer = joined.back();
      bool isOneTarget =
          outer.targetStride == checkedMul(inner.targetStride, inner.extent);
      bool isOneSource =
          inner.valid == inner.extent &&
          outer.sourceStride == checkedMul(inner.sourceStride, inner.extent);
      std::optional<int64_t> extent = checkedMul(outer.extent, inner.extent);
      if (extent && isOneTarget && (isOneSource || outer.valid == 1)) {
        outer = {*extent,
                 outer.valid == 1 ? inner.valid : outer.valid * inner.extent,
                 inner.sourceStride, inner.targetStride};
        continue;
      }
    }
    joined.push_back(inner);
  }
  loops = std::move(joined);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// The range of the numbers of strided elements; std::nullopt on overflow.
static std::optional<std::pair<int64_t, int64_t>>
getStridedRange(const RelayoutSide &side) {
  int64_t low = 0, high = 0;
  SmallVector<int64_t> unit(side.getShape().size(), 0);
  for (auto [d, size] : llvm::enumerate(side.getShape())) {
    unit[d] = 1;
    std::optional<int64_t> reach = checkedMul(size - 1, side.linearize(unit));
    unit[d] = 0;
    std::optional<int64_t> next =
        reach ? checkedAdd(*reach < 0 ? low : high, *reach) : std::nullopt;
    if (!next)
      return std::nullopt;
    (*reach < 0 ? low : high) = *next;
  }
  std::optional<int64_t> end = checkedAdd(high, 1);
  if (!end)
    return std::nullopt;
  return std::make_pair(low, *end);
}

static std::string print(ArrayRef<int64_t> values) {
  return llvm::interleaved_array(values).str();
}

std::optional<RelayoutPlan> RelayoutPlan::get(const RelayoutSide &source,
                                              const RelayoutSide &target,
                                              ArrayRef<int64_t> permutation,
                                              std::string &error) {
  RelayoutPlan plan;
  size_t rank = source.getShape().size();
  plan.permutation.assign(permutation.begin(), permutation.end());
  if (permutation.empty())
    for (size_t d = 0; d < rank; ++d)
      plan.permutation.push_back(d);
  if (!isPermutation(plan.permutation, rank)) {
    error = "permutation " + print(permutation) +
            " does not have each of the source's " + std::to_string(rank) +
            " dimensions once";
    return std::nullopt;
  }
  if (target.isStrided()) {
    error = "the target of a relayout needs a layout";
    return std::nullopt;
  }
  std::optional<int64_t> from = checkedProduct(source.getShape());
  std::optional<int64_t> to = checkedProduct(target.getShape());
  std::optional<int64_t> padded = target.getPaddedElements();
  std::optional<int64_t> sourcePadded = source.getPaddedElements();
  if (!from || !to || !padded || !sourcePadded) {
    error = "the size of " +
            print(from ? target.getShape() : source.getShape()) +
            " in memory does not fit 63 bits";
    return std::nullopt;
  }
  if (*from != *to) {
    error = "source " + print(source.getShape()) + " has " +
            std::to_string(*from) + " elements, but target " +
            print(target.getShape()) + " has " + std::to_string(*to);
    return std::nullopt;
  }
  plan.elements = *from;
  plan.targetElements = *padded;
  plan.tailBegin = *target.getPlaces();
  if (plan.elements == 0) {
    plan.zerosFirst = plan.targetElements > 0;
    return plan;
  }
  if (!source.isStrided()) {
    plan.sourceRange = {0, *sourcePadded};
  } else if (auto range = getStridedRange(source)) {
    plan.sourceRange = *range;
  } else {
    error = "the strides of the source reach over 63 bits";
    return std::nullopt;
  }
  plan.build(source, target);
  return plan;
}

/// The source's shape after the permutation.
static SmallVector<int64_t> permutedShape(const RelayoutSide &source,
                                          ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> shape;
  for (int64_t d : permutation)
    shape.push_back(source.getShape()[d]);
  return shape;
}

/// The boxes of a plan and how many places they cover; std::nullopt if the
/// digits of both sides make no loops, or too many.
static std::optional<int64_t> buildBoxes(const SideDigits (&sides)[2],
                                         ArrayRef<int64_t> (&shapes)[2],
                                         ArrayRef<DimBlock> blocks,
                                         SmallVectorImpl<RelayoutBox> &boxes) {
  // The boxes so far, with the loops that only pad.
  SmallVector<Piece> pieces(1);
  for (const PaddedDigit &digit : sides[1].padding)
    pieces[0].loops.push_back({digit.extent, 1, 0, digit.stride});
  for (const DimBlock &block : blocks) {
    SmallVector<Axis> axes;
    if (!getAxes(block, shapes[0], shapes[1], axes))
      return std::nullopt;
    for (const Axis &axis : axes) {
      std::optional<SmallVector<Level>> levels = getLevels(axis, sides, shapes);
      if (!levels)
        return std::nullopt;
      addPadding(*levels, axis, sides[1].dims[axis.dim[1]],
                 shapes[1][axis.dim[1]]);
      SmallVector<Piece> own, all;
      cut(*levels, axis.size, {}, own);
      if (own.size() * pieces.size() > kMaxBoxes)
        return std::nullopt;
      for (const Piece &outer : pieces)
        for (const Piece &inner : own) {
          Piece &piece = all.emplace_back(outer);
          for (int s : {0, 1})
            piece.offset[s] += inner.offset[s];
          llvm::append_range(piece.loops, inner.loops);
        }
      pieces = std::move(all);
    }
  }

  int64_t covered = 0;
  for (const Piece &piece : pieces) {
    RelayoutBox box{piece.offset[0], piece.offset[1], {}};
    box.loops.assign(piece.loops.begin(), piece.loops.end());
    box.normalize();
    int64_t count = 1;
    for (const RelayoutLoop &loop : box.loops)
      count *= loop.extent;
    covered += count;
    boxes.push_back(std::move(box));
  }
  return covered;
}

/// The place of index `x` of a block, in row-major order of its dimensions.
static int64_t getOffset(const SideDigits &side, ArrayRef<int64_t> shape,
                         size_t begin, size_t count, int64_t x) {
  int64_t offset = 0;
  for (size_t d = begin + count; d-- > begin; x /= shape[d]) {
    int64_t index = x % shape[d];
    for (const PaddedDigit &digit : side.dims[d])
      offset += (index / digit.divisor) % digit.count * digit.stride;
  }
  return offset;
}

void RelayoutPlan::build(const RelayoutSide &source,
                         const RelayoutSide &target) {
  SmallVector<int64_t> from = permutedShape(source, permutation);
  ArrayRef<int64_t> shapes[2] = {from, target.getShape()};
  std::optional<SideDigits> a = getSideDigits(source, source.nest, permutation);
  std::optional<SideDigits> b =
      getSideDigits(target, target.nest,
                    llvm::to_vector(llvm::seq<int64_t>(0, shapes[1].size())));
  SmallVector<DimBlock> blocks = getBlocks(shapes[0], shapes[1]);
  const bool hasDigits = a && b;
  SideDigits digits[2];
  if (hasDigits) {
    digits[0] = std::move(*a);
    digits[1] = std::move(*b);
    if (auto covered = buildBoxes(digits, shapes, blocks, boxes)) {
      zerosFirst = *covered != tailBegin;
      return;
    }
  }
  zerosFirst = tailBegin != elements;
  bool isSmall = llvm::all_of(
      blocks, [](const DimBlock &block) { return block.size <= kMaxTable; });
  if (!hasDigits || !isSmall) {
    kind = Kind::Elements;
    sides = {source, target};
    return;
  }
  kind = Kind::Tables;
  for (const DimBlock &block : llvm::reverse(blocks)) {
    RelayoutTable table;
    for (int64_t x = 0; x < block.size; ++x) {
      table.source.push_back(
          getOffset(digits[0], shapes[0], block.begin[0], block.count[0], x));
      table.target.push_back(
          getOffset(digits[1], shapes[1], block.begin[1], block.count[1], x));
    }
    tables.push_back(std::move(table));
  }
}

bool RelayoutPlan::isIdentity() const {
  if (kind != Kind::Boxes || zerosFirst || boxes.size() != 1 ||
      targetElements != elements || boxes[0].source != 0)
    return false;
  ArrayRef<RelayoutLoop> loops = boxes[0].loops;
  return loops.empty() ||
         (loops.size() == 1 && loops[0].sourceStride == 1 &&
          loops[0].valid == elements && loops[0].targetStride == 1);
}

/// Runs through all valid steps of a nest.
static void walk(const RelayoutBox &box,
                 llvm::function_ref<void(int64_t, int64_t)> move) {
  SmallVector<int64_t> step(box.loops.size(), 0);
  int64_t source = box.source, target = box.target;
  while (true) {
    move(source, target);
    size_t i = box.loops.size();
    for (; i > 0; --i) {
      const RelayoutLoop &loop = box.loops[i - 1];
      source += loop.sourceStride;
      target += loop.targetStride;
      if (++step[i - 1] < loop.valid)
        break;
      source -= loop.sourceStride * loop.valid;
      target -= loop.targetStride * loop.valid;
      step[i - 1] = 0;
    }
    if (i == 0)
      return;
  }
}

void RelayoutPlan::forEach(
    llvm::function_ref<void(int64_t, int64_t)> move) const {
  if (elements == 0)
    return;
  if (kind == Kind::Boxes) {
    for (const RelayoutBox &box : boxes)
      walk(box, move);
    return;
  }
  if (kind == Kind::Tables) {
    SmallVector<size_t> step(tables.size(), 0);
    for (int64_t n = 0; n < elements; ++n) {
      int64_t source = 0, target = 0;
      for (auto [table, i] : llvm::zip_equal(tables, step)) {
        source += table.source[i];
        target += table.target[i];
      }
      move(source, target);
      for (size_t t = tables.size(); t-- > 0;) {
        if (++step[t] < tables[t].source.size())
          break;
        step[t] = 0;
      }
    }
    return;
  }
  // The logical array, element by element.
  SmallVector<int64_t> from = permutedShape(sides[0], permutation);
  SmallVector<int64_t> sourceIndex(from.size());
  for (int64_t n = 0; n < elements; ++n) {
    for (auto [dim, at] : llvm::zip_equal(permutation, unravel(n, from)))
      sourceIndex[dim] = at;
    move(sides[0].linearize(sourceIndex),
         sides[1].linearize(unravel(n, sides[1].getShape())));
  }
}
