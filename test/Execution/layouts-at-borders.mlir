// Arguments and results with layouts: who runs the program gives and gets
// row-major tensors, in either engine.
// RUN: tensoraccess-run %s --entry=main --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=main --inputs=random:1 --engine=interpret --outputs=%t.0.npy,%t.1.npy,%t.2.npy,%t.3.npy
// RUN: tensoraccess-run %s --entry=main --inputs=random:1 --compare=%t.0.npy,%t.1.npy,%t.2.npy,%t.3.npy | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-materialize-layouts | FileCheck %s --check-prefix=MEMORY
// CHECK-COUNT-4: equal, bit for bit

// MEMORY: func.func @main(%{{.*}}: tensor<2x3x2x2xf32>, %{{.*}}: tensor<100xi8>) -> (tensor<3x3x2x1x4xf32>, tensor<2x2x4x128x2x1xbf16>, tensor<3x5xf32>, tensor<7x9xi8>)
func.func @main(%x: tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>, %y: tensor<7x9xi8, #tensoraccess.layout<{0,1:L(100)}>>)
    -> (tensor<5x3xf32, #tensoraccess.layout<{1,0:T(2,1)(4)}>>, tensor<10x140xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>,
        tensor<3x5xf32>, tensor<7x9xi8, #tensoraccess.layout<{1,0}>>) {
  %0 = tensoraccess.relayout %x permutation = [1, 0]
     : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<5x3xf32, #tensoraccess.layout<{1,0:T(2,1)(4)}>>
  %c = arith.constant dense<1.5> : tensor<10x140xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
  %1 = arith.negf %c : tensor<10x140xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>
  %2 = arith.addf %x, %x : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  %3 = tensoraccess.relayout %2 : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<3x5xf32>
  %4 = tensoraccess.relayout %y : tensor<7x9xi8, #tensoraccess.layout<{0,1:L(100)}>> to tensor<7x9xi8, #tensoraccess.layout<{1,0}>>
  return %0, %1, %3, %4 : tensor<5x3xf32, #tensoraccess.layout<{1,0:T(2,1)(4)}>>, tensor<10x140xbf16, #tensoraccess.layout<{1,0:T(8,128)(2,1)}>>,
    tensor<3x5xf32>, tensor<7x9xi8, #tensoraccess.layout<{1,0}>>
}
