//===- RestrictFunction.cpp - Programs of parts of results ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrapper around Cut/Narrow.h, which works on linalg on tensors.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Dependence.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Cut/Narrow.h"
#include "TensorAccess/Cut/Patch.h"
#include "TensorAccess/Cut/Stream.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Transforms/Canonicalize.h"
#include "TensorAccess/Transforms/FusePasses.h"
#include "TensorAccess/Transforms/SimplifyPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_PATCHFUNCTION
#define GEN_PASS_DEF_RESTRICTFUNCTION
#define GEN_PASS_DEF_STREAMFUNCTION
#define GEN_PASS_DEF_UPDATEFUNCTION
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// Any program as linalg on tensors in functions that call no other.
static void addToTensors(OpPassManager &pm) {
  pm.addPass(createGuardFolds());
  pm.addPass(createExpandStableHlo({/*callTransforms=*/true}));
  pm.addPass(createStablehloToLinalg());
  pm.addPass(createLowerToLinalg());
  pm.addPass(createForeignToLinalg());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  pm.addPass(createCanonicalize());
  pm.addPass(createCSEPass());
}

/// What all these passes begin and end with.
template <typename Base>
struct PartsPass : public Base {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, bufferization::BufferizationDialect,
                    linalg::LinalgDialect, tensor::TensorDialect>();
    OpPassManager pm(ModuleOp::getOperationName());
    addToTensors(pm);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (failed(run()))
      this->signalPassFailure();
  }

protected:
  /// Looks at the function as it is given; emits the error.
  virtual LogicalResult read(func::FuncOp target) = 0;
  /// Changes the function, on tensors.
  virtual LogicalResult rewrite(func::FuncOp target) = 0;

  InFlightDiagnostic fail(const Twine &message) {
    return mlir::emitError(find().getLoc()) << message;
  }

  func::FuncOp find() {
    return this->getOperation().template lookupSymbol<func::FuncOp>(
        this->function);
  }

private:
  LogicalResult run() {
    const std::string name = "function @" + this->function;
    func::FuncOp target = find();
    if (!target)
      return mlir::emitError(this->getOperation().getLoc())
             << describeUnknownFunction(this->getOperation(), this->function);
    if (!target.getBody().hasOneBlock())
      return fail(name + " has no body of one block");
    if (failed(read(target)))
      return failure();
    const unsigned numArguments = target.getNumArguments();
    const unsigned numResults = target.getNumResults();
    OpPassManager toTensors(ModuleOp::getOperationName());
    addToTensors(toTensors);
    if (failed(this->runPipeline(toTensors, this->getOperation())))
      return failure();
    if (!find().getBody().hasOneBlock())
      return fail(name + " has no body of one block");
    if (!SymbolTable::symbolKnownUseEmpty(find(), this->getOperation()))
      return fail(name + " is called, and keeps its results");
    if (find().getNumArguments() != numArguments ||
        find().getNumResults() != numResults)
      return fail(name + " has tuples or tokens, which have no boxes");
    if (failed(rewrite(find())))
      return failure();
    OpPassManager cleanUp(ModuleOp::getOperationName());
    cleanUp.addPass(createCanonicalize());
    cleanUp.addPass(createCSEPass());
    return this->runPipeline(cleanUp, this->getOperation());
  }
};

/// A box of a result, where complex numbers became a dimension of two.
static void addParts(Box &box, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() != static_cast<int64_t>(box.lo.size()) + 1)
    return;
  box.lo.push_back(0);
  box.hi.push_back(tensor.getShape().back());
}

//===----------------------------------------------------------------------===//
// A box of a result
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kConditionName = "tensoraccess.condition";

namespace {
struct RestrictFunctionPass
    : public PartsPass<
          tensoraccess::impl::RestrictFunctionBase<RestrictFunctionPass>> {
  using PartsPass::PartsPass;

  LogicalResult read(func::FuncOp target) override {
    std::string error;
    std::optional<Box> parsed = parseBox(box, error);
    if (!parsed)
      return fail(error);
    if (auto wrong =
            verifyBoxOf(target.getResultTypes(), result, "result", *parsed))
      return fail(*wrong);
    wanted = std::move(*parsed);
    return success();
  }

  LogicalResult rewrite(func::FuncOp target) override {
    addParts(wanted, target.getResultTypes()[result]);
    if (!masked)
      restrictFunction(target, result, wanted);
    else if (restrictMaskedFunction(target, result, wanted))
      target->setAttr(kConditionName,
                      StringAttr::get(&getContext(), "if finite"));
    return success();
  }

  Box wanted;
};
} // namespace

//===----------------------------------------------------------------------===//
// Patches
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kPatchesName = "tensoraccess.patches";

namespace {
struct PatchFunctionPass
    : public PartsPass<
          tensoraccess::impl::PatchFunctionBase<PatchFunctionPass>> {
  using PartsPass::PartsPass;

  /// What is patched becomes the last result, which lowering keeps.
  LogicalResult read(func::FuncOp target) override {
    if (memory < 0)
      return fail("memory must be at least 0 bytes, got " + Twine(memory));
    if (!(recompute >= 1))
      return fail("recompute must be at least 1, got " +
                  llvm::formatv("{0}", double(recompute)).str());
    Operation *terminator = target.front().getTerminator();
    if (op.empty()) {
      if (result < 0 || result >= int64_t(target.getNumResults()))
        return fail("there is no result " + Twine(result) +
                    ", the function has " + Twine(target.getNumResults()));
      wanted = terminator->getOperand(result);
    } else {
      std::string error;
      Operation *own = findOp(target, op, error);
      if (!own)
        return fail(error);
      if (own->getNumResults() == 0)
        return own->emitError() << "'" << op << "' has no result";
      wanted = own->getResult(0);
    }
    loc = wanted.getLoc();
    if (!sizes.empty())
      if (auto wrong = verifyPatches(wanted.getType(), sizes))
        return mlir::emitError(*loc) << getSubject() << " " << *wrong;
    terminator->insertOperands(terminator->getNumOperands(), wanted);
    (void)target.insertResult(target.getNumResults(), wanted.getType(), {});
    return success();
  }

  LogicalResult rewrite(func::FuncOp target) override {
    OpPassManager fuse(ModuleOp::getOperationName());
    fuse.addNestedPass<func::FuncOp>(createFuseElementwise());
    if (failed(runPipeline(fuse, getOperation())))
      return failure();
    const unsigned last = target.getNumResults() - 1;
    Operation *terminator = target.front().getTerminator();
    Value value = terminator->getOperand(last);
    terminator->eraseOperand(last);
    (void)target.eraseResult(last);
    const ProgramCost before = ProgramCost::of(target);
    SmallVector<int64_t> own(sizes.begin(), sizes.end());
    if ((!own.empty() || !op.empty()) && !value.getDefiningOp())
      return mlir::emitError(*loc)
             << getSubject() << " is an argument, and not computed";
    if (!own.empty() && !isMemoryEffectFree(value.getDefiningOp()))
      return mlir::emitError(*loc)
             << getSubject() << " is computed once, by '"
             << value.getDefiningOp()->getName() << "', which has effects";
    if (own.empty()) {
      PatchChoice choice = choosePatches(
          target, op.empty() ? Value() : value,
          int64_t(std::min(recompute * double(before.operations), 0x1p62)),
          memory == 0 ? std::nullopt : std::optional<int64_t>(memory));
      value = choice.value;
      own = std::move(choice.sizes);
    } else {
      // Complex numbers became a dimension of two.
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (type && type.getRank() == int64_t(own.size()) + 1)
        own.push_back(type.getShape().back());
      if (auto wrong = verifyPatches(value.getType(), own))
        return mlir::emitError(*loc) << getSubject() << " " << *wrong;
    }
    int64_t count = 1;
    if (!own.empty()) {
      loc = value.getLoc();
      count = patchFunction(target, value, own);
    }
    const ProgramCost after = ProgramCost::of(target);
    if (sizes.empty() && memory != 0 && after.peakBytes > memory)
      return fail("no patches need at most " + Twine(memory) +
                  " bytes, the best " + Twine(after.peakBytes));
    Builder builder(&getContext());
    auto getPair = [&](int64_t a, int64_t b) {
      return builder.getDenseI64ArrayAttr({a, b});
    };
    target->setAttr(
        kPatchesName,
        builder.getDictionaryAttr(
            {builder.getNamedAttr("count", builder.getI64IntegerAttr(count)),
             builder.getNamedAttr("sizes", builder.getDenseI64ArrayAttr(own)),
             builder.getNamedAttr("operations",
                                  getPair(before.operations, after.operations)),
             builder.getNamedAttr(
                 "peak_bytes", getPair(before.peakBytes, after.peakBytes))}));
    if (own.empty())
      mlir::emitRemark(target.getLoc())
          << "no patches need less than the whole function: at most "
          << before.peakBytes << " bytes";
    else
      mlir::emitRemark(*loc)
          << count << (count == 1 ? " patch of " : " patches of ")
          << shapeToString(own) << ": at most " << after.peakBytes
          << " bytes (before " << before.peakBytes << "), "
          << llvm::formatv("{0:f2}", before.operations == 0
                                         ? 1.0
                                         : double(after.operations) /
                                               double(before.operations))
                 .str()
          << " times the operations";
    return success();
  }

  std::string getSubject() {
    return op.empty() ? "result " + std::to_string(result)
                      : "'" + op.getValue() + "'";
  }

  Value wanted;
  std::optional<Location> loc;
};
} // namespace

//===----------------------------------------------------------------------===//
// What a change reaches
//===----------------------------------------------------------------------===//

/// The elements of a result that depend on a box of an argument.
static std::optional<Box> getReached(const Dependence &dependence, Type type,
                                     unsigned result, unsigned argument,
                                     const Box &changed) {
  std::optional<Box> reached;
  auto add = [&](const Box &box) {
    if (!box.isEmpty())
      reached = reached ? *getBoundingBox({*reached, box}) : box;
  };
  auto tensor = dyn_cast<RankedTensorType>(type);
  Box whole = tensor && tensor.hasStaticShape() ? getWholeBox(tensor.getShape())
                                                : Box();
  if (dependence.getLost(result))
    return whole;
  for (const IndexingMap &map : dependence.getMaps(result, argument)) {
    Footprint footprint =
        map.isUnknown() ? Footprint() : getPreimage(map, changed);
    if (!footprint.hull || footprint.hull->lo.size() != whole.lo.size())
      return whole;
    add(intersectBoxes(whole, *footprint.hull));
  }
  return reached;
}

namespace {
struct UpdateFunctionPass
    : public PartsPass<
          tensoraccess::impl::UpdateFunctionBase<UpdateFunctionPass>> {
  using PartsPass::PartsPass;

  LogicalResult read(func::FuncOp target) override {
    SmallVector<std::pair<unsigned, Box>> boxes;
    SmallVector<StringRef> texts;
    StringRef(changed).split(texts, ';', -1, /*KeepEmpty=*/false);
    if (texts.empty())
      return fail("expected what is changed, as 0:[0,3)x[1,5)");
    for (StringRef text : texts) {
      auto [number, rest] = text.split(':');
      int64_t argument;
      if (number.trim().getAsInteger(10, argument))
        return fail("expected an argument and a box, as 0:[0,3)x[1,5), got '" +
                    text + "'");
      std::string error;
      std::optional<Box> parsed = parseBox(rest, error);
      if (!parsed)
        return fail(error);
      if (auto wrong = verifyBoxOf(target.getArgumentTypes(), argument,
                                   "argument", *parsed))
        return fail(*wrong);
      boxes.emplace_back(argument, std::move(*parsed));
    }
    IndexingCache cache;
    FactOptions options;
    options.assumeFinite = finite;
    std::unique_ptr<Dependence> dependence =
        Dependence::get(target, cache, std::move(options));
    for (auto [i, type] : llvm::enumerate(target.getResultTypes())) {
      std::optional<Box> all;
      for (const auto &[argument, box] : boxes)
        if (auto own = getReached(*dependence, type, i, argument, box))
          all = all ? *getBoundingBox({*all, *own}) : *own;
      reached.push_back(std::move(all));
    }
    return success();
  }

  LogicalResult rewrite(func::FuncOp target) override {
    for (auto [box, type] : llvm::zip_equal(reached, target.getResultTypes()))
      if (box)
        addParts(*box, type);
    updateFunction(target, reached);
    return success();
  }

  SmallVector<std::optional<Box>> reached;
};
} // namespace

//===----------------------------------------------------------------------===//
// The next elements
//===----------------------------------------------------------------------===//

namespace {
struct StreamFunctionPass
    : public PartsPass<
          tensoraccess::impl::StreamFunctionBase<StreamFunctionPass>> {
  using PartsPass::PartsPass;

  LogicalResult read(func::FuncOp target) override {
    SmallVector<StringRef> texts;
    StringRef(axes).split(texts, ';', -1, /*KeepEmpty=*/false);
    if (texts.empty())
      return fail("expected arguments and dimensions, as 0:1");
    std::optional<int64_t> length;
    for (StringRef text : texts) {
      auto [argument, dim] = text.split(':');
      unsigned number, along;
      if (argument.trim().getAsInteger(10, number) ||
          dim.trim().getAsInteger(10, along))
        return fail("expected an argument and a dimension, as 0:1, got '" +
                    text + "'");
      if (number >= target.getNumArguments())
        return fail("there is no argument " + Twine(number) +
                    ", the function has " + Twine(target.getNumArguments()));
      auto type = dyn_cast<RankedTensorType>(target.getArgumentTypes()[number]);
      if (!type || !type.hasStaticShape() || type.getEncoding())
        return fail("argument " + Twine(number) +
                    " is not a tensor with a static shape");
      if (along >= type.getRank())
        return fail("argument " + Twine(number) + " has " +
                    Twine(type.getRank()) + " dimensions, no dimension " +
                    Twine(along));
      if (llvm::any_of(sequences,
                       [&](auto known) { return known.first == number; }))
        return fail("argument " + Twine(number) + " is given twice");
      const int64_t own = type.getDimSize(along);
      if (length && *length != own)
        return fail("argument " + Twine(number) + " has length " + Twine(own) +
                    ", but the one before " + Twine(*length));
      length = own;
      sequences.emplace_back(number, along);
    }
    foldPlaces(target);
    if (step < 1 || step > *length || *length % step != 0)
      return fail("a step of " + Twine(step) + " does not divide the length " +
                  Twine(*length));
    for (StringRef name : {"init", "step"})
      if (getOperation().lookupSymbol(name))
        return fail("there is a function @" + name + " already");
    return success();
  }

  LogicalResult rewrite(func::FuncOp target) override {
    return streamFunction(target, sequences, step, inPlace);
  }

  SmallVector<std::pair<unsigned, unsigned>> sequences;
};
} // namespace
