//===- ContractWitness.cpp - Two runs that break a contract ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Inputs are random; an argument that a contract mentions is made such that
//    it is not vacuous: segments that follow each other, places that are
//    to be ignored and others.
// 2. An output is chosen, those of violations first, and all input elements that
//    must not matter to it are changed.
// 3. Both run. An element that differs, to which none of the changed ones may
//    matter, makes a witness. Only numbers count: two zeros are equal, and
//    results that are infinite or NaN show nothing.
// 4. Changes are undone, by halves, as long as it differs.
//
// What is forbidden is decided by numbers here, not by the regions of the proof.
//
//===----------------------------------------------------------------------===//

#include "Equivalence/EquivalenceMethods.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Transforms/Contracts.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InterleavedRange.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

using Index = SmallVector<int64_t>;

/// Most outputs that differ for which it is asked whether they may.
static constexpr int64_t kMaxOutputs = 256;

namespace {
/// An element of an argument.
struct Place {
  unsigned argument;
  Index index;
};

class WitnessSearch {
public:
  WitnessSearch(FunctionOpInterface function, const Contract &contract,
                const ContractOptions &options)
      : function(function), contract(contract), options(options),
        obligations(getObligations(contract, function)) {}

  std::optional<ContractWitness> run(ArrayRef<Violation> violations);

private:
  std::optional<SmallVector<Tensor>> execute(ArrayRef<Tensor> inputs);
  bool isForbidden(const Obligation &obligation, ArrayRef<int64_t> out,
                   ArrayRef<int64_t> in, ArrayRef<Tensor> inputs) const;
  bool mustNotMatter(unsigned result, ArrayRef<int64_t> out, const Place &place,
                     ArrayRef<Tensor> inputs) const;
  void prepare(SmallVectorImpl<Tensor> &inputs, std::mt19937_64 &random) const;
  SmallVector<Tensor> change(ArrayRef<Tensor> inputs, ArrayRef<Place> places,
                             ArrayRef<Tensor> others, double scale) const;
  std::optional<ContractWitness>
  compare(ArrayRef<Tensor> inputs, ArrayRef<Tensor> before,
          const std::pair<unsigned, Index> &output, SmallVector<Place> places,
          ArrayRef<Tensor> others, double scale);

  FunctionOpInterface function;
  const Contract &contract;
  const ContractOptions &options;
  std::vector<Obligation> obligations;
  int64_t operations = 0;
};
} // namespace

std::optional<SmallVector<Tensor>>
WitnessSearch::execute(ArrayRef<Tensor> inputs) {
  ScopedDiagnosticHandler quiet(function->getContext(),
                                [](Diagnostic &) { return success(); });
  InterpreterOptions interpreter;
  interpreter.maxOperations = options.maxOperations - operations;
  if (interpreter.maxOperations <= 0)
    return std::nullopt;
  interpreter.operations = &operations;
  // Results may be views of memory that inputs own.
  SmallVector<Tensor> own;
  for (const Tensor &input : inputs) {
    llvm::Expected<Tensor> copy = input.clone();
    if (!copy) {
      llvm::consumeError(copy.takeError());
      return std::nullopt;
    }
    own.push_back(*copy);
  }
  FailureOr<SmallVector<Tensor>> results =
      interpret(function, own, interpreter);
  if (failed(results))
    return std::nullopt;
  return *results;
}

bool WitnessSearch::isForbidden(const Obligation &obligation,
                                ArrayRef<int64_t> out, ArrayRef<int64_t> in,
                                ArrayRef<Tensor> inputs) const {
  using Kind = Contract::Kind;
  const int64_t distance =
      contract.kind == Kind::Causal || contract.kind == Kind::Independent ||
              contract.kind == Kind::Within
          ? in[contract.argumentDim] - out[contract.resultDim]
          : 0;
  switch (contract.kind) {
  case Kind::Causal:
    return distance > 0;
  case Kind::Independent:
    return distance != 0;
  case Kind::Within:
    return distance > contract.future || distance < -contract.past;
  case Kind::Ignores: {
    if (contract.interval &&
        !contract.interval->contains(in[contract.argumentDim]))
      return false;
    if (!contract.where)
      return true;
    const Tensor &values = inputs[*contract.where];
    auto isIt = [&](ArrayRef<int64_t> index) {
      return values.getDouble(index.take_front(values.getRank())) ==
                 double(contract.number) ||
             (values.getElementType() == ElementType::I1 &&
              values.getInt(index.take_front(values.getRank())) != 0 &&
              contract.number == 1);
    };
    return isIt(in) && (!contract.isOutputWhere || !isIt(out));
  }
  case Kind::Segments: {
    const Tensor &segments = inputs[contract.argument];
    const int64_t rank = segments.getRank();
    return out.take_front(rank - 1) == in.take_front(rank - 1) &&
           segments.getInt(out.take_front(rank)) !=
               segments.getInt(in.take_front(rank));
  }
  case Kind::Reads: {
    SmallVector<Interval> ranges(contract.map.getRanges());
    for (auto [i, index] : llvm::enumerate(out))
      ranges[i] = ranges[i].intersect(Interval::point(index));
    IndexingMap map = contract.map.withRanges(ranges);
    for (auto [i, index] : llvm::enumerate(in))
      map = map.withConstraint(map.getResult(i), Interval::point(index));
    return isEmpty(map.simplify()) == true;
  }
  }
  llvm_unreachable("every contract forbids something");
}

bool WitnessSearch::mustNotMatter(unsigned result, ArrayRef<int64_t> out,
                                  const Place &place,
                                  ArrayRef<Tensor> inputs) const {
  return llvm::any_of(obligations, [&](const Obligation &obligation) {
    return obligation.result == result &&
           obligation.argument == place.argument &&
           isForbidden(obligation, out, place.index, inputs);
  });
}

/// Gives the argument that the contract mentions values that matter.
void WitnessSearch::prepare(SmallVectorImpl<Tensor> &inputs,
                            std::mt19937_64 &random) const {
  if (contract.kind == Contract::Kind::Segments) {
    Tensor &segments = inputs[contract.argument];
    int64_t segment = 0;
    forEachIndex(segments.getShape(), [&](ArrayRef<int64_t> index) {
      if (index.back() == 0)
        segment = random() % 2;
      else if (random() % 3 == 0)
        ++segment;
      segments.setInt(index, segments.getElementType() == ElementType::I1
                                 ? segment % 2
                                 : segment);
    });
  }
  if (contract.where) {
    Tensor &values = inputs[*contract.where];
    const int64_t other = contract.number == 0 ? 1 : 0;
    forEachIndex(values.getShape(), [&](ArrayRef<int64_t> index) {
      values.setDouble(index, random() % 3 == 0 ? contract.number : other);
    });
  }
}

SmallVector<Tensor> WitnessSearch::change(ArrayRef<Tensor> inputs,
                                          ArrayRef<Place> places,
                                          ArrayRef<Tensor> others,
                                          double scale) const {
  SmallVector<Tensor> changed;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    const bool isTouched = llvm::any_of(
        places, [&, i = i](const Place &p) { return p.argument == i; });
    llvm::Expected<Tensor> copy = input.clone();
    if (!isTouched || !copy) {
      if (!copy)
        llvm::consumeError(copy.takeError());
      changed.push_back(input);
      continue;
    }
    changed.push_back(*copy);
  }
  for (const Place &place : places) {
    Tensor &tensor = changed[place.argument];
    const Tensor &other = others[place.argument];
    if (tensor.getElementType() == ElementType::I1)
      tensor.setInt(place.index, tensor.getInt(place.index) == 0);
    else if (isFloat(tensor.getElementType()))
      tensor.setDouble(place.index, other.getDouble(place.index) * scale);
    else
      tensor.setInt(place.index, other.getInt(place.index));
  }
  return changed;
}

static std::string print(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

std::optional<ContractWitness>
WitnessSearch::compare(ArrayRef<Tensor> inputs, ArrayRef<Tensor> before,
                       const std::pair<unsigned, Index> &output,
                       SmallVector<Place> places, ArrayRef<Tensor> others,
                       double scale) {
  struct Difference {
    unsigned result;
    Index index;
    double before, after;
  };
  auto findDifference =
      [&](ArrayRef<Tensor> changed,
          ArrayRef<Place> which) -> std::optional<Difference> {
    auto after = execute(changed);
    std::optional<Difference> found;
    int64_t tried = 0;
    auto look = [&](unsigned r, ArrayRef<int64_t> index) {
      double a = before[r].getDouble(index);
      double b = (*after)[r].getDouble(index);
      if (found || a == b || !std::isfinite(a) || !std::isfinite(b) ||
          ++tried > kMaxOutputs)
        return;
      if (llvm::all_of(which, [&](const Place &place) {
            return mustNotMatter(r, index, place, inputs);
          }))
        found = Difference{r, Index(index), a, b};
    };
    if (!after)
      return found;
    // The output that they were changed for comes first.
    look(output.first, output.second);
    for (unsigned r = 0; r < after->size() && !found; ++r)
      forEachIndex(before[r].getShape(),
                   [&](ArrayRef<int64_t> index) { look(r, index); });
    return found;
  };
  SmallVector<Tensor> changed = change(inputs, places, others, scale);
  std::optional<Difference> found = findDifference(changed, places);
  if (!found)
    return std::nullopt;
  // By halves.
  while (places.size() > 1) {
    bool isSmaller = false;
    for (bool second : {false, true}) {
      const size_t half = places.size() / 2;
      SmallVector<Place> part(second ? ArrayRef(places).drop_front(half)
                                     : ArrayRef(places).take_front(half));
      SmallVector<Tensor> smaller = change(inputs, part, others, scale);
      if (auto still = findDifference(smaller, part)) {
        places = std::move(part);
        changed = std::move(smaller);
        found = still;
        isSmaller = true;
        break;
      }
    }
    if (!isSmaller)
      break;
  }
  ContractWitness witness;
  witness.inputs.assign(inputs.begin(), inputs.end());
  witness.changed = std::move(changed);
  witness.result = found->result;
  witness.index = found->index;
  witness.before = print(found->before);
  witness.after = print(found->after);
  witness.argument = places[0].argument;
  witness.place = places[0].index;
  witness.numChanged = places.size();
  return witness;
}

std::optional<ContractWitness>
WitnessSearch::run(ArrayRef<Violation> violations) {
  // Outputs to try: those of violations, then any.
  SmallVector<std::pair<unsigned, Index>> outputs;
  for (const Violation &violation : violations) {
    if (violation.pairs.isUnknown())
      continue;
    std::optional<Point> point = findPoint(violation.pairs, 1 << 12);
    auto pair = point ? violation.pairs.evaluateAt(*point) : std::nullopt;
    if (pair)
      outputs.push_back({violation.result, Index(ArrayRef(*pair).take_front(
                                               violation.pairs.getNumDims()))});
  }
  SmallVector<unsigned> results;
  for (const Violation &violation : violations)
    if (!llvm::is_contained(results, violation.result))
      results.push_back(violation.result);
  if (results.empty())
    return std::nullopt;
  std::mt19937_64 random(options.seed);
  std::optional<SmallVector<Tensor>> before;
  SmallVector<Tensor> inputs;
  for (int64_t trial = 0; trial < options.trials; ++trial) {
    auto make = [&](uint64_t seed) -> std::optional<SmallVector<Tensor>> {
      ScopedDiagnosticHandler quiet(function->getContext(),
                                    [](Diagnostic &) { return success(); });
      FailureOr<SmallVector<Tensor>> made =
          randomInputs(function, seed,
                       trial % 2 ? RandomRange::Symmetric : RandomRange::Model);
      return failed(made) ? std::nullopt : std::optional(*made);
    };
    auto own = make(options.seed + 2 * trial),
         others = make(options.seed + 2 * trial + 1);
    if (!own || !others)
      return std::nullopt;
    inputs = std::move(*own);
    prepare(inputs, random);
    before = execute(inputs);
    if (!before) {
      if (operations >= options.maxOperations)
        return std::nullopt;
      continue;
    }
    std::pair<unsigned, Index> output;
    if (trial < int64_t(2 * outputs.size())) {
      output = outputs[trial / 2];
    } else {
      output.first = results[trial % results.size()];
      for (int64_t size : (*before)[output.first].getShape())
        output.second.push_back(size ? random() % size : 0);
    }
    SmallVector<Place> places;
    for (const Obligation &obligation : obligations)
      if (obligation.result == output.first)
        forEachIndex(
            inputs[obligation.argument].getShape(),
            [&](ArrayRef<int64_t> index) {
              if (isForbidden(obligation, output.second, index, inputs))
                places.push_back({obligation.argument, Index(index)});
            });
    if (places.empty())
      continue;
    constexpr double kScales[] = {1, 8, 0.125, 64};
    if (auto witness = compare(inputs, *before, output, std::move(places),
                               *others, kScales[(trial / 2) % 4]))
      return witness;
  }
  return std::nullopt;
}

std::optional<ContractWitness> tensoraccess::findWitness(
    FunctionOpInterface function, const Contract &contract,
    ArrayRef<Violation> violations, const ContractOptions &options) {
  if (options.trials == 0 || violations.empty())
    return std::nullopt;
  // The interpreter does not know TOSA.
  OwningOpRef<ModuleOp> lowered;
  if (auto own = dyn_cast<func::FuncOp>(*function)) {
    ScopedDiagnosticHandler quiet(function->getContext(),
                                  [](Diagnostic &) { return success(); });
    lowered = lowerForTests(own);
  }
  if (lowered)
    if (auto runs =
            lowered->lookupSymbol<FunctionOpInterface>(function.getName()))
      function = runs;
  return WitnessSearch(function, contract, options).run(violations);
}

std::string ContractWitness::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto at = [&](ArrayRef<int64_t> index) {
    if (!index.empty())
      os << " at " << llvm::interleaved_array(index);
  };
  os << "result " << result;
  at(index);
  os << " is " << before << ", and " << after << " if arg " << argument
     << " is changed";
  at(place);
  if (numChanged > 1)
    os << " and " << numChanged - 1 << " more";
  return text;
}
