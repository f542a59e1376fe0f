// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-hoist-panels=target=x86-64-v4 | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-hoist-panels=target=x86-64-v4 --tensoraccess-hoist-panels=target=x86-64-v4 | FileCheck %s
// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-dot-products=target=znver4 --tensoraccess-hoist-panels=target=znver4 | FileCheck %s --check-prefix=DOT
// RUN: not tensoraccess-opt %s --split-input-file --tensoraccess-hoist-panels=target=nope 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: unknown target 'nope'

// Rows that are summed along themselves; 100 columns fill two panels of 64.
// CHECK: #[[PACK:.*]] = affine_map<(d0, d1, d2) -> (d0 * 64 + d2, d1)>
// CHECK: #[[READ:.*]] = affine_map<(d0, d1) -> (d0 floordiv 64, d1, d0 mod 64)>
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[W:.*]]: tensor<100x100xf32>
// CHECK: %[[Q:.*]] = tensor.pad %[[W]] low[0, 0] high[28, 0]
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[PACK]], #{{.*}}]{{.*}} ins(%[[Q]] :
// CHECK: scf.while
// CHECK: linalg.generic {indexing_maps = [#[[READ]], #{{.*}}, #{{.*}}]{{.*}} ins(%[[P]], %{{.*}} : tensor<2x100x64xf32>
func.func @rows(%w: tensor<100x100xf32>, %start: tensor<100xf32>, %n: index)
    -> tensor<100xf32> {
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.while (%i = %first, %h = %start)
      : (index, tensor<100xf32>) -> (index, tensor<100xf32>) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i, %h : index, tensor<100xf32>
  } do {
  ^bb0(%i: index, %h: tensor<100xf32>):
    %e = tensor.empty() : tensor<100xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<100xf32>) -> tensor<100xf32>
    %y = linalg.matvec ins(%w, %h : tensor<100x100xf32>, tensor<100xf32>)
         outs(%f : tensor<100xf32>) -> tensor<100xf32>
    %next = arith.addi %i, %one : index
    scf.yield %next, %y : index, tensor<100xf32>
  }
  return %r#1 : tensor<100xf32>
}

// -----

// Columns of few rows; what the body computes of the tensor alone moves, too, out of
// both loops; bf16 is extended once.
// CHECK-LABEL: func.func @nested
// CHECK: %[[B:.*]] = linalg.transpose ins(%{{.*}} : tensor<80x96xbf16>)
// CHECK: tensor.pad %[[B]] low[0, 0] high[0, 16]
// CHECK: arith.extf
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: arith.extf
// CHECK: ins(%{{.*}}, %{{.*}} : tensor<3x96xf32>, tensor<2x96x48xf32>)
func.func @nested(%w: tensor<80x96xbf16>, %x: tensor<3x96xf32>,
                  %start: tensor<3x80xf32>, %n: index) -> tensor<3x80xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %start)
      -> (tensor<3x80xf32>) {
    %e = tensor.empty() : tensor<96x80xbf16>
    %t = linalg.transpose ins(%w : tensor<80x96xbf16>)
         outs(%e : tensor<96x80xbf16>) permutation = [1, 0]
    %s = scf.for %j = %zero to %n step %one iter_args(%b = %a)
        -> (tensor<3x80xf32>) {
      %y = linalg.generic {
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                           affine_map<(m, n, k) -> (k, n)>,
                           affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %t : tensor<3x96xf32>, tensor<96x80xbf16>)
          outs(%b : tensor<3x80xf32>) {
      ^bb0(%p: f32, %q: bf16, %out: f32):
        %c = arith.extf %q : bf16 to f32
        %d = arith.mulf %p, %c : f32
        %g = arith.addf %out, %d : f32
        linalg.yield %g : f32
      } -> tensor<3x80xf32>
      scf.yield %y : tensor<3x80xf32>
    }
    scf.yield %s : tensor<3x80xf32>
  }
  return %r : tensor<3x80xf32>
}

// -----

// What the outer loop makes stays in it; what a loop's state, its number or a read
// that may fault are in stays in the loop; so does what a branch may not run, and what
// seven trips read.
// CHECK-LABEL: func.func @outer
// CHECK: scf.for
// CHECK: %[[P:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x48x48xf32>)
// CHECK: scf.for
// CHECK: ins(%[[P]], %{{.*}} : tensor<1x48x48xf32>, tensor<48xf32>)
func.func @outer(%w: tensor<48x48xf32>, %start: tensor<48xf32>, %n: index)
    -> (tensor<48xf32>, tensor<48x48xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %start, %v = %w)
      -> (tensor<48xf32>, tensor<48x48xf32>) {
    %s = scf.for %j = %zero to %n step %one iter_args(%b = %a)
        -> (tensor<48xf32>) {
      %y = linalg.matvec ins(%v, %b : tensor<48x48xf32>, tensor<48xf32>)
           outs(%a : tensor<48xf32>) -> tensor<48xf32>
      scf.yield %y : tensor<48xf32>
    }
    %u = tensor.insert_slice %s into %v[%i, 0] [1, 48] [1, 1]
         : tensor<48xf32> into tensor<48x48xf32>
    scf.yield %s, %u : tensor<48xf32>, tensor<48x48xf32>
  }
  return %r#0, %r#1 : tensor<48xf32>, tensor<48x48xf32>
}

// CHECK-LABEL: func.func @depends
// CHECK-NOT: floordiv
// CHECK-NOT: 1x48x48xf32
// CHECK: return
func.func @depends(%w: tensor<9x48x48xf32>, %start: tensor<48xf32>, %n: index,
                   %c: i1) -> tensor<48xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %v = tensor.extract_slice %w[2, 0, 0] [1, 48, 48] [1, 1, 1]
       : tensor<9x48x48xf32> to tensor<48x48xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %start)
      -> (tensor<48xf32>) {
    %u = tensor.extract_slice %w[%i, 0, 0] [1, 48, 48] [1, 1, 1]
         : tensor<9x48x48xf32> to tensor<48x48xf32>
    %y = linalg.matvec ins(%u, %a : tensor<48x48xf32>, tensor<48xf32>)
         outs(%start : tensor<48xf32>) -> tensor<48xf32>
    %g = tensor.generate {
    ^bb0(%p: index, %q: index):
      %x = tensor.extract %w[%n, %p, %q] : tensor<9x48x48xf32>
      tensor.yield %x : f32
    } : tensor<48x48xf32>
    %z = linalg.matvec ins(%g, %y : tensor<48x48xf32>, tensor<48xf32>)
         outs(%start : tensor<48xf32>) -> tensor<48xf32>
    %m = scf.if %c -> tensor<48xf32> {
      %t = linalg.matvec ins(%v, %z : tensor<48x48xf32>, tensor<48xf32>)
           outs(%start : tensor<48xf32>) -> tensor<48xf32>
      scf.yield %t : tensor<48xf32>
    } else {
      scf.yield %z : tensor<48xf32>
    }
    scf.yield %m : tensor<48xf32>
  }
  %s = scf.for %i = %zero to %seven step %one iter_args(%a = %r)
      -> (tensor<48xf32>) {
    %y = linalg.matvec ins(%v, %a : tensor<48x48xf32>, tensor<48xf32>)
         outs(%start : tensor<48xf32>) -> tensor<48xf32>
    scf.yield %y : tensor<48xf32>
  }
  return %s : tensor<48xf32>
}

// -----

// f16 has panels of 128, f64 of 32, what has unknown sizes has none.
// CHECK-LABEL: func.func @types
// CHECK: tensor<1x100x128xf16>
// CHECK: tensor<4x100x32xf64>
// CHECK: scf.for
// CHECK: linalg.matvec ins(%{{.*}}, %{{.*}} : tensor<?x100xf32>
func.func @types(%a: tensor<100x100xf16>, %b: tensor<100x100xf64>,
                 %c: tensor<?x100xf32>, %x: tensor<100xf16>, %y: tensor<100xf64>,
                 %z: tensor<?xf32>, %k: tensor<100xf32>, %n: index)
    -> (tensor<100xf16>, tensor<100xf64>, tensor<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one
      iter_args(%p = %x, %q = %y, %o = %z)
      -> (tensor<100xf16>, tensor<100xf64>, tensor<?xf32>) {
    %1 = linalg.matvec ins(%a, %p : tensor<100x100xf16>, tensor<100xf16>)
         outs(%x : tensor<100xf16>) -> tensor<100xf16>
    %2 = linalg.matvec ins(%b, %q : tensor<100x100xf64>, tensor<100xf64>)
         outs(%y : tensor<100xf64>) -> tensor<100xf64>
    %3 = linalg.matvec ins(%c, %k : tensor<?x100xf32>, tensor<100xf32>)
         outs(%o : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1, %2, %3 : tensor<100xf16>, tensor<100xf64>, tensor<?xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<100xf16>, tensor<100xf64>, tensor<?xf32>
}

// -----

// Dot products have panels already, which move as they are.
// DOT-LABEL: func.func @bytes
// DOT: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x64x64x4xi8>)
// DOT: scf.for
// DOT-NOT: outs(%{{.*}} : tensor<2x64x64x4xi8>)
// DOT: ins(%{{.*}}, %{{.*}} : tensor<60x256xi8>, tensor<2x64x64x4xi8>)
func.func @bytes(%x: tensor<60x256xi8>, %w: tensor<256x100xi8>,
                 %start: tensor<60x100xi32>, %n: index) -> tensor<60x100xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %start)
      -> (tensor<60x100xi32>) {
    %z = linalg.matmul ins(%x, %w : tensor<60x256xi8>, tensor<256x100xi8>)
         outs(%y : tensor<60x100xi32>) -> tensor<60x100xi32>
    scf.yield %z : tensor<60x100xi32>
  }
  return %r : tensor<60x100xi32>
}
