//===- DistributionPicture.cpp - A tensor's shards, drawn -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   1. Two dimensions are drawn: those in most parts, then those in which ranks
//      need less than everything, then the longest. The others are
//      described.
//   2. The tensor is drawn to scale where a dimension has up to 16 parts; of
//      more, the first and the last are drawn. If more than two dimensions are
//      cut there is a plane for each of the first parts of the others.
//   3. A card for each of some ranks shows the tensor small, in it what the
//      rank has and needs. What comes across an end is drawn twice: where it
//      is, and dashed beyond the end where the rank reads it.
//
//===----------------------------------------------------------------------===//

#include "Canvas/Figures.h"
#include "Canvas/Panel.h"
#include "ShardTraffic.h"
#include "mlir/Support/LLVM.h"

#include <set>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

constexpr int kMaxWidth = 1180, kSmallSide = 110, kLeastSide = 28;
constexpr int64_t kMaxScaledParts = 16, kHeadParts = 6, kTailParts = 2;
constexpr int kPartCell = 30;
constexpr size_t kMaxPlanes = 4, kMaxSenders = 3, kMaxOverlayRanks = 1024;

/// A dimension of the tensor: whole, or some of its parts.
struct PartAxis {
  int dim = -1; ///< -1: the tensor has fewer dimensions.
  int64_t extent = 1, parts = 1;
  PlaneAxis axis = PlaneAxis::scaled(1, 60);
  SmallVector<int64_t> drawn = {0};

  static PartAxis make(int dim, int64_t extent, int64_t parts);
  bool isElided() const { return static_cast<int64_t>(drawn.size()) < parts; }
  /// The elements of a part, or of a box.
  Stretch getPart(int64_t part) const {
    return {getCutBegin(extent, parts, part),
            getCutBegin(extent, parts, part + 1)};
  }
  Stretch getStretch(const Box &box, unsigned band = 0) const {
    return dim < 0 ? Stretch{0, 1, band}
                   : Stretch{box.lo[dim], box.hi[dim], band};
  }
};

class Drawing {
public:
  Drawing(const ShardedTensor &tensor, ArrayRef<int64_t> ranks,
          const std::optional<Exchange> &exchange)
      : tensor(tensor), ranks(ranks), exchange(exchange) {
    chooseDims();
  }
  Picture finish() const;

private:
  int64_t getParts(unsigned dim) const {
    return tensor.owned ? tensor.grid.getNumParts(tensor.owned->dims[dim]) : 1;
  }
  void chooseDims();
  std::vector<std::string> describe() const;
  StringRef colorOfRank(int64_t rank) const;

  std::vector<Panel> drawTensor() const;
  Plane drawPlane(ArrayRef<int64_t> others) const;
  void addHalos(Plane &plane, ArrayRef<int64_t> others) const;
  std::vector<std::string> describeRank(int64_t rank) const;
  Plane drawRank(int64_t rank) const;

  const ShardedTensor &tensor;
  ArrayRef<int64_t> ranks;
  const std::optional<Exchange> &exchange;
  PartAxis rows, columns;
  /// Dimensions that cards mention, and those that are cut but not drawn.
  SmallVector<unsigned> told, others;
};

} // namespace

PartAxis PartAxis::make(int dim, int64_t extent, int64_t parts) {
  PartAxis made;
  made.dim = dim;
  made.extent = extent;
  made.parts = parts;
  made.drawn.clear();
  if (parts <= kMaxScaledParts) {
    const int64_t wanted =
        std::max(std::min<int64_t>(extent, 40) * 12, parts * kPartCell);
    made.axis = PlaneAxis::scaled(
        extent, std::clamp<int64_t>(wanted, 60, kMaxScaledParts * kPartCell));
    llvm::append_range(made.drawn, llvm::seq<int64_t>(0, parts));
  } else {
    llvm::append_range(made.drawn, llvm::seq<int64_t>(0, kHeadParts));
    llvm::append_range(made.drawn,
                       llvm::seq<int64_t>(parts - kTailParts, parts));
    made.axis.pieces.clear();
    for (int64_t part : made.drawn) {
      const Stretch stretch = made.getPart(part);
      made.axis.append(stretch.lo, stretch.hi, kPartCell);
    }
  }
  // Where the parts begin.
  for (int64_t part : made.drawn) {
    const int64_t begin = made.getPart(part).lo;
    made.axis.ticks.push_back({begin, begin, std::to_string(begin)});
  }
  made.axis.ticks.push_back({extent, extent, std::to_string(extent)});
  return made;
}

void Drawing::chooseDims() {
  const int rank = static_cast<int>(tensor.shape.size());
  SmallVector<bool> isPart(rank, false);
  if (tensor.needed)
    for (int64_t r : ranks)
      for (const Box &box : (*tensor.needed)[r])
        for (int d = 0; d < rank; ++d)
          isPart[d] |= box.lo[d] > 0 || box.hi[d] < tensor.shape[d];
  const SmallVector<int, 2> order = chooseTwo(rank, [&](int d) {
    return std::tuple(-getParts(d), !isPart[d], -tensor.shape[d]);
  });
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

/// `one whole` and the like: the text about the dimensions.
std::vector<std::string> Drawing::describe() const {
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

StringRef Drawing::colorOfRank(int64_t rank) const {
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

Plane Drawing::drawPlane(ArrayRef<int64_t> others) const {
  constexpr int kLeast = 3, kLeastLabel = 14;
  Plane plane;
  plane.rows = {rows.axis};
  plane.columns = {columns.axis};
  plane.grids = {{0, 0}};
  plane.least = kLeast;
  if (!tensor.owned) {
    plane.areas.push_back(
        {{0, rows.extent}, {0, columns.extent}, {color::faint.str()}});
    return plane;
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
  auto getPixels = [](const PlaneAxis &axis, const Stretch &stretch) {
    auto [lo, hi] = axis.getRange(stretch);
    return hi - lo;
  };
  for (int64_t r : rows.drawn)
    for (int64_t c : columns.drawn) {
      const std::vector<int64_t> &here = owners[{r, c}];
      Area area{rows.getPart(r), columns.getPart(c),
                Look::framed(colorOfRank(here.front()), color::ink)};
      if (getPixels(rows.axis, area.rows) >= kLeastLabel)
        area.label = printRanks(here, getPixels(columns.axis, area.columns) - 6,
                                kSmallText);
      plane.areas.push_back(std::move(area));
    }
  addHalos(plane, others);
  return plane;
}

/// What some rank needs and lacks, unless that is most of the tensor.
void Drawing::addHalos(Plane &plane, ArrayRef<int64_t> others) const {
  const int64_t n = tensor.grid.getNumRanks();
  if (!tensor.needed || n > int64_t(kMaxOverlayRanks))
    return;
  // By what they cover of what is drawn.
  std::set<std::tuple<int, int, int, int>> known;
  const size_t numAreas = plane.areas.size();
  int64_t covered = 0;
  for (int64_t rank = 0; rank < n; ++rank)
    for (const Box &box : getRemote(tensor, rank)) {
      bool isHere = true;
      for (auto [dim, part] : llvm::zip_equal(this->others, others)) {
        const int64_t lo = getCutBegin(tensor.shape[dim], getParts(dim), part);
        const int64_t hi =
            getCutBegin(tensor.shape[dim], getParts(dim), part + 1);
        isHere &= box.lo[dim] < hi && box.hi[dim] > lo;
      }
      const Area halo{rows.getStretch(box), columns.getStretch(box),
                      Look::hatch("", color::ink)};
      auto [top, bottom] = rows.axis.getRange(halo.rows);
      auto [left, right] = columns.axis.getRange(halo.columns);
      if (!isHere || !known.insert({top, bottom, left, right}).second)
        continue;
      plane.areas.push_back(halo);
      covered += int64_t(bottom - top) * (right - left);
    }
  // Where that is most of the tensor, the ranks' own pictures show more.
  if (covered * 2 > int64_t(rows.axis.getLength()) * columns.axis.getLength())
    plane.areas.resize(numAreas);
}

/// Planes for combinations of the first parts of the dimensions that are not drawn.
std::vector<Panel> Drawing::drawTensor() const {
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
  Stack stack;
  stack.isAcross = true;
  stack.maxWidth = kMaxWidth;
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
    Panel panel{{}, drawPlane(plane)};
    if (!text.empty())
      panel.head.push_back({{{text}}});
    stack.parts.push_back(std::move(panel));
  }
  std::vector<Panel> panels = {{{}, std::move(stack)}};
  if (int64_t left = all - static_cast<int64_t>(planes.size()); left > 0)
    panels.push_back(
        {{TextLine::note("… and " + printCount(left) + " more planes")}});
  return panels;
}

//===----------------------------------------------------------------------===//
// Ranks one by one
//===----------------------------------------------------------------------===//

std::vector<std::string> Drawing::describeRank(int64_t rank) const {
  std::vector<std::string> lines;
  if (tensor.owned)
    lines.push_back(
        "has " +
        printDims(tensor.owned->getBox(tensor.grid, tensor.shape, rank), told));
  if (!tensor.needed)
    return lines;
  std::string needs;
  for (auto [i, box] : llvm::enumerate((*tensor.needed)[rank])) {
    if (i == 2) {
      needs += " and more";
      break;
    }
    needs += (i ? " and " : "") + printDims(box, told);
  }
  lines.push_back((tensor.owned ? "needs " : "holds ") +
                  (needs.empty() ? "nothing" : needs));
  if (!exchange)
    return lines;
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
      lines.push_back(
          "from " + printCount(senders.size() - count) +
          " more ranks: " + printAmount(total - told, tensor.elementBytes));
      break;
    }
    std::string line = "from " + std::to_string(from) + ": " +
                       printAmount(amount, tensor.elementBytes);
    if (boxes[from].size() == 1)
      line += ", " + printDims(*boxes[from].front(), this->told);
    lines.push_back(line);
    told += amount;
    ++count;
  }
  if (senders.empty())
    lines.push_back("receives nothing");
  return lines;
}

/// The tensor small, in it what the rank has and needs.
Plane Drawing::drawRank(int64_t rank) const {
  constexpr int kGhost = 8, kLeast = 4;
  const int64_t longest = std::max<int64_t>({rows.extent, columns.extent, 1});
  const bool hasGhosts = llvm::is_contained(tensor.wraps, true);
  // What comes across an end is beyond it once more.
  const unsigned band = hasGhosts ? 1 : 0;
  auto makeAxes = [&](const PartAxis &side) {
    const int length =
        side.dim < 0 ? kLeastSide
                     : std::clamp<int>(static_cast<__int128>(side.extent) *
                                           kSmallSide / longest,
                                       kLeastSide, kSmallSide);
    const PlaneAxis axis = PlaneAxis::scaled(side.extent, length),
                    ghost = PlaneAxis::scaled(1, kGhost);
    return hasGhosts ? std::vector<PlaneAxis>{ghost, axis, ghost}
                     : std::vector<PlaneAxis>{axis};
  };
  Plane plane;
  plane.rows = makeAxes(rows);
  plane.columns = makeAxes(columns);
  plane.gap = 2;
  plane.grids = {{band, band}};
  plane.least = kLeast;
  const Stretch allRows{0, rows.extent, band},
      allColumns{0, columns.extent, band};
  plane.areas.push_back({allRows, allColumns, {color::faint.str()}});
  auto add = [&](const Box &box, StringRef fill, bool isHatched) {
    if (!box.isEmpty())
      plane.areas.push_back({rows.getStretch(box, band),
                             columns.getStretch(box, band),
                             isHatched ? Look::hatch(fill, color::ink)
                                       : Look::framed(fill, color::ink)});
  };
  Box own;
  if (tensor.owned)
    own = tensor.owned->getBox(tensor.grid, tensor.shape, rank);
  else
    for (const Box &box : (*tensor.needed)[rank])
      add(box, colorOfRank(rank), false);
  // What it has is on top, but for summands of that.
  SmallVector<const ExchangeMessage *> inside;
  if (exchange)
    for (const ExchangeMessage &message : exchange->messages) {
      if (message.to != rank)
        continue;
      const StringRef fill = colorOfRank(message.from);
      if (intersectBoxes(message.box, own) == message.box)
        inside.push_back(&message);
      else
        add(message.box, fill, true);
      // Beyond the end where the rank reads it.
      for (const PartAxis *side : {&rows, &columns}) {
        if (side->dim < 0 || tensor.wraps.empty() || !tensor.wraps[side->dim])
          continue;
        const unsigned d = side->dim;
        const bool below = own.lo[d] == 0 && message.box.hi[d] == side->extent;
        const bool above = own.hi[d] == side->extent && message.box.lo[d] == 0;
        if (below == above)
          continue;
        const Stretch beyond{0, 1, below ? 0u : 2u};
        plane.areas.push_back(
            {side == &rows ? beyond : rows.getStretch(message.box, band),
             side == &rows ? columns.getStretch(message.box, band) : beyond,
             Look::hatch(fill, color::ink)});
      }
    }
  if (tensor.owned)
    add(own, colorOfRank(rank), false);
  for (const ExchangeMessage *message : inside)
    add(message->box, colorOfRank(message->from), true);
  plane.areas.push_back({allRows, allColumns, Look::frame(color::ink)});
  return plane;
}

Picture Drawing::finish() const {
  Picture picture;
  picture.title = tensor.name;
  picture.summary = describe();
  if (exchange && tensor.grid.getNumRanks() <= kMaxListedRanks) {
    uint64_t total = 0;
    for (const ExchangeMessage &message : exchange->messages)
      total += getAmount(message.box, tensor.elementBytes);
    picture.summary.push_back(
        exchange->messages.empty()
            ? std::string("nothing is sent")
            : printAmount(total, tensor.elementBytes) + " in " +
                  printCount(exchange->messages.size()) +
                  (exchange->messages.size() == 1 ? " message" : " messages"));
  }
  Stack body, cards;
  body.parts = drawTensor();
  cards.isAcross = cards.isEven = true;
  cards.maxWidth = kMaxWidth;
  for (int64_t rank : ranks) {
    Panel card{
        {TextLine::heading("rank " + printRank(tensor.grid, rank), kTextSize)},
        drawRank(rank)};
    for (const std::string &line : describeRank(rank))
      card.foot.push_back(TextLine::note(Sheet::elide(line, 60), kSmallText));
    cards.parts.push_back(std::move(card));
  }
  body.parts.push_back({{}, std::move(cards)});
  if (const int64_t hidden =
          tensor.grid.getNumRanks() - static_cast<int64_t>(ranks.size());
      hidden > 0)
    body.parts.push_back(
        {{TextLine::note("… and " + printCount(hidden) + " more ranks")}});
  picture.body.content = std::move(body);
  picture.legend = {
      Key::swatch(getRankColor(0), "a rank's part, or what it holds")};
  if (exchange)
    picture.legend.push_back(Key::swatch(getRankColor(1),
                                         "needed, in the colour of who has it",
                                         /*isHatched=*/true));
  if (tensor.grid.getNumRanks() > 8)
    picture.legend.push_back({{}, "colours repeat"});
  return picture;
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
  writeSvg(Drawing(tensor, ranks, exchange).finish(), os);
  return std::nullopt;
}
