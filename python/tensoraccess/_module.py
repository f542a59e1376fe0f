# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules: what can be read, and what can be asked of them."""

from __future__ import annotations

import os
import re
from typing import (
    Any,
    Callable,
    Iterable,
    Mapping,
    NamedTuple,
    Optional,
    Protocol,
    Sequence,
    Union,
    runtime_checkable,
)

from . import _native
from ._arguments import _integer, _number, _text
from ._egraph import (
    Cost,
    EGraph,
    Rules,
    Saturation,
    _cost,
    _options,
    _saturation,
    rule_names,
)
from ._equivalence import Equivalence, _equivalence
from ._executable import Executable, SizedExecutable, _as_argument, _finish
from ._page import Page, Shown
from ._plan import GridLike, Plan, ShardedRun
from ._weights import find_weights

_SUFFIXES = (".mlir", ".mlirbc", ".bc", ".hlo")

# What a scatter does with windows that are partly outside.
_SCATTERS = ("stablehlo", "xla")

# What an item of the report has.
_ITEM = ("kind", "section", "name", "function", "location", "metrics", "text",
         "reason")


@runtime_checkable
class HasAsm(Protocol):
    """A module or operation of MLIR's Python bindings, from any package."""

    def get_asm(self, *args: Any, **kwargs: Any) -> Union[str, bytes]: ...


Source = Union[str, bytes, "os.PathLike[str]", HasAsm]


class Function(NamedTuple):
    """A function of a module; types are MLIR's text."""

    name: str
    inputs: list[str]
    results: list[str]
    private: bool
    location: str


def _read(path: Union[str, "os.PathLike[str]"]) -> tuple[bytes, str]:
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            return file.read(), name
    except OSError as e:
        reason = (e.strerror or str(e)).lower()
        raise _native.Error(f"cannot open '{name}': {reason}") from e


# Booleans in hexadecimal digits, which later versions of MLIR print a byte each. In
# ordinary form they are read so.
_BOOLEANS = re.compile(r'dense<"0x[0-9A-Fa-f]*"> : tensor<[0-9x]*xi1>')


def _print(get_asm: Callable[..., Any], **flags: Any) -> bytes:
    """The text of a module: generic, which any dialect's ops have, where it can be."""
    asm = get_asm(print_generic_op_form=True, **flags)
    if isinstance(asm, str) and _BOOLEANS.search(asm):
        asm = get_asm(print_generic_op_form=False, **flags)
    return asm.encode() if isinstance(asm, str) else asm


def _is_jax(x: Any) -> bool:
    """Whether JAX lowered or exported this, for XLA."""
    return type(x).__module__.startswith("jax.") or isinstance(
        getattr(x, "mlir_module_serialized", None), bytes
    )


def _print_hlo(module: Any) -> bytes:
    """HLO text with all constants, of a module of JAX's package."""
    from jaxlib import _hlo

    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    text: str = module.to_string(options)
    return text.encode()


def _source(x: Source) -> tuple[bytes, str]:
    """The text or bytecode of `x`, and a name for locations."""
    if isinstance(x, os.PathLike):
        return _read(x)
    if isinstance(x, (bytes, bytearray, memoryview)):
        return bytes(x), "<bytes>"
    if isinstance(x, str):
        one_line = "\n" not in x and "\0" not in x
        if one_line and (x.endswith(_SUFFIXES) or os.path.exists(x)):
            return _read(x)
        return x.encode(), "<text>"
    # What JAX lowers a function to, and what it exports.
    for name in ("lower", "compiler_ir"):
        make = getattr(x, name, None)
        if make is not None and type(x).__module__.startswith("jax."):
            x = make()
    # What JAX compiles one to: HLO, whose text leaves large constants out.
    modules = getattr(getattr(x, "runtime_executable", lambda: None)(), "hlo_modules", None)
    if modules is not None:
        return _print_hlo(modules()[0]), "<compiled>"
    exported = getattr(x, "mlir_module_serialized", None)
    if isinstance(exported, bytes):
        return exported, "<exported>"
    # Modules of some bindings have get_asm only on their operation.
    for owner in (x, getattr(x, "operation", None)):
        get_asm = getattr(owner, "get_asm", None)
        if get_asm is not None:
            # What JAX lowers knows the lines of the function.
            if type(owner).__module__.startswith("jaxlib."):
                return _print(get_asm, enable_debug_info=True), "<asm>"
            return _print(get_asm), "<asm>"
    got = type(x).__name__
    if callable(x) and hasattr(x, "lower"):
        # What jax.jit and ta.jit return.
        raise _native.Error(
            f"{got} has no program before the types of its arguments are known: "
            "write ta.Module(f.lower(x)), x being an example of each"
        )
    if callable(x) and not isinstance(x, type):
        raise _native.Error(
            f"a module is made from a program, got {got}: for a function that JAX "
            "traces write ta.Module(jax.jit(f).lower(x)), or ta.jit(f) to call it"
        )
    raise _native.Error(
        f"a module is made from text, a path, bytes or an object with get_asm, got {got}"
    )


class Module(Shown):
    """An MLIR module. Immutable: a pipeline makes a new one.

    `source` is MLIR text, the path of a file (text or bytecode), bytes (text
    or bytecode), any object with `get_asm`, such as the modules and operations
    of JAX and of MLIR's own bindings, or the program that JAX produces: `lower`,
    `trace` and `jax.export`. Bytecode may be a portable artifact of StableHLO. A
    one-line string that ends in .mlir, .mlirbc, .bc or .hlo, or that names a file or
    folder, is a path (and a folder is refused). StableHLO, CHLO and Shardy are read in ordinary form, too, and
    HLO text; unregistered dialects are allowed in generic form.

    `scatter` selects what a StableHLO scatter does with windows that are partly
    outside: 'stablehlo' writes what is inside, as the specification has it, 'xla'
    drops them, as `jax.jit` does. Without it, a program from JAX means what XLA
    computes, and any other source what is specified.

    `layouts` keeps those of HLO text, as encodings of types, for what is asked of
    memory; a program that has them is not run.
    """

    __slots__ = ("_native",)

    def __init__(self, source: Source, *, scatter: Optional[str] = None,
                 layouts: bool = False) -> None:
        if scatter not in (None, *_SCATTERS):
            raise _native.Error(
                f"scatter must be one of {', '.join(_SCATTERS)}, got {scatter!r}"
            )
        data, name = _source(source)
        self._native = _native.NativeModule.parse(data, name, layouts)
        if scatter == "xla" or (scatter is None and _is_jax(source)):
            self._native = self._native.run("tensoraccess-drop-partial-windows")

    @classmethod
    def _wrap(cls, native: _native.NativeModule) -> Module:
        self = cls.__new__(cls)
        self._native = native
        return self

    def __str__(self) -> str:
        return self._native.print(False, False)

    def __repr__(self) -> str:
        names = ", ".join("@" + f.name for f in self.functions)
        return f"<Module of {names}>" if names else "<Module>"

    def asm(self, *, generic: bool = False, locations: bool = False) -> str:
        """The text, in generic form and with locations if asked for."""
        return self._native.print(generic, locations)

    def get_asm(
        self,
        *,
        print_generic_op_form: bool = False,
        enable_debug_info: bool = False,
    ) -> str:
        """As `asm`, with the names of MLIR's bindings."""
        return self._native.print(print_generic_op_form, enable_debug_info)

    def bytecode(self) -> bytes:
        """The module as MLIR bytecode."""
        return self._native.bytecode()

    def run(self, pipeline: str) -> Module:
        """The result of a pipeline on this module, which stays as it is.

        `a,b{option=1}` is short for `builtin.module(a,b{option=1})`. What the
        passes remarked is in the result's `diagnostics`.
        """
        return Module._wrap(self._native.run(pipeline))

    def indexing(self) -> dict[str, list[_native.OpIndexing]]:
        """The indexing of every op with results, by function, in order."""
        return dict(_native.indexing_of_ops(self._native))

    def function_indexing(
        self, name: str = "main", *, max_maps: int = 32, max_variables: int = 48
    ) -> _native.OpIndexing:
        """The indexing of a function's results per argument.

        It is composed through all ops of the body, and through calls. A set of
        more than `max_maps` maps, and a map of more than `max_variables`
        variables or constraints, is made smaller without losing a pair; where
        that does not help it is unknown.
        """
        return _native.indexing_of_function(
            self._native, name, max_maps, max_variables
        )

    def fusion(
        self,
        name: str = "main",
        *,
        root: Optional[str] = None,
        through: Optional[Iterable[str]] = None,
        max_maps: int = 32,
        max_variables: int = 48,
    ) -> _native.Fusion:
        """What fusing ops of a function would read and compute again.

        Without `root` the whole function is fused. `root` names an op of it,
        "linalg.reduce", or "linalg.reduce#1" for the second one; its producers
        are fused into it, all of them or those whose names are in `through`.
        """
        names = None if through is None else list(through)
        return _native.fusion(
            self._native, name, root, names, max_maps, max_variables
        )

    def report(
        self, *sections: str, function: str = "", **options: Union[str, int, Sequence[object]]
    ) -> list[dict[str, Any]]:
        """What the analyses found: the remarks of tensoraccess-report.

        `sections` are names of sections (all, if none is given), `options`
        those of sections, such as root="linalg.reduce"; one that no section has
        is an Error that lists them. Each item has 'kind'
        ('analysis' or 'missed'), 'section', 'name', 'function', 'location',
        'metrics' (a dict), 'text' and 'reason'.
        """
        values = {
            name: ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            for name, value in options.items()
        }
        for name in sections:
            _text("section", name)
        return [
            dict(zip(_ITEM, (*head, dict(metrics), text, reason)))
            for *head, metrics, text, reason in _native.report(
                self._native, list(sections), function, values
            )
        ]

    def block_space(
        self,
        op: Optional[str] = None,
        *,
        function: str = "main",
        result: int = 0,
    ) -> _native.BlockSpace:
        """The index space of an op, to be asked about its blocks.

        `op` is "linalg.matmul", or "linalg.matmul#1" for the second one of the
        function; without it the whole function is one op, whose operands are
        its arguments. The axes of a structured op are its loops; those of any
        other op the indices of `result`, and what is summed over.
        """
        number = _integer("result", result)
        if number < 0:
            raise _native.Error(f"result must not be negative, got {number}")
        return _native.block_space(self._native, function, op, number)

    def block_footprints(
        self,
        op: Optional[str] = None,
        block: Optional[_native.Box] = None,
        *,
        function: str = "main",
        result: Optional[int] = None,
    ) -> _native.BlockFootprints:
        """What a block of an op touches of each operand and result.

        `block` is a box of the op's axes (see `block_space`), or of a result's
        indices where `result` is its number; None is the whole op.
        """
        space = self.block_space(op, function=function, result=result or 0)
        if block is None:
            block = space.whole
            if block is None:
                raise _native.Error(
                    "an extent is dynamic: give a block of all axes"
                )
        elif result is not None:
            block = space.block_of_result(block, result)
        return space.footprints(block)

    def access_forms(self) -> dict[str, list[_native.AccessForm]]:
        """What every movement op's result reads, canonically, by function.

        Chains of movement ops that mean the same have the same form: `pieces`
        of `bases`, and a `background` where no piece is.
        """
        return dict(_native.access_forms(self._native))

    def zero_regions(
        self, *, assume_finite: bool = False
    ) -> dict[str, list[_native.ZeroRegion]]:
        """Slices of values that are known to be zero, by function.

        A product with one zero factor is taken for zero only if nothing is
        infinite or NaN, which `assume_finite` promises, or for integers.
        """
        return dict(_native.zero_regions(self._native, assume_finite))

    def memory_accesses(
        self, *, lanes: int = 32, transaction_bytes: int = 128
    ) -> dict[str, list[_native.MemoryAccess]]:
        """What the loads and stores of every function touch and move.

        The lane is the GPU's thread, else a lane or global id; without them a
        vector is one access, and scalars are read by lanes of the innermost
        loop.
        """
        return dict(_native.memory_accesses(self._native, lanes, transaction_bytes))

    def read_coalescing(
        self,
        name: str = "main",
        *,
        lanes: int = 32,
        transaction_bytes: int = 128,
        vector: int = 1,
        plan: str = "auto",
        thread_map: Optional[_native.IndexingMap] = None,
        argument_layouts: Optional[Mapping[int, _native.Layout]] = None,
        result_layouts: Optional[Mapping[int, _native.Layout]] = None,
    ) -> list[_native.OperandRead]:
        """How a function of tensors, as one kernel, would read its arguments.

        `thread_map` goes from (lane, others)[vector] to an index of the result;
        without one, `plan` selects the elements that lanes run over. Layouts, by
        number, go before those of the types.
        """
        return _native.read_coalescing(
            self._native,
            name,
            lanes,
            transaction_bytes,
            vector,
            plan,
            thread_map,
            sorted((argument_layouts or {}).items()),
            sorted((result_layouts or {}).items()),
        )

    def compile(
        self,
        entry: Optional[str] = None,
        *,
        opt_level: int = 3,
        cpu: str = "host",
        checks: bool = True,
        threads: int = 0,
        plain: bool = False,
        weights: Union[int, str, Iterable[Union[int, str]]] = (),
        reassociate: bool = False,
        cache: bool = True,
        profile: bool = False,
    ) -> Executable:
        """Compiles a function, main or else the only public one, and what it calls,
        for this machine: with all of its features, or, where `cpu` is LLVM's name of a processor, with those of
        that one, which this machine must have.

        Sizes and indices that do not fit are an Error when it is called, with the
        interpreter's message; without `checks` they are undefined.

        A call uses at most `threads` threads, one a processor where that is 0; its
        results are the same bits with any number. `plain` compiles as
        `tensoraccess-to-llvm` does, for one thread.

        `weights` are the arguments that are promised to be the same in every call, by
        number or by the name that JAX gave them (`params` is `params['w']`, too),
        besides those with the attribute `tensoraccess.constant`. What is computed of
        them alone, first of all the order in which loops read them, is computed in the
        first call, and again for other arrays or contents; `Executable.packed_bytes` is
        kept of it. numpy's arrays are read-only as long as they are kept, others but
        JAX's are compared with a copy in every call. Constants of the module are packed
        while compiling.

        With `reassociate` floats are added in any order where that is faster: results
        are not the interpreter's bits, and differ between processors. Without it sums
        keep their order, with one rounding for each product and its addition.

        Code is kept on disk, in the folder that TENSORACCESS_CACHE names (none if it
        is empty) or `tensoraccess` in the user's folder of caches, and found there
        when the same program is compiled again; not with `cache=False`.

        With `profile` the function's loop nests can be timed: `Executable.profile`.
        """
        entry = self._resolve(entry)
        if _integer("threads", threads) < 0:
            raise _native.Error(f"threads must be at least 0, got {threads}")
        numbers = find_weights("weights", weights, self._native.argument_names(entry))
        if numbers and plain:
            raise _native.Error("plain code packs no weights")

        def make(module: Module) -> Executable:
            native = _native.compile(
                module._native,
                entry,
                opt_level,
                cpu,
                checks,
                threads,
                plain,
                numbers,
                reassociate,
                cache,
                profile,
            )
            return Executable(native, entry, module._native.literals(entry))

        return self._for_sizes(entry, make)

    def _resolve(self, entry: Optional[str]) -> str:
        """The function that is meant where none is named."""
        if entry is not None:
            return entry
        names = [f.name for f in self.functions if not f.private]
        return names[0] if len(names) == 1 else "main"

    def interpret(self, entry: Optional[str] = None) -> Executable:
        """A function as the reference interpreter runs it: slow, and the reference
        semantics. Calls on one module run one at a time; it knows the models of
        `ta.accelerator`."""
        entry = self._resolve(entry)
        return self._for_sizes(
            entry,
            lambda m: Executable(
                _native.interpret(m._native, entry),
                entry,
                m._native.literals(entry),
            ),
        )

    def refine_shapes(self, sizes: Iterable[int] = (), entry: str = "main") -> Module:
        """A StableHLO program for arguments of static sizes: those of all `?` in the
        function's types, in order of appearance, and with them whatever follows.
        `compile` and `interpret` do this by themselves where a program needs it.

        Raises Error where something does not follow from sizes, or the program
        asserts that they are others.
        """
        text = ",".join(str(int(size)) for size in sizes)
        options = f"entry={entry}" + (f" sizes={text}" if text else "")
        return self.run(f"tensoraccess-refine-shapes{{{options}}}")

    def _for_sizes(
        self, entry: str, make: Callable[[Module], Executable]
    ) -> Executable:
        """What `make` returns for this module, once the sizes that it needs are known."""
        if not self._native.needs_refined_shapes():
            return make(self)
        native = _native.interpret(self._native, entry)
        if all(size is not None for *_, shape in native.inputs for size in shape):
            return make(self.refine_shapes((), entry))
        return SizedExecutable(
            native, entry, lambda sizes: make(self.refine_shapes(sizes, entry))
        )

    def saturate(
        self,
        rules: Rules = (),
        *,
        cost: Cost = "node-count",
        target: Union[None, str, _native.Target] = None,
        function: Optional[str] = None,
        extraction: str = "dag",
        extraction_seconds: float = 10,
        scheduler: str = "simple",
        max_iterations: int = 30,
        max_nodes: int = 100_000,
        max_matches: int = 1 << 32,
        max_bytes: int = 1 << 32,
        max_seconds: float = 30,
        verify_rules: str = "none",
    ) -> Saturation:
        """Rewrites by rules to what costs least, by equality saturation.

        A rule is the name of a set (`ta.rule_sets()`), the path of a file, or
        text in PDLL. `cost` is a name (`ta.costs()`), or a function of a
        `ta.CostTerm`. `target` is what costs know of the machine; without one, it is
        the module's, or 'generic'. `verify_rules="tests"` first runs both sides of
        rules that are not of a set on small terms: one that is wrong is an error with a
        counterexample. This module stays as it is: the result's `module` is the new one.
        """
        if verify_rules not in ("none", "tests"):
            raise ValueError(f"'verify_rules' must be 'none' or 'tests', got {verify_rules!r}")
        options = _options(
            rules, target, scheduler, max_iterations, max_nodes, max_matches,
            max_bytes, max_seconds,
        )
        module, report = _native.saturate(
            self._native,
            options,
            None if function is None else _text("function", function),
            _cost(cost),
            _text("extraction", extraction),
            _number("extraction_seconds", extraction_seconds),
            verify_rules == "tests",
        )
        return _saturation(Module._wrap(module), report)

    def egraph(
        self,
        rules: Rules = (),
        *,
        function: Optional[str] = None,
        target: Union[None, str, _native.Target] = None,
        scheduler: str = "simple",
        max_iterations: int = 30,
        max_nodes: int = 10_000,
        max_matches: int = 1 << 32,
        max_bytes: int = 1 << 32,
        max_seconds: float = 30,
    ) -> EGraph:
        """The e-graph of a function's first block after rules, to look at and to
        extract from. Without a name it is the first function with a body."""
        options = _options(
            rules, target, scheduler, max_iterations, max_nodes, max_matches,
            max_bytes, max_seconds,
        )
        return EGraph(
            _native.make_egraph(
                self._native,
                options,
                None if function is None else _text("function", function),
            ),
            Module._wrap,
        )

    def check_equivalence(
        self,
        first: str = "main",
        second: Optional[str] = None,
        *,
        against: Optional[Module] = None,
        method: str = "auto",
        trials: int = 32,
        seed: int = 0,
        tolerance: Optional[float] = None,
        special_values: bool = True,
        sizes: Sequence[int] = (0, 1, 2, 7),
        solver: str = "",
        solver_seconds: int = 10,
        solver_dump: Union[str, "os.PathLike[str]"] = "",
    ) -> Equivalence:
        """Proves, tests or refutes that two functions agree.

        `second` is a function of `against`, or of this module; without a name,
        that of the same name in `against`. `method` is 'auto', 'prove', 'smt' or
        'test'. `solver` is a program that reads SMT-LIB (default: what
        TENSORACCESS_SOLVER names in the environment, else z3); what it is asked
        goes to the file `solver_dump`, if that is given.
        """
        if second is None and against is None:
            raise _native.Error("name a second function, or a module to look in")
        return _equivalence(
            _native.check_equivalence(
                self._native,
                first,
                first if second is None else second,
                None if against is None else against._native.print(True, False),
                method,
                _integer("trials", trials),
                _integer("seed", seed),
                None if tolerance is None else _number("tolerance", tolerance),
                special_values,
                [_integer("sizes", size) for size in sizes],
                solver,
                _integer("solver_seconds", solver_seconds),
                os.fspath(solver_dump),
            )
        )

    def plan_shards(
        self,
        *,
        ranks: Optional[int] = None,
        grid: Optional[GridLike] = None,
        model: Union[None, str, _native.CostModel] = None,
        memory_limit: Optional[int] = None,
        method: str = "auto",
        entry: str = "main",
        candidates: int = 64,
        max_seconds: float = 20,
    ) -> Plan:
        """Chooses how to cut each op of a function over ranks, so that a run
        takes the least modelled time.

        `grid` is a `ta.Grid` or its text, as rows=2,cols=2; `ranks` a number,
        on the network's grid if it has as many. Without either, the function
        gives its grid. `model` has the costs of a machine with a network: a
        `ta.CostModel`, its text, or 'calibrated' for those that were measured
        here. A rank may hold `memory_limit` bytes. `method` is
        'dp' (exact), 'ilp' or 'auto'. Functions have one block of ops of linalg
        and tensor on static shapes: lower access patterns first, and inline
        calls (`run("inline")`). Cuts that ops have already are kept.
        """
        if model == "calibrated":
            model = _native.CostModel.calibrated()
        elif isinstance(model, str):
            model = _native.CostModel(model)
        elif model is not None and not isinstance(model, _native.CostModel):
            raise _native.Error(f"model must be a CostModel or its text, got {model!r}")

        def plan(ranks: Optional[int], grid: Optional[GridLike]) -> Plan:
            native = _native.plan_shards(
                self._native,
                _text("entry", entry),
                grid,
                None if ranks is None else _integer("ranks", ranks),
                model,
                None
                if memory_limit is None
                else _integer("memory_limit", memory_limit),
                _text("method", method),
                _integer("candidates", candidates),
                _number("max_seconds", max_seconds),
            )
            return Plan(native, entry, Module._wrap, lambda number: plan(number, None))

        return plan(ranks, grid)

    def shard(self, rank: Optional[int] = None, *, ranks: Optional[int] = None) -> Module:
        """The programs of all ranks of a planned function, or of one rank.

        With `ranks`, an Error where the grid has another number of them.
        """
        options = []
        if rank is not None:
            if _integer("rank", rank) < 0:
                raise _native.Error(f"rank must not be negative, got {rank}")
            options.append(f"rank={rank}")
        if ranks is not None:
            if _integer("ranks", ranks) < 1:
                raise _native.Error(f"ranks must be positive, got {ranks}")
            options.append(f"ranks={ranks}")
        braces = "{" + " ".join(options) + "}" if options else ""
        return self.run("tensoraccess-shard" + braces)

    def run_sharded(self, *arrays: Any, entry: str = "main") -> ShardedRun:
        """Runs the programs of all ranks on whole inputs, without MPI: one rank
        at a time, in the reference interpreter. Inputs are cut as the ranks'
        arguments say, results are put together, and what each rank sends is
        counted."""
        # The views keep the memory alive until the call is over.
        pairs = [_as_argument(f"input {i}", x) for i, x in enumerate(arrays)]
        results, sent, messages = _native.run_ranks(
            self._native, _text("entry", entry), [a for _, a in pairs]
        )
        return ShardedRun([_finish(*r) for r in results], sent, messages)

    @classmethod
    def from_glenside(cls, source: Union[str, bytes, "os.PathLike[str]"]) -> Module:
        """Reads a Glenside program: its text, or the path of a file.

        A string that begins with '(' or ';' is text. Tensors are declared in
        comments, '; t: 3x32x32xf64'; the function is @main, its arguments the
        tensors in the order of those lines. What is wrong is an Error with line
        and column.
        """
        if isinstance(source, (bytes, bytearray, memoryview)):
            data, name = bytes(source), "<bytes>"
        elif isinstance(source, str) and source.lstrip()[:1] in ("(", ";", ""):
            data, name = source.encode(), "<text>"
        elif isinstance(source, (str, os.PathLike)):
            data, name = _read(source)
        else:
            raise _native.Error(
                "a Glenside program is text, bytes or a path, "
                f"got {type(source).__name__}"
            )
        return cls._wrap(_native.read_glenside(data, name))

    def to_glenside(self) -> str:
        """The function @main (or the only one) as a Glenside program.

        An op that Glenside has no term for is an Error.
        """
        return _native.to_glenside(self._native)

    def svg(self) -> str:
        """A picture of every function that holds ops on access patterns.

        SVG text, the same for the same module. An Error where there is no such
        function, or one has several blocks.
        """
        return _native.to_svg(self._native)

    to_svg = svg

    def explore(self, *, passes: str = "", rules: Rules = (),
                title: str = "program") -> Page:
        """A page for the browser or a notebook.

        The ops of each function, repeated blocks folded; of an op which elements of its
        operands an element of its result needs, and the other way round, through it or
        through all ops; what fusing would compute again; tiles; how lanes would read;
        layouts and their padding; of a planned function what each rank has and gets; what
        is equal by `rules`, sets and files as `saturate` takes them, with costs; and the
        program after each of `passes`, a pipeline as `tensoraccess-opt` takes it. An
        Error where no function has a body and where passes or rules can't be read.
        """
        return Page(_native.explore(self._native, title, passes, rule_names(rules)), title)

    def _repr_html_(self) -> Optional[str]:
        try:
            return self.explore()._repr_html_()
        except _native.Error:
            return None

    @property
    def diagnostics(self) -> list[_native.Diagnostic]:
        """Warnings and remarks of what made this module."""
        return self._native.diagnostics

    @property
    def functions(self) -> list[Function]:
        """All functions, in the order of the text."""
        return [Function(*f) for f in self._native.functions()]
