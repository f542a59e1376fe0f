//===- LayoutRecipe.cpp - A layout as pad, reshape and transpose ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles are applied to a *stage*: the tensor before it, how much each of its
// dimensions is padded, the parts into which each dimension is then expanded,
// and the order in which the layout has the parts.
//   1. A tile entry splits a part in two and moves the inner one to the end of
//      the order. Nothing is transposed yet.
//   2. A part that its entry does not divide is padded. If the parts above it
//      in its dimension are of size 1, that is the same as padding the tensor
//      before; else the stage is written out and a new one begins.
//   3. `*` merges neighbours in the order: the stage is written out, too, and
//      the dimensions are collapsed.
//   4. Writing a stage out gives at most a pad, an expand and a transpose.
//   Parts
//      of size 1 are put wherever the order wants them, so that they never need
//      a transpose.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LayoutRecipe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {
class Stages {
public:
  explicit Stages(ArrayRef<SizeExpr> shape) { begin(shape); }

  /// Makes dimension perm[i] the i-th in order.
  void setOrder(ArrayRef<int64_t> perm);
  /// False on overflow.
  bool applyTile(const Tile &tile);
  void flush();

  SmallVector<RecipeStep, 0> steps;
  SmallVector<SizeExpr> shape;

private:
  struct Part {
    SizeExpr size;
    size_t dim;
  };
  using Parts = SmallVector<size_t, 2>;

  void begin(ArrayRef<SizeExpr> newShape);
  void addLeadingOnes(size_t count);
  bool collapse(const Tile &tile);
  bool padPart(size_t part, const SizeExpr &size);
  void split(size_t place, int64_t size);
  void push(RecipeStep step);
  SmallVector<Parts> placeOnes() const;

  SmallVector<Part> parts;
  /// Parts of each dimension, major to minor.
  SmallVector<Parts> groups;
  SmallVector<SizeExpr> padded;
  /// All parts, in the layout's order.
  SmallVector<size_t> order;
};
} // namespace

static const SizeExpr kOne = 1;

SmallVector<int64_t> mlir::tensoraccess::toNumbers(ArrayRef<SizeExpr> sizes) {
  return llvm::map_to_vector(
      sizes, [](const SizeExpr &size) { return size.toNumber(); });
}

void Stages::begin(ArrayRef<SizeExpr> newShape) {
  shape.assign(newShape.begin(), newShape.end());
  padded = shape;
  parts.clear();
  groups.clear();
  order.clear();
  for (auto [dim, size] : llvm::enumerate(shape)) {
    order.push_back(parts.size());
    groups.push_back({parts.size()});
    parts.push_back({size, dim});
  }
}

void Stages::setOrder(ArrayRef<int64_t> perm) {
  order.assign(perm.begin(), perm.end());
}

void Stages::push(RecipeStep step) {
  shape = step.sizes;
  steps.push_back(std::move(step));
}

/// The groups, with parts of size 1 where the order has them: after their
/// neighbour, or in front of the first part. A dimension without other parts
/// keeps its first one.
SmallVector<Stages::Parts> Stages::placeOnes() const {
  SmallVector<bool> isFixed(parts.size(), false);
  SmallVector<size_t> dimOf(parts.size()); // where a part is put
  SmallVector<Parts> placed(groups.size());
  for (auto [group, target] : llvm::zip_equal(groups, placed)) {
    for (size_t part : group)
      if (parts[part].size != kOne)
        target.push_back(part);
    if (target.empty())
      target.push_back(group.front());
    for (size_t part : target) {
      isFixed[part] = true;
      dimOf[part] = parts[part].dim;
    }
  }
  auto insert = [&](size_t neighbour, size_t part, bool isBehind) {
    dimOf[part] = dimOf[neighbour];
    Parts &group = placed[dimOf[part]];
    group.insert(llvm::find(group, neighbour) + isBehind, part);
  };
  auto *first =
      llvm::find_if(order, [&](size_t part) { return isFixed[part]; });
  for (auto *part = order.begin(); part != first; ++part)
    insert(*first, *part, /*isBehind=*/false);
  for (auto *part = first; part != order.end(); ++part)
    if (!isFixed[*part])
      insert(*(part - 1), *part, /*isBehind=*/true);
  return placed;
}

void Stages::flush() {
  if (padded != shape) {
    RecipeStep pad{RecipeStep::Kind::Pad, {}, {}, {}, padded};
    for (auto [before, after] : llvm::zip_equal(shape, padded))
      pad.symbolicAmounts.push_back({after, before});
    push(std::move(pad));
  }
  SmallVector<Parts> placed = placeOnes();
  SmallVector<size_t> position(parts.size());
  RecipeStep expand{RecipeStep::Kind::Expand, {}, {}, {}, {}};
  for (const Parts &group : placed) {
    auto &numbers = expand.groups.emplace_back();
    for (size_t part : group) {
      position[part] = expand.sizes.size();
      numbers.push_back(expand.sizes.size());
      expand.sizes.push_back(parts[part].size);
    }
  }
  if (parts.size() != shape.size())
    push(std::move(expand));

  RecipeStep transpose{RecipeStep::Kind::Transpose, {}, {}, {}, {}};
  for (size_t part : order) {
    transpose.permutation.push_back(position[part]);
    transpose.sizes.push_back(parts[part].size);
  }
  if (!llvm::is_sorted(transpose.permutation))
    push(std::move(transpose));
  begin(SmallVector<SizeExpr>(shape));
}

void Stages::addLeadingOnes(size_t count) {
  if (count == 0)
    return;
  if (order.empty()) {
    // A scalar has no dimension to take them from.
    push({RecipeStep::Kind::Expand,
          {},
          {},
          {},
          SmallVector<SizeExpr>(count, kOne)});
    begin(SmallVector<SizeExpr>(shape));
    return;
  }
  size_t dim = parts[order.front()].dim;
  for (; count > 0; --count) {
    groups[dim].insert(groups[dim].begin(), parts.size());
    order.insert(order.begin(), parts.size());
    parts.push_back({kOne, dim});
  }
}

/// Merges the dimensions of the tile's `*`; false on overflow.
bool Stages::collapse(const Tile &tile) {
  if (llvm::none_of(tile, [](TileEntry e) { return e.isCombine(); }))
    return true;
  flush();
  RecipeStep step{RecipeStep::Kind::Collapse, {}, {}, {}, {}};
  size_t prefix = shape.size() - tile.size();
  bool isOpen = false;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (!isOpen) {
      step.groups.emplace_back();
      step.sizes.push_back(kOne);
    }
    step.groups.back().push_back(i);
    std::optional<SizeExpr> product = step.sizes.back().times(size);
    if (!product)
      return false;
    step.sizes.back() = *product;
    isOpen = i >= prefix && tile[i - prefix].isCombine();
  }
  push(std::move(step));
  begin(SmallVector<SizeExpr>(shape));
  return true;
}

/// Pads the part at `place` of the order to `size`; false on overflow.
bool Stages::padPart(size_t place, const SizeExpr &size) {
  if (parts[order[place]].size == size)
    return true;
  auto isInner = [&](size_t part) {
    for (size_t above : groups[parts[part].dim]) {
      if (above == part)
        return false;
      if (parts[above].size != kOne)
        return true;
    }
    return false;
  };
  if (isInner(order[place]))
    flush();
  Part &part = parts[order[place]];
  part.size = size;
  SizeExpr product = kOne;
  for (size_t other : groups[part.dim]) {
    std::optional<SizeExpr> next = product.times(parts[other].size);
    if (!next)
      return false;
    product = *next;
  }
  padded[part.dim] = product;
  return true;
}

/// Splits `size` off the part at `place`, which it divides, and puts it last.
void Stages::split(size_t place, int64_t size) {
  size_t outer = order[place], inner = parts.size();
  Parts &group = groups[parts[outer].dim];
  group.insert(llvm::find(group, outer) + 1, inner);
  parts.push_back({size, parts[outer].dim});
  parts[outer].size = *parts[outer].size.ceilDiv(size);
  order.push_back(inner);
}

bool Stages::applyTile(const Tile &tile) {
  if (tile.size() > order.size())
    addLeadingOnes(tile.size() - order.size());
  if (!collapse(tile))
    return false;
  SmallVector<int64_t> sizes;
  for (TileEntry entry : tile)
    if (!entry.isCombine())
      sizes.push_back(entry.getSize());
  size_t first = order.size() - sizes.size();
  // Minor parts first: while what is put in front of them is of size 1.
  for (size_t i = sizes.size(); i-- > 0;) {
    std::optional<SizeExpr> count =
        parts[order[first + i]].size.ceilDiv(sizes[i]);
    std::optional<SizeExpr> total =
        count ? count->times(sizes[i]) : std::nullopt;
    if (!total || !padPart(first + i, *total))
      return false;
  }
  for (auto [i, size] : llvm::enumerate(sizes))
    split(first + i, size);
  return true;
}

//===----------------------------------------------------------------------===//
// Recipes
//===----------------------------------------------------------------------===//

std::optional<LayoutRecipe>
mlir::tensoraccess::getPackRecipe(const Layout &layout) {
  std::optional<LayoutSizes> sizes = getSizes(layout);
  if (!sizes)
    return std::nullopt;
  SmallVector<SizeExpr> source;
  for (auto [dim, size] : llvm::enumerate(*layout.shape))
    source.push_back(SizeExpr::of(size, dim));
  Stages stages(source);
  stages.setOrder(SmallVector<int64_t>(layout.minorToMajor.rbegin(),
                                       layout.minorToMajor.rend()));
  for (const Tile &tile : layout.tiles)
    if (!stages.applyTile(tile))
      return std::nullopt;
  stages.flush();

  LayoutRecipe recipe;
  recipe.sourceSizes = std::move(source);
  recipe.resultSizes = stages.shape;
  recipe.steps = std::move(stages.steps);
  Layout bare = layout;
  bare.tailAlignment = 1;
  std::optional<LayoutSizes> untailed = getSizes(bare);
  if (!untailed)
    return std::nullopt;
  recipe.tail = {sizes->paddedElements, untailed->paddedElements};
  recipe.elementBits = layout.elementBits;
  recipe.memorySpace = layout.memorySpace;
  return recipe;
}

/// The step that takes `step` back to the shape before it.
static RecipeStep invert(const RecipeStep &step, ArrayRef<SizeExpr> before) {
  RecipeStep back = step;
  back.sizes.assign(before.begin(), before.end());
  switch (step.kind) {
  case RecipeStep::Kind::Pad:
    back.kind = RecipeStep::Kind::Slice;
    break;
  case RecipeStep::Kind::Slice:
    back.kind = RecipeStep::Kind::Pad;
    break;
  case RecipeStep::Kind::Expand:
    back.kind = RecipeStep::Kind::Collapse;
    break;
  case RecipeStep::Kind::Collapse:
    back.kind = RecipeStep::Kind::Expand;
    break;
  case RecipeStep::Kind::Transpose:
    for (auto [i, dim] : llvm::enumerate(step.permutation))
      back.permutation[dim] = i;
    break;
  }
  return back;
}

std::optional<LayoutRecipe>
mlir::tensoraccess::getUnpackRecipe(const Layout &layout) {
  std::optional<LayoutRecipe> pack = getPackRecipe(layout);
  if (!pack)
    return std::nullopt;
  LayoutRecipe recipe = *pack;
  std::swap(recipe.sourceSizes, recipe.resultSizes);
  recipe.steps.clear();
  for (size_t i = pack->steps.size(); i-- > 0;)
    recipe.steps.push_back(invert(pack->steps[i], i ? pack->steps[i - 1].sizes
                                                    : pack->sourceSizes));
  return recipe;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void print(llvm::raw_ostream &os, ArrayRef<int64_t> values) {
  os << '[';
  llvm::interleaveComma(values, os);
  os << ']';
}

/// Sizes and differences of sizes.
template <typename T>
static void printSizes(llvm::raw_ostream &os, ArrayRef<T> sizes) {
  os << '[';
  llvm::interleaveComma(sizes, os, [&](const T &size) { os << size.str(); });
  os << ']';
}

std::string RecipeStep::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto printGroups = [&] {
    os << '[';
    llvm::interleaveComma(groups, os,
                          [&](ArrayRef<int64_t> group) { print(os, group); });
    os << ']';
  };
  switch (kind) {
  case Kind::Pad:
    os << "pad high ";
    printSizes(os, ArrayRef(symbolicAmounts));
    break;
  case Kind::Slice:
    os << "slice";
    break;
  case Kind::Expand:
    os << "expand ";
    printGroups();
    break;
  case Kind::Collapse:
    os << "collapse ";
    printGroups();
    break;
  case Kind::Transpose:
    os << "transpose ";
    print(os, permutation);
    break;
  }
  os << " -> ";
  printSizes(os, ArrayRef(sizes));
  return text;
}

std::string LayoutRecipe::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printSizes(os, ArrayRef(sourceSizes));
  os << '\n';
  for (const RecipeStep &step : steps)
    os << step.str() << '\n';
  if (!(tail == SizeDifference()))
    os << "tail of " << tail.str() << " elements\n";
  if (elementBits)
    os << "elements of " << *elementBits << " bits\n";
  if (memorySpace)
    os << "memory space " << memorySpace << '\n';
  return text;
}
