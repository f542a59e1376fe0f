// Unused ops may still fail: dropping it is a difference.
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=element" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=slice" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=cast" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=negative_size" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=sum_of_sizes" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=product" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=remainder" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=kept other=in_a_body" 2>&1 | FileCheck %s
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=kept other=harmless need=proved" 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=number other=number_and_remainder method=prove" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: does not agree with @kept: only the second one fails
// PROVED: Verdict=proved
func.func @kept(%t: tensor<?xf32>, %m: tensor<?x?xf32>, %x: tensor<4xf32>,
                %i: index, %k: i32) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @element(%t: tensor<?xf32>, %m: tensor<?x?xf32>, %x: tensor<4xf32>,
                   %i: index, %k: i32) -> tensor<4xf32> {
  %0 = tensor.extract %x[%i] : tensor<4xf32>
  return %x : tensor<4xf32>
}
func.func @slice(%t: tensor<?xf32>, %m: tensor<?x?xf32>, %x: tensor<4xf32>,
                 %i: index, %k: i32) -> tensor<4xf32> {
  %0 = tensor.extract_slice %x[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
  return %x : tensor<4xf32>
}
func.func @cast(%t: tensor<?xf32>, %m: tensor<?x?xf32>, %x: tensor<4xf32>,
                %i: index, %k: i32) -> tensor<4xf32> {
  %0 = tensor.cast %t : tensor<?xf32> to tensor<3xf32>
  return %x : tensor<4xf32>
}
func.func @negative_size(%t: tensor<?xf32>, %m: tensor<?x?xf32>,
                         %x: tensor<4xf32>, %i: index, %k: i32)
    -> tensor<4xf32> {
  %0 = tensor.empty(%i) : tensor<?xf32>
  return %x : tensor<4xf32>
}
func.func @sum_of_sizes(%t: tensor<?xf32>, %m: tensor<?x?xf32>,
                        %x: tensor<4xf32>, %i: index, %k: i32)
    -> tensor<4xf32> {
  %c5 = arith.constant 5 : index
  %0 = tensor.empty(%c5) : tensor<?xf32>
  %1 = arith.addf %t, %0 : tensor<?xf32>
  return %x : tensor<4xf32>
}
func.func @product(%t: tensor<?xf32>, %m: tensor<?x?xf32>, %x: tensor<4xf32>,
                   %i: index, %k: i32) -> tensor<4xf32> {
  %0 = linalg.matmul ins(%m, %m : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%m : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %x : tensor<4xf32>
}
func.func @remainder(%t: tensor<?xf32>, %m: tensor<?x?xf32>, %x: tensor<4xf32>,
                     %i: index, %k: i32) -> tensor<4xf32> {
  %0 = arith.remsi %k, %k : i32
  return %x : tensor<4xf32>
}
func.func @in_a_body(%t: tensor<?xf32>, %m: tensor<?x?xf32>, %x: tensor<4xf32>,
                     %i: index, %k: i32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%e : tensor<3xf32>) {
  ^bb0(%old: f32):
    %1 = tensor.extract %x[%i] : tensor<4xf32>
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  return %x : tensor<4xf32>
}
// All of these are known to fit.
func.func @harmless(%t: tensor<?xf32>, %m: tensor<?x?xf32>, %x: tensor<4xf32>,
                    %i: index, %k: i32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : i32
  %0 = tensor.extract %x[%c3] : tensor<4xf32>
  %1 = tensor.extract_slice %x[1] [2] [2] : tensor<4xf32> to tensor<2xf32>
  %2 = tensor.dim %t, %c0 : tensor<?xf32>
  %3 = tensor.empty(%2) : tensor<?xf32>
  %4 = arith.addf %t, %3 : tensor<?xf32>
  %5 = linalg.exp ins(%4 : tensor<?xf32>) outs(%3 : tensor<?xf32>)
      -> tensor<?xf32>
  %6 = arith.remsi %k, %c7 : i32
  %7 = tensor.extract_slice %5[0] [%2] [1] : tensor<?xf32> to tensor<?xf32>
  return %x : tensor<4xf32>
}

// The remainder is an expression that no result has.
// UNKNOWN: Verdict=unknown
func.func @number(%k: i32) -> i32 {
  return %k : i32
}
func.func @number_and_remainder(%k: i32) -> i32 {
  %0 = arith.remui %k, %k : i32
  return %k : i32
}
