//===- Indexing.h - Indexing of foreign dialects ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_MODELS_INDEXING_H
#define TENSORACCESS_MODELS_INDEXING_H

#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Interfaces/Nest.h"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Ops that can fail
//
// An op fails where the interpreter stops with an error, and compiled code may
// do anything: a division by zero, an index out of bounds, operands whose sizes
// do not match. Upstream's `isSpeculatable` calls some such ops harmless. Code
// that drops, adds or moves an op must call this instead.
//===----------------------------------------------------------------------===//

/// Whether an op, or one in its regions, is not known to return results for all
/// values of its operands. What is known: operands that are constants, and
/// sizes, both static ones and those of one `tensor.dim`. Overflow that wraps
/// or is poison is not a failure. An unknown op can fail.
bool canFail(Operation *op);

//===----------------------------------------------------------------------===//
// Ops by name that have no effects
//
// An op of a dialect that is not loaded does not describe its effects. Those of
// StableHLO, MHLO and CHLO are known by name: the ops that only compute their
// results from their operands, always in the same way.
//===----------------------------------------------------------------------===//

/// Whether an unregistered op is known to have no effects. Ops in its regions
/// must have none, either. Random numbers, collectives, tokens, calls, control
/// flow, and ops that may fail at run time are not known to be pure.
bool isKnownPure(Operation *op);

//===----------------------------------------------------------------------===//
// The indexing of any operation
//
// `getIndexing` answers for any operation, in this order:
//
//   1. the op's own IndexingOpInterface (also as an external model);
//   2. upstream's IndexingMapOpInterface: linalg's structured ops and
//      vector.contract;
//   3. the models registered by name, for ops of dialects that are not loaded;
//   4. the trait Elementwise: arith, math, and any other op that has it;
//   5. calls: the callee's results as functions of its arguments;
//   6. *unknown*, with a reason. Nothing crashes.
//
// To support your own op, implement the interface, or register a function by
// name:
//
//   registry.addExtension(+[](MLIRContext *, BuiltinDialect *dialect) {
//     addIndexingModel(dialect, "my.flip", [](const OpSignature &op) {
//       OpIndexing indexing = op.nothingRead();
//       ...
//       return indexing;
//     });
//   });
//===----------------------------------------------------------------------===//

/// What an op with the given signature does: its loops, or its maps.
using IndexingModel = std::function<Nest(const OpSignature &)>;

/// Registers a model for all ops of this name, registered or not. Ops that
/// implement an interface of steps 1 and 2 never get here.
/// `dialect` may be any dialect of the context.
void addIndexingModel(Dialect *dialect, StringRef opName, IndexingModel model);

/// Attaches the models of upstream's dialects (tensor, linalg).
void registerIndexingModels(DialectRegistry &registry);

/// Limits on composed maps. Past them window symbols are merged and maps that
/// are contained in others are dropped, which keeps the union; if that does not
/// help, the answer is unknown (Budget).
struct IndexingBudget {
  /// Maps in one set.
  unsigned maxMaps = 32;
  /// Dims, symbols and runtime variables of one map.
  unsigned maxVariables = 48;
  /// Constraints of one map.
  unsigned maxConstraints = 48;
  /// Range symbols of one map before its window symbols are merged.
  unsigned mergeSymbols = MapPool::kMergeSymbols;
};

/// What one result of an op reads of a value that a region captures.
struct CapturedRead {
  Value value;
  unsigned result = 0;
  IndexingSet outputToInput, inputToOutput;
};

class FunctionSizes;
struct ControlIndexing;

/// Answers that are computed once per signature and once per function. Valid as
/// long as the IR does not change, except for attributes that start with
/// `tensoraccess.`. Not thread-safe.
class IndexingCache {
public:
  explicit IndexingCache(IndexingBudget budget = {})
      : budget(budget), pool(budget.mergeSymbols) {}

  /// The indexing of an op. The reference lives as long as the cache. A size
  /// parameter has the same name in all ops of a function.
  const OpIndexing &get(Operation *op);
  /// The same with the op's own names of size parameters, by the order of its
  /// operands.
  const OpIndexing &getLocal(Operation *op);

  /// The indexing of a function's results per argument, composed through all
  /// ops between them. Its operands are the function's arguments.
  const OpIndexing &getFunction(FunctionOpInterface function);

  /// The function that a call calls, if it can be found; else null.
  FunctionOpInterface getCallee(Operation *call);

  /// What the results of an op read of values that its regions capture, with
  /// size parameters named as in `get`.
  const std::vector<CapturedRead> &getCaptured(Operation *op);
  /// The identity map of a value's indices within a function, with sizes named
  /// as in the function's other maps; unknown, with a reason, if it has no
  /// indices.
  IndexingMap getIdentity(Value value, IndexingReason &reason);

  /// Whether each point of an op's maps is one read: false for calls of
  /// functions whose composed maps had to be merged or dropped.
  bool countsReads(Operation *op);

  /// The op that hides how `op` reads an operand, if that is unknown: the op
  /// itself, or for a call the op inside its callee.
  Operation *getCulprit(Operation *op, unsigned result, unsigned operand);

  /// Declares that an argument of a loop's body counts its trips, within a
  /// range; what is computed from it is then a form over it.
  void setCounter(BlockArgument argument, Interval range) {
    counters[argument.getOwner()] = {argument, range};
  }
  /// The counter of a block, or std::nullopt.
  std::optional<std::pair<BlockArgument, Interval>> getCounter(Block *block) {
    auto it = counters.find(block);
    return it == counters.end() ? std::nullopt : std::optional(it->second);
  }

  /// The composed maps, each once.
  MapPool &getPool() { return pool; }
  const IndexingBudget &getBudget() const { return budget; }

private:
  /// The sizes of all values of the function around `op`; null if there is no
  /// function, or while they are computed.
  const FunctionSizes *getSizes(Operation *op);
  /// What the size parameters of a function's maps are, by argument and result.
  void addSizes(FunctionOpInterface function, OpIndexing &indexing);
  void computeFunction(FunctionOpInterface function);
  /// What a branch or loop reads; null for other ops.
  const ControlIndexing *getControl(Operation *op);
  OpIndexing composeBody(FunctionOpInterface function);

  IndexingBudget budget;
  llvm::StringMap<std::unique_ptr<OpIndexing>> bySignature;
  /// A null pointer means that the answer is being computed.
  DenseMap<Operation *, std::unique_ptr<OpIndexing>> byFunction;
  /// Ops with dynamic sizes, named as in their function.
  DenseMap<Operation *, std::unique_ptr<OpIndexing>> byOp;
  DenseMap<Operation *, std::unique_ptr<std::vector<CapturedRead>>> captured;
  /// Branches and loops; a null pointer means that an op is neither.
  DenseMap<Operation *, std::shared_ptr<ControlIndexing>> control;
  DenseMap<Block *, std::pair<BlockArgument, Interval>> counters;
  /// A null pointer means that the answer is being computed.
  DenseMap<Operation *, std::shared_ptr<FunctionSizes>> sizesByFunction;
  /// Unknown answers for calls, by shape and reason.
  std::vector<std::unique_ptr<OpIndexing>> others;
  SymbolTableCollection symbolTables;
  MapPool pool;
  llvm::DenseSet<Operation *> compacted;
  /// By function: for each pair result * number of arguments + argument.
  DenseMap<Operation *, SmallVector<Operation *>> culprits;
};

/// The op's maps from its loops to its operands. Upstream's accessor caches
/// them on named ops; an analysis must not change the IR.
SmallVector<AffineMap> getIndexingMaps(IndexingMapOpInterface op);

/// The indexing of one op (IndexingCache::getLocal). For many ops, use an
/// IndexingCache.
OpIndexing getIndexing(Operation *op);

/// The indexing of a term that is not an operation.
OpIndexing getIndexing(const OpSignature &signature);

/// How often a loop of StableHLO, TOSA or scf runs its body, if its bounds are
/// constants; std::nullopt for other ops.
std::optional<int64_t> getTripCount(Operation *loop);

/// The loops of an op (Nest.h), whose projection is its indexing; never null.
/// Ops that give their maps, and unknown ops, have no loops.
NestRef getNest(const OpSignature &signature);

/// The sizes of an op's results, by its nest: those of the types, and those
/// that follow from operands' sizes and attributes; kDynamic if unknown.
/// std::nullopt if the op has no loops.
std::optional<SmallVector<SmallVector<int64_t>>>
inferResultSizes(const OpSignature &signature);

//===----------------------------------------------------------------------===//
// What a group of ops reads as a whole
//
// A *fusion group* is a set of ops of one block that are computed together:
// some values (its *results*), the ops that produce them, the producers of
// those as far as desired, and the values where that ends (its *operands*). The
// body of a function is such a group, with the arguments as operands.
//
//   auto group = FusionGroup::get({softmax}, [](Operation *op) {
//     return op->getName().getStringRef() != "linalg.matmul";
//   });
//   FusionIndexing fusion = getFusionIndexing(cache, group);
//   fusion.indexing.outputToInput(0, 0);       // result 0, operand 0
//   fusion.getReads(value, 0)->patterns;       // of a value inside
//
// For a result and a value the *patterns* are indexing maps from the result's
// indices to the value's. Each is one way in which the fused code reads the
// value; paths that end in the same map share one. Within the budget every
// pattern is kept as it was composed: a point of a map's dims and symbols is a
// read. Beyond it, window symbols are merged and patterns that are in others
// are absorbed. That keeps the union exactly, but it no longer counts reads,
// which the pattern records (`countsReads`).
//===----------------------------------------------------------------------===//

/// Ops of one block that are computed together.
class FusionGroup {
public:
  /// The producers of `results` for which `isInside` holds, and theirs, and so
  /// on, within the block of the results' ops; null means all. All results must
  /// be in one block (or be its arguments), else std::nullopt. An op that does
  /// not lead to any result is not part of the group.
  static std::optional<FusionGroup>
  get(ArrayRef<Value> results,
      function_ref<bool(Operation *)> isInside = nullptr);
  /// The body of a function: its results are what it returns, its operands all
  /// its arguments. std::nullopt if it has no body of one block that ends in a
  /// return.
  static std::optional<FusionGroup> get(FunctionOpInterface function);
  /// A block of a region: its results are what its terminator passes on, its
  /// operands all its arguments, followed by the values it captures.
  static FusionGroup get(Block &block);

  ArrayRef<Value> getResults() const { return results; }
  /// In the order of the function's arguments, or of first use.
  ArrayRef<Value> getOperands() const { return operands; }
  /// In program order.
  ArrayRef<Operation *> getOps() const { return ops; }
  /// Whether this is a whole block, and the first operands its arguments.
  bool isWholeFunction() const { return wholeFunction; }

private:
  void collect(Block *block, function_ref<bool(Operation *)> isInside);

  SmallVector<Value> results, operands;
  SmallVector<Operation *> ops;
  bool wholeFunction = false;
};

/// One step by which a pattern arose: the op that reads the value, and the
/// pattern of its result that this read belongs to.
struct ReadStep {
  Operation *op = nullptr;
  unsigned result = 0, operand = 0;
  /// Index into the patterns of the op's result (for the same root).
  unsigned pattern = 0;
};

/// A way in which the elements of a result read those of a value.
struct ReadPattern {
  IndexingMap map;
  /// Each point of the map's dims and symbols is one read. False once symbols
  /// were merged or another pattern was absorbed.
  bool countsReads = true;
  /// The paths that ended here, at most kMaxSteps of them; empty for a result
  /// itself.
  SmallVector<ReadStep, 1> steps;
  /// More paths than steps.
  bool hasMoreSteps = false;

  static constexpr unsigned kMaxSteps = 4;
};

/// All patterns between a result and a value, in order of arrival.
struct ValueReads {
  SmallVector<ReadPattern, 1> patterns;
  /// `None` if they are all known.
  IndexingReason reason = IndexingReason::None;
  /// If unknown: the op that could not be seen through; null if it was the type
  /// of a result, or a limit.
  Operation *culprit = nullptr;

  bool isUnknown() const { return reason != IndexingReason::None; }
};

/// What `getFusionIndexing` finds.
struct FusionIndexing {
  /// Results by operands of the group, both directions.
  OpIndexing indexing;
  /// If a set of `indexing` is unknown: the op that caused it, as in
  /// ValueReads; by result * number of operands + operand.
  SmallVector<Operation *> culprits;
  /// All patterns of all operands count reads.
  bool countsReads = true;

  /// The patterns between result number `result` and a value of the group; null
  /// if the result does not read the value. Only with `keepReads`.
  const ValueReads *getReads(Value value, unsigned result) const {
    auto it = reads.find({value, result});
    return it == reads.end() ? nullptr : &it->second;
  }

  llvm::DenseMap<std::pair<Value, unsigned>, ValueReads> reads;
};

struct FusionOptions {
  /// Also from operands to results.
  bool inputToOutput = true;
  /// Keep the patterns of every value, and how they arose.
  bool keepReads = false;
};

/// Composes the indexing of the ops of a group. Linear in their number, for a
/// fixed number of results and bounded sets; the cache remembers compositions,
/// so that equal layers cost only once.
FusionIndexing getFusionIndexing(IndexingCache &cache, const FusionGroup &group,
                                 FusionOptions options = {});

//===----------------------------------------------------------------------===//
// What loads and stores touch
//
// A load or store below loops and a GPU launch is an indexing map
//
//   (block_x, thread_x, i0)[v0]{rt0} -> (block_x * 128 + thread_x, i0 * 4 + v0)
//
// dims     one for each enclosing loop, from the outermost on, after the GPU's
//          ids: those that are used, or whose number is known and not 1;
// symbols  the elements of a vector, one per dimension;
// runtime  values that are computed in a way that has no form: function
//          arguments, loaded values, sizes;
// results  the index into the memref that all views (subview, expand_shape,
//          collapse_shape, transpose, casts) lead to; after a
//          reinterpret_cast the one number of the element in its buffer.
//
// Loop bounds that are forms, conditions of enclosing ifs, masks, and bounds
// checks of transfers are constraints. An `upper_bound` on a GPU id is read as
// the number of ids.
//===----------------------------------------------------------------------===//

/// What a dim of an access stands for.
struct MemoryDim {
  enum class Kind : uint8_t { Block, Thread, Global, Subgroup, Lane, Loop };
  Kind kind;
  /// 0, 1, 2 for x, y, z of Block, Thread and Global; else 0.
  unsigned axis = 0;
  /// A loop's induction variable, else null.
  Value inductionVariable;
};

/// One read or write of a memref.
struct MemoryAccess {
  Operation *op = nullptr;
  bool isStore = false;
  /// The op's memref, and the one that its views lead to.
  Value memref, base;
  /// Why the maps are unknown; None if they are known.
  IndexingReason reason = IndexingReason::None;
  /// To the index into `base`, or to the number of the element in its buffer.
  IndexingMap map;
  bool isNumber = false;
  /// To the number of the element, counted from where base's buffer begins;
  /// unknown if its strides are not static.
  IndexingMap numbers;
  /// One entry per dim of the maps.
  SmallVector<MemoryDim, 4> dims;
  /// The value of each runtime variable.
  SmallVector<Value, 2> runtimeValues;
  /// Distance between neighbouring elements in the buffer; 0 if unknown.
  int64_t elementBits = 0;

  static MemoryAccess unknown(Operation *op, bool isStore, Value memref,
                              IndexingReason reason);
};

/// What an op of memref, affine or vector reads or writes; std::nullopt for all
/// other ops. Never fails: an unknown access carries a reason.
std::optional<MemoryAccess> getMemoryAccess(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_MODELS_INDEXING_H
