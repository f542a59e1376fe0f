#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/images/take.py [NAME...]: takes the pictures of the explorer's pages again.

Run in the root of the repository, after a build, by a Python that has Pillow, where
chromium is installed."""

import collections
import io
import pathlib
import subprocess
import sys
import tempfile

import PIL.Image

BIN = pathlib.Path("build/bin")
EXPLORE, EXPLAIN = BIN / "tensoraccess-explore", BIN / "tensoraccess-explain"
# Functions for the scripts below.
DRIVER = """<script>(async () => {
const pause = (time = 50) => new Promise(done => setTimeout(done, time));
const press = text => [...document.querySelectorAll("button, .row")]
  .find(node => node.textContent.trim().startsWith(text)).click();
const canvas = () => document.querySelector("#detail canvas");
// Shows two dimensions of the result.
const choose = (down, across) => [["down", down], ["across", across]].forEach(([name, dim]) => {
  const select = document.querySelector(`#detail .from select.${name}`);
  select.value = dim;
  select.onchange();
});
const hold = (row, column) => {
  const { left, top } = canvas().getBoundingClientRect();
  canvas().onpointerdown({ clientX: left + 18 * column + 9, clientY: top + 18 * row + 9 });
};
const scroll = text => {
  const view = document.getElementById("detail");
  const node = [...view.querySelectorAll("*")].find(node => node.textContent.trim() === text);
  view.scrollTop += node.getBoundingClientRect().top - view.getBoundingClientRect().top - 8;
};
await pause();
%s
})();</script></body>"""


def take(command, size, script="", stdin=None):
    """The page that a command writes, after a script."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        page, picture = folder / "page.html", folder / "page.png"
        subprocess.run([*command, "-o", page], input=stdin, check=True, stdout=subprocess.DEVNULL)
        page.write_text(page.read_text().replace("</body>", DRIVER % script))
        subprocess.run(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--window-size={},{}".format(*size), f"--user-data-dir={folder}/profile",
             "--virtual-time-budget=30000", f"--screenshot={picture}", page.as_uri()],
            check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return PIL.Image.open(io.BytesIO(picture.read_bytes())).convert("RGB")


def take_conv(script=""):
    return take([EXPLORE, "docs/examples/conv.mlir"], (1180, 590), script)


def make_explorer_gif(path):
    frames = [take_conv()] + [
        take_conv('document.getElementById("through").click(); await pause(); choose(1, 2);'
                  f'hold({row}, {column}); await pause(500); scroll("If its producers were fused into it");')
        for row, column in ((0, 0), (1, 1), (2, 2), (3, 2), (4, 3))]
    first, *others = reduce(*frames)
    first.save(path, save_all=True, append_images=others, loop=0, optimize=True,
               duration=[1800] + [1100] * len(others))


def make_explorer_png(path):
    save(take([EXPLORE, "test/Models/resnet50.linalg.mlir"], (1360, 860)), path)


def make_explain_png(path):
    save(take([EXPLAIN, "docs/examples/attention.hlo", "--html"], (1400, 640),
              'press("func main: what costs most");'), path)


def make_explorer_shards_png(path):
    planned = subprocess.run(
        [BIN / "tensoraccess-opt", "test/Export/shards.mlir",
         "--tensoraccess-plan-shards=grid=rows=2,cols=2"], check=True, stdout=subprocess.PIPE)
    save(take([EXPLORE, "-"], (1360, 620),
              'press("%padded"); await pause(); document.getElementById("rank").value = 1;'
              'document.getElementById("rank").onchange(); await pause(); scroll("Shards on rows=2,cols=2");',
              stdin=planned.stdout), path)


def reduce(*images):
    """With few colors, one palette for all: frames differ only where something moves."""
    counts = collections.Counter()
    for image in images:
        counts.update({color: count for count, color in image.getcolors(1 << 24)})
    # Those that are frequent, and others far from all of these.
    palette = []
    for distance in (120, 60, 30, 16):
        for color, _ in counts.most_common():
            if all(sum(abs(a - b) for a, b in zip(color, other)) > distance for other in palette):
                palette.append(color)
    palette = palette[:64]
    nearest = {color: min(range(len(palette)),
                          key=lambda i: sum((a - b) ** 2 for a, b in zip(color, palette[i])))
               for color in counts}
    reduced = []
    for image in images:
        reduced.append(PIL.Image.new("P", image.size))
        reduced[-1].putpalette([part for color in palette for part in color])
        reduced[-1].putdata([nearest[color] for color in image.getdata()])
    return reduced


def save(image, path):
    reduce(image)[0].save(path, optimize=True)


MAKERS = {"explorer.gif": make_explorer_gif, "explorer.png": make_explorer_png,
          "explain.png": make_explain_png, "explorer-shards.png": make_explorer_shards_png}

if __name__ == "__main__":
    for name in sys.argv[1:] or MAKERS:
        MAKERS[name](pathlib.Path("docs/images") / name)
