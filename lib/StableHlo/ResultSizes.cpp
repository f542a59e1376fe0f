//===- ResultSizes.cpp - Sizes of results from those of operands ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::tensoraccess;

using Sizes = SmallVector<int64_t>;
static constexpr int64_t kUnknown = ShapedType::kDynamic;

static int64_t sum(int64_t a, int64_t b) {
  return a == kUnknown || b == kUnknown ? kUnknown
                                        : checkedAdd(a, b).value_or(kUnknown);
}

namespace {
/// The sizes of each result, kDynamic where they are not known; empty if
/// nothing follows.
class SizeReader : public HloReader {
public:
  using HloReader::HloReader;
  std::optional<SmallVector<Sizes>> read();

private:
  using Answer = std::optional<SmallVector<Sizes>>;

  /// Each result as the operand of its number.
  Answer same() const {
    SmallVector<Sizes> all;
    for (unsigned i = 0; i < resultTypes.size(); ++i)
      all.emplace_back(in(i));
    return all;
  }
  Answer one(ArrayRef<int64_t> sizes) const {
    return SmallVector<Sizes>(resultTypes.size(), Sizes(sizes));
  }
  /// How many windows there are; `padding` has two numbers for each dimension.
  int64_t countWindows(int64_t input, int64_t window, int64_t stride,
                       int64_t base, int64_t dilation, int64_t padding) const {
    if (input > INT32_MAX || window > INT32_MAX || input < 0 || window < 0 ||
        stride < 1)
      return kUnknown;
    const int64_t padded = (input == 0 ? 0 : (input - 1) * base + 1) + padding;
    const int64_t reach = window == 0 ? 0 : (window - 1) * dilation + 1;
    return padded < reach ? 0 : (padded - reach) / stride + 1;
  }

  Answer readElementwise() const;
  Answer readReshape() const;
  Answer readConcatenate() const;
  Answer readGather() const;
  Answer readPad() const;
  Answer readWindows() const;
  Answer readConvolution() const;
  Answer readFft() const;
  Answer readBitcast() const;
};
} // namespace

/// Those of an operand of the result's rank, with what others know of them;
/// of operands that are broadcast, the larger ones.
SizeReader::Answer SizeReader::readElementwise() const {
  const bool isBroadcast = getName().starts_with("broadcast_");
  const int64_t rank = resultType().getRank();
  Sizes sizes(rank, kUnknown);
  bool isFound = rank == 0;
  for (unsigned i = 0; i < operandTypes.size(); ++i) {
    ArrayRef<int64_t> from = in(i);
    if (static_cast<int64_t>(from.size()) > rank ||
        (!isBroadcast && static_cast<int64_t>(from.size()) != rank))
      continue;
    for (auto [j, size] : llvm::enumerate(from)) {
      int64_t &to = sizes[rank - from.size() + j];
      if (to == kUnknown || (isBroadcast && to == 1 && size != kUnknown))
        to = size;
    }
    isFound = true;
  }
  if (!isFound)
    return std::nullopt;
  return one(sizes);
}

/// The one that is not known, from the number of elements.
SizeReader::Answer SizeReader::readReshape() const {
  Sizes sizes(out());
  if (llvm::count(sizes, kUnknown) != 1 || !operandType(0).hasStaticShape())
    return one(sizes);
  int64_t &missing = *llvm::find(sizes, kUnknown);
  missing = 1;
  std::optional<int64_t> known = elementCount(sizes), all = elementCount(in(0));
  missing = known && all && *known != 0 && *all % *known == 0 ? *all / *known
                                                              : kUnknown;
  return one(sizes);
}

SizeReader::Answer SizeReader::readConcatenate() const {
  auto dim = readHloConcatenate(*this);
  if (!dim)
    return std::nullopt;
  Sizes sizes(in(0));
  for (unsigned i = 1; i < operandTypes.size(); ++i)
    for (auto [d, size] : llvm::enumerate(in(i))) {
      if (static_cast<int64_t>(d) == *dim)
        sizes[d] = sum(sizes[d], size);
      else if (sizes[d] == kUnknown)
        sizes[d] = size;
    }
  return one(sizes);
}

SizeReader::Answer SizeReader::readGather() const {
  std::string error;
  auto fields =
      parseHloFields(getHloText(getAttr("dimension_numbers")), "gather", error);
  auto slices = integers("slice_sizes");
  if (!fields || !slices)
    return std::nullopt;
  Sizes window, batch, sizes;
  for (auto [d, size] : llvm::enumerate(*slices))
    if (!llvm::is_contained(fields->list("collapsed_slice_dims"), d) &&
        !llvm::is_contained(fields->list("operand_batching_dims"), d))
      window.push_back(size);
  for (auto [d, size] : llvm::enumerate(in(1)))
    if (static_cast<int64_t>(d) != fields->number("index_vector_dim"))
      batch.push_back(size);
  ArrayRef<int64_t> offsets = fields->list("offset_dims");
  const size_t rank = out().size();
  if (window.size() != offsets.size() || window.size() + batch.size() != rank)
    return std::nullopt;
  auto nextWindow = window.begin(), nextBatch = batch.begin();
  for (size_t d = 0; d < rank; ++d)
    sizes.push_back(llvm::is_contained(offsets, d) ? *nextWindow++
                                                   : *nextBatch++);
  return one(sizes);
}

SizeReader::Answer SizeReader::readPad() const {
  Sizes sizes(in(0));
  const size_t rank = sizes.size();
  auto low = integers("edge_padding_low", rank, 0),
       high = integers("edge_padding_high", rank, 0),
       interior = integers("interior_padding", rank, 0);
  if (!low || !high || !interior)
    return std::nullopt;
  for (size_t d = 0; d < rank; ++d)
    if (sizes[d] > INT32_MAX)
      sizes[d] = kUnknown;
    else if (sizes[d] != kUnknown)
      sizes[d] += (*low)[d] + (*high)[d] +
                  std::max<int64_t>(sizes[d] - 1, 0) * (*interior)[d];
  return one(sizes);
}

SizeReader::Answer SizeReader::readWindows() const {
  Sizes sizes(in(0));
  const size_t rank = sizes.size();
  auto window = integers("window_dimensions", rank, 1),
       stride = integers("window_strides", rank, 1),
       base = integers("base_dilations", rank, 1),
       dilation = integers("window_dilations", rank, 1),
       padding = integers("padding", 2 * rank, 0);
  if (!window || !stride || !base || !dilation || !padding)
    return std::nullopt;
  for (size_t d = 0; d < rank; ++d)
    sizes[d] =
        countWindows(sizes[d], (*window)[d], (*stride)[d], (*base)[d],
                     (*dilation)[d], (*padding)[2 * d] + (*padding)[2 * d + 1]);
  return one(sizes);
}

SizeReader::Answer SizeReader::readConvolution() const {
  std::string error;
  auto numbers =
      parseHloConvolution(getHloText(getAttr("dimension_numbers")), error);
  if (!numbers || numbers->output.rank() != out().size() ||
      numbers->input.rank() != in(0).size() ||
      numbers->kernel.rank() != in(1).size())
    return std::nullopt;
  const size_t rank = numbers->output.spatial.size();
  auto stride = integers("window_strides", rank, 1),
       base = integers("lhs_dilation", rank, 1),
       dilation = integers("rhs_dilation", rank, 1),
       padding = integers("padding", 2 * rank, 0);
  auto groups = integer("batch_group_count", 1);
  if (!stride || !base || !dilation || !padding || !groups || *groups < 1)
    return std::nullopt;
  Sizes sizes(out().size(), kUnknown);
  const int64_t batch = in(0)[numbers->input.first];
  sizes[numbers->output.first] = batch == kUnknown ? kUnknown : batch / *groups;
  sizes[numbers->output.second] = in(1)[numbers->kernel.second];
  for (size_t d = 0; d < rank; ++d)
    sizes[numbers->output.spatial[d]] = countWindows(
        in(0)[numbers->input.spatial[d]], in(1)[numbers->kernel.spatial[d]],
        (*stride)[d], (*base)[d], (*dilation)[d],
        (*padding)[2 * d] + (*padding)[2 * d + 1]);
  return one(sizes);
}

SizeReader::Answer SizeReader::readFft() const {
  auto length = integers("fft_length");
  if (!length || length->empty())
    return std::nullopt;
  Sizes sizes(in(0));
  StringRef kind = getHloKeyword(getAttr("fft_type"));
  if (kind == "RFFT")
    sizes.back() = length->back() / 2 + 1;
  else if (kind == "IRFFT")
    sizes.back() = length->back();
  return one(sizes);
}

SizeReader::Answer SizeReader::readBitcast() const {
  Sizes sizes(in(0));
  if (out().size() + 1 == sizes.size())
    sizes.pop_back();
  else if (out().size() == sizes.size() + 1)
    sizes.push_back(out().back());
  return one(sizes);
}

SizeReader::Answer SizeReader::read() {
  StringRef name = getName();
  if (!hasTensors(-1, -1) || operandTypes.size() == 0 ||
      resultTypes.size() == 0)
    return std::nullopt;
  const HloTraits *traits = getHloTraits(getName());
  using Kind = HloTraits::Kind;
  if (traits &&
      (traits->kind == Kind::Elementwise || traits->kind == Kind::Broadcasting))
    return readElementwise();
  enum class Rule { None, Same, Second, First };
  switch (llvm::StringSwitch<Rule>(name)
              .Cases({"optimization_barrier", "reverse", "scatter", "sort"},
                     Rule::Same)
              .Cases({"all_reduce", "collective_broadcast"}, Rule::Same)
              .Cases({"collective_permute", "cross-replica-sum"}, Rule::Same)
              .Cases({"cholesky", "dynamic_update_slice", "select_and_scatter",
                      "constant_like"},
                     Rule::First)
              .Case("batch_norm_inference", Rule::First)
              .Case("triangular_solve", Rule::Second)
              .Default(Rule::None)) {
  case Rule::Same:
    if (resultTypes.size() > operandTypes.size())
      return std::nullopt;
    return same();
  case Rule::First:
    return one(in(0));
  case Rule::Second:
    if (operandTypes.size() < 2)
      return std::nullopt;
    return one(in(1));
  case Rule::None:
    break;
  }
  if (name == "batch_norm_training" || name == "batch_norm_grad") {
    if (operandTypes.size() < 2)
      return std::nullopt;
    SmallVector<Sizes> all(resultTypes.size(), Sizes(in(1)));
    all.front() = Sizes(in(0));
    return all;
  }
  if (name == "reshape")
    return readReshape();
  if (name == "transpose") {
    auto permutation = readHloTranspose(*this);
    if (!permutation)
      return std::nullopt;
    return one(
        llvm::map_to_vector(*permutation, [&](int64_t d) { return in(0)[d]; }));
  }
  if (name == "concatenate")
    return readConcatenate();
  if (name == "dynamic_slice") {
    auto sizes = integers("slice_sizes", in(0).size(), 1);
    return sizes ? one(*sizes) : std::nullopt;
  }
  if (name == "gather" && operandTypes.size() == 2)
    return readGather();
  if (name == "pad")
    return readPad();
  if (name == "reduce") {
    auto reduce = HloReduce::read(*this);
    if (!reduce)
      return std::nullopt;
    return one(
        llvm::map_to_vector(reduce->kept, [&](int64_t d) { return in(0)[d]; }));
  }
  if (name == "dot" || name == "dot_general") {
    auto dot = HloDot::read(*this);
    if (!dot)
      return std::nullopt;
    Sizes sizes;
    for (int64_t d : dot->lhsBatch)
      sizes.push_back(in(0)[d]);
    for (int64_t d : dot->lhsFree)
      sizes.push_back(in(0)[d]);
    for (int64_t d : dot->rhsFree)
      sizes.push_back(in(1)[d]);
    return one(sizes);
  }
  if (name == "reduce_window")
    return readWindows();
  if (name == "convolution" && operandTypes.size() == 2)
    return readConvolution();
  if (name == "fft" && !in(0).empty())
    return readFft();
  if (name == "bitcast_convert")
    return readBitcast();
  if (name == "top_k" && !in(0).empty()) {
    auto k = integer("k", 0);
    if (!k)
      return std::nullopt;
    Sizes sizes(in(0));
    sizes.back() = *k;
    return one(sizes);
  }
  return std::nullopt;
}

bool tensoraccess::inferHloSizes(Operation *op, std::string &why) {
  auto sizes = SizeReader(op, why).read();
  if (!sizes)
    return why.empty();
  for (auto [i, shape] : llvm::enumerate(*sizes)) {
    auto type = cast<RankedTensorType>(op->getResult(i).getType());
    if (static_cast<int64_t>(shape.size()) != type.getRank() ||
        !agree(shape, type.getShape()) || llvm::any_of(shape, [](int64_t size) {
          return size < 0 && size != kUnknown;
        })) {
      why = llvm::formatv("result {0} is of type {1}, and operands make it one "
                          "of sizes {2:$[x]}",
                          i, type, llvm::make_range(shape.begin(), shape.end()))
                .str();
      return false;
    }
    for (auto [d, size] : llvm::enumerate(shape))
      if (size == kUnknown)
        size = type.getDimSize(d);
    op->getResult(i).setType(
        RankedTensorType::get(shape, type.getElementType()));
  }
  return true;
}
