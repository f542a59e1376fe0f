//===- MapToSystolic.cpp - Products on systolic arrays --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Glenside, "Mapping matMul to Accelerators" and "Discovering im2col":
//
//   1. The function's terms are saturated with the rules on items
//      (Rewrites/RuleSets.h): a dot product of any shape is a product of
//      matrices, and that is an array. No rule names im2col; it is what the
//      activations of the array are a view of.
//   2. What is chosen takes the fewest cycles: an array's by its formula
//      (Core/Systolic.h), any other op a cycle for each step of its arithmetic,
//      and movement next to nothing, so that less of it is chosen.
//
//===----------------------------------------------------------------------===//

#include "ProductRemarks.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Transforms/FindTarget.h"
#include "TensorAccess/Transforms/SaturateTerms.h"
#include "TensorAccess/Transforms/SaturationPasses.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/IR/Remarks.h"

#include <limits>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_MAPTOSYSTOLIC
#define GEN_PASS_DEF_BLOCKMATMUL
#include "TensorAccess/Transforms/SaturationPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// What a movement op costs: less than anything that computes.
static constexpr double kMovementCost = 1e-3;

std::optional<SystolicCost>
mlir::tensoraccess::getArrayCost(const SystolicArray &array,
                                 AccessType activations, AccessType weights) {
  if (!activations.hasStaticShape() || !weights.hasStaticShape() ||
      weights.getComputeRank() != 2)
    return std::nullopt;
  std::optional<int64_t> batch = elementCount(weights.getAccessShape()),
                         m = elementCount(
                             activations.getAccessShape().drop_front(
                                 weights.getAccessRank()));
  if (!batch || !m)
    return std::nullopt;
  std::optional<SystolicCost> one = getSystolicCost(
      array, *m, weights.getComputeShape()[0], weights.getComputeShape()[1]);
  if (!one)
    return std::nullopt;
  // As many in turn; sums of equal numbers by doubling. With two sets of
  // weights the first load of the next product is hidden, too.
  SystolicCost sum, first, power = *one;
  if (array.isDoubleBuffered && *batch != 0)
    std::swap(first.load, power.load);
  for (int64_t rest = *batch; rest > 0; rest /= 2) {
    if (rest % 2 != 0 && !sum.add(power))
      return std::nullopt;
    if (rest > 1 && !power.add(SystolicCost(power)))
      return std::nullopt;
  }
  if (!sum.add(first))
    return std::nullopt;
  return sum;
}

static const SystolicArray *findArray(ArrayRef<SystolicArray> arrays,
                                      int64_t rows, int64_t cols) {
  const auto *found = llvm::find_if(arrays, [&](const SystolicArray &array) {
    return array.rows == rows && array.cols == cols;
  });
  return found == arrays.end() ? nullptr : found;
}

/// An op on one of the arrays and what it takes; std::nullopt for another
/// array, and for sizes that are not known or too large.
static std::optional<std::pair<SystolicArray, SystolicCost>>
getUse(ArrayRef<SystolicArray> arrays, int64_t rows, int64_t cols,
       Type activations, Type weights) {
  const SystolicArray *array = findArray(arrays, rows, cols);
  std::optional<SystolicCost> cost =
      array ? getArrayCost(*array, cast<AccessType>(activations),
                           cast<AccessType>(weights))
            : std::nullopt;
  if (!cost)
    return std::nullopt;
  return std::pair(*array, *cost);
}

/// Steps of arithmetic, an element of what goes in each.
static double countSteps(const TermGraph &graph, NodeId node) {
  const NodeTable &table = graph.getTable();
  double steps = 1;
  for (unsigned i = 0, e = table.getNumOperands(node); i < e; ++i)
    for (Type type : graph.getTypes(table.getOperand(node, i)))
      if (auto shaped = dyn_cast<ShapedType>(type)) {
        if (shaped.hasStaticShape())
          steps += double(elementCount(shaped.getShape()).value_or(0));
      } else if (auto access = dyn_cast<AccessType>(type)) {
        if (access.hasStaticShape())
          steps += double(access.getNumElements().value_or(0));
      }
  return steps;
}

FailureOr<SystolicMappingReport>
mlir::tensoraccess::mapToSystolic(FunctionOpInterface function,
                                  const SystolicMappingOptions &options) {
  if (options.arrays.empty())
    return function.emitError("no array to map to");
  for (const SystolicArray &array : options.arrays)
    if (std::optional<std::string> fault = array.verify())
      return function.emitError(*fault);
  TermSaturationOptions saturation;
  saturation.saturation.limits = options.limits;
  ComputeRuleOptions rules;
  for (const SystolicArray &array : options.arrays)
    rules.arrays.push_back({array.rows, array.cols});
  addComputeRules(saturation, rules);
  saturation.extraction.isBounded = false;
  saturation.extraction.checksTheories = false;
  saturation.extraction.cost = [&](const TermGraph &graph,
                                   NodeId node) -> double {
    const double never = std::numeric_limits<double>::infinity();
    const NodeTable &table = graph.getTable();
    const SymbolId symbol = table.getSymbol(node);
    MovementTheory &theory = *MovementTheory::find(graph);
    if (theory.isView(symbol)) {
      std::optional<unsigned> numOps = theory.countOps(symbol);
      return numOps ? kMovementCost * (*numOps + 0.5) : never;
    }
    if (!graph.isOperation(symbol))
      return 0;
    StringRef name = graph.getName(symbol).getStringRef();
    if (name == SystolicArrayOp::getOperationName()) {
      DictionaryAttr attributes = graph.getAttributes(symbol);
      auto use =
          getUse(options.arrays, attributes.getAs<IntegerAttr>("rows").getInt(),
                 attributes.getAs<IntegerAttr>("cols").getInt(),
                 graph.getType(table.getOperand(node, 0)),
                 graph.getType(table.getOperand(node, 1)));
      // An array of the program's own, or one of unknown size, stays.
      return use ? double(use->second.getCycles()) : 0;
    }
    if (theory.isMovement(symbol))
      return kMovementCost;
    return countSteps(graph, node);
  };
  FailureOr<TermSaturationReport> done = saturateTerms(function, saturation);
  if (failed(done))
    return failure();
  SystolicMappingReport report;
  report.saturation = std::move(*done);
  function.walk([&](SystolicArrayOp op) {
    if (auto use =
            getUse(options.arrays, op.getRows(), op.getCols(),
                   op.getActivations().getType(), op.getWeights().getType()))
      report.uses.push_back({op, use->first, use->second});
  });
  return report;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Remarks for a function: each use, what was left, and all together.
static void emitRemarks(FunctionOpInterface function,
                        const SystolicMappingReport &report) {
  SystolicCost sum;
  bool fits = true;
  for (SystolicMappingReport::Use use : report.uses) {
    fits = fits && sum.add(use.cost);
    remark::passed(use.op.getLoc(), remarkOptions("systolic", function))
        << remark::add("{0}", use.cost.str(use.array))
        << remark::metric("Rows", use.array.rows)
        << remark::metric("Cols", use.array.cols)
        << remark::metric("Invocations", use.cost.invocations)
        << remark::metric("Cycles", use.cost.getCycles())
        << remark::metric("Products", use.cost.products);
  }
  const SaturationStatistics &statistics = report.saturation.statistics;
  emitMissedProducts(function, "systolic",
                     statistics.reason == StopReason::Saturated
                         ? "an array takes more cycles than the host"
                         : describe(statistics.reason));
  remark::analysis(function.getLoc(), remarkOptions("systolic", function))
      << remark::add("{0}", describe(statistics.reason))
      << remark::metric("Arrays", int64_t(report.uses.size()))
      << remark::metric("Invocations", fits ? sum.invocations : -1)
      << remark::metric("Cycles", fits ? sum.getCycles() : -1)
      << remark::metric("Nodes", int64_t(statistics.nodes))
      << remark::metric("Classes", int64_t(statistics.classes))
      << remark::metric("Iterations", int64_t(statistics.iterations));
}

/// `16x16`, as of an option.
static std::optional<SystolicArray> parseArray(StringRef text) {
  SystolicArray array;
  auto [rows, cols] = text.split('x');
  if (rows.getAsInteger(10, array.rows) || cols.getAsInteger(10, array.cols))
    return std::nullopt;
  return array;
}

namespace {

struct MapToSystolicPass
    : public tensoraccess::impl::MapToSystolicBase<MapToSystolicPass> {
  using MapToSystolicBase::MapToSystolicBase;

  void runOnOperation() override {
    SystolicMappingOptions options;
    options.limits.nodes = maxNodes;
    options.limits.seconds = maxSeconds;
    // Options built in C++ all have values.
    const bool hasForm = rows != -1 || cols != -1;
    SystolicArray form;
    form.accumulators = accumulators;
    form.isDoubleBuffered = doubleBuffered;
    if (!target.empty()) {
      FailureOr<Target> machine = findTarget(getOperation(), target);
      if (failed(machine))
        return signalPassFailure();
      if (machine->matrixUnits.empty()) {
        getOperation().emitError()
            << "target '" << machine->name << "' has no matrix units";
        return signalPassFailure();
      }
      if (!arrays.empty()) {
        getOperation().emitError("give arrays or a target, not both");
        return signalPassFailure();
      }
      if (hasForm) {
        getOperation().emitError("give rows and cols or a target, not both");
        return signalPassFailure();
      }
      for (const MatrixUnit &unit : machine->matrixUnits)
        options.arrays.push_back(unit.getArray());
    } else if (arrays.empty() && arrays.hasValue() && !rows.hasValue()) {
      getOperation().emitError("arrays must not be empty");
      return signalPassFailure();
    } else if (arrays.empty()) {
      form.rows = rows == -1 ? 16 : rows;
      form.cols = cols == -1 ? 16 : cols;
      options.arrays.push_back(form);
    }
    if (!arrays.empty() && hasForm) {
      getOperation().emitError("give arrays or rows and cols, not both");
      return signalPassFailure();
    }
    for (const std::string &text : arrays) {
      std::optional<SystolicArray> array = parseArray(text);
      if (!array) {
        getOperation().emitError()
            << "expected an array as 16x16, got '" << text << "'";
        return signalPassFailure();
      }
      form.rows = array->rows;
      form.cols = array->cols;
      options.arrays.push_back(form);
    }
    for (FunctionOpInterface function : getFunctions(getOperation())) {
      FailureOr<SystolicMappingReport> report =
          mapToSystolic(function, options);
      if (failed(report))
        return signalPassFailure();
      emitRemarks(function, *report);
      numArrays += report->uses.size();
      for (const SystolicMappingReport::Use &use : report->uses)
        numInvocations += use.cost.invocations;
    }
  }
};

struct BlockMatmulPass
    : public tensoraccess::impl::BlockMatmulBase<BlockMatmulPass> {
  using BlockMatmulBase::BlockMatmulBase;

  void runOnOperation() override {
    SystolicMappingOptions options;
    options.arrays.push_back({rows, cols, accumulators});
    options.limits.nodes = maxNodes;
    IRRewriter rewriter(&getContext());
    for (FunctionOpInterface function : getFunctions(getOperation())) {
      FailureOr<SystolicMappingReport> report =
          mapToSystolic(function, options);
      if (failed(report))
        return signalPassFailure();
      emitRemarks(function, *report);
      for (SystolicMappingReport::Use use : report->uses)
        if (use.op.getBlocked()) {
          if (std::optional<std::string> fault = findBlockFault(use.op)) {
            use.op.emitError(*fault);
            return signalPassFailure();
          }
          numBlocked +=
              succeeded(expandBlockedArray(rewriter, use.op, accumulators));
        }
    }
  }
};

} // namespace
