// Programs of which a list is empty: of dimensions, sizes, elements.
// RUN: tensoraccess-run %s --entry=sum --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=hlo_sum --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=same_twice --dynamic-sizes=3,5 --compare=interpret \
// RUN:   | FileCheck %s
// RUN: tensoraccess-run %s --entry=same_twice --dynamic-sizes=0,5 --compare=interpret \
// RUN:   | FileCheck %s
// RUN: tensoraccess-run %s --entry=no_arguments --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=no_elements --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=no_part --dynamic-sizes=0 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=no_part --dynamic-sizes=2 --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=one_part --compare=interpret | FileCheck %s
// RUN: tensoraccess-run %s --entry=no_parts --compare=interpret | FileCheck %s
// CHECK: compare 0  equal, bit for bit

// The sum's result, and what follows it, have rank 0.
func.func @sum(%x: tensor<2048x128xi32>) -> tensor<i32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %two = arith.constant dense<2> : tensor<i32>
  %0 = linalg.reduce { arith.addi } ins(%x : tensor<2048x128xi32>)
                                    outs(%zero : tensor<i32>) dimensions = [0, 1]
  %1 = arith.muli %0, %two : tensor<i32>
  return %1 : tensor<i32>
}

func.func @hlo_sum(%x: tensor<4096x128xi32>, %y: tensor<i32>) -> tensor<i32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<4096x128xi32>, tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.multiply"(%0, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// The copy that the second result needs takes no sizes.
func.func @same_twice(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  return %x, %x : tensor<?x?xf32>, tensor<?x?xf32>
}

func.func @no_arguments() -> tensor<f32> {
  %0 = arith.constant dense<2.5> : tensor<f32>
  %1 = math.sqrt %0 : tensor<f32>
  return %1 : tensor<f32>
}

func.func @no_elements(%x: tensor<0x3xf32>, %y: tensor<3x0xf32>) -> tensor<0x0xf32> {
  %e = tensor.empty() : tensor<0x0xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<0x0xf32>) -> tensor<0x0xf32>
  %1 = linalg.matmul ins(%x, %y : tensor<0x3xf32>, tensor<3x0xf32>)
                     outs(%0 : tensor<0x0xf32>) -> tensor<0x0xf32>
  return %1 : tensor<0x0xf32>
}

// A part of nothing begins where the result ends.
func.func @no_part(%x: tensor<2x3xf32>, %y: tensor<0x3xf32>, %z: tensor<?x3xf32>)
    -> tensor<?x3xf32> {
  %0 = tensor.concat dim(0) %x, %z, %y
      : (tensor<2x3xf32>, tensor<?x3xf32>, tensor<0x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @one_part(%x: tensor<2x3xf32>, %y: tensor<0x3xf32>) -> tensor<2x3xf32> {
  %0 = tensor.concat dim(0) %y, %x, %y
      : (tensor<0x3xf32>, tensor<2x3xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @no_parts(%x: tensor<0x3xf32>) -> tensor<0x6xf32> {
  %0 = tensor.concat dim(1) %x, %x
      : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x6xf32>
  return %0 : tensor<0x6xf32>
}
