# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of test/Cases/layout_*.jsonl and indexing_layouts.jsonl.

Maps of other systems (CuTe's layouts, Triton's linear layouts, TVM's index
maps) are indexing maps here: what those systems say of them, ours must say.
"""

import functools
import itertools
import json
import math
import os

import pytest

import tensoraccess as ta


def cases(kind: str, *files: str) -> list:
    from conftest import ROOT

    folder = os.environ.get("TENSORACCESS_CASES", ROOT / "test" / "Cases")
    found = []
    for file in files:
        with open(os.path.join(folder, f"{file}.jsonl"), encoding="utf-8") as lines:
            found += [c for c in map(json.loads, lines) if c["kind"] == kind]
    assert found, f"no cases of {kind}"
    return [pytest.param(c, id=c["id"]) for c in found]


def points(sizes) -> list:
    return [list(p) for p in itertools.product(*map(range, sizes))]


def map_of(affine: str, sizes) -> ta.IndexingMap:
    """An `affine_map<…>` on a box."""
    text = affine.removeprefix("affine_map<").removesuffix(">")
    ranges = ", ".join(f"d{i} in [0, {n - 1}]" for i, n in enumerate(sizes))
    return ta.IndexingMap(f"{text}, domain: {ranges}" if ranges else text)


def values_hash(values) -> int:
    return sum((i + 1) * (v + 1) for i, v in enumerate(values))


# --- tiled layouts -------------------------------------------------------------


@pytest.mark.parametrize("case", cases("xla_tiled", "layout_fixed", "layout_rand_tiled"))
def test_tiled(case):
    """The layout as a map, against the affine map that the case has for it."""
    l = ta.Layout(case["text"])
    expect = case["expect"]
    assert l.physical_shape == expect["physical_dims"]
    assert l.padded_elements - l.elements == expect["padding_elements"]
    given = map_of(case["affine"], case["shape"])
    for index, number in expect["samples"]:
        assert l.indexing_map.evaluate(index) == given.evaluate(index) == [number]
    for number, index in expect["inverse"]:
        assert l.delinearize(number) == index
    assert values_hash(map(l.linearize, points(case["shape"]))) == expect["hash"]
    assert l.indexing_map.equivalent(given) is not False
    assert l.indexing_map.is_injective() is not False


@pytest.mark.parametrize("case", cases("is_effectively_untiled", "indexing_layouts"))
def test_effectively_untiled(case):
    l = ta.Layout("{" + ",".join(map(str, case["minor_to_major"])) + ":T"
                  + "".join(f"({','.join(map(str, t))})" for t in case["tiles"]) + "}")
    l = l.with_shape(case["dims"], "f32")
    plain = ta.Layout(f"f32[{','.join(map(str, case['dims']))}]")
    untiled = l.to_strides().strides == plain.to_strides().strides
    assert (untiled and l.padded_elements == l.elements) == case["expected"]


@pytest.mark.parametrize("case", cases("byte_strides", "indexing_layouts"))
def test_strides(case):
    l = ta.Layout(f"{case['element_type']}[{','.join(map(str, case['dims']))}]")
    assert l.to_strides().strides == case["expected_unpacked"]


@pytest.mark.parametrize("case", cases("layout_validity", "indexing_layouts"))
def test_validity(case):
    tiles = "".join(f"({','.join(map(str, t))})" for t in case["tiles"])
    text = "{" + ",".join(map(str, case["minor_to_major"])) + f":T{tiles}" + "}"
    assert (ta.Layout(text).with_shape(case["dims"], "f32") is not None) == case["valid"]


def table_of(l: ta.Layout) -> list:
    return [l.linearize(p) for p in points(l.shape)]


@pytest.mark.parametrize("case", cases("normalized_transpose", "indexing_layouts"))
def test_transpose_of_merged_dimensions(case):
    """Moving the merged dimensions moves the same elements."""
    def numbers(dims, permutation):
        sizes = [dims[p] for p in permutation]
        index = [f"d{permutation.index(i)}" for i in range(len(dims))]
        number = functools.reduce(lambda a, b: f"({a}) * {b[1]} + {b[0]}", zip(index, dims), "0")
        ranges = ", ".join(f"d{i} in [0, {n - 1}]" for i, n in enumerate(sizes))
        to_flat = functools.reduce(
            lambda a, b: f"({a}) * {b[1]} + {b[0]}", ((f"d{i}", n) for i, n in enumerate(sizes)), "0"
        )
        dims_text = ", ".join(f"d{i}" for i in range(len(sizes)))
        source = ta.IndexingMap(f"({dims_text}) -> ({number}), domain: {ranges}")
        flat = ta.IndexingMap(f"({dims_text}) -> ({to_flat}), domain: {ranges}")
        return flat.inverse().compose(source)

    fine = numbers(case["input_dims"], case["permutation"])
    # XLA gives the shape after the transpose.
    merged, p = case["expected_shape"], case["expected_permutation"]
    source = [0] * len(p)
    for i, d in enumerate(p):
        source[d] = merged[i]
    coarse = numbers(source, p)
    assert fine.equivalent(coarse) is not False
    total = math.prod(case["input_dims"])
    for n in range(0, total, max(1, total // 997)):
        assert fine.evaluate([n]) == coarse.evaluate([n])


@pytest.mark.parametrize("case", cases("reshape_is_bitcast_layout", "indexing_layouts"))
def test_reshape_that_moves_nothing(case):
    source, dims = case["input"], case["output_dims"]

    def layout(sizes, order):
        return ta.Layout("{" + ",".join(map(str, order)) + "}").with_shape(sizes, "f32")

    a = layout(source["dims"], source["minor_to_major"])
    b = layout(dims, case["expected_minor_to_major"])
    assert table_of(a) == table_of(b)


# --- conversions ---------------------------------------------------------------


@pytest.mark.parametrize("case", cases("linalg_pack", "layout_rand_pack"))
def test_pack(case):
    given = {k: case[k] for k in ("inner_dims_pos", "inner_tiles", "outer_dims_perm")}
    l = ta.Layout.from_pack(case["shape"], **given)
    expect = case["expect"]
    assert values_hash(table_of(l)) == expect["hash"]
    assert l.padded_elements == expect["padded_elements"]
    pack = l.to_pack()
    assert {k: getattr(pack, k) for k in given} == given
    assert pack.packed_shape == expect["packed_shape"]


@pytest.mark.parametrize("case", cases("onednn_tag", "layout_rand_onednn"))
def test_blocked_tag(case):
    l = ta.Layout.from_blocked_tag(case["shape"], case["tag"])
    expect = case["expect"]
    assert values_hash(table_of(l)) == expect["hash"]
    assert l.padded_elements == expect["padded_elements"]
    for index, number in expect["samples"]:
        assert l.linearize(index) == number
    assert l.to_blocked_tag() == case["tag"]


@pytest.mark.parametrize("case", cases("layout_convert", "layout_rand_convert"))
def test_convert(case):
    given = case["from"]
    if "onednn_tag" in given:
        l = ta.Layout.from_blocked_tag(case["shape"], given["onednn_tag"])
    else:
        l = ta.Layout.from_pack(case["shape"], **given["linalg_pack"])
    known = ta.Layout(case["expect"]["tiled_text"])
    assert table_of(l) == table_of(known)
    assert l.padded_elements == known.padded_elements == case["expect"]["padded_elements"]
    assert values_hash(table_of(known)) == case["expect"]["hash"]


# --- TVM's index maps ----------------------------------------------------------


@pytest.mark.parametrize("case", cases("index_map", "layout_rand_index_map", "layout_tvm_index_map"))
def test_index_map(case):
    m = map_of(case["affine"], case["domain"])
    expect = case["expect"]
    box = ta.Box([0] * len(case["domain"]), case["domain"])
    image = m.image(box)
    lo, hi = expect["image_hull"]
    volume = math.prod(h - l for l, h in zip(lo, hi))
    assert image.hull == ta.Box(lo, hi)
    assert image.count == expect["image_count"]
    assert image.kind == ("exact" if image.count == volume else "hull")
    assert m.is_injective() is expect["injective"]
    # Of the out_shape, what the image leaves is padding.
    assert math.prod(expect["out_shape"]) - image.count == expect["padding_count"]
    assert (expect["padding_count"] == 0) == expect["surjective"]
    inverse = m.inverse()
    if expect["injective"]:
        assert inverse is not None
        for point, source in expect["inverse_samples"]:
            assert inverse.evaluate(point) == source
        for point in expect["padding_points"]:
            assert inverse.evaluate(point) is None
    for point, source in expect["inverse_samples"]:
        assert m.evaluate(source) == point
    for point in expect["padding_points"]:
        one = ta.Box(point, [x + 1 for x in point])
        assert m.preimage(one).count in (0, None)


# --- CuTe's layouts, as maps ---------------------------------------------------


def flatten(tree) -> list:
    return [x for t in tree for x in flatten(t)] if isinstance(tree, list) else [tree]


def cute_map(layout, total=None) -> ta.IndexingMap:
    """shape:stride on a colexicographic number, the last dimension unbounded."""
    shape, stride = map(flatten, layout)
    terms, below = [], 1
    for i, (n, s) in enumerate(zip(shape, stride)):
        digit = f"d0 floordiv {below}"
        if i + 1 < len(shape):
            digit = f"({digit}) mod {n}"
        terms.append(f"({digit}) * {s}")
        below *= n
    total = math.prod(shape) if total is None else total
    return ta.IndexingMap(f"(d0) -> ({' + '.join(terms)}), domain: d0 in [0, {total - 1}]")


def table(m: ta.IndexingMap, size: int) -> list:
    values = [m.evaluate([i]) for i in range(size)]
    return [v[0] if v else None for v in values]


@pytest.mark.parametrize("case", cases("cute_compose", "layout_rand_cute", "layout_cute_hard"))
def test_cute_compose(case):
    """Composition of maps is total where CuTe's, which must be a layout again,
    refuses."""
    a, b, expect = cute_map(case["a"]), cute_map(case["b"]), case["expect"]
    composed = b.compose(a)
    values = table(composed, expect["size"])
    assert values[: len(expect["table"])] == expect["table"]
    assert values_hash(values) == expect["hash"]
    assert table(composed.simplify(), expect["size"]) == values
    assert expect["b_in_domain_of_a"] == (
        b.image(ta.Box([0], [expect["size"]])).hull.hi[0] <= math.prod(flatten(case["a"][0]))
    )


@pytest.mark.parametrize("case", cases("cute_complement", "layout_rand_cute"))
def test_cute_complement(case):
    """a and its complement together cover the numbers below cotarget, each
    once."""
    expect = case["expect"]
    if not expect["admissible"]:
        a = cute_map(case["a"])
        shape, stride = (flatten(x) for x in case["a"])
        # What has no complement: sizes and strides do not nest.
        dims = sorted((s, n) for n, s in zip(shape, stride) if n > 1)
        nests = a.is_injective() and all(
            s1 % (s0 * n0) == 0 for (s0, n0), (s1, _) in zip(dims, dims[1:])
        )
        assert not nests
        return
    a, b = cute_map(case["a"]), cute_map(expect["layout"])
    values = table(b, expect["size"])
    assert values[: len(expect["table"])] == expect["table"]
    assert values_hash(values) == expect["hash"]
    n, k = math.prod(flatten(case["a"][0])), expect["size"]
    both = ta.IndexingMap(
        f"(d0) -> (d0 mod {n}, d0 floordiv {n}), domain: d0 in [0, {n * k - 1}]"
    )
    sums = [
        a.evaluate([x])[0] + b.evaluate([y])[0] for x, y in (both.evaluate([i]) for i in range(n * k))
    ]
    distinct = set(sums)
    assert expect["sums_unique"] == (len(distinct) == len(set(table(a, n))) * k)
    assert expect["covers_cotarget"] == (distinct >= set(range(case["cotarget"])))


@pytest.mark.parametrize("case", cases("cute_inverse", "layout_rand_cute"))
def test_cute_inverse(case):
    m, expect = cute_map(case["a"]), case["expect"]
    size = math.prod(flatten(case["a"][0]))
    values = table(m, size)
    assert values == expect["table"] and values_hash(values) == expect["hash"]
    assert m.is_injective() is expect["injective"]
    image = m.image(ta.Box([0], [size]))
    assert image.hull.hi[0] == expect["cosize"]
    assert (image.count == expect["cosize"]) == expect["dense"]
    if expect["injective"]:
        inverse = m.inverse()
        prefix = [inverse.evaluate([n]) for n in range(expect["contiguous_codomain_prefix"])]
        assert [p[0] for p in prefix] == expect["right_inverse_prefix"]
        assert inverse.evaluate([expect["contiguous_codomain_prefix"]]) is None


@pytest.mark.parametrize("case", cases("swizzle", "layout_rand_cute"))
def test_swizzle(case):
    """The exclusive or of two groups of bits is a sum of digits mod 2."""
    expect = case["expect"]
    a = cute_map(case["a"])
    size = math.prod(flatten(case["a"][0]))
    plain = table(a, size)
    swizzle = map_of(case["affine"], [1 << max(plain).bit_length()])
    values = table(a.compose(swizzle), size)
    assert values[: len(expect["table"])] == expect["table"]
    assert values_hash(values) == expect["hash"]
    assert expect["bijective_on_image"] == (len(set(values)) == len(set(plain)))
    twice = [swizzle.evaluate(swizzle.evaluate([n]))[0] for n in plain]
    assert expect["involution"] == (twice == plain)


# --- Triton's linear layouts over GF(2), as maps -------------------------------


def gf2_map(bases, out_sizes) -> ta.IndexingMap:
    """Bit b of result r is the sum mod 2 of the input bits whose basis has it."""
    results = []
    for r, size in enumerate(out_sizes):
        terms = ["0"]
        for b in range(size.bit_length() - 1):
            bits = [
                f"d{d} floordiv {1 << i}"
                for d, columns in enumerate(bases)
                for i, column in enumerate(columns)
                if column[r] >> b & 1
            ]
            if bits:
                terms.append(f"(({' + '.join(bits)}) mod 2) * {1 << b}")
        results.append(" + ".join(terms))
    dims = ", ".join(f"d{d}" for d in range(len(bases)))
    return map_of(f"({dims}) -> ({', '.join(results)})", [1 << len(c) for c in bases])


LINEAR = ("layout_rand_linear_layout", "layout_triton_ll")


@pytest.mark.parametrize("case", cases("linear_layout_gf2", *LINEAR))
def test_linear_layout(case):
    expect = case["expect"]
    sizes = [1 << len(columns) for columns in case["bases"]]
    m = map_of(case["affine"], sizes)
    ours = gf2_map(case["bases"], case["out_sizes"])
    values = [m.evaluate(p) for p in points(sizes)]
    assert values[: len(expect["table"])] == expect["table"]
    assert [ours.evaluate(p) for p in points(sizes)] == values
    assert m.is_injective() in (expect["injective"], None)
    distinct = {tuple(v) for v in values}
    assert expect["injective"] == (len(distinct) == len(values))
    assert expect["surjective"] == (len(distinct) == math.prod(case["out_sizes"]))
    # The least of all points that have a value; Triton's first dim is minor.
    def number_of(point):
        return functools.reduce(
            lambda n, i: n * sizes[i] + point[i], reversed(range(len(sizes))), 0
        )

    least = {}
    for p, v in sorted(zip(points(sizes), values), key=lambda pv: number_of(pv[0])):
        least.setdefault(tuple(v), p)
    for value, number in expect["pseudo_inverse_smallest"]:
        assert number_of(least[tuple(value)]) == number
        if expect["injective"]:
            back = m.preimage(ta.Box(value, [x + 1 for x in value]))
            assert back.hull.lo == least[tuple(value)] or back.kind != "exact"


@pytest.mark.parametrize("case", cases("linear_layout_compose", "layout_triton_ll"))
def test_linear_layout_compose(case):
    first = gf2_map(case["first"], case["mid_sizes"])
    second = gf2_map(case["second"], case["out_sizes"])
    composed = first.compose(second)
    expected = gf2_map(case["expect"]["bases"], case["out_sizes"])
    for p in points([1 << len(c) for c in case["first"]]):
        assert composed.evaluate(p) == expected.evaluate(p)


@pytest.mark.parametrize("case", cases("linear_layout_invert_and_compose", "layout_triton_ll"))
def test_linear_layout_invert_and_compose(case):
    """c with b(c(x)) = a(x), as the case has it and through the inverse of b."""
    a, b = (gf2_map(case[k], case["out_sizes"]) for k in "ab")
    sizes = [1 << len(c) for c in case["a"]]
    # c's columns are stacked: one number for all of b's dims.
    columns = case["expect"]["stacked_bases"]
    c = gf2_map([[[x] for x in group] for group in columns], [1 << sum(map(len, case["b"]))])
    for p in points(sizes):
        assert b.compose(ta.IndexingMap.identity(case["out_sizes"])).evaluate(
            c.evaluate(p)
        ) == a.evaluate(p)
    inverse = b.inverse()
    if inverse is not None and b.is_injective():
        back = a.compose(inverse)
        for p in points(sizes):
            assert b.evaluate(back.evaluate(p)) == a.evaluate(p)
