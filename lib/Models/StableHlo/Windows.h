//===- Windows.h - One dimension of a window op -----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pooling and convolution meet, in each spatial dimension, where
//
//     base * x + low = stride * o + dilation * w
//
// with x an index of the input, o of the output and w of the window. A map
// between two of the three knows the one, wants the other, and the third must
// exist. Solved by hand, the answer has fewer divisions and symbols than what a
// general solver finds:
//
//   hidden variable of one value     wanted = known floordiv c, if it divides
//   wanted has coefficient 1         hidden is a symbol, wanted is linear
//   hidden has coefficient 1         wanted is a symbol, hidden's range is a
//                                    constraint; or, where blocks don't overlap,
//                                    wanted = known floordiv c
//   neither                          hidden is a symbol, and a division
//
// after a common divisor of both has been taken out.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_MODELS_WINDOWS_H
#define TENSORACCESS_LIB_MODELS_WINDOWS_H

#include "TensorAccess/Core/IndexingMap.h"

namespace mlir::tensoraccess {

/// One spatial dimension. Sizes are numbers of elements; low may be negative.
struct WindowDim {
  enum Variable : uint8_t { Input, Output, Window };

  int64_t input = 1, output = 1, window = 1;
  int64_t stride = 1, dilation = 1, base = 1;
  int64_t low = 0, high = 0;

  int64_t getSize(Variable variable) const;
  /// Coefficient in base * x - stride * o - dilation * w + low = 0.
  int64_t getCoefficient(Variable variable) const;
  /// Whether strides and dilations are positive, and `output` is what the other
  /// numbers give.
  bool isConsistent() const;
};

/// The solution of one dimension for one of its variables, in two steps because
/// variables come before forms.
class WindowSolution {
public:
  WindowSolution(const WindowDim &dim, WindowDim::Variable known,
                 WindowDim::Variable wanted);

  /// Adds the symbol that the solution needs, if any.
  void addSymbol(IndexingMapBuilder &builder);
  /// The wanted index, given the known one; adds constraints.
  Form solve(IndexingMapBuilder &builder, const Form &known) const;

private:
  enum Kind : uint8_t { Divide, HiddenSymbol, WantedSymbol, Blocks, Both };

  Kind kind = Divide;
  /// scale * wanted = constant + factor * known + step * hidden
  int64_t scale = 1, constant = 0, factor = 1, step = 0;
  /// Taken out of scale and step; the known part must be divisible by it.
  int64_t divisor = 1;
  int64_t numWanted = 0, numHidden = 0;
  Form symbol;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_MODELS_WINDOWS_H
