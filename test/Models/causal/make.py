# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the models of this folder, at their small sizes, as StableHLO.

    make.py [DIRECTORY]       NAME.mlir, each with its contract; needs JAX

Each file names the version of jax that wrote it, and the verdict that
test/Transforms/check-contracts-models.test wants.
"""

import pathlib
import re
import sys

import jax

FOLDER = pathlib.Path(__file__).parent
sys.path.insert(0, str(FOLDER))

import holds  # noqa: E402
import leaks  # noqa: E402


def lower(make, size):
    """The model's text and contract."""
    model, args, contract = make(size)
    return jax.jit(model, keep_unused=True).lower(*args).as_text(), contract


def write(make, verdict, directory):
    text, contract = lower(make, "small")
    # The contract is an attribute of @main.
    text, count = re.subn(
        r"(func\.func public @main\(.*\) -> \(?.*\)?) \{\n",
        lambda m: f'{m[1]}\n      attributes {{tensoraccess.contract = ["{contract}"]}} {{\n',
        text, count=1,
    )  # fmt: skip
    assert count == 1, make.__name__
    header = (
        f"// {' '.join(make.__doc__.split())}\n"
        f"// Written by make.py with jax {jax.__version__}.\n"
        f"// VERDICT: {verdict}\n\n"
    )
    (directory / f"{make.__name__}.mlir").write_text(header + text, encoding="utf-8")


def main(arguments):
    directory = pathlib.Path(arguments[0]) if arguments else FOLDER
    for make in holds.MODELS:
        write(make, "proved", directory)
    for make in leaks.MODELS:
        through = leaks.THROUGH[make.__name__]
        write(make, f"refuted through {through}", directory)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
