//===- RelayoutKernelsTest.cpp - Moving arrays between layouts ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every relayout here runs in memory whose last byte is followed by a page that
// must not be touched, and whose bytes before and between are watched, so that
// nothing outside is read or written. Where the address sanitizer is on (test/
// Execution/CMakeLists.txt) it is memory of the heap instead, which ends where
// its array does.
//
//===----------------------------------------------------------------------===//

#include "../Core/RelayoutTesting.h"
#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Execution/Relayout.h"
#include "TensorAccess/Runtime/Runtime.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define TENSORACCESS_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENSORACCESS_IS_SANITIZED 1
#endif
#endif

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::testing_relayout;

/// Fewer problems there: what they have in common is found by these, too.
#ifdef TENSORACCESS_IS_SANITIZED
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

static Layout parse(llvm::StringRef text) {
  ParseError error;
  std::optional<Layout> layout = Layout::parse(text, error);
  EXPECT_TRUE(layout) << text.str() << ": " << error.message;
  return *layout;
}

namespace {

/// `size` bytes that end at a page that may not be touched, after others that
/// `isIntact` watches. `shift` bytes more are left before that page. Under the
/// address sanitizer, `size` bytes that begin `shift` after the start of an
/// allocation, and end it.
class Guarded {
public:
#ifdef TENSORACCESS_IS_SANITIZED
  explicit Guarded(int64_t size, int64_t shift = 0)
      : size(size), inside(shift + size), begin(shift),
        base(static_cast<uint8_t *>(std::malloc(inside))) {
    std::memset(base, 0xa5, inside);
  }
  ~Guarded() { std::free(base); }
#else
  explicit Guarded(int64_t size, int64_t shift = 0) : size(size) {
    inside = (size + shift + 64 + page - 1) / page * page;
    base = static_cast<uint8_t *>(mmap(nullptr, inside + page,
                                       PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_NE(base, MAP_FAILED);
    EXPECT_EQ(mprotect(base + inside, page, PROT_NONE), 0);
    std::memset(base, 0xa5, inside);
    begin = inside - size - shift;
  }
  ~Guarded() { munmap(base, inside + page); }
#endif
  Guarded(const Guarded &) = delete;

  uint8_t *data() const { return base + begin; }
  int64_t getSize() const { return size; }
  bool isIntact() const {
    for (int64_t i = 0; i < inside; ++i)
      if ((i < begin || i >= begin + size) && base[i] != 0xa5)
        return false;
    return true;
  }

private:
#ifndef TENSORACCESS_IS_SANITIZED
  const int64_t page = sysconf(_SC_PAGESIZE);
#endif
  int64_t size, inside, begin;
  uint8_t *base;
};

int64_t bitsOf(const Layout &layout) {
  return layout.elementBits.value_or(layout.elementType->getBits());
}

/// Bits [number·bits, (number+1)·bits), at most 64 of them.
uint64_t readBits(const uint8_t *bytes, int64_t number, int64_t bits) {
  uint64_t value = 0;
  for (int64_t b = 0; b < bits; ++b) {
    int64_t at = number * bits + b;
    value |= uint64_t(bytes[at / 8] >> (at % 8) & 1) << b;
  }
  return value;
}

/// Runs a problem and compares each element of the target, padding included,
/// with what the plan or, for small ones, the definition says. `isLined` lets
/// targets whose size is whole lines begin at one.
void check(const Problem &problem, Random &random, bool isSmall,
           bool isLined = false) {
  std::string error;
  std::optional<Relayout> relayout =
      Relayout::get(problem.source, problem.target, problem.permutation, error);
  ASSERT_TRUE(relayout) << error;
  int64_t bits = bitsOf(problem.source);
  ASSERT_EQ(relayout->getTargetBytes(), *problem.target.getSizeBytes());
  // Elements need not be aligned to their size, nor targets to lines.
  int64_t shift = !isLined && pick(random, 0, 2) ? pick(random, 0, 70) : 0;
  Guarded source(relayout->getSourceBytes(), pick(random, 0, 1) ? shift : 0);
  for (int64_t i = 0; i < source.getSize(); ++i)
    source.data()[i] = static_cast<uint8_t>(random());

  int64_t padded = *problem.target.getPaddedElements();
  std::vector<int64_t> expected(padded, -1);
  auto note = [&](int64_t a, int64_t b) { expected[b] = a; };
  if (isSmall)
    forEachByDefinition(problem, note);
  else
    relayout->getPlan().forEach(note);
  for (bool portable : {false, true})
    for (int64_t streamBytes : {int64_t(0), INT64_MAX}) {
      SCOPED_TRACE(std::string(portable ? "portable" : "best") +
                   (streamBytes ? "" : ", streaming"));
      Guarded target(relayout->getTargetBytes(), shift);
      RelayoutOptions options;
      options.portable = portable;
      options.streamBytes = streamBytes;
      auto problemText =
          relayout->run(source.data(), source.getSize(), target.data(),
                        target.getSize(), options);
      ASSERT_FALSE(problemText) << *problemText;
      ASSERT_TRUE(target.isIntact());
      int64_t parts = bits > 64 ? 2 : 1;
      for (int64_t n = 0; n < padded * parts; ++n) {
        int64_t from = expected[n / parts];
        uint64_t want = from < 0
                            ? 0
                            : readBits(source.data(), from * parts + n % parts,
                                       bits / parts);
        ASSERT_EQ(readBits(target.data(), n, bits / parts), want)
            << "element " << n;
      }
    }
}

// What the checks above rely on: a byte too many is seen, and so is one that is
// only read.
TEST(RelayoutDeathTest, OneByteTooMany) {
  for (int64_t size : {1, 13, 64, 4096}) {
    auto touch = [&](bool isWritten) {
      Guarded memory(size);
      volatile uint8_t *end = memory.data() + size;
      if (isWritten)
        *end = 1;
      else
        (void)*end;
    };
    EXPECT_DEATH(touch(true), "");
    EXPECT_DEATH(touch(false), "");
  }
}

// Law: small arrays, any layouts, elements of 2 bits to 16 bytes.
TEST(Relayout, AgreesWithTheLayouts) {
  Random random(6112026);
  for (const char *type : {"u2", "s4", "u8", "bf16", "f32", "f64", "c128"})
    for (int round = 0; round < 120; ++round) {
      Problem problem = randomProblem(random, type, type);
      if (problem.source.getElements().value_or(0) > 700)
        continue;
      SCOPED_TRACE(problem.source.str() + " -> " + problem.target.str());
      check(problem, random, /*isSmall=*/true);
      if (HasFatalFailure())
        return;
    }
}

// The ways of Runtime/Box.cpp, with sizes that divide and others.
TEST(Relayout, TakesEveryWay) {
  Random random(7);
  const char *shapes[][2] = {
      {"64,256", "64,256"}, {"67,259", "67,259"}, {"200,300", "200,300"}};
  const char *layouts[] = {"{1,0}",
                           "{0,1}",
                           "{1,0:T(8,128)}",
                           "{1,0:T(8,128)(2,1)}",
                           "{1,0:T(8,128)(4,1)}",
                           "{0,1:T(16)}",
                           "{1,0:T(16,1)}",
                           "{1,0:T(4,4)}",
                           "{0,1:T(8,8)}",
                           "{1,0:T(32,32)}"};
  for (const char *type : {"u4", "u8", "bf16", "f32", "f64"})
    for (auto &shape : shapes)
      for (const char *from : layouts)
        for (const char *to : layouts) {
          if (pick(random, 0, kIsSanitized ? 8 : 2))
            continue;
          Problem problem;
          problem.source =
              parse(std::string(type) + "[" + shape[0] + "]" + from);
          problem.target = parse(std::string(type) + "[" + shape[1] + "]" + to);
          SCOPED_TRACE(problem.source.str() + " -> " + problem.target.str());
          check(problem, random, /*isSmall=*/false);
          if (HasFatalFailure())
            return;
        }
}

// Targets written in one walk (Runtime/Stream.cpp): rows that share lines,
// padding of several kilobytes, three dimensions, bases of any alignment.
TEST(Relayout, WritesTargetsInOneWalk) {
  Random random(10);
  const char *cases[][3] = {
      {"[40,1000]", "{1,0:T(8,128)}", "{1,0}"},
      {"[43,1003]", "{1,0:T(8,128)}", "{1,0}"},
      {"[40,1024]", "{1,0:T(8,128)(2,1)}", "{1,0}"},
      {"[43,1003]", "{1,0:T(8,128)(2,1)}", "{1,0}"},
      {"[43,1003]", "{1,0:T(8,128)(4,1)}", "{1,0}"},
      {"[41,129]", "{1,0:T(8,128)(4,1)}", "{1,0}"},
      {"[3,21,515]", "{2,1,0:T(8,128)(4,1)}", "{2,1,0}"},
      {"[3,21,515]", "{2,0,1:T(8,128)(2,1)}", "{2,1,0}"},
      {"[43,1003]", "{1,0:T(8,128)(4,1)}", "{1,0:T(8,128)}"},
      {"[1,6000]", "{1,0}", "{1,0:T(8,128)}"},
      {"[9,1003]", "{1,0}", "{1,0:T(64,1024)}"},
      {"[43,1003]", "{1,0:T(8,100)}", "{1,0:T(4,50)}"},
      {"[2,33,70]", "{1,2,0}", "{1,2,0:T(128)}"}};
  for (const char *type : {"u4", "u8", "bf16", "f32", "f64", "c128"})
    for (auto &c : cases)
      for (bool packs : {false, true}) {
        Problem problem;
        problem.source = parse(std::string(type) + c[0] + c[packs ? 2 : 1]);
        problem.target = parse(std::string(type) + c[0] + c[packs ? 1 : 2]);
        SCOPED_TRACE(problem.source.str() + " -> " + problem.target.str());
        check(problem, random, /*isSmall=*/false);
        if (HasFatalFailure())
          return;
      }
}

// Transpositions whose target rows are whole lines, or not; of several panels
// and blocks, with columns left over; at a pitch that collides; from rows
// without gaps.
TEST(Relayout, TransposesInLines) {
  Random random(9);
  const char *problems[] = {"u8[1152,69]",  "bf16[544,70]", "f32[528,140]",
                            "f32[512,70]",  "f32[528,16]",  "f32[523,40]",
                            "f64[152,75]",  "f64[256,37]",  "f64[152,8]",
                            "f64[153,20]",  "f32[512,16]",  "f64[256,8]",
                            "u8[1152,16]",  "u8[1152,64]",  "u8[1152,20]",
                            "bf16[544,16]", "bf16[544,9]",  "f32[528,13]"};
  for (const char *shape : problems)
    for (bool isLined : {true, false}) {
      Layout source = parse(std::string(shape) + "{1,0}");
      Layout target = parse(std::string(shape) + "{0,1}");
      SCOPED_TRACE(source.str() + " -> " + target.str());
      check({source, target, {}}, random, false, isLined);
      if (HasFatalFailure())
        return;
    }
}

// Blocked channels, with 3 of 16 and 33 of 48; and back.
TEST(Relayout, BlocksChannels) {
  Random random(8);
  for (const char *type : {"u8", "bf16", "f32", "f64"})
    for (const char *shape : {"[2,32,7,7]", "[1,3,9,20]", "[2,33,5,16]",
                              "[3,48,3,3]", "[2,35,8,16]"}) {
      Layout plain = parse(std::string(type) + shape + "{3,2,1,0}");
      Layout blocked = parse(std::string(type) + shape + "{1,3,2,0:T(16)}");
      // Channels outside of pixels, 16 of them inside.
      Layout nchw16c = parse(std::string(type) + shape + "{3,2,1,0:T(16,1,1)}");
      for (const Layout &other : {blocked, nchw16c}) {
        check({plain, other, {}}, random, false);
        check({other, plain, {}}, random, false);
        if (HasFatalFailure())
          return;
      }
    }
}

static std::vector<uint8_t> convert(const char *from, const char *to,
                                    const std::vector<uint8_t> &bytes,
                                    bool portable) {
  std::string error;
  std::optional<Relayout> relayout =
      Relayout::get(parse(from), parse(to), {}, error);
  EXPECT_TRUE(relayout) << error;
  std::vector<uint8_t> result(relayout->getTargetBytes());
  RelayoutOptions options;
  options.portable = portable;
  EXPECT_FALSE(relayout->run(bytes.data(), bytes.size(), result.data(),
                             result.size(), options));
  return result;
}

// Floats round to nearest even, in whatever way they move.
TEST(Relayout, ConvertsFloats) {
  Random random(9);
  std::vector<float> values = {0.0f,        -0.0f,     1.0f,     1.00390625f,
                               1.01171875f, 65504.0f,  65520.0f, 1e-8f,
                               INFINITY,    -INFINITY, 3.4e38f,  NAN};
  while (values.size() < 40 * 33) {
    uint32_t bits = random();
    float value;
    std::memcpy(&value, &bits, 4);
    values.push_back(std::isnan(value) ? 0.5f : value);
  }
  std::vector<uint8_t> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  for (bool portable : {false, true})
    for (const char *layout :
         {"[40,33]{1,0}", "[40,33]{0,1}", "[40,33]{1,0:T(8,16)(2,1)}"}) {
      Layout narrow = parse(std::string("bf16") + layout);
      auto halves =
          convert("f32[40,33]{1,0}", ("f16" + std::string(layout)).c_str(),
                  bytes, portable);
      auto brains =
          convert("f32[40,33]{1,0}", ("bf16" + std::string(layout)).c_str(),
                  bytes, portable);
      auto wide = convert(("bf16" + std::string(layout)).c_str(),
                          "f32[40,33]{0,1}", brains, portable);
      auto wideHalves = convert(("f16" + std::string(layout)).c_str(),
                                "f64[40,33]{0,1}", halves, portable);
      for (int64_t i = 0; i < 40; ++i)
        for (int64_t j = 0; j < 33; ++j) {
          float value = values[i * 33 + j];
          int64_t at = *narrow.linearize({i, j});
          uint16_t half, brain;
          float back;
          double backHalf;
          std::memcpy(&half, &halves[2 * at], 2);
          std::memcpy(&brain, &brains[2 * at], 2);
          std::memcpy(&back, &wide[4 * (j * 40 + i)], 4);
          std::memcpy(&backHalf, &wideHalves[8 * (j * 40 + i)], 8);
          if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(fromF16Bits(half)));
            EXPECT_TRUE(std::isnan(fromBF16Bits(brain)));
            EXPECT_TRUE(std::isnan(back) && std::isnan(backHalf));
            continue;
          }
          EXPECT_EQ(half, toF16Bits(value)) << value;
          EXPECT_EQ(brain, toBF16Bits(value)) << value;
          EXPECT_EQ(back, fromBF16Bits(brain));
          EXPECT_EQ(backHalf, double(fromF16Bits(half)));
        }
    }
}

// Integers: signs extend, high bits go; also below a byte.
TEST(Relayout, ConvertsIntegers) {
  for (bool portable : {false, true}) {
    EXPECT_EQ(convert("s8[3]{0}", "s16[3]{0}", {0x80, 0x7f, 0xff}, portable),
              (std::vector<uint8_t>{0x80, 0xff, 0x7f, 0, 0xff, 0xff}));
    EXPECT_EQ(convert("u8[2]{0}", "u16[2]{0}", {0x80, 0x7f}, portable),
              (std::vector<uint8_t>{0x80, 0, 0x7f, 0}));
    EXPECT_EQ(
        convert("s16[2]{0}", "s4[2]{0}", {0x38, 0x12, 0xff, 0xff}, portable),
        (std::vector<uint8_t>{0xf8}));
    EXPECT_EQ(convert("s4[2]{0}", "s8[2]{0}", {0xf8}, portable),
              (std::vector<uint8_t>{0xf8, 0xff}));
    // Truth values in bytes and in bits.
    EXPECT_EQ(convert("pred[9]{0}", "pred[9]{0:E(1)}",
                      {1, 0, 1, 1, 0, 0, 0, 1, 1}, portable),
              (std::vector<uint8_t>{0x8d, 0x01}));
    EXPECT_EQ(convert("u4[3]{0}", "u4[3]{0:E(12)}", {0x21, 0x03}, portable),
              (std::vector<uint8_t>{0x01, 0x20, 0x00, 0x03, 0x00}));
  }
}

/// Value `k` in an element of `bits` bits, as packing fills them: integers
/// extended by their sign, floats (k / 4) below zeros. Both halves of 128 bits.
static std::pair<uint64_t, uint64_t> encode(XlaType type, int64_t k,
                                            int64_t bits) {
  llvm::StringRef name = type.getName();
  uint64_t low = 0, high = 0;
  if (name == "f16" || name == "bf16") {
    low = name == "f16" ? toF16Bits(k / 4.0f) : toBF16Bits(k / 4.0f);
  } else if (name == "f32") {
    float value = k / 4.0f;
    std::memcpy(&low, &value, 4);
  } else if (name == "f64") {
    double value = k / 4.0;
    std::memcpy(&low, &value, 8);
  } else {
    unsigned spare = 64 - type.getBits();
    low = type.isUnsignedInteger()
              ? static_cast<uint64_t>(k) << spare >> spare
              : static_cast<uint64_t>(
                    static_cast<int64_t>(static_cast<uint64_t>(k) << spare) >>
                    spare);
    high = !type.isUnsignedInteger() && low >> 63 ? ~uint64_t(0) : 0;
  }
  if (bits < 64)
    low &= (uint64_t(1) << bits) - 1;
  return {low, bits > 64 ? high : 0};
}

static void writeBits(uint8_t *bytes, int64_t number, int64_t bits,
                      std::pair<uint64_t, uint64_t> value) {
  for (int64_t b = 0; b < bits; ++b) {
    int64_t at = number * bits + b;
    uint64_t bit = (b < 64 ? value.first >> b : value.second >> (b - 64)) & 1;
    bytes[at / 8] = (bytes[at / 8] & ~(1 << (at % 8))) | bit << (at % 8);
  }
}

/// Random bits of an element, at least those of its type.
static int64_t pickBits(Random &random, XlaType type) {
  int64_t least = type.getBits();
  const int64_t sizes[] = {8, 16, 32, 64, 128, 64, least, least};
  int64_t bits = pick(random, 0, 4) ? sizes[pick(random, 0, 7)]
                                    : least + pick(random, 0, 20);
  return bits < least || (bits > 64 && bits != 128) ? least : bits;
}

// Law: bytes are those of packing the converted values, with elements wider
// than their types on either side. Spare bits of integers that change their
// type may be anything in the source.
TEST(Relayout, ConvertsWiderElements) {
  Random random(21112026);
  const std::vector<std::vector<const char *>> kinds = {
      {"f16", "bf16", "f32", "f64"},
      {"s2", "s4", "s8", "s16", "s32", "s64"},
      {"u2", "u4", "u8", "u16", "u32", "u64"}};
  int64_t done = 0;
  for (int round = 0; round < 1500; ++round) {
    auto &types = kinds[pick(random, 0, 2)];
    Problem problem =
        randomProblem(random, types[pick(random, 0, types.size() - 1)],
                      types[pick(random, 0, types.size() - 1)]);
    if (problem.source.getElements().value_or(0) > 700)
      continue;
    XlaType from = *problem.source.elementType,
            to = *problem.target.elementType;
    int64_t fromBits = pickBits(random, from), toBits = pickBits(random, to);
    problem.source.elementBits = fromBits;
    problem.target.elementBits = toBits;
    SCOPED_TRACE(problem.source.str() + " -> " + problem.target.str());
    std::string error;
    std::optional<Relayout> relayout = Relayout::get(
        problem.source, problem.target, problem.permutation, error);
    ASSERT_TRUE(relayout) << error;
    ++done;
    Guarded source(relayout->getSourceBytes());
    // The values of source elements; those that are not written are padding.
    std::vector<int64_t> values(*problem.source.getPaddedElements());
    for (size_t n = 0; n < values.size(); ++n) {
      values[n] =
          types[0][0] == 'f'
              ? pick(random, -60, 60)
              : static_cast<int64_t>(uint64_t(random()) << 32 | random());
      if (static_cast<int64_t>(n + 1) * fromBits > 8 * source.getSize())
        continue;
      auto value = encode(from, values[n], fromBits);
      if (!(from == to) && types[0][0] != 'f' && from.getBits() < 64 &&
          pick(random, 0, 1)) {
        value.first ^= uint64_t(random()) << from.getBits();
        value.second = random();
      }
      writeBits(source.data(), n, fromBits, value);
    }
    std::vector<uint8_t> expected(relayout->getTargetBytes());
    forEachByDefinition(problem, [&](int64_t a, int64_t b) {
      // What the source's type has of the value, extended.
      int64_t value = values[a];
      if (types[0][0] != 'f')
        value = static_cast<int64_t>(encode(from, value, 64).first);
      writeBits(expected.data(), b, toBits, encode(to, value, toBits));
    });
    for (bool portable : {false, true})
      for (int64_t streamBytes : {int64_t(0), INT64_MAX}) {
        Guarded target(relayout->getTargetBytes());
        RelayoutOptions options;
        options.portable = portable;
        options.streamBytes = streamBytes;
        auto wrong = relayout->run(source.data(), source.getSize(),
                                   target.data(), target.getSize(), options);
        ASSERT_FALSE(wrong) << *wrong;
        ASSERT_TRUE(target.isIntact());
        for (size_t i = 0; i < expected.size(); ++i)
          ASSERT_EQ(target.data()[i], expected[i])
              << "byte " << i << ", " << toBits << " bits an element";
      }
  }
  EXPECT_GT(done, 800);
}

TEST(Relayout, RefusesTypes) {
  std::string error;
  EXPECT_FALSE(
      Relayout::get(parse("s32[3]{0}"), parse("f32[3]{0}"), {}, error));
  EXPECT_EQ(error, "no conversion from s32 to f32");
  EXPECT_FALSE(Relayout::get(parse("s8[3]{0}"), parse("u8[3]{0}"), {}, error));
  EXPECT_EQ(error, "no conversion from s8 to u8");
  EXPECT_FALSE(
      Relayout::get(parse("s32[3]{0}"), parse("s32[3]{0:E(256)}"), {}, error));
  EXPECT_EQ(error, "elements of s32 can't be moved in 256 bits");
  EXPECT_FALSE(Relayout::get(parse("{0}"), parse("s32[3]{0}"), {}, error));
  EXPECT_EQ(error, "layout '{0}' has no shape");
  EXPECT_FALSE(Relayout::getStrided({3}, {1}, *XlaType::lookup("f32"),
                                    parse("{0}"), {}, error));
  EXPECT_EQ(error, "layout '{0}' has no shape");
}

// Memory is checked before a byte of it is written.
TEST(Relayout, ChecksMemory) {
  std::string error;
  auto relayout = Relayout::get(parse("f32[3,5]{1,0}"),
                                parse("f32[3,5]{1,0:T(2,2)}"), {}, error);
  ASSERT_TRUE(relayout) << error;
  std::vector<uint8_t> memory(200, 7);
  EXPECT_EQ(relayout->run(memory.data(), 59, memory.data() + 100, 96),
            "the source needs 60 bytes, got 59");
  EXPECT_EQ(relayout->run(memory.data(), 60, memory.data() + 100, 95),
            "the target needs 96 bytes, got 95");
  EXPECT_EQ(relayout->run(memory.data(), 60, memory.data() + 59, 96),
            "source and target overlap in memory");
  EXPECT_EQ(memory, std::vector<uint8_t>(200, 7));
  EXPECT_FALSE(relayout->run(memory.data(), 60, memory.data() + 60, 96));
}

// Sources of any strides: every second element, backwards, repeated.
TEST(Relayout, TakesStrides) {
  std::vector<float> memory(400);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = i;
  Layout target = parse("f32[6,7]{1,0:T(4,4)}");
  const int64_t strides[][2] = {{14, 2}, {-7, 1}, {1, 6}, {0, 1}, {-1, -9}};
  for (auto &stride : strides) {
    std::string error;
    auto relayout = Relayout::getStrided(
        {6, 7}, stride, *XlaType::lookup("f32"), target, {}, error);
    ASSERT_TRUE(relayout) << error;
    int64_t first = 100 + relayout->getPlan().getSourceRange().first;
    std::vector<float> out(*target.getPaddedElements());
    EXPECT_FALSE(relayout->run(&memory[first], relayout->getSourceBytes(),
                               out.data(), out.size() * 4));
    for (int64_t i = 0; i < 6; ++i)
      for (int64_t j = 0; j < 7; ++j)
        EXPECT_EQ(out[*target.linearize({i, j})],
                  100 + i * stride[0] + j * stride[1]);
  }
}

// The same in one walk: nothing before the first element or after the last is
// read.
TEST(Relayout, StreamsStrides) {
  const int64_t strides[][2] = {{700, 2}, {1300, 4}, {-331, 1}, {0, 1},
                                {1, 60},  {5, 2},    {-700, 2}, {331, -1}};
  for (const char *layout : {"[53,321]{1,0}", "[53,321]{1,0:T(8,128)}",
                             "[53,321]{1,0:T(8,128)(2,1)}"})
    for (const char *type : {"u8", "s16", "s32", "s64"})
      for (auto &stride : strides)
        for (bool portable : {false, true}) {
          Layout target = parse(std::string(type) + layout);
          int64_t size = target.elementType->getBits() / 8;
          std::string error;
          auto relayout = Relayout::getStrided(
              {53, 321}, stride, *target.elementType, target, {}, error);
          ASSERT_TRUE(relayout) << error;
          Guarded source(relayout->getSourceBytes());
          Guarded out(relayout->getTargetBytes());
          for (int64_t i = 0; i < source.getSize(); ++i)
            source.data()[i] = static_cast<uint8_t>(i * 2654435761u >> 11);
          RelayoutOptions options;
          options.portable = portable;
          options.streamBytes = 0;
          ASSERT_FALSE(relayout->run(source.data(), source.getSize(),
                                     out.data(), out.getSize(), options));
          ASSERT_TRUE(out.isIntact());
          int64_t first = relayout->getPlan().getSourceRange().first;
          std::vector<uint8_t> expected(out.getSize());
          for (int64_t i = 0; i < 53; ++i)
            for (int64_t j = 0; j < 321; ++j)
              std::memcpy(&expected[*target.linearize({i, j}) * size],
                          source.data() +
                              (i * stride[0] + j * stride[1] - first) * size,
                          size);
          ASSERT_EQ(std::memcmp(expected.data(), out.data(), expected.size()),
                    0)
              << target.str() << " from strides " << stride[0] << ", "
              << stride[1];
        }
}

// The way in for generated code: strided copies of any shape, each element of
// the target once, nothing beside it.
TEST(Relayout, MovesForGeneratedCode) {
  std::mt19937 random(11);
  auto pick = [&](int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  };
  for (int round = 0; round < (kIsSanitized ? 130 : 400); ++round) {
    int64_t bytes = int64_t(1) << pick(0, 4);
    int64_t rank = pick(0, 5), elements = 1;
    std::vector<int64_t> sizes, target(rank), source(rank);
    // Some past the caches.
    int64_t most = round % 40 == 0 ? (int64_t(6) << 20) / bytes : 4000;
    for (int64_t d = 0; d < rank; ++d) {
      sizes.push_back(pick(0, 40) == 0 ? 0 : pick(1, d == 0 ? most : 40));
      if (elements * sizes.back() > most)
        sizes.back() = 1;
      elements *= sizes.back();
    }
    // Dense in an order of their own, now and then with gaps.
    auto order = [&](std::vector<int64_t> &strides) {
      std::vector<int64_t> dims(rank);
      std::iota(dims.begin(), dims.end(), 0);
      std::shuffle(dims.begin(), dims.end(), random);
      int64_t next = 1;
      for (int64_t d : dims) {
        strides[d] = next;
        next *= std::max<int64_t>(1, sizes[d]) + (pick(0, 5) == 0 ? 3 : 0);
      }
      return next;
    };
    int64_t room = order(target), given = order(source);
    std::vector<uint8_t> from(given * bytes), to(room * bytes + 128, 7);
    for (uint8_t &byte : from)
      byte = pick(0, 255);
    int64_t shift = pick(0, 8) * bytes;
    std::vector<uint8_t> expected = to;
    std::vector<int64_t> move = {bytes, rank}, index(rank, 0);
    for (int64_t d = 0; d < rank; ++d)
      move.insert(move.end(), {sizes[d], target[d], source[d]});
    for (int64_t n = 0; n < elements; ++n) {
      int64_t a = 0, b = shift;
      for (int64_t d = 0; d < rank; ++d) {
        a += index[d] * source[d] * bytes;
        b += index[d] * target[d] * bytes;
      }
      std::memcpy(&expected[b], &from[a], bytes);
      for (int64_t d = rank; d-- > 0;) {
        if (++index[d] < sizes[d])
          break;
        index[d] = 0;
      }
    }
    tensoraccess_move(to.data() + shift, from.data(), move.data());
    ASSERT_EQ(to, expected) << "round " << round;
  }
  // A source that is read backwards, and one that is repeated.
  const int16_t numbers[] = {0, 1, 2, 3};
  int16_t result[8];
  const int64_t back[] = {2, 2, 2, 4, 0, 4, 1, -1};
  tensoraccess_move(result, numbers + 3, back);
  EXPECT_EQ(std::vector<int16_t>(result, result + 8),
            (std::vector<int16_t>{3, 2, 1, 0, 3, 2, 1, 0}));
}

} // namespace
