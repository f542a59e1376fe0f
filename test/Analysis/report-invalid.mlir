// RUN: not tensoraccess-opt %s --tensoraccess-report=sections=fusion,luck 2>&1 | FileCheck %s --check-prefix=SECTION
// RUN: not tensoraccess-opt %s --tensoraccess-report=function=g 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: tensoraccess-opt %s --tensoraccess-report --remarks-filter=tensoraccess --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCKS

// SECTION: error: no section 'luck'; there are 'fusion', 'utilization', 'footprint', 'coalescing', 'zero-regions', 'layouts', 'blocks'
// FUNCTION: error: there is no function 'g' with a body; known are f

// A body of several blocks is not a group; its ops are reported all the same.
// BLOCKS: [Missed] group {{.*}} Reason="the body is not one block that ends in a return"
// BLOCKS: [Analysis] edge {{.*}} Consumer=math.log
func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  %e = math.exp %x : tensor<3xf32>
  %l = math.log %e : tensor<3xf32>
  cf.br ^bb1(%l : tensor<3xf32>)
^bb1(%y: tensor<3xf32>):
  return %y : tensor<3xf32>
}
func.func private @g(tensor<3xf32>)
