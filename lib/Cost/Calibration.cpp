//===- Calibration.cpp - Measured costs and the file they are kept in -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The head is read line by line: a line each for the four parts of a machine,
// in their order, then any number of fits; the rest is CostModel's text.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/WriteFile.h"
#include "TensorAccess/Cost/Cost.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir::tensoraccess;
using llvm::StringRef;
using llvm::Twine;

static constexpr StringRef kTitle = "# tensoraccess calibration 1";

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string Calibration::str() const {
  std::string text = kTitle.str() + "\n# cpu " + machine.cpu + "\n# cores " +
                     std::to_string(machine.cores) + "\n# caches";
  for (int64_t size : machine.caches)
    text += " " + std::to_string(size);
  text += "\n# build " + machine.build + "\n";
  for (const auto &[op, fit] : fits)
    text += "# fit " + op + ": " + fit + "\n";
  return text + model.str();
}

void Calibration::setFit(StringRef op, StringRef text) {
  for (auto &[name, fit] : fits)
    if (name == op) {
      fit = text.str();
      return;
    }
  fits.emplace_back(op.str(), text.str());
}

std::optional<Calibration> Calibration::parse(StringRef text,
                                              ParseError &error) {
  Calibration out;
  size_t at = 0;
  auto fail = [&](const Twine &message) {
    error = {message.str(), at};
    return std::nullopt;
  };
  auto peekLine = [&] { return text.drop_front(at).split('\n').first; };
  auto skipLine = [&] {
    at = std::min(text.size(), at + peekLine().size() + 1);
  };
  if (peekLine() != kTitle)
    return fail("expected '" + kTitle + "', got '" + peekLine().take_front(40) +
                "'");
  skipLine();
  for (StringRef key : {"cpu", "cores", "caches", "build"}) {
    StringRef line = peekLine();
    if (!line.consume_front(("# " + key).str()) ||
        !(line.empty() || line.starts_with(" ")))
      return fail("expected '# " + key + " …', got '" +
                  peekLine().take_front(40) + "'");
    line = line.drop_front(line.empty() ? 0 : 1);
    if (key == "cpu")
      out.machine.cpu = line.str();
    else if (key == "build")
      out.machine.build = line.str();
    else if (key == "cores") {
      if (line.getAsInteger(10, out.machine.cores) || out.machine.cores < 1)
        return fail("cores must be a positive number, got '" +
                    line.take_front(24) + "'");
    } else {
      llvm::SmallVector<StringRef, 4> sizes;
      line.split(sizes, ' ', -1, /*KeepEmpty=*/false);
      for (StringRef size : sizes) {
        int64_t &bytes = out.machine.caches.emplace_back();
        if (size.getAsInteger(10, bytes) || bytes < 1)
          return fail("caches must be positive numbers, got '" +
                      size.take_front(24) + "'");
      }
    }
    skipLine();
  }
  for (StringRef line; (line = peekLine()).consume_front("# fit ");
       skipLine()) {
    auto [op, fit] = line.split(": ");
    out.fits.emplace_back(op.str(), fit.str());
  }
  std::optional<CostModel> model = CostModel::parse(text.drop_front(at), error);
  if (!model) {
    error.offset += at;
    return std::nullopt;
  }
  out.model = std::move(*model);
  return out;
}

std::string mlir::tensoraccess::getLineAndColumn(StringRef text,
                                                 size_t offset) {
  StringRef before = text.take_front(offset);
  const size_t line = before.count('\n') + 1;
  const size_t begin = before.rfind('\n');
  const size_t column =
      begin == StringRef::npos ? before.size() + 1 : before.size() - begin;
  return std::to_string(line) + ":" + std::to_string(column);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The value of a variable; empty where it is not set.
static StringRef getVariable(const char *name) {
  const char *value = std::getenv(name);
  return value ? StringRef(value) : StringRef();
}

llvm::Expected<std::string>
mlir::tensoraccess::getCalibrationPath(const Machine &machine,
                                       StringRef given) {
  if (!given.empty())
    return given.str();
  if (StringRef path = getVariable("TENSORACCESS_CALIBRATION"); !path.empty())
    return path.str();
  llvm::SmallString<128> path(getVariable("XDG_CACHE_HOME"));
  if (path.empty()) {
    StringRef home = getVariable("HOME");
    if (home.empty())
      return llvm::createStringError(
          "no place for calibrations: neither "
          "TENSORACCESS_CALIBRATION nor XDG_CACHE_HOME nor HOME "
          "is set");
    path = home;
    llvm::sys::path::append(path, ".cache");
  }
  llvm::sys::path::append(path, "tensoraccess",
                          "calibration-" + machine.getName() + ".txt");
  return path.str().str();
}

llvm::Expected<std::optional<Calibration>>
mlir::tensoraccess::readCalibration(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file) {
    if (file.getError() == std::errc::no_such_file_or_directory)
      return std::optional<Calibration>();
    return llvm::createStringError("cannot read '" + path +
                                   "': " + file.getError().message());
  }
  StringRef text = (*file)->getBuffer();
  ParseError error;
  std::optional<Calibration> read = Calibration::parse(text, error);
  if (!read)
    return llvm::createStringError(path + ":" +
                                   getLineAndColumn(text, error.offset) + ": " +
                                   error.message);
  return read;
}

llvm::Error
mlir::tensoraccess::writeCalibration(StringRef path,
                                     const Calibration &calibration) {
  StringRef folder = llvm::sys::path::parent_path(path);
  if (!folder.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(folder))
      return llvm::createStringError("cannot make the folder '" + folder +
                                     "': " + code.message());
  return writeFile(path, calibration.str());
}

llvm::Expected<CostModel>
mlir::tensoraccess::loadCalibratedCosts(StringRef given) {
  const Machine &here = getHostMachine();
  llvm::Expected<std::string> path = getCalibrationPath(here, given);
  if (!path)
    return path.takeError();
  llvm::Expected<std::optional<Calibration>> read = readCalibration(*path);
  if (!read)
    return read.takeError();
  if (!*read)
    return llvm::createStringError(
        "this machine is not calibrated: there is no '" + *path +
        "'; tensoraccess-calibrate makes it");
  if (std::optional<std::string> other =
          (*read)->machine.describeDifference(here))
    return llvm::createStringError("the calibration '" + *path +
                                   "' is of another machine: " + *other);
  return std::move((*read)->model);
}
