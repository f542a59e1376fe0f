//===- BlockBoxes.cpp - Blocks of an index space --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which boxes are blocks of a space: given ones that are checked, those that
// compute a box of a result, and one from the middle.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockSpace.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<Box> BlockSpace::getWhole() const {
  Box whole;
  for (const BlockAxis &axis : axes) {
    if (!axis.extent)
      return std::nullopt;
    whole.lo.push_back(0);
    whole.hi.push_back(*axis.extent);
  }
  return whole;
}

static std::string printSpan(int64_t lo, int64_t hi) {
  return "[" + std::to_string(lo) + ", " + std::to_string(hi) + ")";
}

std::optional<std::string> BlockSpace::verify(const Box &block) const {
  if (block.lo.size() != axes.size() || block.hi.size() != axes.size())
    return "the op has " + std::to_string(axes.size()) +
           " axes, got a block of rank " + std::to_string(block.lo.size());
  if (std::optional<std::string> problem = verifyBox(block))
    return problem;
  for (auto [a, axis] : llvm::enumerate(axes))
    if (block.lo[a] < 0 || (axis.extent && block.hi[a] > *axis.extent))
      return "axis " + std::to_string(a) + " has " +
             (axis.extent ? printSpan(0, *axis.extent) : "[0, ?)") +
             ", got a block of " + printSpan(block.lo[a], block.hi[a]);
  return std::nullopt;
}

std::optional<Box> BlockSpace::getBlockOfResult(unsigned number, const Box &box,
                                                std::string &error) const {
  auto refuse = [&](std::string why) -> std::optional<Box> {
    error = std::move(why);
    return std::nullopt;
  };
  const std::string name = "result " + std::to_string(number);
  const BlockValue *value = llvm::find_if(values, [&](const BlockValue &v) {
    return v.role == BlockValue::Role::Result && v.number == number;
  });
  if (value == values.end())
    return refuse(name + " is not in this index space");
  if (box.lo.size() != value->shape.size() ||
      box.hi.size() != value->shape.size())
    return refuse(name + " has " + std::to_string(value->shape.size()) +
                  " dimensions, got a block of rank " +
                  std::to_string(box.lo.size()));
  if (std::optional<std::string> problem = verifyBox(box))
    return refuse(*problem);
  for (auto [d, size] : llvm::enumerate(value->shape)) {
    const bool isDynamic = ShapedType::isDynamic(size);
    if (box.lo[d] < 0 || (!isDynamic && box.hi[d] > size))
      return refuse("dimension " + std::to_string(d) + " of " + name + " has " +
                    (isDynamic ? "[0, ?)" : printSpan(0, size)) +
                    ", got a block of " + printSpan(box.lo[d], box.hi[d]));
  }
  SmallVector<std::optional<std::pair<int64_t, int64_t>>> given(axes.size());
  if (!value->shape.empty()) {
    const Projection *projection = value->getProjection();
    auto isAxis = [&](size_t row, unsigned &axis) {
      unsigned seen = 0;
      for (auto [c, factor] : llvm::enumerate(projection->matrix[row])) {
        if (factor == 0)
          continue;
        ++seen;
        axis = c;
        if (factor != 1)
          return false;
      }
      return seen == 1 && projection->offset[row] == 0 &&
             projection->shape[row] == 1 && !given[axis];
    };
    for (size_t d = 0; d != value->shape.size(); ++d) {
      unsigned axis = 0;
      if (!projection || !isAxis(d, axis))
        return refuse("dimension " + std::to_string(d) + " of " + name +
                      " is not an axis of the op: give a block of its axes");
      given[axis] = {box.lo[d], box.hi[d]};
    }
  }
  Box block;
  for (auto [a, axis] : llvm::enumerate(axes)) {
    if (!given[a] && !axis.extent)
      return refuse("axis " + std::to_string(a) +
                    " is dynamic: give a block of all axes");
    auto [lo, hi] = given[a].value_or(std::pair(int64_t(0), int64_t(0)));
    block.lo.push_back(lo);
    block.hi.push_back(given[a] ? hi : *axis.extent);
  }
  return block;
}

std::optional<Box> BlockSpace::getMiddleBlock(int64_t extent,
                                              std::string &error) const {
  if (extent < 1) {
    error =
        "the extent of a block must be positive, got " + std::to_string(extent);
    return std::nullopt;
  }
  Box block;
  for (auto [a, axis] : llvm::enumerate(axes)) {
    if (!axis.extent) {
      error = "axis " + std::to_string(a) + " is dynamic";
      return std::nullopt;
    }
    const int64_t size =
        axis.isReduction ? *axis.extent : std::min(extent, *axis.extent);
    const int64_t lo = size == 0 ? 0 : *axis.extent / 2 / size * size;
    block.lo.push_back(size == *axis.extent ? 0 : lo);
    block.hi.push_back(block.lo.back() + size);
  }
  return block;
}
