//===- OpCost.cpp - What a block of an op costs ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The innermost axis is the loop of the last dimension of the result, if it is
// not a reduction and each operand either does not move along it or has it in
// its last dimension, one by one: then code runs along it in vectors. That is
// what compilers check, and what tells the families apart.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/BlockOps.h"
#include "TensorAccess/Analysis/OpCosts.h"
#include "TensorAccess/Core/Checked.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <mutex>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Functions of users
//===----------------------------------------------------------------------===//

namespace {
struct Registry {
  struct Entry {
    std::string summary;
    std::shared_ptr<const OpCostFunction> function;
  };
  std::mutex mutex;
  std::map<std::string, Entry, std::less<>> entries;
};
} // namespace

static Registry &getRegistry() {
  static Registry registry;
  return registry;
}

bool mlir::tensoraccess::registerOpCost(StringRef op, StringRef summary,
                                        OpCostFunction function) {
  if (op.empty() || !function)
    return false;
  auto shared = std::make_shared<const OpCostFunction>(std::move(function));
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  return registry.entries
      .try_emplace(op.str(), Registry::Entry{summary.str(), std::move(shared)})
      .second;
}

bool mlir::tensoraccess::unregisterOpCost(StringRef op) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  return registry.entries.erase(op.str()) != 0;
}

std::vector<OpCostInfo> mlir::tensoraccess::getOpCosts() {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<OpCostInfo> costs;
  for (const auto &[name, entry] : registry.entries)
    costs.push_back({name, entry.summary});
  return costs;
}

/// The function of an op, or null. It stays alive while it is asked, even if it
/// is unregistered meanwhile.
static std::shared_ptr<const OpCostFunction> findFunction(StringRef op) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  auto it = registry.entries.find(op);
  return it == registry.entries.end() ? nullptr : it->second.function;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Whether an operand stays where it is along a loop, or has the next element
/// there.
static bool isSideBySide(const BlockAccess &access, unsigned loop) {
  for (auto [d, row] : llvm::enumerate(access.rows)) {
    if (!row.isSum || row.isMerged)
      return false;
    for (auto [term, factor] : row.terms)
      if (term == loop && (d + 1 != access.rows.size() || factor != 1))
        return false;
  }
  return true;
}

static std::optional<unsigned> findInnermost(const BlockOp &op) {
  if (op.results.empty() || !op.results[0] || op.results[0]->rows.empty())
    return std::nullopt;
  const AccessRow &last = op.results[0]->rows.back();
  if (!last.isSum || last.terms.size() != 1)
    return std::nullopt;
  const unsigned loop = last.terms[0].first;
  auto isFine = [&](const std::optional<BlockAccess> &access) {
    return !access || isSideBySide(*access, loop);
  };
  if (op.isReduction[loop] || !llvm::all_of(op.results, isFine) ||
      !llvm::all_of(op.operands, isFine))
    return std::nullopt;
  return loop;
}

/// How far apart the steps of a sum are in an operand that is read along the
/// innermost axis: the length of its last dimension, as a rank has it. 0 without
/// such an operand.
static int64_t getPitch(const BlockOp &op, const Grid &grid,
                        const FactoredBoxes &iterations, unsigned innermost) {
  for (const std::optional<BlockAccess> &access : op.operands) {
    if (!access || access->rows.empty())
      continue;
    auto has = [&](const AccessRow &row, auto isAsked) {
      return llvm::any_of(
          row.terms, [&](const auto &term) { return isAsked(term.first); });
    };
    const bool isRead =
        has(access->rows.back(), [&](unsigned d) { return d == innermost; });
    const bool isSummed =
        llvm::any_of(ArrayRef(access->rows).drop_back(), [&](const auto &row) {
          return has(row, [&](unsigned d) { return op.isReduction[d]; });
        });
    if (isRead && isSummed)
      return getLongest(getTouched(grid, *access, op.extents, iterations))
          .back();
  }
  return 0;
}

static int64_t addBytes(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(INT64_MAX);
}

void mlir::tensoraccess::addSteps(Operation *op, const CostModel &model,
                                  BlockWork &work) {
  // Only families and one line for all others: the usual model of a user.
  if (llvm::all_of(model.ops, [](const OpRates &rates) {
        return StringRef(rates.name).starts_with("*");
      }))
    return;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      StringRef name = inner->getName().getStringRef();
      if (!model.findExactly(name))
        return;
      auto known = llvm::find_if(
          work.steps, [&](const auto &step) { return step.first == name; });
      if (known == work.steps.end())
        work.steps.emplace_back(name.str(), 1);
      else
        ++known->second;
    });
}

BlockWork mlir::tensoraccess::getBlockWork(const BlockOp &op, const Grid &grid,
                                           const FactoredBoxes &iterations,
                                           const CostModel &model) {
  BlockWork work;
  int64_t elementBytes = 0;
  for (const std::optional<BlockAccess> &access : op.operands)
    if (access) {
      elementBytes = std::max(elementBytes, access->elementBytes);
      work.bytesIn =
          addBytes(work.bytesIn,
                   getBytes(getTouched(grid, *access, op.extents, iterations),
                            access->elementBytes));
    }
  for (const std::optional<BlockAccess> &access : op.results)
    if (access)
      work.bytesOut =
          addBytes(work.bytesOut,
                   getBytes(getTouched(grid, *access, op.extents, iterations),
                            access->elementBytes));
  if (op.kind != BlockOpKind::Compute) {
    if (op.kind == BlockOpKind::Movement)
      work.family = "move";
    return work;
  }
  llvm::append_range(work.extents, getLongest(iterations));
  work.innermost = findInnermost(op);
  if (!llvm::is_contained(op.isReduction, true)) {
    work.family = work.innermost ? "map" : "move";
  } else {
    work.family = work.innermost ? "sum" : "chain";
    std::optional<int64_t> column = elementBytes;
    for (auto [extent, isReduction] : llvm::zip(work.extents, op.isReduction))
      if (isReduction)
        column = checkedMul(column, extent);
    work.columnBytes = column.value_or(INT64_MAX);
    if (work.innermost)
      work.pitch = getPitch(op, grid, iterations, *work.innermost);
  }
  addSteps(op.op, model, work);
  return work;
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// Rates with those of an attribute of the op; std::nullopt and `error`
/// where that is wrong.
static std::optional<OpRates> readRates(Operation *op, Attribute attribute,
                                        const OpRates *base,
                                        std::string &error) {
  llvm::raw_string_ostream os(error);
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text) {
    os << kCostName << " must be a string, got " << attribute;
    return std::nullopt;
  }
  ParseError problem;
  OpRates rates = base ? *base : OpRates();
  rates.name = op->getName().getStringRef().str();
  std::optional<OpRates> read =
      OpRates::parse(text.getValue(), std::move(rates), problem);
  if (!read)
    os << kCostName << ": at byte " << problem.offset << ": "
       << problem.message;
  return read;
}

std::optional<BlockCost> mlir::tensoraccess::getOpCost(Operation *op,
                                                       const BlockWork &work,
                                                       const CostModel &model,
                                                       std::string &error) {
  const StringRef name = op->getName().getStringRef();
  std::optional<BlockCost> cost;
  if (Attribute attribute = op->getDiscardableAttr(kCostName)) {
    std::optional<OpRates> rates =
        readRates(op, attribute, model.find(name, work.family), error);
    if (!rates)
      return std::nullopt;
    cost = model.getCost(*rates, work, error);
  } else {
    if (std::shared_ptr<const OpCostFunction> function = findFunction(name))
      cost = (*function)(op, work, model, error);
    if (!cost && !error.empty()) {
      error = ("the cost of '" + name + "': " + error).str();
      return std::nullopt;
    }
    if (!cost)
      cost = model.getCost(name, work, error);
  }
  if (!cost)
    return std::nullopt;
  if (std::optional<std::string> problem = cost->verify()) {
    error = ("the cost of '" + name + "': " + *problem).str();
    return std::nullopt;
  }
  return cost;
}

FailureOr<BlockCost>
mlir::tensoraccess::getOpCost(const BlockOp &op, const Grid &grid,
                              const FactoredBoxes &iterations,
                              const CostModel &model) {
  if (op.kind == BlockOpKind::Free ||
      llvm::is_contained(getLongest(iterations), 0))
    return BlockCost();
  std::string error;
  std::optional<BlockCost> cost =
      getOpCost(op.op, getBlockWork(op, grid, iterations, model), model, error);
  if (!cost)
    return op.op->emitError(error);
  return *cost;
}

LogicalResult mlir::tensoraccess::checkCostNames(Operation *op,
                                                 const CostModel &model) {
  MLIRContext *context = op->getContext();
  for (const OpRates &rates : model.ops) {
    StringRef dialect = StringRef(rates.name).split('.').first;
    if (StringRef(rates.name).starts_with("*") ||
        !context->getLoadedDialect(dialect) ||
        RegisteredOperationName::lookup(rates.name, context) ||
        RegisteredOperationName::lookup(dropCostFamily(rates.name), context))
      continue;
    return op->emitError("the costs of '")
           << model.machine << "' have rates for '" << rates.name
           << "', which is not an op";
  }
  return success();
}
