// Structured ops without a point access nothing, whatever their maps say.
// RUN: tensoraccess-run %s --entry=fill --engine=interpret | FileCheck %s --check-prefix=FILL
// RUN: tensoraccess-run %s --entry=sum --engine=interpret | FileCheck %s --check-prefix=SUM

// FILL: result 0  f32 0x3
func.func @fill() -> tensor<0x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<0x3xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<0x3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// The sum of no element is what it starts with.
// SUM: result 0  f32 2  mean 5
func.func @sum() -> tensor<2xf32> {
  %five = arith.constant dense<5.0> : tensor<2xf32>
  %e = tensor.empty() : tensor<2x0xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%e : tensor<2x0xf32>) outs(%five : tensor<2xf32>) {
  ^bb0(%x: f32, %a: f32):
    %s = arith.addf %a, %x : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
