// RUN: tensoraccess-opt %s --tensoraccess-simplify-indexing --mlir-print-local-scope | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-simplify-indexing --mlir-print-local-scope | tensoraccess-opt --tensoraccess-simplify-indexing --mlir-print-local-scope | FileCheck %s

// XLA's four worked simplifications (2 and 3 as its errata have them),
// nested in dictionaries and arrays.
// CHECK: module attributes {a.maps = [
module attributes {a.maps = [
  // CHECK-SAME: #tensoraccess.indexing_map<(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]>,
  #tensoraccess.indexing_map<(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), domain: d0 in [0, 6], d1 in [0, 14]>,
  // CHECK-SAME: {nested = #tensoraccess.indexing_map<(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]>},
  {nested = #tensoraccess.indexing_map<(d0, d1, d2) -> ((d0 * 100 + d1 * 10 + d2) floordiv 100, ((d0 * 100 + d1 * 10 + d2) mod 100) floordiv 10, d2 mod 10), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]>},
  // CHECK-SAME: #tensoraccess.indexing_map<(d0, d1, d2) -> (d0 * 2 + (d1 * 4 + d2) floordiv 8, (d1 * 4 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]>,
  #tensoraccess.indexing_map<(d0, d1, d2) -> ((d0 * 16 + d1 * 4 + d2) floordiv 8, (d0 * 16 + d1 * 4 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]>,
  // CHECK-SAME: #tensoraccess.indexing_map<(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 10]>,
  #tensoraccess.indexing_map<(d0, d1) -> (-((-(d0 * 11) - d1 + 109) floordiv 11) + 9), domain: d0 in [0, 9], d1 in [0, 10]>,
  // A symbol that no result needs goes; unknown and empty stay what they are.
  // CHECK-SAME: #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 9]>,
  #tensoraccess.indexing_map<(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 4]>,
  // CHECK-SAME: #tensoraccess.indexing_map<unknown>,
  #tensoraccess.indexing_map<unknown>,
  // CHECK-SAME: #tensoraccess.indexing_map<empty (d0) -> ({{.*}}), domain: d0 in [0, 63]>]
  #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 63], d0 mod 8 in [45, 49]>
]} {
  // CHECK: func.func private @f(tensor<3xf32, #tensoraccess.indexing_map<(d0) -> (d0), domain: d0 in [0, 2]>>)
  func.func private @f(tensor<3xf32, #tensoraccess.indexing_map<(d0) -> (d0 mod 8), domain: d0 in [0, 2]>>)
}
