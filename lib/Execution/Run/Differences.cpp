//===- Differences.cpp - Which differences of results are real ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Results that agree are reported as they are.
// 2. Else the interpreter runs the function twice more, with the values that it
//    fixes where MLIR leaves them open, and with others. Elements that differ
//    between the two depend on them; they are not compared.
// 3. Sums that cancel are smaller than their terms, whose roundings they have:
//    the allowed difference takes the largest magnitude that results have on
//    the inputs' absolute values, too.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Run.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

static std::optional<SmallVector<Tensor>>
runQuietly(func::FuncOp function, ArrayRef<Tensor> inputs,
           UndefinedValues *undefined = nullptr) {
  CapturedErrors captured(function.getContext());
  InterpreterOptions options;
  options.undefined = undefined;
  auto results = interpretProgram(function, inputs, options);
  if (failed(results))
    return std::nullopt;
  return std::move(*results);
}

static bool isSame(const Tensor &a, const Tensor &b, ArrayRef<int64_t> index) {
  return std::memcmp(a.getElement(index), b.getElement(index),
                     byteSize(a.getElementType())) == 0;
}

DifferenceReport::DifferenceReport(func::FuncOp function,
                                   ArrayRef<Tensor> inputs, bool isGiven)
    : function(function), inputs(inputs.begin(), inputs.end()),
      isGiven(isGiven) {}

void DifferenceReport::prepare() {
  if (isPrepared)
    return;
  isPrepared = true;
  UndefinedValues fixedValues, otherValues;
  otherValues.takesOthers = true;
  fixed = runQuietly(function, inputs, &fixedValues);
  others = runQuietly(function, inputs, &otherValues);
  for (const auto &[op, what] : otherValues.seen) {
    std::string &text = reasons.emplace_back();
    llvm::raw_string_ostream os(text);
    os << "'" << op->getName() << "' " << what;
    if (auto where = dyn_cast<FileLineColLoc>(op->getLoc()))
      os << " (line " << where.getLine() << ")";
  }
  if (isGiven)
    return;
  SmallVector<Tensor> absolute;
  for (const Tensor &input : inputs) {
    llvm::Expected<Tensor> copy = input.clone();
    if (!copy) {
      llvm::consumeError(copy.takeError());
      return;
    }
    if (isFloat(input.getElementType()))
      forEachIndex(input.getShape(), [&](ArrayRef<int64_t> index) {
        copy->setDouble(index, std::fabs(input.getDouble(index)));
      });
    absolute.push_back(std::move(*copy));
  }
  large = runQuietly(function, absolute);
}

llvm::Expected<bool> DifferenceReport::report(llvm::raw_ostream &os,
                                              int64_t number,
                                              const Tensor &result,
                                              const Tensor &expected,
                                              const Tolerance &tolerance) {
  std::string text;
  llvm::raw_string_ostream textStream(text);
  llvm::Expected<bool> agree =
      reportComparison(textStream, number, result, expected, tolerance);
  if (!agree || *agree) {
    os << text;
    return agree;
  }
  prepare();
  llvm::Expected<Tensor> copy = result.clone();
  if (!copy)
    return copy.takeError();
  int64_t undefined = 0;
  if (fixed && others && (*fixed)[number].getShape() == expected.getShape() &&
      (*others)[number].getShape() == expected.getShape())
    forEachIndex(expected.getShape(), [&](ArrayRef<int64_t> index) {
      if (isSame((*fixed)[number], (*others)[number], index))
        return;
      ++undefined;
      std::memcpy(copy->getElement(index), expected.getElement(index),
                  byteSize(expected.getElementType()));
    });
  double magnitude = 0;
  if (large && tolerance.relative != 0)
    magnitude = largestMagnitude((*large)[number]);
  agree = reportComparison(os, number, *copy, expected, tolerance, magnitude);
  if (undefined != 0) {
    os << "undefined " << number << "  " << undefined << " of "
       << expected.getNumElements()
       << " elements are not compared, since MLIR leaves them open: ";
    llvm::interleave(reasons, os, "; ");
    os << '\n';
  }
  return agree;
}
