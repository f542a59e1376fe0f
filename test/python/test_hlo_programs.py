# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of StableHLO that speak of devices, of windows that fit nowhere, and of
sizes below a bound, on one device, against numpy."""

import numpy as np
import pytest

import tensoraccess as ta

RNG = np.random.default_rng(0)


def runs(text):
    module = ta.Module(text)
    return module.interpret(), module.compile(), module.compile(plain=True), module.run("tensoraccess-raise").compile()


def check(text, inputs, *want):
    for run in runs(text):
        got = run(*inputs)
        got = got if isinstance(got, tuple) else (got,)
        for g, w in zip(got, want, strict=True):
            assert g.shape == np.shape(w)
            np.testing.assert_array_equal(g, w)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


# ---------------------------------------------------------------------------
# Devices
# ---------------------------------------------------------------------------

T = "tensor<3x4xf32>"
SUM = """({ ^bb0(%p: tensor<f32>, %q: tensor<f32>):
  %s = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%s) : (tensor<f32>) -> () })"""


def device_program(op, attributes="", count="", of="stablehlo"):
    return f"""module attributes {{{count}}} {{ func.func @main(%a: {T}) -> {T} {{
      %0 = "{of}.{op}"(%a) <{{{attributes}}}> {SUM if "reduce" in op or "sum" in op else ""} : ({T}) -> {T}
      return %0 : {T} }} }}"""


ALONE = "replica_groups = dense<0> : tensor<1x1xi64>"
EACH = "replica_groups = dense<[[1], [0]]> : tensor<2x1xi64>"
TO_ALL = "split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64"
KEPT = [
    ("all_reduce", ALONE), ("all_reduce", EACH), ("all_reduce", "replica_groups = dense<> : tensor<0x0xi64>"),
    ("all_reduce", ALONE + ", use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"),
    ("all_reduce", "replica_groups = dense<[[0, -1], [1, 2]]> : tensor<2x2xi64>"),
    ("all_gather", f"all_gather_dim = 1 : i64, {ALONE}"), ("all_to_all", f"{TO_ALL}, {ALONE}"),
    ("reduce_scatter", f"scatter_dimension = 0 : i64, {ALONE}"), ("collective_broadcast", ALONE),
    ("collective_permute", "source_target_pairs = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>"),
]  # fmt: skip
CALLS = ["Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement",
         "xla.sdy.FuncResultSharding", "LayoutConstraint"]  # fmt: skip


@pytest.mark.parametrize("op, attributes", KEPT)
def test_exchanges_of_one_device(op, attributes):
    a = floats(3, 4)
    check(device_program(op, attributes), [a], a)


@pytest.mark.parametrize("target", CALLS)
def test_placements_of_a_whole_program(target):
    """What is annotated is whole, however many partitions it is for."""
    a, text = floats(3, 4), f'call_target_name = "{target}"'
    check(device_program("custom_call", text, "mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32"), [a], a)


def test_other_forms():
    a, zero = floats(3, 4), np.zeros((3, 4), np.float32)
    check(device_program("cross-replica-sum", ALONE, of="mhlo"), [a], a)
    # Who is in no group, or no target, has zeros.
    check(device_program("collective_broadcast", "replica_groups = dense<1> : tensor<1x1xi64>"), [a], zero)
    check(device_program("collective_permute", "source_target_pairs = dense<> : tensor<0x2xi64>"), [a], zero)
    check(f"""func.func @main(%a: {T}) -> {T} {{
      %0 = "sdy.manual_computation"(%a) ({{ ^bb0(%b: {T}):
        %1 = "stablehlo.all_reduce"(%b) <{{{ALONE}}}> {SUM} : ({T}) -> {T}
        %2 = "stablehlo.add"(%1, %b) : ({T}, {T}) -> {T}
        "sdy.return"(%2) : ({T}) -> () }}) : ({T}) -> {T}
      return %0 : {T} }}""", [a], a + a)
    module = ta.Module("""module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
      func.func @main() -> tensor<ui32> { %0 = "stablehlo.replica_id"() : () -> tensor<ui32> return %0 : tensor<ui32> } }""")
    assert module.compile()() == module.interpret()() == 0


PAIR = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
FOR_TWO = "mhlo.num_replicas = 2 : i32"


@pytest.mark.parametrize("op, attributes, count, message", [
    ("all_reduce", PAIR, "", "it is an exchange among 2 devices, and it runs on one here"),
    ("all_reduce", "", FOR_TWO, "it is an exchange among 2 devices"),
    ("all_gather", f"all_gather_dim = 1 : i64, {PAIR}", "", "it is an exchange among 2 devices"),
    ("all_reduce", ALONE + ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>",
     "mhlo.num_partitions = 4 : i32", "it is an exchange among 4 devices"),
    ("collective_permute", "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>", "",
     "device 0 sends to device 1, and it runs on one here"),
    ("reduce_scatter", "scatter_dimension = 0 : i64, replica_groups = dense<1> : tensor<1x1xi64>", "",
     "device 0 is in none of its groups"),
    ("all_to_all", TO_ALL.replace("split_count = 1", "split_count = 3") + ", " + ALONE, "",
     "its 'split_count' must be the size of its groups, 1"),
])  # fmt: skip
def test_exchanges_of_several(op, attributes, count, message):
    module = ta.Module(device_program(op, attributes, count))
    for make in (module.interpret, module.compile):
        with pytest.raises(ta.Error, match=f"'stablehlo.{op}' cannot be run: {message}"):
            make()(floats(3, 4))


def test_parts_of_several():
    module = ta.Module(f"""module attributes {{mhlo.num_partitions = 2 : i32}} {{ func.func @main(%a: {T}) -> tensor<3x2xf32> {{
      %0 = "stablehlo.custom_call"(%a) <{{call_target_name = "SPMDFullToShardShape"}}> : ({T}) -> tensor<3x2xf32>
      return %0 : tensor<3x2xf32> }} }}""")
    with pytest.raises(ta.Error, match="of 'tensor<3x4xf32>' it makes 'tensor<3x2xf32>', as on several devices"):
        module.compile()


# ---------------------------------------------------------------------------
# Windows that fit nowhere
# ---------------------------------------------------------------------------


def pool(shape, out, attributes, ends="f32"):
    x, y = (f"tensor<{''.join(f'{n}x' for n in s)}f32>" for s in (shape, out))
    return f"""func.func @main(%a: {x}) -> {y} {{
      %z = "stablehlo.constant"() <{{value = dense<0.0> : tensor<f32>}}> : () -> tensor<f32>
      %0 = "stablehlo.reduce_window"(%a, %z) <{{{attributes}}}> {SUM} : ({x}, tensor<f32>) -> {y}
      return %0 : {y} }}"""


@pytest.mark.parametrize("shape, out, attributes", [
    ((8,), (0,), "window_dimensions = array<i64: 12>"),
    ((8,), (0,), "window_dimensions = array<i64: 3>, window_dilations = array<i64: 4>, window_strides = array<i64: 5>"),
    ((8,), (0,), "window_dimensions = array<i64: 2>, padding = dense<[[-5, -4]]> : tensor<1x2xi64>"),
    ((0,), (0,), "window_dimensions = array<i64: 1>"),
    ((0, 3), (0, 3), "window_dimensions = array<i64: 2, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>"),
    ((3, 8), (3, 0), "window_dimensions = array<i64: 1, 9>"),
    ((3, 8), (0, 7), "window_dimensions = array<i64: 4, 2>"),
    ((8,), (0,), "window_dimensions = array<i64: 17>, base_dilations = array<i64: 2>"),
])  # fmt: skip
def test_no_window(shape, out, attributes):
    check(pool(shape, out, attributes), [floats(*shape)], np.zeros(out, np.float32))


def test_windows_of_padding():
    check(pool((0,), (2,), "window_dimensions = array<i64: 2>, padding = dense<[[2, 1]]> : tensor<1x2xi64>"),
          [floats(0)], np.zeros(2, np.float32))


def test_select_and_scatter_without_windows():
    a = floats(3)
    check("""func.func @main(%a: tensor<3xf32>, %b: tensor<0xf32>) -> tensor<3xf32> {
      %z = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
      %0 = "stablehlo.select_and_scatter"(%a, %b, %z) <{window_dimensions = array<i64: 5>}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %c = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%c) : (tensor<i1>) -> ()
      }, """ + SUM[1:-1] + """) : (tensor<3xf32>, tensor<0xf32>, tensor<f32>) -> tensor<3xf32>
      return %0 : tensor<3xf32> }""", [a, floats(0)], np.full(3, 2, np.float32))


@pytest.mark.parametrize("image, kernel, out", [
    ((1, 2, 3), (5, 3, 4), (1, 0, 4)), ((0, 6, 3), (2, 3, 4), (0, 5, 4)), ((2, 6, 3), (2, 3, 0), (2, 5, 0)),
    ((2, 6, 0), (2, 0, 4), (2, 5, 4)), ((1, 0, 3), (1, 3, 4), (1, 0, 4))])  # fmt: skip
def test_convolutions_of_nothing(image, kernel, out):
    x, k, y = (f"tensor<{'x'.join(map(str, s))}xf32>" for s in (image, kernel, out))
    check(f"""func.func @main(%x: {x}, %k: {k}) -> {y} {{
      %0 = "stablehlo.convolution"(%x, %k) <{{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
        batch_group_count = 1 : i64, feature_group_count = 1 : i64}}> : ({x}, {k}) -> {y}
      return %0 : {y} }}""", [floats(*image), floats(*kernel)], np.zeros(out, np.float32))


# ---------------------------------------------------------------------------
# Sizes below a bound
# ---------------------------------------------------------------------------

B = "tensor<?x2xi32, #stablehlo.bounds<4, ?>>"


def bounded(body, arguments, results):
    return f"""func.func @main({arguments}) -> {results} {{
      %two = "stablehlo.constant"() <{{value = dense<2> : tensor<i32>}}> : () -> tensor<i32>
      %zero = "stablehlo.constant"() <{{value = dense<0> : tensor<i32>}}> : () -> tensor<i32>
      {body} }}"""


def set_size(name, x, of, size="%n"):
    return (f'{name} = "stablehlo.set_dimension_size"({x}, {size}) <{{dimension = 0 : i64}}> : '
            f"({of}, tensor<i32>) -> {B}")  # fmt: skip


def test_a_loop_that_grows():
    """The size alone changes; what was cut off comes back."""
    x = RNG.integers(0, 99, (4, 2)).astype(np.int32)
    text = bounded(f"""{set_size("%s", "%x", "tensor<4x2xi32>", "%zero")}
      %one = "stablehlo.constant"() <{{value = dense<1> : tensor<i32>}}> : () -> tensor<i32>
      %r = "stablehlo.while"(%s) ({{ ^bb0(%a: {B}):
        %0 = "stablehlo.get_dimension_size"(%a) <{{dimension = 0 : i64}}> : ({B}) -> tensor<i32>
        %1 = "stablehlo.compare"(%0, %n) <{{comparison_direction = #stablehlo<comparison_direction LT>}}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%1) : (tensor<i1>) -> ()
      }}, {{ ^bb0(%a: {B}):
        %0 = "stablehlo.get_dimension_size"(%a) <{{dimension = 0 : i64}}> : ({B}) -> tensor<i32>
        %1 = "stablehlo.add"(%0, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        {set_size("%2", "%a", B, "%1")}
        "stablehlo.return"(%2) : ({B}) -> ()
      }}) : ({B}) -> {B}
      %m = "stablehlo.get_dimension_size"(%r) <{{dimension = 0 : i64}}> : ({B}) -> tensor<i32>
      return %m, %r : tensor<i32>, {B}""", "%x: tensor<4x2xi32>, %n: tensor<i32>", f"(tensor<i32>, {B})")
    module = ta.Module(text)
    for run in (module.interpret(), module.compile(), module.compile(plain=True)):
        for n in range(5):
            size, got = run(x, np.int32(n))
            assert size == n
            np.testing.assert_array_equal(got, x[:n])


def test_sizes_outside_of_their_bounds():
    plain = """func.func @main(%x: tensor<4x2xi32>, %n: tensor<i32>) -> tensor<?x2xi32> {
      %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 0 : i64}> : (tensor<4x2xi32>, tensor<i32>) -> tensor<?x2xi32>
      return %0 : tensor<?x2xi32> }"""
    held = bounded(f'{set_size("%s", "%x", "tensor<4x2xi32>")} return %s : {B}', "%x: tensor<4x2xi32>, %n: tensor<i32>", B)
    for text in (plain, held):
        module = ta.Module(text)
        for run in (module.interpret(), module.compile()):
            assert run(np.zeros((4, 2), np.int32), np.int32(4)).shape == (4, 2)
            for size in (5, -1, 2**31 - 1, -(2**31)):
                with pytest.raises(ta.Error, match=rf"set_dimension_size.*size {size} of dimension 0 must be in \[0, 4\]"):
                    run(np.zeros((4, 2), np.int32), np.int32(size))


def test_ops_on_bounded_sizes():
    x = RNG.integers(-9, 9, (4, 2)).astype(np.int32)
    R = "tensor<2x?xi32, #stablehlo.bounds<?, 4>>"
    text = bounded(f"""{set_size("%s", "%x", "tensor<4x2xi32>")}
      %d = "stablehlo.multiply"(%s, %s) : ({B}, {B}) -> {B}
      %t = "stablehlo.transpose"(%d) <{{permutation = array<i64: 1, 0>}}> : ({B}) -> {R}
      %c = "stablehlo.reduce"(%s, %zero) <{{dimensions = array<i64: 0>}}> ({{ ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %0 = "stablehlo.add"(%p, %q) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%0) : (tensor<i32>) -> () }}) : ({B}, tensor<i32>) -> tensor<2xi32>
      %b = "stablehlo.broadcast_in_dim"(%s) <{{broadcast_dimensions = array<i64: 1, 2>}}> : ({B}) -> tensor<3x?x2xi32, #stablehlo.bounds<?, 4, ?>>
      %f = "stablehlo.reshape"(%s) : ({B}) -> tensor<?x1x2xi32, #stablehlo.bounds<4, ?, ?>>
      return %t, %c, %b, %f : {R}, tensor<2xi32>, tensor<3x?x2xi32, #stablehlo.bounds<?, 4, ?>>, tensor<?x1x2xi32, #stablehlo.bounds<4, ?, ?>>""",
        "%x: tensor<4x2xi32>, %n: tensor<i32>",
        f"({R}, tensor<2xi32>, tensor<3x?x2xi32, #stablehlo.bounds<?, 4, ?>>, tensor<?x1x2xi32, #stablehlo.bounds<4, ?, ?>>)")  # fmt: skip
    module = ta.Module(text)
    for run in (module.interpret(), module.compile()):
        for n in range(5):
            s = x[:n]
            for got, want in zip(run(x, np.int32(n)), [(s * s).T, s.sum(0), np.stack([s] * 3), s[:, None]], strict=True):
                np.testing.assert_array_equal(got, want)


def test_bounded_arguments():
    """An argument has any size up to the bound, through calls, too."""
    text = bounded(f"""%0 = func.call @twice(%x) : ({B}) -> {B}
      return %0 : {B} }}
      func.func private @twice(%x: {B}) -> {B} {{
      %0 = "stablehlo.add"(%x, %x) : ({B}, {B}) -> {B}
      return %0 : {B}""", f"%x: {B}", B)
    module = ta.Module(text)
    for run in (module.interpret(), module.compile()):
        for n in range(5):
            x = RNG.integers(0, 99, (n, 2)).astype(np.int32)
            np.testing.assert_array_equal(run(x), x + x)
        with pytest.raises(ta.Error, match="argument 0 has size 5 in dimension 0, more than its bound 4"):
            run(np.zeros((5, 2), np.int32))


@pytest.mark.parametrize("op, message", [
    (f'%0 = "stablehlo.reverse"(%s) <{{dimensions = array<i64: 0>}}> : ({B}) -> {B}',
     "it is not supported on bounded sizes; give it static ones"),
    (f'%0 = "stablehlo.add"(%s, %s) : ({B}, {B}) -> tensor<?x2xi32, #stablehlo.bounds<5, ?>>',
     "dimension 0 of its result must have the bound of its operand's"),
    (f'%0 = "stablehlo.reshape"(%s) : ({B}) -> tensor<2x?xi32, #stablehlo.bounds<?, 4>>',
     "it must keep its only bounded dimension"),
])  # fmt: skip
def test_ops_that_have_no_bounded_form(op, message):
    result = op.rpartition("-> ")[2]
    text = bounded(f'{set_size("%s", "%x", "tensor<4x2xi32>")} {op} return %0 : {result}',
                   "%x: tensor<4x2xi32>, %n: tensor<i32>", result)
    with pytest.raises(ta.Error, match=f"'stablehlo.*' cannot be run: {message}"):
        ta.Module(text).compile()


def test_functions_that_are_not_run_may_have_bounds():
    module = ta.Module(f"""func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {{
      %0 = "stablehlo.add"(%x, %x) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %0 : tensor<2xi32> }}
      func.func @other(%x: {B}) -> tensor<?x2xi32> {{
      %0 = "test.op"(%x) : ({B}) -> tensor<?x2xi32>
      return %0 : tensor<?x2xi32> }}""")
    for run in (module.interpret(), module.compile()):
        np.testing.assert_array_equal(run(np.array([1, 2], np.int32)), [2, 4])
