# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts as pictures and tables, and bank conflicts under a layout."""
import xml.etree.ElementTree as ElementTree

import pytest
import tensoraccess as ta


def texts(svg):
    return [text.text for text in
            ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_every_number_and_every_index_is_drawn():
    layout = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    drawn = texts(layout.to_svg())
    for i in range(3):
        for j in range(5):
            assert str(layout.linearize([i, j])) in drawn
            assert f"{i},{j}" in drawn


def test_table():
    table = ta.Layout("f32[2,3]{0,1:T(2,2)}").to_text()
    assert table == """\
f32[2,3]{0,1:T(2,2)}
physical shape 2x1x2x2, 32 bytes
6 elements, 2 of padding (25.0% of 8)

   0  1  2  3
0  0  2│ 4  ·
1  1  3│ 5  ·

memory
0 (0,0) (1,0) (0,1) (1,1) (0,2) (1,2)     ·     ·
"""


def test_large_layouts_are_cut():
    layout = ta.Layout("bf16[4096,4096]{1,0:T(8,128)(2,1)}")
    table = layout.to_text(rows=8, columns=9)
    assert max(len(line) for line in table.splitlines()) < 150
    assert "more" in table
    # The border between two tiles is shown.
    assert "127" in table and "128" in table
    assert len(layout.to_svg()) < 200_000


def test_wide_tables_are_folded():
    layout = ta.Layout("bf16[20,300]{1,0:T(8,128)(2,1)}")
    tables = layout.to_text(width=60).split("\n\n", 1)[1]
    assert max(map(len, tables.splitlines())) <= 60
    # The same columns in the same order, and the same places.
    whole = layout.to_text().split("\n\n", 1)[1]
    panels = tables.split("memory")[0].strip("\n").split("\n\n")
    assert len(panels) > 2
    heads = [panel.splitlines()[0].split() for panel in panels]
    assert sum(heads, []) == whole.splitlines()[0].split()
    for text in ("(0,0)", "(1,0)", "(0,1)", "(19,299)"):
        assert whole.count(text) == tables.count(text)
    assert layout.to_text(width=0) == layout.to_text()
    with pytest.raises(ta.Error, match="width must be 0 or at least 20, got 7"):
        layout.to_text(width=7)


@pytest.mark.parametrize("text, options, message", [
    ("{1,0}", {}, "has no shape to draw"),
    ("f32[3]{0}", {"rows": 7}, "rows must be in [8, 1024], got 7"),
    ("f32[3]{0}", {"columns": 2000}, "columns must be in [8, 1024], got 2000"),
    ("f32[3]{0}", {"planes": 0}, "planes must be in [1, 1024], got 0"),
    ("f32[4611686018427387904]{0}", {}, "overflows 64-bit arithmetic"),
])
def test_refusals(text, options, message):
    for draw in (ta.Layout(text).to_svg, ta.Layout(text).to_text):
        with pytest.raises(ta.Error) as error:
            draw(**options)
        assert message in str(error.value)


def test_bank_conflicts_by_loops():
    layout = ta.Layout("f32[8,12]{1,0:T(4,4)(2,1)}")
    read = ta.IndexingMap("(d0, d1) -> (d0, d1), domain: d0 in [0, 7], d1 in [0, 11]")
    cycles = 0
    for j in range(12):
        banks = {}
        for i in range(8):
            word = layout.linearize([i, j])
            banks.setdefault(word % 16, set()).add(word)
        cycles += max(len(words) for words in banks.values())
    got = read.bank_conflicts(layout=layout, lanes=8, banks=16)
    assert (got.accesses, got.cycles) == (12, cycles)
    assert got.conflicts == got.cycles - got.minimum_cycles
    with pytest.raises(ta.Error, match="banks must be in"):
        read.bank_conflicts(banks=0)


MMA = """{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
          warp = [[16, 0]]} -> [32, 8]"""


def cells(table):
    """What stands in the columns of a table, by rows."""
    return [row.replace("│", " ").split()[1:] for row in table.splitlines()
            if row[:1].isdigit() or row[:2].strip().isdigit()]


def test_who_holds_what():
    layout = ta.LinearLayout(MMA)
    drawn = texts(layout.svg())
    table = cells(layout.to_text().split("T thread:register\n", 1)[1])
    for i in range(32):
        for j in range(8):
            register, lane, warp = layout.find([i, j])
            label = f"T{lane + 32 * warp}:{register}"
            assert label in drawn and table[i][j] == label
    assert "border of a warp" in drawn
    assert layout._repr_svg_() == layout.svg()


def test_copies_and_gaps():
    copied = ta.LinearLayout({"register": [[1], [0]], "lane": [[4]]}, [8])
    text = copied.to_text()
    assert "each element has 2 holders" in text and "4 elements not held" in text
    assert text.split()[-8:] == ["T0:0", "T0:1", "·", "·", "T1:0", "T1:1", "·", "·"]


def test_memories():
    memory = ta.LinearLayout({"offset": [[0, 1], [0, 2], [1, 1], [2, 2]]}, [4, 4])
    numbers, places = memory.to_text().split("memory: indices\n")
    assert cells(numbers.split("numbers\n")[1]) == [
        [str(memory.find([i, j])[0]) for j in range(4)] for i in range(4)]
    assert cells(places)[0] == [",".join(map(str, memory([n]))) for n in range(16)]


def test_strided():
    layout = ta.StridedLayout("Sw<1,0,2> o ((2,2),4):((1,8),2)")
    assert cells(layout.to_text().split("numbers\n")[1]) == [
        [str(layout(((i % 2, i // 2), j))) for j in range(4)] for i in range(4)]
    assert {str(n) for n in layout.numbers()} <= set(texts(layout.svg()))
    assert "18446744073709551615" not in ta.StridedLayout("(4,2):(-1,4)").svg()
    assert ta.StridedLayout("5:2").to_text().splitlines()[-1].split() == list("02468")


def test_exchange():
    target = ta.LinearLayout(MMA)
    source = ta.LinearLayout({"register": [[0, 1], [0, 2], [0, 4]],
                              "lane": [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]}, [32, 8])
    exchange = ta.plan_exchange(source, target, 2)
    drawn = texts(exchange.svg())
    for access, side in ((exchange.store, "stores"), (exchange.load, "loads")):
        assert any(text.startswith(f"banks, by who {side}: {access.kind} of {access.vector} ")
                   and f"{access.cycles} cycles, {access.conflicts} conflicts" in text
                   for text in drawn if text)
    # The first access has each bank once.
    assert exchange._repr_svg_() == exchange.svg()
    with pytest.raises(ta.Error, match="columns must be in"):
        exchange.svg(columns=1)


def test_layouts_without_sizes_have_no_picture_in_notebooks():
    assert ta.Layout("{1,0:T(2,2)}")._repr_svg_() is None
    assert ta.Layout("f32[3,5]{1,0:T(2,2)}")._repr_svg_().startswith("<svg")
