//===- Models.h - What the files of lib/Models share ------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_MODELS_H
#define TENSORACCESS_LIB_MODELS_MODELS_H

#include "TensorAccess/Interfaces/Nest.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::tensoraccess {

/// An external model of IndexingOpInterface made of a function.
template <typename OpTy, Nest (*infer)(const OpSignature &)>
struct FunctionModel
    : IndexingOpInterface::ExternalModel<FunctionModel<OpTy, infer>, OpTy> {
  static NestRef inferNest(const OpSignature &signature) {
    return share(infer(signature));
  }
};

/// Attaches `infer` to OpTy, unless the op has the interface already.
template <typename OpTy, Nest (*infer)(const OpSignature &)>
void attachModel(MLIRContext *context) {
  OpTy::template attachInterface<FunctionModel<OpTy, infer>>(*context);
}

/// out[x] = in[x - low] where that is inside, and something else where not.
struct Padding {
  SizeList in, out;
  /// None where it is a value, and then from where.
  SmallVector<std::optional<int64_t>> low;
  SmallVector<NestSource, 0> lowSources;
  /// Whether padding that is a value may cut off elements.
  bool lowMayBeNegative = true;

  /// Operand 0 is read inside, `outside` (if given) elsewhere.
  Nest makeNest(const SizedOp &op, std::optional<unsigned> outside = {}) const;

private:
  /// The range of padding `i`, which is a value.
  Interval getLowRange(const OpSizes &sizes, unsigned i) const;
};

Nest inferExtractSlice(const OpSignature &signature);
Nest inferInsertSlice(const OpSignature &signature);

/// The result is a part of operand 0 or, with `inserts`, operand 1 with a part
/// that is operand 0. The part is at `offsets`, of which the dynamic ones are
/// the next operands; its dimensions are the last ones, and those without an
/// offset are whole.
Nest inferPart(SizedOp &op, bool inserts, ArrayRef<Form> part,
               ArrayRef<int64_t> offsets);

/// The element of row-major number i is operand i.
Nest inferFromElements(const OpSignature &signature);

/// Bit result * numOperands + operand: whether the result depends on the
/// operand's values, by following the single block of a structured op. All bits
/// are set where that block is not understood.
llvm::BitVector getPayloadReads(Operation *op);

/// The loops of an op with indexing maps.
Nest inferFromIndexingMaps(IndexingMapOpInterface op);

void registerLinalgModels(DialectRegistry &registry);
void registerStableHloModels(DialectRegistry &registry);
void registerTensorModels(DialectRegistry &registry);
void registerTosaModels(DialectRegistry &registry);
void registerVectorModels(DialectRegistry &registry);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_MODELS_H
