//===- Coalescing.cpp - Bytes moved for the bytes used --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
//
// What one access uses and moves, and the numbers of elements in memory.
//
//===----------------------------------------------------------------------===//

#include "CoalescingMeter.h"
#include "TensorAccess/Core/Counting.h"
#include "TensorAccess/Core/IndexingMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::tensoraccess::detail::accumulate;
using mlir::tensoraccess::detail::CoalescingMeter;

llvm::StringRef mlir::tensoraccess::describe(CoalescingReason reason) {
  switch (reason) {
  case CoalescingReason::None:
    return "counted";
  case CoalescingReason::UnknownMap:
    return "the map is unknown";
  case CoalescingReason::Runtime:
    return "it depends on a runtime variable";
  case CoalescingReason::Unbounded:
    return "a variable has no end";
  case CoalescingReason::Budget:
    return "a limit was reached";
  case CoalescingReason::Overflow:
    return "it overflows 64-bit arithmetic";
  }
  llvm_unreachable("unknown reason");
}

static double ratio(int64_t used, int64_t moved) {
  return moved == 0 ? 1.0
                    : static_cast<double>(used) / static_cast<double>(moved);
}

double Coalescing::getUtilization() const {
  return ratio(bytesUsed, bytesMoved);
}

bool Coalescing::isCoalesced(double threshold) const {
  return runBytes == 0 || static_cast<double>(minimumBytes) >
                              threshold * static_cast<double>(runBytes);
}

bool Coalescing::operator==(const Coalescing &o) const {
  return accesses == o.accesses && transactions == o.transactions &&
         bytesUsed == o.bytesUsed && bytesMoved == o.bytesMoved &&
         minimumBytes == o.minimumBytes && runs == o.runs &&
         runBytes == o.runBytes && worstUsed == o.worstUsed &&
         worstMoved == o.worstMoved;
}

std::optional<std::string>
mlir::tensoraccess::verify(const CoalescingOptions &options,
                           const IndexingMap &map) {
  auto number = [](int64_t value) { return std::to_string(value); };
  if (options.lanes < 1)
    return "lanes must be positive, got " + number(options.lanes);
  if (options.elementBits < 1)
    return "element bits must be positive, got " + number(options.elementBits);
  if (options.transactionBytes < 1)
    return "transaction bytes must be positive, got " +
           number(options.transactionBytes);
  if (options.transactionBytes > (int64_t(1) << 20) ||
      options.elementBits > (int64_t(1) << 20))
    return "a transaction has at most 1048576 bytes and an element as many "
           "bits, got " +
           number(options.transactionBytes) + " and " +
           number(options.elementBits);
  if (map.isUnknown())
    return std::nullopt;
  if (map.getNumResults() != 1)
    return "the number of an element is one result, got " +
           number(map.getNumResults());
  llvm::BitVector seen(map.getNumVariables());
  auto check = [&](unsigned variable,
                   bool runtime) -> std::optional<std::string> {
    if (variable >= map.getNumVariables())
      return "the map has no variable " + number(variable);
    std::string name = map.getVariableName(variable);
    if ((map.getVariableKind(variable) == VariableKind::Runtime) != runtime)
      return name + (runtime ? " is not a runtime variable"
                             : " is a runtime variable, not a dim or symbol");
    if (seen.test(variable))
      return name + " is listed twice";
    seen.set(variable);
    return std::nullopt;
  };
  if (options.lane)
    if (auto problem = check(*options.lane, false))
      return problem;
  for (unsigned v : options.vector)
    if (auto problem = check(v, false))
      return problem;
  for (unsigned v : options.uniform)
    if (auto problem = check(v, true))
      return problem;
  return std::nullopt;
}

bool CoalescingMeter::add(ArrayRef<int64_t> numbers, int64_t shift,
                          int64_t count) {
  // The last bit decides whether everything fits.
  if (!checkedAdd(checkedMul(checkedAdd(numbers.back(), 1), elementBits),
                  shift + 8 * transactionBytes))
    return false;
  int64_t used = 0, transactions = 0, runs = 0, runTransactions = 0;
  int64_t lastByte = -1, lastTransaction = -1, run = 0;
  auto endRun = [&] {
    if (run == 0)
      return;
    ++runs;
    runTransactions += ceilDivPositive(run, transactionBytes);
    run = 0;
  };
  for (int64_t n : numbers) {
    int64_t first = (n * elementBits + shift) / 8;
    int64_t last = ((n + 1) * elementBits + shift - 1) / 8;
    if (first > lastByte + 1)
      endRun();
    first = std::max(first, lastByte + 1);
    if (first > last)
      continue;
    used += last - first + 1;
    run += last - first + 1;
    int64_t begin = std::max(first / transactionBytes, lastTransaction + 1);
    lastTransaction = std::max(last / transactionBytes, lastTransaction);
    transactions += std::max<int64_t>(lastTransaction - begin + 1, 0);
    lastByte = last;
  }
  endRun();
  const int64_t minimum = ceilDivPositive(used, transactionBytes);
  const int64_t moved = transactions * transactionBytes;
  // used/moved < worst: compared without division.
  if (sum.accesses == 0 ||
      static_cast<__int128>(used) * sum.worstMoved <
          static_cast<__int128>(sum.worstUsed) * moved ||
      (static_cast<__int128>(used) * sum.worstMoved ==
           static_cast<__int128>(sum.worstUsed) * moved &&
       moved > sum.worstMoved)) {
    sum.worstUsed = used;
    sum.worstMoved = moved;
  }
  return accumulate(sum.accesses, 1, count) &&
         accumulate(sum.transactions, transactions, count) &&
         accumulate(sum.bytesUsed, used, count) &&
         accumulate(sum.bytesMoved, moved, count) &&
         accumulate(sum.minimumBytes, minimum * transactionBytes, count) &&
         accumulate(sum.runs, runs, count) &&
         accumulate(sum.runBytes, runTransactions * transactionBytes, count);
}

CoalescingResult
mlir::tensoraccess::getCoalescing(const IndexingMap &map,
                                  const CoalescingOptions &options) {
  CoalescingResult result;
  result.value = detail::measureAccesses<CoalescingMeter>(
      detail::collectAccesses(map, options), 8 * options.transactionBytes,
      options, result.reason);
  return result;
}

//===----------------------------------------------------------------------===//
// Numbers of elements
//===----------------------------------------------------------------------===//

IndexingMap mlir::tensoraccess::toElementNumbers(const IndexingMap &map,
                                                 const Layout &layout) {
  if (map.isUnknown())
    return map;
  if (map.getNumResults() != static_cast<size_t>(layout.getRank()))
    return IndexingMap::unknown(UnknownReason::RankMismatch);
  std::optional<IndexingMap> numbers = layout.getIndexingMap();
  if (!numbers)
    return IndexingMap::unknown(layout.hasStaticShape()
                                    ? UnknownReason::Overflow
                                    : UnknownReason::DynamicShape);
  return map.then(*numbers);
}

IndexingMap
mlir::tensoraccess::toElementNumbers(const IndexingMap &map,
                                     std::optional<ArrayRef<int64_t>> shape) {
  if (map.isUnknown())
    return map;
  const unsigned rank = map.getNumResults();
  if (!shape && rank == 1)
    return map;
  SmallVector<int64_t> sizes;
  if (shape) {
    sizes.assign(shape->begin(), shape->end());
  } else {
    IndexingMap simple = map.simplify();
    const Footprint image = getImage(simple);
    for (unsigned i = 0; i < rank; ++i) {
      Interval range =
          simple.isKnownEmpty() ? Interval(0, 0) : simple.getResultRange(i);
      if (image.hull && !image.hull->isEmpty())
        range = Interval(image.hull->lo[i], image.hull->hi[i] - 1);
      if (range.lower < 0 || !range.hasUpper())
        return IndexingMap::unknown(UnknownReason::DynamicShape);
      sizes.push_back(range.upper + 1);
    }
  }
  return toElementNumbers(
      map, Layout::rowMajor(rank).withShape(sizes, *XlaType::lookup("u8")));
}
