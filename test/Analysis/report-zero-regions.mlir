// Slices that are known to be zero, by axis; a product needs finite values.
// RUN: tensoraccess-opt %s --tensoraccess-report=sections=zero-regions --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: remark: {{.*}} value | {{.*}}:zero-regions | Function=padded | Axis=0, Holds=always, Remark="%1 is zero at [0, 0] [4, 4] of axis 0", Size=5, Value=%1, ZeroSlices=2, Zeros="[0, 0] [4, 4]"
// CHECK: remark: {{.*}} value | {{.*}}Axis=0, Holds="if all values are finite", Remark="%4 is zero at [0, 0] [4, 4] of axis 0"
// CHECK: remark: {{.*}} value | {{.*}}Axis=0, Holds="if all values are finite", Remark="%5 is zero at [0, 0] [4, 4] of axis 0"
// CHECK-NOT: remark:
func.func @padded(%x: tensor<3x7xf32>, %y: tensor<5x7xf32>) -> tensor<5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x7xf32> -> !tensoraccess.access<3 | 7xf32>
  %1 = tensoraccess.pad %0 low = [1, 0] high = [1, 0] value = 0.0 : f32
     : !tensoraccess.access<3 | 7xf32> -> !tensoraccess.access<5 | 7xf32>
  %2 = tensoraccess.access %y at 1
     : tensor<5x7xf32> -> !tensoraccess.access<5 | 7xf32>
  %3 = tensoraccess.pair %1, %2
     : !tensoraccess.access<5 | 7xf32>, !tensoraccess.access<5 | 7xf32>
    -> !tensoraccess.access<5 | 2x7xf32>
  %4 = tensoraccess.compute dot_prod %3
     : !tensoraccess.access<5 | 2x7xf32> -> !tensoraccess.access<5 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<5 | f32> -> tensor<5xf32>
  return %5 : tensor<5xf32>
}

// An unknown size has no slices, and the other axis keeps its own.
// CHECK: remark: {{.*}} value | {{.*}}Function=unknown_rows | Axis=1, Holds=always, Remark="%1 is zero at [0, 0] [8, 8] of axis 1"
// CHECK: remark: {{.*}} value | {{.*}}Function=unknown_rows | Axis=1, Holds=always, Remark="%2 is zero at [0, 0] [8, 8] of axis 1"
// CHECK-NOT: remark:
func.func @unknown_rows(%x: tensor<?x7xf32>) -> tensor<?x9xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<?x7xf32> -> !tensoraccess.access<? | 7xf32>
  %1 = tensoraccess.pad %0 low = [0, 1] high = [0, 1] value = 0.0 : f32
     : !tensoraccess.access<? | 7xf32> -> !tensoraccess.access<? | 9xf32>
  %2 = tensoraccess.to_tensor %1
     : !tensoraccess.access<? | 9xf32> -> tensor<?x9xf32>
  return %2 : tensor<?x9xf32>
}

// Values in the body of a loop are values, too.
// CHECK: remark: {{.*}} value | {{.*}}Function=in_loop | Axis=0, Holds=always, Remark="%padded is zero at [0, 0] [4, 4] of axis 0"
// CHECK-NOT: remark:
func.func @in_loop(%x: tensor<3x7xf32>, %n: index) -> tensor<5x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<5x7xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %init)
      -> tensor<5x7xf32> {
    %padded = tensor.pad %x low[1, 0] high[1, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<3x7xf32> to tensor<5x7xf32>
    scf.yield %padded : tensor<5x7xf32>
  }
  return %r : tensor<5x7xf32>
}

// Slices of a padding along one axis, though not how much there is along the other.
// CHECK: remark: {{.*}} value | {{.*}}Function=pads | Axis=1, Holds=always, Remark="%padded is zero at [0, 0] [6, 7] of axis 1"
// CHECK-NOT: remark:
func.func @pads(%x: tensor<?x5xf32>, %n: index) -> tensor<?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[%n, 1] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x5xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// A sum of zeros is zero, a maximum of none of them is what it starts with.
// CHECK: remark: {{.*}} value | {{.*}}Function=reduced | Axis=1, {{.*}}Remark="%2 is zero at [0, 4] of axis 1"
// CHECK: remark: {{.*}} value | {{.*}}Function=reduced | Axis=0, {{.*}}Remark="%4 is zero at [0, 4] of axis 0"
// CHECK: remark: {{.*}} value | {{.*}}Function=reduced | Axis=0, {{.*}}Remark="%reduced_{{[0-9]}} is zero at [0, 4] of axis 0"
// CHECK-NOT: remark:
func.func @reduced(%n: index) -> (tensor<5xf32>, tensor<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %y = tensor.empty(%n) : tensor<?x5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%y : tensor<?x5xf32>) -> tensor<?x5xf32>
  %i = linalg.fill ins(%low : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %0 = linalg.reduce {arith.maximumf} ins(%zeros : tensor<?x5xf32>) outs(%i : tensor<5xf32>) dimensions = [0]
  %1 = linalg.reduce {arith.addf} ins(%zeros : tensor<?x5xf32>) outs(%s : tensor<5xf32>) dimensions = [0]
  return %0, %1 : tensor<5xf32>, tensor<5xf32>
}

// Ops of StableHLO, too: 0 times x, if x is finite.
// CHECK: remark: {{.*}} value | {{.*}}Function=hlo | Axis=0, Holds=always, Remark="%0 is zero at [0, 0] [3, 3] of axis 0"
// CHECK: remark: {{.*}} value | {{.*}}Function=hlo | Axis=0, Holds="if all values are finite", Remark="%1 is zero at [0, 0] [3, 3] of axis 0"
// CHECK-NOT: remark:
func.func @hlo(%x: tensor<2x3xf32>, %w: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  %1 = stablehlo.dot %0, %w : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}
