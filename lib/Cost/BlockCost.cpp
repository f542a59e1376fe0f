//===- BlockCost.cpp - What blocks and messages cost ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of Cost.h. BlockCostText.cpp reads and writes, CostFit.cpp
// finds rates.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Cost/Cost.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

bool OpRates::operator==(const OpRates &o) const {
  return name == o.name && start == o.start && point == o.point &&
         byte == o.byte && scratch == o.scratch &&
         scratchPoint == o.scratchPoint && energyPoint == o.energyPoint &&
         energyByte == o.energyByte && lanes == o.lanes && panel == o.panel &&
         axes == o.axes && scratchAxes == o.scratchAxes;
}

bool Network::operator==(const Network &o) const {
  return isTorus == o.isTorus && shape == o.shape && latency == o.latency &&
         bandwidth == o.bandwidth && overhead == o.overhead &&
         energy == o.energy;
}

bool CostModel::operator==(const CostModel &o) const {
  return machine == o.machine && cliffs == o.cliffs && ops == o.ops &&
         network == o.network;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

const OpRates *CostModel::findExactly(StringRef name) const {
  for (const OpRates &rates : ops)
    if (rates.name == name)
      return &rates;
  return nullptr;
}

ArrayRef<StringRef> mlir::tensoraccess::getCostFamilies() {
  static constexpr StringRef families[] = {"map", "move", "sum", "chain"};
  return families;
}

StringRef mlir::tensoraccess::dropCostFamily(StringRef name) {
  auto [front, last] = name.rsplit('.');
  return llvm::is_contained(getCostFamilies(), last) ? front : name;
}

const OpRates *CostModel::find(StringRef op, StringRef family) const {
  // How specific a line is: 3 for the op in its family, 2 for the op, 1 for the
  // family, 0 for all.
  const OpRates *best = nullptr;
  int most = -1;
  auto consider = [&](const OpRates &rates, int fit) {
    if (fit > most) {
      best = &rates;
      most = fit;
    }
  };
  for (const OpRates &rates : ops) {
    StringRef name = rates.name;
    if (name == op)
      consider(rates, 2);
    if (name == "*")
      consider(rates, 0);
    if (family.empty() || !name.consume_back(family) || !name.consume_back("."))
      continue;
    if (name == op)
      consider(rates, 3);
    else if (name == "*")
      consider(rates, 1);
  }
  return best;
}

void CostModel::setRates(OpRates rates) {
  auto place = llvm::find_if(
      ops, [&](const OpRates &old) { return old.name >= rates.name; });
  if (place != ops.end() && place->name == rates.name)
    *place = std::move(rates);
  else
    ops.insert(place, std::move(rates));
}

static double weigh(ArrayRef<double> rates, ArrayRef<int64_t> extents) {
  double sum = 0;
  for (size_t d = 0; d < std::min(rates.size(), extents.size()); ++d)
    sum += rates[d] * static_cast<double>(extents[d]);
  return sum;
}

std::optional<BlockCost> CostModel::getCost(StringRef op, const BlockWork &work,
                                            std::string &error) const {
  if (const OpRates *rates = find(op, work.family))
    return getCost(*rates, work, error);
  error = "the costs of '" + machine + "' have no rates for '" + op.str() +
          "', and none for all ops";
  return std::nullopt;
}

double mlir::tensoraccess::getPanelBytes(const BlockWork &work, int64_t lanes) {
  int64_t apart = work.pitch & -work.pitch;
  apart = std::min<int64_t>(apart, 1024);
  return static_cast<double>(std::max(lanes, apart)) *
         static_cast<double>(work.columnBytes);
}

/// The factor of the largest size that is exceeded.
static double getFactor(ArrayRef<CostCliff> cliffs, double bytes) {
  double factor = 1;
  for (const CostCliff &cliff : cliffs)
    if (bytes > static_cast<double>(cliff.bytes))
      factor = cliff.factor;
  return factor;
}

/// std::nullopt if a block can be asked for.
static std::optional<std::string> checkWork(const BlockWork &work) {
  for (auto [d, extent] : llvm::enumerate(work.extents))
    if (extent < 0)
      return "extent " + std::to_string(d) + " must not be negative, got " +
             std::to_string(extent);
  for (auto [what, bytes] : {std::pair("bytes in", work.bytesIn),
                             std::pair("bytes out", work.bytesOut),
                             std::pair("column bytes", work.columnBytes),
                             std::pair("the pitch", work.pitch)})
    if (bytes < 0)
      return std::string(what) + " must not be negative, got " +
             std::to_string(bytes);
  if (work.innermost && *work.innermost >= work.extents.size())
    return "the innermost axis must be one of " +
           std::to_string(work.extents.size()) + ", got " +
           std::to_string(*work.innermost);
  return std::nullopt;
}

std::optional<BlockCost> CostModel::getCost(const OpRates &rates,
                                            const BlockWork &work,
                                            std::string &error) const {
  if (std::optional<std::string> problem = checkWork(work)) {
    error = *problem;
    return std::nullopt;
  }
  BlockCost cost;
  // A block without points is not run.
  if (llvm::is_contained(work.extents, 0))
    return cost;
  double points = 1, wholeVectors = 1;
  const double lanes = static_cast<double>(rates.lanes);
  for (auto [d, extent] : llvm::enumerate(work.extents)) {
    const double length = static_cast<double>(extent);
    points *= length;
    wholeVectors *=
        work.innermost == d ? std::ceil(length / lanes) * lanes : length;
  }
  const double bytes =
      static_cast<double>(work.bytesIn) + static_cast<double>(work.bytesOut);
  cost.scratchBytes = rates.scratch + rates.scratchPoint * points +
                      weigh(rates.scratchAxes, work.extents);
  cost.workingSet = bytes + cost.scratchBytes;
  cost.cliff = getFactor(cliffs, cost.workingSet);
  cost.panelCliff = getFactor(rates.panel, getPanelBytes(work, rates.lanes));
  cost.seconds = rates.start + rates.point * wholeVectors * cost.panelCliff +
                 weigh(rates.axes, work.extents) +
                 rates.byte * bytes * cost.cliff;
  cost.joules =
      rates.energyPoint * points + rates.energyByte * bytes * cost.cliff;
  for (const auto &[name, count] : work.steps)
    if (const OpRates *step = findExactly(name)) {
      cost.seconds += step->point * points * static_cast<double>(count);
      cost.joules += step->energyPoint * points * static_cast<double>(count);
    }
  return cost;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::optional<int64_t> Network::getNumRanks() const {
  return checkedProduct(shape);
}

std::optional<int64_t> Network::getHops(int64_t from, int64_t to) const {
  std::optional<int64_t> ranks = getNumRanks();
  if (!ranks || from < 0 || to < 0 || from >= *ranks || to >= *ranks)
    return std::nullopt;
  Grid grid;
  for (int64_t extent : shape)
    grid.axes.push_back({"", extent});
  return grid.getHops(from, to, isTorus);
}

static bool checkMessage(const CostModel &model, int64_t bytes,
                         std::string &error) {
  if (!model.network) {
    error = "the costs of '" + model.machine + "' have no network";
    return false;
  }
  if (bytes < 0) {
    error = "bytes must not be negative, got " + std::to_string(bytes);
    return false;
  }
  return true;
}

std::optional<MessageCost> CostModel::getMessage(int64_t from, int64_t to,
                                                 int64_t bytes,
                                                 std::string &error) const {
  if (!checkMessage(*this, bytes, error))
    return std::nullopt;
  std::optional<int64_t> hops = network->getHops(from, to);
  if (!hops) {
    const int64_t ranks = network->getNumRanks().value_or(0);
    error = "rank " + std::to_string(from < 0 || from >= ranks ? from : to) +
            " must be in [0, " + std::to_string(ranks) + ")";
    return std::nullopt;
  }
  MessageCost cost;
  cost.hops = *hops;
  if (from == to)
    return cost;
  cost.seconds = network->overhead +
                 static_cast<double>(*hops) * network->latency +
                 static_cast<double>(bytes) / network->bandwidth;
  cost.joules =
      network->energy * static_cast<double>(bytes) * static_cast<double>(*hops);
  return cost;
}

std::optional<CollectiveCost>
CostModel::getCollective(Collective kind, int64_t ranks, int64_t bytes,
                         int64_t hops, std::string &error) const {
  if (!checkMessage(*this, bytes, error))
    return std::nullopt;
  if (ranks < 1) {
    error = "ranks must be positive, got " + std::to_string(ranks);
    return std::nullopt;
  }
  if (hops < 0) {
    error = "hops must not be negative, got " + std::to_string(hops);
    return std::nullopt;
  }
  CollectiveCost cost;
  const double n = static_cast<double>(ranks);
  const double whole = static_cast<double>(bytes);
  // Each of n - 1 steps passes on one share of n; an all-reduce is a
  // reduce-scatter and an all-gather.
  cost.steps = (kind == Collective::AllReduce ? 2 : 1) * (ranks - 1);
  cost.bytesSent = static_cast<double>(cost.steps) * whole / n;
  double carried = cost.bytesSent;
  // A share for the rank k ahead is carried over k links: n / 2 on average.
  if (kind == Collective::AllToAll)
    carried = whole * (n - 1) / 2;
  const double reach = static_cast<double>(hops);
  cost.seconds = static_cast<double>(cost.steps) *
                     (network->overhead + reach * network->latency) +
                 carried / network->bandwidth;
  cost.joules = network->energy * carried * reach * n;
  return cost;
}
