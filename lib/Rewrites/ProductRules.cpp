//===- ProductRules.cpp - Dot products as products of matrices ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dot product of two is taken apart (RuleSets.h). That makes it a product
// of matrices, on copies of its sides or not, and that an array.
//
// A side is named by the ops that the program has for it where there are any:
// the flattened operand of a cart_prod is the side. Else it is a view, made of
// what both sides read.
//
//===----------------------------------------------------------------------===//

#include "ComputeRulesImpl.h"
#include "TensorAccess/Rewrites/RuleSets.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

/// The operands of a node of a class, if the class has an op of that name.
std::optional<SmallVector<ClassId, 2>>
ComputeRules::findOp(ClassId id, OperationName name) const {
  const NodeTable &table = graph.getTable();
  auto isWanted = [&](SymbolId symbol) {
    return graph.isOperation(symbol) && graph.getName(symbol) == name;
  };
  SmallVector<ClassId, 2> operands;
  if (table.isLinked()) {
    NodeId node = table.find(id);
    const NodeId first = node;
    do {
      if (!table.isDead(node) && isWanted(table.getSymbol(node))) {
        for (unsigned i = 0, e = table.getNumOperands(node); i != e; ++i)
          operands.push_back(table.find(table.getOperand(node, i)));
        return operands;
      }
      node = table.getNextMember(node);
    } while (node != first);
    return std::nullopt;
  }
  ArrayRef<uint32_t> nodes = table.getNodes(id);
  for (size_t at = 0; at != nodes.size(); at += 1 + table.getArity(nodes[at]))
    if (isWanted(nodes[at])) {
      for (uint32_t operand : nodes.slice(at + 1, table.getArity(nodes[at])))
        operands.push_back(table.find(operand));
      return operands;
    }
  return std::nullopt;
}

/// <M | K> of a class <A | C> with |A| = M.
std::optional<ClassId> ComputeRules::addFlat(ClassId id, int64_t points) {
  auto type = cast<AccessType>(graph.getType(id));
  AccessType flat = getType({points, *elementCount(type.getComputeShape())}, 1,
                            getElement(id));
  if (flat == type)
    return id;
  const bool isFlatten = type.getAccessRank() > 0 && type.getComputeRank() > 0;
  return addOp(isFlatten ? "flatten" : "reshape", {}, id, flat);
}

/// The sides <B, M | K> and <B, N | K> of what a dot product reads, B being
/// absent if there is no batch. `id` is the class's name in the snapshot.
std::optional<ComputeRules::Sides>
ComputeRules::addSides(const TupleProduct &product, ClassId id) {
  const Type element = getElement(id);
  if (product.batch.empty() && product.count(product.unused) == 1)
    if (auto factors = findOp(id, getName("cart_prod"))) {
      // Rows before columns: the factors' own dimensions.
      const unsigned border =
          cast<AccessType>(graph.getType((*factors)[0])).getAccessRank();
      if ((product.rows.empty() || product.rows.back() < border) &&
          (product.columns.empty() || product.columns.front() >= border)) {
        std::optional<ClassId> left = addFlat((*factors)[0],
                                              product.count(product.rows)),
                               right =
                                   left
                                       ? addFlat((*factors)[1],
                                                 product.count(product.columns))
                                       : std::nullopt;
        return right ? std::optional(Sides{*left, *right}) : std::nullopt;
      }
    }
  Sides sides;
  for (unsigned side : {0u, 1u}) {
    SmallVector<ArrayRef<unsigned>> groups;
    if (!product.batch.empty())
      groups.push_back(product.batch);
    groups.push_back(side == 0 ? product.rows : product.columns);
    std::optional<AccessForm> form = product.getSide(side, groups);
    if (!form)
      return std::nullopt;
    const Type type = getType(form->access.getShape(), form->split, element);
    std::optional<ClassId> made = theory.lookup(*form, type);
    if (!made)
      made = theory.add(*form, type);
    if (!made)
      made = addSideByOps(product, id, side, groups);
    if (!made)
      return std::nullopt;
    sides[side] = *made;
  }
  return sides;
}

/// The pattern <B, M, N | 2, K> of two sides.
std::optional<ClassId> ComputeRules::addProduct(const Sides &sides) {
  auto left = cast<AccessType>(graph.getType(sides[0])),
       right = cast<AccessType>(graph.getType(sides[1]));
  const Type element = left.getElementType();
  const int64_t k = left.getComputeShape()[0];
  std::optional<ClassId> pattern;
  if (left.getAccessRank() == 1) {
    AccessType type =
        getType({left.getAccessShape()[0], right.getAccessShape()[0], 2, k}, 2,
                element);
    pattern = addOp("cart_prod", {}, sides, type);
  } else {
    std::optional<AccessForm> a = theory.getForm(sides[0]),
                              b = theory.getForm(sides[1]);
    std::optional<AccessForm> form = a && b ? multiply(*a, *b) : std::nullopt;
    if (form)
      pattern = addView(*form, element);
    if (!pattern)
      pattern = addProductByOps(sides);
  }
  if (pattern)
    sidesOf.try_emplace(*pattern, sides);
  return pattern;
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

/// States that a class is a product of matrices, reshaped.
bool ComputeRules::mergeReshaped(ClassId root, ClassId flat) {
  const Type type = graph.getType(root);
  if (graph.getType(flat) == type)
    return merge(root, flat);
  std::optional<ClassId> same = addOp("reshape", {}, flat, type);
  // Its move into the compute is already here.
  if (same && theory.getLastView())
    isKnown.insert({*theory.getLastView(), flat});
  return same ? merge(root, *same) : nothing();
}

/// dot_prod of two factors is a product of matrices, a batch of them where both
/// factors move:
///   result[b ++ m ++ n ++ u] = Σ_c left[b ++ m, c]·right[b ++ n, c]
/// with b, m and n numbered in row-major order, transposed and repeated along u
/// afterwards. Products and their order stay.
bool ComputeRules::makeMatmul(ClassId root, const ComputeTerm &term,
                              ClassId pattern) {
  if (term.kind != ComputeKind::DotProd)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  std::optional<TupleProduct> product =
      form ? TupleProduct::get(std::move(*form)) : std::nullopt;
  if (!product || product->isFlat())
    return true;
  // A batch of single dot products is not a product of matrices to copy sides
  // for.
  if (options.copiesSides && !product->batch.empty() &&
      product->count(product->rows) == 1 &&
      product->count(product->columns) == 1)
    return true;
  std::optional<Sides> sides = addSides(*product, pattern);
  std::optional<ClassId> flat = sides ? addProduct(*sides) : std::nullopt;
  std::optional<ClassId> result = flat ? addCompute(term, *flat) : std::nullopt;
  if (!result)
    return nothing();
  // Back to the dimensions as they were.
  const AccessForm &old = product->getPattern();
  SmallVector<unsigned> order;
  for (ArrayRef<unsigned> group :
       {ArrayRef(product->batch), ArrayRef(product->rows),
        ArrayRef(product->columns)})
    llvm::append_range(order, group);
  // Unit dimensions have no place to be.
  SmallVector<unsigned> longer(order);
  llvm::erase_if(longer,
                 [&](unsigned dim) { return old.access.getShape()[dim] == 1; });
  // Square products may be transposed: that the types agree proves nothing.
  if (llvm::is_sorted(longer) && product->count(product->unused) == 1) {
    flatOf.try_emplace(graph.getTable().find(root), *result);
    const bool isMerged = mergeReshaped(root, *result);
    flatOf.try_emplace(graph.getTable().find(root), *result);
    return isMerged;
  }
  AccessForm back = getIdentity(*result);
  SmallVector<int64_t> shape, places(order.size());
  for (unsigned dim : order)
    shape.push_back(old.access.getShape()[dim]);
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  for (auto [place, dim] : llvm::enumerate(order))
    places[llvm::find(sorted, dim) - sorted.begin()] = place;
  std::optional<CanonicalAccess> moved = reshapeAccess(back.access, shape);
  moved = moved ? transposeAccess(*moved, places) : moved;
  for (unsigned dim : product->unused)
    moved = moved ? insertAxisAccess(*moved, dim, old.access.getShape()[dim])
                  : moved;
  if (!moved)
    return true;
  back.access = std::move(*moved);
  back.split = old.split;
  std::optional<ClassId> same = addView(back, getElement(*result));
  return same ? merge(root, *same) : nothing();
}

bool mlir::tensoraccess::isMatrixInMemory(const AccessForm &form) {
  return form.access.isEmpty() || form.access.asConstant() ||
         form.access.asStrided();
}

/// A product of matrices is that of their copies: `materialize` is the identity
/// on values. A side that is already a matrix needs none.
bool ComputeRules::copySides(ClassId root, const ComputeTerm &term,
                             ClassId pattern) {
  if (term.kind != ComputeKind::DotProd)
    return true;
  auto made = sidesOf.find(graph.getTable().find(pattern));
  std::optional<Sides> sides;
  if (made != sidesOf.end()) {
    sides = made->second;
  } else {
    std::optional<AccessForm> form = theory.getForm(pattern);
    std::optional<TupleProduct> product =
        form ? TupleProduct::get(std::move(*form)) : std::nullopt;
    if (product && product->isFlat())
      sides = addSides(*product, pattern);
    if (!sides)
      return nothing();
  }
  bool isCopied = false;
  for (ClassId &side : *sides) {
    std::optional<AccessForm> form = theory.getForm(side);
    if (!form || isMatrixInMemory(*form))
      continue;
    std::optional<ClassId> copy =
        addOp("materialize", {}, side, graph.getType(side));
    if (!copy)
      return nothing();
    side = *copy;
    isCopied = true;
  }
  if (!isCopied)
    return true;
  std::optional<ClassId> product = addProduct(*sides);
  std::optional<ClassId> result =
      product ? addCompute(term, *product) : std::nullopt;
  return result ? merge(root, *result) : nothing();
}

/// <M | K> by <| K x N> on an array, or <B, M | K> by <B | K x N>; with more
/// than one block of rows up to the order of summation.
bool ComputeRules::makeArray(ClassId root, const ComputeTerm &term,
                             ClassId pattern) {
  if (term.kind != ComputeKind::DotProd)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || (form->split != 2 && form->split != 3) ||
      form->access.getRank() != form->split + 2)
    return true;
  std::optional<TupleProduct> product = TupleProduct::get(std::move(*form));
  if (!product)
    return true;
  // Dimensions that no factor moves with are what they are by their place.
  const bool hasBatch = product->getPattern().split == 3;
  const unsigned batch = 0, row = hasBatch, column = hasBatch + 1;
  for (unsigned dim : product->batch)
    if (!hasBatch || dim != batch)
      return true;
  for (unsigned dim : product->rows)
    if (dim != row)
      return true;
  for (unsigned dim : product->columns)
    if (dim != column)
      return true;
  ArrayRef<int64_t> sizes = product->getPattern().access.getShape();
  SmallVector<ArrayRef<unsigned>> leftGroups, rightGroups;
  if (hasBatch) {
    leftGroups.push_back(batch);
    rightGroups.push_back(batch);
  }
  leftGroups.push_back(row);
  rightGroups.push_back(column);
  std::optional<AccessForm> left = product->getSide(0, leftGroups),
                            right = product->getSide(1, rightGroups);
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, hasBatch + 2));
  std::swap(order[hasBatch], order[hasBatch + 1]);
  std::optional<CanonicalAccess> turned =
      right ? transposeAccess(right->access, order) : std::nullopt;
  if (!left || !turned)
    return true;
  Builder b(getContext());
  const Type element = getElement(pattern);
  std::optional<ClassId> activations = theory.lookup(
      *left, getType(left->access.getShape(), left->split, element));
  if (!activations)
    activations = addView(*left, element);
  if (!activations)
    activations = addSideByOps(*product, pattern, 0, leftGroups);
  std::optional<ClassId> weights =
      activations ? addView(right->with(std::move(*turned), hasBatch), element)
                  : std::nullopt;
  if (activations && !weights) {
    std::optional<ClassId> columns =
        addSideByOps(*product, pattern, 1, rightGroups);
    columns = columns ? splitAt(*columns, hasBatch) : std::nullopt;
    if (columns)
      weights = addOp("transpose",
                      b.getNamedAttr("perm", b.getDenseI64ArrayAttr(order)),
                      *columns);
  }
  if (!weights)
    return nothing();
  for (const SystolicShape &array : options.arrays) {
    const bool isWhole =
        !hasBatch && array.rows == sizes.back() && array.cols == sizes[column];
    if (!options.reordersSums && array.rows < sizes.back())
      continue;
    SmallVector<NamedAttribute> attributes = {
        b.getNamedAttr("rows", b.getI64IntegerAttr(array.rows)),
        b.getNamedAttr("cols", b.getI64IntegerAttr(array.cols))};
    if (!isWhole)
      attributes.push_back(b.getNamedAttr("blocked", b.getUnitAttr()));
    if (term.accumulator)
      attributes.push_back(b.getNamedAttr("accumulator", term.accumulator));
    std::optional<ClassId> result =
        addOp("systolic_array", attributes, {*activations, *weights});
    if (!result)
      return nothing();
    if (!merge(root, *result))
      return false;
  }
  return true;
}

/// The other way round: what an array computes is a dot_prod, over
/// <B, A, N | 2, K>.
bool ComputeRules::readArray(const Match &match) {
  DictionaryAttr attributes = graph.getAttributes(match.symbols[2]);
  std::optional<AccessForm> left = theory.getForm(match.classes[0]),
                            right = theory.getForm(match.classes[1]);
  if (!left || !right || !hasElements(left->access) ||
      !hasElements(right->access))
    return true;
  const int64_t points = left->split, batch = right->split;
  ArrayRef<int64_t> sizes = left->access.getShape();
  auto rows = attributes.getAs<IntegerAttr>("rows");
  if (!rows || (rows.getInt() < sizes.back() && !options.reordersSums))
    return true;
  const int64_t width = right->access.getShape().back();
  AccessForm both = joinTables({&*left, &*right});
  std::optional<CanonicalAccess> items =
      insertAxisAccess(left->access, points, width);
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, batch + 2));
  std::swap(order[batch], order[batch + 1]);
  std::optional<CanonicalAccess> columns =
      transposeAccess(right->access, order);
  for (int64_t dim = batch; dim < points; ++dim)
    columns = columns ? insertAxisAccess(*columns, dim, sizes[dim]) : columns;
  if (!items || !columns)
    return true;
  const CanonicalAccess *parts[] = {&*items, &*columns};
  return mergeCompute(
      match.classes[2],
      {ComputeKind::DotProd, attributes.getAs<TypeAttr>("accumulator")}, both,
      stackAccess(parts, points + 1), points + 1, getElement(match.classes[0]));
}
