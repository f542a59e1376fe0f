//===- CoalescingTest.cpp - How programs move memory ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/MemoryCoalescing.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

class CoalescingOf : public OracleTest {
protected:
  /// `lane: used of moved in accesses`, or why not.
  std::string show(StringRef text, CoalescingModel model = {}) {
    Operation *op = parse(text);
    std::optional<MemoryAccess> access;
    if (op)
      access = getMemoryAccess(op);
    if (!access)
      return "no access";
    AccessCoalescing c = getCoalescing(*access, model);
    if (!c.value)
      return c.reason;
    return c.lane + ": " + std::to_string(c.value->bytesUsed) + " of " +
           std::to_string(c.value->bytesMoved) + " in " +
           std::to_string(c.value->accesses);
  }
  std::string launch(StringRef body, int x, int y = 1,
                     StringRef type = "1024xf32", int blocks = 4) {
    return show(
        "(%m: memref<" + type.str() + ">, %n: index) {\n" +
        "%c1 = arith.constant 1 : index\n" + "%cx = arith.constant " +
        std::to_string(x) + " : index\n" + "%cy = arith.constant " +
        std::to_string(y) + " : index\n" + "%cb = arith.constant " +
        std::to_string(blocks) + " : index\n" +
        "gpu.launch blocks(%bx, %by, %bz) in (%gx = %cb, %gy = %c1, %gz = %c1)"
        " threads(%tx, %ty, %tz) in (%sx = %cx, %sy = %cy, %sz = %c1) {\n" +
        body.str() + "\ngpu.terminator\n}\nreturn }");
  }
};

TEST_F(CoalescingOf, Threads) {
  EXPECT_EQ(launch(R"(%i = affine.linearize_index [%bx, %tx] by (4, 256) : index
                      %v = memref.load %m[%i] {check} : memref<1024xf32>)",
                   256),
            "thread_x: 4096 of 4096 in 32");
  // Columns of a row-major matrix.
  EXPECT_EQ(launch(R"(%v = memref.load %m[%tx, %bx] {check}
                        : memref<32x100xf32>)",
                   32, 1, "32x100xf32"),
            "thread_x: 512 of 16384 in 4");
}

TEST_F(CoalescingOf, AWarpMayHoldSeveralRowsOfThreads) {
  // 16 threads a row: the two halves of a warp read rows 64 bytes apart, so
  // that they share transactions of 128 bytes.
  EXPECT_EQ(launch(R"(%v = memref.load %m[%ty, %tx] {check}
                        : memref<8x16xf32>)",
                   16, 8, "8x16xf32", 1),
            "thread: 512 of 512 in 4");
  EXPECT_EQ(launch(R"(%v = memref.load %m[%tx, %ty] {check}
                        : memref<16x8xf32>)",
                   16, 8, "16x8xf32", 1),
            "thread: 512 of 2048 in 4");
}

TEST_F(CoalescingOf, UniformRuntimeValues) {
  StringRef body = R"(%c0 = arith.constant 0 : index
                      %s = memref.subview %m[%n, 0] [1, 128] [1, 1]
                        : memref<64x128xf32>
                          to memref<128xf32, strided<[1], offset: ?>>
                      %v = memref.load %s[%tx] {check}
                        : memref<128xf32, strided<[1], offset: ?>>)";
  // Rows are aligned, whichever it is.
  EXPECT_EQ(launch(body, 128, 1, "64x128xf32", 1), "thread_x: 512 of 512 in 4");
  // A loaded index may differ from lane to lane.
  EXPECT_EQ(show(R"((%m: memref<64xf32>, %at: memref<64xindex>)
                    attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = memref.load %at[%t] : memref<64xindex>
    %v = memref.load %m[%i] {check} : memref<64xf32>
    return
  })"),
            "it depends on a runtime variable");
}

TEST_F(CoalescingOf, VectorsAndLoops) {
  // 32 bytes from 16 + 80i on: every fourth row crosses into a second
  // transaction of 64 bytes.
  EXPECT_EQ(show(R"((%m: memref<64x20xf32>) {
    affine.for %i = 0 to 64 {
      %v = affine.vector_load %m[%i, 4] {check}
         : memref<64x20xf32>, vector<8xf32>
    }
    return
  })",
                 {32, 64}),
            ": 2048 of 5120 in 64");
  // No vector: lanes of the innermost loop.
  EXPECT_EQ(show(R"((%m: memref<64x64xf32>) {
    affine.for %i = 0 to 64 {
      affine.for %j = 0 to 64 {
        %v = affine.load %m[%j, %i] {check} : memref<64x64xf32>
      }
    }
    return
  })",
                 {16, 64}),
            "i1: 16384 of 262144 in 256");
  EXPECT_EQ(show(R"((%m: memref<64xf32>) {
    affine.for %i = 0 to 64 step 4 {
      %v = affine.load %m[%i] {check} : memref<64xf32>
    }
    return
  })",
                 {16, 64}),
            ": 64 of 1024 in 16");
}

TEST_F(CoalescingOf, Reasons) {
  EXPECT_EQ(show(R"((%m: memref<64xf32>) {
    %t = gpu.thread_id x
    %v = memref.load %m[%t] {check} : memref<64xf32>
    return
  })"),
            "a variable has no end");
  EXPECT_EQ(show(R"((%m: memref<?x?xf32>) {
    affine.for %i = 0 to 64 {
      %v = affine.load %m[%i, 0] {check} : memref<?x?xf32>
    }
    return
  })"),
            "dynamic shape");
  EXPECT_EQ(show(R"((%m: memref<64xf32>, %c: i1) {
    %c0 = arith.constant 0 : index
    scf.if %c {
      %v = memref.load %m[%c0] {check} : memref<64xf32>
    }
    return
  })"),
            "control flow");
  EXPECT_EQ(show(R"((%m: memref<64xmemref<2xf32>>) {
    %c0 = arith.constant 0 : index
    %v = memref.load %m[%c0] {check} : memref<64xmemref<2xf32>>
    return
  })"),
            "the element type has no size");
  EXPECT_EQ(show(R"((%m: memref<f32>, %at: vector<4xi32>, %k: vector<4xi1>,
                     %p: vector<4xf32>) {
    %v = vector.gather %m[][%at], %k, %p {check}
       : memref<f32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
         into vector<4xf32>
    return
  })"),
            "unsupported form of the operation");
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

class ReadsOf : public OracleTest {
protected:
  /// `operand plan used of moved` for each operand.
  std::string show(StringRef text, ReadOptions options = {}) {
    Operation *op = parse(text);
    if (!op)
      return "";
    IndexingCache cache;
    std::string s;
    for (const OperandCoalescing &read :
         getReadCoalescing(op, cache, options)) {
      s += (s.empty() ? "" : "; ") + std::to_string(read.operand) + " " +
           describe(read.plan).str() + " ";
      if (read.value)
        s += std::to_string(read.value->bytesUsed) + " of " +
             std::to_string(read.value->bytesMoved);
      else
        s += read.reason;
    }
    return s;
  }
};

TEST_F(ReadsOf, ElementwiseInLayouts) {
  EXPECT_EQ(show(R"((%b: tensor<64x128xf32, #tensoraccess.layout<{0,1}>>) {
    %c = tensor.cast %b {check}
       : tensor<64x128xf32, #tensoraccess.layout<{0,1}>> to tensor<64x128xf32>
    return
  })"),
            "0 output 32768 of 1048576");
}

TEST_F(ReadsOf, Transposes) {
  StringRef text = R"((%a: tensor<64x32xf32>, %o: tensor<32x64xf32>) {
    %r = linalg.transpose ins(%a : tensor<64x32xf32>)
           outs(%o : tensor<32x64xf32>) permutation = [1, 0] {check}
    return
  })";
  ReadOptions options;
  EXPECT_EQ(show(text, options), "0 input 8192 of 8192");
  options.plan = ThreadPlan::Output;
  EXPECT_EQ(show(text, options), "0 output 8192 of 262144");
  options.plan = ThreadPlan::Auto;
  // One's own thread map: a thread reads a row of four.
  ParseError error;
  options.threadMap = IndexingMap::parse(
      "(t, b)[v] -> (t * 4 + v, b), domain: t in [0, 7], b in [0, 63], v in "
      "[0, 3]",
      error);
  ASSERT_TRUE(options.threadMap);
  EXPECT_EQ(show(text, options), "0 given 8192 of 8192");
}

TEST_F(ReadsOf, ThreadMapAttribute) {
  EXPECT_EQ(show(R"((%a: tensor<64x32xf32>, %o: tensor<32x64xf32>) {
    %r = linalg.transpose {check, tensoraccess.thread_map =
             #tensoraccess.indexing_map<(t, b) -> (b, t), domain: t in [0, 63],
                                        b in [0, 31]>}
           ins(%a : tensor<64x32xf32>)
           outs(%o : tensor<32x64xf32>) permutation = [1, 0]
    return
  })"),
            "0 given 8192 of 262144");
}

TEST_F(ReadsOf, ReductionsByTheirShape) {
  auto reduce = [&](StringRef in, StringRef out, int dim) {
    return show(("(%a: tensor<" + in + "xf32>, %o: tensor<" + out +
                 "xf32>) {\n%r = linalg.reduce {arith.addf} ins(%a : tensor<" +
                 in + "xf32>) outs(%o : tensor<" + out +
                 "xf32>) dimensions = [" + Twine(dim) + "] {check}\nreturn }")
                    .str());
  };
  auto plan = [&](StringRef in, StringRef out, int dim) {
    std::string all = reduce(in, out, dim);
    return StringRef(all)
        .split(';')
        .first.split(' ')
        .second.split(' ')
        .first.str();
  };
  EXPECT_EQ(plan("10x64x512", "10x64", 2), "input"); // rows
  EXPECT_EQ(plan("10x64x4", "10x64", 2), "input");   // several rows a warp
  EXPECT_EQ(plan("10x64x5", "10x64", 2), "output");  // 5 does not divide 32
  EXPECT_EQ(plan("10x64x32", "10x32", 1), "columns");
  EXPECT_EQ(plan("10x64x48", "10x48", 1), "columns");
  EXPECT_EQ(plan("10x16x32", "10x32", 1), "output"); // few rows
  EXPECT_EQ(plan("10x10x4", "10x4", 1), "output");
  EXPECT_EQ(plan("2x512x4", "2x4", 1), "input"); // narrow
  // 48 columns: 32 lanes, then 16; rows are not crossed. Rows are 192 bytes:
  // the 32 lanes of every other one touch 2 transactions.
  EXPECT_EQ(reduce("1x64x48", "1x48", 1).substr(0, 25),
            "0 columns 12288 of 20480;");
  // Each lane has a row of 10 · 4 elements: 10 stretches of 16 bytes for 2
  // warps, in each of 10 iterations.
  EXPECT_EQ(reduce("10x10x4", "10x4", 1).substr(0, 22),
            "0 output 1600 of 12800");
}

TEST_F(ReadsOf, EveryThreadMapCoversItsTensorOnce) {
  ReadOptions options;
  options.threads = 32;
  for (const char *text :
       {"f32[3,50]{1,0}", "f32[50,3]{0,1}", "f32[]", "f32[5,9]{1,0:T(2,4)}"})
    for (ThreadChoice choice : {ThreadChoice{ThreadPlan::Output, 0},
                                ThreadChoice{ThreadPlan::Columns, 0}})
      for (int64_t vector : {1, 4}) {
        options.vector = vector;
        ParseError error;
        TensorPlace place{*Layout::parse(text, error), std::nullopt, 32};
        std::map<Point, int> times;
        ASSERT_EQ(enumerate(getThreadMap(place, choice, options),
                            [&](ArrayRef<int64_t>, ArrayRef<int64_t> index) {
                              ++times[Point(index.begin(), index.end())];
                              return true;
                            }),
                  EnumerateStatus::Ok);
        EXPECT_EQ(static_cast<int64_t>(times.size()),
                  *place.layout.getElements())
            << text;
        for (const auto &[index, count] : times)
          EXPECT_EQ(count, 1) << text;
      }
}

/// The imported cases: a kernel is a function, its operands are arguments.
TEST_F(ReadsOf, Cases) {
  auto buffer = llvm::MemoryBuffer::getFile(TENSORACCESS_TEST_DIR
                                            "/Cases/indexing_coalescing.jsonl");
  ASSERT_TRUE(static_cast<bool>(buffer));
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, false);
  unsigned run = 0;
  for (StringRef line : lines) {
    auto value = llvm::json::parse(line);
    ASSERT_TRUE(static_cast<bool>(value));
    const llvm::json::Object &c = *value->getAsObject();
    if (c.getString("kind") != "read_coalesced_per_operand")
      continue;
    ++run;
    OwningOpRef<ModuleOp> source =
        parseSourceString<ModuleOp>(*c.getString("mlir"), &context);
    ASSERT_TRUE(source);
    auto function = *source->getOps<FunctionOpInterface>().begin();
    IndexingCache cache;
    std::vector<TensorPlace> results, operands;
    for (Type type : function.getResultTypes())
      results.push_back(*TensorPlace::get(function, type));
    for (Type type : function.getArgumentTypes())
      operands.push_back(*TensorPlace::get(function, type));
    // The case's layouts are in its name only.
    std::string id = c.getString("id")->str();
    if (StringRef(id).contains("OutputTransposedLayout"))
      results[0].layout.minorToMajor = {0, 1};
    SmallVector<bool> found, expected;
    for (const OperandCoalescing &read : getReadCoalescing(
             cache.getFunction(function), results, operands, ReadOptions())) {
      ASSERT_TRUE(read.value) << id << ": " << read.reason;
      found.push_back(read.value->isCoalesced());
    }
    for (const llvm::json::Value &v : *c.getArray("expected"))
      expected.push_back(*v.getAsBoolean());
    EXPECT_EQ(found, expected) << id;
  }
  EXPECT_GT(run, 0u);
}

} // namespace
