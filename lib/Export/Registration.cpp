//===- Registration.cpp - The translations of this project ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Export/Registration.h"
#include "TensorAccess/Conversion/Glenside.h"
#include "TensorAccess/Export/AccessToSvg.h"
#include "TensorAccess/Export/EGraphPicture.h"
#include "TensorAccess/Export/LayoutPicture.h"
#include "TensorAccess/Export/ProjectionPicture.h"
#include "TensorAccess/Export/ShardPicture.h"
#include "TensorAccess/Export/TileToSvg.h"

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
