//===- CostFit.cpp - Rates that fit what was measured ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times are sums of a few terms with rates that are not negative. For each
// subset of the terms the weighted normal equations are solved; the best
// solution without negative rates counts, which is the optimum under that
// condition. For blocks:
//
//   1. for each number of lanes, terms 1, points, points past each size of a
//      panel, bytes;
//   2. solve with the weights 1 / (measured · modelled), which makes squares of
//      differences those of logarithms, and less for blocks that are far off;
//      several times, since weights depend on what was found;
//   3. the number of lanes with the least mean difference of logarithms; the
//      smallest of those that differ by a hundredth.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cost/Cost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Least squares without negative rates
//===----------------------------------------------------------------------===//

/// Terms at most.
static constexpr size_t kMaxTerms = 6;
using Terms = std::array<double, kMaxTerms>;

namespace {
/// Σ x_t·terms_t should be `value`; its square counts `weight` times.
struct Equation {
  Terms terms = {};
  double value = 0, weight = 1;
};
} // namespace

static double dot(const Terms &a, const Terms &b) {
  double sum = 0;
  for (size_t t = 0; t != kMaxTerms; ++t)
    sum += a[t] * b[t];
  return sum;
}

/// Solves a symmetric system of `n` equations by elimination with pivots; false
/// if it is singular.
static bool solve(double (&matrix)[kMaxTerms][kMaxTerms + 1], size_t n,
                  Terms &x) {
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

/// The rates of least loss; terms that are zero everywhere get none.
static Terms solveNonNegative(ArrayRef<Equation> equations) {
  // Rows take the root of their weight; terms are scaled to one, so that the
  // test for singular systems means something.
  std::vector<Equation> rows(equations.begin(), equations.end());
  Terms scale = {};
  double unit = 0;
  for (Equation &row : rows) {
    const double root = std::sqrt(row.weight);
    row.value *= root;
    unit = std::max(unit, row.value);
    for (size_t t = 0; t != kMaxTerms; ++t) {
      row.terms[t] *= root;
      scale[t] = std::max(scale[t], row.terms[t]);
    }
  }
  for (Equation &row : rows) {
    row.value /= unit;
    for (size_t t = 0; t != kMaxTerms; ++t)
      row.terms[t] = scale[t] > 0 ? row.terms[t] / scale[t] : 0;
  }
  double best = HUGE_VAL;
  Terms found = {};
  for (unsigned subset = 1; subset != 1u << kMaxTerms; ++subset) {
    SmallVector<size_t, kMaxTerms> used;
    for (size_t t = 0; t != kMaxTerms; ++t)
      if (subset >> t & 1)
        used.push_back(t);
    if (llvm::any_of(used, [&](size_t t) { return scale[t] == 0; }))
      continue;
    double matrix[kMaxTerms][kMaxTerms + 1] = {};
    for (const Equation &row : rows)
      for (size_t r = 0; r != used.size(); ++r) {
        for (size_t c = 0; c != used.size(); ++c)
          matrix[r][c] += row.terms[used[r]] * row.terms[used[c]];
        matrix[r][used.size()] += row.terms[used[r]] * row.value;
      }
    Terms solution = {}, rates = {};
    if (!solve(matrix, used.size(), solution) ||
        llvm::any_of(ArrayRef<double>(solution.data(), used.size()),
                     [](double rate) { return !(rate >= 0); }))
      continue;
    for (size_t i = 0; i != used.size(); ++i)
      rates[used[i]] = solution[i];
    double loss = 0;
    for (const Equation &row : rows) {
      const double off = dot(rates, row.terms) - row.value;
      loss += off * off;
    }
    if (loss >= best)
      continue;
    best = loss;
    found = rates;
  }
  for (size_t t = 0; t != kMaxTerms; ++t)
    found[t] = scale[t] > 0 ? found[t] * unit / scale[t] : 0;
  return found;
}

//===----------------------------------------------------------------------===//
// Points and bytes
//===----------------------------------------------------------------------===//

static bool isAmount(double number) {
  return std::isfinite(number) && number >= 0;
}

std::optional<OpRates>
mlir::tensoraccess::fitRates(StringRef op, ArrayRef<CostSample> samples,
                             std::string &error) {
  std::vector<Equation> equations;
  for (auto [i, sample] : llvm::enumerate(samples)) {
    if (!(sample.seconds > 0) || !isAmount(sample.seconds) ||
        !isAmount(sample.points) || !isAmount(sample.bytes)) {
      error = "sample " + std::to_string(i) +
              " must have a positive time and no negative points or bytes";
      return std::nullopt;
    }
    equations.push_back({{1, sample.points, sample.bytes},
                         sample.seconds,
                         1 / (sample.seconds * sample.seconds)});
  }
  if (equations.empty()) {
    error = "rates of '" + op.str() + "' need at least one sample";
    return std::nullopt;
  }
  Terms found = solveNonNegative(equations);
  OpRates rates;
  rates.name = op.str();
  rates.start = found[0];
  rates.point = found[1];
  rates.byte = found[2];
  return rates;
}

//===----------------------------------------------------------------------===//
// Quality
//===----------------------------------------------------------------------===//

/// The value that `share` of them don't exceed.
static double getQuantile(std::vector<double> &values, double share) {
  const size_t at = std::min(
      values.size() - 1,
      static_cast<size_t>(
          std::ceil(share * static_cast<double>(values.size())) - (share > 0)));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[at];
}

FitQuality mlir::tensoraccess::getQuality(ArrayRef<double> factors) {
  FitQuality quality;
  quality.samples = factors.size();
  if (factors.empty())
    return quality;
  std::vector<double> off;
  for (double factor : factors)
    off.push_back(factor >= 1 ? factor : 1 / factor);
  quality.median = getQuantile(off, 0.5);
  quality.nineOfTen = getQuantile(off, 0.9);
  quality.most = getQuantile(off, 1);
  return quality;
}

std::string FitQuality::str() const {
  return llvm::formatv("{0} {1}, off by {2:f2} in the middle, {3:f2} for nine "
                       "of ten, {4:f2} at most",
                       samples, samples == 1 ? "sample" : "samples", median,
                       nineOfTen, most)
      .str();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {
/// Samples seen with a number of lanes; terms are 1, points, points past each
/// size of a panel, bytes.
class LaneFit {
public:
  LaneFit(ArrayRef<BlockSample> samples, const FitOptions &options,
          int64_t lanes)
      : options(options), lanes(lanes) {
    for (const BlockSample &sample : samples)
      add(sample);
    solve();
  }

  double getLoss() const { return loss; }
  OpFit getFit() const;

private:
  void add(const BlockSample &sample);
  void solve();
  size_t numPanels() const {
    return std::min(options.caches.size(), kMaxTerms - 3);
  }

  const FitOptions &options;
  int64_t lanes;
  std::vector<Equation> equations;
  Terms found = {};
  /// The mean difference of logarithms.
  double loss = HUGE_VAL;
};
} // namespace

void LaneFit::add(const BlockSample &sample) {
  // A model of unit rates gives each term.
  CostModel model;
  model.cliffs.assign(options.cliffs.begin(), options.cliffs.end());
  OpRates points, bytes;
  points.lanes = lanes;
  points.point = 1;
  bytes.byte = 1;
  std::string error;
  BlockWork work = sample.work;
  work.steps.clear();
  Equation equation;
  equation.value = sample.seconds;
  equation.weight = 1 / (sample.seconds * sample.seconds);
  equation.terms[0] = 1;
  equation.terms[1] = model.getCost(points, work, error)->seconds;
  equation.terms[2] = model.getCost(bytes, work, error)->seconds;
  const double panel = getPanelBytes(work, lanes);
  for (size_t i = 0; i != numPanels(); ++i)
    if (panel > static_cast<double>(options.caches[i]))
      equation.terms[3 + i] = equation.terms[1];
  equations.push_back(equation);
}

void LaneFit::solve() {
  for (unsigned round = 0; round != 8; ++round) {
    Terms rates = solveNonNegative(equations);
    double sum = 0;
    for (Equation &equation : equations) {
      const double guess =
          std::max(dot(rates, equation.terms), 1e-3 * equation.value);
      const double off = std::fabs(std::log(guess / equation.value));
      sum += off;
      equation.weight = 1 / (equation.value * guess * std::max(off, 0.1));
    }
    sum /= static_cast<double>(equations.size());
    if (sum >= loss)
      continue;
    loss = sum;
    found = rates;
  }
}

OpFit LaneFit::getFit() const {
  OpFit fit;
  fit.rates.lanes = lanes;
  fit.rates.start = found[0];
  fit.rates.point = found[1];
  fit.rates.byte = found[2];
  double factor = 1;
  for (size_t i = 0; i != numPanels(); ++i) {
    if (found[3 + i] == 0)
      continue;
    // Where only points of large panels take time, the smaller ones are free:
    // their figure is that of the first that is not.
    if (fit.rates.point == 0) {
      fit.rates.point = found[3 + i];
      continue;
    }
    factor += found[3 + i] / fit.rates.point;
    fit.rates.panel.push_back({options.caches[i], factor});
  }
  return fit;
}

std::optional<OpFit>
mlir::tensoraccess::fitBlocks(StringRef op, ArrayRef<BlockSample> samples,
                              const FitOptions &options, std::string &error) {
  if (samples.empty()) {
    error = "rates of '" + op.str() + "' need at least one sample";
    return std::nullopt;
  }
  CostModel model;
  model.cliffs.assign(options.cliffs.begin(), options.cliffs.end());
  OpRates none;
  bool hasInnermost = false;
  std::vector<Equation> scratch;
  for (auto [i, sample] : llvm::enumerate(samples)) {
    if (!(sample.seconds > 0) || !isAmount(sample.seconds) ||
        !isAmount(sample.scratchBytes)) {
      error = "sample " + std::to_string(i) +
              " must have a positive time and no negative scratch memory";
      return std::nullopt;
    }
    if (!model.getCost(none, sample.work, error)) {
      error = "sample " + std::to_string(i) + ": " + error;
      return std::nullopt;
    }
    hasInnermost |= sample.work.innermost.has_value();
    double points = 1;
    for (int64_t extent : sample.work.extents)
      points *= static_cast<double>(extent);
    scratch.push_back({{1, points}, sample.scratchBytes, 1});
  }
  std::optional<LaneFit> best;
  for (int64_t lanes : options.lanes) {
    if (lanes < 1) {
      error = "lanes must be positive, got " + std::to_string(lanes);
      return std::nullopt;
    }
    LaneFit fit(samples, options, lanes);
    if (!best || fit.getLoss() < best->getLoss() - 0.01)
      best.emplace(std::move(fit));
    if (!hasInnermost)
      break;
  }
  OpFit fit = best ? best->getFit() : LaneFit(samples, options, 1).getFit();
  fit.rates.name = op.str();
  if (llvm::any_of(samples, [](const BlockSample &sample) {
        return sample.scratchBytes > 0;
      })) {
    Terms found = solveNonNegative(scratch);
    fit.rates.scratch = found[0];
    fit.rates.scratchPoint = found[1];
  }
  std::vector<double> factors;
  for (const BlockSample &sample : samples) {
    BlockWork work = sample.work;
    work.steps.clear();
    factors.push_back(model.getCost(fit.rates, work, error)->seconds /
                      sample.seconds);
  }
  fit.quality = getQuality(factors);
  return fit;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

std::optional<StreamFit>
mlir::tensoraccess::fitStreams(ArrayRef<StreamSample> samples,
                               ArrayRef<int64_t> caches, std::string &error) {
  StreamFit fit;
  for (auto [i, sample] : llvm::enumerate(samples))
    if (!(sample.seconds > 0) || !isAmount(sample.seconds) ||
        !(sample.bytes > 0) || !isAmount(sample.bytes) ||
        !isAmount(sample.workingSet)) {
      error = "sample " + std::to_string(i) +
              " must have a positive time and positive bytes";
      return std::nullopt;
    }
  // The level of a sample: how many caches it exceeds.
  std::vector<std::vector<CostSample>> levels(caches.size() + 1);
  for (const StreamSample &sample : samples) {
    const size_t level = llvm::count_if(caches, [&](int64_t cache) {
      return sample.workingSet > static_cast<double>(cache);
    });
    levels[level].push_back({0, sample.bytes, sample.seconds});
  }
  if (levels[0].empty()) {
    error = "no sample lies within the first cache";
    return std::nullopt;
  }
  OpRates first = *fitRates("", levels[0], error);
  fit.start = first.start;
  double last = 0;
  for (auto [level, list] : llvm::enumerate(levels)) {
    std::vector<double> rates;
    for (const CostSample &sample : list)
      rates.push_back(std::max(sample.seconds - fit.start, 0.0) / sample.bytes);
    const double rate =
        rates.empty() ? last : std::max(last, getQuantile(rates, 0.5));
    if (level == 0)
      // Where the start is all that is seen, it is spread over the bytes.
      fit.byte = first.byte > 0 ? first.byte : first.start / list[0].bytes;
    else if (fit.byte > 0)
      fit.cliffs.push_back({caches[level - 1], std::max(rate / fit.byte, 1.0)});
    last = level == 0 ? fit.byte : rate;
  }
  return fit;
}
