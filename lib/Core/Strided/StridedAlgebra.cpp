//===- StridedAlgebra.cpp - Composition, inverses, tiles ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composition is that of access maps; the work is to read shape and strides off
// the result. A mode of size s contributes digits of its coordinate,
//
//   c·x + Σ c_i·⌊x / m_i⌋        m_1 | m_2 | … | s,
//
// which is a list of modes: sizes m_1, m_2/m_1, …; strides what one more of each
// digit adds. Where the simplifier leaves another form, a layout of few numbers is
// tried point by point: its first mode can only be the longest run of equal steps.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/StridedAlgebra.h"
#include "Strided/Fail.h"
#include "Strided/Modes.h"
#include "TensorAccess/Core/StridedLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::strided;

//===----------------------------------------------------------------------===//
// Fewer modes
//===----------------------------------------------------------------------===//

StridedMode mlir::tensoraccess::strided::coalesceMode(const StridedMode &mode) {
  StridedLayout layout;
  layout.root = mode;
  llvm::SmallVector<StridedMode> modes;
  for (const StridedMode &leaf : layout.getLeaves()) {
    if (leaf.size == 1)
      continue;
    if (!modes.empty() &&
        modes.back().size * modes.back().stride == leaf.stride)
      modes.back().size *= leaf.size;
    else
      modes.push_back(makeLeaf(leaf.size, leaf.stride));
  }
  return makeList(modes);
}

StridedLayout
mlir::tensoraccess::strided::coalesce(const StridedLayout &layout) {
  StridedLayout result = layout;
  result.root = coalesceMode(layout.root);
  return result;
}

StridedLayout
mlir::tensoraccess::strided::coalesceModes(const StridedLayout &layout) {
  StridedLayout result = layout;
  if (!layout.root.isList)
    return coalesce(layout);
  for (StridedMode &mode : result.root.modes)
    mode = coalesceMode(mode);
  return result;
}

StridedLayout mlir::tensoraccess::strided::filter(const StridedLayout &layout) {
  llvm::SmallVector<StridedMode> modes;
  for (const StridedMode &leaf : layout.getLeaves())
    if (leaf.stride != 0)
      modes.push_back(leaf);
  StridedLayout result = layout;
  result.root = coalesceMode(makeList(modes));
  return result;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// The digits of one coordinate: terms of the form that have only it.
static std::optional<StridedMode> readMode(const FormArena &arena, FormRef form,
                                           AtomId dim, int64_t size) {
  if (size == 1)
    return makeLeaf(1, 0);
  int64_t first = 0;
  llvm::SmallVector<std::pair<int64_t, int64_t>> cuts;
  for (const Term &term : form.terms) {
    if (term.atom == dim) {
      first = term.coefficient;
      continue;
    }
    const Atom &atom = arena.getAtom(term.atom);
    if (atom.kind == AtomKind::FloorDiv &&
        Form(arena.body(term.atom)).asAtom() == dim)
      cuts.push_back({atom.divisor, term.coefficient});
  }
  llvm::sort(cuts);
  llvm::SmallVector<StridedMode> modes;
  int64_t below = 1;
  // One more at `place`: what the coordinate and each cut below it add.
  auto getStride = [&](int64_t place) {
    std::optional<int64_t> stride = checkedMul(first, place);
    for (auto [divisor, coefficient] : cuts)
      if (divisor <= place)
        stride = checkedAdd(stride, checkedMul(coefficient, place / divisor));
    return stride;
  };
  for (size_t i = 0; i <= cuts.size(); ++i) {
    const int64_t end = i < cuts.size() ? cuts[i].first : size;
    std::optional<int64_t> stride = getStride(below);
    if (end % below != 0 || !stride)
      return std::nullopt;
    if (end != below)
      modes.push_back(makeLeaf(end / below, *stride));
    below = end;
  }
  return makeList(modes);
}

/// Gives each leaf in order the modes that stand for it.
static void replaceLeaves(StridedMode &mode,
                          llvm::ArrayRef<StridedMode> &next) {
  if (!mode.isList) {
    mode = StridedMode(next.front());
    next = next.drop_front();
    return;
  }
  for (StridedMode &inner : mode.modes)
    replaceLeaves(inner, next);
}

static StridedLayout withLeaves(const StridedLayout &shape,
                                llvm::ArrayRef<StridedMode> leaves) {
  StridedLayout result;
  result.root = shape.root;
  replaceLeaves(result.root, leaves);
  return result;
}

/// Modes from the map's form.
static std::optional<StridedLayout>
readForm(const IndexingMap &map, const StridedLayout &shape, std::string &why) {
  const FormArena &arena = map.getArena();
  const Form &form = map.getResult(0);
  llvm::SmallVector<StridedMode> leaves = shape.getLeaves(), modes;
  for (const Term &term : form.terms) {
    const Atom &atom = arena.getAtom(term.atom);
    std::optional<AtomId> body = atom.kind == AtomKind::FloorDiv
                                     ? Form(arena.body(term.atom)).asAtom()
                                     : std::nullopt;
    if (!arena.isVariable(term.atom) && !(body && arena.isVariable(*body))) {
      why = "'" + map.formText(Form::ofAtom(term.atom)) +
            "' is not a digit of one mode";
      return std::nullopt;
    }
  }
  if (!map.getConstraints().empty() || form.constant != 0) {
    why = "it does not begin at 0";
    return std::nullopt;
  }
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    std::optional<StridedMode> mode = readMode(arena, form, i, leaf.size);
    if (!mode) {
      why = "'" + map.formText(form) + "' cuts mode " + std::to_string(i) +
            " of size " + std::to_string(leaf.size) +
            " where no part of it ends";
      return std::nullopt;
    }
    modes.push_back(std::move(*mode));
  }
  return withLeaves(shape, modes);
}

/// Modes from all numbers of a small layout.
static std::optional<StridedLayout> readPoints(const IndexingMap &map,
                                               const StridedLayout &shape) {
  constexpr int64_t kMaxPoints = 1 << 13;
  if (shape.getSize() > kMaxPoints)
    return std::nullopt;
  llvm::SmallVector<StridedMode> leaves = shape.getLeaves(), modes;
  llvm::SmallVector<int64_t> point(leaves.size(), 0);
  auto evaluate = [&]() -> std::optional<int64_t> {
    auto results = map.evaluate(point);
    return results ? std::optional((*results)[0]) : std::nullopt;
  };
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    llvm::SmallVector<StridedMode> parts;
    for (int64_t below = 1; below < leaf.size;) {
      int64_t run = 1;
      std::optional<int64_t> stride;
      for (; run * below < leaf.size; ++run) {
        point[i] = run * below;
        std::optional<int64_t> value = evaluate();
        if (run == 1)
          stride = value;
        if (!value || value != checkedMul(stride, run))
          break;
      }
      point[i] = 0;
      if (run == 1 || leaf.size % (run * below) != 0)
        return std::nullopt;
      parts.push_back(makeLeaf(run, *stride));
      below *= run;
    }
    modes.push_back(makeList(parts));
  }
  StridedLayout result = withLeaves(shape, modes);
  for (int64_t n = 0, e = shape.getSize(); n < e; ++n) {
    point = shape.getPoint(n);
    std::optional<int64_t> value = evaluate();
    if (!value || result.evaluate(n) != value)
      return std::nullopt;
  }
  return result;
}

/// The layout of a map from the coordinates of the leaves of `shape`.
static StridedLayout readMap(const IndexingMap &map,
                             const StridedLayout &shape) {
  std::string why;
  if (std::optional<StridedLayout> read = readForm(map, shape, why))
    return *read;
  if (std::optional<StridedLayout> read = readPoints(map, shape))
    return *read;
  StridedLayout result;
  result.root = shape.root;
  unsigned dim = 0;
  std::function<void(StridedMode &)> number = [&](StridedMode &mode) {
    mode.stride = 0;
    if (!mode.isList)
      mode.dim = dim++;
    for (StridedMode &inner : mode.modes)
      number(inner);
  };
  number(result.root);
  result.map = map;
  result.whyNoStrides = why;
  return result;
}

/// From numbers up to `last` to the coordinates of all leaves, the last of which
/// goes on.
static IndexingMap getCoordinates(const StridedLayout &layout, int64_t last) {
  IndexingMapBuilder builder;
  Form rest = builder.addDim({0, last});
  FormArena &arena = builder.arena();
  llvm::SmallVector<StridedMode> leaves = layout.getLeaves();
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    const bool isLast = i + 1 == leaves.size();
    builder.addResult(isLast ? rest : arena.mod(rest, leaf.size));
    rest = arena.floorDiv(rest, leaf.size);
  }
  return builder.build();
}

/// Strides the other way; false on overflow.
static bool negate(StridedMode &mode) {
  if (mode.isList)
    return llvm::all_of(mode.modes, negate);
  if (mode.stride == std::numeric_limits<int64_t>::min())
    return false;
  mode.stride = -mode.stride;
  return true;
}

/// Of numbers that are not positive: a(-n) is -a(n).
static std::optional<StridedLayout> composeNegative(const StridedLayout &a,
                                                    const StridedLayout &b,
                                                    std::string &error) {
  StridedLayout back = b;
  if (!negate(back.root))
    return fail(error, "its numbers do not fit in 64 bits");
  std::optional<StridedLayout> result = compose(a, back, error);
  if (!result)
    return std::nullopt;
  if (!result->hasStrides() || !negate(result->root))
    return fail(error, "the composition of " + a.str() + " and " + b.str() +
                           ", whose numbers are negative, has no strides");
  return result;
}

std::optional<StridedLayout> mlir::tensoraccess::strided::compose(
    const StridedLayout &a, const StridedLayout &b, std::string &error) {
  const IndexingMap numbers = b.getMap().simplify();
  const Interval range = b.getRange();
  if (range.lower < 0 && range.upper <= 0 && a.hasStrides() && b.hasStrides())
    return composeNegative(a, b, error);
  if (range.lower < 0 || !range.isFinite())
    return fail(error, "the numbers of " + b.str() + " begin at " +
                           llvm::Twine(range.lower) + ", below 0");
  const IndexingMap cut =
      numbers.then(getCoordinates(a, range.upper)).simplify();
  StridedLayout open = a;
  // The last leaf goes on.
  StridedMode *last = &open.root;
  while (last->isList && !last->modes.empty())
    last = &last->modes.back();
  int64_t before = a.getSize() / std::max<int64_t>(1, last->size);
  if (!last->isList)
    last->size = std::max(last->size, range.upper / before + 1);
  if (a.map && last->size != a.getLeaves().back().size)
    return fail(error, "the numbers of " + b.str() + " end at " +
                           llvm::Twine(range.upper) + ", beyond " + a.str());
  if (std::optional<std::string> wrong = open.verify())
    return fail(error, *wrong);
  const std::optional<Swizzle> swizzle = std::exchange(open.swizzle, {});
  const IndexingMap composed = cut.then(open.getMap()).simplify();
  if (composed.isUnknown())
    return fail(error, "the composition of " + a.str() + " and " + b.str() +
                           " " + describe(composed.getUnknownReason()));
  StridedLayout result = readMap(composed, b);
  if (swizzle)
    return compose(*swizzle, result, error);
  return result;
}

std::optional<StridedLayout> mlir::tensoraccess::strided::compose(
    const Swizzle &swizzle, const StridedLayout &layout, std::string &error) {
  if (std::optional<std::string> wrong = swizzle.verify())
    return fail(error, *wrong);
  StridedLayout result = layout;
  if (layout.swizzle) {
    // Two swizzles are a map.
    result.map = layout.getMap();
    result.swizzle.reset();
    result = readMap(*result.map, result);
  }
  result.swizzle = swizzle;
  if (result.map) {
    Interval range = layout.getRange();
    auto isIn = [](int64_t n) { return n >= 0 && n < int64_t(1) << 62; };
    // The map's range may be too wide.
    constexpr int64_t kMost = 1 << 20;
    bool areIn = isIn(range.lower) && isIn(range.upper);
    if (!areIn && layout.getSize() <= kMost)
      areIn =
          llvm::all_of(llvm::seq<int64_t>(0, layout.getSize()), [&](int64_t n) {
            std::optional<int64_t> number = layout.evaluate(n);
            return number && isIn(*number);
          });
    if (!areIn)
      return fail(error, "the numbers of " + layout.str() +
                             ", which are swizzled, must lie in [0, 2^62)");
  }
  if (std::optional<std::string> wrong = result.verify())
    return fail(error, *wrong);
  return result;
}

//===----------------------------------------------------------------------===//
// Division and products
//===----------------------------------------------------------------------===//

std::optional<StridedLayout> mlir::tensoraccess::strided::logicalDivide(
    const StridedLayout &a, const StridedLayout &b, std::string &error) {
  std::optional<StridedLayout> rest = complement(b, a.getSize(), error);
  std::optional<StridedLayout> tiles =
      rest ? StridedLayout::list({b, *rest}, error) : std::nullopt;
  return tiles ? compose(a, *tiles, error) : std::nullopt;
}

/// Modes of `a` one by one; where `tiles` ends they stay as they are.
static std::optional<std::vector<StridedLayout>> forEachMode(
    const StridedLayout &a, llvm::ArrayRef<StridedLayout> tiles,
    std::string &error,
    llvm::function_ref<std::optional<StridedLayout>(const StridedLayout &,
                                                    const StridedLayout &)>
        body) {
  if (a.map)
    return fail(error, "it has no strides: " + a.whyNoStrides);
  if (tiles.size() > a.getRank())
    return fail(error, a.str() + " has " + llvm::Twine(a.getRank()) +
                           " modes, got " + llvm::Twine(tiles.size()) +
                           " layouts for them");
  std::vector<StridedLayout> modes;
  for (unsigned i = 0; i < a.getRank(); ++i) {
    StridedLayout mode = a.getMode(i);
    mode.swizzle.reset();
    std::optional<StridedLayout> made =
        i < tiles.size() ? body(mode, tiles[i]) : mode;
    if (!made)
      return std::nullopt;
    modes.push_back(std::move(*made));
  }
  return modes;
}

/// The modes as one layout, swizzled as `a` is.
static std::optional<StridedLayout>
joinModes(const StridedLayout &a, llvm::ArrayRef<StridedLayout> modes,
          std::string &error) {
  std::optional<StridedLayout> all = StridedLayout::list(modes, error);
  return all && a.swizzle ? compose(*a.swizzle, *all, error) : all;
}

std::optional<StridedLayout>
mlir::tensoraccess::strided::composeModes(const StridedLayout &a,
                                          llvm::ArrayRef<StridedLayout> b,
                                          std::string &error) {
  auto modes =
      forEachMode(a, b, error, [&](const auto &mode, const auto &each) {
        return compose(mode, each, error);
      });
  return modes ? joinModes(a, *modes, error) : std::nullopt;
}

std::optional<StridedLayout>
mlir::tensoraccess::strided::divide(const StridedLayout &a,
                                    llvm::ArrayRef<StridedLayout> tiles,
                                    TileOrder order, std::string &error) {
  auto modes =
      forEachMode(a, tiles, error, [&](const auto &mode, const auto &each) {
        return logicalDivide(mode, each, error);
      });
  if (!modes)
    return std::nullopt;
  std::optional<StridedLayout> all = joinModes(a, *modes, error);
  if (!all || order == TileOrder::Logical)
    return all;
  // Modes know their strides, or the map's dims, wherever they are.
  StridedMode inner, outer;
  inner.isList = outer.isList = true;
  for (auto [i, mode] : llvm::enumerate(all->root.modes)) {
    if (i < tiles.size())
      inner.modes.push_back(mode.modes[0]);
    outer.modes.push_back(i < tiles.size() ? mode.modes[1] : mode);
  }
  std::vector<StridedMode> result;
  if (order == TileOrder::Flat)
    result = inner.modes;
  else
    result.push_back(std::move(inner));
  if (order == TileOrder::Zipped)
    result.push_back(std::move(outer));
  else
    llvm::append_range(result, outer.modes);
  all->root.modes = std::move(result);
  return all;
}

/// Where no complement fills the gaps of a layout, copies follow where it ends.
static std::optional<StridedLayout> followOn(const StridedLayout &a) {
  if (!a.hasStrides())
    return std::nullopt;
  int64_t end = 1;
  for (const StridedMode &mode : sortModes(a)) {
    std::optional<int64_t> next = checkedMul(mode.stride, mode.size);
    if (mode.stride < end || !next)
      return std::nullopt;
    end = *next;
  }
  return StridedLayout(1, end);
}

std::optional<StridedLayout> mlir::tensoraccess::strided::logicalProduct(
    const StridedLayout &a, const StridedLayout &b, std::string &error) {
  std::optional<int64_t> cosize = b.getCosize();
  std::optional<int64_t> all = checkedMul(a.getSize(), cosize);
  if (!all)
    return fail(error, "the numbers of the product do not fit in 64 bits");
  std::optional<StridedLayout> rest = complement(a, *all, error);
  if (!rest)
    rest = followOn(a);
  std::optional<StridedLayout> copies =
      rest ? compose(*rest, b, error) : std::nullopt;
  return copies ? StridedLayout::list({a, *copies}, error) : std::nullopt;
}

std::optional<StridedLayout>
mlir::tensoraccess::strided::blockedProduct(const StridedLayout &a,
                                            const StridedLayout &b,
                                            bool isRaked, std::string &error) {
  const size_t rank = std::max(a.getRank(), b.getRank());
  auto extend = [&](const StridedLayout &layout) {
    std::vector<StridedLayout> parts = {layout};
    parts.resize(1 + rank - layout.getRank(), StridedLayout(1, 0));
    std::optional<StridedLayout> all = StridedLayout::list(parts, error);
    if (all && layout.root.isList) {
      std::vector<StridedMode> modes = std::move(all->root.modes[0].modes);
      modes.insert(modes.end(), all->root.modes.begin() + 1,
                   all->root.modes.end());
      all->root.modes = std::move(modes);
    }
    return all;
  };
  std::optional<StridedLayout> left = extend(a), right = extend(b);
  std::optional<StridedLayout> product =
      left && right ? logicalProduct(*left, *right, error) : std::nullopt;
  if (!product)
    return std::nullopt;
  StridedLayout result = *product;
  result.root.modes.clear();
  for (size_t i = 0; i < rank; ++i) {
    StridedMode pair;
    pair.isList = true;
    pair.modes = {product->root.modes[0].modes[i],
                  product->root.modes[1].modes[i]};
    if (isRaked)
      std::swap(pair.modes[0], pair.modes[1]);
    result.root.modes.push_back(pair);
  }
  return result;
}

std::optional<StridedLayout> mlir::tensoraccess::strided::maxCommonLayout(
    const StridedLayout &a, const StridedLayout &b, std::string &error) {
  std::optional<StridedLayout> inverse = rightInverse(b, error);
  std::optional<StridedLayout> common =
      inverse ? compose(a, *inverse, error) : std::nullopt;
  if (!common)
    return std::nullopt;
  constexpr int64_t kMost = 1 << 22;
  StridedMode first = makeLeaf(1, 0);
  if (common->hasStrides())
    first = coalesce(*common).getLeaves().front();
  else if (common->getSize() > kMost)
    return fail(error, "more than " + llvm::Twine(kMost) +
                           " numbers without strides are not compared");
  else
    for (int64_t n = 1; n < common->getSize() && common->evaluate(n) == n; ++n)
      first = makeLeaf(n + 1, 1);
  // Beyond its size no layout has numbers.
  if (b.getSize() > a.getSize() && first.size > kMost)
    return fail(error,
                "more than " + llvm::Twine(kMost) +
                    " numbers beyond the smaller layout are not compared");
  if (b.getSize() > a.getSize())
    for (int64_t n = 0; n < first.size; ++n)
      if (*inverse->evaluate(n) >= a.getSize())
        first.size = n;
  if (first.size == 1 || first.stride != 1)
    return StridedLayout(1, 0);
  return compose(*inverse, StridedLayout(first.size, 1), error);
}
