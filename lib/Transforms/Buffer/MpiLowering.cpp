//===- MpiLowering.cpp - What handles and constants of MPI are ------------===//
//
// Part of the TensorAccess project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MpiLowering.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tensoraccess;

StringRef mlir::tensoraccess::stringifyMpiImplementation(
    MpiImplementation implementation) {
  return implementation == MpiImplementation::OpenMpi ? "OpenMPI" : "MPICH";
}

std::optional<MpiImplementation>
mlir::tensoraccess::symbolizeMpiImplementation(StringRef name) {
  return llvm::StringSwitch<std::optional<MpiImplementation>>(name)
      .CaseLower("openmpi", MpiImplementation::OpenMpi)
      .CaseLower("mpich", MpiImplementation::Mpich)
      .Default(std::nullopt);
}

FailureOr<std::optional<MpiImplementation>>
mlir::tensoraccess::getMpiImplementation(ModuleOp module) {
  FailureOr<Attribute> attr =
      dlti::query(module, {"MPI:Implementation"}, /*emitError=*/false);
  if (failed(attr))
    return std::optional<MpiImplementation>();
  std::optional<MpiImplementation> found;
  if (auto name = dyn_cast<StringAttr>(*attr))
    found = symbolizeMpiImplementation(name);
  if (!found)
    return module.emitError()
           << "MPI:Implementation must be \"OpenMPI\" or \"MPICH\", got "
           << *attr;
  return found;
}

int64_t mlir::tensoraccess::getStatusIgnore(MpiImplementation implementation) {
  return implementation == MpiImplementation::OpenMpi ? 0 : 1;
}

int64_t mlir::tensoraccess::getInPlace(MpiImplementation implementation) {
  return implementation == MpiImplementation::OpenMpi ? 1 : -1;
}

/// The bits that an element takes in a buffer; std::nullopt if it is not a
/// number.
static std::optional<unsigned> getBits(Type type) {
  if (type.isIndex())
    return 64;
  if (!isa<IntegerType, FloatType>(type))
    return std::nullopt;
  unsigned bits = type.getIntOrFloatBitWidth();
  return bits == 1 ? 8 : bits;
}

std::optional<MpiHandle> mlir::tensoraccess::getDatatype(Type type) {
  if (type.isF32())
    return MpiHandle{"ompi_mpi_float", 0x4c00040a};
  if (type.isF64())
    return MpiHandle{"ompi_mpi_double", 0x4c00080b};
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  switch (getBits(type).value_or(0)) {
  case 8:
    return isUnsigned ? MpiHandle{"ompi_mpi_uint8_t", 0x4c00013b}
                      : MpiHandle{"ompi_mpi_int8_t", 0x4c000137};
  case 16:
    return isUnsigned ? MpiHandle{"ompi_mpi_uint16_t", 0x4c00023c}
                      : MpiHandle{"ompi_mpi_int16_t", 0x4c000238};
  case 32:
    return isUnsigned ? MpiHandle{"ompi_mpi_uint32_t", 0x4c00043d}
                      : MpiHandle{"ompi_mpi_int32_t", 0x4c000439};
  case 64:
    return isUnsigned ? MpiHandle{"ompi_mpi_uint64_t", 0x4c00083e}
                      : MpiHandle{"ompi_mpi_int64_t", 0x4c00083a};
  default:
    return std::nullopt;
  }
}

bool mlir::tensoraccess::isMessageType(Type type) {
  return getDatatype(type).has_value();
}

std::optional<MpiHandle>
mlir::tensoraccess::getReduction(mpi::MPI_ReductionOpEnum kind, Type type) {
  using Kind = mpi::MPI_ReductionOpEnum;
  bool isFloat = isa<FloatType>(type), isBool = type.isInteger(1);
  bool hasArithmetic = !isFloat || type.isF32() || type.isF64();
  if (!isMessageType(type) || !hasArithmetic)
    return std::nullopt;
  // A bit takes a byte, in which sums do not stay bits.
  bool isNumber = !isBool, isLogical = !isFloat;
  auto pick = [](bool allowed, StringRef symbol,
                 uint32_t number) -> std::optional<MpiHandle> {
    if (!allowed)
      return std::nullopt;
    return MpiHandle{symbol, number};
  };
  switch (kind) {
  case Kind::MPI_MAX:
    return pick(true, "ompi_mpi_op_max", 0x58000001);
  case Kind::MPI_MIN:
    return pick(true, "ompi_mpi_op_min", 0x58000002);
  case Kind::MPI_SUM:
    return pick(isNumber, "ompi_mpi_op_sum", 0x58000003);
  case Kind::MPI_PROD:
    return pick(isNumber, "ompi_mpi_op_prod", 0x58000004);
  case Kind::MPI_LAND:
    return pick(isLogical, "ompi_mpi_op_land", 0x58000005);
  case Kind::MPI_BAND:
    return pick(isLogical, "ompi_mpi_op_band", 0x58000006);
  case Kind::MPI_LOR:
    return pick(isLogical, "ompi_mpi_op_lor", 0x58000007);
  case Kind::MPI_BOR:
    return pick(isLogical, "ompi_mpi_op_bor", 0x58000008);
  case Kind::MPI_LXOR:
    return pick(isLogical, "ompi_mpi_op_lxor", 0x58000009);
  case Kind::MPI_BXOR:
    return pick(isLogical, "ompi_mpi_op_bxor", 0x5800000a);
  default:
    return std::nullopt;
  }
}

/// The error classes in the order of the dialect's enumeration: Open MPI's
/// number, MPICH's; -1 for a class that the library lacks.
static constexpr int32_t kErrorClasses[][2] = {
    {0, 0},           // MPI_SUCCESS
    {20, 20},         // MPI_ERR_ACCESS
    {21, 21},         // MPI_ERR_AMODE
    {13, 12},         // MPI_ERR_ARG
    {22, 53},         // MPI_ERR_ASSERT
    {23, 22},         // MPI_ERR_BAD_FILE
    {24, 46},         // MPI_ERR_BASE
    {1, 1},           // MPI_ERR_BUFFER
    {5, 5},           // MPI_ERR_COMM
    {25, 23},         // MPI_ERR_CONVERSION
    {2, 2},           // MPI_ERR_COUNT
    {12, 11},         // MPI_ERR_DIMS
    {26, 52},         // MPI_ERR_DISP
    {27, 24},         // MPI_ERR_DUP_DATAREP
    {-1, -1},         // MPI_ERR_ERRHANDLER
    {30, 27},         // MPI_ERR_FILE
    {28, 25},         // MPI_ERR_FILE_EXISTS
    {29, 26},         // MPI_ERR_FILE_IN_USE
    {9, 8},           // MPI_ERR_GROUP
    {34, 28},         // MPI_ERR_INFO
    {31, 29},         // MPI_ERR_INFO_KEY
    {32, 31},         // MPI_ERR_INFO_NOKEY
    {33, 30},         // MPI_ERR_INFO_VALUE
    {18, 17},         // MPI_ERR_IN_STATUS
    {17, 16},         // MPI_ERR_INTERN
    {35, 32},         // MPI_ERR_IO
    {36, 48},         // MPI_ERR_KEYVAL
    {37, 47},         // MPI_ERR_LOCKTYPE
    {38, 33},         // MPI_ERR_NAME
    {39, 34},         // MPI_ERR_NO_MEM
    {41, 36},         // MPI_ERR_NO_SPACE
    {42, 37},         // MPI_ERR_NO_SUCH_FILE
    {40, 35},         // MPI_ERR_NOT_SAME
    {10, 9},          // MPI_ERR_OP
    {16, 15},         // MPI_ERR_OTHER
    {19, 18},         // MPI_ERR_PENDING
    {43, 38},         // MPI_ERR_PORT
    {-1, 76},         // MPI_ERR_PROC_ABORTED
    {44, 39},         // MPI_ERR_QUOTA
    {6, 6},           // MPI_ERR_RANK
    {45, 40},         // MPI_ERR_READ_ONLY
    {7, 19},          // MPI_ERR_REQUEST
    {69, 56},         // MPI_ERR_RMA_ATTACH
    {46, 49},         // MPI_ERR_RMA_CONFLICT
    {70, 58},         // MPI_ERR_RMA_FLAVOR
    {68, 55},         // MPI_ERR_RMA_RANGE
    {71, 57},         // MPI_ERR_RMA_SHARED
    {47, 50},         // MPI_ERR_RMA_SYNC
    {8, 7},           // MPI_ERR_ROOT
    {48, 41},         // MPI_ERR_SERVICE
    {-1, 75},         // MPI_ERR_SESSION
    {49, 51},         // MPI_ERR_SIZE
    {50, 42},         // MPI_ERR_SPAWN
    {4, 4},           // MPI_ERR_TAG
    {11, 10},         // MPI_ERR_TOPOLOGY
    {15, 14},         // MPI_ERR_TRUNCATE
    {3, 3},           // MPI_ERR_TYPE
    {14, 13},         // MPI_ERR_UNKNOWN
    {51, 43},         // MPI_ERR_UNSUPPORTED_DATAREP
    {52, 44},         // MPI_ERR_UNSUPPORTED_OPERATION
    {-1, 77},         // MPI_ERR_VALUE_TOO_LARGE
    {53, 45},         // MPI_ERR_WIN
    {92, 0x3fffffff}, // MPI_ERR_LASTCODE
};

std::optional<int32_t>
mlir::tensoraccess::getErrorClass(mpi::MPI_ErrorClassEnum errorClass,
                                  MpiImplementation implementation) {
  auto row = static_cast<size_t>(errorClass);
  if (row >= std::size(kErrorClasses))
    return std::nullopt;
  int32_t number =
      kErrorClasses[row][implementation == MpiImplementation::OpenMpi ? 0 : 1];
  return number < 0 ? std::nullopt : std::optional(number);
}

bool mlir::tensoraccess::isContiguous(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  int64_t offset;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  // The stride that the next dimension of more than one index must have.
  std::optional<int64_t> expected = 1;
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    int64_t size = type.getDimSize(d);
    if (size == 1)
      continue;
    if (!expected || strides[d] != *expected)
      return false;
    expected = ShapedType::isDynamic(size) ? std::nullopt
                                           : std::optional(*expected * size);
  }
  return true;
}
