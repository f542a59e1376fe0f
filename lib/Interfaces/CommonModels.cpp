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
#include "TensorAccess/Interfaces/Nest.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::tensoraccess;

Nest tensoraccess::inferElementwise(SizedOp &op) {
  if (op.out.empty())
    return op.signature.nothingRead();
  IndexingReason reason = IndexingReason::UnsupportedForm;
  // All that have the rank of the first result have its sizes.
  for (unsigned r = 0; r < op.out.size(); ++r) {
    if (!op.isValid && !op.sizes.result(r, reason))
      return op.signature.unknown(reason);
    equateAll(op.sizes, op.out[0], op.out[r]);
  }
  for (const SizeList &list : op.in)
    equateAll(op.sizes, op.out[0], list);
  auto agrees = [&](ArrayRef<Form> list) {
    return llvm::equal(list, op.out[0], [&](const Form &a, const Form &b) {
      return a == b || op.sizes.resolve(a) == op.sizes.resolve(b);
    });
  };
  if (!llvm::all_of(op.out, agrees))
    return op.signature.unknown(IndexingReason::UnsupportedForm);
  Nest nest = op.makeNest(op.out[0]);
  nest.body = NestBody::Map;
  for (unsigned r = 0; r < op.out.size(); ++r)
    nest.write(r, nest.getAxes());
  for (auto [o, list] : llvm::enumerate(op.in)) {
    if (!op.isValid && !op.sizes.operand(o, reason))
      nest.readUnknown(o, reason);
    else if (list.empty())
      nest.read(o, {});
    else if (agrees(list))
      nest.read(o, nest.getAxes());
    else
      nest.readUnknown(o, IndexingReason::UnsupportedForm);
  }
  return nest;
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
  explicit Reshape(SizedOp &op)
      : op(op), sizes(op.sizes), in(op.in[0]), out(op.out[0]) {}

  /// One side has one dimension for each list; false if the attribute does not
  /// fit.
  bool takeGroups(ArrayAttr reassociation);
  void findGroups();
  /// States that groups keep their element counts.
  void equateCounts();
  /// The nest; none where a digit's size is not a number.
  std::optional<Nest> getNest();

private:
  /// The same, if all sizes but the leading ones of groups are numbers and
  /// neither side of some group is one dimension: then each direction has a closed
  /// form, which does not follow from the other.
  std::optional<Nest> getNestBothWays();
  /// The element count of a group, if only one size is not a number.
  std::optional<Form> getCount(ArrayRef<Form> shape, ArrayRef<unsigned> dims);
  bool addDigits(Nest &nest, const Form &number, ArrayRef<Form> shape,
                 ArrayRef<unsigned> dims, SmallVectorImpl<Form> &index);

  SizedOp &op;
  OpSizes &sizes;
  const SizeList &in, &out;
  SmallVector<ReshapeGroup> groups;
};

} // namespace

bool Reshape::takeGroups(ArrayAttr reassociation) {
  bool isCollapse = in.size() >= out.size();
  const SizeList &fine = isCollapse ? in : out, &coarse = isCollapse ? out : in;
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
    auto take = [&](const SizeList &shape, unsigned begin, unsigned end,
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

bool Reshape::addDigits(Nest &nest, const Form &number, ArrayRef<Form> shape,
                        ArrayRef<unsigned> dims, SmallVectorImpl<Form> &index) {
  // Units beside a dynamic size are ambiguous; the first other size is leading.
  FormArena &arena = nest.arena();
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

std::optional<Nest> Reshape::getNestBothWays() {
  // Where one side of each group is one dimension, one way follows from the
  // other.
  if (llvm::all_of(groups, [](const ReshapeGroup &group) {
        return group.in.size() <= 1 || group.out.size() <= 1;
      }))
    return std::nullopt;
  auto getWay = [&](bool overIn) -> std::optional<Nest> {
    const SizeList &from = overIn ? in : out, &to = overIn ? out : in;
    Nest nest = op.makeNest(from);
    SmallVector<Form> index(to.size());
    for (const ReshapeGroup &group : groups) {
      Form number;
      for (unsigned dim : overIn ? group.in : group.out)
        number = nest.arena().add(
            nest.arena().mul(number, nest.size(from[dim])), nest[dim]);
      if (!addDigits(nest, number, to, overIn ? group.out : group.in, index))
        return std::nullopt;
    }
    ArrayRef<Form> axes = nest.getAxes();
    nest.write(0, overIn ? ArrayRef<Form>(index) : axes);
    nest.read(0, overIn ? axes : ArrayRef<Form>(index));
    return nest;
  };
  std::optional<Nest> pull = getWay(/*overIn=*/false);
  std::optional<Nest> push = getWay(/*overIn=*/true);
  if (!pull || !push)
    return std::nullopt;
  const OpIndexing down = pull->getIndexing(), up = push->getIndexing();
  if (down.outputToInput(0, 0).isUnknown() ||
      up.inputToOutput(0, 0).isUnknown())
    return std::nullopt;
  pull->setMaps(0, 0, down.outputToInput(0, 0).getEntry(0),
                up.inputToOutput(0, 0).getEntry(0));
  return pull;
}

std::optional<Nest> Reshape::getNest() {
  if (std::optional<Nest> nest = getNestBothWays())
    return nest;
  SmallVector<Form> extents;
  for (const ReshapeGroup &group : groups) {
    const bool overIn = group.in.size() >= group.out.size();
    for (unsigned dim : overIn ? group.in : group.out)
      extents.push_back((overIn ? in : out)[dim]);
  }
  Nest nest = op.makeNest(extents);
  SmallVector<Form> inIndex(in.size()), outIndex(out.size());
  unsigned next = 0;
  for (const ReshapeGroup &group : groups) {
    const bool overIn = group.in.size() >= group.out.size();
    Form number;
    for (unsigned dim : overIn ? group.in : group.out) {
      (overIn ? inIndex : outIndex)[dim] = nest[next];
      Form size = nest.size((overIn ? in : out)[dim]);
      number = nest.arena().add(nest.arena().mul(number, size), nest[next]);
      ++next;
    }
    if (!addDigits(nest, number, overIn ? out : in,
                   overIn ? group.out : group.in, overIn ? outIndex : inIndex))
      return std::nullopt;
  }
  nest.write(0, outIndex);
  nest.read(0, inIndex);
  return nest;
}

Nest tensoraccess::inferReshape(const OpSignature &signature) {
  IndexingReason reason = IndexingReason::UnsupportedForm;
  if (signature.operandTypes.empty() || signature.resultTypes.size() != 1)
    return signature.unknown(reason);
  SizedOp op(signature);
  auto fail = [&](IndexingReason why) {
    OpIndexing indexing = signature.nothingRead();
    indexing.setUnknown(0, 0, why);
    return indexing;
  };
  // Other operands give the shape.
  if (!op.sizes.operand(0, reason) || !op.sizes.result(0, reason))
    return fail(reason);
  Reshape reshape(op);
  auto reassociation = signature.get<ArrayAttr>("reassociation");
  if (!reassociation || !reshape.takeGroups(reassociation))
    reshape.findGroups();
  reshape.equateCounts();

  auto getNumbers =
      [&](ArrayRef<Form> shape) -> std::optional<SmallVector<int64_t>> {
    SmallVector<int64_t> numbers;
    for (const Form &size : shape) {
      std::optional<int64_t> number = op.sizes.getStatic(size);
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  };
  auto inShape = getNumbers(op.in[0]), outShape = getNumbers(op.out[0]);
  std::optional<Nest> nest;
  if (inShape && outShape) {
    nest = op.makeResultNest(NestBody::Move);
    nest->readMaps(0, reshapeMap(*outShape, *inShape),
                   reshapeMap(*inShape, *outShape));
    return std::move(*nest);
  }
  auto isZero = [&](const Form &size) { return op.sizes.getStatic(size) == 0; };
  if (llvm::any_of(op.in[0], isZero) || llvm::any_of(op.out[0], isZero)) {
    nest = op.makeNest(op.in[0]);
    nest->write(0, SmallVector<Form>(op.out[0].size()))
        .require(Form(0), Interval::point(1));
    nest->read(0, nest->getAxes());
  } else {
    nest = reshape.getNest();
  }
  if (!nest) {
    OpIndexing indexing = fail(IndexingReason::DynamicShape);
    op.sizes.record(indexing);
    return indexing;
  }
  nest->body = NestBody::Move;
  return std::move(*nest);
}
