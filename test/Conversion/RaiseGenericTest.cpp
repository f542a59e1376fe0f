//===- RaiseGenericTest.cpp - Random generic ops, raised and run ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RaiseRun.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// linalg.generic over random loops, each operand indexed by random sums.
class RaiseGeneric : public RaiseTest {
protected:
  struct Loops {
    SmallVector<int64_t> ranges;
    SmallVector<bool> reduction;

    std::string list() const {
      std::string text = "(";
      for (size_t i = 0; i < ranges.size(); ++i)
        text += (i ? ", d" : "d") + std::to_string(i);
      return text + ")";
    }
    std::string iterators() const {
      std::string text;
      for (auto [i, isReduction] : llvm::enumerate(reduction))
        text += std::string(i ? ", " : "") +
                (isReduction ? "\"reduction\"" : "\"parallel\"");
      return text;
    }
  };
  /// An operand's map and shape.
  struct Operand {
    std::string map;
    SmallVector<int64_t> shape;
  };

  Loops drawLoops(bool reductions) {
    Loops loops;
    loops.ranges = sizes(pick(1, 5), 1, 4);
    for (size_t i = 0; i < loops.ranges.size(); ++i)
      loops.reduction.push_back(reductions && coin());
    if (reductions)
      loops.reduction[pick(0, loops.ranges.size() - 1)] = true;
    return loops;
  }

  /// Indices by a random subset of the loops, each in one place.
  Operand drawOperand(const Loops &loops) {
    SmallVector<std::string> exprs;
    Operand operand;
    SmallVector<int64_t> order = permutation(loops.ranges.size());
    if (order.size() > 1 && coin())
      order.resize(pick(1, order.size()));
    while (!order.empty() || pick(0, 5) == 0) {
      int64_t terms =
          std::min<int64_t>(order.size(), oneOf<int64_t>({1, 1, 1, 2, 2, 3}));
      int64_t least = 0, greatest = 0;
      std::string expr;
      for (int64_t i = 0; i < terms; ++i) {
        int64_t loop = order.pop_back_val();
        int64_t coefficient = terms == 1
                                  ? oneOf<int64_t>({1, 1, 1, 1, 2, 3, -1, -2})
                                  : oneOf<int64_t>({1, 1, 2, 3, 4, -1, -2});
        int64_t reach = coefficient * (loops.ranges[loop] - 1);
        (reach < 0 ? least : greatest) += reach;
        expr += (i ? " + d" : "d") + std::to_string(loop) + " * " +
                std::to_string(coefficient);
      }
      int64_t offset = -least;
      bool plain = terms == 1 && least == 0 && StringRef(expr).ends_with("* 1");
      int64_t slack = 0;
      if (!plain || pick(0, 7) == 0) {
        offset += oneOf<int64_t>({0, 0, 1});
        slack = oneOf<int64_t>({0, 0, 1, 2});
      }
      if (terms == 0)
        expr = std::to_string(offset);
      else if (offset != 0)
        expr += " + " + std::to_string(offset);
      else if (slack != 0 && plain)
        slack = 0; // a plain loop has the dimension's size
      exprs.push_back(expr);
      operand.shape.push_back(greatest + offset + slack + 1);
      if (exprs.size() > 5)
        break;
    }
    operand.map =
        "affine_map<" + loops.list() + " -> (" + llvm::join(exprs, ", ") + ")>";
    return operand;
  }

  /// The plain loops that are not reductions, in random order.
  Operand drawResult(const Loops &loops) {
    Operand result;
    SmallVector<std::string> exprs;
    for (int64_t loop : permutation(loops.ranges.size())) {
      if (loops.reduction[loop])
        continue;
      exprs.push_back("d" + std::to_string(loop));
      result.shape.push_back(loops.ranges[loop]);
    }
    result.map =
        "affine_map<" + loops.list() + " -> (" + llvm::join(exprs, ", ") + ")>";
    return result;
  }

  /// A program with one generic op on `numInputs` operands of type `from` and a
  /// result of type `to`. The body computes %r from %x0, %x1, … and %out.
  std::string write(const Loops &loops, int64_t numInputs, StringRef from,
                    StringRef to, StringRef body, StringRef init) {
    SmallVector<Operand> inputs;
    for (int64_t i = 0; i < numInputs; ++i)
      inputs.push_back(drawOperand(loops));
    Operand result = drawResult(loops);
    // An operand that nothing reads gives the loops their sizes.
    std::string maps, arguments, ins, types, block;
    for (auto [i, input] : llvm::enumerate(inputs)) {
      std::string name = "%a" + std::to_string(i);
      std::string type = tensorType(input.shape, from);
      maps += input.map + ", ";
      arguments += name + ": " + type + ", ";
      ins += name + ", ";
      types += type + ", ";
      block += "%x" + std::to_string(i) + ": " + from.str() + ", ";
    }
    std::string identity =
        "affine_map<" + loops.list() + " -> " + loops.list() + ">, ";
    std::string shape = tensorType(loops.ranges, "i8");
    std::string out = tensorType(result.shape, to);
    std::string start = init == "argument" ? "%init" : "%start";
    std::string text = "func.func @main(" + arguments + "%shape: " + shape +
                       ", %init: " + out + ") -> " + out + " {\n";
    if (init != "argument")
      text +=
          "  %start = arith.constant dense<" + init.str() + "> : " + out + "\n";
    text += "  %0 = linalg.generic {indexing_maps = [" + maps + identity +
            result.map + "], iterator_types = [" + loops.iterators() +
            "]} ins(" + ins + "%shape : " + types + shape + ") outs(" + start +
            " : " + out + ") {\n  ^bb0(" + block +
            "%shape_: i8, %out: " + to.str() + "):\n" + body.str() +
            "    linalg.yield %r : " + to.str() + "\n  } -> " + out +
            "\n  return %0 : " + out + "\n}\n";
    return text;
  }
};

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

// Sums of products of one to three factors, over any indices.
TEST_F(RaiseGeneric, sums_of_products) {
  static const char *const bodies[] = {"    %r = arith.addf %out, %x0 : f32\n",
                                       "    %m = arith.mulf %x1, %x0 : f32\n"
                                       "    %r = arith.addf %m, %out : f32\n",
                                       "    %m = arith.mulf %x0, %x1 : f32\n"
                                       "    %n = arith.mulf %x2, %m : f32\n"
                                       "    %r = arith.addf %out, %n : f32\n"};
  for (int i = 0; i < 300; ++i) {
    int64_t factors = pick(1, 3);
    Loops loops = drawLoops(/*reductions=*/true);
    bool zero = coin();
    std::string start =
        zero ? "0.0" : oneOf<std::string>({"argument", "1.5", "-0.0"});
    expectRaised(
        write(loops, factors, "f32", "f32", bodies[factors - 1], start),
        zero ? Sums::Same : Sums::Reordered);
    if (HasFailure())
      return;
  }
}

// Extended elements: i8 to i32, f16 to f32.
TEST_F(RaiseGeneric, widening_sums) {
  for (int i = 0; i < 100; ++i) {
    bool integer = coin();
    std::string to = integer ? "i32" : "f32", from = integer ? "i8" : "f16";
    std::string suffix = integer ? "i" : "f";
    std::string ext = integer ? "extsi" : "extf";
    std::string body = "    %p = arith." + ext + " %x0 : " + from + " to " +
                       to + "\n    %q = arith." + ext + " %x1 : " + from +
                       " to " + to + "\n    %m = arith.mul" + suffix +
                       " %p, %q : " + to + "\n    %r = arith.add" + suffix +
                       " %out, %m : " + to + "\n";
    expectRaised(
        write(drawLoops(true), 2, from, to, body, integer ? "0" : "0.0"));
    if (HasFailure())
      return;
  }
}

// Greatest and least elements; an initial value that counts, and one that
// doesn't.
TEST_F(RaiseGeneric, extrema) {
  for (int i = 0; i < 100; ++i) {
    bool least = coin();
    std::string name = least ? "minimumf" : "maximumf";
    std::string identity = least ? "0x7F800000" : "0xFF800000";
    expectRaised(write(drawLoops(true), 1, "f32", "f32",
                       "    %r = arith." + name + " %out, %x0 : f32\n",
                       oneOf<std::string>({identity, "0.25", "argument"})));
    if (HasFailure())
      return;
  }
  for (int i = 0; i < 30; ++i)
    expectRaised(write(drawLoops(true), 1, "i8", "i8",
                       "    %r = arith.maxsi %x0, %out : i8\n",
                       oneOf<std::string>({"-128", "3", "argument"})));
}

// The other orders of integers, of all their values: least, and unsigned.
TEST_F(RaiseGeneric, extrema_of_other_orders) {
  for (int i = 0; i < 90; ++i) {
    int64_t which = pick(0, 2);
    std::string name[] = {"minsi", "maxui", "minui"};
    std::string identity[] = {"127", "0", "-1"};
    std::string body = "    %k = arith.constant 16 : i8\n"
                       "    %s = arith.muli %x0, %k : i8\n"
                       "    %r = arith." +
                       name[which] + " %out, %s : i8\n";
    if (coin())
      body = "    %r = arith." + name[which] + " %x0, %out : i8\n";
    expectRaised(write(drawLoops(true), 1, "i8", "i8", body,
                       oneOf<std::string>({identity[which], "3", "argument"})));
    if (HasFailure())
      return;
  }
  for (StringRef name : {"max_unsigned", "min_unsigned", "min"})
    expectRaised(
        ("func.func @main(%x: tensor<1x7x9x2xi8>, %w: tensor<3x2xi8>,\n"
         "    %i: tensor<1x3x8x2xi8>) -> tensor<1x3x8x2xi8> {\n"
         "  %0 = linalg.pooling_nhwc_" +
         name +
         " {strides = dense<[2, 1]> : vector<2xi64>}\n"
         "    ins(%x, %w : tensor<1x7x9x2xi8>, tensor<3x2xi8>)\n"
         "    outs(%i : tensor<1x3x8x2xi8>) -> tensor<1x3x8x2xi8>\n"
         "  return %0 : tensor<1x3x8x2xi8>\n}\n")
            .str());
}

// Products of whole items, from left to right.
TEST_F(RaiseGeneric, products) {
  auto program = [](StringRef type, StringRef op, StringRef start) {
    return ("func.func @main(%x: tensor<2x5x3x" + type + ">, %a: tensor<5x" +
            type + ">) -> tensor<5x" + type +
            "> {\n"
            "  %c = arith.constant dense<" +
            (start == "argument"
                 ? "1" + StringRef(type.contains('f') ? ".0" : "")
                 : start) +
            "> : tensor<5x" + type +
            ">\n"
            "  %0 = linalg.reduce { arith." +
            op + " } ins(%x : tensor<2x5x3x" + type + ">)\n    outs(" +
            (start == "argument" ? "%a" : "%c") + " : tensor<5x" + type +
            ">) dimensions = [0, 2]\n"
            "  return %0 : tensor<5x" +
            type + ">\n}\n")
        .str();
  };
  expectRaised(program("f32", "mulf", "1.0"));
  expectRaised(program("f32", "mulf", "0.3"), Sums::Reordered);
  expectRaised(program("f32", "mulf", "argument"), Sums::Reordered);
  expectRaised(program("i8", "muli", "1"));
  expectRaised(program("i8", "muli", "argument"));
}

// Bodies that compute before they sum, or take the greatest.
TEST_F(RaiseGeneric, computed_items) {
  for (int i = 0; i < 100; ++i) {
    std::string combine = oneOf<std::string>({"addf", "maximumf"});
    std::string body = "    %d = arith.subf %x0, %x1 : f32\n"
                       "    %s = arith.mulf %d, %d : f32\n"
                       "    %t = math.sqrt %s : f32\n"
                       "    %r = arith." +
                       combine + " %out, %t : f32\n";
    expectRaised(write(drawLoops(true), 2, "f32", "f32", body,
                       combine == "addf" ? "0.0" : "0xFF800000"));
    if (HasFailure())
      return;
  }
}

// Elementwise trees over operands that are moved and repeated.
TEST_F(RaiseGeneric, elementwise) {
  for (int i = 0; i < 200; ++i) {
    std::string body;
    SmallVector<std::string> values{"%x0", "%x1", "%x2", "%c", "%out"};
    body += "    %c = arith.constant 0.75 : f32\n";
    int64_t steps = pick(1, 5);
    for (int64_t step = 0; step < steps; ++step) {
      std::string name = step + 1 == steps ? "%r" : "%v" + std::to_string(step);
      auto value = [&] { return values[pick(0, values.size() - 1)]; };
      switch (pick(0, 6)) {
      case 0:
        body += "    " + name + " = arith.negf " + value() + " : f32\n";
        break;
      case 1:
        body += "    %q" + std::to_string(step) + " = arith.mulf " + value() +
                ", %c : f32\n    %p" + std::to_string(step) +
                " = arith.mulf %q" + std::to_string(step) + ", %q" +
                std::to_string(step) + " : f32\n    " + name +
                " = math.sqrt %p" + std::to_string(step) + " : f32\n";
        break;
      case 2:
        body += "    %z" + std::to_string(step) +
                " = arith.constant 0.0 : f32\n    " + name +
                " = arith.maximumf " + value() + ", %z" + std::to_string(step) +
                " : f32\n";
        break;
      default:
        body += "    " + name + " = arith." +
                oneOf<std::string>({"addf", "subf", "mulf", "divf"}) + " " +
                value() + ", " + value() + " : f32\n";
      }
      values.push_back(name);
    }
    expectRaised(write(drawLoops(false), 3, "f32", "f32", body, "argument"));
    if (HasFailure())
      return;
  }
}

// Integers wrap.
TEST_F(RaiseGeneric, integers) {
  for (int i = 0; i < 60; ++i) {
    std::string body = "    %d = arith.subi %x0, %x1 : i8\n"
                       "    %m = arith.muli %d, %x2 : i8\n"
                       "    %z = arith.constant 0 : i8\n"
                       "    %a = arith.addi %m, %x0 : i8\n"
                       "    %r = arith.maxsi %z, %a : i8\n";
    expectRaised(write(drawLoops(false), 3, "i8", "i8", body, "0"));
    if (HasFailure())
      return;
  }
}

// Bodies that hand an element on: movement by any indices, of any type.
TEST_F(RaiseGeneric, movement) {
  for (int i = 0; i < 200; ++i) {
    std::string type = oneOf<std::string>({"f32", "i64", "bf16", "i8"});
    Loops loops = drawLoops(false);
    std::string program = write(loops, 1, type, type, "", "argument");
    size_t at = program.find("linalg.yield %r");
    program.replace(at, strlen("linalg.yield %r"), "linalg.yield %x0");
    expectRaised(program);
    EXPECT_EQ(summary[RaisedKind::Movement], 1);
    if (HasFailure())
      return;
  }
}

//===----------------------------------------------------------------------===//
// What stays
//===----------------------------------------------------------------------===//

TEST_F(RaiseGeneric, reasons) {
  auto program = [](StringRef map, StringRef body) {
    return "func.func @main(%x: tensor<6xf32>, %i: tensor<6xf32>)"
           " -> tensor<6xf32> {\n"
           "%0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (" +
           map.str() +
           ")>, affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}"
           " ins(%x : tensor<6xf32>) outs(%i : tensor<6xf32>) {\n"
           "^bb0(%a: f32, %o: f32):\n" +
           body.str() + "} -> tensor<6xf32>\nreturn %0 : tensor<6xf32>\n}\n";
  };
  EXPECT_EQ(reasonOf(program("d0 floordiv 2", "linalg.yield %a : f32\n")),
            "dimension 0 of operand 0 is not indexed by a sum of loops");
  EXPECT_EQ(reasonOf(program("d0", "%r = math.exp %a : f32\n"
                                   "linalg.yield %r : f32\n")),
            "it computes math.exp, which is not a compute kind");
  EXPECT_EQ(reasonOf(program("d0", "%r = arith.maximumf %a, %o : f32\n"
                                   "linalg.yield %r : f32\n")),
            "it takes the greater of two values, which no compute kind does "
            "unless one is zero");
  EXPECT_EQ(reasonOf(program("d0", "%j = linalg.index 0 : index\n"
                                   "%k = arith.index_cast %j : index to i32\n"
                                   "%r = arith.sitofp %k : i32 to f32\n"
                                   "linalg.yield %r : f32\n")),
            "its body reads the index of a loop");
  auto reduction = [](StringRef type, StringRef size, StringRef op) {
    return ("func.func @main(%x: tensor<" + size + "x" + type +
            ">, %i: tensor<" + type + ">) -> tensor<" + type +
            "> {\n"
            "  %0 = linalg.reduce { arith." +
            op + " } ins(%x : tensor<" + size + "x" + type +
            ">) outs(%i : tensor<" + type +
            ">) dimensions = [0]\n"
            "  return %0 : tensor<" +
            type + ">\n}\n")
        .str();
  };
  EXPECT_EQ(reasonOf(reduction("f32", "6", "maxnumf")),
            "it reduces by arith.maxnumf, which ignores NaN; reduce_max keeps "
            "it");
  EXPECT_EQ(reasonOf(reduction("f32", "6", "minnumf")),
            "it reduces by arith.minnumf, which ignores NaN; reduce_max keeps "
            "it");
  EXPECT_EQ(reasonOf(reduction("i8", "6", "ori")),
            "it reduces by arith.ori, which no compute kind does");
  EXPECT_EQ(reasonOf(reduction("f32", "65", "mulf")),
            "it multiplies 65 elements, and a tuple is written for 1 to 64");
  EXPECT_EQ(reasonOf(reduction("f32", "0", "mulf")),
            "it multiplies 0 elements, and a tuple is written for 1 to 64");
  EXPECT_EQ(reasonOf(reduction("f32", "?", "mulf")),
            "it multiplies ? elements, a number that is unknown at compile "
            "time");
  EXPECT_EQ(reasonOf(reduction("i1", "6", "maxui")),
            "its arithmetic is on elements of type i1");
  EXPECT_EQ(reasonOf("func.func @main(%x: tensor<3x5xi8>, %y: tensor<5x7xi8>, "
                     "%i: tensor<3x7xi32>) -> tensor<3x7xi32> {\n"
                     "  %0 = linalg.matmul {cast = "
                     "#linalg.type_fn<cast_unsigned>} ins(%x, %y : "
                     "tensor<3x5xi8>, tensor<5x7xi8>) outs(%i : "
                     "tensor<3x7xi32>) -> tensor<3x7xi32>\n"
                     "  return %0 : tensor<3x7xi32>\n}\n"),
            "it extends integers without their sign (arith.extui), an "
            "accumulator with it");
}

} // namespace
