//===- IndexingMapAffine.cpp - The border to MLIR's affine maps -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AffineExpr appears in Core only here. Reading an expression is a bottom-up
// walk into forms; writing one uses floordiv and sums only, and leaves `mod` to
// AffineExpr's own folding. max, min and products have no affine expression.
//
//===----------------------------------------------------------------------===//

#include "IndexingMapStorage.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// Translates affine expressions over `dims` and `symbols` into forms. Uniqued
/// subexpressions are translated once; the walk keeps its own stack, since an
/// expression may be of any depth.
class AffineReader {
public:
  AffineReader(FormArena &arena, ArrayRef<Form> dims, ArrayRef<Form> symbols)
      : arena(arena), dims(dims), symbols(symbols) {}

  Form read(AffineExpr root) {
    SmallVector<AffineExpr, 16> stack = {root};
    while (!stack.empty() && !arena.failed()) {
      AffineExpr e = stack.back();
      if (done.count(e)) {
        stack.pop_back();
        continue;
      }
      auto binary = dyn_cast<AffineBinaryOpExpr>(e);
      if (!binary) {
        done[e] = leaf(e);
        stack.pop_back();
        continue;
      }
      auto lhs = done.find(binary.getLHS()), rhs = done.find(binary.getRHS());
      if (lhs == done.end())
        stack.push_back(binary.getLHS());
      if (rhs == done.end())
        stack.push_back(binary.getRHS());
      if (lhs == done.end() || rhs == done.end())
        continue;
      Form value = combine(e.getKind(), lhs->second, rhs->second);
      done[e] = std::move(value);
      stack.pop_back();
    }
    return arena.failed() ? Form() : done[root];
  }

private:
  Form leaf(AffineExpr e) {
    if (auto c = dyn_cast<AffineConstantExpr>(e))
      return Form(c.getValue());
    if (auto d = dyn_cast<AffineDimExpr>(e))
      return dims[d.getPosition()];
    return symbols[cast<AffineSymbolExpr>(e).getPosition()];
  }

  Form combine(AffineExprKind kind, const Form &x, const Form &y) {
    switch (kind) {
    case AffineExprKind::Add:
      return arena.add(x, y);
    case AffineExprKind::Mul:
      return arena.mul(x, y);
    case AffineExprKind::FloorDiv:
    case AffineExprKind::CeilDiv:
    case AffineExprKind::Mod:
      // A divisor that is not a constant has no form.
      if (!y.isConstant()) {
        arena.setFailure(FormFailure::NonConstant);
        return Form();
      }
      if (kind == AffineExprKind::FloorDiv)
        return arena.floorDiv(x, y.constant);
      return kind == AffineExprKind::CeilDiv ? arena.ceilDiv(x, y.constant)
                                             : arena.mod(x, y.constant);
    default:
      llvm_unreachable("not a binary affine expression");
    }
  }

  FormArena &arena;
  ArrayRef<Form> dims, symbols;
  llvm::DenseMap<AffineExpr, Form> done;
};

} // namespace

IndexingMap IndexingMap::fromAffineMap(AffineMap map, IntegerSet domain,
                                       ArrayRef<Interval> dimRanges,
                                       ArrayRef<Interval> symbolRanges) {
  if (map.getNumDims() != dimRanges.size() ||
      map.getNumSymbols() != symbolRanges.size() ||
      (domain && (domain.getNumDims() != map.getNumDims() ||
                  domain.getNumSymbols() != map.getNumSymbols())))
    return unknown(UnknownReason::RankMismatch);
  IndexingMapBuilder builder;
  SmallVector<Form, 8> dims = builder.addDims(dimRanges), symbols;
  for (const Interval &range : symbolRanges)
    symbols.push_back(builder.addSymbol(range));
  AffineReader reader(builder.arena(), dims, symbols);
  for (AffineExpr result : map.getResults())
    builder.addResult(reader.read(result));
  if (domain)
    for (unsigned i = 0, e = domain.getNumConstraints(); i != e; ++i)
      builder.addConstraint(reader.read(domain.getConstraint(i)),
                            domain.isEq(i) ? Interval::point(0)
                                           : Interval::atLeast(0));
  return builder.build();
}

IndexingMap IndexingMap::fromAffineMap(AffineMap map,
                                       ArrayRef<Interval> dimRanges,
                                       ArrayRef<Interval> symbolRanges) {
  return fromAffineMap(map, IntegerSet(), dimRanges, symbolRanges);
}

/// The affine expressions of all atoms that `x` reaches, in order; false if one
/// has none.
static bool writeAtoms(const IndexingMap &map, FormRef x, MLIRContext *context,
                       SmallVectorImpl<AffineExpr> &exprs) {
  const FormArena &arena = map.getArena();
  SmallVector<char, 32> used;
  arena.markUsed(x, used);
  auto sum = [&](FormRef f) {
    AffineExpr e = getAffineConstantExpr(f.constant, context);
    for (const Term &t : f.terms)
      e = exprs[t.atom] * t.coefficient + e;
    return e;
  };
  exprs.resize(used.size());
  for (AtomId id = 0, e = used.size(); id != e; ++id) {
    if (!used[id])
      continue;
    if (arena.isVariable(id)) {
      exprs[id] = id < map.getNumDims()
                      ? getAffineDimExpr(id, context)
                      : getAffineSymbolExpr(id - map.getNumDims(), context);
      continue;
    }
    if (arena.getAtom(id).kind != AtomKind::FloorDiv)
      return false;
    exprs[id] = sum(arena.body(id)).floorDiv(arena.getAtom(id).divisor);
  }
  return true;
}

AffineExpr IndexingMap::toAffineExpr(FormRef form, MLIRContext *context) const {
  SmallVector<AffineExpr, 16> exprs;
  if (isUnknown() || !writeAtoms(*this, form, context, exprs))
    return AffineExpr();
  AffineExpr e = getAffineConstantExpr(0, context);
  for (const Term &t : form.terms)
    e = e + exprs[t.atom] * t.coefficient;
  return e + form.constant;
}

AffineMap IndexingMap::toAffineMap(MLIRContext *context) const {
  if (isUnknown())
    return AffineMap();
  SmallVector<AffineExpr, 8> results;
  for (const Form &f : getResults()) {
    AffineExpr e = toAffineExpr(f, context);
    if (!e)
      return AffineMap();
    results.push_back(e);
  }
  return AffineMap::get(getNumDims(), getNumSymbols() + getNumRuntime(),
                        results, context);
}

//===----------------------------------------------------------------------===//
// Linear expressions
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>>
mlir::tensoraccess::getLinear(AffineExpr expr, unsigned numDims) {
  // What crashes upstream's flattening.
  bool hasBadDivisor = false;
  expr.walk([&](AffineExpr part) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(part);
    if (!binary || part.getKind() == AffineExprKind::Add ||
        part.getKind() == AffineExprKind::Mul)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    hasBadDivisor |= divisor && divisor.getValue() < 1;
  });
  SmallVector<int64_t> factors;
  if (hasBadDivisor ||
      failed(getFlattenedAffineExpr(expr, numDims, /*numSymbols=*/0,
                                    &factors)) ||
      factors.size() != numDims + 1) // divisions are further columns
    return std::nullopt;
  return factors;
}
