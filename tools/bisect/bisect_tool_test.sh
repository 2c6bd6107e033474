#!/bin/bash
# bisect_tool_test.sh BISECT WRITE_CHECK_DATA: the tool's exit codes and what each option does.
set -u
bisect=$1
folder=$TEST_TMPDIR/data
"$2" "$folder" || exit 1
failures=0

# expect CODE PATTERN ARGUMENT...: runs the tool and compares its exit code and output.
expect() {
  local code=$1 pattern=$2
  shift 2
  local output status
  output=$("$bisect" "$@" 2>&1)
  status=$?
  if [ "$status" != "$code" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED: bisect $*: exit code $status (expected $code), output (expected /$pattern/):"
    echo "$output"
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
expect 0 'Outputs hold after all 1 rewrites' -m "$model"
expect 0 'all 1 rewrites: holds' -m "$model" -d REFERENCE -seed 3 -rtol 0 -atol 0
expect 0 'Outputs hold after all 0 rewrites' -m "$model" -disable_pass ConstantFolding,ShapeOfArithmetic
expect 0 'Outputs hold after all 1 rewrites' -m "$model" -stage PostLpt
expect 0 'Outputs hold' -m "$folder/model.onnx" -data "$folder"
expect 0 'Outputs hold' -m "$folder/model.onnx" -data "$folder/test_data_set_0" -o "$folder/out"
expect 2 'No test_data_set' -m "$model" -data "$TEST_TMPDIR"
expect 2 'No device "GPU"' -m "$model" -d GPU
expect 0 'Usage' -h
expect 2 'Option -m is required'
expect 2 'got: None' -m "$model" -disable_pass None
expect 2 'got: Lpt' -m "$model" -stage Lpt
expect 2 'Option -seed' -m "$model" -seed many
expect 2 'Option -rtol' -m "$model" -rtol many
expect 2 '/no/model' -m /no/model
exit $((failures > 0))
