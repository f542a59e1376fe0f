// Programs of scf, index and vector, compiled and interpreted.
// RUN: tensoraccess-run %s --entry=loops --inputs=random:3 --compare=interpret | FileCheck %s --check-prefix=LOOPS
// RUN: tensoraccess-run %s --entry=indices --inputs=random:4 --compare=interpret | FileCheck %s --check-prefix=INDICES
// RUN: tensoraccess-run %s --entry=vectors --inputs=random:5 --compare=interpret | FileCheck %s --check-prefix=VECTORS
// RUN: tensoraccess-run %s --entry=composite --inputs=random:6 --compare=interpret | FileCheck %s --check-prefix=COMPOSITE
// LOOPS-COUNT-2: equal, bit for bit
// INDICES: equal, bit for bit
// VECTORS-COUNT-3: equal, bit for bit
// COMPOSITE: equal, bit for bit

// Slices that iterations of a parallel loop write, and a sum over all
// iterations.
func.func @loops(%a: tensor<7x5xi32>, %o: tensor<7x5xi32>) -> (tensor<7x5xi32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %start = arith.constant 11 : i32
  %0 = scf.forall (%i) in (7) shared_outs(%t = %o) -> (tensor<7x5xi32>) {
    %x = tensor.extract_slice %a[%i, 0] [1, 5] [1, 1] : tensor<7x5xi32> to tensor<1x5xi32>
    %y = tensor.extract_slice %t[%i, 0] [1, 5] [1, 1] : tensor<7x5xi32> to tensor<1x5xi32>
    %z = arith.muli %x, %y : tensor<1x5xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %t[%i, 0] [1, 5] [1, 1] : tensor<1x5xi32> into tensor<7x5xi32>
    }
  }
  %1 = scf.parallel (%i, %j) = (%c1, %c0) to (%c7, %c5) step (%c2, %c1) init (%start) -> i32 {
    %x = tensor.extract %0[%i, %j] : tensor<7x5xi32>
    scf.reduce(%x : i32) {
    ^bb0(%p: i32, %q: i32):
      %s = arith.addi %p, %q : i32
      scf.reduce.return %s : i32
    }
  }
  %2 = tensor.from_elements %1 : tensor<i32>
  return %0, %2 : tensor<7x5xi32>, tensor<i32>
}

func.func @indices(%a: tensor<9xi32>) -> tensor<9xi64> {
  %c3 = index.constant 3
  %c5 = index.constant 5
  %0 = tensor.generate {
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<9xi32>
    %0 = index.casts %x : i32 to index
    %1 = index.sub %0, %i
    %2 = index.ceildivs %1, %c3
    %3 = index.rems %1, %c5
    %4 = index.mul %2, %3
    %5 = index.shrs %4, %c3
    %6 = index.cmp ult(%5, %4)
    %7 = arith.select %6, %5, %4 : index
    %8 = index.maxs %7, %1
    %9 = index.casts %8 : index to i64
    tensor.yield %9 : i64
  } : tensor<9xi64>
  return %0 : tensor<9xi64>
}

// Reads past the end, sums, a product, and writes where a mask is set.
func.func @vectors(%a: tensor<6x5xi32>, %b: tensor<6x5xi32>, %n: tensor<i32>)
    -> (tensor<6x5xi32>, tensor<i32>, tensor<6x5xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %p = arith.constant 3 : i32
  %x = vector.transfer_read %a[%c2, %c0], %p {in_bounds = [false, true]} : tensor<6x5xi32>, vector<6x5xi32>
  %y = vector.transfer_read %b[%c0, %c0], %p {in_bounds = [true, true]} : tensor<6x5xi32>, vector<6x5xi32>
  %z = arith.addi %x, %y : vector<6x5xi32>
  %0 = vector.transfer_write %z, %b[%c0, %c0] {in_bounds = [true, true]} : vector<6x5xi32>, tensor<6x5xi32>
  %row = vector.extract %z[3] : vector<5xi32> from vector<6x5xi32>
  %r = vector.reduction <add>, %row, %p : vector<5xi32> into i32
  %1 = tensor.from_elements %r : tensor<i32>
  %m = vector.create_mask %c2 : vector<5xi1>
  %t = vector.transpose %z, [1, 0] : vector<6x5xi32> to vector<5x6xi32>
  %w = arith.constant dense<1> : vector<6x6xi32>
  %q = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"],
      kind = #vector.kind<add>} %z, %t, %w : vector<6x5xi32>, vector<5x6xi32> into vector<6x6xi32>
  %s = vector.extract_strided_slice %q {offsets = [0, 1], sizes = [6, 5], strides = [1, 1]}
     : vector<6x6xi32> to vector<6x5xi32>
  %last = vector.extract %s[5] : vector<5xi32> from vector<6x5xi32>
  %2 = vector.transfer_write %last, %a[%c2, %c0], %m {in_bounds = [true]} : vector<5xi32>, tensor<6x5xi32>
  return %0, %1, %2 : tensor<6x5xi32>, tensor<i32>, tensor<6x5xi32>
}

func.func private @decomposed(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.add"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @composite(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.composite"(%a) <{name = "my.op", decomposition = @decomposed, version = 1 : i32,
    composite_attributes = {n = 1 : i64}}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
