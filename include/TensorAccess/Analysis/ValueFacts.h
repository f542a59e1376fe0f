//===- ValueFacts.h - What is known of values, and where --------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_ANALYSIS_VALUEFACTS_H
#define TENSORACCESS_ANALYSIS_VALUEFACTS_H

#include "TensorAccess/Models/Control.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

//===----------------------------------------------------------------------===//
// What is known about values, and where
//
// A *fact* describes the elements of a value on a *region*, the domain of an
// indexing map over the value's indices:
//
//   %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
//        an index: (d0, d1) -> (d0)
//   %1 = stablehlo.iota dim = 1 : tensor<6x6xi32>
//   %2 = stablehlo.compare GE, %0, %1
//        1 where d0 - d1 in [0, 5], 0 where d0 - d1 in [-5, -1]
//   %3 = stablehlo.select %2, %scores, %minus_infinity
//        -inf where d0 - d1 in [-5, -1]
//   %4 = stablehlo.exponential %3
//        0 where d0 - d1 in [-5, -1]
//
// Facts come from constants, indices and comparisons, are moved along indexing
// maps (IndexingCache), and are combined by one table of scalar functions
// (lib/Analysis/Dependence/ScalarFacts.cpp). A sum of zeros is zero, a maximum
// of -inf is -inf: if that holds for all elements that are read.
//
// Some hold only if numbers are finite: 0 * x is 0 unless x is infinite or NaN.
// They are stated only under `assumeFinite`, which means: all computed values
// are finite, except those that the program's masks make infinite, and these
// lead to NaN only where they always do. If a mask is always the same and facts
// do not determine which elements it makes infinite, nothing is assumed. Zeros
// then have no sign.
//===----------------------------------------------------------------------===//

/// A fact about the elements of a value on a region.
struct ValueFact {
  enum class Kind : uint8_t {
    Constant, ///< numbers that depend on no argument
    Number,   ///< `number`
    Index,    ///< the integer that the map's only result is
    Copy,     ///< the element of argument `argument` at the map's results
    Range,    ///< not known, between `low` and `high`
  };
  Kind kind = Kind::Constant;
  /// A rounded number: only its sign, and whether it is finite, are certain.
  bool isRounded = false;
  /// A zero of either sign.
  bool hasAnySign = false;
  unsigned argument = 0;
  double number = 0;
  double low = 0, high = 0;
  /// Its domain is the region.
  IndexingMap map;

  /// Whether the elements depend on no argument.
  bool isFixed() const { return kind < Kind::Copy; }
  /// The number, also if it is given as an index.
  std::optional<double> getNumber() const;
  /// `0 where (d0, d1) ...`
  std::string str() const;
};
using FactList = SmallVector<ValueFact, 0>;

//===----------------------------------------------------------------------===//
// A program without calls
//
// Facts belong to values in a context: a function that is called twice has two
// sets. So the ops of a function and of all its callees are listed as if calls
// were inlined, and loops with few trips unrolled; nothing is rewritten. Other
// loops are one step, whose body is a program of its own.
//===----------------------------------------------------------------------===//

/// An op in its context.
struct FlatStep {
  Operation *op;
  /// Values by number; what regions capture comes after `numOperands`.
  SmallVector<unsigned, 4> reads, results;
  unsigned numOperands = 0;
};

struct FlatProgram {
  /// By number; the function's arguments come first.
  std::vector<Value> values;
  std::vector<FlatStep> steps;
  /// What the function returns.
  SmallVector<unsigned> results;
  unsigned numArguments = 0;
  /// Whether a loop stays a step that kMaxUnrolled would let unroll.
  bool keepsLoops = false;

  /// The most ops that loops are unrolled into.
  static constexpr size_t kMaxUnrolled = 1 << 12;

  /// std::nullopt if the function has no body of one block.
  static std::optional<FlatProgram> get(FunctionOpInterface function,
                                        IndexingCache &cache,
                                        size_t maxUnrolled = kMaxUnrolled);
  /// The body of a loop. What it captures are further arguments.
  static FlatProgram get(Block &body, ArrayRef<Value> captured,
                         IndexingCache &cache, size_t maxUnrolled);
  /// All ops under `root`, as they are: nothing is known of what blocks and calls
  /// are given, and facts hold in each iteration.
  static FlatProgram getOps(Operation *root, IndexingCache &cache);
};

//===----------------------------------------------------------------------===//
// Promises, and the analysis
//===----------------------------------------------------------------------===//

/// What is promised about a function's arguments.
struct FactPromise {
  unsigned argument = 0;
  ValueFact fact;
};

/// Two places of an argument, as parameters, whose elements differ.
struct DifferentPlaces {
  unsigned argument = 0;
  /// Maps of no dims from the parameters to the index.
  IndexingMap first, second;
};

struct FactOptions {
  bool assumeFinite = false;
  /// Values may have sizes that are not known: regions have no end there.
  bool anySizes = false;
  /// Follow dependence only where derivatives can be nonzero (Derivatives.h).
  bool onlyDerivatives = false;
  /// Leave the patterns of results to Dependence::findPatterns.
  bool isLazy = false;
  std::vector<FactPromise> promises;
  std::optional<DifferentPlaces> different;
  /// The most ops that loops are unrolled into.
  size_t maxUnrolled = FlatProgram::kMaxUnrolled;
  /// In the body of a loop: the arguments that depend on no argument of the
  /// function, those that may be infinite, and how many loops are around it.
  SmallVector<unsigned> closed, infinite;
  unsigned depth = 0;
};

/// What is known in every trip of a loop that is one step.
struct LoopFacts {
  Loop loop;
  FlatProgram body;
  /// The arguments of the body, then what it captures.
  SmallVector<Value> arguments;
  /// The parameter that counts trips, from 0; empty without a counter.
  std::string trip;
  /// Promises are what is known of the arguments in every trip.
  FactOptions options;
  /// Of states: whether the first value has numbers that no promise tells, and
  /// whether the later ones have.
  SmallVector<char> losesFirst, losesLater;
};

/// The facts of all values of a program.
class ValueFacts {
public:
  ValueFacts(const FlatProgram &program, IndexingCache &cache,
             FactOptions options = {});

  ArrayRef<ValueFact> get(unsigned value) const { return facts[value]; }
  /// Whether the value depends on no argument.
  bool isClosed(unsigned value) const { return closed[value]; }
  /// Whether elements without a fact may be infinite or NaN because of
  /// infinities that the program itself writes.
  bool mayBeInfinite(unsigned value) const { return infinite[value]; }
  /// Whether some element is, or may be, one of these.
  bool hasInfinities(unsigned value) const;
  /// Whether some fact requires that values are finite.
  bool usesFinite() const { return finite; }
  /// The facts of values in the body of a structured op, over its loops; null
  /// if nothing is known about it.
  const DenseMap<Value, FactList> *getBody(unsigned step) const {
    auto it = bodies.find(step);
    return it == bodies.end() ? nullptr : &it->second;
  }
  /// A box of a structured op's loops, without the iterations at the ends of its
  /// reductions of which facts say that they add nothing to its result: zeros to
  /// a sum, -inf to a maximum.
  Box dropIdleTerms(unsigned step, Box loops) const;

  /// The facts of a step that is a loop; null if nothing is known about it.
  const LoopFacts *getLoop(unsigned step) const {
    auto it = loops.find(step);
    return it == loops.end() ? nullptr : &it->second;
  }
  /// The indexing of a step, with runtime variables replaced by numbers that
  /// facts know, and without the remaining ones.
  /// Those that are bounded are within their bounds.
  const OpIndexing &getIndexing(unsigned step);
  /// Whether a set of `getIndexing` is larger than what is read.
  bool isHull(unsigned step) const { return hulls[step]; }

private:
  /// An entry of an indexing set whose runtime variables before this one are as
  /// far known as they are.
  struct OpenEntry {
    DetailedMap entry;
    unsigned variable = 0;
  };
  /// Adds pieces of an entry in which a variable is replaced, or bounded; false
  /// if nothing is known about any.
  bool putNumbers(unsigned step, const OpenEntry &open,
                  SmallVectorImpl<OpenEntry> &work) const;
  void cutUpdates(unsigned step, OpIndexing &indexing) const;
  void visit(unsigned step);
  void spreadInfinities(unsigned step);
  void visitElementwise(unsigned step);
  /// The facts of a scalar op's result, from those of its operands over one
  /// index space, which is `all`.
  FactList combine(Operation *op, ArrayRef<FactList> lists,
                   ArrayRef<char> mayBeInfinite, const IndexingMap &all);
  void combineCompare(Operation *op, ArrayRef<FactList> lists,
                      ArrayRef<char> mayBeInfinite, const IndexingMap &all,
                      FactList &out);
  /// Elements that are combined, along maps from the result.
  struct Part {
    ArrayRef<ValueFact> elements;
    ArrayRef<IndexingMap> reads;
  };
  /// The facts of a reduction's result. If data choose what is read, maps are
  /// those of all that may be.
  FactList reduce(StringRef combiner, ArrayRef<Part> parts,
                  std::optional<double> initial, Type type,
                  const IndexingMap &all, bool isChosenByData = false) const;
  void visitReduce(unsigned step, const Nest &nest);
  void visitBody(unsigned step, const Nest &nest);
  void visitContract(unsigned step, const Nest &nest);
  void visitMove(unsigned step, const Nest &nest);
  void visitScatter(unsigned step);
  void addFill(unsigned step, unsigned result, Attribute fill, FactList &out);
  /// An op whose nest says by which function it combines.
  void visitFunction(unsigned step, const Nest &nest);
  /// Zero where some element that is read is.
  void addZeroProducts(FactList &list, ArrayRef<ValueFact> elements,
                       const IndexingMap &read, Type type, unsigned value);
  /// The sizes of a value; with `anySizes` some may be ShapedType::kDynamic.
  std::optional<SmallVector<int64_t>> getSizes(Type type) const;
  IndexingMap getLoops(const Nest &nest, const NestAccess &access) const;

  /// What holds before the first trip, and after each if it did before.
  bool visitLoop(unsigned step);
  /// 0 where the operand is -inf.
  void visitSoftmax(unsigned step);
  void addRanges(unsigned step);
  void addIntegerRanges(unsigned step);
  /// Of results that are some elements of an operand.
  void addChosenRanges(unsigned step);
  /// Between which integers all elements of a value are; where the element of a
  /// predicate of the same shape holds, or does not.
  Interval getIntegers(unsigned value) const;
  Interval getIntegersIf(unsigned value, unsigned predicate, bool holds,
                         unsigned depth) const;
  using Bound = std::map<unsigned, Interval>;
  Interval evaluateBound(unsigned value, Type predicate, const Bound &bound,
                         unsigned depth) const;
  /// The step that computes a value, or null.
  const FlatStep *getProducer(unsigned value) const {
    return producers[value] < 0 ? nullptr : &program.steps[producers[value]];
  }
  void addScalarRanges(unsigned step);
  void addReducedRanges(unsigned step, const Nest &nest);
  FactList pull(ArrayRef<ValueFact> list, const IndexingMap &map) const;
  void add(FactList &list, ValueFact fact) const;
  void set(unsigned value, FactList list);

  const FlatProgram &program;
  IndexingCache &cache;
  FactOptions options;
  std::vector<FactList> facts;
  std::vector<char> closed, hulls, infinite;
  /// The step that computes a value; -1 for arguments.
  std::vector<int> producers;
  std::vector<std::unique_ptr<OpIndexing>> resolved;
  DenseMap<unsigned, DenseMap<Value, FactList>> bodies;
  std::map<unsigned, LoopFacts> loops;
  bool finite = false;
};

/// The nest of a step's op: loops, or null.
NestRef getStepNest(Operation *op);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_ANALYSIS_VALUEFACTS_H
