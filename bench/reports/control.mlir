// llvm/llvm-project#219456: a loop's result that is forwarded twice was taken from the
//   wrong branch once
// f(0) == (20, 20, 0)
// f(3) == (20, 20, 4)
func.func @f(%n: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c20 = arith.constant 20 : i32
  %0:3 = scf.while (%i = %c0) : (i32) -> (i32, i32, i32) {
    %go = arith.cmpi slt, %i, %n : i32
    %next = scf.if %go -> i32 {
      %1 = arith.addi %i, %c2 : i32
      scf.yield %1 : i32
    } else {
      scf.yield %c20 : i32
    }
    scf.condition(%go) %next, %next, %i : i32, i32, i32
  } do {
  ^bb0(%a: i32, %b: i32, %old: i32):
    scf.yield %b : i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}
// -----
// llvm/llvm-project#219616: a while loop made a for loop returned its last index, not the
//   one it ends at
// after: tensoraccess-canonicalize
// f(5) == 6
// f(0) == 0
// f(-3) == 0
func.func @f(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = scf.while (%i = %c0) : (index) -> index {
    %go = arith.cmpi slt, %i, %n : index
    scf.condition(%go) %i : index
  } do {
  ^bb0(%i: index):
    %next = arith.addi %i, %c2 : index
    scf.yield %next : index
  }
  return %0 : index
}
// -----
// llvm/llvm-project#216956: a loop of one iteration forwarded what its body yields wrongly
// after: tensoraccess-canonicalize
// f(7) == (0, 7)
func.func @f(%x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x, %b = %x) -> (i32, i32) {
    %1 = arith.index_cast %i : index to i32
    scf.yield %1, %a : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
// -----
// llvm/llvm-project#90019: a map in a loop was bufferized in place over what the next
//   iteration reads
// f(3, x := np.arange(1., 5.)) == -6 * x
func.func @f(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> tensor<4xf32> {
    %1 = linalg.map { arith.subf } ins(%z, %x : tensor<4xf32>, tensor<4xf32>)
                                   outs(%e : tensor<4xf32>)
    %e2 = tensor.empty() : tensor<4xf32>
    %2 = linalg.map { arith.subf } ins(%1, %x : tensor<4xf32>, tensor<4xf32>)
                                   outs(%e2 : tensor<4xf32>)
    %3 = linalg.add ins(%sum, %2 : tensor<4xf32>, tensor<4xf32>)
                    outs(%e2 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
// -----
// llvm/llvm-project#113690: what a branch returns changed when its source was overwritten
// f(True, 5, 9) == ([5, 5, 5], [9, 9, 9])
// f(False, 5, 9) == ([6, 6, 6], [9, 9, 9])
func.func @f(%b: i1, %x: i16, %y: i16) -> (tensor<3xi16>, tensor<3xi16>) {
  %c1 = arith.constant 1 : i16
  %xs = tensor.from_elements %x, %x, %x : tensor<3xi16>
  %0 = scf.if %b -> tensor<3xi16> {
    scf.yield %xs : tensor<3xi16>
  } else {
    %1 = arith.addi %x, %c1 : i16
    %2 = tensor.splat %1 : tensor<3xi16>
    scf.yield %2 : tensor<3xi16>
  }
  %ys = tensor.splat %y : tensor<3xi16>
  %3 = linalg.copy ins(%ys : tensor<3xi16>) outs(%xs : tensor<3xi16>) -> tensor<3xi16>
  return %0, %3 : tensor<3xi16>, tensor<3xi16>
}
// -----
// llvm/llvm-project#98312: a forall's shared output was written where it is read later
// f(x := np.arange(5.)) == (x, -x)
func.func @f(%x: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %0 = scf.forall (%i) in (5) shared_outs(%o = %x) -> tensor<5xf32> {
    %1 = tensor.extract %x[%i] : tensor<5xf32>
    %2 = arith.negf %1 : f32
    %3 = tensor.from_elements %2 : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %o[%i] [1] [1]
        : tensor<1xf32> into tensor<5xf32>
    }
  }
  return %x, %0 : tensor<5xf32>, tensor<5xf32>
}
// -----
// jax-ml/jax#9604: floor division in a loop was wrong where it is right unrolled
// f([2, 2, -3]) == -1
// f([-7, 2, 3]) == -2
func.func @f(%x: tensor<3xi32>) -> tensor<i32> {
  %c0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %c3 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
  %s = "stablehlo.slice"(%x) <{limit_indices = array<i64: 1>,
    start_indices = array<i64: 0>, strides = array<i64: 1>}>
    : (tensor<3xi32>) -> tensor<1xi32>
  %first = "stablehlo.reshape"(%s) : (tensor<1xi32>) -> tensor<i32>
  %0:2 = "stablehlo.while"(%c1, %first) ({
  ^bb0(%i: tensor<i32>, %a: tensor<i32>):
    %go = "stablehlo.compare"(%i, %c3) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %a: tensor<i32>):
    %t = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}>
      : (tensor<3xi32>, tensor<i32>) -> tensor<1xi32>
    %b = "stablehlo.reshape"(%t) : (tensor<1xi32>) -> tensor<i32>
    %q = "stablehlo.divide"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %r = "stablehlo.remainder"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %sr = "stablehlo.sign"(%r) : (tensor<i32>) -> tensor<i32>
    %sb = "stablehlo.sign"(%b) : (tensor<i32>) -> tensor<i32>
    %unlike = "stablehlo.compare"(%sr, %sb) <{
      comparison_direction = #stablehlo<comparison_direction NE>}>
      : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %rest = "stablehlo.compare"(%r, %c0) <{
      comparison_direction = #stablehlo<comparison_direction NE>}>
      : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %down = "stablehlo.and"(%unlike, %rest) : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %less = "stablehlo.subtract"(%q, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %f = "stablehlo.select"(%down, %less, %q)
      : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %n = "stablehlo.add"(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%n, %f) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %0#1 : tensor<i32>
}
// -----
// iree-org/iree#24927: Threefry, in a loop that swaps its state, returned other numbers
// f([0x243f6a88, 0x85a308d3], [0x13198a2e, 0x03707344]) == [0xc4923a9c, 0x483df7a0]
// f([0, 0], [0, 0]) == [0x6b200159, 0x99ba4efe]
func.func @f(%counter: tensor<2xui32>, %key: tensor<2xui32>) -> tensor<2xui32> {
  %parity = "stablehlo.constant"() <{value = dense<466688986> : tensor<ui32>}>
    : () -> tensor<ui32>
  %even = "stablehlo.constant"() <{value = dense<[13, 15, 26, 6]> : tensor<4xui32>}>
    : () -> tensor<4xui32>
  %odd = "stablehlo.constant"() <{value = dense<[17, 29, 16, 24]> : tensor<4xui32>}>
    : () -> tensor<4xui32>
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}>
    : () -> tensor<ui32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}>
    : () -> tensor<ui32>
  %four = "stablehlo.constant"() <{value = dense<4> : tensor<ui32>}>
    : () -> tensor<ui32>
  %five = "stablehlo.constant"() <{value = dense<5> : tensor<ui32>}>
    : () -> tensor<ui32>
  %k0 = func.call @at(%key, %zero) : (tensor<2xui32>, tensor<ui32>) -> tensor<ui32>
  %k1 = func.call @at(%key, %one) : (tensor<2xui32>, tensor<ui32>) -> tensor<ui32>
  %c0 = func.call @at(%counter, %zero) : (tensor<2xui32>, tensor<ui32>) -> tensor<ui32>
  %c1 = func.call @at(%counter, %one) : (tensor<2xui32>, tensor<ui32>) -> tensor<ui32>
  %k01 = "stablehlo.xor"(%k0, %k1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %k2 = "stablehlo.xor"(%k01, %parity) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %x0 = "stablehlo.add"(%c0, %k0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %x1 = "stablehlo.add"(%c1, %k1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %0:8 = "stablehlo.while"(%zero, %x0, %x1, %k1, %k2, %k0, %even, %odd) ({
  ^bb0(%i: tensor<ui32>, %a: tensor<ui32>, %b: tensor<ui32>, %u: tensor<ui32>,
       %v: tensor<ui32>, %w: tensor<ui32>, %r: tensor<4xui32>, %s: tensor<4xui32>):
    %go = "stablehlo.compare"(%i, %five) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<ui32>, %a: tensor<ui32>, %b: tensor<ui32>, %u: tensor<ui32>,
       %v: tensor<ui32>, %w: tensor<ui32>, %r: tensor<4xui32>, %s: tensor<4xui32>):
    %1:3 = "stablehlo.while"(%zero, %a, %b) ({
    ^bb0(%j: tensor<ui32>, %p: tensor<ui32>, %q: tensor<ui32>):
      %on = "stablehlo.compare"(%j, %four) <{
        comparison_direction = #stablehlo<comparison_direction LT>}>
        : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      "stablehlo.return"(%on) : (tensor<i1>) -> ()
    }, {
    ^bb0(%j: tensor<ui32>, %p: tensor<ui32>, %q: tensor<ui32>):
      %d1 = "stablehlo.dynamic_slice"(%r, %j) <{slice_sizes = array<i64: 1>}>
        : (tensor<4xui32>, tensor<ui32>) -> tensor<1xui32>
      %d = "stablehlo.reshape"(%d1) : (tensor<1xui32>) -> tensor<ui32>
      %p1 = "stablehlo.add"(%p, %q) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %q1 = func.call @rotate(%q, %d) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %q2 = "stablehlo.xor"(%q1, %p1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %j1 = "stablehlo.add"(%j, %one) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%j1, %p1, %q2)
        : (tensor<ui32>, tensor<ui32>, tensor<ui32>) -> ()
    }) : (tensor<ui32>, tensor<ui32>, tensor<ui32>)
      -> (tensor<ui32>, tensor<ui32>, tensor<ui32>)
    %i1 = "stablehlo.add"(%i, %one) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %a1 = "stablehlo.add"(%1#1, %u) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %b1 = "stablehlo.add"(%1#2, %v) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %b2 = "stablehlo.add"(%b1, %i1) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    "stablehlo.return"(%i1, %a1, %b2, %v, %w, %u, %s, %r)
      : (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>,
         tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> ()
  }) : (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>,
        tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>,
        tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
  %2 = "stablehlo.reshape"(%0#1) : (tensor<ui32>) -> tensor<1xui32>
  %3 = "stablehlo.reshape"(%0#2) : (tensor<ui32>) -> tensor<1xui32>
  %4 = "stablehlo.concatenate"(%2, %3) <{dimension = 0 : i64}>
    : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
  return %4 : tensor<2xui32>
}
func.func private @at(%x: tensor<2xui32>, %i: tensor<ui32>) -> tensor<ui32> {
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 1>}>
    : (tensor<2xui32>, tensor<ui32>) -> tensor<1xui32>
  %1 = "stablehlo.reshape"(%0) : (tensor<1xui32>) -> tensor<ui32>
  return %1 : tensor<ui32>
}
func.func private @rotate(%x: tensor<ui32>, %d: tensor<ui32>) -> tensor<ui32> {
  %c32 = "stablehlo.constant"() <{value = dense<32> : tensor<ui32>}>
    : () -> tensor<ui32>
  %0 = "stablehlo.shift_left"(%x, %d) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %1 = "stablehlo.subtract"(%c32, %d) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %2 = "stablehlo.shift_right_logical"(%x, %1)
    : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  %3 = "stablehlo.or"(%0, %2) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
  return %3 : tensor<ui32>
}
// -----
// openxla/xla#48454: a loop whose step does not divide its range was taken for empty
// f(0, 1, 2) == (2, 1)
// f(0, 7, 3) == (9, 3)
// f(5, 5, 3) == (5, 0)
// closed(6, 5, 3) == (6, 0)
// closed(5, 5, 3) == (8, 1)
func.func @f(%begin: tensor<i8>, %end: tensor<i8>, %step: tensor<i8>)
    -> (tensor<i8>, tensor<i8>) {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i8>}> : () -> tensor<i8>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i8>}> : () -> tensor<i8>
  %0:2 = "stablehlo.while"(%begin, %zero) ({
  ^bb0(%i: tensor<i8>, %n: tensor<i8>):
    %go = "stablehlo.compare"(%i, %end) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<i8>, tensor<i8>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i8>, %n: tensor<i8>):
    %1 = "stablehlo.add"(%i, %step) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    %2 = "stablehlo.add"(%n, %one) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%1, %2) : (tensor<i8>, tensor<i8>) -> ()
  }) : (tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>)
  return %0#0, %0#1 : tensor<i8>, tensor<i8>
}
func.func @closed(%begin: tensor<i8>, %end: tensor<i8>, %step: tensor<i8>)
    -> (tensor<i8>, tensor<i8>) {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i8>}> : () -> tensor<i8>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i8>}> : () -> tensor<i8>
  %0:2 = "stablehlo.while"(%begin, %zero) ({
  ^bb0(%i: tensor<i8>, %n: tensor<i8>):
    %go = "stablehlo.compare"(%i, %end) <{
      comparison_direction = #stablehlo<comparison_direction LE>}>
      : (tensor<i8>, tensor<i8>) -> tensor<i1>
    "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i8>, %n: tensor<i8>):
    %1 = "stablehlo.add"(%i, %step) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    %2 = "stablehlo.add"(%n, %one) : (tensor<i8>, tensor<i8>) -> tensor<i8>
    "stablehlo.return"(%1, %2) : (tensor<i8>, tensor<i8>) -> ()
  }) : (tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>)
  return %0#0, %0#1 : tensor<i8>, tensor<i8>
}
// -----
// openxla/stablehlo#2843: a case whose constant index is out of range is its last branch
// after: tensoraccess-canonicalize
// f(0) == 10
// f(2) == 30
// f(3) == 30
// f(-1) == 30
// constant() == 30
func.func @f(%i: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = "stablehlo.constant"() <{value = dense<10> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }, {
    %1 = "stablehlo.constant"() <{value = dense<20> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }, {
    %1 = "stablehlo.constant"() <{value = dense<30> : tensor<i32>}> : () -> tensor<i32>
    "stablehlo.return"(%1) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @constant() -> tensor<i32> {
  %i = "stablehlo.constant"() <{value = dense<-7> : tensor<i32>}> : () -> tensor<i32>
  %0 = func.call @f(%i) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// -----
// llvm/llvm-project#212032: fused loops wrote what the first one still had to read
// engines: jit
// f([7., 3., 1.], c := np.array([0., 2., 5.])) == [7., 6., 15.]
func.func @f(%x: tensor<3xf64>, %c: tensor<3xf64>) -> tensor<3xf64> {
  %a = bufferization.to_buffer %x : tensor<3xf64> to memref<3xf64>
  %b = bufferization.to_buffer %c : tensor<3xf64> to memref<3xf64>
  %r = memref.alloc() : memref<3xf64>
  %s = memref.alloc() : memref<3xf64>
  memref.copy %a, %r : memref<3xf64> to memref<3xf64>
  affine.for %i = 1 to 3 {
    %0 = affine.load %r[1] : memref<3xf64>
    %1 = affine.load %b[%i] : memref<3xf64>
    %2 = arith.mulf %0, %1 : f64
    affine.store %2, %s[%i] : memref<3xf64>
  }
  affine.for %i = 1 to 3 {
    %0 = affine.load %s[%i] : memref<3xf64>
    affine.store %0, %r[%i] : memref<3xf64>
  }
  %t = bufferization.to_tensor %r restrict : memref<3xf64> to tensor<3xf64>
  return %t : tensor<3xf64>
}
// -----
// openxla/xla#39830: a stack that grows to its bound could not be converted
// f(np.zeros((4, 2))) == 3
func.func @f(%x: tensor<4x2xi32>) -> tensor<i32> {
  %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %three = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}>
    : () -> tensor<i32>
  %s = "stablehlo.set_dimension_size"(%x, %zero) <{dimension = 0 : i64}>
    : (tensor<4x2xi32>, tensor<i32>) -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  %0 = "stablehlo.while"(%s) ({
  ^bb0(%a: tensor<?x2xi32, #stablehlo.bounds<4, ?>>):
    %1 = "stablehlo.get_dimension_size"(%a) <{dimension = 0 : i64}>
      : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
    %2 = "stablehlo.compare"(%1, %three) <{
      comparison_direction = #stablehlo<comparison_direction LT>}>
      : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%2) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<?x2xi32, #stablehlo.bounds<4, ?>>):
    %1 = "stablehlo.get_dimension_size"(%a) <{dimension = 0 : i64}>
      : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
    %2 = "stablehlo.add"(%1, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = "stablehlo.set_dimension_size"(%a, %2) <{dimension = 0 : i64}>
      : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>, tensor<i32>)
      -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
    "stablehlo.return"(%3) : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> ()
  }) : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>)
    -> tensor<?x2xi32, #stablehlo.bounds<4, ?>>
  %4 = "stablehlo.get_dimension_size"(%0) <{dimension = 0 : i64}>
    : (tensor<?x2xi32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
  return %4 : tensor<i32>
}
