//===- NpyTest.cpp - .npy files, honest and hostile -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Tensor.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir::tensoraccess;
using llvm::cantFail;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

/// A file with this header and these elements.
std::string makeFile(std::string header, std::string elements, int major = 1) {
  std::string length;
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    length += char(header.size() >> (8 * i));
  return std::string("\x93NUMPY") + char(major) + '\0' + length + header +
         elements;
}

std::string errorOf(StringRef bytes) {
  llvm::Expected<Tensor> tensor = parseNpy(bytes, "a.npy");
  return tensor ? "read" : llvm::toString(tensor.takeError());
}

TEST(Npy, every_type_round_trips) {
  for (ElementType type :
       {ElementType::I1, ElementType::I8, ElementType::I16, ElementType::I32,
        ElementType::I64, ElementType::F16, ElementType::BF16, ElementType::F32,
        ElementType::F64})
    for (SmallVector<int64_t> shape :
         {SmallVector<int64_t>{}, SmallVector<int64_t>{5},
          SmallVector<int64_t>{3, 5, 7}, SmallVector<int64_t>{2, 0, 3}}) {
      Tensor tensor = cantFail(Tensor::random(type, shape, 3));
      std::string bytes = cantFail(formatNpy(tensor));
      EXPECT_EQ((bytes.size() - tensor.getNumElements() * byteSize(type)) % 64,
                0u);
      Tensor read = cantFail(parseNpy(bytes, "a.npy"));
      EXPECT_TRUE(cantFail(compare(tensor, read)).allBitEqual());
    }
}

TEST(Npy, files_round_trip_and_views_are_written_in_order) {
  SmallVector<char> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tensor", "npy", path));
  StringRef name(path.data(), path.size());
  Tensor tensor = cantFail(Tensor::random(ElementType::F32, {3, 5}, 3));
  cantFail(writeNpy(name, tensor.transpose({1, 0})));
  Tensor read = cantFail(readNpy(name));
  EXPECT_TRUE(cantFail(compare(tensor.transpose({1, 0}), read)).allBitEqual());
  llvm::sys::fs::remove(name);
  EXPECT_EQ(llvm::toString(readNpy(name).takeError()),
            (name + ": cannot be read: No such file or directory").str());
  EXPECT_NE(llvm::toString(writeNpy("/no/such/place.npy", tensor))
                .find("cannot write '/no/such/place.npy'"),
            std::string::npos);
}

TEST(Npy, reads_fortran_order_and_every_version) {
  // Columns first: [[1, 3, 5], [2, 4, 6]].
  for (int major : {1, 2, 3}) {
    Tensor tensor = cantFail(parseNpy(
        makeFile("{\"shape\": (2, 3), 'fortran_order': True, 'descr': '|u1'}",
                 "\1\2\3\4\5\6", major),
        "a.npy"));
    EXPECT_EQ(tensor.getShape(), llvm::ArrayRef<int64_t>({2, 3}));
    EXPECT_TRUE(tensor.isDense());
    EXPECT_EQ(tensor.getInt({1, 0}), 2);
    EXPECT_EQ(tensor.getInt({0, 2}), 5);
  }
}

TEST(Npy, reads_any_byte_as_a_bool) {
  Tensor tensor = cantFail(parseNpy(
      makeFile("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }",
               std::string("\0\1\7", 3)),
      "a.npy"));
  EXPECT_EQ(tensor.getInt({2}), 1);
}

TEST(Npy, malformed_files_are_errors) {
  auto header = [](std::string descr, std::string shape) {
    return "{'descr': " + descr +
           ", 'fortran_order': False, 'shape': " + shape + ", }\n";
  };
  EXPECT_EQ(errorOf("PK"),
            "a.npy: not a .npy file: it does not begin with \\x93NUMPY");
  EXPECT_EQ(errorOf("\x93NUMPY\1"), "a.npy: the file ends before its version");
  EXPECT_EQ(errorOf(StringRef("\x93NUMPY\4\0", 8)),
            "a.npy: version must be 1.0, 2.0 or 3.0, got 4.0");
  EXPECT_EQ(errorOf(StringRef("\x93NUMPY\1\0v", 9)),
            "a.npy: the file ends before its header");
  EXPECT_EQ(errorOf(StringRef("\x93NUMPY\2\0\xff\xff\xff\xff{", 13)),
            "a.npy: the file ends within its header, after 1 of 4294967295 "
            "bytes");
  EXPECT_EQ(errorOf(makeFile("[]", "")),
            "a.npy: malformed header: expected '{'");
  EXPECT_EQ(errorOf(makeFile("{'descr': '<f4'}", "")),
            "a.npy: malformed header: needs the keys descr, fortran_order and "
            "shape");
  EXPECT_EQ(errorOf(makeFile("{'kind': 3}", "")),
            "a.npy: malformed header: unknown or repeated key 'kind'");
  EXPECT_EQ(errorOf(makeFile("{'descr': 'a', 'descr': 'b'}", "")),
            "a.npy: malformed header: unknown or repeated key 'descr'");
  EXPECT_EQ(errorOf(makeFile("{'descr", "")),
            "a.npy: malformed header: a string does not end");
  EXPECT_EQ(errorOf(makeFile("{'fortran_order': 1}", "")),
            "a.npy: malformed header: fortran_order must be True or False");
  EXPECT_EQ(errorOf(makeFile(header("'<f4'", "()") + "x", "")),
            "a.npy: malformed header: text after the dictionary");
  EXPECT_EQ(errorOf(makeFile(header("'<f4'", "(3"), "")),
            "a.npy: malformed header: shape must be a tuple of sizes below "
            "2^63");
  EXPECT_EQ(errorOf(makeFile(header("'<f4'", "(-3,)"), "")),
            "a.npy: malformed header: shape must be a tuple of sizes below "
            "2^63");
  EXPECT_EQ(errorOf(makeFile(header("'<f4'", "(9999999999999999999,)"), "")),
            "a.npy: malformed header: shape must be a tuple of sizes below "
            "2^63");
  std::string many = "(";
  for (int i = 0; i < 65; ++i)
    many += "1,";
  EXPECT_EQ(errorOf(makeFile(header("'<f4'", many + ")"), "")),
            "a.npy: malformed header: more than 64 dimensions");
}

TEST(Npy, foreign_types_and_wrong_lengths_are_errors) {
  auto file = [](std::string descr, std::string shape, std::string elements) {
    return makeFile("{'descr': " + descr +
                        ", 'fortran_order': False, 'shape': " + shape + "}",
                    elements);
  };
  std::string types = "is not one of little endian b1, i1, i2, i4, i8, u1, "
                      "u2, u4, u8, f2, f4, f8, c8, c16 and V2 (bf16)";
  EXPECT_EQ(errorOf(file("'>f4'", "(1,)", "1234")),
            "a.npy: element type '>f4' " + types);
  EXPECT_EQ(errorOf(file("'>c8'", "(1,)", "12345678")),
            "a.npy: element type '>c8' " + types);
  EXPECT_EQ(errorOf(file("'<c8'", "(1,)", "1234")),
            "a.npy: shape [1x2] of f32 needs 8 bytes, got 4");
  EXPECT_EQ(errorOf(file("'|O'", "(1,)", "")),
            "a.npy: element type '|O' " + types);
  EXPECT_EQ(errorOf(file("[('x', '<f4')]", "(1,)", "1234")),
            "a.npy: malformed header: descr must be a string; structured types "
            "are not read");
  EXPECT_EQ(errorOf(file("'<f4'", "(3, 5)", "123456789012")),
            "a.npy: shape [3x5] of f32 needs 60 bytes, got 12");
  EXPECT_EQ(errorOf(file("'<f4'", "(1,)", "12345")),
            "a.npy: shape [1] of f32 needs 4 bytes, got 5");
  EXPECT_EQ(errorOf(file("'<f8'", "(4294967296, 4294967296)", "")),
            "a.npy: the bytes of shape 4294967296x4294967296 do not fit in 63 "
            "bits");
  EXPECT_EQ(errorOf(file("'<f8'", "(1000000000000,)", "12345678")),
            "a.npy: shape [1000000000000] of f64 needs 8000000000000 bytes, "
            "got 8");
}

// Whatever prefix of a file is there, the reader says so and lives.
TEST(Npy, every_truncation_is_an_error) {
  Tensor tensor = cantFail(Tensor::random(ElementType::F16, {3, 5}, 3));
  std::string bytes = cantFail(formatNpy(tensor));
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_NE(errorOf(StringRef(bytes).take_front(length)), "read");
  // Every single damaged byte: an answer, right or wrong, without a crash.
  for (size_t i = 0; i < 128; ++i)
    for (char value : {'\0', '\'', '(', ')', ',', '9', '\x7f', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = value;
      (void)errorOf(damaged);
    }
}

} // namespace
