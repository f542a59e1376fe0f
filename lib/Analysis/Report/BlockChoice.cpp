//===- BlockChoice.cpp - Which block is meant, and what it costs ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads blocks from attributes and options, and describes what a block does as
// models take it: as OpCost.cpp does for a rank's.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockReport.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Analysis/ShardedProgram.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The attribute of an op as a question; false and `error` if it is wrong.
static bool readAttribute(Attribute attribute, BlockQuestion &question,
                          std::string &error) {
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  if (!entries) {
    error = "'" + kBlockName.str() +
            "' must be a dictionary of sizes, offsets "
            "and of";
    return false;
  }
  question = {};
  for (NamedAttribute entry : entries) {
    StringRef name = entry.getName();
    if (name == "sizes" || name == "offsets") {
      auto numbers = dyn_cast<DenseI64ArrayAttr>(entry.getValue());
      if (!numbers) {
        error = "'" + kBlockName.str() + "': " + name.str() +
                " must be an array<i64>";
        return false;
      }
      (name == "sizes" ? question.sizes : question.offsets)
          .assign(numbers.asArrayRef().begin(), numbers.asArrayRef().end());
      continue;
    }
    auto text = dyn_cast<StringAttr>(entry.getValue());
    if (name == "of" && text &&
        (text.getValue() == "result" || text.getValue() == "iterations")) {
      question.ofResult = text.getValue() == "result";
      continue;
    }
    error = "'" + kBlockName.str() +
            (name == "of" ? "': of must be \"result\" or \"iterations\""
                          : "' has no entry '" + name.str() + "'");
    return false;
  }
  if (!entries.contains("sizes")) {
    error = "'" + kBlockName.str() + "' needs sizes";
    return false;
  }
  return true;
}

/// The box of offsets and sizes in a space of these extents (negative: of
/// unknown extent).
static std::optional<Box> makeBox(const BlockQuestion &question,
                                  ArrayRef<int64_t> extents, StringRef what,
                                  std::string &error) {
  auto refuse = [&](const Twine &why) -> std::optional<Box> {
    error = why.str();
    return std::nullopt;
  };
  const size_t rank = question.sizes.size();
  if (rank != extents.size())
    return refuse(what + " has " + Twine(extents.size()) +
                  (what == "the op" ? " axes" : " dimensions") + ", got " +
                  Twine(rank) + " sizes");
  if (!question.offsets.empty() && question.offsets.size() != rank)
    return refuse("there are " + Twine(rank) + " sizes, got " +
                  Twine(question.offsets.size()) + " offsets");
  Box box;
  for (size_t d = 0; d != rank; ++d) {
    const int64_t offset = question.offsets.empty() ? 0 : question.offsets[d];
    const int64_t size = question.sizes[d];
    if (size < 0)
      return refuse("size " + Twine(d) + " must not be negative, got " +
                    Twine(size));
    if (size == 0 && extents[d] < 0)
      return refuse("size " + Twine(d) +
                    " is 0, for all, but the extent is "
                    "dynamic");
    std::optional<int64_t> end =
        size == 0 ? std::max(extents[d], offset) : checkedAdd(offset, size);
    if (!end)
      return refuse("offset " + Twine(offset) + " and size " + Twine(size) +
                    " overflow 64-bit arithmetic");
    box.lo.push_back(offset);
    box.hi.push_back(*end);
  }
  return box;
}

std::optional<Box> mlir::tensoraccess::chooseBlock(const BlockSpace &space,
                                                   const BlockQuestion &given,
                                                   std::string &error) {
  BlockQuestion question = given;
  if (Attribute own = space.op->getDiscardableAttr(kBlockName))
    if (!readAttribute(own, question, error))
      return std::nullopt;
  if (question.sizes.empty() && !space.axes.empty()) {
    if (question.extent != 0)
      return space.getMiddleBlock(question.extent, error);
    std::optional<Box> whole = space.getWhole();
    if (!whole)
      error = "an extent is dynamic: give the block's sizes";
    return whole;
  }
  if (question.ofResult) {
    const unsigned number = space.result.value_or(0);
    auto value = llvm::find_if(space.values, [&](const BlockValue &v) {
      return v.role == BlockValue::Role::Result && v.number == number;
    });
    SmallVector<int64_t> extents =
        llvm::map_to_vector(value->shape, [](int64_t size) {
          return ShapedType::isDynamic(size) ? int64_t(-1) : size;
        });
    std::optional<Box> box =
        makeBox(question, extents, "result " + std::to_string(number), error);
    return box ? space.getBlockOfResult(number, *box, error) : std::nullopt;
  }
  SmallVector<int64_t> extents =
      llvm::map_to_vector(space.axes, [](const BlockAxis &axis) {
        return axis.extent.value_or(-1);
      });
  std::optional<Box> box = makeBox(question, extents, "the op", error);
  if (!box)
    return std::nullopt;
  if (std::optional<std::string> problem = space.verify(*box)) {
    error = *problem;
    return std::nullopt;
  }
  return box;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

std::optional<CostModel> mlir::tensoraccess::readCostModel(StringRef file,
                                                           std::string &error) {
  if (file.empty())
    return getDefaultCostModel();
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer) {
    error =
        ("cannot read the costs '" + file + "': " + buffer.getError().message())
            .str();
    return std::nullopt;
  }
  ParseError problem;
  std::optional<CostModel> model =
      CostModel::parse((*buffer)->getBuffer(), problem);
  if (!model)
    error = ("the costs '" + file + "' are wrong at byte " +
             Twine(problem.offset) + ": " + problem.message)
                .str();
  return model;
}

/// Whether an op only moves elements.
static bool isMovementSpace(const BlockSpace &space) {
  auto isIdentity = [](const BlockValue &value) {
    return value.maps.size() == 1 && value.maps[0].map.isIdentity();
  };
  if (auto structured = dyn_cast<linalg::LinalgOp>(space.op))
    return structured.getNumReductionLoops() == 0 &&
           structured.getBlock()->without_terminator().empty();
  // What compares and chooses does no arithmetic, element by element.
  return space.operationsPerPoint == 0u &&
         !llvm::all_of(space.values, isIdentity);
}

/// Whether a tensor stays where it is along an axis, or has the next element
/// there.
static bool isSideBySide(const BlockValue &value, unsigned axis) {
  return llvm::all_of(value.maps, [&](const BlockMap &map) {
    if (!map.projection)
      return false;
    for (auto [r, row] : llvm::enumerate(map.projection->matrix))
      if (row[axis] != 0 &&
          (row[axis] != 1 || r + 1 != map.projection->matrix.size()))
        return false;
    return true;
  });
}

/// The axis of the last dimension of the first result, if all tensors are side
/// by side along it.
static std::optional<unsigned> findInnermost(const BlockSpace &space) {
  auto result = llvm::find_if(space.values, [](const BlockValue &value) {
    return value.role == BlockValue::Role::Result;
  });
  const Projection *projection =
      result == space.values.end() ? nullptr : result->getProjection();
  if (!projection || projection->matrix.empty())
    return std::nullopt;
  std::optional<unsigned> innermost;
  for (auto [a, factor] : llvm::enumerate(projection->matrix.back())) {
    if (factor == 0)
      continue;
    if (innermost)
      return std::nullopt;
    innermost = a;
  }
  if (!innermost || *innermost >= space.axes.size() ||
      space.axes[*innermost].isReduction ||
      !llvm::all_of(space.values, [&](const BlockValue &value) {
        return isSideBySide(value, *innermost);
      }))
    return std::nullopt;
  return innermost;
}

std::optional<BlockWork>
mlir::tensoraccess::getBlockWork(const BlockSpace &space, const Box &block,
                                 const BlockFootprints &footprints,
                                 const CostModel &model, std::string &error) {
  if (!footprints.bytesIn || !footprints.bytesOut ||
      *footprints.bytesIn > uint64_t(Interval::kNoUpper) ||
      *footprints.bytesOut > uint64_t(Interval::kNoUpper)) {
    error = "how many bytes the block touches is not known";
    return std::nullopt;
  }
  BlockWork work;
  work.bytesIn = static_cast<int64_t>(*footprints.bytesIn);
  work.bytesOut = static_cast<int64_t>(*footprints.bytesOut);
  if (isMovementSpace(space)) {
    work.family = "move";
    return work;
  }
  bool isReduced = false;
  uint64_t elementBytes = 0;
  for (const BlockValue &value : space.values)
    if (value.role != BlockValue::Role::Result && value.isRead())
      elementBytes = std::max(elementBytes, value.elementBytes.value_or(0));
  std::optional<int64_t> column = static_cast<int64_t>(elementBytes);
  for (auto [a, axis] : llvm::enumerate(space.axes)) {
    const int64_t extent = block.hi[a] - block.lo[a];
    work.extents.push_back(extent);
    isReduced |= axis.isReduction;
    if (axis.isReduction)
      column = checkedMul(column, extent);
  }
  work.innermost = findInnermost(space);
  if (isReduced)
    work.columnBytes = column.value_or(Interval::kNoUpper);
  work.family = isReduced        ? work.innermost ? "sum" : "chain"
                : work.innermost ? "map"
                                 : "move";
  addSteps(space.op, model, work);
  return work;
}

std::optional<BlockCost>
mlir::tensoraccess::getBlockCost(const BlockSpace &space, const Box &block,
                                 const BlockFootprints &footprints,
                                 const CostModel &model, std::string &error) {
  std::optional<BlockWork> work =
      getBlockWork(space, block, footprints, model, error);
  if (!work)
    return std::nullopt;
  if (block.isEmpty())
    return BlockCost();
  return getOpCost(space.op, *work, model, error);
}
