# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models, compiled by us and by others, timed in turn.

    taskset -c 0 python3 bench/model_speed.py [--only REGEX] [--rounds N]

A row is a model, our best time, with its weights packed by the first call
(`compile(weights=…)`) and as they are, the best of OpenVINO, ONNX Runtime and IREE (`-`
where one is missing, or has not the model), the ratio of the least of theirs to the first
of ours (1: as fast; more: faster), the seconds that compiling took us and IREE, and the
largest difference from any of theirs in parts of the largest result. All have weights as
they like them best, f32 throughout, and code for this processor. With one processor to use
all run on one thread, else on as many as there are.
"""
import argparse
import os
import pathlib
import re
import time

import numpy as np

import tensoraccess as ta

try:
    import iree.compiler
    import iree.runtime
except ImportError:
    iree = None
try:
    import onnxruntime
    import openvino

    import onnx_models
except ImportError:
    onnx_models = None

ROOT = pathlib.Path(__file__).resolve().parent.parent / "test" / "Models"
#: The entry of each model, the number of the input that is not a weight, IREE's input type.
MODELS = {
    "resnet50.linalg": ("main", 267, "auto"),
    "resnet18.linalg": ("main", 0, "auto"),
    "mobilenet.linalg": ("main", 28, "auto"),
    "encoder2.stablehlo-generic": ("main", 32, "stablehlo"),
    "attention.linalg": ("main", 0, "auto"),
    "small_onnx.tosa": ("g", 0, "tosa"),
}


PEERS = ("OpenVINO", "ONNX Runtime", "IREE")


def make_inputs(types):
    """Scales and variances are positive, weights the smaller the more are summed."""
    rng = np.random.default_rng(1)
    arrays = []
    for dtype, shape in types:
        array = rng.uniform(-1, 1, shape)
        if len(shape) == 1:
            array = abs(array) + 0.5
        else:
            array /= np.sqrt(max(1, np.prod(shape[:-1]) / 3))
        arrays.append(array.astype(dtype))
    return arrays


class Iree:
    """A model as IREE runs it, on that many threads."""

    def __init__(self, text, entry, kind, arrays, threads):
        begin = time.perf_counter()
        binary = iree.compiler.compile_str(
            text, input_type=kind, target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host"])
        self.seconds = time.perf_counter() - begin
        config = iree.runtime.Config("local-sync" if threads == 1 else "local-task")
        context = iree.runtime.SystemContext(config=config)
        module = iree.runtime.VmModule.copy_buffer(context.instance, binary)
        context.add_vm_module(module)
        self.function = context.modules[module.name][entry]
        self.arrays = [iree.runtime.asdevicearray(config.device, a) for a in arrays]

    def __call__(self):
        return self.function(*self.arrays).to_host()


class OpenVino:
    def __init__(self, model, array, threads):
        self.request = openvino.Core().compile_model(
            openvino.Core().read_model(model.SerializeToString()), "CPU",
            {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32",
             "PERFORMANCE_HINT": "LATENCY"}).create_infer_request()
        self.array = array

    def __call__(self):
        return self.request.infer([self.array], share_inputs=True)[0]


class OnnxRuntime:
    def __init__(self, model, array, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        self.array = array

    def __call__(self):
        return self.session.run(None, {"x": self.array})[0]


def get_best(run, best):
    """The least time of a few calls, some tenths of a second together."""
    end = time.perf_counter() + 0.15
    while time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begin)
    return best


def measure(path, entry, data, kind, rounds, threads):
    text = path.read_text()
    module = ta.Module(text)
    types = [(x.dtype, x.shape) for x in module.interpret(entry).inputs]
    arrays = make_inputs(types)
    begin = time.perf_counter()
    packed = module.compile(entry, weights=set(range(len(types))) - {data}, cache=False)
    seconds = time.perf_counter() - begin
    plain = module.compile(entry, cache=False)
    runs = {"packed": lambda: packed(*arrays), "plain": lambda: plain(*arrays)}
    expected = plain(*arrays)
    assert packed(*arrays).tobytes() == expected.tobytes()
    peers = {}
    if onnx_models and path.stem in onnx_models.MODELS:
        model = onnx_models.MODELS[path.stem](arrays)
        peers["OpenVINO"] = OpenVino(model, arrays[data], threads)
        peers["ONNX Runtime"] = OnnxRuntime(model, arrays[data], threads)
    if iree:
        try:
            peers["IREE"] = Iree(text, entry, kind, arrays, threads)
        except iree.compiler.CompilerToolError:
            pass
    difference = max((abs(peer() - expected).max() for peer in peers.values()), default=0)
    runs |= peers
    best = dict.fromkeys(runs, np.inf)
    for _ in range(rounds):
        for name, run in runs.items():
            best[name] = get_best(run, best[name])
    row = f"{path.stem:28}{best['packed'] * 1e3:9.3f}{best['plain'] * 1e3:9.3f}"
    for name in PEERS:
        row += f"{best[name] * 1e3:13.3f}" if name in best else f"{'-':>13}"
    if peers:
        ratio = min(best[name] for name in peers) / best["packed"]
        row += f"{ratio:7.2f}"
    else:
        row += f"{'-':>7}"
    row += f"{seconds:8.2f}"
    row += f"{peers['IREE'].seconds:7.2f}" if "IREE" in peers else f"{'-':>7}"
    row += f"{difference / abs(expected).max():12.1e}" if peers else f"{'-':>12}"
    print(row, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="models whose names match")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    threads = len(os.sched_getaffinity(0))
    print(f"{'model, ms':28}{'ours':>9}{'unpacked':>9}"
          + "".join(f"{name:>13}" for name in PEERS)
          + f"{'ratio':>7}{'compile':>8}{'IREE':>7}{'difference':>12}")
    for name, (entry, data, kind) in MODELS.items():
        if re.search(arguments.only, name):
            measure(ROOT / f"{name}.mlir", entry, data, kind, arguments.rounds, threads)


if __name__ == "__main__":
    main()
