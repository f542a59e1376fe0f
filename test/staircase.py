#!/usr/bin/env python3
"""The staircase test: keeps the house in the order of its table.

    staircase.py ROOT          checks the sources below ROOT
    staircase.py --self-test   breaks each rule in a copy made up for it and
                               checks that it is reported

Rules:
  1. A file includes only headers of its own room and of rooms above it.
  2. include/TensorAccess/<Room> and lib/<Room> mirror each other: where one
     holds sources, the other exists and, for lib, holds headers.
  3. A room of that name exists in the table.
  4. A tool's sources have at most 40 lines each.
  5. No source has more than 700 lines.
"""
import pathlib
import re
import sys
import tempfile

ROOMS = ["Core", "Interfaces", "IR", "Interpreter", "Models", "Analysis",
         "EGraph", "Rewrites", "Transforms", "Conversion", "Pipelines",
         "Execution", "Export", "tools", "python"]
MAIN_LINES = 40
FILE_LINES = 700
SOURCES = {".h", ".cpp", ".td", ".pdll"}
INCLUDE = re.compile(r'^\s*#?include\s+"TensorAccess/([^/"]+)/[^"]*"', re.M)


def sources(directory):
    """The source files below a directory, in a fixed order."""
    if not directory.is_dir():
        return []
    return sorted(f for f in directory.rglob("*") if f.suffix in SOURCES)


def room_of(root, path):
    """The room that a source file lives in."""
    parts = path.relative_to(root).parts
    if parts[0] == "include":
        return parts[2]
    return parts[1] if parts[0] == "lib" else parts[0]


def check(root):
    """Returns what is wrong with the sources below root, one line each."""
    root = pathlib.Path(root)
    faults = []
    headers, bodies = root / "include" / "TensorAccess", root / "lib"
    files = [f for top in (headers, bodies, root / "tools", root / "python")
             for f in sources(top)]
    if not files:
        return [f"no sources below {root}"]
    for path in files:
        name, room = path.relative_to(root), room_of(root, path)
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        if room not in ROOMS:
            faults.append(f"{name}: room {room} is not in the table")
            continue
        for match in INCLUDE.finditer(text):
            other = match.group(1)
            line = text.count("\n", 0, match.start(1)) + 1
            if other not in ROOMS:
                faults.append(f"{name}:{line}: room {other} is not in the "
                              "table")
            elif ROOMS.index(other) > ROOMS.index(room):
                faults.append(f"{name}:{line}: room {room} includes {other}, "
                              "which lies below it")
        if room == "tools" and lines > MAIN_LINES:
            faults.append(f"{name}: a main has at most {MAIN_LINES} lines, "
                          f"this one {lines}")
        if lines > FILE_LINES:
            faults.append(f"{name}: a source has at most {FILE_LINES} lines, "
                          f"this one {lines}")
    for room in ROOMS[:-2]:
        declared, defined = sources(headers / room), sources(bodies / room)
        if defined and not declared:
            faults.append(f"lib/{room} has no include/TensorAccess/{room}")
        if declared and not (bodies / room).is_dir():
            faults.append(f"include/TensorAccess/{room} has no lib/{room}")
    return faults


def self_test():
    """Breaks each rule once; every fault must be found, and no other."""
    good = {
        "include/TensorAccess/Core/Shape.h": "int rank();\n",
        "lib/Core/Shape.cpp": '#include "TensorAccess/Core/Shape.h"\n',
        "include/TensorAccess/IR/Ops.td": 'include "TensorAccess/IR/A.td"\n',
        "lib/IR/Ops.cpp": '#include "TensorAccess/Core/Shape.h"\n',
        "tools/tool/tool.cpp": '#include "TensorAccess/IR/Ops.h"\n' * 40,
    }
    breaks = [
        ("lib/Core/Up.cpp", '\n#include "TensorAccess/IR/Ops.h"\n',
         "lib/Core/Up.cpp:2: room Core includes IR"),
        ("include/TensorAccess/Core/Up.td", 'include "TensorAccess/IR/O.td"\n',
         "Core/Up.td:1: room Core includes IR"),
        ("lib/Core/Odd.cpp", '#include "TensorAccess/Attic/Ops.h"\n',
         "room Attic is not in the table"),
        ("lib/Attic/Odd.cpp", "int x;\n", "room Attic is not in the table"),
        ("tools/tool/tool.cpp", "\n" * 41, "a main has at most 40 lines"),
        ("lib/IR/Long.cpp", "\n" * 701, "a source has at most 700 lines"),
        ("lib/EGraph/Only.cpp", "int x;\n",
         "lib/EGraph has no include/TensorAccess/EGraph"),
        ("include/TensorAccess/Models/Only.h", "int x;\n",
         "include/TensorAccess/Models has no lib/Models"),
    ]
    failures = []
    for path, text, expected in [(None, None, None)] + breaks:
        with tempfile.TemporaryDirectory() as directory:
            files = dict(good)
            if path:
                files[path] = text
            for name, body in files.items():
                target = pathlib.Path(directory, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(body, encoding="utf-8")
            faults = check(directory)
        if not path and faults:
            failures.append(f"a good house is refused: {faults}")
        elif path and not any(expected in fault for fault in faults):
            failures.append(f"{path}: wanted '{expected}', got {faults}")
    return failures


def main(arguments):
    """Runs one of the two checks; the exit code tells."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    faults = (self_test() if arguments[0] == "--self-test"
              else check(arguments[0]))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
