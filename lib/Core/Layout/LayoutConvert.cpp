//===- LayoutConvert.cpp - From layouts to other notations ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pack and a tag are a *blocked form*: all dimensions once, then blocks. The
// digits of a layout (getNest) are one if
//   1. the first digits are the topmost ones of different dimensions, without
//      padding: these are the outer dimensions. What the tiles themselves call
//      outer is tried first, then every other prefix;
//   2. the digits after them are blocks: seen from minor to major, those of a
//      dimension have the divisors 1, b1, b1·b2, …, and only the last of a
//      dimension may have more places than values;
//   3. padding of no dimension belongs to any dimension whose index is already
//      written in full, as a block of which only the first place is used.
//
// Strides are the digits' places in memory: those of a dimension must agree.
//
//===----------------------------------------------------------------------===//

#include "Layout/BlockedForm.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

static std::string dimName(int64_t dim) {
  return "dimension " + std::to_string(dim);
}

static bool hasNoElements(const Layout &layout) {
  return layout.shape && llvm::is_contained(*layout.shape, 0);
}

static const char *const kOverflow =
    "the number of padded elements overflows 64-bit arithmetic";

/// What of `layout` a notation cannot express; the tail only if
/// `hasTail` is false, the memory space only if `hasSpace` is.
static std::optional<std::string> findLoss(const Layout &layout,
                                           StringRef notation, bool hasTail,
                                           bool hasSpace) {
  auto refuse = [&](const Twine &what) {
    return (notation + " have no " + what).str();
  };
  if (layout.elementBits && layout.elementType &&
      *layout.elementBits != layout.elementType->getBits())
    return refuse("element bits: E(" + Twine(*layout.elementBits) + ") of " +
                  layout.elementType->getName());
  if (!hasSpace && layout.memorySpace != 0)
    return refuse("memory space: S(" + Twine(layout.memorySpace) + ")");
  for (const DimLevel &level : layout.dimLevels)
    if (!(level == DimLevel()))
      return refuse("sparse dimensions: D");
  if (layout.indexType || layout.pointerType)
    return refuse(layout.indexType ? "index type: #" : "pointer type: *");
  if (!hasTail && layout.tailAlignment != 1 && layout.shape) {
    Layout bare = layout;
    bare.tailAlignment = 1;
    std::optional<LayoutSizes> with = getSizes(layout),
                               without = getSizes(bare);
    if (with && without && with->paddedElements != without->paddedElements) {
      SizeDifference tail(with->paddedElements, without->paddedElements);
      return refuse("tail: L(" + Twine(layout.tailAlignment) + ") adds " +
                    tail.str() + " elements");
    }
  }
  return std::nullopt;
}

/// Steps 1 to 3 with the first `outer` digits as outer dimensions, among them
/// all that are open. Sizes are at least 1; `natural` is the order of dimensions
/// where nothing else is wanted.
static std::optional<BlockedForm> getBlocks(ArrayRef<int64_t> shape,
                                            ArrayRef<int64_t> natural,
                                            ArrayRef<NestDigit> nest,
                                            size_t outer, std::string &reason) {
  int64_t rank = shape.size();
  // What is above the blocks of each dimension seen so far.
  SmallVector<int64_t> weight(rank, 1);
  auto isWritten = [&](int64_t dim) {
    int64_t size = shape[dim];
    return !Layout::isDynamic(size) && weight[dim] >= size;
  };
  BlockedForm form;
  int64_t last = -1;
  for (const NestDigit &digit : llvm::reverse(nest.drop_front(outer))) {
    int64_t dim = digit.dim;
    if (digit.isPadding() && (dim < 0 || !isWritten(dim))) {
      dim = last;
      if (dim < 0 || !isWritten(dim)) {
        auto all = llvm::seq<int64_t>(0, rank);
        auto found = llvm::find_if(all, isWritten);
        dim = found == all.end() ? -1 : *found;
      }
      if (dim < 0) {
        reason = "padding of " + std::to_string(digit.size) +
                 " elements belongs to no dimension";
        return std::nullopt;
      }
    } else if (!digit.isPadding() && digit.divisor != weight[dim]) {
      reason = dimName(dim) + " has the digit of weight " +
               std::to_string(digit.divisor) + " inside of the one of weight " +
               std::to_string(weight[dim]);
      return std::nullopt;
    }
    if (!digit.isTop && digit.used != digit.size) {
      reason = "a block of " + std::to_string(digit.used) + " of " +
               dimName(dim) + " is padded to " + std::to_string(digit.size);
      return std::nullopt;
    }
    weight[dim] *= digit.size;
    last = dim;
    if (!form.blocks.empty() && form.blocks.back().dim == dim)
      form.blocks.back().size *= digit.size;
    else
      form.blocks.push_back({dim, digit.size});
  }
  std::reverse(form.blocks.begin(), form.blocks.end());

  for (const NestDigit &digit : nest.take_front(outer)) {
    if (digit.dim < 0 || digit.used != digit.size || !digit.isTop) {
      reason = "padding of " + std::to_string(digit.size) +
               " elements is outside of all blocks";
      return std::nullopt;
    }
    if (digit.divisor != weight[digit.dim] ||
        llvm::is_contained(form.order, digit.dim)) {
      reason = dimName(digit.dim) + " has the digit of weight " +
               std::to_string(weight[digit.dim]) +
               " outside of the one of weight " + std::to_string(digit.divisor);
      return std::nullopt;
    }
    form.order.push_back(digit.dim);
  }
  // A dimension of one outer element may be anywhere: where the layout has it.
  SmallVector<int64_t> kept;
  for (int64_t dim : natural)
    if (llvm::is_contained(form.order, dim))
      kept.push_back(dim);
  if (kept == form.order)
    form.order.assign(natural.begin(), natural.end());
  else
    for (int64_t dim : natural)
      if (!llvm::is_contained(form.order, dim))
        form.order.push_back(dim);
  return form;
}

static std::optional<BlockedForm>
toBlockedForm(const Layout &layout, StringRef notation, std::string &reason) {
  if (std::optional<std::string> loss =
          findLoss(layout, notation, /*hasTail=*/false, /*hasSpace=*/false)) {
    reason = std::move(*loss);
    return std::nullopt;
  }
  std::optional<SmallVector<NestDigit>> nest = getNest(layout, reason);
  if (!nest && !hasNoElements(layout))
    return std::nullopt;
  if (!nest)
    nest.emplace();
  SmallVector<int64_t> shape(layout.shape->begin(), layout.shape->end());
  for (int64_t &size : shape)
    if (!Layout::isDynamic(size))
      size = std::max<int64_t>(size, 1);
  auto order = llvm::reverse(layout.minorToMajor);
  SmallVector<int64_t> natural(order.begin(), order.end());

  // A block has a size that is known.
  size_t own = 0, least = 0, outermost = layout.getRank();
  if (!layout.tiles.empty()) // more dimensions than the array has
    outermost = std::max(outermost, layout.tiles.front().size());
  for (auto [i, digit] : llvm::enumerate(*nest)) {
    own += digit.physical < outermost;
    if (digit.isOpen)
      least = i + 1;
  }
  own = std::max(own, least);
  if (auto form = getBlocks(shape, natural, *nest, own, reason))
    return form;
  std::string ignored;
  for (size_t outer = nest->size() + 1; outer-- > least;)
    if (outer != own)
      if (auto form = getBlocks(shape, natural, *nest, outer, ignored))
        return form;
  if (hasNoElements(layout)) // blocks of nothing
    return getBlocks(shape, natural, {}, 0, reason);
  return std::nullopt;
}

/// The parameters of a form whose dimensions have one block each.
static std::optional<PackParameters> toPack(const BlockedForm &form,
                                            std::string &reason) {
  PackParameters pack;
  pack.outerDimsPerm = form.order;
  for (const DimBlock &block : form.blocks) {
    if (llvm::is_contained(pack.innerDimsPos, block.dim)) {
      reason = dimName(block.dim) + " has several blocks, and a pack has one "
                                    "tile per dimension";
      return std::nullopt;
    }
    pack.innerDimsPos.push_back(block.dim);
    pack.innerTiles.push_back(block.size);
  }
  return pack;
}

std::optional<PackParameters> mlir::tensoraccess::toPack(const Layout &layout,
                                                         std::string &reason) {
  std::optional<BlockedForm> form =
      toBlockedForm(layout, "pack parameters", reason);
  return form ? ::toPack(*form, reason) : std::nullopt;
}

bool mlir::tensoraccess::findBlockedForm(
    ArrayRef<int64_t> shape, ArrayRef<NestDigit> nest,
    llvm::function_ref<bool(const BlockedForm &)> accept, std::string &reason) {
  auto dims = llvm::seq<int64_t>(0, shape.size());
  SmallVector<int64_t> natural(dims.begin(), dims.end());
  for (size_t outer = nest.size() + 1; outer-- > 0;) {
    std::optional<BlockedForm> form =
        getBlocks(shape, natural, nest, outer, reason);
    if (form && accept(*form))
      return true;
    if (outer > 0 && nest[outer - 1].isOpen)
      break;
  }
  return false;
}

std::optional<PackParameters>
mlir::tensoraccess::toPack(ArrayRef<int64_t> shape, ArrayRef<NestDigit> nest,
                           std::string &reason) {
  std::optional<PackParameters> pack;
  findBlockedForm(
      shape, nest,
      [&](const BlockedForm &form) {
        pack = ::toPack(form, reason);
        return pack.has_value();
      },
      reason);
  return pack;
}

std::optional<std::string>
mlir::tensoraccess::toBlockedTag(const Layout &layout, std::string &reason) {
  if (layout.getRank() > 26) {
    reason = "a tag has letters for 26 dimensions, got " +
             std::to_string(layout.getRank());
    return std::nullopt;
  }
  std::optional<BlockedForm> form =
      toBlockedForm(layout, "blocked tags", reason);
  if (!form)
    return std::nullopt;
  std::string tag;
  for (int64_t dim : form->order) {
    bool isBlocked = llvm::any_of(
        form->blocks, [&](const DimBlock &block) { return block.dim == dim; });
    tag += static_cast<char>((isBlocked ? 'A' : 'a') + dim);
  }
  for (const DimBlock &block : form->blocks) {
    tag += std::to_string(block.size);
    tag += static_cast<char>('a' + block.dim);
  }
  return tag;
}

std::optional<SmallVector<SizeExpr>>
mlir::tensoraccess::getPackedSizes(ArrayRef<int64_t> shape,
                                   const PackParameters &pack) {
  SmallVector<SizeExpr> sizes;
  for (int64_t dim : pack.outerDimsPerm) {
    std::optional<SizeExpr> size = SizeExpr::of(shape[dim], dim);
    for (auto [tiled, tile] :
         llvm::zip_equal(pack.innerDimsPos, pack.innerTiles))
      if (tiled == dim && size)
        size = size->ceilDiv(tile);
    if (!size)
      return std::nullopt;
    sizes.push_back(*size);
  }
  for (int64_t tile : pack.innerTiles)
    sizes.push_back(tile);
  return sizes;
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

std::optional<SymbolicStrides>
mlir::tensoraccess::toSymbolicStrides(const Layout &layout,
                                      std::string &reason) {
  if (std::optional<std::string> loss =
          findLoss(layout, "strides", /*hasTail=*/true, /*hasSpace=*/true)) {
    reason = std::move(*loss);
    return std::nullopt;
  }
  // An array without elements may have any strides.
  std::optional<SmallVector<NestDigit>> nest;
  if (hasNoElements(layout))
    nest.emplace();
  else
    nest = getNest(layout, reason);
  if (!nest)
    return std::nullopt;
  SymbolicStrides strided;
  strided.memorySpace = layout.memorySpace;
  reason = kOverflow;
  std::optional<LayoutSizes> sizes = getSizes(layout);
  if (!sizes)
    return std::nullopt;
  strided.elements = sizes->paddedElements;
  strided.strides.assign(layout.getRank(), SizeExpr(0));

  // A dimension's digit of weight 1 has its stride; the others must agree.
  SizeExpr place = 1;
  SmallVector<std::pair<NestDigit, SizeExpr>> places;
  for (const NestDigit &digit : llvm::reverse(*nest)) {
    if (!digit.isPadding()) {
      places.push_back({digit, place});
      if (digit.divisor == 1)
        strided.strides[digit.dim] = place;
    }
    std::optional<SizeExpr> size = digit.getSize(), next;
    if (size)
      next = place.times(*size);
    if (!next)
      return std::nullopt;
    place = *next;
  }
  for (const auto &[digit, place] : places) {
    const SizeExpr &stride = strided.strides[digit.dim];
    std::optional<SizeExpr> expected = stride.times(digit.divisor);
    if (expected == place)
      continue;
    reason = dimName(digit.dim) + " has no single stride: element 1 is at " +
             stride.str() + ", element " + std::to_string(digit.divisor) +
             " at " + place.str();
    return std::nullopt;
  }
  // A single element: as if the array were dense.
  SizeExpr dense = 1;
  for (int64_t dim : layout.minorToMajor) {
    SizeExpr &stride = strided.strides[dim];
    if (stride == SizeExpr(0))
      stride = dense;
    int64_t size = (*layout.shape)[dim];
    std::optional<SizeExpr> next =
        stride.times(SizeExpr::of(size == 0 ? 1 : size, dim));
    dense = next.value_or(stride);
  }
  return strided;
}
