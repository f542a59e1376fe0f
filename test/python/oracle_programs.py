# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of ops that move, loop and sum, each with its inputs and what NumPy
computes, for test_oracle.py."""

import numpy as np

#: By op: its text, inputs and results.
CASES = {}

A = np.arange(12, dtype=np.int32).reshape(3, 4) * 3 - 7
B = np.arange(12, dtype=np.int32).reshape(3, 4)[::-1].copy()
T34 = "tensor<3x4xi32>"
X = np.array([[0.5, -1.0, 2.0, 3.0], [1.5, 0.25, -2.0, 4.0], [8.0, -0.5, 1.0, 0.0]], np.float32)


def types_of(results):
    names = {"i": "i", "f": "f", "b": "i"}
    shown = []
    for x in results:
        element = "i1" if x.dtype == bool else f"{names[x.dtype.kind]}{8 * x.itemsize}"
        shown.append(f"tensor<{''.join(f'{n}x' for n in x.shape)}{element}>")
    return shown


def case(op, body, inputs, *results, arguments=None, types=None):
    """A function of %a, %b … that ends with `return %r` or `%r, %s`."""
    inputs = [np.asarray(x) for x in inputs]
    results = [np.asarray(x) for x in results]
    given = arguments or types_of(inputs)
    types = types or types_of(results)
    head = ", ".join(f"%{name}: {t}" for name, t in zip("abcdefg", given))
    names = ", ".join(f"%{n}" for n in "rstuvw"[: len(results)])
    CASES[op] = (
        f"func.func @main({head}) -> ({', '.join(types)}) {{\n{body}\n"
        f"  return {names} : {', '.join(types)}\n}}\n",
        inputs,
        results,
    )


def scalars(op, body, inputs, results, types, given=None):
    case(op, body, inputs, *results, arguments=given or ["index"] * len(inputs), types=types)


# index and affine.

L, R = np.int64(-17), np.int64(5)
UL = (1 << 64) - 17
for name, value in {
    "add": -12, "sub": -22, "mul": -85, "divs": -3, "divu": UL // 5, "ceildivs": -3, "ceildivu": -(-UL // 5),
    "floordivs": -4, "rems": -2, "remu": UL % 5, "maxs": 5, "maxu": -17, "mins": -17, "minu": 5,
    "shl": -17 << 5, "shrs": -17 >> 5, "shru": UL >> 5, "and": -17 & 5, "or": -17 | 5, "xor": -17 ^ 5,
}.items():  # fmt: skip
    scalars(f"index.{name}", f"  %r = index.{name} %a, %b", [L, R], [np.int64(value)], ["index"])
scalars("index.casts", "  %r = index.casts %a : index to i32\n  %s = index.casts %b : i8 to index",
        [np.int64((1 << 32) - 2), np.int8(-3)], [np.int32(-2), np.int64(-3)], ["i32", "index"], ["index", "i8"])
scalars("index.castu", "  %r = index.castu %a : i8 to index", [np.int8(-3)], [np.int64(253)], ["index"], ["i8"])
ORDERS = {"slt": True, "ult": False, "eq": False, "uge": True, "sgt": False, "ne": True}
scalars("index.cmp", "\n".join(f"  %{n} = index.cmp {order}(%a, %b)" for n, order in zip("rstuvw", ORDERS)), [L, R],
        [np.bool_(value) for value in ORDERS.values()], ["i1"] * 6)
scalars("index.constant", "  %r = index.constant -9", [], [np.int64(-9)], ["index"])
scalars("index.bool.constant", "  %r = index.bool.constant true", [], [np.True_], ["i1"])
scalars("index.sizeof", "  %r = index.sizeof", [], [np.int64(64)], ["index"])
scalars("arith.index_cast", "  %r = arith.index_cast %a : index to i8", [np.int64(255)], [np.int8(-1)], ["i8"])
scalars("arith.index_castui", "  %r = arith.index_castui %a : i8 to index", [np.int8(-1)], [np.int64(255)],
        ["index"], ["i8"])
scalars("affine.apply", "  %r = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 4 + s0 mod 3 + d0 ceildiv 4)>(%a)[%b]",
        [L, R], [np.int64(-5 + 2 - 4)], ["index"])
scalars("affine.min", "  %r = affine.min affine_map<(d0, d1) -> (d0 + 30, d1, 7)>(%a, %b)", [L, R], [np.int64(5)], ["index"])
scalars("affine.max", "  %r = affine.max affine_map<(d0, d1) -> (d0 + 30, d1, 7)>(%a, %b)", [L, R], [np.int64(13)], ["index"])
case("affine.for", """  %i = arith.constant 100 : i32
  %r = affine.for %i0 = 0 to min affine_map<()[s0] -> (s0, 9)>()[%b] step 2 iter_args(%x = %i) -> (i32) {
    %k = arith.index_cast %i0 : index to i32
    %y = arith.muli %x, %k : i32
    %z = arith.addi %y, %k : i32
    affine.yield %z : i32
  }""", [np.int32(0), np.int64(7)], np.int32(((0 * 2 + 2) * 4 + 4) * 6 + 6),
     arguments=["i32", "index"], types=["i32"])
case("affine.if", """  %r = affine.if affine_set<(d0) : (d0 - 3 >= 0, d0 mod 2 == 0)>(%a) -> i32 {
    %x = arith.constant 1 : i32
    affine.yield %x : i32
  } else {
    %x = arith.constant 2 : i32
    affine.yield %x : i32
  }
  %s = affine.if affine_set<(d0) : (d0 - 3 >= 0, d0 mod 2 == 0)>(%b) -> i32 {
    %x = arith.constant 1 : i32
    affine.yield %x : i32
  } else {
    %x = arith.constant 2 : i32
    affine.yield %x : i32
  }""", [np.int64(6), np.int64(5)], np.int32(1), np.int32(2), arguments=["index", "index"], types=["i32", "i32"])

# scf and cf.

case("scf.for", f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> ({T34}) {{
    %y = arith.addi %x, %b : {T34}
    scf.yield %y : {T34}
  }}""", [A, B], A + 3 * B)
case("scf.while", """  %r = scf.while (%x = %a) : (i32) -> i32 {
    %c = arith.constant 100 : i32
    %k = arith.cmpi slt, %x, %c : i32
    scf.condition(%k) %x : i32
  } do {
  ^bb0(%x: i32):
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }""", [np.int32(3)], np.int32(192), arguments=["i32"], types=["i32"])
case("scf.if", f"""  %r = scf.if %c -> {T34} {{
    scf.yield %a : {T34}
  }} else {{
    scf.yield %b : {T34}
  }}""", [A, B, np.False_], B, arguments=[T34, T34, "i1"])
case("scf.index_switch", """  %r = scf.index_switch %a -> i32
  case 2 {
    %x = arith.constant 20 : i32
    scf.yield %x : i32
  }
  case 5 {
    %x = arith.constant 50 : i32
    scf.yield %x : i32
  }
  default {
    %x = arith.constant 0 : i32
    scf.yield %x : i32
  }""", [np.int64(5)], np.int32(50), arguments=["index"], types=["i32"])
case("scf.execute_region", f"""  %r = scf.execute_region -> {T34} {{
    %x = arith.subi %a, %b : {T34}
    scf.yield %x : {T34}
  }}""", [A, B], A - B)
case("scf.forall", f"""  %r = scf.forall (%i, %j) = (0, 1) to (3, 4) step (1, 2) shared_outs(%o = %b) -> ({T34}) {{
    %x = tensor.extract_slice %a[%i, %j] [1, 1] [1, 1] : {T34} to tensor<1x1xi32>
    %y = arith.addi %x, %x : tensor<1x1xi32>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %y into %o[%i, %j] [1, 1] [1, 1] : tensor<1x1xi32> into {T34}
    }}
  }}""", [A, B], np.where(np.arange(4) % 2 == 1, 2 * A, B))
case("scf.parallel", f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %i0 = arith.constant 1000 : i32
  %i1 = arith.constant 1 : i32
  %r, %s = scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c4) step (%c2, %c1) init (%i0, %i1) -> (i32, i32) {{
    %x = tensor.extract %a[%i, %j] : {T34}
    %y = tensor.extract %b[%i, %j] : {T34}
    scf.reduce(%x, %y : i32, i32) {{
    ^bb0(%p: i32, %q: i32):
      %z = arith.subi %p, %q : i32
      scf.reduce.return %z : i32
    }}, {{
    ^bb0(%p: i32, %q: i32):
      %z = arith.maxsi %p, %q : i32
      scf.reduce.return %z : i32
    }}
  }}""", [A, B], np.int32(1000 - A[::2].sum()), np.int32(B[::2].max()), types=["i32", "i32"])
case("cf.assert", '  cf.assert %c, "stops"\n' f"  %r = arith.addi %a, %b : {T34}", [A, B, np.True_], A + B,
     arguments=[T34, T34, "i1"])

WIDE = A.astype(np.int64) * 98765432
PAIRS = {"addui_extended": ("tensor<3x4xi1>", A.astype(np.uint32).astype(np.uint64) + B.astype(np.uint32)),
         "mulsi_extended": (T34, WIDE.astype(np.int32).astype(np.int64) * B),
         "mului_extended": (T34, WIDE.astype(np.uint32).astype(np.uint64) * B.astype(np.uint32))}  # fmt: skip
for name, (high, whole) in PAIRS.items():
    given = A if name == "addui_extended" else WIDE.astype(np.int32)
    over = (whole >> np.array(32, whole.dtype)).astype(np.int32)
    case(f"arith.{name}", f"  %r, %s = arith.{name} %a, %b : {T34}" + (f", {high}" if "i1" in high else ""), [given, B],
         whole.astype(np.int32), over.astype(bool) if "i1" in high else over)
case("ub.poison", f"""  %p = ub.poison : i32
  %v = tensor.splat %p : {T34}
  %n = arith.subi %v, %v : {T34}
  %r = arith.addi %a, %n : {T34}
  %s = linalg.map ins(%a : {T34}) outs(%a : {T34})
    (%x: i32, %o: i32) {{
      %q = ub.poison : i32
      %z = arith.select %b, %x, %q : i32
      linalg.yield %z : i32
    }}""", [A, np.True_], A, A, arguments=[T34, "i1"])

# tensor.

case("arith.constant", "  %r = arith.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>", [],
     np.array([[1, -2], [3, 4]], np.int8))
case("tensor.bitcast", "  %r = tensor.bitcast %a : tensor<3x4xf32> to tensor<3x4xi32>", [X], X.view(np.int32))
case("tensor.cast", f"  %t = tensor.cast %a : {T34} to tensor<?x4xi32>\n  %r = tensor.cast %t : tensor<?x4xi32> to {T34}",
     [A], A)
case("tensor.collapse_shape", f"  %r = tensor.collapse_shape %a [[0, 1]] : {T34} into tensor<12xi32>", [A], A.reshape(12))
case("tensor.expand_shape",
     f"  %r = tensor.expand_shape %a [[0], [1, 2]] output_shape [3, 2, 2] : {T34} into tensor<3x2x2xi32>",
     [A], A.reshape(3, 2, 2))
case("tensor.reshape", f"  %k = arith.constant dense<[2, 6]> : tensor<2xindex>\n"
     f"  %r = tensor.reshape %a(%k) : ({T34}, tensor<2xindex>) -> tensor<2x6xi32>", [A], A.reshape(2, 6))
case("tensor.concat", f"  %r = tensor.concat dim(1) %a, %b : ({T34}, {T34}) -> tensor<3x8xi32>", [A, B],
     np.concatenate([A, B], 1))
case("tensor.dim", f"  %c1 = arith.constant 1 : index\n  %r = tensor.dim %a, %c1 : {T34}", [A], np.int64(4), types=["index"])
case("tensor.rank", "  %t = tensor.cast %a : tensor<3x4xi32> to tensor<*xi32>\n  %r = tensor.rank %t : tensor<*xi32>",
     [A], np.int64(2), types=["index"])
case("tensor.empty", f"  %e = tensor.empty() : {T34}\n  %r = linalg.fill ins(%b : i32) outs(%e : {T34}) -> {T34}",
     [A, np.int32(9)], np.full_like(A, 9), arguments=[T34, "i32"])
case("tensor.splat", f"  %r = tensor.splat %a : {T34}", [np.int32(8)], np.full_like(A, 8), arguments=["i32"])
case("tensor.from_elements", "  %r = tensor.from_elements %a, %b, %a, %b : tensor<2x2xi32>", [np.int32(4), np.int32(6)],
     np.array([[4, 6], [4, 6]], np.int32), arguments=["i32", "i32"])
case("tensor.generate", f"""  %r = tensor.generate {{
  ^bb0(%i: index, %j: index):
    %x = index.mul %i, %a
    %y = index.sub %x, %j
    %z = index.casts %y : index to i32
    tensor.yield %z : i32
  }} : {T34}""", [np.int64(10)], np.add.outer(10 * np.arange(3), -np.arange(4)).astype(np.int32), arguments=["index"])
case("tensor.extract", f"  %r = tensor.extract %a[%b, %c] : {T34}", [A, np.int64(2), np.int64(1)], A[2, 1],
     arguments=[T34, "index", "index"], types=["i32"])
INSERTED = A.copy()
INSERTED[2, 1] = 77
case("tensor.insert", f"  %x = arith.constant 77 : i32\n  %r = tensor.insert %x into %a[%b, %c] : {T34}",
     [A, np.int64(2), np.int64(1)], INSERTED, arguments=[T34, "index", "index"])
case("tensor.extract_slice", f"  %r = tensor.extract_slice %a[%b, 0] [2, 2] [1, 3] : {T34} to tensor<2x2xi32>",
     [A, np.int64(1)], A[1:3, ::3], arguments=[T34, "index"])
SET = A.copy()
SET[::2, 1] = B[0, :2]
case("tensor.insert_slice", f"  %x = tensor.extract_slice %b[0, 0] [1, 2] [1, 1] : {T34} to tensor<2xi32>\n"
     f"  %r = tensor.insert_slice %x into %a[0, 1] [2, 1] [2, 1] : tensor<2xi32> into {T34}", [A, B], SET)
PADDED = np.full((3, 4), 9, np.int32)
PADDED[:2, 1:] = A[1:, :3]
case("tensor.pad", f"""  %c = arith.constant 9 : i32
  %r = tensor.pad %a low[-1, 1] high[1, -1] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i32
  }} : {T34} to {T34}""", [A], PADDED)
PICK = np.array([[2, 0], [0, 3], [1, 1], [2, 0]], np.int64)
case("tensor.gather", f"""  %i = arith.constant dense<[[2, 0], [0, 3], [1, 1], [2, 0]]> : tensor<4x2xindex>
  %r = tensor.gather %a[%i] gather_dims([0, 1]) : ({T34}, tensor<4x2xindex>) -> tensor<4x1x1xi32>
  %j = arith.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %s = tensor.gather %a[%j] gather_dims([0]) : ({T34}, tensor<2x1xi32>) -> tensor<2x4xi32>""",
     [A], A[PICK[:, 0], PICK[:, 1]].reshape(4, 1, 1), A[[2, 0]])
SCATTERED = A.copy()
SCATTERED[[2, 0]] = B[:2]
case("tensor.scatter", f"""  %j = arith.constant dense<[[2], [0]]> : tensor<2x1xindex>
  %x = tensor.extract_slice %b[0, 0] [2, 4] [1, 1] : {T34} to tensor<2x4xi32>
  %y = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 1, 4] : tensor<2x4xi32> into tensor<2x1x4xi32>
  %r = tensor.scatter %y into %a[%j] scatter_dims([0]) unique : (tensor<2x1x4xi32>, {T34}, tensor<2x1xindex>) -> {T34}""",
     [A, B], SCATTERED)

# linalg without bodies.

case("linalg.pack", f"""  %p = arith.constant -1 : i32
  %e = tensor.empty() : tensor<2x2x2x3xi32>
  %r = linalg.pack %a padding_value(%p : i32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 3]
    into %e : {T34} -> tensor<2x2x2x3xi32>""", [A],
     np.pad(A, ((0, 1), (0, 2)), constant_values=-1).reshape(2, 2, 2, 3).transpose(2, 0, 1, 3))
case("linalg.unpack", f"""  %e = tensor.empty() : {T34}
  %r = linalg.unpack %a inner_dims_pos = [1] inner_tiles = [3] into %e : tensor<3x2x3xi32> -> {T34}""",
     [np.arange(18, dtype=np.int32).reshape(3, 2, 3)], np.arange(18, dtype=np.int32).reshape(3, 6)[:, :4])
SOFT = np.exp((X - X.max(1, keepdims=True)).astype(np.float64))
case("linalg.softmax", "  %e = tensor.empty() : tensor<3x4xf32>\n"
     "  %z = linalg.softmax dimension(1) ins(%a : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>\n"
     "  %k = arith.constant dense<4096.0> : tensor<3x4xf32>\n  %y = arith.mulf %z, %k : tensor<3x4xf32>\n"
     "  %w = math.roundeven %y : tensor<3x4xf32>\n  %r = arith.fptosi %w : tensor<3x4xf32> to tensor<3x4xi32>",
     [X], np.rint(4096 * SOFT / SOFT.sum(1, keepdims=True)).astype(np.int32))


def convolution(m, r):
    """F(m, r) of an image, a filter and what there is, by all three transforms: the
    convolution, if it is whole numbers that are rounded at the end."""
    a, n = m + r - 1, 2
    rng = np.random.default_rng(m + r)
    image = rng.integers(-3, 4, (1, n * m + r - 1, m + r - 1, 2)).astype(np.float64)
    filters = rng.integers(-3, 4, (3, r, r, 2)).astype(np.float64)
    start = rng.integers(-9, 9, (1, n * m, m, 3)).astype(np.float64)
    size = f"{a}x{a}"
    text = f"""  %e0 = tensor.empty() : tensor<{size}x2x3xf64>
  %g = linalg.winograd_filter_transform fmr(F_{m}_{r}) ins(%b : tensor<3x{r}x{r}x2xf64>)
    outs(%e0 : tensor<{size}x2x3xf64>) -> tensor<{size}x2x3xf64>
  %e1 = tensor.empty() : tensor<{size}x{n}x1x1x2xf64>
  %d = linalg.winograd_input_transform fmr(F_{m}_{r}) ins(%a : tensor<1x{n * m + r - 1}x{a}x2xf64>)
    outs(%e1 : tensor<{size}x{n}x1x1x2xf64>) -> tensor<{size}x{n}x1x1x2xf64>
  %gg = tensor.collapse_shape %g [[0, 1], [2], [3]] : tensor<{size}x2x3xf64> into tensor<{a * a}x2x3xf64>
  %dd = tensor.collapse_shape %d [[0, 1], [2, 3, 4], [5]] : tensor<{size}x{n}x1x1x2xf64> into tensor<{a * a}x{n}x2xf64>
  %zero = arith.constant dense<0.0> : tensor<{a * a}x{n}x3xf64>
  %p = linalg.batch_matmul ins(%dd, %gg : tensor<{a * a}x{n}x2xf64>, tensor<{a * a}x2x3xf64>)
    outs(%zero : tensor<{a * a}x{n}x3xf64>) -> tensor<{a * a}x{n}x3xf64>
  %q = tensor.expand_shape %p [[0, 1], [2, 3, 4], [5]] output_shape [{a}, {a}, {n}, 1, 1, 3]
    : tensor<{a * a}x{n}x3xf64> into tensor<{size}x{n}x1x1x3xf64>
  %y = linalg.winograd_output_transform fmr(F_{m}_{r}) ins(%q : tensor<{size}x{n}x1x1x3xf64>)
    outs(%c : tensor<1x{n * m}x{m}x3xf64>) -> tensor<1x{n * m}x{m}x3xf64>
  %w = math.roundeven %y : tensor<1x{n * m}x{m}x3xf64>
  %r = arith.fptosi %w : tensor<1x{n * m}x{m}x3xf64> to tensor<1x{n * m}x{m}x3xi32>"""
    right = start.copy()
    for i in range(n * m):
        for j in range(m):
            right[0, i, j] += np.einsum("hwc,fhwc->f", image[0, i : i + r, j : j + r], filters)
    return text, [image, filters, start], right.astype(np.int32)


for op, of in {"filter": (2, 3), "input": (4, 3), "output": (2, 5)}.items():
    body, given, right = convolution(*of)
    case(f"linalg.winograd_{op}_transform", body, given, right)

# vector.

V34, F34 = "vector<3x4xi32>", "vector<3x4xf32>"


def transfers(type_, at="%zero"):
    """Of a tensor's type: the vector's, and the indices and flags of a transfer."""
    rank = type_.count("x", 0, type_.rindex("x") + 1) - ("index" in type_)
    return type_.replace("tensor", "vector"), f"[{', '.join([at] * rank)}]", f"{{in_bounds = {[True] * rank}}}".replace(
        "True", "true")


def vector(op, body, inputs, *results, given=None, types=None):
    """Of vectors %a, %b … of the inputs' shapes, read from tensors and written to
    some; `given` and `types` are what they are instead."""
    inputs, results = [np.asarray(x) for x in inputs], [np.asarray(x) for x in results]
    given, types = given or types_of(inputs), types or types_of(results)
    lines = ["  %zero = arith.constant 0 : index"]
    for name, x, t in zip("abcdefg", inputs, given):
        if x.ndim and t.startswith("tensor"):
            kind, at, flags = transfers(t)
            element = t[:-1].rsplit("x", 1)[1]
            lines += [f"  %pad{name} = arith.constant {'0.0' if element[0] == 'f' else 0} : {element}",
                      f"  %{name} = vector.transfer_read %{name}t{at}, %pad{name} {flags} : {t}, {kind}"]
    ends = []
    for name, x, t in zip("rstuvw", results, types):
        if x.ndim:
            kind, at, flags = transfers(t)
            ends += [f"  %{name}e = tensor.empty() : {t}",
                     f"  %{name}t = vector.transfer_write %{name}, %{name}e{at} {flags} : {kind}, {t}"]
    arguments = [t if t.startswith(("tensor", "vector")) and x.ndim else t[7:-1] if t.startswith("tensor") else t
                 for x, t in zip(inputs, given)]
    types = [t if x.ndim or not t.startswith("tensor") else t[7:-1] for x, t in zip(results, types)]
    head = ", ".join(f"%{n}{'t' if x.ndim else ''}: {t}" for n, x, t in zip("abcdefg", inputs, arguments))
    names = ", ".join(f"%{n}{'t' if x.ndim else ''}" for n, x in zip("rstuvw", results))
    text = "\n".join([*lines, body, *ends])
    CASES[op] = (f"func.func @main({head}) -> ({', '.join(types)}) {{\n{text}\n  return {names} : {', '.join(types)}\n}}\n",
                 inputs, results)


vector("vector.broadcast", f"  %r = vector.broadcast %a : vector<4xi32> to {V34}\n"
       f"  %s = vector.broadcast %b : vector<3x1xi32> to {V34}", [A[0], A[:, :1].copy()],
       np.broadcast_to(A[0], (3, 4)), np.broadcast_to(A[:, :1], (3, 4)))
vector("vector.shape_cast", f"  %r = vector.shape_cast %a : {V34} to vector<2x6xi32>", [A], A.reshape(2, 6))
vector("vector.transpose", f"  %r = vector.transpose %a, [1, 0] : {V34} to vector<4x3xi32>", [A], A.T)
vector("vector.bitcast", f"  %r = vector.bitcast %a : {V34} to vector<3x16xi8>\n"
       "  %s = vector.bitcast %b : vector<2x16xi1> to vector<2x2xi8>",
       [A, np.arange(32).reshape(2, 16) % 3 == 0],
       A.view(np.int8), np.packbits(np.arange(32).reshape(2, 16) % 3 == 0, axis=1, bitorder="little").view(np.int8))
vector("vector.extract", f"  %k = arith.constant 2 : index\n  %r = vector.extract %a[1] : vector<4xi32> from {V34}\n"
       f"  %s = vector.extract %a[%k, 3] : i32 from {V34}", [A], A[1], A[2, 3])
ROW = A.copy()
ROW[2] = B[0]
vector("vector.insert", f"  %x = vector.extract %b[0] : vector<4xi32> from {V34}\n"
       f"  %r = vector.insert %x, %a[2] : vector<4xi32> into {V34}", [A, B], ROW)
vector("vector.extract_strided_slice", "  %r = vector.extract_strided_slice %a {offsets = [1], sizes = [2], strides = [1]} "
       f": {V34} to vector<2x4xi32>", [A], A[1:])
PART = A.copy()
PART[1, 2:] = B[0, :2]
vector("vector.insert_strided_slice", f"  %x = vector.extract_strided_slice %b {{offsets = [0, 0], sizes = [1, 2], "
       f"strides = [1, 1]}} : {V34} to vector<1x2xi32>\n  %y = vector.extract %x[0] : vector<2xi32> from vector<1x2xi32>\n"
       f"  %r = vector.insert_strided_slice %y, %a {{offsets = [1, 2], strides = [1]}} : vector<2xi32> into {V34}",
       [A, B], PART)
vector("vector.from_elements", "  %r = vector.from_elements %a, %b, %b, %a : vector<2x2xi32>", [np.int32(3), np.int32(5)],
       np.array([[3, 5], [5, 3]], np.int32))
vector("vector.to_elements", "  %r, %s, %t, %u = vector.to_elements %a : vector<2x2xi32>", [A[:2, :2].copy()],
       A[0, 0], A[0, 1], A[1, 0], A[1, 1])
vector("vector.shuffle", f"  %r = vector.shuffle %a, %b [0, 5, 2, 3, 3] : {V34}, {V34}", [A, B],
       np.concatenate([A, B])[[0, 5, 2, 3, 3]])
vector("vector.interleave", f"  %r = vector.interleave %a, %b : {V34} -> vector<3x8xi32>", [A, B],
       np.stack([A, B], 2).reshape(3, 8))
vector("vector.deinterleave", f"  %r, %s = vector.deinterleave %a : {V34} -> vector<3x2xi32>", [A], A[:, ::2], A[:, 1::2])
MASK = np.zeros((3, 4), bool)
MASK[:2, :3] = True
vector("vector.constant_mask", "  %r = vector.constant_mask [2, 3] : vector<3x4xi1>", [], MASK)
vector("vector.create_mask", "  %r = vector.create_mask %a, %b : vector<3x4xi1>", [np.int64(2), np.int64(3)], MASK,
       given=["index", "index"])
vector("vector.step", "  %r = vector.step : vector<5xindex>", [], np.arange(5), types=["tensor<5xindex>"])
vector("vector.fma", f"  %r = vector.fma %a, %a, %b : {F34}", [X, X[::-1].copy()], X * X + X[::-1])
KINDS = {"add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum, "and": np.bitwise_and,
         "or": np.bitwise_or, "xor": np.bitwise_xor}  # fmt: skip
vector("vector.reduction", "\n".join(f"  %{n} = vector.reduction <{kind}>, %a, %b : vector<4xi32> into i32"
                                     for n, kind in zip("rstuvw", KINDS)), [A[0], np.int32(5)],
       *[f(f.reduce(A[0], dtype=np.int32), np.int32(5)) for f in list(KINDS.values())[:6]])
vector("vector.multi_reduction", f"  %r = vector.multi_reduction <add>, %a, %b [0] : {V34} to vector<4xi32>\n"
       f"  %s = vector.multi_reduction <maxui>, %a, %c [0, 1] : {V34} to i32", [A, B[0], np.int32(3)],
       B[0] + A.sum(0, dtype=np.int32), A.view(np.uint32).max().astype(np.int32))
vector("vector.scan", "  %r, %s = vector.scan <add>, %a, %b {inclusive = false, reduction_dim = 1 : i64} : "
       f"{V34}, vector<3xi32>", [A, B[:, 0].copy()],
       B[:, :1] + np.concatenate([np.zeros((3, 1), np.int32), A.cumsum(1, dtype=np.int32)[:, :3]], 1),
       B[:, 0] + A[:, :3].sum(1, dtype=np.int32))
vector("vector.outerproduct", "  %r = vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<3xi32>, vector<4xi32>",
       [A[:, 0].copy(), B[0], A], A + np.outer(A[:, 0], B[0]))
vector("vector.contract", """  %r = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
    affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (j, i)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c
    : vector<3x4xi32>, vector<2x4xi32> into vector<2x3xi32>""", [A, B[:2].copy(), A[:2, :3].copy()],
       A[:2, :3] + B[:2] @ A.T)
# Of a tensor, at [1, 2], where it ends before the vector does.
READ = np.full((2, 4), -1, np.int32)
READ[:, :2] = A[1:3, 2:]
vector("vector.transfer_read", f"""  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %p = arith.constant -1 : i32
  %r = vector.transfer_read %at[%c1, %c2], %p {{in_bounds = [true, false]}} : {T34}, vector<2x4xi32>
  %m = vector.constant_mask [2, 1] : vector<2x2xi1>
  %s = vector.transfer_read %at[%c1, %c2], %p, %m {{in_bounds = [true, true, true],
    permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>}} : {T34}, vector<2x3x2xi32>""", [A], READ,
       np.broadcast_to(np.where(np.array([[True, True], [False, False]]), A[1:3, 2:].T, -1)[:, None], (2, 3, 2)))
WRITTEN = A.copy()
WRITTEN[1:3, 2:] = B[:2, :2]
MASKED = A.copy()
MASKED[0, 1:3] = B[0, :2]
vector("vector.transfer_write", f"""  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ra = vector.transfer_write %b, %at[%c1, %c2] {{in_bounds = [false, false]}} : {V34}, {T34}
  %m = vector.constant_mask [2] : vector<3xi1>
  %x = vector.extract_strided_slice %b {{offsets = [0, 0], sizes = [1, 3], strides = [1, 1]}} : {V34} to vector<1x3xi32>
  %y = vector.extract %x[0] : vector<3xi32> from vector<1x3xi32>
  %sa = vector.transfer_write %y, %at[%c0, %c1], %m {{in_bounds = [true]}} : vector<3xi32>, {T34}
  %r = vector.transfer_read %ra[%c0, %c0], %pada {{in_bounds = [true, true]}} : {T34}, {V34}
  %s = vector.transfer_read %sa[%c0, %c0], %pada {{in_bounds = [true, true]}} : {T34}, {V34}""", [A, B], WRITTEN, MASKED)
vector("vector.gather", f"""  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %r = vector.gather %at[%c2, %c0] [%b], %c, %d : {T34}, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>""",
     [A, np.array([3, 0, 99, 1], np.int32), np.array([True, True, False, True]), B[0]],
       np.array([A[2, 3], A[2, 0], B[0, 2], A[2, 1]]))
