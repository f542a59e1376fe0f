//===- Ask.cpp - One question about a program -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Ask.h"
#include "AskElements.h"
#include "TensorAccess/Analysis/MemoryCoalescing.h"
#include "TensorAccess/Analysis/ShardedProgram.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Closest.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

ArrayRef<Question> tensoraccess::getQuestions() {
  static constexpr Question questions[] = {
      {"reads", "which elements each step reads, and how often", "fuse"},
      {"reached", "which results an element of an array reaches", "tiles"},
      {"fuse", "what fusing two steps would save and repeat", "reads"},
      {"inside", "which ops a step is made of", "work"},
      {"padding", "what arrays waste in memory", "layouts"},
      {"coalesced", "how much is used of what lanes move", "reads"},
      {"tiles", "what a tile of a result reads", ""},
      {"layouts", "where elements are in memory", ""},
      {"work", "operations, and those that are repeated", "fuse"},
      {"masked", "operations that masks make idle", "work"},
      {"shards", "what ranks send, of a planned function", "reads"},
      {"all", "each of them in brief", "fuse"},
  };
  return questions;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {
using Steps = SmallVector<const ProgramStep *>;

/// The steps that a question is about, and ops within fusions.
class Asked {
public:
  Asked(ProgramSteps &program, StringRef op) : program(program), op(op) {}
  /// False, with a reason, if there are none.
  bool find(std::string &error);

  ProgramSteps &program;
  StringRef op;
  Steps steps;

private:
  std::deque<ProgramStep> own;
};
} // namespace

bool Asked::find(std::string &error) {
  for (const ProgramStep &step : program.getSteps())
    if (op.empty() || step.name == op || step.opcode == op ||
        ("%" + step.name) == op || step.op()->getName().getStringRef() == op)
      steps.push_back(&step);
  if (!steps.empty() || op.empty())
    return true;
  std::vector<std::string> others;
  auto module = program.getEntry()->getParentOfType<ModuleOp>();
  module->walk([&](Operation *inner) {
    if (inner->getNumResults() == 0 || inner->getNumOperands() == 0)
      return;
    const std::string name = program.getName(inner);
    if (name == op || ("%" + name) == op ||
        inner->getName().getStringRef() == op)
      own.push_back(program.makeStep(inner));
    else
      others.push_back(name);
  });
  for (const ProgramStep &step : own)
    steps.push_back(&step);
  if (!steps.empty())
    return true;
  std::string closest = findClosest(op, others);
  // A part of a kind will do.
  for (const ProgramStep &step : program.getSteps())
    if (closest.empty() && StringRef(step.opcode).contains(op))
      closest = step.opcode;
  error = "there is no op '" + op.str() + "'";
  if (!closest.empty())
    error += "; did you mean '" + closest + "'?";
  else if (!others.empty())
    error += "; there are '" +
             llvm::join(ArrayRef(others).take_front(5), "', '") + "'" +
             (others.size() > 5 ? " and others" : "");
  return false;
}

static std::string joinMaps(ArrayRef<IndexingMap> maps) {
  SmallVector<std::string> texts;
  for (const IndexingMap &map : maps)
    if (std::string text = map.str(); !llvm::is_contained(texts, text))
      texts.push_back(std::move(text));
  return llvm::join(texts, " and ");
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

static ExplainSection askReads(Asked &asked) {
  ExplainSection section{"reads", "what each step reads", {}, {}};
  Bounds all;
  for (const ProgramStep *step : asked.steps)
    for (const ProgramStep::Read &read : step->reads) {
      ExplainRow &row =
          section.rows.emplace_back(makeRow(asked.program, *step));
      const Bounds bytes = read.bytes.times(step->times);
      all += bytes;
      row.add("bytes", bytes)
          .add("of", asked.program.getName(read.value))
          .add("elements", read.unique)
          .add("all", getElements(read.value));
      if (read.isInPlace)
        row.text = "is changed in place";
      else if (!read.reason.empty())
        row.text = "unknown: " + read.reason;
      else if (read.maps.empty())
        row.text = "none of it";
      else {
        if (read.reads.isExact() && read.unique.isExact() && read.unique.lower)
          row.add("times", llvm::formatv("{0:F2}", double(read.reads.lower) /
                                                       read.unique.lower)
                               .str());
        row.text = joinMaps(read.maps);
      }
    }
  sortRows(section, "bytes");
  section.summary = all.str() + " bytes";
  return section;
}

/// What the results of a function read of its arguments, through all of its ops.
/// std::nullopt and `error` where there is no such function.
static std::optional<ExplainSection>
askFunction(ProgramSteps &program, StringRef name, std::string &error) {
  auto module = program.getEntry()->getParentOfType<ModuleOp>();
  FunctionOpInterface function;
  module->walk([&](FunctionOpInterface other) {
    if (!other.isExternal() && other.getName() == name)
      function = other;
  });
  if (!function) {
    error = describeUnknownFunction(module, name);
    return std::nullopt;
  }
  ExplainSection section{
      "reads", "what results read, through all steps", {}, {}};
  Bounds all;
  const OpIndexing &indexing =
      program.getFusion().getCache().getFunction(function);
  for (unsigned r = 0; r < indexing.getNumResults(); ++r)
    for (unsigned o = 0; o < indexing.getNumOperands(); ++o) {
      const IndexingSet &set = indexing.outputToInput(r, o);
      BlockArgument argument = function.getArgument(o);
      const Bounds every = getElements(argument);
      Bounds elements = Bounds::atMost(every.upper);
      ExplainRow &row = section.rows.emplace_back();
      if (set.isUnknown()) {
        row.text = "unknown: " + describe(set.getReason()).str();
      } else {
        row.text =
            set.getMaps().empty() ? "none of it" : joinMaps(set.getMaps());
        if (auto unique = program.getFusion()
                              .count(set.getMaps(), argument.getType(), false)
                              .unique)
          elements = Bounds::exactly(unique);
      }
      const Bounds bytes =
          elements.times(Bounds::exactly(getElementBytes(argument.getType())));
      all += bytes;
      row.op = function;
      program.locate(argument.getLoc(), row);
      row.name = "result " + std::to_string(r);
      row.kind = "@" + function.getName().str();
      row.add("bytes", bytes)
          .add("of", program.getName(argument))
          .add("elements", elements)
          .add("all", every);
    }
  sortRows(section, "bytes");
  section.summary = all.str() + " bytes";
  return section;
}

static ExplainSection askReached(Asked &asked) {
  ExplainSection section{"reached", "what an element reaches", {}, {}};
  for (const ProgramStep *step : asked.steps) {
    if (step->ops.size() > 1)
      continue;
    const OpIndexing &indexing =
        asked.program.getFusion().getCache().get(step->op());
    for (unsigned o = 0;
         o < indexing.getNumOperands() && o < step->op()->getNumOperands(); ++o)
      for (unsigned r = 0; r < step->results.size(); ++r) {
        const Value operand = step->op()->getOperand(o);
        ExplainRow &row =
            section.rows.emplace_back(makeRow(asked.program, *step));
        row.add("bytes", getArrayBytes(operand).times(step->times))
            .add("of", asked.program.getName(operand));
        if (step->results.size() > 1)
          row.add("result", Bounds::exactly(r));
        const IndexingSet &set = indexing.inputToOutput(o, r);
        row.text = set.isUnknown()
                       ? "unknown: " + describe(set.getReason()).str()
                   : set.getMaps().empty() ? std::string("nothing")
                                           : joinMaps(set.getMaps());
      }
  }
  sortRows(section, "bytes");
  section.summary = plural(section.rows.size(), "array") + " read by " +
                    plural(asked.steps.size(), "step");
  return section;
}

static ExplainSection askTiles(Asked &asked) {
  ExplainSection section{
      "tiles", "what a tile at offsets o, of sizes t, reads", {}, {}};
  size_t numUnknown = 0;
  for (const ProgramStep *step : asked.steps)
    for (const ProgramStep::Read &read : step->reads) {
      ExplainRow &row =
          section.rows.emplace_back(makeRow(asked.program, *step));
      row.add("bytes", read.bytes.times(step->times))
          .add("of", asked.program.getName(read.value));
      SmallVector<std::string> texts;
      for (const IndexingMap &map : read.maps) {
        bool isKnown = true;
        std::string text = printTile(map, isKnown);
        numUnknown += !isKnown;
        if (!llvm::is_contained(texts, text))
          texts.push_back(std::move(text));
      }
      row.text = read.reason.empty() ? llvm::join(texts, " and ")
                                     : "unknown: " + read.reason;
      numUnknown += !read.reason.empty();
    }
  sortRows(section, "bytes");
  section.summary = plural(section.rows.size(), "array") + " read";
  if (numUnknown)
    section.summary +=
        ", in " + plural(numUnknown, "way") + " that no tile describes";
  return section;
}

/// The same in numbers, for the tile of these sizes at offset 0. std::nullopt and
/// `error` where it fits the result of no step.
static std::optional<ExplainSection>
askTile(Asked &asked, ArrayRef<int64_t> sizes, std::string &error) {
  ExplainSection section{"tiles", "what the tile at offset 0 reads", {}, {}};
  bool fits = false;
  std::string misfit;
  for (const ProgramStep *step : asked.steps)
    for (const ProgramStep::Read &read : step->reads) {
      ExplainRow &row =
          section.rows.emplace_back(makeRow(asked.program, *step));
      row.add("of", asked.program.getName(read.value));
      if (!read.reason.empty()) {
        row.text = "unknown: " + read.reason;
        continue;
      }
      SmallVector<std::string> texts;
      Bounds elements;
      std::string problem;
      for (const IndexingMap &map : read.maps) {
        std::optional<ConcreteTile> tile = readTile(map, sizes, problem);
        if (!tile)
          break;
        elements += tile->elements;
        if (!llvm::is_contained(texts, tile->text))
          texts.push_back(std::move(tile->text));
      }
      if (!problem.empty()) {
        row.text = problem;
        if (misfit.empty())
          misfit = "op '" + step->name + "': " + problem;
        continue;
      }
      fits = true;
      // Several maps may read the same.
      if (read.maps.size() > 1)
        elements = Bounds::atMost(elements.upper);
      row.add("elements", elements);
      row.text = read.maps.empty() ? "nothing" : llvm::join(texts, " and ");
    }
  if (!fits && !misfit.empty()) {
    error = misfit;
    return std::nullopt;
  }
  sortRows(section, "elements");
  return section;
}

static ExplainSection askCoalesced(Asked &asked) {
  ExplainSection section{
      "coalesced", "what 32 lanes use of transactions of 128 bytes", {}, {}};
  Bounds used, moved;
  auto addCounts = [&](ExplainRow &row, const Coalescing &value,
                       const Bounds &times) {
    const Bounds own = Bounds::exactly(value.bytesUsed).times(times),
                 all = Bounds::exactly(value.bytesMoved).times(times);
    used += own;
    moved += all;
    row.add("unused", all.without(own.lower))
        .add("used", own)
        .add("moved", all)
        .add("utilization", value.getUtilization());
  };
  for (const ProgramStep *step : asked.steps) {
    if (step->ops.size() > 1)
      continue;
    for (const OperandCoalescing &read :
         getReadCoalescing(step->op(), asked.program.getFusion().getCache())) {
      ExplainRow &row =
          section.rows.emplace_back(makeRow(asked.program, *step));
      row.add("of", asked.program.getName(step->op()->getOperand(read.operand)))
          .add("lanes", "along " + describe(read.plan));
      if (read.value)
        addCounts(row, *read.value, step->times);
      else
        row.text = "unknown: " + read.reason;
    }
  }
  if (asked.op.empty())
    for (const AccessCoalescing &access :
         getMemoryCoalescing(asked.program.getEntry())) {
      ExplainRow &row = section.rows.emplace_back();
      row.op = access.access.op;
      asked.program.locate(access.access.op, row);
      row.kind = access.access.op->getName().getStringRef().str();
      row.name = asked.program.getName(access.access.base);
      if (!access.lane.empty())
        row.add("lanes", "along " + access.lane);
      if (access.value)
        addCounts(row, *access.value, Bounds::exactly(1));
      else
        row.text = "unknown: " + access.reason;
    }
  sortRows(section, "unused");
  section.summary = used.str() + " of " + moved.str() + " bytes moved are used";
  return section;
}

static ExplainSection askWork(Asked &asked) {
  ExplainSection section{"work", "operations", {}, {}};
  Bounds all, distinct;
  for (const ProgramStep *step : asked.steps) {
    const Bounds operations = step->operations.times(step->times);
    all += operations;
    distinct += step->distinct.times(step->times);
    if (operations.isZero())
      continue;
    ExplainRow &row = section.rows.emplace_back(makeRow(asked.program, *step));
    row.add("operations", operations);
    if (step->operations.isExact() && step->distinct.isExact())
      row.add("repeated",
              operations.without(step->distinct.times(step->times).lower));
    const Bounds bytes = step->getAllBytes();
    row.add("bytes", bytes);
    if (operations.isExact() && bytes.isExact() && !bytes.isZero())
      row.add("per byte",
              llvm::formatv("{0:F2}", double(operations.lower) / bytes.lower)
                  .str());
  }
  sortRows(section, "operations");
  section.summary = all.str() + "; each of them once: " + distinct.str();
  return section;
}

static ExplainSection askInside(Asked &asked) {
  ExplainSection section{"inside", "what steps are made of", {}, {}};
  for (const ProgramStep *step : asked.steps) {
    SmallVector<Operation *> ops(step->ops.begin(), step->ops.end());
    if (FunctionOpInterface callee = step->callee)
      ops = llvm::map_to_vector(callee.getFunctionBody().front(),
                                [](Operation &op) { return &op; });
    for (Operation *op : ops) {
      if (op->hasTrait<OpTrait::IsTerminator>() || op->getNumOperands() == 0)
        continue;
      const ProgramStep own = asked.program.makeStep(op);
      ExplainRow &row = section.rows.emplace_back(makeRow(asked.program, own));
      row.op = step->op();
      row.add("operations", own.operations.times(step->times));
      if (op->getNumResults() > 0)
        row.add("result", printShape(op->getResult(0)));
      if (op != step->op())
        row.add("in", step->name);
    }
  }
  sortRows(section, "operations");
  section.summary = plural(section.rows.size(), "op") + " in " +
                    plural(asked.steps.size(), "step");
  return section;
}

static ExplainSection askLayouts(Asked &asked) {
  ExplainSection section{"layouts", "arrays in memory", {}, {}};
  llvm::SmallPtrSet<Value, 8> seen;
  Bounds all;
  auto add = [&](Value value, const ProgramStep *step) {
    std::optional<Layout> layout = getLayoutInMemory(value);
    if (!layout || !seen.insert(value).second)
      return;
    ExplainRow row = step ? makeRow(asked.program, *step) : ExplainRow();
    if (!step) {
      row.kind = "argument";
      asked.program.locate(value.getLoc(), row);
    }
    row.name = asked.program.getName(value);
    addLayout(row, *layout);
    if (const Bounds *size = row.find("size"))
      all += *size;
    section.rows.push_back(std::move(row));
  };
  if (asked.op.empty())
    for (Value argument : asked.program.getEntry().getArguments())
      add(argument, nullptr);
  for (const ProgramStep *step : asked.steps)
    for (Value result : step->results)
      add(result, step);
  sortRows(section, "size");
  section.summary =
      plural(section.rows.size(), "array") + " of " + all.str() + " bytes";
  return section;
}

static ExplainSection askShards(Asked &asked) {
  ExplainSection section{"shards", "what ranks send", {}, {}};
  FunctionOpInterface function = asked.program.getEntry();
  if (!function->hasAttr(kGridName)) {
    section.summary = "the function has no plan of shards; "
                      "tensoraccess-opt --tensoraccess-plan-shards makes one";
    return section;
  }
  // What is wrong with a plan is an answer.
  std::string problem;
  ScopedDiagnosticHandler handler(function.getContext(), [&](Diagnostic &d) {
    if (problem.empty())
      problem = d.str();
    return success();
  });
  FailureOr<Grid> grid = readGrid(function);
  FailureOr<ShardDecisions> decisions = failure();
  FailureOr<ShardedProgram> sharded = failure();
  if (succeeded(grid))
    decisions = readShardDecisions(function, *grid);
  if (succeeded(decisions))
    sharded =
        getShardedProgram(function, *grid, *decisions, getDefaultCostModel());
  if (failed(sharded)) {
    section.summary = "unknown: " + problem;
    return section;
  }
  for (const ShardExchange &exchange : sharded->exchanges) {
    ExplainRow &row = section.rows.emplace_back();
    row.op = exchange.op;
    asked.program.locate(exchange.op, row);
    row.name = asked.program.getName(exchange.op);
    row.kind = exchange.op->getName().getStringRef().str();
    row.add("bytes", Bounds::exactly(exchange.cost.bytes))
        .add("messages", Bounds::exactly(exchange.cost.messages))
        .add("for", exchange.operand
                        ? "operand " + std::to_string(*exchange.operand)
                        : "a sum of result " + std::to_string(exchange.result));
  }
  sortRows(section, "bytes");
  section.summary =
      "on " + grid->str() + ", " + Bounds::exactly(sharded->bytesSent).str() +
      " bytes in " + plural(sharded->messages, "message") + ", at most " +
      Bounds::exactly(sharded->memoryPerRank).str() + " bytes held by a rank";
  return section;
}

/// Rows of the steps that are asked for.
static ExplainSection select(Asked &asked, ExplainSection section) {
  if (asked.op.empty())
    return section;
  llvm::SmallPtrSet<Operation *, 4> ops;
  for (const ProgramStep *step : asked.steps)
    ops.insert(step->op());
  llvm::erase_if(section.rows,
                 [&](const ExplainRow &row) { return !ops.contains(row.op); });
  section.summary =
      plural(section.rows.size(), "row") + " about '" + asked.op.str() + "'";
  return section;
}

static std::optional<ExplainSection> answer(StringRef question, Asked &asked) {
  if (question == "reads")
    return askReads(asked);
  if (question == "reached")
    return askReached(asked);
  if (question == "fuse")
    return select(asked, explainEdges(asked.program));
  if (question == "inside")
    return askInside(asked);
  if (question == "padding")
    return select(asked, explainPadding(asked.program));
  if (question == "coalesced")
    return askCoalesced(asked);
  if (question == "tiles")
    return askTiles(asked);
  if (question == "layouts")
    return askLayouts(asked);
  if (question == "work")
    return askWork(asked);
  if (question == "masked")
    return explainMasks(asked.program, [&](Operation *op) {
      return asked.op.empty() ||
             llvm::any_of(asked.steps, [&](const ProgramStep *step) {
               return step->op() == op;
             });
    });
  if (question == "shards")
    return askShards(asked);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

std::string tensoraccess::refuseQuestion(StringRef question,
                                         ArrayRef<StringRef> among,
                                         StringRef about) {
  static constexpr StringLiteral kTables =
      "copies, fusions, work that is never read and collectives are tables of "
      "tensoraccess-explain FILE";
  std::string text = ("'" + question + "' is not a question").str();
  if (about.empty() &&
      llvm::is_contained({"copies", "fusions", "dead", "slices", "collectives",
                          "edges", "places"},
                         question))
    return text + "; " + kTables.str();
  if (!about.empty() && llvm::any_of(getQuestions(), [&](const Question &q) {
        return q.name == question;
      }))
    text = ("'" + question + "' is a question about programs").str();
  SmallVector<StringRef> names(among);
  if (names.empty())
    for (const Question &other : getQuestions())
      names.push_back(other.name);
  if (std::string closest = findClosest(question, names); !closest.empty())
    return text + "; did you mean '" + closest + "'?";
  text += (about.empty() ? "; questions are " : "; those about a ") +
          about.str() + (about.empty() ? "" : " are ") +
          llvm::join(names, ", ");
  return about.empty() ? text + "; " + kTables.str() : text;
}

std::optional<Explanation>
tensoraccess::ask(StringRef question, ModuleOp module, StringRef op,
                  std::string &error, std::optional<ArrayRef<int64_t>> tile) {
  auto known = llvm::find_if(getQuestions(), [&](const Question &other) {
    return other.name == question;
  });
  if (known == getQuestions().end()) {
    error = refuseQuestion(question, {}, {});
    return std::nullopt;
  }
  if (tile && question != "tiles") {
    error = "a tile is for 'tiles', not for '" + question.str() + "'";
    return std::nullopt;
  }
  std::unique_ptr<ProgramSteps> program = ProgramSteps::get(module, error);
  if (!program)
    return std::nullopt;
  Asked asked(*program, op);
  const bool isFunction = op.consume_front("@");
  if (isFunction && question != "reads")
    error = "a function is for 'reads', not for '" + question.str() + "'";
  if (isFunction ? !error.empty() : !asked.find(error))
    return std::nullopt;
  Explanation result;
  result.entry = program->getEntry();
  result.program =
      (module.getName().value_or("") + "@" + program->getEntry().getName())
          .str();
  StringRef next = known->next;
  if (question != "all") {
    std::optional<ExplainSection> section =
        tile         ? askTile(asked, *tile, error)
        : isFunction ? askFunction(*program, op, error)
                     : answer(question, asked);
    if (!section)
      return std::nullopt;
    result.sections.push_back(std::move(*section));
  } else {
    // Each in a line, with what is worst.
    ExplainSection &all = result.sections.emplace_back(
        ExplainSection{"all", "questions", {}, {}});
    all.summary = plural(program->getSteps().size(), "step");
    for (const Question &other : getQuestions().drop_back()) {
      std::optional<ExplainSection> section = answer(other.name, asked);
      ExplainRow &row = all.rows.emplace_back();
      row.name = other.name.str();
      row.add("answer", section->summary);
      if (!section->rows.empty()) {
        const ExplainRow &worst = section->rows.front();
        row.add("most", worst.name);
        row.source = worst.source;
        row.opName = worst.opName;
      }
    }
  }
  // One step fuses with nothing, and of several the function has an answer.
  if (question == "reads" && asked.steps.size() == 1)
    next = "reached";
  const bool isOfAll =
      question == "reads" && asked.op.empty() && asked.steps.size() > 1;
  if (isOfAll || isFunction) {
    result.next =
        isOfAll ? "reads --op=@" + program->getEntry().getName().str() : "fuse";
    return result;
  }
  // About what is worst, if it is not that already.
  result.next = next.str();
  if (!next.empty() && question != "all" &&
      !result.sections.front().rows.empty())
    result.next += " --op=" + result.sections.front().rows.front().name;
  return result;
}

void tensoraccess::printAnswer(raw_ostream &os, const Explanation &answer,
                               size_t maxRows) {
  Explanation table;
  table.sections = answer.sections;
  table.program = answer.program;
  printExplanation(os, table, maxRows);
}
