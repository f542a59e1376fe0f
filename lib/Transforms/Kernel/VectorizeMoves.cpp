//===- VectorizeMoves.cpp - Moves as lines and squares of vectors ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op that yields its one input is a list of dimensions, each with a size and
// two strides.
//   1. Leave out dimensions of size 1; join those that follow each other in
//      both buffers.
//   2. A dimension of stride 1 in both is a run: moved by lines, the last one
//      beginning where it still fits. Of short runs eight neighbours in the
//      result are a piece: written at once, and read from eight places that
//      each go on in the next piece, as hardware fetches ahead.
//   3. Else, with a dimension that runs along the result and one that runs
//      along the source: squares as wide as a vector, enough of them side by
//      side to store whole lines. A square of side 2^k is transposed in k
//      steps; step h exchanges, in every pair of rows h apart, the halves of
//      blocks of 2h.
//   4. Stores go past the caches where no cache can hold the result, and every
//      store is a whole line: strides, offset and buffer are multiples of
//      lines.
// Large moves are calls of tensoraccess_move (Runtime/Runtime.h) instead, where
// that is wanted, with sizes and strides in a constant.
//
//===----------------------------------------------------------------------===//

#include "CutLoops.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/RelayoutPlan.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/KernelPasses.h"
#include "VectorSquares.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_VECTORIZEMOVES
#include "TensorAccess/Transforms/KernelPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

struct MovedDim {
  int64_t size, source, result;
};

/// A buffer as one dimension.
struct FlatBuffer {
  Value memref;
  /// Of the first element; dynamic where it is known only at run time.
  int64_t offset = 0;
};

/// Turns a linalg op on buffers that computes nothing into loops over vectors.
/// Fails, through `notifyMatchFailure`, on other ops.
class MoveVectorizer {
public:
  /// `isAligned`: whether a buffer is known to begin at a cache line.
  MoveVectorizer(RewriterBase &rewriter, linalg::LinalgOp op,
                 const Target &target, function_ref<bool(Value)> isAligned)
      : rewriter(rewriter), op(op), target(target), isAligned(isAligned),
        loc(op.getLoc()) {}

  /// Calls the runtime for moves of `callBytes` or more, if that is not 0.
  LogicalResult run(int64_t callBytes);
  bool isStreamed() const { return streamed; }

private:
  LogicalResult fail(const Twine &reason) {
    return rewriter.notifyMatchFailure(op, reason);
  }
  LogicalResult check();
  void joinDims();
  void orderShortRuns();
  bool canStream();
  FlatBuffer flatten(Value memref, ArrayRef<int64_t> strides, int64_t offset);
  bool mayCall(int64_t callBytes);
  func::FuncOp declareCallee();
  void emitCall(func::FuncOp callee);
  Value getAddress(Value memref, int64_t offset);
  void emitLoops(size_t depth);
  void emitRun();
  void emitSquares();
  Value load(Value at, int64_t elements);
  void store(Value vector, Value at);
  /// Σ iv · stride + `added`.
  Value getPlace(bool inResult, int64_t added);
  Value index(int64_t n) {
    return arith::ConstantIndexOp::create(rewriter, loc, n);
  }

  /// Neighbouring short runs that are moved one after the other.
  static constexpr int64_t kPiece = 8;
  /// Bytes that are moved as one vector.
  static constexpr int64_t kMaxLine = 256;
  /// Bytes of runs and of interleaved pieces that are left to the runtime.
  static constexpr int64_t kCalledRun = 128, kCalledPiece = 16;

  RewriterBase &rewriter;
  linalg::LinalgOp op;
  const Target &target;
  function_ref<bool(Value)> isAligned;
  Location loc;

  Type element;
  /// Elements of a line and of a vector, which is the side of a square.
  int64_t line = 0, side = 0;
  SmallVector<MovedDim> dims;
  /// Steps of the loops of `dims`.
  SmallVector<int64_t> steps;
  SmallVector<Value> ivs;
  /// The dimensions along the result and the source, equal for a run.
  size_t alongResult = 0, alongSource = 0;
  FlatBuffer source, result;
  bool streamed = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is moved
//===----------------------------------------------------------------------===//

LogicalResult MoveVectorizer::check() {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1)
    return fail("it does not make one buffer of one buffer");
  NestRef nest = getNest(OpSignature(op));
  if (nest->body != NestBody::Move || nest->getDestinations().empty() ||
      !nest->findRead(0)->isRead)
    return fail("it computes, or is not on buffers");
  const NestAccess &read = *nest->findRead(0), &write = nest->writes[0];
  if (!nest->isPermutation(read) || !nest->isPermutation(write))
    return fail("it is not a transpose");
  // A number is written to a buffer of rank 0 by the maps of a transpose.
  auto from = dyn_cast<MemRefType>(op.getDpsInputOperand(0)->get().getType());
  auto to = cast<MemRefType>(op.getDpsInitOperand(0)->get().getType());
  if (!from)
    return fail("it does not make one buffer of one buffer");
  element = to.getElementType();
  if (!element.isIntOrFloat() || from.getElementType() != element)
    return fail("its elements are not numbers");
  int64_t bits = element.getIntOrFloatBitWidth();
  if (!llvm::is_contained({8, 16, 32, 64}, bits))
    return fail("its elements are not 1, 2, 4 or 8 bytes");
  SmallVector<int64_t> strides[2];
  std::optional<SmallVector<int64_t>> sizes = nest->getExtents();
  if (!sizes || llvm::is_contained(*sizes, 0) ||
      failed(from.getStridesAndOffset(strides[0], source.offset)) ||
      failed(to.getStridesAndOffset(strides[1], result.offset)))
    return fail("its sizes or strides are dynamic");
  for (auto [size, axis] : llvm::zip_equal(*sizes, nest->getAxes())) {
    if (size == 1)
      continue;
    auto getStride = [axis = axis](ArrayRef<int64_t> by,
                                   const NestAccess &access) {
      return by[llvm::find(access.index, axis) - access.index.begin()];
    };
    int64_t inSource = getStride(strides[0], read),
            inResult = getStride(strides[1], write);
    if (ShapedType::isDynamic(inSource) || ShapedType::isDynamic(inResult) ||
        inSource < 1 || inResult < 1)
      return fail("its sizes or strides are dynamic");
    dims.push_back({size, inSource, inResult});
  }
  for (auto stride : {&MovedDim::source, &MovedDim::result}) {
    std::optional<int64_t> span = 1;
    for (const MovedDim &dim : dims) {
      auto reach = checkedMul(dim.size - 1, dim.*stride);
      span = span && reach ? checkedAdd(*span, *reach) : std::nullopt;
    }
    if (!span)
      return fail("a buffer is larger than memory");
  }
  line = std::max<int64_t>(1, std::min(target.cacheLine, kMaxLine) * 8 / bits);
  // 1 byte: more rows than there are registers would not pay off.
  side = std::min<int64_t>({target.getLanes(bits), line, 16});
  return success();
}

/// Step 1, from the outermost dimension of the result to the innermost.
void MoveVectorizer::joinDims() {
  RelayoutBox box;
  for (const MovedDim &dim : dims)
    box.loops.push_back({dim.size, dim.size, dim.source, dim.result});
  box.normalize();
  dims.clear();
  for (const RelayoutLoop &loop : box.loops)
    dims.push_back({loop.extent, loop.sourceStride, loop.targetStride});
}

/// Loops around short runs: pieces of the dimension whose runs are neighbours
/// in the result innermost, around them the one whose runs are in the source.
void MoveVectorizer::orderShortRuns() {
  // Sorted by the result: the run is last.
  if (dims.size() < 3)
    return;
  size_t inResult = dims.size() - 2, inSource = 0;
  for (size_t i = 0; i + 1 < dims.size(); ++i)
    if (dims[i].source < dims[inSource].source)
      inSource = i;
  if (inSource == inResult)
    return;
  MovedDim walked = dims[inSource], piece = dims[inResult];
  dims.erase(dims.begin() + inSource);
  int64_t parts = kPiece;
  while (piece.size % parts != 0)
    parts /= 2;
  auto *place = dims.end() - 2;
  *place = {piece.size / parts, piece.source * parts, piece.result * parts};
  MovedDim inner = {parts, piece.source, piece.result};
  dims.insert(dims.end() - 1, {walked, inner});
}

/// Step 4.
bool MoveVectorizer::canStream() {
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  std::optional<int64_t> total = bytes;
  for (const MovedDim &dim : dims)
    total = total ? checkedMul(*total, dim.size) : std::nullopt;
  if (!total || *total <= target.lastCache || target.cacheLine < 16 ||
      target.cacheLine > kMaxLine || ShapedType::isDynamic(result.offset) ||
      result.offset % line != 0)
    return false;
  for (const MovedDim &dim : dims)
    if (dim.result == 1 ? dim.size % line != 0 : dim.result % line != 0)
      return false;
  // Squares that overlap the one before still store whole lines.
  return isAligned(op.getDpsInitOperand(0)->get());
}

FlatBuffer MoveVectorizer::flatten(Value memref, ArrayRef<int64_t> strides,
                                   int64_t offset) {
  int64_t count = 1;
  for (auto [dim, stride] : llvm::zip_equal(dims, strides))
    count += (dim.size - 1) * stride;
  OpFoldResult start = rewriter.getIndexAttr(offset);
  if (ShapedType::isDynamic(offset))
    start = memref::ExtractStridedMetadataOp::create(rewriter, loc, memref)
                .getOffset();
  auto from = cast<MemRefType>(memref.getType());
  auto layout = StridedLayoutAttr::get(op.getContext(), offset, {1});
  auto type = MemRefType::get({count}, element, layout, from.getMemorySpace());
  Value flat = memref::ReinterpretCastOp::create(
      rewriter, loc, type, memref, start,
      ArrayRef<OpFoldResult>{rewriter.getIndexAttr(count)},
      ArrayRef<OpFoldResult>{rewriter.getIndexAttr(1)});
  return {flat, offset};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value MoveVectorizer::getPlace(bool inResult, int64_t added) {
  AffineExpr sum = rewriter.getAffineConstantExpr(added);
  SmallVector<OpFoldResult> operands;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    sum = sum +
          rewriter.getAffineDimExpr(i) * (inResult ? dim.result : dim.source);
    operands.push_back(ivs[i]);
  }
  return affine::makeComposedAffineApply(
             rewriter, loc, AffineMap::get(dims.size(), 0, sum), operands)
      .getResult();
}

Value MoveVectorizer::load(Value at, int64_t elements) {
  return vector::LoadOp::create(
      rewriter, loc, VectorType::get({elements}, element), source.memref, at);
}

void MoveVectorizer::store(Value vector, Value at) {
  llvm::MaybeAlign alignment;
  if (streamed)
    alignment = llvm::Align(std::min<uint64_t>(
        target.cacheLine, cast<VectorType>(vector.getType()).getNumElements() *
                              element.getIntOrFloatBitWidth() / 8));
  vector::StoreOp::create(rewriter, loc, vector, result.memref, at, streamed,
                          alignment);
}

void MoveVectorizer::emitRun() {
  int64_t length = std::min(dims[alongResult].size, line);
  store(load(getPlace(false, 0), length), getPlace(true, 0));
}

void MoveVectorizer::emitSquares() {
  int64_t width = steps[alongResult];
  SmallVector<SmallVector<Value>> squares;
  for (int64_t begin = 0; begin < width; begin += side) {
    SmallVector<Value> rows;
    for (int64_t i = 0; i < side; ++i)
      rows.push_back(
          load(getPlace(false, (begin + i) * dims[alongResult].source), side));
    squares.push_back(transposeSquare(rewriter, loc, rows));
  }
  // A line of the result at once.
  for (int64_t i = 0; i < side; ++i)
    for (auto [square, rows] : llvm::enumerate(squares))
      store(rows[i],
            getPlace(true, i * dims[alongSource].result + square * side));
}

void MoveVectorizer::emitLoops(size_t depth) {
  if (depth == dims.size())
    return alongResult == alongSource ? emitRun() : emitSquares();
  int64_t size = dims[depth].size, step = steps[depth];
  if (step >= size) {
    ivs[depth] = index(0);
    return emitLoops(depth + 1);
  }
  auto loop =
      scf::ForOp::create(rewriter, loc, index(0), index(size), index(step));
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  ivs[depth] = loop.getInductionVar();
  if (size % step != 0) {
    // The last one begins where it still fits.
    AffineExpr i = rewriter.getAffineDimExpr(0);
    AffineMap least =
        AffineMap::get(1, 0, {i, rewriter.getAffineConstantExpr(size - step)},
                       op.getContext());
    ivs[depth] = affine::AffineMinOp::create(rewriter, loc, least,
                                             ValueRange{ivs[depth]});
  }
  emitLoops(depth + 1);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What the runtime does faster, measured (bench/moves.py): results past the
/// second level of caches whose elements come in runs, or interleaved a few
/// bytes at a time. Whatever else is read and written in lines or squares is as
/// fast here, or faster.
bool MoveVectorizer::mayCall(int64_t callBytes) {
  int64_t size = element.getIntOrFloatBitWidth() / 8;
  std::optional<int64_t> bytes = size;
  for (const MovedDim &dim : dims)
    bytes = bytes ? checkedMul(*bytes, dim.size) : std::nullopt;
  auto isElsewhere = [](OpOperand *operand) {
    return cast<MemRefType>(operand->get().getType()).getMemorySpace() !=
           Attribute();
  };
  if (callBytes == 0 || !bytes ||
      (*bytes < callBytes && !isInColdFunction(op)) || dims.size() < 2 ||
      isElsewhere(op.getDpsInputOperand(0)) ||
      isElsewhere(op.getDpsInitOperand(0)) || dims.back().result != 1)
    return false;
  // Where it is not fast it is short.
  if (isInColdFunction(op))
    return true;
  const MovedDim &last = dims.back();
  if (last.source == 1)
    return last.size * size >= kCalledRun;
  const auto *unit =
      llvm::find_if(dims, [](const MovedDim &dim) { return dim.source == 1; });
  auto isPiece = [&](int64_t count) {
    return llvm::isPowerOf2_64(count) && count * size <= kCalledPiece;
  };
  return unit != dims.end() &&
         ((unit->result == last.size && isPiece(last.size)) ||
          (last.source == unit->size && isPiece(unit->size)));
}

/// The address of element `offset` of a buffer.
Value MoveVectorizer::getAddress(Value memref, int64_t offset) {
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(rewriter, loc, memref);
  if (offset == 0)
    return base;
  Value elements =
      ShapedType::isDynamic(offset)
          ? memref::ExtractStridedMetadataOp::create(rewriter, loc, memref)
                .getOffset()
          : index(offset);
  Value bytes = arith::MulIOp::create(
      rewriter, loc, elements, index(element.getIntOrFloatBitWidth() / 8));
  return arith::AddIOp::create(rewriter, loc, base, bytes);
}

/// The runtime's function; null if the program has another of its name.
func::FuncOp MoveVectorizer::declareCallee() {
  constexpr StringLiteral kName = "tensoraccess_move";
  auto module = op->getParentOfType<ModuleOp>();
  Type word = rewriter.getIndexType();
  FunctionType type = rewriter.getFunctionType({word, word, word}, {});
  if (Operation *symbol = module.lookupSymbol(kName)) {
    auto known = dyn_cast<func::FuncOp>(symbol);
    return known && known.isExternal() && known.getFunctionType() == type
               ? known
               : func::FuncOp();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(module.getBody());
  auto callee = func::FuncOp::create(rewriter, loc, kName, type);
  callee.setPrivate();
  return callee;
}

void MoveVectorizer::emitCall(func::FuncOp callee) {
  SmallVector<int64_t> move = {element.getIntOrFloatBitWidth() / 8,
                               static_cast<int64_t>(dims.size())};
  for (const MovedDim &dim : dims)
    llvm::append_values(move, dim.size, dim.result, dim.source);
  auto module = op->getParentOfType<ModuleOp>();
  auto type = MemRefType::get({static_cast<int64_t>(move.size())},
                              rewriter.getI64Type());
  auto value = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), type.getElementType()),
      ArrayRef(move));
  memref::GlobalOp constant;
  for (auto global : module.getOps<memref::GlobalOp>())
    if (global.getConstant() && global.getType() == type &&
        global.getInitialValue() == Attribute(value))
      constant = global;
  if (!constant) {
    SymbolTable symbols(module);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    constant = memref::GlobalOp::create(
        rewriter, loc, "tensoraccess_move_sizes",
        rewriter.getStringAttr("private"), type, value, /*constant=*/true,
        /*alignment=*/IntegerAttr());
    symbols.insert(constant);
  }
  Value sizes =
      memref::GetGlobalOp::create(rewriter, loc, type, constant.getSymName());
  SmallVector<Value> arguments = {
      getAddress(op.getDpsInitOperand(0)->get(), result.offset),
      getAddress(op.getDpsInputOperand(0)->get(), source.offset),
      memref::ExtractAlignedPointerAsIndexOp::create(rewriter, loc, sizes)};
  func::CallOp::create(rewriter, loc, callee, arguments);
}

LogicalResult MoveVectorizer::run(int64_t callBytes) {
  if (failed(check()))
    return failure();
  joinDims();
  if (func::FuncOp callee =
          mayCall(callBytes) ? declareCallee() : func::FuncOp()) {
    rewriter.setInsertionPoint(op);
    emitCall(callee);
    rewriter.eraseOp(op);
    return success();
  }
  auto find = [&](int64_t MovedDim::*stride) {
    const auto *it = llvm::find_if(
        dims, [&](const MovedDim &dim) { return dim.*stride == 1; });
    return static_cast<size_t>(it - dims.begin());
  };
  alongResult = find(&MovedDim::result);
  alongSource = find(&MovedDim::source);
  if (alongResult == dims.size() || alongSource == dims.size())
    return fail("no dimension runs along a buffer");
  bool isRun = alongResult == alongSource;
  int64_t run = dims[alongResult].size;
  if (isRun && run <= 2 * line) {
    orderShortRuns();
    alongResult = alongSource = find(&MovedDim::result);
  }
  // Short dimensions have smaller squares.
  while (!isRun && side > 4 && std::min(run, dims[alongSource].size) < side)
    side /= 2;
  if (!isRun && (side < 2 || run < side || dims[alongSource].size < side))
    return fail("its dimensions are shorter than a vector");

  rewriter.setInsertionPoint(op);
  streamed = canStream();
  steps.assign(dims.size(), 1);
  if (isRun) {
    steps[alongResult] = std::min(run, line);
  } else {
    steps[alongResult] = run >= line ? line : run / side * side;
    steps[alongSource] = side;
    // Along the source innermost: it is read in place.
    std::rotate(dims.begin() + alongSource, dims.begin() + alongSource + 1,
                dims.end());
    std::rotate(steps.begin() + alongSource, steps.begin() + alongSource + 1,
                steps.end());
    alongResult = find(&MovedDim::result);
    alongSource = find(&MovedDim::source);
  }
  ivs.resize(dims.size());
  auto get = [&](int64_t MovedDim::*stride) {
    return llvm::map_to_vector(
        dims, [&](const MovedDim &dim) { return dim.*stride; });
  };
  source = flatten(op.getDpsInputOperand(0)->get(), get(&MovedDim::source),
                   source.offset);
  result = flatten(op.getDpsInitOperand(0)->get(), get(&MovedDim::result),
                   result.offset);
  emitLoops(0);
  // Readers of the result may run on another core.
  if (streamed)
    LLVM::FenceOp::create(rewriter, loc, LLVM::AtomicOrdering::seq_cst);
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether a buffer begins at a multiple of `bytes`: what it is a view of is
/// such an allocation or global, in all calls of a private function.
static bool isKnownAligned(Value memref, uint64_t bytes,
                           SymbolTableCollection &tables) {
  SmallVector<Value> pending = {memref};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto function =
          dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
      if (!function || function.isPublic() ||
          !argument.getOwner()->isEntryBlock())
        return false;
      auto module = function->getParentOfType<ModuleOp>();
      std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(function, module);
      if (!uses)
        return false;
      for (SymbolTable::SymbolUse use : *uses) {
        auto call = dyn_cast<func::CallOp>(use.getUser());
        if (!call)
          return false;
        pending.push_back(call.getOperand(argument.getArgNumber()));
      }
      continue;
    }
    Operation *op = value.getDefiningOp();
    std::optional<uint64_t> alignment;
    if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
      alignment = alloc.getAlignment();
    } else if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
      auto global = tables.lookupNearestSymbolFrom<memref::GlobalOp>(
          get, get.getNameAttr());
      alignment = global ? global.getAlignment() : std::nullopt;
    } else if (auto view = dyn_cast<ViewLikeOpInterface>(op);
               view && !isa<memref::ViewOp>(op)) {
      // Offsets are counted from where the buffer begins.
      pending.push_back(view.getViewSource());
      continue;
    }
    if (!alignment || *alignment % bytes != 0)
      return false;
  }
  return true;
}

namespace {
struct VectorizeMovesPass
    : public tensoraccess::impl::VectorizeMovesBase<VectorizeMovesPass> {
  using VectorizeMovesBase::VectorizeMovesBase;

  void runOnOperation() override {
    FailureOr<Target> found =
        findTarget(getOperation(), target, /*otherwise=*/"host");
    if (failed(found))
      return signalPassFailure();
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    SymbolTableCollection tables;
    auto isAligned = [&](Value memref) {
      return isKnownAligned(memref, found->cacheLine, tables);
    };
    for (linalg::LinalgOp op : ops) {
      MoveVectorizer vectorizer(rewriter, op, *found, isAligned);
      if (failed(vectorizer.run(callBytes)))
        continue;
      ++vectorized;
      streamed += vectorizer.isStreamed();
    }
  }
};
} // namespace
