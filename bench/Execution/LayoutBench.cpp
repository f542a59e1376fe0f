//===- LayoutBench.cpp - Relayouts beside memcpy and oneDNN ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table, a line for each relayout of 64 MiB, on one core:
//
//   relayout  type  GB/s  memcpy  oneDNN
//
// GB/s counts the bytes that are read and those that are written. `memcpy` is
// that over the same for memcpy of the source's bytes, `oneDNN` the time of its
// reorder over ours; `-` where it has none (or is not installed). All three
// take turns in one run, in one thread, and the least processor times count.
// A line says which figure it misses: 1.1 of memcpy for packs and unpacks, 0.9
// for plain transpositions of f32 and 0.7 at a power-of-two pitch, 1.0 of
// oneDNN; a machine that is busy misses them without failing. A reorder that
// takes longer than a second is not repeated. `LayoutBench TEXT` runs only the
// lines that contain it, `--rounds N` sets how often.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Execution/Relayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <functional>
#include <memory>
#include <time.h>

#ifdef TENSORACCESS_HAS_DNNL
#include "OneDnn.h"
#endif

using namespace mlir::tensoraccess;

namespace {
struct Case {
  const char *name;
  /// Layouts after the element type, `@` in the place of sizes that make 64 MiB
  /// of it.
  const char *shape32, *shape16, *shape8;
  const char *source, *target;
  /// The least ratio to memcpy; for f32 only if `isOnlyF32`.
  double figure;
  bool isOnlyF32;
  /// The same in oneDNN's tags, or null; the sizes are the shape's.
  const char *sourceTag, *targetTag;
};
} // namespace

static const Case cases[] = {
    {"pack T(8,128)", "4096,4096", "4096,8192", "8192,8192", "{1,0}",
     "{1,0:T(8,128)}", 1.1, false, "ab", "AB8a128b"},
    {"unpack T(8,128)", "4096,4096", "4096,8192", "8192,8192", "{1,0:T(8,128)}",
     "{1,0}", 1.1, false, nullptr, nullptr},
    {"pack T(8,128)(2,1)", "4096,4096", "4096,8192", "8192,8192", "{1,0}",
     "{1,0:T(8,128)(2,1)}", 1.1, false, nullptr, nullptr},
    {"unpack T(8,128)(2,1)", "4096,4096", "4096,8192", "8192,8192",
     "{1,0:T(8,128)(2,1)}", "{1,0}", 1.1, false, nullptr, nullptr},
    {"pack T(8,128), odd sizes", "4099,4093", "4099,8187", "8187,8199", "{1,0}",
     "{1,0:T(8,128)}", 1.1, false, nullptr, nullptr},
    {"unpack T(8,128), odd sizes", "4099,4093", "4099,8187", "8187,8199",
     "{1,0:T(8,128)}", "{1,0}", 1.1, false, nullptr, nullptr},
    {"pack T(8,128)(2,1), odd sizes", "4099,4093", "4099,8187", "8187,8199",
     "{1,0}", "{1,0:T(8,128)(2,1)}", 1.1, false, nullptr, nullptr},
    {"unpack T(8,128)(2,1), odd sizes", "4099,4093", "4099,8187", "8187,8199",
     "{1,0:T(8,128)(2,1)}", "{1,0}", 1.1, false, nullptr, nullptr},
    {"NCHW -> NCHW16c", "16,256,64,64", "32,256,64,64", "64,256,64,64",
     "{3,2,1,0}", "{3,2,1,0:T(16,1,1)}", 1.1, false, "abcd", "aBcd16b"},
    {"NCHW16c -> NCHW", "16,256,64,64", "32,256,64,64", "64,256,64,64",
     "{3,2,1,0:T(16,1,1)}", "{3,2,1,0}", 1.1, false, "aBcd16b", "abcd"},
    {"NCHW -> NCHW16c, 56x56", "21,256,56,56", "42,256,56,56", "84,256,56,56",
     "{3,2,1,0}", "{3,2,1,0:T(16,1,1)}", 1.1, false, "abcd", "aBcd16b"},
    {"NCHW16c -> NCHW, 56x56", "21,256,56,56", "42,256,56,56", "84,256,56,56",
     "{3,2,1,0:T(16,1,1)}", "{3,2,1,0}", 1.1, false, "aBcd16b", "abcd"},
    {"NCHW -> NCHW16c, odd sizes", "16,250,65,65", "32,250,65,65",
     "64,250,65,65", "{3,2,1,0}", "{3,2,1,0:T(16,1,1)}", 1.1, false, "abcd",
     "aBcd16b"},
    {"NCHW16c -> NCHW, odd sizes", "16,250,65,65", "32,250,65,65",
     "64,250,65,65", "{3,2,1,0:T(16,1,1)}", "{3,2,1,0}", 1.1, false, "aBcd16b",
     "abcd"},
    {"transpose, power-of-two pitch", "4096,4096", "4096,8192", "8192,8192",
     "{1,0}", "{0,1}", 0.7, true, "ab", "ba"},
    {"transpose", "4112,4080", "4112,8160", "8208,8176", "{1,0}", "{0,1}", 0.9,
     true, "ab", "ba"},
    {"transpose, odd sizes", "4099,4093", "4099,8187", "8187,8199", "{1,0}",
     "{0,1}", 0.9, true, "ab", "ba"},
    {"transpose NCHW -> NHWC", "16,256,64,64", "32,256,64,64", "64,256,64,64",
     "{3,2,1,0}", "{1,3,2,0}", 0.7, true, "abcd", "acdb"},
};

/// Of this process, so that other programs count less.
static double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static std::vector<int64_t> sizesOf(llvm::StringRef shape) {
  llvm::SmallVector<llvm::StringRef> parts;
  shape.split(parts, ',');
  std::vector<int64_t> sizes;
  for (llvm::StringRef part : parts) {
    int64_t size = 0;
    part.getAsInteger(10, size);
    sizes.push_back(size);
  }
  return sizes;
}

static Layout parse(const std::string &text) {
  ParseError error;
  std::optional<Layout> layout = Layout::parse(text, error);
  if (!layout) {
    llvm::errs() << text << ": " << error.message << "\n";
    std::exit(1);
  }
  return *layout;
}

//===----------------------------------------------------------------------===//
// oneDNN
//===----------------------------------------------------------------------===//

#ifdef TENSORACCESS_HAS_DNNL
static dnnl_format_tag_t tagOf(llvm::StringRef tag) {
  if (tag == "ab")
    return dnnl_ab;
  if (tag == "ba")
    return dnnl_ba;
  if (tag == "abcd")
    return dnnl_abcd;
  if (tag == "acdb")
    return dnnl_acdb;
  if (tag == "aBcd16b")
    return dnnl_aBcd16b;
  return dnnl_format_tag_undef;
}

/// A reorder on the same memory; empty if oneDNN has none.
static std::function<void()> makeReorder(const Case &c, llvm::StringRef type,
                                         const std::vector<int64_t> &sizes,
                                         void *source, void *target) {
  if (!c.sourceTag)
    return {};
  ElementType element = type == "f32"    ? ElementType::F32
                        : type == "bf16" ? ElementType::BF16
                                         : ElementType::I8;
  dnnl_memory_desc_t from =
                         onednn::describe(sizes, tagOf(c.sourceTag), element),
                     to = onednn::describe(sizes, tagOf(c.targetTag), element);
  if (!from || !to)
    return {};
  return onednn::makeReorder(from, onednn::makeMemory(from, source), to,
                             onednn::makeMemory(to, target));
}
#else
static std::function<void()> makeReorder(const Case &, llvm::StringRef,
                                         const std::vector<int64_t> &, void *,
                                         void *) {
  return {};
}
#endif

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

static double best(const std::vector<double> &times) {
  return *llvm::min_element(times);
}

/// False if a figure is missed.
static bool measure(const Case &c, llvm::StringRef type, const char *shape,
                    int rounds) {
  std::string prefix = type.str() + "[" + shape + "]";
  std::string error;
  auto relayout = Relayout::get(parse(prefix + c.source),
                                parse(prefix + c.target), {}, error);
  if (!relayout) {
    llvm::errs() << prefix << ": " << error << "\n";
    std::exit(1);
  }
  int64_t from = relayout->getSourceBytes(), to = relayout->getTargetBytes();
  // Pages of any size, as the allocator has them; memory that is in use.
  auto allocate = [](int64_t bytes) {
    void *memory = std::aligned_alloc(4096, (bytes + 8191) / 4096 * 4096);
    std::memset(memory, 1, bytes);
    return std::unique_ptr<char, void (*)(void *)>(static_cast<char *>(memory),
                                                   std::free);
  };
  int64_t most = std::max(from, to);
  auto source = allocate(most), target = allocate(most);
  std::function<void()> reorder =
      makeReorder(c, type, sizesOf(shape), source.get(), target.get());
  std::vector<double> ours, copies, theirs;
  for (int round = 0; round <= rounds; ++round) {
    double begin = now();
    relayout->run(source.get(), from, target.get(), to);
    double middle = now();
    std::memcpy(target.get(), source.get(), from);
    double end = now();
    if (reorder)
      reorder();
    double after = now();
    if (round == 0) { // warms up
      if (reorder && after - end > 1.0) {
        theirs.push_back(after - end);
        reorder = {}; // a reference implementation; once is enough
      }
      continue;
    }
    ours.push_back(middle - begin);
    copies.push_back(end - middle);
    if (reorder)
      theirs.push_back(after - end);
  }
  double own = best(ours);
  double ratio = (from + to) / own / (2 * from / best(copies));
  bool isHeld = !c.isOnlyF32 || type == "f32";
  std::string missed;
  llvm::raw_string_ostream figures(missed);
  if (isHeld && ratio < c.figure)
    figures << llvm::format("  below %.1f of memcpy", c.figure);
  llvm::outs() << llvm::left_justify(c.name, 34) << llvm::left_justify(type, 5)
               << llvm::format("%6.1f %8.2f", (from + to) / own / 1e9, ratio);
  if (!theirs.empty()) {
    double other = best(theirs) / own;
    llvm::outs() << llvm::format(" %8.2f", other);
    if (other < 1.0)
      figures << "  below 1.0 of oneDNN";
  } else {
    llvm::outs() << "        -";
  }
  llvm::outs() << missed << "\n";
  llvm::outs().flush();
  return missed.empty();
}

int main(int argc, char **argv) {
  std::string only;
  int rounds = 21;
  for (int i = 1; i < argc; ++i)
    if (llvm::StringRef(argv[i]) == "--rounds" && i + 1 < argc)
      rounds = std::max(1, std::atoi(argv[++i]));
    else
      only = argv[i];
#ifdef TENSORACCESS_HAS_DNNL
  onednn::stayOnOneProcessor();
  llvm::outs() << "oneDNN " << onednn::getVersion() << "\n";
#else
  llvm::outs() << "oneDNN is not installed (scripts/requirements-bench.txt)\n";
#endif
  llvm::outs() << "relayout of 64 MiB                type   GB/s   memcpy   "
                  "oneDNN\n";
  int64_t lines = 0, kept = 0;
  for (const Case &c : cases)
    for (auto [type, shape] :
         {std::make_pair("f32", c.shape32), std::make_pair("bf16", c.shape16),
          std::make_pair("s8", c.shape8)}) {
      std::string line = std::string(c.name) + " " + type;
      if (line.find(only) != std::string::npos) {
        ++lines;
        kept += measure(c, type, shape, rounds);
      }
    }
  llvm::outs() << kept << " of " << lines << " lines reach their figures\n";
  return 0;
}
