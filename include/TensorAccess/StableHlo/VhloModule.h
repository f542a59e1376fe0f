//===- VhloModule.h - StableHLO's portable artifacts ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A portable artifact, which `jax.export` writes, is MLIR bytecode of VHLO:
// frozen ops, each with its version. It is read as the StableHLO that it stands
// for, whichever version wrote it:
//
//   "vhlo.func_v1"() <{…}> ({               func.func @main(%x: tensor<4xf32>)
//     %0 = "vhlo.all_gather_v1"(%x) <{…}> =>  %0 = "stablehlo.all_gather"(%x)
//     "vhlo.return_v1"(%0)                    return %0
//   })
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_STABLEHLO_VHLOMODULE_H
#define TENSORACCESS_STABLEHLO_VHLOMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::tensoraccess {

/// The newest version of StableHLO whose artifacts are read.
inline constexpr unsigned kNewestVhlo[] = {1, 20};

/// Whether bytes are MLIR bytecode whose producer is StableHLO.
bool isPortableArtifact(llvm::StringRef bytes);

/// Reads an artifact; null, with an error at `file`, if it is newer or damaged.
/// Its ops are known by name, like those of registerStableHloText: the context
/// does not have StableHLO's own dialect.
OwningOpRef<ModuleOp> parsePortableArtifact(llvm::StringRef bytes,
                                            llvm::StringRef file,
                                            MLIRContext *context);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_STABLEHLO_VHLOMODULE_H
