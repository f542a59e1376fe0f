# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large constants, which compiled code finds beside it."""

import numpy as np
import pytest

import tensoraccess as ta

N = 1 << 15
TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i8": np.int8}


def literal(array):
    return f'dense<"0x{array.tobytes().hex().upper()}">'


def numbers(kind, seed=1, n=N):
    return np.random.default_rng(seed).integers(-100, 100, n).astype(TYPES[kind])


CONSTANTS = {
    "arith": "arith.constant {value} : {type}",
    "stablehlo": '"stablehlo.constant"() {{value = {value} : {type}}} : () -> {type}',
    "tosa": '"tosa.const"() {{values = {value} : {type}}} : () -> {type}',
}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("dialect", CONSTANTS)
def test_elements(kind, dialect):
    w, t = numbers(kind, n=2 * N), f"tensor<{2 * N}x{kind}>"
    constant = CONSTANTS[dialect].format(value=literal(w), type=t)
    program = ta.Module(f"""func.func @main(%x: {t}) -> ({t}, {t}) {{
      %w = {constant}
      %y = "stablehlo.subtract"(%x, %w) : ({t}, {t}) -> {t}
      return %y, %w : {t}, {t} }}""").compile(cache=False)  # fmt: skip
    x = numbers(kind, 2, n=2 * N)
    for _ in range(2):
        got, same = program(x)
        np.testing.assert_array_equal(got, x - w)
        np.testing.assert_array_equal(same, w)
        same[:] = 7  # A result is the caller's, not the program's.


def test_what_writes_does_not_write_into_it():
    w, t = numbers("f32"), f"tensor<{N}xf32>"
    text = f"""func.func @main(%u: tensor<5xf32>, %n: tensor<i32>) -> ({t}, {t}, {t}) {{
      %w = "stablehlo.constant"() {{value = {literal(w)} : {t}}} : () -> {t}
      %a = "stablehlo.dynamic_update_slice"(%w, %u, %n)
        : ({t}, tensor<5xf32>, tensor<i32>) -> {t}
      %z = "stablehlo.constant"() {{value = dense<0> : tensor<i32>}} : () -> tensor<i32>
      %l:2 = "stablehlo.while"(%z, %w) ({{
        ^bb0(%i: tensor<i32>, %s: {t}):
          %c = "stablehlo.compare"(%i, %n) {{comparison_direction =
            #stablehlo<comparison_direction LT>}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
          "stablehlo.return"(%c) : (tensor<i1>) -> ()
      }}, {{
        ^bb0(%i: tensor<i32>, %s: {t}):
          %one = "stablehlo.constant"() {{value = dense<1> : tensor<i32>}} : () -> tensor<i32>
          %j = "stablehlo.add"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
          %d = "stablehlo.add"(%s, %s) : ({t}, {t}) -> {t}
          "stablehlo.return"(%j, %d) : (tensor<i32>, {t}) -> ()
      }}) : (tensor<i32>, {t}) -> (tensor<i32>, {t})
      return %a, %l#1, %w : {t}, {t}, {t} }}"""
    program = ta.Module(text).compile(cache=False)
    u = np.full(5, 1000, np.float32)
    for n in (3, 0, 2):
        updated, doubled, same = program(u, np.int32(n))
        want = w.copy()
        want[n : n + 5] = u
        np.testing.assert_array_equal(updated, want)
        np.testing.assert_array_equal(doubled, w * 2**n)
        np.testing.assert_array_equal(same, w)


def test_models_that_differ_in_weights_only_share_code(tmp_path, monkeypatch):
    monkeypatch.setenv("TENSORACCESS_CACHE", str(tmp_path))
    t, x = f"tensor<{N}xf32>", numbers("f32", 9)
    programs = []
    for seed in range(3):
        w = numbers("f32", seed)
        program = ta.Module(f"""func.func @main(%x: {t}) -> {t} {{
          %w = arith.constant {literal(w)} : {t}
          %y = "stablehlo.multiply"(%x, %w) : ({t}, {t}) -> {t}
          return %y : {t} }}""").compile()
        programs.append((program, w))
    assert len(list(tmp_path.glob("llvmcache-*"))) == 1
    for program, w in programs:
        np.testing.assert_array_equal(program(x), x * w)
