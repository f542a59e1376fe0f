// Ops that upstream folds or lowers wrongly, written as others; once is enough.

// RUN: tensoraccess-opt %s --tensoraccess-guard-folds | FileCheck %s
// RUN: tensoraccess-opt %s --tensoraccess-guard-folds --tensoraccess-guard-folds \
// RUN:   | FileCheck %s

// CHECK-LABEL: func @index
// CHECK-NOT: index.
// CHECK: arith.constant -3 : index
// CHECK: arith.constant true
// CHECK: arith.floordivsi
// CHECK: arith.ceildivui
// CHECK: arith.maxui
// CHECK: arith.shrsi
// CHECK: arith.index_castui %{{.*}} : index to i16
// CHECK: arith.cmpi sge
func.func @index(%x: index, %y: index) -> (index, i1, index, index, index, index, i16, i1) {
  %0 = index.constant -3
  %1 = index.bool.constant true
  %2 = index.floordivs %x, %y
  %3 = index.ceildivu %x, %y
  %4 = index.maxu %x, %y
  %5 = index.shrs %x, %y
  %6 = index.castu %x : index to i16
  %7 = index.cmp sge(%x, %y)
  return %0, %1, %2, %3, %4, %5, %6, %7
    : index, i1, index, index, index, index, i16, i1
}

// arith has no integers with a sign of their own.
// CHECK-LABEL: func @sign
// CHECK: index.castu %{{.*}} : index to ui8
func.func @sign(%x: index) -> ui8 {
  %0 = index.castu %x : index to ui8
  return %0 : ui8
}

// CHECK-LABEL: func @promises
// CHECK-NOT: {{overflow|exact}}
func.func @promises(%x: vector<4xi8>, %y: i8) -> (vector<4xi8>, i8, i8) {
  %0 = arith.muli %x, %x overflow<nsw, nuw> : vector<4xi8>
  %1 = arith.shli %y, %y overflow<nsw> : i8
  %2 = arith.divsi %y, %y exact : i8
  return %0, %1, %2 : vector<4xi8>, i8, i8
}

// f8E5M2 has infinity and NaN.
// CHECK-LABEL: func @floats
// CHECK: arith.extf %arg0 : vector<2xf6E3M2FN> to vector<2xf32>
// CHECK: %[[P:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK: %[[NAN:.*]] = arith.constant dense<-0.000000e+00> : vector<2xf32>
// CHECK: %[[K:.*]] = arith.select %{{.*}}, %[[P]], %[[NAN]]
// CHECK: %[[MOST:.*]] = arith.constant dense<2.800000e+01> : vector<2xf32>
// CHECK: %[[LOW:.*]] = arith.minimumf %[[K]], %[[MOST]]
// CHECK: %[[LEAST:.*]] = arith.constant dense<-2.800000e+01> : vector<2xf32>
// CHECK: %[[IN:.*]] = arith.maximumf %[[LOW]], %[[LEAST]]
// CHECK: arith.truncf %[[IN]] : vector<2xf32> to vector<2xf6E3M2FN>
// CHECK-NOT: arith.minimumf
// CHECK: arith.addf %arg1, %arg1 : f8E5M2
func.func @floats(%x: vector<2xf6E3M2FN>, %y: f8E5M2) -> (vector<2xf6E3M2FN>, f8E5M2) {
  %0 = arith.mulf %x, %x fastmath<ninf> : vector<2xf6E3M2FN>
  %1 = arith.addf %y, %y : f8E5M2
  return %0, %1 : vector<2xf6E3M2FN>, f8E5M2
}

// Of an unknown size there are no constants.
// CHECK-LABEL: func @unknown_size
// CHECK-NEXT: arith.truncf %arg0
// CHECK-NEXT: arith.addf
// CHECK-NEXT: return
func.func @unknown_size(%x: tensor<?xf32>) -> tensor<?xf4E2M1FN> {
  %0 = arith.truncf %x : tensor<?xf32> to tensor<?xf4E2M1FN>
  %1 = arith.addf %0, %0 : tensor<?xf4E2M1FN>
  return %1 : tensor<?xf4E2M1FN>
}

// CHECK-LABEL: func @switch
// CHECK: %[[C2:.*]] = arith.constant 2 : index
// CHECK: %[[IS2:.*]] = arith.cmpi eq, %arg0, %[[C2]] : index
// CHECK: scf.if %[[IS2]] -> (i8)
// CHECK: else
// CHECK: arith.constant -5 : index
// CHECK: scf.if
// CHECK: scf.yield %arg1
// CHECK: else
// CHECK: scf.yield %arg2
// CHECK-NOT: index_switch
func.func @switch(%x: index, %a: i8, %b: i8) -> i8 {
  %0 = scf.index_switch %x -> i8
  case 2 {
    %1 = arith.addi %a, %b : i8
    scf.yield %1 : i8
  }
  case -5 {
    scf.yield %a : i8
  }
  default {
    scf.yield %b : i8
  }
  return %0 : i8
}

// CHECK-LABEL: func @no_results
// CHECK: scf.if
// CHECK: memref.store
func.func @no_results(%x: index, %m: memref<1xi8>, %v: i8) {
  %c0 = arith.constant 0 : index
  scf.index_switch %x
  case 1 {
    memref.store %v, %m[%c0] : memref<1xi8>
    scf.yield
  }
  default {
  }
  return
}

// CHECK-LABEL: func @no_cases
// CHECK-NEXT: %[[S:.*]] = arith.addi
// CHECK-NEXT: return %[[S]]
func.func @no_cases(%x: index) -> index {
  %0 = scf.index_switch %x -> index
  default {
    %1 = arith.addi %x, %x : index
    scf.yield %1 : index
  }
  return %0 : index
}

// CHECK-LABEL: func @slice
// CHECK: vector.extract_strided_slice %arg0 {offsets = [1, 0, 0], sizes = [2, 4, 5], strides = [1, 1, 1]}
func.func @slice(%x: vector<3x4x5xi8>) -> vector<2x4x5xi8> {
  %0 = vector.extract_strided_slice %x {offsets = [1], sizes = [2], strides = [1]}
     : vector<3x4x5xi8> to vector<2x4x5xi8>
  return %0 : vector<2x4x5xi8>
}

// x is 1, with its sign, where x and y are 0.
// CHECK-LABEL: func @atan2
// CHECK-SAME: (%[[Y:.*]]: vector<4xf16>, %[[X:.*]]: vector<4xf16>)
// CHECK: %[[BOTH:.*]] = arith.andi
// CHECK: %[[ONE:.*]] = math.copysign %{{.*}}, %[[X]]
// CHECK: %[[OTHER:.*]] = arith.select %[[BOTH]], %[[ONE]], %[[X]]
// CHECK-NOT: arith.select
// CHECK: math.atan2 %[[Y]], %[[OTHER]]
func.func @atan2(%y: vector<4xf16>, %x: vector<4xf16>) -> vector<4xf16> {
  %0 = math.atan2 %y, %x : vector<4xf16>
  return %0 : vector<4xf16>
}

// CHECK-LABEL: func @atan2_of_unknown_size
// CHECK-NEXT: math.atan2
// CHECK-NEXT: return
func.func @atan2_of_unknown_size(%y: tensor<?xf16>, %x: tensor<?xf16>)
    -> tensor<?xf16> {
  %0 = math.atan2 %y, %x : tensor<?xf16>
  return %0 : tensor<?xf16>
}

// What may be 0 itself does not keep x from it.
// CHECK-LABEL: func @atan2_of_choice
// CHECK-COUNT-2: arith.select
// CHECK-NOT: arith.select
func.func @atan2_of_choice(%y: vector<2xf32>, %x: vector<2xf32>) -> vector<2xf32> {
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %some = arith.constant dense<[0.0, 1.0]> : vector<2xf32>
  %isZero = arith.cmpf oeq, %y, %zero : vector<2xf32>
  %chosen = arith.select %isZero, %some, %x : vector<2xi1>, vector<2xf32>
  %0 = math.atan2 %y, %chosen : vector<2xf32>
  return %0 : vector<2xf32>
}

// Two buffers of a tensor are two, if they may be written to.
// CHECK-LABEL: func @buffers
// CHECK: %[[X:.*]] = bufferization.alloc_tensor() copy(%arg0) : tensor<3xi32>
// CHECK: bufferization.to_buffer %[[X]]
// CHECK: %[[Y:.*]] = bufferization.alloc_tensor() copy(%arg0) : tensor<3xi32>
// CHECK: bufferization.to_buffer %[[Y]]
// CHECK: bufferization.to_buffer %arg0 read_only
func.func @buffers(%x: tensor<3xi32>) -> (memref<3xi32>, memref<3xi32>, memref<3xi32>) {
  %0 = bufferization.to_buffer %x : tensor<3xi32> to memref<3xi32>
  %1 = bufferization.to_buffer %x : tensor<3xi32> to memref<3xi32>
  %2 = bufferization.to_buffer %x read_only : tensor<3xi32> to memref<3xi32>
  return %0, %1, %2 : memref<3xi32>, memref<3xi32>, memref<3xi32>
}
