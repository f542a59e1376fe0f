//===- StripsTest.cpp - Many points at a time change no bit ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A body with an affine.apply in it runs point by point. So each random op is
// run twice, once with one whose result is not read: the bits must be the same
// ones.
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "TensorAccess/Core/StridedContraction.h"
#include "TensorAccess/IR/Evaluate.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

class StripsTest : public RunTest {
protected:
  int64_t draw(int64_t end) { return static_cast<int64_t>(engine() % end); }
  std::mt19937_64 engine{11};
};

/// A random body on a float or integer type: what is yielded of %x, %y and the
/// output %o.
std::string makeBody(StringRef type, int64_t kind) {
  const bool isFloat = type.starts_with("f") || type.starts_with("bf");
  auto line = [&](StringRef name, StringRef op, StringRef operands) {
    return ("  " + name + " = " + op + " " + operands + " : " + type + "\n")
        .str();
  };
  std::string body;
  switch (kind) {
  case 0: // a product, added
    body = line("%p", isFloat ? "arith.mulf" : "arith.muli", "%x, %y") +
           line("%r", isFloat ? "arith.addf" : "arith.addi", "%o, %p");
    break;
  case 1: // the same, the other way round
    body = line("%p", isFloat ? "arith.mulf" : "arith.muli", "%y, %x") +
           line("%r", isFloat ? "arith.addf" : "arith.addi", "%p, %o");
    break;
  case 2: // the greatest
    body = line("%p", isFloat ? "arith.maximumf" : "arith.maxsi", "%x, %y") +
           line("%r", isFloat ? "arith.maximumf" : "arith.maxui", "%o, %p");
    break;
  case 3: // a comparison and a choice
    body = ("  %c = " + Twine(isFloat ? "arith.cmpf ugt" : "arith.cmpi slt") +
            ", %x, %y : " + type +
            "\n  %p = arith.select %c, %y, %o : " + type + "\n")
               .str() +
           line("%r", isFloat ? "arith.subf" : "arith.subi", "%p, %x");
    break;
  case 4: // ops without handlers for strips
    body = isFloat ? ("  %p = math.exp %x : " + type + "\n").str() +
                         line("%q", "arith.divf", "%p, %y") +
                         line("%r", "arith.minnumf", "%q, %o")
                   : line("%p", "arith.xori", "%x, %o") +
                         line("%r", "arith.shrsi", "%p, %y");
    break;
  default: // the loops' indices
    body = "  %i = linalg.index 0 : index\n"
           "  %j = arith.index_cast %i : index to i32\n" +
           (isFloat ? ("  %k = arith.sitofp %j : i32 to " + type + "\n").str()
            : type == "i32" ? std::string("  %z = arith.constant 0 : i32\n"
                                          "  %k = arith.addi %j, %z : i32\n")
            : type == "i64"
                ? std::string("  %k = arith.extsi %j : i32 to i64\n")
                : ("  %k = arith.trunci %j : i32 to " + type + "\n").str()) +
           line("%p", isFloat ? "arith.mulf" : "arith.muli", "%k, %x") +
           line("%r", isFloat ? "arith.addf" : "arith.addi", "%p, %o");
  }
  return body;
}

TEST_F(StripsTest, sameBitsAsPointByPoint) {
  const StringRef types[] = {"f32", "f64", "f16", "bf16",
                             "i8",  "i16", "i32", "i64"};
  for (int trial = 0; trial < 240; ++trial) {
    const StringRef type = types[draw(8)];
    // Loops of up to 150 iterations, so that strips have ends.
    const int64_t sizes[] = {1 + draw(5), 1 + draw(trial % 3 ? 9 : 150),
                             1 + draw(7)};
    // Maps: some of the loops, in some order, for each operand; a sum of two
    // loops in x now and then.
    SmallVector<int> order = {0, 1, 2};
    std::shuffle(order.begin(), order.end(), engine);
    auto makeMap = [&](unsigned kept, SmallVector<int64_t> &shape) {
      std::string map;
      for (unsigned i = 0; i < kept; ++i) {
        map += (i ? ", d" : "d") + std::to_string(order[i]);
        shape.push_back(sizes[order[i]]);
      }
      return map;
    };
    SmallVector<int64_t> outShape, xShape, yShape;
    std::string out = makeMap(1 + draw(3), outShape);
    std::shuffle(order.begin(), order.end(), engine);
    std::string x = makeMap(draw(4), xShape);
    if (draw(3) == 0) {
      x += std::string(x.empty() ? "" : ", ") + "d0 * 2 + d2";
      xShape.push_back(2 * (sizes[0] - 1) + sizes[2]);
    }
    std::shuffle(order.begin(), order.end(), engine);
    std::string y = makeMap(3, yShape);
    auto tensor = [&](ArrayRef<int64_t> shape) {
      std::string text = "tensor<";
      for (int64_t size : shape)
        text += std::to_string(size) + "x";
      return text + type.str() + ">";
    };
    const std::string body = makeBody(type, draw(6));
    auto makeProgram = [&](bool isSlow) {
      std::string maps;
      for (const std::string &map : {x, y, out})
        maps += (maps.empty() ? "" : ", ") +
                ("affine_map<(d0, d1, d2) -> (" + map + ")>");
      std::string kinds;
      for (int d = 0; d < 3; ++d)
        kinds +=
            std::string(d ? ", " : "") + "\"" +
            (StringRef(out).contains("d" + std::to_string(d)) ? "parallel"
                                                              : "reduction") +
            "\"";
      return "func.func @main(%a: " + tensor(xShape) +
             ", %b: " + tensor(yShape) + ", %init: " + tensor(outShape) +
             ") -> " + tensor(outShape) +
             " {\n%s = linalg.generic {indexing_maps = [" + maps +
             "], iterator_types = [" + kinds +
             "]} ins(%a, %b : " + tensor(xShape) + ", " + tensor(yShape) +
             ") outs(%init : " + tensor(outShape) +
             ") {\n^bb0(%x: " + type.str() + ", %y: " + type.str() +
             ", %o: " + type.str() + "):\n" +
             (isSlow ? "  %slow = linalg.index 0 : index\n  %er = "
                       "affine.apply affine_map<(d0) -> (d0 + 1)>(%slow)\n"
                     : "") +
             body + "  linalg.yield %r : " + type.str() + "\n} -> " +
             tensor(outShape) + "\nreturn %s : " + tensor(outShape) + "\n}";
    };
    SmallVector<Tensor> inputs = {
        llvm::cantFail(Tensor::random(
            *getElementTypeOf(parseType(type, &context)), xShape, trial, 0)),
        llvm::cantFail(Tensor::random(
            *getElementTypeOf(parseType(type, &context)), yShape, trial, 1)),
        llvm::cantFail(Tensor::random(
            *getElementTypeOf(parseType(type, &context)), outShape, trial, 2))};
    SCOPED_TRACE(makeProgram(false));
    Tensor slow = runOne(makeProgram(true), inputs);
    Tensor fast = runOne(makeProgram(false), inputs);
    expectBitEqual(fast, slow);
    if (HasFailure())
      return;
  }
}

// The fault, and where it is said to be, is that of the first point.
TEST_F(StripsTest, firstFaultIsReported) {
  const char *program = R"(
func.func @main(%a: tensor<300xi32>, %b: tensor<300xi32>) -> tensor<300xi32> {
  %e = tensor.empty() : tensor<300xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<300xi32>, tensor<300xi32>) outs(%e : tensor<300xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %q = arith.divsi %x, %y : i32
    linalg.yield %q : i32
  } -> tensor<300xi32>
  return %r : tensor<300xi32>
})";
  Tensor a = random({300}, ElementType::I32),
         b = random({300}, ElementType::I32);
  for (int64_t i = 0; i < 300; ++i) {
    a.setInt({i}, i);
    b.setInt({i}, i == 170 || i == 200 ? 0 : 1);
  }
  EXPECT_EQ(errorOf(program, {a, b}),
            "6: 'arith.divsi' op divides 170 by zero\n");
}

// Contractions against the loops that define them: all types, and sums in a
// longer one; more terms than a chunk has.
TEST_F(StripsTest, contractionIsItsDefinition) {
  SmallVector<std::pair<ElementType, ElementType>> types;
  for (int from = 0; from <= int(ElementType::F64); ++from)
    for (int to = 0; to <= int(ElementType::F64); ++to)
      if (isExtension(ElementType(from), ElementType(to)))
        types.push_back({ElementType(from), ElementType(to)});
  for (int trial = 0; trial < 400; ++trial) {
    StridedContraction made;
    std::tie(made.type, made.sumType) = types[trial % types.size()];
    SmallVector<int64_t> outShape, shapes[2];
    const int64_t rank = 1 + draw(3), depth = draw(3);
    for (int64_t d = 0; d < rank; ++d)
      made.points.push_back(draw(8) ? 1 + draw(7) : 30 + draw(80));
    for (int64_t d = 0; d < depth; ++d)
      made.sums.push_back(trial % 29 == 0 ? 1100 / depth : 1 + draw(6));
    // Dense operands over all loops or some, the points' order shuffled.
    auto makeOperand = [&](StridedContraction::Operand &operand, bool isOut,
                           uint64_t stream) {
      SmallVector<int64_t> all(made.points);
      if (!isOut)
        llvm::append_range(all, made.sums);
      SmallVector<int64_t> steps(all.size(), 0), order;
      for (size_t d = 0; d < all.size(); ++d)
        if (isOut || draw(4))
          order.push_back(d);
      std::shuffle(order.begin(), order.end(), engine);
      int64_t size = 1;
      for (int64_t d : order) {
        steps[d] = size;
        size *= all[d];
      }
      operand.pointSteps.assign(steps.begin(), steps.begin() + rank);
      if (!isOut)
        operand.sumSteps.assign(steps.begin() + rank, steps.end());
      return llvm::cantFail(Tensor::random(isOut ? made.sumType : made.type,
                                           {size}, trial, stream));
    };
    Tensor out = makeOperand(made.out, true, 0),
           lhs = makeOperand(made.lhs, false, 1),
           rhs = makeOperand(made.rhs, false, 2);
    Tensor expected = llvm::cantFail(out.clone());
    made.out.data = out.getData();
    made.lhs.data = lhs.getData();
    made.rhs.data = rhs.getData();
    runContraction(made);
    dispatchExtension(made.type, made.sumType, [&](auto tag, auto sumTag) {
      using T = typename decltype(tag)::type;
      using R = typename decltype(sumTag)::type;
      SmallVector<int64_t> all(made.points), at;
      llvm::append_range(all, made.sums);
      at.assign(all.size(), 0);
      while (true) {
        int64_t o = 0, x = 0, y = 0;
        for (size_t d = 0; d < all.size(); ++d) {
          const bool isPoint = d < made.points.size();
          const size_t n = isPoint ? d : d - made.points.size();
          if (isPoint)
            o += at[d] * made.out.pointSteps[n];
          x += at[d] * (isPoint ? made.lhs.pointSteps : made.lhs.sumSteps)[n];
          y += at[d] * (isPoint ? made.rhs.pointSteps : made.rhs.sumSteps)[n];
        }
        R &sum = expected.getDataAs<R>()[o];
        auto extend = Arithmetic<T>::template extend<R>;
        const R a = extend(lhs.getDataAs<T>()[x]),
                b = extend(rhs.getDataAs<T>()[y]);
        // Steps of f32 and f64 round once.
        if constexpr (std::is_floating_point_v<R>)
          sum = std::fma(a, b, sum);
        else
          sum = Arithmetic<R>::add(sum, Arithmetic<R>::mul(a, b));
        size_t d = all.size();
        while (d-- > 0 && ++at[d] == all[d])
          at[d] = 0;
        if (d == size_t(-1))
          break;
      }
    });
    SCOPED_TRACE("trial " + std::to_string(trial));
    expectBitEqual(out, expected);
    if (HasFailure())
      return;
  }
}

// Sums of small floats are computed on floats: every value there is meets some
// others, subnormal ones, infinities and NaNs too.
template <typename T>
static void checkEveryProduct(ElementType type, uint32_t factor) {
  constexpr uint32_t count = 1 << 16;
  SmallVector<T> lhs(count), rhs(count), sums(count);
  for (uint32_t i = 0; i < count; ++i) {
    lhs[i].bits = i;
    rhs[i].bits = i * factor + 12345;
    sums[i].bits = i * (factor + 6) + 54321;
  }
  SmallVector<T> out(sums);
  runContraction({type,
                  type,
                  {count},
                  {},
                  {out.data(), {1}, {}},
                  {lhs.data(), {1}, {}},
                  {rhs.data(), {1}, {}}});
  for (uint32_t i = 0; i < count; ++i) {
    T expected =
        Arithmetic<T>::add(sums[i], Arithmetic<T>::mul(lhs[i], rhs[i]));
    if (std::isnan(float(expected)))
      ASSERT_TRUE(std::isnan(float(out[i]))) << i;
    else
      ASSERT_EQ(out[i].bits, expected.bits) << i;
  }
}

TEST_F(StripsTest, contractionsRoundSmallFloats) {
  for (uint32_t factor : {1u, 3u, 40503u, 65535u, 25173u, 4097u}) {
    checkEveryProduct<Half>(ElementType::F16, factor);
    checkEveryProduct<BFloat16>(ElementType::BF16, factor);
  }
}

} // namespace
