//===- RankRuns.cpp - Runs the programs of several ranks ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Each rank is a thread, but one has the turn: the others sleep, so that
//    nothing here or in MLIR runs at the same time as anything else.
// 2. An exchange first posts all that it sends, then takes what it receives in
//    order. Where the next message is not there, the turn goes to the next rank
//    (in circular order) that can go on.
// 3. Where none can, each waiting rank in turn ends with
//    an error.
//
//===----------------------------------------------------------------------===//

#include "Environment.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/Exchange.h"
#include "TensorAccess/Interpreter/Interpreter.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace mlir::tensoraccess;

static Tensor getPart(const Tensor &tensor, const Box &box) {
  return tensor.slice(box.lo, getBoxSizes(box));
}

namespace {
/// A message under way.
struct Parcel {
  Tensor elements; ///< dense
};

/// Sender, receiver and tag.
using Route = std::tuple<int64_t, int64_t, int64_t>;

class Ranks {
public:
  explicit Ranks(int64_t count)
      : states(count, State::Ready), waitsFor(count), bytes(count, 0),
        messages(count, 0) {}

  /// Runs `body(rank)` for all ranks.
  void run(function_ref<void(int64_t)> body) {
    std::vector<std::thread> threads;
    for (size_t rank = 0; rank < states.size(); ++rank)
      threads.emplace_back([this, rank, body] {
        takeTurn(rank);
        body(rank);
        states[rank] = State::Ended;
        passTurn(rank);
      });
    for (std::thread &thread : threads)
      thread.join();
  }

  /// The destination after an exchange, at the rank that is running.
  llvm::Expected<Tensor> exchange(int64_t rank, ExchangeOp op,
                                  const Tensor &source, Tensor dest);

  ArrayRef<int64_t> getBytes() const { return bytes; }
  ArrayRef<int64_t> getMessages() const { return messages; }

private:
  enum class State { Ready, Waiting, Ended };

  bool canGoOn(size_t rank) const {
    if (states[rank] == State::Waiting) {
      auto it = parcels.find(waitsFor[rank]);
      return it != parcels.end() && !it->second.empty();
    }
    return states[rank] == State::Ready;
  }

  void takeTurn(int64_t rank) {
    std::unique_lock<std::mutex> lock(mutex);
    turned.wait(lock, [&] { return turn == rank; });
  }

  /// Gives the turn to the next rank that can go on; or that waits in vain.
  void passTurn(int64_t rank) {
    std::lock_guard<std::mutex> lock(mutex);
    for (bool inVain : {false, true})
      for (size_t i = 1; i <= states.size(); ++i) {
        size_t next = (rank + i) % states.size();
        if (inVain ? states[next] == State::Waiting : canGoOn(next)) {
          turn = next;
          turned.notify_all();
          return;
        }
      }
  }

  std::mutex mutex;
  std::condition_variable turned;
  int64_t turn = 0;
  /// All that follows belongs to the rank that has the turn.
  SmallVector<State> states;
  SmallVector<Route> waitsFor;
  std::map<Route, std::deque<Parcel>> parcels;
  SmallVector<int64_t> bytes, messages;
};
} // namespace

llvm::Expected<Tensor> Ranks::exchange(int64_t rank, ExchangeOp op,
                                       const Tensor &source, Tensor dest) {
  int64_t tag = op.getTag();
  auto outside = [&](int64_t peer) {
    return llvm::createStringError("names rank " + std::to_string(peer) +
                                   ", but there are " +
                                   std::to_string(states.size()));
  };
  for (const Message &message : op.getSends()) {
    if (message.rank >= static_cast<int64_t>(states.size()))
      return outside(message.rank);
    llvm::Expected<Tensor> elements = getPart(source, message.box).clone();
    if (!elements)
      return elements.takeError();
    if (message.rank != rank) {
      ++messages[rank];
      bytes[rank] +=
          elements->getNumElements() * byteSize(elements->getElementType());
    }
    parcels[{rank, message.rank, tag}].push_back({std::move(*elements)});
  }
  for (const Message &message : op.getReceives()) {
    if (message.rank >= static_cast<int64_t>(states.size()))
      return outside(message.rank);
    Route route{message.rank, rank, tag};
    std::deque<Parcel> &queue = parcels[route];
    if (queue.empty()) {
      states[rank] = State::Waiting;
      waitsFor[rank] = route;
      passTurn(rank);
      takeTurn(rank);
      states[rank] = State::Ready;
    }
    if (queue.empty())
      return llvm::createStringError(
          "rank " + std::to_string(rank) + " waits for a message of tag " +
          std::to_string(tag) + " from rank " + std::to_string(message.rank) +
          (states[message.rank] == State::Ended ? ", which has ended"
                                                : ", which sends none"));
    Tensor elements = std::move(queue.front().elements);
    queue.pop_front();
    Tensor place = getPart(dest, message.box);
    if (elements.getElementType() != place.getElementType() ||
        elements.getNumElements() != place.getNumElements())
      return llvm::createStringError(
          "rank " + std::to_string(message.rank) + " sends " +
          std::to_string(elements.getNumElements()) + " elements of " +
          toString(elements.getElementType()).str() + ", but rank " +
          std::to_string(rank) + " receives " +
          std::to_string(place.getNumElements()) + " of " +
          toString(place.getElementType()).str());
    llvm::Expected<Tensor> shaped = elements.reshape(place.getShape());
    if (!shaped)
      return shaped.takeError();
    copyElements(*shaped, place);
  }
  return dest;
}

FailureOr<SmallVector<SmallVector<Tensor>>>
mlir::tensoraccess::interpretRanks(ArrayRef<FunctionOpInterface> programs,
                                   ArrayRef<SmallVector<Tensor>> inputs,
                                   const InterpreterOptions &options,
                                   RankRunReport *report) {
  assert(programs.size() == inputs.size() && "one list of inputs a rank");
  Ranks ranks(programs.size());
  std::vector<FailureOr<SmallVector<Tensor>>> ends(programs.size());
  ranks.run([&](int64_t rank) {
    InterpreterOptions own = options;
    own.exchange = [&ranks, rank](Operation *op, const Tensor &source,
                                  Tensor dest) {
      return ranks.exchange(rank, cast<ExchangeOp>(op), source,
                            std::move(dest));
    };
    ends[rank] = interpret(programs[rank], inputs[rank], own);
  });
  if (report) {
    report->bytesSent.assign(ranks.getBytes().begin(), ranks.getBytes().end());
    report->messagesSent.assign(ranks.getMessages().begin(),
                                ranks.getMessages().end());
  }
  SmallVector<SmallVector<Tensor>> results;
  for (FailureOr<SmallVector<Tensor>> &end : ends) {
    if (failed(end))
      return failure();
    results.push_back(std::move(*end));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Whole inputs, whole results
//===----------------------------------------------------------------------===//

/// Puts result `number` of all ranks together.
static FailureOr<Tensor> gather(MutableArrayRef<FunctionOpInterface> programs,
                                unsigned number,
                                ArrayRef<SmallVector<Tensor>> results) {
  FunctionOpInterface first = programs.front();
  std::optional<Tensor> whole;
  SmallVector<Box> parts;
  for (auto [rank, program] : llvm::enumerate(programs)) {
    FailureOr<Shard> shard = getResultShard(program, number);
    if (failed(shard))
      return failure();
    const Tensor &part = results[rank][number];
    if (!whole) {
      llvm::Expected<Tensor> made =
          Tensor::create(part.getElementType(), shard->shape);
      FailureOr<Tensor> tensor = reportAt(first, std::move(made));
      if (failed(tensor))
        return failure();
      whole = *tensor;
    } else if (whole->getShape() != ArrayRef(shard->shape) ||
               whole->getElementType() != part.getElementType()) {
      return program.emitOpError("result ")
             << number << " is a part of a tensor " << describe(*whole)
             << " at rank 0, but of another one at rank " << rank;
    }
    // What others had already must be the same here.
    for (auto [other, box] : llvm::enumerate(parts)) {
      Box common = intersectBoxes(box, shard->box);
      if (common.isEmpty())
        continue;
      Box local = shiftBox(common, shard->box.lo);
      if (!isIdentical(getPart(*whole, common), getPart(part, local)))
        return program.emitOpError("result ")
               << number << " differs between ranks " << other << " and "
               << rank << " in " << printBox(common);
    }
    Tensor place = getPart(*whole, shard->box);
    copyElements(part, place);
    parts.push_back(shard->box);
  }
  // Equal parts are one; what then overlaps was compared above.
  SmallVector<Box, 4> missing = {getWholeBox(whole->getShape())};
  for (const Box &part : parts) {
    SmallVector<Box, 4> left;
    for (const Box &piece : missing)
      llvm::append_range(left, subtractBox(piece, part));
    missing = std::move(left);
  }
  llvm::erase_if(missing, [](const Box &box) { return box.isEmpty(); });
  if (!missing.empty())
    return first.emitOpError("result ")
           << number << " has no rank for " << printBox(missing.front());
  return *whole;
}

FailureOr<SmallVector<Tensor>> mlir::tensoraccess::interpretSharded(
    ModuleOp module, StringRef program, ArrayRef<Tensor> inputs,
    const InterpreterOptions &options, RankRunReport *report) {
  FailureOr<std::optional<int64_t>> count = getRanks(module);
  if (failed(count))
    return failure();
  if (!*count)
    return module.emitError("is not cut for ranks: it has no ") << kRanksName;
  SmallVector<FunctionOpInterface> programs;
  SmallVector<SmallVector<Tensor>> parts;
  for (int64_t rank = 0; rank < **count; ++rank) {
    FailureOr<FunctionOpInterface> function =
        findProgram(module, program, rank);
    if (failed(function))
      return failure();
    if (function->getNumArguments() != inputs.size())
      return function->emitOpError("takes ")
             << function->getNumArguments() << " inputs, got " << inputs.size();
    programs.push_back(*function);
    SmallVector<Tensor> &own = parts.emplace_back();
    for (auto [i, input] : llvm::enumerate(inputs)) {
      FailureOr<Shard> shard = getArgumentShard(*function, i);
      if (failed(shard))
        return failure();
      if (input.getShape() != ArrayRef(shard->shape))
        return function->emitOpError("input ")
               << i << " must have the shape " << shapeToString(shard->shape)
               << ", got " << describe(input);
      Type type = getElementTypeOrSelf(function->getArgumentTypes()[i]);
      if (getElementTypeOf(type) != input.getElementType())
        return function->emitOpError("input ")
               << i << " must have elements of " << type << ", got "
               << describe(input);
      own.push_back(getPart(input, shard->box));
    }
  }
  auto results = interpretRanks(programs, parts, options, report);
  if (failed(results))
    return failure();
  SmallVector<Tensor> whole;
  for (unsigned i = 0; i < programs.front().getNumResults(); ++i) {
    FailureOr<Tensor> tensor = gather(programs, i, *results);
    if (failed(tensor))
      return failure();
    whole.push_back(std::move(*tensor));
  }
  return whole;
}
