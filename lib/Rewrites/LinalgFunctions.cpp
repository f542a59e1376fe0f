//===- LinalgFunctions.cpp - What the rules of linalg ask -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Side conditions and makers of Linalg.pdll. The body of a named op defines what
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
/// to rounding: i1 is not in linalg, which adds it by `or`.
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

static ArrayRef<int64_t> getPermutation(Attribute value) {
  auto permutation = dyn_cast_or_null<DenseI64ArrayAttr>(value);
  return permutation ? permutation.asArrayRef() : ArrayRef<int64_t>();
}

/// Dimension i of the result of `first`, then `second`, is
/// first[second[i]]. Empty if these are not permutations of one rank.
static SmallVector<int64_t> composeOrders(Attribute first, Attribute second) {
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
static RankedTensorType getMatrix(TermGraph &graph, ClassId value) {
  auto type = dyn_cast_or_null<RankedTensorType>(graph.getType(value));
  return type && (type.getRank() == 2 || type.getRank() == 3) &&
                 isPlainTensor(type)
             ? type
             : RankedTensorType();
}

static std::optional<ClassId> addEmpty(TermGraph &graph, std::string &problem,
                                       Type type) {
  return graph.add(
      OperationName(tensor::EmptyOp::getOperationName(), graph.getContext()),
      DictionaryAttr::get(graph.getContext()), {}, ArrayRef<Type>(type),
      &problem);
}

static std::optional<ClassId> makeFilled(TermGraph &graph, std::string &problem,
                                         ClassId scalar, Type type) {
  MLIRContext *context = graph.getContext();
  if (!isPlainTensor(type) ||
      graph.getType(scalar) != getElementTypeOrSelf(type)) {
    problem = "what is filled is not a tensor of static shape of such elements";
    return std::nullopt;
  }
  std::optional<ClassId> empty = addEmpty(graph, problem, type);
  if (!empty)
    return std::nullopt;
  Builder builder(context);
  auto attributes = DictionaryAttr::get(
      context, builder.getNamedAttr("operandSegmentSizes",
                                    builder.getDenseI32ArrayAttr({1, 1})));
  return graph.add(OperationName(linalg::FillOp::getOperationName(), context),
                   attributes, {scalar, *empty}, ArrayRef<Type>(type),
                   &problem);
}

static std::optional<ClassId> makeSplat(TermGraph &graph, std::string &problem,
                                        Attribute value) {
  auto splat = dyn_cast<SplatElementsAttr>(value);
  if (!splat) {
    llvm::raw_string_ostream(problem)
        << "the attribute " << value << " is not a splat";
    return std::nullopt;
  }
  return graph.addConstant(
      splat.getSplatValue<Attribute>(), splat.getElementType(),
      graph.getContext()->getLoadedDialect<arith::ArithDialect>(), &problem);
}

/// A question about the body of a named op.
template <typename Op, bool (*holds)(Op)>
static bool asks(TermGraph &graph, RuleValue value) {
  Op op = getPrototype<Op>(graph, value);
  return op && holds(op);
}

void mlir::tensoraccess::addLinalgFunctions(NativeFunctions &functions) {
  addConstraint(functions, "IsProduct", asks<linalg::MatmulOp, isProduct>);
  addConstraint(functions, "IsBatchProduct",
                asks<linalg::BatchMatmulOp, isProduct>);
  addConstraint(functions, "IsProductOfTransposedLeft",
                asks<linalg::MatmulOp, isProductOfTransposedLeft>);
  addConstraint(functions, "IsProductOfTransposedRight",
                asks<linalg::MatmulOp, isProductOfTransposedRight>);
  addConstraint(functions, "IsSum", asks<linalg::AddOp, isSum>);
  addConstraint(functions, "IsScale", asks<linalg::MulOp, isScale>);
  addConstraint(functions, "IsMove", asks<linalg::TransposeOp, isMove>);
  addConstraint(functions, "IsFill", asks<linalg::FillOp, isFill>);
  addConstraint(
      functions, "IsZero", +[](TermGraph &graph, ClassId scalar) {
        Attribute value = graph.getConstant(scalar);
        if (auto number = dyn_cast_or_null<FloatAttr>(value))
          return number.getValue().isZero();
        auto number = dyn_cast_or_null<IntegerAttr>(value);
        return number && number.getValue().isZero();
      });
  addConstraint(
      functions, "IsPlainTensor",
      +[](TermGraph &, Type type) { return isPlainTensor(type); });
  addConstraint(
      functions, "IsSplat", +[](TermGraph &, Attribute value, Type type) {
        auto splat = dyn_cast_or_null<SplatElementsAttr>(value);
        return splat && splat.getType() == type && isPlainTensor(type);
      });
  addConstraint(
      functions, "HasNoFastMath", +[](TermGraph &, Attribute value) {
        auto flags = dyn_cast_or_null<arith::FastMathFlagsAttr>(value);
        return flags && flags.getValue() == arith::FastMathFlags::none;
      });
  addConstraint(
      functions, "SwapsTwo", +[](TermGraph &, Attribute order) {
        return getPermutation(order) == ArrayRef<int64_t>{1, 0};
      });
  addConstraint(
      functions, "SwapsLastTwo", +[](TermGraph &, Attribute order) {
        return getPermutation(order) == ArrayRef<int64_t>{0, 2, 1};
      });
  addConstraint(
      functions, "KeepsOrder", +[](TermGraph &, Attribute order) {
        return isa_and_nonnull<DenseI64ArrayAttr>(order) &&
               isIdentityPermutation(getPermutation(order));
      });
  addConstraint(
      functions, "AreInverse",
      +[](TermGraph &, Attribute first, Attribute second) {
        SmallVector<int64_t> both = composeOrders(first, second);
        return !both.empty() && isIdentityPermutation(both);
      });
  addConstraint(
      functions, "AreNotInverse",
      +[](TermGraph &, Attribute first, Attribute second) {
        SmallVector<int64_t> both = composeOrders(first, second);
        return !both.empty() && !isIdentityPermutation(both);
      });

  addRewrite(
      functions, "ProductType",
      +[](TermGraph &graph, std::string &, ClassId left,
          ClassId right) -> Type {
        RankedTensorType a = getMatrix(graph, left),
                         b = getMatrix(graph, right);
        if (!a || !b || a.getRank() != b.getRank())
          return {};
        SmallVector<int64_t> shape(a.getShape());
        shape.back() = b.getShape().back();
        return RankedTensorType::get(shape, a.getElementType());
      });
  addRewrite(
      functions, "PermutedType",
      +[](TermGraph &graph, std::string &, ClassId value,
          Attribute permutation) -> Type {
        auto type = dyn_cast_or_null<RankedTensorType>(graph.getType(value));
        ArrayRef<int64_t> order = getPermutation(permutation);
        if (!isPlainTensor(type) || int64_t(order.size()) != type.getRank())
          return {};
        return RankedTensorType::get(applyPermutation(type.getShape(), order),
                                     type.getElementType());
      });
  addRewrite(
      functions, "TypeOf", +[](TermGraph &graph, std::string &, ClassId value) {
        return graph.getType(value);
      });
  addRewrite(
      functions, "Compose",
      +[](TermGraph &graph, std::string &problem, Attribute first,
          Attribute second) -> Attribute {
        SmallVector<int64_t> both = composeOrders(first, second);
        if (!both.empty())
          return DenseI64ArrayAttr::get(graph.getContext(), both);
        problem = "what is composed are not permutations of one rank";
        return {};
      });
  addRewrite(functions, "Splat", makeSplat);
  addRewrite(functions, "Empty", addEmpty);
  addRewrite(functions, "Filled", makeFilled);
}
