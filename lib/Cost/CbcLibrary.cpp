//===- CbcLibrary.cpp - The solver of integer programs --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CBC asks for the time between steps, of which one may take minutes, and some
// programs crash it. So it runs in a process of its own:
//
//   1. The process is forked when all is loaded. The child solves, writes the
//      solution into a pipe, and ends without cleaning up.
//   2. The parent reads until the end or until the time is over, a tenth of it
//      and half a second later: it then kills the child, and there is no
//      solution.
//   3. Preprocessing is what crashes, on returning from it, where there is a
//      solution to start with (2.10.8). A child that crashed gets a successor
//      without it, for the rest of the time.
//
// Where there are no such processes, it is solved in this one.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cost/BinaryProgram.h"

using namespace mlir::tensoraccess;

#ifndef TENSORACCESS_CBC_LIBRARY

bool mlir::tensoraccess::loadCbc(std::string &problem) {
  problem = "integer programs are not built in: there was no CBC "
            "(coinor-libcbc-dev) when the project was configured";
  return false;
}

BinarySolution mlir::tensoraccess::solve(const BinaryProgram &, double) {
  return {};
}

#else

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/DynamicLibrary.h"

#include <coin/Cbc_C_Interface.h>

#include <cassert>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <optional>

#if LLVM_ON_UNIX
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace {

/// The functions that are used, and why there are none.
struct Api {
  Api();

  decltype(&Cbc_newModel) newModel = nullptr;
  decltype(&Cbc_deleteModel) deleteModel = nullptr;
  decltype(&Cbc_loadProblem) loadProblem = nullptr;
  decltype(&Cbc_setInteger) setInteger = nullptr;
  decltype(&Cbc_setMIPStartI) setStart = nullptr;
  decltype(&Cbc_setParameter) setParameter = nullptr;
  decltype(&Cbc_setLogLevel) setLogLevel = nullptr;
  decltype(&Cbc_setMaximumSeconds) setSeconds = nullptr;
  decltype(&Cbc_solve) solve = nullptr;
  decltype(&Cbc_bestSolution) bestSolution = nullptr;
  decltype(&Cbc_getBestPossibleObjValue) getBound = nullptr;
  decltype(&Cbc_isProvenOptimal) isOptimal = nullptr;
  std::string problem;
};

} // namespace

Api::Api() {
  std::string error;
  // Another build of CBC than the one that was found.
  const char *other = std::getenv("TENSORACCESS_CBC");
  const std::string path = other ? other : TENSORACCESS_CBC_LIBRARY;
  llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(path.c_str(), &error);
  if (!library.isValid()) {
    problem = "integer programs need CBC: " + error;
    return;
  }
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        library.getAddressOfSymbol(name));
    if (!function)
      problem = std::string("integer programs need another CBC: ") + path +
                " has no " + name;
  };
  find(newModel, "Cbc_newModel");
  find(deleteModel, "Cbc_deleteModel");
  find(loadProblem, "Cbc_loadProblem");
  find(setInteger, "Cbc_setInteger");
  find(setStart, "Cbc_setMIPStartI");
  find(setParameter, "Cbc_setParameter");
  find(setLogLevel, "Cbc_setLogLevel");
  find(setSeconds, "Cbc_setMaximumSeconds");
  find(solve, "Cbc_solve");
  find(bestSolution, "Cbc_bestSolution");
  find(getBound, "Cbc_getBestPossibleObjValue");
  find(isOptimal, "Cbc_isProvenOptimal");
}

static const Api &getApi() {
  static const Api api;
  return api;
}

bool mlir::tensoraccess::loadCbc(std::string &problem) {
  problem = getApi().problem;
  return problem.empty();
}

/// Solves it in this process, in about that time.
static BinarySolution solveHere(const BinaryProgram &program, double seconds,
                                bool isPreprocessed) {
  const Api &api = getApi();
  // Column by column.
  const size_t numColumns = program.costs.size();
  std::vector<CoinBigIndex> begins(numColumns + 1);
  for (const BinaryProgram::Row &row : program.rows)
    for (int column : row.columns)
      ++begins[column];
  CoinBigIndex sum = 0;
  for (CoinBigIndex &begin : begins)
    begin = sum += begin;
  std::vector<int> rows(sum);
  std::vector<double> coefficients(sum), lower(numColumns, 0),
      upper(numColumns, 1), least, most;
  for (size_t i = program.rows.size(); i-- != 0;)
    for (auto [column, coefficient] : llvm::zip_equal(
             program.rows[i].columns, program.rows[i].coefficients)) {
      rows[--begins[column]] = i;
      coefficients[begins[column]] = coefficient;
    }
  constexpr double kInfinity = std::numeric_limits<double>::max();
  for (const BinaryProgram::Row &row : program.rows) {
    const bool isLeast = row.sense == 'G';
    least.push_back(isLeast ? row.right : -kInfinity);
    most.push_back(isLeast ? kInfinity : row.right);
  }

  Cbc_Model *model = api.newModel();
  api.setLogLevel(model, 0);
  api.loadProblem(model, numColumns, program.rows.size(), begins.data(),
                  rows.data(), coefficients.data(), lower.data(), upper.data(),
                  program.costs.data(), least.data(), most.data());
  std::vector<int> columns;
  std::vector<double> start;
  for (size_t i = 0; i != numColumns; ++i) {
    api.setInteger(model, i);
    columns.push_back(i);
    start.push_back(program.start[i]);
  }
  api.setStart(model, numColumns, columns.data(), start.data());
  if (!isPreprocessed)
    api.setParameter(model, "preprocess", "off");
  api.setParameter(model, "timeMode", "elapsed");
  api.setSeconds(model, seconds);
  api.solve(model);
  BinarySolution solution;
  solution.bound = api.getBound(model);
  solution.isOptimal = api.isOptimal(model);
  if (const double *values = api.bestSolution(model))
    for (size_t i = 0; i != numColumns; ++i)
      solution.values.push_back(values[i] > 0.5);
  api.deleteModel(model);
  return solution;
}

#if LLVM_ON_UNIX

namespace {

/// What a child writes, before a byte for each value.
struct Answer {
  double bound;
  uint64_t numValues;
  bool isOptimal;
};

using Clock = std::chrono::steady_clock;

} // namespace

static void writeAll(int file, const void *data, size_t size) {
  const char *at = static_cast<const char *>(data);
  while (size != 0) {
    const ssize_t count = ::write(file, at, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    at += count;
    size -= count;
  }
}

/// Reads until the other end is closed; false if the time is over before.
static bool readAll(int file, Clock::time_point end, std::string &text) {
  char buffer[4096];
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                          end - Clock::now())
                          .count();
    if (left <= 0)
      return false;
    pollfd wanted{file, POLLIN, 0};
    const int ready = ::poll(&wanted, 1, std::min<int64_t>(left + 1, 60'000));
    if (ready < 0 && errno != EINTR)
      return false;
    if (ready <= 0)
      continue;
    const ssize_t count = ::read(file, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count == 0;
    text.append(buffer, count);
  }
}

[[noreturn]] static void beChild(int file, const BinaryProgram &program,
                                 double seconds, bool isPreprocessed) {
  // The handlers of this process's crashes must not see the child's, and
  // nothing that CBC prints belongs in its output.
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGTERM})
    ::signal(signal, SIG_DFL);
  if (const int null = ::open("/dev/null", O_WRONLY); null >= 0) {
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
  }
  const BinarySolution solution = solveHere(program, seconds, isPreprocessed);
  const Answer answer{solution.bound, solution.values.size(),
                      solution.isOptimal};
  std::vector<char> values(solution.values.begin(), solution.values.end());
  writeAll(file, &answer, sizeof(answer));
  writeAll(file, values.data(), values.size());
  ::_exit(0);
}

/// std::nullopt if there is no process, or it crashed.
static std::optional<BinarySolution> solveInChild(const BinaryProgram &program,
                                                  Clock::time_point begin,
                                                  double seconds,
                                                  bool isPreprocessed) {
  int ends[2];
  if (::pipe(ends) != 0)
    return std::nullopt;
  // Programs that others start meanwhile must not hold the pipe open.
  for (int end : ends)
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
  const std::chrono::duration<double> taken = Clock::now() - begin;
  const double left = std::max(seconds - taken.count(), 1e-3);
  const pid_t child = ::fork();
  if (child == 0)
    beChild(ends[1], program, left, isPreprocessed);
  ::close(ends[1]);
  std::string text;
  // No longer than a year, which clocks can count.
  const std::chrono::duration<double> patience(std::min(1.1 * seconds, 3e7) +
                                               0.5);
  const bool isRead =
      child > 0 &&
      readAll(ends[0],
              begin + std::chrono::duration_cast<Clock::duration>(patience),
              text);
  ::close(ends[0]);
  if (child < 0)
    return std::nullopt;
  if (!isRead)
    ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  BinarySolution solution;
  if (!isRead)
    return solution;
  Answer answer;
  if (text.size() < sizeof(answer))
    return std::nullopt;
  std::memcpy(&answer, text.data(), sizeof(answer));
  if (text.size() != sizeof(answer) + answer.numValues)
    return std::nullopt;
  solution.bound = answer.bound;
  solution.isOptimal = answer.isOptimal;
  solution.values.assign(text.begin() + sizeof(answer), text.end());
  return solution;
}

#endif // LLVM_ON_UNIX

BinarySolution mlir::tensoraccess::solve(const BinaryProgram &program,
                                         double seconds) {
  assert(getApi().problem.empty() && "there is a solver");
  // CBC's main program has variables that all of its users share.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
#if LLVM_ON_UNIX
  const auto begin = Clock::now();
  for (bool isPreprocessed : {true, false})
    if (auto solution = solveInChild(program, begin, seconds, isPreprocessed))
      return *solution;
  // Two children crashed; this process must not.
  return {};
#else
  return solveHere(program, seconds, /*isPreprocessed=*/false);
#endif
}

#endif
