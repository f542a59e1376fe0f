//===- LinalgFunctions.cpp - What the rules of linalg ask -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Side conditions and makers of Linalg.pdll. A named op says by its body what
// it computes, and generic text may give it another one: so the body is looked
// at.
//
//===----------------------------------------------------------------------===//

#include "NativeSets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// A tensor of static shape, without an encoding, of numbers that are a ring up
/// to rounding: i1 is none in linalg, which adds it by `or`.
static bool isPlainTensor(Type type) {
  auto tensor = dyn_cast_or_null<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getEncoding())
    return false;
  Type element = tensor.getElementType();
  return isa<FloatType>(element) ||
         (element.isSignlessInteger() && !element.isInteger(1));
}

/// Whether all operands and the result are plain tensors of one element type.
static bool isPlain(Operation *op, bool hasScalar = false) {
  if (op->getNumResults() != 1 || !isPlainTensor(op->getResult(0).getType()))
    return false;
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  return llvm::all_of(op->getOperandTypes(), [&](Type type) {
    return (hasScalar && type == element) ||
           (isPlainTensor(type) && getElementTypeOrSelf(type) == element);
  });
}

/// Whether an op of arith promises nothing.
static bool promisesNothing(Operation *op) {
  if (auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath"))
    return flags.getValue() == arith::FastMathFlags::none;
  if (auto flags =
          op->getAttrOfType<arith::IntegerOverflowFlagsAttr>("overflowFlags"))
    return flags.getValue() == arith::IntegerOverflowFlags::none;
  return false;
}

static bool areEither(Operation *op, Value a, Value b) {
  return (op->getOperand(0) == a && op->getOperand(1) == b) ||
         (op->getOperand(0) == b && op->getOperand(1) == a);
}

/// Whether a body of `number` ops yields `value`.
static bool yields(Block &body, size_t number, Value value) {
  return body.getOperations().size() == number &&
         body.back().getNumOperands() == 1 &&
         body.back().getOperand(0) == value;
}

/// Whether a body is `first op second`, of the float or of the integer op.
template <typename FloatOp, typename IntegerOp>
static bool isBinaryBody(Block &body) {
  if (body.getNumArguments() != 3 || body.getOperations().size() != 2)
    return false;
  Operation *op = &body.front();
  return isa<FloatOp, IntegerOp>(op) && promisesNothing(op) &&
         areEither(op, body.getArgument(0), body.getArgument(1)) &&
         yields(body, 2, op->getResult(0));
}

/// The op with regions that a node of a symbol is like, if it has the name.
template <typename Op>
static Op getPrototype(TermGraph &graph, const RuleValue &value) {
  if (value.kind != RuleValue::Kind::Operation ||
      !graph.isOperation(value.symbol))
    return Op();
  Operation *op = graph.getSignature(value.symbol, {}).operation;
  return dyn_cast_or_null<Op>(op);
}

/// Whether a body adds the product of its first two arguments to the third.
static bool isProductBody(Block &body) {
  if (body.getNumArguments() != 3 || body.getOperations().size() != 3)
    return false;
  Operation *product = &body.front(), *sum = product->getNextNode();
  return isa<arith::MulFOp, arith::MulIOp>(product) &&
         isa<arith::AddFOp, arith::AddIOp>(sum) && promisesNothing(product) &&
         promisesNothing(sum) &&
         areEither(product, body.getArgument(0), body.getArgument(1)) &&
         areEither(sum, body.getArgument(2), product->getResult(0)) &&
         yields(body, 3, sum->getResult(0));
}

template <typename Op>
static bool isProduct(Op op) {
  return isPlain(op) && !op.hasUserDefinedMaps() &&
         isProductBody(op->getRegion(0).front());
}

/// Whether a product reads its matrices by these dimensions of (row, column,
/// depth), and writes by row and column.
static bool readsBy(linalg::MatmulOp op, ArrayRef<unsigned> left,
                    ArrayRef<unsigned> right) {
  if (!isPlain(op) || !isProductBody(op->getRegion(0).front()))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto map = [&](ArrayRef<unsigned> dims) {
    return AffineMap::getMultiDimMapWithTargets(3, dims, op.getContext());
  };
  return maps.size() == 3 && maps[0] == map(left) && maps[1] == map(right) &&
         maps[2] == map({0, 1});
}
static bool isProductOfTransposedLeft(linalg::MatmulOp op) {
  return readsBy(op, {2, 0}, {2, 1});
}
static bool isProductOfTransposedRight(linalg::MatmulOp op) {
  return readsBy(op, {0, 2}, {1, 2});
}

static bool isSum(linalg::AddOp op) {
  return isPlain(op) &&
         isBinaryBody<arith::AddFOp, arith::AddIOp>(op->getRegion(0).front());
}

static bool isScale(linalg::MulOp op) {
  return isPlain(op) &&
         isBinaryBody<arith::MulFOp, arith::MulIOp>(op->getRegion(0).front());
}

static bool isMove(linalg::TransposeOp op) {
  Block &body = op->getRegion(0).front();
  return isPlain(op) && yields(body, 1, body.getArgument(0));
}

static bool isFill(linalg::FillOp op) {
  Block &body = op->getRegion(0).front();
  return isPlain(op, /*hasScalar=*/true) &&
         yields(body, 1, body.getArgument(0));
}

static ArrayRef<int64_t> getPermutation(const RuleValue &value) {
  auto permutation = dyn_cast_or_null<DenseI64ArrayAttr>(value.attribute);
  return permutation ? permutation.asArrayRef() : ArrayRef<int64_t>();
}

/// Dimension i of what `second` makes of what `first` makes is
/// first[second[i]]. Empty where these are no permutations of one rank.
static SmallVector<int64_t> composeOrders(const RuleValue &first,
                                          const RuleValue &second) {
  ArrayRef<int64_t> p = getPermutation(first), q = getPermutation(second);
  SmallVector<int64_t> both;
  if (p.size() != q.size())
    return both;
  for (int64_t index : q) {
    if (index < 0 || index >= int64_t(p.size()))
      return {};
    both.push_back(p[index]);
  }
  return both;
}

/// A matrix, or a batch of them.
static RankedTensorType getMatrix(TermGraph &graph, const RuleValue &value) {
  auto type = dyn_cast_or_null<RankedTensorType>(graph.getType(value.id));
  return type && (type.getRank() == 2 || type.getRank() == 3) &&
                 isPlainTensor(type)
             ? type
             : RankedTensorType();
}

static std::optional<ClassId> addEmpty(TermGraph &graph, Type type,
                                       std::string &problem) {
  return graph.add(
      OperationName(tensor::EmptyOp::getOperationName(), graph.getContext()),
      DictionaryAttr::get(graph.getContext()), {}, ArrayRef<Type>(type),
      &problem);
}

/// Appends a class where there is one.
static bool answer(std::optional<ClassId> id,
                   SmallVectorImpl<RuleValue> &results) {
  if (id)
    results.push_back(RuleValue::value(*id));
  return id.has_value();
}

using Arguments = ArrayRef<RuleValue>;
using Results = SmallVectorImpl<RuleValue>;

static bool makeFilled(TermGraph &graph, Arguments arguments, Results &results,
                       std::string &problem) {
  MLIRContext *context = graph.getContext();
  if (!isPlainTensor(arguments[1].type) ||
      graph.getType(arguments[0].id) !=
          getElementTypeOrSelf(arguments[1].type)) {
    problem = "what is filled is no tensor of static shape of such elements";
    return false;
  }
  std::optional<ClassId> empty = addEmpty(graph, arguments[1].type, problem);
  if (!empty)
    return false;
  Builder builder(context);
  auto attributes = DictionaryAttr::get(
      context, builder.getNamedAttr("operandSegmentSizes",
                                    builder.getDenseI32ArrayAttr({1, 1})));
  return answer(
      graph.add(OperationName(linalg::FillOp::getOperationName(), context),
                attributes, {arguments[0].id, *empty},
                ArrayRef<Type>(arguments[1].type), &problem),
      results);
}

static bool makeSplat(TermGraph &graph, Arguments arguments, Results &results,
                      std::string &problem) {
  auto splat = dyn_cast<SplatElementsAttr>(arguments[0].attribute);
  if (!splat) {
    llvm::raw_string_ostream(problem)
        << "the attribute " << arguments[0].attribute << " is no splat";
    return false;
  }
  return answer(graph.addConstant(
                    splat.getSplatValue<Attribute>(), splat.getElementType(),
                    graph.getContext()->getLoadedDialect<arith::ArithDialect>(),
                    &problem),
                results);
}

/// A question about the body of a named op.
template <typename Op>
static NativeConstraint asks(bool (*holds)(Op)) {
  return [holds](TermGraph &graph, Arguments arguments, Results &) {
    Op op = getPrototype<Op>(graph, arguments[0]);
    return op && holds(op);
  };
}

void mlir::tensoraccess::addLinalgFunctions(NativeFunctions &functions) {
  auto &constraints = functions.constraints;
  constraints["IsProduct"] = asks<linalg::MatmulOp>(isProduct);
  constraints["IsBatchProduct"] = asks<linalg::BatchMatmulOp>(isProduct);
  constraints["IsProductOfTransposedLeft"] =
      asks<linalg::MatmulOp>(isProductOfTransposedLeft);
  constraints["IsProductOfTransposedRight"] =
      asks<linalg::MatmulOp>(isProductOfTransposedRight);
  constraints["IsSum"] = asks<linalg::AddOp>(isSum);
  constraints["IsScale"] = asks<linalg::MulOp>(isScale);
  constraints["IsMove"] = asks<linalg::TransposeOp>(isMove);
  constraints["IsFill"] = asks<linalg::FillOp>(isFill);
  constraints["IsZero"] = [](TermGraph &graph, Arguments arguments, Results &) {
    Attribute value = graph.getConstant(arguments[0].id);
    if (auto number = dyn_cast_or_null<FloatAttr>(value))
      return number.getValue().isZero();
    auto number = dyn_cast_or_null<IntegerAttr>(value);
    return number && number.getValue().isZero();
  };
  constraints["IsPlainTensor"] = [](TermGraph &, Arguments arguments,
                                    Results &) {
    return isPlainTensor(arguments[0].type);
  };
  constraints["IsSplat"] = [](TermGraph &, Arguments arguments, Results &) {
    auto splat = dyn_cast_or_null<SplatElementsAttr>(arguments[0].attribute);
    return splat && splat.getType() == arguments[1].type &&
           isPlainTensor(arguments[1].type);
  };
  constraints["HasNoFastMath"] = [](TermGraph &, Arguments arguments,
                                    Results &) {
    auto flags =
        dyn_cast_or_null<arith::FastMathFlagsAttr>(arguments[0].attribute);
    return flags && flags.getValue() == arith::FastMathFlags::none;
  };
  constraints["SwapsTwo"] = [](TermGraph &, Arguments arguments, Results &) {
    return getPermutation(arguments[0]) == ArrayRef<int64_t>{1, 0};
  };
  constraints["SwapsLastTwo"] = [](TermGraph &, Arguments arguments,
                                   Results &) {
    return getPermutation(arguments[0]) == ArrayRef<int64_t>{0, 2, 1};
  };
  constraints["KeepsOrder"] = [](TermGraph &, Arguments arguments, Results &) {
    ArrayRef<int64_t> order = getPermutation(arguments[0]);
    return isa_and_nonnull<DenseI64ArrayAttr>(arguments[0].attribute) &&
           isIdentityPermutation(order);
  };
  constraints["AreInverse"] = [](TermGraph &, Arguments arguments, Results &) {
    SmallVector<int64_t> both = composeOrders(arguments[0], arguments[1]);
    return !both.empty() && isIdentityPermutation(both);
  };
  constraints["AreNotInverse"] = [](TermGraph &, Arguments arguments,
                                    Results &) {
    SmallVector<int64_t> both = composeOrders(arguments[0], arguments[1]);
    return !both.empty() && !isIdentityPermutation(both);
  };

  auto &rewrites = functions.rewrites;
  rewrites["ProductType"] = [](TermGraph &graph, Arguments arguments,
                               Results &results, std::string &) {
    RankedTensorType a = getMatrix(graph, arguments[0]),
                     b = getMatrix(graph, arguments[1]);
    if (!a || !b || a.getRank() != b.getRank())
      return false;
    SmallVector<int64_t> shape(a.getShape());
    shape.back() = b.getShape().back();
    results.push_back(Type(RankedTensorType::get(shape, a.getElementType())));
    return true;
  };
  rewrites["PermutedType"] = [](TermGraph &graph, Arguments arguments,
                                Results &results, std::string &) {
    auto type =
        dyn_cast_or_null<RankedTensorType>(graph.getType(arguments[0].id));
    ArrayRef<int64_t> order = getPermutation(arguments[1]);
    if (!isPlainTensor(type) || int64_t(order.size()) != type.getRank())
      return false;
    results.push_back(Type(RankedTensorType::get(
        applyPermutation(type.getShape(), order), type.getElementType())));
    return true;
  };
  rewrites["TypeOf"] = [](TermGraph &graph, Arguments arguments,
                          Results &results, std::string &) {
    Type type = graph.getType(arguments[0].id);
    if (type)
      results.push_back(type);
    return bool(type);
  };
  rewrites["Compose"] = [](TermGraph &graph, Arguments arguments,
                           Results &results, std::string &problem) {
    SmallVector<int64_t> both = composeOrders(arguments[0], arguments[1]);
    if (both.empty()) {
      problem = "what is composed are no permutations of one rank";
      return false;
    }
    results.push_back(
        Attribute(DenseI64ArrayAttr::get(graph.getContext(), both)));
    return true;
  };
  rewrites["Splat"] = makeSplat;
  rewrites["Empty"] = [](TermGraph &graph, Arguments arguments,
                         Results &results, std::string &problem) {
    return answer(addEmpty(graph, arguments[0].type, problem), results);
  };
  rewrites["Filled"] = makeFilled;

  using Kind = RuleValue::Kind;
  for (StringRef name :
       {"IsProduct", "IsBatchProduct", "IsProductOfTransposedLeft",
        "IsProductOfTransposedRight", "IsSum", "IsScale", "IsMove", "IsFill"})
    functions.declare(name, {Kind::Operation});
  functions.declare("IsZero", {Kind::Value});
  functions.declare("IsPlainTensor", {Kind::Type});
  functions.declare("IsSplat", {Kind::Attribute, Kind::Type});
  for (StringRef name :
       {"HasNoFastMath", "SwapsTwo", "SwapsLastTwo", "KeepsOrder"})
    functions.declare(name, {Kind::Attribute});
  for (StringRef name : {"AreInverse", "AreNotInverse"})
    functions.declare(name, {Kind::Attribute, Kind::Attribute});
  functions.declare("ProductType", {Kind::Value, Kind::Value}, {Kind::Type});
  functions.declare("PermutedType", {Kind::Value, Kind::Attribute},
                    {Kind::Type});
  functions.declare("TypeOf", {Kind::Value}, {Kind::Type});
  functions.declare("Compose", {Kind::Attribute, Kind::Attribute},
                    {Kind::Attribute});
  functions.declare("Splat", {Kind::Attribute}, {Kind::Value});
  functions.declare("Empty", {Kind::Type}, {Kind::Value});
  functions.declare("Filled", {Kind::Value, Kind::Type}, {Kind::Value});
}
