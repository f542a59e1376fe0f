//===- ExchangePicture.cpp - Draws messages between ranks -----------------===//
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

#include "Canvas/Figures.h"
#include "Canvas/Panel.h"
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
constexpr int kSmallCell = 18, kLargeCell = 52, kBar = 70, kRankCell = 92,
              kRadius = 15;

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

class Drawing {
public:
  Drawing(StringRef name, const Grid &grid, const Exchange &exchange,
          int64_t elementBytes, Side senders, Side receivers);
  Picture finish() const;

private:
  Panel drawMatrix() const;
  Panel drawArrows() const;
  std::vector<TextLine> listMessages() const;
  std::vector<Key> makeLegend() const;
  uint64_t at(int64_t row, int64_t column) const {
    auto it = amounts.find({row, column});
    return it == amounts.end() ? 0 : it->second;
  }
  bool isWhole() const { return receivers.ranks.empty(); }
  /// Whether squares have room for figures.
  bool isNumbered() const {
    return std::max(senders.count, receivers.count) <= kMaxNumbered;
  }

  StringRef name;
  const Grid &grid;
  const Exchange &exchange;
  int64_t elementBytes;
  Side senders, receivers;
  /// By squares.
  std::map<std::pair<int64_t, int64_t>, uint64_t> amounts;
  std::vector<uint64_t> sent, received;
  uint64_t total = 0, most = 0;
};

} // namespace

Drawing::Drawing(StringRef name, const Grid &grid, const Exchange &exchange,
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
}

/// Figures without a unit's name where elements are counted, to be short.
static std::string printShort(uint64_t amount, int64_t elementBytes) {
  return elementBytes ? printBytes(amount) : printCount(amount);
}

Panel Drawing::drawMatrix() const {
  constexpr int kInset = 3;
  const uint64_t longest = std::max<uint64_t>(
      {1, *llvm::max_element(sent), *llvm::max_element(received)});
  // The squares, and bars to the right and below.
  auto makeAxes = [&](const Side &side) -> std::vector<PlaneAxis> {
    PlaneAxis squares = PlaneAxis::range(
        0, side.count, 1, isNumbered() ? kLargeCell : kSmallCell);
    for (int64_t i = 0; i < side.count; ++i)
      squares.ticks.push_back({i, i + 1, side.label(i)});
    return {squares, PlaneAxis::scaled(longest, kBar)};
  };
  Plane plane;
  plane.rows = makeAxes(senders);
  plane.columns = makeAxes(receivers);
  plane.rows[0].title = "from";
  plane.columns[0].title = "to rank";
  plane.columns[1].title = "sends";
  plane.rows[1].title = "receives";
  plane.least = 1;
  for (int64_t r = 0; r < senders.count; ++r)
    for (int64_t c = 0; c < receivers.count; ++c) {
      const uint64_t amount = at(r, c);
      const unsigned step = getHeatStep(amount, most);
      const bool isSelf =
          senders.ranks.empty() && isWhole() && senders.group == 1 && r == c;
      Area area{{r, r + 1},
                {c, c + 1},
                Look::framed(getHeatColor(step), color::rule, isSelf)};
      area.ink = getHeatInk(step);
      if (isNumbered() && amount)
        area.label = printShort(amount, elementBytes);
      plane.areas.push_back(std::move(area));
    }
  // What is sent and received.
  auto addBar = [&](Stretch rows, Stretch columns, uint64_t amount,
                    Area::Place place, bool isNumbered) {
    Area bar{rows, columns, {"#6aa5f0"}};
    bar.place = place;
    if (isNumbered)
      bar.label = printShort(amount, elementBytes);
    plane.areas.push_back(std::move(bar));
  };
  for (auto [r, amount] : llvm::enumerate(sent))
    addBar({int64_t(r), int64_t(r) + 1, 0, kInset}, {0, int64_t(amount), 1},
           amount, Area::Place::Behind, isNumbered() || amount);
  for (auto [c, amount] : llvm::enumerate(received))
    addBar({0, int64_t(amount), 1}, {int64_t(c), int64_t(c) + 1, 0, kInset},
           amount, Area::Place::Below, isNumbered());
  Panel panel{{}, std::move(plane)};
  if (!isNumbered())
    panel.foot.push_back(TextLine::note(
        "from " + printShort(*llvm::min_element(received), elementBytes) +
        " to " + printShort(*llvm::max_element(received), elementBytes) +
        (receivers.group > 1 ? " for a square" : " a rank")));
  return panel;
}

/// The ranks where they stand on the grid, the last axis across, all others
/// down; an arrow for each pair that sends.
Panel Drawing::drawArrows() const {
  const int64_t across = grid.axes.back().size, ranks = grid.getNumRanks();
  Plane plane;
  plane.rows = {PlaneAxis::range(0, ranks / across, 1, kRankCell)};
  plane.columns = {PlaneAxis::range(0, across, 1, kRankCell)};
  auto place = [&](int64_t rank, int inset) {
    const int64_t row = rank / across, column = rank % across;
    return std::pair(Stretch{row, row + 1, 0, inset},
                     Stretch{column, column + 1, 0, inset});
  };
  for (const auto &[pair, amount] : amounts) {
    auto [fromRow, fromColumn] = place(pair.first, 0);
    auto [toRow, toColumn] = place(pair.second, 0);
    const auto steps =
        static_cast<int>(std::max(std::abs(fromRow.lo - toRow.lo),
                                  std::abs(fromColumn.lo - toColumn.lo)));
    const unsigned step = getHeatStep(amount, most);
    // Neighbours that send each other as much share a line with two heads; else both
    // directions are side by side: each to its left; the farther, the wider the bend
    // round what lies between.
    const auto back = amounts.find({pair.second, pair.first});
    const bool isShared = steps <= 1 && back != amounts.end() &&
                          getHeatStep(back->second, most) == step;
    if (isShared && pair.first > pair.second)
      continue;
    Arrow arrow{fromRow, fromColumn, toRow, toColumn,
                getHeatColor(std::max(step, 3u))};
    arrow.hasHead = true;
    arrow.hasTail = isShared;
    arrow.clear = kRadius + 2;
    arrow.shift = isShared ? 0 : 6;
    arrow.bend = steps > 1 ? 22 + 6 * steps : 0;
    plane.arrows.push_back(arrow);
  }
  for (int64_t rank = 0; rank < ranks; ++rank) {
    auto [row, column] = place(rank, kRankCell / 2 - kRadius);
    Area area{row, column, Look::framed(getRankColor(rank), color::ink),
              std::to_string(rank)};
    area.shape = Area::Shape::Disc;
    plane.areas.push_back(std::move(area));
  }
  return {{TextLine::note("the grid: " + grid.str())}, std::move(plane)};
}

std::vector<TextLine> Drawing::listMessages() const {
  std::vector<TextLine> lines;
  for (const ExchangeMessage &message :
       ArrayRef(exchange.messages)
           .take_front(std::min(kMaxMessages, exchange.messages.size()))) {
    const std::string line =
        std::to_string(message.from) + " to " + std::to_string(message.to) +
        ": " + printBox(message.box) + ", " +
        printAmount(getAmount(message.box, elementBytes), elementBytes);
    lines.push_back({{{Sheet::elide(line, 120)}}, kSmallText});
  }
  if (exchange.messages.size() > kMaxMessages)
    lines.push_back(TextLine::note(
        "… and " + printCount(exchange.messages.size() - kMaxMessages) +
            " more messages",
        kSmallText));
  return lines;
}

std::vector<Key> Drawing::makeLegend() const {
  std::vector<Key> keys;
  if (most == 0)
    return keys;
  SmallVector<bool> occurs(kHeatSteps + 1, false);
  for (const auto &[square, amount] : amounts)
    occurs[getHeatStep(amount, most)] = true;
  for (unsigned step = 1; step <= kHeatSteps; ++step) {
    if (!occurs[step])
      continue;
    const auto to =
        static_cast<uint64_t>(static_cast<double>(most) * step / kHeatSteps);
    keys.push_back(
        Key::swatch(getHeatColor(step),
                    (step < kHeatSteps ? "up to " : "") +
                        printShort(std::max<uint64_t>(to, 1), elementBytes)));
  }
  if (senders.group == 1 && isWhole())
    keys.push_back(Key::swatch("", "itself", /*isHatched=*/true));
  return keys;
}

Picture Drawing::finish() const {
  const int64_t n = grid.getNumRanks();
  Picture picture;
  picture.title = name;
  picture.summary.push_back(printCount(n) + (n == 1 ? " rank " : " ranks ") +
                            grid.str());
  const std::string amount =
      printAmount(total, elementBytes) + " in " +
      printCount(exchange.messages.size()) +
      (exchange.messages.size() == 1 ? " message" : " messages");
  if (exchange.messages.empty())
    picture.summary.push_back("nothing is sent: every rank has what it needs");
  else if (isWhole())
    picture.summary.push_back("sent by all: " + amount);
  else
    picture.summary.push_back(
        "to the " + std::to_string(receivers.count) + " receivers drawn of " +
        printCount(n) + ": " + amount +
        "; of several that have the same, another may be the "
        "sender when all ask");
  if (senders.group > 1)
    picture.summary.push_back("a row stands for " + printCount(senders.group) +
                              " ranks that follow one another" +
                              (receivers.group > 1 ? ", a column, too" : "") +
                              "; the first is named");
  if (!senders.ranks.empty())
    picture.summary.push_back("ranks that send nothing to them are left out");
  Stack across, body;
  across.isAcross = true;
  across.parts = {drawMatrix()};
  if (n <= kMaxArrowRanks && !exchange.messages.empty())
    across.parts.push_back(drawArrows());
  body.parts = {{{}, std::move(across)}, {listMessages()}};
  picture.body.content = std::move(body);
  picture.legend = makeLegend();
  return picture;
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
  writeSvg(Drawing(name, grid, exchange, elementBytes, Side::all(ranks),
                   Side::all(ranks))
               .finish(),
           os);
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
  writeSvg(Drawing(tensor.name, tensor.grid, *exchange, tensor.elementBytes,
                   std::move(senders),
                   isWhole ? Side::all(ranks) : Side::some(drawn))
               .finish(),
           os);
  return std::nullopt;
}
