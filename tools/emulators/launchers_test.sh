#!/bin/bash
# launchers_test.sh QEMU_SH SDE_SH: what the launchers run, and what they say where there is nothing to run.
set -u

qemu=$PWD/$1
sde=$PWD/$2
scratch=$TEST_TMPDIR
failures=0

# expect STATUS TEXT COMMAND...: runs the command; its status and a part of its output are given.
expect() {
  local status=$1 text=$2 output
  shift 2
  output=$("$@" 2>&1)
  local got=$?
  if [ $got != "$status" ] || [[ $output != *"$text"* ]]; then
    echo "FAILED: $*: exit status $got, expected $status; output, expected to have '$text':"
    echo "$output"
    failures=$((failures + 1))
  fi
}

# Print the arguments that they are given, and the variable.
mkdir -p "$scratch/sde" "$scratch/bin" "$scratch/empty"
for program in sde/sde64 bin/qemu-x86_64; do
  printf '#!/bin/sh\nprintf "<%%s>" "$@" "$BURIN_EMULATED"\nexit 3\n' >"$scratch/$program"
  chmod +x "$scratch/$program"
done

expect 3 '<-spr><--><program><--flag=a b><sde>' env "SDE_HOME=$scratch/sde" "$sde" spr program '--flag=a b'
expect 1 'SDE_HOME (not set). Download' env -u SDE_HOME "$sde" spr program
expect 1 "SDE_HOME ($scratch/empty)" env "SDE_HOME=$scratch/empty" "$sde" spr program
expect 2 'usage: sde.sh' "$sde" spr

expect 3 '<-cpu><Haswell-noTSX><program><a b><qemu>' env "PATH=$scratch/bin" "$qemu" Haswell-noTSX program 'a b'
expect 1 'apt-get install qemu-user' /usr/bin/env "PATH=$scratch/empty" "$qemu" Haswell-noTSX program
expect 2 'usage: qemu.sh' "$qemu" Haswell-noTSX

[ $failures = 0 ]
