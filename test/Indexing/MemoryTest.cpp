//===- MemoryTest.cpp - What loads and stores touch -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses as text, and as the set of numbers that naive loops touch.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "TensorAccess/Models/Indexing.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class Memory : public OracleTest {
protected:
  /// The access of the op with the attribute `check`.
  MemoryAccess get(StringRef text) {
    Operation *op = parse(text);
    std::optional<MemoryAccess> access;
    if (op)
      access = getMemoryAccess(op);
    EXPECT_TRUE(access) << text.str();
    return access ? *access
                  : MemoryAccess::unknown(op, false, Value(),
                                          IndexingReason::NoModel);
  }
  std::string map(StringRef text) { return get(text).map.str(); }
  std::string numbers(StringRef text) { return get(text).numbers.str(); }
  IndexingReason reason(StringRef text) {
    MemoryAccess access = get(text);
    EXPECT_TRUE(access.reason == IndexingReason::None ||
                (access.map.isUnknown() && access.numbers.isUnknown()));
    return access.reason;
  }
  /// All numbers that the access touches.
  std::set<int64_t> touched(StringRef text) {
    std::set<int64_t> result;
    IndexingMap numbers = get(text).numbers;
    EXPECT_EQ(enumerate(numbers,
                        [&](ArrayRef<int64_t>, ArrayRef<int64_t> number) {
                          result.insert(number[0]);
                          return true;
                        }),
              EnumerateStatus::Ok)
        << numbers.str();
    return result;
  }
};

TEST_F(Memory, LoopsAndArithmetic) {
  MemoryAccess access = get(R"((%m: memref<20x30xf32>, %f: f32) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c10 = arith.constant 10 : index
    scf.for %i = %c0 to %c10 step %c2 {
      scf.for %j = %c0 to %i step %c2 {
        %a = arith.muli %i, %c2 : index
        %b = arith.addi %a, %j : index
        %q = arith.divui %b, %c7 : index
        %r = arith.remui %b, %c7 : index
        memref.store %f, %m[%q, %r] {check} : memref<20x30xf32>
      }
    }
    return
  })");
  EXPECT_TRUE(access.isStore);
  EXPECT_EQ(access.elementBits, 32);
  ASSERT_EQ(access.dims.size(), 2u);
  EXPECT_EQ(access.dims[1].kind, MemoryDim::Kind::Loop);
  std::set<Point> expected, found;
  for (int i = 0; i < 10; i += 2)
    for (int j = 0; j < i; j += 2)
      expected.insert({i, j, (2 * i + j) / 7, (2 * i + j) % 7});
  ASSERT_EQ(enumerate(access.map,
                      [&](ArrayRef<int64_t> p, ArrayRef<int64_t> r) {
                        found.insert({p[0], p[1], r[0], r[1]});
                        return true;
                      }),
            EnumerateStatus::Ok);
  EXPECT_EQ(found, expected) << access.map.str();
}

TEST_F(Memory, GpuLaunch) {
  EXPECT_EQ(map(R"((%m: memref<1000xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    %c1000 = arith.constant 1000 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
      %0 = arith.muli %bx, %sx : index
      %1 = arith.addi %0, %tx : index
      %in = arith.cmpi ult, %1, %c1000 : index
      scf.if %in {
        %v = memref.load %m[%1] {check} : memref<1000xf32>
      }
      gpu.terminator
    }
    return
  })"),
            "(block_x, thread_x) -> (block_x * 128 + thread_x), domain: "
            "block_x in [0, 7], thread_x in [0, 127], block_x * 128 + "
            "thread_x in [0, 999]");
}

TEST_F(Memory, GpuFunctionsAndBounds) {
  // Sizes that are known count, used or not; others by their upper bound.
  EXPECT_EQ(map(R"((%m: memref<64x64xf32>)
      attributes {gpu.known_block_size = array<i32: 32, 2, 1>} {
    %tx = gpu.thread_id x
    %bx = gpu.block_id x upper_bound 4
    %bd = gpu.block_dim y
    %i = arith.muli %bx, %bd : index
    %v = memref.load %m[%i, %tx] {check} : memref<64x64xf32>
    return
  })"),
            "(block_x, thread_x, thread_y) -> (block_x * 2, thread_x), domain: "
            "block_x in [0, 3], thread_x in [0, 31], thread_y in [0, 1]");
  EXPECT_EQ(map(R"((%m: memref<64xf32>) {
    %g = gpu.global_id x upper_bound 64
    %v = memref.load %m[%g] {check} : memref<64xf32>
    return
  })"),
            "(global_x) -> (global_x), domain: global_x in [0, 63]");
  EXPECT_EQ(reason(R"((%m: memref<64xf32>) {
    %g = gpu.global_id x upper_bound 64
    %t = gpu.thread_id x upper_bound 64
    %i = arith.addi %g, %t : index
    %v = memref.load %m[%i] {check} : memref<64xf32>
    return
  })"),
            IndexingReason::UnsupportedForm);
  EXPECT_EQ(map(R"((%m: memref<64xf32>) {
    %l = gpu.lane_id upper_bound 32
    %s = gpu.subgroup_id upper_bound 2 : index
    %i = affine.linearize_index [%s, %l] by (2, 32) : index
    %v = memref.load %m[%i] {check} : memref<64xf32>
    return
  })"),
            "(subgroup, lane) -> (subgroup * 32 + lane), domain: subgroup in "
            "[0, 1], lane in [0, 31]");
}

TEST_F(Memory, GpuIdsOfKnownBlocks) {
  // One number of a thread among all, or in its block, is a form of the ids.
  EXPECT_EQ(map(R"((%m: memref<1024xf32>)
      attributes {known_block_size = array<i32: 64, 1, 1>,
                  known_grid_size = array<i32: 8, 1, 1>} {
    %g = gpu.global_id x
    %v = memref.load %m[%g] {check} : memref<1024xf32>
    return
  })"),
            "(block_x, thread_x) -> (block_x * 64 + thread_x), domain: block_x "
            "in [0, 7], thread_x in [0, 63]");
  EXPECT_EQ(map(R"((%m: memref<1024xf32>)
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %g = gpu.global_id x
    %v = memref.load %m[%g] {check} : memref<1024xf32>
    return
  })"),
            "(block_x, thread_x) -> (block_x * 64 + thread_x), domain: block_x "
            "in [0, inf], thread_x in [0, 63]");
  EXPECT_EQ(map(R"((%m: memref<64xf32>)
      attributes {known_block_size = array<i32: 16, 6, 1>} {
    %l = gpu.lane_id upper_bound 32
    %v = memref.load %m[%l] {check} : memref<64xf32>
    return
  })"),
            "(thread_x, thread_y) -> (thread_x + (thread_y mod 2) * 16), "
            "domain: thread_x in [0, 15], thread_y in [0, 5]");
  // How many lanes a subgroup has is not given.
  EXPECT_EQ(map(R"((%m: memref<64xf32>)
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %s = gpu.subgroup_id upper_bound 3 : index
    %v = memref.load %m[%s] {check} : memref<64xf32>
    return
  })"),
            "(thread_x){rt0} -> (rt0), domain: thread_x in [0, 95], rt0 in "
            "[0, 2]");
  EXPECT_EQ(map(R"((%m: memref<64xf32>)
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %l = gpu.lane_id
    %v = memref.load %m[%l] {check} : memref<64xf32>
    return
  })"),
            "(thread_x){rt0} -> (rt0), domain: thread_x in [0, 95], rt0 in "
            "[0, 63]");
}

TEST_F(Memory, LoadedIndicesAreInside) {
  EXPECT_EQ(map(R"((%p: memref<64xi32>, %m: memref<1024x8xf32>) {
    %c3 = arith.constant 3 : index
    %i = memref.load %p[%c3] : memref<64xi32>
    %j = arith.index_cast %i : i32 to index
    %v = memref.load %m[%j, %c3] {check} : memref<1024x8xf32>
    return
  })"),
            "(){rt0} -> (rt0, 3), domain: rt0 in [0, 1023]");
  EXPECT_EQ(map(R"((%p: memref<64xi8>, %m: memref<1024xf32>) {
    %c3 = arith.constant 3 : index
    %i = memref.load %p[%c3] : memref<64xi8>
    %j = arith.index_cast %i : i8 to index
    %v = memref.load %m[%j] {check} : memref<1024xf32>
    return
  })"),
            "(){rt0} -> (rt0), domain: rt0 in [0, 127]");
}

TEST_F(Memory, Affine) {
  EXPECT_EQ(map(R"((%m: memref<100xf32>) {
    affine.for %i = 0 to 10 {
      affine.for %j = affine_map<(d0) -> (d0)>(%i) to
                      min affine_map<(d0) -> (d0 + 4, 10)>(%i) {
        %v = affine.load %m[%i * 10 + %j] {check} : memref<100xf32>
      }
    }
    return
  })"),
            "(i0, i1) -> (i0 * 10 + i1), domain: i0 in [0, 9], i1 in [0, 9], "
            "i0 - i1 in [-3, 0]");
  EXPECT_EQ(map(R"((%m: memref<10x10xf32>) {
    affine.parallel (%i, %j) = (0, 2) to (10, 8) step (5, 1) {
      affine.if affine_set<(d0, d1) : (d1 - d0 >= 0)>(%i, %j) {
      } else {
        %v = affine.load %m[%i, %j] {check} : memref<10x10xf32>
      }
    }
    return
  })"),
            "(i0, i1) -> (5, i1), domain: i0 in [5, 5], i1 in [2, 4]");
  EXPECT_EQ(
      map(R"((%m: memref<4x5x6xf32>) {
    affine.for %x = 0 to 120 {
      %i:3 = affine.delinearize_index %x into (4, 5, 6) : index, index, index
      %a = affine.min affine_map<(d0) -> (d0, 2)>(%i#0)
      %b = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i#1)[%a]
      %v = memref.load %m[%a, %i#1, %i#2] {check} : memref<4x5x6xf32>
    }
    return
  })"),
      "(i0) -> (min(i0 floordiv 30, 2), (i0 floordiv 6) mod 5, i0 mod 6), "
      "domain: i0 in [0, 119]");
}

TEST_F(Memory, Vectors) {
  EXPECT_EQ(map(R"((%m: memref<8x16xf32>) {
    %c4 = arith.constant 4 : index
    %v = vector.load %m[%c4, %c4] {check} : memref<8x16xf32>, vector<2x8xf32>
    return
  })"),
            "()[v0, v1] -> (v0 + 4, v1 + 4), domain: v0 in [0, 1], v1 in [0, "
            "7]");
  // A transposed read with a broadcast; one dimension may leave the memref.
  EXPECT_EQ(map(R"((%m: memref<8x16xf32>, %p: f32) {
    %c0 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    %v = vector.transfer_read %m[%c6, %c0], %p {check,
           permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>,
           in_bounds = [true, true, false]}
         : memref<8x16xf32>, vector<4x3x5xf32>
    return
  })"),
            "()[v0, v1, v2] -> (v2 + 6, v0), domain: v0 in [0, 3], v1 in [0, "
            "2], v2 in [0, 1]");
  EXPECT_EQ(map(R"((%m: memref<8x16xf32>, %v: vector<4x5xf32>) {
    %c0 = arith.constant 0 : index
    %mask = vector.constant_mask [2, 3] : vector<5x4xi1>
    vector.transfer_write %v, %m[%c0, %c0], %mask {check,
           permutation_map = affine_map<(d0, d1) -> (d1, d0)>,
           in_bounds = [true, true]} : vector<4x5xf32>, memref<8x16xf32>
    return
  })"),
            "()[v0, v1] -> (v1, v0), domain: v0 in [0, 2], v1 in [0, 1]");
  EXPECT_EQ(map(R"((%m: memref<64xf32>, %p: vector<8xf32>) {
    affine.for %i = 0 to 64 step 8 {
      %left = affine.apply affine_map<(d0) -> (60 - d0)>(%i)
      %mask = vector.create_mask %left : vector<8xi1>
      %v = vector.maskedload %m[%i], %mask, %p {check}
         : memref<64xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    }
    return
  })"),
            "(i0)[v0] -> (i0 + v0), domain: i0 in [0, 56], v0 in [0, 7], i0 + "
            "v0 in [0, 59], i0 mod 8 in [0, 0]");
  EXPECT_EQ(map(R"((%m: memref<64xf32>, %p: vector<4xf32>) {
    %c1 = arith.constant 1 : index
    %at = arith.constant dense<[2, 5, 8, 11]> : vector<4xi32>
    %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
    %v = vector.gather %m[%c1][%at], %mask, %p {check}
       : memref<64xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
         into vector<4xf32>
    return
  })"),
            "()[v0] -> (v0 * 3 + 3), domain: v0 in [0, 2]");
}

TEST_F(Memory, Views) {
  // m[1 + 2·(i + 3), 2 + v] of a transposed, reshaped subview.
  StringRef text = R"((%m: memref<24x10xf32>) {
    %c0 = arith.constant 0 : index
    %s = memref.subview %m[1, 2] [8, 6] [2, 1]
       : memref<24x10xf32> to memref<8x6xf32, strided<[20, 1], offset: 12>>
    %e = memref.expand_shape %s [[0, 1], [2]] output_shape [2, 4, 6]
       : memref<8x6xf32, strided<[20, 1], offset: 12>>
         into memref<2x4x6xf32, strided<[80, 20, 1], offset: 12>>
    %t = memref.transpose %e (i, j, k) -> (k, i, j)
       : memref<2x4x6xf32, strided<[80, 20, 1], offset: 12>>
         to memref<6x2x4xf32, strided<[1, 80, 20], offset: 12>>
    affine.for %i = 0 to 6 {
      affine.for %j = 0 to 2 {
        %v = affine.load %t[%i, %j, 3] {check}
           : memref<6x2x4xf32, strided<[1, 80, 20], offset: 12>>
      }
    }
    return
  })";
  EXPECT_EQ(map(text), "(i0, i1) -> (i1 * 8 + 7, i0 + 2), domain: i0 in [0, "
                       "5], i1 in [0, 1]");
  EXPECT_EQ(numbers(text), "(i0, i1) -> (i0 + i1 * 80 + 72), domain: i0 in "
                           "[0, 5], i1 in [0, 1]");
  MemoryAccess access = get(text);
  EXPECT_EQ(access.base,
            module->lookupSymbol<FunctionOpInterface>("f").getArgument(0));
  // Rank-reducing, dynamic offset, collapsed.
  EXPECT_EQ(map(R"((%m: memref<6x4x5xi8>, %n: index) {
    %s = memref.subview %m[%n, 0, 0] [1, 4, 5] [1, 1, 1]
       : memref<6x4x5xi8> to memref<4x5xi8, strided<[5, 1], offset: ?>>
    %c = memref.collapse_shape %s [[0, 1]]
       : memref<4x5xi8, strided<[5, 1], offset: ?>>
         into memref<20xi8, strided<[1], offset: ?>>
    affine.for %i = 0 to 20 {
      %v = affine.load %c[%i] {check} : memref<20xi8, strided<[1], offset: ?>>
    }
    return
  })"),
            "(i0){rt0} -> (rt0, i0 floordiv 5, i0 mod 5), domain: i0 in [0, "
            "19], rt0 in [-inf, inf]");
  // One place has any stride, and it does not matter which one was dropped.
  EXPECT_EQ(map(R"((%m: memref<6x8x5xi8>, %n: index, %s: index) {
    %v = memref.subview %m[2, %n, 1] [1, 1, 3] [%s, 1, 1]
       : memref<6x8x5xi8> to memref<1x3xi8, strided<[?, 1], offset: ?>>
    affine.for %i = 0 to 3 {
      %x = affine.load %v[0, %i] {check}
         : memref<1x3xi8, strided<[?, 1], offset: ?>>
    }
    return
  })"),
            "(i0){rt0} -> (2, rt0, i0 + 1), domain: i0 in [0, 2], rt0 in "
            "[-inf, inf]");
  EXPECT_EQ(map(R"((%m: memref<6x8x5xi8>, %s: index) {
    %v = memref.subview %m[2, 1, 3] [1, 4, 1] [%s, 2, %s]
       : memref<6x8x5xi8> to memref<1x4x1xi8, strided<[?, 10, ?], offset: 88>>
    affine.for %i = 0 to 4 {
      affine.for %j = 0 to 1 {
        %x = affine.load %v[%j, %i, %j] {check}
           : memref<1x4x1xi8, strided<[?, 10, ?], offset: 88>>
      }
    }
    return
  })"),
            "(i0, i1) -> (2, i0 * 2 + 1, 3), domain: i0 in [0, 3], i1 in [0, "
            "0]");
  access = get(R"((%m: memref<100xf32>) {
    %r = memref.reinterpret_cast %m to offset: [3], sizes: [4, 5],
           strides: [20, 2]
       : memref<100xf32> to memref<4x5xf32, strided<[20, 2], offset: 3>>
    affine.for %i = 0 to 4 {
      %v = affine.load %r[%i, 1] {check}
         : memref<4x5xf32, strided<[20, 2], offset: 3>>
    }
    return
  })");
  EXPECT_TRUE(access.isNumber);
  EXPECT_EQ(access.map.str(), "(i0) -> (i0 * 20 + 5), domain: i0 in [0, 3]");
}

TEST_F(Memory, Widths) {
  auto bits = [&](StringRef type) {
    return get(("(%m: memref<4x" + type +
                ">) {\n"
                "%c0 = arith.constant 0 : index\n"
                "%v = memref.load %m[%c0] {check} : memref<4x" +
                type + ">\nreturn }")
                   .str())
        .elementBits;
  };
  EXPECT_EQ(bits("f64"), 64);
  EXPECT_EQ(bits("i1"), 8);
  EXPECT_EQ(bits("bf16"), 16);
  EXPECT_EQ(bits("index"), 64);
  EXPECT_EQ(bits("complex<f32>"), 64);
  EXPECT_EQ(bits("vector<4xf32>"), 128);
}

TEST_F(Memory, NarrowIntegersMayWrap) {
  auto text = [](StringRef flags) {
    return ("(%m: memref<1000xf32>) {\n"
            "%c3 = arith.constant 100 : i8\n"
            "affine.for %i = 0 to 100 {\n"
            "%n = arith.index_cast %i : index to i8\n"
            "%s = arith.addi %n, %c3 " +
            flags +
            " : i8\n"
            "%x = arith.index_cast %s : i8 to index\n"
            "%v = memref.load %m[%x] {check} : memref<1000xf32>\n"
            "}\nreturn }")
        .str();
  };
  EXPECT_EQ(map(text("overflow<nsw>")),
            "(i0) -> (i0 + 100), domain: i0 in [0, 99]");
  EXPECT_EQ(map(text("")), "(i0){rt0} -> (rt0), domain: i0 in [0, 99], rt0 in "
                           "[0, 127]");
}

TEST_F(Memory, WhatIsUnknownHasAReason) {
  EXPECT_EQ(reason(R"((%m: memref<9xf32>, %c: i1) {
    scf.if %c {
      %c0 = arith.constant 0 : index
      %v = memref.load %m[%c0] {check} : memref<9xf32>
    }
    return
  })"),
            IndexingReason::ControlFlow);
  EXPECT_EQ(reason(R"((%m: memref<9xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    scf.for %i = %c0 to %n step %n {
      %v = memref.load %m[%i] {check} : memref<9xf32>
    }
    return
  })"),
            IndexingReason::DynamicShape);
  EXPECT_EQ(reason(R"((%m: memref<9xf32>, %p: f32, %n: vector<4xi1>) {
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %m[%c0], %p, %n {check} : memref<9xf32>, vector<4xf32>
    return
  })"),
            IndexingReason::NotAffine);
  EXPECT_EQ(reason(R"((%m: memref<9xf32>) {
    %c0 = arith.constant 0 : index
    %v = vector.load %m[%c0] {check} : memref<9xf32>, vector<[4]xf32>
    return
  })"),
            IndexingReason::DynamicShape);
  EXPECT_EQ(reason(R"((%m: memref<9xf32>, %n: index, %c: i1) {
    cf.cond_br %c, ^a, ^b
  ^a:
    %v = memref.load %m[%n] {check} : memref<9xf32>
    cf.br ^b
  ^b:
    return
  })"),
            IndexingReason::ControlFlow);
  EXPECT_EQ(reason(R"((%m: memref<?xf32>, %p: f32) {
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %m[%c0], %p {check} : memref<?xf32>, vector<4xf32>
    return
  })"),
            IndexingReason::DynamicShape);
  // The index is known, its number in memory is not.
  MemoryAccess access = get(R"((%m: memref<?x?xf32>) {
    affine.for %i = 0 to 4 {
      %v = affine.load %m[%i, 1] {check} : memref<?x?xf32>
    }
    return
  })");
  EXPECT_EQ(access.map.str(), "(i0) -> (i0, 1), domain: i0 in [0, 3]");
  EXPECT_TRUE(access.numbers.isUnknown());
}

TEST_F(Memory, OpsThatTouchNoMemory) {
  Operation *op = parse(R"((%a: f32) {
    %r = arith.addf %a, %a {check} : f32
    return
  })");
  EXPECT_FALSE(getMemoryAccess(op));
}

TEST_F(Memory, ParallelLoops) {
  std::set<int64_t> expected;
  for (int i = 1; i < 8; i += 3)
    for (int j = 0; j < 4; ++j)
      expected.insert(i * 10 + j);
  EXPECT_EQ(touched(R"((%m: memref<8x10xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    scf.parallel (%i, %j) = (%c1, %c0) to (%c8, %c4) step (%c3, %c1) {
      %v = memref.load %m[%i, %j] {check} : memref<8x10xf32>
    }
    return
  })"),
            expected);
  EXPECT_EQ(touched(R"((%m: memref<8x10xf32>) {
    scf.forall (%i, %j) = (1, 0) to (8, 4) step (3, 1) {
      %v = memref.load %m[%i, %j] {check} : memref<8x10xf32>
    }
    return
  })"),
            expected);
}

TEST_F(Memory, LaunchesOfDynamicSizes) {
  EXPECT_EQ(
      map(R"((%m: memref<?xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %g = arith.ceildivsi %n, %c128 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %g, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
      %0 = arith.muli %bx, %sx : index
      %1 = arith.addi %0, %tx : index
      %v = memref.load %m[%1] {check} : memref<?xf32>
      gpu.terminator
    }
    return
  })"),
      "(block_x, thread_x){rt0} -> (block_x * 128 + thread_x), domain: "
      "block_x in [0, (rt0 + 127) floordiv 128 - 1], thread_x in [0, 127], "
      "rt0 in [-inf, inf]");
}

} // namespace
