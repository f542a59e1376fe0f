//===- StableHloReader.h - Dimension numbers from text ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_STABLEHLO_STABLEHLOREADER_H
#define TENSORACCESS_STABLEHLO_STABLEHLOREADER_H

#include "TensorAccess/Interfaces/IndexingOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::arith {
enum class CmpFPredicate : uint64_t;
enum class CmpIPredicate : uint64_t;
} // namespace mlir::arith

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Dimension numbers from text
//
// StableHLO's dialect is not loaded here, so its own attributes arrive as text:
// `#stablehlo.gather<offset_dims = [1], index_vector_dim = 1>`. These readers
// parse an opaque attribute. The ops are not verified either, so numbers are
// checked against ranks where they are used.
//===----------------------------------------------------------------------===//

/// `key = 1` and `key = [1, 2]` of a struct-like attribute.
class HloFields {
public:
  /// The numbers of a list; empty if there is no such field.
  llvm::ArrayRef<int64_t> list(llvm::StringRef key) const;
  /// A single number; 0, which is not printed, if there is no such field.
  int64_t number(llvm::StringRef key) const;

  llvm::StringMap<llvm::SmallVector<int64_t>> fields;
};

/// The roles of the dimensions of a convolution's tensor.
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

/// Reads `NAME<key = ..., ...>`, as it follows `#` and the dialect in the
/// opaque attribute. std::nullopt, and a message, if the text is something
/// else.
std::optional<HloFields>
parseHloFields(llvm::StringRef text, llvm::StringRef name, std::string &error);
/// Reads `conv<[...]x[...]->[...]>`, or `conv<raw input_batch_dimension = ...,
/// ...>`, which is the same by names. All three have the same spatial dims.
std::optional<HloConvolutionNumbers> parseHloConvolution(llvm::StringRef text,
                                                         std::string &error);

/// The numbers of an attribute: `array<i64: ...>`, `dense<...>` (row-major,
/// booleans as 0 and 1), or a list of integers. std::nullopt for anything else.
std::optional<llvm::SmallVector<int64_t>> getHloIntegers(Attribute attr);
/// True if `dims` are distinct and in [0, rank).
bool areDims(llvm::ArrayRef<int64_t> dims, size_t rank);

/// The text of an attribute of dialect stablehlo, mhlo or chlo, whether it is
/// opaque or the dialect is loaded and prints it; else "".
llvm::StringRef getHloText(Attribute attr);
/// `LT` of `#stablehlo<comparison_direction LT>`, or of the string "LT".
llvm::StringRef getHloKeyword(Attribute attr);

/// The arith predicates that a comparison's direction corresponds to.
struct HloDirection {
  arith::CmpFPredicate onFloats;
  arith::CmpIPredicate onSigned, onUnsigned;
  /// Compares floats by the keys of their total order, which are signed
  /// integers.
  bool isTotalOrder;
};
std::optional<HloDirection> readHloDirection(Operation *op);

//===----------------------------------------------------------------------===//
// Attributes and shapes of a StableHLO op
//
// StableHLO, MHLO and CHLO ops are known by name only, whatever form they were
// written in, and are not verified. These readers read one op: its attributes
// are parsed and checked against the shapes of its operands and results, so
// that code that runs, lowers or raises the op can rely on the numbers. A
// reader that fails gives a reason that can follow "because":
// `operand 1 must be ...`.
//
// Sizes may be dynamic (ShapedType::kDynamic) unless stated otherwise; a
// dynamic size matches any other. Numbers beyond 2^31 are rejected, so that
// sums and products of two of them don't overflow.
//===----------------------------------------------------------------------===//

/// True for ops of the dialects stablehlo, mhlo and chlo.
bool isHlo(Operation *op);
/// The same, for the op of that name without its dialect.
bool isHlo(Operation *op, llvm::StringRef name);
/// The op's name without its dialect: `dot_general`.
llvm::StringRef getHloName(Operation *op);

/// The location for code that replaces an op: the op's own, under its name.
Location locateInPlaceOf(Operation *op);
/// The name of the op that the original program had in its place.
llvm::StringRef getOriginalName(Operation *op);

/// The attributes in `{…}` and in `<{…}>`.
llvm::SmallVector<NamedAttribute> getAllAttributes(Operation *op);

/// What is known about an op from its name, whatever its attributes.
struct HloTraits {
  enum class Kind : uint8_t {
    Elementwise,  ///< an element from one of each operand
    Broadcasting, ///< the same, of operands that are broadcast (chlo)
    Source,       ///< reads no element
    Shape,        ///< reads sizes only
    View,         ///< each element is one of the only operand's
    Movement,     ///< each element is one of some operand's, or its bits
    Combination,  ///< sums, or the like, of operands point by point
    Other
  };
  enum class Work : uint8_t {
    Free, ///< moves, compares or chooses
    Each, ///< one operation for each element of the result
    Own   ///< what its attributes say, or not counted
  };
  llvm::StringLiteral name;
  Kind kind;
  bool isPure;
  Work work;
  /// The number of operands of a scalar function that is applied to tensors
  /// element by element; 0 for other ops, and if its scalar form is unknown.
  unsigned arity = 0;
  /// The arith or math op for it on floats, on integers, on booleans and on
  /// unsigned integers, if not on all integers; empty if there is none.
  llvm::StringLiteral onFloat = "", onInteger = "", onBool = "",
                      onUnsigned = "";
};

/// Null for an op that is not in the table, and for one of another dialect.
const HloTraits *getHloTraits(llvm::StringRef name);
const HloTraits *getHloTraits(Operation *op);
llvm::ArrayRef<HloTraits> getAllHloTraits();
/// Whether an op has no effects, apart from those in its regions. `isTop`: it
/// is not a terminator.
bool isPureHlo(Operation *op, bool isTop);

/// True if two sizes are equal, or one of them is dynamic.
bool agree(int64_t a, int64_t b);
/// The same for shapes.
bool agree(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// The shapes and plain attributes of an op.
class HloReader {
public:
  HloReader(Operation *op, std::string &why)
      : operandTypes(op->getOperandTypes()), resultTypes(op->getResultTypes()),
        why(why), op(op) {}
  /// For a term that is not an operation, or that has other types.
  HloReader(const OpSignature &op, std::string &why)
      : operandTypes(op.operandTypes), resultTypes(op.resultTypes), why(why),
        attributes(op.attributes), name(op.name) {}

  /// The op's name without its dialect.
  llvm::StringRef getName() const;
  /// Null if it is absent.
  Attribute getAttr(llvm::StringRef name) const;

  /// False, with the reason, unless the op has this many operands and results
  /// (-1: any), all of them ranked tensors.
  bool hasTensors(int64_t numOperands, int64_t numResults) const;
  RankedTensorType operandType(unsigned i) const {
    return cast<RankedTensorType>(operandTypes[i]);
  }
  RankedTensorType resultType(unsigned i = 0) const {
    return cast<RankedTensorType>(resultTypes[i]);
  }
  llvm::ArrayRef<int64_t> in(unsigned i) const {
    return operandType(i).getShape();
  }
  llvm::ArrayRef<int64_t> out(unsigned i = 0) const {
    return resultType(i).getShape();
  }
  /// `count` numbers, or `otherwise` repeated if the attribute is absent.
  std::optional<llvm::SmallVector<int64_t>>
  integers(llvm::StringRef name, size_t count, int64_t otherwise) const;
  /// A list of any length, which must be present.
  std::optional<llvm::SmallVector<int64_t>>
  integers(llvm::StringRef name) const;
  /// One number; `otherwise` if the attribute is absent.
  std::optional<int64_t> integer(llvm::StringRef name, int64_t otherwise) const;
  /// Distinct dimensions in [0, rank).
  std::optional<llvm::SmallVector<int64_t>> dims(llvm::StringRef name,
                                                 size_t rank) const;

  bool fail(const llvm::Twine &reason) const {
    if (why.empty())
      why = reason.str();
    return false;
  }

  TypeRange operandTypes, resultTypes;
  std::string &why;

private:
  /// Null for a signature, which has the other two.
  Operation *op = nullptr;
  DictionaryAttr attributes;
  std::optional<OperationName> name;
};

/// dot and dot_general: out[b, l, r] = sum over k of lhs[b, l, k] rhs[b, r, k].
struct HloDot {
  llvm::SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract;
  /// The remaining dimensions, in order.
  llvm::SmallVector<int64_t> lhsFree, rhsFree;

  static std::optional<HloDot> read(const HloReader &reader);
};

/// Whether products of the operands' elements, converted to the result's type,
/// are valid in it: floats are not converted to integers.
bool hasHloProducts(const HloReader &reader);

/// One dimension of a window op: base * x + low = stride * o + dilation * w.
struct HloWindowDim {
  int64_t input = 1, output = 1, window = 1;
  int64_t stride = 1, dilation = 1, base = 1;
  int64_t low = 0, high = 0;

  /// The size of the input after `base` has spread it and both paddings.
  int64_t paddedSize() const;
};

/// Windows of a running reduction: along `dim`, each holds all elements up to
/// its own, or all from its own on; the rest is padding.
struct HloScan {
  int64_t dim;
  bool isReverse;
};

/// reduce_window, and select_and_scatter, whose windows over the operand give
/// the source's elements; static shapes. One entry per dimension of the
/// operand.
struct HloWindows {
  llvm::SmallVector<HloWindowDim> dims;
  unsigned numInputs = 0;

  /// The scan that these windows are, if the dimension has at least two
  /// elements.
  std::optional<HloScan> getScan() const;

  static std::optional<HloWindows> read(const HloReader &reader);
  /// For (operand, source, initial value) of one element type, without base
  /// dilation.
  static std::optional<HloWindows> readSelect(const HloReader &reader);

private:
  /// Completes `dims` for an input and an output.
  bool complete(const HloReader &reader, llvm::ArrayRef<int64_t> input,
                llvm::ArrayRef<int64_t> output);
};

/// convolution; static shapes.
struct HloConvolution {
  HloConvolutionNumbers numbers;
  /// One per spatial dimension.
  llvm::SmallVector<HloWindowDim> windows;
  llvm::SmallVector<bool> reversed;
  /// Numbers of groups; at least one of them is 1.
  int64_t featureGroups = 1, batchGroups = 1;

  int64_t groups() const { return featureGroups * batchGroups; }
  static std::optional<HloConvolution> read(const HloReader &reader);
};

/// reduce: inputs, then as many scalars; the reduced dimensions, ascending.
struct HloReduce {
  llvm::SmallVector<int64_t> dims, kept;
  unsigned numInputs = 0;

  static std::optional<HloReduce> read(const HloReader &reader);
};

/// An attribute of a scatter: a window that is not entirely inside is dropped,
/// as in XLA. Without it, each of its elements is treated separately, as
/// StableHLO's specification requires.
inline constexpr llvm::StringLiteral kWholeWindows =
    "tensoraccess.whole_windows";

/// gather (slices: the result) and scatter (slices: the updates); static
/// shapes. A slice's element is in the tensor at start + batch + offset:
///   offset  of dimension windowTargets[k] is slice[window[k]]
///   batch   of dimension batching[k] is the indices' dimension
///           indicesBatching[k] of the slice
///   start   of dimension starts[k] is indices[slice's batch, k]
struct HloSlices {
  llvm::SmallVector<int64_t> window, dropped, batching, indicesBatching, starts;
  int64_t vectorDim = 0;
  /// Dimensions of the slices that are not window dimensions: those of the
  /// indices, in order, without the vector dimension.
  llvm::SmallVector<int64_t> batchDims, windowTargets;
  /// Elements of a slice in each dimension of the tensor.
  llvm::SmallVector<int64_t> sizes;
  /// scatter: how many tensors are updated together, and whether windows that
  /// are not entirely inside are dropped (kWholeWindows).
  unsigned numInputs = 1;
  bool areWhole = false;

  static std::optional<HloSlices> readGather(const HloReader &reader);
  static std::optional<HloSlices> readScatter(const HloReader &reader);
  /// Which dimension of the slices holds dimension `dim` of the indices.
  int64_t sliceDimOfIndices(int64_t dim) const {
    return batchDims[dim < vectorDim ? dim : dim - 1];
  }
  /// scatter: how many starts in dimension `dim` of the tensor, from 0 on, have
  /// a window that is entirely inside.
  int64_t countWholeStarts(int64_t dim, int64_t size) const {
    return std::max<int64_t>(size - sizes[dim] + 1, 0);
  }

private:
  bool complete(const HloReader &reader, llvm::ArrayRef<int64_t> tensor,
                llvm::ArrayRef<int64_t> indices,
                llvm::ArrayRef<int64_t> slices);
};

/// pad: low and high may be negative, interior is not.
struct HloPad {
  llvm::SmallVector<int64_t> low, high, interior;

  static std::optional<HloPad> read(const HloReader &reader);
};

/// slice: every index is in bounds.
struct HloSlice {
  llvm::SmallVector<int64_t> starts, limits, strides;

  static std::optional<HloSlice> read(const HloReader &reader);
};

/// broadcast_in_dim: dimension i of the operand is dims[i] of the result, and
/// has its size or 1.
std::optional<llvm::SmallVector<int64_t>>
readHloBroadcast(const HloReader &reader);
/// transpose: dimension i of the result is permutation[i] of the operand.
std::optional<llvm::SmallVector<int64_t>>
readHloTranspose(const HloReader &reader);
/// reverse: the reversed dimensions.
std::optional<llvm::SmallVector<int64_t>>
readHloReverse(const HloReader &reader);
/// concatenate: the dimension; at least one operand.
std::optional<int64_t> readHloConcatenate(const HloReader &reader);

/// set_dimension_size: the dimension; a tensor and an integer.
std::optional<int64_t> readHloSetDimensionSize(const HloReader &reader);

/// top_k: how many elements of the last dimension; static shapes.
std::optional<int64_t> readHloTopK(const HloReader &reader);

/// reduce_precision on the bits of a float type: the mantissa is rounded to
/// nearest even, which may carry into the exponent; then numbers above the
/// greatest become infinite and those below the least normal one 0; NaN stays
/// as it is.
struct HloPrecision {
  /// Bits of the sign, of infinity, of the greatest and the least number; how
  /// many mantissa bits are dropped.
  uint64_t signBit, infinity, greatest, least;
  unsigned dropped;

  /// std::nullopt if a number of bits is not valid, or if the type has no
  /// infinity.
  static std::optional<HloPrecision> read(Operation *op, Type type);
  /// What rounding adds, apart from the last bit that is kept, and which bits
  /// are kept.
  uint64_t getHalf() const { return ((uint64_t(1) << dropped) >> 1) - 1; }
  uint64_t getKept() const { return ~((uint64_t(1) << dropped) - 1); }
  uint64_t round(uint64_t bits) const;
};

/// True for StableHLO ops whose regions compute on scalars (or are not tensor
/// programs on their own): reduce, sort, scatter and the like.
bool hasHloScalarBody(Operation *op);
/// The only block of region i, if it takes one scalar tensor for each type in
/// `elementTypes`, ends in a `return` of `numResults` values, and has no other
/// terminator. Null, with the reason, otherwise.
Block *getHloBody(Operation *op, unsigned i, llvm::ArrayRef<Type> elementTypes,
                  unsigned numResults, std::string &why);
/// Gives an op to be created a region from a function's body of one block.
void addHloBody(OperationState &state, Region &function);
/// Whether a reduction's body (of N inputs, so 2·N arguments) adds argument i
/// to argument N + i as its result i, and reads neither for anything else.
bool isHloSum(Block &body, unsigned i);

//===----------------------------------------------------------------------===//
// Complex numbers as pairs
//===----------------------------------------------------------------------===//

/// An attribute of a function's arguments and results: the element type that
/// they had before they were rewritten: `complex<f32>`, `ui8`.
inline constexpr llvm::StringLiteral kElementType = "tensoraccess.element_type";

/// Sets it for tensors whose element type satisfies `isKept`.
void keepElementTypes(FunctionOpInterface function,
                      llvm::function_ref<bool(Type)> isKept);

/// tensor<S x 2 x f> of tensor<S x complex<f>>; any other type as it is.
Type getTypeOfPairs(Type type);

/// Whether a program has complex numbers, and only StableHLO's ops, functions
/// and calls use them.
bool hasComplexHlo(ModuleOp module);

/// Rewrites a StableHLO program with complex numbers into one on their real and
/// imaginary parts. An argument, a result and an operand of a call of type
/// tensor<S x complex<f>> becomes a tensor<S x 2 x f>, whose elements are in
/// memory as before, with the attribute kElementType. Functions of
/// complex<f32>, except sums, products and moves, are computed in f64. Does
/// nothing if `hasComplexHlo` is false. Emits an error at the first op that has
/// complex numbers and no such form: the module is then partly rewritten.
LogicalResult expandComplexNumbers(ModuleOp module, bool callsTransforms);

//===----------------------------------------------------------------------===//
// Elements of a byte or less
//===----------------------------------------------------------------------===//

/// tensor<S x i8> (or ui8) for integers of 2 and 4 bits and floats of at most
/// 8; any other type as it is.
Type getTypeOfBytes(Type type);

/// Whether functions take or return such elements, or StableHLO ops compute
/// with them, and no other ops do.
bool hasNarrowHlo(ModuleOp module);

/// Rewrites a program: at function boundaries and calls, such elements are
/// bytes, with the attribute kElementType; such floats are computed in f32 and
/// rounded after each op that computes, such integers in bytes and wrapped.
/// Does nothing if `hasNarrowHlo` is false; emits an error at the first unknown
/// op.
LogicalResult expandNarrowElements(ModuleOp module);

//===----------------------------------------------------------------------===//
// Tuples and tokens
//===----------------------------------------------------------------------===//

/// The elements of tuples, and of tuples within them, in order; no tokens.
SmallVector<Type> flattenTypes(TypeRange types);

/// Whether a function, an op or a region takes or returns a tuple or a token.
bool hasTuplesOrTokens(ModuleOp module);

/// Rewrites a program: functions, calls, loops and branches take and return
/// `flattenTypes` of their original types. Emits an error at the first op whose
/// meaning on tuples and tokens is unknown.
LogicalResult expandTuplesAndTokens(ModuleOp module);

//===----------------------------------------------------------------------===//
// Bounded types
//===----------------------------------------------------------------------===//

/// tensor<?xf32> of tensor<?xf32, #stablehlo.bounds<4>>; any other type as it
/// is.
Type getTypeWithoutBounds(Type type);

/// Whether a program has such bounds.
bool hasBoundedTypes(ModuleOp module);

/// Rewrites a program: such a value becomes a tensor<4xf32> and its actual
/// size, a tensor<i32>. A function without callers takes and returns
/// tensor<?xf32>: `refineShapes` makes its arguments static, and its results
/// get their sizes at run time. Rewrites only the functions that `entry`
/// reaches, if there is one of that name. Emits an error at the first op whose
/// meaning on bounded sizes is unknown.
LogicalResult expandBoundedTypes(ModuleOp module, llvm::StringRef entry = {});

//===----------------------------------------------------------------------===//
// Quantised types
//===----------------------------------------------------------------------===//

/// The tensor of the integers that a `!quant.uniform` tensor stores; any other
/// type as it is.
Type getTypeOfStorage(Type type);

/// Whether a program has quantised types, and only StableHLO's ops, functions
/// and calls use them.
bool hasQuantizedHlo(ModuleOp module);

/// Rewrites a program with quantised types into one on the integers that they
/// store: ops that compute dequantise their operands, compute in the expressed
/// type, and quantise, as specified; moves keep the integers. Does nothing if
/// `hasQuantizedHlo` is false; emits an error at the first op with no such
/// form.
LogicalResult expandQuantizedTypes(ModuleOp module);

//===----------------------------------------------------------------------===//
// Ops expressed by other ops
//===----------------------------------------------------------------------===//

/// The target of a `custom_call` of LAPACK or BLAS: `routine` is the name in
/// LAPACK, or that of a transform, `options` its one-character arguments.
/// Tensors are batches of column-major matrices, complex numbers pairs; arguments
/// that a routine overwrites are returned as results.
inline constexpr llvm::StringLiteral kLapackTarget = "tensoraccess.lapack";

/// False, with the reason, for such a call whose tensors do not fit each other
/// or the routine: sizes beyond which it would read or write.
bool checkLapackCall(Operation *op, std::string &why);

/// Whether a `custom_call` of this target describes where values are rather
/// than computing them: `Sharding`, `annotate_device_placement` and the like.
bool isHloPlacementCall(llvm::StringRef target);
/// Whether an op is such a call, or Shardy's equivalent: on one device its
/// results are its operands.
bool isHloPlacement(Operation *op);

/// Why a `custom_call` of another target cannot be run, and what to do.
std::string whyCallStays(Operation *op);

/// Gives every scatter of a program the attribute kWholeWindows, which gives it
/// XLA's semantics.
void dropPartialWindows(ModuleOp module);

/// The symbols of a module that a run of `entry` can reach: itself, the symbols
/// it names, those they name, and so on. Empty if there is no symbol `entry`.
llvm::SetVector<Operation *> getReached(ModuleOp module, llvm::StringRef entry);

/// Erases the functions that a run of `entry` cannot reach, so that faults in
/// them do not matter.
void eraseUnreached(ModuleOp module, llvm::StringRef entry);

/// Whether a program has an op that `expandStableHlo` rewrites.
bool needsExpansion(ModuleOp module);

/// Rewrites ops that no engine has loops for into other ops, and ops about
/// devices into what they mean on one device, and expands complex numbers
/// (`expandComplexNumbers`). Emits an error at the first op that is malformed
/// or has no such form: the module is then partly rewritten. Fourier transforms
/// become calls of the runtime (kLapackTarget), or products of matrices.
LogicalResult expandStableHlo(ModuleOp module, bool callsTransforms = true);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_STABLEHLO_STABLEHLOREADER_H
