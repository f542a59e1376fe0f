//===- StableHloTextTest.cpp - What registering the text leaves alone -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/StableHloText.h"
#include "TensorAccess/Registration/Registration.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// As an embedder's StableHLO, which has its own text.
struct StandIn : Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StandIn)
  explicit StandIn(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<StandIn>()) {
    allowUnknownOperations();
  }
  static StringRef getDialectNamespace() { return "stablehlo"; }
};

TEST(StableHloText, LeavesADialectThatIsThere) {
  DialectRegistry registry;
  registry.insert<StandIn>();
  registerStableHloText(registry);
  registerStableHloText(registry);
  MLIRContext context(registry);
  EXPECT_TRUE(isa<StandIn>(context.getOrLoadDialect("stablehlo")));
  EXPECT_TRUE(context.getOrLoadDialect("chlo"));
  EXPECT_TRUE(context.getOrLoadDialect("sdy"));
}

TEST(StableHloText, IsNotAddedWithTheDialectOfThisProject) {
  DialectRegistry registry;
  registerTensorAccess(registry);
  for (StringRef name : {"stablehlo", "chlo", "sdy"})
    EXPECT_FALSE(registry.getDialectAllocator(name));
  registerEverything(registry);
  for (StringRef name : {"stablehlo", "chlo", "sdy"})
    EXPECT_TRUE(registry.getDialectAllocator(name));
}

TEST(StableHloText, IsWhatGenericTextGives) {
  DialectRegistry registry;
  registerStableHloText(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  auto ordinary = parseSourceString<ModuleOp>(R"mlir(
    %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %r = stablehlo.reverse %c, dims = [0] {note = "n"} : tensor<3xi32>
    %p = stablehlo.compare LT, %c, %r : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %t = stablehlo.create_token : !stablehlo.token
  )mlir",
                                              &context);
  auto generic = parseSourceString<ModuleOp>(R"mlir(
    %c = "stablehlo.constant"() <{value = dense<[1, 2, 3]> : tensor<3xi32>}>
       : () -> tensor<3xi32>
    %r = "stablehlo.reverse"(%c) <{dimensions = array<i64: 0>}> {note = "n"}
       : (tensor<3xi32>) -> tensor<3xi32>
    %p = "stablehlo.compare"(%c, %r) <{comparison_direction =
           #stablehlo<comparison_direction LT>}>
       : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %t = "stablehlo.create_token"() : () -> !stablehlo.token
  )mlir",
                                             &context);
  ASSERT_TRUE(ordinary && generic);
  EXPECT_TRUE(OperationEquivalence::isEquivalentTo(
      *ordinary, *generic, OperationEquivalence::IgnoreLocations));
  // Attributes and types are what a context without the dialect has.
  Operation &compare = *std::next(ordinary->getBody()->begin(), 2);
  EXPECT_TRUE(isa<OpaqueAttr>(compare.getAttr("comparison_direction")));
  EXPECT_FALSE(compare.isRegistered());
  EXPECT_TRUE(
      isa<OpaqueType>(ordinary->getBody()->back().getResult(0).getType()));
}

} // namespace
