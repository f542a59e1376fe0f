// Every op in the forms that its text has: pretty, bytecode and generic.
// RUN: tensoraccess-opt %s | FileCheck %s
// RUN: tensoraccess-opt %s --emit-bytecode | tensoraccess-opt | FileCheck %s
// RUN: tensoraccess-opt %s --mlir-print-op-generic | tensoraccess-opt | FileCheck %s

// CHECK-LABEL: @pair
func.func @pair(%a: !tensoraccess.access<3 | 5xf32>,
                %b: !tensoraccess.access<3 | 5xf32>) {
  // CHECK: tensoraccess.pair %{{.*}}, %{{.*}} : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 2x5xf32>
  %0 = tensoraccess.pair %a, %b
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 5xf32>
    -> !tensoraccess.access<3 | 2x5xf32>
  return
}

// What one side leaves open the other may know.
// CHECK-LABEL: @pair_dynamic
func.func @pair_dynamic(%a: !tensoraccess.access<3 | ?xf32>,
                        %b: !tensoraccess.access<? | 5xf32>) {
  // CHECK: tensoraccess.pair {{.*}} -> !tensoraccess.access<3 | 2x5xf32>
  %0 = tensoraccess.pair %a, %b
     : !tensoraccess.access<3 | ?xf32>, !tensoraccess.access<? | 5xf32>
    -> !tensoraccess.access<3 | 2x5xf32>
  // CHECK: tensoraccess.cart_prod {{.*}} -> !tensoraccess.access<3x? | 2x5xf32>
  %1 = tensoraccess.cart_prod %a, %b
     : !tensoraccess.access<3 | ?xf32>, !tensoraccess.access<? | 5xf32>
    -> !tensoraccess.access<3x? | 2x5xf32>
  return
}

// CHECK-LABEL: @concat
func.func @concat(%a: !tensoraccess.access<3 | 5xf32>,
                  %b: !tensoraccess.access<3 | 2xf32>,
                  %c: !tensoraccess.access<3 | ?xf32>,
                  %d: !tensoraccess.access<? | 2xf32>) {
  // CHECK: tensoraccess.concat %{{.*}}, %{{.*}} axis 1 : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 2xf32> -> !tensoraccess.access<3 | 7xf32>
  %0 = tensoraccess.concat %a, %b axis 1
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<3 | 2xf32>
    -> !tensoraccess.access<3 | 7xf32>
  // CHECK: tensoraccess.concat %{{.*}} axis 0 : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.concat %a axis 0
     : !tensoraccess.access<3 | 5xf32> -> !tensoraccess.access<3 | 5xf32>
  // CHECK: -> !tensoraccess.access<3 | ?xf32>
  %2 = tensoraccess.concat %d, %b, %c axis 1
     : !tensoraccess.access<? | 2xf32>, !tensoraccess.access<3 | 2xf32>,
       !tensoraccess.access<3 | ?xf32>
    -> !tensoraccess.access<3 | ?xf32>
  return
}

// CHECK-LABEL: @slice
func.func @slice(%a: !tensoraccess.access<3 | 7xf32>,
                 %b: !tensoraccess.access<3 | ?xf32>) {
  // CHECK: tensoraccess.slice %{{.*}} offsets = [1, 2] sizes = [2, 5] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<2 | 5xf32>
  %0 = tensoraccess.slice %a offsets = [1, 2] sizes = [2, 5]
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<2 | 5xf32>
  // CHECK: tensoraccess.slice %{{.*}} offsets = [2, 0] sizes = [3, 4] strides = [-1, 2] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 4xf32>
  %1 = tensoraccess.slice %a offsets = [2, 0] sizes = [3, 4] strides = [-1, 2]
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<3 | 4xf32>
  // Nothing, from the end on.
  // CHECK: -> !tensoraccess.access<0 | 7xf32>
  %2 = tensoraccess.slice %a offsets = [3, 0] sizes = [0, 7]
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<0 | 7xf32>
  // CHECK: tensoraccess.slice %{{.*}} offsets = [0, 2] sizes = [3, -1] : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | ?xf32>
  %3 = tensoraccess.slice %b offsets = [0, 2] sizes = [3, -1]
     : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | ?xf32>
  // CHECK: -> !tensoraccess.access<3 | 4xf32>
  %4 = tensoraccess.slice %b offsets = [0, 2] sizes = [3, 4]
     : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | 4xf32>
  return
}

// The integers of i1 have names as elsewhere.
// CHECK-LABEL: @slice_policies_i1
func.func @slice_policies_i1(%a: !tensoraccess.access<| 3x7xi1>)
    -> !tensoraccess.access<| 5x9xi1> {
  // CHECK: oob = [pad(1), pad(0)]
  %0 = tensoraccess.slice %a offsets = [-1, -1] sizes = [5, 9]
       oob = [pad(true), pad(false)]
     : !tensoraccess.access<| 3x7xi1> -> !tensoraccess.access<| 5x9xi1>
  return %0 : !tensoraccess.access<| 5x9xi1>
}

// CHECK-LABEL: @slice_policies
func.func @slice_policies(%a: !tensoraccess.access<3 | 7xf32>,
                          %b: !tensoraccess.access<3x2 | ?xi8>) {
  // CHECK: tensoraccess.slice %{{.*}} offsets = [-1, -1] sizes = [5, 9] oob = [wrap, pad(0.0)] : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<5 | 9xf32>
  %0 = tensoraccess.slice %a offsets = [-1, -1] sizes = [5, 9]
       oob = [wrap, pad(0.0)]
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<5 | 9xf32>
  // The last element first, and all others before it.
  // CHECK: tensoraccess.slice %{{.*}} offsets = [9, 0, -1] sizes = [1, 2, -1] strides = [1, 1, -1] oob = [clamp, forbid, negative]
  %1 = tensoraccess.slice %b offsets = [9, 0, -1] sizes = [1, 2, -1]
       strides = [1, 1, -1] oob = [clamp, forbid, negative]
     : !tensoraccess.access<3x2 | ?xi8> -> !tensoraccess.access<1x2 | ?xi8>
  // CHECK: oob = [pad(-inf), pad(nan)]
  %3 = tensoraccess.slice %a offsets = [-1, -1] sizes = [5, 9]
       oob = [pad(-inf), pad(nan)]
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<5 | 9xf32>
  // CHECK: oob = [pad(-1.5), pad(1.0e+30)]
  %4 = tensoraccess.slice %a offsets = [-1, -1] sizes = [5, 9]
       oob = [pad(-1.5), pad(1.0e+30)]
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<5 | 9xf32>
  // CHECK: oob = [forbid, forbid, pad(-3)]
  %5 = tensoraccess.slice %b offsets = [0, 0, -4] sizes = [3, 2, 2]
       oob = [forbid, forbid, pad(-3)]
     : !tensoraccess.access<3x2 | ?xi8> -> !tensoraccess.access<3x2 | 2xi8>
  // CHECK: oob = [forbid, forbid, pad(255)]
  %2 = tensoraccess.slice %b offsets = [0, 0, -4] sizes = [3, 2, 2]
       oob = [forbid, forbid, pad(255)]
     : !tensoraccess.access<3x2 | ?xi8> -> !tensoraccess.access<3x2 | 2xi8>
  return
}

// CHECK-LABEL: @broadcast
func.func @broadcast(%a: !tensoraccess.access<1x? | 1xf32>) {
  // CHECK: tensoraccess.broadcast %{{.*}} : !tensoraccess.access<1x? | 1xf32> -> !tensoraccess.access<3x? | 5xf32>
  %0 = tensoraccess.broadcast %a
     : !tensoraccess.access<1x? | 1xf32> -> !tensoraccess.access<3x? | 5xf32>
  return
}

// CHECK-LABEL: @shift_right
func.func @shift_right(%a: !tensoraccess.access<3x? | 7xf32>) {
  // CHECK: tensoraccess.shift_right %{{.*}} : !tensoraccess.access<3x? | 7xf32> -> !tensoraccess.access<3 | ?x7xf32>
  %0 = tensoraccess.shift_right %a
     : !tensoraccess.access<3x? | 7xf32> -> !tensoraccess.access<3 | ?x7xf32>
  // CHECK: tensoraccess.shift_right %{{.*}} by 2 : !tensoraccess.access<3x? | 7xf32> -> !tensoraccess.access<| 3x?x7xf32>
  %1 = tensoraccess.shift_right %a by 2
     : !tensoraccess.access<3x? | 7xf32> -> !tensoraccess.access<| 3x?x7xf32>
  return
}

// CHECK-LABEL: @pad_interior
func.func @pad_interior(%a: !tensoraccess.access<3 | 5x0x?xf32>) {
  // CHECK: tensoraccess.pad %{{.*}} low = [0, 1, 2, 0] high = [0, 0, 1, 0] interior = [0, 1, 7, 1] value = 0.000000e+00 : f32 : !tensoraccess.access<3 | 5x0x?xf32> -> !tensoraccess.access<3 | 10x3x?xf32>
  %0 = tensoraccess.pad %a low = [0, 1, 2, 0] high = [0, 0, 1, 0]
       interior = [0, 1, 7, 1] value = 0.0 : f32
     : !tensoraccess.access<3 | 5x0x?xf32>
    -> !tensoraccess.access<3 | 10x3x?xf32>
  return
}

// CHECK-LABEL: @compute
func.func @compute(%a: !tensoraccess.access<3 | 2x5xf32>,
                   %b: !tensoraccess.access<3 | ?x5xi8>,
                   %c: !tensoraccess.access<3 | 2xf16>) {
  // CHECK: tensoraccess.compute reduce_mean %{{.*}} -> !tensoraccess.access<3 | f32>
  %0 = tensoraccess.compute reduce_mean %a
     : !tensoraccess.access<3 | 2x5xf32> -> !tensoraccess.access<3 | f32>
  // CHECK: tensoraccess.compute elementwise_div %{{.*}} -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.compute elementwise_div %a
     : !tensoraccess.access<3 | 2x5xf32> -> !tensoraccess.access<3 | 5xf32>
  // CHECK: tensoraccess.compute sqrt %{{.*}} -> !tensoraccess.access<3 | 2x5xf32>
  %2 = tensoraccess.compute sqrt %a
     : !tensoraccess.access<3 | 2x5xf32> -> !tensoraccess.access<3 | 2x5xf32>
  // CHECK: tensoraccess.compute negative %{{.*}} -> !tensoraccess.access<3 | ?x5xi8>
  %3 = tensoraccess.compute negative %b
     : !tensoraccess.access<3 | ?x5xi8> -> !tensoraccess.access<3 | ?x5xi8>
  // CHECK: tensoraccess.compute softmax %{{.*}} -> !tensoraccess.access<3 | 2x5xf32>
  %4 = tensoraccess.compute softmax %a
     : !tensoraccess.access<3 | 2x5xf32> -> !tensoraccess.access<3 | 2x5xf32>
  // CHECK: tensoraccess.compute dot_prod %{{.*}} accumulator = i32 : !tensoraccess.access<3 | ?x5xi8> -> !tensoraccess.access<3 | i32>
  %5 = tensoraccess.compute dot_prod %b accumulator = i32
     : !tensoraccess.access<3 | ?x5xi8> -> !tensoraccess.access<3 | i32>
  // CHECK: tensoraccess.compute reduce_sum %{{.*}} accumulator = f64 : !tensoraccess.access<3 | 2xf16> -> !tensoraccess.access<3 | f64>
  %6 = tensoraccess.compute reduce_sum %c accumulator = f64
     : !tensoraccess.access<3 | 2xf16> -> !tensoraccess.access<3 | f64>
  return
}

// CHECK-LABEL: @systolic_array
func.func @systolic_array(%a: !tensoraccess.access<3x2 | 5xf32>,
                          %b: !tensoraccess.access<| ?x7xf32>) {
  // CHECK: tensoraccess.systolic_array %{{.*}}, %{{.*}} rows = 5 cols = 7 : !tensoraccess.access<3x2 | 5xf32>, !tensoraccess.access<| ?x7xf32> -> !tensoraccess.access<3x2x7 | f32>
  %0 = tensoraccess.systolic_array %a, %b rows = 5 cols = 7
     : !tensoraccess.access<3x2 | 5xf32>, !tensoraccess.access<| ?x7xf32>
    -> !tensoraccess.access<3x2x7 | f32>
  // CHECK: tensoraccess.systolic_array %{{.*}}, %{{.*}} rows = 2 cols = 4 blocked : !tensoraccess.access<3x2 | 5xf32>, !tensoraccess.access<| ?x7xf32> -> !tensoraccess.access<3x2x7 | f32>
  %1 = tensoraccess.systolic_array %a, %b rows = 2 cols = 4 blocked
     : !tensoraccess.access<3x2 | 5xf32>, !tensoraccess.access<| ?x7xf32>
    -> !tensoraccess.access<3x2x7 | f32>
  return
}

// CHECK-LABEL: @systolic_array_of_bytes
func.func @systolic_array_of_bytes(%a: !tensoraccess.access<3 | 5xi8>,
                                   %b: !tensoraccess.access<| 5x7xi8>) {
  // CHECK: tensoraccess.systolic_array %{{.*}}, %{{.*}} rows = 2 cols = 4 blocked accumulator = i32 : !tensoraccess.access<3 | 5xi8>, !tensoraccess.access<| 5x7xi8> -> !tensoraccess.access<3x7 | i32>
  %0 = tensoraccess.systolic_array %a, %b rows = 2 cols = 4 blocked
     accumulator = i32
     : !tensoraccess.access<3 | 5xi8>, !tensoraccess.access<| 5x7xi8>
    -> !tensoraccess.access<3x7 | i32>
  return
}

// CHECK-LABEL: @accelerator_call
func.func @accelerator_call(%a: !tensoraccess.access<| 8xf32>) {
  // CHECK: tensoraccess.accelerator_call "vector-add"(%{{.*}}, %{{.*}}) : (!tensoraccess.access<| 8xf32>, !tensoraccess.access<| 8xf32>) -> !tensoraccess.access<| 8xf32>
  %0 = tensoraccess.accelerator_call "vector-add"(%a, %a)
     : (!tensoraccess.access<| 8xf32>, !tensoraccess.access<| 8xf32>)
    -> !tensoraccess.access<| 8xf32>
  // CHECK: tensoraccess.accelerator_call "random"() : () -> !tensoraccess.access<? | f32>
  %1 = tensoraccess.accelerator_call "random"()
     : () -> !tensoraccess.access<? | f32>
  return
}
