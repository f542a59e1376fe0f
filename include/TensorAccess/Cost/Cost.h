//===- Cost.h - What blocks, exchanges and plans cost -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_COST_COST_H
#define TENSORACCESS_COST_COST_H

#include "TensorAccess/Core/Exchange.h"
#include "TensorAccess/Core/HostMachine.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// Costs of blocks and messages
//
// A model of time, memory and energy, used to choose cuts: numbers of a
// machine, measured once and read back from a text.
//
//   machine laptop
//   cliffs [32768: 1.5, 33554432: 8.0]
//   op *: start = 2.0e-06, point = 5.0e-10, byte = 1.0e-10
//   op linalg.matmul: start = 4.0e-06, point = 1.0e-10, byte = 1.0e-10,
//     scratch = 4096.0, lanes = 16, panel = [32768: 2.0], axes = [0.0, 3.0e-08]
//   op *.map: start = 1.0e-06, byte = 1.5e-10
//   op math.exp: start = 0.0, point = 4.0e-09
//   network torus 4x4: latency = 5.0e-07, bandwidth = 1.0e+10,
//     overhead = 1.0e-06, energy = 1.0e-11
//
// A block of extents n_0 x … with P = Π n points that touches B bytes has the
// costs
//
//   start + point·P'·c' + Σ axes_d·n_d + byte·B·c + Σ step_k·P   seconds
//   scratch + scratch_point·P + Σ scratch_axes_d·n_d        further bytes
//   energy_point·P + energy_byte·B·c + Σ energy_k·P         joules
//
//   P'  the points with the extent of the innermost axis rounded up to a
//       multiple of `lanes`: vectors are whole
//   c   the factor of the largest cliff that the working set (B and the scratch
//       memory) exceeds, else 1
//   c'  likewise of `panel`: the memory that sums into one vector of results
//       run over is max(lanes, p) · (bytes of a column of the reduction), which
//       fits a cache or does not; p is the greatest power of two, up to 1024,
//       that divides the elements from one step of the column to the next: a
//       cache maps addresses at power-of-two distances to few places
//   k   operations in the op's body that have their own entry: `math.exp` adds
//       its `point` for each point, and its `energy_point`
//
// Ops come in families: `map` (all loops are parallel, elements side by side),
// `move` (others: transposes, copies), `sum` (reductions with an innermost axis
// that is not summed over), `chain` (others: each result is a chain of sums).
// The first of `linalg.matmul.sum`, `linalg.matmul`, `*.sum`, `*` that is
// listed is used. A message of b bytes over h hops takes overhead + h·latency +
// b / bandwidth seconds and energy·b·h joules; ranks are on the grid in
// row-major order, and on a torus each dimension wraps around.
//
// Index projections, "incremental block memory and execution costs": rates per
// point and per dimension, overridable for an operation; costs that are not
// linear.
//===----------------------------------------------------------------------===//

/// Beyond this many bytes, the rate that it applies to costs `factor` times as
/// much.
struct CostCliff {
  int64_t bytes = 0;
  double factor = 1;

  bool operator==(const CostCliff &o) const {
    return bytes == o.bytes && factor == o.factor;
  }
};

/// `map`, `move`, `sum`, `chain`.
llvm::ArrayRef<llvm::StringRef> getCostFamilies();

/// `linalg.matmul.sum` without its family, if it has one.
llvm::StringRef dropCostFamily(llvm::StringRef name);

/// The rates of one op; see above for each. Seconds, bytes, joules.
struct OpRates {
  /// The name of an operation, or with a family (`linalg.matmul.sum`), or
  /// `*.sum` for all others of a family, or `*` for all that are not listed.
  std::string name;
  double start = 0, point = 0, byte = 0;
  double scratch = 0, scratchPoint = 0;
  double energyPoint = 0, energyByte = 0;
  /// Points of the innermost axis that together cost as much as one.
  int64_t lanes = 1;
  /// Factors of `point`, by ascending bytes of the panel.
  llvm::SmallVector<CostCliff, 2> panel;
  /// Per index of an axis; axes beyond the list cost nothing.
  llvm::SmallVector<double, 4> axes, scratchAxes;

  /// Reads `point = 1.0e-10, lanes = 8`, the part of a text after an op's name:
  /// `base` with these rates replaced. std::nullopt and `error` if it is
  /// invalid.
  static std::optional<OpRates> parse(llvm::StringRef text, OpRates base,
                                      ParseError &error);
  /// std::nullopt if all rates are finite and not negative, and so on, else
  /// what is wrong.
  std::optional<std::string> verify() const;
  bool operator==(const OpRates &o) const;
};

/// The work of a block: its extent along each axis and the bytes it touches.
struct BlockWork {
  llvm::SmallVector<int64_t, 6> extents;
  int64_t bytesIn = 0, bytesOut = 0;
  /// The axis along which the elements of results and operands are contiguous,
  /// if there is one.
  std::optional<unsigned> innermost;
  /// For a column of what is summed over, an element for each step of the sum;
  /// 0 if nothing is.
  int64_t columnBytes = 0;
  /// Elements from one step of such a column to the next, if they are read in
  /// vectors; otherwise 0.
  int64_t pitch = 0;
  /// `map`, `move`, `sum`, `chain`, or empty.
  std::string family;
  /// The operations at each point: their names, and how often.
  std::vector<std::pair<std::string, int64_t>> steps;
};

/// The cost of a block.
struct BlockCost {
  double seconds = 0, scratchBytes = 0, joules = 0;
  /// Bytes touched and scratch memory together.
  double workingSet = 0;
  /// The factor of the largest cliff exceeded.
  double cliff = 1;
  /// The same for the panel.
  double panelCliff = 1;

  /// std::nullopt if all members are finite and not negative, else which one
  /// isn't: `seconds must be finite and not negative, got nan`.
  std::optional<std::string> verify() const;
};

/// Bytes of the panel of a block in vectors of `lanes` lanes.
double getPanelBytes(const BlockWork &work, int64_t lanes);

/// A grid of ranks.
struct Network {
  bool isTorus = false;
  llvm::SmallVector<int64_t, 3> shape;
  double latency = 0, bandwidth = 0, overhead = 0, energy = 0;

  bool operator==(const Network &o) const;
  /// std::nullopt on overflow.
  std::optional<int64_t> getNumRanks() const;
  /// Links on a shortest path; std::nullopt if a rank is not on the grid.
  std::optional<int64_t> getHops(int64_t from, int64_t to) const;
};

struct MessageCost {
  double seconds = 0, joules = 0;
  int64_t hops = 0;
};

/// How `ranks` neighbours on a ring exchange `bytes` each (the whole result for
/// AllGather, the whole operand for ReduceScatter and AllReduce): the bytes
/// that each sends, in how many steps.
enum class Collective : uint8_t {
  AllGather,
  ReduceScatter,
  AllReduce,
  AllToAll
};
struct CollectiveCost {
  double seconds = 0, bytesSent = 0, joules = 0;
  int64_t steps = 0;
};

/// A plain value; members may be set freely, `verify` checks them.
struct CostModel {
  std::string machine;
  /// By ascending bytes.
  llvm::SmallVector<CostCliff, 4> cliffs;
  /// By ascending name.
  std::vector<OpRates> ops;
  std::optional<Network> network;

  /// Reads a text and verifies it; std::nullopt and `error` if it is invalid.
  /// `#` begins a comment that ends with its line.
  static std::optional<CostModel> parse(llvm::StringRef text,
                                        ParseError &error);
  /// std::nullopt if the members are consistent, else what is wrong.
  std::optional<std::string> verify() const;
  /// The canonical text: reads back as an equal model.
  std::string str() const;
  bool operator==(const CostModel &o) const;

  /// The rates of an op; null if neither it, its family nor `*` is listed.
  /// `family` may be empty.
  const OpRates *find(llvm::StringRef op, llvm::StringRef family = "") const;
  /// The rates of exactly this name, or null.
  const OpRates *findExactly(llvm::StringRef name) const;
  /// Replaces or adds the rates of an op.
  void setRates(OpRates rates);

  /// std::nullopt and `error` for an op without rates, and for negative extents
  /// or bytes.
  std::optional<BlockCost> getCost(llvm::StringRef op, const BlockWork &work,
                                   std::string &error) const;
  /// The same with rates that need not be listed.
  std::optional<BlockCost> getCost(const OpRates &rates, const BlockWork &work,
                                   std::string &error) const;
  /// std::nullopt and `error` without a network, for ranks that it lacks, and
  /// for negative bytes. A rank's message to itself is free.
  std::optional<MessageCost> getMessage(int64_t from, int64_t to, int64_t bytes,
                                        std::string &error) const;
  /// On a ring whose neighbours are `hops` links apart.
  std::optional<CollectiveCost> getCollective(Collective kind, int64_t ranks,
                                              int64_t bytes, int64_t hops,
                                              std::string &error) const;
};

//===----------------------------------------------------------------------===//
// Fitting rates to measurements
//
// Derives the rates of a cost model from times of blocks:
//
//   cliffs   bytes that stream through a working set of each size: what a byte
//            takes in each cache and past all of them
//   rates    of an op, from blocks of several shapes: start, point, byte, how
//            many lanes a vector has, and what a panel costs that is larger
//            than a cache
//
// A fit is judged by factors: how many times longer a block takes than the
// model predicts, or vice versa. No rate is negative.
//===----------------------------------------------------------------------===//

/// A measured run.
struct CostSample {
  double points = 0, bytes = 0, seconds = 0;
};

/// The rates start, point and byte that fit samples best (least squares of the
/// relative error), none of them negative. std::nullopt and `error` without
/// samples of positive time.
std::optional<OpRates> fitRates(llvm::StringRef op,
                                llvm::ArrayRef<CostSample> samples,
                                std::string &error);

/// A measured block.
struct BlockSample {
  BlockWork work;
  double seconds = 0;
  /// Memory in addition to what the op touches.
  double scratchBytes = 0;
};

/// How far times are from the model, as factors of at least 1: max(modelled /
/// measured, measured / modelled).
struct FitQuality {
  size_t samples = 0;
  double median = 1, nineOfTen = 1, most = 1;

  /// `12 samples, off by 1.05 in the middle, 1.20 for nine of ten, 1.31 at
  /// most`
  std::string str() const;
};

/// The quality of factors in any order; those below 1 count as their inverse.
FitQuality getQuality(llvm::ArrayRef<double> factors);

struct FitOptions {
  /// Of the model that the rates are for.
  llvm::ArrayRef<CostCliff> cliffs;
  /// Sizes past which a panel may cost more.
  llvm::ArrayRef<int64_t> caches;
  /// The lane counts to try.
  llvm::ArrayRef<int64_t> lanes;
};

struct OpFit {
  OpRates rates;
  FitQuality quality;
};

/// The rates of an op that fit blocks best: least squares of the differences of
/// logarithms, with outliers weighted less. Scratch memory is fitted by a
/// constant and bytes per point. std::nullopt and `error` as in fitRates, and
/// for blocks whose cost cannot be computed.
std::optional<OpFit> fitBlocks(llvm::StringRef op,
                               llvm::ArrayRef<BlockSample> samples,
                               const FitOptions &options, std::string &error);

/// Bytes that were streamed through a working set of a given size.
struct StreamSample {
  double workingSet = 0, bytes = 0, seconds = 0;
};

struct StreamFit {
  double start = 0, byte = 0;
  /// At the caches, non-decreasing factors of `byte`.
  llvm::SmallVector<CostCliff, 4> cliffs;
};

/// The cost of a byte within the first of the ascending `caches`, and how much
/// more it costs past each: medians. A size without samples costs as much as
/// the one before. std::nullopt and `error` without samples within the first.
std::optional<StreamFit> fitStreams(llvm::ArrayRef<StreamSample> samples,
                                    llvm::ArrayRef<int64_t> caches,
                                    std::string &error);

//===----------------------------------------------------------------------===//
// Measured costs and the file that holds them
//
// The results of a calibration, as a text: a cost model under comments that
// name the machine and show how well the model fits. It can be read wherever a
// model is read.
//
//   # tensoraccess calibration 1
//   # cpu AMD EPYC
//   # cores 2
//   # caches 32768 524288 33554432
//   # build tensoraccess 0.1.0, LLVM 22.1.8
//   # fit linalg.matmul: 12 samples, off by 1.05 in the middle, …
//   machine amd-epyc-5f2d4c1b
//   …
//
// The file for a machine is the first of these:
//
//   1. the file given by the user;
//   2. $TENSORACCESS_CALIBRATION;
//   3. $XDG_CACHE_HOME/tensoraccess/calibration-NAME.txt;
//   4. $HOME/.cache/tensoraccess/calibration-NAME.txt.
//===----------------------------------------------------------------------===//

struct Calibration {
  Machine machine;
  CostModel model;
  /// How well rates fit, by the name of an op, as text.
  std::vector<std::pair<std::string, std::string>> fits;

  /// Reads a text; std::nullopt and `error` if it is invalid, or not a
  /// calibration.
  static std::optional<Calibration> parse(llvm::StringRef text,
                                          ParseError &error);
  std::string str() const;

  /// Replaces or adds the text about an op's fit.
  void setFit(llvm::StringRef op, llvm::StringRef text);
};

/// Where a machine's calibration is kept. Fails if no folder is specified.
llvm::Expected<std::string> getCalibrationPath(const Machine &machine,
                                               llvm::StringRef given = "");

/// std::nullopt if there is no such file. Fails with `FILE:LINE:COLUMN: …` if
/// it is not a calibration, and if it can't be read.
llvm::Expected<std::optional<Calibration>>
readCalibration(llvm::StringRef path);

/// Writes the file atomically; creates the folder.
llvm::Error writeCalibration(llvm::StringRef path,
                             const Calibration &calibration);

/// The measured costs of this machine. Fails if there are none, if they belong
/// to another machine, and if they can't be read.
llvm::Expected<CostModel> loadCalibratedCosts(llvm::StringRef given = "");

/// `3:14`: the line and column of a byte of a text, both from 1.
std::string getLineAndColumn(llvm::StringRef text, size_t offset);

//===----------------------------------------------------------------------===//
// The cost of an exchange, without listing messages
//
// A planner queries the cost of exchanges thousands of times, for thousands of
// ranks, and needs no list of messages. Boxes that result from cuts are
// products of intervals, each of which depends on few coordinates of the rank:
//
//   bytes in      |needed| - |needed ∩ owned|, a product per term
//   messages in   the parts that an interval meets are consecutive, since cuts
//                 ascend: their numbers multiply
//   longest way   the sum over dimensions of the farthest part's steps
//   messages out, bytes out   the sum over receivers of products; dimensions
//                 whose intervals share no summed coordinate factor
//
// The numbers equal those of the listed exchange (Exchange.h).
//===----------------------------------------------------------------------===//

/// Half-open intervals of one dimension, by the part number that a rank's
/// coordinates on `axes` form.
struct FactoredDim {
  Distribution::Axes axes;
  std::vector<std::pair<int64_t, int64_t>> intervals;

  bool operator==(const FactoredDim &o) const {
    return axes == o.axes && intervals == o.intervals;
  }
};

/// One box per rank: the product of an interval per dimension.
struct FactoredBoxes {
  llvm::SmallVector<FactoredDim, 4> dims;

  Box getBox(const Grid &grid, int64_t rank) const;
  bool operator==(const FactoredBoxes &o) const { return dims == o.dims; }
};

/// The boxes of a distribution. Requires that it verifies.
FactoredBoxes getFactoredBoxes(const Grid &grid,
                               const Distribution &distribution,
                               llvm::ArrayRef<int64_t> extents);

/// The cost of an exchange: maxima are over ranks.
struct ExchangeCost {
  uint64_t bytes = 0;    ///< sent by all
  uint64_t messages = 0; ///< sent by all
  uint64_t maxBytesIn = 0, maxBytesOut = 0;
  int64_t longestWay = 0; ///< steps on the grid
  double seconds = 0;
};

/// What each rank sends, and how far it travels.
struct ExchangeByRank {
  std::vector<uint64_t> bytesOut, messagesOut;
  /// Σ over messages of bytes times steps.
  double byteSteps = 0;
};

/// The cost of `getExchange(grid, owned, extents, needed)` with elements of
/// `elementBytes`: the longest of the ranks' times for what it sends and for
/// what it receives, overhead·messages + bytes/bandwidth, and latency·steps of
/// the longest path. The rates are the network's; the shape is the grid's.
/// Boxes are clipped to the tensor. std::nullopt at 2^63 bytes or more.
/// `byRank`, if given, is set to each rank's share.
std::optional<ExchangeCost>
getExchangeCost(const Grid &grid, const Distribution &owned,
                llvm::ArrayRef<int64_t> extents, const FactoredBoxes &needed,
                int64_t elementBytes, const Network &network,
                ExchangeByRank *byRank = nullptr);

//===----------------------------------------------------------------------===//
// Choices of least total cost
//===----------------------------------------------------------------------===//

/// A function of the values of some variables, the last of which varies
/// fastest. Variables with a single value are in no scope.
template <typename Cost>
struct CostTable {
  llvm::SmallVector<unsigned, 4> scope;
  std::vector<Cost> costs;
};

/// A choice for each variable of a graph.
struct CostSolution {
  llvm::SmallVector<unsigned> values;
  /// The cost of the choice; kForbidden if every choice is forbidden.
  int64_t cost = 0;
  /// No choice costs less than this. Equal to `cost` iff the choice is known to
  /// be optimal.
  int64_t lowerBound = 0;
  /// Number of variables of the largest table that was built, including the
  /// eliminated one.
  unsigned width = 0;

  bool isExact() const { return cost == lowerBound; }
};

class CostGraph {
public:
  /// The cost of a forbidden combination; sums saturate here.
  static constexpr int64_t kForbidden = std::numeric_limits<int64_t>::max();

  /// A variable with values 0 … numValues - 1; requires at least one.
  unsigned addVariable(unsigned numValues);
  /// A table over distinct variables, row-major, the last one fastest. Requires
  /// one entry of at least 0 for each combination. Tables add up.
  void addCost(llvm::ArrayRef<unsigned> variables, std::vector<int64_t> costs);

  unsigned getNumVariables() const { return sizes.size(); }
  unsigned getNumValues(unsigned variable) const { return sizes[variable]; }
  /// The cost of a choice.
  int64_t getCost(llvm::ArrayRef<unsigned> values) const;

  /// The cheapest choice, as described above. Deterministic: among equals, the
  /// one with smaller values in the order of elimination. Time and memory grow
  /// with `maxEntries` times the number of tables.
  CostSolution solve(int64_t maxEntries = int64_t(1) << 20) const;

private:
  int64_t improve(CostSolution &solution) const;

  llvm::SmallVector<unsigned> sizes;
  std::vector<CostTable<int64_t>> tables;
};

//===----------------------------------------------------------------------===//
// Choices with pairwise costs
//
// A plan picks one of several candidates for each of many parts of a program.
// Each candidate has its own cost, and two parts that exchange data have a cost
// for each pair of their candidates. What one part produces for several others
// is sent only once to those that need the same of it. Find the choice of least
// cost.
//
// *Variable elimination* is exact: the part whose neighbours have the fewest
// combinations of candidates is eliminated; its best candidate for each of
// these combinations is kept in a table, which becomes a further cost among the
// neighbours. A chain takes Σ k² steps, one with residual joins Σ k³. If a
// table would have too many entries, this method gives no answer.
//
// Values that many parts need join them all in one table. If that is too much,
// pairs bound such a cost from both sides (each pays for itself; each pays its
// share of all), and the choices found are improved step by step.
//===----------------------------------------------------------------------===//

/// The most entries of all tables together.
inline constexpr uint64_t kPlanTableBudget = 1u << 27;

/// A plain value; members may be set freely, `verify` checks them.
struct PlanProblem {
  struct Edge {
    size_t from = 0, to = 0;
    /// [candidate of `from`][candidate of `to`], row-major.
    std::vector<double> costs;
  };
  /// A value of which several parts need something: each distinct need costs
  /// once.
  struct Shared {
    struct Want {
      size_t part = 0;               ///< may be `from`, and any number of times
      std::vector<uint32_t> numbers; ///< by candidate of the part
    };
    size_t from = 0;
    uint32_t numWants = 0;
    std::vector<Want> wants;
    /// [candidate of `from`][number], row-major; not negative.
    std::vector<double> costs;

    /// The cost of the value under a choice.
    double getCost(const std::vector<size_t> &choice) const;
  };
  /// [part][candidate].
  std::vector<std::vector<double>> costs;
  std::vector<Edge> edges;
  std::vector<Shared> shared;

  /// std::nullopt if every part has a candidate, edges join different parts and
  /// have a cost per pair, wants have a number per candidate, and costs are
  /// finite; else what is wrong.
  std::optional<std::string> verify() const;
  /// The cost of a choice.
  double getCost(const std::vector<size_t> &choice) const;
};

/// The choice of least cost, by variable elimination; among equals the first in
/// the order of elimination. std::nullopt if tables would have more entries
/// than the budget. Requires that the problem verifies.
std::optional<std::vector<size_t>>
solveByElimination(const PlanProblem &problem,
                   uint64_t budget = kPlanTableBudget);

/// A choice that no change of a single part makes cheaper, starting from
/// `choice`, or from the candidates that are cheapest by themselves.
std::vector<size_t> solveByDescent(const PlanProblem &problem,
                                   std::vector<size_t> choice = {});

/// A choice, and a lower bound on the cost of all choices.
struct PlanBounds {
  std::vector<size_t> choice;
  double bound = 0;
};

/// By elimination of the problem in which shared values become pairwise costs:
/// from below, from above, and as in the best choice so far. std::nullopt if
/// tables would have more entries than the budget.
std::optional<PlanBounds> solveByPairs(const PlanProblem &problem,
                                       uint64_t budget = kPlanTableBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_COST_COST_H
