//===- Tosa.cpp - What tosa's ops read ------------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the pseudocode of the TOSA specification 1.0: elementwise ops with
// broadcasting, contractions, reductions, tables and transforms. Ops with windows
// are in TosaWindow.cpp, those that only move elements in TosaMove.cpp.
//
// Zero points, shifts and multipliers are tensors of one element (or one per
// channel) that are read like any other operand. Operands of type !tosa.shape
// say where, and are not read.
//
//===----------------------------------------------------------------------===//

#include "Tosa.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// TosaOp
//===----------------------------------------------------------------------===//

/// A shape is a vector of its sizes.
static std::optional<SmallVector<int64_t>> getShapeSizes(Type type) {
  if (auto shape = dyn_cast<tosa::shapeType>(type))
    return SmallVector<int64_t>{shape.getRank()};
  return std::nullopt;
}

TosaOp::TosaOp(const OpSignature &signature)
    : SizedOp(signature, getShapeSizes) {}

std::optional<SmallVector<int64_t>> TosaOp::getArray(StringRef name) const {
  if (auto array = signature.get<DenseI64ArrayAttr>(name))
    return SmallVector<int64_t>(array.asArrayRef());
  if (auto array = signature.get<DenseI32ArrayAttr>(name))
    return SmallVector<int64_t>(array.asArrayRef());
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> TosaOp::getShape(unsigned operand) const {
  if (!signature.operation)
    return std::nullopt;
  auto constant = signature.operation->getOperand(operand)
                      .getDefiningOp<tosa::ConstShapeOp>();
  if (!constant)
    return std::nullopt;
  SmallVector<int64_t> numbers;
  for (const APInt &number : constant.getValues().getValues<APInt>())
    numbers.push_back(number.getSExtValue());
  return numbers;
}

std::optional<int64_t> TosaOp::getAxis() const {
  auto axis = signature.get<IntegerAttr>("axis");
  if (!axis || axis.getInt() < 0 ||
      axis.getInt() >= static_cast<int64_t>(in.empty() ? 0 : in[0].size()))
    return std::nullopt;
  return axis.getInt();
}

void TosaOp::addBroadcast(unsigned first, unsigned last) {
  const SizeList &shape = out[0];
  for (unsigned o = first; o < last; ++o) {
    if (in[o].size() > shape.size()) {
      indexing.setUnknown(0, o, IndexingReason::UnsupportedForm);
      continue;
    }
    Loops loops(sizes, shape);
    SmallVector<Form> index;
    size_t missing = shape.size() - in[o].size();
    for (auto [i, size] : llvm::enumerate(in[o])) {
      Form whole = sizes.resolve(shape[missing + i]);
      Form mine = sizes.resolve(size);
      const Form &x = loops[missing + i];
      if (mine == Form(1))
        index.push_back(Form(0));
      else if (mine == whole)
        index.push_back(x);
      else // a dynamic size that may be 1, or else is the result's
        index.push_back(loops.arena().min(x, getLast(loops, mine)));
    }
    connect(loops, loops.get(), o, index);
  }
}

void TosaOp::addVector(unsigned operand, unsigned dim) {
  const Form &size = in[operand][0];
  if (sizes.getStatic(size) == 1)
    return addSingle(operand, operand + 1);
  Loops loops(sizes, out[0]);
  Form index = loops[dim];
  if (sizes.resolve(size) != sizes.resolve(out[0][dim]))
    index = loops.arena().min(index, getLast(loops, size));
  connect(loops, loops.get(), operand, {index});
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// What broadcasting says about sizes: a dimension has the size of the only
/// operand that is no unit there, and of all whose size is a number but 1. (Two
/// dynamic sizes need not be equal: one of them may be 1.)
static void equateBroadcast(TosaOp &op, unsigned last) {
  for (unsigned d = 0; d < op.out[0].size(); ++d) {
    SmallVector<Form> candidates;
    for (const SizeList &in : ArrayRef(op.in).take_front(last)) {
      size_t missing = op.out[0].size() - std::min(op.out[0].size(), in.size());
      if (d >= missing && op.sizes.getStatic(in[d - missing]) != 1)
        candidates.push_back(in[d - missing]);
    }
    for (const Form &size : candidates)
      if (candidates.size() == 1 || op.sizes.getStatic(size))
        op.sizes.equate(size, op.out[0][d]);
    if (candidates.empty() && last > 0)
      op.sizes.equate(op.out[0][d], Form(1));
  }
}

/// All operands but `numSingle` at the end broadcast to the result; those are
/// read as a whole.
template <unsigned numSingle>
static OpIndexing inferBroadcasting(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() < numSingle)
    return op.unknown();
  unsigned last = op.in.size() - numSingle;
  equateBroadcast(op, last);
  op.addBroadcast(0, last);
  op.addSingle(last, op.in.size());
  return op.finish();
}

/// Operands: input, multiplier, shift, input zero point, output zero point.
static OpIndexing inferRescale(const OpSignature &signature) {
  TosaOp op(signature);
  auto perChannel = signature.get<BoolAttr>("per_channel");
  if (!op.isValid || op.in.size() != 5 || !perChannel ||
      !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  bool isPerChannel = perChannel.getValue() && !op.out[0].empty();
  if (isPerChannel)
    for (unsigned o : {1, 2})
      op.sizes.equate(op.in[o][0], op.out[0].back());
  op.addBroadcast(0, 1);
  for (unsigned o : {1, 2})
    if (isPerChannel)
      op.addVector(o, op.out[0].size() - 1);
    else
      op.addSingle(o, o + 1);
  op.addSingle(3, 5);
  return op.finish();
}

/// The element says which entry is read; for 16 bits that and the next one, to
/// interpolate between.
static OpIndexing inferTable(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 2 ||
      !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  op.addBroadcast(0, 1);
  bool interpolates =
      getElementTypeOrSelf(signature.operandTypes[0]).isInteger(16);
  SizeList extents = op.out[0];
  extents.push_back(Form(interpolates ? 2 : 1));
  Loops loops(op.sizes, extents);
  Form size = op.in[1][0];
  if (interpolates)
    size.constant -= 1;
  Form entry = loops.addRuntimeIndex(size);
  op.connect(loops, loops.get().drop_back(), 1,
             {loops.arena().add(entry, loops.get().back())});
  return op.finish();
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

/// (n, h, w) reads a at (n, h, c) and b at (n, c, w).
static OpIndexing inferMatmul(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 4 || op.out[0].size() != 3 ||
      op.in[0].size() != 3 || op.in[1].size() != 3)
    return op.unknown();
  const SizeList &a = op.in[0], &b = op.in[1];
  op.sizes.equate(a[0], b[0]);
  op.sizes.equate(a[0], op.out[0][0]);
  op.sizes.equate(a[1], op.out[0][1]);
  op.sizes.equate(a[2], b[1]);
  op.sizes.equate(b[2], op.out[0][2]);
  SizeList extents = op.out[0];
  extents.push_back(a[2]);
  {
    Loops loops(op.sizes, {a[0], a[1], b[2], a[2]});
    op.connect(loops, loops.get().take_front(3), 0,
               {loops[0], loops[1], loops[3]});
  }
  Loops loops(op.sizes, {a[0], a[1], b[2], a[2]});
  op.connect(loops, loops.get().take_front(3), 1,
             {loops[0], loops[3], loops[2]});
  op.addSingle(2, 4);
  return op.finish();
}

static std::optional<int64_t> getBlockSize(const OpSignature &signature) {
  auto size = signature.get<tosa::BlockSizeAttr>("block_size");
  if (!size)
    return std::nullopt;
  return static_cast<int64_t>(size.getValue());
}

/// (n, h, w) reads a at (n, h, c) and b at (n or 0, w, c), and their scales at
/// c floordiv block.
static OpIndexing inferMatmulScaled(const OpSignature &signature) {
  TosaOp op(signature);
  auto block = getBlockSize(signature);
  if (!op.isValid || op.in.size() != 4 || op.out[0].size() != 3 || !block)
    return op.unknown();
  const SizeList &a = op.in[0], &b = op.in[2];
  op.sizes.equate(a[0], op.out[0][0]);
  op.sizes.equate(a[1], op.out[0][1]);
  op.sizes.equate(a[2], b[2]);
  op.sizes.equate(b[1], op.out[0][2]);
  for (unsigned o : {1, 3})
    for (unsigned d : {0, 1})
      op.sizes.equate(op.in[o][d], op.in[o - 1][d]);
  // The contracted size is a multiple of the block.
  Form blocks = op.sizes.getArena().scale(op.in[1][2], *block);
  op.sizes.equate(a[2], blocks);
  op.sizes.equate(op.in[3][2], op.in[1][2]);
  for (unsigned o = 0; o < 4; ++o) {
    Loops loops(op.sizes, {op.out[0][0], op.out[0][1], op.out[0][2], a[2]});
    bool isB = o >= 2;
    Form batch = loops[0];
    if (isB && op.sizes.getStatic(b[0]) == 1) {
      batch = Form(0);
    } else if (isB &&
               op.sizes.resolve(b[0]) != op.sizes.resolve(op.out[0][0])) {
      batch = loops.arena().min(batch, getLast(loops, b[0]));
    }
    Form c = loops[3];
    if (o % 2 == 1)
      c = loops.arena().floorDiv(c, *block);
    op.connect(loops, loops.get().take_front(3), o,
               {batch, isB ? loops[2] : loops[1], c});
  }
  return op.finish();
}

/// Element c of the last dimension has scale c floordiv block.
static OpIndexing inferCastFromScaled(const OpSignature &signature) {
  TosaOp op(signature);
  auto block = getBlockSize(signature);
  if (!op.isValid || op.in.size() != 2 || !block || op.out[0].empty() ||
      op.in[1].size() != op.out[0].size() ||
      !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  for (unsigned d = 0; d + 1 < op.out[0].size(); ++d)
    op.sizes.equate(op.in[1][d], op.out[0][d]);
  op.sizes.equate(op.out[0].back(),
                  op.sizes.getArena().scale(op.in[1].back(), *block));
  op.addBroadcast(0, 1);
  Loops loops(op.sizes, op.out[0]);
  SmallVector<Form> index(loops.get());
  index.back() = loops.arena().floorDiv(index.back(), *block);
  op.connect(loops, loops.get(), 1, index);
  return op.finish();
}

/// Both results, data and scale, read the whole block of an element.
static OpIndexing inferCastToScaled(const OpSignature &signature) {
  TosaOp op(signature);
  auto block = getBlockSize(signature);
  if (!op.isValid || op.in.size() != 1 || !block || op.out[0].empty() ||
      op.out.size() != 2 || !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  const SizeList &scale = op.out[1];
  if (scale.size() != op.out[0].size())
    return op.unknown();
  for (unsigned d = 0; d + 1 < op.out[0].size(); ++d)
    op.sizes.equate(scale[d], op.out[0][d]);
  op.sizes.equate(op.out[0].back(),
                  op.sizes.getArena().scale(scale.back(), *block));
  for (unsigned r : {0, 1}) {
    SizeList extents = op.out[r];
    extents.push_back(Form(*block));
    Loops loops(op.sizes, extents);
    SmallVector<Form> index(loops.get().drop_back()), in = index;
    FormArena &arena = loops.arena();
    Form number = r == 0 ? arena.floorDiv(in.back(), *block) : in.back();
    in.back() = arena.addScaled(loops.get().back(), number, *block);
    op.connect(loops, index, 0, in, r);
  }
  return op.finish();
}

/// The line along `axis`; the result has a unit there (reduce_*), or no
/// dimension (argmax).
template <bool keepsAxis>
static OpIndexing inferReduction(const OpSignature &signature) {
  TosaOp op(signature);
  std::optional<int64_t> axis = op.getAxis();
  if (!op.isValid || op.in.size() != 1 || !axis)
    return op.unknown();
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < int64_t(op.in[0].size()); ++d)
    if (d != *axis || keepsAxis)
      dims.push_back(d == *axis ? -1 : d);
  if (!op.addProjection(dims))
    return op.unknown();
  return op.finish();
}

/// Every element of the spectrum reads the whole image (of both parts).
static OpIndexing inferFourier(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.out[0].size() != 3 || op.out.size() != 2 ||
      !equateAll(op.sizes, op.out[1], op.out[0]))
    return op.unknown();
  for (const SizeList &in : op.in) {
    // The last dimension of rfft2d's result is shorter.
    op.sizes.equate(in[0], op.out[0][0]);
    op.sizes.equate(in[1], op.out[0][1]);
    if (op.in.size() == 2)
      op.sizes.equate(in[2], op.out[0][2]);
  }
  for (unsigned r : {0, 1}) {
    for (unsigned o = 0; o < op.in.size(); ++o) {
      Loops loops(op.sizes, {op.out[0][0], op.out[0][1], op.out[0][2],
                             op.in[o][1], op.in[o][2]});
      op.connect(loops, loops.get().take_front(3), o,
                 {loops[0], loops[3], loops[4]}, r);
    }
  }
  return op.finish();
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static OpIndexing inferNothing(const OpSignature &signature) {
  return signature.nothingRead();
}

static OpIndexing inferControlFlow(const OpSignature &signature) {
  return signature.unknown(IndexingReason::ControlFlow);
}

/// A value that lives outside of the program.
static OpIndexing inferSideEffects(const OpSignature &signature) {
  return signature.unknown(IndexingReason::SideEffects);
}

namespace {
template <typename... Ops>
struct Attach {
  template <OpIndexing (*infer)(const OpSignature &)>
  static void model(MLIRContext *context) {
    (attachModel<Ops, infer>(context), ...);
  }
};
} // namespace

void tensoraccess::registerTosaModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tosa::TosaDialect *) {
    using namespace tosa;
    Attach<AbsOp, AddOp, ArithmeticRightShiftOp, BitwiseAndOp, BitwiseNotOp,
           BitwiseOrOp, BitwiseXorOp, CastOp, CeilOp, ClampOp, ClzOp, CosOp,
           EqualOp, ErfOp, ExpOp, FloorOp, GreaterEqualOp, GreaterOp,
           IdentityOp, IntDivOp, LogOp, LogicalAndOp, LogicalLeftShiftOp,
           LogicalNotOp, LogicalOrOp, LogicalRightShiftOp, LogicalXorOp,
           MaximumOp, MinimumOp, PowOp, ReciprocalOp, RsqrtOp, SelectOp,
           SigmoidOp, SinOp, SubOp,
           TanhOp>::model<inferBroadcasting<0>>(context);
    // Vectors of sizes.
    Attach<AddShapeOp, DivCeilShapeOp, DivFloorShapeOp, Exp2ShapeOp,
           Log2CeilShapeOp, Log2FloorShapeOp, MaxShapeOp, MinShapeOp,
           ModShapeOp, MulShapeOp,
           SubShapeOp>::model<inferBroadcasting<0>>(context);
    attachModel<MulOp, inferBroadcasting<1>>(context);
    attachModel<NegateOp, inferBroadcasting<2>>(context);
    attachModel<RescaleOp, inferRescale>(context);
    attachModel<TableOp, inferTable>(context);
    attachModel<MatMulOp, inferMatmul>(context);
    attachModel<MatmulTBlockScaledOp, inferMatmulScaled>(context);
    attachModel<CastFromBlockScaledOp, inferCastFromScaled>(context);
    attachModel<CastToBlockScaledOp, inferCastToScaled>(context);
    attachModel<ArgMaxOp, inferReduction</*keepsAxis=*/false>>(context);
    Attach<ReduceAllOp, ReduceAnyOp, ReduceMaxOp, ReduceMinOp, ReduceProductOp,
           ReduceSumOp>::model<inferReduction</*keepsAxis=*/true>>(context);
    Attach<FFT2dOp, RFFT2dOp>::model<inferFourier>(context);
    Attach<ConstOp, ConstShapeOp, DimOp>::model<inferNothing>(context);
    Attach<IfOp, WhileOp>::model<inferControlFlow>(context);
    Attach<VariableReadOp, VariableWriteOp>::model<inferSideEffects>(context);
    registerTosaWindowModels(context);
    registerTosaMoveModels(context);
  });
}
