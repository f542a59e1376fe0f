"use strict";
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes))
    if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// ---------------------------------------------------------------------------
// Indexing maps: text to functions of a point, and of intervals
// ---------------------------------------------------------------------------

const floorDiv = (a, b) => Math.floor(a / b);
// Points that are followed one by one while the pointer moves, and when it rests.
const kQuick = 3000, kMostPoints = 150000;
// Of one set.
const kMostBoxes = 256, kMostElements = 60000;

// A reader of `d0 * 2 + s0 floordiv 3`; nodes are [op, left, right], variables, numbers.
class Reader {
  constructor(text, names) {
    this.tokens = text.match(/->|-?inf|[a-z]+[0-9]*|[0-9]+|[-+*(),:\[\]]/g) || [];
    this.at = 0;
    this.names = names;
  }
  peek() { return this.tokens[this.at]; }
  next() { return this.tokens[this.at++]; }
  take(token) { return this.peek() === token && ++this.at > 0; }
  sum() {
    let left = this.product();
    while (this.peek() === "+" || this.peek() === "-") {
      const op = this.next();
      left = [op, left, this.product()];
    }
    return left;
  }
  product() {
    let left = this.unary();
    while (["*", "floordiv", "mod"].includes(this.peek())) {
      const op = this.next();
      left = [op, left, this.unary()];
    }
    return left;
  }
  unary() {
    const token = this.next();
    if (token === "-") return ["-", 0, this.unary()];
    if (token === "inf") return Infinity;
    if (token === "-inf") return -Infinity;
    if (token === "(") {
      const inner = this.sum();
      this.next();
      return inner;
    }
    if (/^[0-9]/.test(token)) return Number(token);
    const index = this.names.indexOf(token);
    return index < 0 ? NaN : { index };
  }
}

function evaluate(node, point) {
  if (typeof node === "number") return node;
  if (!Array.isArray(node)) return point[node.index];
  const a = evaluate(node[1], point), b = evaluate(node[2], point);
  switch (node[0]) {
  case "+": return a + b;
  case "-": return a - b;
  case "*": return a * b;
  case "floordiv": return floorDiv(a, b);
  default: return a - b * floorDiv(a, b);
  }
}

// [lower, upper], inclusive, of all points of a box; may be too wide.
function bound(node, box) {
  if (typeof node === "number") return [node, node];
  if (!Array.isArray(node)) return box[node.index];
  const [a, b] = bound(node[1], box), [c, d] = bound(node[2], box);
  switch (node[0]) {
  case "+": return [a + c, b + d];
  case "-": return [a - d, b - c];
  case "*": {
    const all = [a * c, a * d, b * c, b * d];
    return [Math.min(...all), Math.max(...all)];
  }
  case "floordiv": return [floorDiv(a, c), floorDiv(b, c)];
  default: {
    const q = floorDiv(a, c);
    return q === floorDiv(b, c) ? [a - c * q, b - c * q] : [0, c - 1];
  }
  }
}

const parsed = [];

function getMap(number) {
  if (parsed[number]) return parsed[number];
  const text = data.maps[number];
  const map = { text, isUsable: false };
  const head = /^\(([^)]*)\)(?:\[([^\]]*)\])?(?:\{([^}]*)\})? -> /.exec(text);
  if (head) {
    const split = list => list ? list.split(", ").filter(Boolean) : [];
    map.dims = split(head[1]).length;
    const names = [...split(head[1]), ...split(head[2]), ...split(head[3])];
    const [results, domain] = text.slice(head[0].length).split(", domain: ");
    const reader = new Reader(results, names);
    map.results = [];
    reader.next();
    while (!reader.take(")")) {
      map.results.push(reader.sum());
      reader.take(",");
    }
    map.ranges = names.map(() => [0, -1]);
    map.constraints = [];
    const ranges = new Reader(domain || "", names);
    while (ranges.at < ranges.tokens.length) {
      const expression = ranges.sum();
      ranges.take("in");
      ranges.take("[");
      const low = ranges.sum();
      ranges.take(",");
      const high = ranges.sum();
      ranges.take("]");
      ranges.take(",");
      if (expression.index !== undefined) map.ranges[expression.index] = [low, high];
      else map.constraints.push([expression, low, high]);
    }
    map.isUsable = !/\{[^}]*n0/.test(head[0]) && map.ranges.every(
      range => range.every(x => typeof x === "number" && isFinite(x)));
    // A value that nobody knows stands for all of its range.
    map.isMay = Boolean(head[3]);
  }
  return parsed[number] = map;
}

// `constant + Σ coefficients · variables`, the variables of one value being constants;
// null where divisions of others are in it.
function linear(node, box) {
  if (typeof node === "number") return [node, new Map()];
  if (!Array.isArray(node)) {
    const [low, high] = box[node.index];
    return low === high ? [low, new Map()] : [0, new Map([[node.index, 1]])];
  }
  const a = linear(node[1], box), b = linear(node[2], box);
  if (!a || !b) return null;
  const combine = (x, y, factor) => {
    const sum = new Map(x[1]);
    for (const [variable, c] of y[1]) {
      const total = (sum.get(variable) || 0) + factor * c;
      if (total) sum.set(variable, total);
      else sum.delete(variable);
    }
    return [x[0] + factor * y[0], sum];
  };
  const zero = [0, new Map()];
  switch (node[0]) {
  case "+": return combine(a, b, 1);
  case "-": return combine(a, b, -1);
  case "*": return b[1].size === 0 ? combine(zero, a, b[0]) : a[1].size === 0 ? combine(zero, b, a[0]) : null;
  default: return a[1].size || b[1].size ? null : [evaluate([node[0], a[0], b[0]], []), new Map()];
  }
}

const sameTerms = (a, b) => a.size === b.size && [...a].every(([v, c]) => b.get(v) === c);

// The image of a box: a box and whether it is all of it; null where it is empty.
function image(map, box) {
  const all = map.ranges.map(([low, high], i) =>
    i < map.dims ? [Math.max(low, box[i][0]), Math.min(high, box[i][1])] : [low, high]);
  if (all.some(([low, high]) => low > high)) return null;
  const forms = map.results.map(e => linear(e, all)), used = new Set();
  let isExact = true;
  const result = map.results.map((e, i) => {
    const form = forms[i];
    if (!form) {
      isExact = false;
      return bound(e, all);
    }
    let low = form[0], high = form[0], span = 1;
    const terms = [...form[1]].sort((a, b) => Math.abs(a[1]) - Math.abs(b[1]));
    for (const [variable, c] of terms) {
      const [first, last] = all[variable];
      // Values without gaps, of variables that nothing else depends on.
      if (used.has(variable) || Math.abs(c) > span) isExact = false;
      used.add(variable);
      span += Math.abs(c) * (last - first);
      low += Math.min(c * first, c * last);
      high += Math.max(c * first, c * last);
    }
    return [low, high];
  });
  for (const [e, low, high] of map.constraints) {
    const [least, most] = bound(e, all);
    if (least > high || most < low) return null;
    if (least >= low && most <= high) continue;
    // What it says of a result; else it may leave some out.
    const form = linear(e, all);
    const of = form ? forms.findIndex(f => f && f[1].size && sameTerms(f[1], form[1])) : -1;
    if (of < 0) {
      isExact = false;
      continue;
    }
    const shift = forms[of][0] - form[0];
    result[of] = [Math.max(result[of][0], low + shift), Math.min(result[of][1], high + shift)];
    if (result[of][0] > result[of][1]) return null;
  }
  return { box: result, isExact };
}

// Calls `visit` with each index that the points of a box reach; false beyond a budget.
function enumerate(map, box, visit) {
  const all = map.ranges.map(([low, high], i) =>
    i < map.dims ? [Math.max(low, box[i][0]), Math.min(high, box[i][1])] : [low, high]);
  const volume = all.reduce((n, [low, high]) => n * Math.max(0, high - low + 1), 1);
  if (volume > budget) return false;
  budget -= volume;
  const point = all.map(range => range[0]);
  for (let n = 0; n < volume; ++n) {
    if (map.constraints.every(([e, low, high]) => {
      const x = evaluate(e, point);
      return x >= low && x <= high;
    })) visit(map.results.map(e => evaluate(e, point)));
    for (let i = all.length - 1; i >= 0; --i) {
      if (++point[i] <= all[i][1]) break;
      point[i] = all[i][0];
    }
  }
  return true;
}

let budget = 0;

// ---------------------------------------------------------------------------
// Sets of elements: a union of boxes, which may be too wide
// ---------------------------------------------------------------------------

const count = shape => shape.reduce((a, b) => a * b, 1);
const volumeOf = box => box.reduce((n, [low, high]) => n * (high - low + 1), 1);
const contains = (a, b) => a.every(([low, high], i) => low <= b[i][0] && high >= b[i][1]);

function toNumber(index, shape) {
  let number = 0;
  for (let i = 0; i < shape.length; ++i) number = number * shape[i] + index[i];
  return number;
}

function toIndex(number, shape) {
  const index = new Array(shape.length);
  for (let i = shape.length - 1; i >= 0; --i) {
    index[i] = number % shape[i];
    number = Math.floor(number / shape[i]);
  }
  return index;
}

// Boxes that are neighbours along one dimension and equal in all others become one.
function mergeBoxes(boxes) {
  const rank = boxes.length ? boxes[0].length : 0;
  for (let dim = rank - 1; dim >= 0 && boxes.length > 1; --dim) {
    const lists = new Map();
    for (const box of boxes) {
      const key = box.map((range, i) => i === dim ? "" : range.join(":")).join();
      if (!lists.has(key)) lists.set(key, []);
      lists.get(key).push(box);
    }
    boxes = [];
    for (const list of lists.values()) {
      list.sort((a, b) => a[dim][0] - b[dim][0]);
      let last = null;
      for (const box of list)
        if (last && box[dim][0] <= last[dim][1] + 1) last[dim][1] = Math.max(last[dim][1], box[dim][1]);
        else boxes.push(last = box.map(range => [...range]));
    }
  }
  return boxes;
}

class Elements {
  constructor(shape) {
    this.shape = shape;
    this.boxes = [];
    // Whether all of it is meant, and not what is unknown beside it.
    this.isExact = true;
  }
  addBox(box) {
    const inside = box.map(([low, high], i) =>
      [Math.max(0, low), Math.min(this.shape[i] - 1, high)]);
    if (inside.some(([low, high]) => low > high) || this.boxes.some(b => contains(b, inside))) return;
    this.boxes = this.boxes.filter(b => !contains(inside, b));
    this.boxes.push(inside);
    if (this.boxes.length <= kMostBoxes) return;
    this.boxes = mergeBoxes(this.boxes);
    if (this.boxes.length <= kMostBoxes / 2) return;
    this.isExact = false;
    this.boxes = [this.shape.map((_, i) => [Math.min(...this.boxes.map(b => b[i][0])),
      Math.max(...this.boxes.map(b => b[i][1]))])];
  }
  // Boxes whose elements are few by their numbers; null beyond.
  getNumbers() {
    if (this.boxes.reduce((n, box) => n + volumeOf(box), 0) > kMostElements) return null;
    const numbers = new Set();
    for (const box of this.boxes) {
      const index = box.map(range => range[0]);
      for (let n = volumeOf(box); n > 0; --n) {
        numbers.add(toNumber(index, this.shape));
        for (let i = index.length - 1; i >= 0; --i) {
          if (++index[i] <= box[i][1]) break;
          index[i] = box[i][0];
        }
      }
    }
    return numbers;
  }
  get isEmpty() { return this.boxes.length === 0; }
  measure() {
    const numbers = this.boxes.length > 1 ? this.getNumbers() : null;
    const size = numbers ? numbers.size :
      Math.min(count(this.shape), this.boxes.reduce((n, box) => n + volumeOf(box), 0));
    return { size, isExact: this.isExact && Boolean(this.boxes.length < 2 || numbers) };
  }
  describe() {
    const all = count(this.shape), { size, isExact } = this.measure();
    return `${isExact ? "" : "at most "}${size} of ${all} element${all === 1 ? "" : "s"}`;
  }
}

// What a set of `from` reaches by a list of maps, or by a reason why there is none.
function apply(from, maps, to) {
  if (typeof maps === "string") {
    if (!from.isEmpty) to.addBox(to.shape.map(size => [0, size - 1]));
    to.isExact = false;
    return maps;
  }
  for (const number of maps) {
    const map = getMap(number);
    if (!map.isUsable) {
      to.addBox(to.shape.map(size => [0, size - 1]));
      to.isExact = false;
      continue;
    }
    if (map.isMay || !from.isExact) to.isExact = false;
    for (const box of from.boxes) {
      const found = image(map, box);
      if (!found) continue;
      if (found.isExact) {
        to.addBox(found.box);
        continue;
      }
      const points = [];
      if (enumerate(map, box, index => points.push(index.map(x => [x, x]))))
        mergeBoxes(points).forEach(part => to.addBox(part));
      else {
        to.addBox(found.box);
        to.isExact = false;
      }
    }
  }
  return null;
}

// ---------------------------------------------------------------------------
// The function that is shown
// ---------------------------------------------------------------------------

let fn = null, rows = [], rowOfOp = [], chosen = -1, isThrough = false, isForward = false;
let stage = -1, folds = null, reached = new Set();

const getType = value => data.texts[fn.values[value].type];
const getText = op => data.texts[op.text];

// Constants and empty tensors are found at who uses them.
const isPlain = op => op.operands.length === 0;

const countOps = ({ first, last }) => `${last - first} op${last - first === 1 ? "" : "s"}`;

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
    if (node.times) part.label = `${node.times} × ${parts[0].isGroup ? parts[0].label : countOps(parts[0])}`;
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
      if (from < 0 || to < 0 || from === to || fn.ops[producer].operands.length === 0) continue;
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
      node.append(make("span", { className: "name" }, op.name), op.hint ? ` ${op.hint} ` : " ",
        make("span", { className: "type" }, op.results.map(getType).join(", ")));
      if (op.time !== undefined)
        node.append(" ", make("span", { className: "time" }, formatTime(op.time)));
      node.title = getText(op).slice(0, 400);
    } else {
      const { item } = row;
      node.append(make("span", { className: "fold" }, item.isOpen ? "▾ " : "▸ "), item.label, " ",
        make("span", { className: "type" }, item.note || summarize(item)));
      const time = fn.listed.slice(item.first, item.last).reduce((sum, op) => sum + (fn.ops[op].time || 0), 0);
      if (time) node.append(" ", make("span", { className: "time" }, formatTime(time)));
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
  reached = new Set();
  repaint();
  showDetail();
  paintLines();
  // In a frame of a notebook the address is not ours.
  if (location.protocol !== "about:")
    location.replace("#" + encodeURIComponent(fn.name) + ":" + op);
}

// ---------------------------------------------------------------------------
// The chosen op
// ---------------------------------------------------------------------------

const number = x => x.toLocaleString("en-US");
const formatTime = time => time >= 1000 ? (time / 1000).toFixed(2) + " ms" : time.toFixed(1) + " µs";

function showDetail() {
  const panel = $("detail");
  panel.replaceChildren();
  clearTimeout(resting);
  delete jobs.follow;
  delete jobs.tiles;
  const op = fn.ops[chosen];
  if (!op) {
    panel.append(make("h2", {}, "func " + fn.name));
    const list = make("table");
    for (const [what, values] of [["argument", fn.arguments], ["result", fn.returned]])
      values.forEach((value, i) => list.append(make("tr", {}, make("th", {}, `${what} ${i}`),
        make("td", {}, getType(value)))));
    panel.append(make("p", { className: "muted" }, `${number(fn.ops.length)} ops. ` +
      "Choose one on the left; then point at an element to see what it needs."));
    const timed = fn.ops.map((op, i) => i).filter(i => fn.ops[i].time !== undefined)
      .sort((a, b) => fn.ops[b].time - fn.ops[a].time);
    if (timed.length) {
      const all = timed.reduce((sum, i) => sum + fn.ops[i].time, 0), slowest = make("table");
      for (const i of timed.slice(0, 30)) {
        const link = make("span", { className: "fold", onclick: () => { reveal(i); choose(i); } },
          fn.values[fn.ops[i].results[0]].name);
        link.style.cursor = "pointer";
        slowest.append(make("tr", {}, make("td", { className: "number" }, formatTime(fn.ops[i].time)),
          make("td", { className: "number" }, (100 * fn.ops[i].time / all).toFixed(1) + " %"),
          make("td", {}, link), make("td", {}, data.texts[fn.ops[i].timed].slice(0, 90))));
      }
      panel.append(make("h3", {}, `Measured, ${formatTime(all)} in ${timed.length} lines`), slowest);
    }
    panel.append(make("h3", {}, "Arguments and results"), list);
    for (const problem of [data.problem, fn.note])
      if (problem) panel.append(make("p", { className: "warn" }, problem));
    if (fn.shards) panel.append(...describePlan());
    return;
  }
  panel.append(make("h2", {}, op.name), make("pre", {}, getText(op)));
  const facts = [];
  if (op.loc !== undefined) facts.push(data.texts[op.loc]);
  if (op.work) facts.push(`${number(op.work)} operations`);
  if (op.time !== undefined) facts.push(`${formatTime(op.time)}: ${data.texts[op.timed]}`);
  if (facts.length) panel.append(make("p", { className: "muted" }, facts.join(" · ")));
  panel.append(describeValues(op), describeFusion(op));
  showTensors(panel, op);
  if (fn.shards && fn.shards.ops[chosen]) showShards(panel, op);
  panel.append(...describeMaps(op), ...describeCoalescing(op), ...describeAlternatives(op));
}

function describeValues(op) {
  const table = make("table", {}, make("tr", {}, ...["", "value", "type", "bytes", "layout, padding"]
    .map(text => make("th", {}, text))));
  const add = (what, value) => {
    const { name, shape, elementBytes, layout, padding, op: producer } = fn.values[value];
    const link = make("span", {}, name);
    if (producer !== undefined) {
      link.className = "fold";
      link.style.cursor = "pointer";
      link.onclick = () => { reveal(producer); choose(producer); };
    }
    table.append(make("tr", {}, make("th", {}, what), make("td", {}, link),
      make("td", {}, getType(value).slice(0, 120)),
      make("td", { className: "number" }, shape && elementBytes ?
        number((count(shape) + (padding || 0)) * elementBytes) : ""),
      make("td", {}, layout ? layout + (padding ? `, ${number(padding)} places of padding` : "") : "")));
  };
  op.operands.forEach((value, i) => add("operand " + i, value));
  op.results.forEach((value, i) => add("result " + i, value));
  return table;
}

function describeFusion(op) {
  const part = make("div");
  op.fused.forEach((reads, i) => {
    if (reads === null) return;
    if (!part.childNodes.length) part.append(make("h3", {}, "If its producers were fused into it"));
    let text = `operand ${i}: `;
    if (typeof reads === "string") text += reads;
    else {
      const [all, unique, elements] = reads;
      text += `${number(all)} elements computed, ${number(unique)} different ones` +
        (all > unique ? `: each ${(all / unique).toFixed(2)} times` : ": each once") +
        (unique < elements ? `; ${(100 * unique / elements).toFixed(1)} % of ${number(elements)} are needed` : "");
    }
    part.append(make("div", {}, text));
  });
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
          parts.push(make("details", {}, make("summary", {}, "of a tile"), make("pre", {}, data.tiles[m])));
  }));
  return parts.length ? [make("h3", {}, isForward ? "What an element reaches" : "What an element needs"), ...parts] : [];
}

// Headings, then rows of cells; numbers are to the right.
function makeTable(headings, lines) {
  return make("table", {}, make("tr", {}, ...headings.map(text => make("th", {}, text))),
    ...lines.map(line => make("tr", {}, ...line.map(cell =>
      typeof cell === "number" ? make("td", { className: "number" }, number(cell)) : make("td", {}, cell)))));
}

// How 32 lanes would read tensors in transactions of 128 bytes, or do move memory.
function describeCoalescing(op) {
  if (op.coalescing === undefined) return [];
  const lines = JSON.parse(data.texts[op.coalescing]).map(({ what, operand, result, plan, reason, used, moved,
    transactions, isCoalesced, conflicts }) => [
    what || (op.results.length > 1 ? `operand ${operand} for result ${result}` : `operand ${operand}`), plan,
    ...reason ? [reason, "", "", ""] : [used, moved, transactions,
      make("span", { className: isCoalesced ? "" : "warn" }, isCoalesced ? "coalesced" : "not coalesced",
        conflicts ? `, ${number(conflicts)} bank conflicts` : "")]]);
  return [make("h3", {}, "Read by 32 lanes, in transactions of 128 bytes"),
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
const formatSeconds = seconds => formatTime(seconds * 1e6);

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
    .map(e => {
      const link = make("span", { className: "fold", onclick: () => { reveal(e.op); choose(e.op); } },
        fn.ops[e.op].name);
      link.style.cursor = "pointer";
      return [link, e.operand !== undefined ? `operand ${e.operand}` : `sum of result ${e.result}`, e.bytes, e.count,
        formatSeconds(e.seconds)];
    });
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
  panel.append(make("h3", {}, `Shards on ${grid}`), make("p", {}, select, ` ${own.cut === "needed" ? "does what it needs" : "cut " + own.cut} · ` +
    `${formatSeconds(own.seconds)} and ${formatSeconds(own.exchangeSeconds)} for messages · ` +
    `holds ${number(own.bytesHeld)} bytes`));
  const tensors = make("div", { className: "tensors" });
  const add = (what, value, exchange) => {
    const boxes = values[value], { shape } = fn.values[value];
    if (!boxes || !shape || !count(shape)) return;
    const has = getRankBox(boxes, rank), needs = exchange && getRankBox(exchange.needed, rank);
    const tensor = new Grid(value, `${what} ${fn.values[value].name}`, null);
    tensor.parts = Array.from({ length: Math.min(ranks, 256) }, (_, i) => [getRankBox(boxes, i), kRankColors[i % 8]])
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
      `${number(e.count)} messages of ${number(e.bytes)} bytes, ${formatSeconds(e.seconds)}.`));
    if (lines.length) panel.append(makeTable(["", "elements", bytes ? "bytes" : "elements"], lines));
  }
  panel.append(tensors);
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

const kCells = 64;
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
      this.canvas.onpointermove = point;
      this.canvas.onpointerdown = point;
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
    this.canvas.width = Math.max(1, Math.ceil(this.columns / this.step)) * this.cell + 1;
    this.canvas.height = Math.max(1, Math.ceil(this.rows / this.step)) * this.cell + 1;
    this.last = undefined;
    this.inputs = this.sliced.map(dim => {
      const input = make("input", { className: "slice", type: "number", min: 0, max: shape[dim] - 1,
        value: this.at[dim] });
      input.oninput = () => {
        this.at[dim] = Math.max(0, Math.min(shape[dim] - 1, Number(input.value) || 0));
        this.isHeld = true;
        if (this.onPoint) this.onPoint(this.getBox(...this.last || this.getMiddle()));
        this.paint();
      };
      return input;
    });
    this.choices.replaceChildren(...this.sliced.map((dim, i) =>
      make("label", {}, `d${dim} `, this.inputs[i], " ")));
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
  setSlice(index) {
    this.sliced.forEach((dim, i) => { this.at[dim] = this.inputs[i].value = index[dim]; });
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
    const tile = tileSizes.get(this.shape.join());
    return tile ? box.map(([low], dim) => {
      const first = low - low % tile[dim];
      return [first, Math.min(this.shape[dim], first + tile[dim]) - 1];
    }) : box;
  }
  getMiddle() {
    return [this.rows, this.columns].map(size => Math.floor(Math.floor((size - 1) / 2) / this.step));
  }
  show(elements, note) {
    this.elements = elements;
    // Slices follow what is reached, unless somebody holds one.
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
    for (const [key, times] of cells)
      fill(floorDiv(key, width), key % width, times / (step * step) * (set.isExact ? 1 : 0.5));
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
  const own = jobs[name] = {};
  const slice = () => {
    if (jobs[name] !== own) return;
    for (const begin = performance.now(); performance.now() - begin < kSlice;) {
      const { done: isDone, value } = steps.next();
      if (!isDone) continue;
      delete jobs[name];
      return done(value);
    }
    setTimeout(slice);
  };
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
  const step = number => {
    const op = fn.ops[number];
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
  if (!through) step(opNumber);
  else
    for (let i = opNumber, by = isForward ? 1 : -1; i >= 0 && i < fn.ops.length; i += by) {
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
  const sizes = (text.match(/\d+/g) || []).map(Number);
  return sizes.length === shape.length && sizes.every(size => size > 0) ?
    sizes.map((size, dim) => Math.min(size, shape[dim])) : null;
}

// The sizes of tiles of a result, and what these read.
function showTiles(panel, op, value, again) {
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
      out.append(makeTable([`${number(tiles)} tiles read`, "bytes, one at most", "bytes, all", "times the operand"], lines));
    });
  };
  input.oninput = () => { update(); again(); };
  panel.append(make("p", {}, make("label", {}, "in tiles of ", input)), out);
  update();
}

// A timer.
let resting = 0;

function showTensors(panel, op) {
  // Each button has two states, of which the bold one holds.
  const toggle = (id, isSecond, texts, flip) => make("button", { id, onclick: () => { flip(); showDetail(); } },
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
    fn.values.map((_, i) => i).filter(i => fn.values[i].op !== undefined && fn.ops[fn.values[i].op].operands.length === 0));
  to = unique(to).filter(hasShape);
  // Through all ops the largest are drawn, weights and images before numbers.
  if (isThrough) to.sort((a, b) => count(fn.values[b].shape) - count(fn.values[a].shape));
  if (!from.length) {
    panel.append(make("p", { className: "muted" }, "Its sizes are not known, or it has no tensors."));
    return;
  }
  const box = make("div", { className: "tensors" }), targets = make("div", { className: "tensors" });
  const grids = new Map();
  // The last of the points that came while another was followed.
  let next = null;
  const show = (value, grid, range, points = kQuick) => {
    const start = startFrom(value, range);
    clearTimeout(resting);
    grid.isHeld = true;
    grid.show(start, (volumeOf(range) > 1 ? "elements " : "element ") +
      range.map(([a, b]) => a === b ? a : `${a}…${b}`).join(", "));
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
    // Arguments that nothing reaches are not drawn.
    for (const target of to) {
      const set = sets.get(target);
      if (!grids.has(target) && set && grids.size < 24) {
        const { name, op: producer } = fn.values[target];
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
    reached = isThrough ? ops : new Set();
    if (isThrough) repaint();
  };
  for (const value of from) {
    const grid = new Grid(value, `${isForward ? "operand" : "result"} ${fn.values[value].name}: point at an element`,
      range => show(value, grid, range));
    box.append(grid.node);
    if (value === from[0] && !isForward)
      showTiles(panel, op, value, () => show(value, grid, grid.getBox(...grid.last || grid.getMiddle())));
    if (value === from[0]) show(value, grid, grid.getBox(...grid.getMiddle()));
  }
  panel.append(make("div", { className: "pair" }, box,
    make("div", { className: "arrow muted" }, isForward ? "reaches →" : "needs →"), targets));
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
  for (const button of $("views").children)
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
  reached = new Set();
  list();
  $("program").scrollTop = 0;
  repaint();
  showDetail();
}

function moveBy(step) {
  let row = chosen < 0 ? -1 : rowOfOp[chosen];
  do row += step; while (rows[row] && rows[row].op === undefined);
  if (rows[row]) {
    reveal(rows[row].op);
    choose(rows[row].op);
  }
}

let matches = [], match = -1;

function find(text) {
  matches = [];
  match = -1;
  $("found").textContent = "";
  if (!text) return;
  fn.ops.forEach((op, i) => {
    if (op.name.includes(text) || op.results.some(value => fn.values[value].name === text) ||
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
  $("title").textContent = data.title;
  data.functions.forEach((f, i) => $("function").append(
    make("option", { value: i }, `${f.name} (${f.ops.length} ops)`)));
  $("function").onchange = event => showFunction(Number(event.target.value));
  $("plain").onchange = () => { list(); repaint(); };
  $("search").oninput = event => find(event.target.value);
  $("search").onkeydown = event => { if (event.key === "Enter") findNext(); };
  $("program").onscroll = paintRows;
  $("stage").onscroll = paintLines;
  window.onresize = () => { repaint(); paintLines(); };
  window.matchMedia("(prefers-color-scheme: dark)").onchange = () => { repaint(); showDetail(); };
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
    const op = Number(node.dataset.op);
    const index = data.functions.findIndex(f => op >= f.first && op < f.first + f.ops.length);
    if (data.functions[index] !== fn) showFunction(index);
    reveal(op - fn.first);
    choose(op - fn.first);
  };
  if (data.stages.length) {
    $("views").append(make("button", { onclick: () => showStage(-1) }, "elements"));
    $("views").lastChild.dataset.stage = -1;
    data.stages.forEach((s, i) => {
      $("views").append(make("button", { onclick: () => showStage(i) }, s.pass));
      $("views").lastChild.dataset.stage = i;
    });
  }
  document.onkeydown = event => {
    if (event.target.closest && event.target.closest("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = chosen >= 0 ? rows[rowOfOp[chosen]] : rows[0];
    const close = () => {
      const around = rows.slice(0, rowOfOp[chosen]).reverse().find(r => r.item && r.item.isOpen && r.depth < row.depth);
      if (around) toggle(around.item);
    };
    const unfold = () => { if (row && row.item) toggle(row.item); };
    const actions = { ArrowDown: () => moveBy(1), ArrowUp: () => moveBy(-1), ArrowRight: unfold,
      ArrowLeft: close, t: () => $("through") && $("through").click(), f: () => $("forward") && $("forward").click(),
      "/": () => $("search").focus() };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  };
  const [, place, op] = /^#(.*):(\d+)$/.exec(location.hash) || [];
  let name;
  try {
    name = decodeURIComponent(place);
  } catch {
    // Somebody wrote that.
  }
  const index = data.functions.findIndex(f => f.name === name);
  showFunction(Math.max(0, index));
  if (index >= 0 && fn.ops[Number(op)]) {
    reveal(Number(op));
    choose(Number(op));
  }
  showStage(-1);
}

start();
