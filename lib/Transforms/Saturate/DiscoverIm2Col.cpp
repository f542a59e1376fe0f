//===- DiscoverIm2Col.cpp - Dot products become products of matrices ------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Glenside, "Flexible Mapping: Discovering im2col":
//
//   1. The function's terms are saturated with those rules on items
//      (Rewrites/RuleSets.h) that keep the order of sums: a dot product of
//      any shape is a product of matrices, and that of their copies.
//   2. What is chosen takes the fewest steps. A step of arithmetic is cheap in a
//      product of matrices whose sides are matrices as they are laid out in
//      memory, and 1 elsewhere; a copy costs its bytes; movement next to
//      nothing.
//
// So a view that is a matrix is taken as it is, and another is copied if that
// saves more than it costs. No rule names im2col; it is what the copy is.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Transforms/SaturateTerms.h"

#include "ProductRemarks.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/AccessForm.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "TensorAccess/Transforms/SaturationPasses.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cmath>
#include <limits>

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_DISCOVERIM2COL
#include "TensorAccess/Transforms/SaturationPasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// What a movement op costs: less than anything else.
static constexpr double kMovementCost = 1e-3;

/// Bytes of that many elements; an element takes whole bytes, as in memory.
static int64_t bytesOf(int64_t elements, Type elementType) {
  unsigned bits = elementType.isIndex() ? IndexType::kInternalStorageBitWidth
                                        : elementType.getIntOrFloatBitWidth();
  int64_t bytes;
  return llvm::MulOverflow<int64_t>(elements, llvm::divideCeil(bits, 8), bytes)
             ? INT64_MAX
             : bytes;
}

static int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? INT64_MAX : sum;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

namespace {

/// What the nodes of a graph cost.
class Im2ColCost {
public:
  explicit Im2ColCost(const Im2ColOptions &options) : options(options) {}

  double operator()(const TermGraph &graph, NodeId node);

private:
  double ofProduct(const TermGraph &graph, MovementTheory &theory,
                   ClassId pattern);
  /// Whether a view is of what dot products make.
  bool readsResult(const TermGraph &graph, NodeId view);

  const Im2ColOptions &options;
  /// Classes with a dot product, once asked for: nothing changes any more.
  std::optional<llvm::DenseSet<ClassId>> products;
};

} // namespace

static bool isDotProduct(const TermGraph &graph, SymbolId symbol) {
  if (graph.getName(symbol).getStringRef() != ComputeOp::getOperationName())
    return false;
  auto kind = graph.getAttributes(symbol).getAs<ComputeKindAttr>("kind");
  return kind && kind.getValue() == ComputeKind::DotProd;
}

bool Im2ColCost::readsResult(const TermGraph &graph, NodeId view) {
  const NodeTable &table = graph.getTable();
  if (!products) {
    products.emplace();
    for (NodeId node = table.getBegin(); node != table.getEnd();
         node = table.getNext(node)) {
      const SymbolId symbol = table.getSymbol(node);
      if (!table.isDead(node) && graph.isOperation(symbol) &&
          isDotProduct(graph, symbol))
        products->insert(table.find(node));
    }
  }
  for (unsigned i = 0, e = table.getNumOperands(view); i != e; ++i)
    if (!products->contains(table.find(table.getOperand(view, i))))
      return false;
  return true;
}

double Im2ColCost::ofProduct(const TermGraph &graph, MovementTheory &theory,
                             ClassId pattern) {
  auto type = dyn_cast_or_null<AccessType>(graph.getType(pattern));
  std::optional<int64_t> elements =
      type && type.hasStaticShape() ? type.getNumElements() : std::nullopt;
  if (!elements)
    return 1;
  const double steps =
      double(*elements) / std::max<int64_t>(1, type.getComputeShape()[0]);
  std::optional<AccessForm> form =
      isProductOfMatrices(type) ? theory.getForm(pattern) : std::nullopt;
  return form && hasMatricesInMemory(*form) ? steps * options.matmulStep
                                            : steps;
}

double Im2ColCost::operator()(const TermGraph &graph, NodeId node) {
  const NodeTable &table = graph.getTable();
  const SymbolId symbol = table.getSymbol(node);
  MovementTheory &theory = *MovementTheory::find(graph);
  if (theory.isView(symbol)) {
    // What the program moves stays as it is written, but for results: these
    // come from a product that is new.
    std::optional<unsigned> numOps;
    if (!theory.hasOp(node) || readsResult(graph, node))
      numOps = theory.countOps(symbol);
    return numOps ? kMovementCost * (*numOps + 0.5)
                  : std::numeric_limits<double>::infinity();
  }
  if (!graph.isOperation(symbol) || table.getNumOperands(node) == 0)
    return 0;
  const StringRef name = graph.getName(symbol).getStringRef();
  const ClassId operand = table.getOperand(node, 0);
  if (name == MaterializeOp::getOperationName()) {
    auto type = cast<AccessType>(graph.getType(operand));
    std::optional<int64_t> elements =
        type.hasStaticShape() ? type.getNumElements() : std::nullopt;
    return elements ? double(bytesOf(*elements, type.getElementType())) *
                          options.copiedByte
                    : 1;
  }
  return isDotProduct(graph, symbol) ? ofProduct(graph, theory, operand)
                                     : kMovementCost;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// The values that movement ops before a value begin at, each once.
static SmallVector<Value> getOrigins(Value value) {
  llvm::SmallSetVector<Value, 8> seen;
  seen.insert(value);
  SmallVector<Value> origins;
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (!isMovement(op))
      origins.push_back(seen[i]);
    else
      seen.insert(op->operand_begin(), op->operand_end());
  }
  return origins;
}

/// What a product is of, and what was copied for it.
static Im2ColReport describeProduct(ComputeOp op,
                                    const llvm::DenseSet<Operation *> &made) {
  AccessType type = op.getPattern().getType();
  ArrayRef<int64_t> access = type.getAccessShape();
  Im2ColReport report;
  report.op = op;
  report.batch = access.size() == 3 ? access[0] : 1;
  report.m = access[access.size() - 2];
  report.n = access.back();
  report.k = type.getComputeShape()[1];
  for (Value origin : getOrigins(op.getPattern())) {
    auto copy = origin.getDefiningOp<MaterializeOp>();
    if (!copy || !made.contains(copy))
      continue;
    ++report.copies;
    auto countBytes = [](Type type) {
      auto access = dyn_cast<AccessType>(type);
      Type element = access ? access.getElementType()
                            : cast<RankedTensorType>(type).getElementType();
      return bytesOf(elementCount(*getFormShape(type)).value_or(INT64_MAX),
                     element);
    };
    report.copiedBytes =
        saturatingAdd(report.copiedBytes, countBytes(copy.getType()));
    for (Value source : getOrigins(copy.getPattern()))
      report.sourceBytes =
          saturatingAdd(report.sourceBytes, countBytes(source.getType()));
  }
  return report;
}

FailureOr<Im2ColResult>
mlir::tensoraccess::discoverIm2Col(FunctionOpInterface function,
                                   const Im2ColOptions &options) {
  std::optional<Im2ColCost> cost;
  TermSaturationOptions saturation;
  saturation.saturation.limits = options.limits;
  saturation.isNode = [](Operation *op) {
    return isa_and_nonnull<TensorAccessDialect>(op->getDialect()) && isTerm(op);
  };
  saturation.prepare = [&](TermGraph &) { cost.emplace(options); };
  ComputeRuleOptions rules;
  rules.reordersSums = false;
  rules.copiesSides = true;
  addComputeRules(saturation, rules);
  saturation.extraction.isBounded = false;
  saturation.extraction.checksTheories = false;
  saturation.extraction.cost = [&](const TermGraph &graph, NodeId node) {
    return (*cost)(graph, node);
  };
  FailureOr<TermSaturationReport> done = saturateTerms(function, saturation);
  if (failed(done))
    return failure();
  Im2ColResult result;
  result.saturation = std::move(*done);
  llvm::DenseSet<Operation *> made(result.saturation.ops.begin(),
                                   result.saturation.ops.end());
  for (Operation *op : result.saturation.ops)
    if (auto compute = dyn_cast_or_null<ComputeOp>(op))
      if (compute.getKind() == ComputeKind::DotProd &&
          isProductOfMatrices(compute.getPattern().getType()))
        result.matmuls.push_back(describeProduct(compute, made));
  return result;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static std::string describe(const Im2ColReport &report) {
  const StringRef what = report.batch == 1 ? "matmul" : "batch of matmuls";
  if (report.copies == 0)
    return (what + " without a copy: the flattened views are matrices").str();
  const double factor =
      report.sourceBytes ? double(report.copiedBytes) / report.sourceBytes : 0;
  return llvm::formatv("{0} with a copy of {1:f2} times its source", what,
                       factor)
      .str();
}

static void emitRemark(FunctionOpInterface function, Im2ColReport report) {
  remark::detail::InFlightRemark remark =
      remark::passed(report.op.getLoc(), remarkOptions("im2col", function));
  remark << remark::add("{0}", describe(report));
  if (report.batch != 1)
    remark << remark::metric("Batch", report.batch);
  remark << remark::metric("M", report.m) << remark::metric("N", report.n)
         << remark::metric("K", report.k)
         << remark::metric("CopiedBytes", report.copiedBytes)
         << remark::metric("SourceBytes", report.sourceBytes);
}

/// Dot products that are not products of matrices, and why.
static void emitMissed(FunctionOpInterface function,
                       const Im2ColResult &result) {
  llvm::DenseSet<Operation *> made;
  for (const Im2ColReport &report : result.matmuls)
    made.insert(report.op);
  const StopReason reason = result.saturation.statistics.reason;
  emitMissedProducts(function, "im2col",
                     reason == StopReason::Saturated
                         ? "a copy of its sides costs more than it saves"
                         : describe(reason),
                     [&](ComputeOp op, bool hasObstacle, AccessForms &forms) {
                       return made.contains(op) ||
                              (!hasObstacle &&
                               isProductOfMatrices(op.getPattern().getType()) &&
                               hasMatricesInMemory(forms.get(op.getPattern())));
                     });
}

namespace {
struct DiscoverIm2ColPass
    : public tensoraccess::impl::DiscoverIm2ColBase<DiscoverIm2ColPass> {
  using DiscoverIm2ColBase::DiscoverIm2ColBase;

  void runOnOperation() override {
    Im2ColOptions options;
    options.limits.nodes = maxNodes;
    options.limits.seconds = maxSeconds;
    options.matmulStep = matmulStep;
    options.copiedByte = copiedByte;
    for (auto [what, cost] : {std::pair("matmul-step", options.matmulStep),
                              {"copied-byte", options.copiedByte}})
      if (!(cost >= 0) || !std::isfinite(cost)) {
        getOperation()->emitError()
            << what << " must be a number, 0 or more, got " << cost;
        return signalPassFailure();
      }
    int64_t matmulCount = 0, copyCount = 0, bytes = 0;
    SaturationStatistics sum;
    for (FunctionOpInterface function : getFunctions(getOperation())) {
      FailureOr<Im2ColResult> result = discoverIm2Col(function, options);
      if (failed(result))
        return signalPassFailure();
      for (const Im2ColReport &report : result->matmuls) {
        emitRemark(function, report);
        ++matmulCount;
        copyCount += report.copies;
        bytes = saturatingAdd(bytes, report.copiedBytes);
      }
      emitMissed(function, *result);
      add(sum, result->saturation.statistics);
    }
    matmuls += matmulCount;
    copies += copyCount;
    copiedBytes += bytes;
    remark::analysis(getOperation()->getLoc(),
                     remarkOptions("im2col", getOperation()))
        << remark::add("{0}", tensoraccess::describe(sum.reason))
        << remark::metric("Matmuls", matmulCount)
        << remark::metric("Copies", copyCount)
        << remark::metric("CopiedBytes", bytes)
        << remark::metric("Nodes", int64_t(sum.nodes))
        << remark::metric("Classes", int64_t(sum.classes));
  }
};
} // namespace
