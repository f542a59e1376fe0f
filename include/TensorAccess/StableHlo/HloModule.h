//===- HloModule.h - Programs as XLA dumps them -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HLO text, before or after optimisation, as a module of functions:
//
//   HloModule f                                module @f {
//   ENTRY %main (x: f32[4]) -> f32[4] {          func.func @main(%x: tensor<4xf32>)
//     %x = f32[4]{0} parameter(0)        =>        %0 = stablehlo.add %x, %x
//     ROOT %y = f32[4]{0} add(%x, %x)              return %0
//   }                                          }
//
// ENTRY is @main; a computation that a `call` or `fusion` names is a private
// function of the same name; regions of reductions and loops are regions.
// Tuples are lists of their arrays, depth-first. HLO-only information is kept:
// a call of a fusion has
// `tensoraccess.hlo = {opcode = "fusion", kind = "kLoop"}`. Locations are those
// of the source, from metadata and stack frames.
//
// A constant whose value the dump omits (`constant({...})`) is an argument
// after the others, with its name in `tensoraccess.literal`.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_STABLEHLO_HLOMODULE_H
#define TENSORACCESS_STABLEHLO_HLOMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace mlir {
class MlirOptMainConfig;
} // namespace mlir

namespace mlir::tensoraccess {

/// The attribute of a module or op that holds HLO-only information.
inline constexpr llvm::StringLiteral kHloAttribute = "tensoraccess.hlo";

/// A string in that attribute; empty if it has none of this name.
inline llvm::StringRef getHloField(Operation *op, llvm::StringRef field) {
  auto all = op->getAttrOfType<DictionaryAttr>(kHloAttribute);
  auto text = all ? all.getAs<StringAttr>(field) : StringAttr();
  return text ? text.getValue() : llvm::StringRef();
}

/// The attribute of an argument that stands for a constant: its name, after
/// those of the calls to it, `fusion.3/constant.7`.
inline constexpr llvm::StringLiteral kElidedLiteral = "tensoraccess.literal";

/// Turns constants whose values an MLIR module omits,
/// `dense_resource<__elided__>`, into arguments after the others, with that
/// attribute, also in called functions.
void liftElidedLiterals(ModuleOp module);

/// Whether a text begins with `HloModule` or with a computation, after
/// whitespace and comments.
bool isHloText(llvm::StringRef text);

/// The message for HLO as a protocol buffer, `.hlo.pb`.
inline constexpr llvm::StringLiteral kBinaryHlo =
    "HLO is read as text, and .hlo.pb is binary: dump it with "
    "--xla_dump_hlo_as_text, or print it by XLA's tool hlo-opt";

/// Parses an HLO module; null, with an error at a place in `file`, for anything
/// else. `keepsLayouts`: layouts that are not row-major stay as encodings of
/// types.
OwningOpRef<ModuleOp> parseHloText(llvm::StringRef text, llvm::StringRef file,
                                   MLIRContext *context,
                                   bool keepsLayouts = false);

/// Whether bytes are a program that MLIR's parser cannot read: HLO text, or a
/// portable artifact of StableHLO.
bool isXlaProgram(llvm::StringRef bytes);

/// Parses either.
OwningOpRef<ModuleOp> parseXlaProgram(llvm::StringRef bytes,
                                      llvm::StringRef file,
                                      MLIRContext *context,
                                      bool keepsLayouts = false);

/// The same as MLIR text in generic form, with locations, for drivers that read
/// only MLIR; empty, with an error on stderr, if it is not a program.
std::string translateXlaProgram(const llvm::MemoryBuffer &buffer,
                                MLIRContext *context, bool keepsLayouts);

/// Opens a file; `-` is standard input. On failure, prints the reason to
/// standard error and returns null.
std::unique_ptr<llvm::MemoryBuffer> openInput(llvm::StringRef path);

/// Runs MLIR's driver on a file, which may also be an XLA program; returns its
/// exit status. `explain` gets the text of a program that fails.
int runHloOpt(llvm::StringRef input, llvm::StringRef output,
              const MlirOptMainConfig &config, DialectRegistry &registry,
              bool keepsLayouts,
              llvm::function_ref<void(llvm::StringRef)> explain = {});

/// The main of a driver like mlir-opt for the dialects in `registry` and the
/// registered passes, which also reads HLO and portable artifacts. Returns the
/// exit status.
int runHloOpt(int argc, char **argv, llvm::StringRef name,
              DialectRegistry &registry);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_STABLEHLO_HLOMODULE_H
