# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How true the measured costs of this machine are.

  1. Costs: those that tensoraccess-calibrate has kept, or measures now.
  2. Each op of a few models by itself, once for equal ones, in the shapes that
     the models have, beside what the model of costs says: quantiles of modelled
     over measured time, and how many are within a factor of two.
  3. A stack of convolutions on one process and on two ranks: the seconds of its
     plan beside those of the run.

    bench/calibration.py [--build BUILD] [--models FILE …] [--mpi openmpi|mpich]
                         [--cache FILE] [--stack SIZE CHANNELS LAYERS] [--quick]

Nothing else should be running.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ("resnet50", "mobilenet", "attention")


def run(command, **options):
    result = subprocess.run([str(word) for word in command],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            encoding="utf-8", **options)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed\n{result.stderr}")
    return result


class Check:
    def __init__(self, arguments):
        self.arguments = arguments
        self.bin = arguments.build / "bin"
        self.environment = dict(os.environ)
        if arguments.cache:
            self.environment["TENSORACCESS_CALIBRATION"] = str(arguments.cache)

    def calibrate(self):
        quick = ["--quick"] if self.arguments.quick else []
        run([self.bin / "tensoraccess-calibrate", *quick],
            env=self.environment)

    def check_model(self, path):
        quick = ["--quick"] if self.arguments.quick else []
        text = run([self.bin / "tensoraccess-calibrate", f"--check={path}",
                    *quick], env=self.environment).stdout
        ratios = re.search(r"^ratios +([\d. ]+) \(.*; (\d+ of \d+) ops", text,
                           re.MULTILINE)
        total = re.search(r"^total +([\d.]+): ([\d.]+) ms modelled, ([\d.]+) ms",
                          text, re.MULTILINE)
        ops = re.findall(r"^op +([\d.]+) +([\d.]+) us +([\d.]+) us +(.*)$", text,
                         re.MULTILINE)
        return ratios, total, ops

    def print_models(self):
        print("modelled / measured, each op alone")
        print(f"{'model':12} {'least':>6} {'0.1':>6} {'0.25':>6} {'0.5':>6} "
              f"{'0.75':>6} {'0.9':>6} {'most':>6}  within 2    total")
        far = []
        for path in self.arguments.models:
            ratios, total, ops = self.check_model(path)
            name = path.name.split(".")[0]
            cells = " ".join(f"{float(x):6.2f}" for x in ratios[1].split())
            print(f"{name:12} {cells}  {ratios[2]:10}  {total[1]} "
                  f"({total[2]} / {total[3]} ms)", flush=True)
            # Those that matter: at least a hundredth of the model's time.
            whole = float(total[3]) * 1e3
            for ratio, modelled, measured, what in ops:
                count = int(what.split(" x ")[0])
                if (not 0.5 <= float(ratio) <= 2
                        and float(measured) * count > whole / 100):
                    far.append(f"  {name}: {ratio} = {modelled} / {measured} us,"
                               f" {what[:100]}")
        if far:
            print("off by more than 2, of at least a hundredth of the time:")
            print("\n".join(far))

    def get_modelled(self, stack, ranks):
        """Seconds of the plan, and of its exchanges."""
        text = run([self.bin / "tensoraccess-opt", stack,
                    f"--tensoraccess-plan-shards=table={ranks} model=calibrated",
                    "--remarks-filter=tensoraccess", "-o", os.devnull],
                   env=self.environment).stderr
        row = re.search(r"ExchangeSeconds=([\d.e+-]+).*?Seconds=([\d.e+-]+)",
                        text.replace("\n", " "))
        return float(row[2]), float(row[1])

    def print_ranks(self, folder):
        mpi = self.arguments.mpi
        if not shutil.which(f"mpirun.{mpi}"):
            print(f"no mpirun.{mpi}: nothing on two ranks")
            return
        stack = folder / "stack.mlir"
        sizes = [str(size) for size in self.arguments.stack]
        # The script speaks elementwise arith on tensors, plans linalg.
        text = run([sys.executable, ROOT / "bench/Execution/conv_stack.py", "0",
                    *sizes]).stdout
        whole = folder / "whole.mlir"
        whole.write_text(text, encoding="utf-8")
        run([self.bin / "tensoraccess-opt", whole,
             "--tensoraccess-foreign-to-linalg",
             "--convert-elementwise-to-linalg", "-o", stack])
        out = run([ROOT / "scripts/run-distributed", "--no-build", "-n", "2",
                   "--mpi", mpi, "--plan", "ranks=2 model=calibrated",
                   "--repeat", "3", stack],
                  env=dict(self.environment,
                           TENSORACCESS_BUILD_DIR=str(self.arguments.build)))
        measured = [float(ms) for ms in
                    re.findall(r"^time .*?run ([\d.e+]+) ms", out.stdout,
                               re.MULTILINE)]
        print(f"\n{sizes[2]} convolutions 3x3, {sizes[0]}x{sizes[0]}, "
              f"{sizes[1]} channels, under {mpi}")
        print("ranks  modelled   of it exchanged  measured   modelled / measured")
        for ranks, ms in zip((1, 2), measured):
            seconds, exchanged = self.get_modelled(stack, ranks)
            print(f"{ranks:5}  {seconds:.3e} {exchanged:16.3e}  "
                  f"{ms * 1e-3:.3e}  {seconds / (ms * 1e-3):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--models", type=pathlib.Path, nargs="*", default=[
        ROOT / f"test/Models/{name}.linalg.mlir" for name in MODELS])
    parser.add_argument("--mpi", default="openmpi")
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--stack", type=int, nargs=3, default=[256, 64, 16],
                        metavar=("SIZE", "CHANNELS", "LAYERS"))
    parser.add_argument("--quick", action="store_true",
                        help="try everything once, for no figure")
    arguments = parser.parse_args()
    check = Check(arguments)
    check.calibrate()
    check.print_models()
    with tempfile.TemporaryDirectory() as folder:
        check.print_ranks(pathlib.Path(folder))


if __name__ == "__main__":
    main()
