//===- Relayout.h - Moving arrays between layouts in memory -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out relayout plans (RelayoutPlan.h) at the speed of memory:
//
//   auto pack = Relayout::get(*Layout::parse("f32[4096,4096]{1,0}", e),
//                             *Layout::parse("f32[4096,4096]{1,0:T(8,128)}",
//                             e),
//                             /*permutation=*/{}, error);
//   error = pack->run(source, sourceBytes, target, targetBytes);
//
// Elements are converted on the way if the types differ: floats to nearest,
// ties to even; integers by sign extension (zero extension if unsigned) or
// truncation. Types narrower than a byte are packed, the first element in the
// lowest bits. Padding and tail are set to zero.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_EXECUTION_RELAYOUT_H
#define TENSORACCESS_EXECUTION_RELAYOUT_H

#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/RelayoutPlan.h"

namespace mlir::tensoraccess {

struct RelayoutOptions {
  /// Whether to use only instructions that every processor of the architecture
  /// has.
  bool portable = false;
  /// Targets of at least this many bytes are written around the caches.
  int64_t streamBytes = int64_t(4) << 20;
};

/// A relayout that can be run many times, also concurrently.
class Relayout {
public:
  /// From one layout with a shape to another; see RelayoutPlan::get.
  /// std::nullopt and the reason if there is no plan, or no conversion between
  /// the types.
  static std::optional<Relayout> get(const Layout &source, const Layout &target,
                                     llvm::ArrayRef<int64_t> permutation,
                                     std::string &error);
  /// From strided memory, strides in elements of `type`.
  static std::optional<Relayout> getStrided(llvm::ArrayRef<int64_t> shape,
                                            llvm::ArrayRef<int64_t> strides,
                                            XlaType type, const Layout &target,
                                            llvm::ArrayRef<int64_t> permutation,
                                            std::string &error);

  const RelayoutPlan &getPlan() const { return plan; }
  /// Bytes that are read from the start of the plan's source range, and
  /// written.
  int64_t getSourceBytes() const { return sourceBytes; }
  int64_t getTargetBytes() const { return targetBytes; }
  /// Whether source and target are the same bytes.
  bool isIdentity() const;

  /// Moves the elements. `source` is the address of the first element of the
  /// plan's source range: number 0 of a layout. std::nullopt, or what is wrong
  /// with the memory: too few bytes, or overlapping memory. In that case
  /// nothing has been written.
  std::optional<std::string> run(const void *source, int64_t sourceSize,
                                 void *target, int64_t targetSize,
                                 const RelayoutOptions &options = {}) const;

private:
  Relayout(RelayoutPlan plan, XlaType from, int64_t fromBits, XlaType to,
           int64_t toBits)
      : plan(std::move(plan)), from(from), to(to), fromBits(fromBits),
        toBits(toBits) {}
  static std::optional<Relayout> make(const RelayoutSide &source, XlaType from,
                                      int64_t fromBits, const Layout &target,
                                      llvm::ArrayRef<int64_t> permutation,
                                      std::string &error);
  bool runPacked(const uint8_t *source, uint8_t *target,
                 const RelayoutOptions &options) const;
  void runBytes(const uint8_t *source, int64_t fromBytes, uint8_t *target,
                int64_t toBytes, const RelayoutOptions &options) const;

  RelayoutPlan plan;
  XlaType from, to;
  /// Of an element in memory.
  int64_t fromBits, toBits;
  int64_t sourceBytes = 0, targetBytes = 0;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_EXECUTION_RELAYOUT_H
