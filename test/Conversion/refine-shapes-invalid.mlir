// RUN: tensoraccess-opt %s --split-input-file --allow-unregistered-dialect --tensoraccess-refine-shapes="sizes=4" --verify-diagnostics

func.func @main(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @below {{result 0 of 'stablehlo.dynamic_iota' is 'tensor<?xf32>': its sizes do not follow from those of the arguments}}
  %0 = "stablehlo.dynamic_iota"(%n) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?xf32>) {
  %n = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<?xf32>) -> tensor<i32>
  %five = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
  %is = "stablehlo.compare"(%n, %five) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error @below {{there are 4, not 5}}
  "stablehlo.custom_call"(%is, %n, %five) <{call_target_name = "shape_assertion", error_message = "there are {0}, not {1}", has_side_effect = true}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  return
}

// -----

func.func @main(%x: tensor<?xf32>, %b: tensor<i1>) {
  // expected-error @below {{what it asserts does not follow from the sizes of arguments}}
  "stablehlo.custom_call"(%b) <{call_target_name = "shape_assertion"}> : (tensor<i1>) -> ()
  return
}

// -----

func.func @main(%x: tensor<?xf32>) -> tensor<5xf32> {
  // expected-error @below {{operands make it one of sizes 4}}
  %0 = "stablehlo.negate"(%x) : (tensor<?xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{its state 0 begins as 'tensor<4xf32>', and the body yields 'tensor<8xf32>'}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<?xf32>):
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<?xf32>):
    %c = "stablehlo.concatenate"(%a, %a) <{dimension = 0 : i64}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    "stablehlo.return"(%c) : (tensor<?xf32>) -> ()
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error @below {{calls itself}}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @main(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n = "stablehlo.constant"() <{value = dense<-3> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-error @below {{result 0 of 'stablehlo.dynamic_iota' is 'tensor<?xf32>': its sizes do not follow from those of the arguments}}
  %0 = "stablehlo.dynamic_iota"(%n) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?xf32>, %e: tensor<f32>) -> tensor<?xf32> {
  %n = "stablehlo.constant"() <{value = dense<-3> : tensor<1xi32>}> : () -> tensor<1xi32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-error @below {{operands make it one of sizes -2}}
  %0 = "stablehlo.dynamic_pad"(%x, %e, %n, %n, %zero) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?xf32>, %e: tensor<f32>) -> tensor<?xf32> {
  %n = "stablehlo.constant"() <{value = dense<-3> : tensor<1xi32>}> : () -> tensor<1xi32>
  // expected-error @below {{'stablehlo.dynamic_pad': interior padding must not be negative}}
  %0 = "stablehlo.dynamic_pad"(%x, %e, %n, %n, %n) : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?xf32>, %e: tensor<f32>) -> tensor<?xf32> {
  %n = "stablehlo.constant"() <{value = dense<1> : tensor<3xi32>}> : () -> tensor<3xi32>
  // expected-error @below {{'stablehlo.dynamic_pad': attribute 'edge_padding_low'}}
  %0 = "stablehlo.dynamic_pad"(%x, %e, %n, %n, %n) : (tensor<?xf32>, tensor<f32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{must have a body that ends in its state}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<?xf32>):
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.return"(%t) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<?xf32>):
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%x: tensor<?xf32>) -> tensor<1000xf32> {
  // expected-error @below {{a value of type 'tensor<4xf32>' has to be one of type 'tensor<1000xf32>'}}
  %0 = tensor.cast %x : tensor<?xf32> to tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
