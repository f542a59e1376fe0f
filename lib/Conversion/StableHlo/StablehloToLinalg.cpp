//===- StablehloToLinalg.cpp - StableHLO by name, to linalg ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Collect the ops of stablehlo, mhlo and chlo in program order, outer ones
//    first; what is inside of scalar bodies (of a reduce, say) belongs to the
//    op around it.
// 2. Convert each by the function that has its name. Where that fails, erase
//    what it wrote; the op stays and is named, with the reason.
// 3. If nothing stays, unsigned integers become signless everywhere, and the
//    casts between them are erased. Other ops must not depend on the sign.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_DROPPARTIALWINDOWS
#define GEN_PASS_DEF_STABLEHLOTOLINALG
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// What converters share
//===----------------------------------------------------------------------===//

Type tensoraccess::getSignless(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(getSignless(tensor.getElementType()));
  if (auto integer = dyn_cast<IntegerType>(type))
    if (!integer.isSignless())
      return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

Value HloConversion::signless(Value value) {
  Type type = getSignless(value.getType());
  if (type == value.getType())
    return value;
  if (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>())
    if (cast.getNumOperands() == 1 && cast.getOperand(0).getType() == type)
      return cast.getOperand(0);
  return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
}

SmallVector<Value> HloConversion::operands() {
  SmallVector<Value> values;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    values.push_back(operand(i));
  return values;
}

Value HloConversion::scalar(Value tensor) {
  return tensor::ExtractOp::create(b, tensor, ValueRange{});
}

Value HloConversion::empty(RankedTensorType type, Value like) {
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(tensor::DimOp::create(b, like, i));
  return tensor::EmptyOp::create(b, type, sizes);
}

Value HloConversion::filled(RankedTensorType type, Value element) {
  return linalg::FillOp::create(b, element, empty(type)).getResult(0);
}

Value HloConversion::zero(Type type) {
  return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
}

SmallVector<Value> tensoraccess::makeHloLoops(
    ImplicitLocOpBuilder &b, ArrayRef<int64_t> sizes, ValueRange values,
    function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange,
                                    ValueRange)>
        body) {
  if (sizes.empty())
    return body(b, {}, values);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  SmallVector<Value> lows(sizes.size(), index(0)),
      steps(sizes.size(), index(1));
  scf::LoopNest nest = scf::buildLoopNest(
      b, b.getLoc(), lows, llvm::map_to_vector(sizes, index), steps, values,
      [&](OpBuilder &nested, Location loc, ValueRange at,
          ValueRange carried) -> scf::ValueVector {
        ImplicitLocOpBuilder b(loc, nested);
        SmallVector<Value> next = body(b, at, carried);
        return scf::ValueVector(next.begin(), next.end());
      });
  return SmallVector<Value>(nest.results);
}

SmallVector<Value> tensoraccess::makeHloIf(
    ImplicitLocOpBuilder &b, Value condition, ValueRange values,
    function_ref<SmallVector<Value>(ImplicitLocOpBuilder &)> then) {
  auto choice = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &nested, Location loc) {
        ImplicitLocOpBuilder b(loc, nested);
        scf::YieldOp::create(b, then(b));
      },
      [&](OpBuilder &nested, Location loc) {
        scf::YieldOp::create(nested, loc, values);
      });
  return SmallVector<Value>(choice.getResults());
}

//===----------------------------------------------------------------------===//
// The conversion
//===----------------------------------------------------------------------===//

static const HloConverters &getConverters() {
  static const HloConverters converters = [] {
    HloConverters all;
    addHloElementwise(all);
    addHloMovement(all);
    addHloReductions(all);
    addHloSort(all);
    addHloContractions(all);
    addHloIndexed(all);
    addHloControl(all);
    addHloLapack(all);
    return all;
  }();
  return converters;
}

/// Why there is no converter for an op, and what to do.
static StringRef whyUnknown(Operation *op) {
  if (takesSizes(op))
    return "its sizes are operands; --tensoraccess-refine-shapes makes them "
           "static";
  return llvm::StringSwitch<StringRef>(getHloName(op))
      .Cases(
          {"infeed", "outfeed", "recv", "send"},
          "it exchanges data while the program runs; take it as an argument, "
          "or return it")
      .Case("rng", "its numbers are left open; rng_bit_generator says which")
      .Default("there is no conversion for it");
}

/// Whether an op puts elements of its first operand elsewhere, at indices that
/// are known: its nest says everything.
static bool isMove(Operation *op) {
  if (takesSizes(op))
    return false;
  NestRef nest = getNest(OpSignature(op));
  return nest->hasLoops() && nest->body == NestBody::Move &&
         nest->values.empty() && nest->writes.size() == 1 &&
         llvm::all_of(nest->reads, [](const NestRead &read) {
           return read.value == 0 ||
                  (!read.outside.empty() && read.index.empty());
         });
}

/// Step 2 for one op; false, with the reason, where it stays.
static bool convertOp(Operation *op, std::string &why) {
  HloConverter convert = getConverters().lookup(getHloName(op));
  if (!convert && isMove(op))
    convert = convertHloMove;
  if (!convert) {
    why = whyUnknown(op);
    return false;
  }
  Operation *before = op->getPrevNode();
  HloConversion c(op, why);
  SmallVector<Value> results = convert(c);
  // It may have written a region last.
  c.b.setInsertionPoint(op);
  bool fits = why.empty() && results.size() == op->getNumResults();
  for (auto [i, value] : llvm::enumerate(results)) {
    if (!fits)
      break;
    Type type = op->getResult(i).getType(), signless = getSignless(type);
    if (value.getType() != signless) {
      auto from = dyn_cast<RankedTensorType>(value.getType());
      auto to = dyn_cast<RankedTensorType>(signless);
      // Static sizes that only one of the two types knows.
      if (from && to && tensor::CastOp::areCastCompatible(from, to)) {
        value = tensor::CastOp::create(c.b, signless, value);
      } else {
        c.fail("result " + Twine(i) + " has a type other than the op gives");
        fits = false;
        break;
      }
    }
    if (signless != type)
      value = UnrealizedConversionCastOp::create(c.b, type, value).getResult(0);
    results[i] = value;
  }
  if (!fits) {
    if (why.empty())
      why = "its form is not known";
    // In reverse, users go before what they use.
    Operation *last = op->getPrevNode();
    while (last != before) {
      Operation *previous = last->getPrevNode();
      last->erase();
      last = previous;
    }
    return false;
  }
  op->replaceAllUsesWith(results);
  op->erase();
  return true;
}

/// Whether what an op does with integers may depend on their sign, which is in
/// their type only. Not so of ops that move values, or have a sign in their
/// names.
static bool dependsOnSign(Operation *op) {
  if (auto compute = dyn_cast<ComputeOp>(op))
    return compute.getAccumulator() ||
           !llvm::is_contained({ComputeKind::DotProd, ComputeKind::ReduceSum,
                                ComputeKind::ElementwiseAdd,
                                ComputeKind::ElementwiseMul,
                                ComputeKind::Negative},
                               compute.getKind());
  if (isa<SystolicArrayOp, AcceleratorCallOp>(op))
    return true;
  return !isa_and_present<affine::AffineDialect, arith::ArithDialect,
                          bufferization::BufferizationDialect, BuiltinDialect,
                          cf::ControlFlowDialect, func::FuncDialect,
                          linalg::LinalgDialect, memref::MemRefDialect,
                          ml_program::MLProgramDialect, scf::SCFDialect,
                          TensorAccessDialect, tensor::TensorDialect>(
      op->getDialect());
}

namespace {
/// Step 3.
class SignlessTypes {
public:
  SignlessTypes() {
    replacer.addReplacement([](IntegerType type) -> std::optional<Type> {
      if (type.isSignless())
        return std::nullopt;
      return IntegerType::get(type.getContext(), type.getWidth());
    });
  }

  bool has(Operation *op) {
    auto isSigned = [&](Type type) { return replacer.replace(type) != type; };
    return llvm::any_of(op->getOperandTypes(), isSigned) ||
           llvm::any_of(op->getResultTypes(), isSigned);
  }
  void replaceIn(ModuleOp module);

private:
  bool replaceIn(Value value) {
    Type type = replacer.replace(value.getType());
    const bool isOther = type != value.getType();
    value.setType(type);
    return isOther;
  }
  Attribute replaceIn(Attribute attr);

  AttrTypeReplacer replacer;
};
} // namespace

/// A type that an op has as an attribute, and a value of one.
Attribute SignlessTypes::replaceIn(Attribute attr) {
  if (auto type = dyn_cast<TypeAttr>(attr))
    return TypeAttr::get(replacer.replace(type.getValue()));
  auto typed = dyn_cast<TypedAttr>(attr);
  Type type = typed ? replacer.replace(typed.getType()) : Type();
  if (!typed || type == typed.getType())
    return attr;
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return IntegerAttr::get(type, number.getValue());
  if (auto dense = dyn_cast<DenseIntElementsAttr>(attr))
    return dense.bitcast(cast<ShapedType>(type).getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return DenseResourceElementsAttr::get(cast<ShapedType>(type),
                                          resource.getRawHandle());
  return attr;
}

void SignlessTypes::replaceIn(ModuleOp module) {
  module.walk([&](Operation *op) {
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      keepElementTypes(function,
                       [](Type type) { return type.isUnsignedInteger(); });
    // Attributes that have the op's type: constants, functions, globals.
    bool isOther = isa<SymbolOpInterface>(op);
    for (Value result : op->getResults())
      isOther |= replaceIn(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          replaceIn(argument);
    if (!isOther)
      return;
    for (NamedAttribute named : op->getAttrDictionary())
      if (Attribute attr = replaceIn(named.getValue());
          attr != named.getValue())
        op->setAttr(named.getName(), attr);
  });
  SmallVector<UnrealizedConversionCastOp> casts;
  module.walk([&](UnrealizedConversionCastOp op) {
    if (op->getNumOperands() == 1 && op->getNumResults() == 1 &&
        op.getOperand(0).getType() == op.getResult(0).getType())
      casts.push_back(op);
  });
  for (UnrealizedConversionCastOp op : casts) {
    op.getResult(0).replaceAllUsesWith(op.getOperand(0));
    op->erase();
  }
}

StablehloSummary tensoraccess::convertStablehloToLinalg(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isHlo(op))
      return WalkResult::advance();
    if (getHloName(op) != "return")
      ops.push_back(op);
    return hasHloScalarBody(op) ? WalkResult::skip() : WalkResult::advance();
  });
  StablehloSummary summary;
  for (Operation *op : ops) {
    std::string why;
    if (convertOp(op, why))
      ++summary.converted;
    else
      summary.left.push_back({op, why});
  }
  SignlessTypes types;
  module.walk([&](Operation *op) {
    if (!isHlo(op) && dependsOnSign(op) && types.has(op))
      summary.left.push_back(
          {op, "what it does may depend on the sign of its integers"});
  });
  if (summary.left.empty())
    types.replaceIn(module);
  return summary;
}

namespace {
struct DropPartialWindowsPass
    : public tensoraccess::impl::DropPartialWindowsBase<
          DropPartialWindowsPass> {
  void runOnOperation() override { dropPartialWindows(getOperation()); }
};

struct StablehloToLinalgPass
    : public tensoraccess::impl::StablehloToLinalgBase<StablehloToLinalgPass> {
  using StablehloToLinalgBase::StablehloToLinalgBase;

  void runOnOperation() override {
    StablehloSummary summary = convertStablehloToLinalg(getOperation());
    converted += summary.converted;
    missed += summary.left.size();
    for (auto &[op, why] : summary.left) {
      StringRef name = getOriginalName(op);
      if (strict) {
        op->emitError() << "'" << name
                        << "' is not converted to linalg: " << why;
        continue;
      }
      remark::missed(op->getLoc(), remarkOptions("stablehlo-to-linalg", op))
          << remark::add("{0} is not converted", name.str())
          << remark::reason("{0}", why);
    }
    if (strict && !summary.left.empty())
      signalPassFailure();
  }
};
} // namespace
