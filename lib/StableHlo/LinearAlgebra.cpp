//===- LinearAlgebra.cpp - Ops that LAPACK and BLAS compute ---------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each becomes a `custom_call @tensoraccess.lapack {routine, options}`: the last
// two dimensions of an operand or result are a matrix, in memory as LAPACK has it,
// column after column. In row-major order that is the transposed matrix: what JAX
// gives with layouts is transposed around the call, and a symmetric matrix or one
// side of a product is read in place, as its transpose, by other options.
//
//===----------------------------------------------------------------------===//

#include "Expansions.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

static SmallVector<Value> fail(std::string &why, const Twine &reason) {
  why = reason.str();
  return {};
}

/// s, d, c or z; 0 for other elements.
static char getLetter(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  Type part = complex ? complex.getElementType() : element;
  if (part.isF32())
    return complex ? 'c' : 's';
  if (part.isF64())
    return complex ? 'z' : 'd';
  return 0;
}

static SmallVector<Value> call(HloBuilder &h, StringRef routine,
                               StringRef options, TypeRange types,
                               ValueRange operands) {
  auto text = [&](StringRef name, StringRef value) {
    return h.attribute(name, h.b.getStringAttr(value));
  };
  return SmallVector<Value>(
      h.create("stablehlo.custom_call", types, operands,
               {text("call_target_name", kLapackTarget),
                text("routine", routine), text("options", options)})
          ->getResults());
}

/// The type that an operation on 16-bit floats computes in.
static Type getWorkType(Type element) {
  return element.isF16() || element.isBF16()
             ? Float32Type::get(element.getContext())
             : element;
}

/// A batch of square matrices; null, with the reason, for anything else.
static RankedTensorType getMatrices(Value value, StringRef what,
                                    std::string &why) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      type.getEncoding())
    why = (what + " must be a tensor of static shape and rank 2 or more").str();
  else if (!getLetter(getWorkType(type.getElementType())))
    why = (what + " must have elements of floats or complex<f32>, complex<f64>")
              .str();
  return why.empty() ? type : RankedTensorType();
}

static bool getFlag(Operation *op, StringRef name) {
  auto flag = op->getAttrOfType<BoolAttr>(name);
  return flag && flag.getValue();
}

SmallVector<Value> tensoraccess::expandCholesky(HloBuilder &h, Operation *op,
                                                std::string &why) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      op->getResult(0).getType() != op->getOperand(0).getType())
    return fail(why, "it must have one operand and a result of its type");
  RankedTensorType type = getMatrices(op->getOperand(0), "its operand", why);
  if (!type)
    return {};
  ArrayRef<int64_t> shape = type.getShape();
  const int64_t n = shape.back();
  if (shape.drop_back().back() != n)
    return fail(why, "its matrices must be square");
  Type work = getWorkType(type.getElementType());
  // The lower triangle, row after row, is the upper one, column after column, of
  // the matrix's conjugate; and so is what is computed of it.
  const bool isLower = getFlag(op, "lower");
  auto info = RankedTensorType::get(shape.drop_back(2), h.b.getI32Type());
  SmallVector<Value> results =
      call(h, (Twine(getLetter(work)) + "potrf").str(), isLower ? "U" : "L",
           {type.clone(work), info}, h.convert(op->getOperand(0), work));
  auto broadcast = [&](Value value, int64_t first, int64_t last) {
    return h.broadcast(value, shape,
                       llvm::to_vector(llvm::seq<int64_t>(first, last)));
  };
  // Zeros in the other triangle; NaN where the matrix is not positive definite.
  const int64_t rank = type.getRank();
  auto numbers = RankedTensorType::get(shape, h.b.getI32Type());
  Value isKept = h.compare(isLower ? "GE" : "LE", h.iota(numbers, rank - 2),
                           h.iota(numbers, rank - 1));
  Value isDone = h.compare("EQ", results[1], h.integer(info, 0));
  Value kept = h.select(isKept, results[0], h.like(results[0], 0));
  Value factor =
      h.select(broadcast(isDone, 0, rank - 2), kept,
               h.like(kept, std::numeric_limits<double>::quiet_NaN()));
  return {h.convert(factor, type.getElementType())};
}

SmallVector<Value> tensoraccess::expandTriangularSolve(HloBuilder &h,
                                                       Operation *op,
                                                       std::string &why) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      op->getResult(0).getType() != op->getOperand(1).getType())
    return fail(why, "it must have two operands and a result of the second's "
                     "type");
  RankedTensorType a = getMatrices(op->getOperand(0), "operand 0", why);
  if (!a)
    return {};
  RankedTensorType b = getMatrices(op->getOperand(1), "operand 1", why);
  if (!b)
    return {};
  const bool isLeft = getFlag(op, "left_side");
  ArrayRef<int64_t> sizes = a.getShape(), others = b.getShape();
  const int64_t n = sizes.back();
  if (a.getElementType() != b.getElementType() ||
      sizes.drop_back(2) != others.drop_back(2) ||
      sizes.drop_back().back() != n ||
      (isLeft ? others.drop_back().back() : others.back()) != n)
    return fail(why, "its operands must be batches of square matrices and of "
                     "what they are multiplied with, of one element type");
  StringRef transpose = getHloKeyword(op->getAttr("transpose_a"));
  StringRef way = llvm::StringSwitch<StringRef>(transpose)
                      .Case("NO_TRANSPOSE", "N")
                      .Case("TRANSPOSE", "T")
                      .Case("ADJOINT", "C")
                      .Default("");
  if (way.empty())
    return fail(why,
                "'transpose_a' must be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  Type work = getWorkType(a.getElementType());
  // A x = b is xᵀ Aᵀ = bᵀ, whose matrices are those in memory.
  std::string options = isLeft ? "R" : "L";
  options += getFlag(op, "lower") ? "U" : "L";
  options += way;
  options += getFlag(op, "unit_diagonal") ? "U" : "N";
  SmallVector<Value> results = call(
      h, (Twine(getLetter(work)) + "trsm").str(), options, b.clone(work),
      {h.convert(op->getOperand(0), work), h.convert(op->getOperand(1), work)});
  return {h.convert(results[0], b.getElementType())};
}

//===----------------------------------------------------------------------===//
// JAX's calls
//===----------------------------------------------------------------------===//

namespace {
struct Option {
  /// Its name in JAX's calls, where it is a character as ui8.
  StringRef name;
  /// What it may be.
  StringRef letters;
};

/// A routine without the letter of its type. The letters of `real` and `complex`
/// are its operands and, after |, its results, of the m rows and n columns of
/// operand 0:
///
///   A a matrix like operand 0, S which is square, C one of n x n, complex
///   U V the vectors of gesdd and gesvd, B another matrix
///   n e v elements: n, n - 1, min(m, n);  t at most min(m, n) of them
///   w f r real numbers: n, n - 1, min(m, n)
///   X x complex and real numbers of which transforms are
///   q p i integers: n, min(m, n), one
struct Routine {
  StringRef name;
  SmallVector<Option, 4> options;
  StringRef real, complex;
};
} // namespace

static const Routine *getRoutine(StringRef name) {
  static const Option uplo{"uplo", "LU"}, mode{"mode", "NV"};
  static const Option direction{"direction", "FI"}, dims{"dims", "123"};
  static const Routine routines[] = {
      {"fft", {direction, dims}, "", "X|X"},
      {"gees", {mode}, "S|SSnnii", "S|SSnii"},
      {"geev",
       {{"compute_left", "NV"}, {"compute_right", "NV"}},
       "S|nnCCi",
       "S|nCCi"},
      {"gehrd", {}, "S|Sei", "S|Sei"},
      {"geqp3", {}, "Aq|Aqv", "Aq|Aqv"},
      {"geqrf", {}, "A|Av", "A|Av"},
      {"gesdd", {{"mode", "ANS"}}, "A|ArUVi", "A|ArUVi"},
      {"gesvd", {{"mode", "ANS"}}, "A|ArUVi", "A|ArUVi"},
      {"getrf", {}, "A|Api", "A|Api"},
      {"gtsv", {}, "nnnB|nnnBi", "nnnB|nnnBi"},
      {"heevd", {mode, uplo}, "", "S|Swi"},
      {"hetrd", {uplo}, "", "S|Swfei"},
      {"irfft", {direction, dims}, "X|x", ""},
      {"orgqr", {}, "At|A", ""},
      {"ormqr", {{"side", "LR"}, {"trans", "NT"}}, "AtB|B", ""},
      {"potrf", {uplo}, "S|Si", "S|Si"},
      {"rfft", {direction, dims}, "x|X", ""},
      {"syevd", {mode, uplo}, "S|Swi", ""},
      {"sytrd", {uplo}, "S|Swfei", ""},
      {"trsm",
       {{"side", "LR"}, uplo, {"trans_x", "CNT"}, {"diag", "NU"}},
       "SB|B",
       "SB|B"},
      {"ungqr", {}, "", "At|A"},
      {"unmqr", {{"side", "LR"}, {"trans", "CN"}}, "", "AtB|B"},
  };
  const auto *found = llvm::find_if(
      routines, [&](const Routine &routine) { return routine.name == name; });
  return found == std::end(routines) ? nullptr : found;
}

/// The routine of a name with its letter, and what it takes and gives; null,
/// with the reason, where it is unknown or has other numbers of them.
static std::pair<const Routine *, StringRef>
findRoutine(Operation *op, StringRef name, std::string &why) {
  const Routine *routine = getRoutine(name.drop_front());
  const bool isComplex = name.starts_with("c") || name.starts_with("z");
  StringRef form = !routine ? "" : isComplex ? routine->complex : routine->real;
  if (form.empty() || !StringRef("sdcz").contains(name.front())) {
    why = ("there is no routine '" + name + "' of LAPACK here").str();
    return {};
  }
  auto [operands, results] = form.split('|');
  if (op->getNumOperands() != operands.size() ||
      op->getNumResults() != results.size()) {
    why = ("'" + name + "' has " + Twine(operands.size()) + " operands and " +
           Twine(results.size()) + " results")
              .str();
    return {};
  }
  return {routine, form};
}

bool tensoraccess::checkLapackCall(Operation *op, std::string &why) {
  auto refuse = [&](const Twine &reason) {
    why = reason.str();
    return false;
  };
  auto named = op->getAttrOfType<StringAttr>("routine");
  auto options = op->getAttrOfType<StringAttr>("options");
  if (!named || !options || named.getValue().empty())
    return refuse("it must have a 'routine' and 'options'");
  StringRef name = named.getValue();
  auto [routine, form] = findRoutine(op, name, why);
  if (!routine)
    return false;
  StringRef letters = options.getValue();
  if (letters.size() != routine->options.size())
    return refuse("'" + name + "' has " + Twine(routine->options.size()) +
                  " options");
  for (auto [letter, option] : llvm::zip(letters, routine->options))
    if (!option.letters.contains(letter))
      return refuse("option '" + option.name + "' of '" + name +
                    "' must be one of " + option.letters + ", not " +
                    Twine(letter));
  const bool isComplex = name.front() == 'c' || name.front() == 'z';
  const bool isDouble = name.front() == 'd' || name.front() == 'z';
  Type integer = IntegerType::get(op->getContext(), 32);
  Type real = isDouble ? Type(Float64Type::get(op->getContext()))
                       : Type(Float32Type::get(op->getContext()));
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  std::string kinds = form.str();
  kinds.erase(kinds.find('|'), 1);
  SmallVector<int64_t> batch;
  int64_t m = 0, n = 0, reflectors = 0;
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    auto type = dyn_cast<RankedTensorType>(types[i]);
    const bool isInteger = StringRef("qpi").contains(kind);
    const bool isPairs = kind == 'C' || kind == 'X' ||
                         (isComplex && !StringRef("wfrqpi").contains(kind));
    if (!type || !type.hasStaticShape() || type.getEncoding() ||
        type.getElementType() != (isInteger ? integer : real) ||
        (isPairs && (type.getRank() == 0 || type.getShape().back() != 2)))
      return refuse("tensor " + Twine(i) + " of '" + name +
                    "' does not have its element type");
    // The last one first.
    SmallVector<int64_t> sizes(
        llvm::reverse(type.getShape().drop_back(isPairs ? 1 : 0)));
    const size_t own = kind == 'i'                          ? 0
                       : StringRef("ASCUVB").contains(kind) ? 2
                                                            : 1;
    if (sizes.size() < own)
      return refuse("tensor " + Twine(i) + " of '" + name +
                    "' has too few dimensions");
    ArrayRef<int64_t> rest = ArrayRef(sizes).drop_front(own);
    if (i == 0) {
      batch.assign(rest.begin(), rest.end());
      m = sizes[0];
      n = own == 2 ? sizes[1] : m;
    }
    const int64_t least = std::min(m, n);
    const char mode = letters.empty() ? 0 : letters.front();
    bool fits = rest == ArrayRef(batch);
    switch (kind) {
    case 'A':
      fits &= sizes[0] == m && sizes[1] == n;
      break;
    case 'S':
    case 'C':
      fits &= m == n && sizes[0] == n && sizes[1] == n;
      break;
    case 'U':
      fits &= sizes[0] == m &&
              (mode == 'N' || sizes[1] == (mode == 'A' ? m : least));
      break;
    case 'V':
      fits &= sizes[1] == n &&
              (mode == 'N' || sizes[0] == (mode == 'A' ? n : least));
      break;
    case 'B': {
      // What a side of it is multiplied with, or solved for.
      const int64_t side =
          routine->name == "gtsv" || mode == 'L' ? sizes[0] : sizes[1];
      fits &= side == m;
      if (i >= op->getNumOperands())
        fits &= type ==
                types[routine->name == "gtsv" ? 3 : op->getNumOperands() - 1];
      break;
    }
    case 't':
      reflectors = sizes[0];
      fits &= reflectors <= least;
      break;
    case 'n':
    case 'w':
    case 'q':
      fits &= sizes[0] == n;
      break;
    case 'e':
    case 'f':
      fits &= sizes[0] == std::max<int64_t>(0, n - 1);
      break;
    case 'x':
    case 'X': {
      auto half = [](int64_t n) { return n == 0 ? 0 : n / 2 + 1; };
      fits &= sizes.size() >= size_t(letters[1] - '0') &&
              (i == 0 || (routine->name == "rfft"    ? sizes[0] == half(m)
                          : routine->name == "irfft" ? m == half(sizes[0])
                                                     : sizes[0] == m));
      break;
    }
    case 'v':
    case 'r':
    case 'p':
      fits &= sizes[0] == least;
      break;
    default:
      break;
    }
    if (!fits)
      return refuse("the sizes of tensor " + Twine(i) + " of '" + name +
                    "' do not fit those of tensor 0");
  }
  // All columns are made by reflectors.
  if (routine->name.ends_with("gqr") && n > m)
    return refuse("'" + name + "' makes no more columns than rows");
  return true;
}

std::string tensoraccess::whyCallStays(Operation *op) {
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  if (!target)
    return "it does not state what it calls";
  StringRef name = target.getValue();
  if (name.contains("python") && name.contains("callback"))
    return "it calls Python (jax.debug.print, jax.pure_callback, io_callback), "
           "which compiled programs here do not: return from the function what "
           "is to be printed or computed there";
  return "it calls '" + name.str() + "', which is not known here";
}

/// `lapack_sgesdd_ffi`: sgesdd; "" for others.
static StringRef getRoutineName(Operation *op) {
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  StringRef name = target ? target.getValue() : "";
  return name.consume_front("lapack_") && name.consume_back("_ffi") ? name : "";
}

bool tensoraccess::isLapackCall(Operation *op) {
  return !getRoutineName(op).empty();
}

/// Dimensions from the slowest to the fastest, as a layout has them in memory;
/// empty, with the reason, for what is not a permutation of them.
static SmallVector<int64_t> getOrder(Operation *op, StringRef name, unsigned i,
                                     Type type, std::string &why) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto all = op->getAttrOfType<ArrayAttr>(name);
  std::optional<SmallVector<int64_t>> order;
  if (tensor && tensor.hasStaticShape() && !tensor.getEncoding() && all &&
      i < all.size())
    order = getHloIntegers(all[i]);
  if (!order || order->size() != static_cast<size_t>(tensor.getRank()) ||
      !areDims(*order, tensor.getRank())) {
    why = ("'" + name + "' must say how tensor " + Twine(i) +
           " of static shape is laid out")
              .str();
    return {};
  }
  std::reverse(order->begin(), order->end());
  return *order;
}

SmallVector<Value> tensoraccess::expandLapackCall(HloBuilder &h, Operation *op,
                                                  std::string &why) {
  StringRef name = getRoutineName(op);
  auto [routine, form] = findRoutine(op, name, why);
  if (!routine)
    return {};
  auto config = op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  if (!config)
    config = op->getAttrOfType<DictionaryAttr>("backend_config");
  std::string options;
  for (const Option &option : routine->options) {
    auto value =
        config ? config.getAs<IntegerAttr>(option.name) : IntegerAttr();
    const uint64_t letter = value ? value.getValue().getZExtValue() : 0;
    if (letter > 127 || !option.letters.contains(static_cast<char>(letter)))
      return fail(why, "'" + name + "' must have an option '" + option.name +
                           "', one of " + option.letters);
    options += static_cast<char>(letter);
  }
  auto sort = config ? config.getAs<IntegerAttr>("sort") : IntegerAttr();
  if (routine->name == "gees" && (!sort || sort.getValue() != 'N'))
    return fail(why, "eigenvalues are not sorted here");
  auto matrix = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!matrix || getLetter(matrix.getElementType()) != name.front())
    return fail(why,
                "operand 0 must have elements of '" + name.take_front() + "'");
  if (routine->name == "gehrd") {
    // Only whole matrices.
    auto low = config ? config.getAs<IntegerAttr>("low") : IntegerAttr();
    auto high = config ? config.getAs<IntegerAttr>("high") : IntegerAttr();
    if (!low || !high || low.getValue() != 1 || matrix.getRank() < 2 ||
        high.getValue() != matrix.getShape().back())
      return fail(why, "'" + name + "' must have low 1 and high n");
  }
  SmallVector<Value> operands;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    SmallVector<int64_t> order =
        getOrder(op, "operand_layouts", i, operand.getType(), why);
    if (!why.empty())
      return {};
    operands.push_back(h.transpose(operand, order));
  }
  SmallVector<Type> types;
  SmallVector<SmallVector<int64_t>> back;
  for (auto [i, type] : llvm::enumerate(op->getResultTypes())) {
    SmallVector<int64_t> order = getOrder(op, "result_layouts", i, type, why);
    if (!why.empty())
      return {};
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(tensor.clone(
        applyPermutation(tensor.getShape(), ArrayRef<int64_t>(order))));
    back.push_back(invertPermutationVector(order));
  }
  SmallVector<Value> results = call(h, name, options, types, operands);
  for (auto [result, inverse] : llvm::zip(results, back))
    result = h.transpose(result, inverse);
  return results;
}
