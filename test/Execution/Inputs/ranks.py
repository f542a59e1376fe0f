"""Prints programs cut by hand: ranks.py N for N ranks, ranks.py whole for one.

Five results, one for each way that ranks work together:
  0. rows of a product: nothing is sent
  1. a product whose sums are split: reduce-scatter, then all-gather
  2. a stencil of three: a halo of one element each side
  3. a transposition, cut by rows before and after: all-to-all
  4. sums over columns that every rank needs whole: all-gather
Sizes are prime, so that parts are uneven.
"""
import sys

M, K, N, LENGTH = 7, 11, 5, 13


def cut(extent, parts, k):
    """Part k of an extent, as [lo, hi)."""
    return extent * k // parts, extent * (k + 1) // parts


def box(lo, hi):
    """`[lo…] x [sizes…]`."""
    return f"{list(lo)} x {[h - l for l, h in zip(lo, hi)]}"


def tensor(*shape):
    return "tensor<" + "".join(f"{n}x" for n in shape) + "f32>"


def shard(shape, offsets):
    ints = lambda xs: ", ".join(map(str, xs))
    return ("{tensoraccess.shard = {offsets = array<i64: " + ints(offsets)
            + ">, shape = array<i64: " + ints(shape) + ">}}")


def rank_program(p, r):
    """Rank r's function of p."""
    parts = range(p)
    others = [q for q in parts if q != r]
    lo, hi = cut(M, p, r)
    klo, khi = cut(K, p, r)
    xlo, xhi = cut(LENGTH, p, r)
    rows, depth, length = hi - lo, khi - klo, xhi - xlo
    # Output i of the stencil reads inputs i, i + 1, i + 2.
    ylo, yhi = cut(LENGTH - 2, p, r)
    outs = yhi - ylo
    tlo, thi = cut(K, p, r)
    lines = []
    say = lines.append

    # 0. rows of a product
    say(f"%zr = arith.constant dense<0.0> : {tensor(rows, N)}")
    say(f"%r0 = linalg.matmul ins(%a, %b : {tensor(rows, K)}, {tensor(K, N)})"
        f" outs(%zr : {tensor(rows, N)}) -> {tensor(rows, N)}")

    # 1. a part of the sums of a product, of all of its elements
    say(f"%zs = arith.constant dense<0.0> : {tensor(M, N)}")
    say(f"%s = linalg.matmul ins(%ac, %br : {tensor(M, depth)}, "
        f"{tensor(depth, N)}) outs(%zs : {tensor(M, N)}) -> {tensor(M, N)}")
    # Each rank sums some rows …
    say(f"%se = tensor.empty() : {tensor(p, rows, N)}")
    say(f"%so = tensor.extract_slice %s[{lo}, 0] [{rows}, {N}] [1, 1] : "
        f"{tensor(M, N)} to {tensor(rows, N)}")
    say(f"%si = tensor.insert_slice %so into %se[{r}, 0, 0] [1, {rows}, {N}] "
        f"[1, 1, 1] : {tensor(rows, N)} into {tensor(p, rows, N)}")
    sends = [f"{q}: " + box((cut(M, p, q)[0], 0), (cut(M, p, q)[1], N))
             for q in others]
    receives = [f"{q}: " + box((q, 0, 0), (q + 1, rows, N)) for q in others]
    say(f"%sx = tensoraccess.exchange %s into %si tag 1 "
        f"send [{', '.join(sends)}] receive [{', '.join(receives)}] : "
        f"{tensor(M, N)}, {tensor(p, rows, N)} -> {tensor(p, rows, N)}")
    say(f"%sz = arith.constant dense<0.0> : {tensor(rows, N)}")
    say(f"%ss = linalg.reduce ins(%sx : {tensor(p, rows, N)}) "
        f"outs(%sz : {tensor(rows, N)}) dimensions = [0] "
        "(%in: f32, %acc: f32) { %o = arith.addf %acc, %in : f32 "
        "linalg.yield %o : f32 }")
    # … and gets the others' rows.
    say(f"%ge = tensor.empty() : {tensor(M, N)}")
    say(f"%gi = tensor.insert_slice %ss into %ge[{lo}, 0] [{rows}, {N}] "
        f"[1, 1] : {tensor(rows, N)} into {tensor(M, N)}")
    sends = [f"{q}: " + box((0, 0), (rows, N)) for q in others]
    receives = [f"{q}: " + box((cut(M, p, q)[0], 0), (cut(M, p, q)[1], N))
                for q in others]
    say(f"%r1 = tensoraccess.exchange %ss into %gi tag 2 "
        f"send [{', '.join(sends)}] receive [{', '.join(receives)}] : "
        f"{tensor(rows, N)}, {tensor(M, N)} -> {tensor(M, N)}")

    # 2. a stencil: what is read lies in [ylo, yhi + 2)
    need = lambda q: (cut(LENGTH - 2, p, q)[0], cut(LENGTH - 2, p, q)[1] + 2)
    own = lambda q: cut(LENGTH, p, q)
    meet = lambda u, v: (max(u[0], v[0]), min(u[1], v[1]))
    size = outs + 2
    say(f"%he = tensor.empty() : {tensor(size)}")
    k = meet(need(r), own(r))
    say(f"%hk = tensor.extract_slice %x[{k[0] - xlo}] [{k[1] - k[0]}] [1] : "
        f"{tensor(length)} to {tensor(k[1] - k[0])}")
    say(f"%hi = tensor.insert_slice %hk into %he[{k[0] - ylo}] "
        f"[{k[1] - k[0]}] [1] : {tensor(k[1] - k[0])} into {tensor(size)}")
    sends, receives = [], []
    for q in others:
        out, into = meet(own(r), need(q)), meet(own(q), need(r))
        if out[0] < out[1]:
            sends.append(f"{q}: " + box([out[0] - xlo], [out[1] - xlo]))
        if into[0] < into[1]:
            receives.append(f"{q}: " + box([into[0] - ylo], [into[1] - ylo]))
    say(f"%h = tensoraccess.exchange %x into %hi tag 3 "
        f"send [{', '.join(sends)}] receive [{', '.join(receives)}] : "
        f"{tensor(length)}, {tensor(size)} -> {tensor(size)}")
    for i in range(3):
        say(f"%h{i} = tensor.extract_slice %h[{i}] [{outs}] [1] : "
            f"{tensor(size)} to {tensor(outs)}")
    say(f"%h01 = arith.addf %h0, %h1 : {tensor(outs)}")
    say(f"%r2 = arith.addf %h01, %h2 : {tensor(outs)}")

    # 3. rows of a transposition: columns of everyone's rows
    cols = thi - tlo
    say(f"%te = tensor.empty() : {tensor(M, cols)}")
    say(f"%tk = tensor.extract_slice %a[0, {tlo}] [{rows}, {cols}] [1, 1] : "
        f"{tensor(rows, K)} to {tensor(rows, cols)}")
    say(f"%ti = tensor.insert_slice %tk into %te[{lo}, 0] [{rows}, {cols}] "
        f"[1, 1] : {tensor(rows, cols)} into {tensor(M, cols)}")
    sends = [f"{q}: " + box((0, cut(K, p, q)[0]), (rows, cut(K, p, q)[1]))
             for q in others]
    receives = [f"{q}: " + box((cut(M, p, q)[0], 0), (cut(M, p, q)[1], cols))
                for q in others]
    say(f"%t = tensoraccess.exchange %a into %ti tag 4 "
        f"send [{', '.join(sends)}] receive [{', '.join(receives)}] : "
        f"{tensor(rows, K)}, {tensor(M, cols)} -> {tensor(M, cols)}")
    say(f"%tt = tensor.empty() : {tensor(cols, M)}")
    say(f"%r3 = linalg.transpose ins(%t : {tensor(M, cols)}) "
        f"outs(%tt : {tensor(cols, M)}) permutation = [1, 0]")

    # 4. everyone's sums over columns
    say(f"%cz = arith.constant dense<0.0> : {tensor(rows)}")
    say(f"%c = linalg.reduce ins(%a : {tensor(rows, K)}) "
        f"outs(%cz : {tensor(rows)}) dimensions = [1] "
        "(%in: f32, %acc: f32) { %o = arith.addf %acc, %in : f32 "
        "linalg.yield %o : f32 }")
    say(f"%ce = tensor.empty() : {tensor(M)}")
    say(f"%ci = tensor.insert_slice %c into %ce[{lo}] [{rows}] [1] : "
        f"{tensor(rows)} into {tensor(M)}")
    sends = [f"{q}: " + box([0], [rows]) for q in others]
    receives = [f"{q}: " + box([cut(M, p, q)[0]], [cut(M, p, q)[1]])
                for q in others]
    say(f"%r4 = tensoraccess.exchange %c into %ci tag 5 "
        f"send [{', '.join(sends)}] receive [{', '.join(receives)}] : "
        f"{tensor(rows)}, {tensor(M)} -> {tensor(M)}")

    arguments = ", ".join([
        f"%a: {tensor(rows, K)} {shard((M, K), (lo, 0))}",
        f"%b: {tensor(K, N)}",
        f"%ac: {tensor(M, depth)} {shard((M, K), (0, klo))}",
        f"%br: {tensor(depth, N)} {shard((K, N), (klo, 0))}",
        f"%x: {tensor(length)} {shard((LENGTH,), (xlo,))}"])
    results = [tensor(rows, N), tensor(M, N), tensor(outs), tensor(cols, M),
               tensor(M)]
    shards = [shard((M, N), (lo, 0)), "", shard((LENGTH - 2,), (ylo,)),
              shard((K, M), (tlo, 0)), ""]
    print(f"func.func @main_{r}({arguments}) -> ("
          + ", ".join(f"{t} {s}" for t, s in zip(results, shards))
          + ') attributes {tensoraccess.program = "main", '
          f"tensoraccess.rank = {r} : i64}} {{")
    for line in lines:
        print("  " + line)
    print("  return %r0, %r1, %r2, %r3, %r4 : " + ", ".join(results))
    print("}")


WHOLE = f"""\
func.func @main(%a: {tensor(M, K)}, %b: {tensor(K, N)}, %ac: {tensor(M, K)},
    %br: {tensor(K, N)}, %x: {tensor(LENGTH)})
    -> ({tensor(M, N)}, {tensor(M, N)}, {tensor(LENGTH - 2)}, {tensor(K, M)},
        {tensor(M)}) {{
  %z = arith.constant dense<0.0> : {tensor(M, N)}
  %r0 = linalg.matmul ins(%a, %b : {tensor(M, K)}, {tensor(K, N)})
    outs(%z : {tensor(M, N)}) -> {tensor(M, N)}
  %r1 = linalg.matmul ins(%ac, %br : {tensor(M, K)}, {tensor(K, N)})
    outs(%z : {tensor(M, N)}) -> {tensor(M, N)}
  %h0 = tensor.extract_slice %x[0] [{LENGTH - 2}] [1]
    : {tensor(LENGTH)} to {tensor(LENGTH - 2)}
  %h1 = tensor.extract_slice %x[1] [{LENGTH - 2}] [1]
    : {tensor(LENGTH)} to {tensor(LENGTH - 2)}
  %h2 = tensor.extract_slice %x[2] [{LENGTH - 2}] [1]
    : {tensor(LENGTH)} to {tensor(LENGTH - 2)}
  %h01 = arith.addf %h0, %h1 : {tensor(LENGTH - 2)}
  %r2 = arith.addf %h01, %h2 : {tensor(LENGTH - 2)}
  %te = tensor.empty() : {tensor(K, M)}
  %r3 = linalg.transpose ins(%a : {tensor(M, K)}) outs(%te : {tensor(K, M)})
    permutation = [1, 0]
  %cz = arith.constant dense<0.0> : {tensor(M)}
  %r4 = linalg.reduce ins(%a : {tensor(M, K)}) outs(%cz : {tensor(M)})
    dimensions = [1] (%in: f32, %acc: f32) {{
      %o = arith.addf %acc, %in : f32
      linalg.yield %o : f32
    }}
  return %r0, %r1, %r2, %r3, %r4 : {tensor(M, N)}, {tensor(M, N)},
    {tensor(LENGTH - 2)}, {tensor(K, M)}, {tensor(M)}
}}
"""

if sys.argv[1] == "whole":
    print(WHOLE, end="")
else:
    ranks = int(sys.argv[1])
    print(f"module attributes {{tensoraccess.ranks = {ranks} : i64}} {{")
    for rank in range(ranks):
        rank_program(ranks, rank)
    print("}")
