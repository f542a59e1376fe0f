//===- KernelPlan.h - How a reduction is cut for registers and caches -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_KERNEL_KERNELPLAN_H
#define TENSORACCESS_LIB_TRANSFORMS_KERNEL_KERNELPLAN_H

#include "TensorAccess/Core/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <array>

namespace mlir::tensoraccess {

/// A step of a sum by what one instruction multiplies: `out + x * y`, four bytes
/// each in i32, or two of bf16 in f32.
struct DotStep {
  int64_t size;
  /// Of bytes, by input.
  std::array<bool, 2> isSigned = {};
  /// The bits that are flipped first, of the input without sign that is read by
  /// rows.
  uint8_t flippedBits = 0;
  bool isBF16() const { return size == 2; }
  unsigned getUnsignedInput() const { return isSigned[0] ? 1 : 0; }
};

/// The two factors of `out + x * y` of two inputs; else nulls.
std::array<Value, 2> matchFactors(linalg::LinalgOp op);

/// A step of DotProducts, whose last loop is a sum of as many iterations, which
/// both inputs walk by one element.
std::optional<DotStep> matchDot(linalg::LinalgOp op);

/// Whether the target has such dot products of vectors. Of bytes, one input has
/// signs and the other one has none.
bool hasDot(const Target &target, bool isBF16);

/// Whether the target multiplies tiles (AMX): bytes with any signs, or bf16.
bool hasTiles(const Target &target, bool isBF16);

/// Rows of a tile, bytes of a row, and tile registers.
constexpr int64_t kTileRows = 16, kTileBytes = 64, kTileRegisters = 8;

/// Of `out + ext(x) * ext(y)`, x and y the two inputs, of i8 and i32 or of bf16 and
/// f32, their extensions; nulls for other bodies.
std::array<Operation *, 2> matchSmallProduct(linalg::LinalgOp op);

/// A reduction of static sizes on strided buffers, perhaps with an elementwise
/// op that takes its result from registers: each operand is read at an offset
/// and a stride per loop, in elements. Operands that are scalars have no
/// strides.
struct StridedNest {
  struct Loop {
    int64_t size;
    bool isSum;
    /// By operand.
    SmallVector<int64_t, 4> strides;
    /// The op's loop, where it is one of its own.
    unsigned number;
  };
  /// Loops of more than one iteration: parallel ones by descending stride of
  /// the result, then sums in the order in which they are added. Neighbours
  /// that every operand walks as one are one, unless the body asks for indices.
  SmallVector<Loop> loops;
  /// The inputs of the reduction and its result; then those of the epilogue
  /// that are not that result, and what it writes.
  SmallVector<Value> operands;
  unsigned result;
  /// Of the epilogue's arguments: the operand, or the result.
  SmallVector<unsigned> epilogueOperands;
  /// Bytes of an element, by operand.
  SmallVector<int64_t, 4> elementBytes;
  /// Where the buffer begins and how far it reaches, in elements.
  SmallVector<int64_t, 4> offsets, extents;
  /// The input that is packed in panels (matchPanels), whose stride along the
  /// op's loop is that from one panel to the next, by columns.
  struct Packed {
    unsigned operand, loop;
    int64_t width;
  };
  std::optional<Packed> packed;
  /// Where the last sum is a dot product (matchDot): it is not a loop here.
  /// What is read by columns moves by as many elements, four bytes, what is
  /// read by rows by elements.
  std::optional<DotStep> dot;
  /// The only op of the body, where it may take the result and the only input in
  /// any order and groups; else null.
  Operation *freeStep = nullptr;

  unsigned getResult() const { return result; }
  /// What is written in the end.
  unsigned getTarget() const { return operands.size() - 1; }

  /// std::nullopt, and why not in `reason`, for other ops. `epilogue` may be
  /// null. Tensors are taken to be row-major buffers, and their unknown sizes, if
  /// there may be any, to be `unknown`.
  static std::optional<StridedNest> get(linalg::LinalgOp op,
                                        linalg::GenericOp epilogue,
                                        std::string &reason,
                                        int64_t unknown = 0);

  /// Takes the op's loops, in their order; false if the result does not have the
  /// parallel ones.
  bool setLoops(SmallVector<Loop> all, bool joins);

private:
  bool joinDot(SmallVectorImpl<Loop> &all);
};

/// Whether an op computes each element of one buffer from the same element of
/// the reduction's result, which it reads once.
bool isEpilogueOf(Operation *epilogue, linalg::LinalgOp op);

/// The fill right before the op that its result begins with, and the
/// elementwise op right after it that alone reads its result, or replaces it.
linalg::FillOp findFillBefore(linalg::LinalgOp op);
linalg::GenericOp findEpilogueAfter(linalg::LinalgOp op);

/// Panels of an operand: `d floordiv width` in dimension `outer` and `d mod width`
/// in dimension `inner`, the last one or that before it, for one loop d, which is
/// in no other dimension. Read from the map: a nest knows of a single panel that its
/// number is 0.
struct Panels {
  unsigned loop;
  int64_t width;
  unsigned inner, outer;
};
std::optional<Panels> matchPanels(AffineMap map);

/// The larger float that an argument is extended to in all of its uses, or null.
Type getExtended(BlockArgument argument);

/// Zeros after the elements of a tensor that `map` reads along a loop, up to
/// that size of it.
Value padAlong(OpBuilder &b, Location loc, Value value, AffineMap map,
               unsigned loop, int64_t size);

/// What an op of known sizes reads, a tensor by a projected permutation, in panels
/// of `width` iterations of the loop `column`: batches, panels, sums in their
/// order, columns of a panel and, where `group` is more than one, that many
/// iterations of the loop `sum`, zeros after the last ones up to `iterations`.
/// `map` reads it, in a further loop for a group. (PackWeights.cpp)
struct PackedOperand {
  Value value;
  AffineMap map;
};
PackedOperand packOperand(OpBuilder &b, linalg::LinalgOp op, unsigned operand,
                          unsigned column, int64_t width, Type element,
                          unsigned sum = 0, int64_t iterations = 0,
                          int64_t group = 1);

/// An input of a reduction on tensors that its kernel reads by the columns of its
/// result, in panels of `width`: of panels that are there, or of a tensor that can
/// be put in such. (PackWeights.cpp)
struct PanelUse {
  unsigned operand, column;
  int64_t width;
  bool isThere;
};
std::optional<PanelUse> findPanelUse(linalg::LinalgOp op, const Target &target);

/// Makes the panels of an input at the insertion point, and has the op read them;
/// returns what makes them.
Operation *readInPanels(RewriterBase &rewriter, linalg::LinalgOp op,
                        const PanelUse &use);

/// Whether the body is arithmetic on elements, which may be computed where there
/// are none: lanes that are masked or filled up.
bool isArithmetic(linalg::LinalgOp op);

/// Equal pieces of a range, but for a last one: at most two sizes.
struct Pieces {
  int64_t count, size, start;
  /// `size` cut into as few pieces of at most `most` as there can be.
  static SmallVector<Pieces, 2> split(int64_t size, int64_t most);
};

/// How tile registers cut a product: those of the result have `rows` rows by one
/// vector, `perLoop` of them one after the other along the last loop of rows; a
/// step takes `groups` dot products of each element.
struct MatrixTiles {
  int64_t rows, perLoop, groups;
};

/// A tile of the result in registers: `rows` of one or two loops by `vectors`.
/// What serves all rows of a tile, an operand read by vectors, is its panel.
struct KernelPlan {
  /// The loop along which the result is contiguous.
  unsigned column;
  int64_t lanes, vectors;
  int64_t getWidth() const { return lanes * vectors; }
  /// The loops of rows, the outer one first, and how many of each.
  SmallVector<unsigned, 2> rowLoops;
  SmallVector<int64_t, 2> rows;
  /// Parallel loops along which panels move, and those along which they don't.
  SmallVector<unsigned> batches, others;
  SmallVector<unsigned> sums;
  /// The operand whose panels are copied to a buffer of their own, unless it is
  /// in panels already (StridedNest::packed).
  std::optional<unsigned> packed;
  /// Operands whose rows are along the last sum: squares of them are transposed
  /// in registers, one vector of the tile after the other, each that many
  /// iterations behind the one before.
  SmallVector<unsigned, 2> squares;
  int64_t lag = 0;
  /// Whether squares are of two neighbours in the size of a sum's element.
  bool arePairs = false;
  /// Of a free step (StridedNest::freeStep), the rows of a square that are taken
  /// along the sum at a time, by vectors of `freeLanes`, before the square of what is
  /// left is transposed; and whether floats are compared by their bits meanwhile.
  int64_t freeLanes = 0;
  int64_t freeRows = 0;
  bool comparesBits = false;
  /// Elements from what a square is of to what is fetched to the second cache
  /// meanwhile, from one end of the memory of a tile's rows to the other; 0: not.
  int64_t ahead = 0;
  /// Panels, and iterations of the first sum, that are used before the next
  /// ones.
  int64_t panelsPerBlock = 1, sumsPerBlock = 0;
  /// Whether the panels of a block are used for one tile of rows after the
  /// other.
  bool rowsOutside = false;
  /// Iterations of the innermost sum by which panels are fetched ahead; 0: not.
  int64_t prefetch = 0;
  /// Sums are in tile registers, where there are such.
  std::optional<MatrixTiles> tiles;
};

/// The plan of least cost: multiply-adds, loads, and what comes from caches
/// further away, for all tiles together. std::nullopt, and why not, where
/// registers are of no use. Panels that are made once for many runs,
/// `arePanelsKept`, are worth it for any number of rows.
std::optional<KernelPlan> planKernel(const StridedNest &nest,
                                     const Target &target, std::string &reason,
                                     bool arePanelsKept = false);

/// The cycles of a plan's loops: of its tiles, and of copying panels.
double getKernelCycles(const StridedNest &nest, const KernelPlan &plan,
                       const Target &target);

/// Writes the loops of a plan before the op, which stays. Sums begin with `start`,
/// null: with what is there; `epilogue`, null or that of the nest, takes them.
void emitKernel(RewriterBase &rewriter, linalg::LinalgOp op, StridedNest nest,
                KernelPlan plan, linalg::GenericOp epilogue, TypedAttr start);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_KERNEL_KERNELPLAN_H
