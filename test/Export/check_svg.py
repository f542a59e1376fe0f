# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a drawing: well-formed XML, no text over another, all of it inside.

The fonts that drawings name are at most 0.602 of their size wide a character.
"""
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def walk(element):
    """What is drawn, without what is defined."""
    yield element
    for child in element:
        if child.tag != SVG + "defs":
            yield from walk(child)


def boxes(root):
    """The bounding box of each text, with the text."""
    for text in walk(root):
        if text.tag != SVG + "text":
            continue
        size = int(text.get("font-size"))
        x, y = int(text.get("x")), int(text.get("y"))
        width = len(text.text) * size * 0.602
        yield (x, y - size * 0.8, x + width, y + size * 0.2), text.text


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def check(root, width, height):
    found = sorted(boxes(root), key=lambda entry: entry[0][1])
    assert found, "a drawing without text"
    for i, (box, text) in enumerate(found):
        inside = box[0] >= 0 and box[1] >= 0
        assert inside and box[2] <= width and box[3] <= height, (text, box)
        for other, words in found[i + 1:]:
            if other[1] >= box[3]:
                break
            assert not overlap(box, other), (text, words)
    cards = [tuple(int(rect.get(key)) for key in ("x", "y", "width", "height"))
             for rect in walk(root) if rect.tag == SVG + "rect" and rect.get("rx") == "8"]
    for i, (x, y, w, h) in enumerate(cards):
        for x2, y2, w2, h2 in cards[i + 1:]:
            assert not overlap((x, y, x + w, y + h),
                               (x2, y2, x2 + w2, y2 + h2)), "cards overlap"


def check_columns(root, width, height):
    """What is defined once and shown in columns: all of it, and in the drawing."""
    for group in root.iter(SVG + "g"):
        columns = [svg for svg in root.iter(SVG + "svg")
                   for use in svg if use.get("href") == "#" + group.get("id", "")]
        seen = 0
        for column in columns:
            _, begin, _, extent = map(int, column.get("viewBox").split())
            assert begin == seen and extent == int(column.get("height"))
            assert int(column.get("x")) + int(column.get("width")) <= width
            assert int(column.get("y")) + extent <= height
            seen += extent
        check(group, int(columns[0].get("width")), seen)
        # No card is cut.
        cuts = {int(column.get("viewBox").split()[1]) for column in columns}
        for rect in walk(group):
            if rect.get("rx") == "8":
                y = int(rect.get("y"))
                assert not any(y < cut < y + int(rect.get("height")) for cut in cuts)


def main(path):
    root = ElementTree.parse(path).getroot()
    width, height = int(root.get("width")), int(root.get("height"))
    check(root, width, height)
    check_columns(root, width, height)


if __name__ == "__main__":
    main(sys.argv[1])
