//===- Registration.h - The translations of this project ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXPORT_REGISTRATION_H
#define TENSORACCESS_EXPORT_REGISTRATION_H

namespace mlir::tensoraccess {

/// Registers what tensoraccess-translate offers beside upstream's translations.
/// Each export has a function of its own, called here.
void registerTranslations();

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXPORT_REGISTRATION_H
