//===- StableHlo.cpp - What StableHLO's ops read, by name -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of all families, and what their builders share. Ops about which
// there is no answer have a reason: control flow, side effects, calls, types
// that are not tensors.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>> HloOp::integers(StringRef name) const {
  return getHloIntegers(attribute(name));
}

std::optional<SmallVector<int64_t>>
HloOp::integers(StringRef name, size_t count, int64_t otherwise) const {
  if (!attribute(name))
    return SmallVector<int64_t>(count, otherwise);
  auto numbers = integers(name);
  if (!numbers || numbers->size() != count)
    return std::nullopt;
  return numbers;
}

std::optional<int64_t> HloOp::index(StringRef name) const {
  auto number = dyn_cast_or_null<IntegerAttr>(attribute(name));
  if (!number || !number.getValue().isSignedIntN(64) ||
      number.getValue().isNegative())
    return std::nullopt;
  return number.getValue().getSExtValue();
}

bool HloOp::flag(StringRef name, bool otherwise) const {
  auto value = dyn_cast_or_null<BoolAttr>(attribute(name));
  return value ? value.getValue() : otherwise;
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

bool HloOp::areScalars(unsigned first, unsigned last) const {
  return llvm::all_of(llvm::seq(first, last),
                      [&](unsigned o) { return isScalar(o); });
}

bool HloOp::areAlike(unsigned count) {
  for (unsigned o = 1; o < count; ++o)
    if (!equateAll(in[o], in[0]))
      return false;
  return llvm::all_of(
      out, [&](const SizeList &list) { return equateAll(list, in[0]); });
}

bool HloOp::isStatic() const {
  return llvm::all_of(llvm::concat<const SizeList>(in, out),
                      [&](const SizeList &list) {
                        return llvm::all_of(list, [&](const Form &size) {
                          return number(size).has_value();
                        });
                      });
}

bool HloOp::equatePairs() {
  return in.size() == out.size() &&
         llvm::all_of(llvm::zip_equal(in, out), [&](const auto &pair) {
           return equateAll(std::get<0>(pair), std::get<1>(pair));
         });
}

std::optional<Nest> HloOp::makePairs() {
  if (!equatePairs())
    return std::nullopt;
  SizeList extents;
  for (const SizeList &list : out)
    llvm::append_range(extents, list);
  Nest nest = makeNest(extents);
  nest.body = NestBody::Move;
  size_t first = 0;
  for (auto [i, list] : llvm::enumerate(out)) {
    ArrayRef<Form> axes = nest.getAxes().slice(first, list.size());
    nest.write(i, axes);
    nest.read(i, axes).write = i;
    first += list.size();
  }
  return nest;
}

Nest HloOp::makeWholeReads(ArrayRef<unsigned> operands) const {
  SizeList extents = out[0];
  for (unsigned o : operands)
    llvm::append_range(extents, in[o]);
  Nest nest = makeNest(extents);
  size_t first = out[0].size();
  nest.write(0, nest.getAxes().take_front(first));
  for (unsigned o : operands) {
    nest.read(o, nest.getAxes().slice(first, in[o].size()));
    first += in[o].size();
  }
  return nest;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// 1 + (size - 1) * dilation for size > 0, else 0.
static std::optional<int64_t> getReach(int64_t size, int64_t dilation) {
  if (size == 0)
    return 0;
  auto span = checkedMul(size - 1, dilation);
  return span ? checkedAdd(*span, 1) : span;
}

bool HloWindow::equate(HloOp &op, const Form &inputSize, const Form &outputSize,
                       const Form &windowSize) const {
  auto input = op.number(inputSize), window = op.number(windowSize);
  // Padding is not the place for 64 bits; its sign is changed below.
  constexpr int64_t most = int64_t(1) << 62;
  if (stride <= 0 || dilation <= 0 || base <= 0 || low < -most || low > most ||
      high < -most || high > most || (window && *window < 0))
    return false;
  if (!input || !window)
    return true;
  auto padded = getReach(*input, base), reach = getReach(*window, dilation);
  padded = padded ? checkedAdd(*padded, low) : padded;
  padded = padded ? checkedAdd(*padded, high) : padded;
  if (!padded || !reach)
    return false;
  // Differences of numbers that fit, one of which is not negative.
  const bool isEmpty = *padded <= 0 || *padded < *reach;
  return op.equate(outputSize,
                   Form(isEmpty ? 0 : (*padded - *reach) / stride + 1));
}

Form HloWindow::getInput(Nest &nest, const Form &output, const Form &window,
                         const Form &inputSize, unsigned dim,
                         NestAccess &access) const {
  FormArena &arena = nest.arena();
  Form place = arena.addScaled(Form(-low), output, stride);
  place = arena.addScaled(place, window, dilation);
  Form index = access.spread(arena, dim, std::move(place), base);
  access.keepInside(index, inputSize);
  return index;
}

std::optional<SmallVector<HloWindow>>
tensoraccess::getHloWindows(const HloOp &op, size_t rank, StringRef baseName,
                            StringRef dilationName) {
  auto strides = op.integers("window_strides", rank, 1);
  auto padding = op.integers("padding", 2 * rank, 0);
  auto bases = op.integers(baseName, rank, 1);
  auto dilations = op.integers(dilationName, rank, 1);
  if (!strides || !padding || !bases || !dilations)
    return std::nullopt;
  SmallVector<HloWindow> windows;
  for (size_t i = 0; i < rank; ++i)
    windows.push_back({(*strides)[i], (*dilations)[i], (*bases)[i],
                       (*padding)[2 * i], (*padding)[2 * i + 1]});
  return windows;
}

//===----------------------------------------------------------------------===//
// Ops that have a reason instead
//===----------------------------------------------------------------------===//

static constexpr struct {
  StringLiteral name;
  IndexingReason reason;
} kReasons[] = {
    {"while", IndexingReason::ControlFlow},
    {"if", IndexingReason::ControlFlow},
    {"case", IndexingReason::ControlFlow},
    {"infeed", IndexingReason::SideEffects},
    {"outfeed", IndexingReason::SideEffects},
    {"send", IndexingReason::SideEffects},
    {"recv", IndexingReason::SideEffects},
    {"after_all", IndexingReason::SideEffects},
    {"create_token", IndexingReason::SideEffects},
    {"composite", IndexingReason::UnknownCallee},
    {"async_start", IndexingReason::UnknownCallee},
    {"async_update", IndexingReason::UnknownCallee},
    {"async_done", IndexingReason::UnknownCallee},
    {"fusion", IndexingReason::UnknownCallee},
    {"tuple", IndexingReason::NotShaped},
    {"get_tuple_element", IndexingReason::NotShaped},
    {"dynamic_conv", IndexingReason::NotAffine},
    {"dynamic_pad", IndexingReason::NotAffine},
    {"real_dynamic_slice", IndexingReason::NotAffine},
};

static void addModels(MLIRContext *, BuiltinDialect *dialect) {
  auto addToAll = [&](StringRef name, const IndexingModel &model) {
    for (StringRef hlo : {"stablehlo.", "mhlo.", "chlo."})
      addIndexingModel(dialect, (hlo + name).str(), model);
  };
  auto add = [&](StringRef name, HloBuilder builder) {
    addToAll(name, [builder](const OpSignature &signature) -> Nest {
      HloOp op(signature);
      if (!op.isValid)
        return op.unknown();
      const bool isStatic = op.isStatic();
      if (std::optional<Nest> nest = builder(op))
        return std::move(*nest);
      return signature.unknown(isStatic ? IndexingReason::UnsupportedForm
                                        : IndexingReason::DynamicShape);
    });
  };
  registerHloElementwise(add);
  registerHloMovement(add);
  registerHloSlicing(add);
  registerHloReductions(add);
  registerHloContractions(add);
  registerHloGathers(add);
  registerHloCollectives(add);
  registerHloLinearAlgebra(add);
  for (const auto &entry : kReasons)
    addToAll(entry.name, [reason = entry.reason](const OpSignature &signature) {
      return signature.unknown(reason);
    });
}

void tensoraccess::registerStableHloModels(DialectRegistry &registry) {
  registry.addExtension(addModels);
}
