// What a `?` leaves open is checked when the program runs: a located error with
// the numbers, interpreted and compiled.
// RUN: not tensoraccess-run %s --entry=pair --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not tensoraccess-run %s --entry=pair --inputs=random:1 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not tensoraccess-run %s --entry=concat --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=CONCAT
// RUN: not tensoraccess-run %s --entry=concat --inputs=random:1 2>&1 | FileCheck %s --check-prefix=CONCAT
// RUN: not tensoraccess-run %s --entry=slice --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not tensoraccess-run %s --entry=slice --inputs=random:1 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not tensoraccess-run %s --entry=wrap --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=WRAP
// RUN: not tensoraccess-run %s --entry=windows --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: not tensoraccess-run %s --entry=windows --inputs=random:1 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: not tensoraccess-run %s --entry=reshape --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: not tensoraccess-run %s --entry=reshape --inputs=random:1 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: not tensoraccess-run %s --entry=cart_prod --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not tensoraccess-run %s --entry=cart_prod --inputs=random:1 2>&1 | FileCheck %s --check-prefix=PRODUCT
// RUN: not tensoraccess-run %s --entry=reduce_max --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=MAX
// RUN: not tensoraccess-run %s --entry=reduce_max --inputs=random:1 2>&1 | FileCheck %s --check-prefix=MAX
// RUN: not tensoraccess-run %s --entry=tuple --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=TUPLE
// RUN: not tensoraccess-run %s --entry=tuple --inputs=random:1 2>&1 | FileCheck %s --check-prefix=TUPLE
// RUN: not tensoraccess-run %s --entry=systolic_array --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: not tensoraccess-run %s --entry=systolic_array --inputs=random:1 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: not tensoraccess-run %s --entry=blocked_array --engine=interpret --inputs=random:1 2>&1 | FileCheck %s --check-prefix=BLOCKED
// RUN: not tensoraccess-run %s --entry=blocked_array --inputs=random:1 2>&1 | FileCheck %s --check-prefix=BLOCKED
// RUN: not tensoraccess-run %s --entry=division --engine=interpret 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not tensoraccess-run %s --entry=division 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not tensoraccess-run %s --entry=accelerator --engine=interpret 2>&1 | FileCheck %s --check-prefix=ACCELERATOR

// PAIR: access-faults.mlir:[[#@LINE+6]]:8: {{.*}}tensoraccess.pair{{:|' op}} access shapes must be equal, got [3] and [4]
func.func @pair(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<?x2xf32> {
  %a = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  %b = tensor.cast %y : tensor<4xf32> to tensor<?xf32>
  %0 = tensoraccess.access %a at 1 : tensor<?xf32> -> !tensoraccess.access<? | f32>
  %1 = tensoraccess.access %b at 1 : tensor<?xf32> -> !tensoraccess.access<? | f32>
  %2 = tensoraccess.pair %0, %1
     : !tensoraccess.access<? | f32>, !tensoraccess.access<? | f32>
    -> !tensoraccess.access<? | 2xf32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<? | 2xf32> -> tensor<?x2xf32>
  return %3 : tensor<?x2xf32>
}

// CONCAT: access-faults.mlir:[[#@LINE+6]]:8: {{.*}}tensoraccess.concat{{:|' op}} dimension 1 of all concat operands must be equal, got 5 and 4
func.func @concat(%x: tensor<3x5xf32>, %y: tensor<3x4xf32>) -> tensor<6x?xf32> {
  %a = tensor.cast %x : tensor<3x5xf32> to tensor<3x?xf32>
  %b = tensor.cast %y : tensor<3x4xf32> to tensor<3x?xf32>
  %0 = tensoraccess.access %a at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  %1 = tensoraccess.access %b at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  %2 = tensoraccess.concat %0, %1 axis 0
     : !tensoraccess.access<3 | ?xf32>, !tensoraccess.access<3 | ?xf32>
    -> !tensoraccess.access<6 | ?xf32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<6 | ?xf32> -> tensor<6x?xf32>
  return %3 : tensor<6x?xf32>
}

// SLICE: access-faults.mlir:[[#@LINE+4]]:8: {{.*}}tensoraccess.slice{{:|' op}} slice of dimension 0 must stay inside [0, 7), got places 1 to 9
func.func @slice(%x: tensor<7xf32>) -> tensor<5xf32> {
  %a = tensor.cast %x : tensor<7xf32> to tensor<?xf32>
  %0 = tensoraccess.access %a at 0 : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.slice %0 offsets = [1] sizes = [5] strides = [2]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| 5xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| 5xf32> -> tensor<5xf32>
  return %2 : tensor<5xf32>
}

// WRAP: access-faults.mlir:[[#@LINE+4]]:8: {{.*}}tensoraccess.slice{{:|' op}} slice of dimension 0 must take nothing from an empty dimension, got size 5
func.func @wrap(%x: tensor<0xf32>) -> tensor<5xf32> {
  %a = tensor.cast %x : tensor<0xf32> to tensor<?xf32>
  %0 = tensoraccess.access %a at 0 : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.slice %0 offsets = [1] sizes = [5]
       oob = [wrap]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| 5xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| 5xf32> -> tensor<5xf32>
  return %2 : tensor<5xf32>
}

// WINDOWS: access-faults.mlir:[[#@LINE+4]]:8: {{.*}}tensoraccess.windows{{:|' op}} window of 9 with stride 1 and dilation 1 does not fit in compute dimension 0 of size 7
func.func @windows(%x: tensor<7xf32>) -> tensor<?x9xf32> {
  %a = tensor.cast %x : tensor<7xf32> to tensor<?xf32>
  %0 = tensoraccess.access %a at 0 : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.windows %0 shape = [9] strides = [1]
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<? | 9xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<? | 9xf32> -> tensor<?x9xf32>
  return %2 : tensor<?x9xf32>
}

// RESHAPE: access-faults.mlir:[[#@LINE+4]]:8: {{.*}}tensoraccess.reshape{{:|' op}} compute shapes must have equally many elements, got [7] and [
func.func @reshape(%x: tensor<7xf32>) -> tensor<2x?xf32> {
  %a = tensor.cast %x : tensor<7xf32> to tensor<?xf32>
  %0 = tensoraccess.access %a at 0 : tensor<?xf32> -> !tensoraccess.access<| ?xf32>
  %1 = tensoraccess.reshape %0
     : !tensoraccess.access<| ?xf32> -> !tensoraccess.access<| 2x?xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| 2x?xf32> -> tensor<2x?xf32>
  return %2 : tensor<2x?xf32>
}

// The result's type has the 4 that one side knows; the other side is 5.
// PRODUCT: access-faults.mlir:[[#@LINE+5]]:8: {{.*}}tensoraccess.cart_prod{{:|' op}} compute shapes must be equal, got [5] and [4]
func.func @cart_prod(%x: tensor<3x5xf32>, %y: tensor<2x4xf32>) -> tensor<3x2x2x4xf32> {
  %a = tensor.cast %x : tensor<3x5xf32> to tensor<3x?xf32>
  %0 = tensoraccess.access %a at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  %1 = tensoraccess.access %y at 1 : tensor<2x4xf32> -> !tensoraccess.access<2 | 4xf32>
  %2 = tensoraccess.cart_prod %0, %1
     : !tensoraccess.access<3 | ?xf32>, !tensoraccess.access<2 | 4xf32>
    -> !tensoraccess.access<3x2 | 2x4xf32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3x2 | 2x4xf32> -> tensor<3x2x2x4xf32>
  return %3 : tensor<3x2x2x4xf32>
}

// MAX: access-faults.mlir:[[#@LINE+4]]:8: {{.*}}tensoraccess.compute{{:|' op}} reduce_max needs a non-empty item, got compute shape [0]
func.func @reduce_max(%x: tensor<3x0xf32>) -> tensor<3xf32> {
  %a = tensor.cast %x : tensor<3x0xf32> to tensor<3x?xf32>
  %0 = tensoraccess.access %a at 1 : tensor<3x?xf32> -> !tensoraccess.access<3 | ?xf32>
  %1 = tensoraccess.compute reduce_max %0 : !tensoraccess.access<3 | ?xf32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// TUPLE: access-faults.mlir:[[#@LINE+4]]:8: {{.*}}tensoraccess.compute{{:|' op}} the tuple must not be empty, got compute shape [0x2]
func.func @tuple(%x: tensor<3x0x2xf32>) -> tensor<3xf32> {
  %a = tensor.cast %x : tensor<3x0x2xf32> to tensor<3x?x2xf32>
  %0 = tensoraccess.access %a at 1 : tensor<3x?x2xf32> -> !tensoraccess.access<3 | ?x2xf32>
  %1 = tensoraccess.compute dot_prod %0 : !tensoraccess.access<3 | ?x2xf32> -> !tensoraccess.access<3 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<3 | f32> -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// BLOCKED: access-faults.mlir:[[#@LINE+5]]:8: {{.*}}tensoraccess.systolic_array{{:|' op}} blocked weights must have shape [5x7], got [4x7]
func.func @blocked_array(%x: tensor<3x5xf32>, %w: tensor<4x7xf32>) -> tensor<3x7xf32> {
  %a = tensor.cast %w : tensor<4x7xf32> to tensor<?x7xf32>
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %a at 0 : tensor<?x7xf32> -> !tensoraccess.access<| ?x7xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 2 cols = 4 blocked
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| ?x7xf32>
    -> !tensoraccess.access<3x7 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3x7 | f32> -> tensor<3x7xf32>
  return %3 : tensor<3x7xf32>
}

// ARRAY: access-faults.mlir:[[#@LINE+5]]:8: {{.*}}tensoraccess.systolic_array{{:|' op}} weights must be one item of shape [5x7], got [ | 4x7]
func.func @systolic_array(%x: tensor<3x5xf32>, %w: tensor<4x7xf32>) -> tensor<3x7xf32> {
  %a = tensor.cast %w : tensor<4x7xf32> to tensor<?x7xf32>
  %0 = tensoraccess.access %x at 1 : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %a at 0 : tensor<?x7xf32> -> !tensoraccess.access<| ?x7xf32>
  %2 = tensoraccess.systolic_array %0, %1 rows = 5 cols = 7
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<| ?x7xf32>
    -> !tensoraccess.access<3x7 | f32>
  %3 = tensoraccess.to_tensor %2 : !tensoraccess.access<3x7 | f32> -> tensor<3x7xf32>
  return %3 : tensor<3x7xf32>
}

// DIVISION: access-faults.mlir:[[#@LINE+4]]:8: {{.*}}tensoraccess.compute{{:|' op}} division by zero of integers
func.func @division() -> tensor<2xi32> {
  %x = arith.constant dense<[[1, 2], [3, 0]]> : tensor<2x2xi32>
  %0 = tensoraccess.access %x at 0 : tensor<2x2xi32> -> !tensoraccess.access<| 2x2xi32>
  %1 = tensoraccess.compute elementwise_div %0 : !tensoraccess.access<| 2x2xi32> -> !tensoraccess.access<| 2xi32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<| 2xi32> -> tensor<2xi32>
  return %2 : tensor<2xi32>
}

// ACCELERATOR: access-faults.mlir:[[#@LINE+2]]:8: {{.*}}tensoraccess.accelerator_call{{:|' op}} there is no functional model of accelerator 'nobody'
func.func @accelerator() -> tensor<2xi32> {
  %0 = tensoraccess.accelerator_call "nobody"() : () -> !tensoraccess.access<2 | i32>
  %1 = tensoraccess.to_tensor %0 : !tensoraccess.access<2 | i32> -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
