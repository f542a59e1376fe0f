//===- StreamFirsts.cpp - First columns of running sums -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A running sum is often a loop from column 1 on, behind one that makes column 0. If
// trip 0 would make the same of a constant, such as 0 for sums, that constant is what
// the state begins with, and a step need not know whether it is the first.
//
//===----------------------------------------------------------------------===//

#include "LoopStreamer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Whether trip 0 would have such indices, with loops that have the same trips.
bool LoopStreamer::matchIndices(ArrayRef<OpFoldResult> first,
                                ArrayRef<OpFoldResult> trip, unsigned along,
                                IRMapping &loops) {
  for (auto [d, a, b] : llvm::enumerate(first, trip)) {
    std::optional<Line> x = numbers.evaluate(a), y = numbers.evaluate(b);
    if (d == along || (x && y)) {
      if (!x || !y || x->slope != 0 || x->first != y->first ||
          y->slope != (d == along))
        return false;
      continue;
    }
    auto u = dyn_cast<Value>(a), v = dyn_cast<Value>(b);
    if (!u || !v)
      return false;
    if (u == v || loops.lookupOrNull(v) == u)
      continue;
    auto i = scf::getForInductionVarOwner(u),
         j = scf::getForInductionVarOwner(v);
    if (!i || !j || loops.contains(v))
      return false;
    for (auto [own, other] : {std::pair(i.getLowerBound(), j.getLowerBound()),
                              {i.getUpperBound(), j.getUpperBound()},
                              {i.getStep(), j.getStep()}})
      if (own != other &&
          (!getConstantIntValue(own) ||
           getConstantIntValue(own) != getConstantIntValue(other)))
        return false;
    loops.map(v, u);
  }
  return true;
}

/// Whether a scalar is of the column that the trip before made.
bool LoopStreamer::isOfLast(Value value) {
  Operation *op = value.getDefiningOp();
  std::optional<PlaceOp> place = op ? getPlaceOp(op) : std::nullopt;
  return place && !place->written && trackOf.contains(place->tensor) &&
         numbers.evaluate(
             place->indices[*tracks[trackOf.lookup(place->tensor)].dim]) ==
             Line{1, -1};
}

/// Whether a scalar is what trip 0 makes if `begin` is read of the column before.
bool LoopStreamer::match(Value first, Value trip, IRMapping &loops,
                         Attribute &begin) {
  // Operands may be swapped, which is tried so often only.
  if (++numMatches > 1000)
    return false;
  auto isBegin = [&](Value value, Attribute constant) {
    if (!isOfLast(value) || (begin && begin != constant))
      return false;
    begin = constant;
    return true;
  };
  Operation *a = first.getDefiningOp(), *b = trip.getDefiningOp();
  Attribute constant, other;
  if (matchPattern(first, m_Constant(&constant)))
    return matchPattern(trip, m_Constant(&other)) ? constant == other
                                                  : isBegin(trip, constant);
  // What was found is kept where all operands match.
  auto attempt = [&](function_ref<bool()> areEqual) {
    IRMapping ownLoops = loops;
    Attribute ownBegin = begin;
    if (areEqual())
      return true;
    loops = std::move(ownLoops);
    begin = ownBegin;
    return false;
  };
  // Where it was folded: x for x + 0.
  if (std::optional<TypedAttr> neutral =
          b ? arith::getNeutralElement(b) : std::nullopt)
    for (unsigned i : {0, 1})
      if (attempt([&] {
            return isOfLast(b->getOperand(i)) &&
                   match(first, b->getOperand(1 - i), loops, begin) &&
                   isBegin(b->getOperand(i), *neutral);
          }))
        return true;
  if (!a || !b || a->getName() != b->getName() ||
      a->getAttrDictionary() != b->getAttrDictionary() ||
      first.getType() != trip.getType() || a->getNumRegions() != 0)
    return first == trip && loop->getBlock() == first.getParentBlock();
  if (std::optional<PlaceOp> x = getPlaceOp(a)) {
    PlaceOp y = *getPlaceOp(b);
    auto read = reads.find(x->tensor);
    return x->tensor == y.tensor && read != reads.end() &&
           matchIndices(x->indices, y.indices, *read->second.dim, loops);
  }
  if (!isPure(a) || a->getNumOperands() != b->getNumOperands())
    return false;
  auto matchAll = [&](bool isSwapped) {
    return attempt([&] {
      for (auto [i, operand] : llvm::enumerate(a->getOperands()))
        if (!match(operand, b->getOperand(isSwapped ? 1 - i : i), loops, begin))
          return false;
      return true;
    });
  };
  return matchAll(false) || (a->hasTrait<OpTrait::IsCommutative>() &&
                             a->getNumOperands() == 2 && matchAll(true));
}

/// Where trip 0 makes the first columns as the others, it need not be known whether
/// they are the first.
void LoopStreamer::findBegins() {
  if (numbers.first != 1)
    return;
  SmallVector<Attribute> begins;
  for (const Track &track : tracks) {
    tensor::InsertOp before, within;
    for (Value value : track.values) {
      auto insert = value.getDefiningOp<tensor::InsertOp>();
      if (!insert)
        continue;
      tensor::InsertOp &own = isInTrip(insert) ? within : before;
      if (own)
        return;
      own = insert;
    }
    IRMapping loops;
    begins.emplace_back();
    if (track.back != 1 || !before || !within ||
        !matchIndices(getAsOpFoldResult(before.getIndices()),
                      getAsOpFoldResult(within.getIndices()), *track.dim,
                      loops) ||
        !match(before.getScalar(), within.getScalar(), loops, begins.back()) ||
        !begins.back())
      return;
  }
  for (unsigned i = 0; along == loop && i < loop->getNumResults(); ++i)
    if (!isTracked(i))
      return;
  for (auto [track, begin] : llvm::zip_equal(tracks, begins))
    track.begin = begin;
  numbers.first = 0;
}
