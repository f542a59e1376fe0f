//===- StableHloContractions.cpp - Dot products and convolutions ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution meets its input x and its kernel w, for the output o, at
//
//   spatial   base * x + low = stride * o + dilation * w
//   feature   x = (o floordiv (O/G)) * I + i      G groups of features, kernel
//             w = (i, o)                          with I input, O output
//             features
//   batch     x = (o_feature floordiv (O/B)) * (N/B) + o_batch      B groups
//
// The kernel's index has no condition on places: what lies between and around
// the elements of the input is zeros, which are multiplied like elements, so that
// a NaN of the kernel reaches the output.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {

struct Convolution {
  HloConvolutionNumbers numbers;
  SmallVector<HloWindow> windows;
  SmallVector<int64_t> reversal;
  /// Numbers of groups; one of them is 1.
  int64_t featureGroups = 1, batchGroups = 1;

  /// How the axes run. Each gives the same sets of elements.
  enum class Way : uint8_t {
    Products, ///< the output's places and the window's, as products are formed
    Forwards, ///< the same, as if no window were reversed
    Spread,   ///< the input's places instead, where it is spread and moves by 1
  };

  /// States what is equal.
  static std::optional<Convolution> get(HloOp &op);
  Nest makeNest(const HloOp &op, Way way) const;
};

} // namespace

std::optional<Convolution> Convolution::get(HloOp &op) {
  std::string error;
  auto numbers =
      parseHloConvolution(getHloText(op.attribute("dimension_numbers")), error);
  if (!numbers || op.in.size() != 2 || op.out.size() != 1)
    return std::nullopt;
  const SizeList &input = op.in[0], &kernel = op.in[1], &output = op.out[0];
  const size_t rank = numbers->input.rank(), spatial = rank - 2;
  if (input.size() != rank || kernel.size() != rank || output.size() != rank)
    return std::nullopt;
  Convolution c;
  c.numbers = *numbers;
  auto windows = getHloWindows(op, spatial, "lhs_dilation", "rhs_dilation");
  auto reversal = op.integers("window_reversal", spatial, 0);
  if (!windows || !reversal)
    return std::nullopt;
  c.windows = std::move(*windows);
  c.reversal = std::move(*reversal);
  for (auto [i, window] : llvm::enumerate(c.windows))
    if (!window.equate(op, input[numbers->input.spatial[i]],
                       output[numbers->output.spatial[i]],
                       kernel[numbers->kernel.spatial[i]]))
      return std::nullopt;
  for (auto [name, groups] :
       {std::pair("feature_group_count", &c.featureGroups),
        std::pair("batch_group_count", &c.batchGroups)}) {
    if (!op.attribute(name))
      continue;
    auto number = op.index(name);
    if (!number || *number == 0)
      return std::nullopt;
    *groups = *number;
  }
  // The features of a group are a number wherever there are several.
  const Form &features = kernel[numbers->kernel.second];
  auto outputFeatures = op.number(features);
  const int64_t groups = std::max(c.featureGroups, c.batchGroups);
  if ((c.featureGroups > 1 && c.batchGroups > 1) ||
      (groups > 1 && (!outputFeatures || *outputFeatures % groups != 0)))
    return std::nullopt;
  FormArena &arena = op.sizes.getArena();
  if (!op.equate(arena.scale(kernel[numbers->kernel.first], c.featureGroups),
                 input[numbers->input.second]) ||
      !op.equate(arena.scale(output[numbers->output.first], c.batchGroups),
                 input[numbers->input.first]) ||
      !op.equate(features, output[numbers->output.second]))
    return std::nullopt;
  return c;
}

Nest Convolution::makeNest(const HloOp &op, Way way) const {
  const SizeList &input = op.in[0], &kernel = op.in[1], &output = op.out[0];
  const size_t rank = output.size();
  auto isSpread = [&](size_t i) {
    return way == Way::Spread && windows[i].base > 1 && windows[i].stride == 1;
  };
  // The output's axes, of several groups the group's before its features'; the
  // window's; the input features of a group.
  const int64_t groups = std::max(featureGroups, batchGroups);
  SizeList extents = output;
  for (size_t i = 0; i < windows.size(); ++i)
    if (isSpread(i))
      extents[numbers.output.spatial[i]] = input[numbers.input.spatial[i]];
  int64_t part = 1;
  if (groups > 1) {
    part = *op.number(output[numbers.output.second]) / groups;
    extents[numbers.output.second] = Form(part);
    extents.insert(extents.begin() + numbers.output.second, Form(groups));
  }
  const size_t firstWindow = extents.size();
  for (int64_t dim : numbers.kernel.spatial)
    extents.push_back(kernel[dim]);
  extents.push_back(kernel[numbers.kernel.first]);
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Contract;
  FormArena &arena = nest.arena();
  SmallVector<Form> o(nest.getAxes().take_front(firstWindow));
  Form group(0);
  if (groups > 1) {
    group = o[numbers.output.second];
    o.erase(o.begin() + numbers.output.second);
    Form &feature = o[numbers.output.second];
    feature = arena.addScaled(feature, group, part);
  }
  NestAccess out;
  NestRead x, w;
  x.index.resize(rank);
  w.index.resize(rank);
  w.value = 1;
  out.index.assign(o.begin(), o.end());
  for (auto [i, window] : llvm::enumerate(windows)) {
    const int64_t kernelDim = numbers.kernel.spatial[i];
    const int64_t inputDim = numbers.input.spatial[i];
    const int64_t outputDim = numbers.output.spatial[i];
    const Form &within = nest[firstWindow + i];
    if (isSpread(i)) {
      x.index[inputDim] = o[outputDim];
      Form place = arena.addScaled(Form(window.low), o[outputDim], window.base);
      out.index[outputDim] = arena.addScaled(place, within, -window.dilation);
      out.keepInside(out.index[outputDim], output[outputDim]);
    } else {
      x.index[inputDim] = window.getInput(nest, o[outputDim], within,
                                          input[inputDim], inputDim, x);
    }
    w.index[kernelDim] = way == Way::Products && reversal[i]
                             ? arena.sub(nest.last(kernel[kernelDim]), within)
                             : within;
  }
  auto inGroup = [&](int64_t count, const Form &index, const Form &size) {
    return count == 1 ? index
                      : arena.add(index, arena.mul(group, nest.size(size)));
  };
  x.index[numbers.input.first] = inGroup(batchGroups, o[numbers.output.first],
                                         output[numbers.output.first]);
  x.index[numbers.input.second] = inGroup(featureGroups, nest.getAxes().back(),
                                          kernel[numbers.kernel.first]);
  w.index[numbers.kernel.first] = nest.getAxes().back();
  w.index[numbers.kernel.second] = o[numbers.output.second];
  nest.writes.push_back(std::move(out));
  nest.reads.push_back(std::move(x));
  nest.reads.push_back(std::move(w));
  return nest;
}

static std::optional<Nest> buildConvolution(HloOp &op) {
  auto c = Convolution::get(op);
  if (!c)
    return std::nullopt;
  using Way = Convolution::Way;
  Nest nest = c->makeNest(op, Way::Products);
  const bool isSpread = llvm::any_of(c->windows, [](const HloWindow &window) {
    return window.base > 1 && window.stride == 1;
  });
  if (isSpread || llvm::is_contained(c->reversal, 1)) {
    // Other ways have shorter maps.
    OpIndexing indexing = c->makeNest(op, Way::Forwards).getIndexing();
    if (isSpread) {
      const OpIndexing spread = c->makeNest(op, Way::Spread).getIndexing();
      indexing.setOutputToInput(0, 0, spread.outputToInput(0, 0));
      indexing.setInputToOutput(0, 0, spread.inputToOutput(0, 0));
    }
    nest.setIndexing(std::move(indexing));
  }
  return nest;
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

/// result[batch, lhs free, rhs free] = sum over contracted dimensions.
static std::optional<Nest> makeDot(HloOp &op, ArrayRef<int64_t> lhsBatch,
                                   ArrayRef<int64_t> rhsBatch,
                                   ArrayRef<int64_t> lhsContract,
                                   ArrayRef<int64_t> rhsContract) {
  ArrayRef<int64_t> batch[] = {lhsBatch, rhsBatch};
  ArrayRef<int64_t> contract[] = {lhsContract, rhsContract};
  SmallVector<int64_t> free[2];
  for (unsigned o : {0u, 1u}) {
    SmallVector<int64_t> used(batch[o]);
    llvm::append_range(used, contract[o]);
    if (!areDims(used, op.in[o].size()))
      return std::nullopt;
    for (int64_t i = 0; i < int64_t(op.in[o].size()); ++i)
      if (!llvm::is_contained(used, i))
        free[o].push_back(i);
  }
  if (batch[0].size() != batch[1].size() ||
      contract[0].size() != contract[1].size())
    return std::nullopt;
  SizeList expected;
  for (auto [l, r] : llvm::zip_equal(batch[0], batch[1])) {
    if (!op.equate(op.in[0][l], op.in[1][r]))
      return std::nullopt;
    expected.push_back(op.in[0][l]);
  }
  for (auto [l, r] : llvm::zip_equal(contract[0], contract[1]))
    if (!op.equate(op.in[0][l], op.in[1][r]))
      return std::nullopt;
  for (unsigned o : {0u, 1u})
    for (int64_t dim : free[o])
      expected.push_back(op.in[o][dim]);
  if (!op.equateAll(op.out[0], expected))
    return std::nullopt;
  const size_t rank = op.out[0].size();
  SizeList extents = op.out[0];
  for (int64_t dim : contract[0])
    extents.push_back(op.in[0][dim]);
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Contract;
  nest.write(0, nest.getAxes().take_front(rank));
  size_t next = batch[0].size();
  for (unsigned o : {0u, 1u}) {
    SmallVector<Form> index(op.in[o].size());
    for (auto [i, dim] : llvm::enumerate(batch[o]))
      index[dim] = nest[i];
    for (auto [i, dim] : llvm::enumerate(contract[o]))
      index[dim] = nest[rank + i];
    for (int64_t dim : free[o])
      index[dim] = nest[next++];
    nest.read(o, index);
  }
  return nest;
}

static std::optional<Nest> buildDotGeneral(HloOp &op) {
  std::string error;
  auto numbers = parseHloFields(
      getHloText(op.attribute("dot_dimension_numbers")), "dot", error);
  if (op.in.size() != 2 || op.out.size() != 1 || !numbers)
    return std::nullopt;
  return makeDot(op, numbers->list("lhs_batching_dimensions"),
                 numbers->list("rhs_batching_dimensions"),
                 numbers->list("lhs_contracting_dimensions"),
                 numbers->list("rhs_contracting_dimensions"));
}

/// Vectors and matrices: the last dimension of the one, the first of the other.
static std::optional<Nest> buildDot(HloOp &op) {
  if (op.in.size() != 2 || op.out.size() != 1 || op.in[0].empty() ||
      op.in[1].empty() || op.in[0].size() > 2 || op.in[1].size() > 2)
    return std::nullopt;
  return makeDot(op, {}, {}, {int64_t(op.in[0].size()) - 1}, {0});
}

/// `ab,bc->ac`: a letter per dimension; letters that the result lacks are summed
/// over, repeated ones are diagonals.
static std::optional<Nest> buildEinsum(HloOp &op) {
  auto config = op.signature.get<StringAttr>("einsum_config");
  if (!config || op.out.size() != 1 || !op.isStatic())
    return std::nullopt;
  auto [inputs, output] = config.getValue().split("->");
  SmallVector<StringRef> operands;
  inputs.split(operands, ',');
  if (operands.size() != op.in.size())
    return std::nullopt;
  std::map<char, Form> sizes;
  auto readSizes = [&](StringRef letters, ArrayRef<Form> shape) {
    if (letters.size() != shape.size())
      return false;
    for (auto [letter, size] : llvm::zip_equal(letters, shape))
      if (!llvm::isAlpha(letter) ||
          sizes.try_emplace(letter, size).first->second != size)
        return false;
    return true;
  };
  for (auto [letters, shape] : llvm::zip_equal(operands, op.in))
    if (!readSizes(letters, shape))
      return std::nullopt;
  size_t known = sizes.size();
  if (!readSizes(output, op.out[0]) || sizes.size() != known)
    return std::nullopt;
  SizeList extents;
  for (const auto &[letter, size] : sizes)
    extents.push_back(size);
  Nest nest = op.makeNest(extents);
  nest.body = NestBody::Contract;
  auto getIndex = [&](StringRef letters) {
    SmallVector<Form> index;
    for (char letter : letters)
      index.push_back(nest[std::distance(sizes.begin(), sizes.find(letter))]);
    return index;
  };
  nest.write(0, getIndex(output));
  for (auto [o, letters] : llvm::enumerate(operands))
    nest.read(o, getIndex(letters)).needsAllAxes = true;
  return nest;
}

void tensoraccess::registerHloContractions(HloRegister add) {
  add("convolution", buildConvolution);
  add("dot", buildDot);
  add("dot_general", buildDotGeneral);
  for (StringRef name : {"einsum", "unary_einsum"})
    add(name, buildEinsum);
}
