//===- FusionReport.cpp - The sections on fusion and utilization ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Section `fusion`:
//   group     the whole function as one fusion, or the part of it that the
//             options `root` and `through` choose;
//   operand   what that group loads of each operand;
//   producer  what it computes of each value inside;
//   edge      what fusing one value into one op that uses it would compute.
// Section `utilization`: `operand` for each operand of each op.
// Section `footprint`: `operand` and `result` for each op, and `function`.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockSpace.h"
#include "TensorAccess/Analysis/Masks.h"
#include "TensorAccess/Analysis/Report.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Tensors and patterns; scalars and index values are not in memory.
static bool isData(Type type) { return isa<ShapedType, AccessType>(type); }

/// `1 element`, `5 elements`.
static std::string countOf(uint64_t count, StringRef noun) {
  return (Twine(count) + " " + noun + (count == 1 ? "" : "s")).str();
}

/// `once`, `twice`, `7 times`, `2.5 times`.
static std::string timesOf(uint64_t over, uint64_t under) {
  if (under == 0 || over == 0)
    return "never";
  if (over == under)
    return "once";
  if (over == 2 * under)
    return "twice";
  std::string text =
      ReportMetric{"", static_cast<double>(over) / static_cast<double>(under)}
          .str();
  return text + " times";
}

/// The metrics that all counts share.
static ReportItem &addCounts(ReportItem &item, const ReadCounts &counts,
                             Type type) {
  return item.metric("Patterns", uint64_t(counts.patterns))
      .optional("Elements", counts.elements)
      .optional("Reads", counts.reads)
      .optional("Unique", counts.unique)
      .optional("Rereads", counts.rereads())
      .ratio("Multiplicity", counts.reads, counts.unique)
      .ratio("Utilization", counts.unique, counts.elements)
      .optional("Bytes", multiplyCounts(getElementBytes(type), counts.unique));
}

/// `linalg.generic: dynamic shape`: the op that hides the answer, and why.
static std::string reasonOf(const ReadCounts &counts, Operation *op) {
  if (counts.culprit)
    op = counts.culprit;
  if (!op)
    return counts.reason;
  return op->getName().getStringRef().str() + ": " + counts.reason;
}

//===----------------------------------------------------------------------===//
// fusion
//===----------------------------------------------------------------------===//

/// How often, and through what: a sentence about one value of a group.
static std::string sayHow(const ValueFusion &use, StringRef name,
                          StringRef verb) {
  if (use.maps.empty())
    return (name + " is not " + verb).str();
  std::string text = (name + " is " + verb + " ").str();
  text += use.maps.size() == 1 ? "in one way"
          : use.maps.size() == 2
              ? "in two ways"
              : "in " + std::to_string(use.maps.size()) + " ways";
  text += ": " + llvm::join(use.paths, "; ");
  if (use.counts.reads && use.counts.unique)
    text += "; each of " + countOf(*use.counts.unique, "element") + " " +
            timesOf(*use.counts.reads, *use.counts.unique);
  return text;
}

static Location locationOf(Value value, FunctionOpInterface function) {
  Location location = value.getLoc();
  return isa<UnknownLoc>(location) ? function.getLoc() : location;
}

/// The group that `root` and `through` choose; std::nullopt after an item gave
/// the reason.
static std::optional<FusionGroup> chooseGroup(ReportContext &report) {
  FunctionOpInterface function = report.getFunction();
  StringRef root = report.getOption("root");
  if (root.empty()) {
    std::optional<FusionGroup> group = FusionGroup::get(function);
    if (!group)
      report.addMissed("group", function.getLoc(),
                       "the body is not one block that ends in a return");
    return group;
  }
  std::string error;
  Operation *op = findOp(function, root, error);
  if (!op) {
    report.addMissed("group", function.getLoc(), error);
    return std::nullopt;
  }
  SmallVector<StringRef> through;
  report.getOption("through").split(through, ',', -1, /*KeepEmpty=*/false);
  return FusionGroup::get(
      SmallVector<Value>(op->getResults()), [&](Operation *producer) {
        return through.empty() ||
               llvm::is_contained(through, producer->getName().getStringRef());
      });
}

static void reportGroup(ReportContext &report) {
  std::optional<FusionGroup> group = chooseGroup(report);
  if (!group)
    return;
  FunctionOpInterface function = report.getFunction();
  GroupFusion fusion = report.getFusion().analyze(std::move(*group));
  ReportItem &total = report.add("group", function.getLoc());
  total.metric("Ops", uint64_t(fusion.group.getOps().size()))
      .metric("Results", uint64_t(fusion.group.getResults().size()))
      .metric("Operands", uint64_t(fusion.group.getOperands().size()))
      .optional("Computed", fusion.computed)
      .optional("Needed", fusion.needed)
      .ratio("RecomputeFactor", fusion.computed, fusion.needed);
  if (fusion.computed && fusion.needed)
    total.say("fused as a whole, " + countOf(*fusion.computed, "element") +
              " are computed where " + std::to_string(*fusion.needed) +
              " differ");

  for (const ValueFusion &use : fusion.operands) {
    Type type = use.value.getType();
    Location location = locationOf(use.value, function);
    std::string name = report.nameOf(use.value);
    if (!use.counts.reason.empty())
      report.addMissed("operand", location, reasonOf(use.counts, nullptr))
          .label("Operand", name)
          .optional("Elements", use.counts.elements)
          .optional("Unique", use.counts.unique)
          .say(use.maps.empty() ? "how " + name + " is read is not known"
                                : sayHow(use, name, "read"));
    else
      addCounts(report.add("operand", location).label("Operand", name),
                use.counts, type)
          .say(sayHow(use, name, "read"));
  }
  for (const ValueFusion &use : fusion.producers) {
    Type type = use.value.getType();
    if (!isData(type))
      continue;
    Operation *op = use.value.getDefiningOp();
    std::string name = report.nameOf(use.value);
    StringRef producer = op->getName().getStringRef();
    if (!use.counts.reason.empty())
      report.addMissed("producer", op->getLoc(), reasonOf(use.counts, nullptr))
          .label("Producer", producer)
          .label("Value", name)
          .optional("Elements", use.counts.elements)
          .optional("Unique", use.counts.unique);
    else
      addCounts(report.add("producer", op->getLoc())
                    .label("Producer", producer)
                    .label("Value", name),
                use.counts, type)
          .say(sayHow(use, name, "computed"));
  }
}

static void reportEdges(ReportContext &report) {
  report.forEachOp([&](Operation *consumer) {
    if (consumer->getNumResults() == 0)
      return;
    llvm::SetVector<Value> values(consumer->operand_begin(),
                                  consumer->operand_end());
    for (Value value : values) {
      Operation *producer = value.getDefiningOp();
      // What needs no operands costs nothing to compute again.
      if (!producer || !isData(value.getType()) ||
          producer->getNumOperands() == 0)
        continue;
      ReadCounts counts = report.getFusion().analyzeEdge(value, consumer);
      StringRef from = producer->getName().getStringRef();
      StringRef into = consumer->getName().getStringRef();
      auto otherUses = llvm::count_if(
          value.getUsers(), [&](Operation *user) { return user != consumer; });
      auto label = [&](ReportItem &item) -> ReportItem & {
        return item.label("Producer", from)
            .label("Consumer", into)
            .label("Value", report.nameOf(value))
            .metric("OtherUses", uint64_t(otherUses));
      };
      if (!counts.reason.empty()) {
        label(report.addMissed("edge", consumer->getLoc(),
                               reasonOf(counts, consumer)))
            .optional("Elements", counts.elements)
            .optional("Unique", counts.unique)
            .say("what fusing " + from + " into " + into +
                 " computes again is not known");
        continue;
      }
      ReportItem &item = label(report.add("edge", consumer->getLoc()));
      addCounts(item, counts, value.getType());
      std::string times = timesOf(*counts.reads, *counts.unique);
      std::string what = "fusing " + from.str() + " into " + into.str();
      if (counts.patterns == 0)
        item.say(into + " reads no element of " + from + "'s result");
      else if (counts.rereads() == 0u)
        item.say(what + " computes nothing twice");
      else
        item.say(what + " computes each of " +
                 countOf(*counts.unique, "element") + " " + times);
    }
  });
}

void tensoraccess::reportFusion(ReportContext &report) {
  reportGroup(report);
  if (report.getOption("root").empty())
    reportEdges(report);
}

//===----------------------------------------------------------------------===//
// utilization
//===----------------------------------------------------------------------===//

/// The reads by elements that matter, and what they read, if that is less.
static void addMattering(ReportContext &report, ReportItem &item,
                         OpOperand &operand, const ReadCounts &counts) {
  Operation *op = operand.getOwner();
  std::optional<unsigned> step = report.getStep(op);
  if (!step || op->getNumResults() != 1)
    return;
  Dependence &dependence = *report.getDependence();
  const unsigned number = operand.getOperandNumber();
  const FlatStep &flat = dependence.getProgram().steps[*step];
  if (dependence.getFacts().isClosed(flat.results[0]) ||
      dependence.getFacts().isClosed(flat.reads[number]))
    return;
  ReadCounts own = report.getFusion().count(
      report.getMasks().getReads(*step, number), operand.get().getType());
  if (!own.reason.empty() || *own.reads >= *counts.reads)
    return;
  item.metric("ReadsThatMatter", *own.reads)
      .metric("UniqueThatMatter", *own.unique)
      .ratio("MultiplicityThatMatters", own.reads, own.unique)
      .ratio("UtilizationThatMatters", own.unique, counts.elements)
      .holds(dependence.usesFinite());
}

void tensoraccess::reportUtilization(ReportContext &report) {
  report.forEachOp([&](Operation *op) {
    if (op->getNumResults() == 0)
      return;
    StringRef name = op->getName().getStringRef();
    for (OpOperand &operand : op->getOpOperands()) {
      Type type = operand.get().getType();
      if (!isData(type))
        continue;
      ReadCounts counts = report.getFusion().analyzeOperand(operand);
      uint64_t number = operand.getOperandNumber();
      if (!counts.reason.empty()) {
        report.addMissed("operand", op->getLoc(), reasonOf(counts, op))
            .label("Op", name)
            .metric("Operand", number)
            .optional("Elements", counts.elements)
            .optional("Unique", counts.unique);
        continue;
      }
      ReportItem &item = report.add("operand", op->getLoc())
                             .label("Op", name)
                             .metric("Operand", number);
      addCounts(item, counts, type);
      addMattering(report, item, operand, counts);
      if (!counts.elements)
        continue;
      std::string all = countOf(*counts.elements, "element");
      if (*counts.unique == 0)
        item.say(name + " reads none of " + all);
      else
        item.say(name + " reads " + Twine(*counts.unique) + " of " + all +
                 ", each " + timesOf(*counts.reads, *counts.unique));
    }
  });
}

//===----------------------------------------------------------------------===//
// footprint
//===----------------------------------------------------------------------===//

static std::optional<uint64_t> bytesOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (shaped && !shaped.hasRank())
    return std::nullopt;
  return multiplyCounts(getElementBytes(type),
                        shaped ? elementCount(shaped.getShape()) : 1);
}

/// The hull of the images of all maps.
static Footprint getHullOfMaps(ArrayRef<IndexingMap> maps) {
  SmallVector<Box> boxes;
  bool isExact = true;
  for (const IndexingMap &map : maps) {
    Footprint next =
        getImage(map, nullptr, FusionAnalysis::kDefaultCountBudget);
    if (!next.hull)
      return next;
    if (next.hull->isEmpty())
      continue;
    boxes.push_back(*next.hull);
    isExact &= next.kind == Exactness::Exact && boxes.front() == boxes.back();
  }
  return {isExact ? Exactness::Exact : Exactness::Hull, getBoundingBox(boxes),
          std::nullopt};
}

void tensoraccess::reportFootprint(ReportContext &report) {
  uint64_t read = 0, written = 0;
  // The first thing whose bytes are not known.
  std::string why;
  auto add = [&](uint64_t &sum, std::optional<uint64_t> bytes,
                 const Twine &reason) {
    uint64_t total;
    if (bytes && !__builtin_add_overflow(sum, *bytes, &total))
      sum = total;
    else if (why.empty())
      why = reason.str();
  };
  report.forEachOp([&](Operation *op) {
    if (op->getNumResults() == 0 || op->getNumOperands() == 0)
      return;
    StringRef name = op->getName().getStringRef();
    const OpIndexing &indexing = report.getCache().get(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Type type = operand.get().getType();
      if (!isData(type))
        continue;
      unsigned o = operand.getOperandNumber();
      ReadCounts counts = report.getFusion().analyzeOperand(operand);
      std::optional<uint64_t> bytes =
          multiplyCounts(getElementBytes(type), counts.unique);
      add(read, bytes, reasonOf(counts, op));
      SmallVector<IndexingMap> maps;
      for (unsigned r = 0; r < op->getNumResults(); ++r)
        llvm::append_range(maps, indexing.outputToInput(r, o).getMaps());
      Footprint hull = getHullOfMaps(maps);
      ReportItem &item =
          counts.unique
              ? report.add("operand", op->getLoc())
              : report.addMissed("operand", op->getLoc(), reasonOf(counts, op));
      item.label("Op", name)
          .metric("Operand", uint64_t(o))
          .optional("OperandBytes", bytesOf(type))
          .optional("Unique", counts.unique)
          .optional("Bytes", bytes);
      if (hull.hull) {
        // The union of several boxes is a box if it is as large as its hull.
        bool isExact =
            hull.kind == Exactness::Exact ||
            (counts.unique && counts.unique == getVolume(*hull.hull));
        item.label("Hull", printBox(*hull.hull))
            .label("HullKind",
                   describe(isExact ? Exactness::Exact : Exactness::Hull));
      }
    }
    for (OpResult result : op->getResults()) {
      if (!isData(result.getType()))
        continue;
      std::optional<uint64_t> bytes = bytesOf(result.getType());
      add(written, bytes, name + ": no fixed size");
      report.add("result", op->getLoc())
          .label("Op", name)
          .metric("Result", uint64_t(result.getResultNumber()))
          .optional("Bytes", bytes);
    }
  });
  FunctionOpInterface function = report.getFunction();
  uint64_t arguments = 0, results = 0;
  for (Type type : function.getArgumentTypes())
    add(arguments, bytesOf(type), "an argument has no fixed size");
  for (Type type : function.getResultTypes())
    add(results, bytesOf(type), "a result has no fixed size");
  if (!why.empty()) {
    report.addMissed("function", function.getLoc(), why);
    return;
  }
  ReportItem &item = report.add("function", function.getLoc());
  item.metric("BytesRead", read)
      .metric("BytesWritten", written)
      .metric("ArgumentBytes", arguments)
      .metric("ResultBytes", results)
      .say("op by op, " + countOf(read, "byte") + " are read and " +
           Twine(written) + " written; arguments and results are " +
           Twine(arguments) + " and " + Twine(results));
}
