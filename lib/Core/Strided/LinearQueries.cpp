//===- LinearQueries.cpp - Who holds an element, and how wide -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LinearQueries.h"
#include "Fail.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::tensoraccess;

int64_t mlir::tensoraccess::countConsecutive(const LinearLayout &layout,
                                             llvm::ArrayRef<unsigned> order) {
  LinearLayout ordered = layout;
  for (auto [output, from] : llvm::zip_equal(ordered.outputs, order))
    output = layout.outputs[from];
  for (LinearLayout::Input &input : ordered.inputs)
    for (uint64_t &basis : input.bases) {
      const llvm::SmallVector<int64_t> index =
          layout.unpack(basis, /*isOutput=*/true);
      basis =
          ordered.pack(llvm::map_to_vector(
                           order, [&](unsigned from) { return index[from]; }),
                       /*isOutput=*/true);
    }
  return ordered.getNumConsecutive();
}

int64_t mlir::tensoraccess::countConsecutive(const LinearLayout &layout) {
  return countConsecutive(
      layout, llvm::to_vector(
                  llvm::reverse(llvm::seq<unsigned>(layout.outputs.size()))));
}

std::optional<llvm::SmallVector<llvm::SmallVector<int64_t>, 0>>
mlir::tensoraccess::findHolders(const LinearLayout &layout,
                                llvm::ArrayRef<int64_t> index,
                                std::string &error) {
  if (index.size() != layout.outputs.size())
    return fail(error, "the layout has " + llvm::Twine(layout.outputs.size()) +
                           " outputs, got " + llvm::Twine(index.size()));
  for (auto [i, x] : llvm::enumerate(index))
    if (x < 0 || x >= layout.getOutputSize(i))
      return fail(error, "'" + layout.outputs[i].name + "' must be in [0, " +
                             llvm::Twine(layout.getOutputSize(i)) + "), got " +
                             llvm::Twine(x));
  llvm::SmallVector<llvm::SmallVector<int64_t>, 0> points;
  std::optional<uint64_t> first =
      layout.findInput(layout.pack(index, /*isOutput=*/true));
  if (!first)
    return points;
  llvm::SmallVector<uint64_t> kernel = layout.getKernel();
  if (kernel.size() > kMostHolderBits)
    return fail(error, "each element is held 2^" + llvm::Twine(kernel.size()) +
                           " times, too many to list");
  llvm::SmallVector<uint64_t, 0> words{*first};
  for (uint64_t zero : kernel)
    for (size_t i = 0, e = words.size(); i < e; ++i)
      words.push_back(words[i] ^ zero);
  llvm::sort(words);
  for (uint64_t word : words)
    points.push_back(layout.unpack(word, /*isOutput=*/false));
  return points;
}
