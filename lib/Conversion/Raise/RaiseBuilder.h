//===- RaiseBuilder.h - Loops over operands become access patterns --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all readers of foreign dialects share. A reader gives the loops of an op
// and how they index each operand; the builder writes the access
// patterns. A convolution, say, with loops n, x, f | k, c is
//
//   RaiseBuilder b(rewriter, loc);
//   LoopNest nest;
//   nest.ranges = {1, 28, 8, 3, 5};              // n x f k c
//   nest.parallel = {0, 1, 2};
//   nest.reductions = {3, 4};
//   nest.result = {{0}, {1}, {2}};
//   LoopOperand image{x, {LoopIndex(0), LoopIndex::window(1, 2, 3, 1),
//                         LoopIndex(4)}};
//   LoopOperand filter{w, {LoopIndex(3), LoopIndex(4), LoopIndex(2)}};
//   Value tensor = b.toTensor(b.contraction(nest, {image, filter}));
//   // null: b.getReason() is the reason, and the destructor leaves nothing behind
//
// Every function returns null once one has failed, and passes null on, so that
// a reader asks once, in the end. The first reason is kept.
//
// Summation order: items run over `reductions` in the order of that list, the
// last one fastest, so that a reader which lists them in the op's own order
// gets the op's own sums.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CONVERSION_RAISEBUILDER_H
#define TENSORACCESS_LIB_CONVERSION_RAISEBUILDER_H

#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

/// `coefficient · loop`.
struct LoopTerm {
  int64_t loop;
  int64_t coefficient = 1;
};

/// An index of one dimension of an operand: a sum of terms and an offset.
/// Coefficients may be negative; a loop is in at most one term.
struct LoopIndex {
  SmallVector<LoopTerm, 2> terms;
  int64_t offset = 0;

  LoopIndex() = default;
  /// `loop · coefficient + offset`.
  explicit LoopIndex(int64_t loop, int64_t coefficient = 1, int64_t offset = 0)
      : terms{{loop, coefficient}}, offset(offset) {}
  /// `place · stride + within · dilation + offset`: a window that slides.
  static LoopIndex window(int64_t place, int64_t stride, int64_t within,
                          int64_t dilation, int64_t offset = 0);
  /// An index that no loop moves.
  static LoopIndex constant(int64_t offset);
};

/// How many places terms of decreasing coefficients number row-major, kDynamic
/// if unknown; std::nullopt if they do not. With `anyUnits`, loops of one step
/// may have any coefficient.
std::optional<int64_t> countDigits(ArrayRef<LoopTerm> terms,
                                   ArrayRef<int64_t> ranges,
                                   bool anyUnits = false);

/// An operand as an op reads it: a tensor, or an access pattern (of any split)
/// that was built before, and the index of each of its dimensions. Rank 0 with
/// no indices is a scalar, the same for every point of the loops.
struct LoopOperand {
  Value source;
  SmallVector<LoopIndex> indices;
};

/// The loops of an op, by number.
struct LoopNest {
  /// The number of iterations of each loop; ShapedType::kDynamic where unknown.
  SmallVector<int64_t> ranges;
  /// Loops of the result (access dimensions) and loops that are reduced (the
  /// item), in the order in which they are to run. Every loop is in one list.
  SmallVector<int64_t> parallel, reductions;
  /// For each dimension of the result the loops that number it, row-major:
  /// mostly one, none for a dimension of size 1, several for groups that are
  /// collapsed. Every parallel loop of a range other than 1 is in it once.
  SmallVector<SmallVector<int64_t, 1>> result;
  /// For each loop of unknown range a dimension of a tensor that is as long;
  /// null if none exists, and empty if not asked for.
  SmallVector<std::pair<Value, int64_t>> sizes;

  /// Result dimension n is the n-th parallel loop.
  void setPlainResult();
  /// A nest of parallel loops with this shape, result in the same order.
  static LoopNest parallelOver(ArrayRef<int64_t> shape);
};

/// A pattern under construction with the loop that each dimension stands for;
/// -1 for a dimension of size 1 without one.
struct PatternDraft {
  Value value;
  SmallVector<int64_t> loops;

  explicit operator bool() const { return bool(value); }
};

/// How a reduction combines its elements.
enum class Combiner {
  Sum,
  Product,
  Greatest,
  Least,
  GreatestUnsigned,
  LeastUnsigned
};

/// True if a reduction that starts from this value is one that starts from
/// its first element. False for a null attribute.
bool isNeutral(Combiner combiner, Attribute init);

/// Keeps the first reason for which something cannot be written.
class Refusal {
public:
  /// Notes the reason and returns null.
  Value fail(const Twine &why) {
    if (reason.empty())
      reason = why.str();
    return Value();
  }
  /// The same, for readers that give no value.
  std::nullopt_t refuse(const Twine &why) {
    fail(why);
    return std::nullopt;
  }
  bool hasFailed() const { return !reason.empty(); }
  StringRef getReason() const { return reason; }

private:
  std::string reason;
};

class RaiseBuilder : public Refusal {
public:
  /// Ops are inserted at the rewriter's insertion point, which must not move
  /// while the builder lives.
  /// `unknownRepetition` is why it is not known which operands are repeated,
  /// where the op is one that repeats those of size 1.
  RaiseBuilder(RewriterBase &rewriter, Location loc, bool widenSums = true,
               StringRef unknownRepetition = {});
  /// Erases everything that was built, if anything failed.
  ~RaiseBuilder();

  //===--------------------------------------------------------------------===//
  // Failure
  //===--------------------------------------------------------------------===//

  /// The ops built so far, in their order.
  SmallVector<Operation *> getBuiltOps() const;
  RewriterBase &getRewriter() const { return rewriter; }
  Location getLoc() const { return loc; }
  /// For sums that are rounded to `type` in every step: true if compute does
  /// so, too, or may sum in a wider type, which is noted; fails otherwise.
  bool mayWiden(Type type);
  /// For ops that repeat operands of size 1: false, and a failure, where an
  /// unknown size may be 1 or may not. No view is right for both.
  bool knowsRepetition();
  /// The type that mayWiden noted, null if it did not.
  Type getWidened() const { return widened; }

  //===--------------------------------------------------------------------===//
  // Whole ops. Patterns of the result are <result dimensions | >
  //===--------------------------------------------------------------------===//

  /// Σ over the reductions of the product of the operands: `cart_prod` where
  /// two operands share no parallel loop, `pair` over the common loops else,
  /// longer tuples for more factors; `reduce_sum` for one.
  /// `accumulator` (may be null) is the type of products and sums.
  Value contraction(const LoopNest &nest, ArrayRef<LoopOperand> factors,
                    Type accumulator = {});
  /// reduce_sum, reduce_max or reduce_mean of the operand over the reductions.
  Value reduction(const LoopNest &nest, ComputeKind kind,
                  const LoopOperand &operand, Type accumulator = {});
  /// Any combination over the reductions, in their order, each step exact or
  /// rounded as the op's own.
  Value combine(const LoopNest &nest, Combiner combiner, LoopOperand operand);
  /// The operand itself, for every point of the (parallel) loops: transposes,
  /// broadcasts, slices, reversals, windows written out.
  Value movement(const LoopNest &nest, const LoopOperand &operand);

  //===--------------------------------------------------------------------===//
  // Pieces
  //===--------------------------------------------------------------------===//

  /// The operand as <parallel loops | reductions>, whatever it reads.
  Value pattern(const LoopNest &nest, const LoopOperand &operand);
  /// A pattern <parallel loops | > as the nest's result, <dimensions | >.
  Value arrangeResult(const LoopNest &nest, Value pattern);

  /// A tensor or a pattern, split at an axis; null for what no access type
  /// holds (an encoding, elements that are not numbers).
  Value access(Value source, int64_t axis);
  /// The whole tensor as access dimensions.
  Value accessAll(Value tensor);
  /// The tensor of a pattern. With a type, cast to it where a dynamic dimension
  /// is known better on one side.
  Value toTensor(Value pattern, Type type = {});
  /// A constant scalar, a pattern <| T>.
  Value constant(TypedAttr value);
  /// A scalar that is known at run time, a pattern <| T>.
  Value scalar(Value value);

  Value transpose(Value pattern, ArrayRef<int64_t> perm);
  Value insertAxis(Value pattern, int64_t axis);
  Value squeeze(Value pattern, int64_t axis);
  /// The pattern, repeated along a new dimension as long as dimension `dim` of
  /// a tensor is at run time; all dimensions become access dimensions.
  Value repeat(Value pattern, int64_t axis, Value tensor, int64_t dim);
  /// Dimensions of size 1 grow to `shape` (access and compute dimensions).
  Value broadcast(Value pattern, ArrayRef<int64_t> shape);
  /// Strides may be negative; all ones where empty. No op for the identity.
  Value slice(Value pattern, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> strides = {});
  /// These dimensions, of known size, backwards.
  Value reverse(Value pattern, ArrayRef<int64_t> dims);
  /// Negative amounts slice; `interior` all zeros where empty. The value is a
  /// constant of the element type, or null if nothing is padded.
  Value pad(Value pattern, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
            TypedAttr value, ArrayRef<int64_t> interior = {});
  /// The same elements in row-major order in another shape; all dimensions
  /// become access dimensions.
  Value reshape(Value pattern, ArrayRef<int64_t> shape);
  Value concat(ArrayRef<Value> patterns, int64_t axis);
  Value windows(Value pattern, ArrayRef<int64_t> shape,
                ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations);
  /// <A | C>, <A | C>, … to <A | n x C>.
  Value tuple(ArrayRef<Value> patterns);
  Value cartProd(Value lhs, Value rhs);

  Value compute(ComputeKind kind, Value pattern, Type accumulator = {});
  /// relu, sqrt or negative, applied before a broadcast rather than after.
  Value unary(ComputeKind kind, Value pattern);
  /// elementwise_add, _mul or _div of patterns of one shape. The quotient of a
  /// sum by the number of its summands becomes a mean.
  Value elementwise(ComputeKind kind, ArrayRef<Value> patterns);
  /// The elements of each item combined: <A | C> to <A | >.
  Value combineItems(Combiner combiner, Value items);
  /// lhs - rhs = lhs + (-rhs).
  Value subtract(Value lhs, Value rhs);
  /// The greater of two patterns' elements, where one of them is zero
  /// everywhere, or the least number of its type.
  Value maximum(ArrayRef<Value> patterns);

  /// softmax over dimensions of a tensor or pattern, which keep their places.
  Value softmax(Value source, ArrayRef<int64_t> dims);

  /// True if something that was read slid a window.
  bool hasSlidingWindow() const { return slides; }

private:
  PatternDraft draft(const LoopNest &nest, const LoopOperand &operand);
  PatternDraft slideWindows(PatternDraft draft,
                            SmallVectorImpl<LoopIndex> &indices,
                            const LoopNest &nest);
  /// The draft as <access loops | compute loops>, in that order.
  Value arrange(PatternDraft draft, const LoopNest &nest,
                ArrayRef<int64_t> accessLoops, ArrayRef<int64_t> computeLoops);
  Value finishResult(const LoopNest &nest, PatternDraft result);
  bool isClean(const LoopNest &nest, const PatternDraft &draft) const;
  Value split(Value pattern, int64_t axis);
  Value failure();
  /// Fails if a pattern of this shape would be too large for its type.
  bool fits(ArrayRef<int64_t> shape);
  Value recogniseMean(Value sum, Value divisor);
  /// The elements in an order whose greatest is that of the combiner, or back.
  Value mirror(Combiner combiner, Value pattern);

  RewriterBase &rewriter;
  Location loc;
  Block *block;
  /// The op before the insertion point, null at the block's beginning.
  Operation *before;
  std::string unknownRepetition;
  bool slides = false, widenSums;
  Type widened;
};

inline AccessType typeOf(Value pattern) {
  return cast<AccessType>(pattern.getType());
}
/// A type as MLIR writes it.
std::string typeName(Type type);

/// The element that every element of a tensor or pattern is known to be, seen
/// through fills, broadcasts and all other movement; null where it is unknown.
TypedAttr getSplatElement(Value value);

/// True for +0 and the integer 0 / for the least value of the type (-inf) / for
/// this number.
bool isPositiveZero(Attribute value);
bool isLeast(Attribute value);
bool isNumber(Attribute value, int64_t number);

/// Erases the producers among `ops` that nothing reads any more, and theirs.
void eraseDead(RewriterBase &rewriter, ArrayRef<Operation *> ops);
/// The ops that define what `op` reads, from outside, in its regions too.
SmallVector<Operation *> getProducers(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_CONVERSION_RAISEBUILDER_H
