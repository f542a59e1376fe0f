# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The explorer's page in a browser: what is clicked is what is shown, and what an element
needs is what the interpreter's results change with."""

import html
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import tensoraccess as ta

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(not BROWSER, reason="there is no chromium")

PROGRAM = """
func.func @main(%x: tensor<1x7x5x2xf32>, %w: tensor<3x3x2x3xf32>) -> tensor<3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x7x5x2xf32> to tensor<1x9x7x2xf32>
  %e = tensor.empty() : tensor<1x4x3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %conv = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%padded, %w : tensor<1x9x7x2xf32>, tensor<3x3x2x3xf32>)
      outs(%f : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %g = tensor.empty() : tensor<1x3x4x3xf32>
  %turned = linalg.transpose ins(%conv : tensor<1x4x3x3xf32>)
      outs(%g : tensor<1x3x4x3xf32>) permutation = [0, 3, 1, 2]
  %h = tensor.empty() : tensor<3x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%h : tensor<3x4xf32>) -> tensor<3x4xf32>
  %sum = linalg.reduce ins(%turned : tensor<1x3x4x3xf32>) outs(%i : tensor<3x4xf32>)
      dimensions = [0, 3] (%p: f32, %q: f32) {
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  return %sum : tensor<3x4xf32>
}
"""


def read(page):
    return json.loads(re.search(r'type="application/json">(.*?)</script>', page.html, re.S)[1])


def drive(tmp_path, page, script):
    """What `script`, the body of an async function in the page, returns."""
    driver = """<script>
    const pause = (time = 50) => new Promise(done => setTimeout(done, time));
    const click = node => node.dispatchEvent(new MouseEvent("click", {bubbles: true}));
    const point = (canvas, x, y) => {
      const area = canvas.getBoundingClientRect();
      canvas.dispatchEvent(new PointerEvent("pointermove", {bubbles: true,
        clientX: area.left + x, clientY: area.top + y}));
    };
    (async () => { await pause(); %s })().catch(error => ({error: String(error.stack)})).then(
      result => { const node = document.createElement("pre"); node.id = "result";
                  node.textContent = JSON.stringify(result); document.body.replaceChildren(node); });
    </script></body>""" % script
    path = page.save(tmp_path / "page.html")
    path.write_text(path.read_text().replace("</body>", driver))
    run = subprocess.run(
        [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,900",
         f"--user-data-dir={tmp_path}/profile", "--virtual-time-budget=60000", "--dump-dom",
         path.as_uri()], capture_output=True, text=True, timeout=300)
    found = re.search(r'<pre id="result">(.*?)</pre>', run.stdout, re.S)
    assert found, run.stdout[-2000:] + run.stderr[-2000:]
    result = json.loads(html.unescape(found[1]))
    assert not (isinstance(result, dict) and "error" in result), result
    return result


def depends(mod, arrays):
    """By argument, pairs of (element of the argument, element of the result) that the
    interpreter's results show."""
    run = mod.interpret()
    base = np.asarray(run(*arrays))
    pairs = []
    for number, array in enumerate(arrays):
        found = set()
        for i in range(array.size):
            changed = [a.copy() for a in arrays]
            changed[number].reshape(-1)[i] += 1000.0
            different = np.asarray(run(*changed)).reshape(-1) != base.reshape(-1)
            found |= {(i, int(r)) for r in np.flatnonzero(different)}
        pairs.append(found)
    return pairs


def convolution(stride, low, high, dilation=1):
    size = (5 + low + high - 2 * dilation - 1) // stride + 1
    image, filters, result = "tensor<1x5x5x2xf32>", "tensor<3x3x2x2xf32>", f"tensor<1x{size}x{size}x2xf32>"
    return f"""
func.func @main(%a: {image}, %w: {filters}) -> {result} {{
  %0 = "stablehlo.convolution"(%a, %w) <{{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: {dilation}, {dilation}>,
    padding = dense<[[{low}, {high}], [{low}, {high}]]> : tensor<2x2xi64>,
    window_reversal = array<i1: false, false>, window_strides = array<i64: {stride}, {stride}>}}>
    : ({image}, {filters}) -> {result}
  return %0 : {result}
}}"""


@needs_browser
@pytest.mark.parametrize("program, shapes", [
    (PROGRAM, [(1, 7, 5, 2), (3, 3, 2, 3)]),
    (convolution(1, 1, 1), [(1, 5, 5, 2), (3, 3, 2, 2)]),
    (convolution(2, 0, 1), [(1, 5, 5, 2), (3, 3, 2, 2)]),
    (convolution(1, 2, 1, 2), [(1, 5, 5, 2), (3, 3, 2, 2)]),
])
def test_elements(tmp_path, program, shapes):
    mod = ta.Module(program)
    rng = np.random.default_rng(0)
    arrays = [rng.uniform(1, 2, s).astype(np.float32) for s in shapes]
    wanted = depends(mod, arrays)
    got = drive(tmp_path, mod.explore(), """
      const answer = {needs: [], reaches: []};
      isThrough = true;
      const last = fn.ops.findIndex(op => op.results.includes(fn.returned[0]));
      const out = fn.returned[0], shape = fn.values[out].shape;
      for (let r = 0; r < count(shape); ++r) {
        const {sets} = follow(last, out, startFrom(out, toIndex(r, shape).map(x => [x, x])));
        answer.needs.push(fn.arguments.map(a => sets.has(a) && sets.get(a).isExact ? [...sets.get(a).getNumbers()] : []));
      }
      isForward = true;
      for (const a of fn.arguments) {
        const first = fn.ops.findIndex(op => op.operands.includes(a)), s = fn.values[a].shape;
        answer.reaches.push(Array.from({length: count(s)}, (_, i) => {
          const {sets} = follow(first, a, startFrom(a, toIndex(i, s).map(x => [x, x])));
          return sets.has(out) && sets.get(out).isExact ? [...sets.get(out).getNumbers()] : [];
        }));
      }
      return answer;""")
    for number, pairs in enumerate(wanted):
        needs = {(i, r) for r, lists in enumerate(got["needs"]) for i in lists[number]}
        reaches = {(i, r) for i, list_ in enumerate(got["reaches"][number]) for r in list_}
        if "stablehlo" in program and number == 1:
            # A tap that only meets padding is read, too.
            assert needs == reaches >= pairs
        else:
            assert needs == reaches == pairs


@needs_browser
def test_clicks(tmp_path):
    """Rows, links to producers, what is pointed at, buttons, keys and the search."""
    mod = ta.Module(PROGRAM)
    got = drive(tmp_path, mod.explore(title="conv <1>"), """
      const answer = {title: document.title, heading: $("title").textContent, rows: []};
      for (let i = 0; i < document.querySelectorAll(".row").length; ++i) {
        const row = document.querySelectorAll(".row")[i];
        click(row);
        await pause();
        answer.rows.push([row.querySelector(".name").textContent, $("detail").querySelector("h2").textContent,
                          $("detail").querySelector("pre").textContent]);
      }
      const notes = () => [...document.querySelectorAll(".tensor")].map(
        t => [t.firstChild.textContent, t.lastChild.textContent]);
      const conv = fn.ops.findIndex(op => op.name.includes("conv"));
      reveal(conv); choose(conv); await pause(200);
      const cell = document.querySelector(".tensor.from canvas");
      point(cell, 1, 1); await pause(200);
      answer.corner = notes();
      click($("through")); await pause(200);
      point(document.querySelector(".tensor.from canvas"), 1, 1); await pause(200);
      answer.through = notes();
      const link = [...document.querySelectorAll("#detail td .link")].find(
        n => n.textContent === "%padded");
      click(link); await pause();
      answer.linked = $("detail").querySelector("h2").textContent;
      document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowDown", bubbles: true}));
      await pause();
      answer.next = $("detail").querySelector("h2").textContent;
      $("search").value = "reduce"; $("search").oninput({target: $("search")}); await pause();
      answer.found = [$("found").textContent, $("detail").querySelector("h2").textContent];
      return answer;""")
    assert (got["title"], got["heading"]) == ("conv <1>", "conv <1>")
    names = [name for name, _, _ in got["rows"]]
    assert "linalg.conv_2d_nhwc_hwcf" in names and "arith.constant" not in names
    assert all(name == heading and name in text for name, heading, text in got["rows"])
    corner = dict(got["corner"])
    # A window of 3x3 and 2 channels of the padded image; the filters of one channel.
    assert corner["result %2: point at an element, click to hold it"] == "element 0, 0, 1, 0"
    assert corner["%padded, tensor.pad"] == "18 of 126 elements: 0, 0…2, 2…4, 0…1"
    assert corner["argument 1 %arg1"] == "18 of 54 elements: 0…2, 0…2, 0…1, 0"
    # In the first row, one row of the window is padding.
    assert ["argument 0 %arg0", "12 of 70 elements: 0, 0…1, 1…3, 0…1"] in got["through"]
    assert got["linked"] == "tensor.pad" and got["next"] == "linalg.fill"
    assert got["found"] == ["1 of 1", "linalg.reduce"]


@needs_browser
def test_opens_on_the_costliest_op(tmp_path):
    """Beside the totals, which lead to all tables; by time where it was measured; what has
    no ops opens, too."""
    for program, name, total in [
            (PROGRAM, "linalg.conv_2d_nhwc_hwcf", "operations1,332"),
            ("func.func @f(%x: tensor<9xf32>, %y: tensor<2x2xf32>) -> tensor<9xf32> {"
             "%0 = math.exp %y : tensor<2x2xf32> %1 = math.exp %x : tensor<9xf32>"
             "return %1 : tensor<9xf32> }", "math.exp", "bytes"),
            ("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }", None, "func f")]:
        got = drive(tmp_path, ta.Module(program).explore(), """
          const answer = [chosen < 0 ? null : fn.ops[chosen].name, $("detail").textContent, location.hash,
                          chosen < 0 ? null : getType(fn.ops[chosen].results[0])];
          if (chosen >= 0) click(document.querySelector(".whole .link"));
          await pause();
          return [...answer, $("detail").querySelector("h2").textContent];""")
        assert got[0] == name and total in got[1] and got[2] == "" and got[4].startswith("func "), got
        assert got[3] != "tensor<2x2xf32>"


@needs_browser
def test_held_elements_and_keys(tmp_path):
    """A click holds an element, Esc lets go; keys reach every row, also parts."""
    body = "".join(f"""
  %y{i + 1} = linalg.matmul ins(%z{i}, %w : tensor<4x4xf32>, tensor<4x4xf32>)
    outs(%z{i} : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x{i + 1} = math.{op} %y{i + 1} : tensor<4x4xf32>
  %z{i + 1} = arith.addf %x{i + 1}, %z{i} : tensor<4x4xf32>"""
                   for i, op in enumerate(["exp", "tanh", "sin", "cos"] * 6))
    mod = ta.Module(f"""
func.func @main(%z0: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {{{body}
  return %z24 : tensor<4x4xf32>
}}""")
    got = drive(tmp_path, mod.explore(), """
      const key = name => document.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
      const heading = () => $("detail").querySelector("h2").textContent;
      const answer = {rows: rows.length, opened: [fn.ops[chosen].name, getRow()], headings: []};
      showFunction(0);
      for (let i = 0; i < rows.length + 2; ++i) { key("ArrowDown"); answer.headings.push(heading()); }
      key("ArrowUp");
      for (let i = 0; i < 30; ++i) key("ArrowUp");
      key("ArrowRight"); await pause();
      answer.open = rows.length;
      key("ArrowDown"); key("ArrowDown"); key("ArrowLeft"); await pause();
      answer.folded = [rows.length, heading()];
      const last = fn.ops.length - 1;
      reveal(last); choose(last); await pause(100);
      const canvas = () => document.querySelector(".tensor.from canvas");
      const note = () => document.querySelector(".tensor.from").lastChild.textContent;
      const press = (x, y) => {
        const area = canvas().getBoundingClientRect();
        canvas().dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, clientX: area.left + x, clientY: area.top + y}));
      };
      press(5, 5); await pause(100);
      point(canvas(), 60, 60); await pause(100);
      answer.notes = [note()];
      click($("through")); await pause(200);
      answer.notes.push(note());
      answer.rest = $("rest").textContent;
      key("Escape"); await pause(100);
      point(canvas(), 60, 60); await pause(100);
      answer.notes.push(note());
      press(60, 60); press(60, 60); point(canvas(), 5, 5); await pause(100);
      answer.notes.push(note());
      return answer;""")
    # Four kinds in turn, six times, folded around the op that the page opens on.
    assert got["opened"] == ["linalg.matmul", 0]
    assert got["rows"] == 1 and got["headings"][0].startswith("6 × "), got
    assert got["open"] == 1 + 6 * 5 and got["folded"] == [27, "1 of 6"], got
    held = "element 0, 0 · held; Esc lets go"
    assert got["notes"] == [held, held, "element 3, 3", "element 0, 0"]
    assert "all of %arg" in got["rest"]


@needs_browser
def test_repeats_fold(tmp_path):
    body = "".join(f"""
  %a{i} = arith.addf %x{i}, %x{i} : tensor<4xf32>
  %m{i} = arith.mulf %a{i}, %x{i} : tensor<4xf32>
  %x{i + 1} = math.tanh %m{i} : tensor<4xf32>""" for i in range(50))
    mod = ta.Module(f"""
func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {{
  %n = math.exp %x0 : tensor<4xf32>{body.replace('%x0,', '%n,').replace('%x0 ', '%n ')}
  return %x50 : tensor<4xf32>
}}""")
    got = drive(tmp_path, mod.explore(), """
      const texts = () => [...document.querySelectorAll(".row")].map(r => r.textContent);
      const answer = [texts()];
      click([...document.querySelectorAll(".row")].find(r => r.textContent.includes("×")));
      await pause();
      answer.push(texts());
      reveal(100); choose(100); await pause();
      answer.push(document.querySelector(".row.chosen").textContent);
      return answer;""")
    assert len(got[0]) == 2 and "50 × 3 ops" in got[0][1], got[0]
    assert "1 of 50" in got[1][2] and "arith.addf" in got[1][3]
    assert ["math.tanh", "arith.addf", "arith.mulf"][100 % 3] in got[2]


@needs_browser
def test_stages(tmp_path):
    mod = ta.Module(PROGRAM)
    page = mod.explore(passes="builtin.module(tensoraccess-raise,func.func(linalg-generalize-named-ops))")
    data = read(mod.explore(passes="tensoraccess-raise,tensoraccess-raise"))
    assert [len(stage["lines"]) > 0 for stage in data["stages"]] == [True, True, False]
    got = drive(tmp_path, page, """
      const buttons = [...$("views").querySelectorAll("button:not(:disabled)")];
      const answer = {stages: buttons.map(b => b.textContent), links: []};
      for (const button of buttons.slice(1)) {
        click(button);
        await pause();
        const lines = [...document.querySelectorAll(".line.linked")];
        answer.links.push(lines.length);
        click(lines[lines.length - 1]);
        await pause();
        answer.last = fn.ops[chosen].name;
        answer.chosen = document.querySelectorAll(".line.chosen").length;
      }
      return answer;""")
    assert got["stages"][:3] == ["elements", "as given", "tensoraccess-raise"]
    assert min(got["links"]) > 2 and got["last"] == "linalg.reduce" and got["chosen"] > 0


@needs_browser
def test_names_and_frames(tmp_path):
    """Addresses of functions of any name, and a page in a frame of another."""
    mod = ta.Module(PROGRAM.replace("@main", '@"100%:a/b"'))
    got = drive(tmp_path, mod.explore(), """
      choose(fn.ops.findIndex(op => op.name.includes("conv")));
      const hash = location.hash;
      showFunction(0);
      $("function").replaceChildren(); $("views").replaceChildren();
      start();
      return [hash, chosen, fn.ops[chosen].name];""")
    assert got[0].startswith("#100%25") and got[2] == "linalg.conv_2d_nhwc_hwcf"
    page = mod.explore()
    outer = ta.Page(f"<!DOCTYPE html><body><h1>outer</h1>{page._repr_html_()}</body>", "outer")
    got = drive(tmp_path, outer, """
      const frame = document.querySelector("iframe");
      while (!frame.contentDocument || !frame.contentDocument.querySelector(".row")) await pause();
      const inside = frame.contentDocument;
      inside.querySelector(".row").dispatchEvent(
        new frame.contentWindow.MouseEvent("click", {bubbles: true}));
      await pause(500);
      return [inside === frame.contentDocument,
              frame.contentDocument.querySelector("#detail h2").textContent];""")
    assert got == [True, "tensor.pad"]


def test_pages(tmp_path):
    page = ta.Module(PROGRAM).explore(title="a</script>b")
    assert "http" not in re.sub(r"http://www.w3.org/\S*", "", page.html)
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page.html, re.S)[1])
    assert data["title"] == "a</script>b"
    main, = data["functions"]
    conv, = [op for op in main["ops"] if "conv" in op["name"]]
    assert conv["work"] == 2 * 1 * 4 * 3 * 3 * 3 * 3 * 2
    reads = [[data["maps"][m] for m in maps] for maps in conv["reads"][0]]
    assert reads[0][0].startswith("(d0, d1, d2, d3)[s0, s1, s2] -> (0, d1 * 2 + s0, d2 * 2 + s1, s2)")
    # Fusing the padding: each of its elements up to four times.
    all_, unique, elements, others = conv["fused"][0]
    assert (elements, unique <= elements, all_ > unique, others) == (126, True, True, 0)
    assert page._repr_html_().startswith("<iframe")
    assert page.save(tmp_path / "x.html").read_text() == page.html


def test_errors():
    with pytest.raises(ta.Error, match="no function with a body"):
        ta.Module("func.func private @f()").explore()
    with pytest.raises(ta.Error, match="cannot read the passes 'nope'"):
        ta.Module(PROGRAM).explore(passes="nope")


def test_what_is_not_known_is_said():
    """Unknown ops, dynamic sizes, huge constants, and a pass that fails."""
    mod = ta.Module("""
func.func @main(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = "nope.op"(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %c = arith.constant dense_resource<big> : tensor<64xf32>
  %1 = arith.addf %0, %x : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
{-# dialect_resources: { builtin: { big: "0x04000000ZEROS" } } #-}
""".replace("ZEROS", "00" * 256))
    page = mod.explore(passes="builtin.module(tensoraccess-check-lowerable)")
    data = json.loads(re.search(r'type="application/json">(.*?)</script>', page.html, re.S)[1])
    assert any(isinstance(reason, str) for reason in data["functions"][0]["ops"][0]["reads"][0])
    nope = data["functions"][0]["ops"][0]
    assert nope["name"] == "nope.op" and isinstance(nope["reads"][0][0], str)
    assert "before tensoraccess-check-lowerable, which failed: " in data["problem"]
    assert "nope.op" in data["problem"] and len(data["stages"]) == 1
    assert len(page.html) < 90_000


@needs_browser
def test_tiles(tmp_path):
    """What tiles of a strided convolution read, counted one by one, and pointing at one."""
    got = drive(tmp_path, ta.Module(PROGRAM).explore(), """
      const conv = fn.ops.findIndex(op => op.name.includes("conv"));
      reveal(conv); choose(conv); await pause(100);
      $("tile").value = "1x2x2x3"; $("tile").oninput(); await pause(300);
      const rows = [...$("tiles").querySelectorAll("tr")].map(row => [...row.children].map(c => c.textContent));
      const canvas = document.querySelector(".tensor.from canvas");
      point(canvas, canvas.getBoundingClientRect().width - 3, canvas.getBoundingClientRect().height - 3);
      await pause(200);
      const notes = [...document.querySelectorAll(".tensor")].map(t => t.lastChild.textContent);
      $("tile").value = "1, 2"; $("tile").oninput(); await pause(100);
      return {rows, notes, bad: $("tile").classList.contains("warn")};""")
    total, largest = 0, 0
    for h in range(0, 4, 2):
        for w in range(0, 3, 2):
            reads = {(2 * i + a, 2 * j + b, c) for i in range(h, h + 2) for j in range(w, min(3, w + 2))
                     for a in range(3) for b in range(3) for c in range(2)}
            total, largest = total + len(reads), max(largest, len(reads))
    assert got["rows"][0][0] == "4 tiles read"
    assert got["rows"][1] == ["operand 0", str(4 * largest), f"{4 * total:,}", f"{total / 126:.2f}"]
    assert got["rows"][2] == ["operand 1", "216", "864", "4.00"]
    # The pointer is in the last row of tiles, at the slice that is shown.
    assert got["notes"][0] == "elements 0, 2…3, 0…1, 0…2" and got["bad"]


@needs_browser
def test_dimensions_are_chosen(tmp_path):
    got = drive(tmp_path, ta.Module(PROGRAM).explore(), """
      const conv = fn.ops.findIndex(op => op.name.includes("conv"));
      reveal(conv); choose(conv); await pause(100);
      const grid = document.querySelector(".tensor.from");
      const size = () => [grid.querySelector("canvas").width, grid.querySelector("canvas").height];
      const select = grid.querySelector("select.down");
      const answer = [select.value, grid.querySelector("select.across").value, size()];
      select.value = "0"; select.onchange(); await pause(100);
      const canvas = grid.querySelector("canvas");
      point(canvas, canvas.width - 3, 3); await pause(100);
      return [...answer, size(), grid.lastChild.textContent];""")
    # Of 1x4x3x3 the second dimension down and the last across; then the first one down.
    assert got[:2] == ["1", "3"] and got[2] == [3 * 18 + 1, 4 * 18 + 1] and got[3] == [3 * 18 + 1, 18 + 1]
    assert got[4] == "element 0, 2, 1, 2"


@needs_browser
def test_shards(tmp_path, root):
    """Each rank of a stack of convolutions gets the rows around its own that it lacks."""
    plan = ta.Module(root / "test/Export/shards.mlir").plan_shards(grid="rows=2,cols=2", entry="stack")
    page = plan.module.explore()
    functions = {f["name"]: f for f in read(page)["functions"]}
    shards = functions["stack"]["shards"]
    assert shards["grid"] == "rows=2,cols=2" and shards["bytesSent"] == plan.bytes_sent
    exchange, = shards["exchanges"]
    assert exchange["bytes"] == 7680 and exchange["count"] == 6
    got = drive(tmp_path, page, """
      showFunction(data.functions.findIndex(f => f.name === "stack"));
      const plan = $("detail").textContent, e = fn.shards.exchanges[0], answer = [];
      for (let i = 0; i < countRanks(); ++i)
        answer.push([getRankBox(fn.shards.values[e.value], i), getRankBox(e.needed, i)]);
      reveal(e.op); choose(e.op); await pause(100);
      $("rank").value = 1; $("rank").onchange(); await pause(100);
      return {boxes: answer, plan, shown: $("detail").textContent};""")
    inside = lambda box: set(np.ndindex(*[high - low + 1 for low, high in box])) if box else set()
    places = lambda box: {tuple(np.add(i, [low for low, _ in box])) for i in inside(box)}
    arrived = [set() for _ in got["boxes"]]
    for sender, to, *ends in exchange["messages"]:
        box = list(zip(ends[::2], ends[1::2]))
        assert places(box) <= places(got["boxes"][sender][0]) and not places(box) & arrived[to]
        arrived[to] |= places(box)
    for (has, needs), extra in zip(got["boxes"], arrived):
        # A 3x3 window around each of its rows, within the tensor.
        assert needs[1] == [max(0, has[1][0] - 1), min(39, has[1][1] + 1)]
        assert places(needs) - places(has) == extra
    assert "Shards on rows=2,cols=2" in got["plan"] and "7,680" in got["plan"]
    assert "all ranks: 6 messages of 7,680 bytes" in got["shown"] and "0 → 1" in got["shown"]


def test_what_rules_know():
    module = ta.Module(PROGRAM).run("builtin.module(tensoraccess-raise)")
    data = read(module.explore(rules=["access"]))
    ops = {op["name"]: op for op in data["functions"][0]["ops"]}
    last = ops["tensoraccess.compute"]
    costs, texts = last["alternatives"][::2], last["alternatives"][1::2]
    assert last["equal"] == len(costs) > 1 and costs == sorted(costs)
    assert "compute {kind = reduce_sum}(%" in " ".join(texts)
    assert "alternatives" not in str(read(module.explore())["functions"])
    with pytest.raises(ta.Error, match="no rule set 'nope'|nope"):
        module.explore(rules=["nope"])


def test_layouts_are_drawn():
    data = read(ta.Module("""
func.func @f(%x: tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>)
    -> tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>> {
  %0 = math.exp %x : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
  return %0 : tensor<3x5xf32, #tensoraccess.layout<{1,0:T(2,2)}>>
}""").explore())
    value = data["types"][data["functions"][0]["values"][0]["of"]]
    assert (value["layout"], value["padding"], value["picture"]) == ("{1,0:T(2,2)}", 9, 0)
    picture, = data["pictures"]
    assert picture.startswith("<svg") and ta.Layout("f32[3,5]{1,0:T(2,2)}").svg().count("<rect") == picture.count("<rect")


@needs_browser
def test_captured_values(tmp_path):
    """What regions use is said, and is at most all of it; users come before what is chosen."""
    got = drive(tmp_path, ta.Module("""
func.func @main(%x: tensor<8xf32>, %i: tensor<4xindex>) -> (tensor<4xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%i : tensor<4xindex>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: index, %b: f32):
    %v = tensor.extract %x[%a] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %1 = math.exp %x : tensor<8xf32>
  return %0, %1 : tensor<4xf32>, tensor<8xf32>
}""").explore(), """
      const at = name => fn.ops.findIndex(op => op.name === name);
      const [x, i] = fn.arguments, [first, second] = fn.returned, gather = at("linalg.generic");
      isThrough = true;
      const back = follow(gather, first, startFrom(first, [[1, 1]]));
      isForward = true;
      const ahead = follow(at("math.exp"), x, startFrom(x, [[3, 3]]));
      return [back.sets.get(x).describe(), back.reasons.get(x), back.sets.get(i).describe(),
              ahead.sets.get(first).describe(), ahead.sets.get(second).describe()];""")
    assert got == ["at most 8 of 8 elements", "used in a region", "1 of 4 elements: 1",
                   "at most 4 of 4 elements", "1 of 8 elements: 3"]


def test_modules_within():
    module = ta.Module("""module @outer { module @inner {
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = math.exp %x : tensor<4xf32>
        return %0 : tensor<4xf32>
      } } }""")
    assert [f["name"] for f in read(module.explore())["functions"]] == ["inner::f"]


def test_how_lanes_read():
    """A transposition reads or writes by columns; the page says what that moves."""
    data = read(ta.Module("""
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.transpose ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  %1 = arith.addf %0, %x : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}""").explore())
    ops = {op["name"]: op for op in data["functions"][0]["ops"]}
    for read_ in json.loads(data["texts"][ops["arith.addf"]["coalescing"]]):
        assert read_["used"] == read_["moved"] == 64 * 64 * 4
    transpose = json.loads(data["texts"][ops["linalg.transpose"]["coalescing"]])[0]
    assert (transpose["plan"], transpose["used"]) == ("input", 64 * 64 * 4)
