//===- StableHloTextTest.cpp - What registering the text leaves alone -----===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorAccess/StableHlo/StableHloText.h"
#include "TensorAccess/Models/Indexing.h"
#include "TensorAccess/Registration/Registration.h"
#include "TensorAccess/StableHlo/StableHloReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::tensoraccess;

namespace {

/// An attribute or type of StandIn: its text.
struct TextStorage : AttributeStorage {
  using KeyTy = StringRef;
  explicit TextStorage(StringRef text) : text(text) {}
  bool operator==(StringRef other) const { return text == other; }
  static TextStorage *construct(AttributeStorageAllocator &allocator,
                                StringRef text) {
    return new (allocator.allocate<TextStorage>())
        TextStorage(allocator.copyInto(text));
  }
  StringRef text;
};
struct TextAttr : Attribute::AttrBase<TextAttr, Attribute, TextStorage> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TextAttr)
  using Base::Base;
  static constexpr StringLiteral name = "stablehlo.text";
};
struct TokenType : Type::TypeBase<TokenType, Type, TypeStorage> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TokenType)
  using Base::Base;
  static constexpr StringLiteral name = "stablehlo.token";
};

/// As an embedder's StableHLO, which has its own text and typed attributes.
struct StandIn : Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StandIn)
  explicit StandIn(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<StandIn>()) {
    allowUnknownOperations();
    addAttributes<TextAttr>();
    addTypes<TokenType>();
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    return TextAttr::get(getContext(), parser.getFullSymbolSpec());
  }
  void printAttribute(Attribute attr, DialectAsmPrinter &os) const override {
    os << static_cast<TextAttr::ImplType *>(attr.getImpl())->text;
  }
  Type parseType(DialectAsmParser &parser) const override {
    return TokenType::get(getContext());
  }
  void printType(Type, DialectAsmPrinter &os) const override { os << "token"; }
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

/// What the ops of a program read, and its results without tokens.
static std::string readProgram(MLIRContext &context, bool isTyped) {
  auto module = parseSourceString<ModuleOp>(R"mlir(
    func.func @f(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>, %t: !stablehlo.token) {
      %0 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers =
          #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
                         lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}>
        : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
      %1 = "stablehlo.compare"(%0, %0) <{comparison_direction =
          #stablehlo<comparison_direction LT>}>
        : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xi1>
      %2 = "stablehlo.constant"() <{value = dense<1> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
      %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers =
          #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0],
                            start_index_map = [0], index_vector_dim = 1>,
          slice_sizes = array<i64: 1, 3, 4>}>
        : (tensor<2x3x4xf32>, tensor<2x1xi32>) -> tensor<2x3x4xf32>
      return
    }
  )mlir",
                                            &context);
  if (!module)
    return "";
  auto function = *module->getOps<FunctionOpInterface>().begin();
  std::string text;
  llvm::raw_string_ostream os(text);
  IndexingCache cache;
  function.walk([&](Operation *op) {
    if (auto direction = op->getAttr("comparison_direction")) {
      EXPECT_EQ(isa<TextAttr>(direction), isTyped);
      os << getHloKeyword(direction) << ' ' << readHloDirection(op).has_value();
    }
    if (op->getName().getDialectNamespace() != "stablehlo")
      return;
    const OpIndexing &indexing = cache.get(op);
    for (unsigned i = 0; i < indexing.getNumOperands(); ++i)
      for (const IndexingMap &map : indexing.outputToInput(0, i).getMaps())
        os << map.str() << '\n';
  });
  os << flattenTypes(function.getArgumentTypes()).size();
  return text;
}

TEST(StableHloText, TypedAttributesAreReadByTheirText) {
  DialectRegistry real, text;
  real.insert<StandIn>();
  registerEverything(real);
  registerEverything(text);
  MLIRContext typed(real), opaque(text);
  const std::string read = readProgram(typed, /*isTyped=*/true);
  EXPECT_EQ(read, readProgram(opaque, /*isTyped=*/false));
  EXPECT_NE(read.find("(d0, d1, d2)[s0] -> (d0, d1, s0)"), std::string::npos);
  EXPECT_NE(read.find("LT 1"), std::string::npos);
  EXPECT_EQ(read.back(), '2');
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
