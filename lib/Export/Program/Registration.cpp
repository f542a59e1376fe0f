//===- Registration.cpp - The translations of this project ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access/TileToSvg.h"
#include "EGraphPicture.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Export/Pictures.h"

void mlir::tensoraccess::registerTranslations() {
  registerAccessToSvgTranslation();
  registerEGraphTranslations();
  registerGlensideExport();
  registerGlensideImport();
  registerLayoutTranslations();
  registerProjectionTranslation();
  registerShardTranslations();
  registerTileToSvgTranslation();
}
