//===- Session.cpp - A context, its lock and its diagnostics --------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Native.h"
#include "TensorAccess/Conversion/Conversion.h"
#include "TensorAccess/Core/Progress.h"
#include "TensorAccess/IR/TensorAccess.h"
#include "TensorAccess/Registration/Registration.h"

#include "mlir/IR/Action.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

static llvm::StringRef name(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  return "error";
}

std::string python::toUTF8(std::string text) {
  return llvm::json::isUTF8(text) ? std::move(text) : llvm::json::fixUTF8(text);
}

std::string python::printLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  else if (auto named = loc->findInstanceOf<NameLoc>())
    os << named.getName().getValue();
  else if (isa<UnknownLoc>(loc))
    os << "unknown";
  else
    loc.print(os);
  return toUTF8(std::move(text));
}

static Message keep(Diagnostic &diagnostic) {
  Message message{name(diagnostic.getSeverity()).str(),
                  toUTF8(diagnostic.str()),
                  printLocation(diagnostic.getLocation()),
                  {}};
  for (Diagnostic &note : diagnostic.getNotes()) {
    Message kept = keep(note);
    // The parser lists some fifty dialects where it misses one.
    if (!llvm::StringRef(kept.text).starts_with("Available dialects:"))
      message.notes.push_back(std::move(kept));
  }
  return message;
}

std::string Message::str() const {
  std::string result = severity + ": " + text;
  if (location != "unknown")
    result = location + ": " + result;
  for (const Message &note : notes)
    result += "\n  " + note.str();
  return result;
}

std::string python::joinErrors(const std::vector<Message> &messages,
                               llvm::StringRef fallback) {
  std::string result;
  for (const Message &message : messages) {
    if (message.severity != "error")
      continue;
    if (!result.empty())
      result += '\n';
    result += message.str();
  }
  return result.empty() ? fallback.str() : result;
}

/// All dialects and passes, registered with the process once.
static const DialectRegistry &getRegistry() {
  static const DialectRegistry *registry = [] {
    auto *made = new DialectRegistry();
    registerEverything(*made);
    registerAllPassesAndPipelines();
    return made;
  }();
  return *registry;
}

Session::Session() : context(getRegistry(), MLIRContext::Threading::DISABLED) {
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  // Holds the models that are registered by name.
  context.loadDialect<TensorAccessDialect>();
  // Nothing more is done for a call that was interrupted, nor after a pass of
  // upstream's that would crash; what is left of a pipeline takes no time.
  context.registerActionHandler(
      [this](llvm::function_ref<void()> act, const tracing::Action &action) {
        if (isCancelled() || hasRefused)
          return;
        if (auto *pass = llvm::dyn_cast<PassExecutionAction>(&action))
          hasRefused = failed(
              checkUpstreamPass(pass->getPass().getArgument(), pass->getOp()));
        if (!hasRefused)
          act();
      });
  remark::RemarkCategories categories;
  // `all` alone would add nothing: it widens the kinds that are asked for.
  categories.passed = categories.missed = categories.analysis =
      categories.failed = ".*";
  (void)remark::enableOptimizationRemarks(
      context, /*streamer=*/nullptr,
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories,
      /*printAsEmitRemarks=*/true);
}

void Session::withoutContext(llvm::function_ref<void()> work) {
  mutex.unlock();
  work();
  mutex.lock();
}

void Session::run(std::vector<Message> &messages,
                  llvm::function_ref<void()> work) {
  std::lock_guard<std::recursive_mutex> guard(mutex);
  hasRefused = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages.push_back(keep(diagnostic));
    return success();
  });
  work();
}

void Session::look(llvm::function_ref<void()> work) {
  ReleaseGil release;
  std::vector<Message> ignored;
  run(ignored, work);
}

std::vector<Message> Session::attempt(llvm::StringRef fallback,
                                      llvm::function_ref<bool()> work) {
  ReleaseGil release;
  std::vector<Message> messages;
  bool ok = false;
  run(messages, [&] { ok = work(); });
  if (!ok)
    throw Error(joinErrors(messages, fallback));
  return messages;
}
