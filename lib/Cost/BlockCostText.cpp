//===- BlockCostText.cpp - Costs of a machine as a text -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text is a list of statements, each begun by its keyword; white space and
// comments separate. Rates may come in any order, each at most once; they are
// printed in one order, without those that are zero.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/Projection.h"
#include "TensorAccess/Core/TextScanner.h"
#include "TensorAccess/Cost/Cost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir::tensoraccess;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {
/// A rate of an op by its name in the text.
struct RateName {
  const char *name;
  double OpRates::*rate;
};
constexpr RateName kRates[] = {
    {"start", &OpRates::start},
    {"point", &OpRates::point},
    {"byte", &OpRates::byte},
    {"scratch", &OpRates::scratch},
    {"scratch_point", &OpRates::scratchPoint},
    {"energy_point", &OpRates::energyPoint},
    {"energy_byte", &OpRates::energyByte},
};
struct LinkName {
  const char *name;
  double Network::*rate;
};
constexpr LinkName kLinks[] = {
    {"latency", &Network::latency},
    {"bandwidth", &Network::bandwidth},
    {"overhead", &Network::overhead},
    {"energy", &Network::energy},
};

class CostReader {
public:
  CostReader(StringRef text, ParseError &error) : scan(text, error) {}
  std::optional<CostModel> read();
  /// `key = value, …`, and nothing after it.
  bool readAllRates(OpRates &rates) {
    return readRates(rates) &&
           (scan.atEnd() || scan.failExpecting("',' or the end of the rates"));
  }

private:
  bool readNumber(double &number);
  bool readNumbers(llvm::SmallVectorImpl<double> &numbers, StringRef what);
  bool readName(std::string &name, StringRef what);
  bool readKeys(llvm::function_ref<bool(StringRef)> readValue,
                StringRef allowed);
  bool readRates(OpRates &rates);
  bool readCliffList(llvm::SmallVectorImpl<CostCliff> &cliffs, StringRef what);
  bool readCliffs();
  bool readOp();
  bool readNetwork();

  TextScanner scan;
  CostModel model;
};
} // namespace

static bool isNameCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' || c == '*';
}

bool CostReader::readNumber(double &number) {
  const size_t where = scan.position();
  StringRef text = scan.rest().take_while([](char c) {
    return llvm::isAlnum(c) || c == '.' || c == '-' || c == '+';
  });
  if (text.empty() ||
      text.find_first_not_of("0123456789.eE+-") != StringRef::npos)
    return scan.failExpecting("a number");
  if (text.getAsDouble(number) || !std::isfinite(number))
    return scan.fail(where,
                     "'" + text.take_front(24) + "' is not a decimal number");
  scan.skip(text.size());
  return true;
}

bool CostReader::readNumbers(llvm::SmallVectorImpl<double> &numbers,
                             StringRef what) {
  numbers.clear();
  return scan.parseList('[', ']', what,
                        [&] { return readNumber(numbers.emplace_back()); });
}

bool CostReader::readName(std::string &name, StringRef what) {
  StringRef text = scan.rest().take_while(isNameCharacter);
  if (text.empty())
    return scan.failExpecting(what);
  name = text.str();
  scan.skip(text.size());
  return true;
}

/// `key = value, key = value`.
bool CostReader::readKeys(llvm::function_ref<bool(StringRef)> readValue,
                          StringRef allowed) {
  llvm::StringSet<> seen;
  do {
    const size_t where = scan.position();
    StringRef key = scan.peekWord();
    if (!seen.insert(key).second)
      return scan.fail(where, key + " is given twice");
    SmallVector<StringRef, 8> keys;
    allowed.split(keys, ' ');
    if (!llvm::is_contained(keys, key))
      return scan.failExpecting("one of " + allowed.str());
    scan.skip(key.size());
    if (!scan.expect('=', "'=' after " + key.str()) || !readValue(key))
      return false;
  } while (scan.consumeIf(','));
  return true;
}

bool CostReader::readCliffList(llvm::SmallVectorImpl<CostCliff> &cliffs,
                               StringRef what) {
  cliffs.clear();
  return scan.parseList('[', ']', what, [&] {
    CostCliff &cliff = cliffs.emplace_back();
    return scan.parseInteger(cliff.bytes, "a number of bytes") &&
           scan.expect(':', "':' before the factor of a cliff") &&
           readNumber(cliff.factor);
  });
}

bool CostReader::readCliffs() {
  if (!model.cliffs.empty())
    return scan.fail(scan.position(), "cliffs are given twice");
  return readCliffList(model.cliffs, "cliffs");
}

bool CostReader::readRates(OpRates &rates) {
  return readKeys(
      [&](StringRef key) {
        if (key == "axes")
          return readNumbers(rates.axes, "axes");
        if (key == "scratch_axes")
          return readNumbers(rates.scratchAxes, "scratch_axes");
        if (key == "panel")
          return readCliffList(rates.panel, "panel");
        if (key == "lanes")
          return scan.parseInteger(rates.lanes, "a number of lanes");
        for (const RateName &rate : kRates)
          if (key == rate.name)
            return readNumber(rates.*rate.rate);
        return false;
      },
      "start point byte scratch scratch_point energy_point energy_byte lanes "
      "panel axes scratch_axes");
}

bool CostReader::readOp() {
  OpRates rates;
  const size_t where = scan.position();
  if (!readName(rates.name, "the name of an op"))
    return false;
  if (model.findExactly(rates.name))
    return scan.fail(where, "op " + rates.name + " is given twice");
  if (!scan.expect(':', "':' before rates") || !readRates(rates))
    return false;
  model.setRates(std::move(rates));
  return true;
}

bool CostReader::readNetwork() {
  if (model.network)
    return scan.fail(scan.position(), "the network is given twice");
  Network &network = model.network.emplace();
  StringRef kind = scan.peekWord();
  if (kind != "mesh" && kind != "torus")
    return scan.failExpecting("mesh or torus");
  network.isTorus = kind == "torus";
  scan.skip(kind.size());
  do {
    if (!scan.parseInteger(network.shape.emplace_back(), "a number of ranks"))
      return false;
  } while (scan.consumeIf('x'));
  if (!scan.expect(':', "':' before rates"))
    return false;
  return readKeys(
      [&](StringRef key) {
        for (const LinkName &rate : kLinks)
          if (key == rate.name)
            return readNumber(network.*rate.rate);
        return false;
      },
      "latency bandwidth overhead energy");
}

std::optional<CostModel> CostReader::read() {
  bool hasMachine = false;
  while (!scan.atEnd()) {
    const size_t where = scan.position();
    StringRef keyword = scan.peekWord();
    bool isFine = false;
    if (keyword == "machine" || keyword == "cliffs" || keyword == "op" ||
        keyword == "network")
      scan.skip(keyword.size());
    if (keyword == "machine") {
      isFine = hasMachine ? scan.fail(where, "the machine is given twice")
                          : readName(model.machine, "the name of a machine");
      hasMachine = true;
    } else if (keyword == "cliffs") {
      isFine = readCliffs();
    } else if (keyword == "op") {
      isFine = readOp();
    } else if (keyword == "network") {
      isFine = readNetwork();
    } else {
      scan.failExpecting("machine, cliffs, op or network");
    }
    if (!isFine)
      return std::nullopt;
    if (std::optional<std::string> problem = model.verify()) {
      scan.fail(where, *problem);
      return std::nullopt;
    }
  }
  if (!hasMachine) {
    scan.fail(scan.position(), "costs must name their machine");
    return std::nullopt;
  }
  return std::move(model);
}

std::optional<CostModel> CostModel::parse(StringRef text, ParseError &error) {
  // Comments become blanks, so that offsets stay what they are.
  std::string plain = text.str();
  bool isComment = false;
  for (char &c : plain) {
    isComment = c != '\n' && (isComment || c == '#');
    if (isComment)
      c = ' ';
  }
  return CostReader(plain, error).read();
}

std::optional<OpRates> OpRates::parse(StringRef text, OpRates base,
                                      ParseError &error) {
  if (!CostReader(text, error).readAllRates(base))
    return std::nullopt;
  if (std::optional<std::string> problem = base.verify()) {
    error = {*problem, 0};
    return std::nullopt;
  }
  return base;
}

static bool isRate(double rate) { return std::isfinite(rate) && rate >= 0; }
static std::string print(double rate) { return PadValue(rate).str(); }

/// std::nullopt if cliffs ascend; `where` is `` or ` of the panel of op a`.
static std::optional<std::string> checkCliffs(ArrayRef<CostCliff> cliffs,
                                              const std::string &where) {
  for (auto [i, cliff] : llvm::enumerate(cliffs)) {
    if (cliff.bytes < 1)
      return "cliff " + std::to_string(i) + where +
             " must be at a positive number of bytes, got " +
             std::to_string(cliff.bytes);
    if (i != 0 && cliff.bytes <= cliffs[i - 1].bytes)
      return "cliffs" + where + " must ascend, got " +
             std::to_string(cliff.bytes) + " after " +
             std::to_string(cliffs[i - 1].bytes);
    if (!isRate(cliff.factor))
      return "the factor of cliff " + std::to_string(i) + where +
             " must be finite and not negative, got " + print(cliff.factor);
  }
  return std::nullopt;
}

std::optional<std::string> OpRates::verify() const {
  if (StringRef(name).starts_with("*") && dropCostFamily(name) != "*")
    return "op " + name + " must be *, *.map, *.move, *.sum or *.chain";
  for (const RateName &rate : kRates)
    if (!isRate(this->*rate.rate))
      return std::string(rate.name) + " of op " + name +
             " must be finite and not negative, got " + print(this->*rate.rate);
  if (lanes < 1)
    return "lanes of op " + name + " must be positive, got " +
           std::to_string(lanes);
  if (std::optional<std::string> problem =
          checkCliffs(panel, " of the panel of op " + name))
    return problem;
  for (auto [what, list] :
       {std::pair("axes", ArrayRef<double>(axes)),
        std::pair("scratch_axes", ArrayRef<double>(scratchAxes))})
    for (auto [i, rate] : llvm::enumerate(list))
      if (!isRate(rate))
        return std::string(what) + " entry " + std::to_string(i) + " of op " +
               name + " must be finite and not negative, got " + print(rate);
  return std::nullopt;
}

std::optional<std::string> BlockCost::verify() const {
  for (auto [what, value] :
       {std::pair("seconds", seconds), std::pair("scratch bytes", scratchBytes),
        std::pair("joules", joules)})
    if (!isRate(value))
      return std::string(what) + " must be finite and not negative, got " +
             print(value);
  return std::nullopt;
}

std::optional<std::string> CostModel::verify() const {
  if (std::optional<std::string> problem = checkCliffs(cliffs, ""))
    return problem;
  for (const OpRates &rates : ops)
    if (std::optional<std::string> problem = rates.verify())
      return problem;
  if (!network)
    return std::nullopt;
  for (auto [i, extent] : llvm::enumerate(network->shape))
    if (extent < 1)
      return "extent " + std::to_string(i) +
             " of the network must be positive, got " + std::to_string(extent);
  if (!network->getNumRanks())
    return std::string("the network has more than 2^63 - 1 ranks");
  for (const LinkName &rate : kLinks)
    if (!isRate((*network).*rate.rate))
      return std::string(rate.name) +
             " of the network must be finite and not negative, got " +
             print((*network).*rate.rate);
  if (!(network->bandwidth > 0))
    return "bandwidth of the network must be positive, got " +
           print(network->bandwidth);
  return std::nullopt;
}

std::string CostModel::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto printCliffs = [&](ArrayRef<CostCliff> list) {
    os << "[";
    llvm::interleaveComma(list, os, [&](const CostCliff &cliff) {
      os << cliff.bytes << ": " << print(cliff.factor);
    });
    os << "]";
  };
  os << "machine " << machine << "\n";
  if (!cliffs.empty()) {
    os << "cliffs ";
    printCliffs(cliffs);
    os << "\n";
  }
  for (const OpRates &rates : ops) {
    os << "op " << rates.name;
    StringRef separator = ": ";
    for (const RateName &rate : kRates) {
      // An op needs a rate to be one: the first is always there.
      if (rates.*rate.rate == 0 && rate.rate != &OpRates::start)
        continue;
      os << separator << rate.name << " = " << print(rates.*rate.rate);
      separator = ", ";
    }
    if (rates.lanes != 1)
      os << ", lanes = " << rates.lanes;
    if (!rates.panel.empty()) {
      os << ", panel = ";
      printCliffs(rates.panel);
    }
    for (auto [what, list] :
         {std::pair("axes", ArrayRef<double>(rates.axes)),
          std::pair("scratch_axes", ArrayRef<double>(rates.scratchAxes))}) {
      if (list.empty())
        continue;
      os << separator << what << " = [";
      llvm::interleaveComma(list, os, [&](double rate) { os << print(rate); });
      os << "]";
    }
    os << "\n";
  }
  if (network) {
    os << "network " << (network->isTorus ? "torus " : "mesh ");
    llvm::interleave(network->shape, os, "x");
    StringRef separator = ": ";
    for (const LinkName &rate : kLinks) {
      os << separator << rate.name << " = " << print((*network).*rate.rate);
      separator = ", ";
    }
    os << "\n";
  }
  return text;
}
