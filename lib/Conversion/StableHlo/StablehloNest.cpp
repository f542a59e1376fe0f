//===- StablehloNest.cpp - The nest of an op becomes loops ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The axes of an op's nest (Interfaces/Nest.h) become the loops of one
// linalg.generic, whose maps are linear:
//
// 1. an operand that is read at places outside of it, under a guard, is padded;
//    one that is read at every k-th place (p floordiv k where p mod k is 0) is
//    spread;
// 2. a dimension whose index numbers several axes row-major is cut into them, and
//    so is one of the result, which is put together in the end;
// 3. a reduction of one step is not a loop;
// 4. loops that are as long as no dimension are those of a tensor that is not
//    read.
//
//===----------------------------------------------------------------------===//

#include "Raise/RaiseNest.h"
#include "StablehloToLinalg.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Transforms/Loops.h"
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// One linalg.generic under construction.
class NestEmitter {
public:
  NestEmitter(HloConversion &c, const NestLoops &loops) : c(c), loops(loops) {}

  /// Adds an operand, with `background` around and between its elements. False
  /// where no map is linear.
  bool addInput(unsigned operand, Value background);
  /// Adds a result of these loops, and the tensor that it starts from: full of
  /// `init`, or undefined.
  bool addOutput(const LoopNest &nest, RankedTensorType type, Value init);
  /// The results, cut as the loops are; none if a loop's range is not known.
  SmallVector<Value> emit(HloLoopBody body);

private:
  AffineMap getMap(ArrayRef<AffineExpr> exprs) const {
    return AffineMap::get(loops.nest.ranges.size(), 0, exprs, c.b.getContext());
  }
  /// A number, or the size of a dimension of an operand.
  OpFoldResult getRange(unsigned loop);

  HloConversion &c;
  const NestLoops &loops;
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
};

} // namespace

OpFoldResult NestEmitter::getRange(unsigned loop) {
  const int64_t range = loops.nest.ranges[loop];
  if (!ShapedType::isDynamic(range))
    return c.b.getIndexAttr(range);
  auto [tensor, dim] = loops.nest.sizes[loop];
  if (!tensor)
    return {};
  return tensor::DimOp::create(c.b, c.signless(tensor), dim).getResult();
}

bool NestEmitter::addInput(unsigned operand, Value background) {
  Value tensor = c.operand(operand);
  Refusal why;
  std::optional<NestPlaces> places = loops.getPlaces(
      why, operand, cast<ShapedType>(tensor.getType()).getShape());
  if (!places)
    return false;
  // Step 1.
  tensor = padHlo(c, tensor, background, places->low, places->high,
                  places->interior);
  ArrayRef<int64_t> shape = cast<ShapedType>(tensor.getType()).getShape();
  SmallVector<int64_t> cut;
  SmallVector<AffineExpr> exprs;
  for (auto [index, low, size] :
       llvm::zip_equal(places->indices, places->low, shape)) {
    index.offset += low;
    // Step 2.
    const bool isCut = loops.orderDigits(index) == size &&
                       !ShapedType::isDynamic(size) && index.terms.size() > 1;
    AffineExpr sum = c.b.getAffineConstantExpr(index.offset);
    for (const LoopTerm &term : index.terms) {
      AffineExpr loop = c.b.getAffineDimExpr(term.loop);
      if (isCut) {
        exprs.push_back(loop);
        cut.push_back(loops.nest.ranges[term.loop]);
      }
      sum = sum + loop * term.coefficient;
    }
    if (!isCut) {
      exprs.push_back(sum);
      cut.push_back(size);
    }
  }
  if (cut.size() != shape.size()) {
    if (ShapedType::isDynamicShape(cut))
      return false;
    tensor = reshapeTensor(c.b, c.b.getLoc(), tensor, cut);
  }
  inputs.push_back(tensor);
  maps.push_back(getMap(exprs));
  return true;
}

bool NestEmitter::addOutput(const LoopNest &nest, RankedTensorType type,
                            Value init) {
  // As its type has it, unless it is cut.
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  SmallVector<AffineExpr> exprs;
  const bool isCut = llvm::any_of(
      nest.result, [](ArrayRef<int64_t> dim) { return dim.size() != 1; });
  for (auto [dim, size] : llvm::zip_equal(nest.result, type.getShape())) {
    std::optional<int64_t> count = 1;
    for (int64_t loop : dim) {
      OpFoldResult range = getRange(loop);
      if (!range)
        return false;
      shape.push_back(isCut ? nest.ranges[loop] : size);
      if (ShapedType::isDynamic(shape.back()))
        dynamic.push_back(
            getValueOrCreateConstantIndexOp(c.b, c.b.getLoc(), range));
      exprs.push_back(c.b.getAffineDimExpr(loop));
      count = checkedMul(count, nest.ranges[loop]);
    }
    if (dim.size() != 1 && count != size)
      return false;
  }
  Value out = tensor::EmptyOp::create(
      c.b, RankedTensorType::get(shape, type.getElementType()), dynamic);
  if (init)
    out = linalg::FillOp::create(c.b, init, out).getResult(0);
  outputs.push_back(out);
  maps.push_back(getMap(exprs));
  return true;
}

SmallVector<Value> NestEmitter::emit(HloLoopBody body) {
  const size_t numRead = inputs.size();
  // Step 4.
  if (!addUnsizedLoops(c.b, c.b.getLoc(), inputs, maps,
                       getElementTypeOrSelf(outputs[0]),
                       [&](unsigned loop) { return getRange(loop); }))
    return {};
  bool isWritten = true;
  linalg::GenericOp generic = createGeneric(
      c.b, c.b.getLoc(), inputs, outputs, maps,
      [&](OpBuilder &inner, Location loc, ValueRange args) {
        ImplicitLocOpBuilder b(loc, inner);
        ValueRange carried = args.take_back(outputs.size());
        SmallVector<Value> read(args.take_front(numRead)), results;
        llvm::append_range(read, carried);
        isWritten = body(b, read, results);
        // A body that failed is erased with its op; until then it is valid.
        linalg::YieldOp::create(b, isWritten ? ValueRange(results) : carried);
      });
  return isWritten ? SmallVector<Value>(generic.getResults())
                   : SmallVector<Value>();
}

SmallVector<Value> tensoraccess::emitHloNest(HloConversion &c,
                                             ArrayRef<Value> backgrounds,
                                             ArrayRef<Type> types,
                                             ArrayRef<Value> inits,
                                             HloLoopBody body) {
  NestRef nest = getNest(OpSignature(c.op));
  auto refuse = [&] {
    return c.fail(isStatic(c.op->getOperandTypes()) &&
                          isStatic(c.op->getResultTypes())
                      ? "its loops are not those of dense tensors"
                      : "its shapes are not static");
  };
  Refusal why;
  // Step 3.
  auto loops = NestLoops::get(why, *nest, /*dropsUnits=*/true);
  if (!loops)
    return refuse();
  loops->setSizes(c.op->getOperands());
  NestEmitter emitter(c, *loops);
  for (auto [o, background] : llvm::enumerate(backgrounds))
    if (!emitter.addInput(o, background))
      return refuse();
  for (auto [r, type] : llvm::enumerate(types)) {
    auto written = NestLoops::get(why, *nest, /*dropsUnits=*/true, r);
    if (!written ||
        !emitter.addOutput(written->nest, c.resultType(r).clone(type),
                           inits.empty() ? Value() : inits[r]))
      return refuse();
  }
  SmallVector<Value> results = emitter.emit(body);
  for (auto [r, value] : llvm::enumerate(results)) {
    ArrayRef<int64_t> shape = c.resultType(r).getShape();
    if (!agree(cast<ShapedType>(value.getType()).getShape(), shape))
      value = reshapeTensor(c.b, c.b.getLoc(), value, shape);
  }
  return results.empty() && !types.empty() ? refuse() : results;
}
