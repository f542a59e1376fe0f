//===- IndexOps.cpp - What the index dialect computes ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index has 64 bits, so each op is the one of arith on i64; casts extend or
// truncate to the type that they go to.
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static const llvm::StringMap<StringRef> &getTable() {
  static const llvm::StringMap<StringRef> table = {
      {"index.add", "arith.addi"},
      {"index.and", "arith.andi"},
      {"index.casts", "arith.index_cast"},
      {"index.castu", "arith.index_castui"},
      {"index.ceildivs", "arith.ceildivsi"},
      {"index.ceildivu", "arith.ceildivui"},
      {"index.cmp", "arith.cmpi"},
      {"index.divs", "arith.divsi"},
      {"index.divu", "arith.divui"},
      {"index.floordivs", "arith.floordivsi"},
      {"index.maxs", "arith.maxsi"},
      {"index.maxu", "arith.maxui"},
      {"index.mins", "arith.minsi"},
      {"index.minu", "arith.minui"},
      {"index.mul", "arith.muli"},
      {"index.or", "arith.ori"},
      {"index.rems", "arith.remsi"},
      {"index.remu", "arith.remui"},
      {"index.shl", "arith.shli"},
      {"index.shrs", "arith.shrsi"},
      {"index.shru", "arith.shrui"},
      {"index.sub", "arith.subi"},
      {"index.xor", "arith.xori"},
  };
  return table;
}

SmallVector<StringRef> mlir::tensoraccess::listIndexOps() {
  SmallVector<StringRef> names = llvm::to_vector(getTable().keys());
  names.push_back(index::SizeOfOp::getOperationName());
  return names;
}

static arith::CmpIPredicate getPredicate(index::IndexCmpPredicate predicate) {
  switch (predicate) {
  case index::IndexCmpPredicate::EQ:
    return arith::CmpIPredicate::eq;
  case index::IndexCmpPredicate::NE:
    return arith::CmpIPredicate::ne;
  case index::IndexCmpPredicate::SGE:
    return arith::CmpIPredicate::sge;
  case index::IndexCmpPredicate::SGT:
    return arith::CmpIPredicate::sgt;
  case index::IndexCmpPredicate::SLE:
    return arith::CmpIPredicate::sle;
  case index::IndexCmpPredicate::SLT:
    return arith::CmpIPredicate::slt;
  case index::IndexCmpPredicate::UGE:
    return arith::CmpIPredicate::uge;
  case index::IndexCmpPredicate::UGT:
    return arith::CmpIPredicate::ugt;
  case index::IndexCmpPredicate::ULE:
    return arith::CmpIPredicate::ule;
  case index::IndexCmpPredicate::ULT:
    return arith::CmpIPredicate::ult;
  }
  llvm_unreachable("every predicate has a case");
}

/// The bits of an index.
static bool runSizeOf(const ScalarInstruction &in, ScalarContext &context) {
  intAt(context, in.result) = in.resultType.bits;
  return true;
}

bool mlir::tensoraccess::selectIndexOp(Operation *op,
                                       ScalarInstruction &instruction) {
  if (isa<index::SizeOfOp>(op)) {
    instruction.handlers = runSizeOf;
    return true;
  }
  instruction.handlers =
      findScalarHandlers(getTable().lookup(op->getName().getStringRef()));
  if (auto compare = dyn_cast<index::CmpOp>(op))
    instruction.extra = static_cast<int64_t>(getPredicate(compare.getPred()));
  return instruction.handlers.run != nullptr;
}
