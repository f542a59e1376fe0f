//===- ReductionRules.cpp - Rules on sums, greatest elements and means ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about the reference kernels (Core/Array/ComputeKernels.cpp) that these lean
// on, for floats:
//
//   Sums of floats below f32 are taken in f32 and rounded at the end, so that
//   nothing is left of them to be added to: none of the rules that take a sum
//   apart, put sums together, or divide or add to one holds for them.
//   Sums start from +0. So no sum is -0 (+0 + x is -0 for no x, and a sum that
//   is not -0 stays so), and adding a zero of either sign to one changes
//   nothing.
//   `max` is NaN if one is, and +0 is greater than -0. So it is associative,
//   commutative and idempotent, and max(x, -inf) = x; all bit for bit, but for
//   which NaN it is if there are several: that of the first in row-major order.
//   Rules that keep this order keep it, too; `max-of-a-set` does not.
//   x * 1 = x, but for the quiet bit of a NaN.
//
// Hence these are exact: merge-reductions and join-reductions of reduce_max,
// one-element, drop-neutral, mean-is-quotient (the kernel's definition),
// max-of-a-set, add-to-dot. What puts sums together is exact for integers, and
// for floats up to the order of summation.
//
//===----------------------------------------------------------------------===//

#include "ComputeRulesImpl.h"

#include "TensorAccess/IR/Evaluate.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Reductions of reductions
//===----------------------------------------------------------------------===//

/// The kind of a reduction over the items of all the items that `inner` reduces
/// and `outer` reduces the results of; std::nullopt if they are not one.
static std::optional<ComputeKind> getMerged(ComputeKind outer,
                                            ComputeKind inner) {
  if (outer == inner && isReduction(outer) && outer != ComputeKind::DotProd)
    return outer;
  if (outer == ComputeKind::ReduceSum && inner == ComputeKind::DotProd)
    return inner;
  return std::nullopt;
}

/// The parts of a view, each of one compute's results and none twice, as it is
/// put together along the only dimension of the item: [A | n] for n computes.
static SmallVector<std::optional<AccessForm>, 4>
takeApart(const AccessForm &view, unsigned count) {
  SmallVector<std::optional<AccessForm>, 4> parts;
  if (int64_t(view.access.getRank()) != view.split + 1 ||
      view.access.getShape().back() != count)
    return parts;
  for (unsigned i = 0; i < count; ++i) {
    parts.push_back(view.fix(view.split, i));
    if (!parts.back() || !parts.back()->access.asSinglePiece()) {
      parts.clear();
      return parts;
    }
  }
  return parts;
}

/// One compute: f over <A | B> of f over <A, B | C> is f over <A | B, C>. More:
/// f over <A | n> of f over <A | C1>, <A | C2>, ... is f over <A | |C1| + |C2|
/// + ...>. f is a sum, a greatest element, or, of one, a mean; a dot_prod below
/// a sum stays one, and the tuple the first dimension of the item.
bool ComputeRules::mergeReductions(const Match &match) {
  // Elements: the patterns, the computes, the view, the outer compute.
  const unsigned count = (match.classes.size() - 2) / 2;
  const ClassId root = match.classes.back();
  const AccessForm &view =
      theory.getView(match.symbols[match.symbols.size() - 2]);
  const ComputeTerm outer = *getTerm(match.symbols.back()),
                    inner = *getTerm(match.symbols[count]);
  std::optional<ComputeKind> kind = getMerged(outer.kind, inner.kind);
  if (!kind || outer.accumulator || inner.accumulator ||
      !mayReorder(*kind, match.classes[0]) || !hasElements(view.access) ||
      view.access.getBackground() ||
      (count > 1 && *kind == ComputeKind::ReduceMean))
    return true;
  std::optional<std::deque<AccessForm>> patterns =
      getPatterns(match, count, inner);
  if (!patterns)
    return true;
  const bool hasTuple = isOverTuple(*kind);
  SmallVector<AccessForm *> pointers;
  for (AccessForm &pattern : *patterns)
    pointers.push_back(&pattern);
  AccessForm joined = joinTables(pointers);
  ArrayRef<int64_t> shape = view.access.getShape();
  std::optional<CanonicalAccess> access;
  if (count == 1) {
    const AccessPiece *piece = view.access.asSinglePiece();
    const AccessForm &pattern = patterns->front();
    ArrayRef<int64_t> item =
        pattern.access.getShape().drop_front(pattern.split);
    if (!piece)
      return true;
    SmallVector<int64_t> all(shape);
    llvm::append_range(all, item);
    access = CanonicalAccess::select(
        all, {{&pattern.access, overItems(piece->map, shape, item)}},
        std::nullopt, theory.getBudget());
    // <A, B, t, C> to <A, t, B, C>.
    if (access && hasTuple) {
      SmallVector<int64_t> order =
          llvm::to_vector(llvm::seq<int64_t>(0, all.size()));
      std::rotate(order.begin() + view.split, order.begin() + shape.size(),
                  order.begin() + shape.size() + 1);
      access = transposeAccess(*access, order, theory.getBudget());
    }
    // Without dimensions of size 1: of what is one element already, there is
    // always one more.
    if (access) {
      ArrayRef<int64_t> old = access->getShape();
      const unsigned first = view.split + hasTuple;
      SmallVector<int64_t> kept(old.take_front(first));
      llvm::copy_if(old.drop_front(first), std::back_inserter(kept),
                    [](int64_t size) { return size != 1; });
      if (kept.size() == first)
        kept.push_back(1);
      access = reshapeAccess(*access, kept, theory.getBudget());
    }
  } else {
    ArrayRef<int64_t> points = shape.drop_back();
    std::deque<CanonicalAccess> parts;
    llvm::SmallDenseSet<unsigned> seen;
    for (const std::optional<AccessForm> &part : takeApart(view, count)) {
      const AccessPiece *piece = part->access.asSinglePiece();
      auto *base = llvm::find(view.bases, part->getBase(*piece));
      const unsigned number = base - view.bases.begin();
      if (number >= count || !seen.insert(number).second)
        return true;
      const AccessForm &pattern = (*patterns)[number];
      ArrayRef<int64_t> item =
          pattern.access.getShape().drop_front(pattern.split);
      SmallVector<int64_t> all(points), flat(points);
      llvm::append_range(all, item);
      if (hasTuple)
        flat.push_back(item.front());
      flat.push_back(*elementCount(item.drop_front(hasTuple)));
      std::optional<CanonicalAccess> moved = CanonicalAccess::select(
          all, {{&pattern.access, overItems(piece->map, points, item)}},
          std::nullopt, theory.getBudget());
      moved = moved ? reshapeAccess(*moved, flat, theory.getBudget()) : moved;
      if (!moved || (!parts.empty() && hasTuple &&
                     parts.front().getShape()[view.split] != item.front()))
        return true;
      parts.push_back(std::move(*moved));
    }
    if (parts.size() != count)
      return true;
    SmallVector<const CanonicalAccess *> all;
    for (const CanonicalAccess &part : parts)
      all.push_back(&part);
    access = concatAccess(all, points.size() + hasTuple, theory.getBudget());
  }
  return mergeCompute(root, {*kind, TypeAttr()}, joined, std::move(access),
                      view.split, getElement(match.classes[0]));
}

//===----------------------------------------------------------------------===//
// What an item holds
//===----------------------------------------------------------------------===//

/// Whether elements that are this constant change nothing.
static bool isNeutral(ComputeKind kind, TypedAttr constant) {
  if (kind == ComputeKind::ReduceMax) {
    if (auto number = dyn_cast<FloatAttr>(constant))
      return number.getValue().isInfinity() && number.getValue().isNegative();
    auto number = dyn_cast<IntegerAttr>(constant);
    return number && number.getValue().isMinSignedValue() &&
           !number.getType().isInteger(1);
  }
  if (auto number = dyn_cast<FloatAttr>(constant))
    return number.getValue().isZero();
  auto number = dyn_cast<IntegerAttr>(constant);
  return number && number.getValue().isZero();
}

/// Slices of an item that are padding all through, at the ends of a dimension
/// and for all elements of the tuple (of floats, 0 times infinity is not 0): a
/// sum without its zeros, a greatest element without -inf.
bool ComputeRules::dropNeutral(ClassId root, const ComputeTerm &term,
                               ClassId pattern) {
  if (!isReduction(term.kind) || term.kind == ComputeKind::ReduceMean)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || !hasElements(form->access) || !form->getBackground() ||
      !isNeutral(term.kind, form->getBackground()) ||
      form->access.getPieces().empty())
    return true;
  SmallVector<int64_t> offsets, sizes(form->access.getShape()),
      strides(sizes.size(), 1);
  bool isLess = false;
  for (unsigned dim = 0; dim < sizes.size(); ++dim) {
    offsets.push_back(0);
    if (dim < form->split + isOverTuple(term.kind))
      continue;
    Interval hull = form->access.getPieces().front().map.getDimRanges()[dim];
    for (const AccessPiece &piece : form->access.getPieces()) {
      const Interval range = piece.map.getDimRanges()[dim];
      hull = {std::min(hull.lower, range.lower),
              std::max(hull.upper, range.upper)};
    }
    if (hull.lower > hull.upper || hull == Interval::ofExtent(sizes[dim]))
      continue;
    isLess = true;
    offsets.back() = hull.lower;
    sizes[dim] = hull.upper - hull.lower + 1;
  }
  if (!isLess)
    return true;
  return mergeCompute(
      root, term, *form,
      sliceAccess(form->access, offsets, sizes, strides, theory.getBudget()),
      form->split, getElement(pattern));
}

/// A piece whose domain does not restrict the item, dimensions from `split` on,
/// as a map from the access indices and few dimensions, whose sizes are
/// appended to `shape`, to the same sets.
static std::optional<IndexingMap> getSet(const AccessPiece &piece,
                                         unsigned split, ArrayRef<int64_t> item,
                                         SmallVectorImpl<int64_t> &shape) {
  if (piece.source.kind != SourceKind::Operand)
    return std::nullopt;
  SmallVector<char, 32> inDomain = piece.map.getUsed(/*results=*/false);
  SmallVector<unsigned> dims;
  for (unsigned dim = split; dim < piece.map.getNumDims(); ++dim) {
    if (inDomain[dim] ||
        piece.map.getDimRanges()[dim] != Interval::ofExtent(item[dim - split]))
      return std::nullopt;
    dims.push_back(dim);
  }
  IndexingMap set = piece.map.dimsToSymbols(dims)
                        .removeUnusedSymbols()
                        .mergeSymbols()
                        .rescaleSymbols();
  if (set.isUnknown() || !set.getConstraints().empty() ||
      set.getNumDims() != split)
    return std::nullopt;
  SmallVector<unsigned> order;
  for (const Form &result : set.getResults()) {
    SmallVector<char> used(set.getArena().getNumAtoms());
    set.getArena().markUsed(result, used);
    for (unsigned symbol = 0; symbol < set.getNumSymbols(); ++symbol)
      if (used[split + symbol] && !llvm::is_contained(order, symbol))
        order.push_back(symbol);
  }
  if (order.size() != set.getNumSymbols())
    return std::nullopt;
  for (unsigned symbol : order) {
    Interval range = set.getSymbolRanges()[symbol];
    if (range.lower != 0 || !range.isFinite())
      return std::nullopt;
    shape.push_back(range.upper + 1);
  }
  return set.symbolsToDims(order);
}

/// The greatest element depends on the set of what is read: an item that reads
/// some of it twice, or in another order, is one that does not. With c the
/// item's dimensions, { g(a, c) } = { h(a, s) } with as few s as sums of c that
/// fill an interval (IndexingMap::mergeSymbols), numbered as h mentions them.
bool ComputeRules::readSet(ClassId root, const ComputeTerm &term,
                           ClassId pattern) {
  if (term.kind != ComputeKind::ReduceMax)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || !hasElements(form->access))
    return true;
  if (form->access.getBackground())
    return true;
  // The new item, the same in all pieces, and where each of them reads.
  SmallVector<int64_t> shape;
  std::deque<CanonicalAccess> bases;
  SmallVector<CanonicalAccess::Case> cases;
  for (const AccessPiece &piece : form->access.getPieces()) {
    SmallVector<int64_t> own(form->access.getShape().take_front(form->split));
    std::optional<IndexingMap> map =
        getSet(piece, form->split,
               form->access.getShape().drop_front(form->split), own);
    if (!map || (!cases.empty() && own != shape))
      return true;
    shape = std::move(own);
    const unsigned base = piece.source.index;
    bases.push_back(
        CanonicalAccess::identity(form->access.getSourceShape(base), base));
    cases.push_back({&bases.back(), *map});
  }
  std::optional<CanonicalAccess> access =
      CanonicalAccess::select(shape, cases, std::nullopt, theory.getBudget());
  if (access == form->access)
    return true;
  return mergeCompute(root, term, *form, std::move(access), form->split,
                      getElement(pattern));
}

/// The greatest of one element is that element. So is its sum, for integers; of
/// floats the sum of -0 is 0.
bool ComputeRules::takeElement(ClassId root, const ComputeTerm &term,
                               ClassId pattern) {
  const bool isExact =
      term.kind == ComputeKind::ReduceMax ||
      (term.kind == ComputeKind::ReduceSum && !term.accumulator &&
       isa<IntegerType>(getElement(pattern)));
  std::optional<AccessForm> form =
      isExact ? theory.getForm(pattern) : std::nullopt;
  if (!form || !hasElements(form->access))
    return true;
  ArrayRef<int64_t> shape = form->access.getShape();
  if (elementCount(shape.drop_front(form->split)) != 1)
    return true;
  std::optional<CanonicalAccess> access = reshapeAccess(
      form->access, shape.take_front(form->split), theory.getBudget());
  if (!access)
    return true;
  std::optional<ClassId> element =
      addView(form->with(std::move(*access), form->split), getElement(pattern));
  return element ? merge(root, *element) : nothing();
}

//===----------------------------------------------------------------------===//
// Means, and sums beside products
//===----------------------------------------------------------------------===//

std::optional<ClassId> ComputeRules::addConstant(ArrayRef<int64_t> shape,
                                                 TypedAttr value) {
  Dialect *arith = getContext()->getLoadedDialect("arith");
  auto type = RankedTensorType::get(shape, value.getType());
  std::optional<ClassId> tensor =
      arith
          ? graph.addConstant(DenseElementsAttr::get(type, value), type, arith)
          : std::nullopt;
  if (!tensor)
    return std::nullopt;
  Builder b(getContext());
  return addOp("access",
               b.getNamedAttr("axis", b.getI64IntegerAttr(shape.size())),
               *tensor);
}

/// reduce_mean(P) = reduce_sum(P) / n, for n elements, as a number of the type.
bool ComputeRules::readMean(ClassId root, const ComputeTerm &term,
                            ClassId pattern) {
  if (term.kind != ComputeKind::ReduceMean)
    return true;
  auto type = cast<AccessType>(graph.getType(pattern));
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element || isRounded(pattern) ||
      llvm::any_of(type.getShape(), ShapedType::isDynamic))
    return true;
  std::optional<int64_t> count = elementCount(type.getComputeShape());
  if (!count)
    return true;
  std::optional<ClassId> number = addConstant(
      type.getAccessShape(), FloatAttr::get(element, double(*count)));
  std::optional<ClassId> sum =
      number ? addCompute({ComputeKind::ReduceSum, TypeAttr()}, pattern)
             : std::nullopt;
  std::optional<ClassId> both =
      sum ? addOp("pair", {}, {*sum, *number}) : std::nullopt;
  std::optional<ClassId> result =
      both ? addCompute({ComputeKind::ElementwiseDiv, TypeAttr()}, *both)
           : std::nullopt;
  return result ? merge(root, *result) : nothing();
}

/// P · Q = Q · P: products of two commute.
bool ComputeRules::swapFactors(ClassId root, const ComputeTerm &term,
                               ClassId pattern) {
  std::optional<AccessForm> form = term.kind == ComputeKind::DotProd
                                       ? theory.getForm(pattern)
                                       : std::nullopt;
  if (!form || !hasElements(form->access) ||
      int64_t(form->access.getRank()) != form->split + 2 ||
      form->access.getShape()[form->split] != 2)
    return true;
  SmallVector<int64_t> sizes(form->access.getShape()), offsets(sizes.size(), 0),
      strides(sizes.size(), 1);
  offsets[form->split] = 1;
  strides[form->split] = -1;
  return mergeCompute(
      root, term, *form,
      sliceAccess(form->access, offsets, sizes, strides, theory.getBudget()),
      form->split, getElement(pattern));
}

/// dot_prod(P) + D = dot_prod(P ++ (D, 1)): the products of P are added up,
/// then D times 1. In the other order, a sum of two is the same.
bool ComputeRules::accumulateTerm(const Match &match) {
  // Elements: the pattern, the other variables, the dot_prod, the view, the
  // sum.
  const ClassId root = match.classes.back();
  const size_t last = match.classes.size() - 1;
  const AccessForm &found = theory.getView(match.symbols[last - 1]);
  const ComputeTerm sum = *getTerm(match.symbols[last]),
                    product = *getTerm(match.symbols[last - 2]);
  auto type = dyn_cast_or_null<AccessType>(graph.getType(root));
  if (sum.kind != ComputeKind::ElementwiseAdd ||
      product.kind != ComputeKind::DotProd || product.accumulator || !type ||
      isRounded(match.classes[0]) || !hasElements(found.access))
    return true;
  std::optional<AccessForm> form = theory.getForm(match.classes[last - 1]),
                            pattern = theory.getForm(match.classes[0]);
  if (!form || !pattern || !hasElements(form->access) ||
      !hasElements(pattern->access) ||
      form->access.getShape()[form->split] != 2 ||
      pattern->access.getShape()[pattern->split] != 2)
    return true;
  const ClassId dot = graph.getTable().find(match.classes[last - 2]);
  for (int side : {0, 1}) {
    std::optional<AccessForm> left = form->fix(form->split, side),
                              right = form->fix(form->split, 1 - side);
    Value base = left ? left->asIdentity() : Value();
    if (!base || !right || theory.getClass(base) != dot)
      continue;
    // <A | 2, K> and <A | 2, 1>, for all of the sum's dimensions.
    ArrayRef<int64_t> points = left->access.getShape();
    const int64_t split = points.size();
    ArrayRef<int64_t> old = pattern->access.getShape();
    SmallVector<int64_t> shape(old.take_front(split + 1));
    shape.push_back(*elementCount(old.drop_front(split + 1)));
    std::optional<CanonicalAccess> flat =
        reshapeAccess(pattern->access, shape, theory.getBudget());
    if (!flat)
      return true;
    const Type element = getElement(match.classes[0]);
    Builder b(getContext());
    std::optional<ClassId> items =
        addView(pattern->with(std::move(*flat), split), element);
    right->split = split;
    std::optional<ClassId> term =
        items ? addView(*right, element) : std::nullopt;
    TypedAttr one = isa<FloatType>(element)
                        ? TypedAttr(b.getFloatAttr(element, 1))
                        : TypedAttr(b.getIntegerAttr(element, 1));
    std::optional<ClassId> ones =
        term ? addConstant(points, one) : std::nullopt;
    std::optional<ClassId> pair =
        ones ? addOp("pair", {}, {*term, *ones}) : std::nullopt;
    auto axis = [&](int64_t value) {
      return b.getNamedAttr("axis", b.getI64IntegerAttr(value));
    };
    std::optional<ClassId> extra =
        pair ? addOp("insert_axis", axis(split + 1), *pair) : std::nullopt;
    std::optional<ClassId> all =
        extra ? addOp("concat", axis(split + 1), {*items, *extra})
              : std::nullopt;
    std::optional<ClassId> result = all ? addCompute(product, *all) : all;
    result = result ? splitAt(*result, type.getAccessRank()) : result;
    return result ? merge(root, *result) : nothing();
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

void mlir::tensoraccess::addReductionRules(
    TermGraph &graph, const std::shared_ptr<ComputeRules> &rules,
    std::vector<TableRule> &result) {
  auto ofKind = [rules](auto holds) {
    return std::make_shared<SymbolSet>([rules, holds](SymbolId symbol) {
      std::optional<ComputeTerm> term = rules->getTerm(symbol);
      return term && holds(term->kind);
    });
  };
  auto reductions = ofKind(isReduction);
  // f(view(f P, f Q, ...))
  for (unsigned count = 1; count <= kMaxJoined; ++count) {
    tensoraccess::Pattern pattern;
    pattern.addRoot(pattern.addNode(
        reductions,
        {addMovedComputes(pattern, graph, rules, reductions, count)}));
    result.push_back(makeComputeRule(
        nameByCount("merge-reductions", "join-reductions", count), pattern,
        [rules](const Match &match, NodeTable &) {
          return rules->mergeReductions(match);
        }));
  }
  // view(.., dot_prod P, ..) added up: the product may be anywhere.
  auto sums = ofKind(
      [](ComputeKind kind) { return kind == ComputeKind::ElementwiseAdd; });
  auto products =
      ofKind([](ComputeKind kind) { return kind == ComputeKind::DotProd; });
  for (unsigned count = 1; count <= 3; ++count)
    for (unsigned place = 0; place < count; ++place) {
      tensoraccess::Pattern pattern;
      unsigned items = pattern.addVariable();
      SmallVector<unsigned> operands;
      for (unsigned i = 0; i < count; ++i)
        operands.push_back(i == place ? 0 : pattern.addVariable());
      operands[place] = pattern.addNode(products, {items});
      unsigned view = pattern.addNode(makeViews(graph, rules, count), operands);
      pattern.addRoot(pattern.addNode(sums, {view}));
      result.push_back(makeComputeRule(
          "add-to-dot-" + std::to_string(count) + "-" + std::to_string(place),
          pattern, [rules](const Match &match, NodeTable &) {
            return rules->accumulateTerm(match);
          }));
    }
}
