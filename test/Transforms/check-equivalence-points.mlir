// The loops have 2^65 points, which no walk ends: what they mean is not known.
// RUN: tensoraccess-opt %s --remarks-filter=tensoraccess -o /dev/null --tensoraccess-check-equivalence="function=f other=g method=prove" 2>&1 | FileCheck %s

// CHECK: equivalence {{.*}}Verdict=unknown
#a = affine_map<(i,j,k,l,m) -> (i)>
#b = affine_map<(i,j,k,l,m) -> (j)>
#c = affine_map<(i,j,k,l,m) -> (k)>
#d = affine_map<(i,j,k,l,m) -> (l)>
#e = affine_map<(i,j,k,l,m) -> (m)>
func.func @f(%x: tensor<8192xi32>, %o: tensor<8192xi32>) -> tensor<8192xi32> {
  %r = linalg.generic {indexing_maps=[#a,#b,#c,#d,#e,#a], iterator_types=["parallel","reduction","reduction","reduction","reduction"]}
    ins(%x,%x,%x,%x,%x : tensor<8192xi32>,tensor<8192xi32>,tensor<8192xi32>,tensor<8192xi32>,tensor<8192xi32>) outs(%o: tensor<8192xi32>) {
  ^bb0(%p: i32,%q: i32,%s: i32,%t: i32,%u: i32,%w: i32):
    %y = arith.addi %p, %w : i32
    linalg.yield %y : i32
  } -> tensor<8192xi32>
  return %r : tensor<8192xi32>
}
func.func @g(%x: tensor<8192xi32>, %o: tensor<8192xi32>) -> tensor<8192xi32> {
  return %o : tensor<8192xi32>
}
