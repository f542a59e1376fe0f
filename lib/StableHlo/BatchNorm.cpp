//===- BatchNorm.cpp - Batch normalisation in other ops -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The three ops by the formulas of StableHLO's specification: n elements of each
// feature, a biased variance.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// Operands of one op: x, and vectors of a number for each feature.
class BatchNorm {
public:
  BatchNorm(HloBuilder &h, Value x, int64_t feature, double epsilon)
      : h(h), x(x), feature(feature), epsilon(epsilon) {
    for (auto [d, size] : llvm::enumerate(getTensorType(x).getShape()))
      if (static_cast<int64_t>(d) != feature) {
        others.push_back(d);
        count *= static_cast<double>(size);
      }
  }

  Value spread(Value vector) {
    return h.broadcast(vector, getTensorType(x).getShape(), feature);
  }
  Value sum(Value tensor);
  Value mean(Value tensor) {
    Value total = sum(tensor);
    return h.div(total, h.like(total, count));
  }
  Value deviation(Value variance) {
    return h.sqrt(h.add(variance, h.like(variance, epsilon)));
  }
  Value normalize(Value mean, Value variance) {
    return h.div(h.sub(x, spread(mean)), spread(deviation(variance)));
  }
  Value scale(Value normal, Value scale, Value offset) {
    return h.add(h.mul(spread(scale), normal), spread(offset));
  }

  HloBuilder &h;
  Value x;
  int64_t feature;
  double epsilon, count = 1;
  SmallVector<int64_t> others;
};
} // namespace

Value BatchNorm::sum(Value tensor) {
  RankedTensorType type = getTensorType(tensor);
  auto scalar = RankedTensorType::get({}, type.getElementType());
  OperationState state(h.b.getLoc(), "stablehlo.reduce");
  state.addOperands({tensor, h.constant(scalar, 0)});
  state.addTypes(type.clone(type.getDimSize(feature)));
  state.addAttributes(h.integers("dimensions", others));
  Block *body = new Block;
  state.addRegion()->push_back(body);
  body->addArguments({scalar, scalar}, {h.b.getLoc(), h.b.getLoc()});
  ImplicitLocOpBuilder b(h.b.getLoc(), h.b.getContext());
  b.setInsertionPointToEnd(body);
  HloBuilder inside(b);
  Value next = inside.add(body->getArgument(0), body->getArgument(1));
  inside.create("stablehlo.return", TypeRange(), next);
  return h.b.create(state)->getResult(0);
}

SmallVector<Value> tensoraccess::expandBatchNorm(HloBuilder &h, Operation *op,
                                                 std::string &why) {
  StringRef name = getHloName(op);
  const bool isTraining = name == "batch_norm_training",
             isGrad = name == "batch_norm_grad";
  HloReader reader(op, why);
  auto epsilon = op->getAttrOfType<FloatAttr>("epsilon");
  auto feature = reader.integer("feature_index", -1);
  if (!reader.hasTensors(isTraining ? 3 : 5, isTraining || isGrad ? 3 : 1))
    return {};
  RankedTensorType type = reader.operandType(0);
  if (!epsilon || !feature || *feature < 0 || *feature >= type.getRank() ||
      !type.hasStaticShape() || !isa<FloatType>(type.getElementType())) {
    reader.fail("it must have an epsilon, and a feature_index that is a "
                "dimension of floats of static shape");
    return {};
  }
  auto vector = type.clone(type.getDimSize(*feature));
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (value.getType() != (i == 0 || (isGrad && i == 4) ? type : vector)) {
      reader.fail("operand " + Twine(i) + " must have " +
                  (i == 0 || (isGrad && i == 4)
                       ? "the first one's type"
                       : "an element for each feature"));
      return {};
    }
  for (auto [i, value] : llvm::enumerate(op->getResults()))
    if (value.getType() != (i == 0 ? type : vector)) {
      reader.fail(
          "result " + Twine(i) + " must have " +
          (i == 0 ? "the operand's type" : "an element for each feature"));
      return {};
    }
  Value x = op->getOperand(0), scale = op->getOperand(1),
        third = op->getOperand(2);
  BatchNorm norm(h, x, *feature, epsilon.getValueAsDouble());
  if (isTraining) {
    Value mean = norm.mean(x), centered = h.sub(x, norm.spread(mean));
    Value variance = norm.mean(h.mul(centered, centered));
    return {norm.scale(norm.normalize(mean, variance), scale, third), mean,
            variance};
  }
  if (!isGrad)
    return {norm.scale(norm.normalize(op->getOperand(3), op->getOperand(4)),
                       scale, third)};
  Value mean = third, variance = op->getOperand(3), given = op->getOperand(4);
  Value centered = h.sub(x, norm.spread(mean));
  Value total = norm.sum(given);
  Value slope = h.div(norm.sum(h.mul(given, centered)),
                      h.add(variance, h.like(variance, norm.epsilon)));
  Value all =
      h.sub(h.sub(h.mul(given, h.like(given, norm.count)), norm.spread(total)),
            h.mul(norm.spread(slope), centered));
  Value factor =
      h.div(h.div(scale, norm.deviation(variance)), h.like(scale, norm.count));
  return {h.mul(norm.spread(factor), all),
          norm.sum(h.mul(given, norm.normalize(mean, variance))), total};
}
