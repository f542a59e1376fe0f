//===- FlowLayout.h - Where the cards of a data flow stand ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places the nodes of an acyclic graph in ranks along the flow, none over
// another, and routes every edge through the space between. See FlowLayout.cpp
// for the steps.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EXPORT_FLOWLAYOUT_H
#define TENSORACCESS_LIB_EXPORT_FLOWLAYOUT_H

#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace mlir::tensoraccess {

/// A card: its size is given, its place is found. Pixels.
struct FlowNode {
  int width = 0, height = 0;
  int x = 0, y = 0;
};

/// An edge from a node to a later one; `path` is SVG path data, found.
struct FlowEdge {
  size_t from = 0, to = 0;
  std::string path;
};

/// Nodes stand in topological order: edges go from lower to higher numbers.
struct FlowLayout {
  std::vector<FlowNode> nodes;
  std::vector<FlowEdge> edges;
  /// What everything takes, found.
  int width = 0, height = 0;

  /// Places all. The flow goes to the right where that takes at most
  /// `maxWidth` pixels, else down.
  void place(int maxWidth);
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EXPORT_FLOWLAYOUT_H
