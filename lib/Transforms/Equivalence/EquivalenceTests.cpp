//===- EquivalenceTests.cpp - Running two functions on the same inputs ----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Sizes of `?`: all the same, for each of the sizes asked for, then mixed.
// 2. Elements: small whole numbers, random ones, then corners: zeros, ones,
//    the least and greatest integers, and NaN, infinities and -0 among floats.
//    Each combination of sizes gets the kinds in turn.
// 3. Both functions run in the interpreter. If one fails where the other does
//    not, or an element of a result differs, a counterexample is found.
// 4. It is made smaller as long as the functions still differ: whole inputs are
//    set to zero, then halves, quarters, … of what must stay, the larger first,
//    then elements that are left are set to 1 one by one.
// 5. Corners again, by rows that leave out no pair (EquivalenceCorners.cpp), as
//    many as take little time.
// 6. Of large functions there are fewer runs. A result of NaNs alone shows
//    nothing, and does not count as a test.
//
// Nothing is rounded: elements must have the same bits, all NaNs being one.
// Otherwise elements may differ by the bound for sums in another order,
// relative to the largest magnitude that either function's result has on the
// inputs or on their absolute values, which is what cancellation loses.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceMethods.h"
#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Progress.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InterleavedRange.h"

#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string printElement(const Tensor &tensor, ArrayRef<int64_t> index) {
  ElementType type = tensor.getElementType();
  if (type == ElementType::I1)
    return tensor.getInt(index) ? "true" : "false";
  if (!isFloat(type))
    return std::to_string(tensor.getInt(index));
  double value = tensor.getDouble(index);
  if (std::isnan(value))
    return "nan";
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format(type == ElementType::F64 ? "%.17g" : "%.9g", value);
  return text;
}

std::string mlir::tensoraccess::describeElements(const Tensor &tensor) {
  constexpr int64_t most = 8;
  if (tensor.getRank() == 0)
    return printElement(tensor, {});
  std::string text;
  int64_t others = 0;
  forEachIndex(tensor.getShape(), [&](ArrayRef<int64_t> index) {
    double value = tensor.getDouble(index);
    if ((value == 0 && !std::signbit(value)) || ++others > most)
      return;
    text += (others == 1 ? "" : ", ") + llvm::interleaved_array(index).str() +
            " = " + printElement(tensor, index);
  });
  if (tensor.getNumElements() == 0)
    return "empty";
  if (others == 0)
    return "0";
  if (others > most)
    text += ", and " + std::to_string(others - most) + " more";
  return "0 but for " + text;
}

std::string mlir::tensoraccess::describe(const Counterexample &found) {
  if (found.failing != 0)
    return std::string("only the ") +
           (found.failing == 1 ? "first" : "second") +
           " one fails: " + found.failure;
  std::string place = "result " + std::to_string(found.result);
  if (!found.index)
    return place + " has other sizes: expected " + found.expected + ", got " +
           found.got;
  if (!found.index->empty())
    place += " at " + llvm::interleaved_array(*found.index).str();
  return place + ": expected " + found.expected + ", got " + found.got;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

EquivalenceTester::EquivalenceTester(func::FuncOp original, func::FuncOp other,
                                     const EquivalenceOptions &options)
    : first(original), second(other), options(options) {
  for (auto [function, module] :
       {std::pair(&first, &firstLowered), std::pair(&second, &secondLowered)})
    if ((*module = lowerForTests(*function)))
      *function = (*module)->lookupSymbol<func::FuncOp>(function->getName());
  std::optional<Work> a = countWork(*cloneInlined(first)),
                      b = countWork(*cloneInlined(second));
  if (!a || !b)
    return;
  depth = std::max(a->depth, b->depth);
  operations = checkedAdd(a->operations, b->operations);
}

std::string EquivalenceTester::getExcess() const {
  if (!operations || *operations <= options.maxOperations)
    return {};
  return "a run of both takes about " + std::to_string(*operations) +
         " operations, and the limit is " +
         std::to_string(options.maxOperations);
}

/// Branches from block to block in one run.
static constexpr int64_t kMaxBranches = int64_t(1) << 18;

int64_t EquivalenceTester::limitRuns(int64_t total) const {
  if (!operations || *operations == 0)
    return total;
  return std::clamp<int64_t>(options.maxOperations / *operations, 1, total);
}

FailureOr<SmallVector<Tensor>>
EquivalenceTester::runQuietly(func::FuncOp function, ArrayRef<Tensor> inputs,
                              std::string &error) {
  CapturedErrors captured(function.getContext());
  InterpreterOptions limits;
  limits.maxBranches = kMaxBranches;
  if (!operations) {
    limits.maxOperations = std::max<int64_t>(options.maxOperations - spent, 0);
    limits.operations = &spent;
  }
  FailureOr<SmallVector<Tensor>> results = interpret(function, inputs, limits);
  if (error.empty())
    error = captured.getFirst();
  return results;
}

/// Whether the interpreter stopped at a limit of its own.
static bool isLimit(StringRef error) {
  return error.contains(" op is one of more than ") ||
         error.ends_with(" calls deep");
}

/// The greatest finite magnitude.
static double getMagnitude(const Tensor &tensor) {
  double most = 0;
  forEachIndex(tensor.getShape(), [&](ArrayRef<int64_t> index) {
    double value = std::fabs(tensor.getDouble(index));
    if (std::isfinite(value))
      most = std::max(most, value);
  });
  return most;
}

static bool isNaN(const Tensor &tensor, ArrayRef<int64_t> index) {
  return isFloat(tensor.getElementType()) &&
         std::isnan(tensor.getDouble(index));
}

/// Whether it has elements, and they are all NaN.
static bool isAllNaN(const Tensor &tensor) {
  bool isAll = isFloat(tensor.getElementType()) && tensor.getNumElements() != 0;
  forEachIndex(tensor.getShape(), [&](ArrayRef<int64_t> index) {
    isAll = isAll && isNaN(tensor, index);
  });
  return isAll;
}

/// The same bits, or both NaN.
static bool isSame(const Tensor &a, const Tensor &b, ArrayRef<int64_t> index) {
  return std::memcmp(a.getElement(index), b.getElement(index),
                     byteSize(a.getElementType())) == 0 ||
         (isNaN(a, index) && isNaN(b, index));
}

/// The first index where two tensors of one shape differ by more than allowed;
/// `allowed` 0 asks for the same bits.
static std::optional<SmallVector<int64_t>>
findDifference(const Tensor &a, const Tensor &b, double allowed, bool exact) {
  std::optional<SmallVector<int64_t>> found;
  forEachIndex(a.getShape(), [&](ArrayRef<int64_t> index) {
    if (found || isSame(a, b, index))
      return;
    if (!exact) {
      double x = a.getDouble(index), y = b.getDouble(index);
      if (x == y || std::fabs(x - y) <= allowed)
        return;
    }
    found = SmallVector<int64_t>(index);
  });
  return found;
}

static std::string printShape(const Tensor &tensor) {
  return llvm::interleaved_array(tensor.getShape()).str();
}

std::optional<Counterexample>
EquivalenceTester::compareResult(unsigned number, const Tensor &expected,
                                 const Tensor &got) const {
  Counterexample found;
  found.result = number;
  if (expected.getShape() != got.getShape()) {
    found.expected = printShape(expected);
    found.got = printShape(got);
    return found;
  }
  ElementType type = expected.getElementType();
  double relative = options.tolerance ? *options.tolerance
                                      : defaultTolerance(type, depth).relative;
  if (!isFloat(type))
    relative = 0;
  double allowed = relative == 0 ? 0
                                 : relative * std::max(getMagnitude(expected),
                                                       getMagnitude(got));
  std::optional<SmallVector<int64_t>> index =
      findDifference(expected, got, allowed, relative == 0);
  if (!index)
    return std::nullopt;
  found.index = index;
  found.expected = printElement(expected, *index);
  found.got = printElement(got, *index);
  return found;
}

/// The absolute values.
static SmallVector<Tensor> makeAbsolute(ArrayRef<Tensor> inputs) {
  SmallVector<Tensor> copies;
  for (const Tensor &input : inputs) {
    copies.push_back(llvm::cantFail(input.clone()));
    if (isFloat(input.getElementType()))
      forEachIndex(input.getShape(), [&](ArrayRef<int64_t> index) {
        copies.back().setDouble(index, std::fabs(input.getDouble(index)));
      });
  }
  return copies;
}

std::optional<Counterexample> EquivalenceTester::run(ArrayRef<Tensor> inputs,
                                                     bool &ran) {
  std::string firstError, secondError;
  FailureOr<SmallVector<Tensor>> a = runQuietly(first, inputs, firstError);
  FailureOr<SmallVector<Tensor>> b = runQuietly(second, inputs, secondError);
  ran = succeeded(a) && succeeded(b);
  if (options.refines && failed(a))
    return std::nullopt;
  // If the interpreter gave up it is unknown what the function does.
  if (isLimit(firstError) || isLimit(secondError))
    return std::nullopt;
  isBlind = ran && !a->empty() && llvm::all_of(*a, isAllNaN);
  std::optional<Counterexample> found;
  if (failed(a) != failed(b)) {
    found.emplace();
    found->failing = failed(a) ? 1 : 2;
    found->failure = failed(a) ? firstError : secondError;
  } else if (ran) {
    for (unsigned i = 0; !found && i < a->size(); ++i) {
      found = compareResult(i, (*a)[i], (*b)[i]);
      if (!found || !found->index || options.tolerance || depth == 0 ||
          !isFloat((*a)[i].getElementType()))
        continue;
      // What cancels is as large as it is with all signs equal.
      std::string ignored;
      SmallVector<Tensor> absolute = makeAbsolute(inputs);
      FailureOr<SmallVector<Tensor>> large =
          runQuietly(first, absolute, ignored);
      if (failed(large))
        continue;
      double allowed =
          defaultTolerance((*a)[i].getElementType(), depth).relative *
          getMagnitude((*large)[i]);
      std::optional<SmallVector<int64_t>> index =
          findDifference((*a)[i], (*b)[i], allowed, false);
      if (index) {
        found->index = index;
        found->expected = printElement((*a)[i], *index);
        found->got = printElement((*b)[i], *index);
      } else if ((*large)[i].getShape() == (*a)[i].getShape()) {
        found.reset();
      }
    }
  }
  if (found)
    found->inputs.assign(inputs.begin(), inputs.end());
  return found;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Kinds of inputs in the order in which they are tried.
enum Kind { Whole, Random, Positive, Corners, Zeros, Ones, NumKinds };

static int64_t getLeast(ElementType type) {
  return bitWidth(type) == 64 ? INT64_MIN
                              : -(int64_t(1) << (bitWidth(type) - 1));
}

/// Extreme values of a type.
static void fillCorners(Tensor &tensor, std::mt19937_64 &random, bool special) {
  ElementType type = tensor.getElementType();
  forEachIndex(tensor.getShape(), [&](ArrayRef<int64_t> index) {
    uint64_t draw = random() % 8;
    if (!isFloat(type)) {
      int64_t least = getLeast(type);
      int64_t values[] = {least, -(least + 1), -1, 0, 1, 2, least + 1, -2};
      return tensor.setInt(index, values[draw]);
    }
    double infinity = std::numeric_limits<double>::infinity();
    // No great finite numbers: a sum that overflows in one order only would be
    // an irrelevant difference; infinities absorb in any order.
    double values[] = {std::nan(""), infinity, -infinity, -0.0, 0, 1, -1, 2};
    tensor.setDouble(index, special ? values[draw] : double(draw) - 4);
  });
}

FailureOr<SmallVector<Tensor>>
EquivalenceTester::makeInputs(ArrayRef<int64_t> sizes, int kind,
                              uint64_t stream) {
  uint64_t seed = options.seed + stream;
  FailureOr<SmallVector<Tensor>> inputs = randomInputs(
      first, seed,
      kind == Positive ? RandomRange::Positive : RandomRange::Symmetric, sizes);
  if (failed(inputs))
    return failure();
  std::mt19937_64 random(seed);
  for (Tensor &input : *inputs) {
    ElementType type = input.getElementType();
    switch (kind) {
    case Whole:
      forEachIndex(input.getShape(), [&](ArrayRef<int64_t> index) {
        int64_t value = static_cast<int64_t>(random() % 15) - 7;
        isFloat(type) ? input.setDouble(index, static_cast<double>(value))
                      : input.setInt(index, value);
      });
      break;
    case Corners:
      fillCorners(input, random, options.specialValues);
      break;
    case Zeros:
    case Ones:
      fillElements(input, Tensor::scalarInt(type, kind == Ones));
      break;
    default:
      break;
    }
  }
  return inputs;
}

/// The number of `?` in the arguments.
static int64_t countDynamic(func::FuncOp function) {
  int64_t count = 0;
  for (Type type : function.getArgumentTypes())
    if (auto shaped = dyn_cast<ShapedType>(type))
      if (shaped.hasRank())
        count += shaped.getNumDynamicDims();
  return count;
}

std::string EquivalenceTester::getProblem() const {
  for (auto [i, type] : llvm::enumerate(first.getArgumentTypes())) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!getHeldTypeOf(getElementTypeOrSelf(type)) ||
        isa<BaseMemRefType>(type) || (shaped && !shaped.hasRank())) {
      std::string text;
      llvm::raw_string_ostream(text) << "input " << i << " is of type " << type
                                     << ", for which no inputs are made";
      return text;
    }
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Shrinking
//===----------------------------------------------------------------------===//

namespace {
/// Elements of an input, in row-major order.
struct Part {
  unsigned input;
  int64_t begin, end;
};
} // namespace

static SmallVector<Tensor> cloneAll(ArrayRef<Tensor> inputs) {
  return llvm::map_to_vector(inputs, [](const Tensor &input) {
    return llvm::cantFail(input.clone());
  });
}

/// Bytes of a part of a dense tensor.
static MutableArrayRef<char> getBytes(Tensor &tensor, const Part &part) {
  const int64_t size = byteSize(tensor.getElementType());
  return {tensor.getDataAs<char>() + part.begin * size,
          static_cast<size_t>((part.end - part.begin) * size)};
}

Counterexample EquivalenceTester::shrink(Counterexample found) {
  constexpr int64_t most = 256;
  int64_t budget = limitRuns(most);
  spent = 0;
  auto attempt = [&](ArrayRef<Tensor> inputs) {
    bool ran;
    if (budget-- <= 0 || !mayRun())
      return false;
    std::optional<Counterexample> smaller = run(inputs, ran);
    // The same kind of difference.
    if (!smaller || (smaller->failing != 0) != (found.failing != 0))
      return false;
    found = std::move(*smaller);
    return true;
  };
  // Whole inputs, then halves of what must stay, and so on: the larger first.
  std::deque<Part> parts;
  SmallVector<Part> elements;
  auto add = [&](Part part) {
    auto isLarger = [](const Part &a, const Part &b) {
      return a.end - a.begin > b.end - b.begin;
    };
    if (part.begin != part.end)
      parts.insert(std::upper_bound(parts.begin(), parts.end(), part, isLarger),
                   part);
  };
  for (auto [i, input] : llvm::enumerate(found.inputs))
    add({unsigned(i), 0, input.getNumElements()});
  while (!parts.empty() && budget > 0 && mayRun()) {
    const Part part = parts.front();
    parts.pop_front();
    if (llvm::all_of(getBytes(found.inputs[part.input], part),
                     [](char byte) { return byte == 0; }))
      continue;
    SmallVector<Tensor> inputs = cloneAll(found.inputs);
    llvm::fill(getBytes(inputs[part.input], part), 0);
    if (attempt(inputs))
      continue;
    if (part.end - part.begin == 1) {
      elements.push_back(part);
      continue;
    }
    const int64_t middle = part.begin + (part.end - part.begin) / 2;
    add({part.input, part.begin, middle});
    add({part.input, middle, part.end});
  }
  for (const Part &part : ArrayRef(elements).take_front(16)) {
    Tensor one =
        Tensor::scalarInt(found.inputs[part.input].getElementType(), 1);
    SmallVector<Tensor> inputs = cloneAll(found.inputs);
    MutableArrayRef<char> bytes = getBytes(inputs[part.input], part);
    if (std::memcmp(bytes.data(), one.getDataAs<char>(), bytes.size()) == 0)
      continue;
    std::memcpy(bytes.data(), one.getDataAs<char>(), bytes.size());
    attempt(inputs);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The method
//===----------------------------------------------------------------------===//

/// Operations of arithmetic that rows of corners may take; how many rows there
/// are of functions whose operations can't be counted, if inputs are small.
static constexpr int64_t kCornerOperations = int64_t(1) << 21,
                         kUncountedRows = 44, kSmallInput = 4096;

std::optional<Counterexample>
EquivalenceTester::testCorners(ArrayRef<int64_t> sizes,
                               EquivalenceAnswer &answer) {
  // Where more than one rounding follows another, sums may overflow in one
  // order only: an irrelevant difference.
  CornerInputs corners(first, second, options.specialValues,
                       depth && *depth <= 1);
  const int64_t rows = corners.getNumRows();
  if (rows == 0)
    return std::nullopt;
  FailureOr<SmallVector<Tensor>> inputs = makeInputs(sizes, Zeros, 0);
  if (failed(inputs))
    return std::nullopt;
  int64_t most = 0;
  for (const Tensor &input : *inputs)
    most = std::max(most, input.getNumElements());
  int64_t left = operations
                     ? std::min(kCornerOperations, options.maxOperations) /
                           std::max<int64_t>(*operations, 1)
                 : most < 2            ? rows
                 : most <= kSmallInput ? kUncountedRows
                                       : 0;
  for (bool byElement : {false, true}) {
    if (byElement && most < 2)
      break;
    const int64_t step = byElement ? most : 1;
    for (int64_t row = 0; row < rows && left > 0 && mayRun();
         row += step, --left) {
      SmallVector<Tensor> filled = cloneAll(*inputs);
      corners.fill(filled, row, byElement);
      bool ran;
      if (std::optional<Counterexample> found = run(filled, ran))
        return found;
      if (!ran)
        ++answer.failures;
      else if (!isBlind)
        ++answer.inputs;
    }
  }
  return std::nullopt;
}

EquivalenceAnswer EquivalenceTester::test(bool withCorners) {
  EquivalenceAnswer answer;
  answer.message = getProblem();
  if (answer.message.empty())
    answer.message = getExcess();
  if (!answer.message.empty())
    return answer;
  const int64_t dynamic = countDynamic(first);
  SmallVector<SmallVector<int64_t>> assignments;
  if (dynamic == 0) {
    assignments.emplace_back();
  } else {
    for (int64_t size : options.sizes)
      assignments.emplace_back(dynamic, size);
    std::mt19937_64 random(options.seed);
    for (size_t i = 0; dynamic > 1 && i < options.sizes.size(); ++i) {
      SmallVector<int64_t> &mixed = assignments.emplace_back();
      for (int64_t d = 0; d < dynamic; ++d)
        mixed.push_back(options.sizes[random() % options.sizes.size()]);
    }
  }
  const auto rounds = static_cast<int64_t>(assignments.size());
  int64_t trials = limitRuns(options.trials);
  int64_t blind = 0, most = trials;
  ProgressSteps progress("trials", most);
  for (int64_t trial = 0; trial < most; ++trial) {
    progress.set(trial);
    if (isCancelled()) {
      trials = trial;
      break;
    }
    int64_t turn = trial / rounds;
    int kind = turn < NumKinds ? static_cast<int>(turn) : Random;
    // Of few trials, first those that suit roots and logarithms.
    if (trials < NumKinds && turn < 3)
      kind = turn == 0 ? Positive : turn == 1 ? Whole : Random;
    FailureOr<SmallVector<Tensor>> inputs =
        makeInputs(assignments[trial % rounds], kind, trial);
    if (failed(inputs)) {
      answer.message = "no inputs can be made";
      return answer;
    }
    bool ran;
    if (std::optional<Counterexample> found = run(*inputs, ran)) {
      answer.verdict = EquivalenceVerdict::Refuted;
      answer.method = "tests";
      answer.counterexample = shrink(std::move(*found));
      return answer;
    }
    if (!ran && !mayRun()) {
      trials = trial;
      break;
    }
    if (ran && isBlind) {
      // Few trials are not to be wasted.
      most += ++blind == 1 && most < options.trials;
      continue;
    }
    ++(ran ? answer.inputs : answer.failures);
  }
  // Without a second rounding there are no sums to be reordered.
  if (withCorners || (depth && *depth <= 1)) {
    // The least of the sizes above 1 shows most in little time.
    int64_t size = 0;
    for (int64_t other : options.sizes)
      if (size < 2 ? other > size : other > 1 && other < size)
        size = other;
    if (std::optional<Counterexample> found =
            testCorners(SmallVector<int64_t>(dynamic, size), answer)) {
      answer.verdict = EquivalenceVerdict::Refuted;
      answer.method = "tests";
      answer.counterexample = shrink(std::move(*found));
      return answer;
    }
  }
  if (answer.inputs == 0 && blind != 0) {
    answer.message = "all results were NaN on all " + std::to_string(blind) +
                     " inputs, which shows nothing";
    return answer;
  }
  if (answer.inputs == 0 && !mayRun()) {
    answer.message = "the limit of " + std::to_string(options.maxOperations) +
                     " operations does not suffice for a run of both";
    return answer;
  }
  if (answer.inputs == 0) {
    std::string error;
    FailureOr<SmallVector<Tensor>> inputs =
        makeInputs(assignments.back(), Random, 0);
    if (succeeded(inputs))
      (void)runQuietly(first, *inputs, error);
    answer.message = "both fail on all inputs: " + error;
    return answer;
  }
  answer.verdict = EquivalenceVerdict::Tested;
  answer.method = "tests";
  SmallVector<std::string> bounds;
  for (auto [i, type] : llvm::enumerate(first.getResultTypes())) {
    std::optional<ElementType> element =
        getHeldTypeOf(getElementTypeOrSelf(type));
    if (!element)
      continue;
    Tolerance bound = defaultTolerance(*element, depth);
    std::string text = bound.relative == 0 ? "bit for bit" : bound.reason;
    if (options.tolerance && isFloat(*element))
      text = "a tolerance of " + std::to_string(*options.tolerance);
    if (!llvm::is_contained(bounds, text))
      bounds.push_back(text);
  }
  answer.message = "compared " + llvm::join(bounds, "; ");
  if (trials < options.trials)
    answer.message += "; the limit of operations allows for " +
                      std::to_string(trials) + " of " +
                      std::to_string(options.trials) + " trials";
  return answer;
}
