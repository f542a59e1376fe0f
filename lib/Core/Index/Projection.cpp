//===- Projection.cpp - Text, rules and regions of projections ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As for layouts (Layout.cpp), a syntactic reader notes where each part begins,
// and the rules are checked on the members alone.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Projection.h"
#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/TextScanner.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Pad values and policies
//===----------------------------------------------------------------------===//

std::string PadValue::str() const {
  if (!isFloat())
    return std::to_string(getInteger());
  double number = getFloat();
  if (std::isnan(number))
    return "nan";
  if (std::isinf(number))
    return number < 0 ? "-inf" : "inf";
  // The fewest digits that read back as the same number.
  std::string text;
  for (unsigned digits = 1; digits <= 17; ++digits) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, number);
    double back;
    if (!StringRef(text).getAsDouble(back) && back == number)
      break;
  }
  // A float is told by its point, as everywhere in MLIR.
  if (text.find('.') == std::string::npos)
    text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

/// Every NaN is the NaN that the text `nan` means.
static uint64_t bitsOf(double number) {
  if (std::isnan(number))
    number = std::numeric_limits<double>::quiet_NaN();
  return llvm::bit_cast<uint64_t>(number);
}

bool PadValue::operator==(const PadValue &o) const {
  if (isFloat() != o.isFloat())
    return false;
  return isFloat() ? bitsOf(getFloat()) == bitsOf(o.getFloat())
                   : getInteger() == o.getInteger();
}

namespace mlir::tensoraccess {
llvm::hash_code hash_value(const PadValue &pad) {
  return llvm::hash_combine(
      pad.isFloat(), pad.isFloat() ? bitsOf(pad.getFloat()) : pad.getInteger());
}
} // namespace mlir::tensoraccess

static StringRef policyName(OutOfBounds::Kind kind) {
  switch (kind) {
  case OutOfBounds::Kind::Forbid:
    return "forbid";
  case OutOfBounds::Kind::Wrap:
    return "wrap";
  case OutOfBounds::Kind::Negative:
    return "negative";
  case OutOfBounds::Kind::Clamp:
    return "clamp";
  case OutOfBounds::Kind::Pad:
    return "pad";
  }
  llvm_unreachable("an unknown out-of-bounds policy");
}

std::string OutOfBounds::str() const {
  std::string text = policyName(kind).str();
  if (value)
    text += "(" + value->str() + ")";
  return text;
}

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

namespace {
enum class Part { Matrix, Offset, Anchor, Shape, Policies };

struct Fault {
  std::string message;
  Part part;
  /// The entry of the part's list that is wrong; none means all of it.
  std::optional<size_t> entry;
};
} // namespace

/// The first policy that has a value without being pad, or the reverse.
static std::optional<size_t> findWrongPolicy(ArrayRef<OutOfBounds> policies) {
  for (auto [i, policy] : llvm::enumerate(policies))
    if (policy.value.has_value() != (policy.kind == OutOfBounds::Kind::Pad))
      return i;
  return std::nullopt;
}

static std::string describeWrongPolicy(ArrayRef<OutOfBounds> policies,
                                       size_t i) {
  return "oob entry " + std::to_string(i) +
         " must have a value where and only where it is pad, got " +
         policies[i].str();
}

static std::optional<Fault> findFault(const Projection &projection) {
  size_t rows = projection.getNumRows(), columns = projection.getNumColumns();
  for (auto [i, row] : llvm::enumerate(projection.matrix))
    if (row.size() != columns)
      return Fault{"matrix row " + std::to_string(i) + " must have " +
                       std::to_string(columns) + " entries as row 0 has, got " +
                       std::to_string(row.size()),
                   Part::Matrix, i};

  auto checkCount = [&](StringRef name, Part part,
                        size_t count) -> std::optional<Fault> {
    if (count == rows)
      return std::nullopt;
    return Fault{name.str() + " must have one entry per matrix row, " +
                     std::to_string(rows) + ", got " + std::to_string(count),
                 part, std::nullopt};
  };
  if (auto fault = checkCount("offset", Part::Offset, projection.offset.size()))
    return fault;
  if (projection.anchor)
    if (auto fault =
            checkCount("anchor", Part::Anchor, projection.anchor->size()))
      return fault;
  if (auto fault = checkCount("shape", Part::Shape, projection.shape.size()))
    return fault;
  for (auto [i, size] : llvm::enumerate(projection.shape))
    if (size < 1)
      return Fault{"shape entry " + std::to_string(i) +
                       " must be positive, got " + std::to_string(size),
                   Part::Shape, i};
  if (projection.outOfBounds.empty())
    return std::nullopt;
  if (auto fault =
          checkCount("oob", Part::Policies, projection.outOfBounds.size()))
    return fault;
  if (auto wrong = findWrongPolicy(projection.outOfBounds))
    return Fault{describeWrongPolicy(projection.outOfBounds, *wrong),
                 Part::Policies, wrong};
  return std::nullopt;
}

std::optional<std::string> OutOfBoundsList::verify() const {
  if (std::optional<size_t> wrong = findWrongPolicy(entries))
    return describeWrongPolicy(entries, *wrong);
  return std::nullopt;
}

std::optional<std::string> Projection::verify() const {
  if (std::optional<Fault> fault = findFault(*this))
    return fault->message;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
class ProjectionReader {
public:
  ProjectionReader(StringRef text, ParseError &error) : scan(text, error) {}
  std::optional<Projection> read();
  /// The same, where `anchors` may be among the properties.
  std::optional<AnchoredProjection> readAnchored();
  std::optional<OutOfBoundsList> readPolicyList();

private:
  using Integers = SmallVector<int64_t, 4>;

  /// Where a list begins and where its entries do.
  struct Places {
    size_t begin = 0;
    SmallVector<size_t> entries;
  };
  Places &at(Part part) { return places[static_cast<size_t>(part)]; }

  bool readIntegers(StringRef what, Integers &values, Places *where);
  bool readMatrix();
  bool readPolicy();
  bool readPadValue(std::optional<PadValue> &value);
  bool readPolicies();
  bool readAnchor();
  bool readProperty();

  TextScanner scan;
  Projection projection;
  SmallVector<NamedAnchor, 0> anchors;
  /// Where each anchor begins.
  SmallVector<size_t> anchorPlaces;
  Places places[5];
  bool hasShape = false, hasPolicies = false;
  bool mayHaveAnchors = false, hasAnchors = false;
};
} // namespace

bool ProjectionReader::readIntegers(StringRef what, Integers &values,
                                    Places *where) {
  if (where)
    where->begin = scan.position();
  return scan.parseList('[', ']', what, [&] {
    if (where)
      where->entries.push_back(scan.position());
    int64_t value;
    if (!scan.parseInteger(value, "an integer"))
      return false;
    values.push_back(value);
    return true;
  });
}

bool ProjectionReader::readMatrix() {
  at(Part::Matrix).begin = scan.position();
  return scan.parseList('[', ']', "the matrix", [&] {
    at(Part::Matrix).entries.push_back(scan.position());
    projection.matrix.emplace_back();
    return readIntegers("a matrix row", projection.matrix.back(), nullptr);
  });
}

bool ProjectionReader::readPadValue(std::optional<PadValue> &value) {
  size_t where = scan.position();
  StringRef text = scan.rest().take_while([](char c) {
    return llvm::isAlnum(c) || c == '.' || c == '-' || c == '+';
  });
  int64_t integer;
  double number;
  if (text == "nan")
    value = std::numeric_limits<double>::quiet_NaN();
  else if (text == "inf" || text == "-inf")
    value = text.front() == '-' ? -std::numeric_limits<double>::infinity()
                                : std::numeric_limits<double>::infinity();
  else if (text == "true" || text == "false")
    value = int64_t(text == "true");
  else if (!text.getAsInteger(10, integer))
    value = integer;
  else {
    // Digits, a point, digits, an exponent: no more than MLIR's own floats.
    StringRef digits = text;
    digits.consume_front("-");
    StringRef whole = digits.take_while(llvm::isDigit);
    if (whole.empty())
      return scan.failExpecting("a number");
    if (whole == digits)
      return scan.fail(where, "integer " + text + " does not fit in 64 bits");
    if (digits.find_first_not_of("0123456789.eE+-") != StringRef::npos ||
        text.getAsDouble(number))
      return scan.fail(where,
                       "'" + text.take_front(24) + "' is not a decimal number");
    if (std::isinf(number))
      return scan.fail(where, "number " + text.take_front(24) +
                                  " does not fit in a double");
    value = number;
  }
  scan.skip(text.size());
  return true;
}

bool ProjectionReader::readPolicy() {
  at(Part::Policies).entries.push_back(scan.position());
  StringRef word = scan.peekWord();
  for (OutOfBounds::Kind kind :
       {OutOfBounds::Kind::Forbid, OutOfBounds::Kind::Wrap,
        OutOfBounds::Kind::Negative, OutOfBounds::Kind::Clamp,
        OutOfBounds::Kind::Pad}) {
    if (word != policyName(kind))
      continue;
    scan.skip(word.size());
    OutOfBounds policy{kind, std::nullopt};
    if (kind == OutOfBounds::Kind::Pad &&
        !(scan.expect('(', "'(' and a value after pad") &&
          readPadValue(policy.value) &&
          scan.expect(')', "')' after the pad value")))
      return false;
    projection.outOfBounds.push_back(policy);
    return true;
  }
  return scan.failExpecting("forbid, wrap, negative, clamp or pad(value)");
}

bool ProjectionReader::readPolicies() {
  at(Part::Policies).begin = scan.position();
  return scan.parseList('[', ']', "the list of oob",
                        [&] { return readPolicy(); });
}

bool ProjectionReader::readProperty() {
  size_t where = scan.position();
  StringRef name = scan.peekWord();
  if (name != "anchor" && name != "shape" && name != "oob" &&
      !(name == "anchors" && mayHaveAnchors))
    return scan.failExpecting(mayHaveAnchors ? "anchor, shape, oob or anchors"
                                             : "anchor, shape or oob");
  if ((name == "anchor" && projection.anchor) ||
      (name == "shape" && hasShape) || (name == "oob" && hasPolicies) ||
      (name == "anchors" && hasAnchors))
    return scan.fail(where, name + " is given twice");
  scan.skip(name.size());
  if (!scan.expect('=', ("'=' after " + name).str()))
    return false;
  if (name == "anchor") {
    projection.anchor.emplace();
    return readIntegers("the anchor", *projection.anchor, &at(Part::Anchor));
  }
  if (name == "shape") {
    hasShape = true;
    return readIntegers("the shape", projection.shape, &at(Part::Shape));
  }
  if (name == "anchors") {
    hasAnchors = true;
    return scan.parseList('{', '}', "the anchors",
                          [&] { return readAnchor(); });
  }
  hasPolicies = true;
  return readPolicies();
}

/// `center = [1, 1]`, `first = [0, 0] fixed`
bool ProjectionReader::readAnchor() {
  anchorPlaces.push_back(scan.position());
  StringRef name = scan.peekWord();
  if (name.empty())
    return scan.failExpecting("an anchor's name");
  scan.skip(name.size());
  NamedAnchor anchor;
  anchor.name = name.str();
  if (!scan.expect('=', ("'=' after " + name).str()) ||
      !readIntegers("the anchor", anchor.place, nullptr))
    return false;
  if (scan.peekWord() == "fixed") {
    scan.skip(5);
    anchor.isMirrored = false;
  }
  anchors.push_back(std::move(anchor));
  return true;
}

std::optional<AnchoredProjection> ProjectionReader::readAnchored() {
  mayHaveAnchors = true;
  std::optional<Projection> plain = read();
  if (!plain)
    return std::nullopt;
  // One after the other, so that an error is at the first one that is wrong.
  AnchoredProjection anchored(std::move(*plain));
  for (auto [anchor, place] : llvm::zip_equal(anchors, anchorPlaces)) {
    anchored.anchors.push_back(std::move(anchor));
    if (std::optional<std::string> fault = anchored.verify()) {
      scan.fail(place, *fault);
      return std::nullopt;
    }
  }
  return anchored;
}

std::optional<OutOfBoundsList> ProjectionReader::readPolicyList() {
  if (!readPolicies())
    return std::nullopt;
  if (!scan.atEnd()) {
    scan.failExpecting("the end of the policies");
    return std::nullopt;
  }
  return OutOfBoundsList{std::move(projection.outOfBounds)};
}

std::optional<Projection> ProjectionReader::read() {
  if (!readMatrix() || !scan.expect('+', "'+' and the offset") ||
      !readIntegers("the offset", projection.offset, &at(Part::Offset)))
    return std::nullopt;
  while (scan.consumeIf(','))
    if (!readProperty())
      return std::nullopt;
  if (!scan.atEnd()) {
    scan.failExpecting("',' or the end of the projection");
    return std::nullopt;
  }
  if (!hasShape) {
    scan.fail(scan.position(), "a projection must have a shape");
    return std::nullopt;
  }
  std::optional<Fault> fault = findFault(projection);
  if (!fault && hasPolicies && projection.outOfBounds.empty() &&
      projection.getNumRows() != 0)
    fault = Fault{"oob must have one entry per matrix row, " +
                      std::to_string(projection.getNumRows()) + ", got 0",
                  Part::Policies, std::nullopt};
  if (fault) {
    const Places &part = at(fault->part);
    scan.fail(fault->entry ? part.entries[*fault->entry] : part.begin,
              fault->message);
    return std::nullopt;
  }
  if (llvm::all_of(projection.outOfBounds, [](const OutOfBounds &policy) {
        return policy.kind == OutOfBounds::Kind::Forbid;
      }))
    projection.outOfBounds.clear();
  return std::move(projection);
}

std::optional<OutOfBoundsList> OutOfBoundsList::parse(StringRef text,
                                                      ParseError &error) {
  return ProjectionReader(text, error).readPolicyList();
}

std::optional<Projection> Projection::parse(StringRef text, ParseError &error) {
  return ProjectionReader(text, error).read();
}

std::optional<AnchoredProjection> AnchoredProjection::parse(StringRef text,
                                                            ParseError &error) {
  return ProjectionReader(text, error).readAnchored();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string OutOfBoundsList::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(entries, os,
                        [&](const OutOfBounds &policy) { os << policy.str(); });
  os << ']';
  return text;
}

std::string Projection::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(matrix, os, [&](ArrayRef<int64_t> row) {
    os << llvm::interleaved_array(row);
  });
  os << "] + ";
  os << llvm::interleaved_array(offset);
  if (anchor) {
    os << ", anchor = ";
    os << llvm::interleaved_array(*anchor);
  }
  os << ", shape = ";
  os << llvm::interleaved_array(shape);
  if (llvm::any_of(outOfBounds, [](const OutOfBounds &policy) {
        return policy.kind != OutOfBounds::Kind::Forbid;
      }))
    os << ", oob = " << OutOfBoundsList{outOfBounds}.str();
  return text;
}

std::string AnchoredProjection::str() const {
  std::string text = projection.str();
  if (anchors.empty())
    return text;
  llvm::raw_string_ostream os(text);
  os << ", anchors = {";
  llvm::interleaveComma(anchors, os, [&](const NamedAnchor &anchor) {
    os << anchor.name << " = ";
    os << llvm::interleaved_array(anchor.place);
    if (!anchor.isMirrored)
      os << " fixed";
  });
  os << '}';
  return text;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

bool IndexRegion::isEmpty() const {
  return llvm::any_of(llvm::zip_equal(lo, hi), [](auto ends) {
    return std::get<0>(ends) >= std::get<1>(ends);
  });
}

std::optional<IndexRegion> Projection::evaluate(ArrayRef<int64_t> index) const {
  IndexRegion point;
  for (int64_t coordinate : index) {
    std::optional<int64_t> end = checkedAdd(coordinate, 1);
    if (!end)
      return std::nullopt;
    point.lo.push_back(coordinate);
    point.hi.push_back(*end);
  }
  return getHull(point);
}

std::optional<IndexRegion> Projection::getHull(const IndexRegion &block) const {
  if (block.lo.size() != getNumColumns() || block.hi.size() != getNumColumns())
    return std::nullopt;
  IndexRegion hull;
  if (block.isEmpty()) {
    hull.lo.assign(getNumRows(), 0);
    hull.hi.assign(getNumRows(), 0);
    return hull;
  }
  for (size_t r = 0; r < getNumRows(); ++r) {
    std::optional<int64_t> lo = offset[r];
    if (anchor)
      lo = checkedAdd(*lo, (*anchor)[r]);
    std::optional<int64_t> hi = lo ? checkedAdd(*lo, shape[r]) : std::nullopt;
    for (auto [factor, first, end] :
         llvm::zip_equal(matrix[r], block.lo, block.hi)) {
      // The block is not empty, so end - 1 ≥ first.
      std::optional<int64_t> a = checkedMul(factor, first);
      std::optional<int64_t> b = checkedMul(factor, end - 1);
      if (!lo || !hi || !a || !b)
        return std::nullopt;
      lo = checkedAdd(*lo, std::min(*a, *b));
      hi = checkedAdd(*hi, std::max(*a, *b));
    }
    if (!lo || !hi)
      return std::nullopt;
    hull.lo.push_back(*lo);
    hull.hi.push_back(*hi);
  }
  return hull;
}

Resolved::Kind mlir::tensoraccess::resolvePlace(OutOfBounds::Kind policy,
                                                int64_t size, int64_t &place) {
  if (place >= 0 && place < size)
    return Resolved::Kind::Element;
  if (policy == OutOfBounds::Kind::Pad)
    return Resolved::Kind::Pad;
  // An empty dimension has no element to wrap or clamp to.
  if (policy == OutOfBounds::Kind::Forbid || size <= 0 ||
      (policy == OutOfBounds::Kind::Negative && (place >= 0 || place < -size)))
    return Resolved::Kind::Forbidden;
  if (policy == OutOfBounds::Kind::Wrap)
    place = floorModPositive(place, size);
  else if (policy == OutOfBounds::Kind::Negative)
    place += size;
  else
    place = std::clamp<int64_t>(place, 0, size - 1);
  return Resolved::Kind::Element;
}

Resolved Projection::resolve(ArrayRef<int64_t> place,
                             ArrayRef<int64_t> sizes) const {
  Resolved result{Resolved::Kind::Element, SmallVector<int64_t>(place), 0};
  for (auto [dim, size] : llvm::enumerate(sizes))
    switch (resolvePlace(getOutOfBounds(dim).kind, size, result.index[dim])) {
    case Resolved::Kind::Element:
      break;
    case Resolved::Kind::Pad:
      if (result.kind == Resolved::Kind::Element)
        result.dimension = dim;
      result.kind = Resolved::Kind::Pad;
      break;
    case Resolved::Kind::Forbidden:
      return {Resolved::Kind::Forbidden, {}, dim};
    }
  if (result.kind == Resolved::Kind::Pad)
    result.index.clear();
  return result;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Projection::operator==(const Projection &o) const {
  return matrix == o.matrix && offset == o.offset && shape == o.shape &&
         anchor == o.anchor && outOfBounds == o.outOfBounds;
}

llvm::hash_code
mlir::tensoraccess::hash_value(const OutOfBoundsList &policies) {
  return llvm::hash_combine_range(policies.entries);
}

llvm::hash_code mlir::tensoraccess::hash_value(const Projection &projection) {
  llvm::hash_code hash = llvm::hash_combine(
      projection.getNumRows(), llvm::hash_combine_range(projection.offset),
      llvm::hash_combine_range(projection.shape),
      llvm::hash_combine_range(projection.outOfBounds));
  for (ArrayRef<int64_t> row : projection.matrix)
    hash = llvm::hash_combine(hash, llvm::hash_combine_range(row));
  if (projection.anchor)
    hash =
        llvm::hash_combine(hash, llvm::hash_combine_range(*projection.anchor));
  return hash;
}

llvm::hash_code
mlir::tensoraccess::hash_value(const AnchoredProjection &anchored) {
  llvm::hash_code hash = hash_value(anchored.projection);
  for (const NamedAnchor &anchor : anchored.anchors)
    hash = llvm::hash_combine(hash, anchor.name,
                              llvm::hash_combine_range(anchor.place),
                              anchor.isMirrored);
  return hash;
}
