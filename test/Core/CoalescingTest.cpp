//===- CoalescingTest.cpp - Bytes moved for the bytes used ----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counting against walking: on random maps, and on the shapes of index that
// kernels have. Then layouts as maps, tiles, and the imported cases.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Coalescing.h"

#include "CaseReader.h"
#include "MapTesting.h"
#include "ParseMap.h"
#include "RandomMaps.h"
#include "WalkedAccesses.h"
#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::test;

namespace {

/// `(a, b, …)` of what was counted: used, moved, accesses, transactions.
std::string show(const CoalescingResult &result) {
  if (!result.value)
    return describe(result.reason).str();
  const Coalescing &c = *result.value;
  std::string s;
  for (int64_t n :
       {c.accesses, c.transactions, c.bytesUsed, c.bytesMoved, c.minimumBytes,
        c.runs, c.runBytes, c.worstUsed, c.worstMoved})
    s += (s.empty() ? "" : " ") + std::to_string(n);
  return s;
}

CoalescingResult count(const IndexingMap &map, CoalescingOptions options = {}) {
  options.lane = options.lane.value_or(0);
  EXPECT_EQ(verify(options, map), std::nullopt) << map.str();
  return getCoalescing(map, options);
}

TEST(Coalescing, ConsecutiveLanes) {
  // 4 warps of 32 lanes, 4 bytes each: 2 transactions of 64 bytes.
  IndexingMap map = parse("(d0) -> (d0), domain: d0 in [0, 127]");
  const Coalescing c = *count(map).value;
  EXPECT_EQ(c.accesses, 4);
  EXPECT_EQ(c.transactions, 8);
  EXPECT_EQ(c.bytesUsed, 512);
  EXPECT_EQ(c.bytesMoved, 512);
  EXPECT_EQ(c.minimumBytes, 512);
  EXPECT_EQ(c.getUtilization(), 1.0);
  EXPECT_TRUE(c.isCoalesced());
}

TEST(Coalescing, StridedLanesMoveATransactionEach) {
  IndexingMap map = parse("(d0) -> (d0 * 200), domain: d0 in [0, 31]");
  const Coalescing c = *count(map).value;
  EXPECT_EQ(c.bytesUsed, 128);
  EXPECT_EQ(c.bytesMoved, 32 * 64);
  EXPECT_EQ(c.runs, 32);
  EXPECT_FALSE(c.isCoalesced());
}

TEST(Coalescing, ABroadcastIsOneElement) {
  IndexingMap map =
      parse("(d0, d1) -> (d1), domain: d0 in [0, 31], d1 in [0, 9]");
  EXPECT_EQ(show(count(map)), "10 10 40 640 640 10 640 4 64");
}

TEST(Coalescing, EachWarpHasAnAlignmentOfItsOwn) {
  // Rows of 33 elements: all rows but every 16th begin inside of a transaction.
  // 132 bytes apart, 64-byte transactions: 128 bytes from 132·i on touch 3,
  // unless 132·i is a multiple of 64, that is i a multiple of 16.
  IndexingMap map =
      parse("(d0, d1) -> (d1 * 33 + d0), domain: d0 in [0, 31], d1 in [0, 63]");
  const Coalescing c = *count(map).value;
  EXPECT_EQ(c.transactions, 4 * 2 + 60 * 3);
  EXPECT_EQ(c.bytesUsed, 64 * 128);
  EXPECT_EQ(c.worstMoved, 192);
}

TEST(Coalescing, MaskedLanes) {
  // 1000 threads of 1024; the last warp has 8 lanes.
  IndexingMap map = parse("(d0, d1) -> (d1 * 128 + d0), domain: d0 in [0, "
                          "127], d1 in [0, 7], d1 * 128 + d0 in [0, 999]");
  const Coalescing c = *count(map).value;
  EXPECT_EQ(c.accesses, 32);
  EXPECT_EQ(c.bytesUsed, 4000);
  EXPECT_EQ(c.bytesMoved, 31 * 128 + 64);
}

TEST(Coalescing, VectorsBelongToTheirAccess) {
  IndexingMap map =
      parse("(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 31], s0 in [0, 3]");
  CoalescingOptions options;
  EXPECT_EQ(show(count(map, options)), "4 32 512 2048 512 128 8192 128 512");
  options.vector = {1};
  EXPECT_EQ(show(count(map, options)), "1 8 512 512 512 1 512 512 512");
}

TEST(Coalescing, ElementsOfLessThanAByteShareTheirBytes) {
  IndexingMap map = parse("(d0) -> (d0 * 3), domain: d0 in [0, 9]");
  CoalescingOptions options;
  options.elementBits = 4;
  options.transactionBytes = 4;
  // Nibbles 0, 3, …, 27: bytes 0, 1, 3, 4, 6, 7, 9, 10, 12, 13.
  EXPECT_EQ(show(count(map, options)), "1 4 10 16 12 5 20 10 16");
}

TEST(Coalescing, LargeDomainsAreCountedExactly) {
  // A transposed read by a flat thread number: 2^40 elements.
  IndexingMap map = parse(
      "(d0, d1) -> ((d1 * 128 + d0) mod 1048576 * 1048576 + "
      "(d1 * 128 + d0) floordiv 1048576), domain: d0 in [0, 127], d1 in [0, "
      "8589934591]");
  const Coalescing c = *count(map).value;
  EXPECT_EQ(c.accesses, int64_t(1) << 35);
  EXPECT_EQ(c.bytesUsed, int64_t(1) << 42);
  EXPECT_EQ(c.bytesMoved, int64_t(1) << 46);
}

TEST(Coalescing, RuntimeVariables) {
  IndexingMap map =
      parse("(d0){rt0} -> (rt0 * 32 + d0), domain: d0 in [0, 31], rt0 in "
            "[0, 1000]");
  CoalescingOptions options;
  // It may differ from lane to lane.
  EXPECT_EQ(count(map, options).reason, CoalescingReason::Runtime);
  options.uniform = {1};
  EXPECT_EQ(show(count(map, options)), "1 2 128 128 128 1 128 128 128");
  // Where it decides the alignment, the answer is unknown.
  map = parse("(d0){rt0} -> (rt0 + d0), domain: d0 in [0, 31], rt0 in "
              "[0, 1000]");
  EXPECT_EQ(count(map, options).reason, CoalescingReason::Runtime);
  options.transactionBytes = 4;
  EXPECT_TRUE(count(map, options).value);
  // It may differ from access to access: the sum over both is the same for all
  // values of rt0, but no value is the same for both.
  map =
      parse("(d0, d1){rt0} -> (rt0 * 8 + d0 + d1 * 8), domain: d0 in [0, 15], "
            "d1 in [0, 1], rt0 in [0, 1]");
  options.transactionBytes = 64;
  options.uniform = {2};
  EXPECT_EQ(count(map, options).reason, CoalescingReason::Runtime);
  // Not used at all.
  map = parse("(d0){rt0} -> (d0), domain: d0 in [0, 31], rt0 in [0, 1000]");
  EXPECT_TRUE(count(map).value);
  // A parameter that says how many there are.
  map = parse("(d0, d1){N} -> (d0), domain: d0 in [0, 31], d1 in [0, N - "
              "1], N in [1, 9]");
  EXPECT_EQ(count(map).reason, CoalescingReason::Runtime);
}

TEST(Coalescing, ReasonsForNoAnswer) {
  EXPECT_EQ(getCoalescing(IndexingMap(), {}).reason,
            CoalescingReason::UnknownMap);
  EXPECT_EQ(count(parse("(d0) -> (d0), domain: d0 in [0, inf]")).reason,
            CoalescingReason::Unbounded);
  CoalescingOptions options;
  options.maxPoints = 10;
  EXPECT_EQ(count(parse("(d0) -> (d0), domain: d0 in [0, 31]"), options).reason,
            CoalescingReason::Budget);
  EXPECT_EQ(count(parse("(d0, d1) -> (d0), domain: d0 in [0, "
                        "4611686018427387903], d1 in [0, 99]"))
                .reason,
            CoalescingReason::Overflow);
}

TEST(Coalescing, KnownEmptyMovesNothing) {
  const Coalescing c =
      *count(parse("empty (d0) -> (d0), domain: d0 in [0, 9]")).value;
  EXPECT_EQ(c, Coalescing());
  EXPECT_EQ(c.getUtilization(), 1.0);
  EXPECT_TRUE(c.isCoalesced());
}

TEST(Coalescing, OptionsMustMakeSense) {
  IndexingMap map = parse(
      "(d0)[s0]{rt0} -> (d0 + rt0), domain: d0 in [0, 9], s0 in [0, 1], rt0 "
      "in [0, 9]");
  auto problem = [&](auto change) {
    CoalescingOptions options;
    options.lane = 0;
    change(options);
    return verify(options, map).value_or("");
  };
  EXPECT_EQ(problem([](auto &o) { o.lanes = 0; }),
            "lanes must be positive, got 0");
  EXPECT_EQ(problem([](auto &o) { o.elementBits = 0; }),
            "element bits must be positive, got 0");
  EXPECT_EQ(problem([](auto &o) { o.transactionBytes = -4; }),
            "transaction bytes must be positive, got -4");
  EXPECT_EQ(problem([](auto &o) { o.transactionBytes = 1 << 21; }),
            "a transaction has at most 1048576 bytes and an element as many "
            "bits, got 2097152 and 32");
  EXPECT_EQ(problem([](auto &o) { o.lane = 9; }), "the map has no variable 9");
  EXPECT_EQ(problem([](auto &o) { o.lane = 2; }),
            "rt0 is a runtime variable, not a dim or symbol");
  EXPECT_EQ(problem([](auto &o) { o.vector = {0}; }), "d0 is listed twice");
  EXPECT_EQ(problem([](auto &o) { o.uniform = {1}; }),
            "s0 is not a runtime variable");
  map = parse("(d0) -> (d0, d0), domain: d0 in [0, 9]");
  EXPECT_EQ(problem([](auto &) {}),
            "the number of an element is one result, got 2");
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

CoalescingOptions drawOptions(const IndexingMap &map) {
  CoalescingOptions options;
  const unsigned n = map.getNumDims() + map.getNumSymbols();
  int lane = pick(-1, n - 1);
  if (lane >= 0)
    options.lane = lane;
  for (unsigned v = 0; v != n; ++v)
    if (static_cast<int>(v) != lane && pick(0, 3) == 0)
      options.vector.push_back(v);
  const int lanes[] = {1, 2, 3, 4, 7, 32};
  options.lanes = lanes[pick(0, 5)];
  const int bits[] = {1, 4, 8, 12, 16, 32, 64, 80};
  options.elementBits = bits[pick(0, 7)];
  const int bytes[] = {1, 4, 7, 16, 32, 64};
  options.transactionBytes = bytes[pick(0, 5)];
  return options;
}

TEST(CoalescingLaws, CountingIsWalking) {
  ASSERT_TRUE(rc::check("random maps", [] {
    RandomMap drawn = drawMap(pick(1, 3), 1, 3);
    for (unsigned i = drawn.numDims + drawn.numSymbols;
         i != drawn.ranges.size(); ++i)
      drawn.ranges[i].upper = drawn.ranges[i].lower;
    IndexingMap map = drawn.parse();
    RC_PRE(!map.isUnknown());
    CoalescingOptions options = drawOptions(map);
    RC_ASSERT(show(getCoalescing(map, options)) ==
              show(walkCoalescing(map, options)));
  }));
}

TEST(CoalescingLaws, ThreadMapsIntoLayouts) {
  // A flat thread number, delinearized over a shape, read in another order,
  // from a tiled or a permuted layout; the last block is masked.
  ASSERT_TRUE(rc::check("thread maps", [] {
    const int a = pick(1, 9), b = pick(1, 9), threads = pick(1, 12),
              vector = pick(1, 3);
    const int blocks = (a * b + threads * vector - 1) / (threads * vector);
    const char *layouts[] = {"{1,0}",
                             "{0,1}",
                             "{1,0:T(2,2)}",
                             "{0,1:T(3)}",
                             "{1,0:T(4,2)(2,1)}",
                             "{1,0:T(*,4)}"};
    ParseError error;
    Layout layout = Layout::parse(layouts[pick(0, 5)], error)
                        ->withShape(pick(0, 1) ? llvm::ArrayRef<int64_t>{a, b}
                                               : llvm::ArrayRef<int64_t>{b, a},
                                    *XlaType::lookup("f32"));
    const bool transposed = (*layout.shape)[0] != a;
    auto n = [](int64_t i) { return std::to_string(i); };
    std::string flat =
        "((th + bl * " + n(threads) + ") * " + n(vector) + " + v)";
    std::string row = flat + " floordiv " + n(b), col = flat + " mod " + n(b);
    IndexingMap map =
        parse("(th, bl)[v] -> (" +
              (transposed ? col + ", " + row : row + ", " + col) +
              "), domain: th in [0, " + n(threads - 1) + "], bl in [0, " +
              n(blocks - 1) + "], v in [0, " + n(vector - 1) + "], " + flat +
              " in [0, " + n(a * b - 1) + "]");
    IndexingMap numbers = toElementNumbers(map, layout);
    CoalescingOptions options = drawOptions(numbers);
    RC_ASSERT(show(getCoalescing(numbers, options)) ==
              show(walkCoalescing(numbers, options)));
  }));
}

TEST(Coalescing, ElementNumbersOfRowMajorArrays) {
  IndexingMap map = parse("(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 "
                          "in [0, 2]");
  EXPECT_EQ(toElementNumbers(map).simplify().str(),
            "(d0, d1) -> (d0 + d1 * 5), domain: d0 in [0, 4], d1 in [0, 2]");
  const int64_t shape[] = {3, 7};
  EXPECT_EQ(
      toElementNumbers(map, llvm::ArrayRef<int64_t>(shape)).simplify().str(),
      "(d0, d1) -> (d0 + d1 * 7), domain: d0 in [0, 4], d1 in [0, 2]");
  // Outside of the shape nothing is read.
  const int64_t small[] = {3, 2};
  EXPECT_EQ(
      toElementNumbers(map, llvm::ArrayRef<int64_t>(small)).simplify().str(),
      "(d0, d1) -> (d0 + d1 * 2), domain: d0 in [0, 1], d1 in [0, 2]");
  EXPECT_TRUE(toElementNumbers(parse("(d0) -> (d0 - 1, 0), domain: d0 in "
                                     "[0, 4]"))
                  .isUnknown());
  EXPECT_TRUE(toElementNumbers(map, Layout::rowMajor(3).withShape(
                                        {2, 2, 2}, *XlaType::lookup("f32")))
                  .isUnknown());
}

//===----------------------------------------------------------------------===//
// Layouts as maps
//===----------------------------------------------------------------------===//

TEST(LayoutMaps, AgreeWithLinearize) {
  const char *texts[] = {"f32[3,5]{1,0}",
                         "f32[3,5]{0,1}",
                         "f32[]",
                         "f32[0,3]{1,0:T(2,2)}",
                         "f32[7]{0:T(3)}",
                         "f32[7]{0:T(2,3)}",
                         "f32[3,5]{1,0:T(2,2)}",
                         "f32[5,6,4]{1,2,0:T(2,4)(2,1)}",
                         "f32[9,7]{1,0:T(2,4)(2,2,1)}",
                         "f32[2,3,5,7,4]{4,3,2,1,0:T(*,*,2,*,3)}",
                         "f32[2,3,5]{0,2,1:T(*,7)}"};
  for (const char *text : texts) {
    ParseError error;
    std::optional<Layout> layout = Layout::parse(text, error);
    ASSERT_TRUE(layout) << text << ": " << error.message;
    IndexingMap number = *layout->getIndexingMap();
    IndexingMap physical = *layout->getPhysicalMap();
    IndexingMap logical = *layout->getLogicalMap();
    auto row =
        Layout::rowMajor(layout->getPhysicalShape()->size())
            .withShape(*layout->getPhysicalShape(), *XlaType::lookup("f32"));
    uint64_t elements = 0, back = 0;
    ASSERT_EQ(enumerate(IndexingMap::identity(*layout->shape),
                        [&](llvm::ArrayRef<int64_t> index, auto) {
                          ++elements;
                          EXPECT_EQ(number.evaluate(index)->front(),
                                    *layout->linearize(index));
                          auto p = *physical.evaluate(index);
                          EXPECT_EQ(*row.linearize(p),
                                    *layout->linearize(index));
                          EXPECT_EQ(*logical.evaluate(p),
                                    llvm::SmallVector<int64_t>(index));
                          return true;
                        }),
              EnumerateStatus::Ok)
        << text;
    // Padding is outside of the inverse's domain.
    ASSERT_EQ(enumerate(logical,
                        [&](auto, auto) {
                          ++back;
                          return true;
                        }),
              EnumerateStatus::Ok)
        << text;
    EXPECT_EQ(back, elements) << text;
    EXPECT_EQ(static_cast<int64_t>(elements), *layout->getElements()) << text;
    // The identity, by composition.
    if (elements != 0) {
      EXPECT_TRUE(equalOverDomain(physical.then(logical).simplify(),
                                  IndexingMap::identity(*layout->shape)))
          << text;
    }
  }
}

TEST(LayoutMaps, NoneWithoutAShape) {
  EXPECT_FALSE(Layout::rowMajor(2).getIndexingMap());
  EXPECT_FALSE(Layout::rowMajor(2).getPhysicalMap());
  EXPECT_FALSE(Layout::rowMajor(2).getLogicalMap());
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Layout layoutOf(llvm::StringRef text) {
  ParseError error;
  std::optional<Layout> layout = Layout::parse(text, error);
  EXPECT_TRUE(layout) << text.str() << ": " << error.message;
  return *layout;
}

TEST(TileBandwidth, RunsOfPlainLayoutsAreThoseOfTheMap) {
  // Closed form against the runs of an access that reads the whole tile.
  ASSERT_TRUE(rc::check("tiles", [] {
    llvm::SmallVector<int64_t> order = {0, 1, 2}, shape, sizes, strides;
    for (int i = 2; i > 0; --i)
      std::swap(order[i], order[pick(0, i)]);
    for (int i = 0; i != 3; ++i) {
      shape.push_back(pick(1, 6));
      sizes.push_back(pick(0, 6));
      strides.push_back(pick(0, 3) ? 1 : pick(0, 3));
    }
    Layout layout = Layout::rowMajor(3);
    layout.minorToMajor.assign(order.begin(), order.end());
    const char *types[] = {"s8", "bf16", "f32", "f64"};
    layout = layout.withShape(shape, *XlaType::lookup(types[pick(0, 3)]));
    if (pick(0, 2) == 0)
      layout.tiles.push_back({TileEntry(pick(1, 3)), TileEntry(pick(1, 3))});
    const int64_t transaction = int64_t(1) << pick(0, 5);
    std::string error;
    std::optional<TileBandwidth> tile =
        getTileBandwidth(layout, sizes, strides, transaction, error);
    RC_ASSERT(tile.has_value());
    IndexingMapBuilder builder;
    for (int64_t size : sizes)
      builder.addDim(Interval::ofExtent(size));
    for (int i = 0; i != 3; ++i)
      builder.addResult(builder.arena().scale(Form::ofAtom(i), strides[i]));
    CoalescingOptions options;
    options.vector = {0, 1, 2};
    options.elementBits = layout.elementType->getBits();
    options.transactionBytes = transaction;
    CoalescingResult whole =
        getCoalescing(toElementNumbers(builder.build(), layout), options);
    RC_ASSERT(whole.value.has_value());
    RC_ASSERT(tile->bytesUsed == whole.value->bytesUsed);
    // Elements of a strided dimension are fetched apart, also where the last of
    // one row is the neighbour of the first of the next.
    bool meets = false;
    for (int i = 0; i != 3; ++i)
      meets |= strides[i] > 1 && sizes[i] * strides[i] >= shape[i] &&
               (shape[i] - 1) % strides[i] == 0;
    if (meets && layout.tiles.empty())
      RC_ASSERT(tile->bytesMoved >= whole.value->runBytes);
    else
      RC_ASSERT(tile->bytesMoved == whole.value->runBytes);
  }));
}

TEST(TileBandwidth, Errors) {
  std::string error;
  Layout layout = layoutOf("f32[4,8]{1,0}");
  EXPECT_FALSE(
      getTileBandwidth(Layout::rowMajor(2), {1, 1}, {1, 1}, 32, error));
  EXPECT_EQ(error, "layout '{1,0}' has no shape");
  EXPECT_FALSE(getTileBandwidth(layout, {1}, {1, 1}, 32, error));
  EXPECT_EQ(error,
            "the layout has rank 2, got 1 tile sizes and 2 tile strides");
  EXPECT_FALSE(getTileBandwidth(layout, {1, -1}, {1, 1}, 32, error));
  EXPECT_EQ(error, "tile size 1 must not be negative, got -1");
  EXPECT_FALSE(getTileBandwidth(layout, {1, 1}, {1, 1}, 0, error));
  EXPECT_EQ(error, "transaction bytes must be positive, got 0");
  EXPECT_FALSE(getTileBandwidth(layoutOf("f32[4,8]{1,0:T(2,2)}"), {4, 8},
                                {1, 1}, 32, error, 10));
  EXPECT_EQ(error, "a tile of 32 elements in a tiled layout is beyond the "
                   "limit of 10");
}

TEST(TileBandwidth, LargeTilesNeedNoWalk) {
  std::string error;
  Layout layout = layoutOf("f32[1048576,1048576]{1,0}");
  auto tile = getTileBandwidth(layout, {1048576, 1000}, {1, 1}, 64, error);
  ASSERT_TRUE(tile) << error;
  EXPECT_EQ(tile->bytesUsed, int64_t(1048576) * 4000);
  EXPECT_EQ(tile->bytesMoved, int64_t(1048576) * 4032);
}

TEST(TileBandwidth, Cases) {
  for (const llvm::json::Object &c :
       readCases("indexing_coalescing.jsonl", "bandwidth_utilization")) {
    Layout layout = Layout::rowMajor(toIntegers(c.get("shape")).size());
    auto order = toIntegers(c.get("minor_to_major"));
    layout.minorToMajor.assign(order.begin(), order.end());
    layout = layout.withShape(toIntegers(c.get("shape")),
                              *XlaType::lookup(*c.getString("element_type")));
    std::string error;
    auto tile = getTileBandwidth(layout, toIntegers(c.get("tile_sizes")),
                                 toIntegers(c.get("tile_strides")),
                                 *c.getInteger("transaction_bytes"), error);
    ASSERT_TRUE(tile) << error;
    EXPECT_DOUBLE_EQ(tile->getUtilization(), *c.getNumber("expected"))
        << c.getString("id")->str();
  }
}

} // namespace
