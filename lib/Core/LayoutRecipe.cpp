//===- LayoutRecipe.cpp - A layout as pad, reshape and transpose ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles are played on a *stage*: the tensor before it, how much each of its
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
#include "TensorAccess/Core/CheckedMath.h"
#include "TensorAccess/Core/Shape.h"
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
  explicit Stages(ArrayRef<int64_t> shape) { begin(shape); }

  /// Makes dimension perm[i] the i-th in order.
  void setOrder(ArrayRef<int64_t> perm);
  /// False on overflow.
  bool applyTile(const Tile &tile);
  void flush();

  SmallVector<RecipeStep, 0> steps;
  SmallVector<int64_t> shape;

private:
  struct Part {
    int64_t size;
    size_t dim;
  };
  using Parts = SmallVector<size_t, 2>;

  void begin(ArrayRef<int64_t> newShape);
  void addLeadingOnes(size_t count);
  bool collapse(const Tile &tile);
  bool padPart(size_t part, int64_t size);
  void split(size_t place, int64_t size);
  void push(RecipeStep step);
  SmallVector<Parts> placeOnes() const;

  SmallVector<Part> parts;
  /// Parts of each dimension, major to minor.
  SmallVector<Parts> groups;
  SmallVector<int64_t> padded;
  /// All parts, in the layout's order.
  SmallVector<size_t> order;
};
} // namespace

void Stages::begin(ArrayRef<int64_t> newShape) {
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
  shape = step.shape;
  steps.push_back(std::move(step));
}

/// The groups, with parts of size 1 where the order has them: behind their
/// neighbour, or in front of the first part. A dimension without other parts
/// keeps its first one.
SmallVector<Stages::Parts> Stages::placeOnes() const {
  SmallVector<bool> isFixed(parts.size(), false);
  SmallVector<size_t> dimOf(parts.size()); // where a part is put
  SmallVector<Parts> placed(groups.size());
  for (auto [group, target] : llvm::zip_equal(groups, placed)) {
    for (size_t part : group)
      if (parts[part].size != 1)
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
      pad.amounts.push_back(after - before);
    push(std::move(pad));
  }
  SmallVector<Parts> placed = placeOnes();
  SmallVector<size_t> position(parts.size());
  RecipeStep expand{RecipeStep::Kind::Expand, {}, {}, {}, {}};
  for (const Parts &group : placed) {
    auto &numbers = expand.groups.emplace_back();
    for (size_t part : group) {
      position[part] = expand.shape.size();
      numbers.push_back(expand.shape.size());
      expand.shape.push_back(parts[part].size);
    }
  }
  if (parts.size() != shape.size())
    push(std::move(expand));

  RecipeStep transpose{RecipeStep::Kind::Transpose, {}, {}, {}, {}};
  for (size_t part : order) {
    transpose.permutation.push_back(position[part]);
    transpose.shape.push_back(parts[part].size);
  }
  if (!llvm::is_sorted(transpose.permutation))
    push(std::move(transpose));
  begin(SmallVector<int64_t>(shape));
}

void Stages::addLeadingOnes(size_t count) {
  if (count == 0)
    return;
  if (order.empty()) {
    // A scalar has no dimension to take them from.
    push(
        {RecipeStep::Kind::Expand, {}, {}, {}, SmallVector<int64_t>(count, 1)});
    begin(SmallVector<int64_t>(shape));
    return;
  }
  size_t dim = parts[order.front()].dim;
  for (; count > 0; --count) {
    groups[dim].insert(groups[dim].begin(), parts.size());
    order.insert(order.begin(), parts.size());
    parts.push_back({1, dim});
  }
}

/// Merges what the tile's `*` say; false on overflow.
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
      step.shape.push_back(1);
    }
    step.groups.back().push_back(i);
    std::optional<int64_t> product = checkedMul(step.shape.back(), size);
    if (!product)
      return false;
    step.shape.back() = *product;
    isOpen = i >= prefix && tile[i - prefix].isCombine();
  }
  push(std::move(step));
  begin(SmallVector<int64_t>(shape));
  return true;
}

/// Pads the part at `place` of the order to `size`; false on overflow.
bool Stages::padPart(size_t place, int64_t size) {
  if (parts[order[place]].size == size)
    return true;
  auto isInner = [&](size_t part) {
    for (size_t above : groups[parts[part].dim]) {
      if (above == part)
        return false;
      if (parts[above].size != 1)
        return true;
    }
    return false;
  };
  if (isInner(order[place]))
    flush();
  Part &part = parts[order[place]];
  part.size = size;
  int64_t product = 1;
  for (size_t other : groups[part.dim]) {
    std::optional<int64_t> next = checkedMul(product, parts[other].size);
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
  parts[outer].size /= size;
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
    int64_t count = ceilDivPositive(parts[order[first + i]].size, sizes[i]);
    std::optional<int64_t> total = checkedMul(count, sizes[i]);
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
  if (!layout.shape || hasDynamicSize(*layout.shape))
    return std::nullopt;
  std::optional<int64_t> elements = layout.getPaddedElements();
  if (!elements)
    return std::nullopt;
  Stages stages(*layout.shape);
  stages.setOrder(SmallVector<int64_t>(layout.minorToMajor.rbegin(),
                                       layout.minorToMajor.rend()));
  for (const Tile &tile : layout.tiles)
    if (!stages.applyTile(tile))
      return std::nullopt;
  stages.flush();

  LayoutRecipe recipe;
  recipe.source.assign(layout.shape->begin(), layout.shape->end());
  recipe.result = stages.shape;
  recipe.steps = std::move(stages.steps);
  recipe.tail = *elements - *checkedProduct(recipe.result);
  recipe.elementBits = layout.elementBits;
  recipe.memorySpace = layout.memorySpace;
  return recipe;
}

/// The step that takes `step` back to the shape before it.
static RecipeStep invert(const RecipeStep &step, ArrayRef<int64_t> before) {
  RecipeStep back = step;
  back.shape.assign(before.begin(), before.end());
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
  recipe.source = pack->result;
  recipe.result = pack->source;
  recipe.steps.clear();
  for (size_t i = pack->steps.size(); i-- > 0;)
    recipe.steps.push_back(
        invert(pack->steps[i], i ? pack->steps[i - 1].shape : pack->source));
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
    print(os, amounts);
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
  print(os, shape);
  return text;
}

std::string LayoutRecipe::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, source);
  os << '\n';
  for (const RecipeStep &step : steps)
    os << step.str() << '\n';
  if (tail)
    os << "tail of " << tail << " elements\n";
  if (elementBits)
    os << "elements of " << *elementBits << " bits\n";
  if (memorySpace)
    os << "memory space " << memorySpace << '\n';
  return text;
}
