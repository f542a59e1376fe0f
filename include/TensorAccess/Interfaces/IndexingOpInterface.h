//===- IndexingOpInterface.h - Which elements an op reads -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_H
#define TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_H

#include "TensorAccess/Core/IndexingMap.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OperationSupport.h"

#include <memory>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Where runtime values and replicas come from
//
// What an indexing map cannot express by itself. A *runtime variable* of a map
// is a number that some operand holds: the start of a dynamic slice, an index
// of a gather. Its *source* is that operand, and a map to its element. A
// collective reads operands of other replicas: its *replica map* gives which.
//
//   gather of rows: result[i, j] = table[clamp(where[i], 0, 9), j]
//
//     map      (d0, d1){rt0} -> (rt0, d1), rt0 in [0, 9]
//     source   of rt0: operand 1 at (d0, d1){rt0} -> (d0), clamped to [0, 9]
//
// All maps of one entry have the same variables in the same order, so that they
// refer to the same point: the source of a gather that is summed over depends
// on the symbol of the sum. A source may depend on other runtime variables,
// but never in a cycle.
//
// To compose, simplify or relate such an entry, its maps are joined into one
// map that has all their results, and split afterwards.
//===----------------------------------------------------------------------===//

/// Where the value of a runtime variable comes from: it is the element of an
/// operand (of a function's argument, in the indexing of a function) at the
/// index that `map` gives, clamped to `clamp`. The range of the variable may be
/// smaller: the map then covers only the points where the value is inside.
struct RuntimeSource {
  unsigned operand = 0;
  IndexingMap map;
  Interval clamp = Interval::all();

  bool operator==(const RuntimeSource &o) const {
    return operand == o.operand && map == o.map && clamp == o.clamp;
  }
};

/// The details of one indexing map.
struct MapDetails {
  /// One entry per runtime variable of the map; std::nullopt if it is not
  /// known.
  llvm::SmallVector<std::optional<RuntimeSource>, 2> runtime;
  /// From the variables of the map to the position, within its group, of the
  /// replica whose operand is meant. Absent outside of collectives.
  std::optional<IndexingMap> replica;
  /// The groups that positions refer to, as the op writes them.
  Attribute groups;

  /// Whether there are no details.
  bool isTrivial() const;
  /// `rt0 = operand 1 at ..., replica ...`, for messages and as a sorting key.
  std::string str() const;

  bool operator==(const MapDetails &o) const {
    return runtime == o.runtime && replica == o.replica && groups == o.groups;
  }
};

/// Shared and immutable; null if there are no details.
using MapDetailsRef = std::shared_ptr<const MapDetails>;

/// Whether both are null or equal.
bool equalDetails(const MapDetailsRef &a, const MapDetailsRef &b);

/// A map with its details.
struct DetailedMap {
  IndexingMap map;
  MapDetailsRef details;
};

/// One map with the results of the map, then those of all sources and of the
/// replica map.
IndexingMap joinDetails(const DetailedMap &entry);

/// The entry that `joined`, a map with the results of `joinDetails`, stands
/// for: the first `numResults` are the map's, the others those of `shape`'s
/// maps, whose own variables don't matter.
DetailedMap splitDetails(const IndexingMap &joined, unsigned numResults,
                         const MapDetails &shape);

/// first, then second, simplified, without unused symbols. Sources of `second`
/// are composed with `first`, those of `first` are kept. If both have a replica
/// map and the groups differ, unknown (UnsupportedOp); if they agree, the
/// second one is used.
DetailedMap compose(const DetailedMap &first, const DetailedMap &second);

/// The entry with runtime variable `runtime` replaced by `value`, a map from
/// the entry's variables to one number, clamped as the source is. Points where
/// that leaves the variable's range are excluded.
DetailedMap substituteRuntime(const DetailedMap &entry, unsigned runtime,
                              const IndexingMap &value);

//===----------------------------------------------------------------------===//
// What an op reads
//
// The indexing of one op, and the interface through which ops provide it. For
// every pair of a result and an operand there are two sets of indexing maps:
//
//   output to input   dims range over the result's indices, results are the
//                     operand's indices that are read for that element;
//   input to output   dims range over the operand's indices, results are the
//                     result's indices that the element contributes to.
//
// A set of maps stands for their union. The empty set means that the operand's
// values are not read at all (the destination of a fill). A set that could not
// be determined is *unknown*, which is not the same, and carries a reason. A
// scalar has rank 0: `() -> ()`.
//===----------------------------------------------------------------------===//

/// Why a set of maps is unknown.
enum class IndexingReason : uint8_t {
  None,            ///< it is known
  UnregisteredOp,  ///< the op is not registered, and its name has no model
  NoModel,         ///< the op is registered, but has no model
  UnsupportedForm, ///< a model exists, but not for this form of the op
  DynamicShape,    ///< a size is not known statically
  UnrankedShape,   ///< not even the rank is known
  NotShaped,       ///< an operand or result is neither tensor nor scalar
  NotAffine,       ///< an index is computed from data
  SideEffects,     ///< the op reads or writes memory
  ControlFlow,     ///< values pass through branches or loops
  Captured,        ///< a region reads values from outside of the op
  Recursion,       ///< a call that may come back to its caller
  UnknownCallee,   ///< a call of something that is not in the module
  Overflow,        ///< 64 bits don't suffice
  Budget,          ///< a limit on the number or size of maps was reached
};

/// A phrase for messages: `unregistered operation`, `dynamic shape`, ...
llvm::StringRef describe(IndexingReason reason);
/// The nearest reason for a map that Core could not build.
IndexingReason fromUnknownReason(UnknownReason reason);
/// The reason that Core's unknown map carries for this one.
UnknownReason toUnknownReason(IndexingReason reason);

/// A set of indexing maps, sorted by text and without duplicates, or unknown.
/// Maps may carry details: sources of runtime variables, replica maps. Maps
/// that differ only in their details are different members, sorted by these.
class IndexingSet {
public:
  /// The empty set: nothing is accessed.
  IndexingSet() = default;
  /*implicit*/ IndexingSet(const IndexingMap &map) { insert(map); }
  /// The union of maps in any order, with duplicates; each text is computed
  /// once.
  static IndexingSet of(llvm::ArrayRef<IndexingMap> maps);
  /// The same for maps with details.
  static IndexingSet of(llvm::ArrayRef<DetailedMap> maps);
  static IndexingSet unknown(IndexingReason reason) {
    IndexingSet set;
    set.reason = reason;
    return set;
  }

  bool isUnknown() const { return reason != IndexingReason::None; }
  IndexingReason getReason() const { return reason; }
  llvm::ArrayRef<IndexingMap> getMaps() const { return maps; }
  unsigned size() const { return maps.size(); }
  bool empty() const { return !isUnknown() && maps.empty(); }
  /// The details of getMaps()[i], or null.
  MapDetailsRef getDetails(unsigned i) const {
    return details.empty() ? nullptr : details[i];
  }
  DetailedMap getEntry(unsigned i) const { return {maps[i], getDetails(i)}; }
  /// Whether any map has details.
  bool hasDetails() const { return !details.empty(); }

  /// Adds a map; an unknown one makes the set unknown.
  void insert(const IndexingMap &map, MapDetailsRef mapDetails = nullptr);
  /// Adds all of `other`; if either is unknown, so is the union.
  void insert(const IndexingSet &other);
  /// One map per line, with its details if `withDetails`, or `unknown: reason`.
  std::string str(bool withDetails = false) const;

  bool operator==(const IndexingSet &o) const;

private:
  llvm::SmallVector<IndexingMap, 1> maps;
  /// One per map, or empty if no map has any.
  llvm::SmallVector<MapDetailsRef, 0> details;
  IndexingReason reason = IndexingReason::None;
};

/// The size of one dynamic dimension of an operand or result: a form whose atom
/// i stands for the size parameter `n<i>` of the op's maps.
struct ValueSize {
  bool isResult = false;
  unsigned value = 0, dim = 0;
  Form size;

  /// `operand 0 dim 1 = n0 * 2 + 3`.
  std::string str() const;

  bool operator==(const ValueSize &o) const {
    return isResult == o.isResult && value == o.value && dim == o.dim &&
           size == o.size;
  }
};

/// The indexing of an op: two sets for each pair of result and operand.
class OpIndexing {
public:
  OpIndexing() = default;
  /// All sets empty.
  OpIndexing(unsigned numResults, unsigned numOperands)
      : numResults(numResults), numOperands(numOperands),
        outputs(numResults * numOperands), inputs(numResults * numOperands) {}
  /// All sets unknown.
  static OpIndexing unknown(unsigned numResults, unsigned numOperands,
                            IndexingReason reason);

  unsigned getNumResults() const { return numResults; }
  unsigned getNumOperands() const { return numOperands; }
  const IndexingSet &outputToInput(unsigned result, unsigned operand) const {
    return outputs[result * numOperands + operand];
  }
  const IndexingSet &inputToOutput(unsigned operand, unsigned result) const {
    return inputs[result * numOperands + operand];
  }

  /// Adds one map in each direction.
  void add(unsigned result, unsigned operand, const IndexingMap &toInput,
           const IndexingMap &toOutput);
  void add(unsigned result, unsigned operand, const DetailedMap &toInput,
           const DetailedMap &toOutput);
  void setUnknown(unsigned result, unsigned operand, IndexingReason reason);
  void setOutputToInput(unsigned result, unsigned operand, IndexingSet set) {
    outputs[result * numOperands + operand] = std::move(set);
  }
  void setInputToOutput(unsigned operand, unsigned result, IndexingSet set) {
    inputs[result * numOperands + operand] = std::move(set);
  }

  /// What the size parameters of the maps are, one per dynamic dimension.
  void addSize(ValueSize size) { sizes.push_back(std::move(size)); }
  llvm::ArrayRef<ValueSize> getSizes() const { return sizes; }

  /// Number of unknown sets, both directions together.
  unsigned countUnknown() const;
  /// Number of maps in all sets, both directions together.
  unsigned countMaps() const;
  /// Whether some map has details.
  bool hasDetails() const;
  /// The reason of the first unknown set; None if none exists.
  IndexingReason firstReason() const;

private:
  unsigned numResults = 0, numOperands = 0;
  llvm::SmallVector<IndexingSet, 2> outputs, inputs;
  std::vector<ValueSize> sizes;
};

/// Everything that a model may look at.
struct OpSignature {
  OperationName name;
  /// Inherent and discardable attributes.
  DictionaryAttr attributes;
  llvm::SmallVector<Type, 4> operandTypes, resultTypes;
  /// The operation, or null for a term that is not one. A model that needs more
  /// than the rest (a region, a symbol) returns UnsupportedForm without it.
  Operation *operation = nullptr;

  explicit OpSignature(Operation *op);
  OpSignature(OperationName name, DictionaryAttr attributes,
              TypeRange operandTypes, TypeRange resultTypes);

  /// The named attribute of class AttrT; null if it is absent or of another
  /// class.
  template <typename AttrT>
  AttrT get(StringRef attribute) const {
    return attributes ? attributes.getAs<AttrT>(attribute) : AttrT();
  }
  OpIndexing unknown(IndexingReason reason) const {
    return OpIndexing::unknown(resultTypes.size(), operandTypes.size(), reason);
  }
  OpIndexing nothingRead() const {
    return OpIndexing(resultTypes.size(), operandTypes.size());
  }
};

/// The sizes of a type's index space: of a static shaped type or another type
/// with elements (IndexSpaceInterfaces.td), or a scalar (no dimensions).
/// Otherwise std::nullopt, and `reason` is set. (OpSizes.h has sizes that may
/// be dynamic.)
std::optional<llvm::SmallVector<int64_t>> getIndexSpace(Type type,
                                                        IndexingReason &reason);

/// Tells which ops of a dialect can fail when they run (canFail of
/// Models/Indexing.h): the ops in their regions are checked separately.
class FailureDialectInterface
    : public DialectInterface::Base<FailureDialectInterface> {
public:
  FailureDialectInterface(Dialect *dialect) : Base(dialect) {}
  virtual bool canFail(Operation *op) const = 0;
};

class Nest;
/// An op's loops (Nest.h); immutable, null if it has none.
using NestRef = std::shared_ptr<const Nest>;

} // namespace mlir::tensoraccess

#include "TensorAccess/Interfaces/IndexSpaceAttrInterfaces.h.inc"
#include "TensorAccess/Interfaces/IndexSpaceTypeInterfaces.h.inc"
#include "TensorAccess/Interfaces/IndexingOpInterface.h.inc"

#endif // TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_H
