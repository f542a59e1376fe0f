# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of PyTorch and ONNX, brought to linalg on tensors by torch-mlir.

Weights do not become text: the program names them as resources, and their bytes stay
in the model's memory.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from ._module import Module

if TYPE_CHECKING:
    import onnx

_OUTPUTS = ("linalg-on-tensors", "stablehlo", "tosa")
# Ops that torch-mlir has for itself, which nothing else reads.
_OWN_DIALECT = re.compile(r'"(tm_tensor\.\w+)"')
# From this many bytes on, an initializer of ONNX is a weight; smaller ones torch-mlir
# may have to know.
_WEIGHT_BYTES = 1024


def _missing(what: str, extra: str, e: ImportError) -> _native.Error:
    return _native.Error(
        f"{what} needs the package '{e.name}', which cannot be imported: "
        f"pip install tensoraccess[{extra}]"
    )


def _lower(module: Any, passes: list[str], what: str) -> None:
    """Runs torch-mlir's pipelines; what they say is in the error."""
    from torch_mlir.ir import MLIRError
    from torch_mlir.passmanager import PassManager

    said: list[str] = []

    def keep(diagnostic: Any) -> bool:
        said.append(f"{diagnostic.location}: {diagnostic.message}")
        return True

    context = module.operation.context
    with context, context.attach_diagnostic_handler(keep):
        try:
            for name in passes:
                PassManager.parse(f"builtin.module({name})").run(module.operation)
        except MLIRError as e:
            said += [f"{d.location}: {d.message}" for d in e.error_diagnostics]
            reason = "\n".join(said) or str(e)
            raise _native.Error(f"torch-mlir cannot lower {what}: {reason}") from e


def _write(module: Any, resources: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The text, which names resources; only those that are not kept are written out."""
    operation = module.operation
    named = operation.get_asm(print_generic_op_form=True, large_resource_limit=0)
    if set(re.findall(r"dense_resource<([^>]*)>", named)) - resources.keys():
        named, resources = operation.get_asm(print_generic_op_form=True), {}
    return named, resources


def _read(
    lower: Callable[[str], tuple[str, dict[str, Any]]], form: Optional[str], what: str
) -> Module:
    """In a form, or else in linalg, or in StableHLO where that takes ops of
    torch-mlir's own."""
    text, resources = lower(form or _OUTPUTS[0])
    if form is None and _OWN_DIALECT.search(text):
        try:
            text, resources = lower(_OUTPUTS[1])
        except _native.Error:
            pass
    made = Module.__new__(Module)
    made._native = _native.NativeModule.parse(text.encode(), what, resources=resources)
    return made


def from_torch(
    module: Any,
    args: tuple[Any, ...] = (),
    kwargs: Optional[dict[str, Any]] = None,
    *,
    dynamic_shapes: Any = None,
    output: Optional[str] = None,
    name: str = "main",
) -> Module:
    """A PyTorch module, or the result of `torch.export.export` on one, as a Module.

    Its function `name` takes what `forward` takes, tensors only, in order; parameters
    and buffers are constants, whose memory is the model's: changing them in place
    afterwards changes the program. The module is exported as it is: `module.eval()`
    first for inference.

    Args:
      module: a torch.nn.Module, or a torch.export.ExportedProgram.
      args, kwargs: example arguments, whose shapes and types the program has.
      dynamic_shapes: sizes that stay `?`, as torch.export.export takes them.
      output: 'linalg-on-tensors', 'stablehlo' or 'tosa', the form that torch-mlir
        writes. Without it, the first of linalg-on-tensors and stablehlo that has no
        op of torch-mlir's own.

    Raises tensoraccess.Error where a package is missing (`tensoraccess[torch]`) or
    torch-mlir does not support an op; what torch.export cannot trace is its own
    error.
    """
    if output is not None and output not in _OUTPUTS:
        raise _native.Error(
            f"output must be one of {', '.join(_OUTPUTS)}, got {output!r}"
        )
    try:
        import torch
        from torch_mlir import fx
        from torch_mlir.dialects import torch as torch_dialect
        from torch_mlir.extras import fx_importer
        from torch_mlir.extras.fx_decomp_util import get_decomposition_table
        from torch_mlir.ir import Context, DenseResourceElementsAttr, Operation
    except ImportError as e:
        raise _missing("from_torch", "torch", e) from e
    del fx  # Only to know that it is there.

    if isinstance(module, torch.export.ExportedProgram):
        if args or kwargs or dynamic_shapes is not None:
            raise _native.Error(
                "an exported program has its arguments' shapes already: args, kwargs "
                "and dynamic_shapes are for modules"
            )
        exported = module
    else:
        exported = torch.export.export(
            module, tuple(args), kwargs or {}, dynamic_shapes=dynamic_shapes
        )
    exported = exported.run_decompositions(get_decomposition_table())

    def lower(form: str) -> tuple[str, dict[str, Any]]:
        resources: dict[str, Any] = {}

        class KeepWeights(fx_importer.FxImporterHooks):  # type: ignore[misc]
            def resolve_literal(self, gni: Any, literal: Any, info: Any) -> Any:
                if not isinstance(literal, torch.Tensor) or literal.numel() < 2:
                    return None
                with torch.utils._python_dispatch._disable_current_modes():
                    data = literal.detach().cpu().contiguous()
                    view = data.view(torch.uint8).numpy().reshape(-1)
                key = f"weight_{len(resources)}"
                resources[key] = view
                vtensor = gni._cc.tensor_to_vtensor_type(literal)
                kind = fx_importer.create_mlir_tensor_type(literal)
                value = DenseResourceElementsAttr.get_from_buffer(view, key, kind)
                return Operation.create(
                    "torch.vtensor.literal",
                    results=[vtensor],
                    attributes={"value": value},
                ).result

        context = Context()
        torch_dialect.register_dialect(context)
        importer = fx_importer.FxImporter(context=context, hooks=KeepWeights())
        importer.import_frozen_program(exported, func_name=name)
        _lower(
            importer.module,
            [
                "func.func(torch-match-quantized-custom-ops)",
                "torchdynamo-export-to-torch-backend-pipeline",
                f"torch-backend-to-{form}-backend-pipeline",
            ],
            "the module",
        )
        return _write(importer.module, resources)

    return _read(lower, output, "<torch>")


def _load_onnx(source: Any) -> onnx.ModelProto:
    import onnx

    if isinstance(source, onnx.ModelProto):
        return source
    try:
        if isinstance(source, (bytes, bytearray)):
            return onnx.load_from_string(bytes(source))
        return onnx.load(os.fspath(source))
    except OSError as e:
        reason = (e.strerror or str(e)).lower()
        raise _native.Error(f"cannot open '{os.fspath(source)}': {reason}") from e
    except Exception as e:  # protobuf's DecodeError, by whichever protobuf it is
        raise _native.Error(f"this is not an ONNX model: {e}") from e


def _weights_of(model: onnx.ModelProto) -> dict[str, Any]:
    """The bytes of the initializers that can be resources, by name."""
    import numpy as np
    import onnx

    kind = onnx.TensorProto
    plain = {
        kind.DOUBLE, kind.FLOAT, kind.FLOAT16, kind.BFLOAT16, kind.INT8, kind.INT16,
        kind.INT32, kind.INT64, kind.UINT8, kind.UINT16, kind.UINT32, kind.UINT64,
    }  # fmt: skip
    weights = {}
    for tensor in model.graph.initializer:
        # Lists of integers are sizes, axes, counts: torch-mlir crashes without them.
        a_list = tensor.data_type == kind.INT64 and len(tensor.dims) < 2
        if tensor.data_type not in plain or a_list:
            continue
        try:
            array = onnx.numpy_helper.to_array(tensor)
        except ValueError as e:
            raise _native.Error(
                f"the ONNX model is not valid: initializer '{tensor.name}': {e}"
            ) from e
        if array.nbytes >= _WEIGHT_BYTES:
            weights[tensor.name] = np.ascontiguousarray(array).reshape(-1)
    return {name: array.view(np.uint8) for name, array in weights.items()}


def _weights_to_inputs(
    model: onnx.ModelProto, weights: Collection[str]
) -> onnx.ModelProto:
    """A copy of the model, those initializers being its last inputs."""
    from onnx import helper

    graph = model.graph
    taken = [t for t in graph.initializer if t.name in weights]
    inputs = [i for i in graph.input if i.name not in weights]
    for tensor in taken:
        inputs.append(
            helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
        )
    made = helper.make_graph(
        graph.node,
        graph.name,
        inputs,
        graph.output,
        [t for t in graph.initializer if t.name not in weights],
        value_info=graph.value_info,
        sparse_initializer=graph.sparse_initializer,
    )
    return helper.make_model(
        made,
        opset_imports=model.opset_import,
        ir_version=model.ir_version,
        functions=model.functions,
    )


def _inputs_to_resources(module: Any, weights: dict[str, Any]) -> dict[str, Any]:
    """Makes the last inputs of the one function constants; gives their bytes by key."""
    from torch_mlir.ir import (
        DenseResourceElementsAttr, FunctionType, InsertionPoint, Location, Operation,
        TypeAttr,
    )  # fmt: skip

    (function,) = module.body.operations
    block = function.regions[0].blocks[0]
    first = len(block.arguments) - len(weights)
    resources: dict[str, Any] = {}
    with module.context, Location.unknown():
        for data in weights.values():
            weight, key = block.arguments[first], f"weight_{len(resources)}"
            resources[key] = data
            value = DenseResourceElementsAttr.get_from_buffer(data, key, weight.type)
            constant = Operation.create(
                "arith.constant",
                results=[weight.type],
                attributes={"value": value},
                ip=InsertionPoint.at_block_begin(block),
            )
            weight.replace_all_uses_with(constant.result)
            block.erase_argument(first)
        kind = function.type
        function.attributes["function_type"] = TypeAttr.get(
            FunctionType.get(kind.inputs[:first], kind.results)
        )
    return resources


def from_onnx(
    source: Union[str, os.PathLike[str], bytes, onnx.ModelProto],
    *,
    sizes: Optional[dict[str, int]] = None,
    name: str = "main",
) -> Module:
    """An ONNX model, as a Module in linalg on tensors, or in StableHLO where an op
    (sorting, scatter, scans) has no linalg but torch-mlir's own.

    Its function `name` takes the graph's inputs that no initializer gives, in order,
    and gives its outputs. Initializers are constants, from a kilobyte on resources,
    whose bytes are not copied. Sizes that the model leaves open are `?`, but those that
    `sizes` names, as in `{"batch": 4}`, which are of that many elements.

    `source` is a path, the file's bytes, or an onnx.ModelProto.

    Raises tensoraccess.Error where a package is missing (`tensoraccess[onnx]`), the
    model is not valid, or torch-mlir does not support an op of it, which it names.
    """
    try:
        import numpy as np
        import onnx
        from torch_mlir.dialects import torch as torch_dialect
        from torch_mlir.extras import onnx_importer
        from torch_mlir.ir import Context
    except ImportError as e:
        raise _missing("from_onnx", "onnx", e) from e

    model, given = _load_onnx(source), dict(sizes or {})
    weights = _weights_of(model)

    def lower(form: str) -> tuple[str, dict[str, Any]]:
        skeleton = _weights_to_inputs(model, weights)
        graph, found = skeleton.graph, set()
        for value in (*graph.input, *graph.output, *graph.value_info):
            for size in value.type.tensor_type.shape.dim:
                if size.dim_param in given:
                    found.add(size.dim_param)
                    size.dim_value = given[size.dim_param]
        if unknown := given.keys() - found:
            raise _native.Error(f"the model has no size named {min(unknown)!r}")
        try:
            skeleton = onnx.shape_inference.infer_shapes(
                skeleton, check_type=True, strict_mode=False, data_prop=True
            )
        except ValueError:  # Above two gigabytes: shapes as the model says them.
            pass
        except Exception as e:
            raise _native.Error(f"the ONNX model is not valid: {e}") from e

        context = Context()
        torch_dialect.register_dialect(context)
        try:
            info = onnx_importer.ModelInfo(skeleton, config=onnx_importer.Config())
            info.main_graph.graph_proto.name = name
            module = info.create_module(context=context)
            node = onnx_importer.NodeImporter.define_function(
                info.main_graph, module.operation, RawTensors(context)
            )
            node.import_all()
        except onnx_importer.OnnxImportError as e:
            raise _native.Error(f"torch-mlir cannot read the ONNX model: {e}") from e
        _lower(
            module,
            [
                "torch-onnx-to-torch-backend-pipeline",
                f"torch-backend-to-{form}-backend-pipeline",
            ],
            "the ONNX model",
        )
        return _write(module, _inputs_to_resources(module, weights))

    class RawTensors(onnx_importer.ContextCache):  # type: ignore[misc]
        def tensor_proto_to_attr(self, tensor: Any) -> Any:
            # Without raw bytes the importer knows few types: numpy has them all.
            if not tensor.raw_data and np.prod(tensor.dims, dtype=int):
                array = onnx.numpy_helper.to_array(tensor)
                tensor = onnx.numpy_helper.from_array(array, tensor.name)
            return super().tensor_proto_to_attr(tensor)

    return _read(lower, None, "<onnx>")
