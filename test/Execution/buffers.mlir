// What upstream's bufferization gets wrong, settled before it.
// RUN: tensoraccess-run %s --entry=switches --inputs=random:2 --compare=interpret | FileCheck %s --check-prefix=SWITCHES
// RUN: tensoraccess-run %s --entry=vectors --inputs=random:3 --compare=interpret | FileCheck %s --check-prefix=VECTORS
// RUN: tensoraccess-run %s --entry=map --inputs=random:4 --compare=interpret | FileCheck %s --check-prefix=MAP
// RUN: tensoraccess-opt %s --tensoraccess-foreign-to-linalg --tensoraccess-prepare-functions | FileCheck %s --check-prefix=PREPARED
// SWITCHES-COUNT-4: equal, bit for bit
// VECTORS-COUNT-3: equal, bit for bit
// MAP-COUNT-2: equal, bit for bit

// Neither the constant nor the argument that a switch yields is written to.
// PREPARED-LABEL: func.func @switches
// PREPARED-NOT: scf.index_switch {{.*}} -> tensor
// PREPARED: scf.if
// PREPARED: scf.if
// PREPARED: scf.index_switch {{.*}} -> i32
func.func @switches(%i: index, %x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, i32) {
  %c0 = arith.constant 0 : index
  %k = arith.constant 77 : i32
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %s = scf.index_switch %i -> tensor<4xi32>
  case 1 {
    scf.yield %x : tensor<4xi32>
  }
  case -3 {
    %y = arith.addi %x, %c : tensor<4xi32>
    scf.yield %y : tensor<4xi32>
  }
  default {
    scf.yield %c : tensor<4xi32>
  }
  %r = tensor.insert %k into %s[%c0] : tensor<4xi32>
  %n = scf.index_switch %i -> i32
  case 2 {
    scf.yield %k : i32
  }
  default {
    %e = tensor.extract %r[%c0] : tensor<4xi32>
    scf.yield %e : i32
  }
  %q = arith.addi %c, %x : tensor<4xi32>
  return %r, %q, %c, %n : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, i32
}

// Rows, and what a mask leaves, stay.
// PREPARED-LABEL: func.func @vectors
// PREPARED-COUNT-2: bufferization.alloc_tensor() copy
// PREPARED-NOT: bufferization.alloc_tensor() copy
// PREPARED: return
func.func @vectors(%a: tensor<3x5xi32>, %n: index) -> (tensor<3x5xi32>, tensor<3x5xi32>, tensor<3x5xi32>) {
  %c0 = arith.constant 0 : index
  %row = arith.constant dense<7> : vector<5xi32>
  %all = arith.constant dense<9> : vector<3x5xi32>
  %mask = vector.create_mask %n, %n : vector<3x5xi1>
  %0 = vector.transfer_write %row, %a[%c0, %c0] {in_bounds = [true]} : vector<5xi32>, tensor<3x5xi32>
  %1 = vector.transfer_write %all, %a[%c0, %c0], %mask {in_bounds = [true, true]} : vector<3x5xi32>, tensor<3x5xi32>
  %2 = vector.transfer_write %all, %a[%c0, %c0] {in_bounds = [true, true]} : vector<3x5xi32>, tensor<3x5xi32>
  return %0, %1, %2 : tensor<3x5xi32>, tensor<3x5xi32>, tensor<3x5xi32>
}

// A body that reads what it writes to, which is read later, too.
// PREPARED-LABEL: func.func @map
// PREPARED: linalg.generic
// PREPARED: linalg.map
func.func @map(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %k = arith.constant 77 : i32
  %t = arith.addi %x, %x : tensor<4xi32>
  %m = linalg.map ins(%x : tensor<4xi32>) outs(%t : tensor<4xi32>)
    (%in: i32, %out: i32) {
      %s = arith.addi %in, %out : i32
      linalg.yield %s : i32
    }
  %p = linalg.map {arith.muli} ins(%x, %m : tensor<4xi32>, tensor<4xi32>) outs(%x : tensor<4xi32>)
  %a = tensor.insert %k into %t[%c0] : tensor<4xi32>
  return %a, %p : tensor<4xi32>, tensor<4xi32>
}
