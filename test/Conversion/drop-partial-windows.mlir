// RUN: tensoraccess-opt %s --tensoraccess-drop-partial-windows --tensoraccess-annotate-indexing | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-annotate-indexing | FileCheck %s --check-prefix=ELEMENTS

// Windows of two that are inside as a whole begin at 0 to 3, those that have an
// element inside at -1 to 4. The one map is not a memo of the other.
// CHECK: rt0 in [0, 3]
// CHECK-SAME: tensoraccess.whole_windows
// CHECK: "mhlo.scatter"
// CHECK: tensoraccess.whole_windows
// ELEMENTS-NOT: whole_windows
// ELEMENTS: rt0 in [-1, 4]
func.func @main(%t: tensor<5xi32>, %i: tensor<1x1xi32>, %u: tensor<1x2xi32>) -> (tensor<5xi32>, tensor<5xi32>) {
  %0 = "stablehlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<5xi32>, tensor<1x1xi32>, tensor<1x2xi32>) -> tensor<5xi32>
  %1 = "mhlo.scatter"(%t, %i, %u) <{scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "mhlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<5xi32>, tensor<1x1xi32>, tensor<1x2xi32>) -> tensor<5xi32>
  return %0, %1 : tensor<5xi32>, tensor<5xi32>
}
