#!/bin/bash
# kernel_bench_test.sh KERNEL_BENCH: what each option does, and the exit codes.
set -u
kernel_bench=$1
failures=0

# expect CODE PATTERN ARGUMENT...: runs the tool and compares its exit code and output.
expect() {
  local code=$1 pattern=$2
  shift 2
  local output status
  output=$("$kernel_bench" "$@" 2>&1)
  status=$?
  if [ "$status" != "$code" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED: kernel_bench $*: exit code $status (expected $code), output (expected /$pattern/):"
    echo "$output"
    failures=$((failures + 1))
  fi
}

# exists FILE PATTERN
exists() {
  if ! grep -qE -- "$2" "$1"; then
    echo "FAILED: no $2 in $1"
    failures=$((failures + 1))
  fi
}

json=$TEST_TMPDIR/limits.json
expect 0 '^read_l1 +[0-9.]+ .*bytes/cycle +[0-9.]+ GB/s' -limits -rounds 3 -cpus 0 -json "$json"
exists "$json" '"read_l1"'
exists "$json" '"class_source"'
expect 0 'level +avx2 \(cap: avx2 by -max_isa' -limits -rounds 3 -cpus 0 -max_isa avx2
expect 0 'Usage' -h
expect 2 'Option -rounds' -rounds none
expect 2 'no regular expression' -case '('
expect 2 'no such family' -family none
expect 2 'fits no case' -list -case nothing_is_called_so
expect 0 '^  elementwise/Exp/1x4096' -list -family elementwise -case Exp/
expect 0 'burin 256: own' -case '^elementwise/Relu/1x' -rounds 9 -seed 2 -max_isa avx2 -json "$TEST_TMPDIR/relu.json"
exists "$TEST_TMPDIR/relu.json" '"cycles"'
expect 0 'copies at each repeat: cold' -case '^copy/contiguous/8KiB' -rounds 3 -cold
expect 0 '^  convolution/64x64/56/k3s1' -list -set resnet50
expect 0 '^  gemm/constant/[0-9]+x[0-9]+x[0-9]+' -list -family gemm -set random:3
expect 2 'Option -set: No such set' -list -set none
expect 2 'Option -threads: there are fewer processors' -family pooling -case max16 -set small -threads 2 -cpus 0
expect 0 'burin 256 against memory: cases 2' -family pooling -set small -rounds 3 -max_isa avx2
small="-family convolution -set small -case 16x16/14/k1 -rounds 3 -max_isa avx2"
# shellcheck disable=SC2086
expect 0 'against direct 256 [0-9]+x[0-9]+ register' $small -tune
# shellcheck disable=SC2086
expect 0 'direct 256 bias_gelu: own' $small -epilogues
peers=$("$kernel_bench" -peers -case '^elementwise/Exp/1x' -rounds 3 2>&1)
if ! grep -qE '^peer +[A-Za-z]|FAILED_PRECONDITION: .*tools/peers/README.md' <<<"$peers"; then
  echo "FAILED: -peers neither takes them nor says what to do: $peers"
  failures=$((failures + 1))
fi
exit $((failures > 0))
