//===- HloImporter.h - From instructions to ops -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A computation that is called (`call`, `fusion`) becomes a private function; one
// that defines what is done to elements (`reduce`, `while`) the region of each op
// that names it. Tuples are lists of their arrays, depth-first, everywhere.
//
// A constant that was left out of the dump (`{...}`) is an argument behind the
// others, of its function and of all that call it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_HLO_HLOIMPORTER_H
#define TENSORACCESS_LIB_STABLEHLO_HLO_HLOIMPORTER_H

#include "HloText.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace mlir::tensoraccess {

/// A tensor of one element of another's type, as regions take it.
inline Type getScalar(Type type) {
  return RankedTensorType::get({}, getElementTypeOrSelf(type));
}

inline SmallVector<Type> getScalars(ValueRange values) {
  return llvm::map_to_vector(
      values, [](Value value) { return getScalar(value.getType()); });
}

/// `mhlo.` and an opcode, as MLIR writes names.
inline std::string getOpName(StringRef dialect, StringRef opcode) {
  std::string name = (dialect + "." + opcode).str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// The names that XLA's own importer uses.
inline constexpr StringLiteral kMhloSharding = "mhlo.sharding",
                               kMhloFrontend = "mhlo.frontend_attributes";

/// Along each dimension of a window.
struct HloWindowText {
  SmallVector<int64_t> size, stride, low, high, base, dilation;
  SmallVector<bool> reversed;
};

class HloImporter {
public:
  HloImporter(const HloModuleText &text, const HloReporter &reporter,
              MLIRContext *context, bool keepsLayouts)
      : text(text), reporter(reporter), b(UnknownLoc::get(context), context),
        keepsLayouts(keepsLayouts) {}

  OwningOpRef<ModuleOp> import();

private:
  using Values = SmallVector<Value, 1>;
  /// A computation at work: what its instructions are, by number.
  struct Frame {
    const HloComputation &computation;
    std::vector<Values> values;
    /// Of each parameter, by its number: its first array.
    SmallVector<unsigned> firstArrays;

    const Values &get(StringRef instruction) const {
      return values[computation.numbers.lookup(instruction)];
    }
  };
  /// A constant without its value, by the names of the calls to it and its own.
  struct Elided {
    std::string name;
    Type type;
  };
  /// An instruction that becomes an op.
  struct Call {
    const HloInstruction &instruction;
    Frame &frame;
    Values operands;
    SmallVector<Type> types;
    SmallVector<NamedAttribute> attributes;
    /// Besides those of the op's own.
    SmallVector<NamedAttribute> others;

    const HloInstruction &getOperand(unsigned operand) const {
      return frame.computation.get(instruction.operands[operand]);
    }
  };
  using Handler = LogicalResult (HloImporter::*)(Call &, Values &);

  LogicalResult fail(HloPlace place, const Twine &message) {
    return reporter.fail(place, message);
  }
  LogicalResult fail(const Call &call, const Twine &message) {
    return fail(call.instruction.getPlace(), message);
  }

  // HloImporter.cpp
  FailureOr<Type> getType(const HloShape &shape);
  LogicalResult getTypes(const HloShape &shape, SmallVectorImpl<Type> &types);
  Location getLocation(const HloInstruction &instruction);
  Location getFrame(int64_t number);
  /// Constants without values of a computation and of all that it names, in the
  /// order in which they are met.
  FailureOr<const std::vector<Elided> *>
  findElided(const HloComputation &computation, unsigned depth);
  LogicalResult importFunction(const HloComputation &computation);
  FailureOr<Values> importBody(const HloComputation &computation,
                               ArrayRef<Value> arguments);
  LogicalResult importInstruction(const HloInstruction &instruction,
                                  Frame &frame, ArrayRef<Value> arguments,
                                  Values &results);
  LogicalResult importConstant(Call &call, Values &results);
  /// Reads a literal, of which `literal` keeps what follows.
  LogicalResult importLiteral(const HloShape &shape, StringRef &literal,
                              Values &results, bool isLast);
  /// Whether values have the types of an instruction, but for layouts.
  LogicalResult checkTypes(const HloInstruction &instruction, TypeRange types,
                           ArrayRef<Value> values, StringRef what);
  /// Makes `X-start` an X, whose results are those of `X-done`.
  LogicalResult beginPair(Call &call);
  FailureOr<const HloComputation *> getComputation(const Call &call,
                                                   StringRef attribute);
  FailureOr<const HloComputation *> getComputationAt(StringRef name);
  /// A region of an op, made of a computation. `takes` are its arguments' types;
  /// none if it reads `captured` instead.
  LogicalResult importRegion(OperationState &state,
                             const HloComputation &computation, TypeRange takes,
                             ArrayRef<Value> captured = {});
  LogicalResult
  create(Call &call, StringRef name, Values &results,
         llvm::function_ref<LogicalResult(OperationState &)> addRegions = {});
  /// An op with a region of each of `bodies`, all of which take `takes`.
  LogicalResult createWithRegions(Call &call, StringRef name,
                                  ArrayRef<const HloComputation *> bodies,
                                  TypeRange takes, Values &results);
  LogicalResult importCall(Call &call, Values &results);

  // HloFields.cpp
  FailureOr<SmallVector<int64_t>> getNumbers(const Call &call, StringRef name,
                                             bool isNeeded = true);
  FailureOr<int64_t> getNumber(const Call &call, StringRef name,
                               std::optional<int64_t> otherwise = {});
  FailureOr<bool> getFlag(const Call &call, StringRef name, bool otherwise);
  FailureOr<HloWindowText> getWindow(const Call &call, size_t rank);
  FailureOr<Attribute> getGroups(const Call &call, StringRef name);
  FailureOr<DenseElementsAttr> getLiteral(StringRef &literal,
                                          RankedTensorType type, bool isLast);
  void addOthers(Call &call);
  DictionaryAttr getFrontendAttributes(StringRef value);
  /// The sharding of each array of an instruction; empty if it has none.
  FailureOr<SmallVector<StringRef>>
  getShardings(const HloInstruction &instruction);

  // HloInstructions.cpp
  static Handler findHandler(StringRef opcode);
  /// The op that has nothing but operands, as the opcode does; empty for
  /// other opcodes.
  static std::string findElementwise(StringRef opcode);
  static bool isKept(StringRef opcode);
  void add(Call &call, StringRef name, Attribute value) {
    call.attributes.push_back(b.getNamedAttr(name, value));
  }
  /// What HLO alone has of an instruction.
  NamedAttribute getHlo(StringRef opcode, ArrayRef<NamedAttribute> more = {}) {
    SmallVector<NamedAttribute> entries(more);
    entries.push_back(b.getNamedAttr("opcode", b.getStringAttr(opcode)));
    return b.getNamedAttr(kHloAttribute, b.getDictionaryAttr(entries));
  }
  void addArray(Call &call, StringRef name, ArrayRef<int64_t> numbers) {
    add(call, name, b.getDenseI64ArrayAttr(numbers));
  }
  /// `#stablehlo<enumeration WORD>`, `#stablehlo.dot<…>`.
  void addOwn(Call &call, StringRef name, const Twine &ownText);
  void addPrecision(Call &call);
  void addPadding(Call &call, const HloWindowText &window);
  LogicalResult addChannel(Call &call);
  LogicalResult addNumbers(Call &call, StringRef from, StringRef to);
  LogicalResult addNumber(Call &call, StringRef from, StringRef to,
                          std::optional<int64_t> otherwise = {});
  /// False if absent.
  LogicalResult addFlag(Call &call, StringRef name);
  /// `#stablehlo.KIND<...>`: lists by their names in HLO and in StableHLO, empty
  /// ones left out.
  LogicalResult
  addDimensionNumbers(Call &call, StringRef name, StringRef kind,
                      ArrayRef<std::pair<StringRef, StringRef>> lists,
                      bool hasIndexVector = false);
  LogicalResult expectOperands(const Call &call, size_t count);
#define HANDLER(NAME) LogicalResult NAME(Call &call, Values &results);
  HANDLER(importTuple)
  HANDLER(importElement)
  HANDLER(importOperand)
  HANDLER(importCompare)
  HANDLER(importBroadcast)
  HANDLER(importIota)
  HANDLER(importAlongDimension)
  HANDLER(importTranspose)
  HANDLER(importReverse)
  HANDLER(importSlice)
  HANDLER(importDynamicSlice)
  HANDLER(importPad)
  HANDLER(importBitcast)
  HANDLER(importCopy)
  HANDLER(importDot)
  HANDLER(importConvolution)
  HANDLER(importReduceOrMap)
  HANDLER(importReduceWindow)
  HANDLER(importSelectAndScatter)
  HANDLER(importScatter)
  HANDLER(importGather)
  HANDLER(importSort)
  HANDLER(importWhile)
  HANDLER(importConditional)
  HANDLER(importCustomCall)
  HANDLER(importFft)
  HANDLER(importCholesky)
  HANDLER(importTriangularSolve)
  HANDLER(importBatchNorm)
  HANDLER(importRng)
  HANDLER(importRngBits)
  HANDLER(importTopK)
  HANDLER(importReducePrecision)
  HANDLER(importCollective)
  HANDLER(importEndOfPair)
#undef HANDLER

  const HloModuleText &text;
  const HloReporter &reporter;
  ImplicitLocOpBuilder b;
  bool keepsLayouts;
  llvm::DenseMap<const HloComputation *, func::FuncOp> functions;
  std::map<int64_t, Location> frames;
  /// A node-based map: references stay.
  std::map<const HloComputation *, std::vector<Elided>> elidedOf;
  /// Arguments that stand for constants of the function at work, in order.
  ArrayRef<Value> elided;
  size_t nextElided = 0;
  /// Regions around the op at work, and computations that are inlined there.
  unsigned depth = 0;
  /// Instructions so far, each as often as it is inlined.
  size_t numImported = 0;
  ModuleOp module;
  llvm::StringSet<> names;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_HLO_HLOIMPORTER_H
