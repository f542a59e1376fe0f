# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of choosing layouts for whole models; figures.py prints them.

  1. Choose layouts for ResNet-50 and write them out: the wall time that
     --mlir-timing gives the passes; at most 1 s.
  2. ResNet-50 run with these layouts and without, through the same pipeline on
     one core, in turn: the best run time, both where the caller packs the
     weights, once for all runs, and where each run packs all 94 MB of them. At
     most 1.3 times: kernels copy panels of plain weights by themselves, as fast,
     so that layouts gain nothing for this network, and should lose little. The
     results must be equal, bit for bit.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from lowering import Lowering, make_inputs

ASSIGN = ["--inline", "--tensoraccess-assign-layouts=target=host",
          "--tensoraccess-materialize-layouts"]


class Layouts:
    def __init__(self, figures):
        self.figures = figures
        self.quick = figures.quick
        self.programs = Lowering(figures)

    def measure_run(self, model, folder):
        assigned = pathlib.Path(folder) / "assigned.mlir"
        subprocess.run([self.figures.opt, model, *ASSIGN, "-o", assigned],
                       check=True)
        inputs = make_inputs(model, folder)
        report = self.programs.execute(assigned, inputs, f"--compare={model}")
        if "bit for bit" not in report:
            sys.exit(f"layouts changed the result\n{report}")
        caller = pathlib.Path(folder) / "caller.mlir"
        subprocess.run([self.figures.opt, model, "--inline",
                        "--tensoraccess-assign-layouts=target=host weights=caller",
                        ASSIGN[-1], "-o", caller], check=True)
        # Its arguments have other shapes; time does not depend on the numbers.
        inputs = ["random:7"]
        times = {caller: [], assigned: [], model: []}
        turns, repeat = (1, 1) if self.quick else (2, 7)
        for _ in range(turns):
            for program in times:
                report = self.programs.execute(program, inputs, "--time",
                                               f"--repeat={repeat}")
                times[program].append(
                    float(re.search(r"run ([-+.\de]+) ms", report)[1]))
        other = min(times[model])
        for program, text, limit in ((caller, "with layouts, one core", 1.3),
                                     (assigned, "and packing in it", 1.3)):
            own = min(times[program])
            self.figures.add(f"run of {self.figures.name} {text}",
                             f"{own:.0f} ms", f"without, {other:.0f} ms",
                             own / other, limit=limit)

    def measure(self):
        model = self.figures.model
        taken = self.programs.time_passes(model, ASSIGN,
                                          1 if self.quick else 5)
        self.figures.add(f"choose layouts of {self.figures.name}",
                         f"{taken * 1e3:.0f} ms", "1000 ms", taken)
        with tempfile.TemporaryDirectory() as folder:
            self.measure_run(model, folder)
