# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which native calls Ctrl-C ends: all that may take longer than an eye's blink.

The rest are answers that are read off a value, and cost less than handing them
to another thread would.
"""

from . import _native

_CALLS = {
    _native: [
        "access_forms",
        "block_space",
        "build",
        "check_equivalence",
        "compile",
        "count_union",
        "exact_cover",
        "explore",
        "fusion",
        "indexing_of_function",
        "indexing_of_ops",
        "interpret",
        "memory_accesses",
        "plan_shards",
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
    _native.IndexingMap: [
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
    _native.Layout: ["linearize_all", "same_map"],
    _native.NativeEGraph: ["classes", "extract", "nodes", "to_dot", "to_json"],
    _native.NativeExecutable: ["call"],
    _native.NativeInterpreted: ["call"],
    _native.NativeModule: ["bytecode", "functions", "parse", "print", "run"],
    _native.NativePlan: ["ops", "svg", "tensor_svg"],
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
}

for _scope, _names in _CALLS.items():
    _native.make_interruptible(_scope, _names)
