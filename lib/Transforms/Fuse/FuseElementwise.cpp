//===- FuseElementwise.cpp - One loop for many elementwise ops ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named elementwise ops get a body, and a sum whose result is only transposed is
// written transposed; then three walks in program order, each of which looks at an op
// once:
//
// 1. Reads. What reads a constant of equal elements, or a fill, takes the
//    scalar. An elementwise op (all loops parallel, each element of its results
//    written once) that reads the result of a move (a body that only yields)
//    reads what was moved, through both maps; so does a sum whose terms are
//    beside each other there. A destination whose elements are not read becomes
//    an empty tensor.
// 2. Plan. Elementwise ops of one block form a group, which is to be one op at
//    the place of its last member. An op joins the groups whose results it
//    reads where
//    a. each is read at one point of the loops, g = K(c), c the op's loops:
//    then
//       nothing is computed again;
//    b. nothing else has read the groups' results before: then the members may
//       come down to here, past the ops between;
//    c. what is still read from outside afterwards is written along one map;
//    d. the limits hold, which keep loops, and with them the time that LLVM
//       takes, from growing with the program.
// 3. Each group is written out as one op, with a result for each tensor that is
//    read from outside.
// 4. A result of a few additions and products of one tensor and smaller ones, which
//    sums and other elementwise ops alone read, is computed again by these.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/Transforms/FusePasses.h"
#include "TensorAccess/Transforms/Fusion.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SparseTensor/IR/SparseTensor.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::tensoraccess {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "TensorAccess/Transforms/FusePasses.h.inc"
} // namespace mlir::tensoraccess

using namespace mlir;
using namespace mlir::tensoraccess;

/// The most scalar ops in a loop, and the most tensors that it runs along.
static constexpr unsigned kMaxOps = 128;
static constexpr unsigned kMaxTensors = 32;

/// Whether the op works on tensors without a storage format of their own.
static bool isOnTensors(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() &&
         !sparse_tensor::hasAnySparseOperandOrResult(op) &&
         isMemoryEffectFree(op);
}

/// Whether each point of the loops makes one element of each result, and no
/// other point makes it.
static bool isElementwise(linalg::GenericOp op) {
  return op.getNumParallelLoops() == op.getNumLoops() &&
         op.getNumResults() != 0 &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isPermutation();
         });
}

static bool writesAlongOneMap(linalg::GenericOp op) {
  return llvm::all_equal(
      ArrayRef(op.getIndexingMapsArray()).take_back(op.getNumDpsInits()));
}

static Operation *getYield(linalg::GenericOp op) {
  return op.getBody()->getTerminator();
}

static void setMap(linalg::GenericOp op, OpOperand &operand, AffineMap map) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] = map;
  op.setIndexingMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

/// Erases unused ops, users before the producers of their operands.
static void eraseDead(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op != root && isOpTriviallyDead(op))
      op->erase();
  });
}

//===----------------------------------------------------------------------===//
// 1. Reads
//===----------------------------------------------------------------------===//

namespace {

/// What an element of a tensor is: a scalar, or the element of `tensor` that
/// `map` takes its indices to.
struct Element {
  Value scalar;
  Value tensor;
  AffineMap map;
};

class Reads {
public:
  void simplify(Operation *root);

private:
  void simplify(linalg::GenericOp op);
  void giveEmptyInits(linalg::GenericOp op);
  void addMove(linalg::GenericOp op);
  Value getScalar(linalg::GenericOp op, OpOperand &input);

  llvm::DenseMap<Value, Element> moved;
  /// For the result of an op that writes into a destination: a tensor of the
  /// same shape that was there before.
  llvm::DenseMap<Value, Value> shapes;
};

} // namespace

/// The scalar that every element of the input is, made before the op where it
/// is a constant; null if none exists.
Value Reads::getScalar(linalg::GenericOp op, OpOperand &input) {
  Value value = input.get();
  Type type = getElementTypeOrSelf(value.getType());
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return fill.value().getType() == type ? fill.value() : Value();
  if (auto found = moved.find(value); found != moved.end())
    return found->second.scalar;
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  if (auto splat = dyn_cast<SplatElementsAttr>(constant))
    constant = splat.getSplatValue<Attribute>();
  auto scalar = dyn_cast<TypedAttr>(constant);
  if (!scalar || scalar.getType() != type ||
      !arith::ConstantOp::isBuildableWith(scalar, type))
    return {};
  OpBuilder builder(op);
  return arith::ConstantOp::create(builder, op.getLoc(), scalar);
}

/// An unused destination becomes an empty tensor of the same type.
void Reads::giveEmptyInits(linalg::GenericOp op) {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Value value = init.get();
    if (Value shape = shapes.lookup(value))
      value = shape;
    shapes[op.getTiedOpResult(&init)] = value;
    if (isReadByBody(init) || init.get().getDefiningOp<tensor::EmptyOp>())
      continue;
    OpBuilder builder(op);
    auto type = cast<RankedTensorType>(init.get().getType());
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(getValueOrCreateConstantIndexOp(
            builder, op.getLoc(),
            tensor::getMixedSize(builder, op.getLoc(), value, dim)));
    init.set(tensor::EmptyOp::create(builder, op.getLoc(), type, sizes));
  }
}

/// Notes the results that the op only moves:
/// result[R(p)] = input[I(p)], so result[i] = input[I(R⁻¹(i))].
void Reads::addMove(linalg::GenericOp op) {
  if (!llvm::hasSingleElement(*op.getBody()))
    return;
  for (auto [result, yielded] :
       llvm::zip_equal(op.getResults(), getYield(op)->getOperands())) {
    auto argument = dyn_cast<BlockArgument>(yielded);
    if (!argument || argument.getOwner() != op.getBody()) {
      moved[result] = {yielded, {}, {}};
      continue;
    }
    OpOperand *input = op.getMatchingOpOperand(argument);
    if (!op.isDpsInput(input) || !isa<RankedTensorType>(input->get().getType()))
      continue;
    AffineMap written = op.getIndexingMapMatchingResult(result);
    moved[result] = {
        {},
        input->get(),
        op.getMatchingIndexingMap(input).compose(inversePermutation(written))};
  }
}

/// Whether neighbours in the last sum are neighbours in what the map reads, which
/// does not move along the result's columns.
static bool isAlongSum(linalg::GenericOp op, AffineMap map) {
  SmallVector<unsigned> sums;
  op.getReductionDims(sums);
  AffineMap result = op.getIndexingMapsArray().back();
  auto isDim = [](AffineExpr expr, unsigned dim) {
    return expr == getAffineDimExpr(dim, expr.getContext());
  };
  return !sums.empty() && op.getNumDpsInits() == 1 &&
         map.isProjectedPermutation() && map.getNumResults() != 0 &&
         isDim(map.getResults().back(), sums.back()) &&
         result.isProjectedPermutation() && result.getNumResults() != 0 &&
         !map.isFunctionOfDim(
             cast<AffineDimExpr>(result.getResults().back()).getPosition());
}

/// Whether the operands tell the sizes of all loops where one is read by a map.
/// A broadcast dimension of size 1 that is summed over is in no other operand.
static bool isSized(linalg::GenericOp op, OpOperand &operand, AffineMap map) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand.getOperandNumber()] = map;
  return inversePermutation(concatAffineMaps(maps, op.getContext())) !=
         AffineMap();
}

void Reads::simplify(linalg::GenericOp op) {
  bool elementwise = isElementwise(op);
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    if (Value scalar = getScalar(op, *input)) {
      argument.replaceAllUsesWith(scalar);
      continue;
    }
    auto found = moved.find(input->get());
    if (found == moved.end())
      continue;
    AffineMap read = op.getMatchingIndexingMap(input),
              through = found->second.map.compose(read);
    if (!elementwise && (isAlongSum(op, read) || !isAlongSum(op, through) ||
                         !isSized(op, *input, through)))
      continue;
    setMap(op, *input, through);
    input->set(found->second.tensor);
  }
  giveEmptyInits(op);
  if (elementwise)
    addMove(op);
}

void Reads::simplify(Operation *root) {
  root->walk<WalkOrder::PreOrder>([&](linalg::GenericOp op) {
    if (isOnTensors(op))
      simplify(op);
  });
}

//===----------------------------------------------------------------------===//
// 2. Plan
//===----------------------------------------------------------------------===//

namespace {

/// An op of a group, and its loops as a map of the group's.
struct Member {
  linalg::GenericOp op;
  AffineMap loops;
};

struct Group {
  /// In the order in which they joined; the loops are those of the last.
  SmallVector<Member> members;
  /// The tensors read that no member makes.
  llvm::SmallSetVector<Value, 8> inputs;
  unsigned numOps = 0;
  /// Results with uses other than members' reads, and the map along which all
  /// of them are written.
  unsigned numLive = 0;
  AffineMap written;
  /// False as soon as anything else has read a result.
  bool open = true;
};

class Plan {
public:
  explicit Plan(Operation *root);

  std::vector<std::unique_ptr<Group>> groups;

private:
  void add(linalg::GenericOp op);
  bool join(linalg::GenericOp op, Group &other, Group &group);
  void close(Operation *op);

  llvm::DenseMap<Value, Group *> groupOf;
  /// The uses of a member's result that no member's read accounts for.
  llvm::DenseMap<Value, unsigned> usesLeft;
};

} // namespace

/// The member's point at which the element that the operand reads at a point of
/// `op` is made: p with R(p) = M(c).
static AffineMap getPoint(linalg::GenericOp op, OpOperand &operand) {
  auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
  AffineMap read = op.getMatchingIndexingMap(&operand);
  if (!read.isPermutation())
    return {};
  AffineMap written =
      producer.getIndexingMapMatchingResult(cast<OpResult>(operand.get()));
  return inversePermutation(written).compose(read);
}

/// No member comes down past the op where it reads a group's result.
void Plan::close(Operation *op) {
  for (Value operand : op->getOperands())
    if (Group *group = groupOf.lookup(operand))
      group->open = false;
}

/// Takes the members of `other` into the group whose last member is `op`, and
/// which `op` reads. False, and nothing done, where that may not be.
bool Plan::join(linalg::GenericOp op, Group &other, Group &group) {
  // a. The loops of `other` as a map of those of `op`.
  AffineMap loops;
  llvm::SmallDenseMap<Value, unsigned> reads;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (groupOf.lookup(input->get()) != &other)
      continue;
    AffineMap point = getPoint(op, *input);
    if (!point)
      return false;
    Operation *producer = input->get().getDefiningOp();
    const Member *member = llvm::find_if(
        other.members, [&](const Member &m) { return m.op == producer; });
    AffineMap map = inversePermutation(member->loops).compose(point);
    if (loops && loops != map)
      return false;
    loops = map;
    ++reads[input->get()];
  }
  // c.
  unsigned live = other.numLive;
  for (auto [value, count] : reads)
    live -= usesLeft.lookup(value) == count;
  if (live != 0 && other.written.compose(loops) != group.written)
    return false;
  // d.
  unsigned tensors = group.inputs.size() + group.numLive + live +
                     op.getNumDpsInputs() + op.getNumDpsInits();
  for (Value input : other.inputs)
    tensors += !group.inputs.contains(input);
  if (group.numOps + other.numOps > kMaxOps || tensors > kMaxTensors)
    return false;
  for (auto [value, count] : reads)
    usesLeft[value] -= count;
  for (Member &member : other.members) {
    group.members.push_back({member.op, member.loops.compose(loops)});
    for (Value result : member.op.getResults())
      groupOf[result] = &group;
  }
  other.members.clear();
  group.inputs.insert_range(other.inputs);
  group.numOps += other.numOps;
  group.numLive += live;
  return true;
}

void Plan::add(linalg::GenericOp op) {
  // What the body and the destinations read was made before the loops began.
  for (Operation &scalar : *op.getBody())
    scalar.walk([&](Operation *nested) { close(nested); });
  for (Value init : op.getDpsInits())
    if (Group *group = groupOf.lookup(init))
      group->open = false;

  auto &group = *groups.emplace_back(std::make_unique<Group>());
  group.written = op.getIndexingMapsArray().back();
  group.numOps = op.getBody()->getOperations().size() - 1;
  for (Value input : op.getDpsInputs()) {
    Group *other = groupOf.lookup(input);
    if (other && other != &group)
      // b.
      other->open = other->open &&
                    other->members.back().op->getBlock() == op->getBlock() &&
                    join(op, *other, group);
  }
  for (OpOperand &operand : op->getOpOperands())
    if (groupOf.lookup(operand.get()) != &group && isReadByBody(operand))
      group.inputs.insert(operand.get());
  group.members.push_back({op, AffineMap::getMultiDimIdentityMap(
                                   op.getNumLoops(), op.getContext())});
  for (Value result : op.getResults()) {
    groupOf[result] = &group;
    usesLeft[result] = result.getNumUses();
    group.numLive += !result.use_empty();
  }
}

Plan::Plan(Operation *root) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (generic && isOnTensors(generic) && isElementwise(generic) &&
        writesAlongOneMap(generic))
      add(generic);
    else
      close(op);
  });
}

//===----------------------------------------------------------------------===//
// 3. Writing
//===----------------------------------------------------------------------===//

/// Makes the loops that `linalg.index` names those of the group.
static void renumber(Operation *op, AffineMap loops) {
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    if (isa<linalg::LinalgOp>(nested))
      return WalkResult::skip();
    if (auto index = dyn_cast<linalg::IndexOp>(nested))
      index.setDim(loops.getDimPosition(index.getDim()));
    return WalkResult::advance();
  });
}

/// Writes the group as one op at the place of its last member.
static void write(ArrayRef<Member> members) {
  llvm::SmallPtrSet<Operation *, 16> made;
  for (const Member &member : members)
    made.insert(member.op);
  auto isLive = [&](Value result) {
    return llvm::any_of(result.getUsers(),
                        [&](Operation *user) { return !made.contains(user); });
  };

  // Operands, and whose arguments they are.
  SmallVector<Value> inputs, inits, results;
  SmallVector<BlockArgument> arguments, initArguments;
  SmallVector<AffineMap> maps, initMaps;
  for (auto [op, loops] : members)
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand).compose(loops);
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (op.isDpsInit(&operand) && isLive(op.getTiedOpResult(&operand))) {
        results.push_back(op.getTiedOpResult(&operand));
        inits.push_back(operand.get());
        initMaps.push_back(map);
        initArguments.push_back(argument);
      } else if (!argument.use_empty() &&
                 !made.contains(operand.get().getDefiningOp())) {
        inputs.push_back(operand.get());
        maps.push_back(map);
        arguments.push_back(argument);
      }
    }
  maps.append(initMaps);
  arguments.append(initArguments);

  linalg::GenericOp last = members.back().op;
  OpBuilder builder(last);
  auto fused = linalg::GenericOp::create(
      builder, last.getLoc(), ValueRange(results).getTypes(), inputs, inits,
      maps, last.getIteratorTypesArray(),
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        IRMapping mapping;
        mapping.map(arguments, values);
        for (auto [op, loops] : members) {
          for (OpOperand *input : op.getDpsInputOperands())
            if (made.contains(input->get().getDefiningOp()))
              mapping.map(op.getMatchingBlockArgument(input),
                          mapping.lookup(input->get()));
          for (Operation &scalar : op.getBody()->without_terminator())
            renumber(builder.clone(scalar, mapping), loops);
          for (auto [result, yielded] :
               llvm::zip_equal(op.getResults(), getYield(op)->getOperands()))
            mapping.map(result, mapping.lookupOrDefault(yielded));
        }
        SmallVector<Value> yielded;
        for (Value result : results)
          yielded.push_back(mapping.lookup(result));
        linalg::YieldOp::create(builder, loc, yielded);
      });
  for (auto [result, replacement] :
       llvm::zip_equal(results, fused.getResults()))
    result.replaceAllUsesWith(replacement);
  for (Member member : llvm::reverse(members))
    member.op.erase();
  eraseDead(fused);
}

//===----------------------------------------------------------------------===//
// 4. Computing again
//===----------------------------------------------------------------------===//

/// Whether what makes a result takes no longer than reading it from memory.
static bool isCheap(linalg::GenericOp op, OpResult result) {
  constexpr unsigned kMostValues = 6;
  if (!isOnTensors(op) || !isElementwise(op) || !writesAlongOneMap(op) ||
      llvm::any_of(op.getDpsInitsMutable(), isReadByBody))
    return false;
  const AffineMap out = op.getIndexingMapsArray().back();
  llvm::SetVector<Value> needed;
  needed.insert(getYield(op)->getOperand(result.getResultNumber()));
  Value whole;
  for (unsigned i = 0; i < needed.size(); ++i) {
    Value value = needed[i];
    if (value.getParentBlock() != op.getBody())
      continue;
    if (Operation *made = value.getDefiningOp()) {
      if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
               arith::ExtFOp, math::AbsFOp>(made) ||
          needed.size() > kMostValues)
        return false;
      needed.insert(made->operand_begin(), made->operand_end());
      continue;
    }
    OpOperand *input = op.getMatchingOpOperand(cast<BlockArgument>(value));
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map == out && (!whole || whole == input->get()))
      whole = input->get();
    else if (map == out || getUnusedDimsBitVector(map).none())
      return false;
  }
  return whole && needed.size() > 1;
}

/// Whether the op adds up the elements of its only input.
static bool isSum(linalg::GenericOp op) {
  SmallVector<Operation *> steps;
  return op.getNumReductionLoops() != 0 && op.getNumDpsInputs() == 1 &&
         op.getNumDpsInits() == 1 &&
         matchReduction(op.getRegionOutputArgs(), 0, steps) ==
             op.getRegionInputArgs().front() &&
         steps.size() == 1 && isa<arith::AddFOp>(steps.front());
}

/// Has what reads the result compute it, if that is a sum or the op has others.
static bool computeAgain(linalg::GenericOp op, OpResult result) {
  if (!isCheap(op, result))
    return false;
  // Users, and the op's loops as a map of theirs.
  llvm::MapVector<linalg::GenericOp, AffineMap> users;
  bool isWorth = op.getNumResults() > 1;
  for (OpOperand &use : result.getUses()) {
    auto user = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!user || !isOnTensors(user) || user->getBlock() != op->getBlock() ||
        !user.isDpsInput(&use) ||
        (!isSum(user) && !(isElementwise(user) && writesAlongOneMap(user))))
      return false;
    AffineMap point = getPoint(user, use);
    if (!point || users.insert({user, point}).first->second != point)
      return false;
    isWorth |= isSum(user);
  }
  if (!isWorth)
    return false;
  for (auto [user, loops] : users) {
    OpBuilder b(user);
    auto again = cast<linalg::GenericOp>(b.clone(*op));
    // A product is rounded before it is added, as it was: one with a flag, which
    // concerns divisions alone, is not fused (ProductStep::isFused).
    if (isSum(user))
      again.getBody()->walk([](arith::MulFOp product) {
        product.setFastmath(product.getFastmath() | arith::FastMathFlags::arcp);
      });
    user->replaceUsesOfWith(result, again.getResult(result.getResultNumber()));
    write(
        {{again, loops}, {user, b.getMultiDimIdentityMap(user.getNumLoops())}});
  }
  return !users.empty();
}

/// Gives elementwise ops that have a name a body.
static void generalize(Operation *root) {
  SmallVector<linalg::LinalgOp> named;
  root->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp, linalg::CopyOp>(op) &&
        op.hasPureTensorSemantics() &&
        (linalg::isElementwise(op) || isa<linalg::BroadcastOp>(op)))
      named.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

/// Whether an input of a sum is read by columns where its result is `out`: it does
/// not move along the last loop of that, or by neighbours, or as a panel that
/// serves the rows of another loop.
static bool isReadByColumns(linalg::GenericOp sum, AffineMap map,
                            AffineMap out) {
  auto column = dyn_cast<AffineDimExpr>(out.getResults().back());
  if (!column)
    return false;
  if (!map.isFunctionOfDim(column.getPosition()) ||
      map.getResults().back() == column)
    return true;
  SmallVector<unsigned> loops;
  sum.getParallelDims(loops);
  return llvm::any_of(
      loops, [&](unsigned loop) { return !map.isFunctionOfDim(loop); });
}

/// Has a sum that is read by a transposition alone write its result so, where that
/// has no fewer columns than registers want, which its inputs are read by.
static void writeTransposed(linalg::GenericOp move) {
  constexpr int64_t kColumns = 64;
  if (!isOnTensors(move) || !isElementwise(move) ||
      move.getNumDpsInputs() != 1 || move.getNumResults() != 1 ||
      !llvm::hasSingleElement(*move.getBody()) ||
      getYield(move)->getOperand(0) != move.getBody()->getArgument(0))
    return;
  auto sum = move.getInputs()[0].getDefiningOp<linalg::GenericOp>();
  AffineMap read = move.getIndexingMapsArray().front();
  if (!sum || !isOnTensors(sum) || sum.getNumReductionLoops() == 0 ||
      sum.getNumResults() != 1 || !sum->hasOneUse() ||
      sum->getBlock() != move->getBlock() || !read.isPermutation())
    return;
  auto fill = sum.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  auto from = cast<RankedTensorType>(sum.getResult(0).getType()),
       to = cast<RankedTensorType>(move.getResult(0).getType());
  if (!fill || !to.hasStaticShape() || to.getRank() == 0 ||
      to.getShape().back() < std::min(kColumns, from.getShape().back()))
    return;
  SmallVector<AffineMap> maps = sum.getIndexingMapsArray();
  maps.back() = move.getIndexingMapsArray()
                    .back()
                    .compose(inversePermutation(read))
                    .compose(maps.back());
  if (!llvm::all_of(sum.getDpsInputOperands(), [&](OpOperand *input) {
        return isReadByColumns(sum, sum.getMatchingIndexingMap(input),
                               maps.back());
      }))
    return;
  OpBuilder b(sum);
  Value empty = tensor::EmptyOp::create(b, fill.getLoc(), to.getShape(),
                                        to.getElementType());
  Value init =
      linalg::FillOp::create(b, fill.getLoc(), fill.value(), empty).result();
  auto made =
      linalg::GenericOp::create(b, sum.getLoc(), to, sum.getInputs(), init,
                                maps, sum.getIteratorTypesArray());
  made->setDiscardableAttrs(sum->getDiscardableAttrDictionary());
  made.getRegion().takeBody(sum.getRegion());
  move.getResult(0).replaceAllUsesWith(made.getResult(0));
  move.erase();
  sum.erase();
}

unsigned mlir::tensoraccess::fuseElementwise(Operation *root) {
  generalize(root);
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (isElementwise(op))
      ops.push_back(op);
  });
  for (linalg::GenericOp op : ops)
    writeTransposed(op);
  Reads().simplify(root);
  eraseDead(root);
  Plan plan(root);
  unsigned fused = 0;
  for (auto &group : plan.groups) {
    if (group->members.size() < 2)
      continue;
    llvm::sort(group->members, [](const Member &lhs, const Member &rhs) {
      return lhs.op->isBeforeInBlock(rhs.op);
    });
    write(group->members);
    fused += group->members.size() - 1;
  }
  ops.clear();
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  // Readers before what they read, which may be all that they compute.
  for (linalg::GenericOp op : llvm::reverse(ops))
    for (OpResult result : op->getResults())
      fused += computeAgain(op, result);
  // Operands that occurred twice, or are no longer read.
  RewritePatternSet patterns(root->getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  walkAndApplyPatterns(root, std::move(patterns));
  eraseDead(root);
  return fused;
}

namespace {
struct FuseElementwisePass
    : public tensoraccess::impl::FuseElementwiseBase<FuseElementwisePass> {
  void runOnOperation() override { fused += fuseElementwise(getOperation()); }
};
} // namespace
