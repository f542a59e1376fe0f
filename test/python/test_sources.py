# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sources of runtime variables, and replica maps of collectives."""

import tensoraccess as ta

GATHER = """
func.func @main(%x: tensor<9x4xf32>, %i: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %r = "stablehlo.gather"(%x, %i) <{
         dimension_numbers = #stablehlo.gather<offset_dims = [1],
           collapsed_slice_dims = [0], start_index_map = [0],
           index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
         : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
"""

ALL_GATHER = """
func.func @main(%x: tensor<4x3xf32>) -> tensor<8x3xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
         replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
         : (tensor<4x3xf32>) -> tensor<8x3xf32>
  return %r : tensor<8x3xf32>
}
"""


def test_sources_both_ways():
    (gather,) = ta.Module(GATHER).indexing()["main"]
    assert set(gather.runtime_sources) == {"output_to_input", "input_to_output"}
    # [result][operand][map][runtime variable], as the lists of maps
    down = gather.runtime_sources["output_to_input"]
    assert [len(maps) for maps in down[0]] == [1, 1] and down[0][1] == [[]]
    ((source,),) = down[0][0]
    assert isinstance(source, ta.RuntimeSource)
    assert source.operand == 1 and source.clamp == (0, 8)
    assert source.map.evaluate([3, 2], [], [7]) == [3, 0]
    assert "operand 1" in repr(source)
    # The other way, which output row is asked is a symbol.
    ((source,),) = gather.runtime_sources["input_to_output"][0][0]
    assert source.map.evaluate([7, 2], [4], [7]) == [4, 0]
    assert gather.replicas["output_to_input"] == [[[None], [None]]]


def test_unclamped_source_of_a_function():
    mod = ta.Module("""
func.func @main(%x: tensor<9xf32>, %unused: index, %i: index) -> tensor<3xf32> {
  %r = tensor.extract_slice %x[%i] [3] [1] : tensor<9xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}""")
    indexing = mod.function_indexing()
    ((source,),) = indexing.runtime_sources["output_to_input"][0][0]
    assert source.operand == 2 and source.clamp is None
    assert source.map.evaluate([1], [], [4]) == []


def test_no_source_where_nobody_can_tell():
    mod = ta.Module("""
func.func @main(%x: tensor<9xf32>, %i: index) -> tensor<3xf32> {
  %j = arith.muli %i, %i : index
  %r = tensor.extract_slice %x[%j] [3] [1] : tensor<9xf32> to tensor<3xf32>
  return %r : tensor<3xf32>
}""")
    indexing = mod.function_indexing()
    assert indexing.runtime_sources["output_to_input"][0][0] == [[None]]


def test_replicas_both_ways():
    (gather,) = ta.Module(ALL_GATHER).indexing()["main"]
    (index,) = gather.output_to_input[0][0]
    (replica,) = gather.replicas["output_to_input"][0][0]
    assert index.evaluate([6, 1]) == [2, 1] and replica.evaluate([6, 1]) == [1]
    (index,) = gather.input_to_output[0][0]
    (replica,) = gather.replicas["input_to_output"][0][0]
    assert index.evaluate([2, 1], [1]) == [6, 1]
    assert replica.evaluate([2, 1], [1]) == [1]
    assert gather.runtime_sources["output_to_input"] == [[[[]]]]
