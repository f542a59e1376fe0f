#!/bin/sh
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Whether both implementations of MPI start processes here. Where one is missing
# the exit code is 77, which ctest lists among tests that were skipped: the tests
# over ranks (`REQUIRES: openmpi, mpich`) are then left out by lit.
code=0
for mpi in openmpi mpich; do
  if ! command -v "mpirun.$mpi" >/dev/null; then
    echo "no mpirun.$mpi: tests over ranks are left out"
    code=77
    continue
  fi
  flags=
  if [ $mpi = openmpi ]; then
    flags='--allow-run-as-root --oversubscribe'
  fi
  # shellcheck disable=SC2086 # a list of flags
  if ! timeout 60 "mpirun.$mpi" $flags -n 2 true; then
    echo "mpirun.$mpi does not start two processes"
    exit 1
  fi
done
exit $code
