//===- BankedExchange.cpp - Memory layouts without bank conflicts ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/BankedExchange.h"
#include "Strided/BitMatrix.h"
#include "Strided/Fail.h"
#include "TensorAccess/Core/LinearLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace mlir::tensoraccess;

using Words = llvm::SmallVector<uint64_t, 16>;

/// Those of the words that neither `base` nor earlier words span.
static Words extend(llvm::ArrayRef<uint64_t> base,
                    llvm::ArrayRef<uint64_t> words) {
  Words all(base), added;
  for (uint64_t word : words) {
    Echelon::Row row{word, 0};
    Echelon(all).reduce(row);
    if (row.value == 0)
      continue;
    all.push_back(word);
    added.push_back(word);
  }
  return added;
}

/// What both span.
static Words intersect(llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b) {
  Words left = extend({}, a), all = left, common;
  all.append(extend({}, b));
  for (uint64_t zero : Echelon(all).kernel) {
    uint64_t sum = 0;
    for (size_t i = 0; i < left.size(); ++i)
      if (zero >> i & 1)
        sum ^= left[i];
    common.push_back(sum);
  }
  return common;
}

static Words join(llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b) {
  Words all(a);
  all.append(b.begin(), b.end());
  return all;
}

static Words getBases(const LinearLayout &layout, llvm::StringRef name) {
  for (const LinearLayout::Input &input : layout.inputs)
    if (input.name == name)
      return Words(input.bases.begin(), input.bases.end());
  return {};
}

static unsigned getLog(int64_t size) {
  return llvm::Log2_64(static_cast<uint64_t>(std::max<int64_t>(1, size)));
}

llvm::StringRef mlir::tensoraccess::describe(BankedExchange::Way way) {
  switch (way) {
  case BankedExchange::Way::Registers:
    return "registers";
  case BankedExchange::Way::Shuffles:
    return "shuffles";
  case BankedExchange::Way::Memory:
    return "memory";
  }
  llvm_unreachable("unknown way");
}

llvm::StringRef mlir::tensoraccess::describe(BankedAccess::Kind kind) {
  switch (kind) {
  case BankedAccess::Kind::Lanes:
    return "lanes";
  case BankedAccess::Kind::Rows:
    return "rows";
  case BankedAccess::Kind::Columns:
    return "columns";
  }
  llvm_unreachable("unknown kind");
}

/// Bits of the registers, lanes and warps whose accesses are counted.
static constexpr unsigned kMostBits = 22;
/// Of a matrix: bytes of a row, rows, and bytes that a lane gets of one.
static constexpr int64_t kRowBytes = 16, kRows = 8, kWordBytes = 4;
static constexpr unsigned kLaneBits = 5;

/// Powers of two, no larger than any memory has.
static bool isSize(int64_t size) {
  return size >= 1 && size <= 1 << 20 && llvm::isPowerOf2_64(size);
}

/// Checks all sizes that a count takes; `error` for invalid ones.
static bool checkSizes(int64_t elementBytes, int64_t vector,
                       const BankedMemory &banks, std::string &error) {
  for (auto [name, size] : {std::pair("the size of an element", elementBytes),
                            std::pair("the size of a vector", vector),
                            std::pair("the number of banks", banks.banks),
                            std::pair("the size of a bank", banks.bankBytes)})
    if (!isSize(size)) {
      fail(error, llvm::Twine(name) + " must be a power of two, got " +
                      llvm::Twine(size) + "; the most is 2^20");
      return false;
    }
  return true;
}

static bool isCounted(const LinearLayout &layout, std::string &error) {
  if (layout.getNumInputBits() <= kMostBits)
    return true;
  fail(error, "accesses of more than 2^" + llvm::Twine(kMostBits) +
                  " elements are not counted");
  return false;
}

/// Lanes that a memory serves at once.
static int64_t getLanesAtOnce(int64_t vectorBytes, const BankedMemory &banks) {
  return std::max<int64_t>(1, banks.banks * banks.bankBytes /
                                  std::max(vectorBytes, banks.bankBytes));
}

static uint64_t sumOf(llvm::ArrayRef<uint64_t> words, uint64_t bits) {
  uint64_t total = 0;
  for (auto [i, word] : llvm::enumerate(words))
    if (bits >> i & 1)
      total ^= word;
  return total;
}

static bool spans(llvm::ArrayRef<uint64_t> words,
                  llvm::ArrayRef<uint64_t> others) {
  return extend(words, others).empty();
}

namespace {
/// One side of an exchange.
struct Side {
  Words registers, lanes, warps;

  explicit Side(const LinearLayout &layout)
      : registers(getBases(layout, "register")),
        lanes(getBases(layout, "lane")), warps(getBases(layout, "warp")) {}

  /// The rows of a matrix by number, lowest bit first; std::nullopt if lanes
  /// are not 32 that hold different elements.
  std::optional<Words> getRows(BankedAccess::Kind kind) const {
    if (lanes.size() != kLaneBits ||
        extend(registers, lanes).size() != kLaneBits)
      return std::nullopt;
    if (kind == BankedAccess::Kind::Rows)
      return Words(llvm::ArrayRef(lanes).drop_front(2));
    if (registers.empty() || registers[0] == 0)
      return std::nullopt;
    return Words{registers[0], lanes[0], lanes[1]};
  }

  /// The bits of a unit that select the lane of a row that gets a part of it.
  uint64_t getLaneMask(BankedAccess::Kind kind, int64_t elementBytes) const {
    if (kind == BankedAccess::Kind::Lanes)
      return 0;
    return kind == BankedAccess::Kind::Columns
               ? 7
               : uint64_t(3) << getLog(kWordBytes / elementBytes);
  }

  /// The bases that may not change which lane that is.
  Words getOthers(BankedAccess::Kind kind) const {
    Words others = join(registers, warps);
    const bool isRows = kind == BankedAccess::Kind::Rows;
    others.append(isRows ? lanes.begin() + 2 : lanes.begin(),
                  isRows ? lanes.end() : lanes.begin() + 2);
    return others;
  }

  /// Whether what is side by side in memory, lowest bit first, is what an access of
  /// this kind takes.
  bool takes(BankedAccess::Kind kind, llvm::ArrayRef<uint64_t> unit,
             int64_t elementBytes) const {
    if (kind == BankedAccess::Kind::Lanes)
      return spans(registers, unit);
    if (elementBytes << unit.size() != kRowBytes || elementBytes > kWordBytes ||
        !getRows(kind))
      return false;
    if (kind == BankedAccess::Kind::Columns)
      return elementBytes == 2 && unit == llvm::ArrayRef(lanes).drop_front(2);
    const unsigned inWord = getLog(kWordBytes / elementBytes);
    return spans(registers, unit.take_front(inWord)) &&
           unit[inWord] == lanes[0] && unit[inWord + 1] == lanes[1];
  }

  /// What an access serves at once, beside units.
  Words getAtOnce(BankedAccess::Kind kind, int64_t vectorBytes,
                  const BankedMemory &banks) const {
    if (kind != BankedAccess::Kind::Lanes)
      return *getRows(kind);
    return Words(llvm::ArrayRef(lanes).take_front(
        getLog(getLanesAtOnce(vectorBytes, banks))));
  }
};
} // namespace

/// `isWhole`: every access; else the first, for all, which differ from it by a sum
/// that keeps apart what is apart.
static std::optional<BankedAccess>
count(const LinearLayout &layout, const LinearLayout &memory,
      int64_t elementBytes, BankedAccess::Kind kind, int64_t vector,
      const BankedMemory &banks, bool isWhole) {
  const Side side(layout);
  const bool isMatrix = kind != BankedAccess::Kind::Lanes;
  const Words columns(memory.getColumns());
  const auto unit = llvm::ArrayRef(columns).take_front(getLog(vector));
  if (!side.takes(kind, unit, elementBytes))
    return std::nullopt;
  // What the lanes of an access name, and what other accesses have.
  const Words named = isMatrix ? *side.getRows(kind) : side.lanes;
  Words known(unit);
  if (isMatrix)
    known = join(unit, join(named, side.lanes));
  const Words accesses = extend(known, side.registers);
  const Echelon places(columns);
  // A lane gets the part of its number of each row.
  if (isMatrix)
    for (uint64_t word : side.getOthers(kind))
      if (std::optional<uint64_t> offset = places.solve(word);
          !offset || *offset & side.getLaneMask(kind, elementBytes))
        return std::nullopt;
  const int64_t atOnce =
      isMatrix ? kRows : getLanesAtOnce(vector * elementBytes, banks);
  const uint64_t numNamed = uint64_t(1) << named.size(),
                 numWarps = uint64_t(1) << side.warps.size(),
                 numAccesses = uint64_t(1) << accesses.size();
  BankedAccess result{kind, vector};
  for (uint64_t warp = 0; warp < (isWhole ? numWarps : 1); ++warp)
    for (uint64_t access = 0; access < (isWhole ? numAccesses : 1); ++access)
      for (uint64_t first = 0; first < numNamed; first += atOnce) {
        llvm::DenseSet<uint64_t> words;
        llvm::DenseMap<uint64_t, int64_t> byBank;
        int64_t most = 0;
        for (uint64_t lane = first;
             lane < std::min<uint64_t>(numNamed, first + atOnce); ++lane) {
          std::optional<uint64_t> offset =
              places.solve(sumOf(side.warps, warp) ^ sumOf(accesses, access) ^
                           sumOf(named, lane));
          if (!offset)
            return std::nullopt;
          const uint64_t begin = *offset / vector * vector * elementBytes;
          for (uint64_t word = begin / banks.bankBytes,
                        end = llvm::divideCeil(begin + vector * elementBytes,
                                               banks.bankBytes);
               word < end; ++word)
            if (words.insert(word).second)
              most = std::max(most, ++byBank[word % banks.banks]);
        }
        result.cycles += most;
        result.leastCycles += llvm::divideCeil(words.size(), banks.banks);
      }
  if (!isWhole) {
    result.cycles *= numWarps * numAccesses;
    result.leastCycles *= numWarps * numAccesses;
  }
  result.instructions =
      numWarps * (isMatrix ? llvm::divideCeil(numAccesses, 4) : numAccesses);
  return result;
}

std::optional<BankedAccess> mlir::tensoraccess::countCycles(
    const LinearLayout &layout, const LinearLayout &memory,
    int64_t elementBytes, BankedAccess::Kind kind, int64_t vector,
    const BankedMemory &banks, std::string &error) {
  if (!checkSizes(elementBytes, vector, banks, error))
    return std::nullopt;
  if (layout.outputs != memory.outputs)
    return fail(error, "the layout and the memory must have the same indices");
  if (!isCounted(layout, error))
    return std::nullopt;
  if (getLog(vector) > memory.getNumInputBits())
    return fail(error, "the memory has no vectors of " + llvm::Twine(vector));
  if (auto result =
          count(layout, memory, elementBytes, kind, vector, banks, true))
    return result;
  return fail(error, kind == BankedAccess::Kind::Lanes
                         ? "registers hold no vectors of " +
                               llvm::Twine(vector) +
                               " that are side by side in this memory"
                         : "lanes hold no matrices whose rows are side by side "
                           "in this memory");
}

/// Whether every lane, or warp, has among its own elements those that it wants; of
/// several copies it takes the nearest.
static BankedExchange::Way findWay(const Side &from, const Side &to) {
  auto isHeld =
      [](const Words &held, llvm::ArrayRef<const Words *> inner,
         llvm::ArrayRef<std::pair<const Words *, const Words *>> outer) {
        for (const Words *words : inner)
          if (!spans(held, *words))
            return false;
        for (auto [before, after] : outer) {
          if (before->size() != after->size())
            return false;
          for (auto [x, y] : llvm::zip_equal(*before, *after))
            if (!spans(held, x ^ y))
              return false;
        }
        return true;
      };
  if (isHeld(from.registers, {&to.registers},
             {{&from.lanes, &to.lanes}, {&from.warps, &to.warps}}))
    return BankedExchange::Way::Registers;
  if (from.lanes.size() == to.lanes.size() &&
      isHeld(join(from.registers, from.lanes), {&to.registers, &to.lanes},
             {{&from.warps, &to.warps}}))
    return BankedExchange::Way::Shuffles;
  return BankedExchange::Way::Memory;
}

/// The rows of a memory: bits above vectors and banks. `a` and `b` are what either
/// side serves at once, `inner` what is to stay in a word or vector.
static Words chooseRows(llvm::ArrayRef<uint64_t> inner,
                        llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b,
                        llvm::ArrayRef<uint64_t> all, size_t count) {
  const Words common = intersect(a, b), onlyA = extend(common, a),
              onlyB = extend(common, b);
  Words rows;
  auto add = [&](uint64_t word) {
    Words used = join(inner, rows);
    if (rows.size() < count && !spans(used, word))
      rows.push_back(word);
  };
  for (uint64_t word : extend(join(a, b), all))
    add(word);
  const size_t pairs = std::min(onlyA.size(), onlyB.size());
  for (size_t i = 0; i < pairs; ++i)
    add(onlyA[i] ^ onlyB[i]);
  // From here on there are conflicts: of the layout with more lanes, then of both.
  const Words &larger = onlyA.size() > onlyB.size() ? onlyA : onlyB;
  for (uint64_t word : llvm::ArrayRef(larger).drop_front(pairs))
    add(word);
  for (uint64_t word : onlyA)
    add(word);
  for (uint64_t word : common)
    add(word);
  return rows;
}

namespace {
/// What is adjacent in memory, lowest bit first, and how much of it either side
/// takes at once.
struct Unit {
  Words words;
  BankedAccess::Kind kinds[2] = {BankedAccess::Kind::Lanes,
                                 BankedAccess::Kind::Lanes};
  unsigned bits[2] = {0, 0};
};

class ExchangePlanner {
public:
  ExchangePlanner(const LinearLayout &from, const LinearLayout &to,
                  int64_t elementBytes, const BankedMemory &banks)
      : layouts{&from, &to}, sides{Side(from), Side(to)},
        elementBytes(elementBytes), banks(banks), all(from.getImage()) {}

  BankedExchange plan();

private:
  using Kind = BankedAccess::Kind;

  void addLanes(const Words &words, unsigned other);
  void addMatrices(unsigned side, Kind kind);
  LinearLayout getMemory(const Unit &unit) const;

  const LinearLayout *layouts[2];
  Side sides[2];
  const int64_t elementBytes;
  const BankedMemory &banks;
  const Words all;
  std::vector<Unit> units;
};
} // namespace

/// Vectors of which side `other` has the beginning.
void ExchangePlanner::addLanes(const Words &words, unsigned other) {
  Unit unit;
  unit.words = words;
  unit.bits[1 - other] = words.size();
  while (unit.bits[other] < words.size() &&
         spans(sides[other].registers, words[unit.bits[other]]))
    ++unit.bits[other];
  units.push_back(std::move(unit));
}

/// Rows of matrices of one side; the other has matrices of these rows, too, or the
/// vectors that it holds of them.
void ExchangePlanner::addMatrices(unsigned number, Kind kind) {
  const Side &side = sides[number], &other = sides[1 - number];
  if (!(number == 0 ? banks.storesMatrices : banks.loadsMatrices) ||
      elementBytes > kWordBytes || !side.getRows(kind))
    return;
  Unit unit;
  if (kind == Kind::Rows) {
    const unsigned inWord = getLog(kWordBytes / elementBytes);
    // What both hold in registers first.
    Words own = extend({}, side.registers),
          both = intersect(own, other.registers);
    both.append(extend(both, own));
    if (both.size() < inWord)
      return;
    both.truncate(inWord);
    unit.words = join(both, {side.lanes[0], side.lanes[1]});
  } else if (elementBytes == 2) {
    unit.words = Words(llvm::ArrayRef(side.lanes).drop_front(2));
  } else {
    return;
  }
  unit.kinds[number] = kind;
  unit.bits[number] = unit.words.size();
  auto takes = [&](Kind kind, unsigned bits) {
    return other.takes(kind, llvm::ArrayRef(unit.words).take_front(bits),
                       elementBytes);
  };
  unsigned &bits = unit.bits[1 - number];
  while (bits < unit.words.size() && takes(Kind::Lanes, bits + 1))
    ++bits;
  units.push_back(unit);
  bits = unit.words.size();
  for (Kind both : {Kind::Rows, Kind::Columns})
    if ((number == 1 ? banks.storesMatrices : banks.loadsMatrices) &&
        takes(both, bits)) {
      unit.kinds[1 - number] = both;
      units.push_back(unit);
    }
}

/// The bits of an element that select the lane of a row of matrices that gets it.
static uint64_t getLanePart(const Side &side, const Unit &unit, unsigned number,
                            int64_t elementBytes, uint64_t word) {
  const BankedAccess::Kind kind = unit.kinds[number];
  const Words others = side.getOthers(kind);
  Words all = others;
  const uint64_t mask = side.getLaneMask(kind, elementBytes);
  for (auto [bit, basis] : llvm::enumerate(unit.words))
    if (mask >> bit & 1)
      all.push_back(basis);
  const uint64_t sum = Echelon(all).solve(word).value_or(0);
  return sumOf(llvm::ArrayRef(all).drop_front(others.size()),
               sum >> others.size());
}

LinearLayout ExchangePlanner::getMemory(const Unit &unit) const {
  // What an access serves at once; lanes in one word do not conflict.
  Words inner = unit.words, atOnce[2];
  auto isInWord = [&](const Words &words) {
    return elementBytes << words.size() < banks.bankBytes;
  };
  for (unsigned i : {0, 1})
    atOnce[i] =
        sides[i].getAtOnce(unit.kinds[i], elementBytes << unit.bits[i], banks);
  const bool isLarger =
      extend(inner, atOnce[0]).size() > extend(inner, atOnce[1]).size();
  for (const Words &words :
       {intersect(join(inner, atOnce[0]), join(inner, atOnce[1])),
        atOnce[isLarger ? 0 : 1], atOnce[isLarger ? 1 : 0], all})
    for (uint64_t word : extend(inner, words))
      if (isInWord(inner))
        inner.push_back(word);
  Words served[2];
  for (unsigned i : {0, 1}) {
    Words word(llvm::ArrayRef<uint64_t>(inner).take_front(unit.bits[i]));
    while (isInWord(word) && word.size() < inner.size())
      word.push_back(inner[word.size()]);
    served[i] = join(word, atOnce[i]);
  }
  const unsigned above = all.size() - inner.size(),
                 inBanks = std::min<unsigned>(
                     above, getLog(banks.banks * banks.bankBytes /
                                   (elementBytes << inner.size())));
  Words rows = chooseRows(inner, served[0], served[1], all, above - inBanks);
  Words middle = extend(join(inner, rows), all);
  for (unsigned i : {0, 1})
    if (unit.kinds[i] != Kind::Lanes)
      for (Words *words : {&middle, &rows})
        for (uint64_t &word : *words)
          word ^= getLanePart(sides[i], unit, i, elementBytes, word);
  LinearLayout memory;
  memory.outputs = layouts[0]->outputs;
  memory.inputs.push_back({"offset", {}});
  for (const Words &words : {inner, middle, rows})
    memory.inputs[0].bases.append(words.begin(), words.end());
  return memory;
}

BankedExchange ExchangePlanner::plan() {
  const unsigned most = getLog(banks.vectorBytes / elementBytes);
  // Vectors of both, and those longer on one side.
  const Words common = intersect(sides[0].registers, sides[1].registers);
  auto addVectors = [&](Words words, unsigned other) {
    words.truncate(std::min<size_t>(words.size(), most));
    addLanes(words, other);
  };
  for (unsigned other : {1, 0})
    addVectors(join(common, extend(common, sides[1 - other].registers)), other);
  addVectors(common, 0);
  for (unsigned side : {1, 0})
    for (Kind kind : {Kind::Rows, Kind::Columns})
      addMatrices(side, kind);

  std::optional<BankedExchange> best;
  std::tuple<int64_t, int64_t, int64_t> bestCost;
  const Unit *chosen = nullptr;
  for (const Unit &unit : units) {
    BankedExchange exchange;
    exchange.memory = getMemory(unit);
    std::optional<BankedAccess> accesses[2];
    for (unsigned i : {0, 1})
      accesses[i] =
          count(*layouts[i], exchange.memory, elementBytes, unit.kinds[i],
                int64_t(1) << unit.bits[i], banks, false);
    if (!accesses[0] || !accesses[1])
      continue;
    // Of equals, the one with more plain accesses.
    const std::tuple cost(accesses[0]->cycles + accesses[1]->cycles,
                          accesses[0]->instructions + accesses[1]->instructions,
                          llvm::count_if(unit.kinds, [](Kind kind) {
                            return kind != Kind::Lanes;
                          }));
    if (best && bestCost <= cost)
      continue;
    best = std::move(exchange);
    bestCost = cost;
    chosen = &unit;
  }
  for (unsigned i : {0, 1})
    (i == 0 ? best->store : best->load) =
        *count(*layouts[i], best->memory, elementBytes, chosen->kinds[i],
               int64_t(1) << chosen->bits[i], banks, true);
  return std::move(*best);
}

std::optional<BankedExchange> mlir::tensoraccess::planExchange(
    const LinearLayout &from, const LinearLayout &to, int64_t elementBytes,
    const BankedMemory &banks, std::string &error) {
  if (!checkSizes(elementBytes, banks.vectorBytes, banks, error))
    return std::nullopt;
  if (elementBytes > banks.vectorBytes)
    return fail(error, "elements of " + llvm::Twine(elementBytes) +
                           " bytes are larger than a vector of " +
                           llvm::Twine(banks.vectorBytes));
  if (!isCounted(from, error) || !isCounted(to, error))
    return std::nullopt;
  for (const LinearLayout *layout : {&from, &to})
    for (const LinearLayout::Input &input : layout->inputs)
      if (input.name != "register" && input.name != "lane" &&
          input.name != "warp" && !input.bases.empty())
        return fail(error, "inputs must be register, lane and warp, got '" +
                               llvm::Twine(input.name) + "'");
  if (!from.invertAndCompose(to, error) || !to.invertAndCompose(from, error))
    return std::nullopt;
  BankedExchange exchange =
      ExchangePlanner(from, to, elementBytes, banks).plan();
  exchange.way = findWay(Side(from), Side(to));
  return exchange;
}
