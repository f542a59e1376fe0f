//===- ExpandStableHlo.cpp - Ops expressed in other ops -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites what no engine has a loop for, before all of them:
//
//   1. programs for several devices become programs for one (OneDevice.cpp);
//   2. tuples are their elements, tokens nothing (TuplesAndTokens.cpp);
//   3. bounded sizes are numbers beside tensors of the bounds (BoundedTypes.cpp);
//   4. quantised elements are integers (QuantizedTypes.cpp);
//   5. floats of at most 8 bits and integers below a byte are of a byte
//      (NarrowElements.cpp);
//   6. ops with a row in the table below are written in others;
//   7. complex numbers become pairs (ExpandComplex.cpp).
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Of a number of bytes that is a power of two; null for other types.
static IntegerType getBits(Type element) {
  if (!element.isIntOrFloat())
    return {};
  const unsigned width = element.getIntOrFloatBitWidth();
  if (width < 8 || width > 64 || !llvm::isPowerOf2_32(width))
    return {};
  return IntegerType::get(element.getContext(), width, IntegerType::Unsigned);
}

/// Whether elements become several, or several become one.
static bool changesWidth(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return from && to && from.getRank() != to.getRank();
}

/// The least significant bits come first.
static SmallVector<Value> expandBitcast(HloBuilder &h, Operation *op,
                                        std::string &why) {
  RankedTensorType from = getTensorType(op->getOperand(0));
  RankedTensorType to = getTensorType(op->getResult(0));
  IntegerType given = getBits(from.getElementType());
  IntegerType wanted = getBits(to.getElementType());
  const bool isSplit = to.getRank() > from.getRank();
  RankedTensorType one = isSplit ? from : to, parts = isSplit ? to : from;
  IntegerType wide = isSplit ? given : wanted,
              narrow = isSplit ? wanted : given;
  if (!wide || !narrow || wide.getWidth() <= narrow.getWidth() ||
      !from.hasStaticShape() || !to.hasStaticShape() || from.getEncoding() ||
      to.getEncoding() || parts.getShape().drop_back() != one.getShape() ||
      parts.getShape().back() != wide.getWidth() / narrow.getWidth()) {
    why =
        "its last dimension must have as many elements as their bits, of whole "
        "bytes, make one of the other type, in static shapes";
    return {};
  }
  Value bits = h.bitcast(op->getOperand(0), given);
  const int64_t rank = one.getRank(), count = parts.getShape().back();
  const uint64_t width = narrow.getWidth();
  Value result;
  if (isSplit) {
    Value all = h.broadcast(bits, parts.getShape(),
                            llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    Value places = h.iota(parts.clone(wide), rank);
    Value shifts = h.mul(places, h.integer(places.getType(), width));
    result = h.convert(h.binary("stablehlo.shift_right_logical", all, shifts),
                       narrow);
  } else {
    SmallVector<int64_t> starts(rank + 1, 0), limits(parts.getShape());
    for (int64_t i = 0; i < count; ++i) {
      starts.back() = i;
      limits.back() = i + 1;
      Value part = h.convert(
          h.reshape(h.slice(bits, starts, limits), one.getShape()), wide);
      part = h.binary("stablehlo.shift_left", part,
                      h.integer(part.getType(), i * width));
      result = result ? h.binary("stablehlo.or", result, part) : part;
    }
  }
  return {h.bitcast(result, to.getElementType())};
}

//===----------------------------------------------------------------------===//
// The largest elements
//===----------------------------------------------------------------------===//

static bool isTopKCall(Operation *op) {
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  return target && target.getValue() == "ApproxTopK";
}

/// JAX's `approx_max_k`, whose elements may be the exact ones: a sort by the
/// function that it names, and what comes first; more than it asks for where parts
/// are not to be put together.
static SmallVector<Value> expandTopKCall(HloBuilder &h, Operation *op,
                                         std::string &why) {
  auto fail = [&](StringRef reason) {
    why = reason;
    return SmallVector<Value>();
  };
  auto config = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  if (!config)
    config = op->getAttrOfType<DictionaryAttr>("backend_config");
  auto number = [&](StringRef name) -> std::optional<int64_t> {
    auto value = config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
    return value ? value.getValue().trySExtValue() : std::nullopt;
  };
  const unsigned count = op->getNumResults();
  std::optional<int64_t> dim = number("reduction_dim"), most = number("top_k");
  auto whole =
      config ? config.getAs<BoolAttr>("aggregate_to_topk") : BoolAttr();
  const bool isWhole = !whole || whole.getValue();
  auto called = op->getAttrOfType<ArrayAttr>("called_computations");
  auto symbol = called && called.size() == 1
                    ? dyn_cast<FlatSymbolRefAttr>(called[0])
                    : FlatSymbolRefAttr();
  auto function =
      symbol ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol)
             : func::FuncOp();
  if (!dim || !most || count == 0 || op->getNumOperands() != 2 * count ||
      !function || !function.getBody().hasOneBlock() ||
      function.getNumArguments() != 2 * count ||
      function.getNumResults() != 1 ||
      function.getResultTypes()[0] !=
          RankedTensorType::get({}, h.b.getI1Type()))
    return fail(
        "it must have 'reduction_dim' and 'top_k', two operands for each "
        "result and a function that compares");
  SmallVector<Value> operands;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Value operand = op->getOperand(i);
    auto from = dyn_cast<RankedTensorType>(operand.getType());
    auto to = dyn_cast<RankedTensorType>(result.getType());
    if (!from || !to || !from.hasStaticShape() || *dim < 0 ||
        *dim >= from.getRank() || *most < 0 || *most > from.getDimSize(*dim) ||
        from.getShape() !=
            cast<ShapedType>(op->getOperand(0).getType()).getShape())
      return fail(
          "its operands must be tensors of one static shape, with 'top_k' "
          "elements along 'reduction_dim'");
    SmallVector<int64_t> shape(from.getShape());
    if (!isWhole && to.getRank() == from.getRank())
      most = std::clamp(to.getDimSize(*dim), *most, from.getDimSize(*dim));
    shape[*dim] = *most;
    auto scalar = RankedTensorType::get({}, from.getElementType());
    if (to != from.clone(shape) ||
        function.getArgumentTypes()[2 * i] != scalar ||
        function.getArgumentTypes()[2 * i + 1] != scalar)
      return fail(
          "its results must have 'top_k' elements, or more without "
          "'aggregate_to_topk', and its function take two of each operand");
    operands.push_back(operand);
  }
  OperationState state(op->getLoc(), "stablehlo.sort");
  state.addOperands(operands);
  state.addTypes(ValueRange(operands).getTypes());
  state.addAttributes({h.attribute("dimension", h.b.getI64IntegerAttr(*dim)),
                       h.attribute("is_stable", h.b.getBoolAttr(true))});
  addHloBody(state, function.getBody());
  Operation *sort = h.b.create(state);
  SmallVector<Value> results;
  for (auto [result, sorted] :
       llvm::zip(op->getResults(), sort->getResults())) {
    ArrayRef<int64_t> shape = getTensorType(result).getShape();
    results.push_back(
        h.slice(sorted, SmallVector<int64_t>(shape.size(), 0), shape));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// CHLO's ops that broadcast
//===----------------------------------------------------------------------===//

/// An elementwise op on operands that are broadcast: by the last dimensions, as
/// numpy does, or by `broadcast_dimensions`, those of the operand of lower rank.
static SmallVector<Value> expandBroadcasting(HloBuilder &h, Operation *op,
                                             std::string &why) {
  auto fail = [&](StringRef reason) {
    why = reason;
    return SmallVector<Value>();
  };
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !isStatic(op->getResult(0).getType()) ||
      !llvm::all_of(op->getOperandTypes(), isStatic))
    return fail("it must be of tensors of static shape");
  RankedTensorType type = getTensorType(op->getResult(0));
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<bool> isFull(shape.size());
  std::optional<SmallVector<int64_t>> given;
  if (Attribute attribute = op->getAttr("broadcast_dimensions"))
    given = getHloIntegers(attribute);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    ArrayRef<int64_t> from = getTensorType(operand).getShape();
    if (from.size() > shape.size())
      return fail("an operand's rank is above the result's");
    auto dims = llvm::to_vector(
        llvm::seq<int64_t>(shape.size() - from.size(), shape.size()));
    if (given && from.size() < shape.size() && given->size() == from.size())
      dims = *given;
    if (!areDims(dims, shape.size()) || !llvm::is_sorted(dims))
      return fail("'broadcast_dimensions' must be ascending dimensions of the "
                  "result");
    for (auto [size, dim] : llvm::zip_equal(from, dims)) {
      if (size != 1 && size != shape[dim])
        return fail("its operands' sizes must be 1, or the result's");
      isFull[dim] = isFull[dim] || size == shape[dim];
    }
    operands.push_back(from == shape ? operand
                                     : h.broadcast(operand, shape, dims));
  }
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!isFull[dim] && size != 1)
      return fail("each size of the result must be one of an operand's");
  StringRef name = getHloName(op).drop_front(StringRef("broadcast_").size());
  const bool isOwn =
      llvm::is_contained({"next_after", "polygamma", "zeta"}, name);
  SmallVector<NamedAttribute> attributes = getAllAttributes(op);
  llvm::erase_if(attributes, [](NamedAttribute named) {
    return named.getName() == "broadcast_dimensions";
  });
  return {h.one((Twine(isOwn ? "chlo." : "stablehlo.") + name).str(), type,
                operands, attributes)};
}

static SmallVector<Value> expandConstantLike(HloBuilder &h, Operation *op,
                                             std::string &why) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  auto value = op->getAttrOfType<TypedAttr>("value");
  if (!type || !type.hasStaticShape() || !value ||
      !isa<IntegerAttr, FloatAttr>(value) ||
      value.getType() != type.getElementType()) {
    why = "its value must be a number of the result's type, of static shape";
    return {};
  }
  return {h.constant(DenseElementsAttr::get(type, value))};
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// The parts of what is real already.
static SmallVector<Value> expandPart(HloBuilder &h, Operation *op,
                                     std::string &why) {
  Value operand = op->getOperand(0);
  if (op->getResult(0).getType() != operand.getType()) {
    why = "its result must have its operand's type";
    return {};
  }
  return {getHloName(op) == "real" ? operand : h.like(operand, 0)};
}

static bool isOfReals(Operation *op) {
  auto type = op->getNumOperands() == 1 && op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                  : RankedTensorType();
  return type && isa<FloatType>(type.getElementType()) && type.hasStaticShape();
}

/// Null for an op that stays.
static HloExpansion getExpansion(Operation *op) {
  if (!isHlo(op))
    return nullptr;
  StringRef name = getHloName(op);
  if (name == "bitcast_convert")
    return changesWidth(op) ? expandBitcast : nullptr;
  if (name == "custom_call")
    return isLapackCall(op) ? expandLapackCall
           : isTopKCall(op) ? expandTopKCall
                            : nullptr;
  if (name == "real" || name == "imag")
    return isOfReals(op) ? expandPart : nullptr;
  if (const HloTraits *traits = getHloTraits(name);
      traits && traits->kind == HloTraits::Kind::Broadcasting)
    return expandBroadcasting;
  return llvm::StringSwitch<HloExpansion>(name)
      .Cases({"batch_norm_grad", "batch_norm_inference", "batch_norm_training"},
             expandBatchNorm)
      .Case("cholesky", expandCholesky)
      .Case("constant_like", expandConstantLike)
      .Case("rng_bit_generator", expandRngBitGenerator)
      .Case("triangular_solve", expandTriangularSolve)
      .Default(nullptr);
}

bool tensoraccess::hasHloOn(ModuleOp module,
                            function_ref<bool(Type)> isOfKind) {
  bool isFound = false;
  auto has = [&](TypeRange types) { return llvm::any_of(types, isOfKind); };
  WalkResult others = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && isa<ModuleOp>(op))
      return WalkResult::skip();
    // A function as a value keeps its type.
    if (isa<func::ConstantOp>(op))
      return WalkResult::interrupt();
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      isFound |=
          has(function.getArgumentTypes()) || has(function.getResultTypes());
    } else if (has(op->getOperandTypes()) || has(op->getResultTypes())) {
      if (!isHlo(op) && !isa<func::CallOp, func::ReturnOp>(op))
        return WalkResult::interrupt();
      isFound = true;
    }
    return WalkResult::advance();
  });
  return isFound && !others.wasInterrupted();
}

llvm::SetVector<Operation *> tensoraccess::getReached(ModuleOp module,
                                                      StringRef entry) {
  SymbolTable table(module);
  llvm::SetVector<Operation *> reached;
  auto reach = [&](SymbolRefAttr symbol) {
    if (Operation *op = table.lookup(symbol.getRootReference()))
      reached.insert(op);
  };
  reach(FlatSymbolRefAttr::get(module.getContext(), entry));
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](Operation *op) {
      op->getAttrDictionary().walk(reach);
      if (Attribute inherent = op->getPropertiesAsAttribute())
        inherent.walk(reach);
    });
  return reached;
}

void tensoraccess::eraseUnreached(ModuleOp module, StringRef entry) {
  const llvm::SetVector<Operation *> reached = getReached(module, entry);
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!reached.contains(function))
      function.erase();
}

bool tensoraccess::needsExpansion(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return speaksOfDevices(op) || getExpansion(op) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  });
  return found.wasInterrupted() || hasTuplesOrTokens(module) ||
         hasBoundedTypes(module) || hasNarrowHlo(module) ||
         hasQuantizedHlo(module) || hasComplexHlo(module);
}

LogicalResult tensoraccess::expandStableHlo(ModuleOp module,
                                            bool callsTransforms) {
  if (failed(expandForOneDevice(module)) ||
      failed(expandTuplesAndTokens(module)) ||
      failed(expandBoundedTypes(module)) ||
      failed(expandQuantizedTypes(module)) ||
      failed(expandNarrowElements(module)))
    return failure();
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (getExpansion(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    ImplicitLocOpBuilder b(locateInPlaceOf(op), op);
    HloBuilder h(b);
    std::string why;
    SmallVector<Value> results = getExpansion(op)(h, op, why);
    if (!why.empty())
      return op->emitError()
             << "'" << getOriginalName(op) << "' cannot be run: " << why;
    op->replaceAllUsesWith(results);
    op->erase();
  }
  return expandComplexNumbers(module, callsTransforms);
}
