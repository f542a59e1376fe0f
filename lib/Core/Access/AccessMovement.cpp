//===- AccessMovement.cpp - Movement of canonical forms -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function writes the indexing map from the result's index to the
// operand's, straight from the op's formula, and pulls the operand's form back
// along it; ops with several operands, and pad, do so case by case.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Access.h"

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLExtras.h"

#include <vector>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using Result = std::optional<CanonicalAccess>;

namespace {

/// A map that is being written: one dim for each dimension of the result.
struct Movement {
  explicit Movement(ArrayRef<int64_t> shape) : dims(builder.addDims(shape)) {}
  void read(const Form &form) { builder.addResult(form); }
  void readAll(ArrayRef<Form> forms) {
    for (const Form &form : forms)
      read(form);
  }
  FormArena &arena() { return builder.arena(); }

  IndexingMapBuilder builder;
  SmallVector<Form> dims;
};

SmallVector<int64_t> insertAt(ArrayRef<int64_t> shape, unsigned axis,
                              int64_t size) {
  SmallVector<int64_t> result(shape);
  result.insert(result.begin() + axis, size);
  return result;
}

SmallVector<int64_t> eraseAt(ArrayRef<int64_t> shape, unsigned axis) {
  SmallVector<int64_t> result(shape);
  result.erase(result.begin() + axis);
  return result;
}

} // namespace

Result mlir::tensoraccess::transposeAccess(const CanonicalAccess &access,
                                           ArrayRef<int64_t> perm,
                                           const AccessBudget &budget) {
  SmallVector<int64_t> shape;
  SmallVector<unsigned> place(perm.size());
  for (auto [i, dim] : llvm::enumerate(perm)) {
    shape.push_back(access.getShape()[dim]);
    place[dim] = i;
  }
  Movement movement(shape);
  for (unsigned i : place)
    movement.read(movement.dims[i]);
  return access.pullBack(shape, movement.builder.build(), budget);
}

Result mlir::tensoraccess::sliceAccess(const CanonicalAccess &access,
                                       ArrayRef<int64_t> offsets,
                                       ArrayRef<int64_t> sizes,
                                       ArrayRef<int64_t> strides,
                                       const AccessBudget &budget) {
  Movement movement(sizes);
  for (auto [form, offset, stride] :
       llvm::zip_equal(movement.dims, offsets, strides))
    movement.read(movement.arena().add(movement.arena().scale(form, stride),
                                       Form(offset)));
  return access.pullBack(sizes, movement.builder.build(), budget);
}

Result mlir::tensoraccess::windowsAccess(const CanonicalAccess &access,
                                         ArrayRef<int64_t> window,
                                         ArrayRef<int64_t> strides,
                                         ArrayRef<int64_t> dilations,
                                         const AccessBudget &budget) {
  const size_t first = access.getRank() - window.size(), n = window.size();
  SmallVector<int64_t> shape(access.getShape().take_front(first));
  for (size_t i = 0; i < n; ++i)
    shape.push_back(
        (access.getShape()[first + i] - (window[i] - 1) * dilations[i] - 1) /
            strides[i] +
        1);
  llvm::append_range(shape, window);
  Movement movement(shape);
  movement.readAll(ArrayRef(movement.dims).take_front(first));
  FormArena &arena = movement.arena();
  for (size_t i = 0; i < n; ++i)
    movement.read(
        arena.add(arena.scale(movement.dims[first + i], strides[i]),
                  arena.scale(movement.dims[first + n + i], dilations[i])));
  return access.pullBack(shape, movement.builder.build(), budget);
}

Result mlir::tensoraccess::fixAccess(const CanonicalAccess &access,
                                     unsigned axis, int64_t value,
                                     const AccessBudget &budget) {
  SmallVector<int64_t> shape = eraseAt(access.getShape(), axis);
  Movement movement(shape);
  movement.readAll(ArrayRef(movement.dims).take_front(axis));
  movement.read(Form(value));
  movement.readAll(ArrayRef(movement.dims).drop_front(axis));
  return access.pullBack(shape, movement.builder.build(), budget);
}

Result mlir::tensoraccess::insertAxisAccess(const CanonicalAccess &access,
                                            unsigned axis, int64_t size,
                                            const AccessBudget &budget) {
  SmallVector<int64_t> shape = insertAt(access.getShape(), axis, size);
  Movement movement(shape);
  for (unsigned i = 0; i < shape.size(); ++i)
    if (i != axis)
      movement.read(movement.dims[i]);
  return access.pullBack(shape, movement.builder.build(), budget);
}

Result mlir::tensoraccess::broadcastAccess(const CanonicalAccess &access,
                                           ArrayRef<int64_t> shape,
                                           const AccessBudget &budget) {
  Movement movement(shape);
  for (unsigned i = 0; i < shape.size(); ++i)
    movement.read(access.getShape()[i] == shape[i] ? movement.dims[i]
                                                   : Form(0));
  return access.pullBack(shape, movement.builder.build(), budget);
}

Result mlir::tensoraccess::reshapeAccess(const CanonicalAccess &access,
                                         ArrayRef<int64_t> shape,
                                         const AccessBudget &budget) {
  return access.pullBack(shape, reshapeMap(shape, access.getShape()), budget);
}

Result mlir::tensoraccess::padAccess(const CanonicalAccess &access,
                                     ArrayRef<int64_t> low,
                                     ArrayRef<int64_t> high,
                                     ArrayRef<int64_t> interior, unsigned value,
                                     const AccessBudget &budget) {
  SmallVector<int64_t> shape;
  IndexingMapBuilder builder;
  FormArena &arena = builder.arena();
  SmallVector<Form> dims;
  for (unsigned i = 0; i < access.getRank(); ++i) {
    const int64_t size = access.getShape()[i];
    std::optional<int64_t> below = checkedAdd(
        checkedAdd(checkedMul(std::max<int64_t>(size - 1, 0), interior[i]),
                   size),
        low[i]);
    std::optional<int64_t> all = checkedAdd(below, high[i]);
    if (!all)
      return std::nullopt;
    shape.push_back(*all);
    dims.push_back(builder.addDim({low[i], *below - 1}));
  }
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Form inside = arena.sub(dim, Form(low[i]));
    if (interior[i] != 0)
      builder.addConstraint(arena.mod(inside, interior[i] + 1),
                            Interval::point(0));
    builder.addResult(arena.floorDiv(inside, interior[i] + 1));
  }
  CanonicalAccess::Case inside{&access, builder.build()};
  return CanonicalAccess::select(shape, inside, value, budget);
}

Result mlir::tensoraccess::concatAccess(ArrayRef<const CanonicalAccess *> parts,
                                        unsigned axis,
                                        const AccessBudget &budget) {
  SmallVector<int64_t> shape(parts.front()->getShape());
  shape[axis] = 0;
  SmallVector<CanonicalAccess::Case> cases;
  for (const CanonicalAccess *part : parts) {
    const int64_t begin = shape[axis], size = part->getShape()[axis];
    std::optional<int64_t> end = checkedAdd(begin, size);
    if (!end)
      return std::nullopt;
    shape[axis] = *end;
    if (part->isEmpty())
      continue;
    IndexingMapBuilder builder;
    SmallVector<Form> dims;
    for (unsigned i = 0; i < shape.size(); ++i)
      dims.push_back(
          builder.addDim(i == axis ? Interval(begin, *end - 1)
                                   : Interval::ofExtent(part->getShape()[i])));
    dims[axis] = builder.arena().sub(dims[axis], Form(begin));
    for (const Form &form : dims)
      builder.addResult(form);
    cases.push_back({part, builder.build()});
  }
  return CanonicalAccess::select(shape, cases, std::nullopt, budget);
}

Result mlir::tensoraccess::stackAccess(ArrayRef<const CanonicalAccess *> parts,
                                       unsigned axis,
                                       const AccessBudget &budget) {
  std::vector<CanonicalAccess> grown;
  for (const CanonicalAccess *part : parts) {
    Result one = insertAxisAccess(*part, axis, 1, budget);
    if (!one)
      return std::nullopt;
    grown.push_back(std::move(*one));
  }
  SmallVector<const CanonicalAccess *> pointers;
  for (const CanonicalAccess &one : grown)
    pointers.push_back(&one);
  return concatAccess(pointers, axis, budget);
}

Result mlir::tensoraccess::cartProdAccess(const CanonicalAccess &lhs,
                                          unsigned lhsAccess,
                                          const CanonicalAccess &rhs,
                                          unsigned rhsAccess,
                                          const AccessBudget &budget) {
  SmallVector<int64_t> shape(lhs.getShape().take_front(lhsAccess));
  llvm::append_range(shape, rhs.getShape().take_front(rhsAccess));
  const unsigned tuple = shape.size();
  llvm::append_range(shape, lhs.getShape().drop_front(lhsAccess));
  shape.insert(shape.begin() + tuple, 2);
  SmallVector<CanonicalAccess::Case> cases;
  for (unsigned side : {0u, 1u}) {
    IndexingMapBuilder builder;
    SmallVector<Form> dims;
    for (unsigned i = 0; i < shape.size(); ++i)
      dims.push_back(builder.addDim(i == tuple ? Interval::point(side)
                                               : Interval::ofExtent(shape[i])));
    ArrayRef<Form> access = ArrayRef(dims).take_front(tuple);
    for (const Form &form : side == 0 ? access.take_front(lhsAccess)
                                      : access.drop_front(lhsAccess))
      builder.addResult(form);
    for (const Form &form : ArrayRef(dims).drop_front(tuple + 1))
      builder.addResult(form);
    cases.push_back({side == 0 ? &lhs : &rhs, builder.build()});
  }
  return CanonicalAccess::select(shape, cases, std::nullopt, budget);
}
