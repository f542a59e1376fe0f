//===- HloFields.cpp - The attributes of instructions ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloImporter.h"
#include "TensorAccess/Core/Checked.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::tensoraccess;

StringRef tensoraccess::stripBraces(StringRef value) {
  value = value.trim();
  if (value.consume_front("{"))
    value.consume_back("}");
  return value.trim();
}

SmallVector<StringRef> tensoraccess::splitList(StringRef list) {
  SmallVector<StringRef> parts;
  size_t depth = 0, begin = 0;
  bool isQuoted = false;
  for (size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && list[i] == '"')
      isQuoted = !isQuoted;
    if (isQuoted && i < list.size()) {
      // An escaped quote does not end the string.
      i += list[i] == '\\' && i + 1 < list.size();
      continue;
    }
    if (i == list.size() || (list[i] == ',' && depth == 0)) {
      StringRef part = list.slice(begin, i).trim();
      if (!part.empty())
        parts.push_back(part);
      begin = i + 1;
    } else if (StringRef("({[").contains(list[i])) {
      ++depth;
    } else if (StringRef(")}]").contains(list[i]) && depth > 0) {
      --depth;
    }
  }
  return parts;
}

FailureOr<SmallVector<int64_t>>
HloImporter::getNumbers(const Call &call, StringRef name, bool isNeeded) {
  std::optional<StringRef> value = call.instruction.get(name);
  SmallVector<int64_t> numbers;
  if (!value) {
    if (isNeeded)
      return fail(call,
                  "'" + call.instruction.opcode + "' must have '" + name + "'");
    return numbers;
  }
  for (StringRef part : splitList(stripBraces(*value))) {
    int64_t number;
    if (part.getAsInteger(10, number))
      return fail(part.data(),
                  "expected a number in '" + name + "', found '" + part + "'");
    numbers.push_back(number);
  }
  return numbers;
}

FailureOr<int64_t> HloImporter::getNumber(const Call &call, StringRef name,
                                          std::optional<int64_t> otherwise) {
  std::optional<StringRef> value = call.instruction.get(name);
  if (!value && otherwise)
    return *otherwise;
  int64_t number;
  if (!value || stripBraces(*value).getAsInteger(10, number))
    return fail(value ? value->data() : call.instruction.getPlace(),
                "'" + call.instruction.opcode + "' must have a number as '" +
                    name + "'");
  return number;
}

FailureOr<bool> HloImporter::getFlag(const Call &call, StringRef name,
                                     bool otherwise) {
  std::optional<StringRef> value = call.instruction.get(name);
  if (!value)
    return otherwise;
  if (*value != "true" && *value != "false")
    return fail(value->data(), "expected 'true' or 'false' as '" + name +
                                   "', found '" + *value + "'");
  return *value == "true";
}

/// `3x3`, `0_1x2_2`: numbers of each dimension, `most` at most.
static bool readNumbers(StringRef text, unsigned most,
                        SmallVectorImpl<SmallVector<int64_t, 3>> &dims) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts) {
    SmallVector<StringRef> numbers;
    part.split(numbers, '_');
    if (numbers.size() > most)
      return false;
    SmallVector<int64_t, 3> &dim = dims.emplace_back();
    for (StringRef number : numbers)
      if (number.getAsInteger(10, dim.emplace_back()))
        return false;
  }
  return true;
}

FailureOr<HloWindowText> HloImporter::getWindow(const Call &call, size_t rank) {
  HloWindowText window;
  window.size.assign(rank, 1);
  window.stride = window.base = window.dilation = window.size;
  window.low.assign(rank, 0);
  window.high = window.low;
  window.reversed.assign(rank, false);
  std::optional<StringRef> value = call.instruction.get("window");
  if (!value)
    return window;
  SmallVector<StringRef> fields;
  stripBraces(*value).split(fields, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef field : fields) {
    auto [name, text] = field.split('=');
    SmallVector<SmallVector<int64_t, 3>> dims;
    if (!readNumbers(text, name == "pad" ? 2 : 1, dims) || dims.size() != rank)
      return fail(field.data(), "expected numbers of " + Twine(rank) +
                                    " dimensions, found '" + field + "'");
    auto *list = name == "size"         ? &window.size
                 : name == "stride"     ? &window.stride
                 : name == "lhs_dilate" ? &window.base
                 : name == "rhs_dilate" ? &window.dilation
                                        : nullptr;
    for (auto [d, dim] : llvm::enumerate(dims)) {
      if (list) {
        (*list)[d] = dim[0];
      } else if (name == "pad") {
        window.low[d] = dim[0];
        window.high[d] = dim.size() > 1 ? dim[1] : dim[0];
      } else if (name == "rhs_reversal") {
        window.reversed[d] = dim[0] != 0;
      } else {
        return fail(field.data(), "no '" + name + "' of windows");
      }
    }
  }
  return window;
}

/// Appends the devices of a row-major grid, its dimensions in another order.
static void addDevices(ArrayRef<int64_t> grid, ArrayRef<int64_t> order,
                       SmallVectorImpl<int64_t> &devices) {
  const SmallVector<int64_t> strides = rowMajorStrides(grid);
  SmallVector<int64_t> sizes, steps;
  for (int64_t dim : order) {
    sizes.push_back(grid[dim]);
    steps.push_back(strides[dim]);
  }
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    devices.push_back(std::inner_product(index.begin(), index.end(),
                                         steps.begin(), int64_t(0)));
  });
}

/// `[2,4]<=[4,2]T(1,0)`: the numbers of all devices, in another order, by groups.
static bool readIota(StringRef text, int64_t &groups, int64_t &size,
                     SmallVectorImpl<int64_t> &devices) {
  auto readList = [](StringRef list, SmallVectorImpl<int64_t> &numbers) {
    for (StringRef part : splitList(list))
      if (part.getAsInteger(10, numbers.emplace_back()))
        return false;
    return true;
  };
  auto [shape, order] = text.split("<=");
  auto [from, permutation] = order.split('T');
  SmallVector<int64_t> sizes, dims, perm;
  if (!shape.consume_front("[") || !shape.consume_back("]") ||
      !from.consume_front("[") || !from.consume_back("]") ||
      !readList(shape, sizes) || !readList(from, dims) || sizes.size() != 2)
    return false;
  if (!permutation.empty() &&
      (!permutation.consume_front("(") || !permutation.consume_back(")") ||
       !readList(permutation, perm)))
    return false;
  if (perm.empty())
    perm = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  std::optional<int64_t> count = checkedProduct(dims);
  if (!count || count != checkedProduct(sizes) || *count > (1 << 22) ||
      !isPermutationVector(perm) || perm.size() != dims.size())
    return false;
  groups = sizes[0];
  size = sizes[1];
  addDevices(dims, perm, devices);
  return true;
}

/// `mesh['x'=2,'y'=4] {'y'}`: devices of a grid, row-major, grouped along axes.
static bool readMesh(StringRef text, int64_t &groups, int64_t &size,
                     SmallVectorImpl<int64_t> &devices) {
  auto [grid, along] = text.split("] {");
  if (!grid.consume_front("mesh[") || !along.consume_back("}"))
    return false;
  SmallVector<StringRef> names;
  SmallVector<int64_t> sizes;
  for (StringRef part : splitList(grid)) {
    auto [name, number] = part.split('=');
    names.push_back(name.trim());
    if (number.getAsInteger(10, sizes.emplace_back()))
      return false;
  }
  SmallVector<int64_t> inner, order;
  for (StringRef part : splitList(along)) {
    auto *it = llvm::find(names, part);
    if (it == names.end() || llvm::is_contained(inner, it - names.begin()))
      return false;
    inner.push_back(it - names.begin());
  }
  size = groups = 1;
  if (!checkedProduct(sizes))
    return false;
  for (int64_t axis = 0, rank = names.size(); axis < rank; ++axis)
    if (!llvm::is_contained(inner, axis)) {
      order.push_back(axis);
      groups *= sizes[axis];
    }
  llvm::append_range(order, inner);
  for (int64_t axis : inner)
    size *= sizes[axis];
  if (groups * size > (1 << 22))
    return false;
  addDevices(sizes, order, devices);
  return true;
}

FailureOr<Attribute> HloImporter::getGroups(const Call &call, StringRef name) {
  std::optional<StringRef> value = call.instruction.get(name);
  int64_t groups = 0, size = 0;
  SmallVector<int64_t> devices;
  if (value && (value->starts_with("[") || value->starts_with("mesh"))) {
    if (!readIota(*value, groups, size, devices) &&
        !readMesh(*value, groups, size, devices))
      return fail(value->data(),
                  "expected groups of devices, found '" + *value + "'");
  } else if (value) {
    SmallVector<StringRef> lists = splitList(stripBraces(*value));
    groups = lists.size();
    SmallVector<SmallVector<int64_t>> all;
    for (StringRef list : lists) {
      SmallVector<int64_t> &group = all.emplace_back();
      for (StringRef part : splitList(stripBraces(list)))
        if (part.getAsInteger(10, group.emplace_back()))
          return fail(part.data(), "expected a device, found '" + part + "'");
      size = std::max<int64_t>(size, group.size());
    }
    for (SmallVector<int64_t> &group : all) {
      // Shorter groups are filled up by -1.
      group.resize(size, -1);
      llvm::append_range(devices, group);
    }
  }
  return Attribute(DenseIntElementsAttr::get(
      RankedTensorType::get({groups, size}, b.getI64Type()), devices));
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

namespace {
/// Reads the elements of a literal in order.
struct LiteralReader {
  StringRef text;
  Type element;
  std::vector<Attribute> elements;
  std::string why;
  HloPlace place = nullptr;

  bool fail(HloPlace at, const Twine &message) {
    place = at;
    why = message.str();
    return false;
  }
  void skip() {
    while (true) {
      text = text.ltrim();
      if (!text.consume_front("/*"))
        return;
      text = text.split("*/").second;
    }
  }
  bool readScalar(StringRef word, Type type, Attribute &value);
  bool readElement();
  /// One list for each dimension.
  bool read(ArrayRef<int64_t> shape);
};
} // namespace

bool LiteralReader::readScalar(StringRef word, Type type, Attribute &value) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    const unsigned bits = integer.getWidth();
    APInt number(bits, 0);
    if (bits == 1 && (word == "true" || word == "false")) {
      number = word == "true";
    } else {
      StringRef digits = word;
      const bool isNegative = digits.consume_front("-");
      APInt wide;
      if (digits.empty() || !llvm::isDigit(digits[0]) ||
          digits.getAsInteger(10, wide))
        return fail(word.data(), "expected an integer, found '" + word + "'");
      if (wide.getActiveBits() > bits ||
          (isNegative &&
           (integer.isUnsigned() ||
            wide.zextOrTrunc(bits + 1).ugt(
                APInt::getSignedMinValue(bits).zext(bits + 1)))) ||
          (!isNegative && !integer.isUnsigned() && bits > 1 &&
           wide.getActiveBits() == bits))
        return fail(word.data(),
                    "'" + word + "' does not fit " + Twine(bits) + " bits");
      number = wide.zextOrTrunc(bits);
      if (isNegative)
        number.negate();
    }
    value = IntegerAttr::get(type, number);
    return true;
  }
  auto real = cast<FloatType>(type);
  const llvm::fltSemantics &semantics = real.getFloatSemantics();
  StringRef digits = word;
  const bool isNegative = digits.consume_front("-");
  APFloat number(semantics);
  auto refuse = [&] {
    return fail(word.data(), "'" + word + "' is not a number of this type");
  };
  if (isNegative && !APFloat::semanticsHasSignedRepr(semantics))
    return refuse();
  if (digits == "inf") {
    if (!APFloat::semanticsHasInf(semantics))
      return refuse();
    number = APFloat::getInf(semantics, isNegative);
  } else if (digits.starts_with("nan")) {
    // nan(0x7fc00000), its payload.
    uint64_t payload = 0;
    StringRef bits = digits.drop_front(3);
    if (!bits.empty() && (!bits.consume_front("(") || !bits.consume_back(")") ||
                          bits.getAsInteger(0, payload)))
      return fail(word.data(), "expected a number, found '" + word + "'");
    if (!APFloat::semanticsHasNaN(semantics))
      return refuse();
    number = APFloat::getNaN(semantics, isNegative);
    // The payload is the mantissa, with the bit that is set if it signals.
    if (!bits.empty() && APFloat::isIEEELikeFP(semantics)) {
      const unsigned width = APFloat::getSizeInBits(semantics),
                     mantissa = APFloat::semanticsPrecision(semantics) - 1;
      if (payload == 0 || (mantissa < 64 && payload >> mantissa != 0))
        return refuse();
      APInt raw = number.bitcastToAPInt().lshr(mantissa).shl(mantissa) |
                  APInt(64, payload).zextOrTrunc(width);
      number = APFloat(semantics, raw);
    }
  } else {
    auto status =
        number.convertFromString(digits, APFloat::rmNearestTiesToEven);
    const bool isRead = status && !digits.empty() &&
                        (llvm::isDigit(digits[0]) || digits[0] == '.');
    if (!isRead) {
      if (!status)
        llvm::consumeError(status.takeError());
      return fail(word.data(), "expected a number, found '" + word + "'");
    }
    if (*status & APFloat::opOverflow)
      return refuse();
    if (isNegative)
      number.changeSign();
  }
  value = FloatAttr::get(type, number);
  return true;
}

bool LiteralReader::readElement() {
  skip();
  auto take = [&] {
    skip();
    StringRef word = text.take_until([](char c) {
      return llvm::isSpace(c) || c == ',' || c == '}' || c == ')' || c == '(';
    });
    text = text.drop_front(word.size());
    if (word == "nan" || word == "-nan")
      if (text.starts_with("(")) {
        StringRef more = text.take_front(text.find(')') + 1);
        word = StringRef(word.data(), word.size() + more.size());
        text = text.drop_front(more.size());
      }
    return word;
  };
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Attribute parts[2];
    HloPlace at = text.data();
    if (!text.consume_front("("))
      return fail(at, "expected '(' of a complex number");
    for (unsigned i : {0, 1}) {
      StringRef word = take();
      if (!readScalar(word, complex.getElementType(), parts[i]))
        return false;
      skip();
      if (!text.consume_front(i == 0 ? "," : ")"))
        return fail(text.data(), "expected ',' or ')' of a complex number");
    }
    elements.push_back(
        ArrayAttr::get(element.getContext(), ArrayRef<Attribute>(parts)));
    return true;
  }
  StringRef word = take();
  Attribute value;
  if (!readScalar(word, element, value))
    return false;
  elements.push_back(value);
  return true;
}

bool LiteralReader::read(ArrayRef<int64_t> shape) {
  skip();
  if (shape.empty())
    return readElement();
  if (!text.consume_front("{"))
    return fail(text.data(),
                "expected '{' of a list of " + Twine(shape.front()));
  for (int64_t i = 0; i < shape.front(); ++i) {
    skip();
    if (i > 0 && !text.consume_front(","))
      return fail(text.data(), "expected " + Twine(shape.front()) +
                                   " in this list, found " + Twine(i));
    if (!read(shape.drop_front()))
      return false;
  }
  skip();
  if (!text.consume_front("}"))
    return fail(text.data(),
                "expected '}' after " + Twine(shape.front()) + " of a list");
  return true;
}

FailureOr<DenseElementsAttr> HloImporter::getLiteral(StringRef &literal,
                                                     RankedTensorType type,
                                                     bool isLast) {
  LiteralReader reader{literal, type.getElementType(), {}, "", nullptr};
  std::optional<int64_t> count = checkedProduct(type.getShape());
  const bool isKnown =
      isa<IntegerType, FloatType, ComplexType>(type.getElementType());
  if (!count || !isKnown)
    return fail(literal.data(), "no literals of this type");
  // An array without elements is `{}`, however many dimensions it has.
  if (*count == 0 && isLast) {
    // Braces of the dimensions, with their numbers in comments.
    for (reader.skip(); !reader.text.empty(); reader.skip())
      if (!StringRef("{},").contains(reader.text.front()))
        return fail(reader.text.data(), "expected no elements, found '" +
                                            reader.text.take_front(24) + "'");
      else
        reader.text = reader.text.drop_front();
    literal = {};
    return DenseElementsAttr::get(type, ArrayRef<Attribute>());
  }
  // One number stands for all.
  reader.skip();
  const bool isSplat =
      !reader.text.starts_with("{") && !type.getShape().empty();
  if (!reader.read(isSplat ? ArrayRef<int64_t>() : type.getShape()))
    return fail(reader.place, reader.why);
  reader.skip();
  literal = reader.text;
  if (isLast && !reader.text.empty())
    return fail(reader.text.data(), "expected the end of a literal, found '" +
                                        reader.text.take_front(24) + "'");
  if (auto complex = dyn_cast<ComplexType>(type.getElementType())) {
    if (isa<FloatType>(complex.getElementType())) {
      SmallVector<std::complex<APFloat>> numbers;
      for (Attribute pair : reader.elements)
        numbers.emplace_back(
            cast<FloatAttr>(cast<ArrayAttr>(pair)[0]).getValue(),
            cast<FloatAttr>(cast<ArrayAttr>(pair)[1]).getValue());
      return DenseElementsAttr::get(type, numbers);
    }
    return fail(literal.data(), "no literals of this type");
  }
  return DenseElementsAttr::get(type, reader.elements);
}

//===----------------------------------------------------------------------===//
// What every op may have
//===----------------------------------------------------------------------===//

DictionaryAttr HloImporter::getFrontendAttributes(StringRef value) {
  SmallVector<NamedAttribute> entries;
  for (StringRef part : splitList(stripBraces(value))) {
    StringRef key = part.split('=').first, text = part.split('=').second;
    if (!key.empty() && llvm::none_of(entries, [&](NamedAttribute entry) {
          return entry.getName() == key;
        }))
      entries.push_back(
          b.getNamedAttr(key, b.getStringAttr(unescapeHlo(unquote(text)))));
  }
  return b.getDictionaryAttr(entries);
}

FailureOr<SmallVector<StringRef>>
HloImporter::getShardings(const HloInstruction &instruction) {
  SmallVector<StringRef> shardings;
  std::optional<StringRef> value = instruction.get("sharding");
  if (!value)
    return shardings;
  const size_t count = instruction.shape.countLeaves();
  if (!stripBraces(*value).starts_with("{") ||
      instruction.shape.kind == HloShape::Kind::Token) {
    // One is for all arrays of a tuple, and a token's may be several.
    shardings.assign(count, *value);
    return shardings;
  }
  for (StringRef part : splitList(stripBraces(*value))) {
    while (part.consume_front("/*"))
      part = part.split("*/").second.ltrim();
    shardings.push_back(part);
  }
  if (shardings.size() != count)
    return fail(value->data(), "shardings of " + Twine(shardings.size()) +
                                   " arrays, and the shape has " +
                                   Twine(count));
  return shardings;
}

void HloImporter::addOthers(Call &call) {
  const HloInstruction &instruction = call.instruction;
  if (auto sharding = instruction.get("sharding"))
    call.others.push_back(
        b.getNamedAttr(kMhloSharding, b.getStringAttr(*sharding)));
  if (auto frontend = instruction.get("frontend_attributes"))
    call.others.push_back(
        b.getNamedAttr(kMhloFrontend, getFrontendAttributes(*frontend)));
  // Fields that ops cannot hold. Custom calls and callees keep their
  // configuration themselves, and ops of MHLO all their attributes.
  const StringRef opcode = instruction.opcode;
  const bool hasConfig = opcode.starts_with("custom-call") ||
                         opcode.starts_with("fusion") ||
                         opcode == "async-start";
  for (StringRef key : {"async_execution_thread", "backend_config",
                        "is_composite", "origin", "result_accuracy"})
    if (auto value = instruction.get(key);
        value && !isKept(opcode) && !(hasConfig && key == "backend_config"))
      call.others.push_back(b.getNamedAttr(
          ("mhlo." + key).str(), b.getStringAttr(getStringOrJson(*value))));
  if (auto predecessors = instruction.get("control-predecessors")) {
    SmallVector<Attribute> names;
    for (StringRef name : splitList(stripBraces(*predecessors)))
      names.push_back(b.getStringAttr(name.ltrim('%')));
    call.others.push_back(
        b.getNamedAttr("mhlo.control_predecessors", b.getArrayAttr(names)));
  }
}
