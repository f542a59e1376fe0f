//===- Profile.cpp - Where the time of a run goes -------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "TensorAccess/Core/Target.h"
#include "TensorAccess/Runtime/Runtime.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <cstring>

using namespace mlir;
using namespace mlir::tensoraccess;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

/// Sums in registers that do not wait for one another.
static constexpr int64_t kChains = 12;
static constexpr int64_t kIterations = 200000;
/// Runs so short that some are not interrupted.
static constexpr int kRuns = 60;

/// A program whose every thread does kIterations multiply-adds of each chain.
static std::string getPeakProgram(int64_t lanes, int64_t threads) {
  std::string type = llvm::formatv("vector<{0}xf32>", lanes), arguments,
              results, types, steps, yields, sum;
  for (int64_t i = 0; i < kChains; ++i) {
    StringRef comma = i == 0 ? "" : ", ";
    arguments += llvm::formatv("{0}%s{1} = %x", comma, i);
    results += llvm::formatv("{0}%n{1}", comma, i);
    types += (comma + type).str();
    steps += llvm::formatv("%n{0} = vector.fma %x, %x, %s{0} : {1}\n", i, type);
    sum += i == 0 ? ""
                  : llvm::formatv("%t{0} = arith.addf {1}, %r#{0} : {2}\n", i,
                                  i == 1 ? "%r#0"
                                         : llvm::formatv("%t{0}", i - 1).str(),
                                  type)
                        .str();
  }
  return llvm::formatv(R"(
func.func @main(%out: memref<{0}x16xf32>, %seed: f32) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %iterations = arith.constant {1} : index
  scf.forall (%i) in ({0}) {{
    %x = vector.broadcast %seed : f32 to {2}
    %r:{3} = scf.for %k = %zero to %iterations step %one iter_args({4}) -> ({5}) {{
      {6}
      scf.yield {7} : {5}
    }
    {8}
    %all = vector.reduction <add>, %t{9} : {2} into f32
    memref.store %all, %out[%i, %zero] : memref<{0}x16xf32>
  }
  return
})",
                       threads, kIterations, type, kChains, arguments, types,
                       steps, results, sum, kChains - 1);
}

static double measureBytes(int64_t threads) {
  // Of each thread; together more than caches hold, and not much more.
  const size_t bytes =
      std::max<size_t>((size_t(256) << 20) / threads, size_t(4) << 20);
  std::vector<char> from(bytes * threads, 1), to(bytes * threads);
  struct Copy {
    char *from, *to;
    size_t bytes;
  } copy{from.data(), to.data(), bytes};
  double best = 1e30;
  for (int i = 0; i < 6; ++i) {
    Clock::time_point start = Clock::now();
    tensoraccess_parallel_on(
        [](void *record, int64_t i) {
          auto &copy = *static_cast<Copy *>(record);
          std::memcpy(copy.to + i * copy.bytes, copy.from + i * copy.bytes,
                      copy.bytes);
        },
        &copy, threads, threads);
    best = std::min(best, secondsSince(start));
  }
  return 2.0 * double(bytes) * double(threads) / best;
}

FailureOr<MachinePeak> MachinePeak::measure(MLIRContext &context,
                                            int64_t threads) {
  const int64_t lanes = Target::lookup("host")->getLanes(32);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(getPeakProgram(lanes, threads), &context);
  if (!module)
    return failure();
  JitOptions options;
  options.threads = threads;
  FailureOr<CompiledFunction> function =
      CompiledFunction::compile(*module, "main", options);
  if (failed(function))
    return failure();
  llvm::Expected<Tensor> out = Tensor::create(ElementType::F32, {threads, 16});
  llvm::Expected<Tensor> seed = Tensor::create(ElementType::F32, {});
  if (!out || !seed)
    return failure();
  std::memset(seed->getData(), 0, sizeof(float));
  double best = 1e30;
  for (int i = 0; i < kRuns; ++i) {
    Clock::time_point start = Clock::now();
    if (auto results = function->call({*out, *seed}); !results) {
      llvm::consumeError(results.takeError());
      return failure();
    }
    best = std::min(best, secondsSince(start));
  }
  MachinePeak peak;
  peak.operations =
      2.0 * double(lanes * kChains * kIterations) * double(threads) / best;
  peak.bytes = measureBytes(threads);
  return peak;
}

//===----------------------------------------------------------------------===//
// The table and the trace
//===----------------------------------------------------------------------===//

void mlir::tensoraccess::printProfile(llvm::raw_ostream &os,
                                      ArrayRef<KernelInfo> kernels,
                                      ArrayRef<KernelSpan> spans,
                                      double runSeconds, int64_t threads,
                                      const MachinePeak &peak) {
  struct Row {
    int64_t kernel, calls = 0;
    double seconds = 0;
  };
  std::vector<Row> rows(kernels.size());
  double total = 0;
  for (auto [i, row] : llvm::enumerate(rows))
    row.kernel = i;
  for (const KernelSpan &span : spans) {
    double seconds = double(span.end - span.begin) * 1e-9;
    rows[span.kernel].seconds += seconds;
    ++rows[span.kernel].calls;
    total += seconds;
  }
  llvm::erase_if(rows, [](const Row &row) { return row.calls == 0; });
  llvm::stable_sort(
      rows, [](const Row &a, const Row &b) { return a.seconds > b.seconds; });
  os << "profile   " << rows.size()
     << (rows.size() == 1 ? " kernel, " : " kernels, ")
     << llvm::format("%.4g of %.4g ms", total * 1e3, runSeconds * 1e3)
     << " (the rest is between them); " << threads
     << (threads == 1 ? " thread" : " threads") << ", at most "
     << llvm::format("%.3g Gop/s in f32, %.3g GB/s copied",
                     peak.operations * 1e-9, peak.bytes * 1e-9)
     << "\n        ms   share  calls    Gop/s  of f32    GB/s  of copies  "
        "kernel\n";
  bool isAbove = false;
  // Neither bounds what is narrower than f32, or comes from caches.
  auto showShare = [&](double rate, double most) -> std::string {
    if (rate <= most)
      return llvm::formatv("{0:f0}%", rate / most * 100);
    isAbove = true;
    return "more";
  };
  for (const Row &row : rows) {
    const KernelInfo &kernel = kernels[row.kernel];
    double calls = double(row.calls) / std::max(row.seconds, 1e-9);
    double operations = double(kernel.operations) * calls,
           bytes = double(kernel.bytes) * calls;
    os << llvm::format("%10.4g %6.1f%% %6d %8.3g %7s %7.3g %10s  ",
                       row.seconds * 1e3, row.seconds / total * 100,
                       int(row.calls), operations * 1e-9,
                       showShare(operations, peak.operations).c_str(),
                       bytes * 1e-9, showShare(bytes, peak.bytes).c_str())
       << kernel.name;
    if (!kernel.location.empty())
      os << "  " << kernel.location;
    os << '\n';
  }
  if (isAbove)
    os << "more: faster than measured in f32, or in copies beyond the caches, "
          "as narrower types and data in caches are\n";
}

void mlir::tensoraccess::writeTrace(llvm::raw_ostream &os,
                                    ArrayRef<KernelInfo> kernels,
                                    ArrayRef<KernelSpan> spans) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("displayTimeUnit", "ms");
    json.attributeArray("traceEvents", [&] {
      for (const KernelSpan &span : spans) {
        const KernelInfo &kernel = kernels[span.kernel];
        double nanoseconds =
            double(std::max<int64_t>(span.end - span.begin, 1));
        json.object([&] {
          json.attribute("name", kernel.name);
          json.attribute("cat", StringRef(kernel.name).split(' ').first);
          json.attribute("ph", "X");
          json.attribute("ts", double(span.begin - spans.front().begin) * 1e-3);
          json.attribute("dur", nanoseconds * 1e-3);
          json.attribute("pid", 1);
          json.attribute("tid", 1);
          json.attributeObject("args", [&] {
            json.attribute("source", kernel.location);
            json.attribute("operations", kernel.operations);
            json.attribute("bytes", kernel.bytes);
            json.attribute("Gop/s", double(kernel.operations) / nanoseconds);
            json.attribute("GB/s", double(kernel.bytes) / nanoseconds);
          });
        });
      }
    });
  });
  os << '\n';
}
