# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled ops that upstream lowers wrongly, or not at all, against numpy:
random slices that drop dimensions of size 1, gathers, scatters, packs with
tiles known at run time, pads by negative numbers, masked transfers, and what
the bodies of loops write into tensors from outside."""

import random

import pytest

np = pytest.importorskip("numpy")

import tensoraccess as ta


class Numbers:
    """Sizes and offsets of an op, each in the op, a constant or an argument."""

    def __init__(self, rng):
        self.rng = rng
        self.arguments, self.constants = [], {}

    def write(self, number):
        """Its text, and whether the op itself says it."""
        where = self.rng.choice(["op", "constant", "argument"])
        if where == "op":
            return str(number), True
        if where == "constant":
            name = f"%c{number}".replace("-", "m")
            self.constants[name] = number
            return name, False
        self.arguments.append(number)
        return f"%a{len(self.arguments) - 1}", False

    def list(self, numbers):
        texts = [self.write(number) for number in numbers]
        return ("[" + ", ".join(text for text, _ in texts) + "]",
                [fixed for _, fixed in texts])

    def signature(self):
        return "".join(f", %a{i}: index" for i in range(len(self.arguments)))

    def definitions(self):
        return "".join(f"  {name} = arith.constant {number} : index\n"
                       for name, number in self.constants.items())


def tensor(shape, dynamic=(), element="f32"):
    sizes = ["?" if i in dynamic else str(n) for i, n in enumerate(shape)]
    return f"tensor<{'x'.join([*sizes, element])}>"


def some(rng, indices, share=0.4):
    return {i for i in indices if rng.random() < share}


def check(text, arguments, expected):
    got = ta.Module(text).compile()(*arguments)
    assert got.shape == expected.shape, text
    assert np.array_equal(got, expected), text


def floats(rng, shape):
    numbers = [rng.random() for _ in range(int(np.prod(shape)))]
    return np.array(numbers, np.float32).reshape(shape)


def slice_program(rng):
    rank = rng.randint(1, 5)
    shape = [rng.choice([1, 1, 2, 3, 4]) for _ in range(rank)]
    strides = [rng.choice([1, 1, 2]) for _ in shape]
    sizes = [1 if rng.random() < 0.4 else rng.randint(1, -(-n // s))
             for n, s in zip(shape, strides)]
    offsets = [rng.randint(0, n - 1 - (k - 1) * s)
               for n, k, s in zip(shape, sizes, strides)]
    numbers = Numbers(rng)
    at, _ = numbers.list(offsets)
    of, fixed = numbers.list(sizes)
    by, _ = numbers.list(strides)
    kept = [i for i in range(rank)
            if not fixed[i] or sizes[i] != 1 or rng.random() < 0.4]
    small_shape = [sizes[i] for i in kept]
    small_type = tensor(small_shape,
                        {j for j, i in enumerate(kept) if not fixed[i]})
    type = tensor(shape, some(rng, range(rank)))
    place = tuple(slice(o, o + (k - 1) * s + 1, s)
                  for o, k, s in zip(offsets, sizes, strides))
    whole, part = floats(rng, shape), floats(rng, small_shape)
    head = f"func.func @main(%x: {type}, %y: {small_type}{numbers.signature()})"
    constants = numbers.definitions()
    kind = rng.choice(["extract", "insert", "parallel"])
    if kind == "extract":
        text = f"""{head} -> {small_type} {{
{constants}  %r = tensor.extract_slice %x{at} {of} {by} : {type} to {small_type}
  %s = arith.addf %r, %y : {small_type}
  return %s : {small_type}
}}"""
        expected = whole[place].reshape(small_shape) + part
    else:
        insertion = f"%y into %x{at} {of} {by} : {small_type} into {type}"
        expected = whole.copy()
        expected[place] = part.reshape(sizes)
        op = f"%r = tensor.insert_slice {insertion}"
        if kind == "parallel":
            op = f"""%r = scf.forall (%i) in (1) shared_outs(%d = %x) -> {type} {{
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice {insertion.replace("%x", "%d")}
    }}
  }}"""
        text = f"{head} -> {type} {{\n{constants}  {op}\n  return %r : {type}\n}}"
    return text, [whole, part, *numbers.arguments], expected


def gather_program(rng):
    rank = rng.randint(1, 4)
    shape = [rng.randint(1, 4) for _ in range(rank)]
    dims = sorted(rng.sample(range(rank), rng.randint(1, rank)))
    batch = [rng.choice([0, 1, 2, 3]) for _ in range(rng.randint(0, 2))]
    element, dtype = rng.choice([("index", np.int64), ("i32", np.int32),
                                 ("i16", np.int16)])
    indices = np.zeros([*batch, len(dims)], dtype)
    for slot in np.ndindex(*batch):
        indices[slot] = [rng.randrange(shape[d]) for d in dims]
    reduced = rng.random() < 0.5
    dynamic, batches = some(rng, range(rank)), some(rng, range(len(batch)))
    kept = [d for d in range(rank) if not (reduced and d in dims)]
    row = [1 if d in dims else shape[d] for d in kept]
    source = tensor(shape, dynamic)
    index_type = tensor(indices.shape, batches, element)
    slices = tensor([*batch, *row],
                    batches | {len(batch) + j for j, d in enumerate(kept)
                               if d in dynamic and d not in dims})
    whole, parts = floats(rng, shape), floats(rng, [*batch, *row])

    def place(slot):
        at = [slice(None)] * rank
        for d, i in zip(dims, indices[slot]):
            at[d] = slice(i, i + 1)
        return tuple(at)

    if rng.random() < 0.5:
        for slot in np.ndindex(*batch):
            parts[slot] = whole[place(slot)].reshape(row)
        return f"""func.func @main(%x: {source}, %i: {index_type}) -> {slices} {{
  %r = tensor.gather %x[%i] gather_dims({dims}) : ({source}, {index_type}) -> {slices}
  return %r : {slices}
}}""", [whole, indices], parts
    expected = whole.copy()
    for slot in np.ndindex(*batch):
        expected[place(slot)] = parts[slot].reshape(expected[place(slot)].shape)
    return f"""func.func @main(%u: {slices}, %x: {source}, %i: {index_type}) -> {source} {{
  %r = tensor.scatter %u into %x[%i] scatter_dims({dims}) unique : ({slices}, {source}, {index_type}) -> {source}
  return %r : {source}
}}""", [parts, whole, indices], expected


def pack_program(rng):
    rank = rng.randint(1, 3)
    shape = [rng.choice([0, 1, 2, 3, 5, 7]) for _ in range(rank)]
    dims = rng.sample(range(rank), rng.randint(1, rank))
    tiles = {d: rng.randint(1, 4) for d in dims}
    perm = rng.sample(range(rank), rank)
    outer = [-(-n // tiles[d]) if d in tiles else n for d, n in enumerate(shape)]
    whole = floats(rng, shape)
    padded = np.full([n * tiles.get(d, 1) for d, n in enumerate(outer)], 42,
                     np.float32)
    padded[tuple(slice(n) for n in shape)] = whole
    split, outer_axes, inner_axes = [], {}, {}
    for d in range(rank):
        outer_axes[d] = len(split)
        split.append(outer[d])
        if d in tiles:
            inner_axes[d] = len(split)
            split.append(tiles[d])
    packed = np.ascontiguousarray(padded.reshape(split).transpose(
        [outer_axes[d] for d in perm] + [inner_axes[d] for d in dims]))
    plain_type = tensor(shape, range(rank))
    packed_type = tensor(packed.shape, range(packed.ndim))
    names = [f"%t{k}" for k in range(len(dims))]
    how = (f"outer_dims_perm = {perm} inner_dims_pos = {dims} "
           f"inner_tiles = [{', '.join(names)}]")
    numbers = "".join(f", {name}: index" for name in names)
    arguments = [tiles[d] for d in dims]
    if rng.random() < 0.5:
        fits = padded.shape == whole.shape
        padding = "" if fits and rng.random() < 0.5 else "padding_value(%v : f32) "
        return f"""func.func @main(%x: {plain_type}, %e: {packed_type}{numbers}) -> {packed_type} {{
  %v = arith.constant 42.0 : f32
  %r = linalg.pack %x {padding}{how} into %e : {plain_type} -> {packed_type}
  return %r : {packed_type}
}}""", [whole, np.zeros_like(packed), *arguments], packed
    return f"""func.func @main(%x: {packed_type}, %e: {plain_type}{numbers}) -> {plain_type} {{
  %r = linalg.unpack %x {how} into %e : {packed_type} -> {plain_type}
  return %r : {plain_type}
}}""", [packed, np.zeros_like(whole), *arguments], whole


def pad_program(rng):
    rank = rng.randint(1, 3)
    shape = [rng.randint(0, 5) for _ in range(rank)]
    low = [rng.randint(-6, 4) for _ in shape]
    high = [max(rng.randint(-6, 4), -n - l) for n, l in zip(shape, low)]
    result = [n + l + h for n, l, h in zip(shape, low, high)]
    numbers = Numbers(rng)
    before, fixed_before = numbers.list(low)
    behind, fixed_behind = numbers.list(high)
    dynamic = some(rng, range(rank))
    type = tensor(shape, dynamic)
    padded = tensor(result, {
        i for i in range(rank)
        if (i in dynamic or not fixed_before[i] or not fixed_behind[i])
        and rng.random() < 0.8})
    whole = floats(rng, shape)
    expected = np.zeros(result, np.float32)
    for at in np.ndindex(*result):
        source = tuple(i - l for i, l in zip(at, low))
        inside = all(0 <= i < n for i, n in zip(source, shape))
        expected[at] = whole[source] if inside else at[-1]
    places = ", ".join(f"%i{d}: index" for d in range(rank))
    nofold = rng.choice(["", "nofold "])
    return f"""func.func @main(%x: {type}{numbers.signature()}) -> {padded} {{
{numbers.definitions()}  %r = tensor.pad %x {nofold}low{before} high{behind} {{
  ^bb0({places}):
    %n = arith.index_cast %i{rank - 1} : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  }} : {type} to {padded}
  return %r : {padded}
}}""", [whole, *numbers.arguments], expected


def transfer_program(rng):
    """A masked transfer along some dimensions in any order, with broadcasts."""
    rank = rng.randint(1, 3)
    shape = [rng.randint(1, 4) for _ in range(rank)]
    reads = rng.random() < 0.5
    dims = rng.sample(range(rank), rng.randint(1, rank))
    # For each dimension of the vector, that of the tensor; None broadcasts.
    along = list(dims)
    if reads and rng.random() < 0.5:
        along.insert(rng.randint(0, len(along)), None)
    sizes = [3 if d is None else rng.randint(1, 4) for d in along]
    start = [rng.randint(0, n - 1) for n in shape]
    mask_dims = sorted(dims)
    mask_shape = [sizes[along.index(d)] for d in mask_dims]
    mask = np.array([rng.random() < 0.6 for _ in range(int(np.prod(mask_shape)))])
    mask = mask.reshape(mask_shape)
    whole, given = floats(rng, shape), floats(rng, sizes)
    expected = given if reads else whole.copy()
    for lane in np.ndindex(*sizes):
        at, bit = list(start), {}
        for digit, d in zip(lane, along):
            if d is not None:
                at[d] += digit
                bit[d] = digit
        moved = (all(i < n for i, n in zip(at, shape))
                 and mask[tuple(bit[d] for d in mask_dims)])
        if reads:
            expected[lane] = whole[tuple(at)] if moved else 9
        elif moved:
            expected[tuple(at)] = given[lane]
    exprs = ", ".join("0" if d is None else f"d{d}" for d in along)
    symbols = ", ".join(f"d{d}" for d in range(rank))
    transfer = ("permutation_map = affine_map<(" + symbols + ") -> (" + exprs +
                ")>, in_bounds = [" +
                ", ".join("true" if d is None else "false" for d in along) + "]")
    type, mask_type = tensor(shape), tensor(mask_shape, element="i1")
    vector = tensor(sizes).replace("tensor", "vector")
    mask_vector = mask_type.replace("tensor", "vector")
    at = ", ".join(f"%c{i}" for i in start)
    constants = "".join(f"  %c{i} = arith.constant {i} : index\n"
                        for i in sorted({0, *start}))
    zeros = lambda n: ", ".join(["%c0"] * n)
    load_mask = (f"%m = vector.transfer_read %mask[{zeros(len(mask_shape))}], %no"
                 f" : {mask_type}, {mask_vector}")
    given_type = tensor(sizes)
    head = (f"(%x: {type}, %mask: {mask_type}, %given: {given_type})")
    if reads:
        body = f"""  %v = vector.transfer_read %x[{at}], %nine, %m {{{transfer}}} : {type}, {vector}
  %r = vector.transfer_write %v, %given[{zeros(len(sizes))}] : {vector}, {given_type}
  return %r : {given_type}"""
    else:
        body = f"""  %v = vector.transfer_read %given[{zeros(len(sizes))}], %nine : {given_type}, {vector}
  %r = vector.transfer_write %v, %x[{at}], %m {{{transfer}}} : {vector}, {type}
  return %r : {type}"""
    return f"""func.func @main{head} -> {given_type if reads else type} {{
{constants}  %nine = arith.constant 9.0 : f32
  %no = arith.constant false
  {load_mask}
{body}
}}""", [whole, mask, given], expected


@pytest.mark.parametrize("make", [slice_program, gather_program, pack_program,
                                  pad_program, transfer_program])
def test_against_numpy(make):
    rng = random.Random(make.__name__)
    for _ in range(40):
        check(*make(rng))


INSIDE = """    %b = tensor.insert %z into %t[%i] : tensor<4xf32>
    %v = tensor.extract %b[%c0] : tensor<4xf32>
"""
STORE = INSIDE + "    memref.store %v, %a[%i] : memref<4xf32>\n"
BODIES = {
    "affine.for": "affine.for %i = 0 to 4 {\n" + STORE + "  }",
    "affine.parallel": "affine.parallel (%i) = (0) to (4) {\n" + STORE + "  }",
    "scf.for": "scf.for %i = %c0 to %c4 step %c1 {\n" + STORE + "  }",
    "scf.forall": "scf.forall (%i) in (4) {\n" + STORE + "  }",
    "scf.parallel": "scf.parallel (%i) = (%c0) to (%c4) step (%c1) {\n" + STORE +
                    "    scf.reduce\n  }",
    "tensor.generate": "%r = tensor.generate {\n  ^bb0(%i: index):\n" + INSIDE +
                       "    tensor.yield %v : f32\n  } : tensor<4xf32>",
    "linalg.map": "%r = linalg.map ins(%x : tensor<4xf32>)"
                  " outs(%e : tensor<4xf32>) (%o: f32, %p: f32) {\n"
                  "    %i = linalg.index 0 : index\n" + INSIDE +
                  "    linalg.yield %v : f32\n  }",
    "tensor.pad": "%n = tensor.extract_slice %x[0] [0] [1]"
                  " : tensor<4xf32> to tensor<0xf32>\n"
                  "  %r = tensor.pad %n low[4] high[0] {\n  ^bb0(%i: index):\n" +
                  INSIDE + "    tensor.yield %v : f32\n"
                  "  } : tensor<0xf32> to tensor<4xf32>",
}


@pytest.mark.parametrize("body", BODIES)
def test_loops_write_into_copies(body):
    """Each point of a loop finds the tensor as it was before the loop."""
    buffer = "%a" in BODIES[body]
    text = f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %z = arith.constant 7.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = arith.addf %x, %x : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = memref.alloc() : memref<4xf32>
  {BODIES[body]}
  {"%r = bufferization.to_tensor %a restrict : memref<4xf32> to tensor<4xf32>" if buffer else ""}
  return %r : tensor<4xf32>
}}"""
    x = np.array([1, 2, 3, 4], np.float32)
    check(text, [x], np.array([7, 2, 2, 2], np.float32))


@pytest.mark.parametrize("fmr, m, r", [("F_2_3", 2, 3), ("F_4_3", 4, 3),
                                       ("F_2_5", 2, 5)])
def test_winograd(fmr, m, r):
    """The three transforms around a product are a convolution."""
    a, n, c, f, h, w = m + r - 1, 2, 3, 2, 2, 3
    image = tensor([n, h * m + r - 1, w * m + r - 1, c])
    filters, out = tensor([f, r, r, c]), tensor([n, h * m, w * m, f])
    u, v = tensor([a, a, c, f]), tensor([a, a, h, w, n, c])
    p = tensor([a, a, h, w, n, f])
    maps = ", ".join(f"affine_map<(i, j, h, w, n, f, c) -> ({results})>" for
                     results in ["i, j, h, w, n, c", "i, j, c, f",
                                 "i, j, h, w, n, f"])
    text = f"""func.func @main(%x: {image}, %w: {filters}, %o: {out}) -> {out} {{
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : {u}
  %u = linalg.winograd_filter_transform fmr({fmr}) ins(%w : {filters}) outs(%e0 : {u}) -> {u}
  %e1 = tensor.empty() : {v}
  %v = linalg.winograd_input_transform fmr({fmr}) ins(%x : {image}) outs(%e1 : {v}) -> {v}
  %e2 = tensor.empty() : {p}
  %e3 = linalg.fill ins(%z : f32) outs(%e2 : {p}) -> {p}
  %p = linalg.contract indexing_maps = [{maps}] ins(%v, %u : {v}, {u}) outs(%e3 : {p}) -> {p}
  %y = linalg.winograd_output_transform fmr({fmr}) ins(%p : {p}) outs(%o : {out}) -> {out}
  return %y : {out}
}}"""
    rng = random.Random(fmr)
    x = floats(rng, [n, h * m + r - 1, w * m + r - 1, c])
    k, o = floats(rng, [f, r, r, c]), floats(rng, [n, h * m, w * m, f])
    expected = o.astype(np.float64)
    for i, j in np.ndindex(h * m, w * m):
        expected[:, i, j] += np.einsum("nhwc,fhwc->nf", x[:, i:i + r, j:j + r],
                                       k, dtype=np.float64)
    got = ta.Module(text).compile()(x, k, o)
    assert np.allclose(got, expected, rtol=1e-5, atol=1e-5)


def test_places_of_vectors():
    """Elements and rows of vectors of two dimensions, at any place."""
    text = """func.func @main(%t: tensor<3x4xi32>, %i: index, %j: index, %s: i32) -> tensor<3x4xi32> {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %t[%c0, %c0], %z : tensor<3x4xi32>, vector<3x4xi32>
  %w = vector.insert %s, %v[%i, %j] : i32 into vector<3x4xi32>
  %row = vector.extract %w[%i] : vector<4xi32> from vector<3x4xi32>
  %x = vector.insert %row, %w[%c0] : vector<4xi32> into vector<3x4xi32>
  %e = vector.extract %x[0, %j] : i32 from vector<3x4xi32>
  %y = vector.insert %e, %x[2, 3] : i32 into vector<3x4xi32>
  %r = vector.transfer_write %y, %t[%c0, %c0] : vector<3x4xi32>, tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}"""
    compiled = ta.Module(text).compile()
    for i, j in np.ndindex(3, 4):
        t = np.arange(12, dtype=np.int32).reshape(3, 4)
        expected = t.copy()
        expected[i, j] = 77
        expected[0] = expected[i]
        expected[2, 3] = expected[0, j]
        assert np.array_equal(compiled(t, i, j, 77), expected)


def test_shapes_of_integers():
    """Upstream takes the shape of a tensor.reshape for one of indices."""
    text = """func.func @main(%x: tensor<?xf32>, %s: tensor<2xi32>) -> tensor<?x?xf32> {
  %r = tensor.reshape %x(%s) : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""
    x = np.arange(6, dtype=np.float32)
    check(text, [x, np.array([2, 3], np.int32)], x.reshape(2, 3))
