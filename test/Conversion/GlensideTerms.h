//===- GlensideTerms.h - Terms of Glenside as text --------------*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes terms with their shapes, and random ones of a shape that is asked for.
// A term may be *spoiled*: an op of the second side of an equation gets other
// arguments. Whether these are legal, and the value is another one, is for the
// caller to find out.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_CONVERSION_GLENSIDETERMS_H
#define TENSORACCESS_TEST_CONVERSION_GLENSIDETERMS_H

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace glenside {

using Sizes = std::vector<int64_t>;

/// A term of an access pattern: its sizes, the first `split` of them access
/// dimensions.
struct Term {
  std::string text;
  Sizes shape;
  int64_t split = 0;

  int64_t rank() const { return shape.size(); }
  Sizes points() const { return Sizes(shape.begin(), shape.begin() + split); }
  Sizes item() const { return Sizes(shape.begin() + split, shape.end()); }
};

inline std::string list(const Sizes &sizes, const char *head) {
  std::string text = std::string("(") + head;
  for (int64_t size : sizes)
    text += " " + std::to_string(size);
  return text + ")";
}

inline int64_t product(const Sizes &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                         std::multiplies<>());
}

inline Sizes join(Sizes a, const Sizes &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class Writer {
public:
  explicit Writer(unsigned seed) : generator(seed) {}

  /// From 0 to n-1.
  int64_t pick(int64_t n) { return generator() % n; }
  int64_t between(int64_t low, int64_t high) {
    return low + pick(high - low + 1);
  }
  Sizes sizes(unsigned count, int64_t high = 4) {
    Sizes result;
    while (result.size() < count)
      result.push_back(between(1, high));
    return result;
  }
  Sizes permutation(unsigned count) {
    Sizes order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), generator);
    return order;
  }

  //===--- spoiling -------------------------------------------------------===//

  /// Of the ops that are written after `beginOther`, number `n` is spoiled.
  void setSpoiled(int n) { spoiled = n; }
  /// What was written is one side of an equation; now comes the other one.
  void beginOther() { countdown = spoiled; }

  //===--- words ----------------------------------------------------------===//

  Term tensor(const Sizes &shape, int64_t split) {
    const std::string name = "t" + std::to_string(declared.size());
    declared.push_back("; " + name + ": ");
    for (int64_t size : shape)
      declared.back() += std::to_string(size) + "x";
    declared.back() += "f64";
    return {"(access (access-tensor " + name + ") " + std::to_string(split) +
                ")",
            shape, split};
  }
  Term access(const Term &t, int64_t split) {
    return {"(access " + t.text + " " + std::to_string(split) + ")", t.shape,
            split};
  }
  Term transpose(const Term &t, Sizes order) {
    if (isSpoiled() && order.size() > 1)
      std::swap(order[pick(order.size())], order[pick(order.size())]);
    Term result{"(access-transpose " + t.text + " " + list(order, "list") + ")",
                {},
                t.split};
    for (int64_t dim : order)
      result.shape.push_back(t.shape[dim]);
    return result;
  }
  Term slice(const Term &t, int64_t axis, int64_t low, int64_t high) {
    if (isSpoiled()) {
      const int64_t start = pick(t.shape[axis] - (high - low) + 1);
      high += start - low;
      low = start;
    }
    Term result{"(access-slice " + t.text + " " + std::to_string(axis) + " " +
                    std::to_string(low) + " " + std::to_string(high) + ")",
                t.shape, t.split};
    result.shape[axis] = high - low;
    return result;
  }
  Term concat(Term a, Term b, int64_t axis) {
    if (isSpoiled())
      std::swap(a, b);
    Term result{"(access-concatenate " + a.text + " " + b.text + " " +
                    std::to_string(axis) + ")",
                a.shape, a.split};
    result.shape[axis] += b.shape[axis];
    return result;
  }
  Term pad(const Term &t, int64_t axis, int64_t low, int64_t high) {
    if (isSpoiled())
      std::swap(low, high);
    Term result{"(access-pad " + t.text + " zero-padding " +
                    std::to_string(axis) + " " + std::to_string(low) + " " +
                    std::to_string(high) + ")",
                t.shape, t.split};
    result.shape[axis] += low + high;
    return result;
  }
  Term cartProd(Term a, Term b) {
    if (isSpoiled() && a.shape == b.shape)
      std::swap(a, b);
    return {"(access-cartesian-product " + a.text + " " + b.text + ")",
            join(join(a.points(), b.points()), join({2}, a.item())),
            a.split + b.split};
  }
  Term pair(Term a, Term b) {
    return {"(access-pair " + a.text + " " + b.text + ")",
            join(a.points(), join({2}, a.item())), a.split};
  }
  Term flatten(const Term &t) {
    Sizes shape;
    if (t.split > 0)
      shape.push_back(product(t.points()));
    if (t.rank() > t.split)
      shape.push_back(product(t.item()));
    return {"(access-flatten " + t.text + ")", shape, t.split > 0};
  }
  Term reshape(const Term &t, const Sizes &points, const Sizes &item) {
    return {"(access-reshape " + t.text + " (access-shape " +
                list(points, "shape") + " " + list(item, "shape") + "))",
            join(points, item), int64_t(points.size())};
  }
  /// Windows over the compute dimensions.
  Term windows(const Term &t, const Sizes &shape, const Sizes &strides) {
    Sizes points = t.points();
    for (size_t i = 0; i < shape.size(); ++i)
      points.push_back((t.shape[t.split + i] - shape[i]) / strides[i] + 1);
    return {"(access-windows " + t.text + " " + list(shape, "shape") + " " +
                list(strides, "shape") + ")",
            join(points, shape), int64_t(points.size())};
  }
  Term squeeze(const Term &t, int64_t axis) {
    Term result{"(access-squeeze " + t.text + " " + std::to_string(axis) + ")",
                t.shape, t.split - (axis < t.split)};
    result.shape.erase(result.shape.begin() + axis);
    return result;
  }
  Term insertAxis(const Term &t, int64_t axis) {
    Term result{"(access-insert-axis " + t.text + " " + std::to_string(axis) +
                    ")",
                t.shape, t.split + (axis <= t.split)};
    result.shape.insert(result.shape.begin() + axis, 1);
    return result;
  }
  Term broadcast(const Term &t, const Sizes &points, const Sizes &item) {
    return {"(access-broadcast " + t.text + " (access-shape " +
                list(points, "shape") + " " + list(item, "shape") + "))",
            join(points, item), int64_t(points.size())};
  }
  Term compute(const std::string &kind, const Term &t) {
    Sizes item;
    const bool isTuple = kind.rfind("elementwise", 0) == 0;
    if (isTuple)
      item.assign(t.shape.begin() + t.split + 1, t.shape.end());
    else if (kind == "relu" || kind == "sqrt" || kind == "negative" ||
             kind == "softmax")
      item = t.item();
    return {"(compute " + kind + " " + t.text + ")", join(t.points(), item),
            t.split};
  }
  Term array(int64_t rows, int64_t cols, const Term &a, const Term &b,
             bool isBlocked) {
    return {std::string("(systolic-array") +
                (isBlocked ? "-with-blocking " : " ") + std::to_string(rows) +
                " " + std::to_string(cols) + " " + a.text + " " + b.text + ")",
            join(a.points(), {b.shape.back()}), a.split + 1};
  }

  //===--- random terms ---------------------------------------------------===//

  /// A term of this shape: a tensor, perhaps moved.
  Term any(const Sizes &shape, int64_t split, unsigned depth = 1) {
    const int64_t axis = shape.empty() ? 0 : pick(shape.size());
    if (depth == 0 || shape.empty())
      return tensor(shape, split);
    Sizes other = shape;
    switch (pick(6)) {
    case 0: {
      Sizes order = permutation(shape.size());
      for (size_t i = 0; i < order.size(); ++i)
        other[order[i]] = shape[i];
      return transpose(any(other, split, depth - 1), order);
    }
    case 1: {
      const int64_t low = pick(3);
      other[axis] += low + pick(3);
      return slice(any(other, split, depth - 1), axis, low, low + shape[axis]);
    }
    case 2:
      if (shape[axis] < 2)
        break;
      {
        const int64_t cut = between(1, shape[axis] - 1);
        Sizes rest = shape;
        other[axis] = cut;
        rest[axis] -= cut;
        return concat(any(other, split, depth - 1), any(rest, split, depth - 1),
                      axis);
      }
    case 3:
      return access(any(shape, pick(shape.size() + 1), depth - 1), split);
    default:
      break;
    }
    return tensor(shape, split);
  }

  /// The program's text: what it reads, then the term.
  std::string program(const Term &t) const {
    std::string text;
    for (const std::string &line : declared)
      text += line + "\n";
    return text + t.text;
  }

private:
  bool isSpoiled() { return countdown >= 0 && countdown-- == 0; }

  std::mt19937 generator;
  std::vector<std::string> declared;
  int spoiled = -1, countdown = -1;
};

/// A pattern of n access dimensions and m compute dimensions.
inline Term anyPattern(Writer &w, unsigned n, unsigned m, int64_t high = 4) {
  return w.any(w.sizes(n + m, high), n);
}

/// The same with a tuple of two before its compute dimensions.
inline Term anyTuple(Writer &w, unsigned points = 1, unsigned item = 1,
                     int64_t high = 4) {
  return w.any(join(w.sizes(points, high), join({2}, w.sizes(item, high))),
               points);
}

} // namespace glenside

#endif // TENSORACCESS_TEST_CONVERSION_GLENSIDETERMS_H
