#!/bin/sh
# sde.sh CHIP PROGRAM ARGUMENT...: runs a program on a chip of Intel's Software Development Emulator: hsw, skx, spr, ...
# For --run_under; SDE_HOME names the folder with sde64. SDE checks by itself that no instruction is beyond the chip; its
# options -chip_check_exe_only and -chip_check_image would leave generated code out, which lies in no file.
# BURIN_EMULATED=sde tells the program, which takes fewer inputs of a kind where it would take very many.
set -eu

if [ $# -lt 2 ]; then
  echo "usage: sde.sh CHIP PROGRAM ARGUMENT..." >&2
  exit 2
fi
chip=$1
shift
if [ ! -x "${SDE_HOME:-}/sde64" ]; then
  echo "sde.sh: there is no sde64 in SDE_HOME (${SDE_HOME:-not set}). Download Intel SDE from" >&2
  echo "https://www.intel.com/content/www/us/en/developer/articles/tool/software-development-emulator.html, unpack it, and" >&2
  echo "set SDE_HOME to its folder" >&2
  exit 1
fi
export BURIN_EMULATED=sde
exec "$SDE_HOME/sde64" "-$chip" -- "$@"
