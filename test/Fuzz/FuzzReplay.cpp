//===- FuzzReplay.cpp - The corpus and its mutants, without libFuzzer -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   FuzzReplay attributes|readers CORPUS_DIR COUNT SEED
//
// Checks every file of the corpus, then COUNT inputs made of them: one to four
// times a byte is changed, a part removed, doubled or taken from another input,
// or a word of the notations put in. The same seed gives the same inputs on
// every machine.
//
//===----------------------------------------------------------------------===//

#include "Fuzzers.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using llvm::StringRef;

/// Pieces that mutations put in: the words of the grammars and numbers at the
/// edge of 64 bits.
static const StringRef words[] = {"d0",
                                  "s0",
                                  "rt0",
                                  " floordiv ",
                                  " mod ",
                                  " ceildiv ",
                                  "min(",
                                  "max(",
                                  ", ",
                                  "(",
                                  ")",
                                  "[",
                                  "]",
                                  "{",
                                  "}",
                                  ":",
                                  " -> ",
                                  "domain: ",
                                  " in ",
                                  "inf",
                                  "-",
                                  "*",
                                  "+",
                                  "0",
                                  "1",
                                  "empty ",
                                  "unknown",
                                  "T(",
                                  "L(",
                                  "E(",
                                  "S(",
                                  "SC(",
                                  "D(",
                                  "C+~",
                                  "#(u32)",
                                  "f32[",
                                  "shape = ",
                                  "=",
                                  "e-300",
                                  "1e400",
                                  "rows",
                                  "partial",
                                  "machine ",
                                  "op ",
                                  "{\"op\": ",
                                  "[0, 1]",
                                  "access-",
                                  "pdl.",
                                  "(access-tensor t)",
                                  "; u: 0x1xf32\n",
                                  "anchor = ",
                                  "oob = ",
                                  "pad(",
                                  "nan",
                                  "wrap",
                                  "9223372036854775807",
                                  "-9223372036854775808",
                                  "4611686018427387904",
                                  "9223372036854775808",
                                  "\"",
                                  "<",
                                  ">",
                                  "//",
                                  "\n",
                                  StringRef("\0", 1)};

namespace {
class Mutator {
public:
  Mutator(const std::vector<std::string> &corpus, unsigned seed)
      : corpus(corpus), random(seed) {}

  std::string next() {
    std::string text = corpus[pick(corpus.size())];
    for (size_t times = 1 + pick(4); times > 0; --times)
      mutate(text);
    return text;
  }

private:
  /// A number below `bound`; not std::uniform_int_distribution, whose results
  /// differ between standard libraries.
  size_t pick(size_t bound) { return bound == 0 ? 0 : random() % bound; }

  void mutate(std::string &text) {
    size_t at = pick(text.size() + 1);
    size_t length = pick(std::min<size_t>(text.size() - at, 16) + 1);
    switch (pick(5)) {
    case 0:
      if (at < text.size())
        text[at] = static_cast<char>(pick(256));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2: {
      std::string part = text.substr(at, length);
      for (size_t times = 1 + pick(300); times > 0; --times)
        text.insert(at, part);
      break;
    }
    case 3: {
      const std::string &other = corpus[pick(corpus.size())];
      text = text.substr(0, at) + other.substr(pick(other.size() + 1));
      break;
    }
    default:
      text.insert(at, words[pick(std::size(words))].str());
      break;
    }
  }

  const std::vector<std::string> &corpus;
  std::mt19937 random;
};
} // namespace

int main(int argc, char **argv) {
  unsigned count, seed;
  StringRef kind = argc > 1 ? argv[1] : "";
  if (argc != 5 || (kind != "attributes" && kind != "readers") ||
      StringRef(argv[3]).getAsInteger(10, count) ||
      StringRef(argv[4]).getAsInteger(10, seed)) {
    llvm::errs() << "usage: " << argv[0]
                 << " attributes|readers CORPUS_DIR COUNT SEED\n";
    return 1;
  }
  auto *check = kind == "readers"
                    ? &mlir::tensoraccess::test::checkReaders
                    : &mlir::tensoraccess::test::checkAttributeText;
  std::vector<std::string> paths, corpus;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(argv[2], error), end;
       it != end && !error; it.increment(error))
    paths.push_back(it->path());
  std::sort(paths.begin(), paths.end());
  for (const std::string &path : paths) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      error = buffer.getError();
    else
      corpus.push_back((*buffer)->getBuffer().str());
  }
  if (error || corpus.empty()) {
    llvm::errs() << "cannot read a corpus from " << argv[2] << "\n";
    return 1;
  }

  for (const std::string &text : corpus)
    check(text);
  Mutator mutator(corpus, seed);
  for (unsigned i = 0; i < count; ++i)
    check(mutator.next());
  llvm::outs() << corpus.size() << " inputs of the corpus and " << count
               << " mutants checked\n";
  return 0;
}
