//===- RefineShapes.cpp - Sizes of a StableHLO program become static ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk through the function, from its arguments on; of each op:
//
// 1. integers of integers that are known, and sizes, are computed, by the
//    interpreter: they become constants. So are calls of functions on them;
// 2. other calls of functions whose types change are the callee's body, which
//    is walked next;
// 3. what takes sizes as operands becomes the op that has them as attributes;
// 4. the sizes of results follow (RefineTypes.cpp), those of a loop's state from
//    where it begins. State that the loop hands on is known within;
// 5. ops whose results are no longer used are erased.
//
//===----------------------------------------------------------------------===//

#include "StablehloToLinalg.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_REFINESHAPES
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The most numbers that are followed, and ops that calls become.
static constexpr int64_t kMaxKnown = 256, kMaxInlined = int64_t(1) << 20;

/// A few integers, as shapes are.
static bool isFewIntegers(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getRank() <= 2 &&
         isa<IntegerType>(tensor.getElementType()) &&
         tensor.getNumElements() <= kMaxKnown &&
         getElementTypeOf(tensor.getElementType());
}

static std::optional<Tensor> getKnown(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isFewIntegers(value.getType()) ||
      !(isHlo(op, "constant") || isa<arith::ConstantOp>(op)))
    return std::nullopt;
  auto attribute = op->getAttrOfType<DenseIntElementsAttr>("value");
  if (!attribute || attribute.getType() != value.getType())
    return std::nullopt;
  llvm::Expected<Tensor> tensor = tensorFromAttribute(attribute);
  if (tensor)
    return *tensor;
  llvm::consumeError(tensor.takeError());
  return std::nullopt;
}

/// Numbers as sizes and places have them: their sums don't overflow.
static std::optional<SmallVector<int64_t>> getKnownNumbers(Value value) {
  if (!getKnown(value))
    return std::nullopt;
  auto numbers = getHloIntegers(value.getDefiningOp()->getAttr("value"));
  if (!numbers || llvm::any_of(*numbers, [](int64_t number) {
        return number > INT32_MAX || number < INT32_MIN;
      }))
    return std::nullopt;
  return numbers;
}

namespace {
class Refiner {
public:
  explicit Refiner(ModuleOp module) : module(module), b(module.getContext()) {}

  LogicalResult run(func::FuncOp function);

private:
  ModuleOp module;
  OpBuilder b;
  SymbolTableCollection symbols;
  int64_t left = kMaxInlined;

  LogicalResult refine(Block &block);
  /// What takes the op's place, first of all; the op itself where it stays; null
  /// where it goes.
  FailureOr<Operation *> refine(Operation *op);
  LogicalResult refineRegions(Operation *op);
  LogicalResult refineLoop(Operation *op);

  bool evaluate(Operation *op, func::FuncOp callee);
  FailureOr<Operation *> inlineCall(Operation *op, func::FuncOp callee);
  FailureOr<Operation *> refineCustomCall(Operation *op, StringRef target);
  Operation *replace(Operation *op, StringRef name, ValueRange operands,
                     ArrayRef<NamedAttribute> more,
                     ArrayRef<StringRef> dropped = {}, TypeRange types = {});
  Operation *makeStatic(Operation *op, StringRef name);
  Operation *makeDynamicSlice(Operation *op);
  Operation *makePrefix(Operation *op, ArrayRef<int64_t> size);
  void replaceByConstants(Operation *op, ArrayRef<Tensor> values);
  NamedAttribute integers(StringRef name, ArrayRef<int64_t> values) {
    return b.getNamedAttr(name, b.getDenseI64ArrayAttr(values));
  }
  /// Two numbers for each dimension.
  Attribute makePadding(ArrayRef<int64_t> numbers) {
    const int64_t dims = numbers.size() / 2;
    return DenseIntElementsAttr::get(
        RankedTensorType::get({dims, 2}, b.getI64Type()), numbers);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

void Refiner::replaceByConstants(Operation *op, ArrayRef<Tensor> values) {
  b.setInsertionPoint(op);
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    OperationState state(op->getLoc(), "stablehlo.constant");
    state.addTypes(result.getType());
    state.addAttribute(
        "value", denseElementsFrom(value, cast<ShapedType>(result.getType())));
    result.replaceAllUsesWith(b.create(state)->getResult(0));
  }
  op->erase();
}

/// Step 1: false where the op stays. `callee` is what a call names.
bool Refiner::evaluate(Operation *op, func::FuncOp callee) {
  // An iota of rank 2 is not a shape.
  if (op->getNumResults() == 0 || !llvm::all_of(op->getOperands(), getKnown) ||
      !llvm::all_of(op->getResultTypes(), isFewIntegers) ||
      (op->getNumOperands() == 0 &&
       cast<ShapedType>(op->getResult(0).getType()).getRank() > 1))
    return false;
  SmallVector<Tensor> operands;
  for (Value operand : op->getOperands())
    operands.push_back(*getKnown(operand));
  CapturedErrors captured(op->getContext());
  OwningOpRef<func::FuncOp> own;
  if (!callee) {
    own = func::FuncOp::create(
        op->getLoc(), "refined",
        b.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
    OpBuilder inside = OpBuilder::atBlockBegin(own->addEntryBlock());
    IRMapping mapping;
    mapping.map(op->getOperands(), own->getArguments());
    Operation *copy = inside.clone(*op, mapping);
    func::ReturnOp::create(inside, op->getLoc(), copy->getResults());
    callee = *own;
  } else if (TypeRange(callee.getArgumentTypes()) != op->getOperandTypes() ||
             TypeRange(callee.getResultTypes()) != op->getResultTypes()) {
    return false;
  }
  InterpreterOptions options;
  options.maxOperations = 1 << 20;
  FailureOr<SmallVector<Tensor>> results = interpret(callee, operands, options);
  if (failed(results))
    return false;
  replaceByConstants(op, *results);
  return true;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Another op on some operands, with the old one's attributes and regions.
Operation *Refiner::replace(Operation *op, StringRef name, ValueRange operands,
                            ArrayRef<NamedAttribute> more,
                            ArrayRef<StringRef> dropped, TypeRange types) {
  b.setInsertionPoint(op);
  OperationState state(locateInPlaceOf(op), name);
  state.addOperands(operands);
  state.addTypes(types.empty() ? TypeRange(op->getResultTypes()) : types);
  for (NamedAttribute named : getAllAttributes(op))
    if (!llvm::is_contained(dropped, named.getName().getValue()))
      state.addAttribute(named.getName(), named.getValue());
  for (NamedAttribute named : more)
    state.attributes.set(named.getName(), named.getValue());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *made = b.create(state);
  op->replaceAllUsesWith(made);
  op->erase();
  return made;
}

/// The result's type with these sizes, where they are as its type allows; else
/// the type itself.
static Type withSizes(Type type, ArrayRef<int64_t> sizes) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && agree(sizes, tensor.getShape()) &&
                 llvm::all_of(sizes, [](int64_t size) { return size >= 0; })
             ? tensor.clone(sizes)
             : type;
}

/// Step 3 for one of StableHLO's own; null where an operand is not known.
Operation *Refiner::makeStatic(Operation *op, StringRef name) {
  const unsigned count = op->getNumOperands();
  auto known = [&](unsigned i) {
    return i < count ? getKnownNumbers(op->getOperand(i)) : std::nullopt;
  };
  auto take = [&](unsigned n) { return op->getOperands().take_front(n); };
  if (op->getNumResults() != 1)
    return nullptr;
  // Sizes that are in the type need not be known.
  const bool isTyped = isStatic(op->getResult(0).getType());
  auto sized = [&](unsigned i) -> SmallVector<Type, 1> {
    Type type = op->getResult(0).getType();
    return {isTyped ? type : withSizes(type, *known(i))};
  };
  if (name == "dynamic_iota" && count == 1 && (isTyped || known(0)))
    return replace(op, "stablehlo.iota", {}, {}, {}, sized(0));
  if (name == "dynamic_reshape" && count == 2 && (isTyped || known(1)))
    return replace(op, "stablehlo.reshape", take(1), {}, {}, sized(1));
  if (name == "dynamic_broadcast_in_dim" && count == 2 && (isTyped || known(1)))
    return replace(
        op, "stablehlo.broadcast_in_dim", take(1), {},
        {"known_expanding_dimensions", "known_nonexpanding_dimensions"},
        sized(1));
  if (name == "dynamic_gather" && count == 3 && known(2))
    return replace(op, "stablehlo.gather", take(2),
                   integers("slice_sizes", *known(2)));
  if (name == "real_dynamic_slice" && count == 4 && known(1) && known(2) &&
      known(3)) {
    SmallVector<int64_t> sizes;
    for (auto [start, limit, step] : llvm::zip(*known(1), *known(2), *known(3)))
      sizes.push_back(
          step < 1 || limit < start ? 0 : (limit - start + step - 1) / step);
    return replace(
        op, "stablehlo.slice", take(1),
        {integers("start_indices", *known(1)),
         integers("limit_indices", *known(2)), integers("strides", *known(3))},
        {}, SmallVector<Type, 1>{withSizes(op->getResult(0).getType(), sizes)});
  }
  if (name == "real_dynamic_slice" && count == 4 && known(3) &&
      llvm::all_equal(*known(3)) && !known(3)->empty() && (*known(3))[0] == 1)
    return makeDynamicSlice(op);
  if (name == "dynamic_pad" && count == 5 && known(2) && known(3) && known(4))
    return replace(op, "stablehlo.pad", take(2),
                   {integers("edge_padding_low", *known(2)),
                    integers("edge_padding_high", *known(3)),
                    integers("interior_padding", *known(4))});
  if (name == "set_dimension_size" && count == 2 && known(1))
    return makePrefix(op, *known(1));
  if (name == "dynamic_conv" && count == 3 && known(2))
    return replace(op, "stablehlo.convolution", take(2),
                   b.getNamedAttr("padding", makePadding(*known(2))));
  return nullptr;
}

/// As many elements of a dimension as `set_dimension_size` leaves it, the first.
Operation *Refiner::makePrefix(Operation *op, ArrayRef<int64_t> size) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto dim = op->getAttrOfType<IntegerAttr>("dimension");
  if (!type || !type.hasStaticShape() || !dim || dim.getInt() < 0 ||
      dim.getInt() >= type.getRank() || size.size() != 1 || size[0] < 0 ||
      size[0] > type.getDimSize(dim.getInt()))
    return nullptr;
  SmallVector<int64_t> limits(type.getShape());
  limits[dim.getInt()] = size[0];
  Type sized = withSizes(op->getResult(0).getType(), limits);
  if (!isStatic(sized))
    return nullptr;
  SmallVector<int64_t> starts(limits.size(), 0), steps(limits.size(), 1);
  return replace(op, "stablehlo.slice", op->getOperands().take_front(1),
                 {integers("start_indices", starts),
                  integers("limit_indices", limits),
                  integers("strides", steps)},
                 {"dimension"}, sized);
}

/// A slice of known sizes that begins anywhere: its limits are its starts and
/// numbers that are known.
Operation *Refiner::makeDynamicSlice(Operation *op) {
  Value starts = op->getOperand(1);
  Operation *limits = op->getOperand(2).getDefiningOp();
  if (!limits || !isHlo(limits, "add") || limits->getNumOperands() != 2)
    return nullptr;
  const unsigned other = limits->getOperand(0) == starts ? 1 : 0;
  auto sizes = getKnownNumbers(limits->getOperand(other));
  auto type = dyn_cast<RankedTensorType>(starts.getType());
  if (!sizes || limits->getOperand(1 - other) != starts || !type)
    return nullptr;
  b.setInsertionPoint(op);
  auto make = [&](StringRef name, Type type, Value operand,
                  ArrayRef<NamedAttribute> attributes) {
    OperationState state(locateInPlaceOf(op), name, operand, type, attributes);
    return b.create(state)->getResult(0);
  };
  SmallVector<Value> operands = {op->getOperand(0)};
  for (int64_t d = 0; d < int64_t(sizes->size()); ++d) {
    Value start =
        make("stablehlo.slice", type.clone(ArrayRef<int64_t>(1)), starts,
             {integers("start_indices", d), integers("limit_indices", d + 1),
              integers("strides", 1)});
    operands.push_back(
        make("stablehlo.reshape", type.clone(ArrayRef<int64_t>()), start, {}));
  }
  return replace(
      op, "stablehlo.dynamic_slice", operands, integers("slice_sizes", *sizes),
      {}, SmallVector<Type, 1>{withSizes(op->getResult(0).getType(), *sizes)});
}

/// An assertion of JAX's, and what it writes as a call for want of an op.
FailureOr<Operation *> Refiner::refineCustomCall(Operation *op,
                                                 StringRef target) {
  const unsigned count = op->getNumOperands();
  if (target == "shape_assertion") {
    auto holds = count ? getKnownNumbers(op->getOperand(0)) : std::nullopt;
    if (!holds || holds->size() != 1)
      return op->emitError(
          "what it asserts does not follow from the sizes of arguments");
    if ((*holds)[0] == 0) {
      SmallVector<int64_t> values;
      for (Value operand : op->getOperands().drop_front()) {
        auto number = getKnownNumbers(operand);
        values.push_back(number && number->size() == 1 ? number->front() : -1);
      }
      auto text = op->getAttrOfType<StringAttr>("error_message");
      return op->emitError(text ? formatMessage(text.getValue(), values)
                                : "the assertion of a shape fails");
    }
    op->erase();
    return nullptr;
  }
  auto shapes = op->getAttr("indices_of_shape_operands");
  if (auto places = shapes ? getHloIntegers(shapes) : std::nullopt) {
    // The sizes of results are the last operands.
    if (places->size() != op->getNumResults() || places->size() > count ||
        (!places->empty() &&
         places->front() != int64_t(count - places->size())))
      return op->emitError(
          "'indices_of_shape_operands' must number the last operands, one for "
          "each result");
    SmallVector<Type> types;
    for (auto [place, type] : llvm::zip(*places, op->getResultTypes())) {
      auto sizes =
          place >= 0 && place < count
              ? getKnownNumbers(op->getOperand(static_cast<unsigned>(place)))
              : std::nullopt;
      if (!sizes)
        return op;
      types.push_back(withSizes(type, *sizes));
    }
    const size_t kept = count - places->size();
    SmallVector<NamedAttribute> fewer;
    if (auto layouts = op->getAttrOfType<ArrayAttr>("operand_layouts");
        layouts && layouts.size() == count)
      fewer.push_back(
          b.getNamedAttr("operand_layouts",
                         b.getArrayAttr(layouts.getValue().take_front(kept))));
    return replace(op, op->getName().getStringRef(),
                   op->getOperands().take_front(kept), fewer,
                   {"indices_of_shape_operands", "operand_layouts"}, types);
  }
  if (target == "stablehlo.dynamic_reduce_window") {
    // Inputs, as many initial values, then five lists.
    const unsigned n = op->getNumResults();
    auto called = op->getAttrOfType<ArrayAttr>("called_computations");
    auto symbol = called && called.size() == 1
                      ? dyn_cast<SymbolRefAttr>(called[0])
                      : SymbolRefAttr();
    auto body = symbol
                    ? symbols.lookupNearestSymbolFrom<func::FuncOp>(op, symbol)
                    : func::FuncOp();
    if (count != 2 * n + 5 || !body || !body.getBody().hasOneBlock())
      return op;
    SmallVector<NamedAttribute> attributes;
    const StringRef names[] = {"window_dimensions", "window_strides",
                               "base_dilations", "window_dilations", "padding"};
    for (auto [i, name] : llvm::enumerate(names)) {
      auto numbers = getKnownNumbers(op->getOperand(2 * n + i));
      if (!numbers)
        return op;
      Attribute list = b.getDenseI64ArrayAttr(*numbers);
      if (name == "padding")
        list = makePadding(*numbers);
      attributes.push_back(b.getNamedAttr(name, list));
    }
    b.setInsertionPoint(op);
    OperationState state(locateInPlaceOf(op), "stablehlo.reduce_window");
    state.addOperands(op->getOperands().take_front(2 * n));
    state.addTypes(op->getResultTypes());
    state.addAttributes(attributes);
    addHloBody(state, body.getBody());
    Operation *made = b.create(state);
    op->replaceAllUsesWith(made);
    op->erase();
    return made;
  }
  if (target == "stablehlo.dynamic_top_k" && count == 2)
    if (auto k = getKnownNumbers(op->getOperand(1)); k && k->size() == 1)
      return replace(op, "chlo.top_k", op->getOperands().take_front(1),
                     b.getNamedAttr("k", b.getI64IntegerAttr(k->front())),
                     {"call_target_name", "api_version"});
  if (target == "stablehlo.dynamic_rng_bit_generator" && count == 2 &&
      op->getNumResults() == 2)
    if (auto sizes = getKnownNumbers(op->getOperand(1)))
      return replace(op, "stablehlo.rng_bit_generator",
                     op->getOperands().take_front(1), {},
                     {"call_target_name", "api_version"},
                     {op->getResult(0).getType(),
                      withSizes(op->getResult(1).getType(), *sizes)});
  return op;
}

/// Step 2.
FailureOr<Operation *> Refiner::inlineCall(Operation *op, func::FuncOp callee) {
  Block &body = callee.getBody().front();
  if (body.getNumArguments() != op->getNumOperands() || body.empty() ||
      !isa<func::ReturnOp>(body.back()) ||
      body.back().getNumOperands() != op->getNumResults())
    return op->emitError("does not fit @") << callee.getName();
  b.setInsertionPoint(op);
  IRMapping mapping;
  mapping.map(body.getArguments(), op->getOperands());
  Operation *first = nullptr;
  for (Operation &inner : body.without_terminator()) {
    Operation *copy = b.clone(inner, mapping);
    copy->walk([&](Operation *) { --left; });
    if (!first)
      first = copy;
  }
  if (left < 0)
    return op->emitError("calls become more than ") << kMaxInlined << " ops";
  if (!first)
    first = op->getNextNode();
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), body.back().getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  op->erase();
  return first;
}

LogicalResult Refiner::refineLoop(Operation *op) {
  if (op->getNumRegions() != 2 || op->getNumResults() != op->getNumOperands())
    return op->emitError(
        "must have two regions, and a result for each operand");
  for (Region &region : op->getRegions()) {
    if (!region.hasOneBlock() ||
        region.getNumArguments() != op->getNumOperands())
      return op->emitError(
          "must have regions of one block that take its state");
    for (auto [argument, operand] :
         llvm::zip_equal(region.getArguments(), op->getOperands()))
      argument.setType(operand.getType());
  }
  Block &body = op->getRegion(1).front();
  if (body.empty() || body.back().getNumOperands() != op->getNumOperands())
    return op->emitError("must have a body that ends in its state");
  for (auto [argument, result] :
       llvm::zip_equal(body.getArguments(), body.back().getOperands()))
    if (result == argument && getKnown(op->getOperand(argument.getArgNumber())))
      for (Region &region : op->getRegions())
        region.getArgument(argument.getArgNumber())
            .replaceUsesWithIf(
                op->getOperand(argument.getArgNumber()),
                [&](OpOperand &use) { return use.getOwner() != &body.back(); });
  if (failed(refineRegions(op)))
    return failure();
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Type given = operand.getType(), last = body.back().getOperand(i).getType();
    if (given != last)
      return op->emitError("its state ")
             << i << " begins as " << given << ", and the body yields " << last;
    op->getResult(i).setType(given);
  }
  return success();
}

LogicalResult Refiner::refineRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (failed(refine(block)))
        return failure();
  return success();
}

FailureOr<Operation *> Refiner::refine(Operation *op) {
  SymbolRefAttr symbol;
  if (auto call = dyn_cast<func::CallOp>(op))
    symbol = call.getCalleeAttr();
  else if (isHlo(op, "composite"))
    symbol = op->getAttrOfType<SymbolRefAttr>("decomposition");
  if (symbol) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
    if (!callee || !callee.getBody().hasOneBlock())
      return op;
    if (evaluate(op, callee))
      return nullptr;
    // A number among the operands may be a size.
    if (isStatic(callee.getArgumentTypes()) &&
        isStatic(callee.getResultTypes()) &&
        TypeRange(callee.getArgumentTypes()) == op->getOperandTypes() &&
        llvm::none_of(op->getOperands(), getKnown))
      return op;
    return inlineCall(op, callee);
  }
  if (isHloPlacement(op)) {
    op->replaceAllUsesWith(op->getOperands());
    op->erase();
    return nullptr;
  }
  if (!isHlo(op))
    return refineResultTypes(b, op);
  if (op->getNumResults() + op->getNumOperands() == 0)
    return op;
  StringRef name = getHloName(op);
  if (name == "while")
    return failed(refineLoop(op)) ? FailureOr<Operation *>(failure()) : op;
  if (name == "if" || name == "case") {
    if (failed(refineRegions(op)))
      return failure();
    for (Region &region : op->getRegions()) {
      if (!region.hasOneBlock() || region.front().empty() ||
          region.front().back().getNumOperands() != op->getNumResults())
        return op->emitError("must have branches that end in its results");
      for (auto [result, value] : llvm::zip_equal(
               op->getResults(), region.front().back().getOperands())) {
        if (&region != &op->getRegion(0) && result.getType() != value.getType())
          return op->emitError("has a branch with a result of ")
                 << value.getType() << " and one of " << result.getType();
        result.setType(value.getType());
      }
    }
    return op;
  }
  if (name == "custom_call") {
    auto target = op->getAttrOfType<StringAttr>("call_target_name");
    return target ? refineCustomCall(op, target.getValue())
                  : FailureOr<Operation *>(op);
  }
  if (name == "get_dimension_size" && op->getNumOperands() == 1 &&
      op->getNumResults() == 1) {
    auto dim = op->getAttrOfType<IntegerAttr>("dimension");
    auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    const int64_t d = dim ? dim.getInt() : -1;
    if (!from || d < 0 || d >= from.getRank() || from.isDynamicDim(d) ||
        op->getResult(0).getType() != RankedTensorType::get({}, b.getI32Type()))
      return op;
    if (from.getDimSize(d) > INT32_MAX)
      return op->emitError("the size ")
             << from.getDimSize(d) << " of dimension " << d << " is not an i32";
    replaceByConstants(
        op, *tensorFromAttribute(b.getI32IntegerAttr(from.getDimSize(d))));
    return nullptr;
  }
  if (Operation *made = makeStatic(op, name))
    return made;
  if (failed(refineHloResults(op)))
    return failure();
  const HloTraits *traits = getHloTraits(op);
  if (traits && traits->isPure && name != "constant" &&
      op->getNumRegions() == 0 && evaluate(op, {}))
    return nullptr;
  return op;
}

LogicalResult Refiner::refine(Block &block) {
  Operation *op = block.empty() ? nullptr : &block.front();
  while (op) {
    Operation *next = op->getNextNode();
    FailureOr<Operation *> made = refine(op);
    if (failed(made))
      return failure();
    // Another op, or the first one of several, is looked at next.
    op = *made && *made != op ? *made : next;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Erases ops without users, from the end on, and functions that are no longer
/// called.
static void eraseDead(ModuleOp module, func::FuncOp function) {
  function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    const HloTraits *traits = getHloTraits(op);
    if (op->use_empty() && op->getNumResults() > 0 &&
        ((traits && traits->isPure && op->getNumRegions() == 0) ||
         isOpTriviallyDead(op)))
      op->erase();
  });
  bool changes = true;
  while (changes) {
    changes = false;
    llvm::DenseSet<Attribute> used;
    module.walk([&](Operation *op) {
      op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
        used.insert(symbol.getRootReference());
      });
      if (Attribute inherent = op->getPropertiesAsAttribute())
        inherent.walk([&](SymbolRefAttr symbol) {
          used.insert(symbol.getRootReference());
        });
    });
    for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (other != function && other.isPrivate() && !other.isExternal() &&
          !used.contains(other.getSymNameAttr())) {
        other.erase();
        changes = true;
      }
  }
}

LogicalResult Refiner::run(func::FuncOp function) {
  Block &body = function.getBody().front();
  if (failed(refine(body)))
    return failure();
  eraseDead(module, function);
  WalkResult walk = function.walk([&](Operation *op) {
    // What set_dimension_size makes may have its size at run time.
    for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
      if (isHlo(op) && !isHlo(op, "set_dimension_size") && !isStatic(type)) {
        op->emitError("result ")
            << i << " of '" << getOriginalName(op) << "' is " << type
            << ": its sizes do not follow from those of the arguments";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  function.setFunctionType(
      b.getFunctionType(body.getArgumentTypes(),
                        TypeRange(body.getTerminator()->getOperandTypes())));
  return success();
}

LogicalResult mlir::tensoraccess::refineShapes(ModuleOp module, StringRef entry,
                                               ArrayRef<int64_t> sizes) {
  if (failed(expandBoundedTypes(module, entry)))
    return failure();
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal())
    return module.emitError() << describeUnknownFunction(module, entry);
  if (!function.getBody().hasOneBlock() ||
      !isa<func::ReturnOp>(function.getBody().front().getTerminator()))
    return function.emitError("the body has more than one block");
  if (hasRecursion(module))
    return function.emitError("calls itself, and sizes might be others in "
                              "each call");
  ArrayRef<int64_t> left = sizes;
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    SmallVector<int64_t> shape(type.getShape());
    for (int64_t &size : shape)
      if (ShapedType::isDynamic(size)) {
        if (left.empty())
          return function.emitError("has more dynamic sizes than the ")
                 << sizes.size() << " that are given";
        if (left.front() < 0)
          return function.emitError("sizes must be at least 0, got ")
                 << left.front();
        size = left.front();
        left = left.drop_front();
      }
    argument.setType(RankedTensorType::get(shape, type.getElementType(),
                                           type.getEncoding()));
  }
  if (!left.empty())
    return function.emitError("has ")
           << sizes.size() - left.size() << " dynamic sizes, " << sizes.size()
           << " are given";
  return Refiner(module).run(function);
}

namespace {
struct RefineShapesPass
    : public tensoraccess::impl::RefineShapesBase<RefineShapesPass> {
  using RefineShapesBase::RefineShapesBase;

  void runOnOperation() override {
    if (failed(refineShapes(getOperation(), entry, sizes)))
      signalPassFailure();
  }
};
} // namespace
