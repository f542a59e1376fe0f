//===- MemoryPlaces.cpp - Strides and bits as layouts of memory -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested strides give the coordinates of a number back, the greatest first: n
// floordiv d, and what is left is n mod d. A swizzle is undone by itself: the bits that it
// takes are not among those it changes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/MemoryPlaces.h"
#include "Strided/Fail.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/LinearLayout.h"
#include "TensorAccess/Core/StridedAlgebra.h"
#include "TensorAccess/Core/StridedLayout.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir::tensoraccess;

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
      error = (what + " " + llvm::Twine(i) +
               " must have the size of dimension " + llvm::Twine(i) + ", " +
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

/// Leaves of more than one element by descending stride. std::nullopt and
/// `error` where two numbers may be the same.
static std::optional<llvm::SmallVector<unsigned>>
getOrder(llvm::ArrayRef<StridedMode> leaves, std::string &error) {
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
                             llvm::Twine(leaves[i].stride) + " is not beyond " +
                             llvm::Twine(last) +
                             ", the last number of modes of smaller strides");
    last += (leaves[i].size - 1) * leaves[i].stride;
  }
  return order;
}

/// The run of the leaf of stride 1, if the others and the swizzle leave it alone.
static void findRun(const StridedLayout &layout, MemoryPlaces &places) {
  int64_t run = int64_t(1) << 30;
  bool isFound = false;
  for (unsigned dim = 0; dim < layout.getRank(); ++dim) {
    bool isFirst = true;
    for (const StridedMode &leaf : layout.getMode(dim).getLeaves()) {
      if (leaf.size == 1)
        continue;
      const bool isRun = isFirst && leaf.stride == 1;
      if (isRun)
        places.runDim = dim;
      isFound |= isRun;
      run = std::gcd(run, isRun ? leaf.size : leaf.stride);
      isFirst = false;
    }
  }
  if (layout.swizzle)
    run = std::gcd(run, int64_t(1)
                            << std::min<int64_t>(layout.swizzle->base, 30));
  // The last run must be whole, too.
  run = std::gcd(run, places.numbers);
  places.run = isFound ? run & -run : 1;
}

/// Bits of numbers, from the lowest on, that are those of an index.
static void findRun(const LinearLayout &layout, const LinearLayout &back,
                    MemoryPlaces &places) {
  const llvm::SmallVector<uint64_t> columns = layout.getColumns(),
                                    numbers = back.getColumns();
  unsigned first = 0;
  for (auto [dim, output] : llvm::enumerate(layout.outputs)) {
    unsigned bits = 0;
    // Only they have these bits of the number.
    while (bits < output.bits && bits < columns.size() &&
           columns[bits] == uint64_t(1) << (first + bits) &&
           llvm::all_of(
               llvm::enumerate(numbers),
               [&](auto entry) {
                 return (entry.value() >> bits & 1) ==
                        (entry.index() == first + bits);
               }))
      ++bits;
    if (int64_t(1) << bits > places.run) {
      places.run = int64_t(1) << bits;
      places.runDim = dim;
    }
    first += output.bits;
  }
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
  llvm::SmallVector<StridedMode> leaves = layout.getLeaves();
  std::optional<llvm::SmallVector<unsigned>> order = getOrder(leaves, error);
  if (!order)
    return std::nullopt;
  MemoryPlaces places;
  places.numbers = *layout.getCosize();
  places.hasPadding = places.numbers != layout.getSize();
  findRun(layout, places);
  places.toNumber = getLeafMap(layout).then(layout.getMap()).simplify();
  IndexingMapBuilder builder;
  builder.addDim(Interval::ofExtent(places.numbers));
  FormArena &arena = builder.arena();
  Form number = Form::ofAtom(0);
  if (layout.swizzle)
    number = addSwizzle(arena, number, *layout.swizzle);
  llvm::SmallVector<Form> coordinates(leaves.size(), Form(0));
  for (unsigned i : *order) {
    // In range in padding, too.
    coordinates[i] =
        arena.mod(arena.floorDiv(number, leaves[i].stride), leaves[i].size);
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

IndexingMap MemoryPlaces::getElements() const {
  if (!hasPadding)
    return toIndex;
  // number -> (index, number) -> (number of the index, number) -> () where equal.
  IndexingMapBuilder pair, back, equal, elements;
  Form number = pair.addDim(Interval::ofExtent(numbers));
  pair.addMap(toIndex, number);
  pair.addResult(number);
  llvm::SmallVector<Form> dims = back.addDims(toNumber.getDimRanges());
  number = back.addDim(Interval::ofExtent(numbers));
  back.addMap(toNumber, dims);
  back.addResult(number);
  Form a = equal.addDim(Interval::ofExtent(numbers)),
       b = equal.addDim(Interval::ofExtent(numbers));
  equal.addConstraint(equal.arena().sub(a, b), {0, 0});
  const IndexingMap same =
      pair.build().then(back.build()).then(equal.build()).simplify();
  number = elements.addDim(Interval::ofExtent(numbers));
  elements.addMap(toIndex, number);
  elements.addDomain(same, number);
  return elements.build().simplify();
}

/// One number of all bits, and the inputs that it stands for.
static IndexingMap getInputMap(const LinearLayout &layout) {
  IndexingMapBuilder builder;
  Form rest = builder.addDim(
      Interval::ofExtent(int64_t(1) << layout.getNumInputBits()));
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
    return fail(error,
                "every element must be held, got " +
                    llvm::Twine(uint64_t(1) << layout.getRank()) + " of " +
                    llvm::Twine(uint64_t(1) << layout.getNumOutputBits()));
  MemoryPlaces places;
  places.numbers = int64_t(1) << layout.getNumInputBits();
  places.hasPadding = !layout.isInjective();
  findRun(layout, *back, places);
  // All inputs as one number.
  LinearLayout joined = *back;
  joined.outputs = {{"number", layout.getNumInputBits()}};
  places.toNumber = joined.getMap();
  places.toIndex = getInputMap(layout).then(layout.getMap()).simplify();
  return places;
}

//===----------------------------------------------------------------------===//
// In other notations
//===----------------------------------------------------------------------===//

std::optional<StridedLayout>
mlir::tensoraccess::toStridedPlaces(const LinearLayout &layout,
                                    std::string &reason) {
  if (!layout.isInjective())
    return fail(reason, "some elements have several numbers");
  std::optional<LinearLayout> places = layout.invert(reason);
  if (!places)
    return std::nullopt;
  places->outputs = {{"number", layout.getNumInputBits()}};
  return places->toStrided(reason);
}

std::optional<llvm::SmallVector<NestDigit>>
mlir::tensoraccess::getNest(const StridedLayout &layout, std::string &reason) {
  if (layout.map)
    return fail(reason, "it has no strides: " + layout.whyNoStrides);
  if (layout.swizzle)
    return fail(reason, "the swizzle " + layout.swizzle->str() +
                            " is not a sum of digits");
  llvm::SmallVector<StridedMode> leaves = layout.getLeaves();
  std::optional<llvm::SmallVector<unsigned>> order = getOrder(leaves, reason);
  if (!order)
    return std::nullopt;
  // What each leaf is of its dimension.
  llvm::SmallVector<NestDigit> digits;
  for (unsigned dim = 0; dim < layout.getRank(); ++dim) {
    const int64_t size = layout.getMode(dim).getSize();
    int64_t divisor = 1;
    for (const StridedMode &leaf : layout.getMode(dim).getLeaves()) {
      NestDigit digit{dim, divisor, leaf.size, leaf.size};
      divisor *= leaf.size;
      digit.isTop = divisor == size;
      digits.push_back(digit);
    }
  }
  llvm::SmallVector<NestDigit> nest;
  std::optional<int64_t> above;
  for (unsigned i : *order) {
    const int64_t stride = leaves[i].stride;
    if (above && *above % stride != 0)
      return fail(reason, "stride " + llvm::Twine(*above) +
                              " is not a multiple of " + llvm::Twine(stride));
    NestDigit &digit = digits[i];
    if (above)
      digit.size = *above / stride;
    // A gap above a digit that is not the topmost of its dimension.
    if (digit.size % digit.used == 0 && digit.size != digit.used) {
      NestDigit gap;
      gap.size = digit.size / digit.used;
      digit.size = digit.used;
      nest.push_back(gap);
    }
    nest.push_back(digit);
    above = stride;
  }
  if (above.value_or(1) > 1) {
    NestDigit gap;
    gap.size = *above;
    nest.push_back(gap);
  }
  for (auto [i, digit] : llvm::enumerate(nest))
    digit.physical = i;
  return nest;
}

std::optional<Layout> mlir::tensoraccess::toLayout(const StridedLayout &layout,
                                                   XlaType type,
                                                   std::string &reason) {
  std::optional<llvm::SmallVector<NestDigit>> nest = getNest(layout, reason);
  if (!nest)
    return std::nullopt;
  llvm::SmallVector<int64_t> shape;
  StridedForm flat;
  bool isFlat = true;
  for (unsigned i = 0; i < layout.getRank(); ++i) {
    const StridedLayout mode = strided::coalesce(layout.getMode(i));
    shape.push_back(mode.getSize());
    isFlat &= !mode.root.isList;
    flat.strides.push_back(mode.root.isList ? 0 : mode.root.stride);
  }
  if (isFlat)
    return layoutFromStrides(shape, flat, type, reason);
  return layoutFromNest(shape, *nest, type, reason);
}

std::optional<StridedLayout>
mlir::tensoraccess::stridedFromNest(llvm::ArrayRef<int64_t> shape,
                                    llvm::ArrayRef<NestDigit> nest,
                                    std::string &reason) {
  struct Leaf {
    int64_t divisor, size, stride;
  };
  llvm::SmallVector<llvm::SmallVector<Leaf>> leaves(shape.size());
  std::optional<int64_t> stride = 1;
  for (const NestDigit &digit : llvm::reverse(nest)) {
    if (digit.isOpen)
      return fail(reason,
                  "dimension " + llvm::Twine(digit.dim) + " is dynamic");
    if (digit.dim >= 0 && digit.used > 1)
      leaves[digit.dim].push_back({digit.divisor, digit.used, *stride});
    stride = checkedMul(*stride, digit.size);
    if (!stride)
      return fail(reason, "its numbers overflow");
  }
  if (!nest.empty() && nest.front().used != nest.front().size)
    return fail(reason, "there is padding after the last element");
  llvm::SmallVector<StridedLayout> modes;
  for (auto [dim, list] : llvm::enumerate(leaves)) {
    llvm::sort(list, [](const Leaf &a, const Leaf &b) {
      return a.divisor < b.divisor;
    });
    int64_t size = 1;
    llvm::SmallVector<StridedLayout> parts;
    for (const Leaf &leaf : list) {
      if (leaf.divisor != size)
        break;
      parts.push_back(StridedLayout(leaf.size, leaf.stride));
      size *= leaf.size;
    }
    if (size != shape[dim])
      return fail(reason, "dimension " + llvm::Twine(dim) + " of size " +
                              llvm::Twine(shape[dim]) +
                              " is not a multiple of its digits");
    if (parts.empty())
      modes.push_back(StridedLayout(1, 0));
    else if (parts.size() == 1)
      modes.push_back(parts.front());
    else
      modes.push_back(*StridedLayout::list(parts, reason));
  }
  return StridedLayout::list(modes, reason);
}
