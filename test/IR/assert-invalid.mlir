// RUN: tensoraccess-opt %s --split-input-file --verify-diagnostics

// assert_c1: every number names a value.
func.func @assert_c1(%holds: i1, %size: index) {
  // expected-error @+1 {{'tensoraccess.assert' op message names value 1, but there are 1}}
  tensoraccess.assert %holds, "{0} and {1}"(%size : index)
  return
}

// -----

// assert_c1_brace: a brace that is not part of a value is doubled.
func.func @assert_c1_brace(%holds: i1) {
  // expected-error @+1 {{'tensoraccess.assert' op message has a brace at place 2 that names no value; `{{` stands for a brace}}
  tensoraccess.assert %holds, "a {b}"
  return
}
