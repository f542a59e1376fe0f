//===- StablehloToAccess.cpp - StableHLO becomes access patterns ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per op gives its loops and how they index its operands;
// RaiseBuilder writes the patterns. What a window op pads is padded first, base
// dilation being padding between elements; a window that is read backwards has
// a negative coefficient; groups have a loop of their own.
//
// Sums run in row-major order of what is summed, windows before features, as
// in the conversion to linalg: raising keeps results bit by bit, except for means
// and initial values, which come last.
//
//===----------------------------------------------------------------------===//

#include "Raise/RaiseNest.h"
#include "Raise/RaiseReaders.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// An op that is being read.
struct HloRaise {
  RaiseBuilder &b;
  Operation *op;
  RaisedKind kind = RaisedKind::Movement;

  Value operand(unsigned i) const { return op->getOperand(i); }
  ArrayRef<int64_t> in(unsigned i) const {
    return cast<ShapedType>(operand(i).getType()).getShape();
  }
  ArrayRef<int64_t> out() const {
    return cast<ShapedType>(op->getResult(0).getType()).getShape();
  }
  Type elementType() const {
    return getElementTypeOrSelf(op->getResult(0).getType());
  }
  /// The whole operand as access dimensions.
  Value all(unsigned i) const { return b.accessAll(operand(i)); }
};

/// Writes the result as a pattern <result | >; null where the builder failed.
using HloReadFn = Value (*)(HloRaise &r);
} // namespace

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

static Value raiseBroadcast(HloRaise &r) {
  std::string why;
  auto dims = readHloBroadcast({r.op, why});
  if (!dims)
    return r.b.fail(why);
  LoopNest nest = LoopNest::parallelOver(r.out());
  if (TypedAttr splat = getSplatElement(r.operand(0)))
    return r.b.movement(nest, LoopOperand{r.b.constant(splat), {}});
  LoopOperand operand{r.operand(0), {}};
  for (auto [dim, size, place] : llvm::enumerate(r.in(0), *dims)) {
    if (ShapedType::isDynamic(size))
      return r.b.fail("dimension " + Twine(dim) +
                      " of its operand has a size unknown at compile time, and "
                      "is repeated if it is 1");
    operand.indices.push_back(size == 1 ? LoopIndex::constant(0)
                                        : LoopIndex(place));
  }
  return r.b.movement(nest, operand);
}

/// A conversion to the type that it has.
static Value raiseConvert(HloRaise &r) {
  if (r.op->getNumOperands() != 1)
    return r.b.fail("it must have one operand");
  if (r.operand(0).getType() == r.op->getResult(0).getType())
    return r.all(0);
  return r.b.fail("it converts " +
                  typeName(getElementTypeOrSelf(r.operand(0).getType())) +
                  " to " + typeName(r.elementType()) +
                  ", and no view changes the element type");
}

static Value raiseReshape(HloRaise &r) {
  if (r.op->getNumOperands() != 1)
    return r.b.fail("it must have one operand");
  return r.b.reshape(r.all(0), r.out());
}

static Value raiseTranspose(HloRaise &r) {
  std::string why;
  return readHloTranspose({r.op, why}) ? raiseMove(r.b, r.op) : r.b.fail(why);
}

static Value raiseReverse(HloRaise &r) {
  std::string why;
  auto dims = readHloReverse({r.op, why});
  if (!dims)
    return r.b.fail(why);
  for (int64_t dim : *dims)
    if (ShapedType::isDynamic(r.in(0)[dim]))
      return r.b.fail("it turns dimension " + Twine(dim) +
                      ", whose size is unknown at compile time");
  return raiseMove(r.b, r.op);
}

static Value raiseSlice(HloRaise &r) {
  std::string why;
  return HloSlice::read({r.op, why}) ? raiseMove(r.b, r.op) : r.b.fail(why);
}

static Value raisePad(HloRaise &r) {
  std::string why;
  if (!HloPad::read({r.op, why}))
    return r.b.fail(why);
  TypedAttr value = getSplatElement(r.operand(1));
  if (!value)
    return r.b.fail("operand 1, what it pads by, is not a constant");
  return raiseMove(r.b, r.op, value);
}

static Value raiseConcatenate(HloRaise &r) {
  std::string why;
  auto axis = readHloConcatenate({r.op, why});
  if (!axis)
    return r.b.fail(why);
  SmallVector<Value> parts;
  for (unsigned i = 0; i < r.op->getNumOperands(); ++i)
    parts.push_back(r.all(i));
  return r.b.concat(parts, *axis);
}

//===----------------------------------------------------------------------===//
// Contractions and convolutions
//===----------------------------------------------------------------------===//

/// The type of products and sums, null where it is the operands'.
static Type getAccumulator(const HloRaise &r) {
  Type type = r.elementType();
  return type == getElementTypeOrSelf(r.operand(0).getType()) ? Type() : type;
}

static bool haveOneType(HloRaise &r) {
  if (getElementTypeOrSelf(r.operand(0).getType()) ==
      getElementTypeOrSelf(r.operand(1).getType()))
    return true;
  r.b.fail("its operands differ in element type, " +
           typeName(getElementTypeOrSelf(r.operand(0).getType())) + " and " +
           typeName(getElementTypeOrSelf(r.operand(1).getType())));
  return false;
}

/// Sums of products, with 0 around and between the first operand's elements.
static Value contract(HloRaise &r, RaisedKind kind) {
  if (!haveOneType(r))
    return {};
  NestRef nest = getNest(OpSignature(r.op));
  auto loops = NestLoops::get(r.b, *nest);
  auto zero = cast<TypedAttr>(r.b.getRewriter().getZeroAttr(
      getElementTypeOrSelf(r.operand(0).getType())));
  auto lhs =
      loops ? loops->getOperand(r.b, 0, r.operand(0), zero) : std::nullopt;
  auto rhs = lhs ? loops->getOperand(r.b, 1, r.operand(1)) : std::nullopt;
  r.kind = kind;
  return rhs ? r.b.contraction(loops->nest, {*lhs, *rhs}, getAccumulator(r))
             : Value();
}

static Value raiseDot(HloRaise &r) {
  std::string why;
  if (!HloDot::read({r.op, why}))
    return r.b.fail(why);
  return contract(r, RaisedKind::Contraction);
}

static Value raiseConvolution(HloRaise &r) {
  std::string why;
  if (!HloConvolution::read({r.op, why}))
    return r.b.fail(why);
  return contract(r, RaisedKind::Convolution);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Operation *mlir::tensoraccess::getHloCombiner(Operation *op, std::string &why) {
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  Block *body = getHloBody(op, 0, {type, type}, 1, why);
  if (!body)
    return nullptr;
  Operation *combine = body->back().getOperand(0).getDefiningOp();
  if (combine && isHlo(combine) && combine->getNumOperands() == 2 &&
      combine->getOperand(0) != combine->getOperand(1) &&
      llvm::all_of(combine->getOperands(), [&](Value value) {
        return llvm::is_contained(body->getArguments(), value);
      }))
    return combine;
  why = "its body is not a single op on its arguments";
  return nullptr;
}

/// The combiner of an op with one input, whose body is one op on its arguments.
static std::optional<Combiner> readCombiner(HloRaise &r, unsigned numInputs) {
  if (numInputs != 1)
    return r.b.refuse("it reduces to " + Twine(numInputs) + " results");
  std::string why;
  Type type = getElementTypeOrSelf(r.operand(0).getType());
  Operation *combine = getHloCombiner(r.op, why);
  if (!combine)
    return r.b.refuse(why);
  if (r.elementType() != type)
    return r.b.refuse("it reduces " + typeName(type) + " to " +
                      typeName(r.elementType()));
  StringRef name = getHloName(combine);
  auto combiner = llvm::StringSwitch<std::optional<Combiner>>(name)
                      .Case("add", Combiner::Sum)
                      .Case("multiply", Combiner::Product)
                      .Case("maximum", Combiner::Greatest)
                      .Case("minimum", Combiner::Least)
                      .Default(std::nullopt);
  if (!combiner)
    r.b.fail("it reduces by " + combine->getName().getStringRef() +
             ", which no compute kind does");
  return combiner;
}

/// The reduction, and the initial value after it.
static Value reduce(HloRaise &r, RaisedKind kind, Combiner combiner) {
  Value init = r.operand(1);
  TypedAttr splat = getSplatElement(init);
  bool needsInit = !isNeutral(combiner, splat);
  bool isArithmetic =
      combiner == Combiner::Sum || combiner == Combiner::Product;
  NestRef nest = getNest(OpSignature(r.op));
  auto loops =
      NestLoops::get(r.b, *nest, /*dropsUnits=*/kind == RaisedKind::Pooling);
  auto operand =
      loops ? loops->getOperand(r.b, 0, r.operand(0), splat) : std::nullopt;
  if (!operand)
    return {};
  r.kind = kind;
  if (needsInit && !isArithmetic)
    return r.b.fail(
        "operand 1, its initial value, is not known to be the " +
        Twine(combiner == Combiner::Greatest ? "least" : "greatest") +
        " of its type");
  Value result = r.b.combine(loops->nest, combiner, *operand);
  if (!result || !needsInit)
    return result;
  Value start = splat ? r.b.constant(splat) : r.b.access(init, 0);
  if (!start)
    return {};
  Value spread =
      r.b.movement(LoopNest::parallelOver(r.out()), LoopOperand{start, {}});
  return r.b.elementwise(combiner == Combiner::Sum
                             ? ComputeKind::ElementwiseAdd
                             : ComputeKind::ElementwiseMul,
                         {result, spread});
}

static Value raiseReduce(HloRaise &r) {
  std::string why;
  auto reading = HloReduce::read({r.op, why});
  if (!reading)
    return r.b.fail(why);
  auto combiner = readCombiner(r, reading->numInputs);
  return combiner ? reduce(r, RaisedKind::Reduction, *combiner) : Value();
}

static Value raiseReduceWindow(HloRaise &r) {
  std::string why;
  auto windows = HloWindows::read({r.op, why});
  if (!windows)
    return r.b.fail(why);
  if (std::optional<HloScan> scan = windows->getScan())
    return r.b.fail("its windows reach to one end of dimension " +
                    Twine(scan->dim) +
                    ": loops run along it once, windows once an element");
  auto combiner = readCombiner(r, windows->numInputs);
  return combiner ? reduce(r, RaisedKind::Pooling, *combiner) : Value();
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

static Value raiseElementwise(HloRaise &r) {
  StringRef name = getHloName(r.op);
  r.kind = RaisedKind::Elementwise;
  for (unsigned i = 0; i < r.op->getNumOperands(); ++i)
    if (!agree(r.in(i), r.out()))
      return r.b.fail("operand " + Twine(i) + " has another shape");
  SmallVector<Value> patterns;
  for (Value operand : r.op->getOperands())
    patterns.push_back(r.b.accessAll(operand));
  if (patterns.size() == 2) {
    if (name == "add")
      return r.b.elementwise(ComputeKind::ElementwiseAdd, patterns);
    if (name == "multiply")
      return r.b.elementwise(ComputeKind::ElementwiseMul, patterns);
    if (name == "subtract")
      return r.b.subtract(patterns[0], patterns[1]);
    // Integers divided by zero have a value in StableHLO.
    if (name == "divide")
      return isa<FloatType>(r.elementType())
                 ? r.b.elementwise(ComputeKind::ElementwiseDiv, patterns)
                 : r.b.fail("it divides integers: by 0 it has a result, "
                            "elementwise_div an error");
    // The least boolean is false, where `maximum` has signed numbers.
    if (name == "maximum")
      return r.elementType().isInteger(1)
                 ? r.b.fail("its arithmetic is on elements of type i1")
                 : r.b.maximum(patterns);
  }
  if (patterns.size() == 1) {
    if (name == "negate")
      return r.b.unary(ComputeKind::Negative, patterns[0]);
    if (name == "sqrt")
      return r.b.unary(ComputeKind::Sqrt, patterns[0]);
    if (name == "square")
      return r.b.elementwise(ComputeKind::ElementwiseMul,
                             {patterns[0], patterns[0]});
  }
  return r.b.fail("its operands are not those of its kind");
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const llvm::StringMap<HloReadFn> &getReaders() {
  static const llvm::StringMap<HloReadFn> readers = {
      {"add", raiseElementwise},
      {"broadcast_in_dim", raiseBroadcast},
      {"concatenate", raiseConcatenate},
      {"convert", raiseConvert},
      {"convolution", raiseConvolution},
      {"divide", raiseElementwise},
      {"dot", raiseDot},
      {"dot_general", raiseDot},
      {"maximum", raiseElementwise},
      {"multiply", raiseElementwise},
      {"negate", raiseElementwise},
      {"pad", raisePad},
      {"reduce", raiseReduce},
      {"reduce_window", raiseReduceWindow},
      {"reshape", raiseReshape},
      {"reverse", raiseReverse},
      {"slice", raiseSlice},
      {"sqrt", raiseElementwise},
      {"square", raiseElementwise},
      {"subtract", raiseElementwise},
      {"transpose", raiseTranspose},
  };
  return readers;
}

bool mlir::tensoraccess::isHloCandidate(Operation *op) {
  return isHlo(op) && getHloName(op) != "constant" &&
         llvm::any_of(op->getResultTypes(),
                      [](Type type) { return isa<TensorType>(type); });
}

std::optional<RaisedKind>
mlir::tensoraccess::raiseHloOp(RaiseBuilder &builder, Operation *op,
                               SmallVectorImpl<Value> &results,
                               bool asSoftmax) {
  HloReadFn read = getReaders().lookup(getHloName(op));
  std::string why;
  if (!read && isPlainMove(*getNest(OpSignature(op))))
    read = [](HloRaise &r) { return raiseMove(r.b, r.op); };
  if (!read)
    return builder.refuse(whyHloStays(op));
  if (!HloReader(op, why).hasTensors(-1, 1))
    return builder.refuse(why);
  auto isSigned = [&](StringRef what, TypeRange types) {
    for (auto [i, type] : llvm::enumerate(types))
      if (getElementTypeOrSelf(type).isUnsignedInteger()) {
        builder.fail(what + " " + Twine(i) + " has elements of type " +
                     typeName(getElementTypeOrSelf(type)) +
                     ", and the integers of access patterns are signed");
        return false;
      }
    return true;
  };
  if (!isSigned("operand", op->getOperandTypes()) ||
      !isSigned("result", op->getResultTypes()))
    return std::nullopt;
  HloRaise r{builder, op};
  Value pattern;
  if (asSoftmax) {
    r.kind = RaisedKind::Softmax;
    pattern = raiseHloSoftmax(builder, op);
  } else {
    pattern = read(r);
  }
  if (!pattern)
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (typeOf(pattern).getElementType() != type.getElementType())
    return builder.refuse(
        "its result has an element type other than its arithmetic's");
  results.push_back(builder.toTensor(pattern, type));
  return r.kind;
}

void mlir::tensoraccess::raiseHloConstants(RewriterBase &rewriter,
                                           Operation *root) {
  SmallVector<Operation *> constants;
  root->walk([&](Operation *op) {
    if (isHlo(op, "constant"))
      constants.push_back(op);
  });
  for (Operation *op : constants) {
    auto value = dyn_cast_or_null<TypedAttr>(op->getAttr("value"));
    Operation *parent = op->getParentOp();
    // Bodies on scalars stay as they are.
    if (isHlo(parent) && hasHloScalarBody(parent))
      continue;
    if (!value || op->getNumOperands() != 0 || op->getNumResults() != 1 ||
        value.getType() != op->getResult(0).getType() ||
        !isa<FloatType, IntegerType>(getElementTypeOrSelf(value.getType())) ||
        (getElementTypeOrSelf(value.getType()).isInteger() &&
         !getElementTypeOrSelf(value.getType()).isSignlessInteger()))
      continue;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
  }
}
