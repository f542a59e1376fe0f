// Whole models: the complete set of rules on access patterns saturates, well
// within the default limits.
// DEFINE: %{raise} = tensoraccess-opt --allow-unregistered-dialect --tensoraccess-raise --canonicalize
// DEFINE: %{saturate} = tensoraccess-opt --remarks-filter=tensoraccess --remark-policy=all
// DEFINE: %{check} = FileCheck %s --check-prefix

// Calls of functions that are not inlined are leaves.
// RUN: %{raise} %models/resnet50.linalg.mlir -o %t.r50.mlir
// RUN: %{saturate} %t.r50.mlir --tensoraccess-saturate=rules=access -o %t.r50.after.mlir 2>&1 | %{check}=RESNET50
// RESNET50: [Analysis] saturate {{.*}}Function=main | Blocks=54, {{.*}}CostAfter=984, CostBefore=1882, {{.*}}Remark=saturated
// RUN: %{saturate} %t.r50.mlir -o /dev/null \
// RUN:   --tensoraccess-saturate="rules=access cost=cycles target=systolic-16x16" 2>&1 | %{check}=ARRAYS
// ARRAYS: [Analysis] saturate {{.*}}Function=main | {{.*}}Remark=saturated
// Every set at once.
// RUN: %{saturate} %t.r50.mlir -o /dev/null \
// RUN:   --tensoraccess-saturate=rules=access,arith,compute,linalg,math,relayout 2>&1 | %{check}=ALL
// ALL: [Analysis] saturate {{.*}}Function=main | {{.*}}Remark=saturated

// RUN: %{raise} %models/mobilenet.linalg.mlir -o %t.mobilenet.mlir
// RUN: %{saturate} %t.mobilenet.mlir --tensoraccess-saturate=rules=access -o %t.mobilenet.after.mlir 2>&1 | %{check}=MOBILENET
// MOBILENET: [Analysis] saturate {{.*}}Function=main | {{.*}}Remark=saturated
// RUN: %{raise} %models/attention.linalg.mlir -o %t.attention.mlir
// RUN: %{saturate} %t.attention.mlir --tensoraccess-saturate=rules=access -o %t.attention.after.mlir 2>&1 | %{check}=ATTENTION
// ATTENTION: [Analysis] saturate {{.*}}Function=main | {{.*}}Remark=saturated

// What comes out computes the same bits.
// RUN: tensoraccess-run %t.mobilenet.after.mlir --inputs=random:1 --compare=%t.mobilenet.mlir | %{check}=EQUAL
// RUN: tensoraccess-run %t.attention.after.mlir --inputs=random:1 --compare=%t.attention.mlir | %{check}=EQUAL
// EQUAL: equal, bit for bit

// Why it is the same is checked step by step, calls included.
// RUN: tensoraccess-opt %t.r50.mlir -o %t.r50.after.mlir \
// RUN:   --tensoraccess-saturate="rules=access explain=%t.why.mlir"
// RUN: %{saturate} %t.r50.mlir --allow-unregistered-dialect -o /dev/null \
// RUN:   --tensoraccess-saturate="rules=access check-explanation=%t.why.mlir" 2>&1 | %{check}=WHY
// WHY: [Analysis] explanation {{.*}}Function=main | Remark="every step of the explanation follows"
