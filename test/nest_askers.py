#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which passes of tensoraccess-cpu ask an op for its nest or its maps.

    nest_askers.py BUILD              a line for each pass of ours, and their number
    nest_askers.py BUILD --least N    fails if fewer than N ask
    nest_askers.py --self-test        asks of code made up for it

The passes are those that lib/Pipelines/Cpu.cpp creates and a source of lib/Transforms or
lib/Conversion defines. A pass asks if its runOnOperation calls, directly or through
functions of those two rooms, what answers by nests (getNest, getIndexing, its cache) or
computes with indexing maps. Calls are read from the machine code of the objects.
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOMS = ("Transforms", "Conversion")
OURS = r"_ZNK?4mlir12tensoraccess"
ASKED = {
    "nest": re.compile(OURS + r"(7getNestERKNS0_11OpSignatureE|11getIndexing"
                       r"|13IndexingCache|16inferResultSizes)"),
    "maps": re.compile(OURS + r"(11IndexingMap|7DigitMap)\d"),
}


def find_passes(pipeline, sources):
    """The passes of a pipeline, in its order, that some source defines."""
    defined = {name for text in sources
               for name in re.findall(r"#define GEN_PASS_DEF_(\w+)", text)}
    names = dict.fromkeys(re.findall(r"\bcreate(\w+?)\(", pipeline))
    return [name for name in names if name.upper() in defined]


def read_calls(lines):
    """The functions of an object, and the symbols that each one mentions."""
    calls, function = {}, None
    for line in lines:
        if head := re.match(r"[0-9a-f]+ <(.+)>:$", line):
            function = calls.setdefault(head[1], set())
        elif function is not None:
            if mentioned := re.search(r"<([^>+]+)(\+0x[0-9a-f]+)?>$", line.rstrip()):
                function.add(mentioned[1])
            elif mentioned := re.search(r"R_\w+\s+([^\s.][^\s]*?)([-+]0x[0-9a-f]+)?$", line):
                function.add(mentioned[1])
    return calls


def find_asked(roots, objects):
    """What is asked from functions (object, name) on, through those of all objects."""
    owners = collections.defaultdict(list)
    for name, calls in objects.items():
        for function in calls:
            owners[function].append(name)
    seen, left, asked = set(roots), list(roots), set()
    while left:
        name, function = left.pop()
        for callee in objects[name].get(function, ()):
            asked |= {what for what, names in ASKED.items() if names.match(callee)}
            # An object's own one, else the one that defines it.
            owner = name if callee in objects[name] else next(iter(owners[callee]), None)
            if owner and (owner, callee) not in seen:
                seen.add((owner, callee))
                left.append((owner, callee))
    return asked


def report(passes, objects):
    """For each pass what it asks."""
    found = {}
    for name in passes:
        roots = [(path, function) for path, calls in objects.items() for function in calls
                 if re.search(rf"\d{name}Pass14runOnOperationEv", function)]
        if not roots:
            sys.exit(f"no object defines {name}Pass::runOnOperation")
        found[name] = find_asked(roots, objects)
    return found


def read_build(build):
    lib = pathlib.Path(__file__).resolve().parent.parent / "lib"
    sources = [path.read_text() for room in ROOMS for path in (lib / room).rglob("*.cpp")]
    passes = find_passes((lib / "Pipelines/Cpu.cpp").read_text(), sources)
    llvm = re.search(r"^LLVM_DIR:\w+=(.+)/lib/cmake/llvm$",
                     (build / "CMakeCache.txt").read_text(), re.M)[1]
    objects = {}
    for path in (path for room in ROOMS for path in (build / "lib" / room).rglob("*.o")):
        text = subprocess.run([f"{llvm}/bin/llvm-objdump", "-dr", "--no-show-raw-insn", path],
                              check=True, capture_output=True, text=True).stdout
        objects[str(path)] = read_calls(text.splitlines())
    return passes, objects


def self_test():
    pipeline = "pm.addPass(createOne()); pm.addPass(createTwo({1}));\n" \
               "pm.addPass(createThree()); pm.addPass(createUpstreamPass());"
    passes = find_passes(pipeline, ["#define GEN_PASS_DEF_ONE\n#define GEN_PASS_DEF_TWO",
                                    "#define GEN_PASS_DEF_THREE"])
    assert passes == ["One", "Two", "Three"], passes
    run = "_ZN12_GLOBAL__N_1{}{}Pass14runOnOperationEv"
    names = {name: run.format(len(name) + 4, name) for name in passes}
    objects = {
        "T/One.cpp": read_calls([f"0 <{names['One']}>:", "  1: callq 0x9 <_Z4helpv>"]),
        "T/Two.cpp": read_calls([
            f"0 <{names['Two']}>:", "  1: callq 0x9 <local+0x4>",
            "0000 <local>:", "  5: callq 0x5 <local+0x5>",
            "\t\t06:  R_X86_64_PLT32\t_ZNK4mlir12tensoraccess11IndexingMap7composeEv-0x4"]),
        "T/Three.cpp": read_calls([f"0 <{names['Three']}>:", "  1: retq"]),
        "T/Help.cpp": read_calls([
            "0 <_Z4helpv>:", "\t\t06:  R_X86_64_PLT32\t"
            "_ZN4mlir12tensoraccess7getNestERKNS0_11OpSignatureE-0x4"]),
    }
    found = report(passes, objects)
    assert found == {"One": {"nest"}, "Two": {"maps"}, "Three": set()}, found


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    passes, objects = read_build(pathlib.Path(arguments[0]))
    found = report(passes, objects)
    for name, asked in found.items():
        print(f"{name:24} {' '.join(sorted(asked, reverse=True)) or '-'}")
    count = sum(map(bool, found.values()))
    print(f"{count} of {len(found)} passes of tensoraccess-cpu ask for nests or maps")
    if "--least" in arguments and count < int(arguments[arguments.index("--least") + 1]):
        sys.exit(f"at least {arguments[-1]} should")


if __name__ == "__main__":
    main(sys.argv[1:])
