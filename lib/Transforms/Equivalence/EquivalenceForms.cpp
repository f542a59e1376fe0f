//===- EquivalenceForms.cpp - Equal by forms and congruence ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Both bodies are in one block with the same arguments
// (EquivalenceJoin.cpp),
//    so that equal values can be the same value.
// 2. In program order, each op is compared with those before it that have the
//    same name. Two ops are congruent if they have the same attributes and
//    types, regions that are equal op by op, and operands that are equal; two
//    operands may trade places where that changes no bit (a NaN is a NaN).
//    A congruent op's results are replaced by the earlier op's.
// 3. Operands are equal if they are one value, or if their canonical access
//    forms (IR/AccessForm.h) are, which see through all ops that only move
//    elements: by the form's text, else by proof.
// 4. The functions agree if their results are equal and the classes of ops that
//    can fail are the same. For the strict reading, a check that one function
//    drops is a difference that only inputs can settle.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceMethods.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Congruence
//===----------------------------------------------------------------------===//

/// True for ops whose two operands may trade places. (The sum of -0 and 0 is 0
/// either way, and so is their maximum; maxnumf leaves that open.)
static bool isCommutative(Operation *op) {
  if (op->getNumOperands() != 2)
    return false;
  if (isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp>(
          op))
    return true;
  return op->hasTrait<OpTrait::IsCommutative>() &&
         getElementTypeOrSelf(op->getOperand(0).getType()).isIntOrIndex();
}

namespace {
class Congruence {
public:
  explicit Congruence(Block &block) : block(block) {}

  /// The first op of the block that is congruent, which may be `op` itself.
  Operation *findLeader(Operation *op);
  bool areEqual(Value a, Value b);

private:
  bool areCongruent(Operation *a, Operation *b);
  bool haveEqualTuples(ComputeOp a, ComputeOp b);

  Block &block;
  AccessForms forms;
  llvm::MapVector<OperationName, SmallVector<Operation *>> leaders;
};
} // namespace

bool Congruence::areEqual(Value a, Value b) {
  if (a == b)
    return true;
  if (a.getType() != b.getType() || a.getParentBlock() != &block ||
      b.getParentBlock() != &block || !AccessForms::hasForm(a) ||
      !AccessForms::hasForm(b))
    return false;
  const CanonicalAccess &x = forms.getAccess(a), &y = forms.getAccess(b);
  if (x == y)
    return true;
  // Different sources differ, and comparing takes time.
  if (x.getSources() != y.getSources())
    return false;
  return x.compare(y).verdict == Equivalence::Verdict::Equal;
}

/// compute kinds over a tuple of two, whose elements may trade places: one
/// product or one sum.
bool Congruence::haveEqualTuples(ComputeOp a, ComputeOp b) {
  ComputeKind kind = a.getKind();
  if (kind != ComputeKind::DotProd && kind != ComputeKind::ElementwiseAdd &&
      kind != ComputeKind::ElementwiseMul)
    return false;
  AccessType type = a.getPattern().getType();
  if (type != b.getPattern().getType() || type.getComputeShape()[0] != 2 ||
      !AccessForms::hasForm(a.getPattern()))
    return false;
  unsigned axis = type.getAccessRank();
  AccessForm x = forms.get(a.getPattern()), y = forms.get(b.getPattern());
  std::optional<AccessForm> x0 = x.fix(axis, 0), x1 = x.fix(axis, 1),
                            y0 = y.fix(axis, 0), y1 = y.fix(axis, 1);
  auto areSame = [](const AccessForm &p, const AccessForm &q) {
    return p == q || (p.bases == q.bases && p.constants == q.constants &&
                      p.compare(q).verdict == Equivalence::Verdict::Equal);
  };
  return x0 && x1 && y0 && y1 && areSame(*x0, *y1) && areSame(*x1, *y0);
}

bool Congruence::areCongruent(Operation *a, Operation *b) {
  DenseMap<Value, Value> marked;
  auto check = [&](Value x, Value y) {
    auto found = marked.find(x);
    return success(found != marked.end() ? found->second == y : areEqual(x, y));
  };
  auto mark = [&](Value x, Value y) { marked[x] = y; };
  constexpr auto flags = OperationEquivalence::Flags::IgnoreLocations;
  if (OperationEquivalence::isEquivalentTo(a, b, check, mark, flags))
    return true;
  bool swaps = isCommutative(a);
  auto compute = dyn_cast<ComputeOp>(a);
  if (!swaps && !compute)
    return false;
  if (!OperationEquivalence::isEquivalentTo(
          a, b, OperationEquivalence::ignoreValueEquivalence, nullptr, flags))
    return false;
  if (compute)
    return haveEqualTuples(compute, cast<ComputeOp>(b));
  return areEqual(a->getOperand(0), b->getOperand(1)) &&
         areEqual(a->getOperand(1), b->getOperand(0));
}

Operation *Congruence::findLeader(Operation *op) {
  SmallVector<Operation *> &candidates = leaders[op->getName()];
  for (Operation *candidate : candidates)
    if (areCongruent(candidate, op))
      return candidate;
  candidates.push_back(op);
  return op;
}

bool mlir::tensoraccess::proveByForms(JoinedFunctions &joined) {
  Block &block = joined.function->getBody().front();
  Congruence congruence(block);
  DenseMap<Operation *, Operation *> leaderOf;
  // Ops that can fail, of the first function and of both.
  llvm::SetVector<Operation *> fallible, ofSecond;
  size_t number = 0;
  for (Operation &op : block) {
    Operation *leader = congruence.findLeader(&op);
    if (leader != &op) {
      op.replaceAllUsesWith(leader);
      for (auto results : {&joined.firstResults, &joined.secondResults})
        for (Value &value : *results)
          if (value.getDefiningOp() == &op)
            value = leader->getResult(cast<OpResult>(value).getResultNumber());
    }
    bool isFirst = number++ < joined.firstOps;
    if (canFail(&op))
      (isFirst ? fallible : ofSecond).insert(leader);
  }
  joined.failAlike = fallible.size() == ofSecond.size() &&
                     llvm::all_of(ofSecond, [&](Operation *op) {
                       return fallible.contains(op);
                     });
  return joined.failAlike &&
         llvm::all_of_zip(
             joined.firstResults, joined.secondResults,
             [&](Value a, Value b) { return congruence.areEqual(a, b); });
}
