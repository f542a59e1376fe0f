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
#include "mlir/IR/BuiltinTypes.h"

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

/// As many results as operands, at least one; each op calls `build` for each.
static bool forEachPair(const HloOp &op, function_ref<bool(unsigned)> build) {
  if (op.numOut() != op.numIn() || op.numOut() == 0)
    return false;
  for (unsigned i = 0; i < op.numOut(); ++i)
    if (!build(i))
      return false;
  return true;
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

static bool buildAllGather(const HloOp &op, OpIndexing &indexing) {
  auto dim = op.index("all_gather_dim");
  return forEachPair(op, [&](unsigned i) {
    auto n = getFactor(op.in[i], op.out[i], dim);
    if (!n || !agrees(op, *n))
      return false;
    HloNest nest;
    nest.result = nest.operand = nest.loops(op.in[i]);
    Form j = nest.loop(*n);
    nest.result[*dim] =
        nest.add(nest.operand[*dim], nest.scale(j, op.in[i][*dim]));
    nest.replica = j;
    nest.groups = op.attribute("replica_groups");
    nest.emit(op, indexing, i, i);
    return true;
  });
}

static bool buildAllReduce(const HloOp &op, OpIndexing &indexing) {
  return forEachPair(op, [&](unsigned i) {
    if (op.in[i] != op.out[i])
      return false;
    HloNest nest;
    nest.result = nest.operand = nest.loops(op.in[i]);
    nest.replica = nest.loop(getGroupSize(op));
    nest.groups = op.attribute("replica_groups");
    nest.emit(op, indexing, i, i);
    return true;
  });
}

static bool buildReduceScatter(const HloOp &op, OpIndexing &indexing) {
  auto dim = op.index("scatter_dimension");
  return forEachPair(op, [&](unsigned i) {
    auto n = getFactor(op.out[i], op.in[i], dim);
    if (!n || !agrees(op, *n))
      return false;
    HloNest nest;
    nest.result = nest.operand = nest.loops(op.out[i]);
    nest.replica = nest.loop(*n);
    Form own = nest.unknown(Interval::ofExtent(*n));
    nest.operand[*dim] =
        nest.add(nest.result[*dim], nest.scale(own, op.out[i][*dim]));
    nest.groups = op.attribute("replica_groups");
    nest.emit(op, indexing, i, i);
    return true;
  });
}

static bool buildAllToAll(const HloOp &op, OpIndexing &indexing) {
  auto split = op.index("split_dimension"),
       concat = op.index("concat_dimension");
  auto n = op.index("split_count");
  return forEachPair(op, [&](unsigned i) {
    int64_t rank = op.in[i].size();
    if (!split || !concat || !n || *n == 0 || *split >= rank ||
        *concat >= rank || op.in[i][*split] % *n != 0 || !agrees(op, *n))
      return false;
    SmallVector<int64_t> part = op.in[i];
    part[*split] /= *n;
    SmallVector<int64_t> expected = part;
    auto whole = checkedMul(part[*concat], *n);
    if (!whole)
      return false;
    expected[*concat] = *whole;
    if (expected != op.out[i])
      return false;
    HloNest nest;
    nest.result = nest.operand = nest.loops(part);
    Form j = nest.loop(*n);
    Form own = nest.unknown(Interval::ofExtent(*n));
    nest.operand[*split] =
        nest.add(nest.operand[*split], nest.scale(own, part[*split]));
    nest.result[*concat] =
        nest.add(nest.result[*concat], nest.scale(j, part[*concat]));
    nest.replica = j;
    nest.groups = op.attribute("replica_groups");
    nest.emit(op, indexing, i, i);
    return true;
  });
}

/// The first replica of the group gives its operand to all.
static bool buildCollectiveBroadcast(const HloOp &op, OpIndexing &indexing) {
  return forEachPair(op, [&](unsigned i) {
    if (op.in[i] != op.out[i])
      return false;
    HloNest nest;
    nest.result = nest.operand = nest.loops(op.in[i]);
    nest.replica = Form(0);
    nest.groups = op.attribute("replica_groups");
    nest.emit(op, indexing, i, i);
    return true;
  });
}

/// The target of a pair reads its source's operand; whoever is no target has
/// zeros. Positions are numbers of replicas here.
static bool buildCollectivePermute(const HloOp &op, OpIndexing &indexing) {
  auto pairs = op.integers("source_target_pairs");
  if (!pairs || pairs->size() % 2 != 0)
    return false;
  if (pairs->empty())
    return op.numIn() == op.numOut();
  Interval sources = Interval::point(pairs->front());
  for (size_t k = 0; k < pairs->size(); k += 2)
    sources = sources.hull(Interval::point((*pairs)[k]));
  return forEachPair(op, [&](unsigned i) {
    if (op.in[i] != op.out[i])
      return false;
    HloNest nest;
    nest.result = nest.operand = nest.loops(op.in[i]);
    nest.replica =
        sources.isPoint() ? Form(sources.lower) : nest.unknown(sources);
    nest.groups = op.attribute("source_target_pairs");
    nest.emit(op, indexing, i, i);
    return true;
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
