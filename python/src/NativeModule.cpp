//===- NativeModule.cpp - Modules for Python ------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module is immutable in Python: a pipeline runs on a clone, so that a
// pipeline that fails half-way leaves its input as it was. Parsing, printing
// and passes run without the GIL (see Session.h).
//
//===----------------------------------------------------------------------===//

#include "NativeModule.h"
#include "Native.h"
#include "NativeEGraph.h"
#include "TensorAccess/Analysis/Explain.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Interfaces/Functions.h"
#include "TensorAccess/Pipelines/PassManagers.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "TensorAccess/StableHlo/HloModule.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ScopedPrinter.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

//===----------------------------------------------------------------------===//
// Parsing and printing
//===----------------------------------------------------------------------===//

/// MLIR's readers want text to end in a NUL and bytecode to be aligned as its
/// largest section.
static std::unique_ptr<llvm::MemoryBuffer> makeBuffer(llvm::StringRef source,
                                                      llvm::StringRef name) {
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      source.size(), name, llvm::Align(64));
  llvm::copy(source, buffer->getBufferStart());
  return buffer;
}

/// A view of contiguous memory of Python's, given back with the GIL held.
using Buffer = std::shared_ptr<Py_buffer>;

static Buffer getBuffer(nb::handle object) {
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(object.ptr(), view.get(), PyBUF_SIMPLE))
    throw nb::python_error();
  return Buffer(view.release(), [](Py_buffer *view) {
    // Modules that live until the interpreter ends are given back by no one.
    if (!nb::is_alive())
      return;
    nb::gil_scoped_acquire acquire;
    PyBuffer_Release(view);
    delete view;
  });
}

/// Memory of Python's: a blob holds on to the buffer for as long as it lives.
static AsmResourceBlob makeBlob(const Buffer &buffer) {
  auto deleter = [keep = buffer](void *, size_t, size_t) mutable {
    keep.reset();
  };
  return AsmResourceBlob(
      ArrayRef(static_cast<const char *>(buffer->buf), buffer->len),
      /*dataAlignment=*/1, std::move(deleter), /*dataIsMutable=*/false);
}

/// Replaces the locations of all ops and arguments, in order.
static void replaceLocations(ModuleOp module,
                             llvm::function_ref<Location(Location)> replace) {
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    op->setLoc(replace(op->getLoc()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(replace(argument.getLoc()));
  });
}

/// What nameBySource makes of the locations of a module, which stay as they are;
/// nothing if the text has no names.
static std::vector<Location> findSourceNames(ModuleOp module,
                                             llvm::SourceMgr &sources) {
  std::vector<Location> old, named;
  replaceLocations(
      module, [&](Location location) { return old.emplace_back(location); });
  nameBySource(module, sources);
  replaceLocations(module, [&](Location location) {
    named.push_back(location);
    return old[named.size() - 1];
  });
  if (named == old)
    named.clear();
  return named;
}

std::shared_ptr<NativeModule>
NativeModule::parse(nb::bytes source, std::string_view name, bool keepsLayouts,
                    nb::typed<nb::dict, std::string, nb::object> resources) {
  llvm::StringRef text(source.c_str(), source.size());
  std::vector<std::pair<std::string, Buffer>> buffers;
  for (auto [key, value] : resources)
    buffers.emplace_back(nb::cast<std::string>(key), getBuffer(value));
  ReleaseGil release;
  auto session = std::make_shared<Session>();
  std::vector<Message> messages;
  OwningOpRef<ModuleOp> op;
  std::vector<Location> named;
  session->run(messages, [&] {
    llvm::SourceMgr sourceMgr;
    sourceMgr.AddNewSourceBuffer(makeBuffer(text, toRef(name)), llvm::SMLoc());
    op = parseProgram(session->getContext(), sourceMgr, keepsLayouts);
    if (!op)
      return;
    named = findSourceNames(*op, sourceMgr);
    auto &manager =
        DenseResourceElementsHandle::getManagerInterface(&session->getContext())
            .getBlobManager();
    for (auto &[key, buffer] : buffers)
      if (manager.lookup(key))
        manager.update(key, makeBlob(buffer));
  });
  if (!op) {
    std::string reason = joinErrors(messages, "the source is not a module");
    if (std::optional<std::string> hint = explainUnread(text))
      reason += "\n  hint: " + *hint;
    throw Error(reason);
  }
  auto module = std::make_shared<NativeModule>(
      std::move(session), std::move(op), std::move(messages));
  module->named = std::move(named);
  return module;
}

void NativeModule::withSourceNames(llvm::function_ref<void()> work) {
  auto exchange = [&] {
    auto next = named.begin();
    if (!named.empty())
      replaceLocations(*op, [&](Location location) {
        return std::exchange(*next++, location);
      });
  };
  std::vector<Message> ignored;
  session->run(ignored, [&] {
    exchange();
    llvm::scope_exit restore(exchange);
    work();
  });
}

std::string NativeModule::print(bool generic, bool locations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  session->look([&] {
    OpPrintingFlags flags;
    if (generic)
      flags.printGenericOpForm();
    if (locations)
      flags.enableDebugInfo(true, false);
    op->print(os, flags);
  });
  return toUTF8(std::move(text));
}

nb::bytes NativeModule::bytecode() {
  std::string data;
  llvm::raw_string_ostream os(data);
  session->look([&] {
    if (failed(writeBytecodeToFile(op->getOperation(), os)))
      throw Error("the module cannot be written as bytecode");
  });
  return nb::bytes(data.data(), data.size());
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// `a,b` means `builtin.module(a,b)`: what the flags of the tools say.
static std::string anchor(llvm::StringRef pipeline) {
  pipeline = pipeline.trim();
  size_t at = pipeline.find_first_of("(,{");
  if (at != llvm::StringRef::npos && pipeline[at] == '(')
    return pipeline.str();
  return ("builtin.module(" + pipeline + ")").str();
}

std::shared_ptr<NativeModule> NativeModule::run(std::string_view pipeline) {
  std::vector<Message> messages;
  std::string parseErrors;
  OwningOpRef<ModuleOp> result;
  bool ok = false;
  auto work = [&] {
    llvm::raw_string_ostream os(parseErrors);
    FailureOr<OpPassManager> passes =
        parsePassPipeline(anchor(toRef(pipeline)), os);
    if (failed(passes)) {
      if (auto mistake = findPipelineMistake(toRef(pipeline)))
        parseErrors =
            mistake->message + pointAt(toRef(pipeline), mistake->offset);
      if (parseErrors.empty())
        parseErrors = "the pipeline is malformed";
      return;
    }
    parseErrors.clear();
    PassManager manager(&session->getContext(), ModuleOp::getOperationName());
    static_cast<OpPassManager &>(manager) = std::move(*passes);
    reportFailures(manager);
    ProgressSteps progress("passes", countPasses(manager));
    reportProgress(manager, progress);
    result = OwningOpRef<ModuleOp>(op->clone());
    ok = succeeded(manager.run(*result)) && !session->hasRefusedPass();
    if (!ok)
      result = {};
  };
  {
    ReleaseGil release;
    session->run(messages, work);
  }
  // A pass may ask for costs that are functions of Python.
  rethrowCostError();
  if (!parseErrors.empty())
    throw Error(llvm::StringRef(parseErrors).trim());
  if (!ok)
    throw Error(joinErrors(messages, "a pass of the pipeline failed"));
  return std::make_shared<NativeModule>(session, std::move(result),
                                        std::move(messages));
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

std::string python::printName(Value value, AsmState &names) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.printAsOperand(os, names);
  return text;
}

std::vector<std::string> python::printAll(TypeRange types) {
  std::vector<std::string> result;
  for (Type type : types)
    result.push_back(llvm::to_string(type));
  return result;
}

FunctionOpInterface NativeModule::findFunction(std::string_view name) {
  for (auto function : op->getOps<FunctionOpInterface>())
    if (function.getName() == toRef(name))
      return function;
  throw Error(describeUnknownFunction(*op, toRef(name)));
}

/// (name, argument types, result types, is private, location) of every
/// function.
using FunctionTuple = std::tuple<std::string, std::vector<std::string>,
                                 std::vector<std::string>, bool, std::string>;

static std::vector<FunctionTuple> getFunctions(NativeModule &self) {
  std::vector<FunctionTuple> result;
  self.getSession().look([&] {
    for (auto function : self.getOp().getOps<FunctionOpInterface>())
      result.emplace_back(
          function.getName().str(), printAll(function.getArgumentTypes()),
          printAll(function.getResultTypes()), function.isPrivate(),
          printLocation(function.getLoc()));
  });
  return result;
}

/// The names of constants that a dump leaves out and `name` takes as its last
/// arguments.
static std::vector<std::string> getLiterals(NativeModule &self,
                                            std::string_view name) {
  std::vector<std::string> literals;
  self.getSession().look([&] {
    for (auto function : self.getOp().getOps<FunctionOpInterface>())
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (auto literal =
                function.getArgAttrOfType<StringAttr>(i, kElidedLiteral);
            literal && function.getName() == toRef(name))
          literals.push_back(literal.str());
  });
  return literals;
}

/// The names that the locations of a function's arguments give them, as JAX
/// writes them; empty where there is none.
static std::vector<std::string> getArgumentNames(NativeModule &self,
                                                 std::string_view name) {
  std::vector<std::string> names;
  self.getSession().attempt("there is no such function", [&] {
    FailureOr<func::FuncOp> function = findEntry(self.getOp(), toRef(name));
    if (failed(function))
      return false;
    for (unsigned i = 0; i < function->getNumArguments(); ++i) {
      auto location =
          function->getArgument(i).getLoc()->findInstanceOf<NameLoc>();
      auto literal = function->getArgAttrOfType<StringAttr>(i, kElidedLiteral);
      names.push_back(literal    ? literal.str()
                      : location ? location.getName().str()
                                 : "");
    }
    return true;
  });
  return names;
}

/// An attribute of a function as text; empty if it has none of that name.
static std::string getFunctionAttribute(NativeModule &self,
                                        std::string_view name,
                                        std::string_view attribute) {
  std::string text;
  self.getSession().look([&] {
    if (Attribute found = self.findFunction(name)->getAttr(toRef(attribute)))
      text = llvm::to_string(found);
  });
  return text;
}

void python::bindModule(nb::module_ &m) {
  nb::class_<Message>(m, "Diagnostic", "What a parser or a pass had to say.")
      .def_ro("severity", &Message::severity,
              "'error', 'warning', 'remark' or 'note'.")
      .def_ro("message", &Message::text)
      .def_ro("location", &Message::location, "'file:line:column' where known.")
      .def_ro("notes", &Message::notes)
      .def("__str__", &Message::str)
      .def("__repr__", [](const Message &self) {
        return "<Diagnostic " + self.str() + ">";
      });

  nb::class_<NativeModule>(m, "NativeModule",
                           "An MLIR module; see tensoraccess.Module.")
      .def_static(
          "parse", &NativeModule::parse, nb::arg("source"), nb::arg("name"),
          nb::arg("layouts") = false, nb::arg("resources") = nb::dict(),
          "Reads text or bytecode; `name` is the file in locations, "
          "`resources` are the bytes of dense_resource constants by key. "
          "`layouts`: those of HLO text stay on types.")
      .def("print", &NativeModule::print, nb::arg("generic"),
           nb::arg("locations"))
      .def("bytecode", &NativeModule::bytecode)
      .def("needs_refined_shapes",
           [](NativeModule &self) {
             bool needs = false;
             self.getSession().look(
                 [&] { needs = needsRefinedShapes(self.getOp()); });
             return needs;
           })
      .def("run", &NativeModule::run, nb::arg("pipeline"))
      .def("functions", &getFunctions)
      .def(
          "literals", &getLiterals, nb::arg("name"),
          "Constants that an HLO dump leaves out, a function's last arguments.")
      .def("attribute", &getFunctionAttribute, nb::arg("name"),
           nb::arg("attribute"),
           "An attribute of a function as text, '' for none.")
      .def("argument_names", &getArgumentNames, nb::arg("name"),
           "Names that locations give a function's arguments, '' for none.")
      .def_prop_ro("diagnostics",
                   [](const NativeModule &self) { return self.getMessages(); });
}
