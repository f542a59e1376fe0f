//===- NativeValues.h - What bindings of values share -----------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Value types of Core in Python: lists of integers, and the methods that every
// value has.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_PYTHON_NATIVEVALUES_H
#define TENSORACCESS_PYTHON_NATIVEVALUES_H

#include "Native.h"
#include "TensorAccess/Core/Layout.h"
#include "TensorAccess/Core/Projection.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::tensoraccess::python {

using Integers = std::vector<int64_t>;

/// A list of integers as Python's casters want it.
template <typename Range>
Integers toVector(const Range &range) {
  return Integers(range.begin(), range.end());
}

/// `[1, 2]`.
inline std::string print(llvm::ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(values, os << '[');
  os << ']';
  return text;
}

/// `i`, which must be one of `count` numbers.
inline size_t checkIndex(const llvm::Twine &what, int64_t i, size_t count) {
  if (i < 0 || i >= static_cast<int64_t>(count))
    throw Error(what + " " + llvm::Twine(i) + " must be in [0, " +
                llvm::Twine(count) + ")");
  return i;
}

/// No number may be negative.
inline void checkSizes(llvm::ArrayRef<int64_t> sizes,
                       const llvm::Twine &what = "size",
                       const llvm::Twine &rule = "must not be negative") {
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size < 0)
      throw Error(what + " " + llvm::Twine(i) + " " + rule + ", got " +
                  llvm::Twine(size));
}

/// The variable of that name.
inline unsigned findVariable(const IndexingMap &map, const std::string &name) {
  for (unsigned v = 0, e = map.getNumVariables(); v != e; ++v)
    if (map.getVariableName(v) == name)
      return v;
  throw Error("the map has no variable '" + name + "'");
}

/// A list of integers of any sequence type; anything else is an error that
/// names the entry, as Python's own says only that no signature fits.
inline Integers readIntegers(nb::handle list, const std::string &what) {
  auto repr = [](nb::handle value) {
    return std::string(nb::repr(value).c_str());
  };
  if (!PySequence_Check(list.ptr()) || nb::isinstance<nb::str>(list))
    throw Error(what + " must be a list of integers, got " + repr(list));
  Integers out;
  for (nb::handle item : list) {
    if (!PyIndex_Check(item.ptr()))
      throw Error(what + " entry " + llvm::Twine(out.size()) +
                  " must be an integer, got " + repr(item));
    nb::object index = nb::steal(PyNumber_Index(item.ptr()));
    int overflow = 0;
    out.push_back(PyLong_AsLongLongAndOverflow(index.ptr(), &overflow));
    if (overflow)
      throw Error("integer " + repr(index) + " does not fit in 64 bits");
  }
  return out;
}

/// As dict() tells mappings from lists.
inline bool isMapping(nb::handle value) {
  return nb::isinstance<nb::dict>(value) ||
         (PyMapping_Check(value.ptr()) && nb::hasattr(value, "keys"));
}

/// What has keys as a dict; else no signature fits.
inline nb::dict toDict(nb::handle mapping) {
  if (!isMapping(mapping))
    throw nb::next_overload();
  nb::dict out;
  if (PyDict_Update(out.ptr(), mapping.ptr()))
    throw nb::python_error();
  return out;
}

/// Adds `==` by value.
template <typename T>
void bindEquality(nb::class_<T> &type, const char *doc = "") {
  type.def(
      "__eq__",
      [](const T &self, nb::handle other) {
        return nb::isinstance<T>(other) && self == nb::cast<const T &>(other);
      },
      nb::arg("other").none(),
      nb::sig("def __eq__(self, other: object, /) -> bool"), doc);
}

/// Adds str and repr by the text form.
template <typename T>
void bindStrings(nb::class_<T> &type, const char *name) {
  type.def("__str__", &T::str).def("__repr__", [name](const T &self) {
    return std::string(name) + "('" + self.str() + "')";
  });
}

/// Hash by the text form.
template <typename T>
Py_hash_t hashText(const T &self) {
  return nb::hash(nb::str(self.str().c_str()));
}

constexpr const char *kReduceSignature =
    "def __reduce__(self) -> tuple[type[object], tuple[str]]";

/// Pickling by the text form, as kReduceSignature says.
inline nb::tuple reduceToText(nb::handle self) {
  return nb::make_tuple(self.type(), nb::make_tuple(nb::str(self)));
}

/// Adds what every value type has: str, repr, equality, hash and pickling by
/// the text form.
template <typename T>
void bindValue(nb::class_<T> &type, const char *name,
               const char *equality = "") {
  bindStrings(type, name);
  bindEquality(type, equality);
  type.def("__hash__",
           [](const T &self) {
             return static_cast<Py_hash_t>(
                 static_cast<size_t>(hash_value(self)) >> 1);
           })
      .def("__reduce__", &reduceToText, nb::sig(kReduceSignature));
}

/// What was read, or what is wrong with the text, and where, as an exception.
template <typename T>
T need(std::optional<T> read, std::string_view text, const ParseError &error) {
  if (!read)
    throw Error(error.message + pointAt(toRef(text), error.offset));
  return std::move(*read);
}

/// Throws what a layout lacks for an answer: a shape, static sizes if there is
/// something to say of those, or numbers that fit.
[[noreturn]] inline void throwLacking(const Layout &layout,
                                      const char *ofDynamic = nullptr) {
  if (!layout.shape)
    throw Error("layout '" + layout.str() + "' has no shape");
  if (ofDynamic && !layout.hasStaticShape())
    throw Error("layout '" + layout.str() +
                "' has dynamic sizes: " + ofDynamic);
  throw Error("the size of '" + layout.str() + "' overflows 64-bit arithmetic");
}

/// A layout's answer, or what it lacks for one as an exception.
template <typename T>
T need(std::optional<T> answer, const Layout &layout,
       const char *ofDynamic = nullptr) {
  if (!answer)
    throwLacking(layout, ofDynamic);
  return std::move(*answer);
}

/// The element type of XLA's name.
inline XlaType lookupType(std::string_view name) {
  if (std::optional<XlaType> type = XlaType::lookup(toRef(name)))
    return *type;
  throw Error("unknown element type '" + toRef(name) + "'");
}

/// Reads the text form.
template <typename T>
T parseAs(std::string_view text) {
  ParseError error;
  return need(T::parse(toRef(text), error), text, error);
}

/// Adds `T(text)`.
template <typename T>
void bindText(nb::class_<T> &type, const char *doc,
              T (*read)(std::string_view) = &parseAs<T>) {
  type.def(
      "__init__",
      [read](T *self, std::string_view text) { new (self) T(read(text)); },
      nb::arg("text"), doc);
}

/// A size as a number where it is one.
template <typename T>
nb::object asObject(const T &size) {
  return size.isConstant() ? nb::cast(size.getConstant()) : nb::cast(size);
}

template <typename Range>
nb::list asObjects(const Range &sizes) {
  nb::list list;
  for (const auto &size : sizes)
    list.append(asObject(size));
  return list;
}

/// `show`, beside `svg`.
template <typename T>
void bindShow(nb::class_<T> &type) {
  type.def(
      "show",
      [](nb::handle self, nb::object path) {
        nb::module_::import_("tensoraccess._page")
            .attr("show_svg")(self.attr("svg")(), path);
      },
      nb::arg("path") = nb::none(),
      nb::sig("def show(self, path: str | os.PathLike[str] | None = None) -> "
              "None"),
      "Opens the picture in a browser, from a temporary file or `path`.");
}

} // namespace mlir::tensoraccess::python

#endif // TENSORACCESS_PYTHON_NATIVEVALUES_H
