//===- Mpi.cpp - The MPI library of this process --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions are found by name in the loaded library. A handle is a pointer in
// Open MPI and an int in MPICH: here it is always a word, of which MPICH reads
// the lower half. That holds for the calling conventions of 64-bit x86 and ARM,
// where each argument has a register or a slot of eight bytes.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Jit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace mlir::tensoraccess;
using llvm::Twine;

static_assert(sizeof(void *) == 8, "handles are words of 64 bits");

namespace {
using Handle = uintptr_t;

/// The functions that are called here, and by compiled programs through here.
struct Functions {
  int (*init)(int *, char ***);
  int (*initialized)(int *);
  int (*finalize)();
  int (*abort)(Handle, int);
  int (*rank)(Handle, int *);
  int (*size)(Handle, int *);
  int (*duplicate)(Handle, Handle *);
  int (*setErrorHandler)(Handle, Handle);
  int (*errorString)(int, char *, int *);
  int (*version)(char *, int *);
  int (*barrier)(Handle);
  int (*typeSize)(Handle, int *);
  int (*send)(const void *, int, Handle, int, int, Handle);
  int (*isend)(const void *, int, Handle, int, int, Handle, void *);
  int (*receive)(void *, int, Handle, int, int, Handle, void *);
  int (*allReduce)(const void *, void *, int, Handle, Handle, Handle);
  int (*wait)(void *, void *);
};

/// The process's part in MPI.
struct State {
  Functions functions;
  MpiJob *job = nullptr;
  /// MPI_COMM_WORLD, a communicator of our own, MPI_BYTE.
  Handle world = 0, own = 0, byte = 0;
  MpiTraffic traffic;
};
} // namespace

static State state;

//===----------------------------------------------------------------------===//
// What compiled programs call
//===----------------------------------------------------------------------===//

/// Counts a message that goes to another rank.
static void countMessage(int count, Handle type, int to, Handle comm) {
  int self = -1, width = 0;
  if (state.functions.rank(comm, &self) != 0 || self == to ||
      state.functions.typeSize(type, &width) != 0)
    return;
  state.traffic.bytes += static_cast<int64_t>(count) * width;
  ++state.traffic.messages;
}

static int countedSend(const void *data, int count, Handle type, int to,
                       int tag, Handle comm) {
  int code = state.functions.send(data, count, type, to, tag, comm);
  if (code == 0)
    countMessage(count, type, to, comm);
  return code;
}

static int countedIsend(const void *data, int count, Handle type, int to,
                        int tag, Handle comm, void *request) {
  int code = state.functions.isend(data, count, type, to, tag, comm, request);
  if (code == 0)
    countMessage(count, type, to, comm);
  return code;
}

static int countedAllReduce(const void *from, void *to, int count, Handle type,
                            Handle operation, Handle comm) {
  int width = 0;
  int code = state.functions.allReduce(from, to, count, type, operation, comm);
  if (code == 0 && state.functions.typeSize(type, &width) == 0) {
    state.traffic.reducedBytes += static_cast<int64_t>(count) * width;
    ++state.traffic.reductions;
  }
  return code;
}

static int countedWait(void *request, void *status) {
  auto begin = std::chrono::steady_clock::now();
  int code = state.functions.wait(request, status);
  state.traffic.waitNanoseconds +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::steady_clock::now() - begin)
          .count();
  return code;
}

/// The job is joined and left here, whatever the program does.
static int joined(int *, char ***) { return 0; }
static int stay() { return 0; }

llvm::SmallVector<std::pair<std::string, void *>> MpiJob::getSymbols() const {
  return {{"MPI_Init", reinterpret_cast<void *>(&joined)},
          {"MPI_Finalize", reinterpret_cast<void *>(&stay)},
          {"MPI_Send", reinterpret_cast<void *>(&countedSend)},
          {"MPI_Isend", reinterpret_cast<void *>(&countedIsend)},
          {"MPI_Allreduce", reinterpret_cast<void *>(&countedAllReduce)},
          {"MPI_Wait", reinterpret_cast<void *>(&countedWait)}};
}

MpiTraffic MpiJob::takeTraffic() {
  return std::exchange(state.traffic, MpiTraffic());
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// The number of processes according to the launcher; none if it is not one of
/// that implementation.
static std::optional<int64_t> getLaunched(MpiImplementation implementation) {
  const char *text = std::getenv(implementation == MpiImplementation::OpenMpi
                                     ? "OMPI_COMM_WORLD_SIZE"
                                     : "PMI_SIZE");
  int64_t size;
  if (!text || llvm::StringRef(text).getAsInteger(10, size))
    return std::nullopt;
  return size;
}

/// Loads the library of an implementation; null where it is not installed, with
/// the reason in `error`.
static void *openLibrary(MpiImplementation implementation, std::string &error) {
  llvm::SmallVector<const char *> names;
  if (const char *path = std::getenv("TENSORACCESS_MPI_LIBRARY"))
    names = {path};
  else if (implementation == MpiImplementation::OpenMpi)
    names = {"libmpi.so.40", "libmpi.so.80"};
  else
    names = {"libmpich.so.12", "libmpich.so"};
  for (const char *name : names) {
    // Open MPI's plugins look its symbols up in the whole process.
    if (void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL))
      return library;
    const char *reason = dlerror();
    error += (error.empty() ? "" : "; ") +
             std::string(reason ? reason : "cannot load a library");
  }
  return nullptr;
}

template <typename Function>
static bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// The name of a function that the library lacks; null if it has all.
static const char *findFunctions(void *library) {
  Functions &f = state.functions;
  const char *missing = nullptr;
  auto need = [&](const char *name, auto &function) {
    if (!find(library, name, function) && !missing)
      missing = name;
  };
  need("MPI_Init", f.init);
  need("MPI_Initialized", f.initialized);
  need("MPI_Finalize", f.finalize);
  need("MPI_Abort", f.abort);
  need("MPI_Comm_rank", f.rank);
  need("MPI_Comm_size", f.size);
  need("MPI_Comm_dup", f.duplicate);
  need("MPI_Comm_set_errhandler", f.setErrorHandler);
  need("MPI_Error_string", f.errorString);
  need("MPI_Get_library_version", f.version);
  need("MPI_Barrier", f.barrier);
  need("MPI_Type_size", f.typeSize);
  need("MPI_Send", f.send);
  need("MPI_Isend", f.isend);
  need("MPI_Recv", f.receive);
  need("MPI_Allreduce", f.allReduce);
  need("MPI_Wait", f.wait);
  return missing;
}

/// The value of a handle.
static Handle getHandle(void *library, MpiImplementation implementation,
                        const MpiHandle &handle) {
  if (implementation == MpiImplementation::Mpich)
    return handle.number;
  return reinterpret_cast<Handle>(dlsym(library, handle.symbol.data()));
}

llvm::Error MpiJob::check(int code, llvm::StringRef function) const {
  if (code == 0)
    return llvm::Error::success();
  char text[1024] = {};
  int length = 0;
  if (state.functions.errorString(code, text, &length) != 0)
    text[0] = 0;
  return llvm::createStringError(function + " failed with error " +
                                 Twine(code) +
                                 (text[0] ? ": " + Twine(text) : Twine()));
}

llvm::Expected<MpiJob *> MpiJob::join(std::optional<MpiImplementation> wanted) {
  if (state.job) {
    if (wanted && *wanted != state.job->implementation)
      return llvm::createStringError(
          "this process runs under " +
          Twine(stringifyMpiImplementation(state.job->implementation)));
    return state.job;
  }
  const MpiImplementation both[] = {MpiImplementation::OpenMpi,
                                    MpiImplementation::Mpich};
  llvm::SmallVector<MpiImplementation, 2> choices;
  for (MpiImplementation one : both)
    if (wanted ? one == *wanted : getLaunched(one).has_value())
      choices.push_back(one);
  if (choices.empty())
    choices.assign(std::begin(both), std::end(both));
  std::string reasons;
  void *library = nullptr;
  MpiImplementation implementation = choices.front();
  for (MpiImplementation one : choices)
    if (!library && (library = openLibrary(one, reasons)))
      implementation = one;
  if (!library)
    return llvm::createStringError("no MPI library: " + reasons);
  bool isOpenMpi = dlsym(library, kCommWorld.symbol.data()) != nullptr;
  if (isOpenMpi != (implementation == MpiImplementation::OpenMpi))
    return llvm::createStringError(
        "the library that TENSORACCESS_MPI_LIBRARY names is not " +
        Twine(stringifyMpiImplementation(implementation)));
  if (const char *missing = findFunctions(library))
    return llvm::createStringError("the MPI library has no " + Twine(missing));
  for (MpiImplementation other : both)
    if (other != implementation && getLaunched(other) &&
        !getLaunched(implementation))
      return llvm::createStringError(
          "started by mpirun of " + Twine(stringifyMpiImplementation(other)) +
          ", but asked to use " + stringifyMpiImplementation(implementation));

  auto job = new MpiJob(); // for as long as the process
  job->implementation = implementation;
  state.world = getHandle(library, implementation, kCommWorld);
  state.byte = getHandle(library, implementation, kByte);
  if (llvm::Error error =
          job->check(state.functions.init(nullptr, nullptr), "MPI_Init"))
    return error;
  state.job = job;
  state.functions.setErrorHandler(
      state.world, getHandle(library, implementation, kErrorsReturn));
  int rank = 0, size = 0;
  if (llvm::Error error =
          job->check(state.functions.rank(state.world, &rank), "MPI_Comm_rank"))
    return error;
  if (llvm::Error error =
          job->check(state.functions.size(state.world, &size), "MPI_Comm_size"))
    return error;
  if (llvm::Error error = job->check(
          state.functions.duplicate(state.world, &state.own), "MPI_Comm_dup"))
    return error;
  job->rank = rank;
  job->size = size;
  if (std::optional<int64_t> launched = getLaunched(implementation);
      launched && *launched != size)
    return llvm::createStringError("mpirun has started " + Twine(*launched) +
                                   " processes, but the MPI library knows of " +
                                   Twine(size));
  return job;
}

std::string MpiJob::getVersion() const {
  char text[8192] = {};
  int length = 0;
  if (state.functions.version(text, &length) != 0)
    return stringifyMpiImplementation(implementation).str();
  llvm::StringRef line = llvm::StringRef(text).split('\n').first;
  // MPICH: `MPICH Version:\t4.0.2`; Open MPI: `Open MPI v4.1.4, package: …`.
  line = line.split(',').first.trim();
  auto [name, number] = line.split(" Version:");
  return (name + (number.empty() ? "" : " ") + number.trim()).str();
}

//===----------------------------------------------------------------------===//
// Between ranks
//===----------------------------------------------------------------------===//

/// A message of bytes has at most so many.
static constexpr size_t kChunk = size_t(1) << 30;

llvm::Error MpiJob::barrier() {
  return check(state.functions.barrier(state.own), "MPI_Barrier");
}

llvm::Error MpiJob::send(const void *data, size_t bytes, int64_t to) {
  for (size_t done = 0; done < bytes; done += kChunk)
    if (llvm::Error error =
            check(state.functions.send(
                      static_cast<const char *>(data) + done,
                      static_cast<int>(std::min(kChunk, bytes - done)),
                      state.byte, static_cast<int>(to), 0, state.own),
                  "MPI_Send"))
      return error;
  return llvm::Error::success();
}

llvm::Error MpiJob::receive(void *data, size_t bytes, int64_t from) {
  void *ignore = reinterpret_cast<void *>(getStatusIgnore(implementation));
  for (size_t done = 0; done < bytes; done += kChunk)
    if (llvm::Error error =
            check(state.functions.receive(
                      static_cast<char *>(data) + done,
                      static_cast<int>(std::min(kChunk, bytes - done)),
                      state.byte, static_cast<int>(from), 0, state.own, ignore),
                  "MPI_Recv"))
      return error;
  return llvm::Error::success();
}

llvm::Expected<std::vector<llvm::SmallVector<int64_t>>>
MpiJob::gather(llvm::ArrayRef<int64_t> numbers) {
  std::vector<llvm::SmallVector<int64_t>> all;
  if (rank != 0) {
    if (llvm::Error error =
            send(numbers.data(), numbers.size() * sizeof(int64_t), 0))
      return std::move(error);
    return all;
  }
  all.emplace_back(numbers.begin(), numbers.end());
  for (int64_t from = 1; from < size; ++from) {
    all.emplace_back(numbers.size());
    if (llvm::Error error =
            receive(all.back().data(), numbers.size() * sizeof(int64_t), from))
      return std::move(error);
  }
  return all;
}

llvm::Error MpiJob::leave() {
  return check(state.functions.finalize(), "MPI_Finalize");
}

void MpiJob::abort(int code) {
  state.functions.abort(state.world, code);
  std::_Exit(code);
}
