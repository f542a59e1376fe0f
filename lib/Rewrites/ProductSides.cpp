//===- ProductSides.cpp - Sides of a dot product, op by op ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A flat side is one view of what the program's sides read, and mostly there is
// a plan to write it down (IR/AccessForm.h). Where there is none, such as
// for windows that meet the padding in a batch of groups, it is made of what
// the program has, by ops that always are:
//
//   1. the side: an operand of the program's `pair`, or a place on the tuple's
//      axis;
//   2. the first place along each dimension that it does not move with;
//   3. its groups of dimensions one after the other;
//   4. each group flattened, and the item.
//
// All of them are views. Together they are the same node as the view
// without a plan, so that rules find it by its form.
//
//===----------------------------------------------------------------------===//

#include "ComputeRulesImpl.h"
#include "TensorAccess/Rewrites/RuleSets.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// The same elements in another shape.
std::optional<ClassId> ComputeRules::addReshape(ClassId id, AccessType type) {
  return graph.getType(id) == type ? id : addOp("reshape", {}, id, type);
}

/// A side of the pattern `id` over <groups | K>.
std::optional<ClassId>
ComputeRules::addSideByOps(const TupleProduct &product, ClassId id,
                           unsigned side, ArrayRef<ArrayRef<unsigned>> groups) {
  Builder b(getContext());
  const unsigned split = product.getPattern().split;
  SmallVector<int64_t> sizes(product.getPattern().access.getShape()),
      offsets(sizes.size(), 0);
  // 1 and 2.
  llvm::BitVector isMoved(split);
  for (ArrayRef<unsigned> group : groups)
    for (unsigned dim : group)
      isMoved.set(dim);
  for (unsigned dim = 0; dim < split; ++dim)
    if (!isMoved[dim])
      sizes[dim] = 1;
  std::optional<ClassId> now = id;
  if (auto factors = findOp(id, getName("pair"))) {
    now = (*factors)[side];
    sizes.erase(sizes.begin() + split);
    offsets.pop_back();
  } else {
    sizes[split] = 1;
    offsets[split] = side;
  }
  if (cast<AccessType>(graph.getType(*now)).getShape() != ArrayRef(sizes))
    now = addOp("slice",
                {b.getNamedAttr("offsets", b.getDenseI64ArrayAttr(offsets)),
                 b.getNamedAttr("sizes", b.getDenseI64ArrayAttr(sizes))},
                *now);
  // 3.
  SmallVector<int64_t> order, flat;
  for (ArrayRef<unsigned> group : groups) {
    llvm::append_range(order, group);
    flat.push_back(product.count(group));
  }
  for (int64_t dim = 0, e = sizes.size(); dim < e; ++dim)
    if (!llvm::is_contained(order, dim))
      order.push_back(dim);
  if (now && !llvm::is_sorted(order))
    now = addOp("transpose",
                b.getNamedAttr("perm", b.getDenseI64ArrayAttr(order)), *now);
  // 4.
  flat.push_back(product.getDepth());
  return now ? addReshape(*now, getType(flat, groups.size(), getElement(id)))
             : std::nullopt;
}

/// The pattern <B, M, N | 2, K> of the sides of a batch.
std::optional<ClassId> ComputeRules::addProductByOps(const Sides &sides) {
  Builder b(getContext());
  auto left = cast<AccessType>(graph.getType(sides[0])),
       right = cast<AccessType>(graph.getType(sides[1]));
  const int64_t shape[] = {left.getAccessShape()[0], left.getAccessShape()[1],
                           right.getAccessShape()[1],
                           left.getComputeShape()[0]};
  const AccessType all = getType(shape, 3, left.getElementType());
  SmallVector<ClassId, 2> repeated;
  for (unsigned side : {0u, 1u}) {
    std::optional<ClassId> now =
        addOp("insert_axis",
              b.getNamedAttr("axis", b.getI64IntegerAttr(side == 0 ? 2 : 1)),
              sides[side]);
    if (now && graph.getType(*now) != all)
      now = addOp("broadcast", {}, *now, all);
    if (!now)
      return std::nullopt;
    repeated.push_back(*now);
  }
  return addOp("pair", {}, repeated);
}
