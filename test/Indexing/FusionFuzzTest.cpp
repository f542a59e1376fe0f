//===- FusionFuzzTest.cpp - Fusion of random programs against the truth ---===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small programs of up to 14 ops. The truth about what they read does
// not use maps at all:
//
//   1. The interpreter runs the program on ones, with one element of one
//      argument a NaN. Sums and exponentials hand it on, so the elements of a
//      result that are NaN are those that read it.
//   2. The composed maps of both directions are walked, and must be the same
//      pairs; so must those under tiny budgets, where they are known.
//   3. Different elements that are read are counted, and points of patterns.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Interpreter/Interpreter.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// Writes a random function @f of two arguments and one or two results.
class Writer {
public:
  explicit Writer(unsigned seed) : random(seed) {}

  std::string write() {
    std::string arguments;
    for (int i = 0; i < 2; ++i) {
      Shape shape;
      for (int d = pick(1, 2); d > 0; --d)
        shape.push_back(pick(2, 4));
      std::string name = "%a" + std::to_string(i);
      values.push_back({name, shape});
      arguments += (i ? ", " : "") + name + ": " + typeOf(shape);
    }
    body = "%c = arith.constant 0.0 : f64\n";
    for (int i = pick(2, 14); i > 0; --i)
      addOp();
    const Value &last = values.back();
    const Value &other = values[pick(0, values.size() - 1)];
    bool two = pick(0, 2) == 0;
    std::string names = last.name + (two ? ", " + other.name : "");
    std::string types =
        typeOf(last.shape) + (two ? ", " + typeOf(other.shape) : "");
    return helpers + "func.func @f(" + arguments + ") -> (" + types + ") {\n" +
           body + "return " + names + " : " + types + "\n}\n";
  }

private:
  using Shape = std::vector<int64_t>;
  struct Value {
    std::string name;
    Shape shape;
  };

  int pick(int lo, int hi) {
    return std::uniform_int_distribution<int>(lo, hi)(random);
  }
  static std::string typeOf(const Shape &shape) {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + "f64>";
  }
  static std::string listOf(const Shape &numbers) {
    std::string text = "[";
    for (size_t i = 0; i < numbers.size(); ++i)
      text += (i ? ", " : "") + std::to_string(numbers[i]);
    return text + "]";
  }
  std::string fresh() { return "%v" + std::to_string(count++); }
  void define(const std::string &text, const Shape &shape) {
    std::string name = fresh();
    body += name + " = " + text + "\n";
    values.push_back({name, shape});
  }
  std::string empty(const Shape &shape) {
    std::string name = fresh();
    body += name + " = tensor.empty() : " + typeOf(shape) + "\n";
    return name;
  }
  std::string zeros(const Shape &shape) {
    std::string into = empty(shape), name = fresh();
    body += name + " = linalg.fill ins(%c : f64) outs(" + into + " : " +
            typeOf(shape) + ") -> " + typeOf(shape) + "\n";
    return name;
  }

  /// One op on a random value; what does not fit it is drawn again.
  void addOp() {
    const Value x =
        values[pick(std::max<int>(0, values.size() - 4), values.size() - 1)];
    const std::string type = typeOf(x.shape);
    const int rank = x.shape.size();
    switch (pick(0, 14)) {
    case 0:
      return define("math.exp " + x.name + " : " + type, x.shape);
    case 1:
    case 2: { // add to another value of the shape, or to itself
      std::vector<std::string> others;
      for (const Value &v : values)
        if (v.shape == x.shape)
          others.push_back(v.name);
      return define("arith.addf " + x.name + ", " +
                        others[pick(0, others.size() - 1)] + " : " + type,
                    x.shape);
    }
    case 3: {
      if (rank != 2)
        return addOp();
      Shape shape = {x.shape[1], x.shape[0]};
      std::string into = empty(shape);
      return define("linalg.transpose ins(" + x.name + " : " + type +
                        ") outs(" + into + " : " + typeOf(shape) +
                        ") permutation = [1, 0]",
                    shape);
    }
    case 4: { // slice
      Shape offsets, sizes, strides;
      for (int64_t size : x.shape) {
        strides.push_back(pick(1, 2));
        offsets.push_back(pick(0, size - 1));
        int64_t most = (size - offsets.back() - 1) / strides.back() + 1;
        sizes.push_back(pick(1, most));
      }
      return define("tensor.extract_slice " + x.name + listOf(offsets) +
                        listOf(sizes) + listOf(strides) + " : " + type +
                        " to " + typeOf(sizes),
                    sizes);
    }
    case 5: { // pad
      Shape low, high, shape;
      std::string indices;
      for (int64_t size : x.shape) {
        low.push_back(pick(0, 1));
        high.push_back(pick(0, 1));
        shape.push_back(size + low.back() + high.back());
        indices += (indices.empty() ? "%i" : ", %i") +
                   std::to_string(low.size()) + ": index";
      }
      return define("tensor.pad " + x.name + " low" + listOf(low) + " high" +
                        listOf(high) + " {\n^bb0(" + indices +
                        "):\n  tensor.yield %c : f64\n} : " + type + " to " +
                        typeOf(shape),
                    shape);
    }
    case 6: { // concatenate with itself or another
      const Value &y = values[pick(0, values.size() - 1)];
      if (y.shape.size() != x.shape.size())
        return addOp();
      int dim = pick(0, rank - 1);
      Shape shape = x.shape;
      for (int d = 0; d < rank; ++d)
        if (d == dim)
          shape[d] += y.shape[d];
        else if (shape[d] != y.shape[d])
          return addOp();
      if (shape[dim] > 8)
        return addOp();
      return define("tensor.concat dim(" + std::to_string(dim) + ") " + x.name +
                        ", " + y.name + " : (" + type + ", " + typeOf(y.shape) +
                        ") -> " + typeOf(shape),
                    shape);
    }
    case 7: { // reduce
      if (rank != 2)
        return addOp();
      int dim = pick(0, 1);
      Shape shape = {x.shape[1 - dim]};
      std::string into = zeros(shape);
      return define("linalg.reduce {arith.addf} ins(" + x.name + " : " + type +
                        ") outs(" + into + " : " + typeOf(shape) +
                        ") dimensions = [" + std::to_string(dim) + "]",
                    shape);
    }
    case 8: { // broadcast
      if (rank != 1)
        return addOp();
      int dim = pick(0, 1);
      Shape shape = x.shape;
      shape.insert(shape.begin() + dim, pick(2, 3));
      std::string into = empty(shape);
      return define("linalg.broadcast ins(" + x.name + " : " + type +
                        ") outs(" + into + " : " + typeOf(shape) +
                        ") dimensions = [" + std::to_string(dim) + "]",
                    shape);
    }
    case 9: { // collapse, or expand where that works
      if (rank == 2)
        return define("tensor.collapse_shape " + x.name + " [[0, 1]] : " +
                          type + " into " + typeOf({x.shape[0] * x.shape[1]}),
                      {x.shape[0] * x.shape[1]});
      for (int64_t factor : {2, 3})
        if (x.shape[0] % factor == 0) {
          Shape shape = {factor, x.shape[0] / factor};
          return define("tensor.expand_shape " + x.name +
                            " [[0, 1]] output_shape " + listOf(shape) + " : " +
                            type + " into " + typeOf(shape),
                        shape);
        }
      return addOp();
    }
    case 10: { // a sum over windows
      if (rank != 1 || x.shape[0] < 3)
        return addOp();
      int64_t kernel = pick(2, 3);
      Shape shape = {x.shape[0] - kernel + 1};
      std::string into = zeros(shape), window = empty({kernel});
      return define(
          "linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, "
          "affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], "
          "iterator_types = [\"parallel\", \"reduction\"]} ins(" +
              x.name + ", " + window + " : " + type + ", " + typeOf({kernel}) +
              ") outs(" + into + " : " + typeOf(shape) +
              ") {\n^bb0(%p: f64, %q: f64, %r: f64):\n  %s = arith.addf %p, "
              "%r : f64\n  linalg.yield %s : f64\n} -> " +
              typeOf(shape),
          shape);
    }
    case 11:
    case 12: { // what softmax does: each element meets its whole line
      if (rank != 2)
        return addOp();
      int dim = pick(0, 1);
      Shape shape = {x.shape[1 - dim]};
      std::string into = zeros(shape), wide = empty(x.shape);
      define("linalg.reduce {arith.addf} ins(" + x.name + " : " + type +
                 ") outs(" + into + " : " + typeOf(shape) + ") dimensions = [" +
                 std::to_string(dim) + "]",
             shape);
      define("linalg.broadcast ins(" + values.back().name + " : " +
                 typeOf(shape) + ") outs(" + wide + " : " + type +
                 ") dimensions = [" + std::to_string(dim) + "]",
             x.shape);
      return define("arith.addf " + x.name + ", " + values.back().name + " : " +
                        type,
                    x.shape);
    }
    case 13: { // what p0 + transpose(p0) does
      if (rank != 2 || x.shape[0] != x.shape[1])
        return addOp();
      std::string into = empty(x.shape);
      define("linalg.transpose ins(" + x.name + " : " + type + ") outs(" +
                 into + " : " + type + ") permutation = [1, 0]",
             x.shape);
      return define("arith.addf " + x.name + ", " + values.back().name + " : " +
                        type,
                    x.shape);
    }
    default: { // a call
      std::string name = "@g" + std::to_string(count++);
      helpers += "func.func private " + name + "(%x: " + type + ") -> " + type +
                 " {\n  %y = math.exp %x : " + type +
                 "\n  %z = arith.addf %x, %y : " + type +
                 "\n  return %z : " + type + "\n}\n";
      return define("func.call " + name + "(" + x.name + ") : (" + type +
                        ") -> " + type,
                    x.shape);
    }
    }
  }

  std::mt19937 random;
  std::vector<Value> values;
  std::string body, helpers;
  int count = 0;
};

class FusionFuzz : public OracleTest {
protected:
  FusionFuzz() { context.loadAllAvailableDialects(); }

  /// Step 1: for each result, the pairs (its index, index of the argument).
  std::vector<std::set<Pair>> taint(FunctionOpInterface f, unsigned argument) {
    std::vector<std::set<Pair>> pairs(f.getNumResults());
    SmallVector<Tensor> inputs;
    for (Type type : f.getArgumentTypes()) {
      inputs.push_back(llvm::cantFail(
          Tensor::create(ElementType::F64, cast<ShapedType>(type).getShape())));
      forEach(cast<ShapedType>(type).getShape(),
              [&](const Point &index) { inputs.back().setDouble(index, 1.0); });
    }
    auto shape = cast<ShapedType>(f.getArgumentTypes()[argument]).getShape();
    forEach(shape, [&](const Point &from) {
      inputs[argument].setDouble(from, std::nan(""));
      FailureOr<SmallVector<Tensor>> results = interpret(f, inputs);
      ASSERT_TRUE(succeeded(results));
      for (auto [r, result] : llvm::enumerate(*results))
        forEach(result.getShape(), [&, r = r](const Point &to) {
          if (std::isnan((*results)[r].getDouble(to)))
            pairs[r].insert({to, from});
        });
      // Not before: a result may be a view of the input.
      inputs[argument].setDouble(from, 1.0);
    });
    return pairs;
  }

  static uint64_t countPointsNaively(const IndexingMap &map) {
    uint64_t points = 0;
    EXPECT_EQ(enumerate(map,
                        [&](ArrayRef<int64_t>, ArrayRef<int64_t>) {
                          ++points;
                          return true;
                        }),
              EnumerateStatus::Ok);
    return points;
  }
};

TEST_F(FusionFuzz, RandomPrograms) {
  unsigned programs = 0, sets = 0, manyPatterns = 0, small = 0, counted = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string source = Writer(seed).write();
    SCOPED_TRACE(source);
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    auto f =
        cast<FunctionOpInterface>(SymbolTable::lookupSymbolIn(*module, "f"));
    FusionAnalysis analysis;
    IndexingBudget tiny;
    tiny.maxMaps = 1 + seed % 3;
    tiny.maxVariables = 4 + seed % 5;
    tiny.maxConstraints = seed % 7;
    IndexingCache tinyCache(tiny);
    const OpIndexing &whole = analysis.getCache().getFunction(f);
    const OpIndexing &narrow = tinyCache.getFunction(f);
    GroupFusion fusion = analysis.analyze(*FusionGroup::get(f));
    for (unsigned a = 0; a < f.getNumArguments(); ++a) {
      std::vector<std::set<Pair>> truth = taint(f, a);
      std::set<Point> elements;
      for (unsigned r = 0; r < f.getNumResults(); ++r) {
        const IndexingSet &down = whole.outputToInput(r, a);
        EXPECT_EQ(walk(down, true), truth[r]) << down.str();
        EXPECT_EQ(walk(whole.inputToOutput(a, r), false), truth[r])
            << whole.inputToOutput(a, r).str();
        for (bool isDown : {true, false}) {
          const IndexingSet &set =
              isDown ? narrow.outputToInput(r, a) : narrow.inputToOutput(a, r);
          if (set.isUnknown()) {
            EXPECT_EQ(set.getReason(), IndexingReason::Budget);
            continue;
          }
          EXPECT_EQ(walk(set, isDown), truth[r]) << set.str();
          small += set.getMaps().size() < down.getMaps().size();
        }
        for (const Pair &pair : truth[r])
          elements.insert(pair.second);
        ++sets;
        manyPatterns += down.getMaps().size() > 1;
      }
      const ValueFusion &use = fusion.operands[a];
      EXPECT_EQ(use.counts.unique, elements.size());
      uint64_t points = 0;
      for (const IndexingMap &map : use.maps)
        points += countPointsNaively(map);
      if (use.counts.reads) {
        EXPECT_EQ(*use.counts.reads, points);
        EXPECT_GE(*use.counts.reads, elements.size());
        ++counted;
      }
    }
    ++programs;
  }
  // The programs are not all trivial.
  RecordProperty("sets", sets);
  RecordProperty("manyPatterns", manyPatterns);
  RecordProperty("small", small);
  RecordProperty("counted", counted);
  EXPECT_EQ(programs, 300u);
  EXPECT_GT(sets, 600u);
  EXPECT_GT(manyPatterns, 100u);
  EXPECT_GT(small, 10u);
  EXPECT_GT(counted, 500u);
}

/// What a group reads of a value inside is what the whole reads of it: each
/// value of a program as the operand of what comes after.
TEST_F(FusionFuzz, GroupsInside) {
  unsigned compared = 0;
  for (unsigned seed = 1000; seed < 1100; ++seed) {
    std::string source = Writer(seed).write();
    SCOPED_TRACE(source);
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
    auto f =
        cast<FunctionOpInterface>(SymbolTable::lookupSymbolIn(*module, "f"));
    FusionAnalysis analysis;
    FusionGroup whole = *FusionGroup::get(f);
    GroupFusion fusion = analysis.analyze(whole);
    for (Operation *cut : whole.getOps()) {
      if (cut->getNumOperands() == 0)
        continue;
      auto group = FusionGroup::get(whole.getResults(),
                                    [&](Operation *op) { return op != cut; });
      ASSERT_TRUE(group);
      // A result that is itself the cut stays inside.
      auto *at = llvm::find(group->getOperands(), cut->getResult(0));
      if (at == group->getOperands().end())
        continue;
      unsigned o = at - group->getOperands().begin();
      FusionIndexing part = getFusionIndexing(analysis.getCache(), *group);
      for (unsigned r = 0; r < whole.getResults().size(); ++r) {
        const ValueReads *reads =
            fusion.indexing.getReads(cut->getResult(0), r);
        SmallVector<IndexingMap> maps;
        if (reads)
          for (const ReadPattern &pattern : reads->patterns)
            maps.push_back(pattern.map);
        EXPECT_EQ(part.indexing.outputToInput(r, o), IndexingSet::of(maps));
        EXPECT_EQ(walk(part.indexing.inputToOutput(o, r), false),
                  walk(part.indexing.outputToInput(r, o), true));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 200u);
}

} // namespace
