//===- Collectives.cpp - What devices send --------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes that a device sends and receives at least, for any algorithm: an element
// of a sum that is wanted by n devices leaves each of them n - 1 of n times, and
// comes back as often; a gathered one comes from the others once.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/StableHlo/HloModule.h"
#include "TensorAccess/StableHlo/StableHloReader.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Devices of a group; the program's if it names none, 0 if that
/// is unknown.
static int64_t getGroupSize(ModuleOp module, Operation *op) {
  if (auto groups =
          dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("replica_groups"));
      groups && groups.getType().getRank() == 2 && groups.getNumElements())
    return groups.getType().getDimSize(1);
  auto get = [&](StringRef name) -> int64_t {
    auto number = module->getAttrOfType<IntegerAttr>(name);
    return number ? number.getInt() : 1;
  };
  auto count = checkedMul(get("mhlo.num_partitions"), get("mhlo.num_replicas"));
  return count.value_or(0) > 1 ? *count : 0;
}

ExplainSection tensoraccess::explainCollectives(ProgramSteps &program) {
  ExplainSection section{"collectives", "collectives", {}, {}};
  auto module = program.getEntry()->getParentOfType<ModuleOp>();
  Bounds all, least;
  for (const ProgramStep &step : program.getSteps()) {
    Operation *op = step.op();
    const StringRef name = isHlo(op) ? getHloName(op) : StringRef();
    const bool isReduce = name == "all_reduce", isGather = name == "all_gather",
               isScatter = name == "reduce_scatter",
               isAll = name == "all_to_all",
               isOne = name == "collective_permute",
               isFrom = name == "collective_broadcast";
    if (!isReduce && !isGather && !isScatter && !isAll && !isOne && !isFrom)
      continue;
    ExplainRow &row = section.rows.emplace_back(makeRow(program, step));
    const int64_t size = getGroupSize(module, op);
    Bounds given, made, read;
    for (Value operand : op->getOperands())
      given += getArrayBytes(operand);
    bool isWhole = true;
    for (Value result : op->getResults()) {
      made += getArrayBytes(result);
      // What of it is wanted.
      bool isKept;
      SmallVector<ProgramSteps::Reader, 4> readers =
          program.getReaders(result, isKept);
      Bounds wanted;
      for (const ProgramSteps::Reader &reader : readers)
        if (reader.read)
          wanted += reader.read->bytes;
      if (isKept || readers.size() != 1 || !readers.front().read ||
          !wanted.isExact())
        wanted = getArrayBytes(result);
      else
        isWhole &= wanted.lower == getArrayBytes(result).lower;
      read += wanted;
    }
    auto getSent = [&](const Bounds &bytes) {
      if (size == 0 && !isOne)
        return Bounds{0, std::nullopt};
      if (isReduce)
        return bytes.scaled(2 * (size - 1), size);
      if (isGather || isAll)
        return bytes.scaled(size - 1, size);
      if (isScatter)
        return bytes.times(Bounds::exactly(size - 1));
      return bytes;
    };
    const Bounds sent = getSent(made).times(step.times);
    // A sum of which each device wants only its part is a reduce-scatter.
    Bounds wanted = isWhole ? sent : getSent(read).times(step.times);
    all += sent;
    least += wanted;
    row.add("sent", sent).add("needed", wanted);
    if (size)
      row.add("devices", Bounds::exactly(size));
    if (size == 0 && !isOne)
      row.text = "how many devices a group has is unknown";
    else if (!isWhole)
      row.text =
          "only " + read.str() + " of " + made.str() +
          " bytes of its result are read" +
          (isReduce ? ": a reduce-scatter, or the slice first, sends less"
                    : ": slicing before it sends less");
  }
  sortRows(section, "sent");
  section.summary = section.rows.empty()
                        ? "there are none"
                        : "each device sends " + all.str() +
                              " bytes; what is read needs " + least.str();
  return section;
}
