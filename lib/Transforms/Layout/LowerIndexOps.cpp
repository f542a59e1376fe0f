//===- LowerIndexOps.cpp - Ops on indices become arithmetic ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// apply_indexing: one affine.apply a result where the form is affine and the
// operands may be in one, else the atoms of the forms one after another,
// each once. linearize of known sizes is the map of its layout; of others, and
// delinearize, the tiles step by step as LayoutStages.h has them. Indices inside of a
// shape are not negative, so divisions are unsigned; delinearize divides no
// number by a size of 0, and its indices are 0 where there is no element.
//
//===----------------------------------------------------------------------===//

#include "PhysicalForm.h"
#include "TensorAccess/Core/LayoutStages.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static Value createIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// c + k1·a1 + …, atoms by their values.
static Value emitSum(OpBuilder &b, Location loc, FormRef form,
                     ArrayRef<Value> atoms) {
  Value sum;
  for (const Term &term : form.terms) {
    Value value = atoms[term.atom];
    if (term.coefficient != 1)
      value = b.createOrFold<arith::MulIOp>(
          loc, value, createIndex(b, loc, term.coefficient));
    sum = sum ? b.createOrFold<arith::AddIOp>(loc, sum, value) : value;
  }
  if (!sum)
    return createIndex(b, loc, form.constant);
  if (form.constant == 0)
    return sum;
  return b.createOrFold<arith::AddIOp>(loc, sum,
                                       createIndex(b, loc, form.constant));
}

/// The results of a map, atom by atom. Of variables that are in its domain, what is
/// not negative there is divided unsigned.
static SmallVector<Value> emitAtoms(OpBuilder &b, Location loc,
                                    const IndexingMap &map,
                                    ValueRange variables,
                                    bool areInDomain = false) {
  const FormArena &arena = map.getArena();
  SmallVector<char, 32> used =
      map.getUsed(/*results=*/true, /*constraints=*/false);
  // Bodies mention atoms of smaller numbers only.
  SmallVector<Value> atoms(variables);
  for (AtomId id = variables.size(); id < arena.getNumAtoms(); ++id) {
    atoms.emplace_back();
    if (!used[id])
      continue;
    const Atom &atom = arena.getAtom(id);
    FormRef body = arena.body(id);
    switch (atom.kind) {
    case AtomKind::Variable:
      break;
    case AtomKind::FloorDiv: {
      Value sum = emitSum(b, loc, body, atoms);
      atoms[id] =
          areInDomain && arena.range(body).lower >= 0
              ? b.createOrFold<arith::DivUIOp>(
                    loc, sum, createIndex(b, loc, atom.divisor))
              : affine::expandAffineExpr(
                    b, loc, b.getAffineDimExpr(0).floorDiv(atom.divisor), sum,
                    {});
      break;
    }
    case AtomKind::PositivePart:
      atoms[id] = b.createOrFold<arith::MaxSIOp>(
          loc, emitSum(b, loc, body, atoms), createIndex(b, loc, 0));
      break;
    case AtomKind::Product: {
      Value product;
      for (const Term &term : body.terms)
        product = product ? b.createOrFold<arith::MulIOp>(loc, product,
                                                          atoms[term.atom])
                          : atoms[term.atom];
      atoms[id] = product;
      break;
    }
    }
  }
  return llvm::map_to_vector(map.getResults(), [&](const Form &form) {
    return emitSum(b, loc, form, atoms);
  });
}

static SmallVector<Value> emitMap(OpBuilder &b, Location loc,
                                  const IndexingMap &map,
                                  ValueRange variables) {
  AffineMap affineMap = map.toAffineMap(b.getContext());
  bool mayStand = llvm::all_of(
      variables, [](Value value) { return affine::isValidDim(value); });
  if (!affineMap || !mayStand)
    return emitAtoms(b, loc, map, variables);
  // Loop variables are dims of an affine map only.
  SmallVector<AffineExpr> symbols;
  for (unsigned i = 0; i < affineMap.getNumSymbols(); ++i)
    symbols.push_back(b.getAffineDimExpr(affineMap.getNumDims() + i));
  affineMap = affineMap.replaceDimsAndSymbols({}, symbols, variables.size(), 0);
  SmallVector<Value> results;
  for (unsigned i = 0; i < affineMap.getNumResults(); ++i)
    results.push_back(affine::AffineApplyOp::create(
        b, loc, affineMap.getSubMap({i}), variables));
  return results;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

namespace {
/// Unsigned arithmetic on indices and sizes, of a layout with these sizes.
struct IndexMath {
  OpBuilder &b;
  Location loc;
  SmallVector<OpFoldResult> sizes;

  OpFoldResult size(const SizeExpr &size) {
    return buildSize(b, loc, size, sizes);
  }
  Value get(OpFoldResult size) {
    return getValueOrCreateConstantIndexOp(b, loc, size);
  }
  Value scaled(Value x, OpFoldResult size, Value y) {
    return b.createOrFold<arith::AddIOp>(
        loc, b.createOrFold<arith::MulIOp>(loc, x, get(size)), y);
  }
  Value div(Value x, OpFoldResult size) {
    return isOneInteger(size)
               ? x
               : b.createOrFold<arith::DivUIOp>(loc, x, get(size));
  }
  Value rem(Value x, OpFoldResult size) {
    return isOneInteger(size)
               ? createIndex(b, loc, 0)
               : b.createOrFold<arith::RemUIOp>(loc, x, get(size));
  }
  /// A size to divide by: 1 instead of 0.
  OpFoldResult divisor(OpFoldResult size) {
    if (std::optional<int64_t> known = getConstantIntValue(size))
      return *known == 0 ? b.getIndexAttr(1) : size;
    return b.createOrFold<arith::MaxUIOp>(loc, get(size),
                                          createIndex(b, loc, 1));
  }
  Value below(Value x, OpFoldResult size) {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, x,
                                         get(size));
  }
};
} // namespace

template <typename OpTy>
static Layout getShapedLayout(OpTy op) {
  return cast<LayoutAttr>(op.getLayout())
      .getValue()
      .withShape(op.getStaticSizes());
}

/// Whether sizes and their products can be computed; an error if not.
template <typename OpTy>
static LogicalResult checkSizes(OpTy op) {
  if (!isa<LayoutAttr>(op.getLayout()) || getSizes(getShapedLayout(op)))
    return success();
  return op.emitOpError("cannot be lowered: the size of its layout overflows "
                        "64-bit arithmetic");
}

/// The places of elements in a strided or linear layout; verified.
template <typename OpTy>
static MemoryPlaces getPlacesOf(OpTy op) {
  std::string error;
  return *getPlaces(op.getLayout(), op.getStaticSizes(), error);
}

static Value emitLinearize(OpBuilder &b, LinearizeOp op) {
  Location loc = op.getLoc();
  if (!isa<LayoutAttr>(op.getLayout()))
    return emitAtoms(b, loc, getPlacesOf(op).toNumber, op.getIndices(),
                     /*areInDomain=*/true)
        .front();
  const Layout layout = getShapedLayout(op);
  if (op.getSizes().empty())
    if (auto map = layout.getIndexingMap(); map && map->isOrdinary())
      return emitMap(b, loc, *map, op.getIndices()).front();
  IndexMath math{b, loc, op.getMixedSizes()};
  SmallVector<SizeExpr> physical;
  auto stages = getStages(layout, physical);
  SmallVector<Value> place;
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    place.push_back(op.getIndices()[dim]);
  for (const LayoutStage &stage : *stages) {
    place.insert(place.begin(), stage.added, createIndex(b, loc, 0));
    SmallVector<Value> next, inner;
    for (auto [i, group] : llvm::enumerate(stage.groups)) {
      Value merged = place[group.front()];
      for (int64_t dim : ArrayRef(group).drop_front())
        merged = math.scaled(merged, math.size(stage.sizes[dim]), place[dim]);
      if (i >= stage.getPrefix()) {
        OpFoldResult tile = b.getIndexAttr(stage.tile[i - stage.getPrefix()]);
        inner.push_back(math.rem(merged, tile));
        merged = math.div(merged, tile);
      }
      next.push_back(merged);
    }
    llvm::append_range(next, inner);
    place = std::move(next);
  }
  Value number = createIndex(b, loc, 0);
  for (auto [coordinate, size] : llvm::zip_equal(place, physical))
    number = math.scaled(number, math.size(size), coordinate);
  return number;
}

/// Numbers of the memory are in the map's domain; others count as 0.
static SmallVector<Value> emitPlaces(OpBuilder &b, DelinearizeOp op,
                                     IndexMath &math) {
  Location loc = op.getLoc();
  const MemoryPlaces places = getPlacesOf(op);
  Value zero = createIndex(b, loc, 0);
  Value valid = math.below(op.getLinear(), b.getIndexAttr(places.numbers));
  Value number =
      b.createOrFold<arith::SelectOp>(loc, valid, op.getLinear(), zero);
  SmallVector<Value> results =
      emitAtoms(b, loc, places.toIndex, number, /*areInDomain=*/true);
  if (places.hasPadding) {
    Value back =
        emitAtoms(b, loc, places.toNumber, results, /*areInDomain=*/true)
            .front();
    valid = b.createOrFold<arith::AndIOp>(
        loc, valid,
        b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, back,
                                      number));
  }
  for (Value &result : results)
    result = b.createOrFold<arith::SelectOp>(loc, valid, result, zero);
  results.push_back(valid);
  return results;
}

static SmallVector<Value> emitDelinearize(OpBuilder &b, DelinearizeOp op) {
  Location loc = op.getLoc();
  IndexMath math{b, loc, op.getMixedSizes()};
  if (!isa<LayoutAttr>(op.getLayout()))
    return emitPlaces(b, op, math);
  const Layout layout = getShapedLayout(op);
  SmallVector<SizeExpr> physical;
  auto stages = getStages(layout, physical);
  Value rest = op.getLinear();
  SizeExpr places = 1;
  for (const SizeExpr &size : physical)
    places = *places.times(size);
  Value valid = math.below(rest, math.size(places));
  SmallVector<Value> place(physical.size());
  for (size_t i = physical.size(); i-- > 0;) {
    OpFoldResult size = math.divisor(math.size(physical[i]));
    place[i] = math.rem(rest, size);
    rest = math.div(rest, size);
  }
  for (const LayoutStage &stage : llvm::reverse(*stages)) {
    SmallVector<Value> before(stage.sizes.size());
    size_t prefix = stage.getPrefix(), count = stage.tile.size();
    for (auto [i, group] : llvm::enumerate(stage.groups)) {
      Value merged = place[i];
      if (i >= prefix) {
        merged = math.scaled(merged, b.getIndexAttr(stage.tile[i - prefix]),
                             place[i + count]);
        valid = b.createOrFold<arith::AndIOp>(
            loc, valid, math.below(merged, math.size(stage.merged[i])));
      }
      for (int64_t dim : llvm::reverse(ArrayRef(group).drop_front())) {
        OpFoldResult size = math.divisor(math.size(stage.sizes[dim]));
        before[dim] = math.rem(merged, size);
        merged = math.div(merged, size);
      }
      before[group.front()] = merged;
    }
    before.erase(before.begin(), before.begin() + stage.added);
    place = std::move(before);
  }
  SmallVector<Value> results(place.size());
  Value zero = createIndex(b, loc, 0);
  for (auto [dim, coordinate] :
       llvm::zip_equal(llvm::reverse(layout.minorToMajor), place))
    results[dim] =
        b.createOrFold<arith::SelectOp>(loc, valid, coordinate, zero);
  results.push_back(valid);
  return results;
}

LogicalResult mlir::tensoraccess::lowerIndexOps(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<LinearizeOp, DelinearizeOp, ApplyIndexingOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (auto linearize = dyn_cast<LinearizeOp>(op)) {
      if (failed(checkSizes(linearize)))
        return failure();
      rewriter.replaceOp(op, emitLinearize(rewriter, linearize));
    } else if (auto delinearize = dyn_cast<DelinearizeOp>(op)) {
      if (failed(checkSizes(delinearize)))
        return failure();
      rewriter.replaceOp(op, emitDelinearize(rewriter, delinearize));
    } else {
      rewriter.replaceOp(op,
                         emitMap(rewriter, op->getLoc(),
                                 cast<ApplyIndexingOp>(op).getMap().getValue(),
                                 op->getOperands()));
    }
  }
  return success();
}
