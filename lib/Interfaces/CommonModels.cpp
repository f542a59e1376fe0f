//===- CommonModels.cpp - Models that many dialects share -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise ops, and reshapes. A reshape of dynamic sizes is cut into groups
// of dimensions that keep their element count, given by `reassociation` or
// else:
//
//   1. from the left and from the right, the shortest runs of static sizes with
//      equal products are groups of their own;
//   2. what remains in the middle, the dynamic sizes among it, is one group.
//
// In a group the loops are those of the side with more dimensions, number is
// their row-major number, and the other side has its digits. All sizes of that
// side but the leading one must be numbers. (On the side of the loops a dynamic
// inner size is a product, which is exact as well.)
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/IndexingMap.h"
#include "TensorAccess/Interfaces/OpSizes.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

OpIndexing tensoraccess::inferElementwise(const OpSignature &signature) {
  OpIndexing indexing = signature.nothingRead();
  if (signature.resultTypes.empty())
    return indexing;
  OpSizes sizes(signature);
  IndexingReason reason = IndexingReason::UnsupportedForm;
  // All that have the rank of the first result have its sizes.
  std::optional<SizeList> first = sizes.result(0, reason);
  auto equate = [&](std::optional<SizeList> other) {
    if (first && other)
      equateAll(sizes, *first, *other);
  };
  for (unsigned o = 0; o < signature.operandTypes.size(); ++o)
    equate(sizes.operand(o, reason));
  for (unsigned r = 1; r < signature.resultTypes.size(); ++r)
    equate(sizes.result(r, reason));
  auto agree = [&](ArrayRef<Form> a, ArrayRef<Form> b) {
    return a.size() == b.size() &&
           llvm::all_of(llvm::zip_equal(a, b), [&](const auto &pair) {
             return sizes.resolve(std::get<0>(pair)) ==
                    sizes.resolve(std::get<1>(pair));
           });
  };
  for (unsigned r = 0; r < signature.resultTypes.size(); ++r) {
    for (unsigned o = 0; o < signature.operandTypes.size(); ++o) {
      reason = IndexingReason::UnsupportedForm;
      std::optional<SizeList> out = sizes.result(r, reason);
      std::optional<SizeList> in = sizes.operand(o, reason);
      if (!out || !in || !(in->empty() || agree(*out, *in))) {
        indexing.setUnknown(r, o, reason);
        continue;
      }
      Loops loops(sizes, *out);
      loops.connect(indexing, r, loops.get(), *out, o,
                    in->empty() ? ArrayRef<Form>() : loops.get(), *in);
    }
  }
  sizes.record(indexing);
  return indexing;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {

/// Dimensions of both sides that have the same number of elements.
struct ReshapeGroup {
  SmallVector<unsigned> in, out;
};

class Reshape {
public:
  Reshape(OpSizes &sizes, SizeList in, SizeList out)
      : sizes(sizes), in(std::move(in)), out(std::move(out)) {}

  /// One side has one dimension for each list; false if the attribute does not
  /// fit.
  bool takeGroups(ArrayAttr reassociation);
  void findGroups();
  /// States that groups keep their element counts.
  void equateCounts();
  /// Writes the maps; false where a digit's size is not a number.
  bool connect(OpIndexing &indexing);

private:
  /// The same, if all sizes but the leading ones of groups are numbers and
  /// neither side of some group is one dimension: then each way has a closed
  /// form, which the other does not tell.
  bool connectBothWays(OpIndexing &indexing);
  /// The element count of a group, if only one size is no number.
  std::optional<Form> getCount(ArrayRef<Form> shape, ArrayRef<unsigned> dims);
  bool addDigits(Loops &loops, const Form &number, ArrayRef<Form> shape,
                 ArrayRef<unsigned> dims, SmallVectorImpl<Form> &index);

  OpSizes &sizes;
  SizeList in, out;
  SmallVector<ReshapeGroup> groups;
};

} // namespace

bool Reshape::takeGroups(ArrayAttr reassociation) {
  bool isCollapse = in.size() >= out.size();
  SizeList &fine = isCollapse ? in : out, &coarse = isCollapse ? out : in;
  if (reassociation.size() != coarse.size())
    return false;
  unsigned next = 0;
  for (auto [i, attr] : llvm::enumerate(reassociation)) {
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list || next + list.size() > fine.size())
      return false;
    auto dims = llvm::to_vector(llvm::seq<unsigned>(next, next + list.size()));
    next += list.size();
    SmallVector<unsigned> one{static_cast<unsigned>(i)};
    groups.push_back(isCollapse ? ReshapeGroup{dims, one}
                                : ReshapeGroup{one, dims});
  }
  // Without any list, all dimensions are units.
  if (groups.empty() && next < fine.size()) {
    auto dims = llvm::to_vector(llvm::seq<unsigned>(0, fine.size()));
    groups.push_back(isCollapse ? ReshapeGroup{dims, {}}
                                : ReshapeGroup{{}, dims});
    next = fine.size();
  }
  return next == fine.size();
}

void Reshape::findGroups() {
  groups.clear();
  unsigned inBegin = 0, outBegin = 0, inEnd = in.size(), outEnd = out.size();
  SmallVector<ReshapeGroup> tail;
  // Cuts off one group from the left (or right) of what is left.
  auto cut = [&](bool left) {
    ReshapeGroup group;
    int64_t inCount = 1, outCount = 1;
    auto take = [&](SizeList &shape, unsigned begin, unsigned end,
                    SmallVectorImpl<unsigned> &dims, int64_t &count) {
      if (begin + dims.size() >= end)
        return false;
      unsigned dim = left ? begin + dims.size() : end - 1 - dims.size();
      std::optional<int64_t> size = sizes.getStatic(shape[dim]);
      std::optional<int64_t> product =
          size && *size > 0 ? checkedMul(count, *size) : std::nullopt;
      if (!product)
        return false;
      count = *product;
      dims.push_back(dim);
      return true;
    };
    if (!take(in, inBegin, inEnd, group.in, inCount) ||
        !take(out, outBegin, outEnd, group.out, outCount))
      return false;
    while (inCount != outCount)
      if (inCount < outCount
              ? !take(in, inBegin, inEnd, group.in, inCount)
              : !take(out, outBegin, outEnd, group.out, outCount))
        return false;
    if (left) {
      inBegin += group.in.size();
      outBegin += group.out.size();
      groups.push_back(std::move(group));
    } else {
      inEnd -= group.in.size();
      outEnd -= group.out.size();
      std::reverse(group.in.begin(), group.in.end());
      std::reverse(group.out.begin(), group.out.end());
      tail.push_back(std::move(group));
    }
    return true;
  };
  while (cut(/*left=*/true))
    ;
  while (cut(/*left=*/false))
    ;
  if (inBegin < inEnd || outBegin < outEnd)
    groups.push_back({llvm::to_vector(llvm::seq(inBegin, inEnd)),
                      llvm::to_vector(llvm::seq(outBegin, outEnd))});
  groups.append(tail.rbegin(), tail.rend());
}

std::optional<Form> Reshape::getCount(ArrayRef<Form> shape,
                                      ArrayRef<unsigned> dims) {
  Form count(1);
  for (unsigned dim : dims) {
    Form size = sizes.resolve(shape[dim]);
    if (size.isConstant())
      count = sizes.getArena().scale(count, size.constant);
    else if (count.isConstant())
      count = sizes.getArena().scale(size, count.constant);
    else
      return std::nullopt;
  }
  return count;
}

void Reshape::equateCounts() {
  for (const ReshapeGroup &group : groups) {
    std::optional<Form> a = getCount(in, group.in);
    std::optional<Form> b = getCount(out, group.out);
    if (a && b)
      sizes.equate(*a, *b);
  }
}

bool Reshape::addDigits(Loops &loops, const Form &number, ArrayRef<Form> shape,
                        ArrayRef<unsigned> dims, SmallVectorImpl<Form> &index) {
  // Units beside a dynamic size say nothing; the first other size is leading.
  FormArena &arena = loops.arena();
  auto isUnit = [&](unsigned dim) { return sizes.getStatic(shape[dim]) == 1; };
  const unsigned *leading =
      llvm::find_if(dims, [&](unsigned dim) { return !isUnit(dim); });
  Form rest = number;
  for (const unsigned *dim = dims.end(); dim != dims.begin();) {
    --dim;
    if (isUnit(*dim)) {
      index[*dim] = Form(0);
    } else if (dim == leading) {
      index[*dim] = rest;
    } else {
      std::optional<int64_t> size = sizes.getStatic(shape[*dim]);
      if (!size)
        return false;
      index[*dim] = arena.mod(rest, *size);
      rest = arena.floorDiv(rest, *size);
    }
  }
  return true;
}

bool Reshape::connectBothWays(OpIndexing &indexing) {
  // Where one side of each group is one dimension, one way follows from the
  // other.
  if (llvm::all_of(groups, [](const ReshapeGroup &group) {
        return group.in.size() <= 1 || group.out.size() <= 1;
      }))
    return false;
  auto getMap = [&](bool overIn) -> std::optional<DetailedMap> {
    const SizeList &from = overIn ? in : out, &to = overIn ? out : in;
    Loops loops(sizes, from);
    SmallVector<Form> index(to.size());
    for (const ReshapeGroup &group : groups) {
      Form number;
      for (unsigned dim : overIn ? group.in : group.out)
        number = loops.arena().add(
            loops.arena().mul(number, loops.size(from[dim])), loops[dim]);
      if (!addDigits(loops, number, to, overIn ? group.out : group.in, index))
        return std::nullopt;
    }
    DetailedMap map = loops.relate(loops.get(), from, index, to).first;
    return map.map.isUnknown() ? std::nullopt : std::optional(map);
  };
  auto toInput = getMap(/*overIn=*/false), toOutput = getMap(/*overIn=*/true);
  if (toInput && toOutput)
    indexing.add(0, 0, *toInput, *toOutput);
  return toInput && toOutput;
}

bool Reshape::connect(OpIndexing &indexing) {
  if (connectBothWays(indexing))
    return true;
  SmallVector<Form> extents;
  SmallVector<bool> loopOverIn;
  for (const ReshapeGroup &group : groups) {
    bool overIn = group.in.size() >= group.out.size();
    loopOverIn.push_back(overIn);
    for (unsigned dim : overIn ? group.in : group.out)
      extents.push_back(overIn ? in[dim] : out[dim]);
  }
  Loops loops(sizes, extents);
  SmallVector<Form> inIndex(in.size()), outIndex(out.size());
  unsigned next = 0;
  for (auto [group, overIn] : llvm::zip_equal(groups, loopOverIn)) {
    Form number;
    for (unsigned dim : overIn ? group.in : group.out) {
      (overIn ? inIndex : outIndex)[dim] = loops[next];
      Form size = loops.size((overIn ? in : out)[dim]);
      number = loops.arena().add(loops.arena().mul(number, size), loops[next]);
      ++next;
    }
    if (!addDigits(loops, number, overIn ? out : in,
                   overIn ? group.out : group.in, overIn ? outIndex : inIndex))
      return false;
  }
  loops.connect(indexing, 0, outIndex, out, 0, inIndex, in);
  return true;
}

OpIndexing tensoraccess::inferReshape(const OpSignature &signature) {
  OpIndexing indexing = signature.nothingRead();
  IndexingReason reason = IndexingReason::UnsupportedForm;
  if (signature.operandTypes.empty() || signature.resultTypes.size() != 1)
    return signature.unknown(reason);
  OpSizes sizes(signature);
  std::optional<SizeList> in = sizes.operand(0, reason);
  std::optional<SizeList> out = sizes.result(0, reason);
  if (!in || !out) {
    indexing.setUnknown(0, 0, reason);
    return indexing;
  }
  Reshape reshape(sizes, *in, *out);
  auto reassociation = signature.get<ArrayAttr>("reassociation");
  if (!reassociation || !reshape.takeGroups(reassociation))
    reshape.findGroups();
  reshape.equateCounts();

  auto getNumbers =
      [&](ArrayRef<Form> shape) -> std::optional<SmallVector<int64_t>> {
    SmallVector<int64_t> numbers;
    for (const Form &size : shape) {
      std::optional<int64_t> number = sizes.getStatic(size);
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  };
  auto inShape = getNumbers(*in), outShape = getNumbers(*out);
  if (inShape && outShape) {
    indexing.add(0, 0, reshapeMap(*outShape, *inShape),
                 reshapeMap(*inShape, *outShape));
  } else {
    auto isZero = [&](const Form &size) { return sizes.getStatic(size) == 0; };
    if (llvm::any_of(*in, isZero) || llvm::any_of(*out, isZero)) {
      Loops loops(sizes, *in);
      SmallVector<Form> nowhere(out->size());
      loops.addConstraint(Form(0), Interval::point(1));
      loops.connect(indexing, 0, nowhere, *out, 0, loops.get(), *in);
    } else if (!reshape.connect(indexing)) {
      indexing.setUnknown(0, 0, IndexingReason::DynamicShape);
    }
  }
  sizes.record(indexing);
  return indexing;
}
