// llvm/llvm-project#90296: a cast through a narrower integer and back was folded away
// one(256) == 0
// one(200) == -56
// all() == [x - 256 if 128 <= x < 256 else x % 256 for x in range(300)]
func.func @one(%x: index) -> index {
  %0 = arith.index_cast %x : index to i8
  %1 = arith.index_cast %0 : i8 to index
  return %1 : index
}
func.func @all() -> tensor<300xi32> {
  %e = tensor.empty() : tensor<300xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<300xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %1 = arith.index_cast %i : index to i8
    %2 = arith.index_cast %1 : i8 to index
    %3 = arith.index_cast %2 : index to i32
    linalg.yield %3 : i32
  } -> tensor<300xi32>
  return %0 : tensor<300xi32>
}
// -----
// llvm/llvm-project#90238: the same of unsigned casts
// f(100) == 10000 % 256
// f(-1) == 1
func.func @f(%x: i64) -> index {
  %0 = arith.muli %x, %x : i64
  %1 = arith.index_castui %0 : i64 to index
  %2 = arith.index_castui %1 : index to i8
  %3 = arith.index_castui %2 : i8 to index
  return %3 : index
}
// -----
// llvm/llvm-project#216042: (x - y) < 0 became x < y though the difference wraps
// unsigned(0, 2) == False
// unsigned(2, 2) == True
// signed(-2**63, 1) == False
// arith(0, 2) == False
func.func @unsigned(%x: index, %y: index) -> i1 {
  %z = index.constant 0
  %0 = index.sub %x, %y
  %1 = index.cmp ule(%0, %z)
  return %1 : i1
}
func.func @signed(%x: index, %y: index) -> i1 {
  %z = index.constant 0
  %0 = index.sub %x, %y
  %1 = index.cmp slt(%0, %z)
  return %1 : i1
}
func.func @arith(%x: index, %y: index) -> i1 {
  %z = arith.constant 0 : index
  %0 = arith.subi %x, %y : index
  %1 = arith.cmpi ule, %0, %z : index
  return %1 : i1
}
// -----
// llvm/llvm-project#215696: ceiling division negated the least integer
// i32(-2**31, 7) == -306783378
// i32(-2**31, 2**31 - 1) == -1
// i32(-7, 2) == -3
// i32(7, -2) == -3
// index(-2**63, 7) == -1317624576693539401
// constant() == -1317624576693539401
func.func @i32(%x: i32, %y: i32) -> i32 {
  %0 = arith.ceildivsi %x, %y : i32
  return %0 : i32
}
func.func @index(%x: index, %y: index) -> index {
  %0 = index.ceildivs %x, %y
  return %0 : index
}
func.func @constant() -> index {
  %x = index.constant -9223372036854775808
  %y = index.constant 7
  %0 = index.ceildivs %x, %y
  return %0 : index
}
// -----
// llvm/llvm-project#82158: ranges of integers made 2 of a chain of shifts and a division
//   something else
// f(29326) == 2
func.func @f(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c8 = arith.constant 8 : i32
  %0 = arith.shrsi %x, %c2 : i32
  %1 = math.ctpop %0 : i32
  %2 = arith.shli %1, %c1 : i32
  %3 = arith.ceildivsi %2, %c8 : i32
  return %3 : i32
}
// -----
// llvm/llvm-project#88732: a signed product of i1 in two halves was folded to the wrong one
// after: tensoraccess-canonicalize
// f(True, True) == (True, False)
// f(True, False) == (False, False)
// i8(-128, -128) == (0, 64)
// i8(-128, 127) == (-128, -64)
func.func @f(%x: i1, %y: i1) -> (i1, i1) {
  %low, %high = arith.mulsi_extended %x, %y : i1
  return %low, %high : i1, i1
}
func.func @i8(%x: i8, %y: i8) -> (i8, i8) {
  %low, %high = arith.mulsi_extended %x, %y : i8
  return %low, %high : i8, i8
}
// -----
// llvm/llvm-project#137509: the high half of a product of indices differed after sccp
// after: sccp
// f(10283417) == (10283417**2, 0)
// f(-1) == (1, -2)
func.func @f(%x: index) -> (index, index) {
  %low, %high = arith.mului_extended %x, %x : index
  return %low, %high : index, index
}
// -----
// llvm/llvm-project#137281: the carry of a sum of i1 was known wrongly
// f(False, False) == (False, False)
// f(True, True) == (False, True)
// f(True, False) == (True, False)
func.func @f(%x: i1, %y: i1) -> (i1, i1) {
  %sum, %carry = arith.addui_extended %x, %y : i1, i1
  return %sum, %carry : i1, i1
}
// -----
// llvm/llvm-project#218495: a shift by 32 was narrowed to 32 bits
// after: tensoraccess-canonicalize
// f(4, 32) == (0, 4 << 32, 0)
// f(-4, 63) == (1, 0, -1)
func.func @f(%x: i64, %n: i64) -> (i64, i64, i64) {
  %0 = arith.shrui %x, %n : i64
  %1 = arith.shli %x, %n : i64
  %2 = arith.shrsi %x, %n : i64
  return %0, %1, %2 : i64, i64, i64
}
// -----
// llvm/llvm-project#216315: widening twice kept a promise that holds for the second only
// after: tensoraccess-canonicalize
// f(True) == (1, 1)
// f(False) == (0, 0)
func.func @f(%x: i1) -> (i32, i32) {
  %0 = arith.extui %x : i1 to i8
  %1 = arith.extui %0 : i8 to i32
  %2 = arith.extsi %0 : i8 to i32
  return %1, %2 : i32, i32
}
// -----
// llvm/llvm-project#148795: a bitcast of a bitcast was folded to its operand, whose type is
//   another
// after: tensoraccess-canonicalize
// f(0x3f80) == 1
// back(0x3f80) == 0x3f80
func.func @f(%x: i16) -> f32 {
  %0 = arith.bitcast %x : i16 to f16
  %1 = arith.bitcast %0 : f16 to bf16
  %2 = arith.extf %1 : bf16 to f32
  return %2 : f32
}
func.func @back(%x: i16) -> i16 {
  %0 = arith.bitcast %x : i16 to f16
  %1 = arith.bitcast %0 : f16 to i16
  return %1 : i16
}
// -----
// llvm/llvm-project#94431: remainders of floats differed from fmod
// f(25152., 39040.) == 25152.
// f(7668., 25152.) == 7668.
// f(-7.5, 2.) == -1.5
// f(7.5, -2.) == 1.5
func.func @f(%x: f32, %y: f32) -> f32 {
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}
// -----
// openxla/stablehlo#2633: and, or with 1 were folded as if all bits were ones
// after: tensoraccess-canonicalize
// f([6, 7, -1, 0]) == ([0, 1, 1, 0], [7, 7, -1, 1])
func.func @f(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %c1 = "stablehlo.constant"() <{value = dense<1> : tensor<4xi32>}>
    : () -> tensor<4xi32>
  %0 = "stablehlo.and"(%x, %c1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.or"(%x, %c1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}
// -----
// kasper0406/stablehlo-coreml#70: divisions of integers rounded down, not to 0
// f([7, -7, 7, -7], [2, 2, -2, -2]) == ([3, -3, -3, 3], [1, -1, 1, -1])
func.func @f(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = "stablehlo.divide"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.remainder"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}
// -----
// tensorflow/tensorflow#120233: a square of i8 that wraps was taken not to be negative
// f([12, 7, 20, 15, 11]) == [112, 49, 112, 31, 121]
func.func @f(%x: tensor<5xi8>) -> tensor<5xi8> {
  %z = "stablehlo.constant"() <{value = dense<0> : tensor<5xi8>}> : () -> tensor<5xi8>
  %0 = "stablehlo.multiply"(%x, %x) : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
  %1 = "stablehlo.compare"(%0, %z) <{
    comparison_direction = #stablehlo<comparison_direction LT>}>
    : (tensor<5xi8>, tensor<5xi8>) -> tensor<5xi1>
  %2 = "stablehlo.abs"(%0) : (tensor<5xi8>) -> tensor<5xi8>
  %3 = "stablehlo.select"(%1, %2, %0)
    : (tensor<5xi1>, tensor<5xi8>, tensor<5xi8>) -> tensor<5xi8>
  return %3 : tensor<5xi8>
}
