# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that pip puts on the path: `tensoraccess-opt` and others."""

import os
import signal
import sys

from . import _native


def main() -> int:
    """Runs the tool that this process is called as; returns its exit code."""
    # As in a program of C++: Python would note an interrupt, and go on.
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)
    try:
        return _native.run_tool([os.path.basename(sys.argv[0]), *sys.argv[1:]])
    except _native.Error as e:
        print(f"error: {e}", file=sys.stderr)
        return 1
