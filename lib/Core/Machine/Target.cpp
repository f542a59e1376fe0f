//===- Target.cpp - What a machine looks like to layouts ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text is the name, then `key = value` in any order, each at most once; it is
// printed in one order with all keys, so that equal targets have equal texts.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Target.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/HostMachine.h"
#include "TensorAccess/Core/Systolic.h"
#include "TensorAccess/Core/TextScanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tensoraccess;
using llvm::StringLiteral;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.';
}

/// `6x2`.
static bool parsePair(TextScanner &scanner, int64_t &first, int64_t &second) {
  return scanner.parseInteger(first, "a number of rows") &&
         scanner.expect('x', "'x' between two sizes") &&
         scanner.parseInteger(second, "a number of columns");
}

/// `16x16 in 46 accumulators 512 double_buffered`; the last two may be left out.
static bool parseUnit(TextScanner &scanner, MatrixUnit &unit) {
  if (!parsePair(scanner, unit.rows, unit.cols))
    return false;
  if (scanner.peekWord() != "in")
    return scanner.failExpecting("'in' before the cycles of a matrix unit");
  scanner.skip(2);
  if (!scanner.parseInteger(unit.cycles, "a number of cycles"))
    return false;
  if (scanner.peekWord() == "accumulators") {
    scanner.skip(StringRef("accumulators").size());
    if (!scanner.parseInteger(unit.accumulators, "a number of items"))
      return false;
  }
  if (scanner.peekWord() == "double_buffered") {
    scanner.skip(StringRef("double_buffered").size());
    unit.isDoubleBuffered = true;
  }
  return true;
}

/// `shared 3 of 49152 at 16 banks 32x4`; banks may be left out.
static bool parseSpace(TextScanner &scanner, MemorySpace &space) {
  StringRef name = scanner.rest().take_while(isNameCharacter);
  if (name.empty() || llvm::isDigit(name.front()))
    return scanner.failExpecting("the name of a memory space");
  space.name = name.str();
  scanner.skip(name.size());
  auto keyword = [&](StringRef word, const Twine &before) {
    if (scanner.peekWord() != word)
      return scanner.failExpecting("'" + word.str() + "' before " +
                                   before.str() + " of a memory space");
    scanner.skip(word.size());
    return true;
  };
  if (!scanner.parseInteger(space.number, "the number of a memory space") ||
      !keyword("of", "the bytes") ||
      !scanner.parseInteger(space.bytes, "a number of bytes") ||
      !keyword("at", "the speed") ||
      !scanner.parseInteger(space.speed, "a number of bytes"))
    return false;
  if (scanner.peekWord() != "banks")
    return true;
  scanner.skip(5);
  return parsePair(scanner, space.banks, space.bankBytes);
}

/// `49152x12`.
static bool parseCache(TextScanner &scanner, Cache &cache) {
  return scanner.parseInteger(cache.bytes, "the bytes of a cache") &&
         scanner.expect('x', "'x' before the ways of a cache") &&
         scanner.parseInteger(cache.ways, "the ways of a cache");
}

static bool parseFeature(TextScanner &scanner, Target &target) {
  StringRef name = scanner.rest().take_while(isNameCharacter);
  if (name.empty())
    return scanner.failExpecting("the name of a feature");
  scanner.skip(name.size());
  target.features.push_back(name.str());
  return true;
}

/// The keys, in the order in which they are printed.
static constexpr StringLiteral kKeys[] = {
    "vector_bytes", "cache_line",      "register_tile", "memory_cost",
    "last_cache",   "bytes_per_cycle", "registers",     "caches",
    "cores",        "features",        "matrix_units",  "memory_spaces"};

static bool parseValue(TextScanner &scanner, StringRef key, Target &target) {
  if (key == "vector_bytes")
    return scanner.parseInteger(target.vectorBytes, "a number of bytes");
  if (key == "cache_line")
    return scanner.parseInteger(target.cacheLine, "a number of bytes");
  if (key == "register_tile")
    return parsePair(scanner, target.tileRows, target.tileVectors);
  if (key == "memory_cost")
    return scanner.parseInteger(target.memoryCost, "a number of bytes");
  if (key == "last_cache")
    return scanner.parseInteger(target.lastCache, "a number of bytes");
  if (key == "bytes_per_cycle")
    return scanner.parseInteger(target.bytesPerCycle, "a number of bytes");
  if (key == "registers")
    return scanner.parseInteger(target.registers, "a number of registers");
  if (key == "cores")
    return scanner.parseInteger(target.cores, "a number of cores");
  if (key == "caches")
    return scanner.parseList('[', ']', "caches", [&] {
      return parseCache(scanner, target.caches.emplace_back());
    });
  if (key == "features")
    return scanner.parseList('[', ']', "features",
                             [&] { return parseFeature(scanner, target); });
  if (key == "memory_spaces")
    return scanner.parseList('[', ']', "memory spaces", [&] {
      return parseSpace(scanner, target.memorySpaces.emplace_back());
    });
  return scanner.parseList('[', ']', "matrix units", [&] {
    return parseUnit(scanner, target.matrixUnits.emplace_back());
  });
}

std::optional<Target> Target::parse(StringRef text, ParseError &error) {
  TextScanner scanner(text, error);
  Target target;
  StringRef name = scanner.rest().take_while(isNameCharacter);
  if (name.empty()) {
    scanner.failExpecting("the name of a target");
    return std::nullopt;
  }
  target.name = name.str();
  scanner.skip(name.size());
  // A name alone may be a built-in one.
  if (scanner.atEnd())
    if (std::optional<Target> builtIn = lookup(name))
      return builtIn;
  llvm::StringSet<> seen;
  while (!scanner.atEnd()) {
    if (!scanner.expect(',', "',' or the end of the target"))
      return std::nullopt;
    StringRef key = scanner.peekWord();
    if (!llvm::is_contained(kKeys, key)) {
      scanner.failExpecting(llvm::join(llvm::drop_end(kKeys), ", ") + " or " +
                            std::end(kKeys)[-1].str());
      return std::nullopt;
    }
    if (!seen.insert(key).second) {
      scanner.fail(scanner.position(), key + " is given twice");
      return std::nullopt;
    }
    scanner.skip(key.size());
    if (!scanner.expect('=', "'=' after " + key.str()) ||
        !parseValue(scanner, key, target))
      return std::nullopt;
  }
  llvm::sort(target.memorySpaces,
             [](const MemorySpace &a, const MemorySpace &b) {
               return std::tie(a.number, a.name) < std::tie(b.number, b.name);
             });
  llvm::sort(target.features);
  if (std::optional<std::string> fault = target.verify()) {
    error = {*fault, 0};
    return std::nullopt;
  }
  return target;
}

//===----------------------------------------------------------------------===//
// Built in
//===----------------------------------------------------------------------===//

namespace {
/// Values of processors: of AMD's and Intel's optimisation manuals, and of Arm's
/// software optimisation guides.
struct BuiltIn {
  const char *name;
  int64_t vectorBytes, tileRows, tileVectors, registers;
  Cache caches[3];
  const char *features;

  Target get() const {
    Target target;
    target.name = name;
    target.vectorBytes = vectorBytes;
    target.tileRows = tileRows;
    target.tileVectors = tileVectors;
    target.registers = registers;
    for (const Cache &cache : caches)
      if (cache.bytes != 0)
        target.caches.push_back(cache);
    if (!target.caches.empty())
      target.lastCache = target.caches.back().bytes;
    for (StringRef feature : llvm::split(features, ' '))
      if (!feature.empty())
        target.features.push_back(feature.str());
    return target;
  }
};
} // namespace

static constexpr int64_t kKiB = 1 << 10, kMiB = 1 << 20;
/// Features are sorted.
static const BuiltIn kBuiltIns[] = {
    {"generic", 32, 6, 2, 16, {}, ""},
    {"avx512", 64, 14, 2, 32, {}, "avx512f f16c fma"},
    {"x86-64-v3", 32, 6, 2, 16, {{32 * kKiB, 8}, {512 * kKiB, 8}}, "f16c fma"},
    {"x86-64-v4",
     64,
     6,
     4,
     32,
     {{32 * kKiB, 8}, {kMiB, 16}},
     "avx512f f16c fma"},
    {"sapphirerapids",
     64,
     6,
     4,
     32,
     {{48 * kKiB, 12}, {2 * kMiB, 16}, {60 * kMiB, 15}},
     "amx-bf16 amx-int8 amx-tile avx512bf16 avx512f avx512fp16 avx512vnni f16c "
     "fma"},
    {"znver3",
     32,
     6,
     2,
     16,
     {{32 * kKiB, 8}, {512 * kKiB, 8}, {32 * kMiB, 16}},
     "f16c fma"},
    {"znver4",
     64,
     6,
     4,
     32,
     {{32 * kKiB, 8}, {kMiB, 8}, {32 * kMiB, 16}},
     "avx512bf16 avx512f avx512vnni f16c fma"},
    {"aarch64-neon", 16, 8, 3, 32, {{64 * kKiB, 4}, {kMiB, 8}}, "neon"},
    {"aarch64-sve", 32, 8, 3, 32, {{64 * kKiB, 4}, {kMiB, 8}}, "neon sve"}};

static Target getHostTarget() {
  static const Target host = [] {
    Target target;
    target.name = "host";
    const Machine &machine = getHostMachine();
    target.cores = std::max<int64_t>(1, machine.cores);
    for (auto [bytes, ways] :
         llvm::zip_equal(machine.caches, machine.cacheWays))
      target.caches.push_back({bytes, ways});
    if (!target.caches.empty())
      target.lastCache = target.caches.back().bytes;
    for (StringRef feature : machine.features)
      target.features.push_back(feature.str());
    if (target.hasFeature("avx512f")) {
      target.vectorBytes = 64;
      target.registers = 32;
      target.tileVectors = 4;
    } else if (target.hasFeature("neon")) {
      // A vector of SVE is as long as the processor makes it.
      target.vectorBytes = 16;
      target.registers = 32;
      target.tileRows = 8;
      target.tileVectors = 3;
    } else if (!target.hasFeature("avx")) {
      target.vectorBytes = 16;
    }
    return target;
  }();
  return host;
}

std::optional<Target> Target::lookup(StringRef name) {
  for (const BuiltIn &builtIn : kBuiltIns)
    if (name == builtIn.name)
      return builtIn.get();
  if (name == "host")
    return getHostTarget();
  Target target;
  target.name = name.str();
  // Rows of the first operand enter one a cycle; the last leaves the far corner
  // rows + cols - 2 cycles later.
  MatrixUnit unit;
  auto [rows, cols] = name.split('x');
  if (!rows.consume_front("systolic-") || rows.getAsInteger(10, unit.rows) ||
      cols.getAsInteger(10, unit.cols) || unit.rows < 1 || unit.cols < 1 ||
      unit.rows > (1 << 20) || unit.cols > (1 << 20))
    return std::nullopt;
  // One text for one target.
  if (name != ("systolic-" + Twine(unit.rows) + "x" + Twine(unit.cols)).str())
    return std::nullopt;
  unit.cycles = 2 * unit.rows + unit.cols - 2;
  if (unit.cycles < 1)
    unit.cycles = 1;
  // Memory keeps up with an item of 32-bit elements a cycle.
  target.bytesPerCycle = 4 * unit.rows;
  target.matrixUnits.push_back(unit);
  return target;
}

std::vector<std::string> Target::getBuiltInNames() {
  std::vector<std::string> names = {"host", "systolic-RxC"};
  for (const BuiltIn &builtIn : kBuiltIns)
    names.push_back(builtIn.name);
  llvm::sort(names);
  return names;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// std::nullopt, or that `what` must be positive (and at most 2^30).
static std::optional<std::string> checkSize(const Twine &what, int64_t size) {
  if (size >= 1 && size <= (int64_t(1) << 30))
    return std::nullopt;
  return (what + " must be in [1, 2^30], got " + Twine(size)).str();
}

/// What is wrong with memory space number i of a list; it comes after `before`.
static std::optional<std::string> checkSpace(size_t i, const MemorySpace &space,
                                             const MemorySpace *before) {
  constexpr int64_t kMost = int64_t(1) << 50;
  if (space.name.empty() || !llvm::all_of(space.name, isNameCharacter) ||
      llvm::isDigit(space.name.front()))
    return "name of memory space " + std::to_string(i) +
           " must be letters, digits, '_', '-' and '.', not a digit first, "
           "got '" +
           space.name + "'";
  std::string what = "memory space '" + space.name + "'";
  // 0 is main memory.
  if (std::optional<std::string> fault =
          checkSize("number of " + what, space.number))
    return fault;
  if (before && before->number >= space.number)
    return "numbers of memory spaces must be ascending and differ, got " +
           std::to_string(before->number) + " before " +
           std::to_string(space.number);
  if (space.bytes < 1 || space.bytes > kMost)
    return "bytes of " + what + " must be in [1, 2^50], got " +
           std::to_string(space.bytes);
  if (std::optional<std::string> fault =
          checkSize("speed of " + what, space.speed))
    return fault;
  if (space.banks == 0 && space.bankBytes == 0)
    return std::nullopt;
  if (std::optional<std::string> fault =
          checkSize("banks of " + what, space.banks))
    return fault;
  return checkSize("bytes of a bank of " + what, space.bankBytes);
}

std::optional<std::string> Target::verify() const {
  if (name.empty() || !llvm::all_of(name, isNameCharacter))
    return "name of a target must be letters, digits, '_', '-' and '.', got '" +
           name + "'";
  for (auto [what, size] :
       {std::pair<StringRef, int64_t>{"vector_bytes", vectorBytes},
        {"cache_line", cacheLine},
        {"rows of register_tile", tileRows},
        {"vectors of register_tile", tileVectors},
        {"memory_cost", memoryCost},
        {"registers", registers},
        {"cores", cores}})
    if (std::optional<std::string> fault = checkSize(what, size))
      return fault;
  for (auto [what, size] :
       {std::pair<StringRef, int64_t>{"vector_bytes", vectorBytes},
        {"cache_line", cacheLine}})
    if (!llvm::isPowerOf2_64(size))
      return (what + " must be a power of two, got " + Twine(size)).str();
  if (lastCache < 0 || lastCache > (int64_t(1) << 50))
    return "last_cache must be in [0, 2^50], got " + std::to_string(lastCache);
  for (auto [i, cache] : llvm::enumerate(caches)) {
    if (cache.bytes < 1 || cache.bytes > (int64_t(1) << 50))
      return "bytes of cache " + std::to_string(i) +
             " must be in [1, 2^50], got " + std::to_string(cache.bytes);
    if (cache.ways < 0 || cache.ways > (1 << 20))
      return "ways of cache " + std::to_string(i) +
             " must be in [0, 2^20], got " + std::to_string(cache.ways);
  }
  // 0 is the default.
  if (bytesPerCycle != 0)
    if (std::optional<std::string> fault =
            checkSize("bytes_per_cycle", bytesPerCycle))
      return fault;
  for (auto [i, space] : llvm::enumerate(memorySpaces)) {
    if (std::optional<std::string> fault =
            checkSpace(i, space, i == 0 ? nullptr : &memorySpaces[i - 1]))
      return fault;
    if (findSpace(space.name) != &space)
      return "two memory spaces are called '" + space.name + "'";
  }
  for (auto [i, unit] : llvm::enumerate(matrixUnits)) {
    for (auto [what, size] : {std::pair<StringRef, int64_t>{"rows", unit.rows},
                              {"columns", unit.cols},
                              {"cycles", unit.cycles}})
      if (std::optional<std::string> fault =
              checkSize(what + " of matrix unit " + Twine(i), size))
        return fault;
    if (unit.accumulators != 0)
      if (std::optional<std::string> fault = checkSize(
              "accumulators of matrix unit " + Twine(i), unit.accumulators))
        return fault;
  }
  return std::nullopt;
}

std::string Target::str() const {
  std::string text =
      (Twine(name) + ", vector_bytes = " + Twine(vectorBytes) +
       ", cache_line = " + Twine(cacheLine) +
       ", register_tile = " + Twine(tileRows) + "x" + Twine(tileVectors) +
       ", memory_cost = " + Twine(memoryCost) +
       ", last_cache = " + Twine(lastCache))
          .str();
  if (bytesPerCycle != 0)
    text += ", bytes_per_cycle = " + std::to_string(bytesPerCycle);
  const Target generic;
  if (registers != generic.registers)
    text += ", registers = " + std::to_string(registers);
  auto addList = [&](StringRef key, auto &&list, auto &&print) {
    if (list.empty())
      return;
    text += ", " + key.str() + " = [";
    llvm::interleave(
        list, [&](const auto &value) { text += print(value); },
        [&] { text += ", "; });
    text += "]";
  };
  addList("caches", caches, [](const Cache &cache) {
    return std::to_string(cache.bytes) + "x" + std::to_string(cache.ways);
  });
  if (cores != generic.cores)
    text += ", cores = " + std::to_string(cores);
  addList("features", features, [](const std::string &name) { return name; });
  addList("matrix_units", matrixUnits, [](const MatrixUnit &unit) {
    std::string words = (Twine(unit.rows) + "x" + Twine(unit.cols) + " in " +
                         Twine(unit.cycles))
                            .str();
    if (unit.accumulators != 0)
      words += " accumulators " + std::to_string(unit.accumulators);
    if (unit.isDoubleBuffered)
      words += " double_buffered";
    return words;
  });
  addList("memory_spaces", memorySpaces, [](const MemorySpace &space) {
    std::string words =
        (Twine(space.name) + " " + Twine(space.number) + " of " +
         Twine(space.bytes) + " at " + Twine(space.speed))
            .str();
    if (space.banks != 0)
      words +=
          (" banks " + Twine(space.banks) + "x" + Twine(space.bankBytes)).str();
    return words;
  });
  return text;
}

const MemorySpace *Target::findSpace(int64_t number) const {
  for (const MemorySpace &space : memorySpaces)
    if (space.number == number)
      return &space;
  return nullptr;
}

const MemorySpace *Target::findSpace(StringRef spaceName) const {
  for (const MemorySpace &space : memorySpaces)
    if (space.name == spaceName)
      return &space;
  return nullptr;
}

int64_t Target::getLanes(int64_t elementBits) const {
  return std::max<int64_t>(1,
                           vectorBytes * 8 / std::max<int64_t>(elementBits, 1));
}

int64_t Target::getPanelWidth(int64_t elementBits) const {
  int64_t line =
      std::max<int64_t>(1, cacheLine * 8 / std::max<int64_t>(elementBits, 1));
  int64_t width = getLanes(elementBits) * tileVectors;
  return llvm::divideCeilSigned(width, line) * line;
}

std::optional<int64_t> MatrixUnit::getCycles(int64_t m, int64_t n,
                                             int64_t k) const {
  std::optional<int64_t> total = cycles;
  for (int64_t tiles : {int64_t(llvm::divideCeilSigned(m, rows)),
                        int64_t(llvm::divideCeilSigned(n, cols)),
                        int64_t(llvm::divideCeilSigned(k, rows))})
    total = checkedMul(total, tiles);
  return total;
}

SystolicArray MatrixUnit::getArray() const {
  return {rows, cols, accumulators, isDoubleBuffered};
}

double MatrixUnit::getSlowness() const {
  return double(cycles) / double(std::max<int64_t>(1, 2 * rows + cols - 2));
}

const MatrixUnit *Target::findUnit(int64_t rows, int64_t cols) const {
  for (const MatrixUnit &unit : matrixUnits)
    if (unit.rows == rows && unit.cols == cols)
      return &unit;
  return nullptr;
}

const MatrixUnit *Target::chooseUnit(int64_t m, int64_t n, int64_t k) const {
  const MatrixUnit *best = nullptr;
  std::optional<int64_t> least;
  for (const MatrixUnit &unit : matrixUnits) {
    std::optional<int64_t> cycles = unit.getCycles(m, n, k);
    if (!best || (cycles && (!least || *cycles < *least))) {
      best = &unit;
      least = cycles;
    }
  }
  return best;
}

bool Target::operator==(const Target &o) const {
  return name == o.name && vectorBytes == o.vectorBytes &&
         cacheLine == o.cacheLine && tileRows == o.tileRows &&
         tileVectors == o.tileVectors && memoryCost == o.memoryCost &&
         lastCache == o.lastCache && bytesPerCycle == o.bytesPerCycle &&
         registers == o.registers && caches == o.caches && cores == o.cores &&
         features == o.features && matrixUnits == o.matrixUnits &&
         memorySpaces == o.memorySpaces;
}

llvm::hash_code mlir::tensoraccess::hash_value(const Target &target) {
  return llvm::hash_combine(
      target.name, target.vectorBytes, target.cacheLine, target.tileRows,
      target.tileVectors, target.memoryCost, target.lastCache,
      target.bytesPerCycle,
      llvm::hash_combine_range(target.matrixUnits.begin(),
                               target.matrixUnits.end()),
      llvm::hash_combine_range(target.memorySpaces.begin(),
                               target.memorySpaces.end()));
}
