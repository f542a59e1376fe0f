# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layout.pack, Layout.unpack and relayout against pad, reshape and transpose."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensoraccess as ta

DTYPES = {
    "pred": np.dtype(bool),
    "s8": np.dtype(np.int8),
    "u16": np.dtype(np.uint16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f8e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "c64": np.dtype(np.complex64),
    "c128": np.dtype(np.complex128),
}


def oracle(layout, array):
    """The buffer by the words of the format: pad, reshape, transpose, per tile."""
    a = array.transpose(layout.minor_to_major[::-1])
    for tile in layout.tiles:
        a = a.reshape((1,) * (len(tile) - a.ndim) + a.shape)
        prefix = a.ndim - len(tile)
        merged, sizes = 1, []
        for extent, entry in zip(a.shape[prefix:], tile):
            merged *= extent
            if entry is not None:
                sizes.append((merged, entry))
                merged = 1
        a = a.reshape(a.shape[:prefix] + tuple(s for s, _ in sizes))
        a = np.pad(a, [(0, 0)] * prefix + [(0, -s % t) for s, t in sizes])
        a = a.reshape(
            a.shape[:prefix] + tuple(x for s, t in sizes for x in (-(-s // t), t))
        )
        n = len(sizes)
        order = [prefix + 2 * i for i in range(n)] + [prefix + 2 * i + 1 for i in range(n)]
        a = a.transpose(list(range(prefix)) + order)
    flat = np.ascontiguousarray(a).reshape(-1)
    tail = layout.padded_elements - flat.size
    return np.pad(flat, (0, tail)) if tail else flat.reshape(layout.physical_shape)


def values(shape, dtype, seed=0):
    raw = np.random.default_rng(seed).integers(0, 100, tuple(shape))
    return raw.astype(np.float32).astype(dtype)


def same(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


@st.composite
def layouts(draw):
    shape = draw(st.lists(st.integers(1, 9), max_size=4))
    order = draw(st.permutations(range(len(shape))))
    tiles = ""
    for _ in range(draw(st.integers(0, 3))):
        tile = draw(st.lists(st.sampled_from([1, 2, 3, 4, 5, 8]), min_size=1, max_size=4))
        marks = draw(st.lists(st.booleans(), min_size=len(tile), max_size=len(tile)))
        entries = [
            "*" if mark and i + 1 < len(tile) and draw(st.integers(0, 3)) == 0 else str(t)
            for i, (t, mark) in enumerate(zip(tile, marks))
        ]
        tiles += f"({','.join(entries)})"
    parts = f":T{tiles}" if tiles else ""
    if draw(st.integers(0, 4)) == 0:
        parts += ("" if parts else ":") + f"L({draw(st.integers(1, 20))})"
    dtype = draw(st.sampled_from(sorted(DTYPES)))
    dims = ",".join(map(str, shape))
    return ta.Layout(f"{dtype}[{dims}]{{{','.join(map(str, order))}{parts}}}")


@settings(max_examples=400, deadline=None)
@given(layouts(), st.integers(0, 3))
def test_pack_is_pad_reshape_transpose(layout, way):
    array = values(layout.shape, DTYPES[layout.element_type])
    if not array.ndim:
        way = 0
    if way == 1:  # any strides will do
        array = np.asfortranarray(array)
    elif way == 2:
        array = np.repeat(array, 2, axis=-1)[..., ::2]
    elif way == 3:
        array = array[tuple(slice(None, None, -1) for _ in array.shape)]
    buffer = layout.pack(array)
    assert same(buffer, oracle(layout, array)), str(layout)
    back = layout.unpack(buffer)
    assert same(np.array(back, order="C"), np.array(array, order="C"))
    assert same(layout.pack(array, copy=True), buffer)
    assert same(layout.unpack(buffer, copy=True), np.array(array, order="C"))


def test_the_worked_example():
    l = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    a = np.arange(15, dtype=np.float32).reshape(3, 5)
    buffer = l.pack(a)
    assert buffer.shape == (2, 3, 2, 2) and buffer.dtype == np.float32
    assert buffer.reshape(-1)[17] == a[2, 3]
    assert buffer.reshape(-1)[11] == 0  # padding
    assert (l.unpack(buffer) == a).all()
    assert (l.unpack(buffer.tobytes()) == a).all()
    assert (l.unpack(buffer.reshape(-1)) == a).all()


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2", "float4_e2m1fn"])
def test_narrow_types_are_packed(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    xla = {"int4": "s4", "uint4": "u4", "int2": "s2", "uint2": "u2"}.get(name, "f4e2m1fn")
    bits = 2 if name.endswith("2") else 4
    l = ta.Layout(f"{xla}[3,5]{{1,0:T(2,2)}}")
    a = np.arange(15).reshape(3, 5) % 2**bits
    raw = a.astype(np.uint8)
    array = raw.view(dtype) if name.startswith("float") else a.astype(dtype)
    buffer = l.pack(array)
    assert buffer.dtype == np.uint8 and buffer.shape == (l.size_bytes,)
    plain = oracle(ta.Layout("u16[3,5]{1,0:T(2,2)}"), a.astype(np.uint16)).reshape(-1)
    # Little end first.
    numbers = np.unpackbits(buffer, bitorder="little").reshape(-1, bits)
    assert (numbers @ (1 << np.arange(bits)) == plain).all()
    back = l.unpack(buffer)
    assert back.dtype == dtype
    assert (back.astype(np.float32) == array.astype(np.float32)).all()
    with pytest.raises(ta.Error, match="needs a copy, which copy=False forbids"):
        l.pack(array, copy=False)


@pytest.mark.parametrize("shape", [[], [1], [2], [3, 5], [0, 5]])
@pytest.mark.parametrize("xla", ["s4", "u4", "s2", "u2", "f4e2m1fn"])
def test_narrow_types_are_bytes_in_any_shape(xla, shape):
    names = {"s": "int", "u": "uint"}
    name = "float4_e2m1fn" if xla[0] == "f" else names[xla[0]] + xla[1]
    dtype = np.dtype(getattr(ml_dtypes, name))
    dims = ",".join(map(str, shape))
    order = ",".join(str(d) for d in reversed(range(len(shape))))
    l = ta.Layout(f"{xla}[{dims}]{{{order}}}")
    array = np.ones(shape, np.float32).astype(dtype)
    for copy in (None, True):
        buffer = l.pack(array, copy=copy)
        assert buffer.dtype == np.uint8 and buffer.shape == (l.size_bytes,)
        back = l.unpack(buffer, copy=copy)
        assert back.dtype == dtype and list(back.shape) == shape
        assert (back.astype(np.float32) == 1).all()


def test_bits_of_truth():
    l = ta.Layout("pred[9]{0:E(1)}")
    a = np.array([1, 0, 1, 1, 0, 0, 0, 1, 1], bool)
    assert l.pack(a).tolist() == [0x8D, 0x01]
    assert (l.unpack(np.array([0x8D, 0x01], np.uint8)) == a).all()


def test_what_fits_is_a_view():
    a = np.arange(15, dtype=np.float32).reshape(3, 5)
    rows, columns = ta.Layout("f32[3,5]{1,0}"), ta.Layout("f32[3,5]{0,1}")
    for layout, array in ((rows, a), (columns, np.asfortranarray(a))):
        buffer = layout.pack(array)
        assert np.shares_memory(buffer, array)
        assert same(buffer, oracle(layout, array))
        assert same(layout.pack(array, copy=False), buffer)
        assert not np.shares_memory(layout.pack(array, copy=True), array)
        back = layout.unpack(buffer)
        assert np.shares_memory(back, array) and (back == a).all()
        assert not np.shares_memory(layout.unpack(buffer, copy=True), array)
    # Rows of tiles as wide as the array are rows; padding is skipped.
    wide = ta.Layout("f32[5,4]{1,0:T(8,4)}")
    b = np.arange(20, dtype=np.float32).reshape(5, 4)
    buffer = wide.pack(b)
    assert np.shares_memory(wide.unpack(buffer), buffer)
    assert (wide.unpack(buffer, copy=False) == b).all()
    tiled = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    for call in (lambda: tiled.pack(a, copy=False), lambda: tiled.unpack(tiled.pack(a), copy=False)):
        with pytest.raises(ta.Error, match="needs a copy, which copy=False forbids"):
            call()
    with pytest.raises(ta.Error, match="needs a copy"):
        columns.pack(a, copy=False)


def test_out():
    l = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    a = np.arange(15, dtype=np.float32).reshape(3, 5)
    out = np.full(24, 7, np.float32)
    assert l.pack(a, out=out) is out and (l.unpack(out) == a).all()
    back = np.empty((3, 5), np.float32)
    assert l.unpack(out, out=back) is back and (back == a).all()
    for bad, message in (
        (np.empty(23, np.float32), "out must have 96 bytes, got 92"),
        (np.empty(24, np.int32), "out must be of float32 or uint8, got int32"),
        (np.empty(48, np.float32)[::2], "out must be contiguous in C order and writeable"),
        ([0.0] * 24, "out must be a numpy array, got list"),
    ):
        with pytest.raises(ta.Error, match=message):
            l.pack(a, out=bad)
    with pytest.raises(ta.Error, match=r"out must have shape \[3, 5\], got \[15\]"):
        l.unpack(out, out=np.empty(15, np.float32))
    with pytest.raises(ta.Error, match="source and target overlap in memory"):
        l.unpack(out, out=out[:15].reshape(3, 5))


def test_relayout():
    a = np.arange(15, dtype=np.float32).reshape(3, 5)
    tiled = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    other = ta.Layout("bf16[5,3]{1,0:T(4,2)(2,1)}")
    buffer = ta.relayout(tiled.pack(a), tiled, other, [1, 0])
    assert buffer.dtype == ml_dtypes.bfloat16
    assert same(buffer, other.pack(a.T.astype(ml_dtypes.bfloat16)))
    flat = ta.Layout("f32[15]{0:T(4)}")
    assert same(ta.relayout(tiled.pack(a), tiled, flat), flat.pack(a.reshape(-1)))
    with pytest.raises(ta.Error, match="no conversion from f32 to s32"):
        ta.relayout(a, ta.Layout("f32[3,5]{1,0}"), ta.Layout("s32[3,5]{1,0}"))
    with pytest.raises(ta.Error, match="source .3, 5. has 15 elements, but target .3, 4. has 12"):
        ta.relayout(a, ta.Layout("f32[3,5]{1,0}"), ta.Layout("f32[3,4]{1,0}"))


FLOATS = ["f16", "bf16", "f32", "f64"]
SIGNED = ["s8", "s16", "s32", "s64"]
UNSIGNED = ["u8", "u16", "u32", "u64"]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_conversions_pack_the_converted_array(data):
    kind = data.draw(st.sampled_from([FLOATS, SIGNED, UNSIGNED]))
    shape = data.draw(st.lists(st.integers(1, 7), min_size=2, max_size=2))
    sides = []
    for _ in range(2):
        name = data.draw(st.sampled_from(kind))
        least = int(name.lstrip("bfsu"))
        wider = [b for b in (8, 16, 24, 32, 48, 64, 128) if b >= least]
        bits = data.draw(st.sampled_from(wider))
        tiles = data.draw(st.sampled_from(["", "T(2,2)", "T(4,3)(2,1)"]))
        order = data.draw(st.sampled_from(["1,0", "0,1"]))
        dims = ",".join(map(str, shape))
        layout = ta.Layout(f"{name}[{dims}]{{{order}:{tiles}E({bits})}}")
        sides.append((layout, np.dtype(getattr(ml_dtypes, "bfloat16")) if name == "bf16"
                      else np.dtype({"f": "float", "s": "int", "u": "uint"}[name[0]] + str(least))))
    (source, a), (target, b) = sides
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    if kind is FLOATS:
        array = (random.integers(-60, 60, shape) / 4).astype(a)
    else:
        info = np.iinfo(a)
        array = random.integers(info.min, info.max, shape, dtype=a, endpoint=True)
    moved = ta.relayout(source.pack(array), source, target)
    assert same(moved, target.pack(array.astype(b).copy(), copy=True))
    back = target.unpack(moved)
    assert (back == array.astype(b)).all()


def test_wide_elements_are_converted():
    wide, plain = ta.Layout("f32[4]{0:E(64)}"), ta.Layout("f64[4]{0}")
    a = np.arange(1, 5, dtype=np.float32)
    moved = ta.relayout(wide.pack(a), wide, plain)
    assert plain.unpack(moved).tolist() == [1, 2, 3, 4]
    source, target = ta.Layout("s32[2]{0:E(64)}"), ta.Layout("s16[2]{0:E(64)}")
    b = np.array([70000, -2], np.int32)
    moved = ta.relayout(source.pack(b), source, target)
    assert moved.tobytes() == np.array([4464, -2], np.int64).tobytes()


def test_what_does_not_fit_is_refused():
    l = ta.Layout("f32[3,5]{1,0:T(2,2)}")
    a = np.zeros((3, 5), np.float32)
    for call, message in (
        (lambda: l.pack(a.T), r"needs an array of shape \[3, 5\], got \[5, 3\]"),
        (lambda: l.pack(a.astype(np.int32)), "needs an array of float32, got int32"),
        (lambda: l.pack(a.astype(">f4")), "needs an array of float32, got float32 in foreign"),
        (lambda: l.unpack(np.zeros(23, np.float32)), r"must have 96 bytes, got 92 of shape \[23\]"),
        (lambda: l.unpack(np.zeros(24, np.int32)), "must be of float32 or uint8, got int32"),
        (lambda: l.pack(a, copy="x"), "copy must be None, True or False, got 'x'"),
        (lambda: l.unpack(l.pack(a), copy=1), "copy must be None, True or False, got 1"),
        (lambda: ta.Layout("{1,0}").pack(a), "layout '.1,0.' has no shape"),
        (lambda: ta.Layout("{1,0}").unpack(a), "layout '.1,0.' has no shape"),
    ):
        with pytest.raises(ta.Error, match=message):
            call()


def test_empty_arrays():
    l = ta.Layout("f32[0,5]{1,0:T(2,2)}")
    a = np.zeros((0, 5), np.float32)
    assert l.pack(a).size == 0 and l.unpack(l.pack(a)).shape == (0, 5)
