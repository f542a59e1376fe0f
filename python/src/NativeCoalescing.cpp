//===- NativeCoalescing.cpp - Coalescing for Python -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's Coalescing: variables are named as in the map's text, what is unknown
// is None, and what makes no sense is an error.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "TensorAccess/Core/Coalescing.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutSizes.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

/// What `layout` and `shape` say about where the results of `map` lie.
static IndexingMap
getNumbers(const IndexingMap &map, const std::optional<Layout> &layout,
           const std::optional<std::vector<int64_t>> &shape) {
  if (shape)
    checkSizes(*shape);
  const size_t rank = layout  ? layout->getRank()
                      : shape ? shape->size()
                              : map.getNumResults();
  if (!map.isUnknown() && rank != map.getNumResults())
    throw Error("the map has " + llvm::Twine(map.getNumResults()) +
                " results, but the " + (layout ? "layout" : "shape") +
                " has rank " + llvm::Twine(rank));
  if (!layout)
    return toElementNumbers(
        map,
        shape ? std::optional<llvm::ArrayRef<int64_t>>(*shape) : std::nullopt);
  Layout shaped = *layout;
  if (shape) {
    shaped = layout->withShape(
        *shape, layout->elementType.value_or(*XlaType::lookup("u8")));
    check(shaped.verify());
  }
  if (!shaped.shape) {
    // The smallest shape that holds all results, as without a layout.
    std::vector<int64_t> sizes;
    IndexingMap simple = map.simplify();
    for (unsigned i = 0; i < simple.getNumResults(); ++i) {
      Interval range = simple.getResultRange(i);
      if (range.lower < 0 || !range.hasUpper() ||
          range.upper + 1 == Interval::kNoUpper)
        throwLacking(*layout);
      sizes.push_back(range.upper + 1);
    }
    shaped = layout->withShape(sizes, *XlaType::lookup("u8"));
  }
  return toElementNumbers(map, shaped);
}

/// Which lanes read at once, and how wide elements are.
static CoalescingOptions
getAccessOptions(const IndexingMap &map, std::optional<int64_t> elementBytes,
                 std::optional<int64_t> elementBits,
                 const std::optional<std::string> &lane, int64_t lanes,
                 const std::optional<Layout> &layout,
                 const std::vector<std::string> &vector,
                 const std::vector<std::string> &uniform) {
  CoalescingOptions options;
  if (lane)
    options.lane = findVariable(map, *lane);
  options.lanes = lanes;
  for (const std::string &name : vector)
    options.vector.push_back(findVariable(map, name));
  for (const std::string &name : uniform)
    options.uniform.push_back(findVariable(map, name));
  if (elementBytes && elementBits)
    throw Error("give element_bytes or element_bits, not both");
  if (elementBits)
    options.elementBits = *elementBits;
  else if (elementBytes && (*elementBytes < 1 || *elementBytes > (1 << 17)))
    throw Error("element bytes must be in [1, 131072], got " +
                llvm::Twine(*elementBytes));
  else if (elementBytes)
    options.elementBits = *elementBytes * 8;
  else if (layout && layout->elementBits)
    options.elementBits = *layout->elementBits;
  else if (layout && layout->elementType)
    options.elementBits = layout->elementType->getBits();
  return options;
}

static std::optional<Coalescing>
coalescing(const IndexingMap &map, std::optional<int64_t> elementBytes,
           const std::optional<std::string> &lane, int64_t lanes,
           int64_t transactionBytes, const std::optional<Layout> &layout,
           const std::optional<std::vector<int64_t>> &shape,
           const std::vector<std::string> &vector,
           const std::vector<std::string> &uniform,
           std::optional<int64_t> elementBits) {
  if (map.isUnknown())
    return std::nullopt;
  CoalescingOptions options = getAccessOptions(
      map, elementBytes, elementBits, lane, lanes, layout, vector, uniform);
  options.transactionBytes = transactionBytes;
  IndexingMap numbers = getNumbers(map, layout, shape);
  check(verify(options, numbers));
  ReleaseGil release;
  return getCoalescing(numbers, options).value;
}

static std::optional<BankConflicts>
bankConflicts(const IndexingMap &map, std::optional<int64_t> elementBytes,
              const std::optional<std::string> &lane, int64_t lanes,
              int64_t banks, int64_t bankBytes,
              const std::optional<Layout> &layout,
              const std::optional<std::vector<int64_t>> &shape,
              const std::vector<std::string> &vector,
              const std::vector<std::string> &uniform,
              std::optional<int64_t> elementBits) {
  if (map.isUnknown())
    return std::nullopt;
  BankOptions options;
  options.access = getAccessOptions(map, elementBytes, elementBits, lane, lanes,
                                    layout, vector, uniform);
  options.banks = banks;
  options.bankBytes = bankBytes;
  IndexingMap numbers = getNumbers(map, layout, shape);
  check(verify(options, numbers));
  ReleaseGil release;
  return getBankConflicts(numbers, options).value;
}

static double bandwidthUtilization(const Layout &layout,
                                   const std::vector<int64_t> &tileSizes,
                                   const std::vector<int64_t> &tileStrides,
                                   int64_t transactionBytes) {
  std::string error;
  return need(getTileBandwidth(layout, tileSizes, tileStrides, transactionBytes,
                               error),
              error)
      .getUtilization();
}

/// Why a layout with dynamic sizes has no map.
static std::string getReason(const Layout &self, bool linear) {
  std::string reason;
  getDynamicMap(self, linear, reason);
  return reason;
}

void python::bindCoalescing(nb::module_ &m) {
  nb::class_<Coalescing>(m, "Coalescing",
                         "What accesses use and move, summed over all of them.")
      .def_ro("accesses", &Coalescing::accesses,
              "Groups of lanes that read at once, with an active lane.")
      .def_ro("transactions", &Coalescing::transactions)
      .def_ro("bytes_used", &Coalescing::bytesUsed,
              "Distinct bytes of each access.")
      .def_ro("bytes_moved", &Coalescing::bytesMoved,
              "Bytes of the distinct transactions of each access.")
      .def_ro("minimum_bytes", &Coalescing::minimumBytes,
              "What would be moved if the bytes of an access lay together.")
      .def_ro("runs", &Coalescing::runs,
              "Stretches of neighbouring bytes of each access.")
      .def_ro("run_bytes", &Coalescing::runBytes,
              "What would be moved if each run had transactions of its own.")
      .def_prop_ro(
          "worst",
          [](const Coalescing &c) {
            return std::pair(c.worstUsed, c.worstMoved);
          },
          "(used, moved) of the access that uses least of what it moves.")
      .def_prop_ro("utilization", &Coalescing::getUtilization,
                   "bytes_used / bytes_moved; 1.0 where nothing is moved.")
      .def("is_coalesced", &Coalescing::isCoalesced, nb::arg("threshold") = 0.9,
           "Whether minimum_bytes > threshold * run_bytes. True where nothing "
           "is accessed: no access is not coalesced.")
      .def("__repr__", [](const Coalescing &c) {
        return "<Coalescing " + std::to_string(c.bytesUsed) + " of " +
               std::to_string(c.bytesMoved) + " bytes used, " +
               std::to_string(c.accesses) + " accesses>";
      });

  nb::class_<BankConflicts>(
      m, "BankConflicts",
      "Cycles that accesses take in a banked memory, summed over all of them.")
      .def_ro("accesses", &BankConflicts::accesses,
              "Groups of lanes that read at once, with an active lane.")
      .def_ro("words", &BankConflicts::words, "Distinct words of each access.")
      .def_ro("cycles", &BankConflicts::cycles,
              "Most distinct words of one bank, of each access.")
      .def_ro("minimum_cycles", &BankConflicts::minimumCycles,
              "What it would take if the words were spread over all banks.")
      .def_prop_ro("conflicts", &BankConflicts::getConflicts,
                   "cycles - minimum_cycles.")
      .def_ro("worst", &BankConflicts::worst,
              "Cycles of the access that takes most.")
      .def("__repr__", [](const BankConflicts &c) {
        return "<BankConflicts " + std::to_string(c.cycles) +
               " cycles, at least " + std::to_string(c.minimumCycles) + ", " +
               std::to_string(c.accesses) + " accesses>";
      });

  auto map = nb::borrow<nb::class_<IndexingMap>>(nb::type<IndexingMap>());
  map.def("bank_conflicts", &bankConflicts,
          nb::arg("element_bytes") = nb::none(), nb::arg("lane") = "d0",
          nb::arg("lanes") = 32, nb::arg("banks") = 32,
          nb::arg("bank_bytes") = 4, nb::arg("layout") = nb::none(),
          nb::arg("shape") = nb::none(), nb::kw_only(),
          nb::arg("vector") = std::vector<std::string>(),
          nb::arg("uniform") = std::vector<std::string>(),
          nb::arg("element_bits") = nb::none(),
          "The cycles that accesses take in a memory of `banks` banks, words "
          "of `bank_bytes` bytes wide, each of which gives one word a cycle to "
          "all lanes that ask for it; None where that is unknown.\n\n"
          "Element 0 begins bank 0. Accesses, `layout`, `shape` and the width "
          "of an element are as for `coalescing`.");
  map.def("coalescing", &coalescing, nb::arg("element_bytes") = nb::none(),
          nb::arg("lane") = "d0", nb::arg("lanes") = 32,
          nb::arg("transaction_bytes") = 64, nb::arg("layout") = nb::none(),
          nb::arg("shape") = nb::none(), nb::kw_only(),
          nb::arg("vector") = std::vector<std::string>(),
          nb::arg("uniform") = std::vector<std::string>(),
          nb::arg("element_bits") = nb::none(),
          "What is used and moved when `lanes` consecutive values of the "
          "variable `lane` (None: each value alone) access the elements that "
          "the results index; None where that is unknown.\n\n"
          "Each value of the other dims and symbols is an access of its own, "
          "except those of the variables in `vector`. The results index an "
          "array in `layout`, else row-major of `shape`, else of the smallest "
          "shape that holds them; a single result may be the number of an "
          "element. Elements have the layout's width, else 4 bytes. Runtime "
          "variables in `uniform` are the same for all lanes of an access.");

  auto layout = nb::borrow<nb::class_<Layout>>(nb::type<Layout>());
  layout
      .def_prop_ro(
          "indexing_map",
          [](const Layout &self) {
            return need(self.getIndexingMap(), self,
                        getReason(self, /*linear=*/true).c_str());
          },
          "From an index to the element's number in memory.")
      .def_prop_ro(
          "physical_map",
          [](const Layout &self) {
            return need(self.getPhysicalMap(), self,
                        getReason(self, /*linear=*/false).c_str());
          },
          "From an index to the index into physical_shape.")
      .def_prop_ro(
          "logical_map",
          [](const Layout &self) {
            return need(self.getLogicalMap(), self, "give them by with_sizes");
          },
          "The inverse of physical_map; padding is outside of its domain.");

  m.def("bandwidth_utilization", &bandwidthUtilization, nb::arg("layout"),
        nb::arg("tile_sizes"), nb::arg("tile_strides"),
        nb::arg("transaction_bytes"),
        "The share of the moved bytes that a tile at the origin uses, if each "
        "run of neighbouring bytes is moved by transactions of its own. A "
        "stride of 0 reads the first element only, a negative one the same "
        "elements as the positive one. A size of 0 reads nothing: 1.0. A "
        "negative size is an error.");
}
