//===- BankedExchange.cpp - Memory layouts without bank conflicts ---------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/BitMatrix.h"
#include "TensorAccess/Core/StridedLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::tensoraccess;

using Words = llvm::SmallVector<uint64_t, 16>;

static std::nullopt_t fail(std::string &error, const llvm::Twine &text) {
  error = text.str();
  return std::nullopt;
}

/// Those of the words that neither `base` nor the words before span.
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

/// Bits of the registers, lanes and warps whose accesses are counted.
static constexpr unsigned kMostBits = 22;

/// Powers of two, of no more than any memory has.
static bool isSize(int64_t size) {
  return size >= 1 && size <= 1 << 20 && llvm::isPowerOf2_64(size);
}

/// Lanes that a memory serves at once.
static int64_t getLanesAtOnce(int64_t vectorBytes, const BankedMemory &banks) {
  return std::max<int64_t>(1, banks.banks * banks.bankBytes /
                                  std::max(vectorBytes, banks.bankBytes));
}

std::optional<std::pair<int64_t, int64_t>>
mlir::tensoraccess::countCycles(const LinearLayout &layout,
                                const LinearLayout &memory,
                                int64_t elementBytes, int64_t vector,
                                const BankedMemory &banks) {
  for (int64_t size : {elementBytes, vector, banks.banks, banks.bankBytes})
    if (!isSize(size))
      return std::nullopt;
  if (layout.outputs != memory.outputs ||
      getLog(vector) > memory.getNumInputBits() ||
      layout.getNumInputBits() > kMostBits)
    return std::nullopt;
  const Words registers = extend({}, getBases(layout, "register"));
  const Words lanes = getBases(layout, "lane"), warps = getBases(layout, "warp");
  const Words columns(memory.getColumns());
  const Words inVector(llvm::ArrayRef(columns).take_front(getLog(vector)));
  if (intersect(registers, inVector).size() != inVector.size())
    return std::nullopt;
  const Words accesses = extend(inVector, registers);
  const Echelon places(columns);
  auto sum = [](llvm::ArrayRef<uint64_t> words, uint64_t bits) {
    uint64_t total = 0;
    for (auto [i, word] : llvm::enumerate(words))
      if (bits >> i & 1)
        total ^= word;
    return total;
  };
  const int64_t atOnce = getLanesAtOnce(vector * elementBytes, banks);
  const uint64_t numLanes = uint64_t(1) << lanes.size();
  int64_t cycles = 0, least = 0;
  for (uint64_t warp = 0; warp < uint64_t(1) << warps.size(); ++warp)
    for (uint64_t access = 0; access < uint64_t(1) << accesses.size(); ++access)
      for (uint64_t first = 0; first < numLanes; first += atOnce) {
        llvm::DenseSet<uint64_t> words;
        llvm::DenseMap<uint64_t, int64_t> byBank;
        int64_t most = 0;
        for (uint64_t lane = first;
             lane < std::min<uint64_t>(numLanes, first + atOnce); ++lane) {
          std::optional<uint64_t> offset =
              places.solve(sum(warps, warp) ^ sum(accesses, access) ^
                           sum(lanes, lane));
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
        cycles += most;
        least += llvm::divideCeil(words.size(), banks.banks);
      }
  return std::pair(cycles, least);
}

/// Whether each element's warp, or warp and lane, stay.
static BankedExchange::Way findWay(const LinearLayout &change) {
  bool isInLane = true;
  for (auto [i, input] : llvm::enumerate(change.inputs))
    for (auto [bit, base] : llvm::enumerate(input.bases)) {
      llvm::SmallVector<int64_t> values =
          change.unpack(base, /*isOutput=*/true);
      for (auto [output, value] : llvm::zip_equal(change.outputs, values)) {
        if (output.name == "register")
          continue;
        const int64_t stays =
            output.name == input.name ? int64_t(1) << bit : 0;
        if (value == stays)
          continue;
        if (output.name == "warp")
          return BankedExchange::Way::Memory;
        isInLane = false;
      }
    }
  return isInLane ? BankedExchange::Way::Registers
                  : BankedExchange::Way::Shuffles;
}

/// The rows of a memory: bits above vectors and banks.
static Words chooseRows(llvm::ArrayRef<uint64_t> inner,
                        llvm::ArrayRef<uint64_t> lanesA,
                        llvm::ArrayRef<uint64_t> lanesB,
                        llvm::ArrayRef<uint64_t> all, size_t count) {
  const Words common =
      extend(inner, intersect(join(inner, lanesA), join(inner, lanesB)));
  const Words both = join(inner, common);
  Words onlyA = extend(both, lanesA), onlyB = extend(both, lanesB);
  Words rows = extend(join(join(inner, lanesA), lanesB), all);
  const size_t pairs = std::min(onlyA.size(), onlyB.size());
  for (size_t i = 0; i < pairs; ++i)
    rows.push_back(onlyA[i] ^ onlyB[i]);
  // From here on there are conflicts: of the layout with more lanes, then of both.
  const Words &larger = onlyA.size() > onlyB.size() ? onlyA : onlyB;
  for (uint64_t word : llvm::ArrayRef(larger).drop_front(pairs))
    rows.push_back(word);
  for (uint64_t word : llvm::ArrayRef(onlyA).take_front(pairs))
    rows.push_back(word);
  rows.append(common);
  rows.truncate(std::min(rows.size(), count));
  return rows;
}

std::optional<BankedExchange>
mlir::tensoraccess::planExchange(const LinearLayout &from,
                                 const LinearLayout &to, int64_t elementBytes,
                                 const BankedMemory &banks,
                                 std::string &error) {
  for (auto [name, value] :
       {std::pair("an element", elementBytes), std::pair("banks", banks.banks),
        std::pair("a bank", banks.bankBytes),
        std::pair("a vector", banks.vectorBytes)})
    if (!isSize(value))
      return fail(error, llvm::Twine("the size of ") + name +
                             " must be a power of two, got " +
                             llvm::Twine(value));
  if (elementBytes > banks.vectorBytes)
    return fail(error, "elements of " + llvm::Twine(elementBytes) +
                           " bytes are larger than a vector of " +
                           llvm::Twine(banks.vectorBytes));
  for (const LinearLayout *layout : {&from, &to})
    if (layout->getNumInputBits() > kMostBits)
      return fail(error, "accesses of more than 2^" + llvm::Twine(kMostBits) +
                             " elements are not counted");
  for (const LinearLayout *layout : {&from, &to})
    for (const LinearLayout::Input &input : layout->inputs)
      if (input.name != "register" && input.name != "lane" &&
          input.name != "warp" && !input.bases.empty())
        return fail(error, "inputs must be register, lane and warp, got '" +
                               llvm::Twine(input.name) + "'");
  std::optional<LinearLayout> change = from.invertAndCompose(to, error);
  if (!change || !to.invertAndCompose(from, error))
    return std::nullopt;
  BankedExchange exchange;
  exchange.way = findWay(*change);

  const Words all(from.getImage());
  const unsigned total = all.size();
  // 1.
  Words vector = intersect(getBases(from, "register"), getBases(to, "register"));
  vector.truncate(
      std::min<size_t>(vector.size(), getLog(banks.vectorBytes / elementBytes)));
  exchange.vector = int64_t(1) << vector.size();
  const int64_t vectorBytes = exchange.vector * elementBytes;
  auto getLanes = [&](const LinearLayout &layout) {
    Words lanes = getBases(layout, "lane");
    lanes.truncate(std::min<size_t>(
        lanes.size(), getLog(getLanesAtOnce(vectorBytes, banks))));
    return lanes;
  };
  const Words lanesA = getLanes(from), lanesB = getLanes(to);
  // Lanes in one word do not conflict: those of both, then of the one with more.
  Words inner = vector;
  const bool isLarger = extend(vector, lanesA).size() > extend(vector, lanesB).size();
  for (const Words &words :
       {intersect(join(vector, lanesA), join(vector, lanesB)),
        isLarger ? lanesA : lanesB, isLarger ? lanesB : lanesA, all})
    for (uint64_t word : extend(inner, words))
      if ((int64_t(elementBytes) << inner.size()) < banks.bankBytes)
        inner.push_back(word);
  // 2.
  const int64_t unit = int64_t(elementBytes) << inner.size();
  const unsigned above = total - inner.size(),
                 inBanks = std::min<unsigned>(
                     above, getLog(banks.banks * banks.bankBytes / unit));
  const Words rows =
      chooseRows(inner, lanesA, lanesB, all, above - inBanks);
  const Words bankBits = extend(join(inner, rows), all);
  LinearLayout &memory = exchange.memory;
  memory.outputs = from.outputs;
  memory.inputs.push_back({"offset", {}});
  for (const Words &words : {inner, bankBits, rows})
    memory.inputs[0].bases.append(words.begin(), words.end());

  for (auto [layout, cycles, least] :
       {std::tuple(&from, &exchange.storeCycles, &exchange.leastStoreCycles),
        std::tuple(&to, &exchange.loadCycles, &exchange.leastLoadCycles)}) {
    auto counted =
        countCycles(*layout, memory, elementBytes, exchange.vector, banks);
    if (!counted)
      return fail(error, "the registers of a layout hold no vectors of " +
                             llvm::Twine(exchange.vector));
    std::tie(*cycles, *least) = *counted;
  }
  return exchange;
}
