# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sphinx's configuration of the documents' site; see make.py."""
import inspect
import re

import tensoraccess
from pygments import token
from pygments.lexer import RegexLexer

project = "TensorAccess"
version = release = tensoraccess.__version__
copyright = "the TensorAccess authors"
extensions = ["myst_nb", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_extra"]
html_copy_source = False
html_use_index = False
html_show_sphinx = False

myst_heading_anchors = 4
# `bytes` of an annotation is Python's, not a property of that name.
# Generated pages begin with headings of the third level.
suppress_warnings = ["ref.python", "myst.header"]

# What a notebook claims, it asserts.
nb_execution_mode = "force"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"


class MLIR(RegexLexer):
    """MLIR, as far as colours go."""

    name = "MLIR"
    tokens = {
        "root": [
            (r"//.*?$", token.Comment.Single),
            (r'"(\\.|[^"\\])*"', token.String),
            (r"%[\w$.-]+(#\d+)?", token.Name.Variable),
            (r"@[\w$.-]+", token.Name.Function),
            (r"\^[\w$.-]+", token.Name.Label),
            (r"[#!][a-zA-Z_][\w$.-]*", token.Name.Class),
            (r"\b[a-z_]\w*\.[a-z_][\w.]*", token.Keyword),
            (r"\b(return|module|to|at|step|else|ins|outs|loc|dense|array)\b",
             token.Keyword),
            (r"\b(tensor|memref|vector|index|[su]?i\d+|bf16|tf32|f\d+\w*)\b",
             token.Keyword.Type),
            (r"-?\d+(\.\d+)?([eE][-+]?\d+)?", token.Number),
            (r"\d+x|\?x", token.Number),
            (r"\w+", token.Name),
            (r"\s+", token.Whitespace),
            (r".", token.Punctuation),
        ]
    }


def short(text):
    """Classes have the names that users import."""
    return text and re.sub(r"\b(tensoraccess\._\w+|collections\.abc|typing)\.", "", text)


def as_rst(app, what, name, obj, options, lines):
    """Docstrings are text with `code`, and blocks of it; nothing else is markup."""
    def mark(text):
        return "".join(
            f"``{part[1:-1].strip()}``" if re.fullmatch("`[^`]+`", part)
            else re.sub(r"([*|_\\])", r"\\\1", part)
            for part in re.split("(`[^`]+`)", text))

    paragraphs = inspect.cleandoc("\n".join(lines)).split("\n\n")
    for i, text in enumerate(paragraphs):
        if text and all(line.startswith("    ") for line in text.splitlines()):
            paragraphs[i] = "::\n\n" + text
        elif text.startswith("Args:\n"):
            entries = inspect.cleandoc(text.partition("\n")[2])
            paragraphs[i] = re.sub(r"^(?=\S)", "* ", re.sub(
                r"^(?=\s)", "  ", mark(entries), flags=re.M), flags=re.M)
        else:
            paragraphs[i] = mark(text)
    signature = getattr(getattr(obj, "fget", None), "__nb_signature__", None)
    if signature:
        kind = short(signature[0][0].partition("-> ")[2])
        said = paragraphs[0] if not paragraphs[0].startswith("(self)") else ""
        paragraphs[0] = f"``{kind}``" + (f": {said}" if said else "")
    lines[:] = "\n\n".join(paragraphs).split("\n")


def as_named(app, what, name, obj, options, signature, returned):
    return short(signature), short(returned)


def as_functions(scope):
    """What is called natively as functions of Python, whose documentation begins
    with the signature."""
    for name, member in list(vars(scope).items()):
        if type(member).__name__ in ("interruptible", "nb_func"):
            def function(): ...
            function.__name__, function.__module__ = name, "tensoraccess"
            # An alias has the name of what it is.
            function.__doc__ = re.sub(r"^\w+(?=\()", name, member.__doc__ or "")
            is_method = function.__doc__.startswith(f"{name}(self")
            setattr(scope, name, function if is_method or inspect.ismodule(scope)
                    else staticmethod(function))
        elif isinstance(member, property) and re.match(r"\w+\(", member.__doc__ or ""):
            setattr(scope, name, property(member.fget, doc=" "))


def setup(app):
    app.add_lexer("mlir", MLIR)
    app.connect("autodoc-process-docstring", as_rst)
    app.connect("autodoc-process-signature", as_named)
    as_functions(tensoraccess)
    for member in vars(tensoraccess).values():
        if inspect.isclass(member):
            as_functions(member)
