# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares StableHLO's portable artifacts, read here, with what jaxlib reads in them.

    python3 bench/vhlo_artifacts.py stablehlo/tests/vhlo stablehlo/testdata --jax
                                                 # PYTHONPATH=build/python

PATHs are artifacts (.bc), programs (.mlir), or folders of them. jaxlib writes each program
as an artifact of each version of VERSIONS that can have it. What it reads in an artifact,
and what is read here, are compared in generic form with locations, attribute for
attribute. --jax adds what JAX exports of functions of bench/hlo_text.py. A program that
jaxlib refuses is taken function by function. --write keeps the artifacts of at most 4 KiB,
for bench/fuzz_vhlo.py. Exits with 1 if anything differs.
"""
import argparse
import collections
import difflib
import pathlib
import re
import sys

import conformance
import hlo_text
import tensoraccess as ta
from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

#: The oldest, the first with properties, some that got new forms, and jaxlib's own.
VERSIONS = ("0.9.0", "0.14.0", "0.15.0", "1.0.0", "1.4.0", "1.9.0",
            stablehlo.get_current_version())


def name_of(artifact):
    """The version that an artifact says."""
    return re.match(rb"ML\xefR.StableHLO_v([\d.]+)", artifact, re.S)[1].decode()


def write(text):
    """Artifacts of a program; none if jaxlib refuses it."""
    with conformance.make_context() as context:
        try:
            module = ir.Module.parse(text, context)
        except (ir.MLIRError, ValueError):
            return None
        artifacts = []
        for version in VERSIONS:
            try:
                artifacts.append(stablehlo.serialize_portable_artifact(module, version))
            except ValueError:
                pass
        return artifacts


def find_artifacts(path):
    """(name, bytes) of each artifact of a path; bytes are None for what is refused."""
    files = [path]
    if path.is_dir():
        files = sorted(path.glob("**/*.bc")) or sorted(path.glob("**/*.mlir"))
    for file in files:
        if file.suffix == ".bc":
            yield file.name, file.read_bytes()
            continue
        for name, text in hlo_text.read_programs(file):
            artifacts = write(text)
            if artifacts is not None:
                yield from ((name, artifact) for artifact in artifacts or [None])
                continue
            for piece, part in hlo_text.split_functions(name, text):
                for artifact in write(part) or [None]:
                    yield piece, artifact


def export_functions():
    for name, text in hlo_text.lower_functions():
        for artifact in write(text) or [None]:
            yield name, artifact


def read_by_jaxlib(artifact):
    with mlir.make_ir_context() as context:
        try:
            module = stablehlo.deserialize_portable_artifact(context, artifact)
        except (ir.MLIRError, ValueError):
            return None
        print_module = module.operation.get_asm
        text = print_module(print_generic_op_form=True, enable_debug_info=True)
        # Booleans in hexadecimal digits, a byte each, are read in ordinary form alone.
        if re.search(r'dense<"0x[0-9A-Fa-f]*"> : tensor<[0-9x]*xi1>', text):
            text = print_module(enable_debug_info=True)
        return text


def check(source, artifacts, show, folder):
    counts = collections.defaultdict(collections.Counter)
    for name, artifact in artifacts:
        if artifact is None:
            counts["-"]["refused"] += 1
            continue
        row = counts[name_of(artifact)]
        if folder and len(artifact) <= 4096:
            name = re.sub(r"\W+", "_", name.removesuffix(".mlir"))
            (folder / f"{name}.{name_of(artifact)}.bc").write_bytes(artifact)
        wanted = read_by_jaxlib(artifact)
        if wanted is None:
            row["refused"] += 1
            continue
        row["artifacts"] += 1
        # The same printer for both.
        wanted = ta.Module(wanted).asm(generic=True, locations=True)
        try:
            got = ta.Module(artifact).asm(generic=True, locations=True)
        except ta.Error as error:
            got = str(error)
        row["equal"] += wanted == got
        if wanted != got and show > 0:
            show -= 1
            print(f"{source}, {name}, {name_of(artifact)}:")
            lines = difflib.unified_diff(wanted.splitlines(), got.splitlines(), "jaxlib",
                                         "here", lineterm="", n=0)
            for line in list(lines)[:6]:
                print("   ", line[:300])
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, metavar="PATH")
    parser.add_argument("--jax", action="store_true")
    parser.add_argument("--show", type=int, default=5, help="differences shown of each PATH")
    parser.add_argument("--write", type=pathlib.Path, metavar="FOLDER")
    arguments = parser.parse_args()
    sources = [(path.name, find_artifacts(path)) for path in arguments.paths]
    if arguments.jax:
        sources.append(("jax", export_functions()))
    wrong = 0
    print(f"{'':20} {'version':8} refused artifacts   equal")
    for source, artifacts in sources:
        counts = check(source, artifacts, arguments.show, arguments.write)
        def key(version):
            return [int(part) for part in version.split(".")] if version != "-" else []
        for version in sorted(counts, key=key):
            row = counts[version]
            print(f"{source:20} {version:8} {row['refused']:7} {row['artifacts']:9} "
                  f"{row['equal']:7}", flush=True)
            wrong += row["artifacts"] - row["equal"]
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
