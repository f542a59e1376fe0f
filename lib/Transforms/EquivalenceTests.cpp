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
//    set to zero, then halves, quarters, … of the elements that are left (delta
//    debugging), then those are set to 1 one by one.
//
// Nothing is rounded: elements must have the same bits, all NaNs being one.
// Otherwise elements may lie apart by the bound for sums in another order,
// relative to the largest magnitude that either function's result has on the
// inputs or on their absolute values, which is what cancellation loses.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceMethods.h"
#include "TensorAccess/Analysis/Work.h"
#include "TensorAccess/IR/Constants.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

void mlir::tensoraccess::forEachIndexOf(
    ArrayRef<int64_t> shape, function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t n = elementCount(shape).value_or(0); n > 0; --n) {
    visit(index);
    for (size_t d = shape.size(); d-- > 0; index[d] = 0)
      if (++index[d] < shape[d])
        break;
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string printIndex(ArrayRef<int64_t> index) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(index, os);
  os << ']';
  return text;
}

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
  forEachIndexOf(tensor.getShape(), [&](ArrayRef<int64_t> index) {
    double value = tensor.getDouble(index);
    if ((value == 0 && !std::signbit(value)) || ++others > most)
      return;
    text += (others == 1 ? "" : ", ") + printIndex(index) + " = " +
            printElement(tensor, index);
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
    place += " at " + printIndex(*found.index);
  return place + ": expected " + found.expected + ", got " + found.got;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

EquivalenceTester::EquivalenceTester(func::FuncOp first, func::FuncOp second,
                                     const EquivalenceOptions &options)
    : first(first), second(second), options(options) {
  std::optional<Work> a = countWork(first), b = countWork(second);
  if (a && b)
    depth = std::max(a->depth, b->depth);
}

/// The results, or what the interpreter says.
static FailureOr<SmallVector<Tensor>>
runQuietly(func::FuncOp function, ArrayRef<Tensor> inputs, std::string &error) {
  ScopedDiagnosticHandler quiet(function.getContext(), [&](Diagnostic &said) {
    if (said.getSeverity() == DiagnosticSeverity::Error && error.empty())
      error = said.str();
    return success();
  });
  return interpret(function, inputs);
}

/// The greatest finite magnitude.
static double getMagnitude(const Tensor &tensor) {
  double most = 0;
  forEachIndexOf(tensor.getShape(), [&](ArrayRef<int64_t> index) {
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
  forEachIndexOf(a.getShape(), [&](ArrayRef<int64_t> index) {
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
  return printIndex(tensor.getShape());
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
      forEachIndexOf(input.getShape(), [&](ArrayRef<int64_t> index) {
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

/// Values at the edge of what a type holds.
static void fillCorners(Tensor &tensor, std::mt19937_64 &random,
                        bool special) {
  ElementType type = tensor.getElementType();
  forEachIndexOf(tensor.getShape(), [&](ArrayRef<int64_t> index) {
    uint64_t draw = random() % 8;
    if (!isFloat(type)) {
      int64_t least = getLeast(type);
      int64_t values[] = {least, -(least + 1), -1, 0, 1, 2, least + 1, -2};
      return tensor.setInt(index, values[draw]);
    }
    double infinity = std::numeric_limits<double>::infinity();
    // No great finite numbers: a sum that overflows in one order only would be a
    // difference of no interest; infinities absorb in any order.
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
      forEachIndexOf(input.getShape(), [&](ArrayRef<int64_t> index) {
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
    if (!getElementTypeOf(getElementTypeOrSelf(type)) ||
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
/// An element of an input.
struct Place {
  unsigned input;
  SmallVector<int64_t> index;
};
} // namespace

static SmallVector<Tensor> cloneAll(ArrayRef<Tensor> inputs) {
  return llvm::map_to_vector(inputs, [](const Tensor &input) {
    return llvm::cantFail(input.clone());
  });
}

static SmallVector<Place> findNonZero(ArrayRef<Tensor> inputs) {
  SmallVector<Place> places;
  for (auto [i, input] : llvm::enumerate(inputs))
    forEachIndexOf(input.getShape(), [&, i = i, &input = input](auto index) {
      double value = input.getDouble(index);
      if (value != 0 || std::signbit(value))
        places.push_back({unsigned(i), SmallVector<int64_t>(index)});
    });
  return places;
}

Counterexample EquivalenceTester::shrink(Counterexample found) {
  int budget = 256;
  auto attempt = [&](ArrayRef<Tensor> inputs) {
    bool ran;
    if (budget-- <= 0)
      return false;
    std::optional<Counterexample> smaller = run(inputs, ran);
    // The same kind of difference.
    if (!smaller || (smaller->failing != 0) != (found.failing != 0))
      return false;
    found = std::move(*smaller);
    return true;
  };
  for (unsigned i = 0; i < found.inputs.size(); ++i) {
    SmallVector<Tensor> inputs = cloneAll(found.inputs);
    ElementType type = inputs[i].getElementType();
    fillElements(inputs[i], Tensor::scalarInt(type, 0));
    attempt(inputs);
  }
  SmallVector<Place> places = findNonZero(found.inputs);
  for (size_t chunk = (places.size() + 1) / 2; chunk > 0 && budget > 0;
       chunk = chunk == 1 ? 0 : (chunk + 1) / 2) {
    for (size_t begin = 0; begin < places.size() && budget > 0;) {
      size_t end = std::min(begin + chunk, places.size());
      SmallVector<Tensor> inputs = cloneAll(found.inputs);
      for (const Place &place : ArrayRef(places).slice(begin, end - begin))
        inputs[place.input].setInt(place.index, 0);
      if (attempt(inputs))
        places.erase(places.begin() + begin, places.begin() + end);
      else
        begin = end;
    }
  }
  for (const Place &place : ArrayRef(places).take_front(16)) {
    const Tensor &input = found.inputs[place.input];
    if (input.getDouble(place.index) == 1)
      continue;
    SmallVector<Tensor> inputs = cloneAll(found.inputs);
    inputs[place.input].setInt(place.index, 1);
    attempt(inputs);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The method
//===----------------------------------------------------------------------===//

EquivalenceAnswer EquivalenceTester::test() {
  EquivalenceAnswer answer;
  answer.message = getProblem();
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
  std::string lastFailure;
  for (int64_t trial = 0; trial < options.trials; ++trial) {
    int64_t turn = trial / rounds;
    int kind = turn < NumKinds ? static_cast<int>(turn) : Random;
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
    ++(ran ? answer.inputs : answer.failures);
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
        getElementTypeOf(getElementTypeOrSelf(type));
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
  return answer;
}
