//===- ProjectionOf.cpp - The projection that a chain of views is ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 1. Begin with one place for each dimension of the value: its own index.
// 2. Go from op to operand. Each op determines where the operand is read: a place
//    is a sum over the value's dimensions, which `slice`, `windows` and
//    `project` scale and shift. Where places leave the operand, the policy is
//    noted at the place, which from then on may only be passed on: what moves a resolved
//    place is not a projection, unless both moves are one (a padding of a
//    padding).
// 3. At the base places are rows, the value's access dimensions are axes, its
//    items the region. Where several rows pad with different values, the first
//    one has to be the outermost (project: the first row decides).
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Form.h"
#include "TensorAccess/IR/AccessForm.h"
#include "Types/OpHelpers.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using Kind = OutOfBounds::Kind;

namespace {

/// Where a dimension of an operand is read: `constant` + Σ factors·x over the
/// value's dimensions x.
struct Place {
  SmallVector<int64_t, 6> factors;
  int64_t constant = 0;
  /// What has resolved it; forbid if nothing has.
  OutOfBounds policy;
  /// The numbers of the first and the last step that padded it, outermost
  /// first; within a step dimensions are in order.
  uint64_t first = 0, last = 0;

  bool isResolved() const { return policy.kind != Kind::Forbid; }
};

/// The walk from a value to its base.
class Walk {
public:
  Walk(ArrayRef<int64_t> shape, std::string &reason)
      : shape(shape), reason(reason) {
    isEmpty = llvm::is_contained(shape, 0);
    for (unsigned d = 0; d < shape.size(); ++d) {
      Place &place = places.emplace_back();
      place.factors.assign(shape.size(), 0);
      place.factors[d] = 1;
    }
  }

  /// From an op's result to its operand.
  bool step(Operation *op);
  bool refuse(const Twine &why) {
    reason = why.str();
    return false;
  }

  SmallVector<int64_t> shape;
  SmallVector<Place> places;
  bool isEmpty;

private:
  bool add(Place &sum, const Place &other, int64_t factor);
  bool shift(Place &place, int64_t by);
  Interval getRange(const Place &place) const;
  bool resolve(unsigned dim, const OutOfBounds &policy, int64_t size);
  uint64_t getNumber(unsigned dim) const {
    return static_cast<uint64_t>(depth) * 1024 + dim;
  }
  bool stepSlice(SliceOp op);
  bool stepPad(PadOp op);
  bool stepWindows(WindowsOp op);
  bool stepProject(ProjectOp op);
  bool stepReshape(AccessType from, AccessType to);
  bool mayMove(unsigned dim) {
    return !places[dim].isResolved() ||
           refuse("dimension " + Twine(dim) + " is resolved by " +
                  places[dim].policy.str() + " before it moves on");
  }

  std::string &reason;
  unsigned depth = 0;
};

} // namespace

bool Walk::add(Place &sum, const Place &other, int64_t factor) {
  auto addProduct = [&](int64_t &to, int64_t value) {
    std::optional<int64_t> product = checkedMul(value, factor);
    std::optional<int64_t> total =
        product ? checkedAdd(to, *product) : std::nullopt;
    if (total)
      to = *total;
    return total.has_value();
  };
  bool fits = addProduct(sum.constant, other.constant);
  for (auto [to, value] : llvm::zip_equal(sum.factors, other.factors))
    fits = fits && addProduct(to, value);
  return fits || refuse("its places overflow 64-bit arithmetic");
}

bool Walk::shift(Place &place, int64_t by) {
  std::optional<int64_t> sum = checkedAdd(place.constant, by);
  if (!sum)
    return refuse("its places overflow 64-bit arithmetic");
  place.constant = *sum;
  return true;
}

/// The places over all of the value, which has elements. The verifiers have
/// seen to it that they fit.
Interval Walk::getRange(const Place &place) const {
  Interval range{place.constant, place.constant};
  for (auto [factor, size] : llvm::zip_equal(place.factors, shape))
    (factor < 0 ? range.lower : range.upper) +=
        size > 1 ? factor * (size - 1) : 0;
  return range;
}

/// Places that leave a dimension of `size` elements are resolved here.
bool Walk::resolve(unsigned dim, const OutOfBounds &policy, int64_t size) {
  Place &place = places[dim];
  if (isEmpty)
    return true;
  const Interval range = getRange(place);
  if (range.lower >= 0 && range.upper < size)
    return true;
  place.policy = policy;
  place.first = place.last = getNumber(dim);
  return true;
}

bool Walk::stepSlice(SliceOp op) {
  const SmallVector<int64_t> strides = op.getStridesOrOnes();
  const SmallVector<int64_t> from = op.getPattern().getType().getShape();
  const SmallVector<int64_t> to = op.getType().getShape();
  for (unsigned dim = 0; dim < places.size(); ++dim) {
    const bool isWhole =
        op.getOffsets()[dim] == 0 && strides[dim] == 1 && to[dim] == from[dim];
    if (isWhole)
      continue;
    if (!mayMove(dim))
      return false;
    Place moved;
    moved.factors.assign(shape.size(), 0);
    if (!add(moved, places[dim], strides[dim]) ||
        !shift(moved, op.getOffsets()[dim]))
      return false;
    places[dim] = std::move(moved);
    if (!resolve(dim, op.getPolicy(dim), from[dim]))
      return false;
  }
  return true;
}

bool Walk::stepPad(PadOp op) {
  const SmallVector<int64_t> interior = op.getInteriorOrZeros();
  const SmallVector<int64_t> from = op.getPattern().getType().getShape();
  OutOfBounds policy{Kind::Pad, std::nullopt};
  if (auto number = dyn_cast<FloatAttr>(op.getValue())) {
    // Only doubles have a text; what a wider type holds beyond is lost.
    bool isInexact = false;
    llvm::APFloat value = number.getValue();
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &isInexact);
    if (isInexact)
      return refuse("its padding is not a double");
    policy.value = PadValue(value.convertToDouble());
  } else {
    const llvm::APInt value = cast<IntegerAttr>(op.getValue()).getValue();
    if (value.getBitWidth() > 64)
      return refuse("its padding does not fit in 64 bits");
    policy.value = PadValue(value.getSExtValue());
  }
  for (unsigned dim = 0; dim < places.size(); ++dim) {
    if (interior[dim] != 0 && from[dim] > 1)
      return refuse("padding between elements leaves dimension " + Twine(dim) +
                    " with gaps");
    if (op.getLow()[dim] == 0 && op.getHigh()[dim] == 0)
      continue;
    Place &place = places[dim];
    const bool pads = place.policy == policy;
    if ((!pads && !mayMove(dim)) || !shift(place, -op.getLow()[dim]))
      return false;
    // What padded further out pads here, too.
    if (pads)
      place.last = getNumber(dim);
    else if (!resolve(dim, policy, from[dim]))
      return false;
  }
  return true;
}

bool Walk::stepWindows(WindowsOp op) {
  const unsigned access = op.getPattern().getType().getAccessRank();
  const unsigned count = op.getShape().size();
  const SmallVector<int64_t> dilations = op.getDilationsOrOnes();
  const SmallVector<int64_t> from = op.getPattern().getType().getShape();
  SmallVector<Place> read(ArrayRef<Place>(places).take_front(access));
  for (unsigned d = 0; d < count; ++d) {
    const Place &start = places[access + d];
    const Place &tap = places[access + count + d];
    const bool isWhole = op.getShape()[d] == from[access + d];
    const bool isSingle = op.getShape()[d] == 1 && op.getStrides()[d] == 1;
    // Of a place that is 0 whatever it is asked for, nothing is added.
    if (isWhole && dilations[d] == 1 && !start.isResolved()) {
      read.push_back(tap);
      continue;
    }
    if (isSingle && !tap.isResolved()) {
      read.push_back(start);
      continue;
    }
    if (!mayMove(access + d) || !mayMove(access + count + d))
      return false;
    Place &sum = read.emplace_back();
    sum.factors.assign(shape.size(), 0);
    if (!add(sum, start, op.getStrides()[d]) || !add(sum, tap, dilations[d]))
      return false;
  }
  places = std::move(read);
  return true;
}

bool Walk::stepProject(ProjectOp op) {
  const Projection &projection = op.getProjection().getProjection();
  const IndexRegion block = op.getBlockRegion();
  AccessType from = op.getPattern().getType();
  const unsigned access = from.getAccessRank();
  const unsigned columns = block.lo.size();
  SmallVector<Place> read(ArrayRef<Place>(places).take_front(access));
  for (unsigned d = access; d < places.size(); ++d)
    if (!mayMove(d))
      return false;
  for (unsigned r = 0; r < projection.getNumRows(); ++r) {
    Place &sum = read.emplace_back();
    sum.factors.assign(shape.size(), 0);
    if (!add(sum, places[access + columns + r], 1) ||
        !shift(sum, projection.offset[r]) ||
        (projection.anchor && !shift(sum, (*projection.anchor)[r])))
      return false;
    for (unsigned c = 0; c < columns; ++c) {
      Place index = places[access + c];
      if (!shift(index, block.lo[c]) ||
          !add(sum, index, projection.matrix[r][c]))
        return false;
    }
  }
  places = std::move(read);
  for (unsigned r = 0; r < projection.getNumRows(); ++r)
    if (!resolve(access + r, projection.getOutOfBounds(r),
                 from.getComputeShape()[r]))
      return false;
  return true;
}

/// Only dimensions of size 1 may come and go; on each side the others stay in
/// order.
bool Walk::stepReshape(AccessType from, AccessType to) {
  SmallVector<Place> read;
  unsigned next = 0;
  auto side = [&](ArrayRef<int64_t> older, ArrayRef<int64_t> newer) {
    const unsigned end = next + newer.size(), begin = next;
    auto skipOnes = [&] {
      while (next < end && newer[next - begin] == 1) {
        // What is dropped here was never outside.
        if (places[next].policy.kind == Kind::Pad)
          return refuse("a dimension of size 1 is padded before it goes");
        ++next;
      }
      return true;
    };
    for (int64_t size : older) {
      if (size == 1) {
        Place &place = read.emplace_back();
        place.factors.assign(shape.size(), 0);
        continue;
      }
      if (!skipOnes())
        return false;
      if (next == end || newer[next - begin] != size)
        return refuse("a reshape of [" + Twine(shapeToString(older)) +
                      "] to [" + shapeToString(newer) +
                      "] makes numbers that are not sums");
      read.push_back(places[next++]);
    }
    if (!skipOnes())
      return false;
    return next == end || refuse("a reshape to [" + shapeToString(newer) +
                                 "] makes numbers that are not sums");
  };
  if (!side(from.getAccessShape(), to.getAccessShape()) ||
      !side(from.getComputeShape(), to.getComputeShape()))
    return false;
  places = std::move(read);
  return true;
}

bool Walk::step(Operation *op) {
  ++depth;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<AccessOp, ToTensorOp, ShiftRightOp>(
          [](Operation *) { return true; })
      .Case<TransposeOp>([&](TransposeOp op) {
        SmallVector<Place> read(places.size());
        for (auto [i, dim] : llvm::enumerate(op.getPerm()))
          read[dim] = places[i];
        places = std::move(read);
        return true;
      })
      .Case<SqueezeOp>([&](SqueezeOp op) {
        Place zero;
        zero.factors.assign(shape.size(), 0);
        places.insert(places.begin() + op.getAxis(), zero);
        return true;
      })
      .Case<InsertAxisOp>([&](InsertAxisOp op) {
        const unsigned axis = op.getAxis();
        if (places[axis].policy.kind == Kind::Pad)
          return refuse("a dimension of size 1 is padded before it goes");
        places.erase(places.begin() + axis);
        return true;
      })
      .Case<BroadcastOp>([&](BroadcastOp op) {
        for (auto [dim, from, to] :
             llvm::enumerate(op.getPattern().getType().getShape(),
                             op.getType().getShape())) {
          if (from == to)
            continue;
          if (places[dim].policy.kind == Kind::Pad)
            return refuse("dimension " + Twine(dim) +
                          " is padded before it is repeated");
          places[dim] = Place();
          places[dim].factors.assign(shape.size(), 0);
        }
        return true;
      })
      .Case<FlattenOp, ReshapeOp>([&](auto op) {
        return stepReshape(op.getPattern().getType(),
                           cast<AccessType>(op.getResult().getType()));
      })
      .Case<SliceOp>([&](SliceOp op) { return stepSlice(op); })
      .Case<PadOp>([&](PadOp op) { return stepPad(op); })
      .Case<WindowsOp>([&](WindowsOp op) { return stepWindows(op); })
      .Case<ProjectOp>([&](ProjectOp op) { return stepProject(op); })
      .Default([&](Operation *op) {
        return refuse(op->getName().getStringRef() +
                      (op->getNumOperands() > 1
                           ? " puts several patterns together"
                           : " is not a projection"));
      });
}

/// True for a view of one operand or of several.
static bool isView(Operation *op) {
  return isa_and_nonnull<ProjectOp, SliceOp>(op) || isMovement(op);
}

/// Rows that pad with different values, in another order than they do here.
static bool checkPaddings(Walk &walk) {
  for (auto [i, first] : llvm::enumerate(walk.places))
    for (auto [j, second] : llvm::enumerate(walk.places))
      if (i < j && first.policy.kind == Kind::Pad &&
          second.policy.kind == Kind::Pad && !(first.policy == second.policy) &&
          first.last > second.first)
        return walk.refuse("dimension " + Twine(j) + " has " +
                           second.policy.str() + " before dimension " +
                           Twine(i) + " has " + first.policy.str());
  return true;
}

/// The dimension of the item, longer than 1, that moves a row; the row may have
/// none. False if there are two or it moves by another step than 1.
static bool findRegionDim(Walk &walk, unsigned row, unsigned access,
                          std::optional<unsigned> &dim) {
  const Place &place = walk.places[row];
  for (unsigned d = access; d < walk.shape.size(); ++d) {
    if (place.factors[d] == 0 || walk.shape[d] == 1)
      continue;
    if (dim)
      return walk.refuse("dimensions " + Twine(*dim - access) + " and " +
                         Twine(d - access) + " of the item move dimension " +
                         Twine(row) + " both");
    if (place.factors[d] != 1)
      return walk.refuse("dimension " + Twine(d - access) +
                         " of the item moves dimension " + Twine(row) + " by " +
                         Twine(place.factors[d]) +
                         ": a region has no gaps and runs forwards");
    dim = d;
  }
  return true;
}

/// Step 3, with regions.
static bool setRegions(Walk &walk, unsigned access, ProjectedValue &out) {
  Projection &projection = out.projection.projection;
  SmallVector<bool> isUsed(walk.shape.size(), false);
  unsigned next = access;
  for (unsigned row = 0; row < walk.places.size(); ++row) {
    std::optional<unsigned> dim;
    if (!findRegionDim(walk, row, access, dim))
      return false;
    if (dim && isUsed[*dim])
      return walk.refuse("dimension " + Twine(*dim - access) +
                         " of the item moves two dimensions: together they are "
                         "not a box");
    if (dim && *dim < next)
      return walk.refuse("the item's dimensions are not in the order of the "
                         "dimensions that they move");
    projection.shape.push_back(dim ? walk.shape[*dim] : 1);
    if (dim) {
      isUsed[*dim] = true;
      next = *dim;
    }
  }
  for (unsigned d = access; d < walk.shape.size(); ++d) {
    if (walk.shape[d] == 0)
      return walk.refuse("dimension " + Twine(d - access) +
                         " of the item is empty: a region is not");
    if (walk.shape[d] > 1 && !isUsed[d])
      return walk.refuse("dimension " + Twine(d - access) +
                         " of the item repeats elements: a region does not");
  }
  return true;
}

std::optional<ProjectedValue>
mlir::tensoraccess::getProjection(Value value, bool itemsAsAxes,
                                  std::string &reason) {
  auto type = dyn_cast<AccessType>(value.getType());
  if (!type) {
    reason = "it is not an access pattern";
    return std::nullopt;
  }
  if (!type.hasStaticShape()) {
    reason = "its shape is not static";
    return std::nullopt;
  }
  if (auto op = value.getDefiningOp<ProjectOp>(); op && !itemsAsAxes)
    if (auto access = op.getPattern().getDefiningOp<AccessOp>();
        access && access.getAxis() == 0 &&
        !access.getTensor().getDefiningOp<ToTensorOp>())
      return ProjectedValue{access.getTensor(), op.getProjection().getValue(),
                            op.getBlockRegion(), 0};

  Walk walk(type.getShape(), reason);
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    if (!seen.insert(op).second) {
      walk.refuse("it is a view of itself");
      return std::nullopt;
    }
    if (!llvm::all_of(op->getOperandTypes(), [](Type type) {
          auto tensor = dyn_cast<RankedTensorType>(type);
          auto access = dyn_cast<AccessType>(type);
          return (tensor && tensor.hasStaticShape()) ||
                 (access && access.hasStaticShape());
        })) {
      walk.refuse("its base's shape is not static");
      return std::nullopt;
    }
    if (!walk.step(op))
      return std::nullopt;
    value = op->getOperand(0);
  }
  if (!checkPaddings(walk))
    return std::nullopt;

  ProjectedValue out;
  out.base = value;
  Projection &projection = out.projection.projection;
  const unsigned access = type.getAccessRank();
  const unsigned columns = itemsAsAxes ? type.getRank() : access;
  out.taps = columns - access;
  if (walk.places.empty() && columns != 0) {
    walk.refuse("a projection without rows has no columns, got " +
                Twine(columns) + " dimensions");
    return std::nullopt;
  }
  bool acts = false;
  for (const Place &place : walk.places) {
    auto &row = projection.matrix.emplace_back(
        ArrayRef(place.factors).take_front(columns));
    // An axis of one index moves nothing.
    for (unsigned c = 0; c < columns; ++c)
      if (walk.shape[c] == 1)
        row[c] = 0;
    projection.offset.push_back(place.constant);
    projection.outOfBounds.push_back(place.policy);
    acts |= place.isResolved();
  }
  if (!acts)
    projection.outOfBounds.clear();
  if (itemsAsAxes)
    projection.shape.assign(walk.places.size(), 1);
  else if (!setRegions(walk, access, out))
    return std::nullopt;
  for (unsigned c = 0; c < columns; ++c) {
    out.block.lo.push_back(0);
    out.block.hi.push_back(walk.shape[c]);
  }
  return out;
}

Value mlir::tensoraccess::createProjection(OpBuilder &b, Location loc,
                                           const ProjectedValue &projected,
                                           AccessType type) {
  Value base = projected.base;
  if (isa<AccessType>(base.getType()))
    base = ToTensorOp::create(b, loc, base);
  Value pattern = AccessOp::create(b, loc, base, 0);
  pattern =
      ProjectOp::create(b, loc, pattern, projected.projection, projected.block);
  if (projected.taps != 0)
    pattern = ShiftRightOp::create(b, loc, pattern, projected.taps);
  if (pattern.getType() != type)
    pattern = ReshapeOp::create(b, loc, type, pattern);
  return pattern;
}

/// Erases views that nothing uses any more, uses before definitions; not those
/// that are of interest.
static void eraseUnused(Operation *root, const ProjectionSummary &summary) {
  SmallPtrSet<Operation *, 16> left;
  for (auto &[op, reason] : summary.left)
    left.insert(op);
  SmallVector<Operation *> views;
  root->walk([&](Operation *op) {
    if (isView(op) && !left.contains(op))
      views.push_back(op);
  });
  for (Operation *op : llvm::reverse(views))
    if (op->use_empty())
      op->erase();
}

ProjectionSummary mlir::tensoraccess::formProjections(Operation *root,
                                                      bool itemsAsAxes) {
  ProjectionSummary summary;
  SmallVector<Operation *> ends;
  root->walk([&](Operation *op) {
    if (isView(op) && !isa<ToTensorOp, AccessOp>(op) &&
        isa<AccessType>(op->getResult(0).getType()) &&
        !llvm::all_of(op->getUsers(), [](Operation *user) {
          return isView(user) && !isa<ToTensorOp>(user);
        }))
      ends.push_back(op);
  });
  for (Operation *op : ends) {
    Value value = op->getResult(0);
    std::string reason;
    auto projected = getProjection(value, itemsAsAxes, reason);
    if (!projected) {
      summary.left.push_back({op, std::move(reason)});
      continue;
    }
    if (isa<ProjectOp>(op) && projected->taps == 0)
      continue;
    OpBuilder b(op);
    value.replaceAllUsesWith(createProjection(
        b, op->getLoc(), *projected, cast<AccessType>(value.getType())));
    ++summary.rewritten;
  }
  eraseUnused(root, summary);
  return summary;
}

ProjectionSummary mlir::tensoraccess::expandProjections(Operation *root) {
  ProjectionSummary summary;
  SmallVector<ProjectOp> ops;
  root->walk([&](ProjectOp op) { ops.push_back(op); });
  for (ProjectOp op : ops) {
    OpBuilder b(op);
    std::string reason;
    if (std::optional<Value> value = expandProjection(b, op, reason)) {
      op.getResult().replaceAllUsesWith(*value);
      ++summary.rewritten;
    } else {
      summary.left.push_back({op, std::move(reason)});
    }
  }
  eraseUnused(root, summary);
  return summary;
}
