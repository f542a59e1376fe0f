#!/usr/bin/env python3
"""Upstream's transforms that lib/ calls, and what guards each.

    upstream.py ROOT          checks the sources below ROOT
    upstream.py --self-test   breaks each rule in a copy made up for it and checks
                              that it is reported

Upstream's tiling, fusion, bufferization and lowerings are silently wrong on some
valid programs. An entry point of theirs is called only where

  - it doesn't change the program: it asks (ASKS), or emits ops that stand by
    themselves (EMITS);
  - a check of ours stands in the calling source (CHECKED: entry -> source ->
    a text of the check), which lets through only what upstream is right on, or
    holds what it made against the maps of what it was made from;
  - it rewrites one op into ops of another dialect at one place (LOWERS), and the
    fuzzers named there run programs through it against an independent oracle.

Rules:
  1. An entry point that is called is in one of these tables.
  2. One that is in a table is called.
  3. The text of a check stands in its source; a fuzzer is there.
"""
import pathlib
import re
import sys
import tempfile

DIALECTS = "affine arith bufferization linalg math memref scf sparse_tensor tensor tosa vector"
METHODS = ("getTiledImplementation generateResultTileValue getIterationDomain getResultTilePosition "
           "generateScalarImplementation decomposeOperation getTiledImplementationFromOperandTiles "
           "getFlattenedAffineExpr").split()
ENTRY = re.compile(r"\b((?:" + "|".join(DIALECTS.split()) + r")::[a-z]\w*|populate\w+Patterns?\w*|"
                   r"create\w+Pass|" + "|".join(METHODS) + r")\s*\(")
# Written here: what begins so is ours, or MLIR's infrastructure.
OURS = re.compile(r"populate(Reduction|Random)")

ASKS = """
affine::fullyComposeAffineMapAndOperands affine::isValidDim
arith::applyCmpPredicate arith::bitEnumContainsAny arith::getNeutralElement
arith::invertPredicate arith::stringifyCmpIPredicate arith::symbolizeCmpIPredicate
arith::symbolizeFastMathFlags
bufferization::getBuffer getResultTilePosition linalg::isElementwise
linalg::isaContractionOpInterface linalg::isaConvolutionOpInterface
linalg::isaCopyOpInterface scf::getForInductionVarOwner
sparse_tensor::hasAnySparseOperandOrResult tosa::getConstShapeValues
""".split()

EMITS = """
affine::expandAffineExpr affine::expandAffineMap affine::makeComposedAffineApply
affine::makeComposedFoldedAffineApply affine::makeComposedFoldedAffineMax
affine::makeComposedFoldedAffineMin affine::makeComposedFoldedMultiResultAffineApply
scf::buildLoopNest
tensor::getMixedSize tensor::getMixedSizes tensor::getOrCreateDestination
vector::makeArithReduction
""".split()

# A loop over a tile must read what the tile reads; a loop that is renamed must
# keep its maps; a buffer must not be shared by what is read later.
CHECKED = {
    # It reads what isn't there where an expression divides by a number below 1.
    "getFlattenedAffineExpr": {"Core/Index/IndexingMapAffine.cpp": "hasBadDivisor"},
    # Each slice is held against the image of the tile, at every place of it.
    "getTiledImplementation": {"Transforms/Access/TileOps.cpp": "holds(slice, dim, map, shape, region)"},
    "generateResultTileValue": {"Transforms/Access/TileOps.cpp": "holds(slice, dim, map, shape, region)"},
    # Slices are cut by footprints; this adds the offsets to the body's indices.
    "linalg::offsetIndices": {
        "Transforms/Access/TileLinalg.cpp": "tile.get(map, value)",
        "Cut/Blocks.cpp": "getTouched(*access, block.extents, iterations)",
        "Transforms/Kernel/CutLoops.cpp": "getSliceUnit(const NestOp &op",
    },
    # The same loops, maps and body under another name.
    "linalg::generalizeNamedOp": {
        "Conversion/Prepare/DecomposeToLinalg.cpp": "isReadByBody(*op.getDpsInitOperand(0))",
        "Conversion/Prepare/InsertedIndexChecks.cpp": "isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>",
        "Transforms/Fuse/FuseElementwise.cpp": "linalg::isElementwise(op) || isa<linalg::BroadcastOp>(op)",
        "Transforms/Kernel/FuseMultiplyAdd.cpp": "findFusedSteps(*op.getBlock()).empty()",
        "Transforms/Kernel/OrderLoops.cpp": "axis.isReduction == isReduction",
        "Transforms/Fuse/PackWeights.cpp": "maps[use.operand] = panels.map",
    },
    "linalg::specializeGenericOp": {
        "Conversion/Lower/AccessCompute.cpp": "named->getIndexingMapsArray() != spare.getIndexingMapsArray()"},
    # Loops in another order: sums keep theirs.
    "linalg::interchangeGenericOp": {"Transforms/Kernel/OrderLoops.cpp": "axis.isReduction == isReduction"},
    # Elementwise: each operand is read where the result is written.
    "linalg::populateElementwiseToLinalgConversionPatterns": {
        "Transforms/Access/TileAndFuse.cpp": "OpTrait::hasElementwiseMappableTraits(op)"},
    "linalg::populateEraseUnusedOperandsAndResultsPatterns": {
        "Transforms/Fuse/FuseElementwise.cpp": "if (isElementwise(op))"},
    "linalg::lowerPack": {
        "Conversion/Prepare/DecomposeToLinalg.cpp": "ShapedType::isDynamicShape(op.getStaticTiles())",
        "Transforms/Shard/OpenOps.cpp": "isPlain(op)",
    },
    "linalg::lowerUnPack": {
        "Conversion/Prepare/DecomposeToLinalg.cpp": "op.getInnerDimsPos(), llvm::seq<int64_t>(0, op.getDestRank())",
        "Transforms/Shard/OpenOps.cpp": "isPlain(op)",
    },
    "linalg::rewriteInDestinationPassingStyle": {"Transforms/Shard/OpenOps.cpp": "isPlain(op)"},
    "decomposeOperation": {
        "Conversion/Prepare/DecomposeToLinalg.cpp": "[&](tensor::ConcatOp op)",
        "Transforms/Shard/OpenOps.cpp": "isPlain(op)",
    },
    # Encodings and writes to arguments are refused or copied first, pads and
    # initial values are written out, and no op with effects is passed over.
    "bufferization::createOneShotBufferizePass": {
        "Pipelines/Cpu.cpp": "pm.addPass(createPrepareFunctions());\n  pm.addPass(createExpandPads());\n"
                             "  pm.addPass(createSeparateInits());"},
    "bufferization::analyzeModuleOp": {"Transforms/Buffer/EliminateEmptyTensors.cpp": "hasInsertions(module)"},
    "bufferization::eliminateEmptyTensors": {
        "Transforms/Buffer/EliminateEmptyTensors.cpp": "hasEffectBetween(empty, insertion)"},
    "bufferization::buildSubsetExtraction": {
        "Transforms/Buffer/EliminateEmptyTensors.cpp": "hasEffectBetween(empty, insertion)"},
    "memref::createExpandStridedMetadataPass": {"Pipelines/Cpu.cpp": "pm.addPass(createExpandDynamicShapes());"},
}

# By the fuzzer that compares with an independent oracle.
LOWERS = {
    # Random programs compiled by the whole pipeline, against NumPy.
    "bench/fuzz_programs.py": """
bufferization::createBufferDeallocationSimplificationPass
bufferization::createBufferResultsToOutParamsPass
bufferization::createLowerDeallocationsPass
bufferization::createOptimizeAllocationLivenessPass
bufferization::createOwnershipBasedBufferDeallocationPass
createCSEPass createConvertBufferizationToMemRefPass
createConvertElementwiseToLinalgPass createConvertLinalgToLoopsPass
createConvertVectorToLLVMPass createConvertVectorToSCFPass
createInlinerPass createLowerAffinePass createReconcileUnrealizedCastsPass
memref::createExpandReallocPass
createSCFToControlFlowPass
arith::populateArithToLLVMConversionPatterns
arith::populateCeilFloorDivExpandOpsPatterns
populateAssertToLLVMConversionPattern populateCallOpTypeConversionPattern
populateControlFlowToLLVMConversionPatterns
populateFinalizeMemRefToLLVMConversionPatterns populateFuncToLLVMConversionPatterns
populateIndexToLLVMConversionPatterns populateMathToLLVMConversionPatterns
populateMathToLibmConversionPatterns populateReturnOpTypeConversionPattern
populateUBToLLVMConversionPatterns populateVectorToLLVMConversionPatterns
""",
    # Functions at many arguments, against higher precision.
    "bench/ulps.py": """
arith::populateEmulateUnsupportedFloatsConversions
arith::populateEmulateUnsupportedFloatsLegality
arith::populateEmulateUnsupportedFloatsPatterns arith::populateExpandBFloat16Patterns
math::populateExtendToSupportedTypesPatterns
math::populateExtendToSupportedTypesTypeConverter
""",
    # Masks of transfers, gathers, packs, the winograd transforms, against NumPy.
    "test/python/test_indexed_ops.py": """
vector::populateVectorMaskLoweringPatternsForSideEffectingOps
""",
    # TOSA, against the interpreter, which reads it by itself.
    "test/python/test_tosa.py": """
createTosaToArithPass createTosaToSCFPass createTosaToTensorPass
tosa::createTosaInferShapesPass tosa::createTosaLayerwiseConstantFoldPass
tosa::createTosaMakeBroadcastablePass tosa::createTosaOptionalDecompositionsPass
tosa::createTosaToLinalg tosa::createTosaToLinalgNamed
""",
    # Programs over ranks, against the same on one.
    "bench/distributed.py": """
bufferization::replaceOpWithBufferizedValues
populateBranchOpInterfaceTypeConversionPattern
scf::populateSCFStructuralTypeConversionsAndLegality
""",
}


def calls(root):
    """For each entry point the sources below lib that call it."""
    found = {}
    for path in sorted((root / "lib").rglob("*")):
        if path.suffix in {".cpp", ".h"}:
            text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
            for match in ENTRY.finditer(text):
                if not OURS.match(match.group(1)):
                    found.setdefault(match.group(1), set()).add(str(path.relative_to(root / "lib")))
    return found


def check(root, asks=ASKS, emits=EMITS, checked=CHECKED, lowers=LOWERS):
    """Returns what is wrong, one line each."""
    root, faults = pathlib.Path(root), []
    found = calls(root)
    lowered = [entry for entries in lowers.values() for entry in entries.split()]
    table = [*asks, *emits, *checked, *lowered]
    for entry in sorted(set(found) - set(table)):
        faults.append(f"lib/{min(found[entry])}: upstream's {entry} is called without a guard in test/upstream.py")
    for entry in table:
        if table.count(entry) > 1:
            faults.append(f"{entry} is listed twice")
        if entry not in found:
            faults.append(f"{entry} is listed, but not called")
    for entry, guards in checked.items():
        for source in sorted(found.get(entry, set()) - set(guards)):
            faults.append(f"lib/{source}: upstream's {entry} is called without a guard in test/upstream.py")
        for source, text in guards.items():
            path = root / "lib" / source
            if not path.is_file() or " ".join(text.split()) not in " ".join(path.read_text("utf-8").split()):
                faults.append(f"lib/{source}: the guard of {entry} is gone: {text}")
    faults += [f"{fuzzer} is not there" for fuzzer in lowers if not (root / fuzzer).is_file()]
    return faults


def self_test():
    """Breaks each rule once; every fault must be found, and no other."""
    tables = {"asks": ["linalg::isSmall"], "emits": ["scf::buildLoopNest"],
              "checked": {"linalg::cut": {"Cut.cpp": "holds(slice)"}}, "lowers": {"fuzz.py": "createLowerPass"}}
    good = {
        "lib/Cut.cpp": "// tensor::other( is not a call\nif (holds(slice)) linalg::cut(op);\nlinalg::isSmall(op);\n",
        "lib/Loops.cpp": "scf::buildLoopNest(b);\npm.addPass(createLowerPass());\n",
        "fuzz.py": "",
    }
    breaks = [
        ({"lib/New.cpp": "linalg::fuse(op);\n"}, "lib/New.cpp: upstream's linalg::fuse is called without a guard"),
        ({"lib/New.cpp": "linalg::cut(op);\n"}, "lib/New.cpp: upstream's linalg::cut is called without a guard"),
        ({"lib/New.cpp": "op.getTiledImplementation(b);\n"}, "upstream's getTiledImplementation is called without"),
        ({"lib/New.cpp": "linalg::populateFusionPatterns(p);\n"}, "linalg::populateFusionPatterns is called without"),
        ({"lib/Cut.cpp": "linalg::cut(op);\nlinalg::isSmall(op);\n"}, "lib/Cut.cpp: the guard of linalg::cut is gone"),
        ({"lib/Loops.cpp": "pm.addPass(createLowerPass());\n"}, "scf::buildLoopNest is listed, but not called"),
        ({"fuzz.py": None}, "fuzz.py is not there"),
    ]
    failures = []
    for changed, expected in [({}, None), *breaks]:
        with tempfile.TemporaryDirectory() as directory:
            for name, body in {**good, **changed}.items():
                target = pathlib.Path(directory, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                if body is not None:
                    target.write_text(body, encoding="utf-8")
            faults = check(directory, **tables)
        if expected is None and faults:
            failures.append(f"good sources are refused: {faults}")
        elif expected is not None and not (len(faults) == 1 and expected in faults[0]):
            failures.append(f"wanted '{expected}', got {faults}")
    return failures


def main(arguments):
    """Runs one of the two checks; the exit code tells."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    faults = self_test() if arguments[0] == "--self-test" else check(arguments[0])
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
