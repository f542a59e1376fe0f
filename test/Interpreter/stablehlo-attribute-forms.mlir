// Both forms of the numbers of a convolution, and a comma after the last field
// of an attribute: the same program.
//
// RUN: tensoraccess-run %s --entry=convolution --engine=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=convolution | FileCheck %s
// RUN: tensoraccess-run %s --entry=product --engine=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=product | FileCheck %s
// CHECK: result 0 {{.*}} checksum [[SUM:[0-9a-f]+]]
// CHECK: result 1 {{.*}} checksum [[SUM]]

func.func @convolution(%a: tensor<2x5x6x3xf32>, %b: tensor<2x3x3x4xf32>)
    -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>) {
  %0 = "stablehlo.convolution"(%a, %b) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers =
      #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}>
    : (tensor<2x5x6x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x4x4x4xf32>
  %1 = "stablehlo.convolution"(%a, %b) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0, input_feature_dimension = 3,
      input_spatial_dimensions = [1, 2],
      kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
      kernel_spatial_dimensions = [0, 1],
      output_batch_dimension = 0, output_feature_dimension = 3,
      output_spatial_dimensions = [1, 2]>}>
    : (tensor<2x5x6x3xf32>, tensor<2x3x3x4xf32>) -> tensor<2x4x4x4xf32>
  return %0, %1 : tensor<2x4x4x4xf32>, tensor<2x4x4x4xf32>
}

func.func @product(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>)
    -> (tensor<2x5xf32>, tensor<2x5xf32>) {
  %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers =
    #stablehlo.dot<lhs_contracting_dimensions = [1],
                   rhs_contracting_dimensions = [0]>}>
    : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  %1 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers =
    #stablehlo.dot<lhs_contracting_dimensions = [1],
                   rhs_contracting_dimensions = [0],>}>
    : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>
  return %0, %1 : tensor<2x5xf32>, tensor<2x5xf32>
}
