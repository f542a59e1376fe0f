//===- DerivativeFacts.cpp - Derivatives of ops ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DerivativeFacts.h"
#include "ScalarFacts.h"

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

bool tensoraccess::isDifferentiable(Type type) {
  // For a tuple, some may.
  return !isa<IntegerType, IndexType>(getElementTypeOrSelf(type));
}

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

/// The name in the table; empty for ops that are no scalar functions.
static StringRef getFunction(Operation *op) {
  if (StringRef name = getScalarFunction(op); !name.empty())
    return name;
  if (const HloTraits *traits = getHloTraits(op))
    return traits->kind == HloTraits::Kind::Elementwise ? getHloName(op)
                                                        : StringRef();
  auto [dialect, name] = op->getName().getStringRef().split('.');
  if (dialect == "math")
    return name == "round"       ? "round_nearest_afz"
           : name == "roundeven" ? "round_nearest_even"
                                 : name;
  if (dialect == "arith" || dialect == "complex" ||
      (dialect == "tosa" && op->hasTrait<OpTrait::Elementwise>()))
    return name;
  return {};
}

static bool hasDerivative(StringRef name, unsigned operand) {
  if (name == "select")
    return operand > 0;
  return !llvm::is_contained({"ceil", "floor", "round_nearest_afz",
                              "round_nearest_even", "sign", "trunc"},
                             name);
}

static bool isCurved(StringRef name, unsigned first, unsigned second) {
  if (name == "multiply")
    return first != second;
  if (name == "divide")
    return first == 1 || second == 1;
  return !llvm::is_contained({"abs",
                              "add",
                              "ceil",
                              "clamp",
                              "complex",
                              "conj",
                              "convert",
                              "copy",
                              "floor",
                              "imag",
                              "maximum",
                              "minimum",
                              "negate",
                              "real",
                              "reduce_precision",
                              "remainder",
                              "round_nearest_afz",
                              "round_nearest_even",
                              "select",
                              "sign",
                              "subtract",
                              "trunc"},
                             name);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {
/// The derivatives of a value by the arguments of its block.
struct BodyDerivatives {
  llvm::SmallBitVector first;
  std::set<std::pair<unsigned, unsigned>> second;
};
} // namespace

/// What a block of scalar ops returns as its result `number`.
static BodyDerivatives getBodyDerivatives(Block &block, unsigned number) {
  const unsigned count = block.getNumArguments();
  DenseMap<Value, BodyDerivatives> known;
  for (BlockArgument argument : block.getArguments()) {
    BodyDerivatives &own = known[argument];
    own.first.resize(count);
    if (isDifferentiable(argument.getType()))
      own.first.set(argument.getArgNumber());
  }
  auto find = [&](Value value) -> BodyDerivatives & {
    BodyDerivatives &own = known[value];
    own.first.resize(count);
    return own;
  };
  for (Operation &op : block.without_terminator()) {
    BodyDerivatives all;
    all.first.resize(count);
    StringRef name = getFunction(&op);
    for (unsigned i = 0; i < op.getNumOperands(); ++i) {
      if (!name.empty() && !hasDerivative(name, i))
        continue;
      const BodyDerivatives own = find(op.getOperand(i));
      all.first |= own.first;
      all.second.insert(own.second.begin(), own.second.end());
      for (unsigned j = 0; j <= i; ++j) {
        if (!name.empty() && !isCurved(name, i, j))
          continue;
        const BodyDerivatives &other = find(op.getOperand(j));
        for (unsigned a : own.first.set_bits())
          for (unsigned b : other.first.set_bits()) {
            all.second.insert({a, b});
            all.second.insert({b, a});
          }
      }
    }
    // What regions capture may be anything.
    if (op.getNumRegions() != 0) {
      all.first.set();
      for (unsigned a = 0; a < count; ++a)
        for (unsigned b = 0; b < count; ++b)
          all.second.insert({a, b});
    }
    for (Value result : op.getResults())
      if (isDifferentiable(result.getType()))
        known[result] = all;
  }
  return number < block.getTerminator()->getNumOperands()
             ? find(block.getTerminator()->getOperand(number))
             : BodyDerivatives{llvm::SmallBitVector(count, true), {}};
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool tensoraccess::hasDerivative(const FlatStep &step, unsigned result,
                                 unsigned read) {
  Operation *op = step.op;
  if (!isDifferentiable(op->getResult(result).getType()))
    return false;
  if (read >= step.numOperands)
    return true;
  if (!isDifferentiable(op->getOperand(read).getType()))
    return false;
  if (isa<linalg::LinalgOp>(op) && op->getNumRegions() == 1)
    return getBodyDerivatives(op->getRegion(0).front(), result)
        .first.test(read);
  // Keys choose, and are moved themselves; so are maxima of windows.
  if (isHlo(op, "sort"))
    return read == result;
  if (isHlo(op, "select_and_scatter"))
    return read != 0;
  StringRef name = getFunction(op);
  return name.empty() || ::hasDerivative(name, read);
}

Curvature tensoraccess::getCurvature(const FlatStep &step, unsigned result,
                                     unsigned first, unsigned second) {
  Operation *op = step.op;
  if (first >= step.numOperands || second >= step.numOperands)
    return Curvature::AtResult;
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    BodyDerivatives body = getBodyDerivatives(op->getRegion(0).front(), result);
    // What accumulates has passed through all points.
    const unsigned accumulator = structured.getNumDpsInputs() + result;
    if (structured.getNumReductionLoops() != 0 &&
        llvm::any_of(body.second, [&](const auto &pair) {
          return pair.first >= accumulator || pair.second >= accumulator;
        }))
      return Curvature::AtResult;
    return body.second.count({first, second}) ? Curvature::AtPoint
                                              : Curvature::None;
  }
  if (StringRef name = getFunction(op); !name.empty())
    return isCurved(name, first, second) ? Curvature::AtPoint : Curvature::None;
  const HloTraits *traits = getHloTraits(op);
  using Kind = HloTraits::Kind;
  if (traits && llvm::is_contained({Kind::View, Kind::Movement, Kind::Shape},
                                   traits->kind))
    return Curvature::None;
  if (isHlo(op) && llvm::is_contained({"fft", "sort", "top_k"}, getHloName(op)))
    return Curvature::None;
  NestRef nest = getStepNest(op);
  const NestBody body = nest ? nest->body : NestBody::Opaque;
  if (body == NestBody::Move)
    return Curvature::None;
  if (body == NestBody::Contract)
    return first != second && first < 2 && second < 2 ? Curvature::AtPoint
                                                      : Curvature::None;
  // Combiners are scalar code, by which all that is combined meets.
  if (isHlo(op) && llvm::is_contained({"reduce", "reduce_window", "scatter",
                                       "select_and_scatter"},
                                      getHloName(op))) {
    Region &combiner = op->getRegion(op->getNumRegions() - 1);
    if (combiner.hasOneBlock() &&
        getBodyDerivatives(combiner.front(), result).second.empty())
      return Curvature::None;
    return Curvature::AtResult;
  }
  if (body == NestBody::Reduce)
    if (StringRef name = getCombiner(op);
        !name.empty() && !isCurved(name, 0, 1) && !isCurved(name, 0, 0))
      return Curvature::None;
  return Curvature::AtResult;
}
