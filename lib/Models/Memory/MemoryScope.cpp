//===- MemoryScope.cpp - Index values below loops as forms ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. The ancestors of an op, from the function inwards, give dims: loops,
//      the ids of a launch, conditions. Anything else that decides whether or
//      how often the op runs makes the answer unknown.
//   2. `require` walks from a value to its operands with a stack of its own.
//      Each value becomes a constant, a dim, a *step* over other values, or a
//      runtime variable. Its range is computed on the way: a step in a narrow
//      integer that may wrap, or an unsigned one of a number that may be
//      negative, is a runtime variable.
//
// MemoryForms.cpp makes forms of them.
//
//===----------------------------------------------------------------------===//

#include "MemoryScope.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Values that one scope looks at; the rest are runtime variables.
static constexpr size_t kMaxValues = 4096;

using DimKind = MemoryDim::Kind;

/// All values of an integer type; index has 64 bits.
static Interval getTypeRange(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 64 || integer.getWidth() == 0)
    return Interval::all();
  int64_t half = int64_t(1) << (integer.getWidth() - 1);
  return {-half, half - 1};
}

//===----------------------------------------------------------------------===//
// 1. What encloses an op
//===----------------------------------------------------------------------===//

MemoryScope::MemoryScope(Operation *op) : op(op) {
  SmallVector<std::pair<Operation *, Region *>> ancestors;
  for (Operation *inner = op; inner;) {
    Region *region = inner->getParentRegion();
    Operation *parent = region ? region->getParentOp() : nullptr;
    if (!parent || !inner->getBlock()->isEntryBlock()) {
      fail(IndexingReason::ControlFlow);
      return;
    }
    ancestors.emplace_back(parent, region);
    if (isa<FunctionOpInterface>(parent))
      break;
    inner = parent;
  }
  for (auto [parent, region] : llvm::reverse(ancestors))
    if (isa<gpu::LaunchOp>(parent))
      launch = parent;
  for (auto [parent, region] : llvm::reverse(ancestors)) {
    enter(parent, region);
    if (reason != IndexingReason::None)
      return;
  }
}

unsigned MemoryScope::addDim(MemoryDim what, Interval range) {
  dims.push_back({what, range, AffineMap(), AffineMap(), {}, {}, 1});
  return dims.size() - 1;
}

unsigned MemoryScope::getGpuDim(DimKind kind, unsigned axis,
                                std::optional<int64_t> size) {
  auto [it, inserted] =
      gpuDims.try_emplace({static_cast<unsigned>(kind), axis}, 0);
  Interval range(0, size ? *size - 1 : Interval::kNoUpper);
  if (inserted) {
    it->second = addDim({kind, axis, Value()}, range);
    if (Value operand = getSizeOperand(kind, axis); operand && !size) {
      Dim &dim = dims[it->second];
      dim.upper = AffineMap::getMultiDimIdentityMap(1, op->getContext());
      dim.upperOperands = {operand};
      sizes.push_back(operand);
    }
  } else
    dims[it->second].range = dims[it->second].range.intersect(range);
  return it->second;
}

Value MemoryScope::getSizeOperand(DimKind kind, unsigned axis) {
  if (!launch || (kind != DimKind::Thread && kind != DimKind::Block))
    return Value();
  auto launchOp = cast<gpu::LaunchOp>(launch);
  gpu::KernelDim3 sizes = kind == DimKind::Thread
                              ? launchOp.getBlockSizeOperandValues()
                              : launchOp.getGridSizeOperandValues();
  const Value values[] = {sizes.x, sizes.y, sizes.z};
  return values[axis];
}

std::optional<int64_t> MemoryScope::getKnownSize(DimKind kind, unsigned axis) {
  bool isThread = kind == DimKind::Thread;
  if (launch)
    return getConstantIndex(getSizeOperand(kind, axis));
  Operation *function = op->getParentOfType<FunctionOpInterface>();
  if (!function)
    return std::nullopt;
  auto known = function->getAttrOfType<DenseI32ArrayAttr>(
      isThread ? "known_block_size" : "known_grid_size");
  if (!known)
    known = function->getAttrOfType<DenseI32ArrayAttr>(
        isThread ? "gpu.known_block_size" : "gpu.known_grid_size");
  if (!known || axis >= known.size())
    return std::nullopt;
  return known[axis];
}

static SmallVector<Interval> getRanges(const IndexingMap &forms,
                                       unsigned numResults) {
  SmallVector<Interval> results(numResults, Interval::all());
  if (forms.isOrdinary())
    for (unsigned i = 0; i < results.size(); ++i)
      results[i] = forms.getResultRange(i);
  return results;
}

void MemoryScope::addLoop(Value iv, AffineMap lower, ValueRange lowerOperands,
                          AffineMap upper, ValueRange upperOperands,
                          int64_t step) {
  require(lowerOperands);
  require(upperOperands);
  Interval range;
  for (Interval bound :
       getRanges(getForms(lower, lowerOperands), lower.getNumResults()))
    range.lower = std::max(range.lower, bound.lower);
  for (Interval bound :
       getRanges(getForms(upper, upperOperands), upper.getNumResults()))
    if (bound.hasUpper())
      range.upper = std::min(range.upper, bound.upper - 1);
  unsigned dim = addDim({DimKind::Loop, 0, iv}, range);
  dims[dim].lower = lower;
  dims[dim].upper = upper;
  dims[dim].lowerOperands.assign(lowerOperands.begin(), lowerOperands.end());
  dims[dim].upperOperands.assign(upperOperands.begin(), upperOperands.end());
  dims[dim].step = step;
  inductionVariables[iv] = dim;
}

void MemoryScope::addLoop(Value iv, OpFoldResult lower, OpFoldResult upper,
                          OpFoldResult step) {
  std::optional<int64_t> constant = getConstantIntValue(step);
  if (!constant || *constant < 1)
    return fail(IndexingReason::DynamicShape);
  auto asMap = [&](OpFoldResult bound, SmallVector<Value> &operands) {
    if (std::optional<int64_t> value = getConstantIntValue(bound))
      return AffineMap::getConstantMap(*value, op->getContext());
    operands.push_back(cast<Value>(bound));
    return AffineMap::getMultiDimIdentityMap(1, op->getContext());
  };
  SmallVector<Value> lowerOperands, upperOperands;
  AffineMap lowerMap = asMap(lower, lowerOperands);
  AffineMap upperMap = asMap(upper, upperOperands);
  addLoop(iv, lowerMap, lowerOperands, upperMap, upperOperands, *constant);
}

void MemoryScope::enter(Operation *ancestor, Region *region) {
  if (auto loop = dyn_cast<scf::ForOp>(ancestor)) {
    addLoop(loop.getInductionVar(), OpFoldResult(loop.getLowerBound()),
            loop.getUpperBound(), loop.getStep());
  } else if (auto loop = dyn_cast<scf::ParallelOp>(ancestor)) {
    for (auto [iv, lower, upper, step] :
         llvm::zip_equal(loop.getInductionVars(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep()))
      addLoop(iv, OpFoldResult(lower), OpFoldResult(upper), OpFoldResult(step));
  } else if (auto loop = dyn_cast<scf::ForallOp>(ancestor)) {
    for (auto [iv, lower, upper, step] :
         llvm::zip_equal(loop.getInductionVars(), loop.getMixedLowerBound(),
                         loop.getMixedUpperBound(), loop.getMixedStep()))
      addLoop(iv, lower, upper, step);
  } else if (auto loop = dyn_cast<affine::AffineForOp>(ancestor)) {
    addLoop(loop.getInductionVar(), loop.getLowerBoundMap(),
            loop.getLowerBoundOperands(), loop.getUpperBoundMap(),
            loop.getUpperBoundOperands(), loop.getStepAsInt());
  } else if (auto loop = dyn_cast<affine::AffineParallelOp>(ancestor)) {
    for (auto [i, iv] : llvm::enumerate(loop.getIVs()))
      addLoop(iv, loop.getLowerBoundMap(i), loop.getLowerBoundsOperands(),
              loop.getUpperBoundMap(i), loop.getUpperBoundsOperands(),
              loop.getSteps()[i]);
  } else if (auto branch = dyn_cast<scf::IfOp>(ancestor)) {
    addCondition(branch.getCondition(), region == &branch.getElseRegion());
  } else if (auto branch = dyn_cast<affine::AffineIfOp>(ancestor)) {
    addSetCondition(branch.getIntegerSet(), branch.getOperands(),
                    region == &branch.getElseRegion());
  } else if (isa<gpu::LaunchOp>(ancestor) ||
             isa<FunctionOpInterface>(ancestor)) {
    if (launch && ancestor != launch)
      return;
    for (DimKind kind : {DimKind::Block, DimKind::Thread})
      for (unsigned axis = 0; axis < 3; ++axis)
        if (std::optional<int64_t> size = getKnownSize(kind, axis))
          if (*size != 1)
            getGpuDim(kind, axis, size);
  } else if (!isa<scf::ExecuteRegionOp, memref::AllocaScopeOp>(ancestor)) {
    fail(IndexingReason::ControlFlow);
  }
}

/// Conjunctions of comparisons; in an else, disjunctions of them.
void MemoryScope::addCondition(Value condition, bool isElse) {
  SmallVector<std::pair<Value, bool>> stack = {{condition, isElse}};
  while (!stack.empty()) {
    auto [value, negated] = stack.pop_back_val();
    if (std::optional<int64_t> constant = getConstantIndex(value)) {
      neverRuns |= (*constant != 0) == negated;
      continue;
    }
    Operation *def = value.getDefiningOp();
    if (def && ((isa<arith::AndIOp>(def) && !negated) ||
                (isa<arith::OrIOp>(def) && negated))) {
      for (Value operand : def->getOperands())
        stack.emplace_back(operand, negated);
      continue;
    }
    auto compare = dyn_cast_or_null<arith::CmpIOp>(def);
    if (!compare)
      return fail(IndexingReason::ControlFlow);
    require(compare->getOperands());
    arith::CmpIPredicate predicate = compare.getPredicate();
    conditions.push_back(
        {negated ? arith::invertPredicate(predicate) : predicate,
         compare.getLhs(), compare.getRhs()});
  }
}

void MemoryScope::addSetCondition(IntegerSet set, ValueRange operands,
                                  bool isElse) {
  // The complement of an equality, or of several constraints, is a union.
  if (isElse && (set.getNumConstraints() != 1 || set.isEq(0)))
    return fail(IndexingReason::ControlFlow);
  require(operands);
  setConditions.push_back(
      {set, SmallVector<Value>(operands.begin(), operands.end()), isElse});
}

//===----------------------------------------------------------------------===//
// 2. Steps and ranges
//===----------------------------------------------------------------------===//

Interval MemoryScope::getRange(const Node &node) const {
  const IndexStep &step = node.step;
  // In a loop that never runs.
  for (Value operand : step.operands)
    if (Interval range = nodes.find(operand)->second.range; range.isEmpty())
      return range;
  SmallVector<Interval> results =
      getRanges(node.forms, step.map.getNumResults());
  Interval all = results.front();
  for (Interval other : ArrayRef(results).drop_front()) {
    all.lower = step.takesMax ? std::max(all.lower, other.lower)
                              : std::min(all.lower, other.lower);
    all.upper = step.takesMax ? std::max(all.upper, other.upper)
                              : std::min(all.upper, other.upper);
  }
  return all;
}

void MemoryScope::settle(Value value, Node &node) {
  const Interval type = getTypeRange(value.getType());
  bool isKnown = true;
  if (node.step.needsNonNegative)
    for (Value operand : node.step.operands)
      isKnown &= nodes.find(operand)->second.range.lower >= 0;
  if (isKnown) {
    node.forms = getForms(node.step.map, node.step.operands);
    isKnown = !node.forms.isUnknown();
  }
  if (isKnown)
    node.range = getRange(node);
  if (isKnown && !type.contains(node.range)) {
    isKnown = node.step.cannotWrap;
    node.range = node.range.intersect(type);
  }
  if (!isKnown) {
    node.kind = Node::Kind::Runtime;
    node.range = type;
  }
}

MemoryScope::Node MemoryScope::asId(DimKind kind, unsigned axis,
                                    std::optional<int64_t> size) {
  Node node;
  if (size == 1) {
    node.kind = Node::Kind::Constant;
    node.range = Interval::point(0);
    return node;
  }
  // Threads are numbered x first: a y of unknown x is not a lane.
  if (kind == DimKind::Thread)
    for (unsigned lower = 0; lower < axis; ++lower)
      if (!getKnownSize(kind, lower))
        getGpuDim(kind, lower, std::nullopt);
  node.kind = Node::Kind::Dim;
  node.dim = getGpuDim(kind, axis, size);
  node.range = dims[node.dim].range;
  return node;
}

/// block * size + thread, where the size of a block is known.
std::optional<MemoryScope::Node> MemoryScope::asGlobalId(unsigned axis) {
  std::optional<int64_t> size = getKnownSize(DimKind::Thread, axis);
  if (!size || *size < 1)
    return std::nullopt;
  Node node;
  node.kind = Node::Kind::Ids;
  node.range = Interval::point(0);
  auto add = [&](DimKind kind, std::optional<int64_t> count, int64_t factor) {
    if (count == 1)
      return;
    const unsigned dim = getGpuDim(kind, axis, count);
    node.ids.emplace_back(dim, factor);
    node.range = node.range + dims[dim].range.scaled(factor);
  };
  add(DimKind::Block, getKnownSize(DimKind::Block, axis), *size);
  add(DimKind::Thread, size, 1);
  return node;
}

/// The number of a thread in its block, x first, divided by the size of a
/// subgroup, or its rest. The size is the bound of the lanes. Without one, both
/// are numbers below that of threads.
std::optional<MemoryScope::Node>
MemoryScope::asPartOfBlock(DimKind kind, std::optional<int64_t> bound) {
  Node node;
  node.range = Interval::point(0);
  int64_t threads = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    std::optional<int64_t> size = getKnownSize(DimKind::Thread, axis);
    std::optional<int64_t> product =
        size && *size > 0 ? checkedMul(threads, *size) : std::nullopt;
    if (!product)
      return std::nullopt;
    if (*size != 1) {
      const unsigned dim = getGpuDim(DimKind::Thread, axis, size);
      node.ids.emplace_back(dim, threads);
    }
    threads = *product;
  }
  if (kind != DimKind::Lane || !bound || *bound < 1) {
    node.ids.clear();
    node.range = {0, std::min(bound.value_or(threads), threads) - 1};
    return node;
  }
  node.kind = Node::Kind::Ids;
  node.modulus = *bound;
  node.range = {0, std::min(*bound, threads) - 1};
  return node;
}

MemoryScope::Node MemoryScope::classifyGpu(Operation *def) {
  Node node;
  auto axisOf = [](gpu::Dimension d) { return static_cast<unsigned>(d); };
  auto boundOf = [](std::optional<APInt> bound) -> std::optional<int64_t> {
    if (!bound || bound->getSignificantBits() > 63)
      return std::nullopt;
    return bound->getSExtValue();
  };
  auto asDim = [&](DimKind kind, unsigned axis, std::optional<APInt> bound) {
    std::optional<int64_t> size = boundOf(bound);
    if (kind == DimKind::Block || kind == DimKind::Thread)
      if (std::optional<int64_t> known = getKnownSize(kind, axis))
        size = known;
    node = asId(kind, axis, size);
  };
  auto asSize = [&](DimKind kind, unsigned axis, std::optional<APInt> bound) {
    node.range = {1, boundOf(bound).value_or(Interval::kNoUpper)};
    if (std::optional<int64_t> known = getKnownSize(kind, axis)) {
      node.kind = Node::Kind::Constant;
      node.range = Interval::point(*known);
    }
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(def))
    asDim(DimKind::Thread, axisOf(id.getDimension()), id.getUpperBound());
  else if (auto id = dyn_cast<gpu::BlockIdOp>(def))
    asDim(DimKind::Block, axisOf(id.getDimension()), id.getUpperBound());
  else if (auto id = dyn_cast<gpu::GlobalIdOp>(def)) {
    if (std::optional<Node> known = asGlobalId(axisOf(id.getDimension())))
      return *known;
    asDim(DimKind::Global, axisOf(id.getDimension()), id.getUpperBound());
  } else if (auto id = dyn_cast<gpu::SubgroupIdOp>(def)) {
    if (auto known =
            asPartOfBlock(DimKind::Subgroup, boundOf(id.getUpperBound())))
      return *known;
    asDim(DimKind::Subgroup, 0, id.getUpperBound());
  } else if (auto id = dyn_cast<gpu::LaneIdOp>(def)) {
    if (auto known = asPartOfBlock(DimKind::Lane, boundOf(id.getUpperBound())))
      return *known;
    asDim(DimKind::Lane, 0, id.getUpperBound());
  } else if (auto size = dyn_cast<gpu::BlockDimOp>(def))
    asSize(DimKind::Thread, axisOf(size.getDimension()), size.getUpperBound());
  else if (auto size = dyn_cast<gpu::GridDimOp>(def))
    asSize(DimKind::Block, axisOf(size.getDimension()), size.getUpperBound());
  return node;
}

MemoryScope::Node MemoryScope::classify(Value value) {
  Node node;
  node.range = getTypeRange(value.getType());
  auto asCopy = [&](Value of) {
    node.kind = Node::Kind::Step;
    node.step.operands = {of};
    node.step.map = AffineMap::getMultiDimIdentityMap(1, op->getContext());
    return node;
  };
  if (std::optional<int64_t> constant = getConstantIndex(value)) {
    node.kind = Node::Kind::Constant;
    node.range = Interval::point(*constant);
    return node;
  }
  if (auto it = inductionVariables.find(value);
      it != inductionVariables.end()) {
    node.kind = Node::Kind::Dim;
    node.dim = it->second;
    node.range = dims[it->second].range;
    return node;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!launch || argument.getOwner()->getParentOp() != launch)
      return node;
    auto launchOp = cast<gpu::LaunchOp>(launch);
    const std::pair<DimKind, gpu::KernelDim3> ids[] = {
        {DimKind::Block, launchOp.getBlockIds()},
        {DimKind::Thread, launchOp.getThreadIds()}};
    for (const auto &[kind, id] : ids) {
      const Value values[] = {id.x, id.y, id.z};
      for (unsigned axis = 0; axis < 3; ++axis)
        if (values[axis] == value)
          return asId(kind, axis, getKnownSize(kind, axis));
    }
    const std::pair<gpu::KernelDim3, gpu::KernelDim3> copies[] = {
        {launchOp.getGridSize(), launchOp.getGridSizeOperandValues()},
        {launchOp.getBlockSize(), launchOp.getBlockSizeOperandValues()}};
    for (const auto &[inside, outside] : copies) {
      if (inside.x == value)
        return asCopy(outside.x);
      if (inside.y == value)
        return asCopy(outside.y);
      if (inside.z == value)
        return asCopy(outside.z);
    }
    return node;
  }
  Operation *def = value.getDefiningOp();
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::GlobalIdOp, gpu::SubgroupIdOp,
          gpu::LaneIdOp, gpu::BlockDimOp, gpu::GridDimOp>(def))
    return classifyGpu(def);
  if (auto dim = dyn_cast<memref::DimOp>(def)) {
    node.range = Interval::atLeast(0);
    std::optional<int64_t> which = dim.getConstantIndex();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (type && which && *which >= 0 && *which < type.getRank() &&
        !type.isDynamicDim(*which)) {
      node.kind = Node::Kind::Constant;
      node.range = Interval::point(type.getDimSize(*which));
    }
    return node;
  }
  if (std::optional<IndexStep> step = IndexStep::get(cast<OpResult>(value))) {
    node.kind = Node::Kind::Step;
    node.step = std::move(*step);
  }
  return node;
}

void MemoryScope::require(Value root) {
  SmallVector<Value> stack = {root};
  DenseMap<Value, Node> open;
  roots.insert(root);
  while (!stack.empty() || !sizes.empty()) {
    if (stack.empty()) {
      for (Value size : sizes)
        roots.insert(size);
      stack = std::move(sizes);
      sizes.clear();
    }
    Value value = stack.back();
    if (nodes.count(value)) {
      stack.pop_back();
      continue;
    }
    auto [it, isFirst] = open.try_emplace(value);
    if (isFirst) {
      Node node =
          nodes.size() + open.size() > kMaxValues ? Node() : classify(value);
      open[value] = node;
      if (node.kind == Node::Kind::Step) {
        // A value that depends on itself (in a graph region) has no form.
        bool isCycle = llvm::any_of(node.step.operands, [&](Value operand) {
          return open.count(operand) && !nodes.count(operand);
        });
        if (!isCycle) {
          llvm::append_range(stack, node.step.operands);
          continue;
        }
        node.kind = Node::Kind::Runtime;
      }
      nodes.insert({value, node});
      stack.pop_back();
      continue;
    }
    Node node = it->second;
    settle(value, node);
    nodes.insert({value, node});
    stack.pop_back();
  }
}
