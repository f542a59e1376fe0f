//===- EquivalenceSolver.cpp - Expressions, decided by a solver -----------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Each expression that is needed becomes a value of the SMT dialect, a
//    bit-vector as wide as its type. Operations on integers are those of
//    bit-vectors, which wrap as they do; all others, those on floats above all,
//    are uninterpreted functions: equal on equal operands, with nothing else
//    known about them.
// 2. The assertion is that one function fails and the other does not, or that
//    neither fails and some element differs. The SMT dialect's export writes
//    it as SMT-LIB, which the solver gets as a file, its only argument.
// 3. `unsat`: the functions agree. `sat`: the model's values of the arguments'
//    elements are read back; whether they are a counterexample is for the
//    interpreter to decide.
//
//===----------------------------------------------------------------------===//

#include "EquivalenceTerms.h"
#include "TensorAccess/Core/WriteFile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SMT/IR/SMTOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Target/SMTLIB/ExportSMTLIB.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {
/// Builds values of the SMT dialect in a solver's region.
class SmtWriter {
public:
  SmtWriter(const ScalarTerms &graph, MLIRContext *context)
      : graph(graph), b(UnknownLoc::get(context), context) {}

  /// The script whose models make some pair differ, with the question for the
  /// values of all inputs; empty if the export fails.
  std::string write(ArrayRef<unsigned> expected, ArrayRef<unsigned> got);
  /// Names of inputs in the script.
  const llvm::StringMap<unsigned> &getInputs() const { return inputs; }
  /// Names of operations that became functions.
  const llvm::StringSet<> &getUnknown() const { return unknown; }

private:
  Type typeOf(Type type) {
    unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    return smt::BitVectorType::get(b.getContext(), bits);
  }
  Value fromBool(Value condition) {
    Value one = smt::BVConstantOp::create(b, 1, 1);
    Value zero = smt::BVConstantOp::create(b, 0, 1);
    return smt::IteOp::create(b, one.getType(), condition, one, zero);
  }
  Value toBool(Value bit) {
    Value one = smt::BVConstantOp::create(b, 1, 1);
    return smt::EqOp::create(b, bit, one);
  }
  Value compare(smt::BVCmpPredicate predicate, Value x, Value y) {
    return smt::BVCmpOp::create(b, predicate, x, y);
  }
  Value choose(smt::BVCmpPredicate predicate, Value x, Value y) {
    return smt::IteOp::create(b, x.getType(), compare(predicate, x, y), x, y);
  }
  Value applyCompare(arith::CmpIPredicate predicate, Value x, Value y);
  Value resize(Value x, Type type, bool isSigned);
  Value applyUnknown(const ScalarTerm &term, ArrayRef<Value> operands);
  Value applyKnown(const ScalarTerm &term, ArrayRef<Value> operands);
  Value make(unsigned id, const ScalarTerm &term);

  const ScalarTerms &graph;
  ImplicitLocOpBuilder b;
  std::vector<Value> values;
  llvm::StringMap<unsigned> inputs;
  llvm::StringMap<Value> functions;
  llvm::StringSet<> unknown;
};
} // namespace

Value SmtWriter::applyCompare(arith::CmpIPredicate predicate, Value x,
                              Value y) {
  if (predicate == arith::CmpIPredicate::eq)
    return smt::EqOp::create(b, x, y);
  if (predicate == arith::CmpIPredicate::ne)
    return smt::DistinctOp::create(b, x, y);
  // The others have the same names.
  return compare(
      *smt::symbolizeBVCmpPredicate(arith::stringifyCmpIPredicate(predicate)),
      x, y);
}

/// Cuts or extends a bit-vector.
Value SmtWriter::resize(Value x, Type type, bool isSigned) {
  auto from = cast<smt::BitVectorType>(x.getType());
  auto to = cast<smt::BitVectorType>(type);
  int64_t missing = to.getWidth() - from.getWidth();
  if (missing == 0)
    return x;
  if (missing < 0)
    return smt::ExtractOp::create(b, to, 0, x);
  Value high = smt::BVConstantOp::create(b, 0, missing);
  if (isSigned) {
    auto bit = smt::BitVectorType::get(b.getContext(), 1);
    Value sign = smt::ExtractOp::create(b, bit, from.getWidth() - 1, x);
    high = smt::RepeatOp::create(b, missing, sign);
  }
  return smt::ConcatOp::create(b, high, x);
}

/// An uninterpreted function, one for each name and types.
Value SmtWriter::applyUnknown(const ScalarTerm &term,
                              ArrayRef<Value> operands) {
  unknown.insert(term.name);
  std::string name = term.name.str() + "_" + std::to_string(term.predicate);
  llvm::raw_string_ostream os(name);
  SmallVector<Type> types;
  for (auto [id, operand] : llvm::zip_equal(term.operands, operands)) {
    types.push_back(operand.getType());
    os << '_' << graph.getTerm(id).type;
  }
  os << '_' << term.type;
  llvm::replace(name, '.', '_');
  Value &function = functions[name];
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(b.getInsertionBlock());
    function = smt::DeclareFunOp::create(
        b, smt::SMTFuncType::get(b.getContext(), types, typeOf(term.type)),
        b.getStringAttr(name));
  }
  return smt::ApplyFuncOp::create(b, function, operands);
}

/// Operations on integers; null for others.
Value SmtWriter::applyKnown(const ScalarTerm &term, ArrayRef<Value> x) {
  using S = smt::BVCmpPredicate;
  Type type = typeOf(term.type);
  for (unsigned id : term.operands)
    if (isa<FloatType>(graph.getTerm(id).type) && term.name != "arith.select")
      return {};
  StringRef name = term.name;
  if (!name.consume_front("arith."))
    return {};
  if (name == "addi")
    return smt::BVAddOp::create(b, x[0], x[1]);
  if (name == "muli")
    return smt::BVMulOp::create(b, x[0], x[1]);
  if (name == "subi")
    return smt::BVAddOp::create(b, x[0], smt::BVNegOp::create(b, x[1]));
  if (name == "andi")
    return smt::BVAndOp::create(b, x[0], x[1]);
  if (name == "ori")
    return smt::BVOrOp::create(b, x[0], x[1]);
  if (name == "xori")
    return smt::BVXOrOp::create(b, x[0], x[1]);
  // A shift by the width or more is 0, or the sign, in the interpreter, too.
  if (name == "shli")
    return smt::BVShlOp::create(b, x[0], x[1]);
  if (name == "shrui")
    return smt::BVLShrOp::create(b, x[0], x[1]);
  if (name == "shrsi")
    return smt::BVAShrOp::create(b, x[0], x[1]);
  // The result of a division by zero does not matter: the function fails.
  if (name == "divui")
    return smt::BVUDivOp::create(b, x[0], x[1]);
  if (name == "divsi")
    return smt::BVSDivOp::create(b, x[0], x[1]);
  if (name == "remui")
    return smt::BVURemOp::create(b, x[0], x[1]);
  if (name == "remsi")
    return smt::BVSRemOp::create(b, x[0], x[1]);
  if (name == "maxsi")
    return choose(S::sge, x[0], x[1]);
  if (name == "minsi")
    return choose(S::sle, x[0], x[1]);
  if (name == "maxui")
    return choose(S::uge, x[0], x[1]);
  if (name == "minui")
    return choose(S::ule, x[0], x[1]);
  if (name == "cmpi")
    return fromBool(applyCompare(
        static_cast<arith::CmpIPredicate>(term.predicate), x[0], x[1]));
  if (name == "select")
    return smt::IteOp::create(b, type, toBool(x[0]), x[1], x[2]);
  if (name == "extsi" || name == "index_cast")
    return resize(x[0], type, true);
  if (name == "extui" || name == "trunci" || name == "index_castui")
    return resize(x[0], type, false);
  return {};
}

Value SmtWriter::make(unsigned id, const ScalarTerm &term) {
  switch (term.kind) {
  case ScalarTerm::Kind::Input: {
    std::string name = "input" + std::to_string(term.argument) + "_" +
                       std::to_string(term.number);
    inputs[name] = id;
    return smt::DeclareFunOp::create(b, typeOf(term.type),
                                     b.getStringAttr(name));
  }
  case ScalarTerm::Kind::Unknown:
    return smt::DeclareFunOp::create(
        b, typeOf(term.type),
        b.getStringAttr("unknown_" + std::to_string(term.number)));
  case ScalarTerm::Kind::Constant:
    return smt::BVConstantOp::create(b, term.bits);
  case ScalarTerm::Kind::Apply: {
    SmallVector<Value> operands;
    for (unsigned operand : term.operands)
      operands.push_back(values[operand]);
    Value known = applyKnown(term, operands);
    return known ? known : applyUnknown(term, operands);
  }
  }
  llvm_unreachable("every term has a kind");
}

std::string SmtWriter::write(ArrayRef<unsigned> expected,
                             ArrayRef<unsigned> got) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getLoc());
  b.setInsertionPointToEnd(module->getBody());
  auto solver = smt::SolverOp::create(b, TypeRange(), ValueRange());
  Block &body = solver.getBodyRegion().emplaceBlock();
  b.setInsertionPointToEnd(&body);

  // Operands have smaller numbers than the values computed from them.
  llvm::BitVector needed(graph.size());
  ArrayRef<unsigned> ofFirst = graph.getFailures(false),
                     ofSecond = graph.getFailures(true);
  for (unsigned id :
       llvm::concat<const unsigned>(expected, got, ofFirst, ofSecond))
    needed.set(id);
  for (unsigned id = graph.size(); id-- > 0;)
    if (needed.test(id))
      for (unsigned operand : graph.getTerm(id).operands)
        needed.set(operand);
  values.resize(graph.size());
  for (unsigned id = 0; id < graph.size(); ++id)
    if (needed.test(id))
      values[id] = make(id, graph.getTerm(id));

  auto anyOf = [&](ArrayRef<Value> conditions) -> Value {
    if (conditions.empty())
      return smt::BoolConstantOp::create(b, false);
    if (conditions.size() == 1)
      return conditions[0];
    return smt::OrOp::create(b, conditions);
  };
  SmallVector<Value> differences;
  for (auto [x, y] : llvm::zip_equal(expected, got))
    differences.push_back(smt::DistinctOp::create(b, values[x], values[y]));
  Value any = anyOf(differences);
  if (!ofFirst.empty() || !ofSecond.empty()) {
    auto isTrue = [&](unsigned id) { return toBool(values[id]); };
    Value first = anyOf(llvm::map_to_vector(ofFirst, isTrue));
    Value second = anyOf(llvm::map_to_vector(ofSecond, isTrue));
    Value neither = smt::NotOp::create(b, anyOf({first, second}));
    any = anyOf({smt::DistinctOp::create(b, first, second),
                 smt::AndOp::create(b, ValueRange{neither, any})});
  }
  smt::AssertOp::create(b, any);
  auto check = smt::CheckOp::create(b, TypeRange());
  for (Region *region : {&check.getSatRegion(), &check.getUnknownRegion(),
                         &check.getUnsatRegion()}) {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(region);
    smt::YieldOp::create(b);
  }
  smt::YieldOp::create(b);

  std::string script;
  llvm::raw_string_ostream os(script);
  if (failed(smt::exportSMTLIB(*module, os)))
    return {};
  // Values are asked for where the export resets everything.
  StringRef text = StringRef(script).rtrim();
  text.consume_back("(reset)");
  std::string result = text.str();
  if (!inputs.empty()) {
    SmallVector<StringRef> names(inputs.keys());
    llvm::sort(names);
    result += "(get-value (" + llvm::join(names, " ") + "))\n";
  }
  return result;
}

/// Reads `((input0_1 #x0f) (input0_2 #b1))`.
static void readModel(StringRef text, const llvm::StringMap<unsigned> &inputs,
                      const ScalarTerms &graph, SolverAnswer &answer) {
  SmallVector<StringRef> words;
  for (StringRef rest = text;;) {
    rest = rest.ltrim("() \t\r\n");
    if (rest.empty())
      break;
    words.push_back(rest.take_until(
        [](char c) { return StringRef("() \t\r\n").contains(c); }));
    rest = rest.drop_front(words.back().size());
  }
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    auto input = inputs.find(words[i]);
    StringRef value = words[i + 1];
    if (input == inputs.end() || !value.consume_front("#") || value.size() < 2)
      continue;
    unsigned radix = value[0] == 'x' ? 16 : 2;
    const ScalarTerm &term = graph.getTerm(input->second);
    llvm::APInt bits;
    if (value.drop_front().getAsInteger(radix, bits))
      continue;
    answer.values.emplace_back(
        term.argument, term.number,
        bits.zextOrTrunc(std::max(64u, bits.getActiveBits())));
  }
}

/// The option's program, else the environment's.
static std::string getSolver(const EquivalenceOptions &options) {
  if (!options.solver.empty())
    return options.solver;
  const char *named = std::getenv("TENSORACCESS_SOLVER");
  return named && *named ? named : "z3";
}

SolverAnswer mlir::tensoraccess::solveTerms(const ScalarTerms &graph,
                                            ArrayRef<unsigned> expected,
                                            ArrayRef<unsigned> got,
                                            const EquivalenceOptions &options,
                                            MLIRContext *context) {
  SolverAnswer answer;
  auto open = [&](const Twine &why) {
    answer.problem = why.str();
    return answer;
  };
  context->loadDialect<smt::SMTDialect>();
  SmtWriter writer(graph, context);
  std::string script = writer.write(expected, got);
  if (script.empty())
    return open("the expressions cannot be exported to SMT-LIB");
  // Also where there is no solver to read it.
  if (!options.solverDump.empty())
    if (llvm::Error error = writeFile(options.solverDump, script))
      return open(llvm::toString(std::move(error)));
  const std::string solver = getSolver(options);
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(solver);
  if (!program)
    return open("the solver '" + solver +
                "' is not found; Debian has z3 in the package z3");

  SmallString<128> scriptPath, outputPath;
  if (llvm::sys::fs::createTemporaryFile("equivalence", "smt2", scriptPath) ||
      llvm::sys::fs::createTemporaryFile("equivalence", "txt", outputPath))
    return open("no temporary file can be made for the solver");
  llvm::FileRemover removeScript(scriptPath), removeOutput(outputPath);
  if (llvm::Error error = writeFile(scriptPath, script))
    return open(llvm::toString(std::move(error)));
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(outputPath),
                                          StringRef(outputPath)};
  std::string error;
  // Exit codes say little: asking for values after `unsat` is an error.
  int code = llvm::sys::ExecuteAndWait(
      *program, {*program, scriptPath}, std::nullopt, redirects,
      static_cast<unsigned>(options.solverSeconds), 0, &error);
  if (code == -2)
    return open("the solver found no answer within " +
                Twine(options.solverSeconds) + " s");
  if (code == -1)
    return open("the solver '" + solver + "' does not run: " + error);
  auto output = llvm::MemoryBuffer::getFile(outputPath);
  StringRef text = output ? (*output)->getBuffer().ltrim() : StringRef();
  StringRef verdict = text.take_until([](char c) { return c <= ' '; });
  if (verdict == "unsat") {
    answer.kind = SolverAnswer::Kind::Equal;
  } else if (verdict == "sat") {
    answer.kind = SolverAnswer::Kind::Different;
    for (StringRef name : writer.getUnknown().keys())
      answer.unknown.push_back(name.str());
    llvm::sort(answer.unknown);
    readModel(text.drop_front(3), writer.getInputs(), graph, answer);
  } else {
    StringRef line = text.take_until([](char c) { return c == '\n'; });
    return open("the solver '" + solver + "' says '" + line + "'");
  }
  return answer;
}
