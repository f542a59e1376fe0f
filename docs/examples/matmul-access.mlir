// P · Q: dot products of every row of P with every column of Q.
func.func @main(%p: tensor<2x3xf32>, %q: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %rows = tensoraccess.access %p at 1
     : tensor<2x3xf32> -> !tensoraccess.access<2 | 3xf32>
  %q1 = tensoraccess.access %q at 1
     : tensor<3x4xf32> -> !tensoraccess.access<3 | 4xf32>
  %columns = tensoraccess.transpose %q1 perm = [1, 0]
     : !tensoraccess.access<3 | 4xf32> -> !tensoraccess.access<4 | 3xf32>
  %pairs = tensoraccess.cart_prod %rows, %columns
     : !tensoraccess.access<2 | 3xf32>, !tensoraccess.access<4 | 3xf32>
    -> !tensoraccess.access<2x4 | 2x3xf32>
  %sums = tensoraccess.compute dot_prod %pairs
     : !tensoraccess.access<2x4 | 2x3xf32> -> !tensoraccess.access<2x4 | f32>
  %result = tensoraccess.to_tensor %sums
     : !tensoraccess.access<2x4 | f32> -> tensor<2x4xf32>
  return %result : tensor<2x4xf32>
}
