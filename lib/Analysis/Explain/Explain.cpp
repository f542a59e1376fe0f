//===- Explain.cpp - What a compiler made of a program --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

using namespace mlir;
using namespace mlir::tensoraccess;

const Bounds *ExplainRow::find(StringRef key) const {
  for (const ExplainCell &cell : cells)
    if (cell.key == key)
      return std::get_if<Bounds>(&cell.value);
  return nullptr;
}

const ExplainSection *Explanation::find(StringRef key) const {
  auto it = llvm::find_if(
      sections, [&](const ExplainSection &s) { return s.key == key; });
  return it == sections.end() ? nullptr : &*it;
}

std::optional<Explanation> tensoraccess::explain(ModuleOp module,
                                                 std::string &error,
                                                 FusionAnalysis *fusion) {
  std::unique_ptr<ProgramSteps> program =
      ProgramSteps::get(module, error, fusion);
  if (!program)
    return std::nullopt;
  Explanation result;
  result.entry = program->getEntry();
  FunctionOpInterface entry = program->getEntry();
  result.program =
      (module.getName().value_or("") + "@" + entry.getName()).str();
  Bounds bytes, operations, distinct, least, openBytes, openOperations;
  bool isOpen = false;
  for (const ProgramStep &step : program->getSteps()) {
    (step.isOpen ? openBytes : bytes) += step.getAllBytes();
    (step.isOpen ? openOperations : operations) +=
        step.operations.times(step.times);
    if (!step.isOpen)
      distinct += step.distinct.times(step.times);
    isOpen |= step.isOpen;
  }
  // What is read of arguments once, results once.
  for (Value argument : entry.getArguments()) {
    bool isKept;
    Bounds read;
    for (const auto &[reader, found] : program->getReaders(argument, isKept))
      read += found ? found->bytes : getArrayBytes(argument);
    const Bounds whole = getArrayBytes(argument);
    if (!argument.use_empty())
      least += !isKept && read.upper && read.getMost() < whole.getMost()
                   ? read
                   : whole;
  }
  if (entry.getFunctionBody().hasOneBlock())
    for (Value result : entry.getFunctionBody().front().back().getOperands())
      least += getArrayBytes(result);
  result.totals = {{"steps", Bounds::exactly(program->getSteps().size())},
                   {"bytes", bytes},
                   {"leastBytes", least},
                   {"operations", operations},
                   {"leastOperations", distinct}};
  if (isOpen) {
    result.totals.push_back({"roundBytes", openBytes});
    result.totals.push_back({"roundOperations", openOperations});
  }
  for (auto explainSection :
       {explainPlaces, explainFusions, explainEdges, explainCopies,
        explainPadding, explainSlices, explainCollectives})
    result.sections.push_back(explainSection(*program));
  return result;
}
