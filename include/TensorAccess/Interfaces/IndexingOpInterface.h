//===- IndexingOpInterface.h - What an op reads -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The indexing of one op, and the interface by which ops tell it. For every pair
// of a result and an operand there are two sets of indexing maps:
//
//   output to input   dims range over the result's indices, results are indices
//                     of the operand that are read for that element;
//   input to output   dims range over the operand's indices, results are indices
//                     of the result that the element contributes to.
//
// A set of maps means the union. The empty set means that the operand's values
// are not read at all (the destination of a fill). A set that nobody could
// determine is *unknown*, which is not the same, and carries a reason. A scalar
// has rank 0: `() -> ()`.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_H
#define TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_H

#include "TensorAccess/Interfaces/MapDetails.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OperationSupport.h"

namespace mlir::tensoraccess {

/// Why a set of maps is unknown.
enum class IndexingReason : uint8_t {
  None,            ///< it is known
  UnregisteredOp,  ///< the op is not registered, and its name has no model
  NoModel,         ///< the op is registered, but nobody modelled it
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
/// Maps may carry details: sources of runtime variables, replica maps. Maps that
/// differ only in their details are different members, sorted by these.
class IndexingSet {
public:
  /// The empty set: nothing is accessed.
  IndexingSet() = default;
  /*implicit*/ IndexingSet(const IndexingMap &map) { insert(map); }
  /// The union of maps in any order, with duplicates; each text is made once.
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
  /// What belongs to getMaps()[i], or null.
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
  /// One map per line, if asked for with its details, or `unknown: reason`.
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

  /// What the size parameters of the maps are, a dynamic dimension each.
  void addSize(ValueSize size) { sizes.push_back(std::move(size)); }
  llvm::ArrayRef<ValueSize> getSizes() const { return sizes; }

  /// Number of unknown sets, both directions together.
  unsigned countUnknown() const;
  /// Number of maps in all sets, both directions together.
  unsigned countMaps() const;
  /// Whether some map has details.
  bool hasDetails() const;
  /// The reason of the first unknown set; None if there is none.
  IndexingReason firstReason() const;

private:
  unsigned numResults = 0, numOperands = 0;
  llvm::SmallVector<IndexingSet, 2> outputs, inputs;
  std::vector<ValueSize> sizes;
};

/// All that a model may look at.
struct OpSignature {
  OperationName name;
  /// Inherent and discardable attributes.
  DictionaryAttr attributes;
  llvm::SmallVector<Type, 4> operandTypes, resultTypes;
  /// The operation, or null for a term that is none. A model that needs more
  /// than the rest (a region, a symbol) answers UnsupportedForm without it.
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

/// The sizes of a type's index space: a static tensor, vector, memref or access
/// pattern, or a scalar (no dimensions). Otherwise none, and `reason` says why.
/// (OpSizes.h has sizes that may be dynamic.)
std::optional<llvm::SmallVector<int64_t>>
getIndexSpace(Type type, IndexingReason &reason);

/// The indexing between one result and one operand that meet in loops: the
/// first `rank(result)` results of `loops` index the result, the others the
/// operand. Writes both directions.
void addRelation(OpIndexing &indexing, unsigned result, unsigned operand,
                 ArrayRef<int64_t> resultShape, ArrayRef<int64_t> operandShape,
                 const IndexingMap &loops);

/// The details of a map over loops. Its results are the result's index, the
/// operand's, then those that `shape`'s maps stand for (only the numbers of their
/// results matter, see `splitDetails`).
void addRelation(OpIndexing &indexing, unsigned result, unsigned operand,
                 ArrayRef<int64_t> resultShape, ArrayRef<int64_t> operandShape,
                 const IndexingMap &loops, const MapDetails &shape);

/// The indexing of an op that combines equal indices of all operands;
/// operands of rank 0 are read for every element. Sizes may be dynamic.
OpIndexing inferElementwise(const OpSignature &signature);

/// The indexing of an op with one result that keeps the row-major number of
/// every element of its first operand. Groups of dimensions come from the
/// attribute `reassociation`, if there is one. Sizes may be dynamic: one on each
/// side of a group that has more than one dimension on both sides.
OpIndexing inferReshape(const OpSignature &signature);

} // namespace mlir::tensoraccess

#include "TensorAccess/Interfaces/IndexingOpInterface.h.inc"

#endif // TENSORACCESS_INTERFACES_INDEXINGOPINTERFACE_H
