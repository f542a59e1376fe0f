//===- LinearLayout.cpp - Layouts over GF(2) ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/LinearLayout.h"
#include "Strided/BitMatrix.h"
#include "Strided/Fail.h"
#include "TensorAccess/Core/StridedAlgebra.h"
#include "TensorAccess/Core/StridedLayout.h"
#include "TensorAccess/Core/TextScanner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::tensoraccess;

static uint64_t getLowBits(unsigned count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

llvm::SmallVector<uint64_t> LinearLayout::getColumns() const {
  llvm::SmallVector<uint64_t> columns;
  for (const Input &input : inputs)
    columns.append(input.bases.begin(), input.bases.end());
  return columns;
}

unsigned LinearLayout::getRank() const {
  return Echelon(getColumns()).rows.size();
}

llvm::SmallVector<uint64_t> LinearLayout::getKernel() const {
  Echelon echelon(getColumns());
  return llvm::SmallVector<uint64_t>(echelon.kernel.begin(),
                                     echelon.kernel.end());
}

llvm::SmallVector<uint64_t> LinearLayout::getImage() const {
  llvm::SmallVector<uint64_t> image;
  for (const Echelon::Row &row : Echelon(getColumns()).rows)
    image.push_back(row.value);
  llvm::sort(image);
  return image;
}

std::optional<uint64_t> LinearLayout::findInput(uint64_t word) const {
  return Echelon(getColumns()).solve(word);
}

llvm::SmallVector<int64_t> LinearLayout::getFreeVariables() const {
  uint64_t free = 0;
  for (uint64_t zero : Echelon(getColumns()).kernel)
    free |= llvm::bit_floor(zero);
  return unpack(free, /*isOutput=*/false);
}

int64_t LinearLayout::getNumConsecutive() const {
  if (inputs.empty())
    return 1;
  unsigned count = 0;
  for (uint64_t base : inputs.front().bases) {
    if (base != uint64_t(1) << count)
      break;
    ++count;
  }
  // What else moves must move whole blocks.
  const llvm::SmallVector<uint64_t> columns = getColumns();
  for (uint64_t column : llvm::ArrayRef(columns).drop_front(count))
    if (column != 0)
      count = std::min<unsigned>(count, llvm::countr_zero(column));
  return int64_t(1) << count;
}

//===----------------------------------------------------------------------===//
// Construction and queries
//===----------------------------------------------------------------------===//

std::optional<LinearLayout>
LinearLayout::get(llvm::ArrayRef<std::vector<std::vector<int64_t>>> bases,
                  llvm::ArrayRef<int64_t> sizes, std::string &error,
                  llvm::ArrayRef<std::string> inputNames,
                  llvm::ArrayRef<std::string> outputNames) {
  LinearLayout layout;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (size < 1 || !llvm::isPowerOf2_64(size))
      return fail(error, "size " + llvm::Twine(i) +
                             " must be a power of two, got " +
                             llvm::Twine(size));
    layout.outputs.push_back(
        {i < outputNames.size() ? outputNames[i] : "dim" + std::to_string(i),
         llvm::Log2_64(size)});
  }
  if (layout.getNumOutputBits() > kMaxBits)
    return fail(error, "outputs of more than " + llvm::Twine(kMaxBits) +
                           " bits in all");
  for (auto [i, list] : llvm::enumerate(bases)) {
    Input input{
        i < inputNames.size() ? inputNames[i] : "in" + std::to_string(i), {}};
    for (llvm::ArrayRef<int64_t> basis : list) {
      auto name = [&] {
        return "basis " + std::to_string(input.bases.size()) + " of " +
               input.name;
      };
      if (basis.size() != sizes.size())
        return fail(error, llvm::Twine(name()) + " must have " +
                               llvm::Twine(sizes.size()) + " numbers, got " +
                               llvm::Twine(basis.size()));
      for (auto [size, value] : llvm::zip_equal(sizes, basis))
        if (value < 0 || value >= size)
          return fail(error, llvm::Twine(name()) + " must be in [0, " +
                                 llvm::Twine(size) + "), got " +
                                 llvm::Twine(value));
      input.bases.push_back(layout.pack(basis, /*isOutput=*/true));
    }
    layout.inputs.push_back(std::move(input));
  }
  if (std::optional<std::string> wrong = layout.verify())
    return fail(error, *wrong);
  return layout;
}

LinearLayout LinearLayout::identity(unsigned bits, llvm::StringRef input,
                                    llvm::StringRef output) {
  LinearLayout layout;
  layout.outputs.push_back({output.str(), bits});
  Input &in = layout.inputs.emplace_back();
  in.name = input.str();
  for (unsigned i = 0; i < bits; ++i)
    in.bases.push_back(uint64_t(1) << i);
  return layout;
}

template <typename List>
static std::optional<std::string> checkNames(const List &list,
                                             llvm::StringRef what) {
  for (const auto &item : list)
    if (item.name.empty() || !llvm::isAlpha(item.name.front()) ||
        !llvm::all_of(item.name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      return (what + " names must be letters, digits and '_', got '" +
              item.name + "'")
          .str();
  for (auto [i, item] : llvm::enumerate(list))
    for (const auto &other : llvm::drop_begin(list, i + 1))
      if (item.name == other.name)
        return (what + " '" + item.name + "' appears twice").str();
  return std::nullopt;
}

std::optional<std::string> LinearLayout::verify() const {
  if (std::optional<std::string> wrong = checkNames(inputs, "input"))
    return wrong;
  if (std::optional<std::string> wrong = checkNames(outputs, "output"))
    return wrong;
  for (unsigned bits : {getNumInputBits(), getNumOutputBits()})
    if (bits > kMaxBits)
      return "inputs and outputs must have at most " +
             std::to_string(kMaxBits) + " bits each, got " +
             std::to_string(bits);
  for (const Input &input : inputs)
    for (uint64_t base : input.bases)
      if (base & ~getLowBits(getNumOutputBits()))
        return "a basis of '" + input.name + "' is beyond the outputs";
  return std::nullopt;
}

unsigned LinearLayout::getNumInputBits() const {
  size_t bits = 0;
  for (const Input &input : inputs)
    bits += input.bases.size();
  return bits;
}

unsigned LinearLayout::getNumOutputBits() const {
  unsigned bits = 0;
  for (const Output &output : outputs)
    bits += output.bits;
  return bits;
}

uint64_t LinearLayout::pack(llvm::ArrayRef<int64_t> values,
                            bool isOutput) const {
  uint64_t word = 0;
  unsigned shift = 0;
  for (auto [i, value] : llvm::enumerate(values)) {
    word |= uint64_t(value) << shift;
    shift += isOutput ? outputs[i].bits : inputs[i].bases.size();
  }
  return word;
}

llvm::SmallVector<int64_t> LinearLayout::unpack(uint64_t word,
                                                bool isOutput) const {
  llvm::SmallVector<int64_t> values;
  for (size_t i = 0, e = isOutput ? outputs.size() : inputs.size(); i < e;
       ++i) {
    const unsigned bits = isOutput ? outputs[i].bits : inputs[i].bases.size();
    values.push_back(word & getLowBits(bits));
    word >>= bits;
  }
  return values;
}

uint64_t LinearLayout::applyToWord(uint64_t word) const {
  uint64_t result = 0;
  for (const Input &input : inputs)
    for (uint64_t base : input.bases) {
      if (word & 1)
        result ^= base;
      word >>= 1;
    }
  return result;
}

std::optional<llvm::SmallVector<int64_t>>
LinearLayout::apply(llvm::ArrayRef<int64_t> point) const {
  if (point.size() != inputs.size())
    return std::nullopt;
  for (auto [i, x] : llvm::enumerate(point))
    if (x < 0 || x >= getInputSize(i))
      return std::nullopt;
  return unpack(applyToWord(pack(point, /*isOutput=*/false)),
                /*isOutput=*/true);
}

IndexingMap LinearLayout::getMap() const {
  IndexingMapBuilder builder;
  llvm::SmallVector<Form> dims;
  for (auto [i, input] : llvm::enumerate(inputs))
    dims.push_back(builder.addDim(Interval::ofExtent(getInputSize(i))));
  FormArena &arena = builder.arena();
  unsigned shift = 0;
  for (const Output &output : outputs) {
    Form result = 0;
    for (unsigned bit = 0; bit < output.bits; ++bit) {
      Form ones = 0;
      for (auto [dim, input] : llvm::zip_equal(dims, inputs))
        for (auto [i, base] : llvm::enumerate(input.bases))
          if (base >> (shift + bit) & 1)
            arena.accumulate(
                ones, arena.mod(arena.floorDiv(dim, int64_t(1) << i), 2));
      arena.accumulate(result, arena.mod(ones, 2), int64_t(1) << bit);
    }
    builder.addResult(result);
    shift += output.bits;
  }
  return builder.build().simplify();
}

llvm::hash_code mlir::tensoraccess::hash_value(const LinearLayout &layout) {
  llvm::hash_code hash = llvm::hash_value(layout.outputs.size());
  for (const LinearLayout::Output &output : layout.outputs)
    hash = llvm::hash_combine(hash, output.name, output.bits);
  for (const LinearLayout::Input &input : layout.inputs)
    hash = llvm::hash_combine(
        hash, input.name,
        llvm::hash_combine_range(input.bases.begin(), input.bases.end()));
  return hash;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string LinearLayout::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '{';
  llvm::interleaveComma(inputs, os, [&](const Input &input) {
    os << input.name << " = [";
    llvm::interleaveComma(input.bases, os, [&](uint64_t base) {
      os << '[';
      llvm::interleaveComma(unpack(base, /*isOutput=*/true), os);
      os << ']';
    });
    os << ']';
  });
  os << "} -> ";
  const bool isNamed = llvm::any_of(llvm::enumerate(outputs), [](auto each) {
    return each.value().name != "dim" + std::to_string(each.index());
  });
  os << (isNamed ? '{' : '[');
  for (auto [i, output] : llvm::enumerate(outputs)) {
    os << (i == 0 ? "" : ", ");
    if (isNamed)
      os << output.name << " = ";
    os << getOutputSize(i);
  }
  os << (isNamed ? '}' : ']');
  return text;
}

std::optional<LinearLayout> LinearLayout::parse(llvm::StringRef text,
                                                ParseError &error) {
  TextScanner scanner(text, error);
  std::vector<std::vector<std::vector<int64_t>>> bases;
  std::vector<std::string> inputNames, outputNames;
  std::vector<int64_t> sizes;
  auto parseName = [&](std::vector<std::string> &names) {
    llvm::StringRef word = scanner.peekWord();
    if (word.empty())
      return scanner.failExpecting("a name");
    names.push_back(word.str());
    scanner.skip(word.size());
    return scanner.expect('=', "'=' after a name");
  };
  // As an attribute, of Triton's or this dialect.
  bool isAttribute = false;
  if (scanner.peek() == '#') {
    const llvm::StringRef name =
        scanner.rest().take_until([](char c) { return c == '<'; });
    isAttribute = name == "#ttg.linear" || name == "#tensoraccess.linear";
    if (!isAttribute) {
      scanner.fail(scanner.position(),
                   "'" + name +
                       "' is not read; #ttg.linear<{…}>, "
                       "#tensoraccess.linear<{…}> and their text {…} are");
      return std::nullopt;
    }
    scanner.skip(name.size());
    if (!scanner.expect('<', "'<'"))
      return std::nullopt;
  }
  const size_t begin = scanner.position();
  bool isRead = scanner.parseList('{', '}', "inputs", [&] {
    auto &list = bases.emplace_back();
    return parseName(inputNames) && scanner.parseList('[', ']', "bases", [&] {
      auto &basis = list.emplace_back();
      return scanner.parseList('[', ']', "a basis", [&] {
        return scanner.parseInteger(basis.emplace_back(), "an integer");
      });
    });
  });
  if (!isRead)
    return std::nullopt;
  if (scanner.atEnd() || (isAttribute && scanner.peek() == '>')) {
    // The least sizes.
    for (const auto &list : bases)
      for (const auto &basis : list) {
        sizes.resize(std::max(sizes.size(), basis.size()), 1);
        for (auto [size, value] : llvm::zip(sizes, basis))
          if (value >= 0 && value < int64_t(1) << kMaxBits)
            size =
                std::max<int64_t>(size, llvm::bit_floor(uint64_t(value)) * 2);
      }
  } else {
    if (!scanner.expect('-', "'->'") || !scanner.expect('>', "'->'"))
      return std::nullopt;
    const bool isNamed = scanner.peek() == '{';
    if (!scanner.parseList(
            isNamed ? '{' : '[', isNamed ? '}' : ']', "sizes of outputs", [&] {
              return (!isNamed || parseName(outputNames)) &&
                     scanner.parseInteger(sizes.emplace_back(), "a size");
            }))
      return std::nullopt;
  }
  if (isAttribute && !scanner.expect('>', "'>'"))
    return std::nullopt;
  if (!scanner.atEnd()) {
    scanner.failExpecting("end of text");
    return std::nullopt;
  }
  std::string wrong;
  std::optional<LinearLayout> layout =
      get(bases, sizes, wrong, inputNames, outputNames);
  if (!layout)
    scanner.fail(begin, wrong);
  return layout;
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

/// The layout with other columns, each of the same input.
static LinearLayout withColumns(const LinearLayout &layout,
                                llvm::ArrayRef<uint64_t> columns) {
  LinearLayout result = layout;
  for (LinearLayout::Input &input : result.inputs)
    for (uint64_t &base : input.bases) {
      base = columns.front();
      columns = columns.drop_front();
    }
  return result;
}

std::optional<LinearLayout> LinearLayout::compose(const LinearLayout &next,
                                                  std::string &error) const {
  if (outputs.size() != next.inputs.size())
    return fail(error, "outputs number " + llvm::Twine(outputs.size()) +
                           ", inputs of the next layout " +
                           llvm::Twine(next.inputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].bits > next.inputs[i].bases.size())
      return fail(error, "output '" + llvm::Twine(outputs[i].name) +
                             "' has size " + llvm::Twine(getOutputSize(i)) +
                             ", input '" + next.inputs[i].name +
                             "' of the next layout " +
                             llvm::Twine(next.getInputSize(i)));
  llvm::SmallVector<uint64_t> columns = getColumns();
  for (uint64_t &column : columns)
    column = next.applyToWord(
        next.pack(unpack(column, /*isOutput=*/true), /*isOutput=*/false));
  LinearLayout result = withColumns(*this, columns);
  result.outputs = next.outputs;
  return result;
}

std::optional<LinearLayout>
LinearLayout::invertAndCompose(const LinearLayout &other,
                               std::string &error) const {
  if (outputs.size() != other.outputs.size())
    return fail(error, "outputs number " + llvm::Twine(outputs.size()) +
                           " and " + llvm::Twine(other.outputs.size()));
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].bits != other.outputs[i].bits)
      return fail(error, "output '" + llvm::Twine(outputs[i].name) +
                             "' has sizes " + llvm::Twine(getOutputSize(i)) +
                             " and " + llvm::Twine(other.getOutputSize(i)));
  Echelon echelon(other.getColumns());
  llvm::SmallVector<uint64_t> columns = getColumns();
  for (uint64_t &column : columns) {
    std::optional<uint64_t> input = echelon.solve(column);
    if (!input) {
      std::string text;
      llvm::raw_string_ostream os(text);
      llvm::interleaveComma(unpack(column, /*isOutput=*/true), os);
      return fail(error, "the other layout does not reach (" + text + ")");
    }
    column = *input;
  }
  LinearLayout result = withColumns(*this, columns);
  result.outputs.clear();
  for (const Input &input : other.inputs)
    result.outputs.push_back(
        {input.name, static_cast<unsigned>(input.bases.size())});
  return result;
}

std::optional<LinearLayout> LinearLayout::invert(std::string &error) const {
  LinearLayout all;
  all.outputs = outputs;
  unsigned shift = 0;
  for (const Output &output : outputs) {
    Input &input = all.inputs.emplace_back();
    input.name = output.name;
    for (unsigned bit = 0; bit < output.bits; ++bit)
      input.bases.push_back(uint64_t(1) << shift++);
  }
  return all.invertAndCompose(*this, error);
}

std::optional<LinearLayout> LinearLayout::multiply(const LinearLayout &next,
                                                   std::string &error) const {
  // The place of each output of either in the product.
  LinearLayout result;
  for (const LinearLayout *layout : {this, &next})
    for (const Output &output : layout->outputs) {
      auto same = llvm::find_if(result.outputs, [&](const Output &other) {
        return other.name == output.name;
      });
      if (same == result.outputs.end())
        result.outputs.push_back(output);
      else
        same->bits += output.bits;
    }
  auto move = [&](const LinearLayout &layout, uint64_t base, bool isNext) {
    llvm::SmallVector<int64_t> values = layout.unpack(base, /*isOutput=*/true),
                               all(result.outputs.size(), 0);
    for (auto [output, value] : llvm::zip_equal(layout.outputs, values)) {
      unsigned below = 0;
      if (isNext)
        for (const Output &other : outputs)
          if (other.name == output.name)
            below = other.bits;
      for (auto [i, other] : llvm::enumerate(result.outputs))
        if (other.name == output.name)
          all[i] = value << below;
    }
    return result.pack(all, /*isOutput=*/true);
  };
  if (result.getNumOutputBits() > kMaxBits ||
      getNumInputBits() + next.getNumInputBits() > kMaxBits)
    return fail(error,
                "the product has more than " + llvm::Twine(kMaxBits) + " bits");
  for (const LinearLayout *layout : {this, &next})
    for (const Input &input : layout->inputs) {
      auto same = llvm::find_if(result.inputs, [&](const Input &other) {
        return other.name == input.name;
      });
      if (same == result.inputs.end())
        same = &result.inputs.emplace_back(Input{input.name, {}});
      for (uint64_t base : input.bases)
        same->bases.push_back(move(*layout, base, layout == &next));
    }
  return result;
}

std::optional<LinearLayout> LinearLayout::divideLeft(const LinearLayout &first,
                                                     std::string &error) const {
  LinearLayout rest;
  for (const Output &output : outputs) {
    unsigned bits = output.bits;
    for (const Output &other : first.outputs)
      if (other.name == output.name) {
        if (other.bits > bits)
          return fail(error, "output '" + llvm::Twine(output.name) +
                                 "' is smaller than the divisor's");
        bits -= other.bits;
      }
    rest.outputs.push_back({output.name, bits});
  }
  for (const Input &input : inputs) {
    size_t taken = 0;
    for (const Input &other : first.inputs)
      if (other.name == input.name)
        taken = other.bases.size();
    if (taken > input.bases.size())
      return fail(error, "input '" + llvm::Twine(input.name) +
                             "' is smaller than the divisor's");
    Input &left = rest.inputs.emplace_back();
    left.name = input.name;
    for (uint64_t base : llvm::drop_begin(input.bases, taken)) {
      llvm::SmallVector<int64_t> values = unpack(base, /*isOutput=*/true);
      for (auto [i, output] : llvm::enumerate(outputs))
        values[i] >>= output.bits - rest.outputs[i].bits;
      left.bases.push_back(rest.pack(values, /*isOutput=*/true));
    }
  }
  // Whether it is a product is decided by building it.
  std::optional<LinearLayout> product = first.multiply(rest, error);
  if (!product)
    return std::nullopt;
  auto byName = [](const auto &a, const auto &b) { return a.name < b.name; };
  auto inOrder = [&](const LinearLayout &layout) {
    std::vector<std::pair<std::string, std::vector<std::vector<int64_t>>>> all;
    for (const Input &input : layout.inputs) {
      auto &list = all.emplace_back(input.name, 0).second;
      for (uint64_t base : input.bases) {
        llvm::SmallVector<int64_t> values =
            layout.unpack(base, /*isOutput=*/true);
        std::vector<std::pair<std::string, int64_t>> named;
        for (auto [output, value] : llvm::zip_equal(layout.outputs, values))
          named.push_back({output.name, value});
        llvm::sort(named);
        auto &basis = list.emplace_back();
        for (auto &[name, value] : named)
          basis.push_back(value);
      }
    }
    llvm::sort(all);
    llvm::SmallVector<Output, 4> sizes = layout.outputs;
    llvm::sort(sizes, byName);
    return std::pair(all, sizes);
  };
  if (inOrder(*product) != inOrder(*this))
    return fail(error,
                str() + " is not a product that begins with " + first.str());
  return rest;
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

/// Whether adding some of the words never carries.
static bool areDisjoint(llvm::ArrayRef<uint64_t> words) {
  uint64_t seen = 0;
  for (uint64_t word : words) {
    if (seen & word)
      return false;
    seen |= word;
  }
  return true;
}

std::optional<LinearLayout>
LinearLayout::fromStrided(const StridedLayout &layout, std::string &error) {
  if (layout.map)
    return fail(error, "it has no strides: " + layout.whyNoStrides);
  LinearLayout result;
  int64_t last = 0;
  for (unsigned i = 0; i < layout.getRank(); ++i) {
    Input &input = result.inputs.emplace_back();
    input.name = "in" + std::to_string(i);
    for (const StridedMode &leaf : layout.getMode(i).getLeaves()) {
      if (!llvm::isPowerOf2_64(leaf.size))
        return fail(error, "size " + llvm::Twine(leaf.size) +
                               " is not a power of two");
      if (leaf.stride < 0)
        return fail(error,
                    "stride " + llvm::Twine(leaf.stride) + " is negative");
      for (int64_t bit = 1; bit < leaf.size; bit *= 2)
        input.bases.push_back(uint64_t(leaf.stride) * bit);
      last += (leaf.size - 1) * leaf.stride;
    }
  }
  if (!areDisjoint(result.getColumns()))
    return fail(error, "adding numbers of " + layout.str() + " carries");
  unsigned bits = llvm::Log2_64_Ceil(uint64_t(last) + 1);
  if (layout.swizzle) {
    if (layout.swizzle->shift < 0)
      bits =
          std::max<unsigned>(bits, layout.swizzle->base + layout.swizzle->bits -
                                       layout.swizzle->shift);
    for (Input &input : result.inputs)
      for (uint64_t &base : input.bases)
        base = layout.swizzle->apply(base);
  }
  result.outputs.push_back({"dim0", bits});
  if (std::optional<std::string> wrong = result.verify())
    return fail(error, *wrong);
  return result;
}

std::optional<StridedLayout> LinearLayout::toStrided(std::string &error) const {
  if (outputs.size() != 1)
    return fail(error, "a strided layout has one output, this one " +
                           llvm::Twine(outputs.size()));
  if (!areDisjoint(getColumns()))
    return fail(error, "bases have bits in common, so that their exclusive or "
                       "is not a sum");
  StridedLayout result;
  result.root.isList = true;
  for (const Input &input : inputs) {
    StridedMode mode;
    mode.isList = true;
    for (uint64_t base : input.bases)
      mode.modes.push_back({2, int64_t(base), false, {}, 0});
    result.root.modes.push_back(std::move(mode));
  }
  return strided::coalesceModes(result);
}
