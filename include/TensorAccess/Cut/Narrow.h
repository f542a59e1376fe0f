//===- Narrow.h - Only what is wanted of a function -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes each op of a function on tensors compute only what is read from it:
//
//   %y = linalg.conv… : tensor<1x62x62x8xf32>      %x' = tensor.extract_slice %x
//   %z = tensor.extract_slice %y                    %z = linalg.conv…
//     : … to tensor<1x4x4x8xf32>                      : tensor<1x4x4x8xf32>
//
// Backwards, each value gets the boxes that are read from it, by the nests of
// the ops that read it (Analysis/BlockOps.h); forwards, each op is recreated on
// boxes (Blocks.h). Nothing that was computed once is computed twice, and an op
// that is needed in full stays as it is. Reads from two distant places give two
// boxes; a value that a loop carries has one box, which the loop keeps to.
//
// These stay whole: ops that BlockOps don't cover, tensors of dynamic shape,
// values that dynamic slices read at places known only at run time, in that
// dimension, and the trips of loops.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CUT_NARROW_H
#define TENSORACCESS_CUT_NARROW_H

#include "TensorAccess/Core/Counting.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// Iterations of an op that matter, of those in a box.
using DropIterations = function_ref<Box(Operation *, Box)>;

/// Narrows a function of one block; returns how many ops were made smaller. An
/// op stays as it is if narrowing it would save little, unless `isExact`.
int64_t narrowFunction(func::FuncOp function, bool isExact = false,
                       DropIterations drop = {});

/// Parses a box like `[0, 3) x [1, 5)`, with or without spaces; std::nullopt
/// and `error` for other text, or an interval that ends before it begins.
std::optional<Box> parseBox(StringRef text, std::string &error);

/// What is wrong with a box of value `number` among those of a function, each
/// called `what`: there is no such value, it is not a tensor of static shape,
/// its rank differs, or the box is empty or leaves the tensor. std::nullopt if
/// nothing is wrong.
std::optional<std::string> verifyBoxOf(TypeRange types, int64_t number,
                                       StringRef what, const Box &box);

/// Makes a function of one block return only this box of one of its results,
/// and compute only what that needs. Arguments stay.
void restrictFunction(func::FuncOp function, unsigned result, const Box &box,
                      DropIterations drop = {});

/// The same, without terms that masks make zero (or -inf, of a maximum), as
/// `ValueFacts::dropIdleTerms`. Returns whether this holds only if all that is
/// computed is finite, except for what masks make infinite.
bool restrictMaskedFunction(func::FuncOp function, unsigned result,
                            const Box &box);

/// Makes a function of one block take its previous results as further
/// arguments, and compute only what is new in them: a box of each result,
/// std::nullopt for none. A scalar, or a tensor of dynamic shape, is computed
/// if it has a box.
void updateFunction(func::FuncOp function,
                    ArrayRef<std::optional<Box>> reached);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CUT_NARROW_H
