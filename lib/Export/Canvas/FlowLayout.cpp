//===- FlowLayout.cpp - Where the cards of a data flow stand --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layered layout after Sugiyama, Tagawa and Toda (1981):
//
//   1. Sinks have a rank one more than the greatest rank among their sources;
//      any other node stands right before its first user.
//   2. An edge over several ranks gets a bend in each rank between, which takes
//      room there like a node does, so that it passes beside the cards.
//   3. Within a rank, nodes are sorted by the mean place of their neighbours, a
//      few sweeps down and up.
//   4. Ranks follow each other along the flow; in a rank the nodes are stacked
//      and centred.
//   5. An edge leaves the middle of its source's far side and arrives at a port
//      of its target's near side; one port for each edge.
//
//===----------------------------------------------------------------------===//

#include "FlowLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir::tensoraccess;

namespace {

constexpr int kRankGap = 44, kNodeGap = 22, kSweeps = 4;

/// A node or a bend, in coordinates along and across the flow.
struct Item {
  int extent = 0, breadth = 0;
  int along = 0, across = 0;
  size_t rank = 0, place = 0;
  llvm::SmallVector<size_t> before, after;
};

class Placement {
public:
  Placement(FlowLayout &layout, bool rightward)
      : layout(layout), rightward(rightward) {}

  void run() {
    rankNodes();
    bendLongEdges();
    sortRanks();
    assignCoordinates();
    writeBack();
  }

private:
  void rankNodes();
  void bendLongEdges();
  void sortRanks();
  void sortByNeighbours(size_t rank, bool before);
  void assignCoordinates();
  void writeBack();
  std::string route(llvm::ArrayRef<size_t> chain, size_t port,
                    size_t ports) const;
  void append(std::string &path, const char *command, int along,
              int across) const;

  FlowLayout &layout;
  bool rightward;
  std::vector<Item> items;
  /// For each edge the items it passes, source and target included.
  std::vector<llvm::SmallVector<size_t>> chains;
  std::vector<std::vector<size_t>> ranks;
  std::vector<int> rankBegin, rankEnd;
};

} // namespace

void Placement::rankNodes() {
  for (const FlowNode &node : layout.nodes) {
    Item item;
    item.extent = rightward ? node.width : node.height;
    item.breadth = rightward ? node.height : node.width;
    items.push_back(item);
  }
  // Edges by target, so that the ranks of sources are final.
  std::vector<std::pair<size_t, size_t>> edges;
  for (const FlowEdge &edge : layout.edges)
    edges.push_back({edge.to, edge.from});
  llvm::sort(edges);
  for (auto [to, from] : edges)
    items[to].rank = std::max(items[to].rank, items[from].rank + 1);
  // Then each node moves to its first user, the last ones first.
  std::vector<size_t> firstUse(items.size(), SIZE_MAX);
  for (auto [to, from] : llvm::reverse(edges)) {
    if (firstUse[to] != SIZE_MAX)
      items[to].rank = firstUse[to] - 1;
    firstUse[from] = std::min(firstUse[from], items[to].rank);
  }
  for (auto [item, use] : llvm::zip(items, firstUse))
    if (use != SIZE_MAX)
      item.rank = use - 1;
}

void Placement::bendLongEdges() {
  for (const FlowEdge &edge : layout.edges) {
    llvm::SmallVector<size_t> chain{edge.from};
    for (size_t rank = items[edge.from].rank + 1; rank < items[edge.to].rank;
         ++rank) {
      Item bend;
      bend.rank = rank;
      chain.push_back(items.size());
      items.push_back(bend);
    }
    chain.push_back(edge.to);
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      items[chain[i]].after.push_back(chain[i + 1]);
      items[chain[i + 1]].before.push_back(chain[i]);
    }
    chains.push_back(std::move(chain));
  }
}

void Placement::sortByNeighbours(size_t rank, bool before) {
  std::vector<size_t> &members = ranks[rank];
  std::vector<std::tuple<int64_t, size_t, size_t>> keyed;
  for (size_t member : members) {
    const auto &neighbours =
        before ? items[member].before : items[member].after;
    int64_t key = items[member].place * 1000;
    if (!neighbours.empty()) {
      key = 0;
      for (size_t neighbour : neighbours)
        key += items[neighbour].place * 1000;
      key /= neighbours.size();
    }
    keyed.push_back({key, items[member].place, member});
  }
  llvm::sort(keyed);
  for (auto [place, entry] : llvm::enumerate(keyed)) {
    members[place] = std::get<2>(entry);
    items[members[place]].place = place;
  }
}

void Placement::sortRanks() {
  for (size_t i = 0; i < items.size(); ++i) {
    if (ranks.size() <= items[i].rank)
      ranks.resize(items[i].rank + 1);
    items[i].place = ranks[items[i].rank].size();
    ranks[items[i].rank].push_back(i);
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (size_t rank = 1; rank < ranks.size(); ++rank)
      sortByNeighbours(rank, /*before=*/true);
    for (size_t rank = ranks.size(); rank-- > 1;)
      sortByNeighbours(rank - 1, /*before=*/false);
  }
}

void Placement::assignCoordinates() {
  std::vector<int> breadths;
  int along = 0, widest = 0;
  for (const std::vector<size_t> &members : ranks) {
    int extent = 0, breadth = -kNodeGap;
    for (size_t member : members) {
      extent = std::max(extent, items[member].extent);
      breadth += items[member].breadth + kNodeGap;
    }
    rankBegin.push_back(along);
    rankEnd.push_back(along + extent);
    breadths.push_back(breadth);
    along += extent + kRankGap;
    widest = std::max(widest, breadth);
  }
  for (auto [rank, members] : llvm::enumerate(ranks)) {
    int across = (widest - breadths[rank]) / 2;
    for (size_t member : members) {
      Item &item = items[member];
      item.along = rankBegin[rank];
      // Side by side, all cards of a rank are as wide as the widest.
      if (rightward)
        item.extent = rankEnd[rank] - rankBegin[rank];
      item.across = across;
      across += item.breadth + kNodeGap;
    }
  }
  int length = along - kRankGap;
  layout.width = rightward ? length : widest;
  layout.height = rightward ? widest : length;
}

void Placement::append(std::string &path, const char *command, int along,
                       int across) const {
  if (!rightward)
    std::swap(along, across);
  path += command;
  path += (llvm::Twine(along) + " " + llvm::Twine(across)).str();
}

/// Straight through ranks, curved through the gaps between them.
std::string Placement::route(llvm::ArrayRef<size_t> chain, size_t port,
                             size_t ports) const {
  std::string path;
  const Item &source = items[chain.front()], &target = items[chain.back()];
  int across = source.across + source.breadth / 2;
  append(path, "M", source.along + source.extent, across);
  append(path, "L", rankEnd[source.rank], across);
  for (size_t i = 1; i < chain.size(); ++i) {
    const Item &item = items[chain[i]];
    bool last = i + 1 == chain.size();
    int begin = rankEnd[item.rank - 1], end = rankBegin[item.rank];
    int next = last ? target.across + static_cast<int>(target.breadth *
                                                       (port + 1) / (ports + 1))
                    : item.across;
    int middle = (begin + end) / 2;
    append(path, "C", middle, across);
    append(path, " ", middle, next);
    append(path, " ", end, next);
    // An arrow's direction is that of what comes last.
    if (!last)
      append(path, "L", rankEnd[item.rank], next);
    across = next;
  }
  return path;
}

void Placement::writeBack() {
  for (size_t i = 0; i < layout.nodes.size(); ++i) {
    layout.nodes[i].x = rightward ? items[i].along : items[i].across;
    layout.nodes[i].y = rightward ? items[i].across : items[i].along;
    if (rightward)
      layout.nodes[i].width = items[i].extent;
  }
  // Ports in the order in which the edges come in, so that they don't cross.
  for (size_t node = 0; node < layout.nodes.size(); ++node) {
    std::vector<std::pair<size_t, size_t>> incoming;
    for (auto [edge, chain] : llvm::enumerate(chains))
      if (chain.back() == node)
        incoming.push_back({items[chain[chain.size() - 2]].place, edge});
    llvm::sort(incoming);
    for (auto [port, entry] : llvm::enumerate(incoming))
      layout.edges[entry.second].path =
          route(chains[entry.second], port, incoming.size());
  }
}

void FlowLayout::place(int maxWidth) {
  std::vector<FlowNode> given = nodes;
  Placement(*this, /*rightward=*/true).run();
  if (width <= maxWidth)
    return;
  nodes = given;
  Placement(*this, /*rightward=*/false).run();
}
