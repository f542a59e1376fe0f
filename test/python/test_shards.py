# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grids, distributions and exchanges as values, and their pictures."""
import itertools
import pickle
import subprocess
import sys

import pytest
import tensoraccess as ta
from hypothesis import given
from hypothesis import strategies as st


def check(root, tmp_path, svg):
    """A picture is well-formed, and no text lies over another."""
    path = tmp_path / "picture.svg"
    path.write_text(svg)
    subprocess.run([sys.executable, root / "test/Export/check_svg.py", path], check=True)
    return svg


def places(boxes):
    return {
        place
        for box in boxes
        for place in itertools.product(*map(range, box.lo, box.hi))
    }


def test_grid():
    grid = ta.Grid("rows=2,cols=3")
    assert (str(grid), grid.ranks, len(grid)) == ("rows=2,cols=3", 6, 6)
    assert grid.axes == [("rows", 2), ("cols", 3)]
    assert grid.coordinates(4) == [1, 1] and grid.rank([1, 1]) == 4
    assert grid.hops(0, 5) == 3 and grid.hops(0, 5, torus=True) == 2
    assert str(ta.Grid(64)) == "x=4,y=4,z=4"
    assert ta.Grid(grid) == grid and hash(ta.Grid(grid)) == hash(grid)
    assert pickle.loads(pickle.dumps(grid)) == grid and grid != ta.Grid(6)
    assert repr(grid) == "Grid('rows=2,cols=3')"


def test_distribution():
    cut = ta.Distribution("{d0: rows, d2: cols}", "rows=2,cols=2,copies=2", (5, 4, 6))
    assert (cut.axes, cut.partial) == ([["rows"], [], ["cols"]], [])
    assert cut.replicating == ["copies"] and cut.shape == [5, 4, 6]
    # Rank 4 is row 1, column 0, copy 0; 5 in two parts is 2 and 3.
    assert cut.box(4) == ta.Box([2, 0, 0], [5, 4, 3]) == cut.boxes[5]
    assert len(cut.parts) == 4 and cut.cover
    assert pickle.loads(pickle.dumps(cut)) == cut
    assert str(cut) == "{d0: rows, d2: cols}"
    partial = ta.Distribution("{d0: rows, partial: cols}", "rows=2,cols=3", [6])
    assert partial.partial == ["cols"]
    assert str(partial.scattered(0)) == "{d0: rows*cols}"


@given(
    ranks=st.integers(1, 12),
    extent=st.integers(0, 20),
    shape=st.integers(1, 4),
    step=st.integers(1, 3),
    oob=st.sampled_from(["wrap", "clamp", "pad(0.0)"]),
)
def test_needs_are_what_regions_touch(ranks, extent, shape, step, oob):
    # The law: each rank needs the elements that the regions of its points read.
    blocks = ta.Distribution("{d0: x}", f"x={ranks}", [extent])
    size = extent * step + 1
    p = ta.Projection([[step]], [-1], shape=[shape], oob=[oob])
    for rank, boxes in enumerate(blocks.needs(p, [size])):
        block = blocks.box(rank)
        wanted = set()
        for i in range(block.lo[0], block.hi[0]):
            for place in range(step * i - 1, step * i - 1 + shape):
                element = p.resolve([place], [size])
                if element is not None:
                    wanted.add(tuple(element))
        found = places(boxes)
        assert wanted <= found
        if step <= shape:  # no gaps: the boxes are the elements
            assert wanted == found


def test_exchange_of_a_halo_around_the_ends():
    tensor = ta.Distribution("{d0: x}", "x=4", [12])
    window = ta.Projection([[1]], [-1], shape=[3], oob=["wrap"])
    exchange = tensor.exchange(blocks=tensor, projection=window)
    assert [(m.source, m.target, m.box.lo) for m in exchange.messages][:2] == [
        (1, 0, [3]), (3, 0, [11])]
    traffic = exchange.traffic(4)
    assert (traffic.total, traffic.messages) == (32, 8)
    assert traffic.sent == traffic.received == [8] * 4
    # The same from boxes.
    again = ta.Exchange("x=4", tensor.boxes, tensor.needs(window, [12]))
    assert again.messages == exchange.messages and again.kept == exchange.kept


@given(
    ranks=st.integers(1, 5),
    data=st.data(),
)
def test_exchanges_send_what_is_missing(ranks, data):
    owned = ta.Distribution("{d0: x}", f"x={ranks}", [9, 2])
    bounds = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)
    needed = []
    for _ in range(ranks):
        lo, hi = data.draw(bounds)
        needed.append(ta.Box([lo, 0], [hi, 2]))
    exchange = ta.Exchange(owned.grid, owned.boxes, needed)
    for rank in range(ranks):
        got = [m.box for m in exchange.messages if m.target == rank]
        kept = [m.box for m in exchange.kept if m.target == rank]
        missing = places([needed[rank]]) - places([owned.box(rank)])
        assert places(got) == missing
        assert sum(box.count for box in got) == len(missing)
        assert places(kept) == places([needed[rank]]) - missing


def test_pictures(root, tmp_path):
    tensor = ta.Distribution("{d0: rows, d1: cols}", "rows=2,cols=4", (12, 16))
    window = ta.Projection([[1, 0], [0, 1]], [-1, -1], shape=[3, 3], oob=["pad(0.0)", "wrap"])
    svg = check(root, tmp_path, tensor.svg(blocks=tensor, projection=window,
                                           element_bytes=4, name="an image"))
    assert "<title>an image</title>" in svg and "rank 5 (rows 1, cols 1)" in svg
    assert "from 3: 24 B, d0 [0, 6), d1 [15, 16)" in svg  # around the end
    exchange = tensor.exchange(blocks=tensor, projection=window)
    assert exchange.svg(element_bytes=4).count("<title>exchange</title>") == 1
    check(root, tmp_path, exchange.svg())
    assert tensor._repr_svg_() == tensor.svg(name=str(tensor))
    assert tensor.svg() == tensor.svg()
    # Elements are counted without a size.
    assert "elements" in exchange._repr_svg_()


@pytest.mark.parametrize("text, grid, shape", [
    ("{}", "x=1", []),
    ("{}", "x=3", [5]),
    ("{d0: x}", "x=5", [3]),                       # parts without elements
    ("{d0: x}", "x=5", [0]),
    ("{d1: x}", "x=100", [3, 1000]),               # too many to draw
    ("{d0: x, d1: y}", "x=64,y=64", [640, 6400]),  # 4,096 ranks
    ("{d0: x, d1: y, d2: z}", "x=3,y=3,z=7", [6, 7, 28]),
    ("{d0: y*x, partial: z}", "x=2,y=2,z=2", [9, 4, 2, 2]),
])
def test_any_distribution_is_drawn(root, tmp_path, text, grid, shape):
    cut = ta.Distribution(text, grid, shape)
    svg = check(root, tmp_path, cut.svg())
    if cut.grid.ranks > 12:
        assert f"… and {cut.grid.ranks - 12:,} more ranks" in svg
    # Everyone needs everything.
    whole = ta.Box([0] * len(shape), shape)
    check(root, tmp_path, cut.svg([whole] * cut.grid.ranks))
    if cut.grid.ranks <= 100:
        check(root, tmp_path, cut.exchange([whole] * cut.grid.ranks).svg())


def test_projection_picture(root, tmp_path):
    p = ta.Projection([[2, 0], [0, 2]], [-1, -1], shape=[3, 3], oob=["pad(0.0)", "wrap"])
    block = ta.Box([0, 0], [3, 4])
    svg = check(root, tmp_path, p.svg(block, [12, 14]))
    assert "9 shared with the next block" in svg and "next along axis 0" in svg
    assert "next along axis 1" in p.svg(block, axis=1)
    halo = check(root, tmp_path, p.svg(block, [12, 14], owned=ta.Box([0, 0], [6, 7])))
    assert "halo below 0, 1, above 0, 1; 12 elements of others" in halo


def wrong(text, call, *args, **kwargs):
    with pytest.raises(ta.Error) as e:
        call(*args, **kwargs)
    assert str(e.value).splitlines()[0] == text


def test_errors():
    grid = ta.Grid("rows=2,cols=3")
    wrong("a grid has from 1 to 1048576 ranks, got 0", ta.Grid, 0)
    wrong("axis rows must have at least one rank, got 0", ta.Grid, "rows=0")
    wrong("a grid is a Grid, a text as rows=2,cols=3 or a number of ranks, got 2.5",
          ta.Grid, 2.5)
    wrong("rank 6 must be in [0, 6)", grid.coordinates, 6)
    wrong("rank -1 must be in [0, 6)", grid.hops, 0, -1)
    wrong("the grid has 2 axes, got 1 coordinates", grid.rank, [0])
    wrong("coordinate of axis cols must be in [0, 3), got 3", grid.rank, [0, 3])
    wrong("x is not an axis of the grid rows=2,cols=3", ta.Distribution, "{d0: x}", grid, [4])
    wrong("size 0 must not be negative, got -4", ta.Distribution, "{}", grid, [-4])
    wrong("shape entry 0 must be an integer, got 'a'", ta.Distribution, "{}", grid, ["a"])
    cut = ta.Distribution("{d0: rows}", grid, [4])
    wrong("rank 6 must be in [0, 6)", cut.box, 6)
    wrong("the distribution has no partial axes", cut.scattered, 0)
    partial = ta.Distribution("{partial: rows}", grid, [4])
    wrong("dimension 1 must be in [0, 1)", partial.scattered, 1)
    p = ta.Projection([[1]], [-1], shape=[3])
    wrong("rank 0: place -1 of dimension 0 is forbidden outside of [0, 4)",
          cut.needs, p, [4])
    wrong("the projection has 1 columns, but the blocks have 2 dimensions",
          ta.Distribution("{}", grid, [4, 4]).needs, p, [4])
    wrong("say what is needed: boxes by rank, or blocks and a projection", cut.exchange)
    wrong("blocks and a projection go together", cut.exchange, projection=p)
    wrong("give what is needed, or blocks and a projection, not both",
          cut.exchange, cut.boxes, projection=p)
    wrong("the blocks lie on the grid x=3,y=2, the tensor on rows=2,cols=3",
          cut.exchange, blocks=ta.Distribution("{}", 6, [4]), projection=p)
    wrong("what is needed must be a box or a list of boxes for each rank, got 3",
          cut.exchange, 3)
    wrong("what is needed must be a box or a list of boxes for each rank, got 'x'",
          cut.exchange, [["x"]])
    outside = [ta.Box([3], [5])] * 6
    with pytest.raises(ta.Error, match=r"rank 0 needs \[4\], which no rank owns"):
        cut.exchange(outside)
    with pytest.raises(ta.Error, match=r"rank 0 needs \[4\], which no rank owns"):
        cut.svg(outside)
    wrong("the grid has 6 ranks, got what is needed by 1", cut.svg, [ta.Box([0], [1])])
    wrong("the tensor has 1 dimensions, but a box that is needed 2",
          cut.svg, [ta.Box([0, 0], [1, 1])] * 6)
    wrong("ranks that are drawn must be in [1, 64], got 0", cut.svg, ranks=0)
    wrong("an element must not have a negative number of bytes, got -1",
          cut.svg, element_bytes=-1)
    exchange = cut.exchange([ta.Box([0], [4])] * 6)
    wrong("element_bytes must be positive, got 0", exchange.traffic, 0)
    wrong("element_bytes must not be negative, got -1", exchange.svg, element_bytes=-1)
    wrong("axis -1 must be in [0, 1)", p.svg, ta.Box([0], [4]), axis=-1)
    wrong("the projection has 1 columns, got a block of rank 2",
          p.svg, ta.Box([0, 0], [4, 4]))
