//===- HloInstructions.cpp - What each opcode becomes ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opcodes that have nothing but operands follow from the tables of StableHLO's
// ops; each of the others has a function, which turns attributes into those of
// StableHLO.
//
//===----------------------------------------------------------------------===//

#include "../Vhlo/VhloOps.h"
#include "HloImporter.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

std::string HloImporter::findElementwise(StringRef opcode) {
  StringRef own =
      llvm::StringSwitch<StringRef>(opcode)
          .Case("bitcast-convert", "stablehlo.bitcast_convert")
          .Case("clz", "stablehlo.count_leading_zeros")
          .Case("complex", "stablehlo.complex")
          .Case("dynamic-update-slice", "stablehlo.dynamic_update_slice")
          .Case("imag", "stablehlo.imag")
          .Case("real", "stablehlo.real")
          .Case("reshape", "stablehlo.reshape")
          .Case("opt-barrier", "stablehlo.optimization_barrier")
          .Case("after-all", "stablehlo.after_all")
          .Case("partition-id", "stablehlo.partition_id")
          .Case("replica-id", "stablehlo.replica_id")
          .Case("acos", "chlo.acos")
          .Case("acosh", "chlo.acosh")
          .Case("asin", "chlo.asin")
          .Case("asinh", "chlo.asinh")
          .Case("atanh", "chlo.atanh")
          .Case("cosh", "chlo.cosh")
          .Case("sinh", "chlo.sinh")
          .Case("erf", "chlo.erf")
          .Default("");
  if (!own.empty() || opcode.contains('_'))
    return own.str();
  // The scalar functions of StableHLO without attributes have HLO's names.
  std::string name = getOpName("stablehlo", opcode);
  const StringRef op = StringRef(name).split('.').second;
  const HloTraits *traits = getHloTraits(op);
  const VhloOp *fields = findVhloOp((op + "_v1").str());
  return traits && traits->kind == HloTraits::Kind::Elementwise &&
                 traits->arity != 0 && fields && fields->fields.empty()
             ? name
             : "";
}

bool HloImporter::isKept(StringRef opcode) {
  return llvm::is_contained({"infeed", "outfeed", "send", "send-done", "recv",
                             "recv-done", "rng-get-and-update-state",
                             "ragged-all-to-all", "ragged-dot", "scaled-dot",
                             "set-dimension-size", "dynamic-reshape",
                             "stochastic-convert", "scan"},
                            opcode);
}

HloImporter::Handler HloImporter::findHandler(StringRef opcode) {
  using I = HloImporter;
  if (!isKept(opcode) &&
      (opcode.ends_with("-done") || opcode.ends_with("-update")))
    return &I::importEndOfPair;
  return llvm::StringSwitch<Handler>(opcode)
      .Case("tuple", &I::importTuple)
      .Case("get-tuple-element", &I::importElement)
      .Cases({"add-dependency", "domain"}, &I::importOperand)
      .Case("compare", &I::importCompare)
      .Case("broadcast", &I::importBroadcast)
      .Case("iota", &I::importIota)
      .Cases({"concatenate", "get-dimension-size"}, &I::importAlongDimension)
      .Case("transpose", &I::importTranspose)
      .Case("reverse", &I::importReverse)
      .Case("slice", &I::importSlice)
      .Case("dynamic-slice", &I::importDynamicSlice)
      .Case("pad", &I::importPad)
      .Case("bitcast", &I::importBitcast)
      .Case("copy", &I::importCopy)
      .Case("dot", &I::importDot)
      .Case("convolution", &I::importConvolution)
      .Cases({"reduce", "map"}, &I::importReduceOrMap)
      .Case("reduce-window", &I::importReduceWindow)
      .Case("select-and-scatter", &I::importSelectAndScatter)
      .Case("scatter", &I::importScatter)
      .Case("gather", &I::importGather)
      .Case("sort", &I::importSort)
      .Case("while", &I::importWhile)
      .Case("conditional", &I::importConditional)
      .Case("custom-call", &I::importCustomCall)
      .Case("fft", &I::importFft)
      .Case("cholesky", &I::importCholesky)
      .Case("triangular-solve", &I::importTriangularSolve)
      .Cases({"batch-norm-training", "batch-norm-inference", "batch-norm-grad"},
             &I::importBatchNorm)
      .Case("rng", &I::importRng)
      .Case("rng-bit-generator", &I::importRngBits)
      .Case("topk", &I::importTopK)
      .Case("reduce-precision", &I::importReducePrecision)
      .Cases({"all-reduce", "all-gather", "all-to-all", "reduce-scatter",
              "collective-permute", "collective-broadcast"},
             &I::importCollective)
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void HloImporter::addOwn(Call &call, StringRef name, const Twine &ownText) {
  add(call, name,
      OpaqueAttr::get(b.getStringAttr("stablehlo"), ownText.str(),
                      b.getNoneType()));
}

void HloImporter::addPrecision(Call &call) {
  std::optional<StringRef> value = call.instruction.get("operand_precision");
  if (!value)
    return;
  SmallVector<Attribute> list;
  SmallVector<StringRef> words;
  value->trim("{}").split(words, ',');
  for (StringRef word : words)
    list.push_back(OpaqueAttr::get(b.getStringAttr("stablehlo"),
                                   "precision " + word.trim().upper(),
                                   b.getNoneType()));
  add(call, "precision_config", b.getArrayAttr(list));
}

void HloImporter::addPadding(Call &call, const HloWindowText &window) {
  SmallVector<int64_t> padding;
  for (auto [low, high] : llvm::zip_equal(window.low, window.high))
    padding.append({low, high});
  const int64_t rank = window.low.size();
  add(call, "padding",
      DenseIntElementsAttr::get(
          RankedTensorType::get({rank, 2}, b.getI64Type()), padding));
}

LogicalResult HloImporter::addChannel(Call &call) {
  if (!call.instruction.get("channel_id"))
    return success();
  FailureOr<int64_t> number = getNumber(call, "channel_id");
  if (failed(number))
    return failure();
  addOwn(call, "channel_handle",
         "channel_handle<handle = " + Twine(*number) + ", type = 1>");
  return success();
}

LogicalResult HloImporter::addNumbers(Call &call, StringRef from,
                                      StringRef to) {
  FailureOr<SmallVector<int64_t>> numbers = getNumbers(call, from);
  if (succeeded(numbers))
    addArray(call, to, *numbers);
  return success(succeeded(numbers));
}

LogicalResult HloImporter::addNumber(Call &call, StringRef from, StringRef to,
                                     std::optional<int64_t> otherwise) {
  FailureOr<int64_t> number = getNumber(call, from, otherwise);
  if (succeeded(number))
    add(call, to, b.getI64IntegerAttr(*number));
  return success(succeeded(number));
}

LogicalResult HloImporter::addFlag(Call &call, StringRef name) {
  FailureOr<bool> flag = getFlag(call, name, false);
  if (succeeded(flag))
    add(call, name, b.getBoolAttr(*flag));
  return success(succeeded(flag));
}

LogicalResult HloImporter::expectOperands(const Call &call, size_t count) {
  if (call.operands.size() == count)
    return success();
  return fail(call, "'" + call.instruction.opcode + "' must have " +
                        Twine(count) + " operands, found " +
                        Twine(call.operands.size()));
}

//===----------------------------------------------------------------------===//
// Tuples, movement
//===----------------------------------------------------------------------===//

LogicalResult HloImporter::importTuple(Call &call, Values &results) {
  results = call.operands;
  return success();
}

LogicalResult HloImporter::importElement(Call &call, Values &results) {
  FailureOr<int64_t> index = getNumber(call, "index");
  if (failed(index))
    return failure();
  if (call.instruction.operands.size() != 1)
    return fail(call, "'get-tuple-element' must have one operand");
  const HloShape &tuple = call.getOperand(0).shape;
  if (!tuple.isTuple() || *index < 0 ||
      *index >= static_cast<int64_t>(tuple.parts.size()))
    return fail(call, "its operand has no element " + Twine(*index));
  unsigned first = 0;
  for (int64_t i = 0; i < *index; ++i)
    first += tuple.parts[i].countLeaves();
  const unsigned count = tuple.parts[*index].countLeaves();
  if (first + count > call.operands.size())
    return fail(call,
                "its operand has " + Twine(call.operands.size()) + " arrays");
  llvm::append_range(results,
                     ArrayRef<Value>(call.operands).slice(first, count));
  return success();
}

LogicalResult HloImporter::importOperand(Call &call, Values &results) {
  if (call.instruction.operands.empty())
    return fail(call, "it must have an operand");
  const unsigned count = call.getOperand(0).shape.countLeaves();
  if (call.operands.size() < count)
    return fail(call,
                "its operand has " + Twine(call.operands.size()) + " arrays");
  llvm::append_range(results, ArrayRef<Value>(call.operands).take_front(count));
  return success();
}

LogicalResult HloImporter::importCompare(Call &call, Values &results) {
  std::optional<StringRef> direction = call.instruction.get("direction");
  if (!direction)
    return fail(call, "'compare' must have 'direction'");
  addOwn(call, "comparison_direction", "comparison_direction " + *direction);
  if (auto type = call.instruction.get("type"))
    addOwn(call, "compare_type", "comparison_type " + *type);
  return create(call, "stablehlo.compare", results);
}

LogicalResult HloImporter::importBroadcast(Call &call, Values &results) {
  FailureOr<SmallVector<int64_t>> dims =
      getNumbers(call, "dimensions", /*isNeeded=*/false);
  if (failed(dims) || failed(expectOperands(call, 1)))
    return failure();
  auto from = dyn_cast<RankedTensorType>(call.operands[0].getType());
  if (!from)
    return fail(call, "'broadcast' must have an array");
  if (from.getRank() != static_cast<int64_t>(dims->size()))
    return fail(call, "'dimensions' has " + Twine(dims->size()) +
                          " numbers for an operand of rank " +
                          Twine(from.getRank()));
  addArray(call, "broadcast_dimensions", *dims);
  return create(call, "stablehlo.broadcast_in_dim", results);
}

LogicalResult HloImporter::importIota(Call &call, Values &results) {
  return success(
      succeeded(addNumber(call, "iota_dimension", "iota_dimension", 0)) &&
      succeeded(create(call, "stablehlo.iota", results)));
}

LogicalResult HloImporter::importAlongDimension(Call &call, Values &results) {
  const std::string name = getOpName("stablehlo", call.instruction.opcode);
  return success(succeeded(addNumber(call, "dimensions", "dimension")) &&
                 succeeded(create(call, name, results)));
}

LogicalResult HloImporter::importTranspose(Call &call, Values &results) {
  return success(succeeded(addNumbers(call, "dimensions", "permutation")) &&
                 succeeded(create(call, "stablehlo.transpose", results)));
}

LogicalResult HloImporter::importReverse(Call &call, Values &results) {
  return success(succeeded(addNumbers(call, "dimensions", "dimensions")) &&
                 succeeded(create(call, "stablehlo.reverse", results)));
}

/// Two or three numbers, the third of which is `third` if absent.
static std::optional<std::array<int64_t, 3>>
readTriple(ArrayRef<StringRef> numbers, int64_t third) {
  std::array<int64_t, 3> triple = {0, 0, third};
  if (numbers.size() != 2 && numbers.size() != 3)
    return std::nullopt;
  for (auto [number, to] : llvm::zip(numbers, triple))
    if (number.getAsInteger(10, to))
      return std::nullopt;
  return triple;
}

LogicalResult HloImporter::importSlice(Call &call, Values &results) {
  std::optional<StringRef> value = call.instruction.get("slice");
  if (!value)
    return fail(call, "'slice' must have 'slice'");
  SmallVector<int64_t> starts, limits, strides;
  for (StringRef part : splitList(stripBraces(*value))) {
    SmallVector<StringRef> numbers;
    part.trim(" []").split(numbers, ':');
    for (StringRef &number : numbers)
      number = number.trim();
    auto triple = readTriple(numbers, /*third=*/1);
    if (!triple)
      return fail(part.data(),
                  "expected '[start:limit:stride]', found '" + part + "'");
    starts.push_back((*triple)[0]);
    limits.push_back((*triple)[1]);
    strides.push_back((*triple)[2]);
  }
  addArray(call, "start_indices", starts);
  addArray(call, "limit_indices", limits);
  addArray(call, "strides", strides);
  return create(call, "stablehlo.slice", results);
}

LogicalResult HloImporter::importDynamicSlice(Call &call, Values &results) {
  return success(
      succeeded(addNumbers(call, "dynamic_slice_sizes", "slice_sizes")) &&
      succeeded(create(call, "stablehlo.dynamic_slice", results)));
}

LogicalResult HloImporter::importPad(Call &call, Values &results) {
  std::optional<StringRef> value = call.instruction.get("padding");
  SmallVector<int64_t> low, high, interior;
  auto type = call.types.size() == 1 ? dyn_cast<RankedTensorType>(call.types[0])
                                     : RankedTensorType();
  if (!type || (!value && type.getRank() != 0))
    return fail(call, "'pad' must have 'padding', and give an array");
  SmallVector<StringRef> parts;
  if (value)
    value->split(parts, 'x');
  for (StringRef part : parts) {
    SmallVector<StringRef> numbers;
    part.split(numbers, '_');
    auto triple = readTriple(numbers, /*third=*/0);
    if (!triple)
      return fail(part.data(),
                  "expected 'low_high_interior', found '" + part + "'");
    low.push_back((*triple)[0]);
    high.push_back((*triple)[1]);
    interior.push_back((*triple)[2]);
  }
  addArray(call, "edge_padding_low", low);
  addArray(call, "edge_padding_high", high);
  addArray(call, "interior_padding", interior);
  return create(call, "stablehlo.pad", results);
}

/// `{0,1:T(8,128)}`: the dimensions from minor to major; row-major by default.
static std::optional<SmallVector<int64_t>> getOrder(const HloShape &shape) {
  SmallVector<int64_t> order;
  for (size_t i = shape.sizes.size(); i-- > 0;)
    order.push_back(i);
  if (shape.layout.empty())
    return order;
  SmallVector<StringRef> parts;
  shape.layout.trim("{}").split(':').first.split(parts, ',', -1,
                                                 /*KeepEmpty=*/false);
  order.clear();
  for (StringRef part : parts)
    if (part.trim().getAsInteger(10, order.emplace_back()))
      return std::nullopt;
  return order.size() == shape.sizes.size() && isPermutationVector(order)
             ? std::optional(order)
             : std::nullopt;
}

/// From an index to its position in memory order, or back.
static IndexingMap permute(ArrayRef<int64_t> shape, ArrayRef<int64_t> order,
                           bool isBack) {
  IndexingMapBuilder map;
  SmallVector<Form> index(shape.size());
  if (isBack)
    for (int64_t dim : order)
      index[dim] = map.addDim(Interval::ofExtent(shape[dim]));
  else
    index = map.addDims(shape);
  for (auto [i, dim] : llvm::enumerate(order))
    map.addResult(isBack ? index[i] : index[dim]);
  return map.build();
}

/// Whether elements are where they would be without tiles: `order` is from major to
/// minor.
static bool isSameMemory(const HloShape &from, ArrayRef<int64_t> fromOrder,
                         const HloShape &to, ArrayRef<int64_t> toOrder) {
  auto parse = [](const HloShape &shape) {
    ParseError error;
    return Layout::parse(getLayoutText(shape), error);
  };
  auto source = parse(from), result = parse(to);
  auto sourceMap = source ? source->getIndexingMap() : std::nullopt;
  auto resultMap = result ? result->getIndexingMap() : std::nullopt;
  if (!sourceMap || !resultMap)
    return false;
  auto inMemory = [](const HloShape &shape, ArrayRef<int64_t> order) {
    return llvm::map_to_vector(order,
                               [&](int64_t dim) { return shape.sizes[dim]; });
  };
  const IndexingMap moved =
      permute(to.sizes, toOrder, /*isBack=*/false)
          .then(reshapeMap(inMemory(to, toOrder), inMemory(from, fromOrder)))
          .then(permute(from.sizes, fromOrder, true));
  return compareMaps(moved.then(*sourceMap), *resultMap)
      .answer()
      .value_or(false);
}

LogicalResult HloImporter::importBitcast(Call &call, Values &results) {
  if (failed(expectOperands(call, 1)))
    return failure();
  if (call.types.size() != 1)
    return fail(call, "'bitcast' must give an array");
  const HloShape &from = call.getOperand(0).shape;
  const HloShape &to = call.instruction.shape;
  auto type = dyn_cast<RankedTensorType>(call.types[0]);
  auto given = dyn_cast<RankedTensorType>(call.operands[0].getType());
  auto source = getOrder(from), result = getOrder(to);
  const bool isTiled = from.layout.contains(':') || to.layout.contains(':');
  auto getBits = [](Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  };
  SmallVector<int64_t> order, wanted;
  bool isView = type && given && source && result && type.hasStaticShape() &&
                given.hasStaticShape();
  if (isView) {
    order.assign(source->rbegin(), source->rend());
    wanted.assign(result->rbegin(), result->rend());
    isView = type.getNumElements() == given.getNumElements() &&
             (type.getElementType() == given.getElementType() ||
              (getBits(type) == getBits(given) && getBits(type) != 0)) &&
             (!isTiled || isSameMemory(from, order, to, wanted));
  }
  if (!isView) {
    if (source && result && !isTiled) {
      add(call, "source_layout", b.getI64TensorAttr(*source));
      add(call, "result_layout", b.getI64TensorAttr(*result));
    }
    return create(call, "mhlo.bitcast", results);
  }
  // The elements in memory order, in the shape of the other layout. Only the last
  // op has a layout.
  const NamedAttribute is = getHlo("bitcast");
  Value value = call.operands[0];
  auto addOp = [&](StringRef name, ArrayRef<int64_t> shape, Type element,
                   ArrayRef<NamedAttribute> own) {
    OperationState state(b.getLoc(), name);
    state.addOperands(value);
    state.addTypes(RankedTensorType::get(shape, element));
    state.addAttribute(is.getName(), is.getValue());
    if (!own.empty())
      state.propertiesAttr = b.getDictionaryAttr(own);
    value = b.create(state)->getResult(0);
  };
  auto getShape = [&] { return cast<RankedTensorType>(value.getType()); };
  auto transpose = [&](ArrayRef<int64_t> permutation) {
    addOp("stablehlo.transpose",
          applyPermutation(getShape().getShape(), permutation),
          getShape().getElementType(),
          b.getNamedAttr("permutation", b.getDenseI64ArrayAttr(permutation)));
  };
  if (!llvm::is_sorted(order))
    transpose(order);
  const SmallVector<int64_t> physical =
      applyPermutation(type.getShape(), ArrayRef<int64_t>(wanted));
  if (getShape().getShape() != ArrayRef<int64_t>(physical))
    addOp("stablehlo.reshape", physical, given.getElementType(), {});
  if (type.getElementType() != given.getElementType())
    addOp("stablehlo.bitcast_convert", physical, type.getElementType(), {});
  if (!llvm::is_sorted(wanted))
    transpose(invertPermutationVector(wanted));
  if (value.getType() != type && value == call.operands[0])
    addOp("stablehlo.reshape", type.getShape(), type.getElementType(), {});
  value.setType(type);
  results.push_back(value);
  return success();
}

LogicalResult HloImporter::importCopy(Call &call, Values &results) {
  if (failed(expectOperands(call, call.types.size())))
    return failure();
  if (keepsLayouts)
    return create(call, "mhlo.copy", results);
  results = call.operands;
  return success();
}
