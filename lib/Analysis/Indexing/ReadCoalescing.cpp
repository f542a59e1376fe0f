//===- ReadCoalescing.cpp - How ops on tensors would read memory ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread map gives threads the numbers of elements in memory, in order:
//
//   Output, Input   number = (block·threads + thread)·vector + v
//   Columns         number = row·k + stretch·lanes + thread, inside of a row
//
// and the layout, backwards, makes an index of a number (none of padding).
// Composed with the op's map and the operand's layout it gives the element of
// the operand that a thread reads. Symbols of the op's map, which run over what is
// reduced, are iterations of a loop: each is a separate access.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/MemoryCoalescing.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

StringRef tensoraccess::describe(ThreadPlan plan) {
  switch (plan) {
  case ThreadPlan::Auto:
    return "auto";
  case ThreadPlan::Output:
    return "output";
  case ThreadPlan::Input:
    return "input";
  case ThreadPlan::Columns:
    return "columns";
  case ThreadPlan::Given:
    return "given";
  }
  llvm_unreachable("unknown plan");
}

std::optional<TensorPlace> TensorPlace::get(Operation *scope, Type type) {
  IndexingReason reason;
  auto shape = getIndexSpace(type, reason);
  if (!shape || isa<MemRefType, VectorType>(type))
    return std::nullopt;
  Type element = getElementTypeOrSelf(type);
  if (!element.isIntOrIndexOrFloat() && !isa<ComplexType>(element))
    return std::nullopt;
  DataLayout dataLayout = DataLayout::closest(scope);
  TensorPlace place;
  place.elementBits =
      8 * llvm::alignTo(dataLayout.getTypeSize(element).getFixedValue(),
                        dataLayout.getTypeABIAlignment(element));
  place.layout = Layout::rowMajor(shape->size());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    if (auto layout = dyn_cast_or_null<LayoutAttr>(tensor.getEncoding())) {
      place.layout = layout.getValue();
      if (place.layout.elementBits)
        place.elementBits = *place.layout.elementBits;
    }
  if (auto tensor = dyn_cast<RankedTensorType>(type);
      tensor &&
      isa_and_nonnull<StridedAttr, LinearAttr>(tensor.getEncoding())) {
    std::string error;
    place.places = getPlaces(tensor.getEncoding(), tensor.getShape(), error);
    if (!place.places)
      return std::nullopt;
    // By the number of the first element along each dimension.
    SmallVector<int64_t> steps;
    for (unsigned dim = 0; dim < shape->size(); ++dim) {
      SmallVector<int64_t> unit(shape->size(), 0);
      unit[dim] = (*shape)[dim] > 1;
      auto number = place.places->toNumber.evaluate(unit);
      steps.push_back(number ? (*number)[0] : 0);
    }
    llvm::stable_sort(place.layout.minorToMajor, [&](int64_t a, int64_t b) {
      return steps[a] < steps[b];
    });
  }
  place.layout = place.layout.withShape(*shape, *XlaType::lookup("u8"));
  if (!place.layout.getPaddedElements())
    return std::nullopt;
  return place;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// A dimension of an operand that is a dim or a symbol of the map.
struct PlainDim {
  AtomId variable;
  int64_t size;
};
} // namespace

/// The operand's dimensions of more than one element, from minor to major;
/// std::nullopt if one of them is anything but a variable that runs over it, or
/// two are the same variable.
static std::optional<SmallVector<PlainDim>>
getPlainDims(const IndexingMap &map, const TensorPlace &operand) {
  SmallVector<PlainDim> dims;
  if (!map.isOrdinary() || !map.getConstraints().empty() ||
      map.getNumRuntime() != 0)
    return std::nullopt;
  for (int64_t d : operand.layout.minorToMajor) {
    int64_t size = (*operand.layout.shape)[d];
    if (size == 1)
      continue;
    std::optional<AtomId> variable = map.getResult(d).asAtom();
    if (!variable || !map.getArena().isVariable(*variable) ||
        map.getRanges()[*variable] != Interval::ofExtent(size) ||
        llvm::any_of(dims, [&](PlainDim p) { return p.variable == *variable; }))
      return std::nullopt;
    dims.push_back({*variable, size});
  }
  return dims;
}

ThreadChoice tensoraccess::chooseThreadPlan(const IndexingMap &original,
                                            const TensorPlace &result,
                                            const TensorPlace &operand,
                                            int64_t lanes) {
  constexpr int64_t kMinTransposed = 16;
  IndexingMap map = original.simplify();
  auto plain = getPlainDims(map, operand);
  if (!plain || plain->empty())
    return {};
  SmallVector<int64_t> order; // of the result, from minor to major
  for (int64_t d : result.layout.minorToMajor)
    if ((*result.layout.shape)[d] != 1)
      order.push_back(d);
  auto isReduced = [&](const PlainDim &p) {
    return p.variable >= map.getNumDims();
  };
  const bool reduces = llvm::any_of(*plain, isReduced);
  // All of the result must be there: nothing is broadcast.
  size_t kept =
      llvm::count_if(*plain, [&](const PlainDim &p) { return !isReduced(p); });
  if (kept != order.size())
    return {};
  if (!reduces) {
    // A permutation other than the identity, whatever the layouts are.
    SmallVector<AtomId> logical;
    for (const Form &form : map.getResults())
      if (std::optional<AtomId> atom = form.asAtom())
        logical.push_back(*atom);
    const bool moves =
        !llvm::is_sorted(logical) && plain->front().variable != order.front();
    if (moves && plain->front().size >= kMinTransposed &&
        (*result.layout.shape)[order.front()] >= kMinTransposed)
      return {ThreadPlan::Input, 0};
    return {};
  }
  // The sizes of the first two groups of dimensions of one kind.
  int64_t sizes[2] = {1, 1};
  unsigned group = 0;
  for (size_t i = 0; i < plain->size(); ++i) {
    if (i > 0 && isReduced((*plain)[i]) != isReduced((*plain)[i - 1]) &&
        ++group == 2)
      break;
    sizes[group] *= (*plain)[i].size;
  }
  if (isReduced(plain->front())) {
    const int64_t r = sizes[0];
    if (r >= lanes || lanes % r == 0)
      return {ThreadPlan::Input, 0};
    return {};
  }
  const int64_t k = sizes[0], r = sizes[1];
  if (r < lanes || (r < 2 * lanes && k < lanes) || (r < 4 * lanes && k < 8) ||
      (r < 8 * lanes && k < 3))
    return {};
  return k >= lanes ? ThreadChoice{ThreadPlan::Columns, k}
                    : ThreadChoice{ThreadPlan::Input, 0};
}

IndexingMap tensoraccess::getThreadMap(const TensorPlace &tensor,
                                       ThreadChoice choice,
                                       const ReadOptions &options) {
  SmallVector<int64_t> physical =
      tensor.places ? SmallVector<int64_t>{tensor.places->numbers}
                    : *tensor.layout.getPhysicalShape();
  const int64_t elements = *checkedProduct(physical);
  IndexingMapBuilder builder;
  FormArena &arena = builder.arena();
  Form number;
  if (choice.plan == ThreadPlan::Columns && elements != 0) {
    int64_t row = choice.row;
    if (row == 0)
      row = physical.empty() ? 1 : physical.back();
    const int64_t lanes = options.model.lanes;
    Form thread = builder.addDim(Interval::ofExtent(lanes), "thread");
    Form stretch = builder.addDim(
        Interval::ofExtent(ceilDivPositive(row, lanes)), "stretch");
    Form rows = builder.addDim(
        Interval::ofExtent(ceilDivPositive(elements, row)), "row");
    Form column = arena.addScaled(thread, stretch, lanes);
    builder.addConstraint(column, Interval::ofExtent(row));
    number = arena.addScaled(column, rows, row);
  } else {
    std::optional<int64_t> perBlock =
        checkedMul(options.threads, options.vector);
    if (!perBlock)
      return IndexingMap::unknown(UnknownReason::Overflow);
    Form thread = builder.addDim(Interval::ofExtent(options.threads), "thread");
    Form block = builder.addDim(
        Interval::ofExtent(ceilDivPositive(elements, *perBlock)), "block");
    Form element =
        options.vector == 1
            ? Form(0)
            : builder.addSymbol(Interval::ofExtent(options.vector), "v");
    number = arena.addScaled(thread, block, options.threads);
    number = arena.addScaled(element, number, options.vector);
  }
  builder.addConstraint(number, Interval::ofExtent(elements));
  SmallVector<Form> coordinates(physical.size());
  for (size_t i = physical.size(); i-- > 0;) {
    coordinates[i] = i == 0 ? number : arena.mod(number, physical[i]);
    number = arena.floorDiv(number, std::max<int64_t>(physical[i], 1));
  }
  for (const Form &coordinate : coordinates)
    builder.addResult(coordinate);
  const IndexingMap index = tensor.places ? tensor.places->getElements()
                                          : *tensor.layout.getLogicalMap();
  return builder.build().then(index).simplify();
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

/// Adds `value` to `sum`; false on overflow.
static bool addTo(Coalescing &sum, const Coalescing &value) {
  auto add = [](int64_t &a, int64_t b) {
    std::optional<int64_t> r = checkedAdd(a, b);
    a = r.value_or(0);
    return r.has_value();
  };
  if (value.accesses != 0 &&
      (sum.accesses == 0 ||
       static_cast<__int128>(value.worstUsed) * sum.worstMoved <
           static_cast<__int128>(sum.worstUsed) * value.worstMoved)) {
    sum.worstUsed = value.worstUsed;
    sum.worstMoved = value.worstMoved;
  }
  return add(sum.accesses, value.accesses) &&
         add(sum.transactions, value.transactions) &&
         add(sum.bytesUsed, value.bytesUsed) &&
         add(sum.bytesMoved, value.bytesMoved) &&
         add(sum.minimumBytes, value.minimumBytes) &&
         add(sum.runs, value.runs) && add(sum.runBytes, value.runBytes);
}

/// How `operand` is read through one map.
static CoalescingResult readThrough(const IndexingMap &map,
                                    const TensorPlace &result,
                                    const TensorPlace &operand,
                                    const ReadOptions &options,
                                    ThreadChoice choice) {
  IndexingMap threads =
      options.threadMap
          ? *options.threadMap
          : getThreadMap(choice.plan == ThreadPlan::Input ? operand : result,
                         choice, options);
  CoalescingOptions core;
  core.lane = 0;
  core.lanes = options.model.lanes;
  core.transactionBytes = options.model.transactionBytes;
  core.elementBits = operand.elementBits;
  // The thread map's symbols come after those of the op's map.
  unsigned before = threads.getNumDims();
  const unsigned vector = threads.getNumSymbols();
  if (choice.plan != ThreadPlan::Input) {
    before += map.getNumSymbols();
    threads = threads.then(map);
  }
  for (unsigned v = 0; v < vector; ++v)
    core.vector.push_back(before + v);
  IndexingMap numbers = operand.places
                            ? threads.then(operand.places->toNumber).simplify()
                            : toElementNumbers(threads, operand.layout);
  if (numbers.isUnknown() || verify(core, numbers))
    return {std::nullopt, CoalescingReason::UnknownMap};
  return getCoalescing(numbers, core);
}

SmallVector<OperandCoalescing> tensoraccess::getReadCoalescing(
    const OpIndexing &indexing, ArrayRef<TensorPlace> results,
    ArrayRef<TensorPlace> operands, const ReadOptions &options) {
  SmallVector<OperandCoalescing> reads;
  for (unsigned r = 0; r < indexing.getNumResults(); ++r)
    for (unsigned o = 0; o < indexing.getNumOperands(); ++o) {
      const IndexingSet &set = indexing.outputToInput(r, o);
      if (set.empty())
        continue;
      OperandCoalescing &read = reads.emplace_back();
      read.result = r;
      read.operand = o;
      if (set.isUnknown()) {
        read.reason = describe(set.getReason()).str();
        continue;
      }
      ThreadChoice choice{options.plan, 0};
      if (options.threadMap)
        choice.plan = ThreadPlan::Given;
      else if (options.plan == ThreadPlan::Auto)
        choice = set.getMaps().size() == 1
                     ? chooseThreadPlan(set.getMaps().front(), results[r],
                                        operands[o], options.model.lanes)
                     : ThreadChoice();
      read.plan = choice.plan;
      Coalescing sum;
      // In their own order, all elements are read once.
      ArrayRef<IndexingMap> maps = set.getMaps();
      if (choice.plan == ThreadPlan::Input)
        maps = maps.take_front();
      for (const IndexingMap &map : maps) {
        CoalescingResult one =
            readThrough(map, results[r], operands[o], options, choice);
        if (!one.value || !addTo(sum, *one.value)) {
          read.reason =
              describe(one.value ? CoalescingReason::Overflow : one.reason)
                  .str();
          break;
        }
      }
      if (read.reason.empty())
        read.value = sum;
    }
  return reads;
}

SmallVector<OperandCoalescing>
tensoraccess::getReadCoalescing(Operation *op, IndexingCache &cache,
                                ReadOptions options,
                                const OpIndexing *indexing) {
  std::vector<TensorPlace> results, operands;
  auto place = [&](TypeRange types, std::vector<TensorPlace> &places) {
    for (Type type : types) {
      std::optional<TensorPlace> at = TensorPlace::get(op, type);
      if (!at)
        return false;
      places.push_back(*at);
    }
    return true;
  };
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function ? !place(function.getResultTypes(), results) ||
                     !place(function.getArgumentTypes(), operands)
               : !place(op->getResultTypes(), results) ||
                     !place(op->getOperandTypes(), operands))
    return {};
  if (auto map = op->getAttrOfType<IndexingMapAttr>("tensoraccess.thread_map"))
    options.threadMap = map.getValue();
  if (!indexing)
    indexing = &(function ? cache.getFunction(function) : cache.get(op));
  return getReadCoalescing(*indexing, results, operands, options);
}
