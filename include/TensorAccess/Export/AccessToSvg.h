//===- AccessToSvg.h - Access programs as pictures ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws what an access program does: which elements each access point holds,
// which items meet in a product, which element they make.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXPORT_ACCESSTOSVG_H
#define TENSORACCESS_EXPORT_ACCESSTOSVG_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;

namespace tensoraccess {

/// Writes an SVG picture of every function in or at `root` that holds an op of
/// this dialect. The text is the same for the same IR. Fails with an error at
/// `root` where there is no such function, and with an error at the function
/// where one has several blocks. Nothing is written then.
LogicalResult exportAccessToSvg(Operation *root, raw_ostream &os);

/// Registers `tensoraccess-translate --access-to-svg`.
void registerAccessToSvgTranslation();

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_EXPORT_ACCESSTOSVG_H
