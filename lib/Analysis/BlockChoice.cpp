//===- BlockChoice.cpp - Which block is meant, and what it costs ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads blocks and rates from attributes and options.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockReport.h"
#include "TensorAccess/Analysis/ShardedProgram.h"
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
  auto extentsOf = [](auto &&range) { return llvm::to_vector(range); };
  if (question.ofResult) {
    const unsigned number = space.result.value_or(0);
    auto value = llvm::find_if(space.values, [&](const BlockValue &v) {
      return v.role == BlockValue::Role::Result && v.number == number;
    });
    SmallVector<int64_t> extents =
        extentsOf(llvm::map_range(value->shape, [](int64_t size) {
          return ShapedType::isDynamic(size) ? int64_t(-1) : size;
        }));
    std::optional<Box> box =
        makeBox(question, extents, "result " + std::to_string(number), error);
    return box ? space.getBlockOfResult(number, *box, error) : std::nullopt;
  }
  SmallVector<int64_t> extents =
      extentsOf(llvm::map_range(space.axes, [](const BlockAxis &axis) {
        return axis.extent.value_or(-1);
      }));
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

/// Rates that an op has of its own, in a model; none and `error` if wrong.
static std::optional<CostModel>
getOwnModel(Operation *op, const CostModel &model, std::string &error) {
  Attribute own = op->getDiscardableAttr(kRatesName);
  if (!own)
    return model;
  StringRef name = op->getName().getStringRef();
  auto text = dyn_cast<StringAttr>(own);
  if (!text) {
    error = "'" + kRatesName.str() + "' must be a text";
    return std::nullopt;
  }
  const std::string prefix = "machine own\nop " + name.str() + ": ";
  ParseError problem;
  std::optional<CostModel> read =
      CostModel::parse(prefix + text.getValue().str(), problem);
  if (!read || read->ops.size() != 1 || read->network ||
      !read->cliffs.empty()) {
    error = "'" + kRatesName.str() +
            "': " + (read ? "must be the rates of one op" : problem.message);
    return std::nullopt;
  }
  CostModel out = model;
  out.setRates(read->ops.front());
  return out;
}

std::optional<BlockCost>
mlir::tensoraccess::getBlockCost(const BlockSpace &space, const Box &block,
                                 const BlockFootprints &footprints,
                                 const CostModel &model, std::string &error) {
  if (!footprints.bytesIn || !footprints.bytesOut ||
      *footprints.bytesIn > uint64_t(Interval::kNoUpper) ||
      *footprints.bytesOut > uint64_t(Interval::kNoUpper)) {
    error = "how many bytes the block touches is not known";
    return std::nullopt;
  }
  if (block.isEmpty())
    return BlockCost();
  BlockWork work;
  if (space.operationsPerPoint != 0u)
    for (auto [lo, hi] : llvm::zip_equal(block.lo, block.hi))
      work.extents.push_back(hi - lo);
  work.bytesIn = static_cast<int64_t>(*footprints.bytesIn);
  work.bytesOut = static_cast<int64_t>(*footprints.bytesOut);
  StringRef name = space.op->getName().getStringRef();
  if (!space.op->getDiscardableAttr(kRatesName))
    return model.getCost(name, work, error);
  std::optional<CostModel> own = getOwnModel(space.op, model, error);
  return own ? own->getCost(name, work, error) : std::nullopt;
}
