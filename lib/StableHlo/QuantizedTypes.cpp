//===- QuantizedTypes.cpp - Quantised elements as integers ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor of `!quant.uniform` becomes one of the integers that it stores:
//
//   1. moves, and ops whose regions compute, keep them;
//   2. an op that computes is one of floats, its quantised operands dequantised,
//      its quantised results quantised, as StableHLO's specification has it:
//        dequantize(x) = convert(x - zero_point) * scale
//        quantize(x) = round(clamp(min, x / scale + zero_point, max)).
//      The difference is exact; the specification leaves open what it is beyond
//      the storage type.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using quant::QuantizedType;

/// Null for what is not a tensor of quantised elements.
static QuantizedType getQuantized(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast<QuantizedType>(tensor.getElementType())
                : QuantizedType();
}

static IntegerType getStorage(QuantizedType type) {
  auto storage = dyn_cast<IntegerType>(type.getStorageType());
  if (!storage || type.isSigned())
    return storage;
  return IntegerType::get(type.getContext(), storage.getWidth(),
                          IntegerType::Unsigned);
}

Type tensoraccess::getTypeOfStorage(Type type) {
  QuantizedType quantized = getQuantized(type);
  IntegerType storage = quantized ? getStorage(quantized) : IntegerType();
  return storage ? cast<RankedTensorType>(type).clone(storage) : type;
}

static bool isPerTensor(QuantizedType type) {
  return isa<quant::UniformQuantizedType>(type);
}

/// Why nothing can be computed with a type; empty if it can.
static StringRef getFault(Type type) {
  QuantizedType quantized = getQuantized(type);
  if (!quantized)
    return "";
  IntegerType storage = getStorage(quantized);
  if (!storage || storage.getWidth() > 32)
    return "its storage must be integers of at most 32 bits";
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
          quantized.getExpressedType()))
    return "its numbers must be f16, bf16, f32 or f64";
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getEncoding())
    return "its tensor has an encoding";
  if (auto axes = dyn_cast<quant::UniformQuantizedPerAxisType>(quantized)) {
    const int64_t dim = axes.getQuantizedDimension();
    if (dim < 0 || dim >= tensor.getRank() ||
        tensor.getDimSize(dim) != int64_t(axes.getScales().size()))
      return "it must have a scale for each index of the dimension";
    return "";
  }
  return isPerTensor(quantized) ? ""
                                : "it must be quantised uniformly, per tensor "
                                  "or per dimension";
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Scales or zero points in the places of a tensor.
static Value spread(HloBuilder &h, RankedTensorType type, QuantizedType of,
                    bool isScale) {
  Type element = type.getElementType();
  auto number = [&](double value) -> Attribute {
    if (isa<FloatType>(element))
      return h.b.getFloatAttr(element, value);
    return h.b.getIntegerAttr(element, int64_t(value));
  };
  if (auto one = dyn_cast<quant::UniformQuantizedType>(of))
    return h.constant(DenseElementsAttr::get(
        type, number(isScale ? one.getScale() : double(one.getZeroPoint()))));
  auto each = cast<quant::UniformQuantizedPerAxisType>(of);
  SmallVector<Attribute> numbers;
  if (isScale)
    for (double scale : each.getScales())
      numbers.push_back(number(scale));
  else
    for (int64_t point : each.getZeroPoints())
      numbers.push_back(number(double(point)));
  auto list = RankedTensorType::get({int64_t(numbers.size())}, element);
  return h.broadcast(h.constant(DenseElementsAttr::get(list, numbers)),
                     type.getShape(), {each.getQuantizedDimension()});
}

static bool hasZeroPoint(QuantizedType type) {
  if (auto one = dyn_cast<quant::UniformQuantizedType>(type))
    return one.getZeroPoint() != 0;
  return llvm::any_of(
      cast<quant::UniformQuantizedPerAxisType>(type).getZeroPoints(),
      [](int64_t point) { return point != 0; });
}

static Value dequantize(HloBuilder &h, Value stored, QuantizedType type) {
  if (hasZeroPoint(type)) {
    const bool isWide = getStorage(type).getWidth() > 16;
    stored = h.convert(stored, h.b.getIntegerType(isWide ? 64 : 32));
    stored = h.sub(stored, spread(h, getTensorType(stored), type, false));
  }
  Value number = h.convert(stored, type.getExpressedType());
  return h.mul(number, spread(h, getTensorType(number), type, true));
}

static Value quantize(HloBuilder &h, Value number, QuantizedType type) {
  RankedTensorType tensor = getTensorType(number);
  Value scaled = h.div(number, spread(h, tensor, type, true));
  if (hasZeroPoint(type))
    scaled = h.add(scaled, spread(h, tensor, type, false));
  Value clamped =
      h.one("stablehlo.clamp", tensor,
            {h.like(scaled, double(type.getStorageTypeMin())), scaled,
             h.like(scaled, double(type.getStorageTypeMax()))});
  return h.convert(h.unary("stablehlo.round_nearest_even", clamped),
                   getStorage(type));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {
/// What is done to an op, by its name.
enum class Way { Unknown, Call, Move, Axes, Control, Body, Bits, Compute };
} // namespace

static Way getWay(Operation *op) {
  if (isa<func::CallOp, func::ReturnOp>(op))
    return Way::Call; // Its types have been verified.
  const HloTraits *traits = getHloTraits(op);
  StringRef name = getHloName(op);
  Way way =
      llvm::StringSwitch<Way>(name)
          .Cases({"concatenate", "constant", "copy", "dynamic_slice",
                  "dynamic_update_slice", "gather", "get_dimension_size"},
                 Way::Move)
          .Cases({"pad", "torch_index_select"}, Way::Move)
          .Cases({"broadcast_in_dim", "reshape", "transpose"}, Way::Axes)
          .Cases({"case", "if", "optimization_barrier", "return", "while"},
                 Way::Control)
          .Cases({"reduce", "reduce_window", "scatter", "select_and_scatter",
                  "sort"},
                 Way::Body)
          .Case("bitcast_convert", Way::Bits)
          .Cases({"batch_norm_grad", "batch_norm_inference",
                  "batch_norm_training", "cholesky", "convolution", "dot",
                  "dot_general", "iota"},
                 Way::Compute)
          .Case("triangular_solve", Way::Compute)
          .Default(Way::Unknown);
  if (way == Way::Unknown && traits && name != "convert" && name != "map" &&
      (traits->kind == HloTraits::Kind::Elementwise ||
       traits->kind == HloTraits::Kind::Broadcasting))
    return Way::Compute;
  if (way == Way::Unknown && traits && traits->kind == HloTraits::Kind::View)
    return Way::Move;
  return way;
}

/// The integers of an attribute; std::nullopt if it has another form.
static std::optional<SmallVector<int64_t>> getDims(Operation *op,
                                                   StringRef name) {
  Attribute value = op->getAttr(name);
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(value))
    return SmallVector<int64_t>(array.asArrayRef());
  if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(value))
    return llvm::map_to_vector(dense.getValues<APInt>(), [](const APInt &dim) {
      return dim.getSExtValue();
    });
  return std::nullopt;
}

/// Whether an op of one operand takes the dimension that has the scales to the
/// result's.
static bool keepsAxis(Operation *op) {
  if (op->getNumOperands() < 1 || op->getNumResults() != 1)
    return false;
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!from || !to)
    return false;
  auto of = dyn_cast<quant::UniformQuantizedPerAxisType>(from.getElementType());
  auto as = dyn_cast<quant::UniformQuantizedPerAxisType>(to.getElementType());
  if (!of || !as)
    return false;
  auto with = [](quant::UniformQuantizedPerAxisType type, int64_t dim) {
    return quant::UniformQuantizedPerAxisType::get(
        type.getFlags(), type.getStorageType(), type.getExpressedType(),
        type.getScales(), type.getZeroPoints(), dim, type.getStorageTypeMin(),
        type.getStorageTypeMax());
  };
  const int64_t dim = of.getQuantizedDimension();
  const int64_t next = as.getQuantizedDimension();
  if (with(of, 0) != with(as, 0))
    return false;
  if (isHlo(op, "reshape")) {
    auto before = [](RankedTensorType type, int64_t dim) {
      return ShapedType::getNumElements(type.getShape().take_front(dim));
    };
    return from.hasStaticShape() && to.hasStaticShape() &&
           before(from, dim) == before(to, next);
  }
  const bool isTranspose = isHlo(op, "transpose");
  auto dims = getDims(op, isTranspose ? "permutation" : "broadcast_dimensions");
  if (!dims)
    return false;
  const int64_t at = isTranspose ? next : dim;
  return at < int64_t(dims->size()) &&
         (*dims)[at] == (isTranspose ? dim : next);
}

/// The types of what a region's blocks give back.
static SmallVector<Type> getYielded(Operation *op) {
  SmallVector<Type> types;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (!block.empty())
        llvm::append_range(types, block.back().getOperandTypes());
  return types;
}

/// Why the stored integers of an op's tensors do not mean the same; empty if
/// they do. The ops are not verified.
static std::string findFault(Operation *op) {
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  const Way way = getWay(op);
  for (Type type : types)
    if (StringRef fault = getFault(type); !fault.empty())
      return "of " + debugString(type) + ", " + fault.str();
  if (way == Way::Unknown) {
    if (isHlo(op, "convert"))
      return "numbers are quantised by 'stablehlo.uniform_quantize' and "
             "dequantised by 'stablehlo.uniform_dequantize'";
    return "it is not supported on quantised types";
  }
  if (way == Way::Compute) {
    if (isHlo(op, "uniform_quantize") || isHlo(op, "uniform_dequantize")) {
      if (op->getNumOperands() != 1 || op->getNumResults() != 1)
        return "it must have one operand and one result";
      for (Type &type : types)
        if (QuantizedType quantized = getQuantized(type))
          type =
              cast<RankedTensorType>(type).clone(quantized.getExpressedType());
      if (types[0] != types[1])
        return "its result must have its operand's numbers and shape";
      types = {op->getOperand(0).getType()};
    }
    if (isHlo(op, "is_finite") &&
        (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
         !getQuantized(types[0]) ||
         types[1] != cast<RankedTensorType>(types[0]).clone(
                         IntegerType::get(op->getContext(), 1))))
      return "its result must be of i1 in its operand's shape";
    for (Type type : types)
      if (QuantizedType quantized = getQuantized(type);
          quantized && !cast<RankedTensorType>(type).hasStaticShape())
        return "its sizes must be known";
    return "";
  }
  if (way == Way::Axes && keepsAxis(op))
    return "";
  if (way == Way::Control) {
    // What each part takes and gives has the types of the whole.
    auto agree = [&](TypeRange whole, TypeRange part) {
      for (auto [a, b] : llvm::zip(whole, part))
        if ((getQuantized(a) || getQuantized(b)) && a != b)
          return false;
      return true;
    };
    const bool isWhile = isHlo(op, "while");
    bool isRight = (!isWhile && !isHlo(op, "optimization_barrier")) ||
                   agree(op->getOperandTypes(), op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        if (isWhile)
          isRight &= agree(op->getOperandTypes(), block.getArgumentTypes());
        // A condition gives no state.
        if (!block.empty() && !(isWhile && &region == &op->getRegion(0)))
          isRight &=
              agree(op->getResultTypes(), block.back().getOperandTypes());
      }
    return isRight ? "" : "its parts must have its types";
  }
  if (way == Way::Move || way == Way::Axes || way == Way::Body) {
    llvm::append_range(types, getYielded(op));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(types, block.getArgumentTypes());
    QuantizedType first;
    for (Type type : types) {
      QuantizedType quantized = getQuantized(type);
      if (quantized && !first)
        first = quantized;
      const bool isConstant = isHlo(op, "constant");
      if (quantized &&
          (quantized != first || !(isPerTensor(quantized) || isConstant)))
        return "its quantised types must be one, per tensor";
    }
  }
  return "";
}

namespace {
/// Once it is known what each value was.
struct Storing {
  DenseMap<Value, QuantizedType> types;
  SmallVector<Operation *> dead;

  void store(Value value) {
    types[value] = getQuantized(value.getType());
    value.setType(getTypeOfStorage(value.getType()));
  }
  LogicalResult rewrite(Operation *op);
  void compute(Operation *op, HloBuilder &h);
};
} // namespace

/// Step 2. Results have their old types.
void Storing::compute(Operation *op, HloBuilder &h) {
  StringRef name = getHloName(op);
  if (name == "is_finite") {
    op->getResult(0).replaceAllUsesWith(
        h.integer(op->getResult(0).getType(), 1));
    dead.push_back(op);
    return;
  }
  for (OpOperand &operand : op->getOpOperands())
    if (QuantizedType type = types.lookup(operand.get()))
      operand.set(dequantize(h, operand.get(), type));
  if (name == "uniform_quantize" || name == "uniform_dequantize") {
    Value result = op->getResult(0), number = op->getOperand(0);
    if (QuantizedType type = getQuantized(result.getType())) {
      number = quantize(h, number, type);
      types[number] = type;
    }
    result.replaceAllUsesWith(number);
    dead.push_back(op);
    return;
  }
  if (name == "compare")
    op->setAttr("compare_type",
                h.ownAttribute("", "comparison_type FLOAT").getValue());
  for (Value result : op->getResults()) {
    QuantizedType type = getQuantized(result.getType());
    if (!type)
      continue;
    result.setType(getTensorType(result).clone(type.getExpressedType()));
    h.b.setInsertionPointAfter(op);
    Value stored = quantize(h, result, type);
    types[stored] = type;
    replaceBehind(result, stored);
  }
}

LogicalResult Storing::rewrite(Operation *op) {
  ImplicitLocOpBuilder b(locateInPlaceOf(op), op);
  HloBuilder h(b);
  if (getWay(op) == Way::Compute) {
    compute(op, h);
    return success();
  }
  for (Value result : op->getResults())
    if (getQuantized(result.getType()))
      store(result);
  if (isHlo(op, "constant") && op->getNumResults() == 1 &&
      types.lookup(op->getResult(0))) {
    auto value = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto width = type.getElementType().getIntOrFloatBitWidth();
    if (!value || value.getType().getShape() != type.getShape() ||
        !value.getElementType().isInteger(width))
      return op->emitError() << "the value of a quantised constant must be of "
                                "the integers that it stores, "
                             << type;
    op->setAttr("value", value.bitcast(type.getElementType()));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

bool tensoraccess::hasQuantizedHlo(ModuleOp module) {
  return hasHloOn(module, [](Type type) { return bool(getQuantized(type)); });
}

LogicalResult tensoraccess::expandQuantizedTypes(ModuleOp module) {
  if (!hasQuantizedHlo(module))
    return success();
  SmallVector<Operation *> ops;
  SmallVector<Value> arguments;
  DenseSet<Value> seen;
  WalkResult checked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && isa<ModuleOp>(op))
      return WalkResult::skip();
    SmallVector<Type> types(op->getOperandTypes());
    llvm::append_range(types, op->getResultTypes());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (getQuantized(argument.getType())) {
            types.push_back(argument.getType());
            arguments.push_back(argument);
            seen.insert(argument);
          }
    if (llvm::none_of(types, getQuantized) || isa<func::FuncOp>(op))
      return WalkResult::advance();
    if (std::string fault = findFault(op); !fault.empty()) {
      op->emitError() << "the quantised types of '" << getOriginalName(op)
                      << "' are not taken apart: " << fault;
      return WalkResult::interrupt();
    }
    for (Value operand : op->getOperands())
      if (getQuantized(operand.getType()) && !seen.contains(operand)) {
        op->emitError() << "'" << getOriginalName(op)
                        << "' reads a quantised value that is written after it";
        return WalkResult::interrupt();
      }
    seen.insert_range(op->getResults());
    ops.push_back(op);
    return WalkResult::advance();
  });
  if (checked.wasInterrupted())
    return failure();
  for (func::FuncOp function : module.getOps<func::FuncOp>()) {
    FunctionType type = function.getFunctionType();
    for (Type each :
         llvm::concat<const Type>(type.getInputs(), type.getResults()))
      if (StringRef fault = getFault(each); !fault.empty())
        return function.emitError() << "has the quantised type " << each
                                    << ", which is not taken apart: " << fault;
    mapSignature(function, getTypeOfStorage);
  }
  Storing storing;
  for (Value argument : arguments)
    storing.store(argument);
  for (Operation *op : ops)
    if (failed(storing.rewrite(op)))
      return failure();
  for (Operation *op : storing.dead)
    op->erase();
  return success();
}
