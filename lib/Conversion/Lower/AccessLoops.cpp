//===- AccessLoops.cpp - Loops over views of tensors ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From maps to loops without divisions:
// 1. cut each dimension where a map divides it, so that floordiv and mod of it
//    are digits; or take the base for one list of elements (getDigits);
// 2. align the digits of all operands, merge neighbours that move alike on
//    either side of the split, collapse bases, drop loops over one value
//    (planLoops);
// 3. write the loops as one linalg.generic (emitLoops).
//
//===----------------------------------------------------------------------===//

#include "AccessLoops.h"
#include "Slices.h"
#include "TensorAccess/Core/Access.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Transforms/Loops.h"
#include "TensorAccess/Transforms/Reshape.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Reshaping
//===----------------------------------------------------------------------===//

SmallVector<int64_t>
mlir::tensoraccess::getNumbers(ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> numbers;
  // A size that is a value is not a number of the type, not even a constant.
  for (OpFoldResult size : sizes)
    numbers.push_back(isa<Attribute>(size) ? *getConstantIntValue(size)
                                           : kUnknownExtent);
  return numbers;
}

/// The tensor with the static sizes that `sizes` know, one for each run of
/// them.
static Value castToRuns(OpBuilder &b, Location loc, Value tensor,
                        ArrayRef<ReassociationIndices> runs,
                        ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &run : runs) {
    SmallVector<int64_t> known;
    for (int64_t dim : run)
      if (isa<Attribute>(sizes[dim]))
        known.push_back(*getConstantIntValue(sizes[dim]));
    shape.push_back(known.size() == run.size()
                        ? elementCount(known).value_or(ShapedType::kDynamic)
                        : ShapedType::kDynamic);
  }
  auto wanted = RankedTensorType::get(shape, type.getElementType());
  return type == wanted ? tensor
                        : tensor::CastOp::create(b, loc, wanted, tensor);
}

Value mlir::tensoraccess::reshapeTensor(OpBuilder &b, Location loc,
                                        Value tensor, ArrayRef<int64_t> from,
                                        ArrayRef<int64_t> to,
                                        ArrayRef<OpFoldResult> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape = getNumbers(sizes);
  if (!hasUnknownExtent(shape) && type.hasStaticShape())
    return reshapeTensor(b, loc, tensor, shape);
  SmallVector<ReassociationIndices> fromRuns, toRuns;
  if (from == to) {
    for (size_t dim = 0; dim < to.size(); ++dim)
      toRuns.push_back({static_cast<int64_t>(dim)});
    return castToRuns(b, loc, tensor, toRuns, sizes);
  }
  auto [dims, values] = decomposeMixedValues(llvm::to_vector(sizes));
  auto result = RankedTensorType::get(dims, type.getElementType());
  if (!matchRuns(from, to, fromRuns, toRuns)) {
    if (llvm::is_contained(from, 0) || llvm::is_contained(to, 0))
      return tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
    auto list = RankedTensorType::get(static_cast<int64_t>(sizes.size()),
                                      b.getIndexType());
    Value wanted = tensor::FromElementsOp::create(
        b, loc, list, getValueOrCreateConstantIndexOp(b, loc, sizes));
    return tensor::ReshapeOp::create(b, loc, result, tensor, wanted);
  }
  if (fromRuns.size() < from.size())
    tensor = tensor::CollapseShapeOp::create(b, loc, tensor, fromRuns);
  tensor = castToRuns(b, loc, tensor, toRuns, sizes);
  if (toRuns.size() == to.size())
    return tensor;
  return tensor::ExpandShapeOp::create(b, loc, result, tensor, toRuns, sizes);
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

OperandView OperandView::identity(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  OperandView view;
  view.base = tensor;
  view.map =
      AffineMap::getMultiDimIdentityMap(type.getRank(), tensor.getContext());
  if (auto shape = toFormShape(type.getShape()))
    view.digits = DigitView::identity(*shape);
  view.isWhole = true;
  return view;
}

static bool isPrime(int64_t number) {
  for (int64_t divisor = 2; divisor <= number / divisor; ++divisor)
    if (number % divisor == 0)
      return false;
  return number > 1;
}

/// The number that stands for unknown sizes among digits: a prime greater than any
/// number of elements of known dimensions, so that what holds of it as a number
/// holds of every size. std::nullopt where sizes would not fit in 63 bits.
static std::optional<int64_t> chooseUnknown(ArrayRef<DigitView> views) {
  int64_t known = 1;
  unsigned most = 0;
  auto measure = [&](ArrayRef<int64_t> shape) {
    SmallVector<int64_t> statics;
    for (int64_t size : shape)
      if (!isUnknownExtent(size) && size != 0)
        statics.push_back(size);
    std::optional<int64_t> count = elementCount(statics);
    known = std::max(known, count.value_or(INT64_MAX));
    most = std::max<unsigned>(most, shape.size() - statics.size());
  };
  for (const DigitView &view : views) {
    measure(view.getBaseShape());
    measure(view.getShape());
  }
  if (most == 0)
    return checkedAdd(known, 1);
  if (!checkedMul(known, known))
    return std::nullopt;
  int64_t prime = known + 1;
  while (!isPrime(prime))
    ++prime;
  std::optional<int64_t> all = known;
  for (unsigned i = 0; i < most && all; ++i)
    all = checkedMul(*all, prime);
  return all ? std::optional(prime) : std::nullopt;
}

bool OperandView::isRowMajor() const {
  if (!digits)
    return false;
  if (!hasUnknownExtent(digits->getBaseShape()))
    return digits->isRowMajor();
  std::optional<int64_t> unknown = chooseUnknown(*digits);
  if (!unknown)
    return false;
  DigitView view = *digits;
  view.replaceSize(kUnknownExtent, *unknown);
  return view.isRowMajor();
}

/// Where a dimension has to be cut for its divisions to become digits: the
/// divisor's share that the coefficient leaves, for each floor division.
static bool findCuts(const IndexingMap &map, ArrayRef<int64_t> shape,
                     SmallVectorImpl<SmallVector<int64_t>> &cuts) {
  const FormArena &arena = map.getArena();
  SmallVector<char, 32> used =
      map.getUsed(/*results=*/true, /*constraints=*/false);
  for (AtomId id = arena.getNumVariables(); id < used.size(); ++id) {
    if (!used[id])
      continue;
    if (arena.getAtom(id).kind != AtomKind::FloorDiv)
      return false;
    int64_t divisor = arena.getAtom(id).divisor;
    for (const Term &term : arena.body(id).terms) {
      if (!arena.isVariable(term.atom))
        continue;
      int64_t cut = divisor / std::gcd(divisor, term.coefficient);
      if (cut > 1 && cut < shape[term.atom])
        cuts[term.atom].push_back(cut);
    }
  }
  for (auto [size, list] : llvm::zip_equal(shape, cuts)) {
    llvm::sort(list);
    list.erase(llvm::unique(list), list.end());
    int64_t last = 1;
    for (int64_t cut : list) {
      if (cut % last != 0)
        return false;
      last = cut;
    }
    if (size % last != 0)
      return false;
  }
  return true;
}

/// The digits with cuts in dimensions; std::nullopt if a division is left.
static std::optional<DigitView> cutToDigits(const IndexingMap &map,
                                            ArrayRef<int64_t> shape,
                                            ArrayRef<int64_t> baseShape) {
  SmallVector<SmallVector<int64_t>> cuts(shape.size());
  if (!findCuts(map, shape, cuts))
    return std::nullopt;

  // The movement from digits to dimensions, outermost digits first.
  IndexingMapBuilder builder;
  SmallVector<DigitView::Dim> dims(shape.size());
  SmallVector<std::pair<unsigned, int64_t>> weights; // dim and weight
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t above = size;
    for (int64_t cut :
         llvm::concat<int64_t>(llvm::to_vector(llvm::reverse(cuts[dim])),
                               SmallVector<int64_t>{1})) {
      Digit digit;
      digit.size = above / cut;
      digit.steps.assign(baseShape.size(), 0);
      dims[dim].push_back(digit);
      builder.addDim({0, digit.size - 1});
      weights.push_back({dim, cut});
      above = cut;
    }
  }
  SmallVector<Form> forms(shape.size());
  for (auto [variable, weight] : llvm::enumerate(weights))
    builder.arena().accumulate(forms[weight.first],
                               Form::ofAtom(variable, weight.second));
  for (const Form &form : forms)
    builder.addResult(form);
  IndexingMap linear = builder.build().then(map).simplify();
  if (!linear.isOrdinary() || linear.getNumResults() != baseShape.size())
    return std::nullopt;

  SmallVector<int64_t> offsets;
  SmallVector<Digit *> digits;
  for (DigitView::Dim &dim : dims)
    for (Digit &digit : dim)
      digits.push_back(&digit);
  for (auto [j, form] : llvm::enumerate(linear.getResults())) {
    offsets.push_back(form.constant);
    for (const Term &term : form.terms) {
      if (!linear.getArena().isVariable(term.atom))
        return std::nullopt;
      digits[term.atom]->steps[j] = term.coefficient;
    }
  }
  return DigitView::make(baseShape, offsets, dims);
}

static OpFoldResult multiply(OpBuilder &b, Location loc, OpFoldResult x,
                             OpFoldResult y) {
  AffineExpr lhs, rhs;
  bindSymbols(b.getContext(), lhs, rhs);
  return affine::makeComposedFoldedAffineApply(b, loc, lhs * rhs, {x, y});
}

/// A base as the collapsed base of a view.
static Value collapseTo(OpBuilder &b, Location loc, Value base,
                        ArrayRef<int64_t> numbers, const DigitView &view) {
  auto type = cast<RankedTensorType>(base.getType());
  if (type.hasStaticShape())
    return reshapeTensor(b, loc, base, view.getBaseShape());
  if (numbers.size() == view.getBaseShape().size())
    return base;
  SmallVector<ReassociationIndices> groups, single;
  [[maybe_unused]] bool matches =
      matchRuns(numbers, view.getBaseShape(), groups, single);
  assert(matches && "a view of something");
  return tensor::CollapseShapeOp::create(b, loc, base, groups);
}

std::optional<DigitView>
mlir::tensoraccess::getDigits(const IndexingMap &map, ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> baseShape) {
  if (!map.isOrdinary() || map.getNumVariables() != shape.size() ||
      llvm::is_contained(shape, 0))
    return std::nullopt;
  if (std::optional<DigitView> cut = cutToDigits(map, shape, baseShape))
    return cut;
  if (hasUnknownExtent(shape) || hasUnknownExtent(baseShape))
    return std::nullopt;
  std::optional<StridedMap> strided = StridedMap::get(map, baseShape);
  if (!strided)
    return std::nullopt;
  SmallVector<DigitView::Dim> dims;
  for (auto [size, stride] : llvm::zip_equal(shape, strided->strides))
    dims.push_back({Digit{size, {stride}}});
  return DigitView::make(*elementCount(baseShape), strided->offset, dims);
}

/// Tries to plan with digits.
static bool planDigits(OpBuilder &b, Location loc, ArrayRef<OperandView> views,
                       ArrayRef<OpFoldResult> shape, int64_t accessRank,
                       LoopPlan &plan) {
  SmallVector<DigitView, 2> digits;
  for (const OperandView &view : views) {
    if (!view.base)
      continue;
    if (!view.digits)
      return false;
    digits.push_back(*view.digits);
  }
  // Digits of no size don't tell which sizes a digit is the product of.
  if (digits.empty() || llvm::is_contained(digits[0].getShape(), 0))
    return false;
  std::optional<int64_t> unknown = chooseUnknown(digits);
  if (!unknown)
    return false;
  for (DigitView &view : digits)
    view.replaceSize(kUnknownExtent, *unknown);
  if (!DigitView::align(digits))
    return false;
  plan.shape = digits[0].getShape();
  // The sizes of all digits in order, of which merged ones are products.
  SmallVector<std::pair<int64_t, OpFoldResult>> sizes;
  for (unsigned dim = 0; dim < digits[0].getNumDims(); ++dim)
    for (const Digit &digit : digits[0].getDim(dim))
      if (digit.size != 1)
        sizes.push_back({digit.size, digit.size == *unknown
                                         ? shape[dim]
                                         : b.getIndexAttr(digit.size)});
  // Where there is a sum, dimensions beside each other merge as digits of one
  // do, on either side of the split. Elementwise loops stay, so that those of
  // one shape can be fused.
  unsigned access = accessRank;
  if (access < digits[0].getNumDims()) {
    for (DigitView &view : digits) {
      view.join(access, view.getNumDims());
      view.join(0, access);
    }
    access = 1;
  }
  DigitView::merge(digits);
  auto nextSize = sizes.begin();
  for (unsigned dim = 0; dim < digits[0].getNumDims(); ++dim)
    for (const Digit &digit : digits[0].getDim(dim)) {
      if (digit.size == 1)
        continue;
      OpFoldResult range = b.getIndexAttr(1);
      for (int64_t product = 1; product != digit.size; ++nextSize) {
        product *= nextSize->first;
        range = multiply(b, loc, range, nextSize->second);
      }
      plan.ranges.push_back(range);
      plan.numbers.push_back(digit.size);
      plan.numParallel += dim < access;
    }
  plan.unknown = *unknown;
  MLIRContext *context = b.getContext();
  auto next = digits.begin();
  for (const OperandView &operand : views) {
    if (!operand.base) {
      plan.operands.push_back({Value(), operand.constant, AffineMap(), {}});
      continue;
    }
    DigitView &view = *next++;
    SmallVector<int64_t> baseNumbers =
        *toFormShape(cast<RankedTensorType>(operand.base.getType()).getShape());
    llvm::replace(baseNumbers, kUnknownExtent, *unknown);
    view.collapseUnitBase();
    SmallVector<AffineExpr> exprs;
    for (int64_t offset : view.getOffsets())
      exprs.push_back(getAffineConstantExpr(offset, context));
    unsigned loop = 0;
    for (unsigned dim = 0; dim < view.getNumDims(); ++dim)
      for (const Digit &digit : view.getDim(dim)) {
        if (digit.size == 1)
          continue;
        for (auto [expr, step] : llvm::zip_equal(exprs, digit.steps))
          expr = expr + getAffineDimExpr(loop, context) * step;
        ++loop;
      }
    plan.operands.push_back(
        {collapseTo(b, loc, operand.base, baseNumbers, view), TypedAttr(),
         AffineMap::get(plan.ranges.size(), 0, exprs, context),
         SmallVector<int64_t>(view.getBaseShape())});
  }
  return true;
}

LoopPlan mlir::tensoraccess::planLoops(OpBuilder &b, Location loc,
                                       ArrayRef<OperandView> views,
                                       ArrayRef<OpFoldResult> shape,
                                       int64_t accessRank) {
  LoopPlan plan;
  if (planDigits(b, loc, views, shape, accessRank, plan))
    return plan;
  plan = LoopPlan();
  plan.ranges.assign(shape.begin(), shape.end());
  plan.numbers = plan.shape = getNumbers(shape);
  plan.unknown = kUnknownExtent;
  plan.numParallel = accessRank;
  for (const OperandView &view : views) {
    SmallVector<int64_t> numbers;
    if (view.base && view.isWhole)
      if (auto sizes = toFormShape(
              cast<RankedTensorType>(view.base.getType()).getShape()))
        numbers = *sizes;
    plan.operands.push_back({view.base, view.constant, view.map, numbers});
  }
  return plan;
}

Value mlir::tensoraccess::fitResult(OpBuilder &b, Location loc, Value tensor,
                                    const LoopPlan &plan,
                                    ArrayRef<OpFoldResult> sizes) {
  return reshapeTensor(b, loc, tensor,
                       ArrayRef(plan.numbers).take_front(plan.numParallel),
                       ArrayRef(plan.shape).take_front(sizes.size()), sizes);
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

static bool hasDivision(AffineMap map) {
  bool found = false;
  for (AffineExpr expr : map.getResults())
    expr.walk([&](AffineExpr e) {
      found |= e.getKind() == AffineExprKind::FloorDiv ||
               e.getKind() == AffineExprKind::CeilDiv ||
               e.getKind() == AffineExprKind::Mod;
    });
  return found;
}

/// tensor.extract at the index that the map gives for the loops around.
static Value extractAt(OpBuilder &b, Location loc, const LoopRead &operand,
                       unsigned numLoops) {
  SmallVector<OpFoldResult> loops;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    loops.push_back(linalg::IndexOp::create(b, loc, loop).getResult());
  SmallVector<Value> index;
  for (AffineExpr expr : operand.map.getResults()) {
    AffineMap map = AffineMap::get(numLoops, 0, expr);
    OpFoldResult value =
        affine::makeComposedFoldedAffineApply(b, loc, map, loops);
    index.push_back(getValueOrCreateConstantIndexOp(b, loc, value));
  }
  return tensor::ExtractOp::create(b, loc, operand.base, index);
}

/// True if the size of a tensor's dimension is known to be `range`.
static bool hasSize(Value tensor, int64_t dim, OpFoldResult range) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (std::optional<int64_t> constant = getConstantIntValue(range))
    return type.getDimSize(dim) == *constant;
  auto size = cast<Value>(range).getDefiningOp<tensor::DimOp>();
  return size && size.getSource() == tensor && size.getConstantIndex() == dim;
}

/// The base without what no loop reaches, as after the only place of a strided
/// window: linalg takes the size of a dimension that one loop indexes for the
/// range of that loop.
static Value cutToLoops(OpBuilder &b, Location loc, const LoopRead &operand,
                        ArrayRef<OpFoldResult> ranges,
                        ArrayRef<int64_t> numbers) {
  SmallVector<OpFoldResult> sizes;
  bool cuts = false;
  for (auto [i, expr] : llvm::enumerate(operand.map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    bool keep = !loop || hasSize(operand.base, i, ranges[loop.getPosition()]) ||
                (!operand.numbers.empty() &&
                 operand.numbers[i] == numbers[loop.getPosition()]);
    sizes.push_back(keep ? tensor::getMixedSize(b, loc, operand.base, i)
                         : ranges[loop.getPosition()]);
    cuts |= !keep;
  }
  if (!cuts)
    return operand.base;
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0)),
      strides(sizes.size(), b.getIndexAttr(1));
  return extractPart(b, loc, operand.base, offsets, sizes, strides);
}

linalg::GenericOp mlir::tensoraccess::emitLoops(OpBuilder &b, Location loc,
                                                const LoopPlan &plan,
                                                Type elementType,
                                                TypedAttr init, LoopBody body) {
  unsigned numLoops = plan.ranges.size();
  ArrayRef<OpFoldResult> ranges(plan.ranges);
  Value out = createFilled(b, loc, ranges.take_front(plan.numParallel),
                           elementType, init);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> position; // of each operand among the inputs, or -1
  for (const LoopRead &operand : plan.operands) {
    bool isInput = operand.base && !hasDivision(operand.map);
    position.push_back(isInput ? inputs.size() : -1);
    if (!isInput)
      continue;
    inputs.push_back(cutToLoops(b, loc, operand, ranges, plan.numbers));
    maps.push_back(operand.map);
  }
  AffineMap all = b.getMultiDimIdentityMap(numLoops);
  maps.push_back(AffineMap::get(numLoops, 0,
                                all.getResults().take_front(plan.numParallel),
                                b.getContext()));
  addUnsizedLoops(b, loc, inputs, maps, elementType,
                  [&](unsigned loop) { return ranges[loop]; });
  return createGeneric(
      b, loc, inputs, out, maps,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        SmallVector<Value> elements;
        for (auto [operand, pos] : llvm::zip_equal(plan.operands, position))
          if (!operand.base)
            elements.push_back(
                arith::ConstantOp::create(b, loc, operand.constant));
          else
            elements.push_back(pos < 0 ? extractAt(b, loc, operand, numLoops)
                                       : args[pos]);
        linalg::YieldOp::create(b, loc, body(b, loc, elements, args.back()));
      });
}

Value tensoraccess::createFilled(OpBuilder &b, Location loc,
                                 ArrayRef<OpFoldResult> sizes, Type elementType,
                                 TypedAttr value) {
  Value empty = tensor::EmptyOp::create(b, loc, sizes, elementType);
  if (!value)
    return empty;
  Value constant = arith::ConstantOp::create(b, loc, value);
  return linalg::FillOp::create(b, loc, constant, empty).getResult(0);
}
