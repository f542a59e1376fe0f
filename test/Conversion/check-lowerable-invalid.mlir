// What upstream's passes crash on, or take forever for, is refused.
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-check-lowerable
// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics --tensoraccess-to-llvm

// The inliner asks for the terminator.
func.func @region(%a: memref<4xf32>) {
  // expected-error@below {{'x.region' is of a dialect that is not known here, so it cannot be compiled}}
  "x.region"(%a) ({
  ^bb0(%i: index):
    %0 = arith.constant true
  }) : (memref<4xf32>) -> ()
  return
}

// -----

// expected-error@below {{'util.func' is of a dialect that is not known here, so it cannot be compiled}}
"util.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
^bb0(%a: i32):
  "util.return"(%a) : (i32) -> ()
}) : () -> ()

// -----

// expected-error@below {{'func.func' op has a type of rank 65; the most that is supported is 64}}
func.func @rank(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  return
}

// -----

func.func @inner() {
  // expected-error@below {{'tensor.empty' op has a type of rank 65; the most that is supported is 64}}
  %0 = tensor.empty() : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return
}

// -----

func.func @bytes() -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  // expected-error@below {{'tensor.splat' op has a result of more than 2^47 bytes, 'tensor<1152921504606846976xf32>'}}
  %0 = tensor.splat %z : tensor<1152921504606846976xf32>
  %1 = tensor.extract %0[%c0] : tensor<1152921504606846976xf32>
  return %1 : f32
}
