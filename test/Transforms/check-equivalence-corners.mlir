// Differences at the edge of what types hold alone, alone or in pairs, and in
// reductions only where all elements are there.
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=less_1 second=less_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=zero_1 second=zero_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=itself_1 second=itself_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=ordered_1 second=ordered_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=maximum_1 second=maximum_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=chosen_1 second=chosen_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=least_1 second=least_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=pair_1 second=pair_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=great_1 second=great_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=tiny_1 second=tiny_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=elements_1 second=elements_2 method=test" 2>&1 | FileCheck %s
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="first=reduced_1 second=reduced_2 method=test" 2>&1 | FileCheck %s
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="first=less_1 second=less_2 special-values=false method=test" 2>&1 | FileCheck %s --check-prefix=PLAIN

// CHECK: error: {{.*}} does not agree with
// PLAIN: Verdict=tested
func.func @less_1(%a: f32, %b: f32) -> i1 {
  %0 = arith.cmpf olt, %a, %b : f32
  return %0 : i1
}
func.func @less_2(%a: f32, %b: f32) -> i1 {
  %0 = arith.cmpf ult, %a, %b : f32
  return %0 : i1
}
func.func @zero_1(%a: f32) -> f32 {
  %z = arith.constant 0.0 : f32
  %0 = arith.mulf %a, %z : f32
  return %0 : f32
}
func.func @zero_2(%a: f32) -> f32 {
  %0 = arith.constant 0.0 : f32
  return %0 : f32
}
func.func @itself_1(%a: f32) -> f32 {
  %0 = arith.subf %a, %a : f32
  return %0 : f32
}
func.func @itself_2(%a: f32) -> f32 {
  %0 = arith.constant 0.0 : f32
  return %0 : f32
}
func.func @ordered_1(%a: f32) -> i1 {
  %0 = arith.cmpf oeq, %a, %a : f32
  return %0 : i1
}
func.func @ordered_2(%a: f32) -> i1 {
  %0 = arith.constant true
  return %0 : i1
}
func.func @maximum_1(%a: f32, %b: f32) -> f32 {
  %0 = arith.maximumf %a, %b : f32
  return %0 : f32
}
func.func @maximum_2(%a: f32, %b: f32) -> f32 {
  %0 = arith.maxnumf %a, %b : f32
  return %0 : f32
}
func.func @chosen_1(%a: f32, %b: f32) -> f32 {
  %c = arith.cmpf ogt, %a, %b : f32
  %0 = arith.select %c, %a, %b : f32
  return %0 : f32
}
func.func @chosen_2(%a: f32, %b: f32) -> f32 {
  %0 = arith.maximumf %a, %b : f32
  return %0 : f32
}
func.func @least_1(%a: i32) -> i32 {
  %c = arith.constant -1 : i32
  %0 = arith.divsi %a, %c : i32
  return %0 : i32
}
func.func @least_2(%a: i32) -> i32 {
  %c = arith.constant 0 : i32
  %0 = arith.subi %c, %a : i32
  return %0 : i32
}
func.func @pair_1(%a: i8, %b: i8, %c: i8) -> i1 {
  %l = arith.constant -128 : i8
  %m = arith.constant 127 : i8
  %p = arith.cmpi eq, %a, %l : i8
  %q = arith.cmpi eq, %c, %m : i8
  %0 = arith.andi %p, %q : i1
  return %0 : i1
}
func.func @pair_2(%a: i8, %b: i8, %c: i8) -> i1 {
  %0 = arith.constant false
  return %0 : i1
}
func.func @great_1(%a: f16) -> i1 {
  %l = arith.constant 65504.0 : f16
  %0 = arith.cmpf oeq, %a, %l : f16
  return %0 : i1
}
func.func @great_2(%a: f16) -> i1 {
  %0 = arith.constant false
  return %0 : i1
}
func.func @tiny_1(%a: f32) -> i1 {
  %l = arith.constant 0x00000001 : f32
  %0 = arith.cmpf oeq, %a, %l : f32
  return %0 : i1
}
func.func @tiny_2(%a: f32) -> i1 {
  %0 = arith.constant false
  return %0 : i1
}
func.func @elements_1(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xi1> {
  %0 = arith.cmpf olt, %a, %b : tensor<16xf32>
  return %0 : tensor<16xi1>
}
func.func @elements_2(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xi1> {
  %0 = arith.cmpf ult, %a, %b : tensor<16xf32>
  return %0 : tensor<16xi1>
}
func.func @reduced_1(%a: tensor<5xf32>) -> tensor<f32> {
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce ins(%a : tensor<5xf32>) outs(%f : tensor<f32>)
      dimensions = [0] (%x: f32, %y: f32) {
    %m = arith.maximumf %x, %y : f32
    linalg.yield %m : f32
  }
  return %0 : tensor<f32>
}
func.func @reduced_2(%a: tensor<5xf32>) -> tensor<f32> {
  %z = arith.constant -3.40282347E+38 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.reduce ins(%a : tensor<5xf32>) outs(%f : tensor<f32>)
      dimensions = [0] (%x: f32, %y: f32) {
    %m = arith.maximumf %x, %y : f32
    linalg.yield %m : f32
  }
  return %0 : tensor<f32>
}
