//===- CodeCache.cpp - Compiled programs on disk --------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is text up to an empty line, then the objects: what it is, the hash of
// the rest, the bytes of each object, the buffers of packed weights, one library a
// line. Files appear under
// their names when they are whole (llvm::localCache); one with another
// hash is deleted.
//
//===----------------------------------------------------------------------===//

#include "CodeCache.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Caching.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::tensoraccess;

static constexpr StringLiteral kMagic = "tensoraccess code 5";

static std::string hash(ArrayRef<StringRef> parts) {
  llvm::BLAKE3 hasher;
  for (StringRef part : parts) {
    // Where one part ends.
    hasher.update(std::to_string(part.size()) + ":");
    hasher.update(part);
  }
  return llvm::toHex(hasher.final<20>(), /*LowerCase=*/true);
}

/// The file that an address of this process comes from, as it is now.
static std::string describeFile(const void *address) {
  Dl_info info;
  llvm::sys::fs::file_status status;
  if (!dladdr(address, &info) || !info.dli_fname ||
      llvm::sys::fs::status(info.dli_fname, status))
    return "";
  return std::string(info.dli_fname) + " " + std::to_string(status.getSize()) +
         " " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

CodeCache CodeCache::get() {
  CodeCache cache;
  if (const char *given = std::getenv("TENSORACCESS_CACHE")) {
    cache.folder = given;
    return cache;
  }
  SmallString<128> folder;
  if (llvm::sys::path::cache_directory(folder)) {
    llvm::sys::path::append(folder, "tensoraccess");
    cache.folder = folder.str();
  }
  return cache;
}

std::string CodeCache::getKey(ModuleOp module, StringRef how) const {
  if (folder.empty())
    return "";
  // Without them it is unknown whether this is the same compiler.
  std::string self = describeFile(reinterpret_cast<const void *>(&hash)),
              mlir = describeFile(
                  reinterpret_cast<const void *>(&makeOptimizingTransformer)),
              llvm = describeFile(
                  reinterpret_cast<const void *>(&llvm::localCache));
  SmallString<0> program;
  llvm::raw_svector_ostream stream(program);
  if (self.empty() || mlir.empty() || llvm.empty() ||
      failed(writeBytecodeToFile(module, stream)))
    return "";
  return hash({kMagic, self, mlir, llvm, how, program});
}

std::string CodeCache::getPath(StringRef key) const {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, "llvmcache-" + key);
  return std::string(path);
}

std::optional<CachedCode> CodeCache::find(StringRef key) const {
  if (key.empty())
    return std::nullopt;
  std::optional<CachedCode> code;
  auto take = [&](unsigned, const Twine &,
                  std::unique_ptr<llvm::MemoryBuffer> buffer) {
    StringRef text = buffer->getBuffer(), line;
    std::tie(line, text) = text.split('\n');
    auto [sum, rest] = text.split('\n');
    const char *header = rest.data();
    bool isOurs = line == kMagic;
    CachedCode found;
    found.isFound = true;
    SmallVector<size_t> sizes;
    std::tie(line, rest) = rest.split('\n');
    for (StringRef size : llvm::split(line, ' '))
      isOurs &= !size.getAsInteger(10, sizes.emplace_back());
    std::tie(line, rest) = rest.split('\n');
    for (StringRef buffer : llvm::split(line, ' ')) {
      if (buffer.empty())
        continue;
      found.panels.emplace_back();
      for (StringRef number : llvm::split(buffer, 'x'))
        isOurs &= !number.getAsInteger(10, found.panels.back().emplace_back());
    }
    for (SmallVector<std::string> *names :
         {&found.packedConstants, &found.libraries})
      for (;;) {
        std::tie(line, rest) = rest.split('\n');
        if (line.empty())
          break;
        names->push_back(line.str());
      }
    StringRef lines(header, rest.data() - header);
    if (!isOurs || sum != hash({lines, rest})) {
      llvm::sys::fs::remove(getPath(key));
      return;
    }
    for (size_t size : sizes) {
      found.objects.push_back(llvm::MemoryBuffer::getMemBufferCopy(
          rest.take_front(size), "tensoraccess"));
      rest = rest.drop_front(size);
    }
    code = std::move(found);
  };
  auto cache = llvm::localCache("tensoraccess", "tensoraccess", folder, take);
  if (!cache) {
    llvm::consumeError(cache.takeError());
    return std::nullopt;
  }
  // A stream where there is no such file: not written to, it leaves none.
  auto add = (*cache)(0, key, "tensoraccess");
  if (!add)
    llvm::consumeError(add.takeError());
  return code;
}

void CodeCache::add(StringRef key, const CachedCode &code) const {
  if (key.empty())
    return;
  auto cache = llvm::localCache("tensoraccess", "tensoraccess", folder);
  if (!cache)
    return llvm::consumeError(cache.takeError());
  auto add = (*cache)(0, key, "tensoraccess");
  if (!add)
    return llvm::consumeError(add.takeError());
  // Written by another process in the meantime.
  if (!*add)
    return;
  auto stream = (*add)(0, "tensoraccess");
  if (!stream)
    return llvm::consumeError(stream.takeError());
  std::string lines, objects;
  llvm::raw_string_ostream header(lines);
  llvm::interleave(
      code.objects, header,
      [&](const std::unique_ptr<llvm::MemoryBuffer> &object) {
        header << object->getBufferSize();
        objects += object->getBuffer();
      },
      " ");
  header << '\n';
  for (ArrayRef<int64_t> buffer : code.panels) {
    llvm::interleave(buffer, header, "x");
    header << ' ';
  }
  header << '\n';
  for (ArrayRef<std::string> names :
       {ArrayRef(code.packedConstants), ArrayRef(code.libraries)}) {
    for (const std::string &name : names)
      header << name << '\n';
    header << '\n';
  }
  *(*stream)->OS << kMagic << '\n'
                 << hash({lines, objects}) << '\n'
                 << lines << objects;
  // A disk that is full ends the process otherwise.
  auto &file = static_cast<llvm::raw_fd_ostream &>(*(*stream)->OS);
  file.flush();
  const bool isWhole = !file.has_error();
  file.clear_error();
  llvm::consumeError((*stream)->commit());
  if (!isWhole)
    llvm::sys::fs::remove(getPath(key));
  llvm::pruneCache(folder, llvm::CachePruningPolicy());
}
