# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a model of images for several of them: `batched.py MODEL N`.

MODEL is StableHLO in generic form for one image, as JAX prints it: activations
are 1 x height x width x channels, before the classes 1 x features. Their types
get N for the 1; those of weights stay, since a weight that begins with 1 is one
pixel (1 x 1 x ...) or a row that is broadcast (1 x 1 x 1 x channels). A reshape
of a bias to a row of the batch becomes the broadcast that it stands for. An op
whose types do not fit then is refused by the compiler, not run.
"""
import pathlib
import re
import sys


def batch(text, images):
    """The model for so many images, and how many types were changed."""
    changed = 0

    def change(match):
        nonlocal changed
        sizes = match.group(1).split("x")
        is_image = len(sizes) == 4 and sizes[:2] != ["1", "1"]
        if sizes[0] != "1" or not (is_image or len(sizes) == 2):
            return match.group(0)
        changed += 1
        return f"tensor<{images}x{'x'.join(sizes[1:])}x{match.group(2)}>"

    text = re.sub(r"tensor<((?:\d+x)*\d+)x([a-z]\w*)>", change, text)
    text = re.sub(
        r'"stablehlo.reshape"(\(%\w+\)) : '
        rf"(\(tensor<(\d+x\w+)>\) -> tensor<{images}x\3>)",
        r'"stablehlo.broadcast_in_dim"\1 '
        r"<{broadcast_dimensions = array<i64: 1>}> : \2", text)
    return text, changed


if __name__ == "__main__":
    result, number = batch(pathlib.Path(sys.argv[1]).read_text(),
                           int(sys.argv[2]))
    if not number:
        sys.exit(f"{sys.argv[1]} has no types of single images")
    print(result, end="")
