//===- HloCompute.cpp - Contractions, reductions, places from data --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloImporter.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static std::string toText(ArrayRef<int64_t> numbers) {
  std::string text = "[";
  for (auto [i, number] : llvm::enumerate(numbers))
    text += (i ? ", " : "") + std::to_string(number);
  return text + "]";
}

/// `, name = [1, 2]`, or nothing for an empty list.
static void addField(std::string &text, StringRef name,
                     ArrayRef<int64_t> numbers) {
  if (numbers.empty())
    return;
  text += (StringRef(text).ends_with("<") ? "" : ", ") +
          (name + " = " + toText(numbers)).str();
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

LogicalResult HloImporter::importDot(Call &call, Values &results) {
  if (failed(expectOperands(call, 2)))
    return failure();
  std::string numbers = "dot<";
  for (auto [from, to] :
       {std::pair("lhs_batch_dims", "lhs_batching_dimensions"),
        std::pair("rhs_batch_dims", "rhs_batching_dimensions"),
        std::pair("lhs_contracting_dims", "lhs_contracting_dimensions"),
        std::pair("rhs_contracting_dims", "rhs_contracting_dimensions")}) {
    FailureOr<SmallVector<int64_t>> list =
        getNumbers(call, from, /*isNeeded=*/false);
    if (failed(list))
      return failure();
    addField(numbers, to, *list);
  }
  addOwn(call, "dot_dimension_numbers", numbers + ">");
  addPrecision(call);
  if (auto algorithm = call.instruction.get("algorithm"))
    call.others.push_back(
        b.getNamedAttr("mhlo.dot_algorithm", b.getStringAttr(*algorithm)));
  return create(call, "stablehlo.dot_general", results);
}

LogicalResult HloImporter::importConvolution(Call &call, Values &results) {
  std::optional<StringRef> labels = call.instruction.get("dim_labels");
  if (failed(expectOperands(call, 2)))
    return failure();
  if (!labels)
    return fail(call, "'convolution' must have 'dim_labels'");
  auto [sides, output] = labels->split("->");
  auto [input, kernel] = sides.split('_');
  std::string numbers = "conv<";
  size_t rank = 0;
  for (auto [side, before] : {std::pair(input, ""), std::pair(kernel, "x"),
                              std::pair(output, "->")}) {
    numbers += std::string(before) + "[";
    for (auto [i, label] : llvm::enumerate(side)) {
      if (!llvm::isAlnum(label))
        return fail(labels->data(),
                    "no such labels of dimensions: '" + *labels + "'");
      numbers += (i ? ", " : "") + std::string(1, label);
    }
    numbers += "]";
    rank = side.size();
  }
  if (rank < 2 || input.size() != rank || kernel.size() != rank)
    return fail(labels->data(),
                "labels of different numbers of dimensions: '" + *labels + "'");
  FailureOr<HloWindowText> window = getWindow(call, rank - 2);
  FailureOr<int64_t> groups = getNumber(call, "feature_group_count", 1);
  FailureOr<int64_t> batches = getNumber(call, "batch_group_count", 1);
  if (failed(window) || failed(groups) || failed(batches))
    return failure();
  addArray(call, "window_strides", window->stride);
  addPadding(call, *window);
  addArray(call, "lhs_dilation", window->base);
  addArray(call, "rhs_dilation", window->dilation);
  add(call, "window_reversal", b.getDenseBoolArrayAttr(window->reversed));
  addOwn(call, "dimension_numbers", numbers + ">");
  add(call, "feature_group_count", b.getI64IntegerAttr(*groups));
  add(call, "batch_group_count", b.getI64IntegerAttr(*batches));
  addPrecision(call);
  return create(call, "stablehlo.convolution", results);
}

LogicalResult HloImporter::importReduce(Call &call, Values &results) {
  FailureOr<const HloComputation *> body = getComputation(call, "to_apply");
  if (failed(body) || failed(addNumbers(call, "dimensions", "dimensions")))
    return failure();
  SmallVector<Type> takes;
  for (Value operand : call.operands)
    takes.push_back(getScalar(operand.getType()));
  return create(call, "stablehlo.reduce", results, [&](OperationState &state) {
    return importRegion(state, **body, takes);
  });
}

LogicalResult HloImporter::importReduceWindow(Call &call, Values &results) {
  FailureOr<const HloComputation *> body = getComputation(call, "to_apply");
  if (failed(body))
    return failure();
  if (call.operands.empty() ||
      !isa<RankedTensorType>(call.operands[0].getType()))
    return fail(call, "'reduce-window' must have an array");
  const int64_t rank =
      cast<RankedTensorType>(call.operands[0].getType()).getRank();
  FailureOr<HloWindowText> window = getWindow(call, rank);
  if (failed(window))
    return failure();
  addArray(call, "window_dimensions", window->size);
  addArray(call, "window_strides", window->stride);
  addArray(call, "base_dilations", window->base);
  addArray(call, "window_dilations", window->dilation);
  addPadding(call, *window);
  SmallVector<Type> takes;
  for (Value operand : call.operands)
    takes.push_back(getScalar(operand.getType()));
  return create(call, "stablehlo.reduce_window", results,
                [&](OperationState &state) {
                  return importRegion(state, **body, takes);
                });
}

LogicalResult HloImporter::importSelectAndScatter(Call &call, Values &results) {
  FailureOr<const HloComputation *> select = getComputation(call, "select");
  FailureOr<const HloComputation *> scatter = getComputation(call, "scatter");
  if (failed(select) || failed(scatter) || failed(expectOperands(call, 3)))
    return failure();
  auto type = dyn_cast<RankedTensorType>(call.operands[0].getType());
  if (!type)
    return fail(call, "'select-and-scatter' must have an array");
  FailureOr<HloWindowText> window = getWindow(call, type.getRank());
  if (failed(window))
    return failure();
  addArray(call, "window_dimensions", window->size);
  addArray(call, "window_strides", window->stride);
  addPadding(call, *window);
  const SmallVector<Type> takes(2, getScalar(type));
  return create(call, "stablehlo.select_and_scatter", results,
                [&](OperationState &state) {
                  return success(
                      succeeded(importRegion(state, **select, takes)) &&
                      succeeded(importRegion(state, **scatter, takes)));
                });
}

//===----------------------------------------------------------------------===//
// Places from data
//===----------------------------------------------------------------------===//

LogicalResult HloImporter::importScatter(Call &call, Values &results) {
  FailureOr<const HloComputation *> body = getComputation(call, "to_apply");
  if (failed(body))
    return failure();
  if (call.operands.size() % 2 != 1 || call.operands.size() < 3)
    return fail(call, "'scatter' must have arrays, places and updates");
  std::string numbers = "scatter<";
  for (auto [from, to] :
       {std::pair("update_window_dims", "update_window_dims"),
        std::pair("inserted_window_dims", "inserted_window_dims"),
        std::pair("input_batching_dims", "input_batching_dims"),
        std::pair("scatter_indices_batching_dims",
                  "scatter_indices_batching_dims"),
        std::pair("scatter_dims_to_operand_dims",
                  "scatter_dims_to_operand_dims")}) {
    FailureOr<SmallVector<int64_t>> list =
        getNumbers(call, from, /*isNeeded=*/false);
    if (failed(list))
      return failure();
    addField(numbers, to, *list);
  }
  FailureOr<int64_t> vector = getNumber(call, "index_vector_dim", 0);
  FailureOr<bool> sorted = getFlag(call, "indices_are_sorted", false);
  FailureOr<bool> unique = getFlag(call, "unique_indices", false);
  if (failed(vector) || failed(sorted) || failed(unique))
    return failure();
  if (*vector != 0)
    numbers += (StringRef(numbers).ends_with("<") ? "" : ", ") +
               ("index_vector_dim = " + Twine(*vector)).str();
  addOwn(call, "scatter_dimension_numbers", numbers + ">");
  add(call, "indices_are_sorted", b.getBoolAttr(*sorted));
  add(call, "unique_indices", b.getBoolAttr(*unique));
  // XLA writes no part of a window.
  call.others.push_back(b.getNamedAttr(kWholeWindows, b.getUnitAttr()));
  SmallVector<Type> takes;
  const size_t count = call.operands.size() / 2;
  for (unsigned again : {0, 1})
    for (size_t i = 0; i < count; ++i)
      takes.push_back(
          getScalar(call.operands[again ? count + 1 + i : i].getType()));
  return create(call, "stablehlo.scatter", results, [&](OperationState &state) {
    return importRegion(state, **body, takes);
  });
}

LogicalResult HloImporter::importGather(Call &call, Values &results) {
  if (failed(expectOperands(call, 2)))
    return failure();
  std::string numbers = "gather<";
  for (StringRef key :
       {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
        "start_indices_batching_dims", "start_index_map"}) {
    FailureOr<SmallVector<int64_t>> list =
        getNumbers(call, key, /*isNeeded=*/false);
    if (failed(list))
      return failure();
    addField(numbers, key, *list);
  }
  FailureOr<int64_t> vector = getNumber(call, "index_vector_dim", 0);
  FailureOr<bool> sorted = getFlag(call, "indices_are_sorted", false);
  if (failed(vector) || failed(sorted) ||
      failed(addNumbers(call, "slice_sizes", "slice_sizes")))
    return failure();
  if (*vector != 0)
    numbers += (StringRef(numbers).ends_with("<") ? "" : ", ") +
               ("index_vector_dim = " + Twine(*vector)).str();
  addOwn(call, "dimension_numbers", numbers + ">");
  add(call, "indices_are_sorted", b.getBoolAttr(*sorted));
  return create(call, "stablehlo.gather", results);
}

LogicalResult HloImporter::importSort(Call &call, Values &results) {
  FailureOr<const HloComputation *> body = getComputation(call, "to_apply");
  FailureOr<int64_t> dim = getNumber(call, "dimensions");
  FailureOr<bool> stable = getFlag(call, "is_stable", false);
  if (failed(body) || failed(dim) || failed(stable))
    return failure();
  add(call, "dimension", b.getI64IntegerAttr(*dim));
  add(call, "is_stable", b.getBoolAttr(*stable));
  SmallVector<Type> takes;
  for (Value operand : call.operands)
    takes.append(2, getScalar(operand.getType()));
  return create(call, "stablehlo.sort", results, [&](OperationState &state) {
    return importRegion(state, **body, takes);
  });
}

LogicalResult HloImporter::importMap(Call &call, Values &results) {
  FailureOr<const HloComputation *> body = getComputation(call, "to_apply");
  if (failed(body) || failed(addNumbers(call, "dimensions", "dimensions")))
    return failure();
  SmallVector<Type> takes;
  for (Value operand : call.operands)
    takes.push_back(getScalar(operand.getType()));
  return create(call, "stablehlo.map", results, [&](OperationState &state) {
    return importRegion(state, **body, takes);
  });
}
