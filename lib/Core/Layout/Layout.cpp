//===- Layout.cpp - Text and rules of tiled layouts -----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading is done in two steps:
//   1. A purely syntactic reader fills the members and notes where each part
//      begins.
//   2. The rules are checked on the members alone; the part that breaks one is
//      looked up among the noted places. So a layout built in C++ and one read
//      from text get the same message.
// The mathematics of linearizing is in LayoutIndex.cpp.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/LayoutSizes.h"
#include "TensorAccess/Core/TextScanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

namespace {
struct XlaTypeRow {
  StringRef name;
  unsigned bits;
};
} // namespace

static const XlaTypeRow elementTypes[] = {
    {"pred", 8},
    {"s1", 1},
    {"s2", 2},
    {"s4", 4},
    {"s8", 8},
    {"s16", 16},
    {"s32", 32},
    {"s64", 64},
    {"u1", 1},
    {"u2", 2},
    {"u4", 4},
    {"u8", 8},
    {"u16", 16},
    {"u32", 32},
    {"u64", 64},
    {"f4e2m1fn", 4},
    {"f8e3m4", 8},
    {"f8e4m3", 8},
    {"f8e4m3b11fnuz", 8},
    {"f8e4m3fn", 8},
    {"f8e4m3fnuz", 8},
    {"f8e5m2", 8},
    {"f8e5m2fnuz", 8},
    {"f8e8m0fnu", 8},
    {"f16", 16},
    {"bf16", 16},
    {"f32", 32},
    {"f64", 64},
    {"c64", 64},
    {"c128", 128},
};

std::optional<XlaType> XlaType::lookup(StringRef name) {
  for (auto [index, row] : llvm::enumerate(elementTypes))
    if (row.name.equals_insensitive(name))
      return XlaType(index);
  return std::nullopt;
}

StringRef XlaType::getName() const { return elementTypes[index].name; }
unsigned XlaType::getBits() const { return elementTypes[index].bits; }
unsigned XlaType::getValueBits() const {
  return getName() == "pred" ? 1 : getBits();
}
bool XlaType::isUnsignedInteger() const { return getName().front() == 'u'; }

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

namespace {
/// A part of a layout's text that a message can be about.
enum class Part {
  Order,
  Tile,
  Tail,
  Bits,
  Space,
  Levels,
  Index,
  Pointer,
  Shape
};

struct Fault {
  std::string message;
  Part part;
  /// The entry of a list that is wrong: of a tile, its tile and its entry.
  size_t first = 0, second = 0;
};
} // namespace

static std::optional<Fault> findOrderFault(const Layout &layout) {
  int64_t rank = layout.getRank();
  llvm::SmallBitVector seen(rank);
  for (auto [i, dim] : llvm::enumerate(layout.minorToMajor)) {
    std::string entry = "minor_to_major entry " + std::to_string(i);
    if (dim < 0 || dim >= rank)
      return Fault{entry + " must lie in [0, " + std::to_string(rank - 1) +
                       "], got " + std::to_string(dim),
                   Part::Order, i};
    if (seen[dim])
      return Fault{entry + " repeats dimension " + std::to_string(dim),
                   Part::Order, i};
    seen.set(dim);
  }
  return std::nullopt;
}

static std::optional<Fault> findTileFault(const Layout &layout) {
  for (auto [i, tile] : llvm::enumerate(layout.tiles)) {
    std::string name = "tile " + std::to_string(i);
    if (tile.empty())
      return Fault{name + " must have at least one entry", Part::Tile, i};
    for (auto [j, entry] : llvm::enumerate(tile))
      if (!entry.isCombine() && entry.getSize() < 1)
        return Fault{name + " entry " + std::to_string(j) +
                         " must be positive, got " +
                         std::to_string(entry.getSize()),
                     Part::Tile, i, j};
    if (tile.back().isCombine())
      return Fault{name + " must not end in '*'", Part::Tile, i,
                   tile.size() - 1};
  }
  return std::nullopt;
}

static std::optional<Fault> findShapeFault(const Layout &layout) {
  if (layout.shape.has_value() != layout.elementType.has_value())
    return Fault{"a shape needs an element type, and the reverse", Part::Shape};
  if (!layout.shape)
    return std::nullopt;
  for (auto [i, size] : llvm::enumerate(*layout.shape))
    if (size < 0 && !Layout::isDynamic(size))
      return Fault{"dimension " + std::to_string(i) +
                       " must be non-negative, got " + std::to_string(size),
                   Part::Shape, i};
  int64_t rank = layout.shape->size();
  if (rank != layout.getRank())
    return Fault{"minor_to_major must have one entry per dimension, " +
                     std::to_string(rank) + ", got " +
                     std::to_string(layout.getRank()),
                 Part::Order};
  int64_t valueBits = layout.elementType->getValueBits();
  if (layout.elementBits && *layout.elementBits < valueBits)
    return Fault{"element bits E must be at least " +
                     std::to_string(valueBits) + " for " +
                     layout.elementType->getName().str() + ", got " +
                     std::to_string(*layout.elementBits),
                 Part::Bits};
  if (std::optional<std::string> problem = verifySize(layout))
    return Fault{*problem, Part::Shape};
  return std::nullopt;
}

static std::optional<Fault> findFault(const Layout &layout) {
  if (std::optional<Fault> fault = findOrderFault(layout))
    return fault;
  if (std::optional<Fault> fault = findTileFault(layout))
    return fault;
  if (layout.tailAlignment < 1)
    return Fault{"tail alignment L must be positive, got " +
                     std::to_string(layout.tailAlignment),
                 Part::Tail};
  if (layout.elementBits && *layout.elementBits < 1)
    return Fault{"element bits E must be positive, got " +
                     std::to_string(*layout.elementBits),
                 Part::Bits};
  if (layout.memorySpace < 0)
    return Fault{"memory space S must be non-negative, got " +
                     std::to_string(layout.memorySpace),
                 Part::Space};
  if (!layout.dimLevels.empty() &&
      static_cast<int64_t>(layout.dimLevels.size()) != layout.getRank())
    return Fault{"D must have one entry per dimension, " +
                     std::to_string(layout.getRank()) + ", got " +
                     std::to_string(layout.dimLevels.size()),
                 Part::Levels};
  for (const DimLevel &level : layout.dimLevels)
    if (!StringRef("DCSH").contains(level.kind))
      return Fault{std::string("D entries must be D, C, S or H, got '") +
                       level.kind + "'",
                   Part::Levels};
  for (const DimLevel &level : layout.dimLevels)
    if (level.kind == 'D' && !(level == DimLevel()))
      return Fault{"a dense dimension D is unique and ordered: it has no '+' "
                   "and no '~'",
                   Part::Levels};
  for (auto [type, part, name] :
       {std::tuple(layout.indexType, Part::Index, "index"),
        std::tuple(layout.pointerType, Part::Pointer, "pointer")})
    if (type && !type->isUnsignedInteger())
      return Fault{std::string(name) + " type must be an unsigned integer, " +
                       "got " + type->getName().str(),
                   part};
  return findShapeFault(layout);
}

std::optional<std::string> Layout::verify() const {
  if (std::optional<Fault> fault = findFault(*this))
    return fault->message;
  return std::nullopt;
}

/// Why the attribute form refuses a property.
static std::string stringFormOnly(const Twine &property) {
  return (property + " is read only in the string form of a layout").str();
}

std::optional<std::string> Layout::verifyAttributeForm() const {
  if (!dimLevels.empty())
    return stringFormOnly("D");
  if (indexType)
    return stringFormOnly("#");
  if (pointerType)
    return stringFormOnly("*");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class LayoutReader {
public:
  LayoutReader(StringRef text, ParseError &error, LayoutForm form)
      : scan(text, error), form(form) {}

  std::optional<Layout> read();

private:
  bool readShape();
  bool readBraces();
  bool readProperty();
  bool readTiles();
  bool readDimLevel();
  bool readNumber(StringRef what, int64_t &value, Part part);
  bool readType(StringRef what, std::optional<XlaType> &type, Part part);
  size_t locate(const Fault &fault) const;

  TextScanner scan;
  LayoutForm form;
  Layout layout;
  // Where the braces, the parts and the entries of lists begin.
  size_t begin = 0;
  llvm::DenseMap<Part, llvm::SmallVector<size_t>> places;
  llvm::SmallVector<llvm::SmallVector<size_t>> tiles;
  llvm::SmallString<8> seen; // the properties read so far
};
} // namespace

bool LayoutReader::readNumber(StringRef what, int64_t &value, Part part) {
  if (!scan.expect('(', ("'(' after " + what).str()))
    return false;
  places[part] = {scan.position()};
  return scan.parseInteger(value, "an integer") &&
         scan.expect(')', ("')' after the number of " + what).str());
}

bool LayoutReader::readType(StringRef what, std::optional<XlaType> &type,
                            Part part) {
  if (!scan.expect('(', ("'(' after " + what).str()))
    return false;
  places[part] = {scan.position()};
  StringRef name = scan.peekWord();
  type = XlaType::lookup(name);
  if (!type)
    return scan.failExpecting("an element type");
  scan.skip(name.size());
  return scan.expect(')', ("')' after the type of " + what).str());
}

bool LayoutReader::readTiles() {
  if (scan.peek() != '(')
    return scan.failExpecting("'(' after T");
  while (scan.peek() == '(') {
    Tile tile;
    llvm::SmallVector<size_t> entries;
    size_t opening = scan.position();
    bool isRead = scan.parseList('(', ')', "a tile", [&] {
      entries.push_back(scan.position());
      if (scan.consumeIf('*')) {
        tile.push_back(TileEntry::combine());
        return true;
      }
      int64_t size;
      if (!scan.parseInteger(size, "a tile size or '*'"))
        return false;
      tile.push_back(size);
      return true;
    });
    if (!isRead)
      return false;
    if (entries.empty())
      entries.push_back(opening);
    layout.tiles.push_back(std::move(tile));
    tiles.push_back(std::move(entries));
  }
  return true;
}

bool LayoutReader::readDimLevel() {
  // Only the letter: `C+~` is three tokens.
  DimLevel level;
  level.kind = scan.peek();
  if (level.kind == '\0' || !StringRef("DCSH").contains(level.kind))
    return scan.failExpecting("D, C, S or H");
  scan.skip(1);
  level.isUnique = !scan.consumeIf('+');
  level.isOrdered = !scan.consumeIf('~');
  layout.dimLevels.push_back(level);
  return true;
}

bool LayoutReader::readProperty() {
  size_t where = scan.position();
  std::string name = scan.peekWord().str();
  if (name.empty() && (scan.peek() == '#' || scan.peek() == '*'))
    name = scan.peek();

  for (auto [refused, meaning] : {std::pair("SC", "split configurations"),
                                  std::pair("P", "a physical shape"),
                                  std::pair("M", "a metadata prefix")})
    if (name == refused)
      return scan.fail(where, Twine(refused) + " (" + meaning +
                                  ") is not supported in layouts");
  if (name.size() != 1 || !StringRef("TLESD#*").contains(name))
    return scan.failExpecting(form == LayoutForm::String
                                  ? "a property T, L, E, S, D, # or *"
                                  : "a property T, L, E or S");
  if (form == LayoutForm::Attribute && StringRef("D#*").contains(name))
    return scan.fail(where, stringFormOnly(name));
  if (StringRef(seen).contains(name))
    return scan.fail(where, "property " + name + " is given twice");
  seen += name;
  scan.skip(1);

  int64_t value;
  switch (name[0]) {
  case 'T':
    return readTiles();
  case 'L':
    return readNumber(name, layout.tailAlignment, Part::Tail);
  case 'E':
    if (!readNumber(name, value, Part::Bits))
      return false;
    layout.elementBits = value;
    return true;
  case 'S':
    return readNumber(name, layout.memorySpace, Part::Space);
  case 'D':
    places[Part::Levels] = {where};
    return scan.parseList('(', ')', "the list of D",
                          [&] { return readDimLevel(); });
  case '#':
    return readType(name, layout.indexType, Part::Index);
  default:
    return readType(name, layout.pointerType, Part::Pointer);
  }
}

bool LayoutReader::readShape() {
  StringRef name = scan.peekWord();
  layout.elementType = XlaType::lookup(name);
  if (!layout.elementType)
    return scan.failExpecting("an element type or '{'");
  scan.skip(name.size());
  layout.shape.emplace();
  return scan.parseList('[', ']', "a shape", [&] {
    size_t where = scan.position();
    places[Part::Shape].push_back(where);
    if (scan.consumeIf('?')) {
      layout.shape->push_back(Layout::kDynamic);
      return true;
    }
    int64_t size;
    if (!scan.parseInteger(size, "a dimension size"))
      return false;
    if (Layout::isDynamic(size))
      return scan.fail(where, "dimension " + Twine(layout.shape->size()) +
                                  " must be non-negative, got " + Twine(size));
    layout.shape->push_back(size);
    return true;
  });
}

bool LayoutReader::readBraces() {
  begin = scan.position();
  if (!scan.expect('{', "'{' to begin a layout"))
    return false;
  if (scan.peek() != '}' && scan.peek() != ':') {
    do {
      places[Part::Order].push_back(scan.position());
      int64_t dim;
      if (!scan.parseInteger(dim, "a dimension number"))
        return false;
      layout.minorToMajor.push_back(dim);
    } while (scan.consumeIf(','));
  }
  if (scan.consumeIf(':')) {
    do {
      if (!readProperty())
        return false;
    } while (scan.peek() != '}' && !scan.atEnd());
    return scan.expect('}', "a property or '}'");
  }
  return scan.expect('}', "',', ':' or '}' after a dimension number");
}

size_t LayoutReader::locate(const Fault &fault) const {
  if (fault.part == Part::Tile)
    return tiles[fault.first][fault.second];
  llvm::SmallVector<size_t> entries = places.lookup(fault.part);
  return fault.first < entries.size() ? entries[fault.first] : begin;
}

std::optional<Layout> LayoutReader::read() {
  bool isDefault = false;
  if (form == LayoutForm::String && scan.peek() != '{') {
    if (!readShape())
      return std::nullopt;
    isDefault = scan.atEnd();
    if (isDefault)
      layout.minorToMajor = Layout::rowMajor(layout.shape->size()).minorToMajor;
  }
  if (!isDefault && !readBraces())
    return std::nullopt;
  if (!scan.atEnd()) {
    scan.failExpecting("the end of the layout");
    return std::nullopt;
  }
  if (std::optional<Fault> fault = findFault(layout)) {
    scan.fail(locate(*fault), fault->message);
    return std::nullopt;
  }
  return std::move(layout);
}

std::optional<Layout> Layout::parse(StringRef text, ParseError &error,
                                    LayoutForm form) {
  return LayoutReader(text, error, form).read();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string Layout::layoutStr() const {
  std::string properties;
  llvm::raw_string_ostream os(properties);
  if (!dimLevels.empty()) {
    os << "D(";
    llvm::interleave(
        dimLevels, os,
        [&](const DimLevel &level) {
          os << level.kind << (level.isUnique ? "" : "+")
             << (level.isOrdered ? "" : "~");
        },
        ",");
    os << ')';
  }
  if (!tiles.empty())
    os << 'T';
  for (const Tile &tile : tiles) {
    os << '(';
    llvm::interleave(
        tile, os,
        [&](const TileEntry &entry) {
          if (entry.isCombine())
            os << '*';
          else
            os << entry.getSize();
        },
        ",");
    os << ')';
  }
  if (tailAlignment != 1)
    os << "L(" << tailAlignment << ')';
  if (indexType)
    os << "#(" << indexType->getName() << ')';
  if (pointerType)
    os << "*(" << pointerType->getName() << ')';
  if (elementBits)
    os << "E(" << *elementBits << ')';
  if (memorySpace != 0)
    os << "S(" << memorySpace << ')';

  std::string text = "{";
  llvm::raw_string_ostream all(text);
  llvm::interleave(minorToMajor, all, ",");
  if (!properties.empty())
    all << ':' << properties;
  all << '}';
  return text;
}

std::string Layout::str() const {
  std::string text = layoutStr();
  if (!shape || !elementType)
    return text;
  std::string prefix = elementType->getName().str() + "[";
  llvm::raw_string_ostream os(prefix);
  llvm::interleave(
      *shape, os,
      [&](int64_t size) {
        if (isDynamic(size))
          os << '?';
        else
          os << size;
      },
      ",");
  os << ']';
  // XLA leaves the braces of a scalar out.
  return text == "{}" ? prefix : prefix + text;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Layout Layout::rowMajor(int64_t rank) {
  Layout layout;
  for (int64_t dim = rank; dim-- > 0;)
    layout.minorToMajor.push_back(dim);
  return layout;
}

Layout Layout::withShape(ArrayRef<int64_t> newShape, XlaType type) const {
  Layout layout = *this;
  layout.shape.emplace(newShape.begin(), newShape.end());
  layout.elementType = type;
  return layout;
}

bool Layout::hasStaticShape() const {
  return shape && llvm::none_of(*shape, isDynamic);
}

Layout Layout::withoutShape() const {
  Layout layout = *this;
  layout.shape.reset();
  layout.elementType.reset();
  return layout;
}

bool Layout::operator==(const Layout &o) const {
  return minorToMajor == o.minorToMajor && tiles == o.tiles &&
         tailAlignment == o.tailAlignment && elementBits == o.elementBits &&
         memorySpace == o.memorySpace && dimLevels == o.dimLevels &&
         indexType == o.indexType && pointerType == o.pointerType &&
         shape == o.shape && elementType == o.elementType;
}

llvm::hash_code mlir::tensoraccess::hash_value(const Layout &layout) {
  llvm::hash_code hash = llvm::hash_combine(
      llvm::hash_combine_range(layout.minorToMajor), layout.tailAlignment,
      layout.elementBits.value_or(0), layout.memorySpace,
      llvm::hash_combine_range(layout.dimLevels),
      layout.indexType ? hash_value(*layout.indexType) : llvm::hash_code(0),
      layout.pointerType ? hash_value(*layout.pointerType)
                         : llvm::hash_code(0));
  for (const Tile &tile : layout.tiles)
    hash =
        llvm::hash_combine(hash, tile.size(), llvm::hash_combine_range(tile));
  if (layout.shape)
    hash = llvm::hash_combine(hash, llvm::hash_combine_range(*layout.shape));
  if (layout.elementType)
    hash = llvm::hash_combine(hash, *layout.elementType);
  return hash;
}
