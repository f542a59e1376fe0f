"""Checks the contracts of all models of a folder, and that each has its verdict.

    check_models.py tensoraccess-opt FOLDER

A file's line `// VERDICT: proved` or `// VERDICT: refuted through OP` is what its one
contract must get; refuted ones name an input that was changed.
"""

import pathlib
import re
import subprocess
import sys


def check(tool, path):
    """What is wrong with the verdict on a file, or None."""
    wanted = re.search(r"^// VERDICT: (.*)$", path.read_text(encoding="utf-8"), re.M)[1]
    run = subprocess.run(
        [tool, path, "--tensoraccess-check-contracts", "--remarks-filter=tensoraccess",
         "--remark-policy=all", "--remark-format=emitRemark", "-o", "/dev/null"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    got = re.search(r"Verdict=(\w+)", run.stderr)
    if got is None:
        return f"no verdict: {run.stderr[:500]}"
    verdict = got[1]
    if verdict == "refuted":
        found = re.search(r" is changed at .*, through '([\w.]+)'", run.stderr)
        verdict += f" through {found[1]}" if found else ""
    if (run.returncode == 0) != (verdict == "proved"):
        return f"exit code {run.returncode}"
    return None if verdict == wanted else f"wanted {wanted}, got {verdict}"


def main(tool, folder):
    paths = sorted(pathlib.Path(folder).glob("*.mlir"))
    faults = {path.name: fault for path in paths if (fault := check(tool, path))}
    for name, fault in faults.items():
        print(f"{name}: {fault}")
    print(f"{len(paths)} models, {len(faults)} faults")
    return 1 if faults or not paths else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
