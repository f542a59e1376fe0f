//===- CalibrationTest.cpp - Fits, machines, and kept calibrations --------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/Cost/Cost.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <random>

using namespace mlir::tensoraccess;
using llvm::StringRef;

namespace {

/// A folder that goes with the test.
class Folder {
public:
  Folder() { llvm::sys::fs::createUniqueDirectory("calibration", path); }
  ~Folder() { llvm::sys::fs::remove_directories(path); }
  std::string operator/(StringRef name) const {
    llvm::SmallString<128> out(path);
    llvm::sys::path::append(out, name);
    return out.str().str();
  }
  void write(StringRef name, StringRef text) const {
    std::string file = *this / name;
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file));
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << text;
    EXPECT_FALSE(code) << code.message();
  }

  llvm::SmallString<128> path;
};

/// Sets a variable of the environment, and back.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before)
      setenv(name, before->c_str(), 1);
    else
      unsetenv(name);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

} // namespace

template <typename T>
static std::string getError(llvm::Expected<T> value) {
  if (value)
    return "";
  return llvm::toString(value.takeError());
}

//===----------------------------------------------------------------------===//
// Fits
//===----------------------------------------------------------------------===//

static BlockSample makeSample(int64_t m, int64_t n, int64_t k,
                              const CostModel &truth, double noise = 1) {
  BlockSample sample;
  sample.work.extents = {m, n, k};
  sample.work.innermost = 1;
  sample.work.columnBytes = 4 * k;
  sample.work.bytesIn = 4 * (m * k + k * n);
  sample.work.bytesOut = 4 * m * n;
  sample.work.family = "sum";
  std::string error;
  sample.seconds = truth.getCost("a", sample.work, error)->seconds * noise;
  return sample;
}

/// Rates that made the times are found again: lanes and panels too.
TEST(CostFit, FindsWhatMadeTheTimes) {
  ParseError parseError;
  CostModel truth = *CostModel::parse(
      "machine m cliffs [32768: 2.0, 524288: 4.0] op a: start = 2.0e-6, point "
      "= "
      "3.0e-11, byte = 2.0e-11, lanes = 16, panel = [32768: 2.0, 524288: 3.0]",
      parseError);
  std::vector<BlockSample> samples;
  for (int64_t m : {4, 60, 200})
    for (int64_t n : {3, 17, 64, 300})
      for (int64_t k : {8, 100, 900, 20000})
        samples.push_back(makeSample(m, n, k, truth));
  const int64_t caches[] = {32768, 524288}, lanes[] = {1, 4, 8, 16, 32};
  FitOptions options{truth.cliffs, caches, lanes};
  std::string error;
  std::optional<OpFit> fit = fitBlocks("a", samples, options, error);
  ASSERT_TRUE(fit) << error;
  EXPECT_EQ(fit->rates.lanes, 16);
  EXPECT_NEAR(fit->rates.start, 2e-6, 1e-8);
  EXPECT_NEAR(fit->rates.point, 3e-11, 1e-13);
  EXPECT_NEAR(fit->rates.byte, 2e-11, 1e-13);
  ASSERT_EQ(fit->rates.panel.size(), 2u);
  EXPECT_EQ(fit->rates.panel[0].bytes, 32768);
  EXPECT_NEAR(fit->rates.panel[0].factor, 2, 0.01);
  EXPECT_NEAR(fit->rates.panel[1].factor, 3, 0.01);
  EXPECT_LT(fit->quality.most, 1.01);
  EXPECT_EQ(fit->quality.samples, samples.size());
  EXPECT_FALSE(fit->rates.verify());
}

/// A few times that are far off don't bend the rest; nothing is negative.
TEST(CostFit, IsRobust) {
  ParseError parseError;
  CostModel truth = *CostModel::parse(
      "machine m op a: start = 1.0e-6, point = 1.0e-10, byte = 3.0e-11",
      parseError);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> noise(0.95, 1.05);
  std::vector<BlockSample> samples;
  for (int64_t m : {4, 20, 60, 200})
    for (int64_t k : {8, 100, 900, 5000})
      samples.push_back(makeSample(m, 64, k, truth, noise(random)));
  samples[3].seconds *= 20;
  samples[9].seconds *= 15;
  const int64_t lanes[] = {1};
  FitOptions options{{}, {}, lanes};
  std::string error;
  std::optional<OpFit> fit = fitBlocks("a", samples, options, error);
  ASSERT_TRUE(fit) << error;
  EXPECT_LT(fit->quality.median, 1.1);
  EXPECT_GT(fit->quality.most, 10);
  EXPECT_NEAR(fit->rates.point, 1e-10, 2e-11);
  for (int run = 0; run != 50; ++run) {
    for (BlockSample &sample : samples)
      sample.seconds = std::exp(noise(random) * 100 - 110);
    fit = fitBlocks("a", samples, options, error);
    ASSERT_TRUE(fit) << error;
    EXPECT_FALSE(fit->rates.verify());
  }
}

/// Scratch memory is a constant and a part of the points.
TEST(CostFit, Scratch) {
  CostModel truth;
  truth.setRates({"a", 1e-6, 1e-9});
  std::vector<BlockSample> samples;
  for (int64_t m : {2, 10, 50}) {
    samples.push_back(makeSample(m, 3, 5, truth));
    samples.back().scratchBytes = 4096 + 8.0 * 15 * m;
  }
  const int64_t lanes[] = {1};
  std::string error;
  std::optional<OpFit> fit =
      fitBlocks("a", samples, FitOptions{{}, {}, lanes}, error);
  ASSERT_TRUE(fit) << error;
  EXPECT_NEAR(fit->rates.scratch, 4096, 1e-3);
  EXPECT_NEAR(fit->rates.scratchPoint, 8, 1e-6);
}

TEST(CostFit, RefusesSamples) {
  std::string error;
  EXPECT_FALSE(fitBlocks("a", {}, {}, error));
  EXPECT_EQ(error, "rates of 'a' need at least one sample");
  BlockSample sample;
  sample.work.extents = {3};
  EXPECT_FALSE(fitBlocks("a", sample, {}, error));
  EXPECT_EQ(error, "sample 0 must have a positive time and no negative scratch "
                   "memory");
  sample.seconds = std::nan("");
  EXPECT_FALSE(fitBlocks("a", sample, {}, error));
  sample.seconds = 1;
  sample.work.extents = {-3};
  EXPECT_FALSE(fitBlocks("a", sample, {}, error));
  EXPECT_EQ(error, "sample 0: extent 0 must not be negative, got -3");
  sample.work.extents = {3};
  const int64_t lanes[] = {0};
  EXPECT_FALSE(fitBlocks("a", sample, FitOptions{{}, {}, lanes}, error));
  EXPECT_EQ(error, "lanes must be positive, got 0");
  EXPECT_FALSE(fitStreams({}, {}, error));
  EXPECT_EQ(error, "no sample lies within the first cache");
  EXPECT_FALSE(fitStreams({{1, 0, 1}}, {}, error));
  EXPECT_EQ(error, "sample 0 must have a positive time and positive bytes");
}

TEST(CostFit, Streams) {
  std::vector<StreamSample> samples;
  for (double bytes : {1e3, 5e3, 2e4, 2e5, 4e5, 1e7, 1e8}) {
    const double rate = bytes > 1e6 ? 8e-11 : bytes > 32768 ? 3e-11 : 1e-11;
    samples.push_back({bytes, bytes, 1e-7 + rate * bytes});
  }
  std::string error;
  std::optional<StreamFit> fit =
      fitStreams(samples, {32768, 1000000, 200000000}, error);
  ASSERT_TRUE(fit) << error;
  EXPECT_NEAR(fit->start, 1e-7, 1e-9);
  EXPECT_NEAR(fit->byte, 1e-11, 1e-13);
  ASSERT_EQ(fit->cliffs.size(), 3u);
  EXPECT_NEAR(fit->cliffs[0].factor, 3, 0.01);
  EXPECT_NEAR(fit->cliffs[1].factor, 8, 0.01);
  // Nothing was measured past the last one.
  EXPECT_EQ(fit->cliffs[2].factor, fit->cliffs[1].factor);
}

TEST(CostFit, Quality) {
  FitQuality quality = getQuality({1, 2, 0.25, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(quality.median, 1);
  EXPECT_EQ(quality.nineOfTen, 2);
  EXPECT_EQ(quality.most, 4);
  EXPECT_EQ(quality.str(), "10 samples, off by 1.00 in the middle, 2.00 for "
                           "nine of ten, 4.00 at most");
  EXPECT_EQ(getQuality(0.5).str(), "1 sample, off by 2.00 in the middle, 2.00 "
                                   "for nine of ten, 2.00 at most");
}

//===----------------------------------------------------------------------===//
// Machines
//===----------------------------------------------------------------------===//

TEST(Machine, HostAndDifferences) {
  const Machine &here = getHostMachine();
  EXPECT_GE(here.cores, 1);
  EXPECT_FALSE(here.cpu.empty());
  EXPECT_TRUE(llvm::is_sorted(here.caches));
  EXPECT_TRUE(StringRef(here.build).contains("LLVM"));
  EXPECT_FALSE(here.describeDifference(here));
  Machine a = here, b = here;
  a.cpu = "Some CPU @ 3 GHz";
  b.cpu = "";
  EXPECT_EQ(a.describeDifference(b), "cpu 'Some CPU @ 3 GHz', here ''");
  EXPECT_TRUE(StringRef(a.getName()).starts_with("some-cpu-3-ghz-"));
  EXPECT_NE(a.getName(), here.getName());
  b = a;
  b.cores += 1;
  EXPECT_EQ(a.describeDifference(b), "cores '" + std::to_string(a.cores) +
                                         "', here '" + std::to_string(b.cores) +
                                         "'");
  a.caches = {1, 2};
  b = a;
  b.caches = {1, 3};
  EXPECT_EQ(a.describeDifference(b), "caches '1 2', here '1 3'");
  EXPECT_NE(a.getName(), b.getName());
  b = a;
  b.build = "x";
  EXPECT_EQ(a.describeDifference(b), "build '" + a.build + "', here 'x'");
}

TEST(Machine, Energy) {
  Folder folder;
  std::string error;
  EXPECT_FALSE(readEnergy(folder / "none", error));
  EXPECT_TRUE(StringRef(error).starts_with("no energy counters in"));
  EXPECT_FALSE(readEnergy(folder.path, error));
  auto set = [&](int64_t first, int64_t second) {
    folder.write("intel-rapl:0/energy_uj", std::to_string(first) + "\n");
    folder.write("intel-rapl:0/max_energy_range_uj", "1000000\n");
    folder.write("intel-rapl:1/energy_uj", std::to_string(second) + "\n");
    // A part of a package is in the package.
    folder.write("intel-rapl:0:0/energy_uj", "7\n");
    folder.write("intel-rapl/name", "x\n");
  };
  set(900000, 5);
  std::optional<EnergyReading> before = readEnergy(folder.path, error);
  ASSERT_TRUE(before) << error;
  EXPECT_EQ(before->counters.size(), 2u);
  set(100000, 1000005);
  std::optional<EnergyReading> after = readEnergy(folder.path, error);
  ASSERT_TRUE(after) << error;
  EXPECT_NEAR(*before->getJoulesUntil(*after), 0.2 + 1, 1e-9);
  // The second counter says no range.
  EXPECT_FALSE(after->getJoulesUntil(*before));
  EXPECT_FALSE(before->getJoulesUntil(EnergyReading()));
  folder.write("intel-rapl:1/energy_uj", "many");
  EXPECT_FALSE(readEnergy(folder.path, error));
  EXPECT_TRUE(StringRef(error).ends_with("must be a number, got 'many'"));
}

//===----------------------------------------------------------------------===//
// Calibrations
//===----------------------------------------------------------------------===//

static Calibration makeCalibration() {
  Calibration out;
  out.machine = getHostMachine();
  out.model.machine = out.machine.getName();
  OpRates rates;
  rates.name = "linalg.matmul.sum";
  rates.point = 3.48e-11;
  rates.lanes = 16;
  rates.panel = {{32768, 1.5}};
  out.model.setRates(rates);
  out.setFit("linalg.matmul.sum", "3 samples, fine");
  return out;
}

TEST(Calibration, TextReadsBack) {
  Calibration calibration = makeCalibration();
  ParseError error;
  std::optional<Calibration> read =
      Calibration::parse(calibration.str(), error);
  ASSERT_TRUE(read) << error.message;
  EXPECT_EQ(read->machine, calibration.machine);
  EXPECT_EQ(read->model, calibration.model);
  EXPECT_EQ(read->fits, calibration.fits);
  EXPECT_EQ(read->str(), calibration.str());
  // It is a model, too.
  EXPECT_EQ(CostModel::parse(calibration.str(), error), calibration.model);
  calibration.setFit("linalg.matmul.sum", "again");
  EXPECT_EQ(calibration.fits.size(), 1u);
}

TEST(Calibration, SaysWhatIsWrongAndWhere) {
  struct {
    StringRef text, message, place;
  } cases[] = {
      {"machine m", "expected '# tensoraccess calibration 1', got 'machine m'",
       "1:1"},
      {"# tensoraccess calibration 1\n# cores 2",
       "expected '# cpu …', got '# cores 2'", "2:1"},
      {"# tensoraccess calibration 1\n# cpu a\n# cores no\n",
       "cores must be a positive number, got 'no'", "3:1"},
      {"# tensoraccess calibration 1\n# cpu a\n# cores 2\n# caches 5 -3\n",
       "caches must be positive numbers, got '-3'", "4:1"},
      {"# tensoraccess calibration 1\n# cpu a\n# cores 2\n# caches\n# build "
       "b\n# fit a: fine\nmachine m\nop a: point = -1.0",
       "point of op a must be finite and not negative, got -1.0", "8:1"},
      {"# tensoraccess calibration 1\n# cpu a\n# cores 2\n# caches\n# build "
       "b\nmachine m\n  op a: point = nan",
       "expected a number, got 'nan'", "7:17"},
  };
  for (auto &c : cases) {
    ParseError error;
    EXPECT_FALSE(Calibration::parse(c.text, error)) << c.text.str();
    EXPECT_EQ(error.message, c.message);
    EXPECT_EQ(getLineAndColumn(c.text, error.offset), c.place) << c.text.str();
  }
}

TEST(Calibration, Files) {
  Folder folder;
  const std::string path = folder / "some/where/c.txt";
  llvm::Expected<std::optional<Calibration>> read = readCalibration(path);
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_FALSE(*read);
  EXPECT_EQ(getError(loadCalibratedCosts(path)),
            "this machine is not calibrated: there is no '" + path +
                "'; tensoraccess-calibrate makes it");
  Calibration calibration = makeCalibration();
  ASSERT_FALSE(writeCalibration(path, calibration));
  llvm::Expected<CostModel> model = loadCalibratedCosts(path);
  ASSERT_TRUE(static_cast<bool>(model));
  EXPECT_EQ(*model, calibration.model);
  calibration.machine.cores += 5;
  ASSERT_FALSE(writeCalibration(path, calibration));
  const std::string cores = std::to_string(getHostMachine().cores);
  EXPECT_EQ(getError(loadCalibratedCosts(path)),
            "the calibration '" + path + "' is of another machine: cores '" +
                std::to_string(calibration.machine.cores) + "', here '" +
                cores + "'");
  folder.write("some/where/c.txt", "nothing\n");
  EXPECT_EQ(getError(readCalibration(path)),
            path + ":1:1: expected '# tensoraccess calibration 1', got "
                   "'nothing'");
  EXPECT_TRUE(StringRef(getError(readCalibration(folder.path)))
                  .starts_with("cannot read '"));
  // A file is not a folder.
  EXPECT_TRUE(
      StringRef(llvm::toString(writeCalibration(path + "/c.txt", calibration)))
          .starts_with("cannot write '" + path + "/c.txt'"));
  EXPECT_TRUE(StringRef(llvm::toString(
                            writeCalibration(path + "/x/c.txt", calibration)))
                  .starts_with("cannot make the folder '" + path + "/x'"));
}

TEST(Calibration, Places) {
  Machine machine;
  machine.cpu = "A";
  const std::string name = "calibration-" + machine.getName() + ".txt";
  EXPECT_EQ(*getCalibrationPath(machine, "here.txt"), "here.txt");
  Variable none("TENSORACCESS_CALIBRATION", "");
  Variable home("HOME", "/h");
  {
    Variable cache("XDG_CACHE_HOME", "/x");
    EXPECT_EQ(*getCalibrationPath(machine), "/x/tensoraccess/" + name);
    Variable path("TENSORACCESS_CALIBRATION", "/c.txt");
    EXPECT_EQ(*getCalibrationPath(machine), "/c.txt");
  }
  Variable cache("XDG_CACHE_HOME", "");
  EXPECT_EQ(*getCalibrationPath(machine), "/h/.cache/tensoraccess/" + name);
  Variable nowhere("HOME", "");
  EXPECT_EQ(getError(getCalibrationPath(machine)),
            "no place for calibrations: neither TENSORACCESS_CALIBRATION nor "
            "XDG_CACHE_HOME nor HOME is set");
}
