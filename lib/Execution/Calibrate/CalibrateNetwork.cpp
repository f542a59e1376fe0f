//===- CalibrateNetwork.cpp - What messages take on this machine ----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 measures, rank 1 answers:
//
//   1. a message of b bytes to and fro, several times: half of the best is
//      t(b) = overhead + latency + b / bandwidth;
//   2. n messages of a byte in a row, then one back: (t_n - t_1) / (n - 1) is
//      overhead, what the next message costs while others are under way.
//
// A process can't start itself as ranks under mpirun, so it starts a program
// that prints what it finds.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Calibrate.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <cmath>
#include <unistd.h>

using namespace mlir;
using namespace mlir::tensoraccess;
using Clock = std::chrono::steady_clock;

/// The best of several: rank 0 sends `messages` of so many bytes and waits for
/// one back. Seconds on rank 0.
static llvm::Expected<double> bounce(MpiJob &job, size_t bytes,
                                     size_t answerBytes, unsigned messages,
                                     unsigned repeats) {
  std::vector<char> data(std::max(bytes, answerBytes));
  double best = HUGE_VAL;
  for (unsigned i = 0; i != repeats; ++i) {
    const auto start = Clock::now();
    const bool isFirst = job.getRank() == 0;
    for (unsigned m = 0; m != messages; ++m)
      if (llvm::Error error = isFirst ? job.send(data.data(), bytes, 1)
                                      : job.receive(data.data(), bytes, 0))
        return std::move(error);
    if (llvm::Error error = isFirst ? job.receive(data.data(), answerBytes, 1)
                                    : job.send(data.data(), answerBytes, 0))
      return std::move(error);
    best = std::min(
        best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

llvm::Expected<std::optional<Network>>
mlir::tensoraccess::measureNetwork(MpiJob &job, int64_t cores, bool isQuick) {
  if (job.getSize() < 2)
    return llvm::createStringError(
        "a network is between two ranks, the job has " + Twine(job.getSize()));
  if (job.getRank() > 1)
    return std::optional<Network>();
  const unsigned repeats = isQuick ? 20 : 200;
  std::vector<CostSample> samples;
  for (size_t bytes = 1; bytes <= size_t(1) << (isQuick ? 16 : 22);
       bytes *= 4) {
    // Large messages take long enough without.
    llvm::Expected<double> time =
        bounce(job, bytes, bytes, 1,
               std::max(5u, repeats / (1 + unsigned(bytes >> 14))));
    if (!time)
      return time.takeError();
    samples.push_back({0, static_cast<double>(bytes), *time / 2});
  }
  const unsigned many = 64;
  llvm::Expected<double> one = bounce(job, 1, 1, 1, repeats);
  if (!one)
    return one.takeError();
  llvm::Expected<double> row = bounce(job, 1, 1, many, repeats);
  if (!row)
    return row.takeError();
  if (job.getRank() != 0)
    return std::optional<Network>();

  std::string error;
  std::optional<OpRates> line = fitRates("messages", samples, error);
  if (!line)
    return llvm::createStringError(error);
  Network network;
  network.shape = {std::max<int64_t>(cores, 2)};
  network.overhead =
      std::min(std::max((*row - *one) / (many - 1), 0.0), line->start);
  network.latency = line->start - network.overhead;
  // Where bytes take no time that is seen, those of the largest message do.
  network.bandwidth = line->byte > 0
                          ? 1 / line->byte
                          : samples.back().bytes / samples.back().seconds;
  auto round = [](double rate) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.3g", rate);
    return std::strtod(text, nullptr);
  };
  network.overhead = round(network.overhead);
  network.latency = round(network.latency);
  network.bandwidth = round(network.bandwidth);
  return network;
}

llvm::Expected<Network> mlir::tensoraccess::measureNetworkOf(
    StringRef program, MpiImplementation implementation, bool isQuick) {
  const bool isOpenMpi = implementation == MpiImplementation::OpenMpi;
  StringRef launcher = isOpenMpi ? "mpirun.openmpi" : "mpirun.mpich";
  auto found = llvm::sys::findProgramByName(launcher);
  if (!found)
    return llvm::createStringError("no " + launcher + " to start ranks");
  std::vector<StringRef> arguments = {*found};
  if (isOpenMpi) {
    // More ranks than cores, waiting ones leave these to others, and root may.
    arguments.insert(arguments.end(),
                     {"--oversubscribe", "--mca", "mpi_yield_when_idle", "1"});
    if (geteuid() == 0)
      arguments.push_back("--allow-run-as-root");
  }
  const std::string mpi =
      ("--mpi=" + stringifyMpiImplementation(implementation)).str();
  arguments.insert(arguments.end(), {"-n", "2", program, "--ranks", mpi});
  if (isQuick)
    arguments.push_back("--quick");
  llvm::SmallString<128> outPath, errPath;
  for (llvm::SmallString<128> *path : {&outPath, &errPath})
    if (std::error_code code = llvm::sys::fs::createTemporaryFile(
            "tensoraccess-network", "txt", *path))
      return llvm::createStringError("no temporary file: " + code.message());
  llvm::scope_exit remove([&] {
    llvm::sys::fs::remove(outPath);
    llvm::sys::fs::remove(errPath);
  });
  std::string reason;
  const int code = llvm::sys::ExecuteAndWait(
      *found, arguments, std::nullopt,
      {StringRef(""), StringRef(outPath), StringRef(errPath)},
      /*SecondsToWait=*/60, /*MemoryLimit=*/0, &reason);
  auto read = [](StringRef path) {
    auto file = llvm::MemoryBuffer::getFileAsStream(path);
    return file ? (*file)->getBuffer().trim().str() : std::string();
  };
  if (code != 0) {
    const std::string said = read(errPath);
    StringRef last = StringRef(said).substr(said.rfind('\n') + 1);
    return llvm::createStringError(launcher + " failed with code " +
                                   Twine(code) +
                                   (reason.empty() ? "" : ": " + reason) +
                                   (last.empty() ? "" : ": " + last));
  }
  // The transports below MPI report there, too.
  const std::string said = read(outPath);
  std::string text = "machine ranks\n";
  for (StringRef line : llvm::split(said, '\n'))
    if (line.starts_with("network "))
      text += line.str() + '\n';
  ParseError error;
  std::optional<CostModel> model = CostModel::parse(text, error);
  if (!model || !model->network)
    return llvm::createStringError("two ranks reported no network, but '" +
                                   StringRef(said).take_front(80) + "'");
  return *model->network;
}
