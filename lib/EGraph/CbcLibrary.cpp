//===- CbcLibrary.cpp - The solver of integer programs --------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CbcLibrary.h"

using namespace mlir::tensoraccess::detail;

#ifndef TENSORACCESS_CBC_LIBRARY

bool mlir::tensoraccess::detail::loadCbc(std::string &problem) {
  problem = "exact extraction is not built in: there was no CBC "
            "(coinor-libcbc-dev) when the project was configured";
  return false;
}

BinarySolution mlir::tensoraccess::detail::solve(const BinaryProgram &,
                                                 double) {
  return {};
}

#else

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/DynamicLibrary.h"

#include <coin/Cbc_C_Interface.h>

#include <cassert>
#include <limits>
#include <mutex>

namespace {

/// The functions that are used, and why there are none.
struct Api {
  Api();

  decltype(&Cbc_newModel) newModel = nullptr;
  decltype(&Cbc_deleteModel) deleteModel = nullptr;
  decltype(&Cbc_loadProblem) loadProblem = nullptr;
  decltype(&Cbc_setInteger) setInteger = nullptr;
  decltype(&Cbc_setMIPStartI) setStart = nullptr;
  decltype(&Cbc_setParameter) setParameter = nullptr;
  decltype(&Cbc_setLogLevel) setLogLevel = nullptr;
  decltype(&Cbc_setMaximumSeconds) setSeconds = nullptr;
  decltype(&Cbc_solve) solve = nullptr;
  decltype(&Cbc_bestSolution) bestSolution = nullptr;
  decltype(&Cbc_getBestPossibleObjValue) getBound = nullptr;
  decltype(&Cbc_isProvenOptimal) isOptimal = nullptr;
  std::string problem;
};

} // namespace

Api::Api() {
  std::string error;
  llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(TENSORACCESS_CBC_LIBRARY,
                                                     &error);
  if (!library.isValid()) {
    problem = "exact extraction needs CBC: " + error;
    return;
  }
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        library.getAddressOfSymbol(name));
    if (!function)
      problem = std::string("exact extraction needs another CBC: ") +
                TENSORACCESS_CBC_LIBRARY + " has no " + name;
  };
  find(newModel, "Cbc_newModel");
  find(deleteModel, "Cbc_deleteModel");
  find(loadProblem, "Cbc_loadProblem");
  find(setInteger, "Cbc_setInteger");
  find(setStart, "Cbc_setMIPStartI");
  find(setParameter, "Cbc_setParameter");
  find(setLogLevel, "Cbc_setLogLevel");
  find(setSeconds, "Cbc_setMaximumSeconds");
  find(solve, "Cbc_solve");
  find(bestSolution, "Cbc_bestSolution");
  find(getBound, "Cbc_getBestPossibleObjValue");
  find(isOptimal, "Cbc_isProvenOptimal");
}

static const Api &getApi() {
  static const Api api;
  return api;
}

bool mlir::tensoraccess::detail::loadCbc(std::string &problem) {
  problem = getApi().problem;
  return problem.empty();
}

BinarySolution mlir::tensoraccess::detail::solve(const BinaryProgram &program,
                                                 double seconds) {
  const Api &api = getApi();
  assert(api.problem.empty() && "there is a solver");
  // CBC's main program has variables that all of its users share.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);

  // Column by column.
  const size_t numColumns = program.costs.size();
  std::vector<CoinBigIndex> begins(numColumns + 1);
  for (const BinaryProgram::Row &row : program.rows)
    for (int column : row.columns)
      ++begins[column];
  CoinBigIndex sum = 0;
  for (CoinBigIndex &begin : begins)
    begin = sum += begin;
  std::vector<int> rows(sum);
  std::vector<double> coefficients(sum), lower(numColumns, 0),
      upper(numColumns, 1), least, most;
  for (size_t i = program.rows.size(); i-- != 0;)
    for (auto [column, coefficient] : llvm::zip_equal(
             program.rows[i].columns, program.rows[i].coefficients)) {
      rows[--begins[column]] = i;
      coefficients[begins[column]] = coefficient;
    }
  constexpr double kInfinity = std::numeric_limits<double>::max();
  for (const BinaryProgram::Row &row : program.rows) {
    const bool isLeast = row.sense == 'G';
    least.push_back(isLeast ? row.right : -kInfinity);
    most.push_back(isLeast ? kInfinity : row.right);
  }

  Cbc_Model *model = api.newModel();
  api.setLogLevel(model, 0);
  api.loadProblem(model, numColumns, program.rows.size(), begins.data(),
                  rows.data(), coefficients.data(), lower.data(), upper.data(),
                  program.costs.data(), least.data(), most.data());
  std::vector<int> columns;
  std::vector<double> start;
  for (size_t i = 0; i != numColumns; ++i) {
    api.setInteger(model, i);
    columns.push_back(i);
    start.push_back(program.start[i]);
  }
  api.setStart(model, numColumns, columns.data(), start.data());
  // With a start, preprocessing crashes in CglPreProcess::postProcess on some
  // programs (2.10.8); DagProblem.h has left out what is not needed.
  api.setParameter(model, "preprocess", "off");
  api.setParameter(model, "timeMode", "elapsed");
  api.setSeconds(model, seconds);
  api.solve(model);
  BinarySolution solution;
  solution.bound = api.getBound(model);
  solution.isOptimal = api.isOptimal(model);
  if (const double *values = api.bestSolution(model))
    for (size_t i = 0; i != numColumns; ++i)
      solution.values.push_back(values[i] > 0.5);
  api.deleteModel(model);
  return solution;
}

#endif
