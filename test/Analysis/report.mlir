// RUN: tensoraccess-opt %s --tensoraccess-report=sections=fusion,utilization,footprint --remarks-filter=tensoraccess --remark-format=emitRemark --split-input-file --verify-diagnostics

// XLA's example, p0 + transpose(p0) over 30x30: 900 elements of %arg0, each read
// 1800 / 900 = 2 times; each element of the transpose is computed once.
// expected-remark@+4 {{[Analysis] group | Category:tensoraccess:fusion | Function=twice | Computed=1800, Needed=1800, Operands=1, Ops=3, RecomputeFactor=1, Remark="fused as a whole, 1800 elements are computed where 1800 differ", Results=1}}
// expected-remark@+3 {{[Analysis] operand | Category:tensoraccess:fusion | Function=twice | Bytes=3600, Elements=900, Multiplicity=2, Operand=%arg0, Patterns=2, Reads=1800, Remark="%arg0 is read in two ways: directly; through linalg.transpose; each of 900 elements twice", Rereads=900, Unique=900, Utilization=1}}
// Read: 3600 by the transpose, twice 3600 by the sum. Written: 3600 each.
// expected-remark@+1 {{[Analysis] function | Category:tensoraccess:footprint | Function=twice | ArgumentBytes=3600, BytesRead=10800, BytesWritten=7200, Remark="op by op, 10800 bytes are read and 7200 written; arguments and results are 3600 and 3600", ResultBytes=3600}}
func.func @twice(%p0: tensor<30x30xf32>) -> tensor<30x30xf32> {
  %e = tensor.empty() : tensor<30x30xf32>
  // expected-remark@+7 {{[Analysis] producer | Category:tensoraccess:fusion | Function=twice | Bytes=3600, Elements=900, Multiplicity=1, Patterns=1, Producer=linalg.transpose, Reads=900, Remark="%transposed is computed in one way: directly; each of 900 elements once", Rereads=0, Unique=900, Utilization=1, Value=%transposed}}
  // The destination of a transpose is not read.
  // expected-remark@+5 {{[Analysis] operand | Category:tensoraccess:utilization | Function=twice | Bytes=3600, Elements=900, Multiplicity=1, Op=linalg.transpose, Operand=0, Patterns=1, Reads=900, Remark="linalg.transpose reads 900 of 900 elements, each once", Rereads=0, Unique=900, Utilization=1}}
  // expected-remark@+4 {{[Analysis] operand | Category:tensoraccess:utilization | Function=twice | Bytes=0, Elements=900, Op=linalg.transpose, Operand=1, Patterns=0, Reads=0, Remark="linalg.transpose reads none of 900 elements", Rereads=0, Unique=0, Utilization=0}}
  // expected-remark@+3 {{[Analysis] operand | Category:tensoraccess:footprint | Function=twice | Bytes=3600, Hull="[0, 30) x [0, 30)", HullKind=exact, Op=linalg.transpose, Operand=0, OperandBytes=3600, Unique=900}}
  // expected-remark@+2 {{[Analysis] operand | Category:tensoraccess:footprint | Function=twice | Bytes=0, Op=linalg.transpose, Operand=1, OperandBytes=3600, Unique=0}}
  // expected-remark@+1 {{[Analysis] result | Category:tensoraccess:footprint | Function=twice | Bytes=3600, Op=linalg.transpose, Result=0}}
  %t = linalg.transpose ins(%p0 : tensor<30x30xf32>) outs(%e : tensor<30x30xf32>) permutation = [1, 0]
  // expected-remark@+7 {{[Analysis] producer | Category:tensoraccess:fusion | Function=twice | Bytes=3600, Elements=900, Multiplicity=1, Patterns=1, Producer=arith.addf, Reads=900, Remark="%1 is computed in one way: as a result; each of 900 elements once", Rereads=0, Unique=900, Utilization=1, Value=%1}}
  // expected-remark@+6 {{[Analysis] edge | Category:tensoraccess:fusion | Function=twice | Bytes=3600, Consumer=arith.addf, Elements=900, Multiplicity=1, OtherUses=0, Patterns=1, Producer=linalg.transpose, Reads=900, Remark="fusing linalg.transpose into arith.addf computes nothing twice", Rereads=0, Unique=900, Utilization=1, Value=%transposed}}
  // expected-remark@+5 {{[Analysis] operand | Category:tensoraccess:utilization | Function=twice | Bytes=3600, Elements=900, Multiplicity=1, Op=arith.addf, Operand=0, Patterns=1, Reads=900, Remark="arith.addf reads 900 of 900 elements, each once", Rereads=0, Unique=900, Utilization=1}}
  // expected-remark@+4 {{[Analysis] operand | Category:tensoraccess:utilization | Function=twice | Bytes=3600, Elements=900, Multiplicity=1, Op=arith.addf, Operand=1, Patterns=1, Reads=900, Remark="arith.addf reads 900 of 900 elements, each once", Rereads=0, Unique=900, Utilization=1}}
  // expected-remark@+3 {{[Analysis] operand | Category:tensoraccess:footprint | Function=twice | Bytes=3600, Hull="[0, 30) x [0, 30)", HullKind=exact, Op=arith.addf, Operand=0, OperandBytes=3600, Unique=900}}
  // expected-remark@+2 {{[Analysis] operand | Category:tensoraccess:footprint | Function=twice | Bytes=3600, Hull="[0, 30) x [0, 30)", HullKind=exact, Op=arith.addf, Operand=1, OperandBytes=3600, Unique=900}}
  // expected-remark@+1 {{[Analysis] result | Category:tensoraccess:footprint | Function=twice | Bytes=3600, Op=arith.addf, Result=0}}
  %a = arith.addf %p0, %t : tensor<30x30xf32>
  return %a : tensor<30x30xf32>
}

// -----

// What is not known names the op that hides it, and why.
// expected-remark@+4 {{[Analysis] group | Category:tensoraccess:fusion | Function=unknown | Operands=2, Ops=3, Results=1}}
// expected-remark@+3 {{[Missed] operand | Category:tensoraccess:fusion | Function=unknown | Elements=3, Operand=%arg0, Reason="no.such: unregistered operation", Remark="how %arg0 is read is not known"}}
// expected-remark@+2 {{[Missed] operand | Category:tensoraccess:fusion | Function=unknown | Elements=1, Operand=%arg1, Reason="no.such: unregistered operation", Remark="how %arg1 is read is not known"}}
// expected-remark@+1 {{[Missed] function | Category:tensoraccess:footprint | Function=unknown | Reason="tensor.extract_slice: it depends on runtime variables"}}
func.func @unknown(%x: tensor<3xf32>, %i: index) -> tensor<2xf32> {
  // The slice lies somewhere in %x, so there is a hull, and no count.
  // expected-remark@+5 {{[Missed] producer | Category:tensoraccess:fusion | Function=unknown | Elements=2, Producer=tensor.extract_slice, Reason="no.such: unregistered operation", Value=%extracted_slice}}
  // expected-remark@+4 {{[Missed] operand | Category:tensoraccess:utilization | Function=unknown | Elements=3, Op=tensor.extract_slice, Operand=0, Reason="tensor.extract_slice: it depends on runtime variables"}}
  // expected-remark@+3 {{[Missed] operand | Category:tensoraccess:footprint | Function=unknown | Hull="[0, 3)", HullKind=hull, Op=tensor.extract_slice, Operand=0, OperandBytes=12, Reason="tensor.extract_slice: it depends on runtime variables"}}
  // expected-remark@+2 {{[Analysis] result | Category:tensoraccess:footprint | Function=unknown | Bytes=8, Op=tensor.extract_slice, Result=0}}
  // A scalar is not data: no item.
  %s = tensor.extract_slice %x[%i] [2] [1] : tensor<3xf32> to tensor<2xf32>
  // expected-remark@+5 {{[Missed] edge | Category:tensoraccess:fusion | Function=unknown | Consumer=no.such, Elements=2, OtherUses=0, Producer=tensor.extract_slice, Reason="no.such: unregistered operation", Remark="what fusing tensor.extract_slice into no.such computes again is not known", Value=%extracted_slice}}
  // expected-remark@+4 {{[Analysis] producer | Category:tensoraccess:fusion | Function=unknown | Bytes=8, Elements=2, Multiplicity=1, Patterns=1, Producer=no.such, Reads=2, Remark="%0 is computed in one way: directly; each of 2 elements once", Rereads=0, Unique=2, Utilization=1, Value=%0}}
  // expected-remark@+3 {{[Missed] operand | Category:tensoraccess:utilization | Function=unknown | Elements=2, Op=no.such, Operand=0, Reason="no.such: unregistered operation"}}
  // expected-remark@+2 {{[Missed] operand | Category:tensoraccess:footprint | Function=unknown | Op=no.such, Operand=0, OperandBytes=8, Reason="no.such: unregistered operation"}}
  // expected-remark@+1 {{[Analysis] result | Category:tensoraccess:footprint | Function=unknown | Bytes=8, Op=no.such, Result=0}}
  %b = "no.such"(%s) : (tensor<2xf32>) -> tensor<2xf32>
  // expected-remark@+5 {{[Analysis] edge | Category:tensoraccess:fusion | Function=unknown | Bytes=8, Consumer=math.exp, Elements=2, Multiplicity=1, OtherUses=0, Patterns=1, Producer=no.such, Reads=2, Remark="fusing no.such into math.exp computes nothing twice", Rereads=0, Unique=2, Utilization=1, Value=%0}}
  // expected-remark@+4 {{[Analysis] producer | Category:tensoraccess:fusion | Function=unknown | Bytes=8, Elements=2, Multiplicity=1, Patterns=1, Producer=math.exp, Reads=2, Remark="%1 is computed in one way: as a result; each of 2 elements once", Rereads=0, Unique=2, Utilization=1, Value=%1}}
  // expected-remark@+3 {{[Analysis] operand | Category:tensoraccess:utilization | Function=unknown | Bytes=8, Elements=2, Multiplicity=1, Op=math.exp, Operand=0, Patterns=1, Reads=2, Remark="math.exp reads 2 of 2 elements, each once", Rereads=0, Unique=2, Utilization=1}}
  // expected-remark@+2 {{[Analysis] operand | Category:tensoraccess:footprint | Function=unknown | Bytes=8, Hull="[0, 2)", HullKind=exact, Op=math.exp, Operand=0, OperandBytes=8, Unique=2}}
  // expected-remark@+1 {{[Analysis] result | Category:tensoraccess:footprint | Function=unknown | Bytes=8, Op=math.exp, Result=0}}
  %c = math.exp %b : tensor<2xf32>
  return %c : tensor<2xf32>
}

// -----

// Inside of a call, it is the op in the callee.
// expected-remark@+3 {{[Analysis] group}}
// expected-remark@+2 {{[Missed] operand | Category:tensoraccess:fusion | Function=caller | Elements=3, Operand=%arg0, Reason="no.such: unregistered operation", Remark="how %arg0 is read is not known"}}
// expected-remark@+1 {{[Missed] function | Category:tensoraccess:footprint | Function=caller | Reason="no.such: unregistered operation"}}
func.func @caller(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-remark@+4 {{[Analysis] producer}}
  // expected-remark@+3 {{[Missed] operand | Category:tensoraccess:utilization | Function=caller | Elements=3, Op=func.call, Operand=0, Reason="no.such: unregistered operation"}}
  // expected-remark@+2 {{[Missed] operand | Category:tensoraccess:footprint | Function=caller | Op=func.call, Operand=0, OperandBytes=12, Reason="no.such: unregistered operation"}}
  // expected-remark@+1 {{[Analysis] result}}
  %a = func.call @callee(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %a : tensor<3xf32>
}
// expected-remark@+3 {{[Analysis] group}}
// expected-remark@+2 {{[Missed] operand | Category:tensoraccess:fusion | Function=callee}}
// expected-remark@+1 {{[Missed] function}}
func.func private @callee(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-remark@+4 {{[Analysis] producer}}
  // expected-remark@+3 {{[Missed] operand | Category:tensoraccess:utilization}}
  // expected-remark@+2 {{[Missed] operand | Category:tensoraccess:footprint}}
  // expected-remark@+1 {{[Analysis] result}}
  %a = "no.such"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %a : tensor<3xf32>
}
