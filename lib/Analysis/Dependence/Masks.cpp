//===- Masks.cpp - What masks make idle -----------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Masks.h"
#include "Regions.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

MaskAnalysis::MaskAnalysis(Dependence &dependence) : dependence(dependence) {
  const FlatProgram &program = dependence.getProgram();
  isPure = !program.results.empty() &&
           llvm::all_of(program.steps, [](const FlatStep &step) {
             return !step.op->use_empty() || isMemoryEffectFree(step.op) ||
                    isKnownPure(step.op);
           });
}

std::optional<SmallVector<IndexingMap>>
MaskAnalysis::getUses(unsigned value) const {
  SmallVector<IndexingMap> maps;
  if (!isPure)
    return std::nullopt;
  for (unsigned r = 0; r < dependence.getProgram().results.size(); ++r) {
    if (dependence.getLost(r))
      return std::nullopt;
    llvm::append_range(maps, dependence.getMaps(r, value));
  }
  return maps;
}

SmallVector<IndexingMap> MaskAnalysis::getReads(unsigned s, unsigned read) {
  const FlatStep &step = dependence.getProgram().steps[s];
  SmallVector<IndexingMap> all = dependence.getStep(s, 0, read);
  auto needs = getUses(step.results[0]);
  if (!needs)
    return all;
  // The elements that matter, as regions.
  SmallVector<IndexingMap> regions;
  for (const IndexingMap &map : *needs) {
    std::optional<IndexingMap> back = inverse(map);
    std::optional<IndexingMap> region =
        back ? regions::project(*back) : std::nullopt;
    if (!region || region->getNumRuntime() != 0)
      return all;
    regions.push_back(std::move(*region));
  }
  SmallVector<IndexingMap> maps;
  for (const IndexingMap &map : all)
    for (unsigned i = 0; i < regions.size(); ++i) {
      bool isMore = false;
      llvm::append_range(
          maps, regions::cutAll(regions::join(map, regions[i]).simplify(),
                                ArrayRef(regions).take_front(i), &isMore,
                                regions::Side::Dims));
      if (isMore)
        return all;
    }
  return maps;
}

MaskedStep MaskAnalysis::getStep(unsigned s) {
  const FlatStep &step = dependence.getProgram().steps[s];
  MaskedStep masked;
  if (step.results.size() != 1 ||
      dependence.getFacts().isClosed(step.results[0]))
    return masked;
  auto needs = getUses(step.results[0]);
  IndexingReason reason;
  auto shape = getIndexSpace(
      dependence.getProgram().values[step.results[0]].getType(), reason);
  if (needs && shape) {
    auto part = countUnion(*needs);
    auto whole = countPoints(regions::getAll(*shape));
    if (part && whole)
      masked.elements = {*part, *whole};
  }
  for (unsigned o = 0; o < step.numOperands; ++o) {
    if (dependence.getFacts().isClosed(step.reads[o]))
      continue;
    const IndexingSet &set =
        dependence.getCache().get(step.op).outputToInput(0, o);
    if (set.isUnknown() || set.size() != 1)
      continue;
    std::optional<uint64_t> whole = countPoints(set.getMaps()[0]);
    Share share{0, whole.value_or(0)};
    for (const IndexingMap &map : getReads(s, o)) {
      std::optional<uint64_t> part = countPoints(map);
      whole = part ? whole : std::nullopt;
      share.part += part.value_or(0);
    }
    if (whole && share.isLess() &&
        (!masked.reads || share.part < masked.reads->part))
      masked.reads = share;
  }
  return masked;
}
