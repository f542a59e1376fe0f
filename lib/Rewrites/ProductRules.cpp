//===- ProductRules.cpp - Dot products as products of matrices ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dot product of two is taken apart: which access dimensions does each factor
// move with? That makes it a product of matrices, and that an array.
//
//===----------------------------------------------------------------------===//

#include "ComputeRulesImpl.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// Which dimensions a form depends on.
llvm::BitVector getUsedDims(const CanonicalAccess &access) {
  llvm::BitVector used(access.getRank());
  for (const AccessPiece &piece : access.getPieces()) {
    const FormArena &arena = piece.map.getArena();
    SmallVector<char> atoms(arena.getNumAtoms());
    for (const Form &result : piece.map.getResults())
      arena.markUsed(result, atoms);
    for (const Constraint &constraint : piece.map.getConstraints())
      arena.markUsed(constraint.form, atoms);
    for (unsigned i = 0; i < access.getRank(); ++i)
      if (atoms[i] || piece.map.getDimRanges()[i] !=
                          Interval::ofExtent(access.getShape()[i]))
        used.set(i);
  }
  return used;
}

/// A dot product of two, taken apart: the two factors, without the tuple, over
/// the same dimensions, and what each access dimension is.
struct Contraction {
  AccessForm left, right;
  SmallVector<unsigned> batch, rows, columns, unused;

  static std::optional<Contraction> get(const AccessForm &form);
  /// The factor with the listed access dimensions, in this order, and the item,
  /// each group flattened into one; the others are fixed.
  std::optional<CanonicalAccess>
  flatten(const AccessForm &factor, ArrayRef<ArrayRef<unsigned>> groups) const;
  int64_t count(ArrayRef<unsigned> dims) const {
    int64_t product = 1;
    for (unsigned dim : dims)
      product *= left.access.getShape()[dim];
    return product;
  }
  int64_t getDepth() const {
    return *elementCount(left.access.getShape().drop_front(left.split));
  }
};

} // namespace

std::optional<Contraction> Contraction::get(const AccessForm &form) {
  const int64_t split = form.split;
  if (!hasElements(form.access) || form.access.getRank() <= split ||
      form.access.getShape()[split] != 2)
    return std::nullopt;
  std::optional<AccessForm> left = form.fix(split, 0),
                            right = form.fix(split, 1);
  if (!left || !right)
    return std::nullopt;
  Contraction result{*left, *right, {}, {}, {}, {}};
  llvm::BitVector byLeft = getUsedDims(left->access),
                  byRight = getUsedDims(right->access);
  for (unsigned dim = 0; dim < split; ++dim)
    (byLeft[dim] ? (byRight[dim] ? result.batch : result.rows)
                 : (byRight[dim] ? result.columns : result.unused))
        .push_back(dim);
  return result;
}

std::optional<CanonicalAccess>
Contraction::flatten(const AccessForm &factor,
                     ArrayRef<ArrayRef<unsigned>> groups) const {
  std::optional<CanonicalAccess> access = factor.access;
  SmallVector<unsigned> kept;
  SmallVector<int64_t> shape;
  for (ArrayRef<unsigned> group : groups) {
    llvm::append_range(kept, group);
    shape.push_back(count(group));
  }
  for (unsigned dim = factor.access.getRank(); dim-- > factor.split;)
    kept.push_back(dim);
  std::reverse(kept.end() - (factor.access.getRank() - factor.split),
               kept.end());
  shape.push_back(getDepth());
  // Fix the others, the last first, and say where the kept ones are then.
  SmallVector<int64_t> order(kept.begin(), kept.end());
  for (unsigned dim = factor.access.getRank(); dim-- > 0 && access;)
    if (!llvm::is_contained(kept, dim)) {
      access = fixAccess(*access, dim, 0);
      for (int64_t &place : order)
        place -= place > dim;
    }
  if (access)
    access = transposeAccess(*access, order);
  return access ? reshapeAccess(*access, shape) : access;
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

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
  std::optional<Contraction> product =
      form ? Contraction::get(*form) : std::nullopt;
  if (!product)
    return true;
  const bool hasBatch = !product->batch.empty();
  SmallVector<ArrayRef<unsigned>> leftGroups, rightGroups;
  if (hasBatch) {
    leftGroups.push_back(product->batch);
    rightGroups.push_back(product->batch);
  }
  leftGroups.push_back(product->rows);
  rightGroups.push_back(product->columns);
  std::optional<CanonicalAccess> left = product->flatten(product->left,
                                                         leftGroups),
                                 right = product->flatten(product->right,
                                                          rightGroups);
  if (!left || !right)
    return true;
  // Both over [b, m, n, k], side by side.
  const int64_t m = product->count(product->rows),
                n = product->count(product->columns);
  left = insertAxisAccess(*left, hasBatch + 1, n);
  right = right ? insertAxisAccess(*right, hasBatch, m) : right;
  if (!left || !right)
    return true;
  const CanonicalAccess *both[] = {&*left, &*right};
  const unsigned split = hasBatch + 2;
  std::optional<CanonicalAccess> access = stackAccess(both, split);
  if (!access)
    return true;
  std::optional<ClassId> flat =
      addView(form->with(std::move(*access), split), getElement(pattern));
  std::optional<ClassId> result = flat ? addCompute(term, *flat) : std::nullopt;
  if (!result)
    return nothing();
  // Back to the dimensions as they were.
  AccessForm back = getIdentity(*result);
  SmallVector<unsigned> order;
  for (ArrayRef<unsigned> group :
       {ArrayRef(product->batch), ArrayRef(product->rows),
        ArrayRef(product->columns)})
    llvm::append_range(order, group);
  ArrayRef<int64_t> old = form->access.getShape();
  SmallVector<int64_t> shape, places(order.size());
  for (unsigned dim : order)
    shape.push_back(old[dim]);
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  for (auto [place, dim] : llvm::enumerate(order))
    places[llvm::find(sorted, dim) - sorted.begin()] = place;
  std::optional<CanonicalAccess> moved = reshapeAccess(back.access, shape);
  moved = moved ? transposeAccess(*moved, places) : moved;
  for (unsigned dim : product->unused)
    moved = moved ? insertAxisAccess(*moved, dim, old[dim]) : moved;
  if (!moved)
    return true;
  back.access = std::move(*moved);
  back.split = form->split;
  std::optional<ClassId> same = addView(back, getElement(*result));
  return same ? merge(root, *same) : nothing();
}

/// <M | K> by <| K x N> on an array, or <B, M | K> by <B | K x N>; with more
/// than one block of rows up to the order of summation.
bool ComputeRules::makeArray(ClassId root, const ComputeTerm &term,
                             ClassId pattern) {
  if (term.kind != ComputeKind::DotProd || term.accumulator)
    return true;
  std::optional<AccessForm> form = theory.getForm(pattern);
  if (!form || (form->split != 2 && form->split != 3) ||
      form->access.getRank() != form->split + 2)
    return true;
  std::optional<Contraction> product = Contraction::get(*form);
  if (!product)
    return true;
  // Dimensions that nobody moves with are what they are by their place.
  const bool hasBatch = form->split == 3;
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
  ArrayRef<int64_t> sizes = form->access.getShape();
  SmallVector<ArrayRef<unsigned>> leftGroups, rightGroups;
  if (hasBatch) {
    leftGroups.push_back(batch);
    rightGroups.push_back(batch);
  }
  leftGroups.push_back(row);
  rightGroups.push_back(column);
  std::optional<CanonicalAccess> left = product->flatten(product->left,
                                                         leftGroups),
                                 right = product->flatten(product->right,
                                                          rightGroups);
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, hasBatch + 2));
  std::swap(order[hasBatch], order[hasBatch + 1]);
  right = right ? transposeAccess(*right, order) : right;
  if (!left || !right)
    return true;
  const Type element = getElement(pattern);
  std::optional<ClassId> activations =
      addView(form->with(std::move(*left), hasBatch + 1), element);
  std::optional<ClassId> weights =
      activations ? addView(form->with(std::move(*right), hasBatch), element)
                  : std::nullopt;
  if (!weights)
    return nothing();
  Builder b(getContext());
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
    std::optional<ClassId> result =
        graph.add(getName("systolic_array"), b.getDictionaryAttr(attributes),
                  {*activations, *weights}, std::nullopt);
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
  std::optional<CanonicalAccess> access = stackAccess(parts, points + 1);
  if (!access)
    return true;
  std::optional<ClassId> pattern = addView(
      both.with(std::move(*access), points + 1), getElement(match.classes[0]));
  std::optional<ClassId> result =
      pattern ? addCompute({ComputeKind::DotProd, TypeAttr()}, *pattern)
              : std::nullopt;
  return result ? merge(match.classes[2], *result) : nothing();
}
