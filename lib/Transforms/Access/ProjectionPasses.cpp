//===- ProjectionPasses.cpp - Projections and chains of views -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrappers around formProjections and expandProjections (IR/AccessForm.h), which
// report what stays and why; here that becomes remarks.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/AccessPasses.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FORMPROJECTIONS
#define GEN_PASS_DEF_EXPANDPROJECTIONS
#include "TensorAccess/Transforms/AccessPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

static void emitRemarks(const ProjectionSummary &summary) {
  for (auto &[op, reason] : summary.left) {
    remark::missed(op->getLoc(), remarkOptions("projections", op))
        << remark::add("{0} stays", op->getName().getStringRef().str())
        << remark::reason("{0}", reason);
  }
}

namespace {

struct FormProjectionsPass
    : public tensoraccess::impl::FormProjectionsBase<FormProjectionsPass> {
  using FormProjectionsBase::FormProjectionsBase;
  void runOnOperation() override {
    ProjectionSummary summary = formProjections(getOperation(), itemsAsAxes);
    emitRemarks(summary);
    numFormed += summary.rewritten;
  }
};

struct ExpandProjectionsPass
    : public tensoraccess::impl::ExpandProjectionsBase<ExpandProjectionsPass> {
  void runOnOperation() override {
    ProjectionSummary summary = expandProjections(getOperation());
    emitRemarks(summary);
    numExpanded += summary.rewritten;
  }
};

} // namespace
