//===- Narrow.h - Only what is wanted of a function -------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function on tensors in which each op computes only what is read of it:
//
//   %y = linalg.conv… : tensor<1x62x62x8xf32>      %x' = tensor.extract_slice %x
//   %z = tensor.extract_slice %y                    %z = linalg.conv…
//     : … to tensor<1x4x4x8xf32>                      : tensor<1x4x4x8xf32>
//
// Backwards, each value gets the boxes that are read of it, by the nests of the
// ops that read it (Analysis/BlockOps.h); forwards, each op is made anew on boxes
// (Blocks.h). Nothing is computed twice that was computed once, and an op of
// which all is wanted stays as it is. What is read of two places far apart is two
// boxes, what is carried by a loop is one that the loop keeps to.
//
// Whole stay: ops that BlockOps don't cover, tensors of dynamic shape, values
// that dynamic slices read at places known at run time only, in that dimension,
// and loops' trips.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_CUT_NARROW_H
#define TENSORACCESS_CUT_NARROW_H

#include "TensorAccess/Core/Counting.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>

namespace mlir::tensoraccess {

/// Does this to a function of one block; returns how many ops were made smaller.
/// Where it would save an op little it stays as it is, unless `isExact`.
int64_t narrowFunction(func::FuncOp function, bool isExact = false);

/// The box of a text like `[0, 3) x [1, 5)`, spaces or not; std::nullopt and
/// `error` for another text, or an interval that ends before it begins.
std::optional<Box> parseBox(StringRef text, std::string &error);

/// What is wrong with a box of value `number` among those of a function, each a
/// `what`: there is no such value or it is no tensor of static shape, another rank,
/// a box that is empty or leaves the tensor. std::nullopt if nothing is.
std::optional<std::string> verifyBoxOf(TypeRange types, int64_t number,
                                       StringRef what, const Box &box);

/// Makes a function of one block return just this box of one of its results, and
/// compute what is needed for it. Arguments stay.
void restrictFunction(func::FuncOp function, unsigned result, const Box &box);

/// Makes a function of one block take its results of before as further arguments,
/// and compute what is new of them: of each result a box, std::nullopt for none. A
/// scalar, or a tensor of dynamic shape, is computed where it has a box.
void updateFunction(func::FuncOp function,
                    ArrayRef<std::optional<Box>> reached);

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_CUT_NARROW_H
