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

using namespace mlir;
using namespace mlir::tensoraccess;

static std::string toText(ArrayRef<int64_t> numbers) {
  std::string text = "[";
  for (auto [i, number] : llvm::enumerate(numbers))
    text += (i ? ", " : "") + std::to_string(number);
  return text + "]";
}

/// A list that HLO and StableHLO call the same.
static std::pair<StringRef, StringRef> sameName(StringRef name) {
  return {name, name};
}

LogicalResult HloImporter::addDimensionNumbers(
    Call &call, StringRef name, StringRef kind,
    ArrayRef<std::pair<StringRef, StringRef>> lists, bool hasIndexVector) {
  SmallVector<std::string> fields;
  for (auto [from, to] : lists) {
    FailureOr<SmallVector<int64_t>> numbers =
        getNumbers(call, from, /*isNeeded=*/false);
    if (failed(numbers))
      return failure();
    if (!numbers->empty())
      fields.push_back((to + " = " + toText(*numbers)).str());
  }
  FailureOr<int64_t> vector =
      hasIndexVector ? getNumber(call, "index_vector_dim", 0) : 0;
  if (failed(vector))
    return failure();
  if (*vector != 0)
    fields.push_back(("index_vector_dim = " + Twine(*vector)).str());
  addOwn(call, name, kind + "<" + llvm::join(fields, ", ") + ">");
  return success();
}

LogicalResult
HloImporter::createWithRegions(Call &call, StringRef name,
                               ArrayRef<const HloComputation *> bodies,
                               TypeRange takes, Values &results) {
  return create(call, name, results, [&](OperationState &state) {
    for (const HloComputation *body : bodies)
      if (failed(importRegion(state, *body, takes)))
        return failure();
    return success();
  });
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

LogicalResult HloImporter::importDot(Call &call, Values &results) {
  if (failed(expectOperands(call, 2)) ||
      failed(addDimensionNumbers(
          call, "dot_dimension_numbers", "dot",
          {{"lhs_batch_dims", "lhs_batching_dimensions"},
           {"rhs_batch_dims", "rhs_batching_dimensions"},
           {"lhs_contracting_dims", "lhs_contracting_dimensions"},
           {"rhs_contracting_dims", "rhs_contracting_dimensions"}})))
    return failure();
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
  if (failed(window) ||
      failed(
          addNumber(call, "feature_group_count", "feature_group_count", 1)) ||
      failed(addNumber(call, "batch_group_count", "batch_group_count", 1)))
    return failure();
  addArray(call, "window_strides", window->stride);
  addPadding(call, *window);
  addArray(call, "lhs_dilation", window->base);
  addArray(call, "rhs_dilation", window->dilation);
  add(call, "window_reversal", b.getDenseBoolArrayAttr(window->reversed));
  addOwn(call, "dimension_numbers", numbers + ">");
  addPrecision(call);
  return create(call, "stablehlo.convolution", results);
}

LogicalResult HloImporter::importReduceOrMap(Call &call, Values &results) {
  FailureOr<const HloComputation *> body = getComputation(call, "to_apply");
  if (failed(body) || failed(addNumbers(call, "dimensions", "dimensions")))
    return failure();
  return createWithRegions(call,
                           getOpName("stablehlo", call.instruction.opcode),
                           *body, getScalars(call.operands), results);
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
  return createWithRegions(call, "stablehlo.reduce_window", *body,
                           getScalars(call.operands), results);
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
  return createWithRegions(call, "stablehlo.select_and_scatter",
                           {*select, *scatter}, takes, results);
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
  StringRef lists[] = {"update_window_dims", "inserted_window_dims",
                       "input_batching_dims", "scatter_indices_batching_dims",
                       "scatter_dims_to_operand_dims"};
  if (failed(addDimensionNumbers(call, "scatter_dimension_numbers", "scatter",
                                 llvm::map_to_vector(lists, sameName),
                                 /*hasIndexVector=*/true)) ||
      failed(addFlag(call, "indices_are_sorted")) ||
      failed(addFlag(call, "unique_indices")))
    return failure();
  // XLA writes no part of a window.
  call.others.push_back(b.getNamedAttr(kWholeWindows, b.getUnitAttr()));
  ValueRange operands = call.operands;
  const size_t count = operands.size() / 2;
  SmallVector<Type> takes = getScalars(operands.take_front(count));
  takes.append(getScalars(operands.take_back(count)));
  return createWithRegions(call, "stablehlo.scatter", *body, takes, results);
}

LogicalResult HloImporter::importGather(Call &call, Values &results) {
  StringRef lists[] = {"offset_dims", "collapsed_slice_dims",
                       "operand_batching_dims", "start_indices_batching_dims",
                       "start_index_map"};
  if (failed(expectOperands(call, 2)) ||
      failed(addDimensionNumbers(call, "dimension_numbers", "gather",
                                 llvm::map_to_vector(lists, sameName),
                                 /*hasIndexVector=*/true)) ||
      failed(addFlag(call, "indices_are_sorted")) ||
      failed(addNumbers(call, "slice_sizes", "slice_sizes")))
    return failure();
  return create(call, "stablehlo.gather", results);
}

LogicalResult HloImporter::importSort(Call &call, Values &results) {
  FailureOr<const HloComputation *> body = getComputation(call, "to_apply");
  if (failed(body) || failed(addNumber(call, "dimensions", "dimension")) ||
      failed(addFlag(call, "is_stable")))
    return failure();
  SmallVector<Type> takes;
  for (Value operand : call.operands)
    takes.append(2, getScalar(operand.getType()));
  return createWithRegions(call, "stablehlo.sort", *body, takes, results);
}
