# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuTe's layouts as values: every operation against what it means, number by number,
in plain Python; and the cases of test/Cases."""

import json
import math
import pickle
import random
from pathlib import Path

import pytest

import tensoraccess as ta

CASES = Path(__file__).parents[1] / "Cases"
Strided = ta.StridedLayout


def flatten(tree):
    return [x for t in tree for x in flatten(t)] if isinstance(tree, (tuple, list)) else [tree]


def nest(tree):
    return tuple(nest(t) for t in tree) if isinstance(tree, list) else tree


def value(shape, stride, number):
    """Of a colexicographic number; the last mode goes on."""
    shape, stride, total = flatten(shape), flatten(stride), 0
    for i, (n, d) in enumerate(zip(shape, stride)):
        total += (number if i + 1 == len(shape) else number % n) * d
        number //= n
    return total


def random_tree(rng, depth=0):
    if depth < 2 and rng.random() < 0.5:
        return tuple(random_tree(rng, depth + 1) for _ in range(rng.randint(1, 3)))
    return rng.choice([1, 2, 2, 3, 4, 4, 6, 8])


def random_layout(rng, dense=0.6):
    """Of a random nesting; some dense in a random order, perhaps with gaps."""
    shape = random_tree(rng)
    leaves = flatten(shape)
    if rng.random() < dense:
        strides, following = [0] * len(leaves), 1
        for i in rng.sample(range(len(leaves)), len(leaves)):
            strides[i] = following
            following *= leaves[i] * rng.choice([1, 1, 1, 1, 2, 3])
    else:
        strides = [rng.choice([0, 1, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 64]) for _ in leaves]
    left = iter(strides)

    def fill(tree):
        return tuple(fill(t) for t in tree) if isinstance(tree, tuple) else next(left)

    return Strided(shape, fill(shape))


RANDOM = [random.Random(seed) for seed in range(40)]


@pytest.mark.parametrize("rng", RANDOM[:20])
def test_values(rng):
    for _ in range(20):
        a = random_layout(rng)
        numbers = [value(a.shape, a.stride, i) for i in range(a.size)]
        assert a.numbers() == numbers == [a(i) for i in range(a.size)]
        assert a.size == math.prod(flatten(a.shape))
        assert a.cosize == max(numbers) - min(numbers) + 1
        assert Strided(str(a)) == a == pickle.loads(pickle.dumps(a))
        assert hash(Strided(str(a))) == hash(a)
        leaves = flatten(a.shape)
        for i in range(a.size):
            point = [i // math.prod(leaves[:k]) % n for k, n in enumerate(leaves)]
            assert a.indexing_map.evaluate(point) == [numbers[i]]
        if isinstance(a.shape, tuple):
            sizes = [math.prod(flatten(s)) for s in a.shape]
            for i in range(a.size):
                point = [i // math.prod(sizes[:k]) % n for k, n in enumerate(sizes)]
                assert a(tuple(point)) == numbers[i] == a(*point) or len(point) == 1


def has_modes(leaves, numbers):
    """Whether the numbers of these leaves are those of some shape:stride: of each
    leaf the first mode can only be the longest run of equal steps."""
    modes, place = [], 1
    for size in leaves:
        below, parts = 1, []
        while below < size:
            step, run = numbers[place * below], 1
            while run * below < size and numbers[place * run * below] == run * step:
                run += 1
            if run == 1 or size % (run * below):
                return False
            parts.append((run, step))
            below *= run
        modes += parts
        place *= size
    shape, stride = [m[0] for m in modes] + [1], [m[1] for m in modes] + [0]
    return all(value(shape, stride, i) == n for i, n in enumerate(numbers))


@pytest.mark.parametrize("rng", RANDOM)
def test_composition(rng):
    """Right for every pair; with strides if and only if there are any."""
    for _ in range(12):
        a, b = random_layout(rng), random_layout(rng)
        c = a.compose(b)
        numbers = [value(a.shape, a.stride, n) for n in b.numbers()]
        assert c.numbers() == numbers
        assert c.has_strides == has_modes(flatten(b.shape), numbers)
        assert c.has_strides == (c.why_no_strides is None)
        if c.has_strides:
            assert Strided(c.shape, c.stride).numbers() == numbers
        else:
            with pytest.raises(ta.Error, match="it has no strides: "):
                _ = c.stride
        # Once more, on what may be a map only.
        d = random_layout(rng)
        if max(d.numbers()) < c.size:
            again = c.compose(d)
            assert again.numbers() == [
                value(a.shape, a.stride, value(b.shape, b.stride, n)) for n in d.numbers()]


@pytest.mark.parametrize("rng", RANDOM)
def test_complements_and_inverses(rng):
    for _ in range(12):
        a = random_layout(rng)
        cotarget = rng.choice([1, a.cosize, 2 * a.cosize, 100])
        modes = sorted((d, n) for n, d in zip(flatten(a.shape), flatten(a.stride))
                       if n > 1 and d)
        nests, following = True, 1
        for d, n in modes:
            nests &= d % following == 0
            following = d * n
        if not nests:
            with pytest.raises(ta.Error, match="no complement: stride"):
                a.complement(cotarget)
        else:
            rest = a.complement(cotarget).numbers()
            own = set(a.numbers())
            both = {x + y for x in own for y in rest}
            assert rest == sorted(set(rest)) and len(both) == len(own) * len(rest)
            assert both >= set(range(cotarget))
        right = a.right_inverse()
        assert [a(n) for n in right.numbers()] == list(range(right.size))
        if nests and len(set(a.numbers())) == a.size:
            left = a.left_inverse()
            assert [left(n) for n in a.numbers()] == list(range(a.size))
        small = a.coalesce()
        assert small.numbers() == a.numbers()
        leaves = list(zip(flatten(small.shape), flatten(small.stride)))
        assert all(n * d != e for (n, d), (_, e) in zip(leaves, leaves[1:]))
        assert a.filter().numbers() == Strided(
            tuple(n for n, d in zip(flatten(a.shape), flatten(a.stride)) if d) or 1,
            tuple(d for d in flatten(a.stride) if d) or 0).numbers()


@pytest.mark.parametrize("rng", RANDOM[:20])
def test_tiles(rng):
    for _ in range(8):
        a, b = random_layout(rng), random_layout(rng)
        try:
            rest = b.complement(a.size)
        except ta.Error:
            with pytest.raises(ta.Error, match="no complement"):
                a.logical_divide(b)
            continue
        numbers = [value(a.shape, a.stride, x + y) for y in rest.numbers() for x in b.numbers()]
        for divide in (a.logical_divide, a.zipped_divide, a.tiled_divide, a.flat_divide):
            assert divide(b).numbers() == numbers
        tiles = a.logical_divide(b)
        assert (tiles[0].size, tiles[1].size) == (b.size, rest.size)


@pytest.mark.parametrize("rng", RANDOM[:20])
def test_products(rng):
    for _ in range(8):
        a, b = random_layout(rng), random_layout(rng)
        if a.size * b.size > 20000:
            continue
        try:
            rest = a.complement(a.size * b.cosize)
        except ta.Error:
            # Copies follow where it ends, unless its numbers meet.
            try:
                product = a.logical_product(b)
            except ta.Error as error:
                assert "no complement" in str(error)
                continue
            numbers, own = product.numbers(), a.numbers()
            copies = [numbers[i] for i in range(0, len(numbers), a.size)]
            assert numbers == [x + y for y in copies for x in own]
            assert len(set(numbers)) == len(set(own)) * len(set(b.numbers()))
            continue
        own = a.numbers()
        copies = [value(rest.shape, rest.stride, n) for n in b.numbers()]
        product = a.logical_product(b)
        assert product.numbers() == [x + y for y in copies for x in own]
        assert (product[0].size, product[1].size) == (a.size, b.size)
        # Mode by mode; a list of modes is walked with the first fastest.
        sizes = [[math.prod(flatten(s)) for s in (x.shape if isinstance(x.shape, tuple)
                                                  else (x.shape,))] for x in (a, b)]
        rank = max(map(len, sizes))
        for x in sizes:
            x += [1] * (rank - len(x))
        for name, first in (("blocked_product", 0), ("raked_product", 1)):
            expected = []
            order = [(sizes[first][i], sizes[1 - first][i]) for i in range(rank)]
            for n in range(a.size * b.size):
                at, rests = [0, 0], n
                for i, (inner, outer) in enumerate(order):
                    x, rests = rests % inner, rests // inner
                    y, rests = rests % outer, rests // outer
                    at[first] += x * math.prod(sizes[first][:i])
                    at[1 - first] += y * math.prod(sizes[1 - first][:i])
                expected.append(own[at[0]] + copies[at[1]])
            made = getattr(a, name)(b)
            assert made.numbers() == expected and made.rank == rank


def test_tiles_by_mode():
    """The shapes that CuTe's documentation gives."""
    a = Strided("(9,(4,8)):(59,(13,1))")
    tiler = ("3:3", "(2,4):(1,8)")
    assert str(a.logical_divide(tiler)) == "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"
    assert str(a.zipped_divide(tiler)) == "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))"
    assert str(a.tiled_divide(tiler)) == "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))"
    assert str(a.flat_divide(tiler)) == "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))"
    assert str(Strided("(6,2):(8,2)").compose("(4,3):(3,1)")) == "((2,2),3):((24,2),8)"
    assert str(Strided("20:2").compose("(5,4):(4,1)")) == "(5,4):(8,2)"
    assert str(Strided("(4,2,3):(2,1,8)").logical_divide("4:2")) == (
        "((2,2),(2,3)):((4,1),(2,8))")
    assert str(Strided("(2,2):(4,1)").logical_product("6:1")) == "((2,2),(2,3)):((4,1),(2,8))"
    assert str(Strided("(2,5):(5,1)").blocked_product("(3,4):(1,3)")) == (
        "((2,3),(5,4)):((5,10),(1,30))")
    assert str(Strided("(2,5):(5,1)").raked_product("(3,4):(1,3)")) == (
        "((3,2),(4,5)):((10,5),(30,1))")
    assert str(Strided("(2,(1,6)):(1,(6,2))").coalesce()) == "12:1"


def test_common_vectors():
    rng = random.Random(5)
    for _ in range(200):
        a, b = random_layout(rng, dense=1), random_layout(rng, dense=0.8)
        common = a.max_common_layout(b)
        assert a.max_common_vector(b) == common.size
        places = common.numbers()
        assert [a(x) for x in places] == [b(x) for x in places] == list(range(common.size))


def test_negative_strides():
    back = Strided(5, -2)
    assert back.numbers() == [0, -2, -4, -6, -8] and back.cosize == 9
    assert str(Strided((3, 5), (-7, -2)).compose("15:1")) == "(3,5):(-7,-2)"
    # As in CuTe's C++, a(-n) is -a(n).
    assert str(Strided(5, 1).compose(back)) == "5:-2"
    assert str(Strided("(4,3):(1,10)").compose("(2,4):(0,-2)")) == "(2,(2,2)):(0,(-2,-10))"
    with pytest.raises(ta.Error, match=r"the numbers of \(2,3\):\(1,-2\) begin at -4, below 0"):
        Strided(5, 1).compose("(2,3):(1,-2)")
    with pytest.raises(ta.Error, match="no complement"):
        back.complement(10)


@pytest.mark.parametrize("bits, base, shift", [
    (3, 3, 3), (1, 2, -2), (3, 0, 4), (2, 1, 2), (3, 2, -3), (0, 0, 0), (2, 0, -5)])
def test_swizzles(bits, base, shift):
    swizzle = ta.Swizzle(bits, base, shift)

    def apply(n):
        for i in range(bits):
            low, high = base + i, base + i + abs(shift)
            to, source = (low, high) if shift >= 0 else (high, low)
            n ^= (n >> source & 1) << to
        return n

    for plain in (Strided("(8,64):(64,1)"), Strided("(3,(5,2)):(7,(1,30))")):
        layout = swizzle.compose(plain)
        numbers = [apply(n) for n in plain.numbers()]
        assert layout.numbers() == numbers
        assert Strided(str(layout)) == layout and layout.swizzle == swizzle
        assert layout.indexing_map.evaluate([0] * len(flatten(plain.shape))) == [0]
        points = [layout.indexing_map.evaluate(
            [i // math.prod(flatten(plain.shape)[:k]) % n
             for k, n in enumerate(flatten(plain.shape))]) for i in range(plain.size)]
        assert [p[0] for p in points] == numbers
        part = layout.compose("6:2")
        assert part.numbers() == [numbers[2 * i] for i in range(6)]
        tiles = layout.logical_divide(2)
        assert sorted(tiles.numbers()) == sorted(numbers)
        assert [swizzle(n) for n in plain.numbers()] == numbers
    if layout.size:
        outer = Strided("(4,1024):(1024,1)").compose(layout)
        assert outer.numbers() == [value((4, 1024), (1024, 1), n) for n in numbers]


@pytest.mark.parametrize("text, message", [
    ("(4,2):(1)", "strides must be nested as sizes are"),
    ("(4,0):(1,4)", "sizes must be positive, got 0"),
    ("(4,-2):(1,4)", "sizes must be positive, got -2"),
    ("(4,2):(1,4", "expected ',' or '\\)' in strides, got end of text"),
    ("(4,2)", "expected ':' between sizes and strides"),
    ("4:1 x", "expected end of text, got 'x'"),
    ("():()", "a list must have modes"),
    ("(4611686018427387904,4):(1,1)", "the product of its sizes does not fit in 64 bits"),
    ("(4,4):(1,9223372036854775807)",
     "do not fit in 64 bits: size 4 with stride 9223372036854775807"),
    ("99999999999999999999:1", "does not fit in 64 bits"),
    ("Sw<3,4,2> o 8:1", "the bits that are exchanged must not overlap"),
    ("Sw<-1,4,2> o 8:1", "must not be negative"), ("Sw<3,4,80> o 8:1", "a bit beyond the 62nd"),
    ("Sw<3,4,3> 8:1", "expected 'o' and a layout"), ("Sw<1,0,1> o 8:-1", r"must lie in \[0, 2"),
])
def test_wrong_texts(text, message):
    with pytest.raises(ta.Error, match=message):
        Strided(text)


def test_errors():
    a = Strided("(4,(2,3)):(6,(3,1))")
    for wrong in (24, -1, (4, 0), (0, (0, 3))):
        with pytest.raises(ta.Error, match=r"must be in \[0, "):
            a(wrong)
    with pytest.raises(ta.Error, match="does not have the modes"):
        a((1, 1, 1))
    with pytest.raises(ta.Error, match="strides must be nested"):
        Strided((4, 2), (1, (2,)))
    with pytest.raises(ta.Error, match="shape entry 0 must be an integer"):
        Strided((4, 2.5), (1, 4))
    with pytest.raises(ta.Error, match="has 2 modes, got 3 layouts"):
        a.compose(("2:1", "2:1", "2:1"))
    with pytest.raises(ta.Error, match="the cotarget must be positive, got 0"):
        a.complement(0)
    with pytest.raises(ta.Error, match="a stride is 0"):
        Strided("(4,2):(1,0)").left_inverse()
    with pytest.raises(ta.Error, match="expected a StridedLayout, its text or a size"):
        a.compose(2.5)
    with pytest.raises(ta.Error, match="a mode of a swizzled layout"):
        _ = Strided("Sw<1,0,1> o (8,2):(1,8)")[0]
    with pytest.raises(IndexError):
        _ = a[2]
    with pytest.raises(ta.Error, match="do not fit in 64 bits"):
        Strided(1 << 40, 1 << 20).logical_product(Strided(1 << 40, 1))


def test_maps_only():
    """What is not a shape:stride goes through every operation as what is one."""
    plain = Strided("(6,5):(5,5)").compose("8:1")
    assert not plain.has_strides
    swizzled = ta.Swizzle(1, 0, 1).compose(plain)
    numbers = swizzled.numbers()
    assert numbers == [n ^ (n >> 1 & 1) for n in plain.numbers()]
    assert Strided("64:1").compose(swizzled).numbers() == numbers
    assert ta.Swizzle(0, 0, 0).compose(swizzled).numbers() == numbers
    assert [swizzled.indexing_map.evaluate([i])[0] for i in range(8)] == numbers
    a = Strided("((6,5)):((5,7))")
    expected = a.logical_divide(("8:1",)).numbers()
    for divide in (a.zipped_divide, a.tiled_divide, a.flat_divide):
        assert divide(("8:1",)).numbers() == expected
    small = Strided("(2,2):(1,2)")
    product = small.logical_product(plain)
    own, copies = small.numbers(), [4 * n for n in plain.numbers()]
    assert product.numbers() == [x + y for y in copies for x in own]
    blocked = small.blocked_product(plain)
    assert sorted(blocked.numbers()) == sorted(product.numbers())
    assert blocked((1 + 2 * 3, 1)) == own[1 + 2] + copies[3]
    modes = Strided("(6,5):(5,7)").compose("(8,8):(1,8)")
    assert modes[0] != modes[1] and modes[0] == modes[0]


def test_numbers_that_do_not_fit():
    for text, other in (("288230376151711744:32", "3:0"), ("2:4611686018427387904", "2:1")):
        with pytest.raises(ta.Error, match="does not fit|do not fit"):
            Strided(text).logical_product(other)
    with pytest.raises(ta.Error, match="ends does not fit in 64 bits"):
        Strided("2:4611686018427387904").complement(8)
    with pytest.raises(ta.Error, match="does not fit in 64 bits"):
        Strided("(3,768614336404564651):(1,12)").left_inverse()
    with pytest.raises(ta.Error, match="does not fit|do not fit"):
        Strided("2:3").complement(2**63 - 1)
    with pytest.raises(ta.Error, match="are not compared"):
        Strided("1099511627776:1").max_common_layout("(2,1099511627776):(549755813888,1)")
    with pytest.raises(ta.Error, match="are not compared"):
        ta.Swizzle(1, 0, 40).compose("1099511627776:1").max_common_layout("1099511627776:1")
    deep = 4
    for _ in range(1000):
        deep = (deep,)
    with pytest.raises(ta.Error, match="lists in more than 64 lists"):
        Strided(deep)
    assert str(Strided("20:2").flat_divide("(2,2):(1,4)")) == "(2,2,2,3):(2,8,4,16)"
    encoding = "#tensoraccess.strided<(4,2):(1,4611686018427387904)>"
    module = ta.Module(f"""func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {{
      %0 = tensoraccess.relayout %x : tensor<4x2xf32> to tensor<4x2xf32, {encoding}>
      %1 = tensoraccess.relayout %0 : tensor<4x2xf32, {encoding}> to tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }}""")
    with pytest.raises(ta.Error, match="it has 4611686018427387908 numbers in memory"):
        module.compile()


@pytest.mark.parametrize("text", [
    "f32[4,6]{1,0}", "f32[4,6]{0,1}", "f32[8,12]{1,0:T(2,4)}", "bf16[16,256]{1,0:T(8,128)(2,1)}",
    "s8[2,3,4]{0,2,1}", "f32[1,1]{1,0}"])
def test_tiled_layouts(text):
    layout = ta.Layout(text)
    strided = Strided.from_layout(layout)
    sizes = layout.shape
    for n in range(math.prod(sizes)):
        index = [n // math.prod(sizes[:k]) % s for k, s in enumerate(sizes)]
        assert strided(tuple(index)) == layout.linearize(index)


@pytest.mark.parametrize("text, message", [
    ("f32[3,5]{1,0:T(2,2)}", "dimension 0 of size 3 is padded"),
    ("{1,0}", "has no static shape"), ("f32[6,7,4]{2,1,0:T(*,4,2)}", "merged|padded")])
def test_tiled_layouts_that_are_none(text, message):
    with pytest.raises(ta.Error, match=message):
        Strided.from_layout(ta.Layout(text))


@pytest.mark.parametrize("shape, encoding", [
    ((2, 4), "strided<(2,4):(8,2)>"), ((4, 6), "strided<((2,2),6):((1,12),2)>"),
    ((8, 16), "strided<Sw<2,1,3> o (8,16):(16,1)>"), ((5,), "strided<5:3>"), ((1,), "strided<1:7>"),
    ((4, 3), "strided<(4,3):(8,2)>"), ((3, 5), "strided<(3,5):(8,1)>"),
    ((6, 4), "strided<((2,3),4):((1,11),2)>"),
    ((4, 4), "linear<{a = [[0, 1], [1, 1], [0, 2], [2, 0]]} -> [4, 4]>"),
    ((4,), "linear<{a = [[1], [1]], b = [[2]]} -> [4]>"),
    # Runs of neighbours along either dimension, with gaps and copies.
    ((16, 8), "strided<Sw<2,2,3> o (16,8):(1,16)>"), ((8, 16), "strided<(8,16):(20,1)>"),
    ((8, 16), "strided<Sw<1,3,3> o (8,16):(32,1)>"), ((12, 8), "strided<((2,6),8):((1,16),2)>"),
    ((8, 4), "linear<{a = [[1, 0], [2, 0], [4, 1], [0, 1], [0, 2]]} -> [8, 4]>"),
    ((4, 8), "linear<{a = [[0, 1], [0, 2], [1, 4], [1, 0], [2, 0], [0, 0]]} -> [4, 8]>")])
def test_memory(shape, encoding):
    """What a function returns is the memory of the layout, zeros between elements."""
    import numpy as np

    x = "x".join(map(str, shape)) + "xi32"
    placed = f"tensor<{x}, #tensoraccess.{encoding}>"
    module = ta.Module(f"""
    func.func @pack(%x: tensor<{x}>) -> {placed} {{
      %0 = tensoraccess.relayout %x : tensor<{x}> to {placed}
      return %0 : {placed}
    }}
    func.func @unpack(%x: {placed}) -> tensor<{x}> {{
      %0 = tensoraccess.relayout %x : {placed} to tensor<{x}>
      return %0 : tensor<{x}>
    }}""")
    plain, module = module, module.run("tensoraccess-materialize-layouts")
    array = np.arange(1, math.prod(shape) + 1, dtype=np.int32).reshape(shape)
    memory = module.compile(entry="pack")(array)
    np.testing.assert_array_equal(memory, module.interpret(entry="pack")(array))
    if encoding.startswith("strided"):
        layout = Strided(encoding[len("strided<"):-1])

        def place(index):
            return layout(tuple(index) if layout.rank > 1 else index[0])
    else:
        layout = ta.LinearLayout(encoding[len("linear<"):-1])

        def place(index):
            return flat_number(layout.find(index), layout.in_sizes)

    # By tiles, where that is the same memory.
    expected = np.zeros(memory.size, np.int32)
    for index in np.ndindex(*shape):
        expected[place([int(i) for i in index])] = array[index]
    np.testing.assert_array_equal(memory.reshape(-1), expected)
    np.testing.assert_array_equal(module.compile(entry="unpack")(memory), array)
    # Callers of a function with an encoding pass and get row-major arrays.
    for entry in ("pack", "unpack"):
        np.testing.assert_array_equal(plain.compile(entry=entry)(array), array)


def flat_number(point, sizes):
    number = 0
    for x, size in zip(reversed(point), reversed(sizes)):
        number = number * size + x
    return number


def cases(*kinds):
    found = []
    for path in sorted(CASES.glob("layout_*.jsonl")):
        for line in path.read_text().splitlines():
            case = json.loads(line)
            if case["kind"] in kinds:
                found.append(pytest.param(case, id=case["id"]))
    return found


def given(case, name):
    return Strided(*map(nest, case[name]))


@pytest.mark.parametrize("case", cases(
    "cute_compose", "cute_complement", "cute_logical_divide", "cute_inverse", "swizzle"))
def test_cases(case):
    a, expect = given(case, "a"), case["expect"]
    if case["kind"] == "cute_complement" and not expect["admissible"]:
        with pytest.raises(ta.Error, match="no complement"):
            a.complement(case["cotarget"])
        return
    result = {
        "cute_compose": lambda: a.compose(given(case, "b")),
        "cute_complement": lambda: a.complement(case["cotarget"]),
        "cute_logical_divide": lambda: a.logical_divide(given(case, "b")),
        "cute_inverse": lambda: a,
        "swizzle": lambda: ta.Swizzle(*case["swizzle"]).compose(a),
    }[case["kind"]]()
    numbers = result.numbers()
    assert numbers[: len(expect["table"])] == expect["table"]
    assert sum((i + 1) * (n + 1) for i, n in enumerate(numbers)) == expect["hash"]
    if case["kind"] == "cute_inverse":
        assert a.cosize == expect["cosize"]
        assert a.right_inverse().numbers() == expect["right_inverse_prefix"]
    if case["kind"] == "cute_logical_divide":
        assert [result[0].size, result[1].size] == [expect["tile_size"], expect["rest_size"]]
