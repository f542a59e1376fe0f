#!/usr/bin/env python3
"""The staircase test: keeps the house in the order of its table.

    staircase.py ROOT          checks the sources below ROOT
    staircase.py --self-test   breaks each rule in a copy made up for it and
                               checks that it is reported

Rules:
  1. A file includes only headers of its own room and of rooms above it, and of
     its own floor and of floors above it in its room.
  2. include/TensorAccess/<Room> and lib/<Room> mirror each other: where one
     holds sources, the other exists and, for lib, holds headers.
  3. Rooms, their floors and their doors, the public headers, are in the table.
  4. A folder of lib holds at most 20 source files.
  5. A tool's sources have at most 40 lines each.
  6. No source has more than 700 lines.
  7. No source, of tests neither, asks upstream what ours answers rightly.
  8. Upstream's simplifications, some of which are wrong, are called in one
     floor, whose own the others call.
  9. The passes of the default pipeline, in their order, change floors at most
     8 times. Those of the floor of rule 8 stand anywhere between others.
"""
import pathlib
import re
import sys
import tempfile

# Rooms and, within them, floors from above to below. A floor's doors are the
# public headers in include/TensorAccess/<Room> that belong to it; those of the
# floor "" are the whole room's.
HOUSE = {
    "Core": {
        "Support": ["Checked", "Closest", "FloatEnvironment", "Progress", "WriteFile"],
        "Form": ["Form"],
        "Index": ["IndexingMap", "Projection", "TextScanner"],
        "Count": ["Counting", "MapEvaluator"],
        "Projection": ["ProjectionFootprint"],
        "Layout": ["Layout", "LayoutSizes", "LayoutStages", "LayoutNest", "DigitMap",
                   "LayoutNotations", "LayoutRecipe", "MemoryRuns", "ReshapeSteps",
                   "RelayoutPlan"],
        "Strided": ["StridedLayout", "StridedAlgebra", "LinearLayout", "BankedExchange",
                    "LinearQueries", "MemoryPlaces"],
        "Tile": ["Tile"],
        "Array": ["Tensor", "StridedContraction", "Kernels", "SpecialFunctions"],
        "Access": ["Access"],
        "Ranks": ["Exchange"],
        "Machine": ["Systolic", "Target", "HostMachine", "Accelerators", "Coalescing"],
    },
    "Cost": {"": ["Cost", "BinaryProgram"]},
    "Interfaces": {"": ["Functions", "IndexingOpInterface", "Nest", "OpSizes"]},
    "IR": {
        "": ["TensorAccess"],
        "Types": ["Checks", "Evaluate"],
        "Ops": ["Exchange"],
        "Access": ["AccessForm"],
    },
    "StableHlo": {"": ["StableHloReader"], "Text": ["StableHloText"],
                  "Vhlo": ["VhloModule"], "Hlo": ["HloModule"]},
    "Runtime": {"": ["Runtime"]},
    "Interpreter": {
        "": ["Interpreter"],
        "Scalar": [],
        "StableHlo": [],
        "Ops": [],
    },
    "Models": {
        "": ["Indexing"],
        "Function": [],
        "Memory": [],
        "StableHlo": [],
        "Ops": ["Control"],
    },
    "Analysis": {
        "Indexing": ["IndexingAnalysis", "MemoryCoalescing"],
        "Dependence": ["ValueFacts", "Dependence", "Contracts", "Derivatives",
                       "Masks", "ZeroSlices"],
        "Program": ["Work", "BlockSpace", "BlockOps", "OpCosts", "TilePropagation",
                    "ShardedProgram"],
        "Report": ["Report", "BlockReport"],
        "Explain": ["Explain", "Ask"],
    },
    "EGraph": {
        "Graph": ["NodeTable", "TermGraph"],
        "Match": ["Saturate"],
        "Pdl": ["PdlRules"],
        "Extract": ["Extraction"],
    },
    "Rewrites": {"": ["RuleSets"]},
    "Cut": {"": ["Blocks", "Narrow", "Patch", "Stream"]},
    "Sharding": {"": ["Sharding"]},
    "Transforms": {
        "": ["EquivalencePasses", "FindTarget", "Reshape", "Loops", "Equivalence",
             "ContractPasses", "Contracts"],
        "Simplify": ["Canonicalize", "SimplifyPasses"],
        "Access": ["Indexing", "Tiles", "ExtractOp", "Reduction", "AccessPasses"],
        "Buffer": ["Buffers", "Messages", "BufferPasses"],
        "Kernel": ["Kernels", "KernelPasses"],
        "Fuse": ["Fusion", "FusePasses"],
        "Lower": ["Lowering", "LowerPasses"],
        "Layout": ["Layouts", "LayoutPasses"],
        "Saturate": ["SaturateTerms", "SaturationPasses"],
        "Equivalence": [],
        "Contracts": [],
        "Shard": ["ShardPasses"],
    },
    "Conversion": {
        "": ["Conversion", "Passes"],
        "Lower": [],
        "Raise": [],
        "StableHlo": [],
        "Prepare": [],
        "Glenside": [],
    },
    "Pipelines": {"": ["PassManagers", "Cpu", "Accelerator", "Distributed"]},
    "Registration": {"": ["Registration", "Tool"]},
    "Execution": {
        "Relayout": ["Relayout"],
        "Jit": ["Jit"],
        "Run": ["Run"],
        "Calibrate": ["Calibrate"],
    },
    "Export": {
        "": ["Pictures"],
        "Canvas": [],
        "Access": [],
        "Program": [],
        "Explorer": [],
        "Editor": [],
    },
    "tools": {},
    "python": {},
}
ROOMS = list(HOUSE)
FOLDER_FILES = 20
MAIN_LINES = 40
FILE_LINES = 700
PIPELINE = "lib/Pipelines/Cpu.cpp"
PIPELINE_CHANGES = 8
# Functions of upstream that answer wrongly, and what to ask instead.
ASK_OURS = {
    # False for the inits of linalg.map, which its body may read.
    "payloadUsesValueFromOperand": "isReadByBody",
    "isInitTensor": "isReadByBody",
}
SOURCES = {".h", ".cpp", ".td", ".pdll"}
# Upstream's, and what stands for it (TensorAccess/Transforms/Canonicalize.h).
SIMPLIFIERS = {
    "createCanonicalizerPass(": "createCanonicalize()",
    "createInlinerPass()": "createInlinerPass with a pipeline of its own",
    "buildBufferDeallocationPipeline(": "addBufferDeallocation",
    "addTosaToLinalgPasses(": "addTosaToLinalg",
    ".getCanonicalizationPatterns(": "createCanonicalize()",
    ">getCanonicalizationPatterns(": "createCanonicalize()",
    "createSCCPPass(": "createCanonicalize()",
}
SIMPLIFIERS_FLOOR = ("Transforms", "Simplify")
INCLUDE = re.compile(r'^\s*#?include\s+"([^"]+)"', re.M)


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


def floor_of_door(room, header):
    """The floor of a public header; None if the table doesn't have it."""
    stem = header.removesuffix(".h")
    return next((floor for floor, doors in HOUSE[room].items() if stem in doors), None)


def floor_of(root, path):
    """The floor that a source file lives on; "" for the room's own."""
    parts = path.relative_to(root).parts
    if parts[0] == "include":
        return floor_of_door(parts[2], parts[-1]) or "" if path.suffix == ".h" else ""
    return parts[2] if parts[0] == "lib" and len(parts) > 3 else ""


def level(room, floor):
    """The number of a floor, from above; what is the room's own lies above."""
    floors = [f for f in HOUSE[room] if f]
    return floors.index(floor) + 1 if floor else 0


def check_include(root, path, included):
    """What is wrong with an include, or None."""
    room, floor = room_of(root, path), floor_of(root, path)
    parts = included.split("/")
    if parts[0] == "TensorAccess":
        if len(parts) < 3:
            return None
        other = parts[1]
        if other not in HOUSE:
            return f"room {other} is not in the table"
        if ROOMS.index(other) > ROOMS.index(room):
            return f"room {room} includes {other}, which lies below it"
        if other != room or not included.endswith(".h"):
            return None
        target = floor_of_door(room, parts[-1])
        if target is None:
            return f"{parts[-1]} is not a door of {room} in the table"
    elif len(parts) == 2 and parts[0] in HOUSE[room]:
        target = parts[0]
    else:
        return None
    if level(room, target) > level(room, floor):
        return f"floor {room}/{floor} includes {target}, which lies below it"
    return None


def check_questions(root):
    """Calls of ASK_OURS in all sources, one line each."""
    faults = []
    for path in (f for top in ("include", "lib", "tools", "python", "test")
                 for f in sources(root / top)):
        text = path.read_text(encoding="utf-8")
        for name, ours in ASK_OURS.items():
            for match in re.finditer(rf"(?:\.|->|::){name}\b", text):
                line = text.count("\n", 0, match.start()) + 1
                faults.append(f"{path.relative_to(root)}:{line}: {name} of "
                              f"upstream is wrong, ask {ours}")
    return faults


def check_pipeline(root):
    """How often PIPELINE goes from one floor to another, if that is too often."""
    path = root / PIPELINE
    if not path.is_file():
        return []
    floors = {name: floor for body in (root / "lib").rglob("*.cpp")
              if (floor := (room_of(root, body), floor_of(root, body))) != SIMPLIFIERS_FLOOR
              for name in re.findall(r"GEN_PASS_DEF_(\w+)", body.read_text(encoding="utf-8"))}
    passes = re.findall(r"\bcreate(\w+)\(", path.read_text(encoding="utf-8"))
    visited = [floors[p.upper()] for p in passes if p.upper() in floors]
    changes = sum(a != b for a, b in zip(visited, visited[1:]))
    return [f"{PIPELINE}: passes change floors at most {PIPELINE_CHANGES} times, "
            f"these {changes}"] if changes > PIPELINE_CHANGES else []


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
        if room not in HOUSE:
            faults.append(f"{name}: room {room} is not in the table")
            continue
        if floor_of(root, path) not in {"", *HOUSE[room]}:
            faults.append(f"{name}: floor {floor_of(root, path)} of {room} is "
                          "not in the table")
            continue
        if (name.parts[0] == "include" and path.suffix == ".h"
                and floor_of_door(room, path.name) is None):
            faults.append(f"{name}: a public header is a door of a floor in the "
                          "table, or is private")
        for match in INCLUDE.finditer(text):
            if fault := check_include(root, path, match.group(1)):
                line = text.count("\n", 0, match.start(1)) + 1
                faults.append(f"{name}:{line}: {fault}")
        if (room, floor_of(root, path)) != SIMPLIFIERS_FLOOR:
            faults += [f"{name}:{text.count(chr(10), 0, text.index(call)) + 1}: "
                       f"{call.strip('.>(')} is upstream's; {own} stands for it"
                       for call, own in SIMPLIFIERS.items() if call in text]
        if room == "tools" and lines > MAIN_LINES:
            faults.append(f"{name}: a main has at most {MAIN_LINES} lines, "
                          f"this one {lines}")
        if lines > FILE_LINES:
            faults.append(f"{name}: a source has at most {FILE_LINES} lines, "
                          f"this one {lines}")
    for folder in sorted({f.parent for f in files if bodies in f.parents}):
        count = len(list(folder.glob("*.cpp")))
        if count > FOLDER_FILES:
            faults.append(f"{folder.relative_to(root)}: a folder has at most "
                          f"{FOLDER_FILES} sources, this one {count}")
    for room in ROOMS[:-2]:
        declared, defined = sources(headers / room), sources(bodies / room)
        if defined and not declared:
            faults.append(f"lib/{room} has no include/TensorAccess/{room}")
        if declared and not (bodies / room).is_dir():
            faults.append(f"include/TensorAccess/{room} has no lib/{room}")
    return faults + check_questions(root) + check_pipeline(root)


def self_test():
    """Breaks each rule once; every fault must be found, and no other."""
    good = {
        "include/TensorAccess/Core/Form.h": "int rank();\n",
        "include/TensorAccess/Core/Tile.h":
            '#include "TensorAccess/Core/Form.h"\n',
        "lib/Core/Form/Form.cpp": '#include "TensorAccess/Core/Form.h"\n',
        "lib/Core/Tile/Tile.cpp": '#include "Form/FormFacts.h"\n',
        "include/TensorAccess/IR/Ops.td": 'include "TensorAccess/IR/A.td"\n',
        "lib/IR/Ops/Ops.cpp": '#include "TensorAccess/Core/Form.h"\n',
        "tools/tool/tool.cpp": '#include "TensorAccess/IR/Checks.h"\n' * 40,
    }
    breaks = [
        ("lib/Core/Up.cpp", '\n#include "TensorAccess/IR/Checks.h"\n',
         "lib/Core/Up.cpp:2: room Core includes IR"),
        ("include/TensorAccess/Core/Up.td", 'include "TensorAccess/IR/O.td"\n',
         "Core/Up.td:1: room Core includes IR"),
        ("lib/Core/Odd.cpp", '#include "TensorAccess/Attic/Ops.h"\n',
         "room Attic is not in the table"),
        ("lib/Attic/Odd.cpp", "int x;\n", "room Attic is not in the table"),
        ("lib/Core/Attic/Odd.cpp", "int x;\n",
         "floor Attic of Core is not in the table"),
        ("lib/Core/Form/Up.cpp", '#include "TensorAccess/Core/Tile.h"\n',
         "Form/Up.cpp:1: floor Core/Form includes Tile"),
        ("lib/Core/Form/Up.cpp", '#include "Tile/TileEngine.h"\n',
         "Form/Up.cpp:1: floor Core/Form includes Tile"),
        ("include/TensorAccess/Core/Form.h",
         '#include "TensorAccess/Core/Tile.h"\n',
         "Core/Form.h:1: floor Core/Form includes Tile"),
        ("include/TensorAccess/Core/Back.h", "int x;\n",
         "Core/Back.h: a public header is a door"),
        ("lib/IR/Ops/Simplify.cpp", "\npm.addPass(createCanonicalizerPass());\n",
         "Ops/Simplify.cpp:2: createCanonicalizerPass is upstream's"),
        ("lib/IR/Ops/Simplify.cpp", "pm.addPass(createInlinerPass());\n",
         "Ops/Simplify.cpp:1: createInlinerPass() is upstream's"),
        ("tools/tool/tool.cpp", "\n" * 41, "a main has at most 40 lines"),
        ("lib/IR/Long.cpp", "\n" * 701, "a source has at most 700 lines"),
        ("lib/EGraph/Only.cpp", "int x;\n",
         "lib/EGraph has no include/TensorAccess/EGraph"),
        ("include/TensorAccess/Models/Indexing.h", "int x;\n",
         "include/TensorAccess/Models has no lib/Models"),
        ("test/Core/Ask.cpp", "\nop.payloadUsesValueFromOperand(&x);\n",
         "test/Core/Ask.cpp:2: payloadUsesValueFromOperand of upstream is"),
    ]
    breaks += [([f"lib/Core/Form/F{i}.cpp" for i in range(20)], "int x;\n",
                "lib/Core/Form: a folder has at most 20 sources, this one 21")]
    good["lib/Core/Tile/A.cpp"] = "#define GEN_PASS_DEF_A\n"
    good["lib/IR/Ops/B.cpp"] = "#define GEN_PASS_DEF_B\n"
    breaks += [(PIPELINE, "createA(); createB();\n" * 5,
                "Cpu.cpp: passes change floors at most 8 times, these 9")]
    failures = []
    for paths, text, expected in [([], None, None)] + breaks:
        with tempfile.TemporaryDirectory() as directory:
            paths = [paths] if isinstance(paths, str) else paths
            files = {**good, **{path: text for path in paths}}
            for name, body in files.items():
                target = pathlib.Path(directory, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(body, encoding="utf-8")
            faults = check(directory)
        if not paths and faults:
            failures.append(f"a good house is refused: {faults}")
        elif paths and not any(expected in fault for fault in faults):
            failures.append(f"{paths}: wanted '{expected}', got {faults}")
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
