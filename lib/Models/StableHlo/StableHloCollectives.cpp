//===- StableHloCollectives.cpp - Operands of other replicas --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// n replicas, those of one group, compute together. Each map goes with a replica
// map: the position, in the group, of the replica j whose operand is read. Where
// an index depends on which replica asks, its own position is a runtime variable
// without a source.
//
//   all_gather       result[j * size + x] = operand of j [x]
//   all_reduce       result[x] = sum over j of operand of j [x]
//   reduce_scatter   result[x] = sum over j of operand of j [own * size + x]
//   all_to_all       result[j * size + x, y] = operand of j [x, own * part + y]
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

/// Replicas per group; kDynamic if the op leaves it to the whole program.
static int64_t getGroupSize(const HloOp &op) {
  auto groups = op.signature.get<DenseIntElementsAttr>("replica_groups");
  if (!groups || groups.getType().getRank() != 2 ||
      groups.getNumElements() == 0)
    return ShapedType::kDynamic;
  return groups.getType().getShape()[1];
}

/// The size of `shape` in dimension `dim`, times or divided by a whole number,
/// is that of `other`; all others are equal. None, or that number.
static std::optional<int64_t> getFactor(ArrayRef<int64_t> small,
                                        ArrayRef<int64_t> large,
                                        std::optional<int64_t> dim) {
  if (!dim || small.size() != large.size() || *dim >= int64_t(small.size()))
    return std::nullopt;
  for (int64_t i = 0; i < int64_t(small.size()); ++i)
    if (i != *dim && small[i] != large[i])
      return std::nullopt;
  if (small[*dim] == 0)
    return large[*dim] == 0 ? std::optional<int64_t>(1) : std::nullopt;
  if (large[*dim] % small[*dim] != 0)
    return std::nullopt;
  return large[*dim] / small[*dim];
}

/// Whether the groups, if they are listed, have this many replicas.
static bool agrees(const HloOp &op, int64_t groupSize) {
  int64_t listed = getGroupSize(op);
  return ShapedType::isDynamic(listed) || listed == groupSize;
}

namespace {

/// An operand and the result that is made of it.
struct Exchange {
  /// What moves as a whole: an index x of it, of replica j.
  SmallVector<int64_t> part;
  /// The number of j; none if only one replica is read.
  std::optional<int64_t> replicas;
  /// The range of the own position, or of the only replica that is read.
  std::optional<Interval> own;
  /// The dimension in which part j follows part j - 1 in the result, and in
  /// which the own part does so in the operand.
  std::optional<int64_t> resultDim, operandDim;
};

} // namespace

/// As many results as operands, at least one; none if one of them has none.
static std::optional<Nest>
makeExchanges(HloOp &op, StringRef groups,
              function_ref<std::optional<Exchange>(unsigned)> get) {
  if (op.out.size() != op.in.size() || !op.isStatic())
    return std::nullopt;
  SmallVector<Exchange> exchanges;
  SizeList extents;
  for (unsigned i = 0; i < op.out.size(); ++i) {
    std::optional<Exchange> exchange = get(i);
    if (!exchange)
      return std::nullopt;
    for (int64_t size : exchange->part)
      extents.push_back(Form(size));
    if (exchange->replicas)
      extents.push_back(Form(*exchange->replicas));
    exchanges.push_back(std::move(*exchange));
  }
  Nest nest = op.makeNest(extents);
  SmallVector<Form> owns;
  for (const Exchange &exchange : exchanges)
    owns.push_back(!exchange.own ? Form(0)
                   : exchange.own->isPoint() && !exchange.replicas
                       ? Form(exchange.own->lower)
                       : nest.addValue(*exchange.own));
  size_t next = 0;
  for (auto [i, exchange] : llvm::enumerate(exchanges)) {
    ArrayRef<Form> x = nest.getAxes().slice(next, exchange.part.size());
    next += exchange.part.size();
    Form replica = exchange.replicas ? nest[next++] : owns[i];
    SmallVector<Form> result(x), operand(x);
    if (auto dim = exchange.resultDim)
      result[*dim] =
          nest.arena().addScaled(x[*dim], replica, exchange.part[*dim]);
    if (auto dim = exchange.operandDim)
      operand[*dim] =
          nest.arena().addScaled(x[*dim], owns[i], exchange.part[*dim]);
    nest.write(i, result);
    NestRead &read = nest.read(i, operand);
    read.write = i;
    read.replica = std::move(replica);
    read.groups = op.attribute(groups);
  }
  return nest;
}

static std::optional<Nest> buildAllGather(HloOp &op) {
  auto dim = op.index("all_gather_dim");
  return makeExchanges(
      op, "replica_groups", [&](unsigned i) -> std::optional<Exchange> {
        auto n = getFactor(op.inShape(i), op.outShape(i), dim);
        if (!n || !agrees(op, *n))
          return std::nullopt;
        return Exchange{op.inShape(i), *n, std::nullopt, dim, std::nullopt};
      });
}

static std::optional<Nest> buildAllReduce(HloOp &op) {
  if (!op.equatePairs())
    return std::nullopt;
  return makeExchanges(op, "replica_groups",
                       [&](unsigned i) -> std::optional<Exchange> {
                         return Exchange{op.inShape(i), getGroupSize(op)};
                       });
}

static std::optional<Nest> buildReduceScatter(HloOp &op) {
  auto dim = op.index("scatter_dimension");
  return makeExchanges(
      op, "replica_groups", [&](unsigned i) -> std::optional<Exchange> {
        auto n = getFactor(op.outShape(i), op.inShape(i), dim);
        if (!n || !agrees(op, *n))
          return std::nullopt;
        return Exchange{op.outShape(i), *n, Interval::ofExtent(*n),
                        std::nullopt, dim};
      });
}

static std::optional<Nest> buildAllToAll(HloOp &op) {
  auto split = op.index("split_dimension"),
       concat = op.index("concat_dimension");
  auto n = op.index("split_count");
  return makeExchanges(
      op, "replica_groups", [&](unsigned i) -> std::optional<Exchange> {
        const int64_t rank = op.inShape(i).size();
        if (!split || !concat || !n || *n == 0 || *split >= rank ||
            *concat >= rank || op.inShape(i)[*split] % *n != 0 ||
            !agrees(op, *n))
          return std::nullopt;
        SmallVector<int64_t> part = op.inShape(i);
        part[*split] /= *n;
        SmallVector<int64_t> expected = part;
        auto whole = checkedMul(part[*concat], *n);
        if (!whole)
          return std::nullopt;
        expected[*concat] = *whole;
        if (expected != op.outShape(i))
          return std::nullopt;
        return Exchange{part, *n, Interval::ofExtent(*n), concat, split};
      });
}

/// The operand of the first replica of a group.
static std::optional<Nest> buildCollectiveBroadcast(HloOp &op) {
  if (!op.equatePairs())
    return std::nullopt;
  return makeExchanges(op, "replica_groups",
                       [&](unsigned i) -> std::optional<Exchange> {
                         return Exchange{op.inShape(i)};
                       });
}

/// Pairs (source, target): which source, the own position tells.
static std::optional<Nest> buildCollectivePermute(HloOp &op) {
  auto pairs = op.integers("source_target_pairs");
  if (!pairs || pairs->size() % 2 != 0 || !op.equatePairs())
    return std::nullopt;
  if (pairs->empty() && op.in.size() == op.out.size())
    return Nest(op.signature.nothingRead());
  std::optional<Interval> sources;
  for (size_t k = 0; k < pairs->size(); k += 2) {
    Interval source = Interval::point((*pairs)[k]);
    sources = sources ? sources->hull(source) : source;
  }
  return makeExchanges(op, "source_target_pairs",
                       [&](unsigned i) -> std::optional<Exchange> {
                         return Exchange{op.inShape(i), std::nullopt, sources};
                       });
}

void tensoraccess::registerHloCollectives(HloRegister add) {
  add("all_gather", buildAllGather);
  for (StringRef name : {"all_reduce", "cross-replica-sum"})
    add(name, buildAllReduce);
  add("reduce_scatter", buildReduceScatter);
  add("all_to_all", buildAllToAll);
  add("collective_broadcast", buildCollectiveBroadcast);
  add("collective_permute", buildCollectivePermute);
}
