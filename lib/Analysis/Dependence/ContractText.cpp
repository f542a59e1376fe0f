//===- ContractText.cpp - Contracts from text -----------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   contract  ::= NAME `(` item (`,` item)* `)` | [`result` N `,` `arg` N `:`] MAP
//   item      ::= (`result` | `arg`) N [`dim` N [`in` `[` N `,` N `]`]]
//                 [`where` `arg` N (`==` | `!=`) N] | N
//
// Numbers of results, arguments and dimensions are checked where they are read.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Analysis/Contracts.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// An item of the list.
struct Item {
  enum class Kind : uint8_t { Result, Argument, Number };
  Kind kind = Kind::Number;
  /// The value's or the plain number.
  int64_t number = 0;
  std::optional<unsigned> dim;
  std::optional<Interval> interval;
  std::optional<unsigned> where;
  bool isEqual = true;
  int64_t whereNumber = 0;
};

class Reader {
public:
  Reader(StringRef text, FunctionOpInterface function, std::string &error)
      : rest(text), function(function), error(error) {}

  std::optional<Contract> read(StringRef text);

private:
  bool fail(const Twine &message) {
    if (error.empty())
      error = message.str();
    return false;
  }
  void skip() { rest = rest.ltrim(); }
  bool accept(StringRef token) {
    skip();
    return rest.consume_front(token);
  }
  bool expect(StringRef token) {
    return accept(token) ||
           fail("expected '" + token + "', got '" + getNext() + "'");
  }
  /// A word or a symbol, for messages.
  StringRef getNext() {
    skip();
    StringRef word = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; });
    return rest.empty()   ? "end of text"
           : word.empty() ? rest.take_front(1)
                          : word;
  }
  bool readNumber(int64_t &number) {
    skip();
    StringRef digits = rest;
    digits.consume_front("-");
    digits = digits.take_while([](char c) { return llvm::isDigit(c); });
    StringRef all(rest.data(), digits.end() - rest.data());
    if (digits.empty() || all.getAsInteger(10, number))
      return fail("expected a number, got '" + getNext() + "'");
    rest = rest.drop_front(all.size());
    return true;
  }
  std::optional<RankedTensorType> getType(bool isResult, int64_t number);
  bool readValue(bool isResult, int64_t &number);
  bool readItem(Item &item);
  bool finish(StringRef name, ArrayRef<Item> items, Contract &contract);
  bool checkPrefix(unsigned short_, unsigned long_, bool isResult);

  StringRef rest;
  FunctionOpInterface function;
  std::string &error;
};
} // namespace

static ArrayRef<int64_t> getShapeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() ? shaped.getShape() : ArrayRef<int64_t>();
}

bool Reader::readValue(bool isResult, int64_t &number) {
  if (!readNumber(number))
    return false;
  const int64_t count =
      isResult ? function.getNumResults() : function.getNumArguments();
  if (number < 0 || number >= count)
    return fail((isResult ? "result " : "arg ") + Twine(number) + ": there " +
                (count == 1 ? "is 1 " : "are " + Twine(count) + " ") +
                (isResult ? "result" : "argument") + (count == 1 ? "" : "s"));
  return true;
}

bool Reader::readItem(Item &item) {
  const bool isResult = accept("result");
  if (!isResult && !accept("arg"))
    return readNumber(item.number);
  item.kind = isResult ? Item::Kind::Result : Item::Kind::Argument;
  if (!readValue(isResult, item.number))
    return false;
  Type type = isResult ? function.getResultTypes()[item.number]
                       : function.getArgumentTypes()[item.number];
  ArrayRef<int64_t> shape = getShapeOf(type);
  std::string name =
      ((isResult ? "result " : "arg ") + Twine(item.number)).str();
  if (accept("dim")) {
    int64_t dim;
    if (!readNumber(dim))
      return false;
    if (dim < 0 || dim >= int64_t(shape.size()))
      return fail(name + " dim " + Twine(dim) + ": it has " +
                  Twine(shape.size()) +
                  (shape.size() == 1 ? " dimension" : " dimensions"));
    item.dim = dim;
    if (accept("in")) {
      Interval interval;
      if (!expect("[") || !readNumber(interval.lower) || !expect(",") ||
          !readNumber(interval.upper) || !expect("]"))
        return false;
      if (interval.lower < 0 || interval.lower > interval.upper ||
          (!ShapedType::isDynamic(shape[dim]) && interval.upper >= shape[dim]))
        return fail(name + " dim " + Twine(dim) + " in [" +
                    Twine(interval.lower) + ", " + Twine(interval.upper) +
                    "]: its indices are in [0, " + Twine(shape[dim] - 1) + "]");
      item.interval = interval;
    }
  }
  if (accept("where")) {
    int64_t where;
    if (!expect("arg") || !readValue(/*isResult=*/false, where))
      return false;
    item.isEqual = accept("==");
    if (!item.isEqual && !expect("!="))
      return false;
    if (!readNumber(item.whereNumber))
      return false;
    item.where = where;
  }
  return true;
}

/// The shape of argument `shortOne` begins that of the other value.
bool Reader::checkPrefix(unsigned shortOne, unsigned longOne, bool isResult) {
  ArrayRef<int64_t> a = getShapeOf(function.getArgumentTypes()[shortOne]);
  ArrayRef<int64_t> b =
      getShapeOf(isResult ? function.getResultTypes()[longOne]
                          : function.getArgumentTypes()[longOne]);
  if (a.size() <= b.size() && b.take_front(a.size()) == a &&
      !ShapedType::isDynamicShape(a))
    return true;
  return fail("arg " + Twine(shortOne) + ": its shape must begin that of " +
              (isResult ? "result " : "arg ") + Twine(longOne));
}

bool Reader::finish(StringRef name, ArrayRef<Item> items, Contract &contract) {
  using Kind = Contract::Kind;
  contract.kind = llvm::StringSwitch<Kind>(name)
                      .Case("causal", Kind::Causal)
                      .Case("independent", Kind::Independent)
                      .Case("within", Kind::Within)
                      .Case("ignores", Kind::Ignores)
                      .Case("segments", Kind::Segments)
                      .Default(Kind::Reads);
  auto isValue = [&](size_t i, Item::Kind kind) {
    return i < items.size() && items[i].kind == kind;
  };
  const bool hasResult = isValue(0, Item::Kind::Result);
  if (hasResult)
    contract.result = items[0].number;
  if (!isValue(hasResult, Item::Kind::Argument))
    return fail(name + (hasResult ? ": expected 'arg' after the result"
                                  : ": expected 'result' or 'arg'"));
  const Item &argument = items[hasResult];
  contract.argument = argument.number;
  contract.argumentDim = argument.dim.value_or(0);
  size_t used = hasResult + 1;
  switch (contract.kind) {
  case Kind::Within:
    if (!isValue(used, Item::Kind::Number))
      return fail(name + ": expected a radius after the argument");
    contract.past = contract.future = items[used++].number;
    if (isValue(used, Item::Kind::Number))
      contract.future = items[used++].number;
    if (contract.past < 0 || contract.future < 0)
      return fail(name + ": a radius must not be negative, got " +
                  Twine(std::min(contract.past, contract.future)));
    [[fallthrough]];
  case Kind::Causal:
  case Kind::Independent:
    if (!hasResult || !items[0].dim || !argument.dim)
      return fail(name + ": expected 'result N dim N, arg N dim N'");
    contract.resultDim = *items[0].dim;
    break;
  case Kind::Ignores:
    contract.interval = argument.interval;
    if (argument.where) {
      if (!argument.isEqual)
        return fail(name + ": an argument is ignored where another is '==' a "
                           "number, got '!='");
      contract.where = argument.where;
      contract.number = argument.whereNumber;
      if (!checkPrefix(*contract.where, contract.argument, false))
        return false;
    }
    if (hasResult && items[0].where) {
      if (items[0].where != contract.where || items[0].isEqual ||
          items[0].whereNumber != contract.number)
        return fail(name + ": a result's 'where' must be the argument's with "
                           "'!='");
      contract.isOutputWhere = true;
      if (!checkPrefix(*contract.where, *contract.result, true))
        return false;
    }
    break;
  case Kind::Segments: {
    Type type = function.getArgumentTypes()[contract.argument];
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasStaticShape() || shaped.getRank() == 0 ||
        !shaped.getElementType().isIntOrIndex())
      return fail("segments: arg " + Twine(contract.argument) +
                  " must be a tensor of integers");
    break;
  }
  case Kind::Reads:
    return fail("no contract '" + name +
                "', there are causal, independent, within, ignores, segments");
  }
  if (used != items.size())
    return fail(name + ": expected " + Twine(used) +
                (used == 1 ? " part, got " : " parts, got ") +
                Twine(items.size()));
  return true;
}

std::optional<Contract> Reader::read(StringRef text) {
  Contract contract;
  contract.text = text.trim().str();
  skip();
  StringRef start = rest;
  if (rest.starts_with("(") || rest.starts_with("result")) {
    contract.kind = Contract::Kind::Reads;
    contract.result = 0;
    int64_t number;
    if (accept("result")) {
      if (!readValue(true, number) || !expect(","))
        return std::nullopt;
      contract.result = number;
      if (!expect("arg") || !readValue(false, number) || !expect(":"))
        return std::nullopt;
      contract.argument = number;
      skip();
    } else if (function.getNumResults() == 0 ||
               function.getNumArguments() == 0) {
      fail("the function has no result or no argument");
      return std::nullopt;
    }
    ParseError parseError;
    auto map = IndexingMap::parse(rest, parseError);
    if (!map) {
      fail(parseError.message);
      return std::nullopt;
    }
    ArrayRef<int64_t> shape =
        getShapeOf(function.getResultTypes()[*contract.result]);
    const size_t in = shape.size(),
                 out =
                     getShapeOf(function.getArgumentTypes()[contract.argument])
                         .size();
    if (map->isUnknown() || map->getNumDims() != in ||
        map->getNumResults() != out || map->getNumRuntime() != 0) {
      fail("the map must have " + Twine(in) + " dims and " + Twine(out) +
           " results, and no runtime variables");
      return std::nullopt;
    }
    for (auto [d, range, size] : llvm::enumerate(map->getDimRanges(), shape))
      if (!range.isEmpty() &&
          (range.lower < 0 || (size >= 0 && range.upper >= size))) {
        fail("d" + Twine(d) + " in [" + Twine(range.lower) + ", " +
             Twine(range.upper) + "]: result " + Twine(*contract.result) +
             " dim " + Twine(d) + " has indices in [0, " + Twine(size - 1) +
             "]");
        return std::nullopt;
      }
    contract.map = *map;
    return contract;
  }
  StringRef name =
      start.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  rest = start.drop_front(name.size());
  if (name.empty()) {
    fail("expected a contract, got '" + getNext() + "'");
    return std::nullopt;
  }
  if (!expect("("))
    return std::nullopt;
  SmallVector<Item> items;
  do {
    items.emplace_back();
    if (!readItem(items.back()))
      return std::nullopt;
  } while (accept(","));
  if (!accept(")")) {
    fail("expected ',' or ')', got '" + getNext() + "'");
    return std::nullopt;
  }
  skip();
  if (!rest.empty()) {
    fail("expected the end of the contract, got '" + getNext() + "'");
    return std::nullopt;
  }
  if (!finish(name, items, contract))
    return std::nullopt;
  return contract;
}

std::optional<Contract> Contract::parse(StringRef text,
                                        FunctionOpInterface function,
                                        std::string &error) {
  error.clear();
  return Reader(text, function, error).read(text);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

std::optional<std::vector<Assumption>>
Assumption::parse(StringRef text, FunctionOpInterface function,
                  std::string &error) {
  error.clear();
  std::vector<Assumption> assumptions;
  StringRef rest = text;
  auto fail = [&](const Twine &message) {
    error = message.str();
    return std::nullopt;
  };
  auto accept = [&](StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  };
  auto readFloat = [&](double &number) {
    rest = rest.ltrim();
    StringRef word = rest.take_while([](char c) {
      return llvm::isAlnum(c) || c == '.' || c == '-' || c == '+';
    });
    rest = rest.drop_front(word.size());
    return !word.getAsDouble(number);
  };
  while (!rest.trim().empty()) {
    Assumption assumption;
    StringRef start = rest.ltrim();
    const bool isMagnitude = accept("|");
    unsigned number;
    if (!accept("arg"))
      return fail("expected 'arg N in [A, B]' or '|arg N| <= A', got '" +
                  start + "'");
    rest = rest.ltrim();
    if (rest.consumeInteger(10, number))
      return fail("expected the number of an argument, got '" + start + "'");
    if (number >= function.getNumArguments())
      return fail("arg " + Twine(number) + ": there are " +
                  Twine(function.getNumArguments()) + " arguments");
    assumption.argument = number;
    const bool isRead =
        isMagnitude
            ? accept("|") && accept("<=") && readFloat(assumption.high)
            : accept("in") && accept("[") && readFloat(assumption.low) &&
                  accept(",") && readFloat(assumption.high) && accept("]");
    if (isMagnitude)
      assumption.low = -assumption.high;
    if (!isRead)
      return fail("expected 'arg N in [A, B]' or '|arg N| <= A', got '" +
                  start + "'");
    if (!(assumption.low <= assumption.high))
      return fail("no number is between the bounds of '" +
                  start.drop_back(rest.size()).rtrim() + "'");
    assumption.text = start.drop_back(rest.size()).rtrim().str();
    assumptions.push_back(std::move(assumption));
    if (!accept(",") && !accept("and") && !rest.trim().empty())
      return fail("expected ',' or 'and', got '" + rest.trim() + "'");
  }
  return assumptions;
}
