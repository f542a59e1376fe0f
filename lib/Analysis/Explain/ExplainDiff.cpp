//===- ExplainDiff.cpp - What changed between two dumps -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of instructions differ from version to version, so that ops are known by
// what they are: opcode, `op_name`, shape, and the maps of what they read. Two steps
// are one if they consist of the same ops. Of two ops, one of which reads the
// other, it is asked whether one step does both.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// Whether one op that reads another is in one step with it.
struct Link {
  bool isFused = false, isStored = false;
  /// Of what is stored between them, if it is.
  Bounds bytes;
  /// Where the reader is.
  ExplainRow row;
};

/// A dump by what its ops are.
class Ops {
public:
  explicit Ops(ProgramSteps &program) : program(program) {
    for (const ProgramStep &step : program.getSteps())
      addStep(step);
  }

  ProgramSteps &program;
  /// By the ops that they consist of.
  llvm::MapVector<StringRef, SmallVector<const ProgramStep *, 1>> steps;
  llvm::MapVector<StringRef, Link> links;
  /// Layouts of what is stored, by the op that makes it.
  llvm::MapVector<StringRef, std::pair<std::string, ExplainRow>> layouts;

private:
  void addStep(const ProgramStep &step);
  /// What an op is; empty for those that are repeated at will.
  StringRef getKey(Operation *op);
  /// The op that computes a value, through views and calls.
  Operation *getMaker(Value value, const ProgramStep &step, bool &isInside);

  llvm::StringMap<char> keys;
  llvm::DenseMap<Operation *, StringRef> known;
};
} // namespace

StringRef Ops::getKey(Operation *op) {
  auto [it, isNew] = known.try_emplace(op);
  if (!isNew)
    return it->second;
  if (op->getNumOperands() == 0 || op->getNumResults() == 0 || isView(op) ||
      isHlo(op, "broadcast_in_dim") || isHlo(op, "broadcast"))
    return {};
  ExplainRow row;
  program.locate(op, row);
  std::string key = op->getName().stripDialect().str();
  llvm::raw_string_ostream os(key);
  // Without the function that was compiled, which may have another name.
  StringRef name = row.opName;
  if (name.starts_with("jit(") && name.contains('/'))
    name = name.split('/').second;
  if (!name.empty())
    os << " of " << name;
  for (Type type : op->getResultTypes()) {
    os << ' ';
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      os << tensor.dropEncoding();
    else
      os << type;
  }
  StringRef text = keys.try_emplace(key).first->first();
  known[op] = text;
  return text;
}

Operation *Ops::getMaker(Value value, const ProgramStep &step, bool &isInside) {
  isInside = true;
  for (unsigned i = 0; i < 64; ++i) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      FunctionOpInterface callee = step.callee;
      if (!isInside || !callee ||
          argument.getOwner() != &callee.getFunctionBody().front())
        return nullptr;
      value = step.ops.front()->getOperand(argument.getArgNumber());
      isInside = false;
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (const ProgramStep *other = program.getProducer(value);
        other && other != &step) {
      isInside = false;
      if (FunctionOpInterface callee = other->callee) {
        value = callee.getFunctionBody().front().back().getOperand(
            cast<OpResult>(value).getResultNumber());
        // Its arguments are not followed.
        op = value.getDefiningOp();
        if (!op)
          return nullptr;
      }
    }
    if (getKey(op).empty()) {
      if (op->getNumOperands() == 0)
        return nullptr;
      value = op->getOperand(0);
      continue;
    }
    return op;
  }
  return nullptr;
}

void Ops::addStep(const ProgramStep &step) {
  SmallVector<Operation *> ops(step.ops.begin(), step.ops.end());
  if (FunctionOpInterface callee = step.callee) {
    ops.clear();
    for (Operation &op : callee.getFunctionBody().front().without_terminator())
      ops.push_back(&op);
  }
  SmallVector<StringRef> names;
  for (Operation *op : ops) {
    StringRef key = getKey(op);
    if (key.empty())
      continue;
    names.push_back(key);
    for (Value operand : op->getOperands()) {
      bool isInside;
      Operation *maker = getMaker(operand, step, isInside);
      if (!maker)
        continue;
      StringRef name =
          keys.try_emplace((getKey(maker) + " -> " + key).str()).first->first();
      Link &link = links[name];
      (isInside ? link.isFused : link.isStored) = true;
      if (!isInside)
        link.bytes = getArrayBytes(maker->getResult(0)).times(step.times);
      link.row = makeRow(program, step);
    }
  }
  llvm::sort(names);
  if (names.empty())
    return;
  steps[keys.try_emplace(llvm::join(names, "\n")).first->first()].push_back(
      &step);
  for (Value result : step.results)
    layouts.insert(
        {names.back(), {printShape(result), makeRow(program, step)}});
}

/// Bytes that the one has more than the other, as bounds of a difference that is
/// not negative.
static Bounds getMore(const Bounds &a, const Bounds &b) {
  if (!a.isExact() || !b.isExact())
    return {0, std::nullopt};
  return Bounds::exactly(a.lower - std::min(a.lower, b.lower));
}

std::optional<Explanation> tensoraccess::explainDifference(ModuleOp before,
                                                           ModuleOp after,
                                                           std::string &error) {
  std::unique_ptr<ProgramSteps> first = ProgramSteps::get(before, error),
                                second;
  if (first)
    second = ProgramSteps::get(after, error);
  if (!second)
    return std::nullopt;
  Ops old(*first), now(*second);
  Explanation result;
  result.program =
      (before.getName().value_or("") + "@" + first->getEntry().getName() +
       " and " + after.getName().value_or("") + "@" +
       second->getEntry().getName())
          .str();
  auto total = [](const ProgramSteps &program) {
    Bounds bytes;
    for (const ProgramStep &step : program.getSteps())
      bytes += step.getAllBytes();
    return bytes;
  };
  result.totals = {{"bytesBefore", total(*first)},
                   {"bytesAfter", total(*second)},
                   {"stepsBefore", Bounds::exactly(first->getSteps().size())},
                   {"stepsAfter", Bounds::exactly(second->getSteps().size())}};

  ExplainSection fused{"fusions", "what is fused in one of them", {}, {}};
  size_t numCommon = 0;
  for (auto &[name, link] : now.links) {
    auto it = old.links.find(name);
    if (it == old.links.end())
      continue;
    ++numCommon;
    const Link &was = it->second;
    const bool isLost = !was.isStored && link.isStored,
               isGained = was.isStored && !link.isStored;
    if (!isLost && !isGained)
      continue;
    ExplainRow row = isLost ? link.row : was.row;
    row.add("change", isLost ? "no longer fused" : "fused now")
        .add("bytes", isLost ? link.bytes : was.bytes);
    row.text = name.str();
    fused.rows.push_back(std::move(row));
  }
  sortRows(fused, "bytes");
  fused.summary =
      fused.rows.empty()
          ? "none of " + plural(numCommon, "pair") + " of ops that both have"
          : plural(fused.rows.size(), "pair") + " of ops";

  ExplainSection steps{"steps", "steps whose bytes differ", {}, {}};
  auto addRow = [&](const ProgramSteps &program, const ProgramStep &step,
                    StringRef change, const Bounds &was, const Bounds &is) {
    ExplainRow &row = steps.rows.emplace_back(makeRow(program, step));
    row.add("change", change)
        .add("before", was)
        .add("after", is)
        .add("gained", getMore(is, was))
        .add("lost", getMore(was, is));
    row.add("most", Bounds::exactly(std::max(was.getMost(), is.getMost()) -
                                    std::min(was.getMost(), is.getMost())));
  };
  // Steps of the same ops are paired in order.
  for (auto &[name, all] : now.steps) {
    ArrayRef<const ProgramStep *> others;
    if (auto it = old.steps.find(name); it != old.steps.end())
      others = it->second;
    for (auto [i, step] : llvm::enumerate(all)) {
      const Bounds is = step->getAllBytes();
      if (i >= others.size()) {
        addRow(*second, *step, "only after", Bounds(), is);
        continue;
      }
      const Bounds was = others[i]->getAllBytes();
      if (was.lower != is.lower || was.upper != is.upper)
        addRow(*second, *step, "changed", was, is);
    }
  }
  for (auto &[name, all] : old.steps) {
    auto it = now.steps.find(name);
    const size_t kept = it == now.steps.end() ? 0 : it->second.size();
    for (const ProgramStep *step :
         ArrayRef(all).drop_front(std::min<size_t>(kept, all.size())))
      addRow(*first, *step, "only before", step->getAllBytes(), Bounds());
  }
  sortRows(steps, "most");
  for (ExplainRow &row : steps.rows)
    row.cells.pop_back();
  steps.summary =
      steps.rows.empty() ? "none" : plural(steps.rows.size(), "step");

  ExplainSection layouts{"layouts", "layouts that differ", {}, {}};
  for (auto &[name, entry] : now.layouts) {
    auto it = old.layouts.find(name);
    if (it == old.layouts.end() || it->second.first == entry.first)
      continue;
    ExplainRow row = entry.second;
    row.add("before", it->second.first).add("after", entry.first);
    layouts.rows.push_back(std::move(row));
  }
  layouts.summary =
      layouts.rows.empty() ? "none" : plural(layouts.rows.size(), "array");
  result.sections = {std::move(fused), std::move(steps), std::move(layouts)};
  return result;
}
