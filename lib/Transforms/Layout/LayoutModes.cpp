//===- LayoutModes.cpp - Which layouts an op can work on ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout of one tensor of a loop nest decides in which order loops come and how
// they are cut. From there:
//   1. a dimension that is one loop takes its place in the order and its cut;
//   2. a dimension that is a window (`d1 * 2 + d4`) takes the place of the loop
//      it slides along, and must be whole;
//   3. dimensions of loops that the layout does not mention stay where they
//      are.
// Elementwise ops, pads, slices and reshapes are the same with other maps.
//
//===----------------------------------------------------------------------===//

#include "LayoutModes.h"
#include "Kernel/KernelPlan.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Models/Indexing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Blockings
//===----------------------------------------------------------------------===//

Blocking Blocking::plain(int64_t rank) {
  Blocking blocking;
  llvm::append_range(blocking.order, llvm::seq<int64_t>(0, rank));
  blocking.tile.assign(rank, 1);
  return blocking;
}

Layout Blocking::getLayout() const {
  Layout layout;
  layout.minorToMajor.assign(order.rbegin(), order.rend());
  Tile entries;
  for (int64_t dim : order)
    if (!entries.empty() || tile[dim] != 1)
      entries.push_back(tile[dim]);
  if (!entries.empty())
    layout.tiles.push_back(std::move(entries));
  return layout;
}

static RankedTensorType getEncodedType(RankedTensorType type,
                                       const Blocking &blocking) {
  return RankedTensorType::get(
      type.getShape(), type.getElementType(),
      LayoutAttr::get(type.getContext(), blocking.getLayout()));
}

/// The blocking with dimensions of size 1 in front and without cuts that change
/// nothing, if it is laid out alike.
static std::optional<Blocking> simplify(const PhysicalForm &form,
                                        ArrayRef<int64_t> shape) {
  Blocking result;
  result.tile.assign(shape.size(), 1);
  for (auto [dim, size] : llvm::enumerate(form.extents))
    if (size == 1)
      result.order.push_back(dim);
  for (const PhysicalDigit &digit : form.getKey())
    if (!llvm::is_contained(result.order, digit.dim))
      result.order.push_back(digit.dim);
  if (result.order.size() != shape.size())
    return std::nullopt;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    SmallVector<PhysicalDigit, 2> digits = form.getDigitsOf(dim);
    if (digits.size() > 2)
      return std::nullopt;
    if (digits.size() == 2)
      result.tile[dim] = digits.front().size;
    // Of one digit with padding, the smallest tile that pads so.
    else if (int64_t extent = form.extents[dim]; extent != size)
      for (int64_t t = extent - size + 1; t <= extent; ++t)
        if (extent % t == 0 && (size + t - 1) / t * t == extent) {
          result.tile[dim] = t;
          break;
        }
  }
  return result;
}

RankedTensorType mlir::tensoraccess::getBlockedType(RankedTensorType type,
                                                    const Blocking &blocking) {
  RankedTensorType encoded = getEncodedType(type, blocking);
  std::string reason;
  std::optional<PhysicalForm> form = getPhysicalForm(encoded, reason);
  if (!form)
    return encoded;
  if (form->getKey() == getPlainForm(type.getShape()).getKey())
    return getPlainType(type);
  std::optional<Blocking> simple = simplify(*form, type.getShape());
  if (!simple)
    return encoded;
  RankedTensorType other = getEncodedType(type, *simple);
  std::optional<PhysicalForm> otherForm = getPhysicalForm(other, reason);
  return otherForm && otherForm->getKey() == form->getKey() ? other : encoded;
}

bool mlir::tensoraccess::hasPlainTypes(Operation *op) {
  auto isPlain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? !tensor.getEncoding() : !isa<ShapedType>(type);
  };
  return llvm::all_of(op->getOperandTypes(), isPlain) &&
         llvm::all_of(op->getResultTypes(), isPlain);
}

Value mlir::tensoraccess::makeFreeTensor(OpBuilder &builder, Operation *op,
                                         RankedTensorType type) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    return arith::ConstantOp::create(
        builder, op->getLoc(),
        SplatElementsAttr::get(type, splat.getSplatValue<Attribute>()));
  }
  auto fill = dyn_cast<linalg::FillOp>(op);
  auto empty = cast<tensor::EmptyOp>(
      fill ? fill.getDpsInitOperand(0)->get().getDefiningOp() : op);
  Value value = tensor::EmptyOp::create(builder, op->getLoc(), type,
                                        empty.getDynamicSizes());
  if (!fill)
    return value;
  return linalg::FillOp::create(builder, op->getLoc(), fill.getInputs(),
                                ValueRange(value))
      ->getResult(0);
}

LayoutMode mlir::tensoraccess::getPlainMode(Operation *op) {
  LayoutMode mode;
  auto add = [](SmallVectorImpl<std::optional<Blocking>> &list, Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    list.push_back(tensor ? std::optional(Blocking::plain(tensor.getRank()))
                          : std::nullopt);
  };
  for (Type type : op->getOperandTypes())
    add(mode.operands, type);
  for (Type type : op->getResultTypes())
    add(mode.results, type);
  return mode;
}

bool mlir::tensoraccess::isHarmlessOnPadding(Operation *op) {
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps()) {
      if (inner.hasTrait<OpTrait::IsTerminator>() ||
          isa<linalg::IndexOp>(inner))
        continue;
      if (inner.getNumRegions() != 0 || !isPure(&inner) ||
          !isSpeculatable(&inner) ||
          llvm::any_of(inner.getOperandTypes(),
                       [](Type type) { return isa<ShapedType>(type); }))
        return false;
    }
  return op->getNumRegions() != 0 || (isPure(op) && isSpeculatable(op));
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// The loop that a dimension is; std::nullopt for windows and constants.
static std::optional<unsigned> getLoop(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition();
  return std::nullopt;
}

/// Sizes of the loops, dynamic ones as a number.
static SmallVector<int64_t> getLoopSizes(linalg::LinalgOp op,
                                         int64_t dynamicSize) {
  return llvm::map_to_vector(op.getStaticLoopRanges(), [&](int64_t size) {
    return ShapedType::isDynamic(size) ? dynamicSize : size;
  });
}

std::optional<Contraction>
mlir::tensoraccess::findContraction(linalg::LinalgOp op, int64_t dynamicSize) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1)
    return std::nullopt;
  std::optional<ProductStep> step = findProductStep(*op.getBlock());
  if (!step || !step->arguments ||
      step->arguments->first == step->arguments->second)
    return std::nullopt;
  SmallVector<int64_t> sizes = getLoopSizes(op, dynamicSize);
  if (llvm::is_contained(sizes, 0))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto isPlain = [](AffineMap map) {
    return llvm::all_of(map.getResults(),
                        [](AffineExpr e) { return getLoop(e).has_value(); });
  };
  Contraction c;
  if (!isPlain(maps[2]) || (!isPlain(maps[0]) && !isPlain(maps[1])))
    return std::nullopt;
  // The window slides over lhs; without one, the last dimension of the result
  // is one of rhs.
  if (!isPlain(maps[1]))
    std::swap(c.lhs, c.rhs);
  else if (isPlain(maps[0]) && maps[2].getNumResults() != 0) {
    unsigned last = *getLoop(maps[2].getResults().back());
    if (maps[0].isFunctionOfDim(last) && !maps[1].isFunctionOfDim(last))
      std::swap(c.lhs, c.rhs);
  }
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    bool inLhs = maps[c.lhs].isFunctionOfDim(loop);
    bool inRhs = maps[c.rhs].isFunctionOfDim(loop);
    bool inOut = maps[2].isFunctionOfDim(loop);
    bool whole = llvm::is_contained(maps[c.lhs].getResults(),
                                    getAffineDimExpr(loop, op.getContext()));
    SmallVector<unsigned> *kind = nullptr;
    if (inLhs && inRhs)
      kind = inOut ? &c.batch : whole ? &c.k : &c.window;
    else if (inOut)
      kind = inRhs ? &c.n : !inLhs ? nullptr : whole ? &c.m : &c.slid;
    else if (inLhs && !whole)
      kind = &c.window;
    if (!kind)
      return std::nullopt;
    kind->push_back(loop);
    std::optional<int64_t> product = checkedMul(c.products, size);
    if (!product)
      return std::nullopt;
    c.products = *product;
    if (kind == &c.m || kind == &c.slid)
      c.rows = std::max(c.rows, size);
  }
  return c;
}

namespace {

/// Modes of one contraction.
class TargetModes {
public:
  TargetModes(linalg::LinalgOp op, const Contraction &c, const Target &target,
              int64_t dynamicSize)
      : op(op), c(c), target(target), maps(op.getIndexingMapsArray()),
        sizes(getLoopSizes(op, dynamicSize)), dynamicSize(dynamicSize),
        ranges(op.getStaticLoopRanges()), tiles(sizes.size(), 1),
        own(getNest(OpSignature(op))) {
    bits = 1;
    for (Value operand : op->getOperands()) {
      Type type = getElementTypeOrSelf(operand.getType());
      if (type.isIntOrFloat())
        bits = std::max<int64_t>(bits, type.getIntOrFloatBitWidth());
    }
  }

  SmallVector<LayoutMode, 0> get();

private:
  /// The layout of an operand: its dimensions in the order of `first`, the
  /// others, then those of `last`; cut as the loops are.
  Blocking arrange(unsigned operand, ArrayRef<unsigned> first,
                   ArrayRef<unsigned> last) const;
  /// Bytes for that many rows and columns of results in registers.
  int64_t getTraffic(double rows, double columns) const;
  std::optional<int64_t>
  getKernelCost(ArrayRef<std::optional<Blocking>> layouts) const;
  void add(StringRef name, const Blocking &lhs, const Blocking &rhs,
           const Blocking &out, double rows, double columns);
  void addPanels();
  void addUnit(const MatrixUnit &unit);

  linalg::LinalgOp op;
  const Contraction &c;
  const Target &target;
  SmallVector<AffineMap> maps;
  /// Whether a loop may be cut: its size is known.
  bool canTile(unsigned loop) const {
    return !ShapedType::isDynamic(ranges[loop]);
  }

  /// Sizes of loops, also as numbers for those that are dynamic.
  SmallVector<int64_t> sizes;
  int64_t dynamicSize;
  SmallVector<int64_t> ranges, tiles;
  NestRef own;
  int64_t bits;
  SmallVector<LayoutMode, 0> modes;
};

} // namespace

Blocking TargetModes::arrange(unsigned operand, ArrayRef<unsigned> first,
                              ArrayRef<unsigned> last) const {
  AffineMap map = maps[operand];
  Blocking blocking;
  SmallVector<int64_t> dims;
  auto take = [&](ArrayRef<unsigned> loops) {
    for (unsigned loop : loops)
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (getLoop(expr) == loop)
          dims.push_back(dim);
  };
  take(last);
  SmallVector<int64_t> tail = std::move(dims);
  dims.clear();
  take(first);
  for (int64_t dim : llvm::seq<int64_t>(0, map.getNumResults()))
    if (!llvm::is_contained(dims, dim) && !llvm::is_contained(tail, dim))
      dims.push_back(dim);
  llvm::append_range(dims, tail);
  blocking.order.assign(dims.begin(), dims.end());
  for (AffineExpr expr : map.getResults()) {
    std::optional<unsigned> loop = getLoop(expr);
    blocking.tile.push_back(loop ? tiles[*loop] : 1);
  }
  return blocking;
}

int64_t TargetModes::getTraffic(double rows, double columns) const {
  double products = c.products;
  for (auto [size, tile] : llvm::zip_equal(sizes, tiles))
    if (tile != 1)
      products *= double((size + tile - 1) / tile * tile) / size;
  double bytes = products * bits / 8 * (1 / rows + 1 / columns);
  return static_cast<int64_t>(std::min(bytes / target.memoryCost, 1e15));
}

void TargetModes::add(StringRef name, const Blocking &lhs, const Blocking &rhs,
                      const Blocking &out, double rows, double columns) {
  LayoutMode mode;
  mode.operands.resize(3);
  mode.operands[c.lhs] = lhs;
  mode.operands[c.rhs] = rhs;
  mode.operands[2] = out;
  mode.results.push_back(out);
  mode.cost = getKernelCost(mode.operands).value_or(getTraffic(rows, columns));
  mode.name = name;
  modes.push_back(std::move(mode));
}

/// Panels of the result's channels, as wide as the register tile. The left
/// operand is read element by element: it may stay as it is, channels last, or
/// in blocks of channels.
void TargetModes::addPanels() {
  // A depthwise convolution multiplies panel by panel.
  ArrayRef<unsigned> columns = c.n;
  if (c.n.empty()) {
    if (!c.isConvolution() || c.batch.empty())
      return;
    columns = c.batch;
  }
  std::optional<unsigned> widest;
  for (unsigned loop : llvm::reverse(columns))
    if (canTile(loop) && (!widest || sizes[loop] > sizes[*widest]))
      widest = loop;
  if (!widest)
    return;
  unsigned panel = *widest;
  // The widest panel that leaves no padding, if there is one.
  int64_t lanes = target.getLanes(bits);
  int64_t width = std::min(target.getPanelWidth(bits),
                           (sizes[panel] + lanes - 1) / lanes * lanes);
  for (int64_t other = width; other >= lanes; other -= lanes)
    if (sizes[panel] % other == 0) {
      width = other;
      break;
    }
  double rows = std::min<double>(target.tileRows, c.rows);
  tiles[panel] = width;
  SmallVector<unsigned> front = c.batch;
  llvm::erase(front, panel);
  llvm::append_range(front, c.n);
  Blocking rhs = arrange(c.rhs, front, c.k);
  // Where every row of the result has its channels next to each other.
  Blocking outLast = arrange(2, {}, {panel});
  // Blocks of channels outside of the image.
  Blocking outBlocked = arrange(2, front, {});
  bool isDepthwise = c.n.empty();
  if (isDepthwise) {
    add("panels", arrange(c.lhs, {}, {panel}), rhs, outLast, rows, width);
    add("panels", arrange(c.lhs, c.batch, {}), rhs, outBlocked, rows, width);
    return;
  }
  // Sums run along k; where that is not the order of lhs, each step is another
  // cache line.
  Blocking lhsPlain = Blocking::plain(maps[c.lhs].getNumResults());
  SmallVector<Blocking> lefts = {lhsPlain};
  if (c.isConvolution()) {
    Blocking lhsLast = arrange(c.lhs, {}, c.k);
    if (lhsLast != lhsPlain)
      lefts.push_back(lhsLast);
    if (!c.k.empty() && canTile(c.k.back()) && sizes[c.k.back()] % width == 0) {
      tiles[c.k.back()] = width;
      lefts.push_back(arrange(c.lhs, c.k, {}));
      // The filters are cut in the same way, at no cost.
      tiles[c.k.back()] = 1;
    }
  }
  for (const Blocking &lhs : lefts) {
    bool contiguous =
        c.k.empty() || lhs.isTiled() ||
        getLoop(maps[c.lhs].getResult(lhs.order.back())) == c.k.back();
    double effective = contiguous ? width : width / 2.0;
    add("panels", lhs, rhs, outLast, rows, effective);
    if (c.isConvolution() && outBlocked != outLast)
      add("panels", lhs, rhs, outBlocked, rows, effective);
  }
}

/// Tiles of the unit's size in all operands.
void TargetModes::addUnit(const MatrixUnit &unit) {
  if (c.n.empty() || c.k.empty() || !canTile(c.n.back()) ||
      !canTile(c.k.back()))
    return;
  tiles[c.n.back()] = unit.cols;
  tiles[c.k.back()] = unit.rows;
  if (!c.m.empty() && canTile(c.m.back()) && sizes[c.m.back()] >= unit.rows)
    tiles[c.m.back()] = unit.rows;
  add("unit", arrange(c.lhs, {}, c.k), arrange(c.rhs, {}, {c.n.back()}),
      arrange(2, {}, {c.n.back()}), unit.rows, unit.cols);
}

/// Where caches are known, kernels are those of register-tile: what its plan for
/// these layouts takes, in bytes that memory moves meanwhile.
std::optional<int64_t>
TargetModes::getKernelCost(ArrayRef<std::optional<Blocking>> layouts) const {
  if (target.caches.empty())
    return std::nullopt;
  if (!own->hasLoops() || own->axes.size() != sizes.size())
    return std::nullopt;
  // Bytes of memory in the time of one to or from the last cache.
  constexpr double kRead = 0.5, kWritten = 1.3;
  double traffic = 0;
  StridedNest nest;
  SmallVector<StridedNest::Loop> all;
  auto addLoop = [&](int64_t size, bool isSum, unsigned number) {
    all.push_back({size, isSum, SmallVector<int64_t, 4>(3, 0), number});
  };
  // A loop along which something is cut is two.
  SmallVector<int64_t> cut(sizes.size(), 1);
  for (auto [operand, layout] : llvm::enumerate(layouts))
    for (auto [dim, tile] : llvm::enumerate(layout->tile))
      if (tile != 1)
        cut[*getLoop(maps[operand].getResult(dim))] = tile;
  for (auto [loop, axis] : llvm::enumerate(own->axes)) {
    addLoop(llvm::divideCeil(sizes[loop], cut[loop]), axis.isReduction,
            2 * loop);
    addLoop(std::min(cut[loop], sizes[loop]), axis.isReduction, 2 * loop + 1);
  }
  for (auto [operand, layout] : llvm::enumerate(layouts)) {
    const auto type = cast<RankedTensorType>(op->getOperand(operand).getType());
    const int64_t rank = type.getRank();
    // From the minor end: tiles, then the dimensions in their order.
    SmallVector<int64_t> inner(rank, 0), outer(rank, 0);
    int64_t stride = 1;
    for (int64_t dim : llvm::reverse(layout->order))
      if (layout->tile[dim] != 1) {
        inner[dim] = stride;
        stride *= layout->tile[dim];
      }
    for (int64_t dim : llvm::reverse(layout->order)) {
      const int64_t size =
          type.isDynamicDim(dim) ? dynamicSize : type.getDimSize(dim);
      outer[dim] = stride;
      stride *= llvm::divideCeil(std::max<int64_t>(size, 1), layout->tile[dim]);
    }
    const NestRead *read = own->findRead(operand);
    const NestAccess &access = read ? *read : own->writes[0];
    for (auto [dim, form] : llvm::enumerate(access.index)) {
      auto steps = own->getSteps(form);
      if (!steps)
        return std::nullopt;
      for (unsigned loop = 0; loop < sizes.size(); ++loop) {
        const int64_t step = (*steps)[loop];
        const bool isCut = layout->tile[dim] != 1;
        all[2 * loop].strides[operand] +=
            step * outer[dim] * (isCut ? 1 : cut[loop]);
        all[2 * loop + 1].strides[operand] +=
            step * (isCut ? inner[dim] : outer[dim]);
      }
    }
    nest.operands.push_back(op->getOperand(operand));
    nest.elementBytes.push_back(std::max<int64_t>(1, bits / 8));
    traffic += double(stride) * nest.elementBytes.back() *
               (operand == 2 ? kWritten : kRead);
  }
  nest.result = 2;
  if (!nest.setLoops(std::move(all), /*joins=*/true))
    return std::nullopt;
  std::string reason;
  std::optional<KernelPlan> plan = planKernel(nest, target, reason);
  const double cycles =
      plan ? getKernelCycles(nest, *plan, target) : 2.0 * c.products;
  // Part of the traffic is behind arithmetic, and part of that behind it.
  return static_cast<int64_t>(
      std::min(std::hypot(cycles * target.getBytesPerCycle(), traffic), 1e15));
}

SmallVector<LayoutMode, 0> TargetModes::get() {
  LayoutMode plain = getPlainMode(op);
  plain.cost = getKernelCost(plain.operands)
                   .value_or(getTraffic(1, target.getLanes(bits)));
  modes.push_back(plain);
  int64_t rows = c.rows, columns = 1, depth = 1;
  for (unsigned loop : c.n)
    columns = std::max(columns, sizes[loop]);
  for (unsigned loop : c.k)
    depth = std::max(depth, sizes[loop]);
  if (const MatrixUnit *unit = target.chooseUnit(rows, columns, depth))
    addUnit(*unit);
  else
    addPanels();
  return std::move(modes);
}

SmallVector<LayoutMode, 0>
mlir::tensoraccess::getTargetModes(Operation *op, const Target &target,
                                   int64_t dynamicSize) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return {};
  std::optional<Contraction> contraction =
      findContraction(linalgOp, dynamicSize);
  if (!contraction)
    return {};
  return TargetModes(linalgOp, *contraction, target, dynamicSize).get();
}
