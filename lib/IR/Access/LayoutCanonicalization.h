//===- LayoutCanonicalization.h - Fewer relayouts -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_IR_LAYOUTCANONICALIZATION_H
#define TENSORACCESS_LIB_IR_LAYOUTCANONICALIZATION_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

/// relayout of relayout, relayouts that move nothing, relayouts and bitcasts of
/// constants.
void populateLayoutCanonicalization(RewritePatternSet &patterns);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_IR_LAYOUTCANONICALIZATION_H
