//===- WriteFileTest.cpp - Files, links, devices and full disks -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
namespace fs = llvm::sys::fs;

namespace {
struct WriteFileTest : public ::testing::Test {
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("write-file", folder));
    folder += "/100% of it";
    ASSERT_FALSE(fs::create_directory(folder));
  }
  void TearDown() override {
    fs::remove_directories(llvm::StringRef(folder).rsplit('/').first);
  }
  std::string at(llvm::StringRef name) { return (folder + "/" + name).str(); }
  std::string read(llvm::StringRef name) {
    auto file = llvm::MemoryBuffer::getFile(at(name));
    return file ? (*file)->getBuffer().str() : file.getError().message();
  }
  unsigned count() {
    std::error_code code;
    unsigned files = 0;
    for (fs::directory_iterator it(folder, code), end; it != end && !code;
         it.increment(code))
      ++files;
    return files;
  }
  llvm::SmallString<128> folder;
};
} // namespace

TEST_F(WriteFileTest, leaves_one_file_where_one_was_or_none) {
  for (const char *text : {"first of all", "", "last"}) {
    cantFail(writeFile(at("a%b.txt"), text));
    EXPECT_EQ(read("a%b.txt"), text);
    EXPECT_EQ(count(), 1u);
  }
}

TEST_F(WriteFileTest, writes_through_links) {
  cantFail(writeFile(at("file"), "long before"));
  ASSERT_FALSE(fs::create_link("file", at("link")));
  cantFail(writeFile(at("link"), "after"));
  EXPECT_EQ(read("file"), "after");
  bool isLink = false;
  ASSERT_FALSE(fs::is_symlink_file(at("link"), isLink));
  EXPECT_TRUE(isLink);
}

TEST_F(WriteFileTest, says_why_it_cannot) {
  ASSERT_FALSE(fs::create_link("/dev/full", at("full")));
  EXPECT_EQ(llvm::toString(writeFile(at("full"), "too much")),
            "cannot write '" + at("full") + "': No space left on device");
  EXPECT_EQ(llvm::toString(writeFile(at("no/file"), "")),
            "cannot write '" + at("no/file") + "': No such file or directory");
  EXPECT_EQ(llvm::toString(writeFile(folder, "")),
            "cannot write '" + folder.str().str() + "': Is a directory");
  EXPECT_EQ(count(), 1u);
}
