//===- ShardTest.cpp - Programs of ranks against the whole program --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law: whatever ops a program has, whatever the grid is and however its ops,
// arguments and results are cut (parts of unequal sizes, empty parts,
// reductions, axes that cut nothing), the ranks together compute what one
// computes: the same bits, as elements are integers. What they send is what
// sharding says.
//
//===----------------------------------------------------------------------===//

#include "../Interpreter/Run.h"
#include "TensorAccess/IR/Exchange.h"
#include "TensorAccess/Interpreter/Interpreter.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Sharding/Sharding.h"

#include "mlir/IR/Verifier.h"

#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

using Kind = utils::IteratorType;

/// A random program on tensors of i32, cut at random.
class ProgramMaker {
public:
  ProgramMaker(MLIRContext *context, unsigned seed)
      : b(context), random(seed) {}

  OwningOpRef<ModuleOp> make(int numOps) {
    Location loc = b.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    b.setInsertionPointToEnd(module->getBody());
    grid = makeGrid();
    SmallVector<Type> types;
    for (int i = pick(1, 2); i >= 0; --i)
      types.push_back(makeType(makeShape()));
    function =
        func::FuncOp::create(b, loc, "main", b.getFunctionType(types, {}));
    function->setAttr(kGridName, b.getStringAttr(grid.str()));
    b.setInsertionPointToStart(function.addEntryBlock());
    for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
      values.push_back(argument);
      if (pick(0, 3) != 0)
        function.setArgAttr(i, kDistributionName,
                            b.getStringAttr(pick(0, 2)
                                                ? makeCut(getRank(argument))
                                                : kNeededText.str()));
    }
    while (numOps > 0)
      if (Value value = makeOp()) {
        values.push_back(value);
        --numOps;
      }
    SmallVector<Value> results = {values.back(), choose()};
    func::ReturnOp::create(b, loc, results);
    function.setFunctionType(
        b.getFunctionType(types, ValueRange(results).getTypes()));
    for (auto [i, value] : llvm::enumerate(results))
      if (pick(0, 1))
        function.setResultAttr(i, kDistributionName,
                               b.getStringAttr(makeCut(getRank(value))));
    return module;
  }

private:
  int64_t pick(int64_t lo, int64_t hi) {
    return lo + static_cast<int64_t>(random() % (hi - lo + 1));
  }
  Value choose() { return values[pick(0, values.size() - 1)]; }
  static int64_t getRank(Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  }
  static ArrayRef<int64_t> getShape(Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  }
  RankedTensorType makeType(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getI32Type());
  }
  SmallVector<int64_t> makeShape() {
    SmallVector<int64_t> shape;
    for (int64_t d = pick(1, 3); d > 0; --d)
      shape.push_back(pick(1, 7));
    return shape;
  }
  Grid makeGrid() {
    static const char *const texts[] = {"a=1", "a=2",     "a=3",
                                        "a=4", "a=2,b=2", "a=2,b=3"};
    ParseError error;
    return *Grid::parse(texts[pick(0, 5)], error);
  }
  /// Each axis at random in a dimension, or in none.
  std::string makeCut(int64_t dims) {
    Distribution cut = Distribution::replicated(dims);
    for (unsigned axis = 0; axis < grid.axes.size(); ++axis) {
      int64_t dim = pick(-1, dims - 1);
      if (dim >= 0)
        cut.dims[dim].insert(
            cut.dims[dim].begin() + pick(0, cut.dims[dim].size()), axis);
    }
    return cut.str(grid);
  }
  /// Says how the op is cut, and perhaps where results are summed.
  Value cutOp(Operation *op, int64_t loops) {
    if (int64_t how = pick(0, 5); how == 0)
      op->setAttr(kCutName, b.getStringAttr(kNeededText));
    else if (how > 1)
      op->setAttr(kCutName, b.getStringAttr(makeCut(loops)));
    if (pick(0, 3) == 0)
      op->setAttr(kReducedName,
                  b.getStringAttr(makeCut(getRank(op->getResult(0)))));
    return op->getResult(0);
  }
  Value makeEmpty(ArrayRef<int64_t> shape) {
    return tensor::EmptyOp::create(b, b.getUnknownLoc(), shape, b.getI32Type());
  }
  Value makeFilled(ArrayRef<int64_t> shape, int32_t value) {
    Value scalar = arith::ConstantOp::create(b, b.getUnknownLoc(),
                                             b.getI32IntegerAttr(value));
    return linalg::FillOp::create(b, b.getUnknownLoc(), scalar,
                                  makeEmpty(shape))
        .getResult(0);
  }
  SmallVector<OpFoldResult> fold(ArrayRef<int64_t> ints) {
    return getAsIndexOpFoldResult(b.getContext(), ints);
  }

  Value makeOp() {
    switch (pick(0, 11)) {
    case 0:
      return makeSum();
    case 1:
      return makeReduction();
    case 2:
      return makeWindows();
    case 3:
      return makeMatmul();
    case 4:
      return makePad();
    case 5:
      return makeCollapse();
    case 6:
      return makeExpand();
    case 7:
      return makeExtract();
    case 8:
      return makeInsert();
    case 9:
      return makeConcat();
    case 10:
      return makeIndices();
    default:
      return makeConstant();
    }
  }

  /// x + x transposed, where that has the shape; with an op or by arith.
  Value makeSum() {
    Value a = choose(), c = choose();
    if (getShape(a) != getShape(c))
      c = a;
    Location loc = b.getUnknownLoc();
    if (pick(0, 1)) {
      Operation *op = arith::AddIOp::create(b, loc, a, c);
      return cutOp(op, getRank(a));
    }
    // Loops are a permutation of the dimensions.
    SmallVector<unsigned> order(getRank(a));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    SmallVector<AffineExpr> turned, first;
    SmallVector<int64_t> shape(getRank(a));
    for (auto [d, loop] : llvm::enumerate(order)) {
      turned.push_back(b.getAffineDimExpr(loop));
      shape[loop] = getShape(a)[d];
    }
    AffineMap map = AffineMap::get(getRank(a), 0, turned, b.getContext());
    AffineMap out = b.getMultiDimIdentityMap(getRank(a));
    auto op = linalg::GenericOp::create(
        b, loc, makeType(shape), ValueRange{a, c}, makeEmpty(shape),
        ArrayRef{map, map, out}, SmallVector<Kind>(getRank(a), Kind::parallel),
        [](OpBuilder &body, Location at, ValueRange args) {
          Value sum = arith::AddIOp::create(body, at, args[0], args[1]);
          linalg::YieldOp::create(body, at, sum);
        });
    return cutOp(op, getRank(a));
  }

  /// Over some dimensions: the sum from some init, or the greatest.
  Value makeReduction() {
    Value a = choose();
    SmallVector<AffineExpr> kept;
    SmallVector<int64_t> shape;
    SmallVector<Kind> kinds(getRank(a), Kind::reduction);
    for (int64_t d = 0; d < getRank(a); ++d)
      if (pick(0, 1)) {
        kinds[d] = Kind::parallel;
        kept.push_back(b.getAffineDimExpr(d));
        shape.push_back(getShape(a)[d]);
      }
    bool isSum = pick(0, 1);
    AffineMap out = AffineMap::get(getRank(a), 0, kept, b.getContext());
    auto op = linalg::GenericOp::create(
        b, b.getUnknownLoc(), makeType(shape), a, makeFilled(shape, -3),
        ArrayRef{b.getMultiDimIdentityMap(getRank(a)), out}, kinds,
        [&](OpBuilder &body, Location at, ValueRange args) {
          Value sum;
          if (isSum)
            sum = arith::AddIOp::create(body, at, args[1], args[0]);
          else
            sum = arith::MaxSIOp::create(body, at, args[0], args[1]);
          linalg::YieldOp::create(body, at, sum);
        });
    return cutOp(op, getRank(a));
  }

  /// A convolution along the last dimension with a kernel of its own: stride,
  /// dilation, backwards now and then.
  Value makeWindows() {
    Value a = choose();
    if (getRank(a) == 0)
      return {};
    int64_t size = getShape(a).back();
    int64_t kernel = pick(1, 3), stride = pick(1, 2), step = pick(1, 2);
    if (size < (kernel - 1) * step + 1)
      return {};
    int64_t count = (size - (kernel - 1) * step - 1) / stride + 1;
    bool isBackward = pick(0, 3) == 0;
    int64_t rank = getRank(a);
    SmallVector<AffineExpr> image, out;
    SmallVector<int64_t> shape;
    for (int64_t d = 0; d < rank; ++d) {
      out.push_back(b.getAffineDimExpr(d));
      image.push_back(out.back());
      shape.push_back(d + 1 < rank ? getShape(a)[d] : count);
    }
    AffineExpr k = b.getAffineDimExpr(rank);
    image.back() = image.back() * stride + k * step;
    if (isBackward)
      image.back() =
          b.getAffineConstantExpr((count - 1) * stride + (kernel - 1) * step) -
          image.back();
    MLIRContext *context = b.getContext();
    SmallVector<int32_t> weights;
    for (int64_t i = 0; i < kernel; ++i)
      weights.push_back(pick(-3, 3));
    Value filter = arith::ConstantOp::create(
        b, b.getUnknownLoc(),
        DenseElementsAttr::get(makeType({kernel}), ArrayRef(weights)));
    SmallVector<Kind> kinds(rank, Kind::parallel);
    kinds.push_back(Kind::reduction);
    auto op = linalg::GenericOp::create(
        b, b.getUnknownLoc(), makeType(shape), ValueRange{a, filter},
        makeFilled(shape, 1),
        ArrayRef{AffineMap::get(rank + 1, 0, image, context),
                 AffineMap::get(rank + 1, 0, k, context),
                 AffineMap::get(rank + 1, 0, out, context)},
        kinds, [&](OpBuilder &body, Location at, ValueRange args) {
          Value product = arith::MulIOp::create(body, at, args[0], args[1]);
          Value sum = arith::AddIOp::create(body, at, product, args[2]);
          linalg::YieldOp::create(body, at, sum);
        });
    return cutOp(op, rank + 1);
  }

  Value makeMatmul() {
    Value a = choose(), c = choose();
    if (getRank(a) != 2 || getRank(c) != 2 || getShape(a)[1] != getShape(c)[0])
      return {};
    SmallVector<int64_t> shape = {getShape(a)[0], getShape(c)[1]};
    return cutOp(linalg::MatmulOp::create(b, b.getUnknownLoc(),
                                          ValueRange{a, c},
                                          makeFilled(shape, 0)),
                 3);
  }

  Value makePad() {
    Value a = choose();
    SmallVector<int64_t> low, high;
    for (int64_t d = 0; d < getRank(a); ++d) {
      low.push_back(pick(0, 2));
      high.push_back(pick(0, 2));
    }
    if (getRank(a) == 0)
      return {};
    Value value =
        arith::ConstantOp::create(b, b.getUnknownLoc(), b.getI32IntegerAttr(9));
    auto pad = tensor::PadOp::create(b, b.getUnknownLoc(), Type(), a, low, high,
                                     ValueRange(), ValueRange());
    SmallVector<Type> types(getRank(a), b.getIndexType());
    SmallVector<Location> locations(getRank(a), b.getUnknownLoc());
    OpBuilder::InsertionGuard guard(b);
    Block *body = b.createBlock(&pad.getRegion(), {}, types, locations);
    // Now and then a border that depends on where it is.
    if (pick(0, 2) == 0)
      value = arith::IndexCastOp::create(b, b.getUnknownLoc(), b.getI32Type(),
                                         body->getArgument(0));
    tensor::YieldOp::create(b, b.getUnknownLoc(), value);
    return cutOp(pad, getRank(a));
  }

  Value makeCollapse() {
    Value a = choose();
    if (getRank(a) < 2)
      return {};
    int64_t first = pick(0, getRank(a) - 2);
    SmallVector<ReassociationIndices> groups;
    for (int64_t d = 0; d < getRank(a); ++d) {
      if (d == first + 1)
        groups.back().push_back(d);
      else
        groups.push_back({d});
    }
    return cutOp(
        tensor::CollapseShapeOp::create(b, b.getUnknownLoc(), a, groups),
        getRank(a) - 1);
  }

  Value makeExpand() {
    Value a = choose();
    if (getRank(a) == 0 || getRank(a) > 3)
      return {};
    int64_t split = pick(0, getRank(a) - 1);
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    for (int64_t d = 0; d < getRank(a); ++d) {
      int64_t size = getShape(a)[d];
      ReassociationIndices &group = groups.emplace_back();
      if (d == split) {
        SmallVector<int64_t> divisors;
        for (int64_t i = 1; i <= size; ++i)
          if (size % i == 0)
            divisors.push_back(i);
        int64_t outer = divisors[pick(0, divisors.size() - 1)];
        group.push_back(shape.size());
        shape.push_back(outer);
        size /= outer;
      }
      group.push_back(shape.size());
      shape.push_back(size);
    }
    return cutOp(tensor::ExpandShapeOp::create(b, b.getUnknownLoc(),
                                               makeType(shape), a, groups),
                 shape.size());
  }

  Value makeExtract() {
    Value a = choose();
    SmallVector<int64_t> offsets, sizes, strides, kept;
    for (int64_t size : getShape(a)) {
      offsets.push_back(pick(0, size - 1));
      strides.push_back(pick(1, 2));
      sizes.push_back(
          pick(1, (size - offsets.back() - 1) / strides.back() + 1));
      if (sizes.back() != 1 || pick(0, 1))
        kept.push_back(sizes.back());
    }
    return cutOp(tensor::ExtractSliceOp::create(
                     b, b.getUnknownLoc(), makeType(kept), a, fold(offsets),
                     fold(sizes), fold(strides)),
                 kept.size());
  }

  Value makeInsert() {
    Value a = choose(), into = choose();
    if (getRank(a) != getRank(into))
      return {};
    SmallVector<int64_t> offsets, strides;
    for (auto [size, room] : llvm::zip(getShape(a), getShape(into))) {
      strides.push_back(pick(1, 2));
      int64_t span = (size - 1) * strides.back() + 1;
      if (span > room)
        return {};
      offsets.push_back(pick(0, room - span));
    }
    return cutOp(tensor::InsertSliceOp::create(b, b.getUnknownLoc(), a, into,
                                               fold(offsets), fold(getShape(a)),
                                               fold(strides)),
                 getRank(into));
  }

  Value makeConcat() {
    Value a = choose(), c = choose();
    if (getRank(a) == 0 || getShape(a) != getShape(c))
      return {};
    return cutOp(tensor::ConcatOp::create(b, b.getUnknownLoc(),
                                          pick(0, getRank(a) - 1),
                                          ValueRange{a, c, a}),
                 getRank(a));
  }

  /// Each element by its index, of a tensor that is read as a whole.
  Value makeIndices() {
    Value a = choose(), other = choose();
    int64_t rank = getRank(a);
    if (rank == 0)
      return {};
    AffineMap map = b.getMultiDimIdentityMap(rank);
    auto op = linalg::GenericOp::create(
        b, b.getUnknownLoc(), a.getType(), a, makeEmpty(getShape(a)),
        ArrayRef{map, map}, SmallVector<Kind>(rank, Kind::parallel),
        [&](OpBuilder &body, Location at, ValueRange args) {
          Value index = linalg::IndexOp::create(body, at, rank - 1);
          Value place =
              arith::IndexCastOp::create(body, at, body.getI32Type(), index);
          Value zero = arith::ConstantIndexOp::create(body, at, 0);
          Value element = tensor::ExtractOp::create(
              body, at, other, SmallVector<Value>(getRank(other), zero));
          Value sum = arith::AddIOp::create(body, at, args[0], place);
          sum = arith::AddIOp::create(body, at, sum, element);
          linalg::YieldOp::create(body, at, sum);
        });
    return cutOp(op, rank);
  }

  Value makeConstant() {
    SmallVector<int64_t> shape = makeShape();
    SmallVector<int32_t> elements;
    for (int64_t i = *elementCount(shape); i > 0; --i)
      elements.push_back(pick(-9, 9));
    return arith::ConstantOp::create(
        b, b.getUnknownLoc(),
        DenseElementsAttr::get(makeType(shape), ArrayRef(elements)));
  }

  OpBuilder b;
  std::mt19937_64 random;
  Grid grid;
  func::FuncOp function;
  SmallVector<Value> values;
};

class ShardTest : public RunTest {
protected:
  ShardTest() {
    DialectRegistry registry;
    registerIndexingModels(registry);
    context.appendDialectRegistry(registry);
  }

  /// Cuts @main of the module, runs it on inputs of this seed both ways, and
  /// compares bits, or numbers up to a share of the largest. Returns bytes
  /// sent; -1 where something is wrong.
  int64_t check(ModuleOp whole, uint64_t seed, double tolerance = 0) {
    messages.clear();
    std::string text;
    llvm::raw_string_ostream(text) << whole;
    EXPECT_TRUE(succeeded(verify(whole))) << messages << text;
    auto main = whole.lookupSymbol<func::FuncOp>("main");
    FailureOr<SmallVector<Tensor>> inputs = randomInputs(main, seed);
    FailureOr<SmallVector<Tensor>> wanted = interpret(main, *inputs);
    EXPECT_TRUE(succeeded(wanted)) << messages << text;
    FailureOr<ShardReport> report = shardFunction(main);
    EXPECT_TRUE(succeeded(report)) << messages << text;
    if (failed(wanted) || failed(report))
      return -1;
    EXPECT_TRUE(succeeded(verify(whole))) << messages << text << whole;
    RankRunReport sent;
    FailureOr<SmallVector<Tensor>> got =
        interpretSharded(whole, "main", *inputs, {}, &sent);
    EXPECT_TRUE(succeeded(got)) << messages << text << whole;
    if (failed(got))
      return -1;
    int64_t bytes = 0, counted = 0;
    for (auto [rank, count] : llvm::enumerate(sent.bytesSent)) {
      bytes += count;
      FailureOr<FunctionOpInterface> program = findProgram(whole, "main", rank);
      counted += countSentBytes(*program, rank).value_or(-1);
    }
    EXPECT_EQ(bytes, counted);
    for (auto [a, b] : llvm::zip_equal(*wanted, *got)) {
      llvm::Expected<Comparison> same = compare(a, b);
      if (!same) {
        ADD_FAILURE() << llvm::toString(same.takeError()) << text << whole;
        return -1;
      }
      double scale = 0;
      if (tolerance != 0) {
        Tensor flat = llvm::cantFail(a.reshape({a.getNumElements()}));
        for (int64_t i = 0; i < flat.getDim(0); ++i)
          scale = std::max(scale, std::abs(flat.getDouble({i})));
      }
      bool isSame = tolerance == 0 ? same->allBitEqual()
                                   : same->maxAbs <= tolerance * scale &&
                                         same->nanMismatches == 0;
      EXPECT_TRUE(isSame) << "differ by " << same->maxAbs << ", "
                          << same->nanMismatches << " NaN\n"
                          << (text.size() < 10000 ? text : std::string());
      if (!isSame)
        return -1;
    }
    int64_t elements = report->elements;
    EXPECT_TRUE(elements == 0 ? bytes == 0 : bytes % elements == 0);
    return bytes;
  }
};

TEST_F(ShardTest, RandomProgramsComputeTheSame) {
  int64_t bytes = 0;
  const char *from = std::getenv("TENSORACCESS_SHARD_SEED");
  unsigned first = from ? std::atoi(from) : 0, last = from ? first + 1 : 300;
  for (unsigned seed = first; seed < last && !HasFailure(); ++seed) {
    OwningOpRef<ModuleOp> whole =
        ProgramMaker(&context, seed).make(1 + seed % 6);
    int64_t sent = check(*whole, seed);
    if (sent < 0)
      ADD_FAILURE() << "seed " << seed;
    bytes += sent;
  }
  // A law on programs that send nothing would say little.
  if (!from)
    EXPECT_GT(bytes, 30000);
}

/// Cuts each op of a function along axes at random: loops that are no
/// reductions only, or any.
static void cutAtRandom(func::FuncOp function, const Grid &grid, unsigned seed,
                        bool cutsReductions) {
  std::mt19937_64 random(seed);
  Builder b(function.getContext());
  function->setAttr(kGridName, b.getStringAttr(grid.str()));
  auto makeCut = [&](ArrayRef<int64_t> dims, size_t count) {
    Distribution cut = Distribution::replicated(count);
    for (unsigned axis = 0; axis < grid.axes.size(); ++axis)
      if (!dims.empty() && random() % 8 != 0)
        cut.dims[dims[random() % dims.size()]].push_back(axis);
    return b.getStringAttr(cut.str(grid));
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (auto type =
            dyn_cast<RankedTensorType>(function.getArgumentTypes()[i])) {
      auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
      function.setArgAttr(i, kDistributionName, makeCut(dims, type.getRank()));
    }
  for (Operation &op : function.front().without_terminator()) {
    SmallVector<int64_t> dims;
    size_t count = 0;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      count = linalgOp.getNumLoops();
      for (auto [d, kind] : llvm::enumerate(linalgOp.getIteratorTypesArray()))
        if (cutsReductions || kind == Kind::parallel)
          dims.push_back(d);
    } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                   tensor::PadOp>(op)) {
      count = cast<RankedTensorType>(op.getResult(0).getType()).getRank();
      dims = llvm::to_vector(llvm::seq<int64_t>(0, count));
    }
    if (count)
      op.setAttr(kCutName, makeCut(dims, count));
  }
}

TEST_F(ShardTest, AttentionComputesTheSame) {
  ParseError error;
  for (const char *text : {"a=2,b=2", "a=3"})
    for (bool cutsReductions : {false, true})
      for (unsigned seed = 0; seed < 2 && !HasFailure(); ++seed) {
        module = parseSourceFile<ModuleOp>(
            TENSORACCESS_MODELS "/attention.linalg.mlir", &context);
        ASSERT_TRUE(module) << messages;
        Grid grid = *Grid::parse(text, error);
        cutAtRandom(module->lookupSymbol<func::FuncOp>("main"), grid, seed,
                    cutsReductions);
        EXPECT_GT(check(*module, seed, cutsReductions ? 1e-5 : 0), 0)
            << text << " seed " << seed << ", reductions " << cutsReductions;
      }
}

/// Sums over windows of 9 on 12 numbers: with shards of 2, a rank needs what two
/// neighbours on each side have; with shards of 1 or none, what four have.
TEST_F(ShardTest, HalosWiderThanShards) {
  for (int64_t ranks : {1, 2, 5, 6, 12, 13, 30}) {
    std::string text = R"(
      func.func @main(%x: tensor<12xi32> {tensoraccess.distribution = "{d0: r}"})
          -> tensor<12xi32> attributes {tensoraccess.grid = "r=)" +
                       std::to_string(ranks) + R"("} {
        %zero = arith.constant 0 : i32
        %p = tensor.pad %x low[4] high[4] {
        ^bb0(%i: index):
          tensor.yield %zero : i32
        } {tensoraccess.cut = "needed"} : tensor<12xi32> to tensor<20xi32>
        %w = tensor.empty() : tensor<9xi32>
        %e = tensor.empty() : tensor<12xi32>
        %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12xi32>) -> tensor<12xi32>
        %0 = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>,
                             affine_map<(i, j) -> (i)>],
            iterator_types = ["parallel", "reduction"]}
            ins(%p, %w : tensor<20xi32>, tensor<9xi32>) outs(%f : tensor<12xi32>)
            attrs = {tensoraccess.cut = "{d0: r}"} {
        ^bb0(%a: i32, %b: i32, %c: i32):
          %s = arith.addi %a, %c : i32
          linalg.yield %s : i32
        } -> tensor<12xi32>
        return %0 : tensor<12xi32>
      })";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << messages;
    int64_t elements = 0;
    for (int64_t rank = 0; rank < ranks; ++rank) {
      int64_t lo = rank * 12 / ranks, hi = (rank + 1) * 12 / ranks;
      if (lo < hi)
        elements += std::min<int64_t>(hi + 4, 12) -
                    std::max<int64_t>(lo - 4, 0) - (hi - lo);
    }
    EXPECT_EQ(check(*module, ranks), 4 * elements) << ranks << " ranks";
  }
}

/// Two convolutions, an addition of what went in, rows cut: each convolution
/// needs one row from each neighbour, and nothing else is sent.
TEST_F(ShardTest, ConvolutionsSendTheirHalos) {
  const std::string conv = R"(
    %e# = tensor.empty() : tensor<2x12x6x4xi32>
    %f# = linalg.fill ins(%zero : i32) outs(%e# : tensor<2x12x6x4xi32>) -> tensor<2x12x6x4xi32>
    %p# = tensor.pad %in low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%a0: index, %a1: index, %a2: index, %a3: index):
      tensor.yield %zero : i32
    } {tensoraccess.cut = "needed"} : tensor<2x12x6x4xi32> to tensor<2x14x8x4xi32>
    %c# = linalg.conv_2d_nhwc_hwcf {tensoraccess.cut = "CUT"}
      ins(%p#, %w : tensor<2x14x8x4xi32>, tensor<3x3x4x4xi32>)
      outs(%f# : tensor<2x12x6x4xi32>) -> tensor<2x12x6x4xi32>)";
  auto replace = [](std::string text, StringRef what, StringRef by) {
    for (size_t at; (at = text.find(what.str())) != std::string::npos;)
      text.replace(at, what.size(), by.str());
    return text;
  };
  auto makeText = [&](StringRef grid, StringRef cut, StringRef home) {
    std::string text = ("func.func @main(%x: tensor<2x12x6x4xi32> "
                        "{tensoraccess.distribution = "
                        "\"" +
                        home +
                        "\"}, %w: tensor<3x3x4x4xi32>) -> tensor<2x12x6x4xi32> "
                        "attributes {tensoraccess.grid = \"" +
                        grid +
                        "\"} {\n"
                        "%zero = arith.constant 0 : i32\n")
                           .str() +
                       replace(replace(conv, "#", "0"), "%in ", "%x ") +
                       replace(replace(conv, "#", "1"), "%in ", "%c0 ") + R"(
    %sum = arith.addi %c1, %x {tensoraccess.cut = "HOME"} : tensor<2x12x6x4xi32>
    return %sum : tensor<2x12x6x4xi32> })";
    return replace(replace(text, "CUT", cut), "HOME", home);
  };
  auto count = [&](StringRef grid, StringRef cut, StringRef home) {
    module = parseSourceString<ModuleOp>(makeText(grid, cut, home), &context);
    EXPECT_TRUE(module) << messages;
    return module ? check(*module, 3) : -1;
  };
  const int64_t row = 2 * 6 * 4 * 4;
  // Two convolutions, one row each way across each border between ranks.
  EXPECT_EQ(count("r=2", "{d1: r}", "{d1: r}"), 2 * 2 * 1 * row);
  EXPECT_EQ(count("r=4", "{d1: r}", "{d1: r}"), 2 * 2 * 3 * row);
  // Shards of one row.
  EXPECT_EQ(count("r=12", "{d1: r}", "{d1: r}"), 2 * 2 * 11 * row);
  // More ranks than rows: some have none, and neither send nor receive.
  EXPECT_EQ(count("r=17", "{d1: r}", "{d1: r}"), 2 * 2 * 11 * row);
  // A batch needs nothing of another.
  EXPECT_EQ(count("n=2", "{d0: n}", "{d0: n}"), 0);
  // Filters cut: the second convolution needs all channels of the first.
  EXPECT_EQ(count("f=2", "{d3: f}", "{}"), 2 * (row * 12 / 2) * 2);
  // Channels that are summed over cut: partial sums to their places, then from
  // there to who needs them.
  EXPECT_GT(count("c=2", "{d6: c}", "{d1: c}"), 0);
}

} // namespace
