//===- LinalgToAccess.cpp - Sums of products become access patterns
//--------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reading of indexing maps raises convolutions and contractions of every
// layout (seed 002, section 5.1). For an op
//   out[o(p)] += lhs[l(p, r)] * rhs[w(p, r)],   p parallel, r reduction loops
// 1. every dimension of an operand is read as a loop, or as p·s + r·d, a window
//    loop r that slides with place p; all windows must lie in one operand,
//    which is made the left one;
// 2. lhs: access at its plain parallel loops, compute dimensions in the order
// of
//    their reduction loops; `windows` takes each reduction loop's range as its
//    shape, s as stride and d as dilation. A reduction loop without place has a
//    window as long as the dimension, hence one place, squeezed in the end;
// 3. rhs: access at its parallel loops, the same compute dimensions;
// 4. cart_prod, dot_prod, squeeze, transpose to the order of the output map.
// Items run over the reduction loops in loop order, so the sums are the op's.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Conversion/Passes.h"
#include "TensorAccess/Core/Shape.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_RAISETOACCESS
#include "TensorAccess/Conversion/Passes.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// How one dimension of an operand is indexed: place·stride + window·dilation,
/// where either loop may be absent (-1).
struct DimUse {
  int64_t place = -1, window = -1;
  int64_t stride = 1, dilation = 1;
  bool slides() const { return place >= 0 && window >= 0; }
};

/// An operand as the op reads it.
struct OperandUse {
  Value value;
  SmallVector<DimUse> dims;
};

/// The op, read.
struct Reading {
  OperandUse lhs, rhs;
  SmallVector<int64_t> outLoops;
  SmallVector<int64_t> ranges;
  /// Reduction loops in loop order: the item of the dot product.
  SmallVector<int64_t> reductions;
};

/// An access pattern under construction, with the loop that each access
/// dimension stands for (-1 for a dimension of size 1 without one).
struct AccessDraft {
  Value value;
  SmallVector<int64_t> loops;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading the op
//===----------------------------------------------------------------------===//

static bool isParallel(utils::IteratorType type) {
  return type == utils::IteratorType::parallel;
}

static bool isReduction(utils::IteratorType type) {
  return type == utils::IteratorType::reduction;
}

/// True where the body is `yield out + lhs * rhs` in one type throughout.
static bool isSumOfProducts(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  auto yield = dyn_cast<linalg::YieldOp>(body->getTerminator());
  if (!yield || yield.getNumOperands() != 1)
    return false;
  Operation *add = yield.getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return false;
  Value out = body->getArgument(2);
  Value other = add->getOperand(0) == out   ? add->getOperand(1)
                : add->getOperand(1) == out ? add->getOperand(0)
                                            : Value();
  Operation *mul = other ? other.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(mul))
    return false;
  Value lhs = body->getArgument(0), rhs = body->getArgument(1);
  return (mul->getOperand(0) == lhs && mul->getOperand(1) == rhs) ||
         (mul->getOperand(0) == rhs && mul->getOperand(1) == lhs);
}

/// Reads one result of an operand's indexing map.
static std::optional<DimUse> readDim(AffineExpr expr, unsigned numLoops,
                                     ArrayRef<utils::IteratorType> iterators) {
  SmallVector<int64_t> row;
  if (failed(getFlattenedAffineExpr(expr, numLoops, /*numSymbols=*/0, &row)))
    return std::nullopt;
  // One coefficient a loop, then local variables (none in p·s + r·d) and the
  // constant.
  if (row.size() != numLoops + 1 || row.back() != 0)
    return std::nullopt;
  DimUse use;
  for (unsigned loop = 0; loop < numLoops; ++loop) {
    if (row[loop] == 0)
      continue;
    bool parallel = isParallel(iterators[loop]);
    int64_t &slot = parallel ? use.place : use.window;
    if (slot >= 0 || row[loop] < 1)
      return std::nullopt;
    slot = loop;
    (parallel ? use.stride : use.dilation) = row[loop];
  }
  bool alone = (use.place < 0) != (use.window < 0);
  if ((use.place < 0 && use.window < 0) ||
      (alone && (use.stride != 1 || use.dilation != 1)))
    return std::nullopt;
  return use;
}

/// Reads the op; on failure the string says why it is no sum of products that
/// access patterns express.
static std::optional<Reading> readOp(linalg::LinalgOp op, std::string &why) {
  auto refuse = [&](const Twine &message) {
    why = message.str();
    return std::nullopt;
  };
  if (!op.hasPureTensorSemantics())
    return refuse("it works on buffers");
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return refuse("it does not have two inputs and one result");
  Type elements[3];
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      return refuse("an input is not a tensor");
    if (!type.hasStaticShape())
      return refuse("operand " + Twine(operand.getOperandNumber()) +
                    " has a dynamic shape");
    if (type.getEncoding())
      return refuse("operand " + Twine(operand.getOperandNumber()) +
                    " has an encoding");
    elements[operand.getOperandNumber()] = type.getElementType();
  }
  if (elements[0] != elements[1] || elements[0] != elements[2])
    return refuse("its arithmetic widens or mixes element types");
  if (!elements[0].isIntOrIndexOrFloat())
    return refuse("its elements are not integers or floats");
  if (!isSumOfProducts(op))
    return refuse("its body is not a sum of products");

  Reading reading;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  reading.ranges = op.getStaticLoopRanges();
  unsigned numLoops = op.getNumLoops();
  for (unsigned loop = 0; loop < numLoops; ++loop)
    if (isReduction(iterators[loop]))
      reading.reductions.push_back(loop);
    else if (!isParallel(iterators[loop]))
      return refuse("loop " + Twine(loop) +
                    " is neither parallel nor a reduction");

  OperandUse *uses[2] = {&reading.lhs, &reading.rhs};
  for (int input = 0; input < 2; ++input) {
    OpOperand *operand = op.getDpsInputOperand(input);
    uses[input]->value = operand->get();
    SmallVector<bool> seen(numLoops, false);
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      std::optional<DimUse> use = readDim(expr, numLoops, iterators);
      if (!use)
        return refuse("dimension " + Twine(dim) + " of operand " +
                      Twine(input) + " is not indexed by a loop or a window");
      for (int64_t loop : {use->place, use->window}) {
        if (loop >= 0 && seen[loop])
          return refuse("operand " + Twine(input) + " uses loop " +
                        Twine(loop) + " twice");
        if (loop >= 0)
          seen[loop] = true;
      }
      uses[input]->dims.push_back(*use);
    }
    for (int64_t loop : reading.reductions)
      if (!seen[loop])
        return refuse("reduction loop " + Twine(loop) +
                      " does not index operand " + Twine(input));
  }
  auto slides = [](const OperandUse &use) {
    return llvm::any_of(use.dims, [](const DimUse &d) { return d.slides(); });
  };
  if (slides(reading.rhs)) {
    if (slides(reading.lhs))
      return refuse("windows slide over both operands");
    std::swap(reading.lhs, reading.rhs);
  }
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!outMap.isProjectedPermutation())
    return refuse("its result is not indexed by a permutation of loops");
  for (AffineExpr expr : outMap.getResults())
    reading.outLoops.push_back(cast<AffineDimExpr>(expr).getPosition());
  return reading;
}

/// Checks what `windows` and `cart_prod` can express.
static LogicalResult checkReading(const Reading &reading, std::string &why) {
  auto refuse = [&](const Twine &message) {
    why = message.str();
    return failure();
  };
  SmallVector<int64_t> placed(reading.ranges.size(), 0);
  for (const DimUse &use : reading.lhs.dims)
    if (use.place >= 0)
      ++placed[use.place];
  for (const DimUse &use : reading.rhs.dims)
    if (use.place >= 0 && placed[use.place]++ && reading.ranges[use.place] != 1)
      return refuse("loop " + Twine(use.place) + " of " +
                    Twine(reading.ranges[use.place]) +
                    " indexes both operands, which a Cartesian product cannot");
  for (int64_t loop : reading.outLoops)
    if (!placed[loop])
      return refuse("loop " + Twine(loop) + " indexes only the result");
  if (llvm::count_if(placed, [](int64_t n) { return n > 0; }) !=
      static_cast<int64_t>(reading.outLoops.size()))
    return refuse("a parallel loop does not index the result");
  auto type = cast<RankedTensorType>(reading.lhs.value.getType());
  for (auto [dim, use] : llvm::enumerate(reading.lhs.dims)) {
    if (!use.slides())
      continue;
    std::optional<int64_t> places =
        windowCount(type.getDimSize(dim), reading.ranges[use.window],
                    use.stride, use.dilation);
    if (!places || *places != reading.ranges[use.place])
      return refuse("dimension " + Twine(dim) + " has " +
                    Twine(places.value_or(0)) + " places for its window, " +
                    "the result " + Twine(reading.ranges[use.place]));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Writing access patterns
//===----------------------------------------------------------------------===//

/// The operand as an access pattern in its own dimension order; a producing pad
/// by a constant becomes `tensoraccess.pad`.
static Value accessOperand(OpBuilder &b, Location loc, Value tensor,
                           int64_t axis) {
  auto at = [&](Value value) -> Value {
    return AccessOp::create(b, loc, value, axis);
  };
  auto pad = tensor.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getLow().empty() || !pad.getHigh().empty() ||
      !pad.getSourceType().hasStaticShape() ||
      pad.getSourceType().getEncoding())
    return at(tensor);
  auto negative = [](int64_t size) { return size < 0; };
  if (llvm::any_of(pad.getStaticLow(), negative) ||
      llvm::any_of(pad.getStaticHigh(), negative))
    return at(tensor);
  Attribute constant;
  Value padding = pad.getConstantPaddingValue();
  if (!padding || !matchPattern(padding, m_Constant(&constant)))
    return at(tensor);
  return PadOp::create(b, loc, at(pad.getSource()), pad.getStaticLow(),
                       pad.getStaticHigh(), cast<TypedAttr>(constant));
}

/// Access dimensions first, each in loop order, then the reductions in theirs.
static SmallVector<int64_t> sortDims(const OperandUse &use) {
  SmallVector<int64_t> perm = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(use.dims.size())));
  llvm::sort(perm, [&](int64_t a, int64_t b) {
    const DimUse &x = use.dims[a], &y = use.dims[b];
    bool accessX = x.window < 0, accessY = y.window < 0;
    if (accessX != accessY)
      return accessX;
    return accessX ? x.place < y.place : x.window < y.window;
  });
  return perm;
}

static Value transposed(OpBuilder &b, Location loc, Value pattern,
                        ArrayRef<int64_t> perm) {
  if (llvm::equal(perm, llvm::seq<int64_t>(0, perm.size())))
    return pattern;
  return TransposeOp::create(b, loc, pattern, perm);
}

/// Steps 2 and 3 of the file's algorithm.
static AccessDraft writeOperand(OpBuilder &b, Location loc,
                                const OperandUse &use,
                                ArrayRef<int64_t> ranges) {
  AccessDraft pattern;
  SmallVector<int64_t> perm = sortDims(use), shape, strides, dilations, places;
  bool slides = false;
  for (int64_t dim : perm) {
    const DimUse &d = use.dims[dim];
    if (d.window < 0) {
      pattern.loops.push_back(d.place);
      continue;
    }
    shape.push_back(ranges[d.window]);
    strides.push_back(d.stride);
    dilations.push_back(d.dilation);
    places.push_back(d.place);
    slides |= d.place >= 0;
  }
  pattern.value = transposed(
      b, loc, accessOperand(b, loc, use.value, pattern.loops.size()), perm);
  if (!slides)
    return pattern;
  DenseI64ArrayAttr dilationAttr;
  if (llvm::any_of(dilations, [](int64_t d) { return d != 1; }))
    dilationAttr = b.getDenseI64ArrayAttr(dilations);
  pattern.value =
      WindowsOp::create(b, loc, pattern.value, b.getDenseI64ArrayAttr(shape),
                        b.getDenseI64ArrayAttr(strides), dilationAttr);
  llvm::append_range(pattern.loops, places);
  return pattern;
}

/// Removes the access dimensions for which `drop` holds, last first.
static void squeeze(OpBuilder &b, Location loc, AccessDraft &pattern,
                    function_ref<bool(int64_t)> drop) {
  for (int64_t axis = pattern.loops.size() - 1; axis >= 0; --axis) {
    if (!drop(pattern.loops[axis]))
      continue;
    pattern.value = SqueezeOp::create(b, loc, pattern.value, axis);
    pattern.loops.erase(pattern.loops.begin() + axis);
  }
}

/// True where every element of the tensor is known to be +0.
static bool isZero(Value tensor) {
  Attribute constant;
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>()) {
    if (!matchPattern(fill.value(), m_Constant(&constant)))
      return false;
  } else if (!matchPattern(tensor, m_Constant(&constant))) {
    return false;
  }
  if (auto splat = dyn_cast<SplatElementsAttr>(constant))
    constant = splat.getSplatValue<Attribute>();
  if (auto value = dyn_cast<FloatAttr>(constant))
    return value.getValue().isPosZero();
  if (auto value = dyn_cast<IntegerAttr>(constant))
    return value.getValue().isZero();
  return false;
}

/// Erases the producers among `ops` that nothing reads any more, and theirs.
static void eraseDead(RewriterBase &rewriter,
                      llvm::SmallSetVector<Operation *, 4> worklist) {
  // An erased op has no users, so nothing can enter it a second time.
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        worklist.insert(producer);
    rewriter.eraseOp(op);
  }
}

//===----------------------------------------------------------------------===//
// The public functions and the pass
//===----------------------------------------------------------------------===//

FailureOr<RaisedKind> mlir::tensoraccess::raiseToAccess(RewriterBase &rewriter,
                                                        linalg::LinalgOp op,
                                                        std::string *reason) {
  std::string why;
  std::optional<Reading> reading = readOp(op, why);
  if (!reading || failed(checkReading(*reading, why))) {
    if (reason)
      *reason = why;
    return rewriter.notifyMatchFailure(op, why);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  AccessDraft lhs = writeOperand(rewriter, loc, reading->lhs, reading->ranges);
  AccessDraft rhs = writeOperand(rewriter, loc, reading->rhs, reading->ranges);
  // A loop of range 1 may index both operands; the left one keeps it.
  squeeze(rewriter, loc, rhs,
          [&](int64_t loop) { return llvm::is_contained(lhs.loops, loop); });
  AccessDraft result;
  result.value = CartProdOp::create(rewriter, loc, lhs.value, rhs.value);
  result.value =
      ComputeOp::create(rewriter, loc, ComputeKind::DotProd, result.value);
  result.loops = lhs.loops;
  llvm::append_range(result.loops, rhs.loops);
  squeeze(rewriter, loc, result, [](int64_t loop) { return loop < 0; });
  SmallVector<int64_t> perm;
  for (int64_t loop : reading->outLoops)
    perm.push_back(llvm::find(result.loops, loop) - result.loops.begin());
  result.value = transposed(rewriter, loc, result.value, perm);
  Value tensor = ToTensorOp::create(rewriter, loc, result.value);

  Value init = op.getDpsInits()[0];
  if (!isZero(init)) {
    auto type = cast<RankedTensorType>(init.getType());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    tensor = linalg::AddOp::create(rewriter, loc, ValueRange{tensor, init},
                                   ValueRange{empty})
                 .getResult(0);
  }
  RaisedKind kind = llvm::any_of(reading->lhs.dims,
                                 [](const DimUse &d) { return d.slides(); })
                        ? RaisedKind::Convolution
                        : RaisedKind::Contraction;
  llvm::SmallSetVector<Operation *, 4> producers;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp())
      producers.insert(producer);
  rewriter.replaceOp(op, tensor);
  eraseDead(rewriter, std::move(producers));
  return kind;
}

/// True for the ops whose staying behind is worth a remark.
static bool isCandidate(linalg::LinalgOp op) {
  if (isa<linalg::ContractionOpInterface, linalg::ConvolutionOpInterface>(
          op.getOperation()))
    return true;
  return isa<linalg::GenericOp>(op.getOperation()) &&
         op.getNumReductionLoops() > 0 && op.getNumDpsInputs() == 2;
}

RaiseSummary mlir::tensoraccess::raiseAllToAccess(Operation *root) {
  SmallVector<linalg::LinalgOp> candidates;
  root->walk([&](linalg::LinalgOp op) {
    if (isCandidate(op))
      candidates.push_back(op);
  });
  RaiseSummary summary;
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : candidates) {
    std::string reason;
    Location loc = op.getLoc();
    StringRef name = op->getName().getStringRef();
    auto function = op->getParentOfType<FunctionOpInterface>();
    FailureOr<RaisedKind> kind = raiseToAccess(rewriter, op, &reason);
    if (succeeded(kind)) {
      ++(*kind == RaisedKind::Convolution ? summary.convolutions
                                          : summary.contractions);
      continue;
    }
    ++summary.missed;
    remark::missed(loc, remark::RemarkOpts::name("raise")
                            .category("tensoraccess")
                            .function(function ? function.getName() : ""))
        << remark::add("{0} is not raised", name.str())
        << remark::reason("{0}", reason);
  }
  return summary;
}

namespace {
struct RaiseToAccessPass
    : public tensoraccess::impl::RaiseToAccessBase<RaiseToAccessPass> {
  void runOnOperation() override {
    RaiseSummary summary = raiseAllToAccess(getOperation());
    convolutions += summary.convolutions;
    contractions += summary.contractions;
    missed += summary.missed;
    remark::analysis(getOperation()->getLoc(),
                     remark::RemarkOpts::name("raise").category("tensoraccess"))
        << remark::metric("Convolutions", summary.convolutions)
        << remark::metric("Contractions", summary.contractions)
        << remark::metric("Missed", summary.missed);
  }
};
} // namespace
