//===- RandomTensorProgram.h - Programs of linalg at random -----*- C++ -*-===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions @main on small tensors of i32, as text: products (of two, and of
// batches), windows with strides, dilation and pads, sums along a dimension,
// elementwise ops, transposes, broadcasts, reshapes, slices and joins, with
// values that several ops read.
//
//===----------------------------------------------------------------------===//

#ifndef TENSORACCESS_TEST_TRANSFORMS_RANDOMTENSORPROGRAM_H
#define TENSORACCESS_TEST_TRANSFORMS_RANDOMTENSORPROGRAM_H

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mlir::tensoraccess::test {

class RandomTensorProgram {
public:
  explicit RandomTensorProgram(uint64_t seed) : random(seed) {}

  /// `attributes(shape)` gives the attribute of an argument or a result, or "".
  template <typename Attributes>
  std::string print(unsigned steps, Attributes &&attributes) {
    body = "  %zero = arith.constant 0 : i32\n";
    values.push_back(matmul(argument({extent(), extent()}), {}));
    while (steps != 0)
      steps -= add();
    const Value last = values.back(), other = pick();
    std::string head;
    for (const Value &value : arguments)
      head += (head.empty() ? "" : ", ") + value.name + ": " + type(value) +
              attributes(value.shape);
    return "func.func @main(" + head + ") -> (" + type(last) +
           attributes(last.shape) + ", " + type(other) +
           attributes(other.shape) + ") {\n" + body + "  return " + last.name +
           ", " + other.name + " : " + type(last) + ", " + type(other) +
           "\n}\n";
  }
  uint64_t draw(uint64_t below) { return random() % below; }

private:
  using Shape = std::vector<int64_t>;
  struct Value {
    std::string name;
    Shape shape;
  };

  int64_t extent() { return 1 + static_cast<int64_t>(draw(8)); }
  const Value &pick() { return values[draw(values.size())]; }
  static std::string type(const Shape &shape) {
    std::string text = "tensor<";
    for (int64_t size : shape)
      text += std::to_string(size) + "x";
    return text + "i32>";
  }
  static std::string type(const Value &value) { return type(value.shape); }
  static std::string list(const Shape &values) {
    std::string text;
    for (int64_t value : values)
      text += (text.empty() ? "" : ", ") + std::to_string(value);
    return "[" + text + "]";
  }
  std::string fresh() { return "%v" + std::to_string(next++); }
  Value argument(const Shape &shape) {
    arguments.push_back({"%a" + std::to_string(arguments.size()), shape});
    return arguments.back();
  }
  Value empty(const Shape &shape) {
    Value out{fresh(), shape};
    body += "  " + out.name + " = tensor.empty() : " + type(shape) + "\n";
    return out;
  }
  /// Zeros; or now and then a value of that shape.
  Value init(const Shape &shape) {
    for (const Value &value : values)
      if (value.shape == shape && draw(3) == 0)
        return value;
    Value from = empty(shape), out{fresh(), shape};
    body += "  " + out.name + " = linalg.fill ins(%zero : i32) outs(" +
            from.name + " : " + type(shape) + ") -> " + type(shape) + "\n";
    return out;
  }

  static std::string dims(size_t count) {
    std::string text;
    for (size_t d = 0; d != count; ++d)
      text += (d ? ", d" : "d") + std::to_string(d);
    return text;
  }
  /// A generic op: maps by text over `loops` loops, the last `reduced` summed.
  Value generic(size_t loops, size_t reduced, const std::vector<Value> &inputs,
                const std::vector<std::string> &maps, const Value &out,
                const std::string &op) {
    std::string text = "{indexing_maps = [", kinds, names, types, blocks;
    for (size_t i = 0; i != maps.size(); ++i)
      text += (i ? ", affine_map<(" : "affine_map<(") + dims(loops) + ") -> (" +
              maps[i] + ")>";
    for (size_t d = 0; d != loops; ++d)
      kinds += (d ? ", \"" : "\"") +
               std::string(d + reduced < loops ? "parallel" : "reduction") +
               "\"";
    for (size_t i = 0; i != inputs.size(); ++i) {
      names += (i ? ", " : "") + inputs[i].name;
      types += (i ? ", " : "") + type(inputs[i]);
      blocks += "%x" + std::to_string(i) + ": i32, ";
    }
    Value result{fresh(), out.shape};
    body += "  " + result.name + " = linalg.generic " + text +
            "], iterator_types = [" + kinds + "]} ins(" + names + " : " +
            types + ") outs(" + out.name + " : " + type(out) + ") {\n  ^bb0(" +
            blocks + "%y: i32):\n" + op + "  } -> " + type(out) + "\n";
    return result;
  }

  Value matmul(const Value &left, const Value &right) {
    const bool isNew = right.name.empty();
    Value other = isNew ? argument({left.shape[1], extent()}) : right;
    Value out = init({left.shape[0], other.shape[1]}),
          result{fresh(), out.shape};
    body += "  " + result.name + " = linalg.matmul ins(" + left.name + ", " +
            other.name + " : " + type(left) + ", " + type(other) + ") outs(" +
            out.name + " : " + type(out) + ") -> " + type(out) + "\n";
    return result;
  }
  /// Pad and a window of two or three along the first dimension.
  Value windows(const Value &some) {
    const int64_t low = draw(2), high = draw(3), window = 2 + draw(2);
    const int64_t stride = 1 + draw(2), step = 1 + draw(2);
    const int64_t span = some.shape[0] + low + high - (window - 1) * step;
    if (span < 1)
      return {};
    Value padded{fresh(), some.shape};
    padded.shape[0] += low + high;
    Shape lows(some.shape.size(), 0), highs = lows;
    lows[0] = low;
    highs[0] = high;
    std::string places;
    for (size_t d = 0; d != some.shape.size(); ++d)
      places += (d ? ", %i" : "%i") + std::to_string(d) + ": index";
    body += "  " + padded.name + " = tensor.pad " + some.name + " low" +
            list(lows) + " high" + list(highs) + " {\n  ^bb0(" + places +
            "):\n    tensor.yield %zero : i32\n  } : " + type(some) + " to " +
            type(padded) + "\n";
    Shape shape = some.shape;
    shape[0] = (span - 1) / stride + 1;
    const size_t rank = shape.size();
    std::string rest;
    for (size_t d = 1; d != rank; ++d)
      rest += ", d" + std::to_string(d);
    std::string place = "d0 * " + std::to_string(stride) + " + d" +
                        std::to_string(rank) + " * " + std::to_string(step);
    return generic(rank + 1, 1, {padded, argument({window})},
                   {place + rest, "d" + std::to_string(rank), dims(rank)},
                   init(shape),
                   "    %p = arith.muli %x0, %x1 : i32\n"
                   "    %s = arith.addi %p, %y : i32\n"
                   "    linalg.yield %s : i32\n");
  }
  /// Sums over the last dimension.
  Value sum(const Value &some) {
    const size_t rank = some.shape.size();
    Shape shape(some.shape.begin(), some.shape.end() - 1);
    return generic(rank, 1, {some}, {dims(rank), dims(rank - 1)}, init(shape),
                   "    %s = arith.addi %x0, %y : i32\n"
                   "    linalg.yield %s : i32\n");
  }
  Value unary(const Value &some) {
    const size_t rank = some.shape.size();
    return generic(rank, 0, {some}, {dims(rank), dims(rank)}, empty(some.shape),
                   "    %s = arith.maxsi %x0, %zero : i32\n"
                   "    linalg.yield %s : i32\n");
  }
  /// With another value of that shape, or with an argument for each column.
  Value binary(const Value &some) {
    const size_t rank = some.shape.size();
    const std::string op = "    %s = arith.addi %x0, %x1 : i32\n"
                           "    linalg.yield %s : i32\n";
    for (const Value &other : values)
      if (other.name != some.name && other.shape == some.shape && draw(2))
        return generic(rank, 0, {some, other},
                       {dims(rank), dims(rank), dims(rank)}, empty(some.shape),
                       op);
    return generic(rank, 0, {some, argument({some.shape.back()})},
                   {dims(rank), "d" + std::to_string(rank - 1), dims(rank)},
                   empty(some.shape), op);
  }
  Value transpose(const Value &some) {
    Value out = empty({some.shape.rbegin(), some.shape.rend()});
    Shape order;
    for (size_t d = some.shape.size(); d-- != 0;)
      order.push_back(d);
    Value result{fresh(), out.shape};
    body += "  " + result.name + " = linalg.transpose ins(" + some.name +
            " : " + type(some) + ") outs(" + out.name + " : " + type(out) +
            ") permutation = " + list(order) + "\n";
    return result;
  }
  Value broadcast(const Value &some) {
    Shape shape = some.shape;
    shape.insert(shape.begin(), 1 + draw(3));
    Value out = empty(shape), result{fresh(), shape};
    body += "  " + result.name + " = linalg.broadcast ins(" + some.name +
            " : " + type(some) + ") outs(" + out.name + " : " + type(out) +
            ") dimensions = [0]\n";
    return result;
  }
  Value collapse(const Value &some) {
    Shape shape(some.shape.begin() + 1, some.shape.end());
    shape[0] *= some.shape[0];
    Value result{fresh(), shape};
    std::string groups = "[0, 1]";
    for (size_t d = 2; d != some.shape.size(); ++d)
      groups += ", [" + std::to_string(d) + "]";
    body += "  " + result.name + " = tensor.collapse_shape " + some.name +
            " [" + groups + "] : " + type(some) + " into " + type(result) +
            "\n";
    return result;
  }
  Value expand(const Value &some) {
    std::vector<int64_t> divisors;
    for (int64_t i = 1; i <= some.shape[0]; ++i)
      if (some.shape[0] % i == 0)
        divisors.push_back(i);
    const int64_t outer = divisors[draw(divisors.size())];
    Value result{fresh(), some.shape};
    result.shape[0] /= outer;
    result.shape.insert(result.shape.begin(), outer);
    std::string groups = "[0, 1]";
    for (size_t d = 1; d != some.shape.size(); ++d)
      groups += ", [" + std::to_string(d + 1) + "]";
    body += "  " + result.name + " = tensor.expand_shape " + some.name + " [" +
            groups + "] output_shape " + list(result.shape) + " : " +
            type(some) + " into " + type(result) + "\n";
    return result;
  }
  Value slice(const Value &some) {
    Shape offsets, sizes, strides;
    for (int64_t size : some.shape) {
      offsets.push_back(draw(size));
      strides.push_back(1 + draw(2));
      sizes.push_back(1 +
                      draw((size - offsets.back() - 1) / strides.back() + 1));
    }
    Value result{fresh(), sizes};
    body += "  " + result.name + " = tensor.extract_slice " + some.name +
            list(offsets) + " " + list(sizes) + " " + list(strides) + " : " +
            type(some) + " to " + type(result) + "\n";
    return result;
  }
  Value join(const Value &some) {
    const Value *other = &some;
    for (const Value &value : values)
      if (value.shape == some.shape && draw(2))
        other = &value;
    const size_t dim = draw(some.shape.size());
    Value result{fresh(), some.shape};
    result.shape[dim] *= 2;
    body += "  " + result.name + " = tensor.concat dim(" + std::to_string(dim) +
            ") " + some.name + ", " + other->name + " : (" + type(some) + ", " +
            type(some) + ") -> " + type(result) + "\n";
    return result;
  }

  /// Adds a value, if what was drawn fits.
  bool add() {
    const Value some = pick();
    const size_t rank = some.shape.size();
    Value made;
    switch (draw(12)) {
    case 0:
    case 1: {
      if (rank != 2)
        return false;
      Value right;
      for (const Value &value : values)
        if (value.shape.size() == 2 && value.shape[0] == some.shape[1])
          right = value;
      made = matmul(some, right);
      break;
    }
    case 2:
      made = windows(some);
      break;
    case 3:
      if (rank > 1)
        made = sum(some);
      break;
    case 4:
      made = unary(some);
      break;
    case 5:
    case 6:
      made = binary(some);
      break;
    case 7:
      made = transpose(some);
      break;
    case 8:
      if (rank < 3)
        made = broadcast(some);
      break;
    case 9:
      if (rank > 1)
        made = collapse(some);
      break;
    case 10:
      if (rank < 3)
        made = expand(some);
      break;
    default:
      made = draw(2) ? slice(some) : join(some);
      break;
    }
    int64_t elements = 1;
    for (int64_t size : made.shape)
      elements *= size;
    if (made.name.empty() || elements > 2000)
      return false;
    values.push_back(made);
    return true;
  }

  std::mt19937_64 random;
  std::vector<Value> arguments, values;
  std::string body;
  unsigned next = 0;
};

} // namespace mlir::tensoraccess::test

#endif // TENSORACCESS_TEST_TRANSFORMS_RANDOMTENSORPROGRAM_H
