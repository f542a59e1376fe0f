// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=branches other=chooses need=tested" 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=branches other=chooses_wrongly" 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=endless other=endless_too" 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=memory other=memory_too" 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=branches other=two_results" 2>&1 | FileCheck %s --check-prefix=SIGNATURE
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=nothing other=nothing_too need=tested" 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tensoraccess-opt %s -o /dev/null --tensoraccess-check-equivalence="function=scalars other=scalars_wrong" 2>&1 | FileCheck %s --check-prefix=SCALARS
// RUN: tensoraccess-opt %s -o /dev/null --remarks-filter=tensoraccess --tensoraccess-check-equivalence="function=tosa other=tosa_too method=test need=tested" 2>&1 | FileCheck %s --check-prefix=TOSA

// Functions of several blocks are run.
// TESTED: Inputs={{[1-9]}}{{.*}}Method=tests{{.*}}no proof: function @branches has several blocks{{.*}}Verdict=tested
func.func @branches(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^one(%a : i32), ^two
^two:
  %0 = arith.addi %a, %b : i32
  cf.br ^one(%0 : i32)
^one(%x: i32):
  return %x : i32
}
func.func @chooses(%c: i1, %a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.select %c, %a, %0 : i32
  return %1 : i32
}
// WRONG: :[[# @LINE + 1]]:1: error: function @chooses_wrongly does not agree with @branches: result 0: expected
func.func @chooses_wrongly(%c: i1, %a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.select %c, %0, %a : i32
  return %1 : i32
}
// SIGNATURE: :[[# @LINE + 1]]:1: error: function @two_results has type '(i1, i32, i32) -> (i32, i32)', expected that of @branches, '(i1, i32, i32) -> i32'
func.func @two_results(%c: i1, %a: i32, %b: i32) -> (i32, i32) {
  return %a, %b : i32, i32
}

// A run that is given up shows nothing, neither agreement nor a difference.
// ENDLESS: remark: [Missed] equivalence {{.*}}Inputs=0{{.*}}is one of more than {{[0-9]+}} branches{{.*}}Verdict=unknown
func.func @endless(%a: i32) -> i32 {
  cf.br ^a
^a:
  cf.br ^a
}
func.func @endless_too(%a: i32) -> i32 {
  return %a : i32
}

// MEMORY: remark: [Missed] equivalence {{.*}}input 0 is of type memref<3xf32>, for which no inputs are made{{.*}}Verdict=unknown
func.func @memory(%m: memref<3xf32>) -> f32 {
  %c = arith.constant 0 : index
  %0 = memref.load %m[%c] : memref<3xf32>
  return %0 : f32
}
func.func @memory_too(%m: memref<3xf32>) -> f32 {
  %c = arith.constant 1 : index
  %0 = memref.load %m[%c] : memref<3xf32>
  return %0 : f32
}

// Without elements there is nothing to differ; several results.
// EMPTY: Verdict={{proved|tested}}
func.func @nothing(%a: tensor<0x3xf32>, %b: tensor<?x0xf32>) -> (tensor<0x3xf32>, tensor<?x0xf32>) {
  %0 = arith.addf %a, %a : tensor<0x3xf32>
  return %0, %b : tensor<0x3xf32>, tensor<?x0xf32>
}
func.func @nothing_too(%a: tensor<0x3xf32>, %b: tensor<?x0xf32>) -> (tensor<0x3xf32>, tensor<?x0xf32>) {
  %0 = arith.mulf %a, %a : tensor<0x3xf32>
  return %0, %b : tensor<0x3xf32>, tensor<?x0xf32>
}

// SCALARS: error: function @scalars_wrong does not agree with @scalars: result 1: expected
func.func @scalars(%i: index, %c: i1, %x: f64) -> (index, f64) {
  %0 = arith.negf %x : f64
  %1 = arith.select %c, %0, %x : f64
  return %i, %1 : index, f64
}
func.func @scalars_wrong(%i: index, %c: i1, %x: f64) -> (index, f64) {
  %0 = arith.negf %x : f64
  %1 = arith.select %c, %x, %0 : f64
  return %i, %1 : index, f64
}

// TOSA is lowered for tests.
// TOSA: Method=tests{{.*}}Verdict=tested
func.func @tosa(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = tosa.abs %0 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
func.func @tosa_too(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = tosa.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tosa.transpose %0 {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
