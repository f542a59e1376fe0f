// Two slices of unknown sizes that leave their operand: edges in ones, and the
// nearest element with a stride.
func.func @main(%x: tensor<?x?xf32>) -> tensor<7x4xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<?x?xf32> -> !tensoraccess.access<? | ?xf32>
  %1 = tensoraccess.slice %0 offsets = [-2, -1] sizes = [7, 4] strides = [1, 2]
       oob = [pad(1.0), clamp]
     : !tensoraccess.access<? | ?xf32> -> !tensoraccess.access<7 | 4xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<7 | 4xf32> -> tensor<7x4xf32>
  return %2 : tensor<7x4xf32>
}
