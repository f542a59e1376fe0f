//===- PlanPicture.cpp - A plan of shards on one page ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Rows. Ops in order; one that is needed goes to the row of the next that
//      is not. A row ends before an op that reduces, waits for messages, is
//      not understood, or whose result is elsewhere than the row's.
//   2. Columns: the op, its result, its cut, bars of time on one scale
//      (messages first, then computing), bytes sent by all ranks, bytes held by
//      one.
//
//===----------------------------------------------------------------------===//

#include "Canvas/Figures.h"
#include "Canvas/Panel.h"
#include "TensorAccess/Export/Pictures.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kTimeBar = 200, kSentBar = 70, kHeldBar = 90;
constexpr StringLiteral kCompute = "#8fb4d9", kExchange = "#e0843a",
                        kHeld = "#7fceb4", kArguments = "#cdebdf",
                        kSent = "#f5c36b";

struct Row {
  Operation *op = nullptr;
  size_t ops = 0;
  std::string name, shape, cut;
  const Distribution *left = nullptr;
  double compute = 0, exchange = 0;
  uint64_t bytes = 0, held = 0;

  double seconds() const { return compute + exchange; }
  void add(const ShardedOp &op) {
    ++ops;
    compute += op.seconds;
    exchange += op.exchangeSeconds;
    bytes += op.bytesSent;
    held = std::max(held, op.bytesHeld);
  }
  void add(const Row &row) {
    ops += row.ops;
    compute += row.compute;
    exchange += row.exchange;
    bytes += row.bytes;
    held = std::max(held, row.held);
  }
};

} // namespace

/// Whether an op begins a row of its own.
static bool isLeader(const ShardedOp &op) {
  return op.block.kind == BlockOpKind::Opaque ||
         (op.block.kind == BlockOpKind::Compute &&
          llvm::is_contained(op.block.isReduction, true));
}

static void describe(Row &row, const ShardedProgram &program,
                     const ShardedOp &op) {
  row.op = op.block.op;
  row.name = row.op->getName().getStringRef().str();
  for (Value result : row.op->getResults())
    if (auto type = dyn_cast<ShapedType>(result.getType());
        type && type.hasStaticShape()) {
      row.shape = printShape(type.getShape());
      break;
    }
  if (op.block.kind == BlockOpKind::Opaque) {
    row.cut = "whole on every rank";
    return;
  }
  if (op.decision.isNeeded) {
    row.cut = kNeededText.str();
    return;
  }
  row.cut = op.decision.cut.isReplicated() ? "not cut"
                                           : op.decision.cut.str(program.grid);
  if (op.decision.reduced)
    row.cut += " to " + op.decision.reduced->str(program.grid);
}

static std::vector<Row> getRows(const ShardedProgram &program) {
  std::vector<Row> rows;
  SmallVector<const ShardedOp *> pending;
  auto leftAs = [&](const ShardedOp &op) -> const Distribution * {
    if (op.block.op->getNumResults() == 0)
      return nullptr;
    auto it = program.values.find(op.block.op->getResult(0));
    if (it == program.values.end() || !it->second.distribution)
      return nullptr;
    return &*it->second.distribution;
  };
  auto isSame = [](const Distribution *a, const Distribution *b) {
    return a && b && *a == *b;
  };
  for (const auto &[operation, op] : program.ops) {
    if (op.block.kind == BlockOpKind::Free)
      continue;
    if (op.decision.isNeeded) {
      pending.push_back(&op);
      continue;
    }
    bool waits = op.bytesSent > 0;
    for (const ShardedOp *before : pending)
      waits |= before->bytesSent > 0;
    const Distribution *left = leftAs(op);
    if (rows.empty() || isLeader(op) || waits ||
        !isSame(rows.back().left, left)) {
      rows.emplace_back();
      describe(rows.back(), program, op);
      rows.back().left = left;
    }
    for (const ShardedOp *before : pending)
      rows.back().add(*before);
    pending.clear();
    rows.back().add(op);
  }
  if (!pending.empty()) {
    rows.emplace_back();
    describe(rows.back(), program, *pending.back());
    for (const ShardedOp *before : pending)
      rows.back().add(*before);
  }
  // What is sent after the last op: results that are wanted elsewhere.
  Row rest;
  for (const ShardExchange &exchange : program.exchanges) {
    if (program.ops.count(exchange.op))
      continue;
    rest.op = exchange.op;
    rest.name = exchange.op->getName().getStringRef().str();
    rest.shape = printShape(exchange.shape);
    rest.ops = 1;
    rest.exchange += exchange.cost.seconds;
    rest.bytes += exchange.cost.bytes;
  }
  if (rest.op)
    rows.push_back(rest);
  return rows;
}

/// The rows that take longest, and one for each stretch between them.
static std::vector<Row> shorten(std::vector<Row> rows, size_t most) {
  if (rows.size() <= most)
    return rows;
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-rows[a].seconds(), a) < std::pair(-rows[b].seconds(), b);
  });
  llvm::DenseSet<size_t> kept(order.begin(), order.begin() + most / 2);
  std::vector<Row> out;
  size_t merged = 0;
  for (auto [i, row] : llvm::enumerate(rows)) {
    if (kept.contains(i)) {
      out.push_back(std::move(row));
      merged = 0;
      continue;
    }
    if (merged++ == 0)
      out.emplace_back();
    Row &rest = out.back();
    rest.add(row);
    rest.name = "… " + std::to_string(merged) +
                (merged == 1 ? " shorter row" : " shorter rows");
  }
  return out;
}

/// What a rank holds of the arguments.
static uint64_t getArgumentBytes(const ShardedProgram &program) {
  uint64_t total = 0;
  for (const auto &[value, sharded] : program.values) {
    if (!isa<BlockArgument>(value))
      continue;
    total += getBytes(sharded.boxes, sharded.elementBytes);
  }
  return total;
}

static std::string printShare(double part, double whole) {
  return llvm::formatv("{0:f1} %", whole > 0 ? part / whole * 100 : 0.0).str();
}

static BarTable makeTable(ArrayRef<Row> rows, uint64_t arguments) {
  constexpr size_t kNameLimit = 34, kShapeLimit = 24, kCutLimit = 50;
  BarTable table;
  table.columns = {{""},
                   {"op"},
                   {"result"},
                   {"cut"},
                   {"time", kTimeBar},
                   {"bytes sent", kSentBar},
                   {"bytes held", kHeldBar}};
  uint64_t mostHeld = 1;
  for (const Row &row : rows)
    mostHeld = std::max(mostHeld, row.held);
  for (auto [i, row] : llvm::enumerate(rows)) {
    const StringRef ink = row.op ? color::ink : color::muted;
    std::string name = Sheet::elide(row.name, kNameLimit);
    if (row.op && row.ops > 1)
      name += " +" + std::to_string(row.ops - 1);
    auto text = [&](StringRef text, size_t limit, StringRef ink) {
      return BarTable::Entry{{Sheet::elide(text, limit), ink}};
    };
    BarTable::Entry time{{printDuration(row.seconds())},
                         {{row.exchange, kExchange}, {row.compute, kCompute}}},
        sent, held;
    if (row.bytes)
      sent = {{printBytes(row.bytes)}, {{double(row.bytes), kSent}}};
    if (row.held) {
      const uint64_t fixed = std::min(arguments, row.held);
      held = {{printBytes(row.held), color::ink, row.held == mostHeld},
              {{double(fixed), kArguments}, {double(row.held - fixed), kHeld}}};
    }
    table.rows.push_back({text(std::to_string(i + 1), kNameLimit, color::muted),
                          {{name, ink}},
                          text(row.shape, kShapeLimit, color::muted),
                          text(row.cut, kCutLimit, ink),
                          time,
                          sent,
                          held});
  }
  return table;
}

std::optional<std::string> mlir::tensoraccess::writePlanSvg(
    FunctionOpInterface function, const ShardedProgram &program,
    llvm::raw_ostream &os, const PlanPictureOptions &options) {
  if (options.maxRows < 10 || options.maxRows > 1000)
    return "rows must be in [10, 1000], got " + std::to_string(options.maxRows);
  std::vector<Row> all = getRows(program);
  const size_t count = all.size();
  const uint64_t arguments = getArgumentBytes(program);
  std::vector<Row> rows = shorten(std::move(all), options.maxRows);

  Picture picture;
  picture.title = "@" + Sheet::elide(function.getName(), 60) + " on " +
                  printCount(program.grid.getNumRanks()) +
                  (program.grid.getNumRanks() == 1 ? " rank " : " ranks ") +
                  program.grid.str();
  std::vector<std::string> &lines = picture.summary;
  lines.push_back(printDuration(program.seconds) +
                  " modelled: " + printDuration(program.computeSeconds) +
                  " computing, " + printDuration(program.exchangeSeconds) +
                  " (" + printShare(program.exchangeSeconds, program.seconds) +
                  ") in messages");
  lines.push_back(printBytes(program.bytesSent) + " sent by all ranks in " +
                  printCount(program.messages) +
                  " messages; a rank holds at "
                  "most " +
                  printBytes(program.memoryPerRank) + ", arguments " +
                  printBytes(arguments));
  lines.push_back(
      printCount(count) + (count == 1 ? " row; +n:" : " rows; +n:") +
      " so many ops more that follow, or run where they are needed");
  if (!options.note.empty())
    lines.push_back(options.note);

  picture.body.content = makeTable(rows, arguments);
  if (rows.empty())
    picture.body.foot.push_back(
        TextLine::note("no op here computes", kSmallText));
  for (auto [fill, label] :
       {std::pair(StringRef(kExchange), "messages, on the slowest rank"),
        {StringRef(kCompute), "computing, on the largest block"},
        {StringRef(kSent), "bytes sent by all"},
        {StringRef(kArguments), "arguments that a rank holds"},
        {StringRef(kHeld), "and values"}})
    picture.legend.push_back(Key::swatch(fill, label));
  writeSvg(picture, os);
  return std::nullopt;
}
