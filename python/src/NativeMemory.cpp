//===- NativeMemory.cpp - How programs move memory, for Python ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analysis answers; here the answers become values without operations.
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "NativeValues.h"
#include "TensorAccess/Analysis/IndexingAnalysis.h"
#include "TensorAccess/Analysis/MemoryCoalescing.h"
#include "TensorAccess/Core/Closest.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {
/// One load or store.
struct Access {
  std::string name, location;
  bool isStore = false;
  IndexingMap map, numbers;
  int64_t elementBits = 0;
  std::string lane;
  std::optional<Coalescing> coalescing;
  std::optional<std::string> space;
  std::optional<BankConflicts> banks;
  std::optional<std::string> reason;
};

/// One operand of a kernel.
struct Read {
  unsigned result = 0, operand = 0;
  std::string plan;
  std::optional<Coalescing> coalescing;
  std::optional<std::string> reason;
};

using Layouts = std::vector<std::pair<unsigned, Layout>>;
} // namespace

static CoalescingModel makeModel(int64_t lanes, int64_t transactionBytes) {
  CoalescingOptions options;
  options.lanes = lanes;
  options.transactionBytes = transactionBytes;
  check(verify(options, IndexingMap()));
  return {lanes, transactionBytes};
}

/// The loads and stores of each function, in the order of the text.
static ByFunction<Access> getMemoryAccesses(NativeModule &self, int64_t lanes,
                                            int64_t transactionBytes) {
  CoalescingModel model = makeModel(lanes, transactionBytes);
  ByFunction<Access> result;
  self.getSession().look([&] {
    self.getOp().walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
      std::vector<Access> accesses;
      for (AccessCoalescing &c : getMemoryCoalescing(function, model)) {
        Access &access = accesses.emplace_back();
        access.name = c.access.op->getName().getStringRef().str();
        access.location = printLocation(c.access.op->getLoc());
        access.isStore = c.access.isStore;
        access.map = c.access.map;
        access.numbers = c.access.numbers;
        access.elementBits = c.access.elementBits;
        access.lane = c.lane;
        access.coalescing = c.value;
        access.space = orNone(c.space);
        access.banks = c.banks;
        access.reason = orNone(c.reason);
      }
      result.emplace_back(function.getName().str(), std::move(accesses));
    });
  });
  return result;
}

static ThreadPlan parsePlan(std::string_view text) {
  for (ThreadPlan plan : {ThreadPlan::Auto, ThreadPlan::Output,
                          ThreadPlan::Input, ThreadPlan::Columns})
    if (tensoraccess::describe(plan) == toRef(text))
      return plan;
  throw Error(describeUnknown("plan", toRef(text),
                              {"auto", "output", "input", "columns"}));
}

/// Puts given layouts in place of those of the types.
static void place(llvm::StringRef what, std::vector<TensorPlace> &places,
                  const Layouts &layouts) {
  for (const auto &[i, layout] : layouts) {
    if (i >= places.size())
      throw Error("no " + what + " " + llvm::Twine(i) + ", there are " +
                  llvm::Twine(places.size()));
    if (layout.getRank() != places[i].layout.getRank())
      throw Error("the layout of " + what + " " + llvm::Twine(i) +
                  " has rank " + llvm::Twine(layout.getRank()) + ", expected " +
                  llvm::Twine(places[i].layout.getRank()));
    places[i].layout = layout.withShape(*places[i].layout.shape,
                                        *places[i].layout.elementType);
    if (layout.elementBits)
      places[i].elementBits = *layout.elementBits;
    need(places[i].layout.getPaddedElements(), places[i].layout);
  }
}

static std::vector<Read> getReads(NativeModule &self, std::string_view name,
                                  int64_t lanes, int64_t transactionBytes,
                                  int64_t vector, std::string_view plan,
                                  const std::optional<IndexingMap> &threadMap,
                                  const Layouts &argumentLayouts,
                                  const Layouts &resultLayouts) {
  ReadOptions options;
  options.model = makeModel(lanes, transactionBytes);
  if (lanes > (1 << 20))
    throw Error("lanes must be at most 1048576, got " + llvm::Twine(lanes));
  // Blocks begin at multiples of the lanes.
  options.threads = 4 * lanes;
  if (vector < 1 || vector > (1 << 20))
    throw Error("vector must be in [1, 1048576], got " + llvm::Twine(vector));
  options.vector = vector;
  options.plan = parsePlan(plan);
  options.threadMap = threadMap;
  if (threadMap && threadMap->getNumDims() == 0)
    throw Error("a thread map has the lane as its first dim");
  std::vector<Read> reads;
  self.getSession().look([&] {
    FunctionOpInterface function = self.findFunction(name);
    std::vector<TensorPlace> results, operands;
    auto add = [&](llvm::StringRef what, TypeRange types,
                   std::vector<TensorPlace> &places) {
      for (auto [i, type] : llvm::enumerate(types)) {
        std::optional<TensorPlace> at = TensorPlace::get(function, type);
        if (!at)
          throw Error(what + " " + llvm::Twine(i) +
                      " is not a static tensor or a scalar");
        places.push_back(*at);
      }
    };
    add("result", function.getResultTypes(), results);
    add("argument", function.getArgumentTypes(), operands);
    place("result", results, resultLayouts);
    place("argument", operands, argumentLayouts);
    if (!options.threadMap)
      if (auto map = function->getAttrOfType<IndexingMapAttr>(
              "tensoraccess.thread_map"))
        options.threadMap = map.getValue();
    IndexingCache cache;
    for (OperandCoalescing &c : getReadCoalescing(cache.getFunction(function),
                                                  results, operands, options))
      reads.push_back({c.result, c.operand,
                       tensoraccess::describe(c.plan).str(), c.value,
                       orNone(c.reason)});
  });
  return reads;
}

void python::bindMemory(nb::module_ &m) {
  nb::class_<Access>(m, "MemoryAccess", "What a load or store touches.")
      .def_ro("name", &Access::name, "The op's name.")
      .def_ro("location", &Access::location)
      .def_ro("is_store", &Access::isStore)
      .def_ro("map", &Access::map,
              "From loops and GPU ids (dims) and vector elements (symbols) to "
              "an index into the memref under all views.")
      .def_ro("numbers", &Access::numbers,
              "The same to the number of the element in its buffer.")
      .def_ro("element_bits", &Access::elementBits)
      .def_ro("lane", &Access::lane,
              "The dim that is the lane; empty where a vector is an access.")
      .def_ro("coalescing", &Access::coalescing, "None where it is unknown.")
      .def_ro("space", &Access::space,
              "The memory of the buffer, if it is cut into banks; else None.")
      .def_ro("bank_conflicts", &Access::banks,
              "What serves the accesses of such a memory, or None.")
      .def_ro("reason", &Access::reason,
              "Why the coalescing, or all, is unknown; else None.")
      .def("__repr__", [](const Access &a) {
        return "<MemoryAccess " + a.name + " " +
               (a.reason ? "unknown: " + *a.reason : a.map.str()) + ">";
      });
  nb::class_<Read>(m, "OperandRead",
                   "How a kernel reads an argument for a result.")
      .def_ro("result", &Read::result)
      .def_ro("operand", &Read::operand, "The number of the argument.")
      .def_ro("plan", &Read::plan,
              "Which elements lanes run over: output, input, columns, given.")
      .def_ro("coalescing", &Read::coalescing, "None where it is unknown.")
      .def_ro("reason", &Read::reason)
      .def("__repr__", [](const Read &r) {
        return "<OperandRead of " + std::to_string(r.operand) + ", plan " +
               r.plan + (r.reason ? ", unknown: " + *r.reason : "") + ">";
      });
  m.def("memory_accesses", &getMemoryAccesses, nb::arg("module"),
        nb::arg("lanes"), nb::arg("transaction_bytes"));
  m.def("read_coalescing", &getReads, nb::arg("module"), nb::arg("name"),
        nb::arg("lanes"), nb::arg("transaction_bytes"), nb::arg("vector"),
        nb::arg("plan"), nb::arg("thread_map").none(),
        nb::arg("argument_layouts"), nb::arg("result_layouts"));
}
