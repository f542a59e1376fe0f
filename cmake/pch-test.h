//===- pch-test.h - The precompiled header of the tests -------------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header of the rooms from IR on, and what tests run with. No file may rely
// on it.
//
//===----------------------------------------------------------------------===//

#include "pch-ir.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
