// RUN: not tensoraccess-opt %s --tensoraccess-tile 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-opt %s --tensoraccess-tile=sizes=2,-4 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tensoraccess-opt %s --tensoraccess-tile=sizes=2,4,1 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tensoraccess-opt %s --tensoraccess-tile="sizes=2 max-recompute=0.5" 2>&1 | FileCheck %s --check-prefix=RECOMPUTE
// RUN: not tensoraccess-opt %s --tensoraccess-tile="sizes=2 function=f" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles=index=1 2>&1 | FileCheck %s --check-prefix=INDEX
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles="direction=input-to-output index=2" 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles=sizes=2 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles="sizes=2,2 offsets=1" 2>&1 | FileCheck %s --check-prefix=OFFSETS
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles="sizes=2,2 offsets=1,6" 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles="sizes=2,2 offsets=-1,0" 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not tensoraccess-opt %s --tensoraccess-annotate-indexing=max-maps=0 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: not tensoraccess-opt %s --tensoraccess-annotate-indexing=max-variables=0 2>&1 | FileCheck %s --check-prefix=VARIABLES
// RUN: not tensoraccess-opt %s --tensoraccess-report=max-maps=0 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles=sizes=2,0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles=strides=1,0 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles=strides=1 2>&1 | FileCheck %s --check-prefix=STRIDES
// RUN: not tensoraccess-opt %s --tensoraccess-propagate-tiles=function=f 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-translate %s --tile-to-svg --tile-sizes=2 2>&1 | FileCheck %s --check-prefix=SVG
// RUN: not tensoraccess-translate %s --tile-to-svg --tile-sizes=2,0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not tensoraccess-translate %s --tile-to-svg --tile-function=f 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not tensoraccess-translate %s --tile-to-svg --tile-sizes=2,2 --tile-result=1 2>&1 | FileCheck %s --check-prefix=INDEX

// NONE: error: option 'sizes' must be given
// NEGATIVE: error: tile size 1 must not be negative, got -4
// MANY: error: 3 tile sizes are given, but the result of linalg.exp has rank 2
// RECOMPUTE: error: option 'max-recompute' must be at least 1, got
// FUNCTION: error: there is no function 'f' with a body; known are exp
// INDEX: error: the function has 1 results, but no number 1
// ARGUMENT: error: the function has 1 arguments, but no number 2
// SIZES: error: the value has rank 2, got 1 sizes
// OFFSETS: error: the value has rank 2, got 1 offsets
// OUTSIDE: error: offset 1 must lie in a dimension of size 6, got 6
// BEFORE: error: offset 0 must lie in a dimension of size 8, got -1
// MAPS: error: option 'max-maps' must be positive, got 0
// VARIABLES: error: option 'max-variables' must be positive, got 0
// ZERO: error: tile size 1 must be positive, got 0
// STRIDE: error: stride 1 must not be 0
// STRIDES: error: the value has rank 2, got 1 strides
// SVG: error: the result has rank 2, got 1 sizes and 0 offsets
func.func @exp(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = linalg.exp ins(%x : tensor<8x6xf32>) outs(%x : tensor<8x6xf32>)
         -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
