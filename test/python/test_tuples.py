# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuples and tokens of StableHLO in both engines: a tuple is its elements, a token
nothing."""

import numpy as np
import pytest

import tensoraccess as ta

T = "tensor<3xf32>"
NESTED = f"tuple<{T}, tuple<!stablehlo.token, tensor<2xi32>>, tuple<>>"
X, I = np.arange(3, dtype=np.float32), np.array([7, -8], np.int32)


def run(text, *arrays):
    module = ta.Module(text)
    results = []
    for program in (module.interpret(), module.compile()):
        assert len(program.inputs) == len(arrays)
        got = program(*arrays)
        results.append(got if isinstance(got, tuple) else (got,))
    for a, b in zip(*results, strict=True):
        np.testing.assert_array_equal(a, b)
    return results[0]


def test_ends_of_functions():
    x, i = run(
        f"""func.func @main(%t: !stablehlo.token, %a: {NESTED})
              -> ({NESTED}, !stablehlo.token) {{
          %s = "stablehlo.after_all"(%t) : (!stablehlo.token) -> !stablehlo.token
          return %a, %s : {NESTED}, !stablehlo.token }}""",
        X, I,
    )  # fmt: skip
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(i, I)


def test_elements():
    inner = "tuple<!stablehlo.token, tensor<2xi32>>"
    y, x, i = run(
        f"""func.func @main(%a: {NESTED}, %y: {T}) -> ({T}, {T}, tensor<2xi32>) {{
          %x = "stablehlo.get_tuple_element"(%a) {{index = 0 : i32}} : ({NESTED}) -> {T}
          %b = "stablehlo.get_tuple_element"(%a) {{index = 1 : i32}} : ({NESTED}) -> {inner}
          %i = "stablehlo.get_tuple_element"(%b) {{index = 1 : i32}} : ({inner}) -> tensor<2xi32>
          %c = "stablehlo.tuple"(%y, %b) : ({T}, {inner}) -> tuple<{T}, {inner}>
          %d = "stablehlo.get_tuple_element"(%c) {{index = 0 : i32}} : (tuple<{T}, {inner}>) -> {T}
          return %d, %x, %i : {T}, {T}, tensor<2xi32> }}""",
        X, I, X + 1,
    )  # fmt: skip
    np.testing.assert_array_equal(y, X + 1)
    np.testing.assert_array_equal(x, X)
    np.testing.assert_array_equal(i, I)


def test_loops_branches_and_calls():
    pair = f"tuple<{T}, tensor<i32>>"
    text = f"""
    func.func private @step(%p: {pair}) -> {pair} {{
      %x = "stablehlo.get_tuple_element"(%p) {{index = 0 : i32}} : ({pair}) -> {T}
      %i = "stablehlo.get_tuple_element"(%p) {{index = 1 : i32}} : ({pair}) -> tensor<i32>
      %one = "stablehlo.constant"() {{value = dense<1> : tensor<i32>}} : () -> tensor<i32>
      %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %y = "stablehlo.add"(%x, %x) : ({T}, {T}) -> {T}
      %q = "stablehlo.tuple"(%y, %j) : ({T}, tensor<i32>) -> {pair}
      return %q : {pair}
    }}
    func.func @main(%p: {pair}, %n: tensor<i32>) -> {pair} {{
      %t = "stablehlo.create_token"() : () -> !stablehlo.token
      %r:2 = "stablehlo.while"(%p, %t) ({{
        ^bb0(%q: {pair}, %s: !stablehlo.token):
          %i = "stablehlo.get_tuple_element"(%q) {{index = 1 : i32}} : ({pair}) -> tensor<i32>
          %c = "stablehlo.compare"(%i, %n) {{comparison_direction =
            #stablehlo<comparison_direction LT>}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
          "stablehlo.return"(%c) : (tensor<i1>) -> ()
      }}, {{
        ^bb0(%q: {pair}, %s: !stablehlo.token):
          %u = func.call @step(%q) : ({pair}) -> {pair}
          "stablehlo.return"(%u, %s) : ({pair}, !stablehlo.token) -> ()
      }}) : ({pair}, !stablehlo.token) -> ({pair}, !stablehlo.token)
      %zero = "stablehlo.constant"() {{value = dense<0> : tensor<i32>}} : () -> tensor<i32>
      %k = "stablehlo.compare"(%n, %zero) {{comparison_direction =
        #stablehlo<comparison_direction GE>}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %o = "stablehlo.if"(%k) ({{
        "stablehlo.return"(%r#0) : ({pair}) -> ()
      }}, {{
        "stablehlo.return"(%p) : ({pair}) -> ()
      }}) : (tensor<i1>) -> {pair}
      return %o : {pair}
    }}"""
    x, i = run(text, X, np.int32(2), np.int32(5))
    np.testing.assert_array_equal(x, 8 * X)
    assert i == 5
    x, i = run(text, X, np.int32(2), np.int32(-1))
    np.testing.assert_array_equal(x, X)


@pytest.mark.parametrize(
    "text, message",
    [
        (f"""func.func @main(%t: !stablehlo.token) -> {T} {{
           %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> ({T}, !stablehlo.token)
           return %0#0 : {T} }}""",
         "'stablehlo.infeed' are not taken apart: it is not supported"),
        (f"""func.func @main(%x: {T}) -> tuple<{T}> {{
           %0 = "stablehlo.tuple"(%x, %x) : ({T}, {T}) -> tuple<{T}>
           return %0 : tuple<{T}> }}""", "must be a tuple of its operands"),
        (f"""func.func @main(%x: tuple<{T}>) -> {T} {{
           %0 = "stablehlo.get_tuple_element"(%x) {{index = 1 : i32}} : (tuple<{T}>) -> {T}
           return %0 : {T} }}""", "its index must be that of an element"),
        (f"""func.func @main(%x: {T}) -> {T} {{
           %0 = "stablehlo.after_all"(%x) : ({T}) -> !stablehlo.token
           return %x : {T} }}""", "it must make a token of tokens"),
    ],
)  # fmt: skip
def test_refused(text, message):
    with pytest.raises(ta.Error, match=message):
        ta.Module(text).run("builtin.module(tensoraccess-expand-stablehlo)")
