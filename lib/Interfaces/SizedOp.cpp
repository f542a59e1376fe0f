//===- SizedOp.cpp - Sizes of an op, and the loops they bound -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Interfaces/Nest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SizedOp::SizedOp(const OpSignature &signature, OpSizes::TypeSizes others,
                 ArrayRef<unsigned> destinations)
    : signature(signature), shared(std::make_shared<NestSizes>(
                                NestSizes{OpSizes(signature, others), {}, {}})),
      sizes(shared->all), in(shared->operands), out(shared->results),
      isValid(!signature.resultTypes.empty() || !destinations.empty()) {
  auto take = [&](std::optional<SizeList> list, IndexingReason why,
                  std::vector<SizeList> &to) {
    if (!list && isValid)
      reason = why;
    isValid &= list.has_value();
    to.push_back(std::move(list).value_or(SizeList()));
  };
  in.reserve(signature.operandTypes.size());
  out.reserve(signature.resultTypes.size());
  IndexingReason why = reason;
  for (unsigned o = 0; o < signature.operandTypes.size(); ++o) {
    std::optional<SizeList> list = sizes.operand(o, why);
    take(std::move(list), why, in);
  }
  for (unsigned r = 0; r < signature.resultTypes.size(); ++r) {
    std::optional<SizeList> list = sizes.result(r, why);
    take(std::move(list), why, out);
  }
  shared->destinations.assign(destinations.begin(), destinations.end());
  for (unsigned operand : destinations)
    out.push_back(in[operand]);
}

bool SizedOp::equate(FormRef a, FormRef b) {
  if (a == b)
    return true;
  Form x = sizes.resolve(a), y = sizes.resolve(b);
  if (x.isConstant() && y.isConstant())
    return x == y;
  if (x != y)
    sizes.equate(x, y);
  return true;
}

bool SizedOp::equateAll(ArrayRef<Form> a, ArrayRef<Form> b) {
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(a, b))
    if (!equate(x, y))
      return false;
  return true;
}

Nest SizedOp::makeResultNest(NestBody body) const {
  Nest nest = makeNest(out[0]);
  nest.body = body;
  nest.write(0, nest.getAxes());
  return nest;
}

std::optional<Nest> SizedOp::makeProjection(ArrayRef<int64_t> dims,
                                            unsigned count) {
  for (unsigned o = 1; o < count; ++o)
    if (!equateAll(in[o], in[0]))
      return std::nullopt;
  for (const SizeList &shape : out) {
    if (shape.size() != dims.size())
      return std::nullopt;
    for (auto [size, dim] : llvm::zip_equal(shape, dims))
      if (!equate(size, dim < 0 ? Form(1) : in[0][dim]))
        return std::nullopt;
  }
  Nest nest = makeNest(in[0]);
  SmallVector<Form> index;
  for (int64_t dim : dims)
    index.push_back(dim < 0 ? Form(0) : nest[dim]);
  for (unsigned r = 0; r < out.size(); ++r)
    nest.write(r, index);
  for (unsigned o = 0; o < count; ++o)
    nest.read(o, nest.getAxes());
  nest.body = NestBody::Reduce;
  return nest;
}

std::optional<Nest> SizedOp::makeTranspose(ArrayRef<int64_t> permutation) {
  if (!isPermutation(permutation, in[0].size()) ||
      out[0].size() != permutation.size())
    return std::nullopt;
  for (auto [size, dim] : llvm::zip_equal(out[0], permutation))
    if (!equate(size, in[0][dim]))
      return std::nullopt;
  Nest nest = makeResultNest(NestBody::Move);
  SmallVector<Form> index(permutation.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    index[dim] = nest[i];
  nest.read(0, index);
  return nest;
}

std::optional<Nest> SizedOp::makeConcat(int64_t dim) {
  if (dim < 0 || dim >= int64_t(out[0].size()))
    return std::nullopt;
  Form total;
  SmallVector<Form> offsets;
  for (const SizeList &shape : in) {
    // The offsets of all that follow are unknown, too.
    if (shape.size() != out[0].size())
      return std::nullopt;
    for (auto [i, size] : llvm::enumerate(shape))
      if (int64_t(i) != dim && !equate(size, out[0][i]))
        return std::nullopt;
    offsets.push_back(total);
    total = sizes.getArena().add(total, shape[dim]);
  }
  if (!equate(total, out[0][dim]))
    return std::nullopt;
  Nest nest = makeResultNest(NestBody::Move);
  for (auto [o, offset] : llvm::enumerate(offsets)) {
    SmallVector<Form> index(nest.getAxes());
    index[dim] = nest.arena().sub(index[dim], nest.size(offset));
    nest.read(o, index).keepInside(index[dim], in[o][dim]);
  }
  return nest;
}
