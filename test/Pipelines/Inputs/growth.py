"""Counts the instructions that passes take for programs of n and 4 n ops.

    growth.py tensoraccess-opt [KIND]

Linear time is a factor of 4 between them, quadratic time one of 16. Counted by
valgrind, so that nothing depends on the machine.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

SMALL, LIMIT = 400, 5.5
ELEMENTWISE = ["chain", "shared", "tree", "fan"]
PIPELINES = {
    "--tensoraccess-report": ELEMENTWISE + ["matmul", "functions"],
    "--tensoraccess-assign-layouts": ELEMENTWISE + ["matmul", "functions"],
    "--tensoraccess-annotate-indexing": ELEMENTWISE + ["functions"],
    "--tensoraccess-propagate-tiles": ELEMENTWISE,
    "--tensoraccess-raise": ["stablehlo", "tosa", "matmul"],
    # Not matmul and calls: bufferization compares all reads of a tensor, and
    # the inliner rewrites the locations of what it has inlined before.
    "--tensoraccess-to-llvm": ["chain", "shared", "fan", "transposes",
                               "functions", "stablehlo", "tosa"],
}


def count(tool, option, program):
    done = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no",
         "--cachegrind-out-file=/dev/null", tool, "--mlir-disable-threading",
         option, program, "-o", "/dev/null"],
        text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{option} fails on {program}: {done.stderr}")
    return int(re.search(r"I +refs: +([\d,]+)", done.stderr)[1].replace(",", ""))


if __name__ == "__main__":
    tool = sys.argv[1]
    maker = pathlib.Path(__file__).with_name("growing.py")
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        for option, kinds in PIPELINES.items():
            for kind in kinds if len(sys.argv) < 3 else sys.argv[2:]:
                counts = []
                for n in (6, SMALL, 4 * SMALL):
                    program = f"{folder}/{kind}{n}.mlir"
                    with open(program, "w") as file:
                        subprocess.run([sys.executable, maker, kind, str(n)],
                                       stdout=file, check=True)
                    counts.append(count(tool, option, program))
                # Starting takes as long for each.
                start, small, large = counts
                factor = (large - start) / (small - start)
                slow += factor > LIMIT
                print(f"{option} {kind}: {factor:.2f}"
                      + (" is too much" if factor > LIMIT else ""), flush=True)
    sys.exit(slow != 0)
