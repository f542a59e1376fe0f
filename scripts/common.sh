# shellcheck shell=bash
# Part of the TensorAccess project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What scripts/build, scripts/run and scripts/test share: where things lie, and
# how a bare Debian 12 gets what is missing.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath -m "${TENSORACCESS_BUILD_DIR:-$root/build}")
llvm_version=22

say() { if [ -t 1 ]; then printf '\033[1m==>\033[0m %s\n' "$*"; else printf '==> %s\n' "$*"; fi; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Debian packages, one a line with what needs it.
packages=(
  "cmake" "ninja-build"           # the build
  "ccache"                        # rebuilds in seconds
  "clang-$llvm_version" "lld-$llvm_version"
  "libclang-rt-$llvm_version-dev" # sanitizers, for a test
  "libmlir-$llvm_version-dev" "mlir-$llvm_version-tools"
  "llvm-$llvm_version-dev" "llvm-$llvm_version-tools"
  "zlib1g-dev" "libzstd-dev"      # wheels: what LLVM's archives need
  "libgtest-dev" "libgmock-dev" "librapidcheck-dev"
  "libbenchmark-dev"
  "coinor-libcbc-dev"             # exact extraction
  "z3"                            # proofs that functions agree
  "libopenblas0-pthread"          # LAPACK, for linear algebra of models
  "graphviz"                      # pictures of e-graphs from Python
  "python3" "python3-dev" "python3-venv"
)

# What runs across processes need: what starts them, and the libraries that are
# loaded then. Everything else works without.
mpi_packages=("openmpi-bin" "mpich")

# Prints those of the given packages that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null |
      grep -qx installed || printf '%s\n' "$package"
  done
}

# Sets `privileged` to what gives this user root's rights; fails where nothing
# does.
privileged=()
gain_privilege() {
  [ "$(id -u)" -ne 0 ] || return 0
  # sudo only where it asks for nothing: a script must not hang on a prompt.
  command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
  privileged=(sudo)
}

# Installs what is missing with root's rights, or says how.
install_packages() {
  command -v dpkg-query >/dev/null ||
    die "this script installs Debian packages; elsewhere provide LLVM/MLIR" \
        "$llvm_version.1, CMake, Ninja and Python 3, then use the CMake presets"
  local missing
  mapfile -t missing < <(missing_packages "${packages[@]}")
  [ "${#missing[@]}" -eq 0 ] && return
  local command=(apt-get install -y --no-install-recommends "${missing[@]}")
  if ! gain_privilege; then
    printf 'error: %d Debian packages are missing and this user may not %s\n' \
      "${#missing[@]}" 'install them; run this as root, then try again:' >&2
    printf '\n  apt-get update && %s\n\n' "${command[*]}" >&2
    exit 1
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  "${privileged[@]}" apt-get update -q >"$build/apt.log" 2>&1 ||
    { tail -n 20 "$build/apt.log" >&2; die "apt-get update failed"; }
  "${privileged[@]}" env DEBIAN_FRONTEND=noninteractive "${command[@]}" \
    >>"$build/apt.log" 2>&1 ||
    { tail -n 20 "$build/apt.log" >&2
      die "installing packages failed; LLVM $llvm_version for Debian 12 lies" \
          "in its security updates and in LLVM's own package repository"; }
}

# Installs what $1 needs, the other arguments, where it is missing and that is
# possible; says where it is not.
install_optional() {
  command -v dpkg-query >/dev/null || return 0
  local what=$1 missing
  shift
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -eq 0 ] && return
  say "installing ${#missing[@]} Debian packages for $what: ${missing[*]}"
  gain_privilege && {
    "${privileged[@]}" apt-get update -q &&
      "${privileged[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install \
        -y --no-install-recommends "${missing[@]}"
  } >"$build/apt-optional.log" 2>&1 ||
    say "$what cannot be installed here (as root: apt-get install" \
        "${missing[*]}); tests that need it are left out"
}
install_mpi() { install_optional MPI "${mpi_packages[@]}"; }
install_browser() { install_optional "a browser" chromium; }

# The Python that the package is built for: the caller's `python3` where it has
# headers and can make virtual environments, else Debian's.
find_python() {
  local candidate
  for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
    command -v "$candidate" >/dev/null || continue
    "$candidate" - 2>/dev/null <<'PY' || continue
import ensurepip, os, sys, sysconfig, venv
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
sys.exit(not os.path.exists(header) or sys.version_info < (3, 9))
PY
    command -v "$candidate"
    return
  done
  die "no Python 3.9 or newer with headers (python3-dev) and venv was found"
}

# Makes the virtual environment in the build tree where there is none, and
# installs what scripts/requirements-$1.txt lists where that changed.
python_packages() {
  local venv=$build/venv
  make_python_environment "$venv"
  install_python_packages "$1" "$venv"
}

# The same for peers of benchmarks, in an environment of their own that sees the
# packages of the other.
bench_packages() {
  local venv=$build/bench-venv
  python_packages test
  make_python_environment "$venv"
  "$build/venv/bin/python" -c 'import site; print(site.getsitepackages()[0])' \
    >"$(echo "$venv"/lib/python*/site-packages)/tensoraccess.pth"
  install_python_packages bench "$venv"
}

make_python_environment() {
  [ -x "$1/bin/python" ] && return
  local python
  python=$(find_python)
  say "making a Python environment in $1 with $python"
  "$python" -m venv "$1"
}

install_python_packages() {
  local wanted=$root/scripts/requirements-$1.txt
  cmp -s "$wanted" "$2/requirements-$1.txt" && return
  say "installing the Python packages of requirements-$1.txt"
  "$2/bin/python" -m pip install -q --disable-pip-version-check -r "$wanted" ||
    die "installing Python packages failed"
  cp "$wanted" "$2/requirements-$1.txt"
}

# The same for packages that only some tests need: where they cannot be installed,
# those tests are skipped, and say so.
optional_python_packages() {
  (python_packages "$1") 2>"$build/pip-$1.log" ||
    say "they cannot be installed here ($build/pip-$1.log says why); tests" \
        "that need them are skipped"
}

# Runs ninja with its output in a file. On a terminal a line says how far it is:
# the steps that are left take as long, on average, as those before them.
run_ninja() {
  local log=$1
  shift
  if [ ! -t 2 ]; then
    ninja "$@" >"$log" 2>&1
    return
  fi
  ninja "$@" >"$log" 2>&1 &
  local ninja=$! begin=$SECONDS finished all left
  # What runs beside a script does not hear of an interrupt.
  trap 'kill "$ninja" 2>/dev/null; printf "\r\033[K" >&2; exit 130' INT TERM
  while kill -0 "$ninja" 2>/dev/null; do
    sleep 1
    [[ $(tail -c 65536 "$log" | grep -aoE '^\[[0-9]+/[0-9]+\]' | tail -n 1) =~ \
       ([0-9]+)/([0-9]+) ]] || continue
    finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    left=$(((SECONDS - begin) * (all - finished) / finished))
    printf '\r    %d of %d steps, %d:%02d to go\033[K' "$finished" "$all" \
      $((left / 60)) $((left % 60)) >&2
  done
  printf '\r\033[K' >&2
  trap - INT TERM
  wait "$ninja"
}

# How many compilers to run: one a core, but at least 1.5 GiB of memory each.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)
  echo $((memory < 1 ? 1 : memory < cores ? memory : cores))
}
