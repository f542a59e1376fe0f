//===- BoundedTypes.cpp - Sizes below a bound, known at run time ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of tensor<?x2xf32, #stablehlo.bounds<4, ?>> is a tensor<4x2xf32>, of
// which what is beyond the size is ignored, and the size, a
// tensor<i32>, one for each bounded dimension:
//
//   1. functions that others call, calls, loops and branches take and give both;
//   2. set_dimension_size changes the size, get_dimension_size gives it: no
//      element moves, and elements come back where a size grows again;
//   3. moves and elementwise ops are made on all elements, reductions on those
//      inside, the others being what the reduction begins with;
//   4. a function without callers takes and gives tensor<?x2xf32>: an argument
//      is padded, a result cut.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/IR/Checks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// What a bounded type is taken apart into.
struct Bounded {
  RankedTensorType data;
  /// The bounded dimensions, ascending: one size each.
  SmallVector<int64_t> dims;

  /// Which of the sizes is that of a dimension.
  std::optional<size_t> find(int64_t dim) const {
    const auto *it = llvm::find(dims, dim);
    return it == dims.end() ? std::nullopt
                            : std::optional<size_t>(it - dims.begin());
  }
};
} // namespace

/// std::nullopt for a type without bounds, and for one whose bounds are not
/// numbers.
static std::optional<Bounded> readBounded(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  StringRef text = tensor ? getHloText(tensor.getEncoding()) : StringRef();
  if (text.consume_front("type_extensions<bounds = ["))
    text = text.take_until([](char c) { return c == ']'; });
  else if (text.consume_front("bounds<"))
    text = text.take_until([](char c) { return c == '>'; });
  else
    return std::nullopt;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  if (parts.size() != static_cast<size_t>(tensor.getRank()))
    return std::nullopt;
  Bounded result;
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [dim, part] : llvm::enumerate(parts)) {
    int64_t bound;
    part = part.trim();
    if (part == "?" || part == "-1")
      continue;
    if (part.getAsInteger(10, bound) || bound < 0 || bound > INT32_MAX ||
        !tensor.isDynamicDim(dim))
      return std::nullopt;
    shape[dim] = bound;
    result.dims.push_back(dim);
  }
  result.data = RankedTensorType::get(shape, tensor.getElementType());
  return result;
}

static bool isBounded(Type type) { return readBounded(type).has_value(); }

static bool hasBounded(Operation *op) {
  if (auto function = dyn_cast<func::FuncOp>(op))
    return llvm::any_of(function.getArgumentTypes(), isBounded) ||
           llvm::any_of(function.getResultTypes(), isBounded);
  return llvm::any_of(op->getOperandTypes(), isBounded) ||
         llvm::any_of(op->getResultTypes(), isBounded) ||
         llvm::any_of(op->getRegions(), [](Region &region) {
           return llvm::any_of(region, [](Block &block) {
             return llvm::any_of(block.getArgumentTypes(), isBounded);
           });
         });
}

static bool isBoundedElementwise(Operation *op) {
  const HloTraits *traits = getHloTraits(op);
  return traits && traits->kind == HloTraits::Kind::Elementwise &&
         traits->arity > 0;
}

/// Where dimension `dim` of an op's result comes from: an operand and a dimension
/// of it. std::nullopt if it is made by the op.
static std::optional<std::pair<unsigned, int64_t>>
getSource(Operation *op, ArrayRef<int64_t> dims, int64_t dim) {
  StringRef name = getHloName(op);
  if (isBoundedElementwise(op)) {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (auto bounded = readBounded(operand.getType());
          bounded && bounded->find(dim))
        return std::pair(static_cast<unsigned>(i), dim);
    return std::nullopt;
  }
  if (name == "broadcast_in_dim") {
    const auto *it = llvm::find(dims, dim);
    if (it == dims.end())
      return std::nullopt;
    return std::pair(0u, static_cast<int64_t>(it - dims.begin()));
  }
  return std::pair(0u, dims[dim]);
}

/// The dimension of the operand that each dimension of the result is, or for
/// broadcast_in_dim the other way round; what is reduced in `reduced`.
static std::optional<SmallVector<int64_t>>
readDims(Operation *op, SmallVectorImpl<int64_t> &reduced, std::string &why) {
  StringRef name = getHloName(op);
  if (isBoundedElementwise(op))
    return SmallVector<int64_t>();
  if (name == "transpose" || name == "broadcast_in_dim") {
    // The readers do not know bounds.
    auto dims = getHloIntegers(op->getAttr(
        name == "transpose" ? "permutation" : "broadcast_dimensions"));
    auto from = cast<RankedTensorType>(op->getOperand(0).getType());
    auto to = cast<RankedTensorType>(op->getResult(0).getType());
    if (dims && dims->size() == static_cast<size_t>(from.getRank()) &&
        areDims(*dims, to.getRank()))
      return dims;
    why = "its dimensions don't fit its operand";
    return std::nullopt;
  }
  auto dims = getHloIntegers(op->getAttr("dimensions"));
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  if (!dims || !areDims(*dims, from.getRank())) {
    why = "its dimensions don't fit its operand";
    return std::nullopt;
  }
  reduced.assign(dims->begin(), dims->end());
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (!llvm::is_contained(reduced, dim))
      kept.push_back(dim);
  return kept;
}

/// Whether a reduction's initial value changes nothing, so that it may stand in
/// for what is not there.
static bool isNeutral(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() != 2 ||
      op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return false;
  Block &body = op->getRegion(0).front();
  Operation *init = op->getOperand(1).getDefiningOp();
  auto value = init && isHlo(init, "constant")
                   ? init->getAttrOfType<DenseElementsAttr>("value")
                   : DenseElementsAttr();
  if (!value || !value.isSplat() || body.getOperations().size() != 2 ||
      body.back().getNumOperands() != 1 ||
      body.back().getOperand(0).getDefiningOp() != &body.front())
    return false;
  StringRef name = getHloName(&body.front());
  if (isa<FloatType>(value.getElementType())) {
    APFloat number = value.getSplatValue<APFloat>();
    return llvm::StringSwitch<bool>(name)
        .Case("add", number.isZero())
        .Case("multiply", number.isExactlyValue(1))
        .Case("maximum", number.isInfinity() && number.isNegative())
        .Case("minimum", number.isInfinity() && !number.isNegative())
        .Default(false);
  }
  if (!isa<IntegerType>(value.getElementType()))
    return false;
  APInt number = value.getSplatValue<APInt>();
  const bool isUnsigned = value.getElementType().isUnsignedInteger() ||
                          value.getElementType().isInteger(1);
  return llvm::StringSwitch<bool>(name)
      .Cases({"add", "or", "xor"}, number.isZero())
      .Case("multiply", number.isOne())
      .Case("and", number.isAllOnes())
      .Case("maximum", isUnsigned ? number.isZero() : number.isMinSignedValue())
      .Case("minimum",
            isUnsigned ? number.isAllOnes() : number.isMaxSignedValue())
      .Default(false);
}

/// Elements before a dimension, times those after it.
static std::pair<int64_t, int64_t> splitAt(ArrayRef<int64_t> shape,
                                           int64_t dim) {
  auto count = [](ArrayRef<int64_t> sizes) {
    int64_t product = 1;
    for (int64_t size : sizes)
      product *= size;
    return product;
  };
  return {count(shape.take_front(dim)), count(shape.drop_front(dim + 1))};
}

/// Whether a reshape keeps its bounded dimension as it is.
static bool keepsBounded(Operation *op) {
  auto from = readBounded(op->getOperand(0).getType());
  auto to = readBounded(op->getResult(0).getType());
  return from && to && from->data.hasStaticShape() &&
         to->data.hasStaticShape() && from->dims.size() == 1 &&
         to->dims.size() == 1 &&
         from->data.getDimSize(from->dims[0]) ==
             to->data.getDimSize(to->dims[0]) &&
         splitAt(from->data.getShape(), from->dims[0]) ==
             splitAt(to->data.getShape(), to->dims[0]);
}

/// Whether what a loop or a branch takes and gives has one type throughout.
static bool hasOneType(Operation *op) {
  const bool isLoop = getHloName(op) == "while";
  TypeRange types = op->getResultTypes();
  if ((isLoop || op->getNumRegions() == 0) && op->getOperandTypes() != types)
    return false;
  for (auto [i, region] : llvm::enumerate(op->getRegions())) {
    if (!region.hasOneBlock() || region.front().empty())
      return false;
    if (isLoop && TypeRange(region.getArgumentTypes()) != types)
      return false;
    // A loop's first region gives its condition.
    if (!(isLoop && i == 0) && region.front().back().getOperandTypes() != types)
      return false;
  }
  return true;
}

/// Why an op has no form without bounds; empty if it has one.
static std::string findFault(Operation *op) {
  if (isa<func::FuncOp, func::CallOp, func::ReturnOp>(op))
    return "";
  if (!isHlo(op))
    return "it is not an op of StableHLO";
  StringRef name = getHloName(op);
  if (name == "return")
    return "";
  if (llvm::is_contained({"case", "if", "optimization_barrier", "while"}, name))
    return hasOneType(op)
               ? ""
               : "what it takes and gives must have the same bounds throughout";
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (op->getNumOperands() == 0 || op->getNumResults() == 0 ||
      !llvm::all_of(op->getOperandTypes(), isTensor) ||
      !llvm::all_of(op->getResultTypes(), isTensor))
    return "it must be of tensors";
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  if (name == "get_dimension_size" || name == "set_dimension_size") {
    auto dim = op->getAttrOfType<IntegerAttr>("dimension");
    const bool isSetter = name == "set_dimension_size";
    auto scalar =
        RankedTensorType::get({}, IntegerType::get(op->getContext(), 32));
    if (!dim || dim.getInt() < 0 || dim.getInt() >= from.getRank() ||
        op->getNumResults() != 1 ||
        op->getNumOperands() != (isSetter ? 2u : 1u) ||
        (isSetter ? op->getOperand(1).getType() : op->getResult(0).getType()) !=
            scalar)
      return "it must name a dimension of its operand, whose size is an i32";
    if (!isSetter)
      return "";
    auto bounded = readBounded(op->getResult(0).getType());
    auto before = readBounded(from);
    RankedTensorType data = before ? before->data : from;
    if (!bounded || bounded->data != data)
      return "its result must have the sizes of its operand as bounds";
    return "";
  }
  if (name == "reshape")
    return keepsBounded(op) ? ""
                            : "it must keep its only bounded dimension between "
                              "as many elements as before";
  if (!isBoundedElementwise(op) &&
      !llvm::is_contained({"broadcast_in_dim", "reduce", "transpose"}, name))
    return "it is not supported on bounded sizes; give it static "
           "ones, by a set_dimension_size to the bound or before";
  std::string why;
  SmallVector<int64_t> reduced;
  auto dims = readDims(op, reduced, why);
  if (!dims)
    return why;
  for (Type type : op->getResultTypes()) {
    auto to = cast<RankedTensorType>(type);
    auto bounded = readBounded(type);
    for (int64_t dim = 0; dim < to.getRank(); ++dim) {
      if (!isBoundedElementwise(op) && name != "broadcast_in_dim" &&
          dims->size() != static_cast<size_t>(to.getRank()))
        return "its dimensions don't fit its result";
      auto source = getSource(op, *dims, dim);
      std::optional<Bounded> given;
      if (source)
        given = readBounded(op->getOperand(source->first).getType());
      const bool isGiven = given && given->find(source->second);
      const bool isMade = bounded && bounded->find(dim);
      if (isGiven != isMade && !(isMade && name == "broadcast_in_dim"))
        return llvm::formatv("dimension {0} of its result must be bounded "
                             "where that of its operand is",
                             dim)
            .str();
      if (isGiven && given->data.getDimSize(source->second) !=
                         bounded->data.getDimSize(dim))
        return llvm::formatv("dimension {0} of its result must have the bound "
                             "of its operand's",
                             dim)
            .str();
    }
  }
  auto bounded = readBounded(from);
  if (bounded && llvm::any_of(reduced, [&](int64_t dim) {
        return bounded->find(dim).has_value();
      })) {
    if (!bounded->data.hasStaticShape())
      return "its other sizes are not static";
    if (!isNeutral(op))
      return "it reduces a bounded dimension, and its initial value is not one "
             "that changes nothing";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The elements inside of the sizes; the scalar elsewhere.
static Value maskOutside(HloBuilder &h, const Bounded &type, ValueRange value,
                         ArrayRef<int64_t> dims, Value element) {
  Value data = value[0];
  ArrayRef<int64_t> shape = type.data.getShape();
  Value others = h.broadcast(element, shape, {});
  for (auto [dim, size] : llvm::zip_equal(type.dims, value.drop_front())) {
    if (!llvm::is_contained(dims, dim))
      continue;
    Value places = h.iota(RankedTensorType::get(shape, h.b.getI32Type()), dim);
    Value inside = h.compare("LT", places, h.broadcast(size, shape, {}));
    data = h.select(inside, data, others);
  }
  return data;
}

static Value makeSize(HloBuilder &h, int64_t size) {
  return h.integer(RankedTensorType::get({}, h.b.getI32Type()), size);
}

/// An error at run time unless a size is in [0, bound].
static void assertFits(ImplicitLocOpBuilder &b, Value size, int64_t dim,
                       int64_t bound) {
  Value number = tensor::ExtractOp::create(b, size, ValueRange());
  Value last =
      arith::ConstantOp::create(b, b.getI32IntegerAttr(bound)).getResult();
  // A negative number is a large one.
  Value fits =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ule, number, last);
  AssertOp::create(b, fits,
                   llvm::formatv("stablehlo.set_dimension_size: size {{0} of "
                                 "dimension {0} must be in [0, {1}]",
                                 dim, bound)
                       .str(),
                   number);
}

namespace {
/// An op of what bounded values are taken apart into.
struct TakeApart : ConversionPattern {
  TakeApart(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 0, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isHlo(op))
      return failure();
    StringRef name = getHloName(op);
    if (llvm::is_contained(
            {"case", "if", "optimization_barrier", "return", "while"}, name))
      return convertTypesOf(op, operands, *getTypeConverter(), rewriter);
    ImplicitLocOpBuilder b(locateInPlaceOf(op), rewriter);
    HloBuilder h(b);
    if (name == "get_dimension_size" || name == "set_dimension_size") {
      const int64_t dim = op->getAttrOfType<IntegerAttr>("dimension").getInt();
      auto from = readBounded(op->getOperand(0).getType());
      if (name == "get_dimension_size") {
        auto place = from->find(dim);
        if (place) {
          rewriter.replaceOp(op, operands[0][1 + *place]);
          return success();
        }
        rewriter.replaceOp(op, h.one(op->getName().getStringRef(),
                                     op->getResult(0).getType(), operands[0][0],
                                     getAllAttributes(op)));
        return success();
      }
      Bounded to = *readBounded(op->getResult(0).getType());
      SmallVector<Value> values = {operands[0][0]};
      for (int64_t each : to.dims) {
        auto place = from ? from->find(each) : std::nullopt;
        values.push_back(each == dim ? operands[1][0]
                         : place     ? operands[0][1 + *place]
                                     : makeSize(h, to.data.getDimSize(each)));
      }
      assertFits(b, operands[1][0], dim, to.data.getDimSize(dim));
      rewriter.replaceOpWithMultiple(op, {values});
      return success();
    }
    return makeOnData(h, op, operands, rewriter);
  }

private:
  /// The op on all elements, and the sizes that its results have.
  static LogicalResult makeOnData(HloBuilder &h, Operation *op,
                                  ArrayRef<ValueRange> operands,
                                  ConversionPatternRewriter &rewriter) {
    std::string why;
    SmallVector<int64_t> reduced, dims;
    if (getHloName(op) != "reshape")
      dims = *readDims(op, reduced, why);
    SmallVector<Value> data;
    for (auto [i, values] : llvm::enumerate(operands)) {
      data.push_back(values[0]);
      auto bounded = readBounded(op->getOperand(i).getType());
      if (bounded && !reduced.empty() && i < op->getNumResults())
        data.back() = maskOutside(h, *bounded, values, reduced,
                                  operands[op->getNumResults() + i][0]);
    }
    SmallVector<Type> types;
    for (Type type : op->getResultTypes()) {
      auto bounded = readBounded(type);
      types.push_back(bounded ? Type(bounded->data) : type);
    }
    OperationState state(op->getLoc(), op->getName(), data, types,
                         getAllAttributes(op));
    for (Region &region : op->getRegions()) {
      Region *copy = state.addRegion();
      rewriter.inlineRegionBefore(region, *copy, copy->end());
    }
    Operation *made = h.b.create(state);
    SmallVector<SmallVector<Value>> results;
    for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
      SmallVector<Value> &values = results.emplace_back();
      values.push_back(made->getResult(i));
      auto bounded = readBounded(type);
      if (!bounded)
        continue;
      for (int64_t dim : bounded->dims) {
        if (getHloName(op) == "reshape") {
          values.push_back(operands[0][1]);
          continue;
        }
        auto source = getSource(op, dims, dim);
        std::optional<size_t> place;
        if (source)
          if (auto given = readBounded(op->getOperand(source->first).getType()))
            place = given->find(source->second);
        values.push_back(place ? operands[source->first][1 + *place]
                               : makeSize(h, bounded->data.getDimSize(dim)));
      }
    }
    rewriter.replaceOpWithMultiple(op, results);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The elements of a tensor of any size up to the bounds, and its sizes.
static SmallVector<Value> pad(HloBuilder &h, Value given, const Bounded &type,
                              unsigned number) {
  SmallVector<Value> values(1), high;
  auto i32 = RankedTensorType::get({}, h.b.getI32Type());
  for (int64_t dim = 0; dim < type.data.getRank(); ++dim) {
    Value room = makeSize(h, 0);
    if (type.find(dim)) {
      Value size = h.one("stablehlo.get_dimension_size", i32, given,
                         h.attribute("dimension", h.b.getI64IntegerAttr(dim)));
      Value bound = makeSize(h, type.data.getDimSize(dim));
      h.create("stablehlo.custom_call", {},
               {h.compare("LE", size, bound), size, bound},
               {h.attribute("call_target_name",
                            h.b.getStringAttr("shape_assertion")),
                h.attribute("error_message",
                            h.b.getStringAttr(llvm::formatv(
                                "argument {0} has size {{0} in dimension {1}, "
                                "more than its bound {{1}",
                                number, dim)))});
      values.push_back(size);
      room = h.sub(bound, size);
    }
    high.push_back(h.reshape(room, {1}));
  }
  Value zeros = h.broadcast(makeSize(h, 0), {type.data.getRank()}, {});
  auto scalar = RankedTensorType::get({}, type.data.getElementType());
  Attribute zero = h.b.getZeroAttr(scalar.getElementType());
  Value element = zero ? h.constant(DenseElementsAttr::get(scalar, zero))
                       : h.constant(scalar, 0);
  values[0] = h.one("stablehlo.dynamic_pad", type.data,
                    {given, element, zeros, h.concatenate(high, 0), zeros});
  return values;
}

/// The elements inside of the sizes.
static Value cut(HloBuilder &h, ValueRange values, const Bounded &type) {
  Value result = values[0];
  for (auto [dim, size] : llvm::zip_equal(type.dims, values.drop_front())) {
    SmallVector<int64_t> shape(getTensorType(result).getShape());
    shape[dim] = ShapedType::kDynamic;
    result = h.one("stablehlo.set_dimension_size",
                   getTensorType(result).clone(shape), {result, size},
                   h.attribute("dimension", h.b.getI64IntegerAttr(dim)));
  }
  return result;
}

/// Lets a function take and give tensors of any sizes in place of what bounded
/// ones were taken apart into.
static void openFunction(func::FuncOp function, TypeRange arguments,
                         TypeRange results) {
  Block &body = function.getBody().front();
  ImplicitLocOpBuilder b(function.getLoc(), function);
  HloBuilder h(b);
  b.setInsertionPointToStart(&body);
  for (auto [i, type] : llvm::enumerate(arguments)) {
    auto bounded = readBounded(type);
    if (!bounded)
      continue;
    const unsigned count = 1 + bounded->dims.size();
    Value given =
        body.insertArgument(static_cast<unsigned>(i),
                            getTypeWithoutBounds(type), function.getLoc());
    for (auto [k, value] : llvm::enumerate(pad(h, given, *bounded, i)))
      body.getArgument(i + 1 + k).replaceAllUsesWith(value);
    body.eraseArguments(i + 1, count);
  }
  Operation *last = body.getTerminator();
  b.setInsertionPoint(last);
  SmallVector<Value> given;
  ValueRange rest = last->getOperands();
  for (Type type : results) {
    auto bounded = readBounded(type);
    const size_t count = 1 + (bounded ? bounded->dims.size() : 0);
    given.push_back(bounded ? cut(h, rest.take_front(count), *bounded)
                            : rest.front());
    rest = rest.drop_front(count);
  }
  last->setOperands(given);
  function.setFunctionType(
      b.getFunctionType(body.getArgumentTypes(), last->getOperandTypes()));
}

Type tensoraccess::getTypeWithoutBounds(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return isBounded(type)
             ? RankedTensorType::get(tensor.getShape(), tensor.getElementType())
             : type;
}

bool tensoraccess::hasBoundedTypes(ModuleOp module) {
  WalkResult found = module.walk([](Operation *op) {
    return hasBounded(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

LogicalResult tensoraccess::expandBoundedTypes(ModuleOp module,
                                               StringRef entry) {
  if (!hasBoundedTypes(module))
    return success();
  const llvm::SetVector<Operation *> reached = getReached(module, entry);
  auto hasBounded = [&](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      function = op->getParentOfType<func::FuncOp>();
    return function && (reached.empty() || reached.contains(function)) &&
           ::hasBounded(op);
  };
  WalkResult checked = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::string fault = hasBounded(op) ? findFault(op) : "";
    if (fault.empty())
      return WalkResult::advance();
    op->emitError() << "'" << getOriginalName(op)
                    << "' cannot be run: " << fault;
    return WalkResult::interrupt();
  });
  if (checked.wasInterrupted())
    return failure();

  // Functions that are not called keep their arguments and results.
  llvm::StringSet<> called;
  module.walk([&](func::CallOp call) { called.insert(call.getCallee()); });
  SmallVector<std::pair<func::FuncOp, FunctionType>> open;
  module.walk([&](func::FuncOp function) {
    if (hasBounded(function) && function.getBody().hasOneBlock() &&
        !called.contains(function.getName()))
      open.push_back({function, function.getFunctionType()});
  });
  MLIRContext *context = module.getContext();
  TypeConverter converter;
  converter.addConversion([](Type type, SmallVectorImpl<Type> &into)
                              -> std::optional<LogicalResult> {
    auto bounded = readBounded(type);
    into.push_back(bounded ? Type(bounded->data) : type);
    if (bounded)
      into.append(
          bounded->dims.size(),
          RankedTensorType::get({}, IntegerType::get(type.getContext(), 32)));
    return success();
  });
  RewritePatternSet patterns(context);
  patterns.add<TakeApart>(converter, context);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                 converter);
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return !hasBounded(op); });
  if (failed(applyPartialConversion(module, target, std::move(patterns))))
    return failure();
  for (auto [function, type] : open)
    openFunction(function, type.getInputs(), type.getResults());
  return success();
}
