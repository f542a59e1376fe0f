// The sums of ../matmul.mlir's @sums, in the usual order.
func.func @sums(%x: tensor<3x1000xf32>) -> tensor<3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %0 = linalg.reduce ins(%x : tensor<3x1000xf32>) outs(%zero : tensor<3xf32>)
       dimensions = [1]
       (%in: f32, %acc: f32) {
         %s = arith.addf %acc, %in : f32
         linalg.yield %s : f32
       }
  return %0 : tensor<3xf32>
}
