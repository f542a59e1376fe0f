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

// -----

func.func @divisor(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error@below {{'linalg.generic' op has a map that divides by -1, a number below 1}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (-(d0 floordiv -1))>,
                       affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%y : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32):
    linalg.yield %a : i32
  } -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// -----

func.func @modulus(%i: index) -> index {
  // expected-error@below {{'affine.apply' op has a map that divides by -3, a number below 1}}
  %0 = affine.apply affine_map<(d0) -> (d0 mod -3)>(%i)
  return %0 : index
}

// -----

func.func @scalable(%x: f32) {
  // expected-error@below {{'vector.broadcast' op has a value of type 'vector<[4]xf32>', but vectors of compiled code have a fixed size}}
  %0 = vector.broadcast %x : f32 to vector<[4]xf32>
  return
}

// -----

func.func @scale() {
  // expected-error@below {{'vector.vscale' op asks for the size of scalable vectors, but vectors of compiled code have a fixed size}}
  %0 = vector.vscale
  return
}

// -----

// expected-error@below {{'func.func' op has a value of type 'memref<4x5xf32, affine_map<(d0, d1) -> (d1, d0)>>', but buffers of compiled code are strided (`--normalize-memrefs` makes them so)}}
func.func @layout(%x: memref<4x5xf32, affine_map<(d0, d1) -> (d1, d0)>>) {
  return
}

// -----

func.func @space() {
  // expected-error@below {{'memref.alloc' op has a value of type 'memref<4xf32, "fast">', but memory spaces of compiled code are numbers}}
  %0 = memref.alloc() : memref<4xf32, "fast">
  return
}
