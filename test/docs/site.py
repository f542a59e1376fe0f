# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the documents' site and checks it: links and their places, the search, the
notebooks' outputs, the explorer, and that no page is longer than ten screens."""
import argparse
import functools
import html
import html.parser
import http.server
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

SCREEN, SCREENS = (1400, 900), 10


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if attrs.get("id"):
            self.places.add(attrs["id"])
        # What is in a frame's document is not a link of the page.
        for name in ("href", "src"):
            if attrs.get(name):
                self.links.append(attrs[name])


def check_links(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path.parent / urllib.parse.unquote(parts.path) \
                if parts.path else path
            target = target.resolve()
            if not target.exists():
                yield f"{path.relative_to(site)}: a link to nowhere, {link}"
            elif parts.fragment and target in pages and urllib.parse.unquote(
                    parts.fragment) not in pages[target].places:
                yield f"{path.relative_to(site)}: a link to no place, {link}"


MEASURE = """<body><pre></pre><script>
(async () => {
  const frame = document.createElement("iframe"), heights = {};
  frame.style = "width: %dpx; height: %dpx";
  document.body.append(frame);
  for (const page of %s) {
    await new Promise(done => { frame.onload = done; frame.src = page; });
    const document = frame.contentDocument;
    heights[page] = document.querySelector("article")?.scrollHeight ?? 0;
  }
  document.querySelector("pre").textContent = JSON.stringify(heights);
})();
</script>"""


def check_heights(site, browser):
    pages = [str(path.relative_to(site)) for path in sorted(site.rglob("*.html"))]
    (site / "measure.html").write_text(MEASURE % (*SCREEN, json.dumps(pages)))

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = subprocess.run(
        [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom",
         "--virtual-time-budget=10000000", "--timeout=1500000",
         f"http://127.0.0.1:{server.server_port}/measure.html"],
        capture_output=True, text=True, timeout=1600)
    server.shutdown()
    heights = json.loads(html.unescape(
        re.search(r"<pre>(.*?)</pre>", done.stdout, re.S)[1]))
    assert len(heights) == len(pages)
    longest = max(heights, key=heights.get)
    print(f"{len(pages)} pages, the longest {longest}: {heights[longest]} px")
    for page, height in heights.items():
        if height > SCREEN[1] * SCREENS:
            yield f"{page}: longer than {SCREENS} screens, {height} px"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    for package in ("sphinx", "myst_nb", "furo"):
        if importlib.util.find_spec(package) is None:
            print(f"skipped, this Python lacks {package}")
            sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder).resolve() / "site"
        subprocess.run(
            [sys.executable, arguments.source / "docs" / "site" / "make.py",
             "--source", arguments.source, "--build", arguments.build, "--out", site],
            check=True)
        failures = list(check_links(site))
        index = (site / "searchindex.js").read_text(encoding="utf-8")
        for word in ("swizzl", "systol", "indexingmap", "coalesc"):
            if f'"{word}"' not in index and f"{word}:" not in index:
                failures.append(f"the search does not find '{word}'")
        for path in (site / "notebooks").glob("*.html"):
            text = path.read_text(encoding="utf-8")
            if "<svg" not in text and 'class="tensoraccess"' not in text:
                failures.append(f"{path.name}: no outputs")
        if "ResNet" not in (site / "ExplorerLive.html").read_text(encoding="utf-8") \
                or (site / "resnet50.html").stat().st_size < 10**6:
            failures.append("the explorer is not there")
        browser = shutil.which("chromium")
        if browser:
            failures += check_heights(site, browser)
        else:
            print("no chromium: heights are not measured")
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
