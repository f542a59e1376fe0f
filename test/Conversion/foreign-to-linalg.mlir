// RUN: tensoraccess-opt %s --tensoraccess-foreign-to-linalg | FileCheck %s \
// RUN:   --implicit-check-not=tosa. --implicit-check-not=linalg.softmax \
// RUN:   --implicit-check-not=linalg.pack --implicit-check-not=linalg.unpack \
// RUN:   --implicit-check-not=tensor.concat

// CHECK-LABEL: @tosa
// CHECK: linalg.generic
// CHECK: arith.addf
// CHECK: tensor.extract_slice
func.func @tosa(%a: tensor<3x5xf32>, %b: tensor<1x5xf32>) -> tensor<2x5xf32> {
  %0 = tosa.add %a, %b : (tensor<3x5xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
  %start = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %size = tosa.const_shape {values = dense<[2, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %1 = tosa.slice %0, %start, %size : (tensor<3x5xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// CHECK-LABEL: @softmax
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: arith.divf
func.func @softmax(%a: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensor.empty() : tensor<3x5xf32>
  %1 = linalg.softmax dimension(1) ins(%a : tensor<3x5xf32>)
                                   outs(%0 : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}

// CHECK-LABEL: @pack
// CHECK: tensor.pad
// CHECK: linalg.transpose
func.func @pack(%a: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2x1x4x8xf32>
  %1 = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0, 1]
      inner_tiles = [4, 8] into %0 : tensor<7x5xf32> -> tensor<2x1x4x8xf32>
  %2 = tensor.empty() : tensor<7x5xf32>
  %3 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %2
     : tensor<2x1x4x8xf32> -> tensor<7x5xf32>
  return %3 : tensor<7x5xf32>
}

// One block of a dimension that is not the last.
// CHECK-LABEL: @unpack_leading
// CHECK: linalg.transpose
// CHECK: tensor.extract_slice {{.*}} : tensor<3x1xf32> to tensor<2x1xf32>
func.func @unpack_leading(%a: tensor<1x1x3xf32>) -> tensor<2x1xf32> {
  %0 = tensor.empty() : tensor<2x1xf32>
  %1 = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [3] into %0
     : tensor<1x1x3xf32> -> tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}

// CHECK-LABEL: @concat
// CHECK-COUNT-2: tensor.insert_slice
func.func @concat(%a: tensor<3x5xf32>, %b: tensor<3x2xf32>) -> tensor<3x7xf32> {
  %0 = tensor.concat dim(1) %a, %b
     : (tensor<3x5xf32>, tensor<3x2xf32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}
