// What the functions of foreign.mlir compute: softmax as an access program, and
// packing undone by unpacking.
func.func @softmax(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.compute softmax %0
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<3 | 5xf32> -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

func.func @pack(%a: tensor<7x5xf32>) -> tensor<7x5xf32> {
  return %a : tensor<7x5xf32>
}
