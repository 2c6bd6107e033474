#!/bin/bash
# opt_test.sh OPT WRITE_CHECK_DATA: what each option does, and the exit codes.
set -u
opt=$1
folder=$TEST_TMPDIR/data
"$2" "$folder" || exit 1
failures=0

# expect CODE PATTERN ARGUMENT...: runs the tool and compares its exit code and output.
expect() {
  local code=$1 pattern=$2
  shift 2
  local output status
  output=$("$opt" "$@" 2>&1)
  status=$?
  if [ "$status" != "$code" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED: opt $*: exit code $status (expected $code), output (expected /$pattern/):"
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

cat >"$folder/sum.txt" <<'END'
model "sum" {
  %0 "x" = Parameter() {shape = [2]}
  %1 "a" = Constant() {value = f32[]{1}}
  %2 "b" = Constant() {value = f32[]{2}}
  %3 "sum" = Add(%1, %2)
  %4 "y" = Multiply(%0, %3)
  %5 "out" = Result(%4)
}
END
model=$folder/sum.txt
expect 0 'ConstantFolding +1 ' -m "$model"
expect 0 'nodes: 6 -> 4' -m "$model"
expect 0 '^ +1 -> +0  Add' -m "$model"
expect 0 '0 rewrites, 6 nodes before, 6 after' -m "$model" -stop_after_rewrite 0
expect 0 'nodes: 6 -> 6' -m "$model" -disable_pass ConstantFolding,ShapeOfArithmetic
expect 0 '1 rewrites' -m "$model" -stage PostLpt -verify_each_rewrite
expect 0 'ConstantFolding fires at' -m "$model" -stop_after_rewrite 0 -explain sum:ConstantFolding
expect 0 'ConstantFolding does not fire at' -m "$model" -explain y:ConstantFolding
expect 0 'ConstantFolding does not fire at %[0-9]+ "sum" = Constant' -m "$model" -explain sum:ConstantFolding
expect 2 'no such node.*"none"' -m "$model" -explain none:ConstantFolding
expect 0 'nodes: 6 -> 4' -m "$model" -o "$folder/out.txt"
exists "$folder/out.txt" 'Constant.*f32\[\]\{3\}'
expect 0 'nodes: 4 -> 4' -m "$folder/out.txt"
expect 0 'nodes: 6 -> 4' -m "$model" -o "$folder/out.bin"
expect 0 'nodes: 4 -> 4' -m "$folder/out.bin"
expect 0 'nodes: 6 -> 4' -m "$model" -dump_rewrites "$folder/dumps"
exists "$folder/dumps/00001_ConstantFolding_before.txt" 'Add\(%1, %2\)'
exists "$folder/dumps/00001_ConstantFolding_after.txt" 'Rewrite 1, pass ConstantFolding'
expect 0 'nodes: 3 -> 3' -m "$folder/model.onnx"
expect 0 '^Subgraph "y": 1 operations' -m "$model" -dump_fusion
expect 0 '^not eligible: 1 Add: Its value is known' -m "$model" -stop_after_rewrite 0 -dump_fusion
expect 0 'nodes: 6 -> 4' -m "$model" -dump_fusion -o "$folder/fused.txt"
exists "$folder/fused.txt" '"y" = Subgraph\('
expect 0 'TransposeChains \(rule, exact\)' -list_passes
echo 'no model' >"$folder/broken.onnx"
expect 0 '^\| model \| nodes before' -op_counts "$folder"
expect 0 '^\| model.onnx \| 3 \| 3 \| 0 \| none \|$' -op_counts "$folder"
expect 0 '^\| broken.onnx \| \| \| \| .*no known model format' -op_counts "$folder"
expect 0 'Usage' -h
expect 2 'Option -m is required'
expect 2 'got: Lpt' -m "$model" -stage Lpt
expect 2 'got: None' -m "$model" -disable_pass None
expect 2 'expected an integer' -m "$model" -stop_after_rewrite many
expect 2 'cannot make folder' -m "$model" -dump_rewrites "$model/below"
expect 2 '/no/model' -m /no/model
expect 2 'Cannot read folder' -op_counts /no/folder
exit $((failures > 0))
