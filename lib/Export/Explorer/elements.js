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
    if (token === "-") {
      const inner = this.unary();
      return typeof inner === "number" ? -inner : ["-", 0, inner];
    }
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
    // A value that is not known stands for all of its range.
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

// The ranges of all variables for a box of dims, as far as constraints that are linear
// narrow them; null where there is no point.
function restrict(map, box) {
  const all = map.ranges.map(([low, high], i) =>
    i < map.dims ? [Math.max(low, box[i][0]), Math.min(high, box[i][1])] : [low, high]);
  if (all.some(([low, high]) => low > high)) return null;
  for (let round = 0; round < 2; ++round)
    for (const [e, low, high] of map.constraints) {
      const form = linear(e, all);
      if (!form) continue;
      const [constant, terms] = form;
      for (const [variable, c] of terms) {
        let least = constant, most = constant;
        for (const [other, k] of terms) {
          if (other === variable) continue;
          const ends = all[other].map(x => k * x);
          least += Math.min(...ends);
          most += Math.max(...ends);
        }
        // low - most <= c * variable <= high - least.
        const ends = c > 0 ? [(low - most) / c, (high - least) / c] : [(high - least) / c, (low - most) / c];
        const range = [Math.max(all[variable][0], Math.ceil(ends[0])), Math.min(all[variable][1], Math.floor(ends[1]))];
        if (range[0] > range[1]) return null;
        all[variable] = range;
      }
    }
  return all;
}

// The image of a box: a box and whether it is all of it; null where it is empty.
function image(map, box) {
  const all = restrict(map, box);
  if (!all) return null;
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
  const all = restrict(map, box);
  if (!all) return true;
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

const formatRanges = box => box.map(([a, b]) => a === b ? a : `${a}…${b}`).join(", ");

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
    const hull = this.shape.map((_, i) => [Math.min(...this.boxes.map(b => b[i][0])), Math.max(...this.boxes.map(b => b[i][1]))]);
    const where = this.boxes.length && this.shape.length && size < all ?
      (this.boxes.length > 1 ? " in " : ": ") + formatRanges(hull) : "";
    return `${isExact ? "" : "at most "}${size} of ${all} element${all === 1 ? "" : "s"}${where}`;
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
