//===- Memory.cpp - Copies, padding, and what is never read ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Analysis/BlockReport.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<Layout> tensoraccess::getLayoutInMemory(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  std::optional<XlaType> stored = getStoredType(type.getElementType());
  if (!stored)
    return std::nullopt;
  if (auto attr = dyn_cast_or_null<LayoutAttr>(type.getEncoding()))
    return attr.getValue().withShape(type.getShape(), *stored);
  if (type.getEncoding())
    return std::nullopt;
  return Layout::rowMajor(type.getRank()).withShape(type.getShape(), *stored);
}

static std::string printSizes(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? "," : "") +
            (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  return text + "]";
}

/// The same of a layout with its shape.
static std::string printLayout(const Layout &layout) {
  return printSizes(*layout.shape) + layout.layoutStr();
}

std::string tensoraccess::printShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  std::optional<Layout> layout = getLayoutInMemory(value);
  return printSizes(type ? type.getShape() : ArrayRef<int64_t>()) +
         (layout ? layout->layoutStr() : "");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The argument of a fusion that one of its results only moves; null if it computes
/// something.
static Value getMoved(const ProgramStep &step, unsigned result) {
  FunctionOpInterface callee = step.callee;
  if (!callee || step.isMove)
    return Value();
  Value value = callee.getFunctionBody().front().back().getOperand(result);
  while (Operation *op = value.getDefiningOp()) {
    if (!isMove(op) || op->getNumOperands() != 1)
      return Value();
    value = op->getOperand(0);
  }
  return step.ops.front()->getOperand(
      cast<BlockArgument>(value).getArgNumber());
}

ExplainSection tensoraccess::explainCopies(ProgramSteps &program) {
  ExplainSection section{
      "copies", "copies, transposes and layout changes", {}, {}};
  Bounds all;
  for (const ProgramStep &step : program.getSteps()) {
    // Results of a fusion that are what it is given.
    for (unsigned r = 0; r < step.results.size(); ++r) {
      Value moved = getMoved(step, r);
      if (!moved || step.written[r].isZero())
        continue;
      ExplainRow &row = section.rows.emplace_back(makeRow(program, step));
      const Bounds bytes = step.written[r].times(step.times);
      all += bytes;
      row.add("bytes", bytes)
          .add("from", printShape(moved))
          .add("to", printShape(step.results[r]));
      row.text = "result " + std::to_string(r) + " is a second array of " +
                 program.getName(program.getArray(moved));
    }
    if (!step.isMove || step.reads.empty() || step.results.empty() ||
        step.getBytes().isZero())
      continue;
    ExplainRow &row = section.rows.emplace_back(makeRow(program, step));
    const Bounds bytes = step.getAllBytes();
    all += bytes;
    const Value from = step.reads.front().value, to = step.results.front();
    row.add("bytes", bytes)
        .add("from", printShape(from))
        .add("to", printShape(to));
    // The producer of the one, and the readers of the other.
    const ProgramStep *producer = program.getProducer(from);
    row.text = producer ? producer->name + " made it"
               : isa<BlockArgument>(from)
                   ? program.getName(from) + " is an argument"
                   : program.getName(from) + " is a constant";
    bool isKept;
    SmallVector<ProgramSteps::Reader, 4> readers =
        program.getReaders(to, isKept);
    const std::string names =
        joinNames(readers, isKept ? "a result or loop" : "");
    row.text += names.empty() ? ", nothing reads it" : "; read by " + names;
    const bool isChanged =
        llvm::any_of(readers, [&](const ProgramSteps::Reader &reader) {
          return reader.read && reader.read->isInPlace;
        });
    if (from.getType() == to.getType())
      row.text += isChanged && isa<BlockArgument>(from)
                      ? ", which changes it in place: nothing is copied of an "
                        "argument that is donated"
                      : "; both are laid out alike";
  }
  sortRows(section, "bytes");
  section.summary = section.rows.empty() ? "no step only moves data"
                                         : plural(section.rows.size(), "step") +
                                               " for " + all.str() + " bytes";
  return section;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// The step that made the shape whose padding a value has: back through steps of
/// the same shape.
static const ProgramStep *getOrigin(const ProgramSteps &program, Value value) {
  const ProgramStep *origin = program.getProducer(value);
  ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
  for (const ProgramStep *step = origin; step;) {
    origin = step;
    const ProgramStep *next = nullptr;
    for (const ProgramStep::Read &read : step->reads) {
      auto type = dyn_cast<ShapedType>(read.value.getType());
      if (type && type.hasRank() && type.getShape() == shape)
        next = program.getProducer(read.value);
    }
    step = next == step ? nullptr : next;
  }
  return origin;
}

/// Orders of dimensions that are tried, those of six.
static constexpr unsigned kMostOrders = 720;

/// The same tiles with the dimensions in the order that wastes least.
static std::optional<Layout> getBestOrder(const Layout &layout,
                                          int64_t sizeBytes) {
  SmallVector<int64_t> order(layout.minorToMajor.begin(),
                             layout.minorToMajor.end());
  llvm::sort(order);
  std::optional<Layout> best;
  unsigned numTried = 0;
  do {
    Layout next = layout;
    next.minorToMajor.assign(order.begin(), order.end());
    std::optional<LayoutWaste> waste = getWaste(next);
    if (waste && waste->sizeBytes < sizeBytes) {
      sizeBytes = waste->sizeBytes;
      best = next;
    }
  } while (++numTried < kMostOrders &&
           std::next_permutation(order.begin(), order.end()));
  return best;
}

uint64_t tensoraccess::getPadding(const ProgramStep &step) {
  uint64_t sum = 0;
  for (Value result : step.results)
    if (std::optional<Layout> layout = getLayoutInMemory(result))
      if (std::optional<LayoutWaste> waste = getWaste(*layout))
        sum += std::max<int64_t>(waste->sizeBytes - waste->usedBytes, 0);
  return sum;
}

void tensoraccess::addPadding(ExplainRow &row, const Layout &layout) {
  std::optional<LayoutWaste> waste = getWaste(layout);
  if (!waste)
    return;
  row.add("padding", Bounds::exactly(waste->sizeBytes - waste->usedBytes))
      .add("size", Bounds::exactly(waste->sizeBytes))
      .add("used", Bounds::exactly(waste->usedBytes))
      .add("layout", printLayout(layout));
  if (std::optional<Layout> best = getBestOrder(layout, waste->sizeBytes))
    row.text = best->layoutStr() + " would take " +
               Bounds::exactly(getWaste(*best)->sizeBytes).str() + " bytes";
}

ExplainSection tensoraccess::explainPadding(ProgramSteps &program) {
  ExplainSection section{"padding", "padding", {}, {}};
  Bounds wasted, used;
  size_t numTiled = 0;
  llvm::SmallPtrSet<Value, 8> seen;
  auto visit = [&](Value value, const ProgramStep *step) {
    std::optional<Layout> layout = getLayoutInMemory(value);
    if (!layout || !seen.insert(value).second)
      return;
    std::optional<LayoutWaste> waste = getWaste(*layout);
    if (!waste)
      return;
    used += Bounds::exactly(waste->usedBytes);
    numTiled += !layout->tiles.empty();
    const int64_t more = waste->sizeBytes - waste->usedBytes;
    if (more <= 0)
      return;
    wasted += Bounds::exactly(more);
    ExplainRow row;
    if (step) {
      row = makeRow(program, *step);
    } else {
      row.kind = "argument";
      program.locate(value.getLoc(), row);
    }
    row.name = program.getName(value);
    addPadding(row, *layout);
    if (const ProgramStep *origin = getOrigin(program, value);
        origin && origin != step)
      row.text = "its shape is that of " + origin->name +
                 (row.text.empty() ? "" : "; ") + row.text;
    section.rows.push_back(std::move(row));
  };
  for (Value argument : program.getEntry().getArguments())
    visit(argument, nullptr);
  for (const ProgramStep &step : program.getSteps())
    for (Value result : step.results)
      visit(result, &step);
  sortRows(section, "padding");
  if (!section.rows.empty())
    section.summary = wasted.str() + " bytes in " +
                      plural(section.rows.size(), "array") +
                      "; what all arrays hold is " + used.str();
  else
    section.summary =
        numTiled ? "no array is padded by its tiles" : "no array has tiles";
  return section;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Maps into an array that are followed back from what is read of it.
static constexpr size_t kMostMaps = 8;

namespace {
/// What is needed of each array: the whole, or the image of maps.
class Needs {
public:
  explicit Needs(ProgramSteps &program) : program(program) {
    // Readers come after what they read.
    for (ProgramStep &step : llvm::reverse(program.getSteps()))
      for (Value result : step.results)
        addResult(result);
  }
  /// The maps; std::nullopt if it is the whole, as far as is known.
  const std::optional<SmallVector<IndexingMap, 1>> &get(Value value) const {
    static const std::optional<SmallVector<IndexingMap, 1>> whole;
    auto it = needs.find(value);
    return it == needs.end() ? whole : it->second;
  }

private:
  void addResult(Value result);

  ProgramSteps &program;
  llvm::DenseMap<Value, std::optional<SmallVector<IndexingMap, 1>>> needs;
};
} // namespace

void Needs::addResult(Value result) {
  bool isKept;
  SmallVector<ProgramSteps::Reader, 4> readers =
      program.getReaders(result, isKept);
  std::optional<SmallVector<IndexingMap, 1>> maps;
  if (isKept || readers.empty())
    return;
  maps.emplace();
  for (auto [reader, read] : readers) {
    // Indices of a view are others.
    if (!read || read->isInPlace || !read->reason.empty() ||
        read->value != result)
      return;
    // A reader of which only a part is needed needs less itself.
    const auto &later = reader->results.size() == 1
                            ? get(reader->results.front())
                            : get(Value());
    for (const IndexingMap &map : read->maps) {
      if (map.getNumRuntime() != 0)
        return;
      if (!later) {
        maps->push_back(map);
        continue;
      }
      for (const IndexingMap &outer : *later)
        maps->push_back(outer.then(map).simplify());
    }
    if (maps->size() > kMostMaps)
      return;
  }
  // All of it is as good as not known.
  ReadCounts counts = program.getFusion().count(*maps, result.getType());
  if (counts.unique && counts.elements && *counts.unique < *counts.elements)
    needs[result] = std::move(maps);
}

ExplainSection tensoraccess::explainSlices(ProgramSteps &program) {
  ExplainSection section{"slices", "work that is never read", {}, {}};
  Needs needs(program);
  Bounds wasted;
  for (const ProgramStep &step : program.getSteps()) {
    if (step.results.size() != 1)
      continue;
    const Value result = step.results.front();
    const auto &maps = needs.get(result);
    if (!maps)
      continue;
    ReadCounts counts = program.getFusion().count(*maps, result.getType());
    const uint64_t dead = *counts.elements - *counts.unique;
    ExplainRow &row = section.rows.emplace_back(makeRow(program, step));
    const Bounds operations = step.operations.scaled(dead, *counts.elements);
    const Bounds bytes =
        Bounds::exactly(multiplyCounts(dead, getElementBytes(result.getType())))
            .times(step.times);
    wasted += operations.times(step.times);
    row.add("elements", Bounds::exactly(dead).times(step.times))
        .add("of", Bounds::exactly(*counts.elements).times(step.times))
        .add("bytes", bytes)
        .add("operations", operations.times(step.times));
    bool isKept;
    SmallVector<ProgramSteps::Reader, 4> readers =
        program.getReaders(result, isKept);
    row.text = "through " + joinNames(readers) + ", " +
               plural(*counts.unique, "element") + " of " +
               Bounds::exactly(counts.elements).str() + " reach a result";
  }
  sortRows(section, "bytes");
  section.summary = section.rows.empty()
                        ? "every element that is computed is read, as far as "
                          "maps tell"
                        : wasted.str() + " operations in " +
                              plural(section.rows.size(), "step");
  return section;
}
