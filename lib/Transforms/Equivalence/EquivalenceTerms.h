//===- EquivalenceTerms.h - Elements of results as expressions ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every element of a static tensor as a scalar expression over the elements of
// the arguments, equal expressions being one number.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_TRANSFORMS_EQUIVALENCETERMS_H
#define TENSORACCESS_LIB_TRANSFORMS_EQUIVALENCETERMS_H

#include "EquivalenceMethods.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <deque>
#include <map>

namespace mlir::tensoraccess {

/// An expression.
struct ScalarTerm {
  enum class Kind : uint8_t {
    Input,    ///< element `number` of argument `argument`
    Unknown,  ///< an unknown value, `number` telling them apart
    Constant, ///< bits
    Apply,    ///< `name` with `predicate` on `operands`
  };
  Kind kind = Kind::Constant;
  /// Integers and floats alike: as many bits as the type has.
  Type type;
  unsigned argument = 0;
  int64_t number = 0;
  llvm::APInt bits;
  StringRef name;
  int64_t predicate = 0;
  SmallVector<unsigned, 2> operands;
};

/// The static shape of a value's type, [] for scalars.
std::optional<SmallVector<int64_t>> getStaticShape(Type type);
/// The type of a tensor's or an access pattern's elements, or a scalar's own.
Type getScalar(Type type);

/// The expressions of two joined functions.
class ScalarTerms {
public:
  /// The first `firstOps` ops are the first function's.
  ScalarTerms(func::FuncOp joined, size_t firstOps, int64_t limit);

  /// Writes out all ops; false with a reason where one cannot be.
  bool build(std::string &problem);
  /// The expressions of a value's elements in row-major order.
  ArrayRef<unsigned> getElements(Value value) const {
    return elements.find(value)->second;
  }
  const ScalarTerm &getTerm(unsigned id) const { return terms[id]; }
  size_t size() const { return terms.size(); }
  /// Conditions, in order, any of which makes the first or the second function
  /// fail.
  ArrayRef<unsigned> getFailures(bool ofSecond) const {
    return failures[ofSecond].getArrayRef();
  }
  /// True if an operation on integers, or a choice, is written out.
  bool hasIntegers() const;

private:
  using Ids = SmallVector<unsigned, 0>;
  unsigned intern(ScalarTerm term);
  unsigned constant(Type type, const llvm::APInt &bits);
  unsigned apply(StringRef name, Type type, ArrayRef<unsigned> operands,
                 int64_t predicate = 0);
  unsigned add(Type type, unsigned a, unsigned b);
  unsigned mul(Type type, unsigned a, unsigned b);
  /// sum + a * b, a step of a sum of products.
  unsigned addProduct(Type type, unsigned sum, unsigned a, unsigned b);
  unsigned max(Type type, unsigned a, unsigned b);
  unsigned extend(Type from, Type to, unsigned x);
  unsigned zero(Type type);
  std::optional<unsigned> applyOp(Operation *op, ArrayRef<unsigned> operands);
  void addDivisionFailure(Type type, ArrayRef<unsigned> operands,
                          bool isSigned);

  /// The elements of a value; std::nullopt with a reason where it has no
  /// expressions.
  std::optional<int64_t> count(Type type, std::string &problem) const;
  bool write(Operation *op, std::string &problem);
  bool writeMovement(Operation *op);
  bool writeConstant(Operation *op);
  bool writeCompute(Operation *op);
  bool writeElementwise(Operation *op);
  bool writeStructured(Operation *op, std::string &problem);
  bool writeReshaped(Operation *op);

  func::FuncOp joined;
  size_t firstOps, limit;
  bool isSecond = false;
  llvm::SetVector<unsigned> failures[2];
  std::deque<ScalarTerm> terms;
  std::map<std::tuple<int, const void *, unsigned, int64_t, std::string,
                      std::string, int64_t, std::vector<unsigned>>,
           unsigned>
      numbers;
  DenseMap<Value, Ids> elements;
  int64_t unknowns = 0;
};

/// Writes both functions out and asks whether the expressions are the same;
/// else, if `solve`, the solver; else whether they are equal over the reals.
/// std::nullopt: not decided, for the reason in `problem`. A model of the
/// solver's is a counterexample only where `tester` confirms it.
std::optional<EquivalenceAnswer>
proveByElements(JoinedFunctions &joined, EquivalenceTester &tester,
                const EquivalenceOptions &options, bool solve,
                std::string &problem);

/// Whether expressions are equal over the real numbers, where nothing is
/// rounded and nothing is infinite, as sums of products. `limit` bounds what is
/// written out for that; past it the answer is false.
bool areEqualReals(const ScalarTerms &graph, ArrayRef<unsigned> expected,
                   ArrayRef<unsigned> got, int64_t limit);

/// The verdict of a solver on `expected` and `got`, element by element.
struct SolverAnswer {
  enum class Kind { Equal, Different, Open } kind = Kind::Open;
  /// Different: bits of inputs, by argument and element; others are 0.
  SmallVector<std::tuple<unsigned, int64_t, llvm::APInt>> values;
  /// Operations of which it knew no more than that they are functions.
  SmallVector<std::string> unknown;
  /// Open: why.
  std::string problem;
};
/// Also different is that one of both functions fails; where both do, elements
/// need not be equal.
SolverAnswer solveTerms(const ScalarTerms &graph, ArrayRef<unsigned> expected,
                        ArrayRef<unsigned> got,
                        const EquivalenceOptions &options,
                        MLIRContext *context);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_TRANSFORMS_EQUIVALENCETERMS_H
