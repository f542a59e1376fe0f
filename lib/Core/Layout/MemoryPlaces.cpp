//===- MemoryPlaces.cpp - Strides and bits as layouts of memory -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strides that nest give the coordinates of a number back, the greatest first: n
// floordiv d, and what is left is n mod d. A swizzle is undone by itself: the bits that it
// takes are not among those it changes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/StridedLayout.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;

static std::nullopt_t fail(std::string &error, const llvm::Twine &text) {
  error = text.str();
  return std::nullopt;
}

/// One size a dimension, all known.
static bool checkShape(llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> sizes, llvm::StringRef what,
                       std::string &error) {
  if (shape.size() != sizes.size()) {
    error = ("must have one " + what + " per dimension, " +
             llvm::Twine(shape.size()) + ", got " + llvm::Twine(sizes.size()))
                .str();
    return false;
  }
  for (auto [i, wanted, size] : llvm::enumerate(shape, sizes))
    if (wanted != size) {
      error = (what + " " + llvm::Twine(i) + " must have the size of dimension " +
               llvm::Twine(i) + ", " +
               (Layout::isDynamic(wanted) ? "?" : llvm::Twine(wanted).str()) +
               ", got " + llvm::Twine(size))
                  .str();
      return false;
    }
  return true;
}

/// index -> coordinates of all leaves.
static IndexingMap getLeafMap(const StridedLayout &layout) {
  IndexingMapBuilder builder;
  llvm::SmallVector<Form> dims;
  for (unsigned i = 0; i < layout.getRank(); ++i)
    dims.push_back(
        builder.addDim(Interval::ofExtent(layout.getMode(i).getSize())));
  FormArena &arena = builder.arena();
  for (unsigned i = 0; i < layout.getRank(); ++i) {
    Form rest = dims[i];
    for (const StridedMode &leaf : layout.getMode(i).getLeaves()) {
      builder.addResult(arena.mod(rest, leaf.size));
      rest = arena.floorDiv(rest, leaf.size);
    }
  }
  return builder.build();
}

std::optional<MemoryPlaces>
mlir::tensoraccess::getPlaces(const StridedLayout &layout,
                              llvm::ArrayRef<int64_t> shape,
                              std::string &error) {
  if (layout.map)
    return fail(error, "it has no strides: " + layout.whyNoStrides);
  llvm::SmallVector<int64_t> sizes;
  for (unsigned i = 0; i < layout.getRank(); ++i)
    sizes.push_back(layout.getMode(i).getSize());
  if (!checkShape(shape, sizes, "mode", error))
    return std::nullopt;
  // Leaves by descending stride.
  llvm::SmallVector<StridedMode> leaves = layout.getLeaves();
  llvm::SmallVector<unsigned> order;
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    if (leaf.size == 1)
      continue;
    order.push_back(i);
    if (leaf.stride <= 0)
      return fail(error, "strides of memory must be positive, got " +
                             llvm::Twine(leaf.stride));
  }
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return leaves[a].stride > leaves[b].stride;
  });
  int64_t last = 0;
  for (unsigned i : llvm::reverse(order)) {
    if (leaves[i].stride <= last)
      return fail(error, "strides of memory must nest: stride " +
                             llvm::Twine(leaves[i].stride) +
                             " is not beyond " + llvm::Twine(last) +
                             ", the last number of modes of smaller strides");
    last += (leaves[i].size - 1) * leaves[i].stride;
  }
  MemoryPlaces places;
  places.numbers = *layout.getCosize();
  places.hasPadding = places.numbers != layout.getSize();
  places.toNumber = getLeafMap(layout).then(layout.getMap()).simplify();
  IndexingMapBuilder builder;
  builder.addDim(Interval::ofExtent(places.numbers));
  FormArena &arena = builder.arena();
  Form number = Form::ofAtom(0);
  if (layout.swizzle)
    number = addSwizzle(arena, number, *layout.swizzle);
  llvm::SmallVector<Form> coordinates(leaves.size(), Form(0));
  for (unsigned i : order) {
    // In range in padding, too.
    coordinates[i] = arena.mod(arena.floorDiv(number, leaves[i].stride),
                               leaves[i].size);
    number = arena.mod(number, leaves[i].stride);
  }
  llvm::ArrayRef<Form> rest = coordinates;
  for (unsigned i = 0; i < layout.getRank(); ++i) {
    Form index = 0;
    int64_t below = 1;
    for (const StridedMode &leaf : layout.getMode(i).getLeaves()) {
      arena.accumulate(index, rest.front(), below);
      rest = rest.drop_front();
      below *= leaf.size;
    }
    builder.addResult(index);
  }
  places.toIndex = builder.build().simplify();
  if (places.toIndex.isUnknown() || places.toNumber.isUnknown())
    return fail(error, "its numbers do not fit in 64 bits");
  return places;
}

/// One number of all bits, and the inputs that it stands for.
static IndexingMap getInputMap(const LinearLayout &layout) {
  IndexingMapBuilder builder;
  Form rest =
      builder.addDim(Interval::ofExtent(int64_t(1) << layout.getNumInputBits()));
  FormArena &arena = builder.arena();
  for (size_t i = 0; i < layout.inputs.size(); ++i) {
    builder.addResult(arena.mod(rest, layout.getInputSize(i)));
    rest = arena.floorDiv(rest, layout.getInputSize(i));
  }
  return builder.build();
}

std::optional<MemoryPlaces>
mlir::tensoraccess::getPlaces(const LinearLayout &layout,
                              llvm::ArrayRef<int64_t> shape,
                              std::string &error) {
  llvm::SmallVector<int64_t> sizes;
  for (size_t i = 0; i < layout.outputs.size(); ++i)
    sizes.push_back(layout.getOutputSize(i));
  if (!checkShape(shape, sizes, "output", error))
    return std::nullopt;
  std::string reason;
  std::optional<LinearLayout> back = layout.invert(reason);
  if (!back)
    return fail(error, "every element must be held: " + reason);
  MemoryPlaces places;
  places.numbers = int64_t(1) << layout.getNumInputBits();
  places.hasPadding = !layout.isInjective();
  // All inputs as one number.
  LinearLayout joined = *back;
  joined.outputs = {{"number", layout.getNumInputBits()}};
  places.toNumber = joined.getMap();
  places.toIndex = getInputMap(layout).then(layout.getMap()).simplify();
  return places;
}
