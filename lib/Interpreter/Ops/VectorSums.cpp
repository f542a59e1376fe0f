//===- VectorSums.cpp - What combines elements of vectors -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are combined one after the other, in row-major order, after what
// is there before: an accumulator, or the kind's neutral element. A sum of
// products of floats rounds each product and each sum, an outer product once,
// as vector.fma, which is what upstream lowers it to.
//
//===----------------------------------------------------------------------===//

#include "Scalar/ScalarProgram.h"
#include "VectorOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// Ops on scalars of one type, by their names in arith and math.
class Scalars {
public:
  explicit Scalars(Type type)
      : type(*getScalarType(type)), isOnFloats(isa<FloatType>(type)) {}

  ScalarRegister run(StringRef name, ArrayRef<ScalarRegister> operands) const {
    ScalarRegister registers[4];
    llvm::copy(operands, registers);
    ScalarInstruction in;
    in.operands[1] = 1;
    in.operands[2] = 2;
    in.result = 3;
    in.operandType = in.resultType = type;
    ScalarContext context{registers, nullptr, {}};
    findScalarHandlers(name).run(in, context);
    return registers[3];
  }
  ScalarRegister combine(vector::CombiningKind kind, ScalarRegister a,
                         ScalarRegister b) const {
    return run(getName(kind), {a, b});
  }
  ScalarRegister multiply(ScalarRegister a, ScalarRegister b) const {
    return run(isOnFloats ? "arith.mulf" : "arith.muli", {a, b});
  }
  /// combine(c, a·b)
  ScalarRegister addProduct(vector::CombiningKind kind, ScalarRegister a,
                            ScalarRegister b, ScalarRegister c) const {
    if (isOnFloats && kind == vector::CombiningKind::ADD)
      return run("math.fma", {a, b, c});
    return combine(kind, c, multiply(a, b));
  }
  ScalarRegister load(const Tensor &tensor, ArrayRef<int64_t> at) const {
    return getLoad(tensor.getElementType())(tensor.getElement(at));
  }
  void store(Tensor &tensor, ArrayRef<int64_t> at, ScalarRegister value) const {
    getStore(tensor.getElementType())(tensor.getElement(at), value);
  }

private:
  StringRef getName(vector::CombiningKind kind) const {
    switch (kind) {
    case vector::CombiningKind::ADD:
      return isOnFloats ? "arith.addf" : "arith.addi";
    case vector::CombiningKind::MUL:
      return isOnFloats ? "arith.mulf" : "arith.muli";
    case vector::CombiningKind::MINUI:
      return "arith.minui";
    case vector::CombiningKind::MINSI:
      return "arith.minsi";
    case vector::CombiningKind::MINNUMF:
      return "arith.minnumf";
    case vector::CombiningKind::MAXUI:
      return "arith.maxui";
    case vector::CombiningKind::MAXSI:
      return "arith.maxsi";
    case vector::CombiningKind::MAXNUMF:
      return "arith.maxnumf";
    case vector::CombiningKind::AND:
      return "arith.andi";
    case vector::CombiningKind::OR:
      return "arith.ori";
    case vector::CombiningKind::XOR:
      return "arith.xori";
    case vector::CombiningKind::MINIMUMF:
      return "arith.minimumf";
    case vector::CombiningKind::MAXIMUMF:
      return "arith.maximumf";
    }
    llvm_unreachable("every kind has a case");
  }

  ScalarType type;
  bool isOnFloats;
};
} // namespace

/// What a fold of a vector begins with: the accumulator, or a sum's zero or a
/// product's one; std::nullopt for kinds that begin with the first element.
static std::optional<ScalarRegister> getStart(vector::ReductionOp op,
                                              const Environment &env) {
  if (op.getAcc())
    return loadScalar(env.getTensor(op.getAcc()));
  const bool isSum = op.getKind() == vector::CombiningKind::ADD;
  if (!isa<FloatType>(op.getType()) ||
      (!isSum && op.getKind() != vector::CombiningKind::MUL))
    return std::nullopt;
  ScalarRegister start;
  start.f = isSum ? 0 : 1;
  return start;
}

static FailureOr<RuntimeValues> runReduction(vector::ReductionOp op,
                                             const Environment &env) {
  FailureOr<Tensor> result = createVector(op, op.getType());
  if (failed(result))
    return failure();
  const Scalars scalars(op.getType());
  const Tensor &source = env.getTensor(op.getVector());
  std::optional<ScalarRegister> sum = getStart(op, env);
  forEachIndex(source.getShape(), [&](ArrayRef<int64_t> at) {
    ScalarRegister element = scalars.load(source, at);
    sum = sum ? scalars.combine(op.getKind(), *sum, element) : element;
  });
  scalars.store(*result, {}, *sum);
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues>
runMultiReduction(vector::MultiDimReductionOp op, const Environment &env) {
  FailureOr<Tensor> result =
      reportAt(op.getOperation(), env.getTensor(op.getAcc()).clone());
  if (failed(result))
    return failure();
  const Scalars scalars(getElementTypeOrSelf(op.getDestType()));
  const Tensor &source = env.getTensor(op.getSource());
  forEachIndex(source.getShape(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> at;
    for (auto [d, i] : llvm::enumerate(index))
      if (!llvm::is_contained(op.getReductionDims(), int64_t(d)))
        at.push_back(i);
    scalars.store(*result, at,
                  scalars.combine(op.getKind(), scalars.load(*result, at),
                                  scalars.load(source, index)));
  });
  return RuntimeValues{std::move(*result)};
}

/// The elements of each row combined up to a place, with it or without.
static FailureOr<RuntimeValues> runScan(vector::ScanOp op,
                                        const Environment &env) {
  FailureOr<Tensor> result = createVector(op, op.getDestType());
  FailureOr<Tensor> sums =
      reportAt(op.getOperation(), env.getTensor(op.getInitialValue()).clone());
  if (failed(result) || failed(sums))
    return failure();
  const Scalars scalars(op.getDestType().getElementType());
  const Tensor &source = env.getTensor(op.getSource());
  const int64_t dim = op.getReductionDim();
  forEachIndex(source.getShape(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> at(index), before(index);
    at.erase(at.begin() + dim);
    ScalarRegister sum = scalars.load(*sums, at),
                   element = scalars.load(source, index);
    if (op.getInclusive()) {
      // The initial value is for what goes before the first element.
      sum = index[dim] == 0 ? element
                            : scalars.combine(op.getKind(), sum, element);
    } else if (index[dim] != 0) {
      --before[dim];
      sum = scalars.combine(op.getKind(), sum, scalars.load(source, before));
    }
    scalars.store(*sums, at, sum);
    scalars.store(*result, index, sum);
  });
  return RuntimeValues{std::move(*result), std::move(*sums)};
}

static FailureOr<RuntimeValues> runOuterProduct(vector::OuterProductOp op,
                                                const Environment &env) {
  FailureOr<Tensor> result = createVector(op, op.getResultVectorType());
  if (failed(result))
    return failure();
  const Scalars scalars(op.getResultVectorType().getElementType());
  const Tensor &lhs = env.getTensor(op.getLhs()),
               &rhs = env.getTensor(op.getRhs());
  forEachIndex(result->getShape(), [&](ArrayRef<int64_t> index) {
    ScalarRegister a = scalars.load(lhs, index.take_front()),
                   b = scalars.load(rhs, index.drop_front());
    scalars.store(*result, index,
                  op.getAcc()
                      ? scalars.addProduct(
                            op.getKind(), a, b,
                            scalars.load(env.getTensor(op.getAcc()), index))
                      : scalars.multiply(a, b));
  });
  return RuntimeValues{std::move(*result)};
}

static FailureOr<RuntimeValues> runContract(vector::ContractionOp op,
                                            const Environment &env) {
  FailureOr<Tensor> result =
      reportAt(op.getOperation(), env.getTensor(op.getAcc()).clone());
  if (failed(result))
    return failure();
  const Scalars scalars(getElementTypeOrSelf(op.getResultType()));
  const Tensor &lhs = env.getTensor(op.getLhs()),
               &rhs = env.getTensor(op.getRhs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Every loop walks a dimension of a factor alone.
  SmallVector<int64_t> sizes(maps[0].getNumDims(), 1);
  for (unsigned i : {0, 1})
    for (auto [d, expr] : llvm::enumerate(maps[i].getResults()))
      sizes[cast<AffineDimExpr>(expr).getPosition()] =
          (i == 0 ? lhs : rhs).getDim(d);
  forEachIndex(sizes, [&](ArrayRef<int64_t> point) {
    SmallVector<int64_t> at = maps[2].compose(point);
    ScalarRegister product =
        scalars.multiply(scalars.load(lhs, maps[0].compose(point)),
                         scalars.load(rhs, maps[1].compose(point)));
    scalars.store(
        *result, at,
        scalars.combine(op.getKind(), scalars.load(*result, at), product));
  });
  return RuntimeValues{std::move(*result)};
}

void mlir::tensoraccess::addVectorSumEvaluators(OpEvaluators &all) {
  addEvaluator<vector::ContractionOp, runContract>(all);
  addEvaluator<vector::MultiDimReductionOp, runMultiReduction>(all);
  addEvaluator<vector::OuterProductOp, runOuterProduct>(all);
  addEvaluator<vector::ReductionOp, runReduction>(all);
  addEvaluator<vector::ScanOp, runScan>(all);
}
