//===- StableHloAttributes.h - Dimension numbers from text ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StableHLO's dialect is not loaded here, so that its own attributes arrive as
// text: `#stablehlo.gather<offset_dims = [1], index_vector_dim = 1>`. These
// readers take an opaque attribute apart. Nothing is trusted: the ops are not
// verified either, so numbers are checked against ranks by whoever uses them.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_INTERFACES_STABLEHLOATTRIBUTES_H
#define TENSORACCESS_INTERFACES_STABLEHLOATTRIBUTES_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// `key = 1` and `key = [1, 2]` of a struct-like attribute.
class HloFields {
public:
  /// The numbers of a list; empty if there is no such field.
  llvm::ArrayRef<int64_t> list(llvm::StringRef key) const;
  /// A single number; 0, which is not printed, if there is no such field.
  int64_t number(llvm::StringRef key) const;

  llvm::StringMap<llvm::SmallVector<int64_t>> fields;
};

/// Which dimension of a convolution's tensor is what.
struct HloConvolutionSide {
  /// Batch and feature (input: b, f; kernel: i, o).
  int64_t first = -1, second = -1;
  llvm::SmallVector<int64_t> spatial;

  size_t rank() const { return spatial.size() + 2; }
};

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`. For the kernel, `first` is the
/// input feature and `second` the output feature.
struct HloConvolutionNumbers {
  HloConvolutionSide input, kernel, output;
};

/// Reads `NAME<key = ..., ...>`, as the opaque attribute has it behind its `#`
/// and dialect. None, and a message, if the text is something else.
std::optional<HloFields> parseHloFields(llvm::StringRef text,
                                        llvm::StringRef name,
                                        std::string &error);
/// Reads `conv<[...]x[...]->[...]>`, or `conv<raw input_batch_dimension = ...,
/// ...>`, which is the same by names. All three have the same spatial dims.
std::optional<HloConvolutionNumbers>
parseHloConvolution(llvm::StringRef text, std::string &error);

/// The numbers of an attribute: `array<i64: ...>`, `dense<...>` (row-major,
/// booleans as 0 and 1), or a list of integers. None for anything else.
std::optional<llvm::SmallVector<int64_t>> getHloIntegers(Attribute attr);
/// True where `dims` are distinct and in [0, rank).
bool areDims(llvm::ArrayRef<int64_t> dims, size_t rank);

/// The text of an opaque attribute of dialect stablehlo or mhlo, else "".
llvm::StringRef getHloText(Attribute attr);
/// `LT` of `#stablehlo<comparison_direction LT>`, or of the string "LT".
llvm::StringRef getHloKeyword(Attribute attr);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_INTERFACES_STABLEHLOATTRIBUTES_H
