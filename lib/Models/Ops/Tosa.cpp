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
// give places, and are not read.
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

void TosaOp::readBroadcast(Nest &nest, ArrayRef<Form> index, unsigned first,
                           unsigned last) const {
  const SizeList &shape = out[0];
  for (unsigned o = first; o < last; ++o) {
    if (in[o].size() > shape.size()) {
      nest.readUnknown(o, IndexingReason::UnsupportedForm);
      continue;
    }
    SmallVector<Form> own;
    size_t missing = shape.size() - in[o].size();
    for (auto [i, size] : llvm::enumerate(in[o])) {
      Form whole = sizes.resolve(shape[missing + i]);
      Form mine = sizes.resolve(size);
      const Form &x = index[missing + i];
      if (mine == Form(1))
        own.push_back(Form(0));
      else if (mine == whole)
        own.push_back(x);
      else // a dynamic size that may be 1, or else is the result's
        own.push_back(nest.arena().min(x, nest.last(mine)));
    }
    nest.read(o, own);
  }
}

void TosaOp::readVector(Nest &nest, ArrayRef<Form> index, unsigned operand,
                        unsigned dim) const {
  const Form &size = in[operand][0];
  if (sizes.getStatic(size) == 1)
    return nest.readSingle(operand, operand + 1);
  Form at = index[dim];
  if (sizes.resolve(size) != sizes.resolve(out[0][dim]))
    at = nest.arena().min(at, nest.last(size));
  nest.read(operand, at);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// What broadcasting implies about sizes: a dimension has the size of the only
/// operand that is not a unit there, and of all whose size is a number but 1.
/// (Two dynamic sizes need not be equal: one of them may be 1.)
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
static Nest inferBroadcasting(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() < numSingle)
    return op.unknown();
  unsigned last = op.in.size() - numSingle;
  equateBroadcast(op, last);
  Nest nest = op.makeResultNest(NestBody::Map);
  op.readBroadcast(nest, nest.getAxes(), 0, last);
  nest.readSingle(last, op.in.size());
  return nest;
}

/// Operands: input, multiplier, shift, input zero point, output zero point.
static Nest inferRescale(const OpSignature &signature) {
  TosaOp op(signature);
  auto perChannel = signature.get<BoolAttr>("per_channel");
  if (!op.isValid || op.in.size() != 5 || !perChannel ||
      !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  bool isPerChannel = perChannel.getValue() && !op.out[0].empty();
  if (isPerChannel)
    for (unsigned o : {1, 2})
      op.sizes.equate(op.in[o][0], op.out[0].back());
  Nest nest = op.makeResultNest(NestBody::Map);
  op.readBroadcast(nest, nest.getAxes(), 0, 1);
  for (unsigned o : {1, 2})
    if (isPerChannel)
      op.readVector(nest, nest.getAxes(), o, op.out[0].size() - 1);
    else
      nest.readSingle(o, o + 1);
  nest.readSingle(3, 5);
  return nest;
}

/// The element selects the entry that is read; for 16 bits that and the next one, to
/// interpolate between.
static Nest inferTable(const OpSignature &signature) {
  TosaOp op(signature);
  if (!op.isValid || op.in.size() != 2 ||
      !equateAll(op.sizes, op.in[0], op.out[0]))
    return op.unknown();
  bool interpolates =
      getElementTypeOrSelf(signature.operandTypes[0]).isInteger(16);
  SizeList extents = op.out[0];
  extents.push_back(Form(interpolates ? 2 : 1));
  Nest nest = op.makeNest(extents);
  ArrayRef<Form> index = nest.getAxes().drop_back();
  Form size = op.in[1][0];
  if (interpolates)
    size.constant -= 1;
  Form entry = nest.addIndex(size);
  nest.write(0, index);
  op.readBroadcast(nest, index, 0, 1);
  nest.read(1, nest.arena().add(entry, nest.getAxes().back()));
  return nest;
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

/// (n, h, w) reads a at (n, h, c) and b at (n, c, w).
static Nest inferMatmul(const OpSignature &signature) {
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
  Nest nest = op.makeNest({a[0], a[1], b[2], a[2]});
  nest.body = NestBody::Contract;
  nest.write(0, nest.getAxes().take_front(3));
  nest.read(0, {nest[0], nest[1], nest[3]});
  nest.read(1, {nest[0], nest[3], nest[2]});
  nest.readSingle(2, 4);
  return nest;
}

static std::optional<int64_t> getBlockSize(const OpSignature &signature) {
  auto size = signature.get<tosa::BlockSizeAttr>("block_size");
  if (!size)
    return std::nullopt;
  return static_cast<int64_t>(size.getValue());
}

/// (n, h, w) reads a at (n, h, c) and b at (n or 0, w, c), and their scales at
/// c floordiv block.
static Nest inferMatmulScaled(const OpSignature &signature) {
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
  Nest nest = op.makeNest({op.out[0][0], op.out[0][1], op.out[0][2], a[2]});
  nest.body = NestBody::Contract;
  nest.write(0, nest.getAxes().take_front(3));
  Form batch = nest[0];
  if (op.sizes.getStatic(b[0]) == 1)
    batch = Form(0);
  else if (op.sizes.resolve(b[0]) != op.sizes.resolve(op.out[0][0]))
    batch = nest.arena().min(batch, nest.last(b[0]));
  for (unsigned o = 0; o < 4; ++o) {
    const bool isB = o >= 2;
    Form c = o % 2 == 1 ? nest.arena().floorDiv(nest[3], *block) : nest[3];
    nest.read(o, {isB ? batch : nest[0], nest[isB ? 2 : 1], c});
  }
  return nest;
}

/// Element c of the last dimension has scale c floordiv block.
static Nest inferCastFromScaled(const OpSignature &signature) {
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
  Nest nest = op.makeResultNest(NestBody::Map);
  op.readBroadcast(nest, nest.getAxes(), 0, 1);
  SmallVector<Form> index(nest.getAxes());
  index.back() = nest.arena().floorDiv(index.back(), *block);
  nest.read(1, index);
  return nest;
}

/// Both results, data and scale, read the whole block of an element.
static Nest inferCastToScaled(const OpSignature &signature) {
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
  // The blocks, and where in one it is that is written, and that is read.
  SizeList extents = scale;
  extents.append(2, Form(*block));
  Nest nest = op.makeNest(extents);
  SmallVector<Form> index(nest.getAxes().drop_back(2)), data = index,
                                                        in = index;
  data.back() = nest.arena().addScaled(nest.getAxes().drop_back().back(),
                                       index.back(), *block);
  in.back() =
      nest.arena().addScaled(nest.getAxes().back(), index.back(), *block);
  nest.write(0, data);
  nest.write(1, index);
  nest.read(0, in);
  return nest;
}

/// The line along `axis`; the result has a unit there (reduce_*), or no
/// dimension (argmax).
template <bool keepsAxis>
static Nest inferReduction(const OpSignature &signature) {
  TosaOp op(signature);
  std::optional<int64_t> axis = op.getAxis();
  if (!op.isValid || op.in.size() != 1 || !axis)
    return op.unknown();
  SmallVector<int64_t> dims;
  for (int64_t d = 0; d < int64_t(op.in[0].size()); ++d)
    if (d != *axis || keepsAxis)
      dims.push_back(d == *axis ? -1 : d);
  std::optional<Nest> nest = op.makeProjection(dims);
  if (!nest)
    return op.unknown();
  if (!keepsAxis)
    nest->body = NestBody::Opaque;
  return std::move(*nest);
}

/// Every element of the spectrum reads the whole image (of both parts).
static Nest inferFourier(const OpSignature &signature) {
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
  SizeList extents = op.out[0];
  extents.append(op.in[0].begin() + 1, op.in[0].end());
  Nest nest = op.makeNest(extents);
  for (unsigned r : {0, 1})
    nest.write(r, nest.getAxes().take_front(3));
  for (unsigned o = 0; o < op.in.size(); ++o)
    nest.read(o, {nest[0], nest[3], nest[4]});
  return nest;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static Nest inferNothing(const OpSignature &signature) {
  return signature.nothingRead();
}

static Nest inferControlFlow(const OpSignature &signature) {
  return signature.unknown(IndexingReason::ControlFlow);
}

/// A value that lives outside of the program.
static Nest inferSideEffects(const OpSignature &signature) {
  return signature.unknown(IndexingReason::SideEffects);
}

namespace {
template <typename... Ops>
struct Attach {
  template <Nest (*infer)(const OpSignature &)>
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
