// What is wrong with rules and options.
// RUN: split-file %s %t
// DEFINE: %{opt} = tensoraccess-opt %t/f.mlir
// DEFINE: %{check} = 2>&1 | FileCheck %s --check-prefix

// Rules that say that 5 is 6: no program comes out, however they are applied.
// RUN: not %{opt} --tensoraccess-saturate=rules=%t/contra.pdll %{check}=CONTRA
// RUN: not %{opt} --tensoraccess-saturate="rules=%t/contra.pdll scheduler=eager" \
// RUN:   %{check}=CONTRA
// RUN: not tensoraccess-translate %t/f.mlir --egraph-to-dot \
// RUN:   --egraph-rules=%t/contra.pdll %{check}=CONTRA
// CONTRA: f.mlir:1:1: error: the rules contradict each other, so that the program stays as it is: the constant {{[56]}} : i32 can't equal {{[56]}} : i32{{.*}}rules that were applied: S5, S6

// A guard of a dialect's attribute is left alone by mlir-pdll.
// RUN: %{opt} --tensoraccess-saturate=rules=%t/guard.pdll %{check}=GUARD
// GUARD-LABEL: @g
// GUARD: %[[D:.*]] = arith.subf
// GUARD: return %[[D]], %arg0
// RUN: not %{opt} --tensoraccess-saturate=rules=%t/text.pdll %{check}=TEXT
// TEXT: text.pdll:2:20: error: rule 'A': '#arith.fastmath<fst>' is not an attribute: expected
// TEXT: text.pdll:3:22: error: rule 'A': 'f3z2' is not a type:

// Rules that can't apply.
// RUN: %{opt} --tensoraccess-saturate=rules=%t/types.pdll %{check}=TYPES
// TYPES: types.pdll:1:1: warning: rule 'A' was refused wherever it matched, 1 time: a term of type i64 can't equal one of type i32
// RUN: tensoraccess-translate %t/f.mlir --egraph-to-dot --egraph-function=h \
// RUN:   --egraph-rules=%t/types.pdll %{check}=TYPES
// RUN: not %{opt} --tensoraccess-saturate=rules=%t/noattr.pdll %{check}=NOATTR
// NOATTR: noattr.pdll:1:85: error: rule 'A': 'arith.constant' needs attribute 'value'
// NOATTR: noattr.pdll:2:85: error: rule 'B': 'tensoraccess.access' needs attribute 'axis'
// NOATTR: noattr.pdll:3:106: error: rule 'C': 'linalg.transpose' needs attribute 'permutation'
// What a match gives is not missing; whether it is right is known then.
// RUN: %{opt} --tensoraccess-saturate=rules=%t/given.pdll %{check}=GIVEN
// GIVEN: given.pdll:1:1: warning: rule 'A' was refused wherever it matched, 1 time:{{.*}}predicate
// GIVEN-LABEL: @f
// RUN: not %{opt} --tensoraccess-saturate=rules=%t/count.pdll %{check}=COUNT
// COUNT: count.pdll:1:85: error: rule 'A': 'arith.addi' takes 2 operands, got 1
// RUN: not %{opt} --tensoraccess-saturate=rules=%t/made.pdll %{check}=MADE
// MADE: made.pdll:1:85: error: rule 'A': 'foo.nope', which it makes, is not registered, and no rule matches it
// RUN: not %{opt} --tensoraccess-saturate=rules=%t/adi.pdll %{check}=ADI
// ADI: adi.pdll:1:21: error: rule 'A': dialect 'arith' has no operation 'arith.adi'
// RUN: %{opt} --tensoraccess-saturate=rules=%t/unknown.pdll %{check}=NEVER
// NEVER: unknown.pdll:1:1: warning: rule 'A' never matched, and 'foo.nope' is not registered
// RUN: touch %t/empty.pdll
// RUN: not %{opt} --tensoraccess-saturate=rules=%t/empty.pdll %{check}=EMPTY
// EMPTY: empty.pdll:{{.*}}error: it has no rules

// RUN: not %{opt} --tensoraccess-saturate=rules=nope %{check}=SETS
// SETS: error: unknown rules 'nope'; known are access, arith, {{.*}}, anything else is a file
// RUN: not %{opt} --tensoraccess-saturate="rules=arith function=zz" \
// RUN:   %{check}=FUNCTION
// FUNCTION: error: there is no function 'zz' with a body; known are f, g, h
// RUN: not %{opt} --tensoraccess-saturate="rules=arith pdll=nofile" %{check}=PDLL
// PDLL: error: pdll: 'nofile' is not there or can't be run
// RUN: not %{opt} --tensoraccess-saturate="rules=arith max-seconds=0" \
// RUN:   %{check}=SECONDS
// SECONDS: error: the limit of seconds must be positive, got 0{{$}}
// RUN: not %{opt} --tensoraccess-saturate="rules=arith extraction-seconds=-1" \
// RUN:   %{check}=EXTRACTION
// EXTRACTION: error: the seconds of an extraction must not be negative, got -1{{$}}

//--- f.mlir
func.func @f(%a: i32, %b: i32, %c: i32, %d: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.subi %0, %c : i32
  %2 = arith.subi %a, %c : i32
  %3 = arith.muli %2, %d : i32
  return %1, %3 : i32, i32
}
func.func @g(%a: f32, %b: f32) -> (f32, f32) {
  %0 = arith.subf %a, %b : f32
  %1 = arith.subf %a, %b fastmath<fast> : f32
  return %0, %1 : f32, f32
}
func.func @h(%a: i32) -> i64 {
  %0 = arith.extsi %a : i32 to i64
  return %0 : i64
}
//--- contra.pdll
Pattern S5 { let i = op<arith.addi>(a: Value, b: Value) -> (t: Type); let r = op<arith.subi>(i.0, c: Value) -> (t); replace r with op<arith.constant>() {value = attr<"5 : i32">} -> (t); }
Pattern S6 { let i = op<arith.subi>(a: Value, b: Value) -> (t: Type); let r = op<arith.muli>(i.0, c: Value) -> (t); rewrite r with { replace i with op<arith.constant>() {value = attr<"6 : i32">} -> (t); replace r with op<arith.muli>(c, i.0) -> (t); }; }
Pattern AB { let r = op<arith.addi>(a: Value, b: Value) -> (t: Type); replace r with a; }
//--- guard.pdll
Pattern A { let r = op<arith.subf>(a: Value, b: Value) {fastmath = attr<"#arith.fastmath<fast>">} -> (t: Type); replace r with a; }
//--- text.pdll
Pattern A { let r = op<arith.subf>(a: Value, b: Value) {fastmath =
              attr<"#arith.fastmath<fst>">}
            -> (type<"f3z2">); replace r with a; }
//--- types.pdll
Pattern A { let r = op<arith.extsi>(a: Value); replace r with a; }
//--- noattr.pdll
Pattern A { let r = op<arith.addi>(a: Value, b: Value) -> (t: Type); replace r with op<arith.constant>() -> (t); }
Pattern B { let r = op<arith.addi>(a: Value, b: Value) -> (t: Type); replace r with op<tensoraccess.access>(a) -> (t); }
Pattern C { let r = op<linalg.add>(a: Value, b: Value, c: Value) -> (t: Type);            replace r with op<linalg.transpose>(a, c) -> (t); }
//--- given.pdll
Pattern A { let r = op<arith.addi>(a: Value, b: Value) {overflowFlags = f: Attr} -> (t: Type); replace r with op<arith.cmpi>(a, b) {predicate = f} -> (t); }
//--- count.pdll
Pattern A { let r = op<arith.addi>(a: Value, b: Value) -> (t: Type); replace r with op<arith.addi>(a) -> (t); }
//--- unknown.pdll
Pattern A { let r = op<foo.nope>(a: Value); replace r with a; }
//--- made.pdll
Pattern A { let r = op<arith.addi>(a: Value, b: Value) -> (t: Type); replace r with op<foo.nope>(a) -> (t); }
//--- adi.pdll
Pattern A { let r = op<arith.adi>(a: Value); replace r with a; }
