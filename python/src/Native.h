//===- Native.h - What the files of the native module share -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Python values are thin: each holds a value of Core, or an operation and the
// session it lives in. Nothing is computed here.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_NATIVE_H
#define TENSORACCESS_PYTHON_NATIVE_H

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "Interrupt.h"
#include "TensorAccess/Core/Checked.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mlir::tensoraccess::python {
namespace nb = nanobind;

/// Answers by name, of several types.
using Record = nb::typed<nb::dict, std::string, nb::any>;

/// Arrives in Python as `tensoraccess.Error`, a ValueError.
struct Error : std::runtime_error {
  explicit Error(const llvm::Twine &message)
      : std::runtime_error(message.str()) {}
};

/// The answer, or the reason why there is none as an exception.
template <typename T>
T need(std::optional<T> answer, const std::string &error) {
  if (!answer)
    throw Error(error);
  return std::move(*answer);
}

template <typename T>
T need(llvm::Expected<T> answer) {
  if (!answer)
    throw Error(llvm::toString(answer.takeError()));
  return std::move(*answer);
}

/// Throws what is wrong, if something is.
inline void check(const std::optional<std::string> &problem) {
  if (problem)
    throw Error(*problem);
}

inline llvm::StringRef toRef(std::string_view s) {
  return {s.data(), s.size()};
}

/// std::nullopt for an empty text.
inline std::optional<std::string> orNone(const std::string &text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// std::nullopt for sizes that are not known.
inline std::vector<std::optional<int64_t>>
toSizes(llvm::ArrayRef<int64_t> shape) {
  std::vector<std::optional<int64_t>> sizes;
  for (int64_t size : shape)
    sizes.push_back(size == kDynamicSize ? std::nullopt : std::optional(size));
  return sizes;
}

/// (name, summary) of each.
template <typename Range>
std::vector<std::pair<std::string, std::string>>
toSummaries(const Range &infos) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto &info : infos)
    out.emplace_back(std::string(info.name), std::string(info.summary));
  return out;
}

/// Two lines that show where in a text, as compilers do.
std::string pointAt(llvm::StringRef text, size_t offset);

void bindAccess(nb::module_ &m);
void bindBlockCost(nb::module_ &m);
void bindBlockFootprints(nb::module_ &m);
void bindBoxes(nb::module_ &m);
void bindCoalescing(nb::module_ &m);
void bindContracts(nb::module_ &m);
void bindDerivatives(nb::module_ &m);
void bindEGraph(nb::module_ &m);
void bindEquivalence(nb::module_ &m);
void bindIndexingMap(nb::module_ &m);
void bindFootprints(nb::module_ &m);
void bindIndexing(nb::module_ &m);
void bindLayoutAnswers(nb::module_ &m);
void bindLayouts(nb::module_ &m);
void bindStridedLayouts(nb::module_ &m);
void bindOpCost(nb::module_ &m);
void bindLayoutConvert(nb::module_ &m);
void bindMemory(nb::module_ &m);
void bindModule(nb::module_ &m);
void bindExecutable(nb::module_ &m);
void bindExport(nb::module_ &m);
void bindInterpreter(nb::module_ &m);
void bindPack(nb::module_ &m);
void bindPlan(nb::module_ &m);
void bindProgram(nb::module_ &m);
void bindProjections(nb::module_ &m);
void bindProjectionValues(nb::module_ &m);
void bindShards(nb::module_ &m);
void bindTargets(nb::module_ &m);
void bindTile(nb::module_ &m);
void bindTools(nb::module_ &m);
void bindFusion(nb::module_ &m);

} // namespace mlir::tensoraccess::python

//===----------------------------------------------------------------------===//
// Integers beyond 64 bits are a ta.Error that names them, as parsing text with
// such a number is; nanobind's own casters would say that no signature fits.
// Inside of optionals and nested lists they still do.
//===----------------------------------------------------------------------===//

namespace nanobind::detail {

template <typename T, unsigned N>
struct type_caster<llvm::SmallVector<T, N>>
    : list_caster<llvm::SmallVector<T, N>, T> {};

/// Remembers an integer that does not fit until the value is asked for.
class Int64Limit {
public:
  bool isBroken() const { return !tooLarge.empty(); }
  void check() const {
    if (isBroken())
      throw mlir::tensoraccess::python::Error("integer " + tooLarge +
                                              " does not fit in 64 bits");
  }
  /// Reads an integer; true also for one that does not fit.
  bool read(PyObject *object, int64_t &value) noexcept {
    if (!PyIndex_Check(object))
      return false;
    PyObject *index = PyNumber_Index(object);
    if (!index) {
      PyErr_Clear();
      return false;
    }
    int overflow = 0;
    value = PyLong_AsLongLongAndOverflow(index, &overflow);
    if (overflow && !isBroken()) {
      tooLarge = "beyond";
      if (PyObject *text = PyObject_Str(index)) {
        tooLarge = PyUnicode_AsUTF8(text);
        Py_DECREF(text);
      }
    }
    Py_DECREF(index);
    PyErr_Clear();
    return true;
  }

private:
  std::string tooLarge;
};

template <>
struct type_caster<int64_t> {
  using Value = int64_t;
  static constexpr auto Name = const_name("int");
  template <typename T>
  using Cast = movable_cast_t<T>;
  template <typename T>
  bool can_cast() const noexcept {
    return !limit.isBroken();
  }
  bool from_python(handle src, uint32_t, cleanup_list *) noexcept {
    return limit.read(src.ptr(), value);
  }
  static handle from_cpp(int64_t src, rv_policy, cleanup_list *) noexcept {
    return PyLong_FromLongLong(src);
  }
  explicit operator Value *() { return &value; }
  explicit operator Value &() {
    limit.check();
    return value;
  }
  explicit operator Value &&() {
    limit.check();
    return static_cast<Value &&>(value);
  }

  Value value = 0;
  Int64Limit limit;
};

template <>
struct type_caster<std::vector<int64_t>>
    : list_caster<std::vector<int64_t>, int64_t> {
  using Base = list_caster<std::vector<int64_t>, int64_t>;
  template <typename T>
  bool can_cast() const noexcept {
    return !limit.isBroken();
  }
  bool from_python(handle src, uint32_t flags, cleanup_list *list) noexcept {
    if (Base::from_python(src, flags, list))
      return true;
    // A list of integers, one of which is too large?
    PyObject *items = PySequence_Fast(src.ptr(), "");
    bool areIntegers = items != nullptr;
    for (Py_ssize_t i = 0; areIntegers && i < PySequence_Fast_GET_SIZE(items);
         ++i) {
      int64_t ignored;
      areIntegers = limit.read(PySequence_Fast_GET_ITEM(items, i), ignored);
    }
    Py_XDECREF(items);
    PyErr_Clear();
    return areIntegers && limit.isBroken();
  }
  explicit operator Value *() { return &value; }
  explicit operator Value &() {
    limit.check();
    return value;
  }
  explicit operator Value &&() {
    limit.check();
    return static_cast<Value &&>(value);
  }

  Int64Limit limit;
};

} // namespace nanobind::detail

#endif // TENSORACCESS_PYTHON_NATIVE_H
