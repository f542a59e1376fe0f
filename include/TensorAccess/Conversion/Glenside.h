//===- Glenside.h - Programs of Glenside, in and out ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Glenside (seed 002) writes access programs as s-expressions:
//
//   ; a: 256x128xf64
//   ; b: 128x64xf64
//   (compute dot-product
//     (access-cartesian-product
//       (access (access-tensor a) 1)
//       (access-transpose (access (access-tensor b) 1) (list 1 0))))
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CONVERSION_GLENSIDE_H
#define TENSORACCESS_CONVERSION_GLENSIDE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::tensoraccess {

/// Reads the program in the main buffer of `sources`: one s-expression, and for
/// each tensor a comment line `; name: 3x32x32xf64`. The module has one
/// function, `@main`, whose arguments are the tensors in the order of those
/// lines. It returns the program's value as a tensor; a tuple gives several
/// results, a shape a tensor of i64. Equal terms become one op.
///
/// Null after an error, which is reported at its line and column: malformed
/// text, an unknown word, a wrong operand, and whatever the verifiers of the
/// dialect's ops reject.
OwningOpRef<ModuleOp> importGlenside(const llvm::SourceMgr &sources,
                                     MLIRContext *context);

/// Writes the function `@main` below `root` (or the only function) as a
/// Glenside program that `importGlenside` reads. Fails with an error at the op
/// that Glenside has no term for; nothing is written then.
LogicalResult exportGlenside(Operation *root, raw_ostream &os);

/// Register `tensoraccess-translate --import-glenside` and
/// `--export-glenside`.
void registerGlensideImport();
void registerGlensideExport();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CONVERSION_GLENSIDE_H
