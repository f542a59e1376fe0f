# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the figures that the project is held to, all in one run.

  1. Start-up: `tensoraccess-opt` against `mlir-opt` on an empty module. The two
     take turns, and the medians are compared; at most 1.3.
  2. Passes on the whole of ResNet-50: the wall time that --mlir-timing gives
     the pass; at most 300 ms. The time of the whole process, which parses and
     verifies the model too, stands beside it.
  3. A rebuild after a change of one file of room IR, compiled without ccache;
     it has no limit.
  4. With --clean, a build from nothing, compiled without ccache; at most 180 s.
  5. Raising, lowering and running whole models: see bench/lowering.py.
  6. Choosing layouts for whole models: see bench/layouts.py.
  7. The microbenchmarks of bench/Core, by Google Benchmark.

A ratio is what was measured over what it is measured against. Where one is
above its limit (1.3 for start-up and layouts, else 1), the exit code is 1.

With --quick everything is measured but the builds, as few times as possible, on
ResNet-18 and on shallow networks: the figures mean nothing and have no limit,
but nothing that `bench/run` does can break unnoticed.
"""
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

from arguments import finish, make_parser
from layouts import Layouts
from lowering import Lowering

PASSES = {"annotate-indexing": "tensoraccess-annotate-indexing",
          "raise": "tensoraccess-raise"}


def elapsed(command, **options):
    """Seconds of wall time that a command takes, and its standard error."""
    begin = time.perf_counter()
    result = subprocess.run(command, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, encoding="utf-8", **options)
    seconds = time.perf_counter() - begin
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed\n{result.stderr}")
    return seconds, result.stderr


class Figures:
    def __init__(self, arguments):
        self.arguments = arguments
        self.opt = arguments.build / "bin" / "tensoraccess-opt"
        self.quick = arguments.quick
        self.name = "ResNet-18" if self.quick else "ResNet-50"
        file = self.name.lower().replace("-", "") + ".linalg.mlir"
        self.model = arguments.source / "test/Models" / file
        self.rows, self.kept = [], True

    def add(self, figure, measured, against="", ratio=None, limit=1.0):
        shown = "" if ratio is None else f"{ratio:.2f}"
        self.rows.append((figure, measured, against, shown))
        self.kept = self.kept and (ratio is None or ratio <= limit
                                   or self.quick)

    def measure_start_up(self):
        tools = {"mlir-opt": self.arguments.mlir_opt, "own": self.opt}
        times = {name: [] for name in tools}
        for repeat in range((1 if self.quick else self.arguments.repeats) + 2):
            for name, tool in tools.items():
                seconds, _ = elapsed([tool, "-o", os.devnull],
                                     stdin=subprocess.DEVNULL)
                if repeat >= 2:  # The first ones fill the page cache.
                    times[name].append(seconds)
        own, other = (statistics.median(times[name])
                      for name in ("own", "mlir-opt"))
        self.add("start-up of tensoraccess-opt", f"{own * 1e3:.1f} ms",
                 f"mlir-opt, {other * 1e3:.1f} ms", own / other, limit=1.3)

    def measure_passes(self):
        repeats = 1 if self.quick else max(5, self.arguments.repeats // 4)
        for name, flag in PASSES.items():
            inside, outside = [], []
            for _ in range(repeats):
                seconds, report = elapsed(
                    [self.opt, self.model, f"--{flag}", "-o", os.devnull,
                     "--mlir-timing", "--mlir-timing-display=list",
                     "--mlir-disable-threading"])
                inside.append(self.read_timing(report))
                outside.append(seconds)
            taken = statistics.median(inside)
            self.add(f"{name} of {self.name}",
                     f"{taken * 1e3:.1f} ms "
                     f"({statistics.median(outside) * 1e3:.0f} with parsing)",
                     "300 ms", taken / 0.3)

    @staticmethod
    def read_timing(report):
        """Seconds that the passes took: all but parsing, output and rest."""
        rows = re.findall(r"^\s*([\d.]+) \(\s*[\d.]+%\)\s+(\S.*?)\s*$", report,
                          re.MULTILINE)
        others = {"root", "Parser", "Output", "Rest", "Total"}
        taken = [float(seconds) for seconds, name in rows
                 if name not in others and not name.startswith("(A)")]
        if not taken:
            sys.exit(f"no pass in the timing report\n{report}")
        return sum(taken)

    def build(self, folder):
        environment = dict(os.environ, CCACHE_DISABLE="1")
        return elapsed(["ninja", "-C", folder, "-j", str(os.cpu_count())],
                       env=environment)[0]

    def measure_rebuild(self):
        file = self.arguments.source / "lib/IR/Ops/TensorAccessOps.cpp"
        self.build(self.arguments.build)
        times = []
        for _ in range(3):
            file.touch()
            times.append(self.build(self.arguments.build))
        taken = statistics.median(times)
        self.add("rebuild after lib/IR/Ops/TensorAccessOps.cpp", f"{taken:.1f} s")

    def measure_clean_build(self):
        cache = (self.arguments.build / "CMakeCache.txt").read_text()
        wanted = re.findall(
            r"^((?:CMAKE_(?:C|CXX)_COMPILER|CMAKE_\w+_LINKER_FLAGS|MLIR_DIR"
            r"|Python_EXECUTABLE):\w+=.+)$", cache, re.MULTILINE)
        with tempfile.TemporaryDirectory() as folder:
            configured, _ = elapsed(
                ["cmake", "-G", "Ninja", "-S", self.arguments.source, "-B",
                 folder, "-DCMAKE_BUILD_TYPE=Release",
                 *(f"-D{entry}" for entry in wanted)])
            taken = configured + self.build(folder)
        self.add(f"clean build on {os.cpu_count()} cores", f"{taken:.0f} s",
                 "180 s", taken / 180)

    def measure_core(self):
        """The microbenchmarks: lines of their own, without a limit. The other
        programs of bench/ print tables of their own."""
        lines = []
        for name in ("IndexingMapBench", "LayoutAlgebraBench"):
            program = self.arguments.build / "bin" / name
            if self.quick and not program.exists():
                continue
            seconds = 0.001 if self.quick else 0.2
            result = subprocess.run(
                [program, "--benchmark_format=json",
                 f"--benchmark_min_time={seconds}"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
            for entry in json.loads(result.stdout)["benchmarks"]:
                rate = entry.get("items_per_second")
                time_each = 1e9 / rate if rate else entry["cpu_time"]
                digits = 0 if time_each >= 10 else 2
                lines.append(
                    f"  {entry['name']:<40} {time_each:>8.{digits}f} ns")
        return lines


def describe_machine():
    cpu = platform.processor() or platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        if match := re.search(r"model name\s*: (.*)", info.read_text()):
            cpu = match[1]
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}"


def main():
    parser = make_parser("try everything but the builds once, for no figure")
    parser.add_argument("--mlir-opt", type=pathlib.Path,
                        help="default: that of the MLIR that was built with")
    parser.add_argument("--repeats", type=int, default=41)
    parser.add_argument("--clean", action="store_true",
                        help="measure a build from nothing, too")
    arguments = parser.parse_args()
    if not arguments.mlir_opt:
        cache = (arguments.build / "CMakeCache.txt").read_text()
        folder = re.search(r"^MLIR_DIR:\w+=(.+)$", cache, re.MULTILINE)[1]
        arguments.mlir_opt = pathlib.Path(folder).parents[2] / "bin/mlir-opt"
    figures = Figures(arguments)
    figures.measure_start_up()
    figures.measure_passes()
    Lowering(figures).measure()
    Layouts(figures).measure()
    if not arguments.quick:
        figures.measure_rebuild()
        if arguments.clean:
            figures.measure_clean_build()

    header = ("figure", "measured", "against", "ratio")
    table = [header, *figures.rows]
    widths = [max(len(row[i]) for row in table) for i in range(4)]
    lines = [f"Machine: {describe_machine()}", ""]
    lines += ["  ".join(cell.ljust(width)
                        for cell, width in zip(row, widths)).rstrip()
              for row in table]
    if core := figures.measure_core():
        lines += ["", "Index arithmetic, CPU time of one map or chain:", *core]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    finish(arguments, text, figures.kept)


if __name__ == "__main__":
    main()
