//===- GlensideToAccess.cpp - Glenside programs as access patterns --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The terms of the program are visited operands first, in one loop; each
// becomes a TermValue (GlensideBuilder.h): a number, a shape, a tensor, a
// pattern. One function reads each word; the table at the end lists them.
//
// `(access-tensor t)` is a pattern whose dimensions are all access dimensions.
// What Glenside does not check but the dialect does (element counts in
// reshape, equal shapes in pair, the other dimensions in concatenate, …) is an
// error of the op's verifier, at the operand that causes it.
//
//===----------------------------------------------------------------------===//

#include "GlensideBuilder.h"
#include "GlensideSyntax.h"
#include "GlensideTerms.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::glenside;

static TermReader findReader(StringRef word) {
  for (auto find : {findShapeTerm, findAccessTerm, findHardwareTerm})
    if (TermReader reader = find(word))
      return reader;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// An atom: a number, a tensor of that name, or a word.
static TermValue readAtom(const Node &node,
                          const llvm::StringMap<Value> &tensors) {
  TermValue term;
  term.word = node.word;
  if (auto tensor = tensors.find(node.word); tensor != tensors.end()) {
    term.kind = TermValue::Tensor;
    term.value = tensor->second;
  } else if (!node.word.getAsInteger(10, term.number)) {
    term.kind = TermValue::Number;
    term.isInteger = true;
    term.decimal = static_cast<double>(term.number);
  } else if ((llvm::isDigit(node.word.front()) ||
              (node.word.size() > 1 &&
               StringRef("+-.").contains(node.word.front()))) &&
             !node.word.getAsDouble(term.decimal)) {
    term.kind = TermValue::Decimal;
  } else {
    term.kind = TermValue::Word;
  }
  return term;
}

/// Appends what the program's value is as results of a function. Shapes and
/// lists are tensors of i64, an access shape is two of them.
static LogicalResult addResults(TermBuilder &b, const TermValue &root,
                                SmallVectorImpl<Value> &results) {
  auto numbers = [&](ArrayRef<int64_t> values) {
    auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                      b.b.getI64Type());
    results.push_back(arith::ConstantOp::create(
        b.b, b.loc, DenseElementsAttr::get(type, values)));
  };
  switch (root.kind) {
  case TermValue::Pattern:
    results.push_back(b.toTensor(root.value));
    return success(results.back());
  case TermValue::Tensor:
    results.push_back(root.value);
    return success();
  case TermValue::Shape:
  case TermValue::List:
    numbers(root.numbers);
    return success();
  case TermValue::AccessShape:
    numbers(ArrayRef(root.numbers).take_front(root.split));
    numbers(ArrayRef(root.numbers).drop_front(root.split));
    return success();
  case TermValue::Tuple:
    for (const TermValue &element : root.elements)
      if (failed(addResults(b, element, results)))
        return failure();
    return success();
  case TermValue::Literal: {
    Type element = literalType(b);
    Value pattern = b.splat({}, b.constant(element, root));
    results.push_back(pattern ? b.toTensor(pattern) : Value());
    return success(results.back());
  }
  default:
    return b.error() << "a program is an access pattern, a tensor, a tuple, a "
                        "shape or a literal, got "
                     << describe(root.kind);
  }
}

OwningOpRef<ModuleOp>
tensoraccess::importGlenside(const llvm::SourceMgr &sources,
                             MLIRContext *context) {
  FailureOr<Program> program = parse(sources, context);
  if (failed(program))
    return {};
  context->loadDialect<TensorAccessDialect, arith::ArithDialect,
                       func::FuncDialect, linalg::LinalgDialect,
                       math::MathDialect, tensor::TensorDialect>();
  Location start = program->nodes.back().loc;
  OwningOpRef<ModuleOp> module = ModuleOp::create(start);
  OpBuilder b(module->getBodyRegion());
  auto types = llvm::map_to_vector(
      program->arguments, [](const Argument &a) -> Type { return a.type; });
  auto function =
      func::FuncOp::create(b, start, "main", b.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  llvm::StringMap<Value> tensors;
  for (auto [argument, value] :
       llvm::zip_equal(program->arguments, body->getArguments())) {
    value.setLoc(argument.loc);
    tensors[argument.name] = value;
    function.setArgAttr(cast<BlockArgument>(value).getArgNumber(),
                        "tensoraccess.name", b.getStringAttr(argument.name));
  }
  b.setInsertionPointToStart(body);

  std::vector<TermValue> terms;
  terms.reserve(program->nodes.size());
  for (const Node &node : program->nodes) {
    TermBuilder builder(b, node.loc, node.places);
    if (!node.isList) {
      terms.push_back(readAtom(node, tensors));
      if (terms.back().kind == TermValue::Decimal &&
          llvm::all_of(node.word.ltrim("+-"), llvm::isDigit)) {
        builder.error() << "the number " << node.word
                        << " does not fit in 64 bits";
        return {};
      }
      continue;
    }
    TermReader reader = findReader(node.word);
    if (!reader) {
      builder.error() << "'" << node.word << "' is not a term of Glenside";
      return {};
    }
    SmallVector<TermValue> operands;
    for (unsigned operand : node.operands)
      operands.push_back(terms[operand]);
    // A word where a tensor is wanted is a tensor without a declaration.
    if ((node.word == "access-tensor" || node.word == "shape-of") &&
        operands.size() == 1 && operands[0].kind == TermValue::Word) {
      builder.at(0).error()
          << "tensor '" << operands[0].word
          << "' is not declared; a comment line declares it, as in `; "
          << operands[0].word << ": 2x3xf32`";
      return {};
    }
    Operands taken(builder, node.word, operands);
    terms.push_back(reader(builder, taken));
    if (!terms.back())
      return {};
  }

  TermBuilder builder(b, start);
  SmallVector<Value> results;
  if (failed(addResults(builder, terms.back(), results)))
    return {};
  func::ReturnOp::create(b, start, results);
  function.setType(b.getFunctionType(types, ValueRange(results).getTypes()));
  return module;
}

void tensoraccess::registerGlensideImport() {
  TranslateToMLIRRegistration registration(
      "import-glenside",
      "read a Glenside program; its tensors are declared by comment lines as "
      "in "
      "`; t: 3x32x32xf64`",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        return importGlenside(sources, context);
      },
      [](DialectRegistry &registry) {
        registry.insert<TensorAccessDialect, arith::ArithDialect,
                        func::FuncDialect, linalg::LinalgDialect,
                        math::MathDialect, tensor::TensorDialect>();
      });
}
