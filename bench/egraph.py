# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the e-graph beside egg and egglog, in one run on one core.

  1. The rules and terms of bench/EGraph/math.rules, 11 iterations, in
     EGraphBench, in egg and in egglog, in turn; the best time of each. Nodes
     must be as many in all of them. Memory is what the process holds at most
     above what it held before the first term, over the nodes.
  2. Chains of products under associativity, to saturation: 80 and 160 in
     EGraphBench; the peers get a chain of --peer-chain, as does EGraphBench,
     since they take minutes and gigabytes for 80.
  3. Extraction from random graphs of 100,000 classes (ExtractionBench): the
     cost and the time beside greedy cost sets, written anew after the
     extraction gym's; with --gym PROGRAM also beside the gym's own algorithms.

The peers are built by cargo from bench/EGraph/peer into the build folder. One
that can't be built, as where there is no cargo or no registry, is left out, and
a line says so. The exit code is 1 if a figure of the project's own is not
reached, or nodes differ.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from arguments import finish, make_parser

PEERS = {"egg": ("egg 0.11", "", "egraph-peer"),
         "egglog": ("egglog 3.0", "egglog", "egglog-peer")}


class EGraphs:
    def __init__(self, arguments):
        self.arguments = arguments
        self.sources = arguments.source / "bench/EGraph"
        self.quick = arguments.quick
        self.iterations = 6 if self.quick else 11
        self.lines, self.kept, self.peers = [], True, {}

    def say(self, line):
        print(line, flush=True)
        self.lines.append(line)

    def judge(self, what, value, limit, unit=""):
        """A line where a figure is above its limit."""
        if value > limit and not self.quick:
            self.kept = False
            self.say(f"  above its limit: {what}, {value:.2f}{unit} "
                     f"of {limit:g}{unit}")

    def on_one_core(self, command, seconds):
        """What a program prints, or why it does not."""
        if shutil.which("taskset"):
            core = max(os.sched_getaffinity(0))
            command = ["taskset", "-c", str(core), *command]
        try:
            result = subprocess.run([str(part) for part in command],
                                    stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, encoding="utf-8",
                                    timeout=seconds)
        except subprocess.TimeoutExpired:
            return None, f"more than {seconds:g} s"
        if result.returncode:
            last = (result.stderr.strip().splitlines() or [""])[-1]
            return None, f"exit code {result.returncode} {last}".strip()
        return result.stdout, ""

    def build_peers(self):
        for key, (name, folder, program) in PEERS.items():
            if not shutil.which("cargo"):
                self.say(f"{name}: left out, there is no cargo")
                continue
            # A copy, so that nothing is written beside the sources.
            copy = self.arguments.build / "peers" / key
            shutil.rmtree(copy, ignore_errors=True)
            (copy / "src").mkdir(parents=True)
            for file in ("Cargo.toml", "src/main.rs"):
                shutil.copy(self.sources / "peer" / folder / file, copy / file)
            target = self.arguments.build / "peers" / "target"
            result = subprocess.run(
                ["cargo", "build", "--release", "--quiet"], cwd=copy,
                env=dict(os.environ, CARGO_TARGET_DIR=str(target)),
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                encoding="utf-8")
            if result.returncode:
                reason = (result.stderr.strip().splitlines() or ["cargo"])[0]
                self.say(f"{name}: left out, it can't be built: {reason}")
                continue
            self.peers[key] = target / "release" / program

    def run_own(self, benchmark):
        text, problem = self.on_one_core(
            [self.arguments.build / "bin/EGraphBench",
             f"--benchmark_filter=^{benchmark}$", "--benchmark_format=json"],
            600)
        if text is None:
            sys.exit(f"{benchmark}: {problem}")
        entry = json.loads(text)["benchmarks"][0]
        if entry.get("error_occurred"):
            sys.exit(f"{benchmark}: {entry['error_message']}")
        return {"seconds": entry["real_time"] / 1e3,
                "nodes": int(entry["nodes"]),
                "bytes": entry["peak/node"]}

    def run_peer(self, key, *arguments, seconds=300):
        text, problem = self.on_one_core([self.peers[key], *arguments], seconds)
        if text is None:
            return {"problem": problem}
        got = {name: float(value) for name, value in
               re.findall(r"^(\w+) ([\d.e+-]+)$", text, re.MULTILINE)}
        nodes = int(got["end"])
        return {"seconds": got["seconds"], "nodes": nodes,
                "bytes": (got["peak"] - got["idle"]) * 1024 / nodes}

    def compare(self, title, own, peer, repeats):
        """Runs all in turns and prints the best of each; the ratios."""
        runs = {"own": [], **{key: [] for key in self.peers}}
        for _ in range(repeats):
            runs["own"].append(own())
            for key in self.peers:
                if "problem" not in (runs[key] or [{}])[-1]:
                    runs[key].append(peer(key))
        self.say("")
        self.say(f"{title:<28} {'seconds':>8} {'nodes':>9} "
                 f"{'bytes/node':>10} {'time':>6}")
        names = {"own": "TensorAccess",
                 **{key: value[0] for key, value in PEERS.items()}}
        best = {}
        for key, results in runs.items():
            if problem := results[-1].get("problem"):
                self.say(f"  {names[key]:<26} left out: {problem}")
                continue
            best[key] = min(results, key=lambda result: result["seconds"])
            ratio = best[key]["seconds"] / best["own"]["seconds"]
            self.say(f"  {names[key]:<26} {best[key]['seconds']:>8.3f} "
                     f"{best[key]['nodes']:>9} {best[key]['bytes']:>10.1f} "
                     f"{ratio:>6.2f}")
        for key, result in best.items():
            if result["nodes"] != best["own"]["nodes"]:
                self.kept = False
                self.say(f"  nodes differ: {names[key]}")
        return best

    def measure_math(self):
        rules = self.sources / "math.rules"
        program = self.sources / "peer/egglog/math.egg"
        best = self.compare(
            f"math, {self.iterations} iterations",
            lambda: self.run_own(f"math/{self.iterations}/iterations:1"),
            lambda key: self.run_peer(
                key, "math", program if key == "egglog" else rules,
                self.iterations),
            1 if self.quick else 5)
        own = best["own"]
        self.judge("bytes a node", own["bytes"], 64)
        if "egg" in best:
            self.judge("time over half of egg's",
                       own["seconds"] * 2 / best["egg"]["seconds"], 1)
        if "egglog" in best:
            self.judge("time over egglog's",
                       own["seconds"] / best["egglog"]["seconds"], 1)

    def measure_chains(self):
        count = 20 if self.quick else self.arguments.peer_chain
        self.compare(
            f"chain of {count}",
            lambda: self.run_own(f"matrixChain/eager/{count}/iterations:1"),
            lambda key: self.run_peer(key, "chain", count,
                                      seconds=self.arguments.peer_seconds),
            1)
        for count, limit in () if self.quick else ((80, 0.5), (160, 10)):
            got = min((self.run_own(f"matrixChain/eager/{count}/iterations:1")
                       for _ in range(3 if count == 80 else 1)),
                      key=lambda result: result["seconds"])
            self.say(f"chain of {count:<19} {got['seconds']:>8.3f} "
                     f"{got['nodes']:>9} {got['bytes']:>10.1f}")
            self.judge("seconds", got["seconds"], limit, " s")
            self.judge("bytes in all", got["bytes"] * got["nodes"] / 1e9, 1,
                       " GB")

    def measure_extraction(self):
        command = [self.arguments.build / "bin/ExtractionBench"]
        if self.quick:
            command += ["--classes", 2000]
        if gym := self.arguments.gym:
            folder = self.arguments.build / "peers/graphs"
            folder.mkdir(parents=True, exist_ok=True)
            command += ["--write", folder, "--peer", gym]
        text, problem = self.on_one_core(command, 600)
        if text is None:
            sys.exit(f"ExtractionBench: {problem}")
        self.say("")
        for line in text.splitlines():
            self.say(line)
        if not self.arguments.gym:
            self.say("extraction-gym: left out, --gym names no program of it")
        for line in text.splitlines()[1:]:
            words = line.split()
            # A name, classes and nodes, then cost and time of each.
            own_cost, own_time = float(words[7]), float(words[8])
            self.judge(f"seconds for {words[0]}", own_time / 1e3, 0.5, " s")
            others = [words[3], words[5], *words[11::2]]
            others = [float(cost) for cost in others if cost != "–"]
            self.judge(f"cost of {words[0]}, of the best other one's",
                       own_cost / min(others), 1)


def main():
    parser = make_parser("small graphs and no limits, to see that it works")
    parser.add_argument("--peer-chain", type=int, default=40,
                        help="products in the chain that the peers get")
    parser.add_argument("--peer-seconds", type=float, default=120)
    parser.add_argument("--gym", type=pathlib.Path,
                        help="the program of an extraction gym that was built")
    arguments = parser.parse_args()
    arguments.source = arguments.source.resolve()
    arguments.build = arguments.build.resolve()
    egraphs = EGraphs(arguments)
    egraphs.build_peers()
    egraphs.measure_math()
    egraphs.measure_chains()
    egraphs.measure_extraction()
    finish(arguments, "\n".join(egraphs.lines) + "\n", egraphs.kept)


if __name__ == "__main__":
    main()
