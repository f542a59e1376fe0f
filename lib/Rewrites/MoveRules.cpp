//===- MoveRules.cpp - Movement through all kinds of computes -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// move-into-compute and join-computes. Write f for what a compute does, x for an
// index of the view, g for the view's map.
//
//   reductions    view[x] = f(P)[g(x)] = f(P[g(x)]): an item goes where its
//                 result goes. All items are of one shape.
//   elementwise   view[x] = f(P)[g(x)] = f(P[g(x)]): the view of the pattern,
//                 at g for each element of the tuple. The split does not
//                 matter.
//   padding       view[x] = b where no piece is. If f of an item whose elements
//                 are all c is b, it is the compute of the pattern that is c
//                 there. That f(c, ..., c) = b is not argued: the reference
//                 kernel is run on that item, and the bits are compared. The
//                 candidates for c are b, and -b for `negative`.
//   softmax       the item is normalised together, its sum in row-major order.
//                 So items may go anywhere as wholes, and be reshaped: that
//                 this is all the view does is found by writing down the view
//                 that does it, which must have the same form.
//
// Division of integers fails where a divisor is 0; a view may leave that
// divisor out. It stays where it is.
//
//===----------------------------------------------------------------------===//

#include "ComputeRulesImpl.h"

#include "TensorAccess/IR/Evaluate.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// An item is evaluated up to this size to learn what it gives.
static constexpr int64_t kMaxItem = 1 << 14;

//===----------------------------------------------------------------------===//
// Items of one constant
//===----------------------------------------------------------------------===//

/// Whether f of an item that is `element` everywhere is `wanted`, bit for bit.
static bool gives(ComputeKind kind, TypedAttr element, ArrayRef<int64_t> item,
                  TypedAttr wanted) {
  llvm::Expected<Tensor> one = tensorFromAttribute(element),
                         result = tensorFromAttribute(wanted);
  if (!one || !result) {
    llvm::consumeError(one.takeError());
    llvm::consumeError(result.takeError());
    return false;
  }
  std::optional<int64_t> count = elementCount(item);
  if (!count || *count > kMaxItem)
    return false;
  llvm::Expected<AccessPattern> made = evaluateCompute(
      kind, AccessPattern(
                one->restride(item, SmallVector<int64_t>(item.size(), 0)), 0));
  if (!made) {
    llvm::consumeError(made.takeError());
    return false;
  }
  llvm::Expected<Tensor> all = made->join();
  if (!all) {
    llvm::consumeError(all.takeError());
    return false;
  }
  llvm::Expected<Comparison> same = compare(*all, *result);
  if (!same) {
    llvm::consumeError(same.takeError());
    return false;
  }
  return same->allBitEqual();
}

/// A constant c with f(c, ..., c) = `wanted`.
static TypedAttr findElement(ComputeKind kind, ArrayRef<int64_t> item,
                             TypedAttr wanted) {
  if (gives(kind, wanted, item, wanted))
    return wanted;
  if (kind != ComputeKind::Negative)
    return TypedAttr();
  TypedAttr other;
  if (auto number = dyn_cast<FloatAttr>(wanted))
    other = FloatAttr::get(number.getType(), -number.getValue());
  else if (auto number = dyn_cast<IntegerAttr>(wanted))
    other = IntegerAttr::get(number.getType(), -number.getValue());
  return other && gives(kind, other, item, wanted) ? other : TypedAttr();
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

std::optional<ClassId> ComputeRules::splitAt(ClassId id, int64_t split) {
  auto type = cast<AccessType>(graph.getType(id));
  if (int64_t(type.getAccessRank()) == split)
    return id;
  AccessForm whole = getIdentity(id);
  whole.split = split;
  return theory.add(whole,
                    getType(type.getShape(), split, type.getElementType()));
}

std::optional<std::deque<AccessForm>>
ComputeRules::getPatterns(const Match &match, unsigned count,
                          const ComputeTerm &term) {
  std::deque<AccessForm> patterns;
  for (unsigned i = 0; i < count; ++i) {
    std::optional<ComputeTerm> other = getTerm(match.symbols[count + i]);
    if (!other || !(*other == term))
      return std::nullopt;
    std::optional<AccessForm> pattern = theory.getForm(match.classes[i]);
    if (!pattern || !hasElements(pattern->access) ||
        isOfItself(match.classes[count + i], *pattern))
      return std::nullopt;
    patterns.push_back(std::move(*pattern));
  }
  return patterns;
}

/// The number of a constant in a form's table.
static unsigned getNumber(AccessForm &form, TypedAttr constant) {
  auto *found = llvm::find(form.constants, constant);
  const unsigned number = found - form.constants.begin();
  if (found == form.constants.end())
    form.constants.push_back(constant);
  return number;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

bool ComputeRules::moveIntoOthers(const Match &match) {
  const ClassId root = match.classes.back();
  const AccessForm &view = theory.getView(match.symbols.back());
  auto type = cast<AccessType>(graph.getType(root));
  const unsigned count = (match.classes.size() - 1) / 2;
  const ComputeTerm term = *getTerm(match.symbols[count]);
  if (term.kind == ComputeKind::ElementwiseDiv &&
      !isa<FloatType>(type.getElementType()))
    return true;
  std::optional<std::deque<AccessForm>> patterns =
      getPatterns(match, count, term);
  if (!patterns || (!view.access.getBackground() &&
                    llvm::any_of(*patterns, [&](const AccessForm &pattern) {
                      return isSumOfSum(term, pattern);
                    })))
    return true;
  SmallVector<AccessForm *> pointers;
  for (AccessForm &pattern : *patterns)
    pointers.push_back(&pattern);
  if (term.kind == ComputeKind::Softmax)
    return moveIntoSoftmax(match, view, pointers);
  // Patterns with the dimensions that the results lack last.
  const bool isItem = isReduction(term.kind),
             isTuple = !isItem && isOverTuple(term.kind);
  SmallVector<int64_t> lost;
  for (auto [i, pattern] : llvm::enumerate(*patterns)) {
    ArrayRef<int64_t> shape = pattern.access.getShape();
    ArrayRef<int64_t> own;
    if (isItem)
      own = shape.drop_front(pattern.split);
    else if (isTuple)
      own = shape.slice(pattern.split, 1);
    if (i == 0)
      lost.assign(own.begin(), own.end());
    else if (own != ArrayRef<int64_t>(lost))
      return true;
    if (!isTuple)
      continue;
    SmallVector<int64_t> order;
    for (int64_t dim = 0, e = pattern.access.getRank(); dim != e; ++dim)
      if (dim != pattern.split)
        order.push_back(dim);
    order.push_back(pattern.split);
    std::optional<CanonicalAccess> moved =
        transposeAccess(pattern.access, order, theory.getBudget());
    if (!moved)
      return true;
    pattern.access = std::move(*moved);
  }
  AccessForm joined = joinTables(pointers);
  std::optional<unsigned> background;
  if (TypedAttr wanted = view.getBackground()) {
    TypedAttr element =
        term.accumulator ? TypedAttr() : findElement(term.kind, lost, wanted);
    if (!element)
      return true;
    background = getNumber(joined, element);
  }
  ArrayRef<int64_t> points = view.access.getShape();
  SmallVector<int64_t> shape(points);
  llvm::append_range(shape, lost);
  SmallVector<CanonicalAccess::Case> cases;
  for (const AccessPiece &piece : view.access.getPieces()) {
    if (piece.source.kind != SourceKind::Operand)
      return true;
    cases.push_back({&(*patterns)[piece.source.index].access,
                     overItems(piece.map, points, lost)});
  }
  std::optional<CanonicalAccess> access =
      CanonicalAccess::select(shape, cases, background, theory.getBudget());
  const int64_t split = isItem ? points.size() : type.getAccessRank();
  if (access && isTuple) {
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, points.size()));
    order.insert(order.begin() + split, points.size());
    access = transposeAccess(*access, order, theory.getBudget());
  }
  return mergeCompute(root, term, joined, std::move(access), split,
                      getElement(match.classes[0]));
}

/// view[a | c] = softmax(P)[h(a) | c], the items' elements in row-major order,
/// is softmax of P[h(a) | c].
bool ComputeRules::moveIntoSoftmax(const Match &match, const AccessForm &view,
                                   ArrayRef<AccessForm *> patterns) {
  const ClassId root = match.classes.back();
  if (view.access.getBackground())
    return true;
  AccessForm joined = joinTables(patterns);
  ArrayRef<int64_t> shape = view.access.getShape(),
                    points = shape.take_front(view.split),
                    item = shape.drop_front(view.split);
  // Each result, and each pattern, with items of the view's shape.
  std::deque<CanonicalAccess> results, items;
  for (auto [i, pattern] : llvm::enumerate(patterns)) {
    ArrayRef<int64_t> own = pattern->access.getShape();
    if (elementCount(own.drop_front(pattern->split)) != elementCount(item))
      return true;
    SmallVector<int64_t> other(own.take_front(pattern->split));
    llvm::append_range(other, item);
    std::optional<CanonicalAccess> result = reshapeAccess(
                                       CanonicalAccess::identity(own, i),
                                       other),
                                   moved = reshapeAccess(pattern->access, other,
                                                         theory.getBudget());
    if (!result || !moved)
      return true;
    results.push_back(std::move(*result));
    items.push_back(std::move(*moved));
  }
  // The place of an item's first element determines those of all others.
  SmallVector<CanonicalAccess::Case> same, cases;
  for (const AccessPiece &piece : view.access.getPieces()) {
    if (piece.source.kind != SourceKind::Operand)
      return true;
    const unsigned i = piece.source.index;
    IndexingMapBuilder builder;
    for (int64_t size : points)
      builder.addResult(builder.addDim(Interval::ofExtent(size)));
    for (size_t dim = 0; dim < item.size(); ++dim)
      builder.addResult(Form(0));
    IndexingMap first = builder.build().then(piece.map);
    first = first.withResults(
        ArrayRef(first.getResults()).take_front(patterns[i]->split));
    IndexingMap whole = overItems(first, points, item);
    same.push_back({&results[i], whole});
    cases.push_back({&items[i], whole});
  }
  std::optional<CanonicalAccess> again =
      CanonicalAccess::select(shape, same, std::nullopt, theory.getBudget());
  if (!again || *again != view.access)
    return true;
  return mergeCompute(
      root, {ComputeKind::Softmax, TypeAttr()}, joined,
      CanonicalAccess::select(shape, cases, std::nullopt, theory.getBudget()),
      view.split, getElement(match.classes[0]));
}
