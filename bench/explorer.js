// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// node bench/explorer.js PAGE...: milliseconds, the median and the worst, of what the
// explorer's page does between a move of the pointer and a frame: parsing, folding, and
// following elements through one op and through all.

const fs = require("fs"), vm = require("vm");

for (const path of process.argv.slice(2)) {
  const page = fs.readFileSync(path, "utf8");
  const text = page.match(/type="application\/json">([\s\S]*?)<\/script>/)[1];
  const script = page.match(/<script>\s*("use strict";[\s\S]*?)\nstart\(\);/)[1];
  const node = { textContent: text, checked: false, style: {}, children: [] };
  const context = vm.createContext({ document: { getElementById: () => node }, performance, console });
  vm.runInContext(script + `
    const times = (name, count, call) => {
      const all = [];
      for (let i = 0; i < count; ++i) {
        const begin = performance.now();
        call(i);
        all.push(performance.now() - begin);
      }
      all.sort((a, b) => a - b);
      console.log("  " + name.padEnd(34) + all[count >> 1].toFixed(2).padStart(8) +
                  all[count - 1].toFixed(2).padStart(9));
    };
    console.log("${path}: " + data.functions[0].ops.length + " ops" + "median".padStart(20) + "worst".padStart(9));
    times("parse the data", 5, () => JSON.parse($("data").textContent));
    fn = data.functions[0];
    times("fold, and lay lanes", 5, () => list());
    const anchors = fn.ops.map((op, i) => i).filter(i => fn.ops[i].isAnchor);
    for (const [name, part] of [["first", 0], ["middle", 0.5], ["last", 0.999]]) {
      const op = anchors[Math.floor(anchors.length * part)] ?? 0, value = fn.ops[op].results[0];
      const { shape } = fn.values[value];
      for (isThrough of [false, true])
        times((isThrough ? "all before the " : "through the ") + name + " contraction", 20, i =>
          follow(op, value, startFrom(value, shape.map(size => [i * 7 % size, i * 7 % size])), kQuick));
      // What keeps a frame waiting.
      let longest = 0;
      for (let i = 0; i < 20; ++i) {
        const steps = followSteps(op, value, startFrom(value, shape.map(size => [i * 7 % size, i * 7 % size])), kQuick);
        for (let isDone = false; !isDone;) {
          const begin = performance.now();
          while (!isDone && performance.now() - begin < kSlice) isDone = steps.next().done;
          longest = Math.max(longest, performance.now() - begin);
        }
      }
      console.log("  longest part of it".padEnd(36) + "".padStart(8) + longest.toFixed(2).padStart(9));
    }`, context);
}
