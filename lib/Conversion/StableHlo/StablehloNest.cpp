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
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class NestEmitter {
public:
  NestEmitter(HloConversion &c, const Nest &nest) : c(c), nest(nest) {
    for (const NestAxis &axis : nest.axes) {
      const bool isLoop = !axis.isReduction || axis.extent != Form(1);
      loops.push_back(isLoop ? std::optional(numLoops++) : std::nullopt);
    }
  }

  /// Adds an operand, with `background` around and between its elements.
  bool addInput(const NestRead &read, Value background);
  /// The tensor that a result starts from, of the given element type: full of
  /// `init`, or undefined.
  bool addOutput(const NestAccess &write, Type elementType, Value init);
  /// The results, in their own shapes.
  SmallVector<Value> emit(function_ref<bool(ImplicitLocOpBuilder &, ValueRange,
                                            SmallVectorImpl<Value> &)>
                              body);

private:
  /// An index as digits: axes, with their factors, outermost first.
  struct Index {
    SmallVector<Term, 2> terms;
    int64_t offset = 0;
  };
  std::optional<Index> getIndex(FormRef form) const;
  AffineExpr getLoop(AtomId axis) const {
    return loops[axis] ? c.b.getAffineDimExpr(*loops[axis])
                       : c.b.getAffineConstantExpr(0);
  }
  /// The extents of axes that number a dimension row-major; none if they do not.
  std::optional<SmallVector<int64_t>> getDigits(const Index &index,
                                                int64_t size) const;
  /// The size of an axis: a number, or that of a dimension of an operand.
  OpFoldResult getSize(unsigned axis);

  HloConversion &c;
  const Nest &nest;
  SmallVector<std::optional<unsigned>> loops;
  unsigned numLoops = 0;
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> inputMaps, outputMaps;
  /// The shape that each result has in the end.
  SmallVector<SmallVector<int64_t>> shapes;
};

} // namespace

std::optional<NestEmitter::Index> NestEmitter::getIndex(FormRef form) const {
  Index index;
  index.offset = form.constant;
  for (const Term &term : form.terms) {
    if (term.atom >= nest.axes.size())
      return std::nullopt;
    if (loops[term.atom])
      index.terms.push_back(term);
  }
  llvm::sort(index.terms, [](const Term &a, const Term &b) {
    const uint64_t x = magnitude(a.coefficient), y = magnitude(b.coefficient);
    return x != y ? x > y : a.atom < b.atom;
  });
  return index;
}

std::optional<SmallVector<int64_t>> NestEmitter::getDigits(const Index &index,
                                                           int64_t size) const {
  SmallVector<int64_t> extents;
  std::optional<int64_t> step = 1;
  for (const Term &term : llvm::reverse(index.terms)) {
    std::optional<int64_t> extent = nest.getExtent(term.atom);
    if (!extent || !step || term.coefficient != *step)
      return std::nullopt;
    extents.push_back(*extent);
    step = checkedMul(*step, *extent);
  }
  if (index.terms.size() < 2 || index.offset != 0 || step != size)
    return std::nullopt;
  std::reverse(extents.begin(), extents.end());
  return extents;
}

OpFoldResult NestEmitter::getSize(unsigned axis) {
  if (std::optional<int64_t> number = nest.getExtent(axis))
    return c.b.getIndexAttr(*number);
  for (auto [o, sizes] : llvm::enumerate(nest.getOperands()))
    for (auto [d, size] : llvm::enumerate(sizes))
      if (nest.getSizes().resolve(size) == nest.axes[axis].extent)
        return tensor::DimOp::create(c.b, c.operand(o), d).getResult();
  return {};
}

bool NestEmitter::addInput(const NestRead &read, Value background) {
  Value tensor = c.operand(read.value);
  ArrayRef<int64_t> shape = cast<ShapedType>(tensor.getType()).getShape();
  const size_t rank = read.index.size();
  SmallVector<int64_t> low, high, interior, cut;
  SmallVector<AffineExpr> exprs;
  bool isPadded = false;
  for (size_t d = 0; d < rank; ++d) {
    // Step 1.
    std::optional<NestPlace> place = NestPlace::get(nest, read, d, shape[d]);
    std::optional<Index> index = place ? getIndex(place->place) : std::nullopt;
    if (!index)
      return false;
    index->offset += place->low;
    low.push_back(place->low);
    high.push_back(place->high);
    interior.push_back(place->step - 1);
    isPadded |= place->isPadded();
    // Step 2.
    const int64_t padded =
        place->isPadded()
            ? HloWindowDim{shape[d], 0,           1,          1,
                           1,        place->step, place->low, place->high}
                  .paddedSize()
            : shape[d];
    if (auto digits = getDigits(*index, padded)) {
      llvm::append_range(cut, *digits);
      for (const Term &term : index->terms)
        exprs.push_back(getLoop(term.atom));
      continue;
    }
    cut.push_back(padded);
    AffineExpr expr = c.b.getAffineConstantExpr(index->offset);
    for (const Term &term : index->terms)
      expr = expr + getLoop(term.atom) * term.coefficient;
    exprs.push_back(expr);
  }
  if (isPadded)
    tensor = padHlo(c, tensor, background, low, high, interior);
  if (cut.size() != rank && ShapedType::isDynamicShape(shape))
    return false;
  if (cut.size() != rank)
    tensor = reshapeTensor(c.b, c.b.getLoc(), tensor, cut);
  inputs.push_back(tensor);
  inputMaps.push_back(AffineMap::get(numLoops, 0, exprs, c.b.getContext()));
  return true;
}

bool NestEmitter::addOutput(const NestAccess &write, Type elementType,
                            Value init) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> exprs;
  RankedTensorType type = c.resultType(write.value);
  for (auto [d, form] : llvm::enumerate(write.index)) {
    std::optional<Index> index = getIndex(form);
    if (!index)
      return false;
    const bool isAxis = index->terms.size() == 1 && index->offset == 0 &&
                        index->terms[0].coefficient == 1;
    if (!isAxis && !getDigits(*index, type.getDimSize(d)))
      return false;
    for (const Term &term : index->terms) {
      sizes.push_back(getSize(term.atom));
      if (!sizes.back())
        return false;
      exprs.push_back(getLoop(term.atom));
    }
  }
  shapes.emplace_back(type.getShape());
  // As its type has it, unless it is cut.
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  const bool isCut = static_cast<int64_t>(sizes.size()) != type.getRank();
  for (auto [d, size] : llvm::enumerate(sizes)) {
    shape.push_back(
        isCut ? getConstantIntValue(size).value_or(ShapedType::kDynamic)
              : type.getDimSize(d));
    if (ShapedType::isDynamic(shape.back()))
      dynamic.push_back(
          getValueOrCreateConstantIndexOp(c.b, c.b.getLoc(), size));
  }
  Value out = tensor::EmptyOp::create(
      c.b, RankedTensorType::get(shape, elementType), dynamic);
  if (init)
    out = linalg::FillOp::create(c.b, init, out).getResult(0);
  outputs.push_back(out);
  outputMaps.push_back(AffineMap::get(numLoops, 0, exprs, c.b.getContext()));
  return true;
}

SmallVector<Value>
NestEmitter::emit(function_ref<bool(ImplicitLocOpBuilder &, ValueRange,
                                    SmallVectorImpl<Value> &)>
                      body) {
  // Step 4.
  llvm::SmallBitVector isKnown(numLoops);
  for (const AffineMap &map : llvm::concat<const AffineMap>(
           ArrayRef<AffineMap>(inputMaps), ArrayRef<AffineMap>(outputMaps)))
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        isKnown.set(dim.getPosition());
  const size_t numInputs = inputs.size();
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> exprs;
  for (auto [a, loop] : llvm::enumerate(loops))
    if (loop && !isKnown.test(*loop)) {
      sizes.push_back(getSize(a));
      if (!sizes.back())
        return {};
      exprs.push_back(c.b.getAffineDimExpr(*loop));
    }
  if (!exprs.empty()) {
    inputs.push_back(tensor::EmptyOp::create(c.b, sizes, c.b.getI1Type()));
    inputMaps.push_back(AffineMap::get(numLoops, 0, exprs, c.b.getContext()));
  }
  SmallVector<AffineMap> maps(inputMaps);
  llvm::append_range(maps, outputMaps);
  SmallVector<Value> results =
      makeHloGeneric(c, inputs, outputs, maps,
                     [&](ImplicitLocOpBuilder &b, ValueRange args,
                         SmallVectorImpl<Value> &values) {
                       SmallVector<Value> read(args.take_front(numInputs));
                       llvm::append_range(read, args.take_back(outputs.size()));
                       return body(b, read, values);
                     });
  for (auto [value, shape] : llvm::zip(results, shapes))
    if (!agree(cast<ShapedType>(value.getType()).getShape(), shape))
      value = reshapeTensor(c.b, c.b.getLoc(), value, shape);
  return results;
}

SmallVector<Value>
tensoraccess::emitHloNest(HloConversion &c, ArrayRef<Value> backgrounds,
                          ArrayRef<Type> types, ArrayRef<Value> inits,
                          function_ref<bool(ImplicitLocOpBuilder &, ValueRange,
                                            SmallVectorImpl<Value> &)>
                              body) {
  NestRef nest = getNest(OpSignature(c.op));
  auto refuse = [&] {
    return c.fail(isStatic(c.op->getOperandTypes()) &&
                          isStatic(c.op->getResultTypes())
                      ? "its loops are not those of dense tensors"
                      : "its shapes are not static");
  };
  if (!nest->hasLoops())
    return refuse();
  NestEmitter emitter(c, *nest);
  for (auto [o, background] : llvm::enumerate(backgrounds)) {
    const NestRead *read = nest->findRead(o);
    if (!read || read->reason != IndexingReason::None ||
        !NestPlace::areSaid(*read) || !emitter.addInput(*read, background))
      return refuse();
  }
  for (auto [r, type] : llvm::enumerate(types))
    if (r >= nest->writes.size() ||
        !emitter.addOutput(nest->writes[r], type,
                           inits.empty() ? Value() : inits[r]))
      return refuse();
  SmallVector<Value> results = emitter.emit(body);
  return results.empty() && !types.empty() ? refuse() : results;
}
