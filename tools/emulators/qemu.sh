#!/bin/sh
# qemu.sh CPU PROGRAM ARGUMENT...: runs a program on the processor CPU of qemu-user (`qemu-x86_64 -cpu help` lists them).
# For --run_under; --config=qemu names Haswell-noTSX, the last processor before AVX-512 that it emulates whole.
# BURIN_EMULATED=qemu tells the program, which takes fewer inputs of a kind where it would take very many.
set -eu

if [ $# -lt 2 ]; then
  echo "usage: qemu.sh CPU PROGRAM ARGUMENT..." >&2
  exit 2
fi
cpu=$1
shift
if ! command -v qemu-x86_64 >/dev/null; then
  echo "qemu.sh: there is no qemu-x86_64; install it (Debian: apt-get install qemu-user)" >&2
  exit 1
fi
export BURIN_EMULATED=qemu
exec qemu-x86_64 -cpu "$cpu" "$@"
