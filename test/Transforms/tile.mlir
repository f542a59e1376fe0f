// RUN: tensoraccess-opt %s --tensoraccess-tile=sizes=2,4 | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-tile=sizes=2,4 --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tensoraccess-opt %s --tensoraccess-tile="sizes=2,4 fuse=none" | FileCheck %s --check-prefix=NONE
// RUN: tensoraccess-opt %s --tensoraccess-tile="sizes=2,4 fuse=all" --remarks-filter=tensoraccess --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=ALL

// An elementwise producer is fused; each of its elements is computed once.
// CHECK-LABEL: @chain
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: scf.for
// CHECK: math.exp
// CHECK: linalg.transpose
// NONE-LABEL: @chain
// NONE: math.exp
// NONE: scf.for
// REMARK: [Passed] tile | Category:tensoraccess | Function=chain | Recompute={{1(.0*)?(e.00)?}}, Remark="linalg.generic is fused", SliceIsTile={{1|true}}
// REMARK: [Passed] tile | Category:tensoraccess | Function=chain | Remark="linalg.transpose is tiled", Tiles=6
func.func @chain(%x: tensor<8x6xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %exp = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<8x6xf32>
  %o = tensor.empty() : tensor<6x8xf32>
  %t = linalg.transpose ins(%exp : tensor<8x6xf32>) outs(%o : tensor<6x8xf32>)
         permutation = [1, 0]
  return %t : tensor<6x8xf32>
}

// The rows of a matmul's left operand are needed for each tile of columns: a
// producer of it would be computed three times.
// REMARK: [Missed] tile | Category:tensoraccess | Function=recompute | {{.*}}Recompute={{3(.0*)?(e.00)?}}, Remark="linalg.exp is not fused: it would be computed too often"
// ALL: [Passed] tile | Category:tensoraccess | Function=recompute | Recompute={{3(.0*)?(e.00)?}}, Remark="linalg.exp is fused"
func.func @recompute(%a: tensor<8x5xf32>, %b: tensor<5x12xf32>,
                     %c: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %e = tensor.empty() : tensor<8x5xf32>
  %exp = linalg.exp ins(%a : tensor<8x5xf32>) outs(%e : tensor<8x5xf32>)
           -> tensor<8x5xf32>
  %r = linalg.matmul ins(%exp, %b : tensor<8x5xf32>, tensor<5x12xf32>)
                     outs(%c : tensor<8x12xf32>) -> tensor<8x12xf32>
  return %r : tensor<8x12xf32>
}

// What cannot be tiled stays, with a remark.
// REMARK: [Missed] tile | Category:tensoraccess | Function=unknown | {{.*}}Reason="it does not implement TilingInterface", Remark="no.such is not tiled"
// CHECK-LABEL: @unknown
// CHECK-NEXT: "no.such"
func.func @unknown(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %0 = "no.such"(%x) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}

// Elementwise ops on tensors become linalg.generic first.
// CHECK-LABEL: @elementwise
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.addf
// REMARK: [Passed] tile | Category:tensoraccess | Function=elementwise | {{.*}}Remark="linalg.generic is fused"
// REMARK: [Passed] tile | Category:tensoraccess | Function=elementwise | Remark="linalg.generic is tiled", Tiles=12
func.func @elementwise(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %e = math.exp %x : tensor<8x12xf32>
  %r = arith.addf %e, %x : tensor<8x12xf32>
  return %r : tensor<8x12xf32>
}

// What other dialects have to become first is said.
// REMARK: [Missed] tile | Category:tensoraccess | Function=tosa | {{.*}}Reason="it does not implement TilingInterface, lower tosa to linalg first", Remark="tosa.exp is not tiled"
func.func @tosa(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %0 = tosa.exp %x : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}

// REMARK: [Missed] tile | Category:tensoraccess | Function=hlo | {{.*}}Reason="it does not implement TilingInterface, lower stablehlo to linalg first", Remark="stablehlo.exponential is not tiled"
func.func @hlo(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %0 = "stablehlo.exponential"(%x) : (tensor<8x12xf32>) -> tensor<8x12xf32>
  return %0 : tensor<8x12xf32>
}

// Branches are not followed.
// REMARK: [Missed] tile | Category:tensoraccess | Function=branches | {{.*}}Reason="it has 3 blocks; only one can be tiled", Remark="func.func is not tiled"
func.func @branches(%c: i1, %x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %e = math.exp %x : tensor<8x12xf32>
  return %e : tensor<8x12xf32>
^b:
  return %x : tensor<8x12xf32>
}

// A loop over nothing is not tiled, of a result or of what it reads.
// REMARK: [Missed] tile | Category:tensoraccess | Function=nothing | {{.*}}Reason="one of its loops has no iterations", Remark="linalg.generic is not tiled"
// REMARK: [Missed] tile | Category:tensoraccess | Function=nothing_summed | Remark="linalg.matmul is not fused: one of its loops has no iterations"
// CHECK-LABEL: @nothing_summed
// CHECK: linalg.matmul
// CHECK: scf.for
func.func @nothing(%x: tensor<28x0xf32>) -> tensor<28x0xf32> {
  %0 = math.exp %x : tensor<28x0xf32>
  return %0 : tensor<28x0xf32>
}
func.func @nothing_summed(%a: tensor<8x0xf32>, %b: tensor<0x12xf32>, %c: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x0xf32>, tensor<0x12xf32>) outs(%c : tensor<8x12xf32>) -> tensor<8x12xf32>
  %1 = math.exp %0 : tensor<8x12xf32>
  return %1 : tensor<8x12xf32>
}

// A strided layout holds for one shape, so that no slice has it.
// REMARK: [Missed] tile | Category:tensoraccess | Function=strided | {{.*}}Reason="slices of its tensors don't have their encodings", Remark="linalg.generic is not tiled"
// CHECK-LABEL: @strided
// CHECK-NOT: scf.for
func.func @strided(%x: tensor<4x8xf32, #tensoraccess.strided<(4,8):(10,1)>>)
    -> tensor<4x8xf32, #tensoraccess.strided<(4,8):(10,1)>> {
  %0 = arith.addf %x, %x : tensor<4x8xf32, #tensoraccess.strided<(4,8):(10,1)>>
  return %0 : tensor<4x8xf32, #tensoraccess.strided<(4,8):(10,1)>>
}
