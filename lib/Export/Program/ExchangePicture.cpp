//===- ExchangePicture.cpp - Who sends what to whom, drawn ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. A matrix: a row per sender, a column per receiver, darker for more. Of
//      more than 32 ranks a square stands for several senders and receivers.
//      Right and below: what each sends and receives, as bars.
//   2. Of up to 16 ranks: the grid, an arrow for each pair.
//   3. The first messages, as boxes.
//
//===----------------------------------------------------------------------===//

#include "Canvas/ShardDrawing.h"
#include "ShardTraffic.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int64_t kMaxSquares = 32, kMaxNumbered = 12, kMaxArrowRanks = 16;
constexpr size_t kMaxMessages = 12;
constexpr int kBar = 70, kStep = 92, kRadius = 15;

/// Ranks along a side of the matrix, in groups of ranks that follow one
/// another.
struct Side {
  std::vector<int64_t> ranks; ///< the first of each group; empty for all
  int64_t count = 0, group = 1;

  static Side all(int64_t ranks) {
    Side side;
    side.group = (ranks + kMaxSquares - 1) / kMaxSquares;
    side.count = (ranks + side.group - 1) / side.group;
    return side;
  }
  static Side some(std::vector<int64_t> ranks, int64_t group = 1) {
    Side side;
    side.group = group;
    side.count = static_cast<int64_t>(ranks.size());
    side.ranks = std::move(ranks);
    return side;
  }
  /// The square of a rank; none if it is not drawn.
  std::optional<int64_t> find(int64_t rank) const {
    if (ranks.empty())
      return rank / group;
    auto it = llvm::find(ranks, rank / group * group);
    if (it == ranks.end())
      return std::nullopt;
    return it - ranks.begin();
  }
  std::string label(int64_t square) const {
    return std::to_string(ranks.empty() ? square * group : ranks[square]);
  }
};

class Picture {
public:
  Picture(StringRef name, const Grid &grid, const Exchange &exchange,
          int64_t elementBytes, Side senders, Side receivers);
  void write(llvm::raw_ostream &os);

private:
  void drawMatrix();
  void drawArrows(int x, int top);
  void drawMessages();
  void drawLegend();
  uint64_t at(int64_t row, int64_t column) const {
    auto it = amounts.find({row, column});
    return it == amounts.end() ? 0 : it->second;
  }
  bool isWhole() const { return receivers.ranks.empty(); }

  StringRef name;
  const Grid &grid;
  const Exchange &exchange;
  int64_t elementBytes;
  Side senders, receivers;
  /// By squares.
  std::map<std::pair<int64_t, int64_t>, uint64_t> amounts;
  std::vector<uint64_t> sent, received;
  uint64_t total = 0, most = 0;
  int cell;
  SvgCanvas canvas;
  int width = 0, y = 0;
};

} // namespace

Picture::Picture(StringRef name, const Grid &grid, const Exchange &exchange,
                 int64_t elementBytes, Side senders, Side receivers)
    : name(name), grid(grid), exchange(exchange), elementBytes(elementBytes),
      senders(std::move(senders)), receivers(std::move(receivers)),
      sent(this->senders.count), received(this->receivers.count) {
  for (const ExchangeMessage &message : exchange.messages) {
    std::optional<int64_t> row = this->senders.find(message.from);
    std::optional<int64_t> column = this->receivers.find(message.to);
    if (!row || !column)
      continue;
    const uint64_t amount = getAmount(message.box, elementBytes);
    uint64_t &square = amounts[{*row, *column}];
    square += amount;
    most = std::max(most, square);
    sent[*row] += amount;
    received[*column] += amount;
    total += amount;
  }
  const int64_t longest = std::max(this->senders.count, this->receivers.count);
  cell = longest <= kMaxNumbered ? 52 : 18;
}

/// Figures without a unit's name where elements are counted, to be short.
static std::string printShort(uint64_t amount, int64_t elementBytes) {
  return elementBytes ? printBytes(amount) : printCount(amount);
}

void Picture::drawMatrix() {
  const bool isNumbered = cell > 40;
  int label = SvgCanvas::textWidth(senders.label(senders.count - 1), 11) + 8;
  const int left = kSheetMargin + std::max(label, 58);
  const int down = static_cast<int>(senders.count) * cell;
  const int across = static_cast<int>(receivers.count) * cell;
  canvas.text(left, y + kSheetText, "to rank", kSheetText, color::muted);
  y += SvgCanvas::lineHeight(kSheetText) + 16;
  canvas.text(kSheetMargin, y - 5, "from", kSheetText, color::muted);
  // Labels, as far as there is room.
  int free = 0;
  for (int64_t c = 0; c < receivers.count; ++c) {
    const std::string text = receivers.label(c);
    const int x = left + static_cast<int>(c) * cell + cell / 2 -
                  SvgCanvas::textWidth(text, 11) / 2;
    if (x < free)
      continue;
    free = canvas.text(x, y - 5, text, 11, color::ink) + 6;
    width = std::max(width, free + kSheetMargin);
  }
  for (int64_t r = 0; r < senders.count; ++r) {
    const int top = y + static_cast<int>(r) * cell;
    const std::string text = senders.label(r);
    canvas.text(left - 8 - SvgCanvas::textWidth(text, 11), top + cell / 2 + 4,
                text, 11, color::ink);
    for (int64_t c = 0; c < receivers.count; ++c) {
      const int x = left + static_cast<int>(c) * cell;
      const uint64_t amount = at(r, c);
      const unsigned step = getHeatStep(amount, most);
      canvas.rect(x, top, cell, cell, getHeatColor(step), color::rule);
      const bool isSelf = senders.ranks.empty() && receivers.ranks.empty() &&
                          senders.group == 1 && r == c;
      if (isSelf)
        canvas.rect(x + 1, top + 1, cell - 2, cell - 2, "url(#padding)");
      if (isNumbered && amount) {
        const std::string figure = printShort(amount, elementBytes);
        const int size = SvgCanvas::textWidth(figure, 11) < cell ? 11 : 9;
        canvas.text(x + cell / 2 - SvgCanvas::textWidth(figure, size) / 2,
                    top + cell / 2 + 4, figure, size, getHeatInk(step));
      }
    }
  }
  // What is sent and received.
  uint64_t longest = 1;
  for (uint64_t amount : sent)
    longest = std::max(longest, amount);
  for (uint64_t amount : received)
    longest = std::max(longest, amount);
  auto bar = [&](uint64_t amount) {
    return static_cast<int>(static_cast<double>(amount) /
                            static_cast<double>(longest) * kBar);
  };
  const int right = left + across + 10, below = y + down + 10;
  canvas.text(right, y - 5, "sends", kSheetText, color::muted);
  width = std::max(width, right + SvgCanvas::textWidth("sends", kSheetText));
  for (int64_t r = 0; r < senders.count; ++r) {
    const int top = y + static_cast<int>(r) * cell;
    if (sent[r] == 0 && !isNumbered)
      continue;
    canvas.rect(right, top + 3, std::max(bar(sent[r]), 1), cell - 6, "#6aa5f0");
    const int end =
        canvas.text(right + bar(sent[r]) + 6, top + cell / 2 + 4,
                    printShort(sent[r], elementBytes), 11, color::ink);
    width = std::max(width, end + kSheetMargin);
  }
  int bottom = below;
  for (int64_t c = 0; c < receivers.count; ++c) {
    const int x = left + static_cast<int>(c) * cell;
    const int length = std::max(bar(received[c]), 1);
    canvas.rect(x + 3, below, cell - 6, length, "#6aa5f0");
    bottom = std::max(bottom, below + length + 4);
  }
  canvas.text(kSheetMargin, below + 10, "receives", 11, color::muted);
  if (isNumbered) {
    for (int64_t c = 0; c < receivers.count; ++c) {
      const std::string figure = printShort(received[c], elementBytes);
      const int size = SvgCanvas::textWidth(figure, 11) < cell ? 11 : 9;
      canvas.text(left + static_cast<int>(c) * cell + cell / 2 -
                      SvgCanvas::textWidth(figure, size) / 2,
                  bottom + 12, figure, size, color::ink);
    }
    bottom += 16;
  } else {
    const uint64_t least = received.empty() ? 0 : *llvm::min_element(received);
    const uint64_t peak = received.empty() ? 0 : *llvm::max_element(received);
    const int end =
        canvas.text(left, bottom + 14,
                    "from " + printShort(least, elementBytes) + " to " +
                        printShort(peak, elementBytes) +
                        (receivers.group > 1 ? " for a square" : " a rank"),
                    11, color::muted);
    width = std::max(width, end + kSheetMargin);
    bottom += 18;
  }
  y = bottom + 16;
}

/// The ranks where they stand on the grid, the last axis across, all others
/// down; an arrow for each pair that sends.
void Picture::drawArrows(int x, int top) {
  const int64_t across = grid.axes.back().size;
  auto center = [&](int64_t rank) {
    return std::pair(x + 30 + static_cast<int>(rank % across) * kStep,
                     top + 40 + static_cast<int>(rank / across) * kStep);
  };
  canvas.text(x, top + kSheetText, "the grid: " + grid.str(), kSheetText,
              color::muted);
  for (const auto &[pair, amount] : amounts) {
    auto [x1, y1] = center(pair.first);
    auto [x2, y2] = center(pair.second);
    const int dx = x2 > x1 ? 1 : x2 < x1 ? -1 : 0;
    const int dy = y2 > y1 ? 1 : y2 < y1 ? -1 : 0;
    const int64_t steps =
        std::max(std::abs(x2 - x1), std::abs(y2 - y1)) / kStep;
    const unsigned step = getHeatStep(amount, most);
    // Neighbours that send each other as much share a line with two heads; else both
    // directions are side by side: each to its left; the farther, the wider the bend
    // round what lies between.
    const auto back = amounts.find({pair.second, pair.first});
    const bool isShared = steps <= 1 && back != amounts.end() &&
                          getHeatStep(back->second, most) == step;
    if (isShared && pair.first > pair.second)
      continue;
    const int bend = steps > 1 ? 22 + 6 * static_cast<int>(steps) : 0;
    const int side = isShared ? 0 : 6, away = dx && dy ? 14 : kRadius + 2;
    const int sx = x1 + dx * away + dy * side, sy = y1 + dy * away - dx * side;
    const int ex = x2 - dx * away + dy * side, ey = y2 - dy * away - dx * side;
    canvas.raw("path d=\"M" + Twine(sx) + " " + Twine(sy) + "Q" +
               Twine((sx + ex) / 2 + dy * bend) + " " +
               Twine((sy + ey) / 2 - dx * bend) + " " + Twine(ex) + " " +
               Twine(ey) + "\" fill=\"none\" stroke=\"" +
               getHeatColor(std::max(step, 3u)) + "\"" +
               (isShared ? " marker-start=\"url(#arrow)\"" : "") +
               " marker-end=\"url(#arrow)\"");
  }
  for (int64_t rank = 0; rank < grid.getNumRanks(); ++rank) {
    auto [cx, cy] = center(rank);
    canvas.raw("circle cx=\"" + Twine(cx) + "\" cy=\"" + Twine(cy) + "\" r=\"" +
               Twine(kRadius) + "\" fill=\"" + getRankColor(rank) +
               "\" stroke=\"" + color::ink + "\"");
    const std::string text = std::to_string(rank);
    canvas.text(cx - SvgCanvas::textWidth(text, 12) / 2, cy + 4, text, 12,
                color::ink);
  }
  width = std::max(
      {width, x + 60 + static_cast<int>(across - 1) * kStep + kSheetMargin + 30,
       x + SvgCanvas::textWidth("the grid: " + grid.str(), kSheetText) +
           kSheetMargin});
}

void Picture::drawMessages() {
  size_t count = 0;
  for (const ExchangeMessage &message : exchange.messages) {
    if (count == kMaxMessages) {
      canvas.text(kSheetMargin, y + kSheetSmall,
                  "… and " +
                      printCount(exchange.messages.size() - kMaxMessages) +
                      " more messages",
                  kSheetSmall, color::muted);
      y += SvgCanvas::lineHeight(kSheetSmall);
      break;
    }
    const std::string line =
        std::to_string(message.from) + " to " + std::to_string(message.to) +
        ": " + printBox(message.box) + ", " +
        printAmount(getAmount(message.box, elementBytes), elementBytes);
    const int end =
        canvas.text(kSheetMargin, y + kSheetSmall, SvgCanvas::elide(line, 120),
                    kSheetSmall, color::ink);
    width = std::max(width, end + kSheetMargin);
    y += SvgCanvas::lineHeight(kSheetSmall);
    ++count;
  }
  y += 10;
}

void Picture::drawLegend() {
  int x = kSheetMargin;
  if (most == 0) {
    y += kSheetMargin;
    return;
  }
  SmallVector<bool> occurs(kHeatSteps + 1, false);
  for (const auto &[square, amount] : amounts)
    occurs[getHeatStep(amount, most)] = true;
  for (unsigned step = 1; step <= kHeatSteps; ++step) {
    if (!occurs[step])
      continue;
    const auto to =
        static_cast<uint64_t>(static_cast<double>(most) * step / kHeatSteps);
    x = drawKey(canvas, x, y, getHeatColor(step),
                (step < kHeatSteps ? "up to " : "") +
                    printShort(std::max<uint64_t>(to, 1), elementBytes));
  }
  if (senders.group == 1 && isWhole())
    x = drawKey(canvas, x, y, "none", "itself", /*isHatched=*/true);
  width = std::max(width, x + kSheetMargin);
  y += 12 + kSheetMargin;
}

void Picture::write(llvm::raw_ostream &os) {
  const int64_t n = grid.getNumRanks();
  std::vector<std::string> lines;
  lines.push_back(printCount(n) + (n == 1 ? " rank " : " ranks ") + grid.str());
  const std::string amount =
      printAmount(total, elementBytes) + " in " +
      printCount(exchange.messages.size()) +
      (exchange.messages.size() == 1 ? " message" : " messages");
  if (exchange.messages.empty())
    lines.push_back("nothing is sent: every rank has what it needs");
  else if (isWhole())
    lines.push_back("sent by all: " + amount);
  else
    lines.push_back("to the " + std::to_string(receivers.count) +
                    " receivers drawn of " + printCount(n) + ": " + amount +
                    "; of several that have the same, another may be the "
                    "sender when all ask");
  if (senders.group > 1)
    lines.push_back("a row stands for " + printCount(senders.group) +
                    " ranks that follow one another" +
                    (receivers.group > 1 ? ", a column, too" : "") +
                    "; the first is named");
  if (!senders.ranks.empty())
    lines.push_back("who sends nothing to them is left out");
  y = drawHead(canvas, name, lines, width);
  const int top = y;
  drawMatrix();
  if (n <= kMaxArrowRanks && !exchange.messages.empty()) {
    drawArrows(width + 20, top);
    const int64_t down = n / grid.axes.back().size;
    y = std::max(y, top + 40 + static_cast<int>(down) * kStep);
  }
  if (!exchange.messages.empty())
    drawMessages();
  drawLegend();
  canvas.write(os, width, y, name, llvm::join(lines, "; "));
}

std::optional<std::string> mlir::tensoraccess::writeExchangeSvg(
    StringRef name, const Grid &grid, const Exchange &exchange,
    int64_t elementBytes, llvm::raw_ostream &os,
    const ShardPictureOptions &options) {
  if (std::optional<std::string> problem = grid.verify())
    return problem;
  const int64_t ranks = grid.getNumRanks();
  for (const ExchangeMessage &message : exchange.messages)
    for (int64_t rank : {message.from, message.to})
      if (rank < 0 || rank >= ranks)
        return "a message names rank " + std::to_string(rank) +
               ", but the grid has " + std::to_string(ranks);
  Picture(name, grid, exchange, elementBytes, Side::all(ranks),
          Side::all(ranks))
      .write(os);
  return std::nullopt;
}

std::optional<std::string>
mlir::tensoraccess::writeExchangeSvg(const ShardedTensor &tensor,
                                     llvm::raw_ostream &os,
                                     const ShardPictureOptions &options) {
  if (std::optional<std::string> problem = checkPicture(tensor, options))
    return problem;
  std::vector<int64_t> drawn = chooseRanks(tensor, options.maxRanks);
  std::string error;
  std::optional<Exchange> exchange = getMessages(tensor, drawn, error);
  if (!exchange)
    return error;
  const int64_t ranks = tensor.grid.getNumRanks();
  const bool isWhole = ranks <= kMaxListedRanks;
  Side senders = Side::all(ranks);
  if (!isWhole) {
    // Those that send anything, one by one if they are few.
    std::set<int64_t> some, groups;
    for (const ExchangeMessage &message : exchange->messages) {
      some.insert(message.from);
      groups.insert(message.from / senders.group * senders.group);
    }
    if (static_cast<int64_t>(some.size()) <= kMaxSquares && !some.empty())
      senders = Side::some({some.begin(), some.end()});
    else if (!groups.empty())
      senders = Side::some({groups.begin(), groups.end()}, senders.group);
  }
  Picture(tensor.name, tensor.grid, *exchange, tensor.elementBytes,
          std::move(senders), isWhole ? Side::all(ranks) : Side::some(drawn))
      .write(os);
  return std::nullopt;
}
