//===- StridedLayout.cpp - Nested shapes and strides ----------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/StridedLayout.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/TextScanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tensoraccess;

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

std::optional<std::string> Swizzle::verify() const {
  auto say = [&](const llvm::Twine &text) {
    return (llvm::Twine(str()) + ": " + text).str();
  };
  if (bits < 0 || base < 0)
    return say("bits and their place must not be negative");
  if (shift < -62 || shift > 62 || bits > 62 || base > 62 ||
      bits + base + std::abs(shift) > 62)
    return say("a bit beyond the 62nd");
  if (std::abs(shift) < bits)
    return say("the bits that are exchanged must not overlap");
  return std::nullopt;
}

int64_t Swizzle::apply(int64_t number) const {
  const int64_t mask = ((int64_t(1) << bits) - 1) << base;
  return number ^
         (shift >= 0 ? number >> shift & mask : (number & mask) << -shift);
}

std::string Swizzle::str() const {
  return ("Sw<" + llvm::Twine(bits) + "," + llvm::Twine(base) + "," +
          llvm::Twine(shift) + ">")
      .str();
}

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

int64_t StridedMode::getSize() const {
  int64_t product = isList ? 1 : size;
  for (const StridedMode &mode : modes)
    product *= mode.getSize();
  return product;
}

bool StridedMode::operator==(const StridedMode &o) const {
  return isList == o.isList && modes == o.modes &&
         (isList || (size == o.size && stride == o.stride));
}

static void collectLeaves(const StridedMode &mode,
                          llvm::SmallVectorImpl<StridedMode> &leaves) {
  if (!mode.isList)
    leaves.push_back(mode);
  for (const StridedMode &inner : mode.modes)
    collectLeaves(inner, leaves);
}

llvm::SmallVector<StridedMode> StridedLayout::getLeaves() const {
  llvm::SmallVector<StridedMode> leaves;
  collectLeaves(root, leaves);
  return leaves;
}

StridedLayout StridedLayout::getMode(unsigned i) const {
  if (!root.isList)
    return *this;
  StridedLayout mode = *this;
  mode.root = root.modes[i];
  return mode;
}

bool StridedLayout::operator==(const StridedLayout &o) const {
  if (!(root == o.root) || !(swizzle == o.swizzle) || !(map == o.map))
    return false;
  return !map ||
         llvm::all_of(llvm::zip_equal(getLeaves(), o.getLeaves()),
                      [](const auto &pair) {
                        return std::get<0>(pair).dim == std::get<1>(pair).dim;
                      });
}

llvm::hash_code mlir::tensoraccess::hash_value(const StridedLayout &layout) {
  return llvm::hash_value(layout.str());
}

std::optional<StridedLayout>
StridedLayout::list(llvm::ArrayRef<StridedLayout> layouts, std::string &error) {
  StridedLayout all;
  all.root.isList = true;
  unsigned numLeaves = 0;
  const bool hasStrides =
      llvm::all_of(layouts, [](const auto &each) { return each.hasStrides(); });
  for (const StridedLayout &layout : layouts) {
    all.root.modes.push_back(layout.root);
    if (!layout.hasStrides())
      all.whyNoStrides = layout.swizzle ? layout.swizzle->str() + " has none"
                                        : layout.whyNoStrides;
  }
  if (!hasStrides) {
    // Leaves in order, and the sum of all.
    llvm::SmallVector<int64_t> sizes;
    for (const StridedMode &leaf : all.getLeaves())
      sizes.push_back(leaf.size);
    std::function<void(StridedMode &)> number = [&](StridedMode &mode) {
      if (!mode.isList)
        mode.dim = numLeaves++;
      for (StridedMode &inner : mode.modes)
        number(inner);
    };
    number(all.root);
    IndexingMapBuilder parts;
    llvm::SmallVector<Form> dims = parts.addDims(sizes);
    llvm::ArrayRef<Form> rest = dims;
    IndexingMapBuilder sum;
    Form total = 0;
    for (const StridedLayout &layout : layouts) {
      const size_t count = layout.getLeaves().size();
      parts.addMap(layout.getMap(), rest.take_front(count));
      rest = rest.drop_front(count);
      Form part = sum.addDim(Interval::all());
      total = sum.arena().add(total, part);
    }
    sum.addResult(total);
    all.map = parts.build().then(sum.build()).simplify();
  }
  if (std::optional<std::string> wrong = all.verify()) {
    error = *wrong;
    return std::nullopt;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `4` or `(4,(2,2))`.
static bool parseTree(TextScanner &scanner, bool isStride, StridedMode &mode) {
  constexpr size_t kMaxDepth = 64;
  std::function<bool(StridedMode &, size_t)> parse = [&](StridedMode &mode,
                                                         size_t depth) {
    const size_t where = scanner.position();
    if (depth > kMaxDepth)
      return scanner.fail(where, "lists in more than 64 lists");
    if (scanner.peek() == '(') {
      mode.isList = true;
      return scanner.parseList('(', ')', isStride ? "strides" : "sizes", [&] {
        return parse(mode.modes.emplace_back(), depth + 1);
      });
    }
    int64_t &value = isStride ? mode.stride : mode.size;
    if (!scanner.parseInteger(value,
                              isStride ? "a stride or '('" : "a size or '('"))
      return false;
    if (!isStride && value < 1)
      return scanner.fail(where,
                          "sizes must be positive, got " + llvm::Twine(value));
    return true;
  };
  return parse(mode, 0);
}

/// Takes over strides of the same nesting.
static bool join(StridedMode &sizes, const StridedMode &strides) {
  if (sizes.isList != strides.isList ||
      sizes.modes.size() != strides.modes.size())
    return false;
  sizes.stride = strides.stride;
  for (auto [size, stride] : llvm::zip_equal(sizes.modes, strides.modes))
    if (!join(size, stride))
      return false;
  return true;
}

std::optional<StridedLayout> StridedLayout::parse(llvm::StringRef text,
                                                  ParseError &error) {
  TextScanner scanner(text, error);
  StridedLayout layout;
  if (scanner.peekWord() == "Sw") {
    scanner.skip(2);
    Swizzle swizzle;
    const size_t where = scanner.position();
    if (!scanner.expect('<', "'<' after Sw") ||
        !scanner.parseInteger(swizzle.bits, "a number of bits") ||
        !scanner.expect(',', "','") ||
        !scanner.parseInteger(swizzle.base, "a bit") ||
        !scanner.expect(',', "','") ||
        !scanner.parseInteger(swizzle.shift, "a distance of bits") ||
        !scanner.expect('>', "'>'"))
      return std::nullopt;
    if (std::optional<std::string> wrong = swizzle.verify()) {
      scanner.fail(where, *wrong);
      return std::nullopt;
    }
    if (scanner.peekWord() != "o") {
      scanner.failExpecting("'o' and a layout");
      return std::nullopt;
    }
    scanner.skip(1);
    layout.swizzle = swizzle;
  }
  StridedMode strides;
  const size_t begin = scanner.position();
  if (!parseTree(scanner, /*isStride=*/false, layout.root) ||
      !scanner.expect(':', "':' between sizes and strides"))
    return std::nullopt;
  const size_t where = scanner.position();
  if (!parseTree(scanner, /*isStride=*/true, strides))
    return std::nullopt;
  if (!scanner.atEnd()) {
    scanner.failExpecting("end of text");
    return std::nullopt;
  }
  if (!join(layout.root, strides)) {
    scanner.fail(where, "strides must be nested as sizes are");
    return std::nullopt;
  }
  if (std::optional<std::string> wrong = layout.verify()) {
    scanner.fail(begin, *wrong);
    return std::nullopt;
  }
  return layout;
}

static void printTree(llvm::raw_ostream &os, const StridedMode &mode,
                      bool isStride) {
  if (!mode.isList) {
    os << (isStride ? mode.stride : mode.size);
    return;
  }
  os << '(';
  llvm::interleave(
      mode.modes, os,
      [&](const StridedMode &inner) { printTree(os, inner, isStride); }, ",");
  os << ')';
}

std::string StridedLayout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (swizzle)
    os << swizzle->str() << " o ";
  printTree(os, root, /*isStride=*/false);
  os << ':';
  if (map)
    os << map->str();
  else
    printTree(os, root, /*isStride=*/true);
  return text;
}

std::optional<std::string> StridedLayout::verify() const {
  if (swizzle)
    if (std::optional<std::string> wrong = swizzle->verify())
      return wrong;
  std::function<bool(const StridedMode &)> isEmpty =
      [&](const StridedMode &mode) {
        return mode.isList &&
               (mode.modes.empty() || llvm::any_of(mode.modes, isEmpty));
      };
  if (isEmpty(root))
    return std::string("a list must have modes");
  std::optional<int64_t> size = 1, low = 0, high = 0;
  for (const StridedMode &leaf : getLeaves()) {
    if (leaf.size < 1)
      return "sizes must be positive, got " + std::to_string(leaf.size);
    size = checkedMul(size, leaf.size);
    std::optional<int64_t> far = checkedMul(leaf.size - 1, leaf.stride);
    if (leaf.size == 1)
      far = 0;
    std::optional<int64_t> &end = leaf.stride < 0 ? low : high;
    end = checkedAdd(end, far);
    if (!size)
      return "the product of its sizes does not fit in 64 bits";
    if (!end)
      return "its numbers do not fit in 64 bits: size " +
             std::to_string(leaf.size) + " with stride " +
             std::to_string(leaf.stride);
  }
  if (!checkedAdd(checkedSub(high, low), 1))
    return std::string("its numbers do not fit in 64 bits");
  if (map && (map->isUnknown() || map->getNumResults() != 1))
    return std::string("it is not a map to one number");
  constexpr int64_t kSwizzled = int64_t(1) << 62;
  if (swizzle && (*low < 0 || *high >= kSwizzled))
    return "its numbers, which are swizzled, must lie in [0, 2^62), got [" +
           std::to_string(*low) + ", " + std::to_string(*high) + "]";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Interval StridedLayout::getRange() const {
  Interval range = Interval::point(0);
  if (map)
    range = map->getResultRange(0);
  else
    for (const StridedMode &leaf : getLeaves())
      range = range + Interval(0, leaf.size - 1).scaled(leaf.stride);
  if (!swizzle || !range.isFinite())
    return range;
  // Bits that are exchanged may be set where the others end.
  int64_t bits = llvm::Log2_64_Ceil(static_cast<uint64_t>(range.upper) + 1);
  if (swizzle->shift < 0)
    bits = std::max(bits, swizzle->base + swizzle->bits - swizzle->shift);
  return {0, (int64_t(1) << bits) - 1};
}

std::optional<int64_t> StridedLayout::getCosize() const {
  Interval range = getRange();
  return range.isFinite() ? checkedAdd(checkedSub(range.upper, range.lower), 1)
                          : std::nullopt;
}

std::optional<int64_t>
StridedLayout::evaluateLeaves(llvm::ArrayRef<int64_t> point) const {
  std::optional<int64_t> number = 0;
  llvm::SmallVector<StridedMode> leaves = getLeaves();
  if (map) {
    llvm::SmallVector<int64_t> dims(map->getNumDims(), 0);
    for (auto [leaf, x] : llvm::zip_equal(leaves, point))
      dims[leaf.dim] = x;
    auto results = map->evaluate(dims);
    number = results ? std::optional((*results)[0]) : std::nullopt;
  } else {
    for (auto [leaf, x] : llvm::zip_equal(leaves, point))
      number = checkedAdd(number, checkedMul(x, leaf.stride));
  }
  if (number && swizzle)
    return *number < 0 ? std::nullopt : std::optional(swizzle->apply(*number));
  return number;
}

llvm::SmallVector<int64_t> StridedLayout::getPoint(int64_t number) const {
  llvm::SmallVector<int64_t> point;
  llvm::SmallVector<StridedMode> leaves = getLeaves();
  for (auto [i, leaf] : llvm::enumerate(leaves)) {
    const bool isLast = i + 1 == leaves.size();
    point.push_back(isLast ? number : number % leaf.size);
    number /= leaf.size;
  }
  return point;
}

std::optional<int64_t> StridedLayout::evaluate(int64_t number) const {
  return number < 0 ? std::nullopt : evaluateLeaves(getPoint(number));
}

Form mlir::tensoraccess::addSwizzle(FormArena &arena, const Form &n,
                                    const Swizzle &swizzle) {
  Form sum = n;
  for (int64_t i = 0; i < swizzle.bits; ++i) {
    const int64_t place =
                      swizzle.base + i - std::min<int64_t>(0, swizzle.shift),
                  from = place + swizzle.shift;
    auto shifted = [&](int64_t bit) {
      return arena.floorDiv(n, int64_t(1) << bit);
    };
    Form both = arena.mod(arena.add(shifted(place), shifted(from)), 2);
    Form change = arena.sub(both, arena.mod(shifted(place), 2));
    arena.accumulate(sum, change, int64_t(1) << place);
  }
  return sum;
}

IndexingMap StridedLayout::getMap() const {
  llvm::SmallVector<StridedMode> leaves = getLeaves();
  IndexingMapBuilder builder;
  llvm::SmallVector<Form> dims;
  for (const StridedMode &leaf : leaves)
    dims.push_back(builder.addDim(Interval::ofExtent(leaf.size)));
  if (map) {
    llvm::SmallVector<Form> images(map->getNumDims());
    for (auto [leaf, dim] : llvm::zip_equal(leaves, dims))
      images[leaf.dim] = dim;
    builder.addMap(*map, images);
    IndexingMap plain = builder.build();
    if (!swizzle)
      return plain;
    IndexingMapBuilder after;
    Form number = after.addDim(plain.getResultRange(0));
    after.addResult(addSwizzle(after.arena(), number, *swizzle));
    return plain.then(after.build()).simplify();
  }
  FormArena &arena = builder.arena();
  Form sum = 0;
  for (auto [leaf, dim] : llvm::zip_equal(leaves, dims))
    arena.accumulate(sum, dim, leaf.stride);
  if (swizzle)
    sum = addSwizzle(arena, sum, *swizzle);
  builder.addResult(sum);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Tiled layouts
//===----------------------------------------------------------------------===//

std::optional<StridedLayout> StridedLayout::fromLayout(const Layout &layout,
                                                       std::string &error) {
  if (!layout.hasStaticShape()) {
    error = "the layout has no static shape";
    return std::nullopt;
  }
  auto digits = getDimDigits(layout);
  if (!digits) {
    error = "a tile cuts through dimensions that '*' has merged";
    return std::nullopt;
  }
  StridedLayout strided;
  strided.root.isList = true;
  for (auto [dim, list] : llvm::enumerate(*digits)) {
    StridedMode mode;
    mode.isList = true;
    int64_t size = 1;
    for (const DimDigit &digit : list) {
      mode.modes.push_back({digit.count, digit.stride, false, {}, 0});
      size *= digit.count;
    }
    const int64_t wanted = (*layout.shape)[dim];
    if (size != wanted) {
      error = "dimension " + std::to_string(dim) + " of size " +
              std::to_string(wanted) + " is padded";
      return std::nullopt;
    }
    if (mode.modes.size() == 1)
      mode = StridedMode(mode.modes.front());
    else if (mode.modes.empty())
      mode = {1, 0, false, {}, 0};
    strided.root.modes.push_back(std::move(mode));
  }
  return strided;
}
