//===- NativeTools.cpp - The tools' mains, for Python ---------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A package from a wheel has no programs, but all that they are made of: its
// scripts (tensoraccess/_tools.py) call a main, once a process, as what it reads
// of the command line is LLVM's, and global.
//
//===----------------------------------------------------------------------===//

#include "Native.h"
#include "TensorAccess/Execution/Run.h"
#include "TensorAccess/Export/Pictures.h"
#include "TensorAccess/Registration/Tool.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir::tensoraccess;
using namespace mlir::tensoraccess::python;

/// Runs the main of `arguments[0]`; returns its exit code.
static int runTool(std::vector<std::string> arguments) {
  using Main = int (*)(int, char **);
  llvm::StringRef name;
  if (!arguments.empty())
    name = arguments.front();
  auto main = llvm::StringSwitch<Main>(name)
                  .Case("tensoraccess-ask", askMain)
                  .Case("tensoraccess-explain", explainMain)
                  .Case("tensoraccess-explore", exploreMain)
                  .Case("tensoraccess-opt", optMain)
                  .Case("tensoraccess-run", runMain)
                  .Case("tensoraccess-translate", translateMain)
                  .Default(nullptr);
  if (!main)
    throw Error("'" + name + "' is not a tool of this package");
  llvm::SmallVector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  return main(arguments.size(), argv.data());
}

void python::bindTools(nb::module_ &m) {
  m.def("run_tool", &runTool, nb::arg("arguments"),
        "Runs the tool that the first argument names, with the others; returns "
        "its exit code, if it returns. Once a process.");
}
