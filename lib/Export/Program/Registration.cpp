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
#include "TensorAccess/Registration/Tool.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

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

int mlir::tensoraccess::translateMain(int argc, char **argv) {
  registerAllTranslations();
  registerTranslations();
  registerHelp(
      argc, argv,
      {"Draws access programs, layouts and plans, and reads and writes other "
       "formats. One translation per call.",
       "[options] TRANSLATION [FILE]",
       {"tensoraccess-translate --access-to-svg access.mlir -o access.svg",
        "echo 'f32[3,5]{1,0:T(2,2)}' | tensoraccess-translate "
        "--layout-to-text"},
       {{"Input and output", {"o", "split-input-file", "verify-diagnostics"}},
        {"Pictures",
         {"access-to-svg", "tile-to-svg", "projection-to-svg", "layout-to-svg",
          "layout-to-text", "plan-to-svg", "shards-to-svg", "exchange-to-svg",
          "egraph-to-dot"}},
        {"Formats", {"egraph-to-json", "export-glenside", "import-glenside"}},
        {"Formats of MLIR",
         {"import-llvm", "mlir-to-llvmir", "mlir-to-cpp", "export-smtlib",
          "import-wasm", "serialize-spirv", "deserialize-spirv",
          "irdl-to-cpp"}}}});
  SmallVector<char *> arguments = allowUnregisteredDialects(argc, argv);
  return !translateInputs(arguments) ||
         failed(mlirTranslateMain(arguments.size(), arguments.data(),
                                  "TensorAccess translation driver"));
}
