#!/bin/bash
# jit_dump_test.sh JIT_DUMP: what each option does, and the exit codes.
set -u
jit_dump=$1
failures=0

# expect CODE PATTERN ARGUMENT...: runs the tool and compares its exit code and output.
expect() {
  local code=$1 pattern=$2
  shift 2
  local output status
  output=$("$jit_dump" "$@" 2>&1)
  status=$?
  if [ "$status" != "$code" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED: jit_dump $*: exit code $status (expected $code), output (expected /$pattern/):"
    echo "$output" | head -20
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

expect 0 'row_Exp_256_x[0-9]+ \(avx2, ' -list
expect 0 'fma_512_x12: not at this level' -list -isa avx2
if command -v objdump >/dev/null; then
  expect 0 '^; kernel: fma_512_x12' fma_512_x12
  expect 0 '^; code: [0-9]+ bytes' read -isa avx512
  expect 0 'vfmadd231ps ymm' fma_256_x12 -isa avx2
  expect 0 'vmovaps zmm' read -isa avx512
  expect 0 'vdpbf16ps zmm' dot_bf16_512_x12
  expect 0 'vfmadd231ps ymm' dot_3x2 -isa avx2
  expect 0 '^; constants' row_Exp -isa avx2
  expect 0 '^; kernel: copy_256' read copy_256
fi
without=$(PATH=/none "$jit_dump" fma_512_x12 2>&1)
if [ $? != 2 ] || ! grep -q 'NOT_FOUND.*objdump' <<<"$without"; then
  echo "FAILED: without objdump: $without"
  failures=$((failures + 1))
fi
expect 0 '' row_Exp copy_rows -isa avx512 -o "$TEST_TMPDIR/dumps"
exists "$TEST_TMPDIR/dumps/copy_rows.s" '^; kernel: copy_rows'
[ -s "$TEST_TMPDIR/dumps/copy_rows.bin" ] || failures=$((failures + 1))
body=$TEST_TMPDIR/body.txt
cat >"$body" <<'END'
model "tanh_of_sum" {
  %0 "x" = Parameter() {element_type = f32, shape = [7,300]}
  %1 "y" = Parameter() {element_type = f16, shape = [300]}
  %2 = Convert(%1) {destination_type = f32}
  %3 = Add(%0, %2)
  %4 = Tanh(%3)
  %5 "out" = Result(%4)
}
END
expect 0 '' -body "$body" -o "$TEST_TMPDIR/dumps"
exists "$TEST_TMPDIR/dumps/fused_tanh_of_sum.s" '^; kernel: fused_tanh_of_sum'
exists "$TEST_TMPDIR/dumps/fused_tanh_of_sum.body.txt" 'Tanh'
exists "$TEST_TMPDIR/dumps/fused_tanh_of_sum.linear.txt" 'for a1 by vectors'
if command -v objdump >/dev/null; then
  expect 0 '^for a0' -body "$body" -isa avx2
  expect 0 'vaddps zmm' -linear "$TEST_TMPDIR/dumps/fused_tanh_of_sum.linear.txt" -isa avx512
fi
expect 2 'NOT_FOUND' -body "$TEST_TMPDIR/none"
expect 2 'line 1, column' -linear "$body"
expect 2 'takes no name' read -body "$body"
expect 0 'Usage' -h
expect 2 'name of a kernel is required'
expect 2 'NOT_FOUND: .*row_Tanh.*got: row_Tahn' row_Tahn
expect 2 'Option -isa: .*avx512' fma_512_x12 -isa sse9
expect 2 'takes no name' read -list
expect 2 'cannot make folder' read -o /dev/null/below
exit $((failures > 0))
