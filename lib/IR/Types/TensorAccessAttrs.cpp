//===- TensorAccessAttrs.cpp - Attributes of the dialect ------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How `#tensoraccess.layout<{1,0:T(2,2)}>` is read:
//   1. MLIR's lexer finds the end of the body by its brackets and hands over
//      the text from the keyword to the closing `>`.
//   2. The keyword picks a reader of Core, which sees the body only.
//   3. An error's byte offset in the body is an address in MLIR's own buffer, so
//      the diagnostic points at the very character.
// Bytecode stores the same text.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Checked.h"
#include "TensorAccess/Core/DigitMap.h"
#include "TensorAccess/Core/StridedAlgebra.h"
#include "TensorAccess/Core/Target.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

#include "TensorAccess/IR/TensorAccessEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "TensorAccess/IR/TensorAccessAttrs.cpp.inc"

void TensorAccessDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TensorAccess/IR/TensorAccessAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The value of a body's text, or std::nullopt and an error.
template <typename ValueT>
static std::optional<ValueT> readValue(StringRef body, ParseError &error) {
  return ValueT::parse(body, error);
}
template <>
std::optional<Layout> readValue<Layout>(StringRef body, ParseError &error) {
  return Layout::parse(body, error, LayoutForm::Attribute);
}

/// Reads `<…>` after the keyword. `spec` is a part of MLIR's buffer.
template <typename AttrT, typename ValueT>
static Attribute parseValueAttr(DialectAsmParser &parser, StringRef spec,
                                StringRef keyword, Type type) {
  auto emitErrorAt = [&](const char *where) {
    return parser.emitError(SMLoc::getFromPointer(where));
  };
  StringRef body = spec.drop_front(keyword.size());
  if (!body.consume_front("<") || !body.consume_back(">")) {
    emitErrorAt(keyword.end())
        << "expected '<' and the text of the " << keyword;
    return {};
  }
  if (type) {
    emitErrorAt(spec.begin())
        << keyword << " attribute takes no type, got " << type;
    return {};
  }
  ParseError error;
  std::optional<ValueT> value = readValue<ValueT>(body, error);
  if (!value) {
    emitErrorAt(body.data() + error.offset) << error.message;
    return {};
  }
  return AttrT::getChecked([&] { return emitErrorAt(body.data()); },
                           parser.getContext(), *value);
}

Attribute TensorAccessDialect::parseAttribute(DialectAsmParser &parser,
                                              Type type) const {
  StringRef spec = parser.getFullSymbolSpec().trim();
  StringRef keyword =
      spec.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (keyword == "indexing_map")
    return parseValueAttr<IndexingMapAttr, IndexingMap>(parser, spec, keyword,
                                                        type);
  if (keyword == "layout")
    return parseValueAttr<LayoutAttr, Layout>(parser, spec, keyword, type);
  if (keyword == "strided")
    return parseValueAttr<StridedAttr, StridedLayout>(parser, spec, keyword,
                                                      type);
  if (keyword == "linear")
    return parseValueAttr<LinearAttr, LinearLayout>(parser, spec, keyword,
                                                    type);
  if (keyword == "projection")
    return parseValueAttr<ProjectionAttr, AnchoredProjection>(parser, spec,
                                                              keyword, type);
  if (keyword == "oob")
    return parseValueAttr<OutOfBoundsAttr, OutOfBoundsList>(parser, spec,
                                                            keyword, type);
  if (keyword == "target")
    return parseValueAttr<TargetAttr, Target>(parser, spec, keyword, type);

  StringRef mnemonic;
  Attribute attr;
  OptionalParseResult result =
      generatedAttributeParser(parser, &mnemonic, type, attr);
  if (result.has_value())
    return succeeded(*result) ? attr : Attribute();
  parser.emitError(parser.getNameLoc())
      << "unknown attribute `" << mnemonic << "` in dialect `tensoraccess`";
  return {};
}

void TensorAccessDialect::printAttribute(Attribute attr,
                                         DialectAsmPrinter &printer) const {
  if (auto map = dyn_cast<IndexingMapAttr>(attr)) {
    printer << "indexing_map<" << map.getValue().str() << '>';
    return;
  }
  if (auto layout = dyn_cast<LayoutAttr>(attr)) {
    printer << "layout<" << layout.getValue().str() << '>';
    return;
  }
  if (auto strided = dyn_cast<StridedAttr>(attr)) {
    printer << "strided<" << strided.getValue().str() << '>';
    return;
  }
  if (auto linear = dyn_cast<LinearAttr>(attr)) {
    printer << "linear<" << linear.getValue().str() << '>';
    return;
  }
  if (auto projection = dyn_cast<ProjectionAttr>(attr)) {
    printer << "projection<" << projection.getValue().str() << '>';
    return;
  }
  if (auto policies = dyn_cast<OutOfBoundsAttr>(attr)) {
    printer << "oob<" << policies.getValue().str() << '>';
    return;
  }
  if (auto target = dyn_cast<TargetAttr>(attr)) {
    printer << "target<" << target.getValue().str() << '>';
    return;
  }
  if (succeeded(generatedAttributePrinter(attr, printer)))
    return;
  llvm_unreachable("an attribute of the dialect that it does not know");
}

//===----------------------------------------------------------------------===//
// Indexing maps
//===----------------------------------------------------------------------===//

LogicalResult
IndexingMapAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        IndexingMap value) {
  if (std::optional<std::string> fault = value.verify())
    return emitError() << *fault;
  return success();
}

IndexingMapAttr IndexingMapAttr::fromAffine(AffineMapAttr map,
                                            ArrayRef<Interval> dimRanges,
                                            ArrayRef<Interval> symbolRanges,
                                            IntegerSetAttr domain) {
  IndexingMap value =
      domain
          ? IndexingMap::fromAffineMap(map.getValue(), domain.getValue(),
                                       dimRanges, symbolRanges)
          : IndexingMap::fromAffineMap(map.getValue(), dimRanges, symbolRanges);
  return get(map.getContext(), value);
}

AffineMapAttr IndexingMapAttr::toAffineMap() const {
  AffineMap map = getValue().toAffineMap(getContext());
  return map ? AffineMapAttr::get(map) : AffineMapAttr();
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Layout value) {
  if (std::optional<std::string> fault = value.verify())
    return emitError() << *fault;
  if (std::optional<std::string> fault = value.verifyAttributeForm())
    return emitError() << *fault;
  if (value.shape)
    return emitError() << "a layout attribute takes the shape from its tensor "
                          "and must not have one, got "
                       << value.str();
  return success();
}

/// One entry of minor_to_major per dimension.
static LogicalResult verifyRank(const Layout &layout, ArrayRef<int64_t> shape,
                                function_ref<InFlightDiagnostic()> emitError) {
  if (layout.getRank() == static_cast<int64_t>(shape.size()))
    return success();
  return emitError() << "minor_to_major must have one entry per dimension, "
                     << shape.size() << ", got " << layout.getRank();
}

/// The tiled shape fits, if it is known.
static LogicalResult verifyFits(const Layout &layout, ArrayRef<int64_t> shape,
                                function_ref<InFlightDiagnostic()> emitError) {
  if (std::optional<std::string> problem = verifySize(layout.withShape(shape)))
    return emitError() << *problem;
  return success();
}

/// C2 of every layout; `scalar` is the type, or that of a complex number's parts.
static LogicalResult
verifyElementType(Type elementType, Type &scalar,
                  function_ref<InFlightDiagnostic()> emitError) {
  auto complex = dyn_cast<ComplexType>(elementType);
  scalar = complex ? complex.getElementType() : elementType;
  if (scalar.isIntOrIndexOrFloat())
    return success();
  return emitError() << "a layout needs an integer, index, float or complex "
                        "element type, got "
                     << elementType;
}

LogicalResult
LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                           function_ref<InFlightDiagnostic()> emitError) const {
  const Layout &layout = getValue();
  // C1
  if (failed(verifyRank(layout, shape, emitError)))
    return failure();
  // C2
  Type scalar;
  if (failed(verifyElementType(elementType, scalar, emitError)))
    return failure();
  auto complex = dyn_cast<ComplexType>(elementType);
  // C3
  if (scalar.isIntOrFloat()) {
    int64_t bits = int64_t(scalar.getIntOrFloatBitWidth()) * (complex ? 2 : 1);
    if (layout.elementBits.value_or(bits) < bits)
      return emitError() << "element bits E must be at least " << bits
                         << " for " << elementType << ", got "
                         << *layout.elementBits;
  }
  // C4
  return verifyFits(layout, shape, emitError);
}

//===----------------------------------------------------------------------===//
// Strided and linear layouts
//===----------------------------------------------------------------------===//

LogicalResult StridedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  StridedLayout value) {
  if (std::optional<std::string> fault = value.verify())
    return emitError() << *fault;
  if (value.map)
    return emitError() << "it has no strides: " << value.whyNoStrides;
  return success();
}

LogicalResult LinearAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 LinearLayout value) {
  if (std::optional<std::string> fault = value.verify())
    return emitError() << *fault;
  return success();
}

/// C1 to C3 of either.
template <typename LayoutT>
static LogicalResult
verifyPlaces(const LayoutT &layout, ArrayRef<int64_t> shape, Type elementType,
             function_ref<InFlightDiagnostic()> emitError) {
  std::string error;
  if (!getPlaces(layout, shape, error))
    return emitError() << layout.str() << ": " << error;
  Type scalar;
  return verifyElementType(elementType, scalar, emitError);
}

LogicalResult StridedAttr::verifyEncoding(
    ArrayRef<int64_t> shape, Type elementType,
    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyPlaces(getValue(), shape, elementType, emitError);
}

LogicalResult
LinearAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                           function_ref<InFlightDiagnostic()> emitError) const {
  return verifyPlaces(getValue(), shape, elementType, emitError);
}

Attribute mlir::tensoraccess::toTiledEncoding(Attribute encoding,
                                              ArrayRef<int64_t> shape) {
  std::string reason;
  std::optional<StridedLayout> strided;
  if (auto attr = dyn_cast_or_null<StridedAttr>(encoding))
    strided = attr.getValue();
  else if (auto attr = dyn_cast_or_null<LinearAttr>(encoding))
    strided = toStridedPlaces(attr.getValue(), reason);
  if (!strided || !getPlaces(*strided, shape, reason))
    return encoding;
  std::optional<Layout> tiled =
      toLayout(*strided, *XlaType::lookup("pred"), reason);
  // Not with more padding after the last element.
  if (!tiled || tiled->getPaddedElements() != strided->getCosize())
    return encoding;
  return LayoutAttr::get(encoding.getContext(), tiled->withoutShape());
}

/// Where the elements of an array of the layout's sizes are in memory.
static std::optional<MemoryPlaces> getOwnPlaces(const StridedLayout &layout) {
  SmallVector<int64_t> shape;
  for (unsigned i = 0; i < layout.getRank(); ++i)
    shape.push_back(layout.getMode(i).getSize());
  std::string error;
  return getPlaces(layout, shape, error);
}

static std::optional<MemoryPlaces> getOwnPlaces(const LinearLayout &layout) {
  SmallVector<int64_t> shape;
  for (size_t i = 0; i < layout.outputs.size(); ++i)
    shape.push_back(layout.getOutputSize(i));
  std::string error;
  return getPlaces(layout, shape, error);
}

/// The number of an index. No memref has a layout that is not one of memory
/// (verifyLayout), but the interface requires a map in any case.
template <typename LayoutT>
static AffineMap getNumberAffineMap(const LayoutT &layout, unsigned rank,
                                    MLIRContext *context) {
  if (std::optional<MemoryPlaces> places = getOwnPlaces(layout))
    if (AffineMap map = places->toNumber.toAffineMap(context))
      return map;
  return AffineMap::getMultiDimIdentityMap(rank, context);
}

AffineMap StridedAttr::getAffineMap() const {
  return getNumberAffineMap(getValue(), getValue().getRank(), getContext());
}

AffineMap LinearAttr::getAffineMap() const {
  return getNumberAffineMap(getValue(), getValue().outputs.size(),
                            getContext());
}

LogicalResult
StridedAttr::verifyLayout(ArrayRef<int64_t> shape,
                          function_ref<InFlightDiagnostic()> emitError) const {
  return verifyPlaces(getValue(), shape, IndexType::get(getContext()),
                      emitError);
}

LogicalResult
LinearAttr::verifyLayout(ArrayRef<int64_t> shape,
                         function_ref<InFlightDiagnostic()> emitError) const {
  return verifyPlaces(getValue(), shape, IndexType::get(getContext()),
                      emitError);
}

/// A stride for each dimension; failure if a mode has several.
static LogicalResult getFlatStrides(const StridedLayout &layout,
                                    SmallVectorImpl<int64_t> &strides) {
  strides.clear();
  for (unsigned i = 0; layout.hasStrides() && i < layout.getRank(); ++i) {
    StridedMode mode = strided::coalesce(layout.getMode(i)).root;
    if (mode.isList && mode.modes.size() > 1)
      return failure();
    strides.push_back(mode.isList ? 0 : mode.stride);
  }
  return success(layout.hasStrides());
}

LogicalResult
StridedAttr::getStridesAndOffset(ArrayRef<int64_t> shape,
                                 SmallVectorImpl<int64_t> &strides,
                                 int64_t &offset) const {
  offset = 0;
  return getFlatStrides(getValue(), strides);
}

LogicalResult LinearAttr::getStridesAndOffset(ArrayRef<int64_t> shape,
                                              SmallVectorImpl<int64_t> &strides,
                                              int64_t &offset) const {
  offset = 0;
  std::string reason;
  std::optional<StridedLayout> strided = toStridedPlaces(getValue(), reason);
  return strided ? getFlatStrides(*strided, strides) : failure();
}

/// Whether elements are laid out in row-major order.
template <typename LayoutT>
static bool isRowMajor(const LayoutT &layout) {
  std::optional<MemoryPlaces> places = getOwnPlaces(layout);
  if (!places || places->hasPadding)
    return false;
  SmallVector<int64_t> shape;
  for (const Interval &range : places->toNumber.getDimRanges())
    shape.push_back(*range.size());
  std::optional<DigitMap> rowMajor = DigitMap::rowMajor(shape);
  return rowMajor && places->toNumber == rowMajor->toIndexingMap().simplify();
}

bool StridedAttr::isIdentity() const { return isRowMajor(getValue()); }

bool LinearAttr::isIdentity() const { return isRowMajor(getValue()); }

std::optional<MemoryPlaces>
mlir::tensoraccess::getPlaces(Attribute attr, ArrayRef<int64_t> shape,
                              std::string &error) {
  if (auto strided = dyn_cast<StridedAttr>(attr))
    return getPlaces(strided.getValue(), shape, error);
  return getPlaces(cast<LinearAttr>(attr).getValue(), shape, error);
}

std::optional<IndexingMap>
LayoutAttr::getNumberMap(ArrayRef<int64_t> shape) const {
  if (getValue().getRank() != static_cast<int64_t>(shape.size()))
    return std::nullopt;
  return getValue().withShape(shape, *XlaType::lookup("pred")).getIndexingMap();
}

template <typename LayoutT>
static std::optional<IndexingMap> getPlacesMap(const LayoutT &layout,
                                               ArrayRef<int64_t> shape) {
  std::string error;
  std::optional<MemoryPlaces> places = getPlaces(layout, shape, error);
  return places ? std::optional(std::move(places->toNumber)) : std::nullopt;
}

std::optional<IndexingMap>
StridedAttr::getNumberMap(ArrayRef<int64_t> shape) const {
  return getPlacesMap(getValue(), shape);
}

std::optional<IndexingMap>
LinearAttr::getNumberMap(ArrayRef<int64_t> shape) const {
  return getPlacesMap(getValue(), shape);
}

/// What a memref's layout map can't express; empty if nothing.
static StringRef findMemRefObstacle(const Layout &layout) {
  for (const Tile &tile : layout.tiles)
    if (llvm::any_of(tile, [](TileEntry entry) { return entry.isCombine(); }))
      return "'*'";
  if (layout.tailAlignment != 1)
    return "a tail alignment L";
  if (layout.elementBits)
    return "element bits E";
  if (layout.memorySpace != 0)
    return "a memory space S";
  return {};
}

LogicalResult
LayoutAttr::verifyLayout(ArrayRef<int64_t> shape,
                         function_ref<InFlightDiagnostic()> emitError) const {
  const Layout &layout = getValue();
  StringRef obstacle = findMemRefObstacle(layout);
  if (!obstacle.empty())
    return emitError() << "a memref's layout must not have " << obstacle
                       << ", got " << layout.str();
  if (failed(verifyRank(layout, shape, emitError)))
    return failure();
  return verifyFits(layout, shape, emitError);
}

bool LayoutAttr::isIdentity() const {
  return getValue() == Layout::rowMajor(getValue().getRank());
}

/// The tiled coordinates of an index. Where a tile has more entries than there
/// are coordinates, the ones in front are 0.
AffineMap LayoutAttr::getAffineMap() const {
  const Layout &layout = getValue();
  MLIRContext *context = getContext();
  // No memref can have such a layout (verifyLayout), but the interface
  // requires a map in any case.
  if (!findMemRefObstacle(layout).empty())
    return AffineMap::getMultiDimIdentityMap(layout.getRank(), context);
  SmallVector<AffineExpr> coordinates;
  for (int64_t dim : llvm::reverse(layout.minorToMajor))
    coordinates.push_back(getAffineDimExpr(dim, context));
  for (const Tile &tile : layout.tiles) {
    if (tile.size() > coordinates.size())
      coordinates.insert(coordinates.begin(), tile.size() - coordinates.size(),
                         getAffineConstantExpr(0, context));
    size_t prefix = coordinates.size() - tile.size();
    for (auto [i, entry] : llvm::enumerate(tile)) {
      AffineExpr whole = coordinates[prefix + i];
      coordinates[prefix + i] = whole.floorDiv(entry.getSize());
      coordinates.push_back(whole % entry.getSize());
    }
  }
  return AffineMap::get(layout.getRank(), /*symbolCount=*/0, coordinates,
                        context);
}

/// Strides of a layout without tiles; tiled ones have none.
LogicalResult LayoutAttr::getStridesAndOffset(ArrayRef<int64_t> shape,
                                              SmallVectorImpl<int64_t> &strides,
                                              int64_t &offset) const {
  const Layout &layout = getValue();
  if (!layout.tiles.empty() || !findMemRefObstacle(layout).empty())
    return failure();
  strides.assign(shape.size(), 1);
  int64_t stride = 1;
  for (int64_t dim : layout.minorToMajor) {
    strides[dim] = stride;
    std::optional<int64_t> next =
        stride == ShapedType::kDynamic || ShapedType::isDynamic(shape[dim])
            ? ShapedType::kDynamic
            : checkedMul(stride, shape[dim]);
    if (!next)
      return failure();
    stride = *next;
  }
  offset = 0;
  return success();
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

LogicalResult
ProjectionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       AnchoredProjection value) {
  if (std::optional<std::string> fault = value.verify())
    return emitError() << *fault;
  return success();
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Target value) {
  if (std::optional<std::string> fault = value.verify())
    return emitError() << *fault;
  return success();
}

//===----------------------------------------------------------------------===//
// Out-of-bounds policies
//===----------------------------------------------------------------------===//

LogicalResult
OutOfBoundsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                        OutOfBoundsList value) {
  if (std::optional<std::string> fault = value.verify())
    return emitError() << *fault;
  return success();
}
