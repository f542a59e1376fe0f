// Ops of dialects that are not loaded are known by name: what is pure can be
// compared, and proved where it is the same.
// RUN: tensoraccess-opt %s --allow-unregistered-dialect --remarks-filter=tensoraccess -o /dev/null --tensoraccess-check-equivalence="function=f other=g" 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: not tensoraccess-opt %s --allow-unregistered-dialect --remarks-filter=tensoraccess -o /dev/null --tensoraccess-check-equivalence="function=f other=h" 2>&1 | FileCheck %s --check-prefix=REFUTED
// RUN: tensoraccess-opt %s --allow-unregistered-dialect --remarks-filter=tensoraccess -o /dev/null --tensoraccess-check-equivalence="function=asks other=asks_too" 2>&1 | FileCheck %s --check-prefix=EFFECTS

// PROVED: equivalence {{.*}}Method=forms{{.*}}Verdict=proved
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.square"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "chlo.erf"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "chlo.square"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.square"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "chlo.square"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "chlo.erf"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "chlo.square"(%2) : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
// REFUTED: error: function @h does not agree with @f
func.func @h(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.square"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "chlo.erf"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// EFFECTS: equivalence {{.*}}op 'chlo.asks' has effects
func.func @asks(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.asks"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @asks_too(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "chlo.asks"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
