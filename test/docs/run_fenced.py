# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what the documentation shows.

  1. Each ```sh block of README.md and docs/ is run by bash, each ```python
     block by this interpreter, in a scratch folder that looks like the root of
     the repository (what a command writes stays there). Blocks of one file
     share a folder and run in order, and Python goes on with the names of the
     blocks before. A command that fails is a failure.
  2. Where a ```text or ```mlir block follows with only blank lines between, it
     must be what the command prints. `…` stands for any text within a line, a
     line of `…` alone for any lines.
  3. Each other ```mlir block, also those in the .td files, must parse: as a
     file, as a list of attributes and types, or as ops whose undefined operands
     are given the types that the ops ask for. (A sketch that leaves types out
     has a fence without a language.)
  4. Each link to a file leads to one, and each link to a heading.
  5. Pages for users, and the descriptions of ops and passes in the .td files, have
     none of the PHRASES, comments in lib none but those about places: each is a
     failure with its line.

Where a package that only some pages need is missing (NEEDS), the rest of the
page is skipped. scripts/build, scripts/run and scripts/test are not run: they
lead here. With --update, output that differs is written into the pages instead.
"""
import argparse
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

SKIPPED = re.compile(r"\s*(scripts/(build|run|test)\b[^&|;#]*)?(#.*)?$")
TIMEOUT = 300
# What Python needs beside the packages of the tests, by a word in it.
NEEDS = {"onnx": ("onnx", "torch_mlir"), "torch": ("torch", "torch_mlir")}
def phrases(*pairs):
    return [(re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), better)
            for pattern, better in pairs]


# What pages for users do not say, and what they say instead: about places, which
# comments on geometry may, and other phrases.
PLACES = phrases(
    (r"\b(lie|lies|lying) (in|at|on|where|beside|next|side|together|as|there|within"
     r"|inside|outside|below|behind|before|beyond|between|along|row|in)\b",
     "is in, is at, is laid out"),
    (r"\b(rooms?|house|staircases?|doors?)\b(?! (for|to)\b)", "library, entry point"),
)
PHRASES = phrases(
    (r"\bnobody\b", "no op, no pass, it is unknown"),
    (r"\bwhoever\b|\bwho (wants|links) ", "you, a caller"),
    (r"\bone's own\b", "your own, custom"),
    (r"\bwhat \w+ (makes|made) of\b", "the program that X produces"),
    (r"\b(report|remark|tool|page|attribute|answer|pass|option|section|table|type"
     r"|layout|map|file)s? (itself )?says?\b", "shows, lists, prints, returns"),
    (r"\b(is|are) said (where|so|at once|there)\b", "is reported"),
    (r"\b(tell|tells) of\b", "reports, describes"),
    (r"\bthe whole way\b", "end to end"),
    (r"\bfor (itself|themselves)\b", "alone, separately"),
    (r"\btakes? (\w+ )?(for granted|apart)\b", "assumes; decomposes"),
    (r"\b(is|are) called so\b", "of that name"),
    (r"\bsays? (why|which|whether|how|where|so|the same|nothing)\b",
     "gives the reason, shows which"),
    (r"\b(changes?|preserves?|does?|do) [^.:]{0,60}\bbut for\b", "except for"),
    # The project's history.
    (r"\b(first|second|third|old) seeds?\b|\bthe seed's\b|\bseed (documents?|\d\d\d)\b",
     "the paper, the specification"),
)
# What the texts of a program do not say, such as its messages.
MESSAGES = PHRASES[:5] + phrases(
    (r"(?<!there) (is|are) no (?!longer|more|such)", "is not a"),
    (r"\b(is|stands) (there )?twice\b", "appears twice"),
    (r"\bnothing (is known )?(here )?of\b", "none of, is not supported on"),
    (r"\blies? (at|between|differently|elsewhere|in memory|on)\b", "is at, is laid out"),
    (r"\bso many \w+( each)? (are|of)\b", "this many"),
    (r"' has not\b", "does not have"),
)
# A comment, a character, a text in its group, blanks, or other code.
CODE = re.compile(r"""//.*|'(?:[^'\\\n]|\\.)+'|"((?:[^"\\\n]|\\.)*)"|[ \t]+|[^\s"'/]+|[^\n]""")
# Pages for developers of this project.
DEVELOPERS = {"Rationale", "Benchmarks", "Extending", "Internals", "Rewrites", "ShardingResults"}
# Runs Python with the names of the blocks before, but not their output.
CONTINUE = """import contextlib, io, sys
names = {"__name__": "__main__"}
with contextlib.redirect_stdout(io.StringIO()):
    exec(sys.argv[1], names)
exec(sys.argv[2], names)"""


@dataclass
class Block:
    path: pathlib.Path
    line: int
    language: str
    text: str
    adjacent: bool  # Only blank lines since the end of the block before.

    def __str__(self):
        return f"{self.path}:{self.line}: ```{self.language}"


def read_blocks(path, text):
    """The fenced blocks of a file, indented or not, in order."""
    blocks, start, blank = [], None, False
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r"(\s*)```(\w*)\s*$", line)
        if fence and start is None:
            start = (number, fence[1], fence[2], [])
        elif fence:
            _, indent, language, lines = start
            blocks.append(Block(path, start[0], language, "\n".join(lines),
                                blank))
            start, blank = None, True
        elif start is not None:
            lines, indent = start[3], start[1]
            lines.append(line[len(indent):] if line.startswith(indent)
                         else line.lstrip())
        elif line.strip():
            blank = False
    if start is not None:
        raise SystemExit(f"{path}:{start[0]}: a fence without an end")
    return blocks


def read_places(text):
    """What links name the headings by."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)", text, re.MULTILINE)}


def matches(expected, actual):
    """Whether output is as shown; see step 2."""
    pattern = ""
    for line in expected.strip("\n").splitlines():
        if line.strip() == "…":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            parts = (re.escape(part) for part in line.rstrip().split("…"))
            pattern += r"[^\n]*".join(parts) + r"[ \t]*\n"
    return re.fullmatch(pattern, actual.strip("\n") + "\n") is not None


class Runner:
    def __init__(self, source, build):
        self.source, self.build = source, build
        self.failures, self.ran, self.parsed = [], 0, 0
        self.update, self.updates = False, []
        cache = build / "CMakeCache.txt"
        self.is_sanitized = cache.exists() and \
            "_ENABLE_SANITIZERS:BOOL=ON" in cache.read_text(encoding="utf-8")
        self.environment = dict(os.environ)
        self.environment["PYTHONPATH"] = str(build / "python")
        self.environment["PATH"] = os.pathsep.join(
            [os.path.dirname(sys.executable), os.environ["PATH"]])
        self.has_package = not subprocess.run(
            [sys.executable, "-c", "import numpy; from tensoraccess import Module"],
            env=self.environment, stderr=subprocess.DEVNULL).returncode

    def fail(self, block, message):
        self.failures.append(f"{block}\n{message}")

    # Steps 1 and 2.

    def make_scratch(self, folder):
        for entry in self.source.iterdir():
            if not entry.name.startswith((".", "build")):
                (folder / entry.name).symlink_to(entry)
        (folder / "build").symlink_to(self.build)

    def lacks(self, block):
        """A package that a block needs and this Python does not have, or None."""
        if self.is_sanitized and "cmake -S" in block.text:
            return "a build without sanitizers"
        words = re.findall("|".join(NEEDS), block.text)
        if block.language == "python":
            for package in (p for word in words for p in NEEDS[word]):
                if importlib.util.find_spec(package) is None:
                    return package

    def run(self, block, expected, folder, before):
        """`before` is the Python of the blocks before."""
        shell = block.language == "sh"
        if shell and all(map(SKIPPED.match, block.text.splitlines())):
            return
        if not self.has_package and (not shell or "python" in block.text):
            print(f"skipped, this Python lacks numpy or the package: {block}")
            return
        command = ["bash", "-euo", "pipefail", "-c", block.text] if shell \
            else [sys.executable, "-c", CONTINUE, before, block.text]
        self.ran += 1
        result = subprocess.run(command, cwd=folder, env=self.environment,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, encoding="utf-8",
                                timeout=TIMEOUT)
        if result.returncode:
            self.fail(block, f"exit code {result.returncode}\n{result.stdout}")
        elif expected is None or matches(expected.text, result.stdout):
            pass
        elif self.update:
            self.updates.append((expected, result.stdout))
        else:
            self.fail(block, f"--- shown\n{expected.text}\n"
                             f"--- printed\n{result.stdout}")

    def check_links(self, path, text):
        """Step 4."""
        text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if not re.match(r"\w+:", target) and \
                    not (self.source / path.parent / target).exists():
                self.failures.append(f"{path}: a link to nowhere, {target}")
        for target, place in re.findall(r"\]\(([\w./-]*)#([^)]+)\)", text):
            page = self.source / path.parent / target if target else \
                self.source / path
            if page.suffix == ".md" and page.exists() and \
                    place not in read_places(page.read_text(encoding="utf-8")):
                self.failures.append(
                    f"{path}: a link to no heading, {target}#{place}")

    def check_phrases(self, path, text):
        """Step 5; what is code is not read."""
        if path.stem in DEVELOPERS:
            return
        if path.suffix == ".td":
            # Comments are for developers.
            text = re.sub(r"^\s*//.*", "", text, flags=re.MULTILINE)
        blank = lambda code: re.sub(r"[^\n]", "-", code[0])
        text = re.sub(r"^\s*```.*?^\s*```$|`[^`]*`|\]\([^)]*\)", blank, text,
                      flags=re.DOTALL | re.MULTILINE)
        self.find_phrases(path, text, PHRASES + PLACES)

    def check_comments(self, path, text):
        """Step 5, of lines that are comments, and of texts."""
        self.find_phrases(path, re.sub(r"^(?![ \t]*//).*|^[ \t]*//+", "", text,
                                       flags=re.MULTILINE), PHRASES)
        self.find_phrases(path, CODE.sub(
            lambda found: found[1] or ("" if found[0].isspace() else "|"), text), MESSAGES)

    def find_phrases(self, path, text, phrases):
        for phrase, better in phrases:
            for found in phrase.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                words = " ".join(found[0].split())
                self.failures.append(f"{path}:{line}: '{words}'; better: {better}")

    def run_file(self, path, text):
        self.check_links(path, text)
        self.check_phrases(path, text)
        blocks = read_blocks(path, text)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.make_scratch(folder)
            outputs, before = set(), ""
            for i, block in enumerate(blocks):
                if package := self.lacks(block):
                    print(f"skipped from here on, {package} is missing: {block}")
                    break
                if block.language in ("sh", "python"):
                    output = None
                    if i + 1 < len(blocks) and blocks[i + 1].adjacent and \
                            blocks[i + 1].language in ("text", "mlir"):
                        output = blocks[i + 1]
                        outputs.add(i + 1)
                    self.run(block, output, folder, before)
                if block.language == "python":
                    before += block.text + "\n"
            for i, block in enumerate(blocks):
                if block.language == "mlir" and i not in outputs:
                    self.check_mlir(block)
        self.write_updates(path, text)

    def write_updates(self, path, text):
        lines = text.splitlines()
        for block, output in reversed(self.updates):
            end = block.line + len(block.text.splitlines())
            lines[block.line:end] = output.rstrip("\n").splitlines()
        if self.updates:
            (self.source / path).write_text("\n".join(lines) + "\n",
                                            encoding="utf-8")
        self.updates = []

    # Step 3.

    def parse(self, text):
        """What is wrong with a text, or None."""
        result = subprocess.run(
            [self.build / "bin" / "tensoraccess-opt", "-o", os.devnull],
            input=text, stderr=subprocess.PIPE, encoding="utf-8",
            timeout=TIMEOUT)
        return result.stderr if result.returncode else None

    def check_mlir(self, block):
        self.parsed += 1
        error = self.parse(block.text)
        if error is None or "func.func" in block.text:
            pass
        elif re.match(r"\s*(//.*\n\s*)*[#!]?\w+(\.\w+)?<", block.text):
            error = self.parse(wrap_values(block.text))
        else:
            error = self.parse_ops(block.text)
        if error is not None:
            self.fail(block, error)

    def parse_ops(self, text):
        """Parses ops; each undefined operand gets the type its user wants."""
        defined = set()
        for line in text.splitlines():
            if match := re.match(r"\s*((%[\w$.-]+(:\d+)?(, )?)+) = ", line):
                defined.update(re.findall(r"%[\w$.-]+", match[1]))
        used = re.findall(r"%[\w$.-]+", re.sub(r"//.*", "", text))
        types = {name: "none" for name in used if name not in defined}
        while True:
            head = "".join(f'{name} = "test.def"() : () -> ({kind})\n'
                           for name, kind in types.items())
            error = self.parse(f'"test.wrap"() ({{\n{head}{text}\n}})'
                               " : () -> ()\n")
            wanted = error and re.search(
                r"use of value '(%[\w$.-]+)' expects different type than prior "
                r"uses: '(.*)' vs 'none'", error)
            if not wanted or types.get(wanted[1]) != "none":
                return error
            types[wanted[1]] = wanted[2]


def wrap_values(text):
    """Attributes and types, one a line or more, as attributes of ops."""
    entries = []
    for line in text.splitlines():
        if re.match(r"[#!]?\w+(\.\w+)?<", line):
            entries.append(line)
        elif line.strip() and entries:
            entries[-1] += "\n" + line
    return "".join(f'"test.value"() {{value = {entry}\n}} : () -> ()\n'
                   for entry in entries)


def self_test(source, build):
    """This test can fail: each of these must."""
    wrong = {
        "```sh\nfalse\n```\n": "exit code 1",
        "```sh\necho a\n```\n\n```text\nb\n```\n": "--- shown",
        "```sh\nprintf 'a\\nb\\nc\\n'\n```\n```text\na\n…\nb\n```\n": "---",
        "[a](no/such/file.md)\n": "a link to nowhere",
        "[a](README.md#no-such-heading)\n": "a link to no heading",
        "One\nof one's\nown.\n": "self-test:2: 'one's own'",
        "Elements lie in rooms.\n": "'lie in'",
        "What JAX makes of it.\n": "What JAX makes of",
        "It\nsays why.\n": "says why",
        "Each op is taken for itself.\n": "for itself",
        "the first seed\n": "first seed",
        "```mlir\n%0 = tensoraccess.nothing\n```\n": "nothing",
        "```mlir\n!tensoraccess.access<3 5xf32>\n```\n": "expected",
    }
    runner = Runner(source, build)
    runner.check_comments("x.cpp", "int says_why;  // says why\n\n"
                          "/// It lies in a room\n/// and says\n/// why.\n")
    assert len(runner.failures) == 1 and runner.failures[0].startswith("x.cpp:4: "), runner.failures
    right = ["```python\nx = 1\nprint(x)\n```\n"
             "```python\nprint(x)\n```\n```text\n1\n```\n",
             "```sh\nscripts/test  # here; again\n```\n```text\nno matter\n```\n",
             "Room for a seed of random numbers; `house`; it lies.\n",
             "```text\nnobody\n```\n",
             "```sh\necho a 12 b; echo; echo c\n```\n```text\na … b\n…\nc\n```\n",
             "```mlir\n!tensoraccess.access<3 | 5xf32> // one\n```\n",
             "```python\nimport absent\n```\n```python\nabsent.f()\n```\n"]
    NEEDS["absent"] = ("no_such_package",)
    for text, message in wrong.items():
        runner = Runner(source, build)
        runner.run_file(pathlib.Path("self-test"), text)
        assert runner.failures and message in runner.failures[0], text
    for text in right:
        runner = Runner(source, build)
        runner.run_file(pathlib.Path("self-test"), text)
        assert not runner.failures, runner.failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path,
                        help="only these, relative to the source")
    arguments = parser.parse_args()
    source, build = arguments.source.resolve(), arguments.build.resolve()
    if arguments.self_test:
        self_test(source, build)
        return
    runner = Runner(source, build)
    runner.update = arguments.update
    files = [source / file for file in arguments.files] or [
        source / "README.md", *sorted((source / "docs").rglob("*.md")),
        *sorted((source / "include").rglob("*.td")),
        *sorted(file for file in (source / "lib").rglob("*.*")
                if file.suffix in (".cpp", ".h", ".pdll"))]
    for file in files:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".td":
            runner.check_phrases(file.relative_to(source), text)
            for block in read_blocks(file.relative_to(source), text):
                if block.language == "mlir":
                    runner.check_mlir(block)
        elif file.suffix in (".cpp", ".h", ".pdll"):
            runner.check_comments(file.relative_to(source), text)
        else:
            runner.run_file(file.relative_to(source), text)
    print(f"{runner.ran} commands run, {runner.parsed} mlir blocks parsed, "
          f"{len(runner.failures)} failures")
    if runner.failures:
        sys.exit("\n\n".join(runner.failures))


if __name__ == "__main__":
    main()
