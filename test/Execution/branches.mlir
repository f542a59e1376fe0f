// Branches, and ops on indices, in the bodies of generate and generic: compiled
// and interpreted alike.
// RUN: tensoraccess-run %s --entry=edges --inputs=random:1 --dynamic-sizes=4 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=nested --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=tiles --inputs=random:1 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=back --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=maps --compare=interpret | FileCheck %s
// RUN: not tensoraccess-run %s --entry=outside --inputs=random:1 --engine=interpret 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not tensoraccess-run %s --entry=outside_index --engine=interpret 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: tensoraccess-opt %S/Inputs/padded-edges.mlir --tensoraccess-lower-to-linalg -o %t.mlir
// RUN: tensoraccess-run %t.mlir --inputs=random:1 --dynamic-sizes=3,5 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %t.mlir --inputs=random:1 --dynamic-sizes=3,5 --compare=%S/Inputs/padded-edges.mlir | FileCheck %s
// CHECK: compare 0  equal, bit for bit

#tiled = #tensoraccess.layout<{1,0:T(2,2)}>

// Only where the place lies inside is it read.
func.func @edges(%x: tensor<?xf32>) -> tensor<9xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %fill = arith.constant 7.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = tensor.generate {
  ^bb0(%i: index):
    %at = arith.subi %i, %c2 : index
    %low = arith.cmpi sge, %at, %c0 : index
    %high = arith.cmpi slt, %at, %n : index
    %inside = arith.andi %low, %high : i1
    %v = scf.if %inside -> (f32) {
      %e = tensor.extract %x[%at] : tensor<?xf32>
      scf.yield %e : f32
    } else {
      scf.yield %fill : f32
    }
    tensor.yield %v : f32
  } : tensor<9xf32>
  return %r : tensor<9xf32>
}

// A branch in a branch, with two results that change places, and one without.
func.func @nested(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %init = tensor.empty() : tensor<3x5xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xf32>) outs(%init : tensor<3x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 0 : index
    %double = arith.addf %a, %a : f32
    %positive = arith.cmpf ogt, %a, %zero : f32
    %p, %q = scf.if %positive -> (f32, f32) {
      %first = arith.cmpi slt, %i, %c1 : index
      %s, %t = scf.if %first -> (f32, f32) {
        %neg = arith.negf %a : f32
        scf.yield %neg, %double : f32, f32
      } else {
        scf.yield %double, %a : f32, f32
      }
      scf.yield %t, %s : f32, f32
    } else {
      %neg = arith.negf %double : f32
      scf.yield %zero, %neg : f32, f32
    }
    scf.if %positive {
      cf.assert %true, "never"
    }
    %d = arith.subf %p, %q : f32
    linalg.yield %d : f32
  } -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// The numbers of a matrix's elements in tiles.
func.func @tiles(%x: tensor<3x5xf32>) -> tensor<3x5xi64> {
  %r = tensor.generate {
  ^bb0(%i: index, %j: index):
    %n = tensoraccess.linearize %i, %j in #tiled of [3, 5]
    %v = arith.index_cast %n : index to i64
    tensor.yield %v : i64
  } : tensor<3x5xi64>
  return %r : tensor<3x5xi64>
}

// And back: padding has the number -1.
func.func @back() -> tensor<24xi64> {
  %none = arith.constant -1 : i64
  %c5 = arith.constant 5 : index
  %r = tensor.generate {
  ^bb0(%n: index):
    %i, %j, %inside = tensoraccess.delinearize %n in #tiled of [3, %c5]
    %v = scf.if %inside -> (i64) {
      %row = arith.muli %i, %c5 : index
      %sum = arith.addi %row, %j : index
      %w = arith.index_cast %sum : index to i64
      scf.yield %w : i64
    } else {
      scf.yield %none : i64
    }
    tensor.yield %v : i64
  } : tensor<24xi64>
  return %r : tensor<24xi64>
}

// floordiv, mod, minimum, maximum, product.
func.func @maps() -> tensor<10x4xi64> {
  %empty = tensor.empty() : tensor<10x4xi64>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<10x4xi64>) {
  ^bb0(%b: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %v:2 = tensoraccess.apply_indexing
      #tensoraccess.indexing_map<(d0)[s0]{rt0} -> (d0 floordiv 3 + s0 mod 2, min(d0 * s0, 7) + max(rt0, 5)), domain: d0 in [0, 9], s0 in [0, 3], rt0 in [0, 9]>(%i)[%j]{%i}
    %p = arith.muli %v#0, %v#1 : index
    %q = arith.index_cast %p : index to i64
    linalg.yield %q : i64
  } -> tensor<10x4xi64>
  return %r : tensor<10x4xi64>
}

// A fault in a branch is one of its op.
// OUTSIDE: 'tensor.extract' op index 3 of dimension 0 must lie in [0, 3)
func.func @outside(%x: tensor<3xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %r = tensor.generate {
  ^bb0(%i: index):
    %later = arith.cmpi sgt, %i, %c1 : index
    %v = scf.if %later -> (f32) {
      %e = tensor.extract %x[%i] : tensor<3xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    tensor.yield %v : f32
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// INDEX: 'tensoraccess.linearize' op index 1 must lie in [0, 5), got 5
func.func @outside_index() -> tensor<3x6xindex> {
  %r = tensor.generate {
  ^bb0(%i: index, %j: index):
    %n = tensoraccess.linearize %i, %j in #tiled of [3, 5]
    tensor.yield %n : index
  } : tensor<3x6xindex>
  return %r : tensor<3x6xindex>
}
