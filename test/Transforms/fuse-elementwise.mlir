// RUN: tensoraccess-opt %s --tensoraccess-fuse-elementwise --split-input-file \
// RUN:   | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Values that several ops of one loop read are computed once, and not stored.
// CHECK-LABEL: @shared
func.func @shared(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  // CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x5xf32>)
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT: %[[A:.*]] = arith.addf %[[X]], %[[X]]
  // CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[X]]
  // CHECK-NEXT: %[[C:.*]] = arith.subf %[[B]], %[[A]]
  // CHECK-NEXT: linalg.yield %[[C]]
  // CHECK-NOT: linalg.generic
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  %1 = linalg.mul ins(%0, %x : tensor<3x5xf32>, tensor<3x5xf32>)
                  outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = linalg.sub ins(%1, %0 : tensor<3x5xf32>, tensor<3x5xf32>)
                  outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// What is read from outside, too, is a result of its own.
// CHECK-LABEL: @two_results
func.func @two_results(%x: tensor<3x5xf32>)
    -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %e = tensor.empty() : tensor<3x5xf32>
  // CHECK: %[[R:.*]]:2 = linalg.generic
  // CHECK: %[[A:.*]] = math.exp
  // CHECK: %[[B:.*]] = arith.negf %[[A]]
  // CHECK: linalg.yield %[[A]], %[[B]]
  // CHECK: return %[[R]]#0, %[[R]]#1
  %0 = linalg.exp ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>)
      -> tensor<3x5xf32>
  %1 = linalg.negf ins(%0 : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>)
      -> tensor<3x5xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
}

// -----

// The product reads %0 before %2 could be made along with it.
// CHECK-LABEL: @read_between
func.func @read_between(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = tensor.empty() : tensor<3x3xf32>
  // CHECK: math.exp
  // CHECK: linalg.matmul
  // CHECK: arith.addf
  // CHECK-NEXT: linalg.yield
  %0 = linalg.exp ins(%x : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>)
      -> tensor<3x3xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<3x3xf32>, tensor<3x3xf32>)
                     outs(%x : tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = linalg.add ins(%0, %1 : tensor<3x3xf32>, tensor<3x3xf32>)
                  outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %2 : tensor<3x3xf32>
}

// -----

// Other ops may lie between: what makes the operands comes down.
// CHECK-LABEL: @past_others
func.func @past_others(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = tensor.empty() : tensor<3x3xf32>
  // CHECK: linalg.matmul
  // CHECK: math.exp
  // CHECK-NEXT: arith.addf
  %0 = linalg.exp ins(%x : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>)
      -> tensor<3x3xf32>
  %1 = linalg.matmul ins(%x, %x : tensor<3x3xf32>, tensor<3x3xf32>)
                     outs(%x : tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = linalg.add ins(%0, %1 : tensor<3x3xf32>, tensor<3x3xf32>)
                  outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %2 : tensor<3x3xf32>
}

// -----

// x + xᵀ needs two elements of x at each point: exp is not computed twice, but
// the transpose is read through.
// CHECK-LABEL: @two_points
func.func @two_points(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %e = tensor.empty() : tensor<3x3xf32>
  // CHECK: %[[X:.*]] = linalg.generic
  // CHECK: math.exp
  // CHECK: linalg.generic {{.*}} ins(%[[X]], %[[X]]
  // CHECK-NOT: linalg.
  // CHECK: arith.addf
  %0 = linalg.exp ins(%x : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>)
      -> tensor<3x3xf32>
  %1 = linalg.transpose ins(%0 : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>)
      permutation = [1, 0]
  %2 = linalg.add ins(%0, %1 : tensor<3x3xf32>, tensor<3x3xf32>)
                  outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  return %2 : tensor<3x3xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// Through a transpose the loops of one are those of the other in another order,
// also where the body asks for them: at (i, j) of the result, 10 j + i.
// CHECK-DAG: #[[TR:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: @transposed
func.func @transposed(%x: tensor<3x5xi32>) -> tensor<5x3xi32> {
  %c10 = arith.constant 10 : index
  %e = tensor.empty() : tensor<3x5xi32>
  %f = tensor.empty() : tensor<5x3xi32>
  // CHECK: linalg.generic {indexing_maps = [#[[TR]], {{.*}}]
  // CHECK-DAG: %[[I:.*]] = linalg.index 1
  // CHECK-DAG: %[[J:.*]] = linalg.index 0
  // CHECK: arith.muli %[[I]], %c10
  // CHECK: -> tensor<5x3xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xi32>) outs(%e : tensor<3x5xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %i10 = arith.muli %i, %c10 : index
    %s = arith.addi %i10, %j : index
    %c = arith.index_cast %s : index to i32
    %t = arith.addi %c, %a : i32
    linalg.yield %t : i32
  } -> tensor<3x5xi32>
  %1 = linalg.transpose ins(%0 : tensor<3x5xi32>)
      outs(%f : tensor<5x3xi32>) permutation = [1, 0]
  %2 = linalg.add ins(%1, %1 : tensor<5x3xi32>, tensor<5x3xi32>)
                  outs(%f : tensor<5x3xi32>) -> tensor<5x3xi32>
  return %2 : tensor<5x3xi32>
}

// -----

// A result along other dimensions than the one that is read from outside would
// be written by columns: they stay apart.
// CHECK-LABEL: @written_otherwise
func.func @written_otherwise(%x: tensor<3x5xf32>)
    -> (tensor<3x5xf32>, tensor<5x3xf32>) {
  %e = tensor.empty() : tensor<3x5xf32>
  %f = tensor.empty() : tensor<5x3xf32>
  // CHECK: math.exp
  // CHECK-NEXT: linalg.yield
  // CHECK: arith.negf
  %0 = linalg.exp ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>)
      -> tensor<3x5xf32>
  %1 = linalg.transpose ins(%0 : tensor<3x5xf32>)
      outs(%f : tensor<5x3xf32>) permutation = [1, 0]
  %2 = linalg.negf ins(%1 : tensor<5x3xf32>) outs(%f : tensor<5x3xf32>)
      -> tensor<5x3xf32>
  return %0, %2 : tensor<3x5xf32>, tensor<5x3xf32>
}

// -----

// Broadcasts, fills and constants are read through by everybody.
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: @moves
// CHECK-SAME: %[[X:.*]]: tensor<3x5xf32>, %[[B:.*]]: tensor<5xf32>, %[[S:.*]]: f32
func.func @moves(%x: tensor<3x5xf32>, %b: tensor<5xf32>, %s: f32)
    -> (tensor<3x5xf32>, tensor<5x3xf32>) {
  %e = tensor.empty() : tensor<3x5xf32>
  %f = tensor.empty() : tensor<5x3xf32>
  %c = arith.constant dense<2.0> : tensor<3x5xf32>
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2.0{{.*}} : f32
  // CHECK-NOT: linalg.fill
  // CHECK: linalg.generic {{.*}} ins(%[[X]], %[[B]]
  // CHECK: arith.addf
  // CHECK: arith.mulf %{{.*}}, %[[TWO]]
  // CHECK: arith.subf %{{.*}}, %[[S]]
  // CHECK: linalg.generic {{.*}} ins(%[[B]] : tensor<5xf32>)
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: math.exp
  %fill = linalg.fill ins(%s : f32) outs(%e : tensor<3x5xf32>)
      -> tensor<3x5xf32>
  %0 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<3x5xf32>)
      dimensions = [0]
  %1 = linalg.add ins(%x, %0 : tensor<3x5xf32>, tensor<3x5xf32>)
                  outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = linalg.mul ins(%1, %c : tensor<3x5xf32>, tensor<3x5xf32>)
                  outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %3 = linalg.sub ins(%2, %fill : tensor<3x5xf32>, tensor<3x5xf32>)
                  outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %4 = linalg.transpose ins(%0 : tensor<3x5xf32>) outs(%f : tensor<5x3xf32>)
      permutation = [1, 0]
  %5 = linalg.exp ins(%4 : tensor<5x3xf32>) outs(%f : tensor<5x3xf32>)
      -> tensor<5x3xf32>
  return %3, %5 : tensor<3x5xf32>, tensor<5x3xf32>
}

// -----

// A row is not computed again for each row of what it is added to.
// CHECK-LABEL: @row
func.func @row(%x: tensor<3x5xf32>, %b: tensor<5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %r = tensor.empty() : tensor<5xf32>
  // CHECK: math.exp
  // CHECK-NEXT: linalg.yield
  // CHECK: arith.addf
  %0 = linalg.exp ins(%b : tensor<5xf32>) outs(%r : tensor<5xf32>)
      -> tensor<5xf32>
  %1 = linalg.broadcast ins(%0 : tensor<5xf32>) outs(%e : tensor<3x5xf32>)
      dimensions = [0]
  %2 = linalg.add ins(%x, %1 : tensor<3x5xf32>, tensor<3x5xf32>)
                  outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// Nor is what is made before a loop made again in it.
// CHECK-LABEL: @before_a_loop
func.func @before_a_loop(%x: tensor<5xf32>, %n: index) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<5xf32>
  // CHECK: math.exp
  // CHECK: scf.for
  // CHECK: arith.addf
  %0 = linalg.exp ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>)
      -> tensor<5xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<5xf32> {
    %2 = linalg.add ins(%a, %0 : tensor<5xf32>, tensor<5xf32>)
                    outs(%e : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %2 : tensor<5xf32>
  }
  return %1 : tensor<5xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What a body reads by itself was made before its loops began.
// CHECK-LABEL: @captured
func.func @captured(%x: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<5xf32>
  // CHECK: %[[E:.*]] = linalg.generic
  // CHECK: math.exp
  // CHECK-NEXT: linalg.yield
  // CHECK: tensor.extract %[[E]]
  %0 = linalg.exp ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>)
      -> tensor<5xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%0 : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %first = tensor.extract %0[%c0] : tensor<5xf32>
    %s = arith.addf %a, %first : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// Sizes that are not known are taken of what was there before the group, and a
// destination that is read stays one.
// CHECK-LABEL: @dynamic
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %[[ACC:.*]]: tensor<?xf32>
func.func @dynamic(%x: tensor<?xf32>, %acc: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>) {
  // CHECK: %[[D:.*]] = tensor.dim %[[X]]
  // CHECK: %[[E:.*]] = tensor.empty(%[[D]])
  // CHECK: linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[E]], %[[ACC]]
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>)
      -> tensor<?xf32>
  %1 = linalg.negf ins(%0 : tensor<?xf32>) outs(%0 : tensor<?xf32>)
      -> tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%1 : tensor<?xf32>) outs(%acc : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %1, %2 : tensor<?xf32>, tensor<?xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// An encoding is part of the type of an empty destination, too.
// CHECK-LABEL: @encoding
func.func @encoding(%a: tensor<4xf32, "e">) -> tensor<4xf32, "e"> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32, "e">
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32, "e">
  // CHECK: linalg.generic {{.*}} outs(%[[E]] : tensor<4xf32, "e">)
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32, "e">)
      -> tensor<4xf32, "e">
  %1 = linalg.generic {indexing_maps = [#id, #id],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<4xf32, "e">) outs(%0 : tensor<4xf32, "e">) {
  ^bb0(%x: f32, %o: f32):
    %2 = arith.addf %x, %x : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32, "e">
  return %1 : tensor<4xf32, "e">
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A sum reads the elements that it is of, not their maker's operands; a fill it
// takes as a scalar, where its loops are known without it.
// CHECK-LABEL: @sum
func.func @sum(%x: tensor<3x5xf32>, %s: f32) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %r = tensor.empty() : tensor<3xf32>
  // CHECK: %[[E:.*]] = linalg.generic
  // CHECK: math.exp
  // CHECK: %[[F:.*]] = linalg.fill
  // CHECK: linalg.generic {{.*}} ins(%[[E]] : tensor<3x5xf32>) outs(%[[F]]
  // CHECK: arith.mulf %{{.*}}, %arg1
  %0 = linalg.exp ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>)
      -> tensor<3x5xf32>
  %1 = linalg.fill ins(%s : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = linalg.fill ins(%s : f32) outs(%r : tensor<3xf32>) -> tensor<3xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #row],
                       iterator_types = ["parallel", "reduction"]}
      ins(%0, %1 : tensor<3x5xf32>, tensor<3x5xf32>)
      outs(%2 : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<3xf32>
  return %3 : tensor<3xf32>
}

// -----

// A sum that is only transposed writes its result so; the other operand of the next
// sum is read where its terms lie beside each other, not through the transposition.
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: @transposed_sum
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<80x7xf32>, %[[X:[a-z0-9]+]]: tensor<70x7xf32>, %[[V:[a-z0-9]+]]: tensor<80x9xf32>
// CHECK: %[[F:.*]] = linalg.fill {{.*}} -> tensor<70x80xf32>
// CHECK: %[[Y:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[OUT]]]{{.*}} outs(%[[F]] : tensor<70x80xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]], #{{.*}}, #{{.*}}]{{.*}} ins(%[[Y]], %[[V]] :
func.func @transposed_sum(%w: tensor<80x7xf32>, %x: tensor<70x7xf32>,
                          %v: tensor<80x9xf32>, %o: tensor<70x9xf32>)
    -> (tensor<70x9xf32>, tensor<70x80xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<80x70xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<80x70xf32>) -> tensor<80x70xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                       affine_map<(m, n, k) -> (n, k)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<80x7xf32>, tensor<70x7xf32>)
      outs(%f : tensor<80x70xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<80x70xf32>
  %g = tensor.empty() : tensor<70x80xf32>
  %1 = linalg.transpose ins(%0 : tensor<80x70xf32>) outs(%g : tensor<70x80xf32>)
       permutation = [1, 0]
  %h = tensor.empty() : tensor<80x70xf32>
  %2 = linalg.transpose ins(%1 : tensor<70x80xf32>) outs(%h : tensor<80x70xf32>)
       permutation = [1, 0]
  %3 = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                       affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%2, %v : tensor<80x70xf32>, tensor<80x9xf32>)
      outs(%o : tensor<70x9xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<70x9xf32>
  return %3, %1 : tensor<70x9xf32>, tensor<70x80xf32>
}

// -----

// Not to fewer columns than there were, nor where the sum is read by others, too.
// CHECK-LABEL: @few_columns
// CHECK: outs(%{{.*}} : tensor<10x70xf32>)
// CHECK-LABEL: @other_reader
// CHECK: outs(%{{.*}} : tensor<80x70xf32>)
#in = affine_map<(d0, d1, d2) -> (d0, d2)>
#by = affine_map<(d0, d1, d2) -> (d1, d2)>
#to = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @few_columns(%w: tensor<10x7xf32>, %x: tensor<70x7xf32>) -> tensor<70x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x70xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x70xf32>) -> tensor<10x70xf32>
  %0 = linalg.generic {indexing_maps = [#in, #by, #to], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<10x7xf32>, tensor<70x7xf32>) outs(%f : tensor<10x70xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<10x70xf32>
  %g = tensor.empty() : tensor<70x10xf32>
  %1 = linalg.transpose ins(%0 : tensor<10x70xf32>) outs(%g : tensor<70x10xf32>) permutation = [1, 0]
  return %1 : tensor<70x10xf32>
}
func.func @other_reader(%w: tensor<80x7xf32>, %x: tensor<70x7xf32>)
    -> (tensor<80x70xf32>, tensor<70x80xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<80x70xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<80x70xf32>) -> tensor<80x70xf32>
  %0 = linalg.generic {indexing_maps = [#in, #by, #to], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<80x7xf32>, tensor<70x7xf32>) outs(%f : tensor<80x70xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<80x70xf32>
  %g = tensor.empty() : tensor<70x80xf32>
  %1 = linalg.transpose ins(%0 : tensor<80x70xf32>) outs(%g : tensor<70x80xf32>) permutation = [1, 0]
  return %0, %1 : tensor<80x70xf32>, tensor<70x80xf32>
}

// -----

// A dimension of size 1 that is summed over is in no operand but what is broadcast,
// so that the sum goes on reading that.
// CHECK-LABEL: func @sum_of_broadcast_unit
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%arg0 :
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "reduction"]} ins(%[[B]] :
func.func @sum_of_broadcast_unit(%x: tensor<2x3xi64>, %e: tensor<3x1x2xi64>, %i: tensor<3xi64>)
    -> tensor<3xi64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>,
                       affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x3xi64>) outs(%e : tensor<3x1x2xi64>) {
  ^bb0(%a: i64, %b: i64):
    linalg.yield %a : i64
  } -> tensor<3x1x2xi64>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>,
                       affine_map<(d0, d1, d2) -> (d0)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%0 : tensor<3x1x2xi64>) outs(%i : tensor<3xi64>) {
  ^bb0(%a: i64, %b: i64):
    %2 = arith.addi %a, %b : i64
    linalg.yield %2 : i64
  } -> tensor<3xi64>
  return %1 : tensor<3xi64>
}

// -----

// A depthwise convolution is read by channels: written by columns of the image, each
// would be gathered anew.
// CHECK-LABEL: @depthwise
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: -> tensor<64x64x8xf32>
// CHECK: linalg.generic
// CHECK: -> tensor<8x64x64xf32>
func.func @depthwise(%x: tensor<66x66x8xf32>, %w: tensor<3x3x8xf32>)
    -> tensor<8x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64x8xf32>)
      -> tensor<64x64x8xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(h, w, c, i, j) -> (h + i, w + j, c)>,
                       affine_map<(h, w, c, i, j) -> (i, j, c)>,
                       affine_map<(h, w, c, i, j) -> (h, w, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction",
                        "reduction"]}
      ins(%x, %w : tensor<66x66x8xf32>, tensor<3x3x8xf32>)
      outs(%fill : tensor<64x64x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<64x64x8xf32>
  %out = tensor.empty() : tensor<8x64x64xf32>
  %t = linalg.transpose ins(%sum : tensor<64x64x8xf32>)
      outs(%out : tensor<8x64x64xf32>) permutation = [2, 0, 1]
  return %t : tensor<8x64x64xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// What is left of a mean is computed again by the sum of its squares, each with two
// roundings as before, and by what divides it.
// CHECK-LABEL: @again
// CHECK: linalg.fill
// CHECK-NEXT: linalg.generic {{.*}}"reduction"]} ins(%arg0, %arg1
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[D:.*]] = arith.subf
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[D]], %[[D]] fastmath<arcp>
// CHECK-NEXT: arith.addf %{{.*}}, %[[S]] : f32
// CHECK: linalg.generic {{.*}}"parallel"]} ins(%arg0, %arg1, %{{.*}} : tensor<8x5xf32>, tensor<8xf32>, tensor<8xf32>)
// CHECK: arith.subf
// CHECK: arith.divf
// CHECK-NOT: linalg.generic
func.func @again(%x: tensor<8x5xf32>, %mean: tensor<8xf32>) -> tensor<8x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x5xf32>
  %d, %s = linalg.generic {indexing_maps = [#ij, #i, #ij, #ij],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<8x5xf32>, tensor<8xf32>)
      outs(%e, %e : tensor<8x5xf32>, tensor<8x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %q: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.mulf %0, %0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<8x5xf32>, tensor<8x5xf32>)
  %r = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#ij, #i],
      iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<8x5xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#ij, #i, #ij],
      iterator_types = ["parallel", "parallel"]}
      ins(%d, %v : tensor<8x5xf32>, tensor<8xf32>) outs(%e : tensor<8x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// Not what is stored in any case, what reads two tensors, what takes long, or what
// the largest is taken of.
// CHECK-LABEL: @once
// CHECK: arith.mulf
// CHECK-NEXT: linalg.yield
// CHECK: arith.subf
// CHECK-NEXT: linalg.yield
// CHECK: math.exp
// CHECK-NEXT: linalg.yield
// CHECK: arith.negf
// CHECK-NEXT: linalg.yield
func.func @once(%x: tensor<8x5xf32>, %z: tensor<8x5xf32>, %r: tensor<8xf32>)
    -> (tensor<8x5xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8x5xf32>
  %squares = linalg.generic {indexing_maps = [#ij, #ij],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x5xf32>) outs(%e : tensor<8x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8x5xf32>
  %s = linalg.reduce { arith.addf } ins(%squares : tensor<8x5xf32>)
      outs(%r : tensor<8xf32>) dimensions = [1]
  %d = linalg.sub ins(%x, %z : tensor<8x5xf32>, tensor<8x5xf32>)
      outs(%e : tensor<8x5xf32>) -> tensor<8x5xf32>
  %t = linalg.generic {indexing_maps = [#ij, #i],
      iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<8x5xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %p = linalg.exp ins(%x : tensor<8x5xf32>) outs(%e : tensor<8x5xf32>)
      -> tensor<8x5xf32>
  %u = linalg.generic {indexing_maps = [#ij, #i],
      iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<8x5xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %n = linalg.negf ins(%x : tensor<8x5xf32>) outs(%e : tensor<8x5xf32>)
      -> tensor<8x5xf32>
  %m = linalg.generic {indexing_maps = [#ij, #i],
      iterator_types = ["parallel", "reduction"]}
      ins(%n : tensor<8x5xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.maximumf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %squares, %s, %t, %u, %m : tensor<8x5xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// A difference beside its exponential is not stored, either.
// CHECK-LABEL: @beside
// CHECK: arith.subf
// CHECK-NEXT: math.exp
// CHECK-NEXT: linalg.yield %{{[^,]*}} : f32
// CHECK: linalg.generic {{.*}}"reduction"
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1, %{{.*}} : tensor<8x5xf32>, tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.subf
// CHECK-NEXT: arith.subf
// CHECK-NEXT: linalg.yield
func.func @beside(%x: tensor<8x5xf32>, %most: tensor<8xf32>, %r: tensor<8xf32>)
    -> tensor<8x5xf32> {
  %e = tensor.empty() : tensor<8x5xf32>
  %d, %p = linalg.generic {indexing_maps = [#ij, #i, #ij, #ij],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %most : tensor<8x5xf32>, tensor<8xf32>)
      outs(%e, %e : tensor<8x5xf32>, tensor<8x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %q: f32):
    %0 = arith.subf %a, %b : f32
    %1 = math.exp %0 : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<8x5xf32>, tensor<8x5xf32>)
  %s = linalg.generic {indexing_maps = [#ij, #i],
      iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<8x5xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#ij, #i, #ij],
      iterator_types = ["parallel", "parallel"]}
      ins(%d, %s : tensor<8x5xf32>, tensor<8xf32>) outs(%e : tensor<8x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}
