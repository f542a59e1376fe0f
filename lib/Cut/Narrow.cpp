//===- Narrow.cpp - Only what is wanted of a function ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. From the last op to the first: boxes of results that are needed become
//    boxes of iterations, these what is needed of operands. When an op is
//    reached, all that read it were.
// 2. From the first to the last: an op with fewer iterations than it has, or with
//    an operand of which there is only a part, is made anew, once for each box. Views
//    of what is there whole stay, since they cost nothing.
// 3. What nothing reads any more is erased.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cut/Narrow.h"
#include "Narrower.h"
#include "TensorAccess/Analysis/ValueFacts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Boxes of one value that are kept apart.
static constexpr size_t kMaxBoxes = 4;

/// An op is not made anew for less than one of so many of its iterations, unless
/// exactly what is needed is wanted.
static constexpr uint64_t kLeastPart = 25;

static bool contains(const Box &outer, const Box &inner) {
  return intersectBoxes(outer, inner) == inner;
}

/// Adds a box: one hull takes the place of two boxes where it holds no more than
/// they do together.
static void addBox(BoxList &boxes, Box box) {
  for (size_t i = 0; i < boxes.size();) {
    Box hull = *getBoundingBox({boxes[i], box});
    if (hull == boxes[i])
      return;
    std::optional<uint64_t> joint = getVolume(hull);
    std::optional<uint64_t> a = getVolume(boxes[i]), b = getVolume(box);
    if (joint && a && b && *joint - std::min(*joint, *a) > *b &&
        boxes.size() < kMaxBoxes) {
      ++i;
      continue;
    }
    box = std::move(hull);
    boxes.erase(boxes.begin() + i);
    i = 0;
  }
  boxes.push_back(std::move(box));
}

bool Narrower::isTracked(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && !type.getEncoding() &&
         type.getNumElements() != 0;
}

Box Narrower::getWhole(Value value) {
  return getWholeBox(cast<RankedTensorType>(value.getType()).getShape());
}

bool Narrower::isWhole(Value value) const {
  if (!isTracked(value))
    return true;
  auto it = needs.find(value);
  return it != needs.end() && it->second.size() == 1 &&
         it->second.front() == getWhole(value);
}

void Narrower::need(Value value, const Box &box) {
  if (isTracked(value) && !box.isEmpty())
    addBox(needs[value], box);
}

void Narrower::needWhole(Value value) {
  if (isTracked(value))
    need(value, getWhole(value));
}

void Narrower::needAll(Operation *op) {
  for (Value operand : op->getOperands())
    needWhole(operand);
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    needWhole(value);
  for (Value result : op->getResults())
    needWhole(result);
}

std::optional<Box> Narrower::joinNeeds(Value value) {
  auto it = needs.find(value);
  if (it == needs.end())
    return std::nullopt;
  Box hull = *getBoundingBox(it->second);
  it->second = {hull};
  return hull;
}

std::optional<Box> Narrower::joinNeeds(Value a, Value b) {
  std::optional<Box> first = joinNeeds(a), second = joinNeeds(b);
  if (!first || !second)
    return first ? first : second;
  return getBoundingBox({*first, *second});
}

//===----------------------------------------------------------------------===//
// Backwards
//===----------------------------------------------------------------------===//

const BlockOp &Narrower::getBlockOp(Operation *op) {
  auto [it, isNew] = blockOps.try_emplace(op);
  if (isNew) {
    BlockOp block = readBlockOp(op, /*withStarts=*/true);
    // An op with effects runs as it is; so does one that makes nothing, and one
    // without iterations, the results of which are its destinations.
    if (!isMemoryEffectFree(op) || !llvm::all_of(op->getResults(), isTracked) ||
        llvm::is_contained(block.extents, 0) || !isMadeByLoops(block)) {
      block = BlockOp();
      block.op = op;
    }
    it->second = std::move(block);
  }
  return it->second;
}

bool Narrower::isDead(Operation *op) {
  return op->getNumResults() != 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResults(), [&](Value result) {
           return isTracked(result) && !isNeeded(result);
         });
}

/// The dimension of a result of an op that has to be made whole.
static bool isMadeWhole(Operation *op, unsigned dim) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  return insert && insert.isDynamicOffset(dim);
}

/// Whether a slice that is inserted overwrites all of a box, one element each.
static bool isOverwritten(tensor::InsertSliceOp op, const Box &box) {
  for (auto [d, lo, hi] : llvm::enumerate(box.lo, box.hi)) {
    if (op.isDynamicOffset(d) || op.getStaticStride(d) != 1)
      return false;
    int64_t first = op.getStaticOffset(d);
    if (lo < first || hi > first + op.getStaticSize(d))
      return false;
  }
  return true;
}

BoxList Narrower::findIterations(const BlockOp &block) {
  BoxList found;
  for (auto [result, access] :
       llvm::zip_equal(block.op->getResults(), block.results)) {
    auto it = needs.find(result);
    if (it == needs.end())
      continue;
    for (const Box &box : it->second) {
      Box run = getWholeBox(block.extents);
      for (auto [d, row] : llvm::enumerate(access->rows)) {
        std::optional<unsigned> loop = row.getDim();
        if (!loop || isMadeWhole(block.op, d))
          continue;
        run.lo[*loop] = std::max(run.lo[*loop], box.lo[d]);
        run.hi[*loop] = std::min(run.hi[*loop], box.hi[d]);
      }
      if (drop)
        run = drop(block.op, std::move(run));
      addBox(found, std::move(run));
    }
  }
  uint64_t count = 0;
  for (const Box &run : found)
    count += getVolume(run).value_or(0);
  const Box whole = getWholeBox(block.extents);
  const uint64_t all = getVolume(whole).value_or(0);
  if (!found.empty() && all - std::min(all, count) < all / kLeastPart &&
      !isExact)
    return {whole};
  return found;
}

/// The part of a tensor that the region of an op on these iterations reads by
/// tensor.extract; all if it reads it in another way.
static Box getCaptured(Operation *op, Value tensor, ArrayRef<int64_t> shape,
                       const Box &iterations) {
  const Box whole = getWholeBox(shape);
  BoxList boxes;
  for (OpOperand &use : tensor.getUses()) {
    Operation *user = use.getOwner();
    if (!op->isProperAncestor(user))
      continue;
    auto extract = dyn_cast<tensor::ExtractOp>(user);
    if (!extract || !isa<linalg::LinalgOp>(op))
      return whole;
    Box box = whole;
    for (auto [d, index] : llvm::enumerate(extract.getIndices())) {
      if (auto loop = index.getDefiningOp<linalg::IndexOp>()) {
        box.lo[d] = std::max<int64_t>(iterations.lo[loop.getDim()], 0);
        box.hi[d] = std::min(iterations.hi[loop.getDim()], shape[d]);
      } else if (std::optional<int64_t> place = getConstantIntValue(index);
                 place && *place >= 0 && *place < shape[d]) {
        box.lo[d] = *place;
        box.hi[d] = *place + 1;
      }
    }
    if (box.isEmpty())
      return whole;
    boxes.push_back(std::move(box));
  }
  return boxes.empty() ? whole : *getBoundingBox(boxes);
}

/// What an op on a box of iterations reads of an operand; std::nullopt for one that
/// it does not read, or overwrites.
static std::optional<Box> getRead(const BlockOp &block, OpOperand &operand,
                                  const Box &run) {
  const unsigned o = operand.getOperandNumber();
  auto insert = dyn_cast<tensor::InsertSliceOp>(block.op);
  if (!block.operands[o] || (insert && o == 1 && isOverwritten(insert, run)))
    return std::nullopt;
  return getTouched(*block.operands[o], block.extents, run);
}

/// Whether an op of which all is made reads all there is, as most do.
static bool readsAll(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return llvm::all_of(structured.getIndexingMapsArray(), [](AffineMap map) {
      return map.isProjectedPermutation();
    });
  return OpTrait::hasElementwiseMappableTraits(op);
}

void Narrower::findNeeds(Operation *op) {
  if (isDead(op))
    return;
  if (readsAll(op) && !isFree(op) &&
      llvm::all_of(op->getResults(),
                   [&](Value value) { return isWhole(value); })) {
    iterations.erase(op);
    return needAll(op);
  }
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return findNeeds(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return findNeeds(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return findNeeds(loop);
  const BlockOp &block = getBlockOp(op);
  if (isFree(op))
    return;
  if (block.kind == BlockOpKind::Opaque)
    return needAll(op);
  BoxList runs = findIterations(block);
  for (const Box &run : runs) {
    for (OpOperand &operand : op->getOpOperands())
      if (isTracked(operand.get()))
        if (std::optional<Box> read = getRead(block, operand, run))
          need(operand.get(), *read);
    for (const auto &[value, access] : block.captured)
      need(value, getCaptured(op, value, access.shape, run));
  }
  for (auto [result, access] :
       llvm::zip_equal(op->getResults(), block.results)) {
    needs.erase(result);
    for (const Box &run : runs)
      need(result, getTouched(*access, block.extents, run));
  }
  iterations[op] = std::move(runs);
}

void Narrower::findNeeds(Block &block) {
  for (Operation &op : llvm::reverse(block.without_terminator()))
    findNeeds(&op);
}

//===----------------------------------------------------------------------===//
// Forwards
//===----------------------------------------------------------------------===//

Value Narrower::emitEmpty(OpBuilder &builder, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                 tensor.getElementType());
}

Value Narrower::get(OpBuilder &builder, Location loc, Value value,
                    const Box &box) {
  if (!isTracked(value))
    return value;
  if (box.isEmpty())
    return emitEmpty(builder, loc, getBlockType(value.getType(), box));
  auto it = made.find(value);
  if (it != made.end()) {
    for (const auto &[there, part] : it->second)
      if (contains(there, box))
        return emitSlice(builder, loc, part, shiftBox(box, there.lo));
    llvm_unreachable("what is read was needed");
  }
  Operation *op = value.getDefiningOp();
  if (op && isFree(op) && !(box == getWhole(value))) {
    IRMapping same;
    for (Value operand : op->getOperands())
      same.map(operand, operand);
    return emitFreeBlock(builder, op, box, same);
  }
  return emitSlice(builder, loc, value, box);
}

void Narrower::replaceResults(Operation *op, Operation *to) {
  replaced.push_back(op);
  unsigned next = 0;
  for (Value result : op->getResults()) {
    if (!getCarriedType(result))
      continue;
    Value own = to->getResult(next++);
    if (own.getType() == result.getType())
      result.replaceAllUsesWith(own);
    else
      made[result] = {{needs.find(result)->second.front(), own}};
  }
}

bool mlir::tensoraccess::isTensorView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::CastOp>(op);
}

void Narrower::rewriteBlockOp(Operation *op) {
  const BlockOp &block = getBlockOp(op);
  const BoxList &runs = iterations.find(op)->second;
  auto isChanged = [&](Value value) {
    return made.count(value) ||
           (isTracked(value) && !isNeeded(value) &&
            !(value.getDefiningOp() && isFree(value.getDefiningOp())));
  };
  const bool isAnyChanged =
      llvm::any_of(op->getOperands(), isChanged) ||
      llvm::any_of(block.captured, [&](const auto &captured) {
        return isChanged(captured.first);
      });
  const bool isAll = llvm::all_of(op->getResults(),
                                  [&](Value value) { return isWhole(value); });
  if (!isAnyChanged && (isAll || isTensorView(op)))
    return;
  OpBuilder builder(op);
  SmallVector<SmallVector<std::pair<Box, Value>, 1>> parts(op->getNumResults());
  for (const Box &run : runs) {
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTracked(operand.get())) {
        operands.push_back(operand.get());
        continue;
      }
      std::optional<Box> read = getRead(block, operand, run);
      // A destination that is not read has the shape of the result.
      if (!read) {
        unsigned tied =
            block.getResultOf(operand.getOperandNumber()).value_or(0);
        operands.push_back(
            emitEmpty(builder, op->getLoc(),
                      getBlockType(operand.get().getType(),
                                   getTouched(*block.results[tied],
                                              block.extents, run))));
        continue;
      }
      operands.push_back(get(builder, op->getLoc(), operand.get(), *read));
    }
    IRMapping mapping;
    // Where the parts begin that the region reads.
    SmallVector<std::pair<Value, Box>> captured;
    for (const auto &[value, access] : block.captured) {
      Box box = getCaptured(op, value, access.shape, run);
      Value part = get(builder, op->getLoc(), value, box);
      if (part != value)
        captured.emplace_back(part, box);
      mapping.map(value, part);
    }
    SmallVector<Value> results =
        emitBlock(builder, block, run, operands, mapping);
    for (const auto &[part, box] : captured)
      for (Operation *user : llvm::to_vector(part.getUsers()))
        if (auto extract = dyn_cast<tensor::ExtractOp>(user);
            extract && results[0].getDefiningOp()->isProperAncestor(user))
          for (auto [d, lo] : llvm::enumerate(box.lo)) {
            if (lo == 0)
              continue;
            builder.setInsertionPoint(extract);
            OpOperand &index = extract->getOpOperand(1 + d);
            OpFoldResult own = affine::makeComposedFoldedAffineApply(
                builder, op->getLoc(), builder.getAffineDimExpr(0) - lo,
                getAsOpFoldResult(index.get()));
            index.set(
                getValueOrCreateConstantIndexOp(builder, op->getLoc(), own));
          }
    builder.setInsertionPoint(op);
    for (auto [list, access, result] :
         llvm::zip_equal(parts, block.results, results)) {
      // A slice of all there is.
      if (auto slice = result.getDefiningOp<tensor::ExtractSliceOp>();
          slice && slice.getType() == slice.getSourceType())
        result = slice.getSource();
      list.emplace_back(getTouched(*access, block.extents, run), result);
    }
  }
  numNarrowed += !isAll;
  replaced.push_back(op);
  for (auto [result, list] : llvm::zip_equal(op->getResults(), parts)) {
    if (isWhole(result))
      result.replaceAllUsesWith(list.front().second);
    else
      made[result] = std::move(list);
  }
}

void Narrower::eraseUnneeded(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isDead(&op)) {
      OpBuilder builder(&op);
      for (Value result : op.getResults())
        if (!result.use_empty())
          result.replaceAllUsesWith(
              emitEmpty(builder, op.getLoc(), result.getType()));
      op.erase();
    } else if (isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op)) {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          eraseUnneeded(inner);
    }
  }
}

void Narrower::rewrite(Operation *op) {
  if (isFree(op))
    return;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return rewrite(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return rewrite(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return rewrite(loop);
  if (iterations.count(op))
    rewriteBlockOp(op);
}

void Narrower::rewrite(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    rewrite(&op);
}

static void eraseUnread(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (isOpTriviallyDead(&op)) {
        op.erase();
        continue;
      }
      for (Region &inner : op.getRegions())
        eraseUnread(inner);
    }
}

void Narrower::eraseReplaced(Region &region) {
  for (Operation *op : llvm::reverse(replaced)) {
    op->dropAllUses();
    op->erase();
  }
  replaced.clear();
  eraseUnread(region);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

int64_t mlir::tensoraccess::narrowFunction(func::FuncOp function, bool isExact,
                                           DropIterations drop) {
  if (!function.getBody().hasOneBlock())
    return 0;
  Block &body = function.front();
  Narrower narrower(isExact, drop);
  narrower.needAll(body.getTerminator());
  narrower.findNeeds(body);
  narrower.eraseUnneeded(body);
  narrower.rewrite(body);
  narrower.eraseReplaced(function.getBody());
  return narrower.getNumNarrowed();
}

std::optional<Box> mlir::tensoraccess::parseBox(StringRef text,
                                                std::string &error) {
  Box box;
  StringRef rest = text.trim();
  if (rest == "()")
    return box;
  auto fail = [&](const Twine &message) {
    error = message.str();
    return std::nullopt;
  };
  do {
    int64_t lo, hi;
    rest = rest.ltrim();
    if (!rest.consume_front("[") ||
        (rest = rest.ltrim()).consumeInteger(10, lo) ||
        !(rest = rest.ltrim()).consume_front(",") ||
        (rest = rest.ltrim()).consumeInteger(10, hi) ||
        !(rest = rest.ltrim()).consume_front(")"))
      return fail("expected a box like [0, 3) x [1, 5), got '" + text + "'");
    box.lo.push_back(lo);
    box.hi.push_back(hi);
    rest = rest.ltrim();
  } while (rest.consume_front("x"));
  if (!rest.empty())
    return fail("expected a box like [0, 3) x [1, 5), got '" + text + "'");
  if (std::optional<std::string> wrong = verifyBox(box))
    return fail("box " + text + ": " + *wrong);
  return box;
}

std::optional<std::string> mlir::tensoraccess::verifyBoxOf(TypeRange types,
                                                           int64_t number,
                                                           StringRef what,
                                                           const Box &box) {
  const std::string name = (what + " " + Twine(number)).str();
  const int64_t count = types.size();
  if (number < 0 || number >= count)
    return "there is no " + name + ", the function has " +
           std::to_string(count);
  std::string text;
  llvm::raw_string_ostream os(text);
  auto type = dyn_cast<RankedTensorType>(types[number]);
  if (!type || !type.hasStaticShape() || type.getEncoding()) {
    os << name << " is not a tensor with a static shape: " << types[number];
    return text;
  }
  if (type.getRank() != static_cast<int64_t>(box.lo.size())) {
    os << "box " << printBox(box) << " has rank " << box.lo.size() << ", but "
       << name << " has rank " << type.getRank() << ": " << type;
    return text;
  }
  if (box.isEmpty())
    return "box " + printBox(box) + " is empty";
  if (!contains(getWholeBox(type.getShape()), box)) {
    os << "box " << printBox(box) << " is not inside of " << name << ": "
       << type;
    return text;
  }
  return std::nullopt;
}

void mlir::tensoraccess::restrictFunction(func::FuncOp function,
                                          unsigned result, const Box &box,
                                          DropIterations drop) {
  Operation *terminator = function.front().getTerminator();
  OpBuilder builder(terminator);
  Value part = emitSlice(builder, terminator->getLoc(),
                         terminator->getOperand(result), box);
  terminator->setOperands(part);
  SmallVector<DictionaryAttr> attrs = {function.getResultAttrDict(result)};
  function.setFunctionType(builder.getFunctionType(function.getArgumentTypes(),
                                                   TypeRange(part.getType())));
  if (attrs.front())
    function.setAllResultAttrs(attrs);
  else
    function.removeResAttrsAttr();
  narrowFunction(function, /*isExact=*/true, drop);
}

bool mlir::tensoraccess::restrictMaskedFunction(func::FuncOp function,
                                                unsigned result,
                                                const Box &box) {
  IndexingCache cache;
  std::optional<FlatProgram> program = FlatProgram::get(function, cache);
  FactOptions options;
  options.assumeFinite = true;
  const ValueFacts facts(*program, cache, options);
  // Ops of loops that were unrolled are several steps.
  DenseMap<Operation *, SmallVector<unsigned, 1>> steps;
  for (auto [s, step] : llvm::enumerate(program->steps))
    steps[step.op].push_back(s);
  bool isLess = false;
  restrictFunction(function, result, box, [&](Operation *op, Box loops) {
    auto it = steps.find(op);
    if (it == steps.end() || it->second.size() != 1)
      return loops;
    Box rest = facts.dropIdleTerms(it->second.front(), loops);
    isLess |= !(rest == loops);
    return rest;
  });
  return isLess && facts.usesFinite();
}

void mlir::tensoraccess::updateFunction(func::FuncOp function,
                                        ArrayRef<std::optional<Box>> reached) {
  Operation *terminator = function.front().getTerminator();
  OpBuilder builder(terminator);
  Location loc = terminator->getLoc();
  for (auto [i, box] : llvm::enumerate(reached)) {
    Value value = terminator->getOperand(i);
    const unsigned number = function.getNumArguments();
    (void)function.insertArgument(number, value.getType(),
                                  function.getResultAttrDict(i), loc);
    Value before = function.getArgument(number);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!box) {
      terminator->setOperand(i, before);
      continue;
    }
    if (!type || !type.hasStaticShape() || type.getEncoding() ||
        *box == getWholeBox(type.getShape()))
      continue;
    SmallVector<OpFoldResult> offsets, sizes,
        strides(type.getRank(), builder.getIndexAttr(1));
    for (auto [lo, size] : llvm::zip_equal(box->lo, getBoxSizes(*box))) {
      offsets.push_back(builder.getIndexAttr(lo));
      sizes.push_back(builder.getIndexAttr(size));
    }
    terminator->setOperand(
        i, tensor::InsertSliceOp::create(builder, loc,
                                         emitSlice(builder, loc, value, *box),
                                         before, offsets, sizes, strides));
  }
  narrowFunction(function, /*isExact=*/true);
}
