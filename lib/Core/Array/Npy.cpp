//===- Npy.cpp - Tensors in numpy's file format ---------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading:
//
//   1. the magic string, the version, the length of the header (2 bytes in
//      version 1, 4 in versions 2 and 3, little endian);
//   2. the header: a Python dictionary with exactly the keys descr,
//      fortran_order and shape, in any order, read by a small parser of just
//      these literals;
//   3. the element count, checked against the bytes that follow;
//   4. the elements, as they are; Fortran order is a transposed view, made
//      dense.
//
// The reader copies bytes and so expects a little endian host.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/Tensor.h"
#include "TensorAccess/Core/WriteFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace mlir::tensoraccess;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "elements are copied as they are in the file");

static constexpr StringRef magic("\x93NUMPY", 6);
/// numpy's own limit on the number of dimensions.
static constexpr size_t maxRank = 64;

static llvm::Error makeError(StringRef name, const llvm::Twine &message) {
  return llvm::createStringError(name + ": " + message);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

namespace {
struct Header {
  StringRef descr;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
};

/// Reads the header's dictionary. Every method returns false, with a message,
/// if the text is not one.
class HeaderParser {
public:
  HeaderParser(StringRef text) : rest(text) {}

  bool parse(Header &header) {
    unsigned seen = 0;
    if (!expect('{'))
      return false;
    while (!take('}')) {
      StringRef key;
      if (!parseString(key) || !expect(':'))
        return false;
      unsigned bit = llvm::StringSwitch<unsigned>(key)
                         .Case("descr", 1)
                         .Case("fortran_order", 2)
                         .Case("shape", 4)
                         .Default(0);
      if (!bit || (seen & bit))
        return fail("unknown or repeated key '" + key + "'");
      seen |= bit;
      if (bit == 1 && rest.ltrim().starts_with("["))
        return fail("descr must be a string; structured types are not read");
      if (bit == 1 && !parseString(header.descr))
        return false;
      if (bit == 2 && !parseBool(header.fortranOrder))
        return false;
      if (bit == 4 && !parseShape(header.shape))
        return false;
      if (!take(',') && !rest.ltrim().starts_with("}"))
        return fail("expected ',' or '}'");
    }
    if (seen != 7)
      return fail("needs the keys descr, fortran_order and shape");
    return rest.trim().empty() || fail("text after the dictionary");
  }

  std::string message;

private:
  bool fail(const llvm::Twine &text) {
    if (message.empty())
      message = text.str();
    return false;
  }
  bool take(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }
  bool expect(char c) {
    return take(c) || fail("expected '" + llvm::Twine(c) + "'");
  }
  bool parseString(StringRef &value) {
    rest = rest.ltrim();
    if (!rest.starts_with("'") && !rest.starts_with("\""))
      return fail("expected a string");
    size_t end = rest.find(rest.front(), 1);
    if (end == StringRef::npos)
      return fail("a string does not end");
    value = rest.slice(1, end);
    rest = rest.drop_front(end + 1);
    return true;
  }
  bool parseBool(bool &value) {
    rest = rest.ltrim();
    value = rest.consume_front("True");
    return value || rest.consume_front("False") ||
           fail("fortran_order must be True or False");
  }
  bool parseShape(llvm::SmallVectorImpl<int64_t> &shape) {
    if (!expect('('))
      return false;
    while (!take(')')) {
      rest = rest.ltrim();
      StringRef digits = rest.take_while(llvm::isDigit);
      int64_t size;
      if (digits.getAsInteger(10, size))
        return fail("shape must be a tuple of sizes below 2^63");
      rest = rest.drop_front(digits.size());
      shape.push_back(size);
      if (shape.size() > maxRank)
        return fail("more than " + llvm::Twine(maxRank) + " dimensions");
      if (!take(',') && !rest.ltrim().starts_with(")"))
        return fail("expected ',' or ')'");
    }
    return true;
  }

  StringRef rest;
};
} // namespace

/// The element type of a descr with its byte order; std::nullopt for others.
static std::optional<ElementType> parseDescr(StringRef descr) {
  StringRef kind = descr;
  bool marked = kind.consume_front("<") || kind.consume_front("|");
  if (!marked && kind.size() > 2)
    return std::nullopt;
  return llvm::StringSwitch<std::optional<ElementType>>(kind)
      .Case("b1", ElementType::I1)
      .Cases({"i1", "u1"}, ElementType::I8)
      .Cases({"i2", "u2"}, ElementType::I16)
      .Cases({"i4", "u4"}, ElementType::I32)
      .Cases({"i8", "u8"}, ElementType::I64)
      .Case("f2", ElementType::F16)
      .Case("V2", ElementType::BF16)
      .Case("f4", ElementType::F32)
      .Case("f8", ElementType::F64)
      .Default(std::nullopt);
}

static StringRef toDescr(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "|b1";
  case ElementType::I8:
    return "|i1";
  case ElementType::I16:
    return "<i2";
  case ElementType::I32:
    return "<i4";
  case ElementType::I64:
    return "<i8";
  case ElementType::F16:
    return "<f2";
  case ElementType::BF16:
    return "<V2";
  case ElementType::F32:
    return "<f4";
  case ElementType::F64:
    return "<f8";
  }
  llvm_unreachable("every element type has a descr");
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Expected<Tensor> mlir::tensoraccess::parseNpy(StringRef bytes, StringRef name) {
  // 1
  StringRef rest = bytes;
  if (!rest.consume_front(magic))
    return makeError(name,
                     "not a .npy file: it does not begin with \\x93NUMPY");
  if (rest.size() < 2)
    return makeError(name, "the file ends before its version");
  int major = static_cast<uint8_t>(rest[0]);
  int minor = static_cast<uint8_t>(rest[1]);
  rest = rest.drop_front(2);
  if (major < 1 || major > 3 || minor != 0)
    return makeError(name, "version must be 1.0, 2.0 or 3.0, got " +
                               llvm::Twine(major) + "." + llvm::Twine(minor));
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return makeError(name, "the file ends before its header");
  size_t length = major == 1 ? llvm::support::endian::read16le(rest.data())
                             : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return makeError(name, "the file ends within its header, after " +
                               llvm::Twine(rest.size()) + " of " +
                               llvm::Twine(length) + " bytes");
  // 2
  Header header;
  HeaderParser parser(rest.take_front(length));
  if (!parser.parse(header))
    return makeError(name, "malformed header: " + parser.message);
  rest = rest.drop_front(length);
  // Complex numbers are pairs of floats.
  const bool isComplex = header.descr == "<c8" || header.descr == "<c16";
  if (header.fortranOrder)
    std::reverse(header.shape.begin(), header.shape.end());
  if (isComplex)
    header.shape.push_back(2);
  std::optional<ElementType> type =
      parseDescr(!isComplex              ? StringRef(header.descr)
                 : header.descr == "<c8" ? "<f4"
                                         : "<f8");
  if (!type)
    return makeError(name,
                     "element type '" + header.descr +
                         "' is not one of little endian b1, i1, i2, i4, i8, "
                         "u1, u2, u4, u8, f2, f4, f8, c8, c16 and V2 (bf16)");
  // 3
  std::optional<int64_t> count = elementCount(header.shape);
  int64_t needed = 0;
  if (!count || llvm::MulOverflow(*count, byteSize(*type), needed))
    return makeError(name, "the bytes of shape " + shapeToString(header.shape) +
                               " do not fit in 63 bits");
  if (static_cast<uint64_t>(needed) != rest.size())
    return makeError(name, "shape [" + shapeToString(header.shape) + "] of " +
                               toString(*type) + " needs " +
                               llvm::Twine(needed) + " bytes, got " +
                               llvm::Twine(rest.size()));
  // 4
  Expected<Tensor> tensor = Tensor::create(*type, header.shape);
  if (!tensor)
    return makeError(name, llvm::toString(tensor.takeError()));
  if (needed)
    std::memcpy(tensor->getData(), rest.data(), needed);
  if (*type == ElementType::I1)
    for (Bit &bit : llvm::MutableArrayRef(tensor->getDataAs<Bit>(), *count))
      bit = Bit(bit.value != 0);
  if (!header.fortranOrder)
    return tensor;
  auto permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, header.shape.size()));
  std::reverse(permutation.begin(), permutation.end() - isComplex);
  return tensor->transpose(permutation).toDense();
}

Expected<Tensor> mlir::tensoraccess::readNpy(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError(path, "cannot be read: " + buffer.getError().message());
  return parseNpy((*buffer)->getBuffer(), path);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Everything before the elements, padded so that they begin at a multiple of
/// 64 bytes.
static std::string formatHeader(const Tensor &tensor, StringRef outerType) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const bool isComplex = outerType.starts_with("complex");
  os << "{'descr': '"
     << llvm::StringSwitch<StringRef>(outerType)
            .Case("ui8", "|u1")
            .Case("ui16", "<u2")
            .Case("ui32", "<u4")
            .Case("ui64", "<u8")
            .Case("complex<f32>", "<c8")
            .Case("complex<f64>", "<c16")
            .Default(toDescr(tensor.getElementType()))
     << "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.getShape().drop_back(isComplex ? 1 : 0))
    os << size << ',';
  os << "), }";
  size_t prefix = magic.size() + 2 + 2;
  text.append(63 - (prefix + text.size()) % 64, ' ');
  text += '\n';
  char length[2];
  llvm::support::endian::write16le(length, text.size());
  return (magic + StringRef("\x01\x00", 2) + StringRef(length, 2) + text).str();
}

Expected<std::string> mlir::tensoraccess::formatNpy(const Tensor &tensor,
                                                    StringRef outerType) {
  Expected<Tensor> dense = tensor.toDense();
  if (!dense)
    return dense.takeError();
  return formatHeader(*dense, outerType)
      .append(static_cast<const char *>(dense->getData()),
              dense->getNumElements() * byteSize(dense->getElementType()));
}

llvm::Error mlir::tensoraccess::writeNpy(StringRef path, const Tensor &tensor,
                                         StringRef outerType) {
  Expected<std::string> bytes = formatNpy(tensor, outerType);
  if (!bytes)
    return makeError(path, llvm::toString(bytes.takeError()));
  return writeFile(path, *bytes);
}
