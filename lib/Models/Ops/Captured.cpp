//===- Captured.cpp - What regions read from outside ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. From the value that the region yields for a result, follow operands back
//      through the block to what is defined outside of the op.
//   2. A scalar there is read for every point of the loops. A tensor is read by
//      tensor.extract, at indices that are computed from the loops
//      (linalg.index, the block's arguments for generate and pad) and from
//      data.
//   3. Indices are forms of loops where their arithmetic allows; all else is a
//      runtime variable, with its source where it is an element of an operand.
//
// tensor.dim and tensor.rank ask only for shapes.
//
//===----------------------------------------------------------------------===//

#include "Captured.h"
#include "Memory/MemoryScope.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A region, which runs at points of its op's nest.
struct RegionLoops {
  const Nest &nest;
  /// If there are any: it runs where they do not all hold.
  ArrayRef<NestGuard> outside;
  /// The loop that a value is, if it is one.
  std::function<std::optional<unsigned>(Value)> getLoop;
  /// Where a block argument's value comes from.
  std::function<std::optional<NestSource>(Value)> getSource;
};

class Reader {
public:
  Reader(Operation *op, const RegionLoops &region) : op(op), region(region) {}

  /// Adds the reads of `result`, which is `yielded`.
  void read(unsigned result, Value yielded);

  std::vector<CapturedRead> reads;

private:
  CapturedRead &getRead(Value value, unsigned result);
  bool isInside(Value value) const {
    return op->isAncestor(value.getParentBlock()->getParentOp());
  }
  void readElement(CapturedRead &target, ValueRange indices);
  /// The region's nest, which reads a value of these sizes at these indices;
  /// none where one is not a form.
  std::optional<Nest> makeNest(const SizeList &tensor, ValueRange indices,
                               DenseSet<Value> &opaque);

  Operation *op;
  const RegionLoops &region;
};

} // namespace

CapturedRead &Reader::getRead(Value value, unsigned result) {
  for (CapturedRead &read : reads)
    if (read.value == value && read.result == result)
      return read;
  reads.push_back({value, result, {}, {}});
  return reads.back();
}

/// The sizes of a captured value: an end that is not known is not a bound.
static std::optional<SizeList> getCapturedSizes(Value value) {
  SizeList sizes;
  auto shaped = dyn_cast<ShapedType>(value.getType());
  if (!shaped)
    return sizes;
  if (!shaped.hasRank())
    return std::nullopt;
  for (int64_t size : shaped.getShape())
    sizes.push_back(Form(size));
  return sizes;
}

void Reader::read(unsigned result, Value yielded) {
  SetVector<Value> seen;
  auto addUse = [&](Operation *user, Value value) {
    if (isInside(value)) {
      seen.insert(value);
      return;
    }
    if (isa_and_nonnull<tensor::DimOp, tensor::RankOp>(user))
      return;
    CapturedRead &target = getRead(value, result);
    auto extract = dyn_cast_or_null<tensor::ExtractOp>(user);
    if (extract && extract.getTensor() == value)
      readElement(target, extract.getIndices());
    else if (!isa<ShapedType>(value.getType()))
      readElement(target, {});
    else {
      target.outputToInput = IndexingSet::unknown(IndexingReason::Captured);
      target.inputToOutput = target.outputToInput;
    }
  };
  addUse(nullptr, yielded);
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *inner = seen[i].getDefiningOp();
    if (!inner)
      continue;
    // An op with regions depends on all that they use.
    inner->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        addUse(nested, operand);
    });
  }
}

void Reader::readElement(CapturedRead &target, ValueRange indices) {
  auto fail = [&](IndexingReason reason) {
    target.outputToInput = IndexingSet::unknown(reason);
    target.inputToOutput = target.outputToInput;
  };
  std::optional<SizeList> tensor = getCapturedSizes(target.value);
  if (!tensor || tensor->size() != indices.size())
    return fail(IndexingReason::Captured);
  // Values that turn out not to be forms become runtime variables.
  DenseSet<Value> opaque;
  for (;;) {
    size_t before = opaque.size();
    std::optional<Nest> nest = makeNest(*tensor, indices, opaque);
    if (opaque.size() != before)
      continue;
    if (!nest)
      return fail(IndexingReason::NotAffine);
    nest->reads[0].write = target.result;
    const OpIndexing indexing = nest->getIndexing();
    target.outputToInput.insert(indexing.outputToInput(target.result, 0));
    target.inputToOutput.insert(indexing.inputToOutput(0, target.result));
    return;
  }
}

std::optional<Nest> Reader::makeNest(const SizeList &tensor, ValueRange indices,
                                     DenseSet<Value> &opaque) {
  // The values that the indices are computed from, operands first.
  SmallVector<std::pair<Value, std::optional<IndexStep>>> order;
  DenseSet<Value> known;
  SmallVector<std::pair<Value, bool>> stack;
  for (Value index : indices)
    stack.push_back({index, false});
  while (!stack.empty()) {
    auto [value, isDone] = stack.pop_back_val();
    if (known.contains(value))
      continue;
    std::optional<IndexStep> step;
    auto result = dyn_cast<OpResult>(value);
    if (result && !region.getLoop(value) && !opaque.contains(value) &&
        !getConstantIndex(value))
      step = IndexStep::get(result);
    if (step && !isDone) {
      stack.push_back({value, true});
      for (Value operand : step->operands)
        stack.push_back({operand, false});
      continue;
    }
    known.insert(value);
    order.push_back({value, std::move(step)});
  }

  // All variables come before other atoms.
  DenseMap<Value, Form> forms;
  SmallVector<NestValue, 0> values;
  const unsigned firstValue = region.nest.getForms().getNumVariables();
  for (const auto &[value, step] : order) {
    if (step)
      continue;
    if (std::optional<int64_t> number = getConstantIndex(value)) {
      forms[value] = Form(*number);
      continue;
    }
    if (std::optional<unsigned> loop = region.getLoop(value)) {
      forms[value] = region.nest[*loop];
      continue;
    }
    Interval range = Interval::all();
    for (auto [index, size] : llvm::zip_equal(indices, tensor))
      if (index == value)
        range = range.intersect(Interval::ofExtent(size.constant));
    auto integer = dyn_cast<IntegerType>(value.getType());
    if (integer && integer.getWidth() < 63)
      range = range.intersect({-(int64_t(1) << (integer.getWidth() - 1)),
                               (int64_t(1) << (integer.getWidth() - 1)) - 1});
    std::optional<NestSource> source;
    if (region.getSource)
      source = region.getSource(value);
    forms[value] = Form::ofAtom(firstValue + values.size());
    values.push_back({range, std::move(source), {}});
  }
  Nest nest = region.nest.withCaptured(tensor, values, region.outside);
  FormArena &arena = nest.arena();
  for (const auto &[value, step] : order) {
    if (!step)
      continue;
    SmallVector<Form> in;
    SmallVector<Interval> ranges;
    for (Value operand : step->operands) {
      in.push_back(forms[operand]);
      ranges.push_back(arena.range(in.back()));
    }
    IndexingMap image = toIndexingMap(step->map, ranges);
    bool isUsable =
        !image.isUnknown() &&
        (!step->needsNonNegative ||
         llvm::all_of(ranges, [](Interval r) { return r.lower >= 0; }));
    Form form;
    if (isUsable) {
      Substitution substitute(arena, image.getArena(), in);
      SmallVector<Form> results;
      for (const Form &result : image.getResults())
        results.push_back(substitute(result));
      form = step->choose(arena, results);
    }
    // Arithmetic of fewer bits may wrap around.
    Interval range = arena.range(form);
    auto integer = dyn_cast<IntegerType>(value.getType());
    if (integer && !step->cannotWrap) {
      unsigned width = std::min(integer.getWidth(), 63u);
      int64_t half = int64_t(1) << (width - 1);
      isUsable &= Interval(-half, half - 1).contains(range);
    }
    if (arena.failed())
      return std::nullopt;
    if (!isUsable) {
      opaque.insert(value);
      return std::nullopt;
    }
    forms[value] = std::move(form);
  }
  NestRead &read = nest.reads[0];
  read.needsAllAxes = true;
  for (auto [value, size] : llvm::zip_equal(indices, tensor)) {
    const Form &index = read.index.emplace_back(forms[value]);
    // The program reads inside of the tensor.
    Interval inside = Interval::ofExtent(size.constant);
    if (!inside.contains(arena.range(index)))
      read.require(index, inside);
  }
  return nest;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static std::optional<unsigned> getBlockLoop(Block &block, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &block)
    return std::nullopt;
  return argument.getArgNumber();
}

/// All captured values unknown, for all results.
static std::vector<CapturedRead> getUnknownReads(Operation *op,
                                                 IndexingReason reason) {
  std::vector<CapturedRead> reads;
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    for (unsigned r = 0; r < op->getNumResults(); ++r)
      reads.push_back({value, r, IndexingSet::unknown(reason),
                       IndexingSet::unknown(reason)});
  return reads;
}

static std::vector<CapturedRead> readStructured(Operation *op, Block &block) {
  NestRef nest = getNest(OpSignature(op));
  if (!nest->hasLoops())
    return getUnknownReads(op, nest->getIndexing().firstReason());
  if (block.back().getNumOperands() != op->getNumResults() ||
      block.getNumArguments() != op->getNumOperands())
    return getUnknownReads(op, IndexingReason::Captured);
  RegionLoops region{*nest, {}, {}, {}};
  region.getLoop = [&](Value value) -> std::optional<unsigned> {
    auto index = value.getDefiningOp<linalg::IndexOp>();
    if (!index || index->getParentOp() != op)
      return std::nullopt;
    return index.getDim();
  };
  region.getSource = [&](Value value) -> std::optional<NestSource> {
    auto argument = getBlockLoop(block, value);
    const NestRead *read = argument ? nest->findRead(*argument) : nullptr;
    // Variables come first: only indices that make no other atoms.
    if (!read || read->reason != IndexingReason::None ||
        !llvm::all_of(read->index, [&](const Form &form) {
          std::optional<AtomId> atom = form.asAtom();
          return atom ? nest->getForms().isVariable(*atom) : form == Form(0);
        }))
      return std::nullopt;
    return NestSource{*argument, {read->index.begin(), read->index.end()}};
  };
  Reader reader(op, region);
  for (unsigned r = 0; r < op->getNumResults(); ++r)
    reader.read(r, block.back().getOperand(r));
  return std::move(reader.reads);
}

/// tensor.generate and tensor.pad, whose region runs outside of the operand.
static std::vector<CapturedRead> readOverResult(Operation *op) {
  const bool isPad = isa<tensor::PadOp>(op);
  OpSignature signature(op);
  NestRef nest =
      isPad ? getNest(signature)
            : share(SizedOp(signature).makeResultNest(NestBody::Opaque));
  if (!nest->hasLoops())
    return getUnknownReads(op, IndexingReason::Captured);
  Block &block = op->getRegion(0).front();
  RegionLoops region{*nest, {}, {}, {}};
  region.getLoop = [&](Value value) { return getBlockLoop(block, value); };
  if (isPad)
    region.outside = nest->findRead(0)->guards;
  Reader reader(op, region);
  // Without any border nothing is read.
  if (!isPad || !region.outside.empty())
    reader.read(0, block.back().getOperand(0));
  return std::move(reader.reads);
}

std::vector<CapturedRead> tensoraccess::getCapturedReads(Operation *op) {
  // A branch or loop would be as unknown if the values were operands.
  if (isa<RegionBranchOpInterface>(op))
    return getUnknownReads(op, IndexingReason::ControlFlow);
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() ||
      op->getRegion(0).front().empty())
    return getUnknownReads(op, IndexingReason::Captured);
  if (isa<tensor::GenerateOp, tensor::PadOp>(op))
    return readOverResult(op);
  if (isa<IndexingMapOpInterface>(op))
    return readStructured(op, op->getRegion(0).front());
  return getUnknownReads(op, IndexingReason::Captured);
}
