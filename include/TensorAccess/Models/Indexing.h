//===- Indexing.h - The indexing of any operation ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `getIndexing` answers for any operation, in this order:
//
//   1. the op's own IndexingOpInterface (also as an external model);
//   2. upstream's IndexingMapOpInterface: linalg's structured ops and
//      vector.contract;
//   3. the models registered by name, for ops of dialects that are not loaded;
//   4. the trait Elementwise: arith, math, and whoever else has it;
//   5. calls: the callee's results as functions of its arguments;
//   6. *unknown*, with a reason. Nothing crashes.
//
// To register an op of one's own, implement the interface, or name a function:
//
//   registry.addExtension(+[](MLIRContext *, TensorAccessDialect *dialect) {
//     addIndexingModel(dialect, "my.flip", [](const OpSignature &op) {
//       OpIndexing indexing = op.nothingRead();
//       ...
//       return indexing;
//     });
//   });
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_MODELS_INDEXING_H
#define TENSORACCESS_MODELS_INDEXING_H

#include "TensorAccess/Core/MapPool.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Interfaces/IndexingOpInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <functional>
#include <memory>

namespace mlir::tensoraccess {

/// The indexing of an op with the given signature.
using IndexingModel = std::function<OpIndexing(const OpSignature &)>;

/// Registers a model for all ops of this name, registered or not. Ops that
/// implement an interface of steps 1 and 2 never get here.
void addIndexingModel(TensorAccessDialect *dialect, StringRef opName,
                      IndexingModel model);

/// Attaches the models of upstream's dialects (tensor, linalg).
void registerIndexingModels(DialectRegistry &registry);

/// Limits on composed maps. Past them window symbols are merged and maps that
/// lie in others are dropped, which keeps the union; where that does not help,
/// the answer is unknown (Budget).
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

/// Answers that are computed once per signature and once per function. Valid
/// as long as the IR does not change, attributes that start with
/// `tensoraccess.` apart. Not thread-safe.
class IndexingCache {
public:
  explicit IndexingCache(IndexingBudget budget = {})
      : budget(budget), pool(budget.mergeSymbols) {}

  /// The indexing of an op. The reference lives as long as the cache. Size
  /// parameters have one name in all ops of a function.
  const OpIndexing &get(Operation *op);
  /// The same with names of size parameters that are the op's own, by the
  /// order of its operands.
  const OpIndexing &getLocal(Operation *op);

  /// The indexing of a function's results per argument, composed through all
  /// ops between them. Its operands are the function's arguments.
  const OpIndexing &getFunction(FunctionOpInterface function);

  /// The function that a call calls, if it is in reach; else null.
  FunctionOpInterface getCallee(Operation *call);

  /// What the results of an op read of values that its regions capture, with
  /// size parameters named as in `get`.
  const std::vector<CapturedRead> &getCaptured(Operation *op);
  /// The identity of the indices of a value within a function, as other maps of
  /// the function name its sizes; unknown, with a reason, if it has no indices.
  IndexingMap getIdentity(Value value, IndexingReason &reason);

  /// Whether each point of the maps of an op is one read: false for calls of
  /// functions whose composed maps had to be merged or dropped.
  bool countsReads(Operation *op);

  /// The op that hides how `op` reads an operand, where that is unknown: the op
  /// itself, or for a call the op inside of its callee.
  Operation *getCulprit(Operation *op, unsigned result, unsigned operand);

  /// The maps that were composed, each once.
  MapPool &getPool() { return pool; }
  const IndexingBudget &getBudget() const { return budget; }

private:
  /// The sizes of all values of the function around `op`; null if there is no
  /// function, or while they are computed.
  const FunctionSizes *getSizes(Operation *op);
  /// What the size parameters of a function's maps are, by argument and result.
  void addSizes(FunctionOpInterface function, OpIndexing &indexing);
  void computeFunction(FunctionOpInterface function);
  OpIndexing composeBody(FunctionOpInterface function);

  IndexingBudget budget;
  llvm::StringMap<std::unique_ptr<OpIndexing>> bySignature;
  /// A null pointer means: being computed.
  DenseMap<Operation *, std::unique_ptr<OpIndexing>> byFunction;
  /// Ops with dynamic sizes, named as in their function.
  DenseMap<Operation *, std::unique_ptr<OpIndexing>> byOp;
  DenseMap<Operation *, std::unique_ptr<std::vector<CapturedRead>>> captured;
  /// A null pointer means: being computed.
  DenseMap<Operation *, std::shared_ptr<FunctionSizes>> sizesByFunction;
  /// Unknown answers for calls, by shape and reason.
  std::vector<std::unique_ptr<OpIndexing>> others;
  SymbolTableCollection symbolTables;
  MapPool pool;
  llvm::DenseSet<Operation *> compacted;
  /// By function: for each pair result * number of arguments + argument.
  DenseMap<Operation *, SmallVector<Operation *>> culprits;
};

/// The indexing of one op (IndexingCache::getLocal). For many ops, use an
/// IndexingCache.
OpIndexing getIndexing(Operation *op);

/// The indexing of a term that is no operation.
OpIndexing getIndexing(const OpSignature &signature);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_MODELS_INDEXING_H
