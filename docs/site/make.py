# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the documents' site, by Sphinx: `scripts/docs` calls this.

  1. The pages of docs/ and those of the generated reference are copied to a folder of
     the build tree; the order is that of docs/README.md. A long page becomes one of a
     page a section, and links follow.
  2. The reference of Python is made of the package; the notebooks run; a model's
     page is the explorer's.
  3. Sphinx makes pages and the index that the search reads, without a network.
     Whatever it warns of, such as a link to nowhere, is an error.
"""
import argparse
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Source lines of a page that is not cut: well below ten screens.
MOST_LINES = 250
REFERENCE = {
    "Dialect": "The dialect",
    "Checks": "Ops: checks",
    "Exchange": "Ops: exchanges",
    "TransformsPasses": "Passes: transforms",
    "TransformsContractPasses": "Passes: contracts",
    "TransformsEquivalencePasses": "Passes: equivalence",
    "ConversionPasses": "Passes: conversion",
    "IndexingOpInterface": "The interface",
}
MODEL = "test/Models/resnet50.linalg.mlir"


def slug(heading):
    """As GitHub and MyST name the place of a heading."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def headings(lines):
    """(line, level, text) of each heading that is not in a fence."""
    found, fence = [], False
    for number, line in enumerate(lines):
        fence ^= line.lstrip().startswith("```")
        match = None if fence else re.match(r"(#+) (.*)", line)
        if match:
            found.append((number, len(match[1]), match[2]))
    return found


class Pages:
    """Pages by name, and where each heading of the documents went."""

    def __init__(self):
        self.texts, self.places, self.documents = {}, {}, {}

    def add(self, document, name, lines, level=1):
        """A page of `lines`, whose title is a heading of `level`; if it is long,
        the sections below are pages of their own."""
        self.documents[name] = document
        stem = document.removesuffix(".md")
        inner = headings(lines)
        below = sorted({depth for _, depth, _ in inner if depth > level})
        cuts = [n for n, depth, _ in inner if below and depth == below[0]]
        if len(lines) <= MOST_LINES or len(cuts) < 2:
            for _, _, text in inner:
                self.places.setdefault((document, slug(text)), name)
            # The title is the page's first heading.
            self.texts[name] = list(lines)
            for number, _, _ in inner:
                self.texts[name][number] = lines[number][level - 1:]
            return
        parts = []
        for begin, end in zip(cuts, [*cuts[1:], len(lines)]):
            title = next(text for n, _, text in inner if n == begin)
            part = f"{name}/{slug(title).strip('-')}"
            self.add(document, part, lines[begin:end], below[0])
            parts.append(part.rpartition("/")[2])
        head = lines[:cuts[0]]
        own = name.rpartition("/")[2]
        self.add(document, name, head, level)
        if name.startswith("reference/"):
            # Too many for the list at the side.
            for part in parts:
                self.texts[f"{name}/{part}"][:0] = ["---", "orphan: true", "---"]
            titles = (next(text for n, _, text in inner if n == cut) for cut in cuts)
            self.texts[name] += ["", *(f"- [{title}]({stem}.md#{slug(title)})"
                                       for title in titles)]
            return
        self.texts[name] += ["", "```{toctree}", ":maxdepth: 1", "",
                             *(f"{own}/{part}" for part in parts), "```"]

    def link(self, document, name, target, source):
        """A link of a document as one of the page `name`; None: to no page."""
        path, _, anchor = target.partition("#")
        if re.match(r"\w+:", target):
            return target
        folder = os.path.dirname(document)
        page = os.path.normpath(os.path.join(folder, path)) if path else document
        stem = page.removesuffix(".md").removesuffix(".ipynb")
        if stem == "README":
            stem = "index"
        here = os.path.dirname(name) or "."
        if stem.startswith("images/"):
            return os.path.relpath(stem, here)
        to = self.places.get((page, anchor), stem) if anchor else stem
        if to not in self.texts and page not in source:
            return None
        suffix = ".ipynb" if page.endswith(".ipynb") else ".md"
        place = os.path.join(os.path.relpath(os.path.dirname(to) or ".", here),
                             os.path.basename(to))
        return os.path.normpath(place) + suffix + (f"#{anchor}" if anchor else "")


def rewrite(pages, document, name, lines, notebooks):
    """The text of a page with links as they are on the site; of one that leads out
    of the documents, the words."""
    def replace(match):
        target = pages.link(document, name, match[2], notebooks)
        return match[1] if target is None else f"[{match[1]}]({target})"

    link = re.compile(r"\[((?:[^]\[`]|`[^`]*`|\[[^]]*\])*)\]\(([^)\s]+)\)")
    parts = re.split(r"(^[ ]*```.*?^[ ]*```$)", "\n".join(lines), flags=re.M | re.S)
    return "".join(part if part.lstrip().startswith("```")
                   else link.sub(replace, part) for part in parts) + "\n"


def contents(readme):
    """(caption, pages) in the order of docs/README.md."""
    found = []
    for before, line in zip(["", *readme], readme):
        if not before and re.match(r"[A-Z][\w ]+$", line):
            found.append((line, []))
        elif found:
            found[-1][1].extend(re.findall(r"\]\(([\w/-]+)\.(?:md|ipynb)\)", line))
    return [(caption, list(dict.fromkeys(pages))) for caption, pages in found if pages]


def toctree(caption, pages):
    return ["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```"]


def python_reference(folder):
    """A page for each class, and one for the functions."""
    import tensoraccess as ta

    names = [name for name in ta.__all__ if not inspect.ismodule(getattr(ta, name))]
    classes = sorted(n for n in names if inspect.isclass(getattr(ta, n)))
    functions = sorted(n for n in names if n not in classes)
    folder.mkdir()
    for name in classes:
        (folder / f"{name}.rst").write_text(
            f":orphan:\n\n{name}\n{'=' * len(name)}\n\n"
            ".. currentmodule:: tensoraccess\n\n"
            f".. autoclass:: {name}\n   :members:\n   :inherited-members: object, tuple, "
            f"list, Exception, ValueError\n   :special-members: __call__\n")
    (folder / "functions.rst").write_text(
        "Functions\n=========\n\n.. currentmodule:: tensoraccess\n\n"
        + "".join(f".. autofunction:: {name}\n\n" for name in functions))
    (folder / "index.rst").write_text(
        "Classes and functions\n=====================\n\n"
        "What ``import tensoraccess as ta`` gives; :doc:`/Python` shows how it is "
        "used.\n\n.. toctree::\n\n   functions\n\n"
        + "".join(f"- :doc:`{name}`\n" for name in classes))


def stage(source, build, folder):
    docs = source / "docs"
    site = folder / "docs"
    shutil.rmtree(folder, ignore_errors=True)
    site.mkdir(parents=True)
    # Where notebooks look for models.
    (folder / "test").symlink_to(source / "test")
    for name in ("images", "examples", "notebooks"):
        shutil.copytree(docs / name, site / name)
    shutil.copy(docs / "site" / "conf.py", site)
    (site / "_static").mkdir()
    shutil.copy(docs / "site" / "site.css", site / "_static")
    (site / "_extra").mkdir()

    pages = Pages()
    for path in sorted(docs.glob("*.md")):
        name = "index" if path.stem == "README" else path.stem
        lines = path.read_text(encoding="utf-8").splitlines()
        pages.add(path.name, name, lines)
    for stem, title in REFERENCE.items():
        lines = (build / "docs" / f"{stem}.md").read_text(encoding="utf-8").splitlines()
        # The page has a title already.
        titles = [number for number, level, _ in headings(lines) if level == 1]
        lines = [line for number, line in enumerate(lines) if number not in titles
                 and not line.startswith(("<!--", "[TOC]"))]
        pages.add(f"{stem}.md", f"reference/{stem}", [f"# {title}", "", *lines])

    readme = (docs / "README.md").read_text(encoding="utf-8").splitlines()
    notebooks = {f"notebooks/{p.name}" for p in (docs / "notebooks").glob("*.ipynb")}
    for caption, stems in contents(readme):
        inside = [stem for stem in stems if stem.startswith("notebooks/")]
        pages.texts["index"] += toctree(caption, [s for s in stems if s not in inside])
        if inside:
            pages.texts["index"] += toctree("Notebooks", inside)
    pages.texts["index"] += toctree("Reference", [
        *(f"reference/{stem}" for stem in REFERENCE), "python/index"])
    pages.texts["ExplorerLive"] = [
        "---", "hide-toc: true", "---", "# ResNet-50 in the explorer", "",
        "The page that `tensoraccess-explore` writes, alone: "
        '<a href="resnet50.html">in a window of its own</a>.', "",
        "```{raw} html", '<iframe class="explorer" src="resnet50.html" '
        'title="ResNet-50"></iframe>', "```"]
    pages.texts["Explorer"] += ["", "```{toctree}", "ExplorerLive", "```"]
    subprocess.run([build / "bin" / "tensoraccess-explore", source / MODEL, "-o",
                    site / "_extra" / "resnet50.html"], check=True)

    for name, lines in pages.texts.items():
        path = site / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        document = pages.documents.get(name, f"{name}.md")
        path.write_text(rewrite(pages, document, name, lines, notebooks),
                        encoding="utf-8")
    python_reference(site / "python")
    return site


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, help="default: BUILD/docs/site")
    arguments = parser.parse_args()
    source, build = arguments.source.resolve(), arguments.build.resolve()
    out = (arguments.out or build / "docs" / "site").resolve()
    sys.path.insert(0, str(build / "python"))
    subprocess.run(["cmake", "--build", build, "--target", "docs-reference"],
                   check=True, stdout=subprocess.DEVNULL)
    site = stage(source, build, build / "docs" / "site-source")
    # Pages that are no more; nothing of what may lie in another folder.
    if (out / ".buildinfo").exists():
        shutil.rmtree(out)
    environment = {
        **os.environ, "PYTHONPATH": str(build / "python"), "TQDM_DISABLE": "1",
        "TENSORACCESS_CACHE": ""}
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html",
         "-d", build / "docs" / "site-doctrees", site, out], env=environment)
    if done.returncode == 0:
        print(f"{out / 'index.html'}: open it in a browser")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
