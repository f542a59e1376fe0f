//===- Models.h - What the files of this room share -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_MODELS_H
#define TENSORACCESS_LIB_MODELS_MODELS_H

#include "TensorAccess/Interfaces/OpSizes.h"
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

/// The sizes of all operands and results of an op, and its indexing.
struct SizedOp {
  explicit SizedOp(const OpSignature &signature,
                   OpSizes::TypeSizes others = {});

  OpIndexing unknown() const { return signature.unknown(reason); }
  OpIndexing finish() {
    sizes.record(indexing);
    return std::move(indexing);
  }
  /// Says that two sizes are equal; false if they are different numbers.
  bool equate(FormRef a, FormRef b);
  bool equateAll(ArrayRef<Form> a, ArrayRef<Form> b);

  /// Adds both maps between result r and operand o, whose indices are given
  /// over the loops. The loops are used up.
  void connect(Loops &loops, ArrayRef<Form> result, unsigned o,
               ArrayRef<Form> operand, unsigned r = 0) {
    loops.connect(indexing, r, result, out[r], o, operand, in[o]);
  }
  /// Equal indices of result 0 and an operand of its shape.
  void addSame(unsigned o);
  /// Operands [first, last) have one element, which result r reads everywhere.
  void addSingle(unsigned first, unsigned last, unsigned r = 0);
  /// Dimension i of result r is dimension dims[i] of operand o, or a unit where
  /// that is -1; all along the operand's other dimensions is read. This and
  /// what follows is false, and adds nothing, for sizes that do not fit.
  bool addProjection(ArrayRef<int64_t> dims, unsigned o = 0, unsigned r = 0);
  /// Dimension i of the result is dimension permutation[i] of the operand.
  bool addTranspose(ArrayRef<int64_t> permutation);
  /// The operands one behind the other along a dimension of the result.
  bool addConcat(int64_t dim);

  const OpSignature &signature;
  OpSizes sizes;
  OpIndexing indexing;
  std::vector<SizeList> in, out;
  /// False where some list could not be had, or there is no result: the answer
  /// is `unknown()`.
  bool isValid;
  IndexingReason reason = IndexingReason::UnsupportedForm;
};

/// `size` - 1 over the loops' parameters.
Form getLast(Loops &loops, FormRef size);

/// The first of `part` consecutive elements among `whole`, which is a value.
Form addRuntimeStart(Loops &loops, OpSizes &sizes, const Form &whole,
                     const Form &part, Loops::Source source);

/// out[x] = in[x - low] where that is inside, and something else where not.
struct Padding {
  SizeList in, out;
  /// None where it is a value, and then from where.
  SmallVector<std::optional<int64_t>> low;
  SmallVector<Loops::Source, 0> lowSources;
  /// Whether padding that is a value may cut off elements.
  bool lowMayBeNegative = true;

  /// Connects result 0 and operand 0.
  void connectInside(OpSizes &sizes, OpIndexing &indexing) const;
  /// The elements of the result that are not from `in`, in disjoint parts:
  /// loops over the result's index, to be connected by the caller.
  void forEachBorder(OpSizes &sizes,
                     llvm::function_ref<void(Loops &)> visit) const;

  /// The same one by one: parts 2k and 2k + 1 are those whose first dimension
  /// outside of `in` is k, below and above. False if a part is surely empty.
  bool hasBorder(OpSizes &sizes, unsigned part) const;
  void restrictToBorder(Loops &loops, OpSizes &sizes, unsigned part) const;

private:
  SmallVector<Form> addLow(Loops &loops, OpSizes &sizes) const;
};

/// The padding of a tensor.pad.
std::optional<Padding> getTensorPadding(SizedOp &op);

OpIndexing inferExtractSlice(const OpSignature &signature);
OpIndexing inferInsertSlice(const OpSignature &signature);

/// The result is a part of operand 0 or, with `inserts`, operand 1 with a part
/// that is operand 0. The part lies at `offsets`, of which the dynamic ones are
/// the next operands; its dimensions are the last ones, and those without an
/// offset are whole.
OpIndexing inferPart(SizedOp &op, bool inserts, ArrayRef<Form> part,
                     ArrayRef<int64_t> offsets);

/// The element of row-major number i is operand i.
OpIndexing inferFromElements(const OpSignature &signature);

/// Bit result * numOperands + operand: whether the result depends on the
/// operand's values, by following the single block of a structured op. All bits
/// are set where that block is not understood.
llvm::BitVector getPayloadReads(Operation *op);

/// Which elements of its operands an op with indexing maps reads.
OpIndexing inferFromIndexingMaps(IndexingMapOpInterface op);

void registerLinalgModels(DialectRegistry &registry);
void registerStableHloModels(DialectRegistry &registry);
void registerTensorModels(DialectRegistry &registry);
void registerTosaModels(DialectRegistry &registry);
void registerVectorModels(DialectRegistry &registry);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_MODELS_H
