//===- WriteFile.cpp - What tools leave in files --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/WriteFile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Writes over what is there. An error that is left to the stream's destructor
/// would end the process.
static std::error_code writeInto(StringRef path, StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return code;
  os << bytes;
  os.close();
  code = os.error();
  os.clear_error();
  return code;
}

llvm::Error mlir::tensoraccess::writeFile(StringRef path, StringRef bytes) {
  std::error_code code;
  fs::file_status there;
  if (path == "-") {
    llvm::outs() << bytes;
  } else if (!fs::status(path, there, /*follow=*/false) &&
             !fs::is_regular_file(there)) {
    code = writeInto(path, bytes);
  } else {
    // Not an fs::TempFile, which replaces every % in a path by a random digit.
    const std::string whole =
        (path + ".temporary-" + llvm::Twine(llvm::sys::Process::getProcessId()))
            .str();
    code = writeInto(whole, bytes);
    if (!code)
      code = fs::rename(whole, path);
    if (code)
      fs::remove(whole);
  }
  if (!code)
    return llvm::Error::success();
  return llvm::createStringError(code, "cannot write '" + path +
                                           "': " + code.message());
}
