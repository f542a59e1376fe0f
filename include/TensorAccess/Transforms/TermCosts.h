//===- TermCosts.h - What terms cost, by name -------------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *cost* gives each node of a graph of terms a number. Extraction adds up the
// numbers of what it chooses. Costs have names, under which passes find them,
// and what they know of the machine is a target (Core/Target.h), nothing else.
//
//   node-count  1
//   flops       steps of arithmetic
//   bytes       bytes that are read and written
//   cycles      cycles of the target, its arrays, and its memory
//
// A cost of one's own takes ten lines:
//
//   static double countProducts(const TermGraph &graph, NodeId node) {
//     SymbolId symbol = graph.getTable().getSymbol(node);
//     return graph.isOperation(symbol) &&
//            graph.getName(symbol).getStringRef() == "arith.muli";
//   }
//   registerTermCost("products", "products of integers",
//                    [](const Target &) { return TermCost(countProducts); });
//
// An infinite cost is never chosen. Any other that is no number of at least 0
// is reported with the op that it is of, and nothing is lost (Extraction.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TRANSFORMS_TERMCOSTS_H
#define TENSORACCESS_TRANSFORMS_TERMCOSTS_H

#include "TensorAccess/Core/Target.h"
#include "TensorAccess/EGraph/TermGraph.h"

#include <functional>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// The cost of a node that is an operation or a theory's, which is added up;
/// infinite is never. Results and leaves cost nothing.
using TermCost = std::function<double(const TermGraph &, NodeId)>;

/// Makes a cost for a machine. What it needs of the target it copies.
using TermCostFactory = std::function<TermCost(const Target &)>;

/// What a user may want to know.
struct TermCostInfo {
  std::string name;
  /// A phrase.
  std::string summary;
};

/// Gives a cost a name, for the process. False, and nothing is done, where the
/// name is taken or empty, or there is no factory. Thread-safe.
bool registerTermCost(StringRef name, StringRef summary,
                      TermCostFactory factory);
/// All costs, by name.
std::vector<TermCostInfo> getTermCosts();
/// The cost of that name for a machine, or null.
TermCost findTermCost(StringRef name, const Target &target);
/// `unknown cost 'x'; known are bytes, cycles, …`
std::string describeUnknownCost(StringRef name);

/// 1.
double countNode(const TermGraph &graph, NodeId node);

/// What a node does, by static shapes. Sizes that are not known count as 1.
struct TermWork {
  /// Steps of arithmetic, a sum that takes a product being one with it.
  double steps = 0;
  /// What is read and written, of a tensor with a layout as it stores it.
  double bytes = 0;
  /// Of `bytes`, those that are read of access patterns.
  double patternBytes = 0;
  /// Bits of an element of the largest result, 0 without one.
  unsigned elementBits = 0;
};
TermWork getTermWork(const TermGraph &graph, NodeId node);

/// Steps, and 2^-20 for each byte.
double countFlops(const TermGraph &graph, NodeId node);

/// Bytes, and 2^-24 for each step.
double countMovedBytes(const TermGraph &graph, NodeId node);

/// Cycles of a target:
///
///   array   `systolic_array` of a size that the target has: the cycles of
///           Systolic.h, with its fill, drain, loads and accumulators, times
///           the unit's slowness; or, if that is more, its operands and results
///           once through memory. And what realising an operand takes that is
///           no matrix in memory (im2col): the bytes of the view beyond those
///           of what it views;
///   host    anything else: its steps, a vector in a cycle; or, if that is
///           more, its tensors through memory, and patterns out of a cache that
///           is `memory_cost` times as fast. `materialize` is such a copy;
///   moving  an op or a view that only says where elements are: 2^-10 an op.
TermCost makeCycleCost(const Target &target);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_TRANSFORMS_TERMCOSTS_H
