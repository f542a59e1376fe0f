//===- StableHloReader.cpp - The fields of an op of StableHLO -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each reader: operands and results first, then the attributes, each against
// the shapes, then what follows from them. The first thing that is wrong is
// what `why` names.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/StableHloReader.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Names, sizes, attributes
//===----------------------------------------------------------------------===//

bool tensoraccess::isHlo(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "stablehlo" || dialect == "mhlo" || dialect == "chlo";
}

bool tensoraccess::isHlo(Operation *op, StringRef name) {
  return isHlo(op) && getHloName(op) == name;
}

StringRef tensoraccess::getHloName(Operation *op) {
  return op->getName().stripDialect();
}

bool tensoraccess::agree(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

bool tensoraccess::agree(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return agree(std::get<0>(pair), std::get<1>(pair));
         });
}

/// No number of an op is larger.
static constexpr int64_t kMaxNumber = int64_t(1) << 31;

static bool areSmall(ArrayRef<int64_t> numbers) {
  return llvm::all_of(
      numbers, [](int64_t n) { return n >= -kMaxNumber && n <= kMaxNumber; });
}

/// Notes the reason why there is nothing to read.
static std::nullopt_t refuse(const HloReader &reader, const Twine &reason) {
  reader.fail(reason);
  return std::nullopt;
}

StringRef HloReader::getName() const {
  return op ? getHloName(op) : name->stripDialect();
}

Attribute HloReader::getAttr(StringRef attribute) const {
  if (op)
    return op->getAttr(attribute);
  return attributes ? attributes.get(attribute) : Attribute();
}

bool HloReader::hasTensors(int64_t numOperands, int64_t numResults) const {
  if (numOperands >= 0 && int64_t(operandTypes.size()) != numOperands)
    return fail("it must have " + Twine(numOperands) + " operands, got " +
                Twine(operandTypes.size()));
  if (numResults >= 0 && int64_t(resultTypes.size()) != numResults)
    return fail("it must have " + Twine(numResults) + " results, got " +
                Twine(resultTypes.size()));
  auto check = [&](TypeRange types, StringRef what) {
    for (auto [i, type] : llvm::enumerate(types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor)
        return fail(what + " " + Twine(i) + " must be a ranked tensor");
      if (tensor.getEncoding())
        return fail(what + " " + Twine(i) + " has an encoding");
      // An unknown size is negative.
      if (llvm::any_of(tensor.getShape(),
                       [](int64_t size) { return size > kMaxNumber; }))
        return fail(what + " " + Twine(i) + " has a size beyond 2^31");
    }
    return true;
  };
  return check(operandTypes, "operand") && check(resultTypes, "result");
}

std::optional<SmallVector<int64_t>> HloReader::integers(StringRef name) const {
  auto numbers = getHloIntegers(getAttr(name));
  if (!numbers || !areSmall(*numbers))
    return refuse(*this, "attribute '" + name + "' must be a list of integers");
  return numbers;
}

std::optional<SmallVector<int64_t>>
HloReader::integers(StringRef name, size_t count, int64_t otherwise) const {
  if (!getAttr(name))
    return SmallVector<int64_t>(count, otherwise);
  auto numbers = integers(name);
  if (numbers && numbers->size() != count)
    return refuse(*this, "attribute '" + name + "' must have " + Twine(count) +
                             " numbers, got " + Twine(numbers->size()));
  return numbers;
}

std::optional<int64_t> HloReader::integer(StringRef name,
                                          int64_t otherwise) const {
  Attribute attr = getAttr(name);
  if (!attr)
    return otherwise;
  auto number = dyn_cast<IntegerAttr>(attr);
  if (!number || !number.getValue().isSignedIntN(33))
    return refuse(*this, "attribute '" + name + "' must be an integer");
  return number.getValue().getSExtValue();
}

std::optional<SmallVector<int64_t>> HloReader::dims(StringRef name,
                                                    size_t rank) const {
  auto numbers = integers(name);
  if (numbers && !areDims(*numbers, rank))
    return refuse(*this, "attribute '" + name +
                             "' must be distinct dimensions below " +
                             Twine(rank));
  return numbers;
}

/// The dimensions in [0, rank) that are not in `used`, ascending.
static SmallVector<int64_t> others(ArrayRef<int64_t> used, size_t rank) {
  SmallVector<int64_t> result;
  for (int64_t i = 0; i < int64_t(rank); ++i)
    if (!llvm::is_contained(used, i))
      result.push_back(i);
  return result;
}

static SmallVector<int64_t> joined(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> both(a);
  llvm::append_range(both, b);
  return both;
}

static bool isStatic(const HloReader &reader) {
  auto isStaticType = [](Type type) {
    return cast<ShapedType>(type).hasStaticShape();
  };
  return (llvm::all_of(reader.operandTypes, isStaticType) &&
          llvm::all_of(reader.resultTypes, isStaticType)) ||
         reader.fail("its shapes are not static");
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

std::optional<HloDot> HloDot::read(const HloReader &reader) {
  if (!reader.hasTensors(2, 1))
    return std::nullopt;
  ArrayRef<int64_t> lhs = reader.in(0), rhs = reader.in(1);
  HloDot dot;
  if (reader.getName() == "dot") {
    if (lhs.empty() || rhs.empty() || lhs.size() > 2 || rhs.size() > 2)
      return refuse(reader, "its operands must be vectors or matrices");
    dot.lhsContract = {int64_t(lhs.size()) - 1};
    dot.rhsContract = {0};
  } else {
    std::string error;
    auto fields = parseHloFields(
        getHloText(reader.getAttr("dot_dimension_numbers")), "dot", error);
    if (!fields)
      return refuse(reader,
                    "attribute 'dot_dimension_numbers' is not read: " + error);
    dot.lhsBatch = llvm::to_vector(fields->list("lhs_batching_dimensions"));
    dot.rhsBatch = llvm::to_vector(fields->list("rhs_batching_dimensions"));
    dot.lhsContract =
        llvm::to_vector(fields->list("lhs_contracting_dimensions"));
    dot.rhsContract =
        llvm::to_vector(fields->list("rhs_contracting_dimensions"));
  }
  SmallVector<int64_t> lhsUsed = joined(dot.lhsBatch, dot.lhsContract);
  SmallVector<int64_t> rhsUsed = joined(dot.rhsBatch, dot.rhsContract);
  if (dot.lhsBatch.size() != dot.rhsBatch.size() ||
      dot.lhsContract.size() != dot.rhsContract.size() ||
      !areDims(lhsUsed, lhs.size()) || !areDims(rhsUsed, rhs.size()))
    return refuse(reader, "its dimension numbers don't fit its operands");
  for (auto [l, r] : llvm::zip_equal(lhsUsed, rhsUsed))
    if (!agree(lhs[l], rhs[r]))
      return refuse(reader, "dimension " + Twine(l) +
                                " of the left operand has size " +
                                Twine(lhs[l]) + ", dimension " + Twine(r) +
                                " of the right one " + Twine(rhs[r]));
  dot.lhsFree = others(lhsUsed, lhs.size());
  dot.rhsFree = others(rhsUsed, rhs.size());
  SmallVector<int64_t> sizes;
  for (int64_t dim : joined(dot.lhsBatch, dot.lhsFree))
    sizes.push_back(lhs[dim]);
  for (int64_t dim : dot.rhsFree)
    sizes.push_back(rhs[dim]);
  if (!agree(sizes, reader.out()))
    return refuse(reader, "the result's shape is not that of the product");
  return dot;
}

bool tensoraccess::hasHloProducts(const HloReader &reader) {
  Type types[] = {reader.operandType(0).getElementType(),
                  reader.operandType(1).getElementType(),
                  reader.resultType().getElementType()};
  for (Type type : types)
    if (!isa<FloatType, IntegerType>(type))
      return reader.fail("an element type is neither a float nor an integer");
  return isa<FloatType>(types[2]) ||
         !(isa<FloatType>(types[0]) || isa<FloatType>(types[1])) ||
         reader.fail("its products of floats must be floats");
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

int64_t HloWindowDim::paddedSize() const {
  return low + (input == 0 ? 0 : (input - 1) * base + 1) + high;
}

/// Strides and dilations are positive, and the output has the size that
/// follows.
static bool isConsistent(const HloReader &reader, const HloWindowDim &dim) {
  if (dim.stride < 1 || dim.dilation < 1 || dim.base < 1)
    return reader.fail("strides and dilations must be positive");
  if (dim.window < 0)
    return reader.fail("a window must not have a negative size");
  int64_t padded = dim.paddedSize();
  int64_t reach = dim.window == 0 ? 0 : (dim.window - 1) * dim.dilation + 1;
  int64_t output = padded < reach || (padded == 0 && reach == 0)
                       ? 0
                       : (padded - reach) / dim.stride + 1;
  return output == dim.output ||
         reader.fail("the result's size must be " + Twine(output) + ", got " +
                     Twine(dim.output));
}

/// A group of N inputs and N scalars with N results.
static bool readVariadic(const HloReader &reader, unsigned &numInputs) {
  if (!reader.hasTensors(-1, -1))
    return false;
  numInputs = reader.resultTypes.size();
  if (numInputs == 0 || reader.operandTypes.size() != 2 * numInputs)
    return reader.fail("it must have an initial value and a result for each "
                       "input");
  for (unsigned i = 0; i < numInputs; ++i) {
    if (!agree(reader.in(i), reader.in(0)) ||
        !agree(reader.out(i), reader.out(0)))
      return reader.fail("its inputs must have one shape");
    if (!reader.in(numInputs + i).empty())
      return reader.fail("initial value " + Twine(i) + " must be a scalar");
  }
  return true;
}

bool HloWindows::complete(const HloReader &reader, ArrayRef<int64_t> input,
                          ArrayRef<int64_t> output) {
  size_t rank = input.size();
  auto sizes = reader.integers("window_dimensions", rank, 1);
  auto strides = reader.integers("window_strides", rank, 1);
  auto bases = reader.integers("base_dilations", rank, 1);
  auto dilations = reader.integers("window_dilations", rank, 1);
  auto padding = reader.integers("padding", 2 * rank, 0);
  if (!sizes || !strides || !bases || !dilations || !padding)
    return false;
  if (output.size() != rank)
    return reader.fail("there must be a window in each dimension");
  for (size_t i = 0; i < rank; ++i) {
    dims.push_back({input[i], output[i], (*sizes)[i], (*strides)[i],
                    (*dilations)[i], (*bases)[i], (*padding)[2 * i],
                    (*padding)[2 * i + 1]});
    if (!isConsistent(reader, dims.back()))
      return false;
  }
  return true;
}

std::optional<HloWindows> HloWindows::read(const HloReader &reader) {
  HloWindows result;
  if (!readVariadic(reader, result.numInputs) || !isStatic(reader) ||
      !result.complete(reader, reader.in(0), reader.out()))
    return std::nullopt;
  return result;
}

std::optional<HloWindows> HloWindows::readSelect(const HloReader &reader) {
  HloWindows result;
  result.numInputs = 1;
  if (!reader.hasTensors(3, 1) || !isStatic(reader) ||
      !result.complete(reader, reader.in(0), reader.in(1)))
    return std::nullopt;
  Type element = reader.resultType().getElementType();
  if (reader.resultType() != reader.operandType(0) ||
      reader.operandType(1).getElementType() != element ||
      reader.operandType(2) != RankedTensorType::get({}, element))
    reader.fail("it must have an operand, a source and a scalar of one element "
                "type, and a result of the operand's type");
  if (llvm::any_of(result.dims, [](auto &dim) { return dim.base != 1; }))
    reader.fail("its operand must not be spread");
  return reader.why.empty() ? std::optional(result) : std::nullopt;
}

std::optional<HloScan> HloWindows::getScan() const {
  std::optional<HloScan> scan;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim.stride != 1 || dim.base != 1 || dim.output != dim.input)
      return std::nullopt;
    if (dim.window == 1 && dim.low == 0)
      continue;
    const int64_t others = dim.input - 1;
    const bool isForward = dim.low == others && dim.high == 0;
    const bool isReverse = dim.low == 0 && dim.high == others;
    if (scan || others < 1 || dim.window != dim.input || dim.dilation != 1 ||
        !(isForward || isReverse))
      return std::nullopt;
    scan = {static_cast<int64_t>(i), isReverse};
  }
  return scan;
}

std::optional<HloConvolution> HloConvolution::read(const HloReader &reader) {
  if (!reader.hasTensors(2, 1) || !isStatic(reader))
    return std::nullopt;
  std::string error;
  auto numbers = parseHloConvolution(
      getHloText(reader.getAttr("dimension_numbers")), error);
  if (!numbers)
    return refuse(reader,
                  "attribute 'dimension_numbers' is not read: " + error);
  ArrayRef<int64_t> input = reader.in(0), kernel = reader.in(1),
                    output = reader.out();
  HloConvolution c;
  c.numbers = *numbers;
  size_t rank = numbers->input.rank(), spatial = rank - 2;
  if (input.size() != rank || kernel.size() != rank || output.size() != rank)
    return refuse(reader, "its tensors must have rank " + Twine(rank));
  auto strides = reader.integers("window_strides", spatial, 1);
  auto padding = reader.integers("padding", 2 * spatial, 0);
  auto bases = reader.integers("lhs_dilation", spatial, 1);
  auto dilations = reader.integers("rhs_dilation", spatial, 1);
  auto reversal = reader.integers("window_reversal", spatial, 0);
  auto featureGroups = reader.integer("feature_group_count", 1);
  auto batchGroups = reader.integer("batch_group_count", 1);
  if (!strides || !padding || !bases || !dilations || !reversal ||
      !featureGroups || !batchGroups)
    return std::nullopt;
  for (size_t i = 0; i < spatial; ++i) {
    c.windows.push_back(
        {input[numbers->input.spatial[i]], output[numbers->output.spatial[i]],
         kernel[numbers->kernel.spatial[i]], (*strides)[i], (*dilations)[i],
         (*bases)[i], (*padding)[2 * i], (*padding)[2 * i + 1]});
    if (!isConsistent(reader, c.windows.back()))
      return std::nullopt;
    c.reversed.push_back((*reversal)[i] != 0);
  }
  c.featureGroups = *featureGroups;
  c.batchGroups = *batchGroups;
  int64_t outputFeatures = kernel[numbers->kernel.second];
  if (c.featureGroups < 1 || c.batchGroups < 1 ||
      (c.featureGroups > 1 && c.batchGroups > 1) ||
      kernel[numbers->kernel.first] * c.featureGroups !=
          input[numbers->input.second] ||
      output[numbers->output.first] * c.batchGroups !=
          input[numbers->input.first] ||
      outputFeatures != output[numbers->output.second] ||
      outputFeatures % c.groups() != 0)
    return refuse(reader, "its groups don't divide its features and batches");
  return c;
}

std::optional<HloReduce> HloReduce::read(const HloReader &reader) {
  HloReduce result;
  if (!readVariadic(reader, result.numInputs))
    return std::nullopt;
  ArrayRef<int64_t> input = reader.in(0);
  auto dims = reader.dims("dimensions", input.size());
  if (!dims)
    return std::nullopt;
  result.dims = *dims;
  llvm::sort(result.dims);
  result.kept = others(result.dims, input.size());
  SmallVector<int64_t> sizes;
  for (int64_t dim : result.kept)
    sizes.push_back(input[dim]);
  if (!agree(sizes, reader.out()))
    return refuse(reader,
                  "the result's shape must be that of the other dimensions");
  return result;
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

bool HloSlices::complete(const HloReader &reader, ArrayRef<int64_t> tensor,
                         ArrayRef<int64_t> indices, ArrayRef<int64_t> slices) {
  int64_t rank = tensor.size(), indicesRank = indices.size();
  SmallVector<int64_t> gone = joined(dropped, batching);
  if (!areDims(gone, rank) || !areDims(window, slices.size()) ||
      !areDims(starts, rank) || !areDims(indicesBatching, indicesRank) ||
      batching.size() != indicesBatching.size() || vectorDim < 0 ||
      vectorDim > indicesRank ||
      (vectorDim < indicesRank ? indices[vectorDim] : 1) !=
          int64_t(starts.size()) ||
      llvm::is_contained(indicesBatching, vectorDim))
    return reader.fail("its dimension numbers don't fit its operands");
  for (int64_t dim : batching)
    if (llvm::is_contained(starts, dim))
      return reader.fail("a batching dimension has a start");
  windowTargets = others(gone, rank);
  batchDims = others(window, slices.size());
  if (windowTargets.size() != window.size())
    return reader.fail("a slice must have a dimension for each that is not "
                       "dropped");
  SmallVector<int64_t> expected, found;
  for (int64_t i = 0; i < indicesRank; ++i)
    if (i != vectorDim)
      expected.push_back(indices[i]);
  for (int64_t dim : batchDims)
    found.push_back(slices[dim]);
  if (expected != found)
    return reader.fail("there must be a slice for each index");
  for (auto [dim, from] : llvm::zip_equal(batching, indicesBatching))
    if (tensor[dim] != indices[from])
      return reader.fail("batching dimensions must have one size");
  sizes.assign(rank, 1);
  for (auto [dim, target] : llvm::zip_equal(window, windowTargets)) {
    sizes[target] = slices[dim];
    if (slices[dim] > tensor[target] && !llvm::is_contained(slices, 0))
      return reader.fail("a slice of size " + Twine(slices[dim]) +
                         " does not fit into a dimension of size " +
                         Twine(tensor[target]));
  }
  return true;
}

static bool readSliceNumbers(const HloReader &reader, HloSlices &slices,
                             StringRef attribute, StringRef name,
                             ArrayRef<StringRef> keys) {
  std::string error;
  auto fields =
      parseHloFields(getHloText(reader.getAttr(attribute)), name, error);
  if (!fields)
    return reader.fail("attribute '" + attribute + "' is not read: " + error);
  SmallVector<int64_t> *lists[] = {&slices.window, &slices.dropped,
                                   &slices.batching, &slices.indicesBatching,
                                   &slices.starts};
  for (auto [list, key] : llvm::zip_equal(lists, keys))
    *list = llvm::to_vector(fields->list(key));
  slices.vectorDim = fields->number("index_vector_dim");
  return true;
}

std::optional<HloSlices> HloSlices::readGather(const HloReader &reader) {
  HloSlices slices;
  if (!reader.hasTensors(2, 1) || !isStatic(reader) ||
      !readSliceNumbers(reader, slices, "dimension_numbers", "gather",
                        {"offset_dims", "collapsed_slice_dims",
                         "operand_batching_dims", "start_indices_batching_dims",
                         "start_index_map"}) ||
      !slices.complete(reader, reader.in(0), reader.in(1), reader.out()))
    return std::nullopt;
  auto sizes = reader.integers("slice_sizes");
  if (!sizes)
    return std::nullopt;
  // A dimension without elements is dropped with size 0.
  bool fits = sizes->size() == slices.sizes.size() &&
              llvm::all_of(llvm::zip(*sizes, slices.sizes), [](auto pair) {
                auto [given, found] = pair;
                return given == found || (given == 0 && found == 1);
              });
  if (!fits)
    return refuse(reader, "'slice_sizes' don't fit the result");
  if (llvm::is_contained(reader.in(0), 0) &&
      !llvm::is_contained(reader.out(), 0))
    return refuse(reader, "there is no element of its operand to read");
  return slices;
}

std::optional<HloSlices> HloSlices::readScatter(const HloReader &reader) {
  HloSlices slices;
  unsigned count = slices.numInputs = reader.resultTypes.size();
  if (!reader.hasTensors(2 * int64_t(count) + 1, -1) || !isStatic(reader))
    return std::nullopt;
  if (count == 0)
    return refuse(reader, "it has no result");
  for (unsigned i = 0; i < count; ++i)
    if (reader.in(i) != reader.in(0) || reader.out(i) != reader.in(0) ||
        reader.in(count + 1 + i) != reader.in(count + 1))
      return refuse(reader,
                    "its inputs and its updates must have one shape each");
  if (!readSliceNumbers(reader, slices, "scatter_dimension_numbers", "scatter",
                        {"update_window_dims", "inserted_window_dims",
                         "input_batching_dims", "scatter_indices_batching_dims",
                         "scatter_dims_to_operand_dims"}) ||
      !slices.complete(reader, reader.in(0), reader.in(count),
                       reader.in(count + 1)))
    return std::nullopt;
  slices.areWhole = bool(reader.getAttr(kWholeWindows));
  return slices;
}

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

std::optional<HloPad> HloPad::read(const HloReader &reader) {
  if (!reader.hasTensors(2, 1))
    return std::nullopt;
  size_t rank = reader.in(0).size();
  auto low = reader.integers("edge_padding_low", rank, 0);
  auto high = reader.integers("edge_padding_high", rank, 0);
  auto interior = reader.integers("interior_padding", rank, 0);
  if (!low || !high || !interior)
    return std::nullopt;
  if (!reader.in(1).empty() || reader.out().size() != rank)
    return refuse(reader, "it must pad with a scalar and keep the rank");
  for (size_t i = 0; i < rank; ++i) {
    if ((*interior)[i] < 0)
      return refuse(reader, "interior padding must not be negative");
    int64_t in = reader.in(0)[i], out = reader.out()[i];
    if (ShapedType::isDynamic(in))
      continue;
    int64_t size =
        HloWindowDim{in,        out,       1, 1, 1, (*interior)[i] + 1,
                     (*low)[i], (*high)[i]}
            .paddedSize();
    if (size < 0 || !agree(size, out))
      return refuse(reader, "the result's size must be " + Twine(size) +
                                ", got " + Twine(out));
  }
  return HloPad{*low, *high, *interior};
}

std::optional<HloSlice> HloSlice::read(const HloReader &reader) {
  if (!reader.hasTensors(1, 1))
    return std::nullopt;
  size_t rank = reader.in(0).size();
  auto starts = reader.integers("start_indices", rank, 0);
  auto limits = reader.integers("limit_indices", rank, 0);
  auto strides = reader.integers("strides", rank, 1);
  if (!starts || !limits || !strides)
    return std::nullopt;
  if (reader.out().size() != rank)
    return refuse(reader, "the result must have the rank of the operand");
  for (size_t i = 0; i < rank; ++i) {
    int64_t start = (*starts)[i], limit = (*limits)[i], stride = (*strides)[i];
    int64_t size = reader.in(0)[i];
    bool isInside = stride >= 1 && start >= 0 && start <= limit &&
                    (ShapedType::isDynamic(size) || limit <= size);
    if (!isInside ||
        !agree((limit - start + stride - 1) / stride, reader.out()[i]))
      return refuse(reader, "dimension " + Twine(i) + " is not sliced inside");
  }
  return HloSlice{*starts, *limits, *strides};
}

std::optional<SmallVector<int64_t>>
tensoraccess::readHloBroadcast(const HloReader &reader) {
  if (!reader.hasTensors(1, 1))
    return std::nullopt;
  auto dims = reader.dims("broadcast_dimensions", reader.out().size());
  if (!dims)
    return std::nullopt;
  if (dims->size() != reader.in(0).size())
    return refuse(reader,
                  "there must be a place for each dimension of the operand");
  for (auto [size, place] : llvm::zip_equal(reader.in(0), *dims))
    if (size != 1 && !agree(size, reader.out()[place]))
      return refuse(reader, "size " + Twine(size) + " does not become " +
                                Twine(reader.out()[place]));
  return dims;
}

std::optional<SmallVector<int64_t>>
tensoraccess::readHloTranspose(const HloReader &reader) {
  if (!reader.hasTensors(1, 1))
    return std::nullopt;
  ArrayRef<int64_t> in = reader.in(0);
  auto perm = reader.dims("permutation", in.size());
  if (!perm)
    return std::nullopt;
  bool fits = perm->size() == in.size() && reader.out().size() == in.size();
  for (size_t i = 0; fits && i < in.size(); ++i)
    fits = agree(in[(*perm)[i]], reader.out()[i]);
  if (!fits)
    return refuse(reader, "its permutation does not fit its shapes");
  return perm;
}

std::optional<SmallVector<int64_t>>
tensoraccess::readHloReverse(const HloReader &reader) {
  if (!reader.hasTensors(1, 1))
    return std::nullopt;
  if (!agree(reader.in(0), reader.out()))
    return refuse(reader, "the result must have the operand's shape");
  return reader.dims("dimensions", reader.in(0).size());
}

std::optional<int64_t>
tensoraccess::readHloConcatenate(const HloReader &reader) {
  if (!reader.hasTensors(-1, 1))
    return std::nullopt;
  auto axis = reader.integer("dimension", -1);
  ArrayRef<int64_t> out = reader.out();
  if (reader.operandTypes.empty() || !axis || *axis < 0 ||
      *axis >= int64_t(out.size()))
    return refuse(reader,
                  "it must join operands along one of their dimensions");
  int64_t sum = 0;
  for (unsigned i = 0; i < reader.operandTypes.size(); ++i) {
    SmallVector<int64_t> shape(reader.in(i));
    if (shape.size() == out.size()) {
      sum = ShapedType::isDynamic(shape[*axis]) || ShapedType::isDynamic(sum)
                ? ShapedType::kDynamic
                : sum + shape[*axis];
      shape[*axis] = out[*axis];
    }
    if (!agree(shape, out))
      return refuse(reader,
                    "operand " + Twine(i) + " differs in another dimension");
  }
  if (!agree(sum, out[*axis]))
    return refuse(reader, "the result's size must be " + Twine(sum) + ", got " +
                              Twine(out[*axis]));
  return axis;
}

std::optional<int64_t>
tensoraccess::readHloSetDimensionSize(const HloReader &reader) {
  if (!reader.hasTensors(2, 1))
    return std::nullopt;
  auto dim = reader.integer("dimension", -1);
  const int64_t rank = reader.in(0).size();
  if (!dim || *dim < 0 || *dim >= rank || !reader.in(1).empty() ||
      !reader.operandType(1).getElementType().isInteger() ||
      reader.out().size() != reader.in(0).size())
    return refuse(reader,
                  "it must name a dimension of its operand, and its size "
                  "as an integer");
  return dim;
}
