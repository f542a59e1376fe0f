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
// What blocks and messages cost
//
// A model of time, memory and energy, to choose cuts by: numbers of a machine,
// measured once and read back from a text.
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
// A block of extents n_0 x … with P = Π n points that touches B bytes takes
//
//   start + point·P'·c' + Σ axes_d·n_d + byte·B·c + Σ step_k·P   seconds
//   scratch + scratch_point·P + Σ scratch_axes_d·n_d        bytes besides
//   energy_point·P + energy_byte·B·c + Σ energy_k·P         joules
//
//   P'  the points with the extent of the innermost axis rounded up to a
//       multiple of `lanes`: vectors are whole
//   c   the factor of the largest cliff that the working set (B and the scratch
//       memory) exceeds, else 1
//   c'  likewise of `panel`: what sums into one vector of results run over is
//       max(lanes, p) · (bytes of a column of the reduction), which fits a cache
//       or not; p is the greatest power of two, up to 1024, in the elements from
//       one step of the column to the next: a cache puts what is powers of two
//       apart into few places
//   k   operations in the body of the op that are listed themselves: `math.exp`
//       adds its `point` for each point, and its `energy_point`
//
// Ops come in families: `map` (all loops are parallel, elements side by side),
// `move` (others: transposes, copies), `sum` (reductions with an innermost axis
// that is not summed over), `chain` (others: each result is a chain of sums).
// The first that is listed counts of `linalg.matmul.sum`, `linalg.matmul`,
// `*.sum`, `*`. A message of b bytes over h hops takes overhead + h·latency + b
// / bandwidth seconds and energy·b·h joules; ranks are on the grid in
// row-major order, and on a torus each dimension is a circle.
//
// Index projections, "incremental block memory and execution costs": rates per
// point and per dimension, overridable for an operation; costs that are not
// linear.
//===----------------------------------------------------------------------===//

/// From more than so many bytes on, what it is a factor of costs `factor` times
/// as much.
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

/// The rates of one op; what each is is said above. Seconds, bytes, joules.
struct OpRates {
  /// An operation's name, or one of a family (`linalg.matmul.sum`), or `*.sum`
  /// for the others of a family, or `*` for all that are not listed.
  std::string name;
  double start = 0, point = 0, byte = 0;
  double scratch = 0, scratchPoint = 0;
  double energyPoint = 0, energyByte = 0;
  /// Points of the innermost axis that cost as much as one of them.
  int64_t lanes = 1;
  /// Factors of `point`, by ascending bytes of the panel.
  llvm::SmallVector<CostCliff, 2> panel;
  /// Per index of an axis; axes beyond the list cost nothing.
  llvm::SmallVector<double, 4> axes, scratchAxes;

  /// Reads `point = 1.0e-10, lanes = 8`, the part of a text after an op's name:
  /// `base` with these rates instead of its own. std::nullopt and `error` if it
  /// is wrong.
  static std::optional<OpRates> parse(llvm::StringRef text, OpRates base,
                                      ParseError &error);
  /// std::nullopt if all rates are finite and not negative, and so on, else
  /// what isn't.
  std::optional<std::string> verify() const;
  bool operator==(const OpRates &o) const;
};

/// What a block does: how long it is in each axis and what it touches.
struct BlockWork {
  llvm::SmallVector<int64_t, 6> extents;
  int64_t bytesIn = 0, bytesOut = 0;
  /// The axis along which results and operands have their elements side by
  /// side, if there is one.
  std::optional<unsigned> innermost;
  /// Of a column of what is summed over: an element for each step of the sum; 0
  /// where nothing is.
  int64_t columnBytes = 0;
  /// Elements from one step of such a column to the next, where they are read in
  /// vectors; 0 where they aren't.
  int64_t pitch = 0;
  /// `map`, `move`, `sum`, `chain`, or nothing.
  std::string family;
  /// What is done at each point: names of operations, and how often.
  std::vector<std::pair<std::string, int64_t>> steps;
};

/// What a block takes.
struct BlockCost {
  double seconds = 0, scratchBytes = 0, joules = 0;
  /// What is touched and scratch memory together.
  double workingSet = 0;
  /// The factor of the cliff.
  double cliff = 1;
  /// That of the panel's.
  double panelCliff = 1;

  /// std::nullopt if the parts are finite and not negative, else which one
  /// isn't: `seconds must be finite and not negative, got nan`.
  std::optional<std::string> verify() const;
};

/// Bytes of the panel of a block in vectors of so many lanes.
double getPanelBytes(const BlockWork &work, int64_t lanes);

/// A grid of ranks.
struct Network {
  bool isTorus = false;
  llvm::SmallVector<int64_t, 3> shape;
  double latency = 0, bandwidth = 0, overhead = 0, energy = 0;

  bool operator==(const Network &o) const;
  /// std::nullopt if it does not fit.
  std::optional<int64_t> getNumRanks() const;
  /// Links on a shortest way; std::nullopt if a rank is not on the grid.
  std::optional<int64_t> getHops(int64_t from, int64_t to) const;
};

struct MessageCost {
  double seconds = 0, joules = 0;
  int64_t hops = 0;
};

/// How `ranks` neighbours on a ring exchange `bytes` of each (of the whole
/// result for AllGather, of the whole operand for ReduceScatter and AllReduce):
/// the bytes that each sends, in how many steps.
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

/// A value; members are free to set, `verify` tells whether they fit.
struct CostModel {
  std::string machine;
  /// By ascending bytes.
  llvm::SmallVector<CostCliff, 4> cliffs;
  /// By ascending name.
  std::vector<OpRates> ops;
  std::optional<Network> network;

  /// Reads a text and verifies it; std::nullopt and `error` if it is wrong. `#`
  /// begins a comment that ends with its line.
  static std::optional<CostModel> parse(llvm::StringRef text,
                                        ParseError &error);
  /// std::nullopt if the members fit together, else what does not.
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

  /// std::nullopt and `error` for an op without rates, and negative extents or
  /// bytes.
  std::optional<BlockCost> getCost(llvm::StringRef op, const BlockWork &work,
                                   std::string &error) const;
  /// The same with rates that need not be listed.
  std::optional<BlockCost> getCost(const OpRates &rates, const BlockWork &work,
                                   std::string &error) const;
  /// std::nullopt and `error` without a network, for ranks that it lacks, and
  /// negative bytes. A message to itself is free.
  std::optional<MessageCost> getMessage(int64_t from, int64_t to, int64_t bytes,
                                        std::string &error) const;
  /// On a ring whose neighbours are `hops` links apart.
  std::optional<CollectiveCost> getCollective(Collective kind, int64_t ranks,
                                              int64_t bytes, int64_t hops,
                                              std::string &error) const;
};

//===----------------------------------------------------------------------===//
// Rates that fit what was measured
//
// From times of blocks to the rates of a cost model:
//
//   cliffs   bytes that stream through a working set of each size: what a byte
//            takes in each cache and past all of them
//   rates    of an op, from blocks of several shapes: start, point, byte, how
//            many lanes a vector has, and what a panel costs that is larger
//            than a cache
//
// A fit is judged by factors: how many times a block takes as long as the model
// says, or the other way round. No rate is negative.
//===----------------------------------------------------------------------===//

/// A run that was measured.
struct CostSample {
  double points = 0, bytes = 0, seconds = 0;
};

/// The rates start, point and byte that fit samples best (least squares of the
/// relative error), none of them negative. std::nullopt and `error` without
/// samples of positive time.
std::optional<OpRates> fitRates(llvm::StringRef op,
                                llvm::ArrayRef<CostSample> samples,
                                std::string &error);

/// A block that was measured.
struct BlockSample {
  BlockWork work;
  double seconds = 0;
  /// Memory besides what the op touches.
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

/// Of factors in any order; those below 1 count as their inverse.
FitQuality getQuality(llvm::ArrayRef<double> factors);

struct FitOptions {
  /// Of the model that the rates go to.
  llvm::ArrayRef<CostCliff> cliffs;
  /// Sizes past which a panel may cost more.
  llvm::ArrayRef<int64_t> caches;
  /// How many lanes are tried.
  llvm::ArrayRef<int64_t> lanes;
};

struct OpFit {
  OpRates rates;
  FitQuality quality;
};

/// The rates of an op that fit blocks best: least squares of the logarithms'
/// differences, blocks far off counting less. Scratch memory is fitted by a
/// constant and bytes per point. std::nullopt and `error` as fitRates, and for
/// blocks that no cost can be asked of.
std::optional<OpFit> fitBlocks(llvm::StringRef op,
                               llvm::ArrayRef<BlockSample> samples,
                               const FitOptions &options, std::string &error);

/// Bytes that went through a working set of so many.
struct StreamSample {
  double workingSet = 0, bytes = 0, seconds = 0;
};

struct StreamFit {
  double start = 0, byte = 0;
  /// At the caches, factors of `byte` that don't fall.
  llvm::SmallVector<CostCliff, 4> cliffs;
};

/// What a byte takes within the first of the ascending `caches`, and how much
/// more it costs past each: medians. A size without samples costs as much as
/// the one before. std::nullopt and `error` without samples within the first.
std::optional<StreamFit> fitStreams(llvm::ArrayRef<StreamSample> samples,
                                    llvm::ArrayRef<int64_t> caches,
                                    std::string &error);

//===----------------------------------------------------------------------===//
// Measured costs and the file they are kept in
//
// What a calibration found, as a text: a cost model under
// comments that say of which machine it is and how well it fits. It reads as a
// model wherever one is read.
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
// The file of a machine is, in this order:
//
//   1. what is asked for;
//   2. $TENSORACCESS_CALIBRATION;
//   3. $XDG_CACHE_HOME/tensoraccess/calibration-NAME.txt;
//   4. $HOME/.cache/tensoraccess/calibration-NAME.txt.
//===----------------------------------------------------------------------===//

struct Calibration {
  Machine machine;
  CostModel model;
  /// How well rates fit, by the name of an op; as text.
  std::vector<std::pair<std::string, std::string>> fits;

  /// Reads a text; std::nullopt and `error` if it is wrong, or no calibration.
  static std::optional<Calibration> parse(llvm::StringRef text,
                                          ParseError &error);
  std::string str() const;

  /// Replaces or adds what is said of an op's fit.
  void setFit(llvm::StringRef op, llvm::StringRef text);
};

/// Where a machine's calibration is kept. Fails if nothing says a folder.
llvm::Expected<std::string> getCalibrationPath(const Machine &machine,
                                               llvm::StringRef given = "");

/// std::nullopt if there is no such file. Fails with `FILE:LINE:COLUMN: …` if
/// it is not a calibration, and if it can't be read.
llvm::Expected<std::optional<Calibration>>
readCalibration(llvm::StringRef path);

/// Writes all of it or nothing; makes the folder.
llvm::Error writeCalibration(llvm::StringRef path,
                             const Calibration &calibration);

/// The costs of this machine as they were measured. Fails if there are none,
/// where they are another machine's, and where they can't be read.
llvm::Expected<CostModel> loadCalibratedCosts(llvm::StringRef given = "");

/// `3:14`: the line and column of a byte of a text, both from 1.
std::string getLineAndColumn(llvm::StringRef text, size_t offset);

//===----------------------------------------------------------------------===//
// What an exchange takes, unlisted
//
// A planner asks thousands of times what an exchange would cost, for thousands
// of ranks, and needs no list of messages. Boxes that come of cuts are products
// of intervals, each of which depends on few coordinates of the rank:
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
/// coordinates on `axes` make.
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

/// What an exchange takes: maxima are over ranks.
struct ExchangeCost {
  uint64_t bytes = 0;    ///< sent by all
  uint64_t messages = 0; ///< sent by all
  uint64_t maxBytesIn = 0, maxBytesOut = 0;
  int64_t longestWay = 0; ///< steps on the grid
  double seconds = 0;
};

/// What each rank sends, and how far it goes.
struct ExchangeByRank {
  std::vector<uint64_t> bytesOut, messagesOut;
  /// Σ over messages of bytes times steps.
  double byteSteps = 0;
};

/// The cost of `getExchange(grid, owned, extents, needed)` with elements of
/// `elementBytes`: the longest of the ranks' times for what it sends and for
/// what it receives, overhead·messages + bytes/bandwidth, and latency·steps of
/// the longest way. The network's rates count; its shape is the grid's. Boxes
/// outside of the tensor are cut off. std::nullopt if 2^63 bytes don't do. With
/// `byRank` also what each rank has to do with it.
std::optional<ExchangeCost>
getExchangeCost(const Grid &grid, const Distribution &owned,
                llvm::ArrayRef<int64_t> extents, const FactoredBoxes &needed,
                int64_t elementBytes, const Network &network,
                ExchangeByRank *byRank = nullptr);

//===----------------------------------------------------------------------===//
// Choices that cost least together
//===----------------------------------------------------------------------===//

/// A function of some variables' values, the last of which changes fastest.
/// Variables of one value are in no scope.
template <typename Cost>
struct CostTable {
  llvm::SmallVector<unsigned, 4> scope;
  std::vector<Cost> costs;
};

/// A choice for each variable of a graph.
struct CostSolution {
  llvm::SmallVector<unsigned> values;
  /// What the choice costs; kForbidden if every choice is forbidden.
  int64_t cost = 0;
  /// No choice costs less than this. Equal to `cost` iff the answer is known to
  /// be least.
  int64_t lowerBound = 0;
  /// Variables of the largest table that was built, the eliminated one
  /// included.
  unsigned width = 0;

  bool isExact() const { return cost == lowerBound; }
};

class CostGraph {
public:
  /// The cost of what must not be; sums saturate here.
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

  /// The least choice, as described above. Deterministic: of equals, the one
  /// with smaller values in the order of elimination. Time and memory grow
  /// with `maxEntries` times the number of tables.
  CostSolution solve(int64_t maxEntries = int64_t(1) << 20) const;

private:
  int64_t improve(CostSolution &solution) const;

  llvm::SmallVector<unsigned> sizes;
  std::vector<CostTable<int64_t>> tables;
};

//===----------------------------------------------------------------------===//
// Choices that cost in pairs
//
// A plan picks one of several candidates for each of many parts of a program.
// A candidate has a cost of its own, and two parts that exchange data have a
// cost for each pair of their candidates. What one part makes for several
// others is sent once to those that need the same of it. Find the choice that
// costs least.
//
// *Variable elimination* is exact: the part whose neighbours have the fewest
// combinations of candidates is taken out, its best candidate for each of these
// combinations kept in a table, and the table is one cost more among the
// neighbours. A chain takes Σ k² steps, one with residual joins Σ k³. Where a
// table would have too many entries, there is no answer that way.
//
// Values that many parts need join them all in one table. Where that is too
// much, pairs bound such a cost from both sides (each pays for itself; each
// pays its share of all), and what both find is improved step by step.
//===----------------------------------------------------------------------===//

/// Entries of all tables together, at most.
inline constexpr uint64_t kPlanTableBudget = 1u << 27;

/// A value; members are free to set, `verify` tells whether they fit.
struct PlanProblem {
  struct Edge {
    size_t from = 0, to = 0;
    /// [candidate of `from`][candidate of `to`], row-major.
    std::vector<double> costs;
  };
  /// A value that several parts need something of: each different want costs
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

    /// What a choice costs of it.
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
  /// What a choice costs.
  double getCost(const std::vector<size_t> &choice) const;
};

/// The choice of least cost, by variable elimination; of several the first in
/// the order in which they are eliminated. std::nullopt if tables would have
/// more entries than the budget. Requires that the problem verifies.
std::optional<std::vector<size_t>>
solveByElimination(const PlanProblem &problem,
                   uint64_t budget = kPlanTableBudget);

/// A choice that no change of a single part makes cheaper, from `choice` on, or
/// from the best candidates by themselves.
std::vector<size_t> solveByDescent(const PlanProblem &problem,
                                   std::vector<size_t> choice = {});

/// A choice, and what none costs less than.
struct PlanBounds {
  std::vector<size_t> choice;
  double bound = 0;
};

/// By elimination of the problem in which shared values cost pairs, from below,
/// from above, and as in the best choice so far. std::nullopt if tables would
/// have more entries than the budget.
std::optional<PlanBounds> solveByPairs(const PlanProblem &problem,
                                       uint64_t budget = kPlanTableBudget);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_COST_COST_H
