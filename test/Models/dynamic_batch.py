#!/usr/bin/env python3
"""Writes ResNet-50 for any number of small images, from the model for one.

    python3 dynamic_batch.py resnet50.linalg.mlir BATCH > dynamic.mlir

1. Activations `tensor<1xHxWxC>` become `tensor<?xhxwxC>`, with the images shrunk
   from 224 to 64 points a side; weights and parameters stay.
2. `tensor.empty` takes the batch from the function's argument.
3. A function @batch of static shape, for BATCH images, calls @main, which is not
   inlined, so that its sizes are known at run time only.
"""
import re
import sys

SIDES = {224: 64, 230: 70, 112: 32, 113: 33, 56: 16, 57: 17, 58: 18, 28: 8,
         29: 9, 30: 10, 14: 4, 15: 5, 16: 6, 7: 2, 9: 4}


def main():
    path, batch = sys.argv[1], int(sys.argv[2])
    with open(path) as file:
        text = file.read()

    def shrink(match):
        height, width, channels = (int(n) for n in match.groups())
        if height not in SIDES or width not in SIDES:
            return match.group(0)
        return f"tensor<?x{SIDES[height]}x{SIDES[width]}x{channels}xf32>"

    text = re.sub(r"tensor<1x(\d+)x(\d+)x(\d+)xf32>", shrink, text)
    text = re.sub(r"tensor<1x(\d+)xf32>", r"tensor<?x\1xf32>", text)
    # The mean is over 2x2 places instead of 7x7.
    text = text.replace("4.900000e+01", "4.000000e+00")
    # Parameters are 1x1x1xC whatever the batch is.
    text = text.replace("-> (d0, 0, 0, d3)>", "-> (0, 0, 0, d3)>")
    text = re.sub(r"tensor\.empty\(\) : tensor<\?", "tensor.empty(%bn) : tensor<?",
                  text)

    # Random variances may be negative, and random weights grow from layer to
    # layer; NaN would hide everything after it.
    text = re.sub(
        r"( +)(%\w+) = math\.rsqrt (%\w+) : f32",
        r"\1%absolute = math.absf \3 : f32\n"
        r"\1%one = arith.constant 1.0 : f32\n"
        r"\1%positive = arith.addf %absolute, %one : f32\n"
        r"\1%root = math.rsqrt %positive : f32\n"
        r"\1%little = arith.constant 0.0625 : f32\n"
        r"\1\2 = arith.mulf %root, %little : f32", text)
    # A bias beside a batch of 1 is repeated.
    text = re.sub(
        r"(%\w+) = tensor\.expand_shape (%\w+) \[\[0, 1\]\] output_shape "
        r"\[1, \d+\] : (tensor<\d+xf32>) into (tensor<\?x\d+xf32>)",
        r"%bias = tensor.empty(%bn) : \4\n    \1 = linalg.broadcast "
        r"ins(\2 : \3) outs(%bias : \4) dimensions = [0]", text)

    def addBatch(match):
        header = match.group(0)
        name, type_ = re.search(r"(%arg\d+): (tensor<\?[^>]*>)", header).groups()
        return (header.replace(" {\n", " attributes {no_inline} {\n")
                if "@main(" in header else header) + (
            "    %bc = arith.constant 0 : index\n"
            f"    %bn = tensor.dim {name}, %bc : {type_}\n")

    text = re.sub(r"  func\.func .*\{\n", addBatch, text)
    arguments, result = re.search(
        r"@main\((.*?)\) -> (?:\()?(tensor<[^>]*>)", text).groups()
    names = re.findall(r"%arg\d+", arguments)
    types = re.findall(r"tensor<[^>]*>", arguments)
    static = [t.replace("?", str(batch)) for t in types]
    out = result.replace("?", str(batch))
    body = ""
    called = list(names)
    for i, (old, new) in enumerate(zip(types, static)):
        if old != new:
            called[i] = f"%cast{i}"
            body += f"    %cast{i} = tensor.cast {names[i]} : {new} to {old}\n"
    body += (f"    %r = call @main({', '.join(called)}) : ({', '.join(types)})"
             f" -> {result}\n"
             f"    %s = tensor.cast %r : {result} to {out}\n"
             f"    return %s : {out}\n")
    signature = ", ".join(f"{n}: {t}" for n, t in zip(names, static))
    function = f"  func.func @batch({signature}) -> {out} {{\n{body}  }}\n"
    end = text.rstrip().rindex("}")
    sys.stdout.write(text[:end] + function + "}\n")


if __name__ == "__main__":
    main()
