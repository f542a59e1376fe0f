//===- LayoutTexts.cpp - Tags and encodings as text -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout/BlockedForm.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/LayoutNotations.h"
#include "TensorAccess/Core/TextScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;
using llvm::Twine;

std::string SymbolicStrides::str() const {
  return llvm::interleaved_array(
             llvm::map_range(strides,
                             [](const SizeExpr &size) { return size.str(); }))
      .str();
}

//===----------------------------------------------------------------------===//
// Blocked tags
//===----------------------------------------------------------------------===//

namespace {
class TagReader {
public:
  TagReader(StringRef tag, int64_t rank, ParseError &error)
      : tag(tag), rank(rank), error(error), isUpper(rank) {}

  bool read();

  BlockedForm form;

private:
  bool fail(size_t where, const Twine &message) {
    error = {message.str(), where};
    return false;
  }
  bool failExpecting(StringRef what) {
    std::string got =
        pos < tag.size() ? ("'" + tag.substr(pos, 1) + "'").str() : "the end";
    return fail(pos, "expected " + what + ", got " + got);
  }
  bool readLetter(int64_t &dim);
  bool readBlock();

  StringRef tag;
  int64_t rank;
  ParseError &error;
  size_t pos = 0;
  llvm::SmallBitVector isUpper;
};
} // namespace

bool TagReader::readLetter(int64_t &dim) {
  char letter = tag[pos];
  dim = llvm::toLower(letter) - 'a';
  if (dim >= rank)
    return fail(pos, "letter '" + Twine(letter) + "' names dimension " +
                         Twine(dim) + " of a shape of rank " + Twine(rank));
  return true;
}

bool TagReader::readBlock() {
  size_t begin = pos;
  StringRef digits = tag.drop_front(pos).take_while(llvm::isDigit);
  if (digits.empty())
    return failExpecting("the size of a block");
  DimBlock block;
  if (digits.getAsInteger(10, block.size))
    return fail(begin, "integer " + digits + " does not fit in 64 bits");
  if (block.size < 1)
    return fail(begin, "block " + Twine(form.blocks.size()) +
                           " must be positive, got " + Twine(block.size));
  pos += digits.size();
  if (pos == tag.size() || !llvm::isLower(tag[pos]))
    return failExpecting("the lower case letter of a block");
  if (!readLetter(block.dim))
    return false;
  if (!isUpper[block.dim])
    return fail(pos, "dimension " + Twine(block.dim) + " is blocked: write '" +
                         Twine(static_cast<char>(llvm::toUpper(tag[pos]))) +
                         "' in the order");
  ++pos;
  form.blocks.push_back(block);
  return true;
}

bool TagReader::read() {
  SmallVector<size_t> places(rank, 0);
  llvm::SmallBitVector seen(rank);
  for (; pos < tag.size() && llvm::isAlpha(tag[pos]); ++pos) {
    int64_t dim;
    if (!readLetter(dim))
      return false;
    if (seen[dim])
      return fail(pos, "letter '" + Twine(tag[pos]) + "' repeats dimension " +
                           Twine(dim));
    seen.set(dim);
    places[dim] = pos;
    isUpper[dim] = llvm::isUpper(tag[pos]);
    form.order.push_back(dim);
  }
  if (!seen.all())
    return failExpecting((Twine("a letter for dimension ") +
                          Twine(seen.find_first_unset()) + ", one of " +
                          Twine(rank))
                             .str());
  while (pos < tag.size())
    if (!readBlock())
      return false;
  for (int64_t dim : isUpper.set_bits())
    if (llvm::none_of(form.blocks,
                      [&](const DimBlock &b) { return b.dim == dim; }))
      return fail(places[dim], "dimension " + Twine(dim) +
                                   " is written in upper case but has no "
                                   "block");
  return true;
}

std::optional<Layout>
mlir::tensoraccess::layoutFromBlockedTag(ArrayRef<int64_t> shape, StringRef tag,
                                         XlaType type, ParseError &error) {
  if (shape.size() > 26) {
    error = {"a tag has letters for 26 dimensions, got " +
                 std::to_string(shape.size()),
             0};
    return std::nullopt;
  }
  TagReader reader(tag, shape.size(), error);
  if (!reader.read())
    return std::nullopt;
  std::string reason;
  std::optional<Layout> layout = buildLayout(shape, reader.form, type, reason);
  if (!layout)
    error = {reason, 0};
  return layout;
}

//===----------------------------------------------------------------------===//
// IREE's resolved encodings
//===----------------------------------------------------------------------===//

namespace {
/// What is in `encoding_info = {…}`.
class EncodingReader {
public:
  EncodingReader(StringRef text, ParseError &error)
      : scanner(text, error), text(text) {}

  /// Outer dimensions and tiles, which the swizzle cuts and permutes.
  std::optional<SmallVector<NestDigit>> read(ArrayRef<int64_t> shape);

private:
  bool readInfo();
  bool permute(SmallVectorImpl<DimBlock> &blocks);
  bool readNumbers(SmallVectorImpl<int64_t> &numbers);
  bool readFactors();
  bool skipWord() {
    scanner.skip(scanner.peekWord().size());
    return true;
  }
  bool readSwizzle();

  TextScanner scanner;
  StringRef text;
  size_t begin = 0;
  PackParameters pack;
  bool hasSwizzle = false;
  /// The sizes that each block is cut into, and the order of all of them.
  SmallVector<SmallVector<int64_t>> factors;
  SmallVector<int64_t> permutation;
};
} // namespace

bool EncodingReader::readNumbers(SmallVectorImpl<int64_t> &numbers) {
  return scanner.parseList('[', ']', "numbers", [&] {
    return scanner.parseInteger(numbers.emplace_back(), "a number");
  });
}

/// `[[["Internal", 16]], [["CrossThread", 4], ["Internal", 2]]]`.
bool EncodingReader::readFactors() {
  return scanner.parseList('[', ']', "blocks", [&] {
    auto &sizes = factors.emplace_back();
    return scanner.parseList('[', ']', "factors", [&] {
      unsigned fields = 0;
      return scanner.parseList('[', ']', "a factor", [&] {
        if (fields++ > 0)
          return scanner.parseInteger(sizes.emplace_back(), "a size") &&
                 (!scanner.consumeIf(':') || skipWord());
        if (!scanner.expect('"', "a kind in quotes"))
          return false;
        return skipWord() && scanner.expect('"', "'\"' after a kind");
      });
    });
  });
}

bool EncodingReader::readSwizzle() {
  return scanner.parseList('{', '}', "the parts of a swizzle", [&] {
    const size_t at = scanner.position();
    const StringRef name = scanner.peekWord();
    scanner.skip(name.size());
    if (!scanner.expect('=', "'=' after a name"))
      return false;
    return name == "expandShape" ? readFactors()
           : name == "permutation"
               ? readNumbers(permutation)
               : scanner.fail(at, "a swizzle has expandShape "
                                  "and permutation, got '" +
                                      name + "'");
  });
}

bool EncodingReader::readInfo() {
  const StringRef key = "encoding_info";
  begin = text.find(key);
  if (begin == StringRef::npos)
    return scanner.fail(
        0, "only a resolved encoding says how elements are laid out: it has "
           "encoding_info = {innerDimsPos = [...], ...}");
  if (size_t next = text.find(key, begin + 1); next != StringRef::npos)
    return scanner.fail(next, "there are several encodings in it");
  scanner.skip(begin + key.size());
  auto readPart = [&] {
    const size_t at = scanner.position();
    const StringRef name = scanner.peekWord();
    scanner.skip(name.size());
    if (!scanner.expect('=', "'=' after a name"))
      return false;
    hasSwizzle |= name == "swizzle";
    return name == "innerDimsPos"     ? readNumbers(pack.innerDimsPos)
           : name == "innerTileSizes" ? readNumbers(pack.innerTiles)
           : name == "outerDimsPerm"  ? readNumbers(pack.outerDimsPerm)
           : name == "swizzle"
               ? readSwizzle()
               : scanner.fail(at, "encoding_info has innerDimsPos, "
                                  "innerTileSizes, outerDimsPerm and swizzle, "
                                  "got '" +
                                      name + "'");
  };
  return scanner.expect('=', "'=' after encoding_info") &&
         scanner.parseList('{', '}', "the parts of encoding_info", readPart);
}

bool EncodingReader::permute(SmallVectorImpl<DimBlock> &blocks) {
  if (factors.size() != blocks.size())
    return scanner.fail(begin, "expandShape must have a list for each of " +
                                   Twine(blocks.size()) + " tiles, got " +
                                   Twine(factors.size()));
  SmallVector<DimBlock> cut;
  for (auto [i, block] : llvm::enumerate(blocks)) {
    std::optional<int64_t> product = 1;
    for (int64_t size : factors[i])
      product = product && size > 0 ? checkedMul(*product, size) : std::nullopt;
    if (product != block.size)
      return scanner.fail(begin, "the factors of tile " + Twine(i) +
                                     " must multiply to its size, " +
                                     Twine(block.size));
    int64_t divisor = block.size;
    for (int64_t size : factors[i])
      cut.push_back({block.dim, size, divisor /= size});
  }
  llvm::SmallBitVector seen(cut.size());
  blocks.clear();
  for (int64_t i : permutation) {
    if (i < 0 || i >= int64_t(cut.size()) || seen[i])
      return scanner.fail(begin, "permutation must have each of " +
                                     Twine(cut.size()) + " factors once, got " +
                                     Twine(i));
    seen.set(i);
    blocks.push_back(cut[i]);
  }
  return seen.all() ||
         scanner.fail(begin, "permutation must have all of " +
                                 Twine(cut.size()) + " factors, got " +
                                 Twine(permutation.size()));
}

std::optional<SmallVector<NestDigit>>
EncodingReader::read(ArrayRef<int64_t> shape) {
  if (!readInfo())
    return std::nullopt;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size < 0 && size != kDynamicSize) {
      scanner.fail(begin, "the size of dimension " + Twine(dim) +
                              " must not be negative, got " + Twine(size));
      return std::nullopt;
    }
  std::string reason;
  std::optional<BlockedForm> form = getBlockedForm(shape.size(), pack, reason);
  if (!form) {
    scanner.fail(begin, reason);
    return std::nullopt;
  }
  SmallVector<DimBlock> blocks;
  SmallVector<int64_t> tiles(shape.size(), 1);
  for (const DimBlock &block : form->blocks)
    tiles[block.dim] = block.size;
  for (int64_t dim : form->order)
    blocks.push_back({dim, kDynamicSize, tiles[dim]});
  SmallVector<DimBlock> inner(form->blocks);
  if (hasSwizzle && !permute(inner))
    return std::nullopt;
  llvm::append_range(blocks, inner);

  SmallVector<NestDigit> nest;
  for (const DimBlock &block : blocks) {
    NestDigit digit{block.dim, block.divisor};
    const int64_t extent = shape[block.dim];
    const bool isDynamic = extent == kDynamicSize,
               isOuter = block.size == kDynamicSize;
    digit.isOpen = isOuter && isDynamic;
    const int64_t count =
        isDynamic ? block.size : ceilDivPositive(extent, block.divisor);
    digit.size = isOuter ? count : block.size;
    digit.used = isDynamic ? digit.size : std::min(digit.size, count);
    digit.isTop = isOuter || (!isDynamic && count <= block.size);
    digit.physical = nest.size();
    if (digit.size != 1)
      nest.push_back(digit);
  }
  return nest;
}

std::optional<SmallVector<NestDigit>>
mlir::tensoraccess::readIreeEncoding(ArrayRef<int64_t> shape, StringRef text,
                                     ParseError &error) {
  return EncodingReader(text, error).read(shape);
}
