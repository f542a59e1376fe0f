//===- BlockCost.h - What blocks and messages cost --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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
//       one step of the column to the next: a cache puts what lies powers of two
//       apart into few places
//   k   operations in the body of the op that are listed themselves: `math.exp`
//       adds its `point` for each point, and its `energy_point`
//
// Ops come in families: `map` (all loops are parallel, elements side by side),
// `move` (others: transposes, copies), `sum` (reductions with an innermost axis
// that is not summed over), `chain` (others: each result is a chain of sums).
// The first that is listed counts of `linalg.matmul.sum`, `linalg.matmul`,
// `*.sum`, `*`. A message of b bytes over h hops takes overhead + h·latency + b
// / bandwidth seconds and energy·b·h joules; ranks stand on the grid in
// row-major order, and on a torus each dimension is a circle.
//
// Seed 003, "incremental block memory and execution costs": rates per point and
// per dimension, overridable for an operation; costs that are not linear.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CORE_BLOCKCOST_H
#define TENSORACCESS_CORE_BLOCKCOST_H

#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

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
  /// `base` with these rates instead of its own. None and `error` if it is
  /// wrong.
  static std::optional<OpRates> parse(llvm::StringRef text, OpRates base,
                                      ParseError &error);
  /// None if all rates are finite and not negative, and so on, else what isn't.
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

  /// None if the parts are finite and not negative, else which one isn't:
  /// `seconds must be finite and not negative, got nan`.
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
  /// None if it does not fit.
  std::optional<int64_t> getNumRanks() const;
  /// Links on a shortest way; none where a rank is not on the grid.
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

  /// Reads a text and verifies it; none and `error` if it is wrong. `#` begins
  /// a comment that ends with its line.
  static std::optional<CostModel> parse(llvm::StringRef text,
                                        ParseError &error);
  /// None if the members fit together, else what does not.
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

  /// None and `error` for an op without rates, and negative extents or bytes.
  std::optional<BlockCost> getCost(llvm::StringRef op, const BlockWork &work,
                                   std::string &error) const;
  /// The same with rates that need not be listed.
  std::optional<BlockCost> getCost(const OpRates &rates, const BlockWork &work,
                                   std::string &error) const;
  /// None and `error` without a network, for ranks that it has not, and
  /// negative bytes. A message to itself is free.
  std::optional<MessageCost> getMessage(int64_t from, int64_t to, int64_t bytes,
                                        std::string &error) const;
  /// On a ring whose neighbours are `hops` links apart.
  std::optional<CollectiveCost> getCollective(Collective kind, int64_t ranks,
                                              int64_t bytes, int64_t hops,
                                              std::string &error) const;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CORE_BLOCKCOST_H
