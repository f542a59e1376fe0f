# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Access forms and zero regions: what they say, elements do."""

import itertools

import numpy as np

import tensoraccess as ta

PROGRAM = """
func.func @main(%x: tensor<3x5xf32>, %y: tensor<2x5xf32>) -> tensor<7x7xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3x5xf32> -> !tensoraccess.access<3 | 5xf32>
  %1 = tensoraccess.access %y at 1
     : tensor<2x5xf32> -> !tensoraccess.access<2 | 5xf32>
  %2 = tensoraccess.concat %0, %1 axis 0
     : !tensoraccess.access<3 | 5xf32>, !tensoraccess.access<2 | 5xf32>
    -> !tensoraccess.access<5 | 5xf32>
  %3 = tensoraccess.pad %2 low = [1, 0] high = [1, 2] value = 0.0 : f32
     : !tensoraccess.access<5 | 5xf32> -> !tensoraccess.access<7 | 7xf32>
  %4 = tensoraccess.transpose %3 perm = [1, 0]
     : !tensoraccess.access<7 | 7xf32> -> !tensoraccess.access<7 | 7xf32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<7 | 7xf32> -> tensor<7x7xf32>
  return %5 : tensor<7x7xf32>
}
"""


def expected(x, y):
    joined = np.concatenate([x, y])
    return np.pad(joined, [(1, 1), (0, 2)]).T


def test_a_form_reads_what_numpy_reads():
    x = np.arange(1, 16, dtype=np.float32).reshape(3, 5)
    y = np.arange(16, 26, dtype=np.float32).reshape(2, 5)
    form = ta.Module(PROGRAM).access_forms()["main"][-1]
    assert form.op == "tensoraccess.to_tensor"
    assert (form.shape, form.out_of_bounds) == ([7, 7], "forbid")
    assert form.bases == ["%arg0", "%arg1"]
    assert form.background == "0.000000e+00 : f32"
    bases = {"%arg0": x, "%arg1": y}
    result = np.zeros((7, 7), np.float32)
    for index in itertools.product(range(7), range(7)):
        reads = [(p, p.map.evaluate(list(index))) for p in form.pieces]
        reads = [(p, at) for p, at in reads if at is not None]
        assert len(reads) <= 1
        for piece, at in reads:
            result[index] = bases[piece.base][tuple(at)]
    np.testing.assert_array_equal(result, expected(x, y))


def test_splits_and_texts():
    forms = ta.Module(PROGRAM).access_forms()["main"]
    assert [f.split for f in forms] == [1, 1, 1, 1, 1, 0]
    assert str(forms[0]).startswith("3x5: source 0 (d0, d1) -> (d0, d1)")
    assert repr(forms[0]).startswith("<AccessForm of %0: 3x5")
    assert forms[2].background is None and len(forms[2].pieces) == 2


def test_zero_regions_are_zero():
    zeros = ta.Module(PROGRAM).zero_regions()["main"][-1]
    assert zeros.axes == [[(5, 6)], [(0, 0), (6, 6)]]
    result = expected(np.ones((3, 5)), np.ones((2, 5)))
    for axis, intervals in enumerate(zeros.axes):
        for first, last in intervals:
            part = np.take(result, range(first, last + 1), axis)
            assert not part.any()


def test_products_need_finite_values():
    program = """
func.func @main(%x: tensor<3xf32>, %y: tensor<5xf32>) -> tensor<5xf32> {
  %0 = tensoraccess.access %x at 1
     : tensor<3xf32> -> !tensoraccess.access<3 | f32>
  %1 = tensoraccess.pad %0 low = [1] high = [1] value = 0.0 : f32
     : !tensoraccess.access<3 | f32> -> !tensoraccess.access<5 | f32>
  %2 = tensoraccess.access %y at 1
     : tensor<5xf32> -> !tensoraccess.access<5 | f32>
  %3 = tensoraccess.pair %1, %2
     : !tensoraccess.access<5 | f32>, !tensoraccess.access<5 | f32>
    -> !tensoraccess.access<5 | 2xf32>
  %4 = tensoraccess.compute elementwise_mul %3
     : !tensoraccess.access<5 | 2xf32> -> !tensoraccess.access<5 | f32>
  %5 = tensoraccess.to_tensor %4
     : !tensoraccess.access<5 | f32> -> tensor<5xf32>
  return %5 : tensor<5xf32>
}
"""
    module = ta.Module(program)
    ops = lambda zeros: [z.op.split(".")[1] for z in zeros["main"]]
    assert ops(module.zero_regions()) == ["pad"]
    assert ops(module.zero_regions(assume_finite=True)) == [
        "pad",
        "compute",
        "to_tensor",
    ]
