// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// ---------------------------------------------------------------------------
// What a compiler made of the program
// ---------------------------------------------------------------------------

// Rows of a section that are shown before it is unfolded.
const kFirstRows = 6;
const kRatios = new Set(["share", "utilization", "coalesced reads"]);

const number = x => x.toLocaleString("en-US");

// A count that may lie between two numbers, a ratio, or a word.
function formatCell(key, value) {
  if (typeof value === "string") return value;
  if (kRatios.has(key)) return (100 * value).toFixed(1) + " %";
  if (typeof value === "number") return number(value);
  if (value.at_most !== undefined)
    return value.at_least !== undefined ? `${number(value.at_least)} to ${number(value.at_most)}` : "at most " + number(value.at_most);
  return value.at_least ? "at least " + number(value.at_least) : "unknown";
}

// A part of the whole, drawn.
function makeBar(ratio) {
  const bar = make("div", { className: "bar" }, make("div"));
  bar.firstChild.style.width = Math.max(0.5, 100 * ratio) + "%";
  return bar;
}

function describeTotals({ bytes, leastBytes, operations, leastOperations, steps, roundBytes }) {
  const times = (all, least) => typeof all === "number" && typeof least === "number" && least && all !== least ?
    `, ${(all / least).toFixed(2)} times that` : "";
  const line = (what, all, least, once) => make("tr", {}, make("th", {}, what),
    make("td", { className: "number" }, formatCell("", all)),
    make("td", {}, `${once}: ${formatCell("", least)}${times(all, least)}`));
  return make("table", {}, line("bytes", bytes, leastBytes, "arguments and results once"),
    line("operations", operations, leastOperations, "each of them once"),
    make("tr", {}, make("th", {}, "steps"), make("td", { className: "number" }, formatCell("", steps)),
      make("td", {}, roundBytes === undefined ? "" :
        `and ${formatCell("", roundBytes)} bytes for each round of loops whose trips are unknown`)));
}

// `link` makes a link to an op of the page.
function describeSection({ key, title, summary, rows, of }, link) {
  const heading = make("h3", {}, title[0].toUpperCase() + title.slice(1)), head = summary ?
    [heading, make("p", { className: "muted" }, summary[0].toUpperCase() + summary.slice(1) + ".")] : [heading];
  if (!rows.length) return head;
  const fixed = new Set(["name", "kind", "source", "op_name", "text", "op"]);
  const keys = [...new Set(rows.flatMap(Object.keys))].filter(name => !fixed.has(name));
  const body = make("table", { className: "explained" });
  const show = count => {
    body.replaceChildren(make("tr", {}, ...["", "", ...keys, ""].map((text, i) =>
      make("th", { className: i === 1 ? "kind" : "" }, text))));
    for (const row of rows.slice(0, count)) {
      const source = [row.source && row.source.replace(/^.*[/\\]/, ""), row.op_name].filter(Boolean).join(" ");
      body.append(make("tr", {}, make("td", {}, row.op !== undefined ? link(row.op, row.name) : row.name),
        make("td", { className: "muted kind" }, row.kind), ...keys.map(name => {
          const value = row[name];
          const cell = make("td", { className: typeof value === "string" ? "" : "number" },
            value === undefined ? "" : formatCell(name, value));
          if (name === "share") cell.append(makeBar(value));
          return cell;
        }), make("td", { className: "muted", title: row.source || "" }, source)));
      if (row.text)
        body.append(make("tr", {}, make("td"), make("td", { className: "muted map", colSpan: keys.length + 2 }, row.text)));
    }
    const all = of || rows.length;
    if (count < rows.length)
      body.append(make("tr", {}, make("td", { colSpan: 3 }, make("button", { className: "link",
        onclick: () => show(rows.length) }, rows.length < all ?
        `${number(rows.length)} of ${number(all)}` : `all ${number(all)}`))));
    else if (rows.length < all)
      body.append(make("tr", {}, make("td", { className: "muted", colSpan: 3 },
        `and ${number(all - rows.length)} more: tensoraccess-explain --json`)));
  };
  show(key === "places" ? 10 : kFirstRows);
  return [...head, body];
}

const describeExplanation = ({ totals, sections }, link) =>
  [describeTotals(totals), ...sections.flatMap(section => describeSection(section, link))];
