//===- RaiseReaders.h - Who raises which ops ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader builds what one op of its dialect means with the RaiseBuilder,
// writes one value for each of the op's results, of the result's type, and returns
// what kind of op it was. Where it can't, it fails the builder with the reason
// (RaiseBuilder::fail) and leaves nothing behind. It leaves the op itself alone:
// `raiseToAccess`, which asks the readers, replaces it.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_RAISEREADERS_H
#define TENSORACCESS_LIB_CONVERSION_RAISEREADERS_H

#include "RaiseBuilder.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::tensoraccess {

/// The structured ops of linalg, named and generic.
std::optional<RaisedKind> raiseStructuredOp(RaiseBuilder &builder,
                                            linalg::LinalgOp op,
                                            SmallVectorImpl<Value> &results);
/// A quotient that ends a softmax written out in structured ops.
std::optional<RaisedKind> raiseWrittenSoftmax(RaiseBuilder &builder,
                                              linalg::LinalgOp op,
                                              SmallVectorImpl<Value> &results);
/// linalg's other ops (softmax, pack, unpack) and those of tensor.
std::optional<RaisedKind> raiseTensorOp(RaiseBuilder &builder, Operation *op,
                                        SmallVectorImpl<Value> &results);
/// A value that is followed back through copies and broadcasts (softmax): which
/// dimension of the result indexes each of its dimensions, -1 for one of size 1
/// that is read at 0.
struct SpreadValue {
  Value value;
  SmallVector<int64_t> dims;

  bool isPlain() const {
    return llvm::equal(dims, llvm::seq<int64_t>(0, dims.size()));
  }
  /// Back through a reshape that only inserts or drops dimensions of size 1.
  bool followReshape(Operation *reshape);
};
/// Ops of arith and math on whole tensors.
std::optional<RaisedKind> raiseMappedOp(RaiseBuilder &builder, Operation *op,
                                        SmallVectorImpl<Value> &results);
/// Ops of tosa.
std::optional<RaisedKind> raiseTosaOp(RaiseBuilder &builder, Operation *op,
                                      SmallVectorImpl<Value> &results);

//===----------------------------------------------------------------------===//
// StableHLO, by name
//===----------------------------------------------------------------------===//

/// True for the ops that remarks report.
bool isHloCandidate(Operation *op);
/// An op of stablehlo, mhlo or chlo; with `asSoftmax` only the division at the
/// end of a softmax.
std::optional<RaisedKind> raiseHloOp(RaiseBuilder &builder, Operation *op,
                                     SmallVectorImpl<Value> &results,
                                     bool asSoftmax = false);
/// Why no access pattern expresses an op that no reader reads: the op, the
/// operand or attribute, and which of its properties.
std::string whyHloStays(Operation *op);
/// The ops below `root` that tensoraccess-refine-shapes reads where sizes are
/// operands in its program, and why each stays.
llvm::DenseMap<Operation *, StringRef> findRefinedHlo(Operation *root);
/// The op on both arguments that is all that a reduction's body does; null, with
/// the reason, where there is more to it.
Operation *getHloCombiner(Operation *op, std::string &why);
/// The softmax that ends with this division, a pattern; null if it does not end
/// one.
Value raiseHloSoftmax(RaiseBuilder &builder, Operation *divide);
/// Constants become arith's, which are folded, matched and erased.
void raiseHloConstants(RewriterBase &rewriter, Operation *root);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_RAISEREADERS_H
