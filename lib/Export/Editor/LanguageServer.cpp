//===- LanguageServer.cpp - Upstream's server, and hovers -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's language server has no hook for hovers over a dialect's
// attributes. So it runs as a child of this process, between two pipes:
//
//   editor ── requests ──▶ this process ──▶ upstream's server
//   editor ◀── answers, diagnostics ── a thread ◀── upstream's server
//
// Messages pass unchanged. On the way documents are recorded, and a hover over an
// attribute of ours is answered here. What is about a document of HLO text, which
// upstream's parser does not read, stays here.
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"
#include "HloDocument.h"
#include "Positions.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "TensorAccess/StableHlo/VhloModule.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/Program.h"
#include <csignal>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace mlir::tensoraccess;
namespace cl = llvm::cl;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {
/// What messages are written to, each as a whole.
class Output {
public:
  Output(int file, bool pretty) : file(file), pretty(pretty) {}

  /// False if the client has hung up.
  bool write(StringRef message) {
    std::string text = llvm::formatv("Content-Length: {0}\r\n\r\n{1}",
                                     message.size(), message);
    std::lock_guard<std::mutex> lock(mutex);
    for (StringRef rest = text; !rest.empty();) {
      ssize_t written = ::write(file, rest.data(), rest.size());
      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return false;
      rest = rest.drop_front(written);
    }
    return true;
  }
  bool isPretty() const { return pretty; }
  void send(const json::Value &message) {
    write(llvm::formatv(pretty ? "{0:2}\n" : "{0}", message).str());
  }

private:
  std::mutex mutex;
  int file;
  bool pretty;
};

/// What documents there are, and what is answered here.
class Documents {
public:
  Documents(Output &server, Output &editor)
      : context(getRegistry(), MLIRContext::Threading::DISABLED),
        server(server), editor(editor) {
    context.allowUnregisteredDialects();
  }

  /// Takes a message; false if it is for upstream's server.
  bool take(StringRef method, const json::Value *id,
            const json::Object &params);
  /// Whether upstream's server must ignore a document.
  bool isHlo(StringRef uri) {
    std::lock_guard<std::mutex> lock(mutex);
    return hloDocuments.contains(uri);
  }

private:
  static const DialectRegistry &getRegistry() {
    static DialectRegistry registry = [] {
      DialectRegistry all;
      registerEverything(all);
      return all;
    }();
    return registry;
  }
  static void change(std::string &text, const json::Object &change);
  std::optional<json::Value> hover(StringRef text,
                                   const json::Object &position);
  /// The text of a portable artifact, which upstream's server does not read.
  std::optional<json::Value> readArtifact(StringRef uri);
  /// Reads a document anew, or makes it one of upstream's server, or of neither;
  /// true if it is one of HLO.
  bool update(StringRef uri, bool isNew);
  void answer(const json::Value &id,
              llvm::function_ref<void(json::OStream &)> write) {
    std::string text;
    llvm::raw_string_ostream os(text);
    json::OStream out(os, editor.isPretty() ? 2 : 0);
    out.object([&] {
      out.attribute("jsonrpc", "2.0");
      out.attribute("id", id);
      out.attributeBegin("result");
      write(out);
      out.attributeEnd();
    });
    if (editor.isPretty())
      os << '\n';
    editor.write(text);
  }
  void answer(const json::Value &id, const json::Value &result) {
    answer(id, [&](json::OStream &out) { out.value(result); });
  }
  static json::Object notify(StringRef method, json::Object params) {
    return json::Object{
        {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
  }
  void publish(StringRef uri, json::Array diagnostics) {
    editor.send(notify(
        "textDocument/publishDiagnostics",
        json::Object{{"uri", uri}, {"diagnostics", std::move(diagnostics)}}));
  }

  MLIRContext context;
  Output &server, &editor;
  llvm::StringMap<std::string> texts;
  std::mutex mutex;
  llvm::StringMap<std::unique_ptr<HloDocument>> hloDocuments;
};
} // namespace

void Documents::change(std::string &text, const json::Object &change) {
  std::string part = change.getString("text").value_or("").str();
  const json::Object *range = change.getObject("range");
  if (!range) {
    text = std::move(part);
    return;
  }
  size_t begin = toOffset(text, range->getObject("start"));
  size_t end = std::max(begin, toOffset(text, range->getObject("end")));
  text.replace(begin, end - begin, part);
}

std::optional<json::Value> Documents::hover(StringRef text,
                                            const json::Object &position) {
  std::optional<FoundAttribute> found =
      findAttribute(&context, text, toOffset(text, &position));
  if (!found)
    return std::nullopt;
  std::string markdown = describeAttribute(found->attr, found->holder);
  if (markdown.empty())
    return std::nullopt;
  return json::Object{
      {"contents", json::Object{{"kind", "markdown"}, {"value", markdown}}},
      {"range", json::Object{{"start", toPosition(text, found->begin)},
                             {"end", toPosition(text, found->end)}}}};
}

std::optional<json::Value> Documents::readArtifact(StringRef uri) {
  auto file = llvm::lsp::URIForFile::fromURI(uri);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  auto buffer = llvm::MemoryBuffer::getFile(file->file());
  if (!buffer || !isPortableArtifact((*buffer)->getBuffer()))
    return std::nullopt;
  std::string text, problem;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { problem = diagnostic.str(); });
  llvm::raw_string_ostream os(text);
  if (OwningOpRef<ModuleOp> module =
          parsePortableArtifact((*buffer)->getBuffer(), file->file(), &context))
    module->print(os);
  else
    os << "// error: " << problem << '\n';
  return json::Object{{"output", text}};
}

bool Documents::update(StringRef uri, bool isNew) {
  StringRef text = texts[uri];
  const bool wasHlo = isHlo(uri), isText = HloDocument::isOne(text);
  // HLO stays HLO while its beginning is edited.
  if (!isText && (!wasHlo || text.trim().empty())) {
    if (wasHlo && !isNew) {
      std::lock_guard<std::mutex> lock(mutex);
      hloDocuments.erase(uri);
      server.send(notify(
          "textDocument/didOpen",
          json::Object{{"textDocument", json::Object{{"uri", uri},
                                                     {"languageId", "mlir"},
                                                     {"version", 0},
                                                     {"text", text}}}}));
    }
    return wasHlo && !isNew;
  }
  auto document = std::make_unique<HloDocument>(getRegistry(), text, uri);
  json::Array diagnostics = document->takeDiagnostics();
  {
    std::lock_guard<std::mutex> lock(mutex);
    hloDocuments[uri] = std::move(document);
  }
  if (!wasHlo && !isNew)
    server.send(
        notify("textDocument/didClose",
               json::Object{{"textDocument", json::Object{{"uri", uri}}}}));
  publish(uri, std::move(diagnostics));
  return true;
}

bool Documents::take(StringRef method, const json::Value *id,
                     const json::Object &params) {
  if (method == "mlir/convertFromBytecode" && id) {
    auto text = readArtifact(params.getString("uri").value_or(""));
    if (text)
      answer(*id, *text);
    return text.has_value();
  }
  const json::Object *document = params.getObject("textDocument");
  std::optional<StringRef> uri =
      document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return false;
  if (method == "textDocument/didOpen") {
    texts[*uri] = document->getString("text").value_or("").str();
    return update(*uri, /*isNew=*/true);
  }
  if (method == "textDocument/didChange") {
    if (const json::Array *changes = params.getArray("contentChanges"))
      for (const json::Value &each : *changes)
        if (const json::Object *object = each.getAsObject())
          change(texts[*uri], *object);
    return update(*uri, /*isNew=*/false);
  }
  const bool isOurs = isHlo(*uri);
  if (method == "textDocument/didClose") {
    texts.erase(*uri);
    {
      std::lock_guard<std::mutex> lock(mutex);
      hloDocuments.erase(*uri);
    }
    if (isOurs)
      publish(*uri, json::Array());
  } else if (isOurs && id) {
    answer(*id, [&](json::OStream &out) {
      hloDocuments[*uri]->answer(method, params, out);
    });
  } else if (method == "textDocument/hover" && id) {
    const json::Object *position = params.getObject("position");
    auto it = texts.find(*uri);
    auto result = position && it != texts.end() ? hover(it->second, *position)
                                                : std::nullopt;
    if (result)
      answer(*id, *result);
    return result.has_value();
  }
  return isOurs;
}

namespace {
struct ServerOptions {
  llvm::lsp::JSONStreamStyle style = llvm::lsp::JSONStreamStyle::Standard;
  bool pretty = false;
  std::string log = "info";
};
} // namespace

/// Upstream's options, with its names.
static ServerOptions parseOptions(int argc, char **argv) {
  cl::OptionCategory category("tensoraccess-lsp-server options");
  cl::opt<bool> pretty("pretty", cl::cat(category),
                       cl::desc("Indent the messages that are written"));
  cl::opt<bool> test("lit-test", cl::cat(category),
                     cl::desc("For tests: messages between lines `// -----` "
                              "are read, indented ones written"));
  cl::opt<std::string> log("log", cl::cat(category), cl::init("info"),
                           cl::value_desc("error|info|verbose"),
                           cl::desc("What is written to standard error"));
  cl::opt<std::string> style("input-style", cl::Hidden, cl::init("standard"),
                             cl::desc("standard or delimited"));
  registerHelp(argc, argv,
               {"The language server for editors. Speaks the language server "
                "protocol on standard input and output: diagnostics, "
                "definitions, completion, and hovers that show what maps, "
                "layouts and projections mean, and what instructions of HLO "
                "text read.",
                "[options]",
                {},
                {}});
  cl::ParseCommandLineOptions(argc, argv);
  ServerOptions options;
  if (test || style == "delimited")
    options.style = llvm::lsp::JSONStreamStyle::Delimited;
  options.pretty = test || pretty;
  options.log = test ? "verbose" : log.getValue();
  for (cl::Option *option :
       std::initializer_list<cl::Option *>{&pretty, &test, &log, &style})
    option->removeArgument();
  return options;
}

/// The child's part; does not return.
[[noreturn]] static void runUpstream(int input, int output, StringRef tool,
                                     const ServerOptions &options) {
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  close(input);
  close(output);
  std::string log = "--log=" + options.log, name = tool.str();
  std::vector<char *> arguments = {name.data(), log.data()};
  char pretty[] = "--pretty";
  if (options.pretty)
    arguments.push_back(pretty);
  DialectRegistry registry;
  registerEverything(registry);
  int code =
      failed(MlirLspServerMain(arguments.size(), arguments.data(), registry));
  llvm::outs().flush();
  std::_Exit(code);
}

/// Whether upstream's server forgets a document that is HLO now.
static bool isAboutHlo(StringRef message, Documents &documents) {
  if (!message.contains("textDocument/publishDiagnostics"))
    return false;
  llvm::Expected<json::Value> value = json::parse(message);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const json::Object *object = value->getAsObject();
  const json::Object *params = object ? object->getObject("params") : nullptr;
  std::optional<StringRef> uri =
      params ? params->getString("uri") : std::nullopt;
  return uri && documents.isHlo(*uri);
}

/// Forwards the child's messages, and ends this process when the child ends.
static void passAnswers(int input, Output &editor, Documents &documents,
                        pid_t child) {
  llvm::lsp::JSONTransportInputOverFile messages(fdopen(input, "r"));
  std::string message;
  while (!messages.isEndOfInput() && !messages.hasError())
    if (succeeded(messages.readMessage(message)) &&
        !isAboutHlo(message, documents))
      editor.write(message);
  int status = 0;
  waitpid(child, &status, 0);
  std::_Exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

int tensoraccess::languageServerMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  ServerOptions options = parseOptions(argc, argv);
  int requests[2], answers[2];
  if (pipe(requests) != 0 || pipe(answers) != 0) {
    llvm::errs() << "error: cannot start the server\n";
    return 1;
  }
  pid_t child = fork();
  if (child < 0) {
    llvm::errs() << "error: cannot start the server\n";
    return 1;
  }
  if (child == 0) {
    close(requests[1]);
    close(answers[0]);
    runUpstream(requests[0], answers[1], argv[0], options);
  }
  close(requests[0]);
  close(answers[1]);
  std::signal(SIGPIPE, SIG_IGN);

  Output server(requests[1], false), editor(STDOUT_FILENO, options.pretty);
  Documents documents(server, editor);
  std::thread answering(passAnswers, answers[0], std::ref(editor),
                        std::ref(documents), child);
  llvm::lsp::JSONTransportInputOverFile messages(stdin, options.style);
  std::string text;
  while (!messages.isEndOfInput() && !messages.hasError()) {
    if (failed(messages.readMessage(text)))
      continue;
    llvm::Expected<json::Value> message = json::parse(text);
    const json::Object *object = message ? message->getAsObject() : nullptr;
    if (!message)
      llvm::consumeError(message.takeError());
    // Upstream's server ends where it gets anything else.
    if (!object || object->getString("jsonrpc") != "2.0") {
      editor.send(json::Object{
          {"jsonrpc", "2.0"},
          {"id", nullptr},
          {"error",
           json::Object{
               {"code", int64_t(llvm::lsp::ErrorCode::InvalidRequest)},
               {"message", "this is not a message of JSON-RPC 2.0"}}}});
      continue;
    }
    const json::Object *params = object->getObject("params");
    const json::Value *id = object->get("id");
    if (params &&
        documents.take(object->getString("method").value_or(""), id, *params))
      continue;
    if (!server.write(text))
      break;
  }
  close(requests[1]);
  answering.join();
  return 1;
}
