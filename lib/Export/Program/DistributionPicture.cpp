//===- DistributionPicture.cpp - A tensor's shards, drawn -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Two dimensions are drawn: those in most parts, then those in which ranks
//      need less than everything, then the longest. What the others are is
//      said.
//   2. The tensor is drawn to scale where a dimension has up to 16 parts; of
//      more, the first and the last are drawn. If more than two dimensions are
//      cut there is a plane for each of the first parts of the others.
//   3. A card for each of some ranks shows the tensor small, in it what the
//      rank has and needs. What comes across an end is drawn twice: where it
//      is, and dashed beyond the end where the rank reads it.
//
//===----------------------------------------------------------------------===//

#include "Canvas/ShardDrawing.h"
#include "ShardTraffic.h"
#include "mlir/Support/LLVM.h"

#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kMaxWidth = 1180, kSmallSide = 110, kGhost = 14, kCardGap = 18;
constexpr int64_t kMaxScaledParts = 16, kHeadParts = 6, kTailParts = 2;
constexpr int kPartCell = 30, kElision = 24;
constexpr size_t kMaxPlanes = 4, kMaxSenders = 3, kMaxOverlayRanks = 1024;

/// A dimension of the tensor in pixels: whole, or some of its parts.
struct PartAxis {
  int dim = -1; ///< -1: the tensor has fewer dimensions; one square.
  int64_t extent = 1, parts = 1;
  int length = 60;
  SmallVector<int64_t> drawn = {0};

  static PartAxis make(int dim, int64_t extent, int64_t parts);
  bool isElided() const { return static_cast<int64_t>(drawn.size()) < parts; }
  /// The pixel where an element begins; the extent is the end.
  int position(int64_t element) const;
};

class Picture {
public:
  Picture(const ShardedTensor &tensor, ArrayRef<int64_t> ranks,
          const std::optional<Exchange> &exchange)
      : tensor(tensor), ranks(ranks), exchange(exchange) {
    chooseDims();
  }
  void write(llvm::raw_ostream &os);

private:
  struct Card {
    int64_t rank;
    std::string heading;
    SmallVector<std::string> lines;
  };

  int64_t getParts(unsigned dim) const {
    return tensor.owned ? tensor.grid.getNumParts(tensor.owned->dims[dim]) : 1;
  }
  void chooseDims();
  std::vector<std::string> describe() const;
  SmallVector<Box, 4> getRemote(int64_t rank) const;
  StringRef colorOfRank(int64_t rank) const;

  void drawTensor();
  void drawPlane(int x, int y, ArrayRef<int64_t> others);
  void drawTicks(int x, int y);
  void drawHalos(int x, int y, ArrayRef<int64_t> others);
  Card makeCard(int64_t rank) const;
  void drawCard(const Card &card, int x, int y);
  void drawCards();
  void drawLegend();

  const ShardedTensor &tensor;
  ArrayRef<int64_t> ranks;
  const std::optional<Exchange> &exchange;
  PartAxis rows, columns;
  /// Dimensions that cards speak of, and those that are cut but not drawn.
  SmallVector<unsigned> told, others;
  SvgCanvas canvas;
  int width = 0, y = 0;
};

} // namespace

PartAxis PartAxis::make(int dim, int64_t extent, int64_t parts) {
  PartAxis axis;
  axis.dim = dim;
  axis.extent = extent;
  axis.parts = parts;
  axis.drawn.clear();
  if (parts <= kMaxScaledParts) {
    const int64_t wanted =
        std::max(std::min<int64_t>(extent, 40) * 12, parts * kPartCell);
    axis.length = std::clamp<int64_t>(wanted, 60, kMaxScaledParts * kPartCell);
    llvm::append_range(axis.drawn, llvm::seq<int64_t>(0, parts));
    return axis;
  }
  llvm::append_range(axis.drawn, llvm::seq<int64_t>(0, kHeadParts));
  llvm::append_range(axis.drawn, llvm::seq<int64_t>(parts - kTailParts, parts));
  axis.length = static_cast<int>(axis.drawn.size()) * kPartCell + kElision;
  return axis;
}

int PartAxis::position(int64_t element) const {
  if (extent == 0)
    return 0;
  if (!isElided())
    return static_cast<int>(static_cast<__int128>(element) * length / extent);
  int at = 0;
  for (auto [i, part] : llvm::enumerate(drawn)) {
    if (i == kHeadParts)
      at += kElision;
    const int64_t begin = getCutBegin(extent, parts, part);
    const int64_t end = getCutBegin(extent, parts, part + 1);
    if (element < begin)
      return at - kElision / 2;
    if (element < end)
      return at +
             static_cast<int>((element - begin) * kPartCell / (end - begin));
    at += kPartCell;
  }
  return at;
}

void Picture::chooseDims() {
  const int rank = static_cast<int>(tensor.shape.size());
  SmallVector<bool> isPart(rank, false);
  if (tensor.needed)
    for (int64_t r : ranks)
      for (const Box &box : (*tensor.needed)[r])
        for (int d = 0; d < rank; ++d)
          isPart[d] |= box.lo[d] > 0 || box.hi[d] < tensor.shape[d];
  auto order = llvm::to_vector<4>(llvm::seq<int>(0, rank));
  llvm::sort(order, [&](int a, int b) {
    auto key = [&](int d) {
      return std::tuple(-getParts(d), !isPart[d], -tensor.shape[d], d);
    };
    return key(a) < key(b);
  });
  order.resize(std::min(rank, 2));
  llvm::sort(order);
  auto axis = [&](int d) {
    return PartAxis::make(d, tensor.shape[d], getParts(d));
  };
  if (!order.empty())
    columns = axis(order.back());
  if (order.size() == 2)
    rows = axis(order.front());
  for (int d = 0; d < rank; ++d) {
    const bool isDrawn = d == rows.dim || d == columns.dim;
    if (getParts(d) > 1 || isPart[d])
      told.push_back(d);
    if (getParts(d) > 1 && !isDrawn)
      others.push_back(d);
  }
}

/// `one whole` and the like: what is said of the dimensions.
std::vector<std::string> Picture::describe() const {
  std::string first = printShape(tensor.shape);
  if (tensor.elementBytes)
    first += ", " + std::to_string(tensor.elementBytes) +
             (tensor.elementBytes == 1 ? " byte" : " bytes") + " an element";
  first += ", on " + printCount(tensor.grid.getNumRanks()) + " ranks " +
           tensor.grid.str();
  if (tensor.owned)
    first += ": " + tensor.owned->str(tensor.grid);
  else
    first += ": each rank holds what it needs";
  std::vector<std::string> lines = {first};
  std::string drawn;
  for (auto [what, axis] : {std::pair("down", &rows), {"across", &columns}}) {
    if (axis->dim < 0)
      continue;
    drawn += (drawn.empty() ? "" : "; ") + std::string(what) + ": dimension " +
             std::to_string(axis->dim) + " in " + printCount(axis->parts) +
             (axis->parts == 1 ? " part" : " parts");
    if (axis->isElided())
      drawn += ", " + std::to_string(axis->drawn.size()) + " of them drawn";
  }
  std::string whole;
  for (unsigned d = 0; d < tensor.shape.size(); ++d)
    if (getParts(d) == 1 && int(d) != rows.dim && int(d) != columns.dim)
      whole += (whole.empty() ? "" : ", ") + std::to_string(d);
  if (!whole.empty())
    drawn += "; not drawn, as they are not cut: " + whole;
  if (!drawn.empty())
    lines.push_back(drawn);
  if (!tensor.owned)
    return lines;
  Distribution::Axes copies = tensor.owned->getReplicatingAxes(tensor.grid);
  auto name = [&](ArrayRef<unsigned> axes) {
    std::string text;
    for (unsigned axis : axes)
      text += (text.empty() ? "" : ", ") + tensor.grid.axes[axis].name;
    return text;
  };
  if (int64_t count = tensor.grid.getNumParts(copies); count > 1)
    lines.push_back("each part is on " + printCount(count) +
                    " ranks, which differ along " + name(copies));
  if (!tensor.owned->partial.empty())
    lines.push_back("along " + name(tensor.owned->partial) +
                    " each rank has a summand of its part");
  return lines;
}

/// What a rank needs and lacks.
SmallVector<Box, 4> Picture::getRemote(int64_t rank) const {
  SmallVector<Box, 4> out;
  if (!tensor.needed || !tensor.owned)
    return out;
  const Box own = tensor.owned->getBox(tensor.grid, tensor.shape, rank);
  for (const Box &box : (*tensor.needed)[rank])
    for (const Box &piece : subtractBox(box, own))
      if (!piece.isEmpty())
        out.push_back(piece);
  return out;
}

StringRef Picture::colorOfRank(int64_t rank) const {
  if (!tensor.owned)
    return getRankColor(rank);
  // Neighbours differ: by 1 along the last dimension that is cut, by 3 along
  // the one before.
  SmallVector<int64_t, 6> at = tensor.grid.getCoordinates(rank);
  size_t number = 0, step = 1;
  int64_t parts = 1;
  for (const Distribution::Axes &axes : tensor.owned->dims)
    parts *= tensor.grid.getNumParts(axes);
  for (const Distribution::Axes &axes : llvm::reverse(tensor.owned->dims)) {
    number += step * tensor.grid.getPart(axes, at);
    if (tensor.grid.getNumParts(axes) > 1)
      step = parts <= 8 ? step * tensor.grid.getNumParts(axes) : step * 3;
  }
  return getRankColor(number);
}

//===----------------------------------------------------------------------===//
// The tensor
//===----------------------------------------------------------------------===//

/// Where the parts begin, as far as there is room for the numbers.
void Picture::drawTicks(int x, int y) {
  auto begins = [](const PartAxis &axis) {
    SmallVector<int64_t> out;
    for (int64_t part : axis.drawn)
      out.push_back(getCutBegin(axis.extent, axis.parts, part));
    out.push_back(axis.extent);
    return out;
  };
  int free = 0;
  if (columns.dim >= 0)
    for (int64_t at : begins(columns)) {
      const std::string text = std::to_string(at);
      const int left = x + columns.position(at);
      if (left < free)
        continue;
      free = canvas.text(left, y - 4, text, 10, color::muted) + 6;
      width = std::max(width, free + kSheetMargin);
    }
  free = 0;
  if (rows.dim >= 0)
    for (int64_t at : begins(rows)) {
      const std::string text = std::to_string(at);
      const int top = y + rows.position(at);
      if (top < free)
        continue;
      canvas.text(x - 4 - SvgCanvas::textWidth(text, 10), top + 8, text, 10,
                  color::muted);
      free = top + 12;
    }
}

void Picture::drawPlane(int x, int y, ArrayRef<int64_t> others) {
  if (!tensor.owned) {
    canvas.rect(x, y, columns.length, rows.length, color::faint, color::rule);
    drawTicks(x, y);
    return;
  }
  // Ranks by the parts that they have of the drawn dimensions.
  std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> owners;
  const Distribution &owned = *tensor.owned;
  auto partOf = [&](int dim, ArrayRef<int64_t> at) -> int64_t {
    return dim < 0 ? 0 : tensor.grid.getPart(owned.dims[dim], at);
  };
  for (int64_t rank = 0, n = tensor.grid.getNumRanks(); rank < n; ++rank) {
    SmallVector<int64_t, 6> at = tensor.grid.getCoordinates(rank);
    bool isHere = true;
    for (auto [dim, part] : llvm::zip_equal(this->others, others))
      isHere &= partOf(dim, at) == part;
    if (isHere)
      owners[{partOf(rows.dim, at), partOf(columns.dim, at)}].push_back(rank);
  }
  auto stretch = [](const PartAxis &axis, int64_t part) {
    const int begin = axis.position(getCutBegin(axis.extent, axis.parts, part));
    const int64_t end = getCutBegin(axis.extent, axis.parts, part + 1);
    // The end of the last part before the gap is where it begins.
    const bool isLastOfHead = axis.isElided() && part == kHeadParts - 1;
    return std::pair(begin,
                     isLastOfHead ? begin + kPartCell : axis.position(end));
  };
  for (int64_t r : rows.drawn)
    for (int64_t c : columns.drawn) {
      auto [top, bottom] =
          rows.dim < 0 ? std::pair(0, rows.length) : stretch(rows, r);
      auto [left, right] =
          columns.dim < 0 ? std::pair(0, columns.length) : stretch(columns, c);
      if (top == bottom || left == right)
        continue;
      const std::vector<int64_t> &here = owners[{r, c}];
      canvas.rect(x + left, y + top, right - left, bottom - top,
                  colorOfRank(here.front()), color::ink);
      const std::string label = printRanks(here, right - left - 6, kSheetSmall);
      if (!label.empty() && bottom - top >= 14)
        canvas.text(x + (left + right) / 2 -
                        SvgCanvas::textWidth(label, kSheetSmall) / 2,
                    y + (top + bottom) / 2 + 4, label, kSheetSmall, color::ink);
    }
  for (int i = 0; i < 3; ++i) {
    const int head = kHeadParts * kPartCell + kElision / 2 + (i - 1) * 5;
    if (columns.isElided())
      canvas.circle(x + head, y + rows.length / 2, 1, color::muted);
    if (rows.isElided())
      canvas.circle(x + columns.length / 2, y + head, 1, color::muted);
  }
  drawHalos(x, y, others);
  drawTicks(x, y);
}

/// What any rank needs and lacks, unless that is most of the tensor.
void Picture::drawHalos(int x, int y, ArrayRef<int64_t> others) {
  const int64_t n = tensor.grid.getNumRanks();
  if (!tensor.needed || n > int64_t(kMaxOverlayRanks))
    return;
  std::set<std::tuple<int, int, int, int>> drawn;
  int area = 0;
  for (int64_t rank = 0; rank < n; ++rank)
    for (const Box &box : getRemote(rank)) {
      bool isHere = true;
      for (auto [dim, part] : llvm::zip_equal(this->others, others)) {
        const int64_t lo = getCutBegin(tensor.shape[dim], getParts(dim), part);
        const int64_t hi =
            getCutBegin(tensor.shape[dim], getParts(dim), part + 1);
        isHere &= box.lo[dim] < hi && box.hi[dim] > lo;
      }
      if (!isHere)
        continue;
      auto stretch = [&](const PartAxis &axis) {
        if (axis.dim < 0)
          return std::pair(0, axis.length);
        const int lo = axis.position(box.lo[axis.dim]);
        return std::pair(lo, std::max(axis.position(box.hi[axis.dim]), lo + 3));
      };
      auto [top, bottom] = stretch(rows);
      auto [left, right] = stretch(columns);
      if (drawn.insert({left, top, right, bottom}).second)
        area += (bottom - top) * (right - left);
      // Most of the tensor: the ranks' own pictures tell more.
      if (area * 2 > rows.length * columns.length)
        return;
    }
  for (auto [left, top, right, bottom] : drawn)
    drawHatch(canvas, x + left, y + top, right - left, bottom - top);
}

void Picture::drawTensor() {
  // Combinations of the first parts of the dimensions that are not drawn.
  std::vector<SmallVector<int64_t>> planes = {{}};
  int64_t all = 1;
  for (unsigned dim : others) {
    std::vector<SmallVector<int64_t>> next;
    for (const SmallVector<int64_t> &plane : planes)
      for (int64_t part = 0; part < getParts(dim); ++part) {
        if (next.size() == kMaxPlanes)
          break;
        next.push_back(plane);
        next.back().push_back(part);
      }
    planes = std::move(next);
    all *= getParts(dim);
  }
  int label = 0;
  if (rows.dim >= 0)
    label = SvgCanvas::textWidth(std::to_string(rows.extent), 10) + 6;
  int x = kSheetMargin + label, top = y;
  const int height = rows.length + 18 +
                     (others.empty() ? 0 : SvgCanvas::lineHeight(kSheetText));
  for (const SmallVector<int64_t> &plane : planes) {
    std::string text;
    for (auto [dim, part] : llvm::zip_equal(others, plane))
      text +=
          (text.empty() ? "d" : ", d") + std::to_string(dim) + " [" +
          std::to_string(getCutBegin(tensor.shape[dim], getParts(dim), part)) +
          ", " +
          std::to_string(
              getCutBegin(tensor.shape[dim], getParts(dim), part + 1)) +
          ")";
    const int across =
        std::max(columns.length + 24, SvgCanvas::textWidth(text, kSheetText));
    if (x > kSheetMargin + label && x + across > kMaxWidth) {
      x = kSheetMargin + label;
      top += height + 12;
    }
    int at = top;
    if (!text.empty()) {
      canvas.text(x, at + kSheetText, text, kSheetText, color::ink);
      at += SvgCanvas::lineHeight(kSheetText);
    }
    drawPlane(x, at + 14, plane);
    width = std::max(width, x + across + kSheetMargin);
    x += across + label + 24;
  }
  y = top + height + 22;
  if (int64_t left = all - static_cast<int64_t>(planes.size()); left > 0) {
    canvas.text(kSheetMargin, y + kSheetText,
                "… and " + printCount(left) + " more planes", kSheetText,
                color::muted);
    y += SvgCanvas::lineHeight(kSheetText) + 6;
  }
}

//===----------------------------------------------------------------------===//
// Ranks one by one
//===----------------------------------------------------------------------===//

Picture::Card Picture::makeCard(int64_t rank) const {
  Card card{rank, "rank " + printRank(tensor.grid, rank), {}};
  if (tensor.owned)
    card.lines.push_back(
        "has " +
        printDims(tensor.owned->getBox(tensor.grid, tensor.shape, rank), told));
  if (!tensor.needed)
    return card;
  std::string needs;
  for (auto [i, box] : llvm::enumerate((*tensor.needed)[rank])) {
    if (i == 2) {
      needs += " and more";
      break;
    }
    needs += (i ? " and " : "") + printDims(box, told);
  }
  card.lines.push_back((tensor.owned ? "needs " : "holds ") +
                       (needs.empty() ? "nothing" : needs));
  if (!exchange)
    return card;
  // By sender, in the order of messages.
  llvm::MapVector<int64_t, uint64_t> senders;
  llvm::DenseMap<int64_t, SmallVector<const Box *, 2>> boxes;
  uint64_t total = 0;
  for (const ExchangeMessage &message : exchange->messages) {
    if (message.to != rank)
      continue;
    const uint64_t amount = getAmount(message.box, tensor.elementBytes);
    senders[message.from] += amount;
    boxes[message.from].push_back(&message.box);
    total += amount;
  }
  size_t count = 0;
  uint64_t told = 0;
  for (auto [from, amount] : senders) {
    if (count == kMaxSenders && senders.size() > kMaxSenders + 1) {
      card.lines.push_back(
          "from " + printCount(senders.size() - count) +
          " more ranks: " + printAmount(total - told, tensor.elementBytes));
      break;
    }
    std::string line = "from " + std::to_string(from) + ": " +
                       printAmount(amount, tensor.elementBytes);
    if (boxes[from].size() == 1)
      line += ", " + printDims(*boxes[from].front(), this->told);
    card.lines.push_back(line);
    told += amount;
    ++count;
  }
  if (senders.empty())
    card.lines.push_back("receives nothing");
  return card;
}

void Picture::drawCard(const Card &card, int x, int y) {
  canvas.text(x, y + kSheetText, card.heading, kSheetText, color::ink,
              /*bold=*/true);
  y += SvgCanvas::lineHeight(kSheetText) + kGhost + 2;
  const int64_t longest =
      std::max<int64_t>({rows.dim < 0 ? 1 : rows.extent, columns.extent, 1});
  auto side = [&](const PartAxis &axis) {
    if (axis.dim < 0)
      return 28;
    return std::clamp<int>(static_cast<__int128>(axis.extent) * kSmallSide /
                               longest,
                           28, kSmallSide);
  };
  const int w = side(columns), h = side(rows), left = x + kGhost;
  canvas.rect(left, y, w, h, color::faint, color::rule);
  auto place = [](const PartAxis &axis, int length, int64_t element) {
    if (axis.dim < 0 || axis.extent == 0)
      return element == 0 ? 0 : length;
    return static_cast<int>(static_cast<__int128>(element) * length /
                            axis.extent);
  };
  /// A box of the tensor, at least some pixels wide; thin ones grow downwards
  /// or to the left where they end the tensor.
  auto stretch = [&](const PartAxis &axis, int length, const Box &box) {
    if (axis.dim < 0)
      return std::pair(0, length);
    int lo = place(axis, length, box.lo[axis.dim]);
    int hi = place(axis, length, box.hi[axis.dim]);
    if (hi - lo < 4) {
      hi = std::min(lo + 4, length);
      lo = hi - 4;
    }
    return std::pair(lo, hi);
  };
  auto draw = [&](const Box &box, StringRef fill, bool isHatched) {
    if (box.isEmpty())
      return;
    auto [top, bottom] = stretch(rows, h, box);
    auto [begin, end] = stretch(columns, w, box);
    canvas.rect(left + begin, y + top, end - begin, bottom - top, fill,
                isHatched ? "none" : color::ink);
    if (isHatched)
      drawHatch(canvas, left + begin, y + top, end - begin, bottom - top);
  };
  Box own;
  if (tensor.owned)
    own = tensor.owned->getBox(tensor.grid, tensor.shape, card.rank);
  else
    for (const Box &box : (*tensor.needed)[card.rank])
      draw(box, colorOfRank(card.rank), false);
  // What it has lies on top, but for summands of that.
  SmallVector<const ExchangeMessage *> inside;
  if (exchange)
    for (const ExchangeMessage &message : exchange->messages) {
      if (message.to != card.rank)
        continue;
      const StringRef fill = colorOfRank(message.from);
      if (intersectBoxes(message.box, own) == message.box)
        inside.push_back(&message);
      else
        draw(message.box, fill, true);
      // Beyond the end where the rank reads it.
      for (auto [axis, length, isRow] :
           {std::tuple(&rows, h, true), std::tuple(&columns, w, false)}) {
        if (axis->dim < 0 || tensor.wraps.empty() || !tensor.wraps[axis->dim])
          continue;
        const unsigned d = axis->dim;
        const bool below = own.lo[d] == 0 && message.box.hi[d] == axis->extent;
        const bool above = own.hi[d] == axis->extent && message.box.lo[d] == 0;
        if (below == above)
          continue;
        auto [a, b] = isRow ? stretch(columns, w, message.box)
                            : stretch(rows, h, message.box);
        const int size = std::clamp(place(*axis, length, message.box.hi[d]) -
                                        place(*axis, length, message.box.lo[d]),
                                    5, kGhost - 3);
        const int at = below ? -size - 2 : length + 2;
        const int gx = isRow ? left + a : left + at;
        const int gy = isRow ? y + at : y + a;
        const int gw = isRow ? b - a : size, gh = isRow ? size : b - a;
        canvas.rect(gx, gy, gw, gh, fill);
        drawHatch(canvas, gx, gy, gw, gh);
      }
    }
  if (tensor.owned)
    draw(own, colorOfRank(card.rank), false);
  for (const ExchangeMessage *message : inside)
    draw(message->box, colorOfRank(message->from), true);
  canvas.rect(left, y, w, h, "none", color::ink);
  y += h + kGhost + 2;
  for (const std::string &line : card.lines) {
    canvas.text(x, y + kSheetSmall, line, kSheetSmall, color::muted);
    y += SvgCanvas::lineHeight(kSheetSmall);
  }
}

void Picture::drawCards() {
  std::vector<Card> cards;
  size_t lines = 0;
  int across = 2 * kGhost + kSmallSide;
  for (int64_t rank : ranks) {
    Card &card = cards.emplace_back(makeCard(rank));
    for (std::string &line : card.lines) {
      line = SvgCanvas::elide(line, 60);
      across = std::max(across, SvgCanvas::textWidth(line, kSheetSmall));
    }
    across = std::max(across, SvgCanvas::textWidth(card.heading, kSheetText));
    lines = std::max(lines, card.lines.size());
  }
  const int64_t longest =
      std::max<int64_t>({rows.dim < 0 ? 1 : rows.extent, columns.extent, 1});
  const int64_t tall = rows.dim < 0 ? 0 : rows.extent;
  const int small = std::clamp<int>(
      static_cast<__int128>(tall) * kSmallSide / longest, 28, kSmallSide);
  const int height = SvgCanvas::lineHeight(kSheetText) + small + 2 * kGhost +
                     4 + int(lines) * SvgCanvas::lineHeight(kSheetSmall) + 14;
  int x = kSheetMargin;
  for (const Card &card : cards) {
    if (x > kSheetMargin && x + across + kSheetMargin > kMaxWidth) {
      x = kSheetMargin;
      y += height;
    }
    drawCard(card, x, y);
    width = std::max(width, x + across + kSheetMargin);
    x += across + kCardGap;
  }
  y += height;
  const int64_t hidden =
      tensor.grid.getNumRanks() - static_cast<int64_t>(ranks.size());
  if (hidden > 0) {
    canvas.text(kSheetMargin, y + kSheetText,
                "… and " + printCount(hidden) + " more ranks", kSheetText,
                color::muted);
    y += SvgCanvas::lineHeight(kSheetText) + 6;
  }
}

void Picture::drawLegend() {
  int x = kSheetMargin;
  x = drawKey(canvas, x, y, getRankColor(0), "a rank's part, or what it holds");
  if (exchange)
    x = drawKey(canvas, x, y, getRankColor(1),
                "needed, in the colour of who has it", /*isHatched=*/true);
  if (tensor.grid.getNumRanks() > 8)
    x = canvas.text(x, y + 11, "colours repeat", kSheetText, color::muted);
  width = std::max(width, x + kSheetMargin);
  y += 12 + kSheetMargin;
}

void Picture::write(llvm::raw_ostream &os) {
  std::vector<std::string> lines = describe();
  if (exchange && tensor.grid.getNumRanks() <= kMaxListedRanks) {
    uint64_t total = 0;
    for (const ExchangeMessage &message : exchange->messages)
      total += getAmount(message.box, tensor.elementBytes);
    lines.push_back(
        exchange->messages.empty()
            ? std::string("nothing is sent")
            : printAmount(total, tensor.elementBytes) + " in " +
                  printCount(exchange->messages.size()) +
                  (exchange->messages.size() == 1 ? " message" : " messages"));
  }
  y = drawHead(canvas, tensor.name, lines, width);
  drawTensor();
  drawCards();
  drawLegend();
  canvas.write(os, width, y, tensor.name, llvm::join(lines, "; "));
}

std::optional<std::string>
mlir::tensoraccess::writeShardSvg(const ShardedTensor &tensor,
                                  llvm::raw_ostream &os,
                                  const ShardPictureOptions &options) {
  if (std::optional<std::string> problem = checkPicture(tensor, options))
    return problem;
  std::vector<int64_t> ranks = chooseRanks(tensor, options.maxRanks);
  std::optional<Exchange> exchange;
  if (tensor.owned && tensor.needed) {
    std::string error;
    exchange = getMessages(tensor, ranks, error);
    if (!exchange)
      return error;
  }
  Picture(tensor, ranks, exchange).write(os);
  return std::nullopt;
}
