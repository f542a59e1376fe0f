//===- Steps.h - What a compiled program does, one by one -------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step is an op that runs alone, or a fusion: the call of one, or, in the
// region of a loop, the ops that are marked as parts of it. Between steps
// stand views, which only rename what is in memory.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_ANALYSIS_EXPLAIN_STEPS_H
#define TENSORACCESS_LIB_ANALYSIS_EXPLAIN_STEPS_H

#include "TensorAccess/Analysis/Explain.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/Masks.h"
#include "TensorAccess/Core/Layout.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::tensoraccess {

struct ProgramStep {
  /// What a step reads of one array.
  struct Read {
    /// Where views begin.
    Value value;
    /// From each result of the step.
    SmallVector<IndexingMap, 1> maps;
    /// Points of the maps, and elements that differ.
    Bounds reads, unique;
    /// Bytes of those.
    Bounds bytes;
    /// The array is updated in place.
    bool isInPlace = false;
    /// Why there is no map; empty if all are known.
    std::string reason;
  };

  /// One, but for a fusion in a region.
  SmallVector<Operation *, 1> ops;
  /// What others use of it.
  SmallVector<Value, 1> results;
  /// `fusion.33`, `fusion`, `kLoop`.
  std::string name, opcode, kind;
  /// The function that a fusion calls, or null.
  FunctionOpInterface callee;
  /// How often it runs; for each round of a loop whose trips are unknown, if
  /// `isOpen`.
  Bounds times = Bounds::exactly(1);
  bool isOpen = false;

  // Of one run (StepCosts.cpp).
  SmallVector<Read, 3> reads;
  /// Bytes of each result.
  SmallVector<Bounds, 1> written;
  /// Done, and those that differ: what all elements of the results compute, one
  /// by one, and what would be enough.
  Bounds operations, distinct;
  /// All that is computed, also what rounds nothing: maxima, comparisons, choices.
  Bounds computed;
  /// It does nothing but move elements.
  bool isMove = false;

  Operation *op() const { return ops.front(); }
  bool isFusion() const { return opcode == "fusion"; }
  /// It is done in tiles of its own, by an emitter or a library.
  bool isTiled() const {
    return isFusion() && !kind.empty() && kind != "kLoop" && kind != "kInput" &&
           kind != "kOutput";
  }
  /// Nothing is known of what it computes.
  bool isOpaque() const;
  Bounds getBytesRead() const;
  Bounds getBytesWritten() const;
  Bounds getBytes() const { return getBytesRead() + getBytesWritten(); }
  /// Of all runs.
  Bounds getAllBytes() const { return getBytes().times(times); }
  const Read *find(Value value) const;
};

class ProgramSteps {
public:
  /// Null, with a reason, if the module has no entry. `fusion`, if given, is of
  /// this module.
  static std::unique_ptr<ProgramSteps> get(ModuleOp module, std::string &error,
                                           FusionAnalysis *fusion = nullptr);

  FunctionOpInterface getEntry() const { return entry; }
  std::vector<ProgramStep> &getSteps() { return steps; }
  ArrayRef<ProgramStep> getSteps() const { return steps; }
  /// The step that computes a value; null for arguments and constants.
  const ProgramStep *getProducer(Value value) const;
  struct Reader {
    const ProgramStep *step;
    /// Null if nothing is known of it.
    const ProgramStep::Read *read;
  };
  /// The steps that read a value, through views and calls, in order; `isKept` if
  /// something else does: the function returns it, or a loop takes it.
  SmallVector<Reader, 4> getReaders(Value value, bool &isKept) const;
  /// What `value` shows: where views begin that lead to it, or what a call is given
  /// or gives, which is not looked through further if that is a view.
  Value getArray(Value value) const;
  FusionAnalysis &getFusion() { return fusion; }

  /// What an op would be as a step of its own.
  ProgramStep makeStep(Operation *op);
  bool isStep(Operation *op) const { return stepOf.contains(op); }
  /// `model.py:19`, or `f.hlo:12 (dump)`, and `jit(f)/exp`.
  void locate(Operation *op, ExplainRow &row) const;
  void locate(Location location, ExplainRow &row) const;
  std::string getName(Operation *op) const;
  std::string getName(Value value) const;

private:
  ProgramSteps(ModuleOp module, FusionAnalysis *fusion)
      : module(module), fusion(fusion ? *fusion : ownFusion) {}
  void addBlocks(FunctionOpInterface function);
  struct Runs {
    Bounds times;
    bool isOpen = false;
  };
  void addSteps(Block &block, const Runs &runs);
  void addCosts(ProgramStep &step);
  void addOperations(ProgramStep &step);

  ModuleOp module;
  FunctionOpInterface entry;
  /// Names of values are those of instructions.
  bool isHloText = false;
  std::vector<ProgramStep> steps;
  llvm::DenseMap<Operation *, unsigned> stepOf;
  /// Blocks that run, and how often, callers before callees.
  llvm::MapVector<Block *, Runs> blocks;
  FusionAnalysis ownFusion;
  FusionAnalysis &fusion;
  /// The calls of a function whose ops are steps.
  llvm::DenseMap<Operation *, SmallVector<Operation *, 1>> callsOf;
  /// The function of such a call.
  llvm::DenseMap<Operation *, Operation *> calleeOf;
  /// What a call takes or gives, on its other side; null for other values.
  Value getThroughCall(Value value) const;
  /// Of a fused function: operations, those that differ, and all that is computed.
  llvm::DenseMap<Operation *, std::tuple<Bounds, Bounds, Bounds>> operations;
  mutable std::unique_ptr<AsmState> names;
  /// Whether locations name all arguments of the entry, as JAX's do.
  mutable bool areArgumentsNamed = false;
};

/// Whether an op only moves elements, or ends a body.
bool isMove(Operation *op);
/// Whether an op only renames what is in memory.
bool isView(Operation *op);
/// Operations of an op that is no fusion.
Bounds getOperations(Operation *op, FusionAnalysis &fusion);
/// Elements of a value.
Bounds getElements(Value value);
/// Bytes of all elements of a value.
Bounds getArrayBytes(Value value);
/// Points of a map and, for runtime variables, of what it would be for any.
Bounds boundReads(const IndexingMap &map, std::optional<uint64_t> exact);

/// The sections, in the order of the page.
ExplainSection explainPlaces(ProgramSteps &program);
ExplainSection explainFusions(ProgramSteps &program);
ExplainSection explainEdges(ProgramSteps &program);
ExplainSection explainCopies(ProgramSteps &program);
ExplainSection explainPadding(ProgramSteps &program);
ExplainSection explainSlices(ProgramSteps &program);
ExplainSection explainCollectives(ProgramSteps &program);

/// Operations of a function for elements and reads that do not matter (Masks.h).
struct MaskedWork {
  /// An op, in all trips and calls together.
  struct Step {
    /// The first of them, and how many there are.
    unsigned step = 0, times = 0;
    Bounds operations, idle;
    MaskedStep share;
    bool isMasked = false;
  };
  Bounds operations, masked;
  std::vector<Step> steps;
  /// `if all is finite`, or empty.
  StringRef condition;
  /// Steps that choose by masks that only the run decides, one of each op.
  SmallVector<unsigned, 0> open;

  /// `2,520 of 53,510 operations, if all is finite`.
  std::string str() const;
};
MaskedWork getMaskedWork(Dependence &dependence, FusionAnalysis &fusion);
/// Rows of the ops that are asked about.
ExplainSection explainMasks(ProgramSteps &program,
                            function_ref<bool(Operation *)> isAsked);

/// `[8,128]{1,0}`.
std::string printShape(Value value);
/// The layout of a value, with its shape, row-major if its type has none;
/// std::nullopt for what has no static shape or elements of unknown size.
std::optional<Layout> getLayoutInMemory(Value value);
/// Bytes that are padding of a step's results.
uint64_t getPadding(const ProgramStep &step);
/// What a layout with its shape wastes, and the order that wastes least.
void addPadding(ExplainRow &row, const Layout &layout);
/// What a tile of a map's dims reads, in a line; `none: `, and why, if nothing
/// says it. `isKnown` is cleared then.
std::string printTile(const IndexingMap &map, bool &isKnown);
/// Its size, and what it is in other notations.
void addLayout(ExplainRow &row, const Layout &layout);
/// Why a question has no answer; `about` is empty for a program.
std::string refuseQuestion(StringRef question, ArrayRef<StringRef> among,
                           StringRef about);
/// `1 edge`, `1,024 edges`.
std::string plural(uint64_t count, StringRef noun);
/// `a, b, c and 4 more`; `last` is named, too, if it is not empty.
std::string joinNames(ArrayRef<ProgramSteps::Reader> readers,
                      StringRef last = {});
/// A row for a step.
ExplainRow makeRow(const ProgramSteps &program, const ProgramStep &step);
/// Costliest first by a column, counts at most and differences at least; rows of
/// equal cost as they run.
void sortRows(ExplainSection &section, StringRef key);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_ANALYSIS_EXPLAIN_STEPS_H
