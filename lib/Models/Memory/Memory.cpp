//===- Memory.cpp - What loads and stores touch ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. An op states where its first element is, as affine maps over values,
//      the shape of its vector, and which dimension of the memref each
//      dimension of the vector runs along.
//   2. Views are followed from the op's memref to the one that no view made.
//   3. All values of 1 and 2 are required from the scope, which then gives
//      forms; the vector's symbols are added, and each view turns an index into
//      it into an index into its source.
//
//===----------------------------------------------------------------------===//

#include "MemoryScope.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tensoraccess;

MemoryAccess MemoryAccess::unknown(Operation *op, bool isStore, Value memref,
                                   IndexingReason reason) {
  MemoryAccess access;
  access.op = op;
  access.isStore = isStore;
  access.memref = access.base = memref;
  access.reason = reason;
  access.map = access.numbers = IndexingMap::unknown(toUnknownReason(reason));
  return access;
}

namespace {

/// The interfaces of an op.
struct Statement {
  bool isStore = false;
  Value memref;
  /// The index of the first element: the results of a map over values.
  AffineMap map;
  SmallVector<Value> operands;
  /// Sizes of the vector, and the memref's dimension that each moves along;
  /// -1 where it repeats the same elements.
  SmallVector<int64_t> vector;
  SmallVector<int64_t> along;
  /// What one step along dimension i of the vector adds to the index.
  int64_t step = 1, start = 0;
  /// Sizes of the mask along each dimension of the vector; none where all
  /// elements are accessed.
  SmallVector<OpFoldResult> mask;
  /// Dimensions of the memref whose bounds are checked.
  SmallVector<unsigned> checked;
  IndexingReason reason = IndexingReason::None;

  void setIndices(ValueRange indices) {
    operands.assign(indices.begin(), indices.end());
    map =
        AffineMap::getMultiDimIdentityMap(indices.size(), memref.getContext());
  }
  /// The vector runs along the last dimensions.
  void setVector(VectorType type, int64_t rank) {
    if (type.isScalable())
      reason = IndexingReason::DynamicShape;
    else if (type.getRank() > rank)
      reason = IndexingReason::UnsupportedForm;
    vector.assign(type.getShape().begin(), type.getShape().end());
    for (int64_t i = 0; i < type.getRank(); ++i)
      along.push_back(rank - type.getRank() + i);
  }
  void setMask(Value value);
};

} // namespace

/// Masks that are boxes: constant_mask, create_mask, and constants whose true
/// elements come first.
void Statement::setMask(Value value) {
  if (auto made = value.getDefiningOp<vector::CreateMaskOp>()) {
    for (Value size : made.getOperands())
      mask.push_back(size);
    return;
  }
  Builder builder(value.getContext());
  if (auto constant = value.getDefiningOp<vector::ConstantMaskOp>()) {
    for (int64_t size : constant.getMaskDimSizes())
      mask.push_back(builder.getIndexAttr(size));
    return;
  }
  DenseElementsAttr elements;
  if (matchPattern(value, m_Constant(&elements)) &&
      elements.getElementType().isInteger(1)) {
    if (elements.isSplat() && elements.getSplatValue<bool>())
      return;
    SmallVector<bool> bits(elements.getValues<bool>());
    size_t count = llvm::find(bits, false) - bits.begin();
    if (elements.getType().getRank() == 1 &&
        !llvm::is_contained(ArrayRef(bits).drop_front(count), true)) {
      mask.push_back(builder.getIndexAttr(count));
      return;
    }
  }
  reason = IndexingReason::NotAffine;
}

/// start + step·i, if the elements of the index vector are that.
static bool matchProgression(Value value, int64_t &start, int64_t &step) {
  if (value.getDefiningOp<vector::StepOp>()) {
    start = 0;
    step = 1;
    return true;
  }
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || elements.empty() ||
      elements.getElementType().getIntOrFloatBitWidth() > 64)
    return false;
  SmallVector<int64_t> numbers;
  for (const APInt &number : elements.getValues<APInt>())
    numbers.push_back(number.getSExtValue());
  start = numbers.front();
  step = 0;
  for (size_t i = 1; i < numbers.size(); ++i) {
    std::optional<int64_t> next = checkedSub(numbers[i], numbers[i - 1]);
    if (!next || (i > 1 && *next != step))
      return false;
    step = *next;
  }
  return true;
}

static Statement stateGather(bool isStore, Value memref, ValueRange indices,
                             Value indexVector, Value mask) {
  Statement s;
  s.isStore = isStore;
  s.memref = memref;
  s.setIndices(indices);
  auto type = cast<VectorType>(indexVector.getType());
  s.setVector(type, std::max<int64_t>(indices.size(), type.getRank()));
  if (type.getRank() != 1 || indices.empty())
    s.reason = IndexingReason::UnsupportedForm;
  else if (!matchProgression(indexVector, s.start, s.step))
    s.reason = IndexingReason::NotAffine;
  else
    s.setMask(mask);
  return s;
}

static Statement stateTransfer(VectorTransferOpInterface transfer,
                               bool isStore) {
  Statement s;
  s.isStore = isStore;
  s.memref = transfer.getBase();
  s.setIndices(transfer.getIndices());
  VectorType type = transfer.getVectorType();
  auto memrefType = dyn_cast<MemRefType>(s.memref.getType());
  if (!memrefType || isa<VectorType>(memrefType.getElementType())) {
    s.reason = IndexingReason::UnsupportedForm;
    return s;
  }
  s.setVector(type, type.getRank());
  AffineMap map = transfer.getPermutationMap();
  SmallVector<int64_t> used;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    s.along[i] = dim ? static_cast<int64_t>(dim.getPosition()) : -1;
    if (!dim)
      continue;
    used.push_back(s.along[i]);
    if (!transfer.isDimInBounds(i))
      s.checked.push_back(dim.getPosition());
  }
  if (Value mask = transfer.getMask()) {
    // The mask's dimensions are those of the memref that are used, in order.
    s.setMask(mask);
    llvm::sort(used);
    SmallVector<OpFoldResult> perVector(type.getRank());
    for (auto [i, dim] : llvm::enumerate(s.along)) {
      if (dim < 0 || s.mask.empty())
        continue;
      size_t position = llvm::find(used, dim) - used.begin();
      if (position < s.mask.size())
        perVector[i] = s.mask[position];
    }
    s.mask = std::move(perVector);
  }
  return s;
}

/// Step 1; none for ops that access no memref.
static std::optional<Statement> state(Operation *op) {
  Statement s;
  auto scalar = [&](Value memref, ValueRange indices, bool isStore) {
    s.memref = memref;
    s.isStore = isStore;
    s.setIndices(indices);
    return s;
  };
  auto mapped = [&](auto access, Value value, bool isStore) {
    s.memref = access.getMemRef();
    s.isStore = isStore;
    s.map = access.getAffineMap();
    s.operands = llvm::to_vector(access.getMapOperands());
    if (isa<affine::AffineVectorLoadOp, affine::AffineVectorStoreOp>(op))
      s.setVector(cast<VectorType>(value.getType()), s.map.getNumResults());
    return s;
  };
  auto vectorOf = [&](Statement s, VectorType type) {
    s.setVector(type, s.map.getNumResults());
    return s;
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return scalar(load.getMemRef(), load.getIndices(), false);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return scalar(store.getMemRef(), store.getIndices(), true);
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return scalar(atomic.getMemref(), atomic.getIndices(), true);
  if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
    return mapped(load, load.getValue(), false);
  if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
    return mapped(store, store.getValueToStore(), true);
  // A memref of vectors is loaded one element, a vector, at a time.
  auto elementsOf = [](Value memref, VectorType type) {
    auto element = cast<MemRefType>(memref.getType()).getElementType();
    return isa<VectorType>(element) ? VectorType::get({}, type.getElementType())
                                    : type;
  };
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return vectorOf(scalar(load.getBase(), load.getIndices(), false),
                    elementsOf(load.getBase(), load.getVectorType()));
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return vectorOf(scalar(store.getBase(), store.getIndices(), true),
                    elementsOf(store.getBase(), store.getVectorType()));
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    s = vectorOf(scalar(load.getBase(), load.getIndices(), false),
                 load.getVectorType());
    s.setMask(load.getMask());
    return s;
  }
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
    s = vectorOf(scalar(store.getBase(), store.getIndices(), true),
                 store.getVectorType());
    s.setMask(store.getMask());
    return s;
  }
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    if (isa<BaseMemRefType>(read.getBase().getType()))
      return stateTransfer(cast<VectorTransferOpInterface>(read.getOperation()),
                           false);
  } else if (auto write = dyn_cast<vector::TransferWriteOp>(op)) {
    if (isa<BaseMemRefType>(write.getBase().getType()))
      return stateTransfer(
          cast<VectorTransferOpInterface>(write.getOperation()), true);
  } else if (auto gather = dyn_cast<vector::GatherOp>(op)) {
    if (isa<BaseMemRefType>(gather.getBase().getType()))
      return stateGather(false, gather.getBase(), gather.getOffsets(),
                         gather.getIndices(), gather.getMask());
  } else if (auto scatter = dyn_cast<vector::ScatterOp>(op)) {
    if (isa<BaseMemRefType>(scatter.getBase().getType()))
      return stateGather(true, scatter.getBase(), scatter.getOffsets(),
                         scatter.getIndices(), scatter.getMask());
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// 2. Views
//===----------------------------------------------------------------------===//

/// The view's source if its index is a function of the view's.
static Value getViewSource(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return Value();
  if (isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
          memref::TransposeOp, memref::CastOp, memref::MemorySpaceCastOp,
          memref::ReinterpretCastOp, memref::AssumeAlignmentOp>(op)) {
    Value source = op->getOperand(0);
    return isa<MemRefType>(source.getType()) ? source : Value();
  }
  return Value();
}

/// One step of a chain of views; `index` is an index into the result before and
/// one into the source after. False where that takes sizes that are not static.
static bool throughReshape(ArrayRef<ReassociationIndices> groups,
                           MemRefType expanded, bool isExpand, FormArena &arena,
                           SmallVector<Form> &index) {
  SmallVector<Form> result;
  for (auto [g, group] : llvm::enumerate(groups)) {
    for (int64_t dim : ArrayRef(group).drop_front())
      if (expanded.isDynamicDim(dim))
        return false;
    if (isExpand) { // the view is the expanded one
      Form number(0);
      for (auto [i, dim] : llvm::enumerate(group))
        number = i == 0 ? index[dim]
                        : arena.addScaled(index[dim], number,
                                          expanded.getDimSize(dim));
      result.push_back(number);
      continue;
    }
    SmallVector<Form> digits;
    Form rest = index[g];
    for (int64_t dim : llvm::reverse(ArrayRef(group).drop_front())) {
      int64_t size = expanded.getDimSize(dim);
      if (size == 0) {
        digits.push_back(Form(0));
        continue;
      }
      digits.push_back(arena.mod(rest, size));
      rest = arena.floorDiv(rest, size);
    }
    digits.push_back(rest);
    llvm::append_range(result, llvm::reverse(digits));
  }
  // A memref of rank 0 is expanded from, and to, dimensions of size 1.
  if (groups.empty() && !isExpand)
    result.assign(expanded.getRank(), Form(0));
  index = std::move(result);
  return true;
}

/// True where the view takes one place of dimension i of its source.
static bool isUnit(OffsetSizeAndStrideOpInterface view, unsigned i) {
  return getConstantIntValue(view.getMixedSizes()[i]) == 1;
}

static bool throughView(Operation *op, MemoryScope &scope,
                        SmallVector<Form> &index, bool &isNumber) {
  FormArena &arena = scope.arena();
  if (isNumber) // counted from where the buffer begins, whatever the view
    return true;
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    // A dimension of size 1 has index 0, whether the result's type kept it or
    // not, and whatever its stride is; the others follow in their order.
    ArrayRef<int64_t> kept = view.getType().getShape();
    SmallVector<Form> result;
    size_t next = 0;
    for (auto [i, offset] : llvm::enumerate(view.getMixedOffsets())) {
      Form x = scope.get(offset);
      if (!isUnit(view, i)) {
        while (kept[next] == 1)
          ++next;
        x = arena.add(
            x, arena.mul(index[next++], scope.get(view.getMixedStrides()[i])));
      }
      result.push_back(std::move(x));
    }
    index = std::move(result);
    return true;
  }
  if (auto view = dyn_cast<memref::ExpandShapeOp>(op))
    return throughReshape(view.getReassociationIndices(), view.getResultType(),
                          true, arena, index);
  if (auto view = dyn_cast<memref::CollapseShapeOp>(op))
    return throughReshape(view.getReassociationIndices(), view.getSrcType(),
                          false, arena, index);
  if (auto view = dyn_cast<memref::TransposeOp>(op)) {
    SmallVector<Form> result(index.size());
    AffineMap map = view.getPermutation();
    for (unsigned i = 0; i < index.size(); ++i)
      result[map.getDimPosition(i)] = index[i];
    index = std::move(result);
    return true;
  }
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
    Form number = scope.get(view.getMixedOffsets().front());
    for (auto [x, stride] : llvm::zip_equal(index, view.getMixedStrides()))
      number = arena.add(number, arena.mul(x, scope.get(stride)));
    index = {number};
    isNumber = true;
  }
  return true; // a cast
}

/// The number of the element at `index` in a memref of this type; false where
/// strides or the offset are not static.
static bool getNumber(MemRefType type, FormArena &arena, ArrayRef<Form> index,
                      Form &number) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) || ShapedType::isDynamicShape(strides))
    return false;
  number = Form(offset);
  for (auto [x, stride] : llvm::zip_equal(index, strides))
    number = arena.addScaled(number, x, stride);
  return true;
}

/// From the index to the number of the element, in a memref whose layout numbers
/// elements otherwise than by strides.
static std::optional<IndexingMap> getNumberMap(MemRefType type) {
  auto layout = dyn_cast<NumberedLayoutAttrInterface>(type.getLayout());
  return layout && type.hasStaticShape() ? layout.getNumberMap(type.getShape())
                                         : std::nullopt;
}

/// What neighbouring elements are apart, with the padding of their type; 0 for
/// types of unknown size.
static int64_t getElementBits(Operation *op, Type element) {
  Type scalar = element;
  if (auto vector = dyn_cast<VectorType>(scalar))
    scalar = vector.getElementType();
  if (auto complex = dyn_cast<ComplexType>(scalar))
    scalar = complex.getElementType();
  if (!scalar.isIntOrIndexOrFloat() && !isa<DataLayoutTypeInterface>(scalar))
    return 0;
  DataLayout layout = DataLayout::closest(op);
  llvm::TypeSize bytes = layout.getTypeSize(element);
  if (bytes.isScalable())
    return 0;
  return 8 * llvm::alignTo(bytes.getFixedValue(),
                           layout.getTypeABIAlignment(element));
}

//===----------------------------------------------------------------------===//
// 3. Access
//===----------------------------------------------------------------------===//

std::optional<MemoryAccess> tensoraccess::getMemoryAccess(Operation *op) {
  std::optional<Statement> s = state(op);
  if (!s)
    return std::nullopt;
  auto unknown = [&](IndexingReason reason) {
    return MemoryAccess::unknown(op, s->isStore, s->memref, reason);
  };
  auto type = dyn_cast<MemRefType>(s->memref.getType());
  if (!type)
    return unknown(IndexingReason::UnrankedShape);
  if (s->reason != IndexingReason::None)
    return unknown(s->reason);
  MemoryScope scope(op);
  if (scope.getReason() != IndexingReason::None)
    return unknown(scope.getReason());

  MemoryAccess access;
  access.op = op;
  access.isStore = s->isStore;
  access.memref = access.base = s->memref;
  scope.require(s->operands);
  scope.require(ArrayRef(s->mask));
  SmallVector<Operation *> views;
  while (Value source = getViewSource(access.base)) {
    views.push_back(access.base.getDefiningOp());
    if (auto view = dyn_cast<OffsetSizeAndStrideOpInterface>(views.back())) {
      scope.require(ArrayRef(view.getMixedOffsets()));
      for (auto [i, stride] : llvm::enumerate(view.getMixedStrides()))
        if (!isa<memref::SubViewOp>(view) || !isUnit(view, i))
          scope.require(ArrayRef(stride));
    }
    access.base = source;
  }
  auto baseType = cast<MemRefType>(access.base.getType());

  scope.begin(s->vector);
  FormArena &arena = scope.arena();
  SmallVector<Form> index = scope.get(s->map, s->operands);
  if (s->start != 0)
    index.back() = arena.add(index.back(), Form(s->start));
  for (auto [i, dim] : llvm::enumerate(s->along)) {
    Form element = scope.getSymbols()[i];
    if (dim >= 0)
      index[dim] = arena.addScaled(index[dim], element, s->step);
    if (i < s->mask.size() && s->mask[i])
      scope.addConstraint(arena.sub(element, scope.get(s->mask[i])),
                          Interval::atMost(-1));
  }
  for (unsigned dim : s->checked) {
    if (type.isDynamicDim(dim))
      return unknown(IndexingReason::DynamicShape);
    scope.addConstraint(index[dim], Interval::ofExtent(type.getDimSize(dim)));
  }
  // An index that comes from elsewhere is inside of the memref: an access
  // outside has no meaning. What masks and transfers leave out is not an
  // access.
  if (s->vector.empty() && s->checked.empty())
    for (auto [dim, form] : llvm::enumerate(index))
      if (form.terms.size() == 1 && !type.isDynamicDim(dim) &&
          scope.isRuntime(form.terms[0].atom))
        scope.addConstraint(form, Interval::ofExtent(type.getDimSize(dim)));
  for (Operation *view : views)
    if (!throughView(view, scope, index, access.isNumber))
      return unknown(IndexingReason::DynamicShape);

  access.dims = scope.getDims();
  access.runtimeValues = scope.getRuntimeValues();
  access.elementBits = getElementBits(op, baseType.getElementType());
  Form number;
  bool hasNumber = access.isNumber;
  if (hasNumber)
    number = index.front();
  else
    hasNumber = getNumber(baseType, arena, index, number);
  SmallVector<Form> results(index);
  results.push_back(number);
  IndexingMap both = scope.finish(results);
  if (both.isUnknown())
    return unknown(fromUnknownReason(both.getUnknownReason()));
  access.map = both.withResults(both.getResults().drop_back());
  access.numbers = hasNumber
                       ? both.withResults(both.getResults().take_back())
                       : IndexingMap::unknown(UnknownReason::DynamicShape);
  if (!hasNumber)
    if (std::optional<IndexingMap> numbers = getNumberMap(baseType))
      access.numbers = access.map.then(*numbers).simplify();
  return access;
}
