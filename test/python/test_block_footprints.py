# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Blocks of ops: numpy says what they touch."""

import itertools
import pickle
import random

import pytest

import tensoraccess as ta

CONV = """
func.func @main(%x: tensor<2x9x7x3xf32>, %k: tensor<3x2x3x5xf32>,
                %z: tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>,
                                 dilations = dense<1> : tensor<2xi64>}
         ins(%x, %k : tensor<2x9x7x3xf32>, tensor<3x2x3x5xf32>)
         outs(%z : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %1 = tensor.collapse_shape %0 [[0, 1], [2, 3]]
         : tensor<2x4x6x5xf32> into tensor<8x30xf32>
  %2 = "no.such"(%1) : (tensor<8x30xf32>) -> tensor<8x30xf32>
  %3 = tensor.cast %2 : tensor<8x30xf32> to tensor<?x30xf32>
  return %0 : tensor<2x4x6x5xf32>
}"""


@pytest.fixture(scope="module")
def mod():
    return ta.Module(CONV)


def points(block):
    return itertools.product(*(range(l, h) for l, h in zip(block.lo, block.hi)))


def test_axes_and_projections(mod):
    space = mod.block_space("linalg.conv_2d_nhwc_hwcf")
    assert space.op == "linalg.conv_2d_nhwc_hwcf"
    assert [a.extent for a in space.axes] == [2, 4, 6, 5, 3, 2, 3]
    assert [a.name for a in space.axes if a.summed] == ["d4", "d5", "d6"]
    assert [(v.role, v.number, v.name) for v in space.values] == [
        ("operand", 0, "%arg0"),
        ("operand", 1, "%arg1"),
        ("operand", 2, "%arg2"),
        ("result", 0, "%0"),
    ]
    image = space.values[0]
    assert image.type == "tensor<2x9x7x3xf32>" and image.reason is None
    assert image.projection.matrix[1] == [0, 2, 0, 0, 1, 0, 0]
    assert len(image.maps) == 1
    assert space.whole == ta.Box([0] * 7, [2, 4, 6, 5, 3, 2, 3])
    assert repr(space) == (
        "<BlockSpace of linalg.conv_2d_nhwc_hwcf: d0 2, d1 4, d2 6, d3 5, d4 3 summed, "
        "d5 2 summed, d6 3 summed>")  # fmt: skip
    assert repr(image).startswith("BlockValue(role='operand', number=0, name='%arg0', ")
    assert repr(space.axes[4]) == "<BlockAxis d4: 3, summed>"


# What is touched, element by element, for random blocks.
def test_against_loops(mod):
    rng = random.Random(7)
    space = mod.block_space("linalg.conv_2d_nhwc_hwcf")
    index = [
        lambda n, h, w, f, kh, kw, c: (n, 2 * h + kh, w + kw, c),
        lambda n, h, w, f, kh, kw, c: (kh, kw, c, f),
        lambda n, h, w, f, kh, kw, c: (n, h, w, f),
        lambda n, h, w, f, kh, kw, c: (n, h, w, f),
    ]

    def touched(block):
        return [{i(*p) for p in points(block)} for i in index]

    for _ in range(8):
        lo = [rng.randrange(e) for e in space.whole.hi]
        hi = [rng.randint(l + 1, e) for l, e in zip(lo, space.whole.hi)]
        block = ta.Box(lo, hi)
        f = space.footprints(block)
        sets = touched(block)
        assert [v.count for v in f.values] == [len(s) for s in sets]
        for v, s in zip(f.values, sets):
            assert v.hull.lo == [min(d) for d in zip(*s)]
            assert v.hull.hi == [max(d) + 1 for d in zip(*s)]
            assert v.strided_count >= v.count
        assert f.bytes_in == 4 * sum(len(s) for s in sets[:3])
        assert f.bytes_out == 4 * len(sets[3])
        assert f.operations == 2 * f.points
        for axis, extent in enumerate(space.whole.hi):
            g = f.growth(axis)
            assert g.has_next == (hi[axis] < extent)
            assert g.has_previous == (lo[axis] > 0)
            if not g.has_next:
                assert g.bytes_in is None and g.shared_next is None
                continue
            more = touched(ta.Box(lo, [h + (a == axis) for a, h in enumerate(hi)]))
            added = [len(m) - len(s) for m, s in zip(more, sets)]
            assert [v[0] for v in g.values] == added
            assert g.bytes_in == 4 * sum(added[:3]) and g.bytes_out == 4 * added[3]


def test_block_of_result(mod):
    name = "linalg.conv_2d_nhwc_hwcf"
    f = mod.block_footprints(name, ta.Box([0, 1, 0, 0], [1, 3, 6, 5]), result=0)
    assert f.block == ta.Box([0, 1, 0, 0, 0, 0, 0], [1, 3, 6, 5, 3, 2, 3])
    assert f.operand(0).hull == ta.Box([0, 2, 0, 0], [1, 7, 7, 3])
    assert f.operand(0).kind == "exact" and f.result().count == 60
    assert f.space.op == name
    whole = mod.block_footprints(name)
    assert whole.operand(1).count == 90
    assert repr(f).startswith("<BlockFootprints of linalg.conv_2d_nhwc_hwcf")
    middle = f.space.middle_block(2)
    assert middle == ta.Box([0, 2, 2, 2, 0, 0, 0], [2, 4, 4, 4, 3, 2, 3])


# No projection says what a reshape does: its map does.
def test_reshape_and_unknown(mod):
    space = mod.block_space("tensor.collapse_shape")
    value = space.values[0]
    assert value.projection is None
    assert value.reason.endswith("is not a sum of multiples of variables")
    f = space.footprints(ta.Box([3, 4], [5, 7]))
    expected = {
        (i // 4, i % 4, j // 5, j % 5) for i in range(3, 5) for j in range(4, 7)
    }
    assert f.operand(0).count == len(expected) == 6
    assert f.operand(0).waste == 2 * 4 * 2 * 5 - 6
    unknown = mod.block_footprints("no.such")
    assert unknown.values[0] is None and unknown.bytes_in is None
    assert unknown.operand(0) is None and unknown.bytes_out == 960
    assert unknown.space.values[0].reason == "unregistered operation"


# A function as one op, whose operands are its arguments.
def test_function(mod):
    f = mod.block_footprints(block=ta.Box([0, 0, 0, 0], [1, 1, 6, 5]))
    assert f.space.op == "func.func"
    assert f.operand(0).hull == ta.Box([0, 0, 0, 0], [1, 3, 7, 3])
    assert f.growth(1).bytes_in == 4 * (2 * 7 * 3 + 30)


def test_cost(mod):
    f = mod.block_footprints("linalg.conv_2d_nhwc_hwcf")
    model = ta.CostModel(
        "machine m op *: start = 1.0e-06, byte = 1.0e-09, scratch = 8.0 "
        "op linalg.conv_2d_nhwc_hwcf: start = 1.0e-06, point = 1.0e-09"
    )
    cost = f.cost(model)
    assert cost.seconds == pytest.approx(1e-6 + 1e-9 * f.points)
    assert cost.working_set == f.bytes_in + f.bytes_out
    assert f.cost().seconds > 0
    moved = mod.block_footprints("tensor.collapse_shape").cost(model)
    assert moved.seconds == pytest.approx(1e-6 + 1e-9 * 1920)
    assert moved.scratch_bytes == 8


def test_report(mod):
    items = mod.report("blocks", block_extent="2")
    (block,) = [
        i
        for i in items
        if i["name"] == "block" and i["metrics"]["Op"] == "linalg.conv_2d_nhwc_hwcf"
    ]
    assert block["metrics"]["Points"] == 2**4 * 3 * 2 * 3
    # Along d2 there is a next block, and one before.
    growth = [i for i in items if i["name"] == "growth"][1]
    assert growth["metrics"]["Axis"] == "d2"
    assert growth["metrics"]["AddedBytesOut"] == 4 * 2**3
    assert {"SharedNext", "SharedPrevious"} <= set(growth["metrics"])


@pytest.mark.parametrize(
    "ask, message",
    [
        (
            lambda m: m.block_footprints("tensor.collapse_shape", ta.Box([0], [1])),
            "the op has 2 axes, got a block of rank 1",
        ),
        (
            lambda m: m.block_footprints(
                "tensor.collapse_shape", ta.Box([0, 3], [9, 4])
            ),
            "axis 0 has [0, 8), got a block of [0, 9)",
        ),
        (
            lambda m: m.block_footprints(
                "tensor.collapse_shape", ta.Box([0, 3], [8, 31]), result=0
            ),
            "dimension 1 of result 0 has [0, 30), got a block of [3, 31)",
        ),
        (
            lambda m: m.block_footprints("math.exp"),
            "no op 'math.exp' in function 'main'",
        ),
        (
            lambda m: m.block_footprints("tensor.collapse_shape", result=3),
            "result 3 does not exist, there are 1",
        ),
        (
            lambda m: m.block_space("tensor.collapse_shape", result=-1),
            "result must not be negative, got -1",
        ),
        (
            lambda m: m.block_footprints("tensor.cast"),
            "an extent is dynamic: give a block of all axes",
        ),
        (
            lambda m: m.block_space(function="other"),
            "there is no function 'other' with a body; known are main",
        ),
        (
            lambda m: m.block_footprints("tensor.collapse_shape").growth(2),
            "axis 2 must be in [0, 2)",
        ),
        (
            lambda m: m.block_footprints("tensor.collapse_shape").operand(1),
            "operand 1 is not a tensor of this index space",
        ),
        (
            lambda m: m.block_space("tensor.collapse_shape").middle_block(0),
            "the extent of a block must be positive, got 0",
        ),
        (
            lambda m: m.block_footprints("no.such").cost(),
            "how many bytes the block touches is not known",
        ),
        (
            lambda m: m.report("blocks", block_extent="many"),
            "option 'block-extent' must not be negative, got 'many'",
        ),
    ],
)
def test_errors(mod, ask, message):
    with pytest.raises(ta.Error) as e:
        ask(mod)
    assert str(e.value) == message


# The space keeps its module alive.
def test_lifetime():
    space = ta.Module(CONV).block_space("tensor.collapse_shape")
    footprints = space.footprints(space.whole)
    del space
    assert footprints.cost().seconds > 0
    with pytest.raises(TypeError):
        pickle.dumps(footprints)
