//===- LanguageServer.cpp - Upstream's server, and hovers -----------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's language server has no place for a dialect to say anything on its
// attributes. So it runs as a child of this process, between two pipes:
//
//   editor ── requests ──▶ this process ──▶ upstream's server
//   editor ◀── answers, diagnostics ── a thread ◀── upstream's server
//
// Messages pass as they are. On their way documents are noted, and a hover over an
// attribute of ours is answered here.
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/Registration/Tool.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
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
// Positions
//===----------------------------------------------------------------------===//

/// The protocol counts columns in units of UTF-16: two for what takes four bytes.
static size_t toOffset(StringRef text, int64_t line, int64_t character) {
  size_t offset = 0;
  for (; line > 0; --line) {
    size_t end = text.find('\n', offset);
    if (end == StringRef::npos)
      return text.size();
    offset = end + 1;
  }
  while (offset < text.size() && text[offset] != '\n' && character > 0) {
    auto lead = static_cast<unsigned char>(text[offset++]);
    character -= lead >= 0xF0 ? 2 : 1;
    while (offset < text.size() && (text[offset] & 0xC0) == 0x80)
      ++offset;
  }
  return offset;
}

static json::Object toPosition(StringRef text, size_t offset) {
  StringRef before = text.take_front(offset);
  int64_t character = 0;
  for (char byte : before.drop_front(before.rfind('\n') + 1))
    if ((byte & 0xC0) != 0x80)
      character += static_cast<unsigned char>(byte) >= 0xF0 ? 2 : 1;
  return json::Object{{"line", static_cast<int64_t>(before.count('\n'))},
                      {"character", character}};
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

namespace {
class Documents {
public:
  Documents() : context(getRegistry(), MLIRContext::Threading::DISABLED) {
    context.allowUnregisteredDialects();
  }

  /// Notes what a message says of documents. A hover over an attribute of ours has
  /// an answer.
  std::optional<json::Value> take(StringRef method, const json::Object &params);

private:
  static const DialectRegistry &getRegistry() {
    static DialectRegistry registry = [] {
      DialectRegistry all;
      registerEverything(all);
      return all;
    }();
    return registry;
  }
  void change(std::string &text, const json::Object &change);
  std::optional<json::Value> hover(StringRef text,
                                   const json::Object &position);

  MLIRContext context;
  llvm::StringMap<std::string> texts;
};
} // namespace

static size_t toOffset(StringRef text, const json::Object *position) {
  if (!position)
    return 0;
  return toOffset(text, position->getInteger("line").value_or(0),
                  position->getInteger("character").value_or(0));
}

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

std::optional<json::Value> Documents::take(StringRef method,
                                           const json::Object &params) {
  const json::Object *document = params.getObject("textDocument");
  std::optional<StringRef> uri =
      document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return std::nullopt;
  if (method == "textDocument/didOpen") {
    texts[*uri] = document->getString("text").value_or("").str();
  } else if (method == "textDocument/didClose") {
    texts.erase(*uri);
  } else if (method == "textDocument/didChange") {
    if (const json::Array *changes = params.getArray("contentChanges"))
      for (const json::Value &each : *changes)
        if (const json::Object *object = each.getAsObject())
          change(texts[*uri], *object);
  } else if (method == "textDocument/hover") {
    const json::Object *position = params.getObject("position");
    auto it = texts.find(*uri);
    if (position && it != texts.end())
      return hover(it->second, *position);
  }
  return std::nullopt;
}

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
  void send(const json::Value &message) {
    write(llvm::formatv(pretty ? "{0:2}\n" : "{0}", message).str());
  }

private:
  std::mutex mutex;
  int file;
  bool pretty;
};

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
                "layouts and projections mean.",
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

/// Hands on what the child says, and ends this process when the child ends.
static void passAnswers(int input, Output &editor, pid_t child) {
  llvm::lsp::JSONTransportInputOverFile messages(fdopen(input, "r"));
  std::string message;
  while (!messages.isEndOfInput() && !messages.hasError())
    if (succeeded(messages.readMessage(message)))
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
  std::thread answering(passAnswers, answers[0], std::ref(editor), child);
  Documents documents;
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
    std::optional<json::Value> result;
    if (params)
      result =
          documents.take(object->getString("method").value_or(""), *params);
    if (result && id)
      editor.send(json::Object{
          {"jsonrpc", "2.0"}, {"id", *id}, {"result", std::move(*result)}});
    else if (!server.write(text))
      break;
  }
  close(requests[1]);
  answering.join();
  return 1;
}
