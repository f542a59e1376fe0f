//===- Functions.cpp - Functions that options name ------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Core/Closest.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

std::string tensoraccess::describeUnknownFunction(Operation *root,
                                                  StringRef name) {
  SmallVector<StringRef> known;
  root->walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      known.push_back(function.getName());
  });
  if (known.empty())
    return "there is no function with a body";
  std::string text = "there is no function '" + name.str() + "' with a body" +
                     suggest(name, known) + " known are ";
  const size_t most = 10;
  text += llvm::join(ArrayRef(known).take_front(most), ", ");
  if (known.size() > most)
    text += " and " + std::to_string(known.size() - most) + " more";
  return text;
}
