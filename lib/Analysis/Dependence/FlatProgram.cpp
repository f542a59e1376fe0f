//===- FlatProgram.cpp - A program as if calls were inlined ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stack of frames: a block, the op that is next, and the number of each value
// in it. A call, and each trip of a loop, pushes one. What is left: branches,
// loops of unknown or too many trips, calls that return to their caller, and
// all calls of a function with dynamic sizes, whose parameters have names of
// their function.
//
//===----------------------------------------------------------------------===//

#include "ScalarFacts.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
struct Frame {
  Block *block;
  Block::iterator next;
  std::shared_ptr<DenseMap<Value, unsigned>> numbers;
  /// The call or loop; null for the function itself.
  Operation *op;
  int64_t tripsLeft = 0;
};

class Flattener {
public:
  Flattener(FlatProgram &program, IndexingCache &cache, size_t maxUnrolled,
            bool isDynamic = false)
      : program(program), cache(cache), maxUnrolled(maxUnrolled),
        isDynamic(isDynamic) {}
  void run(Block &body, ArrayRef<Value> arguments);

private:
  unsigned addValue(Value value) {
    program.values.push_back(value);
    return program.values.size() - 1;
  }
  bool enter(Operation *op);
  void leave();
  void addStep(Operation *op);

  FlatProgram &program;
  IndexingCache &cache;
  size_t maxUnrolled;
  bool isDynamic;
  std::vector<Frame> stack;
};
} // namespace

static Block *getBody(FunctionOpInterface function) {
  if (function.isExternal() || !function.getFunctionBody().hasOneBlock())
    return nullptr;
  Block &block = function.getFunctionBody().front();
  return block.empty() || !block.back().hasTrait<OpTrait::ReturnLike>() ||
                 block.back().getNumOperands() != function.getNumResults()
             ? nullptr
             : &block;
}

static bool hasDynamicSizes(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        auto isDynamic = [](Type type) {
          auto shaped = dyn_cast<ShapedType>(type);
          return shaped && !shaped.hasStaticShape();
        };
        return llvm::any_of(op->getResultTypes(), isDynamic) ||
                       llvm::any_of(op->getOperandTypes(), isDynamic)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool tensoraccess::hasInside(Operation *op, IndexingCache &cache,
                             function_ref<bool(Operation *)> isIt) {
  SetVector<Operation *> roots;
  roots.insert(op);
  for (unsigned i = 0; i < roots.size(); ++i) {
    Operation *root = roots[i];
    const bool isFound =
        root->walk([&](Operation *inner) {
              if (FunctionOpInterface callee = cache.getCallee(inner))
                roots.insert(callee);
              return inner != root && isIt(inner) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
            })
            .wasInterrupted();
    if (isFound)
      return true;
  }
  return false;
}

/// Pushes a frame for a call, or for the first trip of a loop; false if the op
/// stays a step.
bool Flattener::enter(Operation *op) {
  if (isDynamic)
    return false;
  auto at = [&](Value value) { return stack.back().numbers->lookup(value); };
  if (FunctionOpInterface callee = cache.getCallee(op)) {
    Block *body = getBody(callee);
    if (!body || op->getNumOperands() != body->getNumArguments() ||
        op->getNumResults() != callee.getNumResults() ||
        hasDynamicSizes(callee) || stack.size() > 64 ||
        llvm::any_of(stack, [&](const Frame &f) { return f.block == body; }))
      return false;
    auto numbers = std::make_shared<DenseMap<Value, unsigned>>();
    for (auto [argument, operand] :
         llvm::zip_equal(body->getArguments(), op->getOperands()))
      numbers->try_emplace(argument, at(operand));
    stack.push_back({body, body->begin(), std::move(numbers), op});
    return true;
  }
  if (!isHlo(op, "while"))
    return false;
  std::optional<int64_t> trips = getTripCount(op);
  if (!trips || !op->getRegion(1).hasOneBlock())
    return false;
  Block &body = op->getRegion(1).front();
  auto isLarge = [&](size_t most) {
    return *trips > 0 &&
           body.getOperations().size() >
               (most - std::min(program.steps.size(), most)) / *trips;
  };
  if (isLarge(maxUnrolled)) {
    program.keepsLoops |= !isLarge(FlatProgram::kMaxUnrolled);
    return false;
  }
  auto numbers =
      std::make_shared<DenseMap<Value, unsigned>>(*stack.back().numbers);
  SmallVector<unsigned> state;
  for (Value operand : op->getOperands())
    state.push_back(at(operand));
  if (*trips == 0) {
    for (auto [result, value] : llvm::zip_equal(op->getResults(), state))
      stack.back().numbers->insert({result, value});
    return true;
  }
  for (auto [argument, value] : llvm::zip_equal(body.getArguments(), state))
    (*numbers)[argument] = value;
  stack.push_back({&body, body.begin(), std::move(numbers), op, *trips - 1});
  return true;
}

/// At the end of a block: the next trip, or the results.
void Flattener::leave() {
  Frame frame = std::move(stack.back());
  stack.pop_back();
  SmallVector<unsigned> values;
  for (Value value : frame.block->back().getOperands())
    values.push_back(frame.numbers->lookup(value));
  if (!frame.op) {
    program.results.assign(values.begin(), values.end());
    return;
  }
  if (frame.tripsLeft > 0) {
    for (auto [argument, value] :
         llvm::zip_equal(frame.block->getArguments(), values))
      (*frame.numbers)[argument] = value;
    --frame.tripsLeft;
    frame.next = frame.block->begin();
    stack.push_back(std::move(frame));
    return;
  }
  for (auto [result, value] : llvm::zip_equal(frame.op->getResults(), values))
    (*stack.back().numbers)[result] = value;
}

void Flattener::addStep(Operation *op) {
  FlatStep step{op, {}, {}, op->getNumOperands()};
  DenseMap<Value, unsigned> &numbers = *stack.back().numbers;
  for (Value operand : op->getOperands())
    step.reads.push_back(numbers.lookup(operand));
  if (op->getNumRegions() != 0)
    for (const CapturedRead &read : cache.getCaptured(op)) {
      auto [it, isNew] = numbers.try_emplace(read.value, 0);
      if (isNew)
        it->second = addValue(read.value);
      step.reads.push_back(it->second);
    }
  for (Value result : op->getResults())
    step.results.push_back(numbers[result] = addValue(result));
  program.steps.push_back(std::move(step));
}

void Flattener::run(Block &body, ArrayRef<Value> arguments) {
  auto numbers = std::make_shared<DenseMap<Value, unsigned>>();
  for (Value argument : arguments)
    numbers->try_emplace(argument, addValue(argument));
  program.numArguments = arguments.size();
  stack.push_back({&body, body.begin(), std::move(numbers), nullptr});
  while (!stack.empty()) {
    Frame &frame = stack.back();
    if (std::next(frame.next) == frame.block->end()) {
      leave();
      continue;
    }
    Operation *op = &*frame.next++;
    if (!enter(op))
      addStep(op);
  }
}

std::optional<FlatProgram> FlatProgram::get(FunctionOpInterface function,
                                            IndexingCache &cache,
                                            size_t maxUnrolled) {
  Block *body = getBody(function);
  if (!body)
    return std::nullopt;
  FlatProgram program;
  Flattener(program, cache, maxUnrolled, hasDynamicSizes(function))
      .run(*body, llvm::to_vector_of<Value>(body->getArguments()));
  return program;
}

FlatProgram FlatProgram::get(Block &body, ArrayRef<Value> captured,
                             IndexingCache &cache, size_t maxUnrolled) {
  SmallVector<Value> arguments(body.getArguments());
  llvm::append_range(arguments, captured);
  FlatProgram program;
  Flattener(program, cache, maxUnrolled).run(body, arguments);
  return program;
}

FlatProgram FlatProgram::getOps(Operation *root, IndexingCache &cache) {
  FlatProgram program;
  DenseMap<Value, unsigned> numbers;
  auto getNumber = [&](Value value) {
    auto [it, isNew] = numbers.try_emplace(value, program.values.size());
    if (isNew)
      program.values.push_back(value);
    return it->second;
  };
  forEachIndexedOp(root, [&](Operation *op) {
    FlatStep step{op, {}, {}, op->getNumOperands()};
    for (Value operand : op->getOperands())
      step.reads.push_back(getNumber(operand));
    if (op->getNumRegions() != 0)
      for (const CapturedRead &read : cache.getCaptured(op))
        step.reads.push_back(getNumber(read.value));
    for (Value result : op->getResults())
      step.results.push_back(getNumber(result));
    program.steps.push_back(std::move(step));
  });
  return program;
}
