//===- Oracle.h - What an op reads, element by element ----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test states an op as MLIR text and what it reads as naive loops over all
// its elements, from the op's definition. Both directions of its indexing maps
// are then walked, point by point, and must be the same set of pairs; and so must
// the projection of its nest's loops, and of no nest that differs from it in one
// coefficient or offset. A structured op on tensors is checked on buffers, too.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_INDEXING_ORACLE_H
#define TENSORACCESS_TEST_INDEXING_ORACLE_H

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

namespace mlir::tensoraccess::test {

/// (index of the result, index of the operand)
using Pair = std::pair<Point, Point>;
/// The pairs of each operand of the first result.
using Reads = std::map<unsigned, std::set<Pair>>;

/// All index vectors of a shape, in order.
inline void forEach(ArrayRef<int64_t> shape,
                    llvm::function_ref<void(const Point &)> visit) {
  for (int64_t size : shape)
    if (size == 0)
      return;
  Point index(shape.size());
  for (;;) {
    visit(index);
    size_t i = shape.size();
    while (i > 0 && ++index[i - 1] == shape[i - 1])
      index[--i] = 0;
    if (i == 0)
      return;
  }
}

class OracleTest : public ::testing::Test {
protected:
  OracleTest() {
    DialectRegistry registry;
    registerEverything(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<TensorAccessDialect>();
    context.allowUnregisteredDialects();
  }

  /// Parses a function (its text without `func.func @f`), and returns the op
  /// with the attribute `check`, or null.
  Operation *parse(StringRef text) {
    std::string source = ("func.func @f" + text).str();
    module = parseSourceString<ModuleOp>(source, &context);
    Operation *found = nullptr;
    if (module)
      module->walk([&](Operation *op) {
        if (op->hasAttr("check"))
          found = op;
      });
    if (!found)
      ADD_FAILURE() << "no op to check in " << source;
    return found;
  }

  /// The pairs that a set of maps stands for; `fromFirst` if its dims come
  /// first in the pairs.
  static std::set<Pair> walk(const IndexingSet &set, bool fromFirst) {
    std::set<Pair> pairs;
    EXPECT_FALSE(set.isUnknown()) << set.str();
    for (const IndexingMap &map : set.getMaps()) {
      EXPECT_EQ(map.getNumRuntime(), 0u) << map.str();
      if (map.isKnownEmpty())
        continue;
      EnumerateStatus status = enumerate(
          map, [&](ArrayRef<int64_t> variables, ArrayRef<int64_t> results) {
            Point from(variables.begin(), variables.begin() + map.getNumDims());
            Point to(results.begin(), results.end());
            pairs.insert(fromFirst ? Pair(from, to) : Pair(to, from));
            return true;
          });
      EXPECT_EQ(status, EnumerateStatus::Ok) << map.str();
    }
    return pairs;
  }

  /// Checks the first result of the op against what it reads.
  void check(StringRef text, Reads reads) {
    Operation *op = parse(text);
    if (!op)
      return;
    OpIndexing indexing = getIndexing(op);
    ASSERT_EQ(indexing.getNumOperands(), op->getNumOperands());
    for (unsigned o = 0; o < op->getNumOperands(); ++o) {
      EXPECT_EQ(walk(indexing.outputToInput(0, o), true), reads[o])
          << "output to input " << o << ":\n"
          << indexing.outputToInput(0, o).str();
      EXPECT_EQ(walk(indexing.inputToOutput(o, 0), false), reads[o])
          << "input " << o << " to output:\n"
          << indexing.inputToOutput(o, 0).str();
    }
    auto walkMaps = [](const IndexingSet &set) { return walk(set, true); };
    checkNest(op, 0, reads, walkMaps);
    if (Operation *onBuffers = cloneOnBuffers(op)) {
      NestRef nest = getNest(OpSignature(onBuffers));
      ASSERT_TRUE(nest->hasLoops());
      expectSameLoops(*getNest(OpSignature(op)), *nest);
      EXPECT_EQ(getIndexing(onBuffers).getNumResults(), 0u);
      checkNest(onBuffers, 0, reads, walkMaps);
    }
  }

  /// A structured op with buffers of the same shapes in place of its tensors, right
  /// before it; null for other ops.
  static Operation *cloneOnBuffers(Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (!structured || !structured.hasPureTensorSemantics() ||
        op->getNumResults() == 0)
      return nullptr;
    OpBuilder b(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      auto tensor = dyn_cast<RankedTensorType>(operand.getType());
      operands.push_back(tensor ? UnrealizedConversionCastOp::create(
                                      b, op->getLoc(),
                                      MemRefType::get(tensor.getShape(),
                                                      tensor.getElementType()),
                                      operand)
                                      .getResult(0)
                                : operand);
    }
    return mlir::clone(b, op, /*resultTypes=*/TypeRange(), operands);
  }

  /// The same op on tensors and on buffers: all but what is written is the same.
  static void expectSameLoops(const Nest &tensors, const Nest &buffers) {
    EXPECT_EQ(tensors.body, buffers.body);
    EXPECT_TRUE(tensors.getDestinations().empty());
    ASSERT_EQ(buffers.getDestinations().size(), tensors.getResults().size());
    ASSERT_EQ(tensors.axes.size(), buffers.axes.size());
    for (auto [a, b] : llvm::zip_equal(tensors.axes, buffers.axes)) {
      EXPECT_EQ(a.extent, b.extent);
      EXPECT_EQ(a.isReduction, b.isReduction);
    }
    ASSERT_EQ(tensors.writes.size(), buffers.writes.size());
    for (auto [a, b] : llvm::zip_equal(tensors.writes, buffers.writes)) {
      EXPECT_EQ(a.value, b.value);
      EXPECT_EQ(a.index, b.index);
    }
    ASSERT_EQ(tensors.reads.size(), buffers.reads.size());
    for (auto [a, b] : llvm::zip_equal(tensors.reads, buffers.reads)) {
      EXPECT_EQ(a.value, b.value);
      EXPECT_EQ(a.index, b.index);
      EXPECT_EQ(a.isRead, b.isRead);
      EXPECT_EQ(a.write, b.write);
    }
    const OpIndexing one = tensors.project(), other = buffers.project();
    for (unsigned r = 0; r < one.getNumResults(); ++r)
      for (unsigned o = 0; o < one.getNumOperands(); ++o) {
        EXPECT_EQ(one.outputToInput(r, o).str(),
                  other.outputToInput(r, o).str());
        EXPECT_EQ(one.inputToOutput(o, r).str(),
                  other.inputToOutput(o, r).str());
      }
  }

  /// The sizes of results, as they follow where their types don't tell them;
  /// kDynamic where they don't. They agree with the types.
  static SmallVector<SmallVector<int64_t>> inferSizes(Operation *op) {
    OpSignature signature(op);
    for (Type &type : signature.resultTypes)
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        type = tensor.clone(
            SmallVector<int64_t>(tensor.getRank(), ShapedType::kDynamic));
    auto sizes = inferResultSizes(signature);
    if (!sizes)
      return {};
    for (auto [type, shape] : llvm::zip_equal(op->getResultTypes(), *sizes))
      if (auto shaped = dyn_cast<ShapedType>(type))
        for (auto [size, own] : llvm::zip_equal(shape, shaped.getShape()))
          EXPECT_TRUE(agree(size, own))
              << op->getName().getStringRef().str() << " has size " << size
              << " for " << own;
    return *sizes;
  }

  /// The loops say what the maps say, and a number that is changed is noticed:
  /// `walkMaps` gives the pairs of a set of maps from result `r`.
  static void
  checkNest(Operation *op, unsigned r, Reads &reads,
            function_ref<std::set<Pair>(const IndexingSet &)> walkMaps) {
    if (op->getNumResults() != 0)
      inferSizes(op);
    NestRef nest = getNest(OpSignature(op));
    if (!nest->hasLoops())
      return;
    const OpIndexing own = nest->project();
    for (unsigned o = 0; o < op->getNumOperands(); ++o)
      if (!own.outputToInput(r, o).isUnknown())
        EXPECT_EQ(walkMaps(own.outputToInput(r, o)), reads[o])
            << "the loops of operand " << o << ":\n"
            << own.outputToInput(r, o).str();
    // Axes of one index have any coefficient. Where values of operands take part,
    // the test's data may hide one.
    auto isLong = [&](AtomId atom) {
      return nest->values.empty() && (atom >= nest->axes.size() ||
                                      nest->getExtent(atom).value_or(2) > 1);
    };
    // Where a guard leaves nothing but 0, a changed nest says the same.
    auto isSame = [&](const IndexingSet &a, const IndexingSet &b) {
      return a.size() == 1 && b.size() == 1 &&
             equalAsRelations(a.getMaps()[0], b.getMaps()[0]);
    };
    auto expectOther = [&](const Nest &changed, unsigned o,
                           const std::string &what) {
      const OpIndexing other = changed.project();
      const IndexingSet &maps = other.outputToInput(r, o);
      if (!maps.isUnknown() && !isSame(maps, own.outputToInput(r, o)))
        EXPECT_NE(walkMaps(maps), reads[o])
            << what << " of operand " << o << " changed, and nothing else";
    };
    for (unsigned i = 0; i < nest->reads.size(); ++i) {
      const NestRead &read = nest->reads[i];
      const unsigned o = read.value;
      if (!read.isRead || own.outputToInput(r, o).isUnknown() ||
          reads[o].empty() ||
          (read.write && nest->writes[*read.write].value != r))
        continue;
      // Another one may read all that this one does.
      if (llvm::count_if(nest->reads, [&](const NestRead &other) {
            return other.value == o;
          }) != 1)
        continue;
      for (unsigned d = 0; d < read.index.size(); ++d) {
        Nest changed = *nest;
        ++changed.reads[i].index[d].constant;
        expectOther(changed, o, "the offset " + std::to_string(d));
        for (unsigned t = 0; t < read.index[d].terms.size(); ++t) {
          if (!isLong(read.index[d].terms[t].atom))
            continue;
          changed = *nest;
          ++changed.reads[i].index[d].terms[t].coefficient;
          if (changed.reads[i].index[d].terms[t].coefficient == 0)
            ++changed.reads[i].index[d].terms[t].coefficient;
          expectOther(changed, o,
                      "a coefficient of index " + std::to_string(d));
        }
      }
    }
  }

  /// The reason of the first unknown set of the op.
  IndexingReason getReason(StringRef text) {
    Operation *op = parse(text);
    return op ? getIndexing(op).firstReason() : IndexingReason::None;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_INDEXING_ORACLE_H
