// A stack of two convolutions on four ranks, planned and drawn: the plan, the
// shards of the tensor that is exchanged, and the exchange. The pictures are
// those of docs/Sharding.md; after a change, make them anew by
//   tensoraccess-opt test/Export/shards.mlir --tensoraccess-plan-shards=grid=rows=2,cols=2 | tensoraccess-translate --plan-to-svg -o docs/images/plan.svg
// and likewise --shards-to-svg and --exchange-to-svg for shards.svg and
// exchange.svg.

// RUN: tensoraccess-opt %s --tensoraccess-plan-shards="grid=rows=2,cols=2" -o %t.mlir
// RUN: tensoraccess-translate --plan-to-svg %t.mlir | diff %S/../../docs/images/plan.svg -
// RUN: tensoraccess-translate --shards-to-svg %t.mlir | diff %S/../../docs/images/shards.svg -
// RUN: tensoraccess-translate --exchange-to-svg %t.mlir | diff %S/../../docs/images/exchange.svg -
// RUN: %python %S/check_svg.py %S/../../docs/images/plan.svg
// RUN: %python %S/check_svg.py %S/../../docs/images/shards.svg
// RUN: %python %S/check_svg.py %S/../../docs/images/exchange.svg

// Every operand and result that is a tensor: what a rank holds as it needs it
// (an argument), what is left where it is made, and what is not exchanged.
// RUN: tensoraccess-translate --shards-to-svg --shard-op=linalg.conv_2d_nhwc_hwcf --shard-operand=0 %t.mlir -o %t.image.svg
// RUN: %python %S/check_svg.py %t.image.svg
// RUN: FileCheck %s --check-prefix=IMAGE < %t.image.svg
// IMAGE: operand 0 of linalg.conv_2d_nhwc_hwcf
// IMAGE: each rank holds what it needs
// IMAGE: holds d1 [0, 12)
// RUN: tensoraccess-translate --shards-to-svg --shard-op=linalg.conv_2d_nhwc_hwcf#1 --shard-result=0 %t.mlir -o %t.result.svg
// RUN: %python %S/check_svg.py %t.result.svg
// RUN: FileCheck %s --check-prefix=RESULT < %t.result.svg
// RESULT: result 0 of linalg.conv_2d_nhwc_hwcf#1
// RESULT: has d1 [30, 40)

// Other costs: a core of a tenth of the speed.
// RUN: echo "machine slow op *: point = 2.5e-09 network mesh 1: bandwidth = 1.0e+10" > %t.costs
// RUN: tensoraccess-translate --plan-to-svg --shard-model=%t.costs %t.mlir | FileCheck %s --check-prefix=COSTS
// COSTS: 1.{{[0-9]+}} ms modelled

// RUN: not tensoraccess-translate --plan-to-svg %s 2>&1 | FileCheck %s --check-prefix=UNPLANNED
// UNPLANNED: error: no function here is planned: none has 'tensoraccess.grid'
// RUN: not tensoraccess-translate --plan-to-svg --shard-function=main %t.mlir 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: error: there is no function 'main'
// RUN: not tensoraccess-translate --plan-to-svg --shard-function=stack %s 2>&1 | FileCheck %s --check-prefix=GRID
// GRID: error: 'tensoraccess.grid' must give the grid
// RUN: not tensoraccess-translate --plan-to-svg --shard-function=outside %t.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: function 'outside' has no body to draw
// RUN: not tensoraccess-translate --shards-to-svg --shard-op=linalg.matmul %t.mlir 2>&1 | FileCheck %s --check-prefix=OP
// OP: error: no op 'linalg.matmul' in function 'stack'
// RUN: not tensoraccess-translate --shards-to-svg --shard-op=tensor.pad#1 %t.mlir 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: op 'tensor.pad' number 1 does not exist, function 'stack' has 1
// RUN: not tensoraccess-translate --shards-to-svg --shard-op=tensor.pad --shard-operand=7 %t.mlir 2>&1 | FileCheck %s --check-prefix=OPERAND
// OPERAND: error: op 'tensor.pad' has 1 operands, got operand 7
// RUN: not tensoraccess-translate --shards-to-svg --shard-op=tensor.pad --shard-operand=0 --shard-result=0 %t.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: name an operand or a result, not both
// RUN: not tensoraccess-translate --shards-to-svg --shard-result=0 %t.mlir 2>&1 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: error: name the op whose operand or result is meant
// RUN: not tensoraccess-translate --shards-to-svg --shard-op=linalg.fill --shard-operand=0 %t.mlir 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: operand 0 of op 'linalg.fill' is not a tensor
// RUN: not tensoraccess-translate --exchange-to-svg --shard-op=linalg.conv_2d_nhwc_hwcf --shard-operand=0 %t.mlir 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: error: operand 0 of linalg.conv_2d_nhwc_hwcf is not exchanged
// RUN: not tensoraccess-translate --shards-to-svg --shard-ranks=65 %t.mlir 2>&1 | FileCheck %s --check-prefix=RANKS
// RANKS: error: ranks that are drawn must be in [1, 64], got 65
// RUN: not tensoraccess-translate --plan-to-svg --shard-rows=9 %t.mlir 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: rows must be in [10, 1000], got 9
// RUN: not tensoraccess-translate --plan-to-svg --shard-model=%t.none %t.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: error: cannot read the costs '{{.*}}none'
// RUN: echo "op *" > %t.wrong
// RUN: not tensoraccess-translate --plan-to-svg --shard-model=%t.wrong %t.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: the costs '{{.*}}wrong' are wrong at byte {{[0-9]+}}

func.func @stack(%x: tensor<1x42x42x8xf32>, %w: tensor<3x3x8x8xf32>,
                 %v: tensor<3x3x8x8xf32>) -> tensor<1x40x40x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x40x40x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x40x40x8xf32>)
         -> tensor<1x40x40x8xf32>
  %0 = linalg.conv_2d_nhwc_hwcf
         ins(%x, %w : tensor<1x42x42x8xf32>, tensor<3x3x8x8xf32>)
         outs(%z : tensor<1x40x40x8xf32>) -> tensor<1x40x40x8xf32>
  %p = tensor.pad %0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x40x40x8xf32> to tensor<1x42x42x8xf32>
  %1 = linalg.conv_2d_nhwc_hwcf
         ins(%p, %v : tensor<1x42x42x8xf32>, tensor<3x3x8x8xf32>)
         outs(%z : tensor<1x40x40x8xf32>) -> tensor<1x40x40x8xf32>
  return %1 : tensor<1x40x40x8xf32>
}

func.func private @outside(tensor<3xf32>)
