# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which native calls Ctrl-C interrupts: all that may take noticeable time.

The rest are answers that are read off a value, and cost less than handing them
to another thread would.
"""

from . import _native

_PICTURES = ["svg", "to_text", "_repr_svg_"]

_CALLS = {
    _native: [
        "access_forms",
        "block_space",
        "build",
        "check_equivalence",
        "compile",
        "count_bank_cycles",
        "count_union",
        "dependence",
        "exact_cover",
        "explore",
        "fusion",
        "indexing_of_function",
        "indexing_of_ops",
        "interpret",
        "make_egraph",
        "memory_accesses",
        "plan_exchange",
        "plan_shards",
        "prove",
        "read_coalescing",
        "read_glenside",
        "report",
        "run_ranks",
        "saturate",
        "to_glenside",
        "to_svg",
        "zero_regions",
    ],
    _native.BlockSpace: ["footprints"],
    _native.CostModel: ["calibrate"],
    _native.Distribution: ["exchange"],
    _native.IndexingMap: [
        "bank_conflicts",
        "coalescing",
        "compose",
        "count_image",
        "count_points",
        "difference_witness",
        "equivalent",
        "evaluate_all",
        "find_point",
        "image",
        "inverse",
        "is_empty",
        "is_injective",
        "merge_symbols",
        "preimage",
        "remove_unused_symbols",
        "remove_unused_vars",
        "rescale_symbols",
        "simplify",
    ],
    _native.Layout: ["linearize_all", "same_map", "to_svg", *_PICTURES],
    _native.LinearLayout: _PICTURES,
    _native.NativeEGraph: ["classes", "extract", "nodes", "to_dot", "to_json"],
    _native.NativeExecutable: ["call", "profile"],
    _native.NativeInterpreted: ["call"],
    _native.NativeModule: [
        "bytecode",
        "functions",
        "needs_refined_shapes",
        "parse",
        "print",
        "run",
    ],
    _native.NativePlan: ["exchange_at", "ops", "svg", "tensor_svg"],
    _native.Projection: [
        "elements",
        "footprint",
        "halo",
        "is_disjoint",
        "is_injective",
        "overlap",
        "preimage",
    ],
    _native.Relayout: ["run"],
    _native.StridedLayout: ["numbers", *_PICTURES],
    _native.Tile: ["elements"],
}

for _scope, _names in _CALLS.items():
    _native.make_interruptible(_scope, _names)
