// One rank's program, and options that do not fit the grid.
// RUN: tensoraccess-opt %s --tensoraccess-shard="rank=1 ranks=3" | FileCheck %s
// RUN: not tensoraccess-opt %s --tensoraccess-shard=ranks=4 2>&1 | FileCheck %s --check-prefix=RANKS
// RUN: not tensoraccess-opt %s --tensoraccess-shard=rank=3 2>&1 | FileCheck %s --check-prefix=RANK

// RANKS: error: is cut for 3 ranks (rows=3), not for 4
// RANK: error: rank must lie in [0, 3), got 3
// Of 7 rows the second of three ranks has 2 and 3; it needs 3 and 4.
// CHECK: module attributes {tensoraccess.ranks = 3 : i64}
// CHECK-NOT: @main_0
// CHECK: func.func @main_1(%[[X:.*]]: tensor<2x5xf32> {tensoraccess.shard = {offsets = array<i64: 2, 0>, shape = array<i64: 7, 5>}})
// CHECK-SAME: -> (tensor<2x5xf32> {tensoraccess.shard = {offsets = array<i64: 2, 0>, shape = array<i64: 6, 5>}})
// CHECK-SAME: attributes {tensoraccess.program = "main", tensoraccess.rank = 1 : i64}
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2x5xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[X]][1, 0] [1, 5] [1, 1]
// CHECK: %[[I:.*]] = tensor.insert_slice %[[S]] into %[[E]][0, 0] [1, 5] [1, 1]
// CHECK: %[[H:.*]] = tensoraccess.exchange %[[X]] into %[[I]] tag 0
// CHECK-SAME: send [0: [0, 0] x [1, 5]]
// CHECK-SAME: receive [2: [1, 0] x [1, 5]]
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[H]] : tensor<2x5xf32>)
// CHECK-NOT: @main_2
func.func @main(%x: tensor<7x5xf32>
      {tensoraccess.distribution = "{d0: rows}"}) -> tensor<6x5xf32>
    attributes {tensoraccess.grid = "rows=3"} {
  %e = tensor.empty() : tensor<6x5xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0 + 1, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<7x5xf32>) outs(%e : tensor<6x5xf32>)
      attrs = {tensoraccess.cut = "{d0: rows}"} {
  ^bb0(%a: f32, %out: f32):
    %1 = arith.negf %a : f32
    linalg.yield %1 : f32
  } -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}
