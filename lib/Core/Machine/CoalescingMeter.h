//===- CoalescingMeter.h - What one access moves ----------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_CORE_COALESCINGMETER_H
#define TENSORACCESS_LIB_CORE_COALESCINGMETER_H

#include "TensorAccess/Core/Coalescing.h"

#include <map>
#include <set>
#include <vector>

namespace mlir::tensoraccess::detail {

/// All accesses of a map, those of one shape and place together.
struct AccessShapes {
  /// From the bits of a place to how many accesses begin there.
  using Places = std::map<int64_t, int64_t>;

  /// The numbers of the elements of an access, sorted, distinct and from 0 on,
  /// with the places, in bits modulo a transaction, where it begins.
  std::map<std::vector<int64_t>, Places> shapes;
  /// What uniform runtime variables may add to all places.
  std::set<int64_t> offsets = {0};
  CoalescingReason reason = CoalescingReason::None;
};

/// By the four steps of Coalescing.h.
AccessShapes collectAccesses(const IndexingMap &map,
                             const CoalescingOptions &options);

/// Adds `value` `count` times; false on overflow.
inline bool accumulate(int64_t &total, int64_t value, int64_t count) {
  std::optional<int64_t> product = checkedMul(value, count);
  std::optional<int64_t> next =
      product ? checkedAdd(total, *product) : std::nullopt;
  total = next.value_or(0);
  return next.has_value();
}

/// The result of a Meter for all accesses together, or why there is no answer. A
/// uniform runtime variable may differ from access to access: none of them may
/// depend on it.
template <typename Meter, typename Options>
auto measureAccesses(const AccessShapes &accesses, int64_t period,
                     const Options &options, CoalescingReason &reason)
    -> std::optional<decltype(Meter::sum)> {
  auto fail = [&](CoalescingReason why) {
    reason = why;
    return std::nullopt;
  };
  if (accesses.reason != CoalescingReason::None)
    return fail(accesses.reason);
  Meter sum(options);
  for (const auto &[shape, places] : accesses.shapes)
    for (auto [place, times] : places) {
      std::optional<decltype(Meter::sum)> alone;
      for (int64_t offset : accesses.offsets) {
        Meter one(options);
        if (!one.add(shape, (place + offset) % period, 1))
          return fail(CoalescingReason::Overflow);
        if (alone && !(*alone == one.sum))
          return fail(CoalescingReason::Runtime);
        alone = one.sum;
      }
      if (!sum.add(shape, (place + *accesses.offsets.begin()) % period, times))
        return fail(CoalescingReason::Overflow);
    }
  reason = CoalescingReason::None;
  return sum.sum;
}

/// Adds up accesses, each with a multiplicity.
class CoalescingMeter {
public:
  explicit CoalescingMeter(const CoalescingOptions &options)
      : elementBits(options.elementBits),
        transactionBytes(options.transactionBytes) {}

  /// `count` accesses to the elements of the given numbers, sorted, distinct
  /// and from 0 on, of which the first begins `shift` bits after the beginning
  /// of a transaction. False on overflow.
  bool add(llvm::ArrayRef<int64_t> numbers, int64_t shift, int64_t count);

  Coalescing sum;

private:
  const int64_t elementBits, transactionBytes;
};

} // namespace mlir::tensoraccess::detail

#endif // TENSORACCESS_LIB_CORE_COALESCINGMETER_H
