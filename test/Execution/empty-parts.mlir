// Parts that are known to be empty are inserted nowhere, even after the end.
// RUN: tensoraccess-run %s --entry=before --inputs=random:1 --dynamic-sizes=3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=around --inputs=random:1 --dynamic-sizes=3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=between --inputs=random:1 --dynamic-sizes=3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=cast --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=after --inputs=random:1 --dynamic-sizes=3,3 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=nothing --inputs=random:1 --dynamic-sizes=3 --compare=interpret | FileCheck %s --check-prefix=NOTHING
// RUN: tensoraccess-run %s --entry=greatest --inputs=random:1 --compare=interpret | FileCheck %s --check-prefix=NOTHING
// CHECK: compare 0  equal, bit for bit
// NOTHING: compare 0  equal, bit for bit: 0 of 0

func.func @before(%x: tensor<0x?xf32>) -> tensor<2x?xf32> {
  %0 = tensoraccess.access %x at 2 : tensor<0x?xf32> -> !tensoraccess.access<0x? | f32>
  %1 = tensoraccess.pad %0 low = [2, 1] high = [0, 0] value = 3.0 : f32 : !tensoraccess.access<0x? | f32> -> !tensoraccess.access<2x? | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<2x? | f32> -> tensor<2x?xf32>
  return %2 : tensor<2x?xf32>
}

func.func @around(%x: tensor<0x?xf32>) -> tensor<3x?xf32> {
  %0 = tensoraccess.access %x at 2 : tensor<0x?xf32> -> !tensoraccess.access<0x? | f32>
  %1 = tensoraccess.pad %0 low = [2, 1] high = [1, 0] value = 3.0 : f32 : !tensoraccess.access<0x? | f32> -> !tensoraccess.access<3x? | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3x? | f32> -> tensor<3x?xf32>
  return %2 : tensor<3x?xf32>
}

func.func @between(%x: tensor<0x?xf32>) -> tensor<2x?xf32> {
  %0 = tensoraccess.access %x at 2 : tensor<0x?xf32> -> !tensoraccess.access<0x? | f32>
  %1 = tensoraccess.pad %0 low = [2, 1] high = [0, 0] interior = [1, 2] value = 3.0 : f32 : !tensoraccess.access<0x? | f32> -> !tensoraccess.access<2x? | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<2x? | f32> -> tensor<2x?xf32>
  return %2 : tensor<2x?xf32>
}

// The type leaves open that nothing is padded.
func.func @cast(%x: tensor<0x4xf32>) -> tensor<?x4xf32> {
  %cast = tensor.cast %x : tensor<0x4xf32> to tensor<?x4xf32>
  %0 = tensoraccess.access %cast at 2 : tensor<?x4xf32> -> !tensoraccess.access<?x4 | f32>
  %1 = tensoraccess.pad %0 low = [2, 0] high = [0, 0] value = 3.0 : f32 : !tensoraccess.access<?x4 | f32> -> !tensoraccess.access<?x4 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<?x4 | f32> -> tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

func.func @after(%x: tensor<2x?xf32>, %y: tensor<0x?xf32>) -> tensor<2x?xf32> {
  %0 = tensoraccess.access %x at 2 : tensor<2x?xf32> -> !tensoraccess.access<2x? | f32>
  %1 = tensoraccess.access %y at 2 : tensor<0x?xf32> -> !tensoraccess.access<0x? | f32>
  %2 = tensoraccess.concat %0, %1 axis 0 : !tensoraccess.access<2x? | f32>, !tensoraccess.access<0x? | f32> -> !tensoraccess.access<2x? | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<2x? | f32> -> tensor<2x?xf32>
  return %3 : tensor<2x?xf32>
}

func.func @nothing(%x: tensor<0x?xf32>) -> tensor<0x?xf32> {
  %0 = tensoraccess.access %x at 2 : tensor<0x?xf32> -> !tensoraccess.access<0x? | f32>
  %1 = tensoraccess.pad %0 low = [0, 1] high = [0, 0] value = 3.0 : f32 : !tensoraccess.access<0x? | f32> -> !tensoraccess.access<0x? | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<0x? | f32> -> tensor<0x?xf32>
  return %2 : tensor<0x?xf32>
}

func.func @greatest(%a: tensor<3x0xf32>, %b: tensor<0x4xf32>) -> (tensor<3x0xf32>, tensor<0x2xi32>) {
  %0:2 = "chlo.top_k"(%a) {k = 0 : i64} : (tensor<3x0xf32>) -> (tensor<3x0xf32>, tensor<3x0xi32>)
  %1:2 = "chlo.top_k"(%b) {k = 2 : i64} : (tensor<0x4xf32>) -> (tensor<0x2xf32>, tensor<0x2xi32>)
  return %0#0, %1#1 : tensor<3x0xf32>, tensor<0x2xi32>
}
