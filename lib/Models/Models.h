//===- Models.h - What the files of this room share -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_MODELS_H
#define TENSORACCESS_LIB_MODELS_MODELS_H

#include "TensorAccess/Interfaces/IndexingOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::tensoraccess {

/// An external model of IndexingOpInterface made of a function.
template <typename OpTy, OpIndexing (*infer)(const OpSignature &)>
struct FunctionModel
    : IndexingOpInterface::ExternalModel<FunctionModel<OpTy, infer>, OpTy> {
  static OpIndexing inferIndexing(const OpSignature &signature) {
    return infer(signature);
  }
};

/// Attaches `infer` to OpTy, unless the op has the interface already.
template <typename OpTy, OpIndexing (*infer)(const OpSignature &)>
void attachModel(MLIRContext *context) {
  OpTy::template attachInterface<FunctionModel<OpTy, infer>>(*context);
}

/// One loop for each size of a static shape.
SmallVector<Form> addLoops(IndexingMapBuilder &loops, ArrayRef<int64_t> sizes);
void addResults(IndexingMapBuilder &loops, ArrayRef<Form> forms);

/// Bit result * numOperands + operand: whether the result depends on the
/// operand's values, by following the single block of a structured op. All bits
/// are set where that block is not understood.
llvm::BitVector getPayloadReads(Operation *op);

/// Which elements of its operands an op with indexing maps reads.
OpIndexing inferFromIndexingMaps(IndexingMapOpInterface op);

void registerLinalgModels(DialectRegistry &registry);
void registerStableHloModels(DialectRegistry &registry);
void registerTensorModels(DialectRegistry &registry);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_MODELS_H
