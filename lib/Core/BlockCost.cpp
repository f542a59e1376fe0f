//===- BlockCost.cpp - What blocks and messages cost ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formulas of BlockCost.h. Rates are fitted by least squares over each
// subset of {start, point, byte}; the best one without negative rates counts,
// which is the optimum under that condition. BlockCostText.cpp reads and
// writes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/BlockCost.h"
#include "TensorAccess/Core/CheckedMath.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cmath>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

bool OpRates::operator==(const OpRates &o) const {
  return name == o.name && start == o.start && point == o.point &&
         byte == o.byte && scratch == o.scratch &&
         scratchPoint == o.scratchPoint && energyPoint == o.energyPoint &&
         energyByte == o.energyByte && axes == o.axes &&
         scratchAxes == o.scratchAxes;
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

const OpRates *CostModel::find(StringRef op) const {
  const OpRates *others = nullptr;
  for (const OpRates &rates : ops) {
    if (rates.name == op)
      return &rates;
    if (rates.name == "*")
      others = &rates;
  }
  return others;
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
  const OpRates *rates = find(op);
  if (!rates) {
    error = "the costs of '" + machine + "' have no rates for '" + op.str() +
            "', and none for all ops";
    return std::nullopt;
  }
  double points = 1;
  bool isEmpty = false;
  for (auto [d, extent] : llvm::enumerate(work.extents)) {
    if (extent < 0) {
      error = "extent " + std::to_string(d) + " must not be negative, got " +
              std::to_string(extent);
      return std::nullopt;
    }
    isEmpty |= extent == 0;
    points *= static_cast<double>(extent);
  }
  for (auto [what, bytes] : {std::pair("bytes in", work.bytesIn),
                             std::pair("bytes out", work.bytesOut)})
    if (bytes < 0) {
      error = std::string(what) + " must not be negative, got " +
              std::to_string(bytes);
      return std::nullopt;
    }
  BlockCost cost;
  // A block without points is not run.
  if (isEmpty)
    return cost;
  const double bytes =
      static_cast<double>(work.bytesIn) + static_cast<double>(work.bytesOut);
  cost.scratchBytes = rates->scratch + rates->scratchPoint * points +
                      weigh(rates->scratchAxes, work.extents);
  cost.workingSet = bytes + cost.scratchBytes;
  for (const CostCliff &cliff : cliffs)
    if (cost.workingSet > static_cast<double>(cliff.bytes))
      cost.cliff = cliff.factor;
  cost.seconds = rates->start + rates->point * points +
                 weigh(rates->axes, work.extents) +
                 rates->byte * bytes * cost.cliff;
  cost.joules =
      rates->energyPoint * points + rates->energyByte * bytes * cost.cliff;
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
  int64_t hops = 0;
  for (int64_t extent : llvm::reverse(shape)) {
    const int64_t a = from % extent, b = to % extent;
    const int64_t apart = a < b ? b - a : a - b;
    hops += isTorus ? std::min(apart, extent - apart) : apart;
    from /= extent;
    to /= extent;
  }
  return hops;
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

//===----------------------------------------------------------------------===//
// Calibration
//===----------------------------------------------------------------------===//

/// Solves a symmetric system of up to three equations by elimination with
/// pivots; false if it is singular.
static bool solve(double (&matrix)[3][4], size_t n, double (&x)[3]) {
  for (size_t c = 0; c != n; ++c) {
    size_t pivot = c;
    for (size_t r = c + 1; r != n; ++r)
      if (std::fabs(matrix[r][c]) > std::fabs(matrix[pivot][c]))
        pivot = r;
    if (std::fabs(matrix[pivot][c]) < 1e-12)
      return false;
    std::swap(matrix[pivot], matrix[c]);
    for (size_t r = 0; r != n; ++r) {
      if (r == c)
        continue;
      const double factor = matrix[r][c] / matrix[c][c];
      for (size_t k = c; k != n + 1; ++k)
        matrix[r][k] -= factor * matrix[c][k];
    }
  }
  for (size_t c = 0; c != n; ++c)
    x[c] = matrix[c][n] / matrix[c][c];
  return true;
}

std::optional<OpRates>
mlir::tensoraccess::fitRates(StringRef op, ArrayRef<CostSample> samples,
                             std::string &error) {
  for (auto [i, sample] : llvm::enumerate(samples))
    if (!(sample.seconds > 0) || !(sample.points >= 0) ||
        !(sample.bytes >= 0) || !std::isfinite(sample.seconds) ||
        !std::isfinite(sample.points) || !std::isfinite(sample.bytes)) {
      error = "sample " + std::to_string(i) +
              " must have a positive time and no negative points or bytes";
      return std::nullopt;
    }
  if (samples.empty()) {
    error = "rates of '" + op.str() + "' need at least one sample";
    return std::nullopt;
  }
  // Columns are scaled to one, so that the test for singular systems means
  // something.
  double scale[3] = {1, 0, 0};
  for (const CostSample &sample : samples) {
    scale[1] = std::max(scale[1], sample.points);
    scale[2] = std::max(scale[2], sample.bytes);
  }
  auto termsOf = [&](const CostSample &sample) {
    return std::array<double, 3>{1, scale[1] > 0 ? sample.points / scale[1] : 0,
                                 scale[2] > 0 ? sample.bytes / scale[2] : 0};
  };
  double unit = 0;
  for (const CostSample &sample : samples)
    unit = std::max(unit, sample.seconds);
  double best = HUGE_VAL, found[3] = {0, 0, 0};
  for (unsigned subset = 1; subset != 8; ++subset) {
    SmallVector<size_t, 3> used;
    for (size_t t = 0; t != 3; ++t)
      if (subset >> t & 1)
        used.push_back(t);
    double matrix[3][4] = {}, x[3] = {};
    for (const CostSample &sample : samples) {
      std::array<double, 3> terms = termsOf(sample);
      const double weight = unit / sample.seconds;
      for (size_t r = 0; r != used.size(); ++r) {
        for (size_t c = 0; c != used.size(); ++c)
          matrix[r][c] += weight * weight * terms[used[r]] * terms[used[c]];
        matrix[r][used.size()] +=
            weight * weight * terms[used[r]] * sample.seconds / unit;
      }
    }
    if (!solve(matrix, used.size(), x) ||
        llvm::any_of(ArrayRef<double>(x, used.size()),
                     [](double rate) { return !(rate >= 0); }))
      continue;
    double loss = 0;
    for (const CostSample &sample : samples) {
      std::array<double, 3> terms = termsOf(sample);
      double guess = 0;
      for (size_t t = 0; t != used.size(); ++t)
        guess += x[t] * terms[used[t]];
      const double off = guess * unit / sample.seconds - 1;
      loss += off * off;
    }
    if (loss >= best)
      continue;
    best = loss;
    for (double &rate : found)
      rate = 0;
    for (size_t t = 0; t != used.size(); ++t)
      found[used[t]] = x[t] * unit / scale[used[t]];
  }
  OpRates rates;
  rates.name = op.str();
  rates.start = found[0];
  rates.point = found[1];
  rates.byte = found[2];
  return rates;
}
