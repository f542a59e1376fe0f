// The greater of two bits is their disjunction, compiled and interpreted.
// RUN: tensoraccess-run %s --entry=main --inputs=random:3 --compare=interpret | FileCheck %s
// CHECK: compare 0  equal, bit for bit
// CHECK: compare 1  equal, bit for bit
// CHECK: compare 2  equal, bit for bit

func.func @main(%x: tensor<9x2xi1>)
    -> (tensor<9xi1>, tensor<9x2xi1>, tensor<9xi1>) {
  %a = tensoraccess.access %x at 1
     : tensor<9x2xi1> -> !tensoraccess.access<9 | 2xi1>
  %m = tensoraccess.compute reduce_max %a
     : !tensoraccess.access<9 | 2xi1> -> !tensoraccess.access<9 | i1>
  %r = tensoraccess.compute relu %a
     : !tensoraccess.access<9 | 2xi1> -> !tensoraccess.access<9 | 2xi1>
  %s = tensoraccess.compute reduce_sum %a
     : !tensoraccess.access<9 | 2xi1> -> !tensoraccess.access<9 | i1>
  %0 = tensoraccess.to_tensor %m
     : !tensoraccess.access<9 | i1> -> tensor<9xi1>
  %1 = tensoraccess.to_tensor %r
     : !tensoraccess.access<9 | 2xi1> -> tensor<9x2xi1>
  %2 = tensoraccess.to_tensor %s
     : !tensoraccess.access<9 | i1> -> tensor<9xi1>
  return %0, %1, %2 : tensor<9xi1>, tensor<9x2xi1>, tensor<9xi1>
}
