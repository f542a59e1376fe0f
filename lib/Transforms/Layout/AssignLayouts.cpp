//===- AssignLayouts.cpp - Layouts that cost least together ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Each contraction proposes the modes that suit the target, and the plain
//    one; their layouts are candidates of the tensors they mention.
// 2. Sweeps forwards and backwards: an op that a candidate passes through
//    proposes the mode that it makes, which has new candidates.
// 3. A CostGraph: one variable for the mode of each op; for a tensor with
//    several users one for the layouts it exists in. Costs are bytes: of each
//    relayout those read and written, of each mode those of its padding and
//    what it moves between registers and cache.
// 4. The least choice becomes encodings and relayouts: each after the value it
//    reads, once for all users.
// Tensors that hold nothing yet, or one scalar, are made anew in any layout.
//
//===----------------------------------------------------------------------===//

#include "LayoutModes.h"
#include "TensorAccess/Cost/Cost.h"
#include "TensorAccess/Transforms/Layouts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// A layout that a tensor may have; number 0 is the row-major one.
struct Candidate {
  Blocking blocking;
  RankedTensorType type;
  int64_t bytes;
};

/// A mode by numbers of candidates; -1 for what is not a tensor.
struct NodeMode {
  SmallVector<int, 4> operands, results;
  int64_t cost = 0;
  StringRef name;
};

/// An op that has a choice.
struct Node {
  Operation *op;
  SmallVector<NodeMode> modes;
  bool isContraction = false;
  unsigned variable = 0, chosen = 0;
};

class LayoutAssigner {
public:
  LayoutAssigner(FunctionOpInterface function,
                 const LayoutAssignmentOptions &options)
      : function(function), options(options) {}

  LayoutAssignmentReport run();

private:
  static constexpr unsigned kMaxCandidates = 5, kMaxModes = 24, kSweeps = 6;

  // Steps 1 and 2.
  void propose();
  bool sweep(bool forwards);
  bool follow(unsigned number, unsigned index, bool isResult);
  int addCandidate(Value value, const Blocking &blocking);
  bool addMode(Node &node, const LayoutMode &mode);
  void findWeights();
  // Step 3.
  void solve();
  void addUses(CostGraph &graph, Value value);
  int64_t getRelayoutCost(Value value, int from, int to);
  // Step 4.
  void apply();
  Value get(Value value, int wanted);
  Value makeFree(Value value, int wanted, Operation *user);
  bool giveToCaller(BlockArgument argument);
  // Remarks.
  void remarkRelayout(RelayoutOp op);
  void remarkNodes();
  remark::RemarkOpts remarkOptions(StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("tensoraccess:assign-layouts")
        .function(function.getName());
  }

  bool isFree(Value value);
  ArrayRef<Candidate> getCandidates(Value value);
  const Candidate &getCandidate(Value value, int number) {
    return getCandidates(value)[number];
  }
  /// The layout that a value is made in.
  int getHome(Value value);
  /// The node that an op is; std::nullopt for ops without a choice.
  std::optional<unsigned> getNode(Operation *op) {
    auto it = numbers.find(op);
    return it == numbers.end() ? std::nullopt : std::optional(it->second);
  }

  FunctionOpInterface function;
  const LayoutAssignmentOptions &options;
  std::vector<Node> nodes;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<Value, SmallVector<Candidate, 2>> candidates;
  llvm::DenseMap<Value, bool> freeValues;
  llvm::DenseSet<std::tuple<unsigned, unsigned, unsigned>> followed;
  llvm::SmallSetVector<Value, 16> weights;
  llvm::DenseMap<std::pair<Value, int>, Value> relayouts;
  SmallVector<RelayoutOp> made;
  LayoutAssignmentReport report;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether a value can be made anew in any layout at no cost.
bool LayoutAssigner::isFree(Value value) {
  auto it = freeValues.find(value);
  if (it != freeValues.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  bool free = isa_and_nonnull<tensor::EmptyOp>(op);
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
    free = isa<SplatElementsAttr>(constant.getValue()) &&
           isa<RankedTensorType>(value.getType());
  // The destination of a fill, not a chain of them.
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op))
    free = fill.hasPureTensorSemantics() &&
           fill.getDpsInitOperand(0)->get().getDefiningOp<tensor::EmptyOp>();
  freeValues[value] = free;
  return free;
}

ArrayRef<Candidate> LayoutAssigner::getCandidates(Value value) {
  SmallVector<Candidate, 2> &list = candidates[value];
  if (list.empty()) {
    auto type = cast<RankedTensorType>(value.getType());
    int64_t bytes = getPhysicalBytes(type, getPlainForm(type.getShape()),
                                     options.dynamicSize)
                        .value_or(0);
    list.push_back({Blocking::plain(type.getRank()), type, bytes});
  }
  return list;
}

int LayoutAssigner::addCandidate(Value value, const Blocking &blocking) {
  auto type = cast<RankedTensorType>(value.getType());
  bool tilesDynamic = false;
  for (auto [size, tile] : llvm::zip_equal(type.getShape(), blocking.tile))
    tilesDynamic |= ShapedType::isDynamic(size) && tile != 1;
  if (type.getEncoding() || tilesDynamic || blocking.getLayout().verify())
    return -1;
  ArrayRef<Candidate> list = getCandidates(value);
  RankedTensorType blocked = getBlockedType(type, blocking);
  for (auto [i, candidate] : llvm::enumerate(list))
    if (candidate.type == blocked)
      return i;
  std::string reason;
  std::optional<PhysicalForm> form = getPhysicalForm(blocked, reason);
  std::optional<int64_t> bytes =
      form ? getPhysicalBytes(blocked, *form, options.dynamicSize)
           : std::nullopt;
  if (!bytes || list.size() == kMaxCandidates)
    return -1;
  candidates[value].push_back({blocking, blocked, *bytes});
  return list.size();
}

int LayoutAssigner::getHome(Value value) {
  auto result = dyn_cast<OpResult>(value);
  std::optional<unsigned> node =
      result ? getNode(result.getOwner()) : std::nullopt;
  if (!node)
    return 0;
  const Node &n = nodes[*node];
  return n.modes[n.chosen].results[result.getResultNumber()];
}

//===----------------------------------------------------------------------===//
// Steps 1 and 2: modes
//===----------------------------------------------------------------------===//

bool LayoutAssigner::addMode(Node &node, const LayoutMode &mode) {
  NodeMode result;
  result.cost = mode.cost;
  result.name = mode.name;
  int64_t padding = 0;
  auto add = [&](SmallVectorImpl<int> &list, Value value,
                 const std::optional<Blocking> &blocking) {
    int number = -1;
    if (isa<RankedTensorType>(value.getType())) {
      number = blocking ? addCandidate(value, *blocking) : 0;
      if (number < 0)
        return false;
      if (!isFree(value))
        padding += std::max<int64_t>(0, getCandidate(value, number).bytes -
                                            getCandidate(value, 0).bytes);
    }
    list.push_back(number);
    return true;
  };
  for (auto [value, blocking] :
       llvm::zip_equal(node.op->getOperands(), mode.operands))
    if (!add(result.operands, value, blocking))
      return false;
  for (auto [value, blocking] :
       llvm::zip_equal(node.op->getResults(), mode.results))
    if (!add(result.results, value, blocking))
      return false;
  result.cost += padding;
  for (NodeMode &other : node.modes)
    if (other.operands == result.operands && other.results == result.results) {
      other.cost = std::min(other.cost, result.cost);
      return false;
    }
  if (node.modes.size() == kMaxModes)
    return false;
  node.modes.push_back(std::move(result));
  return true;
}

void LayoutAssigner::propose() {
  for (Block &block : function.getFunctionBody())
    for (Operation &op : block) {
      if (op.getNumResults() == 0 || op.hasTrait<OpTrait::IsTerminator>())
        continue;
      bool isCandidate =
          isa<linalg::LinalgOp, tensor::PadOp, tensor::ExtractSliceOp,
              tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) ||
          OpTrait::hasElementwiseMappableTraits(&op);
      if (!isCandidate || isFree(op.getResult(0)))
        continue;
      if (!hasPlainTypes(&op)) {
        if (isa<linalg::ContractionOpInterface, linalg::ConvolutionOpInterface>(
                op))
          remark::missed(op.getLoc(), remarkOptions("contraction"))
              << remark::add("{0} keeps its layouts", op.getName())
              << remark::reason("it has encodings");
        continue;
      }
      numbers[&op] = nodes.size();
      Node &node = nodes.emplace_back();
      node.op = &op;
      SmallVector<LayoutMode, 0> modes =
          getTargetModes(&op, options.target, options.dynamicSize);
      node.isContraction = !modes.empty();
      if (modes.empty())
        modes.push_back(getPlainMode(&op));
      for (const LayoutMode &mode : modes)
        addMode(node, mode);
    }
  for (unsigned round = 0; round < kSweeps; ++round)
    if (!sweep(round % 2 == 0) && round > 0)
      break;
}

/// The modes that layouts of one operand or result make.
bool LayoutAssigner::follow(unsigned number, unsigned index, bool isResult) {
  Operation *op = nodes[number].op;
  Value value = isResult ? Value(op->getResult(index)) : op->getOperand(index);
  if (!isa<RankedTensorType>(value.getType()) || isFree(value))
    return false;
  bool changed = false;
  unsigned slot = isResult ? op->getNumOperands() + index : index;
  for (unsigned i = 1; i < getCandidates(value).size(); ++i) {
    if (!followed.insert({number, slot, i}).second)
      continue;
    Blocking blocking = getCandidate(value, i).blocking;
    if (auto mode = followLayout(op, index, isResult, blocking))
      changed |= addMode(nodes[number], *mode);
  }
  return changed;
}

bool LayoutAssigner::sweep(bool forwards) {
  bool changed = false;
  for (unsigned i = 0; i < nodes.size(); ++i) {
    unsigned number = forwards ? i : nodes.size() - 1 - i;
    if (nodes[number].isContraction)
      continue;
    for (unsigned j = 0; j < nodes[number].op->getNumOperands(); ++j)
      changed |= follow(number, j, /*isResult=*/false);
    for (unsigned j = 0; j < nodes[number].op->getNumResults(); ++j)
      changed |= follow(number, j, /*isResult=*/true);
  }
  return changed;
}

/// Arguments that reach contractions only as weights.
void LayoutAssigner::findWeights() {
  for (BlockArgument argument : function.getFunctionBody().getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    llvm::SmallSetVector<Value, 8> reached;
    reached.insert(argument);
    bool isWeight = false, isData = false;
    for (size_t i = 0; i < reached.size() && !isData; ++i)
      for (OpOperand &use : Value(reached[i]).getUses()) {
        Operation *op = use.getOwner();
        std::optional<unsigned> node = getNode(op);
        std::optional<Contraction> contraction;
        if (node && nodes[*node].isContraction)
          contraction =
              findContraction(cast<linalg::LinalgOp>(op), options.dynamicSize);
        if (contraction) {
          (use.getOperandNumber() == contraction->rhs ? isWeight : isData) =
              true;
          continue;
        }
        reached.insert(op->result_begin(), op->result_end());
      }
    if (isWeight && !isData)
      weights.insert(argument);
  }
}

//===----------------------------------------------------------------------===//
// Step 3: the choice
//===----------------------------------------------------------------------===//

int64_t LayoutAssigner::getRelayoutCost(Value value, int from, int to) {
  if (from == to || isFree(value))
    return 0;
  if (options.weights != LayoutWeights::Entry && weights.contains(value))
    return 0;
  int64_t bytes =
      getCandidate(value, from).bytes + getCandidate(value, to).bytes;
  // A cache moves it faster than memory.
  if (!options.target.caches.empty() && bytes <= options.target.lastCache)
    bytes /= 2;
  // Of equals, the one at the entry.
  return bytes + !isa<BlockArgument>(value);
}

/// The costs of one value: of its relayouts, given how it is made and used.
void LayoutAssigner::addUses(CostGraph &graph, Value value) {
  int size = getCandidates(value).size();
  if (size == 1 || isFree(value))
    return;
  auto result = dyn_cast<OpResult>(value);
  std::optional<unsigned> producer =
      result ? getNode(result.getOwner()) : std::nullopt;
  SmallVector<std::pair<unsigned, unsigned>> users;
  bool plainWanted = false;
  for (OpOperand &use : value.getUses()) {
    if (auto node = getNode(use.getOwner()))
      users.emplace_back(*node, use.getOperandNumber());
    else
      plainWanted = true;
  }
  llvm::sort(users);
  auto getHomeOf = [&](unsigned mode) {
    return producer
               ? nodes[*producer].modes[mode].results[result.getResultNumber()]
               : 0;
  };
  // One user: a table over two modes.
  if (users.size() + plainWanted == 1 &&
      !(producer && !users.empty() && *producer == users[0].first)) {
    unsigned numHomes = producer ? nodes[*producer].modes.size() : 1;
    SmallVector<unsigned> scope;
    if (producer)
      scope.push_back(nodes[*producer].variable);
    std::vector<int64_t> costs;
    if (users.empty()) {
      for (unsigned home = 0; home < numHomes; ++home)
        costs.push_back(getRelayoutCost(value, getHomeOf(home), 0));
    } else {
      const Node &user = nodes[users[0].first];
      scope.push_back(user.variable);
      for (unsigned home = 0; home < numHomes; ++home)
        for (const NodeMode &mode : user.modes)
          costs.push_back(getRelayoutCost(value, getHomeOf(home),
                                          mode.operands[users[0].second]));
    }
    graph.addCost(scope, std::move(costs));
    return;
  }
  // More: a variable has the place where it is made, and its possible layouts.
  struct State {
    int home;
    unsigned present;
  };
  SmallVector<State> states;
  std::vector<int64_t> unary;
  for (int home = 0; home < (producer ? size : 1); ++home)
    for (unsigned present = 0; present < (1u << size); ++present) {
      if (!(present >> home & 1) || (plainWanted && !(present & 1)))
        continue;
      int64_t cost = 0;
      for (int i = 0; i < size; ++i)
        if (present >> i & 1)
          cost += getRelayoutCost(value, home, i);
      states.push_back({home, present});
      unary.push_back(cost);
    }
  unsigned variable = graph.addVariable(states.size());
  graph.addCost({variable}, std::move(unary));
  if (producer) {
    std::vector<int64_t> costs;
    for (const State &state : states)
      for (unsigned mode = 0; mode < nodes[*producer].modes.size(); ++mode)
        costs.push_back(getHomeOf(mode) == state.home ? 0
                                                      : CostGraph::kForbidden);
    graph.addCost({variable, nodes[*producer].variable}, std::move(costs));
  }
  for (auto [user, operand] : users) {
    std::vector<int64_t> costs;
    for (const State &state : states)
      for (const NodeMode &mode : nodes[user].modes)
        costs.push_back(state.present >> mode.operands[operand] & 1
                            ? 0
                            : CostGraph::kForbidden);
    graph.addCost({variable, nodes[user].variable}, std::move(costs));
  }
}

void LayoutAssigner::solve() {
  CostGraph graph;
  for (Node &node : nodes) {
    node.variable = graph.addVariable(node.modes.size());
    std::vector<int64_t> costs;
    for (const NodeMode &mode : node.modes)
      costs.push_back(mode.cost);
    if (options.always && node.isContraction && node.modes.size() > 1)
      costs.front() = CostGraph::kForbidden;
    graph.addCost({node.variable}, std::move(costs));
  }
  for (Block &block : function.getFunctionBody()) {
    for (BlockArgument argument : block.getArguments())
      if (candidates.contains(argument))
        addUses(graph, argument);
    for (Operation &op : block)
      for (Value result : op.getResults())
        if (candidates.contains(result))
          addUses(graph, result);
  }
  CostSolution solution = graph.solve(options.maxEntries);
  for (Node &node : nodes)
    node.chosen = solution.values[node.variable];
  report.cost = solution.cost;
  report.lowerBound = solution.lowerBound;
  report.width = solution.width;
}

//===----------------------------------------------------------------------===//
// Step 4: encodings and relayouts
//===----------------------------------------------------------------------===//

Value LayoutAssigner::makeFree(Value value, int wanted, Operation *user) {
  if (wanted == 0)
    return value;
  OpBuilder builder(user);
  return makeFreeTensor(builder, value.getDefiningOp(),
                        getCandidate(value, wanted).type);
}

/// The value in that layout; a relayout after its definition where it is not
/// made in it.
Value LayoutAssigner::get(Value value, int wanted) {
  if (getHome(value) == wanted)
    return value;
  Value &relayout = relayouts[{value, wanted}];
  if (!relayout) {
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    if (isa<BlockArgument>(value))
      while (builder.getInsertionPoint() !=
                 builder.getInsertionBlock()->end() &&
             isa<RelayoutOp>(*builder.getInsertionPoint()))
        builder.setInsertionPointAfter(&*builder.getInsertionPoint());
    auto op = RelayoutOp::create(builder, value.getLoc(),
                                 getCandidate(value, wanted).type, value,
                                 DenseI64ArrayAttr());
    made.push_back(op);
    relayout = op.getResult();
  }
  return relayout;
}

/// Gives a weight's argument the one layout that all its users want.
bool LayoutAssigner::giveToCaller(BlockArgument argument) {
  std::optional<int> wanted;
  for (OpOperand &use : argument.getUses()) {
    std::optional<unsigned> node = getNode(use.getOwner());
    if (!node)
      return false;
    const Node &n = nodes[*node];
    int number = n.modes[n.chosen].operands[use.getOperandNumber()];
    if (wanted.value_or(number) != number)
      return false;
    wanted = number;
  }
  if (wanted.value_or(0) == 0)
    return false;
  const Candidate &candidate = getCandidate(argument, *wanted);
  argument.setType(candidate.type);
  auto type = cast<FunctionType>(function.getFunctionType());
  SmallVector<Type> inputs(type.getInputs());
  inputs[argument.getArgNumber()] = candidate.type;
  function.setFunctionTypeAttr(TypeAttr::get(
      FunctionType::get(type.getContext(), inputs, type.getResults())));
  relayouts[{argument, *wanted}] = argument;
  ++report.callerWeights;
  report.callerBytes += getCandidate(argument, 0).bytes + candidate.bytes;
  return true;
}

void LayoutAssigner::apply() {
  // Backwards, what is in an op's regions comes before the op itself, which may
  // be erased.
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != function.getOperation())
      ops.push_back(op);
  });
  // All callers of a public function are unknown, those of a private one keep
  // their types.
  if (options.weights != LayoutWeights::Entry && function.isPublic())
    for (Value weight : weights)
      (void)giveToCaller(cast<BlockArgument>(weight));
  for (Operation *op : ops) {
    std::optional<unsigned> number = getNode(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      if (!candidates.contains(value))
        continue;
      int wanted = 0;
      if (number)
        wanted = nodes[*number]
                     .modes[nodes[*number].chosen]
                     .operands[operand.getOperandNumber()];
      operand.set(isFree(value) ? makeFree(value, wanted, op)
                                : get(value, wanted));
    }
  }
  for (const Node &node : nodes)
    for (auto [result, number] : llvm::zip_equal(
             node.op->getResults(), node.modes[node.chosen].results))
      if (number > 0)
        result.setType(getCandidate(result, number).type);
  for (Operation *op : llvm::reverse(ops))
    if (op->getNumResults() == 1 && op->use_empty() && !getNode(op)) {
      auto it = freeValues.find(op->getResult(0));
      if (it != freeValues.end() && it->second)
        op->erase();
    }
}

static std::string getLayoutText(RankedTensorType type) {
  auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
  return layout ? layout.getValue().str()
                : Layout::rowMajor(type.getRank()).str();
}

void LayoutAssigner::remarkRelayout(RelayoutOp op) {
  Value source = op.getSource();
  auto type = cast<RankedTensorType>(op.getType());
  int home = getHome(source);
  int64_t read = getCandidate(source, home).bytes, written = 0;
  for (const Candidate &candidate : getCandidates(source))
    if (candidate.type == type)
      written = candidate.bytes;
  StringRef place = "inner";
  if (weights.contains(source)) {
    place = "weight";
    report.weightBytes += read + written;
  } else if (isa<BlockArgument>(source)) {
    place = "entry";
    report.entryBytes += read + written;
  } else if (llvm::all_of(op->getUsers(), [](Operation *user) {
               return user->hasTrait<OpTrait::IsTerminator>();
             })) {
    place = "exit";
    report.exitBytes += read + written;
  } else {
    report.innerBytes += read + written;
  }
  ++report.relayouts;
  std::string name =
      isa<BlockArgument>(source)
          ? "argument " +
                std::to_string(cast<BlockArgument>(source).getArgNumber())
          : source.getDefiningOp()->getName().getStringRef().str();
  // A number, or an expression over dynamic sizes.
  auto getText = [](RankedTensorType type, int64_t bytes) {
    std::optional<SizeExpr> symbolic = getSymbolicBytes(type);
    return type.hasStaticShape() || !symbolic ? std::to_string(bytes)
                                              : symbolic->str();
  };
  remark::passed(op.getLoc(), remarkOptions("relayout"))
      << remark::metric("Value", name) << remark::metric("Place", place)
      << remark::metric("From",
                        getLayoutText(cast<RankedTensorType>(source.getType())))
      << remark::metric("To", getLayoutText(type))
      << remark::metric("BytesRead",
                        getText(cast<RankedTensorType>(source.getType()), read))
      << remark::metric("BytesWritten", getText(type, written));
}

void LayoutAssigner::remarkNodes() {
  for (const Node &node : nodes) {
    if (!node.isContraction)
      continue;
    const NodeMode &mode = node.modes[node.chosen];
    report.plainCost += node.modes.front().cost;
    if (node.chosen != 0) {
      ++report.assigned;
      remark::passed(node.op->getLoc(), remarkOptions("contraction"))
          << remark::add("{0} runs on tiles", node.op->getName())
          << remark::metric("Mode", mode.name)
          << remark::metric("Bytes", mode.cost);
      continue;
    }
    ++report.left;
    remark::missed(node.op->getLoc(), remarkOptions("contraction"))
        << remark::add("{0} keeps its layouts", node.op->getName())
        << remark::reason("{0}",
                          node.modes.size() == 1
                              ? "the target has no other mode for it"
                              : "relayouts would cost more than they save");
  }
}

LayoutAssignmentReport LayoutAssigner::run() {
  propose();
  findWeights();
  solve();
  apply();
  for (RelayoutOp op : made)
    remarkRelayout(op);
  remarkNodes();
  if (!nodes.empty())
    remark::analysis(function.getLoc(), remarkOptions("layouts"))
        << remark::metric("Assigned", report.assigned)
        << remark::metric("Left", report.left)
        << remark::metric("Relayouts", report.relayouts)
        << remark::metric("WeightBytes", report.weightBytes)
        << remark::metric("CallerBytes", report.callerBytes)
        << remark::metric("EntryBytes", report.entryBytes)
        << remark::metric("InnerBytes", report.innerBytes)
        << remark::metric("ExitBytes", report.exitBytes)
        << remark::metric("Cost", report.cost)
        << remark::metric("LowerBound", report.lowerBound)
        << remark::metric("PlainCost", report.plainCost)
        << remark::metric("Width", report.width)
        << remark::metric("DynamicSize", options.dynamicSize);
  return report;
}

LayoutAssignmentReport
mlir::tensoraccess::assignLayouts(FunctionOpInterface function,
                                  const LayoutAssignmentOptions &options) {
  if (function.isExternal())
    return {};
  return LayoutAssigner(function, options).run();
}
