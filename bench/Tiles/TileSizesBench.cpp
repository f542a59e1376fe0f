//===- TileSizesBench.cpp - Tile sizes by rules, by programs, by both -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The open question of Glenside: how good are tile sizes that rewriting alone
// finds, against integer programs, and against both together? docs/Tiles.md
// says what is compared. A solver has as many seconds as the argument says
// (3); each method runs in a process of its own, which is ended after a little
// more than twice that, and a line says so. `--quick` takes small products and
// has no such limits, so that its table is the same each time, but for the
// times.
//
//===----------------------------------------------------------------------===//

#include "TileProgram.h"
#include "TileTerms.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::bench;
using llvm::format;
using llvm::outs;

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static void printRow(const char *method, double cost, double least,
                     double seconds, size_t nodes, const std::string &note) {
  outs() << format("  %-30s", method);
  if (cost == kInfinity)
    outs() << "    nothing found";
  else
    outs() << format("%10.0f %6.2f %%", cost, 100 * (cost / least - 1));
  outs() << format(" %9.1f ms", 1e3 * seconds);
  if (nodes)
    outs() << format(" %8zu", nodes);
  else
    outs() << "         ";
  outs() << "  " << note << "\n";
  outs().flush();
}

static std::string describe(const Rewritten &result) {
  std::string text;
  if (result.reason != StopReason::Saturated)
    text += describe(result.reason).str() + ", ";
  if (!result.problem.empty())
    return text + result.problem;
  for (const TileNest &nest : result.nests)
    text += (&nest == &result.nests[0] ? "" : "; ") + nest.str();
  return text;
}

/// Says whether a row that was printed is sound.
using RowDone = llvm::function_ref<void(bool isSound)>;

/// Prints rows from a process of its own. Where it takes more than `seconds`, it
/// is ended, and the rows that are missing say so. False where a row is not
/// sound, or the process fails.
static bool printLimited(llvm::ArrayRef<std::string> rows, double seconds,
                         llvm::function_ref<void(RowDone)> print) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  const double begin = now();
  const pid_t child = fork();
  if (child < 0)
    return false;
  if (child == 0) {
    // With the solvers that it starts.
    setpgid(0, 0);
    bool isWritten = true;
    print([&](bool isSound) {
      const char byte = isSound ? 1 : 0;
      isWritten &= write(ends[1], &byte, 1) == 1;
    });
    _exit(isWritten ? 0 : 1);
  }
  setpgid(child, child);
  close(ends[1]);
  size_t printed = 0;
  bool isSound = true;
  while (printed != rows.size()) {
    pollfd wanted{ends[0], POLLIN, 0};
    const double left = seconds - (now() - begin);
    char byte;
    if (left <= 0 ||
        poll(&wanted, 1, static_cast<int>(std::ceil(1e3 * left))) <= 0 ||
        read(ends[0], &byte, 1) != 1)
      break;
    isSound &= byte == 1;
    ++printed;
  }
  close(ends[0]);
  const bool isLate = now() - begin >= seconds;
  if (printed != rows.size())
    kill(-child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  for (const std::string &row : rows.drop_front(printed))
    printRow(row.c_str(), kInfinity, 1, now() - begin, 0,
             isLate ? "ended, it takes longer" : "failed");
  return isSound && (printed == rows.size() || isLate);
}

/// What a process may take in all, by the limit of each solver and saturation in
/// it.
static double getRowSeconds(double seconds) { return 2 * seconds + 1; }

/// One product; no copies.
static bool measure(const TileMachine &machine, const Product &product,
                    double seconds, uint64_t maxNodes) {
  outs() << product.name << ": " << product.sizes[M] << " x "
         << product.sizes[K] << " by " << product.sizes[N] << "\n";
  double begin = now();
  const Found best = searchAll(machine, product)[0];
  const double searched = now() - begin;
  printRow("all sizes tried", best.cost, best.cost, searched, 0,
           best.nest.str());
  bool isSound = true;
  const double rowSeconds = getRowSeconds(seconds);
  for (Capacity capacity : {Capacity::Thirds, Capacity::Exact})
    for (Splits splits : {Splits::Halves, Splits::Primes}) {
      RewritingOptions options;
      options.capacity = capacity;
      options.splits = splits;
      options.nodes = maxNodes;
      options.seconds = options.exactSeconds = seconds;
      std::vector<Extractor> extractors{Extractor::Tree};
      if (capacity == Capacity::Thirds && splits == Splits::Halves)
        extractors.push_back(Extractor::Exact);
      std::string name = splits == Splits::Halves ? "halves" : "primes";
      name += capacity == Capacity::Exact ? ", bytes in terms" : ", thirds";
      std::vector<std::string> rows{"rules: " + name};
      if (extractors.size() == 2)
        rows.push_back("both:  " + name);
      isSound &= printLimited(rows, rowSeconds, [&](RowDone done) {
        std::vector<Rewritten> results =
            rewrite(machine, {product}, options, extractors);
        for (auto [result, row] : llvm::zip_equal(results, rows)) {
          double cost = kInfinity;
          bool isRowSound = true;
          if (!result.nests.empty()) {
            cost = evaluate(machine, product, result.nests[0]);
            // What the terms add up to is never less than the nest costs.
            isRowSound = cost <= result.cost * (1 + 1e-9) &&
                         cost >= best.cost * (1 - 1e-9);
          }
          printRow(row.c_str(), cost, best.cost,
                   result.saturateSeconds + result.extractSeconds, result.nodes,
                   describe(result));
          done(isRowSound);
        }
      });
    }
  const std::string slicesRow = "rules: slices as terms";
  isSound &= printLimited(slicesRow, rowSeconds, [&](RowDone done) {
    RewritingOptions options;
    options.nodes = maxNodes;
    options.seconds = seconds;
    const Rewritten slices = rewriteSlices(machine, product, options);
    printRow(slicesRow.c_str(), slices.cost, best.cost,
             slices.saturateSeconds + slices.extractSeconds, slices.nodes,
             slices.reason == StopReason::Saturated
                 ? ""
                 : describe(slices.reason).str());
    done(true);
  });
  const std::string programRow = "integer program";
  isSound &= printLimited(programRow, rowSeconds, [&](RowDone done) {
    const Solved solved = solveTiles(machine, product, seconds);
    printRow(programRow.c_str(), solved.cost, best.cost, solved.seconds,
             solved.columns,
             solved.problem.empty()
                 ? solved.nest.str() +
                       (solved.isOptimal ? "" : ", time limit reached")
                 : solved.problem);
    done(solved.cost >= best.cost * (1 - 1e-9));
  });
  return isSound;
}

/// Products that share operands, and copies of them.
static bool measureShared(const TileMachine &machine, const char *name,
                          const std::vector<Product> &products, double seconds,
                          uint64_t maxNodes) {
  outs() << name << ":";
  for (const Product &product : products)
    outs() << (&product == &products[0] ? " " : ", ") << product.sizes[M]
           << " x " << product.sizes[K] << " by " << product.sizes[N];
  outs() << "\n";
  outs().flush();
  double begin = now();
  std::vector<std::map<int64_t, Found>> tables;
  bool isOver = false;
  for (const Product &product : products)
    tables.push_back(searchAll(machine, product, /*copies=*/true,
                               /*isComplete=*/false, getRowSeconds(seconds),
                               &isOver));
  const double tabled = now() - begin;
  begin = now();
  const double least = searchShared(machine, products, tables);
  printRow("all sizes tried", least, least, tabled + now() - begin, 0,
           isOver ? "ended: the least of those that were tried" : "");
  double alone = 0;
  for (size_t i = 0; i != products.size(); ++i)
    alone += tables[i][0].cost;
  printRow("without copies", alone, least, tabled, 0, "");
  bool isSound = true;
  const double rowSeconds = getRowSeconds(seconds);
  for (Splits splits : {Splits::Halves, Splits::Primes}) {
    RewritingOptions options;
    options.capacity = Capacity::Thirds;
    options.splits = splits;
    options.copies = true;
    options.nodes = maxNodes;
    options.seconds = options.exactSeconds = seconds;
    const std::pair<Extractor, const char *> methods[] = {
        {Extractor::Tree, "rules: tree"},
        {Extractor::Dag, "rules: DAG"},
        {Extractor::Exact, "both"}};
    // One by one, so that what is slow takes only its own row.
    for (const auto &method : methods) {
      const std::string row =
          std::string(method.second) +
          (splits == Splits::Halves ? ", halves" : ", primes");
      isSound &= printLimited(row, rowSeconds, [&](RowDone done) {
        const Rewritten result =
            rewrite(machine, products, options, {method.first}).front();
        printRow(row.c_str(), result.cost, least,
                 result.saturateSeconds + result.extractSeconds, result.nodes,
                 describe(result));
        done(isOver || result.cost >= least * (1 - 1e-9));
      });
    }
  }
  const std::string row = "search, then program";
  isSound &= printLimited(row, rowSeconds, [&](RowDone done) {
    const Solved solved = solveShared(machine, products, tables, seconds);
    printRow(row.c_str(), solved.cost, least, tabled + solved.seconds,
             solved.columns, solved.problem);
    done(true);
  });
  return isSound;
}

static Product makeMatmul(const char *name, int64_t m, int64_t k, int64_t n) {
  return {name, {m, k, n}, k, 0};
}

/// Windows of an image whose rows of `run` values lie together.
static Product makeWindows(const char *name, int64_t points, int64_t run,
                           int64_t runs, int64_t filters) {
  return {name, {points, run * runs, filters}, run, 0};
}

int main(int argc, char **argv) {
  const bool isQuick = argc > 1 && llvm::StringRef(argv[1]) == "--quick";
  double seconds = isQuick ? 1000 : 3;
  if (argc > 1 && !isQuick &&
      (llvm::StringRef(argv[1]).getAsDouble(seconds) || !(seconds > 0))) {
    llvm::errs() << "error: expected --quick or positive seconds, got '"
                 << argv[1] << "'\n";
    return 1;
  }
  const uint64_t maxNodes = isQuick ? 100'000 : 4'000'000;
  TileMachine machine;
  if (isQuick)
    machine.scratchpad = 4 << 10;
  outs() << "An array of 16 x 16, " << machine.scratchpad / 1024
         << " KiB of scratchpad, " << machine.bytesPerCycle
         << " bytes a cycle, and as many as " << machine.runBytes
         << " more for each run.\n\n"
         << "                                      cost        gap"
            "          time    nodes  order, sizes\n";
  bool isSound = true;
  std::vector<Product> alone;
  if (isQuick)
    alone = {makeMatmul("small", 24, 64, 48),
             makeWindows("windows", 49, 9, 7, 20)};
  else
    alone = {makeMatmul("matmul", 256, 256, 256),
             makeMatmul("matmul", 1024, 1024, 1024),
             makeMatmul("prime rows", 197, 768, 768),
             makeMatmul("encoder, MLP", 128, 768, 3072),
             makeMatmul("classifier", 1, 2048, 1000),
             makeMatmul("ResNet-50, 1x1", 3136, 64, 256),
             makeWindows("ResNet-50, 3x3", 784, 3 * 128, 3, 128),
             makeWindows("ResNet-50, 7x7", 12544, 21, 7, 64)};
  for (const Product &product : alone)
    isSound &= measure(machine, product, seconds, maxNodes);
  std::vector<std::pair<const char *, std::vector<Product>>> shared;
  if (isQuick)
    shared = {
        {"two of one image",
         {makeWindows("a", 49, 3, 21, 20), makeWindows("b", 49, 3, 21, 40)}}};
  else
    shared = {{"query, key, value",
               {makeMatmul("q", 128, 768, 768), makeMatmul("k", 128, 768, 768),
                makeMatmul("v", 128, 768, 768)}},
              {"two heads on one image, channels first",
               {makeWindows("a", 784, 3, 3 * 128, 64),
                makeWindows("b", 784, 3, 3 * 128, 128)}},
              {"three filter banks on one image, channels first",
               {makeWindows("a", 196, 3, 3 * 64, 32),
                makeWindows("b", 196, 3, 3 * 64, 64),
                makeWindows("c", 196, 3, 3 * 64, 192)}}};
  for (const auto &[name, products] : shared)
    isSound &= measureShared(machine, name, products, seconds, maxNodes);
  if (!isSound)
    llvm::errs() << "a cost is below the least, or a term's below its nest's\n";
  return isSound ? 0 : 1;
}
