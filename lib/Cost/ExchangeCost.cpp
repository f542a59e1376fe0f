//===- ExchangeCost.cpp - What an exchange takes, unlisted ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   1. Per dimension and interval: which parts it meets (first to last, how
//      many of them are not empty).
//   2. Receivers: per rank, products over dimensions; ranks that differ only on
//      axes that nothing depends on are one.
//   3. Senders: a rank o serves the receivers r that share its coordinates on
//      replicating axes; those on cutting and partial axes are summed over.
//      Dimensions that share no summed axis factor, so there is one table per
//      component, over the coordinates of o that matter to it.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Cost/Cost.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using Axes = Distribution::Axes;

Box FactoredBoxes::getBox(const Grid &grid, int64_t rank) const {
  SmallVector<int64_t, 6> at = grid.getCoordinates(rank);
  Box box;
  for (const FactoredDim &dim : dims) {
    auto [lo, hi] = dim.intervals[grid.getPart(dim.axes, at)];
    box.lo.push_back(lo);
    box.hi.push_back(hi);
  }
  return box;
}

FactoredBoxes
mlir::tensoraccess::getFactoredBoxes(const Grid &grid,
                                     const Distribution &distribution,
                                     ArrayRef<int64_t> extents) {
  FactoredBoxes out;
  for (auto [axes, extent] : llvm::zip(distribution.dims, extents)) {
    FactoredDim &dim = out.dims.emplace_back();
    dim.axes = axes;
    const int64_t parts = grid.getNumParts(axes);
    for (int64_t part = 0; part != parts; ++part)
      dim.intervals.emplace_back(getCutBegin(extent, parts, part),
                                 getCutBegin(extent, parts, part + 1));
  }
  return out;
}

namespace {
/// What an interval meets of one dimension's parts.
struct Meeting {
  int64_t lo = 0, hi = 0;       ///< the interval, within the tensor
  int64_t first = 0, last = -1; ///< the parts
  int64_t count = 0;            ///< those of them that are not empty
};

/// One dimension: how it is cut, and what is needed.
struct DimCost {
  ArrayRef<unsigned> cut, need;
  SmallVector<int64_t, 16> begins; ///< of parts, and the end
  std::vector<Meeting> meetings;   ///< by the needed interval's number
  bool hasEmptyParts = false;
};

/// Sums over receivers, for one component of dimensions.
struct SenderTable {
  Axes axes; ///< the sender's coordinates that matter
  std::vector<uint64_t> messages, elements;
};

class Coster {
public:
  Coster(const Grid &grid, const Distribution &owned, ArrayRef<int64_t> extents,
         const FactoredBoxes &needed, const Network &network)
      : grid(grid), owned(owned), isTorus(network.isTorus) {
    for (size_t d = 0; d != extents.size(); ++d)
      addDim(owned.dims[d], needed.dims[d], extents[d]);
    summands = grid.getNumParts(owned.partial);
    isSummed.assign(grid.axes.size(), false);
    for (const Axes &axes : owned.dims)
      for (unsigned axis : axes)
        isSummed[axis] = true;
    for (unsigned axis : owned.partial)
      isSummed[axis] = true;
  }

  ExchangeCost run(int64_t elementBytes, const Network &network,
                   ExchangeByRank *byRank);

private:
  double getElementSteps(ArrayRef<int64_t> at);
  const std::vector<double> &getWeights(size_t d, int64_t meeting);

  void addDim(ArrayRef<unsigned> cut, const FactoredDim &need, int64_t extent);
  void addSenderTables();
  void fillTable(ArrayRef<size_t> members, ArrayRef<unsigned> receiverAxes,
                 SenderTable &table);
  int64_t stepsOf(unsigned axis, int64_t from, int64_t to) const;
  int64_t farthest(unsigned axis, int64_t from) const;
  int64_t getFarthest(const DimCost &dim, const Meeting &meeting,
                      ArrayRef<int64_t> at) const;
  int64_t getFarthestIn(ArrayRef<unsigned> axes, int64_t first, int64_t last,
                        ArrayRef<int64_t> at) const;

  const Grid &grid;
  const Distribution &owned;
  bool isTorus;
  int64_t summands = 1;
  SmallVector<DimCost, 4> dims;
  SmallVector<bool, 6> isSummed;
  SmallVector<SenderTable, 4> tables;
  /// Receivers per sender that only differ where nothing depends on it.
  uint64_t idle = 1;
  /// By dimension and meeting: see getWeights.
  std::map<std::pair<size_t, int64_t>, std::vector<double>> weights;
};
} // namespace

void Coster::addDim(ArrayRef<unsigned> cut, const FactoredDim &need,
                    int64_t extent) {
  DimCost &dim = dims.emplace_back();
  dim.cut = cut;
  dim.need = need.axes;
  const int64_t parts = grid.getNumParts(cut);
  // Parts that are not empty, below each part.
  SmallVector<int64_t, 16> solid = {0};
  for (int64_t part = 0; part <= parts; ++part) {
    dim.begins.push_back(getCutBegin(extent, parts, part));
    if (part != 0)
      solid.push_back(solid.back() + (dim.begins[part - 1] < dim.begins[part]));
  }
  dim.hasEmptyParts = solid.back() != parts;
  dim.meetings.reserve(need.intervals.size());
  for (auto [lo, hi] : need.intervals) {
    Meeting &meeting = dim.meetings.emplace_back();
    meeting.lo = std::max<int64_t>(lo, 0);
    meeting.hi = std::min(hi, extent);
    if (meeting.lo >= meeting.hi) {
      meeting.hi = meeting.lo;
      continue;
    }
    auto partOf = [&](int64_t place) {
      return static_cast<int64_t>(
          ((static_cast<__int128>(place) + 1) * parts - 1) / extent);
    };
    meeting.first = partOf(meeting.lo);
    meeting.last = partOf(meeting.hi - 1);
    meeting.count = solid[meeting.last + 1] - solid[meeting.first];
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

int64_t Coster::stepsOf(unsigned axis, int64_t from, int64_t to) const {
  const int64_t apart = from < to ? to - from : from - to;
  return isTorus ? std::min(apart, grid.axes[axis].size - apart) : apart;
}

/// The most steps from a coordinate to any other.
int64_t Coster::farthest(unsigned axis, int64_t from) const {
  const int64_t size = grid.axes[axis].size;
  return isTorus ? size / 2 : std::max(from, size - 1 - from);
}

/// The most steps to a part in [first, last]: digits between the two ends'
/// leave the lower digits free.
int64_t Coster::getFarthestIn(ArrayRef<unsigned> axes, int64_t first,
                              int64_t last, ArrayRef<int64_t> at) const {
  if (axes.empty())
    return 0;
  const unsigned axis = axes.front();
  ArrayRef<unsigned> lower = axes.drop_front();
  const int64_t below = grid.getNumParts(lower);
  const int64_t lo = first / below, hi = last / below;
  int64_t most = 0;
  for (int64_t digit = lo; digit <= hi; ++digit) {
    const int64_t from = digit == lo ? first % below : 0;
    const int64_t to = digit == hi ? last % below : below - 1;
    int64_t steps = stepsOf(axis, at[axis], digit);
    if (from == 0 && to == below - 1)
      for (unsigned other : lower)
        steps += farthest(other, at[other]);
    else
      steps += getFarthestIn(lower, from, to, at);
    most = std::max(most, steps);
  }
  return most;
}

int64_t Coster::getFarthest(const DimCost &dim, const Meeting &meeting,
                            ArrayRef<int64_t> at) const {
  if (!dim.hasEmptyParts)
    return getFarthestIn(dim.cut, meeting.first, meeting.last, at);
  int64_t most = 0;
  for (int64_t part = meeting.first; part <= meeting.last; ++part)
    if (dim.begins[part] < dim.begins[part + 1])
      most = std::max(most, getFarthestIn(dim.cut, part, part, at));
  return most;
}

//===----------------------------------------------------------------------===//
// Senders
//===----------------------------------------------------------------------===//

void Coster::fillTable(ArrayRef<size_t> members,
                       ArrayRef<unsigned> receiverAxes, SenderTable &table) {
  const int64_t entries = grid.getNumParts(table.axes);
  table.messages.assign(entries, 0);
  table.elements.assign(entries, 0);
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  SmallVector<const Meeting *, 4> meet(members.size());
  SmallVector<int64_t, 4> part(members.size());
  for (int64_t r = 0, n = grid.getNumParts(receiverAxes); r != n; ++r) {
    grid.setCoordinates(receiverAxes, r, at);
    bool isNothing = false;
    for (auto [i, d] : llvm::enumerate(members)) {
      meet[i] = &dims[d].meetings[grid.getPart(dims[d].need, at)];
      part[i] = meet[i]->first;
      isNothing |= meet[i]->count == 0;
    }
    if (isNothing)
      continue;
    SmallVector<int64_t, 6> sender = at;
    for (size_t i = 0;;) {
      uint64_t elements = 1;
      for (auto [k, d] : llvm::enumerate(members)) {
        const DimCost &dim = dims[d];
        const int64_t lo = std::max(meet[k]->lo, dim.begins[part[k]]);
        const int64_t hi = std::min(meet[k]->hi, dim.begins[part[k] + 1]);
        elements *= lo < hi ? static_cast<uint64_t>(hi - lo) : 0;
        grid.setCoordinates(dim.cut, part[k], sender);
      }
      if (elements != 0) {
        const int64_t entry = grid.getPart(table.axes, sender);
        ++table.messages[entry];
        table.elements[entry] += elements;
      }
      for (i = 0; i != members.size(); ++i) {
        if (++part[i] <= meet[i]->last)
          break;
        part[i] = meet[i]->first;
      }
      if (i == members.size())
        break;
    }
  }
}

void Coster::addSenderTables() {
  // Dimensions whose intervals share a summed axis belong together.
  llvm::EquivalenceClasses<size_t> classes;
  SmallVector<int, 6> userOf(grid.axes.size(), -1);
  for (auto [d, dim] : llvm::enumerate(dims)) {
    classes.insert(d);
    for (unsigned axis : dim.need)
      if (isSummed[axis]) {
        if (userOf[axis] >= 0)
          classes.unionSets(userOf[axis], d);
        userOf[axis] = static_cast<int>(d);
      }
  }
  for (unsigned axis = 0; axis != grid.axes.size(); ++axis)
    if (isSummed[axis] && userOf[axis] < 0)
      idle *= grid.axes[axis].size;
  for (size_t d = 0; d != dims.size(); ++d) {
    if (classes.getLeaderValue(d) != d)
      continue;
    SmallVector<size_t, 4> members;
    Axes receiverAxes;
    SenderTable &table = tables.emplace_back();
    for (size_t other = 0; other != dims.size(); ++other) {
      if (classes.getLeaderValue(other) != d)
        continue;
      members.push_back(other);
      llvm::append_range(table.axes, dims[other].cut);
      for (unsigned axis : dims[other].need)
        if (!llvm::is_contained(receiverAxes, axis))
          receiverAxes.push_back(axis);
    }
    for (unsigned axis : receiverAxes)
      if (!isSummed[axis])
        table.axes.push_back(axis);
    fillTable(members, receiverAxes, table);
  }
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

/// How many of an interval's indices are in parts with each digit: for each
/// axis that cuts the dimension, one after the other.
const std::vector<double> &Coster::getWeights(size_t d, int64_t number) {
  auto [it, isNew] = weights.try_emplace({d, number});
  std::vector<double> &out = it->second;
  if (!isNew)
    return out;
  const DimCost &dim = dims[d];
  const Meeting &meeting = dim.meetings[number];
  size_t size = 0;
  for (unsigned axis : dim.cut)
    size += grid.axes[axis].size;
  out.assign(size, 0);
  SmallVector<int64_t, 6> digits(grid.axes.size(), 0);
  for (int64_t part = meeting.first; part <= meeting.last; ++part) {
    const int64_t lo = std::max(meeting.lo, dim.begins[part]);
    const int64_t hi = std::min(meeting.hi, dim.begins[part + 1]);
    if (lo >= hi)
      continue;
    grid.setCoordinates(dim.cut, part, digits);
    size_t base = 0;
    for (unsigned axis : dim.cut) {
      out[base + digits[axis]] += static_cast<double>(hi - lo);
      base += grid.axes[axis].size;
    }
  }
  return out;
}

/// Σ over the elements that a rank receives of their steps: those of dimensions
/// add up, each for all that the other dimensions have.
double Coster::getElementSteps(ArrayRef<int64_t> at) {
  double all = static_cast<double>(summands);
  for (const DimCost &dim : dims) {
    const Meeting &meeting = dim.meetings[grid.getPart(dim.need, at)];
    all *= static_cast<double>(meeting.hi - meeting.lo);
  }
  if (all == 0)
    return 0;
  double steps = 0;
  for (unsigned axis : owned.partial) {
    const int64_t size = grid.axes[axis].size;
    for (int64_t from = 0; from != size; ++from)
      steps += all / static_cast<double>(size) *
               static_cast<double>(stepsOf(axis, at[axis], from));
  }
  for (auto [d, dim] : llvm::enumerate(dims)) {
    const int64_t number = grid.getPart(dim.need, at);
    const Meeting &meeting = dim.meetings[number];
    const std::vector<double> &weight = getWeights(d, number);
    size_t base = 0;
    for (unsigned axis : dim.cut) {
      const int64_t size = grid.axes[axis].size;
      for (int64_t from = 0; from != size; ++from)
        steps += all / static_cast<double>(meeting.hi - meeting.lo) *
                 weight[base + from] *
                 static_cast<double>(stepsOf(axis, at[axis], from));
      base += size;
    }
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

ExchangeCost Coster::run(int64_t elementBytes, const Network &network,
                         ExchangeByRank *byRank) {
  addSenderTables();
  ExchangeCost cost;
  double busiest = 0;
  // Ranks that differ on other axes do the same.
  Axes axes;
  for (unsigned axis = 0; axis != grid.axes.size(); ++axis)
    if (byRank || isSummed[axis] || llvm::any_of(dims, [&](const DimCost &dim) {
          return llvm::is_contained(dim.need, axis);
        }))
      axes.push_back(axis);
  const int64_t ranks = grid.getNumParts(axes);
  const uint64_t alike = grid.getNumRanks() / ranks;
  SmallVector<int64_t, 6> at(grid.axes.size(), 0);
  for (int64_t rank = 0; rank != ranks; ++rank) {
    grid.setCoordinates(axes, rank, at);
    uint64_t needs = summands, messages = summands, keeps = 1;
    int64_t way = 0;
    for (const DimCost &dim : dims) {
      const Meeting &meeting = dim.meetings[grid.getPart(dim.need, at)];
      const int64_t part = grid.getPart(dim.cut, at);
      const int64_t lo = std::max(meeting.lo, dim.begins[part]);
      const int64_t hi = std::min(meeting.hi, dim.begins[part + 1]);
      needs *= meeting.hi - meeting.lo;
      keeps *= lo < hi ? hi - lo : 0;
      messages *= meeting.count;
    }
    uint64_t sent = idle, out = idle;
    for (const SenderTable &table : tables) {
      const int64_t entry = grid.getPart(table.axes, at);
      sent *= table.elements[entry];
      out *= table.messages[entry];
    }
    if (messages != 0) {
      for (const DimCost &dim : dims)
        way += getFarthest(dim, dim.meetings[grid.getPart(dim.need, at)], at);
      for (unsigned axis : owned.partial)
        way += farthest(axis, at[axis]);
      cost.longestWay = std::max(cost.longestWay, way);
    }
    const uint64_t bytesIn = (needs - keeps) * elementBytes;
    const uint64_t bytesOut = (sent - keeps) * elementBytes;
    messages -= keeps != 0;
    out -= keeps != 0;
    if (byRank) {
      byRank->bytesOut.push_back(bytesOut);
      byRank->messagesOut.push_back(out);
      byRank->byteSteps +=
          static_cast<double>(elementBytes) * getElementSteps(at);
    }
    cost.bytes += bytesIn * alike;
    cost.messages += messages * alike;
    cost.maxBytesIn = std::max(cost.maxBytesIn, bytesIn);
    cost.maxBytesOut = std::max(cost.maxBytesOut, bytesOut);
    for (auto [count, bytes] :
         {std::pair(messages, bytesIn), std::pair(out, bytesOut)})
      if (count != 0)
        busiest = std::max(busiest,
                           network.overhead * static_cast<double>(count) +
                               static_cast<double>(bytes) / network.bandwidth);
  }
  if (cost.messages != 0)
    cost.seconds =
        busiest + network.latency * static_cast<double>(cost.longestWay);
  return cost;
}

std::optional<ExchangeCost> mlir::tensoraccess::getExchangeCost(
    const Grid &grid, const Distribution &owned, ArrayRef<int64_t> extents,
    const FactoredBoxes &needed, int64_t elementBytes, const Network &network,
    ExchangeByRank *byRank) {
  // Every rank needs at most everything, once per summand.
  std::optional<int64_t> most = checkedProduct(extents);
  for (int64_t factor :
       {elementBytes, grid.getNumParts(owned.partial), grid.getNumRanks()})
    most = checkedMul(most, factor);
  if (!most)
    return std::nullopt;
  return Coster(grid, owned, extents, needed, network)
      .run(elementBytes, network, byRank);
}
