#!/bin/bash
# check_test.sh CHECK WRITE_CHECK_DATA: the tool's exit codes and what each option does.
set -u
check=$1
folder=$TEST_TMPDIR/data
"$2" "$folder" || exit 1
failures=0

# expect CODE PATTERN ARGUMENT...: runs the tool and compares its exit code and output.
expect() {
  local code=$1 pattern=$2
  shift 2
  local output status
  output=$("$check" "$@" 2>&1)
  status=$?
  if [ "$status" != "$code" ] || ! grep -qE -- "$pattern" <<<"$output"; then
    echo "FAILED: check $*: exit code $status (expected $code), output (expected /$pattern/):"
    echo "$output"
    failures=$((failures + 1))
  fi
}

model=$folder/model.onnx
expect 0 'everything holds' -m "$model"
expect 0 'OK .*"y" f32\[3\]: max error 0 ' -m "$model" -d REFERENCE
expect 1 'FAILED .*expected 3; 1 of 3 differ' -m "$model" -data "$folder/wrong"
expect 1 'NOT everything holds' -m "$model" -data "$folder" -data "$folder/wrong"
expect 0 'relative 0.5' -m "$model" -data "$folder/wrong" -rtol 0.5
expect 0 'absolute 1.5' -m "$model" -data "$folder/wrong" -atol 1.5
expect 1 'absolute 0.5' -m "$model" -data "$folder/wrong" -atol 0.5
expect 0 'cosine >= 0.9' -m "$model" -data "$folder/wrong" -cosine 0.9
expect 0 'seed 1' -m "$model" -ref REFERENCE
expect 0 'f32 arithmetic, computed in f32' -m "$model" -widen
expect 0 'seed 5' -m "$model" -ref REFERENCE -seed 5
expect 0 'Usage' -h
expect 2 'Option -m is required'
expect 2 'Unknown option -x' -m "$model" -x
expect 2 'No device "GPU"' -m "$model" -d GPU
expect 2 '/no/model' -m /no/model
expect 2 'No test_data_set' -m "$model" -data "$TEST_TMPDIR"
echo '{"ort_optdiff_rel": 0.25}' >"$folder/wrong/meta.json"
expect 0 'relative 0.75' -m "$model" -data "$folder/wrong"
exit $((failures > 0))
