//===- CoalescingAnalysis.cpp - How loads and stores move memory ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Choose the lane, as MemoryCoalescing.h describes. Where a warp reaches from
//      one row of threads into the next, the three ids are written as digits of
//      one number, thread = x + sx·(y + sy·z).
//   2. A runtime variable is uniform where the lanes of an access can't see
//      different values: it is computed outside of the kernel (or the loop that
//      is the lane), or without side effects from such values.
//   3. Core counts.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/MemoryCoalescing.h"
#include "TensorAccess/Core/Target.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using DimKind = MemoryDim::Kind;

/// `map` with dims `ids` (x, y, z; -1 for one of size 1) as digits of one dim
/// `thread`, which becomes the first.
static IndexingMap joinThreads(const IndexingMap &map, ArrayRef<int> ids) {
  IndexingMapBuilder builder;
  SmallVector<int64_t, 3> sizes;
  int64_t total = 1;
  for (int id : ids) {
    sizes.push_back(id < 0 ? 1 : *map.getDimRanges()[id].size());
    std::optional<int64_t> product = checkedMul(total, sizes.back());
    if (!product)
      return IndexingMap::unknown(UnknownReason::Overflow);
    total = *product;
  }
  SmallVector<Form> images(map.getNumVariables());
  Form thread = builder.addDim(Interval::ofExtent(total), "thread");
  for (unsigned v = 0; v < map.getNumVariables(); ++v) {
    if (!llvm::is_contained(ids, static_cast<int>(v)))
      images[v] = builder.addVariable(
          map.getVariableKind(v), map.getRanges()[v], map.getVariableName(v));
  }
  FormArena &arena = builder.arena();
  Form rest = thread;
  for (auto [id, size] : llvm::zip_equal(ids, sizes)) {
    if (id < 0)
      continue;
    // Ranges begin at 0, unless simplification found that they don't.
    int64_t lower = map.getDimRanges()[id].lower;
    images[id] = arena.add(arena.mod(rest, size), Form(lower));
    rest = arena.floorDiv(rest, size);
  }
  builder.addMap(map, images);
  return builder.build();
}

/// Whether all lanes see the same value. `scope` is what the lanes run: a
/// launch, a function, or a loop.
static bool isUniform(Value value, Operation *scope) {
  constexpr unsigned kMaxValues = 256;
  SmallVector<Value> stack = {value};
  DenseSet<Value> seen;
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (seen.size() > kMaxValues)
      return false;
    Operation *def = next.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      Operation *owner = argument.getOwner()->getParentOp();
      if (isa_and_present<FunctionOpInterface>(owner) &&
          argument.getOwner()->isEntryBlock())
        continue;
      def = owner;
      if (!def || scope->isAncestor(def))
        return false;
      continue;
    }
    if (!scope->isProperAncestor(def))
      continue;
    if (def->getNumRegions() != 0 || !isMemoryEffectFree(def) ||
        isa<gpu::ThreadIdOp, gpu::LaneIdOp, gpu::GlobalIdOp>(def))
      return false;
    llvm::append_range(stack, def->getOperands());
  }
  return true;
}

/// The memory that the buffer of an access is in, if that is cut into banks:
/// `#gpu.address_space<workgroup>` is `workgroup` or `shared` of the target of
/// the module, or 32 banks of 4 bytes where that lists neither; a number is the
/// target's memory of that number. A buffer begins at bank 0.
static std::optional<MemorySpace> getBankedSpace(const MemoryAccess &access) {
  auto type = dyn_cast_or_null<BaseMemRefType>(
      access.base ? access.base.getType() : Type());
  if (!type || !type.getMemorySpace())
    return std::nullopt;
  std::optional<Target> target;
  for (Operation *op = access.op; op && !target; op = op->getParentOp())
    if (auto attr = op->getAttrOfType<TargetAttr>("tensoraccess.target"))
      target = attr.getValue();
  const MemorySpace *space = nullptr;
  auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(type.getMemorySpace());
  if (gpuSpace && gpuSpace.getValue() != gpu::AddressSpace::Workgroup)
    return std::nullopt;
  if (gpuSpace && target) {
    space = target->findSpace("workgroup");
    if (!space)
      space = target->findSpace("shared");
  }
  if (auto number = dyn_cast<IntegerAttr>(type.getMemorySpace());
      number && target)
    space = target->findSpace(number.getInt());
  if (space)
    return space->banks ? std::optional(*space) : std::nullopt;
  if (!gpuSpace)
    return std::nullopt;
  MemorySpace shared;
  shared.name = "workgroup";
  shared.banks = 32;
  shared.bankBytes = 4;
  return shared;
}

AccessCoalescing tensoraccess::getCoalescing(MemoryAccess access,
                                             const CoalescingModel &model) {
  AccessCoalescing result;
  result.access = std::move(access);
  const MemoryAccess &a = result.access;
  if (a.reason != IndexingReason::None) {
    result.reason = describe(a.reason).str();
    return result;
  }
  if (a.numbers.isUnknown()) {
    result.reason = describe(a.numbers.getUnknownReason()).str();
    return result;
  }
  if (a.elementBits <= 0) {
    result.reason = "the element type has no size";
    return result;
  }

  CoalescingOptions options;
  options.lanes = model.lanes;
  options.transactionBytes = model.transactionBytes;
  options.elementBits = a.elementBits;
  IndexingMap map = a.numbers;
  auto find = [&](DimKind kind, unsigned axis = 0) -> int {
    for (auto [i, dim] : llvm::enumerate(a.dims))
      if (dim.kind == kind && dim.axis == axis)
        return i;
    return -1;
  };
  int threads[] = {find(DimKind::Thread, 0), find(DimKind::Thread, 1),
                   find(DimKind::Thread, 2)};
  auto sizeOf = [&](int dim) -> std::optional<int64_t> {
    return dim < 0 ? std::optional<int64_t>(1) : map.getDimRanges()[dim].size();
  };
  Operation *scope = a.op->getParentOfType<gpu::LaunchOp>();
  if (!scope)
    scope = a.op->getParentOfType<FunctionOpInterface>();
  if (threads[0] >= 0 || threads[1] >= 0 || threads[2] >= 0) {
    std::optional<int64_t> row = sizeOf(threads[0]);
    bool joins = (threads[1] >= 0 || threads[2] >= 0) && row &&
                 *row % model.lanes != 0 && sizeOf(threads[1]) &&
                 sizeOf(threads[2]);
    if (joins) {
      map = joinThreads(map, threads);
      options.lane = 0;
    } else {
      options.lane = threads[0] >= 0   ? threads[0]
                     : threads[1] >= 0 ? threads[1]
                                       : threads[2];
    }
  } else if (int lane = find(DimKind::Lane); lane >= 0) {
    options.lane = lane;
  } else if (int global = find(DimKind::Global); global >= 0) {
    options.lane = global;
  } else if (map.getNumSymbols() == 0 && !a.dims.empty() &&
             a.dims.back().kind == DimKind::Loop) {
    // Not thread ids, not a vector: the innermost loop.
    auto loop = dyn_cast_or_null<LoopLikeOpInterface>(
        Value(a.dims.back().inductionVariable).getParentBlock()->getParentOp());
    auto steps = loop ? loop.getLoopSteps() : std::nullopt;
    // Upstream's interface does not tell the steps of affine.parallel.
    auto parallel =
        dyn_cast_or_null<affine::AffineParallelOp>(loop.getOperation());
    if (parallel ? parallel.getSteps().back() == 1
                 : steps && !steps->empty() &&
                       isConstantIntValue(steps->back(), 1)) {
      options.lane = a.dims.size() - 1;
      scope = loop;
    }
  }
  if (map.isUnknown()) {
    result.reason = describe(map.getUnknownReason()).str();
    return result;
  }
  if (options.lane)
    result.lane = map.getVariableName(*options.lane);
  const unsigned firstSymbol = map.getNumDims();
  const unsigned firstRuntime = firstSymbol + map.getNumSymbols();
  for (unsigned v = firstSymbol; v < firstRuntime; ++v)
    options.vector.push_back(v);
  for (auto [i, value] : llvm::enumerate(a.runtimeValues))
    if (!options.lane || isUniform(value, scope))
      options.uniform.push_back(firstRuntime + i);
  if (std::optional<std::string> problem = verify(options, map)) {
    result.reason = *problem;
    return result;
  }
  if (std::optional<MemorySpace> space = getBankedSpace(a)) {
    result.space = space->name;
    BankOptions banks;
    banks.access = options;
    banks.banks = space->banks;
    banks.bankBytes = space->bankBytes;
    if (!verify(banks, map))
      result.banks = getBankConflicts(map, banks).value;
  }
  CoalescingResult counted = tensoraccess::getCoalescing(map, options);
  result.value = counted.value;
  if (!counted.value)
    result.reason = describe(counted.reason).str();
  return result;
}

std::vector<AccessCoalescing>
tensoraccess::getMemoryCoalescing(Operation *root,
                                  const CoalescingModel &model) {
  std::vector<AccessCoalescing> result;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (std::optional<MemoryAccess> access = getMemoryAccess(op))
      result.push_back(getCoalescing(std::move(*access), model));
  });
  return result;
}
