// RUN: tensoraccess-opt %s --tensoraccess-report="sections=fusion root=arith.divf" --remarks-filter=tensoraccess --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: tensoraccess-opt %s --tensoraccess-report="sections=fusion root=arith.divf through=linalg.broadcast,math.exp" --remarks-filter=tensoraccess --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: tensoraccess-opt %s --tensoraccess-report="sections=fusion root=linalg.reduce#1" --remarks-filter=tensoraccess --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: not tensoraccess-opt %s --tensoraccess-report="sections=fusion root=linalg.matmul" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tensoraccess-opt %s --tensoraccess-report="root=linalg.reduce#1x" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not tensoraccess-opt %s --tensoraccess-report="root=arith.divf through=math.exp,math.log" 2>&1 | FileCheck %s --check-prefix=THROUGH
// RUN: tensoraccess-opt %s --tensoraccess-report="sections=fusion root=math.absf" --remarks-filter=tensoraccess --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tensoraccess-opt %s --tensoraccess-report="function=softmax root=math.absf" 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: tensoraccess-opt %s --tensoraccess-report="sections=utilization,footprint function=softmax" --remarks-filter=tensoraccess --remark-format=yaml --remarks-output-file=%t.two.yaml -o /dev/null
// RUN: FileCheck %s --check-prefix=TWO --input-file=%t.two.yaml

// TWO-NOT: tensoraccess:fusion
// TWO: tensoraccess:utilization
// TWO: tensoraccess:footprint

// XLA's softmax over 2x3x5: the input is read directly and line by line,
// 30 + 30 * 5 = 180 times; a line's maximum and sum are needed by each of its
// elements, 30 times 6 of them.
// ALL-NOT: edge
// ALL: group {{.*}} Operands=1, Ops=13
// ALL: operand {{.*}} Multiplicity=6, Operand=%arg0, Patterns=2, Reads=180, Remark="%arg0 is read in two ways: directly; through linalg.reduce (addf over d2) or through linalg.reduce (maximumf over d2); each of 30 elements 6 times", Rereads=150
// ALL: producer {{.*}} Multiplicity=5, Patterns=1, Producer=linalg.reduce, Reads=30, {{.*}} each of 6 elements 5 times

// Up to the sum, and no further: it is read by value, and so is subf's result.
// SOME: group {{.*}} Operands=3, Ops=3
// SOME: operand {{.*}} Operand={{.*}}, Patterns=1, Reads=30

// The operand of the second reduction, for machines.
// YAML: --- !Analysis
// YAML-NEXT: Pass:            'tensoraccess:fusion'
// YAML-NEXT: Name:            group
// YAML: Function:        softmax
// YAML-NEXT: Args:
// YAML-NEXT:   - Ops:             '11'
// YAML: Name:            operand
// YAML: Args:
// YAML-NEXT:   - Operand:         '%arg0'
// YAML-NEXT:   - Patterns:        '1'
// YAML-NEXT:   - Elements:        '30'
// YAML-NEXT:   - Reads:           '30'
// YAML-NEXT:   - Unique:          '30'
// YAML-NEXT:   - Rereads:         '0'
// YAML-NEXT:   - Multiplicity:    '1'
// YAML-NEXT:   - Utilization:     '1'
// YAML-NEXT:   - Bytes:           '120'
// YAML-NEXT:   - Remark:          '%arg0 is read in one way: through linalg.reduce (addf over d2) or through linalg.reduce (maximumf over d2), then linalg.reduce (addf over d2); each of 30 elements once'

// A name that no function has is a mistake; one that only some have is not.
// NONE: error: option 'root': no function has an op 'linalg.matmul'
// NUMBER: error: option 'root': no function has an op 'linalg.reduce#1x'
// THROUGH: error: option 'through': no function has an op 'math.log'
// OTHER: [Missed] group {{.*}} Reason="no op 'math.absf' in function 'softmax'"
// OTHER: [Analysis] group {{.*}} Function=other
// ELSEWHERE: error: option 'root': no op 'math.absf' in function 'softmax'

func.func @softmax(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %w = tensor.empty() : tensor<2x3x5xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %max = linalg.reduce {arith.maximumf} ins(%x : tensor<2x3x5xf32>) outs(%m0 : tensor<2x3xf32>) dimensions = [2]
  %maxb = linalg.broadcast ins(%max : tensor<2x3xf32>) outs(%w : tensor<2x3x5xf32>) dimensions = [2]
  %d = arith.subf %x, %maxb : tensor<2x3x5xf32>
  %exp = math.exp %d : tensor<2x3x5xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%exp : tensor<2x3x5xf32>) outs(%s0 : tensor<2x3xf32>) dimensions = [2]
  %sumb = linalg.broadcast ins(%sum : tensor<2x3xf32>) outs(%w : tensor<2x3x5xf32>) dimensions = [2]
  %q = arith.divf %exp, %sumb : tensor<2x3x5xf32>
  return %q : tensor<2x3x5xf32>
}

func.func @other(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a = math.absf %x : tensor<3xf32>
  return %a : tensor<3xf32>
}
