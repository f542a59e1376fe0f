//===- AccessOpsTest.cpp - Maps of access ops against their kernels -------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For an op that moves elements the oracle is its own kernel: operands are
// filled with markers that are all different, so that an element of the result
// tells where it comes from. Both directions of the maps must say the same.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "TensorAccess/Core/Systolic.h"
#include "TensorAccess/IR/Evaluate.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

constexpr int64_t kOperandStep = 100000;

class AccessOps : public OracleTest {
protected:
  static std::string typeOf(StringRef shape) {
    bool isScalar = shape.ends_with("|");
    return ("!tensoraccess.access<" + shape + (isScalar ? " " : "x") + "i64>")
        .str();
  }

  /// `op` is the text of an op on %p0, %p1, … up to its types. These are given
  /// as their shapes; all elements are i64, and what is not a marker in the
  /// result is negative.
  void checkMovement(ArrayRef<const char *> operands, StringRef shape,
                     StringRef name) {
    std::string arguments, types;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      std::string type = typeOf(operand), comma = i ? ", " : "";
      arguments += comma + "%p" + std::to_string(i) + ": " + type;
      types += comma + type;
    }
    std::string text = "(" + arguments + ") {\n  %r = tensoraccess." +
                       name.str() + " {check} : " + types + " -> " +
                       typeOf(shape) + "\n  return\n}";
    Operation *op = parse(text);
    if (!op)
      return;
    SmallVector<AccessPattern> patterns;
    SmallVector<std::vector<Point>> places;
    for (Type type : op->getOperandTypes()) {
      auto access = cast<AccessType>(type);
      int64_t first = patterns.size() * kOperandStep;
      Tensor tensor =
          llvm::cantFail(Tensor::create(ElementType::I64, access.getShape()));
      places.emplace_back();
      forEach(access.getShape(), [&](const Point &x) {
        tensor.setInt(x, first + places.back().size());
        places.back().push_back(x);
      });
      patterns.push_back(AccessPattern(tensor, access.getAccessRank()));
    }
    llvm::Expected<AccessPattern> result = evaluateAccessOp(op, patterns);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    Tensor all = llvm::cantFail(result->join());
    auto type = cast<AccessType>(op->getResult(0).getType());
    ASSERT_EQ(SmallVector<int64_t>(all.getShape()), type.getShape());
    Reads reads;
    forEach(type.getShape(), [&](const Point &x) {
      int64_t marker = all.getInt(x);
      if (marker >= 0)
        reads[marker / kOperandStep].insert(
            {x, places[marker / kOperandStep][marker % kOperandStep]});
    });
    check(text, reads);
  }
};

TEST_F(AccessOps, PairAndProduct) {
  checkMovement({"3x2 | 5", "3x2 | 5"}, "3x2 | 2x5", "pair %p0, %p1");
  checkMovement({"3 | 5", "2x4 | 5"}, "3x2x4 | 2x5", "cart_prod %p0, %p1");
}

// In the item, along an access dimension, and along a tuple.
TEST_F(AccessOps, Concat) {
  checkMovement({"3 | 5", "3 | 2", "3 | 4"}, "3 | 11",
                "concat %p0, %p1, %p2 axis 1");
  checkMovement({"3 | 5", "0 | 5", "1 | 5"}, "4 | 5",
                "concat %p0, %p1, %p2 axis 0");
  checkMovement({"3 | 2x5", "3 | 1x5"}, "3 | 3x5", "concat %p0, %p1 axis 1");
}

TEST_F(AccessOps, Slice) {
  checkMovement({"7 | 9"}, "3 | 4",
                "slice %p0 offsets = [1, 2] sizes = [3, 4]");
  checkMovement({"7 | 9"}, "3 | 4",
                "slice %p0 offsets = [6, 1] sizes = [3, 4] strides = [-2, 2]");
  checkMovement({"7 | 9"}, "0 | 4",
                "slice %p0 offsets = [7, 1] sizes = [0, 4]");
  checkMovement({"7 | 9"}, "1 | 1",
                "slice %p0 offsets = [3, 8] sizes = [1, 1] strides = [1, -9]");
}

// Every policy at both ends, more than once around, and in two dimensions.
TEST_F(AccessOps, SliceOutOfBounds) {
  for (std::string policy : {"wrap", "clamp", "pad(-1)"})
    for (auto [size, places] :
         {std::pair("| 17", "offsets = [-6] sizes = [17]"),
          std::pair("| 8", "offsets = [9] sizes = [8] strides = [-2]"),
          std::pair("| 4", "offsets = [7] sizes = [4] strides = [3]")}) {
      std::string op =
          std::string("slice %p0 ") + places + " oob = [" + policy + "]";
      checkMovement({"| 5"}, size, op);
    }
  checkMovement({"| 5"}, "| 10",
                "slice %p0 offsets = [-5] sizes = [10] "
                "oob = [negative]");
  checkMovement({"3 | 5"}, "5 | 7",
                "slice %p0 offsets = [-1, -1] sizes = [5, 7] "
                "oob = [wrap, pad(-1)]");
  // Nothing but padding, for want of elements.
  checkMovement({"3 | 0"}, "3 | 2",
                "slice %p0 offsets = [0, -1] sizes = [3, 2] "
                "oob = [forbid, pad(-1)]");
}

TEST_F(AccessOps, Others) {
  checkMovement({"1x3 | 1x1"}, "4x3 | 1x5", "broadcast %p0");
  checkMovement({"3x4 | 5"}, "3 | 4x5", "shift_right %p0");
  checkMovement({"3 | 5x1"}, "5 | 14x4",
                "pad %p0 low = [0, 1, 2] high = [2, 0, 1] "
                "interior = [0, 2, 3] value = -1 : i64");
  checkMovement({"2 | 7x5"}, "2x3x3 | 3x2",
                "windows %p0 shape = [3, 2] strides = [2, 1] "
                "dilations = [1, 2]");
  checkMovement({"4x6 | 5"}, "3x8 | 5x1", "reshape %p0");
  checkMovement({"4x6 | 5x2"}, "24 | 10", "flatten %p0");
  checkMovement({"4x6 | 5x2"}, "5x2 | 6x4",
                "transpose %p0 perm = [2, 3, 1, 0]");
  checkMovement({"4x1 | 5x2"}, "4 | 5x2", "squeeze %p0 axis 1");
  checkMovement({"4 | 5x2"}, "4x1 | 5x2", "insert_axis %p0 axis 1");
  checkMovement({"4 | 5x2"}, "4 | 5x2", "materialize %p0");
}

// A kind with an item depends on all of it, softmax at every place.
TEST_F(AccessOps, Compute) {
  Reads softmax, reduce, same, divided;
  forEach({3, 2, 5}, [&](const Point &i) {
    reduce[0].insert({{i[0]}, i});
    same[0].insert({i, i});
    divided[0].insert({{i[0], i[2]}, i});
    forEach({2, 5}, [&](const Point &s) {
      softmax[0].insert({{i[0], s[0], s[1]}, i});
    });
  });
  auto text = [](const char *kind, const char *result) {
    return std::string("(%x: !tensoraccess.access<3 | 2x5xf32>) {\n"
                       "  %r = tensoraccess.compute ") +
           kind +
           " {check} : !tensoraccess.access<3 | 2x5xf32> -> "
           "!tensoraccess.access<" +
           result + ">\n  return\n}";
  };
  check(text("reduce_mean %x", "3 | f32"), reduce);
  check(text("dot_prod %x accumulator = f64", "3 | f64"), reduce);
  check(text("elementwise_div %x", "3 | 5xf32"), divided);
  check(text("sqrt %x", "3 | 2x5xf32"), same);
  check(text("negative %x", "3 | 2x5xf32"), same);
  check(text("softmax %x", "3 | 2x5xf32"), softmax);
}

TEST_F(AccessOps, SystolicArray) {
  Reads reads;
  forEach({2, 3, 7, 5}, [&](const Point &i) {
    Point result = {i[0], i[1], i[2]};
    reads[0].insert({result, {i[0], i[1], i[3]}});
    reads[1].insert({result, {i[3], i[2]}});
  });
  check(R"((%a: !tensoraccess.access<2x3 | 5xf32>,
            %b: !tensoraccess.access<| 5x7xf32>) {
    %r = tensoraccess.systolic_array %a, %b rows = 5 cols = 7 {check}
       : !tensoraccess.access<2x3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
      -> !tensoraccess.access<2x3x7 | f32>
    return
  })",
        reads);
  // Blocks read the same.
  check(R"((%a: !tensoraccess.access<2x3 | 5xf32>,
            %b: !tensoraccess.access<| 5x7xf32>) {
    %r = tensoraccess.systolic_array %a, %b rows = 2 cols = 4 blocked
         {check}
       : !tensoraccess.access<2x3 | 5xf32>, !tensoraccess.access<| 5x7xf32>
      -> !tensoraccess.access<2x3x7 | f32>
    return
  })",
        reads);
}

TEST_F(AccessOps, Unknown) {
  EXPECT_EQ(getReason(R"((%a: !tensoraccess.access<| 8xf32>) {
    %r = tensoraccess.accelerator_call "f"(%a) {check}
       : (!tensoraccess.access<| 8xf32>) -> !tensoraccess.access<| 8xf32>
    return
  })"),
            IndexingReason::NoModel);
  // Three of any number, and a window over it.
  EXPECT_EQ(getReason(R"((%a: !tensoraccess.access<| ?xf32>) {
    %r = tensoraccess.slice %a offsets = [1] sizes = [3] {check}
       : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| 3xf32>
    return
  })"),
            IndexingReason::None);
  EXPECT_EQ(getReason(R"((%a: !tensoraccess.access<| ?xf32>) {
    %r = tensoraccess.windows %a shape = [3] strides = [1] {check}
       : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<? | 3xf32>
    return
  })"),
            IndexingReason::DynamicShape);
}

} // namespace
