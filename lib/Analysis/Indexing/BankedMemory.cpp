//===- BankedMemory.cpp - Loads and stores of memory in banks -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer says in which memory it lies: by the GPU's name for what a workgroup
// shares, or by a number. What that memory is cut into, the module's target
// says; what a workgroup shares has 32 banks of 4 bytes where it doesn't.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::optional<MemorySpace>
tensoraccess::getBankedSpace(const MemoryAccess &access) {
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
