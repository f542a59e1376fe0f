// RUN: tensoraccess-opt %s --tensoraccess-expand-pads | FileCheck %s

// Borders of the first dimension reach over the second, those of the second lie
// between them.
// CHECK-LABEL: @both
// CHECK: %[[E:.*]] = tensor.empty() : tensor<7x6xf32>
// CHECK: %[[S:.*]] = tensor.insert_slice %arg0 into %[[E]][1, 2] [4, 3] [1, 1]
// CHECK: %[[L:.*]] = linalg.fill {{.*}} -> tensor<1x6xf32>
// CHECK: %[[A:.*]] = tensor.insert_slice %[[L]] into %[[S]][0, 0] [1, 6] [1, 1]
// CHECK: %[[H:.*]] = linalg.fill {{.*}} -> tensor<2x6xf32>
// CHECK: %[[B:.*]] = tensor.insert_slice %[[H]] into %[[A]][5, 0] [2, 6] [1, 1]
// CHECK: %[[M:.*]] = linalg.fill {{.*}} -> tensor<4x2xf32>
// CHECK: %[[C:.*]] = tensor.insert_slice %[[M]] into %[[B]][1, 0] [4, 2] [1, 1]
// CHECK: %[[N:.*]] = linalg.fill {{.*}} -> tensor<4x1xf32>
// CHECK: %[[D:.*]] = tensor.insert_slice %[[N]] into %[[C]][1, 5] [4, 1] [1, 1]
// CHECK: return %[[D]]
func.func @both(%x: tensor<4x3xf32>, %v: f32) -> tensor<7x6xf32> {
  %p = tensor.pad %x low[1, 2] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<4x3xf32> to tensor<7x6xf32>
  return %p : tensor<7x6xf32>
}

// A constant in the body.
// CHECK-LABEL: @constant_inside
// CHECK: %[[C:.*]] = arith.constant 2.0{{.*}} : f32
// CHECK: linalg.fill ins(%[[C]] : f32)
// CHECK-NOT: tensor.pad
func.func @constant_inside(%x: tensor<4xf32>) -> tensor<6xf32> {
  %p = tensor.pad %x low[0] high[2] {
  ^bb0(%i: index):
    %v = arith.constant 2.0 : f32
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
}

// A value by index, an unknown size, no element to place.
// CHECK-LABEL: @others
// CHECK-COUNT-3: tensor.pad
// CHECK-NOT: insert_slice
func.func @others(%x: tensor<4xindex>, %y: tensor<?xf32>, %z: tensor<0xf32>,
                  %v: f32) -> (tensor<6xindex>, tensor<?xf32>, tensor<2xf32>) {
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<4xindex> to tensor<6xindex>
  %q = tensor.pad %y low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<?xf32>
  %r = tensor.pad %z low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<0xf32> to tensor<2xf32>
  return %p, %q, %r : tensor<6xindex>, tensor<?xf32>, tensor<2xf32>
}
