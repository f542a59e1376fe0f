//===- MemoryScope.h - Index values below loops as forms --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All variables of a map come before its forms, so values are read twice:
//
//   MemoryScope scope(op);         // enclosing loops become dims
//   scope.require(value);          // finds dims and runtime variables, ranges
//   scope.begin(vectorSizes);      // makes the variables
//   Form form = scope.get(value);
//   IndexingMap map = scope.finish(results);
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_MEMORYSCOPE_H
#define TENSORACCESS_LIB_MODELS_MEMORYSCOPE_H

#include "TensorAccess/Models/Indexing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tensoraccess {

/// The value of an integer constant that fits 64 bits.
std::optional<int64_t> getConstantIndex(Value value);
/// `map` with dims and symbols in the order of its operands, of these ranges.
IndexingMap toIndexingMap(AffineMap map, ArrayRef<Interval> ranges);

/// How a value is computed from others.
struct IndexStep {
  SmallVector<Value, 2> operands;
  /// The value is the least of its results, or the greatest.
  AffineMap map;
  bool takesMax = false;
  /// The step is valid only for operands of at least 0.
  bool needsNonNegative = false;
  /// The result is within its type although its range may not be.
  bool cannotWrap = false;

  /// The step that makes `result`, if its op is one.
  static std::optional<IndexStep> get(OpResult result);
  /// The value, from the results of `map`.
  Form choose(FormArena &arena, ArrayRef<Form> results) const;
};

class MemoryScope {
public:
  /// Collects what encloses `op`; see getReason().
  explicit MemoryScope(Operation *op);

  /// Why nothing can be told; None if all is well.
  IndexingReason getReason() const { return reason; }
  void fail(IndexingReason why) {
    if (reason == IndexingReason::None)
      reason = why;
  }

  void require(Value value);
  void require(ValueRange values) {
    for (Value value : values)
      require(value);
  }
  void require(ArrayRef<OpFoldResult> values) {
    for (OpFoldResult value : values)
      if (auto v = dyn_cast<Value>(value))
        require(v);
  }

  /// Makes all variables, with one symbol per entry of `vector`.
  void begin(ArrayRef<int64_t> vector);
  Form get(Value value);
  Form get(OpFoldResult value);
  SmallVector<Form> get(AffineMap map, ValueRange operands) {
    SmallVector<Form> results = get(getForms(map, operands), operands);
    // An unknown map, reported, has none.
    results.resize(map.getNumResults());
    return results;
  }
  ArrayRef<Form> getSymbols() const { return symbols; }
  /// Whether an atom is a runtime variable.
  bool isRuntime(AtomId atom) const {
    return llvm::any_of(
        runtimeForms, [&](const Form &form) { return form.asAtom() == atom; });
  }
  FormArena &arena() { return builder.arena(); }
  /// A missing end of the interval becomes that of the form's range.
  void addConstraint(FormRef form, Interval interval) {
    Interval range = arena().range(form);
    if (!interval.hasLower() && range.lower <= interval.upper)
      interval.lower = range.lower;
    if (!interval.hasUpper() && range.upper >= interval.lower)
      interval.upper = range.upper;
    builder.addConstraint(Form(form), interval);
  }
  /// The map; the scope is used up.
  IndexingMap finish(ArrayRef<Form> results);

  SmallVector<MemoryDim, 4> getDims() const;
  SmallVector<Value, 2> getRuntimeValues() const {
    return SmallVector<Value, 2>(runtime.getArrayRef());
  }

private:
  struct Dim {
    MemoryDim what;
    Interval range;
    /// What bounds it: at least all results of `lower`, below those of `upper`.
    AffineMap lower, upper;
    SmallVector<Value> lowerOperands, upperOperands;
    int64_t step = 1;
  };
  struct Node {
    enum class Kind : uint8_t { Constant, Dim, Runtime, Step, Ids };
    Kind kind = Kind::Runtime;
    Interval range;
    unsigned dim = 0;
    IndexStep step;
    /// Step: its map over the operands' ranges.
    IndexingMap forms;
    /// Ids: ⌊sum of coefficient * dim / divisor⌋, modulo `modulus` unless 0.
    SmallVector<std::pair<unsigned, int64_t>, 3> ids;
    int64_t divisor = 1, modulus = 0;
  };
  struct Condition {
    arith::CmpIPredicate predicate;
    Value lhs, rhs;
  };
  struct SetCondition {
    IntegerSet set;
    SmallVector<Value> operands;
    bool isElse;
  };

  void enter(Operation *ancestor, Region *region);
  void addLoop(Value iv, AffineMap lower, ValueRange lowerOperands,
               AffineMap upper, ValueRange upperOperands, int64_t step);
  void addLoop(Value iv, OpFoldResult lower, OpFoldResult upper,
               OpFoldResult step);
  unsigned addDim(MemoryDim what, Interval range);
  unsigned getGpuDim(MemoryDim::Kind kind, unsigned axis,
                     std::optional<int64_t> size);
  /// The launch's operand that is the number of ids; null if there is none.
  Value getSizeOperand(MemoryDim::Kind kind, unsigned axis);
  /// The number of ids that ops in this scope can rely on.
  std::optional<int64_t> getKnownSize(MemoryDim::Kind kind, unsigned axis);
  void addCondition(Value condition, bool isElse);
  void addSetCondition(IntegerSet set, ValueRange operands, bool isElse);
  /// A map over the ranges of its operands, and its results as forms.
  IndexingMap getForms(AffineMap map, ValueRange operands) const;
  SmallVector<Form> get(const IndexingMap &forms, ValueRange operands);
  Node classify(Value value);
  Node classifyGpu(Operation *op);
  std::optional<Node> asGlobalId(unsigned axis);
  std::optional<Node> asPartOfBlock(MemoryDim::Kind kind,
                                    std::optional<int64_t> bound);
  Node asId(MemoryDim::Kind kind, unsigned axis, std::optional<int64_t> size);
  /// Decides whether a step can be taken; else the value is a runtime variable.
  void settle(Value value, Node &node);
  Interval getRange(const Node &step) const;
  std::string getName(const Dim &dim) const;
  void constrain(const Dim &dim, Form iv);
  void constrain(const Condition &condition);

  IndexingReason reason = IndexingReason::None;
  Operation *op;
  /// The innermost enclosing gpu.launch, if any.
  Operation *launch = nullptr;
  SmallVector<Dim> dims;
  /// Positions in `dims` in the order of the map.
  SmallVector<unsigned> order;
  DenseMap<Value, unsigned> inductionVariables;
  DenseMap<std::pair<unsigned, unsigned>, unsigned> gpuDims;
  llvm::MapVector<Value, Node> nodes;
  DenseSet<Value> roots;
  /// Sizes of a launch that are still to be required.
  SmallVector<Value> sizes;
  llvm::SetVector<Value> runtime;
  SmallVector<Condition> conditions;
  SmallVector<SetCondition> setConditions;
  bool neverRuns = false;

  IndexingMapBuilder builder;
  SmallVector<Form> dimForms, symbols, runtimeForms;
  DenseMap<Value, Form> forms;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_MEMORYSCOPE_H
