//===- StableHloText.h - StableHLO's ordinary text --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// StableHLO, CHLO and Shardy are not part of LLVM and are not linked. So that
// their ordinary text (`%0 = stablehlo.add %a, %b : tensor<4xf32>`) can be read
// and printed, this registers dialects of their names that have no ops: parsing
// produces the same ops as generic text, known by name, whose attributes of
// these dialects are opaque.
//
//   DialectRegistry registry;
//   registerTensorAccess(registry);
//   registry.insert<mlir::stablehlo::StablehloDialect>(); // if you link it: first
//   registerStableHloText(registry);                      // if you don't
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_STABLEHLO_STABLEHLOTEXT_H
#define TENSORACCESS_STABLEHLO_STABLEHLOTEXT_H

namespace mlir {
class DialectRegistry;
namespace tensoraccess {

/// Adds a dialect for each of `stablehlo`, `chlo` and `sdy` that the registry
/// does not have. Inserting one of the same name later is a fatal error in
/// MLIR, so a caller that links the real dialects registers them first.
void registerStableHloText(DialectRegistry &registry);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_STABLEHLO_STABLEHLOTEXT_H
