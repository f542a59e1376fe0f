// What is wrong before a job begins, or without one.
// RUN: not tensoraccess-run %s --mpi=lam 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: --mpi: unknown implementation 'lam'; known are auto, openmpi, mpich
// RUN: not tensoraccess-run %s --mpi=mpih 2>&1 | FileCheck %s --check-prefix=CLOSE
// CLOSE: error: --mpi: unknown implementation 'mpih'; did you mean 'mpich'?
// RUN: not tensoraccess-run %s --mpi --engine=interpret 2>&1 | FileCheck %s --check-prefix=ENGINE
// ENGINE: error: --mpi compiles programs; --engine is for runs without it
// RUN: not tensoraccess-run %s --mpi --dynamic-sizes=3 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: --dynamic-sizes is for runs without --mpi
// RUN: not tensoraccess-run %s --mpi --scatter=xla 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: error: --scatter is for runs without --mpi; --passes takes tensoraccess-drop-partial-windows
// RUN: not tensoraccess-run %s --timeout=3 2>&1 | FileCheck %s --check-prefix=NEEDS
// RUN: not tensoraccess-run %s --passes="builtin.module()" 2>&1 | FileCheck %s --check-prefix=NEEDS
// NEEDS: error: --timeout and --passes need --mpi
// RUN: env TENSORACCESS_MPI_LIBRARY=%t.absent.so not tensoraccess-run %s --mpi 2>&1 | FileCheck %s --check-prefix=LIBRARY
// LIBRARY: error: no MPI library: {{.*}}absent.so: cannot open shared object file

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
