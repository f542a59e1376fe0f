// RUN: tensoraccess-opt %s --split-input-file --tensoraccess-check-contracts --verify-diagnostics

// expected-error @below {{contract 'causal(result 0 dim 1, arg 3 dim 1)': arg 3: there are 2 arguments}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["causal(result 0 dim 1, arg 3 dim 1)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'causal(result 1 dim 1, arg 0 dim 1)': result 1: there is 1 result}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["causal(result 1 dim 1, arg 0 dim 1)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'causal(result 0 dim 2, arg 0 dim 1)': result 0 dim 2: it has 2 dimensions}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["causal(result 0 dim 2, arg 0 dim 1)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'causal(result 0, arg 0)': causal: expected 'result N dim N, arg N dim N'}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["causal(result 0, arg 0)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'causal(arg 0 dim 1)': causal: expected 'result N dim N, arg N dim N'}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["causal(arg 0 dim 1)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'causal(result 0 dim 1': expected ',' or ')', got 'end of text'}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["causal(result 0 dim 1"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'acausal(result 0 dim 1, arg 0 dim 1)': no contract 'acausal', there are causal, independent, within, ignores, segments}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["acausal(result 0 dim 1, arg 0 dim 1)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'within(result 0 dim 1, arg 0 dim 1)': within: expected a radius after the argument}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["within(result 0 dim 1, arg 0 dim 1)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'within(result 0 dim 1, arg 0 dim 1, -1)': within: a radius must not be negative, got -1}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["within(result 0 dim 1, arg 0 dim 1, -1)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'ignores(arg 0 dim 1 in [2, 5])': arg 0 dim 1 in [2, 5]: its indices are in [0, 4]}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["ignores(arg 0 dim 1 in [2, 5])"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'ignores(arg 0 where arg 0 != 0)': ignores: an argument is ignored where another is '==' a number, got '!='}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["ignores(arg 0 where arg 0 != 0)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'ignores(arg 1 where arg 0 == 0)': arg 0: its shape must begin that of arg 1}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["ignores(arg 1 where arg 0 == 0)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'ignores(arg 0, arg 1)': ignores: expected 1 part, got 2}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["ignores(arg 0, arg 1)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'ignores(result 0)': ignores: expected 'arg' after the result}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["ignores(result 0)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'segments(arg 0)': segments: arg 0 must be a tensor of integers}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["segments(arg 0)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract 'segments(arg 1) and': expected the end of the contract, got 'and'}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["segments(arg 1) and"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract '(d0) -> (d0, d0)': the map must have 2 dims and 2 results, and no runtime variables}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["(d0) -> (d0, d0)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract '(d0, d1) -> (d0, d2)': variable 'd2' is not declared}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = ["(d0, d1) -> (d0, d2)"]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{contract '': expected a contract, got 'end of text'}}
func.func @f(%x: tensor<3x5xf32>, %ids: tensor<3xi32>) -> tensor<3x5xf32>
    attributes {tensoraccess.contract = [""]} {
  return %x : tensor<3x5xf32>
}

// -----

// expected-error @below {{'tensoraccess.contract' must be an array of strings, got 3 : i64}}
func.func @f(%x: tensor<3xf32>) attributes {tensoraccess.contract = 3 : i64} {
  return
}

// -----

// expected-error @below {{function @f has no body to check}}
func.func private @f(tensor<3xf32>) attributes {tensoraccess.contract = "ignores(arg 0)"}
