//===- TargetTest.cpp - Descriptions of machines --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Target.h"
#include "TensorAccess/Core/Systolic.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlir::tensoraccess;

namespace {

std::string parseError(llvm::StringRef text) {
  ParseError error;
  std::optional<Target> target = Target::parse(text, error);
  if (target)
    return "no error: " + target->str();
  return std::to_string(error.offset) + ": " + error.message;
}

TEST(Target, BuiltInsRoundTrip) {
  for (llvm::StringRef name :
       {"host", "generic", "avx512", "x86-64-v3", "x86-64-v4", "sapphirerapids",
        "znver3", "znver4", "aarch64-neon", "aarch64-sve", "systolic-16x16",
        "systolic-128x8", "systolic-1x1"}) {
    std::optional<Target> target = Target::lookup(name);
    ASSERT_TRUE(target) << name.str();
    EXPECT_EQ(target->verify(), std::nullopt);
    ParseError error;
    std::optional<Target> again = Target::parse(target->str(), error);
    ASSERT_TRUE(again) << error.message;
    EXPECT_EQ(*again, *target);
    EXPECT_EQ(hash_value(*again), hash_value(*target));
    EXPECT_EQ(again->str(), target->str());
  }
}

TEST(Target, WorkedExamples) {
  Target host = *Target::lookup("generic");
  EXPECT_EQ(host.str(), "generic, vector_bytes = 32, cache_line = 64, "
                        "register_tile = 6x2, memory_cost = 8, "
                        "last_cache = 33554432");
  EXPECT_EQ(host.getLanes(32), 8);
  EXPECT_EQ(host.getPanelWidth(32), 16);
  EXPECT_EQ(host.getPanelWidth(64), 8);
  EXPECT_EQ(host.getPanelWidth(16), 32);
  EXPECT_EQ(host.chooseUnit(1, 1, 1), nullptr);
  Target unit = *Target::lookup("systolic-16x16");
  EXPECT_EQ(unit.matrixUnits.front().cycles, 46);
  EXPECT_EQ(unit.getBytesPerCycle(), 64);
  EXPECT_EQ(unit.matrixUnits.front().getCycles(32, 17, 1), 46 * 2 * 2);
  EXPECT_EQ(unit.matrixUnits.front().getCycles(INT64_MAX, INT64_MAX, 1),
            std::nullopt);
}

// A name alone is the built-in target; with more, what is left out is generic.
TEST(Target, NamesAlone) {
  ParseError error;
  EXPECT_EQ(Target::parse("znver3", error), Target::lookup("znver3"));
  EXPECT_EQ(Target::parse("znver3, cache_line = 64", error)->caches.size(), 0u);
  EXPECT_EQ(Target::lookup("znver4")->str(),
            "znver4, vector_bytes = 64, cache_line = 64, register_tile = 6x4, "
            "memory_cost = 8, last_cache = 33554432, registers = 32, caches = "
            "[32768x8, 1048576x8, 33554432x16], features = [avx512bf16, "
            "avx512f, avx512vnni, f16c, fma]");
  EXPECT_TRUE(Target::lookup("sapphirerapids")->hasFeature("amx-bf16"));
  EXPECT_FALSE(Target::lookup("znver3")->hasFeature("avx512f"));
  for (const std::string &name : Target::getBuiltInNames())
    if (std::optional<Target> target = Target::lookup(name))
      EXPECT_TRUE(llvm::is_sorted(target->features)) << name;
}

TEST(Target, NewKeysErrorsAreExact) {
  EXPECT_EQ(parseError("h, caches = [4096]"),
            "17: expected 'x' before the ways of a cache, got ']'");
  EXPECT_EQ(parseError("h, caches = [0x8]"),
            "0: bytes of cache 0 must be in [1, 2^50], got 0");
  EXPECT_EQ(parseError("h, caches = [4096x-1]"),
            "0: ways of cache 0 must be in [0, 2^20], got -1");
  EXPECT_EQ(parseError("h, registers = 0"),
            "0: registers must be in [1, 2^30], got 0");
  EXPECT_EQ(parseError("h, cores = 0"), "0: cores must be in [1, 2^30], got 0");
  EXPECT_EQ(parseError("h, features = [,]"),
            "15: expected the name of a feature, got ','");
}

// The values of this machine, whatever it is.
TEST(Target, Host) {
  Target host = *Target::lookup("host");
  EXPECT_EQ(host.verify(), std::nullopt);
  EXPECT_GE(host.cores, 1);
  EXPECT_EQ(host.vectorBytes == 64, host.hasFeature("avx512f"));
  for (size_t i = 1; i < host.caches.size(); ++i)
    EXPECT_LT(host.caches[i - 1].bytes, host.caches[i].bytes);
}

TEST(Target, APanelFillsWholeLines) {
  ParseError error;
  Target narrow =
      *Target::parse("x, vector_bytes = 16, register_tile = 4x1", error);
  EXPECT_EQ(narrow.getPanelWidth(32), 16);
  EXPECT_EQ(narrow.getLanes(256), 1);
}

TEST(Target, TakesTheUnitWithFewestCycles) {
  ParseError error;
  Target two =
      *Target::parse("two, matrix_units = [128x128 in 382, 8x8 in 22]", error);
  EXPECT_EQ(two.chooseUnit(8, 8, 8)->rows, 8);
  EXPECT_EQ(two.chooseUnit(128, 128, 128)->rows, 128);
}

// Spaces are printed by number, and found by number and by name.
TEST(Target, MemorySpaces) {
  ParseError error;
  std::optional<Target> gpu =
      Target::parse("gpu, memory_spaces = [shared 3 of 49152 at 16 banks 32x4, "
                    "vmem 1 of 16777216 at 8]",
                    error);
  ASSERT_TRUE(gpu) << error.message;
  EXPECT_EQ(gpu->str(),
            "gpu, vector_bytes = 32, cache_line = 64, register_tile = 6x2, "
            "memory_cost = 8, last_cache = 33554432, memory_spaces = "
            "[vmem 1 of 16777216 at 8, shared 3 of 49152 at 16 banks 32x4]");
  std::optional<Target> again = Target::parse(gpu->str(), error);
  ASSERT_TRUE(again) << error.message;
  EXPECT_EQ(*again, *gpu);
  EXPECT_EQ(hash_value(*again), hash_value(*gpu));
  ASSERT_NE(gpu->findSpace(3), nullptr);
  EXPECT_EQ(gpu->findSpace(3), gpu->findSpace("shared"));
  EXPECT_EQ(gpu->findSpace(3)->banks, 32);
  EXPECT_EQ(gpu->findSpace("vmem")->speed, 8);
  EXPECT_EQ(gpu->findSpace(2), nullptr);
  EXPECT_EQ(gpu->findSpace("smem"), nullptr);
  again->memorySpaces[0].speed = 9;
  EXPECT_NE(*again, *gpu);
}

TEST(Target, MemorySpaceErrorsAreExact) {
  EXPECT_EQ(parseError("h, memory_spaces = [3 of 4 at 1]"),
            "20: expected the name of a memory space, got '3'");
  EXPECT_EQ(parseError("h, memory_spaces = [a 3 at 1]"),
            "24: expected 'of' before the bytes of a memory space, got 'at'");
  EXPECT_EQ(parseError("h, memory_spaces = [a 3 of 4]"),
            "28: expected 'at' before the speed of a memory space, got ']'");
  EXPECT_EQ(parseError("h, memory_spaces = [a 3 of 4 at 1 banks 32]"),
            "42: expected 'x' between two sizes, got ']'");
  EXPECT_EQ(parseError("h, memory_spaces = [a 0 of 4 at 1]"),
            "0: number of memory space 'a' must be in [1, 2^30], got 0");
  EXPECT_EQ(parseError("h, memory_spaces = [a 1 of 0 at 1]"),
            "0: bytes of memory space 'a' must be in [1, 2^50], got 0");
  EXPECT_EQ(parseError("h, memory_spaces = [a 1 of 4 at 0]"),
            "0: speed of memory space 'a' must be in [1, 2^30], got 0");
  EXPECT_EQ(parseError("h, memory_spaces = [a 1 of 4 at 1 banks 0x4]"),
            "0: banks of memory space 'a' must be in [1, 2^30], got 0");
  EXPECT_EQ(parseError("h, memory_spaces = [a 1 of 4 at 1 banks 4x0]"),
            "0: bytes of a bank of memory space 'a' must be in [1, 2^30], got "
            "0");
  EXPECT_EQ(parseError("h, memory_spaces = [a 1 of 4 at 1, b 1 of 4 at 1]"),
            "0: numbers of memory spaces must be ascending and differ, got 1 "
            "before 1");
  EXPECT_EQ(parseError("h, memory_spaces = [a 1 of 4 at 1, a 2 of 4 at 1]"),
            "0: two memory spaces are called 'a'");
  EXPECT_EQ(parseError("h, last_cache = -1"),
            "0: last_cache must be in [0, 2^50], got -1");
  Target target = *Target::lookup("generic");
  target.memorySpaces.push_back({"3x", 1, 4, 1});
  EXPECT_EQ(target.verify(),
            "name of memory space 0 must be letters, digits, '_', '-' and "
            "'.', not a digit first, got '3x'");
}

TEST(Target, ArraysAndBandwidth) {
  ParseError error;
  llvm::StringRef text =
      "two, vector_bytes = 32, cache_line = 64, register_tile = 6x2, "
      "memory_cost = 8, last_cache = 33554432, bytes_per_cycle = 64, "
      "matrix_units = [16x16 in 46 accumulators 512 double_buffered, "
      "8x32 in 92 double_buffered, 4x4 in 10 accumulators 3]";
  std::optional<Target> two = Target::parse(text, error);
  ASSERT_TRUE(two) << error.message;
  EXPECT_EQ(two->str(), text);
  const MatrixUnit *unit = two->findUnit(16, 16);
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(unit->getArray().accumulators, 512);
  EXPECT_TRUE(unit->getArray().isDoubleBuffered);
  EXPECT_EQ(unit->getSlowness(), 1);
  // 2·8 + 32 - 2 = 46 cycles of an array are 92 of this one.
  EXPECT_EQ(two->findUnit(8, 32)->getSlowness(), 2);
  EXPECT_EQ(two->findUnit(32, 8), nullptr);
  EXPECT_EQ(two->getBytesPerCycle(), 64);
  EXPECT_EQ(Target::lookup("generic")->getBytesPerCycle(), 4);
  Target other = *two;
  other.bytesPerCycle = 0;
  EXPECT_NE(other, *two);
  other = *two;
  other.matrixUnits[2].accumulators = 0;
  EXPECT_NE(other, *two);
  other = *two;
  other.matrixUnits[0].isDoubleBuffered = false;
  EXPECT_NE(other, *two);
}

TEST(Target, UnknownNames) {
  for (llvm::StringRef name :
       {"", "hosts", "systolic-", "systolic-16", "systolic-0x16",
        "systolic-016x16", "systolic-16x16x16", "systolic--1x2"})
    EXPECT_EQ(Target::lookup(name), std::nullopt) << name.str();
}

TEST(Target, ErrorsAreExact) {
  EXPECT_EQ(parseError(""),
            "0: expected the name of a target, got end of text");
  EXPECT_EQ(parseError("host vector_bytes = 3"),
            "5: expected ',' or the end of the target, got 'vector_bytes'");
  EXPECT_EQ(parseError("host, lanes = 3"),
            "6: expected vector_bytes, cache_line, register_tile, memory_cost, "
            "last_cache, bytes_per_cycle, registers, caches, cores, features, "
            "matrix_units or memory_spaces, got 'lanes'");
  EXPECT_EQ(parseError("h, cache_line = 64, cache_line = 64"),
            "20: cache_line is given twice");
  EXPECT_EQ(parseError("h, cache_line 64"),
            "14: expected '=' after cache_line, got '64'");
  EXPECT_EQ(parseError("h, register_tile = 6"),
            "20: expected 'x' between two sizes, got end of text");
  EXPECT_EQ(parseError("h, matrix_units = [4x4 on 3]"),
            "23: expected 'in' before the cycles of a matrix unit, got 'on'");
  EXPECT_EQ(parseError("h, register_tile = 0x2"),
            "0: rows of register_tile must be in [1, 2^30], got 0");
  EXPECT_EQ(parseError("h, cache_line = 48"),
            "0: cache_line must be a power of two, got 48");
  EXPECT_EQ(parseError("h, matrix_units = [4x4 in 0]"),
            "0: cycles of matrix unit 0 must be in [1, 2^30], got 0");
  EXPECT_EQ(parseError("h, matrix_units = [4x4 in 10 accumulators]"),
            "41: expected a number of items, got ']'");
  EXPECT_EQ(parseError("h, matrix_units = [4x4 in 10 accumulators -1]"),
            "0: accumulators of matrix unit 0 must be in [1, 2^30], got -1");
  EXPECT_EQ(parseError("h, matrix_units = [4x4 in 10 buffered]"),
            "29: expected ',' or ']' in matrix units, got 'buffered'");
  EXPECT_EQ(parseError("h, bytes_per_cycle = -1"),
            "0: bytes_per_cycle must be in [1, 2^30], got -1");
  Target target;
  EXPECT_EQ(target.verify(), "name of a target must be letters, digits, '_', "
                             "'-' and '.', got ''");
}

} // namespace
