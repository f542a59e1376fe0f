//===- ReadEGraphJson.cpp - E-graphs of text ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is read once, from left to right, into nodes whose children are
// names; names are looked up at the end, as a child may come later. What is
// wrong is said with its line and column.
//
//===----------------------------------------------------------------------===//

#include "ReadEGraphJson.h"

#include "JsonCursor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir::tensoraccess;
using detail::JsonCursor;
using llvm::formatv;
using llvm::StringRef;

namespace {

class Reader {
public:
  explicit Reader(StringRef text) : cursor(text) {}

  std::optional<SerializedEGraph> read(std::string &problem);

private:
  /// A name, and where it stands.
  struct Name {
    std::string text;
    size_t offset = 0;
  };

  bool readName(Name &name) {
    cursor.skipSpace();
    name.offset = cursor.getOffset();
    return cursor.readString(name.text);
  }
  bool readNames(std::vector<Name> &names);
  bool readNode(StringRef name);
  bool readMember(StringRef name, StringRef key, size_t offset);
  bool readClassData();
  bool resolve();
  uint32_t getClass(StringRef name);

  JsonCursor cursor;
  SerializedEGraph result;
  llvm::StringMap<uint32_t> nodeNumbers, classNumbers;
  std::vector<uint32_t> nodeClasses;
  std::vector<std::vector<Name>> children;
  std::vector<Name> roots;
  std::vector<std::pair<Name, std::map<std::string, std::string>>> data;
  /// Of the node that is read.
  bool hasOp = false, hasClass = false;
};

} // namespace

bool Reader::readNames(std::vector<Name> &names) {
  return cursor.readArray([&] { return readName(names.emplace_back()); });
}

uint32_t Reader::getClass(StringRef name) {
  auto [found, isNew] =
      classNumbers.try_emplace(name, result.graph.getNumClasses());
  if (isNew) {
    result.graph.addClass();
    result.classes.push_back({name.str(), {}});
  }
  return found->second;
}

bool Reader::readMember(StringRef name, StringRef key, size_t offset) {
  SerializedEGraph::Node &node = result.nodes.back();
  if (key == "op") {
    hasOp = true;
    return cursor.readString(node.op);
  }
  if (key == "eclass") {
    std::string cls;
    hasClass = true;
    if (!cursor.readString(cls))
      return false;
    nodeClasses.back() = getClass(cls);
    return true;
  }
  if (key == "children")
    return readNames(children.back());
  if (key == "subsumed")
    return cursor.readBool(node.isSubsumed);
  if (key != "cost")
    return cursor.skipValue();
  cursor.skipSpace();
  const size_t begin = cursor.getOffset();
  if (!cursor.readNumber(node.cost))
    return false;
  if (std::isfinite(node.cost))
    return true;
  return cursor.fail(formatv("the cost of node '{0}' must be finite, got {1}",
                             name, cursor.getText(begin)));
}

bool Reader::readNode(StringRef name) {
  cursor.skipSpace();
  const size_t begin = cursor.getOffset();
  result.nodes.push_back({name.str(), "", 1, false});
  nodeClasses.push_back(0);
  children.emplace_back();
  hasOp = hasClass = false;
  if (!cursor.readObject([&](StringRef key, size_t offset) {
        return readMember(name, key, offset);
      }))
    return false;
  if (hasOp && hasClass)
    return true;
  return cursor.fail(
      formatv("node '{0}' has no '{1}'", name, hasOp ? "eclass" : "op"), begin);
}

bool Reader::readClassData() {
  return cursor.readObject([&](StringRef name, size_t offset) {
    auto &[key, members] = data.emplace_back();
    key = {name.str(), offset};
    return cursor.readObject([&, &members = members](StringRef member, size_t) {
      // A null type is absent.
      if (cursor.skipNull())
        return true;
      return cursor.readString(members[member.str()]);
    });
  });
}

/// Looks up what the names stand for.
bool Reader::resolve() {
  llvm::SmallVector<uint32_t, 8> operands;
  for (auto [cls, names] : llvm::zip_equal(nodeClasses, children)) {
    operands.clear();
    for (const Name &name : names) {
      auto found = nodeNumbers.find(name.text);
      if (found == nodeNumbers.end())
        return cursor.fail(formatv("child '{0}' is not a node", name.text),
                           name.offset);
      operands.push_back(nodeClasses[found->second]);
    }
    result.graph.addNode(cls, operands);
  }
  auto find = [&](const Name &name, const char *what, uint32_t &cls) {
    auto found = classNumbers.find(name.text);
    if (found == classNumbers.end())
      return cursor.fail(
          formatv("{0} '{1}' is the class of no node", what, name.text),
          name.offset);
    cls = found->second;
    return true;
  };
  for (const Name &name : roots)
    if (!find(name, "root", result.roots.emplace_back()))
      return false;
  for (auto &[name, members] : data) {
    uint32_t cls;
    if (!find(name, "class", cls))
      return false;
    result.classes[cls].data = std::move(members);
  }
  return true;
}

std::optional<SerializedEGraph> Reader::read(std::string &problem) {
  bool hasNodes = false;
  bool isRead = cursor.readObject([&](StringRef key, size_t) {
    if (key == "nodes") {
      hasNodes = true;
      return cursor.readObject([&](StringRef name, size_t) {
        nodeNumbers.try_emplace(name, result.nodes.size());
        return readNode(name);
      });
    }
    if (key == "root_eclasses")
      return readNames(roots);
    if (key == "class_data")
      return readClassData();
    return cursor.skipValue();
  });
  isRead = isRead && cursor.expectEnd() &&
           (hasNodes || cursor.fail("the e-graph has no 'nodes'", 0)) &&
           resolve();
  if (!isRead) {
    problem = cursor.getProblem();
    return std::nullopt;
  }
  return std::move(result);
}

std::optional<SerializedEGraph>
mlir::tensoraccess::readEGraphJson(StringRef text, std::string &problem) {
  return Reader(text).read(problem);
}
