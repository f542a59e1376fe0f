//===- Transforms.h - Functions behind the passes ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_TRANSFORMS_H
#define TENSORACCESS_TRANSFORMS_TRANSFORMS_H

#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Relayouts of physical tensors
//===----------------------------------------------------------------------===//

/// The ops that a relayout becomes. Both give the same physical tensor.
enum class RelayoutWay : uint8_t {
  /// tensor.pad, expand_shape and linalg.transpose; backwards linalg.transpose,
  /// collapse_shape and tensor.extract_slice.
  Steps,
  /// linalg.pack and linalg.unpack where one of them is the relayout; else as
  /// above.
  Pack,
};

/// The type of the tensor that a type stands for in memory: without encoding,
/// of the physical shape, of one dimension where the layout has a tail; the
/// type itself if it has no encoding. An error where the encoding is no layout,
/// or has element bits `E` other than the element's.
FailureOr<RankedTensorType>
getPhysicalType(RankedTensorType type,
                function_ref<InFlightDiagnostic()> emitError);

/// Turns linearize, delinearize and apply_indexing below `root` into affine and
/// arith ops. An error where a layout's size overflows.
LogicalResult lowerIndexOps(Operation *root);

/// relayout with a neighbour that permutes, reshapes or converts = relayout, as
/// the pass `tensoraccess-fuse-relayouts` describes.
void populateRelayoutFusion(RewritePatternSet &patterns);

} // namespace mlir::tensoraccess

namespace mlir::memref {
class CopyOp;
class ExpandShapeOp;
class ReinterpretCastOp;
} // namespace mlir::memref

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Transforms as functions
//===----------------------------------------------------------------------===//

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

class IndexingCache;
class OpIndexing;

enum class IndexingDirection : uint8_t { OutputToInput, InputToOutput, Both };

/// The value of `tensoraccess.indexing` for an op with this indexing.
DictionaryAttr getIndexingAttr(MLIRContext *context, const OpIndexing &indexing,
                               IndexingDirection direction);

struct AnnotateIndexingReport {
  int64_t ops = 0, maps = 0, unknown = 0;
};

/// Sets `tensoraccess.indexing` as the pass `tensoraccess-annotate-indexing`
/// describes (`fused`: functions instead of ops), and emits its remarks.
AnnotateIndexingReport annotateIndexing(ModuleOp module, IndexingCache &cache,
                                        IndexingDirection direction,
                                        bool fused);

/// Simplifies every indexing map in attributes and types of `root` and all ops
/// below. Returns the number of distinct maps that changed.
int64_t simplifyIndexing(Operation *root);

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// A tile of returned value or argument number `index`. Without sizes the
/// answers are symbolic; offsets default to 0, strides to 1.
struct TilePropagationOptions {
  bool toInput = true;
  unsigned index = 0;
  SmallVector<int64_t> sizes, offsets, strides;
};
struct TilePropagationReport {
  /// Hulls are tiles, too.
  int64_t tiles = 0, hulls = 0, missed = 0;
};

/// Sets `tensoraccess.tiles` on a function and its ops and emits remarks, as
/// the pass `tensoraccess-propagate-tiles` describes. Where the options don't
/// fit the function it stays as it is, and `error` says why.
LogicalResult propagateTiles(FunctionOpInterface function, IndexingCache &cache,
                             const TilePropagationOptions &options,
                             TilePropagationReport &report, std::string &error);

/// Which producers `tileAndFuse` fuses.
enum class TileFusion : uint8_t {
  Footprint, ///< those with an exact tile and little recompute
  All,       ///< all that upstream can fuse
  None,
};
struct TileAndFuseOptions {
  /// Of the result's dimensions; 0 and missing ones are not tiled.
  SmallVector<int64_t> sizes;
  TileFusion fuse = TileFusion::Footprint;
  /// Elements of a producer that all tiles compute together, over those that
  /// are needed.
  double maxRecompute = 1.5;
};
struct TileAndFuseReport {
  int64_t tiled = 0, fused = 0, agreeing = 0, missed = 0;
};

/// Tiles the ops that make a function's results and fuses their producers, as
/// the pass `tensoraccess-tile` describes. Emits an error where more sizes are
/// given than a result has dimensions. `cache` must not know the function.
LogicalResult tileAndFuse(FunctionOpInterface function, IndexingCache &cache,
                          const TileAndFuseOptions &options,
                          TileAndFuseReport &report);

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Who packs weights: the function, at its entry; whoever calls it; or, for
/// whoever calls it, a function of its own (`createPackFunction`).
enum class LayoutWeights : uint8_t { Entry, Caller, Function };

struct LayoutAssignmentOptions {
  Target target;
  LayoutWeights weights = LayoutWeights::Entry;
  /// Of the largest table while choosing; beyond it the choice may not be least.
  int64_t maxEntries = int64_t(1) << 20;
  /// What a dynamic size counts as where costs are compared.
  int64_t dynamicSize = 16;
};

/// Bytes are those read and written by relayouts, padding included.
struct LayoutAssignmentReport {
  /// Contractions that run on tiles, and those that stay as they were.
  int64_t assigned = 0, left = 0;
  int64_t relayouts = 0;
  int64_t weightBytes = 0, entryBytes = 0, innerBytes = 0, exitBytes = 0;
  /// Weights that arrive in their layouts, and what packing them takes.
  int64_t callerWeights = 0, callerBytes = 0;
  /// The sum that was made least, and the bound from below; equal if exact.
  int64_t cost = 0, lowerBound = 0;
  /// Most variables that depended on each other.
  unsigned width = 0;
};

/// The target that a text names or describes; with an empty text that of the
/// module's attribute `tensoraccess.target`, else the built-in `otherwise`.
/// Emits an error for any other. Passes whose programs run here ask for `host`,
/// choices that should be the same on every machine for `generic`.
FailureOr<Target> findTarget(ModuleOp module, StringRef text,
                             StringRef otherwise = "generic");

/// Chooses layouts as the pass `tensoraccess-assign-layouts` describes, and
/// emits its remarks.
LayoutAssignmentReport assignLayouts(FunctionOpInterface function,
                                     const LayoutAssignmentOptions &options);

/// Encodings of Triton's and IREE's, and strided and linear ones that are tiles,
/// become those of this dialect, as the pass `tensoraccess-convert-encodings`
/// describes. How many types; fails, with an error, for what can't be read.
FailureOr<unsigned> convertEncodings(ModuleOp module);

struct LayoutMaterializationReport {
  /// Ops that run on tensors in memory as they lie, and ops whose tensors are
  /// brought into row-major order.
  int64_t physical = 0, wrapped = 0;
  /// Relayouts written out, those for wrapped ops included, and those of them
  /// that move nothing.
  int64_t relayouts = 0, views = 0;
  /// Reductions that are masked.
  int64_t masked = 0;
  /// Relayouts of constants, done already.
  int64_t folded = 0;
};

/// Replaces tensors with layouts by tensors in memory, as the pass
/// `tensoraccess-materialize-layouts` describes, and emits its remarks. Emits an
/// error where a layout has no such tensor; the IR is then not to be used.
/// Relayouts are linalg.pack and unpack where they match (`Pack`), or always pad,
/// expand_shape and transpose (`Steps`). Constants of at most `foldBytes` in
/// memory are packed at compile time.
FailureOr<LayoutMaterializationReport>
materializeLayouts(ModuleOp module, RelayoutWay way,
                   int64_t foldBytes = int64_t(1) << 30);

//===----------------------------------------------------------------------===//
// Cutting out one op
//===----------------------------------------------------------------------===//

/// A new function `name`, not yet in any module, that computes what op number
/// `index` (from 0, in program order) called `opName` in `function` computes,
/// from the values its producers start from. Emits an error on `function` where
/// there is no such op or its operands are no values of tensor or scalar type.
FailureOr<OwningOpRef<func::FuncOp>> extractOp(func::FuncOp function,
                                               StringRef opName, int64_t index,
                                               StringRef name = "main");

//===----------------------------------------------------------------------===//
// Before and after bufferization
//===----------------------------------------------------------------------===//

/// Makes the functions of a module ready for bufferization, as the pass
/// `tensoraccess-prepare-functions` describes. Emits an error where a tensor
/// type has an encoding.
LogicalResult prepareFunctions(ModuleOp module);

/// Sums products of i8, and of bf16 where floats may be added in any order, by dot
/// products where the target has them, as the pass `tensoraccess-dot-products`
/// describes. Fails, through `notifyMatchFailure`, on other ops.
LogicalResult multiplyInDots(RewriterBase &rewriter, linalg::LinalgOp op,
                             const Target &target, bool reassociate);

/// Puts what reductions in loops read in each trip in panels before the loop, as the
/// pass `tensoraccess-hoist-panels` describes; returns how many operands.
unsigned hoistPanels(Operation *root, const Target &target);

/// Says of an argument that it is the same tensor in many calls.
inline constexpr llvm::StringLiteral kWeight = "tensoraccess.weight";

/// Gives a function its weights in panels, as the pass `tensoraccess-pack-weights`
/// describes. Returns how many operands lie in panels; emits an error where there
/// is a symbol of the new function's name.
FailureOr<unsigned> packWeights(func::FuncOp function, const Target &target,
                                bool outParams);

/// Makes one buffer of those of known sizes that a block allocates and frees, as the
/// pass `tensoraccess-plan-arena` describes; returns how many there were, 0 where
/// nothing changed.
int64_t planArena(Block &block);

/// Turns a reducing linalg op on buffers into loops around a tile of its result
/// in registers, as the pass `tensoraccess-register-tile` describes. Fails,
/// through `notifyMatchFailure`, on other ops.
LogicalResult registerTile(RewriterBase &rewriter, linalg::LinalgOp op,
                           const Target &target);

/// Makes one math.fma of each step of a sum of products in the body of a linalg
/// op, as the pass `tensoraccess-fuse-multiply-add` describes; a named op becomes
/// generic. False where there is none.
bool fuseMultiplyAdd(RewriterBase &rewriter, linalg::LinalgOp op);

/// Moves innermost the parallel loop of a reducing linalg op along which the
/// result and every operand are contiguous or do not move; reductions keep
/// their order. A named op becomes generic. Fails where there is no such loop
/// or it is innermost already.
FailureOr<linalg::GenericOp> orderLoops(RewriterBase &rewriter,
                                        linalg::LinalgOp op);

/// Replaces a copy between buffers of which one is not contiguous by a loop.
/// Fails where both are contiguous or unranked.
FailureOr<linalg::GenericOp> expandCopy(RewriterBase &rewriter,
                                        memref::CopyOp op);

/// Replaces an expand_shape that makes several unknown sizes of one dimension,
/// or an unknown one beside a size 0, by a view of the sizes that it is given.
/// Fails where the sizes follow from the source, and on buffers without strides.
FailureOr<memref::ReinterpretCastOp>
expandDynamicShape(RewriterBase &rewriter, memref::ExpandShapeOp op);

/// Fuses elementwise linalg ops on tensors below `root` as the pass
/// `tensoraccess-fuse-elementwise` describes; returns how many became part of
/// another's loop.
unsigned fuseElementwise(Operation *root);

/// Clones empty and filled tensors that several ops below `root` write into, as
/// the pass `tensoraccess-separate-inits` describes. Returns the clones made.
unsigned separateInits(Operation *root);

/// Moves every linalg op on buffers into a private function, one for all equal
/// ops, and calls it; returns how many ops were moved. The module's symbol
/// names stay unique. `numKernels`, if given, is set to the functions made.
unsigned outlineKernels(ModuleOp module, unsigned *numKernels = nullptr);

/// Extends inputs of a sum of small floats to buffers before it, as the pass
/// `tensoraccess-extend-operands` describes; returns how many.
unsigned extendOperands(RewriterBase &rewriter, linalg::LinalgOp op);

/// Computes a sum of products of i8 in floats, where that is exact, as the same
/// pass does. False where the op stays.
bool multiplyInFloats(RewriterBase &rewriter, linalg::LinalgOp op);

/// Runs linalg ops on buffers that follow one another in a block one after the
/// other for parts of their rows, as the pass `tensoraccess-block-kernels`
/// describes. Returns how many ops became part of such a loop.
unsigned blockKernels(RewriterBase &rewriter, Block &block,
                      const Target &target);

/// Cuts a linalg op on buffers for the cores of a target, with the fill before
/// and the elementwise op after it, as the pass
/// `tensoraccess-parallelize-kernels` describes. False where it stays whole.
bool parallelizeKernel(RewriterBase &rewriter, linalg::LinalgOp op,
                       const Target &target);

/// Makes the body of a loop without results a function, and the loop a call of
/// it that `launchTasks` understands. Fails, through `notifyMatchFailure`, on
/// other loops.
LogicalResult outlineTask(RewriterBase &rewriter, scf::ForallOp loop);

/// Marks the functions that `outlineTask` makes.
inline constexpr StringLiteral kTaskName = "tensoraccess.task";

/// Makes of each call of a task, in the LLVM dialect, one of the runtime's that
/// runs its turns. Fails, with an error, where a symbol that it needs has another
/// type.
LogicalResult launchTasks(ModuleOp module);

/// Puts calls of kProfileFunction, `void(int64_t kernel, int64_t isOver)`, around
/// the calls of kernels, as the pass `tensoraccess-profile-kernels` describes, and
/// an array under kProfiledKernels on the module, which says of each number:
/// `name`, `location`, `operations` and `bytes`, 0 where sizes are unknown.
void profileKernels(ModuleOp module);
inline constexpr StringLiteral kProfileFunction = "tensoraccess_profile";
inline constexpr StringLiteral kProfiledKernels = "tensoraccess.kernels";

/// Replaces every `cf.assert` and `tensoraccess.assert` by a call of `handler`,
/// declared where it is not, with the message as a C string, the number of its
/// values and the values as 64-bit integers, where the condition is false. The
/// handler must not return. Fails, with an error, where a symbol of that name
/// has another type. With an empty name `tensoraccess.assert` becomes
/// `cf.assert`.
LogicalResult lowerAsserts(ModuleOp module, StringRef handler);

/// Makes ops of TOSA below `root` ready for upstream's lowering to linalg:
/// floats below f32 accumulate in f32 (a product or a sum of f16 becomes one of
/// f32 and a cast), no element of the image of a transposed convolution is
/// multiplied by what fills its kernel up, an image of integers that is resized
/// from in front of its edge has that edge there, and casts of floats to integers
/// are loops in which NaN becomes 0.
void prepareTosa(Operation *root);

/// What upstream's lowering of them gets wrong, mended behind it: the greatest
/// and least of floats that all are infinite. Locations are what they were.
void finishTosa(Operation *root);

} // namespace mlir::tensoraccess

//===----------------------------------------------------------------------===//
// Tensors in another shape
//===----------------------------------------------------------------------===//

namespace mlir::tensoraccess {

/// Cuts two shapes of equally many elements into the shortest runs of
/// dimensions that have equally many elements each; dynamic sizes are equal in
/// their order. False where a size is 0, and where there are no runs.
bool matchRuns(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
               SmallVectorImpl<ReassociationIndices> &fromRuns,
               SmallVectorImpl<ReassociationIndices> &toRuns);

/// The same elements, row-major, in another shape: collapse_shape,
/// expand_shape, both, or nothing. Dynamic sizes are those of the tensor, in
/// their order, each a dimension of its own in both.
Value reshapeTensor(OpBuilder &b, Location loc, Value tensor,
                    ArrayRef<int64_t> shape);

} // namespace mlir::tensoraccess

//===----------------------------------------------------------------------===//
// How tensoraccess-reduce shrinks programs
//===----------------------------------------------------------------------===//

namespace mlir {
class DialectRegistry;
class RewritePatternSet;
class Tester;

namespace tensoraccess {

/// Adds the patterns, each of which makes the program smaller, so that none
/// feeds another:
///   * skip: an op becomes its first operand of the same type, where there is
///     one: `transpose [1, 0]` of a square pattern becomes the pattern;
///   * cut: an op with a single result becomes a leaf of that type, and what it
///     read may die: tensors become `tensor.empty`, access patterns an `access`
///     of one, numbers zero. Static shapes only; leaves themselves stay;
///   * sweep: at the end of a block, ops that nobody uses any more go.
/// The tester must live as long as the patterns.
void populateReductionPatterns(RewritePatternSet &patterns, Tester &tester);

/// Gives the dialect the interface through which the reducer asks for these
/// patterns, and loads it with every context, so that they reach programs
/// without any access op.
void registerReduction(DialectRegistry &registry);

} // namespace tensoraccess
} // namespace mlir

#endif // TENSORACCESS_TRANSFORMS_TRANSFORMS_H
