//===- NativeProgram.cpp - Access programs written in Python --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program in Python is a graph of immutable terms:
//
//   1. each call makes a term. Its op is created once, on operands of the
//      right types, in a session kept for that: the op's type inference and
//      verifier say what the term's type is, or what is wrong;
//   2. a term holds no IR but the op's name, its attributes as numbers and its
//      type, so it belongs to no context and terms of any age go together;
//   3. `build` writes the terms that some results need as a function, in the
//      order of their making, into a module with a session of its own.
//
//===----------------------------------------------------------------------===//

#include "NativeArrays.h"
#include "NativeModule.h"
#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/IR/Evaluate.h"
#include "TensorAccess/IR/TensorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

#include <atomic>
#include <map>
#include <variant>

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

namespace {

/// A type without a context: a tensor of `dims`, or an access pattern that is
/// split after `split` of them.
struct TermType {
  SmallVector<int64_t> dims;
  std::optional<int64_t> split;
  ElementType element = ElementType::F32;
};

using Sizes = std::vector<std::optional<int64_t>>;
using AttributeValue =
    std::variant<int64_t, std::vector<int64_t>, double, std::string>;

/// A value of a program: an input, a constant, or the result of an op.
class ProgramTerm {
public:
  using Ptr = std::shared_ptr<ProgramTerm>;

  enum Kind { Input, Constant, Op };
  Kind kind = Op;
  /// The op without the dialect's prefix; an input's name, which may be empty.
  std::string name;
  std::vector<Ptr> operands;
  std::vector<std::pair<std::string, AttributeValue>> attributes;
  std::optional<Tensor> data;
  TermType type;
  /// Terms made later have greater numbers.
  uint64_t number;
  /// Where Python made it; empty and 0 where that is not known.
  std::string file;
  int64_t line;

  ProgramTerm(std::string file, int64_t line)
      : number(counter++), file(std::move(file)), line(line) {}
  ProgramTerm(const ProgramTerm &) = delete;
  ~ProgramTerm();

private:
  static std::atomic<uint64_t> counter;
};

std::atomic<uint64_t> ProgramTerm::counter = 0;

/// What Python holds. Terms own their operands by plain shared pointers: one
/// that nanobind makes from a Python object would have a count of its own.
struct TermHandle {
  ProgramTerm::Ptr term;

  const ProgramTerm &operator*() const { return *term; }
  const ProgramTerm *operator->() const { return term.get(); }
};

} // namespace

/// A chain of a million ops must not be let go of by recursion.
ProgramTerm::~ProgramTerm() {
  std::vector<Ptr> pending = std::move(operands);
  while (!pending.empty()) {
    Ptr last = std::move(pending.back());
    pending.pop_back();
    if (last.use_count() != 1)
      continue;
    for (Ptr &operand : last->operands)
      pending.push_back(std::move(operand));
    last->operands.clear();
  }
}

//===----------------------------------------------------------------------===//
// Terms in a context
//===----------------------------------------------------------------------===//

static Type elementTypeIn(MLIRContext *context, ElementType type) {
  Builder b(context);
  switch (type) {
  case ElementType::F16:
    return b.getF16Type();
  case ElementType::BF16:
    return b.getBF16Type();
  case ElementType::F32:
    return b.getF32Type();
  case ElementType::F64:
    return b.getF64Type();
  default:
    return b.getIntegerType(bitWidth(type));
  }
}

/// Null after an error at `loc`.
static Type typeIn(MLIRContext *context, const TermType &type, Location loc) {
  auto emit = [&] { return emitError(loc); };
  Type element = elementTypeIn(context, type.element);
  if (!type.split)
    return RankedTensorType::getChecked(emit, type.dims, element);
  ArrayRef<int64_t> dims = type.dims;
  return AccessType::getChecked(emit, context, dims.take_front(*type.split),
                                dims.drop_front(*type.split), element);
}

static TermType typeFrom(Type type) {
  TermType result;
  Type element;
  if (auto access = dyn_cast<AccessType>(type)) {
    result.dims = access.getShape();
    result.split = access.getAccessRank();
    element = access.getElementType();
  } else {
    auto tensor = cast<RankedTensorType>(type);
    result.dims = SmallVector<int64_t>(tensor.getShape());
    element = tensor.getElementType();
  }
  result.element = *getElementTypeOf(element);
  return result;
}

static Location locationIn(MLIRContext *context, const ProgramTerm &term) {
  if (term.file.empty())
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, term.file, term.line, 0);
}

/// A number as an attribute of the element type; null after an error at `loc`.
static Attribute numberIn(MLIRContext *context, const AttributeValue &value,
                          ElementType element, Location loc) {
  Type type = elementTypeIn(context, element);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const auto *decimal = std::get_if<double>(&value);
    double number = decimal ? *decimal : double(std::get<int64_t>(value));
    return FloatAttr::get(floatType, number);
  }
  const auto *integer = std::get_if<int64_t>(&value);
  unsigned width = bitWidth(element);
  if (!integer) {
    emitError(loc) << "a value of " << type << " must be an integer, got "
                   << std::get<double>(value);
    return {};
  }
  bool fits = llvm::isIntN(width, *integer) ||
              (width > 1 && llvm::isUIntN(width, *integer)) ||
              (width == 1 && (*integer == 0 || *integer == 1));
  if (!fits) {
    emitError(loc) << "value " << *integer << " does not fit in " << type;
    return {};
  }
  return IntegerAttr::get(type, llvm::APInt(width, *integer, /*isSigned=*/false,
                                            /*implicitTrunc=*/true));
}

/// The attributes of a term; std::nullopt after an error at `loc`.
static std::optional<SmallVector<NamedAttribute>>
attributesIn(MLIRContext *context, const ProgramTerm &term, Location loc) {
  Builder b(context);
  SmallVector<NamedAttribute> result;
  for (const auto &[name, value] : term.attributes) {
    Attribute attr;
    if (name == "kind") {
      const auto &text = std::get<std::string>(value);
      attr = ComputeKindAttr::get(
          context, need(symbolizeComputeKind(text),
                        "unknown kind of compute '" + text + "'"));
    } else if (name == "accumulator") {
      attr = TypeAttr::get(elementTypeIn(
          context, parseElementType(std::get<std::string>(value))));
    } else if (name == "oob") {
      ParseError error;
      auto policies =
          OutOfBoundsList::parse(std::get<std::string>(value), error);
      attr =
          OutOfBoundsAttr::getChecked([&] { return emitError(loc); }, context,
                                      need(std::move(policies), error.message));
    } else if (name == "projection") {
      ParseError error;
      auto projection =
          AnchoredProjection::parse(std::get<std::string>(value), error);
      attr = ProjectionAttr::get(context,
                                 need(std::move(projection), error.message));
    } else if (name == "blocked") {
      attr = b.getUnitAttr();
    } else if (name == "value") {
      attr = numberIn(context, value, term.operands[0]->type.element, loc);
    } else if (const auto *number = std::get_if<int64_t>(&value)) {
      attr = b.getI64IntegerAttr(*number);
    } else if (const auto *list = std::get_if<std::vector<int64_t>>(&value)) {
      attr = b.getDenseI64ArrayAttr(*list);
    } else {
      attr = b.getStringAttr(std::get<std::string>(value));
    }
    if (!attr)
      return std::nullopt;
    result.push_back(b.getNamedAttr(name, attr));
  }
  return result;
}

/// Makes the op of a term; null after an error.
static Value makeOp(OpBuilder &b, const ProgramTerm &term, ValueRange operands,
                    Type type) {
  Location loc = locationIn(b.getContext(), term);
  auto attributes = attributesIn(b.getContext(), term, loc);
  if (!attributes)
    return {};
  return createChecked(b, loc, term.name, operands, *attributes, type);
}

//===----------------------------------------------------------------------===//
// Making terms
//===----------------------------------------------------------------------===//

/// Where ops are tried; never goes away.
static Session &getInferenceSession() {
  static auto *session = new Session();
  return *session;
}

/// The errors' own texts: Python's traceback says where.
static std::string textsOf(const std::vector<Message> &messages) {
  std::string result;
  for (const Message &message : messages) {
    if (!result.empty())
      result += '\n';
    result += message.text;
    for (const Message &note : message.notes)
      result += "\n  note: " + note.text;
  }
  return result;
}

static SmallVector<int64_t> toDims(const Sizes &sizes) {
  SmallVector<int64_t> dims;
  for (std::optional<int64_t> size : sizes) {
    if (size && *size < 0)
      throw Error("size " + llvm::Twine(dims.size()) +
                  " must not be negative, got " + llvm::Twine(*size));
    dims.push_back(size.value_or(kDynamicSize));
  }
  return dims;
}

static TermHandle makeInput(const Sizes &sizes, const std::string &element,
                            const std::string &name, const std::string &file,
                            int64_t line) {
  auto term = std::make_shared<ProgramTerm>(file, line);
  term->kind = ProgramTerm::Input;
  term->name = name;
  term->type.dims = toDims(sizes);
  term->type.element = parseElementType(element);
  return {term};
}

static TermHandle makeConstant(const Argument &array, const std::string &file,
                               int64_t line) {
  auto term = std::make_shared<ProgramTerm>(file, line);
  term->data = need(viewOf(array).clone());
  term->kind = ProgramTerm::Constant;
  term->type.dims = SmallVector<int64_t>(term->data->getShape());
  term->type.element = term->data->getElementType();
  return {term};
}

/// The op of that name on the operands. `result` is (access shape, compute
/// shape, element type) for ops whose type is written.
static TermHandle
makeTerm(const std::string &name, const std::vector<TermHandle> &operands,
         std::vector<std::pair<std::string, AttributeValue>> attributes,
         std::optional<std::tuple<Sizes, Sizes, std::string>> result,
         const std::string &file, int64_t line) {
  auto term = std::make_shared<ProgramTerm>(file, line);
  term->name = name;
  for (const TermHandle &operand : operands)
    term->operands.push_back(operand.term);
  term->attributes = std::move(attributes);
  std::optional<TermType> written;
  if (result) {
    auto &[access, compute, element] = *result;
    written.emplace();
    written->dims = toDims(access);
    written->split = access.size();
    llvm::append_range(written->dims, toDims(compute));
    written->element = parseElementType(element);
  }
  ReleaseGil release;
  std::vector<Message> messages;
  bool ok = false;
  getInferenceSession().run(messages, [&] {
    MLIRContext *context = &getInferenceSession().getContext();
    Location loc = UnknownLoc::get(context);
    if (!written && !infersType(context, name))
      throw Error("'" + name + "' is not an op whose type follows");
    Block block;
    for (auto [i, operand] : llvm::enumerate(term->operands)) {
      // What type inference relies on.
      bool wantsTensor = name == "access";
      if (wantsTensor == operand->type.split.has_value())
        throw Error("'tensoraccess." + llvm::Twine(name) + "' takes " +
                    (wantsTensor ? "a tensor" : "an access pattern") +
                    " as operand " + llvm::Twine(i) + ", got " +
                    (wantsTensor ? "an access pattern" : "a tensor"));
      Type type = typeIn(context, operand->type, loc);
      if (!type)
        return;
      block.addArgument(type, loc);
    }
    Type type = written ? typeIn(context, *written, loc) : Type();
    if (written && !type)
      return;
    OpBuilder b(context);
    b.setInsertionPointToEnd(&block);
    Value value = makeOp(b, *term, block.getArguments(), type);
    if (!value)
      return;
    term->type = typeFrom(value.getType());
    ok = true;
  });
  if (!ok)
    throw Error(textsOf(messages));
  return {term};
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// All terms that some terms need, themselves included, oldest first: operands
/// come before their users.
static std::vector<ProgramTerm *>
termsBelow(const std::vector<TermHandle> &roots) {
  std::map<uint64_t, ProgramTerm *> found;
  std::vector<ProgramTerm *> pending;
  for (const TermHandle &root : roots)
    pending.push_back(root.term.get());
  while (!pending.empty()) {
    ProgramTerm *term = pending.back();
    pending.pop_back();
    if (!found.try_emplace(term->number, term).second)
      continue;
    for (const ProgramTerm::Ptr &operand : term->operands)
      pending.push_back(operand.get());
  }
  std::vector<ProgramTerm *> result;
  for (auto [number, term] : found)
    result.push_back(term);
  return result;
}

/// Writes a term's op, or constant; null after an error.
static Value
writeTerm(OpBuilder &b, const ProgramTerm &term,
          const llvm::DenseMap<const ProgramTerm *, Value> &values) {
  MLIRContext *context = b.getContext();
  Location loc = locationIn(context, term);
  Type type = typeIn(context, term.type, loc);
  if (!type)
    return {};
  if (term.kind == ProgramTerm::Constant)
    return arith::ConstantOp::create(
        b, loc, denseElementsFrom(*term.data, cast<RankedTensorType>(type)));
  SmallVector<Value> operands;
  for (const ProgramTerm::Ptr &operand : term.operands)
    operands.push_back(values.lookup(operand.get()));
  return makeOp(b, term, operands, type);
}

/// The function `name` of a new module; null after an error that is reported.
static OwningOpRef<ModuleOp>
writeProgram(MLIRContext *context, const std::vector<TermHandle> &results,
             const std::vector<TermHandle> &inputs, StringRef name) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect>();
  Location unknown = UnknownLoc::get(context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(unknown);
  OpBuilder b = OpBuilder::atBlockEnd(module->getBody());
  SmallVector<Type> inputTypes;
  SmallVector<Location> inputLocs;
  for (const TermHandle &input : inputs) {
    inputLocs.push_back(locationIn(context, *input));
    inputTypes.push_back(typeIn(context, input->type, inputLocs.back()));
    if (!inputTypes.back())
      return {};
  }
  auto function = func::FuncOp::create(
      b, unknown, name, FunctionType::get(context, inputTypes, {}));
  Block *block = b.createBlock(&function.getBody(), {}, inputTypes, inputLocs);
  llvm::DenseMap<const ProgramTerm *, Value> values;
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!values.try_emplace(input.term.get(), block->getArgument(i)).second)
      throw Error("input " + llvm::Twine(i) + " is listed twice");
    if (!input->name.empty())
      function.setArgAttr(i, "tensoraccess.name", b.getStringAttr(input->name));
  }
  for (const ProgramTerm *term : termsBelow(results)) {
    if (term->kind == ProgramTerm::Input) {
      if (values.count(term))
        continue;
      throw Error("the program reads an input " +
                  (term->name.empty() ? "" : "'" + term->name + "' ") +
                  "that is not among its inputs");
    }
    Value value = writeTerm(b, *term, values);
    if (!value)
      return {};
    values[term] = value;
  }
  SmallVector<Value> returned;
  for (const TermHandle &result : results) {
    Value value = values.lookup(result.term.get());
    if (isa<AccessType>(value.getType()))
      value =
          createChecked(b, locationIn(context, *result), "to_tensor", value);
    if (!value)
      return {};
    returned.push_back(value);
  }
  func::ReturnOp::create(b, unknown, returned);
  function.setType(
      FunctionType::get(context, inputTypes, ValueRange(returned).getTypes()));
  if (failed(verify(*module)))
    return {};
  return module;
}

static std::vector<TermHandle>
inputsOf(const std::vector<TermHandle> &results) {
  // Terms own what they are made of: find the owner of each input.
  std::map<uint64_t, TermHandle> found;
  for (const TermHandle &result : results)
    if (result->kind == ProgramTerm::Input)
      found[result->number] = result;
  for (ProgramTerm *term : termsBelow(results))
    for (const ProgramTerm::Ptr &operand : term->operands)
      if (operand->kind == ProgramTerm::Input)
        found[operand->number] = {operand};
  std::vector<TermHandle> inputs;
  for (auto &[number, term] : found)
    inputs.push_back(term);
  return inputs;
}

static std::shared_ptr<NativeModule>
build(const std::vector<TermHandle> &results,
      const std::vector<TermHandle> &inputs, const std::string &name) {
  ReleaseGil release;
  auto session = std::make_shared<Session>();
  std::vector<Message> messages;
  OwningOpRef<ModuleOp> module;
  session->run(messages, [&] {
    module = writeProgram(&session->getContext(), results, inputs, name);
  });
  if (!module)
    throw Error(textsOf(messages));
  return std::make_shared<NativeModule>(std::move(session), std::move(module),
                                        std::move(messages));
}

void python::bindProgram(nb::module_ &m) {
  nb::class_<TermHandle>(m, "Term",
                         "A value of a program; see tensoraccess.Access.")
      .def_prop_ro(
          "shape",
          [](const TermHandle &self) { return toSizes(self->type.dims); })
      .def_prop_ro("number",
                   [](const TermHandle &self) { return self->number; })
      .def_prop_ro("split",
                   [](const TermHandle &self) { return self->type.split; })
      .def_prop_ro("element",
                   [](const TermHandle &self) {
                     return toString(self->type.element).str();
                   })
      .def_prop_ro("op",
                   [](const TermHandle &self) -> std::string {
                     if (self->kind == ProgramTerm::Input)
                       return "input";
                     return self->kind == ProgramTerm::Constant ? "constant"
                                                                : self->name;
                   })
      .def_prop_ro("name", [](const TermHandle &self) {
        return self->kind == ProgramTerm::Input ? self->name : std::string();
      });
  m.def("make_input", &makeInput, nb::arg("shape"), nb::arg("element"),
        nb::arg("name"), nb::arg("file"), nb::arg("line"));
  m.def("make_constant", &makeConstant, nb::arg("array"), nb::arg("file"),
        nb::arg("line"));
  m.def("make_term", &makeTerm, nb::arg("op"), nb::arg("operands"),
        nb::arg("attributes"), nb::arg("result").none(), nb::arg("file"),
        nb::arg("line"));
  m.def("inputs_of", &inputsOf, nb::arg("results"));
  m.def("build", &build, nb::arg("results"), nb::arg("inputs"),
        nb::arg("name"));
}
