"""Configuration of the lit tests: every .mlir, .test and .glenside below test/<Room>."""
import os
import shutil
import sys

import lit.formats
import lit.util

config.name = "TensorAccess"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".glenside"]
config.excludes = ["Models", "Cases", "Consumer", "Inputs", "python", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tensoraccess_binary_dir, "test")

bin_dir = os.path.join(config.tensoraccess_binary_dir, "bin")
config.environment["PATH"] = os.path.pathsep.join(
    [bin_dir, config.llvm_tools_dir, os.environ["PATH"]])
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(
    ("%models", os.path.join(config.test_source_root, "Models")))
config.substitutions.append(
    ("%plugin", os.path.join(config.tensoraccess_binary_dir, "lib",
                             "TensorAccessPlugin"
                             + config.shared_library_suffix)))

# A solver, for tests with `REQUIRES: z3`.
if shutil.which("z3"):
    config.available_features.add("z3")
