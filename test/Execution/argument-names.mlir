// What a program says of its arguments is nothing that LLVM has to warn of.

// RUN: tensoraccess-run %s --entry=main --inputs=random:1 --compare=interpret 2>&1 | FileCheck %s --implicit-check-not=warning

// CHECK: compare 0  equal, bit for bit
func.func @main(%a: tensor<3xf32> {tensoraccess.name = "a"}) -> tensor<3xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<3xf32> -> !tensoraccess.access<3 | f32>
  %1 = tensoraccess.compute negative %0 : !tensoraccess.access<3 | f32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
