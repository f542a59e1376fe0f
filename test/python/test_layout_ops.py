"""Ops on layouts and indices from Python: programs as text, arrays in and out."""

import numpy as np
import pytest

import tensoraccess as ta

TILES = """
#tiled = #tensoraccess.layout<{1,0:T(2,2)}>
func.func @main(%x: tensor<4x6xf32>) -> tensor<2x3x2x2xf32> {
  %0 = tensoraccess.relayout %x : tensor<4x6xf32> to tensor<4x6xf32, #tiled>
  %1 = tensoraccess.bitcast %0
     : tensor<4x6xf32, #tiled> to tensor<2x3x2x2xf32>
  return %1 : tensor<2x3x2x2xf32>
}"""


def test_tiles_become_dimensions():
    """The memory of a packed tensor is what Layout says it is."""
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    y = ta.Module(TILES).compile(entry="main")(x)
    assert np.array_equal(y, x.reshape(2, 2, 3, 2).transpose(0, 2, 1, 3))
    layout = ta.Layout("f32[4,6]{1,0:T(2,2)}")
    flat = np.asarray(y).ravel()
    for index in np.ndindex(4, 6):
        assert flat[layout.linearize(index)] == x[index]


@pytest.mark.parametrize("way", ["pack", "steps"])
def test_ways_agree(way):
    """All ways to lower a relayout give the same bits."""
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    module = ta.Module(TILES)
    want = module.compile(entry="main")(x)
    module.run(f"builtin.module(tensoraccess-materialize-layouts{{way={way}}})")
    assert np.array_equal(module.compile(entry="main")(x), want)


def test_padding_is_not_read():
    """A bitcast onto padding is an error that names the element."""
    with pytest.raises(ta.Error, match="is on padding of the source"):
        ta.Module("""
func.func @main(%x: tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>) {
  %0 = tensoraccess.bitcast %x
     : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>> to tensor<24xf32>
  return
}""")
