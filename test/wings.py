#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wings test: a wing links only wings above it (cmake/Wings.cmake).

    wings.py BUILD [--table]    checks the archives of a build; with --table, prints
                                units and edges of each wing, too
    wings.py --self-test        breaks the rule in symbols made up for it and checks
                                that it is reported

An edge leads from an object that needs a symbol to the one that defines it; public
headers of a wing include only those of wings that it links. Which library and header
belongs to which wing, and what a wing links, CMake has written to BUILD/wings.txt.
"""
import collections
import pathlib
import re
import subprocess
import sys


def read_wings(text):
    """The wings that each wing may link, itself among them; the wing of each library,
    and of each header."""
    links, wings, headers = {}, {}, {}
    for line in text.splitlines():
        kind, name, *rest = line.split()
        if kind == "wing":
            links[name] = {name}.union(*(links[wing] for wing in rest))
        else:
            (wings if kind == "library" else headers)[name] = rest[0]
    return links, wings, headers


def find_strange_includes(headers, links, read):
    """Includes of public headers that an install of their wing lacks."""
    found = []
    for header, wing in sorted(headers.items()):
        for name in re.findall(r'#include "(TensorAccess/[^"]+\.h)"', read(header)):
            if headers.get(name) not in links[wing]:
                found.append(f"{header} of {wing} includes {name} of {headers.get(name)}")
    return found


def read_symbols(lines):
    """The object of each defined symbol, and the symbols that each object needs.

    Lines are those of `nm -A -P -g` of archives: `ARCHIVE[OBJECT]: SYMBOL KIND …`. A
    weak symbol is in every object that needs it."""
    owner, needs = {}, collections.defaultdict(set)
    for line in lines:
        name, _, rest = line.partition(": ")
        fields = rest.split()
        if len(fields) < 2:
            continue
        if fields[1] in "TDBR":
            owner[fields[0]] = name
        elif fields[1] == "U":
            needs[name].add(fields[0])
    return owner, needs


def get_edges(owner, needs, get_wing):
    """All edges between objects of two wings."""
    edges = set()
    for name, symbols in needs.items():
        for symbol in symbols:
            other = owner.get(symbol)
            if other and get_wing(name) != get_wing(other):
                edges.add((name, other))
    return edges


def find_upward(edges, links, get_wing):
    return sorted(
        f"{get_wing(a)} may not link {get_wing(b)}: {shorten(a)} needs {shorten(b)}"
        for a, b in edges
        if get_wing(b) not in links[get_wing(a)]
    )


def shorten(name):
    """…/libTensorAccessCore.a[Form.cpp.o]: Core/Form.cpp."""
    return re.sub(r"^.*libTensorAccess(\w+)\.a\[(.*)\.o\]$", r"\1/\2", name)


def check(build, prints_table):
    links, wings, headers = read_wings((build / "wings.txt").read_text())
    archives = [build / "lib" / f"lib{library}.a" for library in wings]
    output = subprocess.run(
        ["nm", "-A", "-P", "-g", *archives], capture_output=True, text=True, check=True)
    get_wing = lambda name: wings[re.search(r"lib(\w+)\.a\[", name)[1]]
    owner, needs = read_symbols(output.stdout.splitlines())
    edges = get_edges(owner, needs, get_wing)
    if prints_table:
        print_table(needs, edges, get_wing, list(links))
    upward = find_upward(edges, links, get_wing)
    print("\n".join(upward + [f"{len(upward)} of {len(edges)} edges go up"]))
    include = pathlib.Path(__file__).resolve().parents[1] / "include"
    strange = find_strange_includes(
        headers, links, lambda header: (include / header).read_text())
    strange += [f"no wing installs {path.relative_to(include)}"
                for path in sorted(include.rglob("*.h"))
                if str(path.relative_to(include)) not in headers]
    print("\n".join(strange), end="\n" if strange else "")
    return bool(upward or strange)


def print_table(objects, edges, get_wing, order):
    units = collections.Counter(get_wing(str(o)) for o in objects)
    counts = collections.Counter((get_wing(a), get_wing(b)) for a, b in edges)
    for a in order:
        to = ", ".join(f"{b} {counts[a, b]}" for b in order if counts[a, b])
        print(f"{a:8} {units[a]:4} units -> {to}")


def self_test():
    links, wings, headers = read_wings(
        "wing kit \nwing layout kit\nwing ops layout\nlibrary K kit\nlibrary O ops\n"
        "header TensorAccess/K.h kit\nheader TensorAccess/O.h ops\n")
    assert links["ops"] == {"kit", "layout", "ops"} and wings == {"K": "kit", "O": "ops"}
    texts = {"TensorAccess/K.h": "", "TensorAccess/O.h": '#include "TensorAccess/K.h"\n'}
    assert not find_strange_includes(headers, links, texts.get)
    texts["TensorAccess/K.h"] = '#include "TensorAccess/O.h"\n'
    assert find_strange_includes(headers, links, texts.get) == [
        "TensorAccess/K.h of kit includes TensorAccess/O.h of ops"]
    get_wing = lambda name: wings[name[0]]
    down = ["K/a.o: f T 0 1", "O/b.o: f U ", "O/b.o: g T 0 1", "O/c.o: g U "]
    owner, needs = read_symbols(down)
    edges = get_edges(owner, needs, get_wing)
    assert edges == {("O/b.o", "K/a.o")} and not find_upward(edges, links, get_wing)
    owner, needs = read_symbols(down + ["K/a.o: g U "])
    found = find_upward(get_edges(owner, needs, get_wing), links, get_wing)
    assert found == ["kit may not link ops: K/a.o needs O/b.o"], found


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        sys.exit(check(pathlib.Path(sys.argv[1]), "--table" in sys.argv))
