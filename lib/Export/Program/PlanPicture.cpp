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
//      not understood, or whose result lies elsewhere than the row's.
//   2. Columns: the op, its result, its cut, bars of time on one scale
//   (messages
//      first, then computing), bytes sent by all ranks, bytes held by one.
//
//===----------------------------------------------------------------------===//

#include "Canvas/ShardDrawing.h"
#include "TensorAccess/Export/Pictures.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kRow = 17, kTimeBar = 200, kSentBar = 70, kHeldBar = 90;
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

/// A column: where it begins and how wide its text is.
struct Column {
  StringRef heading;
  size_t limit;
  int x = 0;
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
    uint64_t bytes = sharded.elementBytes;
    for (int64_t extent : getLongest(sharded.boxes))
      bytes *= extent;
    total += bytes;
  }
  return total;
}

static std::string printShare(double part, double whole) {
  return llvm::formatv("{0:f1} %", whole > 0 ? part / whole * 100 : 0.0).str();
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

  const std::string title =
      "@" + SvgCanvas::elide(function.getName(), 60) + " on " +
      printCount(program.grid.getNumRanks()) +
      (program.grid.getNumRanks() == 1 ? " rank " : " ranks ") +
      program.grid.str();
  std::vector<std::string> lines;
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

  SvgCanvas canvas;
  int width = 0;
  int y = drawHead(canvas, title, lines, width);

  // Columns as wide as their text.
  Column number{"", 4}, name{"op", 34}, shape{"result", 24}, cut{"cut", 50};
  auto nameOf = [](const Row &row) {
    std::string text = SvgCanvas::elide(row.name, 34);
    if (row.op && row.ops > 1)
      text += " +" + std::to_string(row.ops - 1);
    return text;
  };
  size_t longestName = 4, longestShape = 8, longestCut = 6;
  double longest = 0;
  uint64_t mostBytes = 1, mostHeld = 1;
  auto length = [](StringRef text) {
    return size_t(SvgCanvas::textWidth(text, 1000) / 602);
  };
  for (const Row &row : rows) {
    longestName = std::max(longestName, length(nameOf(row)));
    longestShape =
        std::max(longestShape, std::min(length(row.shape), shape.limit));
    longestCut = std::max(longestCut, std::min(length(row.cut), cut.limit));
    longest = std::max(longest, row.seconds());
    mostBytes = std::max(mostBytes, row.bytes);
    mostHeld = std::max(mostHeld, row.held);
  }
  auto pixels = [](size_t characters) {
    return SvgCanvas::textWidth(std::string(characters, 'x'), kSheetSmall) + 14;
  };
  number.x = kSheetMargin;
  name.x = number.x + pixels(std::to_string(rows.size()).size());
  shape.x = name.x + pixels(longestName);
  cut.x = shape.x + pixels(longestShape);
  const int time = cut.x + pixels(longestCut);
  const int sent = time + kTimeBar + pixels(8);
  const int held = sent + kSentBar + pixels(8);
  width = std::max(width, held + kHeldBar + pixels(8) + kSheetMargin);

  for (auto [x, text] : {std::pair(name.x, name.heading),
                         {shape.x, shape.heading},
                         {cut.x, cut.heading},
                         {time, StringRef("time")},
                         {sent, StringRef("bytes sent")},
                         {held, StringRef("bytes held")}})
    canvas.text(x, y + kSheetText, text, kSheetText, color::ink, /*bold=*/true);
  y += SvgCanvas::lineHeight(kSheetText) + 2;
  canvas.line(kSheetMargin, y, width - kSheetMargin, y, color::rule);
  y += 2;
  auto scaled = [](double value, double most, int pixels) {
    return static_cast<int>(most > 0 ? value / most * pixels : 0);
  };
  int index = 0;
  for (const Row &row : rows) {
    if (index % 2)
      canvas.rect(kSheetMargin - 4, y, width - 2 * kSheetMargin + 8, kRow,
                  color::faint);
    ++index;
    const int base = y + 12;
    const StringRef ink = row.op ? color::ink : color::muted;
    canvas.text(number.x, base, std::to_string(index), kSheetSmall,
                color::muted);
    canvas.text(name.x, base, nameOf(row), kSheetSmall, ink);
    canvas.text(shape.x, base, SvgCanvas::elide(row.shape, shape.limit),
                kSheetSmall, color::muted);
    canvas.text(cut.x, base, SvgCanvas::elide(row.cut, cut.limit), kSheetSmall,
                ink);
    const int first = scaled(row.exchange, longest, kTimeBar);
    const int both = scaled(row.seconds(), longest, kTimeBar);
    if (row.exchange > 0)
      canvas.rect(time, y + 3, std::max(first, 1), kRow - 6, kExchange);
    if (both > first)
      canvas.rect(time + first, y + 3, both - first, kRow - 6, kCompute);
    canvas.text(time + both + 5, base, printDuration(row.seconds()),
                kSheetSmall, color::ink);
    if (row.bytes) {
      const int bar = std::max(scaled(row.bytes, mostBytes, kSentBar), 1);
      canvas.rect(sent, y + 3, bar, kRow - 6, kSent);
      canvas.text(sent + bar + 5, base, printBytes(row.bytes), kSheetSmall,
                  color::ink);
    }
    if (row.held) {
      const int bar = std::max(scaled(row.held, mostHeld, kHeldBar), 1);
      const int fixed = std::min(scaled(arguments, mostHeld, kHeldBar), bar);
      canvas.rect(held, y + 3, fixed, kRow - 6, kArguments);
      canvas.rect(held + fixed, y + 3, bar - fixed, kRow - 6, kHeld);
      canvas.text(held + bar + 5, base, printBytes(row.held), kSheetSmall,
                  color::ink, /*bold=*/row.held == mostHeld);
    }
    y += kRow;
  }
  if (rows.empty()) {
    canvas.text(kSheetMargin, y + 12, "no op here computes", kSheetSmall,
                color::muted);
    y += kRow;
  }
  y += 12;
  int x = kSheetMargin;
  for (auto [fill, label] :
       {std::pair(StringRef(kExchange), "messages, on the slowest rank"),
        {StringRef(kCompute), "computing, on the largest block"},
        {StringRef(kSent), "bytes sent by all"},
        {StringRef(kArguments), "arguments that a rank holds"},
        {StringRef(kHeld), "and values"}})
    x = drawKey(canvas, x, y, fill, label);
  width = std::max(width, x + kSheetMargin);
  y += 12 + kSheetMargin;
  canvas.write(os, width, y, title, llvm::join(lines, "; "));
  return std::nullopt;
}
