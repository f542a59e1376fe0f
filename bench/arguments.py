# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs that measure are told, and what becomes of their lines."""
import argparse
import pathlib
import sys


def make_parser(quick):
    """A parser of the arguments that all have; `quick` says what --quick does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--quick", action="store_true", help=quick)
    parser.add_argument("--output", type=pathlib.Path,
                        help="write what is printed to a file, too")
    return parser


def finish(arguments, text, kept):
    """Writes the text where it was asked for; exits with 1 if a figure was not
    reached."""
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    sys.exit(0 if kept else 1)
