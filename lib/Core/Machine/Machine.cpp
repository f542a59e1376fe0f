//===- Machine.cpp - What machine this is ---------------------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linux reports all of it in files:
//
//   1. /proc/cpuinfo, `model name`;
//   2. /sys/devices/system/cpu/cpu0/cache/index*: level, type, size; where it
//      has none, what sysconf knows;
//   3. powercap: folders `intel-rapl:0`, … of packages (their parts have a
//      second colon), each with energy_uj and max_energy_range_uj.
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Core/HostMachine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <thread>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

using namespace mlir::tensoraccess;
using llvm::SmallString;
using llvm::StringRef;
using llvm::Twine;

bool Machine::operator==(const Machine &o) const {
  return cpu == o.cpu && cores == o.cores && caches == o.caches &&
         build == o.build;
}

static std::string printSizes(llvm::ArrayRef<int64_t> sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : " ") + std::to_string(size);
  return text;
}

std::optional<std::string>
Machine::describeDifference(const Machine &here) const {
  auto say = [](StringRef what, const Twine &a, const Twine &b) {
    return (what + " '" + a + "', here '" + b + "'").str();
  };
  if (cpu != here.cpu)
    return say("cpu", cpu, here.cpu);
  if (cores != here.cores)
    return say("cores", Twine(cores), Twine(here.cores));
  if (caches != here.caches)
    return say("caches", printSizes(caches), printSizes(here.caches));
  if (build != here.build)
    return say("build", build, here.build);
  return std::nullopt;
}

std::string Machine::getName() const {
  std::string name;
  for (char c : cpu)
    if (llvm::isAlnum(c))
      name += llvm::toLower(c);
    else if (!name.empty() && name.back() != '-')
      name += '-';
  name = StringRef(name).take_front(40).rtrim('-').str();
  const std::string all = cpu + "\n" + std::to_string(cores) + "\n" +
                          printSizes(caches) + "\n" + build;
  const uint64_t hash = llvm::xxh3_64bits(StringRef(all));
  return name + (name.empty() ? "" : "-") +
         llvm::utohexstr(static_cast<uint32_t>(hash), /*LowerCase=*/true,
                         /*Width=*/8);
}

/// The contents of a small file; std::nullopt if it can't be read.
static std::optional<std::string> readText(const Twine &path) {
  // Files of /proc and /sys don't report their size.
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  if (!file)
    return std::nullopt;
  return (*file)->getBuffer().trim().str();
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

static std::string readCpuName() {
  if (std::optional<std::string> info = readText("/proc/cpuinfo"))
    for (StringRef line : llvm::split(*info, '\n')) {
      auto [key, value] = line.split(':');
      if (key.trim() == "model name" && !value.trim().empty())
        return value.trim().str();
    }
  return llvm::sys::getHostCPUName().str();
}

/// `32K`, `4M`, `512`.
static std::optional<int64_t> parseSize(StringRef text) {
  int64_t unit = 1, size;
  if (text.consume_back("K"))
    unit = 1 << 10;
  else if (text.consume_back("M"))
    unit = 1 << 20;
  if (text.getAsInteger(10, size) || size < 1 || size > (int64_t(1) << 40))
    return std::nullopt;
  return size * unit;
}

/// Bytes and ways, the smallest first.
static std::vector<std::pair<int64_t, int64_t>> readCaches() {
  std::vector<std::pair<int64_t, int64_t>> caches;
  for (unsigned index = 0; index != 16; ++index) {
    const std::string folder =
        "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    std::optional<std::string> type = readText(folder + "/type");
    std::optional<std::string> text = readText(folder + "/size");
    std::optional<std::string> ways =
        readText(folder + "/ways_of_associativity");
    if (!type || !text || *type == "Instruction")
      continue;
    int64_t number = 0;
    if (!ways || StringRef(*ways).getAsInteger(10, number) || number < 0)
      number = 0;
    if (std::optional<int64_t> size = parseSize(*text))
      caches.push_back({*size, number});
  }
#ifdef _SC_LEVEL1_DCACHE_SIZE
  if (caches.empty())
    for (auto [name, ways] :
         {std::pair(_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL1_DCACHE_ASSOC),
          std::pair(_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL2_CACHE_ASSOC),
          std::pair(_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL3_CACHE_ASSOC)})
      if (long size = sysconf(name); size > 0)
        caches.push_back({size, std::max<long>(0, sysconf(ways))});
#endif
  llvm::sort(caches);
  caches.erase(std::unique(caches.begin(), caches.end(),
                           [](const auto &a, const auto &b) {
                             return a.first == b.first;
                           }),
               caches.end());
  return caches;
}

/// Whether this process may use tile registers, which Linux allows on request.
static bool mayUseTiles() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

/// By what the processor reports, never by its name, which may differ in a
/// virtual machine.
static std::vector<std::string> readFeatures() {
  const llvm::StringMap<bool> all = llvm::sys::getHostCPUFeatures();
  std::vector<std::string> features;
  for (StringRef name :
       {"amx-bf16", "amx-int8", "amx-tile", "avx", "avx2", "avx512bf16",
        "avx512f", "avx512fp16", "avx512vnni", "avxvnni", "bf16", "dotprod",
        "f16c", "fma", "fullfp16", "i8mm", "neon", "sve"})
    if (all.lookup(name))
      features.push_back(name.str());
  if (all.lookup("amx-tile") && !mayUseTiles())
    llvm::erase_if(features,
                   [](StringRef name) { return name.starts_with("amx-"); });
  llvm::sort(features);
  return features;
}

const Machine &mlir::tensoraccess::getHostMachine() {
  static const Machine machine = [] {
    Machine host;
    host.cpu = readCpuName();
    host.cores = std::max(1u, std::thread::hardware_concurrency());
    for (auto [bytes, ways] : readCaches()) {
      host.caches.push_back(bytes);
      host.cacheWays.push_back(ways);
    }
    host.features = readFeatures();
    host.build =
        "tensoraccess " TENSORACCESS_VERSION ", LLVM " LLVM_VERSION_STRING;
    return host;
  }();
  return machine;
}

//===----------------------------------------------------------------------===//
// Energy
//===----------------------------------------------------------------------===//

std::optional<EnergyReading>
mlir::tensoraccess::readEnergy(StringRef folder, std::string &error) {
  EnergyReading reading;
  std::error_code code;
  std::vector<std::string> zones;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       !code && it != end; it.increment(code))
    zones.push_back(it->path());
  if (code) {
    error = "no energy counters in '" + folder.str() + "': " + code.message();
    return std::nullopt;
  }
  llvm::sort(zones);
  for (const std::string &zone : zones) {
    // A package, not its parts; the controller itself has no number.
    if (StringRef(llvm::sys::path::filename(zone)).count(':') != 1)
      continue;
    const std::string path = zone + "/energy_uj";
    std::optional<std::string> text = readText(path);
    int64_t now, range = 0;
    if (!text) {
      error = "the energy counter '" + path + "' may not be read";
      return std::nullopt;
    }
    if (StringRef(*text).getAsInteger(10, now) || now < 0) {
      error = "the energy counter '" + path + "' must be a number, got '" +
              *text + "'";
      return std::nullopt;
    }
    if (std::optional<std::string> most =
            readText(zone + "/max_energy_range_uj"))
      (void)StringRef(*most).getAsInteger(10, range);
    reading.counters.push_back({path, now, std::max<int64_t>(range, 0)});
  }
  if (reading.counters.empty()) {
    error = "no energy counters in '" + folder.str() + "'";
    return std::nullopt;
  }
  return reading;
}

std::optional<double>
EnergyReading::getJoulesUntil(const EnergyReading &later) const {
  if (counters.empty() || counters.size() != later.counters.size())
    return std::nullopt;
  double joules = 0;
  for (auto [before, after] : llvm::zip(counters, later.counters)) {
    if (before.path != after.path)
      return std::nullopt;
    double used = static_cast<double>(after.microjoules) -
                  static_cast<double>(before.microjoules);
    if (used < 0)
      used += static_cast<double>(before.range);
    if (used < 0)
      return std::nullopt;
    joules += used * 1e-6;
  }
  return joules;
}
