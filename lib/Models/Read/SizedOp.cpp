//===- SizedOp.cpp - Sizes of an op, and who meets in its loops -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Read/Models.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SizedOp::SizedOp(const OpSignature &signature, OpSizes::TypeSizes others)
    : signature(signature), sizes(signature, others),
      indexing(signature.nothingRead()),
      isValid(!signature.resultTypes.empty()) {
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
}

bool SizedOp::equate(FormRef a, FormRef b) {
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

void SizedOp::addSame(unsigned o) {
  Loops loops(sizes, out[0]);
  connect(loops, loops.get(), o, loops.get());
}

void SizedOp::addSingle(unsigned first, unsigned last, unsigned r) {
  for (unsigned o = first; o < last; ++o) {
    Loops loops(sizes, out[r]);
    connect(loops, loops.get(), o, SmallVector<Form>(in[o].size()), r);
  }
}

bool SizedOp::addProjection(ArrayRef<int64_t> dims, unsigned o, unsigned r) {
  if (out[r].size() != dims.size())
    return false;
  for (auto [size, dim] : llvm::zip_equal(out[r], dims))
    if (!equate(size, dim < 0 ? Form(1) : in[o][dim]))
      return false;
  Loops loops(sizes, in[o]);
  SmallVector<Form> index;
  for (int64_t dim : dims)
    index.push_back(dim < 0 ? Form(0) : loops[dim]);
  connect(loops, index, o, loops.get(), r);
  return true;
}

bool SizedOp::addTranspose(ArrayRef<int64_t> permutation) {
  return permutation.size() == in[0].size() &&
         areDims(permutation, in[0].size()) && addProjection(permutation);
}

bool SizedOp::addConcat(int64_t dim) {
  if (dim < 0 || dim >= int64_t(out[0].size()))
    return false;
  Form total;
  SmallVector<Form> offsets;
  for (const SizeList &shape : in) {
    // The offsets of all that follow are unknown, too.
    if (shape.size() != out[0].size())
      return false;
    for (auto [i, size] : llvm::enumerate(shape))
      if (int64_t(i) != dim && !equate(size, out[0][i]))
        return false;
    offsets.push_back(total);
    total = sizes.getArena().add(total, shape[dim]);
  }
  if (!equate(total, out[0][dim]))
    return false;
  for (auto [o, offset] : llvm::enumerate(offsets)) {
    Loops loops(sizes, in[o]);
    SmallVector<Form> index(loops.get());
    index[dim] = loops.arena().add(index[dim], loops.size(offset));
    connect(loops, index, o, loops.get());
  }
  return true;
}

Form tensoraccess::getLast(Loops &loops, FormRef size) {
  Form last = loops.size(size);
  last.constant -= 1;
  return last;
}
