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
      row.add("coalesced reads", toRatio(used, moved));
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
  Bounds saved, lost, repeated;
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

/// Adds what the readers would read of what the producer reads, and what the producer
/// would read no more.
static void addOperands(Edge &edge, const ProgramStep &producer, Value array,
                        ArrayRef<ProgramSteps::Reader> readers, bool isGone) {
  const bool isOnly = producer.results.size() == 1;
  for (const ProgramStep::Read &operand : producer.reads) {
    const Bounds size = getArrayBytes(operand.value);
    // The rest of what is updated in place is read, too.
    Bounds bytes = operand.bytes;
    if (operand.isInPlace) {
      bytes = size.without(producer.getBytesWritten().getMost());
      if (bytes.upper && operand.bytes.upper)
        bytes.upper = *bytes.upper + *operand.bytes.upper;
    }
    Bounds same;
    for (auto [reader, read] : readers) {
      if (!read)
        continue;
      // Of the whole array, all that the producer reads.
      const bool isWhole = isOnly && read->bytes.isExact() &&
                           read->bytes.lower == getArrayBytes(array).lower;
      const ProgramStep::Read *known = reader->find(operand.value);
      if (isWhole && !known && !operand.isInPlace) {
        same += reader->times;
        continue;
      }
      Bounds more = isWhole ? bytes : Bounds::atMost(bytes.upper);
      // Without symbols a map reads one element for each of the array.
      if (!operand.isInPlace && operand.reason.empty() &&
          llvm::all_of(operand.maps, [](const IndexingMap &map) {
            return !map.isUnknown() && map.getNumSymbols() == 0;
          })) {
        Bounds most = read->unique.times(Bounds::exactly(operand.maps.size()))
                          .times(Bounds::exactly(
                              getElementBytes(operand.value.getType())));
        if (most.upper && more.upper && *most.upper < *more.upper)
          more.upper = most.upper;
      }
      if (known) {
        // What the reader reads of it already is read once.
        more.lower -=
            std::min(more.lower, known->bytes.upper.value_or(UINT64_MAX));
        Bounds rest = size.without(known->bytes.lower);
        if (!more.upper || (rest.upper && *rest.upper < *more.upper))
          more.upper = rest.upper;
      }
      edge.lost += more.times(reader->times);
    }
    // As much of it for as many runs, however much that is.
    const Bounds runs = isGone ? producer.times : Bounds();
    const uint64_t common = std::min(runs.lower, same.lower);
    edge.saved += operand.bytes.times(runs.without(common));
    edge.lost += operand.bytes.times(same.without(common));
  }
}

static Edge judge(const ProgramStep &producer, unsigned result,
                  ArrayRef<ProgramSteps::Reader> readers, bool isKept) {
  Edge edge;
  const Value array = producer.results[result];
  // Then it runs no more.
  const bool isGone = !isKept && producer.results.size() == 1;
  // Of all runs.
  Bounds all;
  const ProgramStep::Read *worst = nullptr;
  bool isTiled = false;
  for (auto [reader, read] : readers) {
    if (!read) {
      edge.forbids = reader->name + " reads it in a region";
      continue;
    }
    edge.saved += read->bytes.times(reader->times);
    all += read->reads.times(reader->times);
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
  if (!isKept)
    edge.saved += producer.written[result].times(producer.times);
  addOperands(edge, producer, array, readers, isGone);
  // What is computed for each element of the array, of one result at most all.
  const Bounds elements = getElements(array), &computed = producer.computed;
  edge.repeated = {0, std::nullopt};
  if (computed.isZero())
    edge.repeated = Bounds();
  else if (elements.isExact() && computed.upper) {
    edge.repeated = all.scaled(*computed.upper, elements.lower);
    edge.repeated.lower = producer.results.size() == 1
                              ? all.scaled(computed.lower, elements.lower).lower
                              : 0;
    if (isGone)
      edge.repeated =
          edge.repeated.without(computed.times(producer.times).lower);
  }
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
    } else if (!isGone) {
      edge.spoils = "its other results are still computed";
    } else if (!worst->reads.isExact()) {
      edge.spoils = "it is read at indices that are known at runtime only";
    }
    if (!edge.spoils.empty() && producer.operations.isZero())
      edge.spoils += "; what is repeated are comparisons, choices and the like";
  }
  return edge;
}

ExplainSection tensoraccess::explainEdges(ProgramSteps &program) {
  ExplainSection section{"edges", "edges that are not fused", {}, {}};
  Bounds saved, lost;
  size_t numFree = 0;
  for (const ProgramStep &producer : program.getSteps())
    for (auto [result, array] : llvm::enumerate(producer.results)) {
      bool isKept;
      SmallVector<ProgramSteps::Reader, 4> readers =
          program.getReaders(array, isKept);
      if (readers.empty() || getArrayBytes(array).isZero())
        continue;
      Edge edge = judge(producer, result, readers, isKept);
      const Difference saves = Difference::get(edge.saved, edge.lost);
      if (saves.lower == 0 && saves.upper == 0)
        continue;
      ExplainRow &row = section.rows.emplace_back(makeRow(program, producer));
      row.add("into", joinNames(readers))
          .add("saves", saves)
          .add("repeats", edge.repeated);
      if (!edge.forbids.empty()) {
        row.add("verdict", "cannot").text = edge.forbids;
      } else if (!edge.spoils.empty()) {
        row.add("verdict", edge.isTiled ? "tiled" : "repeats").text =
            edge.spoils;
      } else if (!edge.repeated.isZero()) {
        row.add("verdict", "unknown").text = "how much it computes is unknown";
      } else if (saves.upper && *saves.upper < 0) {
        row.add("verdict", "loses").text = "more is read than before";
      } else {
        row.add("verdict", "free");
        saved += edge.saved;
        lost += edge.lost;
        ++numFree;
      }
      // The update is done still.
      if (edge.forbids.empty() && isKept)
        for (const ProgramStep::Read &operand : producer.reads)
          if (operand.isInPlace)
            row.text += (row.text.empty() ? "" : "; ") + producer.name +
                        " overwrites " + program.getName(operand.value) +
                        " in place, which would have to be read before";
    }
  sortRows(section, "saves");
  section.summary =
      section.rows.empty()
          ? "no step reads what another one wrote"
          : plural(section.rows.size(), "edge") + ", " +
                Bounds::exactly(numFree).str() +
                " of which could be fused without computing anything twice; "
                "that saves " +
                Difference::get(saved, lost).str() + " bytes, each taken alone";
  return section;
}
