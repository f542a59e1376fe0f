//===- AccessPasses.h - The passes of floor Access --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations and registration, generated from AccessPasses.td beside
// it. The file that defines a pass includes the dialects that it depends on.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_ACCESSPASSES_H
#define TENSORACCESS_TRANSFORMS_ACCESSPASSES_H

#include "TensorAccess/Transforms/Indexing.h"
#include "TensorAccess/Transforms/Tiles.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::tensoraccess {

struct ReportSection;
/// All sections of the report (Analysis/BlockReport.h).
ArrayRef<ReportSection> getReportSections();
/// `tensoraccess-report` with these sections, which outlive the pass.
std::unique_ptr<Pass> createEmitReport(ArrayRef<ReportSection> sections);

#define GEN_PASS_DECL
#include "TensorAccess/Transforms/AccessPasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "TensorAccess/Transforms/AccessPasses.h.inc"

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_ACCESSPASSES_H
