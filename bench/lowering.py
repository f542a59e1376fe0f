# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of raising and lowering whole models; figures.py prints them.

  1. Raise, canonicalise and lower to linalg ResNet-50: the wall time that
     --mlir-timing gives the passes; at most 1 s.
  2. The same of a generated network of residual blocks, 16 and 1600 of them:
     the time per block of the deep one over that of the shallow one; at most
     1.25, which is linear up to the noise of the smaller one.
  3. ResNet-50 run raised and un-raised through the same pipeline on one core,
     in turn: peak bytes of buffers (at most 1.1 times) and the best run time
     (likewise). Results must agree.

Inputs are random with positive variances, so that every result is a number.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

RAISE = ["--tensoraccess-raise", "--canonicalize"]
LOWER = [*RAISE, "--tensoraccess-lower-to-linalg"]
BLOCKS = (16, 1600)
QUICK_BLOCKS = (2, 8)

TYPES = {"f32": numpy.float32, "f64": numpy.float64, "f16": numpy.float16,
         "i32": numpy.int32, "i64": numpy.int64, "i8": numpy.int8}


def make_inputs(model, folder, seed=7, function=None):
    """Writes one .npy per argument of a function, or of the first one, and returns
    their paths. Tensors of
    rank 1 are scales, shifts and variances: positive; the others are normal,
    scaled so that sums over all but the last dimension stay near 1."""
    text = pathlib.Path(model).read_text(encoding="utf-8")
    start = text.index(f"@{function}(" if function else "func.func")
    signature = text[start:text.index("->", start)]
    generator = numpy.random.default_rng(seed)
    paths = []
    for number, spec in enumerate(
            re.findall(r"%\w+: tensor<([^>]*)>", signature)):
        *sizes, element = spec.split("x")
        shape = [int(size) for size in sizes]
        dtype = TYPES[element]
        if dtype().dtype.kind == "i":
            value = generator.integers(0, 4, shape).astype(dtype)
        elif len(shape) == 1:
            value = generator.uniform(0.5, 1.5, shape).astype(dtype)
        else:
            fan_in = max(1, int(numpy.prod(shape[:-1])))
            value = (fan_in ** -0.5 *
                     generator.standard_normal(shape)).astype(dtype)
        paths.append(str(pathlib.Path(folder) / f"{number}.npy"))
        numpy.save(paths[-1], value)
    return paths


def deep_network(blocks):
    """A chain of residual blocks: padded 3x3 convolution, bias, relu, sum."""
    image = "tensor<1x14x14x32xf32>"
    lines = [
        "#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>",
        "#last = affine_map<(d0, d1, d2, d3) -> (d3)>",
        f"func.func @main(%x0: {image}, %w: tensor<3x3x32x32xf32>, "
        f"%b: tensor<32xf32>) -> {image} {{",
        "  %zero = arith.constant 0.0 : f32",
        f"  %e = tensor.empty() : {image}",
        f"  %f = linalg.fill ins(%zero : f32) outs(%e : {image}) -> {image}"]
    for i in range(blocks):
        lines += [
            f"  %p{i} = tensor.pad %x{i} low[0, 1, 1, 0] high[0, 1, 1, 0] {{",
            "  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):",
            "    tensor.yield %zero : f32",
            f"  }} : {image} to tensor<1x16x16x32xf32>",
            f"  %c{i} = linalg.conv_2d_nhwc_hwcf ins(%p{i}, %w : "
            "tensor<1x16x16x32xf32>, tensor<3x3x32x32xf32>) "
            f"outs(%f : {image}) -> {image}",
            f"  %r{i} = linalg.generic {{indexing_maps = [#id, #last, #id], "
            "iterator_types = [\"parallel\", \"parallel\", \"parallel\", "
            f"\"parallel\"]}} ins(%c{i}, %b : {image}, tensor<32xf32>) "
            f"outs(%e : {image}) {{",
            "  ^bb0(%c: f32, %bias: f32, %out: f32):",
            "    %s = arith.addf %c, %bias : f32",
            "    %m = arith.maximumf %s, %zero : f32",
            "    linalg.yield %m : f32",
            f"  }} -> {image}",
            f"  %x{i + 1} = linalg.generic {{indexing_maps = [#id, #id, #id], "
            "iterator_types = [\"parallel\", \"parallel\", \"parallel\", "
            f"\"parallel\"]}} ins(%r{i}, %x{i} : {image}, {image}) "
            f"outs(%e : {image}) {{",
            "  ^bb0(%a: f32, %c: f32, %out: f32):",
            "    %s = arith.addf %a, %c : f32",
            "    linalg.yield %s : f32",
            f"  }} -> {image}"]
    lines += [f"  return %x{blocks} : {image}", "}"]
    return "\n".join(lines) + "\n"


class Lowering:
    def __init__(self, figures):
        self.figures = figures
        self.quick = figures.quick
        self.opt = figures.opt
        self.run = figures.opt.parent / "tensoraccess-run"

    def time_passes(self, model, flags, repeats):
        best = float("inf")
        for _ in range(repeats):
            result = subprocess.run(
                [self.opt, model, *flags, "-o", os.devnull, "--mlir-timing",
                 "--mlir-timing-display=list", "--mlir-disable-threading"],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                encoding="utf-8", check=True)
            best = min(best, self.figures.read_timing(result.stderr))
        return best

    def measure_compile(self, model):
        taken = self.time_passes(model, LOWER, 1 if self.quick else 5)
        self.figures.add(f"raise, canonicalise, lower {self.figures.name}",
                         f"{taken * 1e3:.0f} ms", "1000 ms", taken)

    def measure_linearity(self, folder):
        times = []
        depths = QUICK_BLOCKS if self.quick else BLOCKS
        for blocks, repeats in zip(depths, (1 if self.quick else 9, 1)):
            path = pathlib.Path(folder) / f"deep{blocks}.mlir"
            path.write_text(deep_network(blocks), encoding="utf-8")
            times.append(self.time_passes(path, LOWER, repeats))
        shallow, deep = (1e3 * taken / blocks
                         for taken, blocks in zip(times, depths))
        self.figures.add(f"the same, a block of {depths[1]}",
                         f"{deep:.2f} ms",
                         f"of {depths[0]}, {shallow:.2f} ms",
                         deep / shallow, limit=1.25)

    def execute(self, model, inputs, *options):
        """The report of a run on one core."""
        result = subprocess.run(
            ["taskset", "-c", "0", self.run, model,
             "--inputs=" + ",".join(inputs), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        if result.returncode:
            sys.exit(f"{model} failed\n{result.stdout}{result.stderr}")
        return result.stdout

    def measure_run(self, model, folder):
        raised = pathlib.Path(folder) / "raised.mlir"
        subprocess.run([self.opt, model, *RAISE, "-o", raised], check=True)
        inputs = make_inputs(model, folder)
        self.execute(raised, inputs, f"--compare={model}")
        times = {raised: [], model: []}
        peaks = {}
        turns, repeat = (1, 1) if self.quick else (2, 7)
        for _ in range(turns):
            for program in times:
                report = self.execute(program, inputs, "--time",
                                      f"--repeat={repeat}")
                times[program].append(
                    float(re.search(r"run ([-+.\de]+) ms", report)[1]))
                peaks[program] = int(re.search(r"memory +(\d+)", report)[1])
        own, other = min(times[raised]), min(times[model])
        self.figures.add(f"run of raised {self.figures.name}, one core",
                         f"{own:.0f} ms", f"un-raised, {other:.0f} ms",
                         own / other, limit=1.1)
        self.figures.add("peak of its buffers", f"{peaks[raised] / 1e6:.2f} MB",
                         f"un-raised, {peaks[model] / 1e6:.2f} MB",
                         peaks[raised] / peaks[model], limit=1.1)

    def measure(self):
        model = self.figures.model
        with tempfile.TemporaryDirectory() as folder:
            self.measure_compile(model)
            self.measure_linearity(folder)
            self.measure_run(model, folder)
