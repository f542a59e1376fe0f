//===- ProductRemarks.cpp - What is not a product of matrices -------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dot product is one of matrices if it takes two factors of known sizes, of
// which at least one moves alone. What is not a dot product at all has to be
// raised first; ops that are known by name are looked for.
//
//===----------------------------------------------------------------------===//

#include "ProductRemarks.h"

#include "TensorAccess/IR/Checks.h"
#include "TensorAccess/Rewrites/RuleSets.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::tensoraccess;

bool mlir::tensoraccess::isProductOfMatrices(AccessType type) {
  ArrayRef<int64_t> access = type.getAccessShape(),
                    compute = type.getComputeShape();
  return type.hasStaticShape() && compute.size() == 2 && compute[0] == 2 &&
         (access.size() == 2 || (access.size() == 3 && access[0] != 1 &&
                                 (access[1] != 1 || access[2] != 1)));
}

bool mlir::tensoraccess::hasMatricesInMemory(const AccessForm &pattern) {
  const unsigned split = pattern.split;
  for (unsigned side : {0u, 1u}) {
    std::optional<AccessForm> factor = pattern.fix(split, side);
    if (!factor)
      return false;
    // Rows do not move with columns: what a side repeats has stride 0.
    const unsigned other = side == 0 ? split - 1 : split - 2;
    if (std::optional<StridedMap> strided = factor->access.asStrided()) {
      if (strided->strides[other] != 0)
        return false;
      // Both move along a batch; else it is rows or columns, in two dimensions.
      if (split == 3 && strided->strides[0] == 0)
        return false;
    } else if (split == 3 || !isMatrixInMemory(*factor)) {
      return false;
    }
  }
  return true;
}

/// Why a dot product is not a product of matrices, whatever a copy costs.
/// std::nullopt if it could be one.
static std::optional<std::string> findObstacle(ComputeOp op,
                                               AccessForms &forms) {
  Value pattern = op.getPattern();
  AccessType type = op.getPattern().getType();
  if (!type.hasStaticShape())
    return "its shape is dynamic";
  if (type.getComputeRank() == 0 || type.getComputeShape()[0] != 2)
    return ("its tuple has " +
            Twine(type.getComputeRank() ? type.getComputeShape()[0] : 0) +
            " factors")
        .str();
  if (type.getNumElements().value_or(1) == 0)
    return "it has no elements";
  std::optional<TupleProduct> product;
  if (AccessForms::hasForm(pattern))
    product = TupleProduct::get(forms.get(pattern));
  if (!product)
    return "what it reads has no form within the budget";
  if (!product->batch.empty() && product->count(product->rows) == 1 &&
      product->count(product->columns) == 1)
    return ("it is a batch of " + Twine(product->count(product->batch)) +
            " single dot products")
        .str();
  return std::nullopt;
}

/// Those that move along with nothing else, by name.
static bool isProductByName(StringRef name) {
  static const llvm::StringSet<> names = {
      "tosa.conv2d",           "tosa.conv3d",  "tosa.depthwise_conv2d",
      "tosa.transpose_conv2d", "tosa.matmul",  "stablehlo.convolution",
      "stablehlo.dot_general", "stablehlo.dot"};
  return names.contains(name);
}

void mlir::tensoraccess::emitMissedProducts(
    FunctionOpInterface function, StringRef name, StringRef reason,
    llvm::function_ref<bool(ComputeOp, bool hasObstacle, AccessForms &)> done) {
  const remark::RemarkOpts options = remarkOptions(name, function);
  AccessForms forms;
  function.walk([&](ComputeOp op) {
    if (op.getKind() != ComputeKind::DotProd)
      return;
    std::optional<std::string> obstacle = findObstacle(op, forms);
    if (!done || !done(op, obstacle.has_value(), forms))
      remark::missed(op.getLoc(), options)
          << remark::reason("{0}", obstacle.value_or(reason.str()));
  });
  function.walk([&](Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (isProductByName(op->getName().getStringRef()) ||
        (structured && (linalg::isaConvolutionOpInterface(structured) ||
                        linalg::isaContractionOpInterface(structured))))
      remark::missed(op->getLoc(), options)
          << remark::reason("{0} is not an access pattern: it was not raised",
                            op->getName().getStringRef());
  });
}

SmallVector<FunctionOpInterface>
mlir::tensoraccess::getFunctions(Operation *module) {
  SmallVector<FunctionOpInterface> functions;
  module->walk([&](FunctionOpInterface function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  return functions;
}
