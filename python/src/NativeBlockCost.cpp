//===- NativeBlockCost.cpp - Costs of blocks for Python -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Core's CostModel: the record of a machine, and what blocks, messages and
// collectives cost by it.
//
//===----------------------------------------------------------------------===//

#include "NativeValues.h"
#include "Session.h"
#include "TensorAccess/Cost/Cost.h"
#include "TensorAccess/Execution/Calibrate.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

static Collective parseCollective(std::string_view name) {
  for (auto [known, kind] :
       {std::pair("all_gather", Collective::AllGather),
        std::pair("reduce_scatter", Collective::ReduceScatter),
        std::pair("all_reduce", Collective::AllReduce),
        std::pair("all_to_all", Collective::AllToAll)})
    if (name == known)
      return kind;
  throw Error("expected all_gather, reduce_scatter, all_reduce or all_to_all, "
              "got '" +
              toRef(name) + "'");
}

static CostModel
withFittedRates(const CostModel &self, const std::string &op,
                const std::vector<std::tuple<double, double, double>> &runs) {
  std::vector<CostSample> samples;
  for (auto [points, bytes, seconds] : runs)
    samples.push_back({points, bytes, seconds});
  std::string error;
  CostModel out = self;
  out.setRates(need(fitRates(op, samples, error), error));
  return out;
}

/// Measures ops here and keeps the rest of what is known: the network.
static CostModel measureMachine(const std::string &given, bool isQuick,
                                const std::vector<std::string> &only) {
  const std::string path = need(getCalibrationPath(getHostMachine(), given));
  std::optional<Calibration> known = need(readCalibration(path));
  if (known)
    if (std::optional<std::string> other =
            known->machine.describeDifference(getHostMachine()))
      throw Error("the calibration '" + llvm::Twine(path) +
                  "' is of another machine: " + *other);
  CalibrationOptions options;
  options.isQuick = isQuick;
  options.only = only;
  Session session;
  Calibration found;
  session.look([&] {
    found = need(
        calibrate(session.getContext(), options, known ? &*known : nullptr));
    if (llvm::Error failure = writeCalibration(path, found))
      throw Error(llvm::toString(std::move(failure)));
  });
  return found.model;
}

void python::bindBlockCost(nb::module_ &m) {
  nb::class_<BlockCost>(m, "BlockCost", "What a block costs.")
      .def(
          "__init__",
          [](BlockCost *self, double seconds, double scratchBytes,
             double joules) {
            new (self) BlockCost();
            self->seconds = seconds;
            self->scratchBytes = scratchBytes;
            self->joules = joules;
            check(self->verify());
          },
          nb::arg("seconds"), nb::arg("scratch_bytes") = 0,
          nb::arg("joules") = 0)
      .def_ro("seconds", &BlockCost::seconds)
      .def_ro("scratch_bytes", &BlockCost::scratchBytes)
      .def_ro("working_set", &BlockCost::workingSet,
              "Bytes that are touched, and scratch memory.")
      .def_ro("joules", &BlockCost::joules)
      .def_ro("cliff", &BlockCost::cliff,
              "How much dearer a byte is for the size of the working set.");
  nb::class_<MessageCost>(m, "MessageCost", "What a message costs.")
      .def_ro("seconds", &MessageCost::seconds)
      .def_ro("joules", &MessageCost::joules)
      .def_ro("hops", &MessageCost::hops);
  nb::class_<CollectiveCost>(m, "CollectiveCost",
                             "What a collective costs on a ring.")
      .def_ro("seconds", &CollectiveCost::seconds)
      .def_ro("joules", &CollectiveCost::joules)
      .def_ro("steps", &CollectiveCost::steps)
      .def_ro("bytes_sent", &CollectiveCost::bytesSent, "By each rank.");

  nb::class_<CostModel> type(
      m, "CostModel",
      "Time, memory and energy of blocks and messages on a machine.");
  bindEquality(type);
  bindText(type, "Reads the record of a machine.");
  type.def("__str__", &CostModel::str)
      .def("__repr__",
           [](const CostModel &self) {
             return "<CostModel of " + self.machine + ">";
           })
      .def("__reduce__", &reduceToText, nb::sig(kReduceSignature))
      .def_ro("machine", &CostModel::machine)
      .def(
          "block",
          [](const CostModel &self, const std::string &op,
             const Integers &extents, int64_t bytesIn, int64_t bytesOut) {
            BlockWork work;
            work.extents.assign(extents.begin(), extents.end());
            work.bytesIn = bytesIn;
            work.bytesOut = bytesOut;
            std::string error;
            return need(self.getCost(op, work, error), error);
          },
          nb::arg("op"), nb::arg("extents"), nb::arg("bytes_in") = 0,
          nb::arg("bytes_out") = 0,
          "What an op's block of these extents costs that touches so much.")
      .def(
          "message",
          [](const CostModel &self, int64_t from, int64_t to, int64_t bytes) {
            std::string error;
            return need(self.getMessage(from, to, bytes, error), error);
          },
          nb::arg("source"), nb::arg("target"), nb::arg("bytes"),
          "What a message from rank to rank costs.")
      .def(
          "collective",
          [](const CostModel &self, std::string_view kind, int64_t ranks,
             int64_t bytes, int64_t hops) {
            std::string error;
            return need(self.getCollective(parseCollective(kind), ranks, bytes,
                                           hops, error),
                        error);
          },
          nb::arg("kind"), nb::arg("ranks"), nb::arg("bytes"),
          nb::arg("hops") = 1,
          "all_gather, reduce_scatter, all_reduce or all_to_all on a ring.")
      .def_static(
          "calibrated",
          [](const std::string &path) {
            return need(loadCalibratedCosts(path));
          },
          nb::arg("path") = "",
          "The costs of this machine as tensoraccess-calibrate has measured "
          "them; path: where they are kept.")
      .def_static(
          "calibrate", &measureMachine, nb::arg("path") = "", nb::kw_only(),
          nb::arg("quick") = false,
          nb::arg("only") = std::vector<std::string>(),
          "Measures this machine and keeps what it finds: what ops take. The "
          "network is left as it is known.")
      .def("fitted", &withFittedRates, nb::arg("op"), nb::arg("runs"),
           "The same costs with the rates of an op that fit measured runs: "
           "(points, bytes, seconds) each.");
}
