//===- ExpandComplex.cpp - Complex numbers as pairs -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops in program order, each by its kind:
//
//   1. moves: once for the real and once for the imaginary parts;
//   2. functions (ComplexFunctions.cpp), products with sums, transforms;
//   3. ops of several values, and their regions: each value becomes two;
//   4. calls and functions: a dimension of two is put after the others.
//
//===----------------------------------------------------------------------===//

#include "ComplexNumbers.h"
#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSwitch.h"

#include <complex>

using namespace mlir;
using namespace mlir::tensoraccess;

/// The type of the parts; null for what is not a tensor of complex numbers.
static RankedTensorType getPartType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto complex =
      tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return complex ? tensor.clone(complex.getElementType()) : RankedTensorType();
}

/// Why the parts cannot be computed with; empty if they can.
static StringRef getFault(RankedTensorType part) {
  if (!part.getElementType().isF32() && !part.getElementType().isF64())
    return "parts that are neither f32 nor f64";
  if (!part.hasStaticShape())
    return "unknown sizes";
  return part.getEncoding() ? "an encoding" : "";
}

Type tensoraccess::getTypeOfPairs(Type type) {
  RankedTensorType part = getPartType(type);
  if (!part || !getFault(part).empty())
    return type;
  SmallVector<int64_t> shape(part.getShape());
  shape.push_back(2);
  return part.clone(shape);
}

static bool hasComplex(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return getPartType(type); });
}

static bool hasComplex(Operation *op) {
  return hasComplex(op->getOperandTypes()) || hasComplex(op->getResultTypes());
}

namespace {
/// What is done to an op, by its name.
enum class Way { Unknown, Move, Values, Call };

class Expander {
public:
  Expander(MLIRContext *context, bool callsTransforms)
      : context(context), callsTransforms(callsTransforms) {}

  LogicalResult expandFunction(func::FuncOp function);
  /// Erases what was replaced.
  void finish() {
    for (Operation *op : llvm::reverse(dead))
      op->erase();
    for (BlockArgument argument : stale)
      argument.getOwner()->eraseArgument(argument.getArgNumber());
  }

private:
  MLIRContext *context;
  bool callsTransforms;
  DenseMap<Value, ComplexPair> pairs;
  /// What both parts were unpacked from.
  DenseMap<std::pair<Value, Value>, Value> origins;
  SmallVector<Operation *> dead;
  SmallVector<BlockArgument> stale;
  std::string why;

  LogicalResult expandBlock(Block &block);
  LogicalResult expandOp(Operation *op);
  bool expandByName(Operation *op, HloBuilder &h);
  bool checkMove(Operation *op);
  bool checkTypes(Operation *op);
  bool expandConstant(Operation *op, HloBuilder &h);
  bool expandConvert(Operation *op, HloBuilder &h);
  bool expandCompare(Operation *op, HloBuilder &h);
  bool expandFunctionOf(Operation *op, HloBuilder &h,
                        const ComplexFunction &function);
  bool expandProduct(Operation *op, HloBuilder &h);
  void expandMove(Operation *op, HloBuilder &h);
  bool expandValues(Operation *op, HloBuilder &h);
  void expandCall(Operation *op, HloBuilder &h);

  /// The parts of a value; of a real one itself, and null.
  ComplexPair getParts(Value value) const {
    auto found = pairs.find(value);
    return found == pairs.end() ? ComplexPair{value, Value()} : found->second;
  }
  Value pack(HloBuilder &h, ComplexPair pair);
  ComplexPair unpack(HloBuilder &h, Value packed);
  SmallVector<Value> packAll(HloBuilder &h, ValueRange values);
  bool fail(const Twine &reason) {
    why = reason.str();
    return false;
  }
  /// Both parts, one after the other, of each value.
  SmallVector<Value> flatten(ValueRange values);
};
} // namespace

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Value Expander::pack(HloBuilder &h, ComplexPair pair) {
  if (Value origin = origins.lookup({pair.re, pair.im}))
    return origin;
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(pair.re.getType()).getShape());
  shape.push_back(1);
  return h.concatenate({h.reshape(pair.re, shape), h.reshape(pair.im, shape)},
                       shape.size() - 1);
}

ComplexPair Expander::unpack(HloBuilder &h, Value packed) {
  ArrayRef<int64_t> all = cast<RankedTensorType>(packed.getType()).getShape();
  SmallVector<int64_t> shape(all.drop_back());
  auto part = [&](int64_t number) {
    SmallVector<int64_t> starts(all.size(), 0), limits(all);
    starts.back() = number;
    limits.back() = number + 1;
    return h.reshape(h.slice(packed, starts, limits), shape);
  };
  ComplexPair parts{part(0), part(1)};
  origins[{parts.re, parts.im}] = packed;
  return parts;
}

SmallVector<Value> Expander::packAll(HloBuilder &h, ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) {
    ComplexPair parts = getParts(value);
    return parts.im ? pack(h, parts) : value;
  });
}

SmallVector<Value> Expander::flatten(ValueRange values) {
  SmallVector<Value> flat;
  for (Value value : values) {
    ComplexPair parts = getParts(value);
    flat.push_back(parts.re);
    if (parts.im)
      flat.push_back(parts.im);
  }
  return flat;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool Expander::expandConstant(Operation *op, HloBuilder &h) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
  RankedTensorType type = getPartType(op->getResult(0).getType());
  if (!dense || dense.getType() != op->getResult(0).getType())
    return fail("its value must be a dense attribute");
  SmallVector<llvm::APFloat> re, im;
  auto take = [&](const std::complex<llvm::APFloat> &value) {
    re.push_back(value.real());
    im.push_back(value.imag());
  };
  if (dense.isSplat())
    take(dense.getSplatValue<std::complex<llvm::APFloat>>());
  else
    for (auto value : dense.getValues<std::complex<llvm::APFloat>>())
      take(value);
  pairs[op->getResult(0)] = {h.constant(DenseElementsAttr::get(type, re)),
                             h.constant(DenseElementsAttr::get(type, im))};
  return true;
}

bool Expander::expandConvert(Operation *op, HloBuilder &h) {
  Value result = op->getResult(0);
  ComplexPair from = getParts(op->getOperand(0));
  RankedTensorType type = getPartType(result.getType());
  Type element =
      type ? type.getElementType()
           : cast<RankedTensorType>(result.getType()).getElementType();
  Value re = h.convert(from.re, element);
  if (!type)
    result.replaceAllUsesWith(re);
  else
    pairs[result] = {re, from.im ? h.convert(from.im, element) : h.like(re, 0)};
  return true;
}

/// Equal where both parts are.
bool Expander::expandCompare(Operation *op, HloBuilder &h) {
  StringRef direction = getHloKeyword(op->getAttr("comparison_direction"));
  if (direction != "EQ" && direction != "NE")
    return fail("complex numbers have no order");
  ComplexPair x = getParts(op->getOperand(0)), y = getParts(op->getOperand(1));
  Value re = h.compare(direction, x.re, y.re);
  Value im = h.compare(direction, x.im, y.im);
  op->getResult(0).replaceAllUsesWith(
      h.binary(direction == "EQ" ? "stablehlo.and" : "stablehlo.or", re, im));
  return true;
}

bool Expander::expandFunctionOf(Operation *op, HloBuilder &h,
                                const ComplexFunction &function) {
  if (op->getNumOperands() != function.arity)
    return fail("it must have " + Twine(function.arity) + " operands");
  SmallVector<ComplexPair> operands;
  Type element = getPartType(op->getResult(0).getType()).getElementType();
  Type work = function.isExact ? element : h.b.getF64Type();
  for (Value operand : op->getOperands()) {
    if (operand.getType() != op->getResult(0).getType())
      return fail("its operands must have its result's type");
    ComplexPair parts = getParts(operand);
    operands.push_back({h.convert(parts.re, work), h.convert(parts.im, work)});
  }
  ComplexPair result = function.write(h, operands);
  pairs[op->getResult(0)] = {h.convert(result.re, element),
                             h.convert(result.im, element)};
  return true;
}

/// dot, dot_general and convolution: four of real numbers.
bool Expander::expandProduct(Operation *op, HloBuilder &h) {
  RankedTensorType type = getPartType(op->getResult(0).getType());
  ComplexPair left = getParts(op->getOperand(0));
  ComplexPair right = getParts(op->getOperand(1));
  auto product = [&](Value x, Value y) -> Value {
    if (!x || !y)
      return {};
    return h.one(op->getName().getStringRef(), type, {x, y},
                 getAllAttributes(op));
  };
  auto combine = [&](Value x, Value y, bool isSum) {
    return !x || !y ? (x ? x : y) : isSum ? h.add(x, y) : h.sub(x, y);
  };
  Value re =
      combine(product(left.re, right.re), product(left.im, right.im), false);
  Value im =
      combine(product(left.re, right.im), product(left.im, right.re), true);
  pairs[op->getResult(0)] = {re, im};
  return true;
}

/// Step 1. Operands without parts, indices or conditions, go to both.
void Expander::expandMove(Operation *op, HloBuilder &h) {
  auto move = [&](bool isReal) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      ComplexPair parts = getParts(operand);
      operands.push_back(isReal || !parts.im ? parts.re : parts.im);
    }
    return h.one(op->getName().getStringRef(),
                 getPartType(op->getResult(0).getType()), operands,
                 getAllAttributes(op));
  };
  Value re = move(true);
  pairs[op->getResult(0)] = {re, move(false)};
}

/// Step 3.
bool Expander::expandValues(Operation *op, HloBuilder &h) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(flatten(op->getOperands()));
  state.addAttributes(getAllAttributes(op));
  for (Type type : op->getResultTypes()) {
    RankedTensorType part = getPartType(type);
    state.addTypes(part ? SmallVector<Type>{part, part}
                        : SmallVector<Type>{type});
  }
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *copy = h.b.create(state);
  unsigned next = 0;
  for (Value result : op->getResults()) {
    if (!getPartType(result.getType())) {
      result.replaceAllUsesWith(copy->getResult(next++));
      continue;
    }
    pairs[result] = {copy->getResult(next), copy->getResult(next + 1)};
    next += 2;
  }
  // A sort's body takes both elements of each operand in turn.
  const bool isSort = getHloName(op) == "sort";
  for (Region &region : copy->getRegions())
    for (Block &block : region) {
      for (unsigned i = 0; i < block.getNumArguments();) {
        BlockArgument argument = block.getArgument(i);
        RankedTensorType part = getPartType(argument.getType());
        if (!part) {
          ++i;
          continue;
        }
        Location loc = argument.getLoc();
        if (!isSort) {
          Value re = block.insertArgument(i + 1, part, loc);
          pairs[argument] = {re, block.insertArgument(i + 2, part, loc)};
          // The argument itself is erased when it has no users left.
          stale.push_back(argument);
          i += 3;
          continue;
        }
        if (i + 1 >= block.getNumArguments())
          return fail("its body must take two elements of each operand");
        BlockArgument other = block.getArgument(i + 1);
        SmallVector<Value> parts;
        for (unsigned k = 0; k < 4; ++k)
          parts.push_back(block.insertArgument(i + 2 + k, part, loc));
        pairs[argument] = {parts[0], parts[2]};
        pairs[other] = {parts[1], parts[3]};
        stale.append({argument, other});
        i += 6;
      }
    }
  for (Region &region : copy->getRegions())
    for (Block &block : region)
      if (failed(expandBlock(block))) {
        why.clear(); // it has been reported there
        return false;
      }
  return true;
}

/// Step 4: of a call, or a composite.
void Expander::expandCall(Operation *op, HloBuilder &h) {
  SmallVector<Value> operands = packAll(h, op->getOperands());
  SmallVector<Type> types =
      llvm::map_to_vector(op->getResultTypes(), getTypeOfPairs);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(getAllAttributes(op));
  Operation *copy = h.b.create(state);
  for (auto [result, packed] : llvm::zip(op->getResults(), copy->getResults()))
    if (getPartType(result.getType()))
      pairs[result] = unpack(h, packed);
    else
      result.replaceAllUsesWith(packed);
}

static Way getWay(StringRef name) {
  const HloTraits *traits = getHloTraits(name);
  const bool isView = traits && traits->kind == HloTraits::Kind::View;
  return llvm::StringSwitch<Way>(name)
      .Cases({"concatenate", "copy", "dynamic_broadcast_in_dim",
              "dynamic_gather", "dynamic_pad", "dynamic_reshape",
              "dynamic_slice"},
             Way::Move)
      .Cases({"dynamic_update_slice", "gather", "pad", "select",
              "torch_index_select"},
             Way::Move)
      .Cases({"case", "if", "optimization_barrier", "reduce", "reduce_window",
              "return", "scatter", "sort", "while"},
             Way::Values)
      .Cases({"composite", "custom_call"}, Way::Call)
      .Default(isView ? Way::Move : Way::Unknown);
}

/// What is moved, and nothing else, has the result's element type.
bool Expander::checkMove(Operation *op) {
  StringRef name = getHloName(op);
  const unsigned count = op->getNumOperands();
  auto [begin, end] =
      llvm::StringSwitch<std::pair<unsigned, unsigned>>(name)
          .Case("select", {1, 3})
          .Cases({"pad", "dynamic_pad", "dynamic_update_slice"}, {0, 2})
          .Case("concatenate", {0, count})
          .Default({0, 1});
  if (op->getNumResults() != 1 || count < end || count == 0)
    return fail("it must have " + Twine(end) + " operands and a result");
  RankedTensorType result = getPartType(op->getResult(0).getType());
  for (unsigned i = 0; i < count; ++i) {
    RankedTensorType part = getPartType(op->getOperand(i).getType());
    const bool isMoved = i >= begin && i < end;
    if (isMoved != !!part || !result ||
        (part && part.getElementType() != result.getElementType()))
      return fail("operand " + Twine(i) + " must " + (isMoved ? "" : "not ") +
                  "have its result's element type");
  }
  return true;
}

/// The ops are not verified; of those that are not moves, functions or of
/// several values.
bool Expander::checkTypes(Operation *op) {
  StringRef name = getHloName(op);
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes())))
    if (!isa<RankedTensorType>(type))
      return fail("its operands and results must be ranked tensors");
  if (op->getNumResults() != 1)
    return fail("it must have one result");
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<RankedTensorType> operands, parts;
  for (Type type : op->getOperandTypes()) {
    operands.push_back(cast<RankedTensorType>(type));
    parts.push_back(getPartType(type));
  }
  RankedTensorType part = getPartType(result);
  auto need = [&](bool holds, const Twine &reason) {
    return holds || fail(reason);
  };
  const unsigned count = operands.size();
  if (name == "real" || name == "imag" || name == "abs")
    return need(count == 1 && parts[0] && parts[0] == result,
                "its result must have the type of its operand's parts");
  if (name == "is_finite")
    return need(count == 1 && parts[0] &&
                    result == parts[0].clone(IntegerType::get(context, 1)),
                "its result must be of i1 in its operand's shape");
  if (name == "compare")
    return need(
        count == 2 && parts[0] && operands[0] == operands[1] &&
            result == parts[0].clone(IntegerType::get(context, 1)),
        "its operands must have one type, its result i1 in their shape");
  if (name == "complex")
    return need(count == 2 && part && operands[0] == part &&
                    operands[1] == part,
                "its operands must have the type of its result's parts");
  if (name == "constant" || name == "iota")
    return need(count == 0 && part, "it must have no operands");
  if (name == "convert")
    return need(count == 1 && operands[0].getShape() == result.getShape(),
                "its result must have its operand's shape");
  if (name == "bitcast_convert")
    return need(count == 1 && operands[0] == result,
                "it must keep the element type");
  if (name == "get_dimension_size")
    return need(count == 1 && parts[0] && !part, "it must have one operand");
  if (name == "dot" || name == "dot_general" || name == "convolution")
    return need(count == 2 && part && (parts[0] || parts[1]),
                "it must have two operands and a complex result");
  if (name == "fft") {
    Type given = count != 1 ? Type()
                 : parts[0] ? parts[0].getElementType()
                            : operands[0].getElementType();
    Type gives = part ? part.getElementType() : result.getElementType();
    return need(given && given == gives && (parts[0] || part),
                "its operand and result must be of one type of floats");
  }
  return true;
}

bool Expander::expandByName(Operation *op, HloBuilder &h) {
  StringRef name = getHloName(op);
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  if (name == "custom_call" && (!target || target.getValue() != kLapackTarget))
    return fail("what it calls is not known here");
  switch (getWay(name)) {
  case Way::Move:
    if (!checkMove(op))
      return false;
    expandMove(op, h);
    return true;
  case Way::Values:
    return expandValues(op, h);
  case Way::Call:
    expandCall(op, h);
    return true;
  case Way::Unknown:
    break;
  }
  if (!checkTypes(op))
    return false;
  Value result = op->getResult(0);
  auto parts = [&] { return getParts(op->getOperand(0)); };
  if (name == "constant")
    return expandConstant(op, h);
  if (name == "iota") {
    Type part = getPartType(result.getType());
    pairs[result] = {
        h.one(op->getName().getStringRef(), part, {}, getAllAttributes(op)),
        h.constant(part, 0)};
    return true;
  }
  if (name == "complex" || name == "bitcast_convert") {
    pairs[result] = name == "bitcast_convert"
                        ? parts()
                        : ComplexPair{op->getOperand(0), op->getOperand(1)};
    return true;
  }
  if (name == "real" || name == "imag") {
    result.replaceAllUsesWith(name == "real" ? parts().re : parts().im);
    return true;
  }
  if (name == "abs") {
    ComplexPair z = parts();
    Type element = cast<RankedTensorType>(result.getType()).getElementType();
    z = {h.convert(z.re, h.b.getF64Type()), h.convert(z.im, h.b.getF64Type())};
    result.replaceAllUsesWith(h.convert(writeComplexAbs(h, z), element));
    return true;
  }
  if (name == "convert")
    return expandConvert(op, h);
  if (name == "is_finite") {
    Value re = h.one("stablehlo.is_finite", result.getType(), parts().re);
    Value im = h.one("stablehlo.is_finite", result.getType(), parts().im);
    result.replaceAllUsesWith(h.binary("stablehlo.and", re, im));
    return true;
  }
  if (name == "get_dimension_size") {
    result.replaceAllUsesWith(h.one(op->getName().getStringRef(),
                                    result.getType(), parts().re,
                                    getAllAttributes(op)));
    return true;
  }
  if (name == "fft" && callsTransforms) {
    Operation *call = callFourierTransform(h, op, why);
    if (!call)
      return false;
    op->replaceAllUsesWith(call);
    expandCall(call, h);
    dead.push_back(call);
    return true;
  }
  if (name == "fft") {
    auto transformed = writeFourierTransform(h, op, parts(), why);
    if (!transformed)
      return false;
    if (transformed->im)
      pairs[result] = *transformed;
    else
      result.replaceAllUsesWith(transformed->re);
    return true;
  }
  if (name == "compare")
    return expandCompare(op, h);
  if (name == "dot" || name == "dot_general" || name == "convolution")
    return expandProduct(op, h);
  if (const ComplexFunction *function = getComplexFunction(name))
    if (getPartType(result.getType()))
      return expandFunctionOf(op, h, *function);
  return fail("it has no form on pairs");
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

LogicalResult Expander::expandOp(Operation *op) {
  if (!hasComplex(op) && !llvm::any_of(op->getRegions(), [](Region &region) {
        return llvm::any_of(region, [](Block &block) {
          return hasComplex(block.getArgumentTypes());
        });
      })) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(expandBlock(block)))
          return failure();
    return success();
  }
  ImplicitLocOpBuilder b(locateInPlaceOf(op), op);
  HloBuilder h(b);
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                SmallVector<Type>(op->getResultTypes())))
    if (RankedTensorType part = getPartType(type))
      if (StringRef fault = getFault(part); !fault.empty())
        return op->emitError()
               << "'" << getOriginalName(op) << "' has complex numbers of "
               << fault << ", which are not taken apart";
  if (isa<func::ReturnOp>(op)) {
    op->setOperands(packAll(h, op->getOperands()));
    return success();
  }
  why.clear();
  bool ok = true;
  if (isa<func::CallOp>(op))
    expandCall(op, h);
  else if (isHlo(op))
    ok = expandByName(op, h);
  else
    ok = fail("it is not an op of StableHLO");
  if (!ok)
    // An error inside of a region has been reported.
    return why.empty() ? failure()
                       : op->emitError() << "the complex numbers of '"
                                         << getOriginalName(op)
                                         << "' are not taken apart: " << why;
  dead.push_back(op);
  return success();
}

LogicalResult Expander::expandBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(expandOp(&op)))
      return failure();
  return success();
}

LogicalResult Expander::expandFunction(func::FuncOp function) {
  auto type = function.getFunctionType();
  for (Type each :
       llvm::concat<const Type>(type.getInputs(), type.getResults()))
    if (RankedTensorType part = getPartType(each))
      if (StringRef fault = getFault(part); !fault.empty())
        return function.emitError() << "has complex numbers of " << fault
                                    << ", which are not taken apart: " << each;
  if (!function.isExternal()) {
    Block &entry = function.getBody().front();
    ImplicitLocOpBuilder b(function.getLoc(), context);
    b.setInsertionPointToStart(&entry);
    HloBuilder h(b);
    for (unsigned i = 0, n = entry.getNumArguments(); i < n; ++i) {
      BlockArgument argument = entry.getArgument(i);
      if (!getPartType(argument.getType()))
        continue;
      BlockArgument packed = entry.insertArgument(
          i + 1, getTypeOfPairs(argument.getType()), argument.getLoc());
      pairs[argument] = unpack(h, packed);
      stale.push_back(argument);
      ++i, ++n;
    }
    // Values before those that read them.
    size_t reached = 0;
    for (Block *block :
         llvm::ReversePostOrderTraversal<Region *>(&function.getBody())) {
      ++reached;
      if (block != &entry && hasComplex(block->getArgumentTypes()))
        return function.emitError() << "has a block with complex arguments, "
                                       "which are not taken apart";
      if (failed(expandBlock(*block)))
        return failure();
    }
    if (reached != function.getBody().getBlocks().size())
      return function.emitError() << "has complex numbers and blocks that are "
                                     "not reached";
  }
  keepElementTypes(function, llvm::IsaPred<ComplexType>);
  mapSignature(function, getTypeOfPairs);
  return success();
}

bool tensoraccess::hasComplexHlo(ModuleOp module) {
  return hasHloOn(module, [](Type type) { return bool(getPartType(type)); });
}

LogicalResult tensoraccess::expandComplexNumbers(ModuleOp module,
                                                 bool callsTransforms) {
  if (!hasComplexHlo(module))
    return success();
  Expander expander(module.getContext(), callsTransforms);
  for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>()))
    if (failed(expander.expandFunction(function)))
      return failure();
  expander.finish();
  return success();
}
