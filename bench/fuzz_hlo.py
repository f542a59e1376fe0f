#!/usr/bin/env python3
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged HLO text: each is read and explained, or refused with a place; nothing
crashes.

    bench/fuzz_hlo.py DUMP [...] [--programs N] [--seed S]
                                                 # PYTHONPATH=build/python

A dump is damaged in a few places: bytes, words or lines are left out, written twice,
exchanged, or replaced by words of other dumps. Exits with 1 if an error has no place.
A crash ends the run; the last text is in the file that --last names.
"""
import argparse
import pathlib
import random
import re
import sys

import tensoraccess as ta

#: Words that are likely to mean something where they do not belong.
WORDS = ["{", "}", "(", ")", "[", "]", "=", ",", "%", "ROOT", "ENTRY", "f32[]", "pred[2]",
         "(f32[], s32[])", "-1", "0", "9223372036854775807", "99999999999999999999", "to_apply=",
         "calls=", "dimensions={0,1}", "dimensions={}", "{...}", "nan", "\"", "/*", "token[]",
         "f32[0]", "f32[<=3]", "f32[?]", "parameter(0)", "parameter(-1)", "constant(1)", "x", "tuple("]


def damage(text, rng, words):
    for _ in range(rng.randint(1, 4)):
        kind = rng.randrange(6)
        if kind == 0 and text:
            at = rng.randrange(len(text))
            text = text[:at] + text[at + rng.randint(1, 8):]
        elif kind == 1:
            at = rng.randint(0, len(text))
            text = text[:at] + rng.choice(words) + text[at:]
        elif kind == 2:
            tokens = re.split(r"([\s,(){}=]+)", text)
            i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
            tokens[i], tokens[j] = tokens[j], tokens[i]
            text = "".join(tokens)
        elif kind == 3:
            tokens = re.split(r"([\s,(){}=]+)", text)
            tokens[rng.randrange(len(tokens))] = rng.choice(words)
            text = "".join(tokens)
        elif kind == 4:
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
        else:
            lines = text.split("\n")
            i = rng.randrange(len(lines))
            lines[i:i + 1] = [] if rng.random() < 0.5 else [lines[i]] * 2
            text = "\n".join(lines)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dumps", nargs="+", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--last", type=pathlib.Path, default=pathlib.Path("last.hlo"))
    options = parser.parse_args()
    texts = [path.read_text() for path in options.dumps]
    words = WORDS + [word for text in texts for word in re.findall(r"[\w.\[\]{}-]+=?", text)]
    rng = random.Random(options.seed)
    read = refused = wrong = 0
    for _ in range(options.programs):
        text = damage(rng.choice(texts), rng, words)
        if not text.lstrip().startswith("HloModule"):
            text = "HloModule m\n" + text
        options.last.write_text(text)
        try:
            ta.Module(text).run("tensoraccess-annotate-indexing")
            ta.explain(text)
            read += 1
        except ta.Error as error:
            refused += 1
            if not re.search(r"\d+:\d+", str(error)):
                wrong += 1
                print(f"no place: {error}")
    options.last.unlink()
    print(f"{options.programs} damaged programs: {read} read, {refused} refused, {wrong} without a place")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
