// What ../contract-loops.mlir comes to, as linalg ops.
func.func @product(%a: tensor<17x33xi32>, %b: tensor<33x19xi32>)
    -> tensor<17x19xi32> {
  %z = arith.constant dense<0> : tensor<17x19xi32>
  %r = linalg.matmul ins(%a, %b : tensor<17x33xi32>, tensor<33x19xi32>)
                     outs(%z : tensor<17x19xi32>) -> tensor<17x19xi32>
  return %r : tensor<17x19xi32>
}
func.func @padded(%a: tensor<17x33xi32>, %b: tensor<33x19xi32>)
    -> tensor<17x19xi32> {
  %r = func.call @product(%a, %b)
      : (tensor<17x33xi32>, tensor<33x19xi32>) -> tensor<17x19xi32>
  return %r : tensor<17x19xi32>
}
func.func @inner(%a: tensor<5000xi32>, %b: tensor<5000xi32>) -> tensor<i32> {
  %z = arith.constant dense<7> : tensor<i32>
  %p = arith.muli %a, %b : tensor<5000xi32>
  %r = linalg.reduce { arith.maxsi }
      ins(%p : tensor<5000xi32>) outs(%z : tensor<i32>) dimensions = [0]
  return %r : tensor<i32>
}
func.func @extended(%a: tensor<17x33xi8>, %b: tensor<33x19xi8>)
    -> tensor<17x19xi32> {
  %z = arith.constant dense<3> : tensor<17x19xi32>
  %r = linalg.matmul ins(%a, %b : tensor<17x33xi8>, tensor<33x19xi8>)
                     outs(%z : tensor<17x19xi32>) -> tensor<17x19xi32>
  return %r : tensor<17x19xi32>
}
