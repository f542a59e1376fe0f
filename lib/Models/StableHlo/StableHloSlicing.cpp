//===- StableHloSlicing.cpp - Slices and padding --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of tensors. The starts of dynamic slices are clamped so that the slice
// is inside: that is their range, and the clamp of their source.
//
//===----------------------------------------------------------------------===//

#include "StableHlo.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static std::optional<Nest> buildSlice(HloOp &op) {
  size_t rank = op.in.size() == 1 ? op.in[0].size() : 0;
  auto starts = op.integers("start_indices", rank, 0);
  auto limits = op.integers("limit_indices");
  auto strides = op.integers("strides", rank, 1);
  if (op.in.size() != 1 || op.out.size() != 1 || op.out[0].size() != rank ||
      !starts || !limits || limits->size() != rank || !strides)
    return std::nullopt;
  for (size_t i = 0; i < rank; ++i) {
    int64_t start = (*starts)[i], limit = (*limits)[i], stride = (*strides)[i];
    if (start < 0 || stride <= 0)
      return std::nullopt;
    auto in = op.number(op.in[0][i]);
    if (in && (limit < start || limit > *in ||
               !op.equate(op.out[0][i],
                          Form(ceilDivPositive(limit - start, stride)))))
      return std::nullopt;
  }
  Nest nest = op.makeResultNest(NestBody::Move);
  SmallVector<Form> index;
  for (size_t i = 0; i < rank; ++i)
    index.push_back(
        nest.arena().addScaled(Form((*starts)[i]), nest[i], (*strides)[i]));
  nest.read(0, index);
  return nest;
}

/// result[low + (interior + 1) * x] = operand[x]; the padding value elsewhere.
/// With interior padding, an empty dimension has another formula: sizes must be
/// known.
static std::optional<Nest> buildPad(HloOp &op) {
  size_t rank = op.in.size() == 2 ? op.in[0].size() : 0;
  auto lows = op.integers("edge_padding_low", rank, 0);
  auto highs = op.integers("edge_padding_high", rank, 0);
  auto interiors = op.integers("interior_padding", rank, 0);
  if (op.in.size() != 2 || op.out.size() != 1 || op.out[0].size() != rank ||
      !op.isScalar(1) || !lows || !highs || !interiors)
    return std::nullopt;
  bool isEmpty = false;
  for (size_t i = 0; i < rank; ++i) {
    auto edges = checkedAdd((*lows)[i], (*highs)[i]);
    const int64_t interior = (*interiors)[i];
    auto size = op.number(op.in[0][i]);
    if (interior < 0 || !edges || (interior != 0 && !size))
      return std::nullopt;
    isEmpty |= size == 0;
    auto stride = checkedAdd(interior, 1);
    auto between =
        checkedMul(interior, std::max<int64_t>(size.value_or(0) - 1, 0));
    auto more = between ? checkedAdd(*between, *edges) : between;
    if (!stride || !more ||
        !op.equate(op.out[0][i],
                   op.sizes.getArena().add(op.in[0][i], Form(*more))))
      return std::nullopt;
  }
  Nest nest = op.makeResultNest(NestBody::Move);
  FormArena &arena = nest.arena();
  NestRead inside;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t stride = (*interiors)[i] + 1;
    Form x = arena.sub(nest[i], Form((*lows)[i]));
    if (stride == 1) {
      inside.keepInside(x, op.in[0][i]);
    } else {
      inside.require(
          x, Interval::ofExtent(*op.number(op.in[0][i])).scaled(stride));
      x = inside.spread(arena, i, std::move(x), stride);
    }
    inside.index.push_back(x);
  }
  nest.reads.push_back(inside);
  if (isEmpty)
    nest.read(1, {});
  else
    nest.readOutside(1, {}, inside.guards);
  if (llvm::all_of(*interiors, [](int64_t size) { return size == 0; }))
    return nest;
  // From the operand's places the maps are shorter.
  Nest spread = op.makeNest(op.in[0]);
  NestAccess out;
  for (size_t i = 0; i < rank; ++i) {
    out.index.push_back(spread.arena().addScaled(Form((*lows)[i]), spread[i],
                                                 (*interiors)[i] + 1));
    out.keepInside(out.index.back(), op.out[0][i]);
  }
  spread.writes.push_back(std::move(out));
  spread.read(0, spread.getAxes());
  nest.setMapsFrom(spread);
  return nest;
}

//===----------------------------------------------------------------------===//
// Dynamic slices
//===----------------------------------------------------------------------===//

namespace {

/// Starts: one scalar operand per dimension, or (an older form) one operand of
/// rank 1. They are read for every element of the result.
struct Starts {
  unsigned first = 0;
  bool isVector = false;

  static std::optional<Starts> get(const HloOp &op, unsigned first,
                                   size_t rank);
  /// Writes result 0 along its dimensions. A vector of starts has one axis more.
  Nest makeNest(const HloOp &op) const;
  /// The first elements of `part` along each dimension of `whole`.
  SmallVector<Form> add(Nest &nest, ArrayRef<Form> whole,
                        ArrayRef<Form> part) const;
  void read(Nest &nest, const HloOp &op, const Form &within) const;
};

} // namespace

std::optional<Starts> Starts::get(const HloOp &op, unsigned first,
                                  size_t rank) {
  Starts starts{first, op.in.size() == first + 1 && op.in[first].size() == 1 &&
                           op.number(op.in[first][0]) == int64_t(rank)};
  if (!starts.isVector &&
      (op.in.size() != first + rank || !op.areScalars(first, op.in.size())))
    return std::nullopt;
  return starts;
}

Nest Starts::makeNest(const HloOp &op) const {
  SizeList extents = op.out[0];
  size_t rank = extents.size();
  if (isVector)
    extents.push_back(Form(int64_t(rank)));
  Nest nest = op.makeNest(extents);
  nest.write(0, nest.getAxes().take_front(rank));
  return nest;
}

SmallVector<Form> Starts::add(Nest &nest, ArrayRef<Form> whole,
                              ArrayRef<Form> part) const {
  SmallVector<Form> starts;
  for (auto [i, sizes] : llvm::enumerate(llvm::zip_equal(whole, part))) {
    auto [all, some] = sizes;
    NestSource source{isVector ? first : first + unsigned(i), {}};
    if (isVector)
      source.index.push_back(Form(int64_t(i)));
    auto most = nest.getSizes().getStatic(all),
         size = nest.getSizes().getStatic(some);
    if (most && size)
      source.clamp = Interval(0, *most - *size);
    starts.push_back(nest.addStart(all, some, std::move(source)));
  }
  return starts;
}

void Starts::read(Nest &nest, const HloOp &op, const Form &within) const {
  for (unsigned o = first; o < op.in.size(); ++o)
    nest.read(o, isVector ? ArrayRef<Form>(within) : ArrayRef<Form>());
}

/// Whether no size of the part is surely larger than that of the whole.
static bool fitsInto(const HloOp &op, ArrayRef<Form> part,
                     ArrayRef<Form> whole) {
  return part.size() == whole.size() &&
         llvm::all_of(llvm::zip_equal(part, whole), [&](const auto &sizes) {
           auto a = op.number(std::get<0>(sizes)),
                b = op.number(std::get<1>(sizes));
           return !a || !b || *a <= *b;
         });
}

static std::optional<Nest> buildDynamicSlice(HloOp &op) {
  if (op.in.empty() || op.out.size() != 1)
    return std::nullopt;
  auto sizes = op.integers("slice_sizes");
  if ((sizes &&
       !op.equateAll(op.out[0], SizeList(sizes->begin(), sizes->end()))) ||
      !fitsInto(op, op.out[0], op.in[0]))
    return std::nullopt;
  size_t rank = op.in[0].size();
  auto starts = Starts::get(op, 1, rank);
  if (!starts)
    return std::nullopt;
  Nest nest = starts->makeNest(op);
  ArrayRef<Form> out = nest.getAxes().take_front(rank);
  SmallVector<Form> index;
  for (auto [x, start] :
       llvm::zip_equal(out, starts->add(nest, op.in[0], op.out[0])))
    index.push_back(nest.arena().add(x, start));
  nest.read(0, index);
  starts->read(nest, op, starts->isVector ? nest.getAxes().back() : Form());
  nest.body = NestBody::Move;
  return nest;
}

/// (operand, update, starts): the update inside, the operand outside.
static std::optional<Nest> buildDynamicUpdateSlice(HloOp &op) {
  if (op.in.size() < 2 || op.out.size() != 1 ||
      !op.equateAll(op.in[0], op.out[0]) || !op.isStatic() ||
      !fitsInto(op, op.in[1], op.in[0]))
    return std::nullopt;
  size_t rank = op.in[0].size();
  auto starts = Starts::get(op, 2, rank);
  if (!starts)
    return std::nullopt;
  Nest nest = starts->makeNest(op);
  ArrayRef<Form> out = nest.getAxes().take_front(rank);
  NestRead update;
  update.value = 1;
  for (auto [x, start, size] :
       llvm::zip_equal(out, starts->add(nest, op.in[0], op.in[1]), op.in[1])) {
    update.index.push_back(nest.arena().sub(x, start));
    update.keepInside(update.index.back(), size);
  }
  nest.reads.push_back(update);
  if (llvm::is_contained(op.inShape(1), 0))
    nest.read(0, out);
  else
    nest.readOutside(0, out, update.guards);
  starts->read(nest, op, starts->isVector ? nest.getAxes().back() : Form());
  nest.body = NestBody::Move;
  return nest;
}

void tensoraccess::registerHloSlicing(HloRegister add) {
  add("slice", buildSlice);
  add("pad", buildPad);
  add("dynamic_slice", buildDynamicSlice);
  add("dynamic_update_slice", buildDynamicUpdateSlice);
}
