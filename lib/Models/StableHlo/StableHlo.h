//===- StableHlo.h - What the models of StableHLO share ---------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StableHLO, MHLO and CHLO are not linked: their ops are known by name only and
// not verified. A *builder* returns the nest of an op of one name;
// it checks every number that it uses, and has none if the op is malformed or of
// a form that it doesn't know (UnsupportedForm, or DynamicShape where some size
// is not known).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_STABLEHLO_H
#define TENSORACCESS_LIB_MODELS_STABLEHLO_H

#include "Function/Models.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

namespace mlir::tensoraccess {

/// An op by name, with its sizes and attributes.
struct HloOp : SizedOp {
  using SizedOp::SizedOp;

  /// The numbers of an attribute: `array<i64: ...>`, `dense<...>` (row-major,
  /// booleans as 0 and 1), or a list of integers. None if it is absent or
  /// something else.
  std::optional<SmallVector<int64_t>> integers(StringRef name) const;
  /// The same with exactly `count` numbers; `count` times `otherwise` if the
  /// attribute is absent.
  std::optional<SmallVector<int64_t>> integers(StringRef name, size_t count,
                                               int64_t otherwise) const;
  /// One number, at least 0.
  std::optional<int64_t> index(StringRef name) const;
  /// A boolean; `otherwise` if the attribute is absent.
  bool flag(StringRef name, bool otherwise) const;
  Attribute attribute(StringRef name) const {
    return signature.attributes ? signature.attributes.get(name) : Attribute();
  }

  /// The size as a number.
  std::optional<int64_t> number(FormRef size) const {
    return sizes.getStatic(size);
  }
  bool isScalar(unsigned operand) const { return in[operand].empty(); }
  /// Whether all of operands [first, last) are scalars.
  bool areScalars(unsigned first, unsigned last) const;
  /// Whether the first `count` operands and all results have the sizes of the
  /// first; they are equal from here on.
  bool areAlike(unsigned count);

  /// The same of operand i and result i, as many.
  bool equatePairs();

  /// Operand i and result i, as many, element by element, each pair over axes
  /// of its own.
  std::optional<Nest> makePairs();
  /// All of these operands is read for each element of result 0.
  Nest makeWholeReads(ArrayRef<unsigned> operands) const;

  /// Whether all sizes are numbers by what is equated.
  bool isStatic() const;
  /// Sizes that are.
  SmallVector<int64_t> inShape(unsigned i) const { return shape(in[i]); }
  SmallVector<int64_t> outShape(unsigned i) const { return shape(out[i]); }
  SmallVector<int64_t> shape(ArrayRef<Form> list) const {
    return llvm::map_to_vector(list, [&](const Form &size) {
      return number(size).value_or(ShapedType::kDynamic);
    });
  }
};

/// The nest; none: UnsupportedForm or DynamicShape.
using HloBuilder = std::optional<Nest> (*)(HloOp &op);

// The builders, by family; each adds its names.
using HloRegister = function_ref<void(StringRef name, HloBuilder builder)>;
void registerHloElementwise(HloRegister add);
void registerHloMovement(HloRegister add);
void registerHloSlicing(HloRegister add);
void registerHloReductions(HloRegister add);
void registerHloContractions(HloRegister add);
void registerHloGathers(HloRegister add);
void registerHloCollectives(HloRegister add);
void registerHloLinearAlgebra(HloRegister add);

/// One dimension of a window op, as base * x + low = stride * o + dilation * w
/// with x an index of the input, o of the output, w of the window.
struct HloWindow {
  int64_t stride = 1, dilation = 1, base = 1, low = 0, high = 0;

  /// Whether these numbers make sense; states the resulting sizes, if known.
  bool equate(HloOp &op, const Form &input, const Form &output,
              const Form &window) const;
  /// x, the index of dimension `dim`, for the output's and the window's index; it
  /// is one where the guards that are added hold.
  Form getInput(Nest &nest, const Form &output, const Form &window,
                const Form &inputSize, unsigned dim, NestAccess &access) const;
};

/// The windows of the attributes window_strides, padding and two names; none if
/// they do not fit.
std::optional<SmallVector<HloWindow>> getHloWindows(const HloOp &op,
                                                    size_t rank,
                                                    StringRef bases,
                                                    StringRef dilations);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_STABLEHLO_H
