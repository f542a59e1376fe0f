//===- SizedOp.cpp - Sizes of an op, and who meets in its loops -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Read/Models.h"

using namespace mlir;
using namespace mlir::tensoraccess;

SizedOp::SizedOp(const OpSignature &signature, OpSizes::TypeSizes others)
    : signature(signature), sizes(signature, others),
      indexing(signature.nothingRead()),
      isValid(!signature.resultTypes.empty()) {
  auto take = [&](std::optional<SizeList> list, std::vector<SizeList> &to) {
    isValid &= list.has_value();
    to.push_back(std::move(list).value_or(SizeList()));
  };
  in.reserve(signature.operandTypes.size());
  out.reserve(signature.resultTypes.size());
  for (unsigned o = 0; o < signature.operandTypes.size(); ++o)
    take(sizes.operand(o, reason), in);
  for (unsigned r = 0; r < signature.resultTypes.size(); ++r)
    take(sizes.result(r, reason), out);
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

Form tensoraccess::getLast(Loops &loops, FormRef size) {
  Form last = loops.size(size);
  last.constant -= 1;
  return last;
}
