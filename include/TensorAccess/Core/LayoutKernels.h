//===- LayoutKernels.h - What relayout and bitcast compute ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference kernels of the ops on tensors with layouts: one function an op,
// straight from the op's formula, for folder and interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_LAYOUTKERNELS_H
#define TENSORACCESS_CORE_LAYOUTKERNELS_H

#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/Tensor.h"

namespace mlir::tensoraccess::kernels {

/// The same elements in another type: floats rounded to nearest even, integers
/// sign-extended or truncated. The tensor itself where it has the type, else a
/// dense copy. Both types are floats, or both integers.
llvm::Expected<Tensor> convert(const Tensor &tensor, ElementType type);

/// `convert(reshape(transpose(source)))`: dimension i of the transposed tensor
/// is dimension permutation[i]; elements become `type`. Fails where
/// the permutation is none, element counts differ, or one type is a float and
/// the other is not.
llvm::Expected<Tensor> relayout(const Tensor &source,
                                llvm::ArrayRef<int64_t> permutation,
                                llvm::ArrayRef<int64_t> shape,
                                ElementType type);

/// `result[x] = bits(source[y])` where S(y) = R(x), for the layouts `from` (S,
/// its shape is the source's) and `to` (R). Fails where an element of the
/// result lies on no element of the source, or bits differ in number.
llvm::Expected<Tensor> bitcast(const Tensor &source, const Layout &from,
                               const Layout &to, ElementType type);

} // namespace mlir::tensoraccess::kernels

#endif // TENSORACCESS_CORE_LAYOUTKERNELS_H
