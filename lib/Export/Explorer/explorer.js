// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// ---------------------------------------------------------------------------
// The function that is shown
// ---------------------------------------------------------------------------

let fn = null, rows = [], rowOfOp = [], chosen = -1, isThrough = false, isForward = false;
let stage = -1, folds = null, reached = new Set();
// A part that the keys stand on instead of an op.
let focused = null;

const getType = value => data.texts[fn.values[value].type];
const getText = op => data.texts[op.text];

// Constants and empty tensors are found at who uses them.
const isPlain = op => op.operands.length === 0 && !op.captures;

const countOps = ({ first, last }) => `${last - first} op${last - first === 1 ? "" : "s"}`;

// Rows of a list that is unfolded as far as they go.
const kShortList = 24;

// What rows show: an op, or a part of the list of ops that unfolds to more of them. What
// is not in the tree, constants, goes before the op that follows it.
function fold() {
  let next = 0;
  const build = (nodes, times) => nodes.flatMap((node, i) => {
    if (typeof node === "number") {
      const first = next;
      while (next === first || fn.listed[next - 1] !== node) ++next;
      return fn.listed.slice(first, next).map((op, k) => ({ op, first: first + k, last: first + k + 1 }));
    }
    const first = next, parts = build(node.parts, node.times);
    const part = { parts, first, last: next, isOpen: false, times: node.times };
    const head = node.head !== undefined && fn.ops[node.head];
    if (node.name) {
      part.label = (node.times ? `${node.times} × ` : "") + node.name;
      part.isGroup = part.isScope = true;
    } else if (node.times) part.label = `${node.times} × ${parts[0].isGroup ? parts[0].label : countOps(parts[0])}`;
    else if (head) {
      part.label = `${head.name.replace(/^.*?\./, "")} + ${part.last - first - 1}`;
      part.note = getType(head.results[0]);
      part.isGroup = true;
    } else {
      part.label = `${i + 1} of ${times}`;
      part.isOpen = parts.length < 12;
    }
    return part;
  });
  const found = build(fn.folds);
  // A short list shows what is in it.
  const left = { rows: kShortList - found.length };
  for (let level = found; level.length && left.rows > 0;) {
    const next = [];
    for (const part of level) {
      const size = part.parts ? part.parts.reduce((sum, one) => sum + 1 + (one.isOpen ? one.parts.length : 0), 0) : 0;
      if (part.parts && !part.isOpen && size <= left.rows) {
        part.isOpen = true;
        left.rows -= size;
        // Copies are like the first one.
        next.push(...part.times ? part.parts.slice(0, 1) : part.parts);
      }
    }
    level = next;
  }
  for (; next < fn.listed.length; ++next) found.push({ op: fn.listed[next], first: next, last: next + 1 });
  return found;
}

function layRows() {
  rows = [];
  rowOfOp = new Array(fn.ops.length).fill(-1);
  const walk = (nodes, depth) => {
    for (const node of nodes) {
      if (node.op !== undefined) {
        rowOfOp[node.op] = rows.length;
        rows.push({ op: node.op, depth: depth + (fn.ops[node.op].depth || 0) });
        continue;
      }
      if (!node.isOpen)
        for (let place = node.first; place < node.last; ++place)
          rowOfOp[fn.listed[place]] = rows.length;
      rows.push({ item: node, depth });
      if (node.isOpen) walk(node.parts, depth + 1);
    }
  };
  walk(folds, 0);
  layLanes();
}

// Values that are used further down run in lanes beside the rows.
let lanes = [];

function layLanes() {
  lanes = [];
  const last = new Map();
  fn.ops.forEach((op, i) => {
    for (const value of op.operands) {
      const producer = fn.values[value].op;
      if (producer === undefined) continue;
      const from = rowOfOp[producer], to = rowOfOp[i];
      if (from < 0 || to < 0 || from === to || isPlain(fn.ops[producer])) continue;
      const lane = last.get(from) || { from, to: new Set() };
      lane.to.add(to);
      last.set(from, lane);
    }
  });
  const free = [];
  for (const lane of [...last.values()].sort((a, b) => a.from - b.from)) {
    lane.end = Math.max(...lane.to);
    lane.isNext = lane.to.size === 1 && lane.to.has(lane.from + 1);
    if (!lane.isNext) {
      let column = free.findIndex(end => end <= lane.from);
      if (column < 0) column = free.length;
      free[column] = lane.end;
      lane.column = column;
    }
    lanes.push(lane);
  }
  lanes.columns = Math.min(free.length, 10);
}

const kRow = 22, kLane = 9;
let painted = "";

function paintRows() {
  const view = $("program"), top = view.scrollTop, height = view.clientHeight;
  const begin = Math.max(0, Math.floor(top / kRow) - 2);
  const end = Math.min(rows.length, Math.ceil((top + height) / kRow) + 2);
  $("spine").style.height = rows.length * kRow + "px";
  const key = [begin, end, height, view.clientWidth].join();
  if (key === painted) return;
  painted = key;
  const left = 14 + lanes.columns * kLane;
  const nodes = [];
  for (let i = begin; i < end; ++i) {
    const row = rows[i];
    const node = make("div", { className: "row" });
    node.style.top = i * kRow + "px";
    node.style.paddingLeft = left + 10 + row.depth * 14 + "px";
    node.dataset.row = i;
    if (row.op !== undefined) {
      const op = fn.ops[row.op];
      if (row.op === chosen) node.classList.add("chosen");
      if (reached.has(row.op)) node.classList.add("reached");
      const [first] = op.results;
      node.append(make("span", { className: "type" }, (op.instruction || fn.values[first].name) + " "),
        make("span", { className: "name" }, op.name), op.hint ? ` ${op.hint} ` : " ",
        make("span", { className: "type" }, op.results.map(getType).join(", ")));
      if (op.time !== undefined)
        node.append(" ", make("span", { className: "time" }, formatTime(op.time)));
      node.title = getText(op).slice(0, 400);
    } else {
      const { item } = row;
      node.append(make("span", { className: "fold" }, item.isOpen ? "▾ " : "▸ "), item.label, " ",
        make("span", { className: "type" }, item.isScope ? `${countOps(item)}: ${summarize(item)}` : item.note || summarize(item)));
      const time = fn.listed.slice(item.first, item.last).reduce((sum, op) => sum + (fn.ops[op].time || 0), 0);
      if (time) node.append(" ", make("span", { className: "time" }, formatTime(time)));
      if (item === focused) node.classList.add("chosen");
      for (let place = item.first; place < item.last; ++place) {
        const op = fn.listed[place];
        if (!item.isOpen && (op === chosen || reached.has(op)))
          node.classList.add(op === chosen ? "chosen" : "reached");
      }
    }
    nodes.push(node);
  }
  $("rows").replaceChildren(...nodes);
  paintLanes(begin, end, left, top, height);
}

// The heaviest ops of a block.
function summarize(item) {
  if (item.summary) return item.summary;
  const counts = new Map();
  const [one] = item.parts;
  const inside = fn.listed.slice(one.first, item.times ? one.last : item.last)
    .map(number => fn.ops[number]);
  const anchors = inside.filter(op => op.isAnchor);
  for (const op of anchors.length ? anchors : inside) {
    const name = op.name.replace(/^.*?\./, "");
    counts.set(name, (counts.get(name) || 0) + 1);
  }
  return item.summary = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 4)
    .map(([name, times]) => (times > 1 ? times + " " : "") + name).join(", ");
}

function paintLanes(begin, end, left, top, height) {
  const canvas = $("lanes"), ratio = window.devicePixelRatio || 1;
  canvas.width = (left + 8) * ratio;
  canvas.height = height * ratio;
  canvas.style.width = left + 8 + "px";
  canvas.style.height = height + "px";
  canvas.style.marginBottom = -height + "px";
  const g = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  g.scale(ratio, ratio);
  g.lineWidth = 1.2;
  const y = row => row * kRow + kRow / 2 - top;
  for (const lane of lanes) {
    if (lane.end < begin || lane.from > end) continue;
    g.strokeStyle = style.getPropertyValue(lane.isNext ? "--muted" : "--pick");
    g.globalAlpha = lane.isNext ? 0.7 : 0.55;
    g.beginPath();
    if (lane.isNext) {
      g.moveTo(left, y(lane.from));
      g.lineTo(left, y(lane.end));
    } else {
      const x = left - kLane * (1 + Math.min(lane.column, 9));
      g.moveTo(left, y(lane.from));
      g.quadraticCurveTo(x, y(lane.from), x, y(lane.from) + kRow / 2);
      g.lineTo(x, y(lane.end) - kRow / 2);
      for (const to of lane.to) {
        g.moveTo(x, y(to) - kRow / 2);
        g.quadraticCurveTo(x, y(to), left, y(to));
      }
    }
    g.stroke();
  }
  g.globalAlpha = 1;
  for (let i = begin; i < end; ++i) {
    g.fillStyle = style.getPropertyValue(rows[i].op === chosen && chosen >= 0 ? "--pick" : "--muted");
    g.beginPath();
    if (rows[i].op !== undefined) g.arc(left, y(i), 3.2, 0, 2 * Math.PI);
    else g.rect(left - 4, y(i) - 4, 8, 8);
    g.fill();
  }
}

function repaint() {
  painted = "";
  paintRows();
}

// Unfolds what an op is in, and shows it.
function reveal(op) {
  chosen = op;
  if (isPlain(fn.ops[op]) && !$("plain").checked) {
    $("plain").checked = true;
    list();
  }
  const place = fn.listed.indexOf(op);
  for (let nodes = folds; nodes;) {
    const around = nodes.find(node => place >= node.first && place < node.last);
    if (around.op !== undefined) break;
    around.isOpen = true;
    nodes = around.parts;
  }
  layRows();
  const view = $("program"), y = rowOfOp[op] * kRow;
  if (y < view.scrollTop || y > view.scrollTop + view.clientHeight - 2 * kRow)
    view.scrollTop = Math.max(0, y - view.clientHeight / 3);
}

function choose(op) {
  chosen = op;
  focused = null;
  reached = new Set();
  repaint();
  showDetail();
  if (stage >= 0) showStage(stage);
  // In a frame of a notebook the address is not ours.
  if (location.protocol !== "about:")
    location.replace("#" + encodeURIComponent(fn.name) + ":" + op);
}

// ---------------------------------------------------------------------------
// The chosen op
// ---------------------------------------------------------------------------

const formatTime = time => time >= 1000 ? (time / 1000).toFixed(2) + " ms" : time.toFixed(1) + " µs";

function showDetail() {
  const panel = $("detail");
  panel.replaceChildren();
  clearTimeout(resting);
  delete jobs.follow;
  delete jobs.tiles;
  const op = fn.ops[chosen];
  if (focused) {
    showPart(panel, focused);
    return;
  }
  if (!op) {
    panel.append(make("h2", {}, "func " + fn.name));
    for (const problem of [data.problem, fn.note])
      if (problem) panel.append(make("p", { className: "warn" }, problem));
    const list = make("table");
    const link = (value, op, forward, text) => op < 0 || op === undefined ? text :
      makeLink(text, () => { isForward = forward; isThrough = true; reveal(op); choose(op); });
    for (const value of fn.returned)
      list.append(make("tr", {}, make("th", {}, "result"), make("td", {}, getType(value)),
        make("td", {}, link(value, fn.values[value].op, false, "what it needs"))));
    fn.arguments.forEach((value, i) => list.append(make("tr", {}, make("th", {}, `argument ${i}`),
      make("td", {}, getType(value)), make("td", {}, link(value,
        fn.ops.findIndex(op => op.operands.includes(value)), true, "what it reaches")))));
    if (isExplained())
      panel.append(...describeExplanation(data.explanation, (op, text) => makeLink(text, () => goTo(op))));
    panel.append(make("p", { className: "muted" }, `${number(fn.ops.length)} ops. ` +
      "Choose one on the left; then point at an element to see what it needs."), ...describeUnknown());
    const timed = fn.ops.map((op, i) => i).filter(i => fn.ops[i].time !== undefined)
      .sort((a, b) => fn.ops[b].time - fn.ops[a].time);
    if (timed.length) {
      const all = timed.reduce((sum, i) => sum + fn.ops[i].time, 0), slowest = make("table");
      for (const i of timed.slice(0, 30)) {
        const link = linkToOp(i, fn.values[fn.ops[i].results[0]].name);
        slowest.append(make("tr", {}, make("td", { className: "number" }, formatTime(fn.ops[i].time)),
          make("td", { className: "number" }, (100 * fn.ops[i].time / all).toFixed(1) + " %"),
          make("td", {}, link), make("td", {}, data.texts[fn.ops[i].timed].slice(0, 90))));
      }
      panel.append(make("h3", {}, `Measured, ${formatTime(all)} in ${timed.length} lines`), slowest);
    }
    panel.append(make("h3", {}, "Arguments and results"), list);
    if (fn.shards) panel.append(...describePlan());
    return;
  }
  panel.append(describeWhole(), make("h2", {}, (op.instruction ? op.instruction + " " : "") + op.name), make("pre", {}, getText(op)));
  const facts = [], row = getExplained(chosen);
  if (op.loc !== undefined) facts.push(data.texts[op.loc]);
  if (op.work) facts.push(`${number(op.work)} operations`);
  if (row) facts.push(`${formatCell("bytes", row.bytes)} bytes${row.share ? `, ${formatCell("share", row.share)} of all` : ""}`);
  if (op.time !== undefined) facts.push(`${formatTime(op.time)}: ${data.texts[op.timed]}`);
  if (facts.length) panel.append(make("p", { className: "muted" }, facts.join(" · ")));
  panel.append(describeValues(op), describeFusion(op));
  showTensors(panel, op);
  if (fn.shards && fn.shards.ops[chosen]) showShards(panel, op);
  panel.append(...describeMaps(op), ...describeCoalescing(op), ...describeAlternatives(op));
}

const isExplained = () => data.explanation && data.functions[data.entry] === fn;

// The row of an op among those that move most bytes, if it is one.
function getExplained(op) {
  const places = isExplained() && data.explanation.sections.find(({ key }) => key === "places");
  return places && places.rows.find(row => row.op === fn.first + op);
}

// Totals beside a chosen op, and the way to all tables.
function describeWhole() {
  const whole = makeLink(`func ${fn.name}${isExplained() ? ": what costs most" : ""}`, () => {
    chosen = -1;
    reached = new Set();
    repaint();
    showDetail();
  });
  return make("div", { className: "whole" }, whole, ...isExplained() ? [describeTotals(data.explanation.totals)] : []);
}

// The op that takes longest: as measured, or by its bytes and a tenth of its operations,
// whichever is more.
function findCostliest() {
  const getMost = value => value === undefined ? 0 : value.at_most || value.at_least || Number(value) || 0;
  const isTimed = fn.ops.some(op => op.time !== undefined);
  let [best, most] = [-1, 0];
  fn.ops.forEach((op, i) => {
    if (isPlain(op)) return;
    const { bytes, operations } = getExplained(i) || {
      operations: op.work, bytes: [...op.operands, ...op.results].reduce((sum, value) => {
        const { shape, elementBytes } = fn.values[value];
        return sum + (shape && elementBytes ? count(shape) * elementBytes : 0);
      }, 0) };
    const cost = isTimed ? op.time || 0 : Math.max(getMost(bytes), getMost(operations) / 10);
    if (cost > most) [best, most] = [i, cost];
  });
  return best;
}

function makeLink(text, onclick) {
  return make("button", { className: "link", onclick }, text);
}

// Goes to an op by its number in all functions.
function goTo(op) {
  const index = data.functions.findIndex(f => op >= f.first && op < f.first + f.ops.length);
  if (data.functions[index] !== fn) showFunction(index);
  reveal(op - fn.first);
  choose(op - fn.first);
}

const linkToOp = (op, text) => makeLink(text, () => { reveal(op); choose(op); });

// Ops of which nothing is known, by the reason.
function describeUnknown() {
  const reasons = new Map();
  fn.ops.forEach((op, i) => op.reads.flat().filter(maps => typeof maps === "string").slice(0, 1).forEach(reason =>
    reasons.set(reason, [...reasons.get(reason) || [], i])));
  return [...reasons].map(([reason, ops]) => make("p", { className: "warn" },
    `${ops.length === 1 ? "1 op is" : ops.length + " ops are"} not understood: ${reason}: `,
    ...ops.slice(0, 8).flatMap(i => [linkToOp(i, fn.values[fn.ops[i].results[0]].name), " "]),
    ops.length > 8 ? "…" : ""));
}

// A part of the list of ops, and what is in it.
function showPart(panel, part) {
  const work = fn.listed.slice(part.first, part.last).reduce((sum, op) => sum + (fn.ops[op].work || 0), 0);
  panel.append(make("h2", {}, part.label), make("p", { className: "muted" },
    `${countOps(part)}, ${number(work)} operations. ${part.isOpen ? "← folds it." : "→ unfolds it."}`));
  panel.append(makeTable(["", "op", ""], fn.listed.slice(part.first, Math.min(part.last, part.first + 200)).map(i =>
    [linkToOp(i, fn.values[fn.ops[i].results[0]].name), fn.ops[i].name, fn.ops[i].results.map(getType).join(", ")])));
  if (part.last - part.first > 200) panel.append(`and ${number(part.last - part.first - 200)} more`);
}

function describeValues(op) {
  const all = [...op.operands, ...op.results], hasLayouts = all.some(value => fn.values[value].layout);
  const table = make("table", {}, make("tr", {}, ...["", "value", "type", "bytes", ...hasLayouts ? ["layout, padding"] : []]
    .map(text => make("th", {}, text))));
  const add = (what, value) => {
    const { name, shape, elementBytes, layout, padding, picture, op: producer } = fn.values[value];
    const show = () => {
      const image = make("div", { className: "picture" });
      image.innerHTML = data.pictures[picture];
      const own = [...table.parentNode.querySelectorAll(".picture")];
      own.forEach(old => old.remove());
      if (!own.some(old => old.dataset.picture === String(picture))) table.after(image);
      image.dataset.picture = picture;
    };
    table.append(make("tr", {}, make("th", {}, what),
      make("td", {}, producer !== undefined ? linkToOp(producer, name) : name),
      make("td", {}, getType(value).slice(0, 120)),
      make("td", { className: "number" }, shape && elementBytes ?
        number((count(shape) + (padding || 0)) * elementBytes) : ""),
      make("td", {}, ...layout ? [picture !== undefined ? makeLink(layout, show) : layout,
        padding ? `, ${number(padding)} places of padding` : ""] : [])));
  };
  op.operands.forEach((value, i) => add("operand " + i, value));
  op.results.forEach((value, i) => add("result " + i, value));
  return table;
}

// What fusing each producer would compute: the factor first, then what it costs and saves.
function describeFusion(op) {
  const lines = [];
  op.fused.forEach((reads, i) => {
    if (reads === null) return;
    if (typeof reads === "string") {
      lines.push([`operand ${i}`, "unknown", "", "", "", reads]);
      return;
    }
    const [all, unique, elements, others] = reads;
    const value = op.operands[i], { op: producer, shape, elementBytes } = fn.values[value];
    const { work } = fn.ops[producer], again = all > unique;
    const notes = [];
    if (unique < elements) notes.push(`${(100 * unique / elements).toFixed(1)} % of ${number(elements)} are needed`);
    if (others) notes.push(`${others} other${others === 1 ? " reads" : "s read"} it, so it stays`);
    else if (shape && elementBytes) notes.push(`saves ${number(count(shape) * elementBytes)} bytes of stores`);
    lines.push([`operand ${i}`, make(again ? "b" : "span", { className: again ? "warn" : "" },
      unique ? (all / unique).toFixed(2) + "×" : "never"), all, unique,
      work && again ? `${number(Math.round(work / elements * all))} for ${number(work)}` : "", notes.join("; ")]);
  });
  const part = make("div");
  if (lines.length)
    part.append(make("h3", {}, "If its producers were fused into it"),
      makeTable(["", "each element", "computed", "different", "operations", ""], lines));
  return part;
}

function describeMaps(op) {
  const parts = [];
  const table = isForward ? op.reaches : op.reads;
  const names = isForward ? ["operand", "result"] : ["result", "operand"];
  table.forEach((list, a) => list.forEach((maps, b) => {
    parts.push(make("div", { className: "map" }, make("span", { className: "muted" },
      `${names[0]} ${a} → ${names[1]} ${b}: `),
      typeof maps === "string" ? "unknown: " + maps :
        maps.length ? maps.map(m => data.maps[m]).join(" and ") : "nothing"));
    if (typeof maps !== "string")
      for (const m of maps)
        if (data.tiles[m] && !isForward)
          parts.push(make("details", {}, make("summary", {}, "of a tile at offsets o, of sizes t"), make("pre", {}, data.tiles[m].replace(/^result (\d+):/gm, "dimension $1:"))));
  }));
  return parts.length ? [make("h3", {}, isForward ? "What an element reaches" : "What an element needs"), ...parts] : [];
}

// Headings, then rows of cells, without columns that are empty; numbers are to the right.
function makeTable(headings, lines) {
  const isUsed = (_, column) => lines.some(line => line[column] !== "");
  return make("table", {}, make("tr", {}, ...headings.filter(isUsed).map(text => make("th", {}, text))),
    ...lines.map(line => make("tr", {}, ...line.filter(isUsed).map(cell =>
      typeof cell === "number" ? make("td", { className: "number" }, number(cell)) : make("td", {}, cell)))));
}

// How 32 lanes would read tensors in transactions of 128 bytes, or do move memory.
function describeCoalescing(op) {
  if (op.coalescing === undefined) return [];
  const lines = JSON.parse(data.texts[op.coalescing]).map(({ what, operand, result, plan, reason, used, moved,
    transactions, conflicts }) => [
    what || (op.results.length > 1 ? `operand ${operand} for result ${result}` : `operand ${operand}`), plan,
    ...reason ? [reason, "", "", ""] : [used, moved, transactions,
      make("span", { className: used < moved / 2 ? "warn" : "" }, `${(100 * used / Math.max(1, moved)).toFixed(1)} % used`,
        makeBar(used / Math.max(1, moved)), conflicts ? ` ${number(conflicts)} bank conflicts` : "")]]);
  return [make("h3", {}, "If 32 lanes of a GPU read it, in transactions of 128 bytes"),
    makeTable(["", "lanes along", "bytes used", "moved", "transactions", ""], lines)];
}

const formatCost = cost => cost >= 100 || cost === Math.floor(cost) ? number(Math.round(cost)) : cost.toPrecision(3);

// Terms that rules found equal to the result.
function describeAlternatives(op) {
  if (!op.alternatives) return [];
  const lines = [];
  for (let i = 0; i < op.alternatives.length; i += 2) {
    const cost = make("span", {}, formatCost(op.alternatives[i]));
    lines.push([cost, make("code", {}, op.alternatives[i + 1])]);
  }
  return [make("h3", {}, `Equal by rules: ${op.equal}`),
    make("p", { className: "muted" }, "What each takes with the cheapest terms below it, in cycles."),
    makeTable(["cycles", "term"], lines)];
}

// ---------------------------------------------------------------------------
// Shards
// ---------------------------------------------------------------------------

const kRankColors = ["#9ad1f2", "#f5c36b", "#7fceb4", "#e6b3cf", "#f4ec8c", "#8fb4d9", "#eea57f", "#cbd0d6"];
let rank = 0;

const countRanks = () => count(fn.shards.axes);
const formatSeconds = seconds => seconds === undefined ? "for ever" : formatTime(seconds * 1e6);

// The box of a rank, or null where it has nothing; of dimensions as ExplorerFacts.cpp
// writes them.
function getRankBox(dims, number) {
  const { axes } = fn.shards, coordinates = toIndex(number, axes);
  const box = dims.map(([of, intervals]) => {
    let part = 0;
    for (const axis of of) part = part * axes[axis] + coordinates[axis];
    return [intervals[2 * part], intervals[2 * part + 1]];
  });
  return box.some(([low, high]) => low > high) ? null : box;
}

const formatBox = box => box.map(([low, high]) => `[${low}, ${high}]`).join(" × ") || "all";

function describePlan() {
  const { grid, seconds, exchangeSeconds, bytesSent, memory, exchanges } = fn.shards;
  const list = exchanges.filter(e => e.op !== undefined).sort((a, b) => b.bytes - a.bytes).slice(0, 20)
    .map(e => [linkToOp(e.op, fn.ops[e.op].name),
      e.operand !== undefined ? `operand ${e.operand}` : `sum of result ${e.result}`, e.bytes, e.count,
      formatSeconds(e.seconds)]);
  return [make("h3", {}, `Shards on ${grid}`), make("p", {}, `${formatSeconds(seconds)}, of these ` +
    `${formatSeconds(exchangeSeconds)} for messages of ${number(bytesSent)} bytes; at most ${number(memory)} bytes ` +
    "a rank, by the plan's cost model."),
  ...list.length ? [makeTable(["because of", "", "bytes sent", "messages", "time"], list)] : []];
}

// What a rank has of the op's tensors, and what it gets.
function showShards(panel, op) {
  const { grid, values, ops, exchanges } = fn.shards, own = ops[chosen];
  const select = make("select", { id: "rank", onchange: () => { rank = Number(select.value); showDetail(); } });
  const ranks = countRanks();
  rank = Math.min(rank, ranks - 1);
  for (let i = 0; i < ranks; ++i) select.append(make("option", { value: i }, `rank ${i}`));
  select.value = rank;
  panel.append(make("h3", {}, `Shards on ${grid}`), make("p", {}, select, ` ${own.cut === "needed" ? "computes where it is needed" : "cut " + own.cut} · ` +
    `${formatSeconds(own.seconds)} and ${formatSeconds(own.exchangeSeconds)} for messages · ` +
    `holds ${number(own.bytesHeld)} bytes`));
  const tensors = make("div", { className: "tensors" });
  const add = (what, value, exchange) => {
    const boxes = values[value], { shape } = fn.values[value];
    if (!boxes || !shape || !count(shape)) return;
    const has = getRankBox(boxes, rank), needs = exchange && getRankBox(exchange.needed, rank);
    const tensor = new Grid(value, `${what} ${fn.values[value].name}`, null);
    tensor.parts = Array.from({ length: Math.min(ranks, 4096) }, (_, i) => [getRankBox(boxes, i), kRankColors[i % 8]])
      .filter(([box]) => box);
    tensor.outlines = [has, needs].filter(Boolean);
    const from = (needs || has || []).map(range => range[0]);
    if (from.length) tensor.setSlice(from);
    tensor.show(null, (has ? `has ${formatBox(has)}` : "has nothing") +
      (needs ? `, needs ${formatBox(needs)}` : ""));
    tensors.append(tensor.node);
  };
  const of = exchanges.filter(e => e.op === chosen);
  op.operands.forEach((value, i) => {
    if (op.operands.indexOf(value) === i) add(`operand ${i}`, value, of.find(e => e.operand === i));
  });
  op.results.forEach((value, i) => add(`result ${i}`, value, of.find(e => e.operand === undefined && e.result === i)));
  for (const e of of) {
    const bytes = e.value !== undefined && fn.values[e.value].elementBytes;
    const lines = (e.messages || []).filter(([from, to]) => from === rank || to === rank).slice(0, 32)
      .map(([from, to, ...ends]) => {
        const box = [];
        for (let i = 0; i < ends.length; i += 2) box.push([ends[i], ends[i + 1]]);
        return [`${from} → ${to}`, formatBox(box), bytes ? volumeOf(box) * bytes : volumeOf(box)];
      });
    panel.append(make("p", { className: "messages" },
      `${e.operand !== undefined ? `For operand ${e.operand}` : `To sum result ${e.result}`}, all ranks: ` +
      `${number(e.count)} messages of ${number(e.bytes)} bytes, ${formatSeconds(e.seconds)}` +
      (!e.messages ? "; they are too many to list." : e.messages.length < e.count ?
        `; ${number(e.messages.length)} are known here.` : ".")));
    if (lines.length) panel.append(makeTable(["", "elements", bytes ? "bytes" : "elements"], lines));
  }
  panel.append(tensors);
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

const kCells = 64;
// Elements that a click holds, by value: they stay while what is shown of them changes.
const picked = new Map();
// The sizes of a tile of a value by its shape's text; elements one by one without.
const tileSizes = new Map();
// Tiles whose reads are added up.
const kMostTiles = 4000;

// Two dimensions of a tensor as cells of `step` elements, at a slice of the others.
class Grid {
  constructor(value, title, onPoint) {
    this.value = value;
    this.shape = fn.values[value].shape;
    this.elements = null;
    this.parts = this.outlines = [];
    this.onPoint = onPoint;
    // The two longest, the later ones where they are equal.
    const dims = this.shape.map((_, dim) => dim).sort(
      (a, b) => this.shape[b] - this.shape[a] || b - a).slice(0, 2).sort((a, b) => a - b);
    this.at = this.shape.map(size => Math.floor(size / 2));
    this.columnDim = dims.length ? dims.pop() : -1;
    this.rowDim = dims.length ? dims.pop() : -1;
    this.canvas = make("canvas");
    this.note = make("div", { className: "muted" });
    this.choices = make("div", { className: "muted" });
    this.node = make("div", { className: "tensor" + (onPoint ? " from" : "") },
      make("div", {}, title), make("div", { className: "muted" }, getType(value).slice(0, 60)), this.choices,
      this.canvas, this.note);
    this.lay();
    if (onPoint) {
      const point = event => {
        const area = this.canvas.getBoundingClientRect();
        const scale = this.canvas.width / area.width;
        this.last = [Math.floor((event.clientY - area.top) * scale / this.cell),
          Math.floor((event.clientX - area.left) * scale / this.cell)];
        onPoint(this.getBox(...this.last));
      };
      // A click holds what is pointed at, a second one there lets go.
      this.canvas.onpointermove = event => { if (!picked.has(value)) point(event); };
      this.canvas.onpointerdown = event => {
        const held = picked.has(value) && String(this.last);
        picked.set(value, null);
        point(event);
        if (held !== String(this.last)) return;
        picked.delete(value);
        point(event);
      };
    }
    this.paint();
  }
  // The cells, and what is chosen above them: slices, and which dimensions are seen.
  lay() {
    const { shape, rowDim, columnDim } = this;
    this.sliced = shape.map((_, dim) => dim).filter(dim => dim !== rowDim && dim !== columnDim);
    this.rows = rowDim < 0 ? 1 : shape[rowDim];
    this.columns = columnDim < 0 ? 1 : shape[columnDim];
    this.step = Math.max(1, Math.ceil(Math.max(this.rows, this.columns) / kCells));
    this.cell = Math.max(4, Math.min(18, Math.floor(330 / Math.ceil(Math.max(this.rows, this.columns) / this.step))));
    this.canvas.title = this.step > 1 ? `A cell is ${Math.min(this.step, this.rows)} × ${Math.min(this.step, this.columns)} ` +
      "elements; the paler, the fewer of them." : "";
    this.canvas.width = Math.max(1, Math.ceil(this.columns / this.step)) * this.cell + 1;
    this.canvas.height = Math.max(1, Math.ceil(this.rows / this.step)) * this.cell + 1;
    this.last = undefined;
    // Where elements are chosen, a number chooses one exactly.
    const numbered = this.onPoint ? shape.map((_, dim) => dim) : this.sliced;
    this.inputs = new Map(numbered.map(dim => {
      const input = make("input", { className: "slice", type: "number", min: 0, max: shape[dim] - 1,
        value: this.at[dim] });
      input.oninput = () => {
        this.at[dim] = Math.max(0, Math.min(shape[dim] - 1, Number(input.value) || 0));
        this.isHeld = true;
        if (this.onPoint) {
          picked.set(this.value, null);
          this.onPoint(this.getTile(this.at));
        }
        this.paint();
      };
      return [dim, input];
    }));
    this.choices.replaceChildren(...numbered.map(dim => make("label", {}, `d${dim} `, this.inputs.get(dim), " ")));
    if (rowDim < 0) return;
    if (shape.length < 3) {
      this.choices.append(`d${rowDim} down, d${columnDim} across`);
      return;
    }
    const choose = (name, own, other) => {
      const select = make("select", { className: name }, ...shape.map((size, dim) =>
        make("option", { value: dim, selected: dim === this[own] }, `d${dim}`)));
      select.onchange = () => {
        const dim = Number(select.value);
        if (dim === this[other]) this[other] = this[own];
        this[own] = dim;
        this.isHeld = true;
        this.lay();
        if (this.onPoint) this.onPoint(this.getBox(...this.getMiddle()));
        this.paint();
      };
      return make("label", {}, select, name === "down" ? " down " : " across ");
    };
    this.choices.append(make("div", {}, choose("down", "rowDim", "columnDim"), choose("across", "columnDim", "rowDim")));
  }
  // Stands where a box begins.
  point(box) {
    this.setSlice(box.map(range => range[0]));
    this.last = [this.rowDim, this.columnDim].map(dim => dim < 0 ? 0 : floorDiv(box[dim][0], this.step));
  }
  setSlice(index) {
    for (const dim of this.sliced) this.at[dim] = index[dim];
    for (const [dim, input] of this.inputs) input.value = index[dim];
  }
  // The elements of a cell, or of the tile that its first one is in.
  getBox(row, column) {
    const box = this.at.map(x => [x, x]);
    const range = (dim, cell) => {
      if (dim < 0) return;
      const low = Math.min(this.shape[dim] - 1, Math.max(0, cell * this.step));
      box[dim] = [low, Math.min(this.shape[dim] - 1, low + this.step - 1)];
    };
    range(this.rowDim, row);
    range(this.columnDim, column);
    return tileSizes.has(this.shape.join()) ? this.getTile(box.map(range => range[0])) : box;
  }
  // The tile that an element is in, or the element.
  getTile(index) {
    const tile = tileSizes.get(this.shape.join());
    return index.map((x, dim) => {
      const first = tile ? x - x % tile[dim] : x;
      return [first, tile ? Math.min(this.shape[dim], first + tile[dim]) - 1 : x];
    });
  }
  getMiddle() {
    return [this.rows, this.columns].map(size => Math.floor(Math.floor((size - 1) / 2) / this.step));
  }
  show(elements, note) {
    this.elements = elements;
    // Slices follow what is reached, unless the user holds one.
    if (elements && !this.isHeld && !elements.isEmpty)
      this.setSlice(elements.boxes[0].map(range => range[0]));
    this.note.textContent = note || (elements ? elements.describe() : "");
    this.paint();
  }
  paint() {
    const g = this.canvas.getContext("2d"), { cell, step } = this;
    const style = getComputedStyle(document.documentElement);
    g.fillStyle = style.getPropertyValue("--sheet");
    g.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const height = Math.ceil(this.rows / step), width = Math.ceil(this.columns / step);
    g.fillStyle = style.getPropertyValue(this.node.classList.contains("from") ? "--pick" : "--read");
    const fill = (row, column, part) => {
      g.globalAlpha = 0.25 + 0.75 * Math.min(1, part);
      g.fillRect(column * cell, row * cell, cell, cell);
    };
    const set = this.elements;
    const isShown = box => this.sliced.every(dim => this.at[dim] >= box[dim][0] && this.at[dim] <= box[dim][1]);
    const getRanges = box => [this.rowDim, this.columnDim].map(dim => dim < 0 ? [0, 0] : box[dim]);
    for (const [box, color] of this.parts) {
      if (!isShown(box)) continue;
      const [r, c] = getRanges(box).map(ends => ends.map((x, end) => (x + end) * cell / step));
      g.fillStyle = color;
      g.fillRect(c[0], r[0], c[1] - c[0], r[1] - r[0]);
    }
    if (this.parts.length) g.fillStyle = style.getPropertyValue("--read");
    const cells = new Map();
    for (const box of set ? set.boxes : []) {
      if (!isShown(box)) continue;
      const [r, c] = getRanges(box);
      const inCell = ([low, high], cell) =>
        Math.min(high, (cell + 1) * step - 1) - Math.max(low, cell * step) + 1;
      for (let i = floorDiv(r[0], step); i <= floorDiv(r[1], step); ++i)
        for (let j = floorDiv(c[0], step); j <= floorDiv(c[1], step); ++j)
          cells.set(i * width + j, (cells.get(i * width + j) || 0) + inCell(r, i) * inCell(c, j));
    }
    for (const [key, times] of cells) {
      const row = floorDiv(key, width), column = key % width;
      const all = Math.min(step, this.rows - row * step) * Math.min(step, this.columns - column * step);
      fill(row, column, times / all * (set.isExact ? 1 : 0.5));
    }
    g.globalAlpha = 1;
    g.strokeStyle = style.getPropertyValue("--rule");
    g.lineWidth = 1;
    g.beginPath();
    for (let i = 0; i <= height; ++i) {
      g.moveTo(0, i * cell + 0.5);
      g.lineTo(width * cell, i * cell + 0.5);
    }
    for (let j = 0; j <= width; ++j) {
      g.moveTo(j * cell + 0.5, 0);
      g.lineTo(j * cell + 0.5, height * cell);
    }
    if (cell > 4) g.stroke();
    // What a rank has, and, dashed, what it needs.
    g.strokeStyle = style.getPropertyValue("--ink");
    g.lineWidth = 2;
    this.outlines.forEach((box, i) => {
      if (!isShown(box)) return;
      const [r, c] = getRanges(box).map(ends => ends.map((x, end) => (x + end) * cell / step));
      g.setLineDash(i ? [5, 3] : []);
      g.strokeRect(c[0] + 1, r[0] + 1, Math.max(1, c[1] - c[0] - 1), Math.max(1, r[1] - r[0] - 1));
    });
    g.setLineDash([]);
  }
}

function startFrom(value, box) {
  const start = new Elements(fn.values[value].shape);
  start.addBox(box);
  return start;
}

// Work that is done a part a frame: what began earlier under the same name stops.
const kSlice = 6, jobs = {};

function run(name, steps, done) {
  const slice = () => {
    if (jobs[name] !== slice) return;
    for (const begin = performance.now(); performance.now() - begin < kSlice;) {
      const { done: isDone, value } = steps.next();
      if (!isDone) continue;
      delete jobs[name];
      return done(value);
    }
    setTimeout(slice);
  };
  jobs[name] = slice;
  slice();
}

function finish(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

// What a set of one value needs, or reaches, of the others: { sets by value, ops }.
const follow = (...all) => finish(followSteps(...all));

function* followSteps(opNumber, value, start, points = kMostPoints, through = isThrough) {
  const sets = new Map([[value, start]]), ops = new Set(), reasons = new Map();
  // What a region uses: all of it, as far as is known.
  const reach = (b, number) => {
    const { shape } = fn.values[b];
    if (b === value) return;
    const target = sets.get(b) || new Elements(shape || []);
    target.addBox(target.shape.map(size => [0, size - 1]));
    target.isExact = false;
    reasons.set(b, "used in a region");
    sets.set(b, target);
    ops.add(number);
  };
  const step = number => {
    const op = fn.ops[number];
    for (const b of op.captures || []) {
      if (!isForward && op.results.some(a => sets.has(a))) reach(b, number);
      if (isForward && sets.has(b)) op.results.forEach(a => reach(a, number));
    }
    const [from, to, table] = isForward ? [op.operands, op.results, op.reaches] :
      [op.results, op.operands, op.reads];
    from.forEach((a, i) => {
      const source = sets.get(a);
      if (!source || !table[i]) return;
      to.forEach((b, j) => {
        const { shape } = fn.values[b];
        if (!shape || from.indexOf(a) !== i && !isForward) return;
        const target = b === value ? null : sets.get(b) || new Elements(shape);
        if (!target) return;
        // Others may have run since.
        budget = points;
        const reason = apply(source, table[i][j], target);
        points = budget;
        if (reason) reasons.set(b, reason);
        if (!target.isEmpty) {
          sets.set(b, target);
          ops.add(number);
        }
      });
    });
  };
  // What it reaches begins at its first user.
  const first = isForward ? fn.ops.findIndex(op => op.operands.includes(value) || (op.captures || []).includes(value)) : opNumber;
  if (!through) step(opNumber);
  else if (first >= 0)
    for (let i = first, by = isForward ? 1 : -1; i >= 0 && i < fn.ops.length; i += by) {
      step(i);
      if (i % 16 === 0) yield;
    }
  return { sets, ops, reasons };
}

// What all tiles of a result read of each operand, one tile after the other: numbers of
// elements, the sum over tiles exact or not; no sums for too many tiles.
function* addTiles(opNumber, value, tile) {
  const { shape } = fn.values[value], grid = shape.map((size, dim) => Math.ceil(size / tile[dim]));
  const tiles = count(grid);
  if (tiles > kMostTiles) return { tiles };
  const sums = new Map();
  for (let n = 0; n < tiles; ++n) {
    const box = toIndex(n, grid).map((i, dim) =>
      [i * tile[dim], Math.min(shape[dim], (i + 1) * tile[dim]) - 1]);
    const { sets } = yield* followSteps(opNumber, value, startFrom(value, box), kQuick, false);
    yield;
    for (const [operand, set] of sets) {
      if (operand === value) continue;
      const sum = sums.get(operand) || { elements: 0, most: 0, isExact: true };
      const { size, isExact } = set.measure();
      sum.elements += size;
      sum.most = Math.max(sum.most, size);
      sum.isExact = sum.isExact && isExact;
      sums.set(operand, sum);
    }
  }
  return { tiles, sums };
}

// `8 × 64`, or as many numbers with something else between them; null for anything else.
function readTile(text, shape) {
  if (!/^\s*\d+(\s*[x×,]?\s*\d+)*\s*$/.test(text)) return null;
  const sizes = text.match(/\d+/g).map(Number);
  return sizes.length === shape.length && sizes.every(size => size > 0) ?
    sizes.map((size, dim) => Math.min(size, shape[dim])) : null;
}

// The sizes of tiles of a result, and what these read.
function showTiles(panel, op, value, grid, again) {
  const { shape } = fn.values[value], key = shape.join();
  const input = make("input", { id: "tile", placeholder: shape.map((size, dim) =>
    dim < shape.length - 2 ? 1 : Math.min(size, 16)).join(" × "), size: Math.max(12, 5 * shape.length),
    value: (tileSizes.get(key) || []).join(" × ") });
  const out = make("div", { id: "tiles" });
  const update = () => {
    const tile = readTile(input.value, shape);
    if (tile) tileSizes.set(key, tile);
    else tileSizes.delete(key);
    out.replaceChildren();
    input.classList.toggle("warn", Boolean(input.value) && !tile);
    if (input.value && !tile) out.append(`${shape.length} sizes of at least 1 are needed, as ${input.placeholder}`);
    if (!tile || isForward) return;
    run("tiles", addTiles(chosen, value, tile), ({ tiles, sums }) => {
      if (!sums) {
        out.append(`${number(tiles)} tiles are too many to add up what they read.`);
        return;
      }
      const lines = op.operands.map((operand, i) => [operand, i]).filter(([operand, i]) =>
        sums.has(operand) && op.operands.indexOf(operand) === i).map(([operand, i]) => {
        const { elements, most, isExact } = sums.get(operand), { shape: all, elementBytes = 1 } = fn.values[operand];
        const limit = isExact ? "" : "at most ";
        return [`operand ${i}`, most * elementBytes, limit + number(elements * elementBytes),
          limit + (elements / Math.max(1, count(all))).toFixed(2)];
      });
      out.append(makeTable([`${number(tiles)} tile${tiles === 1 ? " reads" : "s read"}`, "bytes, one at most", "bytes, all", "times the operand"], lines));
    });
  };
  input.oninput = () => { update(); again(); };
  // The whole of some dimensions of the picture.
  const preset = (text, isWhole) => make("button", { onclick: () => {
    input.value = isWhole ? shape.map((size, dim) => isWhole(dim) ? size : 1).join(" × ") : "";
    input.oninput();
  } }, text);
  panel.append(make("p", {}, make("label", {}, "in tiles of ", input), " ", preset("element"), " ",
    preset("row", dim => dim === grid.columnDim), " ", preset("column", dim => dim === grid.rowDim), " ",
    preset("plane", dim => dim === grid.rowDim || dim === grid.columnDim), " ", preset("all", () => true)), out);
  update();
}

// A timer.
let resting = 0;

function showTensors(panel, op) {
  // Each button has two states, of which the bold one holds.
  const toggle = (id, isSecond, texts, flip) => make("button", { id, className: "toggle", onclick: () => { flip(); showDetail(); } },
    ...texts.map((text, i) => make("span", { className: Number(isSecond) === i ? "on" : "off" }, text)));
  const controls = make("p", {}, toggle("forward", isForward, ["what it needs", "what it reaches"],
    () => { isForward = !isForward; }), " ", toggle("through", isThrough,
    ["through this op", isForward ? "through all, to the results" : "through all, to the arguments"],
    () => { isThrough = !isThrough; }));
  panel.append(make("h3", {}, "Elements"), controls);
  const hasShape = value => fn.values[value].shape && count(fn.values[value].shape) > 0;
  const unique = list => [...new Set(list)];
  const from = unique(isForward ? op.operands : op.results).filter(hasShape);
  let to;
  if (!isThrough) to = isForward ? op.results : op.operands;
  else to = isForward ? fn.returned : fn.arguments.concat(
    fn.values.map((_, i) => i).filter(i => fn.values[i].op !== undefined && isPlain(fn.ops[fn.values[i].op])));
  to = unique(to).filter(hasShape);
  // Through all ops the largest are drawn, weights and images before numbers.
  if (isThrough) to.sort((a, b) => count(fn.values[b].shape) - count(fn.values[a].shape));
  if (!from.length) {
    panel.append(make("p", { className: "muted" }, "Its sizes are not known, or it has no tensors."));
    return;
  }
  const box = make("div", { className: "tensors" }), targets = make("div", { className: "tensors" });
  const rest = make("div", { id: "rest" });
  const grids = new Map();
  // The last of the points that came while another was followed.
  let next = null;
  const show = (value, grid, range, points = kQuick) => {
    const start = startFrom(value, range);
    clearTimeout(resting);
    grid.isHeld = true;
    grid.setSlice(range.map(ends => ends[0]));
    if (picked.has(value)) picked.set(value, range);
    grid.show(start, (volumeOf(range) > 1 ? "elements " : "element ") +
      formatRanges(range) + (picked.has(value) ? " · held; Esc lets go" : ""));
    if (jobs.follow) {
      next = [value, grid, range];
      return;
    }
    run("follow", followSteps(chosen, value, start, points), result => {
      display(result);
      if (next) {
        const again = next;
        next = null;
        show(...again);
      } else if (points === kQuick && [...result.sets.values()].some(set => !set.isExact)) {
        // When the pointer rests, more of it is exact.
        resting = setTimeout(() => show(value, grid, range, kMostPoints), 150);
      }
    });
  };
  const display = ({ sets, ops, reasons }) => {
    // Arguments that nothing reaches are not drawn, and of many those neither that are
    // needed as a whole.
    const whole = [], more = [];
    for (const target of to) {
      const set = sets.get(target), { name } = fn.values[target];
      if (set && !grids.has(target) && isThrough) {
        const { size, isExact } = set.measure();
        if (isExact && size === count(set.shape)) whole.push(name);
        else if (grids.size >= 24) more.push(name);
      }
      if (!grids.has(target) && set && ![...whole, ...more].includes(name)) {
        const { op: producer } = fn.values[target];
        const argument = fn.arguments.indexOf(target);
        const other = new Grid(target, argument >= 0 ? `argument ${argument} ${name}` :
          producer !== undefined ? `${name}, ${fn.ops[producer].name}` : name, null);
        grids.set(target, other);
        targets.append(other.node);
      }
      if (grids.has(target))
        grids.get(target).show(set || new Elements(fn.values[target].shape),
          reasons.has(target) ? "unknown: " + reasons.get(target) : "");
    }
    // Arguments of blocks within: who passes them is not followed.
    const beyond = isForward || !isThrough ? [] : [...sets.keys()].filter(v =>
      fn.values[v].op === undefined && !fn.arguments.includes(v)).map(v => fn.values[v].name);
    if (beyond.length) more.push(beyond.join(", ") + ": arguments of blocks, beyond which nothing is followed");
    rest.replaceChildren(...whole.length ? [make("p", {}, "all of " + whole.join(", "))] : [],
      ...more.length ? [make("p", {}, "a part of " + more.join(", "))] : []);
    reached = isThrough ? ops : new Set();
    if (isThrough) repaint();
  };
  for (const value of from) {
    const grid = new Grid(value, `${isForward ? "operand" : "result"} ${fn.values[value].name}: point at an element, click to hold it`,
      range => show(value, grid, range));
    box.append(grid.node);
    if (value === from[0] && !isForward)
      showTiles(panel, op, value, grid, () => show(value, grid, grid.getBox(...grid.last || grid.getMiddle())));
    if (picked.get(value)) grid.point(picked.get(value));
    if (value === from.find(one => picked.get(one)) || value === from[0] && !from.some(one => picked.get(one)))
      show(value, grid, picked.get(value) || grid.getBox(...grid.getMiddle()));
  }
  panel.append(make("div", { className: "pair" }, box, make("div", {},
    make("div", { className: "muted" }, isForward ? "reaches" : "needs"), rest, targets)));
}

// ---------------------------------------------------------------------------
// Stages
// ---------------------------------------------------------------------------

const kLine = 18;

function paintLines() {
  if (stage < 0) return;
  const view = $("stage"), { lines } = data.stages[stage], n = lines.length / 2;
  const begin = Math.max(0, Math.floor(view.scrollTop / kLine) - 4);
  const end = Math.min(n, Math.ceil((view.scrollTop + view.clientHeight) / kLine) + 4);
  $("lines").style.height = n * kLine + "px";
  const nodes = [];
  for (let i = begin; i < end; ++i) {
    const op = lines[2 * i + 1];
    const isOurs = op >= fn.first && op < fn.first + fn.ops.length;
    const node = make("div", { className: "line" + (op >= 0 ? " linked" : "") +
      (isOurs && op - fn.first === chosen ? " chosen" : "") }, data.texts[lines[2 * i]]);
    node.style.top = i * kLine + "px";
    if (op >= 0) node.dataset.op = op;
    nodes.push(node);
  }
  $("lines").replaceChildren(...nodes);
}

function showStage(number) {
  stage = number;
  $("stage").hidden = number < 0;
  $("detail").style.display = number < 0 ? "" : "none";
  for (const button of $("views").querySelectorAll("button"))
    button.setAttribute("aria-pressed", Number(button.dataset.stage) === number);
  if (number < 0) return;
  paintLines();
  // The first line that came from the chosen op.
  const { lines } = data.stages[number];
  for (let i = 0; i < lines.length; i += 2)
    if (chosen >= 0 && lines[i + 1] === fn.first + chosen) {
      $("stage").scrollTop = Math.max(0, (i / 2 - 6) * kLine);
      break;
    }
  paintLines();
}

// ---------------------------------------------------------------------------
// The page
// ---------------------------------------------------------------------------

// The ops that have rows.
function list() {
  fn.listed = fn.ops.map((_, i) => i).filter(i => $("plain").checked || !isPlain(fn.ops[i]));
  folds = fold();
  layRows();
}

function showFunction(index) {
  fn = data.functions[index];
  $("function").value = index;
  chosen = -1;
  focused = null;
  picked.clear();
  reached = new Set();
  list();
  $("program").scrollTop = 0;
  repaint();
  showDetail();
}

const getRow = () => focused ? rows.findIndex(row => row.item === focused) : chosen < 0 ? -1 : rowOfOp[chosen];

// Opens a function on its costliest op, where the list stays folded.
function open(index) {
  showFunction(index);
  chosen = findCostliest();
  if (chosen < 0) return;
  $("program").scrollTop = Math.max(0, rowOfOp[chosen] * kRow - $("program").clientHeight / 3);
  repaint();
  showDetail();
}

// Stands on a row: chooses its op, or shows what is in a part.
function stand(number) {
  const row = rows[number];
  if (!row) return;
  if (row.op !== undefined) {
    reveal(row.op);
    choose(row.op);
    return;
  }
  chosen = -1;
  focused = row.item;
  reached = new Set();
  const view = $("program"), y = number * kRow;
  if (y < view.scrollTop || y > view.scrollTop + view.clientHeight - 2 * kRow)
    view.scrollTop = Math.max(0, y - view.clientHeight / 3);
  repaint();
  showDetail();
}

let matches = [], match = -1;

function find(text) {
  matches = [];
  match = -1;
  $("found").textContent = "";
  if (!text) return;
  // A name is one whole, if there is such a value.
  const isName = text[0] === "%" && fn.ops.some(op => op.results.some(value => fn.values[value].name === text));
  fn.ops.forEach((op, i) => {
    if (isName ? op.results.some(value => fn.values[value].name === text) : op.name.includes(text) || op.results.some(value => fn.values[value].name === text) ||
        getText(op).includes(text)) matches.push(i);
  });
  findNext();
}

function findNext() {
  if (matches.length) {
    match = (match + 1) % matches.length;
    reveal(matches[match]);
    choose(matches[match]);
  }
  $("found").textContent = `${match + 1} of ${matches.length}`;
}

function toggle(item) {
  item.isOpen = !item.isOpen;
  layRows();
  repaint();
}

function start() {
  for (const { values } of data.functions)
    for (const value of values) Object.assign(value, data.types[value.of]);
  $("title").textContent = data.title;
  data.functions.forEach((f, i) => $("function").append(
    make("option", { value: i }, `${f.name} (${f.ops.length} ops)`)));
  $("function").onchange = event => open(Number(event.target.value));
  $("plain").onchange = () => { list(); repaint(); };
  $("search").oninput = event => find(event.target.value);
  $("search").onkeydown = event => { if (event.key === "Enter") findNext(); };
  $("program").onscroll = paintRows;
  $("stage").onscroll = paintLines;
  window.onresize = () => { repaint(); paintLines(); };
  window.matchMedia("(prefers-color-scheme: dark)").onchange = () => { repaint(); showDetail(); };
  // Paper is white.
  for (const [name, isPaper] of [["beforeprint", true], ["afterprint", false]])
    window.addEventListener(name, () => {
      document.documentElement.classList.toggle("paper", isPaper);
      repaint();
      showDetail();
      for (const name of ["tiles", "follow"]) while (jobs[name]) jobs[name]();
    });
  $("rows").onclick = event => {
    const node = event.target.closest(".row");
    if (!node) return;
    const row = rows[Number(node.dataset.row)];
    if (row.op === undefined) toggle(row.item);
    else choose(row.op);
  };
  $("lines").onclick = event => {
    const node = event.target.closest(".line");
    if (!node || node.dataset.op === undefined) return;
    goTo(Number(node.dataset.op));
  };
  if (data.stages.length) {
    $("views").append(make("button", { onclick: () => showStage(-1) }, "elements"));
    $("views").lastChild.dataset.stage = -1;
    const isOne = data.stages.length === 1;
    if (!isOne) $("views").append(make("span", { className: "muted" }, "program after"));
    data.stages.forEach((s, i) => {
      const isSame = s.lines.length === 0;
      $("views").append(make("button", { onclick: () => showStage(i), disabled: isSame,
        title: isSame ? "it changed nothing" : "" },
        isOne ? "program text" : s.pass + (isSame ? ": no change" : "")));
      $("views").lastChild.dataset.stage = i;
    });
  }
  document.onkeydown = event => {
    const field = event.target.closest && event.target.closest("input, select");
    if (field && event.key === "Escape") {
      if (field === $("search")) find(field.value = "");
      field.blur();
    }
    if (field || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = getRow(), row = rows[Math.max(at, 0)];
    const fold = isOpen => {
      const item = row && row.item && row.item.isOpen !== isOpen ? row.item : isOpen ? null :
        (rows.slice(0, at).reverse().find(r => r.item && r.item.isOpen && r.depth < row.depth) || {}).item;
      if (!item) return;
      toggle(item);
      stand(rows.findIndex(r => r.item === item));
    };
    const release = () => { picked.clear(); showDetail(); };
    const actions = { ArrowDown: () => stand(at + 1), ArrowUp: () => stand(Math.max(0, at - 1)),
      ArrowRight: () => fold(true), ArrowLeft: () => fold(false),
      t: () => $("through") && $("through").click(), f: () => $("forward") && $("forward").click(),
      "/": () => $("search").focus(), Escape: release };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  };
  const [, place, op] = /^#(.*):(\d+)$/.exec(location.hash) || [];
  let name;
  try {
    name = decodeURIComponent(place);
  } catch {
    // The user wrote that.
  }
  const index = data.functions.findIndex(f => f.name === name);
  open(index >= 0 ? index : data.explanation ? data.entry : 0);
  if (index >= 0 && fn.ops[Number(op)]) {
    reveal(Number(op));
    choose(Number(op));
  }
  showStage(-1);
}

start();
