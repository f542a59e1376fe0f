// Layouts of every kind: `*`, tiles that don't divide the tile before, tails,
// more tiles than dimensions, bits that are the element's. What is a nest of
// digits has twins of ops; elsewhere ops are wrapped.
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts | FileCheck %s
// RUN: tensoraccess-opt %s --symbol-privatize=exclude=main --symbol-dce --tensoraccess-materialize-layouts=way=steps -o %t.mlir
// RUN: tensoraccess-run %t.mlir --entry=main --inputs=random:1 --dynamic-sizes=7 --compare=%s | FileCheck %s --check-prefix=SAME
// RUN: tensoraccess-run %s --entry=main --inputs=random:1 --dynamic-sizes=7 --compare=interpret | FileCheck %s --check-prefix=SAME
// SAME-COUNT-5: equal, bit for bit

// CHECK: func.func private @combined(tensor<2x8xf32>)
func.func private @combined(tensor<4x4xf32, #tensoraccess.layout<{1,0:T(*,8)}>>)
// CHECK: func.func private @tail(tensor<64xf32>)
func.func private @tail(tensor<4x4xf32, #tensoraccess.layout<{1,0:L(64)}>>)
// CHECK: func.func private @odd(tensor<2x1x3x4x3x1xf32>)
func.func private @odd(tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)}>>)
// CHECK: func.func private @more(tensor<1x3x8x4xf32>)
func.func private @more(tensor<9xf32, #tensoraccess.layout<{0:T(8,4)}>>)
// CHECK: func.func private @bits(tensor<4x4xf32>)
func.func private @bits(tensor<4x4xf32, #tensoraccess.layout<{1,0:E(32)}>>)
// CHECK: func.func private @dynamic(tensor<?x8xf32>, tensor<?x1x128xf32>)
func.func private @dynamic(tensor<?x16xf32, #tensoraccess.layout<{1,0:T(*,8)}>>, tensor<?x100xf32, #tensoraccess.layout<{1,0:T(128)}>>)

// A tile of merged dimensions that falls on their digits.
// CHECK-LABEL: @combine(
// CHECK-SAME: tensor<2x8xf32>
// CHECK: arith.negf {{.*}} : tensor<4x4xf32>
func.func @combine(%x: tensor<4x4xf32, #tensoraccess.layout<{1,0:T(*,8)}>>) -> tensor<4x4xf32, #tensoraccess.layout<{1,0:T(*,8)}>> {
  %0 = arith.negf %x : tensor<4x4xf32, #tensoraccess.layout<{1,0:T(*,8)}>>
  return %0 : tensor<4x4xf32, #tensoraccess.layout<{1,0:T(*,8)}>>
}

// CHECK-LABEL: @wrapped(
// CHECK-SAME: tensor<2x1x3x4x3x1xf32>) -> tensor<1000xf32>
// CHECK: %[[N:.*]] = arith.negf %{{.*}} : tensor<9x4xf32>
// CHECK: tensor.pad {{.*}} high[928]
func.func @wrapped(%x: tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)}>>) -> tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)L(1000)}>> {
  %0 = arith.negf %x : tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)}>>
  %1 = tensoraccess.relayout %0 : tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)}>> to tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)L(1000)}>>
  return %1 : tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)L(1000)}>>
}

// Constants are packed while compiling, whatever the layout.
// CHECK-LABEL: @constant(
// CHECK{LITERAL}: arith.constant dense<[[[1.000000e+00, 3.000000e+00], [2.000000e+00, 0.000000e+00]], [[4.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]]>
// CHECK-NOT: linalg
// CHECK: return
func.func @constant() -> tensor<2x2xf32, #tensoraccess.layout<{0,1:T(*,3)(2)}>> {
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = tensoraccess.relayout %c : tensor<2x2xf32> to tensor<2x2xf32, #tensoraccess.layout<{0,1:T(*,3)(2)}>>
  return %0 : tensor<2x2xf32, #tensoraccess.layout<{0,1:T(*,3)(2)}>>
}

func.func @main(%x: tensor<9x4xf32>, %y: tensor<?x4xf32>, %z: tensor<2x7x3xbf16>)
    -> (tensor<9x4xf32>, tensor<4x?xf32>, index, tensor<21x2xf32>, tensor<3x14xbf16>) {
  %c0 = arith.constant 0 : index
  %0 = tensoraccess.relayout %x : tensor<9x4xf32> to tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)L(1000)}>>
  %1 = math.absf %0 : tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)L(1000)}>>
  %2 = tensoraccess.relayout %1 : tensor<9x4xf32, #tensoraccess.layout<{1,0:T(8,4)(3,1)L(1000)}>> to tensor<9x4xf32>
  %3 = tensoraccess.relayout %y : tensor<?x4xf32> to tensor<?x4xf32, #tensoraccess.layout<{1,0:T(*,6)L(5)}>>
  %4 = arith.negf %3 : tensor<?x4xf32, #tensoraccess.layout<{1,0:T(*,6)L(5)}>>
  %n = tensor.dim %4, %c0 : tensor<?x4xf32, #tensoraccess.layout<{1,0:T(*,6)L(5)}>>
  %5 = tensoraccess.relayout %4 permutation = [1, 0] : tensor<?x4xf32, #tensoraccess.layout<{1,0:T(*,6)L(5)}>> to tensor<4x?xf32, #tensoraccess.layout<{0,1:T(3,3)(2,2)}>>
  %6 = tensoraccess.relayout %5 : tensor<4x?xf32, #tensoraccess.layout<{0,1:T(3,3)(2,2)}>> to tensor<4x?xf32>
  %7 = tensoraccess.relayout %z permutation = [2, 1, 0] : tensor<2x7x3xbf16> to tensor<21x2xf32, #tensoraccess.layout<{1,0:T(*,5)}>>
  %8 = tensoraccess.relayout %7 : tensor<21x2xf32, #tensoraccess.layout<{1,0:T(*,5)}>> to tensor<21x2xf32>
  %9 = tensoraccess.relayout %7 permutation = [1, 0] : tensor<21x2xf32, #tensoraccess.layout<{1,0:T(*,5)}>> to tensor<3x14xbf16, #tensoraccess.layout<{0,1:T(*,4)L(3)}>>
  %10 = tensoraccess.relayout %9 : tensor<3x14xbf16, #tensoraccess.layout<{0,1:T(*,4)L(3)}>> to tensor<3x14xbf16>
  return %2, %6, %n, %8, %10 : tensor<9x4xf32>, tensor<4x?xf32>, index, tensor<21x2xf32>, tensor<3x14xbf16>
}
