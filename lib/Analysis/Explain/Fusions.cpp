//===- Fusions.cpp - What is fused, and what is not -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/Analysis/MemoryCoalescing.h"
#include "TensorAccess/Analysis/Report.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Steps whose reads are followed lane by lane, the costliest.
static constexpr size_t kMostCoalescing = 64;

static double toRatio(uint64_t part, uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 1;
}

/// `64`, `2.5`.
static std::string toTimes(uint64_t over, uint64_t under) {
  return ReportMetric{"", toRatio(over, under)}.str();
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

ExplainSection tensoraccess::explainPlaces(ProgramSteps &program) {
  ExplainSection section{"places", "most bytes", {}, {}};
  Bounds all;
  for (const ProgramStep &step : program.getSteps())
    all += step.getAllBytes();
  for (const ProgramStep &step : program.getSteps()) {
    const Bounds bytes = step.getAllBytes();
    if (bytes.isZero())
      continue;
    ExplainRow &row = section.rows.emplace_back(makeRow(program, step));
    row.add("bytes", bytes);
    if (all.upper && bytes.upper)
      row.add("share", toRatio(*bytes.upper, *all.upper));
    row.add("read", step.getBytesRead().times(step.times))
        .add("written", step.getBytesWritten().times(step.times))
        .add("operations", step.operations.times(step.times));
    if (const uint64_t padding = getPadding(step))
      row.add("padding", Bounds::exactly(padding));
    if (step.isOpen)
      row.add("runs", step.times.times({0, std::nullopt}));
    else if (!step.times.isExact() || step.times.lower != 1)
      row.add("runs", step.times);
    for (const ProgramStep::Read &read : step.reads)
      if (!read.reason.empty() && row.text.empty())
        row.text = "how it reads " + program.getName(read.value) +
                   " is unknown: " + read.reason;
  }
  sortRows(section, "bytes");
  return section;
}

//===----------------------------------------------------------------------===//
// Fusions
//===----------------------------------------------------------------------===//

ExplainSection tensoraccess::explainFusions(ProgramSteps &program) {
  ExplainSection section{"fusions", "fusions", {}, {}};
  std::vector<const ProgramStep *> fusions;
  for (const ProgramStep &step : program.getSteps())
    if (step.isFusion())
      fusions.push_back(&step);
  if (fusions.empty()) {
    section.summary = "nothing is fused";
    return section;
  }
  // By bytes, those of equal cost as they run.
  auto getCost = [](const ProgramStep *step) {
    return step->getAllBytes().getMost();
  };
  llvm::sort(fusions, [&](const ProgramStep *a, const ProgramStep *b) {
    return std::pair(getCost(b), a) < std::pair(getCost(a), b);
  });
  Bounds repeated;
  for (auto [i, step] : llvm::enumerate(fusions)) {
    ExplainRow &row = section.rows.emplace_back(makeRow(program, *step));
    row.add("bytes", step->getAllBytes());
    Bounds again;
    SmallVector<std::string> partial;
    double least = 1;
    for (const ProgramStep::Read &read : step->reads) {
      if (read.reads.isExact() && read.unique.isExact() &&
          read.unique.lower > 1)
        again +=
            Bounds::exactly(read.reads.lower - read.unique.lower)
                .times(Bounds::exactly(getElementBytes(read.value.getType())));
      Bounds whole = getArrayBytes(read.value);
      if (read.isInPlace || !read.bytes.upper || !whole.upper ||
          *whole.upper == 0)
        continue;
      const double used = toRatio(*read.bytes.upper, *whole.upper);
      least = std::min(least, used);
      if (used < 1)
        partial.push_back(llvm::formatv("{0}{1} of {2}",
                                        read.bytes.isExact() ? "" : "at most ",
                                        llvm::formatv("{0:P1}", used).str(),
                                        program.getName(read.value))
                              .str());
    }
    const bool isKnown = step->operations.isExact() && step->distinct.isExact();
    row.add("operations", step->operations.times(step->times));
    if (!step->isTiled()) {
      row.add("rereads", again.times(step->times));
      if (isKnown) {
        const uint64_t more = step->operations.lower - step->distinct.lower;
        const Bounds sum = Bounds::exactly(more).times(step->times);
        row.add("repeated", sum);
        repeated += sum;
        if (more)
          row.text = "each operation is done " +
                     toTimes(step->operations.lower, step->distinct.lower) +
                     " times on average";
      }
    }
    row.add("utilization", least);
    if (!partial.empty())
      row.text += (row.text.empty() ? "" : "; ") +
                  ("reads " + llvm::join(partial, ", "));
    if (i >= kMostCoalescing || !step->callee || step->isTiled())
      continue;
    uint64_t used = 0, moved = 0;
    bool isCounted = true;
    for (const OperandCoalescing &read :
         getReadCoalescing(step->op(), program.getFusion().getCache())) {
      isCounted &= read.value.has_value();
      if (read.value) {
        used += read.value->bytesUsed;
        moved += read.value->bytesMoved;
      }
    }
    if (isCounted && moved)
      row.add("coalescing", toRatio(used, moved));
  }
  section.summary = plural(fusions.size(), "fusion") + ", " + repeated.str() +
                    " operations repeated in them";
  return section;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

namespace {
/// What fusing the producer of an array into all that read it would do.
struct Edge {
  Bounds saved, repeated;
  /// Why it can't be, and what spoils it; empty if nothing does.
  std::string forbids, spoils;
  /// A reader works in tiles of its own, so that less may be repeated.
  bool isTiled = false;
};
} // namespace

/// Steps that are done as they are: by a library, or all at once.
static StringRef getWhole(const ProgramStep &step) {
  if (step.isOpaque())
    return "is opaque";
  static constexpr StringLiteral kWhole[] = {
      "all_gather",           "all_reduce",         "all_to_all",
      "collective_broadcast", "collective_permute", "reduce_scatter"};
  for (StringRef name : kWhole)
    if (isHlo(step.op(), name))
      return "exchanges data between devices";
  if (isHlo(step.op(), "sort") || isHlo(step.op(), "fft") ||
      isHlo(step.op(), "cholesky") || isHlo(step.op(), "triangular_solve") ||
      isHlo(step.op(), "rng_bit_generator"))
    return "needs its whole operands at once";
  return {};
}

/// Why elements are read more than once, in words, and the map.
static std::string describeRepetition(const ProgramStep::Read &read) {
  // The map with most points.
  auto count = [](const IndexingMap &map) {
    return boundReads(map, std::nullopt).getMost();
  };
  const IndexingMap *map = &read.maps.front();
  for (const IndexingMap &other : read.maps)
    if (count(other) > count(*map))
      map = &other;
  SmallVector<char> used;
  for (Form form : map->getResults())
    map->getArena().markUsed(form, used);
  SmallVector<std::string> dims;
  for (unsigned d = 0; d < map->getNumDims(); ++d)
    if ((d >= used.size() || !used[d]) && !map->getRanges()[d].isPoint())
      dims.push_back("d" + std::to_string(d));
  std::string text =
      !dims.empty() ? "for each " + llvm::join(dims, ", ") + " of the result"
      : read.maps.size() > 1
          ? "in " + std::to_string(read.maps.size()) + " ways"
          : std::string("windows overlap");
  return text + ", " + map->str();
}

static Edge judge(const ProgramStep &producer, Value array,
                  ArrayRef<ProgramSteps::Reader> readers, bool isKept) {
  Edge edge;
  const Bounds written = getArrayBytes(array), own = producer.getBytesRead();
  // Of all runs. Each reader would read what the producer reads, or a part of it.
  Bounds reads, all, runs;
  const ProgramStep::Read *worst = nullptr;
  bool isTiled = false;
  for (auto [reader, read] : readers) {
    if (!read) {
      edge.forbids = reader->name + " reads it in a region";
      continue;
    }
    reads += read->bytes.times(reader->times);
    all += read->reads.times(reader->times);
    runs += reader->times;
    isTiled |= reader->isTiled();
    if (!worst || read->reads.getMost() > worst->reads.getMost())
      worst = read;
    if (read->isInPlace)
      edge.forbids = reader->name + " changes it in place";
    else if (StringRef why = getWhole(*reader); !why.empty())
      edge.forbids = reader->name + " " + why.str();
    else if (!read->reason.empty())
      edge.spoils =
          "how " + reader->name + " reads it is unknown: " + read->reason;
  }
  if (StringRef why = getWhole(producer); !why.empty())
    edge.forbids = producer.name + " " + why.str();
  // What is stored for others is stored still.
  edge.saved = reads;
  if (!isKept) {
    edge.saved += written.times(producer.times);
    runs = runs.without(producer.times.lower);
  }
  edge.saved.lower -= std::min(edge.saved.lower, own.times(runs).getMost());
  // Operations for each element of the array.
  const std::optional<uint64_t> size = getElementBytes(array.getType());
  if (written.upper && size && *size && producer.operations.upper)
    edge.repeated =
        all.scaled(*producer.operations.upper, *written.upper / *size)
            .without(isKept ? 0
                            : producer.operations.times(producer.times).lower);
  else
    edge.repeated = {0, std::nullopt};
  if (isTiled && !edge.repeated.isZero()) {
    edge.repeated = Bounds::atMost(edge.repeated.upper);
    edge.isTiled = true;
  }
  if (edge.spoils.empty() && !edge.repeated.isZero() && worst) {
    if (worst->reads.isExact() && worst->unique.isExact() &&
        worst->reads.lower > worst->unique.lower) {
      edge.spoils = "each element is read " +
                    toTimes(worst->reads.lower, worst->unique.lower) +
                    " times: " + describeRepetition(*worst);
    } else if (readers.size() > 1) {
      edge.spoils =
          std::to_string(readers.size()) + " steps would each compute it";
    } else if (isKept) {
      edge.spoils = "it is stored for others, too, and would be computed twice";
    } else if (!worst->reads.isExact()) {
      edge.spoils = "it is read at indices that are known at runtime only";
    }
  }
  return edge;
}

ExplainSection tensoraccess::explainEdges(ProgramSteps &program) {
  ExplainSection section{"edges", "edges that are not fused", {}, {}};
  Bounds free;
  size_t numFree = 0;
  for (const ProgramStep &producer : program.getSteps())
    for (Value array : producer.results) {
      bool isKept;
      SmallVector<ProgramSteps::Reader, 4> readers =
          program.getReaders(array, isKept);
      if (readers.empty() || getArrayBytes(array).isZero())
        continue;
      Edge edge = judge(producer, array, readers, isKept);
      if (edge.saved.isZero())
        continue;
      ExplainRow &row = section.rows.emplace_back(makeRow(program, producer));
      row.add("into", joinNames(readers))
          .add("saves", edge.saved)
          .add("repeats", edge.repeated);
      if (!edge.forbids.empty()) {
        row.add("verdict", "cannot").text = edge.forbids;
      } else if (!edge.spoils.empty()) {
        row.add("verdict", edge.isTiled ? "tiled" : "repeats").text =
            edge.spoils;
      } else if (!edge.repeated.isZero()) {
        row.add("verdict", "unknown").text =
            "how many operations it takes is unknown";
      } else {
        row.add("verdict", "free");
        free += edge.saved;
        ++numFree;
      }
    }
  sortRows(section, "saves", /*isCertain=*/true);
  section.summary =
      section.rows.empty()
          ? "no step reads what another one wrote"
          : plural(section.rows.size(), "edge") + ", " +
                Bounds::exactly(numFree).str() +
                " of which could be fused without computing anything twice; "
                "that saves " +
                free.str() + " bytes, each taken alone";
  return section;
}
