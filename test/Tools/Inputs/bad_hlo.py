"""Dumps with one mistake each, given to every tool: an error at its place, and exit 1."""
import pathlib
import subprocess
import sys

ENTRY = "HloModule m\nENTRY e {\n  x = f32[3,2]{1,0} parameter(0)\n"
DUMPS = {
    "truncated": (ENTRY + "  ROOT y = f32[3,2] negate(x", "4:29", "expected"),
    "string": (ENTRY + '  ROOT y = f32[3,2] negate(x), metadata={op_name="a', "4:50", "does not end"),
    "opcode": (ENTRY + "  ROOT y = f32[3,2] negat(x)\n}", "4:21", "no opcode 'negat'"),
    "literal": (ENTRY + "  ROOT y = f32[3] constant({1, 2})\n}", "4:33", "expected 3 in this list, found 2"),
    "order": (ENTRY + "  ROOT y = f32[3,2]{1,1} negate(x)\n}", "4:20", "repeats dimension 1"),
    "dims": (ENTRY + "  ROOT y = f32[3,2]{2,1,0} negate(x)\n}", "4:20", "minor_to_major"),
    "tile": (ENTRY + "  ROOT y = f32[3,2]{1,0:T(0,2)} negate(x)\n}", "4:20", "must be positive"),
    "type": (ENTRY + "  ROOT y = f99[3,2] negate(x)\n}", "4:12", "no element type 'f99'"),
    "shape": (ENTRY + "  ROOT y = f32[3,2] add(x, z)\n}", "4:28", "no instruction 'z'"),
    "sharding": (ENTRY + "  ROOT y = (f32[3,2]) tuple(x), sharding={{replicated}, {replicated}}\n}",
                 "4:42", "shardings of 2 arrays"),
}
TOOLS = {
    "opt": [], "index": [], "run": ["--entry=main"], "explain": [], "explore": ["-o", "-"],
    "reduce": ["--reduction-tree=traversal-mode=0 test=true"], "translate": ["--access-to-svg"],
}  # fmt: skip


def check(command, file, place, message):
    done = subprocess.run(command, capture_output=True, text=True)
    first = done.stderr.split("\n")[0]
    assert done.returncode == 1, (command, done)
    assert first.startswith(f"{file}:{place}: error: "), (command, done.stderr)
    assert message in first, (command, first)


for name, (text, place, message) in DUMPS.items():
    file = pathlib.Path(sys.argv[1]) / f"{name}.hlo"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    for tool, options in TOOLS.items():
        check(["tensoraccess-" + tool, str(file), *options], file, place, message)
    check(["tensoraccess-ask", "all", str(file)], file, place, message)
    check(["tensoraccess-explain", "--diff", str(file), str(file)], file, place, message)
print(len(DUMPS), "dumps,", len(TOOLS) + 1, "tools")
