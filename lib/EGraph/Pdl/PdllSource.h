//===- PdllSource.h - Texts of PDLL for mlir-pdll ---------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `mlir-pdll` knows no dialect but PDL: `attr<"#arith.fastmath<fast>">` in what
// is matched loses its text there, and `type<"!a.b">` ends the program. So it
// never sees these texts:
//
//   1. Each file, and what it includes, is read token by token; the text of an
//      attribute or a type becomes one that is only its number.
//   2. The real texts are parsed here, with the dialects of the context.
//   3. In the PDL that comes back, numbers become what they stand for, and
//      places those of the files as they were written.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_LIB_EGRAPH_PDLLSOURCE_H
#define TENSORACCESS_LIB_EGRAPH_PDLLSOURCE_H

#include "mlir/IR/BuiltinOps.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace mlir::tensoraccess {

class PdllSource {
public:
  /// `folder` takes what mlir-pdll reads; included files are in one of
  /// `included`.
  PdllSource(MLIRContext *context, StringRef folder,
             ArrayRef<std::string> included)
      : context(context), folder(folder), included(included) {}

  /// Writes a text, which is called `name`, and what it includes, for
  /// mlir-pdll. The path of the file, or an error that was reported.
  FailureOr<std::string> write(StringRef text, StringRef name);
  /// Parses the texts of all attributes and types; reports an error for each
  /// that is invalid.
  LogicalResult parseLiterals();
  /// Puts attributes, types and places back.
  void restore(ModuleOp module) const;

  /// Where a place that mlir-pdll names is written; the file, where that is
  /// none of those that were written, as it is.
  FileLineColLoc find(StringRef path, unsigned line, unsigned column) const;
  /// `rule 'A': ` for a place in a rule, else nothing.
  std::string describeRule(FileLineColLoc place) const;
  /// A message of mlir-pdll, with the names of files as they are.
  std::string clean(StringRef message) const;

private:
  struct Token;
  /// A part of a line, in columns from 1, before and after.
  struct Edit {
    unsigned begin, end, oldBegin, oldEnd;
  };
  struct File {
    std::string name, path;
    std::map<unsigned, SmallVector<Edit, 1>> edits;
    /// Where rules begin, by line and column.
    std::map<std::pair<unsigned, unsigned>, std::string> rules;
    bool isOpen = true;
  };
  struct Literal {
    bool isType;
    std::string text;
    FileLineColLoc place;
    Attribute attribute;
    Type type;
  };

  static std::vector<Token> tokenize(StringRef text);
  /// What a file that is included becomes; an empty path where it is not there.
  FailureOr<std::string> include(StringRef name, FileLineColLoc place);
  const File *findFile(StringRef path) const;

  MLIRContext *context;
  std::string folder;
  std::vector<std::string> included;
  std::deque<File> files;
  std::vector<Literal> literals;
};

} // namespace mlir::tensoraccess

#endif // TENSORACCESS_LIB_EGRAPH_PDLLSOURCE_H
