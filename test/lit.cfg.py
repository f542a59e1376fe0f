"""Configuration of the lit tests: every .mlir, .test and .glenside below test/<Room>."""
import os
import platform
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

# Nothing is found that an earlier run has compiled.
config.environment["TENSORACCESS_CACHE"] = ""

# Processors that every compiled program is generated for besides (Jit.h).
if "TENSORACCESS_CHECK_CPUS" in os.environ:
    config.environment["TENSORACCESS_CHECK_CPUS"] = os.environ[
        "TENSORACCESS_CHECK_CPUS"]

# A processor whose code every machine of this architecture runs, and one of
# another architecture.
config.substitutions += [
    ("%baseline", "x86-64" if platform.machine() == "x86_64" else "generic"),
    ("%foreign",
     "neoverse-v2" if platform.machine() == "x86_64" else "x86-64-v3")]

# A solver, for tests with `REQUIRES: z3`.
if shutil.which("z3"):
    config.available_features.add("z3")
# A shell whose completion is tested, and who sets manuals.
for program in ("groff", "mandoc", "zsh"):
    if shutil.which(program):
        config.available_features.add(program)
# A solver of integer programs that the library was built to load.
if os.path.exists(config.cbc):
    config.available_features.add("cbc")
else:
    lit_config.note("no CBC: tests of integer programs are left out")

# What starts ranks, for tests with `REQUIRES: openmpi` or `REQUIRES: mpich`. A
# job that hangs is a failure, not a wait.
for mpi, flags in {
        "openmpi": "--allow-run-as-root --oversubscribe --mca "
                   "mpi_yield_when_idle 1",
        "mpich": ""}.items():
    launcher = shutil.which("mpirun." + mpi)
    if launcher:
        config.available_features.add(mpi)
    else:
        lit_config.note(f"no mpirun.{mpi}: its tests are left out")
    config.substitutions.append(
        (f"%run-{mpi}", f"timeout -k 5 90 {launcher} {flags}"))
config.substitutions.append(
    ("%scripts", os.path.join(config.tensoraccess_source_dir, "scripts")))
config.substitutions.append(("%build", config.tensoraccess_binary_dir))
