//===- Evaluate.h - Ops on constants ----------------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_IR_EVALUATE_H
#define TENSORACCESS_IR_EVALUATE_H

#include "TensorAccess/Core/Kernels.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/MemoryPlaces.h"
#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// MLIR's types and constants as reference tensors
//===----------------------------------------------------------------------===//

/// The element type of a scalar MLIR type (`index` is I64); std::nullopt for
/// types that cannot be tensor elements here, such as i4 or complex.
std::optional<ElementType> getElementTypeOf(Type type);

/// The element type of tensors that hold values of a scalar MLIR type:
/// getElementTypeOf's, or for an integer of another width below 64 the next
/// wider one, to which its values are sign-extended. Computations must wrap to
/// the width.
std::optional<ElementType> getHeldTypeOf(Type type);

/// Truncates the elements of a tensor to the width of an integer type and
/// extends them as getHeldTypeOf says, or with zeros; the same tensor if the
/// type has the width of the tensor's.
llvm::Expected<Tensor> wrapElements(const Tensor &tensor, Type type,
                                    bool isUnsigned = false);

/// A constant as a tensor of the held type: a float or integer (rank 0), dense
/// elements (a splat is a view of one element), dense resources. Fails with the
/// reason for any other attribute.
llvm::Expected<Tensor> tensorFromAttribute(Attribute attribute);

/// A tensor as dense elements of this type, whose static shape and held element
/// type must be the tensor's.
DenseElementsAttr denseElementsFrom(const Tensor &tensor, ShapedType type);

//===----------------------------------------------------------------------===//
// What an access op computes
//===----------------------------------------------------------------------===//

/// Runs an op from access patterns to one access pattern by its reference
/// kernel; `operands` are its operands in order, of shapes that their types
/// allow. Fails with the kernel's message, and for an op that is not of this
/// dialect or has tensors (`access` and `to_tensor`).
llvm::Expected<AccessPattern>
evaluateAccessOp(Operation *op, llvm::ArrayRef<AccessPattern> operands);

/// The result of a `compute` of the kind on a pattern, by its reference kernel.
/// Only sums and dot products have an accumulator.
llvm::Expected<AccessPattern>
evaluateCompute(ComputeKind kind, const AccessPattern &pattern,
                std::optional<ElementType> accumulator = std::nullopt);

/// The type in which kernels compute sums of elements of a type
/// (Core/StridedContraction.h): f32 for narrower floats, otherwise the type
/// itself.
Type getSumType(Type element);

/// True for the kinds that combine the elements of a tuple, the first dimension
/// of an item.
bool isOverTuple(ComputeKind kind);

/// True for the ops that evaluateAccessOp runs.
bool isPatternOp(Operation *op);

//===----------------------------------------------------------------------===//
// What bodies of structured ops read
//===----------------------------------------------------------------------===//

/// Whether the body of a structured linalg op reads the contents of this
/// operand, by the uses of its argument. Upstream's payloadUsesValueFromOperand
/// is false for the inits of linalg.map, whatever its body does.
bool isReadByBody(OpOperand &operand);

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// `out + x * y`, which a body yields for one of its results, perhaps selected
/// by a condition between it and `out`, that result's argument.
struct ProductStep {
  /// Ops of arith.
  Operation *sum, *product;
  /// Two other arguments of the body, if the factors are those, perhaps
  /// extended, and there is no condition.
  std::optional<std::pair<unsigned, unsigned>> arguments;

  /// Whether it is rounded once, in the interpreter and in compiled code: in
  /// f32 and f64, unless flags allow more than `contract`.
  bool isFused() const;
};

/// The step that the body of a structured op yields as value `i`; std::nullopt
/// for other values.
std::optional<ProductStep> findProductStep(Block &body, unsigned i = 0);

//===----------------------------------------------------------------------===//
// Ops on indices
//===----------------------------------------------------------------------===//

/// The results of `linearize`, `delinearize` and `apply_indexing` for the
/// values of all operands, in order; std::nullopt, with a message, on a fault.
std::optional<SmallVector<int64_t>> evaluateIndexOp(Operation *op,
                                                    ArrayRef<int64_t> operands,
                                                    std::string &message);

/// Folds an op whose operands are all `access` of a constant into `access` of a
/// constant, if operands and result have at most this many elements each.
constexpr int64_t kMaxFoldedElements = int64_t(1) << 16;
void populateConstantFolding(RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// Layouts of tensor types
//===----------------------------------------------------------------------===//

/// The layout of a tensor type, with its shape if that is static. std::nullopt
/// if the encoding is not a layout. The shape comes with the element type
/// `pred`, so that sizes can be queried in elements, but not in bytes.
std::optional<Layout> getLayoutOf(RankedTensorType type);

/// The layout of a tensor type for a shape that it allows.
std::optional<Layout> getLayoutOf(RankedTensorType type,
                                  ArrayRef<int64_t> shape);

/// The places of the elements of a tensor of that shape under a strided or
/// linear layout; std::nullopt and `error` as for their values.
std::optional<MemoryPlaces> getPlaces(Attribute attr, ArrayRef<int64_t> shape,
                                      std::string &error);

/// The encoding of a tensor of that shape, as a tiled layout if a strided or
/// linear one describes the same memory; else unchanged.
Attribute toTiledEncoding(Attribute encoding, ArrayRef<int64_t> shape);

/// Bits of a value of this type: its width, that of both parts for complex
/// types; std::nullopt for index and other types.
std::optional<int64_t> getValueBits(Type type);

/// The indexing map from indices of the layout `to` to the index in the layout
/// `from` at the same place in memory; both have shapes. Elements on padding of
/// `from`, or beyond it, are outside its domain. Known empty for a shape
/// without elements; std::nullopt on overflow.
std::optional<IndexingMap> getSamePlaceMap(const Layout &to,
                                           const Layout &from);

/// Whether every element of `to` is at an element of `from`; both have
/// shapes. std::nullopt if that cannot be decided. If not, `witness` is an
/// index in `to` for which this fails.
std::optional<bool> liesOnElements(const Layout &to, const Layout &from,
                                   SmallVectorImpl<int64_t> *witness = nullptr);

/// Whether a relayout of these types by this permutation moves no byte: equal
/// element types, and every element stays in place, in equally much memory.
/// std::nullopt if that cannot be decided.
std::optional<bool> movesNothing(RankedTensorType source,
                                 RankedTensorType result,
                                 ArrayRef<int64_t> permutation);

/// Whether converting elements from -> middle -> to, as a relayout does, gives
/// from -> to for every value: one of the steps does nothing, the first loses
/// nothing, or both truncate leading bits.
bool convertsStraight(Type from, Type middle, Type to);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_IR_EVALUATE_H
