//===- Expansions.h - Ops expressed in others of StableHLO ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_STABLEHLO_EXPANSIONS_H
#define TENSORACCESS_LIB_STABLEHLO_EXPANSIONS_H

#include "HloBuilder.h"

namespace mlir {
class ConversionPatternRewriter;
class TypeConverter;
} // namespace mlir

namespace mlir::tensoraccess {

/// Writes what an op computes before it and gives the values of its results;
/// empty, with the reason in `why`, where there is no expansion.
using HloExpansion = SmallVector<Value> (*)(HloBuilder &h, Operation *op,
                                            std::string &why);

/// `rng_bit_generator`, bit for bit as XLA's on CPUs: DEFAULT is Philox.
SmallVector<Value> expandRngBitGenerator(HloBuilder &h, Operation *op,
                                         std::string &why);

/// `batch_norm_inference`, `batch_norm_training` and `batch_norm_grad`.
SmallVector<Value> expandBatchNorm(HloBuilder &h, Operation *op,
                                   std::string &why);

/// `cholesky` and `triangular_solve`, as calls of LAPACK and BLAS.
SmallVector<Value> expandCholesky(HloBuilder &h, Operation *op,
                                  std::string &why);
SmallVector<Value> expandTriangularSolve(HloBuilder &h, Operation *op,
                                         std::string &why);
/// A `custom_call` of JAX's for linear algebra, with its matrices in the order
/// in which LAPACK has them.
SmallVector<Value> expandLapackCall(HloBuilder &h, Operation *op,
                                    std::string &why);
/// Whether a `custom_call` is one of those.
bool isLapackCall(Operation *op);

/// The op itself on what a converter makes of its operands, results and the
/// arguments of its regions: one value or several, or none.
LogicalResult convertTypesOf(Operation *op, ArrayRef<ValueRange> operands,
                             const TypeConverter &converter,
                             ConversionPatternRewriter &rewriter);

/// Replaces the types of a function's arguments and results by those of `map`.
void mapSignature(FunctionOpInterface function,
                  llvm::function_ref<Type(Type)> map);

/// Whether an op places values, or exchanges them with other devices.
bool speaksOfDevices(Operation *op);
/// Rewrites such ops to what they mean on one device: a placement, and an
/// exchange within groups of one, leaves its operands. An error at the first op
/// that needs others.
LogicalResult expandForOneDevice(ModuleOp module);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_STABLEHLO_EXPANSIONS_H
