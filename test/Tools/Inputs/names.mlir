func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %s = math.exp %x : tensor<4x4xf32>
  %t = arith.addf %s, %y : tensor<4x4xf32>
  %i:2, %j = "my.three"(%t) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
  %k, %l = func.call @g(%i#1, %y) : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %low = arith.constant 0 : index
  %high = arith.constant 3 : index
  %one = arith.constant 1 : index
  %loop = scf.for %iv = %low to %high step %one iter_args(%acc = %k) -> (tensor<4x4xf32>) {
    %in = math.tanh %acc : tensor<4x4xf32>
    scf.yield %in : tensor<4x4xf32>
  }
  return %loop, %l : tensor<4x4xf32>, tensor<4x4xf32>
}
func.func private @g(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %s = math.exp %a : tensor<4x4xf32>
  return %s, %b : tensor<4x4xf32>, tensor<4x4xf32>
}
