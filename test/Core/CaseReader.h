//===- CaseReader.h - Golden cases, one JSON object a line ------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CORE_CASEREADER_H
#define TENSORACCESS_TEST_CORE_CASEREADER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace mlir::tensoraccess::test {

/// Where a file of cases lies: in $TENSORACCESS_CASES, so that any folder of
/// cases can be tried, else in test/Cases.
inline std::string casePath(llvm::StringRef file) {
  const char *folder = std::getenv("TENSORACCESS_CASES");
  std::string path = folder ? folder : TENSORACCESS_TEST_DIR "/Cases";
  return path + "/" + file.str();
}

/// The objects of a file of cases, one a line; a file that is not there and a
/// line that is not an object are failures.
inline std::vector<llvm::json::Object> readObjects(llvm::StringRef file) {
  std::string path = casePath(file);
  std::vector<llvm::json::Object> objects;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << path;
    return objects;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value || !value->getAsObject()) {
      ADD_FAILURE() << path << ": not an object: " << line.str();
      llvm::consumeError(value.takeError());
      continue;
    }
    objects.push_back(std::move(*value->getAsObject()));
  }
  return objects;
}

/// The cases of `kind` in a file; a file that holds none of them is a failure.
inline std::vector<llvm::json::Object> readCases(llvm::StringRef file,
                                                 llvm::StringRef kind) {
  std::vector<llvm::json::Object> cases = readObjects(file);
  llvm::erase_if(cases, [&](const llvm::json::Object &o) {
    return o.getString("kind") != kind;
  });
  EXPECT_FALSE(cases.empty())
      << "no cases of " << kind.str() << " in " << casePath(file);
  return cases;
}

/// An array of integers as a vector; null is the empty one.
inline llvm::SmallVector<int64_t> toIntegers(const llvm::json::Value *value) {
  llvm::SmallVector<int64_t> integers;
  if (value)
    if (const llvm::json::Array *array = value->getAsArray())
      for (const llvm::json::Value &item : *array)
        integers.push_back(*item.getAsInteger());
  return integers;
}

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_CORE_CASEREADER_H
