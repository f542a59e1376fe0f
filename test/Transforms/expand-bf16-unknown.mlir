// RUN: tensoraccess-opt %s --tensoraccess-expand-bf16 | FileCheck %s

// An unregistered op, which has no dialect to ask, stays.
// CHECK: "some.op"
func.func @unknown(%a: bf16) -> bf16 {
  %0 = "some.op"(%a) : (bf16) -> bf16
  return %0 : bf16
}

// A tensor is not a vector: its conversions stay until it is a loop, those of
// integers whole, since by way of f32 they would be rounded twice.
// CHECK-LABEL: @tensors
// CHECK: arith.truncf %{{.*}} : tensor<?xf32> to tensor<?xbf16>
// CHECK: arith.uitofp %{{.*}} : tensor<?xi32> to tensor<?xbf16>
func.func @tensors(%a: tensor<?xbf16>, %b: tensor<?xi32>) -> (tensor<?xbf16>, tensor<?xbf16>) {
  %0 = arith.addf %a, %a : tensor<?xbf16>
  %1 = arith.uitofp %b : tensor<?xi32> to tensor<?xbf16>
  return %0, %1 : tensor<?xbf16>, tensor<?xbf16>
}
