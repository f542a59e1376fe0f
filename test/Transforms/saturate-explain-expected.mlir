// Why the results are those that were expected, also where nothing is replaced,
// and whether the other end is what is expected now.
// DEFINE: %{opt} = tensoraccess-opt %t/main.mlir --allow-unregistered-dialect --remarks-filter=tensoraccess --remark-policy=all
// DEFINE: %{check} = FileCheck %s --check-prefix
// RUN: split-file %s %t
// RUN: %{opt} -o %t/after.mlir \
// RUN:   --tensoraccess-saturate="rules=access,arith expect=%t/expected.mlir explain=%t/why.mlir" 2>&1 | %{check}=EXPECTED
// RUN: %{check}=WHY < %t/why.mlir
// RUN: %{opt} -o %t/same.mlir \
// RUN:   --tensoraccess-saturate="rules=access,arith expect=%t/expected.mlir check-explanation=%t/why.mlir" 2>&1 | %{check}=FOLLOWS
// Of another expectation; where none is given, one end is checked.
// RUN: not %{opt} -o %t/same.mlir \
// RUN:   --tensoraccess-saturate="rules=access,arith expect=%t/other.mlir check-explanation=%t/why.mlir" 2>&1 | %{check}=OTHER
// RUN: %{opt} -o %t/same.mlir \
// RUN:   --tensoraccess-saturate="rules=access,arith check-explanation=%t/why.mlir" 2>&1 | %{check}=FOLLOWS
// A step less.
// RUN: grep -v AddCommutes %t/why.mlir > %t/less.mlir
// RUN: not %{opt} -o %t/same.mlir \
// RUN:   --tensoraccess-saturate="rules=access,arith expect=%t/expected.mlir check-explanation=%t/less.mlir" 2>&1 | %{check}=LESS

// EXPECTED-DAG: [Analysis] expect {{.*}}Function=sum | Remark="the results equal what is expected"
// EXPECTED-DAG: [Analysis] expect {{.*}}Function=views | Remark="the results equal what is expected"
// WHY: func.func @sum.expected(
// WHY: "explain.rule"({{.*}}) {name = "AddCommutes"}
// WHY: "explain.equal"({{.*}}) {result = 0 : i64}
// Views that are the same before any rule are the same op here: no step.
// WHY: func.func @views.expected(
// WHY: "explain.equal"({{.*}}) {result = 0 : i64}
// FOLLOWS: [Analysis] explanation {{.*}}Function=sum | Remark="every step of the explanation follows"
// FOLLOWS: [Analysis] explanation {{.*}}Function=views | Remark="every step of the explanation follows"
// OTHER: why.mlir:{{[0-9]+}}:{{[0-9]+}}: error: result 0 of @sum is neither of these terms
// LESS: less.mlir:{{[0-9]+}}:{{[0-9]+}}: error: nothing said so far makes these terms equal

//--- main.mlir
func.func @sum(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  return %0, %a : i32, i32
}
func.func @views(%a: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %0 = tensoraccess.access %a at 1 : tensor<4x6xf32> -> !tensoraccess.access<4 | 6xf32>
  %1 = tensoraccess.transpose %0 perm = [1, 0] : !tensoraccess.access<4 | 6xf32> -> !tensoraccess.access<6 | 4xf32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<6 | 4xf32> -> tensor<6x4xf32>
  return %2 : tensor<6x4xf32>
}

//--- expected.mlir
func.func @sum(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %b, %a : i32
  return %0, %a : i32, i32
}
func.func @views(%a: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %0 = tensoraccess.access %a at 2 : tensor<4x6xf32> -> !tensoraccess.access<4x6 | f32>
  %1 = tensoraccess.transpose %0 perm = [1, 0] : !tensoraccess.access<4x6 | f32> -> !tensoraccess.access<6x4 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<6x4 | f32> -> tensor<6x4xf32>
  return %2 : tensor<6x4xf32>
}
//--- other.mlir
func.func @sum(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %b, %b : i32
  return %0, %a : i32, i32
}
func.func @views(%a: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %0 = tensoraccess.access %a at 2 : tensor<4x6xf32> -> !tensoraccess.access<4x6 | f32>
  %1 = tensoraccess.transpose %0 perm = [1, 0] : !tensoraccess.access<4x6 | f32> -> !tensoraccess.access<6x4 | f32>
  %2 = tensoraccess.to_tensor %1 : !tensoraccess.access<6x4 | f32> -> tensor<6x4xf32>
  return %2 : tensor<6x4xf32>
}
