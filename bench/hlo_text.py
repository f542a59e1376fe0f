# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares StableHLO's text, read and printed here, with jaxlib's.

    python3 bench/hlo_text.py --build build --testdata stablehlo/testdata \\
        --tests stablehlo/tests/print_stablehlo.mlir --jax

Each program is read by jaxlib first; if it refuses one, its functions are taken one
by one, and those that it refuses are counted and left out. Then

  read      tensoraccess-opt reads the program as it is written
  meaning   what is read, printed generically, is to jaxlib the same program: each
            op, operand, type and attribute
  generic   jaxlib's ordinary text, read here and printed generically, is what
            jaxlib prints after reading it, character for character; attributes that
            name symbols are in the dictionary, not in `<{...}>`
  ordinary  jaxlib's generic text, read here and printed in ordinary form, is
            jaxlib's ordinary text, names of values included
  again     the program as it is written, printed in ordinary form, is the same,
            but for white space and ops that have no ordinary form

PATHs are files, of which those with `// -----` hold several programs, or folders.
--jax adds what JAX prints for functions of this script. Exits with 1 if anything
differs.
"""
import argparse
import collections
import difflib
import os
import pathlib
import re
import subprocess
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=4")

SEPARATOR = "// -----"
COLUMNS = ("read", "meaning", "generic", "ordinary", "again")
BATCH = 50


# ---------------------------------------------------------------------------
# The two sides
# ---------------------------------------------------------------------------


class Jaxlib:
    """jaxlib's parser and printers."""

    def __init__(self):
        from jax._src.interpreters import mlir
        from jaxlib.mlir import ir

        self.ir = ir
        self.make_context = mlir.make_ir_context

    def print(self, text):
        """Generic and ordinary text; None if it refuses the program."""
        context = self.make_context()
        context.allow_unregistered_dialects = True
        try:
            operation = self.ir.Module.parse(text, context).operation
            return (operation.get_asm(print_generic_op_form=True).strip(),
                    operation.get_asm().strip())
        except (self.ir.MLIRError, ValueError):
            return None


def run_tool(tool, texts, flags):
    """What the tool prints for each text; None where it fails."""
    command = [tool, "-", "--split-input-file", "--allow-unregistered-dialect", *flags]
    if not texts:
        return []
    joined = f"\n{SEPARATOR}\n".join(texts)
    done = subprocess.run(command, input=joined, capture_output=True, text=True)
    parts = done.stdout.split(f"{SEPARATOR}\n")
    if done.returncode == 0 and len(parts) == len(texts):
        return [part.strip() for part in parts]
    if len(texts) == 1:
        print(done.stderr[:300], file=sys.stderr)
        return [None]
    half = len(texts) // 2
    return run_tool(tool, texts[:half], flags) + run_tool(tool, texts[half:], flags)


# ---------------------------------------------------------------------------
# Programs
# ---------------------------------------------------------------------------


def read_programs(path):
    """(name, text) of each program of a file, or of the files of a folder."""
    files = sorted(path.glob("**/*.mlir")) if path.is_dir() else [path]
    for file in files:
        parts = file.read_text(encoding="utf-8").split(SEPARATOR)
        for i, part in enumerate(parts):
            if part.strip():
                yield (f"{file.name}:{i}" if len(parts) > 1 else file.name), part


def split_functions(name, text):
    """A program for each function of one, with what is not in a function."""
    parts = re.split(r"(?m)^(?=func\.func|\"func\.func|sdy\.mesh)", text)
    others = "".join(part for part in parts if not re.match(r'"?func', part))
    functions = [part for part in parts if re.match(r'"?func', part)]
    for i, function in enumerate(functions if len(functions) > 1 else []):
        yield f"{name}:{i}", others + function


def lower_functions():
    """What JAX prints for functions that have all kinds of ops."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    def f32(*shape):
        return jax.ShapeDtypeStruct(shape, jnp.float32)

    def i32(*shape):
        return jax.ShapeDtypeStruct(shape, jnp.int32)

    def attention(q, k, v):
        scores = jnp.einsum("bhqd,bhkd->bhqk", q, k) / 8
        mask = jnp.tril(jnp.ones((16, 16), bool))
        return jnp.einsum("bhqk,bhkd->bhqd",
                          jax.nn.softmax(jnp.where(mask, scores, -jnp.inf)), v)

    def convolve(x, w):
        y = lax.conv_general_dilated(x, w, (2, 1), "SAME", rhs_dilation=(1, 2),
                                     dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jax.nn.relu(lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1),
                                             (1, 2, 2, 1), "VALID"))

    def precise(x, y):
        return lax.dot_general(x, y, (((1,), (0,)), ((), ())),
                               precision=(lax.Precision.HIGH, lax.Precision.HIGHEST))

    def algorithm(x, y):
        return lax.dot(x, y, precision=lax.DotAlgorithmPreset.F32_F32_F32)

    def loop(x):
        return lax.while_loop(lambda s: s[0] < 10,
                              lambda s: (s[0] + 1, s[1] * 2 + s[0]), (0, x))

    def nested(x):
        return lax.fori_loop(0, 4, lambda i, a: lax.fori_loop(
            0, i, lambda j, b: b + j * a.sum(), a), x)

    def scan(x):
        return lax.scan(lambda c, a: (c + a, c * a), jnp.zeros(4), x)

    def branch(i, x):
        return lax.switch(i, (jnp.sin, jnp.cos, lambda a: a + 1), x)

    def argmax(x):
        return jnp.argmax(x, 1), jnp.min(x, 0), jnp.any(x > 0), jnp.prod(x)

    def random(key):
        key = jax.random.wrap_key_data(key)
        return jax.random.normal(key, (3, 4)), jax.random.randint(key, (3,), 0, 9)

    def special(x):
        return (lax.erf_inv(x), lax.lgamma(x), lax.tan(x), lax.acosh(x),
                lax.top_k(x, 3), lax.erfc(x), lax.asin(x), lax.is_finite(x))

    def slices(x, i):
        y = lax.dynamic_slice(x, (i, i), (2, 3))
        z = lax.dynamic_update_slice(x, y, (0, i))
        return lax.pad(z, 0.0, ((1, 2, 0), (0, -1, 1))), z[::2, 1:3], jnp.flip(z, 0)

    def bits(x):
        return (lax.bitcast_convert_type(x, jnp.int32), x.astype(jnp.bfloat16),
                lax.reduce_precision(x, 8, 7), lax.complex(x, x), jnp.round(x))

    def complexes(x):
        y = jnp.fft.rfft(x)
        return jnp.fft.ifft(y), y.real, jnp.abs(y), jnp.conj(y)

    def checkpointed(x):
        return jax.grad(lambda a: jax.checkpoint(lambda b: jnp.sin(jnp.sin(b)))(a).sum())(x)

    def collectives(mesh):
        from jax.sharding import PartitionSpec

        def body(x):
            y = lax.psum(x, "x") + lax.ppermute(x, "x", [(0, 1), (1, 0)])
            return lax.all_gather(y, "x") + lax.axis_index("x")

        return jax.shard_map(body, mesh=mesh, in_specs=PartitionSpec("x"),
                             out_specs=PartitionSpec(None, "x"))

    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    matrix = f32(8, 8)
    functions = {
        "attention": (attention, f32(2, 4, 16, 64), f32(2, 4, 16, 64), f32(2, 4, 16, 64)),
        "convolve": (convolve, f32(1, 16, 16, 3), f32(3, 3, 3, 8)),
        "convolve grad": (jax.grad(lambda x, w: convolve(x, w).sum(), (0, 1)),
                          f32(1, 16, 16, 3), f32(3, 3, 3, 8)),
        "precise": (precise, matrix, matrix),
        "algorithm": (algorithm, matrix, matrix),
        "while": (loop, f32(4)),
        "nested loops": (nested, f32(4)),
        "scan": (scan, f32(5, 4)),
        "switch": (branch, i32(), f32(4)),
        "reductions": (argmax, matrix),
        "gather": (lambda x, i: x[i], matrix, i32(3)),
        "scatter": (lambda x, i, u: x.at[i].add(u), matrix, i32(3), f32(3, 8)),
        "sort": (lambda x: jnp.sort(x), matrix),
        "argsort": (lambda x: jnp.argsort(x, 0, descending=True), matrix),
        "cumsum": (lambda x: jnp.cumsum(x, 1), matrix),
        "cummax": (lambda x: lax.cummax(x, 1), matrix),
        "logsumexp": (jax.scipy.special.logsumexp, matrix),
        "random": (random, jax.ShapeDtypeStruct((2,), jnp.uint32)),
        "rng": (lambda k: lax.rng_bit_generator(k, (3, 4)),
                jax.ShapeDtypeStruct((4,), jnp.uint32)),
        "special": (special, f32(8)),
        "slices": (slices, matrix, i32()),
        "bits": (bits, matrix),
        "fft": (complexes, f32(8)),
        "cholesky": (jnp.linalg.cholesky, matrix),
        "solve": (jnp.linalg.solve, matrix, f32(8)),
        "eigh": (jnp.linalg.eigh, matrix),
        "svd": (jnp.linalg.svd, matrix),
        "triangular": (lambda a, b: jax.scipy.linalg.solve_triangular(a, b), matrix, f32(8)),
        "checkpoint": (checkpointed, f32(4)),
        "callback": (lambda x: jax.debug.callback(lambda _: None, x), f32(4)),
        "clip": (lambda x: jnp.clip(x, 0, 1), matrix),
        "one_hot": (lambda i: jax.nn.one_hot(i, 8), i32(3)),
        "select": (lambda p, x: jnp.where(p, x, 0), jax.ShapeDtypeStruct((8, 8), bool), matrix),
        "integers": (lambda x, y: (x // y, x % y, x << y, x >> y, ~x), i32(4), i32(4)),
        "collectives": (collectives(mesh), matrix),
        "constants": (lambda x: x + jnp.arange(8.0) * jnp.eye(8)[0].sum(), f32(8)),
    }
    for name, (function, *arguments) in functions.items():
        yield name, jax.jit(function).lower(*arguments).as_text()
    from jax.sharding import NamedSharding, PartitionSpec
    sharded = NamedSharding(mesh, PartitionSpec("x", None))
    constrained = jax.jit(
        lambda x: lax.with_sharding_constraint(x @ x, sharded), in_shardings=sharded)
    yield "shardings", constrained.lower(matrix).as_text()


# ---------------------------------------------------------------------------
# Comparing
# ---------------------------------------------------------------------------


def drop_generic(text):
    """Without white space and the lines of generic ops."""
    text = re.sub(r"#\w+\.\w+<[^>]*>", lambda found: "".join(found[0].split()), text or "")
    return ["".join(line.split()) for line in text.splitlines()
            if not re.search(r'"(stablehlo|chlo|sdy)\.|^ *}[,)]', line)]


def drop_symbols(jaxlib, wanted, got):
    """`got`, or `wanted` if they differ by where attributes that name symbols are."""
    if not got or wanted == got:
        return got
    lines, others = wanted.splitlines(), got.splitlines()
    is_symbol = all(line == other or re.search(r"= \[?@", line)
                    for line, other in zip(lines, others))
    same = is_symbol and len(lines) == len(others) and jaxlib.print(got)
    return wanted if same and same[0] == wanted else got


def compare(name, wanted, got, shown):
    """Whether two texts agree; shows the first lines that don't."""
    if wanted == got:
        return True
    if shown:
        wanted, got = (text if isinstance(text, list) else (text or "").splitlines()
                       for text in (wanted, got))
        lines = difflib.unified_diff(wanted, got, "jaxlib", "here", lineterm="", n=0)
        print(f"{name}:")
        for line in list(lines)[:6]:
            print("   ", line[:400])
    return False


def check(source, programs, tool, jaxlib, show):
    """A row of the table: how many programs there are and agree."""
    counts = collections.Counter()
    known = []
    for name, text in programs:
        printed = jaxlib.print(text)
        if printed:
            known.append((name, text, *printed))
            continue
        pieces = list(split_functions(name, text))
        for piece, text in pieces or [(name, text)]:
            printed = jaxlib.print(text) if pieces else None
            if printed:
                known.append((piece, text, *printed))
            counts["refused"] += not printed
    generic_flag = ["--mlir-print-op-generic"]
    for start in range(0, len(known), BATCH):
        batch = known[start:start + BATCH]
        texts = [text for _, text, _, _ in batch]
        read = run_tool(tool, texts, generic_flag)
        generic = run_tool(tool, [ordinary for *_, ordinary in batch], generic_flag)
        ordinary = run_tool(tool, [generic for _, _, generic, _ in batch], [])
        again = run_tool(tool, texts, [])
        for i, (name, _, wanted_generic, wanted_ordinary) in enumerate(batch):
            counts["all"] += 1
            counts["read"] += read[i] is not None
            # It prints some programs as it cannot read them.
            reread = (jaxlib.print(wanted_ordinary) or (wanted_generic,))[0]
            meaning = jaxlib.print(read[i]) if read[i] else None
            for column, wanted, got in (
                    ("meaning", wanted_generic, meaning and meaning[0]),
                    ("generic", reread, drop_symbols(jaxlib, reread, generic[i])),
                    ("ordinary", wanted_ordinary, ordinary[i]),
                    ("again", drop_generic(wanted_ordinary), drop_generic(again[i]))):
                title = f"{source}, {name}, {column}"
                if compare(title, wanted, got, counts["shown"] < show):
                    counts[column] += 1
                else:
                    counts["shown"] += 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--testdata", type=pathlib.Path, nargs="*", default=[], metavar="PATH")
    parser.add_argument("--tests", type=pathlib.Path, nargs="*", default=[], metavar="PATH")
    parser.add_argument("--jax", action="store_true")
    parser.add_argument("--show", type=int, default=5, help="differences shown of each PATH")
    parser.add_argument("--limit", type=int, help="programs of each PATH")
    arguments = parser.parse_args()

    tool = str(arguments.build / "bin" / "tensoraccess-opt")
    jaxlib = Jaxlib()
    sources = [(path.name, read_programs(path)) for path in arguments.testdata + arguments.tests]
    if arguments.jax:
        sources.append(("jax", lower_functions()))
    rows = []
    for source, programs in sources:
        rows.append((source, check(source, list(programs)[:arguments.limit], tool, jaxlib,
                                   arguments.show)))
    width = max([len(source) for source, _ in rows] + [8])
    print(f"{'':{width}} refused  programs " + " ".join(f"{column:>8}" for column in COLUMNS))
    for source, counts in rows:
        print(f"{source:{width}} {counts['refused']:7} {counts['all']:9} "
              + " ".join(f"{counts[column]:8}" for column in COLUMNS))
    wrong = sum(counts["all"] - counts[column] for _, counts in rows for column in COLUMNS)
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
